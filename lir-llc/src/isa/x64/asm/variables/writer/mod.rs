//! The writer: variables in registers by the one-pass engine, and the instructions that may still be erased.

mod frame;
mod nesting;
mod steps;

use super::super::operands::RBP;
use super::super::{Assembler, Label, Reg64};
use super::home::{Home, encode_load, encode_store};
use crate::isa::x64::asm::error::AsmError;
use crate::isa::x64::encode::{Addr, Operands};
use crate::isa::x64::registers::{CALLEE_SAVED, RAX, RSP, hw, xmm};
use crate::isa::x64::{Cond, ENV, op, props};
use crate::mir::{Form, MOp, PReg, PRegSet, Props, RegClass, Size};
use crate::regalloc::one_pass::engine::{Code as EngineCode, Engine, NO_VAR, State, Var};
use crate::regalloc::one_pass::switches::{Switch, Switches};
use crate::regalloc::parallel_move::{Move, Resolver, Source, SpareLocations};
use crate::regalloc::{Edit, Loc};
use frame::encode_move;
use std::panic::Location;
pub(super) use steps::{Pushed, Step};
use steps::{Steps, Variable};

/// The right side of an operator.
#[derive(Copy, Clone, Debug)]
pub(super) enum Right {
    Var(Var),
    Constant(i64),
}

/// Returns the memory of a slot.
fn slot(n: u32) -> Addr {
    Addr::base(RBP.number(), -8 * (n as i32 + 1))
}

/// The largest number of slots. Frames are not touched page by page.
const MAX_SLOTS: u32 = 1 << 16;

/// An `if` or a loop: its number in the function with this label.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) struct Construct(Label, u32);

/// An `if` or a loop that has not ended.
#[derive(Copy, Clone, Debug)]
struct Open {
    construct: Construct,
    /// The number of variables at the beginning of a loop; none for an `if`.
    variables: Option<Var>,
    at: &'static Location<'static>,
}

/// The state of a function that is being written.
#[derive(Debug)]
pub(super) struct Writer {
    asm: Assembler,
    engine: Engine,
    switches: Switches,
    steps: Steps,
    resolver: Resolver,
    /// The room for the instructions after the set-up of the frame pointer, and the number of rows of call frame
    /// information there.
    room: (u32, usize, u32),
    entry: Label,
    exit: Label,
    /// The offset and the number of items at the beginning.
    start: (usize, usize),
    /// The number of instructions that have set the flags.
    pub(super) flags: u32,
    /// True if the function has ended, or its assembler is lost.
    is_over: bool,
    /// True if control does not come here.
    pub(super) unreachable: bool,
    /// A jump to the exit has still to be written.
    returns: bool,
    /// True if there may be something below rsp.
    uses_stack: bool,
    /// The constructs that have begun and not ended, the innermost last.
    open: Vec<Open>,
    /// The number of constructs so far.
    num_constructs: u32,
}

impl Writer {
    pub(super) fn new(mut asm: Assembler, entry: Label, switches: Switches) -> Writer {
        asm.begin_frame();
        let room = (asm.relax.leave_room(asm.code.len()), asm.cfi.len(), asm.code.offset());
        let exit = asm.label();
        let allocatable = PRegSet::all().minus(PRegSet::of(&[RSP, PReg::new(RBP.number())]));
        Writer {
            entry,
            start: (asm.code.len(), asm.relax.len()),
            flags: 0,
            is_over: false,
            asm,
            engine: Engine::new(allocatable, switches),
            switches,
            steps: Steps::default(),
            resolver: Resolver::default(),
            room,
            exit,
            unreachable: false,
            returns: false,
            uses_stack: false,
            open: Vec::new(),
            num_constructs: 0,
        }
    }

    // Variables.

    pub(super) fn new_variable(&mut self, class: RegClass) -> Var {
        self.variable_in(Home::Slot, class, Size::S64)
    }
    pub(super) fn variable_in(&mut self, home: Home, class: RegClass, size: Size) -> Var {
        self.steps.variables.push(Variable { class, size, home, slot: None, is_alive: true });
        self.steps.variables.len() as u32 - 1
    }
    #[track_caller]
    pub(super) fn argument(&mut self, r: PReg) -> Var {
        let v = self.new_variable(r.class());
        let at_begin = (self.asm.code.len(), self.asm.relax.len()) == self.start && self.open.is_empty();
        if at_begin && self.engine.free_registers().contains(r) && self.steps.list.is_empty() {
            self.engine.hold(v, r);
        } else {
            self.fail("arguments are requested once, before anything else", Location::caller());
        }
        v
    }
    /// Frees a variable: its register and its slot.
    pub(super) fn free(&mut self, v: Var) {
        let innermost = self.open.iter().rev().find_map(|open| Some((open.variables?, open.at)));
        if let Some((before, at)) = innermost
            && v < before
        {
            self.fail("a variable is dropped in this loop that was there before it", at);
        }
        self.steps.variables[v as usize].is_alive = false;
        if let Some((home, _)) = self.steps.memory_of_user(v) {
            self.engine.keep_spill(v);
            if let Some(r) = self.engine.find(v) {
                self.engine.sync(r, &mut self.steps);
            }
            if let Home::At(address, _) = home {
                self.free(address);
            }
        } else if !self.switches.has(Switch::Free) {
            // It leaves its register to the requester, and keeps its slot for that.
            return;
        }
        self.engine.free(v, &mut self.steps);
        let Variable { slot, class, .. } = &mut self.steps.variables[v as usize];
        if let Some(slot) = slot.take() {
            self.steps.slots.leave(slot, ENV.slot_size(*class));
        }
    }
    /// Stores a variable to its memory, if need be, and frees its register.
    pub(super) fn spill(&mut self, v: Var) {
        self.engine.keep_spill(v);
        if let Some(r) = self.engine.find(v) {
            self.engine.spill(r, &mut self.steps);
        }
    }
    /// The same of all variables.
    pub(super) fn spill_all(&mut self) {
        self.spill_where(|_, _| true);
    }
    /// Brings the user's memory up to date with the variables that live there. Without the switch for restoring where
    /// control joins, no variable is in a register at a join.
    pub(super) fn settle_memory(&mut self) {
        let all = !self.switches.has(Switch::Restore);
        self.spill_where(|steps, v| all || steps.memory_of_user(v).is_some());
    }
    fn spill_where(&mut self, is_spilled: impl Fn(&Steps, Var) -> bool) {
        for r in
            self.engine.held().iter().filter(|r| is_spilled(&self.steps, self.engine.var_in(*r))).collect::<Vec<_>>()
        {
            self.engine.spill(r, &mut self.steps);
        }
    }
    pub(super) fn fail(&mut self, message: &str, at: &'static Location<'static>) {
        self.asm.error.get_or_insert_with(|| AsmError { at, message: message.to_string() });
    }

    // Registers.

    /// Returns the registers that a variable may be in, except these. Callee-saved registers are included when the
    /// others are taken.
    fn among(&self, v: Var, but: PRegSet) -> PRegSet {
        let class = PRegSet::class(self.steps.variables[v as usize].class).minus(but);
        let cheap = class.minus(CALLEE_SAVED.minus(self.steps.used));
        if cheap.and(self.engine.free_registers()).is_empty() { class } else { cheap }
    }
    /// Puts a variable into a register that is not one of these, for reading.
    pub(super) fn read(&mut self, v: Var, but: PRegSet) -> PReg {
        if let Some(r) = self.engine.find(v).filter(|r| but.contains(*r)) {
            self.engine.spill(r, &mut self.steps);
        }
        let r = match self.engine.find(v) {
            Some(r) => r,
            None => self.engine.allocate(v, self.among(v, but), &mut self.steps),
        };
        self.engine.read(r);
        r
    }
    /// The same where there is a free register for it; else it stays in memory.
    pub(super) fn read_anywhere(&mut self, v: Var) -> Loc {
        let class = PRegSet::class(self.steps.variables[v as usize].class);
        let is_scarce = class.and(self.engine.free_registers()).is_empty() || !self.switches.has(Switch::Hybrid);
        let stays = self.switches.has(Switch::Memory) && is_scarce && self.steps.memory_of_user(v).is_none();
        if self.engine.find(v).is_none() && stays {
            self.engine.keep_spill(v);
            return Loc::slot(self.steps.slot_of(v));
        }
        Loc::reg(self.read(v, PRegSet::EMPTY))
    }
    /// A variable gets a new value. Instructions that moved the old one in vain are erased.
    fn overwrite(&mut self, v: Var) {
        self.engine.free(v, &mut self.steps);
    }
    /// Gives a variable that has no value a register that is not one of these, for writing.
    pub(super) fn define(&mut self, v: Var, but: PRegSet) -> PReg {
        self.overwrite(v);
        let r = self.engine.take(v, self.among(v, but), &mut self.steps);
        self.steps.used = self.steps.used.with(r);
        r
    }
    /// Assigns a copy of `a` to `d`, which has no value: `d` takes the register of `a`, and this a copy, which is
    /// erased if it is not used.
    pub(super) fn copy(&mut self, a: Var, d: Var, but: PRegSet) -> PReg {
        self.overwrite(d);
        let from = self.read(a, but);
        if !self.switches.has(Switch::CopyProp) {
            let r = self.engine.take(d, self.among(d, but.with(from)), &mut self.steps);
            self.engine.read(from);
            self.steps.copy(from, r);
            return r;
        }
        let r = self.engine.propagate(a, d, self.among(a, but), &mut self.steps);
        self.steps.used = self.steps.used.with(r);
        r
    }
    /// A register is written that a variable is in.
    pub(super) fn written(&mut self, r: PReg) {
        self.engine.write(r, &mut self.steps);
    }
    /// Stores the value in a register, so that it is free.
    pub(super) fn vacate(&mut self, r: PReg) {
        if self.engine.held().contains(r) {
            self.engine.spill(r, &mut self.steps);
        }
        self.steps.used = self.steps.used.with(r);
    }
    /// Puts a variable into a free register, with a value that instructions have put there.
    pub(super) fn hold(&mut self, v: Var, r: PReg) {
        self.engine.hold(v, r);
        self.steps.used = self.steps.used.with(r);
    }
    /// Moves a variable into a register that is free, without recording the move in the engine.
    pub(super) fn move_to(&mut self, v: Var, to: PReg) {
        let from = match self.engine.find(v) {
            Some(r) => {
                self.engine.read(r);
                Loc::reg(r)
            }
            None => {
                self.engine.keep_spill(v);
                if self.steps.memory_of_user(v).is_some() {
                    self.steps.load(v, to);
                    return;
                }
                Loc::slot(self.steps.slot_of(v))
            }
        };
        self.steps.used = self.steps.used.with(to);
        if from != Loc::reg(to) {
            self.steps.push(Step::Edit(Edit::Move { from, to: Loc::reg(to), class: to.class() }));
        }
    }
    /// Returns the registers of variables for instructions of the user's.
    pub(super) fn lend<const N: usize>(&mut self, variables: [Var; N]) -> [Reg64; N] {
        variables.map(|v| Reg64::ALL[hw(self.read(v, PRegSet::EMPTY)) as usize])
    }
    /// A variable that is in a register gets another value there.
    pub(super) fn write(&mut self, v: Var) {
        let r = self.read(v, PRegSet::EMPTY);
        self.written(r);
    }
    /// Hands the assembler out.
    pub(super) fn lend_assembler(&mut self) -> Assembler {
        self.uses_stack = true;
        self.flags += 1;
        self.assembler();
        std::mem::take(&mut self.asm)
    }
    /// Takes the assembler back. Nothing was to be done with variables meanwhile.
    #[track_caller]
    pub(super) fn take_back(&mut self, asm: Assembler) {
        let meanwhile = std::mem::replace(&mut self.asm, asm);
        self.is_over |= self.asm.id != self.entry.owner;
        let is_untouched = meanwhile.code.is_empty() && meanwhile.error.is_none() && self.steps.list.is_empty();
        if self.is_over || !is_untouched {
            self.steps.list.clear();
            self.fail("the assembler is for the instructions alone that are appended", Location::caller());
        }
    }
    /// Returns the register that a variable is in.
    pub(super) fn find(&self, v: Var) -> Option<PReg> {
        self.engine.find(v)
    }
    /// Returns the registers that hold variables.
    pub(super) fn held(&self) -> PRegSet {
        self.engine.held()
    }
    pub(super) fn is_float(&self, v: Var) -> bool {
        self.steps.variables[v as usize].class == RegClass::Float
    }

    // Instructions.

    /// Appends a row of the table.
    pub(super) fn row(&mut self, op: MOp, form: Form, size: Size, regs: [PReg; 3], imm: i32, mem: Addr) {
        self.flags += u32::from(props(op).has(Props::SETS_FLAGS));
        let operands = Operands { regs: regs.map(hw), imm, mem };
        self.steps.push(Step::Row(op, form, size, operands, None));
    }
    /// Appends a row between registers.
    pub(super) fn registers(&mut self, op: MOp, form: Form, size: Size, regs: [PReg; 3]) {
        self.row(op, form, size, regs, 0, Addr::base(0, 0));
    }
    /// Appends `op d, b`, with the second operand in a register or in a slot.
    pub(super) fn with_source(&mut self, op: MOp, size: Size, forms: [Form; 2], regs: [PReg; 2], b: Loc) {
        let [d, a] = regs;
        match (b.as_reg(), b.as_slot()) {
            (_, Some(n)) => self.row(op, forms[1], size, [d, a, RAX], 0, slot(n)),
            (r, None) => self.registers(op, forms[0], size, [d, a, r.unwrap_or(RAX)]),
        }
    }
    pub(super) fn push_step(&mut self, step: Step) {
        self.steps.push(step);
    }
    /// Pushes a variable, which is in a register of integers or in memory.
    pub(super) fn push_variable(&mut self, v: Var) {
        let pushed = match self.engine.find(v) {
            Some(r) => {
                self.engine.read(r);
                Pushed::Register(r)
            }
            None => {
                self.engine.keep_spill(v);
                match self.steps.memory_of_user(v) {
                    Some((home, _)) => Pushed::Home(home),
                    None => Pushed::Slot(self.steps.slot_of(v)),
                }
            }
        };
        self.steps.push(Step::Push(pushed));
    }
    /// Loads an argument that the caller has put on the stack: above the return address and the saved rbp.
    pub(super) fn argument_on_stack(&mut self, class: RegClass, number: u16) -> Var {
        let v = self.new_variable(class);
        let r = self.define(v, PRegSet::EMPTY);
        let op = if class == RegClass::Int { op::Mov } else { op::MovF };
        self.row(op, Form::DM, Size::S64, [r, r, r], 0, Addr::base(RBP.number(), 16 + 8 * i32::from(number)));
        v
    }
    pub(super) fn sign_extend(&mut self, size: Size) {
        self.steps.push(Step::SignExtend(size));
    }
    pub(super) fn put_constant(&mut self, r: PReg, value: i64) {
        self.steps.push(Step::Constant(r, value));
    }
    pub(super) fn constant(&mut self, value: i64) -> Var {
        let v = self.new_variable(RegClass::Int);
        self.set_constant(v, value);
        v
    }
    pub(super) fn set_constant(&mut self, v: Var, value: i64) {
        let r = self.define(v, PRegSet::EMPTY);
        self.put_constant(r, value);
    }
    #[track_caller]
    pub(super) fn float_constant(&mut self, value: f64) -> Var {
        let v = self.new_variable(RegClass::Float);
        let r = self.define(v, PRegSet::EMPTY);
        if value.to_bits() == 0 {
            self.registers(op::ZeroF, Form::D, Size::S64, [r, r, r]);
        } else {
            let label = self.asm.constant(&value.to_bits().to_le_bytes());
            let operands = Operands { regs: [hw(r); 3], imm: 0, mem: Addr::rip() };
            self.steps.push(Step::Row(op::MovF, Form::DM, Size::S64, operands, Some(label)));
        }
        v
    }
    /// Assigns a copy of `b` to `a`.
    pub(super) fn assign(&mut self, a: Var, b: Var) {
        if a != b {
            self.copy(b, a, PRegSet::EMPTY);
        }
    }
    pub(super) fn ret(&mut self, value: Option<Var>) {
        self.settle_memory();
        if let Some(v) = value {
            // The value of another variable there is not needed any more.
            let to = if self.is_float(v) { xmm(0) } else { RAX };
            self.move_to(v, to);
        }
        self.assembler();
        (self.unreachable, self.returns) = (true, true);
    }

    // Blocks.

    /// Writes the instructions so far. From here on they are bytes.
    pub(super) fn assembler(&mut self) -> &mut Assembler {
        // Nothing before this point is taken back any more.
        self.engine.capture();
        if self.returns {
            self.returns = false;
            let exit = self.exit;
            self.asm.jmp(exit);
        }
        let steps = std::mem::take(&mut self.steps.list);
        if !self.unreachable {
            steps.into_iter().flatten().for_each(|step| self.encode(step));
        }
        &mut self.asm
    }
    fn encode(&mut self, step: Step) {
        match step {
            Step::Row(op, form, size, operands, label) => {
                let at = self.asm.code.put(op, form, size, Cond::O, &operands);
                self.asm.refer(at, label);
            }
            Step::Edit(Edit::Exchange(a, b)) => self.asm.code.exchange(hw(a), hw(b)),
            Step::Edit(Edit::Move { from, to, class }) => {
                self.uses_stack |= from.as_slot().is_some() && to.as_slot().is_some();
                encode_move(&mut self.asm.code, from, to, class);
            }
            Step::Edit(Edit::Remat(..)) => unreachable!("no definition is repeated"),
            Step::Push(Pushed::Register(r)) => self.asm.code.push(hw(r)),
            Step::Push(Pushed::Slot(n)) => self.asm.code.push_mem(&slot(n)),
            // rax is free: its value is put there last.
            Step::Push(Pushed::Home(home)) => {
                let from = (home, self.address_slot(home));
                encode_load(&mut self.asm.code, from, RAX, Size::S64);
                self.asm.code.push(hw(RAX));
            }
            Step::Constant(r, value) => self.asm.code.mov_imm(hw(r), value),
            Step::SignExtend(size) => self.asm.code.sign_extend_rax(size),
            Step::Load(home, to, size) => {
                self.uses_stack |= to.class() == RegClass::Float;
                let from = (home, self.address_slot(home));
                encode_load(&mut self.asm.code, from, to, size);
            }
            Step::Store(home, from, size) => {
                self.uses_stack = true;
                let to = (home, self.address_slot(home));
                encode_store(&mut self.asm.code, to, from, size);
            }
        }
    }
    /// Returns the slot that has the address of a home.
    fn address_slot(&mut self, home: Home) -> Option<Addr> {
        match home {
            Home::At(address, _) => Some(slot(self.steps.slot_of(address))),
            Home::Static(_) | Home::Slot => None,
        }
    }
    /// Ends a block. Returns the state of the registers there.
    pub(super) fn capture(&mut self) -> State {
        self.settle_memory();
        self.assembler();
        self.engine.capture()
    }
    /// Begins a block at a label, with the state of registers there, or where control does not come.
    #[track_caller]
    pub(super) fn resume(&mut self, label: Label, state: Option<&State>) {
        self.flags += 1;
        self.assembler().bind(label);
        self.unreachable = state.is_none();
        self.continue_in(state.unwrap_or(&State::EMPTY));
    }
    /// Continues with a state of registers, except variables that were dropped since.
    pub(super) fn continue_in(&mut self, state: &State) {
        let mut state = *state;
        for v in &mut state.vars {
            if *v != NO_VAR && !self.steps.variables[*v as usize].is_alive {
                *v = NO_VAR;
            }
        }
        self.engine.resume(&state);
    }
    /// Appends the moves that make a state of the present one.
    pub(super) fn restore(&mut self, state: &State) {
        self.settle_memory();
        let before = self.engine.capture();
        let mut moves: Vec<Move> = Vec::new();
        let mut push = |from, to: Loc, class| moves.push(Move { from: Source::Loc(from), to, class });
        for (r, v) in before.held() {
            let stays = state.find(v).is_some_and(|r| state.modified.contains(r));
            if !stays && self.engine.is_modified(r) {
                push(Loc::reg(r), Loc::slot(self.steps.slot_of(v)), r.class());
            }
        }
        for (r, v) in state.held().filter(|(_, v)| self.steps.variables[*v as usize].is_alive) {
            let from = match (before.find(v), self.steps.variables[v as usize].slot) {
                (Some(at), _) => Loc::reg(at),
                (None, Some(slot)) => Loc::slot(slot),
                // It has no value on this path.
                (None, None) => continue,
            };
            if from != Loc::reg(r) {
                push(from, Loc::reg(r), r.class());
            }
        }
        let wanted = state.held().fold(PRegSet::EMPTY, |set, (r, _)| set.with(r));
        let idle = self.engine.free_registers().minus(wanted);
        let steps = &mut self.steps;
        let mut spare = SpareLocations {
            env: &ENV,
            usable: idle.and(steps.used.or(PRegSet::all().minus(CALLEE_SAVED))),
            dice: &mut None,
            slots: &mut steps.slots,
        };
        let (list, used) = (&mut steps.list, &mut steps.used);
        self.resolver.resolve(&moves, &mut spare, |edit| {
            *used = used.or(edit.written());
            list.push(Some(Step::Edit(edit)));
        });
    }
    /// Notes that the stack below rsp is used: for example by calls.
    pub(super) fn use_stack(&mut self) {
        self.uses_stack = true;
    }
}

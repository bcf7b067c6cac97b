//! The writer: variables in registers by the one-pass engine, and the instructions that may still be erased.

use super::super::operands::RBP;
use super::super::{Assembler, Label, Reg64};
use crate::asm::error::AsmError;
use crate::emit::CfiOp;
use crate::emit::relax::Recorded;
use crate::regalloc::one_pass::engine::{Appended, Code as EngineCode, Engine, NO_VAR, State, Var};
use crate::regalloc::one_pass::switches::Switches;
use crate::regalloc::parallel_move::{Move, Resolver, Source, SpareLocations};
use crate::regalloc::{Edit, Loc};
use crate::target::x64::encode::{Addr, Code, Operands};
use crate::target::x64::registers::{CALLEE_SAVED, RAX, RSP, xmm};
use crate::target::x64::{Cond, Form, Op, PReg, PRegSet, Props, RegClass, Size};
use std::panic::Location;

/// An instruction that is not bytes yet.
#[derive(Copy, Clone, Debug)]
pub(super) enum Step {
    /// A row of the table. Its memory operand is relative to the label, where there is one.
    Row(Op, Form, Size, Operands, Option<Label>),
    /// A move between registers and slots.
    Edit(Edit),
    /// A constant.
    Constant(PReg, i64),
    /// `cqo`.
    SignExtend,
}

/// The right side of an operator.
#[derive(Copy, Clone, Debug)]
pub(super) enum Right {
    Var(Var),
    Constant(i64),
}

/// A variable.
#[derive(Copy, Clone, Debug)]
struct Variable {
    class: RegClass,
    slot: Option<u32>,
    is_alive: bool,
}

/// The instructions of a block, and the memory of variables.
#[derive(Debug, Default)]
pub(super) struct Steps {
    list: Vec<Option<Step>>,
    variables: Vec<Variable>,
    free_slots: Vec<u32>,
    num_slots: u32,
    spare_slot: Option<u32>,
    /// The registers that are written.
    used: PRegSet,
}

impl Steps {
    fn slot_of(&mut self, v: Var) -> u32 {
        let variable = &mut self.variables[v as usize];
        *variable.slot.get_or_insert_with(|| {
            self.free_slots.pop().unwrap_or_else(|| {
                self.num_slots += 1;
                self.num_slots - 1
            })
        })
    }
    fn push(&mut self, step: Step) -> Appended {
        self.list.push(Some(step));
        self.list.len() as u32 - 1
    }
}

impl EngineCode for Steps {
    fn load(&mut self, v: Var, to: PReg) -> Appended {
        self.used = self.used.with(to);
        let from = Loc::slot(self.slot_of(v));
        self.push(Step::Edit(Edit::Move { from, to: Loc::reg(to), class: to.class() }))
    }
    fn store(&mut self, from: PReg, v: Var) -> Appended {
        let to = Loc::slot(self.slot_of(v));
        self.push(Step::Edit(Edit::Move { from: Loc::reg(from), to, class: from.class() }))
    }
    fn copy(&mut self, from: PReg, to: PReg) -> Appended {
        self.used = self.used.with(to);
        self.push(Step::Edit(Edit::Move { from: Loc::reg(from), to: Loc::reg(to), class: from.class() }))
    }
    fn erase(&mut self, what: Appended) {
        self.list[what as usize] = None;
    }
    fn is_pinned(&self, _: Var) -> bool {
        false
    }
}

/// The memory of a slot.
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
    /// The number of variables at the begin of a loop; none of an `if`.
    variables: Option<Var>,
    at: &'static Location<'static>,
}

/// The state of a function that is being written.
#[derive(Debug)]
pub(super) struct Writer {
    asm: Assembler,
    engine: Engine,
    steps: Steps,
    resolver: Resolver,
    /// The room for what follows the frame pointer's set-up, and the number of rows of call frame information there.
    room: (u32, usize, u32),
    entry: Label,
    exit: Label,
    /// The offset and the number of items at the begin.
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
    pub(super) fn new(mut asm: Assembler, entry: Label) -> Writer {
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
            engine: Engine::new(allocatable, Switches::ON),
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
        self.steps.variables.push(Variable { class, slot: None, is_alive: true });
        self.steps.variables.len() as u32 - 1
    }
    #[track_caller]
    pub(super) fn argument(&mut self, r: PReg) -> Var {
        let v = self.new_variable(r.class());
        let at_begin = (self.asm.code.len(), self.asm.relax.len()) == self.start && self.open.is_empty();
        if at_begin && self.engine.free_registers().contains(r) && self.steps.list.is_empty() {
            self.engine.hold(v, r);
        } else {
            self.fail("arguments are asked for once, and before anything else is done", Location::caller());
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
        self.engine.free(v, &mut self.steps);
        let variable = &mut self.steps.variables[v as usize];
        variable.is_alive = false;
        self.steps.free_slots.extend(variable.slot.take());
    }
    pub(super) fn fail(&mut self, message: &str, at: &'static Location<'static>) {
        self.asm.error.get_or_insert_with(|| AsmError { at, message: message.to_string() });
    }

    // Registers.

    /// The registers that a variable may be in but for these. Those that a callee saves come in when the others are
    /// taken.
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
        if self.engine.find(v).is_none() && class.and(self.engine.free_registers()).is_empty() {
            self.engine.keep_spill(v);
            return Loc::slot(self.steps.slot_of(v));
        }
        Loc::reg(self.read(v, PRegSet::EMPTY))
    }
    /// A variable gets a new value. What brought the old one where it was in vain is erased.
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
        self.read(a, but);
        let r = self.engine.propagate(a, d, self.among(a, but), &mut self.steps);
        self.steps.used = self.steps.used.with(r);
        r
    }
    /// A register is written that a variable is in.
    pub(super) fn written(&mut self, r: PReg) {
        self.engine.write(r, &mut self.steps);
    }
    /// Stores what is in a register, so that it is free.
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
    /// Moves a variable into a register that is free; that it is there is not known to the engine.
    pub(super) fn move_to(&mut self, v: Var, to: PReg) {
        let from = match self.engine.find(v) {
            Some(r) => {
                self.engine.read(r);
                Loc::reg(r)
            }
            None => {
                self.engine.keep_spill(v);
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
        variables.map(|v| Reg64::ALL[self.read(v, PRegSet::EMPTY).hw() as usize])
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
    pub(super) fn row(&mut self, op: Op, form: Form, size: Size, regs: [PReg; 3], imm: i32, mem: Addr) {
        self.flags += u32::from(op.props().has(Props::SETS_FLAGS));
        let operands = Operands { regs: regs.map(PReg::hw), imm, mem };
        self.steps.push(Step::Row(op, form, size, operands, None));
    }
    /// Appends a row between registers.
    pub(super) fn registers(&mut self, op: Op, form: Form, size: Size, regs: [PReg; 3]) {
        self.row(op, form, size, regs, 0, Addr::base(0, 0));
    }
    /// Appends `op d, b`, with the second operand in a register or in a slot.
    pub(super) fn with_source(&mut self, op: Op, forms: [Form; 2], regs: [PReg; 2], b: Loc) {
        let [d, a] = regs;
        match (b.as_reg(), b.as_slot()) {
            (_, Some(n)) => self.row(op, forms[1], Size::S64, [d, a, RAX], 0, slot(n)),
            (r, None) => self.registers(op, forms[0], Size::S64, [d, a, r.unwrap_or(RAX)]),
        }
    }
    pub(super) fn sign_extend(&mut self) {
        self.steps.push(Step::SignExtend);
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
            self.registers(Op::ZeroF, Form::D, Size::S64, [r, r, r]);
        } else {
            let label = self.asm.constant(&value.to_bits().to_le_bytes());
            let operands = Operands { regs: [r.hw(); 3], imm: 0, mem: Addr::rip() };
            self.steps.push(Step::Row(Op::MovF, Form::DM, Size::S64, operands, Some(label)));
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
        if let Some(v) = value {
            // What another variable has there is not wanted any more.
            let to = if self.is_float(v) { xmm(0) } else { RAX };
            self.move_to(v, to);
        }
        self.assembler();
        (self.unreachable, self.returns) = (true, true);
    }

    // Blocks.

    /// An `if` or a loop begins.
    #[track_caller]
    pub(super) fn begin(&mut self, is_loop: bool) -> Construct {
        self.num_constructs += 1;
        let construct = Construct(self.entry, self.num_constructs);
        let variables = is_loop.then_some(self.steps.variables.len() as Var);
        self.open.push(Open { construct, variables, at: Location::caller() });
        construct
    }
    /// Checks that what goes on or ends is the innermost construct.
    #[track_caller]
    pub(super) fn check_innermost(&mut self, construct: Construct) -> bool {
        let is = self.open.last().is_some_and(|open| open.construct == construct);
        if !is {
            self.fail("another `if` or loop has to end before", Location::caller());
        }
        is
    }
    /// Checks that a loop is left from inside of it.
    #[track_caller]
    pub(super) fn check_open(&mut self, construct: Construct) -> bool {
        let is = self.open.iter().any(|open| open.construct == construct);
        if !is {
            self.fail("the loop has ended, or is one of another function", Location::caller());
        }
        is
    }
    /// The innermost construct ends.
    #[track_caller]
    pub(super) fn end_construct(&mut self, construct: Construct) -> bool {
        let is = self.check_innermost(construct);
        if is {
            self.open.pop();
        }
        is
    }
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
            Step::Edit(Edit::Exchange(a, b)) => self.asm.code.exchange(a.hw(), b.hw()),
            Step::Edit(Edit::Move { from, to, class }) => {
                self.uses_stack |= from.as_slot().is_some() && to.as_slot().is_some();
                encode_move(&mut self.asm.code, from, to, class);
            }
            Step::Edit(Edit::Remat(..)) => unreachable!("no definition is repeated"),
            Step::Constant(r, value) => self.asm.code.mov_imm(r.hw(), value),
            Step::SignExtend => self.asm.code.sign_extend_rax(Size::S64),
        }
    }
    /// Ends a block. Returns the state of the registers there.
    pub(super) fn capture(&mut self) -> State {
        self.assembler();
        self.engine.capture()
    }
    /// Begins a block at a label, with the state of registers there, or where control does not come.
    #[track_caller]
    pub(super) fn resume(&mut self, label: Label, state: Option<&State>) {
        self.flags += 1;
        self.assembler().bind(label);
        self.unreachable = state.is_none();
        let mut state = state.copied().unwrap_or(State::EMPTY);
        for v in &mut state.vars {
            if *v != NO_VAR && !self.steps.variables[*v as usize].is_alive {
                *v = NO_VAR;
            }
        }
        self.engine.resume(&state);
    }
    /// Appends the moves that make a state of the present one.
    pub(super) fn restore(&mut self, state: &State) {
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
            usable: idle.and(steps.used.or(PRegSet::all().minus(CALLEE_SAVED))),
            dice: &mut None,
            spare_slot: &mut steps.spare_slot,
            num_slots: &mut steps.num_slots,
            own_slots: false,
        };
        let (list, used) = (&mut steps.list, &mut steps.used);
        self.resolver.resolve(&moves, &mut spare, |edit| {
            *used = used.or(edit.written());
            list.push(Some(Step::Edit(edit)));
        });
    }
    /// Notes that the stack below rsp is used: by calls, say.
    pub(super) fn use_stack(&mut self) {
        self.uses_stack = true;
    }

    // The frame.

    /// Writes the exit and what was missing of the prologue.
    #[track_caller]
    pub(super) fn end(&mut self) -> Assembler {
        if self.is_over {
            self.fail("the function has ended", Location::caller());
            return std::mem::take(&mut self.asm);
        }
        self.is_over = true;
        if !self.unreachable {
            self.ret(None);
        }
        if let Some(open) = self.open.pop() {
            self.fail("an `if` or a loop begins here that does not end", open.at);
        }
        // The exit is here.
        self.returns = false;
        self.assembler();
        let saved: Vec<PReg> = self.steps.used.and(CALLEE_SAVED).iter().collect();
        let slots = self.steps.num_slots;
        if slots > MAX_SLOTS {
            self.fail("a function has too many variables in memory", Location::caller());
        }
        let bytes = 8 * (slots as i32 + saved.len() as i32);
        let is_lowered = bytes > 128 || self.uses_stack && bytes > 0;
        let asm = &mut self.asm;
        let mut piece = Code::default();
        if is_lowered {
            let o = Operands { regs: [RSP.hw(); 3], imm: (bytes + 15) & !15, mem: slot(0) };
            piece.put(Op::Sub, Form::DTI, Size::S64, Cond::O, &o);
        }
        let place = |k: usize| Loc::slot(slots + k as u32);
        for (k, r) in saved.iter().enumerate() {
            encode_move(&mut piece, Loc::reg(*r), place(k), RegClass::Int);
        }
        let (item, rows, offset) = self.room;
        for (k, r) in saved.iter().enumerate() {
            let op = CfiOp::Offset(*r, -16 - 8 * (slots as i32 + k as i32 + 1));
            asm.cfi.insert(rows + k, crate::emit::CfiRow { offset, op });
            asm.relax.note_before(Recorded::Cfi, rows + k, item + 1);
        }
        asm.relax.fill_room(item, piece);
        let exit = self.exit;
        asm.bind(exit);
        for (k, r) in saved.iter().enumerate() {
            encode_move(&mut asm.code, place(k), Loc::reg(*r), RegClass::Int);
        }
        asm.end_frame(is_lowered);
        std::mem::take(asm)
    }
}

/// Encodes a move between registers and slots.
fn encode_move(code: &mut Code, from: Loc, to: Loc, class: RegClass) {
    let op = if class == RegClass::Int { Op::Mov } else { Op::MovF };
    let number = |l: Loc| l.as_reg().map_or(0, PReg::hw);
    let (form, mem) = match (from.as_slot(), to.as_slot()) {
        (Some(from), Some(to)) => {
            code.push_mem(&slot(from));
            return code.pop_mem(&slot(to));
        }
        (Some(n), None) => (Form::DM, slot(n)),
        (None, Some(n)) => (Form::MA, slot(n)),
        (None, None) => (Form::DA, slot(0)),
    };
    code.put(op, form, Size::S64, Cond::O, &Operands { regs: [number(to), number(from), 0], imm: 0, mem });
}

//! Makes a function of LIR of the path of the interpreter, instruction by instruction.
//!
//! A trace takes the address of the state ([`crate::interp::trace::state`]), the address of the slots of the frame on
//! which it is entered, the operations that may be executed, and the values of some slots
//! ([`crate::interp::trace::passing`]). An operation assigns a register here, which is written to the slot at once, or
//! at each exit: so the slots have the same values there as in the interpreter. A value that is read before it is
//! assigned is loaded from its slot, at the loop's header by a phi if the loop assigns it.
//!
//! Everything is appended through the folding builder ([`lir_opt::passes::writers`]): constants are folded, equal
//! values merged, and guards that are decided are dropped at once.

use super::jumps::CrossJumps;
use crate::interp::code::{FuncCode, NO_SLOT, POOL, Slot};
use crate::interp::program::Program;
use crate::interp::trace::Extent;
use crate::interp::trace::callers::key;
use crate::interp::trace::exits::Position;
use crate::interp::trace::function_facts::FunctionFacts;
use crate::interp::trace::links::FIRST_TAKEN;
use crate::interp::trace::options::{Limits, TraceOptions};
use crate::interp::trace::passing::{LoopSlots, Passed};
use crate::interp::trace::sites::{Sites, Waiting};
use crate::interp::trace::state::{self, CALLER_KEY, CALLER_MEMORY, CALLER_RESULT, CALLER_SIZE, CALLER_TOP, STATE};
use crate::interp::trace::state_stores::Event;
use crate::interp::trace::state_stores::liveness::{contains, members, written};
use lir_syntax::ir::builder::writer::Region;
use lir_syntax::ir::builder::{FunctionBuilder, Guarded, Value};
use lir_syntax::ir::{
    Base, Block, DebugLoc, EntityRef, FuncId, Inst, IntCC, Mem, NameRef, Opcode, Predicate, Reg, Type,
};

/// The memory of the program: its writes are not read through slots of frames.
pub(super) const PROGRAM: Region = Region(2);

/// Under stress one of this many guards fails; a power of two.
const FAIL_ONE_OF: i64 = 16;

/// The recording cannot be used.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) struct Abandoned;

/// A frame of the interpreter during the recording.
pub(super) struct Activation {
    pub(super) func: FuncId,
    /// The number of its first slot, from the first slot of the entry frame on; below 0 after a return from that frame.
    pub(super) base: isize,
    /// The registers with the values of slots that were read or assigned, plus 1; else 0, so that most of the memory
    /// for a large function's table is never touched.
    values: Vec<u32>,
    /// The slots that were assigned, and their number, if exits write them.
    is_assigned: Vec<bool>,
    num_assigned: usize,
    /// The address of its stack objects.
    pub(super) memory: Reg,
    /// The top of the stack of objects before it was pushed.
    pub(super) top_before: Reg,
    /// The operation after the call that it makes.
    pub(super) resume: u32,
    /// The address of the aggregate that it returns, if its call is part of the trace.
    pub(super) result: Option<Reg>,
}

impl Activation {
    /// Makes a frame none of whose slots was read or assigned, and which continues at a position.
    pub(super) fn new(at: Position, slots: usize, base: isize, memory: Reg, top_before: Reg) -> Activation {
        Activation {
            func: at.func,
            base,
            values: vec![0; slots],
            is_assigned: vec![false; slots],
            num_assigned: 0,
            memory,
            top_before,
            resume: at.pc,
            result: None,
        }
    }
}

impl Activation {
    /// Returns the value of a slot that was read or assigned; none for a constant.
    pub(super) fn value(&self, slot: Slot) -> Option<Reg> {
        self.values.get(slot as usize)?.checked_sub(1).map(Reg::from_u32)
    }
    fn set_value(&mut self, slot: Slot, value: Reg) {
        self.values[slot as usize] = value.as_u32() + 1;
    }
}

/// An exit that was recorded.
pub(super) struct RecordedExit {
    pub(super) block: Block,
    /// The number of its location.
    pub(super) site: u32,
    /// Operations that were executed since the trace was entered, or since its header.
    pub(super) executed: u64,
    /// Returns before it from the frame on which the trace is entered, and from its callers.
    pub(super) returns: u32,
    /// The calls that wait at the exit.
    waiting: Waiting,
    /// The frames, from the entry frame or its callers on.
    pub(super) frames: Box<[ExitFrame]>,
    /// The top of the stack of objects.
    top: Reg,
}

impl RecordedExit {
    /// Returns the position where the interpreter continues.
    pub(super) fn to(&self) -> Position {
        self.frames.last().expect("an exit has a frame").at
    }
}

/// A frame at an exit.
#[derive(Copy, Clone)]
pub(super) struct ExitFrame {
    pub(super) at: Position,
    /// See [`Activation`].
    pub(super) base: isize,
    memory: Reg,
    top_before: Reg,
    result: Option<Reg>,
}

/// The loop that is to be closed.
struct Header {
    block: Block,
    /// The variables that its phis read, with the slots.
    carried: Vec<(Slot, Reg)>,
    /// The registers of the slots that the loop does not assign.
    kept: Vec<(Slot, Reg)>,
    latch: Block,
    /// The operations that may be executed, at the next iteration.
    next_left: Reg,
}

/// A recording.
pub(super) struct Recorder<'r> {
    pub(super) b: FunctionBuilder<'r>,
    pub(super) program: &'r Program,
    pub(super) options: TraceOptions,
    /// The start of the thread's data.
    pub(super) thread_data: u64,
    pub(super) frames: Vec<Activation>,
    pub(super) exits: Vec<RecordedExit>,
    pub(super) events: Vec<Event>,
    /// Loads of the program: without memory at the address they fault, even if their results are not read.
    pub(super) loads: Vec<Inst>,
    /// The functions that it reached, each once.
    pub(super) through: Vec<FuncId>,
    /// The operations that instructions belong to.
    pub(super) sites: Sites,
    /// Operations that were recorded.
    pub(super) executed: u64,
    /// Jumps backward, other than to the beginning.
    pub(super) cross_jumps: CrossJumps,
    /// Upper bound of the stores at exits: some of the slots are not read there.
    pub(super) sunk: usize,
    /// The operation that is recorded.
    current: u32,
    /// The room that it needs: slots from the first one of the entry frame on, frames and bytes of stack objects beyond
    /// that frame.
    pub(super) extent: Extent,
    /// Returns from the frame on which the trace is entered, and from its callers.
    pub(super) returns: u32,
    /// The first slot of the lowest frame.
    pub(super) lowest: isize,
    pub(super) top: Reg,
    /// The slots that the exit at the end passes to a trace that takes them, with their values.
    pub(super) at_end: Vec<(isize, Reg)>,
    state: Reg,
    slots: Reg,
    callers: Reg,
    left: Reg,
    header: Option<Header>,
}

impl<'r> Recorder<'r> {
    /// Begins a trace at a position, which is the header of a loop if `facts` are given.
    pub(super) fn begin(
        mut b: FunctionBuilder<'r>,
        (program, options): (&'r Program, TraceOptions),
        thread_data: u64,
        start: Position,
        (takes, facts, around): (&[Passed], Option<&FunctionFacts>, Option<LoopSlots>),
    ) -> Recorder<'r> {
        let [state, slots, left] = [0, 1, 2].map(|k| b.param(k));
        for (r, name) in [(state, "state"), (slots, "slots"), (left, "left")] {
            b.name_reg(r, name);
        }
        let entry = b.block("entry");
        b.switch_to(entry);
        b.region = STATE;
        let field = |offset| Mem::base_disp(Base::Reg(state), offset);
        let [memory, top, callers] = [state::MEMORY, state::TOP, state::CALLERS].map(|at| b.load(Type::I64, field(at)));
        let code = program.code(start.func);
        let Limits { tries, cross_jumps, .. } = options.limits;
        let stays_in_loop = facts.is_some_and(|facts| facts.may_try_again(start.pc, tries));
        let first = Activation::new(start, code.slots, 0, memory, top);
        let mut recorder = Recorder {
            b,
            program,
            options,
            thread_data,
            frames: vec![first],
            exits: Vec::new(),
            events: Vec::new(),
            loads: Vec::new(),
            through: Vec::new(),
            sites: Sites::default(),
            executed: 0,
            cross_jumps: CrossJumps::at_most(if stays_in_loop { 0 } else { cross_jumps }),
            sunk: 0,
            current: start.pc,
            extent: Extent { slots: code.slots, ..Extent::default() },
            returns: 0,
            lowest: 0,
            top,
            at_end: Vec::new(),
            state,
            slots,
            callers,
            left,
            header: None,
        };
        takes.iter().enumerate().for_each(|(k, passed)| recorder.take(k, *passed));
        if let Some(around) = around {
            recorder.begin_loop(&around, entry);
        }
        recorder
    }
    /// Takes a slot from its parameter. The slot counts as assigned, if its memory may be old.
    fn take(&mut self, k: usize, Passed { slot, word, is_clean }: Passed) {
        let (param, ty) = (self.b.param(FIRST_TAKEN + k), self.slot_type(slot));
        self.name_after(slot);
        let value = match ty {
            _ if ty == word => {
                self.b.func.regs[param].name = self.b.base_name;
                param
            }
            Type::F32 => {
                let bits = self.b.trunc(param, Type::I32);
                self.b.bitcast(bits, Type::F32)
            }
            _ => self.b.trunc(param, ty),
        };
        self.b.base_name = NameRef::NONE;
        if is_clean {
            self.frames[0].set_value(slot, value);
        } else {
            self.set(slot, value);
        }
    }
    /// Loads live slots at the header that are not taken, and makes phis of those that the loop assigns.
    fn begin_loop(&mut self, LoopSlots { live, assigned }: &LoopSlots, entry: Block) {
        let func = self.frames[0].func;
        let registers = self.program.module.funcs[func].num_regs();
        let all: Vec<(Slot, Reg)> =
            members(Some(live), registers).map(|s| (s as Slot, self.slot_of_entry(s as Slot))).collect();
        let (block, latch) = (self.b.block("loop"), self.b.func.make_block(NameRef::NONE));
        self.b.jmp(block);
        self.b.switch_to(block);
        let next_left = self.b.named_reg(Type::I64, "next_left");
        let mut header = Header { block, carried: Vec::new(), kept: Vec::new(), latch, next_left };
        for (slot, from) in all {
            if contains(assigned, slot as usize) {
                let ty = self.b.func.type_of(from);
                self.name_after(slot);
                let next = self.b.reg(ty);
                let phi = self.b.phi(ty, &[(entry, from.into()), (latch, next.into())]);
                self.frames[0].set_value(slot, phi);
                if self.options.sink {
                    self.events.push(Event::Sunk(slot as isize, phi));
                }
                header.carried.push((slot, next));
            } else {
                header.kept.push((slot, from));
            }
        }
        self.b.base_name = self.b.func.names.add(b"left");
        self.left = self.b.phi(Type::I64, &[(entry, self.left.into()), (latch, next_left.into())]);
        self.b.base_name = NameRef::NONE;
        self.header = Some(header);
    }

    // ---- Slots ----

    /// Returns the frame that is executed.
    pub(super) fn top_frame(&self) -> &Activation {
        self.frames.last().expect("the frame on which the trace is entered stays")
    }
    pub(super) fn code(&self) -> &'r FuncCode {
        self.program.code(self.top_frame().func)
    }
    /// Returns the type of a slot that is a register of the function.
    fn slot_type(&self, slot: Slot) -> Type {
        self.program.module.funcs[self.top_frame().func].type_of(Reg::new(slot as usize))
    }
    /// Returns the memory of a slot, by its number from the first one of the frame on which the trace is entered.
    fn slot_at(&self, position: isize) -> Mem {
        Mem::base_disp(Base::Reg(self.slots), position as i32 * 8)
    }
    /// Reads a slot of the function from memory.
    fn load_slot(&mut self, slot: Slot) -> Reg {
        let (ty, at) = (self.slot_type(slot), self.slot_at(self.top_frame().base + slot as isize));
        self.b.region = STATE;
        let before = self.b.base_name;
        self.name_after(slot);
        let r = self.b.load(ty, at);
        self.b.base_name = before;
        self.frames.last_mut().expect("a frame is there").set_value(slot, r);
        r
    }
    /// Reads a slot of the function that the trace begins in, at its beginning.
    fn slot_of_entry(&mut self, slot: Slot) -> Reg {
        self.frames[0].value(slot).unwrap_or_else(|| self.load_slot(slot))
    }
    /// Reads a slot at the end of the trace, for one that takes it.
    pub(super) fn pass(&mut self, slot: Slot) -> Reg {
        self.get(slot, self.slot_type(slot))
    }
    /// Names new registers after a slot, if the trace is printed.
    fn name_after(&mut self, slot: Slot) {
        if self.options.print {
            let f = &self.program.module.funcs[self.top_frame().func];
            let name = f.regs.get(Reg::from_u32(slot)).map_or(&b""[..], |data| f.names.get(data.name));
            self.b.base_name = match name {
                b"" => NameRef::NONE,
                name => self.b.func.names.add(name).derived(),
            };
        }
    }
    /// Returns the value of a slot, or of a constant of this type.
    pub(super) fn get(&mut self, slot: Slot, ty: Type) -> Reg {
        if slot & POOL != 0 {
            let bits = self.code().consts[(slot & !POOL) as usize];
            return self.b.constant(ty, Value::Bits(bits));
        }
        match self.top_frame().value(slot) {
            Some(r) => r,
            None => self.load_slot(slot),
        }
    }
    /// Does the same, but may return a constant itself.
    pub(super) fn value(&mut self, slot: Slot, ty: Type) -> Value {
        match slot & POOL {
            0 => Value::Reg(self.get(slot, ty)),
            _ => Value::Bits(self.code().consts[(slot & !POOL) as usize]),
        }
    }
    /// Assigns a slot. A slot that is a register of the function is written to memory, at once or at exits.
    pub(super) fn set(&mut self, slot: Slot, value: Reg) {
        let sinks = self.options.sink;
        let frame = self.frames.last_mut().expect("a frame is there");
        frame.set_value(slot, value);
        let func = &self.program.module.funcs[frame.func];
        if slot as usize >= func.num_regs() {
            // It holds a value between the moves of an edge, where no exit is.
            return;
        }
        let position = frame.base + slot as isize;
        if sinks {
            frame.num_assigned += usize::from(!std::mem::replace(&mut frame.is_assigned[slot as usize], true));
            self.events.push(Event::Sunk(position, value));
        } else {
            self.store_slot(position, value);
            if let Some(i) = self.b.last() {
                self.events.push(Event::Store(i, position));
            }
        }
    }
    /// Writes a value to a slot, numbered from the first one of the frame on which the trace is entered.
    fn store_slot(&mut self, position: isize, value: Reg) {
        self.b.region = STATE;
        let word = match self.b.func.type_of(value) {
            Type::F32 => {
                let bits = self.b.bitcast(value, Type::I32);
                self.b.zext(bits, Type::I64)
            }
            Type::I64 | Type::F64 => value,
            _ => self.b.zext(value, Type::I64),
        };
        let at = self.slot_at(position);
        self.b.store(self.b.func.type_of(word), at, word);
    }

    /// Notes a function in which the trace continues.
    pub(super) fn come_to(&mut self, func: FuncId) {
        if !self.through.contains(&func) {
            self.through.push(func);
        }
    }

    // ---- Exits ----

    /// Begins an operation, to which the instructions that follow belong.
    pub(super) fn at(&mut self, pc: u32) {
        self.current = pc;
        if self.options.print {
            let code = self.code();
            self.name_after(written(code, code.ops[pc as usize]).map_or(NO_SLOT, |slot| slot as Slot));
        }
        let operation = self.program.location(self.top_frame().func, pc);
        self.b.loc = DebugLoc::offset(self.sites.begin(operation));
    }
    /// Leaves unless a comparison holds. `to` is the position where the interpreter then continues, and the number of
    /// operations executed before.
    pub(super) fn guard(
        &mut self,
        predicate: impl Into<Predicate>,
        a: Reg,
        b: impl Into<Value>,
        to: (u32, u64),
    ) -> Result<(), Abandoned> {
        self.fail_at_random(self.current)?;
        self.leave_unless(predicate, a, b, to)
    }
    /// Under stress, leaves by chance, before the next operation, which is at `pc`.
    fn fail_at_random(&mut self, pc: u32) -> Result<(), Abandoned> {
        if self.options.stress.is_none() {
            return Ok(());
        }
        let field = Mem::base_disp(Base::Reg(self.state), state::RANDOM);
        self.b.region = STATE;
        let mut x = self.b.load(Type::I64, field);
        // Marsaglia's xorshift generator of 64 bits.
        for (op, bits) in [(Opcode::Shl, 13), (Opcode::Lshr, 7), (Opcode::Shl, 17)] {
            let moved = self.b.binary(op, Type::I64, x, bits);
            x = self.b.xor(x, moved);
        }
        self.b.store(Type::I64, field, x);
        let some = self.b.and(x, FAIL_ONE_OF - 1);
        self.leave_unless(IntCC::Ne, some, 0, (pc, self.executed))
    }
    /// Makes a guard without stress.
    pub(super) fn leave_unless(
        &mut self,
        predicate: impl Into<Predicate>,
        a: Reg,
        b: impl Into<Value>,
        (pc, executed): (u32, u64),
    ) -> Result<(), Abandoned> {
        let block = self.b.func.make_block(NameRef::NONE);
        match self.b.guard(predicate, a, b, block) {
            Guarded::Made => {
                self.note_exit(block, pc, executed);
                Ok(())
            }
            Guarded::Dropped => Ok(()),
            // The interpreter continued, so this is wrong.
            Guarded::Leaves => Err(Abandoned),
        }
    }
    /// Notes an exit through a block that is still empty.
    pub(super) fn note_exit(&mut self, block: Block, pc: u32, executed: u64) {
        let last = self.frames.len() - 1;
        let frame = |(k, a): (usize, &Activation)| {
            let pc = if k == last { pc } else { a.resume };
            let at = Position { func: a.func, pc };
            ExitFrame { at, base: a.base, memory: a.memory, top_before: a.top_before, result: a.result }
        };
        let frames = self.frames.iter().enumerate().map(frame).collect();
        self.sunk += self.frames.iter().map(|a| a.num_assigned).sum::<usize>();
        self.events.push(Event::Exit(self.exits.len()));
        let (returns, waiting, top) = (self.returns, self.sites.now(), self.top);
        self.exits.push(RecordedExit { block, site: 0, executed, returns, waiting, frames, top });
    }

    // ---- The end ----

    /// Closes the loop: continues at the header while operations may be executed. Returns false if values that the
    /// header keeps have changed.
    pub(super) fn close(&mut self, pc: u32) -> Result<bool, Abandoned> {
        let is_kept = |&(slot, r): &(Slot, Reg)| self.frames[0].value(slot) == Some(r);
        let Some(header) = self.header.take_if(|h| h.kept.iter().all(is_kept)) else { return Ok(false) };
        self.fail_at_random(pc)?;
        let left = self.b.sub(self.left, self.executed as i64);
        self.leave_unless(IntCC::Sgt, left, 0, (pc, self.executed))?;
        self.b.func.append_block(header.latch);
        self.b.jmp(header.latch);
        self.b.switch_to(header.latch);
        for (slot, next) in header.carried {
            let value = self.frames[0].value(slot).expect("the header gave it a value");
            self.b.assign(next).copy(value);
        }
        self.b.assign(header.next_left).copy(left);
        self.b.jmp(header.block);
        Ok(true)
    }
    /// Leaves for good, in place of continuing at the header. The exit may pass slots, which are read for that.
    pub(super) fn leave(&mut self, pc: u32, passed: &[Passed]) {
        self.at_end = passed.iter().map(|p| (p.slot as isize, self.pass(p.slot))).collect();
        if let Some(header) = self.header.take() {
            self.b.func.remove_phi_pred(header.block, header.latch);
        }
        let block = self.b.func.make_block(NameRef::NONE);
        self.note_exit(block, pc, self.executed);
        self.b.jmp(block);
    }
    /// Adds the slots that the exit at the end passes to its stores. Returns the added slots, which memory has already.
    pub(super) fn pass_at_end(&mut self, stores: &mut Vec<(isize, Reg)>) -> Vec<isize> {
        let mut held = std::mem::take(&mut self.at_end);
        held.retain(|(slot, _)| stores.iter().all(|store| store.0 != *slot));
        stores.extend(&held);
        held.into_iter().map(|(slot, _)| slot).collect()
    }
    /// Writes the blocks of exits, numbered from `first` on. Each stores these slots.
    pub(super) fn write_exits(&mut self, first: u32, stores: &[Vec<(isize, Reg)>]) {
        let mut exits = std::mem::take(&mut self.exits);
        for ((exit, stores), number) in exits.iter_mut().zip(stores).zip(first..) {
            let name = self.b.func.names.add(format!("exit{number}").as_bytes());
            self.b.func.set_block_name(exit.block, name);
            self.b.func.append_block(exit.block);
            self.b.switch_to(exit.block);
            let to = exit.to();
            exit.site = self.sites.begin_with(self.program.location(to.func, to.pc), exit.waiting);
            self.b.loc = DebugLoc::offset(exit.site);
            stores.iter().for_each(|(slot, value)| self.store_slot(*slot, *value));
            self.b.region = STATE;
            if exit.returns != 0 || exit.frames.len() > 1 {
                self.write_frames(exit);
            }
            let left = self.b.sub(self.left, exit.executed as i64);
            self.set_state(state::LEFT, left);
            self.b.ret_value(Type::I64, i64::from(number));
        }
        self.exits = exits;
    }
    /// Writes the fields of the state for the frame that is on top at an exit, and the list of callers.
    fn write_frames(&mut self, exit: &RecordedExit) {
        let below = -(exit.returns as i32) * CALLER_SIZE;
        if exit.returns != 0 {
            let callers = self.b.add(self.callers, i64::from(below));
            let lowest = self.b.load(Type::I64, Mem::base_disp(Base::Reg(self.state), state::LOWEST));
            let is_lower = self.b.compare(IntCC::Ult, callers, lowest);
            let lowest = self.b.select(is_lower, callers, lowest);
            self.set_state(state::LOWEST, lowest);
        }
        for (k, pair) in exit.frames.windows(2).enumerate() {
            let (frame, callee) = (pair[0], pair[1]);
            let at = below + k as i32 * CALLER_SIZE;
            let key = self.b.constant(Type::I64, Value::Bits(key(frame.at)));
            let fields = [(CALLER_KEY, key), (CALLER_MEMORY, frame.memory), (CALLER_TOP, callee.top_before)];
            for (field, value) in fields.into_iter().chain(callee.result.map(|at| (CALLER_RESULT, at))) {
                self.b.store(Type::I64, Mem::base_disp(Base::Reg(self.callers), at + field), value);
            }
        }
        let top = exit.frames.last().expect("an exit has a frame");
        let pushed = (exit.frames.len() - 1) as i32 * CALLER_SIZE;
        let callers = self.b.add(self.callers, i64::from(below + pushed));
        self.set_state(state::CALLERS, callers);
        let slots = self.b.add(self.slots, top.base as i64 * 8);
        self.set_state(state::SLOTS, slots);
        self.set_state(state::MEMORY, top.memory);
        self.set_state(state::TOP, exit.top);
    }
    fn set_state(&mut self, field: i32, value: Reg) {
        self.b.store(Type::I64, Mem::base_disp(Base::Reg(self.state), field), value);
    }
    /// Returns the address of the state.
    pub(super) fn state(&self) -> Reg {
        self.state
    }
    /// Loads a field of the state.
    pub(super) fn load_of_state(&mut self, field: i32) -> Reg {
        self.b.region = STATE;
        self.b.load(Type::I64, Mem::base_disp(Base::Reg(self.state), field))
    }
    /// Loads a field of the caller to which the lowest frame returns.
    pub(super) fn load_of_caller(&mut self, field: i32) -> Reg {
        let at = -(self.returns as i32 + 1) * CALLER_SIZE;
        self.b.region = STATE;
        self.b.load(Type::I64, Mem::base_disp(Base::Reg(self.callers), at + field))
    }
}

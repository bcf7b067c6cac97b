//! A run that waits before an instruction, with the queries of debuggers.

use crate::interp::addresses::Target;
use crate::interp::code::{Code, FuncCode, ReturnCode};
use crate::interp::frame::{Frame, ReturnTo};
use crate::interp::memory::Access;
use crate::interp::program::Program;
use crate::interp::stop::Stop;
use crate::interp::thread::Thread;
use crate::value::{Shape, Value};
use lir_syntax::ir::{EntityRef, EntitySet, FuncId, Inst, InstView, Module, Obj, Param, Reg, Sym, Type};
use std::sync::Arc;

/// A run before an instruction. Frames are numbered from 0, the function that was called first, to [`Self::depth`].
pub struct Suspended<'a> {
    pub(super) thread: &'a mut Thread,
    pub(super) program: &'a Program,
    /// The instruction. If it is a `jmp` to the next block, the next operation belongs to another instruction.
    pub(super) inst: Inst,
    pub(super) previous: Option<Inst>,
    pub(super) begins: bool,
}

/// Called before each instruction.
pub type Debugger = Box<dyn FnMut(&mut Suspended<'_>) + Send>;

impl<'a> Suspended<'a> {
    /// Returns the module.
    pub fn module(&self) -> &'a Module {
        &self.program.module
    }
    /// Returns the number of the thread: 1 is the thread on which the program was called, others follow as C first
    /// calls a function of the program on them.
    pub fn thread(&self) -> u32 {
        self.thread.number
    }
    /// Returns the number of functions of the program that wait, on this thread, for the one that is executed.
    pub fn depth(&self) -> usize {
        self.thread.frames.len() - 1
    }
    /// True if nothing was executed yet since the program was called.
    pub fn begins(&self) -> bool {
        self.begins
    }
    /// Returns the instruction that this call of the function executed before, phis left out.
    pub fn previous(&self) -> Option<Inst> {
        self.previous
    }
    /// Returns the function of a frame, and its instruction: the next one, or the call that waits.
    pub fn at(&self, frame: usize) -> (FuncId, Inst) {
        let at = &self.thread.frames[frame];
        match frame == self.depth() {
            true => (at.func, self.inst),
            // The call is the operation before.
            false => (at.func, self.program.code(at.func).origin[at.pc as usize - 1]),
        }
    }
    /// True if C code called the function of a frame.
    pub(crate) fn is_called_by_c(&self, frame: usize) -> bool {
        self.thread.frames[frame].ret == ReturnTo::Host && (frame > 0 || !self.thread.is_first)
    }
    /// Returns the bits of a register of a frame; none if nothing was assigned to it yet.
    pub fn value(&self, frame: usize, r: Reg) -> Option<u128> {
        let at = self.thread.frames[frame];
        let is_assigned = self.thread.seen.get(frame).is_some_and(|seen| seen.assigned.contains(r));
        is_assigned.then(|| self.program.code(at.func).bits(&self.thread.slots[at.base..], r))
    }
    /// Returns the value that is about to be returned. None before other instructions, if there is no result, and if it
    /// cannot be read.
    pub fn result(&mut self) -> Option<Value> {
        let (frame, code) = self.top();
        let f = &self.module().funcs[frame.func];
        let op = *code
            .ops
            .get(frame.pc as usize)
            .filter(|op| matches!(op.code, Code::Ret | Code::RetAgg | Code::RetWide))?;
        let module = self.module();
        let context = self.thread.context(self.program, frame);
        match (f.view(self.inst), code.result) {
            (InstView::Return(Some(_)), ReturnCode::Scalar(ty, _)) => Some(Value::new(ty, context.get(op.a))),
            (InstView::Return(Some(_)), ReturnCode::Wide) => {
                let halves = [op.a, op.b].map(|half| u128::from(context.get(half)));
                Some(Value::of_bits(Type::I128, halves[0] | halves[1] << 64))
            }
            (InstView::AggReturn { agg, .. }, ReturnCode::Agg { size, .. }) => {
                let at = context.address(op.imm as usize, size, Access::Read).ok()?;
                let mut bytes = vec![0; size as usize];
                context.memory.read_bytes(at, &mut bytes).ok()?;
                Some(Value::aggregate(Arc::new(Shape::of(&module.decls, agg)), bytes))
            }
            _ => None,
        }
    }
    /// Reads memory at an address, inside of one object.
    ///
    /// # Errors
    /// It cannot be read; the message is as for a read by the program.
    pub fn read(&mut self, at: u64, bytes: &mut [u8]) -> Result<(), String> {
        self.thread.memory.read_bytes(at, bytes).map_err(|stop| match stop {
            Stop::Error(message) | Stop::Outside { message, .. } => message.into(),
            Stop::Trap(_) | Stop::TrapInC(_) | Stop::OutOfFuel | Stop::Unwritten { .. } => {
                "there is no memory that can be read".into()
            }
        })
    }
    /// Returns the first `len` bytes of a stack object of the function that is executed, or all if it has fewer.
    pub fn object(&self, o: Obj, len: u64) -> Vec<u8> {
        let (frame, code) = self.top();
        let size = self.module().funcs[frame.func].stack[o].size;
        let start = frame.memory + code.offsets[o.index()];
        (0..len.min(size)).map(|k| self.thread.memory.read_own(start + k, 1) as u8).collect()
    }
    /// Returns the address and the size of data that is defined here.
    pub fn data(&self, s: Sym) -> Option<(u64, u64)> {
        match self.program.place_of(s) {
            (at, Target::Data { size, .. }) => Some((at, size)),
            (at, Target::Thread { size, .. }) => Some((self.thread.memory.thread_data + at, size)),
            (_, Target::Outside | Target::ThreadOutside(_)) => None,
        }
    }
    fn top(&self) -> (Frame, &'a FuncCode) {
        let frame = self.thread.frames[self.depth()];
        (frame, self.program.code(frame.func))
    }
}

/// Returns the registers that have a value when a function begins.
pub(super) fn parameters(program: &Program, func: FuncId) -> EntitySet<Reg> {
    let mut set = EntitySet::new();
    for param in &program.module.funcs[func].params {
        if let Param::Reg(r) = param {
            set.insert(*r);
        }
    }
    set
}

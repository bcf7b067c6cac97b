//! Lists the callers of the frame on which traces run, and restores the interpreter's frames from the list.

use super::exits::{Position, return_to};
use super::state::{Caller, State};
use crate::interp::frame::ReturnTo;
use crate::interp::program::Program;
use crate::interp::stop::Stop;
use crate::interp::thread::Thread;
use crate::outcome::Location;
use lir_syntax::ir::{EntityRef, FuncId};

/// Length of the list of callers.
const CAPACITY: usize = 1 << 16;
/// Maximum number of the interpreter's frames that are listed when a trace is entered. Traces may return that many
/// times before the interpreter has to continue.
const LISTED: usize = 16;

/// Encodes the position after a call as one word. It is not 0, since the call is an operation before it.
pub(super) fn key(at: Position) -> u64 {
    u64::from(at.func.as_u32()) << 32 | u64::from(at.pc)
}

/// The list of callers. It is never moved.
pub(super) struct Callers {
    /// The first element is not a caller; its key is 0, so no trace returns to it.
    all: Box<[Caller]>,
    /// The end of the callers that were listed when a trace was last entered.
    listed: usize,
}

impl Callers {
    /// Makes an empty list.
    pub(super) fn new() -> Callers {
        Callers { all: vec![Caller::default(); CAPACITY].into(), listed: 1 }
    }
    /// Lists the interpreter's frames below the top one. A trace may then push as many as there is room for.
    pub(super) fn list(&mut self, thread: &Thread) {
        let top = thread.frames.len() - 1;
        let count = top.min(LISTED);
        self.listed = 1 + count;
        for (caller, k) in self.all[1..].iter_mut().zip(top - count..top) {
            let (frame, callee) = (&thread.frames[k], &thread.frames[k + 1]);
            let at = Position { func: frame.func, pc: frame.pc };
            let (key, result) = match callee.ret {
                ReturnTo::Slot(_) => (key(at), 0),
                ReturnTo::Memory(address) => (key(at), address),
                ReturnTo::AbiCall | ReturnTo::Host | ReturnTo::Never | ReturnTo::Halves(_) => (0, 0),
            };
            *caller = Caller { key, memory: frame.memory, top: callee.mark.top, result };
        }
    }
    /// True if there is room for this many callers that a trace entered from the interpreter pushes.
    pub(super) fn have_room(pushed: usize) -> bool {
        1 + LISTED + pushed <= CAPACITY
    }
    /// Returns the address after the innermost listed caller.
    pub(super) fn end(&self) -> u64 {
        self.all[self.listed..].as_ptr() as u64
    }
    /// Returns the address that the end of the callers may not exceed when a trace that pushes this many frames is
    /// entered.
    pub(super) fn limit(&self, thread: &Thread, pushed: usize) -> u64 {
        let unlisted = thread.frames.len() - self.listed;
        let most = (thread.world.options.max_depth - unlisted).min(CAPACITY);
        self.all[most - pushed..].as_ptr() as u64
    }
    fn index(&self, address: u64) -> usize {
        (address - self.all.as_ptr() as u64) as usize / size_of::<Caller>()
    }
    /// Returns the calls that were active when a trace was stopped, the innermost first. `returns` is the number of
    /// returns from frames since the trace last wrote the state.
    pub(super) fn waiting<'a>(
        &'a self,
        thread: &'a Thread,
        program: &'a Program,
        state: &State,
        returns: u32,
    ) -> impl Iterator<Item = Location> + 'a {
        let end = self.index(state.callers) - returns as usize;
        let lowest = self.index(state.lowest).min(end);
        let of_traces = self.all[lowest..end].iter().rev().map(|caller| {
            let Position { func, pc } = position(caller.key);
            program.location(func, pc - 1)
        });
        let left = self.listed - lowest;
        of_traces.chain(thread.waiting_below(program, thread.frames.len() - 1 - left))
    }
    /// Makes the interpreter's frames agree with the frames that the traces have at an exit to `top`. The values are in
    /// the slots already.
    ///
    /// # Errors
    /// There is no room for the frames. The code that entered the trace has checked that there is.
    pub(super) fn restore(
        &self,
        thread: &mut Thread,
        program: &Program,
        state: &State,
        top: Position,
    ) -> Result<(), Stop> {
        let (lowest, end) = (self.index(state.lowest), self.index(state.callers));
        for _ in lowest..self.listed {
            thread.pop_frame();
        }
        for k in lowest..end {
            let at = position(self.all[k].key);
            let caller = thread.frames.last_mut().expect("a trace is entered on a frame");
            debug_assert_eq!(caller.func, at.func);
            caller.pc = at.pc;
            let callee = if k + 1 < end { position(self.all[k + 1].key).func } else { top.func };
            let frame =
                thread.push_frame(program, callee, return_to(program.code(at.func), at.pc - 1, self.all[k].result))?;
            debug_assert_eq!(
                frame.memory,
                self.all.get(k + 1).filter(|_| k + 1 < end).map_or(state.memory, |c| c.memory)
            );
        }
        let frame = thread.frames.last_mut().expect("a trace is entered on a frame");
        debug_assert_eq!(frame.func, top.func);
        frame.pc = top.pc;
        Ok(())
    }
}

fn position(key: u64) -> Position {
    Position { func: FuncId::new((key >> 32) as usize), pc: key as u32 }
}

//! The state that traces and the interpreter share.
//!
//! The frames of the interpreter below the one on which code of traces runs are *callers*. The list of callers grows
//! when a trace is left in a function that it called, and shrinks when it is left after a return. When the interpreter
//! continues, its frames are made to agree with the list ([`Callers`]).

use lir_syntax::ir::builder::writer::Region;
use std::mem::offset_of;

/// The memory of frames and of the state, which the program does not access.
pub(super) const STATE: Region = Region(1);

/// The parameters of a trace other than the slots. The layout is public: code of traces reads and writes it.
#[repr(C)]
#[derive(Debug, Default)]
pub(super) struct State {
    /// Operations that may still be executed before the interpreter attends to other threads; below 0 if a trace
    /// executed more. An exit writes it.
    pub(super) left: i64,
    /// The top of the stack of objects, for the frames that calls in a trace would push.
    pub(super) top: u64,
    /// The address of the stack objects of the frame on which a trace is entered.
    pub(super) memory: u64,
    /// The address of the slots of that frame.
    pub(super) slots: u64,
    /// The address after its innermost [`Caller`].
    pub(super) callers: u64,
    /// The least value of `callers` so far.
    pub(super) lowest: u64,
    /// The address of the interpreter's thread.
    pub(super) thread: u64,
    /// Not 0 if a function that the interpreter implements has failed.
    pub(super) failed: u64,
    /// The state of a generator of random numbers, for stress.
    pub(super) random: u64,
    /// No trace is entered if `slots`, `callers` or `top` are above these.
    pub(super) slots_limit: u64,
    /// See `slots_limit`.
    pub(super) callers_limit: u64,
    /// See `slots_limit`.
    pub(super) top_limit: u64,
    /// The number of the exit that passed slots last.
    pub(super) exit: u64,
}

pub(super) const LEFT: i32 = offset_of!(State, left) as i32;
pub(super) const TOP: i32 = offset_of!(State, top) as i32;
pub(super) const MEMORY: i32 = offset_of!(State, memory) as i32;
pub(super) const SLOTS: i32 = offset_of!(State, slots) as i32;
pub(super) const CALLERS: i32 = offset_of!(State, callers) as i32;
pub(super) const LOWEST: i32 = offset_of!(State, lowest) as i32;
pub(super) const FAILED: i32 = offset_of!(State, failed) as i32;
pub(super) const RANDOM: i32 = offset_of!(State, random) as i32;
pub(super) const SLOTS_LIMIT: i32 = offset_of!(State, slots_limit) as i32;
pub(super) const CALLERS_LIMIT: i32 = offset_of!(State, callers_limit) as i32;
pub(super) const TOP_LIMIT: i32 = offset_of!(State, top_limit) as i32;
pub(super) const EXIT: i32 = offset_of!(State, exit) as i32;

/// A frame that waits for its callee.
#[repr(C)]
#[derive(Copy, Clone, Debug, Default)]
pub(super) struct Caller {
    /// The function and the operation after its call: see [`key`]. 0 if no trace may return to it.
    pub(super) key: u64,
    /// The address of its stack objects.
    pub(super) memory: u64,
    /// The top of the stack of objects when its callee has returned.
    pub(super) top: u64,
    /// The address of the aggregate that its callee returns, if it returns one.
    pub(super) result: u64,
}

pub(super) const CALLER_SIZE: i32 = size_of::<Caller>() as i32;
pub(super) const CALLER_KEY: i32 = offset_of!(Caller, key) as i32;
pub(super) const CALLER_MEMORY: i32 = offset_of!(Caller, memory) as i32;
pub(super) const CALLER_TOP: i32 = offset_of!(Caller, top) as i32;
pub(super) const CALLER_RESULT: i32 = offset_of!(Caller, result) as i32;

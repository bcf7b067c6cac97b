//! The state that traces and the interpreter share.

use lir_syntax::ir::builder::writer::Region;
use std::mem::offset_of;

/// The memory of frames and of the state, in which the program has nothing.
pub(super) const STATE: Region = Region(1);

/// The parameters of a trace besides the slots. The layout is public: code of traces reads and writes it.
#[repr(C)]
#[derive(Debug, Default)]
pub(super) struct State {
    /// Operations that may still be executed before the interpreter looks after other threads; below 0 where a trace
    /// executed more. An exit writes it.
    pub(super) left: i64,
    /// The top of the stack of objects, for the frames that calls in a trace would push.
    pub(super) top: u64,
    /// The address of the stack objects of the frame on which a trace is entered.
    pub(super) memory: u64,
    /// The address of the list of links: for each exit the code to go on with, or 0.
    pub(super) links: u64,
}

pub(super) const LEFT: i32 = offset_of!(State, left) as i32;
pub(super) const TOP: i32 = offset_of!(State, top) as i32;
pub(super) const MEMORY: i32 = offset_of!(State, memory) as i32;
pub(super) const LINKS: i32 = offset_of!(State, links) as i32;

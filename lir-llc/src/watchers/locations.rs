//! Has emission record the starts of instructions, and which may trap: for lines, and for the messages of traps.

use lir_opt::pipeline::watch::Watch;

/// Requests [`CodeBuffer::positions`](crate::code::CodeBuffer::positions) and
/// [`CodeBuffer::traps`](crate::code::CodeBuffer::traps).
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub struct Locations {
    /// True to keep the input of text outputs: the encoder's journal, and the starts of blocks.
    pub journal: bool,
}

impl Watch for Locations {
    fn fork(&self) -> Box<dyn Watch> {
        Box::new(*self)
    }
    fn join(&mut self, _: Box<dyn Watch>) {}
    fn sees_idle_steps(&self) -> bool {
        false
    }
}

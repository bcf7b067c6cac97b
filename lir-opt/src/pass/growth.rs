//! The growth that a function has left: one budget for all passes that copy code.
//!
//! Each pass that copies asks whether a copy is worth it, and has limits of its own. Neither keeps a function from
//! growing by all of them, or by one again and again. So all copies of a run of a pipeline are paid for from one
//! budget, which a function gets when the run begins: some times as many instructions as it has, and some more.
//!
//! A pass that copies
//!
//! 1. [takes](Growth::take) the instructions of a copy that it is about to make, and does without it where too few are
//!    left (with a remark, [`Common::GrewTooMuch`](super::remarks::Common::GrewTooMuch)), and
//! 2. [is charged](Growth::charge) for what is known only when the copies are made: the phis of SSA form made again.
//!
//! A body that moves from one function into another brings what is left of its budget with it. What the user asked for
//! (`inline`) is not paid for.
//!
//! What is left is no part of the text: the passes of a pipeline have one budget together, and those of a second run
//! over what the first one printed have another. So the code generator, which gives the same bytes for a module and for
//! its text, has a limit of its own for the ends of functions and loops that it copies, of the same kind: as many
//! instructions as it was given, and some more.

use lir_syntax::ir::Function;

/// Growth for each instruction that a function has at first, and for any function. Of SQLite, Lua, zstd and the kernels
/// no function takes more than 1,339 at `-O2` (`luaS_init`, whose 79 instructions have loops to be unrolled), and none
/// of more than 1,000 instructions takes half as many as it has: this is for what is written to grow.
const FOR_EACH: u64 = 4;
const FOR_ANY: u64 = 3000;

/// The instructions by which a function may still grow.
#[derive(Copy, Clone, Default, Debug)]
pub(crate) struct Growth {
    left: u64,
}

impl Growth {
    /// The budget of a function as it is now. What was removed from it counts too: no walk is needed then, and a text
    /// that was just read has none.
    pub(crate) fn of(f: &Function) -> Growth {
        Growth { left: FOR_ANY + FOR_EACH * f.num_insts() as u64 }
    }
    /// True if so many instructions more are within the budget.
    pub(crate) fn allows(&self, instructions: usize) -> bool {
        instructions as u64 <= self.left
    }
    /// Takes the instructions of a copy. False, and takes none, where fewer are left.
    pub(crate) fn take(&mut self, instructions: usize) -> bool {
        let allowed = self.allows(instructions);
        if allowed {
            self.charge(instructions);
        }
        allowed
    }
    /// Takes instructions that have been made, or what is left of the budget.
    pub(crate) fn charge(&mut self, instructions: usize) {
        self.left = self.left.saturating_sub(instructions as u64);
    }
    /// Adds the budget of a function whose body moves into this one.
    pub(crate) fn add(&mut self, moved: Growth) {
        self.left = self.left.saturating_add(moved.left);
    }
}

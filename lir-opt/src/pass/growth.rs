//! The remaining growth of a function: one budget for all passes that copy code.
//!
//! Each pass that copies decides whether a copy is worth its cost, and has limits of its own. Neither limits the growth
//! of a function by all of them, or by one again and again. So all copies in a run of a pipeline are charged to one
//! budget, which a function gets when the run begins: a multiple of its instructions, plus a constant.
//!
//! A pass that copies
//!
//! 1. [takes](Growth::take) the instructions of a copy before it makes it, and makes none if too few are left (with a
//!    remark, [`Common::GrewTooMuch`](super::remarks::Common::GrewTooMuch)), and
//! 2. [is charged](Growth::charge) for instructions that are known only when the copies are made: the phis of
//!    reconstructed SSA form.
//!
//! A body that moves from one function into another brings its remaining budget with it. Copies requested by the user
//! (`inline`) are not charged.
//!
//! The remaining budget is not part of the text: the passes of a pipeline share one budget, and a second run over the
//! printed module has another. So the code generator, which gives the same bytes for a module and for its text, has a
//! similar limit of its own for the ends of functions and loops that it copies: the number of instructions that it
//! received, plus a constant.

use lir_syntax::ir::Function;

/// Growth for each initial instruction of a function, and for any function. In SQLite, Lua, zstd and the kernels no
/// function takes more than 1,339 at `-O2` (`luaS_init`, whose 79 instructions have loops to be unrolled), and none of
/// more than 1,000 instructions takes half of its size: the limit is for code that is written to grow.
const FOR_EACH: u64 = 4;
const FOR_ANY: u64 = 3000;

/// The instructions by which a function may still grow.
#[derive(Copy, Clone, Default, Debug)]
pub(crate) struct Growth {
    left: u64,
}

impl Growth {
    /// Returns the budget of a function in its current form. Removed instructions count, too: so no walk is needed, and
    /// a text that was just read has none.
    pub(crate) fn of(f: &Function) -> Growth {
        Growth { left: FOR_ANY + FOR_EACH * f.num_insts() as u64 }
    }
    /// True if this many further instructions are within the budget.
    pub(crate) fn allows(&self, instructions: usize) -> bool {
        instructions as u64 <= self.left
    }
    /// Takes the instructions of a copy. False, and takes none, if fewer are left.
    pub(crate) fn take(&mut self, instructions: usize) -> bool {
        let allowed = self.allows(instructions);
        if allowed {
            self.charge(instructions);
        }
        allowed
    }
    /// Takes instructions that have been made, or the rest of the budget.
    pub(crate) fn charge(&mut self, instructions: usize) {
        self.left = self.left.saturating_sub(instructions as u64);
    }
    /// Adds the budget of a function whose body moves into this one.
    pub(crate) fn add(&mut self, moved: Growth) {
        self.left = self.left.saturating_add(moved.left);
    }
}

//! `one-pass`: forward allocation without look-ahead, with later corrections.
//!
//! # Algorithm
//!
//! 1. One walk over the instructions in order. A value that is read and in no register is loaded into one, or read from
//!    memory if the instruction can; a result takes a register. If none is free, the least recently used value is
//!    stored and gives up its register ([`engine`]).
//! 2. Useless edits are erased from the list: loads of values that are overwritten, copies of values that are not used
//!    again, spills for values that were not used ([`switches`] has all of these optimisations).
//! 3. [`edges`]: where control joins, the state at the end of the first predecessor is captured, and restored at the
//!    end of the others, so that loops keep the values that were in registers at their entry.
//! 4. [`fixed`]: values that are live across an instruction that clobbers registers are stored and give up their
//!    registers.
//! 5. [`loops`]: values that an innermost loop reads are loaded before it.
//!
//! With [`Switch::Free`] an earlier walk finds the last use of each value ([`Liveness`]). Without it, values are kept
//! until others need their registers; but functions with values of 16 bytes, which cannot be spilled, and functions
//! with calls that return twice always get that walk.
//!
//! # Source
//!
//! N. Capens, "SoftWire - Linear Optimization", 2004. Departures: code is a list of instructions with edits, and
//! erasures change that list, so that no encoded code moves; `restore` is one parallel move, instead of storing all
//! differences first and then loading; phis are restored with the rest; a definition is not a variable with memory of
//! its own, so a load before it is only made if load elimination is off.

mod edges;
pub(crate) mod engine;
mod fixed;
mod loops;
mod state;
pub mod switches;
mod walk;

use super::live_ranges::Inputs;
use super::live_ranges::liveness::Liveness;
use super::parallel_move::MoveGroup;
use super::spill_slots::SpillSlots;
use super::{AllocOptions, Allocation, Allocator, Scratch};
use crate::mir::MFunction;
use switches::{Switch, Switches};
use walk::Walk;

/// The allocator of this module, with the optimisations that are on.
pub(super) struct OnePass(Switches);

/// One for each set of switches.
static ALL: [OnePass; Switches::COUNT] = {
    let mut all = [const { OnePass(Switches::ON) }; Switches::COUNT];
    let mut bits = 0;
    while bits < all.len() {
        all[bits] = OnePass(Switches::from_bits(bits));
        bits += 1;
    }
    all
};

/// The allocator with all optimisations on.
pub(super) const DEFAULT: &OnePass = &ALL[Switches::ON.bits()];

/// Returns the allocator with these switches.
pub(super) fn with(switches: Switches) -> &'static OnePass {
    &ALL[switches.bits()]
}

impl Allocator for OnePass {
    fn name(&self) -> &'static str {
        "one-pass"
    }
    fn full_name(&self) -> String {
        format!("{}{}", self.name(), self.0)
    }
    fn summary(&self) -> &'static str {
        "forward, without look-ahead: spills the least recently used; redundant moves are erased"
    }
    fn allocate(&self, f: &MFunction, options: &AllocOptions, scratch: &mut Scratch, out: &mut Allocation) {
        let state = &mut scratch.one_pass;
        state.inputs.reset(f, options);
        // Values of 16 bytes cannot be spilled, so their last uses must be known. If a call returns twice, the register
        // of a value whose range has ended must not be stored into a slot.
        let wide = || f.insts.iter().any(|i| f.exceeds_slot(i));
        let knows_last_uses = self.0.has(Switch::Free) || f.returns_twice || wide();
        if knows_last_uses {
            state.live.find(f, &mut state.inputs, &mut ());
        } else {
            state.live.reset(f, &state.inputs);
        }
        let mut walk = Walk::new(f, state, out, self.0, knows_last_uses);
        for b in f.block_ids() {
            walk.block(b);
        }
        walk.finish();
    }
}

/// Everything the allocator knows about a function; kept from function to function for its memory.
#[derive(Default, Debug)]
pub(super) struct OnePassScratch {
    inputs: Inputs,
    pub(super) live: Liveness,
    /// For each block the contents of registers at its top, once known.
    states: Vec<Option<Box<engine::State>>>,
    loop_facts: walk::LoopFacts,
    slots: SpillSlots,
    group: MoveGroup,
}

//! `one-pass`: forward allocation without look-ahead, with corrections behind.
//!
//! # Algorithm
//!
//! 1. One walk over the instructions in order. A value that is read and in no register is loaded into one, or read from
//!    memory where the instruction can; a result takes a register. Where none is free, what was used least recently is
//!    stored and gives up its own ([`engine`]).
//! 2. What was in vain is erased from the list of edits: loads of what is overwritten, copies of what is not used
//!    again, spills for what was not used ([`switches`] has all of these optimisations).
//! 3. [`edges`]: where control joins, the state at the end of the first predecessor is captured, and restored at the
//!    end of the others, so that loops keep what their entry had in registers.
//! 4. [`fixed`]: what is live across an instruction that clobbers registers is stored and gives them up.
//!
//! 5. [`loops`]: what an innermost loop reads is loaded in front of it.
//!
//! With [`Switch::Free`] a walk before tells the last use of each value ([`Liveness`]). Without, values are kept until
//! others want their registers; but functions with values of 16 bytes, which cannot be spilled, and those with calls
//! that return twice have that walk always.
//!
//! # Source
//!
//! N. Capens, "SoftWire - Linear Optimization", 2004. Departures: code is a list of instructions with edits, and
//! erasures happen on that, so that nothing that was encoded moves; `restore` is one parallel move, which is more than
//! storing all that differs first and loading then; phis are restored with the rest; a definition is no variable with
//! memory of its own, so a load before it is only made where load elimination is off.

mod edges;
pub(crate) mod engine;
mod fixed;
mod loops;
mod state;
pub mod switches;
mod walk;

use super::live_ranges::Inputs;
use super::live_ranges::liveness::Liveness;
use super::parallel_move::{Move, Resolver};
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

/// The allocator with everything on.
pub(super) const DEFAULT: &OnePass = &ALL[Switches::ON.bits()];

/// The allocator with these switches.
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
        "forward without look-ahead: least recently used spilling, loads, copies and spills in vain erased"
    }
    fn allocate(&self, f: &MFunction, options: &AllocOptions, scratch: &mut Scratch, out: &mut Allocation) {
        let state = &mut scratch.one_pass;
        state.inputs.reset(f, options);
        // Values of 16 bytes cannot be spilled, so it must be known where they end. Where a call returns twice, no slot
        // may get what was in a register of a value that has ended.
        let wide = || f.insts.iter().any(|i| f.defs_16_bytes(i));
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
    /// For each block what is in registers at its top, once that is known.
    states: Vec<Option<Box<engine::State>>>,
    loop_facts: walk::LoopFacts,
    free_slots: Vec<u32>,
    group: Vec<Move>,
    resolver: Resolver,
}

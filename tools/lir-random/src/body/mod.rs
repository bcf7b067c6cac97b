//! A function in the making: the state that statements share, and the operands that they choose.

mod expression;
mod join;
mod memory;
mod partial;
mod values;

pub(crate) use expression::{Expression, Operations};
pub(crate) use join::Join;
pub(crate) use memory::{Accessed, Region, Root};
pub(crate) use partial::Partial;

use crate::Rng;
use crate::surroundings::{Callee, Purity, Surroundings};
use lir_syntax::ir::builder::FunctionBuilder;
use lir_syntax::ir::{Mem, Reg, Type};

/// Every loop has fewer trips than this.
pub(crate) const MAX_TRIPS: u64 = 8;

/// A function in the making.
pub(crate) struct Body<'a> {
    pub(crate) around: &'a Surroundings<'a>,
    pub(crate) this: &'a Callee,
    pub(crate) rng: &'a mut Rng,
    pub(crate) b: FunctionBuilder<'a>,
    pub(crate) operations: Operations,
    /// The registers that hold a value here on every path, by type.
    pub(crate) live: [Vec<Reg>; Type::ALL.len()],
    /// The pure operations that are on every path to here.
    pub(crate) made: Vec<Expression>,
    /// Registers of `live` that may be assigned anywhere, with their types.
    pub(crate) variables: Vec<(Type, Reg)>,
    /// Initialised memory that may be accessed here on every path.
    pub(crate) regions: Vec<Region>,
    /// The accesses on every path to here.
    pub(crate) accessed: Vec<Accessed>,
    /// Objects with aggregates of which some bytes were written on every path to here.
    pub(crate) partials: Vec<Partial>,
    /// The number of stack objects so far, which are named `o0`, `o1` and so on.
    pub(crate) objects: usize,
    /// A copy of the list of variable arguments, and the index of the next argument in it.
    pub(crate) list_copy: Option<(Mem, usize)>,
    /// Nesting depth of the current statement.
    pub(crate) depth: usize,
    /// The product of the trip counts around the current program point.
    pub(crate) trips: u64,
    /// A bound on the number of instructions that a call executes, so far.
    pub(crate) steps: u64,
    limit: u64,
}

/// The lengths of `live`, `made`, `regions`, `accessed` and `partials`.
pub(crate) struct Mark {
    live: [usize; Type::ALL.len()],
    made: usize,
    regions: usize,
    accessed: usize,
    partials: usize,
}

impl<'a> Body<'a> {
    /// Makes a function without a block. A call of it may execute fewer than `limit` instructions.
    pub(crate) fn new(
        around: &'a Surroundings<'a>,
        this: &'a Callee,
        rng: &'a mut Rng,
        b: FunctionBuilder<'a>,
        limit: u64,
    ) -> Body<'a> {
        let operations = Operations::new(around.config.floats);
        Body {
            around,
            this,
            rng,
            b,
            operations,
            live: Default::default(),
            made: Vec::new(),
            variables: Vec::new(),
            regions: Vec::new(),
            accessed: Vec::new(),
            partials: Vec::new(),
            objects: 0,
            list_copy: None,
            depth: 0,
            trips: 1,
            steps: 0,
            limit,
        }
    }

    /// Marks the current state, so that later additions can be forgotten.
    pub(crate) fn mark(&self) -> Mark {
        Mark {
            live: std::array::from_fn(|t| self.live[t].len()),
            made: self.made.len(),
            regions: self.regions.len(),
            accessed: self.accessed.len(),
            partials: self.partials.len(),
        }
    }
    /// Forgets the additions since the mark, which do not hold on every path from here on.
    pub(crate) fn release(&mut self, mark: &Mark) {
        for (live, n) in self.live.iter_mut().zip(mark.live) {
            live.truncate(n);
        }
        self.made.truncate(mark.made);
        self.regions.truncate(mark.regions);
        self.accessed.truncate(mark.accessed);
        self.partials.truncate(mark.partials);
    }

    /// True if this many more steps at the current point stay below the limit.
    pub(crate) fn affordable(&self, steps: u64) -> bool {
        self.steps + steps.saturating_mul(self.trips) < self.limit
    }

    /// True if the function may end in a trap.
    pub(crate) fn may_trap(&self) -> bool {
        self.around.config.traps && self.this.purity == Purity::Any
    }
    /// True if the function may write to memory.
    pub(crate) fn writes(&self) -> bool {
        self.around.config.memory && self.this.purity == Purity::Any
    }
}

//! Statements: each adds something to a function, at random.

mod bytes;
mod calls;
mod control;
mod divisions;
mod expressions;
mod idioms;
mod loops;
mod memory;
mod outside;
mod payloads;
mod registers;
mod related;
mod returns;
mod unexecuted;
mod variable_arguments;
mod wide;

use crate::body::{Body, MAX_TRIPS};
use crate::surroundings::Purity;

/// Statements nest this deep.
const MAX_DEPTH: usize = 4;

impl Body<'_> {
    /// Statements inside another one.
    fn inner_statements(&mut self) {
        let n = self.rng.range(1, 4);
        self.depth += 1;
        self.statements(n);
        self.depth -= 1;
    }

    /// Makes statements, and counts the steps that they take.
    pub(crate) fn statements(&mut self, n: usize) {
        for _ in 0..n {
            let before = self.b.func.num_insts();
            self.statement();
            self.steps += (self.b.func.num_insts() - before) as u64 * self.trips;
        }
    }

    /// Makes one statement, or a pure operation if no other may be made here.
    fn statement(&mut self) {
        if !self.affordable(1000) {
            return self.expression();
        }
        let nested = self.depth < MAX_DEPTH && self.affordable(100 * MAX_TRIPS);
        let memory = self.around.config.memory && self.this.purity != Purity::ReadNone;
        match self.rng.below(145) {
            0..17 => (0..3).for_each(|_| if self.rng.chance(30) { self.variant() } else { self.expression() }),
            17..20 => self.related(),
            20..22 if nested => self.equality_chain(),
            22..25 if nested => self.small_diamond(),
            25..28 => self.division(),
            28..30 if nested => self.decided(),
            30..35 => self.reassign(),
            35..37 => self.pressure(),
            37..47 if memory => self.load(),
            47..57 if self.writes() => self.store(),
            57..60 if self.writes() => self.block_operation(),
            60..63 if memory => self.address(),
            63..65 if self.writes() => self.overlaps(),
            65..67 if self.writes() && self.around.config.allocas => self.alloca(),
            67..73 => self.call(),
            73..79 if nested => self.if_else(),
            79..82 if nested => self.switch(),
            82..88 if nested => self.counted_loop(),
            88..90 if nested && memory => self.walk(),
            90..92 if nested => self.self_loop(),
            92..94 if nested && self.around.config.irreducible => self.irreducible_loop(),
            94..95 if self.may_trap() => self.rare_end(),
            95..96 if self.may_trap() => self.access_that_may_trap(),
            96..98 if nested => self.narrow_loop(),
            98..103 => self.lea_of_values(),
            103..105 if memory => self.address_difference(),
            105..109 if nested => self.long_loop(),
            109..112 if nested && self.around.config.irreducible => self.free_flow(),
            112..115 if self.around.config.floats => self.payload(),
            115..118 if self.writes() => self.partly_used_object(),
            118..120 if memory => self.outside(),
            120..124 if nested && self.writes() => self.block_loop(),
            124..128 if memory => self.number_of_bytes(),
            128..131 if self.writes() => self.bytes_of_number(),
            131..134 if nested => self.loop_to_an_end(),
            134..136 => self.related(),
            136..138 if self.writes() => self.overlaps(),
            138..141 if self.writes() => self.atomic_accesses(),
            141..145 => self.wide_operations(),
            _ => self.expression(),
        }
    }
}

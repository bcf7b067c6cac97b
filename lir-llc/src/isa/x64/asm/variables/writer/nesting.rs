//! `if`s and loops, which begin and end inside one another.

use super::{Construct, Open, Writer};
use crate::regalloc::one_pass::engine::Var;
use std::panic::Location;

impl Writer {
    /// An `if` or a loop begins.
    #[track_caller]
    pub(in crate::isa::x64::asm::variables) fn begin(&mut self, is_loop: bool) -> Construct {
        self.num_constructs += 1;
        let construct = Construct(self.entry, self.num_constructs);
        let variables = is_loop.then_some(self.steps.variables.len() as Var);
        self.open.push(Open { construct, variables, at: Location::caller() });
        construct
    }
    /// Checks that the construct to be continued or ended is the innermost one.
    #[track_caller]
    pub(in crate::isa::x64::asm::variables) fn check_innermost(&mut self, construct: Construct) -> bool {
        let is = self.open.last().is_some_and(|open| open.construct == construct);
        if !is {
            self.fail("another `if` or loop has to end first", Location::caller());
        }
        is
    }
    /// Checks that a loop is left from inside of it.
    #[track_caller]
    pub(in crate::isa::x64::asm::variables) fn check_open(&mut self, construct: Construct) -> bool {
        let is = self.open.iter().any(|open| open.construct == construct);
        if !is {
            self.fail("the loop has ended, or is one of another function", Location::caller());
        }
        is
    }
    /// The innermost construct ends.
    #[track_caller]
    pub(in crate::isa::x64::asm::variables) fn end_construct(&mut self, construct: Construct) -> bool {
        let is = self.check_innermost(construct);
        if is {
            self.open.pop();
        }
        is
    }
}

//! The remarks of the pass `dead-args`, as data.

use crate::pass::remarks::{By, events};
use lir_syntax::ir::{Param, Reg};

events! {
    pub(super) enum Event {
        ResultUnused: "result-removed", "no call uses the result";
        IsConstant(parameter: Param, k: i64): "parameter-removed", "{parameter} is {k} in every call";
        IsUnused(parameter: Param): "parameter-removed", "{parameter} is not used";
        IsNeeded(value: Reg, by: Option<By>): "is-needed", "{value} is not one constant in every call, and is used{by}";
        CalledFromOutside(r: Reg): "calls-not-known", "{r} is not used, but the function may be called from outside";
        AddressTaken(r: Reg): "calls-not-known", "{r} is not used, but the address of the function is taken";
        HasJumps(r: Reg): "calls-not-known", "{r} is not used, but a `musttail` call needs the place of the arguments";
        NothingCalls(r: Reg): "calls-not-known", "{r} is not used, but nothing calls the function";
        VariableArguments(r: Reg): "calls-not-known", "{r} is not used, but the function has variable arguments";
        CallGivesNothing: "call-rewritten", "adapted to the callee: no result";
        CallPassesFewer(n: usize): "call-rewritten", "adapted to the callee: {n} arguments fewer";
        CallPassesFewerGivesNothing(n: usize): "call-rewritten",
            "adapted to the callee: no result, {n} arguments fewer";
    }
}

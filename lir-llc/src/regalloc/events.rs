//! The remarks about allocations, as data.

use lir_opt::pass::remarks::{At, events};
use lir_syntax::ir::{Inst, Reg};

events! {
    pub(crate) enum Event<'a> {
        AcrossCall(call: Inst): "spilled", "is kept in memory: it is live across the {call}, which may change the register";
        Pressure(values: usize, at: At): "spilled",
            "is kept in memory: {values} other values hold all its possible registers{at}";
        Weighed: "spilled", "is kept in memory: the registers are given to values that are read more often or sooner";
        MadeAgain(at: At): "made-again", "is rematerialised at its use{at}, which is cheaper than keeping it";
        Split(from: &'a str, to: &'a str, at: At): "split", "is in {from}, and from here on in {to}{at}";
        Fixed(from: &'a str, to: &'a str, by: Inst): "moved", "is moved from {from} to {to}, where the {by} reads it";
        Returned(from: &'a str, to: &'a str, by: Inst): "moved", "is moved to {to} from {from}, where the {by} leaves it";
        SourceStays(source: Reg, from: &'a str, to: &'a str): "copied",
            "is in {to} and not in {from} of {source}, which is read later, too";
        SourceInAnotherRegister(source: Reg, from: &'a str, to: &'a str): "copied",
            "is in {to} and not in {from} of {source}: its other assignments and reads decide";
    }
}

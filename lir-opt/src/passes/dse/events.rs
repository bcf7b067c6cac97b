//! The remarks of the pass `dse`, as data.

use crate::pass::remarks::{At, Words, events};
use lir_syntax::ir::Inst;

events! {
    pub(super) enum Event<'a> {
        Overwritten(at: At): "dead-store", "is overwritten before it is read{at}";
        VolatileStore: "store-stays", "is volatile";
        IsApart: "is-apart", "the ranges are known not to overlap: memcpy";
        WritesNothing: "redundant-store", "writes no bytes, or those that it reads";
        MayBeRead(by: Inst): "store-stays", "may be read: {by}";
        SeenAtTheEnd(by: Inst): "store-stays", "may be seen when the program ends: {by}";
        SeenByTheCaller(by: Inst): "store-stays", "may be seen by the caller: {by}";
        SeenInALoop(by: Inst): "store-stays", "may be seen in a loop, which may be endless: {by}";
        SeenOnAPath(by: Inst): "store-stays", "may be read or seen on a path from here: {by}";
        SeenIfNoReturn(by: Inst): "store-stays", "is seen if a call does not return: {by}";
        SeenIfTrap(by: Inst): "store-stays", "is seen if this traps: {by}";
        NothingOverwrites: "store-stays", "no later store is known to overwrite it";
        Unread(object: Words<'a>): "dead-store", "{object} does not escape, and this is never read";
        WasLoaded(at: At): "redundant-store", "was loaded from there{at}";
        WasStored(at: At): "redundant-store", "was stored from there{at}";
    }
}

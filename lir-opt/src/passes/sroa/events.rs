//! The remarks of the pass `sroa`, as data.

use crate::pass::remarks::{Bytes, Words, events};
use lir_syntax::ir::{Obj, Type};

events! {
    pub(super) enum Event<'a> {
        AddressUsed(o: Obj): "stays",
            "{o} stays in memory: here its address is used for more than accesses at fixed offsets";
        CopyExpanded(ty: Type): "expanded", "the copy becomes a load and a store of {ty}";
        FillExpanded(ty: Type): "expanded", "the fill becomes a store of {ty}";
        PartSplit(bytes: Bytes, ty: Type): "split", "{bytes} become a register of type {ty}";
        PartStays(bytes: Bytes, why: Words<'a>): "part-stays", "{bytes} stay in memory: {why}";
        Pinned: "part-stays", "a volatile access or a large copy touches them";
        NoSuchRegister: "part-stays", "accesses overlap there, and no register is as large";
        PieceOf(n: u32): "part-stays", "an access covers {n} of these bytes, which is not the width of a register";
        NotPaying(saved: u32, paid: u32): "part-stays",
            "a register would save {saved} loads and stores, and cost {paid} around calls and returns";
    }
}

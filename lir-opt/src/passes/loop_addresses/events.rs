//! The remarks of the pass `loop-addresses`, as data.

use crate::pass::remarks::events;
use lir_syntax::ir::Block;

events! {
    pub(super) enum Event {
        Split(header: Block): "split", "the part of its address that loop {header} does not change is computed before it";
        OtherUse: "read-elsewhere", "it is also read other than as the index of an address whose base is invariant";
        TooManyRegisters: "too-many-registers", "the loop needs the registers for other values";
    }
}

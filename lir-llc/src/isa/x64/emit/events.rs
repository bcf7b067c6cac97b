//! The remarks about frames and the order of blocks, as data.

use lir_opt::pass::remarks::{At, events};
use lir_syntax::ir::{Block, Inst, Obj};

events! {
    pub(crate) enum Event<'a> {
        FrameForCall(call: Inst): "frame", "the function has a frame: it makes this {call}, for which rsp is aligned";
        FrameForSlots(slots: u32): "frame", "the function has a frame: values are kept in memory, in {slots} slots";
        FrameForObject(object: Obj): "frame", "the function has a frame: {object} is on the stack";
        FrameAsked: "frame", "the function has a frame: a frame pointer is requested or needed";
        SavedAcross(register: &'a str, call: Inst): "saved-register",
            "the function saves {register} for it, since it is live across the {call}";
        SavedForRoom(register: &'a str, at: At): "saved-register",
            "the function saves {register} for it: the registers that need not be saved hold other values{at}";
        LateFrame: "late-frame", "the frame is made here and not at the entry: paths that do not come here need none";
        ColdLast: "block-moved", "its block is moved to the end of the code, since it is seldom executed";
        Follows(block: Block): "block-moved", "its block is moved after {block}, its most frequent predecessor";
        After(block: Block): "block-moved", "its block is moved to after {block}, since no better position is known";
        Aligned(bytes: u32): "loop-aligned", "its loop is aligned to lie in one line of {bytes} bytes";
    }
}

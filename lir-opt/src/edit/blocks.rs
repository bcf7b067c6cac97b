//! Makes new blocks and copies of blocks, for passes that copy code within a function.
//!
//! A copy is made in three steps. The blocks are made first ([`block_like`]), so that phis and edges among them can
//! name them; then their instructions are copied ([`copy_insts`], with [`phi_of_copy`] for phis); then edges out of the
//! region get their phi entries ([`NewPreds`](super::new_preds::NewPreds)). A pass that keeps the registers renames
//! them afterwards with `tell_copies_apart` of `ssa`.

use lir_syntax::ir::{Block, DebugLoc, Format, Function, Inst, InstData, Opcode, Operand, Type};

/// Returns a new block without instructions after another one, named after `like`.
pub(crate) fn block_like(f: &mut Function, like: Block, after: Block) -> Block {
    let new = f.make_block(f.block(like).name.derived());
    f.insert_block_after(new, after);
    new
}

/// Returns a new block after another one that only jumps to `to`, and is named after `like`. Phis of `to` are not
/// touched.
pub(crate) fn jump_block(f: &mut Function, like: Block, after: Block, to: Block, loc: DebugLoc) -> Block {
    let new = block_like(f, like, after);
    append_jump(f, new, to, loc);
    new
}

/// Ends a block in a jump. Returns it.
pub(crate) fn append_jump(f: &mut Function, b: Block, to: Block, loc: DebugLoc) -> Inst {
    let jump = f.append_inst(b, JUMP, loc);
    f.set_succs(b, &[to]);
    jump
}

/// A jump, whose target is the successor of its block.
pub(crate) const JUMP: InstData = InstData::new(Opcode::Jmp, Type::I64);

/// Appends copies of the instructions of a block to another one. `copied` returns the data of a copy, or none for an
/// instruction that is not copied; `made` is called with each instruction and its copy.
pub(crate) fn copy_insts(
    f: &mut Function,
    from: Block,
    to: Block,
    mut copied: impl FnMut(&mut Function, Inst) -> Option<InstData>,
    mut made: impl FnMut(&mut Function, Inst, Inst),
) {
    let mut next = f.layout().first_inst(from);
    while let Some(i) = next {
        next = f.layout().next_inst(i);
        if let Some(data) = copied(f, i) {
            let copy = f.append_inst(to, data, f.debug_loc(i));
            f.copy_inst_notes(i, copy);
            made(f, i, copy);
        }
    }
}

/// Returns a phi with the entries for whose predecessors `pred` gives others; of any other instruction a copy.
pub(crate) fn phi_of_copy(f: &mut Function, i: Inst, mut pred: impl FnMut(Block) -> Option<Block>) -> InstData {
    if f.inst(i).op.format() != Format::Phi {
        return f.copy_inst_data(i);
    }
    let entries: Vec<(Block, Operand)> = f.phi_entries(i).filter_map(|(p, o)| Some((pred(p)?, o))).collect();
    let list = f.make_phi(&entries);
    f.inst(i).with_list(list)
}

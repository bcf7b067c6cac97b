//! Step 9 of [`sroa`](super): expands the remaining copies and fills of as many bytes as a register has.
//!
//! As a load and a store they are values to other passes: `gvn` forwards them, `dse` and `licm` see each end by itself.
//! Only now, since a value that is moved as a word is not split into its fields any more. Sound, since the ends of a
//! copy are the same or disjoint, and the load traps where the copy did.

use super::rewrite::{ALL_BYTES, int_of};
use crate::pass::remarks::Remarks;
use crate::passes::sroa::events::Event;
use lir_syntax::ir::{Base, Format, Function, Inst, InstData, Mem, NameRef, Opcode, Operand, Type};

/// Makes them loads and stores. Returns their number.
pub(super) fn expand(f: &mut Function, remarks: &mut Remarks) -> u64 {
    let blocks = f.layout().blocks();
    let small: Vec<(Inst, Type)> = blocks
        .flat_map(|b| f.layout().insts(b))
        .filter(|i| matches!(f.inst(*i).op.format(), Format::MemCopy | Format::MemFill))
        .filter_map(|i| Some((i, type_of_size(f, i)?)))
        .collect();
    for &(i, ty) in &small {
        let is_copy = f.inst(i).op.format() == Format::MemCopy;
        remarks.done(f, i, if is_copy { Event::CopyExpanded(ty) } else { Event::FillExpanded(ty) });
        expand_one(f, i, ty);
    }
    small.len() as u64
}

/// Returns the type in which a copy, or a fill with a constant, is one move.
fn type_of_size(f: &Function, i: Inst) -> Option<Type> {
    let d = f.inst(i);
    let bytes = f.constant(d.length()).filter(|n| matches!(n, 1 | 2 | 4 | 8))?;
    (d.op.format() == Format::MemCopy || f.constant(d.second()).is_some()).then(|| int_of(bytes as u32))
}

fn expand_one(f: &mut Function, i: Inst, ty: Type) {
    let to = f.mem_dst(i);
    let value = if f.inst(i).op.format() == Format::MemCopy {
        let from = f.mem_src(i);
        let mut load = InstData::new(Opcode::Load, ty);
        f.set_mem(&mut load, from);
        let r = f.new_reg(ty, name_of(f, from, to));
        f.insert_before(i, load.with_result(r));
        Operand::reg(r)
    } else {
        let byte = f.constant(f.inst(i).second()).expect("the fill is with a constant") as u8;
        f.make_typed_const(ty, ALL_BYTES * u64::from(byte))
    };
    let mut store = InstData::new(Opcode::Store, ty).with_stored(value);
    f.set_mem(&mut store, to);
    f.replace_inst(i, store);
}

/// Names a moved value after its source or destination object.
fn name_of(f: &Function, from: Mem, to: Mem) -> NameRef {
    let object = [from.base, to.base].into_iter().find_map(|b| if let Base::Obj(o) = b { Some(o) } else { None });
    object.map_or(NameRef::NONE, |o| f.stack[o].name)
}

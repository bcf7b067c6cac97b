//! Step 1: stores of values that the memory has already.

use super::{View, is_plain_write};
use crate::analysis::SsaView;
use crate::analysis::alias::{Overlap, Relation};
use crate::analysis::memory_ssa::{Access, AccessKind};
use crate::pass::remarks::{At, Remarks};
use crate::passes::dse::events::Event;
use lir_syntax::ir::{Format, Function, Inst, Opcode};

/// Removes the stores that change nothing. Returns their number, and the number of `memmove` that became `memcpy`.
pub(super) fn remove(f: &mut Function, ssa: &SsaView, view: &View<'_>, remarks: &mut Remarks) -> (u64, u64) {
    let (mut removed, mut apart) = (0, 0);
    for &b in view.facts.cfg.rpo() {
        let mut next = f.layout().first_inst(b);
        while let Some(i) = next {
            next = f.layout().next_inst(i);
            if is_plain_write(f, i) && does_nothing(f, view, i) {
                remarks.done(f, i, Event::WritesNothing);
                f.remove_inst(i);
                removed += 1;
            } else if is_plain_write(f, i)
                && let Some(origin) = find_origin(f, ssa, view, i)
            {
                let is_load = f.inst(origin).op.format() == Format::Load;
                let event = if is_load { Event::WasLoaded } else { Event::WasStored };
                remarks.done(f, i, event(At(origin)));
                f.remove_inst(i);
                removed += 1;
            } else if f.inst(i).op == Opcode::Memmove && is_apart(f, view, i) {
                remarks.done(f, i, Event::IsApart);
                f.replace_inst(i, f.inst(i).with_op(Opcode::Memcpy));
                apart += 1;
            }
        }
    }
    (removed, apart)
}

/// True if a copy reads none of the bytes that it writes.
fn is_apart(f: &Function, view: &View<'_>, copy: Inst) -> bool {
    let to = view.location(f, copy);
    let from = view.facts.alias.location_of(f.mem_src(copy), to.size);
    view.facts.alias.relation(view.decls, &to, &from) == Relation::No
}

/// True for a block operation of no bytes, or a copy onto itself.
fn does_nothing(f: &Function, view: &View<'_>, i: Inst) -> bool {
    let format = f.inst(i).op.format();
    if format == Format::Store {
        return false;
    }
    let location = view.location(f, i);
    let stays = |size| {
        let source = view.facts.alias.location_of(f.mem_src(i), size);
        source.offset.is_some() && source == location && view.is_writable(&location)
    };
    location.size == Some(0) || format == Format::MemCopy && stays(location.size)
}

/// Returns the instruction after which the location of a store has the value that it stores: a write of the same, or a
/// load of it.
fn find_origin(f: &Function, ssa: &SsaView, view: &View<'_>, store: Inst) -> Option<Inst> {
    if f.inst(store).op.format() == Format::MemCopy {
        return None;
    }
    let version = clobber(f, ssa, view, store)?;
    if let AccessKind::Def(earlier) = view.facts.memory.kind(version)
        && is_plain_write(f, earlier)
        && writes_the_same(f, view, earlier, store)
    {
        return Some(earlier);
    }
    let d = f.inst(store);
    if d.op.format() != Format::Store {
        return None;
    }
    let load = ssa.def(d.stored().as_reg()?)?;
    let loads = f.inst(load).op.format() == Format::Load && !f.inst(load).is_volatile();
    // The read of `va_arg` has no location.
    let from = view.facts.alias.location(f, load).filter(|_| loads)?;
    let location = view.location(f, store);
    let same = view.facts.alias.relation(view.decls, &from, &location) == Relation::Must(Overlap::Same);
    // Reading did not trap; this does not imply it for writing.
    (same && view.is_writable(&location) && clobber(f, ssa, view, load) == Some(version)).then_some(load)
}

fn clobber(f: &Function, ssa: &SsaView, view: &View<'_>, i: Inst) -> Option<Access> {
    let start = view.facts.memory.defining_access(i)?;
    Some(view.facts.clobber_over_phis((view.decls, f), ssa, &view.location(f, i), start).access)
}

/// True if an earlier write left the value that a store writes, in all of its bytes.
fn writes_the_same(f: &Function, view: &View<'_>, earlier: Inst, store: Inst) -> bool {
    let (e, s) = (f.inst(earlier), f.inst(store));
    let relation = view.facts.alias.relation(view.decls, &view.location(f, earlier), &view.location(f, store));
    let both_store = e.op.format() == Format::Store && s.op.format() == Format::Store;
    let same_value =
        both_store && e.ty == s.ty && e.stored() == s.stored() && relation == Relation::Must(Overlap::Same);
    same_value || relation.covers() && fill_byte(f, store).is_some_and(|byte| fill_byte(f, earlier) == Some(byte))
}

/// Returns the byte that all bytes written have, where it is one and known.
fn fill_byte(f: &Function, i: Inst) -> Option<u8> {
    let d = f.inst(i);
    let value = match d.op.format() {
        Format::MemFill => return f.constant(d.second()).map(|n| n as u8),
        Format::Store => f.constant(d.stored())?,
        _ => return None,
    };
    let bytes = value.to_le_bytes();
    bytes[1..d.ty.bytes() as usize].iter().all(|b| *b == bytes[0]).then_some(bytes[0])
}

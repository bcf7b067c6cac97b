//! The reasons stores stay: the first instruction after them that reads their location or lets others look at it.

use super::{View, is_plain_write};
use crate::analysis::alias::Location;
use crate::pass::remarks::Remarks;
use crate::passes::dse::events::Event;
use lir_syntax::ir::{Format, Function, Inst};

/// Limit on the instructions that are looked at for one store.
const MAX_INSTS: usize = 1000;

/// Remarks on all stores that stayed.
pub(super) fn report_kept_stores(f: &Function, view: &View<'_>, remarks: &mut Remarks) {
    for i in f.layout().all_insts() {
        if f.inst(i).is_volatile() && f.inst(i).op.format() != Format::Load {
            remarks.missed(f, i, Event::VolatileStore);
        } else if is_plain_write(f, i) {
            remarks.missed(f, i, first_to_look(f, view, i, &view.location(f, i)));
        }
    }
}

/// Returns the first look at a location on the straight path from `store`, as an event.
fn first_to_look(f: &Function, view: &View<'_>, store: Inst, location: &Location) -> Event<'static> {
    let visible = view.facts.alias.is_visible(location);
    let mut at = f.layout().next_inst(store);
    for _ in 0..MAX_INSTS {
        let Some(i) = at else { break };
        if view.facts.alias.reads(view.decls, f, i, location) {
            return Event::MayBeRead(i);
        }
        let format = f.inst(i).op.format();
        if f.inst(i).op.is_terminator() {
            let block = f.layout().block_of(i).expect("the instruction is in a block");
            match f.succs(block) {
                [] if visible && format == Format::Stop => return Event::SeenAtTheEnd(i),
                [] if visible => return Event::SeenByTheCaller(i),
                [] => break,
                [to] if view.goes_back(block, *to) => return Event::SeenInALoop(i),
                [to] => at = f.layout().first_inst(*to),
                _ => return Event::SeenOnAPath(i),
            }
            continue;
        }
        if visible && view.lets_others_look(f, i) {
            return if format == Format::Call { Event::SeenIfNoReturn(i) } else { Event::SeenIfTrap(i) };
        }
        at = f.layout().next_inst(i);
    }
    Event::NothingOverwrites
}

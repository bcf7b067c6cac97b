//! Why stores stay: the first instruction after them that reads their place or lets others look at it.

use super::{View, is_plain_write};
use crate::analysis::alias::Location;
use crate::pass::remarks::Remarks;
use lir_syntax::ir::{Format, Function, Inst};

/// How many instructions are looked at for one store.
const MAX_INSTS: usize = 1000;

/// Remarks on all stores that stayed.
pub(super) fn say_why_stores_stay(f: &Function, view: &View<'_>, remarks: &mut Remarks) {
    for i in f.layout().all_insts() {
        if f.inst(i).is_volatile() && f.inst(i).op.format() != Format::Load {
            remarks.missed(f, i, "store-stays", |m| {
                m.text("is volatile");
            });
        } else if is_plain_write(f, i) {
            let place = view.place(f, i);
            let (seen_by, how) = first_to_look(f, view, i, &place);
            remarks.missed(f, i, "store-stays", |m| {
                m.text(how);
                if let Some(by) = seen_by {
                    m.text(": ").inst(by);
                }
            });
        }
    }
}

/// The first instruction on the straight way on that looks at a place, and how.
fn first_to_look(f: &Function, view: &View<'_>, store: Inst, place: &Location) -> (Option<Inst>, &'static str) {
    let visible = view.facts.alias.is_visible(place);
    let mut at = f.layout().next_inst(store);
    for _ in 0..MAX_INSTS {
        let Some(i) = at else { break };
        if view.facts.alias.reads(view.decls, f, i, place) {
            return (Some(i), "may be read");
        }
        let format = f.inst(i).op.format();
        if f.inst(i).op.is_terminator() {
            let block = f.layout().block_of(i).expect("the instruction stands in a block");
            match f.succs(block) {
                [] if visible && format == Format::Stop => return (Some(i), "may be seen when the program ends"),
                [] if visible => return (Some(i), "may be seen by the caller"),
                [] => break,
                [to] if view.facts.cfg.rpo_index(*to) <= view.facts.cfg.rpo_index(block) => {
                    return (Some(i), "may be seen in a loop, which may be endless");
                }
                [to] => at = f.layout().first_inst(*to),
                _ => return (Some(i), "may be read or seen on a way from here"),
            }
            continue;
        }
        if visible && view.lets_others_look(f, i) {
            let calls = format == Format::Call;
            return (Some(i), if calls { "is seen if a call does not return" } else { "is seen if this traps" });
        }
        at = f.layout().next_inst(i);
    }
    (None, "nothing was found that overwrites it")
}

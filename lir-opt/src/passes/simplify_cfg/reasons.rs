//! The reasons that blocks were not merged, after the last iteration: blocks that only jump and were not bypassed,
//! blocks with several predecessors, and tests of one integer that did not become a switch.

use super::forward::{MAX_NEW_ENTRIES, forwards};
use crate::pass::PassContext;
use crate::pass::remarks::{At, Remarks};
use crate::passes::simplify_cfg::events::Event;
use lir_syntax::ir::{Block, Cfg, Format, Function, Inst, Operand, PackedOption, Reg, SecondaryMap};

/// Limit on the predecessors and phis that are examined for one block.
const MAX_PREDS: usize = 16;

/// Remarks on blocks of a function without unreachable ones.
pub(super) fn say_what_stays(f: &Function, cx: &mut PassContext<'_>) {
    let cfg = cx.analyses.cfg(f);
    let mut forwarders = Forwarders { f, cfg, readers: None };
    for &b in cfg.rpo() {
        if let Some(target) = forwards(f, b) {
            forwarders.say_why_it_stays(b, target, cx.remarks);
        }
        if let &[p, q, ..] = cfg.preds(b)
            && cfg.preds(b).iter().any(|p| f.inst(f.terminator(*p)).op.format() == Format::Jump)
        {
            cx.remarks.missed(f, f.terminator(b), Event::NotJoined(p, q));
        }
    }
}

/// Blocks that only jump.
struct Forwarders<'a> {
    f: &'a Function,
    cfg: &'a Cfg,
    /// The readers of the registers of their phis, except phis of their targets. Computed on demand.
    readers: Option<SecondaryMap<Reg, PackedOption<Inst>>>,
}

impl Forwarders<'_> {
    fn say_why_it_stays(&mut self, e: Block, t: Block, remarks: &mut Remarks) {
        let (f, preds) = (self.f, self.cfg.preds(e));
        let last = f.terminator(e);
        let entries = preds.len().saturating_sub(1) * f.phis(t).take(MAX_NEW_ENTRIES + 1).count();
        if entries > MAX_NEW_ENTRIES {
            return remarks.missed(f, last, Event::ManyEntries(t, entries));
        }
        let Some(phi) = f.phis(e).next() else {
            let event = self.rival(e, t).map_or(Event::LimitReached, |p| Event::Rival(p, t));
            return remarks.missed(f, last, event);
        };
        if let Some(header) = [e, t].into_iter().find(|b| self.is_header(*b)) {
            return remarks.missed(f, last, Event::BeginsALoop(At(phi), header));
        }
        let read = f.phis(e).find_map(|phi| self.reader(f.def(phi)?));
        remarks.missed(f, last, read.map_or(Event::LeadsThereItself(t), Event::PhiReadElsewhere));
    }
    /// A predecessor of `e` that leads to `t` with another value in a phi. None is looked for among many.
    fn rival(&self, e: Block, t: Block) -> Option<Block> {
        let (f, preds) = (self.f, self.cfg.preds(e));
        let differs = |phi: Inst| {
            let own = f.phi_entries(phi).find(|(p, _)| *p == e).map_or(Operand::NONE, |(_, o)| o);
            f.phi_entries(phi).find(|(p, o)| preds.contains(p) && *o != own).map(|(p, _)| p)
        };
        let are_few = self.cfg.preds(t).len().max(preds.len()) <= MAX_PREDS;
        if are_few { f.phis(t).take(MAX_PREDS).find_map(differs) } else { None }
    }
    fn is_header(&self, b: Block) -> bool {
        self.cfg.preds(b).iter().any(|p| self.cfg.rpo_index(*p) >= self.cfg.rpo_index(b))
    }
    fn reader(&mut self, r: Reg) -> Option<Inst> {
        self.readers.get_or_insert_with(|| readers_of_phis(self.f))[r].expand()
    }
}

/// The readers of the registers of phis, except phis on edges from their block.
fn readers_of_phis(f: &Function) -> SecondaryMap<Reg, PackedOption<Inst>> {
    let mut block_of = SecondaryMap::with_len(PackedOption::NONE, f.num_regs());
    for b in f.layout().blocks() {
        f.phis(b).filter_map(|phi| f.def(phi)).for_each(|r| block_of[r] = b.into());
    }
    let mut readers = SecondaryMap::with_len(PackedOption::NONE, f.num_regs());
    for i in f.layout().all_insts() {
        if f.inst(i).op.format() != Format::Phi {
            f.for_each_use(i, |r| readers[r] = i.into());
            continue;
        }
        for (p, o) in f.phi_entries(i) {
            if let Some(r) = o.as_reg().filter(|r| block_of[*r].expand() != Some(p)) {
                readers[r] = i.into();
            }
        }
    }
    readers
}

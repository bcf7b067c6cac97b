//! Blocks, edges and the entries of phis: V7 to V10, V19; and V13 for the data that a function keeps for its
//! instructions.

use super::{Checker, Rule};
use crate::ir::function::{NO_LOC, SourceLoc};
use crate::ir::{Block, Cfg, Effects, Format, Inst, MAX_NOALIAS_SETS, Opcode};
use crate::text::diagnostic::{Note, Remedy};

impl Checker<'_> {
    /// V13 for the data that a function keeps for its instructions. Returns whether all can be read.
    pub(super) fn readable(&mut self) -> bool {
        let mut readable = true;
        for i in self.f.layout().all_insts().filter(|i| !self.f.is_readable(*i)) {
            readable = false;
            self.at = i;
            let name = self.mnemonic();
            self.report(Rule::OperandKind, format_args!("the operands of `{name}` are not of this function"));
        }
        readable
    }

    /// V27, as far as it is about instructions.
    #[cold]
    pub(super) fn access_types(&mut self) {
        for i in self.f.layout().all_insts() {
            let Some(access_type) = self.f.access_type(i) else { continue };
            self.at = i;
            let op = self.f.inst(i).op;
            if !matches!(op, Opcode::Load | Opcode::Store) {
                self.report(Rule::AccessType, format_args!("`{}` has no access type", op.mnemonic()));
            } else if self.decls.access_types.get(access_type).is_none() {
                self.report(
                    Rule::AccessType,
                    format_args!("`{}` has an access type that does not exist", op.mnemonic()),
                );
            }
        }
    }

    /// V28 for instructions.
    #[cold]
    pub(super) fn value_promises(&mut self) {
        for i in self.f.layout().all_insts() {
            let promises = self.f.value_promises(i);
            if promises.is_empty() {
                continue;
            }
            self.at = i;
            let op = self.f.inst(i).op;
            let name = op.mnemonic();
            match self.f.def(i).map(|r| self.f.regs.get(r)) {
                Some(Some(result)) if op == Opcode::Load || op == Opcode::Call && !self.f.is_jump(i) => {
                    if let Some(complaint) = promises.complaint(result.ty) {
                        self.report(
                            Rule::ValuePromises,
                            format_args!("a promise about the result of `{name}` is not possible: {complaint}"),
                        );
                    }
                }
                _ if self.f.is_jump(i) => {
                    let message = "the result of a `musttail` call is the caller's, which makes no promises about it";
                    self.report(Rule::ValuePromises, format_args!("{message}"));
                }
                _ => self.report(Rule::ValuePromises, format_args!("`{name}` makes no promises about a result")),
            }
        }
    }

    /// V30.
    #[cold]
    pub(super) fn noalias_sets(&mut self) {
        if !self.f.may_have_noalias_sets() {
            return;
        }
        for i in self.f.layout().all_insts() {
            let sets = self.f.noalias_sets(i);
            if sets.is_empty() {
                continue;
            }
            self.at = i;
            let (op, is_volatile) = (self.f.inst(i).op, self.f.inst(i).is_volatile());
            let name = op.mnemonic();
            if !matches!(op, Opcode::Load | Opcode::Store) || is_volatile {
                let volatile = if is_volatile { " volatile" } else { "" };
                self.report(Rule::NoaliasSets, format_args!("`{name}{volatile}` is in no sets of `noalias`"));
            } else if sets.len() > MAX_NOALIAS_SETS {
                self.report(Rule::NoaliasSets, format_args!("`{name}` is in more than {MAX_NOALIAS_SETS} sets"));
            } else if let Some(pair) = sets.windows(2).find(|pair| pair[0].scope == pair[1].scope) {
                self.report(Rule::NoaliasSets, format_args!("`{name}` is in two sets of scope {}", pair[0].scope));
            }
        }
    }

    /// V7 except for the entry's predecessors, V8 for the last instruction, V10. Returns whether the edges make a
    /// graph.
    pub(super) fn edges(&mut self) -> bool {
        let f = self.f;
        if f.layout().entry().is_none() {
            self.report_header(Rule::Entry, format_args!("the function has no block"));
            return false;
        }
        // 1: the block is in the function.
        self.scratch.seen.reset(f.num_blocks());
        f.layout().blocks().for_each(|b| self.scratch.seen[b] = 1);
        let mut sound = true;
        let mut before = f.loc;
        for b in f.layout().blocks() {
            let Some(last) = f.layout().last_inst(b) else {
                sound = false;
                self.empty_block(b, before);
                continue;
            };
            self.at = last;
            before = f.loc_of(last);
            let Some(targets) = self.number_of_targets(last) else {
                sound = false;
                let label = self.label(b);
                // With phis there, the jump alone would not suffice.
                let remedy = match f.layout().next_block(b) {
                    Some(n) if f.phis(n).next().is_some() => None,
                    Some(n) => Some(Remedy::JumpTo(self.label(n).trim_matches('`').into())),
                    None => self.sig.result.is_none().then_some(Remedy::Return),
                };
                let message =
                    format_args!("block {label} does not end in a terminator: jmp, br, switch, ret or unreachable");
                if let Some(d) = self.report_about(Rule::Terminator, None, message) {
                    d.remedy = remedy.map(Box::new);
                }
                continue;
            };
            let succs = f.succs(b);
            if succs.len() != targets {
                sound = false;
                let have = succs.len();
                self.report(Rule::Successors, format_args!("{targets} targets, but the block has {have} successors"));
            }
            if !succs.iter().all(|s| *self.scratch.seen.get(*s) == 1) {
                sound = false;
                self.report(Rule::Successors, format_args!("a target is not a block of this function"));
            }
        }
        sound
    }

    /// V8 for a block without instructions, whose label is in the text somewhere after `before`.
    #[cold]
    fn empty_block(&mut self, b: Block, before: SourceLoc) {
        let (label, name) = (self.label(b), self.symbol(self.f.sym));
        let message = format_args!("block {label} is empty; it needs a terminator");
        if let Some(d) = self.sink.report(Rule::Terminator, before, message) {
            d.about = Some(format!("{}:", label.trim_matches('`')).into());
            if before == NO_LOC {
                d.notes.push(Note { span: None, message: format!("in function {name}") });
            }
        }
    }

    /// Returns the number of targets of a terminator. None for other instructions.
    fn number_of_targets(&self, i: Inst) -> Option<usize> {
        match self.f.inst(i).op.format() {
            Format::Jump => Some(1),
            Format::Branch => Some(2),
            Format::Switch => Some(1 + self.f.switch_cases(i).len()),
            _ => self.f.inst(i).op.is_terminator().then_some(0),
        }
    }

    /// V8 for all instructions except the last one, V9.
    #[inline]
    pub(super) fn position(&mut self, op: Opcode, phis_may_follow: &mut bool, is_last: bool) {
        if op == Opcode::Phi {
            if !*phis_may_follow {
                self.report(
                    Rule::PhisFirst,
                    format_args!("a phi must come before all other instructions of its block"),
                );
            }
        } else {
            *phis_may_follow = false;
            if !is_last && op.effects().has(Effects::TERMINATOR) {
                let name = op.mnemonic();
                self.report(Rule::Terminator, format_args!("`{name}` ends a block, but instructions follow"));
            }
        }
    }

    /// V7 for the entry's predecessors, V19.
    pub(super) fn phis(&mut self, cfg: &Cfg) {
        let f = self.f;
        let entry = f.entry();
        if let Some(&p) = cfg.preds(entry).first() {
            self.at = f.terminator(p);
            let (label, name) = (self.label(entry), self.mnemonic());
            self.report_about(
                Rule::Entry,
                Some(&label),
                format_args!("`{name}` leads to {label}, the first block, which control enters only once"),
            );
        }
        // An odd stamp marks the predecessors of the current block that no entry of the current phi has named; each phi
        // uses up two stamps.
        self.scratch.seen.reset(f.num_blocks());
        let mut stamp = 0u32;
        for b in f.layout().blocks() {
            for i in f.phis(b) {
                if self.sink.is_full() {
                    return;
                }
                stamp = stamp.wrapping_add(2);
                self.at = i;
                self.phi_entries(cfg, b, stamp);
            }
        }
    }

    /// V19 for one phi.
    fn phi_entries(&mut self, cfg: &Cfg, b: Block, stamp: u32) {
        let preds = cfg.preds(b);
        if preds.is_empty() {
            let block = self.label(b);
            return self.report(Rule::PhiEntries, format_args!("{block} has no predecessors, so it has no phis"));
        }
        for &p in preds {
            self.scratch.seen[p] = stamp;
        }
        let f = self.f;
        for (p, _) in f.phi_entries(self.at) {
            match *self.scratch.seen.get(p) {
                s if s == stamp => self.scratch.seen[p] = stamp + 1,
                s if s == stamp + 1 => {
                    let label = self.label(p);
                    self.report_about(Rule::PhiEntries, Some(&label), format_args!("two entries for {label}"));
                }
                _ => {
                    let (label, block) = (self.label(p), self.label(b));
                    let message = format_args!("{label} is not a predecessor of {block}");
                    self.report_about(Rule::PhiEntries, Some(&label), message);
                }
            }
        }
        for &p in preds {
            if *self.scratch.seen.get(p) == stamp {
                let (label, i) = (self.label(p), f.terminator(p));
                self.report_with(
                    Rule::PhiEntries,
                    format_args!("no entry for the predecessor {label}"),
                    f.loc_of(i),
                    format_args!("control comes from here"),
                );
            }
        }
    }
}

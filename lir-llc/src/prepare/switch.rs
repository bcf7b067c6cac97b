//! `switch` to branches: a binary search over the sorted cases.
//!
//! A switch of n cases becomes at most about 2n compare-and-branch blocks, log2(n) deep: each inner node tests
//! `x < pivot` (signed), each leaf `x == case`. Built from an explicit work list. Phis in the targets get an entry for
//! every new predecessor.
//!
//! Source: R. A. Sayle, "A Superoptimizer Analysis of Multiway Branch Code Generation", GCC Summit 2008, section 2
//! (decision trees); the plain balanced tree is what is taken from there.

use lir_syntax::ir::{Block, Function, Inst, InstData, IntCC, Opcode, Operand, Reg, SecondaryMap, Type};

/// The largest run of cases that is tested one after another.
const LINEAR: usize = 3;

/// Lowers every switch of a function.
pub fn lower_switches(f: &mut Function) {
    let mut at = f.layout().entry();
    while let Some(b) = at {
        at = f.layout().next_block(b);
        if let Some(i) = f.layout().last_inst(b)
            && f.inst(i).op == Opcode::Switch
        {
            lower(f, b, i);
        }
    }
}

struct Search {
    ty: Type,
    x: Reg,
    /// Ascending by value, without those that go to the default anyway.
    cases: Vec<(i64, Block)>,
    default: Block,
    loc: u32,
}

fn lower(f: &mut Function, b: Block, i: Inst) {
    let d = *f.inst(i);
    let succs = f.succs(b).to_vec();
    let values: Vec<i64> = f.switch_cases(i).map(|c| f.constant(c).expect("a case is a constant")).collect();
    let mut cases: Vec<(i64, Block)> = values.into_iter().zip(succs[1..].iter().copied()).collect();
    cases.retain(|c| c.1 != succs[0]);
    cases.sort_unstable();
    let search = Search { ty: d.ty, x: d.a.as_reg().expect("a register"), cases, default: succs[0], loc: f.loc_of(i) };
    f.remove_inst(i);
    f.set_succs(b, &[]);
    let mut targets = Targets { preds: SecondaryMap::new(), order: Vec::new() };
    let mut last = b;
    // Each item: a block without terminator, and the cases that are left there.
    let mut work = vec![(b, 0..search.cases.len())];
    while let Some((at, range)) = work.pop() {
        let cases = &search.cases[range.clone()];
        let mut new_block = || {
            let name = f.block(b).name.derived();
            let n = f.make_block(name);
            f.insert_block_after(n, last);
            last = n;
            n
        };
        if cases.len() > LINEAR {
            let mid = range.start + cases.len() / 2;
            let (low, high) = (new_block(), new_block());
            branch(f, &search, at, IntCC::Slt, search.cases[mid].0, low, high);
            work.push((high, mid..range.end));
            work.push((low, range.start..mid));
        } else if let Some(&(value, target)) = cases.first() {
            let rest = if cases.len() == 1 { search.default } else { new_block() };
            branch(f, &search, at, IntCC::Eq, value, target, rest);
            targets.add(target, at);
            if cases.len() == 1 {
                targets.add(rest, at);
            } else {
                work.push((rest, range.start + 1..range.end));
            }
        } else {
            f.append_inst(at, InstData::new(Opcode::Jmp, Type::I64), search.loc);
            f.set_succs(at, &[search.default]);
            targets.add(search.default, at);
        }
    }
    targets.update_phis(f, b);
}

fn branch(f: &mut Function, s: &Search, at: Block, cc: IntCC, value: i64, then: Block, otherwise: Block) {
    let (a, b) = (Operand::reg(s.x), f.make_const(value));
    f.append_inst(at, InstData { aux: cc as u8, a, b, ..InstData::new(Opcode::Br, s.ty) }, s.loc);
    f.set_succs(at, &[then, otherwise]);
}

/// The new predecessors of each target of the switch.
struct Targets {
    preds: SecondaryMap<Block, Vec<Block>>,
    order: Vec<Block>,
}

impl Targets {
    fn add(&mut self, target: Block, pred: Block) {
        if self.preds[target].is_empty() {
            self.order.push(target);
        }
        self.preds[target].push(pred);
    }
    fn update_phis(&self, f: &mut Function, switch: Block) {
        for &t in &self.order {
            let phis: Vec<Inst> = f.phis(t).collect();
            for phi in phis {
                let old: Vec<_> = f.phi_entries(phi).collect();
                let from = old.iter().find(|e| e.0 == switch).expect("a phi has an entry for each predecessor").1;
                let kept = old.into_iter().filter(|e| e.0 != switch);
                let new: Vec<_> = kept.chain(self.preds[t].iter().map(|p| (*p, from))).collect();
                f.set_phi_entries(phi, &new);
            }
        }
    }
}

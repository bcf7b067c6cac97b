//! Step 5: a branch whose outcome is known from the branch that leads to it.
//!
//! From a block with one predecessor, its only predecessors are followed up for a few steps. The edge that was taken at
//! each says that a condition holds, and that may decide the block's own.

use super::Registers;
use crate::analysis::Analyses;
use crate::condition::Condition;
use crate::edges::drop_stale_phi_entries;
use crate::pass::PassContext;
use lir_syntax::ir::{Block, Cfg, Format, Function, InstData, Opcode, Operand, Type};

/// How many branches are looked at above one. What lies further off, or is reached through joins, is for `gvn`.
const MAX_STEPS: usize = 8;
/// A switch with more targets says nothing, since all would be looked at for each of them.
const MAX_TARGETS: usize = 32;

/// Runs the step. Returns whether it changed anything. Blocks may be unreachable then.
pub fn run(f: &mut Function, registers: &mut Registers, cx: &mut PassContext<'_>) -> bool {
    let mut decided: Vec<(Block, Block)> = Vec::new();
    let cfg = cx.analyses.cfg(f);
    for &b in cfg.rpo() {
        if cfg.preds(b).len() == 1
            && f.succs(b).len() > 1
            && let Some(target) = decided_target(f, cfg, b)
            && registers.are_single(f, [f.inst(f.terminator(b)).a, f.inst(f.terminator(b)).b])
        {
            decided.push((b, target));
        }
    }
    let mut targets = Vec::new();
    for &(b, target) in &decided {
        let i = f.terminator(b);
        cx.remarks.done(f, i, "decided", |m| {
            m.text("a branch before it says that it goes to ").block(target);
        });
        targets.extend(f.succs(b).iter().filter(|s| **s != target));
        f.replace_inst(i, InstData::new(Opcode::Jmp, Type::I64));
        f.set_succs(b, &[target]);
    }
    drop_entries(f, cx.analyses, &mut targets);
    cx.stats.add("branches decided", decided.len() as u64);
    !decided.is_empty()
}

fn drop_entries(f: &mut Function, analyses: &mut Analyses, targets: &mut Vec<Block>) {
    if !targets.is_empty() {
        drop_stale_phi_entries(f, analyses.cfg(f), targets);
    }
}

/// Where the terminator of `b` goes, if that is known.
fn decided_target(f: &Function, cfg: &Cfg, b: Block) -> Option<Block> {
    let mut at = b;
    for _ in 0..MAX_STEPS {
        let &[p] = cfg.preds(at) else { return None };
        let format = f.inst(f.terminator(p)).op.format();
        let target = if format == Format::Branch {
            by_condition(f, b, branch_fact(f, p, at)?)
        } else if format == Format::Switch && f.succs(p).len() <= MAX_TARGETS {
            by_switch(f, b, p, at)
        } else {
            None
        };
        if target.is_some() {
            return target;
        }
        at = p;
    }
    None
}

/// What holds on the edge from `p` to `to`, where `p` ends in a branch.
pub fn branch_fact(f: &Function, p: Block, to: Block) -> Option<Condition> {
    let condition = Condition::of(f.inst(f.terminator(p)));
    match *f.succs(p) {
        [x, y] if x == y => None,
        [x, _] => Some(if x == to { condition } else { condition.inverted() }),
        _ => None,
    }
}

/// Where `b` goes when `fact` holds.
fn by_condition(f: &Function, b: Block, fact: Condition) -> Option<Block> {
    let d = f.inst(f.terminator(b));
    if d.op.format() == Format::Branch {
        let holds = Condition::of(d).decided_by(fact, f)?;
        Some(f.succs(b)[usize::from(!holds)])
    } else if d.op.format() == Format::Switch {
        let values = fact.values(f).filter(|v| fact.a == d.a && v.len == 1)?;
        Some(case_of(f, b, values.start))
    } else {
        None
    }
}

/// Where the switch of `b` goes for the integer with these bits.
fn case_of(f: &Function, b: Block, bits: u64) -> Block {
    let i = f.terminator(b);
    let payload = f.inst(i).ty.constant_payload(bits);
    let k = f.switch_cases(i).position(|c| f.constant(c) == Some(payload));
    f.succs(b)[k.map_or(0, |k| k + 1)]
}

/// Where `b` goes when control came to `to` from the switch of `p`.
fn by_switch(f: &Function, b: Block, p: Block, to: Block) -> Option<Block> {
    let switch = f.terminator(p);
    let (ty, x) = (f.inst(switch).ty, f.inst(switch).a);
    let targets = f.succs(p);
    let case = |k: Operand| Condition::equal(ty, x, k);
    let mut cases = f.switch_cases(switch).zip(&targets[1..]);
    if targets[0] != to {
        let mut here = cases.filter(|(_, t)| **t == to).map(|(k, _)| k);
        let (only, more) = (here.next()?, here.next());
        return if more.is_none() { by_condition(f, b, case(only)) } else { None };
    }
    // The default: none of the cases that go elsewhere, of which one may be what the branch is about.
    cases.find_map(|(k, t)| if *t == to { None } else { by_condition(f, b, case(k).inverted()) })
}

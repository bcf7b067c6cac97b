//! Facts about values of a function in SSA form: ranges, known bits, affine forms; and the readers of values, in either
//! form.

use super::comment_names::{label, name, name_of_base};
use crate::analysis::SsaView;
use crate::analysis::known_bits::KnownBits;
use crate::analysis::loops::LoopForest;
use crate::analysis::loops::affine::{Affine, AffineForms};
use crate::analysis::loops::induction::{LoopContext, LoopShape};
use crate::analysis::loops::nest::LoopNest;
use crate::analysis::ranges::{Around, ValueRanges};
use crate::integers::range::Range;
use lir_syntax::ir::{Cfg, DominatorTree, Function, Inst, Operand, Reg, SecondaryMap};
use lir_syntax::printer::FunctionPrinter;

/// Returns the range of each integer that an instruction assigns, as `vrp` knows it there.
pub(super) fn ranges(
    f: &Function,
    ssa: &SsaView,
    cfg: &Cfg,
    dominators: &DominatorTree,
) -> SecondaryMap<Inst, Option<Range>> {
    let mut found = SecondaryMap::new();
    let (mut ranges, around) = (ValueRanges::default(), Around { cfg, ssa });
    ranges.solve(f, dominators, around);
    for at in 0..ranges.num_positions() {
        let b = ranges.enter(f, around, at);
        for i in f.layout().insts(b) {
            ranges.step(f, around.ssa, i);
            if let Some(r) = f.def(i).filter(|r| f.type_of(*r).is_int()) {
                let range = ranges.of(f, Operand::reg(r), f.type_of(r));
                found[i] = Some(range).filter(|range| *range != Range::full(f.type_of(r).as_word()));
            }
        }
        ranges.leave(f, around, b);
    }
    found
}

/// Says the known bits of the integer that an instruction assigns, from the highest one: `0`, `1`, or `?`.
pub(super) fn say_bits(f: &Function, ssa: &SsaView, known: &mut KnownBits, i: Inst, say: &mut dyn FnMut(&[u8])) {
    let Some(r) = f.def(i).filter(|r| f.type_of(*r).is_int()) else { return };
    let ty = f.type_of(r);
    let bits = known.of(f, |r| ssa.def(r), Operand::reg(r), ty);
    if bits.zeros | bits.ones == 0 && bits.sign_bits == 1 {
        return;
    }
    let digit = |k: u32| match (bits.zeros >> k & 1, bits.ones >> k & 1) {
        (0, 0) => '?',
        (0, _) => '1',
        _ => '0',
    };
    let digits: String = (0..ty.bits()).rev().map(digit).collect();
    let sign = if bits.sign_bits > 1 { format!(", {} equal upper bits", bits.sign_bits) } else { String::new() };
    say(format!("bits {digits}{sign}").as_bytes());
}

/// Returns the affine form of each register that a loop assigns, in its innermost loop.
pub(super) fn affine_forms(
    f: &Function,
    ssa: &SsaView,
    cfg: &Cfg,
    (dom, forest): (&DominatorTree, &LoopForest),
) -> SecondaryMap<Inst, Option<Affine>> {
    let mut found = SecondaryMap::new();
    let mut nest = LoopNest::default();
    nest.recompute(f, cfg, forest);
    let loops = LoopContext { f, ssa, cfg, dom, forest, nest: &nest };
    for shape in nest.headers().iter().filter_map(|h| LoopShape::of(f, cfg, dom, *h)) {
        let mut forms = AffineForms::default();
        for i in nest.own_blocks(shape.header).iter().flat_map(|b| f.layout().insts(*b)) {
            forms.add(&loops, &shape, i);
            found[i] = f.def(i).and_then(|r| forms.get(r));
        }
    }
    found
}

/// Says an affine form, if it is one of a value that changes: `8*%i + %p + 4, grows by 8`.
pub(super) fn say_affine(printer: &FunctionPrinter<'_>, form: &Affine, say: &mut dyn FnMut(&[u8])) {
    if form.stride == 0 {
        return;
    }
    let mut text = String::new();
    let mut add = |negative: bool, term: String| {
        text += match (text.is_empty(), negative) {
            (true, false) => "",
            (true, true) => "-",
            (false, false) => " + ",
            (false, true) => " - ",
        };
        text += &term;
    };
    for &(term, factor) in &form.terms {
        let (of, by) = (name_of_base(printer, term), factor.unsigned_abs());
        add(factor < 0, if by == 1 { of } else { format!("{by}*{of}") });
    }
    if form.constant != 0 || form.terms.is_empty() {
        add(form.constant < 0, form.constant.unsigned_abs().to_string());
    }
    say(format!("{text}, grows by {}", form.stride).as_bytes());
}

/// Returns the instructions that read each register, each once.
pub(super) fn readers(f: &Function) -> SecondaryMap<Reg, Vec<Inst>> {
    let mut readers: SecondaryMap<Reg, Vec<Inst>> = SecondaryMap::new();
    for i in f.layout().all_insts() {
        f.for_each_use(i, |r| {
            if readers[r].last() != Some(&i) {
                readers[r].push(i);
            }
        });
    }
    readers
}

/// Says which instructions read a register: by their results, or by mnemonic and block.
pub(super) fn say_readers(f: &Function, printer: &FunctionPrinter<'_>, readers: &[Inst], say: &mut dyn FnMut(&[u8])) {
    let reader = |i: &Inst| match (f.def(*i), f.layout().block_of(*i)) {
        (Some(r), _) => name(printer, r),
        (None, Some(b)) => format!("{} in {}", f.inst(*i).op.mnemonic(), label(printer, b)),
        (None, None) => f.inst(*i).op.mnemonic().to_string(),
    };
    let names: Vec<String> = readers.iter().map(reader).collect();
    say(if names.is_empty() { "not read".to_string() } else { format!("read by {}", names.join(", ")) }.as_bytes());
}

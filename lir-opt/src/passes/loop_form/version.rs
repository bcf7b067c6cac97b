//! Loop versioning: loops up to a bound without the case that they never end (`loop-version`).
//!
//! A loop `for (i = 1; i <= n; i++)` ends, unless n is the greatest number of its type: then i wraps, and the loop goes
//! on. This pass makes a copy of such a loop for that case, so that the counter of the other one does not overflow and
//! can be counted in 64 bits by [`indvars`](crate::passes::indvars).
//!
//! # Example
//!
//! ```text
//! before:                                      before:
//!   jmp loop                                     br eq i32 %n, 2147483647, loop.1, before.1
//!                                              before.1:
//!                                                jmp loop
//! loop:                                        loop:
//!   %i = phi i32 [1, before], [%j, loop]         %i = phi i32 [1, before.1], [%j, loop]
//!   %w = sext i32 %i to i64                      ..
//!   store i32 [%p + %w*4], %i            =>      br sle i32 %j, %n, loop, done
//!   %j = add i32 %i, 1                         loop.1:
//!   br sle i32 %j, %n, loop, done                %i.1 = phi i32 [1, before], [%j.1, loop.1]
//!                                                ..
//! done:                                          br sle i32 %j.1, %n, loop.1, done
//! ```
//!
//! # Algorithm
//!
//! 1. An innermost loop without calls, of at most `max` instructions, is looked at if it is left at its end by a test
//!    of a counter against a bound that is the same in all iterations, by `sle` or `ule` upwards or by `sge` or `uge`
//!    downwards, in steps of one; and if it extends the counter, or a sum of it with a constant, to 64 bits. It is left
//!    alone where the counter is known not to overflow.
//! 2. Its blocks are copied, registers included. The block before it branches to the copy where the bound is the number
//!    beyond which the counter would wrap.
//! 3. SSA form is made again, which tells the registers of the copies apart.
//!
//! # Why it is sound
//!
//! Both loops do what the loop did, and one of them is entered.
//!
//! # Cost and limits
//!
//! Linear, but for SSA form. 13 loops of zstd have such a test, 3 of SQLite. Loops inside of which there is another one
//! are not copied: there an extension an iteration is little.
//!
//! # Source
//!
//! LLVM's `LoopVersioning`, which checks that pointers do not overlap and sums do not wrap; the condition here is that
//! of the one sum. Compilers of C need none: there the overflow of a signed counter is undefined.

use crate::analysis::loops::induction::{Induction, LoopContext, LoopShape, Sign, Test};
use crate::analysis::loops::nest::LoopNest;
use crate::analysis::{Preserved, SsaView};
use crate::pass::remarks::{Event, Remarks};
use crate::pass::{OptionInfo, OptionKind, Pass, PassContext, PassInfo, SsaPass};
use crate::passes::ssa::make_ssa;
use lir_syntax::ir::{Block, Effects, Format, Function, InstData, IntCC, Opcode, Operand, PackedOption};
use lir_syntax::ir::{SecondaryMap, Type};

/// The row of the registry.
pub(crate) static INFO: PassInfo = PassInfo {
    name: "loop-version",
    summary: "copy a loop for the case that its counter wraps, which it does not in the other (needs SSA form)",
    options: &[OptionInfo {
        name: "max",
        kind: OptionKind::Number { default: 60, max: 10_000 },
        summary: "how many instructions the loop may have",
    }],
    build: |options| Pass::Ssa(Box::new(LoopVersion { max: options.number("max") as usize })),
};

struct LoopVersion {
    max: usize,
}

impl SsaPass for LoopVersion {
    fn run(&self, f: &mut Function, ssa: &SsaView, cx: &mut PassContext<'_>) -> Preserved {
        if cx.analyses.cfg(f).is_acyclic(f) {
            return Preserved::All;
        }
        let mut nest = cx.scratch.take::<LoopNest>();
        let (cfg, dom, forest) = cx.analyses.loops(f);
        nest.recompute(f, cfg, forest);
        let context = LoopContext { f, ssa, cfg, dom, forest, nest: &nest };
        let remarks = &mut *cx.remarks;
        let chosen: Vec<Version> = nest.headers().iter().filter_map(|h| self.choose(&context, *h, remarks)).collect();
        let mut copier = Copier::default();
        copier.copy_of.reset(f.num_blocks());
        for version in &chosen {
            let header = version.shape.header;
            cx.remarks.done(f, f.terminator(version.shape.latch), Event::Versioned(header));
            copier.copy(f, nest.own_blocks(header), version);
        }
        cx.scratch.give_back(nest);
        if !chosen.is_empty() {
            make_ssa(f, cx);
        }
        cx.stats.add("loops copied", chosen.len() as u64);
        Preserved::none_if(!chosen.is_empty())
    }
}

/// A loop to be copied.
struct Version {
    shape: LoopShape,
    ty: Type,
    bound: Operand,
    /// The bound up to which the counter wraps.
    wraps_at: i64,
}

impl LoopVersion {
    /// Step 1.
    fn choose(&self, cx: &LoopContext<'_>, header: Block, remarks: &mut Remarks) -> Option<Version> {
        let shape = LoopShape::of(cx.f, cx.cfg, cx.dom, header)?;
        let blocks = cx.nest.own_blocks(header);
        if cx.nest.size(header) != blocks.len() || blocks.iter().any(|b| cx.forest.is_irreducible_entry(*b)) {
            return None;
        }
        let counters = cx.f.phis(header).filter(|phi| cx.f.inst(*phi).ty.is_int() && cx.f.inst(*phi).ty.bits() <= 32);
        let (iv, test, sign) = counters.filter_map(|phi| cx.induction(&shape, phi)).find_map(|iv| {
            let test = cx.test(&shape, &iv, shape.latch)?;
            let sign = wrapping_sign(&iv, &test)?;
            let is_known = cx.constant(test.bound).is_some()
                || cx.holds_before(&shape, cx.f.type_of(iv.value), test.bound, |cc, _| cc == IntCC::Eq);
            (!is_known && reads_extended(cx, blocks, &iv, sign)).then_some((iv, test, sign))
        })?;
        let overflows = |t: Test| !cx.proves_no_overflow(&shape, &iv, &t, sign);
        if !blocks.iter().filter_map(|b| cx.any_test(&shape, &iv, *b)).all(overflows) {
            return None;
        }
        let insts = || blocks.iter().flat_map(|b| cx.f.layout().insts(*b));
        if insts().nth(self.max).is_some() || insts().any(|i| cx.f.inst(i).op.effects().has(Effects::OTHER)) {
            remarks.missed(cx.f, cx.f.terminator(shape.latch), Event::NotCopied(self.max));
            return None;
        }
        let ty = cx.f.type_of(iv.value);
        let wraps_at = if iv.step > 0 { sign.full(ty).hi } else { sign.full(ty).lo };
        Some(Version { shape, ty, bound: test.bound, wraps_at: ty.sign_extend(wraps_at as u64) })
    }
}

/// The numbers as which a variable wraps behind the last one.
fn wrapping_sign(iv: &Induction, test: &Test) -> Option<Sign> {
    match (test.stay, iv.step) {
        (IntCC::Sle, 1) | (IntCC::Sge, -1) => Some(Sign::Signed),
        (IntCC::Ule, 1) | (IntCC::Uge, -1) => Some(Sign::Unsigned),
        _ => None,
    }
}

/// True if a loop extends a variable to 64 bits. Its next value and sums with constants count as well.
fn reads_extended(cx: &LoopContext<'_>, blocks: &[Block], iv: &Induction, sign: Sign) -> bool {
    let is_variable = |r| r == iv.value || r == iv.next;
    blocks.iter().flat_map(|b| cx.f.layout().insts(*b)).any(|i| {
        let d = cx.f.inst(i);
        let of = (d.op == sign.extension() && d.to_type() == Type::I64).then(|| d.first().as_reg()).flatten();
        let summand = |r| cx.ssa.def(r).and_then(|i| cx.sum(i)).map(|(summand, _)| summand);
        of.is_some_and(|r| is_variable(r) || summand(r).is_some_and(is_variable))
    })
}

/// Copies loops.
#[derive(Default)]
struct Copier {
    copy_of: SecondaryMap<Block, PackedOption<Block>>,
    targets: Vec<Block>,
}

impl Copier {
    /// Step 2 for a loop of these blocks.
    fn copy(&mut self, f: &mut Function, blocks: &[Block], version: &Version) {
        let Version { shape, ty, bound, wraps_at } = *version;
        let mut last = shape.latch;
        for &b in blocks {
            let copy = f.make_block(f.block(b).name.derived());
            f.insert_block_after(copy, last);
            last = copy;
            self.copy_of[b] = copy.into();
        }
        for &b in blocks {
            self.copy_block(f, b);
        }
        let (before, copy) = (shape.preheader, self.copy_of(shape.header));
        let entry = f.make_block(f.block(before).name.derived());
        f.insert_block_after(entry, before);
        let jump = f.terminator(before);
        f.append_inst(entry, InstData::new(Opcode::Jmp, Type::I64), f.loc_of(jump));
        f.set_succs(entry, &[shape.header]);
        f.map_phi_preds(shape.header, |p| if p == before { entry } else { p });
        let never_ends = InstData::new(Opcode::Br, ty).with_first(bound).with_second(f.make_const(wraps_at));
        f.replace_inst(jump, never_ends.with_predicate(IntCC::Eq));
        f.set_succs(before, &[copy, entry]);
        for &b in blocks {
            self.copy_of[b] = PackedOption::NONE;
        }
    }
    /// The copy of a block of the loop; another one itself.
    fn copy_of(&self, b: Block) -> Block {
        self.copy_of[b].expand().unwrap_or(b)
    }
    /// Makes the instructions of a copy. The phis behind the loop get entries for it.
    fn copy_block(&mut self, f: &mut Function, b: Block) {
        let copy = self.copy_of(b);
        let mut next = f.layout().first_inst(b);
        while let Some(i) = next {
            next = f.layout().next_inst(i);
            let data = match f.inst(i).op.format() {
                Format::Phi => {
                    let entries: Vec<(Block, Operand)> = f.phi_entries(i).map(|(p, o)| (self.copy_of(p), o)).collect();
                    let list = f.make_phi(&entries);
                    f.inst(i).with_list(list)
                }
                _ => f.copy_inst_data(i),
            };
            f.append_inst(copy, data, f.loc_of(i));
        }
        self.targets.clear();
        self.targets.extend_from_slice(f.succs(b));
        for k in 0..self.targets.len() {
            let target = self.targets[k];
            match self.copy_of[target].expand() {
                Some(inside) => self.targets[k] = inside,
                None if self.targets[..k].contains(&target) => {}
                None => f.add_phi_pred_like(target, b, copy),
            }
        }
        f.set_succs(copy, &self.targets);
    }
}

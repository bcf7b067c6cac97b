//! Step 2: finds loops that write the same value in each iteration, or the values that they read, and do nothing else.

use super::pieces::{Element, MAX_INSTRUCTIONS, writes};
use super::surroundings::Surroundings;
use crate::analysis::alias::AliasOracle;
use crate::analysis::effects::is_removable;
use crate::analysis::loops::affine::AffineForms;
use crate::analysis::loops::induction::{LoopContext, LoopShape};
use crate::analysis::loops::trips::Trips;
use crate::pass::remarks::Common;
use crate::passes::loop_idiom::events::Event;
use lir_syntax::ir::{Block, Decls, Format, Function, Inst, Reg};

/// Limit on the instructions of a block next to a loop that are examined, from the last: they compute the last values.
const MAX_BELOW: usize = 64;
/// Edges to the exit of a loop. `loop-simplify` gives loops exits of their own.
const MAX_EXIT_EDGES: usize = 64;

/// A loop that fills or copies.
pub(super) struct Idiom {
    pub shape: LoopShape,
    /// Its blocks, in execution order.
    pub blocks: Vec<Block>,
    /// The exit block of the loop.
    pub exit: Block,
    pub element: Element,
    /// The access whose line a fault has.
    pub blamed: Inst,
    pub trips: Trips,
    pub forms: AffineForms,
    /// The registers of the loop that are read after it.
    pub read_after: Vec<Reg>,
    /// The ones that are read elsewhere than in phis of the exit.
    pub read_directly: Vec<Reg>,
}

/// A loop that does nothing but write, with its number of iterations. Nothing is known about memory yet.
pub(super) struct Candidate {
    shape: LoopShape,
    blocks: Vec<Block>,
    exit: Block,
    pub first_write: Inst,
    pub trips: Trips,
    forms: AffineForms,
}

impl Candidate {
    /// Examines a loop whose blocks form a chain, and which writes.
    pub(super) fn of<'a>(
        cx: &LoopContext<'a>,
        decls: &Decls,
        blocks: &[Block],
        first_write: Inst,
    ) -> Result<Candidate, Event> {
        let header = blocks[0];
        let shape = LoopShape::of(cx.f, cx.cfg, cx.dom, header).ok_or(Common::NoPreheader(header))?;
        let &[then, other] = cx.f.succs(shape.latch) else { return Err(Event::CountNotKnown) };
        let exit = if then == header { other } else { then };
        if cx.cfg.preds(exit).len() > MAX_EXIT_EDGES {
            return Err(Event::LoopsShareExit(MAX_EXIT_EDGES));
        }
        if is_alternative(cx, &shape, exit) {
            return Err(Event::KeptForShortRuns);
        }
        let forms = forms(cx, decls, &shape, blocks)?;
        let trips = trips(cx, &shape).ok_or(Event::CountNotKnown)?;
        Ok(Candidate { shape, blocks: blocks.to_vec(), exit, first_write, trips, forms })
    }
    /// Examines its writes.
    pub(super) fn recognize<'a>(
        self,
        cx: &LoopContext<'a>,
        decls: &Decls,
        alias: &AliasOracle,
    ) -> Result<Idiom, Event> {
        let Candidate { shape, blocks, exit, trips, forms, .. } = self;
        let element = Surroundings { cx, decls, alias, shape: &shape, blocks: &blocks, forms: &forms, trips: &trips }
            .element()?;
        let blamed = blamed(cx.f, decls, alias, &blocks, &element);
        let read_after = read_in_phis(cx, &forms, shape.latch, exit);
        Ok(Idiom { shape, blocks, exit, element, blamed, trips, forms, read_after, read_directly: Vec::new() })
    }
}

/// Returns the access whose line a fault has: the first one that may fault.
fn blamed(f: &Function, decls: &Decls, alias: &AliasOracle, blocks: &[Block], element: &Element) -> Inst {
    let write = element.first_write();
    let writable = alias.location(f, write).is_some_and(|l| alias.is_writable(decls, &l));
    if element.stored.copied().is_none() || !writable {
        return write;
    }
    let mut insts = blocks.iter().flat_map(|b| f.layout().insts(*b));
    insts.find(|i| element.has_source(*i)).unwrap_or(write)
}

/// Returns the forms of the registers of a loop that does nothing but write.
fn forms<'a>(cx: &LoopContext<'a>, decls: &Decls, shape: &LoopShape, blocks: &[Block]) -> Result<AffineForms, Event> {
    let f = cx.f;
    let mut forms = AffineForms::default();
    for i in blocks.iter().flat_map(|b| f.layout().insts(*b)) {
        let harmless = is_removable(decls, f, i) || f.inst(i).op.is_terminator() || writes(f, i);
        if !harmless || f.inst(i).is_volatile() {
            return Err(Event::LoopDoesMore(i));
        }
        if forms.len() == MAX_INSTRUCTIONS {
            return Err(Event::LoopDoesMuch(MAX_INSTRUCTIONS));
        }
        forms.add(cx, shape, i);
    }
    Ok(forms)
}

/// Returns the blocks of a loop from header to latch, if they form a chain. Each of them leads only to the next one.
pub(super) fn chain_of<'a>(cx: &LoopContext<'a>, header: Block) -> Option<&'a [Block]> {
    let blocks = cx.nest.own_blocks(header);
    // Unreachable blocks belong to a loop inside that became a block operation.
    let comes_from = |b: Block, p: Block| cx.cfg.preds(b).iter().all(|q| *q == p || !cx.cfg.is_reachable(*q));
    let leads = |pair: &[Block]| cx.f.succs(pair[0]) == [pair[1]] && comes_from(pair[1], pair[0]);
    let is_row = cx.nest.size(header) == blocks.len() && blocks.windows(2).all(leads);
    (is_row && !cx.forest.is_irreducible_entry(header)).then_some(blocks)
}

/// Returns the first instruction of a loop that writes.
pub(super) fn first_write(f: &Function, blocks: &[Block]) -> Option<Inst> {
    blocks.iter().flat_map(|b| f.layout().insts(*b)).find(|i| writes(f, *i))
}

/// True if a block operation does the long runs of the loop already: see step 4 of the pass.
fn is_alternative(cx: &LoopContext<'_>, shape: &LoopShape, exit: Block) -> bool {
    let f = cx.f;
    let &[above] = cx.cfg.preds(shape.preheader) else { return false };
    let other = f.succs(above).iter().copied().find(|b| *b != shape.preheader);
    let Some(other) = other.filter(|_| f.succs(above).len() == 2) else { return false };
    let &[next] = f.succs(other) else { return false };
    let is_block_operation = |i: Inst| matches!(f.inst(i).op.format(), Format::MemFill | Format::MemCopy);
    (next == exit || f.succs(exit) == [next]) && f.layout().insts_rev(other).take(MAX_BELOW).any(is_block_operation)
}

/// Returns the number of iterations, by whichever variable the loop is left.
fn trips(cx: &LoopContext<'_>, shape: &LoopShape) -> Option<Trips> {
    let ints = cx.f.phis(shape.header).filter(|phi| cx.f.inst(*phi).ty.is_int());
    ints.filter_map(|phi| cx.induction(shape, phi)).find_map(|iv| {
        let test = cx.test(shape, &iv, shape.latch)?;
        Trips::of(cx, shape, &iv, &test)
    })
}

/// Returns the registers of the loop in the entries of the exit's phis.
fn read_in_phis(cx: &LoopContext<'_>, forms: &AffineForms, latch: Block, exit: Block) -> Vec<Reg> {
    let entries = cx.f.phis(exit).flat_map(|phi| cx.f.phi_entries(phi));
    entries.filter(|(p, _)| *p == latch).filter_map(|(_, o)| o.as_reg()).filter(|r| forms.has(*r)).collect()
}

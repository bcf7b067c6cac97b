//! Step 2: loops that store the same in each iteration, or what they load, and do nothing else.

use super::trips::Trips;
use crate::analysis::alias::{AliasOracle, Location, Relation, Root};
use crate::analysis::effects::is_removable;
use crate::analysis::loops::induction::{LoopContext, LoopShape};
use crate::pass::remarks::Event;
use lir_syntax::ir::{Base, Block, Decls, Format, Function, Inst, InstData, Mem, Opcode, Operand, Reg, Type};

/// Instructions of a loop that is looked at. Each register is sought among them.
const MAX_INSTRUCTIONS: usize = 48;
/// Edges to the exit of a loop. `loop-simplify` gives loops exits of their own.
const MAX_EXIT_EDGES: usize = 64;

/// A loop that fills or copies.
pub(super) struct Idiom {
    pub shape: LoopShape,
    /// Its blocks, in the order in which an iteration comes to them.
    pub blocks: Vec<Block>,
    /// The block that the loop is left for.
    pub exit: Block,
    pub store: Inst,
    pub stored: Stored,
    /// Bytes of the store.
    pub size: u32,
    /// True if each iteration stores below the last one.
    pub down: bool,
    /// The access whose line a fault has.
    pub blamed: Inst,
    pub trips: Trips,
    pub strides: Strides,
    /// The registers of the loop that are read behind it.
    pub read_behind: Vec<Reg>,
    /// Those of them that are read elsewhere than in phis of the exit.
    pub read_directly: Vec<Reg>,
}

/// The value that each iteration stores.
#[derive(Copy, Clone)]
pub(super) enum Stored {
    /// This byte everywhere.
    Byte(Operand),
    /// The value that a load of the same iteration gives.
    Copied(Copied),
}

impl Stored {
    pub(super) fn copied(&self) -> Option<&Copied> {
        if let Stored::Copied(copied) = self { Some(copied) } else { None }
    }
}

/// The loads of a loop that copies.
#[derive(Copy, Clone)]
pub(super) struct Copied {
    /// The load of each iteration.
    pub load: Inst,
    /// True if an iteration may read what a later one writes.
    pub may_overlap: bool,
    /// True if the load and the store may both fault, and it is not known which one does.
    pub either_faults: bool,
}

/// The growth of a loop's registers from one iteration to the next, modulo 2^width.
#[derive(Default)]
pub(super) struct Strides {
    of: Vec<(Reg, Option<i64>)>,
}

impl Strides {
    /// The stride of a register. 0 outside of the loop; none if it is not the same in all iterations.
    pub(super) fn of_reg(&self, r: Reg) -> Option<i64> {
        self.of.iter().find(|(x, _)| *x == r).map_or(Some(0), |(_, stride)| *stride)
    }
    /// True if the loop assigns a register.
    pub(super) fn has(&self, r: Reg) -> bool {
        self.of.iter().any(|(x, _)| *x == r)
    }
    fn of_operand(&self, o: Operand) -> Option<i64> {
        o.as_reg().map_or(Some(0), |r| self.of_reg(r))
    }
    fn of_mem(&self, m: Mem) -> Option<i64> {
        let base = if let Base::Reg(r) = m.base { self.of_reg(r)? } else { 0 };
        let index = m.index.map_or(Some(0), |r| self.of_reg(r))?;
        Some(base.wrapping_add(index.wrapping_mul(i64::from(m.scale))))
    }
    fn add(&mut self, cx: &LoopContext<'_>, shape: &LoopShape, i: Inst) {
        let Some(r) = cx.f.def(i) else { return };
        let stride = self.of_result(cx, shape, i).map(|s| match cx.f.type_of(r) {
            ty if ty.is_int() => ty.sign_extend(s as u64),
            _ => s,
        });
        self.of.push((r, stride));
    }
    fn of_result(&self, cx: &LoopContext<'_>, shape: &LoopShape, i: Inst) -> Option<i64> {
        let d = cx.f.inst(i);
        if d.op == Opcode::Phi {
            return if d.ty.is_int() { Some(cx.induction(shape, i)?.step) } else { None };
        }
        if !d.op.effects().is_pure() {
            return None;
        }
        let by = if d.op.format() == Format::Binary { cx.constant(d.second()) } else { None };
        match (d.op, by) {
            (Opcode::Lea, _) => self.of_mem(cx.f.mem(i)),
            (Opcode::Copy | Opcode::Trunc, _) => self.of_operand(d.first()),
            (Opcode::Add, _) => Some(self.of_operand(d.first())?.wrapping_add(self.of_operand(d.second())?)),
            (Opcode::Sub, _) => Some(self.of_operand(d.first())?.wrapping_sub(self.of_operand(d.second())?)),
            (Opcode::Mul, Some(k)) => Some(self.of_operand(d.first())?.wrapping_mul(k)),
            (Opcode::Shl, Some(k)) => Some(self.of_operand(d.first())? << (k as u64 % u64::from(d.ty.bits()))),
            _ => {
                let mut invariant = true;
                cx.f.for_each_use(i, |r| invariant &= self.of_reg(r) == Some(0));
                invariant.then_some(0)
            }
        }
    }
}

/// Looks at a loop whose blocks stand in a row, with a store.
pub(super) fn recognize<'a>(
    cx: &LoopContext<'a>,
    decls: &Decls,
    alias: &AliasOracle,
    blocks: &[Block],
    store: Inst,
) -> Result<Idiom, Event<'a>> {
    let (f, header) = (cx.f, blocks[0]);
    let shape = LoopShape::of(f, cx.cfg, cx.dom, header).ok_or(Event::NoPreheader(header))?;
    let &[then, other] = f.succs(shape.latch) else { return Err(Event::CountNotKnown) };
    let exit = if then == header { other } else { then };
    if cx.cfg.preds(exit).len() > MAX_EXIT_EDGES {
        return Err(Event::LoopsShareExit(MAX_EXIT_EDGES));
    }
    if is_alternative(cx, &shape, exit) {
        return Err(Event::KeptForShortRuns);
    }
    let strides = strides(cx, decls, &shape, (blocks, store))?;
    let size = f.inst(store).ty.bytes();
    let down = match strides.of_mem(f.mem(store)) {
        Some(s) if s == i64::from(size) => false,
        Some(s) if s == -i64::from(size) => true,
        _ => return Err(Event::NotSideBySide(store)),
    };
    let trips = trips(cx, &shape).ok_or(Event::CountNotKnown)?;
    let length = trips.known.map(|n| n.saturating_mul(u64::from(size)));
    let stored = stored(&Surroundings { cx, decls, alias, header }, &strides, store, (down, length))?;
    let writable = alias.location(f, store).is_some_and(|l| alias.is_writable(decls, &l));
    let blamed = stored.copied().map(|c| c.load).filter(|_| writable).unwrap_or(store);
    let read_behind = read_in_phis(cx, &strides, shape.latch, exit);
    Ok(Idiom {
        shape,
        blocks: blocks.to_vec(),
        exit,
        store,
        stored,
        size,
        down,
        blamed,
        trips,
        strides,
        read_behind,
        read_directly: Vec::new(),
    })
}

/// The growth of the registers of a loop that does nothing but this store.
fn strides<'a>(
    cx: &LoopContext<'a>,
    decls: &Decls,
    shape: &LoopShape,
    (blocks, store): (&[Block], Inst),
) -> Result<Strides, Event<'a>> {
    let f = cx.f;
    let mut strides = Strides::default();
    for i in blocks.iter().flat_map(|b| f.layout().insts(*b)) {
        let harmless = is_removable(decls, f, i) || f.inst(i).op.is_terminator() || i == store;
        if !harmless || f.inst(i).is_volatile() {
            return Err(Event::LoopDoesMore(i));
        }
        if strides.of.len() == MAX_INSTRUCTIONS {
            return Err(Event::LoopDoesMuch(MAX_INSTRUCTIONS));
        }
        strides.add(cx, shape, i);
    }
    Ok(strides)
}

/// The blocks of a loop from header to latch, if they stand in a row. Each of them leads to the next one alone.
pub(super) fn chain_of<'a>(cx: &LoopContext<'a>, header: Block) -> Option<&'a [Block]> {
    let blocks = cx.nest.own_blocks(header);
    let leads = |pair: &[Block]| cx.f.succs(pair[0]) == [pair[1]] && cx.cfg.preds(pair[1]) == [pair[0]];
    let is_row = cx.nest.size(header) == blocks.len() && blocks.windows(2).all(leads);
    (is_row && !cx.forest.is_irreducible_entry(header)).then_some(blocks)
}

/// The first store of a loop. The others are what the loop does besides.
pub(super) fn first_store(f: &Function, blocks: &[Block]) -> Option<Inst> {
    blocks.iter().flat_map(|b| f.layout().insts(*b)).find(|i| f.inst(*i).op == Opcode::Store)
}

/// True if a block operation does the long runs of the loop already: see step 4 of the pass.
fn is_alternative(cx: &LoopContext<'_>, shape: &LoopShape, exit: Block) -> bool {
    let f = cx.f;
    let &[above] = cx.cfg.preds(shape.preheader) else { return false };
    let other = f.succs(above).iter().copied().find(|b| *b != shape.preheader);
    let Some(other) = other.filter(|_| f.succs(above).len() == 2) else { return false };
    let &[next] = f.succs(other) else { return false };
    let is_block_operation = |i: Inst| matches!(f.inst(i).op.format(), Format::MemFill | Format::MemCopy);
    (next == exit || f.succs(exit) == [next]) && f.layout().insts(other).any(is_block_operation)
}

/// The byte that all bytes of a stored value are equal to: a constant, or a register of one byte that the loop does not
/// assign.
fn byte_of(cx: &LoopContext<'_>, header: Block, store: &InstData) -> Option<Operand> {
    let value = store.stored();
    if let Some(bits) = cx.constant(value) {
        let bytes = bits.to_le_bytes();
        let used = &bytes[..store.ty.bytes() as usize];
        let byte = Operand::small(i64::from(used[0] as i8));
        return byte.filter(|_| used.iter().all(|b| *b == used[0]));
    }
    (store.ty == Type::I8 && cx.is_invariant(header, value)).then_some(value)
}

/// The load in the same iteration that gives a value.
fn load_of(cx: &LoopContext<'_>, header: Block, value: Operand) -> Option<Inst> {
    let load = cx.ssa.def(value.as_reg()?)?;
    let d = cx.f.inst(load);
    (d.op == Opcode::Load && !cx.is_invariant(header, value)).then_some(load)
}

/// A loop, with what is known of memory.
struct Surroundings<'a, 'b> {
    cx: &'b LoopContext<'a>,
    decls: &'b Decls,
    alias: &'b AliasOracle,
    header: Block,
}

/// Finds the value that a loop stores, going `down` or up. `length`: the bytes of all iterations, if their number is
/// known.
fn stored<'a>(
    around: &Surroundings<'a, '_>,
    strides: &Strides,
    store: Inst,
    (down, length): (bool, Option<u64>),
) -> Result<Stored, Event<'a>> {
    let (cx, header) = (around.cx, around.header);
    if let Some(byte) = byte_of(cx, header, cx.f.inst(store)) {
        return Ok(Stored::Byte(byte));
    }
    let load = load_of(cx, header, cx.f.inst(store).stored()).ok_or(Event::BytesDiffer)?;
    if strides.of_mem(cx.f.mem(load)) != strides.of_mem(cx.f.mem(store)) {
        return Err(Event::NotSideBySide(load));
    }
    let copied = around.at_constant_distance(load, store, (down, length)).or_else(|| around.apart(load, store));
    copied.map(Stored::Copied).ok_or(Event::MayReadWritten(load))
}

impl Surroundings<'_, '_> {
    /// A copy within one object, at a constant distance. No iteration may read what one before it wrote: the load is
    /// ahead of the store, or nothing overlaps.
    fn at_constant_distance(&self, load: Inst, store: Inst, (down, length): (bool, Option<u64>)) -> Option<Copied> {
        let [to, from] = [store, load].map(|i| self.alias.location(self.cx.f, i));
        let (to, from) = to.zip(from)?;
        let distance = from.offset?.wrapping_sub(to.offset?);
        let is_same = to.root == from.root && to.root != Root::Unknown && to.index == from.index;
        let is_ahead = if down { distance <= 0 } else { distance >= 0 };
        let may_overlap = length.is_none_or(|n| distance.unsigned_abs() < n);
        let either_faults = !to.root.is_there();
        (is_same && (is_ahead || !may_overlap)).then_some(Copied { load, may_overlap, either_faults })
    }
    /// A copy that writes nothing that it reads, whatever the iterations. Where that is known because the loads are
    /// from constant data, the store may still be to the same, and faults.
    fn apart(&self, load: Inst, store: Inst) -> Option<Copied> {
        let is_fixed = |r: Reg| self.cx.is_invariant(self.header, Operand::reg(r));
        let [to, from] = [store, load].map(|i| self.alias.location(self.cx.f, i).map(|l| l.widen(is_fixed)));
        let (to, from) = to.zip(from)?;
        let is_apart = self.alias.write_relation(self.decls, &to, &from) == Relation::No;
        let may_overlap = self.alias.relation(self.decls, &to, &from) != Relation::No;
        is_apart.then(|| Copied { load, may_overlap, either_faults: self.may_both_fault(&to, &from) })
    }
    /// True for memory that was allocated and another object. A store to a constant faults, and so may the load before
    /// it.
    fn may_both_fault(&self, to: &Location, from: &Location) -> bool {
        let is_constant = matches!(to.root, Root::Symbol(s) if self.decls.data_of(s).is_some_and(|d| d.constant));
        let store_stays = to.root.is_there() && !is_constant;
        !store_stays && !from.root.is_there()
    }
}

/// The number of iterations, by whichever variable the loop is left.
fn trips(cx: &LoopContext<'_>, shape: &LoopShape) -> Option<Trips> {
    let ints = cx.f.phis(shape.header).filter(|phi| cx.f.inst(*phi).ty.is_int());
    ints.filter_map(|phi| cx.induction(shape, phi)).find_map(|iv| {
        let test = cx.test(shape, &iv, shape.latch)?;
        Trips::of(cx, shape, &iv, &test)
    })
}

/// The registers of the loop in the entries of the exit's phis.
fn read_in_phis(cx: &LoopContext<'_>, strides: &Strides, latch: Block, exit: Block) -> Vec<Reg> {
    let entries = cx.f.phis(exit).flat_map(|phi| cx.f.phi_entries(phi));
    entries.filter(|(p, _)| *p == latch).filter_map(|(_, o)| o.as_reg()).filter(|r| strides.has(*r)).collect()
}

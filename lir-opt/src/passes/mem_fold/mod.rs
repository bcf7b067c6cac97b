//! Address arithmetic into memory operands (`mem-fold`).
//!
//! Replaces registers of memory operands by their operands, where `[base + index*scale + disp]` can express these.
//!
//! # Example
//!
//! ```text
//! entry:                                       entry:
//!   %t = shl i64 %i, 3                           %t = shl i64 %i, 3
//!   %q = add i64 %p, %t                          %q = add i64 %p, %t
//!   %a = load i64 [%q]                    =>     %a = load i64 [%p + %i*8]
//!   store i64 [%q + 8], %a                       store i64 [%p + %i*8 + 8], %a
//! ```
//!
//! `dce` removes instructions that are no longer read.
//!
//! # Algorithm
//!
//! 1. `add`, `sub`, `shl`, `mul` and `copy` of i64 and `lea` are *links*: their result is written as a memory operand
//!    ([`AddressFolder::as_mem`]). A sum of two registers has the one that is a product as its index, and the address
//!    of an object as its base.
//! 2. Links that are a constant distance from an object are found first. Then, from the last use to the first
//!    (postorder, blocks from their ends): count the uses of each register, the uses as the base of a memory operand,
//!    the uses as the index, and whether the other slot is occupied there. A use by a link that will be folded counts
//!    as the uses of its result. At its definition it is decided whether a link is folded (below).
//! 3. From the first to the last: the operand of a link that is folded is folded and remembered, so that its chain need
//!    not be walked again; the operands of all other instructions are folded and replaced.
//!
//! # Folded links
//!
//! Folding may keep two registers live in place of one, so:
//!
//! - `[$object + disp]`, which needs no register, always; the address of a symbol defined here only if there is no
//!   index (with one, a register for the address is needed anyway, and one for all uses is better).
//! - `[%x + disp]`, `[%x*scale + disp]` and `[$object + %x*scale + disp]` if that lets the link die, so that %x takes
//!   the place of its result: it can be folded into all uses. In any block.
//! - `[%x*scale]` into slots for an index, where it does not die, but %x is used after all of them anyway: no register
//!   is live for longer, and the address need not wait for the product.
//! - `[%x + %y*scale + disp]` if it can be folded into all uses and these are in the block of the link: then both
//!   registers are mostly live there anyway. A sum that was moved out of a loop stays outside.
//!
//! Selection (`lir-llc`, `isel`) folds links with a single use, and addresses of objects, itself. The gains of this
//! pass beyond that: links with several uses, which `gvn` makes from equal ones; and addresses that name their object,
//! for all passes that query memory. After `gvn` the code of the kernels is up to 5 % smaller (hashmap; edit 3.5 %,
//! none larger), and 7 % fewer instructions in fannkuch.
//!
//! # Why it is sound
//!
//! The function is in SSA form: the operands of a link dominate it, and so all uses of its result, and never change.
//! Sums are modulo 2^64 on both sides, and a displacement is folded only where the exact result fits 32 signed bits.
//! The base of an address keeps its object: a register known to be one is never made the index of another. An access to
//! constant bytes is not folded where these are not in the object, which the verifier rejects: there it is a fault when
//! executed.
//!
//! # Cost and limits
//!
//! Two linear walks. Uses in phis, comparisons and stores of the address keep a link whole.
//!
//! # Source
//!
//! Folklore of instruction selection; the rules for registers are from the address sinking in LLVM's CodeGenPrepare
//! ("AddressingModeMatcher": profitable where the folded instruction dies), restricted to the ones that need no
//! liveness.

mod events;
mod refusals;

use crate::analysis::Preserved;
use crate::analysis::SsaView;
use crate::analysis::bounds::{MAX_SYMBOL_OFFSET, stays_inside};
use crate::pass::remarks::Remarks;
use crate::pass::{Pass, PassContext, PassInfo, SsaPass};
use crate::passes::mem_fold::events::Event;
use lir_syntax::ir::{
    Base, Block, Decls, Format, Function, Inst, Mem, Opcode, PackedOption, Reg, SecondaryMap, Sym, Type,
};

/// The row of the registry.
pub(crate) static INFO: PassInfo = PassInfo {
    name: "mem-fold",
    summary: "fold address arithmetic into memory operands",
    options: &[],
    build: |_| Pass::Ssa(Box::new(MemFold)),
};

/// Limit on the sums with constants that are looked through for a product.
const MAX_CONSTANTS: u32 = 3;

struct MemFold;

impl SsaPass for MemFold {
    fn run(&self, f: &mut Function, ssa: &SsaView, cx: &mut PassContext<'_>) -> Preserved {
        let mut scratch = cx.scratch.take::<AddressFoldingScratch>();
        let order = cx.analyses.cfg(f).rpo();
        scratch.links.reset(f.num_regs());
        let mut folder = AddressFolder { ssa, decls: cx.decls, scratch: &mut scratch, counted: 0 };
        let any_object = folder.find_objects(f, order);
        let any_link = folder.count_uses(f, order);
        let folded = if any_object || any_link { folder.fold_all(f, order, cx.remarks) } else { 0 };
        if cx.remarks.on() {
            folder.report_unfolded_addresses(f, order, cx.remarks);
        }
        cx.stats.add("memory operands changed", folded);
        cx.scratch.give_back(scratch);
        Preserved::cfg_if(folded != 0)
    }
}

/// The facts about a register.
#[derive(Copy, Clone, Default)]
struct Link {
    /// True if it is a constant distance from an object: then `mem` is this address.
    is_object: bool,
    /// Uses that were counted.
    uses: u32,
    /// The uses where it may be folded, judged by the use alone.
    foldable: u32,
    /// True if it is the base of an operand somewhere. As a base next to an index; as an index.
    as_base: bool,
    beside_index: bool,
    as_index: bool,
    /// True if the uses are in different blocks.
    several_blocks: bool,
    /// The block of the uses so far.
    block: PackedOption<Block>,
    /// Number of instructions before the last use, and before the last one as an index.
    last_use: u32,
    last_as_index: u32,
    /// The operand to write in its place (step 3).
    mem: Option<Mem>,
    /// True if that is so only where it is an index.
    only_as_index: bool,
}

#[derive(Default)]
struct AddressFoldingScratch {
    links: SecondaryMap<Reg, Link>,
    mems: Vec<Mem>,
}

struct AddressFolder<'a> {
    ssa: &'a SsaView,
    decls: &'a Decls,
    scratch: &'a mut AddressFoldingScratch,
    /// The instructions that were counted: in step 2 the smaller number is below.
    counted: u32,
}

impl AddressFolder<'_> {
    /// Step 1: the result of a link as a memory operand.
    ///
    /// # Errors
    /// The instruction is not a link: the reason, where it is nearly one.
    fn as_mem(&self, f: &Function, i: Inst) -> Result<Mem, Option<Event>> {
        let d = f.inst(i);
        if d.op.format() == Format::Address {
            return Ok(f.mem(i));
        }
        if d.ty != Type::I64 || !matches!(d.op.format(), Format::Binary | Format::Unary) {
            return Err(None);
        }
        let a = d.first().as_reg().ok_or(None)?;
        match (d.op, f.constant(d.second())) {
            (Opcode::Copy, _) => Ok(Mem::reg(a)),
            (Opcode::Shl | Opcode::Mul, Some(k)) => {
                let scale = scale_of(d.op, k).ok_or(Event::NoSuchScale)?;
                Ok(Mem::base_disp(Base::None, 0).indexed(a, scale))
            }
            (Opcode::Add | Opcode::Sub, Some(k)) => {
                let k = if d.op == Opcode::Sub { k.wrapping_neg() } else { k };
                Ok(Mem::base_disp(Base::Reg(a), i32::try_from(k).map_err(|_| Event::WideDisplacement)?))
            }
            (Opcode::Add, None) => {
                let b = d.second().as_reg().ok_or(None)?;
                let exchange = self.is_object(f, b) || (self.is_product(f, a) && !self.is_product(f, b));
                let (base, index) = if exchange && !self.is_object(f, a) { (b, a) } else { (a, b) };
                Ok(Mem::reg(base).indexed(index, 1))
            }
            (Opcode::Sub, None) => Err(Some(Event::Difference)),
            _ => Err(None),
        }
    }
    /// True if a register is the address of an object.
    fn is_object(&self, f: &Function, r: Reg) -> bool {
        let names_object =
            |i| f.inst(i).op.format() == Format::Address && matches!(f.mem(i).base, Base::Obj(_) | Base::Sym(_));
        self.scratch.links[r].is_object || self.ssa.def(r).is_some_and(names_object)
    }
    /// True if a register is another times a scale, some constants away.
    fn is_product(&self, f: &Function, r: Reg) -> bool {
        let mut at = Some(r);
        for _ in 0..MAX_CONSTANTS {
            let Some(i) = at.and_then(|r| self.ssa.def(r)) else { return false };
            let d = f.inst(i);
            if d.op.format() != Format::Binary {
                return false;
            }
            let Some(k) = f.constant(d.second()) else { return false };
            if scale_of(d.op, k).is_some() {
                return true;
            }
            at = if matches!(d.op, Opcode::Add | Opcode::Sub) { d.first().as_reg() } else { None };
        }
        false
    }

    /// Step 2: links to objects. Returns whether there are any.
    fn find_objects(&mut self, f: &Function, order: &[Block]) -> bool {
        let mut any = false;
        for i in order.iter().flat_map(|b| f.layout().insts(*b)) {
            if f.inst(i).op.format() == Format::Phi {
                // Phis read along back edges, too: their uses are counted before the uses below them.
                f.for_each_use(i, |r| self.scratch.links[r].uses += 1);
                continue;
            }
            let Some((r, m)) = f.def(i).zip(self.as_mem(f, i).ok()).filter(|(_, m)| m.index.is_none()) else {
                continue;
            };
            let mem = match m.base {
                Base::Obj(_) => Some(m),
                Base::Sym(s) => self.reaches(s, m.disp, i).is_ok().then_some(m),
                Base::Reg(x) if self.scratch.links[x].is_object => self.fold_base(m, i).ok(),
                Base::Reg(_) | Base::None => None,
            };
            if mem.is_some() {
                (self.scratch.links[r].mem, self.scratch.links[r].is_object) = (mem, true);
                any = true;
            }
        }
        any
    }
    /// Step 2: the other links. Returns whether any is folded.
    fn count_uses(&mut self, f: &Function, order: &[Block]) -> bool {
        let mut any = false;
        for &b in order.iter().rev() {
            for i in f.layout().insts_rev(b) {
                if f.inst(i).op.format() == Format::Phi {
                    break;
                }
                self.counted += 1;
                f.for_each_use(i, |r| {
                    let link = &mut self.scratch.links[r];
                    // The uses of phis were counted at 0.
                    link.last_use = if link.uses == 0 { self.counted } else { link.last_use };
                    link.uses += 1;
                });
                let link = f.def(i).zip(self.as_mem(f, i).ok()).filter(|(r, _)| !self.scratch.links[*r].is_object);
                match link {
                    Some((r, m)) if self.check_uses(&self.scratch.links[r], m, (i, b)).is_ok() => {
                        any = true;
                        // Step 3 folds it; until then this marks the folded link.
                        self.scratch.links[r].mem = Some(m);
                        self.count_link(r, m);
                    }
                    Some((r, m)) if self.folds_as_index(&self.scratch.links[r], m) => {
                        any = true;
                        (self.scratch.links[r].mem, self.scratch.links[r].only_as_index) = (Some(m), true);
                    }
                    Some(_) | None => f.for_each_mem(i, |m| self.count_mem(m, b)),
                }
            }
        }
        any
    }
    /// Checks that the operand of a link in block `b` is to replace its result.
    ///
    /// # Errors
    /// The reason against it, where `at` reads the result.
    fn check_uses(&self, result: &Link, m: Mem, (at, b): (Inst, Block)) -> Result<(), Event> {
        let here = !result.several_blocks && result.block.expand().is_none_or(|u| u == b);
        match (m.base, m.index) {
            (Base::Sym(s), None) => self.reaches(s, m.disp, at),
            (Base::Sym(_), Some(_)) => Err(Event::SymbolBesideIndex(at)),
            _ if result.foldable != result.uses => Err(Event::OtherUse(None)),
            (Base::Reg(_), None) => Ok(()),
            (Base::None, Some(_)) if !result.as_base => Ok(()),
            (Base::None, _) => Err(Event::BaseOfAnother(at)),
            _ if result.as_index => Err(Event::IsAnIndex(at)),
            _ if result.beside_index => Err(Event::HasIndex(at)),
            (Base::Reg(_), Some(_)) if !here => Err(Event::TwoForAnotherBlock(at)),
            (Base::Reg(_) | Base::Obj(_), _) => Ok(()),
        }
    }
    /// True if a product that does not die is to replace its result as index: its operand is used later still.
    fn folds_as_index(&self, result: &Link, m: Mem) -> bool {
        let (Base::None, Some(x)) = (m.base, m.index) else { return false };
        let x = &self.scratch.links[x];
        result.as_index && x.uses > 1 && x.last_use <= result.last_as_index
    }
    /// Checks that an address so far from a symbol is a constant distance from the code.
    fn reaches(&self, s: Sym, disp: i32, at: Inst) -> Result<(), Event> {
        if !self.decls.is_defined(s) || self.decls.data_of(s).is_none_or(|d| d.thread) {
            Err(Event::FarSymbol)
        } else if disp.unsigned_abs() >= MAX_SYMBOL_OFFSET {
            Err(Event::FarFromSymbol(at))
        } else {
            Ok(())
        }
    }
    /// Counts a memory operand in block `b`.
    fn count_mem(&mut self, m: Mem, b: Block) {
        if let Base::Reg(r) = m.base {
            let link = &mut self.scratch.links[r];
            link.as_base = true;
            link.beside_index |= m.index.is_some();
            link.count(Some(b));
        }
        if let Some(r) = m.index {
            let link = &mut self.scratch.links[r];
            link.count_index(self.counted);
            link.count(Some(b));
        }
    }
    /// Counts the operands of a folded link whose result is `r`: as the uses of `r`.
    fn count_link(&mut self, r: Reg, m: Mem) {
        let result = self.scratch.links[r];
        let block = result.block.expand();
        let mut count = |x: Reg, base: bool, index: bool, beside: bool| {
            let link = &mut self.scratch.links[x];
            link.as_base |= base;
            if index {
                link.count_index(result.last_use);
            }
            link.last_use = link.last_use.min(result.last_use);
            link.beside_index |= beside;
            link.several_blocks |= result.several_blocks;
            link.count(block);
        };
        if let Base::Reg(x) = m.base {
            count(x, result.as_base, result.as_index, result.beside_index || m.index.is_some());
        }
        if let Some(x) = m.index {
            count(x, false, true, false);
        }
    }

    /// Step 3: the number of instructions whose operands changed.
    fn fold_all(&mut self, f: &mut Function, order: &[Block], remarks: &mut Remarks) -> u64 {
        let mut changed = 0;
        for &b in order {
            let mut next = f.layout().first_inst(b);
            while let Some(i) = next {
                next = f.layout().next_inst(i);
                if let Some(r) = f.def(i)
                    && let Link { mem: Some(m), is_object: false, .. } = self.scratch.links[r]
                {
                    self.scratch.links[r].mem = Some(self.fold(m, i).unwrap_or(m));
                }
                changed += u64::from(self.fold_operands(f, i, remarks));
            }
        }
        changed
    }
    /// Folds the memory operands of an instruction. Returns whether any changed.
    fn fold_operands(&mut self, f: &mut Function, i: Inst, remarks: &mut Remarks) -> bool {
        let mut mems = std::mem::take(&mut self.scratch.mems);
        mems.clear();
        f.for_each_mem(i, |m| mems.push(m));
        let mut changed = false;
        for (k, m) in mems.iter_mut().enumerate() {
            if let Some(by) = self.fold(*m, i)
                && stays_inside(f, self.decls, i, k, &by)
            {
                *m = by;
                changed = true;
            }
        }
        if changed {
            remarks.done(f, i, Event::Folded);
            f.set_mems(i, &mems);
        }
        self.scratch.mems = mems;
        changed
    }
    /// Returns the memory operand after folding; none if nothing is folded.
    fn fold(&self, m: Mem, at: Inst) -> Option<Mem> {
        let by_base = self.fold_base(m, at).ok();
        let by_index = self.fold_index(by_base.unwrap_or(m), at).ok();
        let folded = by_index.or(by_base)?;
        Some(match folded {
            Mem { base: Base::None, index: Some(x), scale: 1, disp } => Mem::base_disp(Base::Reg(x), disp),
            Mem { .. } => folded,
        })
    }
    /// Returns a memory operand of `at` with its base folded.
    ///
    /// # Errors
    /// The reason against it, if the base is a link that is folded elsewhere.
    fn fold_base(&self, m: Mem, at: Inst) -> Result<Mem, Option<Event>> {
        let Base::Reg(r) = m.base else { return Err(None) };
        let by = self.scratch.links[r].mem.filter(|_| !self.scratch.links[r].only_as_index).ok_or(None)?;
        let disp = m.disp.checked_add(by.disp).ok_or(Event::DoesNotFit(at))?;
        match by.base {
            Base::Sym(_) if m.index.is_some() => return Err(Some(Event::SymbolBesideIndex(at))),
            _ if by.index.is_some() && m.index.is_some() => return Err(Some(Event::HasIndex(at))),
            Base::Sym(s) => self.reaches(s, disp, at)?,
            Base::Reg(_) | Base::Obj(_) | Base::None => {}
        }
        let (index, scale) = if by.index.is_some() { (by.index, by.scale) } else { (m.index, m.scale) };
        Ok(Mem { base: by.base, index, scale, disp })
    }
    /// The same for its index.
    fn fold_index(&self, m: Mem, at: Inst) -> Result<Mem, Option<Event>> {
        let by = m.index.and_then(|r| self.scratch.links[r].mem).ok_or(None)?;
        let (index, scale) = match (by.base, by.index) {
            (Base::Reg(x), None) => (x, Some(m.scale)),
            (Base::None, Some(x)) => (x, m.scale.checked_mul(by.scale).filter(|s| *s <= 8)),
            (Base::Sym(_), _) => return Err(Some(Event::SymbolBesideIndex(at))),
            (Base::Reg(_) | Base::None | Base::Obj(_), _) => return Err(Some(Event::DoesNotFit(at))),
        };
        let disp = i64::from(by.disp) * i64::from(m.scale) + i64::from(m.disp);
        let (scale, disp) = scale.zip(i32::try_from(disp).ok()).ok_or(Event::DoesNotFit(at))?;
        Ok(Mem { index: Some(index), scale, disp, ..m })
    }
}

impl Link {
    /// Counts a use as an index.
    fn count_index(&mut self, counted: u32) {
        self.last_as_index = if self.as_index { self.last_as_index.min(counted) } else { counted };
        self.as_index = true;
    }
    /// Counts a use that can be folded, in this block. None if it was counted without one.
    fn count(&mut self, block: Option<Block>) {
        self.foldable += 1;
        if let Some(b) = block {
            self.several_blocks |= self.block.expand().is_some_and(|known| known != b);
            self.block = b.into();
        }
    }
}

/// Returns the scale that `op` by `k` multiplies with, where a memory operand has it.
fn scale_of(op: Opcode, k: i64) -> Option<u8> {
    if op == Opcode::Shl && (1..=3).contains(&k) {
        return Some(1 << k);
    }
    (op == Opcode::Mul && matches!(k, 2 | 4 | 8)).then_some(k as u8)
}

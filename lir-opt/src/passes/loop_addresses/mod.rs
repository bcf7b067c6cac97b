//! Invariant parts of addresses (`loop-addresses`).
//!
//! Computes the part of an address that is the same in all iterations once, before the loop.
//!
//! # Example
//!
//! ```text
//!                                              before:
//! before:                                        %q = lea [%p + %k*4]
//!   jmp loop                                     jmp loop
//! loop:                                        loop:
//!   %i = phi i64 [0, before], [%j, loop]         %i = phi i64 [0, before], [%j, loop]
//!   %s = add i64 %i, %k                          %s = add i64 %i, %k
//!   %x = load f32 [%p + %s*4]             =>     %x = load f32 [%q + %i*4]
//! ```
//!
//! This is how rows of matrices are addressed: `p[k + i]`, where `k` is the first index of the row. `dce` removes the
//! sum.
//!
//! # Algorithm
//!
//! For each loop without loops inside that has a preheader:
//!
//! 1. The sums of a register that is assigned in the loop and of one that is not are collected, and so are the
//!    differences of two such registers: `%i - %k` is the sum of `%i` and `-%k`.
//! 2. A sum *fits* a memory operand if it is the index, and the base is the same in all iterations. The operands that a
//!    sum fits, and all uses of registers in the loop, are counted, unless no sum fits any.
//! 3. A sum that has no other use is replaced in its operands by its varying part, beside a pointer that is made before
//!    the loop from the rest, as far as the registers suffice (below). Equal pointers are made once.
//!
//! # Why it is sound
//!
//! Both addresses are equal modulo 2^64, whatever the operands are. A register that is assigned outside of the loop and
//! read inside dominates the preheader. The pointer has the base of the old operand as its base, and so belongs to the
//! same object. (A sum that is the base is left alone, since either of its parts may be the address; an index is not an
//! address.) The `lea` accesses nothing.
//!
//! # Cost model
//!
//! The loop executes one addition fewer for each sum. A pointer takes a register throughout the loop; the registers
//! that it is made from are not needed there any more if all of their uses in the loop were in replaced operands and
//! sums. So a row of a matrix needs no additional register. The sum is replaced if the loop needs no more registers
//! than before, or at most [`MAX_REGISTERS`] integer registers (with calls, [`MAX_REGISTERS_OVER_CALLS`]). Counted are
//! the phis of its header and the registers from outside that the loop reads.
//!
//! # Cost and limits
//!
//! Linear, with at most [`MAX_POINTERS`] pointers for each loop. If a sum is a term of another one, only the outer sum
//! is replaced.
//!
//! # Source
//!
//! The formulae of LLVM's `LoopStrengthReduce` ("a base register for the invariant part"), restricted to those
//! that save an instruction and for which the registers suffice.

mod events;

use crate::analysis::effects::is_removable;
use crate::analysis::loops::nest::LoopNest;
use crate::analysis::loops::preheader;
use crate::analysis::{Preserved, SsaView};
use crate::pass::remarks::{Common, Remarks};
use crate::pass::{Pass, PassContext, PassInfo, SsaPass};
use crate::passes::loop_addresses::events::Event;
use lir_syntax::ir::{
    Base, Block, Cfg, Decls, EntitySet, Format, Function, Inst, InstData, Mem, Opcode, Reg, SecondaryMap, Type,
};

/// The row of the registry.
pub(crate) static INFO: PassInfo = PassInfo {
    name: "loop-addresses",
    summary: "compute invariant parts of addresses in front of the loop",
    options: &[],
    build: |_| Pass::Ssa(Box::new(LoopAddresses)),
};

/// Integer registers of a loop up to which pointers may take more of them.
const MAX_REGISTERS: i64 = 12;
/// The same for a loop with calls.
const MAX_REGISTERS_OVER_CALLS: i64 = 5;
/// Pointers of a loop.
const MAX_POINTERS: usize = 32;

struct LoopAddresses;

impl SsaPass for LoopAddresses {
    fn run(&self, f: &mut Function, ssa: &SsaView, cx: &mut PassContext<'_>) -> Preserved {
        let Some((cfg, dominators, _, nest)) = cx.analyses.nest(f) else { return Preserved::All };
        let mut scratch = cx.scratch.take::<SplitScratch>();
        scratch.begin();
        let mut changed = 0;
        for &header in nest.headers().iter().filter(|h| nest.own_blocks(**h).len() == nest.size(**h)) {
            let mut splitter = Splitter { ssa, nest, header, scratch: &mut scratch, remarks: cx.remarks };
            if splitter.find_sums(f) && splitter.some_sum_fits(f) {
                if !splitter.scratch.is_counted {
                    splitter.scratch.count_uses(cx.decls, f, cfg);
                }
                match preheader(f, cfg, dominators, header) {
                    Some(before) => changed += splitter.split_sums(f, f.terminator(before)),
                    None => splitter.report_header(f),
                }
            }
            scratch.forget_sums();
        }
        cx.scratch.give_back(scratch);
        cx.stats.add("memory operands changed", changed);
        Preserved::cfg_if(changed != 0)
    }
}

/// A sum of a loop.
struct Sum {
    inst: Inst,
    result: Reg,
    varying: Reg,
    invariant: Reg,
    /// True for a difference, from which the invariant is subtracted.
    subtracts: bool,
}

/// A memory operand that a sum fits.
#[derive(Copy, Clone)]
struct Operand {
    /// Index of the sum.
    sum: u32,
    inst: Inst,
    /// Number of the operand in its instruction.
    number: usize,
    /// The register beside the sum.
    rest: Option<Reg>,
    /// The invariant part of the address, and the operand that takes a pointer to it as its base.
    pointer: Mem,
    beside: Mem,
}

#[derive(Default)]
struct SplitScratch {
    sums: Vec<Sum>,
    /// True once `sum_of` and `uses_in_loop` are made for the function.
    has_tables: bool,
    /// The sum that a register is the result of, +1; 0 for none.
    sum_of: SecondaryMap<Reg, u32>,
    operands: Vec<Operand>,
    /// Uses in the function, counted once a loop has a sum.
    uses: SecondaryMap<Reg, u32>,
    /// The instructions whose results are not needed: their reads do not count.
    dead: EntitySet<Inst>,
    is_counted: bool,
    /// Uses in the loop that are not replaced yet, and the registers that have any.
    uses_in_loop: SecondaryMap<Reg, u32>,
    used: Vec<Reg>,
    /// The pointers of the loop with their addresses, and whether these subtract the index.
    pointers: Vec<(Mem, bool, Reg)>,
    mems: Vec<Mem>,
}

impl SplitScratch {
    fn begin(&mut self) {
        self.has_tables = false;
        self.is_counted = false;
        self.sums.clear();
    }
    /// Notes a sum. Most functions have none, and need no tables.
    fn add_sum(&mut self, f: &Function, sum: Sum) {
        if !self.has_tables {
            self.has_tables = true;
            self.sum_of.reset(f.num_regs());
            self.uses_in_loop.reset(f.num_regs());
        }
        let result = sum.result;
        self.sums.push(sum);
        self.sum_of[result] = self.sums.len() as u32;
    }
    /// Counts the uses in the function: phis first, since they may read along back edges, then from the last block to
    /// the first one, so that an instruction follows all others that read its result.
    fn count_uses(&mut self, decls: &Decls, f: &Function, cfg: &Cfg) {
        self.is_counted = true;
        self.uses.reset(f.num_regs());
        self.dead.clear();
        for phi in cfg.rpo().iter().flat_map(|b| f.phis(*b)) {
            f.for_each_use(phi, |r| self.uses[r] += 1);
        }
        for &b in cfg.rpo().iter().rev() {
            for i in f.layout().insts_rev(b).take_while(|i| f.inst(*i).op.format() != Format::Phi) {
                if f.def(i).is_some_and(|r| self.uses[r] == 0) && is_removable(decls, f, i) {
                    self.dead.insert(i);
                } else {
                    f.for_each_use(i, |r| self.uses[r] += 1);
                }
            }
        }
    }
    /// Ends the work on a loop. The tables by register are kept for the next one.
    fn forget_sums(&mut self) {
        for sum in self.sums.drain(..) {
            self.sum_of[sum.result] = 0;
        }
        for r in self.used.drain(..) {
            self.uses_in_loop[r] = 0;
        }
    }
}

struct Splitter<'a> {
    ssa: &'a SsaView,
    nest: &'a LoopNest,
    header: Block,
    scratch: &'a mut SplitScratch,
    remarks: &'a mut Remarks,
}

impl Splitter<'_> {
    /// Step 1. Returns whether there are any.
    fn find_sums(&mut self, f: &Function) -> bool {
        for i in self.nest.own_blocks(self.header).iter().flat_map(|b| f.layout().insts(*b)) {
            let d = f.inst(i);
            if !matches!(d.op, Opcode::Add | Opcode::Sub) || d.ty != Type::I64 {
                continue;
            }
            let subtracts = d.op == Opcode::Sub;
            let (Some(a), Some(b), Some(result)) = (d.first().as_reg(), d.second().as_reg(), d.result()) else {
                continue;
            };
            let (varying, invariant) = match (self.is_invariant(f, a), self.is_invariant(f, b)) {
                (false, true) => (a, b),
                (true, false) if !subtracts => (b, a),
                (true, _) | (false, false) => continue,
            };
            self.scratch.add_sum(f, Sum { inst: i, result, varying, invariant, subtracts });
        }
        !self.scratch.sums.is_empty()
    }
    /// True if a sum fits a memory operand. Only then it pays to count uses.
    fn some_sum_fits(&self, f: &Function) -> bool {
        self.nest.own_blocks(self.header).iter().flat_map(|b| f.layout().insts(*b)).any(|i| {
            let mut fits = false;
            f.for_each_mem(i, |m| fits |= self.fitting_sum(f, m).is_some());
            fits
        })
    }
    fn is_invariant(&self, f: &Function, r: Reg) -> bool {
        let block = self.ssa.def(r).and_then(|i| f.layout().block_of(i));
        block.is_none_or(|b| !self.nest.contains(self.header, b))
    }
    fn report_header(&mut self, f: &Function) {
        for sum in &self.scratch.sums {
            self.remarks.missed(f, sum.inst, Common::NoPreheader(self.header));
        }
    }

    /// Step 2. Returns the integer registers that the loop needs throughout, and whether it has a call.
    fn find_all_operands(&mut self, f: &Function) -> (i64, bool) {
        self.scratch.operands.clear();
        let (mut phis, mut calls) = (0, false);
        let (nest, header) = (self.nest, self.header);
        for i in nest.own_blocks(header).iter().flat_map(|b| f.layout().insts(*b)) {
            if self.scratch.dead.contains(i) {
                continue;
            }
            let format = f.inst(i).op.format();
            calls |= format == Format::Call;
            if format == Format::Phi && f.layout().block_of(i) == Some(header) {
                // The values at the entry of the loop are not needed in it.
                phis += i64::from(f.def(i).is_some_and(|r| f.type_of(r).is_int()));
                for (_, o) in f.phi_entries(i).filter(|(from, _)| nest.contains(header, *from)) {
                    o.as_reg().into_iter().for_each(|r| self.count_use(r));
                }
            } else {
                f.for_each_use(i, |r| self.count_use(r));
            }
            self.find_operands(f, i);
        }
        let invariants = self.scratch.used.iter().filter(|r| f.type_of(**r).is_int() && self.is_invariant(f, **r));
        (phis + invariants.count() as i64, calls)
    }
    fn count_use(&mut self, r: Reg) {
        if self.scratch.uses_in_loop[r] == 0 {
            self.scratch.used.push(r);
        }
        self.scratch.uses_in_loop[r] += 1;
    }
    fn find_operands(&mut self, f: &Function, i: Inst) {
        let mut number = 0;
        f.for_each_mem(i, |m| {
            if let Some((sum, rest, pointer, beside)) = self.fitting_sum(f, m) {
                self.scratch.operands.push(Operand { sum, inst: i, number, rest, pointer, beside });
            }
            number += 1;
        });
    }
    /// Returns the index of the sum that fits a memory operand, the register beside it, and both parts of the address.
    fn fitting_sum(&self, f: &Function, m: Mem) -> Option<(u32, Option<Reg>, Mem, Mem)> {
        let sum = self.scratch.sum_of[m.index?].checked_sub(1)?;
        let rest = match m.base {
            Base::Reg(base) if self.is_invariant(f, base) => Some(base),
            Base::Obj(_) | Base::Sym(_) => None,
            Base::Reg(_) | Base::None => return None,
        };
        let Sum { varying, invariant, .. } = self.scratch.sums[sum as usize];
        let beside = Mem::base_disp(Base::None, m.disp).indexed(varying, m.scale);
        Some((sum, rest, Mem { index: Some(invariant), disp: 0, ..m }, beside))
    }

    /// Steps 2 and 3, with pointers before an instruction. Returns the number of changed memory operands.
    fn split_sums(&mut self, f: &mut Function, before: Inst) -> u64 {
        let (mut registers, calls) = self.find_all_operands(f);
        let most = if calls { MAX_REGISTERS_OVER_CALLS } else { MAX_REGISTERS };
        let mut operands = std::mem::take(&mut self.scratch.operands);
        operands.sort_by_key(|o| o.sum);
        self.scratch.pointers.clear();
        let mut changed = 0;
        for of_sum in operands.chunk_by(|a, b| a.sum == b.sum) {
            let sum = &self.scratch.sums[of_sum[0].sum as usize];
            if of_sum.len() as u32 != self.scratch.uses[sum.result] {
                self.remarks.missed(f, sum.inst, Event::OtherUse);
                continue;
            }
            let new = self.new_pointers(of_sum);
            let more = new as i64 - self.replace_uses(of_sum);
            if self.scratch.pointers.len() + new > MAX_POINTERS || (more > 0 && registers + more > most) {
                let sum = &self.scratch.sums[of_sum[0].sum as usize];
                self.remarks.missed(f, sum.inst, Event::TooManyRegisters);
                self.for_each_replaced(of_sum, |uses| *uses += 1);
                continue;
            }
            registers += more;
            for of_inst in of_sum.chunk_by(|a, b| a.inst == b.inst) {
                self.split(f, of_inst, before);
            }
            changed += of_sum.len() as u64;
        }
        self.scratch.operands = operands;
        changed
    }
    /// Returns the number of pointers that the operands of a sum need and that do not exist yet.
    fn new_pointers(&self, of_sum: &[Operand]) -> usize {
        let exists = |o: &Operand, k: usize| {
            self.made(o).is_some() || of_sum[..k.min(MAX_POINTERS)].iter().any(|other| other.pointer == o.pointer)
        };
        of_sum.iter().enumerate().filter(|(k, o)| !exists(o, *k)).count()
    }
    /// Returns the pointer for an operand, if it is made already.
    fn made(&self, o: &Operand) -> Option<Reg> {
        let wanted = (o.pointer, self.scratch.sums[o.sum as usize].subtracts);
        self.scratch.pointers.iter().find(|(mem, subtracts, _)| (*mem, *subtracts) == wanted).map(|(.., r)| *r)
    }
    /// Counts the uses that a replaced sum had as gone. Returns the number of registers that the loop no longer needs.
    fn replace_uses(&mut self, of_sum: &[Operand]) -> i64 {
        let mut gone = 0;
        self.for_each_replaced(of_sum, |uses| {
            *uses -= 1;
            gone += i64::from(*uses == 0);
        });
        gone
    }
    /// Calls `change` with the number of uses of each invariant register, once for each use that is replaced.
    fn for_each_replaced(&mut self, of_sum: &[Operand], mut change: impl FnMut(&mut u32)) {
        let invariant = self.scratch.sums[of_sum[0].sum as usize].invariant;
        change(&mut self.scratch.uses_in_loop[invariant]);
        for rest in of_sum.iter().filter_map(|o| o.rest) {
            change(&mut self.scratch.uses_in_loop[rest]);
        }
    }
    /// Replaces a sum in memory operands of one instruction.
    fn split(&mut self, f: &mut Function, operands: &[Operand], before: Inst) {
        let inst = operands[0].inst;
        let mut mems = std::mem::take(&mut self.scratch.mems);
        mems.clear();
        f.for_each_mem(inst, |m| mems.push(m));
        for o in operands {
            mems[o.number] = Mem { base: Base::Reg(self.pointer(f, o, before)), ..o.beside };
        }
        f.set_mems(inst, &mems);
        self.scratch.mems = mems;
        self.remarks.done(f, inst, Event::Split(self.header));
    }
    /// Returns the pointer for an operand. A new one is made before an instruction.
    fn pointer(&mut self, f: &mut Function, o: &Operand, before: Inst) -> Reg {
        if let Some(pointer) = self.made(o) {
            return pointer;
        }
        let &Sum { result, invariant, subtracts, .. } = &self.scratch.sums[o.sum as usize];
        let loc = f.debug_loc(o.inst);
        let mut address = o.pointer;
        if subtracts {
            let negated = f.new_reg_like(invariant);
            let negation = InstData::unary(Opcode::Neg, Type::I64, invariant).with_result(negated);
            f.insert_before_at(before, negation, loc);
            address.index = Some(negated);
        }
        let pointer = f.new_reg_like(result);
        let lea = f.lea(address).with_result(pointer);
        f.insert_before_at(before, lea, loc);
        self.scratch.pointers.push((o.pointer, subtracts, pointer));
        pointer
    }
}

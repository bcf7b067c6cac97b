//! Turns one machine instruction, with its operands in their locations, into hardware instructions.
//!
//! Tied forms get `d` and `a` into one register, spill slots become memory operands, and a few operations have a
//! better instruction for their very operands. Then [`peephole`](super::peephole)s see them.

pub(super) mod edits;
pub(super) mod expand;
pub(super) mod flags;
pub(super) mod repeated;

use super::{Addr, Cond, EmitError, Emitter, Form, RelocKind, RelocTarget, Size, TrapCause, op};
use crate::isa::x64::encode::{Base, NO_INDEX};
use crate::isa::x64::props;
use crate::isa::x64::registers::{RSP, hw};
use crate::mir::{MBase, MBlock, MInst, MOp, MReg, Props, RegClass};
use crate::regalloc::operands::computes_in_slot;
use crate::regalloc::{Loc, OperandLocs};

/// The target of a displacement. The addend is without the distance to the end of the instruction.
pub(super) type Target = (RelocKind, RelocTarget, i64);

/// An instruction in hardware terms.
#[derive(Copy, Clone, Debug)]
pub(super) struct Concrete {
    pub(super) op: MOp,
    pub(super) form: Form,
    pub(super) size: Size,
    pub(super) cond: Cond,
    /// `d`, `a`, `b`.
    pub(super) regs: [u8; 3],
    pub(super) imm: i32,
    pub(super) mem: Addr,
    /// True if the displacement of `mem` is relocated, to the [`Emitter`]'s target.
    pub(super) relocated: bool,
    /// True if `mem` is a spill slot.
    pub(super) slot: bool,
    /// True if another instruction reads the flags that this one sets in addition to its result.
    pub(super) keeps_flags: bool,
}

impl Concrete {
    pub(super) fn new(op: MOp, form: Form, size: Size) -> Concrete {
        let mem = Addr::base(0, 0);
        let (relocated, slot, keeps_flags) = (false, false, false);
        Concrete { op, form, size, cond: Cond::O, regs: [0; 3], imm: 0, mem, relocated, slot, keeps_flags }
    }
}

/// Returns the number of the register that the allocator put an operand in.
#[inline]
pub(super) fn number_of(loc: Loc) -> u8 {
    hw(loc.as_reg().expect("the allocation has a register for an operand that must be in one"))
}

/// Returns the location of a register field: by the allocation, or the hardware register in the field.
#[inline]
pub(super) fn location_of(field: MReg, loc: Loc) -> Loc {
    match field.as_phys() {
        Some(p) => Loc::reg(p),
        None => loc,
    }
}

impl Emitter<'_> {
    /// Instruction `k` of block `b`, which is being written in the emitted block `at`.
    #[inline]
    pub(super) fn inst(&mut self, k: u32, b: MBlock, at: MBlock) {
        let (f, a) = (self.f, self.a);
        let i = &f.insts[k as usize];
        let locs = &a.locs[k as usize];
        self.after = k + 1;
        match i.op {
            op::Jmp | op::Jcc => self.jump(i, b, at),
            op::Params => {}
            op::Ret | op::TailCall => self.epilogue(i, at),
            op::Call => self.call_inst(k, i, locs),
            op::TlsAddr => self.tls_addr(i),
            op::ThreadPointer => self.s.code.thread_pointer(number_of(location_of(i.d, locs[0]))),
            op::CvtU64F => self.u64_to_float(k, i, locs),
            op::StackAlloc => self.stack_alloc(k, i, locs),
            op::IdivQuot | op::IdivRem | op::IdivRemSafe | op::IdivBoth | op::DivQuot | op::DivRem | op::DivBoth => {
                self.division(k, i, locs);
            }
            op::Ud2 => {
                self.note_trap(TrapCause::Unreachable);
                self.ordinary(k, i, locs);
            }
            _ if self.flags.is_repeated(k) => {}
            _ => self.ordinary(k, i, locs),
        }
    }

    /// Writes an instruction that the table encodes, after its operands were made to fit.
    pub(super) fn ordinary(&mut self, k: u32, i: &MInst, locs: &OperandLocs) {
        if i.form == Form::DA && props(i.op).has(Props::COPY) {
            let class = if i.op == op::MovF { RegClass::Float } else { RegClass::Int };
            return self.copy(location_of(i.a, locs[1]), location_of(i.d, locs[0]), class, i.size);
        }
        match i.form {
            Form::DI => {
                let mut c = Concrete::new(i.op, i.form, i.size);
                (c.regs[0], c.imm) = (number_of(location_of(i.d, locs[0])), i.imm);
                return self.write(&c);
            }
            Form::DI64 => return self.s.code.mov_imm(number_of(location_of(i.d, locs[0])), i.imm64()),
            _ => {}
        }
        if i.form.uses_x() {
            return self.fma(k, i, locs);
        }
        let c = self.concrete(k, i, locs);
        if props(c.op).has(Props::FALSE_DEP) {
            self.break_dependency(&c);
        }
        self.write(&c);
    }

    /// Returns the hardware instruction of an instruction with a recipe, after writing the moves that make its operands
    /// fit.
    #[inline]
    pub(super) fn concrete(&mut self, k: u32, i: &MInst, locs: &OperandLocs) -> Concrete {
        let mut c = Concrete::new(i.op, i.form, i.size);
        c.keeps_flags = i.keeps_flags();
        c.cond = Cond::of(i);
        c.imm = i.imm;
        let (mut a, mut b) = (Loc::NONE, Loc::NONE);
        if i.form.has_mem() {
            (c.mem, c.relocated) = self.memory(k, i, locs);
            c.imm = if matches!(i.form, Form::MI | Form::DMI) { i.get_mem_imm() } else { 0 };
        }
        if i.form.uses_a() {
            a = location_of(i.a, locs[1]);
        }
        if i.form.uses_b() {
            b = location_of(MReg::from_bits(i.b), locs[2]);
        }
        if i.form.defs_d() {
            let d = location_of(i.d, locs[0]);
            if let Some(slot) = d.as_slot() {
                debug_assert!(a == d && computes_in_slot(self.f, i), "{i:?} has its result in {d:?}");
                (c.mem, c.slot, c.form) = (self.s.frame.slot(slot), true, Form::MI);
                return c;
            }
            c.regs[0] = number_of(d);
            if i.form.is_tied() && a != d {
                if i.form == Form::DTB && b == d {
                    debug_assert!(props(i.op).has(Props::COMMUTATIVE), "{i:?} is not commutative and has b in d");
                    b = a;
                } else {
                    let float = props(i.op).has(Props::FLOAT_D);
                    let class = if float { RegClass::Float } else { RegClass::Int };
                    self.copy(a, d, class, if float { Size::S64.min(i.size) } else { i.size });
                }
                a = d;
            }
        }
        self.use_slots(&mut c, a, b);
        // A register beyond 7 in `vvvv` needs no prefix of three bytes.
        if c.form == Form::DAB && c.regs[2] > 7 && props(c.op).has(Props::COMMUTATIVE) {
            c.regs.swap(1, 2);
        }
        c
    }

    /// Fills in the sources; one that is in a spill slot becomes the memory operand.
    fn use_slots(&mut self, c: &mut Concrete, a: Loc, b: Loc) {
        match (a.as_reg(), a.as_slot()) {
            (Some(r), _) => c.regs[1] = hw(r),
            (None, Some(slot)) => {
                (c.mem, c.slot) = (self.s.frame.slot(slot), true);
                c.form = match c.form {
                    Form::DA => Form::DM,
                    Form::DAI => Form::DMI,
                    Form::AI => Form::MI,
                    Form::AB => {
                        c.regs[1] = number_of(b);
                        c.form = Form::MA;
                        return;
                    }
                    other => unreachable!("operand a of form {other:?} in a spill slot"),
                };
            }
            (None, None) => {}
        }
        match (b.as_reg(), b.as_slot()) {
            (Some(r), _) => c.regs[2] = hw(r),
            (None, Some(slot)) => {
                (c.mem, c.slot) = (self.s.frame.slot(slot), true);
                c.form = match c.form {
                    Form::DTB => Form::DTM,
                    Form::DAB => Form::DAM,
                    Form::AB => Form::AM,
                    Form::B => Form::M,
                    other => unreachable!("operand b of form {other:?} in a spill slot"),
                };
            }
            (None, None) => {}
        }
    }

    /// Clears the destination of an instruction that would wait for its former value. An operand there is not touched.
    /// Conversions from integers leave the upper half of the register alone; that some processors wait with `popcnt`
    /// and similar instructions is an erratum (Intel, "6th Generation Core Specification Update", SKL029).
    pub(super) fn break_dependency(&mut self, c: &Concrete) {
        let d = c.regs[0];
        let float = props(c.op).has(Props::FLOAT_D);
        let same_class = float == props(c.op).has(Props::FLOAT_AB);
        let is_read = if c.form.has_mem() {
            !float && (c.mem.base == Base::Reg(d) || c.mem.index == d)
        } else {
            // With AVX the upper half comes from the operand.
            same_class && (c.regs[1] == d || float && self.s.code.has_avx())
        };
        if is_read {
            return;
        }
        let op = if float { op::ZeroF } else { op::Zero };
        let mut zero = Concrete::new(op, Form::D, Size::S32);
        zero.regs[0] = d;
        self.write(&zero);
    }

    /// `d = a * b + x`, or with other signs, or with one of them in memory: in the order in which `d` is one of the
    /// registers; where it is none of them, it is made `a`.
    fn fma(&mut self, k: u32, i: &MInst, locs: &OperandLocs) {
        let mut c = Concrete::new(i.op, Form::DAB, i.size);
        if i.form.has_mem() {
            (c.mem, c.relocated) = self.memory(k, i, locs);
            c.form = Form::DAM;
        }
        let (d, a, x) = (number_of(locs[0]), number_of(locs[1]), number_of(locs[3]));
        let b = if i.form.uses_b() { number_of(locs[2]) } else { d };
        if d != a && d != x && (d != b || i.form.has_mem()) {
            self.copy(locs[1], locs[0], RegClass::Float, i.size);
        }
        let [times_memory, onto_factor, onto_addend] = match i.op {
            op::Fms => [op::Fms132, op::Fms213, op::Fms231],
            op::Fnma => [op::Fnma132, op::Fnma213, op::Fnma231],
            op::Fnms => [op::Fnms132, op::Fnms213, op::Fnms231],
            _ => [op::Fma132, op::Fma213, op::Fma231],
        };
        // The operands other than `d` in the hardware's order; the last is not read if it is in memory.
        let (op, first, second) = match i.form {
            Form::DAXM if d == x => (onto_factor, a, 0),
            Form::DAXM => (onto_factor, x, 0),
            Form::DAMX if d == x => (onto_addend, a, 0),
            Form::DAMX => (times_memory, x, 0),
            _ if d == x => (onto_addend, a, b),
            _ if d == b => (onto_factor, a, x),
            _ => (onto_factor, b, x),
        };
        (c.op, c.regs) = (op, [d, first, second]);
        self.write(&c);
    }

    /// Returns the memory operand of instruction `k`, and whether its displacement is relocated. Then its target is in
    /// `target`.
    fn memory(&mut self, k: u32, i: &MInst, locs: &OperandLocs) -> (Addr, bool) {
        let index = if i.x.is_none() || i.form.uses_x() { NO_INDEX } else { number_of(location_of(i.x, locs[3])) };
        let scale = i.scale().trailing_zeros() as u8;
        let mut frame = |(base, offset): (u8, i32)| {
            let offset = i64::from(offset) + i64::from(i.imm);
            let disp = i32::try_from(offset).unwrap_or_else(|_| {
                self.error.get_or_insert(EmitError::AddressOutOfRange { inst: k, offset });
                0
            });
            Addr { base: Base::Reg(base), index, scale, disp, wide: false }
        };
        let addr = match i.base() {
            MBase::Reg(r) => {
                let base = if r.is_none() { Base::None } else { Base::Reg(number_of(location_of(r, locs[2]))) };
                debug_assert!(index != hw(RSP) || i.x.is_none() || i.form.uses_x(), "rsp is not an index");
                Addr { base, index, scale, disp: i.imm, wide: false }
            }
            MBase::Frame(n) => frame(self.s.frame.object(n)),
            MBase::Incoming => frame(self.s.frame.incoming(self.inside)),
            MBase::Outgoing => frame((hw(RSP), 0)),
            MBase::RegSave => frame(self.s.frame.reg_save()),
            MBase::Tpoff(s) => {
                let base = if index == NO_INDEX { Base::None } else { Base::Reg(index) };
                self.target = (RelocKind::TpOff32, RelocTarget::Sym(s), i.imm as i64);
                return (Addr { base, index: NO_INDEX, scale: 0, disp: 0, wide: true }, true);
            }
            MBase::Sym(_) | MBase::Got(_) | MBase::GotTpoff(_) | MBase::Const(_) | MBase::Table(_) => {
                debug_assert!(index == NO_INDEX, "an address relative to rip has no index");
                self.relative(i);
                return (Addr::rip(), true);
            }
        };
        (addr.shortest(), false)
    }

    /// Sets the target of a displacement relative to rip.
    fn relative(&mut self, i: &MInst) {
        let (kind, target) = match i.base() {
            MBase::Got(s) => {
                let relaxable = matches!(i.op, op::LoadGot | op::Call) && i.imm == 0;
                (RelocKind::GotPcRel { relaxable, rex: i.op != op::Call }, RelocTarget::Sym(s))
            }
            MBase::GotTpoff(s) => (RelocKind::GotTpOff, RelocTarget::Sym(s)),
            MBase::Const(n) => (RelocKind::Pc32, RelocTarget::Const(self.constant(n))),
            MBase::Table(n) => (RelocKind::Pc32, RelocTarget::Table(self.first_table + n)),
            MBase::Sym(s) => (RelocKind::Pc32, RelocTarget::Sym(s)),
            MBase::Reg(_) | MBase::Frame(_) | MBase::Incoming | MBase::Outgoing | MBase::RegSave | MBase::Tpoff(_) => {
                unreachable!("not relative to rip")
            }
        };
        self.target = (kind, target, i.imm as i64);
    }

    /// Returns the number in the buffer's pool of a constant of the function.
    fn constant(&mut self, n: u32) -> u32 {
        let id = &mut self.s.const_ids[n as usize];
        if *id == u32::MAX {
            *id = self.consts.intern(&self.f.consts[n as usize]);
        }
        *id
    }
}

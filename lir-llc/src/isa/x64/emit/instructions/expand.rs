//! Emits machine instructions that take several hardware instructions: jumps by two conditions, calls, divisions,
//! conversions of unsigned integers to floats, and dynamic stack memory.

use crate::isa::x64::emit::instructions::Concrete;
use crate::isa::x64::emit::{Cond, Emitter, Form, RelocKind, RelocTarget, Size, op};
use crate::isa::x64::encode::{Addr, Base, Operands};
use crate::isa::x64::registers::{R11, RAX, RDI, RDX, RSP, hw};
use crate::mir::{CallTarget, MBlock, MInst, MOp, MReg, PReg};
use crate::regalloc::OperandLocs;

impl Emitter<'_> {
    /// Emits the jump at the end of block `b`, written in the emitted block `host`.
    pub(in crate::isa::x64::emit) fn jump(&mut self, i: &MInst, b: MBlock, host: MBlock) {
        let succs = &self.f.blocks[b.index()].succs;
        let taken = self.s.blocks.target(succs[0]);
        if i.op == op::Jmp {
            let changed = self.s.wrap.leaves(self.f, b) && self.take_down(false);
            self.jump_to(host, taken);
            return self.end_epilogue(changed, host);
        }
        let other = self.s.blocks.target(succs[1]);
        if taken == other {
            return self.jump_to(host, taken);
        }
        let follows = self.s.blocks.is_next(host, taken)
            || !self.s.blocks.is_next(host, other) && self.is_copied(taken) && !self.is_copied(other);
        let (c, taken, other) =
            if follows { (Cond::of(i).inverted(), other, taken) } else { (Cond::of(i), taken, other) };
        let at = self.s.code.len();
        match c {
            Cond::OrdEq => {
                self.s.relax.branch(at, Cond::P, other.0);
                self.s.relax.branch(at, Cond::E, taken.0);
            }
            Cond::UnordNe => {
                self.s.relax.branch(at, Cond::NE, taken.0);
                self.s.relax.branch(at, Cond::P, taken.0);
            }
            c => self.s.relax.branch(at, c, taken.0),
        }
        self.jump_to(host, other);
    }

    /// Writes a jump from the end of `b`, unless `target` comes next or is copied.
    fn jump_to(&mut self, b: MBlock, target: MBlock) {
        if !self.s.blocks.is_next(b, target) && !self.copy_end(target, b) {
            self.s.relax.jump(self.s.code.len(), target.0);
        }
    }

    /// Writes a short forward jump inside an expansion; to be ended by [`Emitter::land`].
    pub(in crate::isa::x64::emit) fn forward(&mut self, c: Option<Cond>) -> usize {
        match c {
            Some(c) => self.s.code.branch_short(c, 0),
            None => self.s.code.jump_short(0),
        }
        self.s.code.len()
    }
    /// Lets a jump of [`Emitter::forward`] go here.
    pub(in crate::isa::x64::emit) fn land(&mut self, from: usize) {
        let distance = self.s.code.len() - from;
        debug_assert!(distance <= i8::MAX as usize);
        self.last.forget();
        self.s.code.bytes_mut()[from - 1] = distance as u8;
    }

    /// `op d, imm` on all 64 bits.
    pub(in crate::isa::x64::emit) fn alu_ri(&mut self, op: MOp, d: PReg, imm: i32) {
        let o = Operands { regs: [hw(d), 0, 0], imm, mem: Addr::base(0, 0) };
        self.s.code.put(op, Form::DTI, Size::S64, Cond::O, &o);
    }
    /// `mov d, a` on all 64 bits.
    pub(in crate::isa::x64::emit) fn alu_rr(&mut self, op: MOp, d: PReg, a: PReg) {
        let o = Operands { regs: [hw(d), hw(a), 0], imm: 0, mem: Addr::base(0, 0) };
        self.s.code.put(op, Form::DA, Size::S64, Cond::O, &o);
    }
    /// `xor d, d`.
    pub(in crate::isa::x64::emit) fn zero(&mut self, d: PReg) {
        let o = Operands { regs: [hw(d), 0, 0], imm: 0, mem: Addr::base(0, 0) };
        self.s.code.put(op::Zero, Form::D, Size::S32, Cond::O, &o);
    }

    /// Emits a call. Al is set last. A target that is in rax or is addressed by it is moved to r11, which holds no
    /// argument.
    pub(in crate::isa::x64::emit) fn call_inst(&mut self, k: u32, i: &MInst, locs: &OperandLocs) {
        let record = &self.f.records[i.record_index()];
        let mut c = match i.form {
            Form::None => None,
            _ => Some(self.concrete(k, i, locs)),
        };
        if let Some(n) = record.al {
            if let Some(c) = c.as_mut().filter(|c| reads(c, RAX)) {
                let mut load = *c;
                load.op = op::Mov;
                load.size = Size::S64;
                load.form = if c.form == Form::M { Form::DM } else { Form::DA };
                load.regs = [hw(R11), c.regs[2], 0];
                self.write(&load);
                *c = Concrete::new(op::Call, Form::B, Size::S64);
                c.regs[2] = hw(R11);
            }
            if n == 0 { self.zero(RAX) } else { self.s.code.mov_imm(hw(RAX), n as i64) }
        }
        match (c, record.target) {
            (Some(c), _) => self.write(&c),
            (None, Some(target)) => self.call(target),
            (None, None) => unreachable!("a call of nothing"),
        }
    }

    /// Emits the general dynamic access to a thread-local symbol. Linkers look for these exact bytes.
    pub(in crate::isa::x64::emit) fn tls_addr(&mut self, i: &MInst) {
        let record = &self.f.records[i.record_index()];
        let Some(CallTarget::Sym(sym)) = record.target else { unreachable!("an address of nothing") };
        self.s.code.padding_prefixes(&[0x66]);
        let mut lea = Concrete::new(op::Lea, Form::DM, Size::S64);
        lea.regs[0] = hw(RDI);
        lea.mem = Addr::rip();
        lea.relocated = true;
        self.target = (RelocKind::TlsGd, RelocTarget::Sym(sym), 0);
        self.write(&lea);
        self.s.code.padding_prefixes(&[0x66, 0x66, 0x48]);
        self.call(CallTarget::Runtime("__tls_get_addr"));
    }

    /// Takes `b` bytes off rsp, and aligns it to 16 bytes, page by page. A size larger than the address space below rsp
    /// runs into the guard page.
    ///
    /// ```text
    /// mov r11, rsp
    /// sub r11, b
    /// jae fits
    /// xor r11, r11
    /// fits: and r11, -16
    /// (down to r11)
    /// ```
    pub(in crate::isa::x64::emit) fn stack_alloc(&mut self, k: u32, i: &MInst, locs: &OperandLocs) {
        self.alu_rr(op::Mov, R11, RSP);
        let r11 = MReg::phys(R11);
        let sub = MInst::new(op::Sub, Form::DTB, Size::S64).d(r11).a(r11).b(MReg::from_bits(i.b)).keep_flags();
        let c = self.concrete(k, &sub, locs);
        self.write(&c);
        let fits = self.forward(Some(Cond::AE));
        self.zero(R11);
        self.land(fits);
        self.alu_ri(op::And, R11, -16);
        self.lower_to_r11();
    }

    /// Makes a float from an unsigned integer. An integer with the top bit set is halved, with the lost bit kept sticky
    /// so that rounding sees it, converted and doubled. Source: the code that C compilers make for processors without
    /// the instruction.
    ///
    /// ```text
    /// test a, a
    /// js large
    /// cvtsi2sd d, a
    /// jmp done
    /// large: mov r11, a
    /// shr r11, 1
    /// jae even
    /// or r11, 1
    /// even: cvtsi2sd d, r11
    /// addsd d, d
    /// done:
    /// ```
    pub(in crate::isa::x64::emit) fn u64_to_float(&mut self, k: u32, i: &MInst, locs: &OperandLocs) {
        let mut convert = self.concrete(k, i, locs);
        convert.op = op::CvtI64F;
        let [d, a, _] = convert.regs;
        self.break_dependency(&convert);
        let o = Operands { regs: [0, a, a], imm: 0, mem: Addr::base(0, 0) };
        self.s.code.put(op::Test, Form::AB, Size::S64, Cond::O, &o);
        let large = self.forward(Some(Cond::S));
        self.write(&convert);
        let done = self.forward(None);
        self.land(large);
        self.alu_rr(op::Mov, R11, PReg::new(a));
        self.alu_ri(op::Shr, R11, 1);
        let even = self.forward(Some(Cond::AE));
        self.alu_ri(op::Or, R11, 1);
        self.land(even);
        convert.regs[1] = hw(R11);
        self.write(&convert);
        let mut double = Concrete::new(op::AddF, Form::DTB, i.size);
        double.regs = [d; 3];
        self.write(&double);
        self.land(done);
    }

    /// Writes a division: extends rax into rdx (al into ah) and divides.
    pub(in crate::isa::x64::emit) fn division(&mut self, k: u32, i: &MInst, locs: &OperandLocs) {
        let c = self.concrete(k, i, locs);
        debug_assert!(!reads(&c, RDX), "the divisor is in rdx");
        debug_assert!(c.size > Size::S8 || c.op == op::IdivQuot, "8-bit division other than the signed quotient");
        let signed = !matches!(c.op, op::DivQuot | op::DivRem | op::DivBoth);
        let minus_one = if c.op == op::IdivRem { Some(self.skip_minus_one(&c)) } else { None };
        if signed {
            self.s.code.sign_extend_rax(c.size);
        } else {
            self.zero(RDX);
        }
        self.note_division(&c);
        self.write(&c);
        self.end_division();
        if let Some(done) = minus_one {
            self.land(done);
        }
    }

    /// Jumps over the division where the divisor is -1: the remainder is 0, which is in rdx then, and the quotient may
    /// be out of range, which traps.
    fn skip_minus_one(&mut self, division: &Concrete) -> usize {
        self.zero(RDX);
        let mut compare = *division;
        compare.op = op::Cmp;
        compare.imm = -1;
        compare.form = if division.form == Form::DAM { Form::MI } else { Form::AI };
        compare.regs[1] = division.regs[2];
        self.write(&compare);
        self.forward(Some(Cond::E))
    }
}

/// True if operand `b` or the memory operand reads a general register.
fn reads(c: &Concrete, r: PReg) -> bool {
    if c.form.has_mem() { c.mem.base == Base::Reg(hw(r)) || c.mem.index == hw(r) } else { c.regs[2] == hw(r) }
}

//! Loads, stores, copies and fills, dynamic stack memory, `va_start`.

use super::address::{Amode, among_arguments};
use super::constants::immediate;
use super::{Isel, size_of};
use crate::isa::x64::registers::{RAX, RCX, RDI, RDX, RSI, RSP};
use crate::isa::x64::{op, props};
use crate::lower::moved_in_registers;
use crate::mir::{FixedList, Form, MBase, MInst, MOp, MReg, PReg, Props, RegClass, Size, VReg};
use lir_syntax::abi::va_list::{FP_OFFSET, GP_OFFSET, OVERFLOW_AREA, SAVE_AREA, float_offset, int_offset};
use lir_syntax::ir::{EntityRef, Inst, InstData, Opcode, Operand, Reg, Type, VA_LIST_SIZE};

/// Limit on the bytes of a copy or fill that is done by a row of moves. Beyond it, it is a string instruction.
const MAX_INLINE_BYTES: i64 = 128;
/// Limit on the bytes of a block that are held in wide registers. Wide registers cannot be spilled, so it is two of
/// them.
const MAX_WIDE_BYTES: u32 = 32;

impl Isel<'_> {
    /// Selects `%d = load T [mem]`. Narrow integers are zero-extended, which costs nothing and breaks no dependency.
    pub(super) fn load(&mut self, i: Inst, d: &InstData) {
        if self.has_register_objects && self.load_part(i, d) {
            return;
        }
        let v = self.dst(d);
        let a = self.mem_operand(i);
        self.seq(a.apply(load_inst(d.ty)).d(v));
    }

    /// Selects `store T [mem], %v`.
    pub(super) fn store(&mut self, i: Inst, d: &InstData) {
        if self.has_register_objects && self.store_part(i, d) {
            return;
        }
        let size = size_of(d.ty);
        let as_int = if d.ty.is_float() { d.ty.bits_type() } else { d.ty };
        if let Some(k) = self.const_of(d.stored()) {
            if let Some(imm) = immediate(size, k) {
                let a = self.mem_operand(i);
                return self.seq(a.apply(MInst::new(op::Mov, Form::MI, size)).mem_imm(imm));
            }
            let x = self.make_constant(as_int, k);
            let a = self.mem_operand(i);
            return self.seq(a.apply(MInst::new(op::Mov, Form::MA, size)).a(x));
        }
        if self.read_modify_write(i, d) {
            return;
        }
        // A narrow store takes its bytes from the wider register.
        let (ty, o) = self.look_through_truncation(d.ty, d.stored());
        let x = self.value(ty, o);
        let a = self.mem_operand(i);
        let op = if d.ty.is_float() { op::MovF } else { op::Mov };
        self.seq(a.apply(MInst::new(op, Form::MA, size)).a(x));
    }
    /// Returns the operand of a truncation whose only use is a store. Without one, returns the value.
    pub(super) fn look_through_truncation(&mut self, ty: Type, o: Operand) -> (Type, Operand) {
        if let Some(r) = o.as_reg()
            && let Some(i) = self.sole_def(r)
            && self.f.inst(i).op == Opcode::Trunc
        {
            self.fold(r);
            let d = self.f.inst(i);
            return (d.ty, d.first());
        }
        (ty, o)
    }

    /// Selects `[m] = [m] op x` as one instruction. The load must be at the same address in the same stretch. The
    /// stored value may also be compared with 0, and the loaded one with the constant that is subtracted: the flags
    /// have the answer.
    fn read_modify_write(&mut self, i: Inst, d: &InstData) -> bool {
        if d.ty.is_float() || d.is_volatile() {
            return false;
        }
        let Some(r) = d.stored().as_reg() else { return false };
        let uses = |s: &Self, r: Reg| s.s.facts[r.index()].uses;
        let Some(k) = self.def_ahead(r).filter(|k| uses(self, r) <= 2 && self.reads_only_single(*k)) else {
            return false;
        };
        let c = *self.f.inst(k);
        let Some(op) = self.modifying_op(&c) else { return false };
        let same_place = |s: &Self, o: Operand| {
            let l = o.as_reg().and_then(|r| s.def_ahead(r)).filter(|l| s.reads_only_single(*l))?;
            let ld = s.f.inst(l);
            let fits = ld.op == Opcode::Load && ld.ty == d.ty && !ld.is_volatile();
            (fits && s.in_stretch(l) && s.f.mem(l) == s.f.mem(i)).then_some(())
        };
        let (loaded, other) = if same_place(self, c.first()).is_some() {
            (c.first(), c.second())
        } else if props(op).has(Props::COMMUTATIVE) && same_place(self, c.second()).is_some() {
            (c.second(), c.first())
        } else {
            return false;
        };
        let unary = matches!(op, op::Neg | op::Not);
        if loaded == other && !unary {
            return false;
        }
        let size = size_of(d.ty);
        let l = loaded.as_reg().expect("a load's result");
        let (op, other) = match (uses(self, r), uses(self, l)) {
            (1, 1) => (op, other),
            (2, 1) if self.drop_test_of(r, d.ty, op, other) => {
                self.s.facts[r.index()].uses -= 1;
                (op, other)
            }
            (1, 2) => {
                let Some(k) = self.drop_comparison_of(l, d.ty, op, other) else { return false };
                self.s.facts[l.index()].uses -= 1;
                (op::Sub, k)
            }
            _ => return false,
        };
        self.fold(r);
        let load = self.def_of(l).expect("a load");
        self.fold(l);
        // The load is removed: only the store reads its address.
        self.forget_uses(load);
        let m = if unary {
            self.mem_operand(i).apply(MInst::new(op, Form::M, size))
        } else {
            self.modify_by(i, d, op, other)
        };
        self.seq(m);
        true
    }
    /// Returns the operation on memory that corresponds to an instruction on a value.
    fn modifying_op(&self, c: &InstData) -> Option<MOp> {
        let by_constant = || self.const_of(c.second()).is_some();
        Some(match c.op {
            Opcode::Add => op::Add,
            Opcode::Sub => op::Sub,
            Opcode::And => op::And,
            Opcode::Or => op::Or,
            Opcode::Xor => op::Xor,
            Opcode::Neg => op::Neg,
            Opcode::Not => op::Not,
            Opcode::Shl if by_constant() => op::Shl,
            Opcode::Lshr if by_constant() => op::Shr,
            Opcode::Ashr if by_constant() => op::Sar,
            Opcode::Rotl if by_constant() => op::Rol,
            Opcode::Rotr if by_constant() => op::Ror,
            _ => return None,
        })
    }
    /// Drops the other use of `r`, a test for 0, if the flags of `op`, which makes `r`, imply it.
    fn drop_test_of(&mut self, r: Reg, ty: Type, op: MOp, by: Operand) -> bool {
        let is_shift = matches!(op, op::Shl | op::Shr | op::Sar);
        if is_shift && self.const_of(by).is_none_or(|k| ty.as_word().shift_amount(k as u64) == 0) {
            return false;
        }
        let v = self.s.facts[r.index()].vreg.as_virt();
        v.is_some_and(|v| self.drop_test(v, size_of(ty), op))
    }
    /// Removes the other use of `r` if it compares `r` with the constant subtracted. Returns that constant.
    fn drop_comparison_of(&mut self, r: Reg, ty: Type, op: MOp, by: Operand) -> Option<Operand> {
        let k = self.const_of(by)?;
        let subtracted = match op {
            op::Sub => k,
            op::Add => ty.constant_payload(k.wrapping_neg() as u64),
            _ => return None,
        };
        let constant = Operand::small(subtracted)?;
        let v = self.s.facts[r.index()].vreg.as_virt()?;
        self.drop_comparison(v, ty, subtracted).then_some(constant)
    }
    /// Selects `op [m], x` for the store `i`, without its position in the code.
    fn modify_by(&mut self, i: Inst, d: &InstData, op: MOp, other: Operand) -> MInst {
        let size = size_of(d.ty);
        let constant = self.const_of(other).map(|k| match op {
            op::Shl | op::Shr | op::Sar | op::Rol | op::Ror => d.ty.as_word().shift_amount(k as u64).into(),
            _ => k,
        });
        match constant.and_then(|k| immediate(size, k)) {
            Some(imm) => {
                let a = self.mem_operand(i);
                a.apply(MInst::new(op, Form::MI, size)).mem_imm(imm)
            }
            None => {
                let x = self.value(d.ty, other);
                let a = self.mem_operand(i);
                a.apply(MInst::new(op, Form::MA, size)).a(x)
            }
        }
    }

    /// Selects `memcpy [d], [s], N`.
    pub(super) fn memcpy(&mut self, i: Inst, d: &InstData) {
        match self.const_of(d.length()) {
            Some(n @ 0..=MAX_INLINE_BYTES) => {
                let (to, from) = self.copy_addresses(i, n as u32);
                self.copy_bytes(to, from, n as u32);
            }
            _ => {
                let [to, from, n] = self.copy_operands(i, d);
                self.copy_any(to, from, n);
            }
        }
    }
    /// Selects `memmove [d], [s], N`. A short block is read as a whole before it is written. Any other is a call:
    /// [`lower`](crate::lower) leaves none if calls are not allowed.
    pub(super) fn memmove(&mut self, i: Inst, d: &InstData) {
        if let Some(n) = moved_in_registers(self.f, i) {
            let (to, from) = self.copy_addresses(i, n);
            let largest = if n <= MAX_WIDE_BYTES { Size::S128 } else { Size::S64 };
            let moves: Vec<(u32, Size)> = chunks(n, largest).collect();
            let read: Vec<VReg> = moves.iter().map(|&(offset, size)| self.load_chunk(from, offset, size)).collect();
            moves.iter().zip(read).for_each(|(&(offset, size), v)| self.store_chunk(to, offset, size, v));
            return;
        }
        let [to, from, n] = self.copy_operands(i, d);
        self.runtime_call("memmove", &[(to, RDI), (from, RSI), (n, RDX)], None);
    }
    /// Returns the addresses of a copy of `n` bytes, which leave room for that many.
    fn copy_addresses(&mut self, i: Inst, n: u32) -> (Amode, Amode) {
        let to = self.block_address(self.f.mem_dst(i), n as i32);
        let from = self.block_address(self.f.mem_src(i), n as i32);
        (to, from)
    }
    /// Returns the addresses and the length of a copy, in registers.
    fn copy_operands(&mut self, i: Inst, d: &InstData) -> [VReg; 3] {
        let (to, from) = (self.address(self.f.mem_dst(i)), self.address(self.f.mem_src(i)));
        let to = self.address_in_register(to);
        let from = self.address_in_register(from);
        [to, from, self.value(Type::I64, d.length())]
    }
    /// Copies as many bytes as a register holds.
    fn copy_any(&mut self, to: VReg, from: VReg, n: VReg) {
        if self.block_calls {
            return self.runtime_call("memcpy", &[(to, RDI), (from, RSI), (n, RDX)], None);
        }
        self.string_inst(op::RepMovs, &[(to, RDI), (from, RSI), (n, RCX)]);
    }
    /// Copies `n` bytes between addresses that leave room for that many.
    pub(super) fn copy_bytes(&mut self, to: Amode, from: Amode, n: u32) {
        for (offset, size) in chunks(n, Size::S128) {
            let v = self.load_chunk(from, offset, size);
            self.store_chunk(to, offset, size, v);
        }
    }
    fn load_chunk(&mut self, from: Amode, offset: u32, size: Size) -> VReg {
        let (op, class) = move_of(size);
        let v = self.mf.new_vreg(class);
        self.seq(at(from, offset).apply(narrow_load(op, size)).d(v));
        v
    }
    fn store_chunk(&mut self, to: Amode, offset: u32, size: Size, v: VReg) {
        let (op, _) = move_of(size);
        self.seq(at(to, offset).apply(MInst::new(op, Form::MA, size)).a(v));
    }
    /// Copies any number of bytes.
    pub(super) fn copy_block(&mut self, to: Amode, from: Amode, n: u64) {
        if n <= MAX_INLINE_BYTES as u64 {
            return self.copy_bytes(to, from, n as u32);
        }
        let (to, from) = (self.address_in_register(to), self.address_in_register(from));
        let n = self.make_constant(Type::I64, n as i64);
        self.copy_any(to, from, n);
    }

    /// Selects `memset [d], %byte, N`.
    pub(super) fn memset(&mut self, i: Inst, d: &InstData) {
        let to = self.f.mem_dst(i);
        match (self.const_of(d.length()), self.const_of(d.second())) {
            (Some(n @ 0..=MAX_INLINE_BYTES), Some(byte)) => {
                let to = self.block_address(to, n as i32);
                self.fill_bytes(to, byte as u8, n as u32);
            }
            _ => {
                let to = self.address(to);
                let to = self.address_in_register(to);
                let byte = self.value(Type::I8, d.second());
                let n = self.value(Type::I64, d.length());
                if self.block_calls {
                    return self.runtime_call("memset", &[(to, RDI), (byte, RSI), (n, RDX)], None);
                }
                self.string_inst(op::RepStos, &[(to, RDI), (byte, RAX), (n, RCX)]);
            }
        }
    }
    /// Zeros are stored from a cleared register, 16 bytes at a time; other bytes in words of 8 or less.
    fn fill_bytes(&mut self, to: Amode, byte: u8, n: u32) {
        let pattern = u64::from_le_bytes([byte; 8]) as i64;
        let zeros = (byte == 0 && n >= 16).then(|| self.zero_block());
        let word = (immediate(Size::S64, pattern).is_none() && n >= 8).then(|| self.make_constant(Type::I64, pattern));
        for (offset, size) in chunks(n, Size::S128) {
            let halves = if size == Size::S128 && byte != 0 { 2 } else { 1 };
            let size = if halves == 2 { Size::S64 } else { size };
            for half in 0..halves {
                let m = match (size, zeros, word) {
                    (Size::S128, Some(v), _) => MInst::new(op::MovF, Form::MA, size).a(v),
                    (Size::S64, _, Some(v)) => MInst::new(op::Mov, Form::MA, size).a(v),
                    _ => MInst::new(op::Mov, Form::MI, size).mem_imm(pattern as i32),
                };
                self.seq(at(to, offset + 8 * half).apply(m));
            }
        }
    }
    /// 16 zero bytes in a register.
    fn zero_block(&mut self) -> VReg {
        let v = self.mf.new_vreg(RegClass::Float);
        let how = MInst::new(op::ZeroF, Form::D, Size::S128);
        self.mf.set_remat(v, how);
        self.seq(how.d(v));
        v
    }
    fn string_inst(&mut self, op: MOp, uses: &[(VReg, PReg)]) {
        let mut record = FixedList::default();
        for &(v, p) in uses {
            record.uses.push((v.into(), p));
            record.clobbers = record.clobbers.with(p);
        }
        self.with_record(record, MInst::new(op, Form::None, Size::S64));
    }

    /// Selects `%d = alloca SIZE, ALIGN`: rsp is lowered by the size, and further to a multiple of 16; the memory
    /// begins above the outgoing arguments, which stay at the bottom.
    pub(super) fn alloca(&mut self, d: &InstData) {
        let v = self.dst(d);
        // rsp stays aligned for calls.
        let align = (d.alignment() as i64).max(self.mf.outgoing_align as i64);
        let rsp = MReg::phys(RSP);
        let bytes = self.value(Type::I64, d.first());
        self.seq(MInst::new(op::StackAlloc, Form::B, Size::S64).b(bytes));
        let lea = MInst::new(op::Lea, Form::DM, Size::S64);
        if align <= 16 {
            return self.seq(lea.d(v).mem(MBase::Outgoing, MReg::NONE, 1, self.mf.outgoing.disp()));
        }
        // Room to align in is taken like the memory itself, page by page.
        let room = self.make_constant(Type::I64, align);
        self.seq(MInst::new(op::StackAlloc, Form::B, Size::S64).b(room));
        let (last, above) = (self.make_constant(Type::I64, align - 1), self.temp(Type::I64));
        self.seq(lea.d(above).mem(MBase::Outgoing, last.into(), 1, self.mf.outgoing.disp()));
        let mask = self.make_constant(Type::I64, -align);
        self.seq(MInst::new(op::And, Form::DTB, Size::S64).d(v).a(above).b(mask));
        // The rest of the room below the memory is given back, and rsp is aligned with the memory.
        let new_rsp = self.temp(Type::I64);
        self.seq(lea.d(new_rsp).mem(MBase::Reg(v.into()), MReg::NONE, 1, -self.mf.outgoing.disp()));
        self.seq(MInst::new(op::Mov, Form::DA, Size::S64).d(rsp).a(new_rsp));
    }
    /// Selects `%d = stack_save`.
    pub(super) fn stack_save(&mut self, d: &InstData) {
        let v = self.dst(d);
        self.seq(MInst::new(op::Mov, Form::DA, Size::S64).d(v).a(MReg::phys(RSP)));
    }
    /// Selects `stack_restore %s`.
    pub(super) fn stack_restore(&mut self, d: &InstData) {
        let v = self.value(Type::I64, d.first());
        self.seq(MInst::new(op::Mov, Form::DA, Size::S64).d(MReg::phys(RSP)).a(v));
    }

    /// Selects `va_start [m]`: the four fields of the list.
    pub(super) fn va_start(&mut self, i: Inst) {
        self.mf.reg_save = true;
        let m = self.f.mem(i);
        let list = self.block_address(m, VA_LIST_SIZE as i32);
        let store = |s: &mut Self, offset: u32, m: MInst| s.seq(at(list, offset).apply(m));
        let ints = int_offset(self.after_params.ints().into()) as i32;
        let floats = float_offset(self.after_params.floats().into()) as i32;
        store(self, GP_OFFSET, MInst::new(op::Mov, Form::MI, Size::S32).mem_imm(ints));
        store(self, FP_OFFSET, MInst::new(op::Mov, Form::MI, Size::S32).mem_imm(floats));
        let overflow = among_arguments(self.after_params.stack_bytes()).disp();
        for (offset, base, disp) in [(OVERFLOW_AREA, MBase::Incoming, overflow), (SAVE_AREA, MBase::RegSave, 0)] {
            let t = self.mf.new_vreg(RegClass::Int);
            self.seq(MInst::new(op::Lea, Form::DM, Size::S64).d(t).mem(base, MReg::NONE, 1, disp));
            store(self, offset, MInst::new(op::Mov, Form::MA, Size::S64).a(t));
        }
    }
}

/// Returns the instruction that loads a value of a type, without operands.
pub(super) fn load_inst(ty: Type) -> MInst {
    if ty.is_float() {
        return MInst::new(op::MovF, Form::DM, size_of(ty));
    }
    narrow_load(op::Mov, size_of(ty))
}

/// Returns a load; of 1 and 2 bytes with zeros above.
fn narrow_load(op: MOp, size: Size) -> MInst {
    match size {
        Size::S8 => MInst::new(op::MovZx8, Form::DM, Size::S32),
        Size::S16 => MInst::new(op::MovZx16, Form::DM, Size::S32),
        size => MInst::new(op, Form::DM, size),
    }
}

/// Returns the address `by` bytes further on, of an address that leaves room.
pub(super) fn at(a: Amode, by: u32) -> Amode {
    a.offset(by as i32).expect("the address leaves room")
}

/// Returns the instruction that moves a chunk of a block, and the class of its register.
fn move_of(size: Size) -> (MOp, RegClass) {
    if size == Size::S128 { (op::MovF, RegClass::Float) } else { (op::Mov, RegClass::Int) }
}

/// Offsets and sizes of the moves that make up `n` bytes, widest first: of `largest`, 8 or 16 bytes, while that many
/// are left.
fn chunks(n: u32, largest: Size) -> impl Iterator<Item = (u32, Size)> {
    let mut offset = 0;
    std::iter::from_fn(move || {
        let size = match n - offset {
            0 => return None,
            1 => Size::S8,
            2..4 => Size::S16,
            4..8 => Size::S32,
            8..16 => Size::S64,
            _ => largest,
        };
        offset += size.bytes();
        Some((offset - size.bytes(), size))
    })
}

//! Code that is well-formed and never executed, which no compiler can know: anything is allowed there.
//!
//! Code that programs may execute has one result everywhere, and so never multiplies addresses, jumps to data or copies
//! 2^60 bytes. Compilers must accept such code all the same. A switch on a number that is one of a few random 64-bit
//! numbers with a chance of 2^-64 leads to blocks where every opcode meets every operand ([`Kind`]) and every use
//! (`unexecuted_uses`), and every form of a memory operand in every position.

mod uses;

use crate::body::Body;
use crate::constants::{constant_bits, types};
use crate::surroundings::Purity;
use lir_syntax::ir::builder::Value;
use lir_syntax::ir::{
    AbiParam, Agg, Attrs, Base, Block, CallArg, EntityRef, Ext, FloatCC, IntCC, Mem, Obj, Opcode, Reg, Signature, Sym,
    Type, VA_LIST_SIZE, lies_within,
};

/// Blocks of such code in a function that has any. The second number is for one that returns a narrow integer: few do,
/// and most operations have such a result.
const BLOCKS: [usize; 2] = [3, 7];

/// The kind of an operand.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    Register,
    Sum,
    Object,
    Data,
    Function,
    Zero,
    Small,
    Byte,
    Word,
    Any,
}

const REGISTERS: &[Kind] = &[Kind::Register, Kind::Sum, Kind::Object, Kind::Data, Kind::Function];
const CONSTANTS: &[Kind] = &[Kind::Zero, Kind::Small, Kind::Byte, Kind::Word, Kind::Any];

/// Types, i64 most of all: it has the most kinds of operands and uses.
const TYPES: &[Type] = &[
    Type::I8,
    Type::I16,
    Type::I32,
    Type::I8,
    Type::I16,
    Type::I32,
    Type::I64,
    Type::I64,
    Type::I64,
    Type::I64,
    Type::F32,
    Type::F64,
];
const INTEGER_TYPES: &[Type] = TYPES.split_at(10).0;

impl Body<'_> {
    /// Some of it, at the end of about half the functions that may do everything.
    pub(crate) fn unexecuted(&mut self) {
        if self.this.purity != Purity::Any || !self.around.config.memory || !self.rng.chance(60) {
            return;
        }
        let on = self.b.fresh_block("on");
        let narrow = matches!(self.this.sig.result, Some(AbiParam::Scalar(Type::I8 | Type::I16 | Type::I32, _)));
        let blocks: Vec<Block> = (0..BLOCKS[usize::from(narrow)]).map(|_| self.b.fresh_block("never")).collect();
        let size = if self.rng.chance(30) { 1000 } else { 32 };
        let object = self.raw_object(size);
        let ahead: Vec<(Type, Value)> = (0..3).map(|_| self.phi_operand(object)).collect();
        let old = self.live[Type::I64 as usize].len().min(4);
        let guard = if old > 0 { self.live[Type::I64 as usize][self.rng.below(old)] } else { self.any(Type::I64) };
        let before = self.current();
        // Numbers with many bits of either half: nothing that is computed is one of them.
        let cases: Vec<(i64, Block)> =
            blocks.iter().map(|b| ((self.rng.bits() | 1 << 62 | 1 << 20) as i64, *b)).collect();
        self.b.switch(guard, on, &cases);
        let mark = self.mark();
        for b in blocks {
            self.b.switch_to(b);
            let phis: Vec<(Type, Reg)> = ahead.iter().map(|(ty, v)| (*ty, self.b.phi(*ty, &[(before, *v)]))).collect();
            phis.into_iter().for_each(|(ty, r)| self.use_result(ty, r, object));
            self.unexecuted_block(object, on);
            self.release(&mark);
        }
        self.b.switch_to(on);
    }
    /// Returns an operand of a phi at the beginning of the blocks.
    fn phi_operand(&mut self, object: Obj) -> (Type, Value) {
        let ty = self.wild_type();
        (ty, self.operand(ty, object))
    }
    fn unexecuted_block(&mut self, object: Obj, on: Block) {
        for _ in 0..self.rng.range(1, 3) {
            self.wild_operation(object);
            if self.rng.chance(35) {
                self.access(object);
            }
        }
        if self.rng.chance(30) {
            // After a join, so that there are phis of everything.
            let next = self.b.fresh_block("never");
            let from = self.current();
            let result = match self.this.sig.result {
                Some(AbiParam::Scalar(ty, _)) if self.rng.chance(30) => Some(ty),
                _ => None,
            };
            let (ty, v) = match result {
                Some(ty) => (ty, self.operand(ty, object)),
                None => self.phi_operand(object),
            };
            self.b.jmp(next);
            self.b.switch_to(next);
            let r = self.b.phi(ty, &[(from, v)]);
            if result.is_some() {
                return self.b.ret_value(ty, Value::Reg(r));
            }
            self.use_result(ty, r, object);
        }
        self.wild_end(object, on);
    }

    // ---- Operands ----

    /// Any type, as far as there are floats.
    fn wild_type(&mut self) -> Type {
        self.rng.pick(if self.around.config.floats { TYPES } else { INTEGER_TYPES })
    }
    /// Returns a register of a type: of i64 also an address of something.
    fn wild_register(&mut self, ty: Type, object: Obj) -> Reg {
        if ty != Type::I64 {
            return self.any(ty);
        }
        match self.rng.pick(REGISTERS) {
            Kind::Sum => {
                let mem = self.number_as_address();
                self.b.lea(mem)
            }
            Kind::Object => self.address_of(Base::Obj(object)),
            Kind::Data => {
                let data = self.some_data();
                self.address_of(Base::Sym(data))
            }
            Kind::Function => {
                let function = self.some_function();
                self.address_of(Base::Sym(function))
            }
            _ => self.any(ty),
        }
    }
    fn address_of(&mut self, base: Base) -> Reg {
        let disp = if self.rng.chance(60) { 0 } else { self.rng.below(16) as i32 };
        self.b.lea(Mem::base_disp(base, disp))
    }
    fn some_data(&mut self) -> Sym {
        self.around.data[self.rng.below(self.around.data.len())].sym
    }
    fn some_function(&mut self) -> Sym {
        let callees = self.around.callees;
        if callees.is_empty() { self.this.sym } else { callees[self.rng.below(callees.len())].sym }
    }
    /// Returns a register or a constant of any size.
    pub(super) fn operand(&mut self, ty: Type, object: Obj) -> Value {
        // Only of i64 are there several kinds of registers.
        if self.rng.chance(if ty == Type::I64 { 50 } else { 25 }) {
            return Value::Reg(self.wild_register(ty, object));
        }
        Value::Bits(self.sized_constant(ty))
    }
    fn sized_constant(&mut self, ty: Type) -> u64 {
        let n = match self.rng.pick(CONSTANTS) {
            Kind::Zero => 0,
            _ if ty.is_float() => constant_bits(self.rng, ty) as i64,
            Kind::Small => self.rng.pick(&[-2, -1, 1, 2]),
            Kind::Byte => self.rng.pick(&[-128, -17, 3, 8, 63, 64, 127]),
            Kind::Word => self.rng.pick(&[-0x8000_0000, -129, 128, 0x7fff, 0x1234_5678, 0x7fff_ffff]),
            _ => self.rng.bits() as i64,
        };
        // An i128 is sign-extended.
        if ty.has_word() { ty.as_word().truncate(n as u64) } else { n as u64 }
    }

    // ---- Memory ----

    /// Returns every form of a memory operand, for an access of `size` bytes; 0 is unknown. One at a constant offset
    /// stays inside its object.
    fn wild_mem(&mut self, object: Obj, size: u64) -> Mem {
        let (base, bound) = self.wild_base(object);
        let near = self.rng.below(8) as i32;
        let disp = match self.rng.below(4) {
            0 => 0,
            1 => self.rng.below(100) as i32 - 100,
            2 => self.rng.range(1000, 1 << 20) as i32,
            _ => self.rng.pick(&[i32::MIN + near, i32::MAX - near, (1 << 30) - 4 + near, -(1 << 30) - 4 + near]),
        };
        let mem = Mem::base_disp(base, disp);
        let scale = self.rng.pick(&[0, 1, 2, 4, 8]);
        if scale > 0 {
            return mem.indexed(self.any(Type::I64), scale);
        }
        match bound {
            Some(bound) if size > bound => Mem { base: Base::None, ..mem },
            Some(bound) if size > 0 && !lies_within(disp.into(), size, bound) => {
                Mem { disp: self.rng.below((bound - size) as usize + 1) as i32, ..mem }
            }
            _ => mem,
        }
    }
    /// Returns the memory operand of a `va_list`. It is often the object itself, since no other access is so rare.
    fn wild_va_list(&mut self, object: Obj) -> Mem {
        if self.rng.chance(30) { Mem::base_disp(Base::Obj(object), 0) } else { self.wild_mem(object, VA_LIST_SIZE) }
    }
    /// Returns a base, and the size of its object if that is known.
    fn wild_base(&mut self, object: Obj) -> (Base, Option<u64>) {
        match self.rng.below(5) {
            0 => (Base::None, None),
            1 => (Base::Reg(self.wild_register(Type::I64, object)), None),
            2 => (Base::Obj(object), Some(self.b.func.stack[object].size)),
            3 => match self.around.outside.variable() {
                Some(variable) if self.rng.chance(40) => (Base::Sym(variable), None),
                _ => {
                    let data = self.around.data[self.rng.below(self.around.data.len())];
                    (Base::Sym(data.sym), Some(data.size.into()))
                }
            },
            _ => (Base::Sym(self.some_function()), None),
        }
    }
    /// Makes an instruction with memory operands, of any form.
    fn access(&mut self, object: Obj) {
        match self.rng.below(14) {
            0..3 => {
                let ty = self.rng.pick(types(self.around.config.floats));
                let mem = self.wild_mem(object, ty.bytes().into());
                let r = self.b.load(ty, mem);
                self.use_result(ty, r, object);
            }
            3..5 => {
                let ty = self.wild_type();
                let (mem, v) = (self.wild_mem(object, ty.bytes().into()), self.operand(ty, object));
                self.b.store(ty, mem, v);
            }
            5 | 6 => self.wild_block_operation(object),
            7..9 => self.wild_list(object),
            9 => {
                let ty = self.rng.pick(&[Type::I32, Type::I64, Type::F64]);
                let ty = if self.around.config.floats { ty } else { Type::I64 };
                let mem = self.wild_va_list(object);
                let r = self.b.va_arg(ty, mem);
                self.use_result(ty, r, object);
            }
            10 | 11 => self.wild_aggregate(object),
            _ => {
                let mem = self.wild_mem(object, 0);
                let r = self.b.lea(mem);
                self.use_result(Type::I64, r, object);
            }
        }
        if self.this.sig.variadic && self.rng.chance(50) {
            let list = self.wild_va_list(object);
            self.b.mem_only(Opcode::VaStart, list);
        }
    }
    fn wild_block_operation(&mut self, object: Obj) {
        let length = self.operand(Type::I64, object);
        let known = if let Value::Bits(n) = length { n } else { 0 };
        let to = self.wild_mem(object, known);
        if self.rng.chance(50) {
            let from = self.wild_mem(object, known);
            if self.rng.chance(30) { self.b.memmove(to, from, length) } else { self.b.memcpy(to, from, length) }
        } else {
            let byte = self.operand(Type::I8, object);
            self.b.memset(to, byte, length);
        }
    }
    fn wild_list(&mut self, object: Obj) {
        let [m, n] = [(); 2].map(|()| self.wild_va_list(object));
        if self.rng.chance(50) {
            self.b.mem_only(Opcode::VaEnd, m);
        } else {
            self.b.va_copy(m, n);
        }
    }
    fn wild_aggregate(&mut self, object: Obj) {
        let Some(agg) = self.some_agg() else { return };
        let size = self.around.decls.types[agg].size;
        let to = self.wild_mem(object, size);
        if self.rng.chance(50) {
            let list = self.wild_va_list(object);
            return self.b.va_arg_agg(agg, to, list);
        }
        let (params, result) = (vec![AbiParam::Agg(agg)], Some(AbiParam::Agg(agg)));
        let signature = Signature { params, variadic: false, result, attrs: Attrs::NONE };
        let (from, callee) = (self.wild_mem(object, size), self.wild_register(Type::I64, object));
        self.b.call_indirect(&signature, callee, &[CallArg::Agg(agg, from)], Some(to));
    }
    fn some_agg(&mut self) -> Option<Agg> {
        let n = self.around.decls.types.len();
        (n > 0).then(|| Agg::new(self.rng.below(n)))
    }

    // ---- The end ----

    /// Ends the block: by a return, or by a branch on anything.
    fn wild_end(&mut self, object: Obj, on: Block) {
        let ty = self.wild_type();
        match self.rng.below(8) {
            0 => self.b.unreachable(),
            1 => self.b.jmp(on),
            2 => self.wild_switch(object, on),
            3 => self.wild_branch(ty, object, on),
            _ => self.wild_return(object),
        }
    }
    fn wild_return(&mut self, object: Obj) {
        match self.this.sig.result {
            None => self.b.ret_void(),
            Some(AbiParam::Agg(agg)) => {
                let mem = self.wild_mem(object, self.around.decls.types[agg].size);
                self.b.ret_agg(agg, mem);
            }
            Some(AbiParam::Scalar(ty, _)) => {
                let v = match self.rng.below(4) {
                    0 => self.operand(ty, object),
                    _ => Value::Reg(self.wild_result(ty, object)),
                };
                self.b.ret_value(ty, v);
            }
        }
    }
    fn wild_switch(&mut self, object: Obj, on: Block) {
        let ty = self.rng.pick(INTEGER_TYPES);
        let r = if self.rng.chance(70) { self.wild_result(ty, object) } else { self.wild_register(ty, object) };
        let mut cases: Vec<(i64, Block)> = Vec::new();
        for _ in 0..self.rng.below(4) {
            let k = ty.as_word().sign_extend(self.sized_constant(ty));
            if cases.iter().all(|c| c.0 != k) {
                cases.push((k, on));
            }
        }
        self.b.switch(r, on, &cases);
    }
    fn wild_branch(&mut self, ty: Type, object: Obj, on: Block) {
        let r = if self.rng.chance(70) { self.wild_result(ty, object) } else { self.wild_register(ty, object) };
        let v = self.operand(ty, object);
        let end = self.b.fresh_block("never");
        let (then, otherwise) = if self.rng.chance(50) { (on, end) } else { (end, on) };
        if ty.is_int() {
            self.b.branch(self.rng.pick(IntCC::ALL), r, v, then, otherwise);
        } else {
            self.b.branch(self.rng.pick(FloatCC::ALL), r, v, then, otherwise);
        }
        self.b.switch_to(end);
        self.b.unreachable();
    }

    /// Makes a call through a register that is anything, with these scalar parameters and this result.
    fn wild_call(&mut self, callee: Reg, arg: Option<(Type, Reg)>, result: Option<Type>) -> Option<Reg> {
        let params: Vec<Type> = arg.iter().map(|a| a.0).collect();
        let signature = Signature::of_scalars(&params, result);
        let args: Vec<CallArg> = arg.iter().map(|a| CallArg::Reg(a.1, Ext::None)).collect();
        self.b.call_indirect(&signature, callee, &args, None)
    }
}

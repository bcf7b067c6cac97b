//! Builds the instructions that replace one.

use lir_syntax::ir::{EntityRef, FloatCC, Function, Inst, InstData, IntCC, Mem, NameRef, Opcode, Operand, Reg, Type};

/// Inserts instructions before one that is being expanded, and finally turns that one into the last of them.
pub struct Expander<'f> {
    /// The function.
    pub f: &'f mut Function,
    /// The instruction being expanded.
    pub at: Inst,
    name: NameRef,
    /// Number of registers before.
    regs: usize,
}

impl<'f> Expander<'f> {
    /// An expander for `at`; new registers are named after its destination.
    pub fn new(f: &'f mut Function, at: Inst) -> Self {
        let name = f.def(at).map_or(NameRef::NONE, |r| f.regs[r].name);
        let regs = f.num_regs();
        Expander { f, at, name, regs }
    }
    fn insert(&mut self, data: InstData, ty: Type) -> Reg {
        let r = self.f.new_reg(ty, self.name);
        self.f.insert_before(self.at, data.with_result(r));
        r
    }
    /// The operand for an integer constant.
    pub fn int(&mut self, ty: Type, value: i64) -> Operand {
        self.f.make_typed_const(ty, value as u64)
    }
    /// A register with a constant given by its bits.
    pub fn constant(&mut self, ty: Type, bits: u64) -> Reg {
        let a = self.f.make_typed_const(ty, bits);
        self.insert(InstData::unary(Opcode::Const, ty, a), ty)
    }
    /// A register with a float constant.
    pub fn float(&mut self, ty: Type, value: f64) -> Reg {
        let bits = if ty == Type::F32 { (value as f32).to_bits() as u64 } else { value.to_bits() };
        self.constant(ty, bits)
    }
    /// An operand as a register.
    pub fn as_reg(&mut self, ty: Type, o: Operand) -> Reg {
        match (o.as_reg(), self.f.constant(o)) {
            (Some(r), _) => r,
            (None, Some(payload)) => self.constant(ty, payload as u64),
            (None, None) => panic!("the operand of a computation is a register or a constant"),
        }
    }
    /// `op T a`.
    pub fn unary(&mut self, op: Opcode, ty: Type, a: Reg) -> Reg {
        self.insert(InstData::unary(op, ty, a), ty)
    }
    /// `op T a, b`.
    pub fn binary(&mut self, op: Opcode, ty: Type, a: Reg, b: impl Into<Rhs>) -> Reg {
        let b = self.rhs(ty, b.into());
        self.insert(InstData::binary(op, ty, a, b), ty)
    }
    fn rhs(&mut self, ty: Type, b: Rhs) -> Operand {
        match b {
            Rhs::Operand(o) => o,
            Rhs::Int(n) => self.int(ty, n),
        }
    }
    /// `icmp cc T a, b`.
    pub fn icmp(&mut self, cc: IntCC, ty: Type, a: Reg, b: impl Into<Rhs>) -> Reg {
        let b = self.rhs(ty, b.into());
        self.insert(InstData::binary(Opcode::Icmp, ty, a, b).with_predicate(cc), Type::I8)
    }
    /// `fcmp cc T a, b`.
    pub fn fcmp(&mut self, cc: FloatCC, ty: Type, a: Reg, b: Reg) -> Reg {
        let (a, b) = (Operand::reg(a), Operand::reg(b));
        self.insert(InstData::binary(Opcode::Fcmp, ty, a, b).with_predicate(cc), Type::I8)
    }
    /// `select T c, a, b`.
    pub fn select(&mut self, ty: Type, c: Reg, a: Reg, b: Reg) -> Reg {
        let bc = self.f.make_bc(Operand::reg(a), Operand::reg(b));
        self.insert(InstData::unary(Opcode::Select, ty, c).with_list(bc), ty)
    }
    /// `op T a to U`; `a` itself where the types are equal.
    pub fn convert(&mut self, op: Opcode, from: Type, a: Reg, to: Type) -> Reg {
        if from == to {
            return a;
        }
        self.insert(InstData::convert(op, from, to, a), to)
    }
    /// `load T mem`.
    pub fn load(&mut self, ty: Type, mem: Mem) -> Reg {
        let load = self.f.load(ty, mem);
        self.insert(load, ty)
    }
    /// `store T mem, v`.
    pub fn store(&mut self, ty: Type, mem: Mem, v: Reg) {
        let store = self.f.store(ty, mem, v);
        self.f.insert_before(self.at, store);
    }
    /// `lea mem`.
    pub fn lea(&mut self, mem: Mem) -> Reg {
        let lea = self.f.lea(mem);
        self.insert(lea, Type::I64)
    }
    /// Lets the expanded instruction give `r`. It becomes the last of the sequence, which nobody else reads, where that
    /// assigns `r`, and else a copy.
    pub fn finish(&mut self, r: Reg) -> bool {
        let dst = self.f.inst(self.at).result();
        let last = self.f.layout().prev_inst(self.at).filter(|i| self.f.def(*i) == Some(r));
        let data = match last.filter(|_| r.index() >= self.regs) {
            Some(i) => {
                let data = *self.f.inst(i);
                self.f.remove_inst(i);
                data.with_result(dst)
            }
            None => InstData::move_of(self.f.type_of(r), Operand::reg(r)).with_result(dst),
        };
        self.f.replace_inst(self.at, data);
        true
    }
    /// Takes the expanded instruction out.
    pub fn finish_empty(&mut self) -> bool {
        self.f.remove_inst(self.at);
        true
    }
}

/// A second operand: an operand, a register or an integer constant of the type.
pub enum Rhs {
    /// As it stands.
    Operand(Operand),
    /// A constant.
    Int(i64),
}

impl From<Operand> for Rhs {
    fn from(o: Operand) -> Rhs {
        Rhs::Operand(o)
    }
}

impl From<Reg> for Rhs {
    fn from(r: Reg) -> Rhs {
        Rhs::Operand(Operand::reg(r))
    }
}

impl From<i64> for Rhs {
    fn from(n: i64) -> Rhs {
        Rhs::Int(n)
    }
}

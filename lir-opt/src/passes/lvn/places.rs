//! What registers point to, and which stack objects others may reach, in functions of either form.
//!
//! A register with one assignment points into an object where that makes its address: by `lea`, or of one that does by
//! `copy`, or by `add` and `sub` with a value that is no address. A stack object *escapes* when its address is used as
//! anything but the address of an access or to make another address of it; no generic access and no call touches one
//! that has not escaped. An address in a register with several assignments counts as escaped.

use crate::analysis::assignments::Assignments;
use lir_syntax::ir::{
    Base, Block, CallArg, EntitySet, Format, Function, Inst, Mem, Obj, Opcode, Operand, OperandKind, Reg, SecondaryMap,
};

/// A place in an object.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) struct Address {
    /// The stack object or symbol, as an operand.
    pub object: Operand,
    /// Bytes from its begin, where that is constant.
    pub offset: Option<i64>,
}

impl Address {
    /// The place `by` bytes further on.
    fn plus(self, by: i64) -> Address {
        Address { offset: self.offset.map(|o| o.wrapping_add(by)), ..self }
    }
    fn stack_object(self) -> Option<Obj> {
        if let OperandKind::Obj(o) = self.object.kind() { Some(o) } else { None }
    }
}

/// What is known of the addresses of a function.
#[derive(Default)]
pub(super) struct Places {
    address: SecondaryMap<Reg, Option<Address>>,
    escaped: EntitySet<Obj>,
}

impl Places {
    /// Looks at the reachable blocks, in reverse postorder: so what makes an address comes before what uses it, except
    /// for phis, which come last.
    pub fn find(&mut self, f: &Function, order: &[Block], assignments: &Assignments) {
        self.address.reset(f.num_regs());
        self.escaped.clear();
        for i in order.iter().flat_map(|b| f.layout().insts(*b)) {
            if f.inst(i).op.format() != Format::Phi {
                self.look_at(f, i, assignments);
            }
        }
        if f.stack_objects().next().is_some() {
            for i in order.iter().flat_map(|b| f.phis(*b)) {
                f.for_each_use(i, |r| self.escape(r));
            }
        }
    }
    /// Where a memory operand lies, its index aside.
    #[inline]
    pub fn base_of(&self, m: &Mem) -> Option<Address> {
        let at = match m.base {
            Base::Obj(_) | Base::Sym(_) => Address { object: m.base.to_operand(), offset: Some(0) },
            Base::Reg(r) => self.address[r]?,
            Base::None => return None,
        };
        Some(at.plus(i64::from(m.disp)))
    }
    /// Whether others may reach a stack object.
    pub fn has_escaped(&self, o: Obj) -> bool {
        self.escaped.contains(o)
    }
    #[inline]
    fn look_at(&mut self, f: &Function, i: Inst, assignments: &Assignments) {
        let mut reads_address = f.inst(i).op.format() == Format::Address;
        if !reads_address {
            f.for_each_use(i, |r| reads_address |= self.address[r].is_some());
        }
        if !reads_address {
            return;
        }
        match self.made(f, i) {
            Some(made) => match f.def(i).filter(|r| assignments.is_single(*r)) {
                Some(r) => self.address[r] = Some(made),
                None => self.escape_object(made),
            },
            None => self.escape_operands(f, i),
        }
    }
    /// The address that an instruction makes.
    fn made(&mut self, f: &Function, i: Inst) -> Option<Address> {
        let d = f.inst(i);
        if d.op.format() == Format::Address {
            let m = f.mem(i);
            let at = self.base_of(&m);
            return match m.index {
                Some(index) => {
                    self.escape(index);
                    at.map(|at| Address { offset: None, ..at })
                }
                None => at,
            };
        }
        if d.op == Opcode::Copy {
            return self.address_in(d.a);
        }
        if d.op != Opcode::Add && d.op != Opcode::Sub {
            return None;
        }
        match (self.address_in(d.a), self.address_in(d.b)) {
            (Some(at), None) => {
                let by = f.constant(d.b).map(|k| if d.op == Opcode::Sub { k.wrapping_neg() } else { k });
                Some(by.map_or(Address { offset: None, ..at }, |by| at.plus(by)))
            }
            (None, Some(at)) if d.op == Opcode::Add => Some(Address { offset: None, ..at }),
            (None | Some(_), None | Some(_)) => None,
        }
    }
    fn address_in(&self, o: Operand) -> Option<Address> {
        self.address[o.as_reg()?]
    }
    /// Lets every object escape whose address is read as anything but the base of a memory operand.
    fn escape_operands(&mut self, f: &Function, i: Inst) {
        let d = f.inst(i);
        f.for_each_mem(i, |m| m.index.into_iter().for_each(|r| self.escape(r)));
        let mut operand = |o: Operand| o.as_reg().into_iter().for_each(|r| self.escape(r));
        match d.op.format() {
            Format::Address
            | Format::Load
            | Format::MemOnly
            | Format::MemPair
            | Format::AggMemPair
            | Format::AggReturn => {}
            Format::Store | Format::MemCopy => operand(d.dst),
            Format::MemFill => {
                operand(d.b);
                operand(d.dst);
            }
            Format::Call => {
                operand(d.a);
                for arg in f.call_args(i) {
                    if let CallArg::Reg(r, _) = arg {
                        self.escape(r);
                    }
                }
            }
            Format::Const
            | Format::Unary
            | Format::Binary
            | Format::Ternary
            | Format::Select
            | Format::Compare
            | Format::Convert
            | Format::Alloca
            | Format::Nullary
            | Format::Consume
            | Format::Phi
            | Format::Jump
            | Format::Branch
            | Format::Switch
            | Format::Return
            | Format::Stop => f.for_each_use(i, |r| self.escape(r)),
        }
    }
    fn escape(&mut self, r: Reg) {
        if let Some(at) = self.address[r] {
            self.escape_object(at);
        }
    }
    fn escape_object(&mut self, at: Address) {
        if let Some(o) = at.stack_object() {
            self.escaped.insert(o);
        }
    }
}

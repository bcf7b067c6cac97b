//! Counting: two passes over the instructions of a function mark the cells that it reaches.
//!
//! The first notes for each register what assigns it and what uses it, as sets of bits; the second marks the cells of
//! each instruction.

use super::Coverage;
use super::cells::{Comparison, Conversion, Memory, Operation};
use super::dimensions::{
    ARGUMENT, BASES, COMPARING, CONVERTING, OperandClass, PLACES, RESULT, UseKind, displacement_form, index_form,
};
use lir_syntax::ir::{
    Base, CallArg, CallResult, Decls, EntityRef, Format, Function, Inst, IntCC, Mem, Opcode, Operand, Reg, SymKind,
    Type,
};

/// A set of [`OperandClass`].
type Classes = u16;
/// A set of [`UseKind`].
type Uses = u16;

/// The facts about the registers of a function.
struct Registers {
    /// Of each, the classes that its assignments make it.
    classes: Vec<Classes>,
    /// Of each, what uses it.
    uses: Vec<Uses>,
}

/// The function that is looked at.
struct Looked<'a> {
    decls: &'a Decls,
    f: &'a Function,
    registers: Registers,
}

/// Marks the cells of a function.
pub(super) fn collect(coverage: &mut Coverage, decls: &Decls, f: &Function) {
    let looked = Looked { decls, f, registers: registers(decls, f) };
    for i in f.layout().all_insts() {
        looked.mark_operations(coverage, i);
        looked.mark_memory(coverage, i);
        looked.mark_comparison(coverage, i);
        looked.mark_conversion(coverage, i);
    }
}

fn bit(class: OperandClass) -> Classes {
    1 << class as u8
}

fn base_class(decls: &Decls, base: Base) -> OperandClass {
    OperandClass::of_base(base, |s| matches!(decls.syms[s].kind, SymKind::Func { .. }))
}

fn registers(decls: &Decls, f: &Function) -> Registers {
    let n = f.num_regs();
    let mut found = Registers { classes: vec![0; n], uses: vec![0; n] };
    for i in f.layout().all_insts() {
        if let Some(r) = f.def(i) {
            let class = match f.inst(i).op {
                Opcode::Lea => match base_class(decls, f.mem(i).base) {
                    OperandClass::None | OperandClass::Register => OperandClass::Sum,
                    class => class,
                },
                _ => OperandClass::Register,
            };
            found.classes[r.index()] |= bit(class);
        }
        for_each_use(f, i, |r, used_by| found.uses[r.index()] |= 1 << used_by as u8);
    }
    found
}

/// Calls `found` with each register that an instruction reads, and as what.
fn for_each_use(f: &Function, i: Inst, mut found: impl FnMut(Reg, UseKind)) {
    f.for_each_mem(i, |mem| mem.regs().for_each(|r| found(r, UseKind::Address)));
    let d = f.inst(i);
    let mut of = |o: Operand, used_by: UseKind| {
        if let Some(r) = o.as_reg() {
            found(r, used_by);
        }
    };
    match d.op.format() {
        Format::Unary | Format::Convert => of(d.first(), UseKind::Arithmetic),
        Format::Binary => [d.first(), d.second()].into_iter().for_each(|o| of(o, UseKind::Arithmetic)),
        Format::Compare => [d.first(), d.second()].into_iter().for_each(|o| of(o, UseKind::Comparison)),
        Format::Branch => [d.first(), d.second()].into_iter().for_each(|o| of(o, UseKind::Branch)),
        Format::Ternary | Format::Select => {
            let (b, c) = f.operands_bc(i);
            let first = if d.op.format() == Format::Select { UseKind::Condition } else { UseKind::Arithmetic };
            of(d.first(), first);
            of(b, UseKind::Arithmetic);
            of(c, UseKind::Arithmetic);
        }
        Format::Store => of(d.stored(), UseKind::Stored),
        Format::Alloca | Format::Consume => of(d.first(), UseKind::Stack),
        Format::MemCopy => of(d.length(), UseKind::Length),
        Format::MemFill => {
            of(d.second(), UseKind::Stored);
            of(d.length(), UseKind::Length);
        }
        Format::Call => {
            of(d.first(), UseKind::Callee);
            for arg in f.call_args(i) {
                if let CallArg::Reg(r, _) = arg {
                    of(Operand::reg(r), UseKind::Argument);
                }
            }
        }
        Format::Phi => f.phi_entries(i).for_each(|(_, o)| of(o, UseKind::Phi)),
        Format::Switch => of(d.first(), UseKind::Switch),
        Format::Return => of(d.first(), UseKind::Returned),
        Format::Const
        | Format::Address
        | Format::Load
        | Format::Nullary
        | Format::MemOnly
        | Format::MemPair
        | Format::AggMemPair
        | Format::Jump
        | Format::AggReturn
        | Format::Stop => {}
    }
}

impl Looked<'_> {
    /// The classes of an operand of a type.
    fn classes(&self, ty: Type, o: Operand) -> Classes {
        if let Some(r) = o.as_reg() {
            let classes = self.registers.classes[r.index()];
            // A parameter is assigned by no instruction.
            return if classes == 0 { bit(OperandClass::Register) } else { classes };
        }
        match self.f.constant(o) {
            Some(payload) => bit(OperandClass::of_constant(ty, payload)),
            None if o.is_none() => bit(OperandClass::None),
            None => bit(base_class(self.decls, Base::from_operand(o))),
        }
    }
    fn base_classes(&self, mem: &Mem) -> Classes {
        self.classes(Type::I64, mem.base.to_operand())
    }

    /// The classes of the operands that count for the table of operations.
    fn operand_classes(&self, i: Inst) -> Classes {
        let (f, d) = (self.f, self.f.inst(i));
        let ty = d.ty;
        match d.op.format() {
            Format::Const | Format::Unary | Format::Convert | Format::Return => self.classes(ty, d.first()),
            Format::Binary | Format::Compare | Format::Branch => {
                self.classes(ty, d.first()) | self.classes(ty, d.second())
            }
            Format::Ternary | Format::Select => {
                let (b, c) = f.operands_bc(i);
                let first = if d.op.format() == Format::Ternary { self.classes(ty, d.first()) } else { 0 };
                first | self.classes(ty, b) | self.classes(ty, c)
            }
            Format::Alloca | Format::Consume | Format::Call => self.classes(Type::I64, d.first()),
            Format::Store => self.classes(ty, d.stored()),
            Format::MemCopy => self.classes(Type::I64, d.length()),
            Format::MemFill => self.classes(Type::I8, d.second()) | self.classes(Type::I64, d.length()),
            Format::Phi => f.phi_entries(i).fold(0, |all, (_, o)| all | self.classes(ty, o)),
            Format::Switch => {
                f.switch_cases(i).fold(self.classes(ty, d.first()), |all, case| all | self.classes(ty, case))
            }
            Format::Address
            | Format::Load
            | Format::MemOnly
            | Format::MemPair
            | Format::AggMemPair
            | Format::AggReturn => {
                let mut all = 0;
                f.for_each_mem(i, |mem| all |= self.base_classes(&mem));
                all
            }
            Format::Nullary | Format::Jump | Format::Stop => bit(OperandClass::None),
        }
    }

    /// The type of an instruction, and what uses its result.
    fn type_and_uses(&self, i: Inst) -> (Type, Uses) {
        let d = self.f.inst(i);
        let of = |r: Option<Reg>| match r.map_or(0, |r| self.registers.uses[r.index()]) {
            0 => 1 << UseKind::Unused as u8,
            uses => uses,
        };
        match d.op.format() {
            Format::Call => match self.f.call_result(i) {
                CallResult::Scalar(ty, _) => (ty, of(self.f.def(i))),
                CallResult::None | CallResult::Agg(..) => (Type::I64, 1 << UseKind::NoResult as u8),
            },
            _ if d.op.has_result() => (d.ty, of(self.f.def(i))),
            _ => (d.ty, 1 << UseKind::NoResult as u8),
        }
    }

    fn mark_operations(&self, coverage: &mut Coverage, i: Inst) {
        let op = self.f.inst(i).op;
        let (ty, uses) = self.type_and_uses(i);
        let classes = self.operand_classes(i);
        for operand in OperandClass::ALL.into_iter().filter(|c| classes & bit(*c) != 0) {
            for used_by in UseKind::ALL.into_iter().filter(|u| uses & 1 << *u as u8 != 0) {
                coverage.operations.mark(&Operation { op, ty, operand, used_by });
            }
        }
    }

    fn mark_memory(&self, coverage: &mut Coverage, i: Inst) {
        let d = self.f.inst(i);
        let ty = if d.op == Opcode::Call { Type::I64 } else { d.ty };
        let has_aggregate_result = d.op == Opcode::Call && matches!(self.f.call_result(i), CallResult::Agg(..));
        let mut seen = 0;
        self.f.for_each_mem(i, |mem| {
            let nth = match d.op {
                Opcode::Call if has_aggregate_result && seen == 0 => RESULT,
                Opcode::Call => ARGUMENT,
                _ => seen,
            };
            seen += 1;
            let place = PLACES.iter().position(|p| (p.0, p.1) == (d.op, nth)).expect("every place is in the list");
            let class = base_class(self.decls, mem.base);
            let base = BASES.iter().position(|b| *b == class).expect("every base is in the list");
            let (index, disp) = (index_form(&mem), displacement_form(mem.disp));
            coverage.memory.mark(&Memory { place, ty, base, index, disp });
        });
    }

    fn mark_comparison(&self, coverage: &mut Coverage, i: Inst) {
        let d = self.f.inst(i);
        let Some(op) = COMPARING.iter().position(|op| *op == d.op) else { return };
        let predicate = if d.ty.is_int() { d.aux() as usize } else { IntCC::ALL.len() + d.aux() as usize };
        let classes = self.operand_classes(i);
        for operand in OperandClass::ALL.into_iter().filter(|c| classes & bit(*c) != 0) {
            coverage.comparisons.mark(&Comparison { op, predicate, ty: d.ty, operand });
        }
    }

    fn mark_conversion(&self, coverage: &mut Coverage, i: Inst) {
        let d = self.f.inst(i);
        let Some(op) = CONVERTING.iter().position(|op| *op == d.op) else { return };
        let (_, uses) = self.type_and_uses(i);
        for used_by in UseKind::ALL.into_iter().filter(|u| uses & 1 << *u as u8 != 0) {
            coverage.conversions.mark(&Conversion { op, from: d.ty, to: d.to_type(), used_by });
        }
    }
}

//! Counts coverage: two passes over the instructions of a function mark the cells that it reaches.
//!
//! The first records for each register the kinds of its assignments and uses, as sets of bits. The second marks the
//! cells of each instruction.

use super::Coverage;
use super::cells::{Comparison, Conversion, Memory, Operation};
use super::dimensions::{
    ARGUMENT, BASES, COMPARING, CONVERTING, MEMORY_OPERANDS, OperandClass, RESULT, UseKind, displacement_form,
    index_form,
};
use lir_syntax::ir::{
    Base, CallArg, CallResult, Decls, EntityRef, Function, Inst, InstView, IntCC, Opcode, Operand, Reg, SymKind, Type,
};

/// A set of [`OperandClass`].
type Classes = u16;
/// A set of [`UseKind`].
type Uses = u16;

/// The facts about the registers of a function.
struct Registers {
    /// The classes of each, given by its assignments.
    classes: Vec<Classes>,
    /// The uses of each.
    uses: Vec<Uses>,
}

/// The function under analysis.
struct Looked<'a> {
    decls: &'a Decls,
    f: &'a Function,
    registers: Registers,
}

/// Marks the cells of a function, which has no i128: `expand-wide` made i64 of them.
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

/// Calls `found` with each register that an instruction reads, and the kind of use.
fn for_each_use(f: &Function, i: Inst, mut found: impl FnMut(Reg, UseKind)) {
    f.for_each_mem(i, |mem| mem.regs().for_each(|r| found(r, UseKind::Address)));
    let mut of = |operands: &[Operand], used_by: UseKind| {
        operands.iter().filter_map(|o| o.as_reg()).for_each(|r| found(r, used_by));
    };
    match f.view(i) {
        InstView::Unary(a) | InstView::Convert { value: a, .. } => of(&[a], UseKind::Arithmetic),
        InstView::Binary(a, b) => of(&[a, b], UseKind::Arithmetic),
        InstView::Ternary(a, b, c) => of(&[a, b, c], UseKind::Arithmetic),
        InstView::Select { condition, then, otherwise } => {
            of(&[condition], UseKind::Condition);
            of(&[then, otherwise], UseKind::Arithmetic);
        }
        InstView::Compare(c) | InstView::Assume(c) => of(&[c.a, c.b], UseKind::Comparison),
        InstView::Branch(c) => of(&[c.a, c.b], UseKind::Branch),
        InstView::Store { value, .. } | InstView::AtomicStore { value, .. } | InstView::AtomicUpdate { value, .. } => {
            of(&[value], UseKind::Stored)
        }
        InstView::AtomicExchange { expected, new, .. } => of(&[expected, new], UseKind::Stored),
        InstView::Alloca { size: a, .. } | InstView::Consume(a) => of(&[a], UseKind::Stack),
        InstView::MemCopy { length, .. } => of(&[length], UseKind::Length),
        InstView::MemFill { byte, length, .. } => {
            of(&[byte], UseKind::Stored);
            of(&[length], UseKind::Length);
        }
        InstView::Call { callee } => {
            of(&[callee], UseKind::Callee);
            for arg in f.call_args(i) {
                if let CallArg::Reg(r, _) = arg {
                    of(&[Operand::reg(r)], UseKind::Argument);
                }
            }
        }
        InstView::Phi => f.phi_entries(i).for_each(|(_, o)| of(&[o], UseKind::Phi)),
        InstView::Switch(a) => of(&[a], UseKind::Switch),
        InstView::Return(Some(a)) => of(&[a], UseKind::Returned),
        _ => {}
    }
}

impl Looked<'_> {
    /// Returns the classes of an operand of a type.
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

    /// Returns the classes of the operands that count for the table of operations.
    fn operand_classes(&self, i: Inst) -> Classes {
        let (f, ty) = (self.f, self.f.inst(i).ty);
        let all = |operands: &[Operand]| operands.iter().fold(0, |all, o| all | self.classes(ty, *o));
        match f.view(i) {
            InstView::Const(a) | InstView::Unary(a) | InstView::Convert { value: a, .. } => all(&[a]),
            InstView::Binary(a, b) => all(&[a, b]),
            InstView::Ternary(a, b, c) => all(&[a, b, c]),
            InstView::Select { then, otherwise, .. } => all(&[then, otherwise]),
            InstView::Compare(c) | InstView::Branch(c) | InstView::Assume(c) => all(&[c.a, c.b]),
            InstView::Store { value, .. }
            | InstView::AtomicStore { value, .. }
            | InstView::AtomicUpdate { value, .. } => all(&[value]),
            InstView::AtomicExchange { expected, new, .. } => all(&[expected, new]),
            InstView::Return(a) => all(&[a.unwrap_or(Operand::NONE)]),
            InstView::Phi => f.phi_entries(i).fold(0, |seen, (_, o)| seen | all(&[o])),
            InstView::Switch(a) => f.switch_cases(i).fold(all(&[a]), |seen, case| seen | all(&[case])),
            InstView::Alloca { size: a, .. } | InstView::Consume(a) | InstView::Call { callee: a } => {
                self.classes(Type::I64, a)
            }
            InstView::MemCopy { length, .. } => self.classes(Type::I64, length),
            InstView::MemFill { byte, length, .. } => self.classes(Type::I8, byte) | self.classes(Type::I64, length),
            _ => {
                let mut all = 0;
                f.for_each_mem(i, |mem| all |= self.classes(Type::I64, mem.base.to_operand()));
                if all == 0 { bit(OperandClass::None) } else { all }
            }
        }
    }

    /// Returns the type of an instruction, and the uses of its result.
    fn type_and_uses(&self, i: Inst) -> (Type, Uses) {
        let d = self.f.inst(i);
        let of = |r: Option<Reg>| match r.map_or(0, |r| self.registers.uses[r.index()]) {
            0 => 1 << UseKind::Unused as u8,
            uses => uses,
        };
        match d.op {
            Opcode::Call => match self.f.call_result(i) {
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
            let operand =
                MEMORY_OPERANDS.iter().position(|p| (p.0, p.1) == (d.op, nth)).expect("every operand is in the list");
            let class = base_class(self.decls, mem.base);
            let base = BASES.iter().position(|b| *b == class).expect("every base is in the list");
            let (index, disp) = (index_form(&mem), displacement_form(mem.disp));
            coverage.memory.mark(&Memory { operand, ty, base, index, disp });
        });
    }

    fn mark_comparison(&self, coverage: &mut Coverage, i: Inst) {
        let d = self.f.inst(i);
        let Some(op) = COMPARING.iter().position(|op| *op == d.op) else { return };
        let first = if d.ty.is_int() { 0 } else { IntCC::ALL.len() };
        let predicate = first + usize::from(d.predicate().index());
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

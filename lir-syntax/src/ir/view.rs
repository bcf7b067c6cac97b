//! Views of instructions: one case per format, with named fields.
//!
//! [`InstData`] keeps operands in fields whose meaning depends on the format; a view names them. A pass that handles
//! some formats matches those, and a new format affects this enum and the matches that handle it.

use super::{Agg, Comparison, Format, Function, Inst, InstData, Mem, Operand, Type};

/// The operands and effect of an instruction, by its format. Operands are registers or constants unless stated
/// otherwise.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum InstView {
    /// A constant.
    Const(Operand),
    /// One operand.
    Unary(Operand),
    /// Two operands.
    Binary(Operand, Operand),
    /// Three operands.
    Ternary(Operand, Operand, Operand),
    /// A choice by whether a register is 0.
    Select {
        /// The register that is tested.
        condition: Operand,
        /// The result if it is not 0.
        then: Operand,
        /// The result if it is 0.
        otherwise: Operand,
    },
    /// A comparison as a value.
    Compare(Comparison),
    /// A promise that a comparison holds.
    Assume(Comparison),
    /// A conversion of the annotated type to another.
    Convert {
        /// The value that is converted.
        value: Operand,
        /// The type of the result.
        to: Type,
    },
    /// An address (`lea`).
    Address(Mem),
    /// A load.
    Load(Mem),
    /// A store.
    Store {
        /// The destination.
        mem: Mem,
        /// The value that is stored.
        value: Operand,
    },
    /// An atomic load.
    AtomicLoad(Mem),
    /// An atomic store.
    AtomicStore {
        /// The destination.
        mem: Mem,
        /// The value that is stored.
        value: Operand,
    },
    /// An atomic operation on memory (`atomicrmw`).
    AtomicUpdate {
        /// The memory.
        mem: Mem,
        /// The operand.
        value: Operand,
    },
    /// An atomic store if memory has the expected value (`cmpxchg`).
    AtomicExchange {
        /// The memory.
        mem: Mem,
        /// The expected value.
        expected: Operand,
        /// The value that is stored.
        new: Operand,
    },
    /// A fence.
    Fence,
    /// Dynamic stack memory.
    Alloca {
        /// In bytes.
        size: Operand,
        /// In bytes, a power of two.
        alignment: u64,
    },
    /// No operand.
    Nullary,
    /// One operand and no result.
    Consume(Operand),
    /// A copy of bytes.
    MemCopy {
        /// The destination.
        to: Mem,
        /// The source.
        from: Mem,
        /// The number of bytes.
        length: Operand,
    },
    /// A fill with one byte.
    MemFill {
        /// The destination.
        to: Mem,
        /// The byte to fill with.
        byte: Operand,
        /// The number of bytes.
        length: Operand,
    },
    /// One memory operand (`va_start` and the like).
    MemOnly(Mem),
    /// Two memory operands.
    MemPair {
        /// The first.
        to: Mem,
        /// The second.
        from: Mem,
    },
    /// An aggregate that is moved from one memory operand to another.
    AggMemPair {
        /// Its type.
        agg: Agg,
        /// The destination.
        to: Mem,
        /// The source.
        from: Mem,
    },
    /// A call: see [`Function::call_result`] and [`Function::call_args`].
    Call {
        /// A register or a symbol.
        callee: Operand,
    },
    /// A phi: see [`Function::phi_entries`].
    Phi,
    /// A jump to the one successor.
    Jump,
    /// A branch to the first successor if the comparison holds, else to the second.
    Branch(Comparison),
    /// A switch: see [`Function::switch_cases`].
    Switch(Operand),
    /// A return, of a value or of nothing.
    Return(Option<Operand>),
    /// A return of an aggregate.
    AggReturn {
        /// Its type.
        agg: Agg,
        /// The address.
        mem: Mem,
    },
    /// An end without successors.
    Stop,
}

impl Function {
    /// Returns the view of an instruction.
    #[inline]
    pub fn view(&self, i: Inst) -> InstView {
        let d: &InstData = self.inst(i);
        match d.op.format() {
            Format::Const => InstView::Const(d.a),
            Format::Unary => InstView::Unary(d.a),
            Format::Binary => InstView::Binary(d.a, d.b),
            Format::Ternary => {
                let (b, c) = self.operands_bc(i);
                InstView::Ternary(d.a, b, c)
            }
            Format::Select => {
                let (then, otherwise) = self.operands_bc(i);
                InstView::Select { condition: d.a, then, otherwise }
            }
            Format::Compare => InstView::Compare(Comparison::of(d)),
            Format::Assume => InstView::Assume(Comparison::of(d)),
            Format::Convert => InstView::Convert { value: d.a, to: d.to_type() },
            Format::Address => InstView::Address(self.mem(i)),
            Format::Load => InstView::Load(self.mem(i)),
            Format::Store => InstView::Store { mem: self.mem(i), value: d.dst },
            Format::AtomicLoad => InstView::AtomicLoad(self.mem(i)),
            Format::AtomicStore => InstView::AtomicStore { mem: self.mem(i), value: d.dst },
            Format::AtomicUpdate => InstView::AtomicUpdate { mem: self.mem_dst(i), value: d.b },
            Format::AtomicExchange => {
                let (expected, new) = self.operands_bc(i);
                InstView::AtomicExchange { mem: self.mem_dst(i), expected, new }
            }
            Format::Fence => InstView::Fence,
            Format::Alloca => InstView::Alloca { size: d.a, alignment: d.alignment() },
            Format::Nullary => InstView::Nullary,
            Format::Consume => InstView::Consume(d.a),
            Format::MemCopy => InstView::MemCopy { to: self.mem_dst(i), from: self.mem_src(i), length: d.dst },
            Format::MemFill => InstView::MemFill { to: self.mem_dst(i), byte: d.b, length: d.dst },
            Format::MemOnly => InstView::MemOnly(self.mem(i)),
            Format::MemPair => InstView::MemPair { to: self.mem_dst(i), from: self.mem_src(i) },
            Format::AggMemPair => InstView::AggMemPair { agg: d.agg(), to: self.mem_dst(i), from: self.mem_src(i) },
            Format::Call => InstView::Call { callee: d.a },
            Format::Phi => InstView::Phi,
            Format::Jump => InstView::Jump,
            Format::Branch => InstView::Branch(Comparison::of(d)),
            Format::Switch => InstView::Switch(d.a),
            Format::Return => InstView::Return(Some(d.a).filter(|a| !a.is_none())),
            Format::AggReturn => InstView::AggReturn { agg: d.agg(), mem: self.mem(i) },
            Format::Stop => InstView::Stop,
        }
    }
}

//! The formats of instructions: the operands, and the fields that hold them.

/// The operands of an instruction, and their form in text. The fields are the ones of `InstData` in `lir-syntax`;
/// "pool" means that the field is an index into a pool of the function.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Hash)]
pub enum Format {
    /// `%d = op T K`: `a` is a constant.
    Const,
    /// `%d = op T %a`.
    Unary,
    /// `%d = op T %a, %b|K`.
    Binary,
    /// `%d = op T %a, %b, %c`: `a`, and the pool holds `b` and `c`.
    Ternary,
    /// `%d = op T %c, %a, %b`: `a` is the condition (any integer type), and the pool holds `%a` and `%b` of type T.
    Select,
    /// `%d = op PRED T %a, %b|K`: the predicate is in `aux`.
    Compare,
    /// `%d = op T %a to U`: U is in `aux`.
    Convert,
    /// `%d = op [mem]`: an address.
    Address,
    /// `%d = op T [mem]`.
    Load,
    /// `op T [mem], %v|K`: the value is in the destination field.
    Store,
    /// `%d = op ORDER T [mem]`: the order is in `aux`.
    AtomicLoad,
    /// `op ORDER T [mem], %v|K`: the value is in the destination field, the order in `aux`.
    AtomicStore,
    /// `%d = op OPERATION ORDER T [mem], %v|K`: memory operand in the pool (`a`), the value in `b`, the order and the
    /// operation in `aux`.
    AtomicUpdate,
    /// `%d = op ORDER ORDER T [mem], %e, %n`: memory operand in the pool (`a`), the pool holds `%e` and `%n` at `b`,
    /// the orders are in `aux`.
    AtomicExchange,
    /// `op ORDER`: the order is in `aux`.
    Fence,
    /// `%d = op %n|K, ALIGN`: `a` is the size, log2 of the alignment is in `aux`.
    Alloca,
    /// `%d = op`.
    Nullary,
    /// `op %a`.
    Consume,
    /// `op [d], [s], %n|K`: both memory operands in the pool (`a`, `b`), the size in the destination field.
    MemCopy,
    /// `op [d], %b|K, %n|K`: memory operand in the pool (`a`), the byte in `b`, the size in the destination field.
    MemFill,
    /// `op [m]`.
    MemOnly,
    /// `op [d], [s]`: both memory operands in the pool (`a`, `b`).
    MemPair,
    /// `op :agg [r], [m]`: both memory operands in the pool (`a`, `b`), the type in the destination field.
    AggMemPair,
    /// `%d = call ..`: `a` is the callee (symbol or register), `b` the index of the call's record in the pool.
    Call,
    /// `%d = phi T [%a, block], ..`: `b` is the index of the entries in the pool.
    Phi,
    /// `jmp block`: the target is the block's successor.
    Jump,
    /// `br PRED T %a, %b|K, then, else`: targets are the block's successors, the predicate is in `aux`.
    Branch,
    /// `switch T %a, default [K: b, ..]`: targets are the block's successors (default first), `b` is the pool index
    /// of the case values.
    Switch,
    /// `ret`, `ret %a|K`: `a` may be none. T is the type of the function's scalar result, which the text does not
    /// repeat; i64 if it has none.
    Return,
    /// `ret :agg [m]`: the type is in the destination field.
    AggReturn,
    /// `op`: a terminator without operands.
    Stop,
    /// `op PRED T %a, %b|K`: the predicate is in `aux`.
    Assume,
}

/// The memory operands of a format.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum MemoryOperands {
    /// There are none.
    None,
    /// One, in fields `a` and `b`, or, with an index, in the pool.
    InLine,
    /// One in the pool, at `a`.
    Pooled,
    /// Two in the pool, the destination at `a`, the source at `b`.
    TwoPooled,
    /// The operands of aggregates in the record of a call.
    OfCall,
}

impl Format {
    /// Returns the memory operands.
    #[inline]
    pub fn memory(self) -> MemoryOperands {
        match self {
            Format::Address | Format::Load | Format::Store | Format::MemOnly | Format::AggReturn => {
                MemoryOperands::InLine
            }
            Format::AtomicLoad | Format::AtomicStore => MemoryOperands::InLine,
            Format::MemFill | Format::AtomicUpdate | Format::AtomicExchange => MemoryOperands::Pooled,
            Format::MemCopy | Format::MemPair | Format::AggMemPair => MemoryOperands::TwoPooled,
            Format::Call => MemoryOperands::OfCall,
            _ => MemoryOperands::None,
        }
    }
    /// True if an operand that is not in an address may be a constant.
    #[inline]
    pub fn takes_constant(self) -> bool {
        let computes = matches!(self, Format::Const | Format::Binary | Format::Compare | Format::Alloca | Format::Phi);
        let stores = matches!(self, Format::Store | Format::MemCopy | Format::MemFill);
        let atomic = matches!(self, Format::AtomicStore | Format::AtomicUpdate);
        let tests = matches!(self, Format::Branch | Format::Switch | Format::Assume);
        computes || stores || atomic || tests || self == Format::Return
    }
    /// True if an instruction has a predicate.
    #[inline]
    pub fn compares(self) -> bool {
        matches!(self, Format::Compare | Format::Branch | Format::Assume)
    }
    /// True if other threads may access the same memory at the same time.
    #[inline]
    pub fn is_atomic(self) -> bool {
        matches!(self, Format::AtomicLoad | Format::AtomicStore | Format::AtomicUpdate | Format::AtomicExchange)
    }
    /// True if an instruction has an order: an atomic access or a fence.
    #[inline]
    pub fn has_order(self) -> bool {
        self.is_atomic() || self == Format::Fence
    }
    /// True if the field `a` is an operand, which may be none, and no pool index (memory operands are in line).
    #[inline]
    pub fn has_first_operand(self) -> bool {
        !matches!(self.memory(), MemoryOperands::Pooled | MemoryOperands::TwoPooled)
    }
    /// True if the field `b` is an operand, which may be none, and neither a pool index nor a displacement.
    #[inline]
    pub fn has_second_operand(self) -> bool {
        match self {
            Format::Ternary | Format::Select | Format::Phi | Format::Switch | Format::AtomicExchange => false,
            _ => matches!(self.memory(), MemoryOperands::None | MemoryOperands::Pooled),
        }
    }
}

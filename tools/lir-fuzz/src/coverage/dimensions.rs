//! The dimensions of the coverage tables: classes of operands, uses of results, parts of addresses.

use lir_syntax::ir::{Base, Format, Mem, Opcode, Type};
use lir_syntax::named;
use std::sync::LazyLock;

named! {
    /// The class of an operand. A register counts by the instructions that assign it.
    pub(super) enum OperandClass {
        Register "register" "A register that is none of the next four."
        Sum "lea" "The result of a `lea` without an object."
        Object "object" "The address of a stack object."
        Data "data" "The address of data."
        Function "function" "The address of a function."
        Zero "0" "The constant 0; of a float type the one with no bit set."
        Small "-2..2" "A constant from -2 to 2."
        Byte "8-bit" "Another constant of 8 bits."
        Word "32-bit" "Another constant of 32 bits, and any of f32."
        Wide "wide" "A longer constant, and any of f64."
        None "none" "No operand, or a memory operand without a base."
    }
}

impl OperandClass {
    /// Returns the class of a constant, by its payload.
    pub(super) fn of_constant(ty: Type, payload: i64) -> OperandClass {
        match payload {
            0 => OperandClass::Zero,
            _ if ty == Type::F64 => OperandClass::Wide,
            _ if ty == Type::F32 => OperandClass::Word,
            -2..=2 => OperandClass::Small,
            -128..=127 => OperandClass::Byte,
            _ if i32::try_from(payload).is_ok() => OperandClass::Word,
            _ => OperandClass::Wide,
        }
    }
    /// Returns the class of a base that is not a register.
    pub(super) fn of_base(base: Base, is_function: impl Fn(lir_syntax::ir::Sym) -> bool) -> OperandClass {
        match base {
            Base::None => OperandClass::None,
            Base::Reg(_) => OperandClass::Register,
            Base::Obj(_) => OperandClass::Object,
            Base::Sym(s) if is_function(s) => OperandClass::Function,
            Base::Sym(_) => OperandClass::Data,
        }
    }
    /// True if this is a register of any kind.
    pub(super) fn is_register(self) -> bool {
        self == OperandClass::Register || self.is_address()
    }
    /// True if this is a register that an address is in.
    pub(super) fn is_address(self) -> bool {
        use OperandClass::{Data, Function, Object, Sum};
        matches!(self, Sum | Object | Data | Function)
    }
    /// True if this is a constant.
    pub(super) fn is_constant(self) -> bool {
        !self.is_register() && self != OperandClass::None
    }
}

named! {
    /// The kind of instruction that uses a result.
    pub(super) enum UseKind {
        Arithmetic "arithmetic" "An operation that computes something of it."
        Comparison "comparison" "`icmp` or `fcmp`."
        Condition "condition" "A `select`, as its condition."
        Phi "phi" "A phi."
        Address "address" "A memory operand."
        Stored "stored" "A store, an atomic access or a `memset`, as the value."
        Argument "argument" "A call, as an argument."
        Callee "callee" "A call, as the callee."
        Length "length" "A block operation, as the number of bytes."
        Stack "stack" "An `alloca` or `stack_restore`."
        Returned "returned" "`ret`."
        Branch "branch" "`br`."
        Switch "switch" "`switch`."
        Unused "unused" "Nothing."
        NoResult "no result" "There is no result."
    }
}

impl UseKind {
    /// True if a value of this type may be used so.
    pub(super) fn takes(self, ty: Type) -> bool {
        match self {
            UseKind::Address | UseKind::Callee | UseKind::Length | UseKind::Stack => ty == Type::I64,
            UseKind::Condition | UseKind::Switch => ty.is_int(),
            UseKind::Arithmetic
            | UseKind::Comparison
            | UseKind::Phi
            | UseKind::Stored
            | UseKind::Argument
            | UseKind::Returned
            | UseKind::Branch
            | UseKind::Unused => true,
            UseKind::NoResult => false,
        }
    }
}

/// The memory operands: an opcode, and the number of the operand.
pub(super) const MEMORY_OPERANDS: [(Opcode, usize, &str); 22] = [
    (Opcode::Lea, 0, "lea"),
    (Opcode::Load, 0, "load"),
    (Opcode::Store, 0, "store"),
    (Opcode::Memcpy, 0, "memcpy to"),
    (Opcode::Memcpy, 1, "memcpy from"),
    (Opcode::Memmove, 0, "memmove to"),
    (Opcode::Memmove, 1, "memmove from"),
    (Opcode::Memset, 0, "memset"),
    (Opcode::AtomicLoad, 0, "atomic_load"),
    (Opcode::AtomicStore, 0, "atomic_store"),
    (Opcode::AtomicRmw, 0, "atomicrmw"),
    (Opcode::Cmpxchg, 0, "cmpxchg"),
    (Opcode::VaStart, 0, "va_start"),
    (Opcode::VaEnd, 0, "va_end"),
    (Opcode::VaCopy, 0, "va_copy to"),
    (Opcode::VaCopy, 1, "va_copy from"),
    (Opcode::VaArg, 0, "va_arg"),
    (Opcode::VaArgAgg, 0, "va_arg to"),
    (Opcode::VaArgAgg, 1, "va_arg of"),
    (Opcode::RetAgg, 0, "ret"),
    (Opcode::Call, RESULT, "call result"),
    (Opcode::Call, ARGUMENT, "call argument"),
];
/// The memory operands of a call: of the result, and of the arguments.
pub(super) const RESULT: usize = 0;
/// See [`RESULT`].
pub(super) const ARGUMENT: usize = 1;

/// The bases of memory operands, as classified by [`OperandClass::of_base`].
pub(super) const BASES: [OperandClass; 5] =
    [OperandClass::None, OperandClass::Register, OperandClass::Object, OperandClass::Data, OperandClass::Function];

/// Indices: none, or by scale.
pub(super) const INDICES: [&str; 5] = ["", "*1", "*2", "*4", "*8"];

/// Returns the position in [`INDICES`] of a memory operand.
pub(super) fn index_form(mem: &Mem) -> usize {
    if mem.index.is_some() { 1 + mem.scale.ilog2() as usize } else { 0 }
}

/// Displacements: none, of 8 bits, of 32 bits, and within 8 bytes of ±2^30 or ±2^31.
pub(super) const DISPLACEMENTS: [&str; 4] = ["", "8-bit", "32-bit", "edge"];

/// Returns the position in [`DISPLACEMENTS`] of a displacement.
pub(super) fn displacement_form(disp: i32) -> usize {
    let near = |edge: i64| (i64::from(disp) - edge).abs() <= 8;
    match disp {
        0 => 0,
        -128..=127 => 1,
        _ if [1 << 30, -1 << 30, 1 << 31, -1 << 31].into_iter().any(near) => 3,
        _ => 2,
    }
}

/// The opcodes that compare.
pub(super) static COMPARING: LazyLock<Vec<Opcode>> = LazyLock::new(|| of_formats(&[Format::Compare, Format::Branch]));

/// The opcodes that convert.
pub(super) static CONVERTING: LazyLock<Vec<Opcode>> = LazyLock::new(|| of_formats(&[Format::Convert]));

fn of_formats(formats: &[Format]) -> Vec<Opcode> {
    Opcode::ALL.iter().copied().filter(|op| formats.contains(&op.format())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use lir_syntax::ir::MemoryOperands;

    #[test]
    fn all_memory_operands_are_listed() {
        for op in Opcode::ALL {
            let listed = MEMORY_OPERANDS.iter().any(|p| p.0 == *op);
            assert_eq!(listed, op.format().memory() != MemoryOperands::None, "{op:?}");
        }
    }

    #[test]
    fn displacements_near_an_edge_are_told_from_others() {
        for (disp, form) in [(0, 0), (-128, 1), (128, 2), (i32::MAX, 3), (i32::MIN + 7, 3), ((1 << 30) + 9, 2)] {
            assert_eq!(displacement_form(disp), form, "{disp}");
        }
    }

    #[test]
    fn names_are_distinct() {
        let mut names: Vec<&str> = UseKind::ALL.map(UseKind::name).to_vec();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), UseKind::ALL.len());
        let mut names: Vec<&str> = OperandClass::ALL.map(OperandClass::name).to_vec();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), OperandClass::ALL.len());
    }
}

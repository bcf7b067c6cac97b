//! The cells of the coverage tables: four sorts, each a product of dimensions with a number for every cell.

use super::dimensions::{BASES, COMPARING, CONVERTING, DISPLACEMENTS, INDICES, MEMORY_OPERANDS, OperandClass, UseKind};
use lir_syntax::ir::{FloatCC, IntCC, Opcode, Type};

/// A cell of a table.
pub(super) trait Cell: Copy + 'static {
    /// The title of the table.
    const TITLE: &'static str;

    /// Returns the number of its cells.
    fn count() -> usize;
    /// Returns the number of the cell, below [`Cell::count`].
    fn number(&self) -> usize;
    /// Returns the cell with this number.
    fn with_number(n: usize) -> Self;
    /// Returns the row that it is in: an opcode, mostly.
    fn row(&self) -> &'static str;
    /// Returns the column.
    fn ty(&self) -> Type;
    /// Returns the rest of the cell: the part that shares a line of the report, and a word on that line.
    fn rest(&self) -> (String, &'static str);
}

const TYPES: usize = Type::OF_WORDS.len();
const CLASSES: usize = OperandClass::ALL.len();
const USES: usize = UseKind::ALL.len();
/// Integer predicates, then float predicates.
pub(super) const PREDICATES: usize = IntCC::ALL.len() + FloatCC::ALL.len();

/// Returns the digits of a number in a mixed radix, the last one least.
fn digits<const N: usize>(mut n: usize, radices: [usize; N]) -> [usize; N] {
    let mut digits = [0; N];
    for k in (0..N).rev() {
        digits[k] = n % radices[k];
        n /= radices[k];
    }
    digits
}

/// An opcode with a type, one of its operands, and a use of its result.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) struct Operation {
    /// The opcode.
    pub op: Opcode,
    /// The annotation; for calls, the type of the result; i64 if there is none.
    pub ty: Type,
    /// The operand; of memory operands the base, of calls the callee.
    pub operand: OperandClass,
    /// The use of the result.
    pub used_by: UseKind,
}

impl Cell for Operation {
    const TITLE: &'static str = "operations: opcode x type x operand x use of the result";

    fn count() -> usize {
        Opcode::ALL.len() * TYPES * CLASSES * USES
    }
    fn number(&self) -> usize {
        ((self.op as usize * TYPES + self.ty as usize) * CLASSES + self.operand as usize) * USES + self.used_by as usize
    }
    fn with_number(n: usize) -> Operation {
        let [op, ty, operand, used_by] = digits(n, [Opcode::ALL.len(), TYPES, CLASSES, USES]);
        Operation {
            op: Opcode::ALL[op],
            ty: Type::OF_WORDS[ty],
            operand: OperandClass::ALL[operand],
            used_by: UseKind::ALL[used_by],
        }
    }
    fn row(&self) -> &'static str {
        match self.op {
            Opcode::VaArgAgg => "va_arg :t",
            Opcode::RetAgg => "ret :t",
            op => op.mnemonic(),
        }
    }
    fn ty(&self) -> Type {
        self.ty
    }
    fn rest(&self) -> (String, &'static str) {
        (self.operand.name().to_string(), self.used_by.name())
    }
}

/// A memory operand of an opcode.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) struct Memory {
    /// The position in [`MEMORY_OPERANDS`].
    pub operand: usize,
    /// The type of the accessed memory; i64 if there is none.
    pub ty: Type,
    /// The position in [`BASES`].
    pub base: usize,
    /// The position in [`INDICES`].
    pub index: usize,
    /// The position in [`DISPLACEMENTS`].
    pub disp: usize,
}

impl Cell for Memory {
    const TITLE: &'static str = "memory operands: place x type x base x index x displacement";

    fn count() -> usize {
        MEMORY_OPERANDS.len() * TYPES * BASES.len() * INDICES.len() * DISPLACEMENTS.len()
    }
    fn number(&self) -> usize {
        let form = (self.base * INDICES.len() + self.index) * DISPLACEMENTS.len() + self.disp;
        (self.operand * TYPES + self.ty as usize) * BASES.len() * INDICES.len() * DISPLACEMENTS.len() + form
    }
    fn with_number(n: usize) -> Memory {
        let radices = [MEMORY_OPERANDS.len(), TYPES, BASES.len(), INDICES.len(), DISPLACEMENTS.len()];
        let [operand, ty, base, index, disp] = digits(n, radices);
        Memory { operand, ty: Type::OF_WORDS[ty], base, index, disp }
    }
    fn row(&self) -> &'static str {
        MEMORY_OPERANDS[self.operand].2
    }
    fn ty(&self) -> Type {
        self.ty
    }
    fn rest(&self) -> (String, &'static str) {
        let word = DISPLACEMENTS[self.disp];
        let form = format!("[{}{}]", BASES[self.base].name(), INDICES[self.index]);
        (form, if word.is_empty() { "alone" } else { word })
    }
}

/// A comparison of two operands.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) struct Comparison {
    /// The position in [`COMPARING`].
    pub op: usize,
    /// The position among [`PREDICATES`].
    pub predicate: usize,
    /// The type of the operands.
    pub ty: Type,
    /// One of them.
    pub operand: OperandClass,
}

impl Comparison {
    /// Returns the name of the predicate.
    fn predicate_name(&self) -> &'static str {
        match IntCC::ALL.get(self.predicate) {
            Some(cc) => cc.name(),
            None => FloatCC::ALL[self.predicate - IntCC::ALL.len()].name(),
        }
    }
}

impl Cell for Comparison {
    const TITLE: &'static str = "comparisons: opcode x type x predicate x operand";

    fn count() -> usize {
        COMPARING.len() * PREDICATES * TYPES * CLASSES
    }
    fn number(&self) -> usize {
        ((self.op * PREDICATES + self.predicate) * TYPES + self.ty as usize) * CLASSES + self.operand as usize
    }
    fn with_number(n: usize) -> Comparison {
        let [op, predicate, ty, operand] = digits(n, [COMPARING.len(), PREDICATES, TYPES, CLASSES]);
        Comparison { op, predicate, ty: Type::OF_WORDS[ty], operand: OperandClass::ALL[operand] }
    }
    fn row(&self) -> &'static str {
        COMPARING[self.op].mnemonic()
    }
    fn ty(&self) -> Type {
        self.ty
    }
    fn rest(&self) -> (String, &'static str) {
        (self.predicate_name().to_string(), self.operand.name())
    }
}

/// A conversion and a use of its result.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) struct Conversion {
    /// The position in [`CONVERTING`].
    pub op: usize,
    /// The type of the operand.
    pub from: Type,
    /// The type of the result.
    pub to: Type,
    /// The use of it.
    pub used_by: UseKind,
}

impl Cell for Conversion {
    const TITLE: &'static str = "conversions: opcode x type x result x use of the result";

    fn count() -> usize {
        CONVERTING.len() * TYPES * TYPES * USES
    }
    fn number(&self) -> usize {
        ((self.op * TYPES + self.from as usize) * TYPES + self.to as usize) * USES + self.used_by as usize
    }
    fn with_number(n: usize) -> Conversion {
        let [op, from, to, used_by] = digits(n, [CONVERTING.len(), TYPES, TYPES, USES]);
        Conversion { op, from: Type::OF_WORDS[from], to: Type::OF_WORDS[to], used_by: UseKind::ALL[used_by] }
    }
    fn row(&self) -> &'static str {
        CONVERTING[self.op].mnemonic()
    }
    fn ty(&self) -> Type {
        self.from
    }
    fn rest(&self) -> (String, &'static str) {
        (format!("to {}", self.to), self.used_by.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check_numbers<C: Cell + PartialEq + std::fmt::Debug>() {
        for n in 0..C::count() {
            assert_eq!(C::with_number(n).number(), n, "{:?}", C::with_number(n));
        }
    }

    #[test]
    fn every_cell_has_a_number_of_its_own() {
        check_numbers::<Operation>();
        check_numbers::<Memory>();
        check_numbers::<Comparison>();
        check_numbers::<Conversion>();
    }
}

//! The memory that an operand names, as kill sets see it: an object, or bytes at a constant distance from registers.

use crate::analysis::SsaView;
use lir_syntax::ir::{Base, Function, Inst, Mem, Obj, Opcode, PackedOption, Reg, Sym};

/// Limit on the steps between an address and its object: `lea` of `lea` of it. Longer chains are addresses that are not
/// known.
const MAX_CHAIN: usize = 8;

/// The registers of an address: the base from which a distance is counted.
#[derive(Copy, Clone, PartialEq, Eq)]
pub(super) struct Registers {
    pub base: Reg,
    pub index: PackedOption<Reg>,
    pub scale: u8,
}

/// Bytes at a constant distance from a sum of registers.
#[derive(Copy, Clone, PartialEq, Eq)]
pub(super) struct Field {
    pub registers: Registers,
    pub disp: i32,
    pub size: u32,
}

impl Field {
    /// True if two fields of the same registers have no byte in common.
    pub(super) fn is_apart(&self, other: &Field) -> bool {
        let [(a, n), (b, m)] = [self, other].map(|f| (i64::from(f.disp), i64::from(f.size)));
        self.registers == other.registers && (a + n <= b || b + m <= a)
    }
    /// Returns the same bytes, counted from the registers that the base is the sum of. None if that takes two indices.
    fn counted_from(self, sum: &Mem, by: i64) -> Option<Field> {
        let Base::Reg(base) = sum.base else { return None };
        let disp = i64::from(self.disp).checked_add(i64::from(sum.disp))?.checked_add(by)?;
        let registers = match sum.index {
            None => Registers { base, ..self.registers },
            Some(r) if self.registers.index.is_none() => Registers { base, index: r.into(), scale: sum.scale },
            Some(_) => return None,
        };
        Some(Field { registers, disp: i32::try_from(disp).ok()?, ..self })
    }
}

/// The memory that an operand names.
#[derive(Copy, Clone)]
pub(super) enum NamedMemory {
    Obj(Obj),
    Sym(Sym),
    Field(Field),
    Unknown,
}

/// Returns the memory of this many bytes at an operand. With the option `sums` a register that is a sum is replaced by
/// its summands.
#[inline(always)]
pub(super) fn memory_of(f: &Function, ssa: &SsaView, sums: bool, mem: &Mem, size: u32) -> NamedMemory {
    let base = match mem.base {
        Base::Obj(o) => return NamedMemory::Obj(o),
        Base::Sym(s) => return NamedMemory::Sym(s),
        Base::None => return NamedMemory::Unknown,
        Base::Reg(base) => base,
    };
    let registers = Registers { base, index: mem.index.into(), scale: mem.scale };
    let field = Field { registers, disp: mem.disp, size };
    match ssa.def(base).map(|i| f.inst(i).op) {
        Some(Opcode::Copy | Opcode::Lea) => with_summands(f, ssa, sums, field),
        Some(Opcode::Add | Opcode::Sub) if sums => with_summands(f, ssa, sums, field),
        Some(_) | None => NamedMemory::Field(field),
    }
}

/// Returns the memory of a field, found through the instructions that make its base.
#[inline(never)]
fn with_summands(f: &Function, ssa: &SsaView, sums: bool, mut field: Field) -> NamedMemory {
    let (mut base, mut is_counted) = (field.registers.base, sums);
    for _ in 0..MAX_CHAIN {
        let Some((sum, by)) = ssa.def(base).and_then(|i| sum_of(f, i, sums)) else { break };
        base = match sum.base {
            Base::Obj(o) => return NamedMemory::Obj(o),
            Base::Sym(s) => return NamedMemory::Sym(s),
            Base::None => break,
            Base::Reg(base) => base,
        };
        match field.counted_from(&sum, by) {
            Some(counted) if is_counted => field = counted,
            // The walk continues for the object alone.
            Some(_) | None => is_counted = false,
        }
    }
    NamedMemory::Field(field)
}

/// Returns the operand that an instruction adds to a constant, and the constant, where that keeps an address in its
/// object. Without `sums` only of copies and `lea`.
#[inline]
fn sum_of(f: &Function, i: Inst, sums: bool) -> Option<(Mem, i64)> {
    let d = f.inst(i);
    let by = match d.op {
        Opcode::Copy => 0,
        Opcode::Add if sums => f.constant(d.second())?,
        Opcode::Sub if sums => f.constant(d.second())?.checked_neg()?,
        Opcode::Lea => return Some((f.mem(i), 0)),
        _ => return None,
    };
    Some((Mem::reg(d.first().as_reg()?), by))
}

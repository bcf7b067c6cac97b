//! Checks that an instruction can be read: the entries that its fields index are in the pools of its function.
//!
//! Passes and parsers make instructions by methods of the function, and all of these can be read. A program that makes
//! modules by hand may leave an operand out, take an instruction of another function, or change the opcode but not the
//! operands. The printer and the verifier check before they read; everything after the verifier relies on the check.

use super::{CALL_HEADER, Function};
use crate::ir::inst::InstData;
use crate::ir::opcode::{Format, MemoryOperands};
use crate::ir::operand::{Operand, OperandKind};
use crate::ir::{Inst, Predicate, Type};

impl Function {
    /// True if no method that reads the instruction panics. Registers, symbols and the like may still not exist.
    #[inline]
    pub fn is_readable(&self, i: Inst) -> bool {
        let Some(d) = self.insts.get(i) else { return false };
        let format = d.op.format();
        let has_aux = match format {
            Format::Compare | Format::Branch | Format::Assume => Predicate::exists(d.aux),
            Format::Convert => (d.aux as usize) < Type::ALL.len(),
            Format::Alloca => (d.aux as u32) < u64::BITS,
            Format::AggReturn | Format::AggMemPair => !d.dst.is_none(),
            format if format.has_order() => d.has_orders(),
            _ => true,
        };
        let indexed = d.flags & InstData::INDEXED != 0;
        let memory = format.memory();
        has_aux
            && (!indexed || memory == MemoryOperands::InLine)
            && self.has_memory(d, memory)
            && self.has_list(d, format)
            && self.has_constants(d, format)
    }
    #[inline]
    fn has_memory(&self, d: &InstData, memory: MemoryOperands) -> bool {
        let pooled = |o: Operand| (o.to_bits() as usize) < self.mems.len();
        match memory {
            MemoryOperands::None | MemoryOperands::OfCall => true,
            MemoryOperands::InLine if d.flags & InstData::INDEXED != 0 => pooled(d.a),
            MemoryOperands::InLine => !d.a.is_const(),
            MemoryOperands::Pooled => pooled(d.a),
            MemoryOperands::TwoPooled => pooled(d.a) && pooled(d.b),
        }
    }
    #[inline]
    fn has_list(&self, d: &InstData, format: Format) -> bool {
        let at = d.b.to_bits() as usize;
        match format {
            Format::Ternary | Format::Select | Format::AtomicExchange => self.lists.len().saturating_sub(at) >= 2,
            Format::Phi => self.has_counted(at, 2),
            Format::Switch => self.has_counted(at, 1),
            Format::Call => self.has_call(at),
            _ => true,
        }
    }
    /// True if there are a count and as many entries of `words` words.
    fn has_counted(&self, at: usize, words: usize) -> bool {
        self.lists.get(at).is_some_and(|n| (self.lists.len() - at - 1) / words >= *n as usize)
    }
    fn has_call(&self, at: usize) -> bool {
        let Some(&[count, fixed, kind, mem]) = self.lists.get(at..).and_then(|l| l.first_chunk::<CALL_HEADER>()) else {
            return false;
        };
        let pooled = |mem: u32| (mem as usize) < self.mems.len();
        let (count, rest) = ((count >> 1) as usize, &self.lists[at + CALL_HEADER..]);
        let result = match kind & 3 {
            0 => true,
            1 => (kind >> 8 & 0xff) < Type::ALL.len() as u32,
            _ => pooled(mem),
        };
        result
            && fixed as usize <= count
            && count <= rest.len() / 2
            && rest[..2 * count].chunks_exact(2).all(|e| e[0] & 4 == 0 || pooled(e[1]))
    }
    /// True if the constants are in the pool, also of fields that the format does not use: they are copied with the
    /// instruction.
    #[inline]
    fn has_constants(&self, d: &InstData, format: Format) -> bool {
        let has = |o: Operand| match o.kind() {
            OperandKind::Pool(k) => (k as usize) < self.consts.len(),
            OperandKind::WidePool(k) => (k as usize) < self.wide_consts.len(),
            _ => true,
        };
        let first = !format.has_first_operand() || d.flags & InstData::INDEXED != 0 || has(d.a);
        let second = !format.has_second_operand() || has(d.b);
        first && second && (matches!(format, Format::AggMemPair | Format::AggReturn) || has(d.dst))
    }
}

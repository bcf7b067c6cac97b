//! Loads of bytes that block operations wrote, with memory SSA (step 5).
//!
//! Where the walk from a load ends at a `memset` whose bytes cover the load's, the load gives that byte, repeated. At a
//! copy that covers them it gives the earlier contents of the source: constant data, or a value that is known under the
//! key of a load from there with the version of memory before the copy. If that version is again such a write, it is
//! handled in the same way.
//!
//! Sound, since between the write and the load nothing wrote to the location, and no memory phi was passed, so that the
//! registers of both addresses held the same (see [`alias`](crate::analysis::alias)).

use super::GlobalNumberer;
use crate::analysis::known_data::KnownData;
use crate::analysis::memory_ssa::AccessKind;
use crate::passes::value_numbering::events::Event;
use lir_syntax::ir::{Block, Format, Function, Inst, Mem, Operand, Reg, Type};

/// Copies of copies that are followed.
const MAX_COPIES: usize = 8;

/// The contents of a location in an area that was written.
enum Written {
    Known(KnownData),
    Value(Operand),
}

impl GlobalNumberer<'_> {
    /// Replaces the load `i`, which assigns `r`, by the value written to its area. Returns false if none is known.
    pub(super) fn read_from_area(&mut self, f: &mut Function, b: Block, i: Inst, r: Reg) -> bool {
        let Some((write, written)) = self.find_write(f, b, i) else { return false };
        self.explainer.remarks.done(f, i, Event::BlockWrote(f.inst(write).op));
        match written {
            Written::Known(known) => self.become_known(f, b, i, r, known),
            Written::Value(by) => self.replace(f, b, i, r, by),
        }
        true
    }
    /// Finds the block operation that wrote the bytes of a load.
    fn find_write(&mut self, f: &Function, b: Block, i: Inst) -> Option<(Inst, Written)> {
        let memory = self.around.memory_ssa()?.memory;
        let (decls, ty) = (self.around.decls, f.inst(i).ty);
        let mut location = self.scratch.oracle.location(f, i)?;
        let mut access = memory.clobber_of(&self.scratch.oracle, (decls, f), i)?.access;
        for _ in 0..MAX_COPIES {
            let AccessKind::Def(write) = memory.kind(access) else { return None };
            let format = f.inst(write).op.format();
            if !matches!(format, Format::MemFill | Format::MemCopy) {
                return None;
            }
            let target = self.scratch.oracle.location(f, write)?;
            if !self.scratch.oracle.relation(decls, &target, &location).covers() {
                return None;
            }
            if format == Format::MemFill {
                return self.filled(f, write, ty).map(|written| (write, written));
            }
            let ahead = location.offset?.wrapping_sub(target.offset?);
            let source = f.mem_src(write);
            let disp = i32::try_from(i64::from(source.disp).checked_add(ahead)?).ok()?;
            let source = Mem { disp, ..source };
            if let Some(known) = self.known_data(f, &source, ty) {
                return Some((write, Written::Known(known)));
            }
            location = self.scratch.oracle.location_of(source, Some(u64::from(ty.bytes())));
            let before = memory.defining_access(write)?;
            access = memory.clobber(&self.scratch.oracle, (decls, f), &location, before).access;
            let version = self.around.version_read(self.memory_facts()?, f, &location, before);
            let key = self.key_of_load(b, &source, ty, version);
            if let Some(by) = self.scratch.available.find(&key, b, self.around.dom) {
                return Some((write, Written::Value(by)));
            }
        }
        None
    }
    /// Returns the value of a load of `ty` if `memset` wrote all its bytes.
    fn filled(&self, f: &Function, memset: Inst, ty: Type) -> Option<Written> {
        let byte = f.inst(memset).second();
        match f.constant(Operand::from_bits(self.scratch.number_of(byte))) {
            Some(byte) => {
                let bits = u64::from(byte as u8) * 0x0101_0101_0101_0101;
                Some(Written::Known(KnownData::Bits(ty.as_word().truncate(bits))))
            }
            None => (ty == Type::I8 && byte.is_reg()).then_some(Written::Value(byte)),
        }
    }
}

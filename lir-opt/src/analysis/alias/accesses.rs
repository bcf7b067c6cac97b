//! The memory that instructions read and write.

use super::location::{Location, Root};
use super::{AliasOracle, MemoryEffect};
use crate::analysis::effects::callee_attrs;
use lir_syntax::ir::{Attrs, CallArg, CallResult, Decls, Effects, Format, Function, Inst, Mem, Operand, VA_LIST_SIZE};

/// The direction of an access.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Mode {
    /// Bytes are read.
    Read,
    /// Bytes are, or may be, written.
    Write,
}

/// Returns the effect of a call on memory other than its aggregate arguments and result.
fn callee_effect(attrs: Attrs) -> MemoryEffect {
    if attrs.has(Attrs::RETURNS_TWICE) {
        MemoryEffect::Writes
    } else if attrs.has(Attrs::READNONE) {
        MemoryEffect::None
    } else if attrs.has(Attrs::READONLY) {
        MemoryEffect::Reads
    } else {
        MemoryEffect::Writes
    }
}

/// Returns the effect of any instruction on memory. By the table's effects, refined for calls; the end of allocas by
/// `stack_restore` counts as a write, `ret` of an aggregate as a read.
#[inline]
pub(crate) fn memory_effect(decls: &Decls, f: &Function, i: Inst) -> MemoryEffect {
    let d = f.inst(i);
    match d.op.format() {
        Format::Call => call_effect(decls, f, i),
        Format::AggReturn => MemoryEffect::Reads,
        Format::Consume => MemoryEffect::Writes,
        _ if d.op.effects().has(Effects::WRITES) => MemoryEffect::Writes,
        _ if d.op.effects().has(Effects::READS) => MemoryEffect::Reads,
        _ => MemoryEffect::None,
    }
}

// Apart, so that the rest is small enough to be inlined: most instructions are not calls.
#[inline(never)]
fn call_effect(decls: &Decls, f: &Function, i: Inst) -> MemoryEffect {
    let callee = callee_effect(callee_attrs(decls, f, i));
    if matches!(f.call_result(i), CallResult::Agg(..)) {
        return MemoryEffect::Writes;
    }
    let reads_arguments = callee == MemoryEffect::None && f.call_args(i).any(|a| matches!(a, CallArg::Agg(..)));
    if reads_arguments { MemoryEffect::Reads } else { callee }
}

impl AliasOracle {
    /// Calls `visit` with every location that an instruction reads or writes. An unknown callee accesses
    /// [`Location::ANYWHERE`].
    pub(crate) fn for_each_access(&self, decls: &Decls, f: &Function, i: Inst, mut visit: impl FnMut(Mode, Location)) {
        let d = f.inst(i);
        let at = |m: Mem, size: Option<u64>| self.addresses.of_mem(m).location(size);
        let number = |o: Operand| f.constant(o).map(|n| n as u64);
        let list = Some(VA_LIST_SIZE);
        match d.op.format() {
            Format::Load if !d.op.effects().has(Effects::WRITES) => {
                visit(Mode::Read, self.location_of_access(f, i));
            }
            Format::Store => visit(Mode::Write, self.location_of_access(f, i)),
            // The scalar va_arg, va_start and va_end: all work on a list.
            Format::Load | Format::MemOnly => {
                visit(Mode::Read, at(f.mem(i), list));
                visit(Mode::Write, at(f.mem(i), list));
            }
            Format::MemPair => {
                visit(Mode::Read, at(f.mem_src(i), list));
                visit(Mode::Write, at(f.mem_dst(i), list));
            }
            Format::AggMemPair => {
                visit(Mode::Read, at(f.mem_src(i), list));
                visit(Mode::Write, at(f.mem_src(i), list));
                visit(Mode::Write, at(f.mem_dst(i), Some(decls.types[d.agg()].size)));
            }
            Format::MemCopy => {
                visit(Mode::Read, at(f.mem_src(i), number(d.length())));
                visit(Mode::Write, at(f.mem_dst(i), number(d.length())));
            }
            Format::MemFill => visit(Mode::Write, at(f.mem_dst(i), number(d.length()))),
            Format::AggReturn => visit(Mode::Read, at(f.mem(i), Some(decls.types[d.agg()].size))),
            Format::Consume => visit(Mode::Write, Location::ANYWHERE),
            Format::Call => self.for_each_call_access(decls, f, i, visit),
            // Other threads see earlier writes, and their writes are visible afterwards: the access reads and writes
            // all memory that other functions can reach, and its own memory operand.
            format if format.has_order() => {
                f.for_each_mem(i, |m| {
                    visit(Mode::Read, at(m, Some(d.ty.bytes() as u64)));
                    visit(Mode::Write, at(m, Some(d.ty.bytes() as u64)));
                });
                visit(Mode::Read, Location::ANYWHERE);
                visit(Mode::Write, Location::ANYWHERE);
            }
            _ if memory_effect(decls, f, i) != MemoryEffect::None => visit(Mode::Write, Location::ANYWHERE),
            _ => {}
        }
    }
    fn for_each_call_access(&self, decls: &Decls, f: &Function, i: Inst, mut visit: impl FnMut(Mode, Location)) {
        let aggregate = |agg, m| self.addresses.of_mem(m).location(Some(decls.types[agg].size));
        let callee = callee_effect(callee_attrs(decls, f, i));
        for arg in f.call_args(i) {
            match arg {
                CallArg::Agg(agg, m) => visit(Mode::Read, aggregate(agg, m)),
                // A block that does not escape, but is passed: to `free`.
                CallArg::Reg(r, _) => {
                    let root = self.addresses.of_reg(r).root;
                    if matches!(root, Root::Heap(_)) && callee != MemoryEffect::None {
                        let mode = if callee == MemoryEffect::Writes { Mode::Write } else { Mode::Read };
                        visit(Mode::Read, Location { root, ..Location::ANYWHERE });
                        visit(mode, Location { root, ..Location::ANYWHERE });
                    }
                }
            }
        }
        if callee != MemoryEffect::None {
            visit(Mode::Read, Location::ANYWHERE);
        }
        if callee == MemoryEffect::Writes {
            visit(Mode::Write, Location::ANYWHERE);
        }
        if let CallResult::Agg(agg, m) = f.call_result(i) {
            visit(Mode::Write, aggregate(agg, m));
        }
    }
    /// Returns the one location that a load reads, or that a store or a block operation writes: all of its bytes, and
    /// nothing else is written. None for other instructions, which may do more.
    #[inline]
    pub fn location(&self, f: &Function, i: Inst) -> Option<Location> {
        let d = f.inst(i);
        match d.op.format() {
            Format::Load if d.op.effects().has(Effects::WRITES) => None,
            Format::Load | Format::Store => Some(self.location_of_access(f, i)),
            Format::MemCopy | Format::MemFill => {
                Some(self.location_of(f.mem_dst(i), f.constant(d.length()).map(|n| n as u64)))
            }
            _ => None,
        }
    }
    /// Returns the location of a load or store.
    #[inline]
    fn location_of_access(&self, f: &Function, i: Inst) -> Location {
        let location = self.location_of(f.mem(i), Some(f.inst(i).ty.bytes() as u64));
        let (access_type, sets) = f.notes_of_access(i);
        Location { access_type, sets, ..location }
    }
    /// Returns the location of this many bytes at a memory operand. None means an unknown number from there on.
    #[inline]
    pub(crate) fn location_of(&self, m: Mem, size: Option<u64>) -> Location {
        self.addresses.of_mem(m).location(size)
    }
}

//! Merges equal values of an extended basic block: the last writer.
//!
//! There are tables by kind of instruction: constants, computations (including ones that may trap: an equal one did
//! not), loads. All are emptied at the start of a block that control may reach from elsewhere. Loads are stored by the
//! region that they read, and a write clears the loads of the regions that it may write: a clock counts writes, a
//! region records its last one, and a load that was seen before it is not found. A region records each of the last
//! writes to constant distances from one address, so that a store to `[%p + 8]` keeps `[%p]`, and one to `[%p + %i*8 +
//! 8]` keeps `[%p + %i*8]`; an address that is the sum of a value and a constant is replaced by these. Regions are
//! constant data, which is never cleared; each stack object and each data symbol; the regions that the front end names;
//! and all other memory. A store counts as a load of the same value.
//!
//! Source: nanojit's `CseFilter` and its `CseAcc` of access sets (LIR.cpp); our regions follow from the base of the
//! address where the front end names none, and a clock replaces the emptying of a table for each set.

use super::Around;
use crate::analysis::alias::{MemoryEffect, memory_effect};
use crate::analysis::known_data::{KnownData, known_load};
use crate::passes::value_numbering::key::{NO_OPERAND, ValueKey};
use crate::passes::value_numbering::stamped_table::StampedTable;
use lir_syntax::ir::builder::writer::Region;
use lir_syntax::ir::{Base, Format, Function, Inst, InstData, Mem, Obj, Opcode, Operand, Reg, SecondaryMap, Sym, Type};

/// The tables.
#[derive(Default)]
pub(super) struct MergeTables {
    constants: StampedTable<Reg>,
    computations: StampedTable<Reg>,
    /// The index of the known contents of memory.
    loads: StampedTable<u32>,
    contents: Vec<Content>,
    /// The number of writes so far.
    clock: u32,
    written: LastWrites,
    /// The address that a value is: a sum of others and a constant.
    sums: SecondaryMap<Reg, Option<Mem>>,
}

/// A value that was loaded or stored.
#[derive(Copy, Clone)]
struct Content {
    value: Operand,
    /// The time at which it was in memory.
    at: u32,
}

/// The part of memory that an access belongs to.
#[derive(Copy, Clone)]
enum Part {
    /// Data that is never written.
    Constant,
    Object(Obj),
    Symbol(Sym),
    /// The region that the front end names.
    Named(Region),
    /// Anything.
    Unknown,
}

/// The variable part of a memory operand: everything but the displacement.
#[derive(Copy, Clone, Default, PartialEq, Eq)]
struct Address {
    /// The operands that are added.
    base: u32,
    index: u32,
    scale: u8,
}

/// Bytes at a constant distance from an address: from `start` up to `end`.
#[derive(Copy, Clone, Default)]
struct Field {
    address: Address,
    start: i64,
    end: i64,
}

impl Field {
    /// This many bytes of a memory operand.
    fn of(mem: &Mem, bytes: u64) -> Option<Field> {
        let start = i64::from(mem.disp);
        let end = start.checked_add(i64::try_from(bytes).ok()?).filter(|_| bytes <= MAX_BYTES)?;
        let (base, index) = (mem.base.to_operand().to_bits(), index_in_keys(mem));
        Some(Field { address: Address { base, index, scale: mem.scale }, start, end })
    }
}

/// Bytes of a field at most. Displacements are of 32 bits: fields that are apart are apart modulo 2^64, too.
const MAX_BYTES: u64 = 1 << 62;

/// Writes to fields that a region knows, each by itself.
const FIELDS: usize = 4;

/// A write to the bytes `start..end`, with its time; 0 if there was none.
#[derive(Copy, Clone, Default)]
struct FieldWrite {
    start: i64,
    end: i64,
    at: u32,
}

/// The times of the last writes to a region. The writes to fields of the address that was written through last are kept
/// apart, the latest ones.
#[derive(Copy, Clone, Default)]
struct Writes {
    /// The last one of all, and the last one that is not among `fields`.
    last: u32,
    others: u32,
    /// The address that was written through last, and the writes to its fields.
    address: Address,
    fields: [FieldWrite; FIELDS],
    /// The position of the next one.
    next: u8,
}

impl Writes {
    fn note(&mut self, field: Option<Field>, at: u32) {
        let before = std::mem::replace(&mut self.last, at);
        let Some(field) = field else {
            self.others = at;
            return;
        };
        if before == self.others || self.address != field.address {
            // None is known of this address.
            *self = Writes { last: at, others: before, address: field.address, ..Writes::default() };
        }
        let oldest = &mut self.fields[usize::from(self.next)];
        self.others = self.others.max(oldest.at);
        *oldest = FieldWrite { start: field.start, end: field.end, at };
        self.next = (self.next + 1) % FIELDS as u8;
    }
    /// Returns the last time that a field may have been written; without a field, the last time of any write.
    fn last(&self, field: Option<Field>) -> u32 {
        let Some(field) = field.filter(|f| self.others < self.last && f.address == self.address) else {
            return self.last;
        };
        let met = self.fields.iter().filter(|w| w.start < field.end && field.start < w.end);
        let met = met.map(|w| w.at).max();
        self.others.max(met.unwrap_or(0))
    }
}

/// The times of the last writes.
#[derive(Default)]
struct LastWrites {
    unknown: Writes,
    of_object: SecondaryMap<Obj, Writes>,
    of_symbol: SecondaryMap<Sym, Writes>,
    of_region: Vec<Writes>,
    /// To any object, to any symbol, to any named region.
    objects: u32,
    symbols: u32,
    regions: u32,
}

impl LastWrites {
    fn clear(&mut self) {
        self.of_object.reset(0);
        self.of_symbol.reset(0);
        self.of_region.clear();
        (self.unknown, self.objects, self.symbols, self.regions) = (Writes::default(), 0, 0, 0);
    }
    fn note(&mut self, part: Part, field: Option<Field>, at: u32) {
        match part {
            Part::Constant => {}
            Part::Object(o) => {
                self.of_object[o].note(field, at);
                self.objects = at;
            }
            Part::Symbol(s) => {
                self.of_symbol[s].note(field, at);
                self.symbols = at;
            }
            Part::Named(Region(n)) => {
                let n = usize::from(n);
                self.of_region.resize(self.of_region.len().max(n + 1), Writes::default());
                self.of_region[n].note(field, at);
                self.regions = at;
            }
            Part::Unknown => self.unknown.note(field, at),
        }
    }
    /// Returns the last time that a field of a part may have been written. Regions named by the front end may be in any
    /// object.
    fn last(&self, part: Part, field: Option<Field>) -> u32 {
        let here = match part {
            Part::Constant => return 0,
            Part::Object(o) => self.of_object.get(o).last(field).max(self.regions),
            Part::Symbol(s) => self.of_symbol.get(s).last(field).max(self.regions),
            Part::Named(Region(n)) => {
                let named = self.of_region.get(usize::from(n)).map_or(0, |writes| writes.last(field));
                named.max(self.objects).max(self.symbols)
            }
            Part::Unknown => self.objects.max(self.symbols).max(self.regions),
        };
        here.max(self.unknown.last(field))
    }
}

/// The replacement of an instruction.
pub(super) enum Merged {
    /// This register.
    With(Reg),
    /// A constant with these bits.
    Constant(u64),
}

impl MergeTables {
    /// Forgets the function before.
    pub fn clear(&mut self) {
        self.written.clear();
        self.sums.reset(0);
        self.clock = 0;
        self.start();
    }
    /// Empties the tables, since control may come from elsewhere.
    pub fn start(&mut self) {
        self.constants.clear();
        self.computations.clear();
        self.loads.clear();
        self.contents.clear();
    }
    /// Finds a replacement for the result of an instruction, which reads only values. `keeps`: if there is none, the
    /// instruction is stored for later ones.
    pub fn find(&mut self, f: &Function, i: Inst, region: Region, keeps: bool, around: &Around<'_>) -> Option<Merged> {
        let d = f.inst(i);
        let r = f.def(i)?;
        if d.op == Opcode::Load {
            return if d.is_volatile() { None } else { self.find_load(f, i, r, region, keeps, around) };
        }
        let key = ValueKey::of(f, i, |r| Operand::reg(r).to_bits())?;
        let table = if d.op == Opcode::Const { &mut self.constants } else { &mut self.computations };
        let known = if keeps { table.find_or_insert(key, r) } else { table.find(key) };
        if known.is_none() && d.ty == Type::I64 && matches!(d.op, Opcode::Add | Opcode::Sub | Opcode::Lea) {
            self.note_sum(f, i, r);
        }
        known.map(Merged::With)
    }
    /// Records that an address is the sum of other values and a constant.
    fn note_sum(&mut self, f: &Function, i: Inst, r: Reg) {
        let d = f.inst(i);
        let first = || Mem::base_disp(d.first().as_reg().map_or(Base::None, Base::Reg), 0);
        let (of, by) = match d.op {
            Opcode::Lea => (f.mem(i), Some(0)),
            Opcode::Sub => (first(), f.constant(d.second()).and_then(i64::checked_neg)),
            _ => (first(), f.constant(d.second())),
        };
        let by = by.and_then(|by| i32::try_from(i64::from(of.disp).checked_add(by)?).ok());
        self.sums[r] = by.map(|disp| self.with_summands(Mem { disp, ..of })).filter(|m| matches!(m.base, Base::Reg(_)));
    }
    /// The same bytes, relative to the summands of the base.
    fn with_summands(&self, mem: Mem) -> Mem {
        let Base::Reg(r) = mem.base else { return mem };
        let Some(sum) = *self.sums.get(r) else { return mem };
        match mem.disp.checked_add(sum.disp) {
            Some(disp) if sum.index.is_none() => Mem { base: sum.base, disp, ..mem },
            Some(disp) if mem.index.is_none() => Mem { disp, ..sum },
            Some(_) | None => mem,
        }
    }
    fn find_load(
        &mut self,
        f: &Function,
        i: Inst,
        r: Reg,
        region: Region,
        keeps: bool,
        around: &Around<'_>,
    ) -> Option<Merged> {
        let (mem, ty) = (f.mem(i), f.inst(i).ty);
        let part = part_of(&mem, region, around);
        if let (Part::Constant, Base::Sym(s), None) = (part, mem.base, mem.index)
            && let Some(KnownData::Bits(bits)) = known_load(around.decls, s, i64::from(mem.disp), ty)
        {
            return Some(Merged::Constant(bits));
        }
        let mem = self.with_summands(mem);
        let key = key_of_load(&mem, f.inst(i));
        let at = self.loads.find(key).map(|n| n as usize);
        if let Some(at) = at
            && self.contents[at].at >= self.written.last(part, Field::of(&mem, ty.bytes().into()))
        {
            let value = self.contents[at].value;
            return match f.constant(value) {
                Some(k) => Some(Merged::Constant(ty.as_word().truncate(k as u64))),
                None => value.as_reg().map(Merged::With),
            };
        }
        if keeps {
            self.keep(key, Operand::reg(r));
        }
        None
    }
    /// Records the current contents of memory.
    fn keep(&mut self, key: ValueKey, value: Operand) {
        let content = Content { value, at: self.clock };
        match self.loads.find_or_insert(key, self.contents.len() as u32) {
            Some(at) => self.contents[at as usize] = content,
            None => self.contents.push(content),
        }
    }
    /// Records the writes of an instruction. `keeps`: it reads only values, and the value of a store is recorded for
    /// later loads.
    #[inline]
    pub(super) fn pass_write(&mut self, f: &Function, i: Inst, region: Region, keeps: bool, around: &Around<'_>) {
        let op = f.inst(i).op;
        if !op.effects().is_pure() && op != Opcode::Load {
            self.pass_effect(f, i, region, keeps, around);
        }
    }
    fn pass_effect(&mut self, f: &Function, i: Inst, region: Region, keeps: bool, around: &Around<'_>) {
        let d = f.inst(i);
        if memory_effect(around.decls, f, i) != MemoryEffect::Writes {
            return;
        }
        let (written, size) = match d.op.format() {
            Format::Store => (Some(f.mem(i)), Some(d.ty.bytes().into())),
            Format::MemCopy | Format::MemFill => (Some(f.mem_dst(i)), f.constant(d.length()).map(|n| n as u64)),
            _ => (None, None),
        };
        let part = written.map_or(Part::Unknown, |mem| part_of(&mem, region, around));
        // A variable holds now one address and now another.
        let field = written.zip(size).filter(|_| keeps);
        let field = field.and_then(|(mem, size)| Field::of(&self.with_summands(mem), size));
        self.clock += 1;
        self.written.note(part, field, self.clock);
        if keeps && d.op == Opcode::Store && !d.is_volatile() {
            self.keep(key_of_load(&self.with_summands(f.mem(i)), d), d.stored());
        }
    }
}

fn part_of(mem: &Mem, region: Region, around: &Around<'_>) -> Part {
    match mem.base {
        Base::Sym(s) if around.decls.data_of(s).is_some_and(|d| d.constant) => Part::Constant,
        _ if region != Region::ANY => Part::Named(region),
        Base::Obj(o) => Part::Object(o),
        Base::Sym(s) => Part::Symbol(s),
        Base::Reg(_) | Base::None => Part::Unknown,
    }
}

/// Returns the key of a load of the same bytes as a load or a store.
fn key_of_load(mem: &Mem, d: &InstData) -> ValueKey {
    let head = u32::from_le_bytes([Opcode::Load as u8, d.ty as u8, 0, mem.scale]);
    ValueKey { head, operands: [mem.base.to_operand().to_bits(), index_in_keys(mem), mem.disp as u32] }
}

fn index_in_keys(mem: &Mem) -> u32 {
    mem.index.map_or(NO_OPERAND, |r| Operand::reg(r).to_bits())
}

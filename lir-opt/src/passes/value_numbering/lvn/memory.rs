//! The memory of a block as value numbering sees it: memory numbers, memory objects, what a load is a key of, and what
//! every instruction that writes does to them.

use super::segments::{Segments, Stored};
use super::{LocalNumberer, number};
use crate::analysis::alias::{AliasOracle, Location, Root};
use crate::analysis::effects::callee_attrs;
use crate::passes::value_numbering::key::{NO_OPERAND, ValueKey};
use lir_syntax::ir::{
    Attrs, Base, CallResult, Format, Function, Inst, Mem, Obj, Opcode, Operand, OperandKind, PackedOption, Reg,
    SecondaryMap, Sym, Type,
};

/// The detail in which memory is told apart: the option `memory`.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Detail {
    /// Loads are not numbered.
    Off,
    /// One number for all of memory.
    Global,
    /// A number for each object.
    Objects,
    /// A number for each segment of an object.
    Segments,
}

/// The loads that are replaced by stored values: the option `forwarding`.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Forwarding {
    /// None.
    Off,
    /// Those from objects.
    Objects,
    /// Those through generic references as well.
    All,
}

/// The options about memory.
#[derive(Copy, Clone, Debug)]
pub(super) struct MemoryOptions {
    pub detail: Detail,
    pub forwarding: Forwarding,
    /// True if generic stores and calls leave stack objects that have not escaped alone.
    pub escape: bool,
}

/// The location of an access.
#[derive(Copy, Clone, Debug)]
enum AccessLocation {
    /// The bytes of an object from `offset` up to `end`.
    Bytes { object: Object, offset: u32, end: u32 },
    /// Any bytes of an object.
    Somewhere(Object),
    /// Bytes of an object at a constant distance from its address plus a scaled index. The two ends are counted as in
    /// `Field`.
    Indexed { object: Object, base: Reg, offset: u32, end: u32 },
    /// The bytes from `offset` up to `end` of what an address points to, counted from [`LOWEST_FIELD`] bytes on. The
    /// number of the address is the index of `base`: of a register, or of the sum of one and a scaled index.
    Field { base: Reg, offset: u32, end: u32 },
    /// A generic reference.
    Generic,
}

/// The lowest byte, from an address, of which segments know.
const LOWEST_FIELD: i64 = -(1 << 31);

/// A stack object or symbol.
#[derive(Copy, Clone, Debug)]
struct Object {
    operand: Operand,
    /// True if no generic reference and no call writes it.
    private: bool,
}

/// The facts about an object in this block, or about what a register points to.
#[derive(Copy, Clone, Default)]
struct ObjectState {
    /// The epoch in which it was made. It was discarded where that is too long ago.
    born: u64,
    /// Its id in the segments; none until a segment is asked for.
    segments: Option<u32>,
    /// Of an object: the sum that was accessed last of its address and an index, and the id of what is there.
    indexed: Option<(Reg, u32)>,
    /// Another number after each store to the object.
    number: u32,
    /// The key of a load that finds the last store, and the value stored. Only for stores that were not to a segment.
    last: Option<(ValueKey, u32)>,
}

/// The value of a load.
pub(super) enum Loaded {
    /// A value that was stored.
    Stored(u32),
    /// The value of this key.
    Key(ValueKey),
}

/// The state of memory. Everything but the oracle is fresh for each block, by counting up an epoch.
#[derive(Default)]
pub(super) struct Memory {
    /// The alias oracle of the function: what registers point to, and what escapes.
    pub oracle: AliasOracle,
    stack: SecondaryMap<Obj, ObjectState>,
    symbols: SecondaryMap<Sym, ObjectState>,
    /// What is at addresses, by the number of the register that holds them.
    pointed_to: SecondaryMap<Reg, ObjectState>,
    segments: Segments,
    /// The number of what generic references reach.
    global: u32,
    /// The value of the last generic store, like [`ObjectState::last`].
    last_generic: Option<(ValueKey, u32)>,
    /// By memory number: the instruction that gave it, none for the begin of the block. Only remarks ask.
    given_by: Vec<PackedOption<Inst>>,
    /// Counts blocks and the times that objects were discarded.
    epoch: u64,
    /// Private objects that are older were of another block.
    block_began: u64,
    /// Other objects that are older were discarded.
    discarded: u64,
    /// What is older of [`Memory::pointed_to`] was discarded.
    discarded_pointed_to: u64,
    discarded_by: PackedOption<Inst>,
    /// For remarks: of the load looked at last, the newest memory number, and what was stored there and does not fit.
    pub newest: u32,
    pub other: Option<Stored>,
}

impl Memory {
    pub fn begin_block(&mut self) {
        self.epoch += 1;
        (self.block_began, self.discarded, self.discarded_pointed_to) = (self.epoch, self.epoch, self.epoch);
        self.discarded_by = PackedOption::NONE;
        self.segments.clear();
        self.given_by.clear();
        self.last_generic = None;
        self.global = self.new_number(PackedOption::NONE);
    }
    fn new_number(&mut self, by: PackedOption<Inst>) -> u32 {
        self.given_by.push(by);
        self.given_by.len() as u32 - 1
    }
    /// The instruction that gave a memory number; none at the begin of the block.
    pub(crate) fn given_by(&self, number: u32) -> Option<Inst> {
        self.given_by.get(number as usize)?.expand()
    }
    /// Forgets all objects that are not private, in no time. They are too old from now on.
    fn discard(&mut self, by: Inst) {
        self.epoch += 1;
        self.discarded = self.epoch;
        self.discarded_by = by.into();
        let number = self.new_number(by.into());
        self.write_pointed_to(number);
    }
    /// Forgets all that registers point to. It has this number now.
    fn write_pointed_to(&mut self, number: u32) {
        self.epoch += 1;
        (self.global, self.discarded_pointed_to) = (number, self.epoch);
    }
    /// The id in the segments of what a register of this number points to.
    fn segments_of_pointer(&mut self, base: Reg) -> u32 {
        let state = &mut self.pointed_to[base];
        match state.segments {
            Some(id) if state.born >= self.discarded_pointed_to => id,
            _ => {
                let id = self.segments.new_object(self.global);
                let (segments, number) = (Some(id), self.global);
                *state = ObjectState { born: self.epoch, segments, number, ..ObjectState::default() };
                id
            }
        }
    }
    /// Notes a write to bytes of what a register points to: what is known of its other bytes stays.
    fn write_field(&mut self, (base, offset, end): (Reg, u32, u32), by: Inst, stored: Option<Stored>) {
        let id = self.segments_of_pointer(base);
        self.discard(by);
        self.pointed_to[base].born = self.epoch;
        self.segments.store(id, offset, end, self.global, stored);
    }
    /// Forgets everything.
    fn discard_all(&mut self, by: Inst) {
        self.discard(by);
        self.block_began = self.epoch;
    }
    /// Returns the facts about an object. One that was discarded begins anew.
    fn object(&mut self, o: Object) -> &mut ObjectState {
        let floor = if o.private { self.block_began } else { self.discarded };
        if self.state(o).born < floor {
            let number = self.new_number(self.discarded_by);
            self.renew(o, number);
        }
        self.state(o)
    }
    /// Makes an object one segment of this number.
    fn renew(&mut self, o: Object, number: u32) {
        *self.state(o) = ObjectState { born: self.epoch, number, ..ObjectState::default() };
    }
    /// The id in the segments of what is at the sum of an object's address and an index.
    fn segments_at_index(&mut self, o: Object, base: Reg) -> u32 {
        let ObjectState { indexed, number, .. } = *self.object(o);
        match indexed {
            Some((known, id)) if known == base => id,
            Some(_) | None => {
                let id = self.segments.new_object(number);
                self.state(o).indexed = Some((base, id));
                id
            }
        }
    }
    /// Notes a write to bytes of an object at an index: what is known of other bytes at this index stays.
    fn write_at_index(&mut self, o: Object, (base, offset, end): (Reg, u32, u32), number: u32, stored: Option<Stored>) {
        let id = self.segments_at_index(o, base);
        self.renew(o, number);
        self.state(o).indexed = Some((base, id));
        self.segments.store(id, offset, end, number, stored);
    }
    /// The id of an object in the segments.
    fn segments_of(&mut self, o: Object) -> u32 {
        let ObjectState { segments, number, .. } = *self.object(o);
        segments.unwrap_or_else(|| {
            let id = self.segments.new_object(number);
            self.state(o).segments = Some(id);
            id
        })
    }
    fn state(&mut self, o: Object) -> &mut ObjectState {
        match o.operand.kind() {
            OperandKind::Obj(o) => &mut self.stack[o],
            OperandKind::Sym(s) => &mut self.symbols[s],
            OperandKind::Reg(_) | OperandKind::Small(_) | OperandKind::Pool(_) | OperandKind::None => {
                unreachable!("an object is a stack object or a symbol")
            }
        }
    }
}

/// The kind of memory that a key is about.
#[derive(Copy, Clone)]
pub(super) enum Form {
    /// Bytes of an object in one segment: object, offset, memory number.
    Segment = 1,
    /// In several: object, offset, list of memory numbers.
    Segments,
    /// Bytes of an object: object, offset, memory number.
    Bytes,
    /// A reference into an object at an offset that is not known: base and index, displacement, memory number.
    Somewhere,
    /// A generic reference: base, displacement, memory number.
    Generic,
    /// The same with an index: base and index, displacement, memory number.
    Indexed,
    /// Two numbers as one.
    Pair,
}

fn head(form: Form, ty: Type, scale: u8) -> u32 {
    u32::from_le_bytes([Opcode::Load as u8, ty as u8, form as u8, scale])
}

impl LocalNumberer<'_> {
    /// Step 5: what a load gives that is not volatile.
    pub(super) fn load(&mut self, f: &Function, i: Inst) -> Loaded {
        let ty = f.inst(i).ty;
        let m = f.mem(i);
        let location = self.location(f, &m, Some(u64::from(ty.bytes())));
        match location {
            AccessLocation::Bytes { object, offset, end } if self.options.detail == Detail::Segments => {
                let id = self.scratch.memory.segments_of(object);
                return self.load_segments(ty, (object.operand, id), offset, end);
            }
            AccessLocation::Field { base, offset, end } => {
                let id = self.scratch.memory.segments_of_pointer(base);
                return self.load_segments(ty, (Operand::reg(base), id), offset, end);
            }
            AccessLocation::Indexed { object, base, offset, end } => {
                // A load at another index may have come between the store and this one.
                let key = self.key_of_location(ty, &m, location);
                let last = self.scratch.memory.object(object).last.filter(|(stored, _)| *stored == key);
                if let Some((_, value)) = last {
                    (self.scratch.memory.newest, self.scratch.memory.other) = (key.operands[2], None);
                    return Loaded::Stored(value);
                }
                let id = self.scratch.memory.segments_at_index(object, base);
                return self.load_segments(ty, (Operand::reg(base), id), offset, end);
            }
            AccessLocation::Bytes { .. } | AccessLocation::Somewhere(_) | AccessLocation::Generic => {}
        }
        let key = self.key_of_location(ty, &m, location);
        (self.scratch.memory.newest, self.scratch.memory.other) = (key.operands[2], None);
        let last = match location {
            AccessLocation::Bytes { object, .. }
            | AccessLocation::Somewhere(object)
            | AccessLocation::Indexed { object, .. } => self.scratch.memory.object(object).last,
            AccessLocation::Field { .. } | AccessLocation::Generic => self.scratch.memory.last_generic,
        };
        match last {
            Some((stored, value)) if stored == key => Loaded::Stored(value),
            Some(_) | None => Loaded::Key(key),
        }
    }
    /// Forwards where all segments that are covered hold what one store wrote: these bytes as this type.
    fn load_segments(&mut self, ty: Type, (of, id): (Operand, u32), offset: u32, end: u32) -> Loaded {
        let mut numbers = [0; 8];
        let (mut count, mut same, mut first) = (0, true, None);
        for segment in self.scratch.memory.segments.cover(id, offset, end) {
            if count == 0 {
                first = segment.stored;
            }
            same &= segment.stored == first;
            numbers[count] = segment.number;
            count += 1;
        }
        self.scratch.memory.newest = numbers[..count].iter().copied().max().unwrap_or(0);
        match first {
            Some(Stored { value, ty: t, offset: o }) if same && (t, o) == (ty, offset) => return Loaded::Stored(value),
            Some(_) | None => {}
        }
        self.scratch.memory.other = first;
        let (form, numbers) = match numbers[..count] {
            [one] => (Form::Segment, one),
            ref all => (Form::Segments, all.iter().fold(NO_OPERAND, |list, n| self.pair(list, *n))),
        };
        // Keys of fields have the displacement, as those of other references.
        let offset = if of.is_reg() { offset.wrapping_add(LOWEST_FIELD as u32) } else { offset };
        Loaded::Key(ValueKey { head: head(form, ty, 1), operands: [of.to_bits(), offset, numbers] })
    }
    /// The key of a load outside of segments.
    fn key_of_location(&mut self, ty: Type, m: &Mem, location: AccessLocation) -> ValueKey {
        let (form, number) = match location {
            AccessLocation::Bytes { object, offset, .. } => {
                let number = self.scratch.memory.object(object).number;
                return ValueKey {
                    head: head(Form::Bytes, ty, 1),
                    operands: [object.operand.to_bits(), offset, number],
                };
            }
            AccessLocation::Somewhere(object) | AccessLocation::Indexed { object, .. } => {
                (Form::Somewhere, self.scratch.memory.object(object).number)
            }
            AccessLocation::Field { .. } | AccessLocation::Generic if m.index.is_none() => {
                (Form::Generic, self.scratch.memory.global)
            }
            AccessLocation::Field { .. } | AccessLocation::Generic => (Form::Indexed, self.scratch.memory.global),
        };
        let base = if let Base::Reg(r) = m.base { self.in_keys(r) } else { m.base.to_operand().to_bits() };
        let address = match m.index {
            Some(index) => {
                let index = self.in_keys(index);
                self.pair(base, index)
            }
            None => base,
        };
        ValueKey { head: head(form, ty, m.scale), operands: [address, m.disp as u32, number] }
    }
    /// One number for two.
    fn pair(&mut self, a: u32, b: u32) -> u32 {
        let key = ValueKey { head: head(Form::Pair, Type::I64, 0), operands: [a, b, NO_OPERAND] };
        number(self.value_of_key(key)).to_bits()
    }
    /// Step 6: what an instruction that writes does to memory.
    pub(super) fn number_memory(&mut self, f: &Function, i: Inst) {
        let d = f.inst(i);
        match d.op.format() {
            Format::Store => self.store(f, i),
            Format::MemCopy | Format::MemFill => {
                let size = f.constant(d.length()).map(|n| n as u64);
                if size != Some(0) {
                    self.write(f, i, &f.mem_dst(i), size, None);
                }
            }
            Format::Call => self.call(f, i),
            // va_arg, va_start, va_end, va_copy: like calls that get these operands.
            _ => {
                f.for_each_mem(i, |m| {
                    self.write(f, i, &m, None, None);
                });
                self.scratch.memory.discard(i);
            }
        }
    }
    fn store(&mut self, f: &Function, i: Inst) {
        let d = *f.inst(i);
        let m = f.mem(i);
        let forwards = self.options.forwarding != Forwarding::Off && !d.is_volatile();
        let value = forwards.then(|| self.value_of_operand(d.ty, d.stored()));
        let location = self.write(f, i, &m, Some(u64::from(d.ty.bytes())), value.map(|v| (v, d.ty)));
        if let Some(value) = value {
            self.note_last(d.ty, &m, location, value);
        }
    }
    /// Remembers what a store wrote that did not go to a segment.
    fn note_last(&mut self, ty: Type, m: &Mem, location: AccessLocation, value: u32) {
        match location {
            AccessLocation::Bytes { .. } if self.options.detail == Detail::Segments => {}
            AccessLocation::Field { .. } => {}
            AccessLocation::Bytes { object, .. }
            | AccessLocation::Somewhere(object)
            | AccessLocation::Indexed { object, .. } => {
                let key = self.key_of_location(ty, m, location);
                self.scratch.memory.object(object).last = Some((key, value));
            }
            AccessLocation::Generic if self.options.forwarding == Forwarding::All => {
                let key = self.key_of_location(ty, m, location);
                self.scratch.memory.last_generic = Some((key, value));
            }
            AccessLocation::Generic => {}
        }
    }
    /// Handles a call: it writes what it can reach, unless the callee writes nothing, and its result.
    fn call(&mut self, f: &Function, i: Inst) {
        let attrs = callee_attrs(self.decls, f, i);
        if attrs.has(Attrs::RETURNS_TWICE) {
            // What was stored after the first return is there at the second.
            return self.scratch.memory.discard_all(i);
        }
        if !attrs.has(Attrs::READNONE) && !attrs.has(Attrs::READONLY) {
            self.scratch.memory.discard(i);
        }
        if let CallResult::Agg(agg, m) = f.call_result(i) {
            self.write(f, i, &m, Some(self.decls.types[agg].size), None);
        }
    }
    /// Notes that bytes were written, and where. `size` none: as many as they like.
    fn write(
        &mut self,
        f: &Function,
        i: Inst,
        m: &Mem,
        size: Option<u64>,
        stored: Option<(u32, Type)>,
    ) -> AccessLocation {
        let location = self.location(f, m, size);
        let memory = &mut self.scratch.memory;
        let object = match location {
            AccessLocation::Generic => {
                memory.discard(i);
                return location;
            }
            AccessLocation::Field { base, offset, end } => {
                let is_kept = self.options.forwarding == Forwarding::All;
                let stored = stored.filter(|_| is_kept).map(|(value, ty)| Stored { value, ty, offset });
                memory.write_field((base, offset, end), i, stored);
                return location;
            }
            AccessLocation::Bytes { object, .. }
            | AccessLocation::Somewhere(object)
            | AccessLocation::Indexed { object, .. } => object,
        };
        let number = memory.new_number(i.into());
        if !object.private {
            memory.write_pointed_to(number);
        }
        match location {
            AccessLocation::Bytes { offset, end, .. } if self.options.detail == Detail::Segments => {
                let id = memory.segments_of(object);
                let state = memory.state(object);
                (state.number, state.last, state.indexed) = (number, None, None);
                let stored = stored.map(|(value, ty)| Stored { value, ty, offset });
                memory.segments.store(id, offset, end, number, stored);
            }
            AccessLocation::Indexed { base, offset, end, .. } => {
                let stored = stored.map(|(value, ty)| Stored { value, ty, offset });
                memory.write_at_index(object, (base, offset, end), number, stored);
            }
            AccessLocation::Bytes { .. }
            | AccessLocation::Somewhere(_)
            | AccessLocation::Field { .. }
            | AccessLocation::Generic => memory.renew(object, number),
        }
        location
    }
    /// Returns the location of a memory operand, as far as the options tell it apart.
    fn location(&mut self, f: &Function, m: &Mem, size: Option<u64>) -> AccessLocation {
        if self.options.detail < Detail::Objects {
            return AccessLocation::Generic;
        }
        let location = self.scratch.memory.oracle.location_of(*m, size);
        let Some(object) = self.object_of(location.root) else { return self.field(f, m, &location) };
        let Some((base, offset)) = self.base_and_offset(f, object.operand.to_bits(), location.index, location.offset)
        else {
            return AccessLocation::Somewhere(object);
        };
        let location = match base.as_reg() {
            Some(base) => {
                self.distance(offset, size).map(|(offset, end)| AccessLocation::Indexed { object, base, offset, end })
            }
            None => bytes_from(offset, size).map(|(offset, end)| AccessLocation::Bytes { object, offset, end }),
        };
        location.unwrap_or(AccessLocation::Somewhere(object))
    }
    /// Returns the bytes of what an address points to: of the registers that the oracle knows, else of the operand's.
    fn field(&mut self, f: &Function, m: &Mem, location: &Location) -> AccessLocation {
        let (base, index, offset) = match (location.root, m.base) {
            (Root::Register(r) | Root::Alloca(r) | Root::Heap(r), _) if location.offset.is_some() => {
                (r, location.index, location.offset)
            }
            (_, Base::Reg(r)) => (r, m.index.map(|index| (index, m.scale)), Some(m.disp.into())),
            _ => return AccessLocation::Generic,
        };
        let base = self.in_keys(base);
        let of = self.base_and_offset(f, base, index, offset).and_then(|(o, offset)| o.as_reg().zip(Some(offset)));
        let field = of.and_then(|(base, offset)| {
            let (offset, end) = self.distance(offset, location.size)?;
            Some(AccessLocation::Field { base, offset, end })
        });
        field.unwrap_or(AccessLocation::Generic)
    }
    /// Returns what distances are counted from, and the distance: a sum with an index that is not constant has a number
    /// of its own. None where there is none.
    fn base_and_offset(
        &mut self,
        f: &Function,
        base: u32,
        index: Option<(Reg, u8)>,
        offset: Option<i64>,
    ) -> Option<(Operand, i64)> {
        let (base, offset) = (Operand::from_bits(base), offset?);
        let Some((index, scale)) = index else { return Some((base, offset)) };
        let index = self.in_keys(index);
        if let Some(k) = f.constant(Operand::from_bits(index)) {
            return Some((base, offset.wrapping_add(k.wrapping_mul(scale.into()))));
        }
        if self.options.detail != Detail::Segments {
            return None;
        }
        // As the instruction has it that computes this sum, so that its register has the same number.
        let base = base.to_bits();
        let key = if scale == 1 && Operand::from_bits(base).is_reg() {
            let head = u32::from_le_bytes([Opcode::Add as u8, Type::I64 as u8, 0, 0]);
            ValueKey { head, operands: [base.min(index), base.max(index), NO_OPERAND] }
        } else {
            let head = u32::from_le_bytes([Opcode::Lea as u8, Type::I64 as u8, 0, scale]);
            ValueKey { head, operands: [base, index, 0] }
        };
        Some((number(self.value_of_key(key)), offset))
    }
    /// The bytes at a distance from an address as segments count them.
    fn distance(&self, offset: i64, size: Option<u64>) -> Option<(u32, u32)> {
        if self.options.detail == Detail::Segments { bytes_from(offset.checked_sub(LOWEST_FIELD)?, size) } else { None }
    }
    /// The object that an address was made from.
    fn object_of(&self, root: Root) -> Option<Object> {
        match root {
            Root::Object(o) => {
                let private = self.options.escape && !self.scratch.memory.oracle.escapes(o);
                Some(Object { operand: Operand::obj(o), private })
            }
            Root::Symbol(s) => {
                let private = self.decls.data_of(s).is_some_and(|d| d.constant);
                Some(Object { operand: Operand::sym(s), private })
            }
            Root::Alloca(_) | Root::Heap(_) | Root::Register(_) | Root::Absolute | Root::Unknown => None,
        }
    }
}

/// So many bytes from an offset on, where segments have them: they end at 2^32 - 1.
fn bytes_from(offset: i64, size: Option<u64>) -> Option<(u32, u32)> {
    let offset = u32::try_from(offset).ok()?;
    let end = u32::try_from(u64::from(offset).checked_add(size?)?).ok()?;
    (offset < end).then_some((offset, end))
}

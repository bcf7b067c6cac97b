//! The memory of a block as value numbering sees it: memory numbers, memory objects, the keys of loads, and the effects
//! of every writing instruction on them.

use super::segments::Segments;
use super::{LocalNumberer, number};
use crate::analysis::alias::{AliasOracle, Location, Root};
use crate::passes::value_numbering::key::{NO_OPERAND, SEVERAL_PARTS, ValueKey, head};
use crate::passes::value_numbering::written::{Written, for_each_written};
use lir_syntax::ir::{
    Base, Format, Function, Inst, Mem, Obj, Opcode, Operand, OperandKind, PackedOption, Reg, SecondaryMap, Sym, Type,
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

/// The options about memory.
#[derive(Copy, Clone, Debug)]
pub(super) struct MemoryOptions {
    pub detail: Detail,
    /// True if stored values replace loads from objects, and such through generic references.
    pub forwards: bool,
    pub forwards_generic: bool,
    /// True if generic stores and calls leave stack objects that have not escaped alone.
    pub escape: bool,
}

/// The location of an access.
#[derive(Copy, Clone, Debug)]
struct AccessLocation {
    area: Area,
    /// The bytes of the area from an offset up to another one. None means any of them.
    bytes: Option<(u32, u32)>,
}

/// A part of memory with a number of its own.
#[derive(Copy, Clone, Debug)]
enum Area {
    /// An object. Bytes are counted from its address.
    Object(Object),
    /// The memory in an object around its address plus a scaled index. The number of this sum is the index of the
    /// register. Bytes are counted from [`LOWEST_FIELD`] bytes on.
    AtIndex(Object, Reg),
    /// The memory around an address. The number of the address is the index of the register: the number of a register,
    /// or of the sum of one and a scaled index. Bytes are counted in the same way.
    PointedTo(Reg),
    /// The memory that generic references reach.
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

/// The facts about an area in this block.
#[derive(Copy, Clone, Default)]
struct AreaState {
    /// The epoch in which it was made. It was discarded where that is too long ago.
    born: u64,
    /// Another number after each store to the area.
    number: u32,
    /// Its id in the segments; none until a segment is requested.
    segments: Option<u32>,
    /// For an object: the sum that was accessed last of its address and an index, and the id of the area there.
    indexed: Option<(Reg, u32)>,
}

/// The state of memory. Everything but the oracle is fresh for each block, by counting up an epoch.
#[derive(Default)]
pub(super) struct Memory {
    /// The alias oracle of the function: the targets of registers, and the escaping objects.
    pub oracle: AliasOracle,
    stack: SecondaryMap<Obj, AreaState>,
    symbols: SecondaryMap<Sym, AreaState>,
    /// The memory at addresses, by the number of the register that holds them.
    pointed_to: SecondaryMap<Reg, AreaState>,
    /// The memory that generic references reach.
    generic: AreaState,
    segments: Segments,
    /// By memory number: the instruction that gave it, none for the beginning of the block. Only remarks ask.
    given_by: Vec<PackedOption<Inst>>,
    /// Counts blocks and the times that objects were discarded.
    epoch: u64,
    /// Older private objects belong to another block.
    block_began: u64,
    /// Other objects older than this were discarded.
    discarded: u64,
    /// Older areas of [`Memory::pointed_to`] were discarded.
    discarded_pointed_to: u64,
    discarded_by: PackedOption<Inst>,
    /// For remarks: the newest memory number of the load looked at last.
    newest: u32,
}

impl Memory {
    pub fn begin_block(&mut self) {
        self.epoch += 1;
        (self.block_began, self.discarded, self.discarded_pointed_to) = (self.epoch, self.epoch, self.epoch);
        self.discarded_by = PackedOption::NONE;
        self.segments.clear();
        self.given_by.clear();
        self.generic.number = self.new_number(PackedOption::NONE);
    }
    fn new_number(&mut self, by: PackedOption<Inst>) -> u32 {
        self.given_by.push(by);
        self.given_by.len() as u32 - 1
    }
    /// Returns the instruction that wrote last where the load looked at last reads; none if nothing did in the block.
    pub(super) fn last_write(&self) -> Option<Inst> {
        self.given_by.get(self.newest as usize)?.expand()
    }
    /// Forgets all objects that are not private, in constant time: they are too old from now on. Returns the number of
    /// the memory that generic references reach.
    fn discard(&mut self, by: Inst) -> u32 {
        self.epoch += 1;
        self.discarded = self.epoch;
        self.discarded_by = by.into();
        let number = self.new_number(by.into());
        self.write_pointed_to(number);
        number
    }
    /// Forgets all that registers point to. It has this number now.
    fn write_pointed_to(&mut self, number: u32) {
        self.epoch += 1;
        (self.generic.number, self.discarded_pointed_to) = (number, self.epoch);
    }
    /// Forgets everything.
    fn discard_all(&mut self, by: Inst) {
        self.discard(by);
        self.block_began = self.epoch;
    }
    /// Returns the facts about an area. One that was discarded begins anew.
    fn area(&mut self, area: Area) -> AreaState {
        let floor = match area {
            Area::Object(o) | Area::AtIndex(o, _) if o.private => self.block_began,
            Area::Object(_) | Area::AtIndex(..) => self.discarded,
            Area::PointedTo(_) => self.discarded_pointed_to,
            Area::Generic => 0,
        };
        if self.state(area).born < floor {
            let number = match area {
                Area::PointedTo(_) => self.generic.number,
                _ => self.new_number(self.discarded_by),
            };
            *self.state(area) = AreaState { born: self.epoch, number, ..AreaState::default() };
        }
        *self.state(area)
    }
    /// Returns the id of an area in the segments.
    fn segments_of(&mut self, area: Area) -> u32 {
        let AreaState { number, segments, indexed, .. } = self.area(area);
        let known = match area {
            Area::AtIndex(_, base) => indexed.filter(|(of, _)| *of == base).map(|(_, id)| id),
            Area::Object(_) | Area::PointedTo(_) | Area::Generic => segments,
        };
        known.unwrap_or_else(|| {
            let id = self.segments.new_object(number);
            match area {
                Area::AtIndex(_, base) => self.state(area).indexed = Some((base, id)),
                Area::Object(_) | Area::PointedTo(_) | Area::Generic => self.state(area).segments = Some(id),
            }
            id
        })
    }
    /// Notes a write to an area, and returns its number. If it is to certain bytes, the facts about others stay.
    fn write(&mut self, area: Area, bytes: Option<(u32, u32)>, by: Inst) -> u32 {
        let id = bytes.map(|_| self.segments_of(area));
        let number = match area {
            Area::Object(o) | Area::AtIndex(o, _) => {
                let number = self.new_number(by.into());
                if !o.private {
                    self.write_pointed_to(number);
                }
                number
            }
            Area::PointedTo(_) | Area::Generic => self.discard(by),
        };
        let (segments, indexed) = match area {
            Area::AtIndex(_, base) => (None, id.map(|id| (base, id))),
            Area::Object(_) | Area::PointedTo(_) | Area::Generic => (id, None),
        };
        *self.state(area) = AreaState { born: self.epoch, number, segments, indexed };
        if let (Some(id), Some((offset, end))) = (id, bytes) {
            self.segments.store(id, offset, end, number);
        }
        number
    }
    fn state(&mut self, area: Area) -> &mut AreaState {
        match area {
            Area::Object(o) | Area::AtIndex(o, _) => match o.operand.kind() {
                OperandKind::Obj(o) => &mut self.stack[o],
                OperandKind::Sym(s) => &mut self.symbols[s],
                OperandKind::Reg(_)
                | OperandKind::Small(_)
                | OperandKind::Pool(_)
                | OperandKind::WidePool(_)
                | OperandKind::None => {
                    unreachable!("an object is a stack object or a symbol")
                }
            },
            Area::PointedTo(base) => &mut self.pointed_to[base],
            Area::Generic => &mut self.generic,
        }
    }
}

/// The kind of memory that the key of a load is about: its third byte.
#[derive(Copy, Clone)]
enum Form {
    /// Bytes of an area with one number: object or address, offset, memory number.
    Bytes = 1,
    /// With several: object or address, offset, list of memory numbers.
    Parts = SEVERAL_PARTS as isize,
    /// A reference into an object at an offset that is not known: base and index, displacement, memory number.
    Somewhere,
    /// A generic reference: base and index, displacement, memory number.
    Generic,
    /// No load: two numbers as one.
    Pair,
}

impl LocalNumberer<'_> {
    /// Step 5: the key of a load that is not volatile.
    pub(super) fn load_key(&mut self, f: &Function, i: Inst) -> ValueKey {
        let (ty, m) = (f.inst(i).ty, f.mem(i));
        let at = self.location(f, &m, Some(u64::from(ty.bytes())));
        let memory = &mut self.scratch.memory;
        let mut numbers = [0; 8];
        let mut count = 1;
        if let Some((offset, end)) = at.bytes.filter(|_| self.options.detail == Detail::Segments) {
            let id = memory.segments_of(at.area);
            count = 0;
            for number in memory.segments.cover(id, offset, end) {
                numbers[count] = number;
                count += 1;
            }
        } else {
            numbers[0] = memory.area(at.area).number;
        }
        let numbers = &numbers[..count];
        memory.newest = numbers.iter().copied().fold(0, u32::max);
        // The parts of a store have one number.
        if numbers.iter().all(|n| *n == numbers[0]) {
            return self.key_at(ty, &m, at, numbers[0]);
        }
        let list = numbers.iter().fold(NO_OPERAND, |list, n| self.pair(list, *n));
        let key = self.key_at(ty, &m, at, list);
        ValueKey { head: head(Opcode::Load, ty, Form::Parts as u8, 1), ..key }
    }
    /// Returns the key of a load from a location whose memory has this number.
    fn key_at(&mut self, ty: Type, m: &Mem, at: AccessLocation, number: u32) -> ValueKey {
        let (of, offset) = match (at.area, at.bytes) {
            (Area::Object(o), Some((offset, _))) => (o.operand, offset),
            // As other references to memory these have the displacement in their keys.
            (Area::AtIndex(_, base) | Area::PointedTo(base), Some((offset, _))) => {
                (Operand::reg(base), offset.wrapping_add(LOWEST_FIELD as u32))
            }
            (area, _) => {
                let form = if matches!(area, Area::Generic) { Form::Generic } else { Form::Somewhere };
                let address = self.address(m);
                let head = head(Opcode::Load, ty, form as u8, m.scale);
                return ValueKey { head, operands: [address, m.disp as u32, number] };
            }
        };
        ValueKey { head: head(Opcode::Load, ty, Form::Bytes as u8, 1), operands: [of.to_bits(), offset, number] }
    }
    /// Returns the number of base and index.
    fn address(&mut self, m: &Mem) -> u32 {
        let base = if let Base::Reg(r) = m.base { self.in_keys(r) } else { m.base.to_operand().to_bits() };
        let Some(index) = m.index else { return base };
        let index = self.in_keys(index);
        self.pair(base, index)
    }
    /// Returns one number for two.
    fn pair(&mut self, a: u32, b: u32) -> u32 {
        let head = head(Opcode::Load, Type::I64, Form::Pair as u8, 0);
        number(self.value_of_key(ValueKey { head, operands: [a, b, NO_OPERAND] })).to_bits()
    }
    /// Step 6: the effects of a writing instruction on memory.
    pub(super) fn number_memory(&mut self, f: &Function, i: Inst) {
        let format = f.inst(i).op.format();
        if format == Format::Store {
            return self.store(f, i);
        }
        for_each_written(self.decls, f, i, |written| match written {
            Written::All => self.scratch.memory.discard_all(i),
            Written::Reachable => _ = self.scratch.memory.discard(i),
            Written::At(_, Some(0)) => {}
            Written::At(m, size) => {
                let at = self.location(f, &m, size);
                self.write(at, i);
            }
        });
        if !matches!(format, Format::Call | Format::MemCopy | Format::MemFill) {
            // va_arg, va_start, va_end, va_copy: like calls that get these operands.
            self.scratch.memory.discard(i);
        }
    }
    /// Notes that a location is written. Returns the number of the memory there now.
    fn write(&mut self, at: AccessLocation, i: Inst) -> u32 {
        let bytes = at.bytes.filter(|_| self.options.detail == Detail::Segments);
        self.scratch.memory.write(at.area, bytes, i)
    }
    /// A store makes the stored value the value of loads of the location, as if it were loaded right after it.
    fn store(&mut self, f: &Function, i: Inst) {
        let (d, m) = (*f.inst(i), f.mem(i));
        let at = self.location(f, &m, Some(u64::from(d.ty.bytes())));
        let is_kept = match at.area {
            Area::Object(_) | Area::AtIndex(..) => self.options.forwards,
            Area::PointedTo(_) | Area::Generic => self.options.forwards_generic,
        };
        let value = (is_kept && !d.is_volatile()).then(|| self.value_of_operand(d.ty, d.stored()));
        let number = self.write(at, i);
        if let Some(value) = value {
            let key = self.key_at(d.ty, &m, at, number);
            self.scratch.table.find_or_insert(key, value);
            self.explainer.keep(f, i, &key);
        }
    }
    /// Returns the location of a memory operand, as far as the options tell it apart.
    fn location(&mut self, f: &Function, m: &Mem, size: Option<u64>) -> AccessLocation {
        const GENERIC: AccessLocation = AccessLocation { area: Area::Generic, bytes: None };
        if self.options.detail < Detail::Objects {
            return GENERIC;
        }
        let location = self.scratch.memory.oracle.location_of(*m, size);
        let Some(object) = self.object_of(location.root) else {
            return self.field(f, m, &location).unwrap_or(GENERIC);
        };
        let (area, bytes) = match self.base_and_offset(f, object.operand.to_bits(), location.index, location.offset) {
            Some((base, offset)) => match base.as_reg() {
                Some(base) => (Area::AtIndex(object, base), self.distance(offset, size)),
                None => (Area::Object(object), bytes_from(offset, size)),
            },
            None => (Area::Object(object), None),
        };
        AccessLocation { area: if bytes.is_some() { area } else { Area::Object(object) }, bytes }
    }
    /// Returns the bytes of the field that an address points to: counted from the registers that the oracle knows, else
    /// from the operand's.
    fn field(&mut self, f: &Function, m: &Mem, location: &Location) -> Option<AccessLocation> {
        let (base, index, offset) = match (location.root, m.base) {
            (Root::Register(r) | Root::Alloca(r) | Root::Heap(r) | Root::NoAlias(r), _)
                if location.offset.is_some() =>
            {
                (r, location.index, location.offset)
            }
            (_, Base::Reg(r)) => (r, m.index.map(|index| (index, m.scale)), Some(m.disp.into())),
            _ => return None,
        };
        let base = self.in_keys(base);
        let (base, offset) = self.base_and_offset(f, base, index, offset)?;
        let bytes = Some(self.distance(offset, location.size)?);
        Some(AccessLocation { area: Area::PointedTo(base.as_reg()?), bytes })
    }
    /// Returns the base that distances are counted from, and the distance: a sum with an index that is not constant has
    /// a number of its own. None if there is none.
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
            let operands = [base.min(index), base.max(index), NO_OPERAND];
            ValueKey { head: head(Opcode::Add, Type::I64, 0, 0), operands }
        } else {
            ValueKey { head: head(Opcode::Lea, Type::I64, 0, scale), operands: [base, index, 0] }
        };
        Some((number(self.value_of_key(key)), offset))
    }
    /// Returns the bytes at a distance from an address as segments count them.
    fn distance(&self, offset: i64, size: Option<u64>) -> Option<(u32, u32)> {
        if self.options.detail == Detail::Segments { bytes_from(offset.checked_sub(LOWEST_FIELD)?, size) } else { None }
    }
    /// Returns the object that an address was made from.
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
            Root::Alloca(_) | Root::Heap(_) | Root::NoAlias(_) | Root::Register(_) | Root::Absolute | Root::Unknown => {
                None
            }
        }
    }
}

/// This many bytes from an offset on, if segments have them: they end at 2^32 - 1.
fn bytes_from(offset: i64, size: Option<u64>) -> Option<(u32, u32)> {
    let offset = u32::try_from(offset).ok()?;
    let end = u32::try_from(u64::from(offset).checked_add(size?)?).ok()?;
    (offset < end).then_some((offset, end))
}

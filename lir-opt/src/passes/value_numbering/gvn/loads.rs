//! Numbers the values of loads and stores (step 5).

use super::GlobalNumberer;
use super::memory::MemoryMode;
use crate::analysis::MemoryFacts;
use crate::analysis::alias::Location;
use crate::analysis::known_data::{KnownData, known_load};
use crate::analysis::memory_ssa::Access;
use crate::passes::value_numbering::events::{Event, NoKey};
use crate::passes::value_numbering::key::{NO_OPERAND, ValueKey, head};
use lir_syntax::ir::{
    Block, EntityRef, Format, Function, Inst, InstData, Mem, Opcode, Operand, OperandKind, Reg, Type,
};

/// The origin of an address: another value number, and a number of bytes to add.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) struct Origin {
    base: u32,
    disp: i32,
}

impl GlobalNumberer<'_> {
    /// Step 5 for a load.
    pub(super) fn number_load(&mut self, f: &mut Function, b: Block, i: Inst) {
        let d = *f.inst(i);
        let r = f.def(i).expect("a load assigns");
        let why = if d.is_volatile() { NoKey::Volatile } else { NoKey::Without("mem=off") };
        if d.is_volatile() || self.around.memory == MemoryMode::Off {
            self.scratch.set_new_number(r);
            self.report_excluded(f, i, why);
            return;
        }
        let mem = f.mem(i);
        if let Some(known) = self.known_data(f, &mem, d.ty) {
            self.explainer.remarks.done(f, i, Event::ConstantData);
            self.become_known(f, b, i, r, known);
            return;
        }
        let version = self.version(f, i).expect("a load reads memory");
        let key = self.location(b, &mem).key(d.ty, version);
        if let Some(by) = self.scratch.available.find(&key, b, self.around.dom) {
            self.report(|s| s.report_found(f, b, i, &key, by));
            self.replace(f, b, i, r, by);
            return;
        }
        if !self.read_from_area(f, b, i, r) && !self.convert_other_type(f, b, i, key) {
            self.scratch.set_new_number(r);
            self.report(|s| s.report_new(f, b, i, &key));
        }
        self.enter_value(b, d.ty, key, Operand::reg(self.scratch.leader[r].expand().unwrap_or(r)));
    }
    /// Returns the version of memory that a store makes, or that a load or a `readonly` call reads; for a call, the
    /// version of all memory that the callee can access. None if memory is not numbered.
    pub(super) fn version(&mut self, f: &Function, i: Inst) -> Option<u32> {
        let format = f.inst(i).op.format();
        if self.around.memory.has_versions() {
            let versions = &mut self.scratch.versions;
            return Some(if format == Format::Call { versions.shared() } else { versions.of(f, self.around, i) });
        }
        let facts = self.memory_facts()?;
        let version = if format == Format::Store {
            facts.memory.access_of(i)?
        } else {
            let location = facts.alias.location(f, i).unwrap_or(Location::ANYWHERE);
            self.around.version_read(facts, f, &location, facts.memory.defining_access(i)?)
        };
        Some(version.index() as u32)
    }
    /// Returns memory SSA, if the option is `mem=ssa`, with the alias oracle that knows of replacements.
    pub(super) fn memory_facts(&self) -> Option<MemoryFacts<'_>> {
        Some(MemoryFacts { alias: &self.scratch.oracle, ..self.around.memory_ssa()? })
    }
    /// Notes that the walk has passed an instruction that may write. The value of a store becomes the value of later
    /// loads of the location, as if it were loaded right after the store.
    pub(super) fn pass_write(&mut self, f: &Function, b: Block, i: Inst) {
        if self.around.memory.has_versions() {
            self.scratch.versions.pass(f, self.around, i);
        }
        let d = f.inst(i);
        if d.op.format() != Format::Store || d.is_volatile() {
            return;
        }
        let Some(version) = self.version(f, i) else { return };
        let key = self.location(b, &f.mem(i)).key(d.ty, version);
        self.enter_value(b, d.ty, key, d.stored());
        self.explainer.keep(f, i, &key);
    }
    /// Enters a value that is in memory. If it is known to be constant, the constant is entered in place of the
    /// register, which then need not stay live.
    fn enter_value(&mut self, b: Block, ty: Type, key: ValueKey, value: Operand) {
        let number = Operand::from_bits(self.scratch.number_of(value));
        let by = if number.is_const() { number } else { value };
        self.scratch.accessed_types |= 1 << ty as u8;
        self.scratch.available.find_or_insert(key, by, b, self.around.dom);
    }

    /// Returns the value of a load from constant data, by name or through a register that holds an address in it.
    pub(super) fn known_data(&self, f: &Function, mem: &Mem, ty: Type) -> Option<KnownData> {
        let base = self.location_of_number(self.scratch.number_of(mem.base.to_operand()), mem.disp);
        let OperandKind::Sym(s) = Operand::from_bits(base.base).kind() else { return None };
        let at = match mem.index {
            None => 0,
            Some(r) => {
                let index = f.constant(Operand::from_bits(self.scratch.number_here(Operand::reg(r))))?;
                index.checked_mul(i64::from(mem.scale))?
            }
        };
        let known = known_load(self.around.decls, s, at.checked_add(i64::from(base.disp))?, ty);
        // The address is made by a `lea`, whose displacement has 32 bits.
        known.filter(|k| !matches!(k, KnownData::Address(_, plus) if i32::try_from(*plus).is_err()))
    }
    /// Replaces a load by its known value.
    pub(super) fn become_known(&mut self, f: &mut Function, b: Block, i: Inst, r: Reg, known: KnownData) {
        let ty = f.type_of(r);
        match known {
            KnownData::Bits(bits) => {
                let constant = f.make_typed_const(ty, bits);
                self.replace(f, b, i, r, constant);
            }
            KnownData::Address(s, plus) => {
                let mut lea = InstData::new(Opcode::Lea, ty).with_result(r);
                f.set_mem(&mut lea, Mem::sym(s, plus as i32));
                self.become_other(f, b, i, r, lea);
            }
        }
    }
    /// Replaces a load by an instruction whose value number follows from its operands.
    fn become_other(&mut self, f: &mut Function, b: Block, i: Inst, r: Reg, other: InstData) {
        f.replace_inst(i, other);
        self.found.replaced += 1;
        if self.scratch.facts.any_equal() && self.use_equalities(f, b, i) {
            return;
        }
        let key = self.key(f, b, i).expect("it takes part");
        self.settle(f, b, i, r, key);
    }

    /// Replaces a load by a conversion of a value of another type that is known at its location: a value of the other
    /// class with the same size, or a wider integer, whose low bits come first in memory. Returns false if none is
    /// known.
    fn convert_other_type(&mut self, f: &mut Function, b: Block, i: Inst, key: ValueKey) -> bool {
        let ty = f.inst(i).ty;
        let r = f.def(i).expect("a load assigns");
        for (from, op) in sources(ty) {
            if self.scratch.accessed_types & 1 << from as u8 == 0 {
                continue;
            }
            let Some(value) = self.scratch.available.find(&with_type(key, from), b, self.around.dom) else { continue };
            let event = if op == Opcode::Trunc { Event::LowPart } else { Event::OtherClass };
            self.explainer.remarks.done(f, i, event(from, (from, value)));
            if let Some(payload) = f.constant(value) {
                let constant = f.make_typed_const(ty, payload as u64);
                self.replace(f, b, i, r, constant);
            } else {
                let conversion = InstData::convert(op, from, ty, value).with_result(r);
                self.become_other(f, b, i, r, conversion);
            }
            return true;
        }
        false
    }

    /// Returns the key of a load from a location, in a version of memory SSA.
    pub(super) fn key_of_load(&mut self, b: Block, mem: &Mem, ty: Type, version: Access) -> ValueKey {
        self.location(b, mem).key(ty, version.index() as u32)
    }
    /// Returns the number of a key that belongs to no instruction.
    pub(super) fn number_of_key(&mut self, b: Block, key: ValueKey) -> u32 {
        let number = self.scratch.new_number();
        let known = self.scratch.available.find_or_insert(key, Operand::from_bits(number), b, self.around.dom);
        known.map_or(number, Operand::to_bits)
    }
    /// Returns the location of a memory operand.
    fn location(&mut self, b: Block, mem: &Mem) -> NumberedLocation {
        let base = self.scratch.number_of(mem.base.to_operand());
        let mut location = self.location_of_number(base, mem.disp);
        if let Some(index) = mem.index {
            let head = head(Opcode::Lea, Type::I64, 1, mem.scale);
            let operands = [location.base, self.scratch.numbers[index], NO_OPERAND];
            location.base = self.number_of_key(b, ValueKey { head, operands });
        }
        location
    }
    fn location_of_number(&self, number: u32, disp: i32) -> NumberedLocation {
        let origin = Operand::from_bits(number).as_reg().and_then(|n| self.scratch.origins[n]);
        let sum = origin.and_then(|o| Some(NumberedLocation { base: o.base, disp: o.disp.checked_add(disp)? }));
        sum.unwrap_or(NumberedLocation { base: number, disp })
    }
    /// Notes the origin of a new number, if it may be an address.
    pub(super) fn note_origin(&mut self, f: &Function, b: Block, i: Inst, r: Reg) {
        if self.around.memory == MemoryMode::Off {
            return;
        }
        let d = f.inst(i);
        let location = if d.op.format() == Format::Address {
            self.location(b, &f.mem(i))
        } else if matches!(d.op, Opcode::Add | Opcode::Sub) && d.ty == Type::I64 {
            let Some(k) = f.constant(d.second()) else { return };
            let by = if d.op == Opcode::Sub { k.checked_neg() } else { Some(k) };
            let Some(disp) = by.and_then(|by| i32::try_from(by).ok()) else { return };
            self.location_of_number(self.scratch.number_of(d.first()), disp)
        } else {
            return;
        };
        let number = Operand::from_bits(self.scratch.numbers[r]).as_reg().expect("the number is new");
        self.scratch.origins[number] = Some(location);
    }
}

/// A location in memory, in the form in which [`Origin`] gives an address.
type NumberedLocation = Origin;

impl NumberedLocation {
    /// Returns the key of a load of this location.
    fn key(self, ty: Type, version: u32) -> ValueKey {
        with_type(ValueKey { head: 0, operands: [self.base, self.disp as u32, version] }, ty)
    }
}

fn with_type(key: ValueKey, ty: Type) -> ValueKey {
    ValueKey { head: head(Opcode::Load, ty, 0, 0), ..key }
}

/// Returns the types from whose value a load of `ty` at the same location can be computed, and the operation for it.
/// The nearest in size comes first.
fn sources(ty: Type) -> impl Iterator<Item = (Type, Opcode)> {
    let from = Type::OF_WORDS.into_iter().filter(move |t| t.bits() >= ty.bits() && *t != ty);
    from.filter_map(move |t| match (t.bits() == ty.bits(), t.is_int() && ty.is_int()) {
        (true, false) => Some((t, Opcode::Bitcast)),
        (false, true) => Some((t, Opcode::Trunc)),
        (true, true) | (false, false) => None,
    })
}

//! Step 7 of [`sroa`](super): rewrites accesses of parts that become registers.

use super::parts::{ObjectPart, PartMap};
use super::slices::{Kind, Slice, Slices};
use lir_syntax::ir::{
    DebugLoc, EntitySet, Format, Function, Inst, InstData, Mem, NameRef, Obj, Opcode, Operand, Reg, Type,
};

/// One end of a copy.
#[derive(Copy, Clone)]
struct End {
    mem: Mem,
    /// The object and offset, where parts of it may be registers.
    location: Option<(Obj, u32)>,
}

/// A part that is a register, as bytes `from..to` of a copy.
#[derive(Copy, Clone)]
struct Piece {
    from: u32,
    to: u32,
    part: ObjectPart,
}

/// Scratch memory of a run.
#[derive(Default)]
pub(super) struct RewritingScratch {
    /// The objects with bytes that stay in memory and are read there.
    in_memory: EntitySet<Obj>,
    /// The parts of the ends of a copy.
    to: Vec<Piece>,
    from: Vec<Piece>,
}

/// The rewriting of one function.
pub(super) struct Rewriter<'a> {
    pub(super) f: &'a mut Function,
    pub(super) slices: &'a Slices,
    pub(super) parts: &'a PartMap,
    pub(super) scratch: &'a mut RewritingScratch,
}

impl Rewriter<'_> {
    /// Rewrites every access of a part that has a variable.
    pub(super) fn run(&mut self) {
        self.find_memory();
        let slices = self.slices;
        for group in slices.slices.chunk_by(|a, b| a.inst == b.inst) {
            if group.iter().any(|s| slices.is_candidate(s.obj)) {
                self.rewrite(group);
            }
        }
        self.load_parameters();
    }
    fn find_memory(&mut self) {
        self.scratch.in_memory.clear();
        for s in &self.slices.slices {
            let stays = matches!(s.kind, Kind::Pin | Kind::AggRead | Kind::AggWrite);
            let whole = || self.parts.overlapping(s.obj, s.start, s.end).all(|k| self.part(k).is_some());
            if stays || !whole() {
                self.scratch.in_memory.insert(s.obj);
            }
        }
    }
    /// Returns a part that is a register.
    fn part(&self, k: usize) -> Option<ObjectPart> {
        Some(self.parts.get(k)).filter(|p| p.variable.is_some())
    }
    fn rewrite(&mut self, group: &[Slice]) {
        let s = group[0];
        match self.f.inst(s.inst).op.format() {
            Format::Load => self.rewrite_load(s),
            Format::Store => self.rewrite_store(s),
            Format::MemCopy => self.rewrite_copy(s.inst),
            Format::MemFill => self.rewrite_fill(s),
            Format::Call | Format::AggReturn => self.pass_aggregates(group),
            _ => unreachable!("nothing else has slices"),
        }
    }
    /// Returns the one part of a load or store, where it is a register.
    fn part_of_scalar(&self, s: Slice) -> Option<ObjectPart> {
        if s.kind == Kind::Pin {
            return None;
        }
        self.part(self.parts.overlapping(s.obj, s.start, s.end).start)
    }
    fn rewrite_load(&mut self, s: Slice) {
        let Some(part) = self.part_of_scalar(s) else { return };
        let d = *self.f.inst(s.inst);
        let last = Emitter::new(self.f, s.inst, s.obj).read(part, s.start, d.ty);
        self.f.replace_inst(s.inst, last.with_result(d.result()));
    }
    fn rewrite_store(&mut self, s: Slice) {
        let Some(part) = self.part_of_scalar(s) else { return };
        let d = *self.f.inst(s.inst);
        let last = Emitter::new(self.f, s.inst, s.obj).write(part, s.start, d.ty, d.stored());
        self.f.replace_inst(s.inst, last);
    }

    /// Splits a copy into one for each part that is a register. Smaller copies handle the bytes between.
    fn rewrite_copy(&mut self, i: Inst) {
        let n = self.f.constant(self.f.inst(i).length()).expect("a copy with slices has a constant size") as u64;
        let end = |mem: Mem| End { mem, location: self.slices.location(mem) };
        let (to, from) = (end(self.f.mem_dst(i)), end(self.f.mem_src(i)));
        if n > super::MAX_COPY_BYTES {
            return;
        }
        let n = n as u32;
        if to.location.is_some() && to.location == from.location {
            return self.f.remove_inst(i);
        }
        let (mut to_pieces, mut from_pieces) =
            (std::mem::take(&mut self.scratch.to), std::mem::take(&mut self.scratch.from));
        self.list_pieces(to, n, &mut to_pieces);
        self.list_pieces(from, n, &mut from_pieces);
        if !to_pieces.is_empty() || !from_pieces.is_empty() {
            self.copy_pieces(i, (to, &to_pieces), (from, &from_pieces), n);
            self.f.remove_inst(i);
        }
        (self.scratch.to, self.scratch.from) = (to_pieces, from_pieces);
    }
    /// The parts of one end that are registers.
    fn list_pieces(&self, end: End, n: u32, pieces: &mut Vec<Piece>) {
        pieces.clear();
        if let Some((o, start)) = end.location {
            let parts = self.parts.overlapping(o, start, start + n).filter_map(|k| self.part(k));
            pieces.extend(parts.map(|part| Piece {
                from: part.start.saturating_sub(start),
                to: (part.end - start).min(n),
                part,
            }));
        }
    }
    fn copy_pieces(&mut self, i: Inst, to: (End, &[Piece]), from: (End, &[Piece]), n: u32) {
        let (mut a, mut b) = (to.1.iter().copied().peekable(), from.1.iter().copied().peekable());
        let mut at = 0;
        let (o, _) = to.0.location.or(from.0.location).expect("a copy with pieces has a location");
        let mut e = Emitter::new(self.f, i, o);
        while at < n {
            let (write, read) = (a.next_if(|p| p.from == at), b.next_if(|p| p.from == at));
            let next = |p: Option<&Piece>| p.map_or(n, |p| p.from);
            let end = match (write, read) {
                (Some(w), Some(r)) => {
                    debug_assert_eq!(w.to, r.to, "both ends of a copy are cut alike");
                    w.to
                }
                (Some(p), None) | (None, Some(p)) => p.to,
                (None, None) => next(a.peek()).min(next(b.peek())),
            };
            if write.is_none() && read.is_none() {
                e.copy_memory(offset(to.0.mem, at), offset(from.0.mem, at), end - at);
            } else {
                let ty = type_of_piece(write, read, end - at);
                let value = match read {
                    Some(r) => e.read_reg(r.part, part_offset(from.0, at), ty),
                    None => e.load(ty, offset(from.0.mem, at)),
                };
                match write {
                    Some(w) => e.write_reg(w.part, part_offset(to.0, at), ty, value),
                    None => e.store(ty, offset(to.0.mem, at), Operand::reg(value)),
                }
            }
            at = end;
        }
    }

    /// A fill writes each part that is a register. It stays where other bytes of the object are in memory.
    fn rewrite_fill(&mut self, s: Slice) {
        let d = *self.f.inst(s.inst);
        for k in self.parts.overlapping(s.obj, s.start, s.end) {
            let Some(part) = self.part(k) else { continue };
            let (start, end) = (s.start.max(part.start), s.end.min(part.end));
            let ty = if end - start == part.bytes() { part.ty } else { int_of(end - start) };
            let mut e = Emitter::new(self.f, s.inst, s.obj);
            let value = e.splat(d.second(), ty);
            let last = e.write(part, start, ty, value);
            e.emit(last);
        }
        if !self.scratch.in_memory.contains(s.obj) {
            self.f.remove_inst(s.inst);
        }
    }

    /// Aggregates of calls and returns are in memory: arguments are stored before, results are loaded after.
    fn pass_aggregates(&mut self, group: &[Slice]) {
        let call = group[0].inst;
        let next = self.f.layout().next_inst(call);
        let mut last = None;
        for &s in group {
            let bytes = (s.obj, s.start, s.end);
            if s.kind == Kind::AggRead && last.replace(bytes) == Some(bytes) {
                continue;
            }
            for k in self.parts.overlapping(s.obj, s.start, s.end) {
                let Some(part) = self.part(k) else { continue };
                let covered = s.start <= part.start && part.end <= s.end;
                if s.kind == Kind::AggRead || !covered {
                    Emitter::new(self.f, call, s.obj).spill(s.obj, part);
                }
                if s.kind == Kind::AggWrite {
                    let at = next.expect("a call does not end a block");
                    let loc = self.f.debug_loc(call);
                    Emitter { loc, ..Emitter::new(self.f, at, s.obj) }.fill(s.obj, part);
                }
            }
        }
    }
    /// The caller has written the bytes of a parameter: its parts are loaded at the entry. The loads have no line of
    /// the body.
    fn load_parameters(&mut self) {
        let parameters: Vec<Obj> = self.f.stack_objects().filter(|(_, o)| o.is_param).map(|(o, _)| o).collect();
        let entry = self.f.entry();
        let at = self.f.layout().first_inst(entry).expect("a block ends in a terminator");
        for o in parameters {
            for k in self.parts.all_of(o) {
                if let Some(part) = self.part(k) {
                    Emitter { loc: DebugLoc::NONE, ..Emitter::new(self.f, at, o) }.fill(o, part);
                }
            }
        }
    }
}

/// Times a byte: that byte eight times.
pub(super) const ALL_BYTES: u64 = 0x0101_0101_0101_0101;

/// `mem` this many bytes on.
fn offset(mem: Mem, by: u32) -> Mem {
    Mem { disp: mem.disp + by as i32, ..mem }
}

/// Returns the offset in its object of a copy's byte that belongs to a part.
fn part_offset(end: End, at: u32) -> u32 {
    end.location.expect("only a location has parts").1 + at
}

/// Returns the type in which a piece is copied: the type of the part that it covers, so that no conversion is needed.
fn type_of_piece(write: Option<Piece>, read: Option<Piece>, bytes: u32) -> Type {
    let whole = |p: &Piece| p.part.bytes() == bytes;
    write.filter(whole).or(read.filter(whole)).map_or(int_of(bytes), |p| p.part.ty)
}

/// Returns the integer type of this size.
pub(super) fn int_of(bytes: u32) -> Type {
    match bytes {
        1 => Type::I8,
        2 => Type::I16,
        4 => Type::I32,
        _ => Type::I64,
    }
}

/// Puts instructions before another.
struct Emitter<'a> {
    f: &'a mut Function,
    at: Inst,
    /// The position in the source that they have.
    loc: DebugLoc,
    name: NameRef,
}

impl<'a> Emitter<'a> {
    /// Before `at`, at its position in the source; new registers are named after an object.
    fn new(f: &'a mut Function, at: Inst, object: Obj) -> Emitter<'a> {
        let (loc, name) = (f.debug_loc(at), f.stack[object].name);
        Emitter { f, at, loc, name }
    }
    fn emit(&mut self, data: InstData) {
        self.f.insert_before_at(self.at, data, self.loc);
    }
    /// Emits an instruction with a new register of type `ty` as the result. It is named after the object that the value
    /// is part of.
    fn emit_reg(&mut self, data: InstData, ty: Type) -> Reg {
        let r = self.f.new_reg(ty, self.name);
        self.emit(data.with_result(r));
        r
    }
    fn load(&mut self, ty: Type, mem: Mem) -> Reg {
        let data = self.f.load(ty, mem);
        self.emit_reg(data, ty)
    }
    fn store(&mut self, ty: Type, mem: Mem, value: Operand) {
        let data = self.f.store(ty, mem, value);
        self.emit(data);
    }
    fn copy_memory(&mut self, to: Mem, from: Mem, n: u32) {
        let n = self.f.make_const(n.into());
        let copy = self.f.memcpy(to, from, n);
        self.emit(copy);
    }
    /// Stores a part to its location in its object.
    fn spill(&mut self, o: Obj, part: ObjectPart) {
        let value = self.read_reg(part, part.start, part.ty);
        self.store(part.ty, Mem::obj(o, part.start as i32), Operand::reg(value));
    }
    /// Loads a part from its location in its object.
    fn fill(&mut self, o: Obj, part: ObjectPart) {
        let value = self.load(part.ty, Mem::obj(o, part.start as i32));
        self.write_reg(part, part.start, part.ty, value);
    }

    /// Returns the load of a variable as a whole.
    fn variable(&mut self, part: ObjectPart) -> InstData {
        self.f.load(part.ty, Mem::obj(part.variable.expand().expect("the part has a variable"), 0))
    }
    /// Reads a `ty` at this offset of the object from its part. The result is the last instruction, yet to be put.
    fn read(&mut self, part: ObjectPart, at: u32, ty: Type) -> InstData {
        let whole = self.variable(part);
        if ty == part.ty {
            return whole;
        }
        let mut value = self.emit_reg(whole, part.ty);
        if ty.bytes() == part.bytes() {
            return InstData::convert(Opcode::Bitcast, part.ty, ty, value);
        }
        let shift = 8 * (at - part.start);
        if shift != 0 {
            let b = self.f.make_const(shift.into());
            let data = InstData::binary(Opcode::Lshr, part.ty, value, b);
            value = self.emit_reg(data, part.ty);
        }
        let int = ty.bits_type();
        let low = InstData::convert(Opcode::Trunc, part.ty, int, value);
        if int == ty {
            return low;
        }
        let low = self.emit_reg(low, int);
        InstData::convert(Opcode::Bitcast, int, ty, low)
    }
    fn read_reg(&mut self, part: ObjectPart, at: u32, ty: Type) -> Reg {
        let last = self.read(part, at, ty);
        self.emit_reg(last, ty)
    }

    /// Writes a `ty` at this offset of the object to its part. The result is the last instruction, yet to be put.
    fn write(&mut self, part: ObjectPart, at: u32, ty: Type, value: Operand) -> InstData {
        let value = if ty.bytes() == part.bytes() {
            self.cast(value, ty, part.ty)
        } else {
            Operand::reg(self.insert(part, 8 * (at - part.start), ty, value))
        };
        self.f.store(part.ty, Mem::obj(part.variable.expand().expect("the part has a variable"), 0), value)
    }
    fn write_reg(&mut self, part: ObjectPart, at: u32, ty: Type, value: Reg) {
        let last = self.write(part, at, ty, Operand::reg(value));
        self.emit(last);
    }
    /// Returns the bits of a value in another type of the same size.
    fn cast(&mut self, value: Operand, from: Type, to: Type) -> Operand {
        if from == to {
            return value;
        }
        match (self.f.constant(value), value.as_reg()) {
            (Some(bits), _) => self.f.make_typed_const(to, bits as u64),
            (None, Some(r)) => Operand::reg(self.emit_reg(InstData::convert(Opcode::Bitcast, from, to, r), to)),
            (None, None) => unreachable!("a value is a register or a constant"),
        }
    }
    /// Returns the part with some of its bits replaced.
    fn insert(&mut self, part: ObjectPart, shift: u32, ty: Type, value: Operand) -> Reg {
        let (wide, int, w) = (part.ty, ty.bits_type(), ty.as_word());
        let whole = self.variable(part);
        let old = self.emit_reg(whole, wide);
        let keep = self.f.make_typed_const(wide, !(w.mask() << shift));
        let kept = InstData::binary(Opcode::And, wide, old, keep);
        let kept = self.emit_reg(kept, wide);
        let new = match self.f.constant_bits(value, w) {
            Some(0) => return kept,
            Some(bits) => self.f.make_typed_const(wide, bits << shift),
            None => {
                let bits = self.cast(value, ty, int).as_reg().expect("an operand is a constant or a register");
                let low = self.emit_reg(InstData::convert(Opcode::Zext, int, wide, bits), wide);
                let b = self.f.make_const(shift.into());
                let moved = InstData::binary(Opcode::Shl, wide, low, b);
                Operand::reg(if shift == 0 { low } else { self.emit_reg(moved, wide) })
            }
        };
        let data = InstData::binary(Opcode::Or, wide, kept, new);
        self.emit_reg(data, wide)
    }
    /// Returns a byte (a register or constant of type i8) in all bytes of a `ty`.
    fn splat(&mut self, byte: Operand, ty: Type) -> Operand {
        let int = ty.bits_type();
        let spread = match (self.f.constant(byte), byte.as_reg()) {
            (None, Some(r)) if int != Type::I8 => {
                let low = self.emit_reg(InstData::convert(Opcode::Zext, Type::I8, int, r), int);
                let b = self.f.make_typed_const(int, ALL_BYTES);
                let data = InstData::binary(Opcode::Mul, int, low, b);
                Operand::reg(self.emit_reg(data, int))
            }
            (None, _) => byte,
            (Some(bits), _) => self.f.make_typed_const(int, (bits as u8 as u64).wrapping_mul(ALL_BYTES)),
        };
        self.cast(spread, int, ty)
    }
}

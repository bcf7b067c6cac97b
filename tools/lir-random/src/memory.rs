//! Memory: which bytes may be accessed where, and every way to name them.

use super::body::Body;
use super::partial::Written;
use super::plan::{POINTEE_SIZE, Purity};
use lir_syntax::ir::builder::Value;
use lir_syntax::ir::{Agg, AggBody, Base, Mem, Obj, Opcode, Reg, Sym, Type};

/// What object a region belongs to, as far as is known: for ranges that must not overlap.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
enum Root {
    Object(Obj),
    Data(Sym),
    Alloca(Reg),
    /// An object of a caller, or data.
    Foreign,
    /// Any of these.
    Unknown,
}

/// Initialised bytes that may be accessed: `size` of them from `base + offset`.
#[derive(Copy, Clone, Debug)]
pub(super) struct Region {
    base: Base,
    offset: u32,
    pub(super) size: u32,
    root: Root,
    writable: bool,
    /// No address of it is made, so that calls cannot reach it: the results of calls go there.
    private: bool,
}

impl Region {
    /// The bytes of a stack object that were written.
    pub(super) fn written_part(o: Obj, Written { from, to }: Written) -> Region {
        let (base, root) = (Base::Obj(o), Root::Object(o));
        Region { base, offset: from, size: to - from, root, writable: true, private: false }
    }
    /// Its first bytes.
    pub(super) fn start(&self) -> Mem {
        Mem::base_disp(self.base, self.offset as i32)
    }
    pub(super) fn may_be_written(&self) -> bool {
        self.writable
    }
    pub(super) fn is_private(&self) -> bool {
        self.private
    }
    /// `size` bytes of it.
    pub(super) fn part(&self, at: u32, size: u32) -> Region {
        Region { offset: self.offset + at, size, ..*self }
    }
    /// The same bytes by a register that holds the address of the first.
    pub(super) fn named(&self, address: Reg) -> Region {
        Region { base: Base::Reg(address), offset: 0, ..*self }
    }
    pub(super) fn disjoint(&self, other: &Region) -> bool {
        use Root::{Alloca, Data, Foreign, Object, Unknown};
        match (self.root, other.root) {
            (Unknown, _) | (_, Unknown) | (Foreign, Foreign | Data(_)) | (Data(_), Foreign) => false,
            (Object(_) | Alloca(_), Foreign) | (Foreign, Object(_) | Alloca(_)) => true,
            (Object(_) | Alloca(_) | Data(_), Object(_) | Alloca(_) | Data(_)) => self.root != other.root,
        }
    }
}

impl Body<'_> {
    // ---- Regions ----

    /// Data, and some stack objects.
    pub(super) fn start_memory(&mut self) {
        for data in self.around.data {
            let writable = data.writable && self.this.purity == Purity::Any;
            let (base, root) = (Base::Sym(data.sym), Root::Data(data.sym));
            self.regions.push(Region { base, offset: 0, size: data.size, root, writable, private: false });
        }
        if self.writes() {
            for _ in 0..self.rng.range(1, 3) {
                let size = self.object_size();
                self.new_object(size, false);
            }
        }
    }

    /// A stack object without contents.
    pub(super) fn raw_object(&mut self, size: u32) -> Obj {
        let align = self.rng.pick(&[None, None, None, Some(1), Some(8), Some(16), Some(32)]);
        let name = format!("o{}", self.objects);
        self.objects += 1;
        self.b.stack_object(&name, size as u64, align)
    }

    /// A stack object that is filled here.
    pub(super) fn new_object(&mut self, size: u32, private: bool) -> Region {
        let o = self.raw_object(size);
        if size.is_multiple_of(8) && size <= 128 && self.rng.chance(40) {
            for at in (0..size).step_by(8) {
                let v = self.value(Type::I64);
                self.b.store(Type::I64, Mem::obj(o, at as i32), v);
            }
        } else {
            let byte = self.value(Type::I8);
            self.b.memset(Mem::obj(o, 0), byte, size as i64);
        }
        self.object_region(o, size, private)
    }
    fn object_region(&mut self, o: Obj, size: u32, private: bool) -> Region {
        let region = Region { base: Base::Obj(o), offset: 0, size, root: Root::Object(o), writable: true, private };
        self.regions.push(region);
        region
    }

    pub(super) fn pointer_parameter(&mut self, r: Reg) {
        self.pointer_region(r, 0, POINTEE_SIZE, Root::Foreign, self.writes());
    }
    fn pointer_region(&mut self, r: Reg, offset: u32, size: u32, root: Root, writable: bool) {
        self.regions.push(Region { base: Base::Reg(r), offset, size, root, writable, private: false });
    }

    /// An aggregate that a call has put into an object: its padding gets contents, too.
    pub(super) fn received(&mut self, agg: Agg, base: Base, private: bool) {
        let size = self.around.decls.types[agg].size as u32;
        for (at, n) in self.padding(agg) {
            self.b.memset(Mem::base_disp(base, at as i32), 0x5A, n as i64);
        }
        if size == 0 {
            return;
        }
        match base {
            Base::Obj(o) => {
                self.object_region(o, size, private);
                if !private {
                    self.note_written(agg, o);
                }
            }
            Base::None | Base::Reg(_) | Base::Sym(_) => unreachable!("aggregates are received in stack objects"),
        }
    }

    /// Runs of bytes that belong to no scalar: offset and length.
    pub(super) fn padding(&self, agg: Agg) -> Vec<(u32, u32)> {
        let ty = &self.around.decls.types[agg];
        let mut covered = vec![matches!(ty.body, AggBody::Opaque(_)); ty.size as usize];
        self.around.decls.for_each_scalar(agg, |at, t| covered[at as usize..][..t.bytes() as usize].fill(true));
        let mut runs: Vec<(u32, u32)> = Vec::new();
        for (at, _) in covered.iter().enumerate().filter(|(_, c)| !**c) {
            match runs.last_mut() {
                Some((start, n)) if *start + *n == at as u32 => *n += 1,
                _ => runs.push((at as u32, 1)),
            }
        }
        runs
    }

    /// A region for an access of this many bytes.
    pub(super) fn region(&mut self, size: u32, suits: impl Fn(&Region) -> bool) -> Option<Region> {
        let fit: Vec<usize> =
            (0..self.regions.len()).filter(|k| self.regions[*k].size >= size && suits(&self.regions[*k])).collect();
        (!fit.is_empty()).then(|| self.regions[self.rng.pick(&fit)])
    }

    // ---- Memory operands ----

    /// Some `size` bytes of a region: at a constant offset, or at a masked index.
    pub(super) fn mem_in(&mut self, region: Region, size: u32) -> Mem {
        let spare = region.size - size;
        let start = self.rng.below(spare as usize + 1) as u32;
        let scale = self.rng.pick(&[1u32, 2, 4, 8]);
        let most = (spare - start) / scale;
        let disp = (region.offset + start) as i32;
        if most == 0 || self.rng.chance(55) {
            return Mem::base_disp(region.base, disp);
        }
        // Masks are of the form 2^k - 1.
        let mask = (1u64 << (most + 1).ilog2()) - 1;
        let (index, bias) = self.index(mask);
        Mem::base_disp(region.base, disp - bias * scale as i32).indexed(index, scale as u8)
    }
    /// A register that holds at most `mask`, plus the second value.
    fn index(&mut self, mask: u64) -> (Reg, i32) {
        let ty = self.rng.pick(&[Type::I64, Type::I64, Type::I32]);
        let a = self.any(ty);
        let small = self.b.binary(Opcode::And, ty, a, Value::Int(mask as i64));
        let index = if ty == Type::I64 { small } else { self.b.convert(Opcode::Zext, ty, small, Type::I64) };
        if self.rng.chance(70) {
            return (index, 0);
        }
        let bias = self.rng.range(1, 200) as i32 - 100;
        (self.b.binary(Opcode::Add, Type::I64, index, bias), bias)
    }

    /// Where the bytes of an aggregate of this size are read from.
    pub(super) fn aggregate_source(&mut self, size: u32) -> Mem {
        let region = match self.region(size, |_| true) {
            Some(region) => region,
            None => self.new_object(size.max(8), false),
        };
        self.mem_in(region, size)
    }

    /// An address for a pointer parameter.
    pub(super) fn pointer_argument(&mut self) -> Reg {
        let region = match self.region(POINTEE_SIZE, |r| r.writable && !r.private) {
            Some(region) => region,
            None => self.new_object(POINTEE_SIZE, false),
        };
        match region.base {
            Base::Reg(r) if region.offset == 0 && self.rng.chance(50) => r,
            Base::None | Base::Reg(_) | Base::Sym(_) | Base::Obj(_) => {
                let mem = self.mem_in(region, POINTEE_SIZE);
                self.b.lea(mem)
            }
        }
    }

    // ---- Statements ----

    pub(super) fn load(&mut self) {
        let ty = self.scalar_type();
        let Some(region) = self.region(ty.bytes(), |_| true) else { return self.expression() };
        let mem = self.place(region, ty, false);
        let r = self.b.load(ty, mem);
        self.maybe_volatile();
        self.keep(ty, r);
    }

    pub(super) fn store(&mut self) {
        let ty = self.scalar_type();
        let Some(region) = self.region(ty.bytes(), |r| r.writable) else { return self.expression() };
        let mem = self.place(region, ty, true);
        let v = self.value(ty);
        let v = self.clean_value(ty, v);
        self.b.store(ty, mem, v);
        self.maybe_volatile();
        // What was just written is read again, whole or in part, more often than chance would have it.
        if self.rng.chance(40) {
            let parts: Vec<Type> = super::values::types(self.around.config.floats)
                .iter()
                .copied()
                .filter(|t| t.bytes() <= ty.bytes())
                .collect();
            let part = self.rng.pick(&parts);
            let at = self.rng.below((ty.bytes() - part.bytes()) as usize + 1) as i32;
            let r = self.b.load(part, Mem { disp: mem.disp + at, ..mem });
            self.keep(part, r);
        }
    }

    /// Bytes that were accessed before, or some of a region.
    fn place(&mut self, region: Region, ty: Type, writes: bool) -> Mem {
        if let Some(mem) = self.known_place(ty, writes) {
            return mem;
        }
        let mem = self.mem_in(region, ty.bytes());
        self.remember(mem, ty, region.writable);
        mem
    }

    fn maybe_volatile(&mut self) {
        if self.around.config.volatile && self.this.purity == Purity::Any && self.rng.chance(8) {
            self.b.set_volatile();
        }
    }

    /// `memset`, or `memcpy` between ranges that do not overlap.
    pub(super) fn block_operation(&mut self) {
        let Some(to) = self.region(1, |r| r.writable) else { return self.expression() };
        let from = self.region(1, |r| r.disjoint(&to));
        let most = from.map_or(to.size, |from| from.size.min(to.size));
        let n = self.rng.below(most as usize + 1) as u32;
        let size = if self.rng.chance(60) || n == 0 {
            Value::Int(n as i64)
        } else {
            let a = self.any(Type::I64);
            let mask = (1u64 << (n + 1).ilog2()) - 1;
            Value::Reg(self.b.binary(Opcode::And, Type::I64, a, Value::Int(mask as i64)))
        };
        let dst = self.mem_in(to, n);
        match from {
            Some(from) => {
                let src = self.mem_in(from, n);
                self.b.memcpy(dst, src, size);
            }
            None => {
                let byte = self.value(Type::I8);
                self.b.memset(dst, byte, size);
            }
        }
    }

    /// A new way to a region: through a register.
    pub(super) fn address(&mut self) {
        let Some(region) = self.region(1, |r| !r.private) else { return self.expression() };
        match self.rng.below(6) {
            0 => self.pointer_from_table(),
            1 => self.chosen_pointer(region),
            2 if self.writes() => self.pointer_through_memory(region),
            3 | 4 => self.moved_pointer(region),
            _ => {
                let (p, size) = self.pointer_into(region);
                self.pointer_region(p, 0, size, region.root, region.writable);
            }
        }
    }
    /// An address inside a region, and how many bytes follow it there.
    fn pointer_into(&mut self, region: Region) -> (Reg, u32) {
        let size = self.rng.range(1, region.size as usize) as u32;
        let mem = self.mem_in(region, size);
        (self.b.lea(mem), size)
    }
    fn pointer_from_table(&mut self) {
        let Some((table, n)) = self.around.pointers else { return };
        let (index, bias) = self.index(n as u64 - 1);
        let p = self.b.load(Type::I64, Mem::sym(table, -bias * 8).indexed(index, 8));
        self.pointer_region(p, 0, POINTEE_SIZE, Root::Foreign, self.writes());
    }
    fn chosen_pointer(&mut self, region: Region) {
        let Some(other) = self.region(1, |r| !r.private) else { return };
        let ((p, p_size), (q, q_size)) = (self.pointer_into(region), self.pointer_into(other));
        let c = self.condition();
        let chosen = self.b.select(Type::I64, c, p, q);
        self.pointer_region(chosen, 0, p_size.min(q_size), Root::Unknown, region.writable && other.writable);
    }
    fn pointer_through_memory(&mut self, region: Region) {
        let (p, size) = self.pointer_into(region);
        let slot = self.raw_object(8);
        self.b.store(Type::I64, Mem::obj(slot, 0), p);
        let again = self.b.load(Type::I64, Mem::obj(slot, 0));
        self.pointer_region(again, 0, size, region.root, region.writable);
    }
    fn moved_pointer(&mut self, region: Region) {
        let (p, size) = self.pointer_into(region);
        let moved = match self.rng.below(7) {
            4.. => return self.pointer_back_from_afar(region),
            0 => self.b.binary(Opcode::And, Type::I64, p, -1),
            1 => self.b.copy(Type::I64, p),
            way => {
                let by = self.rng.range(1, 40) as i32;
                let (op, away) = if way == 2 { (Opcode::Sub, by) } else { (Opcode::Add, -by) };
                let away = self.b.binary(op, Type::I64, p, away);
                self.b.binary(Opcode::Add, Type::I64, away, by)
            }
        };
        self.pointer_region(moved, 0, size, region.root, region.writable);
    }

    fn pointer_back_from_afar(&mut self, region: Region) {
        let p = if self.rng.chance(50) { self.far_pointer(region) } else { self.pointer_by_difference(region) };
        self.pointer_region(p, 0, region.size, region.root, region.writable);
    }

    /// Dynamic stack memory, freed after some statements or at the return.
    pub(super) fn alloca(&mut self) {
        let mark = self.mark();
        let saved = self.rng.chance(60).then(|| self.b.stack_save());
        let align = 1 << self.rng.below(6);
        let (least, p, size) = if self.rng.chance(50) {
            let n = self.rng.range(1, 70) as u32;
            (n, self.b.alloca(n as i64, align), Value::Int(n as i64))
        } else {
            let (extra, bias) = self.index(63);
            let n = self.b.binary(Opcode::Add, Type::I64, extra, 16 - bias);
            (16, self.b.alloca(n, align), Value::Reg(n))
        };
        let byte = self.value(Type::I8);
        self.b.memset(Mem::reg(p), byte, size);
        let (base, root) = (Base::Reg(p), Root::Alloca(p));
        self.regions.push(Region { base, offset: 0, size: least, root, writable: true, private: false });
        if self.rng.chance(10) {
            self.b.alloca(0, 8);
        }
        if let Some(saved) = saved {
            self.inner_statements();
            self.b.stack_restore(saved);
            self.release(&mark);
        }
    }

    /// A private region that holds at least `size` bytes from its object's start.
    pub(super) fn private_object(&mut self, size: u32) -> Option<Base> {
        self.region(size, |r| r.private && r.offset == 0).map(|r| r.base)
    }
}

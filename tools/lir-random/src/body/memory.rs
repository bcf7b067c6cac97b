//! Memory: the bytes that may be accessed, and the operands that name them.

use super::Body;
use crate::surroundings::{POINTEE_SIZE, Written};
use lir_syntax::ir::builder::Value;
use lir_syntax::ir::{Agg, AggBody, Base, Mem, Obj, Opcode, Reg, Sym, Type};

/// The object that a region belongs to, as far as is known. It is for ranges that must not overlap.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) enum Root {
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
pub(crate) struct Region {
    pub(crate) base: Base,
    pub(crate) offset: u32,
    pub(crate) size: u32,
    pub(crate) root: Root,
    pub(crate) writable: bool,
    /// No address of it is made, so that calls cannot reach it: the results of calls are put there.
    pub(crate) private: bool,
}

impl Region {
    /// The bytes of a stack object that were written.
    pub(crate) fn written_part(o: Obj, Written { from, to }: Written) -> Region {
        let (base, root) = (Base::Obj(o), Root::Object(o));
        Region { base, offset: from, size: to - from, root, writable: true, private: false }
    }
    /// Returns its first bytes.
    pub(crate) fn start(&self) -> Mem {
        Mem::base_disp(self.base, self.offset as i32)
    }
    /// True if stores to it are allowed.
    pub(crate) fn may_be_written(&self) -> bool {
        self.writable
    }
    /// True if no address of it is made.
    pub(crate) fn is_private(&self) -> bool {
        self.private
    }
    /// `size` bytes of it.
    pub(crate) fn part(&self, at: u32, size: u32) -> Region {
        Region { offset: self.offset + at, size, ..*self }
    }
    /// The same bytes by a register that holds the address of the first.
    pub(crate) fn named(&self, address: Reg) -> Region {
        Region { base: Base::Reg(address), offset: 0, ..*self }
    }
    /// True if no byte belongs to both, as far as is known.
    pub(crate) fn disjoint(&self, other: &Region) -> bool {
        use Root::{Alloca, Data, Foreign, Object, Unknown};
        match (self.root, other.root) {
            (Unknown, _) | (_, Unknown) | (Foreign, Foreign | Data(_)) | (Data(_), Foreign) => false,
            (Object(_) | Alloca(_), Foreign) | (Foreign, Object(_) | Alloca(_)) => true,
            (Object(_) | Alloca(_) | Data(_), Object(_) | Alloca(_) | Data(_)) => self.root != other.root,
        }
    }
}

/// Bytes that were accessed before and may be accessed again, by the same operand.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Accessed {
    pub(crate) mem: Mem,
    pub(crate) size: u32,
    pub(crate) writable: bool,
}

impl Body<'_> {
    // ---- Regions ----

    /// Makes a stack object without contents.
    pub(crate) fn raw_object(&mut self, size: u32) -> Obj {
        let align = self.rng.pick(&[None, None, None, Some(1), Some(8), Some(16), Some(32)]);
        self.object_with(size, align)
    }
    /// Makes a stack object without contents, of this alignment.
    pub(crate) fn raw_object_of(&mut self, size: u32, align: u64) -> Obj {
        self.object_with(size, Some(align))
    }
    fn object_with(&mut self, size: u32, align: Option<u64>) -> Obj {
        let name = format!("o{}", self.objects);
        self.objects += 1;
        self.b.stack_object(&name, size as u64, align)
    }

    /// Makes a stack object that is filled here.
    pub(crate) fn new_object(&mut self, size: u32, private: bool) -> Region {
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

    /// Returns the size of an object: mostly some words, now and then beyond the reach of a displacement of a byte, or
    /// of 16 bits.
    pub(crate) fn object_size(&mut self) -> u32 {
        match self.rng.below(40) {
            0 => self.rng.pick(&[255, 256, 257, 1000]),
            1 => self.rng.pick(&[4096, 32_767, 32_768, 40_000, 70_000]),
            _ => self.rng.pick(&[8, 12, 16, 24, 33, 64, 100]),
        }
    }

    /// Notes the memory that may be accessed through a pointer parameter.
    pub(crate) fn pointer_parameter(&mut self, r: Reg) {
        self.pointer_region(r, 0, POINTEE_SIZE, Root::Foreign, self.writes());
    }
    /// Notes the memory that may be accessed through a register.
    pub(crate) fn pointer_region(&mut self, r: Reg, offset: u32, size: u32, root: Root, writable: bool) {
        self.regions.push(Region { base: Base::Reg(r), offset, size, root, writable, private: false });
    }

    /// An aggregate that a call has put into an object: its padding gets contents, too.
    pub(crate) fn received(&mut self, agg: Agg, base: Base, private: bool) {
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

    /// Runs of bytes that belong to no scalar or vector: offset and length.
    pub(crate) fn padding(&self, agg: Agg) -> Vec<(u32, u32)> {
        let ty = &self.around.decls.types[agg];
        let mut covered = vec![matches!(ty.body, AggBody::Opaque(_)); ty.size as usize];
        self.around.decls.for_each_part(agg, |at, part| covered[at as usize..][..part.bytes() as usize].fill(true));
        let mut runs: Vec<(u32, u32)> = Vec::new();
        for (at, _) in covered.iter().enumerate().filter(|(_, c)| !**c) {
            match runs.last_mut() {
                Some((start, n)) if *start + *n == at as u32 => *n += 1,
                _ => runs.push((at as u32, 1)),
            }
        }
        runs
    }

    /// Returns a region for an access of this many bytes.
    pub(crate) fn region(&mut self, size: u32, suits: impl Fn(&Region) -> bool) -> Option<Region> {
        let fit: Vec<usize> =
            (0..self.regions.len()).filter(|k| self.regions[*k].size >= size && suits(&self.regions[*k])).collect();
        (!fit.is_empty()).then(|| self.regions[self.rng.pick(&fit)])
    }

    /// Returns a private region that holds at least `size` bytes from its object's start.
    pub(crate) fn private_object(&mut self, size: u32) -> Option<Base> {
        self.region(size, |r| r.private && r.offset == 0).map(|r| r.base)
    }

    // ---- Memory operands ----

    /// Some `size` bytes of a region: at a constant offset, or at a masked index.
    pub(crate) fn mem_in(&mut self, region: Region, size: u32) -> Mem {
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
    /// Returns a register that holds at most `mask`, plus the second value.
    pub(crate) fn index(&mut self, mask: u64) -> (Reg, i32) {
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

    /// Returns the memory from which the bytes of an aggregate of this size are read.
    pub(crate) fn aggregate_source(&mut self, size: u32) -> Mem {
        let region = match self.region(size, |_| true) {
            Some(region) => region,
            None => self.new_object(size.max(8), false),
        };
        self.mem_in(region, size)
    }

    /// Returns an address for a pointer parameter.
    pub(crate) fn pointer_argument(&mut self) -> Reg {
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

    // ---- Accessed memory ----

    /// Remembers an access, so that there is another to the same bytes.
    pub(crate) fn remember(&mut self, mem: Mem, ty: Type, writable: bool) {
        self.accessed.push(Accessed { mem, size: ty.bytes(), writable });
    }
    /// Bytes for an access of this type that were accessed before, often the same ones.
    pub(crate) fn known_location(&mut self, ty: Type, writes: bool) -> Option<Mem> {
        let suits = |p: &&Accessed| p.size >= ty.bytes() && (p.writable || !writes);
        let fit: Vec<Accessed> = self.accessed.iter().filter(suits).copied().collect();
        if fit.is_empty() || !self.rng.chance(40) {
            return None;
        }
        let Accessed { mem, size, .. } = self.rng.pick(&fit);
        let spare = size - ty.bytes();
        let at = if self.rng.chance(60) { 0 } else { self.rng.below(spare as usize + 1) as i32 };
        Some(Mem { disp: mem.disp + at, ..mem })
    }
}

//! Stack objects that live in registers: aggregates that are passed in registers and only accessed in pieces.
//!
//! # Example
//!
//! ```text
//! type :pair = { i64, i64 }
//! func @sum($p: :pair) -> i64 {            params defs %1@rdi %2@rsi
//! entry:
//!   %a = load i64 [$p]                     %3 = mov %1
//!   %b = load i64 [$p + 8]         =>      %4 = mov %2
//!   %c = add i64 %a, %b                    %5 = lea [%3 + %4]
//!   ret %c                                 ret %5@rax
//! }
//! ```
//!
//! # Algorithm
//!
//! 1. Candidates are the objects that are, as a whole, parameters, arguments, results of calls or returned, always in
//!    the same registers, and otherwise only loaded and stored at constant offsets inside of one eightbyte, of the
//!    class of that eightbyte.
//! 2. An eightbyte that comes from outside (a parameter, a call's result) is one machine register: loads shift bits out
//!    of it, stores insert bits into it. An eightbyte that is only made here is cut into the accessed *parts*, one
//!    register each, which are put together where the aggregate is passed on.
//! 3. A part may be assigned several times: it is a variable, and no phi is made for it. A part that might be read
//!    before it is assigned, according to liveness, is assigned 0 at the entry.
//! 4. Selection does the rest ([`select`]): a load or store of a part is a copy, or some arithmetic; calls, returns and
//!    the entry name the registers.
//!
//! # Why it is sound
//!
//! All accesses of such an object are known, and each is done at its position; nothing else reaches an object whose
//! address is not used otherwise. Bytes that were never written have any value, and so has padding, which need not be
//! carried over. Where a call returns twice, all objects stay in memory, which keeps the stores made in between.
//!
//! # Cost and limits
//!
//! A walk in functions that pass aggregates, and liveness of at most [`MAX_LIVE`] parts, 64 at a time; further ones
//! that live across blocks are assigned 0 at the entry. An eightbyte of more than [`MAX_PARTS`] parts stays in memory
//! with its object: stores of bytes are shorter than the code to put them together. So do two floats in one eightbyte,
//! of which only the first can be read and written in a register, and objects that are copied or filled as blocks:
//! `sroa` makes loads and stores of the latter if they are also accessed otherwise.
//!
//! # Source
//!
//! LLVM does this by splitting arguments and results where IR is made (`CodeGenTypes`, Clang) and by `SROA`; here the
//! IR knows only whole aggregates, so it is done where the registers are known.

mod select;

use crate::isa::x64::isel::{Isel, ObjLocation};
use crate::mir::{RegClass, Size, VReg};
use lir_syntax::abi::{AggClass, ArgLocation, Eightbytes, Piece, classify};
use lir_syntax::ir::{
    Agg, Base, Block, CallArg, CallResult, Cfg, EntityRef, Format, Inst, InstData, Mem, Obj, Opcode, Operand, Param,
    Type,
};
use smallvec::SmallVec;

/// Limit on the registers that an eightbyte is cut into.
const MAX_PARTS: usize = 4;

/// Limit on the parts live across blocks whose liveness is found.
const MAX_LIVE: usize = 1024;

/// The number of the stretch of loads of parts alone. They are not operands in memory.
pub(in crate::isa::x64::isel) const NO_STRETCH: u32 = u32::MAX;

/// The pieces of the objects that are in registers, or may be.
#[derive(Default)]
pub(in crate::isa::x64::isel) struct RegisterObjects {
    /// For each object its candidate.
    candidate_of: Vec<Candidacy>,
    candidates: Vec<Candidate>,
    parts: Vec<RegisterPart>,
    /// The accesses of candidates.
    accesses: Vec<Access>,
    /// The liveness of parts across blocks. For each block the bits that it reads before assigning them, that it
    /// assigns, and that are live at its start.
    live: Vec<BlockSets>,
    open: Vec<Block>,
}

/// The candidacy of an object.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
enum Candidacy {
    /// No use of it was seen.
    Unseen,
    /// With this number.
    Is(u32),
    /// It is used otherwise.
    Not,
}

/// An object that may be in registers.
#[derive(Clone, Debug)]
struct Candidate {
    object: Obj,
    eightbytes: SmallVec<[Eightbyte; 2]>,
}

/// A piece of an object.
#[derive(Clone, Debug)]
struct Eightbyte {
    piece: Piece,
    /// The bytes that are accessed, and those accessed together with the next one.
    touched: u8,
    joined: u8,
    /// True if some store writes only a part of it.
    partly_stored: bool,
    /// True if it comes from outside anywhere, and if it is passed on anywhere.
    comes: bool,
    goes: bool,
    /// Its parts, in order.
    parts: std::ops::Range<u32>,
}

/// Bytes in one register.
#[derive(Copy, Clone, Debug)]
struct RegisterPart {
    offset: u32,
    bytes: u32,
    class: RegClass,
    vreg: VReg,
    /// True if it is read.
    read: bool,
    /// True if all bits of the register above it are always zero.
    clear: bool,
    /// True if it must be assigned at the entry.
    initial: bool,
}

/// An access to a piece, or to some bytes of it.
#[derive(Copy, Clone, Debug)]
struct Access {
    inst: Inst,
    block: Block,
    candidate: u32,
    kind: AccessKind,
}

#[derive(Copy, Clone, PartialEq, Eq, Debug)]
enum AccessKind {
    /// The object comes from outside as a whole.
    Comes,
    /// The object is passed on as a whole.
    Goes,
    /// A load or store of a type at an offset.
    Load(Type, u32),
    Store(Type, u32),
}

#[derive(Copy, Clone, Default, Debug)]
struct BlockSets {
    reads: u64,
    assigns: u64,
    live: u64,
}

impl Eightbyte {
    fn new(piece: Piece) -> Eightbyte {
        Eightbyte { piece, touched: 0, joined: 0, partly_stored: false, comes: false, goes: false, parts: 0..0 }
    }
    /// Counts an access of bytes of the object. Returns whether it may be done in registers.
    fn touch(&mut self, ty: Type, offset: u32, is_store: bool) -> bool {
        let (at, n) = (offset - self.piece.offset, ty.bytes());
        // Only the start of a float register can be read.
        if at + n > self.piece.bytes || self.piece.class == RegClass::Float && (at != 0 || n < 4) {
            return false;
        }
        let bytes = (u16::MAX >> (16 - n) << at) as u8;
        self.touched |= bytes;
        self.joined |= bytes & bytes >> 1;
        self.partly_stored |= is_store && n < self.piece.bytes;
        true
    }
    /// Returns the offsets and sizes of its parts. None if they are too many, or of a size that no register has.
    fn cut(&self) -> Option<SmallVec<[(u32, u32); MAX_PARTS]>> {
        let mut parts = SmallVec::new();
        let is_float = self.piece.class == RegClass::Float;
        // Nothing can be inserted into a float register.
        if is_float && self.partly_stored && (self.comes || self.joined >> 3 & 1 != 0) {
            return None;
        }
        if self.comes {
            parts.push((self.piece.offset, self.piece.bytes));
            return Some(parts);
        }
        let mut at = 0;
        while at < self.piece.bytes {
            let n = (self.joined >> at).trailing_ones() + 1;
            if self.touched >> at & 1 != 0 {
                if !n.is_power_of_two() || parts.len() == MAX_PARTS {
                    return None;
                }
                parts.push((self.piece.offset + at, n));
            }
            at += n;
        }
        Some(parts)
    }
}

/// Finds them.
impl Isel<'_> {
    /// Steps 1 to 3, in a function that passes aggregates.
    pub(in crate::isa::x64::isel) fn find_register_objects(&mut self, cfg: &Cfg) {
        let mut objects = std::mem::take(&mut self.s.register_objects);
        objects.candidates.clear();
        objects.accesses.clear();
        objects.parts.clear();
        objects.candidate_of.clear();
        objects.candidate_of.resize(self.f.stack.len(), Candidacy::Unseen);
        let reachable = std::mem::take(&mut self.s.reachable);
        if !self.mf.returns_twice && self.find_candidates(&reachable, &mut objects) {
            self.find_accesses(&reachable, &mut objects);
            if self.make_parts(&mut objects) {
                objects.find_unassigned(self.f.entry(), self.f.num_blocks(), cfg);
                self.has_register_objects = true;
            }
        }
        self.s.reachable = reachable;
        self.s.register_objects = objects;
        if self.has_register_objects {
            self.find_clear_parts();
        }
    }
    /// The first half of step 1: finds objects that are passed as a whole. Returns whether there are any.
    fn find_candidates(&mut self, reachable: &[Block], objects: &mut RegisterObjects) -> bool {
        let f = self.f;
        // Parameters come before the first instruction.
        let first = f.layout().first_inst(f.entry()).expect("a block ends in a terminator");
        for (p, place) in f.params.iter().zip(&self.params) {
            if let Param::Agg(o) = p {
                let pieces = pieces_in_registers(place);
                objects.pass(Mem::obj(*o, 0), pieces, (first, f.entry(), AccessKind::Comes));
            }
        }
        for &b in reachable {
            for i in f.layout().insts(b) {
                match f.inst(i).op.format() {
                    Format::AggReturn => {
                        objects.pass(f.mem(i), self.result_pieces(f.inst(i).agg()), (i, b, AccessKind::Goes));
                    }
                    Format::Call => self.find_in_call(i, b, objects),
                    _ => {}
                }
            }
        }
        objects.candidate_of.iter().any(|c| matches!(c, Candidacy::Is(_)))
    }
    fn find_in_call(&self, i: Inst, b: Block, objects: &mut RegisterObjects) {
        let f = self.f;
        if f.call_args(i).any(|a| matches!(a, CallArg::Agg(..))) {
            let places = self.places(i).0;
            for (a, place) in f.call_args(i).zip(&places) {
                if let CallArg::Agg(_, m) = a {
                    objects.pass(m, pieces_in_registers(place), (i, b, AccessKind::Goes));
                }
            }
        }
        // Arguments are read before the result is written.
        if let CallResult::Agg(agg, m) = f.call_result(i) {
            objects.pass(m, self.result_pieces(agg), (i, b, AccessKind::Comes));
        }
    }
    /// Returns the pieces of a result in registers.
    fn result_pieces(&self, agg: Agg) -> Option<Eightbytes<Piece>> {
        match classify(self.decls, agg) {
            AggClass::Regs(pieces) => scalar_pieces(pieces.iter()),
            AggClass::Empty | AggClass::Memory => None,
        }
    }
    /// The second half: all other uses of objects. All accesses are listed in the order of the blocks, passes of whole
    /// objects among them.
    fn find_accesses(&mut self, reachable: &[Block], objects: &mut RegisterObjects) {
        let f = self.f;
        let passes = std::mem::take(&mut objects.accesses);
        let mut passes = passes.into_iter().peekable();
        for &b in reachable {
            for i in f.layout().insts(b) {
                while let Some(a) = passes.next_if(|a| a.inst == i) {
                    objects.accesses.push(a);
                }
                match f.inst(i).op.format() {
                    Format::Call | Format::AggReturn => {}
                    Format::Load => objects.access(f.mem(i), f.inst(i), (i, b, AccessKind::Load)),
                    Format::Store => objects.access(f.mem(i), f.inst(i), (i, b, AccessKind::Store)),
                    _ => f.for_each_mem(i, |m| objects.rule_out(m)),
                }
            }
        }
    }
    /// Step 2: makes the registers. Returns whether any object is in registers; an object without loads and stores has
    /// no registers, and counts as in registers all the same.
    fn make_parts(&mut self, objects: &mut RegisterObjects) -> bool {
        let RegisterObjects { candidate_of, candidates, parts, accesses, .. } = objects;
        let mut any = false;
        for (k, c) in candidates.iter_mut().enumerate() {
            if candidate_of[c.object.index()] != Candidacy::Is(k as u32) {
                continue;
            }
            let Some(cuts) = c.eightbytes.iter().map(Eightbyte::cut).collect::<Option<SmallVec<[_; 2]>>>() else {
                candidate_of[c.object.index()] = Candidacy::Not;
                continue;
            };
            for (e, cut) in c.eightbytes.iter_mut().zip(cuts) {
                let first = parts.len() as u32;
                let class = e.piece.class;
                parts.extend(cut.into_iter().map(|(offset, bytes)| RegisterPart {
                    offset,
                    bytes,
                    class,
                    vreg: self.mf.new_vreg(class),
                    read: e.goes,
                    clear: !e.comes,
                    initial: false,
                }));
                e.parts = first..parts.len() as u32;
            }
            self.s.obj_locations[c.object.index()] = Some(ObjLocation::Registers(k as u32));
            any = true;
        }
        accesses.retain(|a| {
            let c = &candidates[a.candidate as usize];
            candidate_of[c.object.index()] == Candidacy::Is(a.candidate)
        });
        for a in accesses {
            if let AccessKind::Load(_, at) = a.kind {
                self.s.stretches[a.inst.index()] = NO_STRETCH;
                let part = candidates[a.candidate as usize].part_at(parts, at);
                parts[part].read = true;
            }
        }
        any
    }
    /// Finds the parts that are only assigned values without bits above them. It must be known which loads are of
    /// parts.
    fn find_clear_parts(&mut self) {
        for k in 0..self.s.register_objects.accesses.len() {
            let a = self.s.register_objects.accesses[k];
            if let AccessKind::Store(ty, at) = a.kind {
                let clear = self.is_clear(ty, self.f.inst(a.inst).stored());
                let RegisterObjects { candidates, parts, .. } = &mut self.s.register_objects;
                let part = candidates[a.candidate as usize].part_at(parts, at);
                parts[part].clear &= clear && ty.bytes() == parts[part].bytes;
            }
        }
    }
    /// True if the register of a stored value has only zeros above its type.
    fn is_clear(&self, ty: Type, value: Operand) -> bool {
        match self.const_of(value) {
            // Constants are made in at least 32 bits.
            Some(k) => ty.bytes() == 4 || ty.as_word().truncate(k as u64) == k as u64,
            None => ty.is_float() || value.as_reg().is_some_and(|r| self.clear_from(r) <= ty.bits()),
        }
    }
}

/// Returns the pieces of an argument or parameter in registers.
fn pieces_in_registers(place: &ArgLocation) -> Option<Eightbytes<Piece>> {
    match place {
        ArgLocation::AggRegs(pieces) => scalar_pieces(pieces.iter().map(|(p, _)| p)),
        ArgLocation::AggStack(_) | ArgLocation::Nowhere | ArgLocation::Reg(_) | ArgLocation::Stack(_) => None,
    }
}
/// Returns pieces; none if one is a vector, whose scalars are not in registers of their own.
fn scalar_pieces<'a>(pieces: impl Iterator<Item = &'a Piece>) -> Option<Eightbytes<Piece>> {
    pieces.map(|p| (!p.is_vector()).then_some(*p)).collect()
}

impl Candidate {
    /// Returns the piece that a byte of the object is in.
    fn eightbyte_at(&mut self, offset: u32) -> Option<&mut Eightbyte> {
        self.eightbytes.iter_mut().find(|e| offset.wrapping_sub(e.piece.offset) < e.piece.bytes)
    }
    /// Returns the part that an access at this offset is in.
    fn part_at(&self, parts: &[RegisterPart], offset: u32) -> usize {
        let mut all = self.eightbytes.iter().flat_map(|e| e.parts.clone()).map(|k| k as usize);
        all.find(|k| offset.wrapping_sub(parts[*k].offset) < parts[*k].bytes).expect("parts cover the accesses")
    }
}

impl RegisterObjects {
    /// An object that is passed as a whole, in these pieces if in registers.
    fn pass(&mut self, m: Mem, pieces: Option<Eightbytes<Piece>>, (inst, block, kind): (Inst, Block, AccessKind)) {
        let Mem { base: Base::Obj(o), index, disp, .. } = m else { return };
        let Some(pieces) = pieces.filter(|p| !p.is_empty() && index.is_none() && disp == 0) else {
            return self.rule_out(m);
        };
        let candidate = match self.candidate_of[o.index()] {
            Candidacy::Not => return,
            Candidacy::Is(k) => k,
            Candidacy::Unseen => {
                let eightbytes = pieces.iter().copied().map(Eightbyte::new).collect();
                self.candidates.push(Candidate { object: o, eightbytes });
                let k = self.candidates.len() as u32 - 1;
                self.candidate_of[o.index()] = Candidacy::Is(k);
                k
            }
        };
        let eightbytes = &mut self.candidates[candidate as usize].eightbytes;
        if !eightbytes.iter().map(|e| e.piece).eq(pieces.iter().copied()) {
            return self.rule_out(m);
        }
        for e in eightbytes {
            e.comes |= kind == AccessKind::Comes;
            e.goes |= kind == AccessKind::Goes;
        }
        self.accesses.push(Access { inst, block, candidate, kind });
    }
    /// A load or store.
    fn access(&mut self, m: Mem, d: &InstData, (inst, block, kind): (Inst, Block, fn(Type, u32) -> AccessKind)) {
        let Mem { base: Base::Obj(o), index, disp, .. } = m else { return };
        let Candidacy::Is(candidate) = self.candidate_of[o.index()] else { return };
        let ordinary = matches!(d.op, Opcode::Load | Opcode::Store) && !d.is_volatile() && index.is_none();
        let eightbyte = self.candidates[candidate as usize].eightbyte_at(disp as u32).filter(|_| ordinary);
        let is_store = d.op == Opcode::Store;
        if !eightbyte.is_some_and(|e| e.touch(d.ty, disp as u32, is_store)) {
            return self.rule_out(m);
        }
        self.accesses.push(Access { inst, block, candidate, kind: kind(d.ty, disp as u32) });
    }
    /// An object that stays in memory.
    fn rule_out(&mut self, m: Mem) {
        if let Base::Obj(o) = m.base {
            self.candidate_of[o.index()] = Candidacy::Not;
        }
    }

    /// Step 3: finds the parts that may be read before they are assigned.
    fn find_unassigned(&mut self, entry: Block, blocks: usize, cfg: &Cfg) {
        let exposed = self.exposed_parts(entry);
        let (looked_at, others) = exposed.split_at(exposed.len().min(MAX_LIVE));
        for &p in others {
            self.parts[p].initial = true;
        }
        let mut bits = vec![0; self.parts.len()];
        for set in looked_at.chunks(u64::BITS as usize) {
            bits.fill(0);
            set.iter().enumerate().for_each(|(k, p)| bits[*p] = 1 << k);
            self.find_live(&bits, blocks, cfg);
            let live = self.live[entry.index()].live;
            set.iter().for_each(|p| self.parts[*p].initial = live & bits[*p] != 0);
        }
    }
    /// Liveness of the parts that have a bit.
    fn find_live(&mut self, bits: &[u64], blocks: usize, cfg: &Cfg) {
        self.live.clear();
        self.live.resize(blocks, BlockSets::default());
        self.for_each_part_access(|s, part, block, reads, assigns| {
            let sets = &mut s.live[block.index()];
            sets.reads |= if reads { bits[part] & !sets.assigns } else { 0 };
            sets.assigns |= if assigns { bits[part] } else { 0 };
        });
        self.open.clear();
        for a in &self.accesses {
            let sets = &mut self.live[a.block.index()];
            if sets.reads & !sets.live != 0 {
                sets.live |= sets.reads;
                self.open.push(a.block);
            }
        }
        while let Some(b) = self.open.pop() {
            let live = self.live[b.index()].live;
            for p in cfg.preds(b) {
                let sets = &mut self.live[p.index()];
                let more = live & !sets.assigns & !sets.live;
                if more != 0 {
                    sets.live |= more;
                    self.open.push(*p);
                }
            }
        }
    }
    /// Returns the parts that some block reads before it assigns them. Parts that the entry, the first block, assigned
    /// are left out.
    fn exposed_parts(&mut self, entry: Block) -> Vec<usize> {
        let mut exposed = Vec::new();
        let mut is_exposed = vec![false; self.parts.len()];
        let mut assigned_in: Vec<Option<Block>> = vec![None; self.parts.len()];
        self.for_each_part_access(|_, part, block, reads, assigns| {
            let assigned = &mut assigned_in[part];
            let known = assigned.is_some_and(|b| b == block || b == entry);
            if reads && !known && !std::mem::replace(&mut is_exposed[part], true) {
                exposed.push(part);
            }
            if assigns && *assigned != Some(entry) {
                *assigned = Some(block);
            }
        });
        exposed
    }
    /// Calls `f` with the parts of all accesses. The arguments are the part, its block, whether it is read, and whether
    /// it is assigned.
    fn for_each_part_access(&mut self, mut f: impl FnMut(&mut RegisterObjects, usize, Block, bool, bool)) {
        for k in 0..self.accesses.len() {
            let a = self.accesses[k];
            let (reads, assigns) = match a.kind {
                AccessKind::Comes => (false, true),
                AccessKind::Goes => (true, false),
                AccessKind::Load(_, at) | AccessKind::Store(_, at) => {
                    let c = &self.candidates[a.candidate as usize];
                    let part = c.part_at(&self.parts, at);
                    let is_load = matches!(a.kind, AccessKind::Load(..));
                    let partly = matches!(a.kind, AccessKind::Store(ty, _) if ty.bytes() != self.parts[part].bytes);
                    f(self, part, a.block, is_load || partly, !is_load);
                    continue;
                }
            };
            for e in 0..self.candidates[a.candidate as usize].eightbytes.len() {
                for part in self.candidates[a.candidate as usize].eightbytes[e].parts.clone() {
                    f(self, part as usize, a.block, reads, assigns);
                }
            }
        }
    }
}

impl RegisterPart {
    /// Returns the size that its operations have.
    fn size(&self) -> Size {
        if self.bytes > 4 { Size::S64 } else { Size::S32 }
    }
}

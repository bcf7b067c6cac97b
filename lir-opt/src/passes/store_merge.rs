//! Adjacent stores of parts of a number (`store-merge`).
//!
//! Combines stores of constants or of the parts of a register to adjacent bytes into one store. A `bswap` precedes it
//! if the highest part comes first.
//!
//! # Example
//!
//! ```text
//!   %a = lshr i32 %x, 8
//!   %b = trunc i32 %a to i8                      %d = trunc i32 %x to i16
//!   store i8 [%p], %b                    =>      %e = bswap i16 %d
//!   %c = trunc i32 %x to i8                      store i16 [%p], %e
//!   store i8 [%p + 1], %c
//!   store i32 [%p + 4], 0                =>      store i64 [%p + 4], 0
//!   store i32 [%p + 8], 0
//! ```
//!
//! # Algorithm
//!
//! 1. The stores of a block whose addresses differ by a constant alone form a group, up to an instruction that accesses
//!    memory otherwise or may trap.
//! 2. In the order of their addresses, the longest run of stores is taken that are adjacent and fill 64, 32 or 16 bits,
//!    and whose values are parts of one number: of a constant that fits into an instruction, or is stored by three or
//!    more; or of a register, in ascending order or, byte by byte, in descending order. A value is recognized as a part
//!    through truncations, shifts to the right, masks and extensions.
//! 3. One store takes the place of the last store of the run, with the line of the first. The others are removed.
//!
//! # Why it is sound
//!
//! Between the stores nothing reads or writes memory but stores of the group, and these do not overlap: a group with
//! stores that do is left alone. Nothing there can trap but the stores themselves: a fault has the line of the first,
//! also where only later bytes cannot be written.
//!
//! # Cost and limits
//!
//! Linear except for the sorting of groups, of at most [`MAX_GROUP`] stores. Loads between the stores end a group,
//! whatever they read.
//!
//! # Source
//!
//! GCC's "store-merging" (gimple-ssa-store-merging.cc).

use crate::analysis::effects::is_trapping_arithmetic;
use crate::analysis::{Preserved, SsaView};
use crate::pass::remarks::{Remarks, events};
use crate::pass::{Pass, PassContext, PassInfo, SsaPass};
use lir_syntax::ir::{DebugLoc, Effects, Function, Inst, InstData, InstView, Mem, Opcode, Operand, Reg, Type};

/// The row of the registry.
pub(crate) static INFO: PassInfo = PassInfo {
    name: "store-merge",
    summary: "merge stores of the parts of an integer to adjacent bytes",
    options: &[],
    build: |_| Pass::Ssa(Box::new(StoreMerge)),
};

/// Stores of a group.
const MAX_GROUP: usize = 64;
/// Operations that a part is looked for through.
const MAX_CHAIN: usize = 6;

struct StoreMerge;

impl SsaPass for StoreMerge {
    fn run(&self, f: &mut Function, ssa: &SsaView, cx: &mut PassContext<'_>) -> Preserved {
        let mut group = Group::default();
        let mut merges = Vec::new();
        for b in f.layout().blocks() {
            for i in f.layout().insts(b) {
                if let Some(store) = Store::of(f, i) {
                    if group.stores.len() == MAX_GROUP || !group.takes(&store) {
                        group.finish(f, ssa, &mut merges, cx.remarks);
                    }
                    group.stores.push(store);
                } else if f.inst(i).op.is_terminator() || ends_group(f.inst(i)) {
                    group.finish(f, ssa, &mut merges, cx.remarks);
                }
            }
        }
        for merge in &merges {
            cx.remarks.done(f, merge.last, Event::StoresMerged(merge.others.len() + 1));
        }
        for merge in &merges {
            merge.apply(f);
        }
        cx.stats.add("stores merged", merges.len() as u64);
        Preserved::cfg_if(!merges.is_empty())
    }
}

/// True if stores may not be moved over an instruction.
fn ends_group(d: &InstData) -> bool {
    let effects = d.op.effects();
    let accesses = effects.has(Effects::READS) || effects.has(Effects::WRITES) || effects.has(Effects::OTHER);
    accesses || is_trapping_arithmetic(effects)
}

/// A store of an integer.
#[derive(Copy, Clone)]
struct Store {
    inst: Inst,
    mem: Mem,
    ty: Type,
    value: Operand,
}

impl Store {
    fn of(f: &Function, i: Inst) -> Option<Store> {
        let d = f.inst(i);
        match f.view(i) {
            InstView::Store { mem, value } if d.ty.is_int() && !d.is_volatile() => {
                Some(Store { inst: i, mem, ty: d.ty, value })
            }
            _ => None,
        }
    }
    fn bytes(&self) -> i64 {
        i64::from(self.ty.bytes())
    }
    fn end(&self) -> i64 {
        i64::from(self.mem.disp) + self.bytes()
    }
}

/// The bits of a number from one on.
#[derive(Copy, Clone, PartialEq, Eq)]
enum StoredBits {
    Constant(u64),
    Register { of: Reg, from: u32 },
}

/// Stores that are to become one.
struct Merge {
    others: Vec<Inst>,
    last: Inst,
    /// The location of the first store, which is the one to fault.
    loc: DebugLoc,
    mem: Mem,
    ty: Type,
    value: StoredBits,
    /// True if the highest byte comes first.
    is_swapped: bool,
}

/// Stores to addresses that differ by a constant, in their order.
#[derive(Default)]
struct Group {
    stores: Vec<Store>,
}

impl Group {
    fn takes(&self, store: &Store) -> bool {
        let form = |m: Mem| (m.base, m.index, m.scale);
        self.stores.first().is_none_or(|s| form(s.mem) == form(store.mem))
    }
    /// Step 2. The group is empty then.
    fn finish(&mut self, f: &Function, ssa: &SsaView, merges: &mut Vec<Merge>, remarks: &mut Remarks) {
        if self.stores.len() > 1 {
            let mut sorted = self.stores.clone();
            sorted.sort_by_key(|s| s.mem.disp);
            let overlap = sorted.windows(2).any(|w| w[0].end() > i64::from(w[1].mem.disp));
            if overlap {
                remarks.missed(f, self.stores[0].inst, Event::StoresOverlap);
            }
            let mut left = if overlap { &[][..] } else { &sorted[..] };
            while let Some((_, rest)) = left.split_first() {
                let Some((len, ty, value, is_swapped)) = longest_run(f, ssa, left) else {
                    left = rest;
                    continue;
                };
                let run = &left[..len];
                left = &left[len..];
                let mut in_order = self.stores.iter().map(|s| s.inst).filter(|i| run.iter().any(|s| s.inst == *i));
                let (Some(first), Some(last)) = (in_order.next(), in_order.next_back()) else { continue };
                let others = run.iter().map(|s| s.inst).filter(|i| *i != last).collect();
                merges.push(Merge { others, last, loc: f.debug_loc(first), mem: run[0].mem, ty, value, is_swapped });
            }
        }
        self.stores.clear();
    }
}

/// Returns the longest run at the front of sorted stores that one store can replace: how many they are, the type, the
/// value, and true if its bytes must be swapped.
fn longest_run(f: &Function, ssa: &SsaView, stores: &[Store]) -> Option<(usize, Type, StoredBits, bool)> {
    let adjacent = 1 + stores.windows(2).take_while(|w| w[0].end() == i64::from(w[1].mem.disp)).count();
    [Type::I64, Type::I32, Type::I16].into_iter().find_map(|ty| {
        let end = i64::from(stores[0].mem.disp) + i64::from(ty.bytes());
        let len = 1 + stores[..adjacent].iter().position(|s| s.end() == end)?;
        let (value, is_swapped) = number(f, ssa, &stores[..len], ty).filter(|_| len > 1)?;
        Some((len, ty, value, is_swapped))
    })
}

/// Returns the number of a type that adjacent stores write.
fn number(f: &Function, ssa: &SsaView, run: &[Store], ty: Type) -> Option<(StoredBits, bool)> {
    let part = |s: &Store| part_of(f, ssa, s);
    match part(&run[0])? {
        StoredBits::Constant(_) => {
            let mut bits = 0;
            for s in run.iter().rev() {
                let StoredBits::Constant(c) = part(s)? else { return None };
                bits = if s.ty.bits() == 64 { c } else { bits << s.ty.bits() | c };
            }
            let fits = ty != Type::I64 || i32::try_from(bits as i64).is_ok();
            (fits || run.len() > 2).then_some((StoredBits::Constant(bits), false))
        }
        StoredBits::Register { of, from: first } => {
            let is = |s: &Store, bit: i64| bit >= 0 && part(s) == Some(StoredBits::Register { of, from: bit as u32 });
            let offset = |s: &Store| 8 * (i64::from(s.mem.disp) - i64::from(run[0].mem.disp));
            let width = f.type_of(of).bits();
            if run.iter().all(|s| is(s, i64::from(first) + offset(s))) && first + ty.bits() <= width {
                return Some((StoredBits::Register { of, from: first }, false));
            }
            let down = run.iter().all(|s| s.ty == Type::I8 && is(s, i64::from(first) - offset(s)));
            let from = (first + 8).checked_sub(ty.bits()).filter(|_| down)?;
            Some((StoredBits::Register { of, from }, true))
        }
    }
}

/// Returns the part of a number that a store writes.
fn part_of(f: &Function, ssa: &SsaView, s: &Store) -> Option<StoredBits> {
    let w = s.ty.as_word();
    let width = s.ty.bits();
    if let Some(c) = f.constant(s.value) {
        return Some(StoredBits::Constant(w.truncate(c as u64)));
    }
    let (mut of, mut from) = (s.value.as_reg()?, 0);
    for _ in 0..MAX_CHAIN {
        let Some(d) = ssa.def(of).map(|i| f.inst(i)) else { break };
        let by = || f.constant(d.second());
        let next = match d.op {
            Opcode::Trunc | Opcode::Copy => Some(from),
            Opcode::Zext | Opcode::Sext if from + width <= d.ty.bits() => Some(from),
            Opcode::Lshr | Opcode::Ashr => by()
                .filter(|by| (0..64).contains(by))
                .map(|by| from + by as u32)
                .filter(|from| from + width <= d.ty.bits()),
            Opcode::And => by().filter(|mask| w.truncate(*mask as u64 >> from) == w.mask()).map(|_| from),
            _ => None,
        };
        let Some((from_there, r)) = next.and_then(|from| Some((from, d.first().as_reg()?))) else { break };
        (of, from) = (r, from_there);
    }
    f.type_of(of).is_int().then_some(StoredBits::Register { of, from })
}

impl Merge {
    /// Step 3.
    fn apply(&self, f: &mut Function) {
        let value = match self.value {
            StoredBits::Constant(bits) => f.make_typed_const(self.ty, bits),
            StoredBits::Register { of, from } => self.cut_out(f, of, from).into(),
        };
        let store = f.store(self.ty, self.mem, value);
        f.replace_inst(self.last, store);
        f.set_loc(self.last, self.loc);
        for &i in &self.others {
            f.remove_inst(i);
        }
    }
    /// Writes the computation of the bits of a register from one on.
    fn cut_out(&self, f: &mut Function, of: Reg, from: u32) -> Reg {
        let (wide, name) = (f.type_of(of), f.regs[of].name);
        let mut value = of;
        let mut then = |f: &mut Function, ty: Type, step: InstData| {
            let next = f.new_reg(ty, name);
            f.insert_before(self.last, step.with_first(value).with_result(next));
            value = next;
        };
        if from != 0 {
            let by = f.make_const(i64::from(from));
            then(f, wide, InstData::new(Opcode::Lshr, wide).with_second(by));
        }
        if wide != self.ty {
            then(f, self.ty, InstData::new(Opcode::Trunc, wide).with_target_type(self.ty));
        }
        if self.is_swapped {
            then(f, self.ty, InstData::new(Opcode::Bswap, self.ty));
        }
        value
    }
}

events! {
    enum Event {
        StoresMerged(stores: usize): "stores-merged", "{stores} stores to adjacent bytes become one";
        StoresOverlap: "stores-overlap", "stores that follow one another overlap";
    }
}

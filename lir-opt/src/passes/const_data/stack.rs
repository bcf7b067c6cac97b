//! Addresses that stack objects hold.
//!
//! ```text
//!   %t = lea [@shape]
//!   store i64 [$s + 8], %t      cell 1 of $s holds %t
//!   %p = lea [$s]
//!   %q = load i64 [%p + 8]      %q is lost: so is %t
//!   store i32 [%q], 1
//! ```
//!
//! An object is followed in cells of eight bytes while its own address is nothing but that of loads, stores and block
//! operations at known offsets in it. Whatever else is done with it loses all that it holds.

use crate::analysis::SsaView;
use crate::analysis::stack_addresses::StackAddresses;
use lir_syntax::ir::{Base, Cfg, Function, Inst, Mem, Obj, PackedOption, Reg, SecondaryMap};
use std::ops::Range;

/// Bytes of a cell.
const CELL: u64 = 8;
/// Bytes of an object that may be followed.
const MAX_SIZE: u64 = 1024;

/// A cell of a stack object: an index in the table of the function.
pub(super) type Cell = u32;

/// A value that may be an address.
#[derive(Copy, Clone)]
pub(super) enum Place {
    Reg(Reg),
    Cell(Cell),
}

/// The stack objects of the function that is visited.
#[derive(Default)]
pub(super) struct StackCells {
    addresses: StackAddresses,
    /// The cells of the objects that are followed.
    cells_of: SecondaryMap<Obj, Range<Cell>>,
    /// What each cell holds: an index + 1 in `held`, where the index + 1 of the next one stands.
    first_held: Vec<u32>,
    held: Vec<(Place, u32)>,
    /// The instruction that loses each cell.
    lost: Vec<PackedOption<Inst>>,
}

impl StackCells {
    /// Follows no object.
    pub(super) fn follow_none(&mut self) {
        self.lost.clear();
        self.first_held.clear();
        self.held.clear();
    }
    /// True if objects are followed.
    pub(super) fn follows_any(&self) -> bool {
        !self.lost.is_empty()
    }
    /// Follows the objects of a function, if that is in SSA form. Returns whether there are any.
    pub(super) fn follow(&mut self, f: &Function) -> bool {
        self.follow_none();
        if SsaView::new(f, SsaView::default()).is_err() {
            return false;
        }
        self.addresses.find(f, &Cfg::new(f));
        self.cells_of.reset(f.stack.len());
        let mut next = 0;
        for (o, data) in f.stack_objects().filter(|(_, data)| data.size <= MAX_SIZE) {
            let end = next + data.size.div_ceil(CELL) as Cell;
            self.cells_of[o] = next..end;
            next = end;
        }
        self.lost.resize(next as usize, PackedOption::NONE);
        self.first_held.resize(next as usize, 0);
        self.follows_any()
    }
    /// True if an instruction makes an address at a known offset in an object, where objects are followed.
    pub(super) fn makes_address(&self, f: &Function, i: Inst) -> bool {
        self.addresses.is_made_by(f, i)
    }
    /// The object whose address a register holds.
    pub(super) fn object(&self, r: Reg) -> Option<Obj> {
        if self.follows_any() { self.addresses.get(r).map(|(o, _)| o) } else { None }
    }
    /// The object that a memory operand is in.
    pub(super) fn object_of(&self, m: Mem) -> Option<Obj> {
        match m.base {
            Base::Obj(o) => Some(o),
            Base::Reg(r) => self.object(r),
            Base::Sym(_) | Base::None => None,
        }
    }
    /// All cells of an object, none if it is not followed.
    pub(super) fn all(&self, o: Obj) -> Range<Cell> {
        if self.follows_any() { self.cells_of[o].clone() } else { 0..0 }
    }
    /// The cells that so many bytes are in. None unless all of them are in an object that is followed.
    pub(super) fn cells(&self, m: Mem, bytes: u64) -> Option<Range<Cell>> {
        if !self.follows_any() {
            return None;
        }
        let (o, at) = self.addresses.locate(m)?;
        let (all, at) = (self.all(o), u64::try_from(at).ok()?);
        let cells = all.start + (at / CELL) as Cell..all.start + at.checked_add(bytes)?.div_ceil(CELL) as Cell;
        (cells.end <= all.end).then_some(cells)
    }
    /// True if two locations are equally far behind the beginnings of cells.
    pub(super) fn are_aligned_alike(&self, a: Mem, b: Mem) -> bool {
        let within = |m| self.addresses.locate(m).map(|(_, at)| at.rem_euclid(CELL as i32));
        within(a) == within(b)
    }
    /// Notes that a cell holds something. Returns the instruction that lost it.
    pub(super) fn hold(&mut self, cell: Cell, what: Place) -> Option<Inst> {
        self.held.push((what, self.first_held[cell as usize]));
        self.first_held[cell as usize] = self.held.len() as u32;
        self.lost[cell as usize].expand()
    }
    /// What a cell holds.
    pub(super) fn held(&self, cell: Cell) -> impl Iterator<Item = Place> + '_ {
        let mut next = self.first_held[cell as usize];
        std::iter::from_fn(move || {
            let &(what, after) = self.held.get(next.checked_sub(1)? as usize)?;
            next = after;
            Some(what)
        })
    }
    /// Loses a cell. Returns whether it was not lost before.
    pub(super) fn lose(&mut self, cell: Cell, by: Inst) -> bool {
        let is_new = self.lost[cell as usize].is_none();
        if is_new {
            self.lost[cell as usize] = by.into();
        }
        is_new
    }
}

//! Memory that holds addresses of candidates: stack objects, and data.
//!
//! ```text
//!   %t = lea [@shape]
//!   store i64 [$s + 8], %t      cell 1 of $s holds %t
//!   %p = lea [$s]
//!   %q = load i64 [%p + 8]      %q is lost: so is %t
//!   store i32 [%q], 1
//!   %r = lea [@names]
//!   %x = load i64 [%r + %i*8]   one of those that @names holds: if %x is lost, so are they
//! ```
//!
//! A stack object is followed in cells of eight bytes while its own address is used only by loads, stores and block
//! operations at known offsets in it; data that holds addresses, all of it alike, while its own address is used only by
//! loads. Any other use of the address loses all values held.

use crate::analysis::SsaView;
use crate::analysis::stack_addresses::StackAddresses;
use lir_syntax::ir::{
    Base, Cfg, Format, Function, Inst, Mem, Obj, Opcode, Operand, PackedOption, Reg, SecondaryMap, Sym,
};
use std::ops::Range;

/// Bytes of a cell.
const CELL: u64 = 8;
/// Bytes of an object that may be followed.
const MAX_SIZE: u64 = 1024;

/// A cell of a stack object: an index in the table of the function.
pub(super) type Cell = u32;

/// A value that may be an address: of a register or a cell.
#[derive(Copy, Clone)]
pub(super) enum HeldValue {
    Reg(Reg),
    Cell(Cell),
}

/// Something that holds values.
#[derive(Copy, Clone)]
pub(super) enum Holder {
    Stack(Obj),
    Data(Sym),
}

/// The memory that is followed in the function that is visited.
#[derive(Default)]
pub(super) struct Holders {
    is_followed: bool,
    addresses: StackAddresses,
    /// The data in which a register holds an address: it holds addresses itself.
    data_of: SecondaryMap<Reg, PackedOption<Sym>>,
    /// The cells of the objects that are followed.
    cells_of: SecondaryMap<Obj, Range<Cell>>,
    /// The first of a cell's values: an index + 1 in `held`, which has the index + 1 of the next one.
    first_held: Vec<u32>,
    held: Vec<(HeldValue, u32)>,
    /// The instruction that loses each cell.
    lost: Vec<PackedOption<Inst>>,
}

impl Holders {
    /// Follows nothing.
    pub(super) fn follow_none(&mut self) {
        self.is_followed = false;
        self.lost.clear();
        self.first_held.clear();
        self.held.clear();
    }
    /// True if registers are followed.
    pub(super) fn is_followed(&self) -> bool {
        self.is_followed
    }
    /// Follows the objects of a function, and data that holds addresses, if the function is in SSA form. Returns
    /// whether it is.
    pub(super) fn follow(&mut self, f: &Function, holds: impl Fn(Sym) -> bool) -> bool {
        self.follow_none();
        if SsaView::new(f, SsaView::default()).is_err() {
            return false;
        }
        self.is_followed = true;
        let cfg = Cfg::new(f);
        self.addresses.find(f, &cfg);
        self.find_data(f, &cfg, holds);
        self.cells_of.reset(f.stack.len());
        let mut next = 0;
        for (o, data) in f.stack_objects().filter(|(_, data)| data.size <= MAX_SIZE) {
            let end = next + data.size.div_ceil(CELL) as Cell;
            self.cells_of[o] = next..end;
            next = end;
        }
        self.lost.resize(next as usize, PackedOption::NONE);
        self.first_held.resize(next as usize, 0);
        true
    }
    /// Finds the registers with addresses in data that holds some: dominators come first.
    fn find_data(&mut self, f: &Function, cfg: &Cfg, holds: impl Fn(Sym) -> bool) {
        self.data_of.reset(f.num_regs());
        for i in cfg.rpo().iter().flat_map(|b| f.layout().insts(*b)) {
            let d = f.inst(i);
            let of = |o: Operand| o.as_reg().and_then(|r| self.data_of[r].expand());
            let data = match d.op {
                _ if d.op.format() == Format::Address => {
                    let m = f.mem(i);
                    let index = m.index.and_then(|r| self.data_of[r].expand());
                    self.data(m, &holds).filter(|_| index.is_none())
                }
                Opcode::Copy => of(d.first()),
                Opcode::Add | Opcode::Sub => match (of(d.first()), of(d.second())) {
                    (Some(s), None) => Some(s),
                    (None, Some(s)) if d.op == Opcode::Add => Some(s),
                    _ => None,
                },
                _ => None,
            };
            if let (Some(s), Some(r)) = (data, f.def(i)) {
                self.data_of[r] = s.into();
            }
        }
    }
    /// Returns the data with addresses that a memory operand is in. `holds` tells whether data holds addresses.
    pub(super) fn data(&self, m: Mem, holds: impl Fn(Sym) -> bool) -> Option<Sym> {
        match m.base {
            Base::Sym(s) => Some(s).filter(|s| holds(*s)),
            Base::Reg(r) if self.is_followed => self.data_of[r].expand(),
            Base::Reg(_) | Base::Obj(_) | Base::None => None,
        }
    }
    /// True if an instruction makes a followed address in the memory that this register has an address of.
    pub(super) fn makes_address(&self, f: &Function, i: Inst, of: Holder) -> bool {
        match of {
            Holder::Stack(_) => self.addresses.is_made_by(f, i),
            Holder::Data(_) => f.def(i).is_some_and(|r| self.data_of[r].is_some()),
        }
    }
    /// Returns the memory that a register holds an address in.
    pub(super) fn holder(&self, r: Reg) -> Option<Holder> {
        if !self.is_followed {
            return None;
        }
        let on_stack = self.addresses.get(r).map(|(o, _)| Holder::Stack(o));
        on_stack.or_else(|| self.data_of[r].expand().map(Holder::Data))
    }
    /// Returns all cells of an object, none if it is not followed.
    pub(super) fn all(&self, o: Obj) -> Range<Cell> {
        if self.is_followed { self.cells_of[o].clone() } else { 0..0 }
    }
    /// Returns the cells that this many bytes are in. None unless all of them are in an object that is followed.
    pub(super) fn cells(&self, m: Mem, bytes: u64) -> Option<Range<Cell>> {
        if !self.is_followed {
            return None;
        }
        let (o, at) = self.addresses.locate(m)?;
        let (all, at) = (self.all(o), u64::try_from(at).ok()?);
        let cells = all.start + (at / CELL) as Cell..all.start + at.checked_add(bytes)?.div_ceil(CELL) as Cell;
        (cells.end <= all.end).then_some(cells)
    }
    /// True if two locations are equally far from the beginnings of cells.
    pub(super) fn are_aligned_alike(&self, a: Mem, b: Mem) -> bool {
        let within = |m| self.addresses.locate(m).map(|(_, at)| at.rem_euclid(CELL as i32));
        within(a) == within(b)
    }
    /// Notes that a cell holds a value. Returns the instruction that lost it.
    pub(super) fn hold(&mut self, cell: Cell, value: HeldValue) -> Option<Inst> {
        self.held.push((value, self.first_held[cell as usize]));
        self.first_held[cell as usize] = self.held.len() as u32;
        self.lost[cell as usize].expand()
    }
    /// The values of a cell.
    pub(super) fn held(&self, cell: Cell) -> impl Iterator<Item = HeldValue> + '_ {
        let mut next = self.first_held[cell as usize];
        std::iter::from_fn(move || {
            let &(value, after) = self.held.get(next.checked_sub(1)? as usize)?;
            next = after;
            Some(value)
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

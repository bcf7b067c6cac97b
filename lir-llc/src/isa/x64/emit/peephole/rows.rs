//! The rows. Rows that end with the same op and form are adjacent, in the order in which they are tried.

use super::super::op;
use super::{Becomes, Flags, Row, Saves, Window};
use crate::isa::x64::emit::instructions::Concrete;
use crate::isa::x64::encode::{Addr, Base, NO_INDEX};
use crate::mir::{Form, MOp, Size};
use Becomes::{Both, Nothing, Second};
use Flags::{Same, Unwanted};
use Saves::{Bytes, Instruction, Load};

const NONE: Option<(MOp, Form)> = None;
const MOVE: Option<(MOp, Form)> = Some((op::Mov, Form::DA));
const LOAD: Option<(MOp, Form)> = Some((op::Mov, Form::DM));
const STORE: Option<(MOp, Form)> = Some((op::Mov, Form::MA));
const LEA: Option<(MOp, Form)> = Some((op::Lea, Form::DM));
/// The number of rsp, which is not an index.
const RSP: u8 = NO_INDEX;

/// All rows. The columns follow [`Row`]: text, saving, instruction before, instruction that is written, effect on the
/// flags, condition, replacement.
pub(super) const ALL: &[Row] = &[
    row(
        "mov d, 0 => xor d, d",
        Bytes,
        NONE,
        (op::Mov, Form::DI),
        Unwanted,
        |w| w.second.imm == 0,
        |w| Second(Concrete { op: op::Zero, form: Form::D, size: Size::S32, ..*w.second }),
    ),
    row("mov [s], a; mov d, [s] => mov [s], a; mov d, a", Load, STORE, (op::Mov, Form::DM), Same, one_slot, |w| {
        if w.first.regs[1] == w.second.regs[0] && w.second.size == Size::S64 {
            return Nothing;
        }
        Second(copy(w.first.regs[1], w.second))
    }),
    row("mov a, [s]; mov d, [s] => mov a, [s]; mov d, a", Load, LOAD, (op::Mov, Form::DM), Same, one_slot, |w| {
        Second(copy(w.first.regs[0], w.second))
    }),
    row("mov d, a; mov a, d => mov d, a", Instruction, MOVE, (op::Mov, Form::DA), Same, goes_back, |_| Nothing),
    row(
        "lea d, [a] => mov d, a",
        Bytes,
        NONE,
        (op::Lea, Form::DM),
        Same,
        |w| plain_base(w.second).is_some(),
        |w| {
            let base = plain_base(w.second).expect("it was asked for");
            Second(copy(base, w.second))
        },
    ),
    row("mov d, a; add d, k => lea d, [a + k]", Instruction, MOVE, (op::Add, Form::DTI), Unwanted, follows, |w| {
        Both(lea(w, Addr::base(w.first.regs[1], w.second.imm)))
    }),
    row("lea d, [m]; add d, k => lea d, [m + k]", Instruction, LEA, (op::Add, Form::DTI), Unwanted, moved_on, |w| {
        let mut mem = w.first.mem;
        if w.first.relocated {
            w.target.2 += w.second.imm as i64;
        } else {
            mem.disp += w.second.imm;
        }
        Both(Concrete { relocated: w.first.relocated, ..lea(w, mem) })
    }),
    row("add d, 128 => sub d, -128", Bytes, NONE, (op::Add, Form::DTI), Unwanted, is_128, |w| {
        Second(Concrete { op: op::Sub, imm: -128, ..*w.second })
    }),
    row("mov d, a; add d, b => lea d, [a + b]", Instruction, MOVE, (op::Add, Form::DTB), Unwanted, two_terms, |w| {
        let (a, b) = (w.first.regs[1], w.second.regs[2]);
        let (base, index) = if b == RSP { (b, a) } else { (a, b) };
        Both(lea(w, Addr { index, ..Addr::base(base, 0) }))
    }),
    row("mov d, a; shl d, k => lea d, [a*2^k]", Instruction, MOVE, (op::Shl, Form::DTI), Unwanted, scales, |w| {
        let (index, scale) = (w.first.regs[1], w.second.imm as u8);
        Both(lea(w, Addr { base: Base::None, index, scale, ..Addr::base(0, 0) }))
    }),
    // The upper half of the result is zero in both cases, so the flags are the same.
    row("and d64, k => and d32, k", Bytes, NONE, (op::And, Form::DTI), Same, is_wide, |w| {
        Second(Concrete { size: Size::S32, ..*w.second })
    }),
];

const fn row(
    text: &'static str,
    saves: Saves,
    first: Option<(MOp, Form)>,
    second: (MOp, Form),
    flags: Flags,
    when: fn(&Window) -> bool,
    then: fn(&mut Window) -> Becomes,
) -> Row {
    Row { text, saves, first, second, flags, when, then }
}

/// `mov d, from` for the destination of an instruction, at its size.
fn copy(from: u8, of: &Concrete) -> Concrete {
    let mut c = Concrete::new(op::Mov, Form::DA, of.size);
    c.regs = [of.regs[0], from, 0];
    c
}

/// `lea` of an address into the destination of the second instruction. Bits above an operand of 1 or 2 bytes mean
/// nothing.
fn lea(w: &Window, mem: Addr) -> Concrete {
    let mut c = Concrete::new(op::Lea, Form::DM, w.second.size.max(Size::S32));
    c.regs[0] = w.second.regs[0];
    c.mem = mem.shortest();
    c
}

/// True if both access one spill slot, and the second no more of it. All of the loaded register must be known.
fn one_slot(w: &Window) -> bool {
    let (first, second) = (w.first, w.second);
    first.slot && second.slot && first.mem == second.mem && first.size >= second.size && second.size >= Size::S32
}

/// True if a whole register is copied back to its source.
fn goes_back(w: &Window) -> bool {
    let same = |r: usize, s: usize| w.first.regs[r] == w.second.regs[s];
    w.first.size == Size::S64 && w.second.size == Size::S64 && same(0, 1) && same(1, 0)
}

/// Returns the base of an address that is a register alone.
fn plain_base(c: &Concrete) -> Option<u8> {
    match c.mem {
        Addr { base: Base::Reg(base), index: NO_INDEX, disp: 0, wide: false, .. } => Some(base),
        _ => None,
    }
}

/// True if the second instruction changes the destination of the first, without further bytes.
fn follows(w: &Window) -> bool {
    w.first.regs[0] == w.second.regs[0] && w.first.size >= w.second.size.max(Size::S32)
}

/// Symbols with addends beyond this may lie out of reach.
const REACH: i32 = 1 << 20;

fn moved_on(w: &Window) -> bool {
    let fits = if w.first.relocated {
        (-REACH..=REACH).contains(&w.second.imm) && (-REACH as i64..=REACH as i64).contains(&w.target.2)
    } else {
        // Three terms take some processors three times as long as two.
        let two = w.first.mem.base == Base::None || w.first.mem.index == NO_INDEX || w.first.mem.disp != 0;
        two && w.first.mem.disp.checked_add(w.second.imm).is_some()
    };
    follows(w) && fits
}

fn is_128(w: &Window) -> bool {
    w.second.imm == 128 && w.second.size > Size::S8
}

fn two_terms(w: &Window) -> bool {
    let (d, a, b) = (w.second.regs[0], w.first.regs[1], w.second.regs[2]);
    follows(w) && b != d && (a != RSP || b != RSP)
}

fn scales(w: &Window) -> bool {
    follows(w) && (1..=3).contains(&w.second.imm) && w.first.regs[1] != RSP
}

fn is_wide(w: &Window) -> bool {
    w.second.size == Size::S64 && w.second.imm >= 0
}

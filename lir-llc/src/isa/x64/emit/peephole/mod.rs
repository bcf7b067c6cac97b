//! Peepholes: replaces one hardware instruction, or two in a row, by a better one.
//!
//! # Example
//!
//! ```text
//! mov eax, edi
//! add eax, 8              =>      lea eax, [rdi + 8]
//! mov qword ptr [slot], rax
//! mov rcx, qword ptr [slot]   =>  mov qword ptr [slot], rax; mov rcx, rax
//! ```
//!
//! # Algorithm
//!
//! 1. Every instruction that the encoder's table knows passes through [`Emitter::write`]. The rows ([`rows`]) of its op
//!    and form are tried in order; which these are is in a table that is made when the compiler is compiled.
//! 2. A row for one instruction replaces it. A row for two replaces or drops the second, or takes the first back and
//!    writes one for both. The result is looked at again.
//! 3. The previous instruction is in the same stretch of code, with nothing between: no start of a block, no jump, and
//!    no instruction that is written without the table. Only instructions that some row begins with are remembered.
//!
//! # Why it is sound
//!
//! A replacement has the same effects as the replaced instructions, in registers, memory and flags, unless the row
//! states that the flags must not be wanted. Of operations of 1 and 2 bytes, the bits above the result mean nothing.
//! `tests` has every row rewrite many windows, and runs both versions. Accesses to memory of the program are left as
//! they are, since they may be volatile; only accesses to spill slots may be saved.
//!
//! # Cost and limits
//!
//! An instruction that no row ends with costs one lookup; all rows take 0.3 % of the work of `lir-llc -O2` for SQLite.
//! Two instructions are the longest window. Rows were chosen by counting the windows that SQLite, Lua and zstd had left
//! at `-O2`, also with `--codegen=fast`; a row that none of them reaches is not here. Which registers are dead is not
//! known, so a constant that is stored to a spill slot through a register, the most frequent window left, stays.
//!
//! # Source
//!
//! W. M. McKeeman, "Peephole Optimization", CACM 8(7), 1965; as a table of pairs as in A. S. Tanenbaum, H. van Staveren
//! and J. W. Stevenson, "Using Peephole Optimization on Intermediate Code", TOPLAS 4(1), 1982.

mod rows;

#[cfg(test)]
mod tests;

use super::{Emitter, Form, RelocKind, Size, op};
use crate::isa::x64::emit::instructions::flags::FlagsAhead;
use crate::isa::x64::emit::instructions::{Concrete, Target};
use crate::isa::x64::encode::Operands;
use crate::isa::x64::props;
use crate::mir::{MFunction, MOp, Props};

/// A row of the table.
struct Row {
    /// The rewrite in algebra: `d`, `a`, `b` are registers, `k` constants, `[m]` memory, `[s]` a spill slot.
    text: &'static str,
    /// The saving.
    #[cfg_attr(not(test), expect(dead_code, reason = "a column for readers and tests"))]
    saves: Saves,
    /// The instruction before, for a row of two.
    first: Option<(MOp, Form)>,
    /// The instruction that is written.
    second: (MOp, Form),
    /// The effect on the flags.
    flags: Flags,
    /// The condition on the operands.
    when: fn(&Window) -> bool,
    /// The replacement.
    then: fn(&mut Window) -> Becomes,
}

/// The saving of a rewrite.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
enum Saves {
    /// An instruction.
    Instruction,
    /// A read of memory.
    Load,
    /// Bytes.
    Bytes,
}

/// The effect of a rewrite on the flags.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
enum Flags {
    /// They are the same afterwards.
    Same,
    /// They are others: nothing may read them.
    Unwanted,
}

/// The replacement.
enum Becomes {
    /// This, in place of the second (or the only) instruction.
    Second(Concrete),
    /// Nothing in place of the second instruction.
    Nothing,
    /// This, in place of both.
    Both(Concrete),
}

/// The instructions that a row looks at.
struct Window<'w> {
    /// The instruction before, if the row is for two.
    first: &'w Concrete,
    /// The instruction that is written.
    second: &'w Concrete,
    /// The target of the relocated displacement. Only one of the two has one.
    target: Target,
}

/// The last instruction that was written, if a row begins with it.
#[derive(Copy, Clone, Debug)]
pub(super) struct LastWritten {
    c: Concrete,
    target: Target,
    /// Its start and end.
    start: usize,
    end: usize,
}

impl LastWritten {
    /// None, at the start of a function.
    pub(super) fn none(target: Target) -> LastWritten {
        LastWritten { c: Concrete::new(op::Mov, Form::None, Size::S64), target, start: 0, end: NOWHERE }
    }
    /// Forgets it: control may come from elsewhere.
    #[inline]
    pub(super) fn forget(&mut self) {
        self.end = NOWHERE;
    }
}

/// The table.
static ROWS: &[Row] = rows::ALL;

/// Larger than any offset in code.
const NOWHERE: usize = usize::MAX;

/// The rows of an op in a form.
#[derive(Copy, Clone)]
struct Entry {
    /// The first row.
    begin: u8,
    /// The row after the last.
    end: u8,
    /// True if a row begins with it.
    leads: bool,
}

/// For each op and form the rows that end with it. They follow one another in the table.
static BY_SECOND: [[Entry; Form::ALL.len()]; op::ALL.len()] = {
    let mut table = [[Entry { begin: 0, end: 0, leads: false }; Form::ALL.len()]; op::ALL.len()];
    let mut k = 0;
    while k < rows::ALL.len() {
        let (op, form) = rows::ALL[k].second;
        let entry = &mut table[op.0 as usize][form as usize];
        if entry.end == 0 {
            entry.begin = k as u8;
        } else {
            assert!(entry.end as usize == k, "the rows of an op in a form stand together");
        }
        entry.end = k as u8 + 1;
        if let Some((op, form)) = rows::ALL[k].first {
            table[op.0 as usize][form as usize].leads = true;
        }
        k += 1;
    }
    table
};

impl Emitter<'_> {
    /// Writes an instruction with its relocation, or its replacement by a row.
    #[inline]
    pub(super) fn write(&mut self, c: &Concrete) {
        let entry = BY_SECOND[c.op.0 as usize][c.form as usize];
        if entry.begin == entry.end || !self.opts.peepholes || !self.rewrite(c, entry) {
            self.encode(c, entry.leads);
        }
    }

    /// Writes the replacement of an instruction by the first row that fits. Returns whether there is one.
    fn rewrite(&mut self, c: &Concrete, entry: Entry) -> bool {
        let has_last = self.last.end == self.s.code.len();
        for (row, number) in ROWS[entry.begin as usize..entry.end as usize].iter().zip(entry.begin as usize..) {
            let mut w = Window { first: c, second: c, target: self.target };
            if let Some((op, form)) = row.first {
                let last = &self.last;
                if !has_last || last.c.op != op || last.c.form != form || last.c.relocated && c.relocated {
                    continue;
                }
                w.first = &last.c;
                if last.c.relocated {
                    w.target = last.target;
                }
            }
            if (row.when)(&w) && (row.flags == Flags::Same || !wants_flags(&mut self.flags, self.f, self.after, c)) {
                self.s.rewrites[number] += 1;
                let what = (row.then)(&mut w);
                let target = w.target;
                self.apply(what, target);
                return true;
            }
        }
        false
    }

    #[inline(never)]
    fn apply(&mut self, what: Becomes, target: Target) {
        match what {
            Becomes::Nothing => {}
            Becomes::Second(c) => self.write(&c),
            Becomes::Both(c) => {
                self.take_back();
                self.target = target;
                self.write(&c);
            }
        }
    }

    /// Takes the last instruction back.
    fn take_back(&mut self) {
        let start = self.last.start;
        self.s.code.truncate(start);
        if self.last.c.relocated {
            self.s.relocs.pop();
        }
        for p in self.s.positions.iter_mut().rev().take_while(|p| p.offset as usize > start) {
            p.offset = start as u32;
        }
        for s in self.s.steps.iter_mut().rev().take_while(|s| s.offset as usize > start) {
            s.offset = start as u32;
        }
        self.last.forget();
    }

    /// Appends an instruction with its relocation, and remembers it if a row begins with it.
    #[inline]
    fn encode(&mut self, c: &Concrete, leads: bool) {
        let start = self.s.code.len();
        if c.form == Form::DI {
            let imm = if c.size == Size::S64 { c.imm as i64 } else { c.imm as u32 as i64 };
            return self.s.code.mov_imm(c.regs[0], imm);
        }
        let o = Operands { regs: c.regs, imm: c.imm, mem: c.mem };
        let at = self.s.code.put(c.op, c.form, c.size, c.cond, &o);
        if c.relocated {
            let (kind, target, addend) = self.target;
            let to_end = (self.s.code.offset() - at) as i64;
            let absolute = matches!(kind, RelocKind::TpOff32 | RelocKind::Abs64);
            self.reloc(at, kind, target, if absolute { addend } else { addend - to_end });
        }
        if leads {
            let last = &mut self.last;
            last.c = *c;
            (last.start, last.end) = (start, self.s.code.len());
            if c.relocated {
                last.target = self.target;
            }
        }
    }
}

/// True if the flags are read after an instruction that is being written. Instruction `after` of the function comes
/// next.
fn wants_flags(flags: &mut FlagsAhead, f: &MFunction, after: u32, c: &Concrete) -> bool {
    // An instruction that sets the flags has the answer itself.
    let sets_flags = props(c.op).has(Props::SETS_FLAGS);
    if sets_flags { c.keeps_flags } else { flags.live_at(f, after) }
}

/// Number of times each row was applied.
pub(super) type Rewrites = [u32; rows::ALL.len()];

/// Returns the rows that were applied, as text, each with the number of times.
pub(super) fn applied(rewrites: &Rewrites) -> impl Iterator<Item = (&'static str, u32)> + '_ {
    ROWS.iter().map(|row| row.text).zip(rewrites.iter().copied()).filter(|(_, times)| *times > 0)
}

//! Tests that every row's replacement of many random windows has the same effects as the window, and that every row is
//! reached by some program of the other tests.

use super::super::{RelocKind, RelocTarget, op};
use super::rows::ALL;
use super::{Becomes, Flags, Row, Saves, Window};
use crate::compile::compile_watched;
use crate::isa::x64::emit::instructions::{Concrete, Target};
use crate::isa::x64::encode::recipe::RECIPES;
use crate::isa::x64::encode::{Addr, Base, Code, NO_INDEX, Operands};
use crate::mir::{Form, MOp, Size};
use crate::options::{CompileOptions, Effort};
use crate::regalloc::options::RegCount;
use crate::watchers::counters::Counters;
use lir_cli::{Session, source_of_bytes};
use lir_opt::pass::stats::StatsFormat;
use lir_opt::pipeline::watch::Watchers;
use lir_syntax::ir::Word;
use lir_testing::files::{files_below, testdata};
use std::collections::BTreeSet;

/// A generator of numbers: Marsaglia's xorshift64 ("Xorshift RNGs", 2003).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }
    fn of<T: Copy>(&mut self, choices: &[T]) -> T {
        choices[self.next() as usize % choices.len()]
    }
}

/// The registers of windows: few, so that they are often the same. rsp, r12 and r13 have special encodings.
const REGS: [u8; 6] = [0, 1, 4, 5, 12, 13];
const NUMBERS: [i32; 12] = [0, 1, 2, 3, 8, 127, 128, 255, 0x8000, -1, i32::MAX, i32::MIN];

/// A random instruction.
fn instruction(op: MOp, form: Form, random: &mut Random) -> Concrete {
    let mut c = Concrete::new(op, form, random.of(&[Size::S8, Size::S16, Size::S32, Size::S64]));
    c.regs = [0; 3].map(|_| random.of(&REGS));
    c.imm = random.of(&NUMBERS);
    c.keeps_flags = random.of(&[false, true]);
    if form.has_mem() {
        c.slot = op == op::Mov && random.of(&[false, true]);
        c.relocated = !c.slot && random.of(&[false, true, false]);
        c.mem = match (c.slot, c.relocated) {
            (true, _) => Addr::base(4, random.of(&[8, 16])),
            (_, true) => Addr::rip(),
            _ => {
                let r = random.of(&REGS);
                let base = random.of(&[Base::None, Base::Reg(r)]);
                let scale = random.next() as u8 % 4;
                Addr { base, index: random.of(&REGS), scale, disp: random.of(&NUMBERS), wide: false }
            }
        };
    }
    if op == op::Lea {
        c.size = c.size.max(Size::S32);
    }
    c
}

/// Registers, flags (zero, sign, carry, overflow, parity), and the spill slots.
#[derive(Clone, PartialEq, Debug)]
struct Machine {
    regs: [u64; 16],
    flags: [bool; 5],
    slots: [u64; 3],
}

/// The address of the symbol that relocated addresses are relative to.
const SYMBOL: u64 = 0x1234_5678;

fn mask(size: Size) -> u64 {
    Word::of_bytes(size.bytes()).mask()
}

impl Machine {
    fn set(&mut self, r: u8, size: Size, value: u64) {
        let old = self.regs[r as usize];
        let kept = if size < Size::S32 { old & !mask(size) } else { 0 };
        self.regs[r as usize] = kept | value & mask(size);
    }
    fn address(&self, c: &Concrete, target: Target) -> u64 {
        if c.relocated {
            return SYMBOL.wrapping_add(target.2 as u64);
        }
        let base = if let Base::Reg(r) = c.mem.base { self.regs[r as usize] } else { 0 };
        let index = if c.mem.index == NO_INDEX { 0 } else { self.regs[c.mem.index as usize] << c.mem.scale };
        base.wrapping_add(index).wrapping_add(c.mem.disp as u64)
    }
    /// The slot that is accessed. Other memory is not accessed: no row may depend on its contents.
    fn slot(&mut self, c: &Concrete) -> &mut u64 {
        assert!(c.slot && c.mem.base == Base::Reg(4), "memory of the program is accessed");
        &mut self.slots[c.mem.disp as usize / 8]
    }
    fn arithmetic(&mut self, c: &Concrete, y: u64) {
        let (size, sign) = (c.size, 8 * c.size.bytes() - 1);
        let x = self.regs[c.regs[0] as usize] & mask(size);
        let y = y & mask(size);
        let (value, carry, overflow) = match c.op {
            op::Add => {
                let sum = x as u128 + y as u128;
                let r = sum as u64;
                (r, sum > mask(size) as u128, ((x ^ r) & (y ^ r)) >> sign & 1 != 0)
            }
            op::Sub => {
                let r = x.wrapping_sub(y);
                (r, x < y, ((x ^ y) & (x ^ r)) >> sign & 1 != 0)
            }
            op::And => (x & y, false, false),
            // Its flags are not compared: no row applies where they are live.
            op::Shl => (x << (y & if size == Size::S64 { 63 } else { 31 }), false, false),
            other => panic!("{other:?} is not known here"),
        };
        let value = value & mask(size);
        self.set(c.regs[0], size, value);
        self.flags =
            [value == 0, value >> sign & 1 != 0, carry, overflow, (value as u8).count_ones().is_multiple_of(2)];
    }
    fn run(&mut self, c: &Concrete, target: Target) {
        let [d, a, b] = c.regs;
        let imm = c.imm as i64 as u64;
        match (c.op, c.form) {
            (op::Mov, Form::DI) => self.set(d, if c.size == Size::S64 { Size::S64 } else { Size::S32 }, imm),
            (op::Mov, Form::DA) => self.set(d, c.size, self.regs[a as usize]),
            (op::Mov, Form::DM) => {
                let value = *self.slot(c);
                self.set(d, c.size, value);
            }
            (op::Mov, Form::MA) => {
                let value = self.regs[a as usize] & mask(c.size);
                let slot = self.slot(c);
                *slot = *slot & !mask(c.size) | value;
            }
            (op::Lea, Form::DM) => self.set(d, c.size, self.address(c, target)),
            (op::Zero, Form::D) => {
                self.set(d, Size::S32, 0);
                self.flags = [true, false, false, false, true];
            }
            (_, Form::DTI) => self.arithmetic(c, imm),
            (_, Form::DTB) => self.arithmetic(c, self.regs[b as usize]),
            other => panic!("{other:?} is not known here"),
        }
    }
}

/// True if emission could try a row on a window: at most one instruction is relocated, and the row changes no live
/// flags.
fn is_possible(row: &Row, w: &Window) -> bool {
    let relocated = row.first.is_some() && w.first.relocated && w.second.relocated;
    !(relocated || row.flags == Flags::Unwanted && w.second.keeps_flags)
}

/// The instructions after a rewrite.
fn after(row: &Row, w: &mut Window) -> Vec<Concrete> {
    let first = row.first.map(|_| *w.first);
    match (row.then)(w) {
        Becomes::Nothing => first.into_iter().collect(),
        Becomes::Second(c) => first.into_iter().chain([c]).collect(),
        Becomes::Both(c) => vec![c],
    }
}

fn bytes(code: &[Concrete]) -> usize {
    let mut bytes = Code::default();
    for c in code {
        if c.form == Form::DI {
            bytes.mov_imm(c.regs[0], c.imm as u32 as i64);
            continue;
        }
        assert!(RECIPES[c.op.0 as usize][c.form as usize].exists(), "{:?} {:?}", c.op, c.form);
        bytes.put(c.op, c.form, c.size, c.cond, &Operands { regs: c.regs, imm: c.imm, mem: c.mem });
    }
    bytes.len()
}

/// Applies a row to random windows, and passes each window and its replacement to `check`.
fn rewrite_many(row: &Row, mut check: impl FnMut(&Window, &[Concrete], Target, &mut Random)) {
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let mut taken = 0;
    for _ in 0..400_000 {
        let second = instruction(row.second.0, row.second.1, &mut random);
        let first = row.first.map_or(second, |(op, form)| instruction(op, form, &mut random));
        let target = (RelocKind::Pc32, RelocTarget::Const(0), random.of(&[-4, 0, 100, 1 << 30]));
        let before = Window { first: &first, second: &second, target };
        if is_possible(row, &before) && (row.when)(&before) {
            let mut w = Window { ..before };
            let new = after(row, &mut w);
            check(&before, &new, w.target, &mut random);
            taken += 1;
        }
    }
    assert!(taken >= 40, "{taken} windows for {}", row.text);
}

#[test]
fn rows_preserve_the_meaning() {
    for row in ALL {
        rewrite_many(row, |w, new, target, random| {
            let mut before = Machine { regs: [0; 16], flags: [false; 5], slots: [0; 3] };
            before.regs.fill_with(|| random.next() >> (random.next() % 64));
            before.flags.fill_with(|| random.of(&[false, true]));
            before.slots.fill_with(|| random.next());
            let mut now = before.clone();
            if row.first.is_some() {
                before.run(w.first, w.target);
            }
            before.run(w.second, w.target);
            new.iter().for_each(|c| now.run(c, target));
            if row.flags == Flags::Unwanted {
                now.flags = before.flags;
            }
            // Bits above a result of 1 or 2 bytes are undefined.
            if row.second.1 != Form::MA && w.second.size < Size::S32 {
                let d = w.second.regs[0] as usize;
                let kept = mask(w.second.size);
                now.regs[d] = now.regs[d] & kept | before.regs[d] & !kept;
            }
            assert_eq!(before, now, "{}: {:?}; {:?} => {new:?}", row.text, w.first, w.second);
        });
    }
}

#[test]
fn rows_save_the_stated_amount() {
    let loads = |code: &[Concrete]| code.iter().filter(|c| c.form == Form::DM && c.op == op::Mov).count();
    for row in ALL {
        let (mut better, mut all) = (0, 0);
        rewrite_many(row, |w, new, _, _| {
            let old = if row.first.is_some() { vec![*w.first, *w.second] } else { vec![*w.second] };
            let gain = match row.saves {
                Saves::Instruction => new.len() < old.len(),
                Saves::Load => loads(new) < loads(&old),
                Saves::Bytes => new.len() == old.len() && bytes(new) < bytes(&old),
            };
            assert!(row.saves == Saves::Bytes || gain, "{}: {old:?} => {new:?}", row.text);
            better += gain as usize;
            all += 1;
        });
        assert!(2 * better > all, "{}: {better} of {all} windows", row.text);
    }
}

#[test]
fn no_row_is_written_twice() {
    let texts: BTreeSet<_> = ALL.iter().map(|row| row.text).collect();
    assert_eq!(texts.len(), ALL.len());
}

#[test]
fn every_row_is_reached_by_a_program() {
    let mut missing: BTreeSet<String> = ALL.iter().map(|row| format!("peepholes: {}", row.text)).collect();
    for path in
        ["golden/llc", "llc/isel", "opt"].into_iter().flat_map(|folder| files_below(&testdata(folder), &["lir"]))
    {
        let text = std::fs::read(&path).expect("it can be read");
        let Ok(session) = source_of_bytes(path.display().to_string(), text).map(Session::new) else { continue };
        let regs = [None, RegCount::new(RegCount::MIN)];
        for (effort, regs) in [Effort::Good, Effort::Fast].into_iter().flat_map(|e| regs.map(|r| (e, r))) {
            let Ok(mut module) = session.check() else { continue };
            let mut options = CompileOptions { effort, ..CompileOptions::default() };
            options.allocation.regs = regs;
            let mut watchers = Watchers::new().with(Counters::default());
            let compiled = compile_watched(&mut module, &options, &mut watchers, &mut Vec::new());
            if let (Ok(out), Some(counters)) = (compiled, watchers.take::<Counters>()) {
                let stats = counters.finish(&out.code).print(StatsFormat::Text);
                missing.retain(|row| !stats.lines().any(|line| line.ends_with(row.as_str())));
            }
        }
    }
    assert!(missing.is_empty(), "no program has what these rows rewrite: {missing:#?}");
}

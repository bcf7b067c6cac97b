//! Register allocation of shapes that have made allocators quadratic: nanoseconds per instruction, best of several.
//!
//! `cargo bench -p lir-llc --bench regalloc [-- SHAPE]`

use lir_llc::isa::x64::registers::{CALLER_SAVED, RAX, RDI};
use lir_llc::isa::x64::{Cond, ENV, op};
use lir_llc::mir::{
    FixedList, Form, MBlock, MBlockData, MFunction, MInst, MOp, MPhi, MReg, PhiArg, RegClass, Size, VReg,
};
use lir_llc::regalloc::{ALLOCATORS, AllocOptions, Allocation, Edit, Scratch};
use std::time::Instant;

/// Builds blocks in order; predecessors are filled in at the end.
struct Build {
    f: MFunction,
    random: u64,
}

impl Build {
    fn below(&mut self, n: usize) -> usize {
        self.random = self.random.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.random >> 33) as usize % n
    }
    fn block(&mut self, depth: u32, succs: &[u32]) {
        let at = self.f.insts.len() as u32;
        let succs = succs.iter().map(|s| MBlock(*s)).collect();
        let phis = self.f.phis.len() as u32;
        let phis = phis..phis;
        self.f.blocks.push(MBlockData { start: at, end: at, succs, loop_depth: depth, phis, ..Default::default() });
    }
    fn push(&mut self, inst: MInst) {
        self.f.insts.push(inst);
        self.f.origins.push(None.into());
        if let Some(b) = self.f.blocks.last_mut() {
            b.end += 1;
        }
    }
    fn phi(&mut self, args: &[VReg]) -> VReg {
        let dst = self.f.new_vreg(RegClass::Int);
        self.f.phis.push(MPhi { dst, args: self.f.phi_args.len() as u32 });
        self.f.phi_args.extend(args.iter().map(|a| PhiArg::Reg(*a)));
        if let Some(b) = self.f.blocks.last_mut() {
            b.phis.end += 1;
        }
        dst
    }
    fn imm(&mut self) -> VReg {
        let d = self.f.new_vreg(RegClass::Int);
        self.push(MInst::new(op::Mov, Form::DI, Size::S64).d(d).imm(1));
        d
    }
    fn add(&mut self, a: VReg, b: VReg) -> VReg {
        let d = self.f.new_vreg(RegClass::Int);
        self.push(MInst::new(op::Sub, Form::DTB, Size::S64).d(d).a(a).b(b));
        d
    }
    fn record(&mut self, op: MOp, list: FixedList) {
        self.f.records.push(list);
        let k = self.f.records.len() as u32 - 1;
        self.push(MInst::new(op, Form::None, Size::S64).record(k));
    }
    fn call(&mut self, a: VReg) -> VReg {
        let d = self.f.new_vreg(RegClass::Int);
        let (uses, defs) = ([(MReg::virt(a), RDI)], [(MReg::virt(d), RAX)]);
        let list = FixedList {
            uses: uses.as_slice().into(),
            defs: defs.as_slice().into(),
            clobbers: CALLER_SAVED,
            ..FixedList::default()
        };
        self.record(op::Call, list);
        d
    }
    fn branch(&mut self, a: VReg, b: VReg) {
        self.push(MInst::new(op::Cmp, Form::AB, Size::S64).a(a).b(b));
        self.push(MInst::new(op::Jcc, Form::None, Size::S64).cond(Cond::L));
    }
    fn jump(&mut self) {
        self.push(MInst::new(op::Jmp, Form::None, Size::S64));
    }
    fn ret(&mut self, v: VReg) {
        let uses = [(MReg::virt(v), RAX)];
        self.record(op::Ret, FixedList { uses: uses.as_slice().into(), ..FixedList::default() });
    }
    fn finish(mut self) -> MFunction {
        for b in 0..self.f.blocks.len() {
            for s in self.f.blocks[b].succs.clone() {
                self.f.blocks[s.index()].preds.push(MBlock(b as u32));
            }
        }
        self.f
    }
}

/// One block: values are used soon after they are made.
fn straight(n: usize, window: usize) -> MFunction {
    let mut b = Build { f: MFunction::new(&ENV), random: 0 };
    b.block(0, &[]);
    let mut values: Vec<VReg> = (0..window).map(|_| b.imm()).collect();
    for _ in 0..n {
        let (x, y, k) = (b.below(window), b.below(window), b.below(window));
        values[k] = b.add(values[x], values[y]);
    }
    b.ret(values[0]);
    b.finish()
}

/// One block: n values are all defined, and then all used.
fn all_at_once(n: usize) -> MFunction {
    let mut b = Build { f: MFunction::new(&ENV), random: 0 };
    b.block(0, &[]);
    let values: Vec<VReg> = (0..n).map(|_| b.imm()).collect();
    let mut sum = b.imm();
    for v in values {
        sum = b.add(sum, v);
    }
    b.ret(sum);
    b.finish()
}

/// Loops with a body of several blocks, one after another; some values live through all of them.
fn loops(n: usize, through: usize, calls: bool) -> MFunction {
    let mut b = Build { f: MFunction::new(&ENV), random: 0 };
    b.block(0, &[1]);
    let kept: Vec<VReg> = (0..through).map(|_| b.imm()).collect();
    let mut last = b.imm();
    b.jump();
    for k in 0..n as u32 {
        // Header, two arms, latch, exit.
        let first = 1 + 5 * k;
        b.block(1, &[first + 1, first + 2]);
        let next = VReg(b.f.vregs.len() as u32 + 6);
        let i = b.phi(&[last, next]);
        let v = b.add(i, kept[k as usize % through]);
        b.branch(i, v);
        b.block(1, &[first + 3]);
        let x = b.add(v, i);
        b.jump();
        b.block(1, &[first + 3]);
        let y = if calls { b.call(v) } else { b.add(i, v) };
        b.jump();
        b.block(1, &[first + 5, first + 4]);
        let z = b.phi(&[x, y]);
        let w = b.add(z, v);
        let j = b.add(w, i);
        assert_eq!(j, next);
        b.branch(j, z);
        // Back edges are not critical: the last block jumps.
        b.block(1, &[first]);
        b.jump();
        last = j;
    }
    b.block(0, &[]);
    let mut sum = last;
    for v in kept {
        sum = b.add(sum, v);
    }
    b.ret(sum);
    let mut f = b.finish();
    // Successors of a latch: out first. The predecessors of the header are the block before it and the latch.
    for b in &mut f.blocks {
        b.preds.sort();
    }
    f
}

/// Calls in one block, with values that live across all of them.
fn calls(n: usize, across: usize) -> MFunction {
    let mut b = Build { f: MFunction::new(&ENV), random: 0 };
    b.block(0, &[]);
    let kept: Vec<VReg> = (0..across).map(|_| b.imm()).collect();
    let mut v = b.imm();
    for k in 0..n {
        v = b.call(v);
        v = b.add(v, kept[k % across]);
    }
    for k in kept {
        v = b.add(v, k);
    }
    b.ret(v);
    b.finish()
}

/// A phi with n operands.
fn join(n: usize) -> MFunction {
    let mut b = Build { f: MFunction::new(&ENV), random: 0 };
    // A chain of tests; each leaves for a block that jumps to the join.
    let end = 2 * n as u32 + 1;
    b.block(0, &[1]);
    let v = b.imm();
    b.jump();
    let mut args = Vec::new();
    for k in 0..n as u32 {
        b.block(0, &[2 * k + 2, 2 * k + 3]);
        b.branch(v, v);
        b.block(0, &[end + 1]);
        args.push(b.add(v, v));
        b.jump();
    }
    b.block(0, &[end + 1]);
    args.push(b.imm());
    b.jump();
    b.block(0, &[]);
    let r = b.phi(&args);
    b.ret(r);
    b.finish()
}

/// A name on the command line, and the function that builds the shape.
type Shape = (&'static str, fn() -> MFunction);

fn main() {
    let only = std::env::args().skip(1).find(|a| !a.starts_with('-'));
    let shapes: [Shape; 18] = [
        ("straight-small", || straight(1_000, 12)),
        ("straight-8", || straight(100_000, 8)),
        ("straight-30", || straight(100_000, 30)),
        ("straight-10000", || straight(100_000, 10_000)),
        ("straight-10000-twice", || straight(200_000, 10_000)),
        ("all-at-once", || all_at_once(50_000)),
        ("all-at-once-twice", || all_at_once(100_000)),
        ("loops", || loops(10_000, 4, false)),
        ("loops-twice", || loops(20_000, 4, false)),
        ("loops-calls", || loops(10_000, 4, true)),
        ("loops-small", || loops(10, 4, true)),
        ("through-100", || loops(5_000, 100, false)),
        ("through-1000", || loops(5_000, 1000, false)),
        ("calls-10", || calls(10_000, 10)),
        ("calls-100", || calls(10_000, 100)),
        ("calls-10-twice", || calls(20_000, 10)),
        ("join", || join(20_000)),
        ("join-twice", || join(40_000)),
    ];
    let mut scratch = Scratch::default();
    let mut out = Allocation::default();
    for allocator in ALLOCATORS {
        for (name, make) in shapes.iter().filter(|(name, _)| only.as_ref().is_none_or(|o| name.contains(o.as_str()))) {
            let f = &make();
            let runs = (2_000_000 / f.insts.len()).clamp(3, 2000);
            let best = (0..runs)
                .map(|_| {
                    let start = Instant::now();
                    allocator.allocate(f, &AllocOptions::default(), &mut scratch, &mut out);
                    start.elapsed()
                })
                .min()
                .unwrap_or_default();
            let each = best.as_nanos() as f64 / f.insts.len() as f64;
            let moves = out.edits.iter().filter(|(_, e)| matches!(e, Edit::Move { .. })).count();
            println!(
                "{:12} {name:22} {:8} instructions {:8} blocks {each:8.1} ns an instruction, {:8} edits, {moves:8} moves, {:6} slots",
                allocator.name(),
                f.insts.len(),
                f.blocks.len(),
                out.edits.len(),
                out.num_slots
            );
        }
    }
}

//! Random machine functions: loops, irreducible flow, phis, calls, fixed operands, high pressure. The checker judges
//! the allocations. A failing seed is printed, and reproduces the function.

use super::*;
use crate::isa::x64::registers::{RCX, RDI, RDX, RSI, RSP, xmm};
use crate::mir::PRegSet;
use crate::regalloc::one_pass::switches::{Switch, Switches};
use crate::regalloc::operands::{Need, Operands};
use crate::regalloc::options::{Features, RegCount, Stress};
use crate::regalloc::{Allocator, one_pass};
use lir_random::extent::few_or_all;

pub(super) struct Gen {
    rng: Rng,
    b: Builder,
    /// For each block the values that it defines.
    defined: Vec<[Vec<VReg>; 2]>,
    /// For each block the set of its dominators.
    dominators: Vec<u64>,
    /// Registers that are assigned at many points, all of them at the start.
    variables: [Vec<VReg>; 2],
    clobbers: PRegSet,
}

/// Successors of each block: all can be reached from the first, which has no predecessor, no edge is critical.
pub(super) fn graph(rng: &mut Rng) -> Vec<Vec<u32>> {
    let n = 1 + rng.below(14);
    let mut succs: Vec<Vec<u32>> = vec![Vec::new(); n];
    // Some may end in a jump through a table.
    let most: Vec<usize> = (0..n).map(|_| if rng.below(5) == 0 { 6 } else { 2 }).collect();
    for b in 1..n {
        let free: Vec<usize> = (0..b).filter(|p| succs[*p].len() < most[*p]).collect();
        succs[free[rng.below(free.len())]].push(b as u32);
    }
    for _ in 0..rng.below(n + 2) {
        let (p, s) = (rng.below(n), 1 + rng.below(n.max(2) - 1));
        if s < n && succs[p].len() < most[p] && !succs[p].contains(&(s as u32)) {
            succs[p].push(s as u32);
        }
    }
    let mut preds = vec![0; n];
    succs.iter().flatten().for_each(|s| preds[*s as usize] += 1);
    for p in 0..n {
        for j in 0..succs[p].len() {
            let s = succs[p][j];
            if succs[p].len() >= 2 && preds[s as usize] > 1 {
                succs[p][j] = succs.len() as u32;
                succs.push(vec![s]);
            }
        }
    }
    succs
}

pub(super) fn dominators(succs: &[Vec<u32>]) -> Vec<u64> {
    let mut dom = vec![u64::MAX; succs.len()];
    dom[0] = 1;
    loop {
        let before = dom.clone();
        for b in 0..succs.len() {
            for s in &succs[b] {
                dom[*s as usize] &= dom[b] | 1 << s;
            }
        }
        if dom == before {
            return dom;
        }
    }
}

impl Gen {
    pub fn function(seed: u64) -> MFunction {
        let mut rng = Rng::new(seed);
        let succs = graph(&mut rng);
        let dominators = dominators(&succs);
        let mut b = Builder::default();
        b.f.frame_pointer = rng.chance(20);
        b.f.base_pointer = b.f.frame_pointer && rng.chance(50);
        b.f.returns_twice = rng.chance(10);
        let clobbers = if b.f.returns_twice { PRegSet::all().minus(PRegSet::of(&[RSP])) } else { CALLER_SAVED };
        let mut g = Gen { rng, b, defined: Vec::new(), dominators, variables: Default::default(), clobbers };
        let pressure = [3, 8, 20, 40][g.rng.below(4)];
        for (k, s) in succs.iter().enumerate() {
            g.b.block(s);
            g.defined.push(Default::default());
            let data = g.b.f.blocks.last_mut().unwrap();
            data.loop_depth = g.rng.below(4) as u32;
            data.cold = g.rng.chance(10);
            if k == 0 {
                g.start(pressure);
            }
            g.declare_phis(k);
            for _ in 0..g.rng.below(2 + pressure) {
                g.inst(k);
            }
            g.end(k, s.len());
        }
        let phis = g.b.phis.clone();
        for (k, phis) in phis.into_iter().enumerate() {
            for (n, (dst, _)) in phis.into_iter().enumerate() {
                let preds = (0..succs.len()).filter(|p| succs[*p].contains(&(k as u32)));
                let args = preds.map(|p| (p as u32, g.phi_arg(p, dst))).collect();
                g.b.phis[k][n].1 = args;
            }
        }
        g.b.finish()
    }
    fn start(&mut self, pressure: usize) {
        let params: Vec<VReg> = (0..self.rng.below(7)).map(|_| self.b.int()).collect();
        self.b.params(&params);
        self.variables[0].extend(&params);
        for k in 0..1 + self.rng.below(pressure) {
            let v = self.b.imm(k as i32);
            self.variables[0].push(v);
        }
        for _ in 0..1 + self.rng.below(pressure) {
            let v = self.b.float();
            self.b.op(op::ZeroF, Form::D).d(v).done();
            self.variables[1].push(v);
        }
        self.defined[0] = self.variables.clone();
    }
    fn declare_phis(&mut self, k: usize) {
        if k > 0 && self.rng.chance(60) {
            for _ in 0..self.rng.below(5) {
                let class = self.rng.below(3) / 2;
                let dst = if class == 0 { self.b.int() } else { self.b.float() };
                self.b.phi(dst, &[]);
                self.defined[k][class].push(dst);
            }
        }
    }
    fn phi_arg(&mut self, p: usize, dst: VReg) -> PhiArg {
        let class = usize::from(self.b.f.class(dst) == RegClass::Float);
        if self.rng.chance(15) {
            let how = if class == 0 {
                MInst::new(op::Mov, Form::DI, Size::S64).imm(7)
            } else {
                MInst::new(op::ZeroF, Form::D, Size::S64)
            };
            self.b.f.remats.push(how);
            return PhiArg::Const(self.b.f.remats.len() as u32 - 1);
        }
        PhiArg::Reg(self.available(p, class))
    }
    /// A value of the class that is defined at the end of a block, or already defined in the one under construction.
    fn available(&mut self, k: usize, class: usize) -> VReg {
        let mut blocks: Vec<usize> = (0..self.defined.len()).filter(|b| self.dominators[k] >> b & 1 != 0).collect();
        blocks.retain(|b| !self.defined[*b][class].is_empty());
        let b = if self.rng.chance(50) { blocks[blocks.len() - 1] } else { blocks[self.rng.below(blocks.len())] };
        let values = &self.defined[b][class];
        let recent = if self.rng.chance(40) { values.len().min(4) } else { values.len() };
        let at = values.len() - 1 - self.rng.below(recent);
        self.defined[b][class][at]
    }
    /// Returns the destination of an instruction: a new register or one of the variables.
    fn target(&mut self, k: usize, class: usize) -> VReg {
        if self.rng.chance(25) {
            let n = self.variables[class].len();
            return self.variables[class][self.rng.below(n)];
        }
        let v = if class == 0 { self.b.int() } else { self.b.float() };
        self.defined[k][class].push(v);
        v
    }
    fn inst(&mut self, k: usize) {
        let (x, y, z) = (self.available(k, 0), self.available(k, 0), self.available(k, 0));
        let (s, t) = (self.available(k, 1), self.available(k, 1));
        match self.rng.below(27) {
            0..4 => {
                let op = [op::Add, op::Sub, op::Imul, op::Cmov][self.rng.below(4)];
                let d = self.target(k, 0);
                self.b.op(op, Form::DTB).d(d).a(x).b(y).done();
            }
            4 => {
                let d = self.target(k, 0);
                let op = [op::Add, op::Sub][self.rng.below(2)];
                let index = self.rng.chance(50).then_some(z);
                self.b.op(op, Form::DTM).d(d).a(x).mem(y, index).done();
            }
            5 => {
                let d = self.target(k, 0);
                let op = [op::ShlCl, op::SarCl][self.rng.below(2)];
                self.b.op(op, Form::DTB).d(d).a(x).b(y).done();
            }
            6 => {
                let d = self.target(k, 0);
                let op = [op::IdivQuot, op::DivRem, op::ImulHigh][self.rng.below(3)];
                self.b.op(op, Form::DAB).d(d).a(x).b(y).done();
            }
            7 => {
                let d = self.target(k, 0);
                self.b.op(op::IdivRem, Form::DAM).d(d).a(x).mem(y, Some(z)).done();
            }
            8 => {
                let d = self.target(k, 0);
                self.b.op(op::Mov, Form::DM).d(d).mem(x, None).done();
            }
            9 => self.b.op(op::Mov, Form::MA).a(x).mem(y, Some(z)).done(),
            10 => self.b.cmp(x, y),
            11 => self.b.op(op::Test, Form::AB).a(x).b(y).done(),
            12 => self.b.op(op::Cmp, Form::AI).a(x).imm(3).done(),
            13 => {
                let d = self.target(k, 0);
                self.b.op(op::Mov, Form::DA).d(d).a(x).done();
            }
            14 => {
                let d = self.target(k, 0);
                self.b.op(op::Neg, Form::DT).d(d).a(x).done();
            }
            15 => {
                let v = self.b.remat(9);
                self.defined[k][0].push(v);
            }
            16..19 => {
                let d = self.target(k, 1);
                let op = [op::AddF, op::SubF, op::MaxF][self.rng.below(3)];
                self.b.op(op, Form::DTB).d(d).a(s).b(t).done();
            }
            19 => {
                let d = self.target(k, 1);
                self.b.op(op::MovIF, Form::DA).d(d).a(x).done();
            }
            20 => {
                let d = self.target(k, 0);
                self.b.op(op::CvtFI64, Form::DA).d(d).a(s).done();
            }
            21 => {
                let v = self.b.float();
                self.b.op(op::MovF, Form::DM).size(Size::S128).d(v).mem(x, None).done();
                self.b.op(op::MovF, Form::MA).size(Size::S128).a(v).mem(y, None).done();
            }
            22 if self.rng.chance(40) => self.exchange(k, [x, y, z]),
            22 => self.string(x, y, z),
            23 => self.both_results(k, [x, y, z]),
            _ => self.call(k),
        }
    }
    fn string(&mut self, x: VReg, y: VReg, z: VReg) {
        let uses = [(MReg::virt(x), RDI), (MReg::virt(y), RSI), (MReg::virt(z), RCX)];
        let clobbers = PRegSet::of(&[RDI, RSI, RCX]);
        self.b.record(op::RepMovs, FixedList { uses: uses.as_slice().into(), clobbers, ..FixedList::default() });
    }
    /// An exchange: of a value in rax, another value and an address; the result, in rax, may be unused.
    fn exchange(&mut self, k: usize, [x, y, z]: [VReg; 3]) {
        let mut list = FixedList { clobbers: PRegSet::of(&[RAX]), ..FixedList::default() };
        list.uses.push((MReg::virt(x), RAX));
        // Chosen before the result is assigned.
        let index = self.available(k, 0);
        if self.rng.chance(70) {
            list.defs.push((MReg::virt(self.target(k, 0)), RAX));
        }
        let inst = MInst::new(op::CmpXchg, Form::MA, Size::S64).a(y);
        self.indirect(list, inst.mem(MBase::Reg(z.into()), index.into(), 4, 8));
    }
    /// Both halves of a product, or quotient and remainder, of which one may be unused.
    fn both_results(&mut self, k: usize, [x, y, z]: [VReg; 3]) {
        let op = [op::IdivBoth, op::DivBoth, op::ImulBoth, op::MulBoth][self.rng.below(4)];
        let results: &[PReg] = [[RAX, RDX].as_slice(), &[RAX, RDX], &[RAX], &[RDX]][self.rng.below(4)];
        let mut defs = Vec::new();
        for p in results {
            // Only the first may be a variable: they are different registers.
            let v = if defs.is_empty() { self.target(k, 0) } else { self.b.int() };
            defs.push((MReg::virt(v), *p));
        }
        self.defined[k][0].extend(defs.get(1).and_then(|(v, _)| v.as_virt()));
        let (uses, clobbers) = ([(MReg::virt(x), RAX)], PRegSet::of(&[RAX, RDX]));
        let list = FixedList { uses: uses.as_slice().into(), defs: defs.into(), clobbers, ..FixedList::default() };
        let inst = match self.rng.chance(50) {
            true => MInst::new(op, Form::B, Size::S64).b(y),
            false => MInst::new(op, Form::M, Size::S64).mem(MBase::Reg(y.into()), z.into(), 4, 8),
        };
        self.indirect(list, inst);
    }
    fn call(&mut self, k: usize) {
        let args: Vec<VReg> = (0..self.rng.below(7)).map(|_| self.available(k, 0)).collect();
        let (target, index) = (self.available(k, 0), self.available(k, 0));
        let mut list = call_list(&args, None);
        for n in 0..self.rng.below(9) {
            list.uses.push((MReg::virt(self.available(k, 1)), xmm(n as u8)));
        }
        list.clobbers = self.clobbers;
        list.al = self.rng.chance(20).then_some(1);
        if self.rng.chance(60) {
            list.defs.push((MReg::virt(self.target(k, 0)), RAX));
        }
        if self.rng.chance(30) {
            list.defs.push((MReg::virt(self.target(k, 1)), xmm(0)));
        }
        match self.rng.below(4) {
            0 => {
                let inst = MInst::new(op::Call, Form::B, Size::S64).b(target);
                self.indirect(list, inst);
            }
            1 => {
                let inst = MInst::new(op::Call, Form::M, Size::S64).mem(MBase::Reg(target.into()), index.into(), 8, 0);
                self.indirect(list, inst);
            }
            _ => self.b.record(op::Call, list),
        }
    }
    fn indirect(&mut self, list: FixedList, inst: MInst) {
        self.b.f.records.push(list);
        let n = self.b.f.records.len() as u32 - 1;
        self.b.push(inst.record(n));
    }
    fn end(&mut self, k: usize, succs: usize) {
        match succs {
            0 => {
                let v = self.available(k, 0);
                self.b.ret(Some(v));
            }
            1 => self.b.jmp(),
            2 => {
                let (x, y) = (self.available(k, 0), self.available(k, 0));
                self.b.cmp(x, y);
                self.b.jcc();
            }
            _ => {
                let x = self.available(k, 0);
                self.b.push(MInst::new(op::JmpReg, Form::B, Size::S64).b(x));
            }
        }
    }
}

fn run(seeds: std::ops::Range<u64>, options_of: impl Fn(u64) -> AllocOptions) {
    let mut scratch = Scratch::default();
    for seed in seeds {
        let f = Gen::function(seed);
        let options = options_of(seed);
        for allocator in crate::regalloc::ALLOCATORS {
            let mut out = Allocation::default();
            allocator.allocate(&f, &options, &mut scratch, &mut out);
            let complaints = check(&f, &out);
            assert!(
                complaints.is_empty(),
                "seed {seed}, {} {options}: {}\n{}",
                allocator.name(),
                complaints[0],
                listing(&f, &out)
            );
        }
    }
}

#[test]
fn random_functions_are_allocated_rightly() {
    run(0..few_or_all(500, 2000), |_| AllocOptions::default());
}

#[test]
fn random_functions_are_allocated_rightly_under_stress() {
    run(0..few_or_all(750, 3000), |seed| AllocOptions {
        regs: if seed.is_multiple_of(2) { RegCount::new(4 + (seed / 2 % 3) as u8) } else { None },
        stress: Some(if seed.is_multiple_of(5) { Stress::Spill } else { Stress::Seed(seed) }),
        ..AllocOptions::default()
    });
}

#[test]
fn random_functions_are_allocated_rightly_whatever_is_left_out() {
    run(0..few_or_all(500, 1000), |seed| AllocOptions {
        without: Features::from_bits(seed),
        ..AllocOptions::default()
    });
}

#[test]
fn random_functions_are_allocated_rightly_by_one_pass_with_any_switches() {
    let mut scratch = Scratch::default();
    for seed in 0..Switches::COUNT {
        let f = Gen::function(seed as u64);
        let switches = Switches::from_bits(seed);
        // Each set of switches under each of them, since the number above the switches is the number of spare
        // registers.
        let options = ["", "regs=4", "regs=6 stress=9", ""][seed >> Switch::ALL.len()].parse().unwrap();
        let mut out = Allocation::default();
        one_pass::with(switches).allocate(&f, &options, &mut scratch, &mut out);
        let complaints = check(&f, &out);
        assert!(complaints.is_empty(), "seed {seed}, {switches} {options}: {}\n{}", complaints[0], listing(&f, &out));
    }
}

/// Ordinary operands are in the remaining registers; with `spill`, all values are in memory if possible.
#[test]
fn stress_is_obeyed() {
    for seed in 0..200_u64 {
        let options = "regs=4 stress=spill".parse::<AllocOptions>().unwrap();
        let f = Gen::function(seed);
        for allocator in crate::regalloc::ALLOCATORS {
            let mut out = Allocation::default();
            allocator.allocate(&f, &options, &mut Scratch::default(), &mut out);
            for (i, inst) in f.insts.iter().enumerate() {
                let ops = Operands::of(&f, inst);
                let ordinary = ops.uses().iter().filter(|u| !matches!(u.need, Need::Fixed(_))).map(|u| u.field);
                let def = ops.def.filter(|(_, fixed)| fixed.is_none()).map(|_| 0);
                for r in ordinary.chain(def).filter_map(|field| out.locs[i][field as usize].as_reg()) {
                    assert!(options.allocatable(&f).contains(r), "seed {seed}, instruction {i}: {r:?}");
                }
            }
        }
    }
}

/// The previous contents of the scratch memory do not matter.
#[test]
fn answers_do_not_depend_on_scratch_memory() {
    let mut old = Scratch::default();
    for seed in 0..200 {
        let f = Gen::function(seed);
        let options = AllocOptions { without: Features::from_bits(seed), ..AllocOptions::default() };
        for allocator in crate::regalloc::ALLOCATORS {
            let (mut a, mut b) = (Allocation::default(), Allocation::default());
            allocator.allocate(&f, &options, &mut old, &mut a);
            allocator.allocate(&f, &options, &mut Scratch::default(), &mut b);
            let name = allocator.name();
            assert_eq!((a.locs, a.edits, a.num_slots), (b.locs, b.edits, b.num_slots), "seed {seed}, {name}");
        }
    }
}

/// With rbp and rsp reserved no value is put there.
#[test]
fn reserved_registers_stay_untouched() {
    let mut scratch = Scratch::default();
    for seed in 0..300 {
        let f = Gen::function(seed);
        let options = AllocOptions { without: Features::from_bits(seed), ..AllocOptions::default() };
        for allocator in crate::regalloc::ALLOCATORS {
            let mut out = Allocation::default();
            allocator.allocate(&f, &options, &mut scratch, &mut out);
            let taken = out.locs.iter().flatten().filter_map(|l| l.as_reg()).fold(PRegSet::EMPTY, |s, r| s.with(r));
            assert!(taken.and(f.reserved()).is_empty());
            assert!(taken.and(f.env.callee_saved).minus(out.used).is_empty());
        }
    }
}

/// Fast instruction selection counts each block between a loop's header and its last back edge as part of the loop,
/// even one that returns. A value that is live through the loop then counts as live in that block. It must not be moved
/// into the register that the return reads.
#[test]
fn a_return_inside_of_a_loop_is_not_overwritten() {
    let mut b = Builder::default();
    b.block(&[1]);
    let values: Vec<VReg> = (0..8).map(|k| b.imm(k)).collect();
    b.jmp();
    b.block(&[2, 3]);
    b.cmp(values[0], values[1]);
    b.jcc();
    b.block(&[]);
    let result = b.binary(op::Sub, values[2], values[3]);
    b.ret(Some(result));
    b.block(&[4, 5]);
    b.cmp(values[2], values[3]);
    b.jcc();
    b.block(&[1]);
    b.jmp();
    b.block(&[]);
    let sum = values.iter().copied().reduce(|sum, v| b.binary(op::Add, sum, v));
    b.ret(sum);
    (1..5).for_each(|k| b.f.blocks[k].loop_depth = 1);
    let f = b.finish();
    for allocator in crate::regalloc::ALLOCATORS {
        for seed in 0..few_or_all(100, 1000) {
            let options =
                AllocOptions { stress: Some(Stress::Seed(seed)), regs: RegCount::new(6), ..AllocOptions::default() };
            let mut out = Allocation::default();
            allocator.allocate(&f, &options, &mut Scratch::default(), &mut out);
            let complaints = check(&f, &out);
            assert!(complaints.is_empty(), "{} {options}: {complaints:?}\n{}", allocator.name(), listing(&f, &out));
        }
    }
}

//! Every allocator on a machine of few registers, unlike x86-64, that has spill slots of 8 and of 16 bytes: random
//! functions, judged by the checker and by executing paths of them.
//!
//! No instruction has more than two ordinary sources: linear scan needs one register more than any instruction reads.

use super::fuzz::{dominators, graph};
use super::{Args, Builder, Rng, listing, simulate};
use crate::mir::toy::{A, B, TOY, X, op};
use crate::mir::{FixedList, Form, MBase, MBlock, MFunction, MInst, MOp, MReg, PhiArg, RegClass, Size, VReg};
use crate::regalloc::checker::check;
use crate::regalloc::{ALLOCATORS, AllocOptions, Allocation, Edit, Loc, Scratch};

const INT: RegClass = RegClass::Int;
/// The class of values of 16 bytes.
const WIDE: RegClass = RegClass::Float;

struct Toy {
    rng: Rng,
    b: Builder,
    dominators: Vec<u64>,
    /// For each block the values that it defines.
    defined: Vec<Vec<VReg>>,
}

impl Toy {
    fn function(seed: u64) -> MFunction {
        let mut rng = Rng::new(seed);
        let succs = graph(&mut rng);
        let dominators = dominators(&succs);
        let mut t = Toy { rng, b: Builder::new(&TOY), dominators, defined: Vec::new() };
        let mut phis: Vec<Vec<VReg>> = Vec::new();
        for (k, s) in succs.iter().enumerate() {
            t.b.block(s);
            t.b.f.blocks[k].loop_depth = t.rng.below(3) as u32;
            t.defined.push(Vec::new());
            if k == 0 {
                t.params();
            }
            let count = if k == 0 { 0 } else { t.rng.below(4) };
            phis.push((0..count).map(|n| t.value(k, [INT, WIDE][n % 2])).collect());
            for _ in 0..t.rng.below(9) {
                t.inst(k);
            }
            t.end(k, s.len());
        }
        for (k, phis) in phis.into_iter().enumerate() {
            for dst in phis {
                let preds = (0..succs.len()).filter(|p| succs[*p].contains(&(k as u32)));
                let class = t.b.f.class(dst);
                let args: Args = preds.map(|p| (p as u32, PhiArg::Reg(t.any(p, class)))).collect();
                t.b.phi_of(k, dst, args);
            }
        }
        t.b.finish()
    }
    fn params(&mut self) {
        let (x, y) = (self.value(0, INT), self.value(0, INT));
        let defs = [(MReg::virt(x), A), (MReg::virt(y), B)];
        let clobbers = TOY.caller_saved();
        self.b.record(op::Params, FixedList { defs: defs.as_slice().into(), clobbers, ..FixedList::default() });
        let wide = self.value(0, WIDE);
        self.b.push(MInst::new(op::Widen, Form::DA, Size::S64).a(x).d(wide));
    }
    /// A new value of a block.
    fn value(&mut self, k: usize, class: RegClass) -> VReg {
        let v = self.b.f.new_vreg(class);
        self.defined[k].push(v);
        v
    }
    /// A value that is defined at the end of block `k`, or already defined in it.
    fn any(&mut self, k: usize, class: RegClass) -> VReg {
        let above = (0..self.defined.len()).filter(|b| self.dominators[k] >> b & 1 != 0);
        let of_class = |v: &VReg| self.b.f.class(*v) == class;
        let all: Vec<VReg> = above.flat_map(|b| self.defined[b].iter().copied().filter(of_class)).collect();
        all[self.rng.below(all.len())]
    }
    fn inst(&mut self, k: usize) {
        let (x, y, v, w) = (self.any(k, INT), self.any(k, INT), self.any(k, WIDE), self.any(k, WIDE));
        let with = |op: MOp, form: Form| MInst::new(op, form, Size::S64);
        let wide = |op: MOp, form: Form| MInst::new(op, form, Size::S128);
        let memory = |i: MInst| i.mem(MBase::Reg(y.into()), MReg::NONE, 1, 8);
        let inst = match self.rng.below(18) {
            0 => with(op::Move, Form::DI).imm(5),
            1 => with(op::Move, Form::DA).a(x),
            2 => memory(with(op::Move, Form::DM)),
            3 => return self.b.push(memory(with(op::Move, Form::MA).a(x))),
            4 => with(op::Sum, Form::DTB).a(x).b(y),
            5 => memory(with(op::Sum, Form::DTM).a(x)),
            6 => with(op::Less, Form::DTB).a(x).b(y),
            7 => with(op::Shift, Form::DTB).a(x).b(y),
            8 => with(op::Divide, Form::DAB).a(x).b(y),
            9 => with(op::Narrow, Form::DA).a(v),
            10 => with(op::Widen, Form::DA).a(x),
            11 => wide(op::MoveW, Form::DI).imm(5),
            12 => wide(op::MoveW, Form::DA).a(v),
            13 => memory(wide(op::MoveW, Form::DM)),
            14 => return self.b.push(memory(wide(op::MoveW, Form::MA).a(v))),
            15 => wide(op::SumW, Form::DTB).a(v).b(w),
            16 => wide(op::LessW, Form::DTB).a(v).b(w),
            _ => return self.call(k, [x, y, v]),
        };
        let d = self.value(k, self.b.f.class_of_d(&inst));
        self.b.push(inst.d(d));
        if inst.form == Form::DI {
            self.b.f.set_remat(d, inst);
        }
    }
    fn call(&mut self, k: usize, [x, y, v]: [VReg; 3]) {
        let uses = [(MReg::virt(x), A), (MReg::virt(y), B), (MReg::virt(v), X)].as_slice().into();
        let defs = [(MReg::virt(self.value(k, INT)), A), (MReg::virt(self.value(k, WIDE)), X)].as_slice().into();
        let clobbers = TOY.caller_saved();
        self.b.record(op::Call, FixedList { uses, defs, clobbers, ..FixedList::default() });
    }
    fn end(&mut self, k: usize, succs: usize) {
        let (x, y) = (self.any(k, INT), self.any(k, INT));
        match succs {
            0 => {
                let uses = [(MReg::virt(x), A)].as_slice().into();
                self.b.record(op::Return, FixedList { uses, ..FixedList::default() });
            }
            1 => self.b.push(MInst::new(op::Jump, Form::None, Size::S64)),
            2 => {
                self.b.push(MInst::new(op::Test, Form::AB, Size::S64).a(x).b(y));
                self.b.push(MInst::new(op::Branch, Form::None, Size::S64));
            }
            _ => self.b.push(MInst::new(op::Jump, Form::B, Size::S64).b(x)),
        }
    }
}

/// The allocation of a random function by each allocator, under stress every third time.
fn for_each_allocation(mut visit: impl FnMut(usize, &MFunction, &Allocation, &str, u64)) {
    let mut scratch = Scratch::default();
    for seed in 0..3000 {
        let f = Toy::function(seed);
        let stress = if seed % 3 == 0 { format!("stress={seed}") } else { String::new() };
        let options = stress.parse::<AllocOptions>().expect("options");
        for (k, allocator) in ALLOCATORS.iter().enumerate() {
            let mut out = Allocation::default();
            allocator.allocate(&f, &options, &mut scratch, &mut out);
            visit(k, &f, &out, &format!("seed {seed}, {} {options}", allocator.name()), seed);
        }
    }
}

/// The edits that store values of a class.
fn stores(a: &Allocation, of: RegClass) -> impl Iterator<Item = (usize, u32)> {
    a.edits.iter().enumerate().filter_map(move |(k, (_, edit))| match edit {
        Edit::Move { to, class, .. } if *class == of => Some((k, to.as_slot()?)),
        _ => None,
    })
}

#[test]
fn a_machine_of_few_registers_is_allocated_by_all() {
    let mut spilled = [[0; 2]; 4];
    for_each_allocation(|k, f, out, whose, seed| {
        let complaints = check(f, out);
        assert!(complaints.is_empty(), "{whose}: {}\n{}", complaints[0], listing(f, out));
        let difference = simulate::difference(f, out, &mut Rng::new(seed));
        assert_eq!(difference, None, "{whose}\n{}", listing(f, out));
        let known = TOY.allocatable;
        assert!(out.used.minus(known).is_empty(), "{whose}: {:?} is written", out.used.minus(known));
        [INT, WIDE].iter().for_each(|class| spilled[k][*class as usize] += stores(out, *class).count());
        let mut halves: Vec<u32> = stores(out, WIDE).flat_map(|(_, slot)| [slot, slot + 1]).collect();
        halves.sort_unstable();
        let is_apart = |(_, slot): (usize, u32)| halves.binary_search(&slot).is_err();
        assert!(stores(out, INT).all(is_apart), "{whose}: slots of two sizes overlap\n{}", listing(f, out));
    });
    assert!(spilled.iter().flatten().all(|stores| *stores > 1000), "{spilled:?}");
    let f = Toy::function(1);
    assert_eq!(f.block_insts(MBlock(0)).first().map(|i| i.op), Some(op::Params));
}

/// Half of a value of 16 bytes is overwritten, or its slot is not aligned.
#[test]
fn checkers_know_slots_of_16_bytes() {
    let (mut overwritten, mut differ) = ([0; 4], [0; 4]);
    for_each_allocation(|k, f, out, whose, seed| {
        let Some((at, slot)) = stores(out, WIDE).next() else { return };
        let (mut over, mut odd) = (out.clone(), out.clone());
        let point = out.edits[at].0;
        over.edits.insert(at + 1, (point, Edit::Move { from: Loc::reg(A), to: Loc::slot(slot + 1), class: INT }));
        overwritten[k] += usize::from(!check(f, &over).is_empty());
        differ[k] += usize::from(simulate::difference(f, &over, &mut Rng::new(seed)).is_some());
        if let Edit::Move { to, .. } = &mut odd.edits[at].1 {
            *to = Loc::slot(slot + 1);
        }
        assert!(!check(f, &odd).is_empty(), "{whose}: the slot is not aligned");
    });
    assert!(overwritten.iter().chain(&differ).all(|n| *n > 300), "{overwritten:?} {differ:?}");
}

//! Every allocator on a machine of three registers that is unlike x86-64: random functions, judged by the checker and
//! by executing paths of them.
//!
//! No instruction has more than two ordinary sources: linear scan needs one register more than any instruction reads.

use super::fuzz::{dominators, graph};
use super::{Args, Builder, Rng, listing, simulate};
use crate::mir::toy::{A, B, TOY, op};
use crate::mir::{FixedList, Form, MBase, MBlock, MFunction, MInst, MOp, MReg, PhiArg, RegClass, Size, VReg};
use crate::regalloc::checker::check;
use crate::regalloc::{ALLOCATORS, AllocOptions, Allocation, Scratch};

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
            phis.push((0..count).map(|_| t.value(k)).collect());
            for _ in 0..t.rng.below(9) {
                t.inst(k);
            }
            t.end(k, s.len());
        }
        for (k, phis) in phis.into_iter().enumerate() {
            for dst in phis {
                let preds = (0..succs.len()).filter(|p| succs[*p].contains(&(k as u32)));
                let args: Args = preds.map(|p| (p as u32, PhiArg::Reg(t.any(p)))).collect();
                t.b.phi_of(k, dst, args);
            }
        }
        t.b.finish()
    }
    fn params(&mut self) {
        let defs = [(MReg::virt(self.value(0)), A), (MReg::virt(self.value(0)), B)];
        let clobbers = TOY.caller_saved();
        self.b.record(op::Params, FixedList { defs: defs.as_slice().into(), clobbers, ..FixedList::default() });
    }
    /// A new value of a block.
    fn value(&mut self, k: usize) -> VReg {
        let v = self.b.f.new_vreg(RegClass::Int);
        self.defined[k].push(v);
        v
    }
    /// A value that is defined at the end of block `k`, or already defined in it.
    fn any(&mut self, k: usize) -> VReg {
        let above = (0..self.defined.len()).filter(|b| self.dominators[k] >> b & 1 != 0);
        let all: Vec<VReg> = above.flat_map(|b| self.defined[b].iter().copied()).collect();
        all[self.rng.below(all.len())]
    }
    fn inst(&mut self, k: usize) {
        let (x, y) = (self.any(k), self.any(k));
        let with = |op: MOp, form: Form| MInst::new(op, form, Size::S64);
        let memory = |i: MInst| i.mem(MBase::Reg(y.into()), MReg::NONE, 1, 8);
        let inst = match self.rng.below(10) {
            0 => with(op::Move, Form::DI).imm(5),
            1 => with(op::Move, Form::DA).a(x),
            2 => memory(with(op::Move, Form::DM)),
            3 => return self.b.push(memory(with(op::Move, Form::MA).a(x))),
            4 => with(op::Sum, Form::DTB).a(x).b(y),
            5 => memory(with(op::Sum, Form::DTM).a(x)),
            6 => with(op::Less, Form::DTB).a(x).b(y),
            7 => with(op::Shift, Form::DTB).a(x).b(y),
            8 => with(op::Divide, Form::DAB).a(x).b(y),
            _ => return self.call(k, [x, y]),
        };
        let d = self.value(k);
        self.b.push(inst.d(d));
        if inst.form == Form::DI {
            self.b.f.set_remat(d, inst);
        }
    }
    fn call(&mut self, k: usize, [x, y]: [VReg; 2]) {
        let uses = [(MReg::virt(x), A), (MReg::virt(y), B)].as_slice().into();
        let defs = [(MReg::virt(self.value(k)), A)].as_slice().into();
        let clobbers = TOY.caller_saved();
        self.b.record(op::Call, FixedList { uses, defs, clobbers, ..FixedList::default() });
    }
    fn end(&mut self, k: usize, succs: usize) {
        let (x, y) = (self.any(k), self.any(k));
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

#[test]
fn a_machine_of_three_registers_is_allocated_by_all() {
    let (mut scratch, mut spilled) = (Scratch::default(), [0; 4]);
    for seed in 0..3000 {
        let f = Toy::function(seed);
        let stress = if seed % 3 == 0 { format!("stress={seed}") } else { String::new() };
        let options = stress.parse::<AllocOptions>().expect("options");
        for (k, allocator) in ALLOCATORS.iter().enumerate() {
            let mut out = Allocation::default();
            allocator.allocate(&f, &options, &mut scratch, &mut out);
            let whose = format!("seed {seed}, {} {options}", allocator.name());
            let complaints = check(&f, &out);
            assert!(complaints.is_empty(), "{whose}: {}\n{}", complaints[0], listing(&f, &out));
            let difference = simulate::difference(&f, &out, &mut Rng::new(seed));
            assert_eq!(difference, None, "{whose}\n{}", listing(&f, &out));
            let known = TOY.allocatable;
            assert!(out.used.minus(known).is_empty(), "{whose}: {:?} is written", out.used.minus(known));
            spilled[k] += out.num_slots;
        }
    }
    assert!(spilled.iter().all(|slots| *slots > 1000), "{spilled:?}");
    let f = Toy::function(1);
    assert_eq!(f.block_insts(MBlock(0)).first().map(|i| i.op), Some(op::Params));
}

//! Tests of allocation: a builder of machine functions, and common helpers.

mod behaviour;
mod bottom_up;
mod checker;
mod fast;
mod fuzz;
mod moves;
mod mutations;
mod one_pass;
mod simulate;
mod toy;

use super::checker::check;
use super::{AllocOptions, Allocation, Edit, Loc, OperandLocs, Scratch};
use crate::isa::x64::registers::{CALLER_SAVED, INT_ARGS, RAX};
use crate::isa::x64::{Cond, ENV, op};
use crate::mir::{
    FixedList, Form, MBase, MBlock, MBlockData, MFunction, MInst, MOp, MPhi, MReg, MachineEnv, PReg, PhiArg, RegClass,
    Size, VReg,
};
pub(super) use lir_random::Rng;

/// Operands of a phi by predecessor.
type Args = Vec<(u32, PhiArg)>;

/// Builds a machine function block by block.
pub(super) struct Builder {
    pub f: MFunction,
    /// For each block its phis: destination, and operand by predecessor.
    phis: Vec<Vec<(VReg, Args)>>,
}

impl Default for Builder {
    fn default() -> Builder {
        Builder::new(&ENV)
    }
}

impl Builder {
    pub fn new(env: &'static MachineEnv) -> Builder {
        Builder { f: MFunction::new(env), phis: Vec::new() }
    }
    pub fn int(&mut self) -> VReg {
        self.f.new_vreg(RegClass::Int)
    }
    pub fn float(&mut self) -> VReg {
        self.f.new_vreg(RegClass::Float)
    }
    /// Starts the next block.
    pub fn block(&mut self, succs: &[u32]) -> u32 {
        let at = self.f.insts.len() as u32;
        self.f.blocks.push(MBlockData {
            start: at,
            end: at,
            succs: succs.iter().map(|s| MBlock(*s)).collect(),
            ..MBlockData::default()
        });
        self.phis.push(Vec::new());
        self.f.blocks.len() as u32 - 1
    }
    pub fn phi(&mut self, dst: VReg, args: &[(u32, PhiArg)]) {
        self.phis.last_mut().unwrap().push((dst, args.to_vec()));
    }
    /// The same in an existing block.
    pub fn phi_of(&mut self, block: usize, dst: VReg, args: Args) {
        self.phis[block].push((dst, args));
    }
    pub fn push(&mut self, inst: MInst) {
        self.f.insts.push(inst);
        self.f.origins.push(None.into());
        self.f.blocks.last_mut().unwrap().end += 1;
    }
    pub fn op(&mut self, op: MOp, form: Form) -> Emit<'_> {
        Emit { b: self, inst: MInst::new(op, form, Size::S64) }
    }
    /// `d = imm`, in a new register.
    pub fn imm(&mut self, value: i32) -> VReg {
        let d = self.int();
        self.push(MInst::new(op::Mov, Form::DI, Size::S64).d(d).imm(value));
        d
    }
    /// The same, repeatable.
    pub fn remat(&mut self, value: i32) -> VReg {
        let d = self.imm(value);
        self.f.set_remat(d, MInst::new(op::Mov, Form::DI, Size::S64).imm(value));
        d
    }
    /// `d = op a, b`, in a new register.
    pub fn binary(&mut self, op: MOp, a: VReg, b: VReg) -> VReg {
        let d = self.f.new_vreg(self.f.class(a));
        self.push(MInst::new(op, Form::DTB, Size::S64).d(d).a(a).b(b));
        d
    }
    pub fn record(&mut self, op: MOp, list: FixedList) {
        self.f.records.push(list);
        let k = self.f.records.len() as u32 - 1;
        self.push(MInst::new(op, Form::None, Size::S64).record(k));
    }
    pub fn params(&mut self, params: &[VReg]) {
        let defs = params.iter().zip(INT_ARGS).map(|(v, p)| (MReg::virt(*v), p)).collect::<Vec<_>>();
        let clobbers = defs.iter().fold(Default::default(), |s: crate::mir::PRegSet, (_, p)| s.with(*p));
        self.record(op::Params, FixedList { defs: defs.into(), clobbers, ..FixedList::default() });
    }
    pub fn call(&mut self, args: &[VReg], result: Option<VReg>) {
        let list = call_list(args, result);
        self.record(op::Call, list);
    }
    pub fn ret(&mut self, value: Option<VReg>) {
        let uses = value.iter().map(|v| (MReg::virt(*v), RAX)).collect();
        self.record(op::Ret, FixedList { uses, ..FixedList::default() });
    }
    pub fn jmp(&mut self) {
        self.push(MInst::new(op::Jmp, Form::None, Size::S64));
    }
    pub fn jcc(&mut self) {
        self.push(MInst::new(op::Jcc, Form::None, Size::S64).cond(Cond::NE));
    }
    pub fn cmp(&mut self, a: VReg, b: VReg) {
        self.op(op::Cmp, Form::AB).a(a).b(b).done();
    }
    /// Fills in predecessors and phis.
    pub fn finish(mut self) -> MFunction {
        for b in 0..self.f.blocks.len() {
            self.f.blocks[b].frequency = 64 << (3 * self.f.blocks[b].loop_depth);
            for s in self.f.blocks[b].succs.clone() {
                self.f.blocks[s.index()].preds.push(MBlock(b as u32));
            }
        }
        for (b, phis) in self.phis.iter().enumerate() {
            let first = self.f.phis.len() as u32;
            for (dst, args) in phis {
                let at = self.f.phi_args.len() as u32;
                self.f.phis.push(MPhi { dst: *dst, args: at });
                for p in &self.f.blocks[b].preds {
                    let arg = args.iter().find(|(k, _)| *k == p.0).expect("an operand for each predecessor");
                    self.f.phi_args.push(arg.1);
                }
            }
            self.f.blocks[b].phis = first..self.f.phis.len() as u32;
        }
        self.f
    }
}

pub(super) fn call_list(args: &[VReg], result: Option<VReg>) -> FixedList {
    FixedList {
        uses: args.iter().zip(INT_ARGS).map(|(v, p)| (MReg::virt(*v), p)).collect(),
        defs: result.iter().map(|v| (MReg::virt(*v), RAX)).collect(),
        clobbers: CALLER_SAVED,
        ..FixedList::default()
    }
}

/// A loop that counts from `start` in `i` and `next`, with `n` values made before it. The loop reads the first `read`
/// of them, the block after it the first `after`.
fn counting_loop(n: usize, read: usize, after: usize) -> (MFunction, Vec<VReg>, [VReg; 3]) {
    let mut b = Builder::default();
    b.block(&[1]);
    let values: Vec<VReg> = (0..n).map(|k| b.imm(k as i32)).collect();
    let start = b.imm(0);
    b.jmp();
    b.block(&[2, 3]);
    let (i, next) = (b.int(), b.int());
    b.phi(i, &[(0, PhiArg::Reg(start)), (2, PhiArg::Reg(next))]);
    b.op(op::Add, Form::DTI).d(next).a(i).imm(1).done();
    for v in &values[..read] {
        b.op(op::Mov, Form::MA).a(*v).mem(next, None).done();
    }
    b.op(op::Cmp, Form::AI).a(next).imm(9).done();
    b.jcc();
    b.block(&[1]);
    b.jmp();
    b.block(&[]);
    for v in &values[..after] {
        b.op(op::Cmp, Form::AI).a(*v).imm(0).done();
    }
    b.ret(Some(next));
    b.f.blocks[1].loop_depth = 1;
    b.f.blocks[2].loop_depth = 1;
    (b.finish(), values, [start, i, next])
}

/// An instruction under construction.
pub(super) struct Emit<'a> {
    b: &'a mut Builder,
    inst: MInst,
}

impl Emit<'_> {
    pub fn d(mut self, v: VReg) -> Self {
        self.inst = self.inst.d(v);
        self
    }
    pub fn a(mut self, v: VReg) -> Self {
        self.inst = self.inst.a(v);
        self
    }
    pub fn b(mut self, v: VReg) -> Self {
        self.inst = self.inst.b(v);
        self
    }
    pub fn imm(mut self, k: i32) -> Self {
        self.inst = self.inst.imm(k);
        self
    }
    pub fn mem(mut self, base: VReg, index: Option<VReg>) -> Self {
        self.inst = self.inst.mem(MBase::Reg(base.into()), index.map_or(MReg::NONE, MReg::virt), 4, 16);
        self
    }
    pub fn size(mut self, size: Size) -> Self {
        self.inst.size = size;
        self
    }
    pub fn done(self) {
        let inst = self.inst;
        self.b.push(inst);
    }
}

/// Allocates with every allocator and has the checker check the results. Returns the result of the default one.
pub(super) fn allocate(f: &MFunction) -> Allocation {
    let mut scratch = Scratch::default();
    let mut answers = Vec::new();
    for allocator in super::ALLOCATORS {
        let mut out = Allocation::default();
        allocator.allocate(f, &AllocOptions::default(), &mut scratch, &mut out);
        let complaints = check(f, &out);
        assert!(complaints.is_empty(), "{}: {}\n{}", allocator.name(), complaints[0], listing(f, &out));
        answers.push(out);
    }
    answers.swap_remove(0)
}

/// The function with the locations of its operands, a line for each instruction and edit.
pub(super) fn listing(f: &MFunction, a: &Allocation) -> String {
    use std::fmt::Write as _;
    let mut text = String::new();
    let mut edits = a.edits.iter().peekable();
    for (b, data) in f.blocks.iter().enumerate() {
        let _ = writeln!(text, "block {b} depth {} <- {:?} -> {:?}", data.loop_depth, data.preds, data.succs);
        for phi in f.block_phis(MBlock(b as u32)) {
            let args = &f.phi_args[phi.args as usize..][..data.preds.len()];
            let _ = writeln!(text, "      {:?} = phi {args:?}", phi.dst);
        }
        for i in data.start..data.end {
            while let Some((_, e)) = edits.next_if(|(p, _)| *p <= 2 * i) {
                let _ = writeln!(text, "          {e:?}");
            }
            let inst = &f.insts[i as usize];
            let fixed = if f.has_record(inst) {
                let r = &f.records[inst.record_index()];
                format!("uses {:?} defs {:?}", r.uses, r.defs)
            } else {
                format!("d {:?} a {:?} b {:?} x {:?}", inst.d, inst.a, MReg::from_bits(inst.b), inst.x)
            };
            let (op, form, locs): (_, _, OperandLocs) = (inst.op, inst.form, a.locs[i as usize]);
            let op = f.env.ops[op.0 as usize].name;
            let _ = writeln!(text, "{i:5} {op} {form:?} {fixed} in {locs:?}");
            while let Some((_, e)) = edits.next_if(|(p, _)| *p <= 2 * i + 1) {
                let _ = writeln!(text, "          {e:?}");
            }
        }
    }
    text
}

/// The registers and slots in which a virtual register is read or written in fields.
pub(super) fn places_of(f: &MFunction, a: &Allocation, v: VReg) -> Vec<Loc> {
    let mut found = Vec::new();
    for (inst, locs) in f.insts.iter().zip(&a.locs) {
        let fields = [inst.d, inst.a, MReg::from_bits(inst.b), inst.x];
        for (field, loc) in fields.iter().zip(locs) {
            if *loc != Loc::NONE && field.as_virt() == Some(v) && !found.contains(loc) {
                found.push(*loc);
            }
        }
    }
    found
}

/// Counts the edits that are moves.
pub(super) fn moves(a: &Allocation) -> usize {
    a.edits.iter().filter(|(_, e)| matches!(e, Edit::Move { .. } | Edit::Exchange(..))).count()
}

pub(super) fn preg(loc: Loc) -> PReg {
    loc.as_reg().expect("a register")
}

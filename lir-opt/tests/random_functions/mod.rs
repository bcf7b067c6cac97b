//! Random functions for the tests of passes, and a small interpreter of just these.
//!
//! The functions are not in SSA form, have loops of every shape (irreducible ones, unreachable blocks, switches with
//! equal targets), phis, divisions that trap, and stack objects that hold one i32 each.

use lir_random::Rng;
use lir_syntax::ir::builder::{FunctionBuilder, Value};
use lir_syntax::ir::{
    Base, Block, EntityRef, Format, FuncId, Function, Inst, IntCC, Mem, Module, Obj, Opcode, Operand, OperandKind,
    Param, Reg, Signature, Type,
};
use lir_syntax::semantics::{Trap, compare, eval, is_value_op};
use std::collections::BTreeSet;

/// The type of every value.
pub const I32: Type = Type::I32;
/// Registers that are assigned again and again.
pub const VARIABLES: usize = 6;
const OBJECTS: usize = 3;

/// A random function with one i32 result. The same seed with another order of registers gives the same text.
struct Generator<'f> {
    rng: Rng,
    b: FunctionBuilder<'f>,
    vars: Vec<Reg>,
    truth: Reg,
    addresses: Vec<Reg>,
    objects: Vec<Obj>,
}

/// A module of one function `f` with two parameters, and its id.
pub fn random_module(seed: u64, order: &[usize]) -> (Module, FuncId) {
    let mut module = Module::default();
    let id = module.define_func("f", Signature::of_scalars(&[I32; 2], Some(I32)));
    let mut b = FunctionBuilder::new(&mut module.funcs[id]);
    let mut rng = Rng::new(seed);
    let mut made: Vec<(usize, Reg)> = order.iter().map(|&k| (k, b.named_reg(I32, &format!("v{k}")))).collect();
    made.sort();
    let mut vars: Vec<Reg> = made.into_iter().map(|(_, r)| r).collect();
    vars.extend([b.param(0), b.param(1)]);
    let truth = b.named_reg(Type::I8, "truth");
    let objects = (0..OBJECTS).map(|k| b.stack_object(&format!("o{k}"), 4, None)).collect();
    let num_blocks = rng.range(2, 12);
    let blocks: Vec<Block> = (0..num_blocks).map(|k| b.block(&format!("b{k}"))).collect();
    Generator { rng, b, vars, truth, addresses: Vec::new(), objects }.fill(&blocks);
    (module, id)
}

impl Generator<'_> {
    fn fill(&mut self, blocks: &[Block]) {
        let mut succs: Vec<Vec<usize>> = Vec::new();
        for k in 0..blocks.len() {
            let count = if k == 0 { self.rng.range(1, 2) } else { self.rng.range(0, 3) };
            succs.push((0..count).map(|_| self.rng.range(1, blocks.len() - 1)).collect());
        }
        for (k, &block) in blocks.iter().enumerate() {
            self.b.switch_to(block);
            if k == 0 {
                self.entry();
            }
            let preds: Vec<Block> = (0..blocks.len()).filter(|p| succs[*p].contains(&k)).map(|p| blocks[p]).collect();
            if !preds.is_empty() {
                self.phis(&preds);
            }
            for _ in 0..self.rng.below(6) {
                self.statement();
            }
            let targets: Vec<Block> = succs[k].iter().map(|s| blocks[*s]).collect();
            self.terminator(&targets);
        }
    }
    fn var(&mut self) -> Reg {
        self.rng.pick(&self.vars)
    }
    fn value(&mut self) -> Value {
        if self.rng.chance(30) { Value::Int(self.rng.below(5) as i64 - 2) } else { self.var().into() }
    }
    fn entry(&mut self) {
        for k in 0..VARIABLES {
            let v = self.vars[k];
            self.b.assign(v).constant(I32, k as i64);
        }
        for k in 0..OBJECTS {
            let p = self.b.lea(Mem::obj(self.objects[k], 0));
            let q = self.b.lea(Mem::reg(p));
            self.addresses.extend([p, q]);
        }
    }
    fn phis(&mut self, preds: &[Block]) {
        let mut assigned = BTreeSet::new();
        for _ in 0..self.rng.below(4) {
            let v = self.var();
            if assigned.insert(v) {
                let entries: Vec<(Block, Value)> = preds.iter().map(|p| (*p, self.value())).collect();
                self.b.assign(v).phi(I32, &entries);
            }
        }
    }
    fn statement(&mut self) {
        let (v, a, b) = (self.var(), self.var(), self.value());
        match self.rng.below(10) {
            0..=3 => {
                let ops = [Opcode::Add, Opcode::Add, Opcode::Sub, Opcode::Mul, Opcode::Xor, Opcode::Smin, Opcode::Sdiv];
                let op = self.rng.pick(&ops);
                self.b.assign(v).binary(op, I32, a, b);
            }
            4 => {
                self.b.assign(v).copy(a);
            }
            5 => {
                let k = self.rng.below(3) as i64;
                self.b.assign(v).constant(I32, k);
            }
            6 => {
                let cc = self.rng.pick(&[IntCC::Slt, IntCC::Sgt, IntCC::Eq, IntCC::Ule, IntCC::Uge]);
                self.b.assign(self.truth).compare(cc, a, b);
                let c = self.var();
                self.b.assign(v).select(self.truth, a, c);
            }
            7 | 8 => {
                let m = self.location();
                self.b.assign(v).load(I32, m);
            }
            _ => {
                let m = self.location();
                self.b.store(I32, m, b);
            }
        }
    }
    fn location(&mut self) -> Mem {
        if self.rng.chance(40) {
            Mem::reg(self.rng.pick(&self.addresses))
        } else {
            Mem::obj(self.rng.pick(&self.objects), 0)
        }
    }
    fn terminator(&mut self, targets: &[Block]) {
        let (a, b) = (self.var(), self.value());
        match *targets {
            [] => self.b.ret_value(I32, b),
            [t] => self.b.jmp(t),
            [t, u] => {
                let cc = self.rng.pick(&[IntCC::Slt, IntCC::Ne]);
                self.b.branch(cc, a, b, t, u);
            }
            ref more => {
                let cases: Vec<(i64, Block)> = more[1..].iter().enumerate().map(|(k, t)| (k as i64, *t)).collect();
                self.b.switch(a, more[0], &cases);
            }
        }
    }
}

/// How a run ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum End {
    Returned(u64),
    Trapped(Trap),
    StillRunning,
}

/// Runs a function of the kind that the generator makes, for at most `limit` blocks. Returns the blocks that were
/// visited and how the run ended.
pub fn run(f: &Function, args: [u64; 2], limit: usize) -> (Vec<Block>, End) {
    let mut regs = vec![0u64; f.num_regs()];
    for (p, a) in f.params.iter().zip(args) {
        if let Param::Reg(r) = *p {
            regs[r.index()] = a;
        }
    }
    let mut memory = vec![0u64; f.stack.len()];
    let mut trace = vec![f.entry()];
    let mut came_from = f.entry();
    while trace.len() < limit {
        let at = *trace.last().expect("the trace begins with the entry");
        let mut chosen = Vec::new();
        for i in f.phis(at) {
            let entry = f.phi_entries(i).find(|(p, _)| *p == came_from);
            let (_, o) = entry.expect("a phi has an entry for each predecessor");
            chosen.push((f.def(i).expect("a phi assigns"), read(f, &regs, o)));
        }
        chosen.into_iter().for_each(|(r, v)| regs[r.index()] = v);
        for i in f.layout().insts(at) {
            match step(f, i, &mut regs, &mut memory) {
                Ok(None) => {}
                Ok(Some(next)) => {
                    came_from = at;
                    trace.push(next);
                }
                Err(end) => return (trace, end),
            }
        }
    }
    (trace, End::StillRunning)
}

fn read(f: &Function, regs: &[u64], o: Operand) -> u64 {
    match o.kind() {
        OperandKind::Reg(r) => regs[r.index()],
        OperandKind::Small(_) | OperandKind::Pool(_) => I32.as_word().truncate(f.constant(o).unwrap() as u64),
        OperandKind::WidePool(_) | OperandKind::Sym(_) | OperandKind::Obj(_) | OperandKind::None => 0,
    }
}

/// Runs one instruction, phis excepted: the next block, or how the run ends.
fn step(f: &Function, i: Inst, regs: &mut [u64], memory: &mut [u64]) -> Result<Option<Block>, End> {
    let d = f.inst(i);
    let w = d.ty.as_word();
    let succs = f.succs(f.layout().block_of(i).unwrap());
    let address = |regs: &[u64]| match f.mem(i).base {
        Base::Obj(o) => o.index() as u64,
        Base::Reg(r) => regs[r.index()],
        Base::Sym(_) | Base::None => unreachable!("not generated"),
    };
    let reads_b = matches!(d.op.format(), Format::Binary | Format::Compare | Format::Branch);
    let reads_a = reads_b || !matches!(d.op.format(), Format::Phi | Format::Address | Format::Load | Format::Store);
    let a = if reads_a { read(f, regs, d.first()) } else { 0 };
    let b = if reads_b { read(f, regs, d.second()) } else { 0 };
    let result = match d.op.format() {
        Format::Phi => return Ok(None),
        Format::Address => address(regs),
        Format::Load => memory[address(regs) as usize],
        Format::Store => {
            memory[address(regs) as usize] = read(f, regs, d.stored());
            return Ok(None);
        }
        Format::Jump => return Ok(Some(succs[0])),
        Format::Branch => return Ok(Some(succs[usize::from(!compare::holds(d.predicate(), w, a, b))])),
        Format::Switch => {
            let case = f.switch_cases(i).position(|c| read(f, regs, c) == a);
            return Ok(Some(succs[case.map_or(0, |k| k + 1)]));
        }
        Format::Return => return Err(End::Returned(a)),
        Format::Select => {
            let (x, y) = f.operands_bc(i);
            eval(d.op, w, d.aux(), [a, read(f, regs, x), read(f, regs, y)]).map_err(End::Trapped)?
        }
        Format::Const => a,
        _ if is_value_op(d.op) => eval(d.op, w, d.aux(), [a, b, 0]).map_err(End::Trapped)?,
        _ => unreachable!("not generated"),
    };
    regs[f.def(i).expect("a value is assigned").index()] = result;
    Ok(None)
}

/// Arguments that lead along different paths.
pub const ARGUMENTS: [[u64; 2]; 4] = [[0, 0], [1, 0xFFFF_FFFF], [7, 3], [0x8000_0000, 2]];

/// The variables in the order of their registers.
pub const PLAIN_ORDER: [usize; VARIABLES] = [0, 1, 2, 3, 4, 5];

//! Functions that call themselves, a few calls deep: at the end, before one operation, or twice.

use super::Generator;
use crate::Rng;
use crate::constants::constant_bits;
use crate::surroundings::{Callee, ParamKind, Purity, Shape};
use lir_syntax::ir::builder::FunctionBuilder;
use lir_syntax::ir::{AbiParam, Attrs, CallArg, Decls, Ext, IntCC, Module, Opcode, Reg, Signature, Sym, Type};

/// Calls nest less deep.
const MAX_DEPTH: i64 = 8;
/// A bound of the instructions that a call executes, if each activation calls twice.
const STEPS: u64 = 24 << MAX_DEPTH;

/// The operations that follow a call in the body.
const AFTER: [Opcode; 6] = [Opcode::Add, Opcode::Mul, Opcode::And, Opcode::Or, Opcode::Xor, Opcode::Sub];

impl Generator<'_> {
    /// Makes a function that calls itself, with its body. Its first parameter is the number of times.
    pub(super) fn recursive(&mut self) -> Callee {
        let ty = self.rng.pick(&[Type::I8, Type::I16, Type::I32, Type::I64]);
        let scalar = |ty| AbiParam::Scalar(ty, Ext::None);
        let mut params = vec![scalar(Type::I32)];
        params.extend((0..self.rng.range(1, 3)).map(|_| scalar(ty)));
        let pure = Attrs::READNONE.or(Attrs::WILLRETURN);
        let attrs = self.rng.pick(&[Attrs::NONE, Attrs::NONE, Attrs::NOINLINE, Attrs::INLINE, pure]);
        let sig = Signature { params: params.clone(), variadic: false, result: Some(scalar(ty)), attrs };
        let kinds = params.into_iter().map(ParamKind::Value).collect();
        let shape = Shape { sig, kinds, variable: Vec::new(), purity: Purity::ReadNone, result_written: None };
        let callee = Callee { steps: STEPS, ..self.declare("again", shape) };
        let Module { decls, funcs, .. } = &mut self.module;
        let b = FunctionBuilder::new(&mut funcs[callee.id]);
        RecursiveBody { decls, rng: &mut self.rng, b, ty, sym: callee.sym, params: callee.kinds.len() }.make();
        callee
    }
}

struct RecursiveBody<'a> {
    decls: &'a Decls,
    rng: &'a mut Rng,
    b: FunctionBuilder<'a>,
    /// The type of all parameters except the first, and of the result.
    ty: Type,
    sym: Sym,
    params: usize,
}

impl RecursiveBody<'_> {
    fn make(mut self) {
        let [entry, test, more, done] = ["entry", "test", "more", "done"].map(|label| self.b.block(label));
        let n = self.b.param(0);
        self.b.switch_to(entry);
        // If the parameter is not a small number there is no call.
        self.b.branch(IntCC::Ult, n, MAX_DEPTH, test, done);
        self.b.switch_to(test);
        self.b.branch(IntCC::Eq, n, 0, done, more);
        self.b.switch_to(more);
        let left = self.b.binary(Opcode::Sub, Type::I32, n, 1);
        let mut result = self.call(left);
        if self.rng.chance(20) {
            let second = self.call(left);
            result = self.operation(result, second);
        } else if self.rng.chance(60) {
            let x = self.param();
            result = self.operation(result, x);
        }
        let (here, base) = (more, self.param());
        if self.rng.chance(50) {
            let exit = self.b.block("exit");
            self.b.jmp(exit);
            self.b.switch_to(done);
            self.b.jmp(exit);
            self.b.switch_to(exit);
            let r = self.b.phi(self.ty, &[(here, result.into()), (done, base.into())]);
            self.b.ret(r);
        } else {
            self.b.ret(result);
            self.b.switch_to(done);
            self.b.ret(base);
        }
    }
    fn param(&mut self) -> Reg {
        let k = self.rng.range(1, self.params - 1);
        self.b.param(k)
    }
    fn operation(&mut self, a: Reg, b: Reg) -> Reg {
        let (a, b) = if self.rng.chance(50) { (a, b) } else { (b, a) };
        let op = self.rng.pick(&AFTER);
        self.b.binary(op, self.ty, a, b)
    }
    /// Makes a call of the function by itself. Its parameters are as they are, in other positions, or changed.
    fn call(&mut self, left: Reg) -> Reg {
        let mut args = vec![CallArg::Reg(left, Ext::None)];
        for k in 1..self.params {
            let arg = match self.rng.below(4) {
                0 => self.b.param(k),
                1 => self.param(),
                2 => {
                    let c = constant_bits(self.rng, self.ty);
                    let (x, op) = (self.param(), self.rng.pick(&AFTER));
                    self.b.binary(op, self.ty, x, self.ty.constant_payload(c))
                }
                _ => {
                    let (x, y) = (self.param(), self.param());
                    self.operation(x, y)
                }
            };
            args.push(CallArg::Reg(arg, Ext::None));
        }
        self.b.call(self.decls, self.sym, &args, None).expect("the function has a result")
    }
}

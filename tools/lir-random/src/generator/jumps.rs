//! Two functions that replace each other on the stack by calls that are jumps, with arguments in registers and memory
//! that change places.

use super::Generator;
use crate::surroundings::ENTRY;
use lir_syntax::ir::builder::{FunctionBuilder, Value};
use lir_syntax::ir::{AbiParam, Attrs, Base, CallArg, Ext, FuncId, IntCC, Mem, Module, Opcode, Reg, Signature, Type};

/// The jumps of a run are fewer than this, a power of two.
const MOST_JUMPS: i64 = 64;

impl Generator<'_> {
    /// Makes the functions, and one to be called from outside, which calls the first.
    pub(super) fn jumps(&mut self) {
        let mut of_params = vec![Type::I64];
        // Both halves are in registers, so that the calls can be jumps.
        if self.rng.chance(25) {
            of_params.push(Type::I128);
        }
        let result = if self.rng.chance(25) { Type::I128 } else { Type::I64 };
        for _ in 0..self.rng.below(10) {
            of_params.push(self.rng.pick(&[Type::I64, Type::I64, Type::I32, Type::I8, Type::F64]));
        }
        if !self.config.floats {
            of_params.retain(|ty| ty.is_int());
        }
        let pair = ["jumps", "jumps_back"].map(|name| {
            let attrs = self.rng.pick(&[Attrs::NONE, Attrs::NONE, Attrs::NOINLINE]);
            self.module.define_func(name, signature(&of_params, result, attrs))
        });
        self.jumping(pair, &of_params, result);
        self.jumping([pair[1], pair[0]], &of_params, result);
        let entry = self.module.define_func(&format!("{ENTRY}_jumps"), signature(&[Type::I64], Type::I64, Attrs::NONE));
        let Module { decls, funcs, .. } = &mut self.module;
        let first = funcs[pair[0]].sym;
        let mut b = FunctionBuilder::new(&mut funcs[entry]);
        let block = b.block("entry");
        b.switch_to(block);
        let x = b.param(0);
        let mut args = vec![b.binary(Opcode::And, Type::I64, x, MOST_JUMPS - 1)];
        for &ty in &of_params[1..] {
            args.push(match ty {
                Type::F64 => b.convert(Opcode::Sitofp, Type::I64, x, ty),
                Type::I64 => b.binary(Opcode::Add, ty, x, args.len() as i64),
                Type::I128 => {
                    let wide = b.sext(x, ty);
                    b.mul(wide, i64::MAX)
                }
                _ => b.convert(Opcode::Trunc, Type::I64, x, ty),
            });
        }
        let result = b.call(decls, first, &in_registers(&args), None).expect("it gives a number");
        let word = if b.func.type_of(result) == Type::I64 { result } else { folded(&mut b, result) };
        b.ret(word);
    }
    /// Makes a body of the first function that jumps to the second one until its first parameter is 0.
    fn jumping(&mut self, [id, other]: [FuncId; 2], of_params: &[Type], result: Type) {
        let through_register = self.config.indirect_calls && self.rng.chance(40);
        let has_memory = self.config.memory && self.rng.chance(50);
        let is_dynamic = has_memory && self.config.allocas && self.rng.chance(50);
        let sources: Vec<usize> = of_params.iter().map(|ty| self.parameter_of(of_params, *ty)).collect();
        let rng = &mut self.rng;
        let Module { decls, funcs, .. } = &mut self.module;
        let (callee, sig) = (funcs[other].sym, signature(of_params, result, Attrs::NONE));
        let mut b = FunctionBuilder::new(&mut funcs[id]);
        let [entry, done, more] = ["entry", "done", "more"].map(|label| b.block(label));
        b.switch_to(entry);
        let params: Vec<Reg> = (0..of_params.len()).map(|k| b.param(k)).collect();
        let mut left = params[0];
        if has_memory {
            // The frame is needed for a value that passes through it.
            let at = match is_dynamic {
                true => b.alloca(24, 16),
                false => {
                    let object = b.stack_object("o", 24, None);
                    b.lea(Mem::obj(object, 0))
                }
            };
            b.store(Type::I64, Mem::base_disp(Base::Reg(at), 8), left);
            left = b.load(Type::I64, Mem::base_disp(Base::Reg(at), 8));
        }
        b.branch(IntCC::Eq, left, 0, done, more);
        b.switch_to(done);
        let mut sum = sum_of(&mut b, &params, of_params);
        if result == Type::I128 {
            let wide = b.sext(sum, result);
            sum = b.mul(wide, i64::MIN + 1);
        }
        b.ret(sum);
        b.switch_to(more);
        let mut args = vec![b.binary(Opcode::Sub, Type::I64, left, 1)];
        for (&ty, &source) in of_params.iter().zip(&sources).skip(1) {
            let r = params[source];
            let changes = ty.is_int() && rng.chance(40);
            args.push(if changes { b.binary(Opcode::Add, ty, r, Value::Int(3)) } else { r });
        }
        let args = in_registers(&args);
        let result = if through_register {
            let address = b.lea(Mem::sym(callee, 0));
            b.must_tail().call_indirect(&sig, address, &args, None)
        } else {
            b.must_tail().call(decls, callee, &args, None)
        };
        b.ret(result.expect("it gives a number"));
    }
    /// Draws a parameter of a type.
    fn parameter_of(&mut self, of_params: &[Type], ty: Type) -> usize {
        let fit: Vec<usize> = (0..of_params.len()).filter(|k| of_params[*k] == ty).collect();
        self.rng.pick(&fit)
    }
}

/// Returns a number that depends on all parameters.
fn sum_of(b: &mut FunctionBuilder<'_>, params: &[Reg], of_params: &[Type]) -> Reg {
    let mut sum = params[0];
    for (&r, &ty) in params.iter().zip(of_params).skip(1) {
        let word = match ty {
            Type::I64 => r,
            Type::F64 => b.convert(Opcode::Bitcast, ty, r, Type::I64),
            Type::I128 => folded(b, r),
            _ => b.convert(Opcode::Zext, ty, r, Type::I64),
        };
        let scaled = b.binary(Opcode::Mul, Type::I64, sum, 31);
        sum = b.binary(Opcode::Add, Type::I64, scaled, word);
    }
    sum
}

/// Returns a number that depends on both halves of an i128.
fn folded(b: &mut FunctionBuilder<'_>, r: Reg) -> Reg {
    let high = b.lshr(r, 64);
    let both = b.xor(r, high);
    b.trunc(both, Type::I64)
}

/// Returns a signature with a number of this type as the result.
fn signature(of_params: &[Type], result: Type, attrs: Attrs) -> Signature {
    let params = of_params.iter().map(|ty| AbiParam::Scalar(*ty, Ext::None)).collect();
    Signature { params, variadic: false, result: Some(AbiParam::Scalar(result, Ext::None)), attrs }
}

fn in_registers(arguments: &[Reg]) -> Vec<CallArg> {
    arguments.iter().map(|r| CallArg::Reg(*r, Ext::None)).collect()
}

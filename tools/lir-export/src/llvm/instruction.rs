//! Instructions on constants, integers and floats; comparisons and `select`. Other instructions have separate files.

use super::function::{FunctionWriter, Trap};
use super::types::{constant, type_name};
use lir_syntax::ir::{Block, Comparison, Inst, InstView, Opcode, Operand, Predicate, Type};

impl FunctionWriter<'_, '_> {
    /// Translates an instruction of a block.
    pub(super) fn instruction(&mut self, b: Block, i: Inst) {
        let d = *self.f.inst(i);
        match self.f.view(i) {
            InstView::Const(a) => self.copy(i, d.ty, a),
            InstView::Unary(a) if d.ty.is_int() => self.integer_of_one(i, a),
            InstView::Unary(a) => self.float_of_one(i, a),
            InstView::Binary(x, y) if d.ty.is_int() => self.integer_of_two(i, x, y),
            InstView::Binary(x, y) => self.float_of_two(i, x, y),
            InstView::Ternary(x, y, z) => {
                let t = type_name(d.ty);
                let (x, y, z) = (self.value(x, d.ty), self.value(y, d.ty), self.value(z, d.ty));
                let f = self.intrinsic("fma", d.ty, &format!("{t}, {t}, {t}"));
                self.assign(i, format_args!("call {t} {f}({t} {x}, {t} {y}, {t} {z})"));
            }
            InstView::Select { condition, then, otherwise } => self.select(i, condition, then, otherwise),
            InstView::Compare(c) => {
                let holds = self.comparison(c);
                self.assign(i, format_args!("zext i1 {holds} to i8"));
            }
            InstView::Assume(c) => {
                let holds = self.comparison(c);
                let f = self.shared.declare("llvm.assume", "void", "i1", "");
                self.line(format_args!("call void {f}(i1 {holds})"));
            }
            InstView::Convert { value, to } => self.convert(i, value, to),
            InstView::Address(m) => self.lea(i, m),
            InstView::Load(m) if d.op == Opcode::VaArg => self.next_argument(i, m),
            InstView::Load(m) => self.load(i, m),
            InstView::Store { mem, value } => self.store(&d, mem, value),
            InstView::AtomicLoad(_)
            | InstView::AtomicStore { .. }
            | InstView::AtomicUpdate { .. }
            | InstView::AtomicExchange { .. }
            | InstView::Fence => self.atomic(i),
            InstView::Alloca { size, alignment } => self.dynamic_memory(i, size, alignment),
            InstView::Nullary => self.save_stack(i),
            InstView::Consume(a) => self.restore_stack(a),
            InstView::MemCopy { to, from, length } => self.copy_bytes(d.op, to, from, length),
            InstView::MemFill { to, byte, length } => self.fill(to, byte, length),
            InstView::MemOnly(m) => self.list_of_one(d.op, m),
            InstView::MemPair { to, from } => self.copy_list(to, from),
            InstView::AggMemPair { agg, to, from } => self.next_aggregate(agg, to, from),
            InstView::Call { callee } => self.call(i, callee),
            InstView::Phi => self.defer_phi(i),
            InstView::Jump
            | InstView::Branch(_)
            | InstView::Switch(_)
            | InstView::Return(_)
            | InstView::AggReturn { .. }
            | InstView::Stop => self.terminator(b, i),
        }
    }

    /// Declares an intrinsic on one type, and returns its name for calls.
    pub(super) fn intrinsic(&mut self, name: &str, ty: Type, parameters: &str) -> String {
        let name = format!("llvm.{name}.{}", ty.name());
        self.shared.declare(&name, type_name(ty), parameters, "")
    }
    /// Calls an intrinsic whose operands and result have one type.
    fn call_intrinsic(&mut self, i: Inst, name: &str, operands: &[&str]) {
        let ty = self.f.inst(i).ty;
        let t = type_name(ty);
        let types = vec![t; operands.len()].join(", ");
        let f = self.intrinsic(name, ty, &types);
        let list: Vec<String> = operands.iter().map(|o| format!("{t} {o}")).collect();
        self.assign(i, format_args!("call {t} {f}({})", list.join(", ")));
    }
    /// Copies a value: LLVM's only instruction for that is a cast to the same type.
    pub(super) fn copy(&mut self, i: Inst, ty: Type, a: Operand) {
        let (t, a) = (type_name(ty), self.value(a, ty));
        self.assign(i, format_args!("bitcast {t} {a} to {t}"));
    }

    fn integer_of_one(&mut self, i: Inst, a: Operand) {
        let d = *self.f.inst(i);
        let (t, v) = (type_name(d.ty), self.value(a, d.ty));
        match d.op {
            Opcode::Neg => self.assign(i, format_args!("sub {t} 0, {v}")),
            Opcode::Not => self.assign(i, format_args!("xor {t} {v}, -1")),
            Opcode::Clz | Opcode::Ctz => {
                let name = if d.op == Opcode::Clz { "ctlz" } else { "cttz" };
                let f = self.intrinsic(name, d.ty, &format!("{t}, i1 immarg"));
                self.assign(i, format_args!("call {t} {f}({t} {v}, i1 false)"));
            }
            Opcode::Popcnt => self.call_intrinsic(i, "ctpop", &[&v]),
            Opcode::Bswap if d.ty != Type::I8 => self.call_intrinsic(i, "bswap", &[&v]),
            Opcode::Bswap | Opcode::Copy => self.copy(i, d.ty, a),
            other => unreachable!("{other:?} is not an operation of one integer"),
        }
    }

    fn integer_of_two(&mut self, i: Inst, x: Operand, y: Operand) {
        let d = *self.f.inst(i);
        let t = type_name(d.ty);
        let (a, b) = (self.value(x, d.ty), self.value(y, d.ty));
        match d.op {
            Opcode::Add | Opcode::Sub | Opcode::Mul | Opcode::And | Opcode::Or | Opcode::Xor => {
                self.assign(i, format_args!("{} {t} {a}, {b}", d.op.info().mnemonic));
            }
            Opcode::Shl | Opcode::Lshr | Opcode::Ashr => {
                let by = self.shift_amount(y, d.ty);
                self.assign(i, format_args!("{} {t} {a}, {by}", d.op.info().mnemonic));
            }
            Opcode::Rotl => self.call_intrinsic(i, "fshl", &[&a, &a, &b]),
            Opcode::Rotr => self.call_intrinsic(i, "fshr", &[&a, &a, &b]),
            Opcode::Smin | Opcode::Smax | Opcode::Umin | Opcode::Umax => {
                self.call_intrinsic(i, d.op.info().mnemonic, &[&a, &b]);
            }
            Opcode::Smulh | Opcode::Umulh => self.high_half(i, &a, &b),
            Opcode::Sdiv | Opcode::Udiv | Opcode::Srem | Opcode::Urem => self.divide(i, x, y),
            Opcode::SaddO | Opcode::UaddO | Opcode::SsubO | Opcode::UsubO | Opcode::SmulO | Opcode::UmulO => {
                self.overflows(i, &a, &b);
            }
            other => unreachable!("{other:?} is not an operation of two integers"),
        }
    }
    /// Returns the amount of a shift modulo the width.
    fn shift_amount(&mut self, by: Operand, ty: Type) -> String {
        let mask = i64::from(ty.bits()) - 1;
        match self.f.wide_constant(by) {
            Some(k) => (k & i128::from(mask)).to_string(),
            None => {
                let by = self.value(by, ty);
                self.step(format_args!("and {} {by}, {mask}", type_name(ty)))
            }
        }
    }
    /// Computes the product in twice the width, and takes its upper half.
    fn high_half(&mut self, i: Inst, a: &str, b: &str) {
        let d = *self.f.inst(i);
        let (t, bits) = (type_name(d.ty), d.ty.bits());
        let wide = 2 * bits;
        let extend = if d.op == Opcode::Smulh { "sext" } else { "zext" };
        let a = self.step(format_args!("{extend} {t} {a} to i{wide}"));
        let b = self.step(format_args!("{extend} {t} {b} to i{wide}"));
        let product = self.step(format_args!("mul i{wide} {a}, {b}"));
        let high = self.step(format_args!("lshr i{wide} {product}, {bits}"));
        self.assign(i, format_args!("trunc i{wide} {high} to {t}"));
    }
    /// Translates `sadd_o` and the like into the second component of LLVM's intrinsics.
    fn overflows(&mut self, i: Inst, a: &str, b: &str) {
        let d = *self.f.inst(i);
        let t = type_name(d.ty);
        let word = d.op.info().mnemonic.trim_end_matches("_o");
        let name = format!("llvm.{word}.with.overflow.{t}");
        let f = self.shared.declare(&name, &format!("{{ {t}, i1 }}"), &format!("{t}, {t}"), "");
        let both = self.step(format_args!("call {{ {t}, i1 }} {f}({t} {a}, {t} {b})"));
        let flag = self.step(format_args!("extractvalue {{ {t}, i1 }} {both}, 1"));
        self.assign(i, format_args!("zext i1 {flag} to i8"));
    }

    /// Translates a division: after tests for the traps, and with a divisor for which LLVM defines the result.
    fn divide(&mut self, i: Inst, x: Operand, y: Operand) {
        let d = *self.f.inst(i);
        let t = type_name(d.ty);
        let (a, mut b) = (self.value(x, d.ty), self.value(y, d.ty));
        let divisor = self.f.wide_constant(y);
        if divisor.is_none_or(|k| k == 0) {
            let zero = self.step(format_args!("icmp eq {t} {b}, 0"));
            self.trap_if(&zero, Trap::DivByZero);
        }
        let may_be_minus_one = divisor.is_none_or(|k| k == -1);
        if may_be_minus_one && d.op == Opcode::Sdiv {
            let least = i128::MIN >> (128 - d.ty.bits());
            let is_least = self.step(format_args!("icmp eq {t} {a}, {least}"));
            let is_minus_one = self.step(format_args!("icmp eq {t} {b}, -1"));
            let both = self.step(format_args!("and i1 {is_least}, {is_minus_one}"));
            self.trap_if(&both, Trap::IntOverflow);
        }
        if may_be_minus_one && d.op == Opcode::Srem {
            // The remainder by 1 is also 0.
            let is_minus_one = self.step(format_args!("icmp eq {t} {b}, -1"));
            b = self.step(format_args!("select i1 {is_minus_one}, {t} 1, {t} {b}"));
        }
        self.assign(i, format_args!("{} {t} {a}, {b}", d.op.info().mnemonic));
    }
    /// Ends a block of LLVM with a trap if the condition holds.
    fn trap_if(&mut self, condition: &str, trap: Trap) {
        let (trap, next) = (self.trap_label(trap), self.new_label());
        self.line(format_args!("br i1 {condition}, label %{trap}, label %{next}"));
        self.begin(&next);
    }

    fn float_of_one(&mut self, i: Inst, a: Operand) {
        let d = *self.f.inst(i);
        let v = self.value(a, d.ty);
        match d.op {
            Opcode::Fneg => self.assign(i, format_args!("fneg {} {v}", type_name(d.ty))),
            Opcode::Fabs => self.call_intrinsic(i, "fabs", &[&v]),
            Opcode::Fsqrt => self.call_intrinsic(i, "sqrt", &[&v]),
            Opcode::Fceil => self.call_intrinsic(i, "ceil", &[&v]),
            Opcode::Ffloor => self.call_intrinsic(i, "floor", &[&v]),
            Opcode::Ftrunc => self.call_intrinsic(i, "trunc", &[&v]),
            Opcode::Fnearest => self.call_intrinsic(i, "roundeven", &[&v]),
            Opcode::Copy => self.copy(i, d.ty, a),
            other => unreachable!("{other:?} is not an operation of one float"),
        }
    }
    fn float_of_two(&mut self, i: Inst, x: Operand, y: Operand) {
        let d = *self.f.inst(i);
        let t = type_name(d.ty);
        let (a, b) = (self.value(x, d.ty), self.value(y, d.ty));
        match d.op {
            Opcode::Fmin => self.extreme(i, &a, &b, "olt", "or"),
            Opcode::Fmax => self.extreme(i, &a, &b, "ogt", "and"),
            Opcode::Fcopysign => self.call_intrinsic(i, "copysign", &[&a, &b]),
            Opcode::Fadd | Opcode::Fsub | Opcode::Fmul | Opcode::Fdiv => {
                self.assign(i, format_args!("{} {t} {a}, {b}", d.op.info().mnemonic));
            }
            other => unreachable!("{other:?} is not an operation of two floats"),
        }
    }
    /// Translates `fmin` and `fmax` by comparisons: LLVM before version 17 has no x86-64 code for `llvm.minimum`. Equal
    /// operands have the same bits, or are zeros, whose bits are joined. Arithmetic cannot be used to make a NaN quiet:
    /// LLVM simplifies `x + -0.0` to x.
    fn extreme(&mut self, i: Inst, a: &str, b: &str, first: &str, join: &str) {
        let ty = self.f.inst(i).ty;
        let (t, n) = (type_name(ty), type_name(ty.bits_type()));
        let is_first = self.step(format_args!("fcmp {first} {t} {a}, {b}"));
        let unequal = self.step(format_args!("fcmp one {t} {a}, {b}"));
        let unordered = self.step(format_args!("fcmp uno {t} {a}, {b}"));
        let a_bits = self.step(format_args!("bitcast {t} {a} to {n}"));
        let b_bits = self.step(format_args!("bitcast {t} {b} to {n}"));
        let joined = self.step(format_args!("{join} {n} {a_bits}, {b_bits}"));
        let equal = self.step(format_args!("bitcast {n} {joined} to {t}"));
        let nan = constant(ty, if ty == Type::F32 { 0x7fc0_0000 } else { 0x7ff8 << 48 });
        let extreme = self.step(format_args!("select i1 {is_first}, {t} {a}, {t} {b}"));
        let ordered = self.step(format_args!("select i1 {unequal}, {t} {extreme}, {t} {equal}"));
        self.assign(i, format_args!("select i1 {unordered}, {t} {nan}, {t} {ordered}"));
    }

    fn select(&mut self, i: Inst, condition: Operand, then: Operand, otherwise: Operand) {
        let ty = self.f.inst(i).ty;
        let tested = condition.as_reg().map_or(Type::I8, |r| self.f.type_of(r));
        let (c, t) = (self.value(condition, tested), type_name(ty));
        let holds = self.step(format_args!("icmp ne {} {c}, 0", type_name(tested)));
        let (x, y) = (self.value(then, ty), self.value(otherwise, ty));
        self.assign(i, format_args!("select i1 {holds}, {t} {x}, {t} {y}"));
    }
    /// Returns the `i1` of a comparison.
    pub(super) fn comparison(&mut self, c: Comparison) -> String {
        let (t, a, b) = (type_name(c.ty), self.value(c.a, c.ty), self.value(c.b, c.ty));
        match c.predicate {
            Predicate::Int(p) => self.step(format_args!("icmp {} {t} {a}, {b}", p.name())),
            Predicate::Float(p) => self.step(format_args!("fcmp {} {t} {a}, {b}", p.name())),
        }
    }
}

//! The expansion of a function: its parameters, registers and instructions.

use super::arithmetic::HALF;
use super::signatures::{Wide, is_in_memory};
use super::{Event, arithmetic, has_wide, is_wide_param};
use crate::pass::remarks::Remarks;
use lir_syntax::abi::ArgAssigner;
use lir_syntax::ir::builder::FunctionBuilder;
use lir_syntax::ir::module::Signature;
use lir_syntax::ir::{
    AbiParam, Agg, Base, Block, CallArg, CallInfo, CallResult, Decls, EntitySet, Ext, Function, Inst, InstData,
    InstView, IntCC, Mem, NameRef, Obj, Opcode, Operand, PackedOption, Param, Predicate, Reg, RegData, StackData,
    TailMark, Type,
};
use rustc_hash::FxHashMap;

const HALF_BYTES: i32 = 8;

/// The state of an expansion.
pub(super) struct Expansion<'a> {
    pub(super) decls: &'a Decls,
    pub(super) wide: &'a Wide,
    /// True if the function returns an i128.
    returns_wide: bool,
    /// By register of a low half: the register of the high one.
    high: FxHashMap<Reg, Reg>,
    /// By register of a low half: the name of the i128.
    names: FxHashMap<Reg, NameRef>,
    /// Memory for results: of calls, and of the function.
    result: Option<Obj>,
    /// Memory for arguments that are not in registers, by their position among them.
    arguments: Vec<Obj>,
}

/// Expands a function, whose signature was this one. Returns false if it has no i128.
pub(super) fn expand((decls, wide): (&Decls, &Wide), sig: &Signature, f: &mut Function, remarks: &mut Remarks) -> bool {
    let is_passed = sig.params.iter().chain(&sig.result).any(is_wide_param);
    if !is_passed && !has_wide(f) {
        return false;
    }
    if is_passed {
        remarks.note_here(f, f.terminator(f.entry()), Event::PassedInHalves);
    }
    report(f, remarks);
    let returns_wide = matches!(sig.result, Some(AbiParam::Scalar(Type::I128, _)));
    let registers = registers(f);
    let names = registers.iter().map(|r| (*r, f.regs[*r].name)).collect();
    let high = registers.into_iter().map(|r| (r, split_register(f, r))).collect();
    let mut e = Expansion { decls, wide, returns_wide, high, names, result: None, arguments: Vec::new() };
    e.params(f, sig);
    let all: Vec<Inst> = f.layout().all_insts().collect();
    for i in all {
        e.instruction(f, i);
    }
    true
}

/// Reports the instructions that will be expanded.
fn report(f: &Function, remarks: &mut Remarks) {
    if !remarks.on() {
        return;
    }
    for i in f.layout().all_insts() {
        let mut is_wide = f.inst(i).ty == Type::I128 || f.def(i).is_some_and(|r| f.type_of(r) == Type::I128);
        f.for_each_use(i, |r| is_wide |= f.type_of(r) == Type::I128);
        if is_wide {
            remarks.done(f, i, Event::InHalves);
        }
    }
}

/// Returns the registers of type i128, in the order of their first assignments, which the text shows, unlike ids.
fn registers(f: &Function) -> Vec<Reg> {
    let mut seen = EntitySet::new();
    let defs = f.layout().all_insts().filter_map(|i| f.def(i));
    let assigned = f.param_regs().chain(defs);
    let mut all: Vec<Reg> = assigned.filter(|r| f.type_of(*r) == Type::I128 && seen.insert(*r)).collect();
    // Registers that are read without an assignment, in unreachable blocks.
    all.extend(f.regs.iter().filter(|(r, data)| data.ty == Type::I128 && !seen.contains(*r)).map(|(r, _)| r));
    all
}

/// Makes a register the one of its low half; returns a new one for the high half.
fn split_register(f: &mut Function, r: Reg) -> Reg {
    let RegData { name, .. } = f.regs[r];
    let base = f.names.get(name).to_vec();
    let half = |f: &mut Function, suffix: &[u8]| match base.is_empty() {
        true => RegData { ty: HALF, name: NameRef::NONE },
        false => {
            let half = f.names.add(&[&base, suffix].concat());
            RegData { ty: HALF, name: if name.is_derived() { half.derived() } else { half } }
        }
    };
    f.regs[r] = half(f, b".lo");
    let high = half(f, b".hi");
    f.regs.push(high)
}

/// Returns the constant's halves, the low one first.
pub(super) fn halves_of(f: &mut Function, value: i128) -> [Operand; 2] {
    [f.make_const(value as i64), f.make_const((value >> 64) as i64)]
}

impl Expansion<'_> {
    // ---- Parameters ----

    fn params(&mut self, f: &mut Function, sig: &Signature) {
        let mut assigner = ArgAssigner::for_result(self.decls, sig.result);
        let (mut params, mut in_memory) = (Vec::new(), Vec::new());
        for (&param, &abi) in f.params.clone().iter().zip(&sig.params) {
            let place = assigner.assign(self.decls, abi);
            match param {
                Param::Reg(low) if self.high.contains_key(&low) && is_in_memory(place) => {
                    let name = f.names.add(b"i128.parameter");
                    let object = new_object(f, name, Some(self.wide.pair));
                    params.push(Param::Agg(object));
                    in_memory.push((low, object));
                }
                Param::Reg(low) => {
                    params.push(Param::Reg(low));
                    params.extend(self.high.get(&low).map(|high| Param::Reg(*high)));
                }
                Param::Agg(_) => params.push(param),
            }
        }
        f.params = params;
        let entry = f.entry();
        let first = f.layout().first_inst(entry).expect("a block ends in a terminator");
        for (low, object) in in_memory {
            let mut b = FunctionBuilder::before(f, first);
            self.load(&mut b, low, Mem::obj(object, 0), false);
        }
    }

    // ---- Operands ----

    /// Returns a builder before an instruction. New registers are named after the i128, and not after a half, which is
    /// a variable of debug information.
    fn before<'f>(&self, f: &'f mut Function, i: Inst) -> FunctionBuilder<'f> {
        let name = f.def(i).and_then(|r| self.names.get(&r).copied());
        let mut b = FunctionBuilder::before(f, i);
        b.base_name = name.unwrap_or(b.base_name);
        b
    }
    /// Returns the halves of an operand, the low one first.
    pub(super) fn halves(&self, f: &mut Function, o: Operand) -> [Operand; 2] {
        match o.as_reg() {
            Some(low) => [low, self.high[&low]].map(Operand::reg),
            None => {
                let value = f.wide_constant(o).expect("an operand is a register or a constant");
                halves_of(f, value)
            }
        }
    }
    /// Returns the halves of an operand that is always a register.
    pub(super) fn registers(&self, o: Operand) -> [Reg; 2] {
        let low = o.as_reg().expect("the operand is a register");
        [low, self.high[&low]]
    }
    fn is_wide(&self, o: Operand) -> bool {
        o.as_reg().is_some_and(|r| self.high.contains_key(&r))
    }

    // ---- Instructions ----

    fn instruction(&mut self, f: &mut Function, i: Inst) {
        let d = *f.inst(i);
        match f.view(i) {
            InstView::Phi if d.ty == Type::I128 => self.phi(f, i),
            InstView::Call { callee } => self.call(f, i, callee),
            InstView::Return(Some(value)) if self.returns_wide => self.ret(f, i, value),
            InstView::Select { condition, .. } if self.is_wide(condition) => {
                let [low, high] = self.registers(condition);
                let mut b = self.before(f, i);
                let either = b.or(low, high);
                f.replace_inst(i, d.with_first(either));
                self.instruction(f, i);
            }
            InstView::Load(mem) if d.ty == Type::I128 => {
                let low = f.def(i).expect("a load has a result");
                let mut b = self.before(f, i);
                self.load(&mut b, low, mem, d.is_volatile());
                f.remove_inst(i);
            }
            InstView::Store { mem, value } if d.ty == Type::I128 => {
                let halves = self.halves(f, value);
                let mut b = self.before(f, i);
                store(&mut b, mem, halves, d.is_volatile());
                f.remove_inst(i);
            }
            InstView::Branch(c) if d.ty == Type::I128 => {
                let second = self.halves(f, c.b);
                let predicate = int_predicate(c.predicate);
                let mut b = self.before(f, i);
                let holds = arithmetic::comparison(&mut b, predicate, self.registers(c.a), second);
                f.replace_inst(i, InstData::branch_on(Operand::reg(holds), Type::I8));
            }
            InstView::Compare(c) if d.ty == Type::I128 => {
                let second = self.halves(f, c.b);
                let predicate = int_predicate(c.predicate);
                let mut b = self.before(f, i);
                let holds = arithmetic::comparison(&mut b, predicate, self.registers(c.a), second);
                let dst = f.def(i);
                f.replace_inst(i, InstData::move_of(Type::I8, Operand::reg(holds)).with_result(dst));
            }
            InstView::Convert { value, to } if d.ty == Type::I128 => {
                let [low, _] = self.registers(value);
                let dst = f.def(i);
                let data = match to {
                    Type::I64 => InstData::move_of(HALF, Operand::reg(low)),
                    _ => InstData::convert(d.op, HALF, to, low),
                };
                f.replace_inst(i, data.with_result(dst));
            }
            InstView::Convert { value, to: Type::I128 } => self.extension(f, i, value),
            _ if d.ty == Type::I128 && d.op.has_result() => self.computation(f, i),
            _ => {}
        }
    }

    /// Expands an instruction that computes an i128 from operands of this type.
    fn computation(&mut self, f: &mut Function, i: Inst) {
        let (d, view) = (*f.inst(i), f.view(i));
        let (a, second) = match view {
            InstView::Const(a) | InstView::Unary(a) => (a, None),
            InstView::Binary(a, b) => (a, Some(b)),
            InstView::Select { then, otherwise, .. } => (then, Some(otherwise)),
            _ => unreachable!("`{}` has no form for i128", d.op.mnemonic()),
        };
        let amount = second.and_then(|b| f.wide_constant(b));
        let (first, b) = (self.halves(f, a), second.map(|b| self.halves(f, b)));
        let mut e = self.before(f, i);
        let result = match (view, b) {
            (InstView::Const(_), _) => first,
            (InstView::Select { condition, .. }, Some(_)) => {
                let condition = condition.as_reg().expect("a condition is a register");
                let (then, otherwise) = (self.registers(a), self.registers(second.expect("it has two values")));
                [0, 1].map(|k| Operand::reg(e.select(condition, then[k], otherwise[k])))
            }
            (_, None) => arithmetic::unary(&mut e, d.op, self.registers(a)),
            (_, Some(b)) => match d.op {
                Opcode::Sdiv | Opcode::Udiv | Opcode::Srem | Opcode::Urem => {
                    self.division(&mut e, d.op, self.registers(a), b)
                }
                Opcode::Shl | Opcode::Lshr | Opcode::Ashr => {
                    arithmetic::shift(&mut e, d.op, self.registers(a), b[0], amount)
                }
                _ => arithmetic::binary(&mut e, d.op, self.registers(a), b),
            },
        };
        let low = e.func.def(i).expect("it has a result");
        self.assign(&mut e, low, result);
        f.remove_inst(i);
    }

    /// Assigns both halves of a register. A half that the other assignment would overwrite is saved first.
    fn assign(&self, b: &mut FunctionBuilder<'_>, low: Reg, result: [Operand; 2]) {
        let registers = [low, self.high[&low]];
        let saved = result.map(|o| match o.as_reg() {
            Some(r) if registers.contains(&r) => Operand::reg(b.copy(r)),
            _ => o,
        });
        for (r, half) in registers.into_iter().zip(saved) {
            b.define(HALF, InstData::move_of(HALF, half).with_result(r));
        }
    }

    fn extension(&self, f: &mut Function, i: Inst, value: Operand) {
        let (d, low) = (*f.inst(i), f.def(i).expect("a conversion has a result"));
        let value = value.as_reg().expect("a converted value is a register");
        let mut b = self.before(f, i);
        let half = if d.ty == HALF { value } else { b.convert_with(d.op, d.promises(), d.ty, value, HALF) };
        let high = match d.op {
            Opcode::Sext => Operand::reg(b.ashr(half, 63)),
            _ => b.operand(HALF, 0),
        };
        self.assign(&mut b, low, [Operand::reg(half), high]);
        f.remove_inst(i);
    }

    fn phi(&self, f: &mut Function, i: Inst) {
        let low = f.def(i).expect("a phi has a result");
        let entries: Vec<(Block, Operand)> = f.phi_entries(i).collect();
        let entries: Vec<_> = entries.into_iter().map(|(b, o)| (b, self.halves(f, o))).collect();
        for (k, r) in [low, self.high[&low]].into_iter().enumerate() {
            let of_half: Vec<_> = entries.iter().map(|(b, halves)| (*b, halves[k])).collect();
            let list = f.make_phi(&of_half);
            f.insert_before(i, InstData::new(Opcode::Phi, HALF).with_list(list).with_result(r));
        }
        f.remove_inst(i);
    }

    fn ret(&mut self, f: &mut Function, i: Inst, value: Operand) {
        let halves = self.halves(f, value);
        let object = self.result_object(f);
        let mut b = self.before(f, i);
        store(&mut b, Mem::obj(object, 0), halves, false);
        self.return_object(f, i);
    }
    /// Replaces a return by one of the memory for results.
    fn return_object(&mut self, f: &mut Function, i: Inst) {
        let object = self.result_object(f);
        let mut data = InstData::new(Opcode::RetAgg, Type::I64).with_agg(self.wide.pair);
        f.set_mem(&mut data, Mem::obj(object, 0));
        f.replace_inst(i, data);
    }

    // ---- Memory ----

    /// Loads both halves of a register.
    fn load(&self, b: &mut FunctionBuilder<'_>, low: Reg, mem: Mem, is_volatile: bool) {
        let places = places(b, mem);
        for (r, mem) in [low, self.high[&low]].into_iter().zip(places) {
            let data = b.func.load(HALF, mem).with_volatile(is_volatile).with_result(r);
            b.define(HALF, data);
        }
    }
    /// Returns the memory for results.
    fn result_object(&mut self, f: &mut Function) -> Obj {
        *self.result.get_or_insert_with(|| {
            let name = f.names.add(b"i128");
            new_object(f, name, None)
        })
    }
    fn argument_object(&mut self, f: &mut Function, position: usize) -> Obj {
        while self.arguments.len() <= position {
            let name = f.names.add(b"i128.argument");
            self.arguments.push(new_object(f, name, None));
        }
        self.arguments[position]
    }

    // ---- Calls ----

    fn call(&mut self, f: &mut Function, i: Inst, callee: Operand) {
        let info = f.call_info(i);
        let is_wide_arg = |a: &CallArg| matches!(a, CallArg::Reg(r, _) if self.high.contains_key(r));
        let returns_wide = matches!(info.result, CallResult::Scalar(Type::I128, _));
        if !returns_wide && !info.args.iter().any(is_wide_arg) {
            return;
        }
        let (mut args, mut fixed, mut in_memory) = (Vec::new(), info.fixed, 0);
        let mut assigner = ArgAssigner::for_result(self.decls, abi_of(info.result));
        for (k, &arg) in info.args.iter().enumerate() {
            let abi = match arg {
                CallArg::Reg(r, _) if self.high.contains_key(&r) => AbiParam::Scalar(Type::I128, Ext::None),
                CallArg::Reg(r, ext) => AbiParam::Scalar(f.type_of(r), ext),
                CallArg::Agg(agg, _) => AbiParam::Agg(agg),
            };
            let place = assigner.assign(self.decls, abi);
            match arg {
                CallArg::Reg(low, _) if self.high.contains_key(&low) && is_in_memory(place) => {
                    let object = self.argument_object(f, in_memory);
                    in_memory += 1;
                    let halves = self.halves(f, Operand::reg(low));
                    store(&mut self.before(f, i), Mem::obj(object, 0), halves, false);
                    args.push(CallArg::Agg(self.wide.pair, Mem::obj(object, 0)));
                }
                CallArg::Reg(low, _) if self.high.contains_key(&low) => {
                    args.extend([low, self.high[&low]].map(|r| CallArg::Reg(r, Ext::None)));
                    fixed += u32::from((k as u32) < info.fixed);
                }
                _ => args.push(arg),
            }
        }
        let (dst, mark) = (f.def(i), f.inst(i).tail_mark());
        let result = if returns_wide { self.result_place(f) } else { info.result };
        let list = f.make_call(&CallInfo { result, args, fixed, variadic: info.variadic });
        let data = InstData::unary(Opcode::Call, Type::I64, callee).with_list(list).with_tail_mark(mark);
        if !returns_wide {
            f.replace_inst(i, data.with_result(dst));
            return;
        }
        if mark != TailMark::None && self.stays_jump(f, i) {
            f.replace_inst(i, data);
            return;
        }
        let mut b = self.before(f, i);
        b.append(data.with_tail_mark(TailMark::None));
        if let (Some(low), CallResult::Agg(_, mem)) = (dst, result) {
            self.load(&mut b, low, mem, false);
        }
        f.remove_inst(i);
    }
    /// True if the return of its result, or of nothing, follows a call of i128. The return is of the memory for results
    /// then, which the call is about to give its result to.
    fn stays_jump(&mut self, f: &mut Function, call: Inst) -> bool {
        let Some(next) = f.layout().next_inst(call) else { return false };
        match f.view(next) {
            InstView::Return(None) => true,
            InstView::Return(Some(value)) if value.is_reg() && value.as_reg() == f.def(call) => {
                self.return_object(f, next);
                true
            }
            _ => false,
        }
    }
    fn result_place(&mut self, f: &mut Function) -> CallResult {
        CallResult::Agg(self.wide.pair, Mem::obj(self.result_object(f), 0))
    }

    /// Divides by a call of the C runtime. A division of 32 bits before it traps where this one does: its divisor is 0
    /// for the divisor 0, -1 if the quotient does not fit, and else 1.
    fn division(&mut self, b: &mut FunctionBuilder<'_>, op: Opcode, a: [Reg; 2], by: [Operand; 2]) -> [Operand; 2] {
        let by = by.map(|half| half.as_reg().unwrap_or_else(|| b.constant(HALF, half)));
        let either = b.or(by[0], by[1]);
        let has_divisor = b.compare(IntCC::Ne, either, 0);
        let mut divisor = b.zext(has_divisor, Type::I32);
        if op == Opcode::Sdiv {
            let both = b.and(by[0], by[1]);
            let of_divisor = b.not(both);
            let of_high = b.xor(a[1], i64::MIN);
            let of_dividend = b.or(of_high, a[0]);
            let outside = b.or(of_divisor, of_dividend);
            let overflows = b.compare(IntCC::Eq, outside, 0);
            let overflows = b.zext(overflows, Type::I32);
            let twice = b.shl(overflows, 1);
            divisor = b.sub(divisor, twice);
        }
        let least = b.constant(Type::I32, i64::from(i32::MIN));
        let trap = if op == Opcode::Sdiv { Opcode::Sdiv } else { Opcode::Udiv };
        b.binary(trap, Type::I32, least, divisor);
        let (object, sym) = (self.result_object(b.func), self.wide.division(op));
        let args = [a[0], a[1], by[0], by[1]].map(|r| CallArg::Reg(r, Ext::None));
        let Some(AbiParam::Agg(agg)) = self.decls.signature(sym).and_then(|sig| sig.result) else {
            unreachable!("the function was declared, and its signature expanded")
        };
        let result = CallResult::Agg(agg, Mem::obj(object, 0));
        let list = b.func.make_call(&CallInfo { result, args: args.to_vec(), fixed: 4, variadic: false });
        b.append(InstData::unary(Opcode::Call, Type::I64, Operand::sym(sym)).with_list(list));
        [0, HALF_BYTES].map(|at| Operand::reg(b.load(HALF, Mem::obj(object, at))))
    }
}

fn int_predicate(predicate: Predicate) -> IntCC {
    predicate.as_int().expect("integers are compared by integer predicates")
}

fn abi_of(result: CallResult) -> Option<AbiParam> {
    match result {
        CallResult::None => None,
        CallResult::Scalar(ty, ext) => Some(AbiParam::Scalar(ty, ext)),
        CallResult::Agg(agg, _) => Some(AbiParam::Agg(agg)),
    }
}

/// Makes a stack object for an i128; a parameter if it has a type.
fn new_object(f: &mut Function, name: NameRef, param: Option<Agg>) -> Obj {
    let (explicit_align, agg) = match param {
        Some(agg) => (None, agg.into()),
        None => (Some(16), PackedOption::NONE),
    };
    f.stack.push(StackData { explicit_align, agg, is_param: param.is_some(), ..StackData::new(name, 16, 16) })
}

/// Returns the memory of both halves.
fn places(b: &mut FunctionBuilder<'_>, mem: Mem) -> [Mem; 2] {
    match mem.disp.checked_add(HALF_BYTES) {
        Some(disp) => [mem, Mem { disp, ..mem }],
        None => {
            let at = b.lea(mem);
            [0, HALF_BYTES].map(|disp| Mem::base_disp(Base::Reg(at), disp))
        }
    }
}

fn store(b: &mut FunctionBuilder<'_>, mem: Mem, halves: [Operand; 2], is_volatile: bool) {
    for (mem, half) in places(b, mem).into_iter().zip(halves) {
        let data = b.func.store(HALF, mem, half).with_volatile(is_volatile);
        b.append(data);
    }
}

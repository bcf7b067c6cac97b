//! Makes modules and functions from a program: for JIT compilers, importers and the generator of random modules.
//!
//! [`Module`](super::Module) declares types, data and functions; a [`FunctionBuilder`] appends instructions to a
//! current block, with one method for each operation and each operand [`Format`](super::Format), and keeps the
//! successors of blocks right. The builder checks only conditions that it relies on itself: the result is verified like
//! any other module.
//!
//! ```
//! use lir_syntax::ir::builder::FunctionBuilder;
//! use lir_syntax::ir::{IntCC, Module, Signature, Type};
//! use lir_syntax::verifier::verify_module;
//!
//! // The sum of the numbers below n.
//! let mut module = Module::default();
//! let id = module.define_func("sum", Signature::of_scalars(&[Type::I32], Some(Type::I32)));
//! let mut b = FunctionBuilder::new(&mut module.funcs[id]);
//! let n = b.param(0);
//! b.name_reg(n, "n");
//! let [entry, head, body, exit] = ["entry", "head", "body", "exit"].map(|name| b.block(name));
//! let (next_i, next_sum) = (b.named_reg(Type::I32, "next_i"), b.named_reg(Type::I32, "next_sum"));
//! b.switch_to(entry);
//! b.jmp(head);
//! b.switch_to(head);
//! let i = b.phi(Type::I32, &[(entry, 0.into()), (body, next_i.into())]);
//! let sum = b.phi(Type::I32, &[(entry, 0.into()), (body, next_sum.into())]);
//! b.name_reg(i, "i");
//! b.name_reg(sum, "sum");
//! b.branch(IntCC::Slt, i, n, body, exit);
//! b.switch_to(body);
//! b.assign(next_sum).add(sum, i);
//! b.assign(next_i).add(i, 1);
//! b.jmp(head);
//! b.switch_to(exit);
//! b.ret(sum);
//!
//! assert_eq!(verify_module(&module, 10), []);
//! assert_eq!(module.to_string(), "\
//! func @sum(%n: i32) -> i32 {
//! entry:
//!   jmp head
//! head:
//!   %i = phi i32 [0, entry], [%next_i, body]
//!   %sum = phi i32 [0, entry], [%next_sum, body]
//!   br slt i32 %i, %n, body, exit
//! body:
//!   %next_sum = add i32 %sum, %i
//!   %next_i = add i32 %i, 1
//!   jmp head
//! exit:
//!   ret %sum
//! }
//! ");
//! ```

mod calls;
mod declarations;
mod foreign;
mod operations;
mod terminators;
pub mod writer;

use super::function::NO_LOC;
use super::inst::{InstData, TailMark};
use super::{
    Block, Comparison, DebugLoc, Decls, Function, Inst, IntCC, Mem, NameRef, Obj, Opcode, Operand, Origin, Param,
    Place, Predicate, Promises, Reg, RegData, ResultRule, StackData, Sym, Type,
};
use writer::{Appended, Entered, Region, Writer};

/// An operand as the methods of [`FunctionBuilder`] take it: a register, or a constant that takes the type of its
/// position.
#[derive(Copy, Clone, PartialEq, Debug)]
pub enum Value {
    /// A register.
    Reg(Reg),
    /// A number: cut to the width of an integer type, converted to a float type.
    Int(i64),
    /// A number for a float type (rounded to f32). Panics if an integer is wanted.
    Float(f64),
    /// These bits of the type.
    Bits(u64),
    /// An operand of the same function. A symbol or stack object is an argument of [`FunctionBuilder::call_with`] only.
    Operand(Operand),
}

impl From<Reg> for Value {
    fn from(r: Reg) -> Value {
        Value::Reg(r)
    }
}
impl From<i32> for Value {
    fn from(n: i32) -> Value {
        Value::Int(n as i64)
    }
}
impl From<i64> for Value {
    fn from(n: i64) -> Value {
        Value::Int(n)
    }
}
impl From<f64> for Value {
    fn from(x: f64) -> Value {
        Value::Float(x)
    }
}
impl From<Sym> for Value {
    fn from(s: Sym) -> Value {
        Value::Operand(Operand::sym(s))
    }
}
impl From<Obj> for Value {
    fn from(o: Obj) -> Value {
        Value::Operand(Operand::obj(o))
    }
}
impl From<Operand> for Value {
    fn from(o: Operand) -> Value {
        Value::Operand(o)
    }
}

/// The outcome of appending a guard.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Guarded {
    /// It is a branch, and a new block is current.
    Made,
    /// It always holds: nothing was made, and the same block is current.
    Dropped,
    /// It never holds: it is a jump to the exit, and no block is current.
    Leaves,
}

/// Appends instructions to a current block of a function.
///
/// Registers, stack objects and blocks may have any names: if two share one, or if it cannot be written in text,
/// another is printed. A method that adds an instruction panics if no block is current, as at the start and after each
/// terminator.
pub struct FunctionBuilder<'f> {
    /// The function, for look-ups and whatever the builder has no method for.
    pub func: &'f mut Function,
    /// The origin that new instructions get.
    pub loc: DebugLoc,
    /// The name from which the names of new registers are derived.
    pub base_name: NameRef,
    /// The memory that new instructions access, for a writer.
    pub region: Region,
    block: Option<Block>,
    /// The instruction of the current block before which new ones are inserted. If there is none, they are appended to
    /// the block.
    before: Option<Inst>,
    /// The destination of the next instruction that has one, if [`FunctionBuilder::assign`] was called.
    dst: Option<Reg>,
    /// The next load or store is volatile.
    volatile: bool,
    /// The mark of the next call.
    tail_mark: TailMark,
    last: Option<Inst>,
    /// The block that was ended last.
    ended: Option<Block>,
    writer: Option<&'f mut dyn Writer>,
    /// The declarations of the function's module, for messages.
    decls: Option<&'f Decls>,
}

impl<'f> FunctionBuilder<'f> {
    /// Returns a builder without a current block.
    pub fn new(func: &'f mut Function) -> Self {
        let (loc, base_name) = (DebugLoc::NONE, NameRef::NONE);
        let (region, volatile, ended, writer) = (Region::ANY, false, None, None);
        let tail_mark = TailMark::None;
        FunctionBuilder {
            func,
            loc,
            base_name,
            region,
            block: None,
            before: None,
            dst: None,
            volatile,
            tail_mark,
            last: None,
            ended,
            writer,
            decls: None,
        }
    }
    /// Returns a builder without a current block, whose instructions pass through a writer. A method may then return an
    /// existing register.
    pub fn through(func: &'f mut Function, writer: &'f mut dyn Writer) -> Self {
        FunctionBuilder { writer: Some(writer), ..FunctionBuilder::new(func) }
    }
    /// Returns a builder before an instruction to be replaced: new instructions get its source position, new registers
    /// names derived from the name of its result.
    pub fn before(func: &'f mut Function, at: Inst) -> Self {
        let base_name = func.def(at).map_or(NameRef::NONE, |r| func.regs[r].name);
        let (loc, block, before) = (func.debug_loc(at), func.layout().block_of(at), Some(at));
        FunctionBuilder { loc, base_name, block, before, ..FunctionBuilder::new(func) }
    }

    /// The same builder, which calls the function by its name in messages.
    pub fn with_decls(self, decls: &'f Decls) -> Self {
        FunctionBuilder { decls: Some(decls), ..self }
    }

    // ---- Locations ----

    /// Gives the following instructions a place in the front end's source, or none.
    pub fn place(&mut self, place: Option<Place>) {
        self.loc = self.func.origins.add(Origin { place, ..Origin::of_text(NO_LOC) });
    }

    // ---- Parameters, registers, stack objects, blocks ----

    /// Returns the register of a scalar parameter. Panics if the parameter is an aggregate or does not exist.
    #[track_caller]
    pub fn param(&self, n: usize) -> Reg {
        match self.func.params.get(n) {
            Some(Param::Reg(r)) => *r,
            Some(Param::Agg(_)) => panic!("parameter {n} of {} is an aggregate", self.function_name()),
            None => {
                let (name, count) = (self.function_name(), self.func.params.len());
                panic!("there is no parameter {n} of {name}, which has {count}, counted from 0")
            }
        }
    }
    /// Makes a register without a name of its own: one is chosen when the function is printed.
    pub fn reg(&mut self, ty: Type) -> Reg {
        self.func.new_reg(ty, NameRef::NONE)
    }
    /// Makes a register with this name.
    pub fn named_reg(&mut self, ty: Type, name: &str) -> Reg {
        let name = self.func.names.add(name.as_bytes());
        self.func.regs.push(RegData { ty, name })
    }
    /// Names a register.
    #[track_caller]
    pub fn name_reg(&mut self, r: Reg, name: &str) {
        self.expect_reg(r);
        self.func.regs[r].name = self.func.names.add(name.as_bytes());
    }
    /// Makes a stack object. The alignment is at least 8 if none is given.
    pub fn stack_object(&mut self, name: &str, size: u64, explicit_align: Option<u64>) -> Obj {
        let name = self.func.names.add(name.as_bytes());
        self.func.stack.push(StackData { explicit_align, ..StackData::new(name, size, explicit_align.unwrap_or(8)) })
    }
    /// Makes a new block with this label, after the others. The first one is the entry.
    pub fn block(&mut self, label: &str) -> Block {
        let name = self.func.names.add(label.as_bytes());
        self.func.append_new_block(name)
    }
    /// Makes a new block after the others. Its label is derived from `base` when the function is printed.
    pub fn fresh_block(&mut self, base: &str) -> Block {
        let name = self.func.names.add(base.as_bytes()).derived();
        self.func.append_new_block(name)
    }
    /// Makes a block current: instructions are appended to it.
    #[track_caller]
    pub fn switch_to(&mut self, b: Block) {
        self.enter(b, Entered::FromAnywhere);
    }
    /// Makes a block current whose only predecessor is the block ended last: a writer keeps its facts. No other edge
    /// may ever lead there. Panics if no block was ended.
    #[track_caller]
    pub fn go_on_in(&mut self, b: Block) {
        let from = self.ended.expect("a block was ended");
        self.enter(b, Entered::From(from));
    }
    #[track_caller]
    fn enter(&mut self, b: Block, entered: Entered) {
        self.expect_block(b);
        (self.block, self.before) = (Some(b), None);
        if let Some(w) = &mut self.writer {
            w.enter(self.func, b, entered);
        }
    }
    /// Declares that the following code may run or not, such as the arms of a branch that a front end makes for one of
    /// its operations: a writer neither uses its facts nor adds to them until [`FunctionBuilder::resume`].
    pub fn suspend(&mut self) {
        if let Some(w) = &mut self.writer {
            w.suspend();
        }
    }
    /// Declares that the following code runs whenever the code before [`FunctionBuilder::suspend`] did: every path to
    /// the current block passes it.
    pub fn resume(&mut self) {
        if let Some(w) = &mut self.writer {
            w.resume();
        }
    }
    /// Returns the current block; none at the start and after a terminator.
    pub fn current(&self) -> Option<Block> {
        self.block
    }
    /// Returns the instruction that was added last; none if a writer replaced it.
    pub fn last(&self) -> Option<Inst> {
        self.last
    }
    /// Makes the next instruction assign an existing register instead of a new one. With a writer, which takes
    /// registers that instructions made for values, it must be one of [`FunctionBuilder::reg`] or
    /// [`FunctionBuilder::named_reg`].
    #[track_caller]
    pub fn assign(&mut self, r: Reg) -> &mut Self {
        self.expect_reg(r);
        if let Some(w) = &mut self.writer {
            w.variable(r);
        }
        self.dst = Some(r);
        self
    }

    // ---- Computations ----

    /// Appends `%d = const T K`.
    #[track_caller]
    pub fn constant(&mut self, ty: Type, value: impl Into<Value>) -> Reg {
        let a = self.operand(ty, value);
        self.define(ty, InstData::unary(Opcode::Const, ty, a))
    }
    /// Appends `%d = op T %a`.
    #[track_caller]
    pub fn unary(&mut self, op: Opcode, ty: Type, a: Reg) -> Reg {
        self.define(ty, InstData::unary(op, ty, a))
    }
    /// Appends `%d = op T %a, b`. The result of an overflow test is i8.
    #[track_caller]
    pub fn binary(&mut self, op: Opcode, ty: Type, a: Reg, b: impl Into<Value>) -> Reg {
        let b = self.operand(ty, b);
        let result = if op.info().result == ResultRule::Truth { Type::I8 } else { ty };
        self.define(result, InstData::binary(op, ty, a, b))
    }
    /// Appends `%d = op PROMISES T %a, b`. Panics if the operation has no such promises.
    #[track_caller]
    pub fn binary_with(&mut self, op: Opcode, promises: Promises, ty: Type, a: Reg, b: impl Into<Value>) -> Reg {
        assert!(Promises::of_opcode(op).has(promises), "`{}` has no such promises", op.mnemonic());
        let b = self.operand(ty, b);
        self.define(ty, InstData::binary(op, ty, a, b).with_promises(promises))
    }
    /// Appends `%d = op T %a, %b, %c`.
    #[track_caller]
    pub fn ternary(&mut self, op: Opcode, ty: Type, a: Reg, b: Reg, c: Reg) -> Reg {
        let bc = self.func.make_bc(b.into(), c.into());
        self.define(ty, InstData::unary(op, ty, a).with_list(bc))
    }
    /// Appends `%d = select T %cond, %a, %b`, T being the type of `a`.
    #[track_caller]
    pub fn select(&mut self, cond: Reg, a: Reg, b: Reg) -> Reg {
        self.ternary(Opcode::Select, self.type_of(a), cond, a, b)
    }
    /// Appends `%d = icmp PRED T %a, b`, or `fcmp` of floats. T is the type of `a`; the predicate is one of its class.
    #[track_caller]
    pub fn compare(&mut self, predicate: impl Into<Predicate>, a: Reg, b: impl Into<Value>) -> Reg {
        let comparison = self.comparison(predicate.into(), a, b.into());
        self.define(Type::I8, InstData::compare(comparison))
    }
    /// Appends `assume PRED T %a, b`, of integers. T is the type of `a`.
    #[track_caller]
    pub fn assume(&mut self, predicate: IntCC, a: Reg, b: impl Into<Value>) {
        let comparison = self.comparison(predicate.into(), a, b.into());
        self.append(InstData::assume(comparison));
    }
    /// Appends `%d = op FROM %a to TO`.
    #[track_caller]
    pub fn convert(&mut self, op: Opcode, from: Type, a: Reg, to: Type) -> Reg {
        self.define(to, InstData::convert(op, from, to, a))
    }
    /// Appends `%d = op PROMISES FROM %a to TO`. Panics if the operation has no such promises.
    #[track_caller]
    pub fn convert_with(&mut self, op: Opcode, promises: Promises, from: Type, a: Reg, to: Type) -> Reg {
        assert!(Promises::of_opcode(op).has(promises), "`{}` has no such promises", op.mnemonic());
        self.define(to, InstData::convert(op, from, to, a).with_promises(promises))
    }
    /// Appends `%d = phi T [a, block], ..`. An entry may name a register that is assigned later
    /// ([`FunctionBuilder::assign`]).
    #[track_caller]
    pub fn phi(&mut self, ty: Type, entries: &[(Block, Value)]) -> Reg {
        let mut operands = Vec::with_capacity(entries.len());
        for &(b, v) in entries {
            self.expect_block(b);
            operands.push((b, self.operand(ty, v)));
        }
        let list = self.func.make_phi(&operands);
        self.define(ty, InstData::new(Opcode::Phi, ty).with_list(list))
    }

    // ---- Memory ----

    /// Appends `%d = lea [mem]`.
    #[track_caller]
    pub fn lea(&mut self, mem: Mem) -> Reg {
        let data = self.func.lea(mem);
        self.define(Type::I64, data)
    }
    /// Appends `%d = load T [mem]`.
    #[track_caller]
    pub fn load(&mut self, ty: Type, mem: Mem) -> Reg {
        let volatile = std::mem::take(&mut self.volatile);
        let data = self.func.load(ty, mem).with_volatile(volatile);
        self.define(ty, data)
    }
    /// Appends `store T [mem], v`.
    #[track_caller]
    pub fn store(&mut self, ty: Type, mem: Mem, v: impl Into<Value>) {
        let value = self.operand(ty, v);
        let volatile = std::mem::take(&mut self.volatile);
        let data = self.func.store(ty, mem, value).with_volatile(volatile);
        self.append(data);
    }
    /// Makes the next load or store volatile.
    #[track_caller]
    pub fn volatile(&mut self) -> &mut Self {
        self.volatile = true;
        self
    }
    /// Appends `%d = alloca size, align`. Panics if the alignment is not a power of two.
    #[track_caller]
    pub fn alloca(&mut self, size: impl Into<Value>, align: u64) -> Reg {
        assert!(align.is_power_of_two(), "an alignment is a power of two");
        let a = self.operand(Type::I64, size);
        let aux = align.trailing_zeros() as u8;
        self.define(Type::I64, InstData { a, aux, ..InstData::new(Opcode::Alloca, Type::I64) })
    }
    /// Appends `%d = stack_save`.
    #[track_caller]
    pub fn stack_save(&mut self) -> Reg {
        self.define(Type::I64, InstData::new(Opcode::StackSave, Type::I64))
    }
    /// Appends `stack_restore %a`.
    #[track_caller]
    pub fn stack_restore(&mut self, a: Reg) {
        self.append(InstData { a: Operand::reg(a), ..InstData::new(Opcode::StackRestore, Type::I64) });
    }
    /// Appends `memcpy [dst], [src], size`.
    #[track_caller]
    pub fn memcpy(&mut self, dst: Mem, src: Mem, size: impl Into<Value>) {
        let size = self.operand(Type::I64, size);
        let data = self.func.memcpy(dst, src, size);
        self.append(data);
    }
    /// Appends `memmove [dst], [src], size`.
    #[track_caller]
    pub fn memmove(&mut self, dst: Mem, src: Mem, size: impl Into<Value>) {
        let size = self.operand(Type::I64, size);
        let data = self.func.memmove(dst, src, size);
        self.append(data);
    }
    /// Appends `memset [dst], byte, size`.
    #[track_caller]
    pub fn memset(&mut self, dst: Mem, byte: impl Into<Value>, size: impl Into<Value>) {
        let (byte, size) = (self.operand(Type::I8, byte), self.operand(Type::I64, size));
        let data = self.func.memset(dst, byte, size);
        self.append(data);
    }

    // ---- Parts shared by the methods above ----

    /// Returns the operand for a value in a position of type `ty`.
    #[track_caller]
    pub fn operand(&mut self, ty: Type, value: impl Into<Value>) -> Operand {
        let float = |x: f64| if ty == Type::F32 { (x as f32).to_bits() as u64 } else { x.to_bits() };
        let bits = match value.into() {
            Value::Reg(r) => return Operand::reg(r),
            Value::Operand(o) => return o,
            Value::Int(n) if ty.is_float() => float(n as f64),
            Value::Int(n) => n as u64,
            Value::Float(x) => {
                assert!(ty.is_float(), "a float constant stands where {ty} is wanted");
                float(x)
            }
            Value::Bits(bits) => bits,
        };
        self.func.make_typed_const(ty, bits)
    }
    #[track_caller]
    fn comparison(&mut self, predicate: Predicate, a: Reg, b: Value) -> Comparison {
        let ty = self.type_of(a);
        Comparison { ty, predicate, a: a.into(), b: self.operand(ty, b) }
    }
    #[track_caller]
    fn with_mem(&mut self, mut data: InstData, mem: Mem) -> InstData {
        self.func.set_mem(&mut data, mem);
        data
    }
    /// Appends an instruction with a result, no terminator, whose parts were made by methods of the function. It
    /// assigns the register of [`FunctionBuilder::assign`]; else the one in `data`, which nothing else assigns; else a
    /// new one of this type.
    #[track_caller]
    pub fn define(&mut self, ty: Type, data: InstData) -> Reg {
        let dst = self.dst.take();
        let Some(writer) = self.writer.take() else {
            let r = dst.or(data.result()).unwrap_or_else(|| self.func.new_reg(ty, self.base_name));
            self.append(data.with_result(r));
            return r;
        };
        let r = data.result().unwrap_or_else(|| self.func.new_reg(ty, self.base_name));
        let i = self.put(data.with_result(r));
        let what = Appended { to_variable: dst.is_some(), region: self.region };
        let value = writer.write(self.func, i, what).expect("the instruction has a result");
        self.last = self.func.layout().block_of(i).map(|_| i);
        self.writer = Some(writer);
        match dst {
            Some(variable) => self.move_to(variable, i, r, value),
            None => value,
        }
    }
    /// Assigns `value`, which has replaced the result `r` of `i`, to a variable.
    fn move_to(&mut self, variable: Reg, i: Inst, r: Reg, value: Reg) -> Reg {
        if value == r {
            let data = self.func.inst(i).with_result(variable);
            self.func.replace_inst(i, data);
        } else {
            let ty = self.func.type_of(variable);
            self.last = Some(self.put(InstData::move_of(ty, value.into()).with_result(variable)));
        }
        variable
    }
    /// Appends an instruction without a result, which is not a terminator: see [`FunctionBuilder::define`].
    #[track_caller]
    pub fn append(&mut self, data: InstData) {
        let i = self.put(data);
        self.last = Some(i);
        if let Some(w) = &mut self.writer {
            w.write(self.func, i, Appended { to_variable: false, region: self.region });
        }
    }
    #[track_caller]
    fn put(&mut self, data: InstData) -> Inst {
        let b = self.block.expect("a block is current; none is after a terminator");
        let i = match self.before {
            Some(at) => self.func.insert_before_at(at, data, self.loc),
            None => self.func.append_inst(b, data, self.loc),
        };
        self.expect_operands(i);
        i
    }
}

//! A list of variable arguments that another function reads, while its own frame is where the caller's was or above
//! it: the list has addresses of the caller's frame in it.

use super::Generator;
use crate::surroundings::ENTRY;
use lir_syntax::ir::builder::FunctionBuilder;
use lir_syntax::ir::{
    AbiParam, Attrs, CallArg, Ext, FuncId, Mem, Module, Opcode, Reg, Signature, Sym, Type, VA_LIST_SIZE,
};

/// The size of the object that the reader writes over: more than the frame of the function that made the list.
const OVERWRITTEN: u64 = 384;

/// The location of a list.
#[derive(Copy, Clone)]
enum List {
    /// A data object.
    Data(Sym),
    /// An object of the caller of the variadic function, by address.
    Parameter,
    /// A stack object of the variadic function.
    Frame,
}

impl Generator<'_> {
    /// Makes a variadic function that begins a list and calls last of all another one, which reads it; and a function
    /// to be called from outside, which calls the first.
    pub(super) fn passed_list(&mut self) {
        let list = match self.rng.below(3) {
            0 => List::Data(self.list_data(self.callees.len())),
            1 => List::Parameter,
            _ => List::Frame,
        };
        // Some are in memory.
        let variable = self.rng.range(1, 9);
        let reader = self.reader_of_list(variable);
        let starter = self.starter_of_list(list, reader);
        let id = self.function(&format!("{ENTRY}_list"), false, Attrs::NONE);
        let Module { decls, funcs, .. } = &mut self.module;
        let mut b = FunctionBuilder::new(&mut funcs[id]);
        let entry = b.block("entry");
        b.switch_to(entry);
        let x = b.param(0);
        let first = match list {
            List::Parameter => {
                let object = b.stack_object("list", VA_LIST_SIZE, None);
                b.lea(Mem::obj(object, 0))
            }
            List::Data(_) | List::Frame => x,
        };
        let mut arguments = vec![first];
        for k in 0..variable {
            arguments.push(b.binary(Opcode::Add, Type::I64, x, k as i64));
        }
        let result = b.call(decls, starter, &in_registers(&arguments), None).expect("it gives a number");
        b.ret(result);
    }
    /// Makes a function that reads the arguments of the list at an address.
    fn reader_of_list(&mut self, variable: usize) -> Sym {
        let overwrite = self.function("overwrite", false, Attrs::NOINLINE);
        let mut b = FunctionBuilder::new(&mut self.module.funcs[overwrite]);
        let entry = b.block("entry");
        b.switch_to(entry);
        let at = b.param(0);
        b.memset(Mem::reg(at), 85, OVERWRITTEN as i64);
        b.ret(at);
        let overwrite = self.module.funcs[overwrite].sym;

        let attrs = self.rng.pick(&[Attrs::NONE, Attrs::NOINLINE, Attrs::NOINLINE]);
        let id = self.function("read_list", false, attrs);
        let Module { decls, funcs, .. } = &mut self.module;
        let mut b = FunctionBuilder::new(&mut funcs[id]);
        let entry = b.block("entry");
        b.switch_to(entry);
        let list = Mem::reg(b.param(0));
        let object = b.stack_object("overwritten", OVERWRITTEN, None);
        let at = b.lea(Mem::obj(object, 0));
        b.call(decls, overwrite, &in_registers(&[at]), None);
        let mut sum = b.va_arg(Type::I64, list);
        for k in 1..variable {
            let next = b.va_arg(Type::I64, list);
            let scaled = b.binary(Opcode::Mul, Type::I64, next, 2 * k as i64 + 1);
            sum = b.binary(Opcode::Add, Type::I64, sum, scaled);
        }
        b.ret(sum);
        funcs[id].sym
    }
    /// Makes the variadic function.
    fn starter_of_list(&mut self, list: List, reader: Sym) -> Sym {
        let attrs = self.rng.pick(&[Attrs::NONE, Attrs::NOINLINE]);
        let id = self.function("start_list", true, attrs);
        let marked = self.rng.chance(30);
        let Module { decls, funcs, .. } = &mut self.module;
        let mut b = FunctionBuilder::new(&mut funcs[id]);
        let entry = b.block("entry");
        b.switch_to(entry);
        let list = match list {
            List::Data(sym) => Mem::sym(sym, 0),
            List::Parameter => Mem::reg(b.param(0)),
            List::Frame => Mem::obj(b.stack_object("list", VA_LIST_SIZE, None), 0),
        };
        b.mem_only(Opcode::VaStart, list);
        let at = b.lea(list);
        if marked {
            b.tail();
        }
        let result = b.call(decls, reader, &in_registers(&[at]), None).expect("it gives a number");
        b.ret(result);
        funcs[id].sym
    }
    /// Makes a function of a number, and perhaps of more, that gives a number.
    fn function(&mut self, name: &str, variadic: bool, attrs: Attrs) -> FuncId {
        let number = AbiParam::Scalar(Type::I64, Ext::None);
        let signature = Signature { params: vec![number], variadic, result: Some(number), attrs };
        self.module.define_func(name, signature)
    }
}

fn in_registers(arguments: &[Reg]) -> Vec<CallArg> {
    arguments.iter().map(|r| CallArg::Reg(*r, Ext::None)).collect()
}

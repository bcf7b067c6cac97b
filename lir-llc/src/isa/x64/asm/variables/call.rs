//! Calls by the System V convention.

use super::writer::{Pushed, Step, Writer};
use super::{Argument, Float, Function, Int};
use crate::isa::x64::asm::{EAX, Label, R11, RSP, Symbol};
use crate::isa::x64::registers::{CALLER_SAVED, INT_ARGS, RAX, xmm};
use crate::mir::RegClass;
use crate::regalloc::one_pass::engine::Var;

/// The function that is called.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Callee {
    /// At a label.
    Label(Label),
    /// Outside, by its name.
    Symbol(Symbol),
    /// At an address.
    Address(u64),
}

impl From<Label> for Callee {
    fn from(label: Label) -> Callee {
        Callee::Label(label)
    }
}

impl From<Symbol> for Callee {
    fn from(symbol: Symbol) -> Callee {
        Callee::Symbol(symbol)
    }
}

impl Function {
    /// Returns the symbol of a name, to be called.
    pub fn symbol(&self, name: &str) -> Symbol {
        self.writer.borrow_mut().assembler().symbol(name)
    }
    /// Calls a function, and returns its integer. Arguments after six integers and eight floats are passed on the
    /// stack.
    #[track_caller]
    pub fn call(&self, callee: impl Into<Callee>, arguments: &[&dyn Argument]) -> Int<'_> {
        let arguments: Vec<Var> = arguments.iter().map(|a| self.own(a.variable())).collect();
        let mut w = self.writer.borrow_mut();
        w.call(callee.into(), &arguments);
        let result = w.new_variable(RegClass::Int);
        w.hold(result, RAX);
        drop(w);
        Int::new(self, result)
    }
    /// The same of a function that returns a float.
    #[track_caller]
    pub fn call_float(&self, callee: impl Into<Callee>, arguments: &[&dyn Argument]) -> Float<'_> {
        let arguments: Vec<Var> = arguments.iter().map(|a| self.own(a.variable())).collect();
        let mut w = self.writer.borrow_mut();
        w.call(callee.into(), &arguments);
        let result = w.new_variable(RegClass::Float);
        w.hold(result, xmm(0));
        drop(w);
        Float::new(self, result)
    }
}

impl Writer {
    /// Appends a call. After it no variable is in a register that a callee may change.
    #[track_caller]
    fn call(&mut self, callee: Callee, arguments: &[Var]) {
        self.use_stack();
        self.settle_memory();
        for r in self.held().and(CALLER_SAVED).iter() {
            self.vacate(r);
        }
        let (mut ints, mut floats) = (INT_ARGS.into_iter(), (0..8).map(xmm));
        let has_floats = arguments.iter().any(|v| self.is_float(*v));
        let mut on_stack = Vec::new();
        for &v in arguments {
            match if self.is_float(v) { floats.next() } else { ints.next() } {
                Some(to) => self.move_to(v, to),
                None => on_stack.push(v),
            }
        }
        self.flags += 1;
        // rsp is a multiple of 16 at a call.
        let pushed = on_stack.len().next_multiple_of(2) as i32 * 8;
        if on_stack.len() % 2 != 0 {
            self.push_step(Step::Push(Pushed::Register(RAX)));
        }
        on_stack.iter().rev().for_each(|v| self.push_variable(*v));
        let a = self.assembler();
        if !matches!(callee, Callee::Label(_)) {
            // Functions with variable arguments need an upper bound of the number of floats.
            a.mov(EAX, if has_floats { 8 } else { 0 });
        }
        match callee {
            Callee::Label(label) => a.call(label),
            Callee::Symbol(symbol) => a.call(symbol),
            Callee::Address(address) => {
                a.mov(R11, address);
                a.call(R11);
            }
        }
        if pushed != 0 {
            a.add(RSP, pushed);
        }
    }
}

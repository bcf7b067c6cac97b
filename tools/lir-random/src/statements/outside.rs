//! Calls of C functions, and reads of C variables.

use super::MAX_DEPTH;
use crate::body::{Body, Region, Root};
use crate::surroundings::MemoryFunction;
use lir_syntax::ir::{Base, CallArg, Ext, IntCC, Mem, Opcode, Reg, Type};

impl Body<'_> {
    /// Makes a call of a C function, or a look at a variable of C.
    pub(crate) fn outside(&mut self) {
        let outside = self.around.outside;
        if !outside.memory.is_empty() && self.rng.chance(60) {
            return self.memory_function();
        }
        if outside.functions.is_empty() && outside.pointers.is_empty() {
            return self.expression();
        }
        let k = self.rng.below(outside.functions.len() + outside.pointers.len());
        match outside.functions.get(k) {
            Some(&(callee, ty, mask)) => {
                let a = self.any(ty);
                let a = self.b.binary(Opcode::And, ty, a, mask);
                let r = self.b.call(self.around.decls, callee, &[CallArg::Reg(a, Ext::None)], None);
                self.keep(ty, r.expect("the function has a result"));
            }
            None => {
                let sym = outside.pointers[k - outside.functions.len()];
                let p = self.b.load(Type::I64, Mem::sym(sym, 0));
                let c = self.b.compare(self.rng.pick(&[IntCC::Eq, IntCC::Ne]), p, 0);
                self.keep(Type::I8, c);
            }
        }
    }

    /// Makes a call of a C function that accesses memory. Of comparisons only the sign is used.
    fn memory_function(&mut self) {
        let (function, _) = self.rng.pick(&self.around.outside.memory);
        match function {
            MemoryFunction::Memcmp => self.memcmp(),
            MemoryFunction::Free | MemoryFunction::Malloc if self.writes() => self.malloc(),
            MemoryFunction::Memcpy | MemoryFunction::Memmove if self.writes() => self.copy_bytes(function),
            MemoryFunction::Memset if self.writes() => self.fill_bytes(),
            MemoryFunction::Strcmp | MemoryFunction::Strlen if self.writes() => self.text_function(function),
            _ => self.memcmp(),
        }
    }
    fn call_memory_function(&mut self, function: MemoryFunction, args: &[Reg]) -> Option<Reg> {
        let found = self.around.outside.memory.iter().find(|(f, _)| *f == function);
        let (_, callee) = *found.expect("all of them are declared");
        let args: Vec<CallArg> = args.iter().map(|r| CallArg::Reg(*r, Ext::None)).collect();
        self.b.call(self.around.decls, callee, &args, None)
    }
    /// Returns a number of bytes as a register: a constant more often than not.
    fn byte_count(&mut self, most: u32) -> (Reg, u32) {
        let most = if self.rng.chance(60) { most.min(17) } else { most };
        let n = self.rng.below(most as usize + 1) as u32;
        if n == 0 || self.rng.chance(70) {
            return (self.b.constant(Type::I64, i64::from(n)), n);
        }
        let a = self.any(Type::I64);
        let mask = (1u32 << (n + 1).ilog2()) - 1;
        (self.b.binary(Opcode::And, Type::I64, a, i64::from(mask)), n)
    }
    fn sign(&mut self, compared: Reg) {
        let predicate = self.rng.pick(&[IntCC::Eq, IntCC::Ne, IntCC::Eq, IntCC::Slt, IntCC::Sgt, IntCC::Sge]);
        let c = self.b.compare(predicate, compared, 0);
        self.keep(Type::I8, c);
    }
    fn memcmp(&mut self) {
        let Some(x) = self.region(1, |r| !r.is_private()) else { return self.expression() };
        let Some(y) = self.region(1, |r| !r.is_private()) else { return self.expression() };
        let (n, most) = self.byte_count(x.size.min(y.size));
        let at = [x, y].map(|region| {
            let mem = self.mem_in(region, most);
            self.b.lea(mem)
        });
        let compared = self.call_memory_function(MemoryFunction::Memcmp, &[at[0], at[1], n]);
        self.sign(compared.expect("it has a result"));
    }
    fn copy_bytes(&mut self, function: MemoryFunction) {
        let Some(to) = self.region(1, |r| r.may_be_written() && !r.is_private()) else { return self.expression() };
        let apart = function == MemoryFunction::Memcpy;
        let from = self.region(1, |r| !r.is_private() && (!apart || r.disjoint(&to)));
        let Some(from) = from else { return self.expression() };
        let (n, most) = self.byte_count(to.size.min(from.size));
        let (dst, src) = (self.mem_in(to, most), self.mem_in(from, most));
        let (p, q) = (self.b.lea(dst), self.b.lea(src));
        let result = self.call_memory_function(function, &[p, q, n]).expect("it has a result");
        self.result_is(result, p);
    }
    fn fill_bytes(&mut self) {
        let Some(to) = self.region(1, |r| r.may_be_written() && !r.is_private()) else { return self.expression() };
        let (n, most) = self.byte_count(to.size);
        let mem = self.mem_in(to, most);
        let (p, byte) = (self.b.lea(mem), self.any(Type::I32));
        let result = self.call_memory_function(MemoryFunction::Memset, &[p, byte, n]).expect("it has a result");
        self.result_is(result, p);
    }
    /// Looks at an address that a function returns, or does not.
    fn result_is(&mut self, result: Reg, p: Reg) {
        if self.rng.chance(40) {
            let c = self.b.compare(IntCC::Eq, result, p);
            self.keep(Type::I8, c);
        }
    }
    /// Computes the length or the order of texts, which may be empty.
    fn text_function(&mut self, function: MemoryFunction) {
        let mut texts = Vec::new();
        for _ in 0..2 {
            let Some(text) = self.region(2, |r| r.may_be_written() && !r.is_private()) else { break };
            texts.push(text);
        }
        let &[x, y] = &texts[..] else { return self.expression() };
        for text in [x, y] {
            let end = self.rng.below(text.size.min(20) as usize) as i32;
            let start = text.start();
            self.b.store(Type::I8, Mem { disp: start.disp + end, ..start }, 0);
        }
        let (p, q) = (self.b.lea(x.start()), self.b.lea(y.start()));
        if function == MemoryFunction::Strcmp {
            let compared = self.call_memory_function(function, &[p, q]);
            return self.sign(compared.expect("it has a result"));
        }
        let n = self.call_memory_function(function, &[p]).expect("it has a result");
        if self.rng.chance(50) { self.sign(n) } else { _ = self.keep(Type::I64, n) }
    }
    /// Memory of the heap, which is used, or freed at once, or forgotten.
    fn malloc(&mut self) {
        let size = self.rng.pick(&[8, 16, 33, 64]);
        let n = self.b.constant(Type::I64, i64::from(size));
        let p = self.call_memory_function(MemoryFunction::Malloc, &[n]).expect("it has a result");
        if self.rng.chance(20) {
            if self.rng.chance(70) {
                self.call_memory_function(MemoryFunction::Free, &[p]);
            }
            return;
        }
        let byte = self.value(Type::I8);
        self.b.memset(Mem::reg(p), byte, i64::from(size));
        let mark = self.mark();
        let (base, root) = (Base::Reg(p), Root::Alloca(p));
        self.regions.push(Region { base, offset: 0, size, root, writable: true, private: false });
        if self.depth < MAX_DEPTH && self.rng.chance(30) {
            self.inner_statements();
            self.release(&mark);
            self.call_memory_function(MemoryFunction::Free, &[p]);
        }
    }
}

//! Instructions that no row of the table encodes: jumps and calls, constants, the stack.

use super::mnemonics::takes;
use super::{Assembler, Label, Mem, Reg32, Reg64, RelocationKind, Symbol, SymbolUse};
use crate::isa::x64::Cond;
use crate::mir::Size;

macro_rules! branches {
    ($($name:ident $cond:ident)*) => { $(
        #[doc = concat!("`", stringify!($name), "` to a label.")]
        #[track_caller]
        pub fn $name(&mut self, target: Label) {
            self.jcc(Cond::$cond, target);
        }
    )* };
}

impl takes::xchg for (Reg64, Reg64) {
    fn append(self, a: &mut Assembler, _: Cond) {
        a.code.exchange(self.0.number(), self.1.number());
    }
}

impl Assembler {
    branches! {
        jo O jno NO jb B jae AE je E jne NE jbe BE ja A js S jns NS jp P jnp NP jl L jge GE jle LE jg G
    }

    /// Writes a jump to a label where a condition holds.
    #[track_caller]
    pub fn jcc(&mut self, cond: Cond, target: Label) {
        if !self.use_target(target) {
            return;
        }
        let parity = match cond {
            Cond::OrdEq => {
                // Over the second jump, which is of two bytes or of six.
                let over = self.label();
                self.relax.branch(self.code.len(), Cond::P, over.number);
                self.relax.branch(self.code.len(), Cond::E, target.number);
                return self.bind(over);
            }
            Cond::UnordNe => Some(Cond::P),
            _ => None,
        };
        if let Some(parity) = parity {
            self.relax.branch(self.code.len(), parity, target.number);
        }
        self.relax.branch(self.code.len(), if parity.is_some() { Cond::NE } else { cond }, target.number);
    }
    /// `ret`.
    pub fn ret(&mut self) {
        self.code.ret();
    }
    /// `push` of a register or of eight bytes of memory.
    #[track_caller]
    pub fn push(&mut self, what: impl Into<RegMem>) {
        match what.into() {
            RegMem::Reg(r) => self.code.push(r.number()),
            RegMem::Mem(m) => self.one_address(m, true),
        }
    }
    /// `pop` into a register or eight bytes of memory.
    #[track_caller]
    pub fn pop(&mut self, into: impl Into<RegMem>) {
        match into.into() {
            RegMem::Reg(r) => self.code.pop(r.number()),
            RegMem::Mem(m) => self.one_address(m, false),
        }
    }
    #[track_caller]
    fn one_address(&mut self, m: Mem, push: bool) {
        let (addr, label, fault) = m.parts();
        if let Some(what) = fault {
            return self.fail(what);
        }
        if push {
            self.code.push_mem(&addr);
        } else {
            self.code.pop_mem(&addr);
        }
        self.refer(self.code.offset() - 4, label);
    }
    /// `cbw`: the sign of `al` into `ah`.
    pub fn cbw(&mut self) {
        self.code.sign_extend_rax(Size::S8);
    }
    /// `cwd`: the sign of `ax` into `dx`.
    pub fn cwd(&mut self) {
        self.code.sign_extend_rax(Size::S16);
    }
    /// `cdq`: the sign of `eax` into `edx`.
    pub fn cdq(&mut self) {
        self.code.sign_extend_rax(Size::S32);
    }
    /// `cqo`: the sign of `rax` into `rdx`.
    pub fn cqo(&mut self) {
        self.code.sign_extend_rax(Size::S64);
    }
    /// `mov d, fs:[0]`: the thread pointer.
    pub fn thread_pointer(&mut self, d: Reg64) {
        self.code.thread_pointer(d.number());
    }
    /// This many bytes of no-operations, in few instructions.
    pub fn nop(&mut self, bytes: usize) {
        self.code.nops(bytes);
    }
    #[track_caller]
    fn symbol_use(&mut self, at: u32, kind: RelocationKind, symbol: Symbol) {
        if symbol.owner == self.id {
            self.calls.push(SymbolUse { at, kind, symbol });
        } else {
            self.fail("the symbol is of another assembler");
        }
    }
}

/// A register of 64 bits or memory.
#[derive(Copy, Clone, PartialEq, Debug)]
pub enum RegMem {
    /// A register.
    Reg(Reg64),
    /// Memory.
    Mem(Mem),
}

impl From<Reg64> for RegMem {
    fn from(r: Reg64) -> RegMem {
        RegMem::Reg(r)
    }
}

impl From<Mem> for RegMem {
    fn from(m: Mem) -> RegMem {
        RegMem::Mem(m)
    }
}

impl takes::jmp for (Label,) {
    #[track_caller]
    fn append(self, a: &mut Assembler, _: Cond) {
        if a.use_target(self.0) {
            a.relax.jump(a.code.len(), self.0.number);
        }
    }
}

/// A jump to another function, near or far.
impl takes::jmp for (Symbol,) {
    #[track_caller]
    fn append(self, a: &mut Assembler, _: Cond) {
        let at = a.code.tail_call();
        a.symbol_use(at, RelocationKind::Call, self.0);
    }
}

impl takes::call for (Label,) {
    #[track_caller]
    fn append(self, a: &mut Assembler, _: Cond) {
        if a.use_target(self.0) {
            let at = a.code.call();
            a.refer(at, Some(self.0));
        }
    }
}

/// A call of a function, near or far.
impl takes::call for (Symbol,) {
    #[track_caller]
    fn append(self, a: &mut Assembler, _: Cond) {
        let at = a.code.call();
        a.symbol_use(at, RelocationKind::Call, self.0);
    }
}

macro_rules! constants {
    ($($(#[$doc:meta])* $register:ident $number:ident;)*) => { $(
        $(#[$doc])*
        impl takes::mov for ($register, $number) {
            fn append(self, a: &mut Assembler, _: Cond) {
                a.code.mov_imm(self.0.number(), self.1 as i64);
            }
        }
    )* };
}

constants! {
    /// All 64 bits, the number with its sign.
    Reg64 i32;
    /// All 64 bits.
    Reg64 i64;
    /// All 64 bits.
    Reg64 u64;
    /// 32 bits; the upper ones become zero.
    Reg32 u32;
}

/// 32 bits; the upper ones become zero.
impl takes::mov for (Reg32, i32) {
    fn append(self, a: &mut Assembler, _: Cond) {
        a.code.mov_imm(self.0.number(), self.1 as u32 as i64);
    }
}

/// The address of a symbol, however far away.
impl takes::mov for (Reg64, Symbol) {
    #[track_caller]
    fn append(self, a: &mut Assembler, _: Cond) {
        // A constant that takes eight bytes, in place of the address.
        a.code.mov_imm(self.0.number(), i64::MAX);
        let at = a.code.len() - 8;
        a.code.bytes_mut()[at..].fill(0);
        a.symbol_use(at as u32, RelocationKind::Address, self.1);
    }
}

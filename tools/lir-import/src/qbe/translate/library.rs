//! Functions of the C library that are known by their names.
//!
//! QBE's files come from C compilers, and C reserves the names of its library (ISO/IEC 9899:2018, 7.1.3): a program
//! that calls such a function and does not define it means the library's. What C says of it is then told to our passes:
//!
//! * calls of `memcpy` and `memset` become instructions, so that objects reached through them alone do not escape and
//!   small copies are loads and stores, as in every C compiler. `memmove` has no instruction of its own;
//! * functions that only look at memory, and those that never or twice return, get their attributes.
//!
//! What sets `errno`, the mathematical functions among it, stays an ordinary call.

use super::super::ast::{AbiType, Call, Class, Inst, Temp, Val};
use super::Context;
use super::function::{Translated, Translator};
use super::sym_of;
use lir_syntax::ir::{Attrs, InstData, Mem, Opcode, SymKind, Type};

/// A call that becomes an instruction.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum Builtin {
    Memcpy,
    Memset,
}

impl Builtin {
    /// What a call is, if its callee is not defined in the program and it has the types that C gives it.
    pub fn of(context: &Context<'_>, inst: &Inst, call: &Call) -> Option<Builtin> {
        let Val::Sym(global, false) = inst.args[0] else { return None };
        let (builtin, second) = match context.program.globals.get(global) {
            b"memcpy" => (Builtin::Memcpy, Class::L),
            b"memset" => (Builtin::Memset, Class::W),
            _ => return None,
        };
        let is = |n: usize, class| call.args[n].0 == AbiType::Base(class);
        let fits = call.fixed.is_none()
            && call.args.len() == 3
            && is(0, Class::L)
            && is(1, second)
            && is(2, Class::L)
            && call.result.is_none_or(|ty| ty == AbiType::Base(Class::L));
        let external = matches!(context.decls.syms[sym_of(global)].kind, SymKind::Func { body: None, .. });
        (fits && external).then_some(builtin)
    }

    /// Which of its three arguments are addresses of accesses only.
    pub fn addresses(self) -> [bool; 3] {
        [true, self == Builtin::Memcpy, false]
    }
}

/// What C says of a function that a program does not define, beyond what its calls say.
pub(super) fn attributes(name: &[u8]) -> Attrs {
    match name {
        b"setjmp" | b"_setjmp" | b"__setjmp" | b"sigsetjmp" | b"__sigsetjmp" | b"vfork" | b"getcontext" => {
            Attrs::RETURNS_TWICE
        }
        b"abort" | b"exit" | b"_exit" | b"_Exit" | b"quick_exit" | b"longjmp" | b"_longjmp" | b"siglongjmp"
        | b"__assert_fail" | b"pthread_exit" => Attrs::NORETURN,
        b"memchr" | b"memcmp" | b"strchr" | b"strcmp" | b"strcspn" | b"strlen" | b"strncmp" | b"strnlen"
        | b"strpbrk" | b"strrchr" | b"strspn" | b"strstr" => Attrs::READONLY.or(Attrs::WILLRETURN),
        _ => Attrs::NONE,
    }
}

impl Translator<'_> {
    /// A call that becomes an instruction; its result is its first argument.
    pub fn builtin(&mut self, builtin: Builtin, call: &Call, result: Option<(Temp, Class)>) -> Translated<()> {
        let [to, second, count] = [0, 1, 2].map(|n| call.args[n].1);
        let bytes = if let Val::Const(n) = count { n } else { 0 };
        let mem = self.address(to, bytes)?;
        let a = self.func.make_mem(mem);
        let (op, b) = match builtin {
            Builtin::Memcpy => {
                let from = self.address(second, bytes)?;
                (Opcode::Memcpy, self.func.make_mem(from))
            }
            Builtin::Memset => (Opcode::Memset, self.low_bits(second, Type::I8)?),
        };
        let dst = self.operand(count, Class::L)?;
        self.emit(InstData { dst, a, b, ..InstData::new(op, Type::I64) });
        let Some(dst) = result.filter(|(temp, _)| self.temps.info[*temp].is_used()) else { return Ok(()) };
        match self.temps.info[dst.0].place {
            Some(place) => {
                self.address_of_object(dst.0, Mem::obj(place.obj, place.disp));
                Ok(())
            }
            None => self.copy(dst, to),
        }
    }
}

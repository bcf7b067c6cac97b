//! Integers of 128 bits as pairs of i64 (`expand-wide`).
//!
//! Every pipeline and code generation begin with this pass, so no other pass has to handle i128.
//!
//! # Example
//!
//! ```text
//! func @f(%a: i128, %b: i128) -> i128 {       func @f(%a.lo: i64, %a.hi: i64, %b.lo: i64, %b.hi: i64) -> :i128 {
//! entry:                                        stack $i128: 16 align 16
//!   %s = add i128 %a, %b                      entry:
//!   ret %s                                =>    %lo = add i64 %a.lo, %b.lo
//! }                                             %c = icmp ult i64 %lo, %a.lo
//!                                               ..
//!                                               store i64 [$i128], %s.lo
//!                                               store i64 [$i128 + 8], %s.hi
//!                                               ret :i128 [$i128]
//! ```
//!
//! # Algorithm
//!
//! 1. The signatures of all functions get two i64 for a parameter in registers, and the aggregate
//!    `:i128 = align 16 { i64 x 2 }` for one in memory and for a result ([`signatures`]). The ABI passes both as it
//!    passes the i128. The signatures as they were written stay in the declarations, for calls from outside.
//! 2. Each register of type i128 becomes the register of its low half, `%x.lo`; `%x.hi` is new, for the high one.
//! 3. Each instruction on i128 becomes instructions on the halves ([`function`], [`arithmetic`]). A division is a call
//!    of the C runtime (`__udivti3` and others), after a division of 32 bits that traps where the one of 128 bits does.
//!    A marked call that the return of its result follows stays next to it, so that it can be a jump.
//!
//! # Why it is sound
//!
//! Each sequence computes both halves from both halves of the operands, and assigns them after it has read them all.
//! The interpreter executes i128 by itself, so that all tests that compare with it test the sequences.
//!
//! # Cost and limits
//!
//! Linear; of a module without i128, only signatures and the types of registers are read. Divisions by constants are
//! calls, too. Debug information has two variables for one of 128 bits, `x.lo` and `x.hi`.
//!
//! # Source
//!
//! LLVM's `DAGTypeLegalizer::ExpandIntegerResult` does the same before selection; here it is early, so that no pass
//! needs to know a type that no machine word holds. The shifts by a variable are from Henry S. Warren, Hacker's
//! Delight, second edition, 2012, section 2-17.

mod arithmetic;
mod function;
mod signatures;

use crate::analysis::Preserved;
use crate::pass::remarks::{Listen, Remarks, events};
use crate::pass::{ModuleContext, ModulePass, Pass, PassInfo};
use lir_syntax::ir::{AbiParam, CallResult, Decls, Function, Module, Opcode, SymKind, Type};
use lir_syntax::text::diagnostic::Diagnostic;

/// The row of the registry.
pub(crate) static INFO: PassInfo = PassInfo {
    name: "expand-wide",
    summary: "make pairs of i64 of integers of 128 bits, as every pipeline does first",
    options: &[],
    build: |_| Pass::Module(Box::new(ExpandWide)),
};

struct ExpandWide;

impl ModulePass for ExpandWide {
    fn run(&self, module: &mut Module, cx: &mut ModuleContext<'_>) -> Preserved {
        let count = if is_wide(module) { expand_all(module, cx.remarks) } else { 0 };
        cx.stats.add("functions with i128", count);
        Preserved::cfg_if(count != 0)
    }
}

/// True if the pipeline that begins with this pass expands by it. It reports what it does then.
pub(crate) fn is_this(info: &PassInfo) -> bool {
    info.name == INFO.name
}

/// Makes pairs of i64 of all i128 in a verified module. Returns false if there are none.
///
/// # Errors
/// The module declares a function of the C runtime that a division needs, and with another type.
pub fn expand(module: &mut Module) -> Result<bool, Vec<Diagnostic>> {
    let has_some = is_wide(module);
    if has_some {
        check_wide(module)?;
        expand_all(module, &mut Remarks::new(Listen::Off));
    }
    Ok(has_some)
}

/// Checks that a module can be expanded.
///
/// # Errors
/// See [`expand`].
pub(crate) fn check(module: &Module) -> Result<(), Vec<Diagnostic>> {
    if is_wide(module) { check_wide(module) } else { Ok(()) }
}

fn check_wide(module: &Module) -> Result<(), Vec<Diagnostic>> {
    let errors = signatures::conflicts(module);
    if errors.is_empty() { Ok(()) } else { Err(errors) }
}

/// Expands a module that [`check`] accepts. Returns the number of functions that changed.
fn expand_all(module: &mut Module, remarks: &mut Remarks) -> u64 {
    let wide = signatures::Wide::new(module);
    let written = signatures::expand(&mut module.decls, wide.pair);
    let mut count = 0;
    for f in module.funcs.as_mut_slice() {
        let sig = written.get(&f.sym).or(module.decls.signature(f.sym)).expect("a function has a signature");
        count += u64::from(function::expand((&module.decls, &wide), sig, f, remarks));
    }
    module.decls.written.extend(written);
    count
}

/// True if a module has an i128, except in data and in the members of types.
fn is_wide(module: &Module) -> bool {
    let in_signature = |decls: &Decls| {
        decls.syms.values().any(|s| match &s.kind {
            SymKind::Func { sig, .. } => sig.params.iter().chain(&sig.result).any(is_wide_param),
            SymKind::Data(_) => false,
        })
    };
    in_signature(&module.decls) || module.funcs.values().any(has_wide)
}

fn is_wide_param(param: &AbiParam) -> bool {
    matches!(param, AbiParam::Scalar(Type::I128, _))
}

/// True if a function has an i128. An instruction on one without a register stores or returns a constant, or drops the
/// result of a call.
fn has_wide(f: &Function) -> bool {
    f.may_have_wide() && {
        let in_register = f.regs.values().any(|r| r.ty == Type::I128);
        let drops = |i| matches!(f.call_result(i), CallResult::Scalar(Type::I128, _));
        in_register
            || f.layout().all_insts().any(|i| f.inst(i).ty == Type::I128 || f.inst(i).op == Opcode::Call && drops(i))
    }
}

events! {
    enum Event {
        InHalves: "in-halves", "is computed in two halves";
        PassedInHalves: "passed-in-halves", "its parameters and its result of 128 bits are passed as two halves";
    }
}

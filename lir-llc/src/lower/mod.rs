//! Before selection: LIR to LIR, until every operation is one that selection has an arm for.
//!
//! * [`switch`]: `switch` becomes branches, tests of bits, and switches that stand for jumps through tables.
//! * [`integer`], [`float`], [`convert`]: operations that a processor of the level lacks become sequences of others.
//! * [`va_arg`]: variable argument lists become loads, stores and selects;
//! * [`noreturn`]: what follows a call that never returns becomes a trap.
//!
//! All of it is ordinary LIR with the same meaning, which a test of `lir-run` checks in the interpreter. The function
//! is changed in place: it is about to be compiled and dropped.

mod convert;
mod expander;
mod float;
mod integer;
mod noreturn;
mod switch;
mod va_arg;

use crate::effort::Effort;
use crate::target::x64::Cpu;
use expander::Expander;
use lir_syntax::ir::{Decls, Function, Inst, Opcode};

/// Expands everything that selection has no arm for, with a processor of this level. For good code, trees of
/// comparisons become tables where these are better.
pub fn prepare(decls: &Decls, f: &mut Function, cpu: Cpu, effort: Effort) {
    noreturn::trap_returns(decls, f);
    switch::lower_switches(f, effort);
    let mut block = f.layout().entry();
    while let Some(b) = block {
        let mut at = f.layout().first_inst(b);
        while let Some(i) = at {
            if noreturn::never_returns(decls, f, i) {
                noreturn::end_block_after(f, i);
            }
            let before = f.layout().prev_inst(i);
            // What an expansion inserts stands before `i` and may itself need expanding: go back to its start.
            at = if expand(decls, f, i, cpu) {
                before.map_or_else(|| f.layout().first_inst(b), |p| f.layout().next_inst(p))
            } else {
                f.layout().next_inst(i)
            };
        }
        block = f.layout().next_block(b);
    }
}

/// Expands one instruction; whether it did.
fn expand(decls: &Decls, f: &mut Function, i: Inst, cpu: Cpu) -> bool {
    use Opcode::*;
    let d = *f.inst(i);
    match d.op {
        Smin | Smax | Umin | Umax => integer::min_max(&mut Expander::new(f, i), d),
        Smulh | Umulh => integer::high_product(&mut Expander::new(f, i), d),
        SaddO | UaddO | SsubO | UsubO | SmulO if d.ty.bits() >= 32 => false,
        SaddO | UaddO | SsubO | UsubO | SmulO | UmulO => integer::overflow(&mut Expander::new(f, i), d),
        Clz | Ctz => integer::count_zeros(&mut Expander::new(f, i), d),
        Popcnt if cpu >= Cpu::V2 => integer::count_ones(&mut Expander::new(f, i), d),
        Popcnt => integer::popcnt(&mut Expander::new(f, i), d),
        Fceil | Ffloor | Ftrunc | Fnearest if cpu >= Cpu::V2 => false,
        Fceil | Ffloor | Ftrunc | Fnearest => float::round(&mut Expander::new(f, i), d),
        Sitofp => convert::sitofp(&mut Expander::new(f, i), d),
        Uitofp => convert::uitofp(&mut Expander::new(f, i), d),
        Fptosi => convert::fptosi(&mut Expander::new(f, i), d),
        Fptoui => convert::fptoui(&mut Expander::new(f, i), d),
        FptosiSat => convert::fptosi_sat(&mut Expander::new(f, i), d),
        FptouiSat => convert::fptoui_sat(&mut Expander::new(f, i), d),
        VaArg => va_arg::scalar(&mut Expander::new(f, i), d),
        VaArgAgg => va_arg::aggregate(decls, &mut Expander::new(f, i), d),
        VaCopy => va_arg::copy(&mut Expander::new(f, i)),
        VaEnd => {
            f.remove_inst(i);
            true
        }
        Const | Copy | Add | Sub | Mul | And | Or | Xor | Shl | Lshr | Ashr | Rotl | Rotr | Sdiv | Udiv | Srem
        | Urem | Neg | Not | Bswap | Fadd | Fsub | Fmul | Fdiv | Fmin | Fmax | Fcopysign | Fneg | Fabs | Fsqrt
        | Fma | Select | Icmp | Fcmp | Sext | Zext | Trunc | Fpext | Fptrunc | Bitcast | Lea | Load | Store
        | Alloca | StackSave | StackRestore | Memcpy | Memset | VaStart | Call | Phi | Jmp | Br | Switch | Ret
        | RetAgg | Unreachable => false,
    }
}

//! Lowers LIR to LIR before selection, until selection has an arm for every operation.
//!
//! * [`switch`]: `switch` becomes branches, tests of bits, and switches that represent jumps through tables;
//! * [`integer`], [`float`], [`convert`]: operations that a processor of the level lacks become sequences of others;
//! * [`va_arg`]: variable argument lists become loads, stores and selects;
//! * [`atomics`]: atomic operations that are not one instruction become loops around `cmpxchg`;
//! * [`memmove`]: where the C library may not be called, blocks that may overlap are copied by loops;
//! * [`noreturn`]: the code after a call that never returns becomes a trap;
//! * [`returns_twice`]: registers that are assigned between two returns of a call are split into several.
//!
//! The result is ordinary LIR with the same meaning, which a test of `lir-run` checks in the interpreter. The function
//! is changed in place: it is about to be compiled and dropped.

mod atomics;
mod convert;
mod float;
mod integer;
mod memmove;
mod noreturn;
mod returns_twice;
mod switch;
mod va_arg;

pub(crate) use memmove::moved_in_registers;
pub(crate) use returns_twice::{keep_values, may_return_twice};

use crate::effort::Effort;
use lir_syntax::ir::builder::FunctionBuilder;
use lir_syntax::ir::{Block, Decls, Function, Inst, InstData, Opcode, Operand, Reg, Type, selected};

/// The operations of a processor that not every processor has.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct ProcessorHas {
    /// Counting ones, in 32 and 64 bits.
    pub popcnt: bool,
    /// Rounding a float to an integer in any direction.
    pub round: bool,
}

/// Expands everything that selection has no arm for. For good code, trees of comparisons become tables where these are
/// better. `block_calls` says that the memory functions of C may be called.
pub fn prepare(decls: &Decls, f: &mut Function, (has, effort): (ProcessorHas, Effort), block_calls: bool) {
    noreturn::trap_returns(decls, f);
    switch::lower_switches(f, effort);
    let mut used = atomics::Used::default();
    let mut block = f.layout().entry();
    while let Some(b) = block {
        let mut at = f.layout().first_inst(b);
        while let Some(i) = at {
            // Most instructions need nothing.
            if matches!(f.inst(i).op, selected!()) {
                if noreturn::never_returns(decls, f, i) {
                    noreturn::end_block_after(f, i);
                }
                at = f.layout().next_inst(i);
                continue;
            }
            let before = f.layout().prev_inst(i);
            // The instructions of an expansion precede `i` and may themselves need expanding: go back to its start.
            at = if expand(decls, f, i, (has, block_calls), &mut used) {
                before.map_or_else(|| f.layout().first_inst(b), |p| f.layout().next_inst(p))
            } else {
                f.layout().next_inst(i)
            };
        }
        block = f.layout().next_block(b);
    }
}

/// Adds the instructions that compute the result of another one; returns the result.
type Expansion = fn(&mut FunctionBuilder<'_>, &InstData) -> Reg;

/// Expands one instruction; returns whether it did.
fn expand(
    decls: &Decls,
    f: &mut Function,
    i: Inst,
    (has, block_calls): (ProcessorHas, bool),
    used: &mut atomics::Used,
) -> bool {
    use Opcode::*;
    let d = *f.inst(i);
    let expansion: Expansion = match d.op {
        selected!() => unreachable!("selection has an arm for `{}`", d.op.mnemonic()),
        Smin | Smax | Umin | Umax => integer::min_max,
        Smulh | Umulh | SaddO | UaddO | SsubO | UsubO | SmulO | Clz | Ctz | Sitofp if d.ty.bits() >= 32 => {
            return false;
        }
        Smulh | Umulh => integer::high_product,
        SaddO | UaddO | SsubO | UsubO | SmulO | UmulO => integer::overflow,
        Clz | Ctz => integer::count_zeros,
        Popcnt if has.popcnt && d.ty.bits() >= 32 => return false,
        Popcnt if has.popcnt => integer::count_ones,
        Popcnt => integer::popcnt,
        Fceil | Ffloor | Ftrunc | Fnearest if has.round => return false,
        Fceil | Ffloor | Ftrunc | Fnearest => float::round,
        Sitofp => convert::sitofp,
        Uitofp if d.ty == Type::I64 => return false,
        Uitofp => convert::uitofp,
        Fptosi if d.to_type().bits() >= 32 => return false,
        Fptosi => convert::fptosi,
        Fptoui => convert::fptoui,
        FptosiSat => convert::fptosi_sat,
        FptouiSat => convert::fptoui_sat,
        VaArg => {
            let list = f.mem(i);
            replace(f, i, |e| va_arg::scalar(e, d.ty, list));
            return true;
        }
        VaArgAgg => {
            va_arg::aggregate(decls, f, i);
            return true;
        }
        VaCopy => {
            va_arg::copy(f, i);
            return true;
        }
        Memmove if block_calls || moved_in_registers(f, i).is_some() => return false,
        Memmove => {
            memmove::expand(f, i);
            return true;
        }
        VaEnd | Assume => {
            f.remove_inst(i);
            return true;
        }
        AtomicRmw if used.is_one_instruction(f, i) => return false,
        AtomicRmw => {
            atomics::expand(f, i);
            return true;
        }
    };
    replace(f, i, |e| expansion(e, &d));
    true
}

/// Replaces an instruction by others. It becomes the last of them, which is not read elsewhere, if that assigns the
/// result, and else a copy.
fn replace(f: &mut Function, i: Inst, expansion: impl FnOnce(&mut FunctionBuilder<'_>) -> Reg) {
    let mut e = FunctionBuilder::before(f, i);
    let r = expansion(&mut e);
    let data = match e.last().filter(|last| e.func.def(*last) == Some(r)) {
        Some(last) => {
            let data = *e.func.inst(last);
            e.func.remove_inst(last);
            data
        }
        None => InstData::move_of(e.func.type_of(r), Operand::reg(r)),
    };
    let dst = e.func.def(i);
    e.func.replace_inst(i, data.with_result(dst));
}

/// Returns the first operand, which is always a register.
fn first(d: &InstData) -> Reg {
    d.first().as_reg().expect("the first operand is a register")
}

/// Returns the second operand as a register.
fn second(e: &mut FunctionBuilder<'_>, d: &InstData) -> Reg {
    d.second().as_reg().unwrap_or_else(|| e.constant(d.ty, d.second()))
}

/// Makes new blocks for an expansion after the block of an instruction. The last one takes the instruction and all
/// later ones, with the edges. Returns the old block, which has no terminator now, and the new ones.
fn split_around<const N: usize>(f: &mut Function, i: Inst) -> (Block, [Block; N]) {
    let b = f.layout().block_of(i).expect("the instruction is in a block");
    let mut last = b;
    let new = [(); N].map(|()| {
        let new = f.make_block(f.block(b).name.derived());
        f.insert_block_after(new, last);
        last = new;
        new
    });
    f.split_block_at(b, i, last);
    for s in f.succs(last).to_vec() {
        f.map_phi_preds(s, |p| if p == b { last } else { p });
    }
    (b, new)
}

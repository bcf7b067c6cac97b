//! Checks whether the calling convention allows a call to become a jump: the callee replaces its caller on the stack.
//!
//! The callee finds its arguments in registers or in the stack arguments of the caller, if there is room, and the rest
//! of the stack as the caller's caller left it. The result of the caller must be the result of the callee. An aggregate
//! is returned in the registers of the caller's result, or at the address given by the caller's caller: the callee
//! receives that address.

use super::arguments::{ArgAssigner, ArgLocation, assign_call, assign_params, result_in_memory};
use crate::ir::{AbiParam, Base, CallArg, CallResult, Decls, Ext, Function, Inst, Mem, Type};
use std::fmt;

/// Alignment of a stack argument that the caller's have too.
const WORD: u64 = 8;

/// The reason why the calling convention does not let a call be a jump.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Misfit {
    /// An aggregate argument is on the stack, or an i128.
    AggregateOnStack,
    /// The arguments need more of the stack than the caller's own.
    NoRoom,
    /// An environment is in the register that a callee in a register is kept in.
    Environment,
    /// The callee is variadic.
    Variadic,
    /// The caller's result is not the callee's.
    OtherResult,
}

impl fmt::Display for Misfit {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            Misfit::AggregateOnStack => "an aggregate or i128 argument is on the stack",
            Misfit::NoRoom => "its arguments need more of the stack than the caller's own",
            Misfit::Environment => "the environment occupies the register of the callee",
            Misfit::Variadic => "the callee is variadic",
            Misfit::OtherResult => "its result is not the result of the caller",
        })
    }
}

/// Returns the reason why the calling convention does not let a call that a return of its result follows be a jump.
/// None if it does.
pub fn misfit(decls: &Decls, f: &Function, call: Inst) -> Option<Misfit> {
    let (places, assigner) = assign_call(decls, f, call);
    let in_register = f.inst(call).first().is_reg();
    let has_env = || f.call_args(call).any(|a| matches!(a, CallArg::Reg(_, Ext::Env)));
    if places.iter().any(|p| matches!(p, ArgLocation::AggStack(_))) {
        Some(Misfit::AggregateOnStack)
    } else if in_register && has_env() {
        Some(Misfit::Environment)
    } else if !has_room(decls, f, &assigner) {
        Some(Misfit::NoRoom)
    } else if f.call_fixed(call).1 {
        Some(Misfit::Variadic)
    } else if !has_same_result(decls, f, call) {
        Some(Misfit::OtherResult)
    } else {
        None
    }
}

/// True if the stack arguments of a call fit where the caller's are.
fn has_room(decls: &Decls, f: &Function, arguments: &ArgAssigner) -> bool {
    arguments.stack_bytes() == 0
        || decls.signature(f.sym).is_some_and(|sig| {
            let (_, own) = assign_params(decls, sig);
            !sig.variadic && arguments.stack_bytes() <= own.stack_bytes() && arguments.stack_align() <= WORD
        })
}

/// True if the function's result is the result of the call, or there is none.
fn has_same_result(decls: &Decls, f: &Function, call: Inst) -> bool {
    let narrow = |ty: Type| ty.is_int() && ty.bits() < 32;
    let result = decls.signature(f.sym).and_then(|sig| sig.result);
    match (result, f.call_result(call)) {
        (None, CallResult::None | CallResult::Scalar(..)) => true,
        // The contents of an object of this function are not visible outside.
        (None, CallResult::Agg(a, Mem { base: Base::Obj(_), .. })) => !result_in_memory(decls, Some(AbiParam::Agg(a))),
        // The return has the same address; an address in the frame is known to nothing else.
        (Some(AbiParam::Agg(agg)), CallResult::Agg(a, Mem { base: Base::Obj(_), .. })) => a == agg,
        (Some(AbiParam::Scalar(ty, ext)), CallResult::Scalar(t, e)) => {
            ty == t && (!narrow(ty) || ext == Ext::None || ext == e)
        }
        _ => false,
    }
}

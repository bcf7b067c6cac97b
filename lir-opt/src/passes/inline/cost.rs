//! Decides whether a call is worth its callee's body: step 2 of `inline`.
//!
//! A body of `size` is inlined if it is no larger than the cost of the call, plus the benefit of its arguments, plus
//! the price that speed may have at this call. The numbers were found by measuring.

use super::profile::Profile;
use crate::pass::growth::Growth;
use crate::pass::remarks::Common;
use crate::passes::inline::events::Event;
use lir_syntax::ir::{Attrs, Base, CallArg, CallResult, Decls, EntitySet, Format, Function, Inst, Opcode, Reg};

/// The cost of a call beyond its saving that is accepted, by its location.
const PLAIN: u32 = 14;
const IN_LOOP: u32 = 30;
/// The size up to which a body moves from its own function into its only call for free. The total size of larger ones
/// is limited (see [`Budget::moved`]).
const ONLY_CALL: u32 = 250;
/// The size up to which a caller may grow: this, or twice its size.
const MAX_GROWTH: u32 = 1500;
/// Limit on the bytes of stack objects that a caller may get. A second one is for a caller whose frame may be there
/// many times at once: where a recursion ends just before the stack does, it must not run into its end now.
const MAX_FRAME_GROWTH: u64 = 2048;
const MAX_RECURSIVE_FRAME_GROWTH: u64 = 128;
/// The same for callees that are declared `inline`. The limit of a frame holds where the caller's is there once.
const MAX_DECLARED_GROWTH: u32 = 20_000;
const MAX_DECLARED_FRAME_GROWTH: u64 = 32 << 10;

/// A call and its callee.
pub(super) struct Candidate<'a> {
    pub(super) callee: &'a Profile,
    pub(super) attrs: Attrs,
    /// True if the callee and the caller call each other.
    pub(super) is_recursive: bool,
    /// True if nothing else can call the callee, so that its body moves.
    pub(super) is_only_call: bool,
    pub(super) in_loop: bool,
    /// True if the call is marked `musttail`, so that a return must follow each call that replaces it.
    pub(super) is_jump: bool,
    /// True if the call is followed by a trap, or is in a `cold` function.
    pub(super) is_cold: bool,
    /// The cost of the call, and the benefit of its arguments.
    pub(super) benefit: u32,
    /// The growth that the callee has left.
    pub(super) left: Growth,
}

/// The sizes of the caller, before and now.
#[derive(Copy, Clone, Default)]
pub(super) struct Budget {
    pub(super) is_ssa: bool,
    /// True if its frame may be there many times at once.
    pub(super) may_recur: bool,
    pub(super) calls_returns_twice: bool,
    /// Its size at first.
    pub(super) size: u32,
    pub(super) growth: u32,
    pub(super) frame_growth: u64,
    /// The growth that the whole module has left.
    pub(super) module: u64,
    /// The same for callees that are declared `inline`.
    pub(super) module_declared: u64,
    /// The size that large bodies may have together that move into the only call of them. Without it a long chain of
    /// such functions would take the square of its length.
    pub(super) moved: u64,
    /// The growth that the caller has left for copies of all kinds.
    pub(super) left: Growth,
}

impl Budget {
    /// Decides, and takes the cost from the budget.
    pub(super) fn take(&mut self, c: &Candidate<'_>) -> Result<(), Event<'static>> {
        let declared = c.attrs.has(Attrs::INLINE);
        self.possible(c)?;
        let size = c.callee.size;
        let limit = self.limit(c, declared);
        if size > limit {
            return Err(Event::CalleeTooLarge(size, limit));
        }
        let added = if c.is_only_call { 0 } else { size.saturating_sub(c.benefit) };
        let growth = self.growth.saturating_add(added);
        let max_growth = if declared { MAX_DECLARED_GROWTH } else { MAX_GROWTH.max(2 * self.size) };
        if growth > max_growth {
            return Err(Event::CallerTooLarge);
        }
        // Calls that the user marked are not charged.
        let paid = if declared { 0 } else { added as usize };
        if !self.left.allows(paid) {
            return Err(Common::GrewTooMuch.into());
        }
        let frame = self.frame_growth.saturating_add(c.callee.frame);
        let max_frame = match (declared, self.may_recur) {
            (_, true) => MAX_RECURSIVE_FRAME_GROWTH,
            (true, false) => MAX_DECLARED_FRAME_GROWTH,
            (false, false) => MAX_FRAME_GROWTH,
        };
        if c.callee.frame != 0 && frame > max_frame {
            return Err(if self.may_recur { Event::RecursiveFrameTooLarge } else { Event::FrameTooLarge });
        }
        let module = if declared { &mut self.module_declared } else { &mut self.module };
        *module = module.checked_sub(added.into()).ok_or(Event::ModuleTooLarge)?;
        if c.is_only_call && size > ONLY_CALL {
            self.moved = self.moved.saturating_sub(size.into());
        }
        self.left.charge(paid);
        if c.is_only_call {
            self.left.add(c.left);
        }
        (self.growth, self.frame_growth) = (growth, frame);
        Ok(())
    }
    /// Returns the reason that forbids it at any price.
    fn possible(&self, c: &Candidate<'_>) -> Result<(), Event<'static>> {
        if c.attrs.has(Attrs::NOINLINE) {
            Err(Event::IsNoinline)
        } else if c.is_recursive {
            Err(Event::LeadsBack)
        } else if c.callee.reads_variable_arguments {
            Err(Event::ReadsVariableArguments)
        } else if c.callee.calls_returns_twice || self.calls_returns_twice || c.attrs.has(Attrs::RETURNS_TWICE) {
            Err(Event::CallsReturnsTwice)
        } else if c.is_jump && c.callee.has_jumps {
            Err(Event::BothAreJumps)
        } else if self.is_ssa && !c.callee.is_ssa {
            Err(Event::NotInSsaForm)
        } else {
            Ok(())
        }
    }
    fn limit(&self, c: &Candidate<'_>, declared: bool) -> u32 {
        let is_cold = c.is_cold || c.attrs.has(Attrs::COLD) || c.attrs.has(Attrs::NORETURN);
        let extra = match (is_cold, c.in_loop) {
            (true, _) => 0,
            (false, true) => IN_LOOP,
            (false, false) => PLAIN,
        };
        let by_cost = c.benefit + extra;
        match (declared, c.is_only_call && !is_cold) {
            (true, _) => u32::MAX,
            (false, true) => by_cost.max(ONLY_CALL).max(self.moved.try_into().unwrap_or(u32::MAX)),
            (false, false) => by_cost,
        }
    }
}

/// The facts about the registers of a caller that calls pass on.
#[derive(Default)]
pub(super) struct Arguments {
    constants: EntitySet<Reg>,
    objects: EntitySet<Reg>,
}

impl Arguments {
    /// Begins with another caller.
    pub(super) fn clear(&mut self) {
        self.constants.clear();
        self.objects.clear();
    }
    /// Records the register that an instruction assigns.
    #[inline]
    pub(super) fn note(&mut self, f: &Function, i: Inst) {
        let d = f.inst(i);
        let Some(r) = f.def(i) else { return };
        if d.op == Opcode::Const {
            self.constants.insert(r);
        } else if d.op.format() == Format::Address && matches!(f.mem(i).base, Base::Obj(_)) {
            self.objects.insert(r);
        }
    }
    /// Returns the cost of a call, and the benefit of its arguments. Constants fold, most of all in tests; stack
    /// objects whose address is no longer handed out become registers; aggregates are not copied.
    pub(super) fn benefit(&self, decls: &Decls, f: &Function, call: Inst, callee: &Profile) -> u32 {
        let mut sum = 2;
        for (k, arg) in f.call_args(call).enumerate() {
            let is_tested = k < 64 && callee.tested_params >> k & 1 != 0;
            sum += match arg {
                CallArg::Agg(agg, _) => 3 + aggregate(decls.types[agg].size),
                CallArg::Reg(r, _) if self.constants.contains(r) => {
                    if is_tested {
                        12
                    } else {
                        3
                    }
                }
                CallArg::Reg(r, _) if self.objects.contains(r) => 10,
                CallArg::Reg(..) => 1,
            };
        }
        match f.call_result(call) {
            CallResult::None => sum,
            CallResult::Scalar(..) => sum + 1,
            CallResult::Agg(agg, _) => sum + 3 + aggregate(decls.types[agg].size),
        }
    }
}

fn aggregate(size: u64) -> u32 {
    (size / 4).min(16) as u32
}

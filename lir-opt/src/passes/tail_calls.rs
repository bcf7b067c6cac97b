//! Marks on calls that may become jumps (`tail-calls`).
//!
//! A call that only the return of its result follows is marked `tail`: code generation makes it a jump, after
//! everything that the function put on the stack is taken off.
//!
//! # Example
//!
//! ```text
//! func @f(%c: i8, %a: i64) -> i64 {         func @f(%c: i8, %a: i64) -> i64 {
//! entry:                                    entry:
//!   br %c, then, else                         br %c, then, else
//! then:                                     then:
//!   %x = call i64 @g(%a)                      %x = call tail i64 @g(%a)
//!   jmp done                                  ret %x
//! else:                              =>     else:
//!   %b = add i64 %a, 1                        %b = add i64 %a, 1
//!   jmp done                                  ret %b
//! done:                                     }
//!   %r = phi i64 [%x, then], [%b, else]
//!   ret %r
//! }
//! ```
//!
//! # Algorithm
//!
//! 1. The call graph of such calls shows which of them could lead back to their caller by jumps alone ([`TailGroups`]).
//! 2. Each block that ends in such a call is asked whether the calling convention lets it be a jump ([`misfit`]), and
//!    its function whether its frame may be left ([`keeps_frame`]). The call is marked, or the reason is said.
//! 3. A block that jumps to the return does so itself then. The block of the return is removed once nothing leads to
//!    it; where one block is left that does, it gets a return of its own, too, or the phis are replaced by their entry.
//! 4. A mark that a call has for no use is taken away: one of a call that stays a call, and one of a call that no
//!    return follows. That one is called stale. Passes leave marks where they are, whatever they put after the call.
//!
//! # Why it is sound
//!
//! A mark permits and has no meaning otherwise. [`tail_calls`](crate::analysis::call_graph::tail_calls) has the
//! conditions. A call that was marked before keeps its mark even if jumps alone could lead back to the caller: the
//! text permits an endless loop in place of a recursion that overflows the stack.
//!
//! # Cost and limits
//!
//! Linear in blocks; in instructions for functions with a call before a return, for the functions that had a mark
//! before, and in step 1 where calls through registers are before returns. It is the last pass of a level: inlining
//! must see calls and returns as they are, and `simplify-cfg` would put returns together again.
//!
//! # Source
//!
//! G. L. Steele, "Debunking the 'Expensive Procedure Call' Myth", ACM 1977; the mark is LLVM's (`tailcallelim`), step 3
//! is its `dupRetToEnableTailCallOpts` (CodeGenPrepare.cpp).

use crate::analysis::Preserved;
use crate::analysis::call_graph::Callee;
use crate::analysis::call_graph::tail_calls::{
    Returned, SharedReturns, TailGroups, call_before, keeps_frame, return_of,
};
use crate::pass::remarks::Remarks;
use crate::pass::remarks::events;
use crate::pass::{ModuleContext, ModulePass, Pass, PassInfo};
use lir_syntax::abi::{Misfit, misfit};
use lir_syntax::ir::{Attrs, Block, Cfg, Decls, EntitySet, Format, Function, Inst, Module, Opcode, TailMark};

/// The row of the registry.
pub(crate) static INFO: PassInfo = PassInfo {
    name: "tail-calls",
    summary: "mark calls before returns that can become jumps",
    options: &[],
    build: |_| Pass::Module(Box::new(TailCalls)),
};

struct TailCalls;

impl ModulePass for TailCalls {
    fn run(&self, module: &mut Module, cx: &mut ModuleContext<'_>) -> Preserved {
        let mut changes = Changes::default();
        let groups = TailGroups::new(module, &mut changes.shared);
        let Module { decls, funcs, .. } = module;
        for (id, f) in funcs.keys().zip(funcs.as_mut_slice()) {
            let had_marks = f.has_marked_calls();
            if let Some(groups) = &groups {
                changes.mark(decls, f, (groups, groups.calls_of(id)), cx.remarks);
            }
            if had_marks {
                changes.drop_stale_marks(f, cx.remarks);
            }
        }
        cx.stats.add("calls marked", changes.marked);
        cx.stats.add("marks dropped", changes.dropped);
        cx.stats.add("returns copied", changes.returned);
        Preserved::none_if(changes.marked + changes.dropped != 0)
    }
}

/// The changes of all functions, and memory that is kept from one to the next.
#[derive(Default)]
struct Changes {
    marked: u64,
    dropped: u64,
    returned: u64,
    /// The blocks of the current function that were the target of a removed jump.
    left: Vec<Block>,
    /// The same, as a set.
    noted: EntitySet<Block>,
    /// The blocks that returned by these jumps. Phis have their entries until [`Changes::clear_up`].
    jumped: EntitySet<Block>,
    shared: SharedReturns,
    cfg: Cfg,
}

impl Changes {
    /// Steps 2 and 3 for the calls of a function.
    fn mark(
        &mut self,
        decls: &Decls,
        f: &mut Function,
        (groups, calls): (&TailGroups, &[(Block, Inst)]),
        remarks: &mut Remarks,
    ) {
        if calls.is_empty() {
            return;
        }
        let mut frame_is_kept = None;
        self.left.clear();
        self.jumped.clear();
        self.shared.clear();
        for &(b, call) in calls {
            if f.inst(call).tail_mark() == TailMark::MustTail {
                continue;
            }
            let mut obstacle = obstacle(decls, f, call, groups);
            if obstacle.is_none() && *frame_is_kept.get_or_insert_with(|| keeps_frame(decls, f)) {
                obstacle = Some(Event::FrameIsKept);
            }
            if let Some(why) = obstacle {
                remarks.missed(f, call, why);
                self.set_mark(f, call, TailMark::None);
                continue;
            }
            if f.inst(call).tail_mark() == TailMark::None {
                remarks.done(f, call, Event::MayBeJump);
            }
            self.set_mark(f, call, TailMark::Tail);
            if let &[m] = f.succs(b) {
                self.return_here(f, b, m, remarks);
                if self.noted.insert(m) {
                    self.left.push(m);
                }
            }
        }
        if !self.left.is_empty() {
            self.clear_up(f, remarks);
        }
    }
    fn set_mark(&mut self, f: &mut Function, call: Inst, mark: TailMark) {
        let d = *f.inst(call);
        if d.tail_mark() == mark {
            return;
        }
        f.replace_inst(call, d.with_tail_mark(mark));
        match mark {
            TailMark::None => self.dropped += 1,
            TailMark::Tail | TailMark::MustTail => self.marked += 1,
        }
    }
    /// Puts the return that the block `m` begins with, its phis aside, in place of the jump to it at the end of `b`.
    fn return_here(&mut self, f: &mut Function, b: Block, m: Block, remarks: &mut Remarks) {
        let (ret, returned) = self.shared.return_in(f, m, b).expect("the jump leads to a return");
        let jump = f.terminator(b);
        remarks.done(f, jump, Event::ReturnsHere(m));
        let data = *f.inst(ret);
        let data = if let Returned::Scalar(value) = returned { data.with_first(value) } else { data };
        f.replace_inst(jump, data);
        f.set_succs(b, &[]);
        self.jumped.insert(b);
        self.returned += 1;
    }
    /// The rest of step 3: changes blocks of returns that now have fewer predecessors.
    fn clear_up(&mut self, f: &mut Function, remarks: &mut Remarks) {
        self.cfg.recompute(f);
        let left = std::mem::take(&mut self.left);
        for &m in &left {
            self.noted.remove(m);
            f.retain_phi_preds(m, |pred| !self.jumped.contains(pred));
            match *self.cfg.preds(m) {
                [] => f.remove_block(m),
                [b] if f.inst(f.terminator(b)).op == Opcode::Jmp && self.shared.return_in(f, m, b).is_some() => {
                    self.return_here(f, b, m, remarks);
                    f.remove_block(m);
                }
                [_] => replace_phis(f, m),
                _ => {}
            }
        }
        self.left = left;
    }
    /// Step 4 for marks of calls that no return follows.
    fn drop_stale_marks(&mut self, f: &mut Function, remarks: &mut Remarks) {
        let mut at = f.layout().entry();
        while let Some(b) = at {
            at = f.layout().next_block(b);
            let last = f.terminator(b);
            let returns = Returned::by(f, last).and_then(|value| call_before(f, last, value));
            let mut next = f.layout().first_inst(b);
            while let Some(i) = next {
                next = f.layout().next_inst(i);
                let is_marked = f.inst(i).op.format() == Format::Call && f.inst(i).tail_mark() == TailMark::Tail;
                if is_marked && returns != Some(i) {
                    remarks.missed(f, i, Event::NoReturnFollows);
                    self.set_mark(f, i, TailMark::None);
                }
            }
        }
    }
}

/// Removes the phis of a block that is a return aside from them, and that one block alone leads to.
fn replace_phis(f: &mut Function, m: Block) {
    let Some((ret, returned)) = return_of(f, m) else { return };
    let data = *f.inst(ret);
    let phi = f.phis(m).find(|i| data.first().is_reg() && f.def(*i) == data.first().as_reg());
    if let (Returned::Scalar(_), Some(phi)) = (returned, phi) {
        let (_, value) = f.phi_entries(phi).next().expect("it has an entry for the block");
        f.replace_inst(ret, data.with_first(value));
    }
    while let Some(phi) = f.layout().first_inst(m).filter(|i| f.inst(*i).op == Opcode::Phi) {
        f.remove_inst(phi);
    }
}

/// Returns the reason why a call before a return stays a call, by the call alone.
fn obstacle(decls: &Decls, f: &Function, call: Inst, groups: &TailGroups) -> Option<Event> {
    let callee = Callee::of(f, call).expect("it is a call");
    let is_noreturn = |attrs: Attrs| attrs.has(Attrs::NORETURN);
    let own = decls.signature(f.sym).map_or(Attrs::NONE, |sig| sig.attrs);
    if is_noreturn(own) || is_noreturn(callee.attrs(decls)) {
        return Some(Event::ReturnWouldTrap);
    }
    if let Some(why) = misfit(decls, f, call) {
        return Some(match why {
            Misfit::AggregateOnStack => Event::AggregateOnStack,
            Misfit::NoRoom => Event::NoRoomForArguments,
            Misfit::Environment => Event::EnvironmentInTheWay,
            Misfit::Variadic => Event::CalleeIsVariadic,
            Misfit::OtherResult => Event::OtherResult,
        });
    }
    let permitted = f.inst(call).tail_mark() == TailMark::Tail;
    (!permitted && groups.may_come_back(decls, f.sym, callee)).then_some(Event::JumpsMayLeadBack)
}

events! {
    enum Event {
        MayBeJump: "marked", "may become a jump: only the return of its result follows";
        ReturnsHere(was: Block): "returned", "returns itself, in place of a jump to {was}";
        NoReturnFollows: "stays-a-call", "stays a call, and loses its mark: no return follows";
        FrameIsKept: "stays-a-call",
            "stays a call: the address of a stack object may have escaped, or memory on the stack is dynamic";
        JumpsMayLeadBack: "stays-a-call",
            "stays a call: jumps might lead back here, and endless recursion must overflow the stack";
        ReturnWouldTrap: "stays-a-call", "stays a call: a return would trap, since a function is noreturn";
        AggregateOnStack: "stays-a-call", "stays a call: an aggregate argument is on the stack";
        NoRoomForArguments: "stays-a-call", "stays a call: its arguments need more of the stack than the caller's own";
        EnvironmentInTheWay: "stays-a-call",
            "stays a call: the environment occupies the register of the callee";
        CalleeIsVariadic: "stays-a-call", "stays a call: the callee is variadic";
        OtherResult: "stays-a-call", "stays a call: its result is not returned unchanged";
    }
}

//! The calls that wait when a trap is caught, found by a walk up the stack in the signal handler.
//!
//! Compiled code knows the caller's frame at each of its addresses, as its unwind tables do. Frames of C are skipped by
//! looking for the next word on the stack that is the return address of a call in compiled code. If C called back, a
//! value that it left in its own frames could be taken for one, though that is rare. A frame that is found by rbp is
//! skipped in the same way where C has called back, since only its tables tell where C keeps rbp. Nothing here takes
//! memory or a lock.

mod stack_words;

use super::code::{Caught, CompiledCode, Fault, FrameRule, Site};
use crate::outcome::Location;
use crate::outcome::backtrace::{Backtrace, MOST_CALLS};
use lir_syntax::semantics::Trap;
pub(super) use stack_words::StackWords;

/// Words of the frames of C that are looked through for a return address.
const WORDS_OF_C: u64 = 4096;

/// The calls that wait, the innermost first.
#[derive(Copy, Clone, Debug)]
pub(crate) struct WaitingCalls {
    calls: [Call; MOST_CALLS],
    count: usize,
    pub(super) is_cut: bool,
}

/// A call that waits.
#[derive(Copy, Clone, Debug)]
struct Call {
    return_address: u64,
    /// True if the callee is of C, which then called back or trapped.
    is_of_c: bool,
}

/// A frame of compiled code on the way up.
#[derive(Copy, Clone)]
struct Frame {
    /// The position in its code: an instruction, or the return address of a call.
    site: Site,
    sp: u64,
    /// Its value of rbp, if that is known.
    bp: Option<u64>,
}

impl WaitingCalls {
    /// Nothing is known.
    pub(crate) fn none() -> WaitingCalls {
        WaitingCalls { calls: [Call { return_address: 0, is_of_c: false }; MOST_CALLS], count: 0, is_cut: false }
    }
    /// Finds the calls. `top` is the end of the stack, or 0.
    pub(super) fn find(fault: &Fault, code: &dyn CompiledCode, caught: &Caught, top: u64) -> WaitingCalls {
        let mut callers = WaitingCalls::none();
        let mut words = StackWords::new();
        let Some(mut frame) = innermost(fault, caught, &mut words) else { return callers };
        while let Some(rule) = code.frame_rule(frame.site) {
            let Some((call, next)) = caller(code, frame, rule, top, &mut words) else { break };
            callers.push(call.return_address, call.is_of_c);
            if callers.is_cut {
                break;
            }
            frame = next;
        }
        callers
    }
    /// Adds the next outer call, which C made or compiled code.
    pub(super) fn push(&mut self, return_address: u64, is_of_c: bool) {
        if self.count == MOST_CALLS {
            self.is_cut = true;
            return;
        }
        self.calls[self.count] = Call { return_address, is_of_c };
        self.count += 1;
    }
    /// Their locations.
    pub(super) fn locations<'a>(&'a self, code: &'a dyn CompiledCode) -> impl Iterator<Item = Location> + 'a {
        // It does not matter which access of memory it was.
        let trap = Trap::Unreachable;
        self.calls[..self.count].iter().map(move |call| {
            let site = Site::Before(call.return_address);
            code.locate(&Caught { trap, site, outside: call.is_of_c, left: false })
        })
    }
    /// The same, to be kept.
    pub(crate) fn backtrace(&self, code: &dyn CompiledCode) -> Backtrace {
        Backtrace { calls: self.locations(code).collect(), is_cut: self.is_cut }
    }
}

/// Returns the frame of compiled code that the trap was found in.
fn innermost(fault: &Fault, caught: &Caught, words: &mut StackWords) -> Option<Frame> {
    let (sp, bp) = (fault.sp(), fault.register(libc::REG_RBP));
    match caught.site {
        _ if caught.left => None,
        Site::At(pc) => (pc == fault.pc()).then_some(Frame { site: caught.site, sp, bp: Some(bp) }),
        Site::Before(address) => {
            let at = words.position(sp, WORDS_OF_C, |word| word == address)?;
            Some(Frame { site: caught.site, sp: at + 8, bp: (!caught.outside).then_some(bp) })
        }
        Site::Entry(_) => None,
    }
}

/// Returns the call that a frame returns to, in compiled code, with that frame.
fn caller(
    code: &dyn CompiledCode,
    frame: Frame,
    rule: FrameRule,
    top: u64,
    words: &mut StackWords,
) -> Option<(Call, Frame)> {
    let base = if rule.by_bp { frame.bp } else { Some(frame.sp) };
    let Some(base) = base else {
        // The frame begins with the return address, and rbp is below it.
        let at = search(code, frame.sp, top, words)?;
        let return_address = words.word(at)?;
        let next = Frame { site: Site::Before(return_address), sp: at + 8, bp: words.word(at - 8) };
        return Some((Call { return_address, is_of_c: false }, next));
    };
    let cfa = base.wrapping_add(rule.cfa.into());
    // The walk must move up the stack, and not down.
    if cfa <= frame.sp {
        return None;
    }
    let return_address = words.word(cfa - 8)?;
    if code.is_return_address(return_address) {
        let bp = match rule.saved_bp {
            Some(offset) => words.word(cfa.wrapping_add_signed(offset.into())),
            None => frame.bp,
        };
        let next = Frame { site: Site::Before(return_address), sp: cfa, bp };
        return Some((Call { return_address, is_of_c: false }, next));
    }
    let at = search(code, cfa, top, words)?;
    let return_address = words.word(at)?;
    let next = Frame { site: Site::Before(return_address), sp: at + 8, bp: None };
    Some((Call { return_address, is_of_c: true }, next))
}

/// Returns the address of the next return address into compiled code on the stack.
fn search(code: &dyn CompiledCode, from: u64, top: u64, words: &mut StackWords) -> Option<u64> {
    let most = if top > from { WORDS_OF_C.min((top - from) / 8) } else { WORDS_OF_C };
    words.position(from, most, |word| code.is_return_address(word))
}

//! `if` and `while`: the state of the registers is captured where control diverges, and restored where it joins.
//!
//! | construct | captured | restored |
//! |---|---|---|
//! | `if` without `else` | at the branch | at the end of the arm |
//! | `if` with `else` | at the end of the first arm | at the end of the second |
//! | loop | at its top; at its first exit | at its end; at its other exits |
//!
//! To restore is to move: a variable that is in another register than it was is moved there, one that was in no
//! register is stored; nothing else moves. All moves happen at once, so that registers may exchange their values.

use super::Function;
use super::condition::Condition;
use super::writer::{Construct, Writer};
use crate::isa::x64::asm::Label;
use crate::regalloc::one_pass::engine::State;
use std::cell::RefMut;
use std::panic::Location;

/// An `if` that is still open.
#[derive(Debug)]
#[must_use = "it ends by `Function::end_if`"]
pub struct If {
    construct: Construct,
    otherwise: Label,
    at_branch: State,
    /// The end, after an `else`, and the state there if the first arm reaches it.
    end: Option<(Label, Option<State>)>,
}

/// A loop that is still open.
#[derive(Debug)]
#[must_use = "it ends by `Function::end_loop`"]
pub struct Loop {
    construct: Construct,
    top: Label,
    at_top: State,
    exit: Label,
    at_exit: Option<State>,
}

impl Function {
    /// Does `then` where a condition holds.
    #[track_caller]
    pub fn if_(&self, condition: Condition, then: impl FnOnce()) {
        let i = self.begin_if(condition);
        then();
        self.end_if(i);
    }
    /// Does `then` where a condition holds, else `otherwise`.
    #[track_caller]
    pub fn if_else(&self, condition: Condition, then: impl FnOnce(), otherwise: impl FnOnce()) {
        let mut i = self.begin_if(condition);
        then();
        self.begin_else(&mut i);
        otherwise();
        self.end_if(i);
    }
    /// Does `body` as long as a condition holds, which is computed before each time.
    #[track_caller]
    pub fn while_(&self, condition: impl FnOnce() -> Condition, body: impl FnOnce()) {
        let mut l = self.begin_loop();
        self.exit_unless(&mut l, condition());
        body();
        self.end_loop(l);
    }

    /// Begins an `if`: the code up to [`begin_else`](Function::begin_else) or [`end_if`](Function::end_if) is executed
    /// if a condition holds.
    #[track_caller]
    pub fn begin_if(&self, condition: Condition) -> If {
        let mut w = self.writer_of(&condition);
        let at_branch = w.capture();
        let a = w.assembler();
        let otherwise = a.label();
        a.jcc(condition.cond.inverted(), otherwise);
        If { construct: w.begin(false), otherwise, at_branch, end: None }
    }
    /// Ends the first arm; the second, executed if the condition does not hold, follows.
    #[track_caller]
    pub fn begin_else(&self, i: &mut If) {
        let mut w = self.writer.borrow_mut();
        if !w.check_innermost(i.construct) {
            return;
        }
        let state = if w.unreachable { None } else { Some(w.capture()) };
        let a = w.assembler();
        let end = a.label();
        if state.is_some() {
            a.jmp(end);
        }
        i.end = Some((end, state));
        w.resume(i.otherwise, Some(&i.at_branch));
    }
    /// Ends an `if`.
    #[track_caller]
    pub fn end_if(&self, i: If) {
        let mut w = self.writer.borrow_mut();
        if !w.end_construct(i.construct) {
            return;
        }
        match i.end {
            None => {
                if !w.unreachable {
                    w.restore(&i.at_branch);
                }
                w.resume(i.otherwise, Some(&i.at_branch));
            }
            Some((end, Some(state))) => {
                if !w.unreachable {
                    w.restore(&state);
                }
                w.resume(end, Some(&state));
            }
            Some((end, None)) => {
                let state = if w.unreachable { None } else { Some(w.capture()) };
                w.resume(end, state.as_ref());
            }
        }
    }

    /// Returns the writer. The condition is in the flags.
    #[track_caller]
    fn writer_of(&self, condition: &Condition) -> RefMut<'_, Writer> {
        let mut w = self.writer.borrow_mut();
        if condition.function != self.entry {
            w.fail("a condition belongs to another function", Location::caller());
        } else if condition.flags != w.flags {
            w.fail("a condition is used at once: other instructions came between", Location::caller());
        }
        w
    }

    /// Begins a loop: the code up to [`end_loop`](Function::end_loop) is executed repeatedly.
    ///
    /// Variables from before the loop must not be dropped in it.
    #[track_caller]
    pub fn begin_loop(&self) -> Loop {
        let mut w = self.writer.borrow_mut();
        let construct = w.begin(true);
        let at_top = w.capture();
        let a = w.assembler();
        let (top, exit) = (a.here(), a.label());
        Loop { construct, top, at_top, exit, at_exit: None }
    }
    /// Leaves a loop where a condition does not hold.
    #[track_caller]
    pub fn exit_unless(&self, l: &mut Loop, condition: Condition) {
        let mut w = self.writer_of(&condition);
        if !w.check_open(l.construct) {
            return;
        }
        let here = w.capture();
        let Some(at_exit) = l.at_exit else {
            l.at_exit = Some(here);
            w.assembler().jcc(condition.cond.inverted(), l.exit);
            return;
        };
        let a = w.assembler();
        let stays = a.label();
        a.jcc(condition.cond, stays);
        w.restore(&at_exit);
        w.assembler().jmp(l.exit);
        w.resume(stays, Some(&here));
    }
    /// Leaves a loop.
    #[track_caller]
    pub fn break_loop(&self, l: &mut Loop) {
        let mut w = self.writer.borrow_mut();
        if !w.check_open(l.construct) {
            return;
        }
        if w.unreachable {
            return;
        }
        match &l.at_exit {
            Some(at_exit) => w.restore(at_exit),
            None => l.at_exit = Some(w.capture()),
        }
        w.assembler().jmp(l.exit);
        w.unreachable = true;
    }
    /// Ends a loop.
    #[track_caller]
    pub fn end_loop(&self, l: Loop) {
        let mut w = self.writer.borrow_mut();
        if !w.end_construct(l.construct) {
            return;
        }
        if !w.unreachable {
            w.restore(&l.at_top);
            w.assembler().jmp(l.top);
        }
        w.resume(l.exit, l.at_exit.as_ref());
    }
}

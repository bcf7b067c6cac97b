//! Panics that report their stage, their function, and, if the hook of the tools is installed, their line of the
//! toolchain.
//!
//! A panic unwinds as usual; [`in_stage`] and [`on_function`] replace its payload by an [`InternalError`] as it passes.
//! The code that catches it finds that in the payload; a tool's `main` prints it. Without a panic this costs nothing:
//! only the path of a panic has code.

use crate::ir::{Decls, Sym};
use crate::printer::{print_sym, printed};
use std::any::Any;
use std::cell::RefCell;
use std::fmt;
use std::panic::{AssertUnwindSafe, PanicHookInfo, catch_unwind, resume_unwind};

/// The facts about a panic.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct InternalError {
    /// The innermost stage, `pass gvn` or `regalloc`, if one was entered.
    pub stage: Option<String>,
    /// The function that it worked on, `@f`.
    pub function: Option<String>,
    /// The message of the panic.
    pub message: String,
    /// The location in the source of the toolchain, if the hook noted it.
    pub location: Option<String>,
}

impl InternalError {
    /// Returns the message in the payload of a panic.
    pub fn of_payload(payload: Box<dyn Any + Send>) -> InternalError {
        let payload = match payload.downcast::<InternalError>() {
            Ok(error) => return *error,
            Err(payload) => payload,
        };
        let text = payload.downcast_ref::<&str>().map(|s| s.to_string());
        let message = text.or_else(|| payload.downcast_ref::<String>().cloned()).unwrap_or_default();
        InternalError { message, location: LOCATION.take(), ..InternalError::default() }
    }
}

impl fmt::Display for InternalError {
    /// `internal error in pass gvn on @f`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("internal error")?;
        if let Some(stage) = &self.stage {
            write!(f, " in {stage}")?;
        }
        match &self.function {
            Some(function) => write!(f, " on {function}"),
            None => Ok(()),
        }
    }
}

thread_local! {
    /// The location of the last panic of this thread.
    static LOCATION: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// Notes the location of a panic, for the hook of a tool.
pub fn note_location(info: &PanicHookInfo<'_>) {
    let location = info.location().map(|at| format!("{}:{}", at.file(), at.line()));
    LOCATION.set(location);
}

/// Does the work of a stage. A panic in it names the stage, unless it already names an inner one.
pub fn in_stage<R>(stage: fmt::Arguments<'_>, work: impl FnOnce() -> R) -> R {
    explained(work, |error| {
        error.stage.get_or_insert_with(|| stage.to_string());
    })
}

/// Does work on a function; a panic in it names the function.
pub fn on_function<R>(decls: &Decls, sym: Sym, work: impl FnOnce() -> R) -> R {
    explained(work, |error| {
        error.function.get_or_insert_with(|| printed(|out| print_sym(decls, sym, out)));
    })
}

fn explained<R>(work: impl FnOnce() -> R, explain: impl FnOnce(&mut InternalError)) -> R {
    // Only code that catches the panic sees the half-done work, as it would without this.
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|payload| {
        let mut error = InternalError::of_payload(payload);
        explain(&mut error);
        resume_unwind(Box::new(error))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::{Module, Signature};

    #[test]
    fn the_innermost_stage_and_function_are_told() {
        let mut module = Module::default();
        let f = module.define_func("a b", Signature::default());
        let (decls, sym) = (&module.decls, module.funcs[f].sym);
        let work = || -> u32 { in_stage(format_args!("pass {}", "x"), || panic!("number {}", 7)) };
        let payload = catch_unwind(AssertUnwindSafe(|| {
            in_stage(format_args!("outer"), || on_function(decls, sym, work));
        }));
        let error = InternalError::of_payload(payload.expect_err("it panics"));
        assert_eq!(
            (error.to_string().as_str(), error.message.as_str()),
            ("internal error in pass x on @\"a b\"", "number 7")
        );
        assert_eq!(in_stage(format_args!("y"), || on_function(decls, sym, || 3)), 3);
    }
}

//! Findings, and their line in a reproducer: `; finding: miscompile in native -O2 linear-scan`.

use super::check::Check;
use lir_run::host::child::Ended;
use std::fmt;

/// The kind of a finding. Findings of one kind in one check are taken for one bug.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Kind {
    /// The result or the trap differs.
    Miscompile,
    /// A pass left a function that breaks a rule of the language.
    Invalid,
    /// The checker rejects an allocation.
    Allocation,
    /// An internal error, at this position in the source.
    Panic(String),
    /// The process was killed by this signal.
    Crash(i32),
    /// The process exited with this status.
    Exit(i32),
    /// The process ran out of the memory that `--memory` allows.
    OutOfMemory,
    /// It did not end in time.
    Timeout,
    /// A pass or the code generator refused a module that is well-formed.
    Refused,
    /// The code generator refused a module that exceeds a documented limit.
    BeyondLimit,
    /// Two texts or objects differ that should be equal.
    Difference,
    /// The interpreter reports an error of the program, or the program does not end: the module is unusable.
    BadProgram,
    /// The result depends on unspecified behaviour: the module is unusable.
    Unspecified,
}

/// The signals that kill programs.
const SIGNALS: [(i32, &str); 8] = [
    (libc::SIGABRT, "SIGABRT"),
    (libc::SIGBUS, "SIGBUS"),
    (libc::SIGFPE, "SIGFPE"),
    (libc::SIGILL, "SIGILL"),
    (libc::SIGKILL, "SIGKILL"),
    (libc::SIGSEGV, "SIGSEGV"),
    (libc::SIGTRAP, "SIGTRAP"),
    (libc::SIGXCPU, "SIGXCPU"),
];

/// Kinds that are one word.
const WORDS: [(Kind, &str); 10] = [
    (Kind::Miscompile, "miscompile"),
    (Kind::Invalid, "invalid"),
    (Kind::Allocation, "allocation"),
    (Kind::OutOfMemory, "out-of-memory"),
    (Kind::Timeout, "timeout"),
    (Kind::Refused, "refused"),
    (Kind::BeyondLimit, "beyond-limit"),
    (Kind::Difference, "difference"),
    (Kind::BadProgram, "bad-program"),
    (Kind::Unspecified, "unspecified"),
];

impl Kind {
    /// Returns the kind of finding that the end of a child means. None if the child answered.
    pub(crate) fn of_end(ended: &Ended) -> Option<Kind> {
        match *ended {
            Ended::Answered(_) => None,
            Ended::Exited(status) => Some(Kind::Exit(status)),
            Ended::Killed(signal) => Some(Kind::Crash(signal)),
            Ended::OutOfMemory => Some(Kind::OutOfMemory),
            Ended::TimedOut => Some(Kind::Timeout),
        }
    }
    /// Parses the text written by [`Display`](fmt::Display).
    fn parse(text: &str) -> Option<Kind> {
        if let Some((kind, _)) = WORDS.iter().find(|(_, word)| *word == text) {
            return Some(kind.clone());
        }
        let (word, rest) = text.split_once(' ')?;
        match word {
            "panic" => Some(Kind::Panic(rest.to_string())),
            "exit" => rest.parse().ok().map(Kind::Exit),
            "crash" => {
                let named = SIGNALS.iter().find(|(_, name)| *name == rest).map(|s| s.0);
                named.or_else(|| rest.parse().ok()).map(Kind::Crash)
            }
            _ => None,
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Kind::Panic(position) => write!(f, "panic {position}"),
            Kind::Exit(status) => write!(f, "exit {status}"),
            Kind::Crash(signal) => match SIGNALS.iter().find(|s| s.0 == *signal) {
                Some((_, name)) => write!(f, "crash {name}"),
                None => write!(f, "crash {signal}"),
            },
            word => f.write_str(WORDS.iter().find(|w| w.0 == *word).expect("a kind that is one word").1),
        }
    }
}

/// The problem of a module under a check.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Problem {
    /// The kind.
    pub kind: Kind,
    /// The message, in lower case without a period.
    pub message: String,
}

impl Problem {
    /// Returns a problem with a message.
    pub fn new(kind: Kind, message: impl Into<String>) -> Problem {
        Problem { kind, message: message.into() }
    }
}

/// The finding with the module of a seed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Finding {
    /// The seed.
    pub seed: u64,
    /// The check that failed.
    pub check: Check,
    /// The problem.
    pub problem: Problem,
}

impl Finding {
    /// Returns the key that findings of one bug share: `KIND in CHECK`.
    pub fn key(&self) -> String {
        key(&self.problem.kind, &self.check)
    }
}

/// `KIND in CHECK`.
pub(crate) fn key(kind: &Kind, check: &Check) -> String {
    format!("{kind} in {check}")
}

/// Reads a [`key`].
///
/// # Errors
/// The error names the expected text.
pub(crate) fn parse_key(text: &str) -> Result<(Kind, Check), String> {
    let form = || format!("`{text}` is no finding: `KIND in CHECK` is expected, as in `miscompile in passes -O2`");
    let (kind, check) = text.split_once(" in ").ok_or_else(form)?;
    Ok((Kind::parse(kind).ok_or_else(form)?, check.parse()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_read_back() {
        for text in [
            "miscompile in native -O2 linear-scan",
            "miscompile in variants -O0 v1 fast",
            "miscompile in stressed -O2 linear-scan fast regs=4 stress=17 without=webs,hints",
            "allocation in stressed -O0 linear-scan good stress=spill",
            "crash SIGSEGV in passes ssa,mem2reg,gvn",
            "crash 35 in bytes -O2",
            "panic lir-opt/src/a.rs:3:4 in roundtrip",
            "exit 3 in interpreter",
            "timeout in passes -O1",
            "out-of-memory in passes -O2",
        ] {
            let (kind, check) = parse_key(text).unwrap();
            assert_eq!(key(&kind, &check), text);
        }
        for text in [
            "miscompile",
            "explosion in roundtrip",
            "timeout in passes nosuch",
            "timeout in native -O2 nosuch",
            "timeout in variants -O2 v1",
        ] {
            assert!(parse_key(text).is_err(), "{text}");
        }
    }
}

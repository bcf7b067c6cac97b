//! Compares a text with the `CHECK` lines of a file as LLVM's FileCheck does, strictly.
//!
//! [`CheckFile::parse`] reads the check lines of a file, [`CheckFile::check`] compares an input with them. The
//! language is FileCheck's (<https://llvm.org/docs/CommandGuide/FileCheck.html>):
//!
//! | line | the input has |
//! |---|---|
//! | `CHECK: p` | a match of `p` after the match before |
//! | `CHECK-NEXT: p` | the next match on the next line |
//! | `CHECK-SAME: p` | the next match on the same line |
//! | `CHECK-NOT: p` | no match between the matches around it |
//! | `CHECK-DAG: p` | with its neighbours, matches in any order that do not overlap |
//! | `CHECK-LABEL: p` | a match that cuts the input: lines before and after it match on their side |
//! | `CHECK-EMPTY:` | an empty line next |
//! | `CHECK-COUNT-n: p` | n matches that do not overlap |
//!
//! In a pattern, blanks match any run of blanks, `{{..}}` is a POSIX extended regular expression, `[[X:..]]` names the
//! text that an expression matches, `[[X]]` is that text again, and `[[#..]]` are numbers: `[[#%x,N:]]`, `[[#N+1]]`,
//! `[[#@LINE-2]]`. With `{LITERAL}` before the colon nothing in a pattern is special. Variables hold to the end of the
//! file; with [`Options::variable_scope`], those whose names do not begin with `$` end at the next `CHECK-LABEL`.
//!
//! **Where both accept, both agree**; a test compares them. This one refuses more, because a line that tests nothing
//! looks like a test that passes:
//!
//! * misspelt directives, and directives with unknown endings ([`directive`](lir_syntax::text::directive));
//! * files with nothing but `CHECK-NOT`, and prefixes without a line that must match;
//! * variables that are used and defined nowhere, empty patterns of variables, text and numbers of one name;
//! * regular expressions that POSIX and Rust read differently (`\d`, `*?`; see [`ere`]);
//! * numbers of more than 127 bits; numbers with a leading zero, which LLVM reads as octal.
//!
//! And it reads directives where this project's texts have them, as the first word of a comment, not anywhere in a
//! line. Regular expressions match the longest of the leftmost matches, as in POSIX ([`search`]).

pub mod cli;
mod complaint;
mod ere;
mod expression;
mod format;
mod matcher;
mod nearest;
mod pattern;
mod pattern_text;
mod search;
mod text;

pub use complaint::Complaint;
use complaint::Match;

use lir_syntax::text::diagnostic::Diagnostic;
use lir_syntax::text::directive::{CheckKind, DEFAULT_PREFIX, Directive, DirectiveKind, directives, prefixes_in_use};
use lir_syntax::text::source::{LineCounter, Source, Span};
use pattern::{Pattern, Values};
use pattern_text::{NameKind, Names, PatternText};

/// Options of a comparison.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// The prefixes of check lines; `CHECK` if there are none.
    pub prefixes: Vec<String>,
    /// Every match takes a whole line, except for blanks around it.
    pub match_full_lines: bool,
    /// Blanks are compared as they are.
    pub strict_whitespace: bool,
    /// Letters of both cases are the same.
    pub ignore_case: bool,
    /// Variables end at the next `CHECK-LABEL`, unless their names begin with `$`.
    pub variable_scope: bool,
    /// The input may be empty.
    pub allow_empty: bool,
    /// A prefix may have no check lines, if another has some.
    pub allow_unused_prefixes: bool,
    /// Patterns that must not match any input that no check line matches.
    pub implicit_check_not: Vec<String>,
    /// Variables: `NAME=text`, `#NAME=number`, `#%x,NAME=0x10`.
    pub definitions: Vec<String>,
}

/// A check line, or one that an option implies.
#[derive(Debug)]
struct Check {
    /// The kind of check. None for the end of the input.
    kind: Option<CheckKind>,
    /// Its prefix; empty if there is none.
    prefix: String,
    /// The directive as it is written: `CHECK-NEXT`.
    name: String,
    /// Its pattern.
    pattern: Pattern,
    /// The position of the pattern. None if an option implies it.
    span: Option<Span>,
    /// Its line, from 1.
    line: u32,
}

/// The result of a comparison.
struct Comparison {
    /// The matches of the check lines, in the order in which they were found.
    matches: Vec<Match>,
    /// The errors.
    complaints: Result<(), Vec<Complaint>>,
}

/// The check lines of a file.
#[derive(Debug)]
pub struct CheckFile {
    /// All lines in their order.
    checks: Vec<Check>,
    /// The checks that `--implicit-check-not` implies before each match.
    implicit: Vec<Check>,
    /// The variables that options define.
    values: Values,
    options: Options,
}

impl CheckFile {
    /// Reads the check lines of a file.
    ///
    /// # Errors
    /// The errors in them, or in the options: these have no position.
    pub fn parse(source: &Source, options: &Options) -> Result<CheckFile, Vec<Diagnostic>> {
        let mut options = options.clone();
        if options.prefixes.is_empty() {
            options.prefixes.push(DEFAULT_PREFIX.to_string());
        }
        let mut errors = Vec::new();
        let (mut names, mut values) = (Names::default(), Values::default());
        check_prefixes(&options, &mut errors);
        for definition in &options.definitions {
            if let Err(message) = pattern_text::define(definition, &mut names, &mut values) {
                errors.push(Diagnostic::new(None, format!("-D{definition}: {message}")));
            }
        }
        let implicit = implicit_checks(&options, &mut names, &mut errors);
        let mut in_use = prefixes_in_use(source);
        in_use.extend(options.prefixes.iter().filter(|p| !in_use.contains(p)).cloned().collect::<Vec<_>>());
        let mut checks = Vec::new();
        let mut lines = LineCounter::new(source);
        for directive in directives(source, &in_use) {
            let read =
                directive.and_then(|d| read_check(source, &d, lines.line_column(d.comment).0, &options, &mut names));
            match read {
                Ok(check) => checks.extend(check),
                Err(error) => errors.push(error),
            }
        }
        check_order(&checks, &mut errors);
        check_uses(&names, &mut errors);
        if errors.is_empty() {
            check_coverage(&checks, &options, &mut errors);
        }
        errors.sort_by_key(|e| e.span);
        if errors.is_empty() { Ok(CheckFile { checks, implicit, values, options }) } else { Err(errors) }
    }

    /// Compares an input with the check lines.
    ///
    /// # Errors
    /// At most one complaint for each part between `CHECK-LABEL`s.
    pub fn check(&self, input: &Source) -> Result<(), Vec<Complaint>> {
        self.compare(input).complaints
    }

    /// Compares an input with the check lines, and keeps the matches.
    fn compare(&self, input: &Source) -> Comparison {
        matcher::run(self, input)
    }
}

fn check_prefixes(options: &Options, errors: &mut Vec<Diagnostic>) {
    for (n, prefix) in options.prefixes.iter().enumerate() {
        let word = prefix.bytes().all(|c| c.is_ascii_alphanumeric() || c == b'-' || c == b'_');
        let message = if !word || !prefix.starts_with(|c: char| c.is_ascii_alphabetic()) {
            format!("`{prefix}` is no prefix: it begins with a letter and has letters, digits, `-` and `_`")
        } else if ["RUN", "run", "error", "COM"].contains(&prefix.as_str()) {
            format!("`{prefix}` is no prefix: such comments are something else")
        } else if options.prefixes[..n].contains(prefix) {
            format!("the prefix `{prefix}` is given twice")
        } else {
            continue;
        };
        errors.push(Diagnostic::new(None, message));
    }
}

fn implicit_checks(options: &Options, names: &mut Names, errors: &mut Vec<Diagnostic>) -> Vec<Check> {
    let mut implicit = Vec::new();
    for text in &options.implicit_check_not {
        let kind = CheckKind::Not;
        match pattern_text::read(&PatternText { text, at: 0, kind, literal: false }, options, names) {
            Ok(pattern) => {
                let (prefix, name) = (String::new(), "--implicit-check-not".into());
                implicit.push(Check { kind: Some(kind), prefix, name, pattern, span: None, line: 0 });
            }
            Err(e) => errors.push(Diagnostic::new(None, format!("--implicit-check-not={text}: {}", e.message))),
        }
    }
    implicit
}

/// Reads a check line. None if the directive is something else, or of a prefix that others use.
fn read_check(
    source: &Source,
    directive: &Directive<'_>,
    line: u32,
    options: &Options,
    names: &mut Names,
) -> Result<Option<Check>, Diagnostic> {
    let DirectiveKind::Check { prefix, kind, literal } = directive.kind else { return Ok(None) };
    if !options.prefixes.iter().any(|p| p == prefix) {
        return Ok(None);
    }
    let at = directive.rest.start as usize;
    let text = &source.text[at..directive.rest.end as usize];
    let pattern = pattern_text::read(&PatternText { text, at, kind, literal }, options, names);
    let word = &source.text[directive.word.start as usize..directive.word.end as usize];
    let name = word.trim_end_matches(':').to_string();
    // A missing pattern has the position of its directive.
    let pattern = pattern.map_err(|mut e| {
        e.span = e.span.filter(|s| s.end > s.start).or(Some(directive.word));
        e
    })?;
    if kind == CheckKind::Label && pattern.has_variables() {
        let message = "a label has no variables and no numbers: it is looked for before they have values";
        return Err(Diagnostic::new(directive.span, message));
    }
    let span = if directive.text.is_empty() { directive.word } else { directive.span };
    Ok(Some(Check { kind: Some(kind), prefix: prefix.to_string(), name, pattern, span: Some(span), line }))
}

/// `-NEXT`, `-SAME` and `-EMPTY` follow something that matches.
fn check_order(checks: &[Check], errors: &mut Vec<Diagnostic>) {
    for check in checks {
        match check.kind {
            Some(CheckKind::Not | CheckKind::Dag) | None => {}
            Some(CheckKind::Next | CheckKind::Same | CheckKind::Empty) => {
                let message = format!("{} needs a match before it to count from", check.name);
                errors.push(Diagnostic::new(check.span, message));
                return;
            }
            Some(CheckKind::Plain | CheckKind::Label | CheckKind::Count(_)) => return,
        }
    }
}

/// Every variable that is used is defined somewhere, as the kind that it is used as.
fn check_uses(names: &Names, errors: &mut Vec<Diagnostic>) {
    for u in &names.uses {
        let message = match (names.kinds.get(&u.name), u.numeric) {
            (Some(NameKind::Text), false) | (Some(NameKind::Number(_)), true) => continue,
            (None, _) => format!("the variable {} is defined nowhere", u.name),
            (Some(NameKind::Text), true) => format!("{} is a text, not a number", u.name),
            (Some(NameKind::Number(_)), false) => format!("{} is a number: write [[#{}]]", u.name, u.name),
        };
        errors.push(Diagnostic::new(u.span, message));
    }
}

/// Every prefix has a line, and some line must match.
fn check_coverage(checks: &[Check], options: &Options, errors: &mut Vec<Diagnostic>) {
    let unused = |p: &&String| !checks.iter().any(|c| c.prefix == **p);
    // Without any line nothing is compared, whatever is allowed.
    if checks.is_empty() || !options.allow_unused_prefixes {
        for prefix in options.prefixes.iter().filter(unused) {
            errors.push(Diagnostic::new(None, format!("there are no check lines with the prefix `{prefix}`")));
        }
    }
    if errors.is_empty() && checks.iter().all(|c| c.kind == Some(CheckKind::Not)) {
        let message = "all check lines are -NOT: an input without anything would pass";
        errors.push(Diagnostic::new(checks[0].span, message));
    }
}

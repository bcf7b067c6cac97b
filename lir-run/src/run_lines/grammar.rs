//! The grammar of calls and run lines, `run_lines.pest`, with its messages.

use crate::value::TextError;
use pest::Parser;
use pest::error::{ErrorVariant, InputLocation};

/// The parser that pest makes from the grammar. Its rules have no documentation of their own.
mod generated {
    #[derive(pest_derive::Parser)]
    #[grammar = "run_lines/run_lines.pest"]
    pub(in super::super) struct Grammar;
}
use generated::Grammar;
pub(super) use generated::Rule;

/// A part of a line.
pub(super) type Pair<'t> = pest::iterators::Pair<'t, Rule>;

/// Parses a text by a rule for whole lines; returns its only pair.
pub(super) fn parse(rule: Rule, text: &str) -> Result<Pair<'_>, TextError> {
    match Grammar::parse(rule, text) {
        Ok(mut pairs) => Ok(pairs.next().expect("a rule that matches has a pair")),
        Err(error) => {
            let (InputLocation::Pos(at) | InputLocation::Span((at, _))) = error.location;
            let expected = match &error.variant {
                ErrorVariant::ParsingError { positives, .. } => positives,
                ErrorVariant::CustomError { message } => return Err((at, message.clone())),
            };
            Err((at, message(expected, &text[at..])))
        }
    }
}

/// Returns the message for a text that only these rules could continue.
fn message(expected: &[Rule], rest: &str) -> String {
    let is = |rule| expected.contains(&rule);
    match () {
        () if is(Rule::bare) && rest.starts_with('"') => "the string has no end".into(),
        () if is(Rule::bare) => "a name is expected after `@`".into(),
        () if is(Rule::symbol) => "a function `@name` is expected".into(),
        () if is(Rule::open) => "`(` and the arguments are expected".into(),
        () if is(Rule::arguments) => "the arguments have no `)` at their end".into(),
        () if is(Rule::trap) => "`(` and a name and `)` are expected".into(),
        () if is(Rule::string) && rest.starts_with('"') => "the string has no end".into(),
        () if is(Rule::string) => "a string is expected".into(),
        () => format!("`{rest}` is not expected here"),
    }
}

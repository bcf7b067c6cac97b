//! The pattern of a check line, and matching it.
//!
//! A pattern without `{{..}}` and `[[..]]` is searched for literally. Others become one regular expression, in which
//! the values of variables are filled in when it is matched.

use super::ere;
use super::expression::{Expression, LINE, NoValue};
use super::format::Format;
use super::search::{Found, References, Searcher};
use lir_syntax::text::source::Span;
use rustc_hash::FxHashMap;
use std::ops::Range;

/// A pattern.
#[derive(Debug)]
pub(super) struct Pattern {
    /// The text or expression that is searched for.
    pub body: Body,
    /// The pattern as it is written, for the search for near misses.
    pub example: String,
    /// True if letters of both cases are the same.
    pub ignore_case: bool,
}

/// The body of a pattern.
#[derive(Debug)]
pub(super) enum Body {
    /// This text.
    Fixed(Vec<u8>),
    /// A regular expression that needs no values.
    Constant(Searcher, Vec<Definition>),
    /// A regular expression with values.
    Template(Vec<TemplatePart>, Vec<Definition>),
    /// The end of the input.
    End,
}

/// A part of a regular expression.
#[derive(Clone, Debug)]
pub(super) enum TemplatePart {
    /// Regular expression.
    Regex(String),
    /// The value of a text variable, and where it is used.
    Variable(String, Span),
    /// The value of an expression, and its position.
    Number(Expression, Format, Span),
    /// The text that the group of this number matched.
    Reference(usize),
}

/// A variable that a match defines.
#[derive(Clone, Debug)]
pub(super) struct Definition {
    /// Its name.
    pub name: String,
    /// The format of a number.
    pub format: Option<Format>,
    /// The group that gives its value.
    pub group: usize,
}

/// The values of variables.
#[derive(Clone, Default, Debug)]
pub(super) struct Values {
    /// Texts.
    pub texts: FxHashMap<String, Vec<u8>>,
    /// Numbers.
    pub numbers: FxHashMap<String, i128>,
}

/// The reason a pattern cannot be matched.
pub(super) struct Unusable {
    /// The position in the check file, if it is known.
    pub span: Option<Span>,
    /// The message.
    pub message: String,
}

impl Values {
    /// Forgets variables whose names do not begin with `$`.
    pub(super) fn clear_local(&mut self) {
        self.texts.retain(|name, _| name.starts_with('$'));
        self.numbers.retain(|name, _| name.starts_with('$'));
    }
}

impl Pattern {
    /// Returns the first match in a text, and the values of the variables that it defines. `line` is the line of the
    /// pattern.
    ///
    /// # Errors
    /// A variable has no value, a number does not fit, or the pattern cannot be compiled.
    pub(super) fn search(
        &self,
        text: &[u8],
        line: u32,
        values: &mut Values,
    ) -> Result<Option<Range<usize>>, Vec<Unusable>> {
        let whole = |message| vec![Unusable { span: None, message }];
        let (found, definitions) = match &self.body {
            Body::End => return Ok(Some(text.len()..text.len())),
            Body::Fixed(fixed) => return Ok(find_fixed(text, fixed, self.ignore_case)),
            Body::Constant(searcher, definitions) => (searcher.search(text).map_err(whole)?, definitions),
            Body::Template(parts, definitions) => {
                let searcher = compile(parts, line, values, self.ignore_case)?;
                (searcher.search(text).map_err(whole)?, definitions)
            }
        };
        let Some(found) = found else { return Ok(None) };
        define(text, &found, definitions, values).map_err(whole)?;
        Ok(Some(found.range))
    }

    /// True if the pattern defines or uses variables or numbers.
    pub(super) fn has_variables(&self) -> bool {
        match &self.body {
            Body::Fixed(_) | Body::End => false,
            Body::Constant(_, definitions) => !definitions.is_empty(),
            Body::Template(..) => true,
        }
    }

    /// Returns the text and value of the pattern's variables and expressions, for messages.
    pub(super) fn substitutions<'p>(&'p self, line: u32, values: &Values) -> Vec<(Span, String)> {
        let Body::Template(parts, _) = &self.body else { return Vec::new() };
        let known = |part: &'p TemplatePart| match part {
            TemplatePart::Variable(name, span) => values
                .texts
                .get(name)
                .map(|v| (*span, format!("{name} is \"{}\"", String::from_utf8_lossy(v).escape_debug()))),
            TemplatePart::Number(e, format, span) => {
                let value = e.evaluate(|name| number(name, line, values)).ok()?;
                Some((*span, format!("this is {}", format.write(value)?)))
            }
            TemplatePart::Regex(_) | TemplatePart::Reference(_) => None,
        };
        parts.iter().filter_map(known).collect()
    }
}

fn find_fixed(text: &[u8], fixed: &[u8], ignore_case: bool) -> Option<Range<usize>> {
    let at = if ignore_case {
        text.windows(fixed.len()).position(|w| w.eq_ignore_ascii_case(fixed))
    } else {
        memchr::memmem::find(text, fixed)
    };
    at.map(|at| at..at + fixed.len())
}

fn number(name: &str, line: u32, values: &Values) -> Option<i128> {
    if name == LINE { Some(i128::from(line)) } else { values.numbers.get(name).copied() }
}

/// Compiles an expression with the current values.
fn compile(parts: &[TemplatePart], line: u32, values: &Values, ignore_case: bool) -> Result<Searcher, Vec<Unusable>> {
    let (mut regex, mut unusable) = (String::new(), Vec::new());
    let mut fail = |span: Span, message: String| unusable.push(Unusable { span: Some(span), message });
    for part in parts {
        match part {
            TemplatePart::Regex(text) => regex.push_str(text),
            TemplatePart::Reference(_) => regex.push_str("()"),
            TemplatePart::Variable(name, span) => match values.texts.get(name) {
                Some(value) => ere::literal(value, &mut regex),
                None => fail(*span, format!("the variable {name} has no value here")),
            },
            TemplatePart::Number(e, format, span) => match e.evaluate(|name| number(name, line, values)) {
                Ok(value) => match format.write(value) {
                    Some(text) => regex.push_str(&text),
                    None => fail(*span, format!("the value is {value}, which {} cannot write", format.name())),
                },
                Err(NoValue::Undefined(name)) => fail(*span, format!("the variable {name} has no value here")),
                Err(NoValue::Overflow) => fail(*span, "the value does not fit 127 bits".into()),
            },
        }
    }
    if !unusable.is_empty() {
        return Err(unusable);
    }
    build(parts, &regex, ignore_case).map_err(|message| vec![Unusable { span: None, message }])
}

/// Compiles an expression of parts, whose text with values is `regex`.
pub(super) fn build(parts: &[TemplatePart], regex: &str, ignore_case: bool) -> Result<Searcher, String> {
    if !parts.iter().any(|p| matches!(p, TemplatePart::Reference(_))) {
        return Searcher::new(regex, None, ignore_case);
    }
    // With the values filled in, no match begins earlier or ends elsewhere than with any text in their place.
    let (mut relaxed, mut groups, mut group) = (String::new(), Vec::new(), 0);
    for part in parts {
        match part {
            TemplatePart::Regex(text) => {
                relaxed.push_str(text);
                group += definitions_in(text);
            }
            TemplatePart::Variable(..) | TemplatePart::Number(..) => relaxed.push_str("(?s:.)*"),
            TemplatePart::Reference(to) => {
                relaxed.push_str("(?s:.)*");
                group += 1;
                groups.push((group, *to));
            }
        }
    }
    Searcher::new(regex, Some(&References { relaxed: &relaxed, groups: &groups }), ignore_case)
}

/// Counts the groups of a part. All others are written `(?:`, and a literal `(` in hexadecimal.
fn definitions_in(regex: &str) -> usize {
    regex.matches('(').count() - regex.matches("(?:").count()
}

/// Sets the variables that a match defines.
fn define(text: &[u8], found: &Found, definitions: &[Definition], values: &mut Values) -> Result<(), String> {
    for d in definitions {
        let value = &text[found.groups[d.group - 1].clone()];
        match d.format {
            None => drop(values.texts.insert(d.name.clone(), value.to_vec())),
            Some(format) => {
                let written = String::from_utf8_lossy(value);
                let Some(number) = format.read(&written) else {
                    return Err(format!("{written} does not fit 127 bits"));
                };
                values.numbers.insert(d.name.clone(), number);
            }
        }
    }
    Ok(())
}

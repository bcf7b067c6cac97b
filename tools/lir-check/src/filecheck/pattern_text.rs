//! Reads the pattern of a check line: text, `{{regex}}`, `[[NAME:regex]]`, `[[NAME]]`, `[[#%x,NAME:expression]]`.

use super::Options;
use super::expression::{Expression, LINE, NoValue, Step, name_length};
use super::format::{DEFAULT, Format};
use super::pattern::{Body, Definition, Pattern, TemplatePart, build};
use super::search::Searcher;
use super::text::Canonical;
use super::{ere, pattern};
use lir_syntax::text::diagnostic::Diagnostic;
use lir_syntax::text::directive::CheckKind;
use lir_syntax::text::source::Span;
use rustc_hash::FxHashMap;

/// The variables of a check file that are known while it is read.
#[derive(Default)]
pub(super) struct Names {
    /// The kind of each variable.
    pub kinds: FxHashMap<String, NameKind>,
    /// Uses of variables, to be looked up when all is read.
    pub uses: Vec<Use>,
}

/// A use of a variable.
pub(super) struct Use {
    /// Its name.
    pub name: String,
    /// Its position.
    pub span: Span,
    /// True if it is used as a number.
    pub numeric: bool,
}

/// The kind of a variable.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum NameKind {
    /// A text.
    Text,
    /// A number in this format.
    Number(Format),
}

/// A pattern that is to be read.
pub(super) struct PatternText<'a> {
    /// The text after the directive's colon.
    pub text: &'a str,
    /// The offset in the source at which it begins.
    pub at: usize,
    /// The kind of check that it is the pattern of.
    pub kind: CheckKind,
    /// True if it is taken literally.
    pub literal: bool,
}

/// Reads a pattern.
///
/// # Errors
/// The error in it.
pub(super) fn read(pattern: &PatternText<'_>, options: &Options, names: &mut Names) -> Result<Pattern, Diagnostic> {
    let exact = options.strict_whitespace && options.match_full_lines;
    let blanks = [' ', '\t'];
    let text = if exact { pattern.text } else { pattern.text.trim_start_matches(blanks) };
    let at = pattern.at + pattern.text.len() - text.len();
    let text = if exact { text } else { text.trim_end_matches(blanks) };
    let end = Span::new(at, at + text.len());
    let ignore_case = options.ignore_case;
    let finished = |body, example: &str| Ok(Pattern { body, example: example.to_string(), ignore_case });
    if pattern.kind == CheckKind::Empty {
        if !text.is_empty() {
            return Err(Diagnostic::new(end, "nothing may follow -EMPTY: it is the empty line that is checked"));
        }
        return finished(
            Body::Constant(Searcher::new("\\n$", None, false).map_err(|e| Diagnostic::new(end, e))?, vec![]),
            "",
        );
    }
    if text.is_empty() {
        return Err(Diagnostic::new(end, "the pattern is empty and would match everywhere"));
    }
    let canonical = Canonical::new(text, at, options.strict_whitespace);
    let written = str::from_utf8(&canonical.text).expect("nothing but blanks is left out").to_string();
    let full_line = options.match_full_lines && pattern.kind != CheckKind::Not;
    if pattern.literal || !(full_line || written.contains("{{") || written.contains("[[")) {
        return finished(Body::Fixed(written.clone().into_bytes()), &written);
    }
    let mut reader = Reader {
        text: &written,
        canonical: &canonical,
        names,
        at: 0,
        parts: vec![TemplatePart::Regex(String::new())],
        definitions: Vec::new(),
        groups: 0,
    };
    let (open, close) = match (full_line, options.strict_whitespace) {
        (false, _) => ("", ""),
        (true, false) => ("^ *", " *$"),
        (true, true) => ("^", "$"),
    };
    reader.regex().push_str(open);
    reader.pieces()?;
    reader.regex().push_str(close);
    let (parts, definitions) = (reader.parts, reader.definitions);
    let constant = parts.iter().try_fold(String::new(), |all, part| match part {
        TemplatePart::Regex(text) => Some(all + text),
        TemplatePart::Reference(_) => Some(all + "()"),
        TemplatePart::Variable(..) | TemplatePart::Number(..) => None,
    });
    match constant {
        None => finished(Body::Template(parts, definitions), &written),
        Some(regex) => {
            let searcher = build(&parts, &regex, ignore_case).map_err(|e| Diagnostic::new(end, e))?;
            finished(Body::Constant(searcher, definitions), &written)
        }
    }
}

struct Reader<'a> {
    /// The pattern, blanks run together.
    text: &'a str,
    canonical: &'a Canonical,
    names: &'a mut Names,
    at: usize,
    parts: Vec<TemplatePart>,
    definitions: Vec<Definition>,
    /// Number of groups.
    groups: usize,
}

impl<'a> Reader<'a> {
    fn pieces(&mut self) -> Result<(), Diagnostic> {
        while self.at < self.text.len() {
            let rest = &self.text[self.at..];
            if rest.starts_with("{{") {
                self.braces(rest)?;
            } else if rest.starts_with("[[") && !rest.starts_with("[[[") {
                self.brackets(rest)?;
            } else {
                let first = rest.chars().next().map_or(0, char::len_utf8);
                let next = |what| rest[first..].find(what).map_or(rest.len(), |n| n + first);
                let end = next("{{").min(next("[["));
                let mut text = String::new();
                ere::literal(&rest.as_bytes()[..end], &mut text);
                self.regex().push_str(&text);
                self.at += end;
            }
        }
        Ok(())
    }

    /// The last part, which is made a regular expression if it is something else.
    fn regex(&mut self) -> &mut String {
        if !matches!(self.parts.last(), Some(TemplatePart::Regex(_))) {
            self.parts.push(TemplatePart::Regex(String::new()));
        }
        match self.parts.last_mut() {
            Some(TemplatePart::Regex(text)) => text,
            _ => unreachable!("it was made so"),
        }
    }
    /// Returns a position in the source, by offsets in the pattern.
    fn span(&self, start: usize, end: usize) -> Span {
        Span::new(self.canonical.to_source(start), self.canonical.to_source(end))
    }
    fn error(&self, start: usize, end: usize, message: impl Into<String>) -> Diagnostic {
        Diagnostic::new(self.span(start, end), message)
    }

    /// `{{regex}}`.
    fn braces(&mut self, rest: &str) -> Result<(), Diagnostic> {
        let at = self.at;
        let end = rest.find("}}").ok_or_else(|| self.error(at, at + 2, "a `{{` without its `}}`"))?;
        self.expression(at + 2, &rest[2..end])?;
        self.at += end + 2;
        Ok(())
    }

    /// A regular expression that begins at an offset of the pattern.
    fn expression(&mut self, at: usize, ere: &str) -> Result<(), Diagnostic> {
        let mut out = String::from("(?:");
        ere::translate(ere, &mut out).map_err(|e| {
            let hint = if ere.ends_with(|c: char| c.is_ascii_digit()) && e.message.starts_with("a `{`") {
                "; write `{{(a{2})}}`, because the first `}}` ends the expression"
            } else {
                ""
            };
            // An error at the end is shown at the whole expression.
            let from = if e.at < ere.len() { at + e.at } else { at };
            self.error(from, at + ere.len(), e.message + hint)
        })?;
        out.push(')');
        self.regex().push_str(&out);
        Ok(())
    }

    /// `[[..]]`.
    fn brackets(&mut self, rest: &'a str) -> Result<(), Diagnostic> {
        let at = self.at;
        let inside = &rest[2..];
        let end = match block_end(inside) {
            Ok(end) => end,
            Err(wrong) => return Err(self.error(at, at + 2 + wrong, "a `[[` without its `]]`")),
        };
        let inside = &inside[..end];
        self.at += end + 4;
        match inside.strip_prefix('#') {
            Some(numeric) => self.numeric(at + 3, numeric),
            None if inside.starts_with('@') => self.line_number(at + 2, inside),
            None => self.text_variable(at + 2, inside),
        }
    }

    /// `[[NAME]]` or `[[NAME:regex]]`.
    fn text_variable(&mut self, at: usize, inside: &str) -> Result<(), Diagnostic> {
        let named = name_length(inside).filter(|n| inside[*n..].is_empty() || inside[*n..].starts_with(':'));
        let Some(length) = named else {
            let message = "a name is expected: letters, digits and `_`, perhaps after a `$`";
            return Err(self.error(at, at + inside.len(), message));
        };
        let name = &inside[..length];
        let span = self.span(at, at + length);
        match inside[length..].strip_prefix(':') {
            Some("") => Err(Diagnostic::new(span, format!("the expression of {name} is empty"))),
            Some(ere) => {
                if let Some(NameKind::Number(_)) = self.names.kinds.get(name) {
                    return Err(Diagnostic::new(span, format!("{name} is a number elsewhere")));
                }
                self.names.kinds.insert(name.to_string(), NameKind::Text);
                self.open_group();
                let group = self.groups;
                self.expression(at + length + 1, ere)?;
                self.regex().push(')');
                self.definitions.push(Definition { name: name.to_string(), format: None, group });
                Ok(())
            }
            None => {
                match self.definitions.iter().rfind(|d| d.name == name) {
                    Some(d) if d.format.is_some() => {
                        return Err(Diagnostic::new(span, format!("{name} is a number: write [[#{name}]]")));
                    }
                    Some(d) => {
                        let group = d.group;
                        self.groups += 1;
                        self.parts.push(TemplatePart::Reference(group));
                    }
                    None => {
                        if let Some(NameKind::Number(_)) = self.names.kinds.get(name) {
                            return Err(Diagnostic::new(span, format!("{name} is a number: write [[#{name}]]")));
                        }
                        self.names.uses.push(Use { name: name.to_string(), span, numeric: false });
                        self.parts.push(TemplatePart::Variable(name.to_string(), span));
                    }
                }
                Ok(())
            }
        }
    }

    fn open_group(&mut self) {
        self.groups += 1;
        self.regex().push('(');
    }

    /// `[[@LINE]]`, `[[@LINE+3]]`, the old form of `[[#@LINE+3]]`.
    fn line_number(&mut self, at: usize, inside: &str) -> Result<(), Diagnostic> {
        let offset = inside.strip_prefix(LINE).filter(|o| {
            let digits = o.strip_prefix(['+', '-']);
            o.is_empty() || digits.is_some_and(|d| !d.is_empty() && d.bytes().all(|c| c.is_ascii_digit()))
        });
        let Some(offset) = offset else {
            return Err(self.error(
                at,
                at + inside.len(),
                "only [[@LINE]], [[@LINE+n]] and [[@LINE-n]] are allowed here",
            ));
        };
        // A leading zero is decimal only in this form.
        let digits = offset.get(1..).unwrap_or("").trim_start_matches('0');
        let sign = offset.get(..1).unwrap_or("+");
        let text = format!("{LINE}{sign}{}", if digits.is_empty() { "0" } else { digits });
        let e = Expression::parse(&text).map_err(|(_, m)| self.error(at, at + inside.len(), m))?;
        let span = self.span(at, at + inside.len());
        self.parts.push(TemplatePart::Number(e, DEFAULT, span));
        Ok(())
    }

    /// Reads the contents of `[[#`: a format and a comma, a name and a colon, an expression. All of them may be left
    /// out, and `==` may precede the expression.
    fn numeric(&mut self, at: usize, inside: &str) -> Result<(), Diagnostic> {
        let block = NumericBlock::read(inside).map_err(|(from, m)| self.error(at + from, at + inside.len(), m))?;
        let span = self.span(at, at + inside.len());
        if let Some(e) = &block.expression {
            for (name, from) in e.variables() {
                let position = self.span(at + from, at + from + name.len());
                if self.definitions.iter().any(|d| d.name == name) {
                    let message = format!("{name} is defined in this directive, and has its value after it only");
                    return Err(Diagnostic::new(position, message));
                }
                match self.names.kinds.get(name) {
                    Some(NameKind::Text) => {
                        return Err(Diagnostic::new(position, format!("{name} is a text, not a number")));
                    }
                    Some(NameKind::Number(_)) | None if name == LINE => {}
                    Some(NameKind::Number(_)) | None => {
                        self.names.uses.push(Use { name: name.to_string(), span: position, numeric: true });
                    }
                }
            }
        }
        let format = block.format(&self.names.kinds).map_err(|m| Diagnostic::new(span, m))?;
        if let Some((name, from)) = block.name {
            let position = self.span(at + from, at + from + name.len());
            self.define_number(name, format, position)?;
            self.open_group();
            let group = self.groups;
            self.definitions.push(Definition { name: name.to_string(), format: Some(format), group });
        }
        match block.expression {
            Some(e) => self.parts.push(TemplatePart::Number(e, format, span)),
            None => {
                let regex = format!("(?:{})", format.regex());
                self.regex().push_str(&regex);
            }
        }
        if block.name.is_some() {
            self.regex().push(')');
        }
        Ok(())
    }

    fn define_number(&mut self, name: &str, format: Format, position: Span) -> Result<(), Diagnostic> {
        match self.names.kinds.insert(name.to_string(), NameKind::Number(format)) {
            Some(NameKind::Text) => Err(Diagnostic::new(position, format!("{name} is a text elsewhere"))),
            Some(NameKind::Number(f)) if f != format => {
                Err(Diagnostic::new(position, format!("{name} has another format elsewhere, {}", f.name())))
            }
            Some(NameKind::Number(_)) | None => Ok(()),
        }
    }
}

/// Returns the offset of the `]]` that ends a block. If there is none, the error is the position where the search
/// failed.
fn block_end(inside: &str) -> Result<usize, usize> {
    let bytes = inside.as_bytes();
    let (mut at, mut depth) = (0, 0usize);
    while let Some(&c) = bytes.get(at) {
        match c {
            b']' if depth == 0 => return if bytes.get(at + 1) == Some(&b']') { Ok(at) } else { Err(at) },
            b']' => depth -= 1,
            b'[' => depth += 1,
            b'\\' => at += 1,
            _ => {}
        }
        at += 1;
    }
    Err(inside.len())
}

/// A numeric block, taken apart.
pub(super) struct NumericBlock<'t> {
    explicit: Option<Format>,
    precision: u32,
    /// The variable that is defined, and the position of its name.
    pub name: Option<(&'t str, usize)>,
    /// The value that must be matched. Any number if there is none. Offsets in it are offsets in the block.
    pub expression: Option<Expression>,
}

impl<'t> NumericBlock<'t> {
    /// Takes a block apart.
    ///
    /// # Errors
    /// The offset of the error, and a message.
    fn read(inside: &'t str) -> Result<NumericBlock<'t>, (usize, String)> {
        let blanks = [' ', '\t'];
        let mut block = NumericBlock { explicit: None, precision: 0, name: None, expression: None };
        let mut from = 0;
        let call = inside.find('(').unwrap_or(inside.len());
        if let Some(comma) = inside.find(',').filter(|c| *c < call) {
            let specification = Format::parse(&inside[..comma]).map_err(|m| (0, m))?;
            (block.explicit, block.precision) = (specification.format, specification.precision);
            from = comma + 1;
        }
        if let Some(colon) = inside[from..].find(':') {
            let written = &inside[from..from + colon];
            let at = from + written.len() - written.trim_start_matches(blanks).len();
            let name = written.trim_matches(blanks);
            if name_length(name) != Some(name.len()) || name.starts_with('@') {
                return Err((from, "a name is expected before the colon: letters, digits and `_`".into()));
            }
            block.name = Some((name, at));
            from += colon + 1;
        }
        let rest = inside[from..].trim_start_matches(blanks);
        let (constraint, rest) = rest.strip_prefix("==").map_or((false, rest), |r| (true, r));
        let at = inside.len() - rest.len();
        if !rest.trim_matches(blanks).is_empty() {
            let shifted = |(n, m): (usize, String)| (at + n, m);
            let mut e = Expression::parse(rest.trim_end_matches(blanks)).map_err(shifted)?;
            for step in &mut e.steps {
                if let Step::Variable(_, offset) = step {
                    *offset += at;
                }
            }
            block.expression = Some(e);
        } else if constraint {
            return Err((at, "an expression is expected after `==`".into()));
        }
        Ok(block)
    }

    /// Returns the format: the one that is written, else the one of the variables in the expression, else the default.
    ///
    /// # Errors
    /// The variables have different ones.
    fn format(&self, kinds: &FxHashMap<String, NameKind>) -> Result<Format, String> {
        if let Some(format) = self.explicit {
            return Ok(format);
        }
        let of = |step: &Step| {
            Ok(match step {
                Step::Variable(name, _) if name == LINE => Some(DEFAULT),
                Step::Variable(name, _) => match kinds.get(name) {
                    Some(NameKind::Number(format)) => Some(*format),
                    Some(NameKind::Text) | None => Some(DEFAULT),
                },
                Step::Number(_) | Step::Apply(_) => None,
            })
        };
        let join = |_, a: Option<Format>, b: Option<Format>| match (a, b) {
            (Some(a), Some(b)) if a != b => {
                Err(format!("operands are written as {} and as {}: say which, as in [[#%x, N+M]]", a.name(), b.name()))
            }
            (a, b) => Ok(a.or(b)),
        };
        let implied = self.expression.as_ref().map(|e| e.fold(of, join)).transpose()?.flatten();
        Ok(implied.unwrap_or(Format { precision: self.precision, ..DEFAULT }))
    }
}

/// Defines a variable as the option `-D` does: `NAME=text`, `#NAME=expression` or `#%x,NAME=expression`.
///
/// # Errors
/// A message about the error.
pub(super) fn define(text: &str, names: &mut Names, values: &mut pattern::Values) -> Result<(), String> {
    let Some((left, right)) = text.split_once('=') else {
        return Err("a variable is defined as NAME=text or #NAME=number".into());
    };
    let Some(left) = left.strip_prefix('#') else {
        if name_length(left) != Some(left.len()) || left.starts_with('@') {
            return Err(format!("`{left}` is no name of a variable"));
        }
        if matches!(names.kinds.insert(left.to_string(), NameKind::Text), Some(NameKind::Number(_))) {
            return Err(format!("{left} is a number elsewhere"));
        }
        values.texts.insert(left.to_string(), right.as_bytes().to_vec());
        return Ok(());
    };
    let block = format!("{left}:{right}");
    let block = NumericBlock::read(&block).map_err(|(_, m)| m)?;
    let format = block.format(&names.kinds)?;
    let (Some((name, _)), Some(e)) = (block.name, &block.expression) else {
        return Err("a number is expected after `=`".into());
    };
    let value = e.evaluate(|name| values.numbers.get(name).copied());
    let value = value.map_err(|e| match e {
        NoValue::Undefined(name) => format!("the variable {name} has no value"),
        NoValue::Overflow => "the value does not fit 127 bits".into(),
    })?;
    match names.kinds.insert(name.to_string(), NameKind::Number(format)) {
        Some(NameKind::Text) => return Err(format!("{name} is a text elsewhere")),
        Some(NameKind::Number(f)) if f != format => return Err(format!("{name} has another format elsewhere")),
        Some(NameKind::Number(_)) | None => {}
    }
    values.numbers.insert(name.to_string(), value);
    Ok(())
}

//! `RUN:` lines: command lines of our tools with pipes and redirections, and no shell.
//!
//! ```text
//! ; RUN: lir-opt -p gvn %s | filecheck %s
//! ; RUN: not lir-opt %s 2>&1 | filecheck --check-prefix=ERROR %s
//! ; RUN: lir-llc -O2 %s -o %t.o > %t.log
//! ```
//!
//! Words are separated by blanks; `'..'` and `"..."` keep blanks (in the latter, `\"` and `\\` are escapes). `%s` is
//! the file, `%S` its folder, `%t` a name for temporary files that no other file gets, `%%` a percent sign (so is `%`
//! before anything that lit does not replace). A line that ends in `\` continues in the next `RUN:` line. Signs that a
//! shell would read in another way (`$`, `;`, `&&`, `*`) are errors.

use lir_syntax::text::diagnostic::Diagnostic;
use lir_syntax::text::directive::Directive;
use lir_syntax::text::source::Span;
use std::path::Path;

/// A command line: stages with pipes between them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct CommandLine {
    /// Its position.
    pub span: Span,
    /// Its stages; at least one.
    pub stages: Vec<Stage>,
}

/// A tool with its arguments, and the destinations of its streams.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Stage {
    /// True if it must fail (`not`).
    pub must_fail: bool,
    /// The tool's name and its arguments.
    pub words: Vec<String>,
    /// Its position, from its first word to its last.
    pub span: Option<Span>,
    /// `< FILE`.
    pub stdin: Option<String>,
    /// `> FILE`.
    pub stdout: Option<String>,
    /// `2> FILE` or `2>&1`.
    pub stderr: Option<Stderr>,
}

/// The destination of a stage's diagnostics.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Stderr {
    /// The destination of its output.
    Stdout,
    /// Into a file.
    File(String),
}

/// The values of the substitutions.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Substitutions<'a> {
    /// `%s`.
    pub file: &'a Path,
    /// The beginning of `%t`.
    pub temporary: &'a Path,
}

/// Reads the `RUN:` lines of a file: those that can be read, and the errors of the others.
pub(crate) fn command_lines(lines: &[Directive<'_>], with: &Substitutions<'_>) -> (Vec<CommandLine>, Vec<Diagnostic>) {
    let (mut commands, mut wrong) = (Vec::new(), Vec::new());
    let mut tokens: Vec<Token> = Vec::new();
    let mut first: Option<Span> = None;
    // Whether an error in the command line was reported.
    let mut unreadable = false;
    for (n, line) in lines.iter().enumerate() {
        let (text, goes_on) = match line.text.strip_suffix('\\') {
            Some(text) => (text, true),
            None => (line.text, false),
        };
        let start = *first.get_or_insert(line.span);
        match (Lexer { text, at: 0, base: line.span.start as usize, with }).tokens() {
            Ok(read) => tokens.extend(read),
            Err(e) => {
                wrong.push(e);
                unreadable = true;
            }
        }
        if goes_on && n + 1 < lines.len() {
            continue;
        }
        if goes_on {
            wrong.push(Diagnostic::new(line.span, "the line is continued, but no RUN line follows"));
        }
        match stages(std::mem::take(&mut tokens)) {
            _ if unreadable => {}
            Ok(stages) => commands.push(CommandLine { span: start, stages }),
            Err(message) => wrong.push(Diagnostic::new(start, message)),
        }
        (first, unreadable) = (None, false);
    }
    (commands, wrong)
}

/// A part of a command line.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Token {
    Word(String, Span),
    Pipe,
    /// `<`, `>`, `2>` and `2>&1`.
    Stdin,
    Stdout,
    Stderr,
    StderrToStdout,
}

/// The signs of redirections, the longer ones first.
const SIGNS: [(&str, Token); 5] = [
    ("2>&1", Token::StderrToStdout),
    ("2>", Token::Stderr),
    ("|", Token::Pipe),
    ("<", Token::Stdin),
    (">", Token::Stdout),
];
/// The characters that are special to a shell.
const SHELL: &str = "$`;&*?~#\\|<>";

struct Lexer<'a> {
    text: &'a str,
    at: usize,
    base: usize,
    with: &'a Substitutions<'a>,
}

impl Lexer<'_> {
    fn tokens(mut self) -> Result<Vec<Token>, Diagnostic> {
        let mut tokens = Vec::new();
        loop {
            let rest = self.text[self.at..].trim_start();
            self.at = self.text.len() - rest.len();
            if rest.is_empty() {
                return Ok(tokens);
            }
            for shell in ["||", ">>", "<<", "&&"] {
                if rest.starts_with(shell) {
                    return self.fail(shell.len(), format!("`{shell}` needs a shell, and there is none"));
                }
            }
            match SIGNS.iter().find(|(sign, _)| rest.starts_with(sign)) {
                Some((sign, token)) => {
                    self.at += sign.len();
                    tokens.push(token.clone());
                }
                None => tokens.push(self.word()?),
            }
        }
    }

    fn fail<T>(&self, length: usize, message: impl Into<String>) -> Result<T, Diagnostic> {
        let at = self.base + self.at;
        Err(Diagnostic::new(Span::new(at, at + length), message))
    }
    fn rest(&self) -> &str {
        &self.text[self.at..]
    }

    fn word(&mut self) -> Result<Token, Diagnostic> {
        let start = self.at;
        let mut word = String::new();
        while let Some(c) = self.rest().chars().next().filter(|c| !c.is_whitespace()) {
            match c {
                '\'' | '"' => self.quoted(c, &mut word)?,
                '%' => self.substitution(&mut word)?,
                // They end a word, and are an error only if they begin none of the signs.
                '|' | '<' | '>' => break,
                // A shell takes it for a comment only at the beginning of a word.
                '#' if self.at > start => self.take(c, &mut word),
                c if SHELL.contains(c) => {
                    return self.fail(c.len_utf8(), format!("`{c}` needs a shell, and there is none: quote it"));
                }
                c => self.take(c, &mut word),
            }
        }
        Ok(Token::Word(word, Span::new(self.base + start, self.base + self.at)))
    }

    fn take(&mut self, c: char, word: &mut String) {
        word.push(c);
        self.at += c.len_utf8();
    }

    fn quoted(&mut self, quote: char, word: &mut String) -> Result<(), Diagnostic> {
        let open = self.at;
        self.at += 1;
        loop {
            match self.rest().chars().next() {
                None => {
                    self.at = open;
                    return self.fail(1, format!("a `{quote}` without another one"));
                }
                Some(c) if c == quote => {
                    self.at += 1;
                    return Ok(());
                }
                Some('%') => self.substitution(word)?,
                Some('\\') if quote == '"' && self.rest()[1..].starts_with(['"', '\\']) => {
                    self.at += 1;
                    let escaped = self.rest().chars().next().expect("one follows");
                    self.take(escaped, word);
                }
                Some(c) => self.take(c, word),
            }
        }
    }

    fn substitution(&mut self, word: &mut String) -> Result<(), Diagnostic> {
        let name = self.rest()[1..].chars().next();
        let folder = self.with.file.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
        match name {
            Some('s') => word.push_str(&self.with.file.to_string_lossy()),
            Some('S') => word.push_str(&folder.to_string_lossy()),
            Some('t') => word.push_str(&self.with.temporary.to_string_lossy()),
            Some('%') => word.push('%'),
            // Other substitutions of lit.
            Some('p' | 'T' | '{' | '/' | ':') => {
                return self.fail(2, "there are %s, %S and %t; write %% for a percent sign");
            }
            _ => {
                self.at += 1;
                word.push('%');
                return Ok(());
            }
        }
        self.at += 2;
        Ok(())
    }
}

/// Puts the parts of a command line together.
fn stages(tokens: Vec<Token>) -> Result<Vec<Stage>, String> {
    let mut stages = vec![Stage::default()];
    let mut tokens = tokens.into_iter();
    while let Some(token) = tokens.next() {
        let mut file = |sign: &str| match tokens.next() {
            Some(Token::Word(name, _)) => Ok(name),
            _ => Err(format!("a file is expected after `{sign}`")),
        };
        let stage = stages.last_mut().expect("there is one");
        let twice = |there: bool, what: &str| if there { Err(format!("{what} is redirected twice")) } else { Ok(()) };
        match token {
            Token::Word(word, span) => {
                let start = stage.span.map_or(span.start, |s| s.start);
                stage.span = Some(Span { start, end: span.end });
                if word == "not" && stage.words.is_empty() && !stage.must_fail {
                    stage.must_fail = true;
                } else {
                    stage.words.push(word);
                }
            }
            Token::Pipe => {
                twice(stage.stdout.is_some(), "the output of a stage")?;
                stages.push(Stage::default());
            }
            Token::Stdin => {
                twice(stage.stdin.is_some(), "the input of a stage")?;
                stage.stdin = Some(file("<")?);
            }
            Token::Stdout => {
                twice(stage.stdout.is_some(), "the output of a stage")?;
                stage.stdout = Some(file(">")?);
            }
            Token::Stderr | Token::StderrToStdout => {
                twice(stage.stderr.is_some(), "the standard error of a stage")?;
                stage.stderr = Some(if token == Token::Stderr { Stderr::File(file("2>")?) } else { Stderr::Stdout });
            }
        }
    }
    if stages.iter().any(|s| s.words.is_empty()) {
        return Err("a command is missing".into());
    }
    if stages[1..].iter().any(|s| s.stdin.is_some()) {
        return Err("a stage that reads from a pipe reads from a file too".into());
    }
    Ok(stages)
}

#[cfg(test)]
mod tests {
    use super::*;
    use lir_syntax::text::directive::{DEFAULT_PREFIX, directives};
    use lir_syntax::text::source::Source;

    fn read(text: &str) -> Result<Vec<CommandLine>, Vec<String>> {
        let source = Source { name: "t".into(), text: text.into() };
        let prefixes = [DEFAULT_PREFIX.to_string()];
        let lines: Vec<Directive<'_>> = directives(&source, &prefixes).into_iter().map(Result::unwrap).collect();
        let with = Substitutions { file: Path::new("d/a b.lir"), temporary: Path::new("/tmp/x") };
        let at = |d: Diagnostic| format!("{}: {}", d.span.map_or(0, |s| s.start), d.message);
        let (commands, wrong) = command_lines(&lines, &with);
        if wrong.is_empty() { Ok(commands) } else { Err(wrong.into_iter().map(at).collect()) }
    }

    fn words(text: &str) -> Vec<Vec<String>> {
        read(text).unwrap()[0].stages.iter().map(|s| s.words.clone()).collect()
    }

    #[test]
    fn commands_are_read() {
        assert_eq!(
            words("; RUN: a -x %s|b '%% | c' %v \"q\\\"\"'r'"),
            [vec!["a", "-x", "d/a b.lir"], vec!["b", "% | c", "%v", "q\"r"]]
        );
        assert_eq!(words("; RUN: a %S/x %t.o -D#N=1"), [["a", "d/x", "/tmp/x.o", "-D#N=1"]]);
        assert_eq!(words("; RUN: a \\\n; RUN:  b \\\n; RUN: c").len(), 1);
        assert_eq!(words("; RUN: lir-opt -p fixpoint(a,b{c=on})")[0][2], "fixpoint(a,b{c=on})");
        let stages = &read("; RUN: not a < in 2>&1 | b > out 2> err").unwrap()[0].stages;
        assert!(stages[0].must_fail && !stages[1].must_fail);
        assert_eq!((stages[0].stdin.as_deref(), stages[0].stderr.clone()), (Some("in"), Some(Stderr::Stdout)));
        assert_eq!(
            (stages[1].stdout.as_deref(), stages[1].stderr.clone()),
            (Some("out"), Some(Stderr::File("err".into())))
        );
    }

    #[test]
    fn shell_syntax_is_an_error() {
        let cases = ["a || b", "a && b", "a; b", "a $x", "a `b`", "a *", "a >> b", "a & b", "a # b", "a ~/b", "a \\b"];
        let more =
            ["a %T", "a %{x}", "a 'b", "a >", "| a", "a |", "a > b > c", "a < b < c", "a > b | c", "a | b < c", "a \\"];
        for case in cases.iter().chain(&more) {
            assert!(read(&format!("; RUN: {case}")).is_err(), "{case}");
        }
        assert_eq!(read("; RUN: a %T").unwrap_err()[0].split(':').next(), Some("9"));
    }
}

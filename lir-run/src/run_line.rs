//! Run lines: a typed call of a function, and what it must do.
//!
//! ```text
//! ; run: @f(1, 2.5) == 3 prints "x\n"
//! ; run: @div(1, 0) == trap(div_by_zero)
//! ```
//!
//! The signature of the function types the values. [`RunLine::judge`] compares what a run did with what the line
//! says; who runs it (the interpreter, native code of any level) does not matter here.

use crate::value::Value;
use lir_syntax::diagnostic::Diagnostic;
use lir_syntax::directive::{Directive, DirectiveKind, directives, prefixes_in_use};
use lir_syntax::ir::{AbiParam, FuncId, Module, Sym, SymKind, Type};
use lir_syntax::parser::{parse_constant, parse_string};
use lir_syntax::printer::print_quoted;
use lir_syntax::semantics::Trap;
use lir_syntax::source::{Source, Span};
use lir_syntax::suggest::nearest_hint;
use rustc_hash::FxHashMap;

/// A function with typed arguments.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TypedCall {
    /// The function, by its symbol: passes may give its body another id.
    pub sym: Sym,
    /// Its arguments, of just the types of its parameters.
    pub args: Vec<Value>,
}

impl TypedCall {
    /// The function in its module, before or after passes for which it is an entry point
    /// ([`lir_opt::RunOptions::entry_points`]).
    pub fn func(&self, module: &Module) -> FuncId {
        module.decls.body(self.sym).expect("an entry point is not removed")
    }
}

/// How the call of a run line must end.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Expected {
    /// It returns, whatever it returns.
    Returns,
    /// It returns a value of just these bits.
    Value(Value),
    /// It returns a NaN, of any sign and payload.
    AnyNan(Type),
    /// It traps.
    Trap(Trap),
}

/// A run line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RunLine {
    /// The place of the line, after `run:`.
    pub span: Span,
    /// The call.
    pub call: TypedCall,
    /// How it must end.
    pub expected: Expected,
    /// What it must write to standard output, where the line says.
    pub prints: Option<Vec<u8>>,
}

/// How a call ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Ending {
    /// It returned; none where the function has no result or an aggregate.
    Returned(Option<Value>),
    /// It trapped.
    Trapped(Trap),
    /// Something that no line can expect, in words: an error that the interpreter reports, a time-out, an exit.
    Failed(String),
}

impl RunLine {
    /// Compares what a run did with what the line says.
    ///
    /// # Errors
    /// What differs, as `expected .., got ..`.
    pub fn judge(&self, ending: &Ending, printed: &[u8]) -> Result<(), String> {
        let met = match (self.expected, ending) {
            (Expected::Returns, Ending::Returned(_)) => true,
            (Expected::Value(want), Ending::Returned(Some(got))) => want == *got,
            (Expected::AnyNan(ty), Ending::Returned(Some(got))) => got.ty == ty && got.is_nan(),
            (Expected::Trap(want), Ending::Trapped(got)) => want == *got,
            _ => false,
        };
        if !met {
            return Err(format!("expected {}, got {ending}", self.expected));
        }
        match &self.prints {
            Some(want) if want != printed => {
                Err(format!("expected the output {}, got {}", quoted(want), quoted(printed)))
            }
            _ => Ok(()),
        }
    }
}

fn quoted(bytes: &[u8]) -> String {
    let mut text = Vec::new();
    print_quoted(bytes, &mut text);
    String::from_utf8_lossy(&text).into_owned()
}

impl std::fmt::Display for Expected {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Expected::Returns => f.write_str("a return"),
            Expected::Value(v) => v.fmt(f),
            Expected::AnyNan(ty) => write!(f, "{ty} nan"),
            Expected::Trap(t) => write!(f, "trap({t})"),
        }
    }
}

impl std::fmt::Display for Ending {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Ending::Returned(None) => f.write_str("a return"),
            Ending::Returned(Some(v)) => v.fmt(f),
            Ending::Trapped(t) => write!(f, "trap({t})"),
            Ending::Failed(what) => f.write_str(what),
        }
    }
}

/// Reads calls and run lines against the functions of a module.
#[derive(Debug)]
pub struct LineReader<'m> {
    module: &'m Module,
    functions: FxHashMap<&'m [u8], Sym>,
}

/// What is wrong, at an offset of the text that is read.
type Wrong = (usize, String);

impl<'m> LineReader<'m> {
    /// A reader for a module.
    pub fn new(module: &'m Module) -> LineReader<'m> {
        let functions = module.funcs.values().map(|f| (&*module.decls.syms[f.sym].name, f.sym)).collect();
        LineReader { module, functions }
    }

    /// All run lines of the module's text in order, each read or with what is wrong with it. Misspelt directives are
    /// among them, and lines inside of function bodies, which are not allowed there.
    pub fn run_lines(&self, source: &Source) -> Vec<Result<RunLine, Diagnostic>> {
        let bodies = self.bodies(source);
        let read = |d: Result<Directive<'_>, Diagnostic>| match d {
            Err(e) => Some(Err(e)),
            Ok(d) if d.kind != DirectiveKind::Run => None,
            Ok(d) if inside(&bodies, d.comment) => {
                Some(Err(Diagnostic::new(d.span, "a run line stands outside of functions")))
            }
            Ok(d) => Some(self.run_line(d.text, d.span.start)),
        };
        directives(source, &prefixes_in_use(source)).into_iter().filter_map(read).collect()
    }

    /// Reads what stands after `run:`, at this offset of the source.
    ///
    /// # Errors
    /// What is wrong, and where in the source.
    pub fn run_line(&self, text: &str, at: u32) -> Result<RunLine, Diagnostic> {
        self.parse_run_line(text, at).map_err(|wrong| diagnostic(text, at, wrong))
    }

    /// Reads a call, `@f(1, 2.5)`, as on a command line.
    ///
    /// # Errors
    /// What is wrong, and where in `text`.
    pub fn call(&self, text: &str) -> Result<TypedCall, Diagnostic> {
        let read = || {
            let mut line = Cursor { text, at: 0 };
            let call = self.parse_call(&mut line)?;
            line.end()?;
            Ok(call)
        };
        read().map_err(|wrong| diagnostic(text, 0, wrong))
    }

    fn parse_run_line(&self, text: &str, at: u32) -> Result<RunLine, Wrong> {
        let mut line = Cursor { text, at: 0 };
        let call = self.parse_call(&mut line)?;
        let mut expected = Expected::Returns;
        if line.accept("==") {
            expected = self.parse_expected(&mut line, call.sym)?;
        }
        let mut prints = None;
        if line.accept("prints") {
            let start = line.skip_blanks();
            let string = line.string()?;
            prints = Some(parse_string(string).map_err(|(offset, message)| (start + offset, message))?);
        }
        line.end()?;
        Ok(RunLine { span: Span::new(at as usize, at as usize + text.len()), call, expected, prints })
    }

    fn parse_call(&self, line: &mut Cursor<'_>) -> Result<TypedCall, Wrong> {
        let start = line.skip_blanks();
        let name = line.symbol()?;
        let sym = *self.functions.get(&*name).ok_or_else(|| (start, self.unknown(&name)))?;
        let open = line.skip_blanks();
        if !line.accept("(") {
            return Err((open, "`(` and the arguments are expected".into()));
        }
        let params = &self.module.decls.signature(sym).expect("a function").params;
        let mut args = Vec::new();
        let given = line.arguments()?;
        if given.len() != params.len() {
            let plural = if params.len() == 1 { "" } else { "s" };
            let message = format!("{} argument{plural} expected, {} given", params.len(), given.len());
            return Err((start, message));
        }
        for ((at, text), param) in given.into_iter().zip(params) {
            let AbiParam::Scalar(ty, _) = *param else {
                return Err((start, "a function with aggregate parameters cannot be called from here".into()));
            };
            args.push(Value::new(ty, parse_constant(ty, text).map_err(|message| (at, message))?));
        }
        Ok(TypedCall { sym, args })
    }

    fn unknown(&self, name: &[u8]) -> String {
        let shown = String::from_utf8_lossy(name);
        let declared =
            self.module.decls.syms.values().any(|s| matches!(s.kind, SymKind::Func { .. }) && *s.name == *name);
        if declared {
            return format!("function `@{shown}` has no body here");
        }
        let names = self.module.funcs.values().map(|f| &*self.module.decls.syms[f.sym].name);
        format!("no function `@{shown}`{}", nearest_hint("@", name, names))
    }

    fn parse_expected(&self, line: &mut Cursor<'_>, sym: Sym) -> Result<Expected, Wrong> {
        let start = line.skip_blanks();
        if line.accept("trap") {
            let found = line.parenthesised()?;
            let trap = Trap::from_name(found.trim().as_bytes());
            let names = Trap::ALL.map(Trap::name).join(", ");
            return trap.map(Expected::Trap).ok_or_else(|| (start, format!("the traps are {names}")));
        }
        let text = line.value();
        match self.module.decls.signature(sym).expect("a function").result {
            Some(AbiParam::Scalar(ty, _)) if ty.is_float() && text == "nan" => Ok(Expected::AnyNan(ty)),
            Some(AbiParam::Scalar(ty, _)) => {
                let bits = parse_constant(ty, text).map_err(|message| (start, message))?;
                Ok(Expected::Value(Value::new(ty, bits)))
            }
            Some(AbiParam::Agg(_)) => Err((start, "an aggregate result cannot be compared here".into())),
            None => Err((start, "the function has no result".into())),
        }
    }

    /// The ranges of function bodies in the text: from the header to the line that begins with `}`.
    fn bodies(&self, source: &Source) -> Vec<Span> {
        let mut bodies: Vec<Span> = Vec::with_capacity(self.module.funcs.len());
        for f in self.module.funcs.values().filter(|f| (f.loc as usize) < source.text.len()) {
            let start = f.loc as usize;
            let mut end = start;
            for line in source.text[start..].split_inclusive('\n') {
                end += line.len();
                if line.trim_start().starts_with('}') {
                    break;
                }
            }
            bodies.push(Span::new(start, end));
        }
        bodies.sort();
        bodies
    }
}

fn inside(bodies: &[Span], at: u32) -> bool {
    let k = bodies.partition_point(|b| b.start <= at);
    k > 0 && at < bodies[k - 1].end
}

fn diagnostic(text: &str, base: u32, (offset, message): Wrong) -> Diagnostic {
    let at = base as usize + offset.min(text.len());
    Diagnostic::new(Span::new(at, (base as usize + text.len()).max(at)), message)
}

/// A place in a line.
struct Cursor<'t> {
    text: &'t str,
    at: usize,
}

impl<'t> Cursor<'t> {
    fn rest(&self) -> &'t str {
        &self.text[self.at..]
    }
    /// Goes over blanks; the offset after them.
    fn skip_blanks(&mut self) -> usize {
        self.at = self.text.len() - self.rest().trim_start().len();
        self.at
    }
    fn accept(&mut self, token: &str) -> bool {
        self.skip_blanks();
        let found = self.rest().starts_with(token);
        if found {
            self.at += token.len();
        }
        found
    }
    /// Nothing may follow but a comment.
    fn end(&mut self) -> Result<(), Wrong> {
        let at = self.skip_blanks();
        if self.rest().is_empty() || self.rest().starts_with(';') {
            Ok(())
        } else {
            Err((at, format!("`{}` is not expected here", self.rest())))
        }
    }
    /// A string literal, quotes included.
    fn string(&mut self) -> Result<&'t str, Wrong> {
        let (start, rest) = (self.at, self.rest().as_bytes());
        if rest.first() != Some(&b'"') {
            return Err((start, "a string is expected".into()));
        }
        let mut k = 1;
        while k < rest.len() && rest[k] != b'"' {
            k += if rest[k] == b'\\' { 2 } else { 1 };
        }
        if k >= rest.len() {
            return Err((start, "the string has no end".into()));
        }
        self.at = start + k + 1;
        Ok(&self.text[start..self.at])
    }
    /// `@name` or `@"name"`: the name.
    fn symbol(&mut self) -> Result<Vec<u8>, Wrong> {
        let start = self.skip_blanks();
        if !self.accept("@") {
            return Err((start, "a function `@name` is expected".into()));
        }
        if self.rest().starts_with('"') {
            let string = self.string()?;
            return parse_string(string).map_err(|(offset, message)| (start + 1 + offset, message));
        }
        let rest = self.rest();
        let end = rest.find(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '_' | '.'))).unwrap_or(rest.len());
        self.at += end;
        if end == 0 { Err((start, "a name is expected after `@`".into())) } else { Ok(rest[..end].into()) }
    }
    /// The arguments up to the closing bracket, each with its offset.
    fn arguments(&mut self) -> Result<Vec<(usize, &'t str)>, Wrong> {
        let (open, text) = (self.at, self.text);
        let mut args = Vec::new();
        let (mut depth, mut quote, mut start) = (0, false, self.at);
        let bytes = text.as_bytes();
        while let Some(&c) = bytes.get(self.at) {
            match c {
                b'\\' if quote => self.at += 1,
                b'\'' => quote = !quote,
                _ if quote => {}
                b'(' => depth += 1,
                b')' if depth > 0 => depth -= 1,
                b')' | b',' if depth == 0 => {
                    args.push((start, text[start..self.at].trim()));
                    start = self.at + 1;
                    if c == b')' {
                        self.at += 1;
                        let none = args.len() == 1 && args[0].1.is_empty();
                        return Ok(if none { Vec::new() } else { args });
                    }
                }
                _ => {}
            }
            self.at += 1;
        }
        Err((open, "the arguments have no `)` at their end".into()))
    }
    /// What stands in the brackets that follow.
    fn parenthesised(&mut self) -> Result<&'t str, Wrong> {
        let start = self.skip_blanks();
        let inside = self.rest().strip_prefix('(').and_then(|r| r.split_once(')'));
        let (inside, _) = inside.ok_or_else(|| (start, "`(` and a name and `)` are expected".to_string()))?;
        self.at += inside.len() + 2;
        Ok(inside)
    }
    /// A value: up to `prints`, a comment or the end.
    fn value(&mut self) -> &'t str {
        let rest = self.rest();
        let stop = |(k, c): (usize, char)| {
            let is_prints = rest[k..].starts_with("prints") && rest[..k].ends_with(char::is_whitespace);
            (is_prints || (c == ';' && !rest[..k].ends_with('\''))).then_some(k)
        };
        let end = rest.char_indices().find_map(stop).unwrap_or(rest.len());
        self.at += end;
        rest[..end].trim()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lir_syntax::parser::{ParseOptions, parse};

    const TEXT: &str = "
func @f(%a: i32, %b: f64) -> i32 {
entry:
  ret %a
}
func @g(%x: f64) -> f64 {
entry:
  ; run: @g(1) == 1
  ret %x
}
func @\"odd name\"(%c: i8) {
entry:
  ret
}
";

    fn check(line: &str) -> Result<RunLine, String> {
        let module = parse(&Source { name: "t".into(), text: TEXT.into() }, &ParseOptions::default()).unwrap();
        LineReader::new(&module).run_line(line, 0).map_err(|d| format!("{}: {}", d.span.unwrap().start, d.message))
    }

    #[test]
    fn lines_are_typed_by_the_signature() {
        let line = check("@f(-1, 0x1.8p3) == 0xffffffff").unwrap();
        assert_eq!(line.call.args, [Value::new(Type::I32, 0xffff_ffff), Value::new(Type::F64, 12f64.to_bits())]);
        assert_eq!(line.expected, Expected::Value(Value::new(Type::I32, 0xffff_ffff)));
        assert_eq!(check("@g(nan(0x1)) == nan").unwrap().expected, Expected::AnyNan(Type::F64));
        let exact = Expected::Value(Value::new(Type::F64, 0xfff8 << 48));
        assert_eq!(check("@g( -nan ) == -nan ; why").unwrap().expected, exact);
        assert_eq!(check("@g(1)").unwrap().expected, Expected::Returns);
        let line = check("@f(1, 2)==trap( div_by_zero ) prints \"a;\\n\\\"\"").unwrap();
        assert_eq!((line.expected, line.prints), (Expected::Trap(Trap::DivByZero), Some(b"a;\n\"".to_vec())));
        let line = check("@f(0, 2) == 3 prints \"x\"").unwrap();
        assert_eq!(line.prints.as_deref(), Some(&b"x"[..]));
        assert_eq!(check("@\"odd name\"(')')").unwrap().call.args, [Value::new(Type::I8, 41)]);
    }

    #[test]
    fn what_is_wrong_is_said_where() {
        for (line, at, message) in [
            ("@f(1) == 2", 0, "2 arguments expected"),
            ("@f(1, 2, 3)", 0, "3 given"),
            ("@ff(1)", 0, "did you mean `@f`"),
            ("@f(1.5, 2)", 3, "float literal"),
            ("@f(1, 2) == 4294967296", 12, "does not fit"),
            ("@f(1, 2) == trap(boom)", 12, "div_by_zero"),
            ("@f(1, 2) = 3", 9, "not expected"),
            ("@f(1, 2", 3, "no `)`"),
            ("@\"odd name\"(1) == 1", 18, "no result"),
            ("@f(1, 2) prints x", 16, "a string"),
            ("f(1, 2)", 0, "@name"),
        ] {
            let error = check(line).unwrap_err();
            assert!(error.starts_with(&format!("{at}: ")) && error.contains(message), "{line}: {error}");
        }
    }

    #[test]
    fn a_run_line_in_a_body_and_a_misspelt_one_are_errors() {
        let source = Source { name: "t".into(), text: format!("; run: @g(2) == 2\n{TEXT}; rum: @g(1)\n") };
        let module = parse(&source, &ParseOptions::default()).unwrap();
        let lines = LineReader::new(&module).run_lines(&source);
        assert_eq!(lines.iter().map(Result::is_ok).collect::<Vec<_>>(), [true, false, false]);
    }

    #[test]
    fn floats_are_judged_by_bits() {
        let line = check("@g(0) == 0").unwrap();
        let returned = |x: f64| Ending::Returned(Some(Value::new(Type::F64, x.to_bits())));
        assert_eq!(line.judge(&returned(0.0), b"ignored"), Ok(()));
        assert_eq!(line.judge(&returned(-0.0), b"").unwrap_err(), "expected f64 0.0, got f64 -0.0");
        assert!(check("@g(0) == nan").unwrap().judge(&returned(-f64::NAN), b"").is_ok());
        assert!(check("@g(0)").unwrap().judge(&Ending::Trapped(Trap::Unreachable), b"").is_err());
        let prints = check("@g(0) prints \"a\\n\"").unwrap();
        assert_eq!(prints.judge(&returned(0.0), b"b").unwrap_err(), "expected the output \"a\\n\", got \"b\"");
    }
}

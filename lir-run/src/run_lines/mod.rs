//! Run lines: a typed call of a function, with its expected ending.
//!
//! ```text
//! ; run: @f(1, 2.5) == 3 prints "x\n"
//! ; run: @swapped({1, 2}) == {2, 1}
//! ; run: @div(1, 0) == trap(div_by_zero)
//! ```
//!
//! The signature of the function types the values. [`RunLine::judge`] compares the ending and output of a run with the
//! line; it does not matter here whether the interpreter ran it or native code of any level.

mod grammar;
pub mod modes;

use self::grammar::{Pair, Rule};
use crate::outside_call::check_stack;
use crate::value::{Aggregate, AnyNan, Scalar, Shape, TextError, Value, parse_aggregate};
use lir_syntax::ir::{AbiParam, Agg, FuncId, Module, Sym, SymKind, Type};
use lir_syntax::printer::{print_quoted, printed};
use lir_syntax::semantics::Trap;
use lir_syntax::text::diagnostic::Diagnostic;
use lir_syntax::text::directive::{Directive, DirectiveKind, directives, prefixes_in_use};
use lir_syntax::text::quoted::parse_string;
use lir_syntax::text::source::{Source, Span};
use lir_syntax::text::suggest::nearest_hint;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// A function with typed arguments.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TypedCall {
    /// The function, by its symbol: passes may give its body another id.
    pub sym: Sym,
    /// Its arguments, of just the types of its parameters.
    pub args: Vec<Value>,
}

impl TypedCall {
    /// Returns the function in its module, before or after passes. It must be an entry point for them
    /// ([`lir_opt::RunOptions::entry_points`]).
    pub fn func(&self, module: &Module) -> FuncId {
        module.decls.body(self.sym).expect("an entry point is not removed")
    }
}

/// The ending that a run line expects.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Expected {
    /// It returns, with any result.
    Returns,
    /// It returns a value of just these bits.
    Value(Value),
    /// It returns a NaN, of any sign and payload.
    AnyNan(Type),
    /// It returns this aggregate, except for floats of it that may be any NaN.
    Aggregate(Aggregate, Vec<AnyNan>),
    /// It traps.
    Trap(Trap),
}

/// A run line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RunLine {
    /// The position of the line, after `run:`.
    pub span: Span,
    /// The call.
    pub call: TypedCall,
    /// The ending that is expected.
    pub expected: Expected,
    /// The bytes that are expected on standard output, if the line has them.
    pub prints: Option<Vec<u8>>,
}

/// The ending of a call.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Ending {
    /// It returned; none if the function has no result.
    Returned(Option<Value>),
    /// It trapped.
    Trapped(Trap),
    /// An ending that no line can expect, in words: an error that the interpreter reports, a time-out, an exit.
    Failed(String),
}

impl RunLine {
    /// Compares the ending and output of a run with the line.
    ///
    /// # Errors
    /// The difference, as `expected .., got ..`.
    pub fn judge(&self, ending: &Ending, printed: &[u8]) -> Result<(), String> {
        let met = match (&self.expected, ending) {
            (Expected::Returns, Ending::Returned(_)) => true,
            (Expected::Value(want), Ending::Returned(Some(got))) => want == got,
            (Expected::AnyNan(ty), Ending::Returned(Some(Value::Scalar(got)))) => got.ty == *ty && got.is_nan(),
            (Expected::Aggregate(want, nans), Ending::Returned(Some(Value::Aggregate(got)))) => {
                is_but_for_nans(want, got, nans)
            }
            (Expected::Trap(want), Ending::Trapped(got)) => want == got,
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

/// True if an aggregate is the wanted one, except for NaNs that may be any.
fn is_but_for_nans(want: &Aggregate, got: &Aggregate, nans: &[AnyNan]) -> bool {
    let nan = |&&(ty, offset): &&AnyNan| got.scalar_at(ty, offset).is_nan();
    let same = |want: Aggregate, &(ty, offset): &AnyNan| want.with_scalar(got.scalar_at(ty, offset), offset);
    nans.iter().filter(nan).fold(want.clone(), same) == *got
}

fn quoted(bytes: &[u8]) -> String {
    printed(|out| print_quoted(bytes, out))
}

impl std::fmt::Display for Expected {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Expected::Returns => f.write_str("a return"),
            Expected::Value(v) => v.fmt(f),
            Expected::AnyNan(ty) => write!(f, "{ty} nan"),
            Expected::Aggregate(a, _) => Value::Aggregate(a.clone()).fmt(f),
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

impl<'m> LineReader<'m> {
    /// Makes a reader for a module.
    pub fn new(module: &'m Module) -> LineReader<'m> {
        let functions = module.funcs.values().map(|f| (&*module.decls.syms[f.sym].name, f.sym)).collect();
        LineReader { module, functions }
    }

    /// Reads all run lines of the module's text in order. A line that cannot be read is an error of its own. Misspelt
    /// directives are among them, and lines inside of function bodies, which are not allowed there.
    pub fn run_lines(&self, source: &Source) -> Vec<Result<RunLine, Diagnostic>> {
        let bodies = self.bodies(source);
        let read = |d: Result<Directive<'_>, Diagnostic>| match d {
            Err(e) => Some(Err(e)),
            Ok(d) if d.kind != DirectiveKind::Run => None,
            Ok(d) if inside(&bodies, d.comment) => {
                Some(Err(Diagnostic::new(d.span, "a run line must be outside of functions")))
            }
            Ok(d) => Some(self.run_line(d.text, d.span.start)),
        };
        directives(source, &prefixes_in_use(source)).into_iter().filter_map(read).collect()
    }

    /// Reads the text after `run:`, at this offset of the source.
    ///
    /// # Errors
    /// The error, with its position in the source.
    pub fn run_line(&self, text: &str, at: u32) -> Result<RunLine, Diagnostic> {
        self.parse_run_line(text, at).map_err(|wrong| diagnostic(text, at, wrong))
    }

    /// Reads a call, `@f(1, 2.5)`, as on a command line.
    ///
    /// # Errors
    /// The error, with its position in `text`.
    pub fn call(&self, text: &str) -> Result<TypedCall, Diagnostic> {
        let read =
            || self.typed_call(grammar::parse(Rule::call_line, text)?.into_inner().next().expect("it is a call"));
        read().map_err(|wrong| diagnostic(text, 0, wrong))
    }

    fn parse_run_line(&self, text: &str, at: u32) -> Result<RunLine, TextError> {
        let mut parts = grammar::parse(Rule::run_line, text)?.into_inner();
        let call = self.typed_call(parts.next().expect("a line has a call"))?;
        let span = Span::new(at as usize, at as usize + text.len());
        let mut line = RunLine { span, call, expected: Expected::Returns, prints: None };
        for part in parts {
            match part.as_rule() {
                Rule::trap => line.expected = Expected::Trap(trap(part)?),
                Rule::value => line.expected = self.expected_value(part, line.call.sym)?,
                Rule::string => line.prints = Some(string(part)?),
                _ => {}
            }
        }
        Ok(line)
    }

    fn typed_call(&self, call: Pair<'_>) -> Result<TypedCall, TextError> {
        let start = start_of(&call);
        let mut parts = call.into_inner();
        let name = parts.next().and_then(|symbol| symbol.into_inner().next()).expect("a call has a function");
        let name = if name.as_rule() == Rule::string { string(name)? } else { name.as_str().into() };
        let sym = *self.functions.get(&*name).ok_or_else(|| (start, self.unknown(&name)))?;
        let sig = self.module.decls.written_signature(sym).expect("a function");
        check_stack(&self.module.decls, sig).map_err(|message| (start, message))?;
        let params = &sig.params;
        let arguments = parts.find(|p| p.as_rule() == Rule::arguments).expect("a call has arguments");
        let mut given: Vec<(usize, &str)> = arguments.into_inner().map(|arg| trimmed(&arg)).collect();
        if let [(_, "")] = given[..] {
            given.clear();
        }
        if given.len() != params.len() {
            let plural = if params.len() == 1 { "" } else { "s" };
            let message = format!("{} argument{plural} expected, {} given", params.len(), given.len());
            return Err((start, message));
        }
        let mut args = Vec::new();
        for ((at, text), param) in given.into_iter().zip(params) {
            args.push(match *param {
                AbiParam::Scalar(ty, _) => Value::Scalar(Scalar::parse(ty, text).map_err(|message| (at, message))?),
                AbiParam::Agg(agg) => self.aggregate(agg, at, text)?.0,
            });
        }
        Ok(TypedCall { sym, args })
    }

    /// Reads an aggregate, all of a text at this offset of the line.
    fn aggregate(&self, agg: Agg, at: usize, text: &str) -> Result<(Value, Vec<AnyNan>), TextError> {
        let shape = Arc::new(Shape::of(&self.module.decls, agg));
        parse_aggregate(&shape, text).map_err(|(offset, message)| (at + offset, message))
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

    fn expected_value(&self, value: Pair<'_>, sym: Sym) -> Result<Expected, TextError> {
        let (start, text) = trimmed(&value);
        match self.module.decls.written_signature(sym).expect("a function").result {
            Some(AbiParam::Scalar(ty, _)) if ty.is_float() && text == "nan" => Ok(Expected::AnyNan(ty)),
            Some(AbiParam::Scalar(ty, _)) => {
                let scalar = Scalar::parse(ty, text).map_err(|message| (start, message))?;
                Ok(Expected::Value(Value::Scalar(scalar)))
            }
            Some(AbiParam::Agg(agg)) => match self.aggregate(agg, start, text)? {
                (Value::Aggregate(want), nans) => Ok(Expected::Aggregate(want, nans)),
                (Value::Scalar(_), _) => unreachable!("an aggregate was read"),
            },
            None => Err((start, "the function has no result".into())),
        }
    }

    /// Returns the ranges of function bodies in the text: from the header to the line that begins with `}`.
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

/// Reads `(NAME)` after `trap`.
fn trap(trap: Pair<'_>) -> Result<Trap, TextError> {
    let (at, name) = trimmed(&trap.into_inner().next().expect("a trap has a name"));
    let names = || Trap::ALL.map(Trap::name).join(", ");
    Trap::from_name(name.as_bytes()).ok_or_else(|| (at, format!("the traps are {}", names())))
}

/// Reads a string literal, quotes included.
fn string(string: Pair<'_>) -> Result<Vec<u8>, TextError> {
    parse_string(string.as_str()).map_err(|(offset, message)| (start_of(&string) + offset, message))
}

/// Returns the text of a pair without blanks around it, and its offset.
fn trimmed<'t>(pair: &Pair<'t>) -> (usize, &'t str) {
    let text = pair.as_str().trim_start();
    (pair.as_span().end() - text.len(), text.trim_end())
}

fn start_of(pair: &Pair<'_>) -> usize {
    pair.as_span().start()
}

fn inside(bodies: &[Span], at: u32) -> bool {
    let k = bodies.partition_point(|b| b.start <= at);
    k > 0 && at < bodies[k - 1].end
}

fn diagnostic(text: &str, base: u32, (offset, message): TextError) -> Diagnostic {
    let at = base as usize + offset.min(text.len());
    Diagnostic::new(Span::new(at, (base as usize + text.len()).max(at)), message)
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
type :pair = { i32, f64 x 2 }
type :either = union { i32, f32 }
func @h($p: :pair, %n: i32, $e: :either) -> :pair {
entry:
  ret :pair [$p]
}
";

    fn check(line: &str) -> Result<RunLine, String> {
        let module = TEXT.parse().unwrap();
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
    fn aggregates_are_read_and_judged_by_members() {
        let line = check("@h( {1, [nan, -0.0]} , -1, \"a,)\\22\" ) == {1, [nan, 2]} prints \"x\"").unwrap();
        let args: Vec<String> = line.call.args.iter().map(ToString::to_string).collect();
        assert_eq!(args, [":pair {1, [nan, -0.0]}", "i32 -1", ":either \"a,)\\\"\""]);
        let Expected::Aggregate(want, _) = &line.expected else { panic!("an aggregate is expected") };
        let returned = |a: Aggregate| Ending::Returned(Some(Value::Aggregate(a)));
        let scalar = |x: f64| Value::new(Type::F64, x.to_bits()).as_scalar().unwrap();
        let nan = want.clone().with_scalar(scalar(-f64::NAN), 8);
        assert_eq!(line.judge(&returned(nan), b"x"), Ok(()));
        let other = want.clone().with_scalar(scalar(1.0), 8);
        let message = "expected :pair {1, [nan, 2.0]}, got :pair {1, [1.0, 2.0]}";
        assert_eq!(line.judge(&returned(other), b"x").unwrap_err(), message);
    }

    #[test]
    fn mistakes_are_located() {
        for (line, at, message) in [
            ("@f(1) == 2", 0, "2 arguments expected"),
            ("@f(1, 2, 3)", 0, "3 given"),
            ("@ff(1)", 0, "did you mean `@f`"),
            ("@f(1.5, 2)", 3, "float literal"),
            ("@f(1, 2) == 4294967296", 12, "does not fit"),
            ("@f(1, 2) == trap(boom)", 17, "div_by_zero"),
            ("@f(1, 2) = 3", 9, "not expected"),
            ("@f(1, 2", 3, "no `)`"),
            ("@\"odd name\"(1) == 1", 18, "no result"),
            ("@f(1, 2) prints x", 16, "a string"),
            ("f(1, 2)", 0, "@name"),
            ("@h({1, [2, 3]}, 1)", 0, "3 arguments expected, 2 given"),
            ("@h({1, [2, 3]}, {1}, \"abcd\")", 16, "`{1}` is not a constant of type i32"),
            ("@h({1, [2, 3}, 1, \"abcd\")", 3, "no `)`"),
            ("@h({1, [2]}, 1, \"abcd\")", 9, "the array has 2 elements, 1 given"),
            ("@h(1, 1, \"abcd\")", 3, "`:pair`, which is written like {0, [0.0, 0.0]}"),
            ("@h({1, [2, 3]}, 1, \"abc\")", 19, "`:either` has 4 bytes, the string 3"),
            ("@f(\"abc", 3, "no `)`"),
            ("@f((\"a\\\"", 3, "no `)`"),
            ("@", 1, "a name is expected"),
            ("@\"f", 1, "the string has no end"),
            ("@f", 2, "`(` and the arguments"),
            ("@f(1, 2) == trap", 16, "`(` and a name and `)`"),
            ("@f(1, 2) prints \"x", 16, "the string has no end"),
            ("@h({1, [2, 3]}, 1, \"abcd\") == 5", 30, "written like {0, [0.0, 0.0]}"),
        ] {
            let error = check(line).unwrap_err();
            assert!(error.starts_with(&format!("{at}: ")) && error.contains(message), "{line}: {error}");
        }
    }

    #[test]
    fn brackets_may_be_nested_deeply() {
        let open = "{".repeat(100_000);
        assert!(check(&format!("@f({open}")).unwrap_err().contains("no `)`"));
        assert!(check(&format!("@f({open}{}, 1)", "}".repeat(100_000))).unwrap_err().contains("is not a constant"));
    }

    #[test]
    fn arguments_that_no_stack_takes_are_refused() {
        let text = "type :big = { i8 x 2000000 }\nfunc @f($b: :big) {\nentry:\n  ret\n}\n";
        let module = text.parse().unwrap();
        let error = LineReader::new(&module).call("@f(1)").unwrap_err();
        assert_eq!(error.message, "the arguments take more than the 1048576 bytes of stack that a call may have");
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

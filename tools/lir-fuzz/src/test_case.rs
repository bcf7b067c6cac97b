//! A program that undergoes checks: the action and the expected result of each check.

use super::check::{Check, FIRST, LlvmLevel, read_pipeline};
use super::finding::{Kind, Problem};
use super::llvm;
use super::unspecified::{self, MANY};
use lir_llc::compile::compile;
use lir_llc::options::CompileOptions;
use lir_llc::options::RelocModel;
use lir_llc::output::elf;
use lir_llc::regalloc::{ALLOCATORS, AllocOptions, Allocator};
use lir_opt::pass::remarks::Listen;
use lir_opt::passes::expand_wide;
use lir_opt::{Level, RunOptions, optimize_verified};
use lir_run::interp::{Interp, Limits, Options, Outcome, TraceOptions};
use lir_run::jit::Jit;
use lir_run::run_lines::TypedCall;
use lir_run::symbols::HostSymbols;
use lir_syntax::check::TextErrors;
use lir_syntax::ir::Module;
use lir_syntax::text::diagnostic::{Diagnostic, Fault};
use lir_syntax::verifier::verify_module;
use std::sync::Arc;

/// Operations that a call may execute before passes: more than [`Config::max_steps`](lir_random::Config), as
/// moves of phis count, and one operation may have been expanded to many.
const FUEL: u64 = 1_000_000;
/// The factor by which this limit is raised after passes.
const MORE_FUEL: u64 = 10;
/// Bytes for stack objects in the interpreter. The second run of [`TestCase::is_specified`] has another number, so that
/// the addresses differ.
const STACK: [u64; 2] = [1 << 24, 1 << 27];

/// A module that is being checked, with cached results.
pub(crate) struct TestCase<'m> {
    module: Arc<Module>,
    calls: &'m [TypedCall],
    host: &'m HostSymbols,
    /// The endings of the calls, computed on demand.
    expected: Option<Result<Vec<Outcome>, Problem>>,
    /// The module after [`FIRST`], computed on demand.
    first: Option<Module>,
    /// Its text.
    first_text: String,
    /// The module after the passes of a level, computed on demand.
    of_level: [Option<Module>; 3],
}

impl<'m> TestCase<'m> {
    /// Creates a test case of a verified module and calls of its functions, whose types agree.
    pub(crate) fn new(module: Arc<Module>, calls: &'m [TypedCall], host: &'m HostSymbols) -> TestCase<'m> {
        let of_level = [None, None, None];
        TestCase { module, calls, host, expected: None, first: None, first_text: String::new(), of_level }
    }

    /// Runs the calls in the interpreter, each on the memory that the previous one left.
    ///
    /// # Errors
    /// The calls do not end, or the interpreter reports an error.
    pub(crate) fn expected(&mut self) -> Result<&[Outcome], Problem> {
        let found = self.expected.get_or_insert_with(|| interpret(&self.module, self.calls, self.host, FUEL));
        found.as_deref().map_err(Clone::clone)
    }

    /// Returns the case for checks by LLVM; none before [`TestCase::expected`] is known.
    pub(crate) fn case(&self) -> Option<llvm::Case<'_>> {
        let expected = self.expected.as_ref()?.as_deref().ok()?;
        Some(llvm::Case { module: &self.module, calls: self.calls, expected })
    }

    /// Does a check.
    ///
    /// # Errors
    /// The problem.
    pub(crate) fn check(&mut self, check: &Check) -> Result<(), Problem> {
        let result = match check {
            Check::Roundtrip => roundtrip(&self.module),
            Check::Interpreter => self.expected().map(|_| ()),
            Check::Passes(pipeline) => self.passes(pipeline),
            Check::Native(level, allocator) => self.native(*level, &compile_options(RelocModel::Jit, *allocator)),
            Check::Traces(level, allocator) => self.traces(*level, &compile_options(RelocModel::Jit, *allocator)),
            Check::Variant(level, cpu, effort) => {
                let options = compile_options(RelocModel::Jit, ALLOCATORS[0]);
                self.native(*level, &CompileOptions { cpu: *cpu, effort: *effort, ..options })
            }
            Check::Stressed(level, allocator, effort, stress) => {
                let options = compile_options(RelocModel::Jit, *allocator);
                self.native(*level, &CompileOptions { effort: *effort, allocation: *stress, ..options })
            }
            Check::Stress(..) => unreachable!("a seed has one stress"),
            Check::Orders => unreachable!("a seed has one order"),
            Check::Order(pipeline) => self.order(pipeline),
            Check::Bytes(level) => self.bytes(*level),
            Check::Llvm(level) => self.by_llvm(*level),
        };
        self.unless_unspecified(result)
    }

    /// Returns the result of a check. A miscompile is replaced by the problem that the case depends on unspecified
    /// values, if it does.
    ///
    /// # Errors
    /// The problem.
    pub(crate) fn unless_unspecified(&mut self, result: Result<(), Problem>) -> Result<(), Problem> {
        match result {
            Err(problem) if problem.kind == Kind::Miscompile => Err(self.is_specified().err().unwrap_or(problem)),
            other => other,
        }
    }

    /// Checks that the calls end in the same way in other surroundings. These are other addresses, other bytes in
    /// unwritten memory, and other NaNs.
    ///
    /// # Errors
    /// They do not.
    pub(crate) fn is_specified(&mut self) -> Result<(), Problem> {
        let expected = self.expected()?.to_vec();
        let wrong = |what: String| Problem::new(Kind::Unspecified, format!("with other unspecified values, {what}"));
        for (k, around) in unspecified::surroundings::<MANY>().iter().enumerate() {
            let other = Arc::new(unspecified::perturbed(&self.module, around));
            let options = Options {
                fuel: Some(MORE_FUEL * FUEL),
                stack_size: STACK[1],
                strict: k == 0,
                address: around.address,
                gap: around.gap,
                ..Options::default()
            };
            let outcomes = interpret_with(options, &other, self.calls, self.host);
            let outcomes = outcomes.map_err(|problem| wrong(problem.message))?;
            compare(&self.module, self.calls, &expected, &outcomes).map_err(wrong)?;
        }
        Ok(())
    }

    fn passes(&mut self, text: &str) -> Result<(), Problem> {
        let expected = self.expected()?.to_vec();
        let after_first = text.strip_prefix(FIRST).and_then(|rest| rest.strip_prefix(','));
        let optimized = match after_first {
            None => run_pipeline(&self.module, self.calls, text)?,
            Some(rest) => {
                if self.first.is_none() {
                    let first = run_pipeline(&self.module, self.calls, FIRST)?;
                    self.first_text = first.to_string();
                    self.first = Some(first);
                }
                let optimized = run_pipeline(self.first.as_ref().expect("it was made"), self.calls, rest)?;
                if optimized.to_string() == self.first_text {
                    // Then another check has tested the same module.
                    return Ok(());
                }
                optimized
            }
        };
        self.same_as_before(&Arc::new(optimized), text, &expected)
    }

    fn order(&mut self, text: &str) -> Result<(), Problem> {
        let expected = self.expected()?.to_vec();
        // Remarks are requested here, too, since making them reads data that passes alone do not. They take more time
        // than the passes, so only every third order requests them.
        let listen = if text.len().is_multiple_of(3) { Listen::All } else { Listen::Off };
        let optimized = Arc::new(run_pipeline_with(&self.module, self.calls, text, listen)?);
        self.same_as_before(&optimized, text, &expected)?;
        let optimized = Arc::unwrap_or_clone(optimized);
        self.native_as_before(optimized, &compile_options(RelocModel::Jit, ALLOCATORS[0]), &expected)
    }

    /// Checks that the interpreter gives the same after passes.
    fn same_as_before(&self, optimized: &Arc<Module>, text: &str, expected: &[Outcome]) -> Result<(), Problem> {
        let outcomes = interpret(optimized, self.calls, self.host, MORE_FUEL * FUEL);
        let outcomes =
            outcomes.map_err(|p| Problem::new(Kind::Miscompile, format!("after `{text}`: {}", p.message)))?;
        let same = compare(&self.module, self.calls, expected, &outcomes);
        same.map_err(|m| Problem::new(Kind::Miscompile, format!("after `{text}`, {m}")))
    }

    fn level(&mut self, level: Level) -> Result<&Module, Problem> {
        let slot = &mut self.of_level[level as usize];
        if slot.is_none() {
            *slot = Some(run_pipeline(&self.module, self.calls, &level.to_string())?);
        }
        Ok(slot.as_ref().expect("it was made"))
    }

    fn native(&mut self, level: Level, options: &CompileOptions) -> Result<(), Problem> {
        let expected = self.expected()?.to_vec();
        let optimized = self.level(level)?.clone();
        self.native_as_before(optimized, options, &expected)
    }

    /// Checks that the interpreter with traces of all loops gives the same after a level: with guards that hold, and
    /// with some that fail at random. One of the two splits lifetimes.
    fn traces(&mut self, level: Level, compile: &CompileOptions) -> Result<(), Problem> {
        let limits = Limits { hot_loop: 1, hot_exit: 1, tries: 0, ..Limits::default() };
        let seed = self.level(level)?.funcs.values().map(|f| f.num_insts() as u64).sum();
        let [sink, split] = [seed % 2 == 0, seed % 4 < 2];
        let plain = TraceOptions { limits, split: !split, ..TraceOptions::default() };
        self.traces_with(level, plain, compile)?;
        self.traces_with(level, TraceOptions { sink, split, stress: Some(seed), ..plain }, compile)
    }
    fn traces_with(&mut self, level: Level, traces: TraceOptions, compile: &CompileOptions) -> Result<(), Problem> {
        let expected = self.expected()?.to_vec();
        let mut optimized = self.level(level)?.clone();
        // At -O0 no pass made pairs of i128. Traces are of words.
        expand_wide::expand(&mut optimized).map_err(|e| refused(&e))?;
        let optimized = Arc::new(optimized);
        let options = Options { fuel: Some(MORE_FUEL * FUEL), stack_size: STACK[0], ..Options::default() };
        let wrong = |message: String| {
            let how = traces.stress.map_or_else(String::new, |seed| {
                format!(", stress {seed}, sink {}, split {}", traces.sink, traces.split)
            });
            Problem::new(Kind::Miscompile, format!("in traces{how}, {message}"))
        };
        let mut interp =
            Interp::new(Arc::clone(&optimized), self.host, options).map_err(|e| wrong(first_message(&e)))?;
        interp.trace(self.host, traces, *compile).map_err(|e| refused(&e))?;
        let outcomes = call_all(&mut interp, &optimized, self.calls).map_err(|p| wrong(p.message))?;
        compare(&self.module, self.calls, &expected, &outcomes).map_err(wrong)
    }

    /// Checks that native code of a module after passes gives the same.
    fn native_as_before(
        &self,
        optimized: Module,
        options: &CompileOptions,
        expected: &[Outcome],
    ) -> Result<(), Problem> {
        let jit = Jit::new(optimized, options, self.host).map_err(|e| refused(&e.into_diagnostics()))?;
        let call = |c: &TypedCall| {
            jit.call(c.func(jit.module()), &c.args).map_err(|e| Problem::new(Kind::Refused, e.to_string()))
        };
        let outcomes: Vec<Outcome> = self.calls.iter().map(call).collect::<Result<_, _>>()?;
        let same = compare(&self.module, self.calls, expected, &outcomes);
        same.map_err(|m| Problem::new(Kind::Miscompile, format!("in native code, {m}")))
    }

    /// Checks that LLVM's code for the module gives the same results.
    fn by_llvm(&mut self, level: LlvmLevel) -> Result<(), Problem> {
        let expected = self.expected()?.to_vec();
        let case = llvm::Case { module: &self.module, calls: self.calls, expected: &expected };
        llvm::check(&[case], level).pop().unwrap_or(Ok(()))
    }

    fn bytes(&mut self, level: Level) -> Result<(), Problem> {
        let optimized = self.level(level)?;
        let text = optimized.to_string();
        let at_once = object(optimized.clone())?;
        let in_two = object(read(&text)?)?;
        if at_once == in_two {
            return Ok(());
        }
        Err(Problem::new(
            Kind::Difference,
            "the object differs where the module was printed and parsed before lowering",
        ))
    }
}

/// Runs the calls.
fn interpret(
    module: &Arc<Module>,
    calls: &[TypedCall],
    host: &HostSymbols,
    fuel: u64,
) -> Result<Vec<Outcome>, Problem> {
    let options = Options { fuel: Some(fuel), stack_size: STACK[0], ..Options::default() };
    interpret_with(options, module, calls, host)
}

fn interpret_with(
    options: Options,
    module: &Arc<Module>,
    calls: &[TypedCall],
    host: &HostSymbols,
) -> Result<Vec<Outcome>, Problem> {
    let bad = |message: String| Problem::new(Kind::BadProgram, message);
    let mut interp = Interp::new(Arc::clone(module), host, options).map_err(|e| bad(first_message(&e)))?;
    call_all(&mut interp, module, calls)
}

/// Makes all calls, one after the other.
fn call_all(interp: &mut Interp, module: &Module, calls: &[TypedCall]) -> Result<Vec<Outcome>, Problem> {
    let bad = |message: String| Problem::new(Kind::BadProgram, message);
    let mut outcomes = Vec::with_capacity(calls.len());
    for call in calls {
        match interp.call(call.func(module), &call.args) {
            Outcome::Error(message, at) => return Err(bad(format!("{message} in {}", at.describe(module, None)))),
            Outcome::OutOfFuel(at) => return Err(bad(format!("it does not end, in {}", at.describe(module, None)))),
            outcome => outcomes.push(outcome),
        }
    }
    Ok(outcomes)
}

/// Compares results and traps, not where they happened.
fn compare(module: &Module, calls: &[TypedCall], want: &[Outcome], got: &[Outcome]) -> Result<(), String> {
    for ((call, want), got) in calls.iter().zip(want).zip(got) {
        let same = match (want, got) {
            (Outcome::Return(a), Outcome::Return(b)) => a == b,
            (Outcome::Trap(a, _), Outcome::Trap(b, _)) => a == b,
            _ => false,
        };
        if !same {
            let name = String::from_utf8_lossy(&module.decls.syms[call.sym].name).into_owned();
            let args: Vec<String> = call.args.iter().map(ToString::to_string).collect();
            let (want, got) = (describe(want), describe(got));
            return Err(format!("@{name}({}) gives {got} in place of {want}", args.join(", ")));
        }
    }
    Ok(())
}

fn describe(outcome: &Outcome) -> String {
    match outcome {
        Outcome::Return(None) => "a return".into(),
        Outcome::Return(Some(v)) => v.to_string(),
        Outcome::Trap(trap, _) => format!("trap({trap})"),
        Outcome::OutOfFuel(_) => "no end".into(),
        Outcome::Error(message, _) => message.clone(),
    }
}

fn run_pipeline(module: &Module, calls: &[TypedCall], text: &str) -> Result<Module, Problem> {
    run_pipeline_with(module, calls, text, Listen::Off)
}

fn run_pipeline_with(module: &Module, calls: &[TypedCall], text: &str, listen: Listen) -> Result<Module, Problem> {
    let mut module = module.clone();
    let pipeline = read_pipeline(text).map_err(|e| Problem::new(Kind::Refused, e))?;
    let entry_points = calls.iter().map(|c| c.sym).collect();
    let options = RunOptions { listen, entry_points, ..RunOptions::default() };
    match optimize_verified(&mut module, &pipeline, &options) {
        Ok(_) => Ok(module),
        Err(errors) => Err(refused(&errors)),
    }
}

fn refused(errors: &[Diagnostic]) -> Problem {
    let kind = match errors.iter().map(|e| e.fault).find(|f| *f != Fault::Input).unwrap_or_default() {
        Fault::Input | Fault::Memory => Kind::Refused,
        Fault::Limit => Kind::BeyondLimit,
        Fault::Pass => Kind::Invalid,
        Fault::Allocator => Kind::Allocation,
    };
    Problem::new(kind, first_message(errors))
}

fn first_message(errors: &[Diagnostic]) -> String {
    errors.first().map_or_else(String::new, |e| e.message.clone())
}

fn compile_options(model: RelocModel, allocator: &'static dyn Allocator) -> CompileOptions {
    CompileOptions {
        model,
        allocator: Some(allocator),

        allocation: AllocOptions { verify: true, ..AllocOptions::default() },
        ..CompileOptions::default()
    }
}

fn read(text: &str) -> Result<Module, Problem> {
    text.parse().map_err(|why: TextErrors| Problem::new(Kind::Difference, why.to_string()))
}

fn roundtrip(module: &Module) -> Result<(), Problem> {
    let errors = verify_module(module, 3);
    if !errors.is_empty() {
        return Err(Problem::new(Kind::BadProgram, first_message(&errors)));
    }
    let text = module.to_string();
    if read(&text)?.to_string() == text {
        Ok(())
    } else {
        Err(Problem::new(Kind::Difference, "the text prints to another text"))
    }
}

fn object(mut module: Module) -> Result<Vec<u8>, Problem> {
    let options = compile_options(RelocModel::Pie, ALLOCATORS[0]);
    let code = compile(&mut module, &options).map_err(|e| refused(&e))?;
    elf::write_module(&module, &code, &elf::ObjectOptions::default())
        .map_err(|e| Problem::new(Kind::Refused, e.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Corpus, Origin};

    #[test]
    fn a_mutant_may_be_larger_than_the_limits() {
        let text = "type :large = opaque 700000000\n\
                    func @f(%p: i64, $x: :large, $y: :large) -> i64 {\nentry:\n  ret %p\n}\n";
        let module = read(text).unwrap_or_else(|p| panic!("{}", p.message));
        let problem = object(module).expect_err("1.4 GB of arguments are too many");
        assert_eq!(problem.kind, Kind::BeyondLimit, "{}", problem.message);
        assert!(Origin::Mutants(&Corpus::default()).may_be(&problem.kind));
        assert!(!Origin::Generator.may_be(&problem.kind));
    }
}

//! The checks that a random module undergoes, and their names.

use super::orders::order_of;
use lir_llc::options::Cpu;
use lir_llc::options::Effort;
use lir_llc::regalloc::options::{Features, RegCount, Stress};
use lir_llc::regalloc::{self, ALLOCATORS, AllocOptions, Allocator};
use lir_opt::pass::{OptionValues, Pass};
use lir_opt::passes::PASSES;
use lir_opt::{Level, Pipeline};
use lir_syntax::named;
use std::fmt;
use std::str::FromStr;

/// A check.
#[derive(Clone)]
pub enum Check {
    /// The text of the module parses, verifies and prints to itself.
    Roundtrip,
    /// The interpreter runs it without complaint to an end that the language specifies.
    Interpreter,
    /// After these passes, `-O2` or a pipeline, it verifies and the interpreter gives the same.
    Passes(String),
    /// Native code of this level with this allocator gives the interpreter's results. The checker agrees with every
    /// allocation.
    Native(Level, &'static dyn Allocator),
    /// The interpreter gives the same results after this level with traces of all loops, compiled with this allocator.
    Traces(Level, &'static dyn Allocator),
    /// The same as [`Check::Native`] with instructions of later processors, or of the fast code generator.
    Variant(Level, Cpu, Effort),
    /// The same under stress: the allocator has few registers and makes bad decisions at random. Each seed chooses the
    /// stress and the code generator; see [`of_seed`](Check::of_seed).
    Stress(Level),
    /// The same under this stress.
    Stressed(Level, &'static dyn Allocator, Effort, AllocOptions),
    /// After passes in an order that each seed chooses, it verifies and gives the same. The passes make their remarks,
    /// and both interpreter and native code run it; see [`of_seed`](Check::of_seed).
    Orders,
    /// The same for this order.
    Order(String),
    /// Compilation at this level in one go makes the same object as separate steps. These are passes and code
    /// generation; between them the module is printed and parsed.
    Bytes(Level),
    /// The exported module, compiled by LLVM at this level, gives the interpreter's results.
    Llvm(LlvmLevel),
}

named! {
    /// A level of LLVM's optimizer and code generator.
    pub enum LlvmLevel {
        O0 "-O0" "`llc -O0`."
        O2 "-O2" "`opt -O2`, then `llc -O2`."
    }
}

named! {
    /// Checks that are chosen together.
    pub(crate) enum CheckGroup {
        Roundtrip "roundtrip" "[`Check::Roundtrip`]."
        Interpreter "interpreter" "[`Check::Interpreter`]."
        Passes "passes"
            "[`Check::Passes`] for the levels and for single passes. These are every pass that takes any function, \
            and every pass after `ssa,mem2reg`."
        Native "native" "[`Check::Native`] for every level and allocator."
        Traces "traces" "[`Check::Traces`] for every level, and at -O0 every allocator."
        Variants "variants"
            "[`Check::Variant`] for the levels of processors that this one has, and for fast code generation."
        Stress "stress" "[`Check::Stress`] for -O0 and -O2 and every allocator."
        Orders "orders" "[`Check::Orders`]."
        Bytes "bytes" "[`Check::Bytes`] for -O2."
        Llvm "llvm" "[`Check::Llvm`] for both levels. It needs LLVM's tools and takes long."
    }
}

impl CheckGroup {
    /// Returns the checks that need only LIR: all except the check by LLVM.
    pub(crate) fn own() -> Vec<CheckGroup> {
        CheckGroup::ALL.into_iter().filter(|g| *g != CheckGroup::Llvm).collect()
    }
    /// Returns its checks.
    pub fn checks(self) -> Vec<Check> {
        let levels = [Level::O0, Level::O1, Level::O2];
        match self {
            CheckGroup::Roundtrip => vec![Check::Roundtrip],
            CheckGroup::Interpreter => vec![Check::Interpreter],
            CheckGroup::Passes => pipelines().into_iter().map(Check::Passes).collect(),
            CheckGroup::Native => {
                levels.iter().flat_map(|l| ALLOCATORS.iter().map(|a| Check::Native(*l, *a))).collect()
            }
            CheckGroup::Traces => {
                let at_o0 = ALLOCATORS.iter().map(|a| Check::Traces(Level::O0, *a));
                let others = [Level::O1, Level::O2].map(|level| Check::Traces(level, regalloc::BOTTOM_UP));
                at_o0.chain(others).collect()
            }
            CheckGroup::Variants => variants(),
            CheckGroup::Stress => {
                vec![Check::Stress(Level::O0), Check::Stress(Level::O2)]
            }
            CheckGroup::Orders => vec![Check::Orders],
            CheckGroup::Bytes => vec![Check::Bytes(Level::O2)],
            CheckGroup::Llvm => LlvmLevel::ALL.map(Check::Llvm).to_vec(),
        }
    }
}

impl FromStr for CheckGroup {
    type Err = String;
    fn from_str(text: &str) -> Result<CheckGroup, String> {
        let names = || CheckGroup::ALL.map(CheckGroup::name).join(", ");
        let found = CheckGroup::ALL.into_iter().find(|g| g.name() == text);
        found.ok_or_else(|| format!("there are the checks {}", names()))
    }
}

impl Check {
    /// Returns the check as it is made for the module of a seed.
    pub(crate) fn of_seed(&self, seed: u64) -> Check {
        match self {
            Check::Orders => Check::Order(order_of(seed)),
            Check::Stress(level) => {
                let effort = if (seed / 16).is_multiple_of(2) { Effort::Good } else { Effort::Fast };
                Check::Stressed(*level, regalloc::by_number(seed), effort, stress_of(seed))
            }
            other => other.clone(),
        }
    }

    /// Returns LLVM's level, if the check is by LLVM.
    pub(crate) fn llvm_level(&self) -> Option<LlvmLevel> {
        match self {
            Check::Llvm(level) => Some(*level),
            _ => None,
        }
    }

    /// Returns the options of `lir-fuzz` that make it do this check.
    pub(crate) fn options(&self) -> String {
        match self {
            Check::Roundtrip => "--check roundtrip".into(),
            Check::Interpreter => "--check interpreter".into(),
            Check::Passes(pipeline) if pipeline.starts_with("-O") => "--check passes".into(),
            Check::Passes(pipeline) => format!("--pipeline '{pipeline}'"),
            Check::Native(..) => "--check native".into(),
            Check::Traces(..) => "--check traces".into(),
            Check::Variant(..) => "--check variants".into(),
            Check::Stress(..) | Check::Stressed(..) => "--check stress".into(),
            Check::Orders | Check::Order(_) => "--check orders".into(),
            Check::Bytes(_) => "--check bytes".into(),
            Check::Llvm(_) => "--check llvm".into(),
        }
    }
}

/// The passes that make most others find work.
pub(super) const FIRST: &str = "ssa,mem2reg";

/// Single passes, from the registry, and the levels.
fn pipelines() -> Vec<String> {
    let mut found = vec!["ssa".to_string(), FIRST.to_string()];
    let others = || PASSES.iter().filter(|p| !FIRST.split(',').any(|first| first == p.name));
    let takes_any =
        |p: &lir_opt::pass::PassInfo| matches!((p.build)(&OptionValues::defaults(p.options)), Pass::Function(_));
    found.extend(others().filter(|p| takes_any(p)).map(|p| p.name.to_string()));
    found.extend(others().map(|p| format!("{FIRST},{}", p.name)));
    found.extend(["-O1".to_string(), "-O2".to_string()]);
    found
}

/// Returns the checks of code for other levels of processors, and of fast code.
fn variants() -> Vec<Check> {
    let levels = Cpu::ALL.into_iter().filter(|cpu| (Cpu::V2..=Cpu::native()).contains(cpu));
    let good = levels.flat_map(|cpu| [Level::O0, Level::O2].map(|level| Check::Variant(level, cpu, Effort::Good)));
    let fast = [(Level::O0, Cpu::V1), (Level::O2, Cpu::native())];
    good.chain(fast.map(|(level, cpu)| Check::Variant(level, cpu, Effort::Fast))).collect()
}

/// Returns the stress that the module of a seed is put under: every seventh has all of it spilled; the others throw
/// dice, half of them with few registers, a fifth with some features of the allocator left out.
fn stress_of(seed: u64) -> AllocOptions {
    let regs = match seed % 4 {
        0 => Some(RegCount::MIN),
        1 => Some(RegCount::MIN + 1 + (seed / 4 % 6) as u8),
        _ => None,
    };
    let without = if seed.is_multiple_of(5) { Features::from_bits(seed / 5) } else { Features::default() };
    AllocOptions {
        regs: regs.and_then(RegCount::new),
        stress: Some(if seed.is_multiple_of(7) { Stress::Spill } else { Stress::Seed(seed) }),
        without,
        verify: true,
    }
}

impl PartialEq for Check {
    fn eq(&self, other: &Check) -> bool {
        self.to_string() == other.to_string()
    }
}

impl Eq for Check {}

impl fmt::Debug for Check {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

impl fmt::Display for Check {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Check::Roundtrip => f.write_str("roundtrip"),
            Check::Interpreter => f.write_str("interpreter"),
            Check::Passes(pipeline) => write!(f, "passes {pipeline}"),
            Check::Native(level, allocator) => write!(f, "native {level} {}", allocator.full_name()),
            Check::Traces(level, allocator) => write!(f, "traces {level} {}", allocator.full_name()),
            Check::Variant(level, cpu, effort) => write!(f, "variants {level} {cpu} {effort}"),
            Check::Stress(level) => write!(f, "stress {level}"),
            Check::Stressed(level, allocator, effort, stress) => {
                write!(f, "stressed {level} {} {effort} {stress}", allocator.full_name())
            }
            Check::Orders => f.write_str("orders"),
            Check::Order(pipeline) => write!(f, "order {pipeline}"),
            Check::Bytes(level) => write!(f, "bytes {level}"),
            Check::Llvm(level) => write!(f, "llvm {}", level.name()),
        }
    }
}

impl FromStr for Check {
    type Err = String;
    /// Parses the text written by [`Display`](fmt::Display).
    fn from_str(text: &str) -> Result<Check, String> {
        let (word, rest) = text.split_once(' ').unwrap_or((text, ""));
        let level = |text: &str| match text.strip_prefix("-O") {
            Some(number) => number.parse::<Level>(),
            None => Err("a level -O0, -O1 or -O2 is expected".to_string()),
        };
        match (word, rest) {
            ("roundtrip", "") => Ok(Check::Roundtrip),
            ("interpreter", "") => Ok(Check::Interpreter),
            ("passes", pipeline) => read_pipeline(pipeline).map(|_| Check::Passes(pipeline.to_string())),
            ("native", rest) => {
                let (l, allocator) = rest.split_once(' ').unwrap_or((rest, ""));
                Ok(Check::Native(level(l)?, regalloc::parse(allocator)?))
            }
            ("traces", rest) => {
                let (l, allocator) = rest.split_once(' ').unwrap_or((rest, ""));
                Ok(Check::Traces(level(l)?, regalloc::parse(allocator)?))
            }
            ("stressed", rest) => {
                let mut words = rest.splitn(4, ' ');
                let mut word = || words.next().unwrap_or("");
                Ok(Check::Stressed(level(word())?, regalloc::parse(word())?, word().parse()?, word().parse()?))
            }
            ("variants", rest) => {
                let words: Vec<&str> = rest.split(' ').collect();
                let [l, cpu, effort] = words[..] else { return Err(format!("`{text}` is not a check")) };
                let cpu = Cpu::parse(cpu)?;
                if cpu > Cpu::native() {
                    return Err(format!("`{text}` needs another processor than this"));
                }
                Ok(Check::Variant(level(l)?, cpu, effort.parse()?))
            }
            ("order", pipeline) => read_pipeline(pipeline).map(|_| Check::Order(pipeline.to_string())),
            ("bytes", rest) => Ok(Check::Bytes(level(rest)?)),
            ("llvm", rest) => {
                let found = LlvmLevel::ALL.into_iter().find(|l| l.name() == rest);
                found.map(Check::Llvm).ok_or_else(|| format!("`{text}` is not a check"))
            }
            _ => Err(format!("`{text}` is not a check")),
        }
    }
}

/// Returns a pipeline, or a level.
pub(super) fn read_pipeline(text: &str) -> Result<Pipeline, String> {
    match text.strip_prefix("-O") {
        Some(level) => level.parse().map(Pipeline::of_level),
        None => Pipeline::parse(text).map_err(|e| e.to_string()),
    }
}

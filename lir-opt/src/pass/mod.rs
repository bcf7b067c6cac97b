//! Passes, and the context that each is given.
//!
//! A pass is a value whose fields are its options, made once when a pipeline is built ([`PassInfo::build`]) and shared
//! by all threads; it keeps nothing from one function to the next. Four kinds exist ([`Pass`]): over a function of
//! either form, over one in SSA form, over a trace, and over the module. A pass neither prints, verifies nor times
//! itself: the pipeline's driver does that for all of them.
//!
//! To write one, follow the house template (any file in `passes/`): a `pub static` [`PassInfo`], the pass struct, the
//! scratch memory of one run, the steps in call order.

pub mod fuel;
pub(crate) mod growth;
pub(crate) mod loop_pass;
pub mod remarks;
pub mod stats;
mod step_run;

pub use step_run::StepRun;

use crate::analysis::trace_form::TraceForm;
use crate::analysis::{Analyses, Preserved, SsaView};
use crate::pass::fuel::Fuel;
use crate::pass::growth::Growth;
use crate::pass::remarks::Remarks;
use crate::pass::stats::Stats;
use lir_syntax::ir::{Decls, EntitySet, Function, Module, SecondaryMap, Sym};
use std::any::Any;

/// The context of a pass other than the function. The fields are separate so that they can be borrowed one by one.
pub struct PassContext<'a> {
    /// Types, symbols and data of the module.
    pub decls: &'a Decls,
    /// Facts about the function, computed on demand.
    pub analyses: &'a mut Analyses,
    /// Counters of this pass.
    pub stats: &'a mut Stats,
    /// Scratch memory that outlives the run.
    pub scratch: &'a mut Scratch,
    /// The remarks of this pass.
    pub remarks: &'a mut Remarks,
    /// The growth that the function has left.
    pub(crate) growth: &'a mut Growth,
    /// The rewrites that may still be made.
    pub fuel: &'a mut Fuel,
}

/// The context of a pass over the module other than the module.
pub struct ModuleContext<'a> {
    /// Counters of this pass.
    pub stats: &'a mut Stats,
    /// Scratch memory that outlives the run.
    pub scratch: &'a mut Scratch,
    /// The remarks of this pass.
    pub remarks: &'a mut Remarks,
    /// Local functions that are called from outside all the same: see
    /// [`RunOptions::entry_points`](crate::RunOptions::entry_points).
    pub entry_points: &'a EntitySet<Sym>,
    /// The growth that each function has left.
    pub(crate) growth: &'a mut SecondaryMap<Sym, Growth>,
}

impl ModuleContext<'_> {
    /// True if something outside of the module may refer to a symbol: its signature must not change, and if it is
    /// defined here it is not removed.
    pub(crate) fn is_visible(&self, decls: &Decls, s: Sym) -> bool {
        !decls.syms[s].is_local() || decls.aliases.is_target(s) || self.entry_points.contains(s)
    }
}

/// A pass over one function, in SSA form or not.
pub trait FunctionPass: Send + Sync {
    /// Runs the pass.
    fn run(&self, f: &mut Function, cx: &mut PassContext<'_>) -> Preserved;
    /// True if a function that was in SSA form is in SSA form afterwards.
    fn leaves_ssa(&self) -> bool {
        true
    }
}

/// A pass over one function in SSA form, which it leaves in SSA form.
pub trait SsaPass: Send + Sync {
    /// Runs the pass. `ssa` is the proof that the function is in SSA form, and has the instruction that assigned each
    /// register when the pass began; it is recomputed before the next pass if this one changed anything.
    fn run(&self, f: &mut Function, ssa: &SsaView, cx: &mut PassContext<'_>) -> Preserved;
}

/// A pass over one function in trace form, which it leaves in trace form.
pub trait TracePass: Send + Sync {
    /// Runs the pass. `form` describes the function when the pass begins.
    fn run(&self, f: &mut Function, form: &TraceForm, cx: &mut PassContext<'_>) -> Preserved;
}

/// A pass over the whole module. It may change any function; `analyses` of functions are not carried across it.
pub trait ModulePass: Send + Sync {
    /// Runs the pass.
    fn run(&self, module: &mut Module, cx: &mut ModuleContext<'_>) -> Preserved;
}

/// A pass with its options set.
pub enum Pass {
    /// Takes functions of either form.
    Function(Box<dyn FunctionPass>),
    /// Takes functions in SSA form only.
    Ssa(Box<dyn SsaPass>),
    /// Takes functions in trace form only, with guarantees that the user gives by its options.
    Trace(Box<dyn TracePass>),
    /// Takes the module.
    Module(Box<dyn ModulePass>),
}

/// A row of the registry.
pub struct PassInfo {
    /// The name in pipelines: kebab case, also the name of the folder with its cases.
    pub name: &'static str,
    /// Its effect in one line, in lower case, without a period at the end.
    pub summary: &'static str,
    /// Its options; most have none.
    pub options: &'static [OptionInfo],
    /// Makes the pass with these options.
    pub build: fn(&OptionValues) -> Pass,
}

impl PassInfo {
    /// True if a function in SSA form is in SSA form after the pass, with any options.
    pub fn leaves_ssa(&self) -> bool {
        match (self.build)(&OptionValues::defaults(self.options)) {
            Pass::Function(pass) => pass.leaves_ssa(),
            Pass::Ssa(_) | Pass::Trace(_) | Pass::Module(_) => true,
        }
    }
    /// True if the pass is restricted to traces for some of its options.
    pub fn may_need_trace(&self) -> bool {
        matches!((self.build)(&OptionValues::largest(self.options)), Pass::Trace(_))
    }
}

/// An option of a pass, `name=value` in braces after the name of the pass.
pub struct OptionInfo {
    /// The name.
    pub name: &'static str,
    /// The values that it takes, and the default.
    pub kind: OptionKind,
    /// Its effect in one line, in lower case, without a period at the end.
    pub summary: &'static str,
}

/// The values that an option takes.
#[derive(Copy, Clone, Debug)]
pub enum OptionKind {
    /// `on` or `off`; the name alone is `on`.
    Flag {
        /// Without the option.
        default: bool,
    },
    /// A number.
    Number {
        /// Without the option.
        default: u64,
        /// The largest value.
        max: u64,
    },
    /// One of some words.
    Choice {
        /// Index in `names` of the word that holds without the option.
        default: u64,
        /// The words.
        names: &'static [&'static str],
    },
}

impl OptionKind {
    /// Returns the value that holds without the option.
    pub fn default(self) -> u64 {
        match self {
            OptionKind::Flag { default } => u64::from(default),
            OptionKind::Number { default, .. } | OptionKind::Choice { default, .. } => default,
        }
    }
    /// Returns a value as it is written.
    pub fn show(self, value: u64) -> String {
        match self {
            OptionKind::Flag { .. } => if value != 0 { "on" } else { "off" }.to_string(),
            OptionKind::Number { .. } => value.to_string(),
            OptionKind::Choice { names, .. } => names[value as usize].to_string(),
        }
    }
}

/// The values of all options of a pass, in the order of [`PassInfo::options`]. Flags are 0 or 1, choices the index of
/// their word.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct OptionValues {
    options: Vec<(&'static str, u64)>,
}

impl OptionValues {
    /// Returns every option at its default.
    pub fn defaults(options: &'static [OptionInfo]) -> OptionValues {
        OptionValues { options: options.iter().map(|o| (o.name, o.kind.default())).collect() }
    }
    /// Returns every option at its last value, numbers at their largest.
    fn largest(options: &'static [OptionInfo]) -> OptionValues {
        let largest = |kind: OptionKind| match kind {
            OptionKind::Flag { .. } => 1,
            OptionKind::Number { max, .. } => max,
            OptionKind::Choice { names, .. } => names.len() as u64 - 1,
        };
        OptionValues { options: options.iter().map(|o| (o.name, largest(o.kind))).collect() }
    }
    /// Sets option number `k` of the list.
    pub(crate) fn set(&mut self, k: usize, value: u64) {
        self.options[k].1 = value;
    }
    pub(crate) fn values(&self) -> impl Iterator<Item = u64> + '_ {
        self.options.iter().map(|o| o.1)
    }
    /// Returns the number that is set, of a choice the index of the word. Panics if the pass has not declared the
    /// option.
    pub fn number(&self, name: &str) -> u64 {
        self.options.iter().find(|o| o.0 == name).unwrap_or_else(|| panic!("option `{name}` is not declared")).1
    }
    /// True if the flag is on. Panics if the pass has not declared the option.
    pub fn flag(&self, name: &str) -> bool {
        self.number(name) != 0
    }
}

/// Scratch memory of passes, kept by a worker from function to function.
///
/// A pass takes its own, resets it to the size of the function, and gives it back:
///
/// ```text
/// let mut mine: Box<Vec<u32>> = scratch.take();
/// mine.clear();
/// scratch.give_back(mine);
/// ```
#[derive(Default)]
pub struct Scratch {
    kept: Vec<Box<dyn Any + Send>>,
}

impl Scratch {
    /// Scratch memory of this type: the one returned last, with its old contents, or new.
    pub fn take<T: Default + Send + 'static>(&mut self) -> Box<T> {
        match self.kept.iter().rposition(|t| t.is::<T>()) {
            Some(k) => self.kept.swap_remove(k).downcast().expect("the type was just checked"),
            None => Box::default(),
        }
    }
    /// Keeps scratch memory for the next function.
    pub(crate) fn give_back<T: Send + 'static>(&mut self, memory: Box<T>) {
        self.kept.push(memory);
    }
}

//! A campaign: the checks of many seeds, in batches and child processes, several at a time.
//!
//! A child checks the modules of a batch and answers with its findings. A batch whose child dies or takes too long is
//! halved, and its halves are checked next, until one seed is left. Then each check of that seed runs in its own child,
//! to find the checks that fail. Answers are taken in the order of the seeds, so findings do not depend on how many
//! children run.

use super::check::{Check, LlvmLevel};
use super::coverage::Coverage;
use super::finding::{Finding, Kind, Problem, parse_key};
use super::llvm;
use super::origin::Origin;
use super::program::Program;
use super::test_case::TestCase;
use lir_run::host::child::limits::Limits;
use lir_run::host::child::{self, Child, Ended};
use lir_run::run_lines::TypedCall;
use lir_run::symbols::HostSymbols;
use lir_syntax::ir::Module;
use std::collections::{BTreeMap, VecDeque};
use std::io;
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// The seeds and checks of a run, with its limits.
pub struct Campaign<'a> {
    /// The source of the modules.
    pub origin: Origin<'a>,
    /// The first seed. After the last of all seeds comes 0.
    pub first: u64,
    /// Number of seeds. It may be practically unlimited.
    pub count: u64,
    /// The time after which nothing new begins.
    pub time: Option<Duration>,
    /// The checks of each module.
    pub checks: &'a [Check],
    /// The limits of each child.
    pub limits: Limits,
    /// Child processes at a time.
    pub jobs: usize,
    /// True to record coverage.
    pub coverage: bool,
}

/// An event of a campaign.
pub enum Event<'a> {
    /// Something was found.
    Found(&'a Finding),
    /// A batch is done.
    Progress(&'a Summary),
}

/// The totals of a campaign so far.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Summary {
    /// Modules.
    pub modules: u64,
    /// Functions in them.
    pub functions: u64,
    /// Findings, equal ones counted each.
    pub findings: u64,
    /// Calls that were compared with LLVM's code, at each of its levels.
    pub compared: u64,
    /// Calls that were not compared, since they, or earlier calls, end in a way that exports do not preserve.
    pub left_out: u64,
    /// The coverage of the modules, if requested, without modules whose child died.
    pub coverage: Option<Coverage>,
}

/// Modules that a child checks, unless there are too few for all children.
const BATCH: u64 = 25;

/// Work for a child.
#[derive(Clone)]
enum Work {
    Batch(Range<u64>),
    /// One check of a seed whose child died.
    SingleCheck {
        seed: u64,
        check: usize,
    },
}

/// Runs a campaign, and reports each finding and each batch.
///
/// # Errors
/// The system cannot create processes.
pub fn run(campaign: &Campaign<'_>, on_event: &mut dyn FnMut(Event<'_>)) -> io::Result<Summary> {
    let mut runner = Runner {
        campaign,
        waiting: VecDeque::new(),
        dead: BTreeMap::new(),
        summary: Summary { coverage: campaign.coverage.then(Coverage::default), ..Summary::default() },
    };
    let start = Instant::now();
    let jobs = campaign.jobs.max(1);
    let length = campaign.count.div_ceil(jobs as u64).clamp(1, BATCH);
    // Seeds are counted from the first one, until they are made modules of.
    let mut next = 0;
    let mut running: VecDeque<(Work, Child)> = VecDeque::new();
    loop {
        while running.len() < jobs {
            let in_time = campaign.time.is_none_or(|t| start.elapsed() < t);
            let work = match runner.waiting.pop_front() {
                Some(work) => work,
                None if next < campaign.count && in_time => {
                    let batch = next..campaign.count.min(next.saturating_add(length));
                    next = batch.end;
                    Work::Batch(batch)
                }
                None => break,
            };
            running.push_back((work.clone(), runner.start(&work)?));
        }
        let Some((work, child)) = running.pop_front() else { return Ok(runner.summary) };
        let ended = child.wait(campaign.limits.for_modules(work.modules()))?;
        runner.take(work, ended, on_event);
    }
}

impl Work {
    fn modules(&self) -> u64 {
        match self {
            Work::Batch(seeds) => seeds.end - seeds.start,
            Work::SingleCheck { .. } => 1,
        }
    }
}

/// A campaign in progress.
struct Runner<'a> {
    campaign: &'a Campaign<'a>,
    /// Work that is done before new batches.
    waiting: VecDeque<Work>,
    /// The seeds whose child died, while their checks are tried one by one.
    dead: BTreeMap<u64, DeadSeed>,
    summary: Summary,
}

/// A seed whose child died.
struct DeadSeed {
    /// The kind of its death.
    kind: Kind,
    /// Number of checks still to be tried alone.
    checks_left: usize,
    /// True if one of them failed alone.
    failed: bool,
}

impl Runner<'_> {
    /// Starts a child that does some work.
    fn start(&self, work: &Work) -> io::Result<Child> {
        let Campaign { origin, first, checks, limits, coverage, .. } = *self.campaign;
        match work.clone() {
            Work::Batch(seeds) => child::start(move || {
                limits.apply(seeds.end - seeds.start);
                quiet();
                batch(&origin, seeds.map(|n| first.wrapping_add(n)), checks, coverage)
            }),
            Work::SingleCheck { seed, check } => {
                let seed = first.wrapping_add(seed);
                let program = move || {
                    let none = || Problem::new(Kind::BadProgram, "the seed gives no module");
                    origin.program(seed, &host()).map(|p| (p.module, p.calls)).ok_or_else(none)
                };
                start_alone(limits, program, checks[check].of_seed(seed))
            }
        }
    }

    /// Takes the answer of a child, or schedules the next checks if it died.
    fn take(&mut self, work: Work, ended: Ended, on_event: &mut dyn FnMut(Event<'_>)) {
        match (work, Kind::of_end(&ended)) {
            (Work::Batch(seeds), None) => {
                let Answer { functions, coverage, compared, left_out, findings } = read_answer(&ended);
                self.summary.modules += seeds.end - seeds.start;
                self.summary.functions += functions;
                self.summary.compared += compared;
                self.summary.left_out += left_out;
                if let (Some(all), Some(more)) = (&mut self.summary.coverage, coverage) {
                    all.merge(&more);
                }
                findings.iter().for_each(|f| self.report(f, on_event));
                on_event(Event::Progress(&self.summary));
            }
            (Work::Batch(seeds), Some(kind)) if seeds.end - seeds.start == 1 => {
                let dead = DeadSeed { kind, checks_left: self.campaign.checks.len(), failed: false };
                self.dead.insert(seeds.start, dead);
                self.summary.modules += 1;
                for check in (0..self.campaign.checks.len()).rev() {
                    self.waiting.push_front(Work::SingleCheck { seed: seeds.start, check });
                }
            }
            (Work::Batch(seeds), Some(_)) => {
                let middle = seeds.start + (seeds.end - seeds.start) / 2;
                self.waiting.push_front(Work::Batch(middle..seeds.end));
                self.waiting.push_front(Work::Batch(seeds.start..middle));
            }
            (Work::SingleCheck { seed, check }, _) => self.take_single_check(seed, check, &ended, on_event),
        }
    }

    /// Takes the result of one check for a seed whose child died.
    fn take_single_check(&mut self, seed: u64, check: usize, ended: &Ended, on_event: &mut dyn FnMut(Event<'_>)) {
        let problem = problem_of(ended);
        let failed = problem.is_some();
        let name = self.campaign.first.wrapping_add(seed);
        if let Some(problem) = problem {
            self.report(&Finding { seed: name, check: self.campaign.checks[check].of_seed(name), problem }, on_event);
        }
        let dead = self.dead.get_mut(&seed).expect("the seed's child died");
        dead.checks_left -= 1;
        dead.failed |= failed;
        if dead.checks_left == 0 {
            let DeadSeed { kind, failed, .. } = self.dead.remove(&seed).expect("it was there");
            // Checks that end in time one by one may take too long together, on a machine that is busy otherwise.
            if !failed && kind != Kind::Timeout {
                let message = "all checks together ended so, and none alone";
                let check = self.campaign.checks[check].of_seed(name);
                self.report(&Finding { seed: name, check, problem: Problem::new(kind, message) }, on_event);
            }
        }
    }

    fn report(&mut self, finding: &Finding, on_event: &mut dyn FnMut(Event<'_>)) {
        self.summary.findings += 1;
        on_event(Event::Found(finding));
    }
}

/// Starts a child that takes a module with its calls and does one check. [`problem_of`] reads how it ended.
pub(super) fn start_alone(
    limits: Limits,
    program: impl FnOnce() -> Result<(Arc<Module>, Vec<TypedCall>), Problem>,
    check: Check,
) -> io::Result<Child> {
    child::start(move || {
        limits.apply(1);
        quiet();
        let work = || {
            let (module, calls) = program()?;
            TestCase::new(module, &calls, &host()).check(&check)
        };
        let result = catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|_| Err(panic_problem()));
        result.map_or_else(|p| format!("{}\0{}", p.kind, p.message), |()| String::new()).into_bytes()
    })
}

/// Returns the problem that a child of [`start_alone`] found.
pub(super) fn problem_of(ended: &Ended) -> Option<Problem> {
    if let Some(kind) = Kind::of_end(ended) {
        let message = format!("the process ended so: {kind}");
        return Some(Problem::new(kind, message));
    }
    let Ended::Answered(bytes) = ended else { return None };
    let text = String::from_utf8_lossy(bytes);
    let (kind, message) = text.split_once('\0')?;
    // The kind was written by this program.
    let (kind, _) = parse_key(&format!("{kind} in roundtrip")).ok()?;
    Some(Problem::new(kind, message))
}

/// The last panic: its position in the source and its message.
static LAST_PANIC: Mutex<(String, String)> = Mutex::new((String::new(), String::new()));

/// Keeps panics from being printed: they are answers.
pub(super) fn quiet() {
    std::panic::set_hook(Box::new(|info| {
        let position = info.location().map_or_else(String::new, ToString::to_string);
        let text = info.payload().downcast_ref::<&str>().map(ToString::to_string);
        let message = text.or_else(|| info.payload().downcast_ref::<String>().cloned()).unwrap_or_default();
        *LAST_PANIC.lock().unwrap_or_else(PoisonError::into_inner) = (position, message);
    }));
}

fn panic_problem() -> Problem {
    let (position, message) = LAST_PANIC.lock().unwrap_or_else(PoisonError::into_inner).clone();
    Problem::new(Kind::Panic(position), message.lines().next().unwrap_or_default())
}

fn host() -> HostSymbols {
    HostSymbols::new(&[]).expect("the process has symbols")
}

/// Checks the modules of seeds: the number of functions, their coverage, the numbers of calls compared by LLVM and
/// left out, and for each finding seed, check, kind and message, each followed by a NUL.
fn batch(origin: &Origin<'_>, seeds: impl Iterator<Item = u64>, checks: &[Check], with_coverage: bool) -> Vec<u8> {
    let (host, mut functions, mut found) = (host(), 0, String::new());
    let mut coverage = Coverage::default();
    let mut programs = Vec::new();
    let by_llvm: Vec<LlvmLevel> = checks.iter().filter_map(Check::llvm_level).collect();
    for seed in seeds {
        let Some(program) = origin.program(seed, &host) else { continue };
        let Program { module, calls, functions: more } = &program;
        functions += more;
        if with_coverage {
            coverage.add(module);
        }
        let mut test_case = TestCase::new(Arc::clone(module), calls, &host);
        for check in checks.iter().filter(|c| c.llvm_level().is_none()) {
            let check = check.of_seed(seed);
            found += &test_case.check(&check).err().map_or_else(String::new, |p| line_of(origin, seed, &check, &p));
        }
        if !by_llvm.is_empty() {
            programs.push((seed, program));
        }
    }
    let [compared, left_out] = check_by_llvm(origin, &programs, &by_llvm, &mut found);
    format!("{functions}\0{}\0{compared}\0{left_out}\0{found}", coverage.encode()).into_bytes()
}

/// Checks all programs of a batch together, once for each level, and returns the numbers of calls that were compared
/// and that were left out.
fn check_by_llvm(
    origin: &Origin<'_>,
    programs: &[(u64, Program)],
    levels: &[LlvmLevel],
    found: &mut String,
) -> [usize; 2] {
    let host = host();
    let mut test_cases = Vec::with_capacity(programs.len());
    for (seed, p) in programs {
        test_cases.push((*seed, TestCase::new(Arc::clone(&p.module), &p.calls, &host)));
    }
    let mut numbers = [0, 0];
    for level in levels {
        let check = Check::Llvm(*level);
        test_cases.retain_mut(|(seed, test_case)| match test_case.expected() {
            Ok(_) => true,
            Err(p) => {
                *found += &line_of(origin, *seed, &check, &p);
                false
            }
        });
        let cases: Vec<_> = test_cases.iter().filter_map(|(_, t)| t.case()).collect();
        let results = llvm::check(&cases, *level);
        for case in &cases {
            numbers[0] += case.compared();
            numbers[1] += case.expected.len() - case.compared();
        }
        for ((seed, test_case), result) in test_cases.iter_mut().zip(results) {
            let result = test_case.unless_unspecified(result);
            *found += &result.err().map_or_else(String::new, |p| line_of(origin, *seed, &check, &p));
        }
    }
    numbers
}

/// Returns a finding in the form of [`batch`]; an empty text if the problem is not a finding.
fn line_of(origin: &Origin<'_>, seed: u64, check: &Check, p: &Problem) -> String {
    if origin.may_be(&p.kind) { String::new() } else { format!("{seed}\0{check}\0{}\0{}\0", p.kind, p.message) }
}

/// The answer of a child.
#[derive(Default)]
struct Answer {
    functions: u64,
    coverage: Option<Coverage>,
    compared: u64,
    left_out: u64,
    findings: Vec<Finding>,
}

/// Reads the answer of [`batch`].
fn read_answer(ended: &Ended) -> Answer {
    let Ended::Answered(bytes) = ended else { return Answer::default() };
    let text = String::from_utf8_lossy(bytes);
    let fields: Vec<&str> = text.split_terminator('\0').collect();
    let [functions, coverage, compared, left_out, findings @ ..] = &fields[..] else { return Answer::default() };
    let read = |f: &[&str]| {
        let (kind, check) = parse_key(&format!("{} in {}", f[2], f[1])).ok()?;
        Some(Finding { seed: f[0].parse().ok()?, check, problem: Problem::new(kind, f[3]) })
    };
    Answer {
        functions: functions.parse().unwrap_or(0),
        coverage: Coverage::decode(coverage),
        compared: compared.parse().unwrap_or(0),
        left_out: left_out.parse().unwrap_or(0),
        findings: findings.chunks_exact(4).filter_map(read).collect(),
    }
}

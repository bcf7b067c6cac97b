//! The stages of code generation: one table of named steps, and one loop that runs and watches them.
//!
//! | stage | takes | leaves |
//! |---|---|---|
//! | keep-values | LIR | LIR in which a call that returns twice finds registers unchanged |
//! | lower | LIR | LIR in which selection handles every operation |
//! | select | LIR | a machine function with virtual registers |
//! | hoist, split, count-blocks | a machine function | the same form |
//! | allocate | a machine function | an allocation: registers, spill slots, moves |
//! | check | both | the same, or an error: the allocation is wrong |
//! | wrap, layout, peepholes | both | the same, and a flag for emission |
//! | emit | both | code |
//!
//! A stage that may be left out is an optimization. Allocation cannot be, but `fast` can replace any other allocator.
//! So bisection searches all of these stages
//! ([`Bisect`](lir_opt::pipeline::watchers::bisect::Bisect)).
//!
//! Source: the table `passes` and its order constraints in Go's `cmd/compile/internal/ssa/compile.go`.

use crate::code::{CodeBuffer, FunctionCode};
use crate::isa::x64::emit::{self, EmitOptions, EmitScratch, FramePlace};
use crate::isa::x64::encode::recipe::level;
use crate::isa::x64::isel::{IselScratch, ObjMemory, SelectOptions, select};
use crate::isa::x64::{Cpu, ENV};
use crate::lower::{keep_values, may_return_twice, prepare};
use crate::mir::MFunction;
use crate::mir::printer::print_function;
use crate::mir_passes::count_blocks::count_blocks;
use crate::mir_passes::hoist::Hoist;
use crate::mir_passes::split::Split;
use crate::options::{CompileOptions, Effort, Environment};
use crate::regalloc::{self, Allocation, Allocator, Scratch, allocation_remarks, checker};
use lir_opt::pass::StepRun;
use lir_opt::pass::fuel::Fuel;
use lir_opt::pass::remarks::{Listen, RemarkEvent, Remarks};
use lir_opt::pipeline::watch::{Done, Machine, Step, Subject, Watchers};
use lir_syntax::internal_error::in_stage;
use lir_syntax::ir::{Decls, Function, Module, Obj, PackedOption, Reg};
use lir_syntax::text::diagnostic::{Diagnostic, Fault};
use lir_syntax::text::source::Span;

/// A row of the table.
struct Stage {
    name: &'static str,
    summary: &'static str,
    /// The stages that must have run before it.
    after: &'static [&'static str],
    /// False if there is nothing to do, whatever the function is.
    applies: fn(&Plan) -> bool,
    /// Runs the stage; returns whether it changed anything.
    run: fn(&mut Worker, &mut Job) -> Result<bool, Diagnostic>,
    /// Makes the code right without the stage. None if it cannot be left out.
    without: Option<fn(&mut Worker, &mut Job)>,
}

const STAGES: [Stage; 12] = [
    Stage {
        name: "keep-values",
        summary: "keeps the values of registers across calls that return twice",
        after: &[],
        applies: |plan| plan.may_return_twice,
        run: |_, job| Ok(job.change_lir(|job| job.keep_values())),
        without: None,
    },
    Stage {
        name: "lower",
        summary: "replaces operations that the processor lacks",
        after: &["keep-values"],
        applies: |_| true,
        run: |_, job| Ok(job.change_lir(|job| job.lower())),
        without: None,
    },
    Stage {
        name: "select",
        summary: "selects instructions, on virtual registers",
        after: &["lower"],
        applies: |_| true,
        run: Worker::select,
        without: None,
    },
    Stage {
        name: "hoist",
        summary: "moves addresses and constants out of loops",
        after: &["select"],
        applies: |plan| plan.options.effort == Effort::Good,
        run: |w, _| Ok(w.hoist.run(&mut w.state.machine)),
        without: Some(|_, _| {}),
    },
    Stage {
        name: "split",
        summary: "splits registers around regions with calls, so that other paths need no frame",
        after: &["select", "hoist"],
        applies: |plan| plan.options.effort == Effort::Good,
        run: |w, _| Ok(w.split.run(&mut w.state.machine)),
        without: Some(|_, _| {}),
    },
    Stage {
        name: "count-blocks",
        summary: "adds an execution counter to each block",
        after: &["split"],
        applies: |plan| plan.options.block_counters.is_some(),
        run: |w, job| Ok(w.count_blocks(job)),
        without: None,
    },
    Stage {
        name: "allocate",
        summary: "allocates registers; if skipped, `fast` does",
        after: &["select", "split", "count-blocks"],
        applies: |_| true,
        run: |w, job| {
            w.allocate_by(job.plan, job.plan.options.allocator());
            w.state.report_allocation(job);
            Ok(true)
        },
        without: Some(|w, job| w.allocate_by(job.plan, regalloc::FAST)),
    },
    Stage {
        name: "check",
        summary: "proves the allocation correct",
        after: &["allocate"],
        applies: |plan| plan.checks,
        run: |w, job| w.check(job.f, job.plan).map(|()| false),
        without: None,
    },
    Stage {
        name: "wrap",
        summary: "lets emission create the frame where it is needed, and not at the entry",
        after: &["allocate"],
        applies: |plan| plan.options.effort == Effort::Good,
        run: |_, _| Ok(false),
        without: Some(|w, _| w.emission.wrap = false),
    },
    Stage {
        name: "layout",
        summary: "lets emission order blocks, duplicate short ends and align loops",
        after: &["allocate"],
        applies: |plan| plan.options.effort == Effort::Good,
        run: |_, _| Ok(false),
        without: Some(|w, _| (w.emission.arrange, w.emission.align_loops) = (false, false)),
    },
    Stage {
        name: "peepholes",
        summary: "lets emission replace instructions by better ones",
        after: &["allocate"],
        applies: |_| true,
        run: |_, _| Ok(false),
        without: Some(|w, _| w.emission.peepholes = false),
    },
    Stage {
        name: "emit",
        summary: "writes the code",
        after: &["allocate", "check", "wrap", "layout", "peepholes"],
        applies: |_| true,
        run: |w, job| {
            w.emit(job.f)?;
            w.state.report_code(job);
            Ok(true)
        },
        without: None,
    },
];

const SELECT: usize = position("select");
const ALLOCATE: usize = position("allocate");
/// The number of stages up to allocation.
const ALLOCATED: usize = ALLOCATE + 1;

/// Returns the position in the table of the stage with a name.
const fn position(name: &str) -> usize {
    let mut k = 0;
    while !is_same(STAGES[k].name, name) {
        k += 1;
    }
    k
}

const fn is_same(a: &str, b: &str) -> bool {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    let mut k = 0;
    while k < a.len() && k < b.len() && a[k] == b[k] {
        k += 1;
    }
    k == a.len() && k == b.len()
}

// Every stage comes after the stages that it names.
const _: () = {
    let mut k = 0;
    while k < STAGES.len() {
        let mut n = 0;
        while n < STAGES[k].after.len() {
            assert!(position(STAGES[k].after[n]) < k, "a stage comes before one that it must come after");
            n += 1;
        }
        k += 1;
    }
};

/// Returns the names of the stages, in order, with a description of each.
pub fn stages() -> impl Iterator<Item = (&'static str, &'static str)> {
    STAGES.iter().map(|s| (s.name, s.summary))
}

/// Returns the names and sentences of all remarks of the stages.
pub fn remarks() -> impl Iterator<Item = (&'static str, &'static str)> {
    fn rows<E: RemarkEvent>(_: fn(E)) -> &'static [(&'static str, &'static str)] {
        E::rows()
    }
    let select = rows(drop::<crate::isa::x64::isel::events::Event>);
    let allocate = rows(drop::<crate::regalloc::events::Event>);
    let emit = rows(drop::<emit::events::Event>);
    [select, allocate, emit].into_iter().flatten().copied()
}

/// The last stage to run.
#[cfg_attr(not(feature = "cli"), expect(dead_code, reason = "only the command line ends with machine IR"))]
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) enum Until {
    /// The machine function with virtual registers, ready for allocation.
    Selected,
    /// Its allocation.
    Allocated,
    /// The code.
    Emitted,
}

impl Until {
    fn count(self) -> usize {
        match self {
            Until::Selected => ALLOCATE,
            Until::Allocated => ALLOCATED,
            Until::Emitted => STAGES.len(),
        }
    }
}

/// The records of emission in addition to the code.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Records {
    /// The starts of instructions, and which may trap.
    pub(crate) positions: bool,
    /// The input of text outputs: the encoder's journal, and the starts of blocks.
    pub(crate) journal: bool,
    /// The starts of instructions and of the allocator's moves.
    pub(crate) steps: bool,
}

/// The options of a compilation, the same for all functions.
#[derive(Clone)]
pub(crate) struct Plan {
    pub(crate) options: CompileOptions,
    pub(crate) records: Records,
    /// The remarks to record.
    pub(crate) listen: Listen,
    /// True to check each allocation.
    pub(crate) checks: bool,
    /// True if `memcpy`, `memmove` and `memset` may be called: a module that defines one of them may be
    /// the C library.
    block_calls: bool,
    /// True if calls may return twice.
    may_return_twice: bool,
}

impl Plan {
    /// Returns the plan for a module. Linear in functions.
    pub(crate) fn new(module: &Module, options: &CompileOptions) -> Plan {
        let mut defined = module.funcs.values().map(|f| &*module.decls.syms[f.sym].name);
        let defines = defined.any(|name| matches!(name, b"memcpy" | b"memmove" | b"memset"));
        Plan {
            options: *options,
            records: Records::default(),
            listen: Listen::Off,
            checks: cfg!(debug_assertions) || options.allocation.verify,
            block_calls: options.environment == Environment::Process && !defines,
            may_return_twice: may_return_twice(module),
        }
    }
    fn emission(&self) -> EmitOptions {
        let CompileOptions { effort, environment, cpu, .. } = self.options;
        let Records { positions, journal, steps } = self.records;
        let is_good = effort == Effort::Good;
        EmitOptions {
            positions,
            journal,
            steps,
            wrap: is_good,
            arrange: is_good,
            align_loops: is_good,
            peepholes: true,
            red_zone: environment == Environment::Process,
            avx: cpu >= Cpu::V3,
        }
    }
}

/// A function to be compiled.
pub(crate) struct Job<'a> {
    pub(crate) plan: &'a Plan,
    pub(crate) decls: &'a Decls,
    pub(crate) f: &'a mut Function,
    /// The machine blocks of earlier functions, for counters.
    pub(crate) blocks: &'a mut u32,
    /// The remarks of the stages.
    pub(crate) remarks: &'a mut Remarks,
    /// The rewrites that the stages may still make.
    pub(crate) fuel: Fuel,
}

impl Job<'_> {
    /// Changes the LIR; returns whether it changed anything.
    fn change_lir(&mut self, change: impl FnOnce(&mut Job)) -> bool {
        let stamps = |f: &Function| (f.inst_stamp(), f.cfg_stamp());
        let before = stamps(self.f);
        change(self);
        stamps(self.f) != before
    }
    fn keep_values(&mut self) {
        keep_values(self.decls, self.f);
    }
    fn lower(&mut self) {
        let CompileOptions { cpu, effort, .. } = self.plan.options;
        prepare(self.decls, self.f, (cpu.has(), effort), self.plan.block_calls);
    }
}

/// The machine code of a function under construction, which watchers see.
pub(crate) struct MachineState {
    pub(crate) machine: MFunction,
    pub(crate) allocation: Allocation,
    /// True if the function is allocated.
    pub(crate) is_allocated: bool,
    /// The code of the functions so far.
    pub(crate) code: CodeBuffer,
    /// The code of the function, once it is emitted.
    pub(crate) emitted: FunctionCode,
    isel: IselScratch,
    emit: EmitScratch,
}

impl MachineState {
    /// Returns the frame and the peepholes of the function that was emitted last.
    pub(crate) fn emission(&self) -> &EmitScratch {
        &self.emit
    }
    fn report_allocation(&self, job: &mut Job) {
        if job.remarks.on() {
            allocation_remarks::report(job.f, (&self.machine, &self.allocation), &self.names(), job.remarks);
        }
    }
    fn report_code(&self, job: &mut Job) {
        if job.remarks.on() {
            let machine = (&self.machine, &self.allocation, &self.emit);
            let objects = self.isel.objects_in_memory().map(|(o, _)| o);
            emit::emission_remarks::report(job.f, machine, &self.names(), objects, job.remarks);
        }
    }
    /// Returns the LIR registers of virtual registers.
    pub(crate) fn names(&self) -> Vec<PackedOption<Reg>> {
        self.isel.names(self.machine.vregs.len())
    }
    /// Returns the memory of stack objects that have any.
    pub(crate) fn objects(&self) -> impl Iterator<Item = (Obj, FramePlace)> {
        self.isel.objects_in_memory().map(|(o, memory)| match memory {
            ObjMemory::Frame(n) => (o, self.emit.place_of_object(n)),
            ObjMemory::Incoming(offset) => (o, FramePlace::FromCfa(offset.disp())),
        })
    }
}

impl Machine for MachineState {
    fn print(&self, decls: &Decls, f: &Function, out: &mut Vec<u8>) {
        let mut text = String::new();
        let allocation = self.is_allocated.then_some(&self.allocation);
        print_function(decls, (&self.machine, allocation), (f, None), None, &mut text);
        out.extend_from_slice(text.as_bytes());
    }
}

/// Everything that is kept from function to function.
pub(crate) struct Worker {
    pub(crate) state: MachineState,
    hoist: Hoist,
    split: Split,
    regalloc: Scratch,
    /// The options of the function's emission.
    emission: EmitOptions,
}

impl Default for Worker {
    fn default() -> Worker {
        let state = MachineState {
            machine: MFunction::new(&ENV),
            allocation: Allocation::default(),
            is_allocated: false,
            code: CodeBuffer::default(),
            emitted: FunctionCode::default(),
            isel: IselScratch::default(),
            emit: EmitScratch::default(),
        };
        Worker {
            state,
            hoist: Hoist::default(),
            split: Split::default(),
            regalloc: Scratch::default(),
            emission: EmitOptions::default(),
        }
    }
}

impl Worker {
    /// Runs the stages on a function, watched.
    ///
    /// # Errors
    /// A frame that is too large, and similar limits; a wrong allocation, if it was checked; errors of watchers.
    pub(crate) fn run(
        &mut self,
        job: &mut Job,
        until: Until,
        (watchers, log): (&mut Watchers, &mut Vec<u8>),
    ) -> Result<(), Vec<Diagnostic>> {
        self.begin(job.plan);
        for (k, stage) in STAGES[..until.count()].iter().enumerate().filter(|(_, s)| (s.applies)(job.plan)) {
            let is_watched = !watchers.is_empty();
            if is_watched
                && !watchers.before(&stage.step_on(&self.state, (job.decls, job.f), k > SELECT), log)
                && let Some(without) = stage.without
            {
                without(self, job);
                continue;
            }
            if is_watched {
                job.fuel = watchers.fuel();
            }
            let changed = self.run_stage(stage, job).map_err(|e| vec![e])?;
            if is_watched {
                watchers.set_fuel(job.fuel);
                job.remarks.end_stage(job.decls, job.f);
                let step = stage.step_on(&self.state, (job.decls, job.f), k >= SELECT);
                watchers.after(&step, &mut Done { changed, remarks: job.remarks, log })?;
            }
        }
        watchers.end(Subject::Machine(job.decls, job.f, &self.state));
        Ok(())
    }
    /// Runs the stages up to the machine function with virtual registers, unwatched.
    ///
    /// # Errors
    /// The scratch memory of selection.
    pub(crate) fn run_selection(&mut self, job: &mut Job) -> Result<(), Diagnostic> {
        self.begin(job.plan);
        for stage in STAGES[..ALLOCATE].iter().filter(|s| (s.applies)(job.plan)) {
            self.run_stage(stage, job)?;
        }
        Ok(())
    }
    fn run_stage(&mut self, stage: &Stage, job: &mut Job) -> Result<bool, Diagnostic> {
        job.remarks.begin(stage.run());
        in_stage(format_args!("{}", stage.name), || (stage.run)(self, job))
    }
    fn begin(&mut self, plan: &Plan) {
        self.state.is_allocated = false;
        self.emission = plan.emission();
    }

    fn select(&mut self, job: &mut Job) -> Result<bool, Diagnostic> {
        let CompileOptions { model, cpu, effort, tail_calls, frame_pointer, .. } = job.plan.options;
        let selection = SelectOptions { model, cpu, effort, tail_calls, block_calls: job.plan.block_calls };
        let MachineState { machine, isel, .. } = &mut self.state;
        select(job.decls, job.f, selection, (isel, job.remarks, &mut job.fuel), machine)?;
        machine.frame_pointer |= frame_pointer;
        debug_assert!(machine.insts.iter().all(|m| level(m.op, m.form) <= cpu), "an instruction above the level");
        Ok(true)
    }
    fn count_blocks(&mut self, job: &mut Job) -> bool {
        let Some(counters) = job.plan.options.block_counters else { return false };
        count_blocks(&mut self.state.machine, counters, *job.blocks);
        *job.blocks += self.state.machine.blocks.len() as u32;
        true
    }
    fn allocate_by(&mut self, plan: &Plan, allocator: &dyn Allocator) {
        let MachineState { machine, allocation, is_allocated, .. } = &mut self.state;
        allocator.allocate(machine, &plan.options.allocation, &mut self.regalloc, allocation);
        *is_allocated = true;
    }
    /// Allocates registers, and checks the result if requested.
    ///
    /// # Errors
    /// The allocation is wrong: a [`Fault::Allocator`].
    pub(crate) fn allocate(&mut self, f: &Function, plan: &Plan) -> Result<(), Diagnostic> {
        self.allocate_by(plan, plan.options.allocator());
        if plan.checks { self.check(f, plan) } else { Ok(()) }
    }
    fn check(&self, f: &Function, plan: &Plan) -> Result<(), Diagnostic> {
        let complaints = checker::check(&self.state.machine, &self.state.allocation);
        let Some(complaint) = complaints.first() else { return Ok(()) };
        let allocator = plan.options.allocator().full_name();
        let message = format!("internal error: the allocation is wrong: {allocator}: {complaint}");
        Err(Diagnostic::new(Span::at(f.loc), message).fault(Fault::Allocator))
    }
    /// Appends the code.
    ///
    /// # Errors
    /// A frame that is too large, and similar limits: a [`Fault::Limit`].
    pub(crate) fn emit(&mut self, f: &Function) -> Result<(), Diagnostic> {
        let MachineState { machine, allocation, code, emitted, emit: scratch, .. } = &mut self.state;
        *emitted = emit::emit(machine, allocation, scratch, &self.emission, code)
            .map_err(|e| Diagnostic::new(Span::at(f.loc), e.to_string()).fault(Fault::Limit))?;
        Ok(())
    }
}

impl Stage {
    fn run(&self) -> StepRun {
        StepRun { step: self.name, position: 0, iteration: 1 }
    }
    /// Returns the step on a function, which has a machine function from selection on.
    fn step_on<'a>(
        &self,
        machine: &'a MachineState,
        (decls, f): (&'a Decls, &'a Function),
        is_machine: bool,
    ) -> Step<'a> {
        let subject = if is_machine { Subject::Machine(decls, f, machine) } else { Subject::Function(decls, f) };
        Step { run: self.run(), is_pass: false, may_be_left_out: self.without.is_some(), subject }
    }
}

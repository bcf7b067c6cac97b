//! Allocators and their options side by side: their additions to one module's code, and how often these run.
//!
//! 1. Every function is selected once, and allocated under each [`Setting`].
//! 2. The additions of the allocation are counted: stores to spill slots, loads from them, operands of instructions in
//!    slots, definitions repeated, registers exchanged.
//! 3. The function is emitted, for its bytes and for the moves between registers in its code. These are the moves of
//!    the allocation and the ones that two-address instructions need where an operand is read again later, without the
//!    moves that emission saves. The program's own copies count where they are left.
//! 4. The same counts are weighted by the frequencies of their blocks: as measured by [counters](crate::block_counts),
//!    or as estimated from loops.
//!
//! Blocks are blocks of the machine function, the same under every setting, so one run of the program serves all
//! settings. The instructions of prologues, which save registers, are not counted: they show only in the bytes.

use crate::code::{CodeBuffer, FunctionCode};
use crate::isa::x64::encode::Hardware;
use crate::isa::x64::op;
use crate::isa::x64::registers::{RSP, hw};
use crate::mir::{Form, MFunction};
use crate::options::CompileOptions;
use crate::regalloc::options::{Feature, Features, RegCount, Stress};
use crate::regalloc::{self, ALLOCATORS, AllocOptions, Allocation, Allocator, Edit};
use crate::stages::{Job, MachineState, Plan, Worker};
use lir_opt::pass::fuel::Fuel;
use lir_opt::pass::remarks::Remarks;
use lir_opt::passes::expand_wide;
use lir_syntax::ir::{Function, Module};
use lir_syntax::text::diagnostic::Diagnostic;
use lir_syntax::text::table::aligned;
use std::time::{Duration, Instant};

/// An allocator and its options.
#[derive(Copy, Clone)]
pub struct Setting {
    /// The allocator.
    pub allocator: &'static dyn Allocator,
    /// Its options.
    pub options: AllocOptions,
}

/// Number of times blocks run.
#[derive(Copy, Clone, Debug)]
pub enum Frequencies<'a> {
    /// Ten times as often for each loop around them. Never where they end in a trap.
    Estimated,
    /// The counts of each machine block, function after function.
    Measured(&'a [u64]),
}

/// Counts of the additions of allocation to code.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub struct Counts {
    /// Stores to spill slots.
    pub stores: u64,
    /// Loads from spill slots.
    pub reloads: u64,
    /// Operands that instructions have in spill slots.
    pub in_slots: u64,
    /// Moves between registers in the code, of any origin.
    pub moves: u64,
    /// Definitions repeated.
    pub repeated: u64,
    /// Exchanges of registers.
    pub exchanges: u64,
}

impl Counts {
    /// Returns the names of the columns, and their values.
    fn columns(&self) -> [(&'static str, u64); 6] {
        [
            ("stores", self.stores),
            ("reloads", self.reloads),
            ("in slots", self.in_slots),
            ("moves", self.moves),
            ("repeated", self.repeated),
            ("exchanges", self.exchanges),
        ]
    }
    fn add_edit(&mut self, edit: &Edit, times: u64) {
        match edit {
            Edit::Move { from, to, .. } => {
                self.reloads += times * u64::from(from.as_slot().is_some());
                self.stores += times * u64::from(to.as_slot().is_some());
            }
            Edit::Exchange(..) => self.exchanges += times,
            Edit::Remat(..) => self.repeated += times,
        }
    }
}

/// The results of one setting.
#[derive(Clone)]
pub struct Row {
    /// The setting.
    pub setting: Setting,
    /// In the code.
    pub in_code: Counts,
    /// The counts at run time.
    pub when_run: Counts,
    /// Bytes of code.
    pub code: u64,
    /// Bytes of frames.
    pub frames: u64,
    /// Time of allocation, the better of two.
    pub time: Duration,
}

/// Returns the settings of every allocator: as it is, with each of its features left out, with half of the registers,
/// and with values in memory wherever they can be. Then one allocator's with each of its switches off.
pub fn settings() -> Vec<Setting> {
    let plain = AllocOptions::default();
    let without = Feature::ALL.map(|f| AllocOptions { without: Features::default().with(f), ..plain });
    let few = AllocOptions { regs: RegCount::new(8), ..plain };
    let spilled = AllocOptions { stress: Some(Stress::Spill), ..plain };
    let options = || std::iter::once(plain).chain(without).chain([few, spilled]);
    let of_all = ALLOCATORS.iter().flat_map(|a| options().map(|options| Setting { allocator: *a, options }));
    of_all.chain(regalloc::one_off().map(|allocator| Setting { allocator, options: plain })).collect()
}

/// Allocates a module under each setting. The functions are prepared for selection in place.
///
/// # Errors
/// The errors of [`compile`](crate::compile::compile).
pub fn compare(
    module: &mut Module,
    options: &CompileOptions,
    settings: &[Setting],
    frequencies: Frequencies<'_>,
) -> Result<Vec<Row>, Vec<Diagnostic>> {
    let row = |setting: &Setting| Row {
        setting: *setting,
        in_code: Counts::default(),
        when_run: Counts::default(),
        code: 0,
        frames: 0,
        time: Duration::ZERO,
    };
    expand_wide::expand(module)?;
    let mut rows: Vec<Row> = settings.iter().map(row).collect();
    let (mut worker, mut errors, mut weights) = (Worker::default(), Vec::new(), Vec::new());
    let (mut blocks_before, mut blocks) = (0, 0);
    let mut plan = Plan::new(module, options);
    plan.records.journal = true;
    let decls = &module.decls;
    for f in module.funcs.as_mut_slice() {
        if let Err(e) = worker.run_selection(&mut Job {
            plan: &plan,
            decls,
            f,
            blocks: &mut blocks,
            remarks: &mut Remarks::default(),
            fuel: Fuel::default(),
        }) {
            errors.push(e);
            continue;
        }
        weigh(&worker.state.machine, frequencies, blocks_before, &mut weights);
        blocks_before += worker.state.machine.blocks.len();
        for row in &mut rows {
            plan.options.allocator = Some(row.setting.allocator);
            plan.options.allocation = row.setting.options;
            match allocate_and_emit(&mut worker, f, &plan) {
                Ok(time) => row.add(time, &worker.state, &weights),
                Err(e) => errors.push(e),
            }
        }
    }
    if errors.is_empty() { Ok(rows) } else { Err(errors) }
}

/// Allocates twice and emits the code alone; returns the shorter time of allocation.
fn allocate_and_emit(worker: &mut Worker, f: &Function, plan: &Plan) -> Result<Duration, Diagnostic> {
    let time = |worker: &mut Worker| {
        let start = Instant::now();
        worker.allocate(f, plan).map(|()| start.elapsed())
    };
    let once = time(worker)?;
    let again = time(worker)?;
    worker.state.code.clear();
    worker.emit(f)?;
    Ok(once.min(again))
}

/// Computes the number of times each block of a function runs.
fn weigh(f: &MFunction, frequencies: Frequencies<'_>, before: usize, out: &mut Vec<u64>) {
    out.clear();
    match frequencies {
        Frequencies::Estimated => {
            out.extend(f.blocks.iter().map(|b| if b.cold { 0 } else { 10u64.pow(b.loop_depth.min(9)) }));
        }
        Frequencies::Measured(counts) => {
            out.extend((0..f.blocks.len()).map(|b| counts.get(before + b).copied().unwrap_or(0)));
        }
    }
}

impl Row {
    /// Adds a function.
    fn add(&mut self, time: Duration, state: &MachineState, weights: &[u64]) {
        self.time += time;
        self.code += u64::from(state.emitted.len);
        self.frames += state.emitted.frame.size;
        self.count(&state.machine, &state.allocation, weights);
        self.count_moves(&state.code, &state.emitted, weights);
    }
    /// Step 2, weighted.
    fn count(&mut self, f: &MFunction, a: &Allocation, weights: &[u64]) {
        let mut edits = a.edits.iter().peekable();
        for (b, weight) in f.blocks.iter().zip(weights) {
            while let Some((_, edit)) = edits.next_if(|(point, _)| *point < 2 * b.end) {
                self.in_code.add_edit(edit, 1);
                self.when_run.add_edit(edit, *weight);
            }
            let locs = a.locs[b.start as usize..b.end as usize].iter().flatten();
            let in_slots = locs.filter(|l| l.as_slot().is_some()).count() as u64;
            self.in_code.in_slots += in_slots;
            self.when_run.in_slots += in_slots * weight;
        }
    }
    /// Counts the moves of step 3, weighted. Code before the first block belongs to it.
    fn count_moves(&mut self, code: &CodeBuffer, function: &FunctionCode, weights: &[u64]) {
        let mut blocks = code.blocks_of(function).iter().peekable();
        let mut number = 0;
        for entry in code.journal_of(function) {
            while let Some(block) = blocks.next_if(|b| b.offset <= entry.at) {
                number = block.number as usize;
            }
            if is_move(&entry.what) {
                self.in_code.moves += 1;
                self.when_run.moves += weights[number];
            }
        }
    }
}

/// True for a move between two registers. Moves of the stack pointer belong to the frame.
fn is_move(what: &Hardware) -> bool {
    let Hardware::Row { op, form: Form::DA, operands, .. } = what else { return false };
    let [to, from, _] = operands.regs;
    let of_stack = || [to, from].contains(&hw(RSP));
    to != from && (*op == op::MovF || *op == op::Mov && !of_stack())
}

/// Returns the rows as a table: the counts in the code, the counts at run time, bytes and times.
pub fn table(rows: &[Row], frequencies: Frequencies<'_>) -> String {
    let run = match frequencies {
        Frequencies::Estimated => "estimated by loops",
        Frequencies::Measured(_) => "as it ran",
    };
    let name = |r: &Row| format!("{} {}", r.setting.allocator.full_name(), r.setting.options).trim_end().to_string();
    let mut out = String::new();
    for (title, counts) in [("in the code", (|r| r.in_code) as fn(&Row) -> Counts), (run, |r| r.when_run)] {
        let head = Counts::default().columns().map(|(name, _)| name.to_string()).to_vec();
        let body = rows.iter().map(|r| (name(r), counts(r).columns().map(|(_, n)| n.to_string()).to_vec()));
        out += &aligned(title, &head, &body.collect::<Vec<_>>());
        out.push('\n');
    }
    let head = ["bytes of code", "of frames", "milliseconds"].map(str::to_string).to_vec();
    let body = rows.iter().map(|r| {
        (name(r), vec![r.code.to_string(), r.frames.to_string(), format!("{:.3}", r.time.as_secs_f64() * 1000.0)])
    });
    out + &aligned("size and time", &head, &body.collect::<Vec<_>>())
}

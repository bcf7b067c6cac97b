//! A module to machine code: every function through prepare, isel, regalloc and emit, then all of them together.
//!
//! Functions do not see each other, so they are compiled in parallel, in chunks; every worker keeps its scratch tables
//! from function to function. The pieces are put together in order: the result does not depend on the number of
//! threads.

use crate::count;
pub use crate::effort::Effort;
use crate::isa::x64::emit::{CodeBuffer, EmitError, EmitOptions, EmitScratch, FramePlace, FunctionCode, emit};
use crate::isa::x64::encode::recipe::level;
use crate::isa::x64::isel::{IselScratch, ObjMemory, RelocModel, SelectOptions, select};
use crate::isa::x64::{Cpu, ENV};
use crate::lower::{keep_values, may_return_twice, prepare};
use crate::mir::MFunction;
use crate::mir_passes::count_blocks::add_counters;
use crate::mir_passes::hoist::Hoist;
use crate::mir_passes::split::Split;
use crate::regalloc::contents::{self, Contents};
use crate::regalloc::{self, AllocOptions, Allocation, Allocator, Scratch, checker};
use crate::variables::{self, RecordedVariables, Variables};
use lir_opt::pass::stats::Stats;
use lir_syntax::internal_error::{in_stage, on_function};
use lir_syntax::ir::{Decls, EntityRef, FuncId, Function, Module, Sym};
use lir_syntax::parallel::map_chunks_mut;
use lir_syntax::text::diagnostic::{Diagnostic, Fault};
use lir_syntax::text::source::Span;
use std::cell::Cell;
use std::time::{Duration, Instant};

/// Options of code generation.
#[derive(Clone, Copy)]
pub struct CompileOptions {
    /// The form of references to symbols.
    pub model: RelocModel,
    /// The level of processor whose instructions may be used.
    pub cpu: Cpu,
    /// The effort for good code.
    pub effort: Effort,
    /// The register allocator. None for that of the effort: `linear-scan` for good code, `fast` for fast compilation.
    pub allocator: Option<&'static dyn Allocator>,
    /// Further options of the allocator.
    pub allocation: AllocOptions,
    /// True if rbp is a frame pointer in all functions.
    pub frame_pointer: bool,
    /// True if functions that call nothing may keep their stack below rsp: true where signal handlers are all that may
    /// interrupt the code.
    pub red_zone: bool,
    /// True if the code may call `memcpy`, `memmove` and `memset` of the C library. It does so for blocks that are
    /// large or of unknown size, as C compilers do; else it has instructions for them, which start slowly.
    pub c_library: bool,
    /// True if calls that are marked `tail` become jumps where a return follows and the calling convention allows it.
    pub tail_calls: bool,
    /// Number of threads.
    pub threads: usize,
    /// True to record where every instruction begins.
    pub positions: bool,
    /// True to keep what text outputs are made from: the encoder's journal, and where blocks begin.
    pub journal: bool,
    /// True to record what registers hold at every instruction, for a listing.
    pub registers: bool,
    /// The variables whose places are recorded, for debug information.
    pub variables: RecordedVariables,
    /// True to check every allocation, as debug builds always do.
    pub verify_allocation: bool,
    /// True to measure [`CompiledModule::times`].
    pub times: bool,
    /// True to count [`CompiledModule::stats`].
    pub stats: bool,
    /// The data object in which the code counts how often each block runs. It has 8 bytes for each machine block,
    /// function after function: [`compare::count_blocks`](crate::compare::count_blocks) says how many there are. On one
    /// thread.
    pub block_counters: Option<Sym>,
}

impl Default for CompileOptions {
    /// A position-independent executable for every x86-64 processor, good code, on one thread.
    fn default() -> CompileOptions {
        CompileOptions {
            model: RelocModel::Pie,
            cpu: Cpu::V1,
            effort: Effort::Good,
            allocator: None,
            allocation: AllocOptions::default(),
            frame_pointer: false,
            red_zone: true,
            c_library: true,
            tail_calls: true,
            threads: 1,
            positions: false,
            journal: false,
            registers: false,
            variables: RecordedVariables::None,
            verify_allocation: false,
            times: false,
            stats: false,
            block_counters: None,
        }
    }
}

impl CompileOptions {
    /// The register allocator: the one that is asked for, or that of the effort.
    pub fn allocator(&self) -> &'static dyn Allocator {
        self.allocator.unwrap_or(match self.effort {
            Effort::Good => regalloc::LINEAR_SCAN,
            Effort::Fast => regalloc::FAST,
        })
    }
}

impl CompileOptions {
    fn records_variables(&self) -> bool {
        self.variables != RecordedVariables::None
    }
}

/// The code of a module.
#[derive(Debug, Default)]
pub struct CompiledModule {
    /// Code and constants of all functions.
    pub code: CodeBuffer,
    /// The code of each function, by [`FuncId`].
    pub functions: Vec<FunctionCode>,
    /// The contents of their registers, if the options ask for them.
    pub(crate) contents: Vec<Contents>,
    /// The places of their variables, if the options ask for them.
    pub(crate) variables: Vec<Variables>,
    /// Times of the stages, of all threads together, if the options ask for them.
    pub times: StageTimes,
    /// Counters of the stages, if the options ask for them.
    pub stats: Stats,
}

/// Times of the stages of code generation.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub struct StageTimes {
    /// Preparation and instruction selection.
    pub selection: Duration,
    /// Register allocation, and checking it.
    pub allocation: Duration,
    /// Emission.
    pub encoding: Duration,
}

/// Generates code for all functions. The functions are prepared for selection in place: afterwards the module is good
/// for looking up names and source lines, and for compiling again.
///
/// # Errors
/// A frame that is too large, and its like, with the position of the function: each a [`Fault::Limit`].
pub fn compile(module: &mut Module, options: &CompileOptions) -> Result<CompiledModule, Vec<Diagnostic>> {
    let facts = ModuleFacts::new(module, options);
    let decls = &module.decls;
    let parts = map_chunks_mut(module.funcs.as_mut_slice(), options.threads, |chunk| {
        thread_local! {
            static WORKER: Cell<Option<Box<Worker>>> = const { Cell::new(None) };
        }
        // A panic drops the worker, whose tables are half written then: the thread begins with a new one.
        let mut worker = WORKER.take().unwrap_or_default();
        let mut part = CompiledModule::default();
        let errors = worker.compile_all((decls, &facts), chunk, options, &mut part);
        WORKER.set(Some(worker));
        (part, errors)
    });
    let (mut out, mut errors) = (CompiledModule::default(), Vec::new());
    for (part, mut part_errors) in parts {
        errors.append(&mut part_errors);
        if !errors.is_empty() {
            continue;
        }
        if out.functions.is_empty() {
            out = part;
            continue;
        }
        let functions = match out.code.append(&part.code, part.functions) {
            Ok(functions) => functions,
            Err(k) => {
                let first = &module.funcs[FuncId::new(out.functions.len() + k)];
                let message = EmitError::CodeTooLarge.to_string();
                errors.push(Diagnostic::new(Span::at(first.loc), message).fault(Fault::Limit));
                continue;
            }
        };
        out.times.add(&part.times);
        out.stats.merge(&part.stats);
        out.functions.extend(functions);
        out.contents.extend(part.contents);
        out.variables.extend(part.variables);
    }
    if options.stats {
        count::module(&out.code, &mut out.stats);
    }
    if errors.is_empty() { Ok(out) } else { Err(errors) }
}

/// The facts about the whole module that selection needs.
pub(crate) struct ModuleFacts {
    /// True if `memcpy`, `memmove` and `memset` may be called: a module that defines one of them may be what they are
    /// made from.
    block_calls: bool,
    /// True if calls may return twice.
    may_return_twice: bool,
}

impl ModuleFacts {
    /// Linear in functions.
    pub(crate) fn new(module: &Module, options: &CompileOptions) -> ModuleFacts {
        let mut defined = module.funcs.values().map(|f| &*module.decls.syms[f.sym].name);
        ModuleFacts {
            block_calls: options.c_library && !defined.any(|name| matches!(name, b"memcpy" | b"memmove" | b"memset")),
            may_return_twice: may_return_twice(module),
        }
    }
}

impl StageTimes {
    fn add(&mut self, other: &StageTimes) {
        self.selection += other.selection;
        self.allocation += other.allocation;
        self.encoding += other.encoding;
    }
}

/// A stopwatch that need not run.
struct Stopwatch(Option<Instant>);

impl Stopwatch {
    fn start(on: bool) -> Stopwatch {
        Stopwatch(on.then(Instant::now))
    }
    /// Adds what has passed since the start or the last lap.
    fn lap(&mut self, time: &mut Duration) {
        if let Some(start) = &mut self.0 {
            let now = Instant::now();
            *time += now - *start;
            *start = now;
        }
    }
}

/// Everything that is kept from function to function.
pub(crate) struct Worker {
    isel: IselScratch,
    hoist: Hoist,
    split: Split,
    /// The function at hand.
    pub(crate) machine: MFunction,
    regalloc: Scratch,
    /// Its allocation.
    pub(crate) allocation: Allocation,
    emit: EmitScratch,
}

impl Default for Worker {
    fn default() -> Worker {
        Worker {
            isel: IselScratch::default(),
            hoist: Hoist::default(),
            split: Split::default(),
            machine: MFunction::new(&ENV),
            regalloc: Scratch::default(),
            allocation: Allocation::default(),
            emit: EmitScratch::default(),
        }
    }
}

impl Worker {
    fn compile_all(
        &mut self,
        (decls, facts): (&Decls, &ModuleFacts),
        funcs: &mut [Function],
        options: &CompileOptions,
        out: &mut CompiledModule,
    ) -> Vec<Diagnostic> {
        let (mut errors, mut blocks) = (Vec::new(), 0);
        for f in funcs {
            let compiled = on_function(decls, f.sym, || self.compile_one((decls, facts), f, options, &mut blocks, out));
            match compiled {
                Ok(code) => {
                    self.record(f, &code, options, out);
                    out.functions.push(code);
                }
                Err(e) => errors.push(e),
            }
        }
        errors
    }
    /// Records where values of the function that was compiled last are, as the options ask for.
    fn record(&self, f: &Function, code: &FunctionCode, options: &CompileOptions, out: &mut CompiledModule) {
        if !(options.registers || options.records_variables()) {
            return;
        }
        let names = self.isel.names(self.machine.vregs.len());
        if options.registers {
            out.contents.push(contents::of_function(&self.machine, &self.allocation, &names));
        }
        if options.records_variables() {
            let place = |memory| match memory {
                ObjMemory::Frame(n) => self.emit.place_of_object(n),
                ObjMemory::Incoming(offset) => FramePlace::FromCfa(offset.disp()),
            };
            let objects = self.isel.objects_in_memory().map(|(o, memory)| (o, place(memory)));
            let machine = (&self.machine, &self.allocation, &self.emit);
            let emitted = (code, &out.code);
            out.variables.push(variables::of_function((f, options.variables), machine, &names, emitted, objects));
        }
    }
    /// Compiles a function; `blocks` counts the machine blocks of those before it.
    fn compile_one(
        &mut self,
        module: (&Decls, &ModuleFacts),
        f: &mut Function,
        options: &CompileOptions,
        blocks: &mut u32,
        out: &mut CompiledModule,
    ) -> Result<FunctionCode, Diagnostic> {
        let mut watch = Stopwatch::start(options.times);
        self.select(module, f, options)?;
        if let Some(counters) = options.block_counters {
            add_counters(&mut self.machine, counters, *blocks);
            *blocks += self.machine.blocks.len() as u32;
        }
        watch.lap(&mut out.times.selection);
        let allocated = self.allocate(f, options);
        watch.lap(&mut out.times.allocation);
        let code = allocated.and_then(|()| self.emit(f, options, out));
        watch.lap(&mut out.times.encoding);
        code
    }
    /// Makes a machine function with virtual registers.
    ///
    /// # Errors
    /// Those of [`select`].
    pub(crate) fn select(
        &mut self,
        (decls, facts): (&Decls, &ModuleFacts),
        f: &mut Function,
        options: &CompileOptions,
    ) -> Result<(), Diagnostic> {
        in_stage(format_args!("isel"), || self.select_in_stage((decls, facts), f, options))
    }
    fn select_in_stage(
        &mut self,
        (decls, facts): (&Decls, &ModuleFacts),
        f: &mut Function,
        options: &CompileOptions,
    ) -> Result<(), Diagnostic> {
        if facts.may_return_twice {
            keep_values(decls, f);
        }
        prepare(decls, f, (options.cpu.has(), options.effort), facts.block_calls);
        let CompileOptions { model, cpu, effort, tail_calls, .. } = *options;
        let selection = SelectOptions { model, cpu, effort, tail_calls, block_calls: facts.block_calls };
        select(decls, f, selection, &mut self.isel, &mut self.machine)?;
        self.machine.frame_pointer |= options.frame_pointer;
        if effort == Effort::Good {
            self.hoist.run(&mut self.machine);
            self.split.run(&mut self.machine);
        }
        debug_assert!(
            self.machine.insts.iter().all(|m| level(m.op, m.form) <= options.cpu),
            "an instruction above the level"
        );
        Ok(())
    }
    /// Gives its registers locations.
    ///
    /// # Errors
    /// The allocation was checked and is wrong: a [`Fault::Allocator`].
    pub(crate) fn allocate(&mut self, f: &Function, options: &CompileOptions) -> Result<(), Diagnostic> {
        in_stage(format_args!("regalloc"), || self.allocate_in_stage(f, options))
    }
    fn allocate_in_stage(&mut self, f: &Function, options: &CompileOptions) -> Result<(), Diagnostic> {
        let allocator = options.allocator();
        allocator.allocate(&self.machine, &options.allocation, &mut self.regalloc, &mut self.allocation);
        if !(options.verify_allocation || cfg!(debug_assertions)) {
            return Ok(());
        }
        match checker::check(&self.machine, &self.allocation).first() {
            None => Ok(()),
            Some(complaint) => {
                let message =
                    format!("internal error: the allocation is wrong: {}: {complaint}", allocator.full_name());
                Err(Diagnostic::new(Span::at(f.loc), message).fault(Fault::Allocator))
            }
        }
    }
    /// Appends its code, and counts.
    fn emit(
        &mut self,
        f: &Function,
        options: &CompileOptions,
        out: &mut CompiledModule,
    ) -> Result<FunctionCode, Diagnostic> {
        let code = self.emit_to(f, options, &mut out.code)?;
        if options.stats {
            count::function(&self.machine, &self.allocation, &code, &self.emit, &mut out.stats);
        }
        Ok(code)
    }
    /// Appends its code.
    pub(crate) fn emit_to(
        &mut self,
        f: &Function,
        options: &CompileOptions,
        out: &mut CodeBuffer,
    ) -> Result<FunctionCode, Diagnostic> {
        let CompileOptions { positions, journal, registers, red_zone, .. } = *options;
        let steps = registers || options.records_variables();
        let (arrange, avx) = (options.effort == Effort::Good, options.cpu >= Cpu::V3);
        let emit_options = EmitOptions { positions, journal, steps, arrange, red_zone, align_loops: arrange, avx };
        let emitted = in_stage(format_args!("emit"), || {
            emit(&self.machine, &self.allocation, &mut self.emit, &emit_options, out)
        });
        emitted.map_err(|e| Diagnostic::new(Span::at(f.loc), e.to_string()).fault(Fault::Limit))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::isa::x64::registers::RBX;
    use crate::regalloc::Loc;
    use lir_syntax::internal_error::InternalError;
    use lir_syntax::parser::{ParseOptions, parse};
    use lir_syntax::text::source::Source;

    /// Gives every value that linear scan puts into a register the same one.
    struct Careless;

    impl Allocator for Careless {
        fn name(&self) -> &'static str {
            "careless"
        }
        fn summary(&self) -> &'static str {
            "for this test"
        }
        fn allocate(&self, f: &MFunction, options: &AllocOptions, scratch: &mut Scratch, out: &mut Allocation) {
            regalloc::LINEAR_SCAN.allocate(f, options, scratch, out);
            for loc in out.locs.iter_mut().flatten().filter(|loc| loc.as_reg().is_some()) {
                *loc = Loc::reg(RBX);
            }
        }
    }

    /// Writes half an allocation and panics for functions of many instructions. The others must find nothing of that.
    struct Panicking;

    impl Allocator for Panicking {
        fn name(&self) -> &'static str {
            "panicking"
        }
        fn summary(&self) -> &'static str {
            "for this test"
        }
        fn allocate(&self, f: &MFunction, options: &AllocOptions, scratch: &mut Scratch, out: &mut Allocation) {
            const HALF: u32 = 12345;
            assert_ne!(out.num_slots, HALF, "the scratch memory is that of a panic");
            if f.insts.len() > 20 {
                out.num_slots = HALF;
                panic!("many instructions");
            }
            regalloc::LINEAR_SCAN.allocate(f, options, scratch, out);
        }
    }

    #[test]
    fn a_panic_says_where_and_leaves_nothing_behind() {
        let small = |k: usize| format!("func @f{k}(%a: i32) -> i32 {{\nentry:\n  %b = add i32 %a, {k}\n  ret %b\n}}\n");
        let sums: String = (0..40).map(|k| format!("  %a = mul i32 %a, %a\n  %b{k} = xor i32 %a, {k}\n")).collect();
        let large = format!("func @large(%a: i32) -> i32 {{\nentry:\n{sums}  ret %b39\n}}\n");
        let module =
            |text: String| parse(&Source { name: "t".into(), text }, &ParseOptions::default()).expect("it parses");
        let good = |threads| {
            let options = CompileOptions { allocator: Some(&Panicking), threads, ..CompileOptions::default() };
            let code = compile(&mut module((0..200).map(small).collect()), &options).expect("it compiles").code;
            code.bytes().to_vec()
        };
        let expected = good(1);
        for threads in [1, 4] {
            let text: String = (0..100).map(small).chain([large.clone()]).chain((100..200).map(small)).collect();
            let options = CompileOptions { allocator: Some(&Panicking), threads, ..CompileOptions::default() };
            let mut bad = module(text);
            let work = std::panic::AssertUnwindSafe(|| compile(&mut bad, &options));
            let error = InternalError::of_payload(std::panic::catch_unwind(work).map(drop).expect_err("it panics"));
            assert_eq!(error.to_string(), "internal error in regalloc on @large");
            assert_eq!(error.message, "many instructions");
            assert_eq!(good(threads), expected);
        }
    }

    #[test]
    fn a_wrong_allocation_is_an_error_at_the_function() {
        let text = "func @f(%a: i32, %b: i32) -> i32 {\nentry:\n  %c = sub i32 %a, %b\n  ret %c\n}\n";
        let source = Source { name: "f.lir".into(), text: text.into() };
        let mut module = parse(&source, &ParseOptions::default()).expect("it parses");
        let options =
            CompileOptions { allocator: Some(&Careless), verify_allocation: true, ..CompileOptions::default() };
        let errors = compile(&mut module, &options).expect_err("it is checked");
        assert!(errors[0].message.starts_with("internal error: the allocation is wrong: careless: instruction "));
        assert_eq!(errors[0].position(&source).map(|at| at.start), Some(0));
    }
}

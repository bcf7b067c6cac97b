//! `lir-opt --print-analysis`: facts about the functions of a module, as comments of its text.
//!
//! The text with the comments reads as the same module.

mod block_and_value_facts;
mod comment_names;
mod graph;
mod values;

use crate::analysis::LoopForest;
use crate::analysis::alias::{AliasOracle, Location, Mode, Root};
use crate::analysis::assignments::Assignments;
use crate::analysis::memory_ssa::{Access, AccessKind, MemorySsa};
use crate::analysis::trace_form::{TraceExit, TraceForm};
use crate::analysis::traces::Traces;
use crate::analysis::tramps::Tramps;
use crate::tables::groups::Groups;
use block_and_value_facts::BlockAndValueFacts;
use comment_names::label;
use lir_syntax::ir::{
    Base, Block, Cfg, Decls, DominatorTree, EntitySet, Format, Function, Inst, Module, Reg, SecondaryMap, Type,
};
use lir_syntax::named;
use lir_syntax::printer::{
    Comments, FunctionPrinter, print_commented_function, print_function, print_module_by, printed,
};
use lir_syntax::text::suggest::find_named;

named! {
    /// A fact that can be printed.
    pub enum PrintedAnalysis {
        Affine "affine" "The registers of loops in terms of counters, and how they grow."
        Alias "alias" "Addresses and escapes by the alias oracle."
        Uses "def-use" "The instructions that read each value."
        Frontiers "dominance-frontiers" "The dominance frontier of each block."
        Dominators "dominators" "The immediate dominator of each block."
        Bits "known-bits" "The known bits of integers."
        Liveness "liveness" "The registers that are live at the beginnings and ends of blocks."
        Loops "loops" "The loops, and the blocks in them."
        MemorySsa "memory-ssa" "Memory SSA, with the result of the clobber walk for each load."
        Ranges "ranges" "The ranges of integers."
        Cycles "scc" "The strongly connected components of blocks."
        Trace "trace" "The path and the exits of a function in trace form, or the reason that it has none."
        Tramps "tramps"
            "Copies that refer to an earlier instruction of a straight-line trace, with the distance."
    }
}

impl PrintedAnalysis {
    /// The help of the option.
    pub(crate) fn option_help() -> String {
        let names = PrintedAnalysis::ALL.map(PrintedAnalysis::name).join(", ");
        format!("Annotate the result with analyses: {names}")
    }
    /// The help of the option in more words.
    pub(crate) fn option_long_help() -> String {
        PrintedAnalysis::option_help() + "\n\nFacts are printed as comments. Several analyses are separated by commas."
    }
    /// The analysis with a name.
    ///
    /// # Errors
    /// There is none: a sentence with the nearest names, or all of them.
    pub fn find(name: &str) -> Result<PrintedAnalysis, String> {
        find_named("analysis", &PrintedAnalysis::ALL, PrintedAnalysis::name, name)
    }
}

/// Appends the text of a module, with these facts as comments. `is_chosen` selects the functions.
pub(crate) fn print_analyses(
    module: &Module,
    analyses: &[PrintedAnalysis],
    is_chosen: impl Fn(&Function) -> bool,
    out: &mut Vec<u8>,
) {
    print_module_by(module, out, |f, out| {
        if is_chosen(f) {
            print_commented_function(&module.decls, f, &Facts::new(&module.decls, f, analyses), out);
        } else {
            print_function(&module.decls, f, out);
        }
    });
}

/// All facts about a function: printing need not be fast.
struct Facts<'a> {
    decls: &'a Decls,
    f: &'a Function,
    printed: &'a [PrintedAnalysis],
    cfg: Cfg,
    dominators: DominatorTree,
    loops: LoopForest,
    alias: AliasOracle,
    memory: MemorySsa,
    tramps: Tramps,
    trace: TraceFacts,
    /// The numbers of versions in the text.
    numbers: SecondaryMap<Access, u32>,
    more: BlockAndValueFacts<'a>,
}

impl<'a> Facts<'a> {
    fn new(decls: &'a Decls, f: &'a Function, printed: &'a [PrintedAnalysis]) -> Facts<'a> {
        let cfg = Cfg::new(f);
        let dominators = DominatorTree::new(f, &cfg);
        let loops = LoopForest::new(f, &cfg, &dominators);
        let mut assignments = Assignments::default();
        assignments.count(f);
        let mut alias = AliasOracle::default();
        alias.reset(decls, f, &cfg, Some(&assignments));
        let memory = MemorySsa::new(decls, f, &cfg, &dominators);
        let numbers = memory.printed_numbers(f);
        let tramps = Tramps::new(f, &Traces::new(f, &cfg));
        let trace = TraceFacts::new(decls, f);
        let more = BlockAndValueFacts::new(f, printed, &cfg, (&dominators, &loops));
        Facts { decls, f, printed, cfg, dominators, loops, alias, memory, tramps, trace, numbers, more }
    }
    fn position_in_trace(&self, printer: &FunctionPrinter<'_>, b: Block, say: &mut dyn FnMut(&[u8])) {
        let form = match &self.trace.form {
            Ok(form) => form,
            Err((at, what)) if *at == b => return say(format!("no trace: {what}").as_bytes()),
            Err(_) => return,
        };
        if let Some(at) = self.trace.on_path[b] {
            let header = if form.header == Some(b) { ", the header of the loop" } else { "" };
            say(format!("trace: block {at} of the path{header}").as_bytes());
        }
        let exits = self.trace.exits.get(b);
        let [exit, ..] = exits else { return };
        let number = exit.number.and_then(|n| self.f.constant(n));
        let mut text = number.map_or_else(|| "trace: an exit".to_string(), |n| format!("trace: exit {n}"));
        let from: Vec<String> = exits.iter().map(|e| label(printer, form.path[e.from])).collect();
        text += &format!(" of {}", from.join(", "));
        for write in exit_writes(self.f, &self.trace.params, b) {
            let base = printed(|out| printer.reg(write.base, out));
            let (sign, offset) = (if write.offset < 0 { '-' } else { '+' }, write.offset.unsigned_abs());
            text += &format!(", writes {} [{} {sign} {offset}]", write.ty, base);
        }
        say(text.as_bytes());
    }
    fn prints(&self, analysis: PrintedAnalysis) -> bool {
        self.printed.contains(&analysis)
    }
    fn version(&self, a: Access) -> String {
        if a == Access::ON_ENTRY { "liveOnEntry".to_string() } else { self.numbers[a].to_string() }
    }
    fn phi(&self, printer: &FunctionPrinter<'_>, phi: Access) -> String {
        let operand = |(pred, version)| format!("{} from {}", self.version(version), label(printer, pred));
        let operands: Vec<String> = self.memory.phi_operands(phi, &self.cfg).map(operand).collect();
        format!("{} = MemoryPhi({})", self.version(phi), operands.join(", "))
    }
    fn access(&self, a: Access, i: Inst) -> String {
        let before = self.version(self.memory.defining(a));
        if matches!(self.memory.kind(a), AccessKind::Def(_)) {
            return format!("{} = MemoryDef({before})", self.version(a));
        }
        match self.memory.clobber_of(&self.alias, (self.decls, self.f), i) {
            Some(c) if c.gave_up => format!("MemoryUse({before}), clobbered by {} or before", self.version(c.access)),
            Some(c) if c.access != self.memory.defining(a) => {
                format!("MemoryUse({before}), clobbered by {}", self.version(c.access))
            }
            _ => format!("MemoryUse({before})"),
        }
    }
    fn loop_of(&self, printer: &FunctionPrinter<'_>, b: Block) -> Option<String> {
        let header = self.loops.innermost(b)?;
        let depth = self.loops.depth(b);
        Some(if header == b {
            format!("loop header, depth {depth}")
        } else {
            format!("in the loop of {}, depth {depth}", label(printer, header))
        })
    }
    /// `4 bytes at $a + %i*8 + 16`.
    fn location(&self, printer: &FunctionPrinter<'_>, location: &Location) -> String {
        let root = match location.root {
            Root::Object(o) => printed(|out| printer.obj(o, out)),
            Root::Symbol(s) => printed(|out| printer.sym(s, out)),
            Root::Alloca(r) => format!("alloca {}", printed(|out| printer.reg(r, out))),
            Root::Heap(r) => format!("heap {}", printed(|out| printer.reg(r, out))),
            Root::NoAlias(r) => format!("noalias {}", printed(|out| printer.reg(r, out))),
            Root::Register(r) => printed(|out| printer.reg(r, out)),
            Root::Absolute => "0".to_string(),
            Root::Unknown => return "anywhere".to_string(),
        };
        let Some(offset) = location.offset else { return format!("somewhere in {root}") };
        let mut at = root;
        if let Some((r, scale)) = location.index {
            at += &format!(" + {}*{scale}", printed(|out| printer.reg(r, out)));
        }
        if offset != 0 {
            at += &format!(" {} {}", if offset < 0 { '-' } else { '+' }, offset.unsigned_abs());
        }
        match location.size {
            Some(1) => format!("1 byte at {at}"),
            Some(n) => format!("{n} bytes at {at}"),
            None => format!("from {at} on"),
        }
    }
}

impl Comments for Facts<'_> {
    fn of_function(&self, printer: &FunctionPrinter<'_>, say: &mut dyn FnMut(&[u8])) {
        self.more.of_function(printer, say);
        if self.prints(PrintedAnalysis::Alias) {
            for (o, _) in self.f.stack_objects().filter(|(o, _)| self.alias.escapes(*o)) {
                let mut text = b"escapes ".to_vec();
                printer.obj(o, &mut text);
                say(&text);
            }
            for r in self.alias.escaped_allocas() {
                let mut text = b"escapes alloca ".to_vec();
                printer.reg(r, &mut text);
                say(&text);
            }
        }
    }
    fn of_block(&self, printer: &FunctionPrinter<'_>, b: Block, say: &mut dyn FnMut(&[u8])) {
        self.more.of_block(printer, b, say);
        if self.prints(PrintedAnalysis::Dominators) {
            match self.dominators.idom(b) {
                Some(above) => say(format!("immediate dominator {}", label(printer, above)).as_bytes()),
                None if !self.cfg.is_reachable(b) => say(b"unreachable"),
                None => {}
            }
        }
        if self.prints(PrintedAnalysis::Loops)
            && let Some(text) = self.loop_of(printer, b)
        {
            say(text.as_bytes());
        }
        if self.prints(PrintedAnalysis::Trace) {
            self.position_in_trace(printer, b, say);
        }
        if self.prints(PrintedAnalysis::MemorySsa)
            && let Some(phi) = self.memory.phi(b)
        {
            say(self.phi(printer, phi).as_bytes());
        }
    }
    fn of_inst(&self, printer: &FunctionPrinter<'_>, i: Inst, say: &mut dyn FnMut(&[u8])) {
        self.more.of_inst(printer, i, say);
        if self.prints(PrintedAnalysis::Alias) {
            self.alias.for_each_access(self.decls, self.f, i, |mode, location| {
                let verb = if mode == Mode::Read { "reads" } else { "writes" };
                say(format!("{verb} {}", self.location(printer, &location)).as_bytes());
            });
        }
        if self.prints(PrintedAnalysis::MemorySsa)
            && let Some(a) = self.memory.access_of(i)
        {
            say(self.access(a, i).as_bytes());
        }
        if self.prints(PrintedAnalysis::Tramps)
            && let Some((source, distance)) = self.tramps.tramp(self.f, i)
        {
            let mut text = format!("tramp -{distance}: reads ").into_bytes();
            printer.reg(source, &mut text);
            say(&text);
        }
    }
}

/// A store at an exit.
struct ExitWrite {
    /// The parameter that is the base of the address.
    base: Reg,
    /// Bytes from there.
    offset: i32,
    /// The type of the value.
    ty: Type,
}

/// Returns the stores of an exit through parameters, without an index, in order.
fn exit_writes(f: &Function, params: &EntitySet<Reg>, exit: Block) -> Vec<ExitWrite> {
    let store = |i| {
        let mem = (f.inst(i).op.format() == Format::Store).then(|| f.mem(i))?;
        let Base::Reg(base) = mem.base else { return None };
        (params.contains(base) && mem.index.is_none()).then_some(ExitWrite { base, offset: mem.disp, ty: f.inst(i).ty })
    };
    f.layout().insts(exit).filter_map(store).collect()
}

/// The trace that a function is, by its blocks.
struct TraceFacts {
    /// Or the first block that breaks the form, and a sentence about it.
    form: Result<TraceForm, (Block, String)>,
    /// For each block of the path its position in it.
    on_path: SecondaryMap<Block, Option<usize>>,
    /// For each block the exits that it is.
    exits: Groups<Block, TraceExit>,
    /// The parameters in registers.
    params: EntitySet<Reg>,
}

impl TraceFacts {
    fn new(decls: &Decls, f: &Function) -> TraceFacts {
        let form = TraceForm::of(f).map_err(|why| why.in_words(decls, f));
        let (mut on_path, mut exits) = (SecondaryMap::new(), Groups::default());
        if let Ok(form) = &form {
            form.path.iter().enumerate().for_each(|(at, b)| on_path[*b] = Some(at));
            exits.fill(f.num_blocks(), form.exits.iter().map(|e| (e.block, *e)));
        }
        TraceFacts { form, on_path, exits, params: f.param_regs().collect() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::passes::expand_wide;
    use lir_random::{Config, generate};

    fn analysed(module: &Module, analyses: &[PrintedAnalysis]) -> String {
        printed(|out| print_analyses(module, analyses, |_| true, out))
    }

    fn check(module: &Module) {
        let (plain, commented) = (module.to_string(), analysed(module, &PrintedAnalysis::ALL));
        assert!(commented.len() > plain.len());
        assert_eq!(plain, commented.parse::<Module>().unwrap().to_string());
    }

    #[test]
    fn the_text_with_comments_is_the_same_module() {
        (0..40).for_each(|seed| {
            let mut module = generate(seed, &Config::default());
            expand_wide::expand(&mut module).expect("the C runtime is declared nowhere");
            check(&module);
        });
        // Names that would end a comment or begin a directive.
        let names = "func @\"CHECK: f\"(%\"a\\nb\": i64) {\n  stack $\"run: ;\": 8\nentry:\n  jmp \"CHECK: x\"\n\
                     \"CHECK: x\":\n  store i64 [$\"run: ;\"], %\"a\\nb\"\n  %p = lea [$\"run: ;\"]\n  \
                     store i64 [%\"a\\nb\"], %p\n  br %p, \"CHECK: x\", \"}\"\n\"}\":\n  ret\n}\n";
        check(&names.parse().unwrap());
    }

    /// A path of guards that leave to one block, whose last block is an exit, too; and one that forks at its end.
    #[test]
    fn facts_of_large_functions() {
        const BLOCKS: usize = 50_000;
        let text = |last: &str| {
            let guards: String = (0..BLOCKS).map(|k| format!("b{k}:\n  br %x, b{}, out\n", k + 1)).collect();
            format!("func @f(%x: i32) -> i32 {{\n{guards}b{BLOCKS}:\n{last}\nout:\n  ret 1\n}}\n")
        };
        for (last, lines) in [("  ret 0", BLOCKS + 3), ("  switch i32 %x, b1 [1: b2]", 1)] {
            let commented = analysed(&text(last).parse().unwrap(), &[PrintedAnalysis::Trace]);
            assert_eq!(commented.lines().filter(|line| line.contains("; ") && line.contains("trace: ")).count(), lines);
        }
    }

    #[test]
    fn names_nearby_are_suggested() {
        assert_eq!(PrintedAnalysis::find("memory-ssa"), Ok(PrintedAnalysis::MemorySsa));
        assert!(PrintedAnalysis::find("memoryssa").is_err_and(|e| e.ends_with("did you mean `memory-ssa`?")));
        assert!(PrintedAnalysis::find("x").is_err_and(|e| e.contains("`alias`, `def-use`")));
    }
}

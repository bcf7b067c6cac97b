//! Global value numbering (`gvn`).
//!
//! Replaces an instruction by an earlier, dominating one that computes the same value.
//!
//! # Example
//!
//! ```text
//! entry:                                       entry:
//!   %a = add i32 %x, %y                          %a = add i32 %x, %y
//!   br %c, left, right                           br %c, left, right
//! left:                                        left:
//!   %b = add i32 %y, %x
//!   %d = mul i32 %b, 3                   =>      %d = mul i32 %a, 3
//!   ret %d                                       ret %d
//! right:                                       right:
//!   %e = mul i32 %a, 3                           %e = mul i32 %a, 3
//!   ret %e                                       ret %e
//! ```
//!
//! # Algorithm
//!
//! Every register gets a value number; registers with the same number hold the same value where both are assigned.
//!
//! 1. Walk the blocks in preorder of the dominator tree, siblings in reverse postorder, so that dominators come first,
//!    and so do all predecessors except along retreating edges; and each block from the top. Operands are replaced by
//!    the registers that hold their values.
//! 2. A `copy` has the number of its operand. A constant has its own bits as its number: an instruction that reads the
//!    register, and one that names the constant, are the same.
//! 3. An instruction that takes part has a [`ValueKey`]: opcode, type, predicate or target type, and the numbers of its
//!    operands. The numbers of a commutative operation are in ascending order; the numbers of a comparison too, with
//!    the predicate swapped (`slt` to `sgt`, never inverted to `sge`). Constants are above all registers and so are on
//!    the right. With the option `fold`, where two operands have one number, the result may follow from that alone: see
//!    [`equal_operands`].
//! 4. The key is looked up by its newest operand, else by hash, and compared in full. Found: the register gets the
//!    number found, the instruction is removed, and its register is replaced in the rest of the walk; with the option
//!    `crumbs` it becomes a `copy` instead and nothing is replaced, which is left to `copy-prop`. Not found: a new
//!    number. The table has the keys of the dominating blocks: see [`table`].
//! 5. The key of a load is its location (base, index, bytes), its type, and a version of the memory that it reads: see
//!    [`memory`]. A store enters the value that it stores under the key of a load right after it. Where only a value of
//!    another type is known, the load becomes a conversion: `trunc` of a wider integer, `bitcast` from the other class
//!    of the same size. A load from constant data becomes that data: see [`loads`]; with `mem=ssa`, a load of bytes
//!    that a block operation wrote becomes these bytes: see [`area_writes`].
//! 6. A call of a function that accesses no memory has the callee and the numbers of the arguments as its key; one that
//!    only reads also has a version of memory: see [`calls`](super::calls).
//! 7. In the blocks that an edge of a branch dominates, the facts that the branch proves are used: after the first edge
//!    of `br eq i32 %a, 5`, `%a` is 5, and comparisons that follow are decided: see [`branch_facts`].
//! 8. At the end the phis, whose operands come along back edges, and the unreachable blocks have their operands
//!    replaced.
//! 9. Facts about addresses that a replacement gives come too late for the facts found before the walk (the writes in
//!    the arms of a branch, or in a loop), and in a loop for instructions above the write. All is done again, in at
//!    most [`MAX_ITERATIONS`] iterations, if writes were found to access other memory than was assumed at the
//!    beginning, and with `mem=ssa` also if more was learned of an address than may be used at once (which addresses
//!    escape, the values of their phis).
//!
//! # Why it is sound
//!
//! Takes part: operations that depend on their operands alone ([`is_pure`](lir_syntax::ir::Effects::is_pure)), and
//! divisions and loads, which may trap: where an equal one was executed before, this one does not trap. Nothing is
//! moved. Two loads of one location with one version read the value that the same write left there, since nothing
//! between may have written it. Volatile accesses, `va_arg`, allocas and phis get a new number each (two phis of one
//! block: see `phi-simplify`). The language lets an equal dominated call of a `readnone` function be replaced: it
//! returned from these arguments before. The same holds for a `readonly` function while memory is unchanged, since
//! reading memory is all that it may do in addition.
//!
//! The type is part of the key, so numbers of constants need not tell i32 5 from i64 5; float constants are their bits,
//! so 0.0 is not -0.0. The register that replaces another dominates it, and so all its uses. Numbers are given in the
//! order of the walk, and only ever compared: the result does not depend on how the input is numbered.
//!
//! # Cost and limits
//!
//! Almost linear in instructions and phi operands, by hashing; no recursion. Pessimistic: equalities that hold around a
//! loop are not assumed. A `const` replaces another of its own block only, and a constant that is in memory is made
//! again, since carrying a constant in a register through several blocks costs more than making it again. `table=clone`
//! would be quadratic where a dominator tree is deep and wide: such a function gets a tagged table, with a remark.
//!
//! A second run right after the first finds nothing (except replacements that an iteration after [`MAX_ITERATIONS`]
//! would make, and replacements that the copies left by `crumbs` allow): with `mem=ssa` the oracle is given each
//! replacement, so that it knows two addresses as one from where the pass made them one, and step 9 does the rest.
//! Second iterations are rare: of the functions of SQLite, Lua and zstd none needs one with `mem=kill,sums=off`. With
//! `sums=on` more fields are told apart, and large functions have more of them than classes: such a function gets
//! another iteration, in which fewer loads may need classes.
//!
//! `mem=kill` is the default by measurement: `docs/value-numbering.md` has the table. Where a program is all inlined,
//! `mem=ssa` finds more: see the pipeline of `-O2`, which runs it once.
//!
//! # Source
//!
//! P. Briggs, K. D. Cooper, L. T. Simpson, "Value Numbering", Software: Practice and Experience 27(6), 1997: the
//! dominator-based technique. Tagging entries with blocks is a remark of A. d'Antras on Cranelift's scoped map. Loads
//! with versions, stores as loads, constants in their block: later posts of the author of document S1. Kill sets, facts
//! from branches: document S5 (M. Bernstein, "Value numbering"); `docs/origins.md` has the list.

mod area_writes;
mod branch_facts;
mod equal_operands;
mod explain;
mod fields;
mod kill_sets;
mod loads;
mod memory;
mod named_memory;
pub(super) mod table;

use crate::analysis::alias::{AliasOracle, Location, Mode};
use crate::analysis::{MemoryFacts, Preserved, SsaView};
use crate::edit::reads::{for_each_inst_left, replace_reads};
use crate::pass::fuel::Fuel;
use crate::pass::{OptionInfo, OptionKind, Pass, PassContext, PassInfo, SsaPass};
use crate::passes::value_numbering::calls::{key_of_call, reads_memory};
use crate::passes::value_numbering::events::{Event, NoKey};
use crate::passes::value_numbering::explain::Explainer;
use crate::passes::value_numbering::key::ValueKey;
use branch_facts::BranchFacts;
use lir_syntax::ir::{
    Block, Effects, Format, Function, Inst, InstData, Mem, Opcode, Operand, PackedOption, Param, Reg, SecondaryMap,
    Type,
};
use loads::Origin;
use memory::{Around, MemoryMode, Versions};
use table::{AvailableTable, Strategy};

/// The row of the registry.
pub(crate) static INFO: PassInfo = PassInfo {
    name: "gvn",
    summary: "replace instructions by dominating ones that compute the same value",
    options: &[
        OptionInfo {
            name: "mem",
            kind: OptionKind::Choice { default: 1, names: &["ssa", "kill", "block", "off"] },
            summary: "number loads: by memory SSA, by kill sets, within each block, or not at all",
        },
        OptionInfo {
            name: "table",
            kind: OptionKind::Choice { default: 0, names: &["tagged", "scoped", "clone"] },
            summary: "entries tagged with blocks, undone by scopes, or cloned for each block; the result is the same",
        },
        OptionInfo {
            name: "facts",
            kind: OptionKind::Flag { default: true },
            summary: "use facts from dominating branches",
        },
        OptionInfo {
            name: "crumbs",
            kind: OptionKind::Flag { default: false },
            summary: "replace each redundant instruction by a copy, and leave its uses unchanged",
        },
        OptionInfo {
            name: "sums",
            kind: OptionKind::Flag { default: true },
            summary: "with mem=kill or block, decompose address registers into sums, to tell more fields apart",
        },
        OptionInfo {
            name: "fold",
            kind: OptionKind::Flag { default: false },
            summary: "fold operations on two values that are found to be equal, such as their difference",
        },
    ],
    build: |options| {
        let tables = [Strategy::Tagged, Strategy::Scoped, Strategy::Clone];
        let modes = [MemoryMode::Ssa, MemoryMode::Kill, MemoryMode::Block, MemoryMode::Off];
        Pass::Ssa(Box::new(Gvn {
            crumbs: options.flag("crumbs"),
            fold: options.flag("fold"),
            facts: options.flag("facts"),
            sums: options.flag("sums"),
            table: tables[options.number("table") as usize],
            memory: modes[options.number("mem") as usize],
        }))
    },
};

/// Limit on the walks over a function.
const MAX_ITERATIONS: u32 = 8;

pub(super) struct Gvn {
    crumbs: bool,
    fold: bool,
    facts: bool,
    sums: bool,
    table: Strategy,
    memory: MemoryMode,
}

impl SsaPass for Gvn {
    fn run(&self, f: &mut Function, ssa: &SsaView, cx: &mut PassContext<'_>) -> Preserved {
        let mut scratch = cx.scratch.take::<GlobalNumberingScratch>();
        let (mut replaced, mut operands) = (0, 0);
        let table = self.possible_table(f, cx);
        for iteration in 1..=MAX_ITERATIONS {
            let said = cx.remarks.len();
            let found = self.run_once(f, ssa, cx, (&mut scratch, table));
            replaced += found.replaced;
            operands += found.operands;
            if !found.asks_again || iteration == MAX_ITERATIONS {
                break;
            }
            // The last iteration reports why something was not found.
            cx.remarks.keep_done_since(said);
        }
        cx.scratch.give_back(scratch);
        cx.stats.add("instructions replaced", replaced);
        cx.stats.add("instructions with operands replaced by equal values", operands);
        Preserved::cfg_if(replaced != 0 || operands != 0)
    }
}

/// The findings of an iteration.
#[derive(Copy, Clone, Default)]
struct Found {
    /// Instructions that were removed or became others.
    replaced: u64,
    /// Instructions whose operands were replaced by operands that a branch proves to be equal.
    operands: u64,
    /// True if another iteration may find more (step 9): an instruction writes elsewhere than was assumed at the
    /// beginning, or more is known of an address, or may be.
    asks_again: bool,
}

impl Gvn {
    /// Returns the pass as it is without options.
    pub(super) fn with_memory() -> Gvn {
        Gvn { memory: MemoryMode::Kill, ..Gvn::without_memory() }
    }
    /// Returns the pass with `mem=off`.
    pub(super) fn without_memory() -> Gvn {
        Gvn { crumbs: false, fold: false, facts: true, sums: true, table: Strategy::default(), memory: MemoryMode::Off }
    }
    /// Returns the requested strategy, or the default if clones would be too large, which is reported.
    fn possible_table(&self, f: &Function, cx: &mut PassContext<'_>) -> Strategy {
        if self.table != Strategy::Clone {
            return self.table;
        }
        let (_, dom) = cx.analyses.dominators(f);
        let (copied, most) = (table::most_copied(f, dom), table::MAX_COPIED + table::COPIED_FOR_EACH * f.num_insts());
        if copied <= most {
            return Strategy::Clone;
        }
        cx.remarks.missed(f, f.terminator(f.entry()), Event::ClonesTooLarge(copied, most));
        cx.stats.add("functions whose table was tagged, for clones would be too large", 1);
        Strategy::Tagged
    }
    /// Steps 1 to 8.
    fn run_once(
        &self,
        f: &mut Function,
        ssa: &SsaView,
        cx: &mut PassContext<'_>,
        (scratch, table): (&mut GlobalNumberingScratch, Strategy),
    ) -> Found {
        scratch.reset(f, table);
        // Reasons are found by memory SSA in every mode.
        let (facts, (cfg, dom)) = if cx.remarks.on() || self.memory == MemoryMode::Ssa {
            let facts = cx.analyses.memory(cx.decls, f, ssa);
            (Some(facts), (facts.cfg, facts.dominators))
        } else {
            (None, cx.analyses.dominators(f))
        };
        let around = Around { decls: cx.decls, ssa, cfg, dom, memory: self.memory, facts, sums: self.sums };
        let printed = around.memory_ssa().filter(|_| cx.remarks.on()).map(|facts| facts.memory.printed_numbers(f));
        let explainer = Explainer::new(cx.remarks, printed);
        if let Some(facts) = around.memory_ssa() {
            scratch.oracle.copy_from(f, facts.alias);
        } else if self.memory.has_versions() {
            scratch.versions.reset(f, around);
        }
        let Gvn { crumbs, fold, facts, .. } = *self;
        let (fuel, found) = (&mut *cx.fuel, Found::default());
        let mut numberer = GlobalNumberer { crumbs, fold, facts, around, scratch, explainer, fuel, found };
        numberer.walk(f);
        numberer.replace_the_rest(f);
        if numberer.around.memory.has_versions() && numberer.scratch.versions.is_limited() {
            numberer.found.asks_again |= numberer.found.replaced != 0;
        }
        numberer.found
    }
}

#[derive(Default)]
struct GlobalNumberingScratch {
    /// The value number of each register that the walk has passed, as operand bits: a register (whose index is the
    /// number) or a constant.
    numbers: SecondaryMap<Reg, u32>,
    next_number: u32,
    /// The register that replaces one whose instruction was removed.
    leader: SecondaryMap<Reg, PackedOption<Reg>>,
    available: AvailableTable,
    /// The operand known to be equal to a register in the block that is visited. It is a constant, or a register, whose
    /// entry is itself or another equal operand.
    equal: SecondaryMap<Reg, Operand>,
    /// The operand that an i64 register compares as in the block that is visited, since they are equal.
    compares_as: SecondaryMap<Reg, Operand>,
    /// A register that compares as this one, which is the older of the two.
    other: SecondaryMap<Reg, Operand>,
    facts: BranchFacts,
    /// With `mem=kill` and `mem=block`.
    versions: Versions,
    /// With `mem=ssa`: the alias oracle, which knows of replacements.
    oracle: AliasOracle,
    /// The types that were loaded and stored so far, a bit each.
    accessed_types: u8,
    /// The origin of each number of an address.
    origins: SecondaryMap<Reg, Option<Origin>>,
    /// With `mem=ssa`: where the instruction that is visited writes, as was known at the beginning and as is known now.
    written_at_first: Vec<Location>,
    written_now: Vec<Location>,
}

impl GlobalNumberingScratch {
    fn reset(&mut self, f: &Function, strategy: Strategy) {
        self.numbers.reset(f.num_regs());
        self.next_number = 0;
        self.leader.reset(f.num_regs());
        self.available.reset(strategy, f.num_regs());
        self.equal.reset(f.num_regs());
        self.compares_as.reset(0);
        self.other.reset(0);
        self.facts.reset();
        self.origins.reset(0);
        self.accessed_types = 0;
        for p in &f.params {
            if let Param::Reg(r) = *p {
                self.set_new_number(r);
            }
        }
    }
    #[inline]
    fn set_new_number(&mut self, r: Reg) {
        self.numbers[r] = self.new_number();
    }
    fn new_number(&mut self) -> u32 {
        let number = Operand::reg(Reg::from_u32(self.next_number)).to_bits();
        self.next_number += 1;
        number
    }
    /// Returns the number of an operand: a constant, a symbol and a stack object are their own.
    #[inline]
    fn number_of(&self, o: Operand) -> u32 {
        o.as_reg().map_or(o.to_bits(), |r| self.numbers[r])
    }
}

struct GlobalNumberer<'a> {
    crumbs: bool,
    fold: bool,
    facts: bool,
    around: Around<'a>,
    scratch: &'a mut GlobalNumberingScratch,
    explainer: Explainer<'a>,
    /// The instructions that may still be replaced.
    fuel: &'a mut Fuel,
    found: Found,
}

impl GlobalNumberer<'_> {
    /// Step 1.
    fn walk(&mut self, f: &mut Function) {
        let dom = self.around.dom;
        for (at, &b) in dom.preorder().iter().enumerate() {
            self.scratch.available.enter(at, dom);
            if self.around.memory.has_versions() {
                self.scratch.versions.enter(at, self.around);
            }
            if self.facts {
                self.enter_facts(f, at);
            }
            let mut next = f.layout().first_inst(b);
            while let Some(i) = next {
                next = f.layout().next_inst(i);
                let is_phi = f.inst(i).op.format() == Format::Phi;
                if !is_phi {
                    self.note_locations(f, i, false);
                    self.replace_uses(f, i);
                }
                if self.fuel.any() {
                    let before = self.found.replaced + self.found.operands;
                    if is_phi || !self.scratch.facts.any() || !self.visit_with_facts(f, b, i) {
                        self.visit(f, b, i);
                    }
                    if self.found.replaced + self.found.operands != before {
                        self.fuel.take();
                    }
                } else if let Some(r) = f.def(i) {
                    self.scratch.set_new_number(r);
                }
                if !is_phi {
                    self.update_address(f, i);
                }
            }
            if self.around.memory.has_versions() {
                self.found.asks_again |= self.scratch.versions.leave(b);
            }
        }
    }
    /// Gives the oracle the new form of an instruction that stays.
    #[inline]
    fn update_address(&mut self, f: &Function, i: Inst) {
        let changed = self.found.replaced + self.found.operands != 0;
        if changed && self.around.memory == MemoryMode::Ssa && f.layout().block_of(i).is_some() {
            self.scratch.oracle.update(f, i);
            self.found.asks_again |= f.def(i).is_some_and(|r| self.learned(r));
            if self.note_locations(f, i, true) && self.scratch.written_at_first != self.scratch.written_now {
                self.found.asks_again = true;
            }
        }
    }
    /// True with `mem=ssa` if the oracle has since learned more of a register's address.
    fn learned(&self, r: Reg) -> bool {
        self.around.memory_ssa().is_some_and(|at_first| self.scratch.oracle.learned(r, at_first.alias))
    }
    /// True with `mem=ssa` if a register is not known to hold a certain object address.
    fn could_learn(&self, r: Reg) -> bool {
        let location = || self.scratch.oracle.location_of(Mem::reg(r), None);
        self.around.memory == MemoryMode::Ssa && !(location().root.is_object() && location().offset.is_some())
    }
    /// Notes the locations that an instruction writes, as known at first or now. Returns false if it does not write, or
    /// memory SSA is not used.
    #[inline]
    fn note_locations(&mut self, f: &Function, i: Inst, now: bool) -> bool {
        f.inst(i).op.effects().has(Effects::WRITES) && self.list_locations(f, i, now)
    }
    // Apart, so that the test above is inlined: most instructions do not write.
    #[inline(never)]
    fn list_locations(&mut self, f: &Function, i: Inst, now: bool) -> bool {
        let Some(MemoryFacts { alias: at_first, .. }) = self.around.memory_ssa() else { return false };
        let GlobalNumberingScratch { written_at_first, written_now, oracle, .. } = &mut *self.scratch;
        let (written, oracle) = if now { (written_now, &*oracle) } else { (written_at_first, at_first) };
        written.clear();
        oracle.for_each_access(self.around.decls, f, i, |mode, location| {
            if mode == Mode::Write {
                written.push(location);
            }
        });
        true
    }
    /// Step 7. Returns true if nothing is left to do for the instruction.
    fn visit_with_facts(&mut self, f: &mut Function, b: Block, i: Inst) -> bool {
        (self.scratch.facts.any_equal() && self.use_equalities(f, b, i))
            || (matches!(f.inst(i).op.format(), Format::Compare | Format::Branch | Format::Switch)
                && self.decide(f, b, i))
    }
    /// Steps 2 to 6 for an instruction.
    fn visit(&mut self, f: &mut Function, b: Block, i: Inst) {
        let d = *f.inst(i);
        if d.op == Opcode::Copy {
            let (r, source) = (f.def(i).expect("a copy assigns"), d.first().as_reg().expect("a copy has a register"));
            self.report_copy(f, i, d.first());
            self.scratch.numbers[r] = self.scratch.numbers[source];
            if !self.crumbs {
                self.replace_by(f, i, r, source);
            }
            return;
        }
        let effects = d.op.effects();
        if let Some(key) = self.key(f, b, i) {
            let r = f.def(i).expect("what takes part has a result");
            match self.of_equal_operands(f, i, &key) {
                Some(by) => self.become_operand(f, b, i, r, by),
                None => self.settle(f, b, i, r, key),
            }
        } else if d.op.format() == Format::Call {
            self.number_call(f, b, i);
        } else if d.op.format() == Format::Load && !effects.has(Effects::OTHER) {
            self.number_load(f, b, i);
        } else {
            if effects.has(Effects::WRITES) {
                self.pass_write(f, b, i);
            }
            if let Some(r) = f.def(i) {
                self.scratch.set_new_number(r);
                self.report_excluded(f, i, NoKey::of(&d));
            }
        }
    }
    /// Step 3. Returns none if the instruction does not take part by its operands alone.
    #[inline]
    fn key(&self, f: &Function, b: Block, i: Inst) -> Option<ValueKey> {
        ValueKey::in_block(f, i, b, |r| self.scratch.number_here(Operand::reg(r)))
    }
    /// Step 6 for a call.
    fn number_call(&mut self, f: &mut Function, b: Block, i: Inst) {
        match (self.call_key(f, b, i), f.def(i)) {
            (Ok(key), Some(r)) => self.settle(f, b, i, r, key),
            (Ok(key), None) => {
                // A result that is not read is no reason to keep it for others.
                if self.scratch.available.find(&key, b, self.around.dom).is_some() {
                    f.remove_inst(i);
                    self.found.replaced += 1;
                }
            }
            (Err(why), def) => {
                self.pass_write(f, b, i);
                if let Some(r) = def {
                    self.scratch.set_new_number(r);
                    self.report_excluded(f, i, why);
                }
            }
        }
    }
    /// Returns the key of a call whose result depends on arguments and memory read alone.
    fn call_key(&mut self, f: &Function, b: Block, i: Inst) -> Result<ValueKey, NoKey> {
        let version = match reads_memory(self.around.decls, f, i)? {
            true => Some(self.version(f, i).ok_or(NoKey::Without("mem=off"))?),
            false => None,
        };
        Ok(key_of_call(f, i, version, |mut list, r| {
            list.operands[1] = self.scratch.numbers[r];
            self.number_of_key(b, list)
        }))
    }
    /// Step 4: the instruction that assigns `r` is replaced by the value with its key, or has a new number.
    fn settle(&mut self, f: &mut Function, b: Block, i: Inst, r: Reg, key: ValueKey) {
        if let Some(by) = self.scratch.available.find_or_insert(key, Operand::reg(r), b, self.around.dom) {
            self.report(|s| s.report_found(f, b, i, &key, by));
            self.replace(f, b, i, r, by);
            return;
        }
        if f.inst(i).op.format() == Format::Const {
            self.scratch.numbers[r] = f.inst(i).first().to_bits();
        } else {
            self.scratch.set_new_number(r);
            self.note_origin(f, b, i, r);
        }
        self.report(|s| s.report_new(f, b, i, &key));
    }
    /// Replaces the result `r` of an instruction by `by`. A constant is made here: constants are not carried along.
    fn replace(&mut self, f: &mut Function, b: Block, i: Inst, r: Reg, by: Operand) {
        let Some(by) = by.as_reg() else {
            f.replace_inst(i, InstData::move_of(f.type_of(r), by).with_result(r));
            self.found.replaced += 1;
            let key = self.key(f, b, i).expect("a constant takes part");
            self.settle(f, b, i, r, key);
            return;
        };
        self.scratch.numbers[r] = self.scratch.numbers[by];
        if self.crumbs {
            f.replace_inst(i, InstData::move_of(f.type_of(r), Operand::reg(by)).with_result(r));
            self.found.replaced += 1;
        } else {
            self.replace_by(f, i, r, by);
        }
    }
    /// Removes the instruction that assigns `r`, which `by` replaces from now on.
    fn replace_by(&mut self, f: &mut Function, i: Inst, r: Reg, by: Reg) {
        self.scratch.leader[r] = by.into();
        f.remove_inst(i);
        self.found.replaced += 1;
    }
    /// Replaces operands by their leaders. Returns false if there are none.
    fn replace_uses(&self, f: &mut Function, i: Inst) -> bool {
        replace_reads(f, i, |r| self.scratch.leader[r].expand().map(Operand::reg))
    }
    /// Step 8.
    fn replace_the_rest(&mut self, f: &mut Function) {
        if self.found.replaced == 0 || self.crumbs {
            return;
        }
        for_each_inst_left(f, self.around.cfg, |f, i| {
            if self.replace_uses(f, i) && f.inst(i).ty == Type::I64 {
                // It may be known now to hold an address in an object, which is found for all phis together.
                self.found.asks_again |= f.def(i).is_some_and(|r| self.could_learn(r));
            }
        });
    }
}

//! Local value numbering (`lvn`).
//!
//! Replaces an instruction by an earlier one of its block that computes the same value.
//!
//! # Example
//!
//! ```text
//!   %a = add i32 %x, %y                          %a = add i32 %x, %y
//!   %b = add i32 %y, %x
//!   %c = mul i32 %a, 3                           %c = mul i32 %a, 3
//!   %d = mul i32 %b, 3                    =>
//!   %e = sub i32 %c, %d                          %e = sub i32 %c, %c
//!   %f = load i32 [$o]                           %f = load i32 [$o]
//!   store i32 [$p + 4], %f                       store i32 [$p + 4], %f
//!   %g = load i32 [$o]
//!   %h = load i32 [$p + 4]
//!   %i = add i32 %g, %h                          %i = add i32 %f, %f
//! ```
//!
//! # Algorithm
//!
//! 1. Blocks are visited in reverse postorder, each with a fresh table of expressions and fresh numbers of registers. A
//!    register that is read before the block assigned it gets a new number.
//! 2. From the top of the block: an instruction that takes part has a [`ValueKey`] over the numbers of its operands. A
//!    key that is new gives the result a new number. A `copy` has the number of its operand. Everything else that
//!    assigns (calls, phis, volatile loads) gives a new number. Terminators have none.
//! 3. A key that is known has a number, and the number a *holder*, a register; it holds the value as long as it still
//!    has that number. Then, where the result and the holder have no other assignment, the result is mapped to the
//!    holder for the whole function and the instruction is dead. Where one of them has others, the instruction becomes
//!    a copy of the holder. It is dead, too, if it assigns a register the value that it holds already. A holder that
//!    was overwritten is followed by the register that computes the value anew.
//! 4. A second walk replaces the registers that were mapped. At the end the dead instructions are removed.
//!
//! With the option `pure-calls` step 2 numbers calls of `readnone` functions as well. Their arguments are as many as
//! they like, so a list of them is numbered from the front, an argument at a time: a key of the list before it and the
//! argument.
//!
//! With the option `tramps` the blocks of a straight-line trace ([`traces`](crate::analysis::traces)) share their
//! tables and numbers, and in step 3 the instruction becomes a copy of the holder: a *tramp*, whose readers stay as
//! they are, and read the holder. It takes no code. Numbers see through it, so one walk finds its dependents as well.
//!
//! Memory has numbers, too; they only ever are parts of keys of loads:
//!
//! 5. Stack objects and symbols are *objects*, made of [segments]: an access to constant bytes splits them at its
//!    bounds. Each segment has a memory number. The key of a load is its location with the memory numbers of all
//!    segments that it covers, one where they are equal. All other loads are *generic*: their key is the operand with
//!    the global memory number. A load at an offset that is not constant has the memory number of its object. The
//!    target of an address in a register is an object as well, for accesses at constant distances from it: `[%p]` and
//!    `[%p + 8]` are fields of the target of `%p`, and `[%p + %i*8]` and `[%p + %i*8 + 8]` of the target of this sum.
//!    It begins with the global memory number. For an object with an index, the sum that was accessed last has segments
//!    as well. A store gives the key of a load right after it the number of the stored value, so that step 3 forwards
//!    it to such loads (as a constant, if no register holds it).
//! 6. An instruction that may write gives new memory numbers. A store of constant bytes: to these segments, to its
//!    object, and to the global one. A store at another offset: to the whole object and the global one. A generic
//!    store, and an instruction like a call (`va_start`, `va_arg`, `va_copy` and `va_end` are): to the global one, and
//!    it discards all objects. A store to a field does so, too, except the other fields of the same address. Objects
//!    that nothing generic reaches are *private*: constant data, and stack objects that do not escape. These are only
//!    discarded by name, and change no global number.
//!
//! The option `memory` has the steps that lead to this: no numbers, one for all memory, one for each object.
//!
//! # Why it is sound
//!
//! An operation that takes part depends on its operands alone, or traps, which an equal one before it would have done.
//! Two registers with one number hold one value, since an assignment gives a register its number anew. Let `d` be
//! mapped to `h`: both have one assignment, the assignment of `h` dominates the one of `d`, and so at every read of `d`
//! the register `h` holds the value it held there (see `copy-prop`). Phis keep their own numbers: `phi-simplify` finds
//! two of a block that agree. Unreachable blocks are not numbered. Float constants are their bits; a call of a
//! `readnone` function that returned once returns the same again, unless it is one that returns twice.
//!
//! Loads: objects are disjoint, and an access through an address that was made from an object stays inside it
//! (LANGUAGE.md, memory). Two fields of one register are apart if their distances from it are, since a register of one
//! number holds one address. So between two loads with one key nothing wrote their bytes. The type is part of a key, so
//! a forwarded value was stored with the same width and class. Offsets are signed 64-bit numbers; an offset outside [0,
//! 2^32 - 1) counts as anywhere in the object. Volatile accesses give numbers to memory but never take any. Memory read
//! after a call that returns twice may have been written between.
//!
//! # Cost and limits
//!
//! Linear, by hashing: a table costs nothing to empty (see [`StampedTable`]), nor does it to discard the objects, which
//! are compared with the time of the last discarding. An access to an object takes the logarithm of its segments more.
//! An assignment that step 3 removes may leave a register with one assignment, for which more can be done: then the
//! pass starts again, at most [`MAX_ITERATIONS`] times. Nothing is known of memory at the top of a block.
//!
//! # Source
//!
//! Document S1 (named in `docs/origins.md`), local value numbering in the LIR of a JIT compiler for C: tables, memory,
//! call-like instructions, phis, order of operands. Additions: copies, constants in registers, functions that are not
//! in SSA form, escape (`escape=off` is the way of the document: a generic store discards every object), registers that
//! point into objects, objects that calls discard, stores as loads, where that text has a segment remember the last
//! stored value. Where it says to invert the predicate of a comparison, it is swapped. Holders: P. Briggs, K. D.
//! Cooper, L. T. Simpson, "Value Numbering", Software: Practice and Experience 27(6), 1997, section 2.

mod explain;
mod memory;
mod segments;

use crate::analysis::Preserved;
use crate::analysis::assignments::Assignments;
use crate::analysis::traces::Traces;
use crate::edit::reads::replace_all_reads;
use crate::pass::{FunctionPass, OptionInfo, OptionKind, OptionValues, Pass, PassContext, PassInfo};
use crate::passes::value_numbering::calls::{key_of_call, reads_memory};
use crate::passes::value_numbering::events::{Event, NoKey};
use crate::passes::value_numbering::explain::Explainer;
use crate::passes::value_numbering::key::ValueKey;
use crate::passes::value_numbering::stamped_table::StampedTable;
use lir_syntax::ir::{
    Block, Decls, Effects, Format, Function, Inst, InstData, Opcode, Operand, PackedOption, Reg, SecondaryMap, Type,
};
use memory::{Detail, Memory, MemoryOptions};

/// The row of the registry.
pub(crate) static INFO: PassInfo = PassInfo {
    name: "lvn",
    summary: "replace instructions by earlier ones of the block that compute the same value",
    options: &[
        OptionInfo {
            name: "memory",
            kind: OptionKind::Choice { default: 3, names: &["off", "global", "objects", "segments"] },
            summary: "number loads: not at all, or by the state of memory as a whole, of each object, or of each part",
        },
        OptionInfo {
            name: "forwarding",
            kind: OptionKind::Choice { default: 2, names: &["off", "objects", "all"] },
            summary: "forward stored values to loads: never, of stack objects and symbols, or of all memory",
        },
        OptionInfo {
            name: "escape",
            kind: OptionKind::Flag { default: true },
            summary: "assume that generic stores and calls do not change stack objects whose address does not escape",
        },
        OptionInfo {
            name: "pure-calls",
            kind: OptionKind::Flag { default: false },
            summary: "number calls of readnone functions",
        },
        OptionInfo {
            name: "tramps",
            kind: OptionKind::Flag { default: false },
            summary: "follow straight-line traces; replace each redundant instruction by a copy, uses unchanged",
        },
    ],
    build: |options| Pass::Function(Box::new(Lvn::new(options))),
};

/// Number of times the pass runs at most. An iteration after the second needs registers that are assigned the same
/// value over and over, one hidden by the other.
const MAX_ITERATIONS: usize = 4;

struct Lvn {
    memory: MemoryOptions,
    pure_calls: bool,
    tramps: bool,
}

impl Lvn {
    fn new(options: &OptionValues) -> Lvn {
        let details = [Detail::Off, Detail::Global, Detail::Objects, Detail::Segments];
        let memory = MemoryOptions {
            detail: details[options.number("memory") as usize],
            forwards: options.number("forwarding") > 0,
            forwards_generic: options.number("forwarding") > 1,
            escape: options.flag("escape"),
        };
        Lvn { memory, pure_calls: options.flag("pure-calls"), tramps: options.flag("tramps") }
    }
}

impl FunctionPass for Lvn {
    fn run(&self, f: &mut Function, cx: &mut PassContext<'_>) -> Preserved {
        let mut scratch = cx.scratch.take::<LocalNumberingScratch>();
        let mut changed = false;
        for iteration in 1..=MAX_ITERATIONS {
            let said = cx.remarks.len();
            let cfg = cx.analyses.cfg(f);
            scratch.reset(f);
            if self.memory.detail >= Detail::Objects {
                scratch.memory.oracle.reset(cx.decls, f, cfg, Some(&scratch.assignments));
            }
            let mut numberer = LocalNumberer {
                options: self.memory,
                pure_calls: self.pure_calls,
                tramps: self.tramps,
                decls: cx.decls,
                explainer: Explainer::new(cx.remarks, None),
                scratch: &mut scratch,
                block: 0,
                again: false,
            };
            if self.tramps {
                numberer.number_traces(f, &Traces::new(f, cfg));
            } else {
                for (k, &b) in cfg.rpo().iter().enumerate() {
                    numberer.begin(k as u32);
                    numberer.number_block(f, b);
                }
            }
            let again = numberer.again;
            scratch.rewrite(f);
            cx.stats.add("instructions removed", scratch.dead.len() as u64);
            let constants = scratch.moves.iter().filter(|(_, source)| source.is_const()).count();
            cx.stats.add("instructions made copies", (scratch.moves.len() - constants) as u64);
            cx.stats.add("loads made constants", constants as u64);
            changed |= !scratch.dead.is_empty() || !scratch.moves.is_empty();
            if !again || iteration == MAX_ITERATIONS {
                break;
            }
            cx.remarks.keep_done_since(said);
        }
        cx.scratch.give_back(scratch);
        Preserved::cfg_if(changed)
    }
}

/// The number of a register, in the block where it was given.
#[derive(Copy, Clone)]
struct Numbered {
    /// Position of the block in the order of visits; none is `u32::MAX`.
    block: u32,
    /// Index into [`LocalNumberingScratch::values`].
    value: u32,
}

/// The facts about a number of the present block.
#[derive(Copy, Clone)]
struct Value {
    /// Its bits in keys: the bits of a register operand with the number as index, or of a constant.
    in_keys: u32,
    /// The register that holds it, unless that has another number by now.
    holder: PackedOption<Reg>,
}

#[derive(Default)]
struct LocalNumberingScratch {
    assignments: Assignments,
    numbers: SecondaryMap<Reg, Option<Numbered>>,
    /// By number; fresh for each block.
    values: Vec<Value>,
    /// Numbers of keys; fresh for each block.
    table: StampedTable<u32>,
    /// The register that replaces one whose instruction is dead, for the whole function.
    mapped: SecondaryMap<Reg, PackedOption<Reg>>,
    any_mapped: bool,
    dead: Vec<Inst>,
    /// Instructions that become copies of a register, and loads that become constants.
    moves: Vec<(Inst, Operand)>,
    memory: Memory,
}

impl LocalNumberingScratch {
    fn reset(&mut self, f: &Function) {
        self.assignments.count(f);
        self.numbers.reset(f.num_regs());
        self.mapped.reset(f.num_regs());
        self.any_mapped = false;
        self.dead.clear();
        self.moves.clear();
    }
    /// Step 4.
    fn rewrite(&self, f: &mut Function) {
        if self.any_mapped {
            replace_all_reads(f, |r| self.mapped[r].expand().map(Operand::reg));
        }
        for &(i, source) in &self.moves {
            let dst = f.def(i).expect("it has a value");
            f.replace_inst(i, InstData::move_of(f.type_of(dst), source).with_result(dst));
        }
        for &i in &self.dead {
            f.remove_inst(i);
        }
    }
}

struct LocalNumberer<'a> {
    options: MemoryOptions,
    pure_calls: bool,
    tramps: bool,
    decls: &'a Decls,
    /// Its instructions are of the present block.
    explainer: Explainer<'a>,
    scratch: &'a mut LocalNumberingScratch,
    /// Position of the present block in the order of visits.
    block: u32,
    /// True if a register lost one of several assignments.
    again: bool,
}

impl LocalNumberer<'_> {
    /// Steps 1 to 6 for all traces.
    fn number_traces(&mut self, f: &Function, traces: &Traces) {
        for (k, &b) in traces.blocks().iter().enumerate() {
            if !traces.continues(k) {
                self.begin(k as u32);
            }
            self.number_block(f, b);
        }
    }
    /// Forgets all numbers: before a block at a position in the order of visits, or a trace that begins with it.
    fn begin(&mut self, position: u32) {
        self.block = position;
        self.scratch.values.clear();
        self.scratch.table.clear();
        self.explainer.forget();
        if self.options.detail != Detail::Off {
            self.scratch.memory.begin_block();
        }
    }
    /// Steps 2 to 6 for a block.
    fn number_block(&mut self, f: &Function, b: Block) {
        let numbers_memory = self.options.detail != Detail::Off;
        for i in f.layout().insts(b) {
            // Before the assignment: a call may read the register that it assigns.
            if numbers_memory && f.inst(i).op.effects().has(Effects::WRITES) {
                self.number_memory(f, i);
            }
            if let Some(r) = f.def(i) {
                self.number_inst(f, i, r);
            }
        }
    }
    /// Steps 2 to 5 for an instruction that assigns `r`.
    fn number_inst(&mut self, f: &Function, i: Inst, r: Reg) {
        let d = f.inst(i);
        if d.op == Opcode::Copy {
            let source = self.representative(d.first().as_reg().expect("the operand of a copy is a register"));
            let value = self.value_of(source);
            let by = self.holder(value).unwrap_or(source);
            return self.replace(f, i, r, (value, by), None);
        }
        let key = match self.key(f, i) {
            Ok(key) => key,
            Err(why) => {
                let new = self.new_value();
                self.report_no_key(f, i, new, why);
                return self.assign(r, new);
            }
        };
        let new = self.scratch.values.len() as u32;
        let value = self.value_of_key(key);
        if value == new {
            // A constant is its own number in keys: `add %a, %k` and `add %a, 5` are one where %k is 5.
            if d.op.format() == Format::Const {
                self.scratch.values[new as usize].in_keys = d.first().to_bits();
            }
            self.report_new(f, i, &key, new);
            return self.assign(r, new);
        }
        if let Some(by) = self.holder(value) {
            return self.replace(f, i, r, (value, by), Some(key));
        }
        let in_keys = Operand::from_bits(self.scratch.values[value as usize].in_keys);
        if d.op == Opcode::Load && in_keys.is_const() {
            // It was stored.
            self.report_equal(f, i, (value, Some(key)), |found| found.replaced_by(f, (d.ty, in_keys)));
            self.scratch.moves.push((i, in_keys));
        } else {
            self.explainer.remarks.missed(f, i, Event::NotHeld(self.number_of(value)));
        }
        self.assign(r, value);
    }
    /// Step 3: the instruction assigns `r` a value that `by` holds.
    fn replace(&mut self, f: &Function, i: Inst, r: Reg, (value, by): (u32, Reg), key: Option<ValueKey>) {
        let single = |r| self.scratch.assignments.is_single(r);
        if self.numbered(r) == Some(value) {
            self.again = true;
            self.scratch.dead.push(i);
            self.report_equal(f, i, (value, key), |found| Event::HeldAlready(found));
        } else if single(by) && single(r) && !self.tramps {
            self.scratch.mapped[r] = by.into();
            self.scratch.any_mapped = true;
            self.scratch.dead.push(i);
            self.report_equal(f, i, (value, key), |found| found.replaced_by(f, (f.type_of(r), by.into())));
        } else {
            // A copy is no better than another copy, nor than a constant.
            if !matches!(f.inst(i).op, Opcode::Copy | Opcode::Const) {
                self.scratch.moves.push((i, by.into()));
                let is_tramp = single(by) && single(r);
                self.report_equal(f, i, (value, key), |found| match is_tramp {
                    true => Event::BecomesTramp(found, by),
                    false => Event::BecomesCopy(found, by),
                });
            }
            self.assign(r, value);
        }
    }
    /// Gives a register a number, and makes it the holder if there is none. It replaces one that may be overwritten,
    /// too.
    fn assign(&mut self, r: Reg, value: u32) {
        self.scratch.numbers[r] = Some(Numbered { block: self.block, value });
        let single = |r| self.scratch.assignments.is_single(r);
        if self.holder(value).is_none_or(|h| single(r) && !single(h)) {
            self.scratch.values[value as usize].holder = r.into();
        }
    }
    /// Returns the register that holds a value at this point.
    fn holder(&self, value: u32) -> Option<Reg> {
        let holder = self.scratch.values[value as usize].holder.expand()?;
        (self.numbered(holder) == Some(value)).then_some(holder)
    }
    /// Returns the representative of a register in the whole function.
    #[inline]
    fn representative(&self, r: Reg) -> Reg {
        self.scratch.mapped[r].expand().unwrap_or(r)
    }
    /// Returns the number that a register has in this block by now.
    #[inline]
    fn numbered(&self, r: Reg) -> Option<u32> {
        self.scratch.numbers[r].filter(|n| n.block == self.block).map(|n| n.value)
    }
    /// Returns the number of a register; a new one where it came into the block without.
    #[inline]
    fn value_of(&mut self, r: Reg) -> u32 {
        let r = self.representative(r);
        self.numbered(r).unwrap_or_else(|| {
            let value = self.new_value();
            self.assign(r, value);
            value
        })
    }
    /// Returns a new number that no register holds yet.
    fn new_value(&mut self) -> u32 {
        let value = self.scratch.values.len() as u32;
        self.scratch.values.push(Value { in_keys: number(value).to_bits(), holder: PackedOption::NONE });
        value
    }
    /// Returns the number of a key. A new one, which no register holds, where it had none.
    fn value_of_key(&mut self, key: ValueKey) -> u32 {
        let new = self.scratch.values.len() as u32;
        self.scratch.table.find_or_insert(key, new).unwrap_or_else(|| self.new_value())
    }
    /// Returns the number of a register, or of a constant of this type.
    fn value_of_operand(&mut self, ty: Type, o: Operand) -> u32 {
        if let Some(r) = o.as_reg() {
            return self.value_of(r);
        }
        let value = self.value_of_key(ValueKey::of_const(ty, o));
        self.scratch.values[value as usize].in_keys = o.to_bits();
        value
    }
    /// Returns a register in the form it has in keys.
    #[inline]
    fn in_keys(&mut self, r: Reg) -> u32 {
        let value = self.value_of(r);
        self.scratch.values[value as usize].in_keys
    }
    /// Returns the key of an instruction, or the reason it has none.
    #[inline]
    fn key(&mut self, f: &Function, i: Inst) -> Result<ValueKey, NoKey> {
        if let Some(key) = ValueKey::of(f, i, |r| self.in_keys(r)) {
            return Ok(key);
        }
        let d = f.inst(i);
        match d.op.format() {
            Format::Load if d.op == Opcode::Load && !d.is_volatile() => match self.options.detail {
                Detail::Off => Err(NoKey::Without("memory=off")),
                Detail::Global | Detail::Objects | Detail::Segments => Ok(self.load_key(f, i)),
            },
            Format::Call => self.call_key(f, i),
            _ => Err(NoKey::of(d)),
        }
    }
    /// Returns the key of a call that touches no memory, neither through pointers nor for aggregates.
    fn call_key(&mut self, f: &Function, i: Inst) -> Result<ValueKey, NoKey> {
        match reads_memory(self.decls, f, i)? {
            true => Err(NoKey::Reads),
            false if !self.pure_calls => Err(NoKey::WithoutPureCalls),
            false => Ok(key_of_call(f, i, None, |mut list, r| {
                list.operands[1] = self.in_keys(r);
                number(self.value_of_key(list)).to_bits()
            })),
        }
    }
}

/// Returns a number in the form it has in keys.
fn number(value: u32) -> Operand {
    Operand::reg(Reg::from_u32(value))
}

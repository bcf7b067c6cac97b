//! Redundant store elimination on a trace (`rse`).
//!
//! Removes unobserved stores to an interpreter's stacks, which options name: the interpreter reads the stacks where the
//! trace is left, and only below the top of the stack.
//!
//! # Example
//!
//! The data stack is the parameter `%sp`. A block that ends the function gives the position of the top by an addition.
//!
//! ```text
//!   store i64 [%sp], %a                          br %c, next, out
//!   store i64 [%sp + 8], %b                    next:
//!   br %c, next, out                             store i64 [%sp], %e
//! next:                                 =>       %top = add i64 %sp, 8
//!   store i64 [%sp], %e                          ret %top
//!   %top = add i64 %sp, 8                      out:
//!   ret %top                                     ret %sp
//! out:
//!   ret %sp
//! ```
//!
//! At `out` the stack is empty, so `%a` is not read; `%b` is dropped everywhere.
//!
//! # Algorithm
//!
//! 1. A parameter that an option names is a stack: the address of its bottom, or of its bottom for the trace. It is
//!    used only as the base of loads and stores, and at exits to give the position of the top; otherwise nothing is
//!    removed.
//! 2. The top at an exit is the number added there to the parameter, by `add` or `lea`; 0, if the parameter itself is
//!    returned or stored. If the exit does not give it, all of the stack is below the top.
//! 3. One walk backward over the path with the bytes of each stack that are *dead*: stored again before they are read,
//!    or above the top. At an exit all bytes below its top are live again. A load makes its bytes live. A store whose
//!    bytes are dead is removed.
//! 4. After a jump to the header the bytes that are dead at the header are dead: a store of an iteration that the next
//!    one repeats, before it reads the bytes or leaves, is removed as well. A walk over the loop from its end, where
//!    every byte is dead at first, finds them, and removes nothing. A second such walk would find the same: each byte
//!    is made live, made dead or left alone by an iteration, whatever its state was.
//!
//! # Why it is sound
//!
//! By these options the user promises that, while the trace runs, only its own loads and stores through the
//! parameter access the stack, and after it the bytes above the top are not read.
//!
//! # Cost and limits
//!
//! O(log n) for each of n stores, twice in loops. Stacks grow upward.
//!
//! # Source
//!
//! Document S2 (Tamarin Tracing): `nanojit::rmStores`, for the data stack `sp` and the return stack `rp`. There the
//! depth at an exit is a field of the guard.

use crate::analysis::Preserved;
use crate::analysis::trace_form::{TraceExit, TraceForm};
use crate::pass::remarks::Remarks;
use crate::pass::remarks::events;
use crate::pass::{FunctionPass, OptionInfo, OptionKind, Pass, PassContext, PassInfo, TracePass};
use lir_syntax::ir::{Base, Block, EntitySet, Format, Function, Inst, Opcode, Operand, Param, Reg};
use std::collections::BTreeMap;

/// Parameters that an option may name.
const MAX_PARAMETER: u64 = 255;

/// The row of the registry.
pub(crate) static INFO: PassInfo = PassInfo {
    name: "rse",
    summary: "remove stores to an interpreter's stacks (see the options) that are not visible at the exits of a trace",
    options: &[
        OptionInfo {
            name: "data",
            kind: OptionKind::Number { default: 0, max: MAX_PARAMETER },
            summary: "number of the parameter that is the data stack, from 1; 0 for none",
        },
        OptionInfo {
            name: "return",
            kind: OptionKind::Number { default: 0, max: MAX_PARAMETER },
            summary: "number of the parameter that is the return stack, from 1; 0 for none",
        },
    ],
    build: |options| match [options.number("data"), options.number("return")] {
        [0, 0] => Pass::Function(Box::new(NoStack)),
        parameters => Pass::Trace(Box::new(Rse { parameters })),
    },
};

/// The pass without a stack: it accepts any function and leaves it unchanged.
struct NoStack;

impl FunctionPass for NoStack {
    fn run(&self, _: &mut Function, _: &mut PassContext<'_>) -> Preserved {
        Preserved::All
    }
}

struct Rse {
    parameters: [u64; 2],
}

impl TracePass for Rse {
    fn run(&self, f: &mut Function, form: &TraceForm, cx: &mut PassContext<'_>) -> Preserved {
        let mut removed = 0;
        for number in self.parameters {
            let parameter = number.checked_sub(1).and_then(|k| f.params.get(k as usize));
            let Some(&Param::Reg(stack)) = parameter else { continue };
            match use_otherwise(f, form, stack) {
                Some(by) => report_escape(f, stack, by, cx.remarks),
                None => removed += Walk::new(stack).run(f, form, cx.remarks),
            }
        }
        cx.stats.add("stores removed", removed);
        Preserved::cfg_if(removed != 0)
    }
}

/// Step 1: an instruction that uses a stack in another way.
fn use_otherwise(f: &Function, form: &TraceForm, stack: Reg) -> Option<Inst> {
    let mut tops = EntitySet::new();
    tops.insert(stack);
    for i in form.exits.iter().flat_map(|e| f.layout().insts(e.block)).filter(|i| top_of(f, *i, stack).is_some()) {
        tops.extend(f.def(i));
    }
    let exits: EntitySet<Block> = form.exits.iter().map(|e| e.block).collect();
    let is_plain = |i: Inst, b: Block| {
        let d = f.inst(i);
        let is_at_exit = exits.contains(b);
        match d.op {
            Opcode::Load => !d.is_volatile() && offset_of(f, i, stack).is_some(),
            Opcode::Store => {
                let m = f.mem(i);
                let is_given = d.stored().as_reg().is_some_and(|r| tops.contains(r));
                let is_through = |r: Reg| tops.contains(r);
                let is_other_memory =
                    !matches!(m.base, Base::Reg(r) if is_through(r)) && !m.index.is_some_and(is_through);
                let accesses = !d.is_volatile() && !is_given && offset_of(f, i, stack).is_some();
                accesses || is_at_exit && is_given && is_other_memory
            }
            _ => is_at_exit && (d.op.format() == Format::Return || top_of(f, i, stack).is_some()),
        }
    };
    let uses = |i: Inst| {
        let mut uses = f.def(i) == Some(stack);
        f.for_each_use(i, |r| uses |= tops.contains(r));
        uses
    };
    let mut all = f.layout().blocks().flat_map(|b| f.layout().insts(b).map(move |i| (i, b)));
    all.find(|(i, b)| uses(*i) && (f.def(*i) == Some(stack) || !is_plain(*i, *b))).map(|(i, _)| i)
}

/// Returns the offset that is added to a stack, where an instruction does that and nothing else.
fn top_of(f: &Function, i: Inst, stack: Reg) -> Option<i64> {
    let d = f.inst(i);
    match d.op {
        Opcode::Lea => offset_of(f, i, stack),
        Opcode::Add if d.first() == Operand::reg(stack) => f.constant(d.second()),
        _ => None,
    }
}

fn report_escape(f: &Function, stack: Reg, by: Inst, remarks: &mut Remarks) {
    for i in f.layout().all_insts().filter(|i| f.inst(*i).op == Opcode::Store && offset_of(f, *i, stack).is_some()) {
        remarks.missed(f, i, Event::StackEscapes(by));
    }
}

/// Returns the offset of an access from the bottom of a stack.
fn offset_of(f: &Function, i: Inst, stack: Reg) -> Option<i64> {
    let m = f.mem(i);
    (m.base == Base::Reg(stack) && m.index.is_none()).then_some(i64::from(m.disp))
}

/// Step 2: the top at an exit, if the exit gives it.
fn top_at(f: &Function, exit: &TraceExit, stack: Reg) -> Option<i64> {
    let mut tops = f.layout().insts(exit.block).filter_map(|i| {
        let d = f.inst(i);
        match d.op.format() {
            Format::Return | Format::Store => {
                let value = if d.op.format() == Format::Return { d.first() } else { d.stored() };
                (value == Operand::reg(stack)).then_some(0)
            }
            _ => top_of(f, i, stack),
        }
    });
    let first = tops.next()?;
    // The higher of two is the safe answer.
    Some(tops.fold(first, i64::max))
}

/// The reason bytes are live.
#[derive(Copy, Clone)]
enum Reader {
    Exit(Block),
    Loop,
    Read(Inst),
}

/// Step 3 for one stack.
struct Walk {
    stack: Reg,
    /// Disjoint ranges of dead bytes: the end of each by its start.
    dead: BTreeMap<i64, i64>,
    /// The last thing that made bytes live, for remarks.
    reader: Option<Reader>,
    removed: u64,
}

impl Walk {
    fn new(stack: Reg) -> Walk {
        Walk { stack, dead: BTreeMap::new(), reader: None, removed: 0 }
    }
    fn run(mut self, f: &mut Function, form: &TraceForm, remarks: &mut Remarks) -> u64 {
        // Without a loop the last exit, which is visited first, determines the live bytes.
        self.add(i64::MIN, i64::MAX);
        if let Some(header) = form.header {
            let first = form.path.iter().position(|b| *b == header).expect("the header is on the path");
            self.walk(f, form, first, None);
            self.reader = Some(Reader::Loop);
        }
        self.walk(f, form, 0, Some(remarks));
        self.removed
    }
    /// Steps 3 and 4: walks from the end of the path to its block of this number. Stores are removed where there are
    /// remarks.
    fn walk(&mut self, f: &mut Function, form: &TraceForm, first: usize, mut remarks: Option<&mut Remarks>) {
        let mut exits = form.exits.iter().rev().peekable();
        for (at, &b) in form.path.iter().enumerate().skip(first).rev() {
            while let Some(exit) = exits.next_if(|e| e.from == at) {
                self.leave_by(f, exit);
            }
            let mut next = f.layout().last_inst(b);
            while let Some(i) = next {
                next = f.layout().prev_inst(i);
                self.visit(f, i, remarks.as_deref_mut());
            }
        }
    }
    /// Bytes below the top of an exit are live.
    fn leave_by(&mut self, f: &Function, exit: &TraceExit) {
        let top = top_at(f, exit, self.stack).unwrap_or(i64::MAX);
        self.remove(i64::MIN, top);
        self.reader = Some(Reader::Exit(exit.block));
        for i in f.layout().insts(exit.block).filter(|i| f.inst(*i).op == Opcode::Load) {
            if let Some((start, end)) = self.bytes_of(f, i) {
                self.remove(start, end);
            }
        }
    }
    /// Returns the bytes of the stack that a load or store accesses.
    fn bytes_of(&self, f: &Function, i: Inst) -> Option<(i64, i64)> {
        let start = offset_of(f, i, self.stack)?;
        Some((start, start + i64::from(f.inst(i).ty.bytes())))
    }
    fn visit(&mut self, f: &mut Function, i: Inst, remarks: Option<&mut Remarks>) {
        let op = f.inst(i).op;
        if !matches!(op, Opcode::Load | Opcode::Store) {
            return;
        }
        let Some((start, end)) = self.bytes_of(f, i) else { return };
        if op == Opcode::Load {
            self.remove(start, end);
            self.reader = Some(Reader::Read(i));
            return;
        }
        let Some(remarks) = remarks else { return self.add(start, end) };
        if self.is_dead(start, end) {
            remarks.done(f, i, Event::DeadOnTheTrace);
            f.remove_inst(i);
            self.removed += 1;
        } else {
            let event = match self.reader {
                Some(Reader::Exit(exit)) => Event::ReadAtAnExit(exit),
                Some(Reader::Read(by)) => Event::ReadOnTheTrace(by),
                Some(Reader::Loop) | None => Event::ReadInTheLoop,
            };
            remarks.missed(f, i, event);
            self.add(start, end);
        }
    }

    // ---- Dead bytes ----

    fn is_dead(&self, start: i64, end: i64) -> bool {
        self.dead.range(..=start).next_back().is_some_and(|(_, e)| *e >= end)
    }
    fn add(&mut self, mut start: i64, mut end: i64) {
        while let Some((&s, &e)) = self.dead.range(..=end).next_back().filter(|(_, e)| **e >= start) {
            self.dead.remove(&s);
            (start, end) = (start.min(s), end.max(e));
        }
        self.dead.insert(start, end);
    }
    fn remove(&mut self, start: i64, end: i64) {
        while let Some((&s, &e)) = self.dead.range(..end).next_back().filter(|(_, e)| **e > start) {
            self.dead.remove(&s);
            if s < start {
                self.dead.insert(s, start);
            }
            if e > end {
                self.dead.insert(end, e);
            }
        }
    }
}

events! {
    enum Event {
        DeadOnTheTrace: "dead-store", "is stored again or dropped before the trace may be left";
        ReadAtAnExit(exit: Block): "store-stays", "may be read after the exit {exit}";
        ReadInTheLoop: "store-stays", "may be read in a later iteration";
        ReadOnTheTrace(by: Inst): "store-stays", "is read on the trace: {by}";
        StackEscapes(by: Inst): "store-stays", "is in a stack whose address is used otherwise: {by}";
    }
}

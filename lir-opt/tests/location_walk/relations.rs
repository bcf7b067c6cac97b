//! Finds the relation of an instruction to the one whose line it has.

use super::lines::Lines;
use super::record::Record;
use lir_syntax::ir::function::NO_LOC;
use lir_syntax::ir::{Block, CallArg, Cfg, Decls, EntityRef, Format, Function, Inst, Opcode, Reg, Sym, TailMark};
use lir_syntax::printer::FunctionPrinter;
use std::cell::OnceCell;
use std::collections::HashSet;

/// A function before a pass and after.
pub struct Comparison<'a> {
    /// Declarations after the pass.
    pub decls: &'a Decls,
    /// The module before the pass.
    pub lines: &'a Lines,
    /// The remarks of the pass.
    pub record: &'a Record,
    /// Before.
    pub old: &'a Function,
    /// After.
    pub new: &'a Function,
    printers: [FunctionPrinter<'a>; 2],
    cfg: Cfg,
    /// The looks of the instructions of before.
    looks: OnceCell<HashSet<Look<'a>>>,
}

/// An instruction without the numbers of its registers: its text, and the names of the registers that it assigns and
/// reads.
type Look<'a> = (Vec<u8>, Vec<&'a [u8]>);

/// The look of an instruction that has a register with a name, and is neither a phi nor a terminator, which depend on
/// blocks, nor a `select`, which a branch may have become.
fn look<'a>(f: &'a Function, printer: &FunctionPrinter<'_>, i: Inst) -> Option<Look<'a>> {
    let op = f.inst(i).op;
    let names: Vec<&[u8]> = f.def(i).into_iter().chain(reads(f, i)).map(|r| f.names.get(f.regs[r].name)).collect();
    let can_be_told = names.iter().any(|n| !n.is_empty()) && op != Opcode::Phi && op.format() != Format::Select;
    (can_be_told && !op.is_terminator()).then(|| (shape(f, printer, i), names))
}

/// The block of an instruction that is in one.
fn block_of(f: &Function, i: Inst) -> Block {
    f.layout().block_of(i).expect("the instruction is in a block")
}

/// An instruction as text, without the names of registers and objects; of a phi or a terminator the mnemonic.
fn shape(f: &Function, printer: &FunctionPrinter<'_>, i: Inst) -> Vec<u8> {
    let op = f.inst(i).op;
    if op == Opcode::Phi || op.is_terminator() {
        return op.mnemonic().into();
    }
    let mut text = Vec::new();
    printer.inst(i, &mut text);
    let (mut out, mut rest) = (Vec::new(), &text[..]);
    while let [first, after @ ..] = rest {
        out.push(*first);
        let name = if matches!(first, b'%' | b'$') { name_len(after) } else { 0 };
        rest = &after[name..];
    }
    // A body that is inlined into a call without a mark loses the marks of its own calls.
    if f.inst(i).op == Opcode::Call && f.inst(i).tail_mark() != TailMark::None {
        let at = out.windows(5).position(|w| w == b"tail ").expect("a mark is printed");
        out.drain(at..at + 5);
    }
    out
}

/// The bytes of the name at the beginning of a text.
fn name_len(text: &[u8]) -> usize {
    if text.first() != Some(&b'"') {
        return text.iter().take_while(|c| c.is_ascii_alphanumeric() || b"._-$".contains(c)).count();
    }
    let mut end = 1;
    while text[end] != b'"' {
        end += 1 + usize::from(text[end] == b'\\');
    }
    end + 1
}

fn reads(f: &Function, i: Inst) -> Vec<Reg> {
    let mut regs = Vec::new();
    f.for_each_use(i, |r| regs.push(r));
    regs
}

impl<'a> Comparison<'a> {
    /// Compares a function with its old form.
    pub fn new(decls: &'a Decls, lines: &'a Lines, record: &'a Record, new: &'a Function) -> Option<Comparison<'a>> {
        let old = lines.functions.get(&new.sym)?;
        let printers = [old, new].map(|f| FunctionPrinter::new(decls, f));
        Some(Comparison { decls, lines, record, old, new, printers, cfg: Cfg::new(new), looks: OnceCell::new() })
    }
    /// True if an instruction was there before the pass.
    pub fn existed(&self, i: Inst) -> bool {
        i.index() < self.old.num_insts() && self.old.layout().block_of(i).is_some()
    }
    /// True if an instruction of before is not there any more, or does something else.
    fn is_another(&self, s: Inst) -> bool {
        let (old, new) = (self.old, self.new);
        new.layout().block_of(s).is_none()
            || old.inst(s).op != new.inst(s).op
            || shape(old, &self.printers[0], s) != shape(new, &self.printers[1], s)
            || reads(old, s) != reads(new, s)
            || old.inst(s).op.is_terminator() && old.succs(block_of(old, s)) != new.succs(block_of(new, s))
    }
    /// True if an old instruction is another now, or is in another block.
    pub fn was_touched(&self, i: Inst) -> bool {
        self.is_another(i) || block_of(self.old, i) != block_of(self.new, i)
    }
    fn is_spoken_of(&self, s: Inst) -> bool {
        self.record.speaks_of(self.old.loc_of(s))
    }
    /// Returns the name of the relation of an instruction to the one of its line: see the module above.
    pub fn relation(&self, i: Inst, (sym, s): (Sym, Inst)) -> Option<&'static str> {
        let (old, new) = (self.old, self.new);
        let source = &self.lines.functions[&sym];
        let op = new.inst(i).op;
        if (sym, s) == (new.sym, i) {
            let is_as_before = new.def(i) == old.def(s) || !self.is_another(s);
            return (is_as_before || self.is_spoken_of(s)).then_some("own");
        }
        let touches_memory = |op: Opcode| !op.effects().is_pure();
        let rules: [(&str, &dyn Fn() -> bool); 11] = [
            ("copy", &|| self.is_copy(i, source, s)),
            ("return", &|| sym != new.sym && is_of_return(new, i, source, s)),
            ("result", &|| self.is_result_of(i, source, s)),
            ("terminator", &|| sym == new.sym && self.is_on_the_way(i, s)),
            ("front", &|| {
                !self.existed(i) && self.is_front(i) && (self.leads_on(i) || sym == new.sym && self.is_after_phis(i, s))
            }),
            ("access", &|| sym == new.sym && self.is_same_access(i, s)),
            ("operation", &|| sym == new.sym && self.is_spoken_of(s) && self.is_another(s) && old.inst(s).op == op),
            ("place", &|| {
                let is_changed = || self.is_another(s) || touches_memory(op) && touches_memory(old.inst(s).op);
                let is_inlined = || self.record.says_inlined(old.loc_of(s));
                let is_part = || !is_inlined() && !self.is_copy_at_end(i, source, s);
                sym == new.sym && self.is_spoken_of(s) && is_changed() && is_part() && self.is_next_to(i, s)
            }),
            ("argument", &|| self.is_before_inlined(i, source, s)),
            ("test", &|| sym == new.sym && self.is_spoken_of(s) && self.tests_as(i, s)),
            ("entry", &|| sym == new.sym && op.effects().is_pure() && self.is_before_a_loop(i, s)),
        ];
        rules.into_iter().find(|(_, holds)| holds()).map(|(name, _)| name)
    }
    /// Adds instructions that compute an operand of an instruction with the same line, and new ones that are computed
    /// from one.
    pub fn add_computations(&self, group: &[Inst], (sym, s): (Sym, Inst), explained: &mut HashSet<Inst>) {
        let source = &self.lines.functions[&sym];
        loop {
            let before = explained.len();
            let all: Vec<Inst> = group.iter().copied().filter(|i| explained.contains(i)).collect();
            let read: HashSet<Reg> = all.iter().flat_map(|i| reads(self.new, *i)).collect();
            let made: HashSet<Reg> = all.iter().filter(|i| !self.existed(**i)).flat_map(|i| self.new.def(*i)).collect();
            let belongs = |i: &Inst| {
                let is_read = self.new.def(*i).is_some_and(|r| read.contains(&r));
                is_read || !self.existed(*i) && reads(self.new, *i).iter().any(|r| made.contains(r))
            };
            explained.extend(group.iter().copied().filter(|i| belongs(i) && !self.is_copy_at_end(*i, source, s)));
            if explained.len() == before {
                return;
            }
        }
    }
    /// True if an instruction assigns the register that another one assigned, or one named after it if that was
    /// removed. In a callee that was inlined the other one is a call that was replaced by a body before.
    fn is_result_of(&self, i: Inst, source: &Function, s: Inst) -> bool {
        let new = self.new;
        let Some((r, was)) = new.def(i).zip(source.def(s)) else { return false };
        let have_one_name = || new.names.get(new.regs[r].name) == source.names.get(source.regs[was].name);
        if source.sym != new.sym {
            let is_inlined = self.record.says_inlined(source.loc_of(s));
            return is_inlined && new.inst(i).op == Opcode::Phi && have_one_name();
        }
        r == was || new.layout().block_of(s).is_none() && have_one_name()
    }
    /// True if an instruction is a copy of another, possibly in an inlined function: the same except for registers,
    /// with a register of the same name. A phi or a terminator is in a copy of the other's block.
    fn is_copy(&self, i: Inst, source: &Function, s: Inst) -> bool {
        let new = self.new;
        let other;
        let printer = if source.sym == new.sym {
            &self.printers[0]
        } else {
            other = FunctionPrinter::new(self.decls, source);
            &other
        };
        if new.inst(i).op != source.inst(s).op || shape(new, &self.printers[1], i) != shape(source, printer, s) {
            return false;
        }
        // The first block of a callee is appended to the instructions before the call.
        let is_first = source.sym != new.sym && block_of(source, s) == source.entry();
        let op = new.inst(i).op;
        if op.is_terminator() {
            return is_first || self.is_in_copy(i, source, s);
        }
        match (new.def(i), source.def(s)) {
            (Some(r), Some(q)) => new.names.get(new.regs[r].name) == source.names.get(source.regs[q].name),
            (None, None) => true,
            _ => false,
        }
    }
    /// True if an instruction is in a copy of another's block: it has the block's name.
    fn is_in_copy(&self, i: Inst, source: &Function, s: Inst) -> bool {
        let name = |f: &'a Function, i: Inst| f.names.get(f.block(block_of(f, i)).name);
        let source: &'a Function = &self.lines.functions[&source.sym];
        name(self.new, i) == name(source, s)
    }
    /// True if a jump or branch ends the block that another one ended, or a copy of that, or a new block after it.
    fn is_on_the_way(&self, i: Inst, s: Inst) -> bool {
        let (old, new) = (self.old, self.new);
        if !new.inst(i).op.is_terminator() || !old.inst(s).op.is_terminator() {
            return false;
        }
        let (b, p) = (block_of(new, i), block_of(old, s));
        let (mut open, mut seen) = (vec![b], HashSet::from([b]));
        while let Some(at) = open.pop() {
            if at == p {
                return true;
            }
            if at.index() >= old.num_blocks() {
                open.extend(self.cfg.preds(at).iter().copied().filter(|q| seen.insert(*q)));
            }
        }
        self.is_in_copy(i, old, s)
    }
    /// True if an instruction is a phi, or a new constant that was one.
    fn is_front(&self, i: Inst) -> bool {
        let d = self.new.inst(i);
        d.op == Opcode::Phi || d.op.format() == Format::Const && !self.existed(i)
    }
    /// True if the next instruction in the front of a block, or the first one after it, is new and no phi, and has this
    /// line, which is checked there.
    fn leads_on(&self, i: Inst) -> bool {
        let layout = self.new.layout();
        for j in std::iter::successors(layout.next_inst(i), |j| layout.next_inst(*j)) {
            if !self.existed(j) && self.new.inst(j).op != Opcode::Phi && self.have_one_line(i, j) {
                return true;
            }
            if !self.is_front(j) {
                break;
            }
        }
        false
    }
    /// True if the other instruction is or was the first one after a phi, or after all phis of its block.
    fn is_after_phis(&self, phi: Inst, s: Inst) -> bool {
        let f = self.new;
        let mut existing = f.layout().insts(block_of(f, phi)).filter(|i| self.existed(*i));
        let first = existing.next();
        first == Some(s)
            || first.into_iter().chain(existing).find(|i| f.inst(*i).op != Opcode::Phi) == Some(s)
            || f.layout().block_of(s).is_none() && self.is_next_to(phi, s)
    }
    /// True if two instructions access the same memory in the same way, or a block operation replaced the other one's
    /// loop.
    fn is_same_access(&self, i: Inst, s: Inst) -> bool {
        let (old, new) = (self.old, self.new);
        let (op, of) = (new.inst(i).op, old.inst(s).op);
        if !matches!(of, Opcode::Load | Opcode::Store) {
            return false;
        }
        let is_loop = || old.layout().insts(block_of(old, s)).any(|j| self.record.says_loop(old.loc_of(j)));
        match op.format() {
            Format::MemCopy | Format::MemFill => is_loop(),
            _ => op == of && new.mem(i) == old.mem(s),
        }
    }
    /// True if only new instructions are between an instruction and the place of another one, which may have been
    /// removed, or the end of a new block that has this line, too.
    fn is_next_to(&self, i: Inst, s: Inst) -> bool {
        let (old, new) = (self.old.layout(), self.new.layout());
        let stays = |j: &Inst| new.block_of(*j).is_some();
        let after = std::iter::successors(new.next_inst(i), |j| new.next_inst(*j)).find(|j| self.existed(*j));
        let before = std::iter::successors(new.prev_inst(i), |j| new.prev_inst(*j)).find(|j| self.existed(*j));
        let end = self.new.terminator(block_of(self.new, i));
        if after == Some(s) || before == Some(s) || after.is_none() && self.have_one_line(i, end) {
            return true;
        }
        let after_s = || std::iter::successors(old.next_inst(s), |j| old.next_inst(*j)).find(stays);
        let before_s = || std::iter::successors(old.prev_inst(s), |j| old.prev_inst(*j)).find(stays);
        !stays(&s) && (after.is_some() && after == after_s() || before.is_some() && before == before_s())
    }
    /// True if a new instruction looks like a copy of some other one, and has the line of a jump, branch or switch:
    /// copies of a loop's body do not have the line of its end.
    fn is_copy_at_end(&self, i: Inst, source: &Function, s: Inst) -> bool {
        let looks_of_all = || {
            let all = self.old.layout().all_insts();
            all.filter_map(|s| look(self.old, &self.printers[0], s)).collect()
        };
        !self.existed(i)
            && matches!(source.inst(s).op.format(), Format::Jump | Format::Branch | Format::Switch)
            && look(self.new, &self.printers[1], i).is_some_and(|l| self.looks.get_or_init(looks_of_all).contains(&l))
    }
    /// True if an instruction moves an argument, right before the body that replaced a call, also in an inlined callee.
    /// The parameters of a body may have no line.
    fn is_before_inlined(&self, i: Inst, source: &Function, s: Inst) -> bool {
        let (layout, origins, op) = (self.new.layout(), &self.new.origins, self.new.inst(i).op);
        let is_move = matches!(op, Opcode::Copy | Opcode::Memcpy | Opcode::StackSave) || op.format() == Format::Const;
        if !is_move {
            return false;
        }
        let has_no_line = |j: Inst| self.new.loc_of(j) == NO_LOC;
        let mut following = std::iter::successors(layout.next_inst(i), |j| layout.next_inst(*j));
        if source.sym == self.new.sym && self.copies_argument(i, s) {
            return true;
        }
        let Some(body) = following.find(|j| !self.have_one_line(i, *j) && !has_no_line(*j)) else { return false };
        let calls: Vec<_> = origins.calls_of(self.new.debug_loc(body)).collect();
        // The calls around both are the last ones.
        let depth = origins.calls_of(self.new.debug_loc(i)).count() + 1;
        let call = calls.len().checked_sub(depth).map(|k| calls[k]);
        call.is_some_and(|call| origins.offset(call.call) == source.loc_of(s))
    }
    /// True if an instruction copies an aggregate that a call passed: the body may be nothing but its `ret`.
    fn copies_argument(&self, i: Inst, call: Inst) -> bool {
        let formats = (self.new.inst(i).op.format(), self.old.inst(call).op.format());
        let copied = |arg| matches!(arg, CallArg::Agg(_, from) if from == self.new.mem_src(i));
        formats == (Format::MemCopy, Format::Call) && self.old.call_args(call).any(copied)
    }
    /// True if an instruction compares the operands of a branch, or selects by the register that it tested.
    fn tests_as(&self, i: Inst, branch: Inst) -> bool {
        let (new, old) = (self.new.inst(i), self.old.inst(branch));
        old.op.format() == Format::Branch
            && match new.op.format() {
                Format::Compare => reads(self.new, i) == reads(self.old, branch),
                Format::Select => reads(self.old, branch) == Vec::from_iter(new.first().as_reg()),
                _ => false,
            }
    }
    fn have_one_line(&self, i: Inst, j: Inst) -> bool {
        self.new.loc_of(i) == self.new.loc_of(j)
    }
    /// True if an instruction is in a block that leads to a loop, and has the line of the block's terminator.
    fn is_before_a_loop(&self, i: Inst, s: Inst) -> bool {
        let b = block_of(self.new, i);
        let index = |b: Block| self.cfg.rpo_index(b);
        let is_header = |h: &Block| self.cfg.preds(*h).iter().any(|p| index(*p) >= index(*h));
        let ends = self.old.inst(s).op.is_terminator() && self.have_one_line(i, self.new.terminator(b));
        ends && self.new.succs(b).iter().any(is_header)
    }
}

/// True if an instruction is part of a return in a body that replaced a call.
fn is_of_return(f: &Function, i: Inst, source: &Function, s: Inst) -> bool {
    let made = [Opcode::Jmp, Opcode::Unreachable, Opcode::Copy, Opcode::Memcpy, Opcode::StackRestore];
    let is_return = matches!(source.inst(s).op.format(), Format::Return | Format::AggReturn);
    is_return && (made.contains(&f.inst(i).op) || f.inst(i).op.format() == Format::Const)
}

//! What passes say about what they did with a value, and why they did not.
//!
//! A pass calls [`Remarks::done`], [`Remarks::missed`] or [`Remarks::note`] with the instruction it speaks of, the name
//! of the event, and a closure that writes the sentence. The closure runs only where somebody listens (`--explain=%v`
//! for one value, `--remarks=FILE` for all), so that a reason may be costly to find; otherwise a call costs the test of
//! one bool. Names are those that every print of the run shows; what the pass made has its name when the pass has
//! ended. Places are offsets of the source until the remarks are printed. What a pass changed and did not speak of is
//! said for it by [`crate::pipeline::implied_changes`].
//!
//! ```text
//! cx.remarks.done(f, i, "merged", |m| m.text("has the value of ").reg(earlier));
//! ```
//!
//! What the idea comes from: the optimization remarks of LLVM ("-pass-remarks", `llvm::OptimizationRemarkEmitter`).

use crate::pass::PassRun;
use lir_syntax::ir::function::{NO_LOC, SourceLoc};
use lir_syntax::ir::{Block, Decls, EntityRef, Function, Inst, Obj, Operand, Reg, Sym, Type};
use lir_syntax::printer::{FunctionPrinter, print_constant, print_sym};
use lir_syntax::text::source::{LineTable, Source};
use rustc_hash::FxHashSet;
use std::fmt::Write;

/// What somebody wants to hear.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum Listen {
    /// Nothing.
    #[default]
    Off,
    /// What is said about the registers of a name.
    Value(ListenTo),
    /// Everything.
    All,
}

/// A name to listen to.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ListenTo {
    /// As it is printed, without `%`.
    pub name: String,
    /// The functions in which it is a variable with several assignments, which become registers that are named after
    /// it: those are listened to as well.
    pub variable_in: Vec<Sym>,
}

impl ListenTo {
    fn hears(&self, f: &Function, r: Reg, printed: &str) -> bool {
        let follows = || f.names.get(f.regs[r].name) == self.name.as_bytes() && self.variable_in.contains(&f.sym);
        printed.strip_prefix('%') == Some(&self.name) || follows()
    }
}

/// What a remark says happened.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum RemarkKind {
    /// The pass changed something.
    Done,
    /// The pass would have liked to, and says why it did not.
    Missed,
    /// A fact that the pass found.
    Note,
}

impl RemarkKind {
    /// As in the file of remarks.
    pub fn name(self) -> &'static str {
        match self {
            RemarkKind::Done => "done",
            RemarkKind::Missed => "missed",
            RemarkKind::Note => "note",
        }
    }
}

/// One remark.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Remark {
    /// The pass.
    pub run: PassRun,
    /// What it says happened.
    pub kind: RemarkKind,
    /// The event, in kebab case: `merged`.
    pub event: &'static str,
    /// The function, with `@`.
    pub function: String,
    /// The block of the instruction.
    pub block: String,
    /// The register that the instruction assigns, with `%`.
    pub value: Option<String>,
    /// Where the instruction stands in the source; [`NO_LOC`] if nowhere.
    pub loc: SourceLoc,
    message: Vec<Piece>,
}

/// A part of a sentence.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Piece {
    Text(String),
    /// The line of this offset.
    Line(SourceLoc),
    /// What the pass made, which has no name yet.
    New(Made),
}

/// An entity that the pass has made.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
enum Made {
    Reg(Reg),
    Block(Block),
    Obj(Obj),
}

/// Where a remark speaks of what the pass made: in its message, and as its value or block.
struct Unnamed {
    /// The number of the remark.
    remark: usize,
    sym: Sym,
    value: Option<Reg>,
    block: Option<Block>,
}

/// What a pass spoke of as changed, heard or not.
#[derive(Default)]
struct Spoken {
    functions: FxHashSet<Sym>,
    insts: FxHashSet<(Sym, Inst)>,
    regs: FxHashSet<(Sym, Reg)>,
    /// The blocks of terminators.
    blocks: FxHashSet<(Sym, Block)>,
}

/// What was said so far, and what is listened to.
#[derive(Default)]
pub struct Remarks {
    on: bool,
    listen: Listen,
    run: PassRun,
    names: Names,
    said: Vec<Remark>,
    /// Those of the pass that is running, in order.
    unnamed: Vec<Unnamed>,
    /// Numbers of remarks about what turned out to have a name that nobody listens to.
    unheard: Vec<usize>,
    spoken: Spoken,
}

impl Remarks {
    /// Nothing said yet, and somebody listens to this.
    pub fn new(listen: Listen) -> Remarks {
        Remarks { on: listen != Listen::Off, listen, ..Remarks::default() }
    }
    /// Whether anybody listens.
    #[inline]
    pub fn on(&self) -> bool {
        self.on
    }
    /// Whether somebody listens to what is said about one value alone.
    pub(crate) fn is_about_a_value(&self) -> bool {
        matches!(self.listen, Listen::Value(_))
    }
    /// Whether anybody listens to what is said about a register.
    #[inline]
    pub fn wants(&self, r: Reg) -> bool {
        self.on && self.hears(Some(r))
    }
    /// Gives what the pass made in a function its names, where remarks speak of it: the pass has ended.
    pub(crate) fn name_what_was_made(&mut self, decls: &Decls, f: &Function) {
        if self.unnamed.iter().all(|u| u.sym != f.sym) {
            return;
        }
        let names = Names::of(&self.listen, decls, f);
        // A function that is no more is given as it was before the pass.
        let name = |names: &[String], k: usize| names.get(k).cloned().unwrap_or_default();
        for u in self.unnamed.extract_if(.., |u| u.sym == f.sym) {
            let remark = &mut self.said[u.remark];
            if let Some(r) = u.value {
                remark.value = Some(name(&names.regs, r.index()));
                if names.heard.get(r.index()) == Some(&false) {
                    self.unheard.push(u.remark);
                }
            }
            if let Some(b) = u.block {
                remark.block = name(&names.blocks, b.index());
            }
            for piece in &mut remark.message {
                if let Piece::New(made) = *piece {
                    *piece = Piece::Text(match made {
                        Made::Reg(r) => name(&names.regs, r.index()),
                        Made::Block(b) => name(&names.blocks, b.index()),
                        Made::Obj(o) => name(&names.objs, o.index()),
                    });
                }
            }
        }
    }
    /// Says that the pass did something with an instruction.
    #[inline]
    pub fn done(&mut self, f: &Function, i: Inst, event: &'static str, write: impl FnOnce(&mut Message<'_>)) {
        if self.on {
            self.spoken.about(f, i);
            self.say(RemarkKind::Done, (f, i, f.def(i)), event, write);
        }
    }
    /// Says for the pass what came of it, about an instruction of the function before it.
    pub(crate) fn unsaid(&mut self, f: &Function, i: Inst, event: &'static str, write: impl FnOnce(&mut Message<'_>)) {
        self.spoken.functions.insert(f.sym);
        self.say(RemarkKind::Done, (f, i, f.def(i)), event, write);
    }
    /// Says why the pass left an instruction as it is.
    #[inline]
    pub fn missed(&mut self, f: &Function, i: Inst, event: &'static str, write: impl FnOnce(&mut Message<'_>)) {
        if self.on {
            self.say(RemarkKind::Missed, (f, i, f.def(i)), event, write);
        }
    }
    /// Says what the pass found out about an instruction.
    #[inline]
    pub fn note(&mut self, f: &Function, i: Inst, event: &'static str, write: impl FnOnce(&mut Message<'_>)) {
        if self.on {
            self.say(RemarkKind::Note, (f, i, f.def(i)), event, write);
        }
    }
    /// Says what the pass did with a register that the instruction reads, or read.
    #[inline]
    pub(crate) fn done_of(
        &mut self,
        f: &Function,
        i: Inst,
        value: Reg,
        event: &'static str,
        write: impl FnOnce(&mut Message<'_>),
    ) {
        if self.on {
            self.spoken.functions.insert(f.sym);
            self.spoken.regs.insert((f.sym, value));
            self.say(RemarkKind::Done, (f, i, Some(value)), event, write);
        }
    }
    /// Says something about an instruction that is (still) in a block, and a value.
    fn say(
        &mut self,
        kind: RemarkKind,
        (f, i, value): (&Function, Inst, Option<Reg>),
        event: &'static str,
        write: impl FnOnce(&mut Message<'_>),
    ) {
        self.names.update_unless_of(&self.listen, f);
        if !self.hears(value) {
            return;
        }
        let mut message = Message { f, names: &self.names, pieces: Vec::new() };
        write(&mut message);
        let message = message.pieces;
        let at = f.layout().block_of(i);
        let unnamed = Unnamed {
            remark: self.said.len(),
            sym: f.sym,
            value: value.filter(|r| r.index() >= self.names.regs.len()),
            block: at.filter(|b| b.index() >= self.names.blocks.len()),
        };
        let speaks_of_new = message.iter().any(|p| matches!(p, Piece::New(_)));
        if speaks_of_new || unnamed.value.is_some() || unnamed.block.is_some() {
            self.unnamed.push(unnamed);
        }
        let known = |names: &[String], k: usize| names.get(k).cloned().unwrap_or_default();
        self.said.push(Remark {
            run: self.run,
            kind,
            event,
            function: self.names.function.clone(),
            block: at.map_or(String::new(), |b| known(&self.names.blocks, b.index())),
            value: value.map(|r| known(&self.names.regs, r.index())),
            loc: f.loc_of(i),
            message,
        });
    }
    fn hears(&self, value: Option<Reg>) -> bool {
        match (&self.listen, value) {
            (Listen::All, _) => true,
            // What has no name yet may be it.
            (Listen::Value(_), Some(r)) => self.names.heard.get(r.index()).is_none_or(|heard| *heard),
            (Listen::Value(_), None) | (Listen::Off, _) => false,
        }
    }
    /// A pass over a function begins.
    pub(crate) fn begin(&mut self, run: PassRun, decls: &Decls, f: &Function) {
        if self.on {
            self.run = run;
            self.names = Names::of(&self.listen, decls, f);
            self.spoken.clear();
        }
    }
    /// A pass over the module begins. The names of a function are taken when it is first spoken of.
    pub(crate) fn begin_module(&mut self, run: PassRun, decls: &Decls) {
        if self.on {
            self.run = run;
            self.names = Names { functions: function_names(decls), ..Names::default() };
            self.spoken.clear();
        }
    }
    /// From here on names are those of a function as it is here.
    pub(crate) fn take_names(&mut self, decls: &Decls, f: &Function) {
        self.names = Names::of(&self.listen, decls, f);
    }
    /// Whether the pass spoke of an instruction as changed, or of the register that it assigns.
    pub(crate) fn spoke_of(&self, f: &Function, i: Inst, def: Option<Reg>) -> bool {
        let of_reg = |r| self.spoken.regs.contains(&(f.sym, r));
        self.spoken.insts.contains(&(f.sym, i)) || def.is_some_and(of_reg)
    }
    /// Whether the pass spoke of what ends a block as changed.
    pub(crate) fn spoke_of_block(&self, f: &Function, b: Block) -> bool {
        self.spoken.blocks.contains(&(f.sym, b))
    }
    /// Whether anything was said to have changed in a function.
    pub(crate) fn spoke_of_function(&self, f: &Function) -> bool {
        self.spoken.functions.contains(&f.sym)
    }
    /// How much was said so far.
    pub(crate) fn len(&self) -> usize {
        self.said.len()
    }
    /// Takes back the remarks from number `len` on, but for those of what was done: the pass goes through the function
    /// again.
    pub(crate) fn keep_done_since(&mut self, len: usize) {
        let since = self.said.split_off(len);
        let mut places = Vec::new();
        for remark in since {
            places.push((remark.kind == RemarkKind::Done).then_some(self.said.len()));
            self.said.extend(places.last().expect("it was pushed").map(|_| remark));
        }
        self.unnamed.retain_mut(|u| {
            let place = u.remark.checked_sub(len).map_or(Some(u.remark), |k| places[k]);
            u.remark = place.unwrap_or(u.remark);
            place.is_some()
        });
    }
    /// What was said since the last call.
    pub(crate) fn take(&mut self) -> Vec<Remark> {
        let mut unheard = std::mem::take(&mut self.unheard);
        unheard.sort_unstable();
        let mut said = std::mem::take(&mut self.said);
        let mut at = 0..said.len();
        said.retain(|_| at.next().is_some_and(|k| unheard.binary_search(&k).is_err()));
        said
    }
}

impl Spoken {
    fn about(&mut self, f: &Function, i: Inst) {
        self.functions.insert(f.sym);
        self.insts.insert((f.sym, i));
        self.regs.extend(f.def(i).map(|r| (f.sym, r)));
        if f.inst(i).op.is_terminator() {
            self.blocks.extend(f.layout().block_of(i).map(|b| (f.sym, b)));
        }
    }
    fn clear(&mut self) {
        let Spoken { functions, insts, regs, blocks } = self;
        functions.clear();
        insts.clear();
        regs.clear();
        blocks.clear();
    }
}

fn function_names(decls: &Decls) -> Vec<String> {
    decls.syms.keys().map(|s| sym_name(decls, s)).collect()
}

fn sym_name(decls: &Decls, s: Sym) -> String {
    text(|out| print_sym(decls, s, out))
}

fn text(print: impl FnOnce(&mut Vec<u8>)) -> String {
    let mut out = Vec::new();
    print(&mut out);
    String::from_utf8_lossy(&out).into_owned()
}

/// The names of what a function had when the pass began.
#[derive(Default)]
struct Names {
    sym: Option<Sym>,
    function: String,
    regs: Vec<String>,
    blocks: Vec<String>,
    objs: Vec<String>,
    /// By register, whether it is listened to; empty where all are.
    heard: Vec<bool>,
    /// The names of all symbols, where the pass runs over the module.
    functions: Vec<String>,
}

impl Names {
    fn of(listen: &Listen, decls: &Decls, f: &Function) -> Names {
        let mut names = Names::default();
        names.fill(listen, decls, f);
        names.function = sym_name(decls, f.sym);
        names
    }
    fn update_unless_of(&mut self, listen: &Listen, f: &Function) {
        if self.sym != Some(f.sym) {
            // Labels, registers and objects do not need the declarations.
            self.fill(listen, &Decls::default(), f);
            self.function = self.functions.get(f.sym.index()).cloned().unwrap_or_default();
        }
    }
    fn fill(&mut self, listen: &Listen, decls: &Decls, f: &Function) {
        let printer = FunctionPrinter::new(decls, f);
        self.sym = Some(f.sym);
        self.regs = f.regs.keys().map(|r| text(|out| printer.reg(r, out))).collect();
        self.blocks = (0..f.num_blocks()).map(|b| text(|out| printer.block(Block::new(b), out))).collect();
        self.objs = f.stack.keys().map(|o| text(|out| printer.obj(o, out))).collect();
        if let Listen::Value(to) = listen {
            self.heard = f.regs.keys().zip(&self.regs).map(|(r, name)| to.hears(f, r, name)).collect();
        }
    }
}

/// Writes the sentence of a remark: lower case, no period.
pub struct Message<'a> {
    f: &'a Function,
    names: &'a Names,
    pieces: Vec<Piece>,
}

impl Message<'_> {
    /// Appends words.
    pub fn text(&mut self, words: impl std::fmt::Display) -> &mut Self {
        if let Some(Piece::Text(last)) = self.pieces.last_mut() {
            // Writing to a string cannot fail.
            let _ = write!(last, "{words}");
        } else {
            self.pieces.push(Piece::Text(words.to_string()));
        }
        self
    }
    /// Appends a register: `%x`.
    pub fn reg(&mut self, r: Reg) -> &mut Self {
        self.name(self.names.regs.get(r.index()), Made::Reg(r))
    }
    fn name(&mut self, known: Option<&String>, made: Made) -> &mut Self {
        match known {
            Some(name) => self.text(name),
            None => {
                self.pieces.push(Piece::New(made));
                self
            }
        }
    }
    /// Appends a register, or a constant of this type.
    pub fn operand(&mut self, ty: Type, o: Operand) -> &mut Self {
        match (o.as_reg(), self.f.constant(o)) {
            (Some(r), _) => self.reg(r),
            (None, Some(payload)) => self.text(text(|out| print_constant(ty, payload, out))),
            (None, None) => self,
        }
    }
    /// Appends a label.
    pub fn block(&mut self, b: Block) -> &mut Self {
        self.name(self.names.blocks.get(b.index()), Made::Block(b))
    }
    /// Appends a stack object: `$x`.
    pub fn obj(&mut self, o: Obj) -> &mut Self {
        self.name(self.names.objs.get(o.index()), Made::Obj(o))
    }
    /// Appends a symbol: `@f`.
    pub fn sym(&mut self, decls: &Decls, s: Sym) -> &mut Self {
        self.text(sym_name(decls, s))
    }
    /// Appends what an instruction does, and where it stands: `store (line 12)`.
    pub fn inst(&mut self, i: Inst) -> &mut Self {
        let mnemonic = self.f.inst(i).op.mnemonic();
        self.text(mnemonic).line_of(i)
    }
    /// Appends where an instruction stands in the source: ` (line 12)`; nothing where it does not.
    pub fn line_of(&mut self, i: Inst) -> &mut Self {
        self.line(self.f.loc_of(i))
    }
    /// The same for a place, which may be in another function.
    pub fn line(&mut self, loc: SourceLoc) -> &mut Self {
        if loc != NO_LOC {
            self.text(" (line ");
            self.pieces.push(Piece::Line(loc));
            self.text(")");
        }
        self
    }
}

impl Remark {
    /// The sentence.
    pub fn message(&self, lines: &LineTable) -> String {
        let words = |piece: &Piece| match piece {
            Piece::Text(text) => text.clone(),
            Piece::Line(loc) => lines.line(*loc).to_string(),
            Piece::New(_) => unreachable!("what the pass made has names when it has ended"),
        };
        self.message.iter().map(words).collect()
    }
}

/// The remarks in words, a line each: `gvn: %b in @f, block left, line 7: merged: has the value of %a (line 3)`.
pub(crate) fn in_words(remarks: &[Remark], source: &Source) -> String {
    let lines = LineTable::new(&source.text);
    let mut out = String::new();
    for r in remarks {
        let line = if r.loc == NO_LOC { String::new() } else { format!(", line {}", lines.line(r.loc)) };
        let value = r.value.as_ref().map_or(String::new(), |v| format!("{v} in "));
        let (run, function, block, event) = (r.run, &r.function, &r.block, r.event);
        let _ = writeln!(out, "{run}: {value}{function}, block {block}{line}: {event}: {}", r.message(&lines));
    }
    out
}

/// The remarks as JSON, an object a line, with `pass`, where it has several runs `run` (`gvn#3`), `kind`, `event`,
/// `function`, `block`, where they have one `value` and `line`, and `message`.
pub(crate) fn as_json_lines(remarks: &[Remark], source: &Source) -> String {
    let lines = LineTable::new(&source.text);
    let mut out = String::new();
    for r in remarks {
        let mut field = |name: &str, value: &str| {
            out.push_str(if name == "pass" { "{" } else { ", " });
            let _ = write!(out, "\"{name}\": ");
            write_json_string(value, &mut out);
        };
        field("pass", r.run.pass);
        if r.run.to_string() != r.run.pass {
            field("run", &r.run.to_string());
        }
        field("kind", r.kind.name());
        field("event", r.event);
        field("function", &r.function);
        field("block", &r.block);
        r.value.iter().for_each(|v| field("value", v));
        field("message", &r.message(&lines));
        if r.loc != NO_LOC {
            let _ = write!(out, ", \"line\": {}", lines.line(r.loc));
        }
        out.push_str("}\n");
    }
    out
}

/// A string literal of JSON (RFC 8259, section 7).
fn write_json_string(text: &str, out: &mut String) {
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\0'..='\x1f' => {
                let _ = write!(out, "\\u{:04x}", u32::from(c));
            }
            _ => out.push(c),
        }
    }
    out.push('"');
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings_of_json() {
        let mut out = String::new();
        write_json_string("a\"b\\c\nd\u{e9}", &mut out);
        assert_eq!(out, "\"a\\\"b\\\\c\\u000ad\u{e9}\"");
    }
}

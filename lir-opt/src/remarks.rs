//! What passes say about what they did with a value, and why they did not.
//!
//! A pass calls [`Remarks::done`], [`Remarks::missed`] or [`Remarks::note`] with the instruction it speaks of, the name
//! of the event, and a closure that writes the sentence. The closure runs only where somebody listens (`--explain=%v`
//! for one value, `--remarks=FILE` for all), so that a reason may be costly to find; otherwise a call costs the test of
//! one bool. Names are those from before the pass, as the user sees them; places are offsets of the source until the
//! remarks are printed. What a pass changed and did not speak of is said for it by [`crate::unsaid`].
//!
//! ```text
//! cx.remarks.done(f, i, "merged", |m| m.text("has the value of ").reg(earlier));
//! ```
//!
//! What the idea comes from: the optimization remarks of LLVM ("-pass-remarks", `llvm::OptimizationRemarkEmitter`).

use lir_syntax::ir::function::{NO_LOC, SourceLoc};
use lir_syntax::ir::{Block, Decls, EntityRef, Function, Inst, Obj, Operand, Reg, Sym, Type};
use lir_syntax::printer::{FunctionPrinter, print_constant, print_sym};
use lir_syntax::source::{LineTable, Source};
use rustc_hash::FxHashSet;
use std::fmt::Write;

/// What somebody wants to hear.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum Listen {
    /// Nothing.
    #[default]
    Off,
    /// What is said about the registers of this name, without `%`.
    Value(String),
    /// Everything.
    All,
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
    /// Name of the pass.
    pub pass: &'static str,
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
    pass: &'static str,
    names: Names,
    said: Vec<Remark>,
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
    /// Whether anybody listens to what is said about a register.
    #[inline]
    pub fn wants(&self, r: Reg) -> bool {
        self.on && self.hears(Some(r))
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
    pub fn done_of(
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
        self.names.update_unless_of(f);
        if !self.hears(value) {
            return;
        }
        let mut message = Message { f, names: &self.names, pieces: Vec::new() };
        write(&mut message);
        let message = message.pieces;
        let block = f.layout().block_of(i).map_or(String::new(), |b| self.names.block(f, b));
        self.said.push(Remark {
            pass: self.pass,
            kind,
            event,
            function: self.names.function.clone(),
            block,
            value: value.map(|r| self.names.reg(f, r)),
            loc: f.loc_of(i),
            message,
        });
    }
    fn hears(&self, value: Option<Reg>) -> bool {
        match (&self.listen, value) {
            (Listen::All, _) => true,
            (Listen::Value(name), Some(r)) => {
                self.names.regs.get(r.index()).is_some_and(|n| n.strip_prefix('%') == Some(name))
            }
            (Listen::Value(_), None) | (Listen::Off, _) => false,
        }
    }
    /// A pass over a function begins.
    pub(crate) fn begin(&mut self, pass: &'static str, decls: &Decls, f: &Function) {
        if self.on {
            self.pass = pass;
            self.names = Names::of(decls, f);
            self.spoken.clear();
        }
    }
    /// A pass over the module begins. The names of a function are taken when it is first spoken of.
    pub(crate) fn begin_module(&mut self, pass: &'static str, decls: &Decls) {
        if self.on {
            self.pass = pass;
            self.names = Names { functions: function_names(decls), ..Names::default() };
            self.spoken.clear();
        }
    }
    /// From here on names are those of a function as it is here.
    pub(crate) fn take_names(&mut self, decls: &Decls, f: &Function) {
        self.names = Names::of(decls, f);
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
        self.said.extend(since.into_iter().filter(|r| r.kind == RemarkKind::Done));
    }
    /// What was said since the last call.
    pub(crate) fn take(&mut self) -> Vec<Remark> {
        std::mem::take(&mut self.said)
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

/// The names of a function's entities when the pass began.
#[derive(Default)]
struct Names {
    sym: Option<Sym>,
    function: String,
    regs: Vec<String>,
    blocks: Vec<String>,
    objs: Vec<String>,
    /// The names of all symbols, where the pass runs over the module.
    functions: Vec<String>,
}

impl Names {
    fn of(decls: &Decls, f: &Function) -> Names {
        let mut names = Names::default();
        names.fill(decls, f);
        names.function = sym_name(decls, f.sym);
        names
    }
    fn update_unless_of(&mut self, f: &Function) {
        if self.sym != Some(f.sym) {
            // Labels, registers and objects do not need the declarations.
            self.fill(&Decls::default(), f);
            self.function = self.functions.get(f.sym.index()).cloned().unwrap_or_default();
        }
    }
    fn fill(&mut self, decls: &Decls, f: &Function) {
        let printer = FunctionPrinter::new(decls, f);
        self.sym = Some(f.sym);
        self.regs = f.regs.keys().map(|r| text(|out| printer.reg(r, out))).collect();
        self.blocks = (0..f.num_blocks()).map(|b| text(|out| printer.block(Block::new(b), out))).collect();
        self.objs = f.stack.keys().map(|o| text(|out| printer.obj(o, out))).collect();
    }
    /// Entities that the pass made have the names that they are derived from.
    fn reg(&self, f: &Function, r: Reg) -> String {
        let made = || format!("%{}.", String::from_utf8_lossy(f.names.get(f.regs[r].name)));
        self.regs.get(r.index()).cloned().unwrap_or_else(made)
    }
    fn block(&self, f: &Function, b: Block) -> String {
        let made = || format!("{}.", String::from_utf8_lossy(f.names.get(f.block(b).name)));
        self.blocks.get(b.index()).cloned().unwrap_or_else(made)
    }
    fn obj(&self, f: &Function, o: Obj) -> String {
        let made = || format!("${}.", String::from_utf8_lossy(f.names.get(f.stack[o].name)));
        self.objs.get(o.index()).cloned().unwrap_or_else(made)
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
        let name = self.names.reg(self.f, r);
        self.text(name)
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
        let name = self.names.block(self.f, b);
        self.text(name)
    }
    /// Appends a stack object: `$x`.
    pub fn obj(&mut self, o: Obj) -> &mut Self {
        let name = self.names.obj(self.f, o);
        self.text(name)
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
        };
        self.message.iter().map(words).collect()
    }
}

/// The remarks in words, a line each: `gvn: %b in @f, block left, line 7: merged: has the value of %a (line 3)`.
pub fn in_words(remarks: &[Remark], source: &Source) -> String {
    let lines = LineTable::new(&source.text);
    let mut out = String::new();
    for r in remarks {
        let line = if r.loc == NO_LOC { String::new() } else { format!(", line {}", lines.line(r.loc)) };
        let value = r.value.as_ref().map_or(String::new(), |v| format!("{v} in "));
        let (pass, function, block, event) = (r.pass, &r.function, &r.block, r.event);
        let _ = writeln!(out, "{pass}: {value}{function}, block {block}{line}: {event}: {}", r.message(&lines));
    }
    out
}

/// The remarks as JSON, an object a line, with `pass`, `kind`, `event`, `function`, `block`, and where they have one
/// `value` and `line`, and `message`.
pub fn as_json_lines(remarks: &[Remark], source: &Source) -> String {
    let lines = LineTable::new(&source.text);
    let mut out = String::new();
    for r in remarks {
        let mut field = |name: &str, value: &str| {
            out.push_str(if name == "pass" { "{" } else { ", " });
            let _ = write!(out, "\"{name}\": ");
            write_json_string(value, &mut out);
        };
        field("pass", r.pass);
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

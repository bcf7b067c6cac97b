//! The names that remarks use.

use super::Piece;
use lir_syntax::ir::{Block, Decls, EntityRef, Function, Inst, Obj, Reg, Sym};
use lir_syntax::printer::{FunctionPrinter, print_sym, printed};
use std::cell::OnceCell;

/// A function before and after a pass: items that existed before keep their old names.
pub(crate) struct Names<'a> {
    decls: &'a Decls,
    pub(crate) before: &'a Function,
    pub(crate) after: &'a Function,
    printers: OnceCell<[FunctionPrinter<'a>; 2]>,
}

impl<'a> Names<'a> {
    /// Returns the names of two versions of a function. If the pass removed the function, both are the version from
    /// before the pass.
    pub(crate) fn new(decls: &'a Decls, before: &'a Function, after: &'a Function) -> Names<'a> {
        Names { decls, before, after, printers: OnceCell::new() }
    }
    /// Returns the version that has a register.
    pub(super) fn function_with(&self, r: Reg) -> &'a Function {
        if r.index() < self.before.num_regs() { self.before } else { self.after }
    }
    pub(super) fn reg(&self, r: Reg) -> String {
        let print = |p: &FunctionPrinter<'_>, out: &mut _| p.reg(r, out);
        self.name(r.index(), [self.before, self.after].map(|f| f.num_regs()), print)
    }
    pub(super) fn block(&self, b: Block) -> String {
        let print = |p: &FunctionPrinter<'_>, out: &mut _| p.block(b, out);
        self.name(b.index(), [self.before, self.after].map(|f| f.num_blocks()), print)
    }
    fn obj(&self, o: Obj) -> String {
        let print = |p: &FunctionPrinter<'_>, out: &mut _| p.obj(o, out);
        self.name(o.index(), [self.before, self.after].map(|f| f.stack.len()), print)
    }
    pub(super) fn sym(&self, s: Sym) -> String {
        printed(|out| print_sym(self.decls, s, out))
    }
    /// Returns the text of an instruction before the pass.
    pub(crate) fn text_before(&self, i: Inst) -> String {
        printed(|out| self.printers()[0].inst(i, out))
    }
    /// Returns the text of an instruction after the pass.
    pub(crate) fn text_after(&self, i: Inst) -> String {
        printed(|out| self.printers()[1].inst(i, out))
    }
    /// Puts its name in place of an entity.
    pub(super) fn give(&self, piece: &mut Piece) {
        let name = match *piece {
            Piece::Text(_) | Piece::Line(_) => return,
            Piece::Reg(r) => self.reg(r),
            Piece::Block(b) => self.block(b),
            Piece::Obj(o) => self.obj(o),
            Piece::Sym(s) => self.sym(s),
        };
        *piece = Piece::Text(name);
    }
    /// The name of the entity of a number. None in a function that the pass removed.
    fn name(&self, k: usize, lens: [usize; 2], print: impl Fn(&FunctionPrinter<'_>, &mut Vec<u8>)) -> String {
        let printer = lens.into_iter().position(|len| k < len).map(|n| &self.printers()[n]);
        printer.map_or(String::new(), |p| printed(|out| print(p, out)))
    }
    fn printers(&self) -> &[FunctionPrinter<'a>; 2] {
        self.printers.get_or_init(|| [self.before, self.after].map(|f| FunctionPrinter::new(self.decls, f)))
    }
}

//! Names of blocks, registers and objects in comments.

use lir_syntax::ir::{Base, Block, Reg};
use lir_syntax::printer::{FunctionPrinter, printed};

/// Returns the label of a block.
pub(super) fn label(printer: &FunctionPrinter<'_>, b: Block) -> String {
    printed(|out| printer.block(b, out))
}

/// Returns the name of a register.
pub(super) fn name(printer: &FunctionPrinter<'_>, r: Reg) -> String {
    printed(|out| printer.reg(r, out))
}

/// Returns the name of a base of an address.
pub(super) fn name_of_base(printer: &FunctionPrinter<'_>, base: Base) -> String {
    printed(|out| match base {
        Base::Reg(r) => printer.reg(r, out),
        Base::Obj(o) => printer.obj(o, out),
        Base::Sym(s) => printer.sym(s, out),
        Base::None => out.push(b'0'),
    })
}

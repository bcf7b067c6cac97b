//! The proof that a function is in SSA form: the one assignment of each register.

use lir_syntax::ir::function::{NO_LOC, SourceLoc};
use lir_syntax::ir::{Decls, Function, Inst, Opcode, Operand, PackedOption, Reg, SecondaryMap};
use lir_syntax::printer::{FunctionPrinter, printed};
use lir_syntax::text::diagnostic::Diagnostic;
use lir_syntax::text::source::Span;
use lir_syntax::verifier::{SsaViolation, ssa_definitions};

/// The instruction that assigns each register of a function in SSA form. It cannot be made for another function: to
/// hold one is to know that every register had one assignment when the pass began.
#[derive(Clone, Default, Debug)]
pub struct SsaView {
    defs: SecondaryMap<Reg, PackedOption<Inst>>,
}

impl SsaView {
    /// Looks at every assignment once. The memory of `reuse` is reused.
    ///
    /// # Errors
    /// The function is not in SSA form.
    pub fn new(f: &Function, reuse: SsaView) -> Result<SsaView, SsaViolation> {
        let SsaView { mut defs } = reuse;
        ssa_definitions(f, &mut defs)?;
        Ok(SsaView { defs })
    }
    /// Returns the instruction that assigned a register when the pass began. None for parameters (and for registers
    /// that were never assigned).
    #[inline]
    pub fn def(&self, r: Reg) -> Option<Inst> {
        self.defs[r].expand()
    }
    /// Returns the payload of a constant, written in place or assigned to a register.
    #[inline]
    pub(crate) fn constant(&self, f: &Function, o: Operand) -> Option<i64> {
        f.constant(o).or_else(|| {
            let def = f.inst(self.def(o.as_reg()?)?);
            if def.op == Opcode::Const { f.constant(def.first()) } else { None }
        })
    }
}

/// Returns the error of running `pass` on a function that is not in SSA form.
pub(crate) fn needs_ssa(violation: SsaViolation, decls: &Decls, f: &Function, pass: &str) -> Diagnostic {
    let name = printed(|out| FunctionPrinter::new(decls, f).reg(violation.reg, out));
    let span = |loc: SourceLoc| (loc != NO_LOC).then(|| Span::at(loc));
    let first = match violation.first {
        Some(i) => (span(f.loc_of(i)), "first assigned here"),
        None => (span(f.loc), "first assigned as a parameter here"),
    };
    let second = span(f.loc_of(violation.second));
    Diagnostic::new(second, format!("pass `{pass}` needs SSA form, but {name} is assigned more than once"))
        .note(first.0, first.1)
        .note(second, "assigned again here")
        .note(None, "run the pass `ssa` before it")
}

//! The proof that a function is in SSA form: the one assignment of each register.

use lir_syntax::diagnostic::Diagnostic;
use lir_syntax::ir::function::{NO_LOC, SourceLoc};
use lir_syntax::ir::{Decls, EntitySet, Function, Inst, PackedOption, Param, Reg, SecondaryMap};
use lir_syntax::printer::FunctionPrinter;
use lir_syntax::source::Span;

/// Which instruction assigns each register of a function in SSA form. It cannot be made for another function: to hold
/// one is to know that every register had one assignment when the pass began.
#[derive(Clone, Default, Debug)]
pub struct SsaView {
    defs: SecondaryMap<Reg, PackedOption<Inst>>,
    params: EntitySet<Reg>,
}

/// A register with two assignments, the reason why a function is not in SSA form.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct NotSsa {
    /// The register.
    pub reg: Reg,
    /// Its first assignment in layout order; none: it is a parameter.
    pub first: Option<Inst>,
    /// The next one.
    pub second: Inst,
}

impl SsaView {
    /// Looks at every assignment once. The memory of `reuse` is reused.
    pub fn new(f: &Function, reuse: SsaView) -> Result<SsaView, NotSsa> {
        let SsaView { mut defs, mut params } = reuse;
        defs.reset(f.num_regs());
        params.clear();
        for p in &f.params {
            if let Param::Reg(r) = *p {
                params.insert(r);
            }
        }
        for b in f.layout().blocks() {
            for i in f.layout().insts(b) {
                let Some(reg) = f.def(i) else { continue };
                let first = std::mem::replace(&mut defs[reg], i.into()).expand();
                if first.is_some() || params.contains(reg) {
                    return Err(NotSsa { reg, first, second: i });
                }
            }
        }
        Ok(SsaView { defs, params })
    }
    /// The instruction that assigns a register; none for parameters (and for registers that are never assigned).
    #[inline]
    pub fn def(&self, r: Reg) -> Option<Inst> {
        self.defs[r].expand()
    }
    /// Whether a register is a parameter.
    pub fn is_param(&self, r: Reg) -> bool {
        self.params.contains(r)
    }
    /// Notes the assignment of a register that the pass has made, or that it moved to another instruction.
    pub fn set_def(&mut self, r: Reg, i: Inst) {
        self.defs[r] = i.into();
    }
}

impl NotSsa {
    /// The error of running `pass` on this function.
    pub fn to_diagnostic(self, decls: &Decls, f: &Function, pass: &str) -> Diagnostic {
        let mut name = Vec::new();
        FunctionPrinter::new(decls, f).reg(self.reg, &mut name);
        let name = String::from_utf8_lossy(&name);
        let span = |loc: SourceLoc| (loc != NO_LOC).then(|| Span::at(loc));
        let first = match self.first {
            Some(i) => (span(f.loc_of(i)), "first assigned here"),
            None => (span(f.loc), "first assigned as a parameter here"),
        };
        Diagnostic::new(
            span(f.loc_of(self.second)),
            format!("pass `{pass}` needs SSA form, but {name} is assigned more than once"),
        )
        .note(first.0, first.1)
        .note(span(f.loc_of(self.second)), "assigned again here")
        .note(None, "run the pass `ssa` before it")
    }
}

//! Takes `returns` from the functions of a module whose calls trap: a call of such a function may be removed although
//! it would trap, so the results of these calls are not specified.

use super::FUEL;
use lir_run::interp::{Interp, Options, Outcome};
use lir_run::run_lines::TypedCall;
use lir_run::symbols::HostSymbols;
use lir_syntax::ir::{Attrs, Module, SymKind};
use std::sync::Arc;

/// Returns the module, without `returns` if one of the calls traps or cannot be interpreted.
pub(super) fn with_specified_traps(mut module: Module, calls: &[TypedCall], host: &HostSymbols) -> Module {
    let has_returns = |kind: &SymKind| matches!(kind, SymKind::Func { sig, .. } if sig.attrs.has(Attrs::RETURNS));
    if !module.decls.syms.values().any(|s| has_returns(&s.kind)) || !traps(&module, calls, host) {
        return module;
    }
    for s in module.decls.syms.keys() {
        if let SymKind::Func { sig, .. } = &mut module.decls.syms[s].kind {
            sig.attrs = sig.attrs.without(Attrs::RETURNS);
        }
    }
    module
}

/// True if a call does not return.
fn traps(module: &Module, calls: &[TypedCall], host: &HostSymbols) -> bool {
    let module = Arc::new(module.clone());
    let options = Options { fuel: Some(FUEL), ..Options::default() };
    let Ok(mut interp) = Interp::new(Arc::clone(&module), host, options) else { return true };
    calls.iter().any(|call| {
        interp.reset();
        !matches!(interp.call(call.func(&module), &call.args), Outcome::Return(_))
    })
}

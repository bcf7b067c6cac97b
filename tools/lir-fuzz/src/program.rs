//! The program that is checked: a module with calls of its functions.

use lir_run::run_lines::TypedCall;
use lir_syntax::ir::Module;
use std::sync::Arc;

/// The module of a seed, with its calls.
pub struct Program {
    /// The module, well-formed.
    pub module: Arc<Module>,
    /// Calls, one after the other on the same data.
    pub calls: Vec<TypedCall>,
    /// Number of its functions that count as checked.
    pub functions: usize,
}

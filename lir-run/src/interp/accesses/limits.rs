//! Checks the promises `readnone` and `readonly` of functions that have a body: the limits of the active calls.
//!
//! During a call of such a function, also in the functions that it calls, an access is to memory that was not there
//! before the call, on the stack or the heap, or it reads constant data. If the function is `readonly`, it may read
//! everything. An exchange of an atomic operation counts as a write, also if it does not take place. Functions of C
//! access memory unseen, and so do the functions that they call.

use super::super::stop::Stop;
use super::claims::{Noted, Writes};
use lir_syntax::ir::{Attrs, EntitySet, FuncId, Function, Module, Opcode, OperandKind, SymKind};
use std::sync::Arc;

/// The limit of a function, in code.
#[derive(Clone, Debug)]
pub(in crate::interp) struct LimitCode {
    /// The name of the function, for messages.
    name: Arc<str>,
    is_readonly: bool,
}

impl LimitCode {
    /// Returns the limit of a function with these attributes, if it has one.
    pub(in crate::interp) fn of(attrs: Attrs, name: &str) -> Option<LimitCode> {
        let is_readonly = attrs.has(Attrs::READONLY);
        (is_readonly || attrs.has(Attrs::READNONE)).then(|| LimitCode { name: name.into(), is_readonly })
    }
}

/// The limit of one call.
#[derive(Debug)]
struct Limit {
    code: LimitCode,
    /// The frame with which it ends.
    ends: usize,
    /// The first address of stack memory that was not there before the call.
    stack: u64,
    /// The number of heap blocks that were made before it.
    blocks: u64,
}

/// The limits of the active calls of a thread, the outermost first.
#[derive(Default, Debug)]
pub(in crate::interp) struct Limits(Vec<Limit>);

impl Limits {
    /// True if no call has a limit.
    #[inline]
    pub(in crate::interp) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
    /// Adds the limit of a call that begins, with the top of stack memory and the number of heap blocks before it.
    pub(in crate::interp) fn begin(&mut self, frame: usize, (stack, blocks): (u64, u64), code: &LimitCode) {
        self.0.push(Limit { code: code.clone(), ends: frame, stack, blocks });
    }
    /// Drops the limit of a call that ends.
    pub(in crate::interp) fn end(&mut self, frame: usize) {
        self.0.retain(|limit| limit.ends != frame);
    }
    /// Takes the limits of a call away whose place a callee takes, for [`Limits::give`].
    pub(in crate::interp) fn take(&mut self, frame: usize) -> Limits {
        Limits(self.0.extract_if(.., |limit| limit.ends == frame).collect())
    }
    /// Gives limits that were taken away to the frame of the callee.
    pub(in crate::interp) fn give(&mut self, taken: Limits, frame: usize) {
        self.0.extend(taken.0.into_iter().map(|limit| Limit { ends: frame, ..limit }));
    }
    /// Notes an access. `is_own` decides whether a call made the memory, by the top of the stack and the number of heap
    /// blocks before it; `is_constant` is true for a read of constant data.
    ///
    /// # Errors
    /// It is beyond a limit.
    pub(in crate::interp) fn note(
        &self,
        access: Noted<'_>,
        is_own: impl Fn(u64, u64) -> bool,
        is_constant: bool,
    ) -> Result<(), Stop> {
        if access.size == 0 {
            return Ok(());
        }
        let writes = access.writes != Writes::No;
        for limit in &self.0 {
            let may = !writes && (limit.code.is_readonly || is_constant);
            if !may && !is_own(limit.stack, limit.blocks) {
                return Err(limit.broken(writes));
            }
        }
        Ok(())
    }
}

impl Limit {
    #[cold]
    fn broken(&self, writes: bool) -> Stop {
        let promise = if self.code.is_readonly { "readonly" } else { "readnone" };
        let (how, name) = (if writes { "writes" } else { "reads" }, &self.code.name);
        Stop::error(format!("the promise `{promise}` of `@{name}` is broken by an access that {how} other memory"))
    }
}

/// Returns the functions that may be active during a call of a function with a limit: these functions, all that they
/// call in turn, and all functions if one of them calls through a register. Calls by functions of C are left out.
pub(in crate::interp) fn limited(module: &Module) -> EntitySet<FuncId> {
    let has_limit = |f: &Function| {
        let signature = module.decls.signature(f.sym);
        signature.is_some_and(|s| s.attrs.has(Attrs::READNONE) || s.attrs.has(Attrs::READONLY))
    };
    let mut reached = EntitySet::new();
    let mut stack: Vec<FuncId> = module.funcs.iter().filter(|(_, f)| has_limit(f)).map(|(id, _)| id).collect();
    reached.extend(stack.iter().copied());
    while let Some(id) = stack.pop() {
        let f = &module.funcs[id];
        for d in f.layout().all_insts().map(|i| f.inst(i)).filter(|d| d.op == Opcode::Call) {
            let body = match d.first().kind() {
                OperandKind::Sym(callee) => match module.decls.syms[callee].kind {
                    SymKind::Func { body, .. } => body,
                    SymKind::Data(_) => None,
                },
                _ => return module.funcs.keys().collect(),
            };
            stack.extend(body.filter(|callee| reached.insert(*callee)));
        }
    }
    reached
}

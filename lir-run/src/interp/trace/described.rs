//! Descriptions of traces for debuggers and profilers.
//!
//! The code of a trace is named after the function in which it begins, `f.trace3`, and has the lines of the program. A
//! call in the trace is described as an inlined one, in the way of `inline` ([`InlinedOrigins`]). After a return from
//! the function in which it began, the trace is in a caller, whose lines appear in it like its own.

use super::Tracer;
use super::sites::Sites;
use crate::interp::program::Program;
use crate::jit::viewers::Viewers;
use lir_syntax::ir::function::SourceLoc;
use lir_syntax::ir::{
    DebugLoc, EntityRef, FuncId, InlinedOrigins, Inst, Linkage, Module, Origins, Signature, SymData, SymKind,
};
use rustc_hash::FxHashMap;

impl Tracer {
    /// Shows future traces to debuggers and profilers.
    pub(crate) fn show_to(&mut self, viewers: Viewers) {
        self.viewers = Some(viewers);
    }
    /// Shows the last trace to the viewers, if there are any.
    ///
    /// # Errors
    /// See [`Viewers`].
    pub(super) fn show_last(&mut self, program: &Program) -> Result<(), String> {
        let Some(viewers) = &self.viewers else { return Ok(()) };
        let k = self.traces.len() - 1;
        let (fragment, sites) = self.code.parts(k as u32);
        let mut module = named(fragment.module(), &program.module, k, self.traces[k].start.func);
        locate(&mut module, &program.module, sites, fragment.insts_with_code());
        self.traces[k].shown = fragment.show(viewers, &module)?;
        Ok(())
    }
}

/// Returns the module of a trace with other names. Symbols of the program keep their numbers, by which origins name
/// inlined functions.
fn named(trace: &Module, program: &Module, k: usize, start: FuncId) -> Module {
    let symbol = |name: &[u8], body| {
        let kind = SymKind::Func { sig: Signature::default(), body };
        SymData::new(name, kind, Linkage::Local)
    };
    let mut module = Module::default();
    module.decls.files = program.decls.files.clone();
    for sym in program.decls.syms.values() {
        module.decls.syms.push(symbol(&sym.name, None));
    }
    let begun = &program.funcs[start];
    for (id, f) in trace.funcs.iter() {
        let program_name = &program.decls.syms[begun.sym].name;
        let mut name = [program_name, format!(".trace{k}").as_bytes()].concat();
        if id != FuncId::new(0) {
            // See [`links`](super::links).
            name.push(b'.');
            name.extend_from_slice(&trace.decls.syms[f.sym].name);
        }
        let body = module.funcs.push(f.clone());
        module.funcs[body].sym = module.decls.syms.push(symbol(&name, Some(body)));
    }
    let f = &mut module.funcs[FuncId::new(0)];
    (f.loc, f.place) = (begun.loc, begun.place);
    module
}

/// Changes the locations of instructions of the first function from numbers of sites to locations of the program.
fn locate(module: &mut Module, program: &Module, sites: &Sites, insts: impl Iterator<Item = Inst>) {
    let f = &mut module.funcs[FuncId::new(0)];
    let mut bodies = Bodies::new(program, sites);
    let numbers: Vec<(Inst, SourceLoc)> = insts.map(|i| (i, f.loc_of(i))).collect();
    for (i, site) in numbers {
        f.set_loc(i, bodies.origin(site));
    }
    f.origins = bodies.origins;
}

/// The bodies of functions that are in a trace, with the origins of the trace.
struct Bodies<'t> {
    program: &'t Module,
    sites: &'t Sites,
    origins: Origins,
    /// By the number of the call.
    called: Vec<InlinedOrigins>,
    /// The function in which it begins, and those to which it returned.
    outer: FxHashMap<FuncId, InlinedOrigins>,
}

impl<'t> Bodies<'t> {
    fn new(program: &'t Module, sites: &'t Sites) -> Bodies<'t> {
        let (called, outer) = (Vec::new(), FxHashMap::default());
        let mut bodies = Bodies { program, sites, origins: Origins::default(), called, outer };
        // A call follows the calls around it.
        for call in sites.all_calls() {
            let at = bodies.copy(call.around, call.at.func, call.at.origin);
            let callee = &program.funcs[call.callee];
            let mut body = InlinedOrigins::default();
            body.begin(&mut bodies.origins, callee.sym, &callee.origins, at);
            bodies.called.push(body);
        }
        bodies
    }
    /// Returns the origin of a site.
    fn origin(&mut self, site: SourceLoc) -> DebugLoc {
        match self.sites.operation(site) {
            Some(at) => self.copy(self.sites.waiting(site).innermost, at.func, at.origin),
            None => DebugLoc::NONE,
        }
    }
    /// Returns the trace's origin for an origin in a function that this call called.
    fn copy(&mut self, call: Option<u32>, func: FuncId, origin: DebugLoc) -> DebugLoc {
        let of_function = &self.program.funcs[func].origins;
        let body = match call {
            Some(call) => &mut self.called[call as usize],
            None => self.outer.entry(func).or_insert_with(|| {
                let mut body = InlinedOrigins::default();
                body.begin_anonymously(of_function);
                body
            }),
        };
        body.copy(&mut self.origins, of_function, origin)
    }
}

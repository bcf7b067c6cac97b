//! Native execution in-process: compile, link in memory, call.
//!
//! * [`link`](mod@link): code and data in memory that is never writable and executable at once ([`region`](crate::region)).
//! * [`guard`]: calls that come back even where the code traps.
//! * [`elsewhere`]: traps on threads that C started.
//! * [`thread_data`]: thread data, a copy for each thread.
//! * [`unwind`]: exceptions of C++ that go through compiled code.

mod divisor;
mod elsewhere;
pub mod guard;
pub mod link;
pub mod thread_data;
mod unwind;

use crate::abi::{Assigner, Place, extend_argument};
use crate::interp::{Location, Outcome};
use crate::native_call::NativeCall;
use crate::symbols::HostSymbols;
use crate::value::Value;
use guard::Guarded;
use link::{LinkError, Linked};
use lir_llc::compile::{CompileOptions, CompiledModule, compile};
use lir_syntax::diagnostic::Diagnostic;
use lir_syntax::ir::function::NO_LOC;
use lir_syntax::ir::{AbiParam, EntityRef, FuncId, Module};
use lir_syntax::source::Source;
use std::sync::{Arc, OnceLock};

/// A module that runs natively.
#[derive(Debug)]
pub struct Jit {
    image: Arc<Image>,
    _listed: elsewhere::Listed,
}

/// A compiled module in memory. Nothing changes it, so that signal handlers may read it.
#[derive(Debug)]
struct Image {
    /// For names and source places; its functions were prepared for selection.
    module: Module,
    compiled: CompiledModule,
    linked: Linked,
    /// For lines in messages of signal handlers.
    source: OnceLock<Arc<Source>>,
}

/// Why a module cannot run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum JitError {
    /// Code generation failed, or the interpreter cannot be made ready.
    Compile(Vec<Diagnostic>),
    /// Linking failed.
    Link(LinkError),
}

/// Words of the stack around a fault that are looked through for a return address into compiled code.
const STACK_WORDS_SEARCHED: u64 = 4096;

impl Jit {
    /// Compiles and links a module. The relocation model of the options must be
    /// [`RelocModel::Jit`](lir_llc::isel::RelocModel::Jit); positions should be asked for, else traps have no line.
    ///
    /// # Errors
    /// See [`JitError`].
    pub fn new(mut module: Module, options: &CompileOptions, host: &HostSymbols) -> Result<Jit, JitError> {
        let compiled = compile(&mut module, options).map_err(JitError::Compile)?;
        let linked = link::link(&module, &compiled, host).map_err(JitError::Link)?;
        let image = Arc::new(Image { module, compiled, linked, source: OnceLock::new() });
        Ok(Jit { _listed: elsewhere::Listed::new(&image), image })
    }
    /// The module as it was compiled.
    pub fn module(&self) -> &Module {
        &self.image.module
    }
    /// The address of a function.
    pub fn address(&self, func: FuncId) -> u64 {
        self.image.linked.address(self.module().funcs[func].sym)
    }
    /// Says what the module was read from: a trap on a thread that C started ends the process with a message, which
    /// has a line then. Only the first source counts.
    pub fn set_source(&self, source: Arc<Source>) {
        // A second one is ignored, as said.
        let _ = self.image.source.set(source);
    }

    /// Calls a function. Arguments must be of just the types of its parameters, which must be scalars: as
    /// [`LineReader`](crate::run_line::LineReader) makes them.
    ///
    /// # Errors
    /// The system has no stack or no signal handler to give.
    ///
    /// # Panics
    /// Where the arguments do not fit.
    pub fn call(&self, func: FuncId, args: &[Value]) -> std::io::Result<Outcome> {
        let module = self.module();
        let sig = module.decls.signature(module.funcs[func].sym).expect("a function has a signature");
        assert_eq!(sig.params.len(), args.len(), "a call with as many arguments as there are parameters");
        let mut places = Assigner::new(&module.decls, sig.result);
        let (mut gpr, mut xmm, mut stack) = ([0; 6], [0; 8], Vec::new());
        for (p, v) in sig.params.iter().zip(args) {
            let AbiParam::Scalar(ty, ext) = *p else { panic!("only scalars can be passed") };
            assert_eq!(ty, v.ty, "an argument has the type of its parameter");
            let word = extend_argument(ty, ext, v.bits);
            match places.scalar(ty) {
                Place::Gpr(k) => gpr[k as usize] = word,
                Place::Xmm(k) => xmm[k as usize] = word,
                // Scalars take one word each, one after another.
                Place::Stack(_) => stack.push(word),
            }
        }
        let mut call = NativeCall::new(self.address(func), &stack, places.stack_align());
        (call.gpr, call.xmm) = (gpr, xmm);
        call.vector_count = u64::from(places.xmms());
        // SAFETY: the target is a function compiled from a verified module, called as its signature says. What the
        // program does to memory is its user's business, as for any compiled program. Between here and the code there
        // are only frames without destructors.
        let fault = unsafe { Guarded { code: self.image.linked.code_range() }.run(&mut call)? };
        Ok(match fault {
            Some(fault) => Outcome::Trap(fault.trap, self.image.locate(fault.pc, fault.sp, guard::read_own_stack)),
            None => Outcome::Return(match sig.result {
                Some(AbiParam::Scalar(ty, _)) => {
                    Some(Value::new(ty, if ty.is_float() { call.xmm_results[0] } else { call.rax }))
                }
                Some(AbiParam::Agg(_)) | None => None,
            }),
        })
    }
}

impl Image {
    /// Where in the source a fault happened: in a function that C called, in the function that called C.
    fn locate(&self, pc: u64, sp: u64, read: impl FnMut(u64) -> Option<u64>) -> Location {
        let here = self.linked.code_offset(pc).map(|at| (at, 0));
        let (at, back) = here.or_else(|| self.caller(sp, read).map(|at| (at, 1))).unwrap_or((0, 0));
        let functions = &self.compiled.functions;
        let k = functions.partition_point(|f| f.start <= at).saturating_sub(1);
        let func = FuncId::new(k);
        let f = &self.module.funcs[func];
        let positions = &self.compiled.code.positions;
        let p = positions.partition_point(|p| p.offset + back <= at);
        let origin = p.checked_sub(1).and_then(|p| positions[p].origin.expand());
        let block = origin.and_then(|i| f.layout().block_of(i)).unwrap_or_else(|| f.entry());
        Location { func, block, loc: origin.map_or(NO_LOC, |i| f.loc_of(i)) }
    }
    /// The first return address into compiled code on a stack, as an offset.
    fn caller(&self, sp: u64, mut read: impl FnMut(u64) -> Option<u64>) -> Option<u32> {
        (0..STACK_WORDS_SEARCHED)
            .map_while(|k| read(sp.wrapping_add(8 * k)))
            .find_map(|word| self.linked.code_offset(word))
    }
}

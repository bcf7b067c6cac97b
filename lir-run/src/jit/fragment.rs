//! The code of a module without data, made while a program runs.

#![expect(unsafe_code, reason = "patches jumps")]

use super::JitError;
use super::frames::is_return_address;
use super::link::{Linked, link};
use super::trap_sites::{accessing, calls_function};
use super::viewers::{Registered, Viewers};
use crate::host::code::Caught;
use crate::symbols::HostSymbols;
use lir_llc::code::CompiledModule;
use lir_llc::code::{Position, Reloc, RelocTarget};
use lir_llc::compile::compile_watched;
use lir_llc::options::CompileOptions;
use lir_opt::pipeline::watch::Watchers;
use lir_syntax::internal_error::in_stage;
use lir_syntax::ir::function::SourceLoc;
use lir_syntax::ir::{EntityRef, FuncId, Inst, Module, Sym};

/// The first byte of `jmp rel32`.
const JUMP: u8 = 0xe9;

/// The functions of a module in memory, without the data of a whole program.
#[derive(Debug)]
pub(crate) struct Fragment {
    module: Module,
    compiled: CompiledModule,
    linked: Linked,
}

impl Fragment {
    /// Compiles and links a verified module.
    ///
    /// # Errors
    /// See [`JitError`].
    pub(crate) fn new(
        mut module: Module,
        options: &CompileOptions,
        watchers: &mut Watchers,
        host: &HostSymbols,
    ) -> Result<Fragment, JitError> {
        let compiled = compile_watched(&mut module, options, watchers, &mut Vec::new()).map_err(JitError::Compile)?;
        let linked = in_stage(format_args!("link"), || link(&module, &compiled, host))?;
        Ok(Fragment { module, compiled, linked })
    }
    /// Shows the code to debuggers and profilers under the names and locations of `described`, a module with the same
    /// functions. The code was compiled with positions. gdb forgets it when the result is dropped.
    ///
    /// # Errors
    /// See [`Viewers`].
    pub(crate) fn show(&self, viewers: &Viewers, described: &Module) -> Result<Option<Registered>, String> {
        viewers.show(described, &self.compiled, &self.linked)
    }
    /// Returns the module as it was compiled.
    pub(crate) fn module(&self) -> &Module {
        &self.module
    }
    /// Returns the instructions of the first function that have code; one may occur several times.
    pub(crate) fn insts_with_code(&self) -> impl Iterator<Item = Inst> + '_ {
        self.positions().iter().filter_map(|p| p.origin.expand())
    }
    /// Returns the positions of the first function: instructions have numbers in their function.
    fn positions(&self) -> &[Position] {
        let end = self.compiled.functions[0].start + self.compiled.functions[0].len;
        let positions = &self.compiled.code.positions;
        &positions[..positions.partition_point(|p| p.offset < end)]
    }
    /// Returns the address of a function.
    pub(crate) fn address(&self, func: FuncId) -> u64 {
        self.linked.address(self.module.funcs[func].sym)
    }
    /// Returns the jumps of the first function to others, each with the source position of its instruction and the
    /// offset of its target in the code, in order of both. The module was compiled with positions.
    pub(crate) fn jumps_to(&self, callees: &[Sym]) -> Vec<(SourceLoc, u32)> {
        let (f, code) = (&self.module.funcs[FuncId::new(0)], &self.compiled.code);
        let is_jump = |r: &&Reloc| {
            let RelocTarget::Sym(callee) = r.target else { return false };
            callees.contains(&callee) && code.bytes()[r.offset as usize - 1] == JUMP
        };
        let site = |r: &Reloc| {
            let k = code.positions.partition_point(|p| p.offset < r.offset).checked_sub(1)?;
            Some((f.loc_of(code.positions[k].origin.expand()?), r.offset))
        };
        let mut jumps: Vec<_> = code.relocs.iter().filter(is_jump).filter_map(site).collect();
        jumps.sort_unstable();
        jumps
    }
    /// Makes a jump, one of [`Fragment::jumps_to`], lead to an address. Returns false if that is too far away, or the
    /// system refuses.
    ///
    /// # Safety
    /// Nothing of the code runs meanwhile. At the address there is a function with the signature of the former target,
    /// as long as the jump may be executed.
    pub(crate) unsafe fn patch_jump(&self, jump: u32, target: u64) -> bool {
        // SAFETY: promised by the caller; the offset is a jump's target.
        unsafe { self.linked.patch(jump, target) }
    }
    /// Returns a listing with the contents of registers after each instruction. The module was compiled with positions,
    /// a journal and registers; positions are the numbers of lines, from 0, of so many.
    #[cfg(feature = "disasm")]
    pub(crate) fn listing(&self, lines: usize) -> Option<Vec<u8>> {
        use lir_llc::output::listing::{Moment, write_module};
        use lir_syntax::text::source::LineTable;
        let text = "\n".repeat(lines);
        write_module(&self.module, &self.compiled, &LineTable::new(&text), Some(Moment::After)).ok()
    }
    /// Bytes of code.
    pub(crate) fn size(&self) -> usize {
        self.compiled.code.bytes().len()
    }
    /// True if an address is in the code.
    pub(crate) fn contains(&self, address: u64) -> bool {
        self.linked.code_addresses().contains(&address)
    }
    /// True if a call in the code returns to an address.
    pub(crate) fn is_return_address(&self, address: u64) -> bool {
        is_return_address(&self.linked, &self.compiled, address)
    }
    /// Returns the source position of the instruction in the first function whose access of memory failed, and whether
    /// it failed in C that the instruction calls.
    pub(crate) fn located(&self, caught: &Caught) -> Option<(SourceLoc, bool)> {
        let (address, back) = caught.site.address();
        let at = self.linked.code_offset(address)?;
        let positions = self.positions();
        let k = positions.partition_point(|p| p.offset + back <= at).checked_sub(1)?;
        let f = &self.module.funcs[FuncId::new(0)];
        let origin = positions[k].origin.expand()?;
        if caught.outside {
            return Some((f.loc_of(origin), calls_function(f, Some(origin), &self.compiled.code.relocs, at)));
        }
        Some((f.loc_of(accessing(f, positions, origin)), false))
    }
}

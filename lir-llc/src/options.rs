//! Options of code generation. Options that only show the work are watchers ([`watchers`](crate::watchers)).

pub use crate::effort::Effort;
pub use crate::isa::x64::Cpu;
pub use crate::isa::x64::isel::RelocModel;
use crate::regalloc::{self, AllocOptions, Allocator};
use lir_syntax::ir::Sym;

/// Options of code generation.
#[derive(Clone, Copy)]
pub struct CompileOptions {
    /// The form of references to symbols.
    pub model: RelocModel,
    /// The level of processor whose instructions may be used.
    pub cpu: Cpu,
    /// The effort for good code.
    pub effort: Effort,
    /// The register allocator. By default the effort decides: `linear-scan` for good code, `fast` for fast compilation.
    pub allocator: Option<&'static dyn Allocator>,
    /// Further options of the allocator.
    pub allocation: AllocOptions,
    /// True if rbp is a frame pointer in all functions.
    pub frame_pointer: bool,
    /// True if calls that are marked `tail` become jumps if a return follows and the calling convention allows it.
    pub tail_calls: bool,
    /// The surroundings in which the code runs.
    pub environment: Environment,
    /// Number of threads.
    pub threads: usize,
    /// The data object in which the code counts how often each block runs. It has 8 bytes for each machine block,
    /// function after function: [`counted_blocks`](crate::block_counts::counted_blocks) returns them. Only with one
    /// thread.
    pub block_counters: Option<Sym>,
}

/// The surroundings in which code runs.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub enum Environment {
    /// A process. The code may call `memcpy`, `memmove` and `memset` of the C library, and does so for blocks that are
    /// large or of unknown size, as C compilers do. Only signal handlers may interrupt it, so functions that call
    /// nothing may keep their stack below rsp.
    #[default]
    Process,
    /// None. Blocks of any size are copied by instructions, which start slowly, and nothing is kept below rsp.
    Bare,
}

impl Default for CompileOptions {
    /// Returns a position-independent executable for every x86-64 processor, good code, on one thread.
    fn default() -> CompileOptions {
        CompileOptions {
            model: RelocModel::Pie,
            cpu: Cpu::V1,
            effort: Effort::Good,
            allocator: None,
            allocation: AllocOptions::default(),
            frame_pointer: false,
            tail_calls: true,
            environment: Environment::Process,
            threads: 1,
            block_counters: None,
        }
    }
}

impl CompileOptions {
    /// Returns the register allocator: the chosen one, or the default of the effort.
    pub fn allocator(&self) -> &'static dyn Allocator {
        self.allocator.unwrap_or(match self.effort {
            Effort::Good => regalloc::LINEAR_SCAN,
            Effort::Fast => regalloc::FAST,
        })
    }
}

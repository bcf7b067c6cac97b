//! The assembler for use at run time: machine code without text and without a module.
//!
//! [`Assembler`] has a method for each instruction; [`Link::link`] makes the appended code callable:
//!
//! ```
//! use lir::asm::*;
//!
//! let mut a = Assembler::new();
//! let entry = a.function();
//! a.lea(RAX, mem(RDI).index(RSI, 4).disp(2));
//! a.ret();
//! let code = a.link()?;
//! // SAFETY: the code takes two numbers in rdi and rsi, and leaves one in rax.
//! let f: extern "C" fn(i64, i64) -> i64 = unsafe { code.function(entry) };
//! assert_eq!(f(30, 2), 40);
//! # Ok::<(), LinkError>(())
//! ```

pub use lir_llc::asm::*;
pub use lir_run::jit::assembled::{Link, LinkError, LinkedCode};

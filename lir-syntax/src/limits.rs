//! The limits of LIR and of its tools, in one table.
//!
//! Exceeding a limit is a located error and nothing worse. Everything else is limited only by memory: the number of
//! functions, blocks, instructions, cases and operands, the nesting of loops, the length of names, lines, strings and
//! literals. Time and memory are linear in the length of the text, whatever its contents, with one exception: if
//! thousands of values are live over thousands of blocks, `ssa` and register allocation take time for each block that
//! each of them is live through, short of whole loops.
//!
//! | what | limit | where |
//! |---|---|---|
//! | a text | 4 GiB - 2 bytes | [`MAX_TEXT`] |
//! | a type, a data object, a stack object | 2^30 bytes | [`MAX_OBJECT_SIZE`] |
//! | an alignment, also of an `alloca` | 2^30, a power of two | [`MAX_OBJECT_SIZE`] |
//! | an `alloca` | none: one that the stack cannot hold traps `stack_overflow` | |
//! | registers and stack objects of a function; symbols and types of a module | 2^29 - 1 of each | [`MAX_INDEX`] |
//! | a displacement of a memory operand | 32 bits, signed | |
//! | a constant | what fits its type, read as signed or as unsigned | |
//! | the offset of an address in data | 64 bits, signed | |
//! | errors that a tool reports | 20; `--error-limit` | |
//! | errors of the syntax of QBE's language | 100 | `lir_import::qbe::MAX_ERRORS` |
//! | threads of a tool | 256, whatever `-j` says | |
//! | the frame of a compiled function; the stack arguments of a function, of a call | 2^30 bytes | `lir_llc::code::MAX_FRAME` |
//! | the code of a module | 2^31 - 1 bytes | `lir_llc::code::MAX_CODE` |
//! | the initialised data of an object, each section | 2^30 bytes | `lir_llc::output::elf::MAX_DATA` |
//! | nested calls in the interpreter; their registers; its stack | 2^20; 2^25; 2^30 bytes | `lir_run::interp::Options` |
//! | stack arguments of a call between Rust, C and LIR | 2^20 bytes | `lir_run::host::native_call::MAX_STACK_ARGS` |

/// The largest text in bytes: offsets are `u32`, and one value of it means "nowhere".
pub const MAX_TEXT: usize = u32::MAX as usize - 1;

/// The largest size of a type, data object or stack object, in bytes. It is the largest alignment, too. The frames of
/// code generation address no more.
pub const MAX_OBJECT_SIZE: u64 = 1 << 30;

/// The largest index of a register, stack object, symbol, type or pool constant. Operands have no bits for more.
pub const MAX_INDEX: usize = (1 << 29) - 2;

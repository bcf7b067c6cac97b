//! The surroundings of a function in the making: data, other functions, and the symbols of C.

mod c_symbols;
mod moved_address;
mod odd_names;
mod signature;

pub(crate) use c_symbols::{MemoryFunction, Outside};
pub(crate) use moved_address::MovedAddress;
pub use odd_names::ENTRY;
pub(crate) use odd_names::{ODD, any_name};
pub(crate) use signature::{Callee, POINTEE_SIZE, ParamKind, Purity, Shape, Written};

use crate::Config;
use lir_syntax::ir::{Decls, Sym};

/// A data object that functions access.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Data {
    pub(crate) sym: Sym,
    pub(crate) size: u32,
    pub(crate) writable: bool,
}

/// Data, constant or never written, that holds addresses of data, each of at least [`POINTEE_SIZE`] bytes.
#[derive(Copy, Clone, Debug)]
pub(crate) struct PointerTable {
    pub(crate) sym: Sym,
    pub(crate) count: u32,
    /// Stores to everything that it points to are allowed.
    pub(crate) writable: bool,
}

/// A table of addresses of functions that have one signature.
#[derive(Clone, Debug)]
pub(crate) struct FunctionTable {
    pub(crate) sym: Sym,
    /// Positions in [`Surroundings::callees`]; their number is a power of two.
    pub(crate) members: Vec<usize>,
}

/// The symbols that the body of a function may refer to.
pub(crate) struct Surroundings<'a> {
    pub(crate) config: &'a Config,
    pub(crate) decls: &'a Decls,
    pub(crate) data: &'a [Data],
    pub(crate) pointers: Option<PointerTable>,
    pub(crate) table: Option<&'a FunctionTable>,
    /// A function of an i32 that traps.
    pub(crate) never_returns: Option<Sym>,
    /// Functions that return their argument, an f32 and an f64.
    pub(crate) identities: [Option<Sym>; 2],
    /// A function that makes an address of another one.
    pub(crate) moved: Option<MovedAddress>,
    pub(crate) outside: &'a Outside,
    /// Data for the function's list of variable arguments.
    pub(crate) list_data: Option<Sym>,
    /// The functions that it may call, in the order in which their bodies were made.
    pub(crate) callees: &'a [Callee],
}

//! A module as LLVM IR, in text for versions 15 to 22.
//!
//! The translation has the behaviour of the module: everything that LIR defines, LLVM's text defines as well, so that
//! optimizers and provers may process it. The exceptions are memory faults and stack overflows, which LLVM leaves
//! undefined, and the bits of NaNs that arithmetic makes.
//!
//! ```text
//! func @f(%x: i32, %n: i32) -> i32 {   =>   define i32 @f(i32 %x, i32 %n) nobuiltin null_pointer_is_valid {
//! entry:                                    entry:
//!   %y = shl i32 %x, %n                       %.1 = and i32 %n, 31
//!   ret %y                                    %y = shl i32 %x, %.1
//! }                                           ret i32 %y
//!                                           }
//! ```
//!
//! # Steps
//!
//! 1. The pass `ssa` gives each register one assignment, on a copy of the module. So registers are values of LLVM, phis
//!    are phis, and no variable is in memory. Memory would be wrong: after the second return of `setjmp`, a variable in
//!    memory has its last value, but a register of LIR has the value of the first return.
//! 2. [`signature`] lowers parameters and results by the System V convention; [`names`] gives LLVM names.
//! 3. [`data`] writes data, [`function`] the bodies, block by block: [`instruction`] and its sibling modules translate
//!    one instruction each. Unreachable blocks are left out.
//! 4. The declarations of the intrinsics that are used come last, and the weights of branches as metadata.
//!
//! # Why it is sound
//!
//! * Undefined results never arise in LLVM: there is no `nsw`, `inbounds` or the like; shift amounts are masked;
//!   divisions, and conversions of floats to integers, are guarded. Loads are frozen, since memory may be unwritten. So
//!   no register is `undef` or `poison`.
//! * An address in a register is an `i64`. It becomes a pointer by `inttoptr` only at the access, after all arithmetic.
//!   Every object that LIR lets such an access reach has had its address taken by `ptrtoint`, so LLVM lets the access
//!   reach it as well. An access to a named object is based on that object, which is LIR's rule as well.
//! * A function whose address is taken may be called with another signature. `"thunk"` keeps LLVM from adapting such
//!   calls to the definition.
//! * A function is `nobuiltin` unless it is declared `libc`, so that LLVM does not assume from the name alone that it
//!   is C's.
//!
//! # Cost and limits
//!
//! Linear. LLVM knows less than LIR's passes, since it sees integers in place of pointers.

mod atomics;
mod call;
mod control;
mod convert;
mod data;
mod function;
mod instruction;
mod memory;
mod names;
mod signature;
mod symbols;
mod types;
mod variadic;

use function::FunctionWriter;
use lir_opt::passes::ssa::into_ssa;
use lir_syntax::internal_error::on_function;
use lir_syntax::ir::debug_loc::{NO_LOC, SourceLoc};
use lir_syntax::ir::{AliasId, Attrs, Decls, EntitySet, Item, Module, Sym};
use lir_syntax::text::diagnostic::Diagnostic;
use lir_syntax::text::source::Span;
use signature::{Lowered, attributes, parameter_types, result_with_attribute};
use std::collections::BTreeMap;
use symbols::Symbols;

/// How a trap ends the program.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Traps {
    /// By `llvm.trap`.
    Instruction,
    /// By a call of [`TRAP_FUNCTION`] with the number of the trap.
    Call,
}

/// The function that is called at traps with [`Traps::Call`]. It takes an `i32`, 1 for `div_by_zero`, 2 for
/// `int_overflow`, 3 for `unreachable`, and does not return.
pub const TRAP_FUNCTION: &str = "lir_trap";

/// The head of every text. LLVM from version 18 on adds the alignment of its `i128`, which is 16 bytes there as in C.
const HEAD: &str = "\
target datalayout = \"e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-f80:128-n8:16:32:64-S128\"
target triple = \"x86_64-unknown-linux-gnu\"
";

/// Translates a module that the verifier accepts.
///
/// # Errors
/// All constructs that LLVM's language cannot express, with their positions: sections whose flags differ from LLVM's,
/// and a symbol with the name [`TRAP_FUNCTION`] if traps call that function.
pub fn export(module: &Module, traps: Traps) -> Result<String, Vec<Diagnostic>> {
    let mut module = module.clone();
    // Not by a pipeline, which would make pairs of the integers of 128 bits: LLVM has these.
    for f in module.funcs.as_mut_slice() {
        into_ssa(&module.decls, f);
    }
    let mut writer = ModuleWriter::new(&module, traps);
    let mut out = HEAD.to_string();
    for item in &module.items {
        out += &writer.item(&module, *item);
    }
    let Shared { declarations, nodes, errors, .. } = writer.shared;
    if !errors.is_empty() {
        return Err(errors);
    }
    if !declarations.is_empty() {
        out.push('\n');
    }
    for line in declarations.values() {
        out += line;
    }
    let mut nodes: Vec<_> = nodes.into_iter().map(|(node, number)| (number, node)).collect();
    nodes.sort_unstable();
    for (k, (number, node)) in nodes.iter().enumerate() {
        out += if k == 0 { "\n" } else { "" };
        out += &format!("!{number} = {node}\n");
    }
    Ok(out)
}

/// The state that the functions of a module share.
struct Shared<'m> {
    decls: &'m Decls,
    symbols: Symbols,
    traps: Traps,
    /// Declarations of the intrinsics that are used, by name.
    declarations: BTreeMap<String, String>,
    /// Metadata with their numbers.
    nodes: BTreeMap<String, usize>,
    errors: Vec<Diagnostic>,
}

impl Shared<'_> {
    /// Declares an intrinsic or a function of the run time, and returns its name for calls.
    fn declare(&mut self, name: &str, result: &str, parameters: &str, attributes: &str) -> String {
        self.declarations
            .entry(name.to_string())
            .or_insert_with(|| format!("declare {result} @{name}({parameters}){attributes}\n"));
        format!("@{name}")
    }
    /// Returns the number of a node of metadata.
    fn node(&mut self, node: String) -> usize {
        let next = self.nodes.len();
        *self.nodes.entry(node).or_insert(next)
    }
}

/// Returns the position in the text; none for an item that a program built.
fn place(at: SourceLoc) -> Option<Span> {
    (at != NO_LOC).then(|| Span::new(at as usize, at as usize))
}

/// A translation in progress.
struct ModuleWriter<'m> {
    shared: Shared<'m>,
    /// The functions that were declared, and the data.
    declared: EntitySet<Sym>,
    /// The functions whose address is used, which may be called with other signatures.
    address_taken: EntitySet<Sym>,
}

impl<'m> ModuleWriter<'m> {
    fn new(module: &'m Module, traps: Traps) -> ModuleWriter<'m> {
        let (decls, mut errors) = (&module.decls, Vec::new());
        if traps == Traps::Call {
            errors.extend(symbols::named_as_trap_function(decls));
        }
        let (symbols, declarations) = (Symbols::new(decls), BTreeMap::new());
        ModuleWriter {
            shared: Shared { decls, symbols, traps, declarations, nodes: BTreeMap::new(), errors },
            declared: EntitySet::new(),
            address_taken: symbols::address_taken(module),
        }
    }
    /// Translates an item, with an empty line before it.
    fn item(&mut self, module: &'m Module, item: Item) -> String {
        match item {
            Item::Data(d) => {
                let sym = module.decls.data[d].sym;
                if self.declared.insert(sym) { data::definition(&mut self.shared, sym) } else { String::new() }
            }
            Item::ExternFunc(sym) => self.declaration(sym),
            Item::Func(id) => {
                let f = &module.funcs[id];
                let thunk = self.thunk(f.sym);
                on_function(&module.decls, f.sym, || FunctionWriter::new(&mut self.shared, f).write(thunk))
            }
            Item::Alias(id) => self.alias(id),
            // Scalars and pointers to bytes replace types; positions in source files and access types are left out.
            Item::Type(_) | Item::File(_) | Item::AccessType(_) | Item::DebugType(_) => String::new(),
        }
    }
    /// Translates an alias, another name of a definition.
    fn alias(&mut self, id: AliasId) -> String {
        let Some(alias) = self.shared.decls.aliases.get(id) else { return String::new() };
        let symbols = &self.shared.symbols;
        let (name, target) = (symbols.name(alias.sym), symbols.name(alias.target));
        let linkage = symbols::linkage(&self.shared.decls.syms[alias.sym]);
        let address = match alias.offset {
            0 => format!("ptr {target}"),
            n => format!("getelementptr (i8, ptr {target}, i64 {n})"),
        };
        format!("\n{name} = {linkage}alias i8, {address}\n")
    }
    /// Returns the attribute of a function that may be called with another signature.
    fn thunk(&self, sym: Sym) -> &'static str {
        if self.address_taken.contains(sym) { " \"thunk\"" } else { "" }
    }
    /// Declares a function, if it is neither defined nor declared.
    fn declaration(&mut self, sym: Sym) -> String {
        let decls = self.shared.decls;
        if decls.is_defined(sym) || !self.declared.insert(sym) {
            return String::new();
        }
        let sig = decls.signature(sym).expect("the item is a function");
        let lowered = Lowered::of(decls, sig);
        let parameters = parameter_types(decls, &lowered, sig.variadic).join(", ");
        let (result, name) = (result_with_attribute(&lowered.result), self.shared.symbols.name(sym));
        let attributes = attributes(sig.attrs.without(Attrs::INLINE), &lowered, false);
        let linkage = symbols::linkage_of_others(&decls.syms[sym]);
        format!("\ndeclare {linkage}{result} {name}({parameters}){attributes}{}\n", self.thunk(sym))
    }
}

//! Translates a parsed text into a module.
//!
//! 1. [`types`]: aggregate types.
//! 2. [`symbols`]: the kind of every symbol, with signatures; a symbol that is not defined is an external function if
//!    it is called, else external data.
//! 3. [`data`]: contents of data.
//! 4. [`function`]: bodies. For each: [`temporaries`] decides the translation of each temporary, [`instruction`],
//!    [`call`] and [`control`] translate through the operands of [`operand`], [`definite`] gives a value to registers
//!    that a path leaves unassigned. [`library`] knows functions of the C library.
//!
//! The speed of the result depends on this:
//!
//! * an allocation of constant size in the first block is a stack object, and an access through its temporary, or
//!   through the sum of that and a constant, is `[$a + c]`; `%a = lea [$a]` appears only if the address itself is
//!   wanted. So are aggregate parameters and results.
//! * a comparison whose only use is one `jnz` of its block is part of the `br`; one that only `jnz` uses is an i8.

mod call;
mod control;
mod data;
mod definite;
mod function;
mod instruction;
mod library;
mod operand;
mod symbols;
mod temporaries;
mod types;

use super::ast::{AbiType, AggName, Global, Item, Program};
use crate::source_files;
use lir_syntax::ir::{AbiParam, Agg, Decls, EntityRef, Ext, Module, PackedOption, SecondaryMap, Sym, Type};
use lir_syntax::text::diagnostic::Diagnostic;

/// Translates a program. With `builtins`, functions that it does not define may be functions of the C library.
pub(super) fn translate(program: &Program, builtins: bool) -> Result<Module, Vec<Diagnostic>> {
    let mut module = Module::default();
    let mut errors = Vec::new();
    source_files::declare(program.files.iter().map(|path| &**path), &mut module);
    let aggs = types::define(program, &mut module, &mut errors);
    if !errors.is_empty() {
        return Err(errors);
    }
    symbols::declare(program, &aggs, builtins, &mut module, &mut errors);
    if !errors.is_empty() {
        return Err(errors);
    }
    let mut sizes = SecondaryMap::new();
    for item in &program.items {
        let Item::Data(def) = item else { continue };
        match data::contents(program, &module.decls, def) {
            Ok(items) => {
                let id = symbols::data_id(&module.decls, def.name);
                module.decls.data[id].items = items;
                sizes[def.name] = Some(module.decls.data[id].size());
            }
            Err(e) => errors.push(e),
        }
    }
    let context = Context { program, decls: &module.decls, aggs: &aggs, sizes: &sizes, builtins };
    for item in &program.items {
        let Item::Func(def) = item else { continue };
        match function::translate(&context, def) {
            Ok(func) => {
                module.funcs.push(func);
            }
            Err(more) => errors.extend(more),
        }
    }
    if errors.is_empty() { Ok(module) } else { Err(errors) }
}

/// The data that the translation of a definition reads.
struct Context<'a> {
    program: &'a Program,
    decls: &'a Decls,
    aggs: &'a Aggs,
    /// The size in bytes of data that is defined here.
    sizes: &'a SecondaryMap<Global, Option<u64>>,
    /// True if functions that are not defined may be functions of the C library.
    builtins: bool,
}

/// The aggregate type of each name.
type Aggs = SecondaryMap<AggName, PackedOption<Agg>>;

/// Returns the symbol of a global: they are numbered alike.
fn sym_of(global: Global) -> Sym {
    Sym::new(global.index())
}

/// Returns the type of a parameter, argument or result.
fn abi_param(ty: AbiType, aggs: &Aggs) -> AbiParam {
    match ty {
        AbiType::Base(class) => AbiParam::Scalar(class.ty(), Ext::None),
        AbiType::Env => AbiParam::Scalar(Type::I64, Ext::Env),
        AbiType::Sub(ty, signed) => AbiParam::Scalar(ty, if signed { Ext::Sext } else { Ext::Zext }),
        AbiType::Agg(name) => AbiParam::Agg(aggs[name].expand().expect("types are checked before functions")),
    }
}

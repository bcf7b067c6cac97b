//! Functions and variables as symbols, and the meaning of aliases.

use super::super::ast::{Alias, Function, Global, Linkage, Op, Program, Symbol, Value};
use super::super::attributes::{FunctionAttributes, ParamWords};
use super::super::types::Kind;
use super::abi::Aggregates;
use super::block_numbers::BlockNumbers;
use super::fold::{self, Folded};
use super::private::PrivateFunctions;
use super::relative::RelativeTables;
use super::{all_attributes, runtime};
use crate::library;
use lir_syntax::importer::ImportOptions;
use lir_syntax::ir::{
    self, AbiParam, Attrs, DataObject, Decls, EntityRef, Ext, FuncId, Item, Module, PackedOption, SecondaryMap,
    Section, Signature, Sym, SymData, SymKind, Type, Visibility,
};
use lir_syntax::text::diagnostic::Diagnostic;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

/// The meaning of a global.
#[derive(Copy, Clone, PartialEq, Eq, Default)]
enum Meaning {
    /// The global is not declared, or is an intrinsic.
    #[default]
    Nothing,
    Symbol(Sym),
    /// The address that an alias names.
    Alias(Sym, i64),
}

/// The symbols of a module.
pub(super) struct Symbols<'a> {
    meanings: SecondaryMap<Global, Meaning>,
    /// By symbol: the size of a variable that is defined here.
    sizes: SecondaryMap<Sym, PackedOption<Size>>,
    pub aggregates: Aggregates,
    /// By global: its name in LIR.
    names: Vec<Vec<u8>>,
    /// By global: the local function of this module with the body of a function that is defined elsewhere.
    copies: SecondaryMap<Global, PackedOption<Sym>>,
    /// The functions of the C library that instructions call.
    library: BTreeMap<String, Sym>,
    /// The intrinsics that end the program where they are called.
    pub traps: Vec<Global>,
    pub block_numbers: BlockNumbers,
    pub relative_tables: RelativeTables,
    pub private: PrivateFunctions<'a>,
    pub options: ImportOptions,
}

lir_syntax::ir::entity::entity!(
    /// A size in bytes; sizes are below 2^32 - 1.
    Size, "size"
);

impl Symbols<'_> {
    /// Returns the symbol of a global and the offset in bytes from it.
    ///
    /// # Errors
    /// The global has no address; the string is the reason.
    pub(super) fn address(&self, global: Global) -> Result<(Sym, i64), String> {
        match *self.meanings.get(global) {
            Meaning::Symbol(sym) => Ok((sym, 0)),
            Meaning::Alias(sym, offset) => Ok((sym, offset)),
            Meaning::Nothing => Err(format!("`@{}` is not declared, or has no address", self.name(global))),
        }
    }
    /// Returns the symbol of a function that is called by its name.
    pub(super) fn function(&self, global: Global) -> Option<Sym> {
        if let Some(copy) = self.copies.get(global).expand() {
            return Some(copy);
        }
        match *self.meanings.get(global) {
            Meaning::Symbol(sym) | Meaning::Alias(sym, 0) => Some(sym),
            _ => None,
        }
    }
    /// Returns the size in bytes of a variable with contents.
    pub(super) fn size(&self, sym: Sym) -> Option<u64> {
        self.sizes.get(sym).expand().map(|size| size.index() as u64)
    }
    /// Returns the symbol of a function of the C library that an instruction calls.
    pub(super) fn library_function(&self, name: &str) -> Option<Sym> {
        self.library.get(name).copied()
    }
    /// Returns the name of a global, for messages.
    pub(super) fn name(&self, global: Global) -> &str {
        std::str::from_utf8(&self.names[global.index()]).unwrap_or("a name that is not UTF-8")
    }
    /// True if the body of a function belongs to this module.
    pub(super) fn is_defined_here(&self, def: &Function) -> bool {
        let is_here = def.symbol.linkage != Linkage::AvailableExternally || self.copies.get(def.name).is_some();
        def.body.is_some() && is_here && matches!(self.meanings.get(def.name), Meaning::Symbol(_))
    }
}

/// Declares every function and every variable, without the contents of variables.
pub(super) fn declare<'a>(
    program: &'a Program,
    options: ImportOptions,
    module: &mut Module,
    errors: &mut Vec<Diagnostic>,
) -> Symbols<'a> {
    let mut symbols = Symbols {
        meanings: SecondaryMap::new(),
        sizes: SecondaryMap::new(),
        aggregates: Aggregates::default(),
        names: names(program),
        copies: SecondaryMap::new(),
        library: BTreeMap::new(),
        traps: program.globals.keys().filter(|g| is_trap(program.globals.get(*g))).collect(),
        block_numbers: BlockNumbers::of(program),
        relative_tables: RelativeTables::of(program),
        private: PrivateFunctions::of(program),
        options,
    };
    note_aggregates(program, &symbols.private, &mut symbols.aggregates, &mut module.decls);
    let library = Library::of(program, options.builtins);
    let mut declared = HashSet::new();
    let mut next_body = 0;
    for def in &program.functions {
        if program.globals.get(def.name).starts_with(b"llvm.") {
            continue;
        }
        if !declared.insert(def.name) {
            errors.push(twice(&symbols, def.name, def.span));
            continue;
        }
        // The body of a refused function is translated to report its errors.
        let signature = function(program, &symbols, &library, def).unwrap_or_else(|reason| {
            errors.push(Diagnostic::new(def.span, reason));
            Signature::default()
        });
        let defined = def.body.is_some() && def.symbol.linkage != Linkage::AvailableExternally;
        if def.body.is_some() && !defined && is_always_inlined(program, def) {
            copy(&mut symbols, module, def, signature.clone(), FuncId::new(next_body));
            next_body += 1;
        }
        let body = defined.then(|| FuncId::new(next_body));
        next_body += defined as usize;
        let kind = SymKind::Func { sig: signature, body };
        let sym = add(&mut symbols, module, def.name, &def.symbol, defined, kind, def.span.start);
        module.items.push(body.map_or(Item::ExternFunc(sym), Item::Func));
    }
    variables(program, &mut symbols, module, &mut declared, errors);
    aliases(program, &mut symbols, module, &mut declared, errors);
    declare_library(program, library.any, &mut symbols, module);
    symbols
}

/// Declares every variable, except LLVM's own.
fn variables(
    program: &Program,
    symbols: &mut Symbols<'_>,
    module: &mut Module,
    declared: &mut HashSet<Global>,
    errors: &mut Vec<Diagnostic>,
) {
    for variable in &program.variables {
        if !declared.insert(variable.name) {
            errors.push(twice(symbols, variable.name, variable.span));
            continue;
        }
        if program.globals.get(variable.name).starts_with(b"llvm.") {
            continue;
        }
        let data = module.decls.data.next_key();
        let defined = variable.value.is_some() && variable.symbol.linkage != Linkage::AvailableExternally;
        let kind = SymKind::Data(data);
        let sym = add(symbols, module, variable.name, &variable.symbol, defined, kind, variable.span.start);
        let size = program.types.layout(variable.ty).size;
        if defined {
            symbols.sizes[sym] = PackedOption::from(Some(Size::new(size.min(u32::MAX as u64 - 1) as usize)));
        }
        module.decls.data.push(DataObject {
            sym,
            is_extern: !defined,
            thread: variable.symbol.thread,
            constant: variable.constant,
            section: section(&variable.symbol),
            explicit_align: defined.then(|| alignment(program, variable)),
            items: Vec::new(),
        });
        module.items.push(Item::Data(data));
    }
}

fn alignment(program: &Program, variable: &super::super::ast::Variable) -> u64 {
    let layout = program.types.layout(variable.ty);
    variable.symbol.align.unwrap_or(layout.align).max(1)
}

/// Returns the names of all globals in LIR. Globals without a name get a unique one.
fn names(program: &Program) -> Vec<Vec<u8>> {
    let mut names = Vec::with_capacity(program.globals.len());
    let taken: HashSet<&[u8]> = program.globals.keys().map(|g| program.globals.get(g)).collect();
    for global in program.globals.keys() {
        let name = program.globals.get(global);
        names.push(match name {
            [0, number @ ..] => {
                let mut name = [b"__unnamed_", number].concat();
                while taken.contains(&*name) {
                    name.push(b'_');
                }
                name
            }
            // The byte 1 marks a name that the linker gets unchanged.
            [1, name @ ..] => name.to_vec(),
            name => name.to_vec(),
        });
    }
    names
}

fn twice(symbols: &Symbols<'_>, name: Global, span: lir_syntax::text::source::Span) -> Diagnostic {
    Diagnostic::new(span, format!("`@{}` is defined twice", symbols.name(name)))
}

/// Returns the linkage of a symbol in LIR. A definition that is not `common` replaces a `common` one.
fn linkage(symbol: &Symbol, defined: bool) -> ir::Linkage {
    match symbol.linkage {
        Linkage::Local if defined => ir::Linkage::Local,
        Linkage::Weak | Linkage::Common if defined => ir::Linkage::Weak,
        Linkage::LinkOnceOdr if defined => ir::Linkage::LinkOnce,
        Linkage::ExternWeak => ir::Linkage::Weak,
        _ => ir::Linkage::Global,
    }
}

fn section(symbol: &Symbol) -> Option<Section> {
    symbol.section.as_ref().map(|name| Section { name: name.clone(), flags: None })
}

fn add(
    symbols: &mut Symbols<'_>,
    module: &mut Module,
    global: Global,
    symbol: &Symbol,
    defined: bool,
    kind: SymKind,
    loc: u32,
) -> Sym {
    let name = symbols.names[global.index()].as_slice().into();
    let linkage = linkage(symbol, defined);
    let is_local = linkage == ir::Linkage::Local;
    let visibility = if is_local { Visibility::Default } else { symbol.visibility };
    let sym = module.decls.syms.push(SymData { name, kind, linkage, visibility, loc });
    symbols.meanings[global] = Meaning::Symbol(sym);
    sym
}

/// True if every call of a function must be inlined.
fn is_always_inlined(program: &Program, def: &Function) -> bool {
    all_attributes(program, def.attributes, &def.groups).has(FunctionAttributes::ALWAYS_INLINE)
}

/// Declares a local function for the body of a function that is defined elsewhere. Calls in this module call the copy,
/// because the other definition may not exist; the address is the other definition's.
fn copy(symbols: &mut Symbols<'_>, module: &mut Module, def: &Function, sig: Signature, body: FuncId) {
    let mut name = [&symbols.names[def.name.index()], b".copy".as_slice()].concat();
    while symbols.names.contains(&name) {
        name.push(b'_');
    }
    let symbol = Symbol { linkage: Linkage::Local, ..Symbol::default() };
    let kind = SymKind::Func { sig, body: Some(body) };
    let sym = add(symbols, module, def.name, &symbol, true, kind, def.span.start);
    module.decls.syms[sym].name = name.into();
    symbols.copies[def.name] = sym.into();
    module.items.push(Item::Func(body));
}

/// Makes the aggregate types that signatures and calls need.
fn note_aggregates(program: &Program, private: &PrivateFunctions<'_>, aggregates: &mut Aggregates, decls: &mut Decls) {
    for def in &program.functions {
        if program.globals.get(def.name).starts_with(b"llvm.") {
            continue;
        }
        def.params.iter().for_each(|p| aggregates.note_param(program, decls, &p.attributes));
        aggregates.note_wide(program, decls, def.params.iter().map(|p| p.ty));
        let is_private = private.contains(def.name);
        if !is_private {
            aggregates.note_vector(program, decls, def.params.iter().map(|p| p.ty).chain([def.result]));
        }
        aggregates.note_result(program, decls, def.result, is_private);
        let Some(body) = &def.body else { continue };
        for inst in body.insts.iter().filter(|inst| matches!(inst.op, Op::Call | Op::Invoke)) {
            let call = &body.calls[inst.extra as usize];
            if let Value::Global(callee) = call.callee.value
                && program.globals.get(callee).starts_with(b"llvm.")
            {
                continue;
            }
            call.param_attributes.iter().for_each(|a| aggregates.note_param(program, decls, a));
            let arguments = program.operands[inst.operands.range()].iter().map(|o| o.ty);
            aggregates.note_wide(program, decls, arguments.clone());
            let is_private = matches!(call.callee.value, Value::Global(callee) if private.contains(callee));
            if !is_private {
                aggregates.note_vector(program, decls, arguments.chain([call.result]));
            }
            aggregates.note_result(program, decls, call.result, is_private);
        }
    }
}

/// Returns the signature of a function.
fn function(program: &Program, symbols: &Symbols<'_>, library: &Library, def: &Function) -> Result<Signature, String> {
    if let super::super::ast::Convention::Other(name) = &def.convention {
        return Err(format!("the calling convention `{}` is not supported", String::from_utf8_lossy(name)));
    }
    let attributes = all_attributes(program, def.attributes, &def.groups);
    if attributes.has(FunctionAttributes::NAKED) {
        return Err("`naked` functions are not supported".into());
    }
    let is_private = symbols.private.contains(def.name);
    let mut params = Vec::new();
    for param in &def.params {
        if let Some(agg) = symbols.aggregates.wide_in_memory(program, param.ty, &params) {
            params.push(AbiParam::Agg(agg));
            continue;
        }
        let passed = symbols.aggregates.param(program, param.ty, &param.attributes, is_private)?;
        params.extend(passed.params(&param.attributes));
    }
    let returned = symbols.aggregates.result(program, def.result, is_private)?;
    let mut result = returned.result(&def.result_attributes);
    if returns_address(program, def) {
        result = Some(AbiParam::Scalar(Type::I64, Ext::None));
    }
    let mut signature = Signature { params, variadic: def.variadic, result, attrs: Attrs::NONE };
    signature.attrs = lir_attributes(attributes);
    if def.result_attributes.words.has(ParamWords::NOALIAS) && matches!(result, Some(AbiParam::Scalar(Type::I64, _))) {
        signature.attrs = signature.attrs.or(Attrs::NOALIAS);
    }
    if def.body.is_none() {
        let name = &symbols.names[def.name.index()];
        let builtin = library.has(program, def.name, attributes);
        signature.attrs = signature.attrs.or(library::attributes(name, &signature, builtin));
        signature.attrs = consistent(signature.attrs);
    }
    Ok(signature)
}

/// The functions that are known by their names as functions of the C library.
struct Library {
    any: bool,
    /// The functions that have a call with `nobuiltin`.
    not: BTreeSet<Global>,
}

impl Library {
    fn of(program: &Program, builtins: bool) -> Library {
        let mut library = Library { any: builtins, not: BTreeSet::new() };
        for def in &program.functions {
            let Some(body) = &def.body else { continue };
            let attributes = all_attributes(program, def.attributes, &def.groups);
            library.any &= !attributes.has(FunctionAttributes::NO_BUILTINS);
            for call in &body.calls {
                if let Value::Global(callee) = call.callee.value
                    && all_attributes(program, call.attributes, &call.groups).has(FunctionAttributes::NOBUILTIN)
                {
                    library.not.insert(callee);
                }
            }
        }
        library
    }
    /// True if an external function with these attributes may be the C library's.
    fn has(&self, program: &Program, name: Global, attributes: FunctionAttributes) -> bool {
        let excluded = [FunctionAttributes::NOBUILTIN, FunctionAttributes::NO_BUILTINS];
        self.any
            && !excluded.into_iter().any(|words| attributes.has(words))
            && !self.not.contains(&name)
            && !program.not_builtin.contains(program.globals.get(name))
    }
}

/// True if a function returns the address of its result, which its caller passes.
pub(super) fn returns_address(program: &Program, def: &Function) -> bool {
    *program.types.kind(def.result) == Kind::Void && def.params.iter().any(|p| p.attributes.words.has(ParamWords::SRET))
}

/// Returns the corresponding attributes of LIR.
pub(super) fn lir_attributes(attributes: FunctionAttributes) -> Attrs {
    let pairs = [
        (FunctionAttributes::NORETURN, Attrs::NORETURN),
        (FunctionAttributes::NOINLINE, Attrs::NOINLINE),
        (FunctionAttributes::INLINE, Attrs::INLINE),
        (FunctionAttributes::COLD, Attrs::COLD),
        (FunctionAttributes::RETURNS_TWICE, Attrs::RETURNS_TWICE),
        (FunctionAttributes::READNONE, Attrs::READNONE),
        (FunctionAttributes::READONLY, Attrs::READONLY),
        // LLVM's `willreturn` is said of functions that divide by a parameter. Only a speculatable one never traps.
        (WILLRETURN.and(FunctionAttributes::SPECULATABLE), Attrs::WILLRETURN),
        (WILLRETURN, Attrs::RETURNS),
    ];
    let all = pairs.iter().filter(|(theirs, _)| attributes.has(*theirs));
    consistent(all.fold(Attrs::NONE, |all, (_, ours)| all.or(*ours)))
}

/// A function that neither runs for ever nor unwinds.
const WILLRETURN: FunctionAttributes = FunctionAttributes::WILLRETURN.and(FunctionAttributes::NOUNWIND);

/// Drops one of each two attributes that exclude each other.
fn consistent(mut attrs: Attrs) -> Attrs {
    for (kept, dropped) in [
        (Attrs::NOINLINE, Attrs::INLINE),
        (Attrs::READNONE, Attrs::READONLY),
        (Attrs::NORETURN, Attrs::WILLRETURN),
        (Attrs::NORETURN, Attrs::RETURNS),
        (Attrs::WILLRETURN, Attrs::RETURNS),
    ] {
        if attrs.has(kept) {
            attrs = attrs.without(dropped);
        }
    }
    attrs
}

/// Resolves aliases to addresses. An alias of an alias may follow or precede its target. An alias that other modules
/// may refer to becomes an alias in LIR. The module itself refers to the address, unless the alias may be replaced.
fn aliases(
    program: &Program,
    symbols: &mut Symbols<'_>,
    module: &mut Module,
    declared: &mut HashSet<Global>,
    errors: &mut Vec<Diagnostic>,
) {
    let mut open: Vec<&Alias> = Vec::new();
    // The addresses of symbols of aliases.
    let mut named: HashMap<Sym, (Sym, i64)> = HashMap::new();
    for alias in &program.aliases {
        if !declared.insert(alias.name) {
            errors.push(twice(symbols, alias.name, alias.span));
        } else if alias.is_ifunc {
            errors.push(Diagnostic::new(alias.span, "`ifunc` is not supported"));
        } else {
            open.push(alias);
        }
    }
    loop {
        let before = open.len();
        open.retain(|alias| match fold::fold(program, symbols, alias.target.ty, alias.target.value) {
            Ok(Folded::Address(sym, offset)) => {
                if let Err(reason) = add_alias(symbols, module, &mut named, alias, sym, offset) {
                    errors.push(Diagnostic::new(alias.span, reason));
                }
                false
            }
            _ => true,
        });
        if open.len() == before {
            break;
        }
    }
    errors.extend(open.iter().map(|a| Diagnostic::new(a.span, "the alias does not resolve to an address")));
}

/// Gives an alias its meaning, and its symbol if other modules may refer to it.
fn add_alias(
    symbols: &mut Symbols<'_>,
    module: &mut Module,
    named: &mut HashMap<Sym, (Sym, i64)>,
    alias: &Alias,
    target: Sym,
    offset: i64,
) -> Result<(), &'static str> {
    // The target may be an alias that may be replaced.
    let (target, offset) = named.get(&target).map_or((target, offset), |(to, more)| (*to, offset.wrapping_add(*more)));
    symbols.meanings[alias.name] = Meaning::Alias(target, offset);
    if alias.symbol.linkage == Linkage::Local {
        return Ok(());
    }
    let decls = &mut module.decls;
    let (kind, item) = match &decls.syms[target].kind {
        SymKind::Func { sig, .. } => (SymKind::Func { sig: sig.clone(), body: None }, None),
        SymKind::Data(data) if decls.data[*data].thread => return Err("aliases of thread data are not supported"),
        SymKind::Data(data) => {
            let constant = decls.data[*data].constant;
            let sym = decls.syms.next_key();
            let (section, explicit_align, items) = (None, None, Vec::new());
            let object = DataObject { sym, is_extern: true, thread: false, constant, section, explicit_align, items };
            let id = decls.data.push(object);
            (SymKind::Data(id), Some(Item::Data(id)))
        }
    };
    let sym = add(symbols, module, alias.name, &alias.symbol, false, kind, alias.span.start);
    let replaceable = matches!(alias.symbol.linkage, Linkage::Weak);
    let weak = replaceable || alias.symbol.linkage == Linkage::LinkOnceOdr;
    module.decls.syms[sym].linkage = if weak { ir::Linkage::Weak } else { ir::Linkage::Global };
    if !replaceable {
        symbols.meanings[alias.name] = Meaning::Alias(target, offset);
    }
    module.items.push(item.unwrap_or(Item::ExternFunc(sym)));
    named.insert(sym, (target, offset));
    let id = module.decls.aliases.push(ir::Alias { sym, target, offset, loc: alias.span.start });
    module.items.push(Item::Alias(id));
    Ok(())
}

fn is_trap(name: &[u8]) -> bool {
    matches!(name, b"llvm.trap" | b"llvm.ubsantrap")
}

/// Declares the functions of the C library that instructions and intrinsics call, unless the program has them.
fn declare_library(program: &Program, builtins: bool, symbols: &mut Symbols<'_>, module: &mut Module) {
    let mut wanted: BTreeMap<String, (usize, Type)> = BTreeMap::new();
    let (mut runtimes, mut exponents) = (BTreeSet::new(), Vec::new());
    for def in &program.functions {
        if let Some((name, count, ty)) = runtime::library_function(symbols.name(def.name))
            && program.globals.get(def.name).starts_with(b"llvm.")
        {
            wanted.insert(name, (count, ty));
        }
        runtimes.extend(runtime::of_saturation(symbols.name(def.name)));
        exponents.extend(runtime::with_exponent(symbols.name(def.name)));
        for inst in def.body.iter().flat_map(|body| &body.insts) {
            if inst.op == Op::Frem {
                wanted.insert("fmod".into(), (2, Type::F64));
                wanted.insert("fmodf".into(), (2, Type::F32));
            }
            if let Some(first) = program.operands[inst.operands.range()].first() {
                runtimes.extend(runtime::of_wide(&program.types, inst.op, inst.ty, first.ty));
            }
        }
    }
    for (name, ty) in exponents {
        let mut sig = Signature::of_scalars(&[ty, Type::I32], Some(ty));
        sig.attrs = library::attributes(name.as_bytes(), &sig, builtins);
        let sym = external(module, name, sig);
        symbols.library.insert(name.into(), sym);
    }
    for name in runtimes {
        let pair = symbols.aggregates.int_pair(&mut module.decls);
        let sig = runtime::signature(name, pair);
        let sym = external(module, name, sig);
        symbols.library.insert(name.into(), sym);
    }
    for (name, (count, ty)) in wanted {
        let mut sig = Signature::of_scalars(&vec![ty; count], Some(ty));
        sig.attrs = library::attributes(name.as_bytes(), &sig, builtins);
        let sym = external(module, &name, sig);
        symbols.library.insert(name, sym);
    }
}

/// Returns the symbol of this name, which is declared with this signature if it does not exist.
fn external(module: &mut Module, name: &str, sig: Signature) -> Sym {
    if let Some((sym, _)) = module.decls.syms.iter().find(|(_, s)| *s.name == *name.as_bytes()) {
        return sym;
    }
    let kind = SymKind::Func { sig, body: None };
    let sym = module.decls.syms.push(SymData::global(name.as_bytes(), kind));
    module.items.push(Item::ExternFunc(sym));
    sym
}

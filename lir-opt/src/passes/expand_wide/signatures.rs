//! The signatures of functions without i128, and the symbols that expansions refer to.

use super::is_wide_param;
use lir_syntax::abi::{AggClass, ArgAssigner, ArgLocation, classify, halves};
use lir_syntax::ir::function::SourceLoc;
use lir_syntax::ir::module::{AggBody, AggType, Signature};
use lir_syntax::ir::{AbiParam, Agg, Attrs, Decls, Ext, Inst, Item, MemberType, Module, Opcode, Sym, SymKind, Type};
use lir_syntax::text::diagnostic::Diagnostic;
use lir_syntax::text::source::Span;
use std::collections::BTreeMap;

/// The divisions, with the functions of the C runtime that compute them.
const DIVISIONS: [(Opcode, &str); 4] =
    [(Opcode::Udiv, "__udivti3"), (Opcode::Urem, "__umodti3"), (Opcode::Sdiv, "__divti3"), (Opcode::Srem, "__modti3")];

/// The declarations that expansions refer to.
pub(super) struct Wide {
    /// `align 16 { i64 x 2 }`, which the ABI passes and returns as an i128.
    pub(super) pair: Agg,
    /// The functions for the divisions that occur.
    divisions: Vec<(Opcode, Sym)>,
}

impl Wide {
    /// Declares what the expansion of a module needs.
    pub(super) fn new(module: &mut Module) -> Wide {
        let mut wide = Wide { pair: pair(module), divisions: Vec::new() };
        for (op, name) in DIVISIONS {
            if first_use(module, op).is_some() {
                let sym = symbol(&module.decls, name);
                let sym = sym.unwrap_or_else(|| module.declare_func(name, of_halves(wide.pair)));
                wide.divisions.push((op, sym));
            }
        }
        wide
    }
    /// Returns the function for a division.
    pub(super) fn division(&self, op: Opcode) -> Sym {
        self.divisions.iter().find(|(o, _)| *o == op).expect("it was declared").1
    }
}

/// Returns the type of a pair, which is made unless the module has it.
fn pair(module: &mut Module) -> Agg {
    let body = AggBody::Struct { packed: false, members: vec![(MemberType::Scalar(Type::I64), 2)] };
    let types = &mut module.decls.types;
    let is_pair = |ty: &AggType| ty.name.starts_with(b"i128") && ty.explicit_align == Some(16) && ty.body == body;
    if let Some((agg, _)) = types.iter().find(|(_, ty)| is_pair(ty)) {
        return agg;
    }
    let names = (0..).map(|k| if k == 0 { "i128".to_string() } else { format!("i128.{k}") });
    let is_free = |name: &String| types.values().all(|ty| *ty.name != *name.as_bytes());
    let name = names.into_iter().find(is_free).expect("one of these names is free");
    let agg = types.push(AggType::new(name.as_bytes(), Some(16), body, types).expect("it has 16 bytes"));
    module.items.insert(0, Item::Type(agg));
    agg
}

/// Returns the location of the first division of i128 by this opcode.
fn first_use(module: &Module, op: Opcode) -> Option<SourceLoc> {
    module.funcs.values().find_map(|f| {
        let is_use = |i: &Inst| f.inst(*i).op == op && f.inst(*i).ty == Type::I128;
        f.layout().all_insts().find(is_use).map(|i| f.loc_of(i))
    })
}

fn symbol(decls: &Decls, name: &str) -> Option<Sym> {
    decls.syms.iter().find(|(_, s)| *s.name == *name.as_bytes()).map(|(sym, _)| sym)
}

/// Returns the signature of a division of the C runtime. It accesses no memory that the program sees, but may not be
/// executed where the program does not divide.
fn of_halves(pair: Agg) -> Signature {
    let params = vec![AbiParam::Scalar(Type::I64, Ext::None); 4];
    Signature { params, variadic: false, result: Some(AbiParam::Agg(pair)), attrs: Attrs::READNONE }
}

/// Returns an error for each function of the C runtime that a division needs, and that is declared with another type.
pub(super) fn conflicts(module: &Module) -> Vec<Diagnostic> {
    let mut errors = Vec::new();
    for (op, name) in DIVISIONS {
        let (Some(at), Some(sym)) = (first_use(module, op), symbol(&module.decls, name)) else { continue };
        if !is_division(&module.decls, sym) {
            let word = op.mnemonic();
            let message = format!("`{word} i128` calls `@{name}` of the C runtime, which is declared otherwise here");
            let help =
                format!("write `extern func @{name}(i128, i128) -> i128`, or give the other symbol another name");
            errors.push(Diagnostic::new(Span::at(at), message).help(help, Vec::new()));
        }
    }
    errors
}

/// True if a symbol is a function that takes two i128, or the halves of two, and returns one.
fn is_division(decls: &Decls, sym: Sym) -> bool {
    let Some(sig) = decls.signature(sym).filter(|sig| !sig.variadic) else { return false };
    let is_pair = |agg| classify(decls, agg) == AggClass::Regs(halves());
    let result = match sig.result {
        Some(AbiParam::Agg(agg)) => is_pair(agg),
        Some(AbiParam::Scalar(ty, _)) => ty == Type::I128,
        None => false,
    };
    let all = |ty, count| sig.params.len() == count && sig.params.iter().all(|p| *p == AbiParam::Scalar(ty, Ext::None));
    result && (all(Type::I128, 2) || all(Type::I64, 4))
}

/// Gives all functions signatures without i128. Returns the signatures that changed, as they were.
pub(super) fn expand(decls: &mut Decls, pair: Agg) -> BTreeMap<Sym, Signature> {
    let mut written = BTreeMap::new();
    let wide: Vec<Sym> = decls.syms.iter().filter(|(_, s)| is_wide(&s.kind)).map(|(sym, _)| sym).collect();
    for sym in wide {
        let old = decls.signature(sym).expect("it is a function").clone();
        let new = expanded(decls, &old, pair);
        if let SymKind::Func { sig, .. } = &mut decls.syms[sym].kind {
            *sig = new;
        }
        written.insert(sym, old);
    }
    written
}

fn is_wide(kind: &SymKind) -> bool {
    match kind {
        SymKind::Func { sig, .. } => sig.params.iter().chain(&sig.result).any(is_wide_param),
        SymKind::Data(_) => false,
    }
}

fn expanded(decls: &Decls, sig: &Signature, pair: Agg) -> Signature {
    let mut assigner = ArgAssigner::for_result(decls, sig.result);
    let mut params = Vec::new();
    for &param in &sig.params {
        let place = assigner.assign(decls, param);
        match param {
            AbiParam::Scalar(Type::I128, _) if is_in_memory(place) => params.push(AbiParam::Agg(pair)),
            AbiParam::Scalar(Type::I128, _) => params.extend([AbiParam::Scalar(Type::I64, Ext::None); 2]),
            other => params.push(other),
        }
    }
    let result = sig.result.map(|r| if is_wide_param(&r) { AbiParam::Agg(pair) } else { r });
    Signature { params, result, ..sig.clone() }
}

/// True if an i128 is passed on the stack, and not in two registers.
pub(super) fn is_in_memory(place: ArgLocation) -> bool {
    matches!(place, ArgLocation::AggStack(_))
}

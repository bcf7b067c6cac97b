//! The signatures of functions without i128, and the symbols that expansions refer to.

use super::is_wide_param;
use lir_syntax::abi::{ArgAssigner, ArgLocation};
use lir_syntax::ir::module::{AggBody, AggType, Signature};
use lir_syntax::ir::{AbiParam, Agg, Attrs, Decls, Ext, Item, MemberType, Module, Opcode, Sym, SymKind, Type};
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
    ///
    /// # Errors
    /// A function for a division is declared with another type.
    pub(super) fn new(module: &mut Module) -> Result<Wide, Vec<Diagnostic>> {
        let mut wide = Wide { pair: pair(module), divisions: Vec::new() };
        let mut errors = Vec::new();
        for (op, name) in DIVISIONS {
            let mut at = None;
            for f in module.funcs.values() {
                let mut insts = f.layout().all_insts();
                at = at.or_else(|| {
                    insts.find(|i| f.inst(*i).op == op && f.inst(*i).ty == Type::I128).map(|i| f.loc_of(i))
                });
            }
            let Some(at) = at else { continue };
            match runtime_function(module, name, wide.pair) {
                Some(sym) => wide.divisions.push((op, sym)),
                None => {
                    let word = op.mnemonic();
                    let message = format!(
                        "`{word} i128` calls the C runtime's `@{name}`, which this module declares otherwise; write \
                        `extern func @{name}(i128, i128) -> i128`, or give the other symbol another name"
                    );
                    errors.push(Diagnostic::new(Span::at(at), message));
                }
            }
        }
        if errors.is_empty() { Ok(wide) } else { Err(errors) }
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

/// Returns a function of the C runtime, declared if it is not; none if it is declared with another type.
fn runtime_function(module: &mut Module, name: &str, pair: Agg) -> Option<Sym> {
    let param = |ty| AbiParam::Scalar(ty, Ext::None);
    let wide = Signature::of_scalars(&[Type::I128; 2], Some(Type::I128));
    // It does not read memory that the program sees, but may not be executed where the program does not divide.
    let narrow = Signature {
        params: vec![param(Type::I64); 4],
        variadic: false,
        result: Some(AbiParam::Agg(pair)),
        attrs: Attrs::READNONE,
    };
    let Some((sym, data)) = module.decls.syms.iter().find(|(_, s)| *s.name == *name.as_bytes()) else {
        return Some(module.declare_func(name, narrow));
    };
    let SymKind::Func { sig, .. } = &data.kind else { return None };
    let is_like = |other: &Signature| {
        (&sig.params, sig.variadic) == (&other.params, other.variadic)
            && match (sig.result, other.result) {
                // The importer's type of a pair has another name.
                (Some(AbiParam::Agg(a)), Some(AbiParam::Agg(b))) => is_same_pair(&module.decls, a, b),
                (a, b) => a == b,
            }
    };
    (is_like(&wide) || is_like(&narrow)).then_some(sym)
}

fn is_same_pair(decls: &Decls, a: Agg, b: Agg) -> bool {
    a == b || lir_syntax::abi::classify(decls, a) == lir_syntax::abi::classify(decls, b)
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

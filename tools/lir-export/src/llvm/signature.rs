//! Parameters and results in the form that LLVM's code generator needs for the System V convention.
//!
//! LLVM passes scalars as C does, but has no rules for C's structures: a front end splits a structure into scalars that
//! are passed in registers, or passes it by `byval` or `sret`. [`Lowered`] does the same, by the classes and the
//! register counts of `lir_syntax::abi`, which LIR's code generator also follows, so that objects of both agree.

use super::types::type_name;
use lir_syntax::abi::{AggClass, ArgAssigner, ArgLocation, Eightbytes, Piece, RegClass, classify};
use lir_syntax::ir::{AbiParam, Agg, Attrs, Decls, Ext, Signature, Type};

/// The form in which an argument is passed.
#[derive(Copy, Clone)]
pub(super) enum Passed {
    /// A scalar.
    Scalar(Type, Ext),
    /// An aggregate as a scalar for each of its pieces.
    Pieces(Eightbytes<Piece>),
    /// An aggregate on the stack.
    Memory(Agg),
    /// An aggregate of size 0.
    Nothing,
}

/// The form in which a result is passed.
#[derive(Copy, Clone)]
pub(super) enum Returned {
    /// There is none, or it has no bytes.
    Nothing,
    /// A scalar.
    Scalar(Type, Ext),
    /// An aggregate as a scalar for each of its pieces.
    Pieces(Eightbytes<Piece>),
    /// An aggregate, through a hidden pointer.
    Memory(Agg),
}

/// A signature in LLVM's terms.
pub(super) struct Lowered {
    pub(super) result: Returned,
    pub(super) params: Vec<Passed>,
}

impl Lowered {
    pub(super) fn new(decls: &Decls, result: Option<AbiParam>, params: impl Iterator<Item = AbiParam>) -> Lowered {
        let mut assigner = ArgAssigner::for_result(decls, result);
        let pass = |p: AbiParam| match (p, assigner.assign(decls, p)) {
            (AbiParam::Scalar(ty, ext), _) => Passed::Scalar(ty, ext),
            (_, ArgLocation::AggRegs(pieces)) => Passed::Pieces(pieces.iter().map(|(piece, _)| *piece).collect()),
            (AbiParam::Agg(a), ArgLocation::AggStack(_)) => Passed::Memory(a),
            (AbiParam::Agg(_), _) => Passed::Nothing,
        };
        Lowered { params: params.map(pass).collect(), result: returned(decls, result) }
    }
    pub(super) fn of(decls: &Decls, sig: &Signature) -> Lowered {
        Lowered::new(decls, sig.result, sig.params.iter().copied())
    }
    /// True if the function accesses memory of its caller for an aggregate.
    fn has_memory(&self) -> bool {
        matches!(self.result, Returned::Memory(_)) || self.params.iter().any(|p| matches!(p, Passed::Memory(_)))
    }
}

fn returned(decls: &Decls, result: Option<AbiParam>) -> Returned {
    match result {
        None => Returned::Nothing,
        Some(AbiParam::Scalar(ty, ext)) => Returned::Scalar(ty, ext),
        Some(AbiParam::Agg(a)) => match classify(decls, a) {
            AggClass::Empty => Returned::Nothing,
            AggClass::Regs(pieces) if pieces.is_empty() => Returned::Nothing,
            AggClass::Regs(pieces) => Returned::Pieces(pieces),
            AggClass::Memory => Returned::Memory(a),
        },
    }
}

/// Returns the type of a piece of an aggregate. The piece in a float register that is not full and holds more than a
/// `float` is a `double`.
pub(super) fn piece_type(p: &Piece) -> String {
    match (p.class, p.bytes) {
        (RegClass::Int, bytes) => format!("i{}", 8 * bytes),
        (RegClass::Float, 4) => "float".into(),
        (RegClass::Float, _) if p.is_vector() => "<2 x i64>".into(),
        (RegClass::Float, _) => "double".into(),
    }
}

/// Returns the type of a result, without attributes.
pub(super) fn result_type(result: &Returned) -> String {
    match result {
        Returned::Nothing | Returned::Memory(_) => "void".into(),
        Returned::Scalar(ty, _) => type_name(*ty).into(),
        Returned::Pieces(pieces) => match &pieces[..] {
            [p] => piece_type(p),
            all => format!("{{ {} }}", all.iter().map(piece_type).collect::<Vec<_>>().join(", ")),
        },
    }
}

/// Returns the attribute and the type of a result.
pub(super) fn result_with_attribute(result: &Returned) -> String {
    match result {
        Returned::Scalar(_, ext) => format!("{}{}", extension(*ext, ""), result_type(result)),
        _ => result_type(result),
    }
}

/// Returns the attribute of an extension and a blank; `or` if there is no extension.
fn extension(ext: Ext, or: &'static str) -> &'static str {
    match ext {
        Ext::None => or,
        Ext::Sext => "signext ",
        Ext::Zext => "zeroext ",
        Ext::Env => "nest ",
    }
}

/// Returns the type and the attribute of a scalar parameter.
pub(super) fn scalar(ty: Type, ext: Ext) -> String {
    match ext {
        // LLVM's environment parameters are pointers.
        Ext::Env => "ptr nest".into(),
        _ => format!("{} {}", type_name(ty), extension(ext, "")).trim_end().into(),
    }
}

/// Returns the type and the attributes of the pointer to an aggregate that is passed on the stack.
pub(super) fn by_value(decls: &Decls, a: Agg) -> String {
    let ty = &decls.types[a];
    format!("ptr byval([{} x i8]) align {}", ty.size, ty.align.max(8))
}

/// Returns the type and the attributes of the hidden pointer to the memory of a result.
pub(super) fn hidden(decls: &Decls, a: Agg) -> String {
    let ty = &decls.types[a];
    format!("ptr sret([{} x i8]) align {}", ty.size, ty.align)
}

/// Returns the type of a parameter without its attributes, from `ptr byval(..)` or `<2 x i64>`.
pub(super) fn without_attributes(parameter: &str) -> &str {
    let end = if parameter.starts_with('<') { parameter.find('>').map(|end| end + 1) } else { parameter.find(' ') };
    &parameter[..end.unwrap_or(parameter.len())]
}

/// Returns the types of the parameters with their attributes, `...` last in a variadic function.
pub(super) fn parameter_types(decls: &Decls, lowered: &Lowered, variadic: bool) -> Vec<String> {
    let mut types = Vec::new();
    if let Returned::Memory(a) = lowered.result {
        types.push(hidden(decls, a));
    }
    for p in &lowered.params {
        match p {
            Passed::Scalar(ty, ext) => types.push(scalar(*ty, *ext)),
            Passed::Pieces(pieces) => types.extend(pieces.iter().map(piece_type)),
            Passed::Memory(a) => types.push(by_value(decls, *a)),
            Passed::Nothing => {}
        }
    }
    if variadic {
        types.push("...".into());
    }
    types
}

/// Returns LLVM's attributes of a function, each after a blank. No attribute has a stronger meaning in LLVM than in
/// LIR.
///
/// LIR's `willreturn` is stronger than LLVM's, and implies `nounwind`. In LLVM's terms, a function that may trap writes
/// memory that the caller cannot access; the memory of aggregates is memory of the caller. The attributes of LLVM
/// before version 16 cannot express more, and later versions still read them.
pub(super) fn attributes(attrs: Attrs, lowered: &Lowered, is_defined: bool) -> String {
    let mut words = Vec::new();
    let returns = attrs.has(Attrs::WILLRETURN);
    match (attrs.has(Attrs::READNONE), returns, lowered.has_memory()) {
        (true, true, false) => words.push("readnone"),
        (true, true, true) => words.push("argmemonly"),
        (true, false, false) => words.push("inaccessiblememonly"),
        (true, false, true) => words.push("inaccessiblemem_or_argmemonly"),
        (false, true, false) if attrs.has(Attrs::READONLY) => words.push("readonly"),
        (false, ..) => {}
    }
    let returns_words: &[&str] = if returns { &["willreturn", "nounwind"] } else { &[] };
    words.extend(returns_words);
    let others = [
        // A function with a body traps where it would return. Declarations are not trusted: a trap follows each call of
        // such a function.
        (Attrs::NORETURN, "noreturn", is_defined),
        (Attrs::RETURNS_TWICE, "returns_twice", true),
        (Attrs::COLD, "cold", true),
        (Attrs::INLINE, "inlinehint", true),
        (Attrs::NOINLINE, "noinline", true),
    ];
    words.extend(others.iter().filter(|(a, _, allowed)| attrs.has(*a) && *allowed).map(|(_, word, _)| *word));
    // Without `nobuiltin`, LLVM assumes that a function with the name of a C function is that function.
    if !attrs.has(Attrs::LIBC) {
        words.push("nobuiltin");
    }
    words.iter().map(|w| format!(" {w}")).collect()
}

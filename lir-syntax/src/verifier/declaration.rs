//! Types, symbols, data, signatures, and the header of a function: V1 to V6, and V18 for stack objects.

use super::debug_types::{check_debug_types, wrong_debug_type, wrong_scope};
use super::items::{check_items, is_function};
use super::{Checker, Rule, Sink};
use crate::ir::access_type::MAX_ACCESS_DEPTH;
use crate::ir::function::{NO_LOC, SourceLoc};
use crate::ir::module::{AggBody, MAX_OBJECT_SIZE, MemberType, SymKind};
use crate::ir::{
    AbiParam, AggType, Attrs, DataItem, DataObject, Decls, EntitySet, Ext, Linkage, Module, Param, Place, Section,
    Signature, StackData, Sym, SymData, Type, Visibility,
};
use hashbrown::HashSet;

/// Checks all declarations, and, if the module is `whole`, that they agree with one another.
pub(super) fn check_module(module: &Module, whole: bool, sink: &mut Sink) {
    let decls = &module.decls;
    let names = decls.syms.values().map(|s| (&*s.name, s.loc));
    distinct_names("symbol", "@", names, sink);
    distinct_names("type", ":", decls.types.values().map(|t| (&*t.name, NO_LOC)), sink);
    let names = decls.access_types.all().map(|(_, t)| (&*t.name, t.loc));
    distinct_names("access type", ":", names, sink);
    let names = decls.debug_types.all().map(|(_, t)| (&*t.name, t.loc));
    distinct_names("debug type", ":", names, sink);
    distinct_names("file", "!", decls.files.values().map(|f| (&*f.name, f.loc)), sink);
    types(decls, whole, sink);
    for (sym, data) in decls.syms.iter() {
        if sink.is_full() {
            return;
        }
        match &data.kind {
            SymKind::Func { sig, body } => {
                let agrees = !whole || body.is_none_or(|id| module.funcs.get(id).is_some_and(|f| f.sym == sym));
                if !agrees {
                    sink.report(Rule::Tables, data.loc, format_args!("{} has the body of another", name_of(data)));
                }
                signature(decls, data, sig, sink);
                scope(decls, sym, data, sink);
                if body.is_some() && sig.attrs.has(Attrs::LIBC) {
                    libc_with_body(data, sink);
                }
            }
            SymKind::Data(id) => match decls.data.get(*id) {
                Some(object) if object.sym == sym => {
                    data_object(decls, data, object, sink);
                    scope(decls, sym, data, sink);
                }
                _ if !whole => {}
                _ => {
                    sink.report(Rule::Tables, data.loc, format_args!("{} has no data object", name_of(data)));
                }
            },
        }
    }
    aliases(decls, sink);
    access_types(decls, sink);
    check_debug_types(decls, sink);
    if whole {
        check_items(module, sink);
    }
}

fn name_of(sym: &SymData) -> String {
    format!("`@{}`", sym.name.escape_ascii())
}

/// V1. The names come from outside, so the hash is the default, keyed one.
fn distinct_names<'a>(
    what: &str,
    sigil: &str,
    names: impl ExactSizeIterator<Item = (&'a [u8], SourceLoc)>,
    sink: &mut Sink,
) {
    let mut seen: HashSet<&[u8], foldhash::fast::RandomState> = HashSet::default();
    seen.reserve(names.len());
    for (name, loc) in names {
        if name.contains(&0) {
            sink.report(
                Rule::Names,
                loc,
                format_args!("the name of {what} `{sigil}{}` has a NUL", name.escape_ascii()),
            );
        }
        if name.is_empty() {
            sink.report(Rule::Names, loc, format_args!("the name of a {what} is empty"));
        }
        if what == "file" && name == b"none" {
            sink.report(Rule::Names, loc, format_args!("`!none` is no file: it says that there is no location"));
        }
        if !seen.insert(name) {
            sink.report(Rule::Names, loc, format_args!("{what} `{sigil}{}` is declared twice", name.escape_ascii()));
        }
    }
}

/// V3.
fn types(decls: &Decls, whole: bool, sink: &mut Sink) {
    for (id, ty) in decls.types.iter() {
        let name = || format!("`:{}`", ty.name.escape_ascii());
        if !is_alignment(ty.align) || !ty.explicit_align.is_none_or(is_alignment) {
            sink.report(Rule::Types, NO_LOC, format_args!("{} has alignment {}; {ALIGNMENT}", name(), ty.align));
        }
        if ty.size > MAX_OBJECT_SIZE {
            sink.report(Rule::Types, NO_LOC, format_args!("{} has {} bytes; {SIZE}", name(), ty.size));
        }
        let members = match &ty.body {
            AggBody::Struct { members, .. } | AggBody::Union(members) => members.as_slice(),
            AggBody::Opaque(_) | AggBody::Vector => &[],
        };
        let bad = |m: &MemberType| match m {
            MemberType::Scalar(_) => false,
            MemberType::Agg(a) => *a == id || decls.types.get(*a).is_none(),
        };
        if members.iter().any(|(m, _)| bad(m)) {
            sink.report(Rule::Tables, NO_LOC, format_args!("{} has a member of no type", name()));
        } else if whole && is_alignment(ty.align) && ty.explicit_align.is_none_or(is_alignment) {
            // A type that was not read, or contains itself, has no layout.
            let right = AggType::new(&ty.name, ty.explicit_align, ty.body.clone(), &decls.types);
            if right.is_none_or(|right| (right.size, right.align) != (ty.size, ty.align)) {
                sink.report(Rule::Types, NO_LOC, format_args!("{} has another layout than its members", name()));
            }
        }
    }
}

const ALIGNMENT: &str = "an alignment is a power of two, at most 2^30";
const SIZE: &str = "at most 2^30 are allowed";

fn is_alignment(align: u64) -> bool {
    align.is_power_of_two() && align <= MAX_OBJECT_SIZE
}

/// V4.
fn data_object(decls: &Decls, sym: &SymData, data: &DataObject, sink: &mut Sink) {
    let mut report = |about: Option<&str>, message: std::fmt::Arguments<'_>| {
        if let Some(d) = sink.report(Rule::Data, sym.loc, format_args!("data {} {message}", name_of(sym))) {
            d.about = about.map(|name| name.trim_matches('`').into());
        }
    };
    if data.is_extern != data.items.is_empty() {
        report(None, format_args!("{}", if data.is_extern { "is extern and has contents" } else { "has no contents" }));
    }
    if data.is_extern && sym.is_local() {
        report(None, format_args!("is both local and extern"));
    }
    if data.explicit_align.is_some_and(|a| !is_alignment(a)) {
        report(None, format_args!("has alignment {}; {ALIGNMENT}", data.align()));
    }
    if let Some(complaint) = data.section.as_ref().and_then(wrong_section) {
        report(None, format_args!("{complaint}"));
    }
    if data.size() > MAX_OBJECT_SIZE {
        report(None, format_args!("has {} bytes; {SIZE}", data.size()));
    }
    for item in &data.items {
        match item {
            DataItem::Scalar(ty, payload) if ty.constant_payload(*payload as u64) != *payload => {
                report(None, format_args!("holds {payload}, which does not fit {ty}"));
            }
            DataItem::Scalar(Type::I128, _) => {
                report(None, format_args!("holds an i128 as a scalar of 64 bits"));
            }
            DataItem::Addr(to, _) => match decls.syms.get(*to) {
                None => report(None, format_args!("holds the address of no symbol")),
                Some(to_data) if decls.data_of(*to).is_some_and(|d| d.thread) => {
                    let name = name_of(to_data);
                    report(Some(&name), format_args!("holds the address of {name}, which is thread-local"));
                }
                Some(_) => {}
            },
            DataItem::Scalar(..) | DataItem::Wide(_) | DataItem::Str(_) | DataItem::Zero(_) => {}
        }
    }
}

/// Returns the reason why no text can name a section, if there is one.
pub(super) fn wrong_section(section: &Section) -> Option<&'static str> {
    if section.name.is_empty() {
        Some("is in a section without a name")
    } else {
        section.name.contains(&0).then_some("is in a section whose name has a NUL")
    }
}

/// V5, V6, and the ids of V2.
fn signature(decls: &Decls, sym: &SymData, sig: &Signature, sink: &mut Sink) {
    let contradictions =
        [(Attrs::READNONE, Attrs::READONLY), (Attrs::NORETURN, Attrs::WILLRETURN), (Attrs::INLINE, Attrs::NOINLINE)];
    let word = |a: Attrs| Attrs::ALL.iter().find(|(b, _)| *b == a).map_or("", |(_, w)| w);
    for (a, b) in contradictions {
        if sig.attrs.has(a.or(b)) {
            let (a, b) = (word(a), word(b));
            sink.report(Rule::Attributes, sym.loc, format_args!("{} is both {a} and {b}", name_of(sym)));
        }
    }
    if sig.attrs.has(Attrs::NOALIAS) && !matches!(sig.result, Some(AbiParam::Scalar(Type::I64, _))) {
        sink.report(Rule::Attributes, sym.loc, format_args!("{} is noalias, and returns no i64", name_of(sym)));
    }
    for (k, p) in sig.params.iter().chain(&sig.result).enumerate() {
        match *p {
            AbiParam::Scalar(ty, ext) if !may_extend(ty, ext) => {
                let message = format_args!("{}: {ty} takes no `{}`", name_of(sym), ext.name());
                sink.report(Rule::Extension, sym.loc, message);
            }
            AbiParam::Scalar(_, Ext::Env) if k > 0 || sig.params.is_empty() || sig.variadic => {
                sink.report(Rule::Extension, sym.loc, format_args!("{}: {WHERE_ENV}", name_of(sym)));
            }
            AbiParam::Agg(agg) if decls.types.get(agg).is_none() => {
                sink.report(Rule::Tables, sym.loc, format_args!("{} has a parameter of no type", name_of(sym)));
            }
            AbiParam::Scalar(..) | AbiParam::Agg(_) => {}
        }
    }
}

/// V25.
fn aliases(decls: &Decls, sink: &mut Sink) {
    let mut named = EntitySet::new();
    for (_, alias) in decls.aliases.all() {
        let (Some(sym), Some(target)) = (decls.syms.get(alias.sym), decls.syms.get(alias.target)) else {
            sink.report(Rule::Alias, alias.loc, format_args!("an alias has no symbol"));
            continue;
        };
        let (name, of) = (name_of(sym), name_of(target));
        let complaint = if !named.insert(alias.sym) {
            format!("{name} is the alias of two symbols")
        } else if decls.has_contents(alias.sym) || sym.is_local() {
            format!("{name} is an alias, but not declared `extern`")
        } else if !decls.has_contents(alias.target) {
            format!("{name} is an alias of {of}, which is not defined here")
        } else if decls.signature(alias.sym).is_some() && alias.offset != 0 {
            format!("{name} is an alias of an address inside a function")
        } else if decls.signature(alias.sym).is_some() != decls.signature(alias.target).is_some() {
            format!("{name} and {of} are not both functions, or both data")
        } else if [alias.sym, alias.target].iter().any(|s| decls.data_of(*s).is_some_and(|d| d.thread)) {
            format!("{name} is an alias of thread data")
        } else {
            continue;
        };
        sink.report(Rule::Alias, alias.loc, format_args!("{complaint}"));
    }
}

/// V27.
fn access_types(decls: &Decls, sink: &mut Sink) {
    for (id, data) in decls.access_types.all() {
        let name = data.name.escape_ascii();
        if data.parent.is_some_and(|parent| parent >= id) {
            sink.report(
                Rule::AccessType,
                data.loc,
                format_args!("access type `:{name}` is in one that is not above it"),
            );
        } else if decls.access_types.depth(id) > MAX_ACCESS_DEPTH {
            let limit = format_args!("access type `:{name}` is in more than {MAX_ACCESS_DEPTH} others");
            sink.report(Rule::AccessType, data.loc, limit);
        }
    }
}

/// V5, of linkage and visibility.
fn scope(decls: &Decls, s: Sym, sym: &SymData, sink: &mut Sink) {
    let complaint = if sym.is_local() && sym.visibility != Visibility::Default {
        "is local, and so cannot have a visibility"
    } else if sym.linkage == Linkage::LinkOnce && !decls.is_defined(s) {
        "is linkonce, but not defined"
    } else {
        return;
    };
    sink.report(Rule::Attributes, sym.loc, format_args!("{} {complaint}", name_of(sym)));
}

/// V5: a function with `libc` has no body in this module.
fn libc_with_body(sym: &SymData, sink: &mut Sink) {
    let message = format_args!("{} is `libc` and has a body; the C library's functions are `extern`", name_of(sym));
    if let Some(d) = sink.report(Rule::Attributes, sym.loc, message) {
        d.about = Some("libc".into());
    }
}

/// True if a value of type `ty` may be passed with this extension.
pub(super) fn may_extend(ty: Type, ext: Ext) -> bool {
    match ext {
        Ext::None => true,
        Ext::Sext | Ext::Zext => matches!(ty, Type::I8 | Type::I16),
        Ext::Env => ty == Type::I64,
    }
}

/// The sentence of V6 about `env`.
pub(super) const WHERE_ENV: &str = "`env` is only for the first parameter of a function that is not variadic";

impl Checker<'_> {
    /// V2 for locations in the front end's source.
    pub(super) fn locations(&mut self) {
        let (f, decls) = (self.f, self.decls);
        let is_place = |p: Place| decls.files.get(p.file).is_some() && p.line > 0;
        if !f.place.is_none_or(is_place) {
            self.report_header(Rule::Tables, format_args!("the location of the function is none"));
        }
        let wrong = f.origins.all().iter().find(|o| !o.place.is_none_or(is_place));
        if let Some(o) = wrong {
            self.sink.report(Rule::Tables, o.offset, format_args!("the location of an instruction is none"));
        }
        if let Some(c) = f.origins.calls().iter().find(|c| !is_function(decls, c.callee)) {
            let at = f.origins.offset(c.call);
            self.sink.report(Rule::Tables, at, format_args!("the call that was inlined is of no function"));
        }
    }
    /// V2 for parameters, V18 for stack objects.
    pub(super) fn header(&mut self) {
        let f = self.f;
        if f.params.len() != self.sig.params.len() {
            let (have, want) = (f.params.len(), self.sig.params.len());
            self.report_header(Rule::Tables, format_args!("{have} parameters, but {want} in the signature"));
        }
        if let Some(complaint) = f.section.as_ref().and_then(wrong_section) {
            self.report_header(Rule::Tables, format_args!("the function {complaint}"));
        }
        if let Some(complaint) = wrong_debug_type(self.decls, f).or_else(|| wrong_scope(self.decls, f)) {
            self.report_header(Rule::DebugType, format_args!("{complaint}"));
        }
        let (mut regs, mut objs) = (EntitySet::new(), EntitySet::new());
        for (k, (p, want)) in f.params.iter().zip(&self.sig.params).enumerate() {
            let agrees = match (*p, *want) {
                (Param::Reg(r), AbiParam::Scalar(ty, _)) => f.regs.get(r).is_some_and(|r| r.ty == ty),
                (Param::Agg(o), AbiParam::Agg(agg)) => {
                    f.stack.get(o).is_some_and(|o| o.is_param && o.agg.expand() == Some(agg))
                }
                (Param::Reg(_), AbiParam::Agg(_)) | (Param::Agg(_), AbiParam::Scalar(..)) => false,
            };
            let is_new = agrees
                && match *p {
                    Param::Reg(r) => regs.insert(r),
                    Param::Agg(o) => objs.insert(o),
                };
            if !is_new {
                self.report_header(Rule::Tables, format_args!("parameter {k} does not agree with the signature"));
            } else if matches!(*p, Param::Reg(r) if f.is_noalias(r) && f.type_of(r) != Type::I64) {
                self.report_header(Rule::Tables, format_args!("parameter {k} is `noalias`, and is not an i64"));
            } else if let Param::Reg(r) = *p
                && let promises = f.param_promises(r)
                && !promises.is_empty()
                && let Some(complaint) = promises.complaint(f.type_of(r))
            {
                self.report_header(
                    Rule::ValuePromises,
                    format_args!("a promise about parameter {k} is not possible: {complaint}"),
                );
            }
        }
        for (o, &data) in f.stack_objects() {
            if data.is_param != objs.contains(o) {
                let name = self.object(o);
                self.report_header(Rule::Tables, format_args!("{name} is marked as a parameter, or is one, not both"));
            } else if !data.is_param && !self.is_as_declared(&data) {
                let name = self.object(o);
                self.report_header(
                    Rule::StackObject,
                    format_args!("{name} has another size or alignment than declared"),
                );
            }
            if !is_alignment(data.align) {
                let (name, align) = (self.object(o), data.align);
                self.report_header(Rule::StackObject, format_args!("{name} has alignment {align}; {ALIGNMENT}"));
            }
            if data.size > MAX_OBJECT_SIZE {
                let (name, size) = (self.object(o), data.size);
                self.report_header(Rule::StackObject, format_args!("{name} has {size} bytes; {SIZE}"));
            }
        }
    }
    /// True if size and alignment of a stack object agree with its line.
    fn is_as_declared(&self, data: &StackData) -> bool {
        let natural = match data.agg.expand() {
            None => Some((data.size, 8)),
            Some(agg) => self.decls.types.get(agg).map(|ty| (ty.size, ty.align.max(8))),
        };
        natural.is_some_and(|(size, align)| (size, data.explicit_align.unwrap_or(align)) == (data.size, data.align))
    }
}

//! Aggregate types.
//!
//! A body of a union that has several members becomes a type of its own, `:u.1` after `:u`. QBE's `align` raises the
//! alignment and never lowers it; it is written only if it does raise it.

use super::super::ast::{AbiType, AggName, Item, Program, SubType, TypeBody, TypeDef};
use super::super::operation::Operation;
use super::Aggs;
use hashbrown::HashSet;
use lir_syntax::ir::{Agg, AggBody, AggType, Item as IrItem, MemberType, Module, SecondaryMap};
use lir_syntax::text::diagnostic::Diagnostic;
use lir_syntax::text::source::Span;

/// Defines all types in order, and checks that each is defined before its uses.
pub(super) fn define(program: &Program, module: &mut Module, errors: &mut Vec<Diagnostic>) -> Aggs {
    let mut types = Types { program, module, aggs: SecondaryMap::new(), taken: HashSet::default() };
    for item in &program.items {
        let done = match item {
            Item::Type(def) => types.define(def),
            Item::Func(def) => {
                let header = def.result.into_iter().chain(def.params.iter().map(|(ty, _)| *ty));
                let calls = def.insts.iter().filter(|i| i.op == Operation::Call);
                let calls = calls.flat_map(|inst| {
                    let call = &def.calls[inst.extra as usize];
                    let types = call.result.into_iter().chain(call.args.iter().map(|(ty, ..)| *ty));
                    types.map(move |ty| (ty, inst.span))
                });
                header.map(|ty| (ty, def.span)).chain(calls).try_for_each(|(ty, span)| match ty {
                    AbiType::Agg(name) => types.find(name, span).map(|_| ()),
                    AbiType::Base(_) | AbiType::Sub(..) | AbiType::Env => Ok(()),
                })
            }
            Item::Data(_) => Ok(()),
        };
        errors.extend(done.err());
    }
    types.aggs
}

struct Types<'a> {
    program: &'a Program,
    module: &'a mut Module,
    aggs: Aggs,
    /// All names of the text and those made up here. Filled when the first one is made up.
    taken: HashSet<Box<[u8]>, foldhash::fast::FixedState>,
}

impl Types<'_> {
    fn find(&self, name: AggName, span: Span) -> Result<Agg, Diagnostic> {
        self.aggs[name].expand().ok_or_else(|| {
            let message = format!("type `:{}` is not defined before this", self.program.aggs.show(name));
            Diagnostic::new(span, message)
        })
    }

    fn define(&mut self, def: &TypeDef) -> Result<(), Diagnostic> {
        if self.aggs[def.name].is_some() {
            let message = format!("type `:{}` is defined twice", self.program.aggs.show(def.name));
            return Err(Diagnostic::new(def.span, message));
        }
        let body = match &def.body {
            TypeBody::Struct(members) => self.structure(members, def.span)?,
            TypeBody::Union(bodies) => self.union(bodies, def)?,
            TypeBody::Opaque(bytes) => AggBody::Opaque(*bytes),
        };
        let name: Box<[u8]> = self.program.aggs.get(def.name).into();
        let agg = self.add(&name, def.align, body, def.span)?;
        self.aggs[def.name] = agg.into();
        Ok(())
    }

    /// A type without members has no body in LIR: it is opaque.
    fn structure(&self, members: &[(SubType, u64)], span: Span) -> Result<AggBody, Diagnostic> {
        let members = members.iter().map(|m| self.member(*m, span)).collect::<Result<Vec<_>, _>>()?;
        Ok(if members.is_empty() { AggBody::Opaque(0) } else { AggBody::Struct { packed: false, members } })
    }

    fn member(&self, (member, count): (SubType, u64), span: Span) -> Result<(MemberType, u64), Diagnostic> {
        Ok(match member {
            SubType::Scalar(ty) => (MemberType::Scalar(ty), count),
            SubType::Agg(name) => (MemberType::Agg(self.find(name, span)?), count),
        })
    }

    fn union(&mut self, bodies: &[Vec<(SubType, u64)>], def: &TypeDef) -> Result<AggBody, Diagnostic> {
        let (mut members, mut number) = (Vec::new(), 0);
        for body in bodies {
            match body[..] {
                [] => {}
                [member] => members.push(self.member(member, def.span)?),
                _ => {
                    let inner = self.structure(body, def.span)?;
                    let name = self.derived_name(def.name, &mut number);
                    let agg = self.add(&name, None, inner, def.span)?;
                    members.push((MemberType::Agg(agg), 1));
                }
            }
        }
        Ok(if members.is_empty() { AggBody::Opaque(0) } else { AggBody::Union(members) })
    }

    /// Returns the first free one of `name.1`, `name.2`, ... after the number of the last one.
    fn derived_name(&mut self, name: AggName, number: &mut u32) -> Box<[u8]> {
        let names = &self.program.aggs;
        if self.taken.is_empty() {
            self.taken.extend(names.keys().map(|k| Box::from(names.get(k))));
        }
        loop {
            *number += 1;
            let derived: Box<[u8]> = [names.get(name), format!(".{number}").as_bytes()].concat().into();
            if self.taken.insert(derived.clone()) {
                return derived;
            }
        }
    }

    fn add(&mut self, name: &[u8], align: Option<u64>, body: AggBody, span: Span) -> Result<Agg, Diagnostic> {
        let types = &self.module.decls.types;
        let too_large = || Diagnostic::new(span, "the type is too large");
        let natural = AggType::new(name, None, body.clone(), types).ok_or_else(too_large)?;
        let ty = match align {
            Some(align) if align > natural.align => {
                AggType::new(name, Some(align), body, types).ok_or_else(too_large)?
            }
            _ => natural,
        };
        let agg = self.module.decls.types.push(ty);
        self.module.items.push(IrItem::Type(agg));
        Ok(agg)
    }
}

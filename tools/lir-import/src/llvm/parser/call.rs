//! Calls.

use super::super::ast::{Body, Call, Constant, Inst, Op, Operand, Tail, Value};
use super::super::attributes::FunctionAttributes;
use super::super::lexer::Kind;
use super::super::types::{self, Ty};
use super::Parser;
use super::instruction::operation;
use crate::tokens::{Parse, Parsed};

impl Parser<'_> {
    /// Parses a call or an `invoke`, whose two blocks become its last operands.
    pub(super) fn call(&mut self, inst: &mut Inst, body: &mut Body) -> Parsed<()> {
        let mut tail = Tail::None;
        if inst.op == Op::Call {
            tail = match self.here() {
                b"tail" => Tail::Allowed,
                b"musttail" => Tail::Required,
                b"notail" => Tail::Forbidden,
                _ => Tail::None,
            };
            if tail != Tail::None {
                self.advance();
            }
            self.expect_word("call")?;
            self.flags(inst);
        }
        let convention = self.convention()?.unwrap_or_default();
        let result_attributes = self.param_attributes(true)?;
        let ty = self.ty()?;
        let (result, fixed, variadic) = match self.program.types.kind(ty) {
            types::Kind::Function { result, params, variadic } => (*result, Some(params.len() as u32), *variadic),
            _ => (ty, None, false),
        };
        let callee = Operand { ty: Ty::ptr(), value: self.callee()? };
        let mut call = Call {
            callee,
            convention,
            tail,
            result,
            result_attributes,
            fixed,
            variadic,
            attributes: FunctionAttributes::default(),
            groups: Vec::new(),
            param_attributes: Vec::new(),
            bundle: None,
        };
        match self.debug_intrinsic(&call.callee) {
            Some(declares) => self.source_variable(body, declares)?,
            None => self.arguments(&mut call)?,
        }
        loop {
            let kind = self.token.kind;
            match kind {
                Kind::Word if inst.op == Op::Invoke && self.is_word(b"to") => break,
                // The word may be the next instruction's.
                Kind::Word if operation(self.here()).is_some() => break,
                Kind::Punct(b'[') => self.bundles(&mut call)?,
                _ if self.function_attributes(&mut call.attributes, &mut call.groups)? => {}
                _ => break,
            }
        }
        if inst.op == Op::Invoke {
            self.expect_word("to")?;
            self.target()?;
            self.expect_word("unwind")?;
            self.target()?;
        }
        inst.ty = result;
        inst.extra = body.calls.len() as u32;
        body.calls.push(call);
        Ok(())
    }

    fn callee(&mut self) -> Parsed<Value> {
        if !self.take_word(b"asm") {
            return self.value(Ty::ptr());
        }
        while self.token.kind == Kind::Word {
            self.advance();
        }
        let template = self.string()?;
        self.expect_punct(b',')?;
        let constraints = self.string()?;
        Ok(self.constant(Constant::Assembly { template, constraints }))
    }

    /// Returns whether a callee declares a variable, if it is `llvm.dbg.declare` or `llvm.dbg.value`.
    fn debug_intrinsic(&self, callee: &Operand) -> Option<bool> {
        let Value::Global(callee) = callee.value else { return None };
        match self.globals.names().get(callee) {
            b"llvm.dbg.declare" => Some(true),
            b"llvm.dbg.value" => Some(false),
            _ => None,
        }
    }

    fn arguments(&mut self, call: &mut Call) -> Parsed<()> {
        self.expect_punct(b'(')?;
        while !self.take_punct(b')') {
            if !call.param_attributes.is_empty() {
                self.expect_punct(b',')?;
            }
            // In a thunk, `...` passes on all further arguments.
            if self.token.kind == Kind::Dots {
                self.advance();
                call.variadic = true;
                return self.expect_punct(b')');
            }
            let ty = self.ty()?;
            call.param_attributes.push(self.param_attributes(false)?);
            let value = self.value(ty)?;
            self.list.push(Operand { ty, value });
        }
        Ok(())
    }

    /// Parses operand bundles: `[ "name"(..), .. ]`.
    fn bundles(&mut self, call: &mut Call) -> Parsed<()> {
        self.advance();
        while !self.take_punct(b']') {
            if self.token.kind == Kind::Str {
                let name = self.string()?;
                call.bundle.get_or_insert(name);
                self.skip_brackets()?;
            } else {
                self.expect_punct(b',')?;
            }
        }
        Ok(())
    }
}

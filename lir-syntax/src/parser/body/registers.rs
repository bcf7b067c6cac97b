//! Registers of a body: their names, and their types, which their first assignments give.

use super::{BodyParser, PendingUse, RegState, Want};
use crate::ir::function::NO_LOC;
use crate::ir::operand::MAX_INDEX;
use crate::ir::{EntityRef, Reg, RegData, Type};
use crate::parser::cursor::{Parsed, span};
use crate::text::diagnostic::Diagnostic;
use crate::text::scanner::Token;

impl BodyParser<'_, '_> {
    /// Returns the register of a name; a new one gets its type when it is assigned.
    pub(super) fn reg_of_name(&mut self, name: &[u8], t: Token) -> Parsed<Reg> {
        let next = self.f.regs.len();
        let f = &self.f;
        let is = |r: u32| f.names.get(f.regs[Reg::from_u32(r)].name) == name;
        let (id, new) = self.s.reg_index.find_or_insert(name, is);
        if new {
            if next > MAX_INDEX {
                return Err(self.c.error(t, format!("more than {MAX_INDEX} registers")));
            }
            let name = self.f.names.add_distinct(name);
            self.f.regs.push(RegData { ty: Type::I64, name });
            self.s.regs.push(RegState { assigned: NO_LOC, mention: t.start, broken: false });
        }
        Ok(Reg::from_u32(id))
    }
    /// Returns the register of a token.
    #[inline]
    pub(super) fn reg_mention(&mut self, t: Token) -> Parsed<Reg> {
        let text = self.c.text(t);
        if text[1] != b'"' {
            return self.reg_of_name(&text[1..], t);
        }
        let name = self.c.name(t)?;
        self.reg_of_name(&name, t)
    }
    /// Returns the register of a name that occurred already.
    pub(super) fn known_reg(&self, name: &[u8]) -> Option<Reg> {
        let is = |r: u32| self.f.names.get(self.f.regs[Reg::from_u32(r)].name) == name;
        self.s.reg_index.find(name, is).map(Reg::from_u32)
    }
    /// Returns the type of a register that was assigned above.
    #[inline]
    pub(super) fn type_above(&self, r: Reg) -> Option<Type> {
        (self.s.regs[r.index()].assigned != NO_LOC).then(|| self.f.regs[r].ty)
    }
    /// Checks that a register is of the type that a use asks for. If it is assigned later, this is done at the end.
    #[inline]
    pub(super) fn check_use(&mut self, at: Token, reg: Reg, want: Want) -> Parsed<()> {
        match self.type_above(reg) {
            Some(ty) if want.takes(ty) => Ok(()),
            Some(_) => self.wrong_type(at, reg, want),
            None => {
                self.s.pending.push(PendingUse { reg, want, at, statement: self.statement });
                Ok(())
            }
        }
    }
    #[cold]
    fn wrong_type(&mut self, at: Token, reg: Reg, want: Want) -> Parsed<()> {
        let state = self.s.regs[reg.index()];
        if state.broken {
            return Ok(());
        }
        let ty = self.f.regs[reg].ty;
        let wanted = want.only_type();
        let want = match want {
            Want::Type(t) => t.name(),
            Want::Integer => "an integer",
            Want::Any => "a value",
        };
        let what = self.c.describe(at);
        let message = format!("{what} is of type {ty}, but {want} is wanted here");
        let error = Diagnostic::new(span(at), message);
        let first = self.c.span_at(state.assigned);
        let note = self.origin(state.assigned, "this assignment");
        let reported = self.c.report(error.note(first, format!("it is {ty} by {note}")));
        self.help_convert(at, reg, ty, wanted);
        Err(reported)
    }
    /// Returns the phrase for the origin of a register's type.
    fn origin(&self, assigned: u32, assignment: &'static str) -> &'static str {
        if (assigned as usize) < self.start { "its declaration as a parameter" } else { assignment }
    }
    /// Assigns a register a value of a type.
    #[inline]
    pub(super) fn assign(&mut self, at: Token, reg: Reg, ty: Type) -> Parsed<()> {
        let state = &mut self.s.regs[reg.index()];
        if state.assigned == NO_LOC {
            state.assigned = at.start;
            self.f.regs[reg].ty = ty;
            return Ok(());
        }
        let first = self.f.regs[reg].ty;
        if first == ty || state.broken {
            return Ok(());
        }
        let assigned = state.assigned;
        let message = format!("{} is assigned {ty} here, but its type is {first}", self.c.describe(at));
        let error = Diagnostic::new(span(at), message);
        let origin = self.origin(assigned, "its first assignment");
        let assigned = self.c.span_at(assigned);
        let reported = self.c.report(error.note(assigned, format!("it is {first} by {origin}")));
        self.help_assigned(at, ty, first);
        Err(reported)
    }
}

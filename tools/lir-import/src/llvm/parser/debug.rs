//! Debug records, `#dbg_declare(..)` and `#dbg_value(..)`, and the calls of `llvm.dbg.declare` and `llvm.dbg.value`
//! that LLVM wrote up to version 18: which value or address belongs to which variable of the source.

use super::super::ast::{Body, SourceVariable};
use super::super::lexer::{Kind, Lexer};
use super::{Parser, Token};
use crate::tokens::{Parse, Parsed};

impl Parser<'_> {
    /// Takes a debug record.
    pub(super) fn debug_record(&mut self, body: &mut Body) -> Parsed<()> {
        let kind = self.here();
        self.advance();
        match kind {
            b"#dbg_declare" => self.source_variable(body, true),
            b"#dbg_value" | b"#dbg_assign" => self.source_variable(body, false),
            _ => self.skip_brackets().map(drop),
        }
    }
    /// Takes `(ptr %x, !12, !DIExpression(), ..)`, the operands of a debug record or a call. `declares` is true if the
    /// local is the address of the variable.
    pub(super) fn source_variable(&mut self, body: &mut Body, declares: bool) -> Parsed<()> {
        let from = self.token.end;
        let inside = self.skip_brackets()?;
        let text = |t: &Token| &inside[t.start as usize..t.end as usize];
        // The operands, separated by commas outside of brackets.
        let (mut operands, mut depth) = (vec![Vec::new()], 0u32);
        let mut lexer = Lexer::new(inside);
        loop {
            let t = lexer.next();
            match t.kind {
                Kind::End | Kind::Unterminated => break,
                Kind::Punct(b',') if depth == 0 => {
                    operands.push(Vec::new());
                    continue;
                }
                Kind::Punct(b'(' | b'[' | b'{' | b'<') => depth += 1,
                Kind::Punct(b')' | b']' | b'}' | b'>') => depth = depth.saturating_sub(1),
                Kind::Word if text(&t) == b"metadata" => continue,
                _ => {}
            }
            operands.last_mut().expect("there is one").push(t);
        }
        let [value, variable, expression, ..] = &operands[..] else { return Ok(()) };
        let Some(node) = variable.first().and_then(|t| self.node(text(t))) else { return Ok(()) };
        let is_plain = expression.len() == 3 && text(&expression[0]) == b"!DIExpression";
        let local = match value[..] {
            [_, t] if t.kind == Kind::Local && is_plain => {
                Some(self.local_of(Token { start: t.start + from, end: t.end + from, ..t })?)
            }
            _ => None,
        };
        body.variables.push(SourceVariable { local: local.into(), node, declares });
        Ok(())
    }
}

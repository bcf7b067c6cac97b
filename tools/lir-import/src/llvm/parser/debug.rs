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
            b"#dbg_value" => self.source_variable(body, false),
            _ => self.skip_brackets().map(drop),
        }
    }
    /// Takes `(ptr %x, !12, !DIExpression(), ..)`, the operands of a debug record or a call. `declares` is true if the
    /// local is the address of the variable. Constants and other expressions are ignored.
    pub(super) fn source_variable(&mut self, body: &mut Body, declares: bool) -> Parsed<()> {
        let from = self.token.end;
        let inside = self.skip_brackets()?;
        let mut lexer = Lexer::new(inside);
        let mut next = || {
            let t = lexer.next();
            if &inside[t.start as usize..t.end as usize] == b"metadata" { lexer.next() } else { t }
        };
        let (_ty, local) = (next(), next());
        let (comma, variable) = (next(), next());
        let expression = [next(), next(), next(), next()];
        let text = |t: &Token| &inside[t.start as usize..t.end as usize];
        let is_plain = text(&expression[1]) == b"!DIExpression" && text(&expression[3]) == b")";
        if local.kind == Kind::Local
            && comma.kind == Kind::Punct(b',')
            && is_plain
            && let Some(node) = self.node(text(&variable))
        {
            let local = Token { start: local.start + from, end: local.end + from, ..local };
            let local = self.local_of(local)?;
            body.variables.push(SourceVariable { local, node, declares });
        }
        Ok(())
    }
}

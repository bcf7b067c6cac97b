//! Helps for instructions that are written as other languages write them: copies of constants, calls without their
//! opcode or type, loads and stores with the address as LLVM has it.

use super::BodyParser;
use super::helps::guessed_type;
use crate::ir::{AbiParam, Format, Opcode, Type};
use crate::parser::cursor::span;
use crate::parser::literal::parse_constant;
use crate::text::diagnostic::Edit;
use crate::text::scanner::{Scanner, Token, TokenKind};
use crate::text::source::Span;

impl BodyParser<'_, '_> {
    /// Says that `copy 5` and `zext 5 to i64` are constants. False where the statement is none of these.
    #[cold]
    pub(super) fn help_copied_constant(&mut self, op: Opcode, whole: Span, ty: Option<Type>) -> bool {
        let Some(word) = self.word_of_statement(op) else { return false };
        let literal = self.string(whole);
        let mut scanner = Scanner::new(self.c.all_text(), whole.end as usize);
        let (to, target) = (scanner.token(), scanner.token());
        let (ty, end) = match op {
            Opcode::Copy if is_end(to) => (ty.or_else(|| guessed_type(&literal)), whole.end),
            Opcode::Zext | Opcode::Sext | Opcode::Trunc if self.c.text(to) == b"to" && !literal.starts_with('-') => {
                (Type::from_name(self.c.text(target)), target.end)
            }
            _ => return false,
        };
        let Some(ty) = ty.filter(|ty| parse_constant(*ty, &literal).is_ok()) else { return false };
        let written = format!("const {ty} {literal}");
        self.c.help(format!("write `{written}`"), vec![Edit::replace(Span { start: word.start, end }, written)]);
        true
    }

    /// Says the type of the result of a call that has a destination and no type. The current token is the callee.
    #[cold]
    pub(super) fn help_call_without_type(&mut self) {
        let callee = self.c.token;
        let result = self.result_of(callee);
        if let Some(ty) = result.filter(|_| self.helps()) {
            let whole = Span { start: callee.start, end: callee.end };
            let name = self.string(whole);
            self.c.help(format!("write `call {ty} {name}(..)`"), vec![Edit::insert(callee.start, format!("{ty} "))]);
        }
    }

    /// Says that a call begins with its opcode. The current token is the callee, behind a destination.
    #[cold]
    pub(super) fn help_call_without_opcode(&mut self) {
        let callee = self.c.token;
        if let Some(ty) = self.result_of(callee) {
            let name = self.string(span(callee));
            let edit = Edit::insert(callee.start, format!("call {ty} "));
            self.c.help(format!("write `call {ty} {name}(..)`"), vec![edit]);
        }
    }

    /// The type of the result of the function that a token names.
    fn result_of(&self, callee: Token) -> Option<Type> {
        let name = self.c.text(callee).strip_prefix(b"@")?;
        let sym = self.symbols.sym(name)?;
        match self.symbols.decls.signature(sym)?.result? {
            AbiParam::Scalar(ty, _) => Some(ty),
            AbiParam::Agg(_) => None,
        }
    }

    /// Returns how `store i32 %a, ptr %p`, `store %a, [%p]` and `load i32, ptr %p` are written, and what that replaces.
    /// None where the statement is none of these.
    #[cold]
    pub(super) fn access_of_llvm(&self) -> Option<(String, Span)> {
        let first = self.c.token_at(self.statement);
        let op = self.c.opcode_of_statement(first).filter(|op| matches!(op, Opcode::Load | Opcode::Store))?;
        let word = self.word_of_statement(op)?;
        let mut line = Line { scanner: Scanner::new(self.c.all_text(), word.end as usize), parser: self };
        let (written, end) = line.access(op)?;
        Some((written, Span { start: word.start, end }))
    }
}

/// The rest of a line that is read as LLVM's.
struct Line<'a, 'b, 'p, 'c> {
    scanner: Scanner<'a>,
    parser: &'b BodyParser<'p, 'c>,
}

impl Line<'_, '_, '_, '_> {
    /// Reads a load or store behind its opcode. Returns how it is written here, and where it ends.
    fn access(&mut self, op: Opcode) -> Option<(String, u32)> {
        let mut t = self.scanner.token();
        let mut ty = String::new();
        if t.kind == TokenKind::Word {
            ty = format!("{} ", Type::from_name(self.parser.c.text(t))?);
            t = self.scanner.token();
        }
        let mut value = String::new();
        if op.format() == Format::Store {
            let sign = if t.kind == TokenKind::Minus { "-" } else { "" };
            if !sign.is_empty() {
                t = self.scanner.token();
            }
            if !matches!(t.kind, TokenKind::Reg | TokenKind::Number) {
                return None;
            }
            value = format!(", {sign}{}", self.parser.string(span(t)));
            t = self.scanner.token();
        }
        if t.kind != TokenKind::Comma {
            return None;
        }
        let (address, end) = self.address(op.format() == Format::Load)?;
        Some((format!("{} {ty}{address}{value}", op.mnemonic()), end))
    }

    /// Reads `ptr %p` or `[%p]`, and an alignment behind it. A bare `%p` is read where nothing else can be the address.
    fn address(&mut self, mut bare: bool) -> Option<(String, u32)> {
        let mut t = self.scanner.token();
        if self.parser.c.text(t) == b"ptr" {
            t = self.scanner.token();
            bare = true;
        }
        bare &= matches!(t.kind, TokenKind::Reg | TokenKind::Sym | TokenKind::Obj);
        let start = t.start;
        while !bare && t.kind != TokenKind::RBracket {
            if is_end(t) || start == t.start && t.kind != TokenKind::LBracket {
                return None;
            }
            t = self.scanner.token();
        }
        let written = self.parser.string(Span { start, end: t.end });
        let (comma, align, bytes) = (self.scanner.token(), self.scanner.token(), self.scanner.token());
        let end = match comma.kind {
            _ if is_end(comma) => t.end,
            TokenKind::Comma if self.parser.c.text(align) == b"align" && bytes.kind == TokenKind::Number => bytes.end,
            _ => return None,
        };
        Some((if bare { format!("[{written}]") } else { written }, end))
    }
}

fn is_end(t: Token) -> bool {
    matches!(t.kind, TokenKind::Newline | TokenKind::Eof)
}

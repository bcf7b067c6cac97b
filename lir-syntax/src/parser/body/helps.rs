//! Helps for errors in a body, as messages and as edits of the text. Asked only when an error is certain, and for the
//! first errors of a function only: names that are not taken are looked for in its text.

use super::BodyParser;
use crate::ir::{Effects, EntityRef, FloatCC, Format, IntCC, Opcode, Reg, Type};
use crate::parser::cursor::span;
use crate::parser::edits::{conversion, fresh_name, line_before};
use crate::parser::literal::parse_constant;
use crate::text::diagnostic::Edit;
use crate::text::scanner::{Scanner, Token, TokenKind};
use crate::text::source::Span;

/// So many errors of a function get a help.
const MAX_HELPED: usize = 100;

/// An operator between operands, as other languages have them: with the opcodes for integers and for floats.
const OPERATORS: [(&[u8], &str, &str); 16] = [
    (b"+", "add", "fadd"),
    (b"-", "sub", "fsub"),
    (b"*", "mul", "fmul"),
    (b"/", "sdiv", "fdiv"),
    (b"%", "srem", ""),
    (b"&", "and", ""),
    (b"|", "or", ""),
    (b"^", "xor", ""),
    (b"<<", "shl", ""),
    (b">>", "ashr", ""),
    (b"==", "icmp eq", "fcmp oeq"),
    (b"!=", "icmp ne", "fcmp une"),
    (b"<", "icmp slt", "fcmp olt"),
    (b"<=", "icmp sle", "fcmp ole"),
    (b">", "icmp sgt", "fcmp ogt"),
    (b">=", "icmp sge", "fcmp oge"),
];

/// `%a + 1`: what it computes, and where it stands.
struct Expression {
    instruction: String,
    whole: Span,
}

impl BodyParser<'_, '_> {
    /// True if the error that was just reported is to get a help.
    fn helps(&self) -> bool {
        self.c.kept_last() && self.c.errors.list.len() <= MAX_HELPED
    }
    /// The text of the function up to its end, in which names are taken.
    fn scope(&self) -> &[u8] {
        &self.c.all_text()[self.f.loc as usize..]
    }
    /// A name with a sigil that occurs nowhere, nor in another suggestion for this body. Who follows two has two names.
    fn fresh(&mut self, sigil: &str, base: &str) -> Option<String> {
        let mut found = fresh_name(self.scope(), sigil, base)?;
        let mut count = 0;
        while self.s.suggested.contains(&found) {
            count += 1;
            found = fresh_name(self.scope(), sigil, &format!("{base}.{count}"))?;
        }
        self.s.suggested.push(found.clone());
        Some(found)
    }
    fn string(&self, span: Span) -> String {
        String::from_utf8_lossy(&self.c.all_text()[span.start as usize..span.end as usize]).into_owned()
    }

    // ---- Types ----

    /// Says how a register of one type becomes one of another, or, without that, an integer that is 0 or 1.
    #[cold]
    pub(super) fn help_convert(&mut self, at: Token, reg: Reg, from: Type, to: Option<Type>) {
        if !self.helps() {
            return;
        }
        let statement = self.c.token_at(self.statement);
        let opcode = self.c.opcode_of_statement(statement);
        if opcode == Some(Opcode::Phi) {
            let message = "convert it in the block that it comes from, before the terminator there";
            return self.c.help(message, Vec::new());
        }
        let text = self.c.all_text();
        let Some(to) = to else {
            let Some(fresh) = self.fresh("%", "truth") else { return };
            let line = format!("{fresh} = fcmp une {from} {}, 0.0", self.string(span(at)));
            let edits = vec![line_before(text, self.statement, &line), Edit::replace(span(at), &*fresh)];
            return self.c.help(format!("compare it before this line, `{line}`, and write `{fresh}` here"), edits);
        };
        let assigned = self.c.token_at(self.s.regs[reg.index()].assigned);
        let by = self.c.opcode_of_statement(assigned);
        let truth = matches!(by, Some(Opcode::Icmp | Opcode::Fcmp));
        if let Some(help) = conversion(text, self.scope(), self.statement, span(at), (from, to), truth) {
            self.c.help(help.message, help.edits);
        }
    }

    /// Says which opcode does to the other class of types what this one does, or which one converts.
    #[cold]
    pub(super) fn help_opcode(&mut self, op: Opcode, word: Token, from: Type, to: Option<Type>) {
        let other = match (op.format(), to) {
            (Format::Convert, Some(to)) => crate::parser::edits::converting_opcode(from, to, false),
            _ => other_class(op).filter(|o| o.info().types.allows(from)),
        };
        let Some(other) = other.filter(|_| self.helps()) else { return };
        let name = other.mnemonic();
        self.c.help(format!("write `{name}`"), vec![Edit::replace(span(word), name)]);
    }

    /// Says which predicate of the other class of types means the same, and with which opcode.
    #[cold]
    pub(super) fn help_predicate(&mut self, t: Token, ty: Type) {
        let Some(name) = predicate_of_other_class(self.c.text(t), ty).filter(|_| self.helps()) else { return };
        let first = self.c.token_at(self.statement);
        let Some(op) = self.c.opcode_of_statement(first) else { return };
        let Some(other) = other_class(op).filter(|_| !op.info().types.allows(ty)) else {
            return self.c.help(format!("write `{name}`"), vec![Edit::replace(span(t), name)]);
        };
        // The opcode stands right before the predicate.
        let Some(word) = self.token_before(t.start) else { return };
        let whole = Span { start: word.start, end: t.end };
        let written = format!("{} {name}", other.mnemonic());
        self.c.help(format!("write `{written}`"), vec![Edit::replace(whole, written)]);
    }

    /// The token of the statement at hand that stands before a byte.
    fn token_before(&self, at: u32) -> Option<Token> {
        let mut scanner = Scanner::new(self.c.all_text(), self.statement as usize);
        let mut before = None;
        loop {
            let t = scanner.token();
            if t.start >= at || t.kind == TokenKind::Eof {
                return before;
            }
            before = Some(t);
        }
    }

    // ---- Constants ----

    /// Says how the constant at the current token becomes a register of a type, where that is known.
    #[cold]
    pub(super) fn help_constant(&mut self, ty: Option<Type>) {
        if !self.helps() {
            return;
        }
        let (first, last) = self.constant_here();
        let whole = Span { start: first.start, end: last.end };
        let literal = self.string(whole);
        let statement = self.c.token_at(self.statement);
        let op = self.c.opcode_of_statement(statement);
        if let Some(op) = op
            && op.effects().has(Effects::COMMUTATIVE)
            && let Some(reg) = self.only_register_after(last)
        {
            let other = self.string(span(reg));
            let edits = vec![Edit::replace(whole, &*other), Edit::replace(span(reg), &*literal)];
            return self.c.help(format!("swap the operands: `{other}, {literal}`"), edits);
        }
        let ty = ty.or_else(|| self.type_of_line(last)).filter(|ty| parse_constant(*ty, &literal).is_ok());
        let Some(ty) = ty else { return };
        let digits = literal.bytes().all(|c| c.is_ascii_digit()) && literal.len() <= 6;
        let base = match &*literal {
            "0" => "zero".to_string(),
            "1" => "one".to_string(),
            _ if digits => format!("c{literal}"),
            _ => "c".to_string(),
        };
        let Some(fresh) = self.fresh("%", &base) else { return };
        let line = format!("{fresh} = const {ty} {literal}");
        let edits = vec![line_before(self.c.all_text(), self.statement, &line), Edit::replace(whole, &*fresh)];
        self.c.help(format!("write `{line}` before this line, and `{fresh}` here"), edits);
    }
    /// The first and the last token of the constant at the current token.
    fn constant_here(&self) -> (Token, Token) {
        let first = self.c.token;
        let mut scanner = Scanner::new(self.c.all_text(), first.end as usize);
        (first, if first.kind == TokenKind::Minus { scanner.token() } else { first })
    }
    /// The register that stands behind a token and a comma at the end of the line.
    fn only_register_after(&self, t: Token) -> Option<Token> {
        let mut scanner = Scanner::new(self.c.all_text(), t.end as usize);
        let comma = scanner.token();
        let reg = scanner.token();
        let ends = matches!(scanner.token().kind, TokenKind::Newline | TokenKind::Eof);
        (comma.kind == TokenKind::Comma && reg.kind == TokenKind::Reg && ends).then_some(reg)
    }
    /// The type of the first register behind a token on its line that was assigned above.
    fn type_of_line(&self, t: Token) -> Option<Type> {
        let mut scanner = Scanner::new(self.c.all_text(), t.end as usize);
        loop {
            let t = scanner.token();
            match t.kind {
                TokenKind::Newline | TokenKind::Eof => return None,
                TokenKind::Reg => {
                    let known = self.known_reg(&self.c.text(t)[1..]).and_then(|r| self.type_above(r));
                    if known.is_some() {
                        return known;
                    }
                }
                _ => {}
            }
        }
    }

    // ---- Expressions and assignments of other languages ----

    /// Says how `%x = 5`, `%x = %a` or `%x = %a + 1` is written, the token after `=` being the current one.
    #[cold]
    pub(super) fn help_assignment(&mut self, dst: Reg) {
        if !self.helps() {
            return;
        }
        let t = self.c.token;
        if t.kind == TokenKind::Reg {
            if let Some(e) = self.expression_at(t) {
                let message = format!("write `{}`", e.instruction);
                return self.c.help(message, vec![Edit::replace(e.whole, e.instruction)]);
            }
            let ty = self.known_reg(&self.c.text(t)[1..]).and_then(|r| self.type_above(r));
            let Some(ty) = ty.or_else(|| self.type_above(dst)) else { return };
            let copy = format!("copy {ty} {}", self.string(span(t)));
            return self.c.help(format!("write `{copy}`"), vec![Edit::replace(span(t), copy)]);
        }
        if self.c.at_constant() {
            let (first, last) = self.constant_here();
            // Which type it has may be said by what reads it, further below.
            self.s.typeless.push((dst, Span { start: first.start, end: last.end }, self.c.errors.list.len() - 1));
        }
    }
    /// Says how constants are written that were assigned without an opcode, in the type that the uses want.
    #[cold]
    pub(super) fn help_typeless(&mut self) {
        let typeless = std::mem::take(&mut self.s.typeless);
        for (reg, whole, error) in &typeless {
            let literal = self.string(*whole);
            let wanted = self.s.pending.iter().filter(|u| u.reg == *reg).find_map(|u| u.want.only_type());
            let float = !literal.starts_with("0x") && literal.contains(['.', 'e']) || literal.contains("n");
            let guess = if float { Type::F64 } else { Type::I64 };
            let fits = |ty: &Type| parse_constant(*ty, &literal).is_ok();
            let Some(ty) = self.type_above(*reg).or(wanted).filter(fits).or(Some(guess).filter(fits)) else { continue };
            let message = format!("write `const {ty} {literal}`");
            self.c.help_at(*error, message, vec![Edit::insert(whole.start, format!("const {ty} "))]);
        }
        self.s.typeless = typeless;
    }
    /// Helps with an operator behind a register: it is an instruction of its own.
    #[cold]
    pub(super) fn help_expression(&mut self) {
        if !self.helps() {
            return;
        }
        let Some(at) = self.c.errors.list.last().and_then(|d| d.span) else { return };
        let operator = self.c.token_at(at.start);
        if !matches!(operator.kind, TokenKind::Plus | TokenKind::Minus | TokenKind::Star | TokenKind::Unknown) {
            return;
        }
        let Some(reg) = self.token_before(at.start).filter(|t| t.kind == TokenKind::Reg) else { return };
        let Some(e) = self.expression_at(reg) else { return };
        let Some(fresh) = self.fresh("%", "value") else { return };
        let line = format!("{fresh} = {}", e.instruction);
        if reg.start == self.statement {
            return self.c.help(format!("write `{line}`"), vec![Edit::replace(e.whole, line)]);
        }
        let edits = vec![line_before(self.c.all_text(), self.statement, &line), Edit::replace(e.whole, &*fresh)];
        self.c.help(format!("write `{line}` before this line, and `{fresh}` here"), edits);
    }
    /// The expression that begins with a register.
    fn expression_at(&self, reg: Token) -> Option<Expression> {
        let text = self.c.all_text();
        let mut scanner = Scanner::new(text, reg.end as usize);
        let mut t = scanner.token();
        let start = t.start as usize;
        // The marks of an operator are tokens of their own; a sign belongs to the constant behind it.
        while matches!(t.kind, TokenKind::Unknown | TokenKind::Equals)
            || matches!(t.kind, TokenKind::Plus | TokenKind::Minus | TokenKind::Star) && t.start as usize == start
        {
            t = scanner.token();
        }
        let operator = text[start..t.start as usize].trim_ascii_end();
        let (_, of_ints, of_floats) = OPERATORS.iter().find(|(o, ..)| *o == operator)?;
        let (first, mut last) = (t, t);
        if first.kind == TokenKind::Minus {
            last = scanner.token();
        }
        if !matches!(last.kind, TokenKind::Reg | TokenKind::Number) {
            return None;
        }
        let type_of = |t: Token| self.known_reg(&self.c.text(t)[1..]).and_then(|r| self.type_above(r));
        let ty = type_of(reg).or_else(|| if first.kind == TokenKind::Reg { type_of(first) } else { None })?;
        let opcode = if ty.is_int() { *of_ints } else { *of_floats };
        let second = self.string(Span { start: first.start, end: last.end });
        if opcode.is_empty() || first.kind != TokenKind::Reg && parse_constant(ty, &second).is_err() {
            return None;
        }
        let instruction = format!("{opcode} {ty} {}, {second}", self.string(span(reg)));
        Some(Expression { instruction, whole: Span { start: reg.start, end: last.end } })
    }

    // ---- Statements ----

    /// Says that the result of an instruction goes to a register.
    #[cold]
    pub(super) fn help_destination(&mut self, word: Token) {
        if let Some(fresh) = self.fresh("%", "value").filter(|_| self.helps()) {
            let message = format!("write `{fresh} = {}`", String::from_utf8_lossy(self.c.text(word)));
            self.c.help(message, vec![Edit::insert(word.start, format!("{fresh} = "))]);
        }
    }

    /// Says that the first block wants a label, and begins a block, so that what follows is read.
    #[cold]
    pub(super) fn help_first_label(&mut self, word: Token) {
        let label = ["entry", "start"].iter().find_map(|base| self.fresh("", base));
        let Some(label) = label else { return self.lost = true };
        if self.helps() {
            let at = self.c.all_text()[..word.start as usize].iter().rposition(|c| *c == b'\n').map_or(0, |n| n + 1);
            let edits = vec![Edit::insert(at as u32, format!("{label}:\n"))];
            self.c.help(format!("write a label before it, on a line of its own: `{label}:`"), edits);
        }
        self.incomplete = true;
        if let Ok(block) = self.block_of_name(label.as_bytes(), word.start) {
            self.s.blocks[block.index()].defined = word.start;
            self.f.append_block(block);
            self.block = Some(block);
            self.written = (Some(block), 0);
        }
    }
}

/// The opcode that does to floats what this one does to integers, or the other way round.
fn other_class(op: Opcode) -> Option<Opcode> {
    let name = op.mnemonic();
    let other = match name {
        "sdiv" | "udiv" => "fdiv".to_string(),
        "fdiv" => "sdiv".to_string(),
        "icmp" => "fcmp".to_string(),
        "fcmp" => "icmp".to_string(),
        "smin" | "umin" => "fmin".to_string(),
        "smax" | "umax" => "fmax".to_string(),
        "fmin" => "smin".to_string(),
        "fmax" => "smax".to_string(),
        _ => name.strip_prefix('f').map_or_else(|| format!("f{name}"), str::to_string),
    };
    Opcode::from_mnemonic(other.as_bytes()).filter(|o| o.format() == op.format())
}

/// The predicate for operands of a type that means what this predicate of the other class does.
fn predicate_of_other_class(word: &[u8], ty: Type) -> Option<&'static str> {
    let word = std::str::from_utf8(word).ok()?;
    if ty.is_int() {
        let name = match word {
            "oeq" | "ueq" => "eq",
            "one" | "une" => "ne",
            // `ult` and its like are predicates of both.
            _ => &*format!("s{}", word.strip_prefix('o')?),
        };
        return IntCC::from_name(name.as_bytes()).map(|p| p.name());
    }
    let name = match word {
        "eq" => "oeq",
        "ne" => "une",
        _ => &*format!("o{}", word.strip_prefix('s')?),
    };
    FloatCC::from_name(name.as_bytes()).map(|p| p.name())
}

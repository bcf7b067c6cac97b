//! Expressions of other languages, `(%a + 1) * %b`, as the instructions that compute them: for suggestions only.

use super::BodyParser;
use crate::ir::Type;
use crate::parser::literal::parse_constant;
use crate::text::scanner::{Scanner, Token, TokenKind};

/// The most operands and operators that are read of an expression.
const MAX_PARTS: usize = 64;

/// An operator between operands: how tightly it binds, and the opcodes for integers and for floats.
struct Operator(&'static str, u8, &'static str, &'static str);

/// No operator follows one that is its prefix.
const OPERATORS: [Operator; 16] = [
    Operator("<<", 5, "shl", ""),
    Operator(">>", 5, "ashr", ""),
    Operator("==", 3, "icmp eq", "fcmp oeq"),
    Operator("!=", 3, "icmp ne", "fcmp une"),
    Operator("<=", 4, "icmp sle", "fcmp ole"),
    Operator(">=", 4, "icmp sge", "fcmp oge"),
    Operator("+", 6, "add", "fadd"),
    Operator("-", 6, "sub", "fsub"),
    Operator("*", 7, "mul", "fmul"),
    Operator("/", 7, "sdiv", "fdiv"),
    Operator("%", 7, "srem", ""),
    Operator("&", 2, "and", ""),
    Operator("|", 0, "or", ""),
    Operator("^", 1, "xor", ""),
    Operator("<", 4, "icmp slt", "fcmp olt"),
    Operator(">", 4, "icmp sgt", "fcmp ogt"),
];
/// Operators whose operands may be swapped, with the one to write then.
const SWAPPED: [(&str, &str); 11] = [
    ("+", "+"),
    ("*", "*"),
    ("&", "&"),
    ("|", "|"),
    ("^", "^"),
    ("==", "=="),
    ("!=", "!="),
    ("<", ">"),
    (">", "<"),
    ("<=", ">="),
    (">=", "<="),
];

/// An expression as instructions.
pub(super) struct Lowered {
    /// The lines before its last instruction.
    pub(super) lines: Vec<String>,
    /// Its last instruction without destination, with its type. None if the expression is only an operand.
    pub(super) last: Option<(String, Type)>,
    /// The byte after its end.
    pub(super) end: u32,
    /// The token after it.
    pub(super) stop: TokenKind,
}

/// A part of an expression whose operator is still to come.
enum Waiting {
    Binary(&'static Operator),
    /// `-`, `~` or `!`.
    Unary(u8),
    Open,
}

/// An operand of an operator.
enum Value {
    Reg(String, Option<Type>),
    Constant(String),
    /// An instruction that is still to be written.
    Instruction(String, Type),
}

/// The stacks of an expression that is read (E. W. Dijkstra's shunting yard).
#[derive(Default)]
struct Expression {
    waiting: Vec<Waiting>,
    values: Vec<Value>,
    lines: Vec<String>,
    ty: Option<Type>,
}

impl BodyParser<'_, '_> {
    /// Returns the instructions for the expression that begins at a byte. None if it cannot be written as instructions.
    pub(super) fn lower(&mut self, from: u32) -> Option<Lowered> {
        let e = Expression { ty: self.type_of_line_from(from), ..Expression::default() };
        self.lower_rest(e, from)
    }

    /// Returns the instructions for `%a += ..` or `%a++` as an assignment to `%a`. The operator follows `reg`.
    pub(super) fn lower_compound(&mut self, reg: Token) -> Option<Lowered> {
        let text = self.c.all_text();
        let at = self.c.token_at(reg.end).start;
        let operator = operator_at(text, at).filter(|o| !o.2.starts_with("icmp"))?;
        let after = at + operator.0.len() as u32;
        let ty = self.known_reg(&self.c.text(reg)[1..]).and_then(|r| self.type_above(r))?;
        let name = String::from_utf8_lossy(self.c.text(reg)).into_owned();
        let mut e = Expression { ty: Some(ty), ..Expression::default() };
        e.values.push(Value::Reg(name, Some(ty)));
        e.waiting.push(Waiting::Binary(operator));
        if text[after as usize..].starts_with(operator.0.as_bytes()) && matches!(operator.0, "+" | "-") {
            let stop = self.c.token_at(after + 1);
            e.values.push(Value::Constant("1".into()));
            return self.finished(e, after + 1, stop.kind);
        }
        if !text[after as usize..].starts_with(b"=") {
            return None;
        }
        // The assigned value is treated as if in brackets.
        e.waiting.push(Waiting::Open);
        self.lower_rest(e, after + 1)
    }

    fn lower_rest(&mut self, mut e: Expression, from: u32) -> Option<Lowered> {
        let text = self.c.all_text();
        let mut scanner = Scanner::new(text, from as usize);
        let (mut wants_operand, mut end, mut open) = (true, from, 0);
        for _ in 0..MAX_PARTS {
            let mut t = scanner.token();
            if wants_operand {
                let value = match self.operand(&mut t, &mut scanner)? {
                    Ok(value) => value,
                    Err(waiting) => {
                        open += u32::from(matches!(waiting, Waiting::Open));
                        e.waiting.push(waiting);
                        continue;
                    }
                };
                e.values.push(value);
                self.apply_unaries(&mut e)?;
                (wants_operand, end) = (false, t.end);
                continue;
            }
            match t.kind {
                TokenKind::RParen if open > 0 => {
                    open -= 1;
                    self.close(&mut e)?;
                    self.apply_unaries(&mut e)?;
                    end = t.end;
                }
                TokenKind::Newline | TokenKind::Eof | TokenKind::Comma | TokenKind::RParen | TokenKind::RBracket => {
                    return if open == 0 { self.finished(e, end, t.kind) } else { None };
                }
                _ => {
                    let operator = operator_at(text, t.start)?;
                    while let Some(Waiting::Binary(other)) = e.waiting.last()
                        && other.1 >= operator.1
                    {
                        self.apply(&mut e)?;
                    }
                    e.waiting.push(Waiting::Binary(operator));
                    scanner.set_position(t.start as usize + operator.0.len());
                    wants_operand = true;
                }
            }
        }
        None
    }

    /// Returns the operand that begins with a token, or the operator or bracket before an operand. `t` becomes its last
    /// token.
    fn operand(&self, t: &mut Token, scanner: &mut Scanner<'_>) -> Option<Result<Value, Waiting>> {
        let text = self.c.all_text();
        let (start, sign) = (t.start as usize, text.get(t.start as usize));
        if t.kind == TokenKind::Minus && self.c.token_at(t.end).kind == TokenKind::Number {
            *t = scanner.token();
        }
        let written = String::from_utf8_lossy(&text[start..t.end as usize]).into_owned();
        Some(match (t.kind, sign) {
            (TokenKind::LParen, _) => Err(Waiting::Open),
            (TokenKind::Reg, _) => {
                let ty = self.known_reg(&self.c.text(*t)[1..]).and_then(|r| self.type_above(r));
                Ok(Value::Reg(written, ty))
            }
            (TokenKind::Number | TokenKind::Char, _) => Ok(Value::Constant(written)),
            (TokenKind::Minus, _) => Err(Waiting::Unary(b'-')),
            (TokenKind::Unknown, Some(sign @ (b'~' | b'!'))) => Err(Waiting::Unary(*sign)),
            _ => return None,
        })
    }

    /// Applies the operators up to the bracket that was opened last, which is removed too.
    fn close(&mut self, e: &mut Expression) -> Option<()> {
        while matches!(e.waiting.last(), Some(Waiting::Binary(_))) {
            self.apply(e)?;
        }
        e.waiting.pop().map(|_| ())
    }

    fn finished(&mut self, mut e: Expression, end: u32, stop: TokenKind) -> Option<Lowered> {
        while let Some(waiting) = e.waiting.last() {
            match waiting {
                Waiting::Binary(_) => self.apply(&mut e)?,
                // The bracket around the assigned value.
                Waiting::Unary(_) | Waiting::Open => drop(e.waiting.pop()),
            }
        }
        let last = match e.values.pop()? {
            Value::Instruction(text, ty) => Some((text, ty)),
            // In brackets it is not an operand.
            Value::Reg(..) | Value::Constant(_) => None,
        };
        Some(Lowered { lines: e.lines, last, end, stop })
    }

    fn apply_unaries(&mut self, e: &mut Expression) -> Option<()> {
        while let Some(Waiting::Unary(sign)) = e.waiting.last() {
            let sign = *sign;
            e.waiting.pop();
            let value = e.values.pop()?;
            let ty = e.type_of(&value)?;
            let operand = self.register(e, value, ty)?;
            let (instruction, result) = match (sign, ty.is_int()) {
                (b'-', true) => (format!("neg {ty} {operand}"), ty),
                (b'-', false) => (format!("fneg {ty} {operand}"), ty),
                (b'~', true) => (format!("not {ty} {operand}"), ty),
                (b'!', true) => (format!("icmp eq {ty} {operand}, 0"), Type::I8),
                (b'!', false) => (format!("fcmp oeq {ty} {operand}, 0.0"), Type::I8),
                _ => return None,
            };
            e.values.push(Value::Instruction(instruction, result));
        }
        Some(())
    }

    /// Applies the operator that was read last.
    fn apply(&mut self, e: &mut Expression) -> Option<()> {
        let Some(Waiting::Binary(mut operator)) = e.waiting.pop() else { return None };
        let (mut b, mut a) = (e.values.pop()?, e.values.pop()?);
        if matches!((&a, &b), (Value::Constant(_), Value::Constant(_))) {
            return None;
        }
        if matches!(a, Value::Constant(_))
            && let Some((_, swapped)) = SWAPPED.iter().find(|(o, _)| *o == operator.0)
        {
            operator = OPERATORS.iter().find(|o| o.0 == *swapped)?;
            std::mem::swap(&mut a, &mut b);
        }
        let ty = e.type_of(if matches!(a, Value::Constant(_)) { &b } else { &a })?;
        let opcode = if ty.is_int() { operator.2 } else { operator.3 };
        if opcode.is_empty() {
            return None;
        }
        let a = self.register(e, a, ty)?;
        let b = match b {
            Value::Constant(literal) => parse_constant(ty, &literal).is_ok().then_some(literal)?,
            b => self.register(e, b, ty)?,
        };
        let result = if opcode.contains(' ') { Type::I8 } else { ty };
        e.values.push(Value::Instruction(format!("{opcode} {ty} {a}, {b}"), result));
        Some(())
    }

    /// Returns the name of a register with a value in it. If there is none, an instruction is written for it.
    fn register(&mut self, e: &mut Expression, value: Value, ty: Type) -> Option<String> {
        let line = match value {
            Value::Reg(name, _) => return Some(name),
            Value::Constant(literal) if parse_constant(ty, &literal).is_err() => return None,
            Value::Constant(literal) => format!("const {ty} {literal}"),
            Value::Instruction(text, _) => text,
        };
        let fresh = self.fresh("%", "value")?;
        e.lines.push(format!("{fresh} = {line}"));
        Some(fresh)
    }
}

impl Expression {
    fn type_of(&self, value: &Value) -> Option<Type> {
        match value {
            Value::Instruction(_, ty) => Some(*ty),
            Value::Reg(_, ty) => ty.or(self.ty),
            Value::Constant(_) => self.ty,
        }
    }
}

/// Returns the operator that begins at a byte.
fn operator_at(text: &[u8], at: u32) -> Option<&'static Operator> {
    OPERATORS.iter().find(|o| text[at as usize..].starts_with(o.0.as_bytes()))
}

//! Hints for texts that are something other than LIR: words of other languages, forgotten sigils, the form of an
//! instruction. They are made only when an error is certain.

use super::cursor::{Cursor, is_reserved, undeclared};
use crate::ir::{FloatCC, Format, IntCC, Opcode, ResultRule, Type};
use crate::text::scanner::{Scanner, Token, TokenKind};
use crate::text::suggest::{did_you_mean, nearest_hint};

/// Returns the LIR type for a type of C, Rust, LLVM or QBE, if that is certain. A remark for the user comes with it.
fn foreign_type(word: &[u8]) -> Option<(Option<Type>, &'static str)> {
    Some(match word {
        b"ptr" | b"usize" | b"isize" | b"size_t" => (Some(Type::I64), "an address is an `i64`"),
        b"i1" | b"bool" | b"_Bool" => (Some(Type::I8), "a truth value is an `i8`, 0 or 1"),
        b"u8" | b"s8" | b"char" | b"uint8" | b"int8" | b"uint8_t" | b"int8_t" => {
            (Some(Type::I8), "did you mean `i8`? (signs belong to operations)")
        }
        b"u16" | b"s16" | b"short" | b"uint16" | b"int16" | b"uint16_t" | b"int16_t" => {
            (Some(Type::I16), "did you mean `i16`? (signs belong to operations)")
        }
        b"u32" | b"s32" | b"int" | b"uint" | b"unsigned" | b"uint32" | b"int32" | b"uint32_t" | b"int32_t" => {
            (Some(Type::I32), "did you mean `i32`? (signs belong to operations)")
        }
        b"u64" | b"s64" | b"long" | b"uint64" | b"int64" | b"uint64_t" | b"int64_t" => {
            (Some(Type::I64), "did you mean `i64`? (signs belong to operations)")
        }
        b"u128" | b"s128" | b"__int128" | b"__int128_t" | b"__uint128_t" => {
            (Some(Type::I128), "did you mean `i128`? (signs belong to operations)")
        }
        b"float" | b"single" => (Some(Type::F32), "did you mean `f32`?"),
        b"double" => (Some(Type::F64), "did you mean `f64`?"),
        b"void" => (None, "a function without a result has no type there"),
        b"f16" | b"bfloat" | b"f128" | b"x86_fp80" | b"half" | b"fp128" => {
            (None, "the float types are `f32` and `f64`")
        }
        _ => return None,
    })
}

/// Returns the LIR type for a scalar type of another language, if there is exactly one.
pub(super) fn foreign_scalar(word: &[u8]) -> Option<Type> {
    foreign_type(word)?.0
}
/// Returns the scalar type that a word names, in LIR or in another language.
pub(super) fn scalar_type(word: &[u8]) -> Option<Type> {
    Type::from_name(word).or_else(|| foreign_scalar(word))
}

/// Returns the LIR for an item of another language.
pub(super) fn foreign_item(word: &[u8]) -> Option<&'static str> {
    Some(match word {
        b"define" | b"fn" | b"function" | b"def" | b"fun" | b"proc" | b"sub" => {
            "a function is written `func @name(%x: i32) -> i32 {`"
        }
        b"declare" | b"import" => "a function from elsewhere is written `extern func @name(i32) -> i32`",
        b"global" | b"var" | b"let" | b"static" => "data is written `data @name = { i32 1 }`",
        b"struct" | b"union" | b"enum" | b"typedef" => "an aggregate type is written `type :name = { i32, f64 }`",
        b"export" | b"pub" | b"public" => "symbols are visible outside unless they are `local`",
        b"private" | b"internal" => "symbols that are not visible outside begin with `local`",
        _ => return None,
    })
}

impl Cursor<'_> {
    /// Returns the kind of the token after the current one.
    pub(super) fn next_kind(&self) -> TokenKind {
        Scanner::new(self.all_text(), self.token.end as usize).token().kind
    }

    /// Returns a remark about the current token where a type is wanted. It is empty or begins with `; `.
    pub(super) fn type_hint(&self) -> String {
        if self.token.kind != TokenKind::Word {
            return String::new();
        }
        let word = self.text(self.token);
        if let Some((_, hint)) = foreign_type(word) {
            return format!("; {hint}");
        }
        // A word of two letters is near to nearly every type, and a reserved one is explained already.
        if word.len() <= 2 || is_reserved(word) {
            return String::new();
        }
        nearest_hint("", word, Type::ALL.iter().map(|t| t.name().as_bytes()))
    }

    /// True if the current token can be the beginning of an operand's type: a word before a register, a bracket or a
    /// constant.
    pub(super) fn at_misspelt_type(&self) -> bool {
        let operand = matches!(
            self.next_kind(),
            TokenKind::Reg | TokenKind::Number | TokenKind::LBracket | TokenKind::Sym | TokenKind::Char
        );
        self.token.kind == TokenKind::Word && operand && Type::from_name(self.text(self.token)).is_none()
    }

    /// Returns a remark about the current token where a name with this sigil is wanted.
    pub(super) fn sigil_hint(&self, sigil: char) -> String {
        if self.token.kind == TokenKind::Word {
            did_you_mean(format_args!("{sigil}{}", String::from_utf8_lossy(self.text(self.token))))
        } else {
            String::new()
        }
    }

    /// Returns the opcode of the statement that begins with a token, if it has one.
    pub(super) fn opcode_of_statement(&self, first: Token) -> Option<Opcode> {
        let mut scanner = Scanner::new(self.all_text(), first.start as usize);
        let mut t = scanner.token();
        if t.kind == TokenKind::Reg && scanner.token().kind == TokenKind::Equals {
            t = scanner.token();
        }
        let op = Opcode::from_mnemonic(self.text(t))?;
        let aggregate = scanner.token().kind == TokenKind::Colon;
        Some(if aggregate { op.aggregate_form().unwrap_or(op) } else { op })
    }
}

/// Returns the nearest predicate to a word, as a remark that begins with `; `, or nothing.
pub(super) fn predicate_hint(word: &[u8]) -> String {
    let ints = IntCC::ALL.iter().map(|p| p.name().as_bytes());
    let floats = FloatCC::ALL.iter().map(|p| p.name().as_bytes());
    undeclared("", b"", word, ints.chain(floats))
}

/// Returns a remark about a word that is not an opcode. Another one is near, or is this word's first part.
pub(super) fn opcode_hint(word: &[u8], known: impl Iterator<Item = &'static [u8]>) -> String {
    let name = String::from_utf8_lossy(word);
    let start = format!("there is no opcode `{name}`");
    if let Some((opcode, rest)) = name.split_once('.')
        && Opcode::from_mnemonic(opcode.as_bytes()).is_some()
    {
        return start + &did_you_mean(format_args!("{opcode} {}", rest.replace('.', " ")));
    }
    let replacement = match word {
        b"mov" | b"move" => "`copy`, or `const` for a constant",
        b"alloc" | b"alloc4" | b"alloc8" | b"alloc16" => {
            "a line `stack $name: 8` before the first block, or `alloca` for a size that is computed"
        }
        b"getelementptr" | b"gep" => "`lea`",
        b"goto" | b"b" | b"jump" | b"jnz" | b"jz" | b"br_if" => "`jmp` or `br`",
        b"return" => "`ret`",
        b"cmp" | b"ceq" | b"cne" => "`icmp` or `fcmp`, with a predicate",
        b"div" => "`sdiv`, `udiv` or `fdiv`",
        b"rem" | b"mod" => "`srem` or `urem`",
        b"shr" | b"sar" => "`lshr` or `ashr`",
        b"extend" | b"cast" => "`sext`, `zext`, `trunc` or `bitcast`",
        b"freeze" | b"nop" | b"undef" | b"poison" => return format!("{start}, and no need of it"),
        _ => return undeclared(&start, b"", word, known),
    };
    format!("{start}; LIR has {replacement}")
}

/// Returns the form of an instruction, by example.
pub(super) fn form(op: Opcode) -> String {
    let info = op.info();
    let allowed = |from: &[Type]| from.iter().copied().find(|t| info.types.allows(*t));
    let ty = allowed(&[Type::I32, Type::F64, Type::I64, Type::I8, Type::I16, Type::F32]).unwrap_or(Type::I32);
    let name = info.mnemonic;
    let predicate = if ty.is_int() { "slt" } else { "olt" };
    let operands = match info.format {
        Format::Const => format!("{ty} 42"),
        Format::Unary => format!("{ty} %a"),
        Format::Convert => {
            let pairs = Type::ALL.iter().flat_map(|a| Type::ALL.iter().map(move |b| (*a, *b)));
            let (from, to) = pairs
                .into_iter()
                .find(|(a, b)| info.types.allows(*a) && info.types.allows_conversion(*a, *b))
                .unwrap_or((ty, ty));
            format!("{from} %a to {to}")
        }
        Format::Binary => format!("{ty} %a, %b"),
        Format::Compare | Format::Assume => format!("{predicate} {ty} %a, %b"),
        Format::Ternary => format!("{ty} %a, %b, %c"),
        Format::Select => format!("{ty} %cond, %a, %b"),
        Format::Address => "[%base + %index*4 + 8]".into(),
        Format::MemOnly => "[%list]".into(),
        Format::Load => format!("{ty} [%address]"),
        Format::AtomicLoad => format!("acquire {ty} [%address]"),
        Format::AtomicStore => format!("release {ty} [%address], %value"),
        Format::AtomicUpdate => format!("add acq_rel {ty} [%address], %value"),
        Format::AtomicExchange => format!("acq_rel acquire {ty} [%address], %expected, %new"),
        Format::Fence => "seq_cst".into(),
        Format::Store => format!("{ty} [%address], %value"),
        Format::Alloca => "%size, 16".into(),
        Format::Nullary | Format::Stop => String::new(),
        Format::Consume => "%saved".into(),
        Format::MemCopy => "[%to], [%from], %size".into(),
        Format::MemFill => "[%to], %byte, %size".into(),
        Format::MemPair => "[%to], [%from]".into(),
        Format::AggMemPair => ":type [%to], [%list]".into(),
        Format::Call => return "`call @f(%a, 1, @data)`, `%d = call i32 @f(%a)` or `call :type [%to], @f(%a)`".into(),
        Format::Phi => "i32 [%a, left], [7, right]".into(),
        Format::Jump => "target".into(),
        Format::Branch => return "`br %cond, then, else` or `br slt i32 %a, %b, then, else`".into(),
        Format::Switch => "i32 %a, default [0: zero, 1: one]".into(),
        Format::Return | Format::AggReturn => return "`ret`, `ret %a` or `ret :type [%address]`".into(),
    };
    let result = if info.result == ResultRule::None { "" } else { "%d = " };
    let text = format!("{result}{name} {operands}");
    match info.format {
        Format::Binary | Format::Compare | Format::Assume => {
            format!("`{text}`, where the second operand may be a constant")
        }
        Format::Store | Format::AtomicStore | Format::AtomicUpdate => {
            format!("`{text}`, where the value may be a constant")
        }
        _ => format!("`{}`", text.trim_end()),
    }
}

//! The contents of data objects: `{ i64 1, 2, @symbol + 8, "text", zero 16 }`.

use super::ItemParser;
use crate::ir::module::MAX_OBJECT_SIZE;
use crate::ir::{DataItem, Type};
use crate::parser::cursor::Parsed;
use crate::parser::hints::scalar_type;
use crate::parser::literal::parse_constant;
use crate::text::diagnostic::Edit;
use crate::text::scanner::{Scanner, Token, TokenKind};
use crate::text::source::Span;

/// Contents with more items get no suggestion.
const MAX_REWRITTEN: usize = 64;

impl ItemParser<'_> {
    pub(super) fn contents(&mut self) -> Parsed<Vec<DataItem>> {
        let first = self.c.token;
        let items = self.items_in_braces();
        if items.is_err() {
            self.help_contents(first, false);
        }
        items
    }
    fn items_in_braces(&mut self) -> Parsed<Vec<DataItem>> {
        let mut items = Vec::new();
        let (mut held, mut size) = (None, 0u64);
        self.open(TokenKind::LBrace, "`{` and the contents")?;
        loop {
            let at = self.c.token;
            let item = self.content(&mut held)?;
            size = size.saturating_add(item.size());
            if size > MAX_OBJECT_SIZE {
                return Err(self.c.error(at, format!("the data object is larger than {MAX_OBJECT_SIZE} bytes")));
            }
            items.push(item);
            if !self.c.eat(TokenKind::Comma) {
                break;
            }
        }
        self.close(TokenKind::RBrace, "`,` or `}`")?;
        Ok(items)
    }

    /// Parses one item; a type holds until the next one.
    fn content(&mut self, held: &mut Option<Type>) -> Parsed<DataItem> {
        let written = self.c.scalar_type();
        *held = written.or(*held);
        if self.c.at(TokenKind::Sym) {
            let (t, sym) = self.sym_mention("a symbol")?;
            if let Some(ty) = held.filter(|ty| *ty != Type::I64) {
                return Err(self.c.error(t, format!("the address of a symbol is an i64, not {ty}")));
            }
            return Ok(DataItem::Addr(sym, self.offset()?));
        }
        if written.is_none() {
            if self.c.at(TokenKind::Str) {
                return Ok(DataItem::Str(self.c.string("a string")?));
            }
            if self.c.eat_word(b"zero") {
                return Ok(DataItem::Zero(self.c.size()?));
            }
        }
        if !self.c.at_constant() {
            return Err(self.c.expected_syntax("a constant, a symbol, a string or `zero N`"));
        }
        let Some(ty) = *held else {
            let t = self.c.token;
            return Err(self.c.error(t, "the first constant of a data object needs a type before it"));
        };
        if ty == Type::I128 {
            return Ok(DataItem::wide(self.c.wide_constant("a constant")?));
        }
        let bits = self.c.constant(ty, "a constant")?;
        Ok(DataItem::Scalar(ty, ty.constant_payload(bits)))
    }

    /// `+ N`, `- N` or nothing after the symbol of a data item or an alias.
    pub(super) fn offset(&mut self) -> Parsed<i64> {
        let sign = self.c.token;
        if !matches!(sign.kind, TokenKind::Plus | TokenKind::Minus) {
            return Ok(0);
        }
        self.c.bump();
        let (t, n) = self.c.unsigned("an offset")?;
        let negative = sign.kind == TokenKind::Minus;
        let value = if negative { 0i64.checked_sub_unsigned(n) } else { 0i64.checked_add_unsigned(n) };
        value.ok_or(()).map_err(|()| self.c.error(t, "the offset does not fit i64"))
    }

    /// Suggests the right syntax for the contents that begin with a token; they may lack the `=`.
    #[cold]
    pub(super) fn help_contents(&mut self, first: Token, lacks_equals: bool) {
        let has_help = self.c.errors.list.last().is_none_or(|d| !d.suggestions.is_empty());
        if has_help || !self.c.kept_last() {
            return;
        }
        let mut meant = Meant { text: self.c.all_text(), ..Meant::default() };
        let Some(end) = meant.read(first) else { return };
        let equals = match first.kind {
            TokenKind::Colon if !self.c.all_text()[..first.start as usize].ends_with(b" ") => " = ",
            TokenKind::Colon => "= ",
            _ if lacks_equals => "= ",
            _ => "",
        };
        let written = format!("{equals}{{ {} }}", meant.items.join(", "));
        let whole = Span { start: first.start, end };
        if written.as_bytes() != &self.c.all_text()[whole.start as usize..whole.end as usize] {
            self.c.help(format!("write `{written}`"), vec![Edit::replace(whole, written)]);
        }
    }
}

/// Contents with wrong syntax, read as they were probably meant: other brackets or none, constants without a type,
/// strings with a type, missing commas.
#[derive(Default)]
struct Meant<'t> {
    text: &'t [u8],
    /// True inside of brackets, where line ends are blanks.
    in_brackets: bool,
    /// The items in the right syntax.
    items: Vec<String>,
    /// The type that applies to the next constant in `items`.
    held: Option<Type>,
    /// The type that the text gives the next constant.
    meant: Option<Type>,
    /// True after a string: numbers without a type are bytes then.
    has_string: bool,
}

impl Meant<'_> {
    fn of(&self, t: Token) -> String {
        String::from_utf8_lossy(&self.text[t.start as usize..t.end as usize]).into_owned()
    }
    fn next(&self, scanner: &mut Scanner<'_>) -> Token {
        loop {
            let t = scanner.token();
            if t.kind != TokenKind::Newline || !self.in_brackets {
                return t;
            }
        }
    }
    /// Reads the contents, from their first token to the closing bracket or the end of the line. Returns where they
    /// end.
    fn read(&mut self, first: Token) -> Option<u32> {
        let mut scanner = Scanner::new(self.text, first.end as usize);
        let mut t = first;
        let mut ty = None;
        if t.kind == TokenKind::Colon {
            // `data @x: i64 = 5`, `data @x: [3 x i8] = "abc"`, `data @x := 5`.
            t = scanner.token();
            if t.kind == TokenKind::LBracket {
                scanner.token();
                scanner.token();
                t = scanner.token();
            }
            ty = self.scalar(t);
            while t.kind != TokenKind::Str && t.kind != TokenKind::Equals {
                if matches!(t.kind, TokenKind::Newline | TokenKind::Eof) {
                    return None;
                }
                t = scanner.token();
            }
            if t.kind == TokenKind::Equals {
                t = scanner.token();
            }
        }
        let close = match t.kind {
            TokenKind::LBrace => Some(TokenKind::RBrace),
            TokenKind::LBracket => Some(TokenKind::RBracket),
            TokenKind::LParen => Some(TokenKind::RParen),
            _ => None,
        };
        self.in_brackets = close.is_some();
        if self.in_brackets {
            t = self.next(&mut scanner);
        }
        let mut given = ty;
        while self.items.len() < MAX_REWRITTEN {
            let end = self.item(&mut t, &mut scanner, given.take())?;
            if t.kind == TokenKind::Comma {
                t = self.next(&mut scanner);
            }
            let is_end = |t: Token| matches!(t.kind, TokenKind::Newline | TokenKind::Eof);
            if close == Some(t.kind) {
                let end = t.end;
                return is_end(scanner.token()).then_some(end);
            }
            if is_end(t) {
                return close.is_none().then_some(end);
            }
        }
        None
    }
    /// Reads the item that begins with `t`, and sets `t` to the token after it. Returns where the item ends.
    fn item(&mut self, t: &mut Token, scanner: &mut Scanner<'_>, given: Option<Type>) -> Option<u32> {
        let written = given.or(self.scalar(*t));
        self.meant = written.or(self.meant);
        if written.is_some() && given.is_none() {
            *t = self.next(scanner);
            if t.kind == TokenKind::Colon {
                *t = self.next(scanner);
            }
        }
        // `c"text"` of LLVM and Rust.
        if t.kind == TokenKind::Word && t.end - t.start == 1 && self.text.get(t.end as usize) == Some(&b'"') {
            *t = self.next(scanner);
        }
        let mut end = t.end;
        let first = *t;
        *t = self.next(scanner);
        match first.kind {
            TokenKind::Str => {
                self.has_string = true;
                self.items.push(self.of(first));
            }
            TokenKind::Sym => {
                let mut address = self.of(first);
                if matches!(t.kind, TokenKind::Plus | TokenKind::Minus) {
                    let number = Some(self.next(scanner)).filter(|t| t.kind == TokenKind::Number)?;
                    address += &format!(" {} {}", self.of(*t), self.of(number));
                    end = number.end;
                    *t = self.next(scanner);
                }
                if self.held.is_some_and(|ty| ty != Type::I64) {
                    (self.held, self.meant) = (Some(Type::I64), None);
                    address = format!("i64 {address}");
                }
                self.items.push(address);
            }
            TokenKind::Word if self.of(first) == "zero" && t.kind == TokenKind::Number => {
                self.items.push(format!("zero {}", self.of(*t)));
                end = t.end;
                *t = self.next(scanner);
            }
            TokenKind::Number | TokenKind::Char | TokenKind::Minus => {
                let mut literal = self.of(first);
                if first.kind == TokenKind::Minus {
                    literal += &self.of(*t);
                    end = t.end;
                    *t = self.next(scanner);
                }
                self.constant(literal, first.kind == TokenKind::Char)?;
            }
            _ => return None,
        }
        Some(end)
    }
    fn constant(&mut self, literal: String, is_char: bool) -> Option<()> {
        let is_float = !literal.starts_with("0x") && literal.contains('.');
        let guessed = match () {
            () if is_float => Type::F64,
            () if is_char || self.has_string => Type::I8,
            () => Type::I64,
        };
        let fits = |ty: &Type| parse_constant(*ty, &literal).is_ok();
        let ty = match self.meant {
            Some(ty) => Some(ty).filter(fits)?,
            None => self.held.filter(fits).or(Some(guessed).filter(fits))?,
        };
        let is_held = self.held == Some(ty);
        (self.held, self.meant) = (Some(ty), Some(ty));
        self.items.push(if is_held { literal } else { format!("{ty} {literal}") });
        Some(())
    }
    /// Returns the scalar type that a token names, in LIR or in another language.
    fn scalar(&self, t: Token) -> Option<Type> {
        scalar_type(&self.text[t.start as usize..t.end as usize]).filter(|_| t.kind == TokenKind::Word)
    }
}

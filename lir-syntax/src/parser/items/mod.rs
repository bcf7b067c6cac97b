//! The items of a module: everything but the bodies of functions.
//!
//! Items are parsed one after another. A symbol or aggregate type gets its id where it is first mentioned, even before
//! its declaration; names that were never declared are reported at the end. The body of a function is skipped: its
//! closing brace is the first token of a line, and no other line of a body begins so.

mod access;
mod contents;
mod debug;
mod headers;
mod kinds;
mod parameters;
mod scope;
mod symbols;

use crate::ir::operand::MAX_INDEX;
use crate::ir::{
    Agg, AggBody, AggType, Aliases, DataId, DataObject, DebugType, Decls, EntityRef, EntitySet, FileData, FuncId, Item,
    MemberType, Place, PrimaryMap, Section, SourceFile, Sym, SymData, SymKind, Type, ValuePromises,
};
use crate::parser::cursor::{Cursor, Parsed, Reported, span};
use crate::parser::hints::foreign_item;
use crate::parser::name_index::NameIndex;
use crate::text::diagnostic::Diagnostic;
use crate::text::scanner::{Scanner, Token, TokenKind};
use crate::text::source::Span;
use crate::text::suggest::nearest_hint;
use access::AccessParser;
use debug::DebugParser;
use scope::Scope;
pub(super) use symbols::Symbols;

/// Returns the file of a name.
fn file_of(files: &PrimaryMap<SourceFile, FileData>, index: &NameIndex, name: &[u8]) -> Option<SourceFile> {
    index.find(name, |f| *files[SourceFile::from_u32(f)].name == *name).map(SourceFile::from_u32)
}

/// A parameter as it is written, without its type.
#[derive(Copy, Clone, Default)]
pub(super) struct WrittenParam {
    /// The token that names it, if it has a name.
    pub(super) name: Option<Token>,
    /// The text of its promises, or of its debug type, if it has any.
    pub(super) promised: Option<Span>,
    /// True if `noalias` is among them.
    pub(super) noalias: bool,
    /// The promises about its value.
    pub(super) value: ValuePromises,
    /// The debug type of an aggregate.
    pub(super) debug_type: Option<DebugType>,
}

/// A function whose body is still text.
pub(super) struct Body {
    pub(super) sym: Sym,
    /// Offset of the header.
    pub(super) at: u32,
    pub(super) params: Vec<WrittenParam>,
    pub(super) section: Option<Section>,
    pub(super) place: Option<Place>,
    /// First byte after the line of the header.
    pub(super) start: usize,
    /// The closing brace.
    pub(super) end: usize,
    /// There were mistakes in the header.
    pub(super) wrong: bool,
}

/// A symbol that was mentioned.
struct SymEntry {
    name: Box<[u8]>,
    mention: Token,
    declared: Option<Declared>,
    /// Its declaration is in error.
    broken: bool,
}

/// The facts about a declared symbol.
struct Declared {
    kind: SymKind,
    scope: Scope,
    /// The first declaration.
    at: Token,
    /// The definition, if there is one.
    definition: Option<Token>,
}

/// An aggregate type that was mentioned.
struct TypeEntry {
    name: Box<[u8]>,
    mention: Token,
    declared: Option<(Token, Option<u64>, AggBody)>,
    /// Its declaration is in error.
    broken: bool,
}

/// A word that begins an item, and the parser of the item.
type ItemOfWord<'t> = (&'static [u8], fn(&mut ItemParser<'t>) -> Parsed<()>);

/// Parses the items of a module.
pub(super) struct ItemParser<'t> {
    c: Cursor<'t>,
    syms: Vec<SymEntry>,
    sym_index: NameIndex,
    types: Vec<TypeEntry>,
    type_index: NameIndex,
    data: PrimaryMap<DataId, DataObject>,
    files: PrimaryMap<SourceFile, FileData>,
    file_index: NameIndex,
    aliases: Aliases,
    access: AccessParser,
    debug: DebugParser,
    items: Vec<Item>,
    bodies: Vec<Body>,
    /// The declaration of the item that is being parsed.
    declares: Declares,
    /// Bodies also end before a line that begins like an item: for a text in which some are not closed.
    cuts_bodies: bool,
    /// The closing brace that was found last.
    brace: ClosingBrace,
}

/// The first line from a byte on that begins with `}`. If functions are not closed, many share it, and the text is
/// searched for it once.
#[derive(Copy, Clone, Default)]
struct ClosingBrace {
    /// The search began here.
    from: usize,
    /// Its position, once it was looked for. An inner none if there is none.
    found: Option<Option<usize>>,
}

impl ClosingBrace {
    /// Returns the closing brace of a body that begins here, at the beginning of a line.
    #[inline]
    fn of_body(&mut self, text: &[u8], start: usize) -> Option<usize> {
        match self.found {
            Some(found) if self.from <= start && found.is_none_or(|at| start <= at) => found,
            _ => {
                *self = ClosingBrace { from: start, found: Some(closing_brace(text, start)) };
                self.found.flatten()
            }
        }
    }
}

/// The declaration of an item.
#[derive(Copy, Clone)]
enum Declares {
    /// Its name was not read yet.
    Nothing,
    Sym(Sym),
    Type(Agg),
}

/// The words that items begin with.
const ITEMS: &str = "`type`, `data`, `extern`, `func`, `alias`, `access`, `debug` or `file`";
/// The words that items begin with.
const ITEM_WORDS: [&[u8]; 15] = [
    b"file", b"func", b"data", b"type", b"extern", b"local", b"const", b"thread", b"weak", b"linkonce", b"hidden",
    b"protected", b"alias", b"access", b"debug",
];

/// True if a line that begins so is an item, wherever it is. `next`, with this text, follows `word`.
pub(super) fn begins_item(word: &[u8], next: TokenKind, text: &[u8]) -> bool {
    match word {
        // An instruction without its destination: `const i32 1`.
        b"const" if next == TokenKind::Word && Type::from_name(text).is_some() => false,
        b"func" | b"data" => matches!(next, TokenKind::Sym | TokenKind::Word),
        b"file" => next == TokenKind::File,
        b"alias" => next == TokenKind::Sym,
        b"access" | b"debug" => next == TokenKind::Colon,
        b"type" => matches!(next, TokenKind::Word | TokenKind::Colon),
        b"extern" | b"local" | b"weak" | b"linkonce" | b"hidden" | b"protected" | b"const" | b"thread" => {
            matches!(next, TokenKind::Word | TokenKind::Sym)
        }
        _ => false,
    }
}

impl<'t> ItemParser<'t> {
    pub(super) fn new(text: &'t [u8], at: usize, error_limit: usize, cuts_bodies: bool) -> ItemParser<'t> {
        ItemParser {
            c: Cursor::new(text, at, error_limit),
            syms: Vec::new(),
            sym_index: NameIndex::default(),
            types: Vec::new(),
            type_index: NameIndex::default(),
            data: PrimaryMap::new(),
            files: PrimaryMap::new(),
            file_index: NameIndex::default(),
            aliases: Aliases::default(),
            access: AccessParser::default(),
            debug: DebugParser::default(),
            items: Vec::new(),
            bodies: Vec::new(),
            declares: Declares::Nothing,
            cuts_bodies,
            brace: ClosingBrace::default(),
        }
    }

    /// Parses all items.
    pub(super) fn items(&mut self) {
        loop {
            match self.c.token.kind {
                TokenKind::Eof => return,
                TokenKind::Newline => {
                    self.c.bump();
                }
                _ => {
                    self.declares = Declares::Nothing;
                    if self.item().is_err() {
                        match self.declares {
                            Declares::Nothing => {}
                            Declares::Sym(s) => self.syms[s.index()].broken |= self.syms[s.index()].declared.is_none(),
                            Declares::Type(t) => {
                                self.types[t.index()].broken |= self.types[t.index()].declared.is_none()
                            }
                        }
                        if self.c.is_full() {
                            return;
                        }
                        self.skip_item();
                    }
                }
            }
        }
    }

    /// The items that one word begins, with their parsers.
    const SIMPLE_ITEMS: [ItemOfWord<'t>; 5] = [
        (b"type", Self::type_item),
        (b"file", Self::file_item),
        (b"alias", Self::alias_item),
        (b"access", Self::access_item),
        (b"debug", Self::debug_item),
    ];

    fn item(&mut self) -> Parsed<()> {
        let first = self.c.token;
        for (word, parse) in Self::SIMPLE_ITEMS {
            if self.c.at_word(word) {
                parse(self)?;
                return self.c.end_of_line();
            }
        }
        let is_extern = self.c.eat_word(b"extern");
        let scope = self.scope(is_extern);
        if self.c.at_word(b"func") {
            if is_extern {
                self.extern_func(scope)?;
                return self.c.end_of_line();
            }
            return self.func(first, scope);
        }
        let thread = self.c.eat_word(b"thread");
        let constant = self.c.eat_word(b"const");
        if self.c.eat_word(b"data") {
            self.data_item(is_extern, scope, thread, constant)?;
            return self.c.end_of_line();
        }
        if self.c.token == first && first.kind == TokenKind::Word {
            let word = self.c.text(first);
            if let Some(hint) = foreign_item(word) {
                let reported = self.c.expected_syntax_with(ITEMS, &format!("; {hint}"));
                return if self.help_item(first) { self.func(first, Scope::default()) } else { Err(reported) };
            }
            let hint = nearest_hint("", word, ITEM_WORDS.iter().copied());
            if !hint.is_empty() {
                self.c.errors.syntax += 1;
                let word = self.c.describe(first);
                return Err(self.c.error(first, format!("expected an item, found {word}{hint}")));
            }
        }
        if self.c.token == first {
            return Err(self.c.expected_syntax(ITEMS));
        }
        // After `extern`, `local`, `thread`, `const` or the like.
        let either = is_extern || scope != Scope::default();
        let hint = match self.c.token.kind {
            TokenKind::Sym if either => "; did you mean `func` or `data` before it?".into(),
            TokenKind::Sym => "; did you mean `data` before it?".into(),
            TokenKind::Word if thread || constant => self.nearest_of(&[b"data"]),
            TokenKind::Word => self.nearest_of(&[b"func", b"data"]),
            _ => String::new(),
        };
        let what = match (either, thread || constant) {
            (true, false) => "`func` or `data`",
            _ => "`data`",
        };
        Err(self.c.expected_syntax_with(what, &hint))
    }

    /// Returns a remark on the one of several words that is near to the current token. It begins with `; `, or is
    /// empty.
    #[cold]
    fn nearest_of(&self, words: &[&[u8]]) -> String {
        nearest_hint("", self.c.text(self.c.token), words.iter().copied())
    }

    /// After an error in an item: skips to the next one. A line that begins like an item is one; a line that begins
    /// with `}` ends one.
    fn skip_item(&mut self) {
        self.c.skip_statement(|_| true);
        loop {
            let here = self.c.save();
            let first = self.c.bump();
            let begins = first.kind == TokenKind::Word
                && begins_item(self.c.text(first), self.c.token.kind, self.c.text(self.c.token));
            if begins || first.kind == TokenKind::Eof {
                return self.c.restore(here);
            }
            if first.kind != TokenKind::Newline {
                let end = memchr::memchr(b'\n', &self.c.all_text()[first.start as usize..])
                    .map_or(self.c.all_text().len(), |n| first.start as usize + n + 1);
                self.c.jump(end);
            }
            if first.kind == TokenKind::RBrace {
                return;
            }
        }
    }

    // ---- Names ----

    /// Takes the name of a symbol; a new one gets an id.
    fn sym_mention(&mut self, what: &str) -> Parsed<(Token, Sym)> {
        let t = self.c.token;
        if t.kind != TokenKind::Sym {
            let hint = self.c.sigil_hint('@');
            return Err(self.c.expected_syntax_with(what, &hint));
        }
        self.c.bump();
        let name = self.c.name(t)?;
        Ok((t, self.sym_of_name(&name, t)?))
    }
    /// Returns the symbol of a name; a new one gets an id.
    fn sym_of_name(&mut self, name: &[u8], t: Token) -> Parsed<Sym> {
        let next = self.syms.len();
        if next > MAX_INDEX {
            return Err(self.c.error(t, format!("more than {MAX_INDEX} symbols")));
        }
        let syms = &self.syms;
        let (id, new) = self.sym_index.find_or_insert(name, |s| *syms[s as usize].name == *name);
        if new {
            self.syms.push(SymEntry { name: name.into(), mention: t, declared: None, broken: false });
        }
        Ok(Sym::from_u32(id))
    }
    /// Takes the name of an aggregate type; a new one gets an id.
    fn agg_mention(&mut self) -> Parsed<(Token, Agg)> {
        let (t, name) = self.c.agg_name()?;
        let types = &self.types;
        let next = types.len();
        // Ids of types share a word with two more bits in the records of calls.
        if next > MAX_INDEX {
            return Err(self.c.error(t, format!("more than {MAX_INDEX} types")));
        }
        let (id, new) = self.type_index.find_or_insert(&name, |a| *types[a as usize].name == *name);
        if new {
            self.types.push(TypeEntry { name: (&*name).into(), mention: t, declared: None, broken: false });
        }
        Ok((t, Agg::from_u32(id)))
    }
    /// Reports a second definition, with the position of the first.
    fn duplicate(&mut self, at: Token, first: Token) -> Reported {
        let what = self.c.describe(at);
        self.c.report(
            Diagnostic::new(span(at), format!("{what} is defined twice")).note(span(first), "first defined here"),
        )
    }

    // ---- The end ----

    /// Completes the declarations: lays the types out and reports names that were mentioned but never declared.
    pub(super) fn finish(mut self) -> (Symbols, Vec<Item>, Vec<Body>, crate::parser::cursor::Errors) {
        let mut order = Vec::new();
        self.undeclared_types();
        self.order_types(&mut order);
        let mut types: PrimaryMap<Agg, AggType> = PrimaryMap::new();
        for t in &self.types {
            let body = AggBody::Opaque(0);
            types.push(AggType { name: t.name.clone(), explicit_align: None, body, size: 0, align: 1 });
        }
        for agg in order {
            let Some((at, align, body)) = self.types[agg.index()].declared.take() else { continue };
            match AggType::new(&self.types[agg.index()].name, align, body, &types) {
                Some(t) => types[agg] = t,
                None => {
                    let limit = crate::ir::module::MAX_OBJECT_SIZE;
                    self.c.error(at, format!("the type is larger than the limit of {limit} bytes"));
                }
            }
        }
        let mut broken_types = EntitySet::new();
        for k in (0..self.types.len()).filter(|k| self.types[*k].broken) {
            broken_types.insert(Agg::new(k));
        }
        let (syms, broken_syms) = self.declared_syms();
        let (debug_types, debug_index) = self.finish_debug_types();
        let (data, aliases, files) = (self.data, self.aliases, self.files);
        let access_types = self.access.types;
        let decls = Decls { types, syms, data, aliases, access_types, debug_types, files, ..Decls::default() };
        let symbols = Symbols {
            decls,
            broken_syms,
            broken_types,
            syms: self.sym_index,
            types: self.type_index,
            files: self.file_index,
            access_types: self.access.index,
            debug_types: debug_index,
        };
        (symbols, self.items, self.bodies, self.c.errors)
    }

    fn declared_syms(&mut self) -> (PrimaryMap<Sym, SymData>, EntitySet<Sym>) {
        let mut syms = PrimaryMap::new();
        let mut broken = EntitySet::new();
        syms.reserve(self.syms.len());
        let entries = std::mem::take(&mut self.syms);
        let unknown: Vec<_> =
            entries.iter().filter(|e| e.declared.is_none() && !e.broken).map(|e| (e.mention, &e.name)).collect();
        for (mention, name) in unknown {
            if self.c.is_full() {
                break;
            }
            let known = entries.iter().filter(|e| e.declared.is_some()).map(|e| &*e.name);
            let message =
                self.c.undeclared(&format!("{} is not declared", self.c.describe(mention)), b"@", name, known);
            self.c.error(mention, message);
        }
        for e in entries {
            if e.broken || e.declared.is_none() {
                broken.insert(syms.next_key());
            }
            let declared = e.declared.unwrap_or(Declared {
                kind: SymKind::Func { sig: Default::default(), body: None },
                scope: Scope::default(),
                at: e.mention,
                definition: None,
            });
            let Scope { linkage, visibility } = declared.scope;
            syms.push(SymData { name: e.name, kind: declared.kind, linkage, visibility, loc: declared.at.start });
        }
        (syms, broken)
    }

    fn undeclared_types(&mut self) {
        for k in 0..self.types.len() {
            if self.types[k].declared.is_some() || self.types[k].broken {
                continue;
            }
            self.types[k].broken = true;
            if self.c.is_full() {
                continue;
            }
            let known = self.types.iter().filter(|t| t.declared.is_some()).map(|t| &*t.name);
            let name = &self.types[k].name;
            let start = format!("type `:{}` is not declared", String::from_utf8_lossy(name));
            let message = self.c.undeclared(&start, b":", name, known);
            self.c.error(self.types[k].mention, message);
        }
    }

    /// Puts the types in an order in which members come first. The walk is depth-first, with an explicit stack.
    fn order_types(&mut self, order: &mut Vec<Agg>) {
        #[derive(Copy, Clone, PartialEq)]
        enum VisitState {
            New,
            Open,
            Done,
        }
        let mut state = vec![VisitState::New; self.types.len()];
        let mut stack: Vec<(usize, usize)> = Vec::new();
        for root in 0..self.types.len() {
            if state[root] == VisitState::New {
                state[root] = VisitState::Open;
                stack.push((root, 0));
            }
            while let Some((t, k)) = stack.last_mut() {
                let t = *t;
                match self.types[t].member_type(*k) {
                    None => {
                        state[t] = VisitState::Done;
                        order.push(Agg::new(t));
                        stack.pop();
                    }
                    Some(inner) => {
                        *k += 1;
                        match inner.map_or(VisitState::Done, |a| state[a.index()]) {
                            VisitState::Done => {}
                            VisitState::New => {
                                let inner = inner.expect("a scalar is done").index();
                                state[inner] = VisitState::Open;
                                stack.push((inner, 0));
                            }
                            VisitState::Open => {
                                let (at, name) = (self.types[t].mention, &self.types[t].name);
                                let at = self.types[t].declared.as_ref().map_or(at, |d| d.0);
                                let name = String::from_utf8_lossy(name).into_owned();
                                self.c.error(at, format!("type `:{name}` contains itself"));
                            }
                        }
                    }
                }
            }
        }
    }

    /// Skips the body of a function, whose first line is the current one. Returns where the body begins and its closing
    /// brace.
    fn skip_body(&mut self, header: Token) -> Parsed<(usize, usize)> {
        let text = self.c.all_text();
        let start = self.c.token.end as usize;
        let end = self.brace.of_body(text, start);
        if self.cuts_bodies
            && let Some(item) = item_in_body(&text[..end.unwrap_or(text.len())], start)
        {
            self.c.errors.syntax += 1;
            let name = String::from_utf8_lossy(self.c.text(header)).into_owned();
            let message =
                format!("the body of function `{name}` is not closed before this by a line that begins with `}}`");
            self.c.report(Diagnostic::new(span(item), message).note(span(header), "the function begins here"));
            self.c.jump(item.start as usize);
            return Ok((start, item.start as usize));
        }
        let Some(end) = end else {
            self.c.errors.unclosed = true;
            self.c.errors.syntax += 1;
            let hint = if text[start..].contains(&b'}') { ": a `}` elsewhere in a line does not close it" } else { "" };
            let message = format!("the body of the function is not closed by a line that begins with `}}`{hint}");
            self.c.error(header, message);
            self.c.jump(text.len());
            return Err(Reported);
        };
        self.c.jump(end + 1);
        self.c.end_of_line()?;
        Ok((start, end))
    }

    fn next_func(&self) -> FuncId {
        FuncId::new(self.bodies.len())
    }
}

impl TypeEntry {
    /// Returns the type of member `k`: none after the last, an inner none for a scalar.
    fn member_type(&self, k: usize) -> Option<Option<Agg>> {
        let members = match &self.declared.as_ref()?.2 {
            AggBody::Struct { members, .. } | AggBody::Union(members) => members,
            AggBody::Opaque(_) | AggBody::Vector => return None,
        };
        members.get(k).map(|(m, _)| match m {
            MemberType::Scalar(_) => None,
            MemberType::Agg(a) => Some(*a),
        })
    }
}

/// Returns the first `}` from `from` on that is the first token of its line.
pub(super) fn closing_brace(text: &[u8], from: usize) -> Option<usize> {
    memchr::memchr_iter(b'}', &text[from..]).map(|n| from + n).find(|at| {
        let blanks = text[from..*at].iter().rev().take_while(|c| matches!(c, b' ' | b'\t')).count();
        at - blanks == from || text[at - blanks - 1] == b'\n'
    })
}

/// Returns the first token of the first line of a body that begins like an item.
pub(super) fn item_in_body(text: &[u8], from: usize) -> Option<Token> {
    let mut line = from;
    while let Some(end) = memchr::memchr(b'\n', &text[line..]) {
        line += end + 1;
        let mut scanner = Scanner::new(text, line);
        let first = scanner.token();
        let word = &text[first.start as usize..first.end as usize];
        let next = scanner.token();
        let next_text = &text[next.start as usize..next.end as usize];
        if first.kind == TokenKind::Word && begins_item(word, next.kind, next_text) {
            return Some(first);
        }
    }
    None
}

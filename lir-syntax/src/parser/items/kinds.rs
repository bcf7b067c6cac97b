//! Items by kind: types, data; declarations of functions. Headers of functions are in [`headers`](super::headers), the
//! contents of data objects in [`contents`](super::contents).

use super::{Declared, Declares, ItemParser, Scope};
use crate::ir::module::VECTOR_BYTES;
use crate::ir::{
    AggBody, DataObject, EntityRef, FileData, Item, MemberType, Signature, SourceFile, Sym, SymKind, Type,
};
use crate::parser::cursor::{Parsed, span};
use crate::text::diagnostic::{Diagnostic, Edit};
use crate::text::scanner::{Token, TokenKind};

impl ItemParser<'_> {
    // ---- Types ----

    pub(super) fn type_item(&mut self) -> Parsed<()> {
        self.c.bump();
        let (t, agg) = self.agg_mention()?;
        self.declares = Declares::Type(agg);
        if !self.c.eat(TokenKind::Equals) {
            return Err(self.c.expected_syntax("`=` after the name of a type"));
        }
        let align = self.c.optional_align()?;
        let body = if self.c.eat_word(b"opaque") {
            AggBody::Opaque(self.c.size()?)
        } else if self.c.eat_word(b"vector") {
            let (t, size) = self.c.unsigned("the size of a vector in bytes")?;
            if size != VECTOR_BYTES {
                self.c.error(t, format!("a vector has {VECTOR_BYTES} bytes"));
                self.c.help(format!("write `{VECTOR_BYTES}`"), vec![Edit::replace(span(t), VECTOR_BYTES.to_string())]);
            }
            AggBody::Vector
        } else if self.c.eat_word(b"union") {
            AggBody::Union(self.members()?)
        } else {
            let packed = self.c.eat_word(b"packed");
            AggBody::Struct { packed, members: self.members()? }
        };
        if let Some((first, ..)) = self.types[agg.index()].declared {
            let name = String::from_utf8_lossy(&self.types[agg.index()].name).into_owned();
            let twice = Diagnostic::new(span(t), format!("type `:{name}` is defined twice"));
            return Err(self.c.report(twice.note(span(first), "first defined here")));
        }
        self.types[agg.index()].declared = Some((t, align, body));
        self.items.push(Item::Type(agg));
        Ok(())
    }

    fn members(&mut self) -> Parsed<Vec<(MemberType, u64)>> {
        let mut members = Vec::new();
        self.open(TokenKind::LBrace, "`{`")?;
        loop {
            let member = if self.c.at(TokenKind::Colon) {
                MemberType::Agg(self.agg_mention()?.1)
            } else {
                MemberType::Scalar(self.scalar("the type of a member")?)
            };
            let count = if self.c.eat_word(b"x") { self.c.size()? } else { 1 };
            members.push((member, count));
            if !self.c.eat(TokenKind::Comma) {
                break;
            }
        }
        self.close(TokenKind::RBrace, "`,` or `}`")?;
        Ok(members)
    }

    // ---- Files ----

    pub(super) fn file_item(&mut self) -> Parsed<()> {
        self.c.bump();
        let t = self.c.token;
        if !self.c.eat(TokenKind::File) {
            return Err(self.c.expected_syntax("the name of a file, like `!main`"));
        }
        let name = self.c.name(t)?.into_owned();
        if !self.c.eat(TokenKind::Equals) {
            return Err(self.c.expected_syntax("`=` after the name of a file"));
        }
        let path = self.c.string("the path of a file")?;
        if name == b"none" {
            return Err(self.c.error(t, "`!none` is no file: it says that an instruction has no location"));
        }
        let files = &self.files;
        let is = |f: u32| *files[SourceFile::from_u32(f)].name == *name;
        let (first, new) = self.file_index.find_or_insert(&name, is);
        if !new {
            return Err(self.duplicate(t, self.c.token_at(self.files[SourceFile::from_u32(first)].loc)));
        }
        self.items.push(Item::File(self.files.push(FileData { name: name.into(), path, loc: t.start })));
        Ok(())
    }

    // ---- Data ----

    pub(super) fn data_item(&mut self, is_extern: bool, scope: Scope, thread: bool, constant: bool) -> Parsed<()> {
        let (t, sym) = self.sym_mention("the name of a data object")?;
        self.declares = Declares::Sym(sym);
        let section = self.c.optional_section()?;
        let explicit_align = self.c.optional_align()?;
        let mut items = Vec::new();
        if self.c.at(TokenKind::Equals) {
            if is_extern {
                return Err(self.c.error(t, "an `extern` data object has no contents"));
            }
            self.c.bump();
            items = self.contents()?;
        } else if self.c.at(TokenKind::LBrace) {
            let reported = self.c.expected_syntax("`=` before the contents");
            self.help_contents(self.c.token, true);
            return Err(reported);
        } else if !is_extern && !matches!(self.c.token.kind, TokenKind::Newline | TokenKind::Eof) {
            for word in ["align", "section"] {
                if self.c.at_word(word.as_bytes()) {
                    let message = format!("`{word}` is written twice, or not in the order `section`, `align`");
                    return Err(self.c.error(self.c.token, message));
                }
            }
            let hint = self.nearest_of(&[b"align", b"section"]);
            let reported = self.c.expected_syntax_with("`section`, `align` or `=`", &hint);
            self.help_contents(self.c.token, true);
            return Err(reported);
        } else if !is_extern {
            return Err(self.c.error(t, "a data object that is not `extern` has contents: `= { .. }`"));
        }
        let object = DataObject { sym, is_extern, thread, constant, section, explicit_align, items };
        self.declare_data(t, sym, scope, object)
    }

    fn declare_data(&mut self, t: Token, sym: Sym, scope: Scope, object: DataObject) -> Parsed<()> {
        let is_extern = object.is_extern;
        let entry = &self.syms[sym.index()];
        let mut replace = true;
        if let Some(first) = &entry.declared {
            let (at, definition) = (first.at, first.definition);
            let same_scope = first.scope == scope;
            let agrees = match &first.kind {
                SymKind::Func { .. } => false,
                SymKind::Data(d) => {
                    let other = &self.data[*d];
                    let both = other.is_extern && is_extern;
                    other.thread == object.thread
                        && other.constant == object.constant
                        && (!both
                            || same_scope
                                && other.section == object.section
                                && other.explicit_align == object.explicit_align)
                }
            };
            if !is_extern && let Some(definition) = definition {
                return Err(self.duplicate(t, definition));
            }
            if !agrees {
                return Err(self.disagrees(t, at));
            }
            replace = !is_extern;
        }
        let id = self.data.push(object);
        self.items.push(Item::Data(id));
        if replace {
            let at = self.syms[sym.index()].declared.as_ref().map_or(t, |d| d.at);
            let definition = (!is_extern).then_some(t);
            self.syms[sym.index()].declared = Some(Declared { kind: SymKind::Data(id), scope, at, definition });
        }
        Ok(())
    }

    fn disagrees(&mut self, t: Token, first: Token) -> crate::parser::cursor::Reported {
        let what = self.c.describe(t);
        let message = format!("this declaration of {what} disagrees with another one");
        // The one that its uses mean is unknown.
        if let Declares::Sym(sym) = self.declares {
            self.syms[sym.index()].broken = true;
        }
        self.c.report(Diagnostic::new(span(t), message).note(span(first), "the other one"))
    }

    // ---- Functions ----

    pub(super) fn declare_func(
        &mut self,
        t: Token,
        sym: Sym,
        scope: Scope,
        sig: Signature,
        defines: bool,
    ) -> Parsed<()> {
        let body = defines.then(|| self.next_func());
        let definition = defines.then_some(t);
        let Some(first) = &mut self.syms[sym.index()].declared else {
            let declared = Declared { kind: SymKind::Func { sig, body }, scope, at: t, definition };
            self.syms[sym.index()].declared = Some(declared);
            return Ok(());
        };
        let at = first.at;
        if defines && let Some(earlier) = first.definition {
            return Err(self.duplicate(t, earlier));
        }
        let agrees = defines || first.definition.is_some() || first.scope == scope;
        match &mut first.kind {
            SymKind::Func { sig: other, body: other_body } if agrees && *other == sig => {
                if defines {
                    *other_body = body;
                    first.scope = scope;
                    first.definition = definition;
                }
                Ok(())
            }
            SymKind::Func { .. } | SymKind::Data(_) => Err(self.disagrees(t, at)),
        }
    }

    // ---- Shared ----

    pub(super) fn open(&mut self, kind: TokenKind, what: &str) -> Parsed<()> {
        if !self.c.at(kind) {
            return Err(self.c.expected_syntax(what));
        }
        self.c.open(kind, what).map(|_| ())
    }
    pub(super) fn close(&mut self, kind: TokenKind, what: &str) -> Parsed<()> {
        if !self.c.at(kind) {
            if self.c.token.kind != TokenKind::Unknown {
                self.c.errors.syntax += 1;
            }
            return Err(self.c.expected_closing(what));
        }
        self.c.close(kind, what).map(|_| ())
    }
    pub(super) fn scalar(&mut self, what: &str) -> Parsed<Type> {
        match self.c.scalar_type() {
            Some(t) => Ok(t),
            None => {
                let hint = self.c.type_hint();
                Err(self.c.expected_syntax_with(what, &hint))
            }
        }
    }
    pub(super) fn syntax(&mut self, t: Token, message: &str) -> crate::parser::cursor::Reported {
        self.c.errors.syntax += 1;
        self.c.error(t, message)
    }
}

//! The lines of a body, each by how it begins: a label, a stack object, an instruction with or without a destination.

use super::BodyParser;
use crate::ir::EntityRef;
use crate::ir::function::NO_LOC;
use crate::parser::cursor::{Parsed, Reported, begins_instruction, span};
use crate::parser::hints::form;
use crate::parser::items::begins_item;
use crate::text::diagnostic::Diagnostic;
use crate::text::scanner::{Token, TokenKind};

impl BodyParser<'_, '_> {
    pub(super) fn statements(&mut self) {
        loop {
            match self.c.token.kind {
                TokenKind::Eof => return,
                TokenKind::Newline => {
                    self.c.bump();
                }
                _ => {
                    let first = self.c.token;
                    self.statement = first.start;
                    if self.statement().is_err() {
                        self.incomplete = true;
                        self.show_form(first);
                        self.help_expression();
                        if self.c.is_full() {
                            return;
                        }
                        self.c.skip_statement(begins_instruction);
                    }
                }
            }
        }
    }

    /// Adds the form of an instruction to an error about a part that is expected in it.
    #[cold]
    fn show_form(&mut self, first: Token) {
        if std::mem::take(&mut self.c.wants_form)
            && let Some(op) = self.c.opcode_of_statement(first)
        {
            self.c.note_once(format!("the form is {}", form(op)));
        }
    }

    #[inline]
    fn statement(&mut self) -> Parsed<()> {
        let first = self.c.token;
        match first.kind {
            TokenKind::Reg => self.assignment(first),
            TokenKind::Word | TokenKind::Str => {
                self.c.bump();
                if self.c.at(TokenKind::Colon) && self.label_line(first)? {
                    return Ok(());
                }
                if first.kind == TokenKind::Str {
                    return Err(self.c.expected_syntax("`:` after a label"));
                }
                if self.c.at(TokenKind::Equals) {
                    return self.assignment_without_sigil(first);
                }
                let word = self.c.text(first);
                if self.c.at(TokenKind::Obj) && word == b"stack" {
                    return self.stack_line(first);
                }
                if begins_item(word, self.c.token.kind, self.c.text(self.c.token)) {
                    self.item_inside(first);
                    return Ok(());
                }
                self.instruction(first, None)
            }
            TokenKind::Number => {
                self.lose_block();
                Err(self.c.expected_syntax("an instruction or a label, which does not begin with a digit"))
            }
            TokenKind::Obj if self.c.next_kind() == TokenKind::Equals => Err(self.assigned_object()),
            TokenKind::Sym | TokenKind::Obj if self.c.next_kind() == TokenKind::Colon => {
                self.c.bump();
                self.label_with_sigil(first)
            }
            TokenKind::Unknown if self.ends_in_colon() => {
                self.lose_block();
                Err(self.c.expected_syntax("a label"))
            }
            _ => Err(self.c.expected_syntax("a label or an instruction")),
        }
    }

    /// Parses `%name = ..`.
    #[inline]
    fn assignment(&mut self, first: Token) -> Parsed<()> {
        self.c.bump();
        if self.c.at(TokenKind::Colon) {
            return self.label_with_sigil(first);
        }
        let reg = self.reg_mention(first)?;
        if !self.c.eat(TokenKind::Equals) {
            self.s.regs[reg.index()].broken = true;
            return Err(self.c.expected_syntax("`=` after the destination register"));
        }
        let word = self.c.token;
        if word.kind != TokenKind::Word {
            self.s.regs[reg.index()].broken = true;
            let reported = self.c.expected_syntax("an opcode");
            self.help_assignment(reg);
            return Err(reported);
        }
        self.c.bump();
        let done = self.instruction(word, Some((first, reg)));
        if done.is_err() {
            self.s.regs[reg.index()].broken = true;
        }
        done
    }

    /// Reports an item in the body, and ends the body there.
    #[cold]
    fn item_inside(&mut self, first: Token) {
        let name = String::from_utf8_lossy(&self.symbols.decls.syms[self.f.sym].name).into_owned();
        let message = format!("an item inside of function `@{name}`, which no line that begins with `}}` closed");
        self.c.error(first, message);
        self.c.errors.unclosed = true;
        // The following lines belong to that item.
        self.c.jump(self.c.all_text().len());
        self.lose_block();
    }

    /// Parses the rest of `label:`, the colon being the current token. False if an instruction continues with a type
    /// name.
    fn label_line(&mut self, label: Token) -> Parsed<bool> {
        let here = self.c.save();
        let colon = self.c.bump();
        if !matches!(self.c.token.kind, TokenKind::Newline | TokenKind::Eof) {
            let type_follows = self.c.token.start == colon.end && label.kind == TokenKind::Word;
            if type_follows && begins_instruction(self.c.text(label)) {
                self.c.restore(here);
                return Ok(false);
            }
            let reported = self.c.expected("the end of the line after a label");
            self.c.wants_form = false;
            self.define_block(label)?;
            return Err(reported);
        }
        self.define_block(label)?;
        Ok(true)
    }

    /// Begins the block of a label.
    pub(super) fn define_block(&mut self, label: Token) -> Parsed<()> {
        self.lose_block();
        let name = self.c.name(label)?;
        let block = self.block_of_name(&name, label.start)?;
        let state = &mut self.s.blocks[block.index()];
        if state.defined != NO_LOC {
            let first = state.defined;
            let message = format!("label {} is defined twice", self.c.describe(label));
            let twice = Diagnostic::new(span(label), message);
            let first = self.c.span_at(first);
            return Err(self.c.report(twice.note(first, "first defined here")));
        }
        state.defined = label.start;
        self.f.append_block(block);
        self.block = Some(block);
        self.written = (Some(block), 0);
        self.location = Default::default();
        self.lost = false;
        Ok(())
    }

    /// True if the line of the current token ends in a colon, as a label does.
    #[cold]
    fn ends_in_colon(&self) -> bool {
        let rest = &self.c.all_text()[self.c.token.start as usize..];
        let line = memchr::memchr(b'\n', rest).map_or(rest, |end| &rest[..end]);
        line.trim_ascii_end().ends_with(b":")
    }

    /// True if a word that is not an opcode is a label whose colon was forgotten: it is alone on its line, at the
    /// line's beginning or after a branch to it.
    #[cold]
    pub(super) fn is_label_without_colon(&self, word: Token) -> bool {
        let text = self.c.all_text();
        let unindented = word.start == 0 || text[word.start as usize - 1] == b'\n';
        let alone = matches!(self.c.token.kind, TokenKind::Newline | TokenKind::Eof);
        alone && (unindented || self.knows_block(self.c.text(word)))
    }

    /// Parses `%name:`, the colon being the current token.
    #[cold]
    fn label_with_sigil(&mut self, first: Token) -> Parsed<()> {
        let label = Token { kind: TokenKind::Word, start: first.start + 1, ..first };
        let name = String::from_utf8_lossy(self.c.text(label)).into_owned();
        self.c.errors.syntax += 1;
        self.c.error(first, format!("a label has no sigil: `{name}:`"));
        self.define_block(label)?;
        Err(Reported)
    }

    /// Parses `name = ..`, the `=` being the current token: read as `%name = ..`, so that its uses are not in error
    /// too.
    #[cold]
    fn assignment_without_sigil(&mut self, first: Token) -> Parsed<()> {
        let name = self.c.text(first);
        let reg = self.reg_of_name(name, first)?;
        self.c.error(first, format!("the name of a register begins with `%`: `%{}`", String::from_utf8_lossy(name)));
        self.c.bump();
        let word = self.c.token;
        let done = match word.kind {
            TokenKind::Word => {
                self.c.bump();
                self.instruction(word, Some((first, reg)))
            }
            _ => Err(Reported),
        };
        self.s.regs[reg.index()].broken |= done.is_err();
        self.c.wants_form &= done.is_err();
        Err(Reported)
    }

    /// Ends the current block. Instructions are passed over until the next label that is valid.
    pub(super) fn lose_block(&mut self) {
        self.block = None;
        self.terminator = None;
        self.lost = true;
    }
}

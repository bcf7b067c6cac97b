//! Linkage and visibility of symbols, and aliases.

use super::ItemParser;
use crate::ir::{Alias, Item, Linkage, Visibility};
use crate::parser::cursor::Parsed;
use crate::text::scanner::TokenKind;

/// The words for a symbol's scope.
#[derive(Copy, Clone, PartialEq, Eq)]
pub(super) struct Scope {
    pub(super) linkage: Linkage,
    pub(super) visibility: Visibility,
}

impl Default for Scope {
    fn default() -> Scope {
        Scope { linkage: Linkage::Global, visibility: Visibility::Default }
    }
}

impl ItemParser<'_> {
    /// Reads the words for linkage and visibility. For an `extern` symbol, the linkage is of the definition in another
    /// module.
    pub(super) fn scope(&mut self, is_extern: bool) -> Scope {
        let may_be = |l: &Linkage| *l == Linkage::Weak || !is_extern && *l != Linkage::Global;
        let linkage = Linkage::ALL.into_iter().filter(may_be).find(|l| self.c.eat_word(l.name().as_bytes()));
        let of_others = [Visibility::Hidden, Visibility::Protected];
        let visibility = of_others.into_iter().find(|v| self.c.eat_word(v.name().as_bytes()));
        Scope { linkage: linkage.unwrap_or(Linkage::Global), visibility: visibility.unwrap_or(Visibility::Default) }
    }
    /// Parses `alias @NAME = @DEFINITION [+ N]`.
    pub(super) fn alias_item(&mut self) -> Parsed<()> {
        self.c.bump();
        let (t, sym) = self.sym_mention("the name of an alias")?;
        if !self.c.eat(TokenKind::Equals) {
            return Err(self.c.expected_syntax("`=` after the name of an alias"));
        }
        let (_, target) = self.sym_mention("the symbol of the definition")?;
        let offset = self.offset()?;
        self.items.push(Item::Alias(self.aliases.push(Alias { sym, target, offset, loc: t.start })));
        Ok(())
    }
}

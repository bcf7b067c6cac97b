//! Locations in the front end's source after instructions: `!file:line:column in @inlined !file:line:column`.

use super::BodyParser;
use crate::ir::debug_loc::{InlinedCall, MAX_INLINED};
use crate::ir::{DebugLoc, Origin, PackedOption, Place};
use crate::parser::cursor::Parsed;
use crate::text::scanner::TokenKind;

/// The location that holds for the next instruction, unless it has one of its own.
#[derive(Copy, Clone, Default)]
pub(super) struct Location {
    place: Option<Place>,
    inlined: PackedOption<InlinedCall>,
}

impl BodyParser<'_, '_> {
    /// Returns the origin of an instruction at this offset of the text. A location after its operands holds until the
    /// next location of the block.
    #[inline]
    pub(super) fn debug_loc(&mut self, offset: u32) -> Parsed<DebugLoc> {
        if self.c.at(TokenKind::File) {
            self.location = self.location()?;
        }
        let Location { place, inlined } = self.location;
        Ok(self.f.origins.add(Origin { offset, place, inlined }))
    }
    pub(super) fn place(&mut self) -> Parsed<Option<Place>> {
        let symbols = self.symbols;
        self.c.place(&symbols.decls.files, |name| symbols.file(name))
    }
    #[cold]
    fn location(&mut self) -> Parsed<Location> {
        let place = self.place()?;
        let mut callees = Vec::new();
        while self.c.eat_word(b"in") {
            let t = self.c.token;
            if !self.c.eat(TokenKind::Sym) {
                return Err(self.c.expected_syntax("the function that was inlined"));
            }
            let name = self.c.name(t)?;
            let Some(callee) = self.symbols.sym(&name).filter(|s| self.symbols.decls.signature(*s).is_some()) else {
                return Err(self.c.error(t, format!("{} is not declared as a function", self.c.describe(t))));
            };
            if !self.c.at(TokenKind::File) {
                return Err(self.c.expected_syntax("the location of the call that was inlined, or `!none`"));
            }
            if callees.len() == MAX_INLINED {
                return Err(self.c.error(t, format!("more than {MAX_INLINED} calls that were inlined in each other")));
            }
            callees.push((callee, self.place()?));
        }
        let mut inlined = PackedOption::NONE;
        for (callee, place) in callees.into_iter().rev() {
            let known = self.s.inlined.get(&(callee, place, inlined)).copied();
            inlined = known.unwrap_or_else(|| {
                let origins = &mut self.f.origins;
                let call = origins.add(Origin { offset: self.statement, place, inlined });
                let made = origins.add_call(callee, call).into();
                self.s.inlined.insert((callee, place, inlined), made);
                made
            });
        }
        Ok(Location { place, inlined })
    }
}

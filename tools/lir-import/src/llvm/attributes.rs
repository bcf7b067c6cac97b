//! Attributes of functions, parameters and results, as far as the translation asks for them. All others are read over.

use super::types::Ty;
use lir_syntax::ir::PackedOption;

/// The attributes of a parameter, an argument or a result.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct ParamAttributes {
    pub words: ParamWords,
    /// The type of `byval`, `sret` or `elementtype`.
    pub pointee: PackedOption<Ty>,
    /// The alignment of an argument by value; 0 if it is not written.
    pub align: u32,
}

/// A set of words.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct ParamWords(u16);

impl ParamWords {
    pub(super) const ZEROEXT: ParamWords = ParamWords(1);
    pub(super) const SIGNEXT: ParamWords = ParamWords(2);
    pub(super) const BYVAL: ParamWords = ParamWords(4);
    pub(super) const SRET: ParamWords = ParamWords(8);
    pub(super) const NEST: ParamWords = ParamWords(16);
    /// `inalloca`, `preallocated`, `swiftself`, `swifterror`, `swiftasync`, `inreg`, `byref`: refused.
    pub(super) const REFUSED: ParamWords = ParamWords(32);
    pub(super) const RETURNED: ParamWords = ParamWords(64);

    pub(super) fn has(self, other: ParamWords) -> bool {
        self.0 & other.0 == other.0
    }
    pub(super) fn add(&mut self, other: ParamWords) {
        self.0 |= other.0;
    }
    /// The word with this effect. None if it has no meaning here.
    pub(super) fn named(word: &[u8]) -> Option<ParamWords> {
        Some(match word {
            b"zeroext" => ParamWords::ZEROEXT,
            b"signext" => ParamWords::SIGNEXT,
            b"byval" => ParamWords::BYVAL,
            b"sret" => ParamWords::SRET,
            b"nest" => ParamWords::NEST,
            b"returned" => ParamWords::RETURNED,
            b"inalloca" | b"preallocated" | b"swiftself" | b"swifterror" | b"swiftasync" | b"inreg" | b"byref" => {
                ParamWords::REFUSED
            }
            _ => return None,
        })
    }
}

/// A set of attributes of a function.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct FunctionAttributes(u16);

impl FunctionAttributes {
    pub(super) const NORETURN: FunctionAttributes = FunctionAttributes(1);
    pub(super) const NOINLINE: FunctionAttributes = FunctionAttributes(2);
    /// `alwaysinline` and `inlinehint`.
    pub(super) const INLINE: FunctionAttributes = FunctionAttributes(4);
    pub(super) const COLD: FunctionAttributes = FunctionAttributes(8);
    pub(super) const RETURNS_TWICE: FunctionAttributes = FunctionAttributes(16);
    /// The function is not the C library's, whatever its name.
    pub(super) const NOBUILTIN: FunctionAttributes = FunctionAttributes(32);
    /// `"no-builtins"`: in its body no name is the C library's.
    pub(super) const NO_BUILTINS: FunctionAttributes = FunctionAttributes(64);
    /// `alwaysinline`.
    pub(super) const ALWAYS_INLINE: FunctionAttributes = FunctionAttributes(256);
    /// `naked`: its body is assembly alone.
    pub(super) const NAKED: FunctionAttributes = FunctionAttributes(128);

    pub(super) fn has(self, other: FunctionAttributes) -> bool {
        self.0 & other.0 == other.0
    }
    pub(super) fn or(self, other: FunctionAttributes) -> FunctionAttributes {
        FunctionAttributes(self.0 | other.0)
    }
    pub(super) fn add(&mut self, other: FunctionAttributes) {
        self.0 |= other.0;
    }
    /// The attribute of a word. None if it has no meaning here.
    pub(super) fn named(word: &[u8]) -> Option<FunctionAttributes> {
        Some(match word {
            b"noreturn" => FunctionAttributes::NORETURN,
            b"noinline" | b"optnone" => FunctionAttributes::NOINLINE,
            b"alwaysinline" => FunctionAttributes::INLINE.or(FunctionAttributes::ALWAYS_INLINE),
            b"inlinehint" => FunctionAttributes::INLINE,
            b"cold" => FunctionAttributes::COLD,
            b"returns_twice" => FunctionAttributes::RETURNS_TWICE,
            b"nobuiltin" => FunctionAttributes::NOBUILTIN,
            b"naked" => FunctionAttributes::NAKED,
            _ => return None,
        })
    }
}

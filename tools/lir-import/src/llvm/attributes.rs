//! Sets of the words that modify instructions, functions, parameters and results. The parser ignores words that have no
//! effect on the translation.

use super::types::Ty;
use lir_syntax::ir::PackedOption;

/// Defines a set of words: each member with its bit, and the words of the text that mean it.
macro_rules! word_set {
    ($(#[$about:meta])* $set:ident: $bits:ident; $($(#[$doc:meta])* $name:ident $bit:literal [$($word:literal)*])*) => {
        $(#[$about])*
        #[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
        pub(super) struct $set($bits);

        impl $set {
            $($(#[$doc])* pub(super) const $name: $set = $set(1 << $bit);)*

            pub(super) fn has(self, other: $set) -> bool {
                self.0 & other.0 == other.0
            }
            pub(super) fn add(&mut self, other: $set) {
                self.0 |= other.0;
            }
            /// Returns the members that a word means; the empty set if it has no effect on the translation.
            pub(super) fn named(word: &[u8]) -> $set {
                let all: &[($set, &[&[u8]])] = &[$(($set::$name, &[$($word),*])),*];
                let named = all.iter().filter(|(_, words)| words.contains(&word));
                named.fold($set::default(), |set, (member, _)| $set(set.0 | member.0))
            }
        }
    };
}

/// The attributes of a parameter, an argument or a result.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct ParamAttributes {
    pub words: ParamWords,
    /// The type of `byval`, `sret` or `elementtype`.
    pub pointee: PackedOption<Ty>,
    /// The alignment of an address, or of an argument by value; 0 if it is absent.
    pub align: u32,
    /// 1 more than the index of its facts in [`Program::param_facts`](super::ast::Program::param_facts); 0 if it has
    /// none.
    pub facts: u32,
}

word_set! {
    /// Words of an instruction, without its promises.
    Flags: u8;
    VOLATILE 0 [b"volatile"]
    ATOMIC 1 [b"atomic"]
    INALLOCA 2 [b"inalloca"]
    /// Ordered only with signal handlers of the thread.
    SINGLE_THREAD 3 [b"singlethread"]
}

word_set! {
    /// Words of a parameter, an argument or a result.
    ParamWords: u16;
    ZEROEXT 0 [b"zeroext"]
    SIGNEXT 1 [b"signext"]
    BYVAL 2 [b"byval"]
    SRET 3 [b"sret"]
    NEST 4 [b"nest"]
    NOALIAS 6 [b"noalias"]
    NOUNDEF 7 [b"noundef"]
    NONNULL 8 [b"nonnull"]
    REFUSED 5 [b"inalloca" b"preallocated" b"swiftself" b"swifterror" b"swiftasync" b"inreg" b"byref"]
}

word_set! {
    /// Attributes of a function.
    FunctionAttributes: u16;
    NORETURN 0 [b"noreturn"]
    NOINLINE 1 [b"noinline" b"optnone"]
    INLINE 2 [b"alwaysinline" b"inlinehint"]
    ALWAYS_INLINE 3 [b"alwaysinline"]
    COLD 4 [b"cold"]
    RETURNS_TWICE 5 [b"returns_twice"]
    /// The function is not the C library's, whatever its name.
    NOBUILTIN 6 [b"nobuiltin"]
    /// In the body of the function no name is the C library's.
    NO_BUILTINS 7 [b"\"no-builtins\""]
    /// The body of the function consists of assembly alone.
    NAKED 8 [b"naked"]
    /// The words of LLVM 15, and what `memory(..)` says in later versions.
    READNONE 9 [b"readnone"]
    READONLY 10 [b"readonly"]
    WILLRETURN 11 [b"willreturn"]
    NOUNWIND 12 [b"nounwind"]
    SPECULATABLE 13 [b"speculatable"]
}

impl FunctionAttributes {
    /// Both sets together.
    pub(super) const fn and(self, other: FunctionAttributes) -> FunctionAttributes {
        FunctionAttributes(self.0 | other.0)
    }
}

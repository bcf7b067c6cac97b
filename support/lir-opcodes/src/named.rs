//! Enums whose values have names.

/// Makes an enum with a list and the names of its values. A row is a value, its name, and its sentence.
#[macro_export]
macro_rules! named {
    ($(#[$doc:meta])* $vis:vis enum $enum:ident { $($value:ident $name:literal $what:literal)* }) => {
        $(#[$doc])*
        #[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
        #[repr(u8)]
        $vis enum $enum { $(#[doc = $what] $value,)* }

        impl $enum {
            /// All values, in declaration order.
            $vis const ALL: [$enum; [$($name),*].len()] = [$($enum::$value),*];
            /// Returns the name.
            #[inline]
            $vis const fn name(self) -> &'static str { match self { $($enum::$value => $name),* } }
        }
    };
}

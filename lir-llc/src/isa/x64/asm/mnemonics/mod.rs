//! The methods of the assembler: one for each mnemonic of the instruction table, with the operands that it takes.
//!
//! The files beside this one are written from the table. Each line of a mnemonic is a form: the row, the types of the
//! operands in Intel's order with the field that each goes into, and the operand size.

mod floats;
mod fused;
mod integers;

/// The operands that each mnemonic takes.
pub mod takes {
    pub use super::floats::takes::*;
    pub use super::fused::takes::*;
    pub use super::integers::takes::*;
}

macro_rules! methods {
    ($($doc:literal $trait:ident $generics:tt $arguments:tt [$($method:ident $cond:ident)*] {
        $($op:ident $form:ident <$($g:ident: $class:ident)?> ($($field:ident: $type:ty),*) $size:expr;)*
    })*) => {
        impl Assembler {
            $($(methods!(@method $doc $trait $generics $arguments $method $cond);)*)*
        }
        pub mod takes {
            use super::*;
            $(
                #[doc = $doc]
                #[diagnostic::on_unimplemented(
                    note = "registers of one size go together; memory beside a constant has a size: `mem(RDI).dword()`"
                )]
                pub trait $trait {
                    #[doc(hidden)]
                    fn append(self, a: &mut Assembler, cond: Cond);
                }
                $(impl<$($g: $class)?> $trait for ($($type,)*) {
                    #[inline]
                    #[track_caller]
                    fn append(self, a: &mut Assembler, cond: Cond) {
                        #[allow(unused_mut, reason = "not changed where there are no operands")]
                        let mut parts = Parts::NONE;
                        let ($($field,)*) = self;
                        $(parts.$field($field);)*
                        a.row(op::$op, Form::$form, $size, cond, &parts);
                    }
                })*
            )*
        }
    };
    (@method $doc:literal $trait:ident [] [] $method:ident $cond:ident) => {
        #[doc = $doc]
        #[track_caller]
        pub fn $method(&mut self) {
            takes::$trait::append((), self, Cond::$cond);
        }
    };
    (@method $doc:literal $trait:ident [$($g:ident)*] [$($argument:ident)*] $method:ident $cond:ident) => {
        #[doc = $doc]
        #[inline]
        #[track_caller]
        pub fn $method<$($g),*>(&mut self, $($argument: $g),*)
        where
            ($($g,)*): takes::$trait,
        {
            takes::$trait::append(($($argument,)*), self, Cond::$cond);
        }
    };
}
use methods;

//! Events: the subjects of remarks, with their sentences, in lower case and without a period.
//!
//! Each pass and each stage of code generation declares its own, next to the code that reports them, with
//! [`events!`](crate::events):
//!
//! ```
//! use lir_opt::pass::remarks::{At, events};
//! use lir_syntax::ir::Reg;
//!
//! events! {
//!     enum Event {
//!         Doubled(by: Reg): "doubled", "is twice {by}";
//!         IsVolatile(at: At): "stays", "is volatile{at}";
//!     }
//! }
//! let _ = Event::IsVolatile;
//! # let _ = Event::Doubled;
//! ```
//!
//! A row has the event with its culprits, its name in the file of remarks, and the sentence, in which `{by}` is the
//! text of the culprit of that name. A last row `..Other` includes the events of another enum.

use super::message::Said;

/// An event that a remark can report. [`events!`](crate::events) implements it.
pub trait RemarkEvent: Said {
    /// In kebab case, as in the file of remarks.
    fn name(&self) -> &'static str;
    /// Returns the names and the sentences of all events of the type, for tests that want a case of each.
    fn rows() -> &'static [(&'static str, &'static str)]
    where
        Self: Sized;
}

/// Declares an enum of events; see [the module](self).
#[macro_export]
macro_rules! events {
    (@from $event:ident ($($generics:tt)*)) => {};
    (@from $event:ident ($($generics:tt)*) $common:ident) => {
        impl $($generics)* From<$common<'static>> for $event $($generics)* {
            fn from(event: $common<'static>) -> Self {
                $event::$common(event)
            }
        }
    };
    ($vis:vis enum $event:ident $(<$lt:lifetime>)? {
        $($variant:ident $(($($arg:ident: $ty:ty),+))?: $name:literal, $sentence:literal;)*
        $(.. $common:ident)?
    }) => {
        /// The events of remarks here.
        #[derive(Copy, Clone)]
        $vis enum $event $(<$lt>)? {
            $($variant $(($($ty),+))?,)*
            $(#[doc = "One that others tell of, too."] $common($common<'static>),)?
        }

        $crate::events!(@from $event ($(<$lt>)?) $($common)?);

        impl $(<$lt>)? $crate::pass::remarks::RemarkEvent for $event $(<$lt>)? {
            fn name(&self) -> &'static str {
                match self {
                    $($event::$variant { .. } => $name,)*
                    $($event::$common(event) => event.name(),)?
                }
            }
            fn rows() -> &'static [(&'static str, &'static str)] {
                &[$(($name, $sentence)),*]
            }
        }

        impl $(<$lt>)? $crate::pass::remarks::Said for $event $(<$lt>)? {
            fn write(&self, m: &mut $crate::pass::remarks::Message<'_>) {
                match self {
                    $($event::$variant $(($($arg),+))? => {
                        m.fill($sentence, &[$($((stringify!($arg), $arg)),+)?]);
                    })*
                    $($event::$common(event) => event.write(m),)?
                }
            }
        }
    };
}

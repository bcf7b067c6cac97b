//! Names of every kind, also ones that are hard to read back.

use crate::Rng;

/// The prefix of functions that may be called from outside with any arguments, in addition to `@test`.
pub const ENTRY: &str = "entry";

/// Names that are hard to read back, or to tell from something else.
pub(crate) const ODD: [&str; 14] = [
    "odd name", "\u{fc}ber", "a\"b", "back\\slash", "line\nend", "tab\tin", "%x", "@f", "$o", ":t", "add", "i32", "0",
    "a.1",
];

/// Returns a name, or now and then an odd one that ends in it: names stay distinct.
pub(crate) fn any_name(rng: &mut Rng, plain: &str) -> String {
    if rng.chance(6) { format!("{}{plain}", rng.pick(&ODD)) } else { plain.to_string() }
}

//! Texts with many similar parts.

use std::fmt::Result;

/// Returns the texts of parts 0 to n - 1, one after the other.
pub fn parts(n: usize, part: impl Fn(&mut String, usize) -> Result) -> String {
    let mut out = String::new();
    (0..n).for_each(|k| part(&mut out, k).expect("a string takes everything"));
    out
}

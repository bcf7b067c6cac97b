//! Value promises: the facts that a front end knows about the value of a parameter, a load or the result of a call.
//!
//! They are LLVM's `range`, `nonnull`, `align` and `dereferenceable`, with the meaning that all promises of LIR have:
//! the program is in error if one is broken where the instruction is executed, or where the function is called.

use crate::ir::Word;
use crate::ir::module::MAX_OBJECT_SIZE;
use crate::ir::types::Type;
use std::fmt;

/// The promises about one value. A value without any has none of these.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub struct ValuePromises {
    /// `range A to B`, and `nonnull`: the value is one of those that are counted from A upwards to B, modulo the type.
    /// The constants are as [`Type::constant_payload`] returns them.
    pub range: Option<(i64, i64)>,
    /// `align N`: the value, an i64, is a multiple of 2 to the power of this.
    pub align_log2: u8,
    /// `dereferenceable N`: so many bytes from the value, an address, may be read until the function returns.
    pub dereferenceable: u64,
}

/// The range of an i64 that is not 0.
const NONNULL: (i64, i64) = (1, -1);

impl ValuePromises {
    /// No promise.
    pub const NONE: ValuePromises = ValuePromises { range: None, align_log2: 0, dereferenceable: 0 };
    /// The words that begin a promise, in the order of the text.
    pub const WORDS: [&'static str; 4] = ["range", "nonnull", "align", "dereferenceable"];

    /// Returns the promise that an address is not 0.
    pub fn nonnull() -> ValuePromises {
        ValuePromises { range: Some(NONNULL), ..ValuePromises::NONE }
    }
    /// True if nothing is promised.
    #[inline]
    pub fn is_empty(&self) -> bool {
        *self == ValuePromises::NONE
    }
    /// Returns the promises of both. Of two ranges, this one's stays.
    #[must_use]
    pub fn or(self, other: ValuePromises) -> ValuePromises {
        ValuePromises {
            range: self.range.or(other.range),
            align_log2: self.align_log2.max(other.align_log2),
            dereferenceable: self.dereferenceable.max(other.dereferenceable),
        }
    }
    /// True for the range that is written as `nonnull`.
    fn is_nonnull(&self, ty: Type) -> bool {
        ty == Type::I64 && self.range == Some(NONNULL)
    }
    /// True if a value with these bits is in the range.
    fn is_in_range(&self, w: Word, bits: u64) -> bool {
        self.range.is_none_or(|(first, last)| {
            let from_first = |x: u64| w.truncate(x.wrapping_sub(first as u64));
            from_first(bits) <= from_first(last as u64)
        })
    }
    /// Returns the smallest and the largest value, unsigned. All values of the type if the range contains both ends.
    pub fn unsigned_limits(&self, w: Word) -> (u64, u64) {
        match self.range.map(|(first, last)| (w.truncate(first as u64), w.truncate(last as u64))) {
            Some((first, last)) if first <= last => (first, last),
            _ => (0, w.mask()),
        }
    }
    /// Returns the smallest and the largest value, signed. All values of the type if the range contains both ends.
    pub fn signed_limits(&self, w: Word) -> (i64, i64) {
        match self.range {
            Some((first, last)) if first <= last => (first, last),
            _ => (w.signed_min(), w.signed_max()),
        }
    }
    /// Returns the promise that a value breaks, as text. `dereferenceable` is not checked.
    pub fn broken_by(&self, ty: Type, bits: u64) -> Option<String> {
        let w = ty.as_word();
        if !self.is_in_range(w, bits) {
            return Some(self.range_text(ty));
        }
        (bits & w.low_mask(self.align_log2.into()) != 0).then(|| format!("align {}", self.alignment()))
    }
    /// Returns why a value of a type cannot have these promises. None if it can.
    pub fn complaint(&self, ty: Type) -> Option<String> {
        if !ty.has_word() || ty.is_float() {
            return Some(format!("the value is no integer of 8 to 64 bits, but {ty}"));
        }
        let w = ty.as_word();
        if let Some((first, last)) = self.range {
            let fits = |k: i64| ty.constant_payload(k as u64) == k;
            if !fits(first) || !fits(last) {
                return Some(format!("the ends of a range are values of type {ty}"));
            }
            if w.truncate((last as u64).wrapping_add(1)) == w.truncate(first as u64) {
                return Some("the range has all values of the type".to_owned());
            }
        }
        if ty != Type::I64 && (self.align_log2 != 0 || self.dereferenceable != 0) {
            return Some(format!("`align` and `dereferenceable` are about an address, which is an i64, not {ty}"));
        }
        if self.align_log2 > MAX_OBJECT_SIZE.ilog2() as u8 || self.dereferenceable > MAX_OBJECT_SIZE {
            return Some(format!("an object has at most {MAX_OBJECT_SIZE} bytes"));
        }
        None
    }
    /// Returns the text, in the order of [`ValuePromises::WORDS`], each promise after a blank.
    pub fn text(&self, ty: Type) -> impl fmt::Display {
        let mut text = String::new();
        if self.range.is_some() {
            text = format!(" {}", self.range_text(ty));
        }
        if self.align_log2 != 0 {
            text += &format!(" align {}", self.alignment());
        }
        if self.dereferenceable != 0 {
            text += &format!(" dereferenceable {}", self.dereferenceable);
        }
        text
    }
    /// Returns the alignment in bytes; 0 for one that the verifier rejects.
    fn alignment(&self) -> u64 {
        1u64.checked_shl(self.align_log2.into()).unwrap_or(0)
    }
    fn range_text(&self, ty: Type) -> String {
        match self.range {
            _ if self.is_nonnull(ty) => "nonnull".to_owned(),
            Some((first, last)) => format!("range {first} to {last}"),
            None => String::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_range_is_counted_upwards_from_its_first_value() {
        let in_range = |first, last| {
            let promises = ValuePromises { range: Some((first, last)), ..ValuePromises::NONE };
            (0..=255).filter(|k| promises.is_in_range(Type::I8.as_word(), *k)).collect::<Vec<u64>>()
        };
        assert_eq!(in_range(3, 5), [3, 4, 5]);
        assert_eq!(in_range(7, 7), [7]);
        assert_eq!(in_range(-2, 1), [0, 1, 254, 255]);
        assert_eq!(in_range(127, -127), [127, 128, 129]);
        assert_eq!(in_range(1, -1).len(), 255);
    }

    #[test]
    fn limits_enclose_the_range() {
        let w = Type::I8.as_word();
        for first in -128i64..=127 {
            for last in -128i64..=127 {
                let promises = ValuePromises { range: Some((first, last)), ..ValuePromises::NONE };
                let (least, most) = promises.unsigned_limits(w);
                let (low, high) = promises.signed_limits(w);
                for bits in (0..=255).filter(|k| promises.is_in_range(w, *k)) {
                    assert!((least..=most).contains(&bits), "{first} to {last}: {bits}");
                    assert!((low..=high).contains(&w.sign_extend(bits)), "{first} to {last}: {bits}");
                }
            }
        }
    }
}

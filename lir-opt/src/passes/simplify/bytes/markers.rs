//! The byte of a source that each byte of a value holds, in one number.
//!
//! Byte k of the number describes byte k of the value: 0 for zeros, 1 to 8 for bytes 0 to 7 of the source, 0xFF for
//! something else. Shifts by whole bytes, masks of whole bytes, `bswap` and conversions have the same effect on this
//! number as on the value, so [`semantics::eval`] computes both; only the copies of a sign need special treatment.

use lir_syntax::ir::{Opcode, Type};
use lir_syntax::semantics;

/// The bytes of a value. The bytes above its type are zeros.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Markers(pub u64);

/// The marker of an unknown byte.
const UNKNOWN: u64 = 0xFF;
/// The lowest bit of each byte.
const LOW_BITS: u64 = 0x0101_0101_0101_0101;
/// The highest bit of each byte.
const HIGH_BITS: u64 = LOW_BITS << 7;

/// 0xFF in each byte that is not 0.
fn filled(x: u64) -> u64 {
    let any = (((x & !HIGH_BITS) + !HIGH_BITS) | x) & HIGH_BITS;
    (any >> 7) * 0xFF
}

impl Markers {
    /// Returns the markers of the source itself.
    pub(crate) fn of_source(ty: Type) -> Markers {
        Markers(ty.as_word().truncate(0x0807_0605_0403_0201))
    }
    /// 0xFF in each byte that may be other than zeros.
    pub fn occupied(self) -> u64 {
        filled(self.0)
    }
    /// 0xFF in each unknown byte.
    fn unknown(self) -> u64 {
        ((self.0 & HIGH_BITS) >> 7) * UNKNOWN
    }
    /// True if all bytes are known.
    pub(crate) fn are_known(self) -> bool {
        self.unknown() == 0
    }
    /// Returns the lowest byte that is one of the source, and its marker; none for zeros.
    pub fn first(self) -> Option<(u32, u64)> {
        let k = self.0.trailing_zeros() / 8;
        (self.0 != 0).then(|| (k, self.0 >> (8 * k) & 0xFF))
    }
    /// Returns the lowest byte with this marker.
    pub fn find(self, marker: u64) -> Option<u32> {
        (0..8).find(|k| self.0 >> (8 * k) & 0xFF == marker)
    }

    /// Returns the markers of the result of an operation on a value of type `ty`. Its second operand, if any, is a
    /// constant. None if it does not move or keep whole bytes.
    pub fn after(self, op: Opcode, ty: Type, aux: u8, constant: u64) -> Option<Markers> {
        let w = ty.as_word();
        let is_bytewise = match op {
            Opcode::Shl | Opcode::Lshr | Opcode::Ashr | Opcode::Rotl | Opcode::Rotr => {
                constant.is_multiple_of(8) && constant < u64::from(ty.bits())
            }
            Opcode::And => filled(constant) == constant,
            Opcode::Bswap | Opcode::Zext | Opcode::Sext | Opcode::Trunc => true,
            _ => false,
        };
        if !is_bytewise {
            return None;
        }
        // As if the sign were 0, and the bytes that are copies of it where it may not be.
        let (unsigned, signs) = match op {
            Opcode::Ashr => (Opcode::Lshr, w.mask() & !(w.mask() >> constant)),
            Opcode::Sext => (Opcode::Zext, Type::from_u8(aux).as_word().mask() & !w.mask()),
            op => (op, 0),
        };
        let moved = semantics::eval(unsigned, w, aux, [self.0, constant, 0]).ok()?;
        let may_be_negative = self.0 >> (w.bits() - 8) != 0;
        Some(Markers(if may_be_negative { moved | signs } else { moved }))
    }

    /// Returns the markers of the `or`, `xor` or sum of two values with the same source.
    pub fn joined(op: Opcode, ty: Type, a: Markers, b: Markers) -> Markers {
        let both = a.occupied() & b.occupied();
        let differ = both & (filled(a.0 ^ b.0) | a.unknown());
        Markers(match op {
            Opcode::Xor => (a.0 ^ b.0) | differ,
            // A carry may come out of the lowest byte that is occupied in both, and pass through all bytes above.
            Opcode::Add if both != 0 => ty.as_word().truncate(a.0 | b.0 | !((both & both.wrapping_neg()) - 1)),
            _ => a.0 | b.0 | differ,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SOURCE: u64 = 0xF1E2_D3C4_B5A6_9788;

    /// True if a value has the bytes of the source given by its markers.
    fn agrees(m: Markers, ty: Type, source: u64, value: u64) -> bool {
        (0..ty.bits() / 8).all(|k| {
            let byte = value >> (8 * k) & 0xFF;
            match m.0 >> (8 * k) & 0xFF {
                0 => byte == 0,
                UNKNOWN => true,
                marker => byte == source >> (8 * (marker - 1)) & 0xFF,
            }
        })
    }

    #[test]
    fn bytes_that_are_filled() {
        assert_eq!(filled(0), 0);
        assert_eq!(filled(0x80_0001_FF7F_0010), 0xFF_00FF_FFFF_00FF);
        assert_eq!(filled(u64::MAX), u64::MAX);
    }

    #[test]
    fn operations_on_one_value() {
        let types = [Type::I8, Type::I16, Type::I32, Type::I64];
        let ops = [Opcode::Shl, Opcode::Lshr, Opcode::Ashr, Opcode::Rotl, Opcode::Rotr, Opcode::And, Opcode::Bswap];
        let mut bytewise = 0;
        for (ty, op) in types.iter().flat_map(|ty| ops.map(|op| (*ty, op))) {
            for constant in [0, 7, 8, 12, 16, 24, 40, 48, 56, 64, 0xFF00, 0xFF, 0xF0FF, 0xFF_FF00, !0xFF, !0xFFFF_0000]
            {
                let w = ty.as_word();
                let (constant, source) = (w.truncate(constant), w.truncate(SOURCE));
                let Some(m) = Markers::of_source(ty).after(op, ty, 0, constant) else { continue };
                let value = semantics::eval(op, w, 0, [source, constant, 0]).unwrap();
                assert!(agrees(m, ty, source, value), "{op:?} {ty} {constant:x}: {m:x?}");
                assert_eq!(m.are_known(), op != Opcode::Ashr || constant == 0, "{op:?} {ty} {constant:x}: {m:x?}");
                bytewise += 1;
            }
        }
        assert!(bytewise > 100, "{bytewise}");
        let i32_markers = Markers::of_source(Type::I32);
        assert_eq!(i32_markers.after(Opcode::Shl, Type::I32, 0, 7), None);
        assert_eq!(i32_markers.after(Opcode::Lshr, Type::I32, 0, 32), None);
        assert_eq!(i32_markers.after(Opcode::And, Type::I32, 0, 0x7F00), None);
        assert_eq!(i32_markers.after(Opcode::Mul, Type::I32, 0, 256), None);
    }

    #[test]
    fn conversions() {
        let m = Markers::of_source(Type::I16);
        assert_eq!(m.after(Opcode::Zext, Type::I16, Type::I32 as u8, 0), Some(Markers(0x0201)));
        assert_eq!(m.after(Opcode::Sext, Type::I16, Type::I32 as u8, 0), Some(Markers(0xFFFF_0201)));
        assert_eq!(m.after(Opcode::Trunc, Type::I16, Type::I8 as u8, 0), Some(Markers(0x01)));
        // A value whose highest byte is zeros has no sign.
        assert_eq!(Markers(0x02).after(Opcode::Sext, Type::I16, Type::I64 as u8, 0), Some(Markers(0x02)));
        assert_eq!(Markers(0x02_0304).after(Opcode::Ashr, Type::I32, 0, 8), Some(Markers(0x0203)));
    }

    #[test]
    fn two_values() {
        let joined = |op, a, b| Markers::joined(op, Type::I32, Markers(a), Markers(b)).0;
        for op in [Opcode::Or, Opcode::Xor, Opcode::Add] {
            assert_eq!(joined(op, 0x0403_0000, 0x0201), 0x0403_0201);
            assert_eq!(joined(op, 0xFF03_0000, 0x0201), 0xFF03_0201);
        }
        assert_eq!(joined(Opcode::Or, 0x0100_0302, 0x0001_0301), 0x0101_03FF);
        assert_eq!(joined(Opcode::Xor, 0x0100_0302, 0x0001_0301), 0x0101_00FF);
        assert_eq!(joined(Opcode::Add, 0x0100_0302, 0x0001_0300), 0xFFFF_FF02);
        // Two unknown bytes are not the same.
        assert_eq!(joined(Opcode::Or, 0xFF00, 0xFF00), 0xFF00);
        assert_eq!(joined(Opcode::Xor, 0xFF00, 0xFF02), 0xFF02);
        assert_eq!(joined(Opcode::Xor, 0xFF00, 0x0200), 0xFF00);
        assert_eq!(joined(Opcode::Or, 0x0200, 0xFF00), 0xFF00);
    }
}

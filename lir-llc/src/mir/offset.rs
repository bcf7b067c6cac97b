//! Offsets in a frame and among stack arguments, which a displacement holds with room to spare.

/// The largest frame, and the most stack arguments of a function or a call, in bytes.
pub const MAX_FRAME: u64 = 1 << 30;

/// An offset of at most [`MAX_FRAME`] bytes. The difference of two fits a displacement, and so does everything below
/// the sum of two.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Default, Debug)]
pub struct FrameOffset(i32);

impl FrameOffset {
    /// Returns the offset of this many bytes; none if a frame has no room for it.
    #[inline]
    pub fn new(bytes: u64) -> Option<FrameOffset> {
        i32::try_from(bytes).ok().filter(|_| bytes <= MAX_FRAME).map(FrameOffset)
    }
    /// Returns the offset as a displacement.
    #[inline]
    pub fn disp(self) -> i32 {
        self.0
    }
    /// Returns the offset in bytes.
    #[inline]
    pub fn bytes(self) -> u64 {
        self.0.unsigned_abs().into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_offsets_fit_a_displacement() {
        let largest = FrameOffset::new(MAX_FRAME).expect("it is the largest");
        assert_eq!(largest.bytes(), MAX_FRAME);
        assert!(largest.disp().checked_add(largest.disp() - 1).is_some(), "the last byte of the second is addressed");
        for bytes in [MAX_FRAME + 1, 1 << 31, 1 << 32, (1 << 32) + 8, u64::MAX] {
            assert_eq!(FrameOffset::new(bytes), None);
        }
    }
}

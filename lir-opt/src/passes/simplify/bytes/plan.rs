//! Finds the fewest operations that put given bytes of a source into given positions.
//!
//! It tries the bytes in their order or, by `bswap`, in reverse; a shift or a rotation; a mask. A source of another
//! width is converted before these, or between the shift and the mask. Each sequence is evaluated on markers and used
//! only if it gives the wanted ones, so a wrong one only costs time.

use super::markers::Markers;
use lir_syntax::ir::{Opcode, Type};

/// Conversion, `bswap`, shift, mask.
const MAX_STEPS: usize = 4;

/// An operation on the result of the step before it.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) struct Step {
    pub op: Opcode,
    /// The type of the operand.
    pub ty: Type,
    /// The type of the result.
    pub to: Type,
    /// The second operand, if there is one.
    pub constant: Option<u64>,
}

/// Operations one after the other, the first one on the source.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) struct StepSequence {
    steps: [Option<Step>; MAX_STEPS],
    len: usize,
    /// The number of operations, including ones that put a constant into a register.
    pub cost: u32,
    /// The result of its last step.
    markers: Markers,
    ty: Type,
}

impl StepSequence {
    /// Returns the source itself.
    fn of_source(ty: Type) -> StepSequence {
        StepSequence { steps: [None; MAX_STEPS], len: 0, cost: 0, markers: Markers::of_source(ty), ty }
    }
    /// Returns the steps in order.
    pub fn steps(&self) -> impl DoubleEndedIterator<Item = Step> {
        self.steps.into_iter().flatten()
    }
    /// With one more operation; none if it does not keep bytes whole.
    fn then(mut self, op: Opcode, to: Type, constant: Option<u64>) -> Option<StepSequence> {
        let aux = if to == self.ty { 0 } else { to as u8 };
        self.markers = self.markers.after(op, self.ty, aux, constant.unwrap_or(0))?;
        self.steps[self.len] = Some(Step { op, ty: self.ty, to, constant });
        self.len += 1;
        self.cost += 1;
        self.ty = to;
        Some(self)
    }
    fn converted(self, to: Type) -> Option<StepSequence> {
        match to.bits().cmp(&self.ty.bits()) {
            std::cmp::Ordering::Less => self.then(Opcode::Trunc, to, None),
            std::cmp::Ordering::Equal => Some(self),
            std::cmp::Ordering::Greater => self.then(Opcode::Zext, to, None),
        }
    }
    /// With the bytes that are to be zeros masked, where the others are right.
    fn masked(self, wanted: Markers) -> Option<StepSequence> {
        let mask = wanted.occupied();
        if self.markers == wanted {
            return Some(self);
        }
        let ty = self.ty;
        let mut sequence = self.then(Opcode::And, ty, Some(mask))?;
        // An instruction has room for 32 bits, sign-extended.
        sequence.cost += u32::from(i32::try_from(ty.as_word().sign_extend(mask)).is_err());
        (sequence.markers == wanted).then_some(sequence)
    }
}

/// Returns the cheapest sequence for a value of type `root`, if one gives these markers. None for zeros.
pub(crate) fn find(source: Type, root: Type, wanted: Markers) -> Option<StepSequence> {
    if !wanted.are_known() {
        return None;
    }
    let mut best: Option<StepSequence> = None;
    let start = StepSequence::of_source(source);
    // Converted at once, or after the shift.
    for start in [start.converted(root), (source != root).then_some(start)].into_iter().flatten() {
        let ty = start.ty;
        for ordered in [Some(start), start.then(Opcode::Bswap, ty, None)].into_iter().flatten() {
            for shifted in shifts(ordered, wanted).into_iter().flatten() {
                let sequence = shifted.converted(root).and_then(|p| p.masked(wanted));
                if let Some(sequence) = sequence.filter(|p| best.is_none_or(|b| p.cost < b.cost)) {
                    best = Some(sequence);
                }
            }
        }
    }
    best
}

/// Returns the sequence followed by a shift, and by a rotation. Either brings the lowest wanted byte of the source to
/// its position.
fn shifts(sequence: StepSequence, wanted: Markers) -> [Option<StepSequence>; 2] {
    let Some((position, marker)) = wanted.first() else { return [None; 2] };
    let Some(found) = sequence.markers.find(marker) else { return [None; 2] };
    let (ty, width) = (sequence.ty, u64::from(sequence.ty.bits()));
    let by = |positions: u32| u64::from(8 * positions);
    match position.cmp(&found) {
        std::cmp::Ordering::Equal => [Some(sequence), None],
        std::cmp::Ordering::Greater => {
            [Opcode::Shl, Opcode::Rotl].map(|op| sequence.then(op, ty, Some(by(position - found))))
        }
        std::cmp::Ordering::Less => [
            sequence.then(Opcode::Lshr, ty, Some(by(found - position))),
            sequence.then(Opcode::Rotl, ty, Some(width - by(found - position))),
        ],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Opcode::{And, Bswap, Lshr, Rotl, Shl, Trunc, Zext};
    use Type::{I8, I16, I32, I64};

    fn ops(source: Type, root: Type, wanted: u64) -> Option<Vec<Opcode>> {
        find(source, root, Markers(wanted)).map(|p| p.steps().map(|s| s.op).collect())
    }

    #[test]
    fn one_operation() {
        assert_eq!(ops(I32, I32, 0x0403_0201), Some(vec![]));
        assert_eq!(ops(I32, I32, 0x0102_0304), Some(vec![Bswap]));
        assert_eq!(ops(I64, I64, 0x0102_0304_0506_0708), Some(vec![Bswap]));
        assert_eq!(ops(I32, I32, 0x0302_0104), Some(vec![Rotl]));
        assert_eq!(ops(I32, I32, 0x0201_0000), Some(vec![Shl]));
        assert_eq!(ops(I32, I32, 0x0403), Some(vec![Lshr]));
        assert_eq!(ops(I32, I32, 0x0400_0001), Some(vec![And]));
        assert_eq!(ops(I64, I32, 0x0403_0201), Some(vec![Trunc]));
        assert_eq!(ops(I8, I64, 0x01), Some(vec![Zext]));
    }

    #[test]
    fn two_operations() {
        assert_eq!(ops(I32, I16, 0x0102), Some(vec![Trunc, Rotl]));
        assert_eq!(ops(I64, I32, 0x0102_0304), Some(vec![Trunc, Bswap]));
        assert_eq!(ops(I64, I32, 0x0506_0708), Some(vec![Bswap, Trunc]));
        assert_eq!(ops(I16, I32, 0x0102), Some(vec![Rotl, Zext]));
        assert_eq!(ops(I16, I32, 0x0102_0000), Some(vec![Zext, Bswap]));
        assert_eq!(ops(I32, I32, 0x0102), Some(vec![Bswap, Lshr]));
        assert_eq!(ops(I32, I32, 0x0304_0000), Some(vec![Bswap, Shl]));
        assert_eq!(ops(I32, I32, 0x0304_0102), Some(vec![Bswap, Rotl]));
        assert_eq!(ops(I32, I32, 0x0100_0304), Some(vec![Bswap, And]));
        assert_eq!(ops(I64, I32, 0x0605_0403), Some(vec![Lshr, Trunc]));
    }

    #[test]
    fn no_sequence() {
        // A byte twice, an order that is neither, an unknown byte, only zeros.
        for wanted in [0x0101, 0x0403_0102, 0xFF03_0201, 0] {
            assert_eq!(ops(I32, I32, wanted), None, "{wanted:x}");
        }
    }

    #[test]
    fn masks_that_no_instruction_holds_cost_one_more() {
        assert_eq!(find(I64, I64, Markers(0x0807_0605_0403_0200)).unwrap().cost, 1);
        assert_eq!(find(I64, I64, Markers(0x0007_0605_0403_0200)).unwrap().cost, 2);
        assert_eq!(find(I32, I32, Markers(0x0400_0201)).unwrap().cost, 1);
    }
}

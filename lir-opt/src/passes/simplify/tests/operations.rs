//! Operations in 256 lanes at once.
//!
//! Operations are implemented here a second time, so that the compiler vectorizes the loops: for bytes the operations
//! of many rules, for other types the operations of the few rules that have 2^32 tuples there. Tests compare them with
//! the semantics: for bytes with all operands, for words with special operands.

use super::samples::special;
use lir_syntax::ir::{IntCC, Opcode, Type};
use lir_syntax::semantics::eval;

/// The values of one byte.
pub const LANES: usize = 256;

pub type Bytes = [u8; LANES];
/// Values of any integer type.
pub type Words = [u64; LANES];

/// Puts the results of an operation into `out`.
fn in_lanes<T: Copy>(x: &[T; LANES], y: &[T; LANES], out: &mut [T; LANES], f: impl Fn(T, T) -> T) -> bool {
    out.iter_mut().zip(x).zip(y).for_each(|((out, x), y)| *out = f(*x, *y));
    true
}

/// Puts the selected values into `out`.
pub fn select<T: Copy + PartialEq + Default>([c, x, y]: [&[T; LANES]; 3], out: &mut [T; LANES]) {
    let lanes = out.iter_mut().zip(c).zip(x).zip(y);
    lanes.for_each(|(((out, c), x), y)| *out = if *c != T::default() { *x } else { *y });
}

/// Puts the results of an operation on bytes into `out`; whether it is one that is written here.
pub fn operate_on_bytes(op: Opcode, aux: u8, x: &Bytes, y: &Bytes, out: &mut Bytes) -> bool {
    match op {
        Opcode::Add => in_lanes(x, y, out, u8::wrapping_add),
        Opcode::Sub => in_lanes(x, y, out, u8::wrapping_sub),
        Opcode::And => in_lanes(x, y, out, |x, y| x & y),
        Opcode::Or => in_lanes(x, y, out, |x, y| x | y),
        Opcode::Xor => in_lanes(x, y, out, |x, y| x ^ y),
        Opcode::Icmp => match IntCC::from_u8(aux) {
            IntCC::Eq => in_lanes(x, y, out, |x, y| u8::from(x == y)),
            IntCC::Ne => in_lanes(x, y, out, |x, y| u8::from(x != y)),
            IntCC::Ult => in_lanes(x, y, out, |x, y| u8::from(x < y)),
            IntCC::Ule => in_lanes(x, y, out, |x, y| u8::from(x <= y)),
            IntCC::Ugt => in_lanes(x, y, out, |x, y| u8::from(x > y)),
            IntCC::Uge => in_lanes(x, y, out, |x, y| u8::from(x >= y)),
            IntCC::Slt => in_lanes(x, y, out, |x, y| u8::from((x as i8) < y as i8)),
            IntCC::Sle => in_lanes(x, y, out, |x, y| u8::from(x as i8 <= y as i8)),
            IntCC::Sgt => in_lanes(x, y, out, |x, y| u8::from(x as i8 > y as i8)),
            IntCC::Sge => in_lanes(x, y, out, |x, y| u8::from(x as i8 >= y as i8)),
        },
        _ => false,
    }
}

/// Puts the results of an operation on words into `out`; whether it is one that is written here and none traps.
pub fn operate_on_words(op: Opcode, ty: Type, aux: u8, [x, y]: [&Words; 2], out: &mut Words) -> bool {
    let w = ty.as_word();
    let (mask, width) = (w.mask(), u64::from(ty.bits()));
    let signed = |x: u64| w.sign_extend(x);
    match op {
        Opcode::Add => in_lanes(x, y, out, |x, y| x.wrapping_add(y) & mask),
        Opcode::Sub => in_lanes(x, y, out, |x, y| x.wrapping_sub(y) & mask),
        Opcode::Mul => in_lanes(x, y, out, |x, y| x.wrapping_mul(y) & mask),
        Opcode::And => in_lanes(x, y, out, |x, y| x & y),
        Opcode::Or => in_lanes(x, y, out, |x, y| x | y),
        Opcode::Xor => in_lanes(x, y, out, |x, y| x ^ y),
        Opcode::Icmp => match IntCC::from_u8(aux) {
            IntCC::Eq => in_lanes(x, y, out, |x, y| u64::from(x == y)),
            IntCC::Ne => in_lanes(x, y, out, |x, y| u64::from(x != y)),
            IntCC::Ult => in_lanes(x, y, out, |x, y| u64::from(x < y)),
            IntCC::Ule => in_lanes(x, y, out, |x, y| u64::from(x <= y)),
            IntCC::Ugt => in_lanes(x, y, out, |x, y| u64::from(x > y)),
            IntCC::Uge => in_lanes(x, y, out, |x, y| u64::from(x >= y)),
            IntCC::Slt => in_lanes(x, y, out, |x, y| u64::from(signed(x) < signed(y))),
            IntCC::Sle => in_lanes(x, y, out, |x, y| u64::from(signed(x) <= signed(y))),
            IntCC::Sgt => in_lanes(x, y, out, |x, y| u64::from(signed(x) > signed(y))),
            IntCC::Sge => in_lanes(x, y, out, |x, y| u64::from(signed(x) >= signed(y))),
        },
        Opcode::Shl => in_lanes(x, y, out, |x, y| x << (y % width) & mask),
        Opcode::Lshr => in_lanes(x, y, out, |x, y| x >> (y % width)),
        Opcode::Ashr => in_lanes(x, y, out, |x, y| (signed(x) >> (y % width)) as u64 & mask),
        Opcode::Bswap => in_lanes(x, x, out, |x, _| x.swap_bytes() >> (64 - width)),
        Opcode::Zext => in_lanes(x, x, out, |x, _| x),
        Opcode::Sext => {
            let mask = Type::from_u8(aux).as_word().mask();
            in_lanes(x, x, out, |x, _| signed(x) as u64 & mask)
        }
        Opcode::Trunc => {
            let mask = Type::from_u8(aux).as_word().mask();
            in_lanes(x, x, out, |x, _| x & mask)
        }
        // Of numbers of 16 bits, the quotient as a float is nearer to the exact one than that is to an integer above.
        Opcode::Udiv if ty == Type::I16 && !y.contains(&0) => {
            in_lanes(x, y, out, |x, y| (x as i32 as f32 / y as i32 as f32) as i32 as u64)
        }
        Opcode::Sdiv if ty == Type::I16 && y.iter().all(|y| signed(*y) > 0) => {
            in_lanes(x, y, out, |x, y| (signed(x) as i32 as f32 / y as i32 as f32) as i32 as u64 & mask)
        }
        _ => false,
    }
}

#[test]
fn operations_on_bytes_are_those_of_the_semantics() {
    let all: Bytes = std::array::from_fn(|x| x as u8);
    let mut written = 0;
    for (op, aux) in Opcode::ALL.iter().flat_map(|op| (0..10).map(move |aux| (*op, aux))) {
        for y in 0..=u8::MAX {
            let mut out = [0; LANES];
            if !operate_on_bytes(op, aux, &all, &[y; LANES], &mut out) {
                break;
            }
            written += 1;
            for (x, out) in out.iter().enumerate() {
                let right = eval(op, Type::I8.as_word(), aux, [x as u64, u64::from(y), 0]);
                assert_eq!(right, Ok(u64::from(*out)), "{op:?} {aux} {x} {y}");
            }
        }
    }
    assert_eq!(written, (5 * 10 + 10) * LANES);
    for c in 0..=u8::MAX {
        let mut out = [0; LANES];
        select([&[c; LANES], &[1; LANES], &[2; LANES]], &mut out);
        let right = eval(Opcode::Select, Type::I8.as_word(), 0, [u64::from(c), 1, 2]);
        assert_eq!(right, Ok(u64::from(out[0])));
    }
}

#[test]
fn operations_on_words_are_those_of_the_semantics() {
    let mut written = 0;
    let ints = [Type::I8, Type::I16, Type::I32, Type::I64];
    for (op, ty) in Opcode::ALL.iter().flat_map(|op| ints.map(|ty| (*op, ty))) {
        let auxes = match op {
            Opcode::Zext | Opcode::Sext | Opcode::Trunc => ints.map(|to| to as u8).to_vec(),
            Opcode::Icmp => IntCC::ALL.iter().map(|cc| *cc as u8).collect(),
            _ => vec![0],
        };
        for aux in auxes {
            let values = special(ty);
            for (y, x) in values.iter().flat_map(|y| values.chunks(LANES).map(move |x| (*y, x))) {
                let lanes = std::array::from_fn(|k| x[k % x.len()]);
                let mut out = [0; LANES];
                if !operate_on_words(op, ty, aux, [&lanes, &[y; LANES]], &mut out) {
                    break;
                }
                written += 1;
                for (x, out) in lanes.iter().zip(out) {
                    assert_eq!(eval(op, ty.as_word(), aux, [*x, y, 0]), Ok(out), "{op:?} {ty} {aux} {x} {y}");
                }
            }
        }
    }
    assert!(written > 10_000, "{written}");
}

#[test]
fn quotients_of_16_bits_are_right_at_the_ends_of_every_step() {
    for divisor in 1..=u64::from(u16::MAX) {
        let starts: Vec<u64> = (0..=u64::from(u16::MAX) / divisor).map(|q| q * divisor).collect();
        for starts in starts.chunks(LANES / 4) {
            let of = |k: usize| starts[k / 4 % starts.len()];
            // For each step, its first number and the one before, and both negated.
            let x =
                std::array::from_fn(|k| [of(k), of(k).wrapping_sub(1), of(k).wrapping_neg(), !of(k)][k % 4] & 0xFFFF);
            for op in [Opcode::Udiv, Opcode::Sdiv] {
                let mut out = [0; LANES];
                if !operate_on_words(op, Type::I16, 0, [&x, &[divisor; LANES]], &mut out) {
                    continue;
                }
                for (x, out) in x.iter().zip(out) {
                    assert_eq!(eval(op, Type::I16.as_word(), 0, [*x, divisor, 0]), Ok(out), "{op:?} {x} {divisor}");
                }
            }
        }
    }
}

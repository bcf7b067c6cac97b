//! Integers of all widths, floating-point numbers, and primes by 128-bit products.

use std::fmt::Write as _;

pub fn integers() -> String {
    let mut out = String::new();
    for x in [0i8, 1, -1, 100, i8::MIN, i8::MAX] {
        let (sum, overflow) = x.overflowing_add(50);
        let parts = (x.checked_neg(), x.saturating_mul(3), x.wrapping_shl(9), x.rem_euclid(7), x.unsigned_abs());
        write!(out, "{sum}{overflow}{parts:?}").unwrap();
    }
    for x in [1u16, 0x8001, 300] {
        write!(out, " {} {} {:#06x} {:?}", x.leading_zeros(), x.rotate_left(5), x.swap_bytes(), x.checked_pow(2)).unwrap();
    }
    for x in [i64::MIN, -1, 1 << 40] {
        write!(out, " {:?} {:?} {} {}", x.checked_div(-1), x.checked_abs(), x.trailing_zeros(), x.isqrt_or_zero()).unwrap();
    }
    write!(out, " {:?} {:?}", "-129".parse::<i8>().map_err(|e| e.to_string()), u32::from_str_radix("zz", 36)).unwrap();
    out
}

trait Root {
    fn isqrt_or_zero(self) -> i64;
}

impl Root for i64 {
    fn isqrt_or_zero(self) -> i64 {
        self.checked_isqrt().unwrap_or(0)
    }
}

pub fn wide() -> String {
    let mut out = String::new();
    let (mut a, mut b) = (1u128, 1u128);
    while let Some(c) = a.checked_add(b) {
        (a, b) = (b, c);
    }
    write!(out, "{a} {:#x} ", b >> 3).unwrap();
    let factorial = (1..=33i128).product::<i128>();
    write!(out, "{factorial} {} {} ", -factorial / 1_000_003, factorial % -1_000_003).unwrap();
    write!(out, "{:?} {:?} ", factorial.checked_mul(40), u128::MAX.overflowing_mul(a)).unwrap();
    write!(out, "{} {} {} ", b.leading_zeros(), b.count_ones(), b.rotate_right(77)).unwrap();
    write!(out, "{:e} {} {} ", a as f64, -1.5e30f64 as i128, f32::MAX as u128).unwrap();
    write!(out, "{:?} {:?}", "-170141183460469231731687303715884105728".parse::<i128>(), a.cmp(&b)).unwrap();
    out
}

pub fn floats() -> String {
    let mut out = String::new();
    for x in [0.1f64, -0.0, 1e300, f64::NAN, f64::INFINITY, 2.5, 5e-324] {
        let (y, z) = ((x as f32), x as i32);
        write!(out, "{x} {y:?} {z} {:.2} {:?} {:e}; ", x.sqrt(), x.max(1.0), x * 3.0).unwrap();
    }
    let series: f32 = (1..200).map(|k| if k % 2 == 0 { -1.0 / k as f32 } else { 1.0 / k as f32 }).sum();
    write!(out, "{series} {:?} {:?} ", "1e-7".parse::<f32>(), "x".parse::<f64>().is_err()).unwrap();
    let angles: Vec<f64> = (0..4).map(|k| (f64::from(k) * 0.7).sin().mul_add(2.0, 1.0)).collect();
    write!(out, "{angles:.6?} {} {} {}", 2.5f64.round(), (-2.5f64).floor(), 7.9f64.trunc()).unwrap();
    write!(out, " {} {} {}", 300.7f32 as u8, -5.0f64 as u64, u64::MAX as f32).unwrap();
    out
}

fn power(mut base: u64, mut exponent: u64, modulus: u64) -> u64 {
    let product = |a: u64, b: u64| (u128::from(a) * u128::from(b) % u128::from(modulus)) as u64;
    let mut result = 1;
    while exponent > 0 {
        if exponent & 1 == 1 {
            result = product(result, base);
        }
        base = product(base, base);
        exponent >>= 1;
    }
    result
}

/// Says whether a number is prime, by the test of Miller and Rabin.
fn is_prime(n: u64) -> bool {
    const WITNESSES: [u64; 12] = [2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37];
    if n < 2 || WITNESSES.iter().any(|&p| n != p && n % p == 0) {
        return false;
    }
    let shift = (n - 1).trailing_zeros();
    let odd = (n - 1) >> shift;
    WITNESSES.iter().filter(|&&a| a < n).all(|&a| {
        let mut x = power(a, odd, n);
        x == 1 || (0..shift).any(|_| {
            let done = x == n - 1;
            x = (u128::from(x) * u128::from(x) % u128::from(n)) as u64;
            done
        })
    })
}

pub fn primes() -> String {
    let mut sieve = vec![true; 20_000];
    for i in 2..sieve.len() {
        if sieve[i] {
            sieve.iter_mut().skip(i * i).step_by(i).for_each(|s| *s = false);
        }
    }
    let small = (2..20_000u64).filter(|&n| sieve[n as usize]).count();
    let agree = (2..20_000u64).all(|n| is_prime(n) == sieve[n as usize]);
    let large: Vec<u64> = (u64::MAX - 300..=u64::MAX).filter(|&n| is_prime(n)).collect();
    format!("{small} {agree} {large:?}")
}

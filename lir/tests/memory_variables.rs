//! Variables in memory of the user's, arguments on the stack, integers of 32 bits, and jumps that are written by hand.

use lir::asm::variables::{Callee, Float, Function, Int, MemoryLocation, Switches};
use lir::asm::{Assembler, Label, Link, LinkedCode};

fn function() -> Function {
    Function::begin(Assembler::new())
}

fn link(f: &Function) -> (LinkedCode, Label) {
    let (assembler, entry) = f.end();
    (assembler.link().unwrap(), entry)
}

/// The sum of the elements before `n`, kept in the element at `n`, with a loop of labels under all switches.
#[test]
fn captured_registers_are_restored_where_jumps_lead() {
    for bits in 0..Switches::COUNT {
        let f = Function::begin_with(Assembler::new(), Switches::from_bits(bits));
        let (p, n) = (f.int_argument(0), f.int_argument(1));
        let many: Vec<Int<'_>> = (0..20).map(|k| &n + k).collect();
        let mut sum = f.int_at(MemoryLocation::of(&p).index(&n, 8));
        sum.set(0);
        let (mut i, mut others) = (f.int(0), f.int(0));
        let before = f.capture();
        let [top, even] = f.append([], [], |a, [], []| [a.here(), a.label()]);
        sum += &f.int_at(MemoryLocation::of(&p).index(&i, 8));
        f.append([], [&i], |a, [], [i]| a.test(i, 1));
        let at_jump = f.capture();
        f.append([], [], |a, [], []| a.je(even));
        f.spill_all();
        others += &many[7];
        f.restore(&at_jump);
        f.append([], [], |a, [], []| a.bind(even));
        i += 1;
        f.append([], [&i, &n], |a, [], [i, n]| a.cmp(i, n));
        f.restore(&before);
        f.append([], [], |a, [], []| a.jl(top));
        f.ret(&others + &many[19]);
        let (code, entry) = link(&f);
        drop((p, n, many, sum, i, others));
        // SAFETY: it is such a function, and the elements are there.
        let f: extern "C" fn(*mut i64, i64) -> i64 = unsafe { code.function(entry) };
        let mut elements = [1, 20, 300, 4000, 50000, -1];
        // Two of 0 to 4 are odd, and add 5 + 7 each.
        assert_eq!(f(elements.as_mut_ptr(), 5), 2 * (5 + 7) + 5 + 19, "{bits:b}");
        assert_eq!(elements, [1, 20, 300, 4000, 50000, 54321], "{bits:b}");
    }
}

#[test]
fn variables_live_at_addresses_of_the_user() {
    let (mut number, mut half, mut small) = (40i64, 2.5f64, [7i32, -1]);
    let f = function();
    let (by, p) = (f.int_argument(0), f.int_argument(1));
    let mut at = f.int_at(MemoryLocation::at(&raw mut number as u64));
    let mut float: Float<'_> = f.float_at(MemoryLocation::at(&raw mut half as u64));
    let mut low = f.int32_at(MemoryLocation::of(&p));
    at += &by;
    float *= 2.0;
    low -= 8;
    // The callee sees the values of the variables.
    extern "C" fn seen(number: *const i64, small: *const i32) -> i64 {
        // SAFETY: the addresses belong to variables of the test.
        unsafe { *number * 1000 + i64::from(*small) }
    }
    let address = f.int(&raw mut number as i64);
    let sum = f.call(Callee::Address(seen as *const () as u64), &[&address, &p]);
    at += 1;
    drop((at, float, low));
    f.ret(&sum);
    let (code, entry) = link(&f);
    // SAFETY: it is such a function, and the variables live.
    let f: extern "C" fn(i64, *mut i32) -> i64 = unsafe { code.function(entry) };
    assert_eq!(f(2, small.as_mut_ptr()), 42 * 1000 - 1);
    assert_eq!((number, half, small), (43, 5.0, [-1, -1]));
}

#[test]
fn arguments_after_the_registers_are_on_the_stack() {
    extern "C" fn digits(a: i64, b: i64, c: i64, d: i64, e: i64, f: i64, g: i64, h: i64, i: i64) -> i64 {
        [a, b, c, d, e, f, g, h, i].into_iter().fold(0, |n, d| 10 * n + d)
    }
    for count in [8usize, 9] {
        let f = function();
        let mut arguments: Vec<Int<'_>> = (0..6).map(|k| f.int_argument(k)).collect();
        arguments.extend((0..count as u16 - 6).map(|k| f.int_on_stack(k)));
        if count == 8 {
            arguments.push(f.int(9));
        }
        let all: Vec<&dyn lir::asm::variables::Argument> = arguments.iter().map(|v| v as _).collect();
        let number = f.call(Callee::Address(digits as *const () as u64), &all);
        f.ret(number + &arguments[7]);
        let (code, entry) = link(&f);
        // SAFETY: it is such a function; it does not read the ninth argument if it has eight.
        let f: extern "C" fn(i64, i64, i64, i64, i64, i64, i64, i64, i64) -> i64 = unsafe { code.function(entry) };
        assert_eq!(f(1, 2, 3, 4, 5, 6, 7, 8, 9), 123_456_789 + 8);
    }
}

#[test]
fn floats_are_passed_on_the_stack() {
    extern "C" fn last(a: f64, b: f64, c: f64, d: f64, e: f64, f: f64, g: f64, h: f64, i: f64) -> f64 {
        a + b + c + d + e + f + g + h + 10.0 * i
    }
    let f = function();
    let floats: Vec<Float<'_>> = (0..8).map(|k| f.float_argument(k)).collect();
    let ninth = f.float_on_stack(0);
    let mut all: Vec<&dyn lir::asm::variables::Argument> = floats.iter().map(|v| v as _).collect();
    all.push(&ninth);
    f.ret(f.call_float(Callee::Address(last as *const () as u64), &all) + &ninth);
    let (code, entry) = link(&f);
    // SAFETY: it is such a function.
    let f: extern "C" fn(f64, f64, f64, f64, f64, f64, f64, f64, f64) -> f64 = unsafe { code.function(entry) };
    assert_eq!(f(1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 0.5), 36.0 + 5.0 + 0.5);
}

#[test]
fn integers_of_32_bits_wrap_there() {
    let f = function();
    let (mut a, b) = (f.int32_argument(0), f.int32_argument(1));
    a += i32::MAX;
    let mut wide = (&a / &b).to_int();
    wide += &(a % 1000).to_int();
    f.if_(b.lt(-1), || wide.set(-1));
    f.ret(wide.to_int32().to_int());
    let (code, entry) = link(&f);
    drop((b, wide));
    // SAFETY: it is such a function.
    let f: extern "C" fn(i32, i32) -> i64 = unsafe { code.function(entry) };
    for (a, b) in [(1, 1), (5, 7), (-3, 100), (7, -1), (0, -2)] {
        let sum = i32::wrapping_add(a, i32::MAX);
        let right = if b < -1 { -1 } else { i64::from(sum.wrapping_div(b)) + i64::from(sum % 1000) };
        if (sum, b) != (i32::MIN, -1) {
            assert_eq!(f(a, b), i64::from(right as i32), "{a} {b}");
        }
    }
}

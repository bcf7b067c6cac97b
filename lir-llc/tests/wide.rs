//! Integers of 128 bits between C's `__int128` and LIR, in both directions.

use crate::aggregates::checks_hold;

/// The options of `lir-llc` that the LIR module is compiled with.
const MODES: [&[&str]; 7] = [
    &["-O0"],
    &["-O2"],
    &["-O0", "--codegen=fast"],
    &["-O2", "--regs=4"],
    &["-O0", "--regalloc-stress=spill"],
    &["-O2", "--regalloc=fast"],
    &["-O2", "--regalloc=bottom-up"],
];

/// `c_*` are called by LIR, `l_*` by C. In `late` the first i128 is in memory, since one register is left, which the
/// argument after it takes; the second one is at a multiple of 16 after a word.
const C: &str = "
#include <stdint.h>
typedef __int128 i128;
typedef unsigned __int128 u128;
typedef struct { int8_t tag; i128 n; } tagged;
typedef struct { i128 n; } boxed;
extern const i128 l_limit;

i128 c_late(int64_t a, int64_t b, int64_t c, int64_t d, int64_t e, i128 x, int64_t f, int64_t g, i128 y, int32_t h) {
  return a + 2*b + 3*c + 4*d + 5*e + 6*x + 7*f + 8*g + 9*y + 10*h;
}
i128 c_twice(i128 x) { return 2 * x; }
tagged c_tagged(tagged t) { t.tag++; t.n -= 1; return t; }
boxed c_boxed(boxed b) { b.n = ~b.n; return b; }

i128 l_late(int64_t, int64_t, int64_t, int64_t, int64_t, i128, int64_t, int64_t, i128, int32_t);
i128 l_via_c(i128 x, i128 y);
i128 l_through(i128 (*f)(i128), i128 x);
tagged l_tagged(tagged t);
boxed l_boxed(boxed b);
i128 l_sdiv(i128, i128), l_srem(i128, i128);
u128 l_udiv(u128, u128), l_urem(u128, u128);

#define CHECK(n, e) if (!(e)) return n
int main(void) {
  i128 big = ((i128)0x0123456789abcdef << 64) | 0xfedcba9876543210, small = -5;
  CHECK(1, l_late(1, 2, 3, 4, 5, big, 6, 7, small, -8) == c_late(1, 2, 3, 4, 5, big, 6, 7, small, -8));
  CHECK(2, l_via_c(big, small) == c_late(1, 2, 3, 4, 5, big, 6, 7, small, 9));
  CHECK(3, l_through(c_twice, big) == 2 * big + 1);
  tagged t = { 3, big };
  t = l_tagged(t);
  CHECK(4, t.tag == 5 && t.n == big - 2);
  boxed b = { big };
  CHECK(5, l_boxed(b).n == ~big - 1);
  CHECK(6, l_sdiv(big, small) == big / small && l_srem(-big, 7) == -big % 7);
  CHECK(7, l_udiv(-big, 10) == (u128)-big / 10 && l_urem(-big, 10) == (u128)-big % 10);
  CHECK(8, l_limit == (i128)1 << 100 && (uintptr_t)&l_limit % 16 == 0);
  return 0;
}
";

const LIR: &str = "
type :tagged = { i8, i128 }
type :boxed = { i128 }
const data @l_limit = { i128 1267650600228229401496703205376 }

extern func @c_late(i64, i64, i64, i64, i64, i128, i64, i64, i128, i32) -> i128
extern func @c_tagged(:tagged) -> :tagged
extern func @c_boxed(:boxed) -> :boxed

func @l_late(%a: i64, %b: i64, %c: i64, %d: i64, %e: i64, %x: i128, %f: i64, %g: i64, %y: i128, %h: i32) -> i128 {
entry:
  %b = mul i64 %b, 2
  %c = mul i64 %c, 3
  %d = mul i64 %d, 4
  %e = mul i64 %e, 5
  %f = mul i64 %f, 7
  %g = mul i64 %g, 8
  %s = add i64 %a, %b
  %s = add i64 %s, %c
  %s = add i64 %s, %d
  %s = add i64 %s, %e
  %s = add i64 %s, %f
  %s = add i64 %s, %g
  %h = mul i32 %h, 10
  %t = sext i64 %s to i128
  %u = sext i32 %h to i128
  %x = mul i128 %x, 6
  %y = mul i128 %y, 9
  %r = add i128 %t, %u
  %r = add i128 %r, %x
  %r = add i128 %r, %y
  ret %r
}
func @l_via_c(%x: i128, %y: i128) -> i128 {
entry:
  %r = call i128 @c_late(1, 2, 3, 4, 5, %x, 6, 7, %y, 9)
  ret %r
}
func @l_through(%f: i64, %x: i128) -> i128 {
entry:
  %y = call i128 %f(i128 %x)
  %y = add i128 %y, 1
  ret %y
}
func @l_tagged($t: :tagged) -> :tagged {
entry:
  call :tagged [$t], @c_tagged(:tagged [$t])
  %n = load i128 [$t + 16]
  %n = sub i128 %n, 1
  store i128 [$t + 16], %n
  %k = load i8 [$t]
  %k = add i8 %k, 1
  store i8 [$t], %k
  ret :tagged [$t]
}
func @l_boxed($b: :boxed) -> :boxed {
entry:
  call :boxed [$b], @c_boxed(:boxed [$b])
  %n = load i128 [$b]
  %n = sub i128 %n, 1
  store i128 [$b], %n
  ret :boxed [$b]
}
func @l_sdiv(%a: i128, %b: i128) -> i128 {
entry:
  %r = sdiv i128 %a, %b
  ret %r
}
func @l_srem(%a: i128, %b: i128) -> i128 {
entry:
  %r = srem i128 %a, %b
  ret %r
}
func @l_udiv(%a: i128, %b: i128) -> i128 {
entry:
  %r = udiv i128 %a, %b
  ret %r
}
func @l_urem(%a: i128, %b: i128) -> i128 {
entry:
  %r = urem i128 %a, %b
  ret %r
}
";

#[test]
fn integers_of_128_bits_go_between_c_and_lir() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path();
    std::fs::write(path.join("c.c"), C).expect("c.c");
    std::fs::write(path.join("lir.lir"), LIR).expect("lir.lir");
    checks_hold(path, &MODES);
}

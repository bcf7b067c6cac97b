target triple = "x86_64-unknown-linux-gnu"

; `if (use) return x + 1;` after LLVM's passes: the sum is computed before the test, and its result is ignored where
; it overflows.
define i32 @speculated(i32 %x, i1 %use) {
  %y = add nsw i32 %x, 1
  %z = select i1 %use, i32 %y, i32 0
  ret i32 %z
}

define i64 @all(i64 %a, i64 %b, i32 %c, i24 %n) {
  %1 = sub nuw nsw i64 %a, %b
  %2 = mul nsw i64 %1, 3
  %3 = shl nuw i64 %2, 2
  %4 = sdiv exact i64 %3, 4
  %5 = lshr exact i64 %4, 1
  %6 = or disjoint i64 %5, 1
  %7 = add nsw i24 %n, 1
  %8 = zext i24 %7 to i64
  %9 = xor i64 %6, %8
  ret i64 %9
}

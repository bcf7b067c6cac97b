; An i128 is in two registers or on the stack, never in both; narrow integers are extended by their attributes.

define i64 @sixth(i32 %a, i32 %b, i32 %c, i32 %d, i32 %e, i128 %x, i64 %f) {
  %low = trunc i128 %x to i64
  %sum = add i64 %low, %f
  ret i64 %sum
}

define i64 @on_the_stack(i32 %a, i32 %b, double %z, i32 %c, i32 %d, i32 %e, i32 %f, i32 %g, i128 %x) {
  %high = lshr i128 %x, 64
  %low = trunc i128 %high to i64
  ret i64 %low
}

define i64 @calls(i128 %x) {
  %1 = call i64 @sixth(i32 1, i32 2, i32 3, i32 4, i32 5, i128 %x, i64 6)
  %2 = call i64 @on_the_stack(i32 1, i32 2, double 0.0, i32 3, i32 4, i32 5, i32 6, i32 7, i128 %x)
  %3 = call i64 (i32, ...) @variable(i32 1, i128 %x, i128 %x, i128 %x)
  %4 = call i64 @by_value(ptr byval(i128) align 8 null)
  ret i64 %3
}

define signext i24 @signs(i24 signext %a, i5 signext %b, i32 %c) {
  %1 = call signext i24 @signs(i24 signext %a, i5 signext %b, i32 %c)
  %2 = call signext i48 @more_signs(i48 signext -5, i7 zeroext 9, i1 signext true)
  ret i24 %1
}
declare signext i48 @more_signs(i48 signext, i7 zeroext, i1 signext)
declare i64 @variable(i32, ...)
declare i64 @by_value(ptr byval(i128) align 8)

define internal i64 @private(<8 x i64> %v, i128 %x) {
  %1 = trunc i128 %x to i64
  ret i64 %1
}

define i64 @calls_private(i128 %x) {
  %1 = call i64 @private(<8 x i64> zeroinitializer, i128 %x)
  ret i64 %1
}

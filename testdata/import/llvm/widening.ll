; Sign extensions of sums that do not overflow become sums in 64 bits, where they make addresses.

define i32 @stencil(ptr %a, i32 %i, i32 %n) {
  %below = sub nsw i32 %i, 1
  %x = sext i32 %below to i64
  %p = getelementptr i32, ptr %a, i64 %x
  %row = mul nsw i32 %i, %n
  %cell = add nsw i32 %row, 2
  %y = sext i32 %cell to i64
  %q = getelementptr i32, ptr %a, i64 %y
  %u = load i32, ptr %p
  %v = load i32, ptr %q
  %s = add nsw i32 %u, %v
  ret i32 %s
}

; The sum has another use, in 32 bits.
define i32 @used(ptr %a, i32 %i) {
  %next = add nsw i32 %i, 1
  %x = sext i32 %next to i64
  %p = getelementptr i32, ptr %a, i64 %x
  store i32 %next, ptr %p
  ret i32 %next
}

; A sum that may wrap, and a sum that is not an index, stay.
define i64 @wrapping(ptr %a, i32 %i) {
  %next = add i32 %i, 1
  %x = sext i32 %next to i64
  %p = getelementptr i8, ptr %a, i64 %x
  store i8 0, ptr %p
  %sum = add nsw i32 %i, 7
  %y = sext i32 %sum to i64
  ret i64 %y
}

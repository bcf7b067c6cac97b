; Integers of more than 64 bits are kept in limbs of 64 bits.

define i128 @arithmetic(i128 %a, i128 %b) {
  %1 = add i128 %a, %b
  %2 = sub i128 %1, 5
  %3 = mul i128 %2, %b
  %4 = xor i128 %3, -1
  %5 = shl i128 %4, 70
  %6 = ashr i128 %5, 3
  %7 = or i128 %6, 170141183460469231731687303715884105727
  ret i128 %7
}

define i72 @fields(ptr %p, i64 %x) {
  %1 = load i72, ptr %p, align 8
  %2 = and i72 %1, -4722366482869645205505
  %3 = zext i64 %x to i72
  %4 = shl i72 %3, 8
  %5 = or i72 %2, %4
  store i72 %5, ptr %p, align 8
  %6 = lshr i72 %5, 65
  ret i72 %6
}

define i64 @narrowed(i136 %a, i7 %b, i128 %n) {
  %1 = sext i7 %b to i136
  %2 = icmp slt i136 %a, %1
  %3 = icmp eq i136 %a, %1
  %4 = or i1 %2, %3
  %5 = select i1 %4, i136 %a, i136 %1
  %6 = trunc i136 %5 to i128
  %7 = udiv i128 %6, %n
  %8 = lshr i128 %7, %n
  %9 = icmp ult i128 %8, %7
  %10 = freeze i128 %8
  %11 = trunc i128 %10 to i64
  %12 = zext i1 %9 to i64
  %13 = add i64 %11, %12
  ret i64 %13
}

define void @positive(ptr %p) {
  %a = load i256, ptr %p
  %1 = and i256 %a, 340282366920938463463374607431768211455
  store i256 %1, ptr %p
  ret void
}

define void @product(ptr %p, ptr %q) {
  %a = load i256, ptr %p
  %b = load i256, ptr %q
  %1 = mul i256 %a, %b
  store i256 %1, ptr %p
  ret void
}

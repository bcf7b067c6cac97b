; Integers of other widths than LIR's: the upper bits of the register are 0.

define i24 @ops(i24 %a, i24 %b) {
  %sum = add i24 %a, %b
  %quotient = sdiv i24 %sum, %b
  %shifted = ashr i24 %quotient, 3
  %less = icmp slt i24 %shifted, %a
  %wide = zext i1 %less to i24
  %all = or i24 %shifted, %wide
  %low = lshr i24 %all, 1
  ret i24 %low
}

define i64 @extended(i5 %a, i1 zeroext %b) {
  %1 = sext i5 %a to i64
  %2 = sext i1 %b to i64
  %3 = mul i64 %1, %2
  %4 = trunc i64 %3 to i17
  %5 = sext i17 %4 to i64
  ret i64 %5
}

define void @memory(ptr %p, ptr %q) {
  %a = load i24, ptr %p, align 4
  store i24 %a, ptr %q, align 4
  %b = load i1, ptr %p, align 1
  store i1 %b, ptr %q, align 1
  %c = load i56, ptr %p, align 8
  store i56 %c, ptr %q, align 8
  %d = load i37, ptr %p, align 8
  store i37 %d, ptr %q, align 8
  ret void
}

define i32 @bits(i7 %a, i33 %b) {
  %1 = call i7 @llvm.ctlz.i7(i7 %a, i1 false)
  %2 = call i7 @llvm.fshl.i7(i7 %a, i7 %1, i7 9)
  %3 = call i33 @llvm.cttz.i33(i33 %b, i1 false)
  %4 = call { i33, i1 } @llvm.sadd.with.overflow.i33(i33 %b, i33 %3)
  %5 = extractvalue { i33, i1 } %4, 1
  %6 = call i7 @llvm.sadd.sat.i7(i7 %a, i7 %2)
  %7 = sext i7 %6 to i32
  %8 = zext i1 %5 to i32
  %9 = add i32 %7, %8
  ret i32 %9
}

declare i7 @llvm.ctlz.i7(i7, i1)
declare i7 @llvm.fshl.i7(i7, i7, i7)
declare i33 @llvm.cttz.i33(i33, i1)
declare { i33, i1 } @llvm.sadd.with.overflow.i33(i33, i33)
declare i7 @llvm.sadd.sat.i7(i7, i7)

; Other compilers' functions rely on the extension of narrow parameters and results.
define signext i5 @negative(i5 signext %x, i17 signext %y) {
  %r = call signext i5 @negative(i5 signext -3, i17 signext %y)
  %s = add i5 %r, %x
  ret i5 %s
}

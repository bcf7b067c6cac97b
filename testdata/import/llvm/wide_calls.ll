; Integers of more than 64 bits: conversions by the C runtime, intrinsics, and shifts of two limbs at once.

define double @to_double(i128 %x) {
  %d = sitofp i128 %x to double
  ret double %d
}

define float @to_float(i100 %x) {
  %d = uitofp i100 %x to float
  ret float %d
}

define i128 @from_double(double %x) {
  %i = fptosi double %x to i128
  ret i128 %i
}

define i128 @saturated(float %x) {
  %i = call i128 @llvm.fptoui.sat.i128.f32(float %x)
  ret i128 %i
}

define i128 @shift(i128 %x, i128 %n) {
  %y = ashr i128 %x, %n
  ret i128 %y
}

define i128 @counts(i128 %x) {
  %a = call i128 @llvm.ctlz.i128(i128 %x, i1 false)
  %b = call i128 @llvm.cttz.i128(i128 %x, i1 false)
  %c = call i128 @llvm.ctpop.i128(i128 %x)
  %d = call i128 @llvm.bswap.i128(i128 %x)
  %ab = add i128 %a, %b
  %cd = xor i128 %c, %d
  %all = sub i128 %ab, %cd
  ret i128 %all
}

define i96 @odd(i96 %x, i96 %y) {
  %a = call i96 @llvm.abs.i96(i96 %x, i1 false)
  %b = call i96 @llvm.smax.i96(i96 %a, i96 %y)
  %c = call i96 @llvm.fshl.i96(i96 %b, i96 %x, i96 70)
  %d = call i96 @llvm.bitreverse.i96(i96 %c)
  %e = call i96 @llvm.sadd.sat.i96(i96 %d, i96 %y)
  ret i96 %e
}

; The top limb has one bit: the bound of a saturated sum is 2^64 - 1.
define i65 @one_bit(i65 %x, i65 %y) {
  %s = call i65 @llvm.sadd.sat.i65(i65 %x, i65 %y)
  ret i65 %s
}

define i1 @overflows(i128 %x, i128 %y) {
  %p = call { i128, i1 } @llvm.umul.with.overflow.i128(i128 %x, i128 %y)
  %s = call { i128, i1 } @llvm.sadd.with.overflow.i128(i128 %x, i128 %y)
  %a = extractvalue { i128, i1 } %p, 1
  %b = extractvalue { i128, i1 } %s, 1
  %c = or i1 %a, %b
  ret i1 %c
}

; 2^128 - 1 is positive: its third limb is 0.
define i64 @positive(ptr %p) {
  %x = load i192, ptr %p
  %y = add i192 %x, 340282366920938463463374607431768211455
  %z = lshr i192 %y, 128
  %t = trunc i192 %z to i64
  ret i64 %t
}

declare i128 @llvm.fptoui.sat.i128.f32(float)
declare i128 @llvm.ctlz.i128(i128, i1)
declare i128 @llvm.cttz.i128(i128, i1)
declare i128 @llvm.ctpop.i128(i128)
declare i128 @llvm.bswap.i128(i128)
declare i96 @llvm.abs.i96(i96, i1)
declare i96 @llvm.smax.i96(i96, i96)
declare i96 @llvm.fshl.i96(i96, i96, i96)
declare i96 @llvm.bitreverse.i96(i96)
declare i96 @llvm.sadd.sat.i96(i96, i96)
declare i65 @llvm.sadd.sat.i65(i65, i65)
declare { i128, i1 } @llvm.umul.with.overflow.i128(i128, i128)
declare { i128, i1 } @llvm.sadd.with.overflow.i128(i128, i128)

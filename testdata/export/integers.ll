target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

define i32 @wraps(i32 %a, i32 %b) nobuiltin null_pointer_is_valid {
entry:
  %c = add i32 %a, %b
  %d = mul i32 %c, -3
  %e = sub i32 0, %d
  %f = xor i32 %e, -1
  ret i32 %f
}

define i32 @shifts(i32 %a, i32 %b) nobuiltin null_pointer_is_valid {
entry:
  %.1 = and i32 %b, 31
  %c = shl i32 %a, %.1
  %d = ashr i32 %c, 5
  %e = lshr i32 %d, 5
  %f = call i32 @llvm.fshl.i32(i32 %e, i32 %e, i32 %b)
  %g = call i32 @llvm.fshr.i32(i32 %f, i32 %f, i32 3)
  ret i32 %g
}

define i32 @divides(i32 %a, i32 %b) nobuiltin null_pointer_is_valid {
entry:
  %.1 = icmp eq i32 %b, 0
  br i1 %.1, label %trap.div_by_zero, label %.2
.2:
  %.3 = icmp eq i32 %a, -2147483648
  %.4 = icmp eq i32 %b, -1
  %.5 = and i1 %.3, %.4
  br i1 %.5, label %trap.int_overflow, label %.6
.6:
  %c = sdiv i32 %a, %b
  %.7 = icmp eq i32 %b, 0
  br i1 %.7, label %trap.div_by_zero, label %.8
.8:
  %.9 = icmp eq i32 %b, -1
  %.10 = select i1 %.9, i32 1, i32 %b
  %d = srem i32 %c, %.10
  %e = udiv i32 %d, 10
  %.11 = icmp eq i32 0, 0
  br i1 %.11, label %trap.div_by_zero, label %.12
.12:
  %f = urem i32 %e, 0
  %.13 = icmp eq i32 %f, -2147483648
  %.14 = icmp eq i32 -1, -1
  %.15 = and i1 %.13, %.14
  br i1 %.15, label %trap.int_overflow, label %.16
.16:
  %g = sdiv i32 %f, -1
  ret i32 %g
trap.div_by_zero:
  call void @llvm.trap()
  unreachable
trap.int_overflow:
  call void @llvm.trap()
  unreachable
}

define i16 @bits(i16 %a, i8 %b) nobuiltin null_pointer_is_valid {
entry:
  %c = call i16 @llvm.ctlz.i16(i16 %a, i1 false)
  %d = call i16 @llvm.cttz.i16(i16 %c, i1 false)
  %e = call i16 @llvm.ctpop.i16(i16 %d)
  %f = call i16 @llvm.bswap.i16(i16 %e)
  %g = bitcast i8 %b to i8
  %h = sext i8 %g to i16
  %i = call i16 @llvm.smax.i16(i16 %f, i16 %h)
  ret i16 %i
}

define i64 @wide(i64 %a, i64 %b) nobuiltin null_pointer_is_valid {
entry:
  %.1 = sext i64 %a to i128
  %.2 = sext i64 %b to i128
  %.3 = mul i128 %.1, %.2
  %.4 = lshr i128 %.3, 64
  %c = trunc i128 %.4 to i64
  %.5 = zext i64 %c to i128
  %.6 = zext i64 %b to i128
  %.7 = mul i128 %.5, %.6
  %.8 = lshr i128 %.7, 64
  %d = trunc i128 %.8 to i64
  %.9 = call { i64, i1 } @llvm.smul.with.overflow.i64(i64 %d, i64 %a)
  %.10 = extractvalue { i64, i1 } %.9, 1
  %o = zext i1 %.10 to i8
  %.11 = call { i64, i1 } @llvm.uadd.with.overflow.i64(i64 %d, i64 7)
  %.12 = extractvalue { i64, i1 } %.11, 1
  %p = zext i1 %.12 to i8
  %.13 = icmp ne i8 %o, 0
  %q = select i1 %.13, i64 %c, i64 %d
  %.14 = icmp ne i8 %p, 0
  %r = select i1 %.14, i64 %q, i64 %a
  ret i64 %r
}

declare i16 @llvm.bswap.i16(i16)
declare i16 @llvm.ctlz.i16(i16, i1 immarg)
declare i16 @llvm.ctpop.i16(i16)
declare i16 @llvm.cttz.i16(i16, i1 immarg)
declare i32 @llvm.fshl.i32(i32, i32, i32)
declare i32 @llvm.fshr.i32(i32, i32, i32)
declare i16 @llvm.smax.i16(i16, i16)
declare { i64, i1 } @llvm.smul.with.overflow.i64(i64, i64)
declare void @llvm.trap()
declare { i64, i1 } @llvm.uadd.with.overflow.i64(i64, i64)

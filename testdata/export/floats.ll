target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

define float @constants() nobuiltin null_pointer_is_valid {
entry:
  %a = bitcast float 0x3FB99999A0000000 to float
  %b = bitcast float bitcast (i32 2139095041 to float) to float
  %c = fadd float %a, %b
  ret float %c
}

define double @extremes(double %a, double %b) nobuiltin null_pointer_is_valid {
entry:
  %.1 = fcmp olt double %a, %b
  %.2 = fcmp one double %a, %b
  %.3 = fcmp uno double %a, %b
  %.4 = bitcast double %a to i64
  %.5 = bitcast double %b to i64
  %.6 = or i64 %.4, %.5
  %.7 = bitcast i64 %.6 to double
  %.8 = select i1 %.1, double %a, double %b
  %.9 = select i1 %.2, double %.8, double %.7
  %c = select i1 %.3, double 0x7FF8000000000000, double %.9
  %.10 = fcmp ogt double %c, 0x8000000000000000
  %.11 = fcmp one double %c, 0x8000000000000000
  %.12 = fcmp uno double %c, 0x8000000000000000
  %.13 = bitcast double %c to i64
  %.14 = bitcast double 0x8000000000000000 to i64
  %.15 = and i64 %.13, %.14
  %.16 = bitcast i64 %.15 to double
  %.17 = select i1 %.10, double %c, double 0x8000000000000000
  %.18 = select i1 %.11, double %.17, double %.16
  %d = select i1 %.12, double 0x7FF8000000000000, double %.18
  %e = call double @llvm.copysign.f64(double %d, double %a)
  %f = call double @llvm.fma.f64(double %e, double %a, double %b)
  %g = call double @llvm.sqrt.f64(double %f)
  %h = call double @llvm.roundeven.f64(double %g)
  ret double %h
}

define i64 @to_integers(float %x, double %y) nobuiltin null_pointer_is_valid {
entry:
  %.1 = fcmp olt double %y, 0x41E0000000000000
  %.2 = call i32 @llvm.fptosi.sat.i32.f64(double %y)
  %.3 = select i1 %.1, i32 %.2, i32 -2147483648
  %a = trunc i32 %.3 to i8
  %.4 = fcmp olt float %x, 0x41E0000000000000
  %.5 = call i32 @llvm.fptosi.sat.i32.f32(float %x)
  %.6 = select i1 %.4, i32 %.5, i32 -2147483648
  %b = bitcast i32 %.6 to i32
  %.7 = fcmp olt double %y, 0x43E0000000000000
  %.8 = call i64 @llvm.fptosi.sat.i64.f64(double %y)
  %.9 = select i1 %.7, i64 %.8, i64 -9223372036854775808
  %c = trunc i64 %.9 to i32
  %.10 = fcmp olt float %x, 0x43E0000000000000
  %.11 = call i64 @llvm.fptosi.sat.i64.f32(float %x)
  %.12 = select i1 %.10, i64 %.11, i64 -9223372036854775808
  %.13 = fsub float %x, 0x43E0000000000000
  %.14 = fcmp olt float %.13, 0x43E0000000000000
  %.15 = call i64 @llvm.fptosi.sat.i64.f32(float %.13)
  %.16 = select i1 %.14, i64 %.15, i64 -9223372036854775808
  %.17 = or i64 %.12, %.16
  %.18 = icmp slt i64 %.12, 0
  %d = select i1 %.18, i64 %.17, i64 %.12
  %e = call i16 @llvm.fptosi.sat.i16.f64(double %y)
  %f = call i64 @llvm.fptoui.sat.i64.f32(float %x)
  %a1 = sext i8 %a to i64
  %b1 = sext i32 %b to i64
  %c1 = zext i32 %c to i64
  %e1 = sext i16 %e to i64
  %s = add i64 %a1, %b1
  %s.1 = add i64 %s, %c1
  %s.2 = add i64 %s.1, %d
  %s.3 = add i64 %s.2, %e1
  %s.4 = add i64 %s.3, %f
  ret i64 %s.4
}

define double @from_integers(i8 %a, i64 %b) nobuiltin null_pointer_is_valid {
entry:
  %x = sitofp i8 %a to float
  %y = fpext float %x to double
  %z = uitofp i64 %b to double
  %.1 = fcmp ult double %y, %z
  %c = zext i1 %.1 to i8
  %.2 = icmp ne i8 %c, 0
  %d = select i1 %.2, double %y, double %z
  %e = bitcast double %d to i64
  %f = bitcast i64 %e to double
  %g = fptrunc double %f to float
  %h = fneg float %g
  %i = fpext float %h to double
  ret double %i
}

declare double @llvm.copysign.f64(double, double)
declare double @llvm.fma.f64(double, double, double)
declare i16 @llvm.fptosi.sat.i16.f64(double)
declare i32 @llvm.fptosi.sat.i32.f32(float)
declare i32 @llvm.fptosi.sat.i32.f64(double)
declare i64 @llvm.fptosi.sat.i64.f32(float)
declare i64 @llvm.fptosi.sat.i64.f64(double)
declare i64 @llvm.fptoui.sat.i64.f32(float)
declare double @llvm.roundeven.f64(double)
declare double @llvm.sqrt.f64(double)

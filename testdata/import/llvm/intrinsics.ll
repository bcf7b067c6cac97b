; Intrinsic functions of integers and floats.

define i32 @integers(i32 %a, i32 %b) {
  %1 = call i32 @llvm.smax.i32(i32 %a, i32 %b)
  %2 = call i32 @llvm.abs.i32(i32 %1, i1 true)
  %3 = call i32 @llvm.fshl.i32(i32 %2, i32 %2, i32 5)
  %4 = call i32 @llvm.fshr.i32(i32 %3, i32 %b, i32 %a)
  %5 = call i32 @llvm.bswap.i32(i32 %4)
  %6 = call i32 @llvm.bitreverse.i32(i32 %5)
  %7 = call i32 @llvm.ctpop.i32(i32 %6)
  %8 = call { i32, i1 } @llvm.umul.with.overflow.i32(i32 %7, i32 %a)
  %9 = extractvalue { i32, i1 } %8, 0
  %10 = extractvalue { i32, i1 } %8, 1
  %11 = select i1 %10, i32 -1, i32 %9
  %12 = call i32 @llvm.usub.sat.i32(i32 %11, i32 %b)
  %13 = call i32 @llvm.sshl.sat.i32(i32 %12, i32 3)
  %14 = call i32 @llvm.ctlz.i32(i32 %13, i1 true)
  %15 = call i32 @llvm.expect.i32(i32 %14, i32 0)
  ret i32 %15
}

define double @floats(double %x, float %y) {
  %1 = call double @llvm.fabs.f64(double %x)
  %2 = call double @llvm.sqrt.f64(double %1)
  %3 = call double @llvm.fmuladd.f64(double %2, double %x, double 1.0)
  %4 = call double @llvm.pow.f64(double %3, double 2.0)
  %5 = call float @llvm.sin.f32(float %y)
  %6 = call float @llvm.copysign.f32(float %5, float -1.0)
  %7 = fpext float %6 to double
  %8 = call double @llvm.floor.f64(double %7)
  %9 = call i32 @llvm.fptosi.sat.i32.f64(double %8)
  %10 = sitofp i32 %9 to double
  %11 = fadd double %4, %10
  ret double %11
}

define i32 @variable(ptr %format, ...) {
  %list = alloca [1 x { i32, i32, ptr, ptr }], align 16
  %copy = alloca [1 x { i32, i32, ptr, ptr }], align 16
  call void @llvm.va_start.p0(ptr %list)
  call void @llvm.va_copy.p0(ptr %copy, ptr %list)
  %n = va_arg ptr %list, i32
  call void @llvm.va_end.p0(ptr %list)
  %s = call ptr @llvm.stacksave.p0()
  call void @llvm.stackrestore.p0(ptr %s)
  call void asm sideeffect "", "~{memory}"()
  %m = call i32 asm "", "=r,0"(i32 %n)
  ret i32 %m
}

declare i32 @llvm.smax.i32(i32, i32)
declare i32 @llvm.abs.i32(i32, i1)
declare i32 @llvm.fshl.i32(i32, i32, i32)
declare i32 @llvm.fshr.i32(i32, i32, i32)
declare i32 @llvm.bswap.i32(i32)
declare i32 @llvm.bitreverse.i32(i32)
declare i32 @llvm.ctpop.i32(i32)
declare { i32, i1 } @llvm.umul.with.overflow.i32(i32, i32)
declare i32 @llvm.usub.sat.i32(i32, i32)
declare i32 @llvm.sshl.sat.i32(i32, i32)
declare i32 @llvm.ctlz.i32(i32, i1)
declare i32 @llvm.expect.i32(i32, i32)
declare double @llvm.fabs.f64(double)
declare double @llvm.sqrt.f64(double)
declare double @llvm.fmuladd.f64(double, double, double)
declare double @llvm.pow.f64(double, double)
declare float @llvm.sin.f32(float)
declare float @llvm.copysign.f32(float, float)
declare double @llvm.floor.f64(double)
declare i32 @llvm.fptosi.sat.i32.f64(double)
declare void @llvm.va_start.p0(ptr)
declare void @llvm.va_copy.p0(ptr, ptr)
declare void @llvm.va_end.p0(ptr)
declare ptr @llvm.stacksave.p0()
declare void @llvm.stackrestore.p0(ptr)

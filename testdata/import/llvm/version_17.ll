; returns 24
; LLVM 17: `nofpclass`, `llvm.ldexp` and `llvm.is.fpclass`, typed pointers are gone, `target` types, `!nosanitize`.
target triple = "x86_64-unknown-linux-gnu"

define nofpclass(nan inf) double @scaled(double nofpclass(nan) %x, i32 %e) {
  %y = call double @llvm.ldexp.f64.i32(double %x, i32 %e)
  ret double %y
}

define i32 @main() {
  %y = call double @scaled(double 1.500000e+00, i32 3)
  %n = fptosi double %y to i32
  %c = call i1 @llvm.is.fpclass.f64(double %y, i32 264)
  %d = zext i1 %c to i32
  %r = shl i32 %n, %d, !nosanitize !0
  ret i32 %r
}

declare double @llvm.ldexp.f64.i32(double, i32)
declare i1 @llvm.is.fpclass.f64(double, i32 immarg)
!0 = !{}

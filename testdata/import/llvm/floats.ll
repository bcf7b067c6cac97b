; The maximum with a NaN is the other operand; a float in a variable argument is the low half of a double.

define double @greater(double %a, double %b) {
  %1 = call double @llvm.maxnum.f64(double %a, double %b)
  ret double %1
}

define <2 x float> @smaller(<2 x float> %a) {
  %1 = call <2 x float> @llvm.minnum.v2f32(<2 x float> %a, <2 x float> <float 1.0, float 2.0>)
  ret <2 x float> %1
}

define void @variable(float %x) {
  call void (i32, ...) @take(i32 1, float %x)
  ret void
}

declare void @take(i32, ...)
declare double @llvm.maxnum.f64(double, double)
declare <2 x float> @llvm.minnum.v2f32(<2 x float>, <2 x float>)

define double @greater_number(double %a, double %b) {
  %m = call double @llvm.maximumnum.f64(double %a, double %b)
  ret double %m
}

define float @smaller_number(float %a, float %b) {
  %m = call float @llvm.minimumnum.f32(float %a, float %b)
  ret float %m
}

declare double @llvm.maximumnum.f64(double, double)
declare float @llvm.minimumnum.f32(float, float)

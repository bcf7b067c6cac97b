; Vectors element by element.

define i32 @ints(ptr %p, i32 %i) {
  %v = load <4 x i32>, ptr %p, align 16
  %w = add <4 x i32> %v, <i32 1, i32 2, i32 3, i32 4>
  %s = shufflevector <4 x i32> %w, <4 x i32> poison, <4 x i32> <i32 3, i32 2, i32 1, i32 0>
  %c = icmp sgt <4 x i32> %s, zeroinitializer
  %x = select <4 x i1> %c, <4 x i32> %s, <4 x i32> %w
  %y = insertelement <4 x i32> %x, i32 9, i32 %i
  %e = extractelement <4 x i32> %y, i64 2
  %f = extractelement <4 x i32> %y, i32 %i
  store <4 x i32> %y, ptr %p, align 16
  %m = bitcast <4 x i1> %c to i4
  %n = zext i4 %m to i32
  %sum = add i32 %e, %f
  %all = add i32 %sum, %n
  ret i32 %all
}

define void @splat(ptr %p, double %x) {
  %one = insertelement <2 x double> poison, double %x, i64 0
  %two = shufflevector <2 x double> %one, <2 x double> poison, <2 x i32> zeroinitializer
  %r = call <2 x double> @llvm.sqrt.v2f64(<2 x double> %two)
  store <2 x double> %r, ptr %p, align 16
  ret void
}

declare <2 x double> @llvm.sqrt.v2f64(<2 x double>)

define i32 @signs(ptr %p) {
  %v = load <16 x i8>, ptr %p
  %m = call i32 @llvm.x86.sse2.pmovmskb.128(<16 x i8> %v)
  ret i32 %m
}

declare i32 @llvm.x86.sse2.pmovmskb.128(<16 x i8>)

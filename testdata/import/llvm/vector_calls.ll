; Vectors as parameters and results, reductions, and vectors of addresses.

define internal <4 x float> @scaled(<4 x float> %v, float %x) noinline {
  %one = insertelement <4 x float> poison, float %x, i64 0
  %all = shufflevector <4 x float> %one, <4 x float> poison, <4 x i32> zeroinitializer
  %p = fmul <4 x float> %v, %all
  ret <4 x float> %p
}

define internal { i64, i64, i64 } @three(i64 %x) noinline {
  %a = insertvalue { i64, i64, i64 } poison, i64 %x, 0
  %b = insertvalue { i64, i64, i64 } %a, i64 1, 1
  %c = insertvalue { i64, i64, i64 } %b, i64 2, 2
  ret { i64, i64, i64 } %c
}

define float @use(ptr %p, i64 %k) {
  %v = load <4 x float>, ptr %p
  %w = call <4 x float> @scaled(<4 x float> %v, float 2.0)
  %t = call { i64, i64, i64 } @three(i64 %k)
  %n = extractvalue { i64, i64, i64 } %t, 2
  %e = extractelement <4 x float> %w, i64 %n
  ret float %e
}

; struct { float x, y, z; }
define { <2 x float>, float } @turned(<2 x float> %xy, float %z) {
  %r = call { <2 x float>, float } @other(<2 x float> %xy, float %z)
  %a = extractvalue { <2 x float>, float } %r, 0
  %s = shufflevector <2 x float> %a, <2 x float> poison, <2 x i32> <i32 1, i32 0>
  %i = insertvalue { <2 x float>, float } %r, <2 x float> %s, 0
  ret { <2 x float>, float } %i
}

define i32 @sums(<2 x i32> %x, ptr %p) {
  %v = load <4 x i32>, ptr %p
  %a = call i32 @llvm.vector.reduce.add.v4i32(<4 x i32> %v)
  %b = call i32 @llvm.vector.reduce.smax.v2i32(<2 x i32> %x)
  %c = mul i32 %a, %b
  ret i32 %c
}

define float @ordered(float %start, ptr %p) {
  %v = load <4 x float>, ptr %p
  %a = call float @llvm.vector.reduce.fadd.v4f32(float %start, <4 x float> %v)
  ret float %a
}

define void @addresses(ptr %to, ptr %p, ptr %q) {
  %i = load <2 x i64>, ptr %q
  %v = getelementptr [4 x i32], ptr %p, <2 x i64> %i, i64 1
  store <2 x ptr> %v, ptr %to
  ret void
}

declare { <2 x float>, float } @other(<2 x float>, float)
declare i32 @llvm.vector.reduce.add.v4i32(<4 x i32>)
declare i32 @llvm.vector.reduce.smax.v2i32(<2 x i32>)
declare float @llvm.vector.reduce.fadd.v4f32(float, <4 x float>)

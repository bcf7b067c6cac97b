; Limits, and combinations that are not translated.
@splat = global <2000000 x i8> splat (i8 1)
@bits = global <3 x i1> <i1 true, i1 false>

define void @f(ptr %p, i32 %x) {
  %1 = load atomic i128, ptr %p monotonic, align 16
  store atomic i24 5, ptr %p monotonic, align 4
  %2 = getelementptr <8 x i1>, ptr %p, i64 0, i64 1
  %3 = load <4 x i24>, ptr %p
  %4 = load i16384, ptr %p
  %5 = mul i16384 %4, %4
  %6 = call i32 asm "", "=r"()
  %7 = call i32 asm "", "=r,1"(i32 %x)
  %8 = call i64 asm "", "=r,0"(i32 %x)
  call void asm "", "=*m"(ptr elementtype([2000 x i8]) %p)
  call void asm "", "=*m"(ptr %p)
  ret void
}

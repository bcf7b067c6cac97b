; What is known about values. `range`, `nonnull` and `align` are kept with `noundef`, `dereferenceable` always. Integers of
; other widths and values in pieces keep nothing.
target triple = "x86_64-unknown-linux-gnu"

@flags = global [2 x i8] c"\01\00"

declare noundef nonnull align 8 dereferenceable(16) ptr @get(i32)

; run: @param(3) == 4
define i32 @param(i32 noundef range(i32 0, 10) %n) {
  %1 = add i32 %n, 1
  ret i32 %1
}

define i32 @address(ptr noundef nonnull align 4 dereferenceable(8) %p, ptr nonnull align 4 %q, i32 range(i32 1, 0) %n) {
  %1 = load i32, ptr %p, align 4
  ret i32 %1
}

; run: @flag(1) == 0
define i8 @flag(i64 %i) {
  %p = getelementptr inbounds [2 x i8], ptr @flags, i64 0, i64 %i
  %1 = load i8, ptr %p, align 1, !range !0, !noundef !1
  ret i8 %1
}

define i32 @loads(ptr %p) {
  %1 = load i32, ptr %p, align 4, !range !2
  %2 = load i32, ptr %p, align 4, !range !2, !noundef !1
  %3 = load i32, ptr %p, align 4, !range !3, !noundef !1
  %4 = load ptr, ptr %p, align 8, !nonnull !1, !align !4, !noundef !1, !dereferenceable !5
  %5 = load ptr, ptr %p, align 8, !nonnull !1, !dereferenceable !5
  %6 = load i1, ptr %p, align 1, !range !6, !noundef !1
  %7 = load i24, ptr %p, align 4, !range !7, !noundef !1
  %8 = add i32 %1, %2
  ret i32 %8
}

define ptr @calls(i32 %n) {
  %1 = call noundef nonnull align 8 dereferenceable(16) ptr @get(i32 %n)
  %2 = call i32 @param(i32 noundef range(i32 0, 10) %n), !range !2, !noundef !1
  %3 = call noundef range(i32 -5, 6) i32 @param(i32 noundef %n)
  %4 = call nonnull ptr @get(i32 %n)
  ret ptr %1
}

!0 = !{i8 0, i8 2}
!1 = !{}
!2 = !{i32 0, i32 10, i32 20, i32 30}
!3 = !{i32 5, i32 -5}
!4 = !{i64 8}
!5 = !{i64 24}
!6 = !{i1 false, i1 true}
!7 = !{i24 0, i24 5}

declare void @llvm.assume(i1)

; run: @assumed(3, 9) == 3
define i32 @assumed(i32 %x, i32 %n) {
  %1 = icmp ult i32 %x, 10
  call void @llvm.assume(i1 %1)
  %2 = icmp slt i32 %x, %n
  %3 = icmp ne i32 %n, 0
  call void @llvm.assume(i1 %2)
  call void @llvm.assume(i1 %3)
  %4 = and i1 %1, %2
  call void @llvm.assume(i1 %4)
  call void @llvm.assume(i1 true) [ "align"(ptr @flags, i64 1) ]
  ret i32 %x
}

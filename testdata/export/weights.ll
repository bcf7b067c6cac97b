target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

define i32 @f(i32 %x) nobuiltin null_pointer_is_valid {
entry:
  %.1 = icmp eq i32 %x, 0
  br i1 %.1, label %a, label %b, !prof !0
a:
  switch i32 %x, label %c [
    i32 1, label %b
    i32 2, label %c
  ], !prof !1
b:
  %.2 = icmp slt i32 %x, 9
  br i1 %.2, label %c, label %d, !prof !0
c:
  ret i32 1
d:
  ret i32 2
}

!0 = !{!"branch_weights", i32 1, i32 2000}
!1 = !{!"branch_weights", i32 5, i32 1, i32 7}

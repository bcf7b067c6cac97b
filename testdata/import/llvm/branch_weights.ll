; What is expected of branches: `!prof`, as passes and profiles write it, and `llvm.expect`, as front ends write it.
target triple = "x86_64-unknown-linux-gnu"

declare i64 @llvm.expect.i64(i64, i64)
declare i1 @llvm.expect.i1(i1, i1)
declare i64 @llvm.expect.with.probability.i64(i64, i64, double)

; run: @profile(3) == 1
define i32 @profile(i32 %n) {
  %c = icmp slt i32 %n, 5
  br i1 %c, label %small, label %large, !prof !0
small:
  br i1 %c, label %odd, label %large, !prof !1
large:
  switch i32 %n, label %odd [
    i32 1, label %odd
    i32 2, label %even
  ], !prof !2
odd:
  ret i32 1
even:
  ret i32 2
}

; run: @compared(3) == 1
define i32 @compared(i64 %n) {
  %e = call i64 @llvm.expect.i64(i64 %n, i64 0)
  %c = icmp ne i64 %e, 0
  br i1 %c, label %next, label %other
next:
  %f = call i64 @llvm.expect.i64(i64 %n, i64 1)
  %d = icmp ne i64 %f, 0
  br i1 %d, label %last, label %other
last:
  %g = call i64 @llvm.expect.i64(i64 %n, i64 %n)
  %h = icmp eq i64 %g, 7
  br i1 %h, label %other, label %done
other:
  ret i32 0
done:
  ret i32 1
}

; run: @itself(1) == 2
define i32 @itself(i1 %c) {
  %e = call i1 @llvm.expect.i1(i1 %c, i1 false)
  br i1 %e, label %then, label %else
then:
  ret i32 2
else:
  ret i32 3
}

; run: @cases(2) == 4
define i32 @cases(i64 %n) {
  %e = call i64 @llvm.expect.with.probability.i64(i64 %n, i64 2, double 9.000000e-01)
  switch i64 %e, label %other [
    i64 1, label %one
    i64 2, label %two
  ]
one:
  %f = call i64 @llvm.expect.i64(i64 %n, i64 77)
  switch i64 %f, label %other [
    i64 1, label %two
  ]
two:
  ret i32 4
other:
  ret i32 5
}

; Other kinds of `!prof`, and weights of another number of targets, are dropped.
define i32 @dropped(i1 %c) {
  br i1 %c, label %then, label %else, !prof !3
then:
  br i1 %c, label %next, label %else, !prof !4
next:
  br i1 %c, label %last, label %else, !prof !5
last:
  ret i32 0
else:
  ret i32 1
}

!0 = !{!"branch_weights", i32 2000, i32 1}
!1 = !{!"branch_weights", !"expected", i32 1, i32 -1}
!2 = !{!"branch_weights", i32 10, i32 20, i32 30}
!3 = !{!"unknown", !"some-pass"}
!4 = !{!"branch_weights", i32 1}
!5 = !{!"branch_weights", i32 0, i32 0}

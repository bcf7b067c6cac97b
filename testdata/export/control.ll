target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

declare void @exit(i32) nobuiltin

declare i32 @setjmp(i64) returns_twice nobuiltin

define i32 @loop(i32 %n, i8 %c) nobuiltin null_pointer_is_valid {
entry:
  %s = bitcast i32 0 to i32
  br label %test
test:
  %s.1 = phi i32 [ %s, %entry ], [ %s.3, %next ]
  %.1 = icmp slt i32 %s.1, %n
  br i1 %.1, label %more, label %done
more:
  %s.2 = add i32 %s.1, 2
  %.2 = icmp eq i32 %n, 0
  br i1 %.2, label %trap.div_by_zero, label %.3
.3:
  %q = udiv i32 %s.2, %n
  %.4 = icmp ne i8 %c, 0
  br i1 %.4, label %next, label %next
next:
  %p = phi i32 [ %q, %.3 ], [ %q, %.3 ]
  %s.3 = add i32 %s.2, %p
  br label %test
done:
  ret i32 %s.1
trap.div_by_zero:
  call void @llvm.trap()
  unreachable
}

define i32 @cases(i16 %x) nobuiltin null_pointer_is_valid {
entry:
  switch i16 %x, label %none [
    i16 -1, label %one
    i16 2, label %two
    i16 3, label %two
  ]
none:
  br label %trap.unreachable
one:
  ret i32 1
two:
  ret i32 2
trap.unreachable:
  call void @llvm.trap()
  unreachable
}

define void @never(double %x) noreturn nobuiltin null_pointer_is_valid {
entry:
  %.1 = fcmp une double %x, 0x0000000000000000
  br i1 %.1, label %back, label %ends
back:
  br label %trap.unreachable
ends:
  %t = bitcast i32 3 to i32
  call void @exit(i32 %t)
  call void @llvm.trap()
  br label %trap.unreachable
trap.unreachable:
  call void @llvm.trap()
  unreachable
}

define i32 @again(i64 %p) nobuiltin null_pointer_is_valid {
entry:
  %r = call i32 @setjmp(i64 %p) returns_twice
  ret i32 %r
}

declare void @llvm.trap()

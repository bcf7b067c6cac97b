; Scopes of noalias, as clang writes them where a function with `restrict` parameters was inlined.
target triple = "x86_64-unknown-linux-gnu"

@object = global [4 x i32] zeroinitializer

; run: @call() == 1
define i32 @call() {
  %q = getelementptr inbounds i8, ptr @object, i64 4
  %1 = call i32 @inlined(ptr @object, ptr %q, ptr %q)
  ret i32 %1
}

; Two scopes, and accesses in neither.
define i32 @inlined(ptr %p, ptr %q, ptr %r) {
  call void @llvm.experimental.noalias.scope.decl(metadata !1)
  call void @llvm.experimental.noalias.scope.decl(metadata !3)
  store i32 1, ptr %p, align 4, !alias.scope !1, !noalias !3
  store i32 2, ptr %q, align 4, !noalias !1, !alias.scope !3
  store i32 3, ptr %r, align 4, !noalias !1
  %1 = load i32, ptr %p, align 4, !alias.scope !1, !noalias !3
  %2 = load i32, ptr %r, align 4, !noalias !5
  %3 = load volatile i32, ptr %p, align 4, !alias.scope !1, !noalias !3
  %4 = load i32, ptr %q, align 4, !alias.scope !5
  %5 = load i32, ptr %q, align 4, !alias.scope !99, !noalias !3
  ret i32 %1
}

; A declaration in a cycle: its domain is dropped, the other one stays.
define void @repeated(ptr %p, ptr %q, i64 %n) {
entry:
  call void @llvm.experimental.noalias.scope.decl(metadata !11)
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %j, %loop ]
  call void @llvm.experimental.noalias.scope.decl(metadata !3)
  store i32 1, ptr %p, align 4, !alias.scope !9, !noalias !10
  store i32 2, ptr %q, align 4, !alias.scope !10, !noalias !9
  %j = add i64 %i, 1
  %c = icmp slt i64 %j, %n
  br i1 %c, label %loop, label %done
done:
  ret void
}

; A loop after the declaration: LLVM's promise is about all iterations.
define void @around(ptr %p, ptr %q, i64 %n) {
entry:
  call void @llvm.experimental.noalias.scope.decl(metadata !1)
  call void @llvm.experimental.noalias.scope.decl(metadata !3)
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %j, %loop ]
  store i32 1, ptr %p, align 4, !alias.scope !1, !noalias !3
  store i32 2, ptr %q, align 4, !alias.scope !3, !noalias !1
  %j = add i64 %i, 1
  %c = icmp slt i64 %j, %n
  br i1 %c, label %loop, label %done
done:
  ret void
}

; A loop without a declaration, or with one after it: the promise may be about each iteration.
define void @undeclared(ptr %p, ptr %q, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %j, %loop ]
  store i32 1, ptr %p, align 4, !alias.scope !1, !noalias !3
  store i32 2, ptr %q, align 4, !alias.scope !3, !noalias !1
  %j = add i64 %i, 1
  %c = icmp slt i64 %j, %n
  br i1 %c, label %loop, label %done
done:
  call void @llvm.experimental.noalias.scope.decl(metadata !1)
  store i32 1, ptr %p, align 4, !alias.scope !1, !noalias !3
  ret void
}

; Several domains, of nested calls.
define void @nested(ptr %p, ptr %q) {
  store i32 1, ptr %p, align 4, !alias.scope !9, !noalias !10
  store i32 2, ptr %q, align 4, !alias.scope !10, !noalias !9
  ret void
}

; After the function that returns twice, a declaration may be executed again.
define void @twice(ptr %p, ptr %q) {
  %1 = call i32 @_setjmp(ptr %p)
  call void @llvm.experimental.noalias.scope.decl(metadata !1)
  store i32 1, ptr %p, align 4, !alias.scope !1, !noalias !3
  store i32 2, ptr %q, align 4, !alias.scope !3, !noalias !1
  ret void
}

declare void @llvm.experimental.noalias.scope.decl(metadata)
declare i32 @_setjmp(ptr) returns_twice

!0 = distinct !{!0, !"inlined"}
!1 = !{!2}
!2 = distinct !{!2, !0, !"inlined: p"}
!3 = !{!4}
!4 = distinct !{!4, !0, !"inlined: q"}
!5 = !{!2, !4}
!6 = distinct !{!6, !"other"}
!7 = distinct !{!7, !6, !"other: a"}
!8 = distinct !{!8, !6, !"other: b"}
!9 = !{!7, !2}
!10 = !{!4, !8}
!11 = !{!7}

; Access types, as clang writes them with `!tbaa`: members of structures, arrays of structures, a union, and a pointer.
;
;   struct point { int x; float y; };
;   struct line { struct point a, b; };
target triple = "x86_64-unknown-linux-gnu"

@object = global [4 x i64] zeroinitializer

; run: @call() == 5
define i32 @call() {
  %1 = call i32 @forwarded(ptr @object, i32 5)
  ret i32 %1
}

define i32 @forwarded(ptr %l, i32 %x) {
  %1 = getelementptr inbounds i8, ptr %l, i64 8
  store i32 %x, ptr %1, align 4, !tbaa !0
  store float 1.0, ptr %l, align 4, !tbaa !7
  %2 = load i32, ptr %1, align 4, !tbaa !0
  ret i32 %2
}

define i64 @others(ptr %p, ptr %q) {
  %1 = load ptr, ptr %p, align 8, !tbaa !8, !nontemporal !12
  store i8 1, ptr %q, align 1, !tbaa !10
  %2 = load i64, ptr %1, align 8, !tbaa !19
  %3 = load volatile i32, ptr %1, align 4, !tbaa !13
  %4 = zext i32 %3 to i64
  %5 = add i64 %2, %4
  ret i64 %5
}

; Tags that are no access types here: of another tree, not a tag, in a circle, missing.
define i32 @dropped(ptr %p) {
  %1 = load i32, ptr %p, align 4, !tbaa !14
  %2 = load i32, ptr %p, align 4, !tbaa !12
  %3 = load i32, ptr %p, align 4, !tbaa !17
  %4 = load i32, ptr %p, align 4, !tbaa !99
  %5 = add i32 %1, %2
  %6 = add i32 %3, %4
  %7 = add i32 %5, %6
  ret i32 %7
}

!0 = !{!1, !3, i64 8}
!1 = !{!"line", !2, i64 0, !2, i64 8}
!2 = !{!"point", !3, i64 0, !4, i64 4}
!3 = !{!"int", !5, i64 0}
!4 = !{!"float", !5, i64 0}
!5 = !{!"omnipotent char", !6, i64 0}
!6 = !{!"Simple C/C++ TBAA"}
!7 = !{!1, !4, i64 4}
!8 = !{!9, !9, i64 0}
!9 = !{!"any pointer", !5, i64 0}
!10 = !{!5, !5, i64 0}
!11 = !{!"long", !5, i64 0}
!12 = !{i32 1}
!13 = !{!3, !3, i64 0, i64 0}
!14 = !{!15, !15, i64 0}
!15 = !{!"int", !16, i64 0}
!16 = !{!"another tree"}
!17 = !{!18, !18, i64 0}
!18 = !{!"circle", !18, i64 0}
!19 = !{!11, !11, i64 0}

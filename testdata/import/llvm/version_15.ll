; returns 32
; LLVM 15: opaque pointers by default; memory effects as single attributes; `elementtype`, `allockind`, `uwtable(sync)`;
; constant expressions of all integer operations.
source_filename = "llvm15.c"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

%struct.pair = type { i32, ptr }

@table = dso_local global [4 x i32] [i32 1, i32 2, i32 3, i32 4], align 16
@middle = dso_local global ptr getelementptr inbounds ([4 x i32], ptr @table, i64 0, i64 2), align 8
@bits = dso_local global i64 and (i64 12, i64 10), align 8
@width = dso_local constant i32 zext (i8 trunc (i32 263 to i8) to i32)
@choice = dso_local constant i32 select (i1 icmp eq (i32 0, i32 0), i32 3, i32 4)

; Function Attrs: argmemonly mustprogress nofree norecurse nosync nounwind readonly willreturn uwtable
define dso_local i32 @read(ptr nocapture noundef readonly %p) local_unnamed_addr #0 {
  %1 = load i32, ptr %p, align 4, !tbaa !3
  ret i32 %1
}

; Function Attrs: inaccessiblememonly nofree nounwind willreturn allockind("alloc,uninitialized") allocsize(0)
declare noalias noundef ptr @malloc(i64 noundef) #1

; Function Attrs: inaccessiblemem_or_argmemonly
declare void @free(ptr allocptr nocapture noundef) #2

define dso_local i32 @main() #3 {
  %p = tail call noalias dereferenceable_or_null(16) ptr @malloc(i64 noundef 16) #4
  %field = getelementptr inbounds %struct.pair, ptr %p, i64 0, i32 1
  store ptr @table, ptr %field, align 8
  %q = load ptr, ptr %field, align 8
  %x = call i32 @read(ptr %q)
  call void asm sideeffect "", "=*m,~{memory}"(ptr elementtype(i32) %p)
  tail call void @free(ptr noundef %p) #5
  %w = load i32, ptr @width, align 4
  %s = add nsw i32 %x, %w
  %c = load i32, ptr @choice, align 4
  %t = mul i32 %s, %c
  %b = load i64, ptr @bits, align 8
  %n = trunc i64 %b to i32
  %r = add i32 %t, %n
  ret i32 %r
}

attributes #0 = { argmemonly mustprogress nofree norecurse nosync nounwind readonly willreturn uwtable "frame-pointer"="none" "min-legal-vector-width"="0" }
attributes #1 = { inaccessiblememonly mustprogress nofree nounwind willreturn allockind("alloc,uninitialized") allocsize(0) "alloc-family"="malloc" }
attributes #2 = { inaccessiblemem_or_argmemonly mustprogress nounwind willreturn allockind("free") "alloc-family"="malloc" }
attributes #3 = { nounwind uwtable(sync) disable_sanitizer_instrumentation }
attributes #4 = { nounwind allocsize(0) }
attributes #5 = { nounwind }

!llvm.module.flags = !{!0, !1}
!llvm.ident = !{!2}
!0 = !{i32 1, !"wchar_size", i32 4}
!1 = !{i32 7, !"PIC Level", i32 2}
!2 = !{!"clang version 15.0.7"}
!3 = !{!4, !4, i64 0}
!4 = !{!"int", !5, i64 0}
!5 = !{!"omnipotent char", !6, i64 0}
!6 = !{!"Simple C/C++ TBAA"}

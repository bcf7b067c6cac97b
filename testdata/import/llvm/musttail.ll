source_filename = "musttail.c"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

%struct.pair = type { i64, i64 }
%struct.big = type { i64, i64, i64 }

@table = external global [0 x ptr], align 8

; Function Attrs: nounwind uwtable
define dso_local i64 @even(i64 noundef %0, i64 noundef %1) #0 {
  %3 = alloca i64, align 8
  %4 = alloca i64, align 8
  %5 = alloca i64, align 8
  store i64 %0, ptr %4, align 8, !tbaa !5
  store i64 %1, ptr %5, align 8, !tbaa !5
  %6 = load i64, ptr %4, align 8, !tbaa !5
  %7 = icmp eq i64 %6, 0
  br i1 %7, label %8, label %10

8:                                                ; preds = %2
  %9 = load i64, ptr %5, align 8, !tbaa !5
  store i64 %9, ptr %3, align 8
  br label %21

10:                                               ; preds = %2
  %11 = load i64, ptr %4, align 8, !tbaa !5
  %12 = and i64 %11, 1
  %13 = getelementptr inbounds [0 x ptr], ptr @table, i64 0, i64 %12
  %14 = load ptr, ptr %13, align 8, !tbaa !9
  %15 = load i64, ptr %4, align 8, !tbaa !5
  %16 = sub nsw i64 %15, 1
  %17 = load i64, ptr %5, align 8, !tbaa !5
  %18 = add nsw i64 %17, 1
  %19 = musttail call i64 %14(i64 noundef %16, i64 noundef %18)
  ret i64 %19

20:                                               ; No predecessors!
  store i64 undef, ptr %3, align 8
  br label %21

21:                                               ; preds = %20, %8
  %22 = load i64, ptr %3, align 8
  ret i64 %22
}

; Function Attrs: nounwind uwtable
define dso_local { i64, i64 } @pairs2(i64 noundef %0, i64 %1, i64 %2) #0 {
  %4 = alloca %struct.pair, align 8
  %5 = alloca %struct.pair, align 8
  %6 = alloca i64, align 8
  %7 = alloca %struct.pair, align 8
  %8 = getelementptr inbounds { i64, i64 }, ptr %5, i32 0, i32 0
  store i64 %1, ptr %8, align 8
  %9 = getelementptr inbounds { i64, i64 }, ptr %5, i32 0, i32 1
  store i64 %2, ptr %9, align 8
  store i64 %0, ptr %6, align 8, !tbaa !5
  %10 = load i64, ptr %6, align 8, !tbaa !5
  %11 = sub nsw i64 %10, 1
  %12 = getelementptr inbounds { i64, i64 }, ptr %5, i32 0, i32 0
  %13 = load i64, ptr %12, align 8
  %14 = getelementptr inbounds { i64, i64 }, ptr %5, i32 0, i32 1
  %15 = load i64, ptr %14, align 8
  %16 = musttail call { i64, i64 } @pairs(i64 noundef %11, i64 %13, i64 %15)
  ret { i64, i64 } %16

17:                                               ; No predecessors!
  %18 = load { i64, i64 }, ptr %4, align 8
  ret { i64, i64 } %18
}

declare { i64, i64 } @pairs(i64 noundef, i64, i64) #1

; Function Attrs: nounwind uwtable
define dso_local void @bigs2(ptr dead_on_unwind noalias writable sret(%struct.big) align 8 %0, i64 noundef %1) #0 {
  %3 = alloca i64, align 8
  %4 = alloca %struct.big, align 8
  store i64 %1, ptr %3, align 8, !tbaa !5
  %5 = load i64, ptr %3, align 8, !tbaa !5
  %6 = sub nsw i64 %5, 1
  musttail call void @bigs(ptr dead_on_unwind writable sret(%struct.big) align 8 %0, i64 noundef %6)
  ret void

7:                                                ; No predecessors!
  ret void
}

declare void @bigs(ptr dead_on_unwind writable sret(%struct.big) align 8, i64 noundef) #1

; Function Attrs: nounwind uwtable
define dso_local signext i8 @narrow2(i64 noundef %0) #0 {
  %2 = alloca i64, align 8
  store i64 %0, ptr %2, align 8, !tbaa !5
  %3 = load i64, ptr %2, align 8, !tbaa !5
  %4 = add nsw i64 %3, 1
  %5 = musttail call signext i8 @narrow(i64 noundef %4)
  ret i8 %5

6:                                                ; No predecessors!
  ret i8 undef
}

declare signext i8 @narrow(i64 noundef) #1

; Function Attrs: nounwind uwtable
define dso_local zeroext i1 @flag2(i64 noundef %0) #0 {
  %2 = alloca i64, align 8
  store i64 %0, ptr %2, align 8, !tbaa !5
  %3 = load i64, ptr %2, align 8, !tbaa !5
  %4 = add nsw i64 %3, 1
  %5 = musttail call zeroext i1 @flag(i64 noundef %4)
  ret i1 %5

6:                                                ; No predecessors!
  ret i1 undef
}

declare zeroext i1 @flag(i64 noundef) #1

; Function Attrs: nounwind uwtable
define dso_local void @nothing2(i64 noundef %0) #0 {
  %2 = alloca i64, align 8
  %3 = alloca [4 x i32], align 16
  store i64 %0, ptr %2, align 8, !tbaa !5
  call void @llvm.lifetime.start.p0(i64 16, ptr %3) #3
  %4 = load i64, ptr %2, align 8, !tbaa !5
  %5 = and i64 %4, 3
  %6 = getelementptr inbounds [4 x i32], ptr %3, i64 0, i64 %5
  store i32 1, ptr %6, align 4, !tbaa !11
  %7 = load i64, ptr %2, align 8, !tbaa !5
  %8 = getelementptr inbounds [4 x i32], ptr %3, i64 0, i64 0
  %9 = load i32, ptr %8, align 16, !tbaa !11
  %10 = sext i32 %9 to i64
  %11 = add nsw i64 %7, %10
  musttail call void @nothing(i64 noundef %11)
  ret void

12:                                               ; No predecessors!
  call void @llvm.lifetime.end.p0(i64 16, ptr %3) #3
  ret void
}

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.start.p0(i64 immarg, ptr nocapture) #2

declare void @nothing(i64 noundef) #1

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.end.p0(i64 immarg, ptr nocapture) #2

attributes #0 = { nounwind uwtable "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #1 = { "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #2 = { nocallback nofree nosync nounwind willreturn memory(argmem: readwrite) }
attributes #3 = { nounwind }

!llvm.module.flags = !{!0, !1, !2, !3}
!llvm.ident = !{!4}

!0 = !{i32 1, !"wchar_size", i32 4}
!1 = !{i32 8, !"PIC Level", i32 2}
!2 = !{i32 7, !"PIE Level", i32 2}
!3 = !{i32 7, !"uwtable", i32 2}
!4 = !{!"Debian clang version 19.1.7 (3~deb12u1)"}
!5 = !{!6, !6, i64 0}
!6 = !{!"long", !7, i64 0}
!7 = !{!"omnipotent char", !8, i64 0}
!8 = !{!"Simple C/C++ TBAA"}
!9 = !{!10, !10, i64 0}
!10 = !{!"any pointer", !7, i64 0}
!11 = !{!12, !12, i64 0}
!12 = !{!"int", !7, i64 0}

; The output of clang 19 at -O1 for atomic operations of C11.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

%struct.atomic_flag = type { i8 }

@counter = dso_local global i32 0, align 4
@flag = dso_local global i8 0, align 1
@wide = dso_local global i64 0, align 8
@small = dso_local global i16 0, align 2
@top = dso_local global ptr null, align 8
@total = dso_local global double 0.000000e+00, align 8
@lock = dso_local global %struct.atomic_flag zeroinitializer, align 1

define dso_local i32 @load() local_unnamed_addr {
  %1 = load atomic i32, ptr @counter seq_cst, align 4
  ret i32 %1
}

define dso_local i32 @load_relaxed() local_unnamed_addr {
  %1 = load atomic i32, ptr @counter monotonic, align 4
  ret i32 %1
}

define dso_local void @store(i32 noundef %0) local_unnamed_addr {
  store atomic i32 %0, ptr @counter seq_cst, align 4
  ret void
}

define dso_local void @release(i32 noundef %0) local_unnamed_addr {
  store atomic i32 %0, ptr @counter release, align 4
  ret void
}

define dso_local i32 @add(i32 noundef %0) local_unnamed_addr {
  %2 = atomicrmw add ptr @counter, i32 %0 seq_cst, align 4
  ret i32 %2
}

define dso_local i32 @sub(i32 noundef %0) local_unnamed_addr {
  %2 = atomicrmw sub ptr @counter, i32 %0 acq_rel, align 4
  ret i32 %2
}

define dso_local zeroext i8 @set(i8 noundef zeroext %0) local_unnamed_addr {
  %2 = atomicrmw xchg ptr @flag, i8 %0 seq_cst, align 1
  ret i8 %2
}

define dso_local i64 @or_(i64 noundef %0) local_unnamed_addr {
  %2 = atomicrmw or ptr @wide, i64 %0 seq_cst, align 8
  ret i64 %2
}

define dso_local signext i16 @and_(i16 noundef signext %0) local_unnamed_addr {
  %2 = atomicrmw and ptr @small, i16 %0 seq_cst, align 2
  ret i16 %2
}

define dso_local i64 @xor_(i64 noundef %0) local_unnamed_addr {
  %2 = atomicrmw xor ptr @wide, i64 %0 monotonic, align 8
  ret i64 %2
}

define dso_local range(i32 0, 2) i32 @swap(ptr nocapture noundef %0, i32 noundef %1) local_unnamed_addr {
  %3 = load i32, ptr %0, align 4
  %4 = cmpxchg ptr @counter, i32 %3, i32 %1 seq_cst seq_cst, align 4
  %5 = extractvalue { i32, i1 } %4, 1
  br i1 %5, label %8, label %6

6:                                                ; preds = %2
  %7 = extractvalue { i32, i1 } %4, 0
  store i32 %7, ptr %0, align 4
  br label %8

8:                                                ; preds = %6, %2
  %9 = zext i1 %5 to i32
  ret i32 %9
}

define dso_local range(i32 0, 2) i32 @weak(ptr nocapture noundef %0, i32 noundef %1) local_unnamed_addr {
  %3 = load i32, ptr %0, align 4
  %4 = cmpxchg weak ptr @counter, i32 %3, i32 %1 release monotonic, align 4
  %5 = extractvalue { i32, i1 } %4, 1
  br i1 %5, label %8, label %6

6:                                                ; preds = %2
  %7 = extractvalue { i32, i1 } %4, 0
  store i32 %7, ptr %0, align 4
  br label %8

8:                                                ; preds = %6, %2
  %9 = zext i1 %5 to i32
  ret i32 %9
}

define dso_local void @push(ptr noundef %0) local_unnamed_addr {
  %2 = load atomic i64, ptr @top monotonic, align 8
  %3 = inttoptr i64 %2 to ptr
  %4 = ptrtoint ptr %0 to i64
  br label %5

5:                                                ; preds = %5, %1
  %6 = phi ptr [ %3, %1 ], [ %12, %5 ]
  store ptr %6, ptr %0, align 8, !tbaa !5
  %7 = ptrtoint ptr %6 to i64
  %8 = cmpxchg weak ptr @top, i64 %7, i64 %4 seq_cst seq_cst, align 8
  %9 = extractvalue { i64, i1 } %8, 1
  %10 = extractvalue { i64, i1 } %8, 0
  %11 = inttoptr i64 %10 to ptr
  %12 = select i1 %9, ptr %6, ptr %11
  br i1 %9, label %13, label %5, !llvm.loop !10

13:                                               ; preds = %5
  ret void
}

define dso_local void @sum(double noundef %0) local_unnamed_addr {
  %2 = load atomic double, ptr @total seq_cst, align 8, !tbaa !13
  br label %3

3:                                                ; preds = %3, %1
  %4 = phi double [ %2, %1 ], [ %11, %3 ]
  %5 = fadd double %4, %0
  %6 = bitcast double %4 to i64
  %7 = bitcast double %5 to i64
  %8 = cmpxchg ptr @total, i64 %6, i64 %7 seq_cst seq_cst, align 8
  %9 = extractvalue { i64, i1 } %8, 0
  %10 = extractvalue { i64, i1 } %8, 1
  %11 = bitcast i64 %9 to double
  br i1 %10, label %12, label %3

12:                                               ; preds = %3
  ret void
}

define dso_local double @get() local_unnamed_addr {
  %1 = load atomic double, ptr @total seq_cst, align 8, !tbaa !13
  ret double %1
}

define dso_local void @fences() local_unnamed_addr {
  fence seq_cst
  fence syncscope("singlethread") seq_cst
  ret void
}

define dso_local void @take() local_unnamed_addr {
  br label %1

1:                                                ; preds = %1, %0
  %2 = atomicrmw xchg ptr @lock, i8 1 acquire, align 1
  %3 = trunc i8 %2 to i1
  br i1 %3, label %1, label %4, !llvm.loop !14

4:                                                ; preds = %1
  ret void
}

define dso_local void @give() local_unnamed_addr {
  store atomic i8 0, ptr @lock release, align 1
  ret void
}


!llvm.module.flags = !{!0, !1, !2, !3}

!0 = !{i32 1, !"wchar_size", i32 4}
!1 = !{i32 8, !"PIC Level", i32 2}
!2 = !{i32 7, !"PIE Level", i32 2}
!3 = !{i32 7, !"uwtable", i32 2}
!4 = !{!"Debian clang version 19.1.7 (3~deb12u1)"}
!5 = !{!6, !7, i64 0}
!6 = !{!"node", !7, i64 0}
!7 = !{!"any pointer", !8, i64 0}
!8 = !{!"omnipotent char", !9, i64 0}
!9 = !{!"Simple C/C++ TBAA"}
!10 = distinct !{!10, !11, !12}
!11 = !{!"llvm.loop.mustprogress"}
!12 = !{!"llvm.loop.unroll.disable"}
!13 = !{!8, !8, i64 0}
!14 = distinct !{!14, !11, !12}

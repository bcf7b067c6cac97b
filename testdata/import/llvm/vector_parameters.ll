; Vectors of 128 bits as parameters and results, as clang -O1 writes them.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

%struct.__va_list_tag = type { i32, i32, ptr, ptr }

; Function Attrs: mustprogress nofree norecurse nosync nounwind willreturn memory(none) uwtable
define dso_local noundef <2 x i64> @addv(<2 x i64> noundef %0, <2 x i64> noundef %1) local_unnamed_addr {
  %3 = bitcast <2 x i64> %0 to <4 x i32>
  %4 = bitcast <2 x i64> %1 to <4 x i32>
  %5 = add <4 x i32> %4, %3
  %6 = bitcast <4 x i32> %5 to <2 x i64>
  ret <2 x i64> %6
}

; Function Attrs: mustprogress nofree norecurse nosync nounwind willreturn memory(none) uwtable
define dso_local <4 x float> @mulf(<4 x float> noundef %0, double noundef %1, <4 x float> noundef %2, i32 noundef %3) local_unnamed_addr {
  %5 = fptrunc double %1 to float
  %6 = sitofp i32 %3 to float
  %7 = fadd float %5, %6
  %8 = insertelement <4 x float> poison, float %7, i64 0
  %9 = shufflevector <4 x float> %8, <4 x float> poison, <4 x i32> zeroinitializer
  %10 = fadd <4 x float> %9, %2
  %11 = fmul <4 x float> %10, %0
  ret <4 x float> %11
}

; Function Attrs: mustprogress nofree norecurse nosync nounwind willreturn memory(none) uwtable
define dso_local <2 x double> @many(<2 x double> noundef %0, <2 x double> noundef %1, <2 x double> noundef %2, <2 x double> noundef %3, <2 x double> noundef %4, <2 x double> noundef %5, <2 x double> noundef %6, <2 x double> noundef %7, <2 x double> noundef %8, i32 noundef %9, <2 x double> noundef %10) local_unnamed_addr {
  %12 = fadd <2 x double> %0, %1
  %13 = fsub <2 x double> %12, %2
  %14 = fadd <2 x double> %13, %3
  %15 = fsub <2 x double> %14, %4
  %16 = fadd <2 x double> %15, %5
  %17 = fsub <2 x double> %16, %6
  %18 = fadd <2 x double> %17, %7
  %19 = fsub <2 x double> %18, %8
  %20 = fmul <2 x double> %19, %10
  %21 = sitofp i32 %9 to double
  %22 = insertelement <2 x double> poison, double %21, i64 0
  %23 = shufflevector <2 x double> %22, <2 x double> poison, <2 x i32> zeroinitializer
  %24 = fadd <2 x double> %20, %23
  ret <2 x double> %24
}

; Function Attrs: mustprogress nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.start.p0(i64 immarg, ptr nocapture)

; Function Attrs: mustprogress nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.end.p0(i64 immarg, ptr nocapture)

; Function Attrs: nofree norecurse nosync nounwind uwtable
define dso_local <2 x i64> @sumva(i32 noundef %0, ...) local_unnamed_addr {
  %2 = alloca [1 x %struct.__va_list_tag], align 16
  call void @llvm.lifetime.start.p0(i64 24, ptr nonnull %2)
  call void @llvm.va_start.p0(ptr nonnull %2)
  %3 = icmp sgt i32 %0, 0
  br i1 %3, label %4, label %14

4:                                                ; preds = %1
  %5 = getelementptr inbounds i8, ptr %2, i64 4
  %6 = getelementptr inbounds i8, ptr %2, i64 8
  %7 = getelementptr inbounds i8, ptr %2, i64 16
  %8 = load ptr, ptr %7, align 16
  %9 = getelementptr inbounds i8, ptr %2, i64 8
  %10 = load i32, ptr %5, align 4
  %11 = load ptr, ptr %6, align 8
  br label %16

12:                                               ; preds = %43
  %13 = bitcast <4 x i32> %51 to <2 x i64>
  br label %14

14:                                               ; preds = %12, %1
  %15 = phi <2 x i64> [ zeroinitializer, %1 ], [ %13, %12 ]
  call void @llvm.va_end.p0(ptr %2)
  call void @llvm.lifetime.end.p0(i64 24, ptr nonnull %2)
  ret <2 x i64> %15

16:                                               ; preds = %4, %43
  %17 = phi ptr [ %11, %4 ], [ %44, %43 ]
  %18 = phi i32 [ %10, %4 ], [ %45, %43 ]
  %19 = phi i32 [ 0, %4 ], [ %52, %43 ]
  %20 = phi <4 x i32> [ zeroinitializer, %4 ], [ %51, %43 ]
  %21 = icmp ult i32 %18, 161
  br i1 %21, label %22, label %26

22:                                               ; preds = %16
  %23 = zext nneg i32 %18 to i64
  %24 = getelementptr i8, ptr %8, i64 %23
  %25 = add nuw nsw i32 %18, 16
  store i32 %25, ptr %5, align 4
  br label %30

26:                                               ; preds = %16
  %27 = getelementptr inbounds i8, ptr %17, i64 15
  %28 = call align 16 ptr @llvm.ptrmask.p0.i64(ptr nonnull %27, i64 -16)
  %29 = getelementptr i8, ptr %28, i64 16
  store ptr %29, ptr %6, align 8
  br label %30

30:                                               ; preds = %26, %22
  %31 = phi ptr [ %17, %22 ], [ %29, %26 ]
  %32 = phi i32 [ %25, %22 ], [ %18, %26 ]
  %33 = phi ptr [ %24, %22 ], [ %28, %26 ]
  %34 = load <4 x i32>, ptr %33, align 16
  %35 = add <4 x i32> %34, %20
  %36 = icmp ult i32 %32, 161
  br i1 %36, label %37, label %41

37:                                               ; preds = %30
  %38 = zext nneg i32 %32 to i64
  %39 = getelementptr i8, ptr %8, i64 %38
  %40 = add nuw nsw i32 %32, 16
  store i32 %40, ptr %5, align 4
  br label %43

41:                                               ; preds = %30
  %42 = getelementptr i8, ptr %31, i64 8
  store ptr %42, ptr %9, align 8
  br label %43

43:                                               ; preds = %41, %37
  %44 = phi ptr [ %31, %37 ], [ %42, %41 ]
  %45 = phi i32 [ %40, %37 ], [ %32, %41 ]
  %46 = phi ptr [ %39, %37 ], [ %31, %41 ]
  %47 = load double, ptr %46, align 8
  %48 = fptosi double %47 to i32
  %49 = insertelement <4 x i32> poison, i32 %48, i64 0
  %50 = shufflevector <4 x i32> %49, <4 x i32> poison, <4 x i32> zeroinitializer
  %51 = add <4 x i32> %35, %50
  %52 = add nuw nsw i32 %19, 1
  %53 = icmp eq i32 %52, %0
  br i1 %53, label %12, label %16
}

; Function Attrs: mustprogress nocallback nofree nosync nounwind willreturn
declare void @llvm.va_start.p0(ptr)

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare ptr @llvm.ptrmask.p0.i64(ptr, i64)

; Function Attrs: mustprogress nocallback nofree nosync nounwind willreturn
declare void @llvm.va_end.p0(ptr)

; Function Attrs: nounwind uwtable
define dso_local <2 x i64> @boxed(<2 x i64> %0, ptr nocapture noundef readonly %1) local_unnamed_addr {
  %3 = tail call <2 x i64> %1(<2 x i64> noundef %0, <2 x i64> noundef %0)
  ret <2 x i64> %3
}

; Function Attrs: nofree norecurse nosync nounwind memory(none) uwtable
define dso_local <16 x i8> @rot(<16 x i8> noundef %0, <16 x i8> noundef %1) local_unnamed_addr {
  br label %4

3:                                                ; preds = %4
  ret <16 x i8> %14

4:                                                ; preds = %2, %4
  %5 = phi i32 [ 0, %2 ], [ %15, %4 ]
  %6 = phi <16 x i8> [ undef, %2 ], [ %14, %4 ]
  %7 = mul nuw nsw i32 %5, 3
  %8 = add nuw nsw i32 %7, 1
  %9 = and i32 %8, 15
  %10 = extractelement <16 x i8> %0, i32 %9
  %11 = sub nuw nsw i32 15, %5
  %12 = extractelement <16 x i8> %1, i32 %11
  %13 = xor i8 %10, %12
  %14 = insertelement <16 x i8> %6, i8 %13, i32 %5
  %15 = add nuw nsw i32 %5, 1
  %16 = icmp eq i32 %15, 16
  br i1 %16, label %3, label %4
}




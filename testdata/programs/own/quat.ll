; ModuleID = 'quat.c'
source_filename = "quat.c"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

%struct.quat = type { double, double, double, double }
%struct.vec = type { double, double, double }

@__const.main.q = private unnamed_addr constant %struct.quat { double 1.000000e+00, double 0.000000e+00, double 0.000000e+00, double 0.000000e+00 }, align 8
@__const.main.step = private unnamed_addr constant %struct.quat { double 0x3FEFAE147AE147AE, double 5.000000e-02, double 1.000000e-01, double -2.000000e-02 }, align 8
@__const.main.v = private unnamed_addr constant %struct.vec { double 1.000000e+00, double 2.000000e+00, double 3.000000e+00 }, align 8
@.str = private unnamed_addr constant [21 x i8] c"%.9f %.9f %.9f %.9f\0A\00", align 1

; Function Attrs: nounwind uwtable
define dso_local i32 @main(i32 noundef %0, ptr noundef %1) #0 {
  %3 = alloca i32, align 4
  %4 = alloca i32, align 4
  %5 = alloca ptr, align 8
  %6 = alloca i32, align 4
  %7 = alloca %struct.quat, align 8
  %8 = alloca %struct.quat, align 8
  %9 = alloca %struct.vec, align 8
  %10 = alloca [4 x [4 x double]], align 16
  %11 = alloca [4 x [4 x double]], align 16
  %12 = alloca [4 x [4 x double]], align 16
  %13 = alloca [4 x [4 x double]], align 16
  %14 = alloca double, align 8
  %15 = alloca %struct.quat, align 8
  %16 = alloca i32, align 4
  %17 = alloca %struct.quat, align 8
  %18 = alloca %struct.quat, align 8
  %19 = alloca %struct.vec, align 8
  %20 = alloca double, align 8
  store i32 0, ptr %3, align 4
  store i32 %0, ptr %4, align 4, !tbaa !5
  store ptr %1, ptr %5, align 8, !tbaa !9
  call void @llvm.lifetime.start.p0(i64 4, ptr %6) #7
  %21 = load i32, ptr %4, align 4, !tbaa !5
  %22 = icmp sgt i32 %21, 1
  br i1 %22, label %23, label %28

23:                                               ; preds = %2
  %24 = load ptr, ptr %5, align 8, !tbaa !9
  %25 = getelementptr inbounds ptr, ptr %24, i64 1
  %26 = load ptr, ptr %25, align 8, !tbaa !9
  %27 = call i32 @atoi(ptr noundef %26) #8
  br label %29

28:                                               ; preds = %2
  br label %29

29:                                               ; preds = %28, %23
  %30 = phi i32 [ %27, %23 ], [ 100, %28 ]
  store i32 %30, ptr %6, align 4, !tbaa !5
  call void @llvm.lifetime.start.p0(i64 32, ptr %7) #7
  call void @llvm.memcpy.p0.p0.i64(ptr align 8 %7, ptr align 8 @__const.main.q, i64 32, i1 false)
  call void @llvm.lifetime.start.p0(i64 32, ptr %8) #7
  call void @llvm.memcpy.p0.p0.i64(ptr align 8 %8, ptr align 8 @__const.main.step, i64 32, i1 false)
  call void @llvm.lifetime.start.p0(i64 24, ptr %9) #7
  call void @llvm.memcpy.p0.p0.i64(ptr align 8 %9, ptr align 8 @__const.main.v, i64 24, i1 false)
  call void @llvm.lifetime.start.p0(i64 128, ptr %10) #7
  call void @llvm.lifetime.start.p0(i64 128, ptr %11) #7
  call void @llvm.lifetime.start.p0(i64 128, ptr %12) #7
  call void @llvm.lifetime.start.p0(i64 128, ptr %13) #7
  call void @llvm.lifetime.start.p0(i64 8, ptr %14) #7
  store double 0.000000e+00, ptr %14, align 8, !tbaa !11
  call void @llvm.lifetime.start.p0(i64 32, ptr %15) #7
  call void @normalize(ptr dead_on_unwind writable sret(%struct.quat) align 8 %15, ptr noundef byval(%struct.quat) align 8 %8)
  call void @llvm.memcpy.p0.p0.i64(ptr align 8 %8, ptr align 8 %15, i64 32, i1 false), !tbaa.struct !13
  call void @llvm.lifetime.end.p0(i64 32, ptr %15) #7
  %31 = getelementptr inbounds [4 x [4 x double]], ptr %10, i64 0, i64 0
  call void @to_matrix(ptr noundef %7, ptr noundef %31)
  call void @llvm.lifetime.start.p0(i64 4, ptr %16) #7
  store i32 0, ptr %16, align 4, !tbaa !5
  br label %32

32:                                               ; preds = %76, %29
  %33 = load i32, ptr %16, align 4, !tbaa !5
  %34 = load i32, ptr %6, align 4, !tbaa !5
  %35 = icmp slt i32 %33, %34
  br i1 %35, label %37, label %36

36:                                               ; preds = %32
  call void @llvm.lifetime.end.p0(i64 4, ptr %16) #7
  br label %79

37:                                               ; preds = %32
  call void @llvm.lifetime.start.p0(i64 32, ptr %17) #7
  call void @multiply(ptr dead_on_unwind writable sret(%struct.quat) align 8 %18, ptr noundef byval(%struct.quat) align 8 %7, ptr noundef byval(%struct.quat) align 8 %8)
  call void @normalize(ptr dead_on_unwind writable sret(%struct.quat) align 8 %17, ptr noundef byval(%struct.quat) align 8 %18)
  call void @llvm.memcpy.p0.p0.i64(ptr align 8 %7, ptr align 8 %17, i64 32, i1 false), !tbaa.struct !13
  call void @llvm.lifetime.end.p0(i64 32, ptr %17) #7
  %38 = getelementptr inbounds [4 x [4 x double]], ptr %11, i64 0, i64 0
  call void @to_matrix(ptr noundef %7, ptr noundef %38)
  %39 = load i32, ptr %16, align 4, !tbaa !5
  %40 = srem i32 %39, 10
  %41 = sitofp i32 %40 to double
  %42 = fmul double 1.000000e-03, %41
  %43 = getelementptr inbounds [4 x [4 x double]], ptr %11, i64 0, i64 0
  %44 = getelementptr inbounds [4 x double], ptr %43, i64 0, i64 3
  store double %42, ptr %44, align 8, !tbaa !11
  %45 = getelementptr inbounds [4 x [4 x double]], ptr %11, i64 0, i64 3
  %46 = getelementptr inbounds [4 x double], ptr %45, i64 0, i64 1
  store double 2.500000e-01, ptr %46, align 8, !tbaa !11
  %47 = getelementptr inbounds [4 x [4 x double]], ptr %11, i64 0, i64 0
  %48 = getelementptr inbounds [4 x [4 x double]], ptr %10, i64 0, i64 0
  %49 = getelementptr inbounds [4 x [4 x double]], ptr %12, i64 0, i64 0
  call void @product(ptr noundef %47, ptr noundef %48, ptr noundef %49)
  %50 = getelementptr inbounds [4 x [4 x double]], ptr %12, i64 0, i64 0
  %51 = getelementptr inbounds [4 x [4 x double]], ptr %10, i64 0, i64 0
  call void @copy(ptr noundef %50, ptr noundef %51)
  call void @llvm.lifetime.start.p0(i64 24, ptr %19) #7
  %52 = getelementptr inbounds [4 x [4 x double]], ptr %11, i64 0, i64 0
  call void @transform(ptr dead_on_unwind writable sret(%struct.vec) align 8 %19, ptr noundef %52, ptr noundef byval(%struct.vec) align 8 %9)
  call void @llvm.memcpy.p0.p0.i64(ptr align 8 %9, ptr align 8 %19, i64 24, i1 false), !tbaa.struct !14
  call void @llvm.lifetime.end.p0(i64 24, ptr %19) #7
  call void @llvm.lifetime.start.p0(i64 8, ptr %20) #7
  %53 = getelementptr inbounds [4 x [4 x double]], ptr %11, i64 0, i64 0
  %54 = getelementptr inbounds [4 x [4 x double]], ptr %13, i64 0, i64 0
  %55 = call double @invert(ptr noundef %53, ptr noundef %54)
  store double %55, ptr %20, align 8, !tbaa !11
  %56 = load double, ptr %20, align 8, !tbaa !11
  %57 = getelementptr inbounds [4 x [4 x double]], ptr %13, i64 0, i64 1
  %58 = getelementptr inbounds [4 x double], ptr %57, i64 0, i64 2
  %59 = load double, ptr %58, align 16, !tbaa !11
  %60 = fadd double %56, %59
  %61 = getelementptr inbounds %struct.vec, ptr %9, i32 0, i32 0
  %62 = load double, ptr %61, align 8, !tbaa !15
  %63 = fadd double %60, %62
  %64 = load double, ptr %14, align 8, !tbaa !11
  %65 = fadd double %64, %63
  store double %65, ptr %14, align 8, !tbaa !11
  %66 = load i32, ptr %16, align 4, !tbaa !5
  %67 = srem i32 %66, 64
  %68 = icmp eq i32 %67, 0
  br i1 %68, label %69, label %75

69:                                               ; preds = %37
  %70 = getelementptr inbounds [4 x [4 x double]], ptr %10, i64 0, i64 0
  call void @to_matrix(ptr noundef %8, ptr noundef %70)
  %71 = load i32, ptr %16, align 4, !tbaa !5
  %72 = srem i32 %71, 100
  %73 = sitofp i32 %72 to double
  %74 = getelementptr inbounds %struct.vec, ptr %9, i32 0, i32 0
  store double %73, ptr %74, align 8, !tbaa !15
  br label %75

75:                                               ; preds = %69, %37
  call void @llvm.lifetime.end.p0(i64 8, ptr %20) #7
  br label %76

76:                                               ; preds = %75
  %77 = load i32, ptr %16, align 4, !tbaa !5
  %78 = add nsw i32 %77, 1
  store i32 %78, ptr %16, align 4, !tbaa !5
  br label %32, !llvm.loop !17

79:                                               ; preds = %36
  %80 = getelementptr inbounds %struct.quat, ptr %7, i32 0, i32 0
  %81 = load double, ptr %80, align 8, !tbaa !19
  %82 = getelementptr inbounds %struct.vec, ptr %9, i32 0, i32 1
  %83 = load double, ptr %82, align 8, !tbaa !21
  %84 = getelementptr inbounds [4 x [4 x double]], ptr %10, i64 0, i64 1
  %85 = getelementptr inbounds [4 x double], ptr %84, i64 0, i64 2
  %86 = load double, ptr %85, align 16, !tbaa !11
  %87 = load double, ptr %14, align 8, !tbaa !11
  %88 = call i32 (ptr, ...) @printf(ptr noundef @.str, double noundef %81, double noundef %83, double noundef %86, double noundef %87)
  call void @llvm.lifetime.end.p0(i64 8, ptr %14) #7
  call void @llvm.lifetime.end.p0(i64 128, ptr %13) #7
  call void @llvm.lifetime.end.p0(i64 128, ptr %12) #7
  call void @llvm.lifetime.end.p0(i64 128, ptr %11) #7
  call void @llvm.lifetime.end.p0(i64 128, ptr %10) #7
  call void @llvm.lifetime.end.p0(i64 24, ptr %9) #7
  call void @llvm.lifetime.end.p0(i64 32, ptr %8) #7
  call void @llvm.lifetime.end.p0(i64 32, ptr %7) #7
  call void @llvm.lifetime.end.p0(i64 4, ptr %6) #7
  ret i32 0
}

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.start.p0(i64 immarg, ptr nocapture) #1

; Function Attrs: inlinehint nounwind willreturn memory(read) uwtable
define available_externally i32 @atoi(ptr noundef nonnull %0) #2 {
  %2 = alloca ptr, align 8
  store ptr %0, ptr %2, align 8, !tbaa !9
  %3 = load ptr, ptr %2, align 8, !tbaa !9
  %4 = call i64 @strtol(ptr noundef %3, ptr noundef null, i32 noundef 10) #7
  %5 = trunc i64 %4 to i32
  ret i32 %5
}

; Function Attrs: nocallback nofree nounwind willreturn memory(argmem: readwrite)
declare void @llvm.memcpy.p0.p0.i64(ptr noalias nocapture writeonly, ptr noalias nocapture readonly, i64, i1 immarg) #3

; Function Attrs: nounwind uwtable
define internal void @normalize(ptr dead_on_unwind noalias writable sret(%struct.quat) align 8 %0, ptr noundef byval(%struct.quat) align 8 %1) #0 {
  %3 = alloca double, align 8
  call void @llvm.lifetime.start.p0(i64 8, ptr %3) #7
  %4 = getelementptr inbounds %struct.quat, ptr %1, i32 0, i32 0
  %5 = load double, ptr %4, align 8, !tbaa !19
  %6 = getelementptr inbounds %struct.quat, ptr %1, i32 0, i32 0
  %7 = load double, ptr %6, align 8, !tbaa !19
  %8 = getelementptr inbounds %struct.quat, ptr %1, i32 0, i32 1
  %9 = load double, ptr %8, align 8, !tbaa !22
  %10 = getelementptr inbounds %struct.quat, ptr %1, i32 0, i32 1
  %11 = load double, ptr %10, align 8, !tbaa !22
  %12 = fmul double %9, %11
  %13 = call double @llvm.fmuladd.f64(double %5, double %7, double %12)
  %14 = getelementptr inbounds %struct.quat, ptr %1, i32 0, i32 2
  %15 = load double, ptr %14, align 8, !tbaa !23
  %16 = getelementptr inbounds %struct.quat, ptr %1, i32 0, i32 2
  %17 = load double, ptr %16, align 8, !tbaa !23
  %18 = call double @llvm.fmuladd.f64(double %15, double %17, double %13)
  %19 = getelementptr inbounds %struct.quat, ptr %1, i32 0, i32 3
  %20 = load double, ptr %19, align 8, !tbaa !24
  %21 = getelementptr inbounds %struct.quat, ptr %1, i32 0, i32 3
  %22 = load double, ptr %21, align 8, !tbaa !24
  %23 = call double @llvm.fmuladd.f64(double %20, double %22, double %18)
  %24 = call double @sqrt(double noundef %23) #7
  store double %24, ptr %3, align 8, !tbaa !11
  %25 = load double, ptr %3, align 8, !tbaa !11
  %26 = getelementptr inbounds %struct.quat, ptr %1, i32 0, i32 0
  %27 = load double, ptr %26, align 8, !tbaa !19
  %28 = fdiv double %27, %25
  store double %28, ptr %26, align 8, !tbaa !19
  %29 = load double, ptr %3, align 8, !tbaa !11
  %30 = getelementptr inbounds %struct.quat, ptr %1, i32 0, i32 1
  %31 = load double, ptr %30, align 8, !tbaa !22
  %32 = fdiv double %31, %29
  store double %32, ptr %30, align 8, !tbaa !22
  %33 = load double, ptr %3, align 8, !tbaa !11
  %34 = getelementptr inbounds %struct.quat, ptr %1, i32 0, i32 2
  %35 = load double, ptr %34, align 8, !tbaa !23
  %36 = fdiv double %35, %33
  store double %36, ptr %34, align 8, !tbaa !23
  %37 = load double, ptr %3, align 8, !tbaa !11
  %38 = getelementptr inbounds %struct.quat, ptr %1, i32 0, i32 3
  %39 = load double, ptr %38, align 8, !tbaa !24
  %40 = fdiv double %39, %37
  store double %40, ptr %38, align 8, !tbaa !24
  call void @llvm.memcpy.p0.p0.i64(ptr align 8 %0, ptr align 8 %1, i64 32, i1 false), !tbaa.struct !13
  call void @llvm.lifetime.end.p0(i64 8, ptr %3) #7
  ret void
}

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.end.p0(i64 immarg, ptr nocapture) #1

; Function Attrs: nounwind uwtable
define internal void @to_matrix(ptr noundef %0, ptr noundef %1) #0 {
  %3 = alloca ptr, align 8
  %4 = alloca ptr, align 8
  %5 = alloca double, align 8
  %6 = alloca double, align 8
  %7 = alloca double, align 8
  %8 = alloca double, align 8
  %9 = alloca i32, align 4
  %10 = alloca i32, align 4
  %11 = alloca i32, align 4
  store ptr %0, ptr %3, align 8, !tbaa !9
  store ptr %1, ptr %4, align 8, !tbaa !9
  call void @llvm.lifetime.start.p0(i64 8, ptr %5) #7
  %12 = load ptr, ptr %3, align 8, !tbaa !9
  %13 = getelementptr inbounds %struct.quat, ptr %12, i32 0, i32 1
  %14 = load double, ptr %13, align 8, !tbaa !22
  store double %14, ptr %5, align 8, !tbaa !11
  call void @llvm.lifetime.start.p0(i64 8, ptr %6) #7
  %15 = load ptr, ptr %3, align 8, !tbaa !9
  %16 = getelementptr inbounds %struct.quat, ptr %15, i32 0, i32 2
  %17 = load double, ptr %16, align 8, !tbaa !23
  store double %17, ptr %6, align 8, !tbaa !11
  call void @llvm.lifetime.start.p0(i64 8, ptr %7) #7
  %18 = load ptr, ptr %3, align 8, !tbaa !9
  %19 = getelementptr inbounds %struct.quat, ptr %18, i32 0, i32 3
  %20 = load double, ptr %19, align 8, !tbaa !24
  store double %20, ptr %7, align 8, !tbaa !11
  call void @llvm.lifetime.start.p0(i64 8, ptr %8) #7
  %21 = load ptr, ptr %3, align 8, !tbaa !9
  %22 = getelementptr inbounds %struct.quat, ptr %21, i32 0, i32 0
  %23 = load double, ptr %22, align 8, !tbaa !19
  store double %23, ptr %8, align 8, !tbaa !11
  call void @llvm.lifetime.start.p0(i64 4, ptr %9) #7
  store i32 0, ptr %9, align 4, !tbaa !5
  br label %24

24:                                               ; preds = %50, %2
  %25 = load i32, ptr %9, align 4, !tbaa !5
  %26 = icmp slt i32 %25, 4
  br i1 %26, label %28, label %27

27:                                               ; preds = %24
  store i32 2, ptr %10, align 4
  call void @llvm.lifetime.end.p0(i64 4, ptr %9) #7
  br label %53

28:                                               ; preds = %24
  call void @llvm.lifetime.start.p0(i64 4, ptr %11) #7
  store i32 0, ptr %11, align 4, !tbaa !5
  br label %29

29:                                               ; preds = %46, %28
  %30 = load i32, ptr %11, align 4, !tbaa !5
  %31 = icmp slt i32 %30, 4
  br i1 %31, label %33, label %32

32:                                               ; preds = %29
  store i32 5, ptr %10, align 4
  call void @llvm.lifetime.end.p0(i64 4, ptr %11) #7
  br label %49

33:                                               ; preds = %29
  %34 = load i32, ptr %9, align 4, !tbaa !5
  %35 = load i32, ptr %11, align 4, !tbaa !5
  %36 = icmp eq i32 %34, %35
  %37 = zext i1 %36 to i32
  %38 = sitofp i32 %37 to double
  %39 = load ptr, ptr %4, align 8, !tbaa !9
  %40 = load i32, ptr %9, align 4, !tbaa !5
  %41 = sext i32 %40 to i64
  %42 = getelementptr inbounds [4 x double], ptr %39, i64 %41
  %43 = load i32, ptr %11, align 4, !tbaa !5
  %44 = sext i32 %43 to i64
  %45 = getelementptr inbounds [4 x double], ptr %42, i64 0, i64 %44
  store double %38, ptr %45, align 8, !tbaa !11
  br label %46

46:                                               ; preds = %33
  %47 = load i32, ptr %11, align 4, !tbaa !5
  %48 = add nsw i32 %47, 1
  store i32 %48, ptr %11, align 4, !tbaa !5
  br label %29, !llvm.loop !25

49:                                               ; preds = %32
  br label %50

50:                                               ; preds = %49
  %51 = load i32, ptr %9, align 4, !tbaa !5
  %52 = add nsw i32 %51, 1
  store i32 %52, ptr %9, align 4, !tbaa !5
  br label %24, !llvm.loop !26

53:                                               ; preds = %27
  %54 = load double, ptr %6, align 8, !tbaa !11
  %55 = load double, ptr %6, align 8, !tbaa !11
  %56 = load double, ptr %7, align 8, !tbaa !11
  %57 = load double, ptr %7, align 8, !tbaa !11
  %58 = fmul double %56, %57
  %59 = call double @llvm.fmuladd.f64(double %54, double %55, double %58)
  %60 = call double @llvm.fmuladd.f64(double -2.000000e+00, double %59, double 1.000000e+00)
  %61 = load ptr, ptr %4, align 8, !tbaa !9
  %62 = getelementptr inbounds [4 x double], ptr %61, i64 0
  %63 = getelementptr inbounds [4 x double], ptr %62, i64 0, i64 0
  store double %60, ptr %63, align 8, !tbaa !11
  %64 = load double, ptr %5, align 8, !tbaa !11
  %65 = load double, ptr %6, align 8, !tbaa !11
  %66 = load double, ptr %8, align 8, !tbaa !11
  %67 = load double, ptr %7, align 8, !tbaa !11
  %68 = fmul double %66, %67
  %69 = fneg double %68
  %70 = call double @llvm.fmuladd.f64(double %64, double %65, double %69)
  %71 = fmul double 2.000000e+00, %70
  %72 = load ptr, ptr %4, align 8, !tbaa !9
  %73 = getelementptr inbounds [4 x double], ptr %72, i64 0
  %74 = getelementptr inbounds [4 x double], ptr %73, i64 0, i64 1
  store double %71, ptr %74, align 8, !tbaa !11
  %75 = load double, ptr %5, align 8, !tbaa !11
  %76 = load double, ptr %7, align 8, !tbaa !11
  %77 = load double, ptr %8, align 8, !tbaa !11
  %78 = load double, ptr %6, align 8, !tbaa !11
  %79 = fmul double %77, %78
  %80 = call double @llvm.fmuladd.f64(double %75, double %76, double %79)
  %81 = fmul double 2.000000e+00, %80
  %82 = load ptr, ptr %4, align 8, !tbaa !9
  %83 = getelementptr inbounds [4 x double], ptr %82, i64 0
  %84 = getelementptr inbounds [4 x double], ptr %83, i64 0, i64 2
  store double %81, ptr %84, align 8, !tbaa !11
  %85 = load double, ptr %5, align 8, !tbaa !11
  %86 = load double, ptr %6, align 8, !tbaa !11
  %87 = load double, ptr %8, align 8, !tbaa !11
  %88 = load double, ptr %7, align 8, !tbaa !11
  %89 = fmul double %87, %88
  %90 = call double @llvm.fmuladd.f64(double %85, double %86, double %89)
  %91 = fmul double 2.000000e+00, %90
  %92 = load ptr, ptr %4, align 8, !tbaa !9
  %93 = getelementptr inbounds [4 x double], ptr %92, i64 1
  %94 = getelementptr inbounds [4 x double], ptr %93, i64 0, i64 0
  store double %91, ptr %94, align 8, !tbaa !11
  %95 = load double, ptr %5, align 8, !tbaa !11
  %96 = load double, ptr %5, align 8, !tbaa !11
  %97 = load double, ptr %7, align 8, !tbaa !11
  %98 = load double, ptr %7, align 8, !tbaa !11
  %99 = fmul double %97, %98
  %100 = call double @llvm.fmuladd.f64(double %95, double %96, double %99)
  %101 = call double @llvm.fmuladd.f64(double -2.000000e+00, double %100, double 1.000000e+00)
  %102 = load ptr, ptr %4, align 8, !tbaa !9
  %103 = getelementptr inbounds [4 x double], ptr %102, i64 1
  %104 = getelementptr inbounds [4 x double], ptr %103, i64 0, i64 1
  store double %101, ptr %104, align 8, !tbaa !11
  %105 = load double, ptr %6, align 8, !tbaa !11
  %106 = load double, ptr %7, align 8, !tbaa !11
  %107 = load double, ptr %8, align 8, !tbaa !11
  %108 = load double, ptr %5, align 8, !tbaa !11
  %109 = fmul double %107, %108
  %110 = fneg double %109
  %111 = call double @llvm.fmuladd.f64(double %105, double %106, double %110)
  %112 = fmul double 2.000000e+00, %111
  %113 = load ptr, ptr %4, align 8, !tbaa !9
  %114 = getelementptr inbounds [4 x double], ptr %113, i64 1
  %115 = getelementptr inbounds [4 x double], ptr %114, i64 0, i64 2
  store double %112, ptr %115, align 8, !tbaa !11
  %116 = load double, ptr %5, align 8, !tbaa !11
  %117 = load double, ptr %7, align 8, !tbaa !11
  %118 = load double, ptr %8, align 8, !tbaa !11
  %119 = load double, ptr %6, align 8, !tbaa !11
  %120 = fmul double %118, %119
  %121 = fneg double %120
  %122 = call double @llvm.fmuladd.f64(double %116, double %117, double %121)
  %123 = fmul double 2.000000e+00, %122
  %124 = load ptr, ptr %4, align 8, !tbaa !9
  %125 = getelementptr inbounds [4 x double], ptr %124, i64 2
  %126 = getelementptr inbounds [4 x double], ptr %125, i64 0, i64 0
  store double %123, ptr %126, align 8, !tbaa !11
  %127 = load double, ptr %6, align 8, !tbaa !11
  %128 = load double, ptr %7, align 8, !tbaa !11
  %129 = load double, ptr %8, align 8, !tbaa !11
  %130 = load double, ptr %5, align 8, !tbaa !11
  %131 = fmul double %129, %130
  %132 = call double @llvm.fmuladd.f64(double %127, double %128, double %131)
  %133 = fmul double 2.000000e+00, %132
  %134 = load ptr, ptr %4, align 8, !tbaa !9
  %135 = getelementptr inbounds [4 x double], ptr %134, i64 2
  %136 = getelementptr inbounds [4 x double], ptr %135, i64 0, i64 1
  store double %133, ptr %136, align 8, !tbaa !11
  %137 = load double, ptr %5, align 8, !tbaa !11
  %138 = load double, ptr %5, align 8, !tbaa !11
  %139 = load double, ptr %6, align 8, !tbaa !11
  %140 = load double, ptr %6, align 8, !tbaa !11
  %141 = fmul double %139, %140
  %142 = call double @llvm.fmuladd.f64(double %137, double %138, double %141)
  %143 = call double @llvm.fmuladd.f64(double -2.000000e+00, double %142, double 1.000000e+00)
  %144 = load ptr, ptr %4, align 8, !tbaa !9
  %145 = getelementptr inbounds [4 x double], ptr %144, i64 2
  %146 = getelementptr inbounds [4 x double], ptr %145, i64 0, i64 2
  store double %143, ptr %146, align 8, !tbaa !11
  call void @llvm.lifetime.end.p0(i64 8, ptr %8) #7
  call void @llvm.lifetime.end.p0(i64 8, ptr %7) #7
  call void @llvm.lifetime.end.p0(i64 8, ptr %6) #7
  call void @llvm.lifetime.end.p0(i64 8, ptr %5) #7
  ret void
}

; Function Attrs: nounwind uwtable
define internal void @multiply(ptr dead_on_unwind noalias writable sret(%struct.quat) align 8 %0, ptr noundef byval(%struct.quat) align 8 %1, ptr noundef byval(%struct.quat) align 8 %2) #0 {
  %4 = getelementptr inbounds %struct.quat, ptr %1, i32 0, i32 0
  %5 = load double, ptr %4, align 8, !tbaa !19
  %6 = getelementptr inbounds %struct.quat, ptr %2, i32 0, i32 0
  %7 = load double, ptr %6, align 8, !tbaa !19
  %8 = getelementptr inbounds %struct.quat, ptr %1, i32 0, i32 1
  %9 = load double, ptr %8, align 8, !tbaa !22
  %10 = getelementptr inbounds %struct.quat, ptr %2, i32 0, i32 1
  %11 = load double, ptr %10, align 8, !tbaa !22
  %12 = fmul double %9, %11
  %13 = fneg double %12
  %14 = call double @llvm.fmuladd.f64(double %5, double %7, double %13)
  %15 = getelementptr inbounds %struct.quat, ptr %1, i32 0, i32 2
  %16 = load double, ptr %15, align 8, !tbaa !23
  %17 = getelementptr inbounds %struct.quat, ptr %2, i32 0, i32 2
  %18 = load double, ptr %17, align 8, !tbaa !23
  %19 = fneg double %16
  %20 = call double @llvm.fmuladd.f64(double %19, double %18, double %14)
  %21 = getelementptr inbounds %struct.quat, ptr %1, i32 0, i32 3
  %22 = load double, ptr %21, align 8, !tbaa !24
  %23 = getelementptr inbounds %struct.quat, ptr %2, i32 0, i32 3
  %24 = load double, ptr %23, align 8, !tbaa !24
  %25 = fneg double %22
  %26 = call double @llvm.fmuladd.f64(double %25, double %24, double %20)
  %27 = getelementptr inbounds %struct.quat, ptr %0, i32 0, i32 0
  store double %26, ptr %27, align 8, !tbaa !19
  %28 = getelementptr inbounds %struct.quat, ptr %1, i32 0, i32 0
  %29 = load double, ptr %28, align 8, !tbaa !19
  %30 = getelementptr inbounds %struct.quat, ptr %2, i32 0, i32 1
  %31 = load double, ptr %30, align 8, !tbaa !22
  %32 = getelementptr inbounds %struct.quat, ptr %1, i32 0, i32 1
  %33 = load double, ptr %32, align 8, !tbaa !22
  %34 = getelementptr inbounds %struct.quat, ptr %2, i32 0, i32 0
  %35 = load double, ptr %34, align 8, !tbaa !19
  %36 = fmul double %33, %35
  %37 = call double @llvm.fmuladd.f64(double %29, double %31, double %36)
  %38 = getelementptr inbounds %struct.quat, ptr %1, i32 0, i32 2
  %39 = load double, ptr %38, align 8, !tbaa !23
  %40 = getelementptr inbounds %struct.quat, ptr %2, i32 0, i32 3
  %41 = load double, ptr %40, align 8, !tbaa !24
  %42 = call double @llvm.fmuladd.f64(double %39, double %41, double %37)
  %43 = getelementptr inbounds %struct.quat, ptr %1, i32 0, i32 3
  %44 = load double, ptr %43, align 8, !tbaa !24
  %45 = getelementptr inbounds %struct.quat, ptr %2, i32 0, i32 2
  %46 = load double, ptr %45, align 8, !tbaa !23
  %47 = fneg double %44
  %48 = call double @llvm.fmuladd.f64(double %47, double %46, double %42)
  %49 = getelementptr inbounds %struct.quat, ptr %0, i32 0, i32 1
  store double %48, ptr %49, align 8, !tbaa !22
  %50 = getelementptr inbounds %struct.quat, ptr %1, i32 0, i32 0
  %51 = load double, ptr %50, align 8, !tbaa !19
  %52 = getelementptr inbounds %struct.quat, ptr %2, i32 0, i32 2
  %53 = load double, ptr %52, align 8, !tbaa !23
  %54 = getelementptr inbounds %struct.quat, ptr %1, i32 0, i32 1
  %55 = load double, ptr %54, align 8, !tbaa !22
  %56 = getelementptr inbounds %struct.quat, ptr %2, i32 0, i32 3
  %57 = load double, ptr %56, align 8, !tbaa !24
  %58 = fmul double %55, %57
  %59 = fneg double %58
  %60 = call double @llvm.fmuladd.f64(double %51, double %53, double %59)
  %61 = getelementptr inbounds %struct.quat, ptr %1, i32 0, i32 2
  %62 = load double, ptr %61, align 8, !tbaa !23
  %63 = getelementptr inbounds %struct.quat, ptr %2, i32 0, i32 0
  %64 = load double, ptr %63, align 8, !tbaa !19
  %65 = call double @llvm.fmuladd.f64(double %62, double %64, double %60)
  %66 = getelementptr inbounds %struct.quat, ptr %1, i32 0, i32 3
  %67 = load double, ptr %66, align 8, !tbaa !24
  %68 = getelementptr inbounds %struct.quat, ptr %2, i32 0, i32 1
  %69 = load double, ptr %68, align 8, !tbaa !22
  %70 = call double @llvm.fmuladd.f64(double %67, double %69, double %65)
  %71 = getelementptr inbounds %struct.quat, ptr %0, i32 0, i32 2
  store double %70, ptr %71, align 8, !tbaa !23
  %72 = getelementptr inbounds %struct.quat, ptr %1, i32 0, i32 0
  %73 = load double, ptr %72, align 8, !tbaa !19
  %74 = getelementptr inbounds %struct.quat, ptr %2, i32 0, i32 3
  %75 = load double, ptr %74, align 8, !tbaa !24
  %76 = getelementptr inbounds %struct.quat, ptr %1, i32 0, i32 1
  %77 = load double, ptr %76, align 8, !tbaa !22
  %78 = getelementptr inbounds %struct.quat, ptr %2, i32 0, i32 2
  %79 = load double, ptr %78, align 8, !tbaa !23
  %80 = fmul double %77, %79
  %81 = call double @llvm.fmuladd.f64(double %73, double %75, double %80)
  %82 = getelementptr inbounds %struct.quat, ptr %1, i32 0, i32 2
  %83 = load double, ptr %82, align 8, !tbaa !23
  %84 = getelementptr inbounds %struct.quat, ptr %2, i32 0, i32 1
  %85 = load double, ptr %84, align 8, !tbaa !22
  %86 = fneg double %83
  %87 = call double @llvm.fmuladd.f64(double %86, double %85, double %81)
  %88 = getelementptr inbounds %struct.quat, ptr %1, i32 0, i32 3
  %89 = load double, ptr %88, align 8, !tbaa !24
  %90 = getelementptr inbounds %struct.quat, ptr %2, i32 0, i32 0
  %91 = load double, ptr %90, align 8, !tbaa !19
  %92 = call double @llvm.fmuladd.f64(double %89, double %91, double %87)
  %93 = getelementptr inbounds %struct.quat, ptr %0, i32 0, i32 3
  store double %92, ptr %93, align 8, !tbaa !24
  ret void
}

; Function Attrs: nounwind uwtable
define internal void @product(ptr noundef %0, ptr noundef %1, ptr noundef %2) #0 {
  %4 = alloca ptr, align 8
  %5 = alloca ptr, align 8
  %6 = alloca ptr, align 8
  %7 = alloca i32, align 4
  %8 = alloca i32, align 4
  %9 = alloca i32, align 4
  %10 = alloca double, align 8
  %11 = alloca i32, align 4
  store ptr %0, ptr %4, align 8, !tbaa !9
  store ptr %1, ptr %5, align 8, !tbaa !9
  store ptr %2, ptr %6, align 8, !tbaa !9
  call void @llvm.lifetime.start.p0(i64 4, ptr %7) #7
  store i32 0, ptr %7, align 4, !tbaa !5
  br label %12

12:                                               ; preds = %61, %3
  %13 = load i32, ptr %7, align 4, !tbaa !5
  %14 = icmp slt i32 %13, 4
  br i1 %14, label %16, label %15

15:                                               ; preds = %12
  store i32 2, ptr %8, align 4
  call void @llvm.lifetime.end.p0(i64 4, ptr %7) #7
  br label %64

16:                                               ; preds = %12
  call void @llvm.lifetime.start.p0(i64 4, ptr %9) #7
  store i32 0, ptr %9, align 4, !tbaa !5
  br label %17

17:                                               ; preds = %57, %16
  %18 = load i32, ptr %9, align 4, !tbaa !5
  %19 = icmp slt i32 %18, 4
  br i1 %19, label %21, label %20

20:                                               ; preds = %17
  store i32 5, ptr %8, align 4
  call void @llvm.lifetime.end.p0(i64 4, ptr %9) #7
  br label %60

21:                                               ; preds = %17
  call void @llvm.lifetime.start.p0(i64 8, ptr %10) #7
  store double 0.000000e+00, ptr %10, align 8, !tbaa !11
  call void @llvm.lifetime.start.p0(i64 4, ptr %11) #7
  store i32 0, ptr %11, align 4, !tbaa !5
  br label %22

22:                                               ; preds = %45, %21
  %23 = load i32, ptr %11, align 4, !tbaa !5
  %24 = icmp slt i32 %23, 4
  br i1 %24, label %26, label %25

25:                                               ; preds = %22
  store i32 8, ptr %8, align 4
  call void @llvm.lifetime.end.p0(i64 4, ptr %11) #7
  br label %48

26:                                               ; preds = %22
  %27 = load ptr, ptr %4, align 8, !tbaa !9
  %28 = load i32, ptr %7, align 4, !tbaa !5
  %29 = sext i32 %28 to i64
  %30 = getelementptr inbounds [4 x double], ptr %27, i64 %29
  %31 = load i32, ptr %11, align 4, !tbaa !5
  %32 = sext i32 %31 to i64
  %33 = getelementptr inbounds [4 x double], ptr %30, i64 0, i64 %32
  %34 = load double, ptr %33, align 8, !tbaa !11
  %35 = load ptr, ptr %5, align 8, !tbaa !9
  %36 = load i32, ptr %11, align 4, !tbaa !5
  %37 = sext i32 %36 to i64
  %38 = getelementptr inbounds [4 x double], ptr %35, i64 %37
  %39 = load i32, ptr %9, align 4, !tbaa !5
  %40 = sext i32 %39 to i64
  %41 = getelementptr inbounds [4 x double], ptr %38, i64 0, i64 %40
  %42 = load double, ptr %41, align 8, !tbaa !11
  %43 = load double, ptr %10, align 8, !tbaa !11
  %44 = call double @llvm.fmuladd.f64(double %34, double %42, double %43)
  store double %44, ptr %10, align 8, !tbaa !11
  br label %45

45:                                               ; preds = %26
  %46 = load i32, ptr %11, align 4, !tbaa !5
  %47 = add nsw i32 %46, 1
  store i32 %47, ptr %11, align 4, !tbaa !5
  br label %22, !llvm.loop !27

48:                                               ; preds = %25
  %49 = load double, ptr %10, align 8, !tbaa !11
  %50 = load ptr, ptr %6, align 8, !tbaa !9
  %51 = load i32, ptr %7, align 4, !tbaa !5
  %52 = sext i32 %51 to i64
  %53 = getelementptr inbounds [4 x double], ptr %50, i64 %52
  %54 = load i32, ptr %9, align 4, !tbaa !5
  %55 = sext i32 %54 to i64
  %56 = getelementptr inbounds [4 x double], ptr %53, i64 0, i64 %55
  store double %49, ptr %56, align 8, !tbaa !11
  call void @llvm.lifetime.end.p0(i64 8, ptr %10) #7
  br label %57

57:                                               ; preds = %48
  %58 = load i32, ptr %9, align 4, !tbaa !5
  %59 = add nsw i32 %58, 1
  store i32 %59, ptr %9, align 4, !tbaa !5
  br label %17, !llvm.loop !28

60:                                               ; preds = %20
  br label %61

61:                                               ; preds = %60
  %62 = load i32, ptr %7, align 4, !tbaa !5
  %63 = add nsw i32 %62, 1
  store i32 %63, ptr %7, align 4, !tbaa !5
  br label %12, !llvm.loop !29

64:                                               ; preds = %15
  ret void
}

; Function Attrs: nounwind uwtable
define internal void @copy(ptr noundef %0, ptr noundef %1) #0 {
  %3 = alloca ptr, align 8
  %4 = alloca ptr, align 8
  %5 = alloca i32, align 4
  %6 = alloca i32, align 4
  %7 = alloca i32, align 4
  store ptr %0, ptr %3, align 8, !tbaa !9
  store ptr %1, ptr %4, align 8, !tbaa !9
  call void @llvm.lifetime.start.p0(i64 4, ptr %5) #7
  store i32 0, ptr %5, align 4, !tbaa !5
  br label %8

8:                                                ; preds = %37, %2
  %9 = load i32, ptr %5, align 4, !tbaa !5
  %10 = icmp slt i32 %9, 4
  br i1 %10, label %12, label %11

11:                                               ; preds = %8
  store i32 2, ptr %6, align 4
  call void @llvm.lifetime.end.p0(i64 4, ptr %5) #7
  br label %40

12:                                               ; preds = %8
  call void @llvm.lifetime.start.p0(i64 4, ptr %7) #7
  store i32 0, ptr %7, align 4, !tbaa !5
  br label %13

13:                                               ; preds = %33, %12
  %14 = load i32, ptr %7, align 4, !tbaa !5
  %15 = icmp slt i32 %14, 4
  br i1 %15, label %17, label %16

16:                                               ; preds = %13
  store i32 5, ptr %6, align 4
  call void @llvm.lifetime.end.p0(i64 4, ptr %7) #7
  br label %36

17:                                               ; preds = %13
  %18 = load ptr, ptr %3, align 8, !tbaa !9
  %19 = load i32, ptr %5, align 4, !tbaa !5
  %20 = sext i32 %19 to i64
  %21 = getelementptr inbounds [4 x double], ptr %18, i64 %20
  %22 = load i32, ptr %7, align 4, !tbaa !5
  %23 = sext i32 %22 to i64
  %24 = getelementptr inbounds [4 x double], ptr %21, i64 0, i64 %23
  %25 = load double, ptr %24, align 8, !tbaa !11
  %26 = load ptr, ptr %4, align 8, !tbaa !9
  %27 = load i32, ptr %5, align 4, !tbaa !5
  %28 = sext i32 %27 to i64
  %29 = getelementptr inbounds [4 x double], ptr %26, i64 %28
  %30 = load i32, ptr %7, align 4, !tbaa !5
  %31 = sext i32 %30 to i64
  %32 = getelementptr inbounds [4 x double], ptr %29, i64 0, i64 %31
  store double %25, ptr %32, align 8, !tbaa !11
  br label %33

33:                                               ; preds = %17
  %34 = load i32, ptr %7, align 4, !tbaa !5
  %35 = add nsw i32 %34, 1
  store i32 %35, ptr %7, align 4, !tbaa !5
  br label %13, !llvm.loop !30

36:                                               ; preds = %16
  br label %37

37:                                               ; preds = %36
  %38 = load i32, ptr %5, align 4, !tbaa !5
  %39 = add nsw i32 %38, 1
  store i32 %39, ptr %5, align 4, !tbaa !5
  br label %8, !llvm.loop !31

40:                                               ; preds = %11
  ret void
}

; Function Attrs: nounwind uwtable
define internal void @transform(ptr dead_on_unwind noalias writable sret(%struct.vec) align 8 %0, ptr noundef %1, ptr noundef byval(%struct.vec) align 8 %2) #0 {
  %4 = alloca ptr, align 8
  store ptr %1, ptr %4, align 8, !tbaa !9
  %5 = load ptr, ptr %4, align 8, !tbaa !9
  %6 = getelementptr inbounds [4 x double], ptr %5, i64 0
  %7 = getelementptr inbounds [4 x double], ptr %6, i64 0, i64 0
  %8 = load double, ptr %7, align 8, !tbaa !11
  %9 = getelementptr inbounds %struct.vec, ptr %2, i32 0, i32 0
  %10 = load double, ptr %9, align 8, !tbaa !15
  %11 = load ptr, ptr %4, align 8, !tbaa !9
  %12 = getelementptr inbounds [4 x double], ptr %11, i64 0
  %13 = getelementptr inbounds [4 x double], ptr %12, i64 0, i64 1
  %14 = load double, ptr %13, align 8, !tbaa !11
  %15 = getelementptr inbounds %struct.vec, ptr %2, i32 0, i32 1
  %16 = load double, ptr %15, align 8, !tbaa !21
  %17 = fmul double %14, %16
  %18 = call double @llvm.fmuladd.f64(double %8, double %10, double %17)
  %19 = load ptr, ptr %4, align 8, !tbaa !9
  %20 = getelementptr inbounds [4 x double], ptr %19, i64 0
  %21 = getelementptr inbounds [4 x double], ptr %20, i64 0, i64 2
  %22 = load double, ptr %21, align 8, !tbaa !11
  %23 = getelementptr inbounds %struct.vec, ptr %2, i32 0, i32 2
  %24 = load double, ptr %23, align 8, !tbaa !32
  %25 = call double @llvm.fmuladd.f64(double %22, double %24, double %18)
  %26 = load ptr, ptr %4, align 8, !tbaa !9
  %27 = getelementptr inbounds [4 x double], ptr %26, i64 0
  %28 = getelementptr inbounds [4 x double], ptr %27, i64 0, i64 3
  %29 = load double, ptr %28, align 8, !tbaa !11
  %30 = fadd double %25, %29
  %31 = getelementptr inbounds %struct.vec, ptr %0, i32 0, i32 0
  store double %30, ptr %31, align 8, !tbaa !15
  %32 = load ptr, ptr %4, align 8, !tbaa !9
  %33 = getelementptr inbounds [4 x double], ptr %32, i64 1
  %34 = getelementptr inbounds [4 x double], ptr %33, i64 0, i64 0
  %35 = load double, ptr %34, align 8, !tbaa !11
  %36 = getelementptr inbounds %struct.vec, ptr %2, i32 0, i32 0
  %37 = load double, ptr %36, align 8, !tbaa !15
  %38 = load ptr, ptr %4, align 8, !tbaa !9
  %39 = getelementptr inbounds [4 x double], ptr %38, i64 1
  %40 = getelementptr inbounds [4 x double], ptr %39, i64 0, i64 1
  %41 = load double, ptr %40, align 8, !tbaa !11
  %42 = getelementptr inbounds %struct.vec, ptr %2, i32 0, i32 1
  %43 = load double, ptr %42, align 8, !tbaa !21
  %44 = fmul double %41, %43
  %45 = call double @llvm.fmuladd.f64(double %35, double %37, double %44)
  %46 = load ptr, ptr %4, align 8, !tbaa !9
  %47 = getelementptr inbounds [4 x double], ptr %46, i64 1
  %48 = getelementptr inbounds [4 x double], ptr %47, i64 0, i64 2
  %49 = load double, ptr %48, align 8, !tbaa !11
  %50 = getelementptr inbounds %struct.vec, ptr %2, i32 0, i32 2
  %51 = load double, ptr %50, align 8, !tbaa !32
  %52 = call double @llvm.fmuladd.f64(double %49, double %51, double %45)
  %53 = load ptr, ptr %4, align 8, !tbaa !9
  %54 = getelementptr inbounds [4 x double], ptr %53, i64 1
  %55 = getelementptr inbounds [4 x double], ptr %54, i64 0, i64 3
  %56 = load double, ptr %55, align 8, !tbaa !11
  %57 = fadd double %52, %56
  %58 = getelementptr inbounds %struct.vec, ptr %0, i32 0, i32 1
  store double %57, ptr %58, align 8, !tbaa !21
  %59 = load ptr, ptr %4, align 8, !tbaa !9
  %60 = getelementptr inbounds [4 x double], ptr %59, i64 2
  %61 = getelementptr inbounds [4 x double], ptr %60, i64 0, i64 0
  %62 = load double, ptr %61, align 8, !tbaa !11
  %63 = getelementptr inbounds %struct.vec, ptr %2, i32 0, i32 0
  %64 = load double, ptr %63, align 8, !tbaa !15
  %65 = load ptr, ptr %4, align 8, !tbaa !9
  %66 = getelementptr inbounds [4 x double], ptr %65, i64 2
  %67 = getelementptr inbounds [4 x double], ptr %66, i64 0, i64 1
  %68 = load double, ptr %67, align 8, !tbaa !11
  %69 = getelementptr inbounds %struct.vec, ptr %2, i32 0, i32 1
  %70 = load double, ptr %69, align 8, !tbaa !21
  %71 = fmul double %68, %70
  %72 = call double @llvm.fmuladd.f64(double %62, double %64, double %71)
  %73 = load ptr, ptr %4, align 8, !tbaa !9
  %74 = getelementptr inbounds [4 x double], ptr %73, i64 2
  %75 = getelementptr inbounds [4 x double], ptr %74, i64 0, i64 2
  %76 = load double, ptr %75, align 8, !tbaa !11
  %77 = getelementptr inbounds %struct.vec, ptr %2, i32 0, i32 2
  %78 = load double, ptr %77, align 8, !tbaa !32
  %79 = call double @llvm.fmuladd.f64(double %76, double %78, double %72)
  %80 = load ptr, ptr %4, align 8, !tbaa !9
  %81 = getelementptr inbounds [4 x double], ptr %80, i64 2
  %82 = getelementptr inbounds [4 x double], ptr %81, i64 0, i64 3
  %83 = load double, ptr %82, align 8, !tbaa !11
  %84 = fadd double %79, %83
  %85 = getelementptr inbounds %struct.vec, ptr %0, i32 0, i32 2
  store double %84, ptr %85, align 8, !tbaa !32
  ret void
}

; Function Attrs: nounwind uwtable
define internal double @invert(ptr noundef %0, ptr noundef %1) #0 {
  %3 = alloca ptr, align 8
  %4 = alloca ptr, align 8
  %5 = alloca [4 x [4 x double]], align 16
  %6 = alloca double, align 8
  %7 = alloca i32, align 4
  %8 = alloca i32, align 4
  %9 = alloca i32, align 4
  %10 = alloca i32, align 4
  %11 = alloca i32, align 4
  %12 = alloca i32, align 4
  %13 = alloca i32, align 4
  %14 = alloca double, align 8
  %15 = alloca double, align 8
  %16 = alloca i32, align 4
  %17 = alloca i32, align 4
  %18 = alloca double, align 8
  %19 = alloca i32, align 4
  store ptr %0, ptr %3, align 8, !tbaa !9
  store ptr %1, ptr %4, align 8, !tbaa !9
  call void @llvm.lifetime.start.p0(i64 128, ptr %5) #7
  call void @llvm.lifetime.start.p0(i64 8, ptr %6) #7
  store double 1.000000e+00, ptr %6, align 8, !tbaa !11
  %20 = load ptr, ptr %3, align 8, !tbaa !9
  %21 = getelementptr inbounds [4 x [4 x double]], ptr %5, i64 0, i64 0
  call void @copy(ptr noundef %20, ptr noundef %21)
  call void @llvm.lifetime.start.p0(i64 4, ptr %7) #7
  store i32 0, ptr %7, align 4, !tbaa !5
  br label %22

22:                                               ; preds = %49, %2
  %23 = load i32, ptr %7, align 4, !tbaa !5
  %24 = icmp slt i32 %23, 4
  br i1 %24, label %26, label %25

25:                                               ; preds = %22
  store i32 2, ptr %8, align 4
  call void @llvm.lifetime.end.p0(i64 4, ptr %7) #7
  br label %52

26:                                               ; preds = %22
  call void @llvm.lifetime.start.p0(i64 4, ptr %9) #7
  store i32 0, ptr %9, align 4, !tbaa !5
  br label %27

27:                                               ; preds = %45, %26
  %28 = load i32, ptr %9, align 4, !tbaa !5
  %29 = icmp slt i32 %28, 4
  br i1 %29, label %31, label %30

30:                                               ; preds = %27
  store i32 5, ptr %8, align 4
  call void @llvm.lifetime.end.p0(i64 4, ptr %9) #7
  br label %48

31:                                               ; preds = %27
  %32 = load i32, ptr %7, align 4, !tbaa !5
  %33 = load i32, ptr %9, align 4, !tbaa !5
  %34 = icmp eq i32 %32, %33
  %35 = zext i1 %34 to i64
  %36 = select i1 %34, i32 1, i32 0
  %37 = sitofp i32 %36 to double
  %38 = load ptr, ptr %4, align 8, !tbaa !9
  %39 = load i32, ptr %7, align 4, !tbaa !5
  %40 = sext i32 %39 to i64
  %41 = getelementptr inbounds [4 x double], ptr %38, i64 %40
  %42 = load i32, ptr %9, align 4, !tbaa !5
  %43 = sext i32 %42 to i64
  %44 = getelementptr inbounds [4 x double], ptr %41, i64 0, i64 %43
  store double %37, ptr %44, align 8, !tbaa !11
  br label %45

45:                                               ; preds = %31
  %46 = load i32, ptr %9, align 4, !tbaa !5
  %47 = add nsw i32 %46, 1
  store i32 %47, ptr %9, align 4, !tbaa !5
  br label %27, !llvm.loop !33

48:                                               ; preds = %30
  br label %49

49:                                               ; preds = %48
  %50 = load i32, ptr %7, align 4, !tbaa !5
  %51 = add nsw i32 %50, 1
  store i32 %51, ptr %7, align 4, !tbaa !5
  br label %22, !llvm.loop !34

52:                                               ; preds = %25
  call void @llvm.lifetime.start.p0(i64 4, ptr %10) #7
  store i32 0, ptr %10, align 4, !tbaa !5
  br label %53

53:                                               ; preds = %268, %52
  %54 = load i32, ptr %10, align 4, !tbaa !5
  %55 = icmp slt i32 %54, 4
  br i1 %55, label %57, label %56

56:                                               ; preds = %53
  store i32 8, ptr %8, align 4
  call void @llvm.lifetime.end.p0(i64 4, ptr %10) #7
  br label %271

57:                                               ; preds = %53
  call void @llvm.lifetime.start.p0(i64 4, ptr %11) #7
  %58 = load i32, ptr %10, align 4, !tbaa !5
  store i32 %58, ptr %11, align 4, !tbaa !5
  call void @llvm.lifetime.start.p0(i64 4, ptr %12) #7
  %59 = load i32, ptr %10, align 4, !tbaa !5
  %60 = add nsw i32 %59, 1
  store i32 %60, ptr %12, align 4, !tbaa !5
  br label %61

61:                                               ; preds = %86, %57
  %62 = load i32, ptr %12, align 4, !tbaa !5
  %63 = icmp slt i32 %62, 4
  br i1 %63, label %65, label %64

64:                                               ; preds = %61
  store i32 11, ptr %8, align 4
  call void @llvm.lifetime.end.p0(i64 4, ptr %12) #7
  br label %89

65:                                               ; preds = %61
  %66 = load i32, ptr %12, align 4, !tbaa !5
  %67 = sext i32 %66 to i64
  %68 = getelementptr inbounds [4 x [4 x double]], ptr %5, i64 0, i64 %67
  %69 = load i32, ptr %10, align 4, !tbaa !5
  %70 = sext i32 %69 to i64
  %71 = getelementptr inbounds [4 x double], ptr %68, i64 0, i64 %70
  %72 = load double, ptr %71, align 8, !tbaa !11
  %73 = call double @llvm.fabs.f64(double %72)
  %74 = load i32, ptr %11, align 4, !tbaa !5
  %75 = sext i32 %74 to i64
  %76 = getelementptr inbounds [4 x [4 x double]], ptr %5, i64 0, i64 %75
  %77 = load i32, ptr %10, align 4, !tbaa !5
  %78 = sext i32 %77 to i64
  %79 = getelementptr inbounds [4 x double], ptr %76, i64 0, i64 %78
  %80 = load double, ptr %79, align 8, !tbaa !11
  %81 = call double @llvm.fabs.f64(double %80)
  %82 = fcmp ogt double %73, %81
  br i1 %82, label %83, label %85

83:                                               ; preds = %65
  %84 = load i32, ptr %12, align 4, !tbaa !5
  store i32 %84, ptr %11, align 4, !tbaa !5
  br label %85

85:                                               ; preds = %83, %65
  br label %86

86:                                               ; preds = %85
  %87 = load i32, ptr %12, align 4, !tbaa !5
  %88 = add nsw i32 %87, 1
  store i32 %88, ptr %12, align 4, !tbaa !5
  br label %61, !llvm.loop !35

89:                                               ; preds = %64
  %90 = load i32, ptr %11, align 4, !tbaa !5
  %91 = load i32, ptr %10, align 4, !tbaa !5
  %92 = icmp ne i32 %90, %91
  br i1 %92, label %93, label %163

93:                                               ; preds = %89
  call void @llvm.lifetime.start.p0(i64 4, ptr %13) #7
  store i32 0, ptr %13, align 4, !tbaa !5
  br label %94

94:                                               ; preds = %157, %93
  %95 = load i32, ptr %13, align 4, !tbaa !5
  %96 = icmp slt i32 %95, 4
  br i1 %96, label %98, label %97

97:                                               ; preds = %94
  store i32 14, ptr %8, align 4
  call void @llvm.lifetime.end.p0(i64 4, ptr %13) #7
  br label %160

98:                                               ; preds = %94
  call void @llvm.lifetime.start.p0(i64 8, ptr %14) #7
  %99 = load i32, ptr %10, align 4, !tbaa !5
  %100 = sext i32 %99 to i64
  %101 = getelementptr inbounds [4 x [4 x double]], ptr %5, i64 0, i64 %100
  %102 = load i32, ptr %13, align 4, !tbaa !5
  %103 = sext i32 %102 to i64
  %104 = getelementptr inbounds [4 x double], ptr %101, i64 0, i64 %103
  %105 = load double, ptr %104, align 8, !tbaa !11
  store double %105, ptr %14, align 8, !tbaa !11
  %106 = load i32, ptr %11, align 4, !tbaa !5
  %107 = sext i32 %106 to i64
  %108 = getelementptr inbounds [4 x [4 x double]], ptr %5, i64 0, i64 %107
  %109 = load i32, ptr %13, align 4, !tbaa !5
  %110 = sext i32 %109 to i64
  %111 = getelementptr inbounds [4 x double], ptr %108, i64 0, i64 %110
  %112 = load double, ptr %111, align 8, !tbaa !11
  %113 = load i32, ptr %10, align 4, !tbaa !5
  %114 = sext i32 %113 to i64
  %115 = getelementptr inbounds [4 x [4 x double]], ptr %5, i64 0, i64 %114
  %116 = load i32, ptr %13, align 4, !tbaa !5
  %117 = sext i32 %116 to i64
  %118 = getelementptr inbounds [4 x double], ptr %115, i64 0, i64 %117
  store double %112, ptr %118, align 8, !tbaa !11
  %119 = load double, ptr %14, align 8, !tbaa !11
  %120 = load i32, ptr %11, align 4, !tbaa !5
  %121 = sext i32 %120 to i64
  %122 = getelementptr inbounds [4 x [4 x double]], ptr %5, i64 0, i64 %121
  %123 = load i32, ptr %13, align 4, !tbaa !5
  %124 = sext i32 %123 to i64
  %125 = getelementptr inbounds [4 x double], ptr %122, i64 0, i64 %124
  store double %119, ptr %125, align 8, !tbaa !11
  %126 = load ptr, ptr %4, align 8, !tbaa !9
  %127 = load i32, ptr %10, align 4, !tbaa !5
  %128 = sext i32 %127 to i64
  %129 = getelementptr inbounds [4 x double], ptr %126, i64 %128
  %130 = load i32, ptr %13, align 4, !tbaa !5
  %131 = sext i32 %130 to i64
  %132 = getelementptr inbounds [4 x double], ptr %129, i64 0, i64 %131
  %133 = load double, ptr %132, align 8, !tbaa !11
  store double %133, ptr %14, align 8, !tbaa !11
  %134 = load ptr, ptr %4, align 8, !tbaa !9
  %135 = load i32, ptr %11, align 4, !tbaa !5
  %136 = sext i32 %135 to i64
  %137 = getelementptr inbounds [4 x double], ptr %134, i64 %136
  %138 = load i32, ptr %13, align 4, !tbaa !5
  %139 = sext i32 %138 to i64
  %140 = getelementptr inbounds [4 x double], ptr %137, i64 0, i64 %139
  %141 = load double, ptr %140, align 8, !tbaa !11
  %142 = load ptr, ptr %4, align 8, !tbaa !9
  %143 = load i32, ptr %10, align 4, !tbaa !5
  %144 = sext i32 %143 to i64
  %145 = getelementptr inbounds [4 x double], ptr %142, i64 %144
  %146 = load i32, ptr %13, align 4, !tbaa !5
  %147 = sext i32 %146 to i64
  %148 = getelementptr inbounds [4 x double], ptr %145, i64 0, i64 %147
  store double %141, ptr %148, align 8, !tbaa !11
  %149 = load double, ptr %14, align 8, !tbaa !11
  %150 = load ptr, ptr %4, align 8, !tbaa !9
  %151 = load i32, ptr %11, align 4, !tbaa !5
  %152 = sext i32 %151 to i64
  %153 = getelementptr inbounds [4 x double], ptr %150, i64 %152
  %154 = load i32, ptr %13, align 4, !tbaa !5
  %155 = sext i32 %154 to i64
  %156 = getelementptr inbounds [4 x double], ptr %153, i64 0, i64 %155
  store double %149, ptr %156, align 8, !tbaa !11
  call void @llvm.lifetime.end.p0(i64 8, ptr %14) #7
  br label %157

157:                                              ; preds = %98
  %158 = load i32, ptr %13, align 4, !tbaa !5
  %159 = add nsw i32 %158, 1
  store i32 %159, ptr %13, align 4, !tbaa !5
  br label %94, !llvm.loop !36

160:                                              ; preds = %97
  %161 = load double, ptr %6, align 8, !tbaa !11
  %162 = fneg double %161
  store double %162, ptr %6, align 8, !tbaa !11
  br label %163

163:                                              ; preds = %160, %89
  call void @llvm.lifetime.start.p0(i64 8, ptr %15) #7
  %164 = load i32, ptr %10, align 4, !tbaa !5
  %165 = sext i32 %164 to i64
  %166 = getelementptr inbounds [4 x [4 x double]], ptr %5, i64 0, i64 %165
  %167 = load i32, ptr %10, align 4, !tbaa !5
  %168 = sext i32 %167 to i64
  %169 = getelementptr inbounds [4 x double], ptr %166, i64 0, i64 %168
  %170 = load double, ptr %169, align 8, !tbaa !11
  store double %170, ptr %15, align 8, !tbaa !11
  %171 = load double, ptr %15, align 8, !tbaa !11
  %172 = load double, ptr %6, align 8, !tbaa !11
  %173 = fmul double %172, %171
  store double %173, ptr %6, align 8, !tbaa !11
  call void @llvm.lifetime.start.p0(i64 4, ptr %16) #7
  store i32 0, ptr %16, align 4, !tbaa !5
  br label %174

174:                                              ; preds = %198, %163
  %175 = load i32, ptr %16, align 4, !tbaa !5
  %176 = icmp slt i32 %175, 4
  br i1 %176, label %178, label %177

177:                                              ; preds = %174
  store i32 17, ptr %8, align 4
  call void @llvm.lifetime.end.p0(i64 4, ptr %16) #7
  br label %201

178:                                              ; preds = %174
  %179 = load double, ptr %15, align 8, !tbaa !11
  %180 = load i32, ptr %10, align 4, !tbaa !5
  %181 = sext i32 %180 to i64
  %182 = getelementptr inbounds [4 x [4 x double]], ptr %5, i64 0, i64 %181
  %183 = load i32, ptr %16, align 4, !tbaa !5
  %184 = sext i32 %183 to i64
  %185 = getelementptr inbounds [4 x double], ptr %182, i64 0, i64 %184
  %186 = load double, ptr %185, align 8, !tbaa !11
  %187 = fdiv double %186, %179
  store double %187, ptr %185, align 8, !tbaa !11
  %188 = load double, ptr %15, align 8, !tbaa !11
  %189 = load ptr, ptr %4, align 8, !tbaa !9
  %190 = load i32, ptr %10, align 4, !tbaa !5
  %191 = sext i32 %190 to i64
  %192 = getelementptr inbounds [4 x double], ptr %189, i64 %191
  %193 = load i32, ptr %16, align 4, !tbaa !5
  %194 = sext i32 %193 to i64
  %195 = getelementptr inbounds [4 x double], ptr %192, i64 0, i64 %194
  %196 = load double, ptr %195, align 8, !tbaa !11
  %197 = fdiv double %196, %188
  store double %197, ptr %195, align 8, !tbaa !11
  br label %198

198:                                              ; preds = %178
  %199 = load i32, ptr %16, align 4, !tbaa !5
  %200 = add nsw i32 %199, 1
  store i32 %200, ptr %16, align 4, !tbaa !5
  br label %174, !llvm.loop !37

201:                                              ; preds = %177
  call void @llvm.lifetime.start.p0(i64 4, ptr %17) #7
  store i32 0, ptr %17, align 4, !tbaa !5
  br label %202

202:                                              ; preds = %264, %201
  %203 = load i32, ptr %17, align 4, !tbaa !5
  %204 = icmp slt i32 %203, 4
  br i1 %204, label %206, label %205

205:                                              ; preds = %202
  store i32 20, ptr %8, align 4
  call void @llvm.lifetime.end.p0(i64 4, ptr %17) #7
  br label %267

206:                                              ; preds = %202
  %207 = load i32, ptr %17, align 4, !tbaa !5
  %208 = load i32, ptr %10, align 4, !tbaa !5
  %209 = icmp eq i32 %207, %208
  br i1 %209, label %210, label %211

210:                                              ; preds = %206
  br label %264

211:                                              ; preds = %206
  call void @llvm.lifetime.start.p0(i64 8, ptr %18) #7
  %212 = load i32, ptr %17, align 4, !tbaa !5
  %213 = sext i32 %212 to i64
  %214 = getelementptr inbounds [4 x [4 x double]], ptr %5, i64 0, i64 %213
  %215 = load i32, ptr %10, align 4, !tbaa !5
  %216 = sext i32 %215 to i64
  %217 = getelementptr inbounds [4 x double], ptr %214, i64 0, i64 %216
  %218 = load double, ptr %217, align 8, !tbaa !11
  store double %218, ptr %18, align 8, !tbaa !11
  call void @llvm.lifetime.start.p0(i64 4, ptr %19) #7
  store i32 0, ptr %19, align 4, !tbaa !5
  br label %219

219:                                              ; preds = %260, %211
  %220 = load i32, ptr %19, align 4, !tbaa !5
  %221 = icmp slt i32 %220, 4
  br i1 %221, label %223, label %222

222:                                              ; preds = %219
  store i32 23, ptr %8, align 4
  call void @llvm.lifetime.end.p0(i64 4, ptr %19) #7
  br label %263

223:                                              ; preds = %219
  %224 = load double, ptr %18, align 8, !tbaa !11
  %225 = load i32, ptr %10, align 4, !tbaa !5
  %226 = sext i32 %225 to i64
  %227 = getelementptr inbounds [4 x [4 x double]], ptr %5, i64 0, i64 %226
  %228 = load i32, ptr %19, align 4, !tbaa !5
  %229 = sext i32 %228 to i64
  %230 = getelementptr inbounds [4 x double], ptr %227, i64 0, i64 %229
  %231 = load double, ptr %230, align 8, !tbaa !11
  %232 = load i32, ptr %17, align 4, !tbaa !5
  %233 = sext i32 %232 to i64
  %234 = getelementptr inbounds [4 x [4 x double]], ptr %5, i64 0, i64 %233
  %235 = load i32, ptr %19, align 4, !tbaa !5
  %236 = sext i32 %235 to i64
  %237 = getelementptr inbounds [4 x double], ptr %234, i64 0, i64 %236
  %238 = load double, ptr %237, align 8, !tbaa !11
  %239 = fneg double %224
  %240 = call double @llvm.fmuladd.f64(double %239, double %231, double %238)
  store double %240, ptr %237, align 8, !tbaa !11
  %241 = load double, ptr %18, align 8, !tbaa !11
  %242 = load ptr, ptr %4, align 8, !tbaa !9
  %243 = load i32, ptr %10, align 4, !tbaa !5
  %244 = sext i32 %243 to i64
  %245 = getelementptr inbounds [4 x double], ptr %242, i64 %244
  %246 = load i32, ptr %19, align 4, !tbaa !5
  %247 = sext i32 %246 to i64
  %248 = getelementptr inbounds [4 x double], ptr %245, i64 0, i64 %247
  %249 = load double, ptr %248, align 8, !tbaa !11
  %250 = load ptr, ptr %4, align 8, !tbaa !9
  %251 = load i32, ptr %17, align 4, !tbaa !5
  %252 = sext i32 %251 to i64
  %253 = getelementptr inbounds [4 x double], ptr %250, i64 %252
  %254 = load i32, ptr %19, align 4, !tbaa !5
  %255 = sext i32 %254 to i64
  %256 = getelementptr inbounds [4 x double], ptr %253, i64 0, i64 %255
  %257 = load double, ptr %256, align 8, !tbaa !11
  %258 = fneg double %241
  %259 = call double @llvm.fmuladd.f64(double %258, double %249, double %257)
  store double %259, ptr %256, align 8, !tbaa !11
  br label %260

260:                                              ; preds = %223
  %261 = load i32, ptr %19, align 4, !tbaa !5
  %262 = add nsw i32 %261, 1
  store i32 %262, ptr %19, align 4, !tbaa !5
  br label %219, !llvm.loop !38

263:                                              ; preds = %222
  call void @llvm.lifetime.end.p0(i64 8, ptr %18) #7
  br label %264

264:                                              ; preds = %263, %210
  %265 = load i32, ptr %17, align 4, !tbaa !5
  %266 = add nsw i32 %265, 1
  store i32 %266, ptr %17, align 4, !tbaa !5
  br label %202, !llvm.loop !39

267:                                              ; preds = %205
  call void @llvm.lifetime.end.p0(i64 8, ptr %15) #7
  call void @llvm.lifetime.end.p0(i64 4, ptr %11) #7
  br label %268

268:                                              ; preds = %267
  %269 = load i32, ptr %10, align 4, !tbaa !5
  %270 = add nsw i32 %269, 1
  store i32 %270, ptr %10, align 4, !tbaa !5
  br label %53, !llvm.loop !40

271:                                              ; preds = %56
  %272 = load double, ptr %6, align 8, !tbaa !11
  store i32 1, ptr %8, align 4
  call void @llvm.lifetime.end.p0(i64 8, ptr %6) #7
  call void @llvm.lifetime.end.p0(i64 128, ptr %5) #7
  ret double %272
}

declare i32 @printf(ptr noundef, ...) #4

; Function Attrs: nounwind
declare i64 @strtol(ptr noundef, ptr noundef, i32 noundef) #5

; Function Attrs: nounwind
declare double @sqrt(double noundef) #5

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare double @llvm.fmuladd.f64(double, double, double) #6

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare double @llvm.fabs.f64(double) #6

attributes #0 = { nounwind uwtable "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #1 = { nocallback nofree nosync nounwind willreturn memory(argmem: readwrite) }
attributes #2 = { inlinehint nounwind willreturn memory(read) uwtable "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #3 = { nocallback nofree nounwind willreturn memory(argmem: readwrite) }
attributes #4 = { "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #5 = { nounwind "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #6 = { nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #7 = { nounwind }
attributes #8 = { nounwind willreturn memory(read) }

!llvm.module.flags = !{!0, !1, !2, !3}
!llvm.ident = !{!4}

!0 = !{i32 1, !"wchar_size", i32 4}
!1 = !{i32 8, !"PIC Level", i32 2}
!2 = !{i32 7, !"PIE Level", i32 2}
!3 = !{i32 7, !"uwtable", i32 2}
!4 = !{!"Debian clang version 19.1.7 (3~deb12u1)"}
!5 = !{!6, !6, i64 0}
!6 = !{!"int", !7, i64 0}
!7 = !{!"omnipotent char", !8, i64 0}
!8 = !{!"Simple C/C++ TBAA"}
!9 = !{!10, !10, i64 0}
!10 = !{!"any pointer", !7, i64 0}
!11 = !{!12, !12, i64 0}
!12 = !{!"double", !7, i64 0}
!13 = !{i64 0, i64 8, !11, i64 8, i64 8, !11, i64 16, i64 8, !11, i64 24, i64 8, !11}
!14 = !{i64 0, i64 8, !11, i64 8, i64 8, !11, i64 16, i64 8, !11}
!15 = !{!16, !12, i64 0}
!16 = !{!"vec", !12, i64 0, !12, i64 8, !12, i64 16}
!17 = distinct !{!17, !18}
!18 = !{!"llvm.loop.mustprogress"}
!19 = !{!20, !12, i64 0}
!20 = !{!"quat", !12, i64 0, !12, i64 8, !12, i64 16, !12, i64 24}
!21 = !{!16, !12, i64 8}
!22 = !{!20, !12, i64 8}
!23 = !{!20, !12, i64 16}
!24 = !{!20, !12, i64 24}
!25 = distinct !{!25, !18}
!26 = distinct !{!26, !18}
!27 = distinct !{!27, !18}
!28 = distinct !{!28, !18}
!29 = distinct !{!29, !18}
!30 = distinct !{!30, !18}
!31 = distinct !{!31, !18}
!32 = !{!16, !12, i64 16}
!33 = distinct !{!33, !18}
!34 = distinct !{!34, !18}
!35 = distinct !{!35, !18}
!36 = distinct !{!36, !18}
!37 = distinct !{!37, !18}
!38 = distinct !{!38, !18}
!39 = distinct !{!39, !18}
!40 = distinct !{!40, !18}

; ModuleID = 'nbody.c'
source_filename = "nbody.c"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

%struct.body = type { [3 x double], [3 x double], double }

@.str = private unnamed_addr constant [6 x i8] c"%.9f\0A\00", align 1
@bodies = internal global [5 x %struct.body] [%struct.body { [3 x double] zeroinitializer, [3 x double] zeroinitializer, double 3.947840e+01 }, %struct.body { [3 x double] [double 4.840000e+00, double -1.160000e+00, double -1.000000e-01], [3 x double] [double 6.060000e-01, double 2.812000e+00, double -2.500000e-02], double 3.770000e-02 }, %struct.body { [3 x double] [double 0x4020AE147AE147AE, double 4.120000e+00, double -4.000000e-01], [3 x double] [double -1.011000e+00, double 1.826000e+00, double 0x3F813404EA4A8C15], double 1.130000e-02 }, %struct.body { [3 x double] [double 1.289000e+01, double -1.511000e+01, double -2.200000e-01], [3 x double] [double 1.083000e+00, double 8.687000e-01, double -1.080000e-02], double 1.700000e-03 }, %struct.body { [3 x double] [double 1.538000e+01, double -2.592000e+01, double 1.790000e-01], [3 x double] [double 0x3FEF53F7CED91687, double 5.940000e-01, double -3.470000e-02], double 2.000000e-03 }], align 16

; Function Attrs: nounwind uwtable
define dso_local i32 @main(i32 noundef %0, ptr noundef %1) #0 {
  %3 = alloca i32, align 4
  %4 = alloca i32, align 4
  %5 = alloca ptr, align 8
  %6 = alloca i32, align 4
  %7 = alloca i32, align 4
  store i32 0, ptr %3, align 4
  store i32 %0, ptr %4, align 4, !tbaa !5
  store ptr %1, ptr %5, align 8, !tbaa !9
  call void @llvm.lifetime.start.p0(i64 4, ptr %6) #6
  %8 = load i32, ptr %4, align 4, !tbaa !5
  %9 = icmp sgt i32 %8, 1
  br i1 %9, label %10, label %15

10:                                               ; preds = %2
  %11 = load ptr, ptr %5, align 8, !tbaa !9
  %12 = getelementptr inbounds ptr, ptr %11, i64 1
  %13 = load ptr, ptr %12, align 8, !tbaa !9
  %14 = call i32 @atoi(ptr noundef %13) #7
  br label %16

15:                                               ; preds = %2
  br label %16

16:                                               ; preds = %15, %10
  %17 = phi i32 [ %14, %10 ], [ 1000, %15 ]
  store i32 %17, ptr %6, align 4, !tbaa !5
  %18 = call double @energy()
  %19 = call i32 (ptr, ...) @printf(ptr noundef @.str, double noundef %18)
  call void @llvm.lifetime.start.p0(i64 4, ptr %7) #6
  store i32 0, ptr %7, align 4, !tbaa !5
  br label %20

20:                                               ; preds = %26, %16
  %21 = load i32, ptr %7, align 4, !tbaa !5
  %22 = load i32, ptr %6, align 4, !tbaa !5
  %23 = icmp slt i32 %21, %22
  br i1 %23, label %25, label %24

24:                                               ; preds = %20
  call void @llvm.lifetime.end.p0(i64 4, ptr %7) #6
  br label %29

25:                                               ; preds = %20
  call void @step(double noundef 1.000000e-03)
  br label %26

26:                                               ; preds = %25
  %27 = load i32, ptr %7, align 4, !tbaa !5
  %28 = add nsw i32 %27, 1
  store i32 %28, ptr %7, align 4, !tbaa !5
  br label %20, !llvm.loop !11

29:                                               ; preds = %24
  %30 = call double @energy()
  %31 = call i32 (ptr, ...) @printf(ptr noundef @.str, double noundef %30)
  call void @llvm.lifetime.end.p0(i64 4, ptr %6) #6
  ret i32 0
}

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.start.p0(i64 immarg, ptr nocapture) #1

; Function Attrs: inlinehint nounwind willreturn memory(read) uwtable
define available_externally i32 @atoi(ptr noundef nonnull %0) #2 {
  %2 = alloca ptr, align 8
  store ptr %0, ptr %2, align 8, !tbaa !9
  %3 = load ptr, ptr %2, align 8, !tbaa !9
  %4 = call i64 @strtol(ptr noundef %3, ptr noundef null, i32 noundef 10) #6
  %5 = trunc i64 %4 to i32
  ret i32 %5
}

declare i32 @printf(ptr noundef, ...) #3

; Function Attrs: nounwind uwtable
define internal double @energy() #0 {
  %1 = alloca double, align 8
  %2 = alloca i32, align 4
  %3 = alloca i32, align 4
  %4 = alloca ptr, align 8
  %5 = alloca i32, align 4
  %6 = alloca ptr, align 8
  %7 = alloca double, align 8
  %8 = alloca i32, align 4
  call void @llvm.lifetime.start.p0(i64 8, ptr %1) #6
  store double 0.000000e+00, ptr %1, align 8, !tbaa !13
  call void @llvm.lifetime.start.p0(i64 4, ptr %2) #6
  store i32 0, ptr %2, align 4, !tbaa !5
  br label %9

9:                                                ; preds = %113, %0
  %10 = load i32, ptr %2, align 4, !tbaa !5
  %11 = icmp slt i32 %10, 5
  br i1 %11, label %13, label %12

12:                                               ; preds = %9
  store i32 2, ptr %3, align 4
  call void @llvm.lifetime.end.p0(i64 4, ptr %2) #6
  br label %116

13:                                               ; preds = %9
  call void @llvm.lifetime.start.p0(i64 8, ptr %4) #6
  %14 = load i32, ptr %2, align 4, !tbaa !5
  %15 = sext i32 %14 to i64
  %16 = getelementptr inbounds [5 x %struct.body], ptr @bodies, i64 0, i64 %15
  store ptr %16, ptr %4, align 8, !tbaa !9
  %17 = load ptr, ptr %4, align 8, !tbaa !9
  %18 = getelementptr inbounds %struct.body, ptr %17, i32 0, i32 2
  %19 = load double, ptr %18, align 8, !tbaa !15
  %20 = fmul double 5.000000e-01, %19
  %21 = load ptr, ptr %4, align 8, !tbaa !9
  %22 = getelementptr inbounds %struct.body, ptr %21, i32 0, i32 1
  %23 = getelementptr inbounds [3 x double], ptr %22, i64 0, i64 0
  %24 = load double, ptr %23, align 8, !tbaa !13
  %25 = load ptr, ptr %4, align 8, !tbaa !9
  %26 = getelementptr inbounds %struct.body, ptr %25, i32 0, i32 1
  %27 = getelementptr inbounds [3 x double], ptr %26, i64 0, i64 0
  %28 = load double, ptr %27, align 8, !tbaa !13
  %29 = load ptr, ptr %4, align 8, !tbaa !9
  %30 = getelementptr inbounds %struct.body, ptr %29, i32 0, i32 1
  %31 = getelementptr inbounds [3 x double], ptr %30, i64 0, i64 1
  %32 = load double, ptr %31, align 8, !tbaa !13
  %33 = load ptr, ptr %4, align 8, !tbaa !9
  %34 = getelementptr inbounds %struct.body, ptr %33, i32 0, i32 1
  %35 = getelementptr inbounds [3 x double], ptr %34, i64 0, i64 1
  %36 = load double, ptr %35, align 8, !tbaa !13
  %37 = fmul double %32, %36
  %38 = call double @llvm.fmuladd.f64(double %24, double %28, double %37)
  %39 = load ptr, ptr %4, align 8, !tbaa !9
  %40 = getelementptr inbounds %struct.body, ptr %39, i32 0, i32 1
  %41 = getelementptr inbounds [3 x double], ptr %40, i64 0, i64 2
  %42 = load double, ptr %41, align 8, !tbaa !13
  %43 = load ptr, ptr %4, align 8, !tbaa !9
  %44 = getelementptr inbounds %struct.body, ptr %43, i32 0, i32 1
  %45 = getelementptr inbounds [3 x double], ptr %44, i64 0, i64 2
  %46 = load double, ptr %45, align 8, !tbaa !13
  %47 = call double @llvm.fmuladd.f64(double %42, double %46, double %38)
  %48 = load double, ptr %1, align 8, !tbaa !13
  %49 = call double @llvm.fmuladd.f64(double %20, double %47, double %48)
  store double %49, ptr %1, align 8, !tbaa !13
  call void @llvm.lifetime.start.p0(i64 4, ptr %5) #6
  %50 = load i32, ptr %2, align 4, !tbaa !5
  %51 = add nsw i32 %50, 1
  store i32 %51, ptr %5, align 4, !tbaa !5
  br label %52

52:                                               ; preds = %109, %13
  %53 = load i32, ptr %5, align 4, !tbaa !5
  %54 = icmp slt i32 %53, 5
  br i1 %54, label %56, label %55

55:                                               ; preds = %52
  store i32 5, ptr %3, align 4
  call void @llvm.lifetime.end.p0(i64 4, ptr %5) #6
  br label %112

56:                                               ; preds = %52
  call void @llvm.lifetime.start.p0(i64 8, ptr %6) #6
  %57 = load i32, ptr %5, align 4, !tbaa !5
  %58 = sext i32 %57 to i64
  %59 = getelementptr inbounds [5 x %struct.body], ptr @bodies, i64 0, i64 %58
  store ptr %59, ptr %6, align 8, !tbaa !9
  call void @llvm.lifetime.start.p0(i64 8, ptr %7) #6
  store double 0.000000e+00, ptr %7, align 8, !tbaa !13
  call void @llvm.lifetime.start.p0(i64 4, ptr %8) #6
  store i32 0, ptr %8, align 4, !tbaa !5
  br label %60

60:                                               ; preds = %93, %56
  %61 = load i32, ptr %8, align 4, !tbaa !5
  %62 = icmp slt i32 %61, 3
  br i1 %62, label %64, label %63

63:                                               ; preds = %60
  store i32 8, ptr %3, align 4
  call void @llvm.lifetime.end.p0(i64 4, ptr %8) #6
  br label %96

64:                                               ; preds = %60
  %65 = load ptr, ptr %4, align 8, !tbaa !9
  %66 = getelementptr inbounds %struct.body, ptr %65, i32 0, i32 0
  %67 = load i32, ptr %8, align 4, !tbaa !5
  %68 = sext i32 %67 to i64
  %69 = getelementptr inbounds [3 x double], ptr %66, i64 0, i64 %68
  %70 = load double, ptr %69, align 8, !tbaa !13
  %71 = load ptr, ptr %6, align 8, !tbaa !9
  %72 = getelementptr inbounds %struct.body, ptr %71, i32 0, i32 0
  %73 = load i32, ptr %8, align 4, !tbaa !5
  %74 = sext i32 %73 to i64
  %75 = getelementptr inbounds [3 x double], ptr %72, i64 0, i64 %74
  %76 = load double, ptr %75, align 8, !tbaa !13
  %77 = fsub double %70, %76
  %78 = load ptr, ptr %4, align 8, !tbaa !9
  %79 = getelementptr inbounds %struct.body, ptr %78, i32 0, i32 0
  %80 = load i32, ptr %8, align 4, !tbaa !5
  %81 = sext i32 %80 to i64
  %82 = getelementptr inbounds [3 x double], ptr %79, i64 0, i64 %81
  %83 = load double, ptr %82, align 8, !tbaa !13
  %84 = load ptr, ptr %6, align 8, !tbaa !9
  %85 = getelementptr inbounds %struct.body, ptr %84, i32 0, i32 0
  %86 = load i32, ptr %8, align 4, !tbaa !5
  %87 = sext i32 %86 to i64
  %88 = getelementptr inbounds [3 x double], ptr %85, i64 0, i64 %87
  %89 = load double, ptr %88, align 8, !tbaa !13
  %90 = fsub double %83, %89
  %91 = load double, ptr %7, align 8, !tbaa !13
  %92 = call double @llvm.fmuladd.f64(double %77, double %90, double %91)
  store double %92, ptr %7, align 8, !tbaa !13
  br label %93

93:                                               ; preds = %64
  %94 = load i32, ptr %8, align 4, !tbaa !5
  %95 = add nsw i32 %94, 1
  store i32 %95, ptr %8, align 4, !tbaa !5
  br label %60, !llvm.loop !17

96:                                               ; preds = %63
  %97 = load ptr, ptr %4, align 8, !tbaa !9
  %98 = getelementptr inbounds %struct.body, ptr %97, i32 0, i32 2
  %99 = load double, ptr %98, align 8, !tbaa !15
  %100 = load ptr, ptr %6, align 8, !tbaa !9
  %101 = getelementptr inbounds %struct.body, ptr %100, i32 0, i32 2
  %102 = load double, ptr %101, align 8, !tbaa !15
  %103 = fmul double %99, %102
  %104 = load double, ptr %7, align 8, !tbaa !13
  %105 = call double @sqrt(double noundef %104) #6
  %106 = fdiv double %103, %105
  %107 = load double, ptr %1, align 8, !tbaa !13
  %108 = fsub double %107, %106
  store double %108, ptr %1, align 8, !tbaa !13
  call void @llvm.lifetime.end.p0(i64 8, ptr %7) #6
  call void @llvm.lifetime.end.p0(i64 8, ptr %6) #6
  br label %109

109:                                              ; preds = %96
  %110 = load i32, ptr %5, align 4, !tbaa !5
  %111 = add nsw i32 %110, 1
  store i32 %111, ptr %5, align 4, !tbaa !5
  br label %52, !llvm.loop !18

112:                                              ; preds = %55
  call void @llvm.lifetime.end.p0(i64 8, ptr %4) #6
  br label %113

113:                                              ; preds = %112
  %114 = load i32, ptr %2, align 4, !tbaa !5
  %115 = add nsw i32 %114, 1
  store i32 %115, ptr %2, align 4, !tbaa !5
  br label %9, !llvm.loop !19

116:                                              ; preds = %12
  %117 = load double, ptr %1, align 8, !tbaa !13
  store i32 1, ptr %3, align 4
  call void @llvm.lifetime.end.p0(i64 8, ptr %1) #6
  ret double %117
}

; Function Attrs: nounwind uwtable
define internal void @step(double noundef %0) #0 {
  %2 = alloca double, align 8
  %3 = alloca i32, align 4
  %4 = alloca i32, align 4
  %5 = alloca i32, align 4
  %6 = alloca ptr, align 8
  %7 = alloca ptr, align 8
  %8 = alloca [3 x double], align 16
  %9 = alloca double, align 8
  %10 = alloca i32, align 4
  %11 = alloca double, align 8
  %12 = alloca i32, align 4
  %13 = alloca i32, align 4
  %14 = alloca i32, align 4
  store double %0, ptr %2, align 8, !tbaa !13
  call void @llvm.lifetime.start.p0(i64 4, ptr %3) #6
  store i32 0, ptr %3, align 4, !tbaa !5
  br label %15

15:                                               ; preds = %120, %1
  %16 = load i32, ptr %3, align 4, !tbaa !5
  %17 = icmp slt i32 %16, 5
  br i1 %17, label %19, label %18

18:                                               ; preds = %15
  store i32 2, ptr %4, align 4
  call void @llvm.lifetime.end.p0(i64 4, ptr %3) #6
  br label %123

19:                                               ; preds = %15
  call void @llvm.lifetime.start.p0(i64 4, ptr %5) #6
  %20 = load i32, ptr %3, align 4, !tbaa !5
  %21 = add nsw i32 %20, 1
  store i32 %21, ptr %5, align 4, !tbaa !5
  br label %22

22:                                               ; preds = %116, %19
  %23 = load i32, ptr %5, align 4, !tbaa !5
  %24 = icmp slt i32 %23, 5
  br i1 %24, label %26, label %25

25:                                               ; preds = %22
  store i32 5, ptr %4, align 4
  call void @llvm.lifetime.end.p0(i64 4, ptr %5) #6
  br label %119

26:                                               ; preds = %22
  call void @llvm.lifetime.start.p0(i64 8, ptr %6) #6
  %27 = load i32, ptr %3, align 4, !tbaa !5
  %28 = sext i32 %27 to i64
  %29 = getelementptr inbounds [5 x %struct.body], ptr @bodies, i64 0, i64 %28
  store ptr %29, ptr %6, align 8, !tbaa !9
  call void @llvm.lifetime.start.p0(i64 8, ptr %7) #6
  %30 = load i32, ptr %5, align 4, !tbaa !5
  %31 = sext i32 %30 to i64
  %32 = getelementptr inbounds [5 x %struct.body], ptr @bodies, i64 0, i64 %31
  store ptr %32, ptr %7, align 8, !tbaa !9
  call void @llvm.lifetime.start.p0(i64 24, ptr %8) #6
  call void @llvm.lifetime.start.p0(i64 8, ptr %9) #6
  store double 0.000000e+00, ptr %9, align 8, !tbaa !13
  call void @llvm.lifetime.start.p0(i64 4, ptr %10) #6
  store i32 0, ptr %10, align 4, !tbaa !5
  br label %33

33:                                               ; preds = %64, %26
  %34 = load i32, ptr %10, align 4, !tbaa !5
  %35 = icmp slt i32 %34, 3
  br i1 %35, label %37, label %36

36:                                               ; preds = %33
  store i32 8, ptr %4, align 4
  call void @llvm.lifetime.end.p0(i64 4, ptr %10) #6
  br label %67

37:                                               ; preds = %33
  %38 = load ptr, ptr %6, align 8, !tbaa !9
  %39 = getelementptr inbounds %struct.body, ptr %38, i32 0, i32 0
  %40 = load i32, ptr %10, align 4, !tbaa !5
  %41 = sext i32 %40 to i64
  %42 = getelementptr inbounds [3 x double], ptr %39, i64 0, i64 %41
  %43 = load double, ptr %42, align 8, !tbaa !13
  %44 = load ptr, ptr %7, align 8, !tbaa !9
  %45 = getelementptr inbounds %struct.body, ptr %44, i32 0, i32 0
  %46 = load i32, ptr %10, align 4, !tbaa !5
  %47 = sext i32 %46 to i64
  %48 = getelementptr inbounds [3 x double], ptr %45, i64 0, i64 %47
  %49 = load double, ptr %48, align 8, !tbaa !13
  %50 = fsub double %43, %49
  %51 = load i32, ptr %10, align 4, !tbaa !5
  %52 = sext i32 %51 to i64
  %53 = getelementptr inbounds [3 x double], ptr %8, i64 0, i64 %52
  store double %50, ptr %53, align 8, !tbaa !13
  %54 = load i32, ptr %10, align 4, !tbaa !5
  %55 = sext i32 %54 to i64
  %56 = getelementptr inbounds [3 x double], ptr %8, i64 0, i64 %55
  %57 = load double, ptr %56, align 8, !tbaa !13
  %58 = load i32, ptr %10, align 4, !tbaa !5
  %59 = sext i32 %58 to i64
  %60 = getelementptr inbounds [3 x double], ptr %8, i64 0, i64 %59
  %61 = load double, ptr %60, align 8, !tbaa !13
  %62 = load double, ptr %9, align 8, !tbaa !13
  %63 = call double @llvm.fmuladd.f64(double %57, double %61, double %62)
  store double %63, ptr %9, align 8, !tbaa !13
  br label %64

64:                                               ; preds = %37
  %65 = load i32, ptr %10, align 4, !tbaa !5
  %66 = add nsw i32 %65, 1
  store i32 %66, ptr %10, align 4, !tbaa !5
  br label %33, !llvm.loop !20

67:                                               ; preds = %36
  call void @llvm.lifetime.start.p0(i64 8, ptr %11) #6
  %68 = load double, ptr %2, align 8, !tbaa !13
  %69 = load double, ptr %9, align 8, !tbaa !13
  %70 = load double, ptr %9, align 8, !tbaa !13
  %71 = call double @sqrt(double noundef %70) #6
  %72 = fmul double %69, %71
  %73 = fdiv double %68, %72
  store double %73, ptr %11, align 8, !tbaa !13
  call void @llvm.lifetime.start.p0(i64 4, ptr %12) #6
  store i32 0, ptr %12, align 4, !tbaa !5
  br label %74

74:                                               ; preds = %112, %67
  %75 = load i32, ptr %12, align 4, !tbaa !5
  %76 = icmp slt i32 %75, 3
  br i1 %76, label %78, label %77

77:                                               ; preds = %74
  store i32 11, ptr %4, align 4
  call void @llvm.lifetime.end.p0(i64 4, ptr %12) #6
  br label %115

78:                                               ; preds = %74
  %79 = load i32, ptr %12, align 4, !tbaa !5
  %80 = sext i32 %79 to i64
  %81 = getelementptr inbounds [3 x double], ptr %8, i64 0, i64 %80
  %82 = load double, ptr %81, align 8, !tbaa !13
  %83 = load ptr, ptr %7, align 8, !tbaa !9
  %84 = getelementptr inbounds %struct.body, ptr %83, i32 0, i32 2
  %85 = load double, ptr %84, align 8, !tbaa !15
  %86 = fmul double %82, %85
  %87 = load double, ptr %11, align 8, !tbaa !13
  %88 = load ptr, ptr %6, align 8, !tbaa !9
  %89 = getelementptr inbounds %struct.body, ptr %88, i32 0, i32 1
  %90 = load i32, ptr %12, align 4, !tbaa !5
  %91 = sext i32 %90 to i64
  %92 = getelementptr inbounds [3 x double], ptr %89, i64 0, i64 %91
  %93 = load double, ptr %92, align 8, !tbaa !13
  %94 = fneg double %86
  %95 = call double @llvm.fmuladd.f64(double %94, double %87, double %93)
  store double %95, ptr %92, align 8, !tbaa !13
  %96 = load i32, ptr %12, align 4, !tbaa !5
  %97 = sext i32 %96 to i64
  %98 = getelementptr inbounds [3 x double], ptr %8, i64 0, i64 %97
  %99 = load double, ptr %98, align 8, !tbaa !13
  %100 = load ptr, ptr %6, align 8, !tbaa !9
  %101 = getelementptr inbounds %struct.body, ptr %100, i32 0, i32 2
  %102 = load double, ptr %101, align 8, !tbaa !15
  %103 = fmul double %99, %102
  %104 = load double, ptr %11, align 8, !tbaa !13
  %105 = load ptr, ptr %7, align 8, !tbaa !9
  %106 = getelementptr inbounds %struct.body, ptr %105, i32 0, i32 1
  %107 = load i32, ptr %12, align 4, !tbaa !5
  %108 = sext i32 %107 to i64
  %109 = getelementptr inbounds [3 x double], ptr %106, i64 0, i64 %108
  %110 = load double, ptr %109, align 8, !tbaa !13
  %111 = call double @llvm.fmuladd.f64(double %103, double %104, double %110)
  store double %111, ptr %109, align 8, !tbaa !13
  br label %112

112:                                              ; preds = %78
  %113 = load i32, ptr %12, align 4, !tbaa !5
  %114 = add nsw i32 %113, 1
  store i32 %114, ptr %12, align 4, !tbaa !5
  br label %74, !llvm.loop !21

115:                                              ; preds = %77
  call void @llvm.lifetime.end.p0(i64 8, ptr %11) #6
  call void @llvm.lifetime.end.p0(i64 8, ptr %9) #6
  call void @llvm.lifetime.end.p0(i64 24, ptr %8) #6
  call void @llvm.lifetime.end.p0(i64 8, ptr %7) #6
  call void @llvm.lifetime.end.p0(i64 8, ptr %6) #6
  br label %116

116:                                              ; preds = %115
  %117 = load i32, ptr %5, align 4, !tbaa !5
  %118 = add nsw i32 %117, 1
  store i32 %118, ptr %5, align 4, !tbaa !5
  br label %22, !llvm.loop !22

119:                                              ; preds = %25
  br label %120

120:                                              ; preds = %119
  %121 = load i32, ptr %3, align 4, !tbaa !5
  %122 = add nsw i32 %121, 1
  store i32 %122, ptr %3, align 4, !tbaa !5
  br label %15, !llvm.loop !23

123:                                              ; preds = %18
  call void @llvm.lifetime.start.p0(i64 4, ptr %13) #6
  store i32 0, ptr %13, align 4, !tbaa !5
  br label %124

124:                                              ; preds = %156, %123
  %125 = load i32, ptr %13, align 4, !tbaa !5
  %126 = icmp slt i32 %125, 5
  br i1 %126, label %128, label %127

127:                                              ; preds = %124
  store i32 14, ptr %4, align 4
  call void @llvm.lifetime.end.p0(i64 4, ptr %13) #6
  br label %159

128:                                              ; preds = %124
  call void @llvm.lifetime.start.p0(i64 4, ptr %14) #6
  store i32 0, ptr %14, align 4, !tbaa !5
  br label %129

129:                                              ; preds = %152, %128
  %130 = load i32, ptr %14, align 4, !tbaa !5
  %131 = icmp slt i32 %130, 3
  br i1 %131, label %133, label %132

132:                                              ; preds = %129
  store i32 17, ptr %4, align 4
  call void @llvm.lifetime.end.p0(i64 4, ptr %14) #6
  br label %155

133:                                              ; preds = %129
  %134 = load double, ptr %2, align 8, !tbaa !13
  %135 = load i32, ptr %13, align 4, !tbaa !5
  %136 = sext i32 %135 to i64
  %137 = getelementptr inbounds [5 x %struct.body], ptr @bodies, i64 0, i64 %136
  %138 = getelementptr inbounds %struct.body, ptr %137, i32 0, i32 1
  %139 = load i32, ptr %14, align 4, !tbaa !5
  %140 = sext i32 %139 to i64
  %141 = getelementptr inbounds [3 x double], ptr %138, i64 0, i64 %140
  %142 = load double, ptr %141, align 8, !tbaa !13
  %143 = load i32, ptr %13, align 4, !tbaa !5
  %144 = sext i32 %143 to i64
  %145 = getelementptr inbounds [5 x %struct.body], ptr @bodies, i64 0, i64 %144
  %146 = getelementptr inbounds %struct.body, ptr %145, i32 0, i32 0
  %147 = load i32, ptr %14, align 4, !tbaa !5
  %148 = sext i32 %147 to i64
  %149 = getelementptr inbounds [3 x double], ptr %146, i64 0, i64 %148
  %150 = load double, ptr %149, align 8, !tbaa !13
  %151 = call double @llvm.fmuladd.f64(double %134, double %142, double %150)
  store double %151, ptr %149, align 8, !tbaa !13
  br label %152

152:                                              ; preds = %133
  %153 = load i32, ptr %14, align 4, !tbaa !5
  %154 = add nsw i32 %153, 1
  store i32 %154, ptr %14, align 4, !tbaa !5
  br label %129, !llvm.loop !24

155:                                              ; preds = %132
  br label %156

156:                                              ; preds = %155
  %157 = load i32, ptr %13, align 4, !tbaa !5
  %158 = add nsw i32 %157, 1
  store i32 %158, ptr %13, align 4, !tbaa !5
  br label %124, !llvm.loop !25

159:                                              ; preds = %127
  ret void
}

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.end.p0(i64 immarg, ptr nocapture) #1

; Function Attrs: nounwind
declare i64 @strtol(ptr noundef, ptr noundef, i32 noundef) #4

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare double @llvm.fmuladd.f64(double, double, double) #5

; Function Attrs: nounwind
declare double @sqrt(double noundef) #4

attributes #0 = { nounwind uwtable "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #1 = { nocallback nofree nosync nounwind willreturn memory(argmem: readwrite) }
attributes #2 = { inlinehint nounwind willreturn memory(read) uwtable "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #3 = { "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #4 = { nounwind "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #5 = { nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #6 = { nounwind }
attributes #7 = { nounwind willreturn memory(read) }

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
!11 = distinct !{!11, !12}
!12 = !{!"llvm.loop.mustprogress"}
!13 = !{!14, !14, i64 0}
!14 = !{!"double", !7, i64 0}
!15 = !{!16, !14, i64 48}
!16 = !{!"body", !7, i64 0, !7, i64 24, !14, i64 48}
!17 = distinct !{!17, !12}
!18 = distinct !{!18, !12}
!19 = distinct !{!19, !12}
!20 = distinct !{!20, !12}
!21 = distinct !{!21, !12}
!22 = distinct !{!22, !12}
!23 = distinct !{!23, !12}
!24 = distinct !{!24, !12}
!25 = distinct !{!25, !12}

; ModuleID = 'sha256.c'
source_filename = "sha256.c"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

@__const.main.h = private unnamed_addr constant [8 x i32] [i32 1779033703, i32 -1150833019, i32 1013904242, i32 -1521486534, i32 1359893119, i32 -1694144372, i32 528734635, i32 1541459225], align 16
@.str = private unnamed_addr constant [5 x i8] c"%08x\00", align 1
@.str.1 = private unnamed_addr constant [2 x i8] c"\0A\00", align 1
@k = internal global [64 x i32] zeroinitializer, align 16

; Function Attrs: nounwind uwtable
define dso_local i32 @main(i32 noundef %0, ptr noundef %1) #0 {
  %3 = alloca i32, align 4
  %4 = alloca i32, align 4
  %5 = alloca ptr, align 8
  %6 = alloca i32, align 4
  %7 = alloca [8 x i32], align 16
  %8 = alloca [64 x i8], align 16
  %9 = alloca i32, align 4
  %10 = alloca i32, align 4
  %11 = alloca i32, align 4
  %12 = alloca i32, align 4
  store i32 0, ptr %3, align 4
  store i32 %0, ptr %4, align 4, !tbaa !5
  store ptr %1, ptr %5, align 8, !tbaa !9
  call void @llvm.lifetime.start.p0(i64 4, ptr %6) #7
  %13 = load i32, ptr %4, align 4, !tbaa !5
  %14 = icmp sgt i32 %13, 1
  br i1 %14, label %15, label %20

15:                                               ; preds = %2
  %16 = load ptr, ptr %5, align 8, !tbaa !9
  %17 = getelementptr inbounds ptr, ptr %16, i64 1
  %18 = load ptr, ptr %17, align 8, !tbaa !9
  %19 = call i32 @atoi(ptr noundef %18) #8
  br label %21

20:                                               ; preds = %2
  br label %21

21:                                               ; preds = %20, %15
  %22 = phi i32 [ %19, %15 ], [ 100, %20 ]
  store i32 %22, ptr %6, align 4, !tbaa !5
  call void @llvm.lifetime.start.p0(i64 32, ptr %7) #7
  call void @llvm.memcpy.p0.p0.i64(ptr align 16 %7, ptr align 16 @__const.main.h, i64 32, i1 false)
  call void @llvm.lifetime.start.p0(i64 64, ptr %8) #7
  call void @init()
  call void @llvm.lifetime.start.p0(i64 4, ptr %9) #7
  store i32 0, ptr %9, align 4, !tbaa !5
  br label %23

23:                                               ; preds = %49, %21
  %24 = load i32, ptr %9, align 4, !tbaa !5
  %25 = load i32, ptr %6, align 4, !tbaa !5
  %26 = icmp slt i32 %24, %25
  br i1 %26, label %28, label %27

27:                                               ; preds = %23
  store i32 2, ptr %10, align 4
  call void @llvm.lifetime.end.p0(i64 4, ptr %9) #7
  br label %52

28:                                               ; preds = %23
  call void @llvm.lifetime.start.p0(i64 4, ptr %11) #7
  store i32 0, ptr %11, align 4, !tbaa !5
  br label %29

29:                                               ; preds = %43, %28
  %30 = load i32, ptr %11, align 4, !tbaa !5
  %31 = icmp slt i32 %30, 64
  br i1 %31, label %33, label %32

32:                                               ; preds = %29
  store i32 5, ptr %10, align 4
  call void @llvm.lifetime.end.p0(i64 4, ptr %11) #7
  br label %46

33:                                               ; preds = %29
  %34 = load i32, ptr %9, align 4, !tbaa !5
  %35 = mul nsw i32 %34, 31
  %36 = load i32, ptr %11, align 4, !tbaa !5
  %37 = mul nsw i32 %36, 7
  %38 = add nsw i32 %35, %37
  %39 = trunc i32 %38 to i8
  %40 = load i32, ptr %11, align 4, !tbaa !5
  %41 = sext i32 %40 to i64
  %42 = getelementptr inbounds [64 x i8], ptr %8, i64 0, i64 %41
  store i8 %39, ptr %42, align 1, !tbaa !11
  br label %43

43:                                               ; preds = %33
  %44 = load i32, ptr %11, align 4, !tbaa !5
  %45 = add nsw i32 %44, 1
  store i32 %45, ptr %11, align 4, !tbaa !5
  br label %29, !llvm.loop !12

46:                                               ; preds = %32
  %47 = getelementptr inbounds [8 x i32], ptr %7, i64 0, i64 0
  %48 = getelementptr inbounds [64 x i8], ptr %8, i64 0, i64 0
  call void @block(ptr noundef %47, ptr noundef %48)
  br label %49

49:                                               ; preds = %46
  %50 = load i32, ptr %9, align 4, !tbaa !5
  %51 = add nsw i32 %50, 1
  store i32 %51, ptr %9, align 4, !tbaa !5
  br label %23, !llvm.loop !14

52:                                               ; preds = %27
  call void @llvm.lifetime.start.p0(i64 4, ptr %12) #7
  store i32 0, ptr %12, align 4, !tbaa !5
  br label %53

53:                                               ; preds = %63, %52
  %54 = load i32, ptr %12, align 4, !tbaa !5
  %55 = icmp slt i32 %54, 8
  br i1 %55, label %57, label %56

56:                                               ; preds = %53
  store i32 8, ptr %10, align 4
  call void @llvm.lifetime.end.p0(i64 4, ptr %12) #7
  br label %66

57:                                               ; preds = %53
  %58 = load i32, ptr %12, align 4, !tbaa !5
  %59 = sext i32 %58 to i64
  %60 = getelementptr inbounds [8 x i32], ptr %7, i64 0, i64 %59
  %61 = load i32, ptr %60, align 4, !tbaa !5
  %62 = call i32 (ptr, ...) @printf(ptr noundef @.str, i32 noundef %61)
  br label %63

63:                                               ; preds = %57
  %64 = load i32, ptr %12, align 4, !tbaa !5
  %65 = add nsw i32 %64, 1
  store i32 %65, ptr %12, align 4, !tbaa !5
  br label %53, !llvm.loop !15

66:                                               ; preds = %56
  %67 = call i32 (ptr, ...) @printf(ptr noundef @.str.1)
  store i32 0, ptr %3, align 4
  store i32 1, ptr %10, align 4
  call void @llvm.lifetime.end.p0(i64 64, ptr %8) #7
  call void @llvm.lifetime.end.p0(i64 32, ptr %7) #7
  call void @llvm.lifetime.end.p0(i64 4, ptr %6) #7
  %68 = load i32, ptr %3, align 4
  ret i32 %68
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
define internal void @init() #0 {
  %1 = alloca i32, align 4
  %2 = alloca i32, align 4
  %3 = alloca i32, align 4
  %4 = alloca i32, align 4
  %5 = alloca i32, align 4
  %6 = alloca double, align 8
  %7 = alloca i32, align 4
  call void @llvm.lifetime.start.p0(i64 4, ptr %1) #7
  store i32 2, ptr %1, align 4, !tbaa !5
  call void @llvm.lifetime.start.p0(i64 4, ptr %2) #7
  store i32 0, ptr %2, align 4, !tbaa !5
  br label %8

8:                                                ; preds = %74, %0
  %9 = load i32, ptr %2, align 4, !tbaa !5
  %10 = icmp slt i32 %9, 64
  br i1 %10, label %12, label %11

11:                                               ; preds = %8
  store i32 2, ptr %3, align 4
  call void @llvm.lifetime.end.p0(i64 4, ptr %2) #7
  br label %77

12:                                               ; preds = %8
  call void @llvm.lifetime.start.p0(i64 4, ptr %4) #7
  store i32 1, ptr %4, align 4, !tbaa !5
  call void @llvm.lifetime.start.p0(i64 4, ptr %5) #7
  store i32 2, ptr %5, align 4, !tbaa !5
  br label %13

13:                                               ; preds = %28, %12
  %14 = load i32, ptr %5, align 4, !tbaa !5
  %15 = load i32, ptr %5, align 4, !tbaa !5
  %16 = mul nsw i32 %14, %15
  %17 = load i32, ptr %1, align 4, !tbaa !5
  %18 = icmp sle i32 %16, %17
  br i1 %18, label %20, label %19

19:                                               ; preds = %13
  store i32 5, ptr %3, align 4
  call void @llvm.lifetime.end.p0(i64 4, ptr %5) #7
  br label %31

20:                                               ; preds = %13
  %21 = load i32, ptr %1, align 4, !tbaa !5
  %22 = load i32, ptr %5, align 4, !tbaa !5
  %23 = srem i32 %21, %22
  %24 = icmp ne i32 %23, 0
  %25 = zext i1 %24 to i32
  %26 = load i32, ptr %4, align 4, !tbaa !5
  %27 = and i32 %26, %25
  store i32 %27, ptr %4, align 4, !tbaa !5
  br label %28

28:                                               ; preds = %20
  %29 = load i32, ptr %5, align 4, !tbaa !5
  %30 = add nsw i32 %29, 1
  store i32 %30, ptr %5, align 4, !tbaa !5
  br label %13, !llvm.loop !16

31:                                               ; preds = %19
  %32 = load i32, ptr %4, align 4, !tbaa !5
  %33 = icmp ne i32 %32, 0
  br i1 %33, label %35, label %34

34:                                               ; preds = %31
  store i32 4, ptr %3, align 4
  br label %71

35:                                               ; preds = %31
  call void @llvm.lifetime.start.p0(i64 8, ptr %6) #7
  store double 1.000000e+00, ptr %6, align 8, !tbaa !17
  call void @llvm.lifetime.start.p0(i64 4, ptr %7) #7
  store i32 0, ptr %7, align 4, !tbaa !5
  br label %36

36:                                               ; preds = %56, %35
  %37 = load i32, ptr %7, align 4, !tbaa !5
  %38 = icmp slt i32 %37, 60
  br i1 %38, label %40, label %39

39:                                               ; preds = %36
  store i32 8, ptr %3, align 4
  call void @llvm.lifetime.end.p0(i64 4, ptr %7) #7
  br label %59

40:                                               ; preds = %36
  %41 = load double, ptr %6, align 8, !tbaa !17
  %42 = load double, ptr %6, align 8, !tbaa !17
  %43 = load double, ptr %6, align 8, !tbaa !17
  %44 = fmul double %42, %43
  %45 = load double, ptr %6, align 8, !tbaa !17
  %46 = load i32, ptr %1, align 4, !tbaa !5
  %47 = sitofp i32 %46 to double
  %48 = fneg double %47
  %49 = call double @llvm.fmuladd.f64(double %44, double %45, double %48)
  %50 = load double, ptr %6, align 8, !tbaa !17
  %51 = fmul double 3.000000e+00, %50
  %52 = load double, ptr %6, align 8, !tbaa !17
  %53 = fmul double %51, %52
  %54 = fdiv double %49, %53
  %55 = fsub double %41, %54
  store double %55, ptr %6, align 8, !tbaa !17
  br label %56

56:                                               ; preds = %40
  %57 = load i32, ptr %7, align 4, !tbaa !5
  %58 = add nsw i32 %57, 1
  store i32 %58, ptr %7, align 4, !tbaa !5
  br label %36, !llvm.loop !19

59:                                               ; preds = %39
  %60 = load double, ptr %6, align 8, !tbaa !17
  %61 = load double, ptr %6, align 8, !tbaa !17
  %62 = fptosi double %61 to i32
  %63 = sitofp i32 %62 to double
  %64 = fsub double %60, %63
  %65 = fmul double %64, 0x41F0000000000000
  %66 = fptoui double %65 to i32
  %67 = load i32, ptr %2, align 4, !tbaa !5
  %68 = add nsw i32 %67, 1
  store i32 %68, ptr %2, align 4, !tbaa !5
  %69 = sext i32 %67 to i64
  %70 = getelementptr inbounds [64 x i32], ptr @k, i64 0, i64 %69
  store i32 %66, ptr %70, align 4, !tbaa !5
  call void @llvm.lifetime.end.p0(i64 8, ptr %6) #7
  store i32 0, ptr %3, align 4
  br label %71

71:                                               ; preds = %59, %34
  call void @llvm.lifetime.end.p0(i64 4, ptr %4) #7
  %72 = load i32, ptr %3, align 4
  switch i32 %72, label %78 [
    i32 0, label %73
    i32 4, label %74
  ]

73:                                               ; preds = %71
  br label %74

74:                                               ; preds = %73, %71
  %75 = load i32, ptr %1, align 4, !tbaa !5
  %76 = add nsw i32 %75, 1
  store i32 %76, ptr %1, align 4, !tbaa !5
  br label %8, !llvm.loop !20

77:                                               ; preds = %11
  call void @llvm.lifetime.end.p0(i64 4, ptr %1) #7
  ret void

78:                                               ; preds = %71
  unreachable
}

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.end.p0(i64 immarg, ptr nocapture) #1

; Function Attrs: nounwind uwtable
define internal void @block(ptr noundef %0, ptr noundef %1) #0 {
  %3 = alloca ptr, align 8
  %4 = alloca ptr, align 8
  %5 = alloca [64 x i32], align 16
  %6 = alloca [8 x i32], align 16
  %7 = alloca i32, align 4
  %8 = alloca i32, align 4
  %9 = alloca i32, align 4
  %10 = alloca i32, align 4
  %11 = alloca i32, align 4
  %12 = alloca i32, align 4
  %13 = alloca i32, align 4
  %14 = alloca i32, align 4
  %15 = alloca i32, align 4
  %16 = alloca i32, align 4
  %17 = alloca i32, align 4
  store ptr %0, ptr %3, align 8, !tbaa !9
  store ptr %1, ptr %4, align 8, !tbaa !9
  call void @llvm.lifetime.start.p0(i64 256, ptr %5) #7
  call void @llvm.lifetime.start.p0(i64 32, ptr %6) #7
  call void @llvm.lifetime.start.p0(i64 4, ptr %7) #7
  store i32 0, ptr %7, align 4, !tbaa !5
  br label %18

18:                                               ; preds = %63, %2
  %19 = load i32, ptr %7, align 4, !tbaa !5
  %20 = icmp slt i32 %19, 16
  br i1 %20, label %22, label %21

21:                                               ; preds = %18
  call void @llvm.lifetime.end.p0(i64 4, ptr %7) #7
  br label %66

22:                                               ; preds = %18
  %23 = load ptr, ptr %4, align 8, !tbaa !9
  %24 = load i32, ptr %7, align 4, !tbaa !5
  %25 = mul nsw i32 4, %24
  %26 = sext i32 %25 to i64
  %27 = getelementptr inbounds i8, ptr %23, i64 %26
  %28 = load i8, ptr %27, align 1, !tbaa !11
  %29 = zext i8 %28 to i32
  %30 = shl i32 %29, 24
  %31 = load ptr, ptr %4, align 8, !tbaa !9
  %32 = load i32, ptr %7, align 4, !tbaa !5
  %33 = mul nsw i32 4, %32
  %34 = add nsw i32 %33, 1
  %35 = sext i32 %34 to i64
  %36 = getelementptr inbounds i8, ptr %31, i64 %35
  %37 = load i8, ptr %36, align 1, !tbaa !11
  %38 = zext i8 %37 to i32
  %39 = shl i32 %38, 16
  %40 = or i32 %30, %39
  %41 = load ptr, ptr %4, align 8, !tbaa !9
  %42 = load i32, ptr %7, align 4, !tbaa !5
  %43 = mul nsw i32 4, %42
  %44 = add nsw i32 %43, 2
  %45 = sext i32 %44 to i64
  %46 = getelementptr inbounds i8, ptr %41, i64 %45
  %47 = load i8, ptr %46, align 1, !tbaa !11
  %48 = zext i8 %47 to i32
  %49 = shl i32 %48, 8
  %50 = or i32 %40, %49
  %51 = load ptr, ptr %4, align 8, !tbaa !9
  %52 = load i32, ptr %7, align 4, !tbaa !5
  %53 = mul nsw i32 4, %52
  %54 = add nsw i32 %53, 3
  %55 = sext i32 %54 to i64
  %56 = getelementptr inbounds i8, ptr %51, i64 %55
  %57 = load i8, ptr %56, align 1, !tbaa !11
  %58 = zext i8 %57 to i32
  %59 = or i32 %50, %58
  %60 = load i32, ptr %7, align 4, !tbaa !5
  %61 = sext i32 %60 to i64
  %62 = getelementptr inbounds [64 x i32], ptr %5, i64 0, i64 %61
  store i32 %59, ptr %62, align 4, !tbaa !5
  br label %63

63:                                               ; preds = %22
  %64 = load i32, ptr %7, align 4, !tbaa !5
  %65 = add nsw i32 %64, 1
  store i32 %65, ptr %7, align 4, !tbaa !5
  br label %18, !llvm.loop !21

66:                                               ; preds = %21
  call void @llvm.lifetime.start.p0(i64 4, ptr %8) #7
  store i32 16, ptr %8, align 4, !tbaa !5
  br label %67

67:                                               ; preds = %114, %66
  %68 = load i32, ptr %8, align 4, !tbaa !5
  %69 = icmp slt i32 %68, 64
  br i1 %69, label %71, label %70

70:                                               ; preds = %67
  call void @llvm.lifetime.end.p0(i64 4, ptr %8) #7
  br label %117

71:                                               ; preds = %67
  call void @llvm.lifetime.start.p0(i64 4, ptr %9) #7
  %72 = load i32, ptr %8, align 4, !tbaa !5
  %73 = sub nsw i32 %72, 15
  %74 = sext i32 %73 to i64
  %75 = getelementptr inbounds [64 x i32], ptr %5, i64 0, i64 %74
  %76 = load i32, ptr %75, align 4, !tbaa !5
  store i32 %76, ptr %9, align 4, !tbaa !5
  call void @llvm.lifetime.start.p0(i64 4, ptr %10) #7
  %77 = load i32, ptr %8, align 4, !tbaa !5
  %78 = sub nsw i32 %77, 2
  %79 = sext i32 %78 to i64
  %80 = getelementptr inbounds [64 x i32], ptr %5, i64 0, i64 %79
  %81 = load i32, ptr %80, align 4, !tbaa !5
  store i32 %81, ptr %10, align 4, !tbaa !5
  %82 = load i32, ptr %8, align 4, !tbaa !5
  %83 = sub nsw i32 %82, 16
  %84 = sext i32 %83 to i64
  %85 = getelementptr inbounds [64 x i32], ptr %5, i64 0, i64 %84
  %86 = load i32, ptr %85, align 4, !tbaa !5
  %87 = load i32, ptr %9, align 4, !tbaa !5
  %88 = call i32 @ror(i32 noundef %87, i32 noundef 7)
  %89 = load i32, ptr %9, align 4, !tbaa !5
  %90 = call i32 @ror(i32 noundef %89, i32 noundef 18)
  %91 = xor i32 %88, %90
  %92 = load i32, ptr %9, align 4, !tbaa !5
  %93 = lshr i32 %92, 3
  %94 = xor i32 %91, %93
  %95 = add i32 %86, %94
  %96 = load i32, ptr %8, align 4, !tbaa !5
  %97 = sub nsw i32 %96, 7
  %98 = sext i32 %97 to i64
  %99 = getelementptr inbounds [64 x i32], ptr %5, i64 0, i64 %98
  %100 = load i32, ptr %99, align 4, !tbaa !5
  %101 = add i32 %95, %100
  %102 = load i32, ptr %10, align 4, !tbaa !5
  %103 = call i32 @ror(i32 noundef %102, i32 noundef 17)
  %104 = load i32, ptr %10, align 4, !tbaa !5
  %105 = call i32 @ror(i32 noundef %104, i32 noundef 19)
  %106 = xor i32 %103, %105
  %107 = load i32, ptr %10, align 4, !tbaa !5
  %108 = lshr i32 %107, 10
  %109 = xor i32 %106, %108
  %110 = add i32 %101, %109
  %111 = load i32, ptr %8, align 4, !tbaa !5
  %112 = sext i32 %111 to i64
  %113 = getelementptr inbounds [64 x i32], ptr %5, i64 0, i64 %112
  store i32 %110, ptr %113, align 4, !tbaa !5
  call void @llvm.lifetime.end.p0(i64 4, ptr %10) #7
  call void @llvm.lifetime.end.p0(i64 4, ptr %9) #7
  br label %114

114:                                              ; preds = %71
  %115 = load i32, ptr %8, align 4, !tbaa !5
  %116 = add nsw i32 %115, 1
  store i32 %116, ptr %8, align 4, !tbaa !5
  br label %67, !llvm.loop !22

117:                                              ; preds = %70
  call void @llvm.lifetime.start.p0(i64 4, ptr %11) #7
  store i32 0, ptr %11, align 4, !tbaa !5
  br label %118

118:                                              ; preds = %131, %117
  %119 = load i32, ptr %11, align 4, !tbaa !5
  %120 = icmp slt i32 %119, 8
  br i1 %120, label %122, label %121

121:                                              ; preds = %118
  call void @llvm.lifetime.end.p0(i64 4, ptr %11) #7
  br label %134

122:                                              ; preds = %118
  %123 = load ptr, ptr %3, align 8, !tbaa !9
  %124 = load i32, ptr %11, align 4, !tbaa !5
  %125 = sext i32 %124 to i64
  %126 = getelementptr inbounds i32, ptr %123, i64 %125
  %127 = load i32, ptr %126, align 4, !tbaa !5
  %128 = load i32, ptr %11, align 4, !tbaa !5
  %129 = sext i32 %128 to i64
  %130 = getelementptr inbounds [8 x i32], ptr %6, i64 0, i64 %129
  store i32 %127, ptr %130, align 4, !tbaa !5
  br label %131

131:                                              ; preds = %122
  %132 = load i32, ptr %11, align 4, !tbaa !5
  %133 = add nsw i32 %132, 1
  store i32 %133, ptr %11, align 4, !tbaa !5
  br label %118, !llvm.loop !23

134:                                              ; preds = %121
  call void @llvm.lifetime.start.p0(i64 4, ptr %12) #7
  store i32 0, ptr %12, align 4, !tbaa !5
  br label %135

135:                                              ; preds = %231, %134
  %136 = load i32, ptr %12, align 4, !tbaa !5
  %137 = icmp slt i32 %136, 64
  br i1 %137, label %139, label %138

138:                                              ; preds = %135
  store i32 11, ptr %13, align 4
  call void @llvm.lifetime.end.p0(i64 4, ptr %12) #7
  br label %234

139:                                              ; preds = %135
  call void @llvm.lifetime.start.p0(i64 4, ptr %14) #7
  %140 = getelementptr inbounds [8 x i32], ptr %6, i64 0, i64 7
  %141 = load i32, ptr %140, align 4, !tbaa !5
  %142 = getelementptr inbounds [8 x i32], ptr %6, i64 0, i64 4
  %143 = load i32, ptr %142, align 16, !tbaa !5
  %144 = call i32 @ror(i32 noundef %143, i32 noundef 6)
  %145 = getelementptr inbounds [8 x i32], ptr %6, i64 0, i64 4
  %146 = load i32, ptr %145, align 16, !tbaa !5
  %147 = call i32 @ror(i32 noundef %146, i32 noundef 11)
  %148 = xor i32 %144, %147
  %149 = getelementptr inbounds [8 x i32], ptr %6, i64 0, i64 4
  %150 = load i32, ptr %149, align 16, !tbaa !5
  %151 = call i32 @ror(i32 noundef %150, i32 noundef 25)
  %152 = xor i32 %148, %151
  %153 = add i32 %141, %152
  %154 = getelementptr inbounds [8 x i32], ptr %6, i64 0, i64 4
  %155 = load i32, ptr %154, align 16, !tbaa !5
  %156 = getelementptr inbounds [8 x i32], ptr %6, i64 0, i64 5
  %157 = load i32, ptr %156, align 4, !tbaa !5
  %158 = and i32 %155, %157
  %159 = getelementptr inbounds [8 x i32], ptr %6, i64 0, i64 4
  %160 = load i32, ptr %159, align 16, !tbaa !5
  %161 = xor i32 %160, -1
  %162 = getelementptr inbounds [8 x i32], ptr %6, i64 0, i64 6
  %163 = load i32, ptr %162, align 8, !tbaa !5
  %164 = and i32 %161, %163
  %165 = xor i32 %158, %164
  %166 = add i32 %153, %165
  %167 = load i32, ptr %12, align 4, !tbaa !5
  %168 = sext i32 %167 to i64
  %169 = getelementptr inbounds [64 x i32], ptr @k, i64 0, i64 %168
  %170 = load i32, ptr %169, align 4, !tbaa !5
  %171 = add i32 %166, %170
  %172 = load i32, ptr %12, align 4, !tbaa !5
  %173 = sext i32 %172 to i64
  %174 = getelementptr inbounds [64 x i32], ptr %5, i64 0, i64 %173
  %175 = load i32, ptr %174, align 4, !tbaa !5
  %176 = add i32 %171, %175
  store i32 %176, ptr %14, align 4, !tbaa !5
  call void @llvm.lifetime.start.p0(i64 4, ptr %15) #7
  %177 = getelementptr inbounds [8 x i32], ptr %6, i64 0, i64 0
  %178 = load i32, ptr %177, align 16, !tbaa !5
  %179 = call i32 @ror(i32 noundef %178, i32 noundef 2)
  %180 = getelementptr inbounds [8 x i32], ptr %6, i64 0, i64 0
  %181 = load i32, ptr %180, align 16, !tbaa !5
  %182 = call i32 @ror(i32 noundef %181, i32 noundef 13)
  %183 = xor i32 %179, %182
  %184 = getelementptr inbounds [8 x i32], ptr %6, i64 0, i64 0
  %185 = load i32, ptr %184, align 16, !tbaa !5
  %186 = call i32 @ror(i32 noundef %185, i32 noundef 22)
  %187 = xor i32 %183, %186
  %188 = getelementptr inbounds [8 x i32], ptr %6, i64 0, i64 0
  %189 = load i32, ptr %188, align 16, !tbaa !5
  %190 = getelementptr inbounds [8 x i32], ptr %6, i64 0, i64 1
  %191 = load i32, ptr %190, align 4, !tbaa !5
  %192 = and i32 %189, %191
  %193 = getelementptr inbounds [8 x i32], ptr %6, i64 0, i64 0
  %194 = load i32, ptr %193, align 16, !tbaa !5
  %195 = getelementptr inbounds [8 x i32], ptr %6, i64 0, i64 2
  %196 = load i32, ptr %195, align 8, !tbaa !5
  %197 = and i32 %194, %196
  %198 = xor i32 %192, %197
  %199 = getelementptr inbounds [8 x i32], ptr %6, i64 0, i64 1
  %200 = load i32, ptr %199, align 4, !tbaa !5
  %201 = getelementptr inbounds [8 x i32], ptr %6, i64 0, i64 2
  %202 = load i32, ptr %201, align 8, !tbaa !5
  %203 = and i32 %200, %202
  %204 = xor i32 %198, %203
  %205 = add i32 %187, %204
  store i32 %205, ptr %15, align 4, !tbaa !5
  call void @llvm.lifetime.start.p0(i64 4, ptr %16) #7
  store i32 7, ptr %16, align 4, !tbaa !5
  br label %206

206:                                              ; preds = %219, %139
  %207 = load i32, ptr %16, align 4, !tbaa !5
  %208 = icmp sgt i32 %207, 0
  br i1 %208, label %210, label %209

209:                                              ; preds = %206
  store i32 14, ptr %13, align 4
  call void @llvm.lifetime.end.p0(i64 4, ptr %16) #7
  br label %222

210:                                              ; preds = %206
  %211 = load i32, ptr %16, align 4, !tbaa !5
  %212 = sub nsw i32 %211, 1
  %213 = sext i32 %212 to i64
  %214 = getelementptr inbounds [8 x i32], ptr %6, i64 0, i64 %213
  %215 = load i32, ptr %214, align 4, !tbaa !5
  %216 = load i32, ptr %16, align 4, !tbaa !5
  %217 = sext i32 %216 to i64
  %218 = getelementptr inbounds [8 x i32], ptr %6, i64 0, i64 %217
  store i32 %215, ptr %218, align 4, !tbaa !5
  br label %219

219:                                              ; preds = %210
  %220 = load i32, ptr %16, align 4, !tbaa !5
  %221 = add nsw i32 %220, -1
  store i32 %221, ptr %16, align 4, !tbaa !5
  br label %206, !llvm.loop !24

222:                                              ; preds = %209
  %223 = load i32, ptr %14, align 4, !tbaa !5
  %224 = getelementptr inbounds [8 x i32], ptr %6, i64 0, i64 4
  %225 = load i32, ptr %224, align 16, !tbaa !5
  %226 = add i32 %225, %223
  store i32 %226, ptr %224, align 16, !tbaa !5
  %227 = load i32, ptr %14, align 4, !tbaa !5
  %228 = load i32, ptr %15, align 4, !tbaa !5
  %229 = add i32 %227, %228
  %230 = getelementptr inbounds [8 x i32], ptr %6, i64 0, i64 0
  store i32 %229, ptr %230, align 16, !tbaa !5
  call void @llvm.lifetime.end.p0(i64 4, ptr %15) #7
  call void @llvm.lifetime.end.p0(i64 4, ptr %14) #7
  br label %231

231:                                              ; preds = %222
  %232 = load i32, ptr %12, align 4, !tbaa !5
  %233 = add nsw i32 %232, 1
  store i32 %233, ptr %12, align 4, !tbaa !5
  br label %135, !llvm.loop !25

234:                                              ; preds = %138
  call void @llvm.lifetime.start.p0(i64 4, ptr %17) #7
  store i32 0, ptr %17, align 4, !tbaa !5
  br label %235

235:                                              ; preds = %250, %234
  %236 = load i32, ptr %17, align 4, !tbaa !5
  %237 = icmp slt i32 %236, 8
  br i1 %237, label %239, label %238

238:                                              ; preds = %235
  store i32 17, ptr %13, align 4
  call void @llvm.lifetime.end.p0(i64 4, ptr %17) #7
  br label %253

239:                                              ; preds = %235
  %240 = load i32, ptr %17, align 4, !tbaa !5
  %241 = sext i32 %240 to i64
  %242 = getelementptr inbounds [8 x i32], ptr %6, i64 0, i64 %241
  %243 = load i32, ptr %242, align 4, !tbaa !5
  %244 = load ptr, ptr %3, align 8, !tbaa !9
  %245 = load i32, ptr %17, align 4, !tbaa !5
  %246 = sext i32 %245 to i64
  %247 = getelementptr inbounds i32, ptr %244, i64 %246
  %248 = load i32, ptr %247, align 4, !tbaa !5
  %249 = add i32 %248, %243
  store i32 %249, ptr %247, align 4, !tbaa !5
  br label %250

250:                                              ; preds = %239
  %251 = load i32, ptr %17, align 4, !tbaa !5
  %252 = add nsw i32 %251, 1
  store i32 %252, ptr %17, align 4, !tbaa !5
  br label %235, !llvm.loop !26

253:                                              ; preds = %238
  call void @llvm.lifetime.end.p0(i64 32, ptr %6) #7
  call void @llvm.lifetime.end.p0(i64 256, ptr %5) #7
  ret void
}

declare i32 @printf(ptr noundef, ...) #4

; Function Attrs: nounwind
declare i64 @strtol(ptr noundef, ptr noundef, i32 noundef) #5

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare double @llvm.fmuladd.f64(double, double, double) #6

; Function Attrs: nounwind uwtable
define internal i32 @ror(i32 noundef %0, i32 noundef %1) #0 {
  %3 = alloca i32, align 4
  %4 = alloca i32, align 4
  store i32 %0, ptr %3, align 4, !tbaa !5
  store i32 %1, ptr %4, align 4, !tbaa !5
  %5 = load i32, ptr %3, align 4, !tbaa !5
  %6 = load i32, ptr %4, align 4, !tbaa !5
  %7 = lshr i32 %5, %6
  %8 = load i32, ptr %3, align 4, !tbaa !5
  %9 = load i32, ptr %4, align 4, !tbaa !5
  %10 = sub nsw i32 32, %9
  %11 = shl i32 %8, %10
  %12 = or i32 %7, %11
  ret i32 %12
}

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
!11 = !{!7, !7, i64 0}
!12 = distinct !{!12, !13}
!13 = !{!"llvm.loop.mustprogress"}
!14 = distinct !{!14, !13}
!15 = distinct !{!15, !13}
!16 = distinct !{!16, !13}
!17 = !{!18, !18, i64 0}
!18 = !{!"double", !7, i64 0}
!19 = distinct !{!19, !13}
!20 = distinct !{!20, !13}
!21 = distinct !{!21, !13}
!22 = distinct !{!22, !13}
!23 = distinct !{!23, !13}
!24 = distinct !{!24, !13}
!25 = distinct !{!25, !13}
!26 = distinct !{!26, !13}

; ModuleID = 'structs.c'
source_filename = "structs.c"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

%struct.complex = type { double, double }
%struct.rgb = type { i8, i8, i8 }
%struct.mixed = type { i32, float }
%struct.big = type { [5 x i64] }
%struct.__va_list_tag = type { i32, i32, ptr, ptr }

@__const.main.ops = private unnamed_addr constant [2 x ptr] [ptr @up, ptr @twist], align 16
@__const.main.z = private unnamed_addr constant %struct.complex { double 1.000000e+00, double 0.000000e+00 }, align 8
@__const.main.w = private unnamed_addr constant %struct.complex { double 0x3FEEB851EB851EB8, double 2.800000e-01 }, align 8
@__const.main.c = private unnamed_addr constant %struct.rgb { i8 -6, i8 3, i8 77 }, align 1
@__const.main.m = private unnamed_addr constant %struct.mixed { i32 1, float 8.000000e+00 }, align 4
@.str = private unnamed_addr constant [43 x i8] c"%.9f %.9f %d %d %d %d %.4f %ld %ld %d %lx\0A\00", align 1
@.str.1 = private unnamed_addr constant [6 x i8] c"%.2f\0A\00", align 1
@.str.2 = private unnamed_addr constant [13 x i8] c"idlddddddddd\00", align 1

; Function Attrs: nounwind uwtable
define dso_local i32 @main(i32 noundef %0, ptr noundef %1) #0 {
  %3 = alloca i32, align 4
  %4 = alloca i32, align 4
  %5 = alloca ptr, align 8
  %6 = alloca i32, align 4
  %7 = alloca i32, align 4
  %8 = alloca [2 x ptr], align 16
  %9 = alloca %struct.complex, align 8
  %10 = alloca %struct.complex, align 8
  %11 = alloca %struct.rgb, align 1
  %12 = alloca %struct.mixed, align 4
  %13 = alloca %struct.big, align 8
  %14 = alloca i64, align 8
  %15 = alloca i32, align 4
  %16 = alloca %struct.complex, align 8
  %17 = alloca %struct.rgb, align 1
  %18 = alloca %struct.rgb, align 1
  %19 = alloca i24, align 4
  %20 = alloca i24, align 4
  %21 = alloca %struct.mixed, align 4
  %22 = alloca %struct.big, align 8
  store i32 0, ptr %3, align 4
  store i32 %0, ptr %4, align 4, !tbaa !5
  store ptr %1, ptr %5, align 8, !tbaa !9
  call void @llvm.lifetime.start.p0(i64 4, ptr %6) #9
  %23 = load i32, ptr %4, align 4, !tbaa !5
  %24 = icmp sgt i32 %23, 1
  br i1 %24, label %25, label %30

25:                                               ; preds = %2
  %26 = load ptr, ptr %5, align 8, !tbaa !9
  %27 = getelementptr inbounds ptr, ptr %26, i64 1
  %28 = load ptr, ptr %27, align 8, !tbaa !9
  %29 = call i32 @atoi(ptr noundef %28) #10
  br label %31

30:                                               ; preds = %2
  br label %31

31:                                               ; preds = %30, %25
  %32 = phi i32 [ %29, %25 ], [ 100, %30 ]
  store i32 %32, ptr %6, align 4, !tbaa !5
  call void @llvm.lifetime.start.p0(i64 4, ptr %7) #9
  store i32 1, ptr %7, align 4, !tbaa !5
  call void @llvm.lifetime.start.p0(i64 16, ptr %8) #9
  call void @llvm.memcpy.p0.p0.i64(ptr align 16 %8, ptr align 16 @__const.main.ops, i64 16, i1 false)
  call void @llvm.lifetime.start.p0(i64 16, ptr %9) #9
  call void @llvm.memcpy.p0.p0.i64(ptr align 8 %9, ptr align 8 @__const.main.z, i64 16, i1 false)
  call void @llvm.lifetime.start.p0(i64 16, ptr %10) #9
  call void @llvm.memcpy.p0.p0.i64(ptr align 8 %10, ptr align 8 @__const.main.w, i64 16, i1 false)
  call void @llvm.lifetime.start.p0(i64 3, ptr %11) #9
  call void @llvm.memcpy.p0.p0.i64(ptr align 1 %11, ptr align 1 @__const.main.c, i64 3, i1 false)
  call void @llvm.lifetime.start.p0(i64 8, ptr %12) #9
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %12, ptr align 4 @__const.main.m, i64 8, i1 false)
  call void @llvm.lifetime.start.p0(i64 40, ptr %13) #9
  call void @llvm.memset.p0.i64(ptr align 8 %13, i8 0, i64 40, i1 false)
  %33 = getelementptr inbounds %struct.big, ptr %13, i32 0, i32 0
  %34 = getelementptr inbounds [5 x i64], ptr %33, i32 0, i32 0
  store i64 1, ptr %34, align 8
  %35 = getelementptr inbounds [5 x i64], ptr %33, i32 0, i32 1
  store i64 20, ptr %35, align 8
  %36 = getelementptr inbounds [5 x i64], ptr %33, i32 0, i32 2
  store i64 300, ptr %36, align 8
  %37 = getelementptr inbounds [5 x i64], ptr %33, i32 0, i32 3
  store i64 4000, ptr %37, align 8
  %38 = getelementptr inbounds [5 x i64], ptr %33, i32 0, i32 4
  store i64 50000, ptr %38, align 8
  call void @llvm.lifetime.start.p0(i64 8, ptr %14) #9
  store i64 88172645463325252, ptr %14, align 8, !tbaa !11
  call void @llvm.lifetime.start.p0(i64 4, ptr %15) #9
  store i32 0, ptr %15, align 4, !tbaa !5
  br label %39

39:                                               ; preds = %124, %31
  %40 = load i32, ptr %15, align 4, !tbaa !5
  %41 = load i32, ptr %6, align 4, !tbaa !5
  %42 = icmp slt i32 %40, %41
  br i1 %42, label %44, label %43

43:                                               ; preds = %39
  call void @llvm.lifetime.end.p0(i64 4, ptr %15) #9
  br label %127

44:                                               ; preds = %39
  call void @llvm.lifetime.start.p0(i64 16, ptr %16) #9
  %45 = getelementptr inbounds { double, double }, ptr %9, i32 0, i32 0
  %46 = load double, ptr %45, align 8
  %47 = getelementptr inbounds { double, double }, ptr %9, i32 0, i32 1
  %48 = load double, ptr %47, align 8
  %49 = getelementptr inbounds { double, double }, ptr %10, i32 0, i32 0
  %50 = load double, ptr %49, align 8
  %51 = getelementptr inbounds { double, double }, ptr %10, i32 0, i32 1
  %52 = load double, ptr %51, align 8
  %53 = call { double, double } @mul(double %46, double %48, double %50, double %52)
  %54 = getelementptr inbounds { double, double }, ptr %16, i32 0, i32 0
  %55 = extractvalue { double, double } %53, 0
  store double %55, ptr %54, align 8
  %56 = getelementptr inbounds { double, double }, ptr %16, i32 0, i32 1
  %57 = extractvalue { double, double } %53, 1
  store double %57, ptr %56, align 8
  call void @llvm.memcpy.p0.p0.i64(ptr align 8 %9, ptr align 8 %16, i64 16, i1 false), !tbaa.struct !13
  call void @llvm.lifetime.end.p0(i64 16, ptr %16) #9
  call void @llvm.lifetime.start.p0(i64 3, ptr %17) #9
  %58 = getelementptr inbounds %struct.rgb, ptr %18, i32 0, i32 0
  %59 = load i32, ptr %15, align 4, !tbaa !5
  %60 = trunc i32 %59 to i8
  store i8 %60, ptr %58, align 1, !tbaa !16
  %61 = getelementptr inbounds %struct.rgb, ptr %18, i32 0, i32 1
  %62 = load i32, ptr %15, align 4, !tbaa !5
  %63 = sub nsw i32 255, %62
  %64 = trunc i32 %63 to i8
  store i8 %64, ptr %61, align 1, !tbaa !18
  %65 = getelementptr inbounds %struct.rgb, ptr %18, i32 0, i32 2
  %66 = load i32, ptr %15, align 4, !tbaa !5
  %67 = mul nsw i32 %66, 3
  %68 = trunc i32 %67 to i8
  store i8 %68, ptr %65, align 1, !tbaa !19
  %69 = load i32, ptr %15, align 4, !tbaa !5
  %70 = and i32 %69, 255
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %19, ptr align 1 %11, i64 3, i1 false)
  %71 = load i24, ptr %19, align 4
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %20, ptr align 1 %18, i64 3, i1 false)
  %72 = load i24, ptr %20, align 4
  %73 = call i24 @blend(i24 %71, i24 %72, i32 noundef %70)
  store i24 %73, ptr %17, align 1
  call void @llvm.memcpy.p0.p0.i64(ptr align 1 %11, ptr align 1 %17, i64 3, i1 false), !tbaa.struct !20
  call void @llvm.lifetime.end.p0(i64 3, ptr %17) #9
  call void @llvm.lifetime.start.p0(i64 8, ptr %21) #9
  %74 = load i64, ptr %12, align 4
  %75 = call i64 @bump(i64 %74)
  store i64 %75, ptr %21, align 4
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %12, ptr align 4 %21, i64 8, i1 false), !tbaa.struct !22
  call void @llvm.lifetime.end.p0(i64 8, ptr %21) #9
  %76 = getelementptr inbounds %struct.mixed, ptr %12, i32 0, i32 0
  %77 = load i32, ptr %76, align 4, !tbaa !25
  %78 = srem i32 %77, 10007
  store i32 %78, ptr %76, align 4, !tbaa !25
  call void @llvm.lifetime.start.p0(i64 40, ptr %22) #9
  %79 = load i32, ptr %15, align 4, !tbaa !5
  %80 = srem i32 %79, 3
  %81 = add nsw i32 1, %80
  call void @rotate(ptr dead_on_unwind writable sret(%struct.big) align 8 %22, ptr noundef byval(%struct.big) align 8 %13, i32 noundef %81)
  call void @llvm.memcpy.p0.p0.i64(ptr align 8 %13, ptr align 8 %22, i64 40, i1 false), !tbaa.struct !27
  call void @llvm.lifetime.end.p0(i64 40, ptr %22) #9
  %82 = load i32, ptr %15, align 4, !tbaa !5
  %83 = sext i32 %82 to i64
  %84 = getelementptr inbounds %struct.big, ptr %13, i32 0, i32 0
  %85 = load i32, ptr %15, align 4, !tbaa !5
  %86 = srem i32 %85, 5
  %87 = sext i32 %86 to i64
  %88 = getelementptr inbounds [5 x i64], ptr %84, i64 0, i64 %87
  %89 = load i64, ptr %88, align 8, !tbaa !11
  %90 = add nsw i64 %89, %83
  store i64 %90, ptr %88, align 8, !tbaa !11
  %91 = load i32, ptr %7, align 4, !tbaa !5
  %92 = ashr i32 %91, 1
  %93 = and i32 %92, 1
  %94 = sext i32 %93 to i64
  %95 = getelementptr inbounds [2 x ptr], ptr %8, i64 0, i64 %94
  %96 = load ptr, ptr %95, align 8, !tbaa !9
  %97 = load i32, ptr %7, align 4, !tbaa !5
  %98 = call i32 %96(i32 noundef %97)
  %99 = and i32 %98, 65535
  store i32 %99, ptr %7, align 4, !tbaa !5
  %100 = load i64, ptr %14, align 8, !tbaa !11
  %101 = shl i64 %100, 13
  %102 = load i64, ptr %14, align 8, !tbaa !11
  %103 = xor i64 %102, %101
  store i64 %103, ptr %14, align 8, !tbaa !11
  %104 = load i64, ptr %14, align 8, !tbaa !11
  %105 = lshr i64 %104, 7
  %106 = load i64, ptr %14, align 8, !tbaa !11
  %107 = xor i64 %106, %105
  store i64 %107, ptr %14, align 8, !tbaa !11
  %108 = load i64, ptr %14, align 8, !tbaa !11
  %109 = shl i64 %108, 17
  %110 = load i64, ptr %14, align 8, !tbaa !11
  %111 = xor i64 %110, %109
  store i64 %111, ptr %14, align 8, !tbaa !11
  %112 = load i64, ptr %14, align 8, !tbaa !11
  %113 = load i32, ptr %15, align 4, !tbaa !5
  %114 = add i32 %113, 3
  %115 = zext i32 %114 to i64
  %116 = udiv i64 %112, %115
  %117 = mul i64 %116, 1000003
  %118 = load i64, ptr %14, align 8, !tbaa !11
  %119 = load i32, ptr %15, align 4, !tbaa !5
  %120 = add i32 %119, 7
  %121 = zext i32 %120 to i64
  %122 = urem i64 %118, %121
  %123 = add i64 %117, %122
  store i64 %123, ptr %14, align 8, !tbaa !11
  br label %124

124:                                              ; preds = %44
  %125 = load i32, ptr %15, align 4, !tbaa !5
  %126 = add nsw i32 %125, 1
  store i32 %126, ptr %15, align 4, !tbaa !5
  br label %39, !llvm.loop !28

127:                                              ; preds = %43
  %128 = getelementptr inbounds %struct.complex, ptr %9, i32 0, i32 0
  %129 = load double, ptr %128, align 8, !tbaa !30
  %130 = getelementptr inbounds %struct.complex, ptr %9, i32 0, i32 1
  %131 = load double, ptr %130, align 8, !tbaa !32
  %132 = getelementptr inbounds %struct.rgb, ptr %11, i32 0, i32 0
  %133 = load i8, ptr %132, align 1, !tbaa !16
  %134 = zext i8 %133 to i32
  %135 = getelementptr inbounds %struct.rgb, ptr %11, i32 0, i32 1
  %136 = load i8, ptr %135, align 1, !tbaa !18
  %137 = zext i8 %136 to i32
  %138 = getelementptr inbounds %struct.rgb, ptr %11, i32 0, i32 2
  %139 = load i8, ptr %138, align 1, !tbaa !19
  %140 = zext i8 %139 to i32
  %141 = getelementptr inbounds %struct.mixed, ptr %12, i32 0, i32 0
  %142 = load i32, ptr %141, align 4, !tbaa !25
  %143 = getelementptr inbounds %struct.mixed, ptr %12, i32 0, i32 1
  %144 = load float, ptr %143, align 4, !tbaa !33
  %145 = fpext float %144 to double
  %146 = getelementptr inbounds %struct.big, ptr %13, i32 0, i32 0
  %147 = getelementptr inbounds [5 x i64], ptr %146, i64 0, i64 0
  %148 = load i64, ptr %147, align 8, !tbaa !11
  %149 = getelementptr inbounds %struct.big, ptr %13, i32 0, i32 0
  %150 = getelementptr inbounds [5 x i64], ptr %149, i64 0, i64 4
  %151 = load i64, ptr %150, align 8, !tbaa !11
  %152 = load i32, ptr %7, align 4, !tbaa !5
  %153 = load i64, ptr %14, align 8, !tbaa !11
  %154 = call i32 (ptr, ...) @printf(ptr noundef @.str, double noundef %129, double noundef %131, i32 noundef %134, i32 noundef %137, i32 noundef %140, i32 noundef %142, double noundef %145, i64 noundef %148, i64 noundef %151, i32 noundef %152, i64 noundef %153)
  %155 = call double (ptr, ...) @total(ptr noundef @.str.2, i32 noundef 1, double noundef 2.500000e+00, i64 noundef 3, double noundef 1.000000e+00, double noundef 2.000000e+00, double noundef 3.000000e+00, double noundef 4.000000e+00, double noundef 5.000000e+00, double noundef 6.000000e+00, double noundef 7.000000e+00, double noundef 8.000000e+00, double noundef 9.000000e+00)
  %156 = call i32 (ptr, ...) @printf(ptr noundef @.str.1, double noundef %155)
  call void @llvm.lifetime.end.p0(i64 8, ptr %14) #9
  call void @llvm.lifetime.end.p0(i64 40, ptr %13) #9
  call void @llvm.lifetime.end.p0(i64 8, ptr %12) #9
  call void @llvm.lifetime.end.p0(i64 3, ptr %11) #9
  call void @llvm.lifetime.end.p0(i64 16, ptr %10) #9
  call void @llvm.lifetime.end.p0(i64 16, ptr %9) #9
  call void @llvm.lifetime.end.p0(i64 16, ptr %8) #9
  call void @llvm.lifetime.end.p0(i64 4, ptr %7) #9
  call void @llvm.lifetime.end.p0(i64 4, ptr %6) #9
  ret i32 0
}

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.start.p0(i64 immarg, ptr nocapture) #1

; Function Attrs: inlinehint nounwind willreturn memory(read) uwtable
define available_externally i32 @atoi(ptr noundef nonnull %0) #2 {
  %2 = alloca ptr, align 8
  store ptr %0, ptr %2, align 8, !tbaa !9
  %3 = load ptr, ptr %2, align 8, !tbaa !9
  %4 = call i64 @strtol(ptr noundef %3, ptr noundef null, i32 noundef 10) #9
  %5 = trunc i64 %4 to i32
  ret i32 %5
}

; Function Attrs: nounwind uwtable
define internal i32 @up(i32 noundef %0) #0 {
  %2 = alloca i32, align 4
  store i32 %0, ptr %2, align 4, !tbaa !5
  %3 = load i32, ptr %2, align 4, !tbaa !5
  %4 = add nsw i32 %3, 3
  ret i32 %4
}

; Function Attrs: nounwind uwtable
define internal i32 @twist(i32 noundef %0) #0 {
  %2 = alloca i32, align 4
  store i32 %0, ptr %2, align 4, !tbaa !5
  %3 = load i32, ptr %2, align 4, !tbaa !5
  %4 = mul nsw i32 %3, 2
  %5 = xor i32 %4, 5
  ret i32 %5
}

; Function Attrs: nocallback nofree nounwind willreturn memory(argmem: readwrite)
declare void @llvm.memcpy.p0.p0.i64(ptr noalias nocapture writeonly, ptr noalias nocapture readonly, i64, i1 immarg) #3

; Function Attrs: nocallback nofree nounwind willreturn memory(argmem: write)
declare void @llvm.memset.p0.i64(ptr nocapture writeonly, i8, i64, i1 immarg) #4

; Function Attrs: nounwind uwtable
define internal { double, double } @mul(double %0, double %1, double %2, double %3) #0 {
  %5 = alloca %struct.complex, align 8
  %6 = alloca %struct.complex, align 8
  %7 = alloca %struct.complex, align 8
  %8 = getelementptr inbounds { double, double }, ptr %6, i32 0, i32 0
  store double %0, ptr %8, align 8
  %9 = getelementptr inbounds { double, double }, ptr %6, i32 0, i32 1
  store double %1, ptr %9, align 8
  %10 = getelementptr inbounds { double, double }, ptr %7, i32 0, i32 0
  store double %2, ptr %10, align 8
  %11 = getelementptr inbounds { double, double }, ptr %7, i32 0, i32 1
  store double %3, ptr %11, align 8
  %12 = getelementptr inbounds %struct.complex, ptr %5, i32 0, i32 0
  %13 = getelementptr inbounds %struct.complex, ptr %6, i32 0, i32 0
  %14 = load double, ptr %13, align 8, !tbaa !30
  %15 = getelementptr inbounds %struct.complex, ptr %7, i32 0, i32 0
  %16 = load double, ptr %15, align 8, !tbaa !30
  %17 = getelementptr inbounds %struct.complex, ptr %6, i32 0, i32 1
  %18 = load double, ptr %17, align 8, !tbaa !32
  %19 = getelementptr inbounds %struct.complex, ptr %7, i32 0, i32 1
  %20 = load double, ptr %19, align 8, !tbaa !32
  %21 = fmul double %18, %20
  %22 = fneg double %21
  %23 = call double @llvm.fmuladd.f64(double %14, double %16, double %22)
  store double %23, ptr %12, align 8, !tbaa !30
  %24 = getelementptr inbounds %struct.complex, ptr %5, i32 0, i32 1
  %25 = getelementptr inbounds %struct.complex, ptr %6, i32 0, i32 0
  %26 = load double, ptr %25, align 8, !tbaa !30
  %27 = getelementptr inbounds %struct.complex, ptr %7, i32 0, i32 1
  %28 = load double, ptr %27, align 8, !tbaa !32
  %29 = getelementptr inbounds %struct.complex, ptr %6, i32 0, i32 1
  %30 = load double, ptr %29, align 8, !tbaa !32
  %31 = getelementptr inbounds %struct.complex, ptr %7, i32 0, i32 0
  %32 = load double, ptr %31, align 8, !tbaa !30
  %33 = fmul double %30, %32
  %34 = call double @llvm.fmuladd.f64(double %26, double %28, double %33)
  store double %34, ptr %24, align 8, !tbaa !32
  %35 = load { double, double }, ptr %5, align 8
  ret { double, double } %35
}

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.end.p0(i64 immarg, ptr nocapture) #1

; Function Attrs: nounwind uwtable
define internal i24 @blend(i24 %0, i24 %1, i32 noundef %2) #0 {
  %4 = alloca %struct.rgb, align 1
  %5 = alloca %struct.rgb, align 1
  %6 = alloca %struct.rgb, align 1
  %7 = alloca i32, align 4
  %8 = alloca i24, align 4
  store i24 %0, ptr %5, align 1
  store i24 %1, ptr %6, align 1
  store i32 %2, ptr %7, align 4, !tbaa !5
  %9 = getelementptr inbounds %struct.rgb, ptr %4, i32 0, i32 0
  %10 = getelementptr inbounds %struct.rgb, ptr %5, i32 0, i32 0
  %11 = load i8, ptr %10, align 1, !tbaa !16
  %12 = zext i8 %11 to i32
  %13 = getelementptr inbounds %struct.rgb, ptr %6, i32 0, i32 0
  %14 = load i8, ptr %13, align 1, !tbaa !16
  %15 = zext i8 %14 to i32
  %16 = getelementptr inbounds %struct.rgb, ptr %5, i32 0, i32 0
  %17 = load i8, ptr %16, align 1, !tbaa !16
  %18 = zext i8 %17 to i32
  %19 = sub nsw i32 %15, %18
  %20 = load i32, ptr %7, align 4, !tbaa !5
  %21 = mul nsw i32 %19, %20
  %22 = sdiv i32 %21, 256
  %23 = add nsw i32 %12, %22
  %24 = trunc i32 %23 to i8
  store i8 %24, ptr %9, align 1, !tbaa !16
  %25 = getelementptr inbounds %struct.rgb, ptr %4, i32 0, i32 1
  %26 = getelementptr inbounds %struct.rgb, ptr %5, i32 0, i32 1
  %27 = load i8, ptr %26, align 1, !tbaa !18
  %28 = zext i8 %27 to i32
  %29 = getelementptr inbounds %struct.rgb, ptr %6, i32 0, i32 1
  %30 = load i8, ptr %29, align 1, !tbaa !18
  %31 = zext i8 %30 to i32
  %32 = getelementptr inbounds %struct.rgb, ptr %5, i32 0, i32 1
  %33 = load i8, ptr %32, align 1, !tbaa !18
  %34 = zext i8 %33 to i32
  %35 = sub nsw i32 %31, %34
  %36 = load i32, ptr %7, align 4, !tbaa !5
  %37 = mul nsw i32 %35, %36
  %38 = sdiv i32 %37, 256
  %39 = add nsw i32 %28, %38
  %40 = trunc i32 %39 to i8
  store i8 %40, ptr %25, align 1, !tbaa !18
  %41 = getelementptr inbounds %struct.rgb, ptr %4, i32 0, i32 2
  %42 = getelementptr inbounds %struct.rgb, ptr %5, i32 0, i32 2
  %43 = load i8, ptr %42, align 1, !tbaa !19
  %44 = zext i8 %43 to i32
  %45 = getelementptr inbounds %struct.rgb, ptr %6, i32 0, i32 2
  %46 = load i8, ptr %45, align 1, !tbaa !19
  %47 = zext i8 %46 to i32
  %48 = getelementptr inbounds %struct.rgb, ptr %5, i32 0, i32 2
  %49 = load i8, ptr %48, align 1, !tbaa !19
  %50 = zext i8 %49 to i32
  %51 = sub nsw i32 %47, %50
  %52 = load i32, ptr %7, align 4, !tbaa !5
  %53 = mul nsw i32 %51, %52
  %54 = sdiv i32 %53, 256
  %55 = add nsw i32 %44, %54
  %56 = trunc i32 %55 to i8
  store i8 %56, ptr %41, align 1, !tbaa !19
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %8, ptr align 1 %4, i64 3, i1 false)
  %57 = load i24, ptr %8, align 4
  ret i24 %57
}

; Function Attrs: nounwind uwtable
define internal i64 @bump(i64 %0) #0 {
  %2 = alloca %struct.mixed, align 4
  %3 = alloca %struct.mixed, align 4
  store i64 %0, ptr %3, align 4
  %4 = getelementptr inbounds %struct.mixed, ptr %3, i32 0, i32 0
  %5 = load i32, ptr %4, align 4, !tbaa !25
  %6 = mul nsw i32 %5, 3
  %7 = add nsw i32 %6, 1
  %8 = getelementptr inbounds %struct.mixed, ptr %3, i32 0, i32 0
  store i32 %7, ptr %8, align 4, !tbaa !25
  %9 = getelementptr inbounds %struct.mixed, ptr %3, i32 0, i32 1
  %10 = load float, ptr %9, align 4, !tbaa !33
  %11 = call float @llvm.fmuladd.f32(float %10, float 5.000000e-01, float 1.000000e+00)
  %12 = getelementptr inbounds %struct.mixed, ptr %3, i32 0, i32 1
  store float %11, ptr %12, align 4, !tbaa !33
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %2, ptr align 4 %3, i64 8, i1 false), !tbaa.struct !22
  %13 = load i64, ptr %2, align 4
  ret i64 %13
}

; Function Attrs: nounwind uwtable
define internal void @rotate(ptr dead_on_unwind noalias writable sret(%struct.big) align 8 %0, ptr noundef byval(%struct.big) align 8 %1, i32 noundef %2) #0 {
  %4 = alloca i32, align 4
  %5 = alloca i32, align 4
  store i32 %2, ptr %4, align 4, !tbaa !5
  call void @llvm.lifetime.start.p0(i64 4, ptr %5) #9
  store i32 0, ptr %5, align 4, !tbaa !5
  br label %6

6:                                                ; preds = %23, %3
  %7 = load i32, ptr %5, align 4, !tbaa !5
  %8 = icmp slt i32 %7, 5
  br i1 %8, label %10, label %9

9:                                                ; preds = %6
  call void @llvm.lifetime.end.p0(i64 4, ptr %5) #9
  br label %26

10:                                               ; preds = %6
  %11 = getelementptr inbounds %struct.big, ptr %1, i32 0, i32 0
  %12 = load i32, ptr %5, align 4, !tbaa !5
  %13 = load i32, ptr %4, align 4, !tbaa !5
  %14 = add nsw i32 %12, %13
  %15 = srem i32 %14, 5
  %16 = sext i32 %15 to i64
  %17 = getelementptr inbounds [5 x i64], ptr %11, i64 0, i64 %16
  %18 = load i64, ptr %17, align 8, !tbaa !11
  %19 = getelementptr inbounds %struct.big, ptr %0, i32 0, i32 0
  %20 = load i32, ptr %5, align 4, !tbaa !5
  %21 = sext i32 %20 to i64
  %22 = getelementptr inbounds [5 x i64], ptr %19, i64 0, i64 %21
  store i64 %18, ptr %22, align 8, !tbaa !11
  br label %23

23:                                               ; preds = %10
  %24 = load i32, ptr %5, align 4, !tbaa !5
  %25 = add nsw i32 %24, 1
  store i32 %25, ptr %5, align 4, !tbaa !5
  br label %6, !llvm.loop !34

26:                                               ; preds = %9
  ret void
}

declare i32 @printf(ptr noundef, ...) #5

; Function Attrs: nounwind uwtable
define internal double @total(ptr noundef %0, ...) #0 {
  %2 = alloca ptr, align 8
  %3 = alloca [1 x %struct.__va_list_tag], align 16
  %4 = alloca double, align 8
  store ptr %0, ptr %2, align 8, !tbaa !9
  call void @llvm.lifetime.start.p0(i64 24, ptr %3) #9
  call void @llvm.lifetime.start.p0(i64 8, ptr %4) #9
  store double 0.000000e+00, ptr %4, align 8, !tbaa !14
  %5 = getelementptr inbounds [1 x %struct.__va_list_tag], ptr %3, i64 0, i64 0
  call void @llvm.va_start.p0(ptr %5)
  br label %6

6:                                                ; preds = %79, %1
  %7 = load ptr, ptr %2, align 8, !tbaa !9
  %8 = load i8, ptr %7, align 1, !tbaa !21
  %9 = icmp ne i8 %8, 0
  br i1 %9, label %10, label %82

10:                                               ; preds = %6
  %11 = load ptr, ptr %2, align 8, !tbaa !9
  %12 = load i8, ptr %11, align 1, !tbaa !21
  %13 = sext i8 %12 to i32
  %14 = icmp eq i32 %13, 105
  br i1 %14, label %15, label %33

15:                                               ; preds = %10
  %16 = getelementptr inbounds [1 x %struct.__va_list_tag], ptr %3, i64 0, i64 0
  %17 = getelementptr inbounds %struct.__va_list_tag, ptr %16, i32 0, i32 0
  %18 = load i32, ptr %17, align 16
  %19 = icmp ule i32 %18, 40
  br i1 %19, label %20, label %25

20:                                               ; preds = %15
  %21 = getelementptr inbounds %struct.__va_list_tag, ptr %16, i32 0, i32 3
  %22 = load ptr, ptr %21, align 16
  %23 = getelementptr i8, ptr %22, i32 %18
  %24 = add i32 %18, 8
  store i32 %24, ptr %17, align 16
  br label %29

25:                                               ; preds = %15
  %26 = getelementptr inbounds %struct.__va_list_tag, ptr %16, i32 0, i32 2
  %27 = load ptr, ptr %26, align 8
  %28 = getelementptr i8, ptr %27, i32 8
  store ptr %28, ptr %26, align 8
  br label %29

29:                                               ; preds = %25, %20
  %30 = phi ptr [ %23, %20 ], [ %27, %25 ]
  %31 = load i32, ptr %30, align 4, !tbaa !5
  %32 = sitofp i32 %31 to double
  br label %75

33:                                               ; preds = %10
  %34 = load ptr, ptr %2, align 8, !tbaa !9
  %35 = load i8, ptr %34, align 1, !tbaa !21
  %36 = sext i8 %35 to i32
  %37 = icmp eq i32 %36, 108
  br i1 %37, label %38, label %56

38:                                               ; preds = %33
  %39 = getelementptr inbounds [1 x %struct.__va_list_tag], ptr %3, i64 0, i64 0
  %40 = getelementptr inbounds %struct.__va_list_tag, ptr %39, i32 0, i32 0
  %41 = load i32, ptr %40, align 16
  %42 = icmp ule i32 %41, 40
  br i1 %42, label %43, label %48

43:                                               ; preds = %38
  %44 = getelementptr inbounds %struct.__va_list_tag, ptr %39, i32 0, i32 3
  %45 = load ptr, ptr %44, align 16
  %46 = getelementptr i8, ptr %45, i32 %41
  %47 = add i32 %41, 8
  store i32 %47, ptr %40, align 16
  br label %52

48:                                               ; preds = %38
  %49 = getelementptr inbounds %struct.__va_list_tag, ptr %39, i32 0, i32 2
  %50 = load ptr, ptr %49, align 8
  %51 = getelementptr i8, ptr %50, i32 8
  store ptr %51, ptr %49, align 8
  br label %52

52:                                               ; preds = %48, %43
  %53 = phi ptr [ %46, %43 ], [ %50, %48 ]
  %54 = load i64, ptr %53, align 8, !tbaa !11
  %55 = sitofp i64 %54 to double
  br label %73

56:                                               ; preds = %33
  %57 = getelementptr inbounds [1 x %struct.__va_list_tag], ptr %3, i64 0, i64 0
  %58 = getelementptr inbounds %struct.__va_list_tag, ptr %57, i32 0, i32 1
  %59 = load i32, ptr %58, align 4
  %60 = icmp ule i32 %59, 160
  br i1 %60, label %61, label %66

61:                                               ; preds = %56
  %62 = getelementptr inbounds %struct.__va_list_tag, ptr %57, i32 0, i32 3
  %63 = load ptr, ptr %62, align 16
  %64 = getelementptr i8, ptr %63, i32 %59
  %65 = add i32 %59, 16
  store i32 %65, ptr %58, align 4
  br label %70

66:                                               ; preds = %56
  %67 = getelementptr inbounds %struct.__va_list_tag, ptr %57, i32 0, i32 2
  %68 = load ptr, ptr %67, align 8
  %69 = getelementptr i8, ptr %68, i32 8
  store ptr %69, ptr %67, align 8
  br label %70

70:                                               ; preds = %66, %61
  %71 = phi ptr [ %64, %61 ], [ %68, %66 ]
  %72 = load double, ptr %71, align 8, !tbaa !14
  br label %73

73:                                               ; preds = %70, %52
  %74 = phi double [ %55, %52 ], [ %72, %70 ]
  br label %75

75:                                               ; preds = %73, %29
  %76 = phi double [ %32, %29 ], [ %74, %73 ]
  %77 = load double, ptr %4, align 8, !tbaa !14
  %78 = fadd double %77, %76
  store double %78, ptr %4, align 8, !tbaa !14
  br label %79

79:                                               ; preds = %75
  %80 = load ptr, ptr %2, align 8, !tbaa !9
  %81 = getelementptr inbounds i8, ptr %80, i32 1
  store ptr %81, ptr %2, align 8, !tbaa !9
  br label %6, !llvm.loop !35

82:                                               ; preds = %6
  %83 = getelementptr inbounds [1 x %struct.__va_list_tag], ptr %3, i64 0, i64 0
  call void @llvm.va_end.p0(ptr %83)
  %84 = load double, ptr %4, align 8, !tbaa !14
  call void @llvm.lifetime.end.p0(i64 8, ptr %4) #9
  call void @llvm.lifetime.end.p0(i64 24, ptr %3) #9
  ret double %84
}

; Function Attrs: nounwind
declare i64 @strtol(ptr noundef, ptr noundef, i32 noundef) #6

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare double @llvm.fmuladd.f64(double, double, double) #7

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare float @llvm.fmuladd.f32(float, float, float) #7

; Function Attrs: nocallback nofree nosync nounwind willreturn
declare void @llvm.va_start.p0(ptr) #8

; Function Attrs: nocallback nofree nosync nounwind willreturn
declare void @llvm.va_end.p0(ptr) #8

attributes #0 = { nounwind uwtable "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #1 = { nocallback nofree nosync nounwind willreturn memory(argmem: readwrite) }
attributes #2 = { inlinehint nounwind willreturn memory(read) uwtable "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #3 = { nocallback nofree nounwind willreturn memory(argmem: readwrite) }
attributes #4 = { nocallback nofree nounwind willreturn memory(argmem: write) }
attributes #5 = { "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #6 = { nounwind "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #7 = { nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #8 = { nocallback nofree nosync nounwind willreturn }
attributes #9 = { nounwind }
attributes #10 = { nounwind willreturn memory(read) }

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
!12 = !{!"long", !7, i64 0}
!13 = !{i64 0, i64 8, !14, i64 8, i64 8, !14}
!14 = !{!15, !15, i64 0}
!15 = !{!"double", !7, i64 0}
!16 = !{!17, !7, i64 0}
!17 = !{!"rgb", !7, i64 0, !7, i64 1, !7, i64 2}
!18 = !{!17, !7, i64 1}
!19 = !{!17, !7, i64 2}
!20 = !{i64 0, i64 1, !21, i64 1, i64 1, !21, i64 2, i64 1, !21}
!21 = !{!7, !7, i64 0}
!22 = !{i64 0, i64 4, !5, i64 4, i64 4, !23}
!23 = !{!24, !24, i64 0}
!24 = !{!"float", !7, i64 0}
!25 = !{!26, !6, i64 0}
!26 = !{!"mixed", !6, i64 0, !24, i64 4}
!27 = !{i64 0, i64 40, !21}
!28 = distinct !{!28, !29}
!29 = !{!"llvm.loop.mustprogress"}
!30 = !{!31, !15, i64 0}
!31 = !{!"complex", !15, i64 0, !15, i64 8}
!32 = !{!31, !15, i64 8}
!33 = !{!26, !24, i64 4}
!34 = distinct !{!34, !29}
!35 = distinct !{!35, !29}

; ModuleID = 'base64.c'
source_filename = "base64.c"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

@.str = private unnamed_addr constant [18 x i8] c"round %d differs\0A\00", align 1
@.str.1 = private unnamed_addr constant [6 x i8] c"%08x\0A\00", align 1
@table = internal global [256 x i32] zeroinitializer, align 16
@alphabet = internal constant [65 x i8] c"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/\00", align 16
@.str.2 = private unnamed_addr constant [17 x i8] c"0123456789abcdef\00", align 1

; Function Attrs: nounwind uwtable
define dso_local i32 @main(i32 noundef %0, ptr noundef %1) #0 {
  %3 = alloca i32, align 4
  %4 = alloca i32, align 4
  %5 = alloca ptr, align 8
  %6 = alloca i32, align 4
  %7 = alloca i64, align 8
  %8 = alloca ptr, align 8
  %9 = alloca ptr, align 8
  %10 = alloca ptr, align 8
  %11 = alloca i32, align 4
  %12 = alloca i32, align 4
  %13 = alloca i32, align 4
  %14 = alloca i32, align 4
  %15 = alloca i64, align 8
  %16 = alloca i64, align 8
  %17 = alloca i64, align 8
  store i32 0, ptr %3, align 4
  store i32 %0, ptr %4, align 4, !tbaa !5
  store ptr %1, ptr %5, align 8, !tbaa !9
  call void @llvm.lifetime.start.p0(i64 4, ptr %6) #8
  %18 = load i32, ptr %4, align 4, !tbaa !5
  %19 = icmp sgt i32 %18, 1
  br i1 %19, label %20, label %25

20:                                               ; preds = %2
  %21 = load ptr, ptr %5, align 8, !tbaa !9
  %22 = getelementptr inbounds ptr, ptr %21, i64 1
  %23 = load ptr, ptr %22, align 8, !tbaa !9
  %24 = call i32 @atoi(ptr noundef %23) #9
  br label %26

25:                                               ; preds = %2
  br label %26

26:                                               ; preds = %25, %20
  %27 = phi i32 [ %24, %20 ], [ 10, %25 ]
  store i32 %27, ptr %6, align 4, !tbaa !5
  call void @llvm.lifetime.start.p0(i64 8, ptr %7) #8
  store i64 10000, ptr %7, align 8, !tbaa !11
  call void @llvm.lifetime.start.p0(i64 8, ptr %8) #8
  %28 = load i64, ptr %7, align 8, !tbaa !11
  %29 = call noalias ptr @calloc(i64 noundef %28, i64 noundef 1) #10
  store ptr %29, ptr %8, align 8, !tbaa !9
  call void @llvm.lifetime.start.p0(i64 8, ptr %9) #8
  %30 = load i64, ptr %7, align 8, !tbaa !11
  %31 = add i64 %30, 3
  %32 = call noalias ptr @malloc(i64 noundef %31) #11
  store ptr %32, ptr %9, align 8, !tbaa !9
  call void @llvm.lifetime.start.p0(i64 8, ptr %10) #8
  %33 = load i64, ptr %7, align 8, !tbaa !11
  %34 = mul i64 %33, 2
  %35 = add i64 %34, 1
  %36 = call noalias ptr @malloc(i64 noundef %35) #11
  store ptr %36, ptr %10, align 8, !tbaa !9
  call void @llvm.lifetime.start.p0(i64 4, ptr %11) #8
  store i32 0, ptr %11, align 4, !tbaa !5
  call void @llvm.lifetime.start.p0(i64 4, ptr %12) #8
  store i32 1, ptr %12, align 4, !tbaa !5
  call void @make_table()
  call void @llvm.lifetime.start.p0(i64 4, ptr %13) #8
  store i32 0, ptr %13, align 4, !tbaa !5
  br label %37

37:                                               ; preds = %105, %26
  %38 = load i32, ptr %13, align 4, !tbaa !5
  %39 = load i32, ptr %6, align 4, !tbaa !5
  %40 = icmp slt i32 %38, %39
  br i1 %40, label %42, label %41

41:                                               ; preds = %37
  store i32 2, ptr %14, align 4
  br label %108

42:                                               ; preds = %37
  call void @llvm.lifetime.start.p0(i64 8, ptr %15) #8
  %43 = load i64, ptr %7, align 8, !tbaa !11
  %44 = load i32, ptr %13, align 4, !tbaa !5
  %45 = srem i32 %44, 3
  %46 = sext i32 %45 to i64
  %47 = sub i64 %43, %46
  store i64 %47, ptr %15, align 8, !tbaa !11
  call void @llvm.lifetime.start.p0(i64 8, ptr %16) #8
  %48 = load i32, ptr %13, align 4, !tbaa !5
  %49 = srem i32 %48, 7
  %50 = sext i32 %49 to i64
  store i64 %50, ptr %16, align 8, !tbaa !11
  br label %51

51:                                               ; preds = %66, %42
  %52 = load i64, ptr %16, align 8, !tbaa !11
  %53 = load i64, ptr %15, align 8, !tbaa !11
  %54 = icmp ult i64 %52, %53
  br i1 %54, label %56, label %55

55:                                               ; preds = %51
  store i32 5, ptr %14, align 4
  call void @llvm.lifetime.end.p0(i64 8, ptr %16) #8
  br label %69

56:                                               ; preds = %51
  %57 = load i32, ptr %12, align 4, !tbaa !5
  %58 = mul i32 %57, 1664525
  %59 = add i32 %58, 1013904223
  store i32 %59, ptr %12, align 4, !tbaa !5
  %60 = load i32, ptr %12, align 4, !tbaa !5
  %61 = lshr i32 %60, 24
  %62 = trunc i32 %61 to i8
  %63 = load ptr, ptr %8, align 8, !tbaa !9
  %64 = load i64, ptr %16, align 8, !tbaa !11
  %65 = getelementptr inbounds i8, ptr %63, i64 %64
  store i8 %62, ptr %65, align 1, !tbaa !13
  br label %66

66:                                               ; preds = %56
  %67 = load i64, ptr %16, align 8, !tbaa !11
  %68 = add i64 %67, 7
  store i64 %68, ptr %16, align 8, !tbaa !11
  br label %51, !llvm.loop !14

69:                                               ; preds = %55
  call void @llvm.lifetime.start.p0(i64 8, ptr %17) #8
  %70 = load ptr, ptr %8, align 8, !tbaa !9
  %71 = load i64, ptr %15, align 8, !tbaa !11
  %72 = load ptr, ptr %10, align 8, !tbaa !9
  %73 = call i64 @encode(ptr noundef %70, i64 noundef %71, ptr noundef %72)
  store i64 %73, ptr %17, align 8, !tbaa !11
  %74 = load i32, ptr %11, align 4, !tbaa !5
  %75 = load ptr, ptr %10, align 8, !tbaa !9
  %76 = load i64, ptr %17, align 8, !tbaa !11
  %77 = call i32 @crc32(i32 noundef %74, ptr noundef %75, i64 noundef %76)
  store i32 %77, ptr %11, align 4, !tbaa !5
  %78 = load ptr, ptr %10, align 8, !tbaa !9
  %79 = load ptr, ptr %9, align 8, !tbaa !9
  %80 = call i64 @decode(ptr noundef %78, ptr noundef %79)
  %81 = load i64, ptr %15, align 8, !tbaa !11
  %82 = icmp ne i64 %80, %81
  br i1 %82, label %89, label %83

83:                                               ; preds = %69
  %84 = load ptr, ptr %8, align 8, !tbaa !9
  %85 = load ptr, ptr %9, align 8, !tbaa !9
  %86 = load i64, ptr %15, align 8, !tbaa !11
  %87 = call i32 @memcmp(ptr noundef %84, ptr noundef %85, i64 noundef %86) #9
  %88 = icmp ne i32 %87, 0
  br i1 %88, label %89, label %92

89:                                               ; preds = %83, %69
  %90 = load i32, ptr %13, align 4, !tbaa !5
  %91 = call i32 (ptr, ...) @printf(ptr noundef @.str, i32 noundef %90)
  store i32 1, ptr %3, align 4
  store i32 1, ptr %14, align 4
  br label %102

92:                                               ; preds = %83
  %93 = load ptr, ptr %8, align 8, !tbaa !9
  %94 = load i64, ptr %15, align 8, !tbaa !11
  %95 = load ptr, ptr %10, align 8, !tbaa !9
  call void @hex(ptr noundef %93, i64 noundef %94, ptr noundef %95)
  %96 = load ptr, ptr %10, align 8, !tbaa !9
  %97 = load i64, ptr %15, align 8, !tbaa !11
  %98 = mul i64 %97, 2
  %99 = call i32 @adler32(ptr noundef %96, i64 noundef %98)
  %100 = load i32, ptr %11, align 4, !tbaa !5
  %101 = xor i32 %100, %99
  store i32 %101, ptr %11, align 4, !tbaa !5
  store i32 0, ptr %14, align 4
  br label %102

102:                                              ; preds = %92, %89
  call void @llvm.lifetime.end.p0(i64 8, ptr %17) #8
  call void @llvm.lifetime.end.p0(i64 8, ptr %15) #8
  %103 = load i32, ptr %14, align 4
  switch i32 %103, label %108 [
    i32 0, label %104
  ]

104:                                              ; preds = %102
  br label %105

105:                                              ; preds = %104
  %106 = load i32, ptr %13, align 4, !tbaa !5
  %107 = add nsw i32 %106, 1
  store i32 %107, ptr %13, align 4, !tbaa !5
  br label %37, !llvm.loop !16

108:                                              ; preds = %102, %41
  call void @llvm.lifetime.end.p0(i64 4, ptr %13) #8
  %109 = load i32, ptr %14, align 4
  switch i32 %109, label %113 [
    i32 2, label %110
  ]

110:                                              ; preds = %108
  %111 = load i32, ptr %11, align 4, !tbaa !5
  %112 = call i32 (ptr, ...) @printf(ptr noundef @.str.1, i32 noundef %111)
  store i32 0, ptr %3, align 4
  store i32 1, ptr %14, align 4
  br label %113

113:                                              ; preds = %110, %108
  call void @llvm.lifetime.end.p0(i64 4, ptr %12) #8
  call void @llvm.lifetime.end.p0(i64 4, ptr %11) #8
  call void @llvm.lifetime.end.p0(i64 8, ptr %10) #8
  call void @llvm.lifetime.end.p0(i64 8, ptr %9) #8
  call void @llvm.lifetime.end.p0(i64 8, ptr %8) #8
  call void @llvm.lifetime.end.p0(i64 8, ptr %7) #8
  call void @llvm.lifetime.end.p0(i64 4, ptr %6) #8
  %114 = load i32, ptr %3, align 4
  ret i32 %114
}

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.start.p0(i64 immarg, ptr nocapture) #1

; Function Attrs: inlinehint nounwind willreturn memory(read) uwtable
define available_externally i32 @atoi(ptr noundef nonnull %0) #2 {
  %2 = alloca ptr, align 8
  store ptr %0, ptr %2, align 8, !tbaa !9
  %3 = load ptr, ptr %2, align 8, !tbaa !9
  %4 = call i64 @strtol(ptr noundef %3, ptr noundef null, i32 noundef 10) #8
  %5 = trunc i64 %4 to i32
  ret i32 %5
}

; Function Attrs: nounwind allocsize(0,1)
declare noalias ptr @calloc(i64 noundef, i64 noundef) #3

; Function Attrs: nounwind allocsize(0)
declare noalias ptr @malloc(i64 noundef) #4

; Function Attrs: nounwind uwtable
define internal void @make_table() #0 {
  %1 = alloca i32, align 4
  %2 = alloca i32, align 4
  %3 = alloca i32, align 4
  %4 = alloca i32, align 4
  call void @llvm.lifetime.start.p0(i64 4, ptr %1) #8
  store i32 0, ptr %1, align 4, !tbaa !5
  br label %5

5:                                                ; preds = %36, %0
  %6 = load i32, ptr %1, align 4, !tbaa !5
  %7 = icmp ult i32 %6, 256
  br i1 %7, label %9, label %8

8:                                                ; preds = %5
  store i32 2, ptr %2, align 4
  call void @llvm.lifetime.end.p0(i64 4, ptr %1) #8
  br label %39

9:                                                ; preds = %5
  call void @llvm.lifetime.start.p0(i64 4, ptr %3) #8
  %10 = load i32, ptr %1, align 4, !tbaa !5
  store i32 %10, ptr %3, align 4, !tbaa !5
  call void @llvm.lifetime.start.p0(i64 4, ptr %4) #8
  store i32 0, ptr %4, align 4, !tbaa !5
  br label %11

11:                                               ; preds = %28, %9
  %12 = load i32, ptr %4, align 4, !tbaa !5
  %13 = icmp slt i32 %12, 8
  br i1 %13, label %15, label %14

14:                                               ; preds = %11
  store i32 5, ptr %2, align 4
  call void @llvm.lifetime.end.p0(i64 4, ptr %4) #8
  br label %31

15:                                               ; preds = %11
  %16 = load i32, ptr %3, align 4, !tbaa !5
  %17 = and i32 %16, 1
  %18 = icmp ne i32 %17, 0
  br i1 %18, label %19, label %23

19:                                               ; preds = %15
  %20 = load i32, ptr %3, align 4, !tbaa !5
  %21 = lshr i32 %20, 1
  %22 = xor i32 -306674912, %21
  br label %26

23:                                               ; preds = %15
  %24 = load i32, ptr %3, align 4, !tbaa !5
  %25 = lshr i32 %24, 1
  br label %26

26:                                               ; preds = %23, %19
  %27 = phi i32 [ %22, %19 ], [ %25, %23 ]
  store i32 %27, ptr %3, align 4, !tbaa !5
  br label %28

28:                                               ; preds = %26
  %29 = load i32, ptr %4, align 4, !tbaa !5
  %30 = add nsw i32 %29, 1
  store i32 %30, ptr %4, align 4, !tbaa !5
  br label %11, !llvm.loop !17

31:                                               ; preds = %14
  %32 = load i32, ptr %3, align 4, !tbaa !5
  %33 = load i32, ptr %1, align 4, !tbaa !5
  %34 = zext i32 %33 to i64
  %35 = getelementptr inbounds [256 x i32], ptr @table, i64 0, i64 %34
  store i32 %32, ptr %35, align 4, !tbaa !5
  call void @llvm.lifetime.end.p0(i64 4, ptr %3) #8
  br label %36

36:                                               ; preds = %31
  %37 = load i32, ptr %1, align 4, !tbaa !5
  %38 = add i32 %37, 1
  store i32 %38, ptr %1, align 4, !tbaa !5
  br label %5, !llvm.loop !18

39:                                               ; preds = %8
  ret void
}

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.end.p0(i64 immarg, ptr nocapture) #1

; Function Attrs: nounwind uwtable
define internal i64 @encode(ptr noundef %0, i64 noundef %1, ptr noundef %2) #0 {
  %4 = alloca ptr, align 8
  %5 = alloca i64, align 8
  %6 = alloca ptr, align 8
  %7 = alloca i64, align 8
  %8 = alloca i64, align 8
  %9 = alloca i32, align 4
  %10 = alloca i32, align 4
  store ptr %0, ptr %4, align 8, !tbaa !9
  store i64 %1, ptr %5, align 8, !tbaa !11
  store ptr %2, ptr %6, align 8, !tbaa !9
  call void @llvm.lifetime.start.p0(i64 8, ptr %7) #8
  call void @llvm.lifetime.start.p0(i64 8, ptr %8) #8
  store i64 0, ptr %8, align 8, !tbaa !11
  store i64 0, ptr %7, align 8, !tbaa !11
  br label %11

11:                                               ; preds = %76, %3
  %12 = load i64, ptr %7, align 8, !tbaa !11
  %13 = add i64 %12, 2
  %14 = load i64, ptr %5, align 8, !tbaa !11
  %15 = icmp ult i64 %13, %14
  br i1 %15, label %16, label %79

16:                                               ; preds = %11
  call void @llvm.lifetime.start.p0(i64 4, ptr %9) #8
  %17 = load ptr, ptr %4, align 8, !tbaa !9
  %18 = load i64, ptr %7, align 8, !tbaa !11
  %19 = getelementptr inbounds i8, ptr %17, i64 %18
  %20 = load i8, ptr %19, align 1, !tbaa !13
  %21 = zext i8 %20 to i32
  %22 = shl i32 %21, 16
  %23 = load ptr, ptr %4, align 8, !tbaa !9
  %24 = load i64, ptr %7, align 8, !tbaa !11
  %25 = add i64 %24, 1
  %26 = getelementptr inbounds i8, ptr %23, i64 %25
  %27 = load i8, ptr %26, align 1, !tbaa !13
  %28 = zext i8 %27 to i32
  %29 = shl i32 %28, 8
  %30 = or i32 %22, %29
  %31 = load ptr, ptr %4, align 8, !tbaa !9
  %32 = load i64, ptr %7, align 8, !tbaa !11
  %33 = add i64 %32, 2
  %34 = getelementptr inbounds i8, ptr %31, i64 %33
  %35 = load i8, ptr %34, align 1, !tbaa !13
  %36 = zext i8 %35 to i32
  %37 = or i32 %30, %36
  store i32 %37, ptr %9, align 4, !tbaa !5
  %38 = load i32, ptr %9, align 4, !tbaa !5
  %39 = lshr i32 %38, 18
  %40 = zext i32 %39 to i64
  %41 = getelementptr inbounds [65 x i8], ptr @alphabet, i64 0, i64 %40
  %42 = load i8, ptr %41, align 1, !tbaa !13
  %43 = load ptr, ptr %6, align 8, !tbaa !9
  %44 = load i64, ptr %8, align 8, !tbaa !11
  %45 = add i64 %44, 1
  store i64 %45, ptr %8, align 8, !tbaa !11
  %46 = getelementptr inbounds i8, ptr %43, i64 %44
  store i8 %42, ptr %46, align 1, !tbaa !13
  %47 = load i32, ptr %9, align 4, !tbaa !5
  %48 = lshr i32 %47, 12
  %49 = and i32 %48, 63
  %50 = zext i32 %49 to i64
  %51 = getelementptr inbounds [65 x i8], ptr @alphabet, i64 0, i64 %50
  %52 = load i8, ptr %51, align 1, !tbaa !13
  %53 = load ptr, ptr %6, align 8, !tbaa !9
  %54 = load i64, ptr %8, align 8, !tbaa !11
  %55 = add i64 %54, 1
  store i64 %55, ptr %8, align 8, !tbaa !11
  %56 = getelementptr inbounds i8, ptr %53, i64 %54
  store i8 %52, ptr %56, align 1, !tbaa !13
  %57 = load i32, ptr %9, align 4, !tbaa !5
  %58 = lshr i32 %57, 6
  %59 = and i32 %58, 63
  %60 = zext i32 %59 to i64
  %61 = getelementptr inbounds [65 x i8], ptr @alphabet, i64 0, i64 %60
  %62 = load i8, ptr %61, align 1, !tbaa !13
  %63 = load ptr, ptr %6, align 8, !tbaa !9
  %64 = load i64, ptr %8, align 8, !tbaa !11
  %65 = add i64 %64, 1
  store i64 %65, ptr %8, align 8, !tbaa !11
  %66 = getelementptr inbounds i8, ptr %63, i64 %64
  store i8 %62, ptr %66, align 1, !tbaa !13
  %67 = load i32, ptr %9, align 4, !tbaa !5
  %68 = and i32 %67, 63
  %69 = zext i32 %68 to i64
  %70 = getelementptr inbounds [65 x i8], ptr @alphabet, i64 0, i64 %69
  %71 = load i8, ptr %70, align 1, !tbaa !13
  %72 = load ptr, ptr %6, align 8, !tbaa !9
  %73 = load i64, ptr %8, align 8, !tbaa !11
  %74 = add i64 %73, 1
  store i64 %74, ptr %8, align 8, !tbaa !11
  %75 = getelementptr inbounds i8, ptr %72, i64 %73
  store i8 %71, ptr %75, align 1, !tbaa !13
  call void @llvm.lifetime.end.p0(i64 4, ptr %9) #8
  br label %76

76:                                               ; preds = %16
  %77 = load i64, ptr %7, align 8, !tbaa !11
  %78 = add i64 %77, 3
  store i64 %78, ptr %7, align 8, !tbaa !11
  br label %11, !llvm.loop !19

79:                                               ; preds = %11
  %80 = load i64, ptr %7, align 8, !tbaa !11
  %81 = load i64, ptr %5, align 8, !tbaa !11
  %82 = icmp ult i64 %80, %81
  br i1 %82, label %83, label %149

83:                                               ; preds = %79
  call void @llvm.lifetime.start.p0(i64 4, ptr %10) #8
  %84 = load ptr, ptr %4, align 8, !tbaa !9
  %85 = load i64, ptr %7, align 8, !tbaa !11
  %86 = getelementptr inbounds i8, ptr %84, i64 %85
  %87 = load i8, ptr %86, align 1, !tbaa !13
  %88 = zext i8 %87 to i32
  %89 = shl i32 %88, 16
  %90 = load i64, ptr %7, align 8, !tbaa !11
  %91 = add i64 %90, 1
  %92 = load i64, ptr %5, align 8, !tbaa !11
  %93 = icmp ult i64 %91, %92
  br i1 %93, label %94, label %102

94:                                               ; preds = %83
  %95 = load ptr, ptr %4, align 8, !tbaa !9
  %96 = load i64, ptr %7, align 8, !tbaa !11
  %97 = add i64 %96, 1
  %98 = getelementptr inbounds i8, ptr %95, i64 %97
  %99 = load i8, ptr %98, align 1, !tbaa !13
  %100 = zext i8 %99 to i32
  %101 = shl i32 %100, 8
  br label %103

102:                                              ; preds = %83
  br label %103

103:                                              ; preds = %102, %94
  %104 = phi i32 [ %101, %94 ], [ 0, %102 ]
  %105 = or i32 %89, %104
  store i32 %105, ptr %10, align 4, !tbaa !5
  %106 = load i32, ptr %10, align 4, !tbaa !5
  %107 = lshr i32 %106, 18
  %108 = zext i32 %107 to i64
  %109 = getelementptr inbounds [65 x i8], ptr @alphabet, i64 0, i64 %108
  %110 = load i8, ptr %109, align 1, !tbaa !13
  %111 = load ptr, ptr %6, align 8, !tbaa !9
  %112 = load i64, ptr %8, align 8, !tbaa !11
  %113 = add i64 %112, 1
  store i64 %113, ptr %8, align 8, !tbaa !11
  %114 = getelementptr inbounds i8, ptr %111, i64 %112
  store i8 %110, ptr %114, align 1, !tbaa !13
  %115 = load i32, ptr %10, align 4, !tbaa !5
  %116 = lshr i32 %115, 12
  %117 = and i32 %116, 63
  %118 = zext i32 %117 to i64
  %119 = getelementptr inbounds [65 x i8], ptr @alphabet, i64 0, i64 %118
  %120 = load i8, ptr %119, align 1, !tbaa !13
  %121 = load ptr, ptr %6, align 8, !tbaa !9
  %122 = load i64, ptr %8, align 8, !tbaa !11
  %123 = add i64 %122, 1
  store i64 %123, ptr %8, align 8, !tbaa !11
  %124 = getelementptr inbounds i8, ptr %121, i64 %122
  store i8 %120, ptr %124, align 1, !tbaa !13
  %125 = load i64, ptr %7, align 8, !tbaa !11
  %126 = add i64 %125, 1
  %127 = load i64, ptr %5, align 8, !tbaa !11
  %128 = icmp ult i64 %126, %127
  br i1 %128, label %129, label %137

129:                                              ; preds = %103
  %130 = load i32, ptr %10, align 4, !tbaa !5
  %131 = lshr i32 %130, 6
  %132 = and i32 %131, 63
  %133 = zext i32 %132 to i64
  %134 = getelementptr inbounds [65 x i8], ptr @alphabet, i64 0, i64 %133
  %135 = load i8, ptr %134, align 1, !tbaa !13
  %136 = sext i8 %135 to i32
  br label %138

137:                                              ; preds = %103
  br label %138

138:                                              ; preds = %137, %129
  %139 = phi i32 [ %136, %129 ], [ 61, %137 ]
  %140 = trunc i32 %139 to i8
  %141 = load ptr, ptr %6, align 8, !tbaa !9
  %142 = load i64, ptr %8, align 8, !tbaa !11
  %143 = add i64 %142, 1
  store i64 %143, ptr %8, align 8, !tbaa !11
  %144 = getelementptr inbounds i8, ptr %141, i64 %142
  store i8 %140, ptr %144, align 1, !tbaa !13
  %145 = load ptr, ptr %6, align 8, !tbaa !9
  %146 = load i64, ptr %8, align 8, !tbaa !11
  %147 = add i64 %146, 1
  store i64 %147, ptr %8, align 8, !tbaa !11
  %148 = getelementptr inbounds i8, ptr %145, i64 %146
  store i8 61, ptr %148, align 1, !tbaa !13
  call void @llvm.lifetime.end.p0(i64 4, ptr %10) #8
  br label %149

149:                                              ; preds = %138, %79
  %150 = load ptr, ptr %6, align 8, !tbaa !9
  %151 = load i64, ptr %8, align 8, !tbaa !11
  %152 = getelementptr inbounds i8, ptr %150, i64 %151
  store i8 0, ptr %152, align 1, !tbaa !13
  %153 = load i64, ptr %8, align 8, !tbaa !11
  call void @llvm.lifetime.end.p0(i64 8, ptr %8) #8
  call void @llvm.lifetime.end.p0(i64 8, ptr %7) #8
  ret i64 %153
}

; Function Attrs: nounwind uwtable
define internal i32 @crc32(i32 noundef %0, ptr noundef %1, i64 noundef %2) #0 {
  %4 = alloca i32, align 4
  %5 = alloca ptr, align 8
  %6 = alloca i64, align 8
  store i32 %0, ptr %4, align 4, !tbaa !5
  store ptr %1, ptr %5, align 8, !tbaa !9
  store i64 %2, ptr %6, align 8, !tbaa !11
  %7 = load i32, ptr %4, align 4, !tbaa !5
  %8 = xor i32 %7, -1
  store i32 %8, ptr %4, align 4, !tbaa !5
  br label %9

9:                                                ; preds = %13, %3
  %10 = load i64, ptr %6, align 8, !tbaa !11
  %11 = add i64 %10, -1
  store i64 %11, ptr %6, align 8, !tbaa !11
  %12 = icmp ne i64 %10, 0
  br i1 %12, label %13, label %27

13:                                               ; preds = %9
  %14 = load i32, ptr %4, align 4, !tbaa !5
  %15 = load ptr, ptr %5, align 8, !tbaa !9
  %16 = getelementptr inbounds i8, ptr %15, i32 1
  store ptr %16, ptr %5, align 8, !tbaa !9
  %17 = load i8, ptr %15, align 1, !tbaa !13
  %18 = zext i8 %17 to i32
  %19 = xor i32 %14, %18
  %20 = and i32 %19, 255
  %21 = zext i32 %20 to i64
  %22 = getelementptr inbounds [256 x i32], ptr @table, i64 0, i64 %21
  %23 = load i32, ptr %22, align 4, !tbaa !5
  %24 = load i32, ptr %4, align 4, !tbaa !5
  %25 = lshr i32 %24, 8
  %26 = xor i32 %23, %25
  store i32 %26, ptr %4, align 4, !tbaa !5
  br label %9, !llvm.loop !20

27:                                               ; preds = %9
  %28 = load i32, ptr %4, align 4, !tbaa !5
  %29 = xor i32 %28, -1
  ret i32 %29
}

; Function Attrs: nounwind uwtable
define internal i64 @decode(ptr noundef %0, ptr noundef %1) #0 {
  %3 = alloca i64, align 8
  %4 = alloca ptr, align 8
  %5 = alloca ptr, align 8
  %6 = alloca i32, align 4
  %7 = alloca i32, align 4
  %8 = alloca i64, align 8
  %9 = alloca i32, align 4
  %10 = alloca i32, align 4
  store ptr %0, ptr %4, align 8, !tbaa !9
  store ptr %1, ptr %5, align 8, !tbaa !9
  call void @llvm.lifetime.start.p0(i64 4, ptr %6) #8
  store i32 0, ptr %6, align 4, !tbaa !5
  call void @llvm.lifetime.start.p0(i64 4, ptr %7) #8
  store i32 0, ptr %7, align 4, !tbaa !5
  call void @llvm.lifetime.start.p0(i64 8, ptr %8) #8
  store i64 0, ptr %8, align 8, !tbaa !11
  br label %11

11:                                               ; preds = %55, %2
  %12 = load ptr, ptr %4, align 8, !tbaa !9
  %13 = load i8, ptr %12, align 1, !tbaa !13
  %14 = sext i8 %13 to i32
  %15 = icmp ne i32 %14, 0
  br i1 %15, label %16, label %21

16:                                               ; preds = %11
  %17 = load ptr, ptr %4, align 8, !tbaa !9
  %18 = load i8, ptr %17, align 1, !tbaa !13
  %19 = sext i8 %18 to i32
  %20 = icmp ne i32 %19, 61
  br label %21

21:                                               ; preds = %16, %11
  %22 = phi i1 [ false, %11 ], [ %20, %16 ]
  br i1 %22, label %23, label %58

23:                                               ; preds = %21
  call void @llvm.lifetime.start.p0(i64 4, ptr %9) #8
  %24 = load ptr, ptr %4, align 8, !tbaa !9
  %25 = load i8, ptr %24, align 1, !tbaa !13
  %26 = call i32 @digit(i8 noundef signext %25)
  store i32 %26, ptr %9, align 4, !tbaa !5
  %27 = load i32, ptr %9, align 4, !tbaa !5
  %28 = icmp slt i32 %27, 0
  br i1 %28, label %29, label %30

29:                                               ; preds = %23
  store i64 -1, ptr %3, align 8
  store i32 1, ptr %10, align 4
  br label %52

30:                                               ; preds = %23
  %31 = load i32, ptr %6, align 4, !tbaa !5
  %32 = shl i32 %31, 6
  %33 = load i32, ptr %9, align 4, !tbaa !5
  %34 = or i32 %32, %33
  store i32 %34, ptr %6, align 4, !tbaa !5
  %35 = load i32, ptr %7, align 4, !tbaa !5
  %36 = add nsw i32 %35, 6
  store i32 %36, ptr %7, align 4, !tbaa !5
  %37 = load i32, ptr %7, align 4, !tbaa !5
  %38 = icmp sge i32 %37, 8
  br i1 %38, label %39, label %51

39:                                               ; preds = %30
  %40 = load i32, ptr %7, align 4, !tbaa !5
  %41 = sub nsw i32 %40, 8
  store i32 %41, ptr %7, align 4, !tbaa !5
  %42 = load i32, ptr %6, align 4, !tbaa !5
  %43 = load i32, ptr %7, align 4, !tbaa !5
  %44 = lshr i32 %42, %43
  %45 = and i32 %44, 255
  %46 = trunc i32 %45 to i8
  %47 = load ptr, ptr %5, align 8, !tbaa !9
  %48 = load i64, ptr %8, align 8, !tbaa !11
  %49 = add nsw i64 %48, 1
  store i64 %49, ptr %8, align 8, !tbaa !11
  %50 = getelementptr inbounds i8, ptr %47, i64 %48
  store i8 %46, ptr %50, align 1, !tbaa !13
  br label %51

51:                                               ; preds = %39, %30
  store i32 0, ptr %10, align 4
  br label %52

52:                                               ; preds = %51, %29
  call void @llvm.lifetime.end.p0(i64 4, ptr %9) #8
  %53 = load i32, ptr %10, align 4
  switch i32 %53, label %60 [
    i32 0, label %54
  ]

54:                                               ; preds = %52
  br label %55

55:                                               ; preds = %54
  %56 = load ptr, ptr %4, align 8, !tbaa !9
  %57 = getelementptr inbounds i8, ptr %56, i32 1
  store ptr %57, ptr %4, align 8, !tbaa !9
  br label %11, !llvm.loop !21

58:                                               ; preds = %21
  %59 = load i64, ptr %8, align 8, !tbaa !11
  store i64 %59, ptr %3, align 8
  store i32 1, ptr %10, align 4
  br label %60

60:                                               ; preds = %58, %52
  call void @llvm.lifetime.end.p0(i64 8, ptr %8) #8
  call void @llvm.lifetime.end.p0(i64 4, ptr %7) #8
  call void @llvm.lifetime.end.p0(i64 4, ptr %6) #8
  %61 = load i64, ptr %3, align 8
  ret i64 %61
}

; Function Attrs: nounwind willreturn memory(read)
declare i32 @memcmp(ptr noundef, ptr noundef, i64 noundef) #5

declare i32 @printf(ptr noundef, ...) #6

; Function Attrs: nounwind uwtable
define internal void @hex(ptr noundef %0, i64 noundef %1, ptr noundef %2) #0 {
  %4 = alloca ptr, align 8
  %5 = alloca i64, align 8
  %6 = alloca ptr, align 8
  %7 = alloca i64, align 8
  store ptr %0, ptr %4, align 8, !tbaa !9
  store i64 %1, ptr %5, align 8, !tbaa !11
  store ptr %2, ptr %6, align 8, !tbaa !9
  call void @llvm.lifetime.start.p0(i64 8, ptr %7) #8
  store i64 0, ptr %7, align 8, !tbaa !11
  br label %8

8:                                                ; preds = %36, %3
  %9 = load i64, ptr %7, align 8, !tbaa !11
  %10 = load i64, ptr %5, align 8, !tbaa !11
  %11 = icmp ult i64 %9, %10
  br i1 %11, label %13, label %12

12:                                               ; preds = %8
  call void @llvm.lifetime.end.p0(i64 8, ptr %7) #8
  br label %39

13:                                               ; preds = %8
  %14 = load ptr, ptr %4, align 8, !tbaa !9
  %15 = load i64, ptr %7, align 8, !tbaa !11
  %16 = getelementptr inbounds i8, ptr %14, i64 %15
  %17 = load i8, ptr %16, align 1, !tbaa !13
  %18 = zext i8 %17 to i32
  %19 = ashr i32 %18, 4
  %20 = sext i32 %19 to i64
  %21 = getelementptr inbounds [17 x i8], ptr @.str.2, i64 0, i64 %20
  %22 = load i8, ptr %21, align 1, !tbaa !13
  %23 = load ptr, ptr %6, align 8, !tbaa !9
  %24 = getelementptr inbounds i8, ptr %23, i32 1
  store ptr %24, ptr %6, align 8, !tbaa !9
  store i8 %22, ptr %23, align 1, !tbaa !13
  %25 = load ptr, ptr %4, align 8, !tbaa !9
  %26 = load i64, ptr %7, align 8, !tbaa !11
  %27 = getelementptr inbounds i8, ptr %25, i64 %26
  %28 = load i8, ptr %27, align 1, !tbaa !13
  %29 = zext i8 %28 to i32
  %30 = and i32 %29, 15
  %31 = sext i32 %30 to i64
  %32 = getelementptr inbounds [17 x i8], ptr @.str.2, i64 0, i64 %31
  %33 = load i8, ptr %32, align 1, !tbaa !13
  %34 = load ptr, ptr %6, align 8, !tbaa !9
  %35 = getelementptr inbounds i8, ptr %34, i32 1
  store ptr %35, ptr %6, align 8, !tbaa !9
  store i8 %33, ptr %34, align 1, !tbaa !13
  br label %36

36:                                               ; preds = %13
  %37 = load i64, ptr %7, align 8, !tbaa !11
  %38 = add i64 %37, 1
  store i64 %38, ptr %7, align 8, !tbaa !11
  br label %8, !llvm.loop !22

39:                                               ; preds = %12
  %40 = load ptr, ptr %6, align 8, !tbaa !9
  store i8 0, ptr %40, align 1, !tbaa !13
  ret void
}

; Function Attrs: nounwind uwtable
define internal i32 @adler32(ptr noundef %0, i64 noundef %1) #0 {
  %3 = alloca ptr, align 8
  %4 = alloca i64, align 8
  %5 = alloca i32, align 4
  %6 = alloca i32, align 4
  %7 = alloca i64, align 8
  store ptr %0, ptr %3, align 8, !tbaa !9
  store i64 %1, ptr %4, align 8, !tbaa !11
  call void @llvm.lifetime.start.p0(i64 4, ptr %5) #8
  store i32 1, ptr %5, align 4, !tbaa !5
  call void @llvm.lifetime.start.p0(i64 4, ptr %6) #8
  store i32 0, ptr %6, align 4, !tbaa !5
  call void @llvm.lifetime.start.p0(i64 8, ptr %7) #8
  store i64 0, ptr %7, align 8, !tbaa !11
  br label %8

8:                                                ; preds = %26, %2
  %9 = load i64, ptr %7, align 8, !tbaa !11
  %10 = load i64, ptr %4, align 8, !tbaa !11
  %11 = icmp ult i64 %9, %10
  br i1 %11, label %13, label %12

12:                                               ; preds = %8
  call void @llvm.lifetime.end.p0(i64 8, ptr %7) #8
  br label %29

13:                                               ; preds = %8
  %14 = load i32, ptr %5, align 4, !tbaa !5
  %15 = load ptr, ptr %3, align 8, !tbaa !9
  %16 = load i64, ptr %7, align 8, !tbaa !11
  %17 = getelementptr inbounds i8, ptr %15, i64 %16
  %18 = load i8, ptr %17, align 1, !tbaa !13
  %19 = zext i8 %18 to i32
  %20 = add i32 %14, %19
  %21 = urem i32 %20, 65521
  store i32 %21, ptr %5, align 4, !tbaa !5
  %22 = load i32, ptr %6, align 4, !tbaa !5
  %23 = load i32, ptr %5, align 4, !tbaa !5
  %24 = add i32 %22, %23
  %25 = urem i32 %24, 65521
  store i32 %25, ptr %6, align 4, !tbaa !5
  br label %26

26:                                               ; preds = %13
  %27 = load i64, ptr %7, align 8, !tbaa !11
  %28 = add i64 %27, 1
  store i64 %28, ptr %7, align 8, !tbaa !11
  br label %8, !llvm.loop !23

29:                                               ; preds = %12
  %30 = load i32, ptr %6, align 4, !tbaa !5
  %31 = shl i32 %30, 16
  %32 = load i32, ptr %5, align 4, !tbaa !5
  %33 = or i32 %31, %32
  call void @llvm.lifetime.end.p0(i64 4, ptr %6) #8
  call void @llvm.lifetime.end.p0(i64 4, ptr %5) #8
  ret i32 %33
}

; Function Attrs: nounwind
declare i64 @strtol(ptr noundef, ptr noundef, i32 noundef) #7

; Function Attrs: nounwind uwtable
define internal i32 @digit(i8 noundef signext %0) #0 {
  %2 = alloca i32, align 4
  %3 = alloca i8, align 1
  store i8 %0, ptr %3, align 1, !tbaa !13
  %4 = load i8, ptr %3, align 1, !tbaa !13
  %5 = sext i8 %4 to i32
  %6 = icmp sge i32 %5, 65
  br i1 %6, label %7, label %15

7:                                                ; preds = %1
  %8 = load i8, ptr %3, align 1, !tbaa !13
  %9 = sext i8 %8 to i32
  %10 = icmp sle i32 %9, 90
  br i1 %10, label %11, label %15

11:                                               ; preds = %7
  %12 = load i8, ptr %3, align 1, !tbaa !13
  %13 = sext i8 %12 to i32
  %14 = sub nsw i32 %13, 65
  store i32 %14, ptr %2, align 4
  br label %52

15:                                               ; preds = %7, %1
  %16 = load i8, ptr %3, align 1, !tbaa !13
  %17 = sext i8 %16 to i32
  %18 = icmp sge i32 %17, 97
  br i1 %18, label %19, label %28

19:                                               ; preds = %15
  %20 = load i8, ptr %3, align 1, !tbaa !13
  %21 = sext i8 %20 to i32
  %22 = icmp sle i32 %21, 122
  br i1 %22, label %23, label %28

23:                                               ; preds = %19
  %24 = load i8, ptr %3, align 1, !tbaa !13
  %25 = sext i8 %24 to i32
  %26 = sub nsw i32 %25, 97
  %27 = add nsw i32 %26, 26
  store i32 %27, ptr %2, align 4
  br label %52

28:                                               ; preds = %19, %15
  %29 = load i8, ptr %3, align 1, !tbaa !13
  %30 = sext i8 %29 to i32
  %31 = icmp sge i32 %30, 48
  br i1 %31, label %32, label %41

32:                                               ; preds = %28
  %33 = load i8, ptr %3, align 1, !tbaa !13
  %34 = sext i8 %33 to i32
  %35 = icmp sle i32 %34, 57
  br i1 %35, label %36, label %41

36:                                               ; preds = %32
  %37 = load i8, ptr %3, align 1, !tbaa !13
  %38 = sext i8 %37 to i32
  %39 = sub nsw i32 %38, 48
  %40 = add nsw i32 %39, 52
  store i32 %40, ptr %2, align 4
  br label %52

41:                                               ; preds = %32, %28
  %42 = load i8, ptr %3, align 1, !tbaa !13
  %43 = sext i8 %42 to i32
  %44 = icmp eq i32 %43, 43
  br i1 %44, label %45, label %46

45:                                               ; preds = %41
  store i32 62, ptr %2, align 4
  br label %52

46:                                               ; preds = %41
  %47 = load i8, ptr %3, align 1, !tbaa !13
  %48 = sext i8 %47 to i32
  %49 = icmp eq i32 %48, 47
  br i1 %49, label %50, label %51

50:                                               ; preds = %46
  store i32 63, ptr %2, align 4
  br label %52

51:                                               ; preds = %46
  store i32 -1, ptr %2, align 4
  br label %52

52:                                               ; preds = %51, %50, %45, %36, %23, %11
  %53 = load i32, ptr %2, align 4
  ret i32 %53
}

attributes #0 = { nounwind uwtable "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #1 = { nocallback nofree nosync nounwind willreturn memory(argmem: readwrite) }
attributes #2 = { inlinehint nounwind willreturn memory(read) uwtable "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #3 = { nounwind allocsize(0,1) "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #4 = { nounwind allocsize(0) "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #5 = { nounwind willreturn memory(read) "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #6 = { "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #7 = { nounwind "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #8 = { nounwind }
attributes #9 = { nounwind willreturn memory(read) }
attributes #10 = { nounwind allocsize(0,1) }
attributes #11 = { nounwind allocsize(0) }

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
!13 = !{!7, !7, i64 0}
!14 = distinct !{!14, !15}
!15 = !{!"llvm.loop.mustprogress"}
!16 = distinct !{!16, !15}
!17 = distinct !{!17, !15}
!18 = distinct !{!18, !15}
!19 = distinct !{!19, !15}
!20 = distinct !{!20, !15}
!21 = distinct !{!21, !15}
!22 = distinct !{!22, !15}
!23 = distinct !{!23, !15}

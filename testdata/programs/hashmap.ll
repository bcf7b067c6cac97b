; ModuleID = 'hashmap.c'
source_filename = "hashmap.c"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

%struct.map = type { ptr, i32, i32 }
%struct.slot = type { ptr, i32, i32 }

@.str = private unnamed_addr constant [28 x i8] c"%u keys, %u slots, most %d\0A\00", align 1

; Function Attrs: nounwind uwtable
define dso_local i32 @main(i32 noundef %0, ptr noundef %1) #0 {
  %3 = alloca i32, align 4
  %4 = alloca i32, align 4
  %5 = alloca ptr, align 8
  %6 = alloca i32, align 4
  %7 = alloca %struct.map, align 8
  %8 = alloca [32 x i8], align 16
  %9 = alloca i32, align 4
  %10 = alloca i32, align 4
  %11 = alloca i32, align 4
  %12 = alloca ptr, align 8
  %13 = alloca i32, align 4
  %14 = alloca i32, align 4
  %15 = alloca i32, align 4
  store i32 0, ptr %3, align 4
  store i32 %0, ptr %4, align 4, !tbaa !5
  store ptr %1, ptr %5, align 8, !tbaa !9
  call void @llvm.lifetime.start.p0(i64 4, ptr %6) #10
  %16 = load i32, ptr %4, align 4, !tbaa !5
  %17 = icmp sgt i32 %16, 1
  br i1 %17, label %18, label %23

18:                                               ; preds = %2
  %19 = load ptr, ptr %5, align 8, !tbaa !9
  %20 = getelementptr inbounds ptr, ptr %19, i64 1
  %21 = load ptr, ptr %20, align 8, !tbaa !9
  %22 = call i32 @atoi(ptr noundef %21) #11
  br label %24

23:                                               ; preds = %2
  br label %24

24:                                               ; preds = %23, %18
  %25 = phi i32 [ %22, %18 ], [ 1000, %23 ]
  store i32 %25, ptr %6, align 4, !tbaa !5
  call void @llvm.lifetime.start.p0(i64 16, ptr %7) #10
  call void @llvm.memset.p0.i64(ptr align 8 %7, i8 0, i64 16, i1 false)
  call void @llvm.lifetime.start.p0(i64 32, ptr %8) #10
  call void @llvm.lifetime.start.p0(i64 4, ptr %9) #10
  store i32 1, ptr %9, align 4, !tbaa !5
  call void @llvm.lifetime.start.p0(i64 4, ptr %10) #10
  store i32 0, ptr %10, align 4, !tbaa !5
  br label %26

26:                                               ; preds = %62, %24
  %27 = load i32, ptr %10, align 4, !tbaa !5
  %28 = load i32, ptr %6, align 4, !tbaa !5
  %29 = icmp slt i32 %27, %28
  br i1 %29, label %31, label %30

30:                                               ; preds = %26
  store i32 2, ptr %11, align 4
  call void @llvm.lifetime.end.p0(i64 4, ptr %10) #10
  br label %65

31:                                               ; preds = %26
  %32 = load i32, ptr %9, align 4, !tbaa !5
  %33 = mul i32 %32, 1664525
  %34 = add i32 %33, 1013904223
  store i32 %34, ptr %9, align 4, !tbaa !5
  call void @llvm.lifetime.start.p0(i64 8, ptr %12) #10
  %35 = getelementptr inbounds [32 x i8], ptr %8, i64 0, i64 0
  store ptr %35, ptr %12, align 8, !tbaa !9
  call void @llvm.lifetime.start.p0(i64 4, ptr %13) #10
  %36 = load i32, ptr %9, align 4, !tbaa !5
  %37 = lshr i32 %36, 8
  %38 = load i32, ptr %6, align 4, !tbaa !5
  %39 = sdiv i32 %38, 2
  %40 = add nsw i32 %39, 1
  %41 = urem i32 %37, %40
  store i32 %41, ptr %13, align 4, !tbaa !5
  br label %42

42:                                               ; preds = %53, %31
  %43 = load i32, ptr %13, align 4, !tbaa !5
  %44 = urem i32 %43, 7
  %45 = add i32 97, %44
  %46 = trunc i32 %45 to i8
  %47 = load ptr, ptr %12, align 8, !tbaa !9
  %48 = getelementptr inbounds i8, ptr %47, i32 1
  store ptr %48, ptr %12, align 8, !tbaa !9
  store i8 %46, ptr %47, align 1, !tbaa !11
  %49 = load i32, ptr %13, align 4, !tbaa !5
  %50 = icmp ult i32 %49, 7
  br i1 %50, label %51, label %52

51:                                               ; preds = %42
  store i32 5, ptr %11, align 4
  call void @llvm.lifetime.end.p0(i64 4, ptr %13) #10
  br label %56

52:                                               ; preds = %42
  br label %53

53:                                               ; preds = %52
  %54 = load i32, ptr %13, align 4, !tbaa !5
  %55 = udiv i32 %54, 7
  store i32 %55, ptr %13, align 4, !tbaa !5
  br label %42

56:                                               ; preds = %51
  %57 = load ptr, ptr %12, align 8, !tbaa !9
  store i8 0, ptr %57, align 1, !tbaa !11
  %58 = getelementptr inbounds [32 x i8], ptr %8, i64 0, i64 0
  %59 = call ptr @at(ptr noundef %7, ptr noundef %58)
  %60 = load i32, ptr %59, align 4, !tbaa !5
  %61 = add nsw i32 %60, 1
  store i32 %61, ptr %59, align 4, !tbaa !5
  call void @llvm.lifetime.end.p0(i64 8, ptr %12) #10
  br label %62

62:                                               ; preds = %56
  %63 = load i32, ptr %10, align 4, !tbaa !5
  %64 = add nsw i32 %63, 1
  store i32 %64, ptr %10, align 4, !tbaa !5
  br label %26, !llvm.loop !12

65:                                               ; preds = %30
  call void @llvm.lifetime.start.p0(i64 4, ptr %14) #10
  store i32 0, ptr %14, align 4, !tbaa !5
  call void @llvm.lifetime.start.p0(i64 4, ptr %15) #10
  store i32 0, ptr %15, align 4, !tbaa !5
  br label %66

66:                                               ; preds = %91, %65
  %67 = load i32, ptr %15, align 4, !tbaa !5
  %68 = getelementptr inbounds %struct.map, ptr %7, i32 0, i32 1
  %69 = load i32, ptr %68, align 8, !tbaa !14
  %70 = icmp ult i32 %67, %69
  br i1 %70, label %72, label %71

71:                                               ; preds = %66
  store i32 8, ptr %11, align 4
  call void @llvm.lifetime.end.p0(i64 4, ptr %15) #10
  br label %94

72:                                               ; preds = %66
  %73 = getelementptr inbounds %struct.map, ptr %7, i32 0, i32 0
  %74 = load ptr, ptr %73, align 8, !tbaa !16
  %75 = load i32, ptr %15, align 4, !tbaa !5
  %76 = zext i32 %75 to i64
  %77 = getelementptr inbounds %struct.slot, ptr %74, i64 %76
  %78 = getelementptr inbounds %struct.slot, ptr %77, i32 0, i32 2
  %79 = load i32, ptr %78, align 4, !tbaa !17
  %80 = load i32, ptr %14, align 4, !tbaa !5
  %81 = icmp sgt i32 %79, %80
  br i1 %81, label %82, label %90

82:                                               ; preds = %72
  %83 = getelementptr inbounds %struct.map, ptr %7, i32 0, i32 0
  %84 = load ptr, ptr %83, align 8, !tbaa !16
  %85 = load i32, ptr %15, align 4, !tbaa !5
  %86 = zext i32 %85 to i64
  %87 = getelementptr inbounds %struct.slot, ptr %84, i64 %86
  %88 = getelementptr inbounds %struct.slot, ptr %87, i32 0, i32 2
  %89 = load i32, ptr %88, align 4, !tbaa !17
  store i32 %89, ptr %14, align 4, !tbaa !5
  br label %90

90:                                               ; preds = %82, %72
  br label %91

91:                                               ; preds = %90
  %92 = load i32, ptr %15, align 4, !tbaa !5
  %93 = add i32 %92, 1
  store i32 %93, ptr %15, align 4, !tbaa !5
  br label %66, !llvm.loop !19

94:                                               ; preds = %71
  %95 = getelementptr inbounds %struct.map, ptr %7, i32 0, i32 2
  %96 = load i32, ptr %95, align 4, !tbaa !20
  %97 = getelementptr inbounds %struct.map, ptr %7, i32 0, i32 1
  %98 = load i32, ptr %97, align 8, !tbaa !14
  %99 = load i32, ptr %14, align 4, !tbaa !5
  %100 = call i32 (ptr, ...) @printf(ptr noundef @.str, i32 noundef %96, i32 noundef %98, i32 noundef %99)
  store i32 0, ptr %3, align 4
  store i32 1, ptr %11, align 4
  call void @llvm.lifetime.end.p0(i64 4, ptr %14) #10
  call void @llvm.lifetime.end.p0(i64 4, ptr %9) #10
  call void @llvm.lifetime.end.p0(i64 32, ptr %8) #10
  call void @llvm.lifetime.end.p0(i64 16, ptr %7) #10
  call void @llvm.lifetime.end.p0(i64 4, ptr %6) #10
  %101 = load i32, ptr %3, align 4
  ret i32 %101
}

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.start.p0(i64 immarg, ptr nocapture) #1

; Function Attrs: inlinehint nounwind willreturn memory(read) uwtable
define available_externally i32 @atoi(ptr noundef nonnull %0) #2 {
  %2 = alloca ptr, align 8
  store ptr %0, ptr %2, align 8, !tbaa !9
  %3 = load ptr, ptr %2, align 8, !tbaa !9
  %4 = call i64 @strtol(ptr noundef %3, ptr noundef null, i32 noundef 10) #10
  %5 = trunc i64 %4 to i32
  ret i32 %5
}

; Function Attrs: nocallback nofree nounwind willreturn memory(argmem: write)
declare void @llvm.memset.p0.i64(ptr nocapture writeonly, i8, i64, i1 immarg) #3

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.end.p0(i64 immarg, ptr nocapture) #1

; Function Attrs: nounwind uwtable
define internal ptr @at(ptr noundef %0, ptr noundef %1) #0 {
  %3 = alloca ptr, align 8
  %4 = alloca ptr, align 8
  %5 = alloca i32, align 4
  %6 = alloca ptr, align 8
  store ptr %0, ptr %3, align 8, !tbaa !9
  store ptr %1, ptr %4, align 8, !tbaa !9
  %7 = load ptr, ptr %3, align 8, !tbaa !9
  %8 = getelementptr inbounds %struct.map, ptr %7, i32 0, i32 2
  %9 = load i32, ptr %8, align 4, !tbaa !20
  %10 = mul i32 %9, 4
  %11 = load ptr, ptr %3, align 8, !tbaa !9
  %12 = getelementptr inbounds %struct.map, ptr %11, i32 0, i32 1
  %13 = load i32, ptr %12, align 8, !tbaa !14
  %14 = mul i32 %13, 3
  %15 = icmp uge i32 %10, %14
  br i1 %15, label %16, label %18

16:                                               ; preds = %2
  %17 = load ptr, ptr %3, align 8, !tbaa !9
  call void @grow(ptr noundef %17)
  br label %18

18:                                               ; preds = %16, %2
  call void @llvm.lifetime.start.p0(i64 4, ptr %5) #10
  %19 = load ptr, ptr %4, align 8, !tbaa !9
  %20 = call i32 @hash(ptr noundef %19)
  store i32 %20, ptr %5, align 4, !tbaa !5
  call void @llvm.lifetime.start.p0(i64 8, ptr %6) #10
  %21 = load ptr, ptr %3, align 8, !tbaa !9
  %22 = load ptr, ptr %4, align 8, !tbaa !9
  %23 = load i32, ptr %5, align 4, !tbaa !5
  %24 = call ptr @find(ptr noundef %21, ptr noundef %22, i32 noundef %23)
  store ptr %24, ptr %6, align 8, !tbaa !9
  %25 = load ptr, ptr %6, align 8, !tbaa !9
  %26 = getelementptr inbounds %struct.slot, ptr %25, i32 0, i32 0
  %27 = load ptr, ptr %26, align 8, !tbaa !21
  %28 = icmp ne ptr %27, null
  br i1 %28, label %48, label %29

29:                                               ; preds = %18
  %30 = load ptr, ptr %4, align 8, !tbaa !9
  %31 = call i64 @strlen(ptr noundef %30) #11
  %32 = add i64 %31, 1
  %33 = call noalias ptr @malloc(i64 noundef %32) #12
  %34 = load ptr, ptr %6, align 8, !tbaa !9
  %35 = getelementptr inbounds %struct.slot, ptr %34, i32 0, i32 0
  store ptr %33, ptr %35, align 8, !tbaa !21
  %36 = load ptr, ptr %6, align 8, !tbaa !9
  %37 = getelementptr inbounds %struct.slot, ptr %36, i32 0, i32 0
  %38 = load ptr, ptr %37, align 8, !tbaa !21
  %39 = load ptr, ptr %4, align 8, !tbaa !9
  %40 = call ptr @strcpy(ptr noundef %38, ptr noundef %39) #10
  %41 = load i32, ptr %5, align 4, !tbaa !5
  %42 = load ptr, ptr %6, align 8, !tbaa !9
  %43 = getelementptr inbounds %struct.slot, ptr %42, i32 0, i32 1
  store i32 %41, ptr %43, align 8, !tbaa !22
  %44 = load ptr, ptr %3, align 8, !tbaa !9
  %45 = getelementptr inbounds %struct.map, ptr %44, i32 0, i32 2
  %46 = load i32, ptr %45, align 4, !tbaa !20
  %47 = add i32 %46, 1
  store i32 %47, ptr %45, align 4, !tbaa !20
  br label %48

48:                                               ; preds = %29, %18
  %49 = load ptr, ptr %6, align 8, !tbaa !9
  %50 = getelementptr inbounds %struct.slot, ptr %49, i32 0, i32 2
  call void @llvm.lifetime.end.p0(i64 8, ptr %6) #10
  call void @llvm.lifetime.end.p0(i64 4, ptr %5) #10
  ret ptr %50
}

declare i32 @printf(ptr noundef, ...) #4

; Function Attrs: nounwind
declare i64 @strtol(ptr noundef, ptr noundef, i32 noundef) #5

; Function Attrs: nounwind uwtable
define internal void @grow(ptr noundef %0) #0 {
  %2 = alloca ptr, align 8
  %3 = alloca %struct.map, align 8
  %4 = alloca i32, align 4
  store ptr %0, ptr %2, align 8, !tbaa !9
  call void @llvm.lifetime.start.p0(i64 16, ptr %3) #10
  %5 = load ptr, ptr %2, align 8, !tbaa !9
  call void @llvm.memcpy.p0.p0.i64(ptr align 8 %3, ptr align 8 %5, i64 16, i1 false), !tbaa.struct !23
  %6 = getelementptr inbounds %struct.map, ptr %3, i32 0, i32 1
  %7 = load i32, ptr %6, align 8, !tbaa !14
  %8 = icmp ne i32 %7, 0
  br i1 %8, label %9, label %13

9:                                                ; preds = %1
  %10 = getelementptr inbounds %struct.map, ptr %3, i32 0, i32 1
  %11 = load i32, ptr %10, align 8, !tbaa !14
  %12 = mul i32 %11, 2
  br label %14

13:                                               ; preds = %1
  br label %14

14:                                               ; preds = %13, %9
  %15 = phi i32 [ %12, %9 ], [ 16, %13 ]
  %16 = load ptr, ptr %2, align 8, !tbaa !9
  %17 = getelementptr inbounds %struct.map, ptr %16, i32 0, i32 1
  store i32 %15, ptr %17, align 8, !tbaa !14
  %18 = load ptr, ptr %2, align 8, !tbaa !9
  %19 = getelementptr inbounds %struct.map, ptr %18, i32 0, i32 1
  %20 = load i32, ptr %19, align 8, !tbaa !14
  %21 = zext i32 %20 to i64
  %22 = call noalias ptr @calloc(i64 noundef %21, i64 noundef 16) #13
  %23 = load ptr, ptr %2, align 8, !tbaa !9
  %24 = getelementptr inbounds %struct.map, ptr %23, i32 0, i32 0
  store ptr %22, ptr %24, align 8, !tbaa !16
  call void @llvm.lifetime.start.p0(i64 4, ptr %4) #10
  store i32 0, ptr %4, align 4, !tbaa !5
  br label %25

25:                                               ; preds = %63, %14
  %26 = load i32, ptr %4, align 4, !tbaa !5
  %27 = getelementptr inbounds %struct.map, ptr %3, i32 0, i32 1
  %28 = load i32, ptr %27, align 8, !tbaa !14
  %29 = icmp ult i32 %26, %28
  br i1 %29, label %31, label %30

30:                                               ; preds = %25
  call void @llvm.lifetime.end.p0(i64 4, ptr %4) #10
  br label %66

31:                                               ; preds = %25
  %32 = getelementptr inbounds %struct.map, ptr %3, i32 0, i32 0
  %33 = load ptr, ptr %32, align 8, !tbaa !16
  %34 = load i32, ptr %4, align 4, !tbaa !5
  %35 = zext i32 %34 to i64
  %36 = getelementptr inbounds %struct.slot, ptr %33, i64 %35
  %37 = getelementptr inbounds %struct.slot, ptr %36, i32 0, i32 0
  %38 = load ptr, ptr %37, align 8, !tbaa !21
  %39 = icmp ne ptr %38, null
  br i1 %39, label %40, label %62

40:                                               ; preds = %31
  %41 = load ptr, ptr %2, align 8, !tbaa !9
  %42 = getelementptr inbounds %struct.map, ptr %3, i32 0, i32 0
  %43 = load ptr, ptr %42, align 8, !tbaa !16
  %44 = load i32, ptr %4, align 4, !tbaa !5
  %45 = zext i32 %44 to i64
  %46 = getelementptr inbounds %struct.slot, ptr %43, i64 %45
  %47 = getelementptr inbounds %struct.slot, ptr %46, i32 0, i32 0
  %48 = load ptr, ptr %47, align 8, !tbaa !21
  %49 = getelementptr inbounds %struct.map, ptr %3, i32 0, i32 0
  %50 = load ptr, ptr %49, align 8, !tbaa !16
  %51 = load i32, ptr %4, align 4, !tbaa !5
  %52 = zext i32 %51 to i64
  %53 = getelementptr inbounds %struct.slot, ptr %50, i64 %52
  %54 = getelementptr inbounds %struct.slot, ptr %53, i32 0, i32 1
  %55 = load i32, ptr %54, align 8, !tbaa !22
  %56 = call ptr @find(ptr noundef %41, ptr noundef %48, i32 noundef %55)
  %57 = getelementptr inbounds %struct.map, ptr %3, i32 0, i32 0
  %58 = load ptr, ptr %57, align 8, !tbaa !16
  %59 = load i32, ptr %4, align 4, !tbaa !5
  %60 = zext i32 %59 to i64
  %61 = getelementptr inbounds %struct.slot, ptr %58, i64 %60
  call void @llvm.memcpy.p0.p0.i64(ptr align 8 %56, ptr align 8 %61, i64 16, i1 false), !tbaa.struct !23
  br label %62

62:                                               ; preds = %40, %31
  br label %63

63:                                               ; preds = %62
  %64 = load i32, ptr %4, align 4, !tbaa !5
  %65 = add i32 %64, 1
  store i32 %65, ptr %4, align 4, !tbaa !5
  br label %25, !llvm.loop !24

66:                                               ; preds = %30
  %67 = getelementptr inbounds %struct.map, ptr %3, i32 0, i32 0
  %68 = load ptr, ptr %67, align 8, !tbaa !16
  call void @free(ptr noundef %68) #10
  call void @llvm.lifetime.end.p0(i64 16, ptr %3) #10
  ret void
}

; Function Attrs: nounwind uwtable
define internal i32 @hash(ptr noundef %0) #0 {
  %2 = alloca ptr, align 8
  %3 = alloca i32, align 4
  store ptr %0, ptr %2, align 8, !tbaa !9
  call void @llvm.lifetime.start.p0(i64 4, ptr %3) #10
  store i32 -2128831035, ptr %3, align 4, !tbaa !5
  br label %4

4:                                                ; preds = %15, %1
  %5 = load ptr, ptr %2, align 8, !tbaa !9
  %6 = load i8, ptr %5, align 1, !tbaa !11
  %7 = icmp ne i8 %6, 0
  br i1 %7, label %8, label %18

8:                                                ; preds = %4
  %9 = load i32, ptr %3, align 4, !tbaa !5
  %10 = load ptr, ptr %2, align 8, !tbaa !9
  %11 = load i8, ptr %10, align 1, !tbaa !11
  %12 = zext i8 %11 to i32
  %13 = xor i32 %9, %12
  %14 = mul i32 %13, 16777619
  store i32 %14, ptr %3, align 4, !tbaa !5
  br label %15

15:                                               ; preds = %8
  %16 = load ptr, ptr %2, align 8, !tbaa !9
  %17 = getelementptr inbounds i8, ptr %16, i32 1
  store ptr %17, ptr %2, align 8, !tbaa !9
  br label %4, !llvm.loop !25

18:                                               ; preds = %4
  %19 = load i32, ptr %3, align 4, !tbaa !5
  call void @llvm.lifetime.end.p0(i64 4, ptr %3) #10
  ret i32 %19
}

; Function Attrs: nounwind uwtable
define internal ptr @find(ptr noundef %0, ptr noundef %1, i32 noundef %2) #0 {
  %4 = alloca ptr, align 8
  %5 = alloca ptr, align 8
  %6 = alloca i32, align 4
  %7 = alloca i32, align 4
  store ptr %0, ptr %4, align 8, !tbaa !9
  store ptr %1, ptr %5, align 8, !tbaa !9
  store i32 %2, ptr %6, align 4, !tbaa !5
  call void @llvm.lifetime.start.p0(i64 4, ptr %7) #10
  %8 = load i32, ptr %6, align 4, !tbaa !5
  %9 = load ptr, ptr %4, align 8, !tbaa !9
  %10 = getelementptr inbounds %struct.map, ptr %9, i32 0, i32 1
  %11 = load i32, ptr %10, align 8, !tbaa !14
  %12 = sub i32 %11, 1
  %13 = and i32 %8, %12
  store i32 %13, ptr %7, align 4, !tbaa !5
  br label %14

14:                                               ; preds = %51, %3
  %15 = load ptr, ptr %4, align 8, !tbaa !9
  %16 = getelementptr inbounds %struct.map, ptr %15, i32 0, i32 0
  %17 = load ptr, ptr %16, align 8, !tbaa !16
  %18 = load i32, ptr %7, align 4, !tbaa !5
  %19 = zext i32 %18 to i64
  %20 = getelementptr inbounds %struct.slot, ptr %17, i64 %19
  %21 = getelementptr inbounds %struct.slot, ptr %20, i32 0, i32 0
  %22 = load ptr, ptr %21, align 8, !tbaa !21
  %23 = icmp ne ptr %22, null
  br i1 %23, label %24, label %49

24:                                               ; preds = %14
  %25 = load ptr, ptr %4, align 8, !tbaa !9
  %26 = getelementptr inbounds %struct.map, ptr %25, i32 0, i32 0
  %27 = load ptr, ptr %26, align 8, !tbaa !16
  %28 = load i32, ptr %7, align 4, !tbaa !5
  %29 = zext i32 %28 to i64
  %30 = getelementptr inbounds %struct.slot, ptr %27, i64 %29
  %31 = getelementptr inbounds %struct.slot, ptr %30, i32 0, i32 1
  %32 = load i32, ptr %31, align 8, !tbaa !22
  %33 = load i32, ptr %6, align 4, !tbaa !5
  %34 = icmp ne i32 %32, %33
  br i1 %34, label %47, label %35

35:                                               ; preds = %24
  %36 = load ptr, ptr %4, align 8, !tbaa !9
  %37 = getelementptr inbounds %struct.map, ptr %36, i32 0, i32 0
  %38 = load ptr, ptr %37, align 8, !tbaa !16
  %39 = load i32, ptr %7, align 4, !tbaa !5
  %40 = zext i32 %39 to i64
  %41 = getelementptr inbounds %struct.slot, ptr %38, i64 %40
  %42 = getelementptr inbounds %struct.slot, ptr %41, i32 0, i32 0
  %43 = load ptr, ptr %42, align 8, !tbaa !21
  %44 = load ptr, ptr %5, align 8, !tbaa !9
  %45 = call i32 @strcmp(ptr noundef %43, ptr noundef %44) #11
  %46 = icmp ne i32 %45, 0
  br label %47

47:                                               ; preds = %35, %24
  %48 = phi i1 [ true, %24 ], [ %46, %35 ]
  br label %49

49:                                               ; preds = %47, %14
  %50 = phi i1 [ false, %14 ], [ %48, %47 ]
  br i1 %50, label %51, label %59

51:                                               ; preds = %49
  %52 = load i32, ptr %7, align 4, !tbaa !5
  %53 = add i32 %52, 1
  %54 = load ptr, ptr %4, align 8, !tbaa !9
  %55 = getelementptr inbounds %struct.map, ptr %54, i32 0, i32 1
  %56 = load i32, ptr %55, align 8, !tbaa !14
  %57 = sub i32 %56, 1
  %58 = and i32 %53, %57
  store i32 %58, ptr %7, align 4, !tbaa !5
  br label %14, !llvm.loop !26

59:                                               ; preds = %49
  %60 = load ptr, ptr %4, align 8, !tbaa !9
  %61 = getelementptr inbounds %struct.map, ptr %60, i32 0, i32 0
  %62 = load ptr, ptr %61, align 8, !tbaa !16
  %63 = load i32, ptr %7, align 4, !tbaa !5
  %64 = zext i32 %63 to i64
  %65 = getelementptr inbounds %struct.slot, ptr %62, i64 %64
  call void @llvm.lifetime.end.p0(i64 4, ptr %7) #10
  ret ptr %65
}

; Function Attrs: nounwind allocsize(0)
declare noalias ptr @malloc(i64 noundef) #6

; Function Attrs: nounwind willreturn memory(read)
declare i64 @strlen(ptr noundef) #7

; Function Attrs: nounwind
declare ptr @strcpy(ptr noundef, ptr noundef) #5

; Function Attrs: nocallback nofree nounwind willreturn memory(argmem: readwrite)
declare void @llvm.memcpy.p0.p0.i64(ptr noalias nocapture writeonly, ptr noalias nocapture readonly, i64, i1 immarg) #8

; Function Attrs: nounwind allocsize(0,1)
declare noalias ptr @calloc(i64 noundef, i64 noundef) #9

; Function Attrs: nounwind
declare void @free(ptr noundef) #5

; Function Attrs: nounwind willreturn memory(read)
declare i32 @strcmp(ptr noundef, ptr noundef) #7

attributes #0 = { nounwind uwtable "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #1 = { nocallback nofree nosync nounwind willreturn memory(argmem: readwrite) }
attributes #2 = { inlinehint nounwind willreturn memory(read) uwtable "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #3 = { nocallback nofree nounwind willreturn memory(argmem: write) }
attributes #4 = { "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #5 = { nounwind "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #6 = { nounwind allocsize(0) "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #7 = { nounwind willreturn memory(read) "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #8 = { nocallback nofree nounwind willreturn memory(argmem: readwrite) }
attributes #9 = { nounwind allocsize(0,1) "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #10 = { nounwind }
attributes #11 = { nounwind willreturn memory(read) }
attributes #12 = { nounwind allocsize(0) }
attributes #13 = { nounwind allocsize(0,1) }

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
!14 = !{!15, !6, i64 8}
!15 = !{!"map", !10, i64 0, !6, i64 8, !6, i64 12}
!16 = !{!15, !10, i64 0}
!17 = !{!18, !6, i64 12}
!18 = !{!"slot", !10, i64 0, !6, i64 8, !6, i64 12}
!19 = distinct !{!19, !13}
!20 = !{!15, !6, i64 12}
!21 = !{!18, !10, i64 0}
!22 = !{!18, !6, i64 8}
!23 = !{i64 0, i64 8, !9, i64 8, i64 4, !5, i64 12, i64 4, !5}
!24 = distinct !{!24, !13}
!25 = distinct !{!25, !13}
!26 = distinct !{!26, !13}

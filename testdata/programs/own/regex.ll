; ModuleID = 'regex.c'
source_filename = "regex.c"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

%struct.program = type { [128 x %struct.inst], i32 }
%struct.inst = type { i32, i32, i32, [32 x i8] }

@main.patterns = internal global [6 x ptr] [ptr @.str, ptr @.str.1, ptr @.str.2, ptr @.str.3, ptr @.str.4, ptr @.str.5], align 16
@.str = private unnamed_addr constant [29 x i8] c"[a-z]+@[a-z]+\\.(com|org|net)\00", align 1
@.str.1 = private unnamed_addr constant [10 x i8] c"(ab|ba)*c\00", align 1
@.str.2 = private unnamed_addr constant [7 x i8] c"^x.*y$\00", align 1
@.str.3 = private unnamed_addr constant [10 x i8] c"[^ ]*ing \00", align 1
@.str.4 = private unnamed_addr constant [13 x i8] c"q[uv]?[0-9]+\00", align 1
@.str.5 = private unnamed_addr constant [9 x i8] c"a.b.?c+d\00", align 1
@main.programs = internal global [6 x %struct.program] zeroinitializer, align 16
@pattern = internal global ptr null, align 8
@.str.6 = private unnamed_addr constant [38 x i8] c"aabbabcdeinguvxyqtom@.comorgnet 0123 \00", align 1
@.str.7 = private unnamed_addr constant [28 x i8] c"%d matches, %ld characters\0A\00", align 1

; Function Attrs: nounwind uwtable
define dso_local i32 @main(i32 noundef %0, ptr noundef %1) #0 {
  %3 = alloca i32, align 4
  %4 = alloca i32, align 4
  %5 = alloca ptr, align 8
  %6 = alloca i32, align 4
  %7 = alloca i32, align 4
  %8 = alloca i32, align 4
  %9 = alloca i64, align 8
  %10 = alloca [121 x i8], align 16
  %11 = alloca i32, align 4
  %12 = alloca i32, align 4
  %13 = alloca i32, align 4
  %14 = alloca i32, align 4
  %15 = alloca i32, align 4
  %16 = alloca ptr, align 8
  %17 = alloca ptr, align 8
  store i32 0, ptr %3, align 4
  store i32 %0, ptr %4, align 4, !tbaa !5
  store ptr %1, ptr %5, align 8, !tbaa !9
  call void @llvm.lifetime.start.p0(i64 4, ptr %6) #7
  %18 = load i32, ptr %4, align 4, !tbaa !5
  %19 = icmp sgt i32 %18, 1
  br i1 %19, label %20, label %25

20:                                               ; preds = %2
  %21 = load ptr, ptr %5, align 8, !tbaa !9
  %22 = getelementptr inbounds ptr, ptr %21, i64 1
  %23 = load ptr, ptr %22, align 8, !tbaa !9
  %24 = call i32 @atoi(ptr noundef %23) #8
  br label %26

25:                                               ; preds = %2
  br label %26

26:                                               ; preds = %25, %20
  %27 = phi i32 [ %24, %20 ], [ 10, %25 ]
  store i32 %27, ptr %6, align 4, !tbaa !5
  call void @llvm.lifetime.start.p0(i64 4, ptr %7) #7
  store i32 0, ptr %7, align 4, !tbaa !5
  call void @llvm.lifetime.start.p0(i64 4, ptr %8) #7
  store i32 17, ptr %8, align 4, !tbaa !5
  call void @llvm.lifetime.start.p0(i64 8, ptr %9) #7
  store i64 0, ptr %9, align 8, !tbaa !11
  call void @llvm.lifetime.start.p0(i64 121, ptr %10) #7
  call void @llvm.lifetime.start.p0(i64 4, ptr %11) #7
  store i32 0, ptr %11, align 4, !tbaa !5
  br label %28

28:                                               ; preds = %44, %26
  %29 = load i32, ptr %11, align 4, !tbaa !5
  %30 = icmp slt i32 %29, 6
  br i1 %30, label %32, label %31

31:                                               ; preds = %28
  call void @llvm.lifetime.end.p0(i64 4, ptr %11) #7
  br label %47

32:                                               ; preds = %28
  %33 = load i32, ptr %11, align 4, !tbaa !5
  %34 = sext i32 %33 to i64
  %35 = getelementptr inbounds [6 x ptr], ptr @main.patterns, i64 0, i64 %34
  %36 = load ptr, ptr %35, align 8, !tbaa !9
  store ptr %36, ptr @pattern, align 8, !tbaa !9
  %37 = load i32, ptr %11, align 4, !tbaa !5
  %38 = sext i32 %37 to i64
  %39 = getelementptr inbounds [6 x %struct.program], ptr @main.programs, i64 0, i64 %38
  call void @alternatives(ptr noundef %39)
  %40 = load i32, ptr %11, align 4, !tbaa !5
  %41 = sext i32 %40 to i64
  %42 = getelementptr inbounds [6 x %struct.program], ptr @main.programs, i64 0, i64 %41
  %43 = call i32 @emit(ptr noundef %42, i32 noundef 7, i32 noundef 0, i32 noundef 0)
  br label %44

44:                                               ; preds = %32
  %45 = load i32, ptr %11, align 4, !tbaa !5
  %46 = add nsw i32 %45, 1
  store i32 %46, ptr %11, align 4, !tbaa !5
  br label %28, !llvm.loop !13

47:                                               ; preds = %31
  call void @llvm.lifetime.start.p0(i64 4, ptr %12) #7
  store i32 0, ptr %12, align 4, !tbaa !5
  br label %48

48:                                               ; preds = %117, %47
  %49 = load i32, ptr %12, align 4, !tbaa !5
  %50 = load i32, ptr %6, align 4, !tbaa !5
  %51 = icmp slt i32 %49, %50
  br i1 %51, label %53, label %52

52:                                               ; preds = %48
  store i32 5, ptr %13, align 4
  call void @llvm.lifetime.end.p0(i64 4, ptr %12) #7
  br label %120

53:                                               ; preds = %48
  call void @llvm.lifetime.start.p0(i64 4, ptr %14) #7
  store i32 0, ptr %14, align 4, !tbaa !5
  br label %54

54:                                               ; preds = %71, %53
  %55 = load i32, ptr %14, align 4, !tbaa !5
  %56 = icmp slt i32 %55, 120
  br i1 %56, label %58, label %57

57:                                               ; preds = %54
  store i32 8, ptr %13, align 4
  call void @llvm.lifetime.end.p0(i64 4, ptr %14) #7
  br label %74

58:                                               ; preds = %54
  %59 = load i32, ptr %8, align 4, !tbaa !5
  %60 = mul i32 %59, 1103515245
  %61 = add i32 %60, 12345
  store i32 %61, ptr %8, align 4, !tbaa !5
  %62 = load i32, ptr %8, align 4, !tbaa !5
  %63 = lshr i32 %62, 16
  %64 = urem i32 %63, 37
  %65 = zext i32 %64 to i64
  %66 = getelementptr inbounds [38 x i8], ptr @.str.6, i64 0, i64 %65
  %67 = load i8, ptr %66, align 1, !tbaa !15
  %68 = load i32, ptr %14, align 4, !tbaa !5
  %69 = sext i32 %68 to i64
  %70 = getelementptr inbounds [121 x i8], ptr %10, i64 0, i64 %69
  store i8 %67, ptr %70, align 1, !tbaa !15
  br label %71

71:                                               ; preds = %58
  %72 = load i32, ptr %14, align 4, !tbaa !5
  %73 = add nsw i32 %72, 1
  store i32 %73, ptr %14, align 4, !tbaa !5
  br label %54, !llvm.loop !16

74:                                               ; preds = %57
  %75 = getelementptr inbounds [121 x i8], ptr %10, i64 0, i64 120
  store i8 0, ptr %75, align 8, !tbaa !15
  call void @llvm.lifetime.start.p0(i64 4, ptr %15) #7
  store i32 0, ptr %15, align 4, !tbaa !5
  br label %76

76:                                               ; preds = %113, %74
  %77 = load i32, ptr %15, align 4, !tbaa !5
  %78 = icmp slt i32 %77, 6
  br i1 %78, label %80, label %79

79:                                               ; preds = %76
  store i32 11, ptr %13, align 4
  call void @llvm.lifetime.end.p0(i64 4, ptr %15) #7
  br label %116

80:                                               ; preds = %76
  call void @llvm.lifetime.start.p0(i64 8, ptr %16) #7
  %81 = getelementptr inbounds [121 x i8], ptr %10, i64 0, i64 0
  store ptr %81, ptr %16, align 8, !tbaa !9
  br label %82

82:                                               ; preds = %109, %80
  %83 = load ptr, ptr %16, align 8, !tbaa !9
  %84 = load i8, ptr %83, align 1, !tbaa !15
  %85 = icmp ne i8 %84, 0
  br i1 %85, label %87, label %86

86:                                               ; preds = %82
  store i32 14, ptr %13, align 4
  call void @llvm.lifetime.end.p0(i64 8, ptr %16) #7
  br label %112

87:                                               ; preds = %82
  call void @llvm.lifetime.start.p0(i64 8, ptr %17) #7
  %88 = load i32, ptr %15, align 4, !tbaa !5
  %89 = sext i32 %88 to i64
  %90 = getelementptr inbounds [6 x %struct.program], ptr @main.programs, i64 0, i64 %89
  %91 = getelementptr inbounds %struct.program, ptr %90, i32 0, i32 0
  %92 = getelementptr inbounds [128 x %struct.inst], ptr %91, i64 0, i64 0
  %93 = getelementptr inbounds [121 x i8], ptr %10, i64 0, i64 0
  %94 = load ptr, ptr %16, align 8, !tbaa !9
  %95 = call ptr @run(ptr noundef %92, i32 noundef 0, ptr noundef %93, ptr noundef %94)
  store ptr %95, ptr %17, align 8, !tbaa !9
  %96 = load ptr, ptr %17, align 8, !tbaa !9
  %97 = icmp ne ptr %96, null
  br i1 %97, label %98, label %108

98:                                               ; preds = %87
  %99 = load i32, ptr %7, align 4, !tbaa !5
  %100 = add nsw i32 %99, 1
  store i32 %100, ptr %7, align 4, !tbaa !5
  %101 = load ptr, ptr %17, align 8, !tbaa !9
  %102 = load ptr, ptr %16, align 8, !tbaa !9
  %103 = ptrtoint ptr %101 to i64
  %104 = ptrtoint ptr %102 to i64
  %105 = sub i64 %103, %104
  %106 = load i64, ptr %9, align 8, !tbaa !11
  %107 = add nsw i64 %106, %105
  store i64 %107, ptr %9, align 8, !tbaa !11
  br label %108

108:                                              ; preds = %98, %87
  call void @llvm.lifetime.end.p0(i64 8, ptr %17) #7
  br label %109

109:                                              ; preds = %108
  %110 = load ptr, ptr %16, align 8, !tbaa !9
  %111 = getelementptr inbounds i8, ptr %110, i32 1
  store ptr %111, ptr %16, align 8, !tbaa !9
  br label %82, !llvm.loop !17

112:                                              ; preds = %86
  br label %113

113:                                              ; preds = %112
  %114 = load i32, ptr %15, align 4, !tbaa !5
  %115 = add nsw i32 %114, 1
  store i32 %115, ptr %15, align 4, !tbaa !5
  br label %76, !llvm.loop !18

116:                                              ; preds = %79
  br label %117

117:                                              ; preds = %116
  %118 = load i32, ptr %12, align 4, !tbaa !5
  %119 = add nsw i32 %118, 1
  store i32 %119, ptr %12, align 4, !tbaa !5
  br label %48, !llvm.loop !19

120:                                              ; preds = %52
  %121 = load i32, ptr %7, align 4, !tbaa !5
  %122 = load i64, ptr %9, align 8, !tbaa !11
  %123 = call i32 (ptr, ...) @printf(ptr noundef @.str.7, i32 noundef %121, i64 noundef %122)
  store i32 0, ptr %3, align 4
  store i32 1, ptr %13, align 4
  call void @llvm.lifetime.end.p0(i64 121, ptr %10) #7
  call void @llvm.lifetime.end.p0(i64 8, ptr %9) #7
  call void @llvm.lifetime.end.p0(i64 4, ptr %8) #7
  call void @llvm.lifetime.end.p0(i64 4, ptr %7) #7
  call void @llvm.lifetime.end.p0(i64 4, ptr %6) #7
  %124 = load i32, ptr %3, align 4
  ret i32 %124
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

; Function Attrs: nounwind uwtable
define internal void @alternatives(ptr noundef %0) #0 {
  %2 = alloca ptr, align 8
  %3 = alloca i32, align 4
  %4 = alloca i32, align 4
  store ptr %0, ptr %2, align 8, !tbaa !9
  call void @llvm.lifetime.start.p0(i64 4, ptr %3) #7
  %5 = load ptr, ptr %2, align 8, !tbaa !9
  %6 = getelementptr inbounds %struct.program, ptr %5, i32 0, i32 1
  %7 = load i32, ptr %6, align 4, !tbaa !20
  store i32 %7, ptr %3, align 4, !tbaa !5
  %8 = load ptr, ptr %2, align 8, !tbaa !9
  call void @sequence(ptr noundef %8)
  %9 = load ptr, ptr @pattern, align 8, !tbaa !9
  %10 = load i8, ptr %9, align 1, !tbaa !15
  %11 = sext i8 %10 to i32
  %12 = icmp eq i32 %11, 124
  br i1 %12, label %13, label %53

13:                                               ; preds = %1
  %14 = load ptr, ptr @pattern, align 8, !tbaa !9
  %15 = getelementptr inbounds i8, ptr %14, i32 1
  store ptr %15, ptr @pattern, align 8, !tbaa !9
  %16 = load ptr, ptr %2, align 8, !tbaa !9
  %17 = load i32, ptr %3, align 4, !tbaa !5
  call void @open_gap(ptr noundef %16, i32 noundef %17)
  call void @llvm.lifetime.start.p0(i64 4, ptr %4) #7
  %18 = load ptr, ptr %2, align 8, !tbaa !9
  %19 = call i32 @emit(ptr noundef %18, i32 noundef 4, i32 noundef 0, i32 noundef 0)
  store i32 %19, ptr %4, align 4, !tbaa !5
  %20 = load ptr, ptr %2, align 8, !tbaa !9
  %21 = getelementptr inbounds %struct.program, ptr %20, i32 0, i32 0
  %22 = load i32, ptr %3, align 4, !tbaa !5
  %23 = sext i32 %22 to i64
  %24 = getelementptr inbounds [128 x %struct.inst], ptr %21, i64 0, i64 %23
  %25 = getelementptr inbounds %struct.inst, ptr %24, i32 0, i32 0
  store i32 3, ptr %25, align 4, !tbaa !22
  %26 = load i32, ptr %3, align 4, !tbaa !5
  %27 = add nsw i32 %26, 1
  %28 = load ptr, ptr %2, align 8, !tbaa !9
  %29 = getelementptr inbounds %struct.program, ptr %28, i32 0, i32 0
  %30 = load i32, ptr %3, align 4, !tbaa !5
  %31 = sext i32 %30 to i64
  %32 = getelementptr inbounds [128 x %struct.inst], ptr %29, i64 0, i64 %31
  %33 = getelementptr inbounds %struct.inst, ptr %32, i32 0, i32 1
  store i32 %27, ptr %33, align 4, !tbaa !24
  %34 = load ptr, ptr %2, align 8, !tbaa !9
  %35 = getelementptr inbounds %struct.program, ptr %34, i32 0, i32 1
  %36 = load i32, ptr %35, align 4, !tbaa !20
  %37 = load ptr, ptr %2, align 8, !tbaa !9
  %38 = getelementptr inbounds %struct.program, ptr %37, i32 0, i32 0
  %39 = load i32, ptr %3, align 4, !tbaa !5
  %40 = sext i32 %39 to i64
  %41 = getelementptr inbounds [128 x %struct.inst], ptr %38, i64 0, i64 %40
  %42 = getelementptr inbounds %struct.inst, ptr %41, i32 0, i32 2
  store i32 %36, ptr %42, align 4, !tbaa !25
  %43 = load ptr, ptr %2, align 8, !tbaa !9
  call void @alternatives(ptr noundef %43)
  %44 = load ptr, ptr %2, align 8, !tbaa !9
  %45 = getelementptr inbounds %struct.program, ptr %44, i32 0, i32 1
  %46 = load i32, ptr %45, align 4, !tbaa !20
  %47 = load ptr, ptr %2, align 8, !tbaa !9
  %48 = getelementptr inbounds %struct.program, ptr %47, i32 0, i32 0
  %49 = load i32, ptr %4, align 4, !tbaa !5
  %50 = sext i32 %49 to i64
  %51 = getelementptr inbounds [128 x %struct.inst], ptr %48, i64 0, i64 %50
  %52 = getelementptr inbounds %struct.inst, ptr %51, i32 0, i32 1
  store i32 %46, ptr %52, align 4, !tbaa !24
  call void @llvm.lifetime.end.p0(i64 4, ptr %4) #7
  br label %53

53:                                               ; preds = %13, %1
  call void @llvm.lifetime.end.p0(i64 4, ptr %3) #7
  ret void
}

; Function Attrs: nounwind uwtable
define internal i32 @emit(ptr noundef %0, i32 noundef %1, i32 noundef %2, i32 noundef %3) #0 {
  %5 = alloca ptr, align 8
  %6 = alloca i32, align 4
  %7 = alloca i32, align 4
  %8 = alloca i32, align 4
  %9 = alloca ptr, align 8
  store ptr %0, ptr %5, align 8, !tbaa !9
  store i32 %1, ptr %6, align 4, !tbaa !5
  store i32 %2, ptr %7, align 4, !tbaa !5
  store i32 %3, ptr %8, align 4, !tbaa !5
  call void @llvm.lifetime.start.p0(i64 8, ptr %9) #7
  %10 = load ptr, ptr %5, align 8, !tbaa !9
  %11 = getelementptr inbounds %struct.program, ptr %10, i32 0, i32 0
  %12 = load ptr, ptr %5, align 8, !tbaa !9
  %13 = getelementptr inbounds %struct.program, ptr %12, i32 0, i32 1
  %14 = load i32, ptr %13, align 4, !tbaa !20
  %15 = sext i32 %14 to i64
  %16 = getelementptr inbounds [128 x %struct.inst], ptr %11, i64 0, i64 %15
  store ptr %16, ptr %9, align 8, !tbaa !9
  %17 = load i32, ptr %6, align 4, !tbaa !5
  %18 = load ptr, ptr %9, align 8, !tbaa !9
  %19 = getelementptr inbounds %struct.inst, ptr %18, i32 0, i32 0
  store i32 %17, ptr %19, align 4, !tbaa !22
  %20 = load i32, ptr %7, align 4, !tbaa !5
  %21 = load ptr, ptr %9, align 8, !tbaa !9
  %22 = getelementptr inbounds %struct.inst, ptr %21, i32 0, i32 1
  store i32 %20, ptr %22, align 4, !tbaa !24
  %23 = load i32, ptr %8, align 4, !tbaa !5
  %24 = load ptr, ptr %9, align 8, !tbaa !9
  %25 = getelementptr inbounds %struct.inst, ptr %24, i32 0, i32 2
  store i32 %23, ptr %25, align 4, !tbaa !25
  %26 = load ptr, ptr %5, align 8, !tbaa !9
  %27 = getelementptr inbounds %struct.program, ptr %26, i32 0, i32 1
  %28 = load i32, ptr %27, align 4, !tbaa !20
  %29 = add nsw i32 %28, 1
  store i32 %29, ptr %27, align 4, !tbaa !20
  call void @llvm.lifetime.end.p0(i64 8, ptr %9) #7
  ret i32 %28
}

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.end.p0(i64 immarg, ptr nocapture) #1

; Function Attrs: nounwind uwtable
define internal ptr @run(ptr noundef %0, i32 noundef %1, ptr noundef %2, ptr noundef %3) #0 {
  %5 = alloca ptr, align 8
  %6 = alloca ptr, align 8
  %7 = alloca i32, align 4
  %8 = alloca ptr, align 8
  %9 = alloca ptr, align 8
  %10 = alloca ptr, align 8
  %11 = alloca i8, align 1
  %12 = alloca i32, align 4
  %13 = alloca ptr, align 8
  store ptr %0, ptr %6, align 8, !tbaa !9
  store i32 %1, ptr %7, align 4, !tbaa !5
  store ptr %2, ptr %8, align 8, !tbaa !9
  store ptr %3, ptr %9, align 8, !tbaa !9
  br label %14

14:                                               ; preds = %113, %4
  call void @llvm.lifetime.start.p0(i64 8, ptr %10) #7
  %15 = load ptr, ptr %6, align 8, !tbaa !9
  %16 = load i32, ptr %7, align 4, !tbaa !5
  %17 = sext i32 %16 to i64
  %18 = getelementptr inbounds %struct.inst, ptr %15, i64 %17
  store ptr %18, ptr %10, align 8, !tbaa !9
  call void @llvm.lifetime.start.p0(i64 1, ptr %11) #7
  %19 = load ptr, ptr %9, align 8, !tbaa !9
  %20 = load i8, ptr %19, align 1, !tbaa !15
  store i8 %20, ptr %11, align 1, !tbaa !15
  %21 = load ptr, ptr %10, align 8, !tbaa !9
  %22 = getelementptr inbounds %struct.inst, ptr %21, i32 0, i32 0
  %23 = load i32, ptr %22, align 4, !tbaa !22
  switch i32 %23, label %110 [
    i32 0, label %24
    i32 1, label %37
    i32 2, label %46
    i32 3, label %71
    i32 4, label %89
    i32 5, label %93
    i32 6, label %101
    i32 7, label %108
  ]

24:                                               ; preds = %14
  %25 = load i8, ptr %11, align 1, !tbaa !15
  %26 = zext i8 %25 to i32
  %27 = load ptr, ptr %10, align 8, !tbaa !9
  %28 = getelementptr inbounds %struct.inst, ptr %27, i32 0, i32 1
  %29 = load i32, ptr %28, align 4, !tbaa !24
  %30 = icmp ne i32 %26, %29
  br i1 %30, label %31, label %32

31:                                               ; preds = %24
  store ptr null, ptr %5, align 8
  store i32 1, ptr %12, align 4
  br label %111

32:                                               ; preds = %24
  %33 = load ptr, ptr %9, align 8, !tbaa !9
  %34 = getelementptr inbounds i8, ptr %33, i32 1
  store ptr %34, ptr %9, align 8, !tbaa !9
  %35 = load i32, ptr %7, align 4, !tbaa !5
  %36 = add nsw i32 %35, 1
  store i32 %36, ptr %7, align 4, !tbaa !5
  br label %110

37:                                               ; preds = %14
  %38 = load i8, ptr %11, align 1, !tbaa !15
  %39 = icmp ne i8 %38, 0
  br i1 %39, label %41, label %40

40:                                               ; preds = %37
  store ptr null, ptr %5, align 8
  store i32 1, ptr %12, align 4
  br label %111

41:                                               ; preds = %37
  %42 = load ptr, ptr %9, align 8, !tbaa !9
  %43 = getelementptr inbounds i8, ptr %42, i32 1
  store ptr %43, ptr %9, align 8, !tbaa !9
  %44 = load i32, ptr %7, align 4, !tbaa !5
  %45 = add nsw i32 %44, 1
  store i32 %45, ptr %7, align 4, !tbaa !5
  br label %110

46:                                               ; preds = %14
  %47 = load i8, ptr %11, align 1, !tbaa !15
  %48 = icmp ne i8 %47, 0
  br i1 %48, label %49, label %65

49:                                               ; preds = %46
  %50 = load ptr, ptr %10, align 8, !tbaa !9
  %51 = getelementptr inbounds %struct.inst, ptr %50, i32 0, i32 3
  %52 = load i8, ptr %11, align 1, !tbaa !15
  %53 = zext i8 %52 to i32
  %54 = sdiv i32 %53, 8
  %55 = sext i32 %54 to i64
  %56 = getelementptr inbounds [32 x i8], ptr %51, i64 0, i64 %55
  %57 = load i8, ptr %56, align 1, !tbaa !15
  %58 = zext i8 %57 to i32
  %59 = load i8, ptr %11, align 1, !tbaa !15
  %60 = zext i8 %59 to i32
  %61 = srem i32 %60, 8
  %62 = ashr i32 %58, %61
  %63 = and i32 %62, 1
  %64 = icmp ne i32 %63, 0
  br i1 %64, label %66, label %65

65:                                               ; preds = %49, %46
  store ptr null, ptr %5, align 8
  store i32 1, ptr %12, align 4
  br label %111

66:                                               ; preds = %49
  %67 = load ptr, ptr %9, align 8, !tbaa !9
  %68 = getelementptr inbounds i8, ptr %67, i32 1
  store ptr %68, ptr %9, align 8, !tbaa !9
  %69 = load i32, ptr %7, align 4, !tbaa !5
  %70 = add nsw i32 %69, 1
  store i32 %70, ptr %7, align 4, !tbaa !5
  br label %110

71:                                               ; preds = %14
  call void @llvm.lifetime.start.p0(i64 8, ptr %13) #7
  %72 = load ptr, ptr %6, align 8, !tbaa !9
  %73 = load ptr, ptr %10, align 8, !tbaa !9
  %74 = getelementptr inbounds %struct.inst, ptr %73, i32 0, i32 1
  %75 = load i32, ptr %74, align 4, !tbaa !24
  %76 = load ptr, ptr %8, align 8, !tbaa !9
  %77 = load ptr, ptr %9, align 8, !tbaa !9
  %78 = call ptr @run(ptr noundef %72, i32 noundef %75, ptr noundef %76, ptr noundef %77)
  store ptr %78, ptr %13, align 8, !tbaa !9
  %79 = load ptr, ptr %13, align 8, !tbaa !9
  %80 = icmp ne ptr %79, null
  br i1 %80, label %81, label %83

81:                                               ; preds = %71
  %82 = load ptr, ptr %13, align 8, !tbaa !9
  store ptr %82, ptr %5, align 8
  store i32 1, ptr %12, align 4
  br label %87

83:                                               ; preds = %71
  %84 = load ptr, ptr %10, align 8, !tbaa !9
  %85 = getelementptr inbounds %struct.inst, ptr %84, i32 0, i32 2
  %86 = load i32, ptr %85, align 4, !tbaa !25
  store i32 %86, ptr %7, align 4, !tbaa !5
  store i32 4, ptr %12, align 4
  br label %87

87:                                               ; preds = %83, %81
  call void @llvm.lifetime.end.p0(i64 8, ptr %13) #7
  %88 = load i32, ptr %12, align 4
  switch i32 %88, label %111 [
    i32 4, label %110
  ]

89:                                               ; preds = %14
  %90 = load ptr, ptr %10, align 8, !tbaa !9
  %91 = getelementptr inbounds %struct.inst, ptr %90, i32 0, i32 1
  %92 = load i32, ptr %91, align 4, !tbaa !24
  store i32 %92, ptr %7, align 4, !tbaa !5
  br label %110

93:                                               ; preds = %14
  %94 = load ptr, ptr %9, align 8, !tbaa !9
  %95 = load ptr, ptr %8, align 8, !tbaa !9
  %96 = icmp ne ptr %94, %95
  br i1 %96, label %97, label %98

97:                                               ; preds = %93
  store ptr null, ptr %5, align 8
  store i32 1, ptr %12, align 4
  br label %111

98:                                               ; preds = %93
  %99 = load i32, ptr %7, align 4, !tbaa !5
  %100 = add nsw i32 %99, 1
  store i32 %100, ptr %7, align 4, !tbaa !5
  br label %110

101:                                              ; preds = %14
  %102 = load i8, ptr %11, align 1, !tbaa !15
  %103 = icmp ne i8 %102, 0
  br i1 %103, label %104, label %105

104:                                              ; preds = %101
  store ptr null, ptr %5, align 8
  store i32 1, ptr %12, align 4
  br label %111

105:                                              ; preds = %101
  %106 = load i32, ptr %7, align 4, !tbaa !5
  %107 = add nsw i32 %106, 1
  store i32 %107, ptr %7, align 4, !tbaa !5
  br label %110

108:                                              ; preds = %14
  %109 = load ptr, ptr %9, align 8, !tbaa !9
  store ptr %109, ptr %5, align 8
  store i32 1, ptr %12, align 4
  br label %111

110:                                              ; preds = %14, %105, %98, %89, %87, %66, %41, %32
  store i32 0, ptr %12, align 4
  br label %111

111:                                              ; preds = %110, %108, %104, %97, %87, %65, %40, %31
  call void @llvm.lifetime.end.p0(i64 1, ptr %11) #7
  call void @llvm.lifetime.end.p0(i64 8, ptr %10) #7
  %112 = load i32, ptr %12, align 4
  switch i32 %112, label %116 [
    i32 0, label %113
    i32 1, label %114
  ]

113:                                              ; preds = %111
  br label %14

114:                                              ; preds = %111
  %115 = load ptr, ptr %5, align 8
  ret ptr %115

116:                                              ; preds = %111
  unreachable
}

declare i32 @printf(ptr noundef, ...) #3

; Function Attrs: nounwind
declare i64 @strtol(ptr noundef, ptr noundef, i32 noundef) #4

; Function Attrs: nounwind uwtable
define internal void @sequence(ptr noundef %0) #0 {
  %2 = alloca ptr, align 8
  %3 = alloca i32, align 4
  %4 = alloca i8, align 1
  %5 = alloca i32, align 4
  store ptr %0, ptr %2, align 8, !tbaa !9
  br label %6

6:                                                ; preds = %97, %95, %1
  %7 = load ptr, ptr @pattern, align 8, !tbaa !9
  %8 = load i8, ptr %7, align 1, !tbaa !15
  %9 = sext i8 %8 to i32
  %10 = icmp ne i32 %9, 0
  br i1 %10, label %11, label %21

11:                                               ; preds = %6
  %12 = load ptr, ptr @pattern, align 8, !tbaa !9
  %13 = load i8, ptr %12, align 1, !tbaa !15
  %14 = sext i8 %13 to i32
  %15 = icmp ne i32 %14, 124
  br i1 %15, label %16, label %21

16:                                               ; preds = %11
  %17 = load ptr, ptr @pattern, align 8, !tbaa !9
  %18 = load i8, ptr %17, align 1, !tbaa !15
  %19 = sext i8 %18 to i32
  %20 = icmp ne i32 %19, 41
  br label %21

21:                                               ; preds = %16, %11, %6
  %22 = phi i1 [ false, %11 ], [ false, %6 ], [ %20, %16 ]
  br i1 %22, label %23, label %98

23:                                               ; preds = %21
  call void @llvm.lifetime.start.p0(i64 4, ptr %3) #7
  %24 = load ptr, ptr %2, align 8, !tbaa !9
  %25 = getelementptr inbounds %struct.program, ptr %24, i32 0, i32 1
  %26 = load i32, ptr %25, align 4, !tbaa !20
  store i32 %26, ptr %3, align 4, !tbaa !5
  %27 = load ptr, ptr %2, align 8, !tbaa !9
  call void @atom(ptr noundef %27)
  %28 = load ptr, ptr @pattern, align 8, !tbaa !9
  %29 = load i8, ptr %28, align 1, !tbaa !15
  %30 = sext i8 %29 to i32
  %31 = icmp eq i32 %30, 42
  br i1 %31, label %42, label %32

32:                                               ; preds = %23
  %33 = load ptr, ptr @pattern, align 8, !tbaa !9
  %34 = load i8, ptr %33, align 1, !tbaa !15
  %35 = sext i8 %34 to i32
  %36 = icmp eq i32 %35, 43
  br i1 %36, label %42, label %37

37:                                               ; preds = %32
  %38 = load ptr, ptr @pattern, align 8, !tbaa !9
  %39 = load i8, ptr %38, align 1, !tbaa !15
  %40 = sext i8 %39 to i32
  %41 = icmp eq i32 %40, 63
  br i1 %41, label %42, label %94

42:                                               ; preds = %37, %32, %23
  call void @llvm.lifetime.start.p0(i64 1, ptr %4) #7
  %43 = load ptr, ptr @pattern, align 8, !tbaa !9
  %44 = getelementptr inbounds i8, ptr %43, i32 1
  store ptr %44, ptr @pattern, align 8, !tbaa !9
  %45 = load i8, ptr %43, align 1, !tbaa !15
  store i8 %45, ptr %4, align 1, !tbaa !15
  %46 = load i8, ptr %4, align 1, !tbaa !15
  %47 = sext i8 %46 to i32
  %48 = icmp eq i32 %47, 43
  br i1 %48, label %49, label %57

49:                                               ; preds = %42
  %50 = load ptr, ptr %2, align 8, !tbaa !9
  %51 = load i32, ptr %3, align 4, !tbaa !5
  %52 = load ptr, ptr %2, align 8, !tbaa !9
  %53 = getelementptr inbounds %struct.program, ptr %52, i32 0, i32 1
  %54 = load i32, ptr %53, align 4, !tbaa !20
  %55 = add nsw i32 %54, 1
  %56 = call i32 @emit(ptr noundef %50, i32 noundef 3, i32 noundef %51, i32 noundef %55)
  store i32 2, ptr %5, align 4
  br label %91, !llvm.loop !26

57:                                               ; preds = %42
  %58 = load ptr, ptr %2, align 8, !tbaa !9
  %59 = load i32, ptr %3, align 4, !tbaa !5
  call void @open_gap(ptr noundef %58, i32 noundef %59)
  %60 = load i8, ptr %4, align 1, !tbaa !15
  %61 = sext i8 %60 to i32
  %62 = icmp eq i32 %61, 42
  br i1 %62, label %63, label %67

63:                                               ; preds = %57
  %64 = load ptr, ptr %2, align 8, !tbaa !9
  %65 = load i32, ptr %3, align 4, !tbaa !5
  %66 = call i32 @emit(ptr noundef %64, i32 noundef 4, i32 noundef %65, i32 noundef 0)
  br label %67

67:                                               ; preds = %63, %57
  %68 = load ptr, ptr %2, align 8, !tbaa !9
  %69 = getelementptr inbounds %struct.program, ptr %68, i32 0, i32 0
  %70 = load i32, ptr %3, align 4, !tbaa !5
  %71 = sext i32 %70 to i64
  %72 = getelementptr inbounds [128 x %struct.inst], ptr %69, i64 0, i64 %71
  %73 = getelementptr inbounds %struct.inst, ptr %72, i32 0, i32 0
  store i32 3, ptr %73, align 4, !tbaa !22
  %74 = load i32, ptr %3, align 4, !tbaa !5
  %75 = add nsw i32 %74, 1
  %76 = load ptr, ptr %2, align 8, !tbaa !9
  %77 = getelementptr inbounds %struct.program, ptr %76, i32 0, i32 0
  %78 = load i32, ptr %3, align 4, !tbaa !5
  %79 = sext i32 %78 to i64
  %80 = getelementptr inbounds [128 x %struct.inst], ptr %77, i64 0, i64 %79
  %81 = getelementptr inbounds %struct.inst, ptr %80, i32 0, i32 1
  store i32 %75, ptr %81, align 4, !tbaa !24
  %82 = load ptr, ptr %2, align 8, !tbaa !9
  %83 = getelementptr inbounds %struct.program, ptr %82, i32 0, i32 1
  %84 = load i32, ptr %83, align 4, !tbaa !20
  %85 = load ptr, ptr %2, align 8, !tbaa !9
  %86 = getelementptr inbounds %struct.program, ptr %85, i32 0, i32 0
  %87 = load i32, ptr %3, align 4, !tbaa !5
  %88 = sext i32 %87 to i64
  %89 = getelementptr inbounds [128 x %struct.inst], ptr %86, i64 0, i64 %88
  %90 = getelementptr inbounds %struct.inst, ptr %89, i32 0, i32 2
  store i32 %84, ptr %90, align 4, !tbaa !25
  store i32 0, ptr %5, align 4
  br label %91

91:                                               ; preds = %67, %49
  call void @llvm.lifetime.end.p0(i64 1, ptr %4) #7
  %92 = load i32, ptr %5, align 4
  switch i32 %92, label %95 [
    i32 0, label %93
  ]

93:                                               ; preds = %91
  br label %94

94:                                               ; preds = %93, %37
  store i32 0, ptr %5, align 4
  br label %95

95:                                               ; preds = %94, %91
  call void @llvm.lifetime.end.p0(i64 4, ptr %3) #7
  %96 = load i32, ptr %5, align 4
  switch i32 %96, label %99 [
    i32 0, label %97
    i32 2, label %6
  ]

97:                                               ; preds = %95
  br label %6, !llvm.loop !26

98:                                               ; preds = %21
  ret void

99:                                               ; preds = %95
  unreachable
}

; Function Attrs: nounwind uwtable
define internal void @open_gap(ptr noundef %0, i32 noundef %1) #0 {
  %3 = alloca ptr, align 8
  %4 = alloca i32, align 4
  %5 = alloca i32, align 4
  store ptr %0, ptr %3, align 8, !tbaa !9
  store i32 %1, ptr %4, align 4, !tbaa !5
  %6 = load ptr, ptr %3, align 8, !tbaa !9
  %7 = getelementptr inbounds %struct.program, ptr %6, i32 0, i32 0
  %8 = load i32, ptr %4, align 4, !tbaa !5
  %9 = add nsw i32 %8, 1
  %10 = sext i32 %9 to i64
  %11 = getelementptr inbounds [128 x %struct.inst], ptr %7, i64 0, i64 %10
  %12 = load ptr, ptr %3, align 8, !tbaa !9
  %13 = getelementptr inbounds %struct.program, ptr %12, i32 0, i32 0
  %14 = load i32, ptr %4, align 4, !tbaa !5
  %15 = sext i32 %14 to i64
  %16 = getelementptr inbounds [128 x %struct.inst], ptr %13, i64 0, i64 %15
  %17 = load ptr, ptr %3, align 8, !tbaa !9
  %18 = getelementptr inbounds %struct.program, ptr %17, i32 0, i32 1
  %19 = load i32, ptr %18, align 4, !tbaa !20
  %20 = load i32, ptr %4, align 4, !tbaa !5
  %21 = sub nsw i32 %19, %20
  %22 = sext i32 %21 to i64
  %23 = mul i64 %22, 44
  call void @llvm.memmove.p0.p0.i64(ptr align 4 %11, ptr align 4 %16, i64 %23, i1 false)
  %24 = load ptr, ptr %3, align 8, !tbaa !9
  %25 = getelementptr inbounds %struct.program, ptr %24, i32 0, i32 1
  %26 = load i32, ptr %25, align 4, !tbaa !20
  %27 = add nsw i32 %26, 1
  store i32 %27, ptr %25, align 4, !tbaa !20
  call void @llvm.lifetime.start.p0(i64 4, ptr %5) #7
  %28 = load i32, ptr %4, align 4, !tbaa !5
  %29 = add nsw i32 %28, 1
  store i32 %29, ptr %5, align 4, !tbaa !5
  br label %30

30:                                               ; preds = %104, %2
  %31 = load i32, ptr %5, align 4, !tbaa !5
  %32 = load ptr, ptr %3, align 8, !tbaa !9
  %33 = getelementptr inbounds %struct.program, ptr %32, i32 0, i32 1
  %34 = load i32, ptr %33, align 4, !tbaa !20
  %35 = icmp slt i32 %31, %34
  br i1 %35, label %37, label %36

36:                                               ; preds = %30
  call void @llvm.lifetime.end.p0(i64 4, ptr %5) #7
  br label %107

37:                                               ; preds = %30
  %38 = load ptr, ptr %3, align 8, !tbaa !9
  %39 = getelementptr inbounds %struct.program, ptr %38, i32 0, i32 0
  %40 = load i32, ptr %5, align 4, !tbaa !5
  %41 = sext i32 %40 to i64
  %42 = getelementptr inbounds [128 x %struct.inst], ptr %39, i64 0, i64 %41
  %43 = getelementptr inbounds %struct.inst, ptr %42, i32 0, i32 0
  %44 = load i32, ptr %43, align 4, !tbaa !22
  %45 = icmp eq i32 %44, 3
  br i1 %45, label %55, label %46

46:                                               ; preds = %37
  %47 = load ptr, ptr %3, align 8, !tbaa !9
  %48 = getelementptr inbounds %struct.program, ptr %47, i32 0, i32 0
  %49 = load i32, ptr %5, align 4, !tbaa !5
  %50 = sext i32 %49 to i64
  %51 = getelementptr inbounds [128 x %struct.inst], ptr %48, i64 0, i64 %50
  %52 = getelementptr inbounds %struct.inst, ptr %51, i32 0, i32 0
  %53 = load i32, ptr %52, align 4, !tbaa !22
  %54 = icmp eq i32 %53, 4
  br i1 %54, label %55, label %103

55:                                               ; preds = %46, %37
  %56 = load ptr, ptr %3, align 8, !tbaa !9
  %57 = getelementptr inbounds %struct.program, ptr %56, i32 0, i32 0
  %58 = load i32, ptr %5, align 4, !tbaa !5
  %59 = sext i32 %58 to i64
  %60 = getelementptr inbounds [128 x %struct.inst], ptr %57, i64 0, i64 %59
  %61 = getelementptr inbounds %struct.inst, ptr %60, i32 0, i32 1
  %62 = load i32, ptr %61, align 4, !tbaa !24
  %63 = load i32, ptr %4, align 4, !tbaa !5
  %64 = icmp sge i32 %62, %63
  br i1 %64, label %65, label %74

65:                                               ; preds = %55
  %66 = load ptr, ptr %3, align 8, !tbaa !9
  %67 = getelementptr inbounds %struct.program, ptr %66, i32 0, i32 0
  %68 = load i32, ptr %5, align 4, !tbaa !5
  %69 = sext i32 %68 to i64
  %70 = getelementptr inbounds [128 x %struct.inst], ptr %67, i64 0, i64 %69
  %71 = getelementptr inbounds %struct.inst, ptr %70, i32 0, i32 1
  %72 = load i32, ptr %71, align 4, !tbaa !24
  %73 = add nsw i32 %72, 1
  store i32 %73, ptr %71, align 4, !tbaa !24
  br label %74

74:                                               ; preds = %65, %55
  %75 = load ptr, ptr %3, align 8, !tbaa !9
  %76 = getelementptr inbounds %struct.program, ptr %75, i32 0, i32 0
  %77 = load i32, ptr %5, align 4, !tbaa !5
  %78 = sext i32 %77 to i64
  %79 = getelementptr inbounds [128 x %struct.inst], ptr %76, i64 0, i64 %78
  %80 = getelementptr inbounds %struct.inst, ptr %79, i32 0, i32 0
  %81 = load i32, ptr %80, align 4, !tbaa !22
  %82 = icmp eq i32 %81, 3
  br i1 %82, label %83, label %102

83:                                               ; preds = %74
  %84 = load ptr, ptr %3, align 8, !tbaa !9
  %85 = getelementptr inbounds %struct.program, ptr %84, i32 0, i32 0
  %86 = load i32, ptr %5, align 4, !tbaa !5
  %87 = sext i32 %86 to i64
  %88 = getelementptr inbounds [128 x %struct.inst], ptr %85, i64 0, i64 %87
  %89 = getelementptr inbounds %struct.inst, ptr %88, i32 0, i32 2
  %90 = load i32, ptr %89, align 4, !tbaa !25
  %91 = load i32, ptr %4, align 4, !tbaa !5
  %92 = icmp sge i32 %90, %91
  br i1 %92, label %93, label %102

93:                                               ; preds = %83
  %94 = load ptr, ptr %3, align 8, !tbaa !9
  %95 = getelementptr inbounds %struct.program, ptr %94, i32 0, i32 0
  %96 = load i32, ptr %5, align 4, !tbaa !5
  %97 = sext i32 %96 to i64
  %98 = getelementptr inbounds [128 x %struct.inst], ptr %95, i64 0, i64 %97
  %99 = getelementptr inbounds %struct.inst, ptr %98, i32 0, i32 2
  %100 = load i32, ptr %99, align 4, !tbaa !25
  %101 = add nsw i32 %100, 1
  store i32 %101, ptr %99, align 4, !tbaa !25
  br label %102

102:                                              ; preds = %93, %83, %74
  br label %103

103:                                              ; preds = %102, %46
  br label %104

104:                                              ; preds = %103
  %105 = load i32, ptr %5, align 4, !tbaa !5
  %106 = add nsw i32 %105, 1
  store i32 %106, ptr %5, align 4, !tbaa !5
  br label %30, !llvm.loop !27

107:                                              ; preds = %36
  ret void
}

; Function Attrs: nounwind uwtable
define internal void @atom(ptr noundef %0) #0 {
  %2 = alloca ptr, align 8
  %3 = alloca i8, align 1
  store ptr %0, ptr %2, align 8, !tbaa !9
  call void @llvm.lifetime.start.p0(i64 1, ptr %3) #7
  %4 = load ptr, ptr @pattern, align 8, !tbaa !9
  %5 = getelementptr inbounds i8, ptr %4, i32 1
  store ptr %5, ptr @pattern, align 8, !tbaa !9
  %6 = load i8, ptr %4, align 1, !tbaa !15
  store i8 %6, ptr %3, align 1, !tbaa !15
  %7 = load i8, ptr %3, align 1, !tbaa !15
  %8 = sext i8 %7 to i32
  switch i32 %8, label %34 [
    i32 46, label %9
    i32 94, label %12
    i32 36, label %15
    i32 91, label %18
    i32 40, label %20
    i32 92, label %30
  ]

9:                                                ; preds = %1
  %10 = load ptr, ptr %2, align 8, !tbaa !9
  %11 = call i32 @emit(ptr noundef %10, i32 noundef 1, i32 noundef 0, i32 noundef 0)
  br label %39

12:                                               ; preds = %1
  %13 = load ptr, ptr %2, align 8, !tbaa !9
  %14 = call i32 @emit(ptr noundef %13, i32 noundef 5, i32 noundef 0, i32 noundef 0)
  br label %39

15:                                               ; preds = %1
  %16 = load ptr, ptr %2, align 8, !tbaa !9
  %17 = call i32 @emit(ptr noundef %16, i32 noundef 6, i32 noundef 0, i32 noundef 0)
  br label %39

18:                                               ; preds = %1
  %19 = load ptr, ptr %2, align 8, !tbaa !9
  call void @class(ptr noundef %19)
  br label %39

20:                                               ; preds = %1
  %21 = load ptr, ptr %2, align 8, !tbaa !9
  call void @alternatives(ptr noundef %21)
  %22 = load ptr, ptr @pattern, align 8, !tbaa !9
  %23 = load i8, ptr %22, align 1, !tbaa !15
  %24 = sext i8 %23 to i32
  %25 = icmp eq i32 %24, 41
  br i1 %25, label %26, label %29

26:                                               ; preds = %20
  %27 = load ptr, ptr @pattern, align 8, !tbaa !9
  %28 = getelementptr inbounds i8, ptr %27, i32 1
  store ptr %28, ptr @pattern, align 8, !tbaa !9
  br label %29

29:                                               ; preds = %26, %20
  br label %39

30:                                               ; preds = %1
  %31 = load ptr, ptr @pattern, align 8, !tbaa !9
  %32 = getelementptr inbounds i8, ptr %31, i32 1
  store ptr %32, ptr @pattern, align 8, !tbaa !9
  %33 = load i8, ptr %31, align 1, !tbaa !15
  store i8 %33, ptr %3, align 1, !tbaa !15
  br label %34

34:                                               ; preds = %1, %30
  %35 = load ptr, ptr %2, align 8, !tbaa !9
  %36 = load i8, ptr %3, align 1, !tbaa !15
  %37 = sext i8 %36 to i32
  %38 = call i32 @emit(ptr noundef %35, i32 noundef 0, i32 noundef %37, i32 noundef 0)
  br label %39

39:                                               ; preds = %34, %29, %18, %15, %12, %9
  call void @llvm.lifetime.end.p0(i64 1, ptr %3) #7
  ret void
}

; Function Attrs: nounwind uwtable
define internal void @class(ptr noundef %0) #0 {
  %2 = alloca ptr, align 8
  %3 = alloca ptr, align 8
  %4 = alloca i32, align 4
  %5 = alloca i32, align 4
  %6 = alloca i32, align 4
  %7 = alloca i32, align 4
  %8 = alloca i32, align 4
  store ptr %0, ptr %2, align 8, !tbaa !9
  call void @llvm.lifetime.start.p0(i64 8, ptr %3) #7
  %9 = load ptr, ptr %2, align 8, !tbaa !9
  %10 = getelementptr inbounds %struct.program, ptr %9, i32 0, i32 0
  %11 = load ptr, ptr %2, align 8, !tbaa !9
  %12 = call i32 @emit(ptr noundef %11, i32 noundef 2, i32 noundef 0, i32 noundef 0)
  %13 = sext i32 %12 to i64
  %14 = getelementptr inbounds [128 x %struct.inst], ptr %10, i64 0, i64 %13
  %15 = getelementptr inbounds %struct.inst, ptr %14, i32 0, i32 3
  %16 = getelementptr inbounds [32 x i8], ptr %15, i64 0, i64 0
  store ptr %16, ptr %3, align 8, !tbaa !9
  call void @llvm.lifetime.start.p0(i64 4, ptr %4) #7
  %17 = load ptr, ptr @pattern, align 8, !tbaa !9
  %18 = load i8, ptr %17, align 1, !tbaa !15
  %19 = sext i8 %18 to i32
  %20 = icmp eq i32 %19, 94
  %21 = zext i1 %20 to i32
  store i32 %21, ptr %4, align 4, !tbaa !5
  %22 = load ptr, ptr %3, align 8, !tbaa !9
  call void @llvm.memset.p0.i64(ptr align 1 %22, i8 0, i64 32, i1 false)
  %23 = load i32, ptr %4, align 4, !tbaa !5
  %24 = icmp ne i32 %23, 0
  br i1 %24, label %25, label %28

25:                                               ; preds = %1
  %26 = load ptr, ptr @pattern, align 8, !tbaa !9
  %27 = getelementptr inbounds i8, ptr %26, i32 1
  store ptr %27, ptr @pattern, align 8, !tbaa !9
  br label %28

28:                                               ; preds = %25, %1
  br label %29

29:                                               ; preds = %87, %28
  %30 = load ptr, ptr @pattern, align 8, !tbaa !9
  %31 = load i8, ptr %30, align 1, !tbaa !15
  %32 = sext i8 %31 to i32
  %33 = icmp ne i32 %32, 0
  br i1 %33, label %34, label %39

34:                                               ; preds = %29
  %35 = load ptr, ptr @pattern, align 8, !tbaa !9
  %36 = load i8, ptr %35, align 1, !tbaa !15
  %37 = sext i8 %36 to i32
  %38 = icmp ne i32 %37, 93
  br label %39

39:                                               ; preds = %34, %29
  %40 = phi i1 [ false, %29 ], [ %38, %34 ]
  br i1 %40, label %41, label %88

41:                                               ; preds = %39
  call void @llvm.lifetime.start.p0(i64 4, ptr %5) #7
  %42 = load ptr, ptr @pattern, align 8, !tbaa !9
  %43 = getelementptr inbounds i8, ptr %42, i32 1
  store ptr %43, ptr @pattern, align 8, !tbaa !9
  %44 = load i8, ptr %42, align 1, !tbaa !15
  %45 = zext i8 %44 to i32
  store i32 %45, ptr %5, align 4, !tbaa !5
  call void @llvm.lifetime.start.p0(i64 4, ptr %6) #7
  %46 = load i32, ptr %5, align 4, !tbaa !5
  store i32 %46, ptr %6, align 4, !tbaa !5
  %47 = load ptr, ptr @pattern, align 8, !tbaa !9
  %48 = load i8, ptr %47, align 1, !tbaa !15
  %49 = sext i8 %48 to i32
  %50 = icmp eq i32 %49, 45
  br i1 %50, label %51, label %64

51:                                               ; preds = %41
  %52 = load ptr, ptr @pattern, align 8, !tbaa !9
  %53 = getelementptr inbounds i8, ptr %52, i64 1
  %54 = load i8, ptr %53, align 1, !tbaa !15
  %55 = sext i8 %54 to i32
  %56 = icmp ne i32 %55, 93
  br i1 %56, label %57, label %64

57:                                               ; preds = %51
  %58 = load ptr, ptr @pattern, align 8, !tbaa !9
  %59 = getelementptr inbounds i8, ptr %58, i64 1
  %60 = load i8, ptr %59, align 1, !tbaa !15
  %61 = zext i8 %60 to i32
  store i32 %61, ptr %6, align 4, !tbaa !5
  %62 = load ptr, ptr @pattern, align 8, !tbaa !9
  %63 = getelementptr inbounds i8, ptr %62, i64 2
  store ptr %63, ptr @pattern, align 8, !tbaa !9
  br label %64

64:                                               ; preds = %57, %51, %41
  call void @llvm.lifetime.start.p0(i64 4, ptr %7) #7
  %65 = load i32, ptr %5, align 4, !tbaa !5
  store i32 %65, ptr %7, align 4, !tbaa !5
  br label %66

66:                                               ; preds = %84, %64
  %67 = load i32, ptr %7, align 4, !tbaa !5
  %68 = load i32, ptr %6, align 4, !tbaa !5
  %69 = icmp sle i32 %67, %68
  br i1 %69, label %71, label %70

70:                                               ; preds = %66
  call void @llvm.lifetime.end.p0(i64 4, ptr %7) #7
  br label %87

71:                                               ; preds = %66
  %72 = load i32, ptr %7, align 4, !tbaa !5
  %73 = srem i32 %72, 8
  %74 = shl i32 1, %73
  %75 = load ptr, ptr %3, align 8, !tbaa !9
  %76 = load i32, ptr %7, align 4, !tbaa !5
  %77 = sdiv i32 %76, 8
  %78 = sext i32 %77 to i64
  %79 = getelementptr inbounds i8, ptr %75, i64 %78
  %80 = load i8, ptr %79, align 1, !tbaa !15
  %81 = zext i8 %80 to i32
  %82 = or i32 %81, %74
  %83 = trunc i32 %82 to i8
  store i8 %83, ptr %79, align 1, !tbaa !15
  br label %84

84:                                               ; preds = %71
  %85 = load i32, ptr %7, align 4, !tbaa !5
  %86 = add nsw i32 %85, 1
  store i32 %86, ptr %7, align 4, !tbaa !5
  br label %66, !llvm.loop !28

87:                                               ; preds = %70
  call void @llvm.lifetime.end.p0(i64 4, ptr %6) #7
  call void @llvm.lifetime.end.p0(i64 4, ptr %5) #7
  br label %29, !llvm.loop !29

88:                                               ; preds = %39
  %89 = load ptr, ptr @pattern, align 8, !tbaa !9
  %90 = load i8, ptr %89, align 1, !tbaa !15
  %91 = icmp ne i8 %90, 0
  br i1 %91, label %92, label %95

92:                                               ; preds = %88
  %93 = load ptr, ptr @pattern, align 8, !tbaa !9
  %94 = getelementptr inbounds i8, ptr %93, i32 1
  store ptr %94, ptr @pattern, align 8, !tbaa !9
  br label %95

95:                                               ; preds = %92, %88
  %96 = load i32, ptr %4, align 4, !tbaa !5
  %97 = icmp ne i32 %96, 0
  br i1 %97, label %98, label %120

98:                                               ; preds = %95
  call void @llvm.lifetime.start.p0(i64 4, ptr %8) #7
  store i32 0, ptr %8, align 4, !tbaa !5
  br label %99

99:                                               ; preds = %116, %98
  %100 = load i32, ptr %8, align 4, !tbaa !5
  %101 = icmp slt i32 %100, 32
  br i1 %101, label %103, label %102

102:                                              ; preds = %99
  call void @llvm.lifetime.end.p0(i64 4, ptr %8) #7
  br label %119

103:                                              ; preds = %99
  %104 = load ptr, ptr %3, align 8, !tbaa !9
  %105 = load i32, ptr %8, align 4, !tbaa !5
  %106 = sext i32 %105 to i64
  %107 = getelementptr inbounds i8, ptr %104, i64 %106
  %108 = load i8, ptr %107, align 1, !tbaa !15
  %109 = zext i8 %108 to i32
  %110 = xor i32 %109, -1
  %111 = trunc i32 %110 to i8
  %112 = load ptr, ptr %3, align 8, !tbaa !9
  %113 = load i32, ptr %8, align 4, !tbaa !5
  %114 = sext i32 %113 to i64
  %115 = getelementptr inbounds i8, ptr %112, i64 %114
  store i8 %111, ptr %115, align 1, !tbaa !15
  br label %116

116:                                              ; preds = %103
  %117 = load i32, ptr %8, align 4, !tbaa !5
  %118 = add nsw i32 %117, 1
  store i32 %118, ptr %8, align 4, !tbaa !5
  br label %99, !llvm.loop !30

119:                                              ; preds = %102
  br label %120

120:                                              ; preds = %119, %95
  call void @llvm.lifetime.end.p0(i64 4, ptr %4) #7
  call void @llvm.lifetime.end.p0(i64 8, ptr %3) #7
  ret void
}

; Function Attrs: nocallback nofree nounwind willreturn memory(argmem: write)
declare void @llvm.memset.p0.i64(ptr nocapture writeonly, i8, i64, i1 immarg) #5

; Function Attrs: nocallback nofree nounwind willreturn memory(argmem: readwrite)
declare void @llvm.memmove.p0.p0.i64(ptr nocapture writeonly, ptr nocapture readonly, i64, i1 immarg) #6

attributes #0 = { nounwind uwtable "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #1 = { nocallback nofree nosync nounwind willreturn memory(argmem: readwrite) }
attributes #2 = { inlinehint nounwind willreturn memory(read) uwtable "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #3 = { "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #4 = { nounwind "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #5 = { nocallback nofree nounwind willreturn memory(argmem: write) }
attributes #6 = { nocallback nofree nounwind willreturn memory(argmem: readwrite) }
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
!12 = !{!"long", !7, i64 0}
!13 = distinct !{!13, !14}
!14 = !{!"llvm.loop.mustprogress"}
!15 = !{!7, !7, i64 0}
!16 = distinct !{!16, !14}
!17 = distinct !{!17, !14}
!18 = distinct !{!18, !14}
!19 = distinct !{!19, !14}
!20 = !{!21, !6, i64 5632}
!21 = !{!"program", !7, i64 0, !6, i64 5632}
!22 = !{!23, !6, i64 0}
!23 = !{!"inst", !6, i64 0, !6, i64 4, !6, i64 8, !7, i64 12}
!24 = !{!23, !6, i64 4}
!25 = !{!23, !6, i64 8}
!26 = distinct !{!26, !14}
!27 = distinct !{!27, !14}
!28 = distinct !{!28, !14}
!29 = distinct !{!29, !14}
!30 = distinct !{!30, !14}

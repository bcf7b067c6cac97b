; ModuleID = 'words.c'
source_filename = "words.c"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

%struct.entry = type { ptr, i32, i64, [0 x i8] }

@.str = private unnamed_addr constant [5 x i8] c"kato\00", align 1
@.str.1 = private unnamed_addr constant [4 x i8] c"ren\00", align 1
@.str.2 = private unnamed_addr constant [3 x i8] c"nd\00", align 1
@.str.3 = private unnamed_addr constant [6 x i8] c"shimi\00", align 1
@distinct = internal global i32 0, align 4
@table = internal global [4096 x ptr] zeroinitializer, align 16
@.str.4 = private unnamed_addr constant [26 x i8] c"%zu characters, %d words\0A\00", align 1
@.str.5 = private unnamed_addr constant [7 x i8] c"%d %s\0A\00", align 1
@generate.syllables = internal global [12 x ptr] [ptr @.str.6, ptr @.str.7, ptr @.str.8, ptr @.str.1, ptr @.str.9, ptr @.str.10, ptr @.str.11, ptr @.str.12, ptr @.str.13, ptr @.str.14, ptr @.str.15, ptr @.str.16], align 16
@.str.6 = private unnamed_addr constant [3 x i8] c"ka\00", align 1
@.str.7 = private unnamed_addr constant [3 x i8] c"to\00", align 1
@.str.8 = private unnamed_addr constant [3 x i8] c"mi\00", align 1
@.str.9 = private unnamed_addr constant [3 x i8] c"su\00", align 1
@.str.10 = private unnamed_addr constant [3 x i8] c"lo\00", align 1
@.str.11 = private unnamed_addr constant [3 x i8] c"da\00", align 1
@.str.12 = private unnamed_addr constant [3 x i8] c"ne\00", align 1
@.str.13 = private unnamed_addr constant [4 x i8] c"shi\00", align 1
@.str.14 = private unnamed_addr constant [3 x i8] c"ba\00", align 1
@.str.15 = private unnamed_addr constant [3 x i8] c"or\00", align 1
@.str.16 = private unnamed_addr constant [2 x i8] c"e\00", align 1
@seed = internal global i32 12345, align 4

; Function Attrs: nounwind uwtable
define dso_local i32 @main(i32 noundef %0, ptr noundef %1) #0 {
  %3 = alloca i32, align 4
  %4 = alloca i32, align 4
  %5 = alloca ptr, align 8
  %6 = alloca i32, align 4
  %7 = alloca ptr, align 8
  %8 = alloca i64, align 8
  %9 = alloca i32, align 4
  %10 = alloca ptr, align 8
  %11 = alloca ptr, align 8
  %12 = alloca i32, align 4
  %13 = alloca i32, align 4
  %14 = alloca i32, align 4
  %15 = alloca ptr, align 8
  %16 = alloca i32, align 4
  store i32 0, ptr %3, align 4
  store i32 %0, ptr %4, align 4, !tbaa !5
  store ptr %1, ptr %5, align 8, !tbaa !9
  call void @llvm.lifetime.start.p0(i64 4, ptr %6) #8
  %17 = load i32, ptr %4, align 4, !tbaa !5
  %18 = icmp sgt i32 %17, 1
  br i1 %18, label %19, label %24

19:                                               ; preds = %2
  %20 = load ptr, ptr %5, align 8, !tbaa !9
  %21 = getelementptr inbounds ptr, ptr %20, i64 1
  %22 = load ptr, ptr %21, align 8, !tbaa !9
  %23 = call i32 @atoi(ptr noundef %22) #9
  br label %25

24:                                               ; preds = %2
  br label %25

25:                                               ; preds = %24, %19
  %26 = phi i32 [ %23, %19 ], [ 10, %24 ]
  store i32 %26, ptr %6, align 4, !tbaa !5
  call void @llvm.lifetime.start.p0(i64 8, ptr %7) #8
  %27 = call ptr @generate(i32 noundef 2000)
  store ptr %27, ptr %7, align 8, !tbaa !9
  call void @llvm.lifetime.start.p0(i64 8, ptr %8) #8
  store i64 0, ptr %8, align 8, !tbaa !11
  call void @llvm.lifetime.start.p0(i64 4, ptr %9) #8
  store i32 0, ptr %9, align 4, !tbaa !5
  br label %28

28:                                               ; preds = %53, %25
  %29 = load i32, ptr %9, align 4, !tbaa !5
  %30 = load i32, ptr %6, align 4, !tbaa !5
  %31 = icmp slt i32 %29, %30
  br i1 %31, label %33, label %32

32:                                               ; preds = %28
  call void @llvm.lifetime.end.p0(i64 4, ptr %9) #8
  br label %56

33:                                               ; preds = %28
  call void @llvm.lifetime.start.p0(i64 8, ptr %10) #8
  %34 = load ptr, ptr %7, align 8, !tbaa !9
  %35 = load i32, ptr %9, align 4, !tbaa !5
  %36 = srem i32 %35, 2
  %37 = icmp ne i32 %36, 0
  %38 = zext i1 %37 to i64
  %39 = select i1 %37, ptr @.str, ptr @.str.1
  %40 = load i32, ptr %9, align 4, !tbaa !5
  %41 = srem i32 %40, 3
  %42 = icmp ne i32 %41, 0
  %43 = zext i1 %42 to i64
  %44 = select i1 %42, ptr @.str.2, ptr @.str.3
  %45 = call ptr @replace(ptr noundef %34, ptr noundef %39, ptr noundef %44)
  store ptr %45, ptr %10, align 8, !tbaa !9
  %46 = load ptr, ptr %10, align 8, !tbaa !9
  call void @lower(ptr noundef %46)
  %47 = load ptr, ptr %10, align 8, !tbaa !9
  call void @split(ptr noundef %47)
  %48 = load ptr, ptr %10, align 8, !tbaa !9
  %49 = call i64 @strlen(ptr noundef %48) #9
  %50 = load i64, ptr %8, align 8, !tbaa !11
  %51 = add i64 %50, %49
  store i64 %51, ptr %8, align 8, !tbaa !11
  %52 = load ptr, ptr %10, align 8, !tbaa !9
  call void @free(ptr noundef %52) #8
  call void @llvm.lifetime.end.p0(i64 8, ptr %10) #8
  br label %53

53:                                               ; preds = %33
  %54 = load i32, ptr %9, align 4, !tbaa !5
  %55 = add nsw i32 %54, 1
  store i32 %55, ptr %9, align 4, !tbaa !5
  br label %28, !llvm.loop !13

56:                                               ; preds = %32
  call void @llvm.lifetime.start.p0(i64 8, ptr %11) #8
  %57 = load i32, ptr @distinct, align 4, !tbaa !5
  %58 = sext i32 %57 to i64
  %59 = mul i64 %58, 8
  %60 = call noalias ptr @malloc(i64 noundef %59) #10
  store ptr %60, ptr %11, align 8, !tbaa !9
  call void @llvm.lifetime.start.p0(i64 4, ptr %12) #8
  store i32 0, ptr %12, align 4, !tbaa !5
  call void @llvm.lifetime.start.p0(i64 4, ptr %13) #8
  store i32 0, ptr %13, align 4, !tbaa !5
  br label %61

61:                                               ; preds = %86, %56
  %62 = load i32, ptr %13, align 4, !tbaa !5
  %63 = icmp slt i32 %62, 4096
  br i1 %63, label %65, label %64

64:                                               ; preds = %61
  store i32 5, ptr %14, align 4
  call void @llvm.lifetime.end.p0(i64 4, ptr %13) #8
  br label %89

65:                                               ; preds = %61
  call void @llvm.lifetime.start.p0(i64 8, ptr %15) #8
  %66 = load i32, ptr %13, align 4, !tbaa !5
  %67 = sext i32 %66 to i64
  %68 = getelementptr inbounds [4096 x ptr], ptr @table, i64 0, i64 %67
  %69 = load ptr, ptr %68, align 8, !tbaa !9
  store ptr %69, ptr %15, align 8, !tbaa !9
  br label %70

70:                                               ; preds = %81, %65
  %71 = load ptr, ptr %15, align 8, !tbaa !9
  %72 = icmp ne ptr %71, null
  br i1 %72, label %74, label %73

73:                                               ; preds = %70
  store i32 8, ptr %14, align 4
  call void @llvm.lifetime.end.p0(i64 8, ptr %15) #8
  br label %85

74:                                               ; preds = %70
  %75 = load ptr, ptr %15, align 8, !tbaa !9
  %76 = load ptr, ptr %11, align 8, !tbaa !9
  %77 = load i32, ptr %12, align 4, !tbaa !5
  %78 = add nsw i32 %77, 1
  store i32 %78, ptr %12, align 4, !tbaa !5
  %79 = sext i32 %77 to i64
  %80 = getelementptr inbounds ptr, ptr %76, i64 %79
  store ptr %75, ptr %80, align 8, !tbaa !9
  br label %81

81:                                               ; preds = %74
  %82 = load ptr, ptr %15, align 8, !tbaa !9
  %83 = getelementptr inbounds %struct.entry, ptr %82, i32 0, i32 0
  %84 = load ptr, ptr %83, align 8, !tbaa !9
  store ptr %84, ptr %15, align 8, !tbaa !9
  br label %70, !llvm.loop !15

85:                                               ; preds = %73
  br label %86

86:                                               ; preds = %85
  %87 = load i32, ptr %13, align 4, !tbaa !5
  %88 = add nsw i32 %87, 1
  store i32 %88, ptr %13, align 4, !tbaa !5
  br label %61, !llvm.loop !16

89:                                               ; preds = %64
  %90 = load ptr, ptr %11, align 8, !tbaa !9
  %91 = load i32, ptr %12, align 4, !tbaa !5
  %92 = sext i32 %91 to i64
  call void @qsort(ptr noundef %90, i64 noundef %92, i64 noundef 8, ptr noundef @by_count)
  %93 = load i64, ptr %8, align 8, !tbaa !11
  %94 = load i32, ptr @distinct, align 4, !tbaa !5
  %95 = call i32 (ptr, ...) @printf(ptr noundef @.str.4, i64 noundef %93, i32 noundef %94)
  call void @llvm.lifetime.start.p0(i64 4, ptr %16) #8
  store i32 0, ptr %16, align 4, !tbaa !5
  br label %96

96:                                               ; preds = %122, %89
  %97 = load i32, ptr %16, align 4, !tbaa !5
  %98 = icmp slt i32 %97, 5
  br i1 %98, label %99, label %103

99:                                               ; preds = %96
  %100 = load i32, ptr %16, align 4, !tbaa !5
  %101 = load i32, ptr %12, align 4, !tbaa !5
  %102 = icmp slt i32 %100, %101
  br label %103

103:                                              ; preds = %99, %96
  %104 = phi i1 [ false, %96 ], [ %102, %99 ]
  br i1 %104, label %106, label %105

105:                                              ; preds = %103
  store i32 11, ptr %14, align 4
  call void @llvm.lifetime.end.p0(i64 4, ptr %16) #8
  br label %125

106:                                              ; preds = %103
  %107 = load ptr, ptr %11, align 8, !tbaa !9
  %108 = load i32, ptr %16, align 4, !tbaa !5
  %109 = sext i32 %108 to i64
  %110 = getelementptr inbounds ptr, ptr %107, i64 %109
  %111 = load ptr, ptr %110, align 8, !tbaa !9
  %112 = getelementptr inbounds %struct.entry, ptr %111, i32 0, i32 1
  %113 = load i32, ptr %112, align 8, !tbaa !5
  %114 = load ptr, ptr %11, align 8, !tbaa !9
  %115 = load i32, ptr %16, align 4, !tbaa !5
  %116 = sext i32 %115 to i64
  %117 = getelementptr inbounds ptr, ptr %114, i64 %116
  %118 = load ptr, ptr %117, align 8, !tbaa !9
  %119 = getelementptr inbounds %struct.entry, ptr %118, i32 0, i32 3
  %120 = getelementptr inbounds [0 x i8], ptr %119, i64 0, i64 0
  %121 = call i32 (ptr, ...) @printf(ptr noundef @.str.5, i32 noundef %113, ptr noundef %120)
  br label %122

122:                                              ; preds = %106
  %123 = load i32, ptr %16, align 4, !tbaa !5
  %124 = add nsw i32 %123, 1
  store i32 %124, ptr %16, align 4, !tbaa !5
  br label %96, !llvm.loop !17

125:                                              ; preds = %105
  store i32 0, ptr %3, align 4
  store i32 1, ptr %14, align 4
  call void @llvm.lifetime.end.p0(i64 4, ptr %12) #8
  call void @llvm.lifetime.end.p0(i64 8, ptr %11) #8
  call void @llvm.lifetime.end.p0(i64 8, ptr %8) #8
  call void @llvm.lifetime.end.p0(i64 8, ptr %7) #8
  call void @llvm.lifetime.end.p0(i64 4, ptr %6) #8
  %126 = load i32, ptr %3, align 4
  ret i32 %126
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

; Function Attrs: nounwind uwtable
define internal ptr @generate(i32 noundef %0) #0 {
  %2 = alloca i32, align 4
  %3 = alloca ptr, align 8
  %4 = alloca ptr, align 8
  %5 = alloca i32, align 4
  %6 = alloca i32, align 4
  %7 = alloca ptr, align 8
  %8 = alloca ptr, align 8
  store i32 %0, ptr %2, align 4, !tbaa !5
  call void @llvm.lifetime.start.p0(i64 8, ptr %3) #8
  %9 = load i32, ptr %2, align 4, !tbaa !5
  %10 = mul nsw i32 %9, 16
  %11 = add nsw i32 %10, 1
  %12 = sext i32 %11 to i64
  %13 = call noalias ptr @malloc(i64 noundef %12) #10
  store ptr %13, ptr %3, align 8, !tbaa !9
  call void @llvm.lifetime.start.p0(i64 8, ptr %4) #8
  %14 = load ptr, ptr %3, align 8, !tbaa !9
  store ptr %14, ptr %4, align 8, !tbaa !9
  call void @llvm.lifetime.start.p0(i64 4, ptr %5) #8
  store i32 0, ptr %5, align 4, !tbaa !5
  br label %15

15:                                               ; preds = %72, %1
  %16 = load i32, ptr %5, align 4, !tbaa !5
  %17 = load i32, ptr %2, align 4, !tbaa !5
  %18 = icmp slt i32 %16, %17
  br i1 %18, label %20, label %19

19:                                               ; preds = %15
  call void @llvm.lifetime.end.p0(i64 4, ptr %5) #8
  br label %75

20:                                               ; preds = %15
  call void @llvm.lifetime.start.p0(i64 4, ptr %6) #8
  %21 = call i32 @random_below(i32 noundef 2)
  %22 = add nsw i32 1, %21
  %23 = call i32 @random_below(i32 noundef 3)
  %24 = add nsw i32 %22, %23
  store i32 %24, ptr %6, align 4, !tbaa !5
  call void @llvm.lifetime.start.p0(i64 8, ptr %7) #8
  %25 = load ptr, ptr %4, align 8, !tbaa !9
  store ptr %25, ptr %7, align 8, !tbaa !9
  br label %26

26:                                               ; preds = %48, %20
  %27 = load i32, ptr %6, align 4, !tbaa !5
  %28 = add nsw i32 %27, -1
  store i32 %28, ptr %6, align 4, !tbaa !5
  %29 = icmp sgt i32 %27, 0
  br i1 %29, label %30, label %49

30:                                               ; preds = %26
  call void @llvm.lifetime.start.p0(i64 8, ptr %8) #8
  %31 = call i32 @random_below(i32 noundef 12)
  %32 = call i32 @random_below(i32 noundef 12)
  %33 = mul nsw i32 %31, %32
  %34 = sdiv i32 %33, 11
  %35 = sext i32 %34 to i64
  %36 = getelementptr inbounds [12 x ptr], ptr @generate.syllables, i64 0, i64 %35
  %37 = load ptr, ptr %36, align 8, !tbaa !9
  store ptr %37, ptr %8, align 8, !tbaa !9
  br label %38

38:                                               ; preds = %42, %30
  %39 = load ptr, ptr %8, align 8, !tbaa !9
  %40 = load i8, ptr %39, align 1, !tbaa !18
  %41 = icmp ne i8 %40, 0
  br i1 %41, label %42, label %48

42:                                               ; preds = %38
  %43 = load ptr, ptr %8, align 8, !tbaa !9
  %44 = getelementptr inbounds i8, ptr %43, i32 1
  store ptr %44, ptr %8, align 8, !tbaa !9
  %45 = load i8, ptr %43, align 1, !tbaa !18
  %46 = load ptr, ptr %4, align 8, !tbaa !9
  %47 = getelementptr inbounds i8, ptr %46, i32 1
  store ptr %47, ptr %4, align 8, !tbaa !9
  store i8 %45, ptr %46, align 1, !tbaa !18
  br label %38, !llvm.loop !19

48:                                               ; preds = %38
  call void @llvm.lifetime.end.p0(i64 8, ptr %8) #8
  br label %26, !llvm.loop !20

49:                                               ; preds = %26
  %50 = call i32 @random_below(i32 noundef 8)
  %51 = icmp eq i32 %50, 0
  br i1 %51, label %52, label %58

52:                                               ; preds = %49
  %53 = load ptr, ptr %7, align 8, !tbaa !9
  %54 = load i8, ptr %53, align 1, !tbaa !18
  %55 = sext i8 %54 to i32
  %56 = sub nsw i32 %55, 32
  %57 = trunc i32 %56 to i8
  store i8 %57, ptr %53, align 1, !tbaa !18
  br label %58

58:                                               ; preds = %52, %49
  %59 = call i32 @random_below(i32 noundef 10)
  %60 = icmp eq i32 %59, 0
  br i1 %60, label %61, label %64

61:                                               ; preds = %58
  %62 = load ptr, ptr %4, align 8, !tbaa !9
  %63 = getelementptr inbounds i8, ptr %62, i32 1
  store ptr %63, ptr %4, align 8, !tbaa !9
  store i8 44, ptr %62, align 1, !tbaa !18
  br label %64

64:                                               ; preds = %61, %58
  %65 = call i32 @random_below(i32 noundef 12)
  %66 = icmp ne i32 %65, 0
  %67 = zext i1 %66 to i64
  %68 = select i1 %66, i32 32, i32 10
  %69 = trunc i32 %68 to i8
  %70 = load ptr, ptr %4, align 8, !tbaa !9
  %71 = getelementptr inbounds i8, ptr %70, i32 1
  store ptr %71, ptr %4, align 8, !tbaa !9
  store i8 %69, ptr %70, align 1, !tbaa !18
  call void @llvm.lifetime.end.p0(i64 8, ptr %7) #8
  call void @llvm.lifetime.end.p0(i64 4, ptr %6) #8
  br label %72

72:                                               ; preds = %64
  %73 = load i32, ptr %5, align 4, !tbaa !5
  %74 = add nsw i32 %73, 1
  store i32 %74, ptr %5, align 4, !tbaa !5
  br label %15, !llvm.loop !21

75:                                               ; preds = %19
  %76 = load ptr, ptr %4, align 8, !tbaa !9
  store i8 0, ptr %76, align 1, !tbaa !18
  %77 = load ptr, ptr %3, align 8, !tbaa !9
  call void @llvm.lifetime.end.p0(i64 8, ptr %4) #8
  call void @llvm.lifetime.end.p0(i64 8, ptr %3) #8
  ret ptr %77
}

; Function Attrs: nounwind uwtable
define internal ptr @replace(ptr noundef %0, ptr noundef %1, ptr noundef %2) #0 {
  %4 = alloca ptr, align 8
  %5 = alloca ptr, align 8
  %6 = alloca ptr, align 8
  %7 = alloca i64, align 8
  %8 = alloca i64, align 8
  %9 = alloca i64, align 8
  %10 = alloca i64, align 8
  %11 = alloca ptr, align 8
  %12 = alloca i64, align 8
  store ptr %0, ptr %4, align 8, !tbaa !9
  store ptr %1, ptr %5, align 8, !tbaa !9
  store ptr %2, ptr %6, align 8, !tbaa !9
  call void @llvm.lifetime.start.p0(i64 8, ptr %7) #8
  %13 = load ptr, ptr %4, align 8, !tbaa !9
  %14 = call i64 @strlen(ptr noundef %13) #9
  %15 = mul i64 %14, 2
  %16 = add i64 %15, 1
  store i64 %16, ptr %7, align 8, !tbaa !11
  call void @llvm.lifetime.start.p0(i64 8, ptr %8) #8
  store i64 0, ptr %8, align 8, !tbaa !11
  call void @llvm.lifetime.start.p0(i64 8, ptr %9) #8
  %17 = load ptr, ptr %5, align 8, !tbaa !9
  %18 = call i64 @strlen(ptr noundef %17) #9
  store i64 %18, ptr %9, align 8, !tbaa !11
  call void @llvm.lifetime.start.p0(i64 8, ptr %10) #8
  %19 = load ptr, ptr %6, align 8, !tbaa !9
  %20 = call i64 @strlen(ptr noundef %19) #9
  store i64 %20, ptr %10, align 8, !tbaa !11
  call void @llvm.lifetime.start.p0(i64 8, ptr %11) #8
  %21 = load i64, ptr %7, align 8, !tbaa !11
  %22 = call noalias ptr @malloc(i64 noundef %21) #10
  store ptr %22, ptr %11, align 8, !tbaa !9
  br label %23

23:                                               ; preds = %80, %3
  %24 = load ptr, ptr %4, align 8, !tbaa !9
  %25 = load i8, ptr %24, align 1, !tbaa !18
  %26 = icmp ne i8 %25, 0
  br i1 %26, label %27, label %81

27:                                               ; preds = %23
  call void @llvm.lifetime.start.p0(i64 8, ptr %12) #8
  store i64 0, ptr %12, align 8, !tbaa !11
  br label %28

28:                                               ; preds = %46, %27
  %29 = load i64, ptr %12, align 8, !tbaa !11
  %30 = load i64, ptr %9, align 8, !tbaa !11
  %31 = icmp ult i64 %29, %30
  br i1 %31, label %32, label %44

32:                                               ; preds = %28
  %33 = load ptr, ptr %4, align 8, !tbaa !9
  %34 = load i64, ptr %12, align 8, !tbaa !11
  %35 = getelementptr inbounds i8, ptr %33, i64 %34
  %36 = load i8, ptr %35, align 1, !tbaa !18
  %37 = sext i8 %36 to i32
  %38 = load ptr, ptr %5, align 8, !tbaa !9
  %39 = load i64, ptr %12, align 8, !tbaa !11
  %40 = getelementptr inbounds i8, ptr %38, i64 %39
  %41 = load i8, ptr %40, align 1, !tbaa !18
  %42 = sext i8 %41 to i32
  %43 = icmp eq i32 %37, %42
  br label %44

44:                                               ; preds = %32, %28
  %45 = phi i1 [ false, %28 ], [ %43, %32 ]
  br i1 %45, label %46, label %49

46:                                               ; preds = %44
  %47 = load i64, ptr %12, align 8, !tbaa !11
  %48 = add i64 %47, 1
  store i64 %48, ptr %12, align 8, !tbaa !11
  br label %28, !llvm.loop !22

49:                                               ; preds = %44
  %50 = load i64, ptr %12, align 8, !tbaa !11
  %51 = load i64, ptr %9, align 8, !tbaa !11
  %52 = icmp eq i64 %50, %51
  br i1 %52, label %53, label %72

53:                                               ; preds = %49
  %54 = load i64, ptr %8, align 8, !tbaa !11
  %55 = load i64, ptr %10, align 8, !tbaa !11
  %56 = add i64 %54, %55
  %57 = add i64 %56, 1
  %58 = load i64, ptr %7, align 8, !tbaa !11
  %59 = icmp ult i64 %57, %58
  br i1 %59, label %60, label %72

60:                                               ; preds = %53
  %61 = load ptr, ptr %11, align 8, !tbaa !9
  %62 = load i64, ptr %8, align 8, !tbaa !11
  %63 = getelementptr inbounds i8, ptr %61, i64 %62
  %64 = load ptr, ptr %6, align 8, !tbaa !9
  %65 = load i64, ptr %10, align 8, !tbaa !11
  call void @llvm.memcpy.p0.p0.i64(ptr align 1 %63, ptr align 1 %64, i64 %65, i1 false)
  %66 = load i64, ptr %10, align 8, !tbaa !11
  %67 = load i64, ptr %8, align 8, !tbaa !11
  %68 = add i64 %67, %66
  store i64 %68, ptr %8, align 8, !tbaa !11
  %69 = load i64, ptr %9, align 8, !tbaa !11
  %70 = load ptr, ptr %4, align 8, !tbaa !9
  %71 = getelementptr inbounds i8, ptr %70, i64 %69
  store ptr %71, ptr %4, align 8, !tbaa !9
  br label %80

72:                                               ; preds = %53, %49
  %73 = load ptr, ptr %4, align 8, !tbaa !9
  %74 = getelementptr inbounds i8, ptr %73, i32 1
  store ptr %74, ptr %4, align 8, !tbaa !9
  %75 = load i8, ptr %73, align 1, !tbaa !18
  %76 = load ptr, ptr %11, align 8, !tbaa !9
  %77 = load i64, ptr %8, align 8, !tbaa !11
  %78 = add i64 %77, 1
  store i64 %78, ptr %8, align 8, !tbaa !11
  %79 = getelementptr inbounds i8, ptr %76, i64 %77
  store i8 %75, ptr %79, align 1, !tbaa !18
  br label %80

80:                                               ; preds = %72, %60
  call void @llvm.lifetime.end.p0(i64 8, ptr %12) #8
  br label %23, !llvm.loop !23

81:                                               ; preds = %23
  %82 = load ptr, ptr %11, align 8, !tbaa !9
  %83 = load i64, ptr %8, align 8, !tbaa !11
  %84 = getelementptr inbounds i8, ptr %82, i64 %83
  store i8 0, ptr %84, align 1, !tbaa !18
  %85 = load ptr, ptr %11, align 8, !tbaa !9
  call void @llvm.lifetime.end.p0(i64 8, ptr %11) #8
  call void @llvm.lifetime.end.p0(i64 8, ptr %10) #8
  call void @llvm.lifetime.end.p0(i64 8, ptr %9) #8
  call void @llvm.lifetime.end.p0(i64 8, ptr %8) #8
  call void @llvm.lifetime.end.p0(i64 8, ptr %7) #8
  ret ptr %85
}

; Function Attrs: nounwind uwtable
define internal void @lower(ptr noundef %0) #0 {
  %2 = alloca ptr, align 8
  store ptr %0, ptr %2, align 8, !tbaa !9
  br label %3

3:                                                ; preds = %24, %1
  %4 = load ptr, ptr %2, align 8, !tbaa !9
  %5 = load i8, ptr %4, align 1, !tbaa !18
  %6 = icmp ne i8 %5, 0
  br i1 %6, label %7, label %27

7:                                                ; preds = %3
  %8 = load ptr, ptr %2, align 8, !tbaa !9
  %9 = load i8, ptr %8, align 1, !tbaa !18
  %10 = sext i8 %9 to i32
  %11 = icmp sge i32 %10, 65
  br i1 %11, label %12, label %23

12:                                               ; preds = %7
  %13 = load ptr, ptr %2, align 8, !tbaa !9
  %14 = load i8, ptr %13, align 1, !tbaa !18
  %15 = sext i8 %14 to i32
  %16 = icmp sle i32 %15, 90
  br i1 %16, label %17, label %23

17:                                               ; preds = %12
  %18 = load ptr, ptr %2, align 8, !tbaa !9
  %19 = load i8, ptr %18, align 1, !tbaa !18
  %20 = sext i8 %19 to i32
  %21 = add nsw i32 %20, 32
  %22 = trunc i32 %21 to i8
  store i8 %22, ptr %18, align 1, !tbaa !18
  br label %23

23:                                               ; preds = %17, %12, %7
  br label %24

24:                                               ; preds = %23
  %25 = load ptr, ptr %2, align 8, !tbaa !9
  %26 = getelementptr inbounds i8, ptr %25, i32 1
  store ptr %26, ptr %2, align 8, !tbaa !9
  br label %3, !llvm.loop !24

27:                                               ; preds = %3
  ret void
}

; Function Attrs: nounwind uwtable
define internal void @split(ptr noundef %0) #0 {
  %2 = alloca ptr, align 8
  %3 = alloca ptr, align 8
  store ptr %0, ptr %2, align 8, !tbaa !9
  br label %4

4:                                                ; preds = %46, %1
  %5 = load ptr, ptr %2, align 8, !tbaa !9
  %6 = load i8, ptr %5, align 1, !tbaa !18
  %7 = icmp ne i8 %6, 0
  br i1 %7, label %8, label %47

8:                                                ; preds = %4
  br label %9

9:                                                ; preds = %22, %8
  %10 = load ptr, ptr %2, align 8, !tbaa !9
  %11 = load i8, ptr %10, align 1, !tbaa !18
  %12 = sext i8 %11 to i32
  %13 = icmp ne i32 %12, 0
  br i1 %13, label %14, label %20

14:                                               ; preds = %9
  %15 = load ptr, ptr %2, align 8, !tbaa !9
  %16 = load i8, ptr %15, align 1, !tbaa !18
  %17 = call i32 @is_letter(i8 noundef signext %16)
  %18 = icmp ne i32 %17, 0
  %19 = xor i1 %18, true
  br label %20

20:                                               ; preds = %14, %9
  %21 = phi i1 [ false, %9 ], [ %19, %14 ]
  br i1 %21, label %22, label %25

22:                                               ; preds = %20
  %23 = load ptr, ptr %2, align 8, !tbaa !9
  %24 = getelementptr inbounds i8, ptr %23, i32 1
  store ptr %24, ptr %2, align 8, !tbaa !9
  br label %9, !llvm.loop !25

25:                                               ; preds = %20
  call void @llvm.lifetime.start.p0(i64 8, ptr %3) #8
  %26 = load ptr, ptr %2, align 8, !tbaa !9
  store ptr %26, ptr %3, align 8, !tbaa !9
  br label %27

27:                                               ; preds = %32, %25
  %28 = load ptr, ptr %2, align 8, !tbaa !9
  %29 = load i8, ptr %28, align 1, !tbaa !18
  %30 = call i32 @is_letter(i8 noundef signext %29)
  %31 = icmp ne i32 %30, 0
  br i1 %31, label %32, label %35

32:                                               ; preds = %27
  %33 = load ptr, ptr %2, align 8, !tbaa !9
  %34 = getelementptr inbounds i8, ptr %33, i32 1
  store ptr %34, ptr %2, align 8, !tbaa !9
  br label %27, !llvm.loop !26

35:                                               ; preds = %27
  %36 = load ptr, ptr %2, align 8, !tbaa !9
  %37 = load ptr, ptr %3, align 8, !tbaa !9
  %38 = icmp ugt ptr %36, %37
  br i1 %38, label %39, label %46

39:                                               ; preds = %35
  %40 = load ptr, ptr %3, align 8, !tbaa !9
  %41 = load ptr, ptr %2, align 8, !tbaa !9
  %42 = load ptr, ptr %3, align 8, !tbaa !9
  %43 = ptrtoint ptr %41 to i64
  %44 = ptrtoint ptr %42 to i64
  %45 = sub i64 %43, %44
  call void @count(ptr noundef %40, i64 noundef %45)
  br label %46

46:                                               ; preds = %39, %35
  call void @llvm.lifetime.end.p0(i64 8, ptr %3) #8
  br label %4, !llvm.loop !27

47:                                               ; preds = %4
  ret void
}

; Function Attrs: nounwind willreturn memory(read)
declare i64 @strlen(ptr noundef) #3

; Function Attrs: nounwind
declare void @free(ptr noundef) #4

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.end.p0(i64 immarg, ptr nocapture) #1

; Function Attrs: nounwind allocsize(0)
declare noalias ptr @malloc(i64 noundef) #5

declare void @qsort(ptr noundef, i64 noundef, i64 noundef, ptr noundef) #6

; Function Attrs: nounwind uwtable
define internal i32 @by_count(ptr noundef %0, ptr noundef %1) #0 {
  %3 = alloca i32, align 4
  %4 = alloca ptr, align 8
  %5 = alloca ptr, align 8
  %6 = alloca ptr, align 8
  %7 = alloca ptr, align 8
  %8 = alloca i32, align 4
  store ptr %0, ptr %4, align 8, !tbaa !9
  store ptr %1, ptr %5, align 8, !tbaa !9
  call void @llvm.lifetime.start.p0(i64 8, ptr %6) #8
  %9 = load ptr, ptr %4, align 8, !tbaa !9
  %10 = load ptr, ptr %9, align 8, !tbaa !9
  store ptr %10, ptr %6, align 8, !tbaa !9
  call void @llvm.lifetime.start.p0(i64 8, ptr %7) #8
  %11 = load ptr, ptr %5, align 8, !tbaa !9
  %12 = load ptr, ptr %11, align 8, !tbaa !9
  store ptr %12, ptr %7, align 8, !tbaa !9
  %13 = load ptr, ptr %6, align 8, !tbaa !9
  %14 = getelementptr inbounds %struct.entry, ptr %13, i32 0, i32 1
  %15 = load i32, ptr %14, align 8, !tbaa !5
  %16 = load ptr, ptr %7, align 8, !tbaa !9
  %17 = getelementptr inbounds %struct.entry, ptr %16, i32 0, i32 1
  %18 = load i32, ptr %17, align 8, !tbaa !5
  %19 = icmp ne i32 %15, %18
  br i1 %19, label %20, label %30

20:                                               ; preds = %2
  %21 = load ptr, ptr %6, align 8, !tbaa !9
  %22 = getelementptr inbounds %struct.entry, ptr %21, i32 0, i32 1
  %23 = load i32, ptr %22, align 8, !tbaa !5
  %24 = load ptr, ptr %7, align 8, !tbaa !9
  %25 = getelementptr inbounds %struct.entry, ptr %24, i32 0, i32 1
  %26 = load i32, ptr %25, align 8, !tbaa !5
  %27 = icmp slt i32 %23, %26
  %28 = zext i1 %27 to i64
  %29 = select i1 %27, i32 1, i32 -1
  store i32 %29, ptr %3, align 4
  store i32 1, ptr %8, align 4
  br label %38

30:                                               ; preds = %2
  %31 = load ptr, ptr %6, align 8, !tbaa !9
  %32 = getelementptr inbounds %struct.entry, ptr %31, i32 0, i32 3
  %33 = getelementptr inbounds [0 x i8], ptr %32, i64 0, i64 0
  %34 = load ptr, ptr %7, align 8, !tbaa !9
  %35 = getelementptr inbounds %struct.entry, ptr %34, i32 0, i32 3
  %36 = getelementptr inbounds [0 x i8], ptr %35, i64 0, i64 0
  %37 = call i32 @strcmp(ptr noundef %33, ptr noundef %36) #9
  store i32 %37, ptr %3, align 4
  store i32 1, ptr %8, align 4
  br label %38

38:                                               ; preds = %30, %20
  call void @llvm.lifetime.end.p0(i64 8, ptr %7) #8
  call void @llvm.lifetime.end.p0(i64 8, ptr %6) #8
  %39 = load i32, ptr %3, align 4
  ret i32 %39
}

declare i32 @printf(ptr noundef, ...) #6

; Function Attrs: nounwind
declare i64 @strtol(ptr noundef, ptr noundef, i32 noundef) #4

; Function Attrs: nounwind uwtable
define internal i32 @random_below(i32 noundef %0) #0 {
  %2 = alloca i32, align 4
  store i32 %0, ptr %2, align 4, !tbaa !5
  %3 = load i32, ptr @seed, align 4, !tbaa !5
  %4 = mul i32 %3, 1103515245
  %5 = add i32 %4, 12345
  store i32 %5, ptr @seed, align 4, !tbaa !5
  %6 = load i32, ptr @seed, align 4, !tbaa !5
  %7 = lshr i32 %6, 16
  %8 = load i32, ptr %2, align 4, !tbaa !5
  %9 = urem i32 %7, %8
  ret i32 %9
}

; Function Attrs: nocallback nofree nounwind willreturn memory(argmem: readwrite)
declare void @llvm.memcpy.p0.p0.i64(ptr noalias nocapture writeonly, ptr noalias nocapture readonly, i64, i1 immarg) #7

; Function Attrs: nounwind uwtable
define internal i32 @is_letter(i8 noundef signext %0) #0 {
  %2 = alloca i8, align 1
  store i8 %0, ptr %2, align 1, !tbaa !18
  %3 = load i8, ptr %2, align 1, !tbaa !18
  %4 = sext i8 %3 to i32
  %5 = icmp sge i32 %4, 97
  br i1 %5, label %6, label %10

6:                                                ; preds = %1
  %7 = load i8, ptr %2, align 1, !tbaa !18
  %8 = sext i8 %7 to i32
  %9 = icmp sle i32 %8, 122
  br i1 %9, label %20, label %10

10:                                               ; preds = %6, %1
  %11 = load i8, ptr %2, align 1, !tbaa !18
  %12 = sext i8 %11 to i32
  %13 = icmp sge i32 %12, 65
  br i1 %13, label %14, label %18

14:                                               ; preds = %10
  %15 = load i8, ptr %2, align 1, !tbaa !18
  %16 = sext i8 %15 to i32
  %17 = icmp sle i32 %16, 90
  br label %18

18:                                               ; preds = %14, %10
  %19 = phi i1 [ false, %10 ], [ %17, %14 ]
  br label %20

20:                                               ; preds = %18, %6
  %21 = phi i1 [ true, %6 ], [ %19, %18 ]
  %22 = zext i1 %21 to i32
  ret i32 %22
}

; Function Attrs: nounwind uwtable
define internal void @count(ptr noundef %0, i64 noundef %1) #0 {
  %3 = alloca ptr, align 8
  %4 = alloca i64, align 8
  %5 = alloca ptr, align 8
  %6 = alloca ptr, align 8
  %7 = alloca i32, align 4
  store ptr %0, ptr %3, align 8, !tbaa !9
  store i64 %1, ptr %4, align 8, !tbaa !11
  call void @llvm.lifetime.start.p0(i64 8, ptr %5) #8
  %8 = load ptr, ptr %3, align 8, !tbaa !9
  %9 = load i64, ptr %4, align 8, !tbaa !11
  %10 = call i32 @hash(ptr noundef %8, i64 noundef %9)
  %11 = urem i32 %10, 4096
  %12 = zext i32 %11 to i64
  %13 = getelementptr inbounds [4096 x ptr], ptr @table, i64 0, i64 %12
  store ptr %13, ptr %5, align 8, !tbaa !9
  call void @llvm.lifetime.start.p0(i64 8, ptr %6) #8
  %14 = load ptr, ptr %5, align 8, !tbaa !9
  %15 = load ptr, ptr %14, align 8, !tbaa !9
  store ptr %15, ptr %6, align 8, !tbaa !9
  br label %16

16:                                               ; preds = %39, %2
  %17 = load ptr, ptr %6, align 8, !tbaa !9
  %18 = icmp ne ptr %17, null
  br i1 %18, label %19, label %43

19:                                               ; preds = %16
  %20 = load ptr, ptr %6, align 8, !tbaa !9
  %21 = getelementptr inbounds %struct.entry, ptr %20, i32 0, i32 2
  %22 = load i64, ptr %21, align 8, !tbaa !11
  %23 = load i64, ptr %4, align 8, !tbaa !11
  %24 = icmp eq i64 %22, %23
  br i1 %24, label %25, label %38

25:                                               ; preds = %19
  %26 = load ptr, ptr %6, align 8, !tbaa !9
  %27 = getelementptr inbounds %struct.entry, ptr %26, i32 0, i32 3
  %28 = getelementptr inbounds [0 x i8], ptr %27, i64 0, i64 0
  %29 = load ptr, ptr %3, align 8, !tbaa !9
  %30 = load i64, ptr %4, align 8, !tbaa !11
  %31 = call i32 @memcmp(ptr noundef %28, ptr noundef %29, i64 noundef %30) #9
  %32 = icmp eq i32 %31, 0
  br i1 %32, label %33, label %38

33:                                               ; preds = %25
  %34 = load ptr, ptr %6, align 8, !tbaa !9
  %35 = getelementptr inbounds %struct.entry, ptr %34, i32 0, i32 1
  %36 = load i32, ptr %35, align 8, !tbaa !5
  %37 = add nsw i32 %36, 1
  store i32 %37, ptr %35, align 8, !tbaa !5
  store i32 1, ptr %7, align 4
  br label %70

38:                                               ; preds = %25, %19
  br label %39

39:                                               ; preds = %38
  %40 = load ptr, ptr %6, align 8, !tbaa !9
  %41 = getelementptr inbounds %struct.entry, ptr %40, i32 0, i32 0
  %42 = load ptr, ptr %41, align 8, !tbaa !9
  store ptr %42, ptr %6, align 8, !tbaa !9
  br label %16, !llvm.loop !28

43:                                               ; preds = %16
  %44 = load i64, ptr %4, align 8, !tbaa !11
  %45 = add i64 24, %44
  %46 = add i64 %45, 1
  %47 = call noalias ptr @malloc(i64 noundef %46) #10
  store ptr %47, ptr %6, align 8, !tbaa !9
  %48 = load ptr, ptr %6, align 8, !tbaa !9
  %49 = getelementptr inbounds %struct.entry, ptr %48, i32 0, i32 3
  %50 = getelementptr inbounds [0 x i8], ptr %49, i64 0, i64 0
  %51 = load ptr, ptr %3, align 8, !tbaa !9
  %52 = load i64, ptr %4, align 8, !tbaa !11
  call void @llvm.memcpy.p0.p0.i64(ptr align 8 %50, ptr align 1 %51, i64 %52, i1 false)
  %53 = load ptr, ptr %6, align 8, !tbaa !9
  %54 = getelementptr inbounds %struct.entry, ptr %53, i32 0, i32 3
  %55 = load i64, ptr %4, align 8, !tbaa !11
  %56 = getelementptr inbounds [0 x i8], ptr %54, i64 0, i64 %55
  store i8 0, ptr %56, align 1, !tbaa !18
  %57 = load i64, ptr %4, align 8, !tbaa !11
  %58 = load ptr, ptr %6, align 8, !tbaa !9
  %59 = getelementptr inbounds %struct.entry, ptr %58, i32 0, i32 2
  store i64 %57, ptr %59, align 8, !tbaa !11
  %60 = load ptr, ptr %6, align 8, !tbaa !9
  %61 = getelementptr inbounds %struct.entry, ptr %60, i32 0, i32 1
  store i32 1, ptr %61, align 8, !tbaa !5
  %62 = load ptr, ptr %5, align 8, !tbaa !9
  %63 = load ptr, ptr %62, align 8, !tbaa !9
  %64 = load ptr, ptr %6, align 8, !tbaa !9
  %65 = getelementptr inbounds %struct.entry, ptr %64, i32 0, i32 0
  store ptr %63, ptr %65, align 8, !tbaa !9
  %66 = load ptr, ptr %6, align 8, !tbaa !9
  %67 = load ptr, ptr %5, align 8, !tbaa !9
  store ptr %66, ptr %67, align 8, !tbaa !9
  %68 = load i32, ptr @distinct, align 4, !tbaa !5
  %69 = add nsw i32 %68, 1
  store i32 %69, ptr @distinct, align 4, !tbaa !5
  store i32 0, ptr %7, align 4
  br label %70

70:                                               ; preds = %43, %33
  call void @llvm.lifetime.end.p0(i64 8, ptr %6) #8
  call void @llvm.lifetime.end.p0(i64 8, ptr %5) #8
  %71 = load i32, ptr %7, align 4
  switch i32 %71, label %73 [
    i32 0, label %72
    i32 1, label %72
  ]

72:                                               ; preds = %70, %70
  ret void

73:                                               ; preds = %70
  unreachable
}

; Function Attrs: nounwind uwtable
define internal i32 @hash(ptr noundef %0, i64 noundef %1) #0 {
  %3 = alloca ptr, align 8
  %4 = alloca i64, align 8
  %5 = alloca i32, align 4
  %6 = alloca i64, align 8
  store ptr %0, ptr %3, align 8, !tbaa !9
  store i64 %1, ptr %4, align 8, !tbaa !11
  call void @llvm.lifetime.start.p0(i64 4, ptr %5) #8
  store i32 5381, ptr %5, align 4, !tbaa !5
  call void @llvm.lifetime.start.p0(i64 8, ptr %6) #8
  store i64 0, ptr %6, align 8, !tbaa !11
  br label %7

7:                                                ; preds = %21, %2
  %8 = load i64, ptr %6, align 8, !tbaa !11
  %9 = load i64, ptr %4, align 8, !tbaa !11
  %10 = icmp ult i64 %8, %9
  br i1 %10, label %12, label %11

11:                                               ; preds = %7
  call void @llvm.lifetime.end.p0(i64 8, ptr %6) #8
  br label %24

12:                                               ; preds = %7
  %13 = load i32, ptr %5, align 4, !tbaa !5
  %14 = mul i32 %13, 33
  %15 = load ptr, ptr %3, align 8, !tbaa !9
  %16 = load i64, ptr %6, align 8, !tbaa !11
  %17 = getelementptr inbounds i8, ptr %15, i64 %16
  %18 = load i8, ptr %17, align 1, !tbaa !18
  %19 = zext i8 %18 to i32
  %20 = add i32 %14, %19
  store i32 %20, ptr %5, align 4, !tbaa !5
  br label %21

21:                                               ; preds = %12
  %22 = load i64, ptr %6, align 8, !tbaa !11
  %23 = add i64 %22, 1
  store i64 %23, ptr %6, align 8, !tbaa !11
  br label %7, !llvm.loop !29

24:                                               ; preds = %11
  %25 = load i32, ptr %5, align 4, !tbaa !5
  %26 = load i32, ptr %5, align 4, !tbaa !5
  %27 = lshr i32 %26, 15
  %28 = xor i32 %25, %27
  call void @llvm.lifetime.end.p0(i64 4, ptr %5) #8
  ret i32 %28
}

; Function Attrs: nounwind willreturn memory(read)
declare i32 @memcmp(ptr noundef, ptr noundef, i64 noundef) #3

; Function Attrs: nounwind willreturn memory(read)
declare i32 @strcmp(ptr noundef, ptr noundef) #3

attributes #0 = { nounwind uwtable "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #1 = { nocallback nofree nosync nounwind willreturn memory(argmem: readwrite) }
attributes #2 = { inlinehint nounwind willreturn memory(read) uwtable "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #3 = { nounwind willreturn memory(read) "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #4 = { nounwind "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #5 = { nounwind allocsize(0) "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #6 = { "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #7 = { nocallback nofree nounwind willreturn memory(argmem: readwrite) }
attributes #8 = { nounwind }
attributes #9 = { nounwind willreturn memory(read) }
attributes #10 = { nounwind allocsize(0) }

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
!15 = distinct !{!15, !14}
!16 = distinct !{!16, !14}
!17 = distinct !{!17, !14}
!18 = !{!7, !7, i64 0}
!19 = distinct !{!19, !14}
!20 = distinct !{!20, !14}
!21 = distinct !{!21, !14}
!22 = distinct !{!22, !14}
!23 = distinct !{!23, !14}
!24 = distinct !{!24, !14}
!25 = distinct !{!25, !14}
!26 = distinct !{!26, !14}
!27 = distinct !{!27, !14}
!28 = distinct !{!28, !14}
!29 = distinct !{!29, !14}

; ModuleID = 'calc.c'
source_filename = "calc.c"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

%struct.lexer = type { ptr, i32, i64 }
%struct.node = type { i32, i64, ptr, ptr, ptr }

@main.texts = internal global [5 x ptr] [ptr @.str, ptr @.str.1, ptr @.str.2, ptr @.str.3, ptr @.str.4], align 16
@.str = private unnamed_addr constant [45 x i8] c"a + b * (c - 17) % 1000 + -(d * d) / (e + 1)\00", align 1
@.str.1 = private unnamed_addr constant [56 x i8] c"(a < b ? a * 3 : b - 2 * a) + (c < 500 ? c : c / 3) * 7\00", align 1
@.str.2 = private unnamed_addr constant [70 x i8] c"((a + 1) * (b + 2) + (c + 3) * (d + 4)) % 65536 - x * 12345 / (y + 3)\00", align 1
@.str.3 = private unnamed_addr constant [67 x i8] c"z < 100 ? (z < 50 ? a : b) : ((c)) + 1 + 2 + 3 + 4 + 5 + 6 + 7 + 8\00", align 1
@.str.4 = private unnamed_addr constant [68 x i8] c"k * 31 + (l * 17 + (m * 13 + (n * 11 + (o * 7 + (p * 5 + q % 3)))))\00", align 1
@pool = internal global ptr null, align 8
@used = internal global i32 0, align 4
@vars = internal global [26 x i64] zeroinitializer, align 16
@.str.5 = private unnamed_addr constant [15 x i8] c"%d nodes, %lx\0A\00", align 1
@stderr = external global ptr, align 8
@.str.6 = private unnamed_addr constant [25 x i8] c"unexpected character %c\0A\00", align 1
@.str.7 = private unnamed_addr constant [29 x i8] c"expected %d, found %d at %s\0A\00", align 1

; Function Attrs: nounwind uwtable
define dso_local i32 @main(i32 noundef %0, ptr noundef %1) #0 {
  %3 = alloca i32, align 4
  %4 = alloca i32, align 4
  %5 = alloca ptr, align 8
  %6 = alloca i32, align 4
  %7 = alloca i64, align 8
  %8 = alloca i32, align 4
  %9 = alloca i32, align 4
  %10 = alloca %struct.lexer, align 8
  %11 = alloca ptr, align 8
  %12 = alloca i32, align 4
  %13 = alloca i64, align 8
  store i32 0, ptr %3, align 4
  store i32 %0, ptr %4, align 4, !tbaa !5
  store ptr %1, ptr %5, align 8, !tbaa !9
  call void @llvm.lifetime.start.p0(i64 4, ptr %6) #8
  %14 = load i32, ptr %4, align 4, !tbaa !5
  %15 = icmp sgt i32 %14, 1
  br i1 %15, label %16, label %21

16:                                               ; preds = %2
  %17 = load ptr, ptr %5, align 8, !tbaa !9
  %18 = getelementptr inbounds ptr, ptr %17, i64 1
  %19 = load ptr, ptr %18, align 8, !tbaa !9
  %20 = call i32 @atoi(ptr noundef %19) #9
  br label %22

21:                                               ; preds = %2
  br label %22

22:                                               ; preds = %21, %16
  %23 = phi i32 [ %20, %16 ], [ 100, %21 ]
  store i32 %23, ptr %6, align 4, !tbaa !5
  call void @llvm.lifetime.start.p0(i64 8, ptr %7) #8
  store i64 0, ptr %7, align 8, !tbaa !11
  %24 = call noalias ptr @malloc(i64 noundef 40000) #10
  store ptr %24, ptr @pool, align 8, !tbaa !9
  call void @llvm.lifetime.start.p0(i64 4, ptr %8) #8
  store i32 0, ptr %8, align 4, !tbaa !5
  br label %25

25:                                               ; preds = %64, %22
  %26 = load i32, ptr %8, align 4, !tbaa !5
  %27 = load i32, ptr %6, align 4, !tbaa !5
  %28 = icmp slt i32 %26, %27
  br i1 %28, label %30, label %29

29:                                               ; preds = %25
  store i32 2, ptr %9, align 4
  call void @llvm.lifetime.end.p0(i64 4, ptr %8) #8
  br label %67

30:                                               ; preds = %25
  call void @llvm.lifetime.start.p0(i64 24, ptr %10) #8
  %31 = getelementptr inbounds %struct.lexer, ptr %10, i32 0, i32 0
  %32 = load i32, ptr %8, align 4, !tbaa !5
  %33 = srem i32 %32, 5
  %34 = sext i32 %33 to i64
  %35 = getelementptr inbounds [5 x ptr], ptr @main.texts, i64 0, i64 %34
  %36 = load ptr, ptr %35, align 8, !tbaa !9
  store ptr %36, ptr %31, align 8, !tbaa !13
  %37 = getelementptr inbounds %struct.lexer, ptr %10, i32 0, i32 1
  store i32 0, ptr %37, align 8, !tbaa !15
  %38 = getelementptr inbounds %struct.lexer, ptr %10, i32 0, i32 2
  store i64 0, ptr %38, align 8, !tbaa !16
  store i32 0, ptr @used, align 4, !tbaa !5
  call void @next(ptr noundef %10)
  call void @llvm.lifetime.start.p0(i64 8, ptr %11) #8
  %39 = call ptr @expression(ptr noundef %10)
  store ptr %39, ptr %11, align 8, !tbaa !9
  call void @expect(ptr noundef %10, i32 noundef 0)
  call void @llvm.lifetime.start.p0(i64 4, ptr %12) #8
  store i32 0, ptr %12, align 4, !tbaa !5
  br label %40

40:                                               ; preds = %60, %30
  %41 = load i32, ptr %12, align 4, !tbaa !5
  %42 = icmp slt i32 %41, 4
  br i1 %42, label %44, label %43

43:                                               ; preds = %40
  store i32 5, ptr %9, align 4
  call void @llvm.lifetime.end.p0(i64 4, ptr %12) #8
  br label %63

44:                                               ; preds = %40
  call void @llvm.lifetime.start.p0(i64 8, ptr %13) #8
  %45 = load ptr, ptr %11, align 8, !tbaa !9
  %46 = call i64 @eval(ptr noundef %45)
  store i64 %46, ptr %13, align 8, !tbaa !11
  %47 = load i64, ptr %13, align 8, !tbaa !11
  %48 = and i64 %47, 1023
  %49 = load i32, ptr %8, align 4, !tbaa !5
  %50 = mul nsw i32 %49, 7
  %51 = load i32, ptr %12, align 4, !tbaa !5
  %52 = add nsw i32 %50, %51
  %53 = srem i32 %52, 26
  %54 = sext i32 %53 to i64
  %55 = getelementptr inbounds [26 x i64], ptr @vars, i64 0, i64 %54
  store i64 %48, ptr %55, align 8, !tbaa !11
  %56 = load i64, ptr %7, align 8, !tbaa !11
  %57 = mul i64 %56, 31
  %58 = load i64, ptr %13, align 8, !tbaa !11
  %59 = add i64 %57, %58
  store i64 %59, ptr %7, align 8, !tbaa !11
  call void @llvm.lifetime.end.p0(i64 8, ptr %13) #8
  br label %60

60:                                               ; preds = %44
  %61 = load i32, ptr %12, align 4, !tbaa !5
  %62 = add nsw i32 %61, 1
  store i32 %62, ptr %12, align 4, !tbaa !5
  br label %40, !llvm.loop !17

63:                                               ; preds = %43
  call void @llvm.lifetime.end.p0(i64 8, ptr %11) #8
  call void @llvm.lifetime.end.p0(i64 24, ptr %10) #8
  br label %64

64:                                               ; preds = %63
  %65 = load i32, ptr %8, align 4, !tbaa !5
  %66 = add nsw i32 %65, 1
  store i32 %66, ptr %8, align 4, !tbaa !5
  br label %25, !llvm.loop !19

67:                                               ; preds = %29
  %68 = load i32, ptr @used, align 4, !tbaa !5
  %69 = load i64, ptr %7, align 8, !tbaa !11
  %70 = call i32 (ptr, ...) @printf(ptr noundef @.str.5, i32 noundef %68, i64 noundef %69)
  store i32 0, ptr %3, align 4
  store i32 1, ptr %9, align 4
  call void @llvm.lifetime.end.p0(i64 8, ptr %7) #8
  call void @llvm.lifetime.end.p0(i64 4, ptr %6) #8
  %71 = load i32, ptr %3, align 4
  ret i32 %71
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

; Function Attrs: nounwind allocsize(0)
declare noalias ptr @malloc(i64 noundef) #3

; Function Attrs: nounwind uwtable
define internal void @next(ptr noundef %0) #0 {
  %2 = alloca ptr, align 8
  %3 = alloca i8, align 1
  %4 = alloca i32, align 4
  store ptr %0, ptr %2, align 8, !tbaa !9
  br label %5

5:                                                ; preds = %19, %1
  %6 = call ptr @__ctype_b_loc() #11
  %7 = load ptr, ptr %6, align 8, !tbaa !9
  %8 = load ptr, ptr %2, align 8, !tbaa !9
  %9 = getelementptr inbounds %struct.lexer, ptr %8, i32 0, i32 0
  %10 = load ptr, ptr %9, align 8, !tbaa !13
  %11 = load i8, ptr %10, align 1, !tbaa !20
  %12 = zext i8 %11 to i32
  %13 = sext i32 %12 to i64
  %14 = getelementptr inbounds i16, ptr %7, i64 %13
  %15 = load i16, ptr %14, align 2, !tbaa !21
  %16 = zext i16 %15 to i32
  %17 = and i32 %16, 8192
  %18 = icmp ne i32 %17, 0
  br i1 %18, label %19, label %24

19:                                               ; preds = %5
  %20 = load ptr, ptr %2, align 8, !tbaa !9
  %21 = getelementptr inbounds %struct.lexer, ptr %20, i32 0, i32 0
  %22 = load ptr, ptr %21, align 8, !tbaa !13
  %23 = getelementptr inbounds i8, ptr %22, i32 1
  store ptr %23, ptr %21, align 8, !tbaa !13
  br label %5, !llvm.loop !23

24:                                               ; preds = %5
  call void @llvm.lifetime.start.p0(i64 1, ptr %3) #8
  %25 = load ptr, ptr %2, align 8, !tbaa !9
  %26 = getelementptr inbounds %struct.lexer, ptr %25, i32 0, i32 0
  %27 = load ptr, ptr %26, align 8, !tbaa !13
  %28 = load i8, ptr %27, align 1, !tbaa !20
  store i8 %28, ptr %3, align 1, !tbaa !20
  %29 = load i8, ptr %3, align 1, !tbaa !20
  %30 = sext i8 %29 to i32
  %31 = icmp sge i32 %30, 48
  br i1 %31, label %32, label %74

32:                                               ; preds = %24
  %33 = load i8, ptr %3, align 1, !tbaa !20
  %34 = sext i8 %33 to i32
  %35 = icmp sle i32 %34, 57
  br i1 %35, label %36, label %74

36:                                               ; preds = %32
  %37 = load ptr, ptr %2, align 8, !tbaa !9
  %38 = getelementptr inbounds %struct.lexer, ptr %37, i32 0, i32 1
  store i32 1, ptr %38, align 8, !tbaa !15
  %39 = load ptr, ptr %2, align 8, !tbaa !9
  %40 = getelementptr inbounds %struct.lexer, ptr %39, i32 0, i32 2
  store i64 0, ptr %40, align 8, !tbaa !16
  br label %41

41:                                               ; preds = %57, %36
  %42 = load ptr, ptr %2, align 8, !tbaa !9
  %43 = getelementptr inbounds %struct.lexer, ptr %42, i32 0, i32 0
  %44 = load ptr, ptr %43, align 8, !tbaa !13
  %45 = load i8, ptr %44, align 1, !tbaa !20
  %46 = sext i8 %45 to i32
  %47 = icmp sge i32 %46, 48
  br i1 %47, label %48, label %55

48:                                               ; preds = %41
  %49 = load ptr, ptr %2, align 8, !tbaa !9
  %50 = getelementptr inbounds %struct.lexer, ptr %49, i32 0, i32 0
  %51 = load ptr, ptr %50, align 8, !tbaa !13
  %52 = load i8, ptr %51, align 1, !tbaa !20
  %53 = sext i8 %52 to i32
  %54 = icmp sle i32 %53, 57
  br label %55

55:                                               ; preds = %48, %41
  %56 = phi i1 [ false, %41 ], [ %54, %48 ]
  br i1 %56, label %57, label %73

57:                                               ; preds = %55
  %58 = load ptr, ptr %2, align 8, !tbaa !9
  %59 = getelementptr inbounds %struct.lexer, ptr %58, i32 0, i32 2
  %60 = load i64, ptr %59, align 8, !tbaa !16
  %61 = mul nsw i64 %60, 10
  %62 = load ptr, ptr %2, align 8, !tbaa !9
  %63 = getelementptr inbounds %struct.lexer, ptr %62, i32 0, i32 0
  %64 = load ptr, ptr %63, align 8, !tbaa !13
  %65 = getelementptr inbounds i8, ptr %64, i32 1
  store ptr %65, ptr %63, align 8, !tbaa !13
  %66 = load i8, ptr %64, align 1, !tbaa !20
  %67 = sext i8 %66 to i32
  %68 = sub nsw i32 %67, 48
  %69 = sext i32 %68 to i64
  %70 = add nsw i64 %61, %69
  %71 = load ptr, ptr %2, align 8, !tbaa !9
  %72 = getelementptr inbounds %struct.lexer, ptr %71, i32 0, i32 2
  store i64 %70, ptr %72, align 8, !tbaa !16
  br label %41, !llvm.loop !24

73:                                               ; preds = %55
  store i32 1, ptr %4, align 4
  br label %141

74:                                               ; preds = %32, %24
  %75 = load i8, ptr %3, align 1, !tbaa !20
  %76 = sext i8 %75 to i32
  %77 = icmp sge i32 %76, 97
  br i1 %77, label %78, label %95

78:                                               ; preds = %74
  %79 = load i8, ptr %3, align 1, !tbaa !20
  %80 = sext i8 %79 to i32
  %81 = icmp sle i32 %80, 122
  br i1 %81, label %82, label %95

82:                                               ; preds = %78
  %83 = load ptr, ptr %2, align 8, !tbaa !9
  %84 = getelementptr inbounds %struct.lexer, ptr %83, i32 0, i32 1
  store i32 2, ptr %84, align 8, !tbaa !15
  %85 = load i8, ptr %3, align 1, !tbaa !20
  %86 = sext i8 %85 to i32
  %87 = sub nsw i32 %86, 97
  %88 = sext i32 %87 to i64
  %89 = load ptr, ptr %2, align 8, !tbaa !9
  %90 = getelementptr inbounds %struct.lexer, ptr %89, i32 0, i32 2
  store i64 %88, ptr %90, align 8, !tbaa !16
  %91 = load ptr, ptr %2, align 8, !tbaa !9
  %92 = getelementptr inbounds %struct.lexer, ptr %91, i32 0, i32 0
  %93 = load ptr, ptr %92, align 8, !tbaa !13
  %94 = getelementptr inbounds i8, ptr %93, i32 1
  store ptr %94, ptr %92, align 8, !tbaa !13
  store i32 1, ptr %4, align 4
  br label %141

95:                                               ; preds = %78, %74
  %96 = load i8, ptr %3, align 1, !tbaa !20
  %97 = sext i8 %96 to i32
  switch i32 %97, label %131 [
    i32 0, label %98
    i32 43, label %101
    i32 45, label %104
    i32 42, label %107
    i32 47, label %110
    i32 37, label %113
    i32 40, label %116
    i32 41, label %119
    i32 60, label %122
    i32 63, label %125
    i32 58, label %128
  ]

98:                                               ; preds = %95
  %99 = load ptr, ptr %2, align 8, !tbaa !9
  %100 = getelementptr inbounds %struct.lexer, ptr %99, i32 0, i32 1
  store i32 0, ptr %100, align 8, !tbaa !15
  store i32 1, ptr %4, align 4
  br label %141

101:                                              ; preds = %95
  %102 = load ptr, ptr %2, align 8, !tbaa !9
  %103 = getelementptr inbounds %struct.lexer, ptr %102, i32 0, i32 1
  store i32 3, ptr %103, align 8, !tbaa !15
  br label %136

104:                                              ; preds = %95
  %105 = load ptr, ptr %2, align 8, !tbaa !9
  %106 = getelementptr inbounds %struct.lexer, ptr %105, i32 0, i32 1
  store i32 4, ptr %106, align 8, !tbaa !15
  br label %136

107:                                              ; preds = %95
  %108 = load ptr, ptr %2, align 8, !tbaa !9
  %109 = getelementptr inbounds %struct.lexer, ptr %108, i32 0, i32 1
  store i32 5, ptr %109, align 8, !tbaa !15
  br label %136

110:                                              ; preds = %95
  %111 = load ptr, ptr %2, align 8, !tbaa !9
  %112 = getelementptr inbounds %struct.lexer, ptr %111, i32 0, i32 1
  store i32 6, ptr %112, align 8, !tbaa !15
  br label %136

113:                                              ; preds = %95
  %114 = load ptr, ptr %2, align 8, !tbaa !9
  %115 = getelementptr inbounds %struct.lexer, ptr %114, i32 0, i32 1
  store i32 7, ptr %115, align 8, !tbaa !15
  br label %136

116:                                              ; preds = %95
  %117 = load ptr, ptr %2, align 8, !tbaa !9
  %118 = getelementptr inbounds %struct.lexer, ptr %117, i32 0, i32 1
  store i32 8, ptr %118, align 8, !tbaa !15
  br label %136

119:                                              ; preds = %95
  %120 = load ptr, ptr %2, align 8, !tbaa !9
  %121 = getelementptr inbounds %struct.lexer, ptr %120, i32 0, i32 1
  store i32 9, ptr %121, align 8, !tbaa !15
  br label %136

122:                                              ; preds = %95
  %123 = load ptr, ptr %2, align 8, !tbaa !9
  %124 = getelementptr inbounds %struct.lexer, ptr %123, i32 0, i32 1
  store i32 10, ptr %124, align 8, !tbaa !15
  br label %136

125:                                              ; preds = %95
  %126 = load ptr, ptr %2, align 8, !tbaa !9
  %127 = getelementptr inbounds %struct.lexer, ptr %126, i32 0, i32 1
  store i32 11, ptr %127, align 8, !tbaa !15
  br label %136

128:                                              ; preds = %95
  %129 = load ptr, ptr %2, align 8, !tbaa !9
  %130 = getelementptr inbounds %struct.lexer, ptr %129, i32 0, i32 1
  store i32 12, ptr %130, align 8, !tbaa !15
  br label %136

131:                                              ; preds = %95
  %132 = load ptr, ptr @stderr, align 8, !tbaa !9
  %133 = load i8, ptr %3, align 1, !tbaa !20
  %134 = sext i8 %133 to i32
  %135 = call i32 (ptr, ptr, ...) @fprintf(ptr noundef %132, ptr noundef @.str.6, i32 noundef %134) #8
  call void @exit(i32 noundef 1) #12
  unreachable

136:                                              ; preds = %128, %125, %122, %119, %116, %113, %110, %107, %104, %101
  %137 = load ptr, ptr %2, align 8, !tbaa !9
  %138 = getelementptr inbounds %struct.lexer, ptr %137, i32 0, i32 0
  %139 = load ptr, ptr %138, align 8, !tbaa !13
  %140 = getelementptr inbounds i8, ptr %139, i32 1
  store ptr %140, ptr %138, align 8, !tbaa !13
  store i32 0, ptr %4, align 4
  br label %141

141:                                              ; preds = %136, %98, %82, %73
  call void @llvm.lifetime.end.p0(i64 1, ptr %3) #8
  %142 = load i32, ptr %4, align 4
  switch i32 %142, label %144 [
    i32 0, label %143
    i32 1, label %143
  ]

143:                                              ; preds = %141, %141
  ret void

144:                                              ; preds = %141
  unreachable
}

; Function Attrs: nounwind uwtable
define internal ptr @expression(ptr noundef %0) #0 {
  %2 = alloca ptr, align 8
  %3 = alloca ptr, align 8
  store ptr %0, ptr %2, align 8, !tbaa !9
  call void @llvm.lifetime.start.p0(i64 8, ptr %3) #8
  %4 = load ptr, ptr %2, align 8, !tbaa !9
  %5 = call ptr @binary(ptr noundef %4, i32 noundef 1)
  store ptr %5, ptr %3, align 8, !tbaa !9
  %6 = load ptr, ptr %2, align 8, !tbaa !9
  %7 = getelementptr inbounds %struct.lexer, ptr %6, i32 0, i32 1
  %8 = load i32, ptr %7, align 8, !tbaa !15
  %9 = icmp eq i32 %8, 11
  br i1 %9, label %10, label %21

10:                                               ; preds = %1
  %11 = load ptr, ptr %2, align 8, !tbaa !9
  call void @next(ptr noundef %11)
  %12 = load ptr, ptr %3, align 8, !tbaa !9
  %13 = load ptr, ptr %2, align 8, !tbaa !9
  %14 = call ptr @expression(ptr noundef %13)
  %15 = call ptr @node(i32 noundef 11, ptr noundef %12, ptr noundef %14)
  store ptr %15, ptr %3, align 8, !tbaa !9
  %16 = load ptr, ptr %2, align 8, !tbaa !9
  call void @expect(ptr noundef %16, i32 noundef 12)
  %17 = load ptr, ptr %2, align 8, !tbaa !9
  %18 = call ptr @expression(ptr noundef %17)
  %19 = load ptr, ptr %3, align 8, !tbaa !9
  %20 = getelementptr inbounds %struct.node, ptr %19, i32 0, i32 4
  store ptr %18, ptr %20, align 8, !tbaa !25
  br label %21

21:                                               ; preds = %10, %1
  %22 = load ptr, ptr %3, align 8, !tbaa !9
  call void @llvm.lifetime.end.p0(i64 8, ptr %3) #8
  ret ptr %22
}

; Function Attrs: nounwind uwtable
define internal void @expect(ptr noundef %0, i32 noundef %1) #0 {
  %3 = alloca ptr, align 8
  %4 = alloca i32, align 4
  store ptr %0, ptr %3, align 8, !tbaa !9
  store i32 %1, ptr %4, align 4, !tbaa !5
  %5 = load ptr, ptr %3, align 8, !tbaa !9
  %6 = getelementptr inbounds %struct.lexer, ptr %5, i32 0, i32 1
  %7 = load i32, ptr %6, align 8, !tbaa !15
  %8 = load i32, ptr %4, align 4, !tbaa !5
  %9 = icmp ne i32 %7, %8
  br i1 %9, label %10, label %20

10:                                               ; preds = %2
  %11 = load ptr, ptr @stderr, align 8, !tbaa !9
  %12 = load i32, ptr %4, align 4, !tbaa !5
  %13 = load ptr, ptr %3, align 8, !tbaa !9
  %14 = getelementptr inbounds %struct.lexer, ptr %13, i32 0, i32 1
  %15 = load i32, ptr %14, align 8, !tbaa !15
  %16 = load ptr, ptr %3, align 8, !tbaa !9
  %17 = getelementptr inbounds %struct.lexer, ptr %16, i32 0, i32 0
  %18 = load ptr, ptr %17, align 8, !tbaa !13
  %19 = call i32 (ptr, ptr, ...) @fprintf(ptr noundef %11, ptr noundef @.str.7, i32 noundef %12, i32 noundef %15, ptr noundef %18) #8
  call void @exit(i32 noundef 1) #12
  unreachable

20:                                               ; preds = %2
  %21 = load ptr, ptr %3, align 8, !tbaa !9
  call void @next(ptr noundef %21)
  ret void
}

; Function Attrs: nounwind uwtable
define internal i64 @eval(ptr noundef %0) #0 {
  %2 = alloca i64, align 8
  %3 = alloca ptr, align 8
  %4 = alloca i64, align 8
  %5 = alloca i64, align 8
  %6 = alloca i32, align 4
  store ptr %0, ptr %3, align 8, !tbaa !9
  call void @llvm.lifetime.start.p0(i64 8, ptr %4) #8
  call void @llvm.lifetime.start.p0(i64 8, ptr %5) #8
  %7 = load ptr, ptr %3, align 8, !tbaa !9
  %8 = getelementptr inbounds %struct.node, ptr %7, i32 0, i32 0
  %9 = load i32, ptr %8, align 8, !tbaa !27
  %10 = icmp eq i32 %9, 1
  br i1 %10, label %11, label %15

11:                                               ; preds = %1
  %12 = load ptr, ptr %3, align 8, !tbaa !9
  %13 = getelementptr inbounds %struct.node, ptr %12, i32 0, i32 1
  %14 = load i64, ptr %13, align 8, !tbaa !28
  store i64 %14, ptr %2, align 8
  store i32 1, ptr %6, align 4
  br label %110

15:                                               ; preds = %1
  %16 = load ptr, ptr %3, align 8, !tbaa !9
  %17 = getelementptr inbounds %struct.node, ptr %16, i32 0, i32 0
  %18 = load i32, ptr %17, align 8, !tbaa !27
  %19 = icmp eq i32 %18, 2
  br i1 %19, label %20, label %26

20:                                               ; preds = %15
  %21 = load ptr, ptr %3, align 8, !tbaa !9
  %22 = getelementptr inbounds %struct.node, ptr %21, i32 0, i32 1
  %23 = load i64, ptr %22, align 8, !tbaa !28
  %24 = getelementptr inbounds [26 x i64], ptr @vars, i64 0, i64 %23
  %25 = load i64, ptr %24, align 8, !tbaa !11
  store i64 %25, ptr %2, align 8
  store i32 1, ptr %6, align 4
  br label %110

26:                                               ; preds = %15
  %27 = load ptr, ptr %3, align 8, !tbaa !9
  %28 = getelementptr inbounds %struct.node, ptr %27, i32 0, i32 0
  %29 = load i32, ptr %28, align 8, !tbaa !27
  %30 = icmp eq i32 %29, 11
  br i1 %30, label %31, label %49

31:                                               ; preds = %26
  %32 = load ptr, ptr %3, align 8, !tbaa !9
  %33 = getelementptr inbounds %struct.node, ptr %32, i32 0, i32 2
  %34 = load ptr, ptr %33, align 8, !tbaa !29
  %35 = call i64 @eval(ptr noundef %34)
  %36 = icmp ne i64 %35, 0
  br i1 %36, label %37, label %42

37:                                               ; preds = %31
  %38 = load ptr, ptr %3, align 8, !tbaa !9
  %39 = getelementptr inbounds %struct.node, ptr %38, i32 0, i32 3
  %40 = load ptr, ptr %39, align 8, !tbaa !30
  %41 = call i64 @eval(ptr noundef %40)
  br label %47

42:                                               ; preds = %31
  %43 = load ptr, ptr %3, align 8, !tbaa !9
  %44 = getelementptr inbounds %struct.node, ptr %43, i32 0, i32 4
  %45 = load ptr, ptr %44, align 8, !tbaa !25
  %46 = call i64 @eval(ptr noundef %45)
  br label %47

47:                                               ; preds = %42, %37
  %48 = phi i64 [ %41, %37 ], [ %46, %42 ]
  store i64 %48, ptr %2, align 8
  store i32 1, ptr %6, align 4
  br label %110

49:                                               ; preds = %26
  %50 = load ptr, ptr %3, align 8, !tbaa !9
  %51 = getelementptr inbounds %struct.node, ptr %50, i32 0, i32 2
  %52 = load ptr, ptr %51, align 8, !tbaa !29
  %53 = call i64 @eval(ptr noundef %52)
  store i64 %53, ptr %4, align 8, !tbaa !11
  %54 = load ptr, ptr %3, align 8, !tbaa !9
  %55 = getelementptr inbounds %struct.node, ptr %54, i32 0, i32 0
  %56 = load i32, ptr %55, align 8, !tbaa !27
  %57 = icmp eq i32 %56, 13
  br i1 %57, label %58, label %61

58:                                               ; preds = %49
  %59 = load i64, ptr %4, align 8, !tbaa !11
  %60 = sub nsw i64 0, %59
  store i64 %60, ptr %2, align 8
  store i32 1, ptr %6, align 4
  br label %110

61:                                               ; preds = %49
  %62 = load ptr, ptr %3, align 8, !tbaa !9
  %63 = getelementptr inbounds %struct.node, ptr %62, i32 0, i32 3
  %64 = load ptr, ptr %63, align 8, !tbaa !30
  %65 = call i64 @eval(ptr noundef %64)
  store i64 %65, ptr %5, align 8, !tbaa !11
  %66 = load ptr, ptr %3, align 8, !tbaa !9
  %67 = getelementptr inbounds %struct.node, ptr %66, i32 0, i32 0
  %68 = load i32, ptr %67, align 8, !tbaa !27
  switch i32 %68, label %109 [
    i32 3, label %69
    i32 4, label %74
    i32 5, label %78
    i32 6, label %83
    i32 7, label %93
    i32 10, label %103
  ]

69:                                               ; preds = %61
  %70 = load i64, ptr %4, align 8, !tbaa !11
  %71 = load i64, ptr %5, align 8, !tbaa !11
  %72 = add nsw i64 %70, %71
  %73 = and i64 %72, 4294967295
  store i64 %73, ptr %2, align 8
  store i32 1, ptr %6, align 4
  br label %110

74:                                               ; preds = %61
  %75 = load i64, ptr %4, align 8, !tbaa !11
  %76 = load i64, ptr %5, align 8, !tbaa !11
  %77 = sub nsw i64 %75, %76
  store i64 %77, ptr %2, align 8
  store i32 1, ptr %6, align 4
  br label %110

78:                                               ; preds = %61
  %79 = load i64, ptr %4, align 8, !tbaa !11
  %80 = load i64, ptr %5, align 8, !tbaa !11
  %81 = mul nsw i64 %79, %80
  %82 = and i64 %81, 1048575
  store i64 %82, ptr %2, align 8
  store i32 1, ptr %6, align 4
  br label %110

83:                                               ; preds = %61
  %84 = load i64, ptr %5, align 8, !tbaa !11
  %85 = icmp ne i64 %84, 0
  br i1 %85, label %86, label %90

86:                                               ; preds = %83
  %87 = load i64, ptr %4, align 8, !tbaa !11
  %88 = load i64, ptr %5, align 8, !tbaa !11
  %89 = sdiv i64 %87, %88
  br label %91

90:                                               ; preds = %83
  br label %91

91:                                               ; preds = %90, %86
  %92 = phi i64 [ %89, %86 ], [ 0, %90 ]
  store i64 %92, ptr %2, align 8
  store i32 1, ptr %6, align 4
  br label %110

93:                                               ; preds = %61
  %94 = load i64, ptr %5, align 8, !tbaa !11
  %95 = icmp ne i64 %94, 0
  br i1 %95, label %96, label %100

96:                                               ; preds = %93
  %97 = load i64, ptr %4, align 8, !tbaa !11
  %98 = load i64, ptr %5, align 8, !tbaa !11
  %99 = srem i64 %97, %98
  br label %101

100:                                              ; preds = %93
  br label %101

101:                                              ; preds = %100, %96
  %102 = phi i64 [ %99, %96 ], [ 0, %100 ]
  store i64 %102, ptr %2, align 8
  store i32 1, ptr %6, align 4
  br label %110

103:                                              ; preds = %61
  %104 = load i64, ptr %4, align 8, !tbaa !11
  %105 = load i64, ptr %5, align 8, !tbaa !11
  %106 = icmp slt i64 %104, %105
  %107 = zext i1 %106 to i32
  %108 = sext i32 %107 to i64
  store i64 %108, ptr %2, align 8
  store i32 1, ptr %6, align 4
  br label %110

109:                                              ; preds = %61
  store i64 0, ptr %2, align 8
  store i32 1, ptr %6, align 4
  br label %110

110:                                              ; preds = %109, %103, %101, %91, %78, %74, %69, %58, %47, %20, %11
  call void @llvm.lifetime.end.p0(i64 8, ptr %5) #8
  call void @llvm.lifetime.end.p0(i64 8, ptr %4) #8
  %111 = load i64, ptr %2, align 8
  ret i64 %111
}

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.end.p0(i64 immarg, ptr nocapture) #1

declare i32 @printf(ptr noundef, ...) #4

; Function Attrs: nounwind
declare i64 @strtol(ptr noundef, ptr noundef, i32 noundef) #5

; Function Attrs: nounwind willreturn memory(none)
declare ptr @__ctype_b_loc() #6

; Function Attrs: nounwind
declare i32 @fprintf(ptr noundef, ptr noundef, ...) #5

; Function Attrs: noreturn nounwind
declare void @exit(i32 noundef) #7

; Function Attrs: nounwind uwtable
define internal ptr @binary(ptr noundef %0, i32 noundef %1) #0 {
  %3 = alloca ptr, align 8
  %4 = alloca i32, align 4
  %5 = alloca ptr, align 8
  %6 = alloca i32, align 4
  store ptr %0, ptr %3, align 8, !tbaa !9
  store i32 %1, ptr %4, align 4, !tbaa !5
  call void @llvm.lifetime.start.p0(i64 8, ptr %5) #8
  %7 = load ptr, ptr %3, align 8, !tbaa !9
  %8 = call ptr @primary(ptr noundef %7)
  store ptr %8, ptr %5, align 8, !tbaa !9
  br label %9

9:                                                ; preds = %16, %2
  %10 = load ptr, ptr %3, align 8, !tbaa !9
  %11 = getelementptr inbounds %struct.lexer, ptr %10, i32 0, i32 1
  %12 = load i32, ptr %11, align 8, !tbaa !15
  %13 = call i32 @precedence(i32 noundef %12)
  %14 = load i32, ptr %4, align 4, !tbaa !5
  %15 = icmp sge i32 %13, %14
  br i1 %15, label %16, label %29

16:                                               ; preds = %9
  call void @llvm.lifetime.start.p0(i64 4, ptr %6) #8
  %17 = load ptr, ptr %3, align 8, !tbaa !9
  %18 = getelementptr inbounds %struct.lexer, ptr %17, i32 0, i32 1
  %19 = load i32, ptr %18, align 8, !tbaa !15
  store i32 %19, ptr %6, align 4, !tbaa !5
  %20 = load ptr, ptr %3, align 8, !tbaa !9
  call void @next(ptr noundef %20)
  %21 = load i32, ptr %6, align 4, !tbaa !5
  %22 = load ptr, ptr %5, align 8, !tbaa !9
  %23 = load ptr, ptr %3, align 8, !tbaa !9
  %24 = load i32, ptr %6, align 4, !tbaa !5
  %25 = call i32 @precedence(i32 noundef %24)
  %26 = add nsw i32 %25, 1
  %27 = call ptr @binary(ptr noundef %23, i32 noundef %26)
  %28 = call ptr @node(i32 noundef %21, ptr noundef %22, ptr noundef %27)
  store ptr %28, ptr %5, align 8, !tbaa !9
  call void @llvm.lifetime.end.p0(i64 4, ptr %6) #8
  br label %9, !llvm.loop !31

29:                                               ; preds = %9
  %30 = load ptr, ptr %5, align 8, !tbaa !9
  call void @llvm.lifetime.end.p0(i64 8, ptr %5) #8
  ret ptr %30
}

; Function Attrs: nounwind uwtable
define internal ptr @node(i32 noundef %0, ptr noundef %1, ptr noundef %2) #0 {
  %4 = alloca i32, align 4
  %5 = alloca ptr, align 8
  %6 = alloca ptr, align 8
  %7 = alloca ptr, align 8
  store i32 %0, ptr %4, align 4, !tbaa !5
  store ptr %1, ptr %5, align 8, !tbaa !9
  store ptr %2, ptr %6, align 8, !tbaa !9
  call void @llvm.lifetime.start.p0(i64 8, ptr %7) #8
  %8 = load ptr, ptr @pool, align 8, !tbaa !9
  %9 = load i32, ptr @used, align 4, !tbaa !5
  %10 = add nsw i32 %9, 1
  store i32 %10, ptr @used, align 4, !tbaa !5
  %11 = sext i32 %9 to i64
  %12 = getelementptr inbounds %struct.node, ptr %8, i64 %11
  store ptr %12, ptr %7, align 8, !tbaa !9
  %13 = load i32, ptr %4, align 4, !tbaa !5
  %14 = load ptr, ptr %7, align 8, !tbaa !9
  %15 = getelementptr inbounds %struct.node, ptr %14, i32 0, i32 0
  store i32 %13, ptr %15, align 8, !tbaa !27
  %16 = load ptr, ptr %7, align 8, !tbaa !9
  %17 = getelementptr inbounds %struct.node, ptr %16, i32 0, i32 1
  store i64 0, ptr %17, align 8, !tbaa !28
  %18 = load ptr, ptr %5, align 8, !tbaa !9
  %19 = load ptr, ptr %7, align 8, !tbaa !9
  %20 = getelementptr inbounds %struct.node, ptr %19, i32 0, i32 2
  store ptr %18, ptr %20, align 8, !tbaa !29
  %21 = load ptr, ptr %6, align 8, !tbaa !9
  %22 = load ptr, ptr %7, align 8, !tbaa !9
  %23 = getelementptr inbounds %struct.node, ptr %22, i32 0, i32 3
  store ptr %21, ptr %23, align 8, !tbaa !30
  %24 = load ptr, ptr %7, align 8, !tbaa !9
  %25 = getelementptr inbounds %struct.node, ptr %24, i32 0, i32 4
  store ptr null, ptr %25, align 8, !tbaa !25
  %26 = load ptr, ptr %7, align 8, !tbaa !9
  call void @llvm.lifetime.end.p0(i64 8, ptr %7) #8
  ret ptr %26
}

; Function Attrs: nounwind uwtable
define internal ptr @primary(ptr noundef %0) #0 {
  %2 = alloca ptr, align 8
  %3 = alloca ptr, align 8
  %4 = alloca ptr, align 8
  %5 = alloca i32, align 4
  store ptr %0, ptr %3, align 8, !tbaa !9
  call void @llvm.lifetime.start.p0(i64 8, ptr %4) #8
  %6 = load ptr, ptr %3, align 8, !tbaa !9
  %7 = getelementptr inbounds %struct.lexer, ptr %6, i32 0, i32 1
  %8 = load i32, ptr %7, align 8, !tbaa !15
  switch i32 %8, label %26 [
    i32 1, label %9
    i32 2, label %9
    i32 4, label %21
  ]

9:                                                ; preds = %1, %1
  %10 = load ptr, ptr %3, align 8, !tbaa !9
  %11 = getelementptr inbounds %struct.lexer, ptr %10, i32 0, i32 1
  %12 = load i32, ptr %11, align 8, !tbaa !15
  %13 = call ptr @node(i32 noundef %12, ptr noundef null, ptr noundef null)
  store ptr %13, ptr %4, align 8, !tbaa !9
  %14 = load ptr, ptr %3, align 8, !tbaa !9
  %15 = getelementptr inbounds %struct.lexer, ptr %14, i32 0, i32 2
  %16 = load i64, ptr %15, align 8, !tbaa !16
  %17 = load ptr, ptr %4, align 8, !tbaa !9
  %18 = getelementptr inbounds %struct.node, ptr %17, i32 0, i32 1
  store i64 %16, ptr %18, align 8, !tbaa !28
  %19 = load ptr, ptr %3, align 8, !tbaa !9
  call void @next(ptr noundef %19)
  %20 = load ptr, ptr %4, align 8, !tbaa !9
  store ptr %20, ptr %2, align 8
  store i32 1, ptr %5, align 4
  br label %32

21:                                               ; preds = %1
  %22 = load ptr, ptr %3, align 8, !tbaa !9
  call void @next(ptr noundef %22)
  %23 = load ptr, ptr %3, align 8, !tbaa !9
  %24 = call ptr @primary(ptr noundef %23)
  %25 = call ptr @node(i32 noundef 13, ptr noundef %24, ptr noundef null)
  store ptr %25, ptr %2, align 8
  store i32 1, ptr %5, align 4
  br label %32

26:                                               ; preds = %1
  %27 = load ptr, ptr %3, align 8, !tbaa !9
  call void @expect(ptr noundef %27, i32 noundef 8)
  %28 = load ptr, ptr %3, align 8, !tbaa !9
  %29 = call ptr @expression(ptr noundef %28)
  store ptr %29, ptr %4, align 8, !tbaa !9
  %30 = load ptr, ptr %3, align 8, !tbaa !9
  call void @expect(ptr noundef %30, i32 noundef 9)
  %31 = load ptr, ptr %4, align 8, !tbaa !9
  store ptr %31, ptr %2, align 8
  store i32 1, ptr %5, align 4
  br label %32

32:                                               ; preds = %26, %21, %9
  call void @llvm.lifetime.end.p0(i64 8, ptr %4) #8
  %33 = load ptr, ptr %2, align 8
  ret ptr %33
}

; Function Attrs: nounwind uwtable
define internal i32 @precedence(i32 noundef %0) #0 {
  %2 = alloca i32, align 4
  %3 = alloca i32, align 4
  store i32 %0, ptr %3, align 4, !tbaa !5
  %4 = load i32, ptr %3, align 4, !tbaa !5
  switch i32 %4, label %8 [
    i32 10, label %5
    i32 3, label %6
    i32 4, label %6
    i32 5, label %7
    i32 6, label %7
    i32 7, label %7
  ]

5:                                                ; preds = %1
  store i32 1, ptr %2, align 4
  br label %9

6:                                                ; preds = %1, %1
  store i32 2, ptr %2, align 4
  br label %9

7:                                                ; preds = %1, %1, %1
  store i32 3, ptr %2, align 4
  br label %9

8:                                                ; preds = %1
  store i32 0, ptr %2, align 4
  br label %9

9:                                                ; preds = %8, %7, %6, %5
  %10 = load i32, ptr %2, align 4
  ret i32 %10
}

attributes #0 = { nounwind uwtable "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #1 = { nocallback nofree nosync nounwind willreturn memory(argmem: readwrite) }
attributes #2 = { inlinehint nounwind willreturn memory(read) uwtable "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #3 = { nounwind allocsize(0) "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #4 = { "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #5 = { nounwind "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #6 = { nounwind willreturn memory(none) "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #7 = { noreturn nounwind "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #8 = { nounwind }
attributes #9 = { nounwind willreturn memory(read) }
attributes #10 = { nounwind allocsize(0) }
attributes #11 = { nounwind willreturn memory(none) }
attributes #12 = { noreturn nounwind }

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
!13 = !{!14, !10, i64 0}
!14 = !{!"lexer", !10, i64 0, !6, i64 8, !12, i64 16}
!15 = !{!14, !6, i64 8}
!16 = !{!14, !12, i64 16}
!17 = distinct !{!17, !18}
!18 = !{!"llvm.loop.mustprogress"}
!19 = distinct !{!19, !18}
!20 = !{!7, !7, i64 0}
!21 = !{!22, !22, i64 0}
!22 = !{!"short", !7, i64 0}
!23 = distinct !{!23, !18}
!24 = distinct !{!24, !18}
!25 = !{!26, !10, i64 32}
!26 = !{!"node", !6, i64 0, !12, i64 8, !10, i64 16, !10, i64 24, !10, i64 32}
!27 = !{!26, !6, i64 0}
!28 = !{!26, !12, i64 8}
!29 = !{!26, !10, i64 16}
!30 = !{!26, !10, i64 24}
!31 = distinct !{!31, !18}

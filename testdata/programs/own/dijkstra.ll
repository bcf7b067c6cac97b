; ModuleID = 'dijkstra.c'
source_filename = "dijkstra.c"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

%struct.grid = type { i32, i32, ptr, ptr, ptr }
%struct.point = type { i16, i16 }
%struct.heap = type { ptr, i32, i32 }
%struct.record = type { i32, %struct.point }

@__const.main.g = private unnamed_addr constant %struct.grid { i32 160, i32 120, ptr null, ptr null, ptr null }, align 8
@.str = private unnamed_addr constant [6 x i8] c"%08x\0A\00", align 1
@dx = internal constant [4 x i32] [i32 1, i32 0, i32 -1, i32 0], align 16
@dy = internal constant [4 x i32] [i32 0, i32 1, i32 0, i32 -1], align 16

; Function Attrs: nounwind uwtable
define dso_local i32 @main(i32 noundef %0, ptr noundef %1) #0 {
  %3 = alloca i32, align 4
  %4 = alloca i32, align 4
  %5 = alloca ptr, align 8
  %6 = alloca i32, align 4
  %7 = alloca %struct.grid, align 8
  %8 = alloca i64, align 8
  %9 = alloca i32, align 4
  %10 = alloca i32, align 4
  %11 = alloca i32, align 4
  %12 = alloca i32, align 4
  %13 = alloca i64, align 8
  %14 = alloca %struct.point, align 2
  %15 = alloca %struct.point, align 2
  %16 = alloca i32, align 4
  store i32 0, ptr %3, align 4
  store i32 %0, ptr %4, align 4, !tbaa !5
  store ptr %1, ptr %5, align 8, !tbaa !9
  call void @llvm.lifetime.start.p0(i64 4, ptr %6) #9
  %17 = load i32, ptr %4, align 4, !tbaa !5
  %18 = icmp sgt i32 %17, 1
  br i1 %18, label %19, label %24

19:                                               ; preds = %2
  %20 = load ptr, ptr %5, align 8, !tbaa !9
  %21 = getelementptr inbounds ptr, ptr %20, i64 1
  %22 = load ptr, ptr %21, align 8, !tbaa !9
  %23 = call i32 @atoi(ptr noundef %22) #10
  br label %25

24:                                               ; preds = %2
  br label %25

25:                                               ; preds = %24, %19
  %26 = phi i32 [ %23, %19 ], [ 5, %24 ]
  store i32 %26, ptr %6, align 4, !tbaa !5
  call void @llvm.lifetime.start.p0(i64 32, ptr %7) #9
  call void @llvm.memcpy.p0.p0.i64(ptr align 8 %7, ptr align 8 @__const.main.g, i64 32, i1 false)
  call void @llvm.lifetime.start.p0(i64 8, ptr %8) #9
  %27 = getelementptr inbounds %struct.grid, ptr %7, i32 0, i32 0
  %28 = load i32, ptr %27, align 8, !tbaa !11
  %29 = getelementptr inbounds %struct.grid, ptr %7, i32 0, i32 1
  %30 = load i32, ptr %29, align 4, !tbaa !13
  %31 = mul nsw i32 %28, %30
  %32 = sext i32 %31 to i64
  store i64 %32, ptr %8, align 8, !tbaa !14
  call void @llvm.lifetime.start.p0(i64 4, ptr %9) #9
  store i32 99, ptr %9, align 4, !tbaa !5
  call void @llvm.lifetime.start.p0(i64 4, ptr %10) #9
  store i32 0, ptr %10, align 4, !tbaa !5
  %33 = load i64, ptr %8, align 8, !tbaa !14
  %34 = call noalias ptr @malloc(i64 noundef %33) #11
  %35 = getelementptr inbounds %struct.grid, ptr %7, i32 0, i32 2
  store ptr %34, ptr %35, align 8, !tbaa !16
  %36 = load i64, ptr %8, align 8, !tbaa !14
  %37 = mul i64 %36, 4
  %38 = call noalias ptr @malloc(i64 noundef %37) #11
  %39 = getelementptr inbounds %struct.grid, ptr %7, i32 0, i32 3
  store ptr %38, ptr %39, align 8, !tbaa !17
  %40 = load i64, ptr %8, align 8, !tbaa !14
  %41 = call noalias ptr @malloc(i64 noundef %40) #11
  %42 = getelementptr inbounds %struct.grid, ptr %7, i32 0, i32 4
  store ptr %41, ptr %42, align 8, !tbaa !18
  call void @llvm.lifetime.start.p0(i64 4, ptr %11) #9
  store i32 0, ptr %11, align 4, !tbaa !5
  br label %43

43:                                               ; preds = %145, %25
  %44 = load i32, ptr %11, align 4, !tbaa !5
  %45 = load i32, ptr %6, align 4, !tbaa !5
  %46 = icmp slt i32 %44, %45
  br i1 %46, label %48, label %47

47:                                               ; preds = %43
  store i32 2, ptr %12, align 4
  call void @llvm.lifetime.end.p0(i64 4, ptr %11) #9
  br label %148

48:                                               ; preds = %43
  call void @llvm.lifetime.start.p0(i64 8, ptr %13) #9
  store i64 0, ptr %13, align 8, !tbaa !14
  br label %49

49:                                               ; preds = %75, %48
  %50 = load i64, ptr %13, align 8, !tbaa !14
  %51 = load i64, ptr %8, align 8, !tbaa !14
  %52 = icmp ult i64 %50, %51
  br i1 %52, label %54, label %53

53:                                               ; preds = %49
  store i32 5, ptr %12, align 4
  call void @llvm.lifetime.end.p0(i64 8, ptr %13) #9
  br label %78

54:                                               ; preds = %49
  %55 = load i32, ptr %9, align 4, !tbaa !5
  %56 = mul i32 %55, 1664525
  %57 = add i32 %56, 1013904223
  store i32 %57, ptr %9, align 4, !tbaa !5
  %58 = load i32, ptr %9, align 4, !tbaa !5
  %59 = lshr i32 %58, 24
  %60 = urem i32 %59, 10
  %61 = icmp ult i32 %60, 3
  br i1 %61, label %62, label %63

62:                                               ; preds = %54
  br label %68

63:                                               ; preds = %54
  %64 = load i32, ptr %9, align 4, !tbaa !5
  %65 = lshr i32 %64, 12
  %66 = urem i32 %65, 20
  %67 = add i32 1, %66
  br label %68

68:                                               ; preds = %63, %62
  %69 = phi i32 [ 0, %62 ], [ %67, %63 ]
  %70 = trunc i32 %69 to i8
  %71 = getelementptr inbounds %struct.grid, ptr %7, i32 0, i32 2
  %72 = load ptr, ptr %71, align 8, !tbaa !16
  %73 = load i64, ptr %13, align 8, !tbaa !14
  %74 = getelementptr inbounds i8, ptr %72, i64 %73
  store i8 %70, ptr %74, align 1, !tbaa !19
  br label %75

75:                                               ; preds = %68
  %76 = load i64, ptr %13, align 8, !tbaa !14
  %77 = add i64 %76, 1
  store i64 %77, ptr %13, align 8, !tbaa !14
  br label %49, !llvm.loop !20

78:                                               ; preds = %53
  call void @llvm.lifetime.start.p0(i64 4, ptr %14) #9
  %79 = getelementptr inbounds %struct.point, ptr %14, i32 0, i32 0
  %80 = load i32, ptr %11, align 4, !tbaa !5
  %81 = srem i32 %80, 10
  %82 = trunc i32 %81 to i16
  store i16 %82, ptr %79, align 2, !tbaa !22
  %83 = getelementptr inbounds %struct.point, ptr %14, i32 0, i32 1
  %84 = load i32, ptr %11, align 4, !tbaa !5
  %85 = srem i32 %84, 7
  %86 = trunc i32 %85 to i16
  store i16 %86, ptr %83, align 2, !tbaa !25
  call void @llvm.lifetime.start.p0(i64 4, ptr %15) #9
  %87 = getelementptr inbounds %struct.point, ptr %15, i32 0, i32 0
  %88 = getelementptr inbounds %struct.grid, ptr %7, i32 0, i32 0
  %89 = load i32, ptr %88, align 8, !tbaa !11
  %90 = sub nsw i32 %89, 1
  %91 = load i32, ptr %11, align 4, !tbaa !5
  %92 = srem i32 %91, 13
  %93 = sub nsw i32 %90, %92
  %94 = trunc i32 %93 to i16
  store i16 %94, ptr %87, align 2, !tbaa !22
  %95 = getelementptr inbounds %struct.point, ptr %15, i32 0, i32 1
  %96 = getelementptr inbounds %struct.grid, ptr %7, i32 0, i32 1
  %97 = load i32, ptr %96, align 4, !tbaa !13
  %98 = sub nsw i32 %97, 1
  %99 = trunc i32 %98 to i16
  store i16 %99, ptr %95, align 2, !tbaa !25
  %100 = getelementptr inbounds %struct.grid, ptr %7, i32 0, i32 2
  %101 = load ptr, ptr %100, align 8, !tbaa !16
  %102 = getelementptr inbounds %struct.point, ptr %15, i32 0, i32 1
  %103 = load i16, ptr %102, align 2, !tbaa !25
  %104 = sext i16 %103 to i32
  %105 = getelementptr inbounds %struct.grid, ptr %7, i32 0, i32 0
  %106 = load i32, ptr %105, align 8, !tbaa !11
  %107 = mul nsw i32 %104, %106
  %108 = getelementptr inbounds %struct.point, ptr %15, i32 0, i32 0
  %109 = load i16, ptr %108, align 2, !tbaa !22
  %110 = sext i16 %109 to i32
  %111 = add nsw i32 %107, %110
  %112 = sext i32 %111 to i64
  %113 = getelementptr inbounds i8, ptr %101, i64 %112
  store i8 1, ptr %113, align 1, !tbaa !19
  %114 = getelementptr inbounds %struct.grid, ptr %7, i32 0, i32 2
  %115 = load ptr, ptr %114, align 8, !tbaa !16
  %116 = getelementptr inbounds %struct.point, ptr %14, i32 0, i32 1
  %117 = load i16, ptr %116, align 2, !tbaa !25
  %118 = sext i16 %117 to i32
  %119 = getelementptr inbounds %struct.grid, ptr %7, i32 0, i32 0
  %120 = load i32, ptr %119, align 8, !tbaa !11
  %121 = mul nsw i32 %118, %120
  %122 = getelementptr inbounds %struct.point, ptr %14, i32 0, i32 0
  %123 = load i16, ptr %122, align 2, !tbaa !22
  %124 = sext i16 %123 to i32
  %125 = add nsw i32 %121, %124
  %126 = sext i32 %125 to i64
  %127 = getelementptr inbounds i8, ptr %115, i64 %126
  store i8 1, ptr %127, align 1, !tbaa !19
  call void @llvm.lifetime.start.p0(i64 4, ptr %16) #9
  %128 = load i32, ptr %14, align 2
  %129 = load i32, ptr %15, align 2
  %130 = call i32 @search(ptr noundef %7, i32 %128, i32 %129)
  store i32 %130, ptr %16, align 4, !tbaa !5
  %131 = load i32, ptr %10, align 4, !tbaa !5
  %132 = mul i32 %131, 31
  %133 = load i32, ptr %16, align 4, !tbaa !5
  %134 = add i32 %132, %133
  store i32 %134, ptr %10, align 4, !tbaa !5
  %135 = load i32, ptr %16, align 4, !tbaa !5
  %136 = icmp sge i32 %135, 0
  br i1 %136, label %137, label %144

137:                                              ; preds = %78
  %138 = load i32, ptr %10, align 4, !tbaa !5
  %139 = mul i32 %138, 31
  %140 = load i32, ptr %14, align 2
  %141 = load i32, ptr %15, align 2
  %142 = call i32 @steps_back(ptr noundef %7, i32 %140, i32 %141)
  %143 = add i32 %139, %142
  store i32 %143, ptr %10, align 4, !tbaa !5
  br label %144

144:                                              ; preds = %137, %78
  call void @llvm.lifetime.end.p0(i64 4, ptr %16) #9
  call void @llvm.lifetime.end.p0(i64 4, ptr %15) #9
  call void @llvm.lifetime.end.p0(i64 4, ptr %14) #9
  br label %145

145:                                              ; preds = %144
  %146 = load i32, ptr %11, align 4, !tbaa !5
  %147 = add nsw i32 %146, 1
  store i32 %147, ptr %11, align 4, !tbaa !5
  br label %43, !llvm.loop !26

148:                                              ; preds = %47
  %149 = load i32, ptr %10, align 4, !tbaa !5
  %150 = call i32 (ptr, ...) @printf(ptr noundef @.str, i32 noundef %149)
  store i32 0, ptr %3, align 4
  store i32 1, ptr %12, align 4
  call void @llvm.lifetime.end.p0(i64 4, ptr %10) #9
  call void @llvm.lifetime.end.p0(i64 4, ptr %9) #9
  call void @llvm.lifetime.end.p0(i64 8, ptr %8) #9
  call void @llvm.lifetime.end.p0(i64 32, ptr %7) #9
  call void @llvm.lifetime.end.p0(i64 4, ptr %6) #9
  %151 = load i32, ptr %3, align 4
  ret i32 %151
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

; Function Attrs: nocallback nofree nounwind willreturn memory(argmem: readwrite)
declare void @llvm.memcpy.p0.p0.i64(ptr noalias nocapture writeonly, ptr noalias nocapture readonly, i64, i1 immarg) #3

; Function Attrs: nounwind allocsize(0)
declare noalias ptr @malloc(i64 noundef) #4

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.end.p0(i64 immarg, ptr nocapture) #1

; Function Attrs: nounwind uwtable
define internal i32 @search(ptr noundef %0, i32 %1, i32 %2) #0 {
  %4 = alloca %struct.point, align 2
  %5 = alloca %struct.point, align 2
  %6 = alloca ptr, align 8
  %7 = alloca %struct.heap, align 8
  %8 = alloca i32, align 4
  %9 = alloca i32, align 4
  %10 = alloca %struct.record, align 4
  %11 = alloca %struct.record, align 4
  %12 = alloca i32, align 4
  %13 = alloca i32, align 4
  %14 = alloca i32, align 4
  %15 = alloca i32, align 4
  %16 = alloca i32, align 4
  %17 = alloca i32, align 4
  %18 = alloca %struct.record, align 4
  store i32 %1, ptr %4, align 2
  store i32 %2, ptr %5, align 2
  store ptr %0, ptr %6, align 8, !tbaa !9
  call void @llvm.lifetime.start.p0(i64 16, ptr %7) #9
  call void @llvm.memset.p0.i64(ptr align 8 %7, i8 0, i64 16, i1 false)
  call void @llvm.lifetime.start.p0(i64 4, ptr %8) #9
  store i32 -1, ptr %8, align 4, !tbaa !5
  call void @llvm.lifetime.start.p0(i64 4, ptr %9) #9
  store i32 0, ptr %9, align 4, !tbaa !5
  br label %19

19:                                               ; preds = %43, %3
  %20 = load i32, ptr %9, align 4, !tbaa !5
  %21 = load ptr, ptr %6, align 8, !tbaa !9
  %22 = getelementptr inbounds %struct.grid, ptr %21, i32 0, i32 0
  %23 = load i32, ptr %22, align 8, !tbaa !11
  %24 = load ptr, ptr %6, align 8, !tbaa !9
  %25 = getelementptr inbounds %struct.grid, ptr %24, i32 0, i32 1
  %26 = load i32, ptr %25, align 4, !tbaa !13
  %27 = mul nsw i32 %23, %26
  %28 = icmp slt i32 %20, %27
  br i1 %28, label %30, label %29

29:                                               ; preds = %19
  call void @llvm.lifetime.end.p0(i64 4, ptr %9) #9
  br label %46

30:                                               ; preds = %19
  %31 = load ptr, ptr %6, align 8, !tbaa !9
  %32 = getelementptr inbounds %struct.grid, ptr %31, i32 0, i32 3
  %33 = load ptr, ptr %32, align 8, !tbaa !17
  %34 = load i32, ptr %9, align 4, !tbaa !5
  %35 = sext i32 %34 to i64
  %36 = getelementptr inbounds i32, ptr %33, i64 %35
  store i32 1073741824, ptr %36, align 4, !tbaa !5
  %37 = load ptr, ptr %6, align 8, !tbaa !9
  %38 = getelementptr inbounds %struct.grid, ptr %37, i32 0, i32 4
  %39 = load ptr, ptr %38, align 8, !tbaa !18
  %40 = load i32, ptr %9, align 4, !tbaa !5
  %41 = sext i32 %40 to i64
  %42 = getelementptr inbounds i8, ptr %39, i64 %41
  store i8 -1, ptr %42, align 1, !tbaa !19
  br label %43

43:                                               ; preds = %30
  %44 = load i32, ptr %9, align 4, !tbaa !5
  %45 = add nsw i32 %44, 1
  store i32 %45, ptr %9, align 4, !tbaa !5
  br label %19, !llvm.loop !27

46:                                               ; preds = %29
  %47 = load ptr, ptr %6, align 8, !tbaa !9
  %48 = getelementptr inbounds %struct.grid, ptr %47, i32 0, i32 3
  %49 = load ptr, ptr %48, align 8, !tbaa !17
  %50 = getelementptr inbounds %struct.point, ptr %4, i32 0, i32 1
  %51 = load i16, ptr %50, align 2, !tbaa !25
  %52 = sext i16 %51 to i32
  %53 = load ptr, ptr %6, align 8, !tbaa !9
  %54 = getelementptr inbounds %struct.grid, ptr %53, i32 0, i32 0
  %55 = load i32, ptr %54, align 8, !tbaa !11
  %56 = mul nsw i32 %52, %55
  %57 = getelementptr inbounds %struct.point, ptr %4, i32 0, i32 0
  %58 = load i16, ptr %57, align 2, !tbaa !22
  %59 = sext i16 %58 to i32
  %60 = add nsw i32 %56, %59
  %61 = sext i32 %60 to i64
  %62 = getelementptr inbounds i32, ptr %49, i64 %61
  store i32 0, ptr %62, align 4, !tbaa !5
  %63 = getelementptr inbounds %struct.record, ptr %10, i32 0, i32 0
  store i32 0, ptr %63, align 4, !tbaa !28
  %64 = getelementptr inbounds %struct.record, ptr %10, i32 0, i32 1
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %64, ptr align 2 %4, i64 4, i1 false), !tbaa.struct !30
  %65 = load i64, ptr %10, align 4
  call void @push(ptr noundef %7, i64 %65)
  br label %66

66:                                               ; preds = %234, %232, %46
  %67 = getelementptr inbounds %struct.heap, ptr %7, i32 0, i32 1
  %68 = load i32, ptr %67, align 8, !tbaa !32
  %69 = icmp sgt i32 %68, 0
  br i1 %69, label %70, label %235

70:                                               ; preds = %66
  call void @llvm.lifetime.start.p0(i64 8, ptr %11) #9
  %71 = call i64 @pop(ptr noundef %7)
  store i64 %71, ptr %11, align 4
  %72 = getelementptr inbounds %struct.record, ptr %11, i32 0, i32 0
  %73 = load i32, ptr %72, align 4, !tbaa !28
  %74 = load ptr, ptr %6, align 8, !tbaa !9
  %75 = getelementptr inbounds %struct.grid, ptr %74, i32 0, i32 3
  %76 = load ptr, ptr %75, align 8, !tbaa !17
  %77 = getelementptr inbounds %struct.record, ptr %11, i32 0, i32 1
  %78 = getelementptr inbounds %struct.point, ptr %77, i32 0, i32 1
  %79 = load i16, ptr %78, align 2, !tbaa !34
  %80 = sext i16 %79 to i32
  %81 = load ptr, ptr %6, align 8, !tbaa !9
  %82 = getelementptr inbounds %struct.grid, ptr %81, i32 0, i32 0
  %83 = load i32, ptr %82, align 8, !tbaa !11
  %84 = mul nsw i32 %80, %83
  %85 = getelementptr inbounds %struct.record, ptr %11, i32 0, i32 1
  %86 = getelementptr inbounds %struct.point, ptr %85, i32 0, i32 0
  %87 = load i16, ptr %86, align 4, !tbaa !35
  %88 = sext i16 %87 to i32
  %89 = add nsw i32 %84, %88
  %90 = sext i32 %89 to i64
  %91 = getelementptr inbounds i32, ptr %76, i64 %90
  %92 = load i32, ptr %91, align 4, !tbaa !5
  %93 = icmp sgt i32 %73, %92
  br i1 %93, label %94, label %95

94:                                               ; preds = %70
  store i32 5, ptr %12, align 4
  br label %232, !llvm.loop !36

95:                                               ; preds = %70
  %96 = getelementptr inbounds %struct.record, ptr %11, i32 0, i32 1
  %97 = getelementptr inbounds %struct.point, ptr %96, i32 0, i32 0
  %98 = load i16, ptr %97, align 4, !tbaa !35
  %99 = sext i16 %98 to i32
  %100 = getelementptr inbounds %struct.point, ptr %5, i32 0, i32 0
  %101 = load i16, ptr %100, align 2, !tbaa !22
  %102 = sext i16 %101 to i32
  %103 = icmp eq i32 %99, %102
  br i1 %103, label %104, label %116

104:                                              ; preds = %95
  %105 = getelementptr inbounds %struct.record, ptr %11, i32 0, i32 1
  %106 = getelementptr inbounds %struct.point, ptr %105, i32 0, i32 1
  %107 = load i16, ptr %106, align 2, !tbaa !34
  %108 = sext i16 %107 to i32
  %109 = getelementptr inbounds %struct.point, ptr %5, i32 0, i32 1
  %110 = load i16, ptr %109, align 2, !tbaa !25
  %111 = sext i16 %110 to i32
  %112 = icmp eq i32 %108, %111
  br i1 %112, label %113, label %116

113:                                              ; preds = %104
  %114 = getelementptr inbounds %struct.record, ptr %11, i32 0, i32 0
  %115 = load i32, ptr %114, align 4, !tbaa !28
  store i32 %115, ptr %8, align 4, !tbaa !5
  store i32 6, ptr %12, align 4
  br label %232

116:                                              ; preds = %104, %95
  call void @llvm.lifetime.start.p0(i64 4, ptr %13) #9
  store i32 0, ptr %13, align 4, !tbaa !5
  br label %117

117:                                              ; preds = %228, %116
  %118 = load i32, ptr %13, align 4, !tbaa !5
  %119 = icmp slt i32 %118, 4
  br i1 %119, label %121, label %120

120:                                              ; preds = %117
  store i32 7, ptr %12, align 4
  call void @llvm.lifetime.end.p0(i64 4, ptr %13) #9
  br label %231

121:                                              ; preds = %117
  call void @llvm.lifetime.start.p0(i64 4, ptr %14) #9
  %122 = getelementptr inbounds %struct.record, ptr %11, i32 0, i32 1
  %123 = getelementptr inbounds %struct.point, ptr %122, i32 0, i32 0
  %124 = load i16, ptr %123, align 4, !tbaa !35
  %125 = sext i16 %124 to i32
  %126 = load i32, ptr %13, align 4, !tbaa !5
  %127 = sext i32 %126 to i64
  %128 = getelementptr inbounds [4 x i32], ptr @dx, i64 0, i64 %127
  %129 = load i32, ptr %128, align 4, !tbaa !5
  %130 = add nsw i32 %125, %129
  store i32 %130, ptr %14, align 4, !tbaa !5
  call void @llvm.lifetime.start.p0(i64 4, ptr %15) #9
  %131 = getelementptr inbounds %struct.record, ptr %11, i32 0, i32 1
  %132 = getelementptr inbounds %struct.point, ptr %131, i32 0, i32 1
  %133 = load i16, ptr %132, align 2, !tbaa !34
  %134 = sext i16 %133 to i32
  %135 = load i32, ptr %13, align 4, !tbaa !5
  %136 = sext i32 %135 to i64
  %137 = getelementptr inbounds [4 x i32], ptr @dy, i64 0, i64 %136
  %138 = load i32, ptr %137, align 4, !tbaa !5
  %139 = add nsw i32 %134, %138
  store i32 %139, ptr %15, align 4, !tbaa !5
  %140 = load i32, ptr %14, align 4, !tbaa !5
  %141 = icmp slt i32 %140, 0
  br i1 %141, label %157, label %142

142:                                              ; preds = %121
  %143 = load i32, ptr %15, align 4, !tbaa !5
  %144 = icmp slt i32 %143, 0
  br i1 %144, label %157, label %145

145:                                              ; preds = %142
  %146 = load i32, ptr %14, align 4, !tbaa !5
  %147 = load ptr, ptr %6, align 8, !tbaa !9
  %148 = getelementptr inbounds %struct.grid, ptr %147, i32 0, i32 0
  %149 = load i32, ptr %148, align 8, !tbaa !11
  %150 = icmp sge i32 %146, %149
  br i1 %150, label %157, label %151

151:                                              ; preds = %145
  %152 = load i32, ptr %15, align 4, !tbaa !5
  %153 = load ptr, ptr %6, align 8, !tbaa !9
  %154 = getelementptr inbounds %struct.grid, ptr %153, i32 0, i32 1
  %155 = load i32, ptr %154, align 4, !tbaa !13
  %156 = icmp sge i32 %152, %155
  br i1 %156, label %157, label %158

157:                                              ; preds = %151, %145, %142, %121
  store i32 9, ptr %12, align 4
  br label %225

158:                                              ; preds = %151
  call void @llvm.lifetime.start.p0(i64 4, ptr %16) #9
  %159 = load i32, ptr %15, align 4, !tbaa !5
  %160 = load ptr, ptr %6, align 8, !tbaa !9
  %161 = getelementptr inbounds %struct.grid, ptr %160, i32 0, i32 0
  %162 = load i32, ptr %161, align 8, !tbaa !11
  %163 = mul nsw i32 %159, %162
  %164 = load i32, ptr %14, align 4, !tbaa !5
  %165 = add nsw i32 %163, %164
  store i32 %165, ptr %16, align 4, !tbaa !5
  %166 = load ptr, ptr %6, align 8, !tbaa !9
  %167 = getelementptr inbounds %struct.grid, ptr %166, i32 0, i32 2
  %168 = load ptr, ptr %167, align 8, !tbaa !16
  %169 = load i32, ptr %16, align 4, !tbaa !5
  %170 = sext i32 %169 to i64
  %171 = getelementptr inbounds i8, ptr %168, i64 %170
  %172 = load i8, ptr %171, align 1, !tbaa !19
  %173 = zext i8 %172 to i32
  %174 = icmp eq i32 %173, 0
  br i1 %174, label %175, label %176

175:                                              ; preds = %158
  store i32 9, ptr %12, align 4
  br label %224

176:                                              ; preds = %158
  call void @llvm.lifetime.start.p0(i64 4, ptr %17) #9
  %177 = getelementptr inbounds %struct.record, ptr %11, i32 0, i32 0
  %178 = load i32, ptr %177, align 4, !tbaa !28
  %179 = load ptr, ptr %6, align 8, !tbaa !9
  %180 = getelementptr inbounds %struct.grid, ptr %179, i32 0, i32 2
  %181 = load ptr, ptr %180, align 8, !tbaa !16
  %182 = load i32, ptr %16, align 4, !tbaa !5
  %183 = sext i32 %182 to i64
  %184 = getelementptr inbounds i8, ptr %181, i64 %183
  %185 = load i8, ptr %184, align 1, !tbaa !19
  %186 = zext i8 %185 to i32
  %187 = add nsw i32 %178, %186
  store i32 %187, ptr %17, align 4, !tbaa !5
  %188 = load i32, ptr %17, align 4, !tbaa !5
  %189 = load ptr, ptr %6, align 8, !tbaa !9
  %190 = getelementptr inbounds %struct.grid, ptr %189, i32 0, i32 3
  %191 = load ptr, ptr %190, align 8, !tbaa !17
  %192 = load i32, ptr %16, align 4, !tbaa !5
  %193 = sext i32 %192 to i64
  %194 = getelementptr inbounds i32, ptr %191, i64 %193
  %195 = load i32, ptr %194, align 4, !tbaa !5
  %196 = icmp slt i32 %188, %195
  br i1 %196, label %197, label %223

197:                                              ; preds = %176
  %198 = load i32, ptr %17, align 4, !tbaa !5
  %199 = load ptr, ptr %6, align 8, !tbaa !9
  %200 = getelementptr inbounds %struct.grid, ptr %199, i32 0, i32 3
  %201 = load ptr, ptr %200, align 8, !tbaa !17
  %202 = load i32, ptr %16, align 4, !tbaa !5
  %203 = sext i32 %202 to i64
  %204 = getelementptr inbounds i32, ptr %201, i64 %203
  store i32 %198, ptr %204, align 4, !tbaa !5
  %205 = load i32, ptr %13, align 4, !tbaa !5
  %206 = trunc i32 %205 to i8
  %207 = load ptr, ptr %6, align 8, !tbaa !9
  %208 = getelementptr inbounds %struct.grid, ptr %207, i32 0, i32 4
  %209 = load ptr, ptr %208, align 8, !tbaa !18
  %210 = load i32, ptr %16, align 4, !tbaa !5
  %211 = sext i32 %210 to i64
  %212 = getelementptr inbounds i8, ptr %209, i64 %211
  store i8 %206, ptr %212, align 1, !tbaa !19
  %213 = getelementptr inbounds %struct.record, ptr %18, i32 0, i32 0
  %214 = load i32, ptr %17, align 4, !tbaa !5
  store i32 %214, ptr %213, align 4, !tbaa !28
  %215 = getelementptr inbounds %struct.record, ptr %18, i32 0, i32 1
  %216 = getelementptr inbounds %struct.point, ptr %215, i32 0, i32 0
  %217 = load i32, ptr %14, align 4, !tbaa !5
  %218 = trunc i32 %217 to i16
  store i16 %218, ptr %216, align 4, !tbaa !22
  %219 = getelementptr inbounds %struct.point, ptr %215, i32 0, i32 1
  %220 = load i32, ptr %15, align 4, !tbaa !5
  %221 = trunc i32 %220 to i16
  store i16 %221, ptr %219, align 2, !tbaa !25
  %222 = load i64, ptr %18, align 4
  call void @push(ptr noundef %7, i64 %222)
  br label %223

223:                                              ; preds = %197, %176
  call void @llvm.lifetime.end.p0(i64 4, ptr %17) #9
  store i32 0, ptr %12, align 4
  br label %224

224:                                              ; preds = %223, %175
  call void @llvm.lifetime.end.p0(i64 4, ptr %16) #9
  br label %225

225:                                              ; preds = %224, %157
  call void @llvm.lifetime.end.p0(i64 4, ptr %15) #9
  call void @llvm.lifetime.end.p0(i64 4, ptr %14) #9
  %226 = load i32, ptr %12, align 4
  switch i32 %226, label %239 [
    i32 0, label %227
    i32 9, label %228
  ]

227:                                              ; preds = %225
  br label %228

228:                                              ; preds = %227, %225
  %229 = load i32, ptr %13, align 4, !tbaa !5
  %230 = add nsw i32 %229, 1
  store i32 %230, ptr %13, align 4, !tbaa !5
  br label %117, !llvm.loop !37

231:                                              ; preds = %120
  store i32 0, ptr %12, align 4
  br label %232

232:                                              ; preds = %231, %113, %94
  call void @llvm.lifetime.end.p0(i64 8, ptr %11) #9
  %233 = load i32, ptr %12, align 4
  switch i32 %233, label %239 [
    i32 0, label %234
    i32 5, label %66
    i32 6, label %235
  ]

234:                                              ; preds = %232
  br label %66, !llvm.loop !36

235:                                              ; preds = %232, %66
  %236 = getelementptr inbounds %struct.heap, ptr %7, i32 0, i32 0
  %237 = load ptr, ptr %236, align 8, !tbaa !38
  call void @free(ptr noundef %237) #9
  %238 = load i32, ptr %8, align 4, !tbaa !5
  store i32 1, ptr %12, align 4
  call void @llvm.lifetime.end.p0(i64 4, ptr %8) #9
  call void @llvm.lifetime.end.p0(i64 16, ptr %7) #9
  ret i32 %238

239:                                              ; preds = %232, %225
  unreachable
}

; Function Attrs: nounwind uwtable
define internal i32 @steps_back(ptr noundef %0, i32 %1, i32 %2) #0 {
  %4 = alloca i32, align 4
  %5 = alloca %struct.point, align 2
  %6 = alloca %struct.point, align 2
  %7 = alloca ptr, align 8
  %8 = alloca i32, align 4
  %9 = alloca i32, align 4
  %10 = alloca i32, align 4
  store i32 %1, ptr %5, align 2
  store i32 %2, ptr %6, align 2
  store ptr %0, ptr %7, align 8, !tbaa !9
  call void @llvm.lifetime.start.p0(i64 4, ptr %8) #9
  store i32 0, ptr %8, align 4, !tbaa !5
  br label %11

11:                                               ; preds = %74, %3
  %12 = getelementptr inbounds %struct.point, ptr %6, i32 0, i32 0
  %13 = load i16, ptr %12, align 2, !tbaa !22
  %14 = sext i16 %13 to i32
  %15 = getelementptr inbounds %struct.point, ptr %5, i32 0, i32 0
  %16 = load i16, ptr %15, align 2, !tbaa !22
  %17 = sext i16 %16 to i32
  %18 = icmp ne i32 %14, %17
  br i1 %18, label %27, label %19

19:                                               ; preds = %11
  %20 = getelementptr inbounds %struct.point, ptr %6, i32 0, i32 1
  %21 = load i16, ptr %20, align 2, !tbaa !25
  %22 = sext i16 %21 to i32
  %23 = getelementptr inbounds %struct.point, ptr %5, i32 0, i32 1
  %24 = load i16, ptr %23, align 2, !tbaa !25
  %25 = sext i16 %24 to i32
  %26 = icmp ne i32 %22, %25
  br label %27

27:                                               ; preds = %19, %11
  %28 = phi i1 [ true, %11 ], [ %26, %19 ]
  br i1 %28, label %29, label %75

29:                                               ; preds = %27
  call void @llvm.lifetime.start.p0(i64 4, ptr %9) #9
  %30 = load ptr, ptr %7, align 8, !tbaa !9
  %31 = getelementptr inbounds %struct.grid, ptr %30, i32 0, i32 4
  %32 = load ptr, ptr %31, align 8, !tbaa !18
  %33 = getelementptr inbounds %struct.point, ptr %6, i32 0, i32 1
  %34 = load i16, ptr %33, align 2, !tbaa !25
  %35 = sext i16 %34 to i32
  %36 = load ptr, ptr %7, align 8, !tbaa !9
  %37 = getelementptr inbounds %struct.grid, ptr %36, i32 0, i32 0
  %38 = load i32, ptr %37, align 8, !tbaa !11
  %39 = mul nsw i32 %35, %38
  %40 = getelementptr inbounds %struct.point, ptr %6, i32 0, i32 0
  %41 = load i16, ptr %40, align 2, !tbaa !22
  %42 = sext i16 %41 to i32
  %43 = add nsw i32 %39, %42
  %44 = sext i32 %43 to i64
  %45 = getelementptr inbounds i8, ptr %32, i64 %44
  %46 = load i8, ptr %45, align 1, !tbaa !19
  %47 = sext i8 %46 to i32
  store i32 %47, ptr %9, align 4, !tbaa !5
  %48 = load i32, ptr %9, align 4, !tbaa !5
  %49 = icmp slt i32 %48, 0
  br i1 %49, label %50, label %51

50:                                               ; preds = %29
  store i32 -1, ptr %4, align 4
  store i32 1, ptr %10, align 4
  br label %72

51:                                               ; preds = %29
  %52 = load i32, ptr %9, align 4, !tbaa !5
  %53 = sext i32 %52 to i64
  %54 = getelementptr inbounds [4 x i32], ptr @dx, i64 0, i64 %53
  %55 = load i32, ptr %54, align 4, !tbaa !5
  %56 = getelementptr inbounds %struct.point, ptr %6, i32 0, i32 0
  %57 = load i16, ptr %56, align 2, !tbaa !22
  %58 = sext i16 %57 to i32
  %59 = sub nsw i32 %58, %55
  %60 = trunc i32 %59 to i16
  store i16 %60, ptr %56, align 2, !tbaa !22
  %61 = load i32, ptr %9, align 4, !tbaa !5
  %62 = sext i32 %61 to i64
  %63 = getelementptr inbounds [4 x i32], ptr @dy, i64 0, i64 %62
  %64 = load i32, ptr %63, align 4, !tbaa !5
  %65 = getelementptr inbounds %struct.point, ptr %6, i32 0, i32 1
  %66 = load i16, ptr %65, align 2, !tbaa !25
  %67 = sext i16 %66 to i32
  %68 = sub nsw i32 %67, %64
  %69 = trunc i32 %68 to i16
  store i16 %69, ptr %65, align 2, !tbaa !25
  %70 = load i32, ptr %8, align 4, !tbaa !5
  %71 = add nsw i32 %70, 1
  store i32 %71, ptr %8, align 4, !tbaa !5
  store i32 0, ptr %10, align 4
  br label %72

72:                                               ; preds = %51, %50
  call void @llvm.lifetime.end.p0(i64 4, ptr %9) #9
  %73 = load i32, ptr %10, align 4
  switch i32 %73, label %77 [
    i32 0, label %74
  ]

74:                                               ; preds = %72
  br label %11, !llvm.loop !39

75:                                               ; preds = %27
  %76 = load i32, ptr %8, align 4, !tbaa !5
  store i32 %76, ptr %4, align 4
  store i32 1, ptr %10, align 4
  br label %77

77:                                               ; preds = %75, %72
  call void @llvm.lifetime.end.p0(i64 4, ptr %8) #9
  %78 = load i32, ptr %4, align 4
  ret i32 %78
}

declare i32 @printf(ptr noundef, ...) #5

; Function Attrs: nounwind
declare i64 @strtol(ptr noundef, ptr noundef, i32 noundef) #6

; Function Attrs: nocallback nofree nounwind willreturn memory(argmem: write)
declare void @llvm.memset.p0.i64(ptr nocapture writeonly, i8, i64, i1 immarg) #7

; Function Attrs: nounwind uwtable
define internal void @push(ptr noundef %0, i64 %1) #0 {
  %3 = alloca %struct.record, align 4
  %4 = alloca ptr, align 8
  %5 = alloca i32, align 4
  %6 = alloca i32, align 4
  %7 = alloca i32, align 4
  store i64 %1, ptr %3, align 4
  store ptr %0, ptr %4, align 8, !tbaa !9
  %8 = load ptr, ptr %4, align 8, !tbaa !9
  %9 = getelementptr inbounds %struct.heap, ptr %8, i32 0, i32 1
  %10 = load i32, ptr %9, align 8, !tbaa !32
  %11 = load ptr, ptr %4, align 8, !tbaa !9
  %12 = getelementptr inbounds %struct.heap, ptr %11, i32 0, i32 2
  %13 = load i32, ptr %12, align 4, !tbaa !40
  %14 = icmp eq i32 %10, %13
  br i1 %14, label %15, label %41

15:                                               ; preds = %2
  %16 = load ptr, ptr %4, align 8, !tbaa !9
  %17 = getelementptr inbounds %struct.heap, ptr %16, i32 0, i32 2
  %18 = load i32, ptr %17, align 4, !tbaa !40
  %19 = icmp ne i32 %18, 0
  br i1 %19, label %20, label %25

20:                                               ; preds = %15
  %21 = load ptr, ptr %4, align 8, !tbaa !9
  %22 = getelementptr inbounds %struct.heap, ptr %21, i32 0, i32 2
  %23 = load i32, ptr %22, align 4, !tbaa !40
  %24 = mul nsw i32 %23, 2
  br label %26

25:                                               ; preds = %15
  br label %26

26:                                               ; preds = %25, %20
  %27 = phi i32 [ %24, %20 ], [ 16, %25 ]
  %28 = load ptr, ptr %4, align 8, !tbaa !9
  %29 = getelementptr inbounds %struct.heap, ptr %28, i32 0, i32 2
  store i32 %27, ptr %29, align 4, !tbaa !40
  %30 = load ptr, ptr %4, align 8, !tbaa !9
  %31 = getelementptr inbounds %struct.heap, ptr %30, i32 0, i32 0
  %32 = load ptr, ptr %31, align 8, !tbaa !38
  %33 = load ptr, ptr %4, align 8, !tbaa !9
  %34 = getelementptr inbounds %struct.heap, ptr %33, i32 0, i32 2
  %35 = load i32, ptr %34, align 4, !tbaa !40
  %36 = sext i32 %35 to i64
  %37 = mul i64 %36, 8
  %38 = call ptr @realloc(ptr noundef %32, i64 noundef %37) #12
  %39 = load ptr, ptr %4, align 8, !tbaa !9
  %40 = getelementptr inbounds %struct.heap, ptr %39, i32 0, i32 0
  store ptr %38, ptr %40, align 8, !tbaa !38
  br label %41

41:                                               ; preds = %26, %2
  call void @llvm.lifetime.start.p0(i64 4, ptr %5) #9
  %42 = load ptr, ptr %4, align 8, !tbaa !9
  %43 = getelementptr inbounds %struct.heap, ptr %42, i32 0, i32 1
  %44 = load i32, ptr %43, align 8, !tbaa !32
  %45 = add nsw i32 %44, 1
  store i32 %45, ptr %43, align 8, !tbaa !32
  store i32 %44, ptr %5, align 4, !tbaa !5
  br label %46

46:                                               ; preds = %81, %41
  %47 = load i32, ptr %5, align 4, !tbaa !5
  %48 = icmp sgt i32 %47, 0
  br i1 %48, label %49, label %82

49:                                               ; preds = %46
  call void @llvm.lifetime.start.p0(i64 4, ptr %6) #9
  %50 = load i32, ptr %5, align 4, !tbaa !5
  %51 = sub nsw i32 %50, 1
  %52 = sdiv i32 %51, 2
  store i32 %52, ptr %6, align 4, !tbaa !5
  %53 = load ptr, ptr %4, align 8, !tbaa !9
  %54 = getelementptr inbounds %struct.heap, ptr %53, i32 0, i32 0
  %55 = load ptr, ptr %54, align 8, !tbaa !38
  %56 = load i32, ptr %6, align 4, !tbaa !5
  %57 = sext i32 %56 to i64
  %58 = getelementptr inbounds %struct.record, ptr %55, i64 %57
  %59 = getelementptr inbounds %struct.record, ptr %58, i32 0, i32 0
  %60 = load i32, ptr %59, align 4, !tbaa !28
  %61 = getelementptr inbounds %struct.record, ptr %3, i32 0, i32 0
  %62 = load i32, ptr %61, align 4, !tbaa !28
  %63 = icmp sle i32 %60, %62
  br i1 %63, label %64, label %65

64:                                               ; preds = %49
  store i32 3, ptr %7, align 4
  br label %79

65:                                               ; preds = %49
  %66 = load ptr, ptr %4, align 8, !tbaa !9
  %67 = getelementptr inbounds %struct.heap, ptr %66, i32 0, i32 0
  %68 = load ptr, ptr %67, align 8, !tbaa !38
  %69 = load i32, ptr %5, align 4, !tbaa !5
  %70 = sext i32 %69 to i64
  %71 = getelementptr inbounds %struct.record, ptr %68, i64 %70
  %72 = load ptr, ptr %4, align 8, !tbaa !9
  %73 = getelementptr inbounds %struct.heap, ptr %72, i32 0, i32 0
  %74 = load ptr, ptr %73, align 8, !tbaa !38
  %75 = load i32, ptr %6, align 4, !tbaa !5
  %76 = sext i32 %75 to i64
  %77 = getelementptr inbounds %struct.record, ptr %74, i64 %76
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %71, ptr align 4 %77, i64 8, i1 false), !tbaa.struct !41
  %78 = load i32, ptr %6, align 4, !tbaa !5
  store i32 %78, ptr %5, align 4, !tbaa !5
  store i32 0, ptr %7, align 4
  br label %79

79:                                               ; preds = %65, %64
  call void @llvm.lifetime.end.p0(i64 4, ptr %6) #9
  %80 = load i32, ptr %7, align 4
  switch i32 %80, label %89 [
    i32 0, label %81
    i32 3, label %82
  ]

81:                                               ; preds = %79
  br label %46, !llvm.loop !42

82:                                               ; preds = %79, %46
  %83 = load ptr, ptr %4, align 8, !tbaa !9
  %84 = getelementptr inbounds %struct.heap, ptr %83, i32 0, i32 0
  %85 = load ptr, ptr %84, align 8, !tbaa !38
  %86 = load i32, ptr %5, align 4, !tbaa !5
  %87 = sext i32 %86 to i64
  %88 = getelementptr inbounds %struct.record, ptr %85, i64 %87
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %88, ptr align 4 %3, i64 8, i1 false), !tbaa.struct !41
  call void @llvm.lifetime.end.p0(i64 4, ptr %5) #9
  ret void

89:                                               ; preds = %79
  unreachable
}

; Function Attrs: nounwind uwtable
define internal i64 @pop(ptr noundef %0) #0 {
  %2 = alloca %struct.record, align 4
  %3 = alloca ptr, align 8
  %4 = alloca %struct.record, align 4
  %5 = alloca i32, align 4
  %6 = alloca i32, align 4
  %7 = alloca i32, align 4
  store ptr %0, ptr %3, align 8, !tbaa !9
  %8 = load ptr, ptr %3, align 8, !tbaa !9
  %9 = getelementptr inbounds %struct.heap, ptr %8, i32 0, i32 0
  %10 = load ptr, ptr %9, align 8, !tbaa !38
  %11 = getelementptr inbounds %struct.record, ptr %10, i64 0
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %2, ptr align 4 %11, i64 8, i1 false), !tbaa.struct !41
  call void @llvm.lifetime.start.p0(i64 8, ptr %4) #9
  %12 = load ptr, ptr %3, align 8, !tbaa !9
  %13 = getelementptr inbounds %struct.heap, ptr %12, i32 0, i32 0
  %14 = load ptr, ptr %13, align 8, !tbaa !38
  %15 = load ptr, ptr %3, align 8, !tbaa !9
  %16 = getelementptr inbounds %struct.heap, ptr %15, i32 0, i32 1
  %17 = load i32, ptr %16, align 8, !tbaa !32
  %18 = add nsw i32 %17, -1
  store i32 %18, ptr %16, align 8, !tbaa !32
  %19 = sext i32 %18 to i64
  %20 = getelementptr inbounds %struct.record, ptr %14, i64 %19
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %4, ptr align 4 %20, i64 8, i1 false), !tbaa.struct !41
  call void @llvm.lifetime.start.p0(i64 4, ptr %5) #9
  store i32 0, ptr %5, align 4, !tbaa !5
  br label %21

21:                                               ; preds = %89, %1
  call void @llvm.lifetime.start.p0(i64 4, ptr %6) #9
  %22 = load i32, ptr %5, align 4, !tbaa !5
  %23 = mul nsw i32 2, %22
  %24 = add nsw i32 %23, 1
  store i32 %24, ptr %6, align 4, !tbaa !5
  %25 = load i32, ptr %6, align 4, !tbaa !5
  %26 = load ptr, ptr %3, align 8, !tbaa !9
  %27 = getelementptr inbounds %struct.heap, ptr %26, i32 0, i32 1
  %28 = load i32, ptr %27, align 8, !tbaa !32
  %29 = icmp sge i32 %25, %28
  br i1 %29, label %30, label %31

30:                                               ; preds = %21
  store i32 2, ptr %7, align 4
  br label %87

31:                                               ; preds = %21
  %32 = load i32, ptr %6, align 4, !tbaa !5
  %33 = add nsw i32 %32, 1
  %34 = load ptr, ptr %3, align 8, !tbaa !9
  %35 = getelementptr inbounds %struct.heap, ptr %34, i32 0, i32 1
  %36 = load i32, ptr %35, align 8, !tbaa !32
  %37 = icmp slt i32 %33, %36
  br i1 %37, label %38, label %60

38:                                               ; preds = %31
  %39 = load ptr, ptr %3, align 8, !tbaa !9
  %40 = getelementptr inbounds %struct.heap, ptr %39, i32 0, i32 0
  %41 = load ptr, ptr %40, align 8, !tbaa !38
  %42 = load i32, ptr %6, align 4, !tbaa !5
  %43 = add nsw i32 %42, 1
  %44 = sext i32 %43 to i64
  %45 = getelementptr inbounds %struct.record, ptr %41, i64 %44
  %46 = getelementptr inbounds %struct.record, ptr %45, i32 0, i32 0
  %47 = load i32, ptr %46, align 4, !tbaa !28
  %48 = load ptr, ptr %3, align 8, !tbaa !9
  %49 = getelementptr inbounds %struct.heap, ptr %48, i32 0, i32 0
  %50 = load ptr, ptr %49, align 8, !tbaa !38
  %51 = load i32, ptr %6, align 4, !tbaa !5
  %52 = sext i32 %51 to i64
  %53 = getelementptr inbounds %struct.record, ptr %50, i64 %52
  %54 = getelementptr inbounds %struct.record, ptr %53, i32 0, i32 0
  %55 = load i32, ptr %54, align 4, !tbaa !28
  %56 = icmp slt i32 %47, %55
  br i1 %56, label %57, label %60

57:                                               ; preds = %38
  %58 = load i32, ptr %6, align 4, !tbaa !5
  %59 = add nsw i32 %58, 1
  store i32 %59, ptr %6, align 4, !tbaa !5
  br label %60

60:                                               ; preds = %57, %38, %31
  %61 = getelementptr inbounds %struct.record, ptr %4, i32 0, i32 0
  %62 = load i32, ptr %61, align 4, !tbaa !28
  %63 = load ptr, ptr %3, align 8, !tbaa !9
  %64 = getelementptr inbounds %struct.heap, ptr %63, i32 0, i32 0
  %65 = load ptr, ptr %64, align 8, !tbaa !38
  %66 = load i32, ptr %6, align 4, !tbaa !5
  %67 = sext i32 %66 to i64
  %68 = getelementptr inbounds %struct.record, ptr %65, i64 %67
  %69 = getelementptr inbounds %struct.record, ptr %68, i32 0, i32 0
  %70 = load i32, ptr %69, align 4, !tbaa !28
  %71 = icmp sle i32 %62, %70
  br i1 %71, label %72, label %73

72:                                               ; preds = %60
  store i32 2, ptr %7, align 4
  br label %87

73:                                               ; preds = %60
  %74 = load ptr, ptr %3, align 8, !tbaa !9
  %75 = getelementptr inbounds %struct.heap, ptr %74, i32 0, i32 0
  %76 = load ptr, ptr %75, align 8, !tbaa !38
  %77 = load i32, ptr %5, align 4, !tbaa !5
  %78 = sext i32 %77 to i64
  %79 = getelementptr inbounds %struct.record, ptr %76, i64 %78
  %80 = load ptr, ptr %3, align 8, !tbaa !9
  %81 = getelementptr inbounds %struct.heap, ptr %80, i32 0, i32 0
  %82 = load ptr, ptr %81, align 8, !tbaa !38
  %83 = load i32, ptr %6, align 4, !tbaa !5
  %84 = sext i32 %83 to i64
  %85 = getelementptr inbounds %struct.record, ptr %82, i64 %84
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %79, ptr align 4 %85, i64 8, i1 false), !tbaa.struct !41
  %86 = load i32, ptr %6, align 4, !tbaa !5
  store i32 %86, ptr %5, align 4, !tbaa !5
  store i32 0, ptr %7, align 4
  br label %87

87:                                               ; preds = %73, %72, %30
  call void @llvm.lifetime.end.p0(i64 4, ptr %6) #9
  %88 = load i32, ptr %7, align 4
  switch i32 %88, label %98 [
    i32 0, label %89
    i32 2, label %90
  ]

89:                                               ; preds = %87
  br label %21

90:                                               ; preds = %87
  %91 = load ptr, ptr %3, align 8, !tbaa !9
  %92 = getelementptr inbounds %struct.heap, ptr %91, i32 0, i32 0
  %93 = load ptr, ptr %92, align 8, !tbaa !38
  %94 = load i32, ptr %5, align 4, !tbaa !5
  %95 = sext i32 %94 to i64
  %96 = getelementptr inbounds %struct.record, ptr %93, i64 %95
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %96, ptr align 4 %4, i64 8, i1 false), !tbaa.struct !41
  store i32 1, ptr %7, align 4
  call void @llvm.lifetime.end.p0(i64 4, ptr %5) #9
  call void @llvm.lifetime.end.p0(i64 8, ptr %4) #9
  %97 = load i64, ptr %2, align 4
  ret i64 %97

98:                                               ; preds = %87
  unreachable
}

; Function Attrs: nounwind
declare void @free(ptr noundef) #6

; Function Attrs: nounwind allocsize(1)
declare ptr @realloc(ptr noundef, i64 noundef) #8

attributes #0 = { nounwind uwtable "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #1 = { nocallback nofree nosync nounwind willreturn memory(argmem: readwrite) }
attributes #2 = { inlinehint nounwind willreturn memory(read) uwtable "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #3 = { nocallback nofree nounwind willreturn memory(argmem: readwrite) }
attributes #4 = { nounwind allocsize(0) "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #5 = { "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #6 = { nounwind "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #7 = { nocallback nofree nounwind willreturn memory(argmem: write) }
attributes #8 = { nounwind allocsize(1) "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #9 = { nounwind }
attributes #10 = { nounwind willreturn memory(read) }
attributes #11 = { nounwind allocsize(0) }
attributes #12 = { nounwind allocsize(1) }

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
!11 = !{!12, !6, i64 0}
!12 = !{!"grid", !6, i64 0, !6, i64 4, !10, i64 8, !10, i64 16, !10, i64 24}
!13 = !{!12, !6, i64 4}
!14 = !{!15, !15, i64 0}
!15 = !{!"long", !7, i64 0}
!16 = !{!12, !10, i64 8}
!17 = !{!12, !10, i64 16}
!18 = !{!12, !10, i64 24}
!19 = !{!7, !7, i64 0}
!20 = distinct !{!20, !21}
!21 = !{!"llvm.loop.mustprogress"}
!22 = !{!23, !24, i64 0}
!23 = !{!"point", !24, i64 0, !24, i64 2}
!24 = !{!"short", !7, i64 0}
!25 = !{!23, !24, i64 2}
!26 = distinct !{!26, !21}
!27 = distinct !{!27, !21}
!28 = !{!29, !6, i64 0}
!29 = !{!"record", !6, i64 0, !23, i64 4}
!30 = !{i64 0, i64 2, !31, i64 2, i64 2, !31}
!31 = !{!24, !24, i64 0}
!32 = !{!33, !6, i64 8}
!33 = !{!"heap", !10, i64 0, !6, i64 8, !6, i64 12}
!34 = !{!29, !24, i64 6}
!35 = !{!29, !24, i64 4}
!36 = distinct !{!36, !21}
!37 = distinct !{!37, !21}
!38 = !{!33, !10, i64 0}
!39 = distinct !{!39, !21}
!40 = !{!33, !6, i64 12}
!41 = !{i64 0, i64 4, !5, i64 4, i64 2, !31, i64 6, i64 2, !31}
!42 = distinct !{!42, !21}

; ModuleID = 'fannkuch.c'
source_filename = "fannkuch.c"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

@.str = private unnamed_addr constant [7 x i8] c"%d %d\0A\00", align 1

; Function Attrs: nounwind uwtable
define dso_local i32 @main(i32 noundef %0, ptr noundef %1) #0 {
  %3 = alloca i32, align 4
  %4 = alloca i32, align 4
  %5 = alloca ptr, align 8
  %6 = alloca i32, align 4
  %7 = alloca [16 x i32], align 16
  %8 = alloca [16 x i32], align 16
  %9 = alloca [16 x i32], align 16
  %10 = alloca i32, align 4
  %11 = alloca i32, align 4
  %12 = alloca i32, align 4
  %13 = alloca i32, align 4
  %14 = alloca i32, align 4
  %15 = alloca i32, align 4
  %16 = alloca i32, align 4
  %17 = alloca i32, align 4
  %18 = alloca i32, align 4
  %19 = alloca i32, align 4
  %20 = alloca i32, align 4
  %21 = alloca i32, align 4
  %22 = alloca i32, align 4
  %23 = alloca i32, align 4
  store i32 0, ptr %3, align 4
  store i32 %0, ptr %4, align 4, !tbaa !5
  store ptr %1, ptr %5, align 8, !tbaa !9
  call void @llvm.lifetime.start.p0(i64 4, ptr %6) #5
  %24 = load i32, ptr %4, align 4, !tbaa !5
  %25 = icmp sgt i32 %24, 1
  br i1 %25, label %26, label %31

26:                                               ; preds = %2
  %27 = load ptr, ptr %5, align 8, !tbaa !9
  %28 = getelementptr inbounds ptr, ptr %27, i64 1
  %29 = load ptr, ptr %28, align 8, !tbaa !9
  %30 = call i32 @atoi(ptr noundef %29) #6
  br label %32

31:                                               ; preds = %2
  br label %32

32:                                               ; preds = %31, %26
  %33 = phi i32 [ %30, %26 ], [ 7, %31 ]
  store i32 %33, ptr %6, align 4, !tbaa !5
  call void @llvm.lifetime.start.p0(i64 64, ptr %7) #5
  call void @llvm.lifetime.start.p0(i64 64, ptr %8) #5
  call void @llvm.lifetime.start.p0(i64 64, ptr %9) #5
  call void @llvm.lifetime.start.p0(i64 4, ptr %10) #5
  store i32 0, ptr %10, align 4, !tbaa !5
  call void @llvm.lifetime.start.p0(i64 4, ptr %11) #5
  store i32 0, ptr %11, align 4, !tbaa !5
  call void @llvm.lifetime.start.p0(i64 4, ptr %12) #5
  store i32 1, ptr %12, align 4, !tbaa !5
  call void @llvm.lifetime.start.p0(i64 4, ptr %13) #5
  %34 = load i32, ptr %6, align 4, !tbaa !5
  store i32 %34, ptr %13, align 4, !tbaa !5
  call void @llvm.lifetime.start.p0(i64 4, ptr %14) #5
  store i32 0, ptr %14, align 4, !tbaa !5
  br label %35

35:                                               ; preds = %45, %32
  %36 = load i32, ptr %14, align 4, !tbaa !5
  %37 = load i32, ptr %6, align 4, !tbaa !5
  %38 = icmp slt i32 %36, %37
  br i1 %38, label %40, label %39

39:                                               ; preds = %35
  call void @llvm.lifetime.end.p0(i64 4, ptr %14) #5
  br label %48

40:                                               ; preds = %35
  %41 = load i32, ptr %14, align 4, !tbaa !5
  %42 = load i32, ptr %14, align 4, !tbaa !5
  %43 = sext i32 %42 to i64
  %44 = getelementptr inbounds [16 x i32], ptr %7, i64 0, i64 %43
  store i32 %41, ptr %44, align 4, !tbaa !5
  br label %45

45:                                               ; preds = %40
  %46 = load i32, ptr %14, align 4, !tbaa !5
  %47 = add nsw i32 %46, 1
  store i32 %47, ptr %14, align 4, !tbaa !5
  br label %35, !llvm.loop !11

48:                                               ; preds = %39
  br label %49

49:                                               ; preds = %178, %48
  br label %50

50:                                               ; preds = %59, %49
  %51 = load i32, ptr %13, align 4, !tbaa !5
  %52 = icmp sgt i32 %51, 1
  br i1 %52, label %53, label %62

53:                                               ; preds = %50
  %54 = load i32, ptr %13, align 4, !tbaa !5
  %55 = load i32, ptr %13, align 4, !tbaa !5
  %56 = sub nsw i32 %55, 1
  %57 = sext i32 %56 to i64
  %58 = getelementptr inbounds [16 x i32], ptr %9, i64 0, i64 %57
  store i32 %54, ptr %58, align 4, !tbaa !5
  br label %59

59:                                               ; preds = %53
  %60 = load i32, ptr %13, align 4, !tbaa !5
  %61 = add nsw i32 %60, -1
  store i32 %61, ptr %13, align 4, !tbaa !5
  br label %50, !llvm.loop !13

62:                                               ; preds = %50
  call void @llvm.lifetime.start.p0(i64 4, ptr %15) #5
  store i32 0, ptr %15, align 4, !tbaa !5
  br label %63

63:                                               ; preds = %76, %62
  %64 = load i32, ptr %15, align 4, !tbaa !5
  %65 = load i32, ptr %6, align 4, !tbaa !5
  %66 = icmp slt i32 %64, %65
  br i1 %66, label %68, label %67

67:                                               ; preds = %63
  call void @llvm.lifetime.end.p0(i64 4, ptr %15) #5
  br label %79

68:                                               ; preds = %63
  %69 = load i32, ptr %15, align 4, !tbaa !5
  %70 = sext i32 %69 to i64
  %71 = getelementptr inbounds [16 x i32], ptr %7, i64 0, i64 %70
  %72 = load i32, ptr %71, align 4, !tbaa !5
  %73 = load i32, ptr %15, align 4, !tbaa !5
  %74 = sext i32 %73 to i64
  %75 = getelementptr inbounds [16 x i32], ptr %8, i64 0, i64 %74
  store i32 %72, ptr %75, align 4, !tbaa !5
  br label %76

76:                                               ; preds = %68
  %77 = load i32, ptr %15, align 4, !tbaa !5
  %78 = add nsw i32 %77, 1
  store i32 %78, ptr %15, align 4, !tbaa !5
  br label %63, !llvm.loop !14

79:                                               ; preds = %67
  call void @llvm.lifetime.start.p0(i64 4, ptr %16) #5
  store i32 0, ptr %16, align 4, !tbaa !5
  call void @llvm.lifetime.start.p0(i64 4, ptr %17) #5
  br label %80

80:                                               ; preds = %112, %79
  %81 = getelementptr inbounds [16 x i32], ptr %8, i64 0, i64 0
  %82 = load i32, ptr %81, align 16, !tbaa !5
  store i32 %82, ptr %17, align 4, !tbaa !5
  %83 = icmp ne i32 %82, 0
  br i1 %83, label %84, label %115

84:                                               ; preds = %80
  call void @llvm.lifetime.start.p0(i64 4, ptr %18) #5
  store i32 0, ptr %18, align 4, !tbaa !5
  call void @llvm.lifetime.start.p0(i64 4, ptr %19) #5
  %85 = load i32, ptr %17, align 4, !tbaa !5
  store i32 %85, ptr %19, align 4, !tbaa !5
  br label %86

86:                                               ; preds = %107, %84
  %87 = load i32, ptr %18, align 4, !tbaa !5
  %88 = load i32, ptr %19, align 4, !tbaa !5
  %89 = icmp slt i32 %87, %88
  br i1 %89, label %91, label %90

90:                                               ; preds = %86
  call void @llvm.lifetime.end.p0(i64 4, ptr %19) #5
  call void @llvm.lifetime.end.p0(i64 4, ptr %18) #5
  br label %112

91:                                               ; preds = %86
  call void @llvm.lifetime.start.p0(i64 4, ptr %20) #5
  %92 = load i32, ptr %18, align 4, !tbaa !5
  %93 = sext i32 %92 to i64
  %94 = getelementptr inbounds [16 x i32], ptr %8, i64 0, i64 %93
  %95 = load i32, ptr %94, align 4, !tbaa !5
  store i32 %95, ptr %20, align 4, !tbaa !5
  %96 = load i32, ptr %19, align 4, !tbaa !5
  %97 = sext i32 %96 to i64
  %98 = getelementptr inbounds [16 x i32], ptr %8, i64 0, i64 %97
  %99 = load i32, ptr %98, align 4, !tbaa !5
  %100 = load i32, ptr %18, align 4, !tbaa !5
  %101 = sext i32 %100 to i64
  %102 = getelementptr inbounds [16 x i32], ptr %8, i64 0, i64 %101
  store i32 %99, ptr %102, align 4, !tbaa !5
  %103 = load i32, ptr %20, align 4, !tbaa !5
  %104 = load i32, ptr %19, align 4, !tbaa !5
  %105 = sext i32 %104 to i64
  %106 = getelementptr inbounds [16 x i32], ptr %8, i64 0, i64 %105
  store i32 %103, ptr %106, align 4, !tbaa !5
  call void @llvm.lifetime.end.p0(i64 4, ptr %20) #5
  br label %107

107:                                              ; preds = %91
  %108 = load i32, ptr %18, align 4, !tbaa !5
  %109 = add nsw i32 %108, 1
  store i32 %109, ptr %18, align 4, !tbaa !5
  %110 = load i32, ptr %19, align 4, !tbaa !5
  %111 = add nsw i32 %110, -1
  store i32 %111, ptr %19, align 4, !tbaa !5
  br label %86, !llvm.loop !15

112:                                              ; preds = %90
  %113 = load i32, ptr %16, align 4, !tbaa !5
  %114 = add nsw i32 %113, 1
  store i32 %114, ptr %16, align 4, !tbaa !5
  br label %80, !llvm.loop !16

115:                                              ; preds = %80
  %116 = load i32, ptr %16, align 4, !tbaa !5
  %117 = load i32, ptr %10, align 4, !tbaa !5
  %118 = icmp sgt i32 %116, %117
  br i1 %118, label %119, label %121

119:                                              ; preds = %115
  %120 = load i32, ptr %16, align 4, !tbaa !5
  store i32 %120, ptr %10, align 4, !tbaa !5
  br label %121

121:                                              ; preds = %119, %115
  %122 = load i32, ptr %12, align 4, !tbaa !5
  %123 = load i32, ptr %16, align 4, !tbaa !5
  %124 = mul nsw i32 %122, %123
  %125 = load i32, ptr %11, align 4, !tbaa !5
  %126 = add nsw i32 %125, %124
  store i32 %126, ptr %11, align 4, !tbaa !5
  %127 = load i32, ptr %12, align 4, !tbaa !5
  %128 = sub nsw i32 0, %127
  store i32 %128, ptr %12, align 4, !tbaa !5
  br label %129

129:                                              ; preds = %174, %121
  %130 = load i32, ptr %13, align 4, !tbaa !5
  %131 = load i32, ptr %6, align 4, !tbaa !5
  %132 = icmp eq i32 %130, %131
  br i1 %132, label %133, label %137

133:                                              ; preds = %129
  %134 = load i32, ptr %11, align 4, !tbaa !5
  %135 = load i32, ptr %10, align 4, !tbaa !5
  %136 = call i32 (ptr, ...) @printf(ptr noundef @.str, i32 noundef %134, i32 noundef %135)
  store i32 0, ptr %3, align 4
  store i32 1, ptr %21, align 4
  br label %176

137:                                              ; preds = %129
  call void @llvm.lifetime.start.p0(i64 4, ptr %22) #5
  %138 = getelementptr inbounds [16 x i32], ptr %7, i64 0, i64 0
  %139 = load i32, ptr %138, align 16, !tbaa !5
  store i32 %139, ptr %22, align 4, !tbaa !5
  call void @llvm.lifetime.start.p0(i64 4, ptr %23) #5
  store i32 0, ptr %23, align 4, !tbaa !5
  br label %140

140:                                              ; preds = %154, %137
  %141 = load i32, ptr %23, align 4, !tbaa !5
  %142 = load i32, ptr %13, align 4, !tbaa !5
  %143 = icmp slt i32 %141, %142
  br i1 %143, label %145, label %144

144:                                              ; preds = %140
  store i32 20, ptr %21, align 4
  call void @llvm.lifetime.end.p0(i64 4, ptr %23) #5
  br label %157

145:                                              ; preds = %140
  %146 = load i32, ptr %23, align 4, !tbaa !5
  %147 = add nsw i32 %146, 1
  %148 = sext i32 %147 to i64
  %149 = getelementptr inbounds [16 x i32], ptr %7, i64 0, i64 %148
  %150 = load i32, ptr %149, align 4, !tbaa !5
  %151 = load i32, ptr %23, align 4, !tbaa !5
  %152 = sext i32 %151 to i64
  %153 = getelementptr inbounds [16 x i32], ptr %7, i64 0, i64 %152
  store i32 %150, ptr %153, align 4, !tbaa !5
  br label %154

154:                                              ; preds = %145
  %155 = load i32, ptr %23, align 4, !tbaa !5
  %156 = add nsw i32 %155, 1
  store i32 %156, ptr %23, align 4, !tbaa !5
  br label %140, !llvm.loop !17

157:                                              ; preds = %144
  %158 = load i32, ptr %22, align 4, !tbaa !5
  %159 = load i32, ptr %13, align 4, !tbaa !5
  %160 = sext i32 %159 to i64
  %161 = getelementptr inbounds [16 x i32], ptr %7, i64 0, i64 %160
  store i32 %158, ptr %161, align 4, !tbaa !5
  %162 = load i32, ptr %13, align 4, !tbaa !5
  %163 = sext i32 %162 to i64
  %164 = getelementptr inbounds [16 x i32], ptr %9, i64 0, i64 %163
  %165 = load i32, ptr %164, align 4, !tbaa !5
  %166 = add nsw i32 %165, -1
  store i32 %166, ptr %164, align 4, !tbaa !5
  %167 = icmp sgt i32 %166, 0
  br i1 %167, label %168, label %169

168:                                              ; preds = %157
  store i32 18, ptr %21, align 4
  br label %172

169:                                              ; preds = %157
  %170 = load i32, ptr %13, align 4, !tbaa !5
  %171 = add nsw i32 %170, 1
  store i32 %171, ptr %13, align 4, !tbaa !5
  store i32 0, ptr %21, align 4
  br label %172

172:                                              ; preds = %169, %168
  call void @llvm.lifetime.end.p0(i64 4, ptr %22) #5
  %173 = load i32, ptr %21, align 4
  switch i32 %173, label %181 [
    i32 0, label %174
    i32 18, label %175
  ]

174:                                              ; preds = %172
  br label %129

175:                                              ; preds = %172
  store i32 0, ptr %21, align 4
  br label %176

176:                                              ; preds = %175, %133
  call void @llvm.lifetime.end.p0(i64 4, ptr %17) #5
  call void @llvm.lifetime.end.p0(i64 4, ptr %16) #5
  %177 = load i32, ptr %21, align 4
  switch i32 %177, label %179 [
    i32 0, label %178
  ]

178:                                              ; preds = %176
  br label %49

179:                                              ; preds = %176
  call void @llvm.lifetime.end.p0(i64 4, ptr %13) #5
  call void @llvm.lifetime.end.p0(i64 4, ptr %12) #5
  call void @llvm.lifetime.end.p0(i64 4, ptr %11) #5
  call void @llvm.lifetime.end.p0(i64 4, ptr %10) #5
  call void @llvm.lifetime.end.p0(i64 64, ptr %9) #5
  call void @llvm.lifetime.end.p0(i64 64, ptr %8) #5
  call void @llvm.lifetime.end.p0(i64 64, ptr %7) #5
  call void @llvm.lifetime.end.p0(i64 4, ptr %6) #5
  %180 = load i32, ptr %3, align 4
  ret i32 %180

181:                                              ; preds = %172
  unreachable
}

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.start.p0(i64 immarg, ptr nocapture) #1

; Function Attrs: inlinehint nounwind willreturn memory(read) uwtable
define available_externally i32 @atoi(ptr noundef nonnull %0) #2 {
  %2 = alloca ptr, align 8
  store ptr %0, ptr %2, align 8, !tbaa !9
  %3 = load ptr, ptr %2, align 8, !tbaa !9
  %4 = call i64 @strtol(ptr noundef %3, ptr noundef null, i32 noundef 10) #5
  %5 = trunc i64 %4 to i32
  ret i32 %5
}

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.end.p0(i64 immarg, ptr nocapture) #1

declare i32 @printf(ptr noundef, ...) #3

; Function Attrs: nounwind
declare i64 @strtol(ptr noundef, ptr noundef, i32 noundef) #4

attributes #0 = { nounwind uwtable "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #1 = { nocallback nofree nosync nounwind willreturn memory(argmem: readwrite) }
attributes #2 = { inlinehint nounwind willreturn memory(read) uwtable "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #3 = { "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #4 = { nounwind "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #5 = { nounwind }
attributes #6 = { nounwind willreturn memory(read) }

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
!13 = distinct !{!13, !12}
!14 = distinct !{!14, !12}
!15 = distinct !{!15, !12}
!16 = distinct !{!16, !12}
!17 = distinct !{!17, !12}

; ModuleID = 'life.c'
source_filename = "life.c"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

@a = internal global [64 x [96 x i8]] zeroinitializer, align 16
@b = internal global [64 x [96 x i8]] zeroinitializer, align 16
@.str = private unnamed_addr constant [19 x i8] c"%d alive after %d\0A\00", align 1

; Function Attrs: nounwind uwtable
define dso_local i32 @main(i32 noundef %0, ptr noundef %1) #0 {
  %3 = alloca i32, align 4
  %4 = alloca i32, align 4
  %5 = alloca ptr, align 8
  %6 = alloca i32, align 4
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
  %18 = alloca i32, align 4
  %19 = alloca i32, align 4
  store i32 0, ptr %3, align 4
  store i32 %0, ptr %4, align 4, !tbaa !5
  store ptr %1, ptr %5, align 8, !tbaa !9
  call void @llvm.lifetime.start.p0(i64 4, ptr %6) #6
  %20 = load i32, ptr %4, align 4, !tbaa !5
  %21 = icmp sgt i32 %20, 1
  br i1 %21, label %22, label %27

22:                                               ; preds = %2
  %23 = load ptr, ptr %5, align 8, !tbaa !9
  %24 = getelementptr inbounds ptr, ptr %23, i64 1
  %25 = load ptr, ptr %24, align 8, !tbaa !9
  %26 = call i32 @atoi(ptr noundef %25) #7
  br label %28

27:                                               ; preds = %2
  br label %28

28:                                               ; preds = %27, %22
  %29 = phi i32 [ %26, %22 ], [ 50, %27 ]
  store i32 %29, ptr %6, align 4, !tbaa !5
  call void @llvm.lifetime.start.p0(i64 4, ptr %7) #6
  store i32 0, ptr %7, align 4, !tbaa !5
  call void @llvm.lifetime.start.p0(i64 4, ptr %8) #6
  store i32 7, ptr %8, align 4, !tbaa !5
  call void @llvm.lifetime.start.p0(i64 4, ptr %9) #6
  store i32 0, ptr %9, align 4, !tbaa !5
  br label %30

30:                                               ; preds = %57, %28
  %31 = load i32, ptr %9, align 4, !tbaa !5
  %32 = icmp slt i32 %31, 64
  br i1 %32, label %34, label %33

33:                                               ; preds = %30
  store i32 2, ptr %10, align 4
  call void @llvm.lifetime.end.p0(i64 4, ptr %9) #6
  br label %60

34:                                               ; preds = %30
  call void @llvm.lifetime.start.p0(i64 4, ptr %11) #6
  store i32 0, ptr %11, align 4, !tbaa !5
  br label %35

35:                                               ; preds = %53, %34
  %36 = load i32, ptr %11, align 4, !tbaa !5
  %37 = icmp slt i32 %36, 96
  br i1 %37, label %39, label %38

38:                                               ; preds = %35
  store i32 5, ptr %10, align 4
  call void @llvm.lifetime.end.p0(i64 4, ptr %11) #6
  br label %56

39:                                               ; preds = %35
  %40 = load i32, ptr %8, align 4, !tbaa !5
  %41 = mul i32 %40, 69069
  %42 = add i32 %41, 1
  store i32 %42, ptr %8, align 4, !tbaa !5
  %43 = lshr i32 %42, 28
  %44 = icmp ult i32 %43, 5
  %45 = zext i1 %44 to i32
  %46 = trunc i32 %45 to i8
  %47 = load i32, ptr %9, align 4, !tbaa !5
  %48 = sext i32 %47 to i64
  %49 = getelementptr inbounds [64 x [96 x i8]], ptr @a, i64 0, i64 %48
  %50 = load i32, ptr %11, align 4, !tbaa !5
  %51 = sext i32 %50 to i64
  %52 = getelementptr inbounds [96 x i8], ptr %49, i64 0, i64 %51
  store i8 %46, ptr %52, align 1, !tbaa !11
  br label %53

53:                                               ; preds = %39
  %54 = load i32, ptr %11, align 4, !tbaa !5
  %55 = add nsw i32 %54, 1
  store i32 %55, ptr %11, align 4, !tbaa !5
  br label %35, !llvm.loop !12

56:                                               ; preds = %38
  br label %57

57:                                               ; preds = %56
  %58 = load i32, ptr %9, align 4, !tbaa !5
  %59 = add nsw i32 %58, 1
  store i32 %59, ptr %9, align 4, !tbaa !5
  br label %30, !llvm.loop !14

60:                                               ; preds = %33
  call void @llvm.lifetime.start.p0(i64 4, ptr %12) #6
  store i32 0, ptr %12, align 4, !tbaa !5
  br label %61

61:                                               ; preds = %157, %60
  %62 = load i32, ptr %12, align 4, !tbaa !5
  %63 = load i32, ptr %6, align 4, !tbaa !5
  %64 = icmp slt i32 %62, %63
  br i1 %64, label %66, label %65

65:                                               ; preds = %61
  store i32 8, ptr %10, align 4
  call void @llvm.lifetime.end.p0(i64 4, ptr %12) #6
  br label %160

66:                                               ; preds = %61
  call void @llvm.lifetime.start.p0(i64 4, ptr %13) #6
  store i32 0, ptr %13, align 4, !tbaa !5
  br label %67

67:                                               ; preds = %153, %66
  %68 = load i32, ptr %13, align 4, !tbaa !5
  %69 = icmp slt i32 %68, 64
  br i1 %69, label %71, label %70

70:                                               ; preds = %67
  store i32 11, ptr %10, align 4
  call void @llvm.lifetime.end.p0(i64 4, ptr %13) #6
  br label %156

71:                                               ; preds = %67
  call void @llvm.lifetime.start.p0(i64 4, ptr %14) #6
  store i32 0, ptr %14, align 4, !tbaa !5
  br label %72

72:                                               ; preds = %149, %71
  %73 = load i32, ptr %14, align 4, !tbaa !5
  %74 = icmp slt i32 %73, 96
  br i1 %74, label %76, label %75

75:                                               ; preds = %72
  store i32 14, ptr %10, align 4
  call void @llvm.lifetime.end.p0(i64 4, ptr %14) #6
  br label %152

76:                                               ; preds = %72
  call void @llvm.lifetime.start.p0(i64 4, ptr %15) #6
  %77 = load i32, ptr %13, align 4, !tbaa !5
  %78 = sext i32 %77 to i64
  %79 = getelementptr inbounds [64 x [96 x i8]], ptr @a, i64 0, i64 %78
  %80 = load i32, ptr %14, align 4, !tbaa !5
  %81 = sext i32 %80 to i64
  %82 = getelementptr inbounds [96 x i8], ptr %79, i64 0, i64 %81
  %83 = load i8, ptr %82, align 1, !tbaa !11
  %84 = zext i8 %83 to i32
  %85 = sub nsw i32 0, %84
  store i32 %85, ptr %15, align 4, !tbaa !5
  call void @llvm.lifetime.start.p0(i64 4, ptr %16) #6
  store i32 -1, ptr %16, align 4, !tbaa !5
  br label %86

86:                                               ; preds = %118, %76
  %87 = load i32, ptr %16, align 4, !tbaa !5
  %88 = icmp sle i32 %87, 1
  br i1 %88, label %90, label %89

89:                                               ; preds = %86
  store i32 17, ptr %10, align 4
  call void @llvm.lifetime.end.p0(i64 4, ptr %16) #6
  br label %121

90:                                               ; preds = %86
  call void @llvm.lifetime.start.p0(i64 4, ptr %17) #6
  store i32 -1, ptr %17, align 4, !tbaa !5
  br label %91

91:                                               ; preds = %114, %90
  %92 = load i32, ptr %17, align 4, !tbaa !5
  %93 = icmp sle i32 %92, 1
  br i1 %93, label %95, label %94

94:                                               ; preds = %91
  store i32 20, ptr %10, align 4
  call void @llvm.lifetime.end.p0(i64 4, ptr %17) #6
  br label %117

95:                                               ; preds = %91
  %96 = load i32, ptr %13, align 4, !tbaa !5
  %97 = load i32, ptr %16, align 4, !tbaa !5
  %98 = add nsw i32 %96, %97
  %99 = add nsw i32 %98, 64
  %100 = srem i32 %99, 64
  %101 = sext i32 %100 to i64
  %102 = getelementptr inbounds [64 x [96 x i8]], ptr @a, i64 0, i64 %101
  %103 = load i32, ptr %14, align 4, !tbaa !5
  %104 = load i32, ptr %17, align 4, !tbaa !5
  %105 = add nsw i32 %103, %104
  %106 = add nsw i32 %105, 96
  %107 = srem i32 %106, 96
  %108 = sext i32 %107 to i64
  %109 = getelementptr inbounds [96 x i8], ptr %102, i64 0, i64 %108
  %110 = load i8, ptr %109, align 1, !tbaa !11
  %111 = zext i8 %110 to i32
  %112 = load i32, ptr %15, align 4, !tbaa !5
  %113 = add nsw i32 %112, %111
  store i32 %113, ptr %15, align 4, !tbaa !5
  br label %114

114:                                              ; preds = %95
  %115 = load i32, ptr %17, align 4, !tbaa !5
  %116 = add nsw i32 %115, 1
  store i32 %116, ptr %17, align 4, !tbaa !5
  br label %91, !llvm.loop !15

117:                                              ; preds = %94
  br label %118

118:                                              ; preds = %117
  %119 = load i32, ptr %16, align 4, !tbaa !5
  %120 = add nsw i32 %119, 1
  store i32 %120, ptr %16, align 4, !tbaa !5
  br label %86, !llvm.loop !16

121:                                              ; preds = %89
  %122 = load i32, ptr %15, align 4, !tbaa !5
  %123 = icmp eq i32 %122, 3
  br i1 %123, label %139, label %124

124:                                              ; preds = %121
  %125 = load i32, ptr %15, align 4, !tbaa !5
  %126 = icmp eq i32 %125, 2
  br i1 %126, label %127, label %137

127:                                              ; preds = %124
  %128 = load i32, ptr %13, align 4, !tbaa !5
  %129 = sext i32 %128 to i64
  %130 = getelementptr inbounds [64 x [96 x i8]], ptr @a, i64 0, i64 %129
  %131 = load i32, ptr %14, align 4, !tbaa !5
  %132 = sext i32 %131 to i64
  %133 = getelementptr inbounds [96 x i8], ptr %130, i64 0, i64 %132
  %134 = load i8, ptr %133, align 1, !tbaa !11
  %135 = zext i8 %134 to i32
  %136 = icmp ne i32 %135, 0
  br label %137

137:                                              ; preds = %127, %124
  %138 = phi i1 [ false, %124 ], [ %136, %127 ]
  br label %139

139:                                              ; preds = %137, %121
  %140 = phi i1 [ true, %121 ], [ %138, %137 ]
  %141 = zext i1 %140 to i32
  %142 = trunc i32 %141 to i8
  %143 = load i32, ptr %13, align 4, !tbaa !5
  %144 = sext i32 %143 to i64
  %145 = getelementptr inbounds [64 x [96 x i8]], ptr @b, i64 0, i64 %144
  %146 = load i32, ptr %14, align 4, !tbaa !5
  %147 = sext i32 %146 to i64
  %148 = getelementptr inbounds [96 x i8], ptr %145, i64 0, i64 %147
  store i8 %142, ptr %148, align 1, !tbaa !11
  call void @llvm.lifetime.end.p0(i64 4, ptr %15) #6
  br label %149

149:                                              ; preds = %139
  %150 = load i32, ptr %14, align 4, !tbaa !5
  %151 = add nsw i32 %150, 1
  store i32 %151, ptr %14, align 4, !tbaa !5
  br label %72, !llvm.loop !17

152:                                              ; preds = %75
  br label %153

153:                                              ; preds = %152
  %154 = load i32, ptr %13, align 4, !tbaa !5
  %155 = add nsw i32 %154, 1
  store i32 %155, ptr %13, align 4, !tbaa !5
  br label %67, !llvm.loop !18

156:                                              ; preds = %70
  call void @llvm.memcpy.p0.p0.i64(ptr align 16 @a, ptr align 16 @b, i64 6144, i1 false)
  br label %157

157:                                              ; preds = %156
  %158 = load i32, ptr %12, align 4, !tbaa !5
  %159 = add nsw i32 %158, 1
  store i32 %159, ptr %12, align 4, !tbaa !5
  br label %61, !llvm.loop !19

160:                                              ; preds = %65
  call void @llvm.lifetime.start.p0(i64 4, ptr %18) #6
  store i32 0, ptr %18, align 4, !tbaa !5
  br label %161

161:                                              ; preds = %185, %160
  %162 = load i32, ptr %18, align 4, !tbaa !5
  %163 = icmp slt i32 %162, 64
  br i1 %163, label %165, label %164

164:                                              ; preds = %161
  store i32 23, ptr %10, align 4
  call void @llvm.lifetime.end.p0(i64 4, ptr %18) #6
  br label %188

165:                                              ; preds = %161
  call void @llvm.lifetime.start.p0(i64 4, ptr %19) #6
  store i32 0, ptr %19, align 4, !tbaa !5
  br label %166

166:                                              ; preds = %181, %165
  %167 = load i32, ptr %19, align 4, !tbaa !5
  %168 = icmp slt i32 %167, 96
  br i1 %168, label %170, label %169

169:                                              ; preds = %166
  store i32 26, ptr %10, align 4
  call void @llvm.lifetime.end.p0(i64 4, ptr %19) #6
  br label %184

170:                                              ; preds = %166
  %171 = load i32, ptr %18, align 4, !tbaa !5
  %172 = sext i32 %171 to i64
  %173 = getelementptr inbounds [64 x [96 x i8]], ptr @a, i64 0, i64 %172
  %174 = load i32, ptr %19, align 4, !tbaa !5
  %175 = sext i32 %174 to i64
  %176 = getelementptr inbounds [96 x i8], ptr %173, i64 0, i64 %175
  %177 = load i8, ptr %176, align 1, !tbaa !11
  %178 = zext i8 %177 to i32
  %179 = load i32, ptr %7, align 4, !tbaa !5
  %180 = add nsw i32 %179, %178
  store i32 %180, ptr %7, align 4, !tbaa !5
  br label %181

181:                                              ; preds = %170
  %182 = load i32, ptr %19, align 4, !tbaa !5
  %183 = add nsw i32 %182, 1
  store i32 %183, ptr %19, align 4, !tbaa !5
  br label %166, !llvm.loop !20

184:                                              ; preds = %169
  br label %185

185:                                              ; preds = %184
  %186 = load i32, ptr %18, align 4, !tbaa !5
  %187 = add nsw i32 %186, 1
  store i32 %187, ptr %18, align 4, !tbaa !5
  br label %161, !llvm.loop !21

188:                                              ; preds = %164
  %189 = load i32, ptr %7, align 4, !tbaa !5
  %190 = load i32, ptr %6, align 4, !tbaa !5
  %191 = call i32 (ptr, ...) @printf(ptr noundef @.str, i32 noundef %189, i32 noundef %190)
  store i32 0, ptr %3, align 4
  store i32 1, ptr %10, align 4
  call void @llvm.lifetime.end.p0(i64 4, ptr %8) #6
  call void @llvm.lifetime.end.p0(i64 4, ptr %7) #6
  call void @llvm.lifetime.end.p0(i64 4, ptr %6) #6
  %192 = load i32, ptr %3, align 4
  ret i32 %192
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

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.end.p0(i64 immarg, ptr nocapture) #1

; Function Attrs: nocallback nofree nounwind willreturn memory(argmem: readwrite)
declare void @llvm.memcpy.p0.p0.i64(ptr noalias nocapture writeonly, ptr noalias nocapture readonly, i64, i1 immarg) #3

declare i32 @printf(ptr noundef, ...) #4

; Function Attrs: nounwind
declare i64 @strtol(ptr noundef, ptr noundef, i32 noundef) #5

attributes #0 = { nounwind uwtable "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #1 = { nocallback nofree nosync nounwind willreturn memory(argmem: readwrite) }
attributes #2 = { inlinehint nounwind willreturn memory(read) uwtable "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #3 = { nocallback nofree nounwind willreturn memory(argmem: readwrite) }
attributes #4 = { "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #5 = { nounwind "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
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
!11 = !{!7, !7, i64 0}
!12 = distinct !{!12, !13}
!13 = !{!"llvm.loop.mustprogress"}
!14 = distinct !{!14, !13}
!15 = distinct !{!15, !13}
!16 = distinct !{!16, !13}
!17 = distinct !{!17, !13}
!18 = distinct !{!18, !13}
!19 = distinct !{!19, !13}
!20 = distinct !{!20, !13}
!21 = distinct !{!21, !13}

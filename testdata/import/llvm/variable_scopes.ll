; Variables of one name in blocks of C, as clang -g -O0 writes them:
;   int loops(int n) {
;     int sum = n;
;     for (int i = 0; i < n; i++)
;       sum += i;
;     for (int i = 10; i < 9 + n; i++) {
;       sum += i;
;     }
;     for (int i = 20; i < 19 + n; i++) {
;       int n = i * 2;
;       {
;         long sum = 7;
;         n += sum;
;       }
;       sum += n;
;     }
;     return sum + n;
;   }
;   int main(int argc, char **argv) {
;     return loops(argc + 2);
;   }

; run: @loops(3) == 126
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

; Function Attrs: noinline nounwind uwtable
define dso_local i32 @loops(i32 noundef %0) #0 !dbg !9 {
  %2 = alloca i32, align 4
  %3 = alloca i32, align 4
  %4 = alloca i32, align 4
  %5 = alloca i32, align 4
  %6 = alloca i32, align 4
  %7 = alloca i32, align 4
  %8 = alloca i64, align 8
  store i32 %0, ptr %2, align 4
    #dbg_declare(ptr %2, !14, !DIExpression(), !15)
    #dbg_declare(ptr %3, !16, !DIExpression(), !17)
  %9 = load i32, ptr %2, align 4, !dbg !18
  store i32 %9, ptr %3, align 4, !dbg !17
    #dbg_declare(ptr %4, !19, !DIExpression(), !21)
  store i32 0, ptr %4, align 4, !dbg !21
  br label %10, !dbg !22

10:                                               ; preds = %18, %1
  %11 = load i32, ptr %4, align 4, !dbg !23
  %12 = load i32, ptr %2, align 4, !dbg !25
  %13 = icmp slt i32 %11, %12, !dbg !26
  br i1 %13, label %14, label %21, !dbg !27

14:                                               ; preds = %10
  %15 = load i32, ptr %4, align 4, !dbg !28
  %16 = load i32, ptr %3, align 4, !dbg !29
  %17 = add nsw i32 %16, %15, !dbg !29
  store i32 %17, ptr %3, align 4, !dbg !29
  br label %18, !dbg !30

18:                                               ; preds = %14
  %19 = load i32, ptr %4, align 4, !dbg !31
  %20 = add nsw i32 %19, 1, !dbg !31
  store i32 %20, ptr %4, align 4, !dbg !31
  br label %10, !dbg !32, !llvm.loop !33

21:                                               ; preds = %10
    #dbg_declare(ptr %5, !36, !DIExpression(), !38)
  store i32 10, ptr %5, align 4, !dbg !38
  br label %22, !dbg !39

22:                                               ; preds = %31, %21
  %23 = load i32, ptr %5, align 4, !dbg !40
  %24 = load i32, ptr %2, align 4, !dbg !42
  %25 = add nsw i32 9, %24, !dbg !43
  %26 = icmp slt i32 %23, %25, !dbg !44
  br i1 %26, label %27, label %34, !dbg !45

27:                                               ; preds = %22
  %28 = load i32, ptr %5, align 4, !dbg !46
  %29 = load i32, ptr %3, align 4, !dbg !48
  %30 = add nsw i32 %29, %28, !dbg !48
  store i32 %30, ptr %3, align 4, !dbg !48
  br label %31, !dbg !49

31:                                               ; preds = %27
  %32 = load i32, ptr %5, align 4, !dbg !50
  %33 = add nsw i32 %32, 1, !dbg !50
  store i32 %33, ptr %5, align 4, !dbg !50
  br label %22, !dbg !51, !llvm.loop !52

34:                                               ; preds = %22
    #dbg_declare(ptr %6, !54, !DIExpression(), !56)
  store i32 20, ptr %6, align 4, !dbg !56
  br label %35, !dbg !57

35:                                               ; preds = %51, %34
  %36 = load i32, ptr %6, align 4, !dbg !58
  %37 = load i32, ptr %2, align 4, !dbg !60
  %38 = add nsw i32 19, %37, !dbg !61
  %39 = icmp slt i32 %36, %38, !dbg !62
  br i1 %39, label %40, label %54, !dbg !63

40:                                               ; preds = %35
    #dbg_declare(ptr %7, !64, !DIExpression(), !66)
  %41 = load i32, ptr %6, align 4, !dbg !67
  %42 = mul nsw i32 %41, 2, !dbg !68
  store i32 %42, ptr %7, align 4, !dbg !66
    #dbg_declare(ptr %8, !69, !DIExpression(), !72)
  store i64 7, ptr %8, align 8, !dbg !72
  %43 = load i64, ptr %8, align 8, !dbg !73
  %44 = load i32, ptr %7, align 4, !dbg !74
  %45 = sext i32 %44 to i64, !dbg !74
  %46 = add nsw i64 %45, %43, !dbg !74
  %47 = trunc i64 %46 to i32, !dbg !74
  store i32 %47, ptr %7, align 4, !dbg !74
  %48 = load i32, ptr %7, align 4, !dbg !75
  %49 = load i32, ptr %3, align 4, !dbg !76
  %50 = add nsw i32 %49, %48, !dbg !76
  store i32 %50, ptr %3, align 4, !dbg !76
  br label %51, !dbg !77

51:                                               ; preds = %40
  %52 = load i32, ptr %6, align 4, !dbg !78
  %53 = add nsw i32 %52, 1, !dbg !78
  store i32 %53, ptr %6, align 4, !dbg !78
  br label %35, !dbg !79, !llvm.loop !80

54:                                               ; preds = %35
  %55 = load i32, ptr %3, align 4, !dbg !82
  %56 = load i32, ptr %2, align 4, !dbg !83
  %57 = add nsw i32 %55, %56, !dbg !84
  ret i32 %57, !dbg !85
}

; Function Attrs: noinline nounwind uwtable
define dso_local i32 @main(i32 noundef %0, ptr noundef %1) #0 !dbg !86 {
  %3 = alloca i32, align 4
  %4 = alloca i32, align 4
  %5 = alloca ptr, align 8
  store i32 0, ptr %3, align 4
  store i32 %0, ptr %4, align 4
    #dbg_declare(ptr %4, !92, !DIExpression(), !93)
  store ptr %1, ptr %5, align 8
    #dbg_declare(ptr %5, !94, !DIExpression(), !95)
  %6 = load i32, ptr %4, align 4, !dbg !96
  %7 = add nsw i32 %6, 2, !dbg !97
  %8 = call i32 @loops(i32 noundef %7), !dbg !98
  ret i32 %8, !dbg !99
}

attributes #0 = { noinline nounwind uwtable "frame-pointer"="all" "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2, !3, !4, !5, !6, !7, !8}

!0 = distinct !DICompileUnit(language: DW_LANG_C11, file: !1, isOptimized: false, runtimeVersion: 0, emissionKind: FullDebug, splitDebugInlining: false, nameTableKind: None)
!1 = !DIFile(filename: "scopes.c", directory: "/src")
!2 = !{i32 7, !"Dwarf Version", i32 5}
!3 = !{i32 2, !"Debug Info Version", i32 3}
!4 = !{i32 1, !"wchar_size", i32 4}
!5 = !{i32 8, !"PIC Level", i32 2}
!6 = !{i32 7, !"PIE Level", i32 2}
!7 = !{i32 7, !"uwtable", i32 2}
!8 = !{i32 7, !"frame-pointer", i32 2}
!9 = distinct !DISubprogram(name: "loops", scope: !1, file: !1, line: 1, type: !10, scopeLine: 1, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !0, retainedNodes: !13)
!10 = !DISubroutineType(types: !11)
!11 = !{!12, !12}
!12 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
!13 = !{}
!14 = !DILocalVariable(name: "n", arg: 1, scope: !9, file: !1, line: 1, type: !12)
!15 = !DILocation(line: 1, column: 15, scope: !9)
!16 = !DILocalVariable(name: "sum", scope: !9, file: !1, line: 2, type: !12)
!17 = !DILocation(line: 2, column: 7, scope: !9)
!18 = !DILocation(line: 2, column: 13, scope: !9)
!19 = !DILocalVariable(name: "i", scope: !20, file: !1, line: 3, type: !12)
!20 = distinct !DILexicalBlock(scope: !9, file: !1, line: 3, column: 3)
!21 = !DILocation(line: 3, column: 12, scope: !20)
!22 = !DILocation(line: 3, column: 8, scope: !20)
!23 = !DILocation(line: 3, column: 19, scope: !24)
!24 = distinct !DILexicalBlock(scope: !20, file: !1, line: 3, column: 3)
!25 = !DILocation(line: 3, column: 23, scope: !24)
!26 = !DILocation(line: 3, column: 21, scope: !24)
!27 = !DILocation(line: 3, column: 3, scope: !20)
!28 = !DILocation(line: 4, column: 12, scope: !24)
!29 = !DILocation(line: 4, column: 9, scope: !24)
!30 = !DILocation(line: 4, column: 5, scope: !24)
!31 = !DILocation(line: 3, column: 27, scope: !24)
!32 = !DILocation(line: 3, column: 3, scope: !24)
!33 = distinct !{!33, !27, !34, !35}
!34 = !DILocation(line: 4, column: 12, scope: !20)
!35 = !{!"llvm.loop.mustprogress"}
!36 = !DILocalVariable(name: "i", scope: !37, file: !1, line: 5, type: !12)
!37 = distinct !DILexicalBlock(scope: !9, file: !1, line: 5, column: 3)
!38 = !DILocation(line: 5, column: 12, scope: !37)
!39 = !DILocation(line: 5, column: 8, scope: !37)
!40 = !DILocation(line: 5, column: 20, scope: !41)
!41 = distinct !DILexicalBlock(scope: !37, file: !1, line: 5, column: 3)
!42 = !DILocation(line: 5, column: 28, scope: !41)
!43 = !DILocation(line: 5, column: 26, scope: !41)
!44 = !DILocation(line: 5, column: 22, scope: !41)
!45 = !DILocation(line: 5, column: 3, scope: !37)
!46 = !DILocation(line: 6, column: 12, scope: !47)
!47 = distinct !DILexicalBlock(scope: !41, file: !1, line: 5, column: 36)
!48 = !DILocation(line: 6, column: 9, scope: !47)
!49 = !DILocation(line: 7, column: 3, scope: !47)
!50 = !DILocation(line: 5, column: 32, scope: !41)
!51 = !DILocation(line: 5, column: 3, scope: !41)
!52 = distinct !{!52, !45, !53, !35}
!53 = !DILocation(line: 7, column: 3, scope: !37)
!54 = !DILocalVariable(name: "i", scope: !55, file: !1, line: 8, type: !12)
!55 = distinct !DILexicalBlock(scope: !9, file: !1, line: 8, column: 3)
!56 = !DILocation(line: 8, column: 12, scope: !55)
!57 = !DILocation(line: 8, column: 8, scope: !55)
!58 = !DILocation(line: 8, column: 20, scope: !59)
!59 = distinct !DILexicalBlock(scope: !55, file: !1, line: 8, column: 3)
!60 = !DILocation(line: 8, column: 29, scope: !59)
!61 = !DILocation(line: 8, column: 27, scope: !59)
!62 = !DILocation(line: 8, column: 22, scope: !59)
!63 = !DILocation(line: 8, column: 3, scope: !55)
!64 = !DILocalVariable(name: "n", scope: !65, file: !1, line: 9, type: !12)
!65 = distinct !DILexicalBlock(scope: !59, file: !1, line: 8, column: 37)
!66 = !DILocation(line: 9, column: 9, scope: !65)
!67 = !DILocation(line: 9, column: 13, scope: !65)
!68 = !DILocation(line: 9, column: 15, scope: !65)
!69 = !DILocalVariable(name: "sum", scope: !70, file: !1, line: 11, type: !71)
!70 = distinct !DILexicalBlock(scope: !65, file: !1, line: 10, column: 5)
!71 = !DIBasicType(name: "long", size: 64, encoding: DW_ATE_signed)
!72 = !DILocation(line: 11, column: 12, scope: !70)
!73 = !DILocation(line: 12, column: 12, scope: !70)
!74 = !DILocation(line: 12, column: 9, scope: !70)
!75 = !DILocation(line: 14, column: 12, scope: !65)
!76 = !DILocation(line: 14, column: 9, scope: !65)
!77 = !DILocation(line: 15, column: 3, scope: !65)
!78 = !DILocation(line: 8, column: 33, scope: !59)
!79 = !DILocation(line: 8, column: 3, scope: !59)
!80 = distinct !{!80, !63, !81, !35}
!81 = !DILocation(line: 15, column: 3, scope: !55)
!82 = !DILocation(line: 16, column: 10, scope: !9)
!83 = !DILocation(line: 16, column: 16, scope: !9)
!84 = !DILocation(line: 16, column: 14, scope: !9)
!85 = !DILocation(line: 16, column: 3, scope: !9)
!86 = distinct !DISubprogram(name: "main", scope: !1, file: !1, line: 18, type: !87, scopeLine: 18, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !0, retainedNodes: !13)
!87 = !DISubroutineType(types: !88)
!88 = !{!12, !12, !89}
!89 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !90, size: 64)
!90 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !91, size: 64)
!91 = !DIBasicType(name: "char", size: 8, encoding: DW_ATE_signed_char)
!92 = !DILocalVariable(name: "argc", arg: 1, scope: !86, file: !1, line: 18, type: !12)
!93 = !DILocation(line: 18, column: 14, scope: !86)
!94 = !DILocalVariable(name: "argv", arg: 2, scope: !86, file: !1, line: 18, type: !89)
!95 = !DILocation(line: 18, column: 27, scope: !86)
!96 = !DILocation(line: 19, column: 16, scope: !86)
!97 = !DILocation(line: 19, column: 21, scope: !86)
!98 = !DILocation(line: 19, column: 10, scope: !86)
!99 = !DILocation(line: 19, column: 3, scope: !86)

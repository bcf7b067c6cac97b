; Variables of many types, as clang -g -O0 writes them.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

%struct.point = type { i32, i32, [3 x i64] }
%union.anon = type { i32 }
%struct.item = type { ptr, ptr, i32, i32, %union.anon }

@__const.main.p = private unnamed_addr constant %struct.point { i32 1, i32 2, [3 x i64] [i64 3, i64 4, i64 5] }, align 8
@.str = private unnamed_addr constant [5 x i8] c"last\00", align 1, !dbg !0
@__const.main.last = private unnamed_addr constant { ptr, ptr, i8, i8, i8, i32, %union.anon } { ptr @.str, ptr null, i8 17, i8 0, i8 0, i32 0, %union.anon zeroinitializer }, align 8
@.str.1 = private unnamed_addr constant [5 x i8] c"text\00", align 1, !dbg !7

; Function Attrs: noinline nounwind optnone uwtable
define dso_local i32 @main() !dbg !28 {
  %1 = alloca i32, align 4
  %2 = alloca %struct.point, align 8
  %3 = alloca %struct.item, align 8
  %4 = alloca %struct.item, align 8
  %5 = alloca [2 x [3 x i32]], align 16
  store i32 0, ptr %1, align 4
    #dbg_declare(ptr %2, !31, !DIExpression(), !42)
  call void @llvm.memcpy.p0.p0.i64(ptr align 8 %2, ptr align 8 @__const.main.p, i64 32, i1 false), !dbg !42
    #dbg_declare(ptr %3, !43, !DIExpression(), !60)
  call void @llvm.memcpy.p0.p0.i64(ptr align 8 %3, ptr align 8 @__const.main.last, i64 32, i1 false), !dbg !60
    #dbg_declare(ptr %4, !61, !DIExpression(), !62)
  %6 = getelementptr inbounds %struct.item, ptr %4, i32 0, i32 0, !dbg !63
  store ptr @.str.1, ptr %6, align 8, !dbg !63
  %7 = getelementptr inbounds %struct.item, ptr %4, i32 0, i32 1, !dbg !63
  store ptr %3, ptr %7, align 8, !dbg !63
  %8 = getelementptr inbounds %struct.item, ptr %4, i32 0, i32 2, !dbg !63
  %9 = load i32, ptr %8, align 8, !dbg !63
  %10 = and i32 %9, -8, !dbg !63
  %11 = or i32 %10, 5, !dbg !63
  store i32 %11, ptr %8, align 8, !dbg !63
  %12 = getelementptr inbounds %struct.item, ptr %4, i32 0, i32 2, !dbg !63
  %13 = load i32, ptr %12, align 8, !dbg !63
  %14 = and i32 %13, -8388601, !dbg !63
  %15 = or i32 %14, 560000, !dbg !63
  store i32 %15, ptr %12, align 8, !dbg !63
  %16 = getelementptr inbounds %struct.item, ptr %4, i32 0, i32 3, !dbg !63
  store i32 7, ptr %16, align 4, !dbg !63
  %17 = getelementptr inbounds %struct.item, ptr %4, i32 0, i32 4, !dbg !63
  store float 1.500000e+00, ptr %17, align 8, !dbg !64
    #dbg_declare(ptr %5, !65, !DIExpression(), !70)
  call void @llvm.memset.p0.i64(ptr align 16 %5, i8 0, i64 24, i1 true), !dbg !70
  %18 = getelementptr inbounds [2 x [3 x i32]], ptr %5, i64 0, i64 0, !dbg !71
  %19 = call i32 @use(ptr noundef byval(%struct.point) align 8 %2, ptr noundef %4, ptr noundef %18), !dbg !72
  %20 = icmp eq i32 %19, 0, !dbg !73
  %21 = zext i1 %20 to i32, !dbg !73
  ret i32 %21, !dbg !74
}

; Function Attrs: nocallback nofree nounwind willreturn memory(argmem: readwrite)
declare void @llvm.memcpy.p0.p0.i64(ptr noalias nocapture writeonly, ptr noalias nocapture readonly, i64, i1 immarg) #1

; Function Attrs: nocallback nofree nounwind willreturn memory(argmem: write)
declare void @llvm.memset.p0.i64(ptr nocapture writeonly, i8, i64, i1 immarg) #2

; Function Attrs: noinline nounwind optnone uwtable
define internal i32 @use(ptr noundef byval(%struct.point) align 8 %0, ptr noundef %1, ptr noundef %2) !dbg !75 {
  %4 = alloca ptr, align 8
  %5 = alloca ptr, align 8
  %6 = alloca i32, align 4
  %7 = alloca i32, align 4
  %8 = alloca i32, align 4
    #dbg_declare(ptr %0, !82, !DIExpression(), !83)
  store ptr %1, ptr %4, align 8
    #dbg_declare(ptr %4, !84, !DIExpression(), !85)
  store ptr %2, ptr %5, align 8
    #dbg_declare(ptr %5, !86, !DIExpression(), !87)
    #dbg_declare(ptr %6, !88, !DIExpression(), !89)
  %9 = getelementptr inbounds %struct.point, ptr %0, i32 0, i32 0, !dbg !90
  %10 = load i32, ptr %9, align 8, !dbg !90
  %11 = getelementptr inbounds %struct.point, ptr %0, i32 0, i32 2, !dbg !91
  %12 = getelementptr inbounds [3 x i64], ptr %11, i64 0, i64 1, !dbg !92
  %13 = load i64, ptr %12, align 8, !dbg !92
  %14 = trunc i64 %13 to i32, !dbg !93
  %15 = add nsw i32 %10, %14, !dbg !94
  store i32 %15, ptr %6, align 4, !dbg !89
    #dbg_declare(ptr %7, !95, !DIExpression(), !97)
  store i32 0, ptr %7, align 4, !dbg !97
  br label %16, !dbg !98

16:                                               ; preds = %29, %3
  %17 = load i32, ptr %7, align 4, !dbg !99
  %18 = icmp slt i32 %17, 3, !dbg !101
  br i1 %18, label %19, label %32, !dbg !102

19:                                               ; preds = %16
  %20 = load i32, ptr %7, align 4, !dbg !103
  %21 = load i32, ptr %6, align 4, !dbg !105
  %22 = add nsw i32 %21, %20, !dbg !105
  store i32 %22, ptr %6, align 4, !dbg !105
  %23 = load i32, ptr %6, align 4, !dbg !106
  %24 = load ptr, ptr %5, align 8, !dbg !107
  %25 = getelementptr inbounds [3 x i32], ptr %24, i64 1, !dbg !107
  %26 = load i32, ptr %7, align 4, !dbg !108
  %27 = sext i32 %26 to i64, !dbg !107
  %28 = getelementptr inbounds [3 x i32], ptr %25, i64 0, i64 %27, !dbg !107
  store volatile i32 %23, ptr %28, align 4, !dbg !109
  br label %29, !dbg !110

29:                                               ; preds = %19
  %30 = load i32, ptr %7, align 4, !dbg !111
  %31 = add nsw i32 %30, 1, !dbg !111
  store i32 %31, ptr %7, align 4, !dbg !111
  br label %16, !dbg !112, !llvm.loop !113

32:                                               ; preds = %16
    #dbg_declare(ptr %8, !116, !DIExpression(), !118)
  store i32 5, ptr %8, align 4, !dbg !118
  br label %33, !dbg !119

33:                                               ; preds = %40, %32
  %34 = load i32, ptr %8, align 4, !dbg !120
  %35 = icmp slt i32 %34, 8, !dbg !122
  br i1 %35, label %36, label %43, !dbg !123

36:                                               ; preds = %33
  %37 = load i32, ptr %8, align 4, !dbg !124
  %38 = load i32, ptr %6, align 4, !dbg !125
  %39 = add nsw i32 %38, %37, !dbg !125
  store i32 %39, ptr %6, align 4, !dbg !125
  br label %40, !dbg !126

40:                                               ; preds = %36
  %41 = load i32, ptr %8, align 4, !dbg !127
  %42 = add nsw i32 %41, 1, !dbg !127
  store i32 %42, ptr %8, align 4, !dbg !127
  br label %33, !dbg !128, !llvm.loop !129

43:                                               ; preds = %33
  %44 = load i32, ptr %6, align 4, !dbg !131
  %45 = load ptr, ptr %4, align 8, !dbg !132
  %46 = getelementptr inbounds %struct.item, ptr %45, i32 0, i32 2, !dbg !133
  %47 = load i32, ptr %46, align 8, !dbg !133
  %48 = and i32 %47, 7, !dbg !133
  %49 = add nsw i32 %44, %48, !dbg !134
  ret i32 %49, !dbg !135
}


!llvm.dbg.cu = !{!9}
!llvm.module.flags = !{!20, !21, !22, !23, !24, !25, !26}
!llvm.ident = !{!27}

!0 = !DIGlobalVariableExpression(var: !1, expr: !DIExpression())
!1 = distinct !DIGlobalVariable(scope: null, file: !2, line: 12, type: !3, isLocal: true, isDefinition: true)
!2 = !DIFile(filename: "/src/t.c", directory: "", checksumkind: CSK_MD5, checksum: "3b902c8ef6b53e3b8d6d69fd0860299f")
!3 = !DICompositeType(tag: DW_TAG_array_type, baseType: !4, size: 40, elements: !5)
!4 = !DIBasicType(name: "char", size: 8, encoding: DW_ATE_signed_char)
!5 = !{!6}
!6 = !DISubrange(count: 5)
!7 = !DIGlobalVariableExpression(var: !8, expr: !DIExpression())
!8 = distinct !DIGlobalVariable(scope: null, file: !2, line: 13, type: !3, isLocal: true, isDefinition: true)
!9 = distinct !DICompileUnit(language: DW_LANG_C11, file: !10, producer: "Debian clang version 19.1.7 (3~deb12u1)", isOptimized: false, runtimeVersion: 0, emissionKind: FullDebug, enums: !11, retainedTypes: !17, globals: !19, splitDebugInlining: false, nameTableKind: None)
!10 = !DIFile(filename: "/src/t.c", directory: "/work/main", checksumkind: CSK_MD5, checksum: "3b902c8ef6b53e3b8d6d69fd0860299f")
!11 = !{!12}
!12 = !DICompositeType(tag: DW_TAG_enumeration_type, name: "shade", file: !2, line: 2, baseType: !13, size: 32, elements: !14)
!13 = !DIBasicType(name: "unsigned int", size: 32, encoding: DW_ATE_unsigned)
!14 = !{!15, !16}
!15 = !DIEnumerator(name: "LIGHT", value: 0)
!16 = !DIEnumerator(name: "DARK", value: 7)
!17 = !{!18}
!18 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
!19 = !{!0, !7}
!20 = !{i32 7, !"Dwarf Version", i32 5}
!21 = !{i32 2, !"Debug Info Version", i32 3}
!22 = !{i32 1, !"wchar_size", i32 4}
!23 = !{i32 8, !"PIC Level", i32 2}
!24 = !{i32 7, !"PIE Level", i32 2}
!25 = !{i32 7, !"uwtable", i32 2}
!26 = !{i32 7, !"frame-pointer", i32 2}
!27 = !{!"Debian clang version 19.1.7 (3~deb12u1)"}
!28 = distinct !DISubprogram(name: "main", scope: !2, file: !2, line: 10, type: !29, scopeLine: 10, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !9, retainedNodes: !30)
!29 = !DISubroutineType(types: !17)
!30 = !{}
!31 = !DILocalVariable(name: "p", scope: !28, file: !2, line: 11, type: !32)
!32 = !DIDerivedType(tag: DW_TAG_typedef, name: "point", file: !2, line: 1, baseType: !33)
!33 = distinct !DICompositeType(tag: DW_TAG_structure_type, file: !2, line: 1, size: 256, elements: !34)
!34 = !{!35, !36, !37}
!35 = !DIDerivedType(tag: DW_TAG_member, name: "x", scope: !33, file: !2, line: 1, baseType: !18, size: 32)
!36 = !DIDerivedType(tag: DW_TAG_member, name: "y", scope: !33, file: !2, line: 1, baseType: !18, size: 32, offset: 32)
!37 = !DIDerivedType(tag: DW_TAG_member, name: "big", scope: !33, file: !2, line: 1, baseType: !38, size: 192, offset: 64)
!38 = !DICompositeType(tag: DW_TAG_array_type, baseType: !39, size: 192, elements: !40)
!39 = !DIBasicType(name: "long", size: 64, encoding: DW_ATE_signed)
!40 = !{!41}
!41 = !DISubrange(count: 3)
!42 = !DILocation(line: 11, column: 9, scope: !28)
!43 = !DILocalVariable(name: "last", scope: !28, file: !2, line: 12, type: !44)
!44 = distinct !DICompositeType(tag: DW_TAG_structure_type, name: "item", file: !2, line: 3, size: 256, elements: !45)
!45 = !{!46, !49, !51, !52, !53, !54}
!46 = !DIDerivedType(tag: DW_TAG_member, name: "text", scope: !44, file: !2, line: 3, baseType: !47, size: 64)
!47 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !48, size: 64)
!48 = !DIDerivedType(tag: DW_TAG_const_type, baseType: !4)
!49 = !DIDerivedType(tag: DW_TAG_member, name: "next", scope: !44, file: !2, line: 3, baseType: !50, size: 64, offset: 64)
!50 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !44, size: 64)
!51 = !DIDerivedType(tag: DW_TAG_member, name: "small", scope: !44, file: !2, line: 3, baseType: !13, size: 3, offset: 128, flags: DIFlagBitField, extraData: i64 128)
!52 = !DIDerivedType(tag: DW_TAG_member, name: "wide", scope: !44, file: !2, line: 3, baseType: !13, size: 20, offset: 131, flags: DIFlagBitField, extraData: i64 128)
!53 = !DIDerivedType(tag: DW_TAG_member, name: "shade", scope: !44, file: !2, line: 3, baseType: !12, size: 32, offset: 160)
!54 = !DIDerivedType(tag: DW_TAG_member, scope: !44, file: !2, line: 3, baseType: !55, size: 32, offset: 192)
!55 = distinct !DICompositeType(tag: DW_TAG_union_type, scope: !44, file: !2, line: 3, size: 32, elements: !56)
!56 = !{!57, !58}
!57 = !DIDerivedType(tag: DW_TAG_member, name: "i", scope: !55, file: !2, line: 3, baseType: !18, size: 32)
!58 = !DIDerivedType(tag: DW_TAG_member, name: "f", scope: !55, file: !2, line: 3, baseType: !59, size: 32)
!59 = !DIBasicType(name: "float", size: 32, encoding: DW_ATE_float)
!60 = !DILocation(line: 12, column: 15, scope: !28)
!61 = !DILocalVariable(name: "item", scope: !28, file: !2, line: 13, type: !44)
!62 = !DILocation(line: 13, column: 15, scope: !28)
!63 = !DILocation(line: 13, column: 22, scope: !28)
!64 = !DILocation(line: 13, column: 54, scope: !28)
!65 = !DILocalVariable(name: "rows", scope: !28, file: !2, line: 14, type: !66)
!66 = !DICompositeType(tag: DW_TAG_array_type, baseType: !67, size: 192, elements: !68)
!67 = !DIDerivedType(tag: DW_TAG_volatile_type, baseType: !18)
!68 = !{!69, !41}
!69 = !DISubrange(count: 2)
!70 = !DILocation(line: 14, column: 16, scope: !28)
!71 = !DILocation(line: 15, column: 24, scope: !28)
!72 = !DILocation(line: 15, column: 10, scope: !28)
!73 = !DILocation(line: 15, column: 30, scope: !28)
!74 = !DILocation(line: 15, column: 3, scope: !28)
!75 = distinct !DISubprogram(name: "use", scope: !2, file: !2, line: 4, type: !76, scopeLine: 4, flags: DIFlagPrototyped, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition, unit: !9, retainedNodes: !30)
!76 = !DISubroutineType(types: !77)
!77 = !{!18, !32, !78, !80}
!78 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !79, size: 64)
!79 = !DIDerivedType(tag: DW_TAG_const_type, baseType: !44)
!80 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !81, size: 64)
!81 = !DICompositeType(tag: DW_TAG_array_type, baseType: !67, size: 96, elements: !40)
!82 = !DILocalVariable(name: "p", arg: 1, scope: !75, file: !2, line: 4, type: !32)
!83 = !DILocation(line: 4, column: 22, scope: !75)
!84 = !DILocalVariable(name: "item", arg: 2, scope: !75, file: !2, line: 4, type: !78)
!85 = !DILocation(line: 4, column: 44, scope: !75)
!86 = !DILocalVariable(name: "rows", arg: 3, scope: !75, file: !2, line: 4, type: !80)
!87 = !DILocation(line: 4, column: 63, scope: !75)
!88 = !DILocalVariable(name: "total", scope: !75, file: !2, line: 5, type: !18)
!89 = !DILocation(line: 5, column: 7, scope: !75)
!90 = !DILocation(line: 5, column: 17, scope: !75)
!91 = !DILocation(line: 5, column: 28, scope: !75)
!92 = !DILocation(line: 5, column: 26, scope: !75)
!93 = !DILocation(line: 5, column: 21, scope: !75)
!94 = !DILocation(line: 5, column: 19, scope: !75)
!95 = !DILocalVariable(name: "i", scope: !96, file: !2, line: 6, type: !18)
!96 = distinct !DILexicalBlock(scope: !75, file: !2, line: 6, column: 3)
!97 = !DILocation(line: 6, column: 12, scope: !96)
!98 = !DILocation(line: 6, column: 8, scope: !96)
!99 = !DILocation(line: 6, column: 19, scope: !100)
!100 = distinct !DILexicalBlock(scope: !96, file: !2, line: 6, column: 3)
!101 = !DILocation(line: 6, column: 21, scope: !100)
!102 = !DILocation(line: 6, column: 3, scope: !96)
!103 = !DILocation(line: 6, column: 42, scope: !104)
!104 = distinct !DILexicalBlock(scope: !100, file: !2, line: 6, column: 31)
!105 = !DILocation(line: 6, column: 39, scope: !104)
!106 = !DILocation(line: 6, column: 58, scope: !104)
!107 = !DILocation(line: 6, column: 45, scope: !104)
!108 = !DILocation(line: 6, column: 53, scope: !104)
!109 = !DILocation(line: 6, column: 56, scope: !104)
!110 = !DILocation(line: 6, column: 65, scope: !104)
!111 = !DILocation(line: 6, column: 27, scope: !100)
!112 = !DILocation(line: 6, column: 3, scope: !100)
!113 = distinct !{!113, !102, !114, !115}
!114 = !DILocation(line: 6, column: 65, scope: !96)
!115 = !{!"llvm.loop.mustprogress"}
!116 = !DILocalVariable(name: "i", scope: !117, file: !2, line: 7, type: !18)
!117 = distinct !DILexicalBlock(scope: !75, file: !2, line: 7, column: 3)
!118 = !DILocation(line: 7, column: 12, scope: !117)
!119 = !DILocation(line: 7, column: 8, scope: !117)
!120 = !DILocation(line: 7, column: 19, scope: !121)
!121 = distinct !DILexicalBlock(scope: !117, file: !2, line: 7, column: 3)
!122 = !DILocation(line: 7, column: 21, scope: !121)
!123 = !DILocation(line: 7, column: 3, scope: !117)
!124 = !DILocation(line: 7, column: 40, scope: !121)
!125 = !DILocation(line: 7, column: 37, scope: !121)
!126 = !DILocation(line: 7, column: 31, scope: !121)
!127 = !DILocation(line: 7, column: 27, scope: !121)
!128 = !DILocation(line: 7, column: 3, scope: !121)
!129 = distinct !{!129, !123, !130, !115}
!130 = !DILocation(line: 7, column: 40, scope: !117)
!131 = !DILocation(line: 8, column: 10, scope: !75)
!132 = !DILocation(line: 8, column: 18, scope: !75)
!133 = !DILocation(line: 8, column: 24, scope: !75)
!134 = !DILocation(line: 8, column: 16, scope: !75)
!135 = !DILocation(line: 8, column: 3, scope: !75)

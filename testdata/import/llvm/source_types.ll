; Types of variables, as clang writes them for C: a list, bit-fields, an enumeration, arrays, qualifiers, pointers.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

%struct.node = type { ptr, i64, i32, i32, %union.anon, [2 x [4 x i8]] }
%union.anon = type { i32 }

@.str = private unnamed_addr constant [4 x i8] c"ab\00\00", align 1, !dbg !0
@.str.1 = private unnamed_addr constant [4 x i8] c"c\00\00\00", align 1, !dbg !7

define dso_local i32 @all(ptr noundef %0, i64 noundef %1, i8 noundef zeroext %2, i1 noundef zeroext %3, ptr noundef %4, ptr noundef %5, ptr noundef %6) !dbg !28 {
  %8 = alloca ptr, align 8
  %9 = alloca i64, align 8
  %10 = alloca i8, align 1
  %11 = alloca i8, align 1
  %12 = alloca ptr, align 8
  %13 = alloca ptr, align 8
  %14 = alloca ptr, align 8
  %15 = alloca %struct.node, align 8
  %16 = alloca i32, align 4
  %17 = alloca i64, align 8
  store ptr %0, ptr %8, align 8
    #dbg_declare(ptr %8, !62, !DIExpression(), !63)
  store i64 %1, ptr %9, align 8
    #dbg_declare(ptr %9, !64, !DIExpression(), !65)
  store i8 %2, ptr %10, align 1
    #dbg_declare(ptr %10, !66, !DIExpression(), !67)
  %18 = zext i1 %3 to i8
  store i8 %18, ptr %11, align 1
    #dbg_declare(ptr %11, !68, !DIExpression(), !69)
  store ptr %4, ptr %12, align 8
    #dbg_declare(ptr %12, !70, !DIExpression(), !71)
  store ptr %5, ptr %13, align 8
    #dbg_declare(ptr %13, !72, !DIExpression(), !73)
  store ptr %6, ptr %14, align 8
    #dbg_declare(ptr %14, !74, !DIExpression(), !75)
    #dbg_declare(ptr %15, !76, !DIExpression(), !77)
  %19 = getelementptr inbounds %struct.node, ptr %15, i32 0, i32 0, !dbg !78
  %20 = load ptr, ptr %8, align 8, !dbg !79
  store ptr %20, ptr %19, align 8, !dbg !78
  %21 = getelementptr inbounds %struct.node, ptr %15, i32 0, i32 1, !dbg !78
  %22 = load i64, ptr %9, align 8, !dbg !80
  store i64 %22, ptr %21, align 8, !dbg !78
  %23 = getelementptr inbounds %struct.node, ptr %15, i32 0, i32 2, !dbg !78
  %24 = load i32, ptr %23, align 8, !dbg !78
  %25 = and i32 %24, -8, !dbg !78
  %26 = or i32 %25, 1, !dbg !78
  store i32 %26, ptr %23, align 8, !dbg !78
  %27 = getelementptr inbounds %struct.node, ptr %15, i32 0, i32 2, !dbg !78
  %28 = load i32, ptr %27, align 8, !dbg !78
  %29 = and i32 %28, 7, !dbg !78
  %30 = or i32 %29, 16, !dbg !78
  store i32 %30, ptr %27, align 8, !dbg !78
  %31 = getelementptr inbounds %struct.node, ptr %15, i32 0, i32 3, !dbg !78
  store i32 0, ptr %31, align 4, !dbg !78
  %32 = getelementptr inbounds %struct.node, ptr %15, i32 0, i32 4, !dbg !78
  store i32 3, ptr %32, align 8, !dbg !81
  %33 = getelementptr inbounds %struct.node, ptr %15, i32 0, i32 5, !dbg !78
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %33, ptr align 1 @.str, i64 4, i1 false), !dbg !82
  %34 = getelementptr inbounds [4 x i8], ptr %33, i64 1, !dbg !83
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %34, ptr align 1 @.str.1, i64 4, i1 false), !dbg !84
    #dbg_declare(ptr %16, !85, !DIExpression(), !88)
  %35 = load i8, ptr %10, align 1, !dbg !89
  %36 = zext i8 %35 to i32, !dbg !89
  store volatile i32 %36, ptr %16, align 4, !dbg !88
    #dbg_declare(ptr %17, !90, !DIExpression(), !92)
  store i64 0, ptr %17, align 8, !dbg !92
  %37 = getelementptr inbounds %struct.node, ptr %15, i32 0, i32 2, !dbg !93
  %38 = load i32, ptr %37, align 8, !dbg !93
  %39 = and i32 %38, 7, !dbg !93
  %40 = load volatile i32, ptr %16, align 4, !dbg !94
  %41 = add nsw i32 %39, %40, !dbg !95
  %42 = load i64, ptr %17, align 8, !dbg !96
  %43 = trunc i64 %42 to i32, !dbg !97
  %44 = add nsw i32 %41, %43, !dbg !98
  %45 = load i8, ptr %11, align 1, !dbg !99
  %46 = trunc i8 %45 to i1, !dbg !99
  %47 = zext i1 %46 to i32, !dbg !99
  %48 = add nsw i32 %44, %47, !dbg !100
  %49 = load ptr, ptr %12, align 8, !dbg !101
  %50 = icmp ne ptr %49, null, !dbg !102
  %51 = zext i1 %50 to i32, !dbg !102
  %52 = add nsw i32 %48, %51, !dbg !103
  %53 = load ptr, ptr %13, align 8, !dbg !104
  %54 = icmp ne ptr %53, null, !dbg !105
  %55 = zext i1 %54 to i32, !dbg !105
  %56 = add nsw i32 %52, %55, !dbg !106
  %57 = load ptr, ptr %14, align 8, !dbg !107
  %58 = icmp ne ptr %57, null, !dbg !108
  %59 = zext i1 %58 to i32, !dbg !108
  %60 = add nsw i32 %56, %59, !dbg !109
  ret i32 %60, !dbg !110
}

declare void @llvm.memcpy.p0.p0.i64(ptr noalias nocapture writeonly, ptr noalias nocapture readonly, i64, i1 immarg)


!llvm.dbg.cu = !{!9}
!llvm.module.flags = !{!20, !21, !22, !23, !24, !25, !26}

!0 = !DIGlobalVariableExpression(var: !1, expr: !DIExpression())
!1 = distinct !DIGlobalVariable(scope: null, file: !2, line: 5, type: !3, isLocal: true, isDefinition: true)
!2 = !DIFile(filename: "/src/types.c", directory: "", checksumkind: CSK_MD5, checksum: "e904f42c72ce4a4ad82bc037fb8245c7")
!3 = !DICompositeType(tag: DW_TAG_array_type, baseType: !4, size: 32, elements: !5)
!4 = !DIBasicType(name: "char", size: 8, encoding: DW_ATE_signed_char)
!5 = !{!6}
!6 = !DISubrange(count: 4)
!7 = !DIGlobalVariableExpression(var: !8, expr: !DIExpression())
!8 = distinct !DIGlobalVariable(scope: null, file: !2, line: 5, type: !3, isLocal: true, isDefinition: true)
!9 = distinct !DICompileUnit(language: DW_LANG_C11, file: !10, isOptimized: false, runtimeVersion: 0, emissionKind: FullDebug, enums: !11, retainedTypes: !18, globals: !19, splitDebugInlining: false, nameTableKind: None)
!10 = !DIFile(filename: "/src/types.c", directory: "/work/wt", checksumkind: CSK_MD5, checksum: "e904f42c72ce4a4ad82bc037fb8245c7")
!11 = !{!12}
!12 = !DICompositeType(tag: DW_TAG_enumeration_type, name: "color", file: !2, line: 1, baseType: !13, size: 32, elements: !14)
!13 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
!14 = !{!15, !16, !17}
!15 = !DIEnumerator(name: "RED", value: 0)
!16 = !DIEnumerator(name: "GREEN", value: 5)
!17 = !DIEnumerator(name: "BLUE", value: -1)
!18 = !{!13}
!19 = !{!0, !7}
!20 = !{i32 7, !"Dwarf Version", i32 5}
!21 = !{i32 2, !"Debug Info Version", i32 3}
!22 = !{i32 1, !"wchar_size", i32 4}
!23 = !{i32 8, !"PIC Level", i32 2}
!24 = !{i32 7, !"PIE Level", i32 2}
!25 = !{i32 7, !"uwtable", i32 2}
!26 = !{i32 7, !"frame-pointer", i32 2}
!28 = distinct !DISubprogram(name: "all", scope: !2, file: !2, line: 4, type: !29, scopeLine: 4, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !9, retainedNodes: !61)
!29 = !DISubroutineType(types: !30)
!30 = !{!13, !31, !36, !52, !53, !54, !57, !58}
!31 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !32, size: 64)
!32 = distinct !DICompositeType(tag: DW_TAG_structure_type, name: "node", file: !2, line: 3, size: 320, elements: !33)
!33 = !{!34, !35, !38, !40, !41, !42, !48}
!34 = !DIDerivedType(tag: DW_TAG_member, name: "next", scope: !32, file: !2, line: 3, baseType: !31, size: 64)
!35 = !DIDerivedType(tag: DW_TAG_member, name: "count", scope: !32, file: !2, line: 3, baseType: !36, size: 64, offset: 64)
!36 = !DIDerivedType(tag: DW_TAG_typedef, name: "size", file: !2, line: 2, baseType: !37)
!37 = !DIBasicType(name: "unsigned long", size: 64, encoding: DW_ATE_unsigned)
!38 = !DIDerivedType(tag: DW_TAG_member, name: "flag", scope: !32, file: !2, line: 3, baseType: !39, size: 3, offset: 128, flags: DIFlagBitField, extraData: i64 128)
!39 = !DIBasicType(name: "unsigned int", size: 32, encoding: DW_ATE_unsigned)
!40 = !DIDerivedType(tag: DW_TAG_member, name: "rest", scope: !32, file: !2, line: 3, baseType: !39, size: 29, offset: 131, flags: DIFlagBitField, extraData: i64 128)
!41 = !DIDerivedType(tag: DW_TAG_member, name: "color", scope: !32, file: !2, line: 3, baseType: !12, size: 32, offset: 160)
!42 = !DIDerivedType(tag: DW_TAG_member, name: "u", scope: !32, file: !2, line: 3, baseType: !43, size: 32, offset: 192)
!43 = distinct !DICompositeType(tag: DW_TAG_union_type, scope: !32, file: !2, line: 3, size: 32, elements: !44)
!44 = !{!45, !46}
!45 = !DIDerivedType(tag: DW_TAG_member, name: "i", scope: !43, file: !2, line: 3, baseType: !13, size: 32)
!46 = !DIDerivedType(tag: DW_TAG_member, name: "f", scope: !43, file: !2, line: 3, baseType: !47, size: 32)
!47 = !DIBasicType(name: "float", size: 32, encoding: DW_ATE_float)
!48 = !DIDerivedType(tag: DW_TAG_member, name: "name", scope: !32, file: !2, line: 3, baseType: !49, size: 64, offset: 224)
!49 = !DICompositeType(tag: DW_TAG_array_type, baseType: !4, size: 64, elements: !50)
!50 = !{!51, !6}
!51 = !DISubrange(count: 2)
!52 = !DIBasicType(name: "unsigned char", size: 8, encoding: DW_ATE_unsigned_char)
!53 = !DIBasicType(name: "_Bool", size: 8, encoding: DW_ATE_boolean)
!54 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !55, size: 64)
!55 = !DIDerivedType(tag: DW_TAG_const_type, baseType: !56)
!56 = !DIBasicType(name: "double", size: 64, encoding: DW_ATE_float)
!57 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: null, size: 64)
!58 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !59, size: 64)
!59 = !DISubroutineType(types: !60)
!60 = !{!13, !13}
!61 = !{}
!62 = !DILocalVariable(name: "list", arg: 1, scope: !28, file: !2, line: 4, type: !31)
!63 = !DILocation(line: 4, column: 22, scope: !28)
!64 = !DILocalVariable(name: "n", arg: 2, scope: !28, file: !2, line: 4, type: !36)
!65 = !DILocation(line: 4, column: 33, scope: !28)
!66 = !DILocalVariable(name: "c", arg: 3, scope: !28, file: !2, line: 4, type: !52)
!67 = !DILocation(line: 4, column: 50, scope: !28)
!68 = !DILocalVariable(name: "b", arg: 4, scope: !28, file: !2, line: 4, type: !53)
!69 = !DILocation(line: 4, column: 59, scope: !28)
!70 = !DILocalVariable(name: "d", arg: 5, scope: !28, file: !2, line: 4, type: !54)
!71 = !DILocation(line: 4, column: 76, scope: !28)
!72 = !DILocalVariable(name: "p", arg: 6, scope: !28, file: !2, line: 4, type: !57)
!73 = !DILocation(line: 4, column: 85, scope: !28)
!74 = !DILocalVariable(name: "f", arg: 7, scope: !28, file: !2, line: 4, type: !58)
!75 = !DILocation(line: 4, column: 94, scope: !28)
!76 = !DILocalVariable(name: "own", scope: !28, file: !2, line: 5, type: !32)
!77 = !DILocation(line: 5, column: 15, scope: !28)
!78 = !DILocation(line: 5, column: 21, scope: !28)
!79 = !DILocation(line: 5, column: 23, scope: !28)
!80 = !DILocation(line: 5, column: 29, scope: !28)
!81 = !DILocation(line: 5, column: 43, scope: !28)
!82 = !DILocation(line: 5, column: 52, scope: !28)
!83 = !DILocation(line: 5, column: 50, scope: !28)
!84 = !DILocation(line: 5, column: 58, scope: !28)
!85 = !DILocalVariable(name: "k", scope: !28, file: !2, line: 6, type: !86)
!86 = !DIDerivedType(tag: DW_TAG_const_type, baseType: !87)
!87 = !DIDerivedType(tag: DW_TAG_volatile_type, baseType: !13)
!88 = !DILocation(line: 6, column: 22, scope: !28)
!89 = !DILocation(line: 6, column: 26, scope: !28)
!90 = !DILocalVariable(name: "double_", scope: !28, file: !2, line: 7, type: !91)
!91 = !DIBasicType(name: "long", size: 64, encoding: DW_ATE_signed)
!92 = !DILocation(line: 7, column: 8, scope: !28)
!93 = !DILocation(line: 8, column: 14, scope: !28)
!94 = !DILocation(line: 8, column: 21, scope: !28)
!95 = !DILocation(line: 8, column: 19, scope: !28)
!96 = !DILocation(line: 8, column: 30, scope: !28)
!97 = !DILocation(line: 8, column: 25, scope: !28)
!98 = !DILocation(line: 8, column: 23, scope: !28)
!99 = !DILocation(line: 8, column: 40, scope: !28)
!100 = !DILocation(line: 8, column: 38, scope: !28)
!101 = !DILocation(line: 8, column: 45, scope: !28)
!102 = !DILocation(line: 8, column: 47, scope: !28)
!103 = !DILocation(line: 8, column: 42, scope: !28)
!104 = !DILocation(line: 8, column: 56, scope: !28)
!105 = !DILocation(line: 8, column: 58, scope: !28)
!106 = !DILocation(line: 8, column: 53, scope: !28)
!107 = !DILocation(line: 8, column: 67, scope: !28)
!108 = !DILocation(line: 8, column: 69, scope: !28)
!109 = !DILocation(line: 8, column: 64, scope: !28)
!110 = !DILocation(line: 8, column: 3, scope: !28)

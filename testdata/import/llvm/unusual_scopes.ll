; Scopes of variables that are not like those of C without macros and includes.
target triple = "x86_64-unknown-linux-gnu"

; A block in one file, a block in two, two blocks at one place as a macro makes them, and blocks that contain themselves.
; A part of a block in another file is in the block.
; run: @f() == 45
define i32 @f() !dbg !10 {
  %outer = alloca i32
  %included = alloca i32
  %both = alloca i32
  %first = alloca i32
  %second = alloca i32
  %endless = alloca i32
  %part = alloca i32
  %whole = alloca i32
  %alone = alloca i32
    #dbg_declare(ptr %outer, !20, !DIExpression(), !40)
    #dbg_declare(ptr %included, !21, !DIExpression(), !41)
    #dbg_declare(ptr %both, !22, !DIExpression(), !42)
    #dbg_declare(ptr %first, !23, !DIExpression(), !43)
    #dbg_declare(ptr %second, !24, !DIExpression(), !44)
    #dbg_declare(ptr %endless, !25, !DIExpression(), !45)
    #dbg_declare(ptr %part, !26, !DIExpression(), !46)
    #dbg_declare(ptr %whole, !27, !DIExpression(), !47)
    #dbg_declare(ptr %alone, !28, !DIExpression(), !42)
  store i32 1, ptr %outer, !dbg !40
  store i32 2, ptr %included, !dbg !41
  store i32 3, ptr %both, !dbg !42
  store i32 4, ptr %first, !dbg !43
  store i32 5, ptr %second, !dbg !44
  store i32 6, ptr %endless, !dbg !45
  store i32 7, ptr %part, !dbg !46
  store i32 8, ptr %whole, !dbg !47
  store i32 9, ptr %alone, !dbg !48
  %1 = load i32, ptr %outer, !dbg !40
  %2 = load i32, ptr %included, !dbg !41
  %3 = load i32, ptr %both, !dbg !42
  %4 = load i32, ptr %first, !dbg !43
  %5 = load i32, ptr %second, !dbg !44
  %6 = load i32, ptr %endless, !dbg !45
  %7 = load i32, ptr %part, !dbg !46
  %8 = load i32, ptr %whole, !dbg !47
  %9 = load i32, ptr %alone, !dbg !48
  %10 = add i32 %1, %2
  %11 = add i32 %10, %3
  %12 = add i32 %11, %4
  %13 = add i32 %12, %5
  %14 = add i32 %13, %6
  %15 = add i32 %14, %7
  %16 = add i32 %15, %8
  %17 = add i32 %16, %9
  ret i32 %17, !dbg !40
}

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!1}

!0 = distinct !DICompileUnit(language: DW_LANG_C11, file: !2, emissionKind: FullDebug)
!1 = !{i32 2, !"Debug Info Version", i32 3}
!2 = !DIFile(filename: "main.c", directory: "/src")
!3 = !DIFile(filename: "inc.h", directory: "/src")
!4 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
!10 = distinct !DISubprogram(name: "f", scope: !2, file: !2, line: 1, unit: !0)
!11 = distinct !DILexicalBlock(scope: !10, file: !3, line: 1, column: 1)
!12 = distinct !DILexicalBlock(scope: !10, file: !2, line: 4, column: 3)
!13 = !DILexicalBlockFile(scope: !12, file: !3, discriminator: 0)
!14 = distinct !DILexicalBlock(scope: !10, file: !2, line: 8, column: 7)
!15 = distinct !DILexicalBlock(scope: !14, file: !2, line: 8, column: 7)
!16 = distinct !DILexicalBlock(scope: !17, file: !2, line: 9, column: 3)
!17 = distinct !DILexicalBlock(scope: !16, file: !2, line: 9, column: 3)
!18 = distinct !DILexicalBlock(scope: !18, file: !2, line: 9, column: 3)
!19 = !DILexicalBlockFile(scope: !10, file: !3, discriminator: 0)
!20 = !DILocalVariable(name: "i", scope: !19, file: !2, line: 2, type: !4)
!21 = !DILocalVariable(name: "n", scope: !11, file: !3, line: 2, type: !4)
!22 = !DILocalVariable(name: "n", scope: !12, file: !2, line: 5, type: !4)
!23 = !DILocalVariable(name: "x", scope: !14, file: !2, line: 8, type: !4)
!24 = !DILocalVariable(name: "x", scope: !15, file: !2, line: 8, type: !4)
!25 = !DILocalVariable(name: "endless", scope: !16, file: !2, line: 9, type: !4)
!26 = !DILocalVariable(name: "part", scope: !13, file: !3, line: 5, type: !4)
!27 = !DILocalVariable(name: "i", scope: !49, file: !2, line: 11, type: !4)
!28 = !DILocalVariable(name: "alone", scope: !12, file: !2, line: 5, type: !4)
!40 = !DILocation(line: 2, column: 3, scope: !10)
!41 = !DILocation(line: 2, column: 5, scope: !11)
!42 = !DILocation(line: 5, column: 3, scope: !12)
!43 = !DILocation(line: 8, column: 7, scope: !14)
!44 = !DILocation(line: 8, column: 7, scope: !15)
!45 = !DILocation(line: 9, column: 7, scope: !18)
!46 = !DILocation(line: 5, column: 7, scope: !13)
!47 = !DILocation(line: 11, scope: !49)
!48 = !DILocation(line: 6, column: 7, scope: !12)
!49 = distinct !DILexicalBlock(scope: !10, file: !2, line: 10)

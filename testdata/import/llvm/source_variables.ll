; Names of the source's variables, by debug records: of stack objects, and of registers that are the only value of a
; variable. Two variables may have one name, and a value may have it in the text.
target triple = "x86_64-unknown-linux-gnu"

; run: @declared(4, 3) == 10
define i32 @declared(i32 %0, i32 %count) !dbg !10 {
  %2 = alloca i32, align 4
  %count.addr = alloca i32, align 4
  %3 = alloca i32, align 4
  %4 = alloca i32, align 4
  store i32 %0, ptr %2, align 4
    #dbg_declare(ptr %2, !12, !DIExpression(), !20)
  store i32 %count, ptr %count.addr, align 4
    #dbg_declare(ptr %count.addr, !13, !DIExpression(), !20)
  store i32 1, ptr %3, align 4, !dbg !20
    #dbg_declare(ptr %3, !14, !DIExpression(), !20)
  store i32 2, ptr %4, align 4, !dbg !20
    #dbg_declare(ptr %4, !15, !DIExpression(), !20)
  %5 = load i32, ptr %2, align 4, !dbg !20
  %6 = load i32, ptr %count.addr, align 4, !dbg !20
  %i = load i32, ptr %3, align 4, !dbg !20
  %7 = load i32, ptr %4, align 4, !dbg !20
  %8 = add i32 %5, %6, !dbg !20
  %9 = add i32 %i, %7, !dbg !20
  %10 = add i32 %8, %9, !dbg !20
  ret i32 %10, !dbg !20
}

; The parameter and the square are values; the sum changes, and an expression is no value of the variable.
; run: @values(3) == 21
define i32 @values(i32 %0) !dbg !11 {
    #dbg_value(i32 %0, !16, !DIExpression(), !21)
  %2 = mul i32 %0, %0, !dbg !21
    #dbg_value(i32 %2, !17, !DIExpression(), !21)
    #dbg_value(i32 0, !18, !DIExpression(), !21)
  %3 = add i32 %2, %0, !dbg !21
    #dbg_value(i32 %3, !18, !DIExpression(), !21)
  %4 = add i32 %3, %2, !dbg !21
    #dbg_value(i32 %4, !18, !DIExpression(), !21)
    #dbg_value(i32 %4, !19, !DIExpression(DW_OP_plus_uconst, 1, DW_OP_stack_value), !21)
    #dbg_value(!DIArgList(i32 %0, i32 %2), !22, !DIExpression(DW_OP_LLVM_arg, 0), !21)
    #dbg_label(!23, !21)
  ret i32 %4, !dbg !21
}

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!1}

!0 = distinct !DICompileUnit(language: DW_LANG_C11, file: !2, emissionKind: FullDebug)
!1 = !{i32 2, !"Debug Info Version", i32 3}
!2 = !DIFile(filename: "v.c", directory: "/src")
!3 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
!10 = distinct !DISubprogram(name: "declared", scope: !2, file: !2, line: 1, unit: !0)
!11 = distinct !DISubprogram(name: "values", scope: !2, file: !2, line: 9, unit: !0)
!12 = !DILocalVariable(name: "n", arg: 1, scope: !10, file: !2, line: 1, type: !3)
!13 = !DILocalVariable(name: "count", arg: 2, scope: !10, file: !2, line: 1, type: !3)
!14 = !DILocalVariable(name: "i", scope: !10, file: !2, line: 2, type: !3)
!15 = !DILocalVariable(name: "i", scope: !10, file: !2, line: 3, type: !3)
!16 = !DILocalVariable(name: "x", arg: 1, scope: !11, file: !2, line: 9, type: !3)
!17 = !DILocalVariable(name: "square", scope: !11, file: !2, line: 10, type: !3)
!18 = !DILocalVariable(name: "sum", scope: !11, file: !2, line: 11, type: !3)
!19 = !DILocalVariable(name: "next", scope: !11, file: !2, line: 12, type: !3)
!20 = !DILocation(line: 2, column: 3, scope: !10)
!21 = !DILocation(line: 10, column: 3, scope: !11)
!22 = !DILocalVariable(name: "both", scope: !11, file: !2, line: 13, type: !3)
!23 = !DILabel(scope: !11, name: "l", file: !2, line: 14)

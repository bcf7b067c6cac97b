; Names of the source's variables, by the calls that LLVM wrote up to version 18.
target triple = "x86_64-unknown-linux-gnu"

declare void @llvm.dbg.declare(metadata, metadata, metadata)
declare void @llvm.dbg.value(metadata, metadata, metadata)

; run: @declared(4, 3) == 10
define i32 @declared(i32 %0, i32 %count) !dbg !10 {
  %2 = alloca i32, align 4
  %count.addr = alloca i32, align 4
  %3 = alloca i32, align 4
  %4 = alloca i32, align 4
  store i32 %0, ptr %2, align 4
  call void @llvm.dbg.declare(metadata ptr %2, metadata !12, metadata !DIExpression()), !dbg !20
  store i32 %count, ptr %count.addr, align 4
  call void @llvm.dbg.declare(metadata ptr %count.addr, metadata !13, metadata !DIExpression()), !dbg !20
  store i32 1, ptr %3, align 4, !dbg !20
  call void @llvm.dbg.declare(metadata ptr %3, metadata !14, metadata !DIExpression()), !dbg !20
  store i32 2, ptr %4, align 4, !dbg !20
  call void @llvm.dbg.declare(metadata ptr %4, metadata !15, metadata !DIExpression()), !dbg !20
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
  call void @llvm.dbg.value(metadata i32 %0, metadata !16, metadata !DIExpression()), !dbg !21
  %2 = mul i32 %0, %0, !dbg !21
  call void @llvm.dbg.value(metadata i32 %2, metadata !17, metadata !DIExpression()), !dbg !21
  call void @llvm.dbg.value(metadata i32 0, metadata !18, metadata !DIExpression()), !dbg !21
  %3 = add i32 %2, %0, !dbg !21
  call void @llvm.dbg.value(metadata i32 %3, metadata !18, metadata !DIExpression()), !dbg !21
  %4 = add i32 %3, %2, !dbg !21
  call void @llvm.dbg.value(metadata i32 %4, metadata !18, metadata !DIExpression()), !dbg !21
  call void @llvm.dbg.value(metadata i32 %4, metadata !19, metadata !DIExpression(DW_OP_plus_uconst, 1, DW_OP_stack_value)), !dbg !21
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

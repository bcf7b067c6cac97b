; returns 9
; LLVM 19: debug records in place of debug intrinsics, `nuw` and `nsw` on `trunc`, `nneg` on `uitofp`, `nusw` and `nuw`
; on `getelementptr`, `inrange(..)`, `range(..)`, `initializes(..)`, `llvm.scmp` and `llvm.ucmp`.
target triple = "x86_64-unknown-linux-gnu"

@table = internal constant { [2 x i32] } { [2 x i32] [i32 3, i32 9] }, align 4
@entry = internal constant ptr getelementptr inbounds inrange(-4, 4) ({ [2 x i32] }, ptr @table, i32 0, i32 0, i32 1), align 8

define range(i32 0, 100) i32 @small(i64 range(i64 0, 50) %x) !dbg !4 {
    #dbg_value(i64 %x, !8, !DIExpression(), !9)
  %t = trunc nuw nsw i64 %x to i32, !dbg !9
  %d = uitofp nneg i32 %t to double, !dbg !9
  %n = fptosi double %d to i32, !dbg !9
    #dbg_label(!10, !9)
  ret i32 %n, !dbg !9
}

define void @fill(ptr nocapture noundef initializes((0, 4), (8, 12)) %p, i64 %i) {
  %q = getelementptr nusw nuw i32, ptr %p, i64 %i
  store i32 7, ptr %p, align 4
  %far = getelementptr inbounds nuw i8, ptr %p, i64 8
  store i32 8, ptr %far, align 4
  store i32 1, ptr %q, align 4
  ret void
}

define i32 @main() {
  %a = alloca [3 x i32], align 4
  call void @fill(ptr %a, i64 1)
  %one = getelementptr i8, ptr %a, i64 4
  %w = load i32, ptr %one, align 4
  %p = load ptr, ptr @entry, align 8
  %x = load i32, ptr %p, align 4
  %wide = sext i32 %x to i64
  %y = call i32 @small(i64 %wide)
  %less = call i8 @llvm.scmp.i8.i32(i32 %w, i32 %y)
  %more = call i32 @llvm.ucmp.i32.i32(i32 %y, i32 %w)
  %less.wide = sext i8 %less to i32
  %sum = add i32 %y, %less.wide
  %r = add i32 %sum, %more
  ret i32 %r
}

declare i8 @llvm.scmp.i8.i32(i32, i32)
declare i32 @llvm.ucmp.i32.i32(i32, i32)

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2, !3}
!0 = distinct !DICompileUnit(language: DW_LANG_C11, file: !1, producer: "clang version 19.1.7", isOptimized: true, runtimeVersion: 0, emissionKind: FullDebug, splitDebugInlining: false, nameTableKind: None)
!1 = !DIFile(filename: "llvm19.c", directory: "/src", checksumkind: CSK_MD5, checksum: "d41d8cd98f00b204e9800998ecf8427e")
!2 = !{i32 7, !"Dwarf Version", i32 5}
!3 = !{i32 2, !"Debug Info Version", i32 3}
!4 = distinct !DISubprogram(name: "small", scope: !1, file: !1, line: 1, type: !5, scopeLine: 1, flags: DIFlagPrototyped | DIFlagAllCallsDescribed, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0, retainedNodes: !7)
!5 = !DISubroutineType(types: !6)
!6 = !{!11, !12}
!7 = !{!8}
!8 = !DILocalVariable(name: "x", arg: 1, scope: !4, file: !1, line: 1, type: !12)
!9 = !DILocation(line: 2, column: 3, scope: !4)
!10 = !DILabel(scope: !4, name: "end", file: !1, line: 3)
!11 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
!12 = !DIBasicType(name: "long", size: 64, encoding: DW_ATE_signed)

; Positions in the source; an instruction without one has the position of the previous instruction.
define i32 @f(i32 %x) !dbg !4 {
  %1 = add i32 %x, 1, !dbg !6
  %2 = mul i32 %1, 3
  %3 = icmp eq i32 %2, 7, !dbg !7
  br i1 %3, label %4, label %5, !dbg !8
4:
  %y = sub i32 %2, 4
  ret i32 %y, !dbg !9, !unknown !9
5:
  ret i32 0, !dbg !10
}

define void @without() {
  ret void
}

!llvm.dbg.cu = !{!0}
!0 = distinct !DICompileUnit(language: DW_LANG_C11, file: !1, producer: "clang")
!1 = !DIFile(filename: "a, \22b\22.c", directory: "/src")
!2 = !DIFile(filename: "/include/a.h", directory: "/src", checksumkind: CSK_MD5, checksum: "00")
!3 = !DISubroutineType(types: !{})
!4 = distinct !DISubprogram(name: "f", scope: !1, file: !1, line: 3, type: !3, unit: !0)
!5 = distinct !DILexicalBlock(scope: !4, line: 4)
!6 = !DILocation(line: 4, column: 9, scope: !5)
!7 = !DILocation(line: 5, scope: !4)
!8 = !DILocation(line: 0, scope: !4)
!9 = !DILocation(line: 12, column: 2, scope: !11, inlinedAt: !6)
!10 = !DILocation(line: 7, column: 1, scope: !99)
!11 = !DILexicalBlockFile(scope: !4, file: !2, discriminator: 1)

; Volatile accesses of odd widths are made in pieces.
define void @bits(ptr %p) {
  %x = load volatile i24, ptr %p
  %y = add i24 %x, 1
  store volatile i24 %y, ptr %p
  ret void
}

; Long copies, and copies of unknown length, are loops over the bytes. Those of `memmove` may run from the end.
define void @blocks(ptr %to, ptr %from, i64 %n, i8 %x) {
  call void @llvm.memcpy.p0.p0.i64(ptr %to, ptr %from, i64 2000, i1 true)
  call void @llvm.memmove.p0.p0.i64(ptr %to, ptr %from, i64 %n, i1 true)
  call void @llvm.memset.p0.i64(ptr %to, i8 %x, i64 %n, i1 true)
  call void @llvm.memset.p0.i64(ptr %to, i8 0, i64 5, i1 true)
  ret void
}

declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
declare void @llvm.memmove.p0.p0.i64(ptr, ptr, i64, i1)
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)

; A volatile store of an integer of two registers is two stores.
define void @wide(ptr %p, i128 %x) {
  store volatile i128 %x, ptr %p
  ret void
}

@half = global half 1.5

; returns 72
; LLVM 18: `nneg` on extensions, `disjoint` on `or`, `writable` and `dead_on_unwind` results in memory, `code_model` of
; globals, `llvm.exp10`.
target triple = "x86_64-unknown-linux-gnu"

%struct.three = type { i64, i64, i64 }

@large = internal global i64 5, code_model "small", align 8

define void @make(ptr dead_on_unwind noalias nocapture writable sret(%struct.three) align 8 %out, i32 %x) {
  %wide = zext nneg i32 %x to i64
  %low = shl nuw nsw i64 %wide, 4
  %both = or disjoint i64 %low, 3
  store i64 %both, ptr %out, align 8
  %second = getelementptr inbounds i8, ptr %out, i64 8
  %five = load i64, ptr @large, align 8
  store i64 %five, ptr %second, align 8
  ret void
}

define i32 @main() {
  %s = alloca %struct.three, align 8
  call void @make(ptr dead_on_unwind writable sret(%struct.three) align 8 %s, i32 4)
  %a = load i64, ptr %s, align 8
  %p = getelementptr inbounds %struct.three, ptr %s, i64 0, i32 1
  %b = load i64, ptr %p, align 8
  %c = add i64 %a, %b
  %r = trunc i64 %c to i32
  ret i32 %r
}

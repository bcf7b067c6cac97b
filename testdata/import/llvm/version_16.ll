; returns 186
; LLVM 16: `memory(..)` in place of single attributes, `uinc_wrap` and `udec_wrap`, `!kcfi_type`, `vscale_range` on
; functions of other targets only.
target triple = "x86_64-unknown-linux-gnu"

@counter = internal global i32 0, align 4

; Function Attrs: memory(argmem: readwrite, inaccessiblemem: read)
define i32 @count(ptr noundef nocapture %p) #0 {
  %old = atomicrmw uinc_wrap ptr %p, i32 3 seq_cst, align 4
  ret i32 %old
}

define i32 @down(ptr %p) #1 {
  %old = atomicrmw udec_wrap ptr %p, i32 3 monotonic, align 4
  ret i32 %old
}

define i32 @main() #2 !kcfi_type !0 {
  %a = call i32 @count(ptr @counter)
  %b = call i32 @count(ptr @counter)
  %c = call i32 @down(ptr @counter)
  %d = call i32 @down(ptr @counter)
  %e = call i32 @down(ptr @counter)
  %f = mul i32 %b, 10
  %g = add i32 %f, %c
  %h = mul i32 %g, 10
  %i = add i32 %h, %d
  %j = mul i32 %i, 10
  %k = add i32 %j, %e
  ret i32 %k
}

attributes #0 = { mustprogress nounwind memory(argmem: readwrite, inaccessiblemem: read) }
attributes #1 = { nounwind willreturn memory(argmem: readwrite) }
attributes #2 = { nounwind memory(readwrite, inaccessiblemem: none) }
!0 = !{i32 -1234567}

; returns 6
; LLVM 22: lifetimes without sizes, `dead_on_return`, `ptrtoaddr`.
target triple = "x86_64-unknown-linux-gnu"

define i32 @use(ptr dead_on_return noalias align 4 %p) {
  %x = load i32, ptr %p, align 4
  ret i32 %x
}

define i32 @main() {
  %a = alloca i32, align 4
  call void @llvm.lifetime.start.p0(ptr nonnull %a)
  store i32 6, ptr %a, align 4
  %x = call i32 @use(ptr dead_on_return noalias align 4 %a)
  %address = ptrtoaddr ptr %a to i64
  %low = and i64 %address, 3
  %n = trunc nuw i64 %low to i32
  call void @llvm.lifetime.end.p0(ptr nonnull %a)
  %r = add i32 %x, %n
  ret i32 %r
}

declare void @llvm.lifetime.start.p0(ptr captures(none)) #0
declare void @llvm.lifetime.end.p0(ptr captures(none)) #0
attributes #0 = { nocallback nofree nosync nounwind willreturn memory(argmem: readwrite) }

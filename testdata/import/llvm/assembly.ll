; Inline assembly without instructions hides values and memory from passes.
@z = global i32 0

define i32 @tied(i32 %a, i32 %b) {
  %1 = call i32 asm "", "=r,r,0"(i32 %a, i32 %b)
  ret i32 %1
}

define i32 @tied_after_memory(i32 %a, i32 %b) {
  %1 = call i32 asm "", "=&r,=*m,0,r,~{dirflag}"(ptr elementtype(i32) @z, i32 %a, i32 %b)
  ret i32 %1
}

define i64 @two(i32 %a, i64 %b) {
  %1 = call { i32, i64 } asm sideeffect "", "=r,=r,0,1"(i32 %a, i64 %b)
  %2 = extractvalue { i32, i64 } %1, 1
  ret i64 %2
}

define void @memory(ptr %p) {
  %x = alloca { i32, i16 }, align 8
  call void asm sideeffect "", "=*m,*m,~{flags}"(ptr elementtype({ i32, i16 }) %x, ptr elementtype({ i32, i16 }) %x)
  call void asm sideeffect "", "*m"(ptr elementtype(i8) %p)
  call void asm sideeffect "", "r,~{memory}"(ptr %x)
  call void asm sideeffect "", "~{memory}"()
  ret void
}

define void @aligned(ptr %p) {
  call void asm sideeffect ".p2align 4; nop", "r,r,~{memory}"(ptr null, ptr %p)
  ret void
}

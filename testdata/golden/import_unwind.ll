; Code that handles exceptions is refused, unless exceptions end the program. All refusals of files are counted.
; RUN: not lir-import llvm %s 2>&1 | filecheck --check-prefix=REFUSED %s
; RUN: lir-import llvm --unwind=abort %s | filecheck %s
; RUN: lir-import llvm --list-unsupported %s %s | filecheck --check-prefix=LIST %s
; RUN: lir-import llvm --list-unsupported --unwind=abort %s | filecheck --check-prefix=NONE %s
; RUN: lir-llc --unwind=abort --emit=asm %s | filecheck --check-prefix=CODE %s
; REFUSED: import_unwind.ll:[[# @LINE + 19]]:8: error: exceptions are not supported; `--unwind=abort` ends the program where one arrives
; REFUSED: import_unwind.ll:[[# @LINE + 23]]:12: error: exceptions are not supported
; REFUSED: import_unwind.ll:[[# @LINE + 27]]:3: error: exceptions are not supported
; CHECK: %x = call i32 @callee(%a)
; CHECK-NEXT: jmp next
; CHECK-NEXT: next:
; CHECK-NEXT: %sum = phi i32 [%x, entry]
; CHECK-NEXT: ret %sum
; CHECK-NEXT: {{^}$}}
; LIST: 0 of 2 files are translated
; LIST-NEXT: places files reason
; LIST-NEXT: 4 2 exceptions are not supported{{$}}
; LIST-NEXT: 2 2 exceptions are not supported; `--unwind=abort`
; NONE: 1 of 1 files are translated
; NONE-NOT: reason
; CODE: call callee

define i32 @caller(i32 %a) personality ptr @__gxx_personality_v0 {
entry:
  %x = invoke i32 @callee(i32 %a) to label %next unwind label %pad
next:
  %sum = phi i32 [ %x, %entry ]
  ret i32 %sum
pad:
  %caught = landingpad { ptr, i32 }
          cleanup
          catch ptr null
          filter [0 x ptr] zeroinitializer
  call void @clean(i32 %a)
  resume { ptr, i32 } %caught
}

declare i32 @callee(i32)
declare void @clean(i32)
declare i32 @__gxx_personality_v0(...)

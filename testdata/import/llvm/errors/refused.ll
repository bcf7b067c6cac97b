; All unsupported constructs are reported in one run.
@weak = weak global i32 5
@ifunc = ifunc void (), ptr @f

define x86_fp80 @long_double(x86_fp80 %x) {
  ret x86_fp80 %x
}

define void @f(ptr %p, i256 %w) personality ptr @personality {
  %1 = load x86_fp80, ptr %p, align 16
  %2 = fadd x86_fp80 %1, %1
  %3 = call i32 asm "cpuid", "=r"()
  %w1 = load atomic i24, ptr %p acquire, align 4
  %w2 = atomicrmw add ptr %p, i128 1 seq_cst, align 16
  %w3 = cmpxchg ptr %p, i32 1, i32 2 seq_cst seq_cst, align 2
  store atomic i32 1, ptr %p acquire, align 4
  %4 = atomicrmw fadd ptr %p, i32 1 seq_cst, align 4
  %5 = load <vscale x 4 x i32>, ptr %p
  invoke void @g() to label %6 unwind label %7
6:
  ret void
7:
  %8 = landingpad { ptr, i32 } cleanup
  resume { ptr, i32 } %8
}

declare fastcc void @g()
declare tailcc void @h()
declare i32 @personality(...)

define i32 @late_phi(i32 %a, ptr %p) {
  br label %next
next:
  store i32 0, ptr %p
  %x = phi i32 [ %a, %0 ]
  ret i32 %x
}

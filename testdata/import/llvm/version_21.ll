; returns 6
; LLVM 21: `captures(..)` in place of `nocapture`, `fmaximum` and `fminimum` of `atomicrmw`, `llvm.modf`.
target triple = "x86_64-unknown-linux-gnu"

@most = internal global double 1.500000e+00, align 8

define i32 @length(ptr noundef readonly captures(none) %p, ptr captures(address, read_provenance) %q, ptr captures(ret: address, provenance) %r) {
  %same = icmp eq ptr %p, %q
  %other = icmp eq ptr %q, %r
  %a = zext i1 %same to i32
  %b = zext i1 %other to i32
  %c = shl i32 %b, 1
  %n = or disjoint i32 %a, %c
  ret i32 %n
}

define i32 @main() {
  %old = atomicrmw fmaximum ptr @most, double 4.000000e+00 seq_cst, align 8
  %now = atomicrmw fminimum ptr @most, double 3.000000e+00 monotonic, align 8
  %sum = fadd double %old, %now
  %x = fptosi double %sum to i32
  %n = call i32 @length(ptr captures(none) @most, ptr @most, ptr null)
  %r = add nsw i32 %x, %n
  ret i32 %r
}

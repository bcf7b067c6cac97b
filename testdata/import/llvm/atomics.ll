; Orders, types, and the operations that LIR does not have on memory.
@i = global i32 0
@f = global float 0.0
@d = global double 0.0

define i64 @orders(ptr %p, i64 %x) {
  %a = load atomic i64, ptr %p unordered, align 8
  %b = load atomic volatile i64, ptr %p acquire, align 8
  store atomic i64 %x, ptr %p unordered, align 8
  store atomic volatile i64 %x, ptr %p syncscope("singlethread") seq_cst, align 8
  fence syncscope("singlethread") seq_cst
  fence syncscope("singlethread") release
  fence syncscope("agent") acquire
  fence acq_rel
  fence seq_cst
  %s = add i64 %a, %b
  ret i64 %s
}

define ptr @pointers(ptr %p, ptr %x) {
  %a = load atomic ptr, ptr %p monotonic, align 8
  store atomic ptr %x, ptr %p release, align 8
  %b = atomicrmw xchg ptr %p, ptr %a acq_rel, align 8
  %c = cmpxchg weak volatile ptr %p, ptr %b, ptr null monotonic acquire, align 8
  %d = extractvalue { ptr, i1 } %c, 0
  %e = extractvalue { ptr, i1 } %c, 1
  %r = select i1 %e, ptr %d, ptr %b
  ret ptr %r
}

define float @floats(float %x) {
  %a = load atomic float, ptr @f seq_cst, align 4
  store atomic float %x, ptr @f seq_cst, align 4
  %b = atomicrmw xchg ptr @f, float %a monotonic, align 4
  %c = atomicrmw fadd ptr @f, float %x seq_cst, align 4
  %d = atomicrmw fsub ptr @f, float 1.0 release, align 4
  %e = fadd float %c, %d
  %g = fadd float %b, %e
  ret float %g
}

define double @extremes(double %x) {
entry:
  %a = atomicrmw fmax ptr @d, double %x seq_cst, align 8
  %b = atomicrmw fmin ptr @d, double %x seq_cst, align 8
  %c = atomicrmw fmaximum ptr @d, double %x seq_cst, align 8
  %e = atomicrmw fminimum ptr @d, double %x seq_cst, align 8
  %f = fcmp olt double %a, %b
  br i1 %f, label %less, label %more
less:
  br label %more
more:
  %r = phi double [ %c, %less ], [ %e, %entry ]
  ret double %r
}

define i32 @counts(i32 %x) {
  %a = atomicrmw uinc_wrap ptr @i, i32 %x seq_cst, align 4
  %b = atomicrmw udec_wrap ptr @i, i32 %x seq_cst, align 4
  %c = atomicrmw usub_cond ptr @i, i32 %x seq_cst, align 4
  %d = atomicrmw usub_sat ptr @i, i32 3 seq_cst, align 4
  %s = add i32 %a, %b
  %t = add i32 %c, %d
  %u = add i32 %s, %t
  ret i32 %u
}

define i8 @narrow(ptr %p, i8 %x, i16 %y) {
  %a = atomicrmw umin ptr %p, i8 %x acquire, align 1
  %q = getelementptr i8, ptr %p, i64 2
  %b = atomicrmw min ptr %q, i16 %y acquire, align 2
  %c = atomicrmw max ptr %q, i16 -5 acquire, align 2
  %d = atomicrmw umax ptr %p, i8 7 acquire, align 1
  %r = add i8 %a, %d
  ret i8 %r
}

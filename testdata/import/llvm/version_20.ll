; returns 31
; LLVM 20: `samesign`, `usub_cond` and `usub_sat`, `splat (..)`, `llvm.sincos`; i128 has 16-byte alignment since 18.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

@word = internal global i32 10, align 4
@lanes = internal constant <4 x i32> splat (i32 7), align 16

define i32 @main() {
  %a = atomicrmw usub_cond ptr @word, i32 4 seq_cst, align 4
  %b = atomicrmw usub_cond ptr @word, i32 40 seq_cst, align 4
  %c = atomicrmw usub_sat ptr @word, i32 40 acq_rel, align 4
  %d = load i32, ptr @word, align 4
  %v = load <4 x i32>, ptr @lanes, align 16
  %w = add <4 x i32> %v, splat (i32 1)
  %e = extractelement <4 x i32> %w, i64 2
  %less = icmp samesign ult i32 %d, %e
  %f = zext i1 %less to i32
  %s = add i32 %a, %b
  %t = add i32 %s, %c
  %u = add i32 %t, %e
  %r = add i32 %u, %f
  ret i32 %r
}

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

@table = constant <{ [4 x i32] }> <{ [4 x i32] [i32 1, i32 2, i32 3, i32 4] }>, align 4

@elsewhere = external global [0 x i8], align 1

declare void @taken(i64) nobuiltin "thunk"

define i64 @addresses(i64 %p, i64 %i) nobuiltin null_pointer_is_valid {
entry:
  %s = alloca [64 x i8], align 32
  %.1 = shl i64 %i, 2
  %.2 = add i64 %.1, 4
  %.3 = getelementptr i8, ptr @table, i64 %.2
  %a = load i32, ptr %.3, align 1
  %.4 = getelementptr i8, ptr %s, i64 %i
  %.5 = load i32, ptr %.4, align 1
  %b = freeze i32 %.5
  %.6 = shl i64 %i, 3
  %.7 = add i64 %.6, -16
  %.8 = add i64 %p, %.7
  %.9 = inttoptr i64 %.8 to ptr
  %.10 = load volatile i8, ptr %.9, align 1
  %c = freeze i8 %.10
  %.11 = load double, ptr inttoptr (i64 4096 to ptr), align 1
  %d = freeze double %.11
  %.12 = getelementptr i8, ptr %s, i64 60
  store i32 %a, ptr %.12, align 1
  store volatile float 0x3FF8000000000000, ptr @elsewhere, align 1
  %.13 = ptrtoint ptr %s to i64
  %.14 = shl i64 %i, 1
  %.15 = add i64 %.14, 8
  %.16 = add i64 %.13, %.15
  %q = bitcast i64 %.16 to i64
  %r = ptrtoint ptr @taken to i64
  %.17 = ptrtoint ptr @table to i64
  %.18 = call i64 asm "", "=r,0"(i64 %.17)
  %.19 = add i64 %.18, -2000000000
  %t = bitcast i64 %.19 to i64
  %.20 = ptrtoint ptr @elsewhere to i64
  %.21 = call i64 asm "", "=r,0"(i64 %.20)
  %.22 = add i64 %.21, -2000000000
  %.23 = inttoptr i64 %.22 to ptr
  %.24 = load i8, ptr %.23, align 1
  %u = freeze i8 %.24
  %v = add i64 %q, %r
  %w = add i64 %v, %t
  ret i64 %w
}

define void @blocks(i64 %p, i64 %q, i64 %n) nobuiltin null_pointer_is_valid {
entry:
  %s = alloca [16 x i8], align 8
  %.1 = inttoptr i64 %p to ptr
  %.2 = inttoptr i64 %q to ptr
  call void @llvm.memcpy.p0.p0.i64(ptr %.1, ptr %.2, i64 %n, i1 false)
  %.3 = add i64 %p, 8
  %.4 = inttoptr i64 %.3 to ptr
  %.5 = inttoptr i64 %p to ptr
  call void @llvm.memmove.p0.p0.i64(ptr %.4, ptr %.5, i64 24, i1 false)
  call void @llvm.memset.p0.i64(ptr %s, i8 -1, i64 16, i1 false)
  %.6 = inttoptr i64 %p to ptr
  call void @llvm.memset.p0.i64(ptr %.6, i8 0, i64 %n, i1 false)
  ret void
}

define i64 @dynamic(i64 %n) nobuiltin null_pointer_is_valid {
entry:
  %.1 = call ptr @llvm.stacksave()
  %top = ptrtoint ptr %.1 to i64
  %.2 = alloca i8, i64 %n, align 64
  %p = ptrtoint ptr %.2 to i64
  %.3 = inttoptr i64 %top to ptr
  call void @llvm.stackrestore(ptr %.3)
  ret i64 %p
}

declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1 immarg)
declare void @llvm.memmove.p0.p0.i64(ptr, ptr, i64, i1 immarg)
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1 immarg)
declare void @llvm.stackrestore(ptr)
declare ptr @llvm.stacksave()

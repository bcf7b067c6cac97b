target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

@text = constant <{ [4 x i8] }> <{ [4 x i8] c"a\00\22\FF" }>, align 1

@all = global <{ [2 x i8], i64, i64, [2 x double], [2 x float], [32 x i8] }> <{ [2 x i8] [i8 1, i8 2], i64 ptrtoint (ptr @text to i64), i64 ptrtoint (ptr getelementptr (i8, ptr @all, i64 -8) to i64), [2 x double] [double 0x3FE0000000000000, double 0x7FF0000000000001], [2 x float] [float 0x3FB99999A0000000, float bitcast (i32 2143289344 to float)], [32 x i8] zeroinitializer }>, align 64

@own = internal global <{ i16 }> <{ i16 -1 }>, section ".mine", align 2

@copies = thread_local global <{ i32 }> <{ i32 3 }>, align 4

@constant_copies = internal thread_local constant <{ i32 }> <{ i32 3 }>, align 4

@elsewhere = external thread_local global [0 x i8], align 1

@table = external constant [0 x i8], align 1

@none = global <{ [0 x i8] }> <{ [0 x i8] zeroinitializer }>, align 1

@"odd name" = global <{ i64, i64 }> <{ i64 ptrtoint (ptr @lir.local.memcpy to i64), i64 ptrtoint (ptr @"\01llvm.f" to i64) }>, align 8

define internal i64 @lir.local.memcpy(i64 %x) inlinehint nobuiltin null_pointer_is_valid "thunk" section ".text.mine" {
entry:
  %.1 = load i32, ptr @copies, align 1
  %a = freeze i32 %.1
  %.2 = load i32, ptr @table, align 1
  %c = freeze i32 %.2
  ret i64 %x
}

define void @"\01llvm.f"() nobuiltin null_pointer_is_valid "thunk" {
"1.1":
  %"1" = bitcast i32 2 to i32
  %.1 = add i32 %"1", 1
  br label %.2
.2:
  ret void
}

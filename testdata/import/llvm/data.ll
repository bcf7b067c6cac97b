; Variables, their contents, and aliases.
source_filename = "data.c"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

%struct.s = type { i8, i32, ptr, [2 x i16], double }

@text = private unnamed_addr constant [6 x i8] c"hi\22\00\01\FF", align 1
@0 = private constant [2 x i8] c"ab"
@s = global %struct.s { i8 1, i32 -2, ptr @text, [2 x i16] [i16 3, i16 4], double 2.5 }, align 8
@packed = constant <{ i8, i32 }> <{ i8 1, i32 2 }>, section ".mine"
@pointers = internal global [4 x ptr] [ptr @f, ptr null, ptr getelementptr inbounds (%struct.s, ptr @s, i64 0, i32 2), ptr @0]
@number = global i64 add (i64 ptrtoint (ptr @s to i64), i64 16)
@odd = global i24 -1
@wide = global i128 -1
@vector = global <2 x float> <float 1.0, float 0x3FB99999A0000000>
@counter = thread_local global i32 7, align 4
@common = common dso_local global [100 x i8] zeroinitializer, align 16
@other = external hidden thread_local global i32
@alias = internal alias i32, getelementptr inbounds (%struct.s, ptr @s, i64 0, i32 1)
@llvm.global_ctors = appending global [1 x { i32, ptr, ptr }] [{ i32, ptr, ptr } { i32 101, ptr @f, ptr null }]
@llvm.used = appending global [1 x ptr] [ptr @s], section "llvm.metadata"

define void @f() section ".text.cold" {
  %p = call ptr @llvm.threadlocal.address.p0(ptr @counter)
  %n = load i32, ptr %p, align 4
  %a = load i32, ptr @alias, align 4
  store i32 %a, ptr %p, align 4
  store ptr @pointers, ptr @number, align 8
  ret void
}

declare ptr @llvm.threadlocal.address.p0(ptr)

!llvm.module.flags = !{!0}
!0 = !{i32 1, !"wchar_size", i32 4}

; Expressions on addresses that data cannot express are computed in code.
@first = external global i8
@last = external global i8
define i32 @distance(ptr %p) {
  store i64 sub (i64 ptrtoint (ptr @last to i64), i64 ptrtoint (ptr @first to i64)), ptr %p
  %half = lshr i32 trunc (i64 sub (i64 ptrtoint (ptr @last to i64), i64 ptrtoint (ptr @first to i64)) to i32), 1
  ret i32 %half
}

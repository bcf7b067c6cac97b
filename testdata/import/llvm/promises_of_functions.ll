; Attributes of functions, parameters and results that are promises. Effects are words in LLVM 15, `memory(..)` later.
target triple = "x86_64-unknown-linux-gnu"

declare noalias ptr @new(i64)

define void @add(ptr noalias nocapture noundef %to, ptr noalias readonly %from, ptr %n) {
  %1 = load i32, ptr %from, align 4
  store i32 %1, ptr %to, align 4
  ret void
}

define noalias ptr @fresh() {
  %1 = call ptr @new(i64 16)
  ret ptr %1
}

; A function that divides: LLVM's `willreturn` says nothing about traps.
define i32 @divide(i32 %a, i32 %b) #0 {
  %1 = sdiv i32 %a, %b
  ret i32 %1
}

; run: @guarded(1, 0) == 7
; run: @guarded(8, 2) == 4
define i32 @guarded(i32 %a, i32 %b) {
  %1 = icmp eq i32 %b, 0
  br i1 %1, label %zero, label %other
zero:
  ret i32 7
other:
  %2 = call i32 @divide(i32 %a, i32 %b)
  ret i32 %2
}

define i32 @unused(i32 %a, i32 %b) {
  %1 = call i32 @divide(i32 %a, i32 %b)
  ret i32 %a
}

declare i32 @sum(i32, i32) #1
declare i32 @strange(i32) #2
declare i32 @look(ptr) #3
declare i32 @update(ptr) memory(argmem: read, inaccessiblemem: write) nounwind willreturn
declare i32 @throws(i32) memory(none) willreturn
declare i32 @old(i32) readonly willreturn nounwind

define i32 @calls(ptr %p) {
  %1 = call i32 @sum(i32 1, i32 2)
  %2 = call i32 @strange(i32 %1)
  %3 = call i32 @look(ptr %p)
  %4 = call i32 @update(ptr %p)
  %5 = call i32 @throws(i32 %4)
  %6 = call i32 @old(i32 %5)
  ret i32 %6
}

attributes #0 = { mustprogress nofree norecurse nosync nounwind willreturn memory(none) uwtable "frame-pointer"="all" }
attributes #1 = { nounwind willreturn speculatable memory(none) }
attributes #2 = { nounwind memory(none) }
attributes #3 = { nounwind willreturn memory(read, inaccessiblemem: none) }

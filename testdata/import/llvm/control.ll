; Blocks in an order in which definitions follow uses, phis with an entry for each edge, unreachable blocks.

define i32 @loop(i32 %n) {
entry:
  br label %header

exit:                                             ; preds = %header
  %result = add i32 %sum, 1
  ret i32 %result

dead:                                             ; no predecessors
  %nothing = add i32 %nothing, 1
  br label %header

header:                                           ; preds = %body, %dead, %entry
  %i = phi i32 [ 0, %entry ], [ %next, %body ], [ 7, %dead ]
  %sum = phi i32 [ 0, %entry ], [ %more, %body ], [ %nothing, %dead ]
  %done = icmp eq i32 %i, %n
  br i1 %done, label %exit, label %body

body:                                             ; preds = %header
  %more = add i32 %sum, %i
  %next = add i32 %i, 1
  br label %header
}

define ptr @choices(i8 %x, ptr %p) {
  switch i8 %x, label %5 [
    i8 -1, label %1
    i8 2, label %1
    i8 3, label %2
  ]

1:
  br label %5

2:
  %3 = getelementptr i8, ptr %p, i64 4
  %4 = icmp ne ptr %3, null
  br i1 %4, label %5, label %5

5:
  %6 = phi ptr [ null, %0 ], [ %p, %1 ], [ %3, %2 ], [ %3, %2 ]
  ret ptr %6
}

define i32 @fails(i1 %c) {
  br i1 %c, label %bad, label %good
bad:
  call void @llvm.trap()
  %x = add i32 1, 2
  br label %good
good:
  %y = phi i32 [ 5, %0 ], [ %x, %bad ]
  ret i32 %y
}

declare void @llvm.trap() noreturn

; Debug records before the first instruction of a block.
define i32 @recorded(i32 %x) {
  #dbg_value(i32 %x, !0, !DIExpression(), !1)
  br label %next
next:
  #dbg_label(!2, !1)
  #dbg_value(!DIArgList(i32 %x, i32 %x), !0, !DIExpression(DW_OP_LLVM_arg, 0), !1)
  ret i32 %x
}

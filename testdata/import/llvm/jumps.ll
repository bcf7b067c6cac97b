; Addresses of blocks, tables of differences of addresses.

@steps = internal constant [3 x ptr] [ptr blockaddress(@run, %add), ptr blockaddress(@run, %double), ptr blockaddress(@run, %end)]
@distance = constant i32 trunc (i64 sub (i64 ptrtoint (ptr blockaddress(@run, %end) to i64), i64 ptrtoint (ptr blockaddress(@run, %add) to i64)) to i32)
@one = private constant [2 x i8] c"1\00"
@two = private constant [2 x i8] c"2\00"
@names = internal unnamed_addr constant [2 x i32] [i32 trunc (i64 sub (i64 ptrtoint (ptr @one to i64), i64 ptrtoint (ptr @names to i64)) to i32), i32 trunc (i64 sub (i64 ptrtoint (ptr @two to i64), i64 ptrtoint (ptr @names to i64)) to i32)], align 4

define i32 @run(ptr %code, i32 %x) {
entry:
  %first = load i64, ptr %code
  %at = getelementptr inbounds ptr, ptr @steps, i64 %first
  %address = load ptr, ptr %at
  br label %jump
add:
  %sum = add i32 %value, 1
  br label %next
double:
  %twice = shl i32 %value, 1
  br label %next
next:
  %changed = phi i32 [ %sum, %add ], [ %twice, %double ]
  %here = getelementptr inbounds i64, ptr %place, i64 1
  %step = load i64, ptr %here
  %then = getelementptr inbounds ptr, ptr @steps, i64 %step
  %target = load ptr, ptr %then
  br label %jump
jump:
  %place = phi ptr [ %code, %entry ], [ %here, %next ]
  %value = phi i32 [ %x, %entry ], [ %changed, %next ]
  %to = phi ptr [ %address, %entry ], [ %target, %next ]
  indirectbr ptr %to, [label %add, label %double, label %end, label %untaken]
end:
  ret i32 %value
untaken:
  %never = phi i32 [ %value, %jump ]
  ret i32 %never
}

define ptr @name(i64 %k) {
  %offset = shl i64 %k, 2
  %address = call ptr @llvm.load.relative.i64(ptr @names, i64 %offset)
  ret ptr %address
}

define i8 @second() {
  %address = call ptr @llvm.load.relative.i32(ptr @names, i32 4)
  %letter = load i8, ptr %address
  ret i8 %letter
}

define i1 @first_is_one(ptr %p) {
  %same = icmp eq ptr %p, blockaddress(@numbered, %1)
  ret i1 %same
}

define void @numbered() {
  br label %1
1:
  ret void
}

declare ptr @llvm.load.relative.i64(ptr, i64)
declare ptr @llvm.load.relative.i32(ptr, i32)

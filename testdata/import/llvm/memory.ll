; Addresses are folded into memory operands, allocations of the first block are stack objects.
%struct.node = type { i32, [3 x i16], ptr, %struct.pair }
%struct.pair = type { i8, double }

@table = internal global [10 x i32] zeroinitializer, align 16
@node = external global %struct.node

define i32 @addresses(ptr %p, i32 %i, i64 %j) {
  %field = getelementptr inbounds %struct.node, ptr %p, i64 2, i32 3, i32 1
  store double 1.500000e+00, ptr %field, align 8
  %short = getelementptr inbounds nuw %struct.node, ptr %p, i32 0, i32 1, i32 %i
  %half = load i16, ptr %short, align 2
  %entry = getelementptr [10 x i32], ptr @table, i64 0, i64 %j
  %word = load volatile i32, ptr %entry, align 4
  %next = getelementptr %struct.node, ptr %p, i64 %j
  %link = getelementptr i8, ptr %next, i64 -8
  store ptr %next, ptr %link, align 8
  store i32 %word, ptr getelementptr inbounds ([10 x i32], ptr @table, i64 0, i64 3), align 4
  %last = load i32, ptr getelementptr inbounds ([10 x i32], ptr @table, i64 0, i64 20), align 4
  %wide = zext i16 %half to i32
  %sum = add i32 %wide, %last
  ret i32 %sum
}

define i32 @objects(i32 %n) {
entry:
  %x = alloca i32, align 4
  %array = alloca [4 x i64], align 32
  %many = alloca i8, i64 100
  call void @llvm.lifetime.start.p0(i64 4, ptr %x)
  store i32 %n, ptr %x, align 4
  %second = getelementptr inbounds [4 x i64], ptr %array, i64 0, i64 1
  store i64 5, ptr %second, align 8
  call void @llvm.memset.p0.i64(ptr align 1 %many, i8 0, i64 100, i1 false)
  call void @llvm.memcpy.p0.p0.i64(ptr align 8 %array, ptr align 8 @table, i64 32, i1 false)
  call void @keep(ptr %array)
  %dynamic = alloca i16, i32 %n, align 16
  call void @keep(ptr %dynamic)
  call void @llvm.lifetime.end.p0(i64 4, ptr %x)
  %y = load i32, ptr %x, align 4
  ret i32 %y
}

declare void @keep(ptr noundef)
declare void @llvm.lifetime.start.p0(i64 immarg, ptr nocapture)
declare void @llvm.lifetime.end.p0(i64 immarg, ptr nocapture)
declare void @llvm.memset.p0.i64(ptr nocapture writeonly, i8, i64, i1 immarg)
declare void @llvm.memcpy.p0.p0.i64(ptr noalias nocapture writeonly, ptr noalias nocapture readonly, i64, i1 immarg)

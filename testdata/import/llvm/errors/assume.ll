declare void @llvm.assume(i1)
define void @f() {
  call void @llvm.assume()
  ret void
}

%a = type %b
%b = type %a
declare void @f()
define void @g() {
  call %a @f()
  ret void
}

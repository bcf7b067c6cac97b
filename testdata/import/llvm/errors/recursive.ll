%a = type { i32, %b }
%b = type { %a }
@x = global %a zeroinitializer

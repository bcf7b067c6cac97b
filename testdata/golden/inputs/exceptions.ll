define i32 @caller(i32 %a) personality ptr @__gxx_personality_v0 {
entry:
  %x = invoke i32 @callee(i32 %a) to label %next unwind label %pad
next:
  %sum = phi i32 [ %x, %entry ]
  ret i32 %sum
pad:
  %caught = landingpad { ptr, i32 }
          cleanup
          catch ptr null
          filter [0 x ptr] zeroinitializer
  call void @clean(i32 %a)
  resume { ptr, i32 } %caught
}

declare i32 @callee(i32)
declare void @clean(i32)
declare i32 @__gxx_personality_v0(...)

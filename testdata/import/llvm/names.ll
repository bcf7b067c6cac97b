; Names are bytes; a body may be a local copy of a function that is defined elsewhere.
@"\FF\FE" = global i32 1
@"\FF\FD" = global i32 2
@inc.copy = global ptr @inc

define available_externally i32 @inc(i32 %x) alwaysinline {
  %y = add i32 %x, 1
  ret i32 %y
}

define available_externally i32 @hint(i32 %x) inlinehint {
  ret i32 %x
}

define i32 @calls(i32 %x) {
  %1 = call i32 @inc(i32 %x)
  %2 = call i32 @hint(i32 %1)
  ret i32 %2
}

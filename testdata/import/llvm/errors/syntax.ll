define i32 @a(i32 %x) {
  %y = add i32 %x,
  ret i32 %y
}

define i32 @b(i32 %x) {
  %y = addd i32 %x, 1
  ret i32 %y
}

define i32 @c(i32 %x) {
  ret i32 %z
}

define i32 @d(i32 %x) {
  %y = add i32 %x, 1
  %y = add i32 %x, 1
  ret i32 %y
}

@x = global i32

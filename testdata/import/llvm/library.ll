; A function that is marked as not the C library's has no promises.

define i64 @lengths(ptr %s, ptr %t) {
  %1 = call i64 @strlen(ptr %s)
  %2 = call i64 @strnlen(ptr %s, i64 9) #0
  %3 = call i32 @strcmp(ptr %s, ptr %t)
  %4 = call i32 @memcmp(ptr %s, ptr %t, i64 3)
  %5 = call i32 @strncmp(ptr %s, ptr %t, i64 3)
  ret i64 %1
}

declare i64 @strlen(ptr)
declare i64 @strnlen(ptr, i64)
declare i32 @strcmp(ptr, ptr) #1
declare i32 @memcmp(ptr, ptr, i64) #2
declare i32 @strncmp(ptr, ptr, i64) nobuiltin

attributes #0 = { nobuiltin }
attributes #1 = { "no-builtins" }
attributes #2 = { "no-builtin-memcmp" }

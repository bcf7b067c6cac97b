@x = global i32 1

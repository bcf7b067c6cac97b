; Linkage, visibility, COMDATs, aliases, weak references.
source_filename = "symbols.c"
target triple = "x86_64-unknown-linux-gnu"

$_Z4onceIiET_S0_ = comdat any

@common = common global i32 0, align 4
@weak = weak global i32 3, align 4
@once = linkonce_odr hidden constant [2 x i32] [i32 1, i32 2], comdat, align 4
@protected = protected global i32 4
@optional_data = extern_weak global i32
@part = alias i32, getelementptr inbounds ([2 x i32], ptr @pairs, i64 0, i64 1)
@pairs = internal global [2 x i32] [i32 5, i32 6]
@_ZN1AC1Ev = unnamed_addr alias void (ptr), ptr @_ZN1AC2Ev
@replaceable = weak alias i32 (i32), ptr @target
@of_replaceable = alias i32 (i32), ptr @replaceable

declare extern_weak i32 @optional(i32)
declare hidden i32 @hidden(i32)

define weak_odr i32 @template(i32 %x) {
  %y = add i32 %x, 1
  ret i32 %y
}

define linkonce_odr i32 @_Z4onceIiET_S0_(i32 %x) comdat {
  %y = call i32 @template(i32 %x)
  ret i32 %y
}

define void @_ZN1AC2Ev(ptr %this) unnamed_addr {
  store i32 1, ptr %this
  ret void
}

define internal i32 @target(i32 %x) {
  %y = call i32 @of_replaceable(i32 %x)
  ret i32 %y
}

define i32 @uses(ptr %p) {
  call void @_ZN1AC1Ev(ptr %p)
  %some = icmp ne ptr @optional, null
  br i1 %some, label %yes, label %no
yes:
  %a = call i32 @optional(i32 1)
  ret i32 %a
no:
  %b = load i32, ptr @part
  %c = call i32 @replaceable(i32 %b)
  %d = call i32 @_Z4onceIiET_S0_(i32 %c)
  ret i32 %d
}

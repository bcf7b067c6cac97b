; Elements of vectors are packed bit by bit; elements of arrays have padding.
%outer = type { i8, %inner, [2 x i24], { <2 x i24>, i8 }, i64 }
%inner = type { i16, i32 }
%c = type {}
%b = type { %c, i8 }

@triples = global <2 x i24> <i24 1, i24 2>
@bits = global <9 x i1> <i1 true, i1 false, i1 true, i1 false, i1 false, i1 false, i1 false, i1 false, i1 true>
@wide = global { <2 x i128>, i64 } { <2 x i128> <i128 1, i128 2>, i64 3 }
@fives = global <3 x i5> splat (i5 -1)
@bytes = global <4 x i8> splat (i8 7)
@zeros = global <2097152 x i8> splat (i8 0)
@pointers = global <2 x ptr> splat (ptr @bytes)

define void @vectors(ptr %p, i24 %x, i64 %i) {
  %1 = load volatile <2 x i24>, ptr %p
  %2 = insertelement <2 x i24> %1, i24 %x, i32 1
  store <2 x i24> %2, ptr %p
  %3 = load volatile <2 x i1>, ptr %p
  %4 = getelementptr <2 x i24>, ptr %p, i64 0, i64 1
  store i8 1, ptr %4
  %5 = getelementptr <2 x i24>, ptr %p, i64 0, i64 %i
  store i8 2, ptr %5
  %6 = getelementptr [2 x i24], ptr %p, i64 0, i64 1
  store i8 3, ptr %6
  %7 = getelementptr %outer, ptr %p, i32 0, i32 3, i32 1
  store i8 4, ptr %7
  %8 = getelementptr %outer, ptr %p, i32 1, i32 4
  store i8 5, ptr %8
  store volatile i24 %x, ptr %p
  ret void
}

define i64 @members(%b %v, ptr %p) {
  %1 = load { <2 x i128>, i64 }, ptr %p
  %2 = extractvalue { <2 x i128>, i64 } %1, 1
  %3 = extractvalue %b %v, 1
  ret i64 %2
}

define i8 @chain(i8 %x) {
  %1 = insertvalue [3 x i8] poison, i8 %x, 0
  %2 = insertvalue [3 x i8] %1, i8 1, 1
  %3 = insertvalue [3 x i8] %2, i8 2, 2
  %4 = insertvalue [3 x i8] %3, i8 9, 0
  %5 = extractvalue [3 x i8] %3, 0
  %6 = extractvalue [3 x i8] %4, 0
  %7 = add i8 %5, %6
  ret i8 %7
}

define ptr @addresses_in_a_vector(ptr %p, i64 %k) {
  %v = insertelement <2 x i64> zeroinitializer, i64 %k, i32 1
  %a = getelementptr <4 x i24>, ptr %p, i64 0, <2 x i64> %v
  %b = extractelement <2 x ptr> %a, i32 1
  ret ptr %b
}

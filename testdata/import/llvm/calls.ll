; Arguments and results as LLVM passes them.
%struct.big = type { i64, i64, i64 }

@format = private unnamed_addr constant [4 x i8] c"%d\0A\00"
@handler = internal global ptr @callback

define i32 @main(i32 noundef %argc, ptr noundef %argv) #0 {
  %big = alloca %struct.big, align 8
  %1 = call i32 (ptr, ...) @printf(ptr noundef @format, i32 noundef %argc)
  %2 = call signext i8 @narrow(i8 noundef signext -1, i1 zeroext true)
  call void @fill(ptr sret(%struct.big) align 8 %big, i64 5)
  %3 = call i64 @sum(ptr byval(%struct.big) align 8 %big)
  %4 = call { ptr, i64 } @slice(ptr %argv)
  %5 = extractvalue { ptr, i64 } %4, 1
  %6 = call { double, float } @floats()
  %7 = extractvalue { double, float } %6, 1
  %8 = load ptr, ptr @handler, align 8
  %9 = tail call i32 %8(i32 %argc, ptr %argv)
  %10 = call i32 @narrow(i32 5)
  %11 = call <2 x float> @point(<2 x float> <float 1.0, float 2.0>)
  %12 = sext i8 %2 to i32
  %13 = add i32 %9, %12
  ret i32 %13
}

define internal i32 @callback(i32, ptr nocapture readnone) {
  ret i32 %0
}

define void @fill(ptr noalias sret(%struct.big) align 8 %result, i64 %x) {
  %p = getelementptr inbounds %struct.big, ptr %result, i32 0, i32 2
  store i64 %x, ptr %p, align 8
  ret void
}

define i64 @sum(ptr byval(%struct.big) align 8 %b) {
  %p = getelementptr inbounds %struct.big, ptr %b, i32 0, i32 1
  %x = load i64, ptr %p, align 8
  ret i64 %x
}

define { ptr, i64 } @slice(ptr %p) {
  %1 = insertvalue { ptr, i64 } poison, ptr %p, 0
  %2 = insertvalue { ptr, i64 } %1, i64 4, 1
  ret { ptr, i64 } %2
}

define { double, float } @floats() {
  ret { double, float } { double 1.0, float 2.0 }
}

define <2 x float> @point(<2 x float> %v) {
  %w = fadd <2 x float> %v, <float 1.0, float 0.5>
  ret <2 x float> %w
}

declare i32 @printf(ptr noundef, ...) #1
declare signext i8 @narrow(i8 signext, i1 zeroext)

attributes #0 = { noinline nounwind "frame-pointer"="all" }
attributes #1 = { "no-builtins" }

; The result of a call by address has no extension of its own.
define i32 @through(ptr %f, i32 %x) {
  %y = call zeroext i8 %f(i32 %x)
  %z = call zeroext i1 %f(i32 %x)
  %a = zext i8 %y to i32
  %b = zext i1 %z to i32
  %c = add i32 %a, %b
  ret i32 %c
}

; Assembly that only aligns code has no effect.
define void @aligned() {
  call void asm sideeffect ".p2align 5\0A\09nop", "~{dirflag},~{fpsr},~{flags}"()
  ret void
}

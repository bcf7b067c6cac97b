; Arithmetic, comparisons and conversions of the widths that LIR has.
target triple = "x86_64-unknown-linux-gnu"

define i32 @arithmetic(i32 %a, i32 %b) {
  %1 = add nsw i32 %a, 7
  %2 = sub i32 7, %1
  %3 = mul nuw nsw i32 3, %2
  %4 = sdiv exact i32 %3, %b
  %5 = urem i32 %4, 10
  %6 = shl i32 %5, %a
  %7 = ashr i32 %6, 2
  %8 = xor i32 %7, -1
  %9 = or disjoint i32 %8, 1
  %10 = and i32 %9, %b
  ret i32 %10
}

define double @floats(double %x, float %y) {
  %w = fpext float %y to double
  %s = fadd fast double %x, %w
  %m = fmul double %s, 5.000000e-01
  %d = fdiv double 1.000000e+00, %m
  %r = frem double %d, 0x7FF0000000000000
  %n = fneg double %r
  %c = fcmp olt double %n, 0.000000e+00
  %z = select i1 %c, double %n, double %x
  ret double %z
}

define i64 @conversions(i8 %a, i32 %b, double %x, ptr %p) {
  %1 = sext i8 %a to i64
  %2 = zext nneg i32 %b to i64
  %3 = trunc i64 %2 to i16
  %4 = uitofp i16 %3 to double
  %5 = fadd double %4, %x
  %6 = fptosi double %5 to i64
  %7 = ptrtoint ptr %p to i64
  %8 = bitcast double %5 to i64
  %9 = add i64 %1, %6
  %10 = xor i64 %9, %7
  %11 = sub i64 %10, %8
  %12 = freeze i64 %11
  ret i64 %12
}

define i1 @comparisons(i32 %a, i32 %b, ptr %p) {
  %lt = icmp slt i32 %a, %b
  %gt = icmp ugt i32 5, %a
  %null = icmp eq ptr %p, null
  %both = and i1 %lt, %gt
  %any = or i1 %both, %null
  %not = xor i1 %any, true
  ret i1 %not
}

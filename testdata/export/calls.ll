target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

declare i64 @strlen(i64) readonly willreturn nounwind

declare zeroext i16 @narrow(i8 signext, i16 zeroext) readnone willreturn nounwind nobuiltin

declare void @take(ptr sret([32 x i8]) align 16, i64, i32, double, i64, double, float, ptr byval([32 x i8]) align 16) nobuiltin

define { double, i64 } @passes(i64 %.1, i32 %.2, double %.4, i64 %.5, double %.7, float %.8, ptr byval([32 x i8]) align 16 %l) inaccessiblemem_or_argmemonly nobuiltin null_pointer_is_valid {
entry:
  %s = alloca [12 x i8], align 8
  %m = alloca [16 x i8], align 8
  %f = alloca [12 x i8], align 8
  %n = alloca [0 x i8], align 8
  %.10 = alloca [32 x i8], align 16
  %.20 = alloca [32 x i8], align 16
  store i64 %.1, ptr %s, align 1
  %.3 = getelementptr i8, ptr %s, i64 8
  store i32 %.2, ptr %.3, align 1
  store double %.4, ptr %m, align 1
  %.6 = getelementptr i8, ptr %m, i64 8
  store i64 %.5, ptr %.6, align 1
  store double %.7, ptr %f, align 1
  %.9 = getelementptr i8, ptr %f, i64 8
  store float %.8, ptr %.9, align 1
  %.11 = load i64, ptr %s, align 1
  %.12 = getelementptr i8, ptr %s, i64 8
  %.13 = load i32, ptr %.12, align 1
  %.14 = load double, ptr %m, align 1
  %.15 = getelementptr i8, ptr %m, i64 8
  %.16 = load i64, ptr %.15, align 1
  %.17 = load double, ptr %f, align 1
  %.18 = getelementptr i8, ptr %f, i64 8
  %.19 = load float, ptr %.18, align 1
  call void @llvm.memcpy.p0.p0.i64(ptr %.20, ptr %l, i64 32, i1 false)
  call void @take(ptr sret([32 x i8]) align 16 %.10, i64 %.11, i32 %.13, double %.14, i64 %.16, double %.17, float %.19, ptr byval([32 x i8]) align 16 %.20)
  call void @llvm.memcpy.p0.p0.i64(ptr %l, ptr %.10, i64 32, i1 false)
  %.21 = load double, ptr %m, align 1
  %.22 = insertvalue { double, i64 } poison, double %.21, 0
  %.23 = getelementptr i8, ptr %m, i64 8
  %.24 = load i64, ptr %.23, align 1
  %.25 = insertvalue { double, i64 } %.22, i64 %.24, 1
  ret { double, i64 } %.25
}

define { double, float } @receives(i64 %p, i64 %.1, i32 %.2) nobuiltin null_pointer_is_valid {
entry:
  %s = alloca [12 x i8], align 8
  %r = alloca [16 x i8], align 8
  %f = alloca [12 x i8], align 8
  %l = alloca [32 x i8], align 16
  %n = alloca [0 x i8], align 8
  %.15 = alloca [32 x i8], align 16
  store i64 %.1, ptr %s, align 1
  %.3 = getelementptr i8, ptr %s, i64 8
  store i32 %.2, ptr %.3, align 1
  %.4 = load i64, ptr %s, align 1
  %.5 = getelementptr i8, ptr %s, i64 8
  %.6 = load i32, ptr %.5, align 1
  %.7 = add i64 %p, 4
  %.8 = inttoptr i64 %.7 to ptr
  %.9 = load double, ptr %.8, align 1
  %.10 = getelementptr i8, ptr %.8, i64 8
  %.11 = load i64, ptr %.10, align 1
  %.12 = load double, ptr %f, align 1
  %.13 = getelementptr i8, ptr %f, i64 8
  %.14 = load float, ptr %.13, align 1
  call void @llvm.memcpy.p0.p0.i64(ptr %.15, ptr %l, i64 32, i1 false)
  %.16 = call { double, i64 } @passes(i64 %.4, i32 %.6, double %.9, i64 %.11, double %.12, float %.14, ptr byval([32 x i8]) align 16 %.15)
  %.17 = extractvalue { double, i64 } %.16, 0
  store double %.17, ptr %r, align 1
  %.18 = extractvalue { double, i64 } %.16, 1
  %.19 = getelementptr i8, ptr %r, i64 8
  store i64 %.18, ptr %.19, align 1
  %.20 = load double, ptr %f, align 1
  %.21 = insertvalue { double, float } poison, double %.20, 0
  %.22 = getelementptr i8, ptr %f, i64 8
  %.23 = load float, ptr %.22, align 1
  %.24 = insertvalue { double, float } %.21, float %.23, 1
  ret { double, float } %.24
}

define i64 @full(i64 %a, i64 %b, i64 %c, i64 %d, i64 %e, ptr byval([12 x i8]) align 8 %s, i64 %f) nobuiltin null_pointer_is_valid {
entry:
  %.1 = load i32, ptr %s, align 1
  %x = freeze i32 %.1
  %y = sext i32 %x to i64
  %z = add i64 %y, %f
  ret i64 %z
}

define i64 @environment(ptr nest %.1, i64 %x) nobuiltin null_pointer_is_valid "thunk" {
entry:
  %e = ptrtoint ptr %.1 to i64
  %f = ptrtoint ptr @environment to i64
  %.2 = inttoptr i64 %e to ptr
  %.3 = inttoptr i64 %f to ptr
  %y = tail call i64 %.3(ptr nest %.2, i64 %x)
  ret i64 %y
}

define i64 @scalars(i8 %a, i16 %b) cold noinline nobuiltin null_pointer_is_valid {
entry:
  %c = call zeroext i16 @narrow(i8 signext %a, i16 zeroext %b)
  %d = zext i16 %c to i64
  %e = tail call i64 @strlen(i64 %d)
  ret i64 %e
}

declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1 immarg)

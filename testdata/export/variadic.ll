target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

declare i32 @printf(i64, ...) nobuiltin

define i64 @sum(i32 %n, ...) nobuiltin null_pointer_is_valid {
entry:
  %list.1 = alloca [24 x i8], align 8
  %copy = alloca [24 x i8], align 8
  %p = alloca [16 x i8], align 8
  %l = alloca [32 x i8], align 32
  %.1 = alloca [4 x i8], align 8
  %.21 = alloca [8 x i8], align 8
  %.41 = alloca [16 x i8], align 8
  %.66 = alloca [32 x i8], align 32
  %.77 = alloca [32 x i8], align 32
  call void @llvm.va_start(ptr %list.1)
  call void @llvm.va_copy(ptr %copy, ptr %list.1)
  %.5 = load i32, ptr %list.1, align 1
  %.6 = icmp ule i32 %.5, 40
  %.7 = getelementptr i8, ptr %list.1, i64 4
  %.8 = load i32, ptr %.7, align 1
  %.9 = icmp ule i32 %.8, 176
  br i1 %.6, label %.2, label %.3
.2:
  %.10 = getelementptr i8, ptr %list.1, i64 16
  %.11 = load ptr, ptr %.10, align 1
  %.12 = zext i32 %.5 to i64
  %.13 = getelementptr i8, ptr %.11, i64 %.12
  %.14 = load i32, ptr %.13, align 1
  store i32 %.14, ptr %.1, align 1
  %.15 = add i32 %.5, 8
  store i32 %.15, ptr %list.1, align 1
  %.16 = getelementptr i8, ptr %list.1, i64 4
  store i32 %.8, ptr %.16, align 1
  br label %.4
.3:
  %.17 = getelementptr i8, ptr %list.1, i64 8
  %.18 = load ptr, ptr %.17, align 1
  call void @llvm.memcpy.p0.p0.i64(ptr %.1, ptr %.18, i64 4, i1 false)
  %.19 = getelementptr i8, ptr %.18, i64 8
  store ptr %.19, ptr %.17, align 1
  br label %.4
.4:
  %.20 = load i32, ptr %.1, align 1
  %a = freeze i32 %.20
  %.25 = load i32, ptr %list.1, align 1
  %.26 = icmp ule i32 %.25, 48
  %.27 = getelementptr i8, ptr %list.1, i64 4
  %.28 = load i32, ptr %.27, align 1
  %.29 = icmp ule i32 %.28, 160
  br i1 %.29, label %.22, label %.23
.22:
  %.30 = getelementptr i8, ptr %list.1, i64 16
  %.31 = load ptr, ptr %.30, align 1
  %.32 = zext i32 %.28 to i64
  %.33 = getelementptr i8, ptr %.31, i64 %.32
  %.34 = load double, ptr %.33, align 1
  store double %.34, ptr %.21, align 1
  %.35 = add i32 %.28, 16
  store i32 %.25, ptr %list.1, align 1
  %.36 = getelementptr i8, ptr %list.1, i64 4
  store i32 %.35, ptr %.36, align 1
  br label %.24
.23:
  %.37 = getelementptr i8, ptr %list.1, i64 8
  %.38 = load ptr, ptr %.37, align 1
  call void @llvm.memcpy.p0.p0.i64(ptr %.21, ptr %.38, i64 8, i1 false)
  %.39 = getelementptr i8, ptr %.38, i64 8
  store ptr %.39, ptr %.37, align 1
  br label %.24
.24:
  %.40 = load double, ptr %.21, align 1
  %b = freeze double %.40
  %.45 = load i32, ptr %list.1, align 1
  %.46 = icmp ule i32 %.45, 40
  %.47 = getelementptr i8, ptr %list.1, i64 4
  %.48 = load i32, ptr %.47, align 1
  %.49 = icmp ule i32 %.48, 160
  %.50 = and i1 %.46, %.49
  br i1 %.50, label %.42, label %.43
.42:
  %.51 = getelementptr i8, ptr %list.1, i64 16
  %.52 = load ptr, ptr %.51, align 1
  %.53 = zext i32 %.45 to i64
  %.54 = getelementptr i8, ptr %.52, i64 %.53
  %.55 = load i64, ptr %.54, align 1
  store i64 %.55, ptr %.41, align 1
  %.56 = add i32 %.45, 8
  %.57 = zext i32 %.48 to i64
  %.58 = getelementptr i8, ptr %.52, i64 %.57
  %.59 = load double, ptr %.58, align 1
  %.60 = getelementptr i8, ptr %.41, i64 8
  store double %.59, ptr %.60, align 1
  %.61 = add i32 %.48, 16
  store i32 %.56, ptr %list.1, align 1
  %.62 = getelementptr i8, ptr %list.1, i64 4
  store i32 %.61, ptr %.62, align 1
  br label %.44
.43:
  %.63 = getelementptr i8, ptr %list.1, i64 8
  %.64 = load ptr, ptr %.63, align 1
  call void @llvm.memcpy.p0.p0.i64(ptr %.41, ptr %.64, i64 16, i1 false)
  %.65 = getelementptr i8, ptr %.64, i64 16
  store ptr %.65, ptr %.63, align 1
  br label %.44
.44:
  call void @llvm.memcpy.p0.p0.i64(ptr %p, ptr %.41, i64 16, i1 false)
  %.67 = getelementptr i8, ptr %copy, i64 8
  %.68 = load ptr, ptr %.67, align 1
  %.69 = ptrtoint ptr %.68 to i64
  %.70 = add i64 %.69, 31
  %.71 = and i64 %.70, -32
  %.72 = inttoptr i64 %.71 to ptr
  call void @llvm.memcpy.p0.p0.i64(ptr %.66, ptr %.72, i64 32, i1 false)
  %.73 = getelementptr i8, ptr %.72, i64 32
  store ptr %.73, ptr %.67, align 1
  call void @llvm.memcpy.p0.p0.i64(ptr %l, ptr %.66, i64 32, i1 false)
  call void @llvm.va_end(ptr %list.1)
  call void @llvm.va_end(ptr %copy)
  %list = ptrtoint ptr %list.1 to i64
  %.74 = load i64, ptr %p, align 1
  %.75 = getelementptr i8, ptr %p, i64 8
  %.76 = load double, ptr %.75, align 1
  call void @llvm.memcpy.p0.p0.i64(ptr %.77, ptr %l, i64 32, i1 false)
  %r = notail call i32 (i64, ...) @printf(i64 %list, i32 %a, double %b, i64 %.74, double %.76, ptr byval([32 x i8]) align 32 %.77)
  ret i64 0
}

declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1 immarg)
declare void @llvm.va_copy(ptr, ptr)
declare void @llvm.va_end(ptr)
declare void @llvm.va_start(ptr)

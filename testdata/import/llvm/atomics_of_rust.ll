; The output of rustc 1.95 for AtomicUsize::fetch_update, for clones and drops of Arc, and for other atomics.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

; alloc::sync::Arc<T,A>::drop_slow
define void @"_ZN5alloc4sync16Arc$LT$T$C$A$GT$9drop_slow17h5ad925b978a28096E"(ptr noalias noundef readonly align 8 captures(none) dereferenceable(8) %self) unnamed_addr personality ptr @rust_eh_personality {
start:
  %_3 = load ptr, ptr %self, align 8
  %0 = icmp eq ptr %_3, inttoptr (i64 -1 to ptr)
  br i1 %0, label %"_ZN4core3ptr76drop_in_place$LT$alloc..sync..Weak$LT$u64$C$$RF$alloc..alloc..Global$GT$$GT$17hf2c4062767e9e1d2E.exit", label %bb8.i.i

bb8.i.i:                                          ; preds = %start
  %_19.i.i = getelementptr inbounds nuw i8, ptr %_3, i64 8
  %1 = atomicrmw sub ptr %_19.i.i, i64 1 release, align 8
  %2 = icmp eq i64 %1, 1
  br i1 %2, label %bb1.i.i, label %"_ZN4core3ptr76drop_in_place$LT$alloc..sync..Weak$LT$u64$C$$RF$alloc..alloc..Global$GT$$GT$17hf2c4062767e9e1d2E.exit"

bb1.i.i:                                          ; preds = %bb8.i.i
  fence acquire
; call __rustc::__rust_dealloc
  tail call void @_RNvCsfLfy6EI15iL_7___rustc14___rust_dealloc(ptr noundef nonnull %_3, i64 noundef 24, i64 noundef 8)
  br label %"_ZN4core3ptr76drop_in_place$LT$alloc..sync..Weak$LT$u64$C$$RF$alloc..alloc..Global$GT$$GT$17hf2c4062767e9e1d2E.exit"

"_ZN4core3ptr76drop_in_place$LT$alloc..sync..Weak$LT$u64$C$$RF$alloc..alloc..Global$GT$$GT$17hf2c4062767e9e1d2E.exit": ; preds = %start, %bb8.i.i, %bb1.i.i
  ret void
}

; <alloc::sync::Weak<T,A> as core::ops::drop::Drop>::drop
define void @"_ZN72_$LT$alloc..sync..Weak$LT$T$C$A$GT$$u20$as$u20$core..ops..drop..Drop$GT$4drop17h3a687f28cbe96bacE"(ptr noalias noundef readonly align 8 captures(none) dereferenceable(16) %self) unnamed_addr {
start:
  %self1 = load ptr, ptr %self, align 8
  %0 = icmp eq ptr %self1, inttoptr (i64 -1 to ptr)
  br i1 %0, label %bb6, label %bb8

bb8:                                              ; preds = %start
  %_19 = getelementptr inbounds nuw i8, ptr %self1, i64 8
  %1 = atomicrmw sub ptr %_19, i64 1 release, align 8
  %2 = icmp eq i64 %1, 1
  br i1 %2, label %bb1, label %bb6

bb6:                                              ; preds = %start, %bb1, %bb8
  ret void

bb1:                                              ; preds = %bb8
  fence acquire
; call __rustc::__rust_dealloc
  tail call void @_RNvCsfLfy6EI15iL_7___rustc14___rust_dealloc(ptr noundef nonnull %self1, i64 noundef 24, i64 noundef 8)
  br label %bb6
}

define noundef nonnull ptr @arc_clone(ptr noalias noundef readonly align 8 captures(none) dereferenceable(8) %a) unnamed_addr {
start:
  %_10.i = load ptr, ptr %a, align 8
  %0 = atomicrmw add ptr %_10.i, i64 1 monotonic, align 8
  %_4.i = icmp slt i64 %0, 0
  br i1 %_4.i, label %bb1.i, label %"_ZN68_$LT$alloc..sync..Arc$LT$T$C$A$GT$$u20$as$u20$core..clone..Clone$GT$5clone17he19ac80de8f51bbfE.exit"

bb1.i:                                            ; preds = %start
  tail call void @llvm.trap()
  unreachable

"_ZN68_$LT$alloc..sync..Arc$LT$T$C$A$GT$$u20$as$u20$core..clone..Clone$GT$5clone17he19ac80de8f51bbfE.exit": ; preds = %start
  ret ptr %_10.i
}

define void @arc_drop(ptr noundef nonnull %a) unnamed_addr {
start:
  %_x.i = alloca [8 x i8], align 8
  call void @llvm.lifetime.start.p0(ptr nonnull %_x.i)
  store ptr %a, ptr %_x.i, align 8
  %0 = atomicrmw sub ptr %a, i64 1 release, align 8
  %1 = icmp eq i64 %0, 1
  br i1 %1, label %bb2.i.i.i, label %_ZN4core3mem4drop17h06b330d751976826E.exit

bb2.i.i.i:                                        ; preds = %start
  fence acquire
; call alloc::sync::Arc<T,A>::drop_slow
  call void @"_ZN5alloc4sync16Arc$LT$T$C$A$GT$9drop_slow17h5ad925b978a28096E"(ptr noalias noundef nonnull readonly align 8 dereferenceable(8) %_x.i)
  br label %_ZN4core3mem4drop17h06b330d751976826E.exit

_ZN4core3mem4drop17h06b330d751976826E.exit:       ; preds = %start, %bb2.i.i.i
  call void @llvm.lifetime.end.p0(ptr nonnull %_x.i)
  ret void
}

define noundef zeroext i1 @flag(ptr noundef nonnull align 1 captures(none) %a) unnamed_addr {
start:
  %0 = atomicrmw xchg ptr %a, i8 1 acquire, align 1
  %_0.i = icmp ne i8 %0, 0
  ret i1 %_0.i
}

define noundef i32 @max(ptr noundef nonnull align 4 captures(none) %a, i32 noundef %x) unnamed_addr {
start:
  %0 = atomicrmw max ptr %a, i32 %x acq_rel, align 4
  ret i32 %0
}

define noundef i16 @nand(ptr noundef nonnull align 2 captures(none) %a, i16 noundef %x) unnamed_addr {
start:
  %0 = atomicrmw nand ptr %a, i16 %x release, align 2
  ret i16 %0
}

define noundef i64 @update(ptr noundef nonnull align 8 captures(none) %a) unnamed_addr personality ptr @rust_eh_personality {
start:
  %0 = load atomic i64, ptr %a monotonic, align 8
  br label %bb1.i.i

bb1.i.i:                                          ; preds = %bb3.i.i, %start
  %prev.sroa.0.0.i.i = phi i64 [ %0, %start ], [ %3, %bb3.i.i ]
  %_3.i.i.i = icmp ult i64 %prev.sroa.0.0.i.i, 100
  br i1 %_3.i.i.i, label %bb3.i.i, label %_ZN4core4sync6atomic11AtomicUsize12fetch_update17h53fd1b5a705e56c6E.exit

bb3.i.i:                                          ; preds = %bb1.i.i
  %_4.i.i.i = add nuw nsw i64 %prev.sroa.0.0.i.i, 1
  %1 = cmpxchg weak ptr %a, i64 %prev.sroa.0.0.i.i, i64 %_4.i.i.i seq_cst monotonic, align 8
  %2 = extractvalue { i64, i1 } %1, 1
  %3 = extractvalue { i64, i1 } %1, 0
  br i1 %2, label %_ZN4core4sync6atomic11AtomicUsize12fetch_update17h53fd1b5a705e56c6E.exit, label %bb1.i.i

_ZN4core4sync6atomic11AtomicUsize12fetch_update17h53fd1b5a705e56c6E.exit: ; preds = %bb1.i.i, %bb3.i.i
  %x.sroa.4.0.i.i = phi i64 [ %prev.sroa.0.0.i.i, %bb1.i.i ], [ %3, %bb3.i.i ]
  ret i64 %x.sroa.4.0.i.i
}

declare void @llvm.lifetime.start.p0(ptr captures(none))

declare void @llvm.lifetime.end.p0(ptr captures(none))

; __rustc::__rust_dealloc
declare void @_RNvCsfLfy6EI15iL_7___rustc14___rust_dealloc(ptr allocptr noundef captures(address), i64 noundef, i64 noundef range(i64 1, -9223372036854775807)) unnamed_addr

declare noundef range(i32 0, 10) i32 @rust_eh_personality(i32 noundef, i32 noundef, i64 noundef, ptr noundef, ptr noundef) unnamed_addr

declare void @llvm.trap()





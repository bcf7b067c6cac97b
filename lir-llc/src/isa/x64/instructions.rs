//! The instruction table: the fields that each machine instruction reads and writes, and its properties.
//!
//! A machine instruction is an [`op`] in a [`Form`]. The form determines which fields of [`MInst`](crate::mir::MInst)
//! are operands and how they are accessed; the op's row adds the registers it fixes or clobbers and its properties.
//! Liveness, allocators, printer, checker and encoder look at these columns and not at single ops.
//!
//! Forms are three-address: `d = op a, b`. Where the hardware requires `d` and `a` in one register (the T forms,
//! "tied"), the encoder makes it so after allocation: nothing when they are the same, an exchange of `a` and `b` when
//! `d` is `b` and the op is commutative, `lea` for an addition, else a copy first. Allocation guarantees that `d` is
//! never the register of `b` (or of the memory operand) of a tied op that is not commutative. The forms of floats that
//! are not tied, DAB and DAM, are for processors from v3 on.
//!
//! A row is written as the instruction pages of the Intel SDM (volume 2) are; [`notation`](super::notation) explains
//! it. Macros make everything that depends on the rows: numbers and properties here, the tables of the
//! [encoder](super::encode::recipe), text, the methods of the [assembler](super::asm::mnemonics), and the cases of the
//! encoder's test.

use super::notation::{Encoding, ModRm, Recipe, Type, field, imm, modrm, rule};
use super::registers::{R11, RAX, RCX, RDX};
use crate::mir::{Fixed, Form, MOp, OpInfo, PRegSet, Props};

const FREE: Fixed = Fixed::FREE;
const IN_CL: Fixed = Fixed { b: Some(RCX), clobbers: PRegSet::of(&[RCX]), kept: PRegSet::of(&[RCX]), ..FREE };
const AX_DX: PRegSet = PRegSet::of(&[RAX, RDX]);
/// For operations with a record, which has the other constraints: no operand in rdx.
const NOT_IN_DX: Fixed = Fixed { clobbers: PRegSet::of(&[RDX]), ..FREE };
const VIA_R11: Fixed = Fixed { clobbers: PRegSet::of(&[R11]), ..FREE };
const AX_TO_AX: Fixed = Fixed { d: Some(RAX), a: Some(RAX), clobbers: AX_DX, ..FREE };
const AX_TO_DX: Fixed = Fixed { d: Some(RDX), a: Some(RAX), clobbers: AX_DX, ..FREE };

/// Calls a macro with the rows of the table.
#[doc(hidden)]
#[macro_export]
macro_rules! x64_instructions {
    ($then:ident) => { $then! {
    // /// meaning
    // op  destination  source  fixed  [properties]  (forms without an encoding)
    //     groups of encodings, by mnemonic
    /// Copy, load, store, constant.
    Mov R R FREE [COPY SLOT_SOURCE] (DI DI64)
        fn mov { DA: [dq 0x8B /r] DM: [bv 0x8B /r] MA: [bv 0x89 /r] MI: [bv 0xC7 /0 iz32] }
    /// 0, by an exclusive or: shorter than `Mov`, but sets the flags.
    Zero R None FREE [SETS_FLAGS]
        use xor { D(d d): [d 0x33 /r] }
    /// 32 bits zero-extended to 64: not dropped where both registers are the same.
    MovZx32 R R FREE [SLOT_SOURCE]
        use mov { DA DM: [d 0x8B /r] }
    /// 8 bits zero-extended to the size.
    MovZx8 R Reg8 FREE [SLOT_SOURCE]
        fn movzx "8 or 16 bits zero-extended to the size." { DA DM(d sized): [d 0x0FB6 /r] }
    /// 16 bits zero-extended to the size.
    MovZx16 R Reg16 FREE [SLOT_SOURCE]
        impl movzx { DA DM(d sized): [d 0x0FB7 /r] }
    /// 8 bits sign-extended to the size.
    MovSx8 R Reg8 FREE [SLOT_SOURCE]
        fn movsx "8 or 16 bits sign-extended to the size." { DA DM(d sized): [dq 0x0FBE /r] }
    /// 16 bits sign-extended to the size.
    MovSx16 R Reg16 FREE [SLOT_SOURCE]
        impl movsx { DA DM(d sized): [dq 0x0FBF /r] }
    /// 32 bits sign-extended to 64.
    MovSx32 R Reg32 FREE [SLOT_SOURCE]
        fn movsxd { DA DM: [q 0x63 /r] }
    /// The address.
    Lea R None FREE []
        fn lea { DM: [dq 0x8D /r] }
    /// The address of a symbol from the global offset table.
    LoadGot R R FREE []
        use mov { DM: [q 0x8B /r] }
    /// The thread pointer, `fs:[0]`.
    ThreadPointer R None FREE [] (D)
    /// The address of the thread-local symbol of the record, by `__tls_get_addr`: a call with the result in rax.
    TlsAddr None None FREE [CALL SETS_FLAGS RECORD] (None)
    /// Sum.
    Add R R FREE [COMMUTATIVE SLOT_SOURCE SETS_FLAGS IN_SLOT]
        fn add { DTB DTM: [bv 0x03 /r] MA: [bv 0x01 /r] DTI MI: [bv 0x81 /0 iz] }
    /// Difference.
    Sub R R FREE [SLOT_SOURCE SETS_FLAGS IN_SLOT]
        fn sub { DTB DTM: [bv 0x2B /r] MA: [bv 0x29 /r] DTI MI: [bv 0x81 /5 iz] }
    /// Bitwise and.
    And R R FREE [COMMUTATIVE SLOT_SOURCE SETS_FLAGS IN_SLOT]
        fn and { DTB DTM: [bv 0x23 /r] MA: [bv 0x21 /r] DTI MI: [bv 0x81 /4 iz] }
    /// Bitwise or.
    Or R R FREE [COMMUTATIVE SLOT_SOURCE SETS_FLAGS IN_SLOT]
        fn or { DTB DTM: [bv 0x0B /r] MA: [bv 0x09 /r] DTI MI: [bv 0x81 /1 iz] }
    /// Bitwise exclusive or.
    Xor R R FREE [COMMUTATIVE SLOT_SOURCE SETS_FLAGS IN_SLOT]
        fn xor { DTB DTM: [bv 0x33 /r] MA: [bv 0x31 /r] DTI MI: [bv 0x81 /6 iz] }
    /// Low half of the product.
    Imul R R FREE [COMMUTATIVE SLOT_SOURCE SETS_FLAGS]
        fn imul { DTB DTM: [v 0x0FAF /r] } fn imul_3 { DAI DMI: [v 0x69 /r iz] }
    /// Negation.
    Neg R R FREE [SETS_FLAGS]
        fn neg { DT M: [bv 0xF7 /3] }
    /// Inversion.
    Not R R FREE []
        fn not { DT M: [bv 0xF7 /2] }
    /// Bytes in opposite order, sizes 4 and 8.
    Bswap R R FREE []
        fn bswap { DT: [dq 0x0FC8+r] }
    /// Shift left by a constant.
    Shl R R FREE [SETS_FLAGS IN_SLOT]
        fn shl "Shift left by a constant or by cl." { DTI MI: [bv 0xC1 /4 i1] }
    /// Shift right, zeros in, by a constant.
    Shr R R FREE [SETS_FLAGS IN_SLOT]
        fn shr "Shift right, zeros in, by a constant or by cl." { DTI MI: [bv 0xC1 /5 i1] }
    /// Shift right, sign in, by a constant.
    Sar R R FREE [SETS_FLAGS IN_SLOT]
        fn sar "Shift right, sign in, by a constant or by cl." { DTI MI: [bv 0xC1 /7 i1] }
    /// Rotate left by a constant.
    Rol R R FREE [SETS_FLAGS]
        fn rol "Rotate left by a constant or by cl." { DTI MI: [bv 0xC1 /0 i1] }
    /// Rotate right by a constant.
    Ror R R FREE [SETS_FLAGS]
        fn ror "Rotate right by a constant or by cl." { DTI MI: [bv 0xC1 /1 i1] }
    /// Shift left by cl.
    ShlCl R R IN_CL [SETS_FLAGS]
        impl shl { DTB(d cl): [bv 0xD3 /4] }
    /// Shift right, zeros in, by cl.
    ShrCl R R IN_CL [SETS_FLAGS]
        impl shr { DTB(d cl): [bv 0xD3 /5] }
    /// Shift right, sign in, by cl.
    SarCl R R IN_CL [SETS_FLAGS]
        impl sar { DTB(d cl): [bv 0xD3 /7] }
    /// Rotate left by cl.
    RolCl R R IN_CL [SETS_FLAGS]
        impl rol { DTB(d cl): [bv 0xD3 /0] }
    /// Rotate right by cl.
    RorCl R R IN_CL [SETS_FLAGS]
        impl ror { DTB(d cl): [bv 0xD3 /1] }
    /// Signed quotient, dividend sign-extended first.
    IdivQuot R R AX_TO_AX [SLOT_SOURCE SETS_FLAGS]
        fn idiv { DAB(b) DAM(sized): [bv 0xF7 /7] }
    /// Signed remainder, dividend sign-extended first; not at size 1.
    IdivRem R R AX_TO_DX [SLOT_SOURCE SETS_FLAGS]
        use idiv { DAB(b) DAM(sized): [bv 0xF7 /7] }
    /// IdivRem with a divisor that is known not to be -1; not at size 1.
    IdivRemSafe R R AX_TO_DX [SLOT_SOURCE SETS_FLAGS]
        use idiv { DAB(b) DAM(sized): [bv 0xF7 /7] }
    /// Unsigned quotient, dividend zero-extended first; not at size 1.
    DivQuot R R AX_TO_AX [SLOT_SOURCE SETS_FLAGS]
        fn div { DAB(b) DAM(sized): [bv 0xF7 /6] }
    /// Unsigned remainder, dividend zero-extended first; not at size 1.
    DivRem R R AX_TO_DX [SLOT_SOURCE SETS_FLAGS]
        use div { DAB(b) DAM(sized): [bv 0xF7 /6] }
    /// Signed quotient and remainder by `b`, of the record: rax sign-extended first.
    IdivBoth None R NOT_IN_DX [SETS_FLAGS RECORD]
        use idiv { B M: [v 0xF7 /7] }
    /// Unsigned quotient and remainder by `b`, of the record: rax zero-extended first.
    DivBoth None R NOT_IN_DX [SETS_FLAGS RECORD]
        use div { B M: [v 0xF7 /6] }
    /// Low and high half of the signed product of rax and `b`, of the record.
    ImulBoth None R FREE [SETS_FLAGS RECORD]
        use imul_1 { B M: [v 0xF7 /5] }
    /// Low and high half of the unsigned product of rax and `b`, of the record.
    MulBoth None R FREE [SETS_FLAGS RECORD]
        use mul { B M: [v 0xF7 /4] }
    /// High half of the signed product.
    ImulHigh R R AX_TO_DX [SLOT_SOURCE SETS_FLAGS]
        fn imul_1 "The signed product of rax and `x`, its high half in rdx." { DAB(b) DAM(sized): [bv 0xF7 /5] }
    /// High half of the unsigned product.
    MulHigh R R AX_TO_DX [SLOT_SOURCE SETS_FLAGS]
        fn mul "The unsigned product of rax and `x`, its high half in rdx." { DAB(b) DAM(sized): [bv 0xF7 /4] }
    /// Number of the lowest one bit; undefined for 0.
    Bsf R R FREE [SLOT_SOURCE SETS_FLAGS]
        fn bsf { DA DM: [v 0x0FBC /r] }
    /// Number of the highest one bit; undefined for 0.
    Bsr R R FREE [SLOT_SOURCE SETS_FLAGS]
        fn bsr { DA DM: [v 0x0FBD /r] }
    /// Number of one bits.
    Popcnt R R FREE [SLOT_SOURCE SETS_FLAGS FALSE_DEP V2]
        fn popcnt { DA DM: [v 0xF30FB8 /r] }
    /// Number of the lowest one bit; for 0 the width.
    Tzcnt R R FREE [SLOT_SOURCE SETS_FLAGS FALSE_DEP V3]
        fn tzcnt { DA DM: [v 0xF30FBC /r] }
    /// Number of zeros above the highest one bit; for 0 the width.
    Lzcnt R R FREE [SLOT_SOURCE SETS_FLAGS FALSE_DEP V3]
        fn lzcnt { DA DM: [v 0xF30FBD /r] }
    /// `a` shifted left by `b`.
    Shlx R R FREE []
        fn shlx { DAB: [dq 0x660F38F7 /rmv] }
    /// `a` shifted right by `b`, zeros in.
    Shrx R R FREE []
        fn shrx { DAB: [dq 0xF20F38F7 /rmv] }
    /// `a` shifted right by `b`, signs in.
    Sarx R R FREE []
        fn sarx { DAB: [dq 0xF30F38F7 /rmv] }
    /// `a` rotated right by a constant.
    Rorx R R FREE [SLOT_SOURCE]
        fn rorx { DAI DMI: [dq 0xF20F3AF0 /rm ib] }
    /// Bitwise `!a & b`.
    Andn R R FREE [SLOT_SOURCE SETS_FLAGS]
        fn andn { DAB DAM: [dq 0x0F38F2 /rvm] }
    /// `a` without its lowest one bit.
    Blsr R R FREE [SLOT_SOURCE SETS_FLAGS]
        fn blsr { DA DM: [dq 0x0F38F3 /v1] }
    /// Ones up to the lowest one bit of `a`.
    Blsmsk R R FREE [SLOT_SOURCE SETS_FLAGS]
        fn blsmsk { DA DM: [dq 0x0F38F3 /v2] }
    /// The lowest one bit of `a`.
    Blsi R R FREE [SLOT_SOURCE SETS_FLAGS]
        fn blsi { DA DM: [dq 0x0F38F3 /v3] }
    /// Flags of the difference.
    Cmp None R FREE [SLOT_SOURCE SLOT_FIRST SETS_FLAGS]
        fn cmp { AB AM: [bv 0x3B /r] MA: [bv 0x39 /r] AI MI: [bv 0x81 /7 iz] }
    /// Flags of the bitwise and.
    Test None R FREE [SLOT_FIRST SETS_FLAGS]
        fn test { AB(b a) AM(m a)|MA: [bv 0x85 /r] AI MI: [bv 0xF7 /0 iz32] }
    /// Bit `b`, modulo the size, of `a` into the carry flag; sizes 2, 4, 8.
    Bt None R FREE [SETS_FLAGS]
        fn bt { AB: [v 0x0FA3 /mr] AI: [v 0x0FBA /4 ib] }
    /// 1 where the condition holds, else 0, in the low 8 bits; the other bits stay as in `a`.
    Set Reg8 Reg8 FREE [USES_FLAGS CONDITION]
        fn [set seto O setno NO setb B setae AE sete E setne NE setbe BE seta A
            sets S setns NS setp P setnp NP setl L setge GE setle LE setg G] { D|DT M(m): [d 0x0F90+cc /0] }
    /// `b` where the condition holds, else `a`; sizes 2, 4, 8.
    Cmov R R FREE [SLOT_SOURCE USES_FLAGS CONDITION]
        fn [cmov cmovo O cmovno NO cmovb B cmovae AE cmove E cmovne NE cmovbe BE cmova A
            cmovs S cmovns NS cmovp P cmovnp NP cmovl L cmovge GE cmovle LE cmovg G] { DTB DTM: [v 0x0F40+cc /r] }
    /// `a`, exchanged with memory in one access, which is also a fence.
    Xchg R R FREE []
        fn xchg "Exchanges the operands; with memory in one access, which is also a fence." { DTM(m d): [bv 0x87 /r] }
    /// Adds `a` to memory in one access; the result is the old value.
    Xadd R R FREE [SETS_FLAGS]
        fn lock_xadd { DTM(m d): [bv 0xF00FC1 /r] }
    /// Sum in memory, in one access.
    LockAdd R R FREE [SETS_FLAGS]
        fn lock_add { MA: [bv 0xF001 /r] MI: [bv 0xF081 /0 iz] }
    /// Difference in memory, in one access.
    LockSub R R FREE [SETS_FLAGS]
        fn lock_sub { MA: [bv 0xF029 /r] MI: [bv 0xF081 /5 iz] }
    /// Bitwise and in memory, in one access.
    LockAnd R R FREE [SETS_FLAGS]
        fn lock_and { MA: [bv 0xF021 /r] MI: [bv 0xF081 /4 iz] }
    /// Bitwise or in memory, in one access.
    LockOr R R FREE [SETS_FLAGS]
        fn lock_or { MA: [bv 0xF009 /r] MI: [bv 0xF081 /1 iz] }
    /// Bitwise exclusive or in memory, in one access.
    LockXor R R FREE [SETS_FLAGS]
        fn lock_xor { MA: [bv 0xF031 /r] MI: [bv 0xF081 /6 iz] }
    /// Stores `a` if memory equals rax, of the record, in one access; the old value is in rax.
    CmpXchg R R FREE [SETS_FLAGS RECORD]
        fn lock_cmpxchg { MA: [bv 0xF00FB1 /r] }
    /// Orders all earlier accesses before all later accesses.
    Mfence None None FREE []
        fn mfence { None: [d 0x0FAEF0] }
    /// To the only successor.
    Jmp None None FREE [TERMINATOR] (None)
    /// To the first successor where the condition holds, else to the second.
    Jcc None None FREE [TERMINATOR USES_FLAGS CONDITION] (None)
    /// To an address, one of the successors: a jump through a table.
    JmpReg None Reg64 FREE [TERMINATOR]
        fn jmp "A jump to an address." { B M(m): [d 0xFF /4] }
    /// Calls the symbol of the record in the pool (None), a register (B) or a loaded address (M).
    Call None Reg64 FREE [CALL SETS_FLAGS RECORD] (None)
        fn call "A call of the function at an address." { B M(m): [d 0xFF /2] }
    /// Epilogue and return, with the results of the list in the pool.
    Ret None None FREE [TERMINATOR RECORD] (None)
    /// Epilogue and a jump to the symbol of the record, or to the address in rax; the list has the arguments.
    TailCall None None FREE [TERMINATOR RECORD] (None)
    /// Traps.
    Ud2 None None FREE [TERMINATOR]
        fn ud2 { None: [d 0x0F0B] }
    /// No code: the registers of the list in the pool hold arguments here.
    Params None None FREE [RECORD PARAMS] (None)
    /// Copies rcx bytes from rsi to rdi; a list in the pool.
    RepMovs None None FREE [RECORD]
        fn rep_movsb { None: [d 0xF3A4] }
    /// Sets rcx bytes at rdi to al; a list in the pool.
    RepStos None None FREE [RECORD]
        fn rep_stosb { None: [d 0xF3AA] }
    /// Takes `b` bytes, a multiple of 16, off rsp and touches every page on the way.
    StackAlloc None R VIA_R11 [SETS_FLAGS MOVES_STACK] (B)
    /// Float copy, load, store; at size 16 whole registers.
    MovF Xmm Xmm FREE [COPY SLOT_SOURCE WIDE]
        fn movaps { DA: [d 0x0F28 /r] } fn (movss movsd movups) { DM: [fs 0x0F10 /r] MA: [fs 0x0F11 /r] }
    /// 0.0.
    ZeroF Xmm None FREE [WIDE]
        use xorps { D(d d): [d 0x0F57 /r] }
    /// The bits of an integer register in a float register.
    MovIF Xmm R FREE [SLOT_SOURCE]
        fn (movd movq) "The bits of a general register in an SSE register, or of that in a general one."
            { DA: [dq 0x660F6E /r] }
        use (movss movsd) { DM: [fs 0x0F10 /r] }
    /// The bits of a float register in an integer register.
    MovFI R Xmm FREE [SLOT_SOURCE]
        impl (movd movq) { DA: [dq 0x660F7E /mr] } use mov { DM: [dq 0x8B /r] }
    /// Sum.
    AddF Xmm Xmm FREE [COMMUTATIVE SLOT_SOURCE]
        fn (addss addsd) { DTB DTM: [fs 0x0F58 /r] } fn (vaddss vaddsd) { DAB DAM: [fs 0x0F58 /rvm] }
    /// Difference.
    SubF Xmm Xmm FREE [SLOT_SOURCE]
        fn (subss subsd) { DTB DTM: [fs 0x0F5C /r] } fn (vsubss vsubsd) { DAB DAM: [fs 0x0F5C /rvm] }
    /// Product.
    MulF Xmm Xmm FREE [COMMUTATIVE SLOT_SOURCE]
        fn (mulss mulsd) { DTB DTM: [fs 0x0F59 /r] } fn (vmulss vmulsd) { DAB DAM: [fs 0x0F59 /rvm] }
    /// Quotient.
    DivF Xmm Xmm FREE [SLOT_SOURCE]
        fn (divss divsd) { DTB DTM: [fs 0x0F5E /r] } fn (vdivss vdivsd) { DAB DAM: [fs 0x0F5E /rvm] }
    /// `a` where a < b, else `b`.
    MinF Xmm Xmm FREE [SLOT_SOURCE]
        fn (minss minsd) { DTB DTM: [fs 0x0F5D /r] } fn (vminss vminsd) { DAB DAM: [fs 0x0F5D /rvm] }
    /// `a` where a > b, else `b`.
    MaxF Xmm Xmm FREE [SLOT_SOURCE]
        fn (maxss maxsd) { DTB DTM: [fs 0x0F5F /r] } fn (vmaxss vmaxsd) { DAB DAM: [fs 0x0F5F /rvm] }
    /// Ones where `a` and `b` are equal, else zeros.
    CmpEqF Xmm Xmm FREE [COMMUTATIVE SLOT_SOURCE]
        fn (cmpeqss cmpeqsd) { DTB DTM: [fs 0x0FC2 /r i=0] } fn (vcmpeqss vcmpeqsd) { DAB DAM: [fs 0x0FC2 /rvm i=0] }
    /// Ones where a < b, else zeros.
    CmpLtF Xmm Xmm FREE [SLOT_SOURCE]
        fn (cmpltss cmpltsd) { DTB DTM: [fs 0x0FC2 /r i=1] } fn (vcmpltss vcmpltsd) { DAB DAM: [fs 0x0FC2 /rvm i=1] }
    /// Ones where a <= b, else zeros.
    CmpLeF Xmm Xmm FREE [SLOT_SOURCE]
        fn (cmpless cmplesd) { DTB DTM: [fs 0x0FC2 /r i=2] } fn (vcmpless vcmplesd) { DAB DAM: [fs 0x0FC2 /rvm i=2] }
    /// Ones where `a` or `b` is a NaN, else zeros.
    CmpUnordF Xmm Xmm FREE [COMMUTATIVE SLOT_SOURCE]
        fn (cmpunordss cmpunordsd) { DTB DTM: [fs 0x0FC2 /r i=3] }
        fn (vcmpunordss vcmpunordsd) { DAB DAM: [fs 0x0FC2 /rvm i=3] }
    /// Square root.
    SqrtF Xmm Xmm FREE [SLOT_SOURCE FALSE_DEP]
        fn (sqrtss sqrtsd) { DA DM: [fs 0x0F51 /r] }
    /// Bitwise and of whole registers.
    AndF Xmm Xmm FREE [COMMUTATIVE]
        fn andps { DTB DTM: [d 0x0F54 /r] } fn vandps { DAB DAM: [d 0x0F54 /rvm] }
    /// Bitwise `!a & b` of whole registers.
    AndnF Xmm Xmm FREE []
        fn andnps { DTB DTM: [d 0x0F55 /r] } fn vandnps { DAB DAM: [d 0x0F55 /rvm] }
    /// Bitwise or of whole registers.
    OrF Xmm Xmm FREE [COMMUTATIVE]
        fn orps { DTB DTM: [d 0x0F56 /r] } fn vorps { DAB DAM: [d 0x0F56 /rvm] }
    /// Bitwise exclusive or of whole registers.
    XorF Xmm Xmm FREE [COMMUTATIVE]
        fn xorps { DTB DTM: [d 0x0F57 /r] } fn vxorps { DAB DAM: [d 0x0F57 /rvm] }
    /// Flags of the comparison.
    Ucomi None Xmm FREE [SLOT_SOURCE SETS_FLAGS]
        fn (ucomiss ucomisd) { AB AM: [fp 0x0F2E /r] }
    /// A float from a signed 32-bit integer.
    CvtI32F Xmm Reg32 FREE [SLOT_SOURCE FALSE_DEP]
        fn (cvtsi2ss cvtsi2sd) "A float from a signed integer." { DA DM(d sized): [fs 0x0F2A /r] }
    /// A float from a signed 64-bit integer.
    CvtI64F Xmm Reg64 FREE [SLOT_SOURCE FALSE_DEP]
        impl (cvtsi2ss cvtsi2sd) { DA DM(d sized): [fsq 0x0F2A /r] }
    /// A float from an unsigned 64-bit integer: a jump decides how.
    CvtU64F Xmm Reg64 VIA_R11 [SETS_FLAGS] (DA)
    /// A signed 32-bit integer from a float of the size, toward zero.
    CvtFI32 Reg32 Xmm FREE [SLOT_SOURCE]
        fn (cvttss2si cvttsd2si) "A signed integer from a float, toward zero." { DA DM: [fs 0x0F2C /r] }
    /// A signed 64-bit integer from a float of the size, toward zero.
    CvtFI64 Reg64 Xmm FREE [SLOT_SOURCE]
        impl (cvttss2si cvttsd2si) { DA DM: [fsq 0x0F2C /r] }
    /// A float of the size from one of the other size.
    CvtFF Xmm Xmm FREE [SLOT_SOURCE FALSE_DEP]
        fn (cvtsd2ss cvtss2sd) { DA DM: [fr 0x0F5A /r] }
    /// Rounded to an integer by the mode in the immediate.
    RoundF Xmm Xmm FREE [FALSE_DEP V2]
        fn (roundss roundsd) { DAI DMI: [fi 0x660F3A0A /r ib] }
    /// a * b + x, rounded once: one of the next three, by where the operands are.
    Fma Xmm Xmm FREE [V3] (DABX DAMX DAXM)
    /// d * M + a, with M in memory, rounded once; made by emission alone.
    Fma132 Xmm Xmm FREE []
        fn (vfmadd132ss vfmadd132sd) { DAM: [dq 0x660F3899 /rvm] }
    /// a * d + b, rounded once; made by emission alone.
    Fma213 Xmm Xmm FREE []
        fn (vfmadd213ss vfmadd213sd) { DAB DAM: [dq 0x660F38A9 /rvm] }
    /// a * b + d, rounded once; made by emission alone.
    Fma231 Xmm Xmm FREE []
        fn (vfmadd231ss vfmadd231sd) { DAB DAM: [dq 0x660F38B9 /rvm] }
    /// a * b - x, rounded once: one of the next three, by where the operands are.
    Fms Xmm Xmm FREE [V3] (DABX DAMX DAXM)
    /// d * M - a, with M in memory, rounded once; made by emission alone.
    Fms132 Xmm Xmm FREE []
        fn (vfmsub132ss vfmsub132sd) { DAM: [dq 0x660F389B /rvm] }
    /// a * d - b, rounded once; made by emission alone.
    Fms213 Xmm Xmm FREE []
        fn (vfmsub213ss vfmsub213sd) { DAB DAM: [dq 0x660F38AB /rvm] }
    /// a * b - d, rounded once; made by emission alone.
    Fms231 Xmm Xmm FREE []
        fn (vfmsub231ss vfmsub231sd) { DAB DAM: [dq 0x660F38BB /rvm] }
    /// -(a * b) + x, rounded once: one of the next three, by where the operands are.
    Fnma Xmm Xmm FREE [V3] (DABX DAMX DAXM)
    /// -(d * M) + a, with M in memory, rounded once; made by emission alone.
    Fnma132 Xmm Xmm FREE []
        fn (vfnmadd132ss vfnmadd132sd) { DAM: [dq 0x660F389D /rvm] }
    /// -(a * d) + b, rounded once; made by emission alone.
    Fnma213 Xmm Xmm FREE []
        fn (vfnmadd213ss vfnmadd213sd) { DAB DAM: [dq 0x660F38AD /rvm] }
    /// -(a * b) + d, rounded once; made by emission alone.
    Fnma231 Xmm Xmm FREE []
        fn (vfnmadd231ss vfnmadd231sd) { DAB DAM: [dq 0x660F38BD /rvm] }
    /// -(a * b) - x, rounded once: one of the next three, by where the operands are.
    Fnms Xmm Xmm FREE [V3] (DABX DAMX DAXM)
    /// -(d * M) - a, with M in memory, rounded once; made by emission alone.
    Fnms132 Xmm Xmm FREE []
        fn (vfnmsub132ss vfnmsub132sd) { DAM: [dq 0x660F389F /rvm] }
    /// -(a * d) - b, rounded once; made by emission alone.
    Fnms213 Xmm Xmm FREE []
        fn (vfnmsub213ss vfnmsub213sd) { DAB DAM: [dq 0x660F38AF /rvm] }
    /// -(a * b) - d, rounded once; made by emission alone.
    Fnms231 Xmm Xmm FREE []
        fn (vfnmsub231ss vfnmsub231sd) { DAB DAM: [dq 0x660F38BF /rvm] }
    } };
}

/// A row of the table.
#[derive(Debug)]
pub struct Row {
    /// The properties and fixed registers, for allocation.
    pub info: OpInfo,
    /// The type of the operand `d`.
    pub destination: Type,
    /// The type of the operands that are read.
    pub source: Type,
    /// The encodings. Forms that are missing there are composed of others by emission.
    pub encodings: &'static [Encoding],
}

impl Row {
    /// Returns the encoding of a form that has one.
    pub fn encoding(&self, form: Form) -> &'static Encoding {
        let found = self.encodings.iter().find(|e| e.forms.contains(&form));
        found.unwrap_or_else(|| panic!("{} has no encoding in form {form:?}", self.info.name))
    }
}

macro_rules! ops {
    // The rows.
    ($(#[doc = $doc:literal] $op:ident $destination:ident $source:ident $fixed:ident [$($prop:ident)*]
        $(($($composed:ident)+))? $($kind:ident $names:tt $($text:literal)? {
            $($($form:ident $(($($field:ident)*))? $(| $same:ident)*)+ : $encoding:tt)+
        })*
    )*) => {
        /// The number of each row.
        #[repr(u8)]
        enum Number { $($op,)* }

        /// The operations by name: `op::Lea` is the number of the row `Lea`.
        #[expect(non_upper_case_globals, reason = "the names are those in the table and in machine IR as text")]
        pub mod op {
            use super::Number;
            use crate::mir::MOp;
            $(
                #[doc = $doc]
                #[doc = ""]
                #[doc = concat!(
                    " Forms:" $($($(, " ", stringify!($form) $(, " ", stringify!($same))*)+)+)*
                    $($(, " ", stringify!($composed))+)?, "."
                )]
                pub const $op: MOp = MOp(Number::$op as u8);
            )*

            /// All operations, in table order.
            pub const ALL: &[MOp] = &[$($op,)*];
        }

        pub(crate) const TABLE: &[Row] = &[$(Row {
            info: OpInfo {
                name: stringify!($op),
                fixed: &$fixed,
                props: Type::props(Type::$destination, Type::$source)$(.or(Props::$prop))*,
            },
            destination: Type::$destination,
            source: Type::$source,
            encodings: &[$($($(Encoding::new(
                &[Form::$form $(, Form::$same)*],
                crate::x64_forms! { @fields [ops @operands] [$form $(($($field)*))?] },
                ops!(@recipe $source $encoding),
                ops!(@mnemonics $names),
            ),)+)+)*],
        },)*];
    };
    // The operands of an encoding, and the contents of its brackets.
    (@operands $form:ident [$($field:ident)*]) => { &[$(field::$field),*] };
    (@recipe $source:ident [$rule:ident $opcode:literal $(+ $plus:ident)? $(/ $digit:literal)? $(/ $modrm:ident)?
        $($imm:ident $(= $value:literal)?)?]) => {
        Recipe::new(rule::$rule, $opcode, Type::$source)
            $(.$plus())?
            $(.modrm(ModRm::Digit($digit)))?
            $(.modrm(modrm::$modrm))?
            $(.imm(imm::$imm, 0 $(+ $value)?))?
    };
    // A mnemonic, the mnemonics at several sizes, and one with conditions.
    (@mnemonics $name:ident) => { &[stringify!($name)] };
    (@mnemonics ($($name:ident)+)) => { &[$(stringify!($name)),+] };
    (@mnemonics [$name:ident $($method:ident $cond:ident)+]) => { &[stringify!($name)] };
}

x64_instructions!(ops);

/// Returns the row of an op.
#[inline]
pub fn row(op: MOp) -> &'static Row {
    static ROWS: &[Row] = TABLE;
    &ROWS[op.0 as usize]
}

/// Returns the properties of an op.
#[inline]
pub fn props(op: MOp) -> Props {
    OPS[op.0 as usize].props
}

/// The rows by number. As many as there are numbers, so that no index is compared.
pub(crate) static OPS: [OpInfo; 256] = {
    let (mut rows, mut op) = ([OpInfo::NONE; 256], 0);
    while op < TABLE.len() {
        rows[op] = TABLE[op].info;
        op += 1;
    }
    rows
};

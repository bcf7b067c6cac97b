//! The instruction table: what each machine instruction reads, writes and looks like.
//!
//! A machine instruction is an [`op`] in a [`Form`](crate::mir::form::Form). The form says which fields of
//! [`MInst`](crate::mir::MInst) are operands and what is done to them; the op's row adds the registers it fixes or
//! clobbers and its properties.
//! Liveness, allocators, printer, checker and encoder look at these columns and not at single ops.
//!
//! Forms are three-address: `d = op a, b`. Where the hardware wants `d` and `a` in one register (the T forms, "tied"),
//! the encoder makes it so after allocation: nothing when they are the same, an exchange of `a` and `b` when `d` is
//! `b` and the op is commutative, `lea` for an addition, else a copy first. Allocation guarantees that `d` is never
//! the register of `b` (or of the memory operand) of a tied op that is not commutative.
//!
//! The encodings of a row are written as in the instruction pages of the Intel SDM (volume 2), one for each group of
//! forms; [`encode::recipe`](super::encode::recipe) explains the notation and compiles it to a table.

use super::registers::{R11, RAX, RCX, RDX};
use crate::mir::{Fixed, MOp, OpInfo, PRegSet, Props};

const FREE: Fixed = Fixed::FREE;
const IN_CL: Fixed = Fixed { b: Some(RCX), clobbers: PRegSet::of(&[RCX]), kept: PRegSet::of(&[RCX]), ..FREE };
const AX_DX: PRegSet = PRegSet::of(&[RAX, RDX]);
/// Of operations with a record, which says the rest: no operand in rdx.
const NOT_IN_DX: Fixed = Fixed { clobbers: PRegSet::of(&[RDX]), ..FREE };
const VIA_R11: Fixed = Fixed { clobbers: PRegSet::of(&[R11]), ..FREE };
const AX_TO_AX: Fixed = Fixed { d: Some(RAX), a: Some(RAX), clobbers: AX_DX, ..FREE };
const AX_TO_DX: Fixed = Fixed { d: Some(RDX), a: Some(RAX), clobbers: AX_DX, ..FREE };

/// A row of the table.
#[derive(Debug)]
pub struct Row {
    /// The properties and fixed registers, for allocation.
    pub info: OpInfo,
    /// The instruction's name in Intel syntax; [`text`](super::text) fills in what depends on condition and size. Of
    /// two names, the first is that between registers (form DA).
    pub mnemonic: &'static str,
    /// The encodings of its forms, in the notation of [`encode::recipe`](super::encode::recipe). Forms that are missing
    /// there are composed of others by emission.
    pub encodings: &'static str,
}

macro_rules! ops {
    ($($variant:ident $mnemonic:literal $fixed:ident [$($prop:ident)*] $encodings:literal $doc:literal)*) => {
        /// The number of each row.
        #[repr(u8)]
        enum Number { $($variant,)* }

        /// The operations by name: `op::Lea` is the number of the row `Lea`.
        #[expect(non_upper_case_globals, reason = "the names are those in the table and in machine IR as text")]
        pub mod op {
            use super::Number;
            use crate::mir::MOp;
            $(#[doc = $doc] pub const $variant: MOp = MOp(Number::$variant as u8);)*

            /// All operations, in table order.
            pub const ALL: &[MOp] = &[$($variant,)*];
        }

        pub(crate) const TABLE: &[Row] = &[$(Row {
            info: OpInfo {
                name: stringify!($variant), fixed: &$fixed, props: Props::NONE$(.or(Props::$prop))*,
            },
            mnemonic: $mnemonic,
            encodings: $encodings,
        },)*];
        /// The meaning of each, for the methods of the assembler.
        #[cfg(test)]
        pub(crate) const DOCS: &[&str] = &[$($doc,)*];
    };
}

ops! {
// variant  mnemonic  fixed  properties
//     encodings (see `encode::recipe`)
//     meaning (forms)
Mov           "mov"       FREE     [COPY SLOT_SOURCE]
    "DA: dq 8B /r; DM: bv 8B /r; MA: bv 89 /r; MI: bv C7 /0 iz32"
    "Copy, load, store, constant (DA DM MA MI DI DI64)."
Zero          "xor"       FREE     [SETS_FLAGS]
    "D: d 33 /r"
    "0, by an exclusive or (D): shorter than `Mov`, but sets the flags."
MovZx32       "mov"       FREE     [SLOT_SOURCE]
    "DA DM: d 8B /r"
    "32 bits zero-extended to 64 (DA DM): not dropped where both registers are the same."
MovZx8        "movzx"     FREE     [SLOT_SOURCE]
    "DA DM: d 0F B6 /r rm8"
    "8 bits zero-extended to the size (DA DM)."
MovZx16       "movzx"     FREE     [SLOT_SOURCE]
    "DA DM: d 0F B7 /r"
    "16 bits zero-extended to the size (DA DM)."
MovSx8        "movsx"     FREE     [SLOT_SOURCE]
    "DA DM: dq 0F BE /r rm8"
    "8 bits sign-extended to the size (DA DM)."
MovSx16       "movsx"     FREE     [SLOT_SOURCE]
    "DA DM: dq 0F BF /r"
    "16 bits sign-extended to the size (DA DM)."
MovSx32       "movsxd"    FREE     [SLOT_SOURCE]
    "DA DM: q 63 /r"
    "32 bits sign-extended to 64 (DA DM)."
Lea           "lea"       FREE     []
    "DM: dq 8D /r"
    "The address (DM)."
LoadGot       "mov"       FREE     []
    "DM: q 8B /r"
    "The address of a symbol from the global offset table (DM)."
ThreadPointer "mov"       FREE     []
    ""
    "The thread pointer, `fs:[0]` (D)."
TlsAddr       "call"      FREE     [CALL SETS_FLAGS RECORD]
    ""
    "The address of the thread-local symbol of the record, by `__tls_get_addr`: a call with the result in rax (None)."
Add           "add"       FREE     [COMMUTATIVE SLOT_SOURCE SETS_FLAGS IN_SLOT]
    "DTB DTM: bv 03 /r; MA: bv 01 /r; DTI MI: bv 81 /0 iz"
    "Sum (DTB DTM DTI MA MI)."
Sub           "sub"       FREE     [SLOT_SOURCE SETS_FLAGS IN_SLOT]
    "DTB DTM: bv 2B /r; MA: bv 29 /r; DTI MI: bv 81 /5 iz"
    "Difference (DTB DTM DTI MA MI)."
And           "and"       FREE     [COMMUTATIVE SLOT_SOURCE SETS_FLAGS IN_SLOT]
    "DTB DTM: bv 23 /r; MA: bv 21 /r; DTI MI: bv 81 /4 iz"
    "Bitwise and (DTB DTM DTI MA MI)."
Or            "or"        FREE     [COMMUTATIVE SLOT_SOURCE SETS_FLAGS IN_SLOT]
    "DTB DTM: bv 0B /r; MA: bv 09 /r; DTI MI: bv 81 /1 iz"
    "Bitwise or (DTB DTM DTI MA MI)."
Xor           "xor"       FREE     [COMMUTATIVE SLOT_SOURCE SETS_FLAGS IN_SLOT]
    "DTB DTM: bv 33 /r; MA: bv 31 /r; DTI MI: bv 81 /6 iz"
    "Bitwise exclusive or (DTB DTM DTI MA MI)."
Imul          "imul"      FREE     [COMMUTATIVE SLOT_SOURCE SETS_FLAGS]
    "DTB DTM: v 0F AF /r; DAI DMI: v 69 /r iz"
    "Low half of the product (DTB DTM; not tied with a constant: DAI DMI)."
Neg           "neg"       FREE     [SETS_FLAGS]
    "DT M: bv F7 /3"
    "Negation (DT M)."
Not           "not"       FREE     []
    "DT M: bv F7 /2"
    "Inversion (DT M)."
Bswap         "bswap"     FREE     []
    "DT: dq 0F C8+r"
    "Bytes in opposite order, sizes 4 and 8 (DT)."
Shl           "shl"       FREE     [SETS_FLAGS IN_SLOT]
    "DTI MI: bv C1 /4 i1"
    "Shift left by a constant (DTI MI)."
Shr           "shr"       FREE     [SETS_FLAGS IN_SLOT]
    "DTI MI: bv C1 /5 i1"
    "Shift right, zeros in, by a constant (DTI MI)."
Sar           "sar"       FREE     [SETS_FLAGS IN_SLOT]
    "DTI MI: bv C1 /7 i1"
    "Shift right, sign in, by a constant (DTI MI)."
Rol           "rol"       FREE     [SETS_FLAGS]
    "DTI MI: bv C1 /0 i1"
    "Rotate left by a constant (DTI MI)."
Ror           "ror"       FREE     [SETS_FLAGS]
    "DTI MI: bv C1 /1 i1"
    "Rotate right by a constant (DTI MI)."
ShlCl         "shl"       IN_CL    [SETS_FLAGS]
    "DTB: bv D3 /4"
    "Shift left by cl (DTB)."
ShrCl         "shr"       IN_CL    [SETS_FLAGS]
    "DTB: bv D3 /5"
    "Shift right, zeros in, by cl (DTB)."
SarCl         "sar"       IN_CL    [SETS_FLAGS]
    "DTB: bv D3 /7"
    "Shift right, sign in, by cl (DTB)."
RolCl         "rol"       IN_CL    [SETS_FLAGS]
    "DTB: bv D3 /0"
    "Rotate left by cl (DTB)."
RorCl         "ror"       IN_CL    [SETS_FLAGS]
    "DTB: bv D3 /1"
    "Rotate right by cl (DTB)."
IdivQuot      "idiv"      AX_TO_AX [SLOT_SOURCE SETS_FLAGS]
    "DAB DAM: bv F7 /7"
    "Signed quotient, dividend sign-extended first (DAB DAM)."
IdivRem       "idiv"      AX_TO_DX [SLOT_SOURCE SETS_FLAGS]
    "DAB DAM: bv F7 /7"
    "Signed remainder, dividend sign-extended first (DAB DAM); not at size 1."
IdivRemSafe   "idiv"      AX_TO_DX [SLOT_SOURCE SETS_FLAGS]
    "DAB DAM: bv F7 /7"
    "IdivRem with a divisor that is known not to be -1 (DAB DAM); not at size 1."
DivQuot       "div"       AX_TO_AX [SLOT_SOURCE SETS_FLAGS]
    "DAB DAM: bv F7 /6"
    "Unsigned quotient, dividend zero-extended first (DAB DAM); not at size 1."
DivRem        "div"       AX_TO_DX [SLOT_SOURCE SETS_FLAGS]
    "DAB DAM: bv F7 /6"
    "Unsigned remainder, dividend zero-extended first (DAB DAM); not at size 1."
IdivBoth      "idiv"      NOT_IN_DX [SETS_FLAGS RECORD]
    "B M: v F7 /7"
    "Signed quotient and remainder by `b`, of the record: rax sign-extended first (B M)."
DivBoth       "div"       NOT_IN_DX [SETS_FLAGS RECORD]
    "B M: v F7 /6"
    "Unsigned quotient and remainder by `b`, of the record: rax zero-extended first (B M)."
ImulBoth      "imul"      FREE     [SETS_FLAGS RECORD]
    "B M: v F7 /5"
    "Low and high half of the signed product of rax and `b`, of the record (B M)."
MulBoth       "mul"       FREE     [SETS_FLAGS RECORD]
    "B M: v F7 /4"
    "Low and high half of the unsigned product of rax and `b`, of the record (B M)."
ImulHigh      "imul"      AX_TO_DX [SLOT_SOURCE SETS_FLAGS]
    "DAB DAM: bv F7 /5"
    "High half of the signed product (DAB DAM)."
MulHigh       "mul"       AX_TO_DX [SLOT_SOURCE SETS_FLAGS]
    "DAB DAM: bv F7 /4"
    "High half of the unsigned product (DAB DAM)."
Bsf           "bsf"       FREE     [SLOT_SOURCE SETS_FLAGS]
    "DA DM: v 0F BC /r"
    "Number of the lowest one bit; undefined for 0 (DA DM)."
Bsr           "bsr"       FREE     [SLOT_SOURCE SETS_FLAGS]
    "DA DM: v 0F BD /r"
    "Number of the highest one bit; undefined for 0 (DA DM)."
Popcnt        "popcnt"    FREE     [SLOT_SOURCE SETS_FLAGS FALSE_DEP V2]
    "DA DM: v F3 0F B8 /r"
    "Number of one bits (DA DM)."
Tzcnt         "tzcnt"     FREE     [SLOT_SOURCE SETS_FLAGS FALSE_DEP V3]
    "DA DM: v F3 0F BC /r"
    "Number of the lowest one bit; for 0 the width (DA DM)."
Lzcnt         "lzcnt"     FREE     [SLOT_SOURCE SETS_FLAGS FALSE_DEP V3]
    "DA DM: v F3 0F BD /r"
    "Number of zeros above the highest one bit; for 0 the width (DA DM)."
Shlx          "shlx"      FREE     [V3]
    "DAB: dq 66 0F 38 F7 /rmv"
    "`a` shifted left by `b` (DAB)."
Shrx          "shrx"      FREE     [V3]
    "DAB: dq F2 0F 38 F7 /rmv"
    "`a` shifted right by `b`, zeros in (DAB)."
Sarx          "sarx"      FREE     [V3]
    "DAB: dq F3 0F 38 F7 /rmv"
    "`a` shifted right by `b`, signs in (DAB)."
Rorx          "rorx"      FREE     [SLOT_SOURCE V3]
    "DAI DMI: dq F2 0F 3A F0 /rm ib"
    "`a` rotated right by a constant (DAI DMI)."
Andn          "andn"      FREE     [SLOT_SOURCE SETS_FLAGS V3]
    "DAB DAM: dq 0F 38 F2 /rvm"
    "Bitwise `!a & b` (DAB DAM)."
Blsr          "blsr"      FREE     [SLOT_SOURCE SETS_FLAGS V3]
    "DA DM: dq 0F 38 F3 /v1"
    "`a` without its lowest one bit (DA DM)."
Blsmsk        "blsmsk"    FREE     [SLOT_SOURCE SETS_FLAGS V3]
    "DA DM: dq 0F 38 F3 /v2"
    "Ones up to the lowest one bit of `a` (DA DM)."
Blsi          "blsi"      FREE     [SLOT_SOURCE SETS_FLAGS V3]
    "DA DM: dq 0F 38 F3 /v3"
    "The lowest one bit of `a` (DA DM)."
Cmp           "cmp"       FREE     [SLOT_SOURCE SLOT_FIRST SETS_FLAGS]
    "AB AM: bv 3B /r; MA: bv 39 /r; AI MI: bv 81 /7 iz"
    "Flags of the difference (AB AM AI MA MI)."
Test          "test"      FREE     [SLOT_FIRST SETS_FLAGS]
    "AB AM MA: bv 85 /r; AI MI: bv F7 /0 iz32"
    "Flags of the bitwise and (AB AI MA MI)."
Bt            "bt"        FREE     [SETS_FLAGS]
    "AB: v 0F A3 /mr; AI: v 0F BA /4 ib"
    "Bit `b`, modulo the size, of `a` into the carry flag (AB AI); sizes 2, 4, 8."
Set           "set?" FREE     [USES_FLAGS CONDITION]
    "D DT: d 0F 90+cc /0 rm8; M: d 0F 90+cc /0"
    "1 where the condition holds, else 0, in the low 8 bits; the others stay, those of `a` (D DT M)."
Cmov          "cmov?" FREE     [SLOT_SOURCE USES_FLAGS CONDITION]
    "DTB DTM: v 0F 40+cc /r"
    "`b` where the condition holds, else `a` (DTB DTM); sizes 2, 4, 8."
Jmp           "jmp"       FREE     [TERMINATOR]
    ""
    "To the only successor (None)."
Jcc           "j?" FREE     [TERMINATOR USES_FLAGS CONDITION]
    ""
    "To the first successor where the condition holds, else to the second (None)."
JmpReg        "jmp"       FREE     [TERMINATOR]
    "B M: d FF /4"
    "To an address, that of one of the successors: a jump through a table (B)."
Call          "call"      FREE     [CALL SETS_FLAGS RECORD]
    "B M: d FF /2"
    "Calls the symbol of the record in the pool (None), a register (B) or a loaded address (M)."
Ret           "ret"       FREE     [TERMINATOR RECORD]
    ""
    "Epilogue and return, with the results of the list in the pool (None)."
TailCall      "jmp"       FREE     [TERMINATOR RECORD]
    ""
    "Epilogue and a jump to the symbol of the record, or without one to what is in rax, with the arguments in the list (None)."
Ud2           "ud2"       FREE     [TERMINATOR]
    "None: d 0F 0B"
    "Traps (None)."
Params        "params"    FREE     [RECORD PARAMS]
    ""
    "No code: the registers of the list in the pool hold arguments here (None)."
RepMovs       "rep movsb" FREE     [RECORD]
    "None: d F3 A4"
    "Copies rcx bytes from rsi to rdi; a list in the pool (None)."
RepStos       "rep stosb" FREE     [RECORD]
    "None: d F3 AA"
    "Sets rcx bytes at rdi to al; a list in the pool (None)."
StackAlloc    "sub"       VIA_R11  [SETS_FLAGS MOVES_STACK]
    ""
    "Takes `b` bytes, a multiple of 16, off rsp and touches every page on the way (B)."
MovF          "movaps|mov*" FREE     [COPY SLOT_SOURCE FLOAT_D FLOAT_AB WIDE]
    "DA: d 0F 28 /r; DM: fs 0F 10 /r; MA: fs 0F 11 /r"
    "Float copy, load, store (DA DM MA); at size 16 whole registers (movups)."
ZeroF         "xorps"     FREE     [FLOAT_D WIDE]
    "D: d 0F 57 /r"
    "0.0 (D)."
MovIF         "mov#|mov*" FREE     [SLOT_SOURCE FLOAT_D]
    "DA: dq 66 0F 6E /r; DM: fs 0F 10 /r"
    "The bits of an integer register in a float register (DA)."
MovFI         "mov#|mov" FREE     [SLOT_SOURCE FLOAT_AB]
    "DA: dq 66 0F 7E /mr; DM: dq 8B /r"
    "The bits of a float register in an integer register (DA)."
AddF          "add*" FREE     [COMMUTATIVE SLOT_SOURCE FLOAT_D FLOAT_AB]
    "DTB DTM: fs 0F 58 /r; DAB DAM: fs 0F 58 /rvm"
    "Sum (DTB DTM; from v3 on not tied, DAB DAM)."
SubF          "sub*" FREE     [SLOT_SOURCE FLOAT_D FLOAT_AB]
    "DTB DTM: fs 0F 5C /r; DAB DAM: fs 0F 5C /rvm"
    "Difference (DTB DTM; from v3 on not tied, DAB DAM)."
MulF          "mul*" FREE     [COMMUTATIVE SLOT_SOURCE FLOAT_D FLOAT_AB]
    "DTB DTM: fs 0F 59 /r; DAB DAM: fs 0F 59 /rvm"
    "Product (DTB DTM; from v3 on not tied, DAB DAM)."
DivF          "div*" FREE     [SLOT_SOURCE FLOAT_D FLOAT_AB]
    "DTB DTM: fs 0F 5E /r; DAB DAM: fs 0F 5E /rvm"
    "Quotient (DTB DTM; from v3 on not tied, DAB DAM)."
MinF          "min*" FREE     [SLOT_SOURCE FLOAT_D FLOAT_AB]
    "DTB DTM: fs 0F 5D /r; DAB DAM: fs 0F 5D /rvm"
    "`a` where a < b, else `b` (DTB DTM; from v3 on not tied, DAB DAM)."
MaxF          "max*" FREE     [SLOT_SOURCE FLOAT_D FLOAT_AB]
    "DTB DTM: fs 0F 5F /r; DAB DAM: fs 0F 5F /rvm"
    "`a` where a > b, else `b` (DTB DTM; from v3 on not tied, DAB DAM)."
CmpEqF        "cmpeq*" FREE     [COMMUTATIVE SLOT_SOURCE FLOAT_D FLOAT_AB]
    "DTB DTM: fs 0F C2 /r i=0; DAB DAM: fs 0F C2 /rvm i=0"
    "Ones where `a` and `b` are equal, else zeros (DTB DTM; from v3 on not tied, DAB DAM)."
CmpLtF        "cmplt*" FREE     [SLOT_SOURCE FLOAT_D FLOAT_AB]
    "DTB DTM: fs 0F C2 /r i=1; DAB DAM: fs 0F C2 /rvm i=1"
    "Ones where a < b, else zeros (DTB DTM; from v3 on not tied, DAB DAM)."
CmpLeF        "cmple*" FREE     [SLOT_SOURCE FLOAT_D FLOAT_AB]
    "DTB DTM: fs 0F C2 /r i=2; DAB DAM: fs 0F C2 /rvm i=2"
    "Ones where a <= b, else zeros (DTB DTM; from v3 on not tied, DAB DAM)."
CmpUnordF     "cmpunord*" FREE  [COMMUTATIVE SLOT_SOURCE FLOAT_D FLOAT_AB]
    "DTB DTM: fs 0F C2 /r i=3; DAB DAM: fs 0F C2 /rvm i=3"
    "Ones where `a` or `b` is a NaN, else zeros (DTB DTM; from v3 on not tied, DAB DAM)."
SqrtF         "sqrt*" FREE     [SLOT_SOURCE FALSE_DEP FLOAT_D FLOAT_AB]
    "DA DM: fs 0F 51 /r"
    "Square root (DA DM)."
AndF          "andps"     FREE     [COMMUTATIVE FLOAT_D FLOAT_AB]
    "DTB DTM: d 0F 54 /r; DAB DAM: d 0F 54 /rvm"
    "Bitwise and of whole registers (DTB DTM with 16 bytes; from v3 on DAB DAM)."
AndnF         "andnps"    FREE     [FLOAT_D FLOAT_AB]
    "DTB DTM: d 0F 55 /r; DAB DAM: d 0F 55 /rvm"
    "Bitwise `!a & b` of whole registers (DTB DTM with 16 bytes; from v3 on DAB DAM)."
OrF           "orps"      FREE     [COMMUTATIVE FLOAT_D FLOAT_AB]
    "DTB DTM: d 0F 56 /r; DAB DAM: d 0F 56 /rvm"
    "Bitwise or of whole registers (DTB DTM with 16 bytes; from v3 on DAB DAM)."
XorF          "xorps"     FREE     [COMMUTATIVE FLOAT_D FLOAT_AB]
    "DTB DTM: d 0F 57 /r; DAB DAM: d 0F 57 /rvm"
    "Bitwise exclusive or of whole registers (DTB DTM with 16 bytes; from v3 on DAB DAM)."
Ucomi         "ucomi*" FREE     [SLOT_SOURCE SETS_FLAGS FLOAT_AB]
    "AB AM: fp 0F 2E /r"
    "Flags of the comparison (AB AM)."
CvtI32F       "cvtsi2*" FREE     [SLOT_SOURCE FALSE_DEP FLOAT_D]
    "DA DM: fs 0F 2A /r"
    "A float from a signed 32-bit integer (DA DM)."
CvtI64F       "cvtsi2*" FREE     [SLOT_SOURCE FALSE_DEP FLOAT_D]
    "DA DM: fsq 0F 2A /r"
    "A float from a signed 64-bit integer (DA DM)."
CvtU64F       "cvtusi2*" VIA_R11 [SETS_FLAGS FLOAT_D]
    ""
    "A float from an unsigned 64-bit integer (DA): a jump decides how."
CvtFI32       "cvtt*2si" FREE     [SLOT_SOURCE FLOAT_AB]
    "DA DM: fs 0F 2C /r"
    "A signed 32-bit integer from a float of the size, toward zero (DA DM)."
CvtFI64       "cvtt*2si" FREE     [SLOT_SOURCE FLOAT_AB]
    "DA DM: fsq 0F 2C /r"
    "A signed 64-bit integer from a float of the size, toward zero (DA DM)."
CvtFF         "cvt~2*" FREE     [SLOT_SOURCE FALSE_DEP FLOAT_D FLOAT_AB]
    "DA DM: fr 0F 5A /r"
    "A float of the size from one of the other size (DA DM)."
RoundF        "round*"    FREE     [FALSE_DEP FLOAT_D FLOAT_AB V2]
    "DAI DMI: fi 66 0F 3A 0A /r ib"
    "Rounded to an integer by the mode in the immediate (DAI DMI)."
Fma           "vfmadd213*" FREE   [FLOAT_D FLOAT_AB V3]
    ""
    "a * b + x, rounded once (DABX DAMX DAXM): one of the next three, by where the operands are."
Fma132        "vfmadd132*" FREE   [FLOAT_D FLOAT_AB V3]
    "DAM: dq 66 0F 38 99 /rvm"
    "d * M + a, with M in memory, rounded once (DAM); made by emission alone."
Fma213        "vfmadd213*" FREE   [FLOAT_D FLOAT_AB V3]
    "DAB DAM: dq 66 0F 38 A9 /rvm"
    "a * d + b, rounded once (DAB DAM); made by emission alone."
Fma231        "vfmadd231*" FREE   [FLOAT_D FLOAT_AB V3]
    "DAB DAM: dq 66 0F 38 B9 /rvm"
    "a * b + d, rounded once (DAB DAM); made by emission alone."
Fms           "vfmsub213*" FREE   [FLOAT_D FLOAT_AB V3]
    ""
    "a * b - x, rounded once (DABX DAMX DAXM): one of the next three, by where the operands are."
Fms132        "vfmsub132*" FREE   [FLOAT_D FLOAT_AB V3]
    "DAM: dq 66 0F 38 9B /rvm"
    "d * M - a, with M in memory, rounded once (DAM); made by emission alone."
Fms213        "vfmsub213*" FREE   [FLOAT_D FLOAT_AB V3]
    "DAB DAM: dq 66 0F 38 AB /rvm"
    "a * d - b, rounded once (DAB DAM); made by emission alone."
Fms231        "vfmsub231*" FREE   [FLOAT_D FLOAT_AB V3]
    "DAB DAM: dq 66 0F 38 BB /rvm"
    "a * b - d, rounded once (DAB DAM); made by emission alone."
Fnma          "vfnmadd213*" FREE   [FLOAT_D FLOAT_AB V3]
    ""
    "-(a * b) + x, rounded once (DABX DAMX DAXM): one of the next three, by where the operands are."
Fnma132       "vfnmadd132*" FREE   [FLOAT_D FLOAT_AB V3]
    "DAM: dq 66 0F 38 9D /rvm"
    "-(d * M) + a, with M in memory, rounded once (DAM); made by emission alone."
Fnma213       "vfnmadd213*" FREE   [FLOAT_D FLOAT_AB V3]
    "DAB DAM: dq 66 0F 38 AD /rvm"
    "-(a * d) + b, rounded once (DAB DAM); made by emission alone."
Fnma231       "vfnmadd231*" FREE   [FLOAT_D FLOAT_AB V3]
    "DAB DAM: dq 66 0F 38 BD /rvm"
    "-(a * b) + d, rounded once (DAB DAM); made by emission alone."
Fnms          "vfnmsub213*" FREE   [FLOAT_D FLOAT_AB V3]
    ""
    "-(a * b) - x, rounded once (DABX DAMX DAXM): one of the next three, by where the operands are."
Fnms132       "vfnmsub132*" FREE   [FLOAT_D FLOAT_AB V3]
    "DAM: dq 66 0F 38 9F /rvm"
    "-(d * M) - a, with M in memory, rounded once (DAM); made by emission alone."
Fnms213       "vfnmsub213*" FREE   [FLOAT_D FLOAT_AB V3]
    "DAB DAM: dq 66 0F 38 AF /rvm"
    "-(a * d) - b, rounded once (DAB DAM); made by emission alone."
Fnms231       "vfnmsub231*" FREE   [FLOAT_D FLOAT_AB V3]
    "DAB DAM: dq 66 0F 38 BF /rvm"
    "-(a * b) - d, rounded once (DAB DAM); made by emission alone."
}

/// The row of an op.
#[inline]
pub fn row(op: MOp) -> &'static Row {
    static ROWS: &[Row] = TABLE;
    &ROWS[op.0 as usize]
}

/// The properties of an op.
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

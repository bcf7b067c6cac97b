//! The opcode table: one row for each opcode, and everything generic is derived from it.
//!
//! A row gives mnemonic, operand shape ([`Format`]), type rule ([`TypeRule`]), result ([`ResultRule`]), effects
//! ([`Effects`]), lowering (`lowering.rs`), and the sentence of the manual. Parser, printer, builder, verifier,
//! generator and generic passes look at these columns and never at the opcode itself. Properties that cannot be a
//! column are written by hand in exhaustive matches: the meaning (`semantics`), and in `lir-llc` the selection or the
//! expansion.
//!
//! `CONTRIBUTING.md` has the recipe for a new one.

pub use crate::format::{Format, MemoryOperands};
use crate::types::Type;

/// The types that the annotation T may name.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Hash)]
pub enum TypeRule {
    /// The format has no annotation.
    None,
    /// i8 i16 i32 i64.
    Int,
    /// i8 i16 i32 i64 i128.
    AnyInt,
    /// f32 f64.
    Float,
    /// Any scalar type.
    Any,
    /// i32 i64 f64: the types of a variable argument.
    VarArg,
    /// A conversion from an integer to a wider integer.
    Widen,
    /// A conversion from an integer to a narrower integer.
    Narrow,
    /// A conversion from an integer to a float.
    IntToFloat,
    /// A conversion from a float to an integer.
    FloatToInt,
    /// f32 to f64.
    FloatWiden,
    /// f64 to f32.
    FloatNarrow,
    /// A conversion between the classes at the same size.
    Bitcast,
}

impl TypeRule {
    /// True if the annotation may be `t` (for conversions: the source type).
    #[inline]
    pub fn allows(self, t: Type) -> bool {
        match self {
            TypeRule::None => false,
            TypeRule::Int | TypeRule::IntToFloat => t.is_int() && t.has_word(),
            TypeRule::AnyInt => t.is_int(),
            TypeRule::Float | TypeRule::FloatToInt => t.is_float(),
            TypeRule::Any => true,
            TypeRule::VarArg => matches!(t, Type::I32 | Type::I64 | Type::F64),
            TypeRule::Widen => t.is_int() && t != Type::I128,
            TypeRule::Narrow => t.is_int() && t != Type::I8,
            TypeRule::FloatWiden => t == Type::F32,
            TypeRule::FloatNarrow => t == Type::F64,
            TypeRule::Bitcast => t.bits() >= 32 && t.has_word(),
        }
    }
    /// True if a conversion from `from` to `to` is one.
    #[inline]
    pub fn allows_conversion(self, from: Type, to: Type) -> bool {
        self.allows(from)
            && match self {
                TypeRule::Widen => to.is_int() && to.bits() > from.bits(),
                TypeRule::Narrow => to.is_int() && to.bits() < from.bits(),
                TypeRule::IntToFloat | TypeRule::FloatWiden | TypeRule::FloatNarrow => to.is_float() && to != from,
                TypeRule::FloatToInt => to.is_int() && to.has_word(),
                TypeRule::Bitcast => to.bits() == from.bits() && to.is_int() != from.is_int(),
                TypeRule::None | TypeRule::Int | TypeRule::AnyInt => false,
                TypeRule::Float | TypeRule::Any | TypeRule::VarArg => false,
            }
    }
}

/// The type of the destination.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Hash)]
pub enum ResultRule {
    /// There is no destination.
    None,
    /// The annotation T.
    Same,
    /// i8: a truth value, 0 or 1.
    Truth,
    /// i64: an address.
    Address,
    /// The type U of a conversion.
    Converted,
    /// The type in the call, which may be absent.
    Call,
}

/// The effects of an instruction other than its result, as a set of flags.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Hash)]
pub struct Effects(u8);

impl Effects {
    /// Nothing: the result is a function of the operands alone, and computing it always succeeds.
    pub const PURE: Effects = Effects(0);
    /// May trap.
    pub const TRAPS: Effects = Effects(1);
    /// Reads memory.
    pub const READS: Effects = Effects(2);
    /// Writes memory.
    pub const WRITES: Effects = Effects(4);
    /// Ends a block.
    pub const TERMINATOR: Effects = Effects(8);
    /// Has an effect that none of the others covers (calls, atomic accesses, the stack pointer, variable argument
    /// lists): never removed, merged or moved by a pass that knows nothing more about it.
    pub const OTHER: Effects = Effects(16);
    /// No effect, but bound to its place (phi, assume): no computation of its operands alone.
    pub const PLACED: Effects = Effects(32);
    /// The operands may be exchanged.
    pub const COMMUTATIVE: Effects = Effects(64);
    /// Either pair of three operands may be taken first; the operands may be exchanged, too.
    pub const ASSOCIATIVE: Effects = Effects(128 | 64);

    /// Both sets together.
    #[inline]
    pub const fn or(self, other: Effects) -> Effects {
        Effects(self.0 | other.0)
    }
    /// True if all flags of `other` are set.
    #[inline]
    pub const fn has(self, other: Effects) -> bool {
        self.0 & other.0 == other.0
    }
    /// True if the result depends on the operands alone and computing it cannot fail: such an instruction may be
    /// removed when unused, merged with an equal one and moved.
    #[inline]
    pub const fn is_pure(self) -> bool {
        self.0 & !Self::ASSOCIATIVE.0 == 0
    }
}

const PURE: Effects = Effects::PURE;
const COMM: Effects = Effects::COMMUTATIVE;
const ASSO: Effects = Effects::ASSOCIATIVE;
const TRAP: Effects = Effects::TRAPS;
const READ: Effects = Effects::READS.or(Effects::TRAPS);
const WRITE: Effects = Effects::WRITES.or(Effects::TRAPS);
const RDWR: Effects = READ.or(WRITE);
const OTHER: Effects = Effects::OTHER;
const VARG: Effects = Effects::OTHER.or(RDWR);
const CALL: Effects = Effects::OTHER.or(RDWR);
const ATOM: Effects = Effects::OTHER.or(RDWR);
const SYNC: Effects = Effects::OTHER.or(Effects::READS).or(Effects::WRITES);
const PLACE: Effects = Effects::PLACED;
const TERM: Effects = Effects::TERMINATOR;

/// A row of the opcode table.
#[derive(Debug)]
pub struct OpInfo {
    /// The word in LIR text. The forms of `ret` and `va_arg` with an aggregate share theirs with the scalar form.
    pub mnemonic: &'static str,
    /// Operand shape.
    pub format: Format,
    /// Types of the annotation.
    pub types: TypeRule,
    /// Type of the destination.
    pub result: ResultRule,
    /// Effects.
    pub effects: Effects,
    /// One sentence for the manual.
    pub doc: &'static str,
}

/// Makes the opcodes, and the items derived from their rows. The first token is `$`, for a macro that is made here.
macro_rules! opcodes {
    ($dollar:tt $($variant:ident $mnemonic:ident $format:ident $types:ident $result:ident $effects:ident $lowering:ident
        $doc:literal)*) => {
        /// An operation.
        #[derive(Copy, Clone, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
        #[repr(u8)]
        pub enum Opcode { $(#[doc = $doc] $variant,)* }

        impl Opcode {
            /// All opcodes, in table order.
            pub const ALL: &'static [Opcode] = &[$(Opcode::$variant,)*];
        }

        /// Columns of the table on their own, a byte for each row: passes ask for them at every instruction, and so
        /// each lies in two or three cache lines.
        static FORMATS: [Format; Opcode::ALL.len()] = [$(Format::$format,)*];
        static EFFECTS: [Effects; Opcode::ALL.len()] = [$($effects,)*];
        static HAS_RESULT: [bool; Opcode::ALL.len()] = [$(!matches!(ResultRule::$result, ResultRule::None),)*];

        // An array and no slice: other crates, which inline its readers, know its length.
        static TABLE: [OpInfo; Opcode::ALL.len()] = [$(OpInfo {
            mnemonic: stringify!($mnemonic), format: Format::$format, types: TypeRule::$types,
            result: ResultRule::$result, effects: $effects, doc: $doc,
        },)*];

        /// Calls a macro with variant, mnemonic and format of each opcode, in table order.
        #[macro_export]
        macro_rules! for_each_opcode {
            ($dollar callback:ident) => { $dollar callback! { $($variant $mnemonic $format)* } };
        }
        patterns! { [] [] $($variant $lowering)* }
    };
}

opcodes! { $
// variant   mnemonic      format     types       result  effects lowering meaning
Const        const         Const      Any         Same      PURE  Select "The constant."
Copy         copy          Unary      Any         Same      PURE  Select
    "The operand. `arg.N` in place of the register is parameter N, if that has no name."
Add          add           Binary     AnyInt      Same      ASSO  Select "The sum modulo 2^width."
Sub          sub           Binary     AnyInt      Same      PURE  Select "The difference modulo 2^width."
Mul          mul           Binary     AnyInt      Same      ASSO  Select
    "The low half of the product, which is the same for signed and unsigned operands."
And          and           Binary     AnyInt      Same      ASSO  Select "Bitwise and."
Or           or            Binary     AnyInt      Same      ASSO  Select "Bitwise or."
Xor          xor           Binary     AnyInt      Same      ASSO  Select "Bitwise exclusive or."
Shl          shl           Binary     AnyInt      Same      PURE  Select
    "Shift left, zeros in. The amount is taken modulo the width: a shift of an i32 by 33 is one by 1."
Lshr         lshr          Binary     AnyInt      Same      PURE  Select
    "Shift right, zeros in. The amount is taken modulo the width."
Ashr         ashr          Binary     AnyInt      Same      PURE  Select
    "Shift right, copies of the sign bit in. The amount is taken modulo the width."
Rotl         rotl          Binary     Int         Same      PURE  Select
    "Rotate left. The amount is taken modulo the width."
Rotr         rotr          Binary     Int         Same      PURE  Select
    "Rotate right. The amount is taken modulo the width."
Sdiv         sdiv          Binary     AnyInt      Same      TRAP  Select
    "The signed quotient, truncated toward zero. Traps `div_by_zero` at divisor 0, and `int_overflow` where the least \
    number of the type is divided by -1."
Udiv         udiv          Binary     AnyInt      Same      TRAP  Select
    "The unsigned quotient, truncated. Traps `div_by_zero` at divisor 0."
Srem         srem          Binary     AnyInt      Same      TRAP  Select
    "The remainder of `sdiv`, with the sign of the dividend. Traps `div_by_zero` at divisor 0. The remainder by -1 is \
    always 0, of the least number too."
Urem         urem          Binary     AnyInt      Same      TRAP  Select
    "The remainder of `udiv`. Traps `div_by_zero` at divisor 0."
Smulh        smulh         Binary     Int         Same      COMM  Either
    "The high half of the signed product of twice the width."
Umulh        umulh         Binary     Int         Same      COMM  Either
    "The high half of the unsigned product of twice the width."
Smin         smin          Binary     Int         Same      ASSO  Expand "The smaller operand, compared as signed."
Smax         smax          Binary     Int         Same      ASSO  Expand "The greater operand, compared as signed."
Umin         umin          Binary     Int         Same      ASSO  Expand "The smaller operand, compared as unsigned."
Umax         umax          Binary     Int         Same      ASSO  Expand "The greater operand, compared as unsigned."
SaddO        sadd_o        Binary     Int         Truth     COMM  Either
    "1 where the signed sum does not fit the type, else 0."
UaddO        uadd_o        Binary     Int         Truth     COMM  Either
    "1 where the unsigned sum does not fit the type, else 0."
SsubO        ssub_o        Binary     Int         Truth     PURE  Either
    "1 where the signed difference does not fit the type, else 0."
UsubO        usub_o        Binary     Int         Truth     PURE  Either
    "1 where the unsigned difference is below 0, else 0."
SmulO        smul_o        Binary     Int         Truth     COMM  Either
    "1 where the signed product does not fit the type, else 0."
UmulO        umul_o        Binary     Int         Truth     COMM  Expand
    "1 where the unsigned product does not fit the type, else 0."
Neg          neg           Unary      AnyInt      Same      PURE  Select
    "0 minus the operand, modulo 2^width: the least number is its own negation."
Not          not           Unary      AnyInt      Same      PURE  Select "All bits inverted."
Clz          clz           Unary      Int         Same      PURE  Either
    "The number of zero bits above the highest one bit; of 0 it is the width."
Ctz          ctz           Unary      Int         Same      PURE  Either
    "The number of zero bits below the lowest one bit; of 0 it is the width."
Popcnt       popcnt        Unary      Int         Same      PURE  Either "The number of one bits."
Bswap        bswap         Unary      Int         Same      PURE  Select
    "The bytes in opposite order; of an i8 the operand itself."
Fadd         fadd          Binary     Float       Same      COMM  Select
    "The sum, rounded once to nearest, ties to even."
Fsub         fsub          Binary     Float       Same      PURE  Select
    "The difference, rounded once to nearest, ties to even."
Fmul         fmul          Binary     Float       Same      COMM  Select
    "The product, rounded once to nearest, ties to even. It is never contracted with an addition."
Fdiv         fdiv          Binary     Float       Same      PURE  Select
    "The quotient, rounded once to nearest, ties to even. A division by zero gives an infinity or a NaN and does not \
    trap."
Fmin         fmin          Binary     Float       Same      COMM  Select
    "The smaller operand, where -0.0 is below 0.0. If either is a NaN, a quiet NaN."
Fmax         fmax          Binary     Float       Same      COMM  Select
    "The greater operand, where -0.0 is below 0.0. If either is a NaN, a quiet NaN."
Fcopysign    fcopysign     Binary     Float       Same      PURE  Select
    "The first operand with the sign bit of the second. It touches the sign bit alone, of a NaN too."
Fneg         fneg          Unary      Float       Same      PURE  Select
    "The operand with its sign bit inverted, of a NaN too."
Fabs         fabs          Unary      Float       Same      PURE  Select
    "The operand with its sign bit clear, of a NaN too."
Fsqrt        fsqrt         Unary      Float       Same      PURE  Select
    "The square root, rounded once to nearest. The root of -0.0 is -0.0, and the root of a number below it is a NaN."
Fceil        fceil         Unary      Float       Same      PURE  Either
    "Rounded to an integer toward +inf. Infinities and zeros stay as they are; the sign is kept."
Ffloor       ffloor        Unary      Float       Same      PURE  Either
    "Rounded to an integer toward -inf. Infinities and zeros stay as they are."
Ftrunc       ftrunc        Unary      Float       Same      PURE  Either
    "Rounded to an integer toward zero. The sign is kept, of a zero too."
Fnearest     fnearest      Unary      Float       Same      PURE  Either
    "Rounded to the nearest integer, ties to even. The sign is kept, of a zero too."
Fma          fma           Ternary    Float       Same      PURE  Select
    "The first operand times the second plus the third, rounded once."
Icmp         icmp          Compare    AnyInt      Truth     PURE  Select
    "1 where the predicate holds, else 0. The predicates are `eq ne`, signed `slt sle sgt sge` and unsigned `ult ule \
    ugt uge`."
Fcmp         fcmp          Compare    Float       Truth     PURE  Select
    "1 where the predicate holds, else 0. The predicates `oeq one olt ole ogt oge` are false where an operand is a NaN, \
    `ueq une ult ule ugt uge` are true there; `ord` says that neither is a NaN, `uno` that one is. -0.0 equals 0.0."
Select       select        Select     Any         Same      PURE  Select
    "The second operand where the first is not 0, else the third. The first is a register of any integer type; T is the \
    type of the others. Both are evaluated before."
Sext         sext          Convert    Widen       Converted PURE  Select "The value, sign-extended to the wider type U."
Zext         zext          Convert    Widen       Converted PURE  Select "The value, zero-extended to the wider type U."
Trunc        trunc         Convert    Narrow      Converted PURE  Select "The low bits, as the narrower type U."
Sitofp       sitofp        Convert    IntToFloat  Converted PURE  Either
    "The signed value, rounded once to nearest, ties to even."
Uitofp       uitofp        Convert    IntToFloat  Converted PURE  Either
    "The unsigned value, rounded once to nearest, ties to even."
Fptosi       fptosi        Convert    FloatToInt  Converted PURE  Either
    "The value truncated toward zero. Out of range, or of a NaN, to i32 or i64: the least number of U. To i8 or i16: \
    the low bits of the conversion to i32."
Fptoui       fptoui        Convert    FloatToInt  Converted PURE  Expand
    "The value truncated toward zero. To i8, i16 or i32: the low bits of `fptosi` to i64. To i64: with s the result of \
    `fptosi` to i64, it is s where s is not negative, else s or'ed with `fptosi` of x - 2^63."
FptosiSat    fptosi_sat    Convert    FloatToInt  Converted PURE  Expand
    "The value truncated toward zero; out of range the least or the greatest number of U, of a NaN 0."
FptouiSat    fptoui_sat    Convert    FloatToInt  Converted PURE  Expand
    "The value truncated toward zero; out of range 0 or the greatest number of U, of a NaN 0."
Fpext        fpext         Convert    FloatWiden  Converted PURE  Select
    "The same value as an f64. A signalling NaN becomes quiet."
Fptrunc      fptrunc       Convert    FloatNarrow Converted PURE  Select
    "The value as an f32, rounded once to nearest, ties to even; too large a value gives an infinity. A signalling NaN \
    becomes quiet."
Bitcast      bitcast       Convert    Bitcast     Converted PURE  Select
    "The same bits in the other class: between i32 and f32, and between i64 and f64."
Lea          lea           Address    None        Address   PURE  Select
    "The address of the memory operand, computed modulo 2^64. Nothing is accessed, so it may be outside of its object."
Load         load          Load       Any         Same      READ  Select
    "The value at the address, little-endian, which needs no alignment. Traps `memory_fault` where no memory can be \
    read. With `volatile` it is never removed, doubled or moved over another volatile access."
Store        store         Store      Any         None      WRITE Select
    "Writes the value to the address, little-endian, which needs no alignment. Traps `memory_fault` where no memory can \
    be written. With `volatile` it is never removed, doubled or moved over another volatile access."
Alloca       alloca        Alloca     None        Address   OTHER Select
    "The address of new stack memory of this many bytes (an unsigned i64, 0 too), aligned to a constant power of two up \
    to 2^30. It is freed at return or by `stack_restore`. Traps `stack_overflow` where the stack cannot hold it."
StackSave    stack_save    Nullary    None        Address   OTHER Select
    "The state of the dynamic stack memory, for `stack_restore` in the same call of the function."
StackRestore stack_restore Consume    None        None      OTHER Select
    "Frees the allocas made since the state was saved. Their addresses may not be used any more."
Memcpy       memcpy        MemCopy    None        None      RDWR  Select
    "Copies as many bytes as the third operand says (an unsigned i64) from the second address to the first. The ranges \
    are the same or disjoint. Traps `memory_fault`; a size of 0 accesses nothing."
Memmove      memmove       MemCopy    None        None      RDWR  Either
    "Copies as many bytes as the third operand says (an unsigned i64) from the second address to the first, as if all of \
    them were read before the first one is written: the ranges may overlap. Traps `memory_fault`; a size of 0 accesses \
    nothing."
Memset       memset        MemFill    None        None      WRITE Select
    "Sets as many bytes as the third operand says (an unsigned i64) to the second operand, an i8. Traps `memory_fault`; \
    a size of 0 accesses nothing."
AtomicLoad   atomic_load   AtomicLoad Int         Same      ATOM  Select
    "The value at the address, in one access. The order is `relaxed`, `acquire` or `seq_cst`. The address must be a \
    multiple of the size of T."
AtomicStore  atomic_store  AtomicStore Int        None      ATOM  Select
    "Writes the value to the address, in one access. The order is `relaxed`, `release` or `seq_cst`. The address must \
    be a multiple of the size of T."
AtomicRmw    atomicrmw     AtomicUpdate Int       Same      ATOM  Either
    "Replaces the value at the address by the result of an operation on it and the second operand, in one indivisible \
    access. The result is the old value. The operations are `xchg` (the second operand itself), `add`, `sub`, `and`, \
    `or`, `xor`, `nand` (an inverted `and`), `smin`, `smax`, `umin` and `umax`. Every order is allowed. The address \
    must be a multiple of the size of T."
Cmpxchg      cmpxchg       AtomicExchange Int     Same      ATOM  Select
    "Replaces the value at the address by the third operand if it equals the second one, in one indivisible access. \
    The result is the old value, which equals the second operand if and only if the third one was written. The first \
    order, which may be any, is for success; the second one, `relaxed`, `acquire` or `seq_cst`, is for failure, when \
    nothing is written. The address must be a multiple of the size of T."
Fence        fence         Fence      None        None      SYNC  Select
    "Orders the accesses before and after it, as the chapter on threads defines. The order is `acquire`, `release`, \
    `acq_rel` or `seq_cst`."
VaStart      va_start      MemOnly    None        None      VARG  Select
    "Initialises the C `va_list` (24 bytes) at the address to the first variable argument. It must be in a variadic function."
VaEnd        va_end        MemOnly    None        None      VARG  Expand "Ends the use of the `va_list` at the address."
VaCopy       va_copy       MemPair    None        None      VARG  Expand
    "Copies a `va_list` from the second address to the first; both then advance separately."
VaArg        va_arg        Load       VarArg      Same      VARG  Expand
    "Reads the next variable argument from the `va_list` at the address, and advances the `va_list`. The type must \
    match the argument; this is not checked."
VaArgAgg     va_arg        AggMemPair None        None      VARG  Expand
    "Writes the next variable argument, an aggregate of this type, to the first address, and advances the `va_list` \
    at the second."
Call         call          Call       None        Call      CALL  Select
    "Calls a function. See the chapter on calls."
Phi          phi           Phi        Any         Same      PLACE Select
    "The entry of the predecessor from which control came. All phis of a block read at once, at the end of the \
    predecessor."
Jmp          jmp           Jump       None        None      TERM  Select "Continues at the block."
Br           br            Branch     Any         None      TERM  Select
    "Jumps to the first block if the predicate holds, and to the second otherwise. Integers take the predicates of \
    `icmp`, floats the predicates of `fcmp`. `br %c, a, b` is short for `br ne T %c, 0, a, b`."
Switch       switch        Switch     Int         None      TERM  Select
    "Continues at the block of the case that equals the operand, else at the default, which is listed first. There may be no \
    cases; no two have the same value."
Ret          ret           Return     Any         None      TERM  Select
    "Returns. The value has the type of the function's result, which is not repeated."
RetAgg       ret           AggReturn  None        None      TERM  Select
    "Returns the aggregate at the address: its bytes are copied."
Unreachable  unreachable   Stop       None        None      TERM  Select
    "Traps `unreachable`. This is defined behaviour: no pass may assume that control never reaches it."
Assume       assume        Assume     Int         None      PLACE Expand
    "Promises that the predicate holds, as in `icmp`. It has no effect and takes no time; a pass may remove it."
}

impl Opcode {
    /// Returns the row of this opcode.
    #[inline]
    pub fn info(self) -> &'static OpInfo {
        &TABLE[self as usize]
    }
    /// Operand shape.
    #[inline]
    pub fn format(self) -> Format {
        FORMATS[self as usize]
    }
    /// Effects. A load or store that is `volatile`, and a call with attributes, differ: see
    /// `InstData::is_volatile` and the callee's attributes.
    #[inline]
    pub fn effects(self) -> Effects {
        EFFECTS[self as usize]
    }
    /// True if the destination field names an assigned register: [`ResultRule`] is not `None`.
    #[inline]
    pub fn has_result(self) -> bool {
        HAS_RESULT[self as usize]
    }
    /// Returns the word in LIR text.
    #[inline]
    pub fn mnemonic(self) -> &'static str {
        self.info().mnemonic
    }
    /// True if this ends a block.
    #[inline]
    pub fn is_terminator(self) -> bool {
        self.effects().has(Effects::TERMINATOR)
    }
    /// Returns the opcode with this discriminant. Panics if there is none.
    #[inline]
    pub fn from_u8(n: u8) -> Opcode {
        Self::ALL[n as usize]
    }
    /// Returns the opcode of the same word whose operand is an aggregate: of `ret` and `va_arg`.
    pub fn aggregate_form(self) -> Option<Opcode> {
        Self::ALL.iter().copied().find(|o| *o != self && o.mnemonic() == self.mnemonic())
    }
    /// Returns the opcode of a word in LIR text; of `ret` and `va_arg` the scalar form.
    ///
    /// A hash table with open addressing, filled when the program is compiled: every instruction of a text is looked
    /// up here.
    #[inline]
    pub fn from_mnemonic(word: &[u8]) -> Option<Opcode> {
        let mut slot = mnemonic_hash(word);
        loop {
            match MNEMONICS[slot] {
                NO_OPCODE => return None,
                row if TABLE[row as usize].mnemonic.as_bytes() == word => return Some(Opcode::ALL[row as usize]),
                _ => slot = (slot + 1) % MNEMONICS.len(),
            }
        }
    }
}

const NO_OPCODE: u8 = u8::MAX;

/// Returns a slot for a word by its length and three of its bytes.
#[inline]
const fn mnemonic_hash(word: &[u8]) -> usize {
    let n = word.len();
    if n == 0 {
        return 0;
    }
    let (first, middle, last) = (word[0] as usize, word[n / 2] as usize, word[n - 1] as usize);
    (first * 22 + middle * 83 + last * 35 + n * 19) % 512
}

/// The rows by [`mnemonic_hash`], or the next slots after it.
static MNEMONICS: [u8; 512] = {
    let mut slots = [NO_OPCODE; 512];
    let mut row = 0;
    while row < TABLE.len() {
        let mut slot = mnemonic_hash(TABLE[row].mnemonic.as_bytes());
        // Of rows with the same word the first comes first in the order of the probes.
        while slots[slot] != NO_OPCODE {
            slot = (slot + 1) % slots.len();
        }
        slots[slot] = row as u8;
        row += 1;
    }
    slots
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_mnemonic_is_found_and_documented() {
        for &op in Opcode::ALL {
            let found = Opcode::from_mnemonic(op.mnemonic().as_bytes()).unwrap();
            assert_eq!(found.mnemonic(), op.mnemonic());
            assert!(found as u8 <= op as u8, "the scalar form stands first");
            assert!(op.info().doc.ends_with('.'), "{op:?}");
        }
        assert_eq!(Opcode::from_mnemonic(b"addd"), None);
    }
}

//! The data of instructions, in sixteen bytes each.

use super::{
    Agg, Comparison, Effects, EntityRef, Ext, FloatCC, Format, IntCC, Mem, Opcode, Operand, Order, Predicate, Promises,
    Reg, RmwOp, Type,
};

/// An instruction. The opcode's [`Format`] defines the fields, so they are read and written by methods that know the
/// format, here and in [`Function`](super::Function).
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
#[repr(C)]
pub struct InstData {
    /// The operation.
    pub op: Opcode,
    /// The annotation T; `I64` if the format has none.
    pub ty: Type,
    /// Predicate, target type, log2 of an alignment, mark of a call, or orders of an atomic access, depending on the
    /// format.
    pub(super) aux: u8,
    /// See [`InstData::INDEXED`], [`InstData::VOLATILE`] and [`InstData::promises`].
    pub(super) flags: u8,
    /// The destination register as an operand (none: no destination), or another item of the format.
    pub(super) dst: Operand,
    /// First operand, or base of the memory operand, or pool index of the memory operand.
    pub(super) a: Operand,
    /// Second operand, or displacement of the memory operand, or pool index.
    pub(super) b: Operand,
}

impl InstData {
    /// Flag: the memory operand is in the pool, at index `a`. Otherwise it is `[a + b]`, with `b` as the raw
    /// displacement.
    pub(super) const INDEXED: u8 = 1;
    /// Flag: a volatile load or store.
    pub(super) const VOLATILE: u8 = 2;
    /// The position of [`Promises`] in the flags.
    const PROMISES: u32 = 3;

    /// Returns an instruction of this operation, with everything else absent.
    #[inline]
    pub const fn new(op: Opcode, ty: Type) -> InstData {
        InstData { op, ty, aux: 0, flags: 0, dst: Operand::NONE, a: Operand::NONE, b: Operand::NONE }
    }
    /// `op T a`: formats with one operand.
    #[inline]
    pub fn unary(op: Opcode, ty: Type, a: impl Into<Operand>) -> InstData {
        InstData { a: a.into(), ..InstData::new(op, ty) }
    }
    /// `op T a, b`: formats with two operands.
    #[inline]
    pub fn binary(op: Opcode, ty: Type, a: impl Into<Operand>, b: impl Into<Operand>) -> InstData {
        InstData { a: a.into(), b: b.into(), ..InstData::new(op, ty) }
    }
    /// `icmp` or `fcmp`, by the type of the operands.
    #[inline]
    pub fn compare(c: Comparison) -> InstData {
        let op = if c.ty.is_float() { Opcode::Fcmp } else { Opcode::Icmp };
        InstData::binary(op, c.ty, c.a, c.b).with_predicate(c.predicate)
    }
    /// `assume PREDICATE T a, b`, of integers.
    #[inline]
    pub fn assume(c: Comparison) -> InstData {
        InstData::binary(Opcode::Assume, c.ty, c.a, c.b).with_predicate(c.predicate)
    }
    /// `br PREDICATE T a, b`: jumps to the first target if the comparison holds.
    #[inline]
    pub fn branch(c: Comparison) -> InstData {
        InstData::binary(Opcode::Br, c.ty, c.a, c.b).with_predicate(c.predicate)
    }
    /// `br ne T tested, 0`: jumps to the first target if an integer is not 0.
    #[inline]
    pub fn branch_on(tested: Operand, ty: Type) -> InstData {
        let zero = Operand::small(0).expect("0 is small");
        InstData::branch(Comparison { ty, predicate: IntCC::Ne.into(), a: tested, b: zero })
    }
    /// `op FROM a to TO`.
    #[inline]
    pub fn convert(op: Opcode, from: Type, to: Type, a: impl Into<Operand>) -> InstData {
        InstData { aux: to as u8, ..InstData::unary(op, from, a) }
    }
    /// `copy T value` of a register, `const T value` of a constant.
    #[inline]
    pub fn move_of(ty: Type, value: Operand) -> InstData {
        InstData::unary(if value.is_reg() { Opcode::Copy } else { Opcode::Const }, ty, value)
    }
    /// Returns the promises about the operands.
    #[inline]
    pub fn promises(&self) -> Promises {
        Promises::from_bits(self.flags >> Self::PROMISES)
    }
    /// The same with these promises about the operands.
    #[inline]
    pub fn with_promises(self, promises: Promises) -> InstData {
        let others = self.flags & ((1 << Self::PROMISES) - 1);
        InstData { flags: others | promises.to_bits() << Self::PROMISES, ..self }
    }
    /// The same with another operation of the same format, without promises.
    #[inline]
    pub fn with_op(self, op: Opcode) -> InstData {
        InstData { op, ..self.with_promises(Promises::NONE) }
    }
    /// The same with another annotation, without promises.
    #[inline]
    pub fn with_type(self, ty: Type) -> InstData {
        InstData { ty, ..self.with_promises(Promises::NONE) }
    }
    /// The same, assigning this register, or none.
    #[inline]
    pub fn with_result(self, r: impl Into<Option<Reg>>) -> InstData {
        InstData { dst: r.into().map_or(Operand::NONE, Operand::reg), ..self }
    }
    /// The same with another first operand, without promises: they were about the old one.
    #[inline]
    pub fn with_first(self, a: impl Into<Operand>) -> InstData {
        InstData { a: a.into(), ..self.with_promises(Promises::NONE) }
    }
    /// The same with another second operand, without promises: they were about the old one.
    #[inline]
    pub fn with_second(self, b: impl Into<Operand>) -> InstData {
        InstData { b: b.into(), ..self.with_promises(Promises::NONE) }
    }
    /// The same with another list of operands, entries, cases or arguments: made by [`Function`](super::Function)'s
    /// `make_phi` and the like.
    #[inline]
    pub fn with_list(self, list: Operand) -> InstData {
        InstData { b: list, ..self }
    }
    /// The same store, of another value.
    #[inline]
    pub fn with_stored(self, value: impl Into<Operand>) -> InstData {
        InstData { dst: value.into(), ..self }
    }
    /// The same block operation, of another size.
    #[inline]
    pub fn with_length(self, length: impl Into<Operand>) -> InstData {
        InstData { dst: length.into(), ..self }
    }
    /// The same with another predicate.
    #[inline]
    pub fn with_predicate(self, predicate: impl Into<Predicate>) -> InstData {
        InstData { aux: predicate.into().to_u8(), ..self }
    }
    /// The same `atomic_load`, `atomic_store` or `fence`, with this order.
    #[inline]
    pub fn with_order(self, order: Order) -> InstData {
        InstData { aux: order.to_aux(), ..self }
    }
    /// The same `atomicrmw`, with this operation and order.
    #[inline]
    pub fn with_rmw(self, op: RmwOp, order: Order) -> InstData {
        InstData { aux: op.with_order(order), ..self }
    }
    /// The same `cmpxchg`, with these orders of success and failure.
    #[inline]
    pub fn with_orders(self, success: Order, failure: Order) -> InstData {
        InstData { aux: success.with_failure(failure), ..self }
    }
    /// The same conversion, to another type.
    #[inline]
    pub fn with_target_type(self, to: Type) -> InstData {
        InstData { aux: to as u8, ..self }
    }
    /// The same with another aggregate type.
    #[inline]
    pub fn with_agg(self, agg: Agg) -> InstData {
        InstData { dst: Operand::from_bits(agg.as_u32()), ..self }
    }
    /// The same `alloca` with this alignment, a power of two, in bytes.
    #[inline]
    #[track_caller]
    pub fn with_alignment(self, alignment: u64) -> InstData {
        assert!(alignment.is_power_of_two(), "an alignment is a power of two, not {alignment}");
        InstData { aux: alignment.trailing_zeros() as u8, ..self }
    }
    /// The same call with this mark.
    #[inline]
    pub fn with_tail_mark(self, mark: TailMark) -> InstData {
        debug_assert!(self.op.format() == Format::Call, "{:?} calls nothing", self.op);
        InstData { aux: mark as u8, ..self }
    }
    /// The same operation with exchanged operands, if it is commutative, or a comparison, whose predicate is swapped.
    /// None for others.
    pub fn exchanged(&self) -> Option<InstData> {
        let exchanged = InstData { a: self.second(), b: self.first(), ..*self };
        match self.op.format() {
            Format::Compare | Format::Branch | Format::Assume => {
                Some(exchanged.with_predicate(self.predicate().swapped()))
            }
            _ => self.op.effects().has(Effects::COMMUTATIVE).then_some(exchanged),
        }
    }
    /// The same, volatile or not.
    #[inline]
    pub fn with_volatile(self, volatile: bool) -> InstData {
        let others = self.flags & !Self::VOLATILE;
        InstData { flags: others | if volatile { Self::VOLATILE } else { 0 }, ..self }
    }
    /// Returns the register that is assigned. None if the opcode has no result, or if a call's result is unused.
    #[inline]
    pub fn result(&self) -> Option<Reg> {
        if self.op.has_result() { self.dst.as_reg() } else { None }
    }
    /// Returns the first operand: register, constant, callee, base of a memory operand that is not in the pool, or
    /// none. Panics in debug builds if the format keeps something else in the field, so that no field is misread.
    #[inline]
    #[track_caller]
    pub fn first(&self) -> Operand {
        debug_assert!(
            self.op.format().has_first_operand() && self.flags & Self::INDEXED == 0,
            "{:?} has no first operand",
            self.op
        );
        self.a
    }
    /// Returns the second operand: register, constant, or none. Panics in debug builds if the format keeps something
    /// else in the field, such as a displacement, which is easily taken for a constant.
    #[inline]
    #[track_caller]
    pub fn second(&self) -> Operand {
        debug_assert!(self.op.format().has_second_operand(), "{:?} has no second operand", self.op);
        self.b
    }
    /// Returns the value that a store writes, atomic or not. Panics in debug builds for other formats.
    #[inline]
    #[track_caller]
    pub fn stored(&self) -> Operand {
        let stores = matches!(self.op.format(), Format::Store | Format::AtomicStore);
        debug_assert!(stores, "{:?} stores no operand", self.op);
        self.dst
    }
    /// Returns the size of a `memcpy`, `memmove` or `memset`. Panics in debug builds for other formats.
    #[inline]
    #[track_caller]
    pub fn length(&self) -> Operand {
        debug_assert!(matches!(self.op.format(), Format::MemCopy | Format::MemFill), "{:?} has no length", self.op);
        self.dst
    }
    /// Returns the predicate of an `icmp`, an `fcmp` or a `br`.
    #[inline]
    pub fn predicate(&self) -> Predicate {
        debug_assert!(self.op.format().compares(), "{:?} compares nothing", self.op);
        Predicate::from_u8(self.aux)
    }
    /// Returns the order of an atomic access or a fence. A `cmpxchg` returns its order on success. None for other
    /// operations.
    #[inline]
    pub fn order(&self) -> Option<Order> {
        if self.op.format().has_order() { Order::of_aux(self.aux) } else { None }
    }
    /// True if the orders and the operation of an atomic access, or the order of a fence, are valid.
    pub(super) fn has_orders(&self) -> bool {
        let second = match self.op.format() {
            Format::AtomicUpdate => RmwOp::of_aux(self.aux).is_some(),
            Format::AtomicExchange => Order::of_failure(self.aux).is_some(),
            _ => usize::from(self.aux) < Order::ALL.len(),
        };
        second && Order::of_aux(self.aux).is_some()
    }
    /// Returns the failure order of a `cmpxchg`. Panics in debug builds for other operations.
    #[inline]
    pub fn failure_order(&self) -> Option<Order> {
        debug_assert!(self.op.format() == Format::AtomicExchange, "{:?} does not fail", self.op);
        Order::of_failure(self.aux)
    }
    /// Returns the operation of an `atomicrmw`. Panics for other operations.
    #[inline]
    pub fn rmw_op(&self) -> RmwOp {
        debug_assert!(self.op.format() == Format::AtomicUpdate, "{:?} updates nothing", self.op);
        RmwOp::of_aux(self.aux).expect("the verifier accepted the operation")
    }
    /// Returns the discriminant of the predicate, the target type, the mark of a call or the orders of an atomic
    /// access, as [`eval`](crate::semantics::eval) takes it; 0 if the format has none of them.
    #[inline]
    pub fn aux(&self) -> u8 {
        self.aux
    }
    /// Returns the alignment of an `alloca` in bytes, a power of two.
    #[inline]
    pub fn alignment(&self) -> u64 {
        debug_assert!(self.op.format() == Format::Alloca, "{:?} aligns nothing", self.op);
        1 << self.aux
    }
    /// Returns the integer predicate of an `icmp` or of a `br` on integers.
    #[inline]
    pub fn int_cc(&self) -> IntCC {
        debug_assert!(self.ty.is_int());
        IntCC::from_u8(self.aux)
    }
    /// Returns the float predicate of an `fcmp` or of a `br` on floats.
    #[inline]
    pub fn float_cc(&self) -> FloatCC {
        debug_assert!(self.ty.is_float());
        FloatCC::from_u8(self.aux)
    }
    /// Returns the target type of a conversion.
    #[inline]
    pub fn to_type(&self) -> Type {
        Type::from_u8(self.aux)
    }
    /// Returns the mark of a call. Panics in debug builds for other formats.
    #[inline]
    pub fn tail_mark(&self) -> TailMark {
        debug_assert!(self.op.format() == Format::Call, "{:?} calls nothing", self.op);
        match self.aux {
            mark if mark == TailMark::Tail as u8 => TailMark::Tail,
            mark if mark == TailMark::MustTail as u8 => TailMark::MustTail,
            _ => TailMark::None,
        }
    }
    /// Returns the aggregate type of an [`AggMemPair`](super::Format::AggMemPair) or
    /// [`AggReturn`](super::Format::AggReturn).
    #[inline]
    pub fn agg(&self) -> Agg {
        Agg::new(self.dst.to_bits() as usize)
    }
    /// True if the memory operand is in the pool, since it has an index.
    #[inline]
    pub(crate) fn is_indexed(&self) -> bool {
        self.flags & Self::INDEXED != 0
    }
    /// True if this is a volatile load or store.
    #[inline]
    pub fn is_volatile(&self) -> bool {
        self.flags & Self::VOLATILE != 0
    }
}

impl Comparison {
    /// Returns the comparison of a `br`, `icmp` or `fcmp`.
    #[inline]
    pub fn of(d: &InstData) -> Comparison {
        debug_assert!(d.op.format().compares(), "{:?} compares nothing", d.op);
        Comparison { ty: d.ty, predicate: d.predicate(), a: d.first(), b: d.second() }
    }
}

/// The word between the opcode of a call and its operands: whether the callee may take the caller's place on the stack.
///
/// `tail` permits, so a pass may keep it or drop it; it applies to a call that only a return of its result follows.
/// `musttail` obliges, at every level and in the interpreter.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Hash, Default)]
#[repr(u8)]
pub enum TailMark {
    /// There is no word: the caller is in every backtrace until the call returns.
    #[default]
    None,
    /// `tail`: the call may become a jump if a return follows it.
    Tail,
    /// `musttail`: the call is a jump. A return follows it, and the calling convention allows it (V26).
    MustTail,
}

impl TailMark {
    /// All marks that have a word.
    pub(crate) const ALL: [TailMark; 2] = [TailMark::Tail, TailMark::MustTail];
    /// Returns the word in LIR text; empty if there is none.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            TailMark::None => "",
            TailMark::Tail => "tail",
            TailMark::MustTail => "musttail",
        }
    }
    /// Returns the mark with this word.
    pub(crate) fn from_name(word: &[u8]) -> Option<TailMark> {
        TailMark::ALL.into_iter().find(|m| m.name().as_bytes() == word)
    }
    /// Returns the mark of a call that replaces two calls, one of which called the function that contains the other:
    /// the weaker mark.
    pub fn of_both(self, other: TailMark) -> TailMark {
        self.min(other)
    }
}

/// One argument of a call.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum CallArg {
    /// A register, with its extension to 32 bits by the caller if it is narrower.
    Reg(Reg, Ext),
    /// An aggregate, whose bytes are read from this address.
    Agg(Agg, Mem),
}

/// The result of a call.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum CallResult {
    /// Nothing.
    None,
    /// A scalar and its extension by the callee, whether or not there is a destination.
    Scalar(Type, Ext),
    /// An aggregate, whose bytes are written to this address.
    Agg(Agg, Mem),
}

/// A call as a whole, as the parser and passes pass it to [`Function::make_call`](super::Function::make_call). It is
/// read back by [`Function::call_result`](super::Function::call_result) and
/// [`Function::call_args`](super::Function::call_args).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CallInfo {
    /// The result.
    pub result: CallResult,
    /// The arguments in order.
    pub args: Vec<CallArg>,
    /// Number of fixed arguments. The others follow `...`.
    pub fixed: u32,
    /// True if the callee is variadic. `...` may then be last, with no argument after it.
    pub variadic: bool,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_instruction_is_sixteen_bytes() {
        assert_eq!(size_of::<InstData>(), 16);
    }
}

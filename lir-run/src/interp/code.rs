//! The form in which functions are executed: dense operations on numbered slots.
//!
//! A frame is an array of slots: the function's registers, the high halves of registers of type i128, scratch slots.
//! Values are canonical bits. Constants that have no room in an operation are in a pool, named by operands with the top
//! bit set. Blocks are indices of operations; phis are replaced by moves on the edges.

use super::accesses::derivation::Made;
use super::accesses::{ClaimCode, LimitCode, SetsCode};
use lir_syntax::abi::{ArgLocation, Eightbytes, Piece, Register};
use lir_syntax::ir::{EntityRef, Ext, FuncId, Inst, IntCC, Opcode, Reg, Type, ValuePromises};
use rustc_hash::FxHashMap;

/// A slot of the frame, or with [`POOL`] set an index into [`FuncCode::consts`].
pub(super) type Slot = u32;
/// Marks a pool constant.
pub(super) const POOL: Slot = 1 << 31;
/// No slot.
pub(super) const NO_SLOT: Slot = u32::MAX;

/// The action of an operation. Comments state the meanings of the fields.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
#[repr(u8)]
pub(super) enum Code {
    /// `dst = op(a, b, slot imm)`, by `semantics::eval`.
    Value,
    /// `dst = op(a, imm)`, by `semantics::eval`.
    ValueImm,
    /// `dst = a + imm`: the commonest operation skips the dispatch of `eval`.
    AddImm,
    /// `dst = a + b`.
    Add,
    /// `dst = a` (a slot or pool constant).
    Move,
    /// `dst = imm`.
    Const,
    /// Check the promises `imm` of the next operation, `op` on `a` and `b`.
    Promise,
    /// Check the promises [`FuncCode::values`]`[imm]` about the value `a`.
    ValuePromise,
    /// Check the promise `a PRED b`; the predicate is `aux`.
    Assume,
    /// Note an access to memory operand `a` of `b` bytes, or of `imm` bytes if `b` is [`NO_SLOT`]. Its kind is `aux`.
    /// The origins of the address are number `dst` of [`FuncCode::made`].
    Note,
    /// Claim memory for the `noalias` parameters, and limit the accesses of the function.
    Claim,
    /// Jump to `dst`.
    Jump,
    /// Jump to `dst` if `a PRED b`, else to `imm`; the predicate is `aux`.
    Branch,
    /// Jump to `dst` if `a PRED imm`, else to `b`; the predicate is `aux`.
    BranchImm,
    /// Jump by the value of `a` and the table `imm`.
    Switch,
    /// `dst = [a + imm]`.
    LoadReg,
    /// `dst = [frame memory + imm]`, inside an object.
    LoadFrame,
    /// `dst = [memory operand imm]`.
    LoadMem,
    /// `[a + imm] = b`.
    StoreReg,
    /// `[frame memory + imm] = b`, inside an object.
    StoreFrame,
    /// `[memory operand imm] = b`.
    StoreMem,
    /// `dst = address of memory operand imm`.
    Lea,
    /// `dst = ` new memory of `a` bytes, alignment `1 << aux`.
    Alloca,
    /// `dst = ` state of the allocas.
    StackSave,
    /// Return to the state `a`.
    StackRestore,
    /// Copy `dst` bytes to memory operand `a` from `b`.
    Memcpy,
    /// Copy `dst` bytes to memory operand `a` from `b`, which may overlap.
    Memmove,
    /// Set `dst` bytes of memory operand `a` to `b`.
    Memset,
    /// `dst = ` the old value at memory operand `imm` of the atomic access `op` with the operands `a` and `b`.
    Atomic,
    /// A fence.
    Fence,
    /// Start the list at memory operand `imm`.
    VaStart,
    /// Nothing.
    VaEnd,
    /// Copy the list at memory operand `b` to `a`.
    VaCopy,
    /// `dst = ` next argument of the list at memory operand `imm`.
    VaArg,
    /// Write the next argument of the list at `b` to `a`. Its aggregate type is number `imm`.
    VaArgAgg,
    /// Call by record `imm`.
    Call,
    /// Return `a`, or nothing for [`NO_SLOT`].
    Ret,
    /// Return the aggregate at memory operand `imm`, `a` bytes.
    RetAgg,
    /// The operation `imm` on i128.
    Wide,
    /// Return the i128 in `a` and `b`.
    RetWide,
    /// Trap.
    Unreachable,
    /// Note the access to memory operand `a`, which is in sets: number `imm` of [`FuncCode::sets`].
    Sets,
}

/// An operation: 24 bytes.
#[derive(Copy, Clone, Debug)]
pub(super) struct Op {
    pub(super) code: Code,
    pub(super) op: Opcode,
    pub(super) ty: Type,
    pub(super) aux: u8,
    pub(super) dst: u32,
    pub(super) a: Slot,
    pub(super) b: Slot,
    pub(super) imm: u64,
}

/// The slots of an i128, the low half first.
pub(super) type Halves = [Slot; 2];

/// An operation on i128 of format Unary, Binary or Compare.
#[derive(Copy, Clone, Debug)]
pub(super) struct WideCode {
    pub(super) op: Opcode,
    /// Of a comparison, whose result is in the first slot of the destination.
    pub(super) predicate: IntCC,
    pub(super) dst: Halves,
    pub(super) a: Halves,
    pub(super) b: Halves,
}

/// The registers that return the pieces of an aggregate result.
pub(super) type ResultPieces = Eightbytes<(Piece, Register)>;

/// The base of an address.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum MemBase {
    /// No object, or a register in [`MemRef::slot`]: any object.
    Any,
    /// A stack object at this offset of the frame's memory.
    Frame {
        /// Bytes from the start of the frame's memory.
        offset: u64,
        /// Bytes.
        size: u64,
    },
    /// A data object defined here.
    Data {
        /// Its address.
        start: u64,
        /// Bytes.
        size: u64,
        /// Never written.
        constant: bool,
    },
    /// Thread data defined here.
    Thread {
        /// Bytes from the start of the thread's copies.
        offset: u64,
        /// Bytes.
        size: u64,
        /// Never written.
        constant: bool,
    },
    /// Thread data outside, by its number.
    ThreadOutside(u32),
}

/// A memory operand.
#[derive(Copy, Clone, Debug)]
pub(super) struct MemRef {
    pub(super) base: MemBase,
    /// A base register, or [`NO_SLOT`].
    pub(super) slot: Slot,
    /// An index register, or [`NO_SLOT`].
    pub(super) index: Slot,
    /// log2 of the scale.
    pub(super) shift: u8,
    /// The constant that is added, the address of an external symbol included.
    pub(super) offset: u64,
}

/// A switch: values in ascending order with their targets.
#[derive(Clone, Debug)]
pub(super) struct SwitchTable {
    pub(super) keys: Vec<u64>,
    pub(super) targets: Vec<u32>,
    pub(super) default: u32,
}

/// The callee of a call.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum Callee {
    /// A function of the module whose signature equals the call's and is not variadic.
    Direct(FuncId),
    /// This address: C, or a function of the module through the ABI.
    Address(u64),
    /// The address in this slot.
    Indirect(Slot),
}

/// An argument of a call.
#[derive(Copy, Clone, Debug)]
pub(super) enum ArgCode {
    /// A scalar.
    Scalar {
        slot: Slot,
        ty: Type,
        ext: Ext,
        /// Its location by the ABI.
        place: ArgLocation,
    },
    /// An aggregate of this many bytes, read from a memory operand.
    Agg { mem: u32, size: u64, place: ArgLocation },
    /// An i128.
    Wide { slots: Halves, place: ArgLocation },
}

/// The result of a call.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum ResultCode {
    None,
    /// A scalar, to a slot or nowhere ([`NO_SLOT`]).
    Scalar(Type, Slot),
    /// An i128, to slots or nowhere.
    Wide(Halves),
    /// An aggregate of this many bytes, to a memory operand. In these registers, or in memory.
    Agg {
        mem: u32,
        size: u64,
        regs: Option<ResultPieces>,
    },
}

/// A call.
#[derive(Clone, Debug)]
pub(super) struct CallCode {
    pub(super) callee: Callee,
    pub(super) args: Vec<ArgCode>,
    pub(super) result: ResultCode,
    /// Bytes of stack of the ABI form, their alignment, and vector registers used.
    pub(super) stack_bytes: u64,
    pub(super) stack_align: u64,
    pub(super) vector_count: u8,
    /// True if the callee never returns.
    pub(super) noreturn: bool,
    /// True if the callee may return twice, which is not supported.
    pub(super) returns_twice: bool,
    /// True if the callee takes the place of the caller.
    pub(super) jumps: bool,
}

/// A parameter.
#[derive(Copy, Clone, Debug)]
pub(super) enum ParamCode {
    /// A scalar.
    Scalar { slot: Slot, ty: Type, place: ArgLocation },
    /// An aggregate: a stack object at this offset of the frame's memory.
    Agg { offset: u64, size: u64, place: ArgLocation },
    /// An i128.
    Wide { slots: Halves, place: ArgLocation },
}

/// The result of a function, with its location by the ABI.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub(super) enum ReturnCode {
    #[default]
    None,
    Scalar(Type, Ext),
    Wide,
    Agg {
        size: u64,
        regs: Option<ResultPieces>,
    },
}

/// The promises about a value of a function.
#[derive(Debug)]
pub(super) struct PromisedValue {
    pub(super) promises: ValuePromises,
    pub(super) ty: Type,
    /// The value's name in messages.
    pub(super) what: Box<str>,
}

/// A function in the form in which it is executed.
#[derive(Debug, Default)]
pub(super) struct FuncCode {
    pub(super) ops: Vec<Op>,
    /// The instruction that each operation comes from.
    pub(super) origin: Vec<Inst>,
    pub(super) consts: Vec<u64>,
    pub(super) mems: Vec<MemRef>,
    pub(super) switches: Vec<SwitchTable>,
    pub(super) calls: Vec<CallCode>,
    pub(super) wides: Vec<WideCode>,
    /// The `noalias` parameters.
    pub(super) claims: Vec<ClaimCode>,
    /// Its limit, if the function is `readnone` or `readonly`.
    pub(super) limit: Option<LimitCode>,
    /// The accesses that are in sets.
    pub(super) sets: Vec<SetsCode>,
    /// For each noted access: the origin of its address, for each of these parameters.
    pub(super) made: Vec<Box<[Made]>>,
    /// The promises about values.
    pub(super) values: Vec<PromisedValue>,
    /// By register of type i128: the slot of its high half. The low half is in the slot of the register's number.
    pub(super) high: FxHashMap<Slot, Slot>,
    pub(super) params: Vec<ParamCode>,
    pub(super) result: ReturnCode,
    /// Slots of a frame.
    pub(super) slots: usize,
    /// Bytes of stack objects, and their alignment.
    pub(super) frame_size: u64,
    pub(super) frame_align: u64,
    /// By stack object: its offset.
    pub(super) offsets: Vec<u64>,
    /// Offset and size of the stack objects whose address is taken, ascending.
    pub(super) objects: Vec<(u64, u64)>,
    /// The state of a fresh `va_list`, if the function is variadic.
    pub(super) variadic: Option<Variadic>,
}

/// The start of variable arguments.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) struct Variadic {
    /// Offset in the register save area of the first general-purpose register without a fixed parameter.
    pub(super) gp_offset: u32,
    /// The same of vector registers.
    pub(super) fp_offset: u32,
    /// Bytes of stack arguments that fixed parameters take.
    pub(super) stack: u64,
}

impl FuncCode {
    /// Returns the slots of a register of type i128.
    pub(super) fn halves(&self, r: Reg) -> Halves {
        [r.as_u32(), self.high[&r.as_u32()]]
    }
    /// Returns the bits of a register in the slots of a frame.
    pub(super) fn bits(&self, slots: &[u64], r: Reg) -> u128 {
        let high = self.high.get(&r.as_u32()).map_or(0, |high| slots[*high as usize]);
        u128::from(slots[r.index()]) | u128::from(high) << 64
    }
}

//! A parsed text: as written, but with names replaced by numbers, and nothing interpreted.

use super::class::Class;
use super::operation::Operation;
use crate::interner::Names;
use lir_syntax::ir::entity::entity;
use lir_syntax::ir::{Place, Section, Type};
use lir_syntax::text::source::Span;

entity!(
    /// A symbol, `$name`.
    Global, "$"
);
entity!(
    /// An aggregate type, `:name`.
    AggName, ":"
);
entity!(
    /// A temporary of a function, `%name`.
    Temp, "%"
);
entity!(
    /// A block of a function, `@name`.
    Label, "@"
);

/// A whole text.
#[derive(Default)]
pub(super) struct Program {
    /// The names of symbols, in the order of their first mention.
    pub globals: Names<Global>,
    /// The names of aggregate types.
    pub aggs: Names<AggName>,
    /// Definitions in order.
    pub items: Vec<Item>,
    /// The paths of `dbgfile`.
    pub files: Vec<Box<[u8]>>,
}

pub(super) enum Item {
    Type(TypeDef),
    Data(DataDef),
    Func(Box<FuncDef>),
}

/// `type :name = align N { .. }`.
pub(super) struct TypeDef {
    pub name: AggName,
    pub span: Span,
    pub align: Option<u64>,
    pub body: TypeBody,
}

pub(super) enum TypeBody {
    /// One body, or in a union several, each a list of members with counts.
    Struct(Vec<(SubType, u64)>),
    Union(Vec<Vec<(SubType, u64)>>),
    Opaque(u64),
}

#[derive(Copy, Clone)]
pub(super) enum SubType {
    Scalar(Type),
    Agg(AggName),
}

/// `export`, `thread`, `section` before a definition.
#[derive(Default)]
pub(super) struct Linkage {
    pub export: bool,
    pub thread: Option<Span>,
    pub section: Option<Section>,
}

/// `data $name = align N { .. }`.
pub(super) struct DataDef {
    pub name: Global,
    pub span: Span,
    pub linkage: Linkage,
    pub align: Option<u64>,
    pub items: Vec<DataField>,
}

pub(super) enum DataField {
    Const(Type, u64),
    Addr(Global, i64),
    Str(Box<[u8]>),
    Zero(u64),
}

/// The type of a parameter, argument or result.
#[derive(Copy, Clone, PartialEq, Eq)]
pub(super) enum AbiType {
    Base(Class),
    /// `sb ub sh uh`: i8 or i16, and whether signed.
    Sub(Type, bool),
    Agg(AggName),
    /// `env`: a long, of a parameter or argument.
    Env,
}

impl AbiType {
    /// Returns the class of the temporary that holds such a value (of an aggregate: its address).
    pub(super) fn class(self) -> Class {
        match self {
            AbiType::Base(class) => class,
            AbiType::Sub(..) => Class::W,
            AbiType::Agg(_) | AbiType::Env => Class::L,
        }
    }
}

/// `function .. $name(..) { .. }`.
pub(super) struct FuncDef {
    pub name: Global,
    pub span: Span,
    pub linkage: Linkage,
    pub result: Option<AbiType>,
    pub params: Vec<(AbiType, Temp)>,
    pub variadic: bool,
    pub temps: Names<Temp>,
    pub labels: Names<Label>,
    pub blocks: Vec<Block>,
    /// The instructions of all blocks in order, each block's phis first.
    pub insts: Vec<Inst>,
    pub calls: Vec<Call>,
    pub phis: Vec<Vec<(Label, Val)>>,
    /// The places in the source of `dbgloc`, with the offsets from which on they hold; none for line 0.
    pub places: Vec<(u32, Option<Place>)>,
}

/// A block: its label and the instructions of [`FuncDef::insts`] that are its own.
pub(super) struct Block {
    pub label: Label,
    /// First instruction, and the one after the last.
    pub insts: (u32, u32),
    pub jump: Jump,
    pub jump_span: Span,
}

#[derive(Copy, Clone)]
pub(super) enum Jump {
    Jmp(Label),
    Jnz(Val, Label, Label),
    Ret(Option<Val>),
    Hlt,
}

/// An operand.
#[derive(Copy, Clone, Debug)]
pub(super) enum Val {
    /// No operand.
    None,
    Temp(Temp),
    /// 64 bits, of which the context takes a part.
    Const(u64),
    /// The address of a symbol, and whether `thread` preceded it.
    Sym(Global, bool),
}

/// An instruction.
pub(super) struct Inst {
    pub op: Operation,
    /// The temporary that it assigns, with the class that is written there.
    pub dst: Option<(Temp, Class)>,
    /// Operands; of a blit the third, a number, is in `extra`.
    pub args: [Val; 2],
    /// Index into [`FuncDef::calls`] or [`FuncDef::phis`]; the byte count of a blit.
    pub extra: u64,
    pub span: Span,
}

/// A call as it is written.
pub(super) struct Call {
    pub result: Option<AbiType>,
    pub args: Vec<(AbiType, Val, Span)>,
    /// The number of arguments before `...`, if that is written.
    pub fixed: Option<u32>,
}

//! A parsed text: the syntax as written, with numbers in place of names and types.
//!
//! Lists are ranges of vectors that the whole program shares.

pub(super) use super::attributes::{Flags, FunctionAttributes, ParamAttributes};
use super::types::{Ty, Types};
use crate::interner::Names;
use lir_syntax::ir::entity::entity;
use lir_syntax::ir::{PackedOption, PrimaryMap, Promises};
use lir_syntax::text::source::Span;
use std::collections::HashSet;

entity!(
    /// A global: `@name`, or `@12`, whose name is `\0` and its number.
    Global, "@"
);
entity!(
    /// A value or a block of a function: `%name` or `%12`.
    Local, "%"
);
entity!(
    /// A constant that does not fit a [`Value`].
    Const, "constant"
);

/// A range of one of the lists of [`Program`].
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct List {
    pub start: u32,
    pub len: u32,
}

impl List {
    pub(super) fn range(self) -> std::ops::Range<usize> {
        self.start as usize..self.start as usize + self.len as usize
    }
}

/// A whole text.
pub(super) struct Program {
    pub types: Types,
    /// The names of globals, in the order of their first mention.
    pub globals: Names<Global>,
    pub constants: PrimaryMap<Const, Constant>,
    /// Operands of instructions and of constants.
    pub operands: Vec<Operand>,
    /// Indices of `extractvalue` and `insertvalue`.
    pub indices: Vec<u32>,
    pub variables: Vec<Variable>,
    pub functions: Vec<Function>,
    pub aliases: Vec<Alias>,
    /// Nodes, by their numbers.
    pub metadata: Vec<MetadataNode>,
    /// Facts about parameters and results.
    pub param_facts: Vec<ParamFacts>,
    /// Groups of attributes by their numbers.
    pub groups: Vec<FunctionAttributes>,
    /// The names of functions that are not the C library's: `"no-builtin-strlen"`.
    pub not_builtin: HashSet<Box<[u8]>>,
    /// The position of `module asm`.
    pub assembly: Option<Span>,
    pub triple: Option<(Box<[u8]>, Span)>,
}

/// The number of a node of metadata.
pub(super) type Node = u32;

/// No node: numbers are below the length of the text.
pub(super) const NO_NODE: Node = Node::MAX;

/// A node of metadata. Line and column are 0 where they are unknown.
#[derive(Clone, Debug, Default)]
pub(super) enum MetadataNode {
    #[default]
    Other,
    /// `!DILocation`.
    Location { line: u32, column: u32, scope: Node },
    /// `!DISubprogram`, `!DILexicalBlock` and the like. A scope without a file has the file of the scope around it.
    Scope { file: Node, line: u32, column: u32, around: Node, kind: ScopeKind },
    /// `!DILocalVariable`. `arg` is 0 unless it is a parameter.
    Variable { name: Box<[u8]>, arg: u32, scope: Node, ty: Node },
    /// `!DIBasicType`, `!DIDerivedType` and `!DICompositeType`.
    Type(Box<SourceType>),
    /// `!DISubrange`: the number of elements; 0 if it is not a constant.
    Subrange(u64),
    /// `!DIEnumerator`.
    Enumerator(Box<[u8]>, i64),
    /// `!DICompileUnit`.
    Unit { file: Node },
    /// `!DIFile`: the path, which includes the directory if the name is relative.
    File(Box<[u8]>),
    /// `!{..}` of names, nodes and numbers.
    Tuple(Box<[MetadataItem]>),
}

/// The class of a scope.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum ScopeKind {
    /// `!DISubprogram`.
    Function,
    /// `!DILexicalBlock`.
    Block,
    /// `!DILexicalBlockFile`: what is in the scope around it, and in another file, for one.
    Part,
}

/// A type of the source.
#[derive(Clone, Debug)]
pub(super) struct SourceType {
    /// `DW_TAG_base_type` and the like, without `DW_TAG_`; `base_type` for a `!DIBasicType`.
    pub tag: Box<[u8]>,
    pub name: Box<[u8]>,
    /// In bits.
    pub size: u64,
    pub offset: u64,
    /// `DW_ATE_signed` and the like, without `DW_ATE_`.
    pub encoding: Box<[u8]>,
    pub base: Node,
    pub elements: Node,
    pub is_bit_field: bool,
}

/// Metadata of an instruction or a function.
#[derive(Copy, Clone, Debug)]
pub(super) enum Attachment {
    /// `!dbg`.
    Debug(Node),
    /// `!tbaa`.
    AccessType(Node),
    /// A fact about a value or a branch.
    Fact(Fact, Node),
    Other,
}

/// A kind of metadata about a value that is loaded or returned, about an access, or about a branch.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum Fact {
    /// `!noundef`: it is an error if another fact does not hold.
    NoUndef,
    /// `!nonnull`.
    NonNull,
    /// `!range`.
    Range,
    /// `!align`.
    Align,
    /// `!dereferenceable`.
    Dereferenceable,
    /// `!prof`: how often each target is taken.
    Profile,
    /// `!alias.scope`: the scopes that an access is in.
    AliasScope,
    /// `!noalias`: the scopes that it does not overlap.
    NoAlias,
}

/// Facts about a parameter or a result that few have.
#[derive(Copy, Clone, Debug, Default)]
pub(super) struct ParamFacts {
    /// `range(T first, end)`: the first value, and the one after the last.
    pub range: Option<(i128, i128)>,
    /// `dereferenceable(N)`.
    pub dereferenceable: u64,
}

/// An item of a node.
#[derive(Clone, Debug)]
pub(super) enum MetadataItem {
    Name(Box<[u8]>),
    Node(Node),
    /// An integer of any type, in two's complement.
    Number(u64),
}

/// A value with its type.
#[derive(Copy, Clone, Debug)]
pub(super) struct Operand {
    pub ty: Ty,
    pub value: Value,
}

/// A value, whose type is known from its context.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum Value {
    Local(Local),
    Global(Global),
    /// A small integer, or `true` (1).
    Int(i32),
    Const(Const),
    /// `null`, `zeroinitializer`, `false`, `none`.
    Zero,
    Undef,
    Poison,
    /// An argument of a call that is metadata: a node, if it is one by number.
    Metadata(Node),
}

/// A constant.
#[derive(Clone, Debug)]
pub(super) enum Constant {
    /// An integer of up to 128 bits, modulo 2^128, and whether it is negative.
    Int(u128, bool),
    /// A larger integer in pieces of 64 bits, the lowest first, and whether it is negative.
    HugeInt(Box<[u64]>, bool),
    /// The bits of a `float` or `double`.
    Float(u64),
    /// A number of a floating-point type that LIR lacks.
    OtherFloat(u128),
    /// `c"..."`.
    Bytes(Box<[u8]>),
    /// The elements of a struct, an array or a vector.
    List(List),
    /// `splat (i32 1)`.
    Splat(Operand),
    /// `getelementptr (ty, ..)` and other expressions: the type is the source type or the type of the result. `detail`
    /// is the predicate of an `icmp`, numbered as in [`Inst::detail`].
    Expr { op: Op, ty: Ty, operands: List, detail: u8 },
    /// `blockaddress(@f, %block)`. A number for a name is `\0` and its digits.
    BlockAddress { function: Global, block: Box<[u8]> },
    /// `asm "template", "constraints"`.
    Assembly { template: Box<[u8]>, constraints: Box<[u8]> },
}

/// The linkage of a definition.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub(super) enum Linkage {
    #[default]
    External,
    /// `internal` and `private`.
    Local,
    /// `available_externally`: the body may be read, the symbol is defined elsewhere.
    AvailableExternally,
    /// `weak`, `linkonce` and `weak_odr`: the linker may choose another definition. Definitions with `weak_odr` are
    /// equal, but a module must have the definition even if it does not refer to it.
    Weak,
    /// `linkonce_odr`: other definitions are equal, and every module that refers to the symbol has one.
    LinkOnceOdr,
    Common,
    /// `appending`, for `llvm.global_ctors` and the like.
    Appending,
    /// `extern_weak`: its address may be 0.
    ExternWeak,
}

/// The words that functions, variables and aliases share.
#[derive(Clone, Debug)]
pub(super) struct Symbol {
    pub linkage: Linkage,
    pub visibility: lir_syntax::ir::Visibility,
    pub section: Option<Box<[u8]>>,
    /// The name of its COMDAT, without the sigil.
    pub comdat: Option<Box<[u8]>>,
    pub align: Option<u64>,
    /// `thread_local`.
    pub thread: bool,
}

impl Default for Symbol {
    fn default() -> Symbol {
        let visibility = lir_syntax::ir::Visibility::Default;
        Symbol { linkage: Linkage::External, visibility, section: None, comdat: None, align: None, thread: false }
    }
}

/// `@name = global T ..` or `constant`.
pub(super) struct Variable {
    pub name: Global,
    pub span: Span,
    pub symbol: Symbol,
    pub constant: bool,
    pub ty: Ty,
    /// None if it is only declared.
    pub value: Option<Value>,
}

/// `@name = alias T, ..` or `ifunc`.
pub(super) struct Alias {
    pub name: Global,
    pub span: Span,
    pub symbol: Symbol,
    pub is_ifunc: bool,
    pub target: Operand,
}

/// `declare` or `define`.
pub(super) struct Function {
    pub name: Global,
    pub span: Span,
    pub symbol: Symbol,
    pub convention: Convention,
    pub result: Ty,
    pub result_attributes: ParamAttributes,
    pub params: Vec<Param>,
    pub variadic: bool,
    pub attributes: FunctionAttributes,
    /// Numbers of groups of attributes.
    pub groups: Vec<u32>,
    /// Its node of `!dbg`.
    pub debug: Node,
    pub body: Option<Box<Body>>,
}

pub(super) struct Param {
    pub ty: Ty,
    pub attributes: ParamAttributes,
    /// None in a declaration.
    pub local: PackedOption<Local>,
}

/// The body of a function.
pub(super) struct Body {
    pub locals: PrimaryMap<Local, LocalName>,
    /// The bytes of the names.
    pub names: Names<NamedLocal>,
    pub blocks: Vec<Block>,
    /// The instructions of all blocks in order; the last one of each block is its terminator.
    pub insts: Vec<Inst>,
    pub calls: Vec<Call>,
    /// Facts about instructions, with their nodes.
    pub facts: Vec<(Fact, Node)>,
    pub variables: Vec<SourceVariable>,
}

/// A debug record about a variable of the source.
#[derive(Copy, Clone, Debug)]
pub(super) struct SourceVariable {
    /// Its value, or its address; none if the record has another form.
    pub local: PackedOption<Local>,
    /// Its `!DILocalVariable`.
    pub node: Node,
    /// True if the local is its address, as long as it exists.
    pub declares: bool,
}

entity!(
    /// A local that has a name.
    NamedLocal, "%"
);

/// The name of a local.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum LocalName {
    Number(u32),
    Name(NamedLocal),
}

/// A block: its label and its range of [`Body::insts`].
pub(super) struct Block {
    pub label: Local,
    pub insts: (u32, u32),
}

/// A calling convention.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) enum Convention {
    /// `ccc`, and `fastcc` and `coldcc`, which are implemented as `ccc`.
    #[default]
    C,
    /// `tailcc` and all others, by name.
    Other(Box<[u8]>),
}

/// An instruction.
#[derive(Copy, Clone, Debug)]
pub(super) struct Inst {
    pub op: Op,
    /// By operation: the predicate of a comparison, the order of an atomic access.
    pub detail: u8,
    pub flags: Flags,
    pub promises: Promises,
    pub result: PackedOption<Local>,
    /// The type of the result. For a comparison, a store and a terminator, the type of the first operand; for a
    /// `getelementptr`, the type that the indices walk; for an `alloca`, the allocated type.
    pub ty: Ty,
    /// Operands in the order of the text. Blocks are operands of type `label`.
    pub operands: List,
    /// By operation: the alignment of an `alloca` or an access (0 if it is absent), the index of a call in
    /// [`Body::calls`], the start of its indices in [`Program::indices`].
    pub extra: u32,
    /// By operation: the number of indices, the operation of an `atomicrmw`, the failure order of a `cmpxchg`.
    pub extra_len: u32,
    /// Its node of `!dbg`.
    pub debug: Node,
    /// Its node of `!tbaa`.
    pub access_type: Node,
    /// The end of its facts in [`Body::facts`], and their number.
    pub facts: (u32, u8),
    pub span: Span,
}

/// A call.
pub(super) struct Call {
    pub callee: Operand,
    pub convention: Convention,
    pub tail: Tail,
    pub result: Ty,
    pub result_attributes: ParamAttributes,
    /// The number of fixed parameters, if the call has the type of the function.
    pub fixed: Option<u32>,
    pub variadic: bool,
    pub attributes: FunctionAttributes,
    pub groups: Vec<u32>,
    /// Of each argument.
    pub param_attributes: Vec<ParamAttributes>,
    /// The name of its first operand bundle.
    pub bundle: Option<Box<[u8]>>,
}

#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub(super) enum Tail {
    #[default]
    None,
    /// `tail`: the call may become a jump.
    Allowed,
    /// `musttail`.
    Required,
    /// `notail`.
    Forbidden,
}

/// An operation, under LLVM's name.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Hash)]
#[rustfmt::skip]
pub(super) enum Op {
    Ret, Br, Switch, IndirectBr, Invoke, Resume, Unreachable,
    Fneg,
    Add, Sub, Mul, Udiv, Sdiv, Urem, Srem, Shl, Lshr, Ashr, And, Or, Xor,
    Fadd, Fsub, Fmul, Fdiv, Frem,
    ExtractElement, InsertElement, ShuffleVector, ExtractValue, InsertValue,
    Alloca, Load, Store, Fence, Cmpxchg, AtomicRmw, GetElementPtr,
    Trunc, Zext, Sext, Fptrunc, Fpext, Fptoui, Fptosi, Uitofp, Sitofp, PtrToInt, PtrToAddr, IntToPtr, Bitcast,
    AddrSpaceCast,
    Icmp, Fcmp, Phi, Select, Freeze, Call, VaArg, LandingPad,
}

impl Op {
    pub(super) fn is_terminator(self) -> bool {
        matches!(self, Op::Ret | Op::Br | Op::Switch | Op::IndirectBr | Op::Invoke | Op::Resume | Op::Unreachable)
    }
}

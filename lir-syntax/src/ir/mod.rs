//! The IR in memory.
//!
//! # Glossary (normative: these words are used in this sense everywhere)
//!
//! * *register*: a typed virtual register; may be assigned more than once. A function in which every register has
//!   exactly one assignment is *in SSA form*.
//! * *instruction*: an [`Opcode`] with a type, at most one destination register and operands.
//! * *block*: a labelled straight-line list of instructions that ends in one *terminator*. Control enters at its top.
//! * *phi*: an instruction at the top of a block that picks a value by the predecessor control came from.
//! * *stack object*: memory of the activation with a name and a fixed size.
//! * *symbol*: a function or data object with a name that the linker knows.
//! * *A dominates B*: every path from the entry to B passes A. The *immediate dominator* is the closest strict one.
//! * *critical edge*: an edge from a block with several successors to a block with several predecessors.
//!
//! # Storage
//!
//! Entities are dense `u32` ids ([`entity`](mod@entity)); the data of an instruction ([`inst`]) is kept apart from its
//! position ([`layout`]), so that inserting, moving and removing are O(1) and ids are stable. Facts about entities are
//! in side tables. Data of variable length is stored in pools of the [`Function`] and read by accessors.

pub mod builder;
pub mod cfg;
pub mod comparison;
pub mod debug_loc;
pub mod dominators;
pub mod entity;
pub mod function;
pub mod inst;
pub mod layout;
pub mod module;
pub mod name_table;
pub mod operand;
pub mod source_types;
pub mod symbol_alias;
pub mod transplant;
pub mod view;

pub use cfg::Cfg;
pub use comparison::Comparison;
pub use debug_loc::{DebugLoc, FileData, InlinedOrigins, Origin, Origins, Place, Scope, ScopeData};
pub use dominators::{DominatorTree, FlowGraph, ImmediateDominators};
pub use entity::{EntityRef, EntitySet, PackedOption, PrimaryMap, SecondaryMap};
pub use function::{
    BlockData, Function, MAX_NOALIAS_SETS, NoaliasList, NoaliasSet, NoaliasSets, Param, RegData, Section, StackData,
    ValuePromises,
};
pub use inst::{CallArg, CallInfo, CallResult, InstData, TailMark};
pub use lir_opcodes::{
    FloatCC, IntCC, Order, Predicate, Promises, RmwOp, Word, expanded, opcode, predicate, selected, types,
};
pub use module::{
    AbiParam, AggBody, AggType, Attrs, DataItem, DataObject, Decls, Item, Linkage, MemberType, Module, Signature,
    SymData, SymKind, Visibility,
};
pub use name_table::{NameRef, NameTable};
pub use opcode::{Effects, Format, MemoryOperands, OpInfo, Opcode, ResultRule, TypeRule};
pub use operand::{Base, Mem, Operand, OperandKind, lies_within};
pub use source_types::access_type::{self, AccessTypeData, AccessTypes};
pub use source_types::debug_type::{DebugForm, DebugMember, DebugTypeData, DebugTypes, Encoding};
pub use symbol_alias::{Alias, Aliases};
pub use transplant::Transplant;
pub use types::{Ext, Type, VA_LIST_SIZE};
pub use view::InstView;

use entity::entity;

entity!(
    /// A virtual register of a function.
    Reg, "%r"
);
entity!(
    /// An instruction of a function.
    Inst, "inst"
);
entity!(
    /// A block of a function.
    Block, "block"
);
entity!(
    /// A stack object of a function.
    Obj, "$o"
);
entity!(
    /// A symbol of a module: a function or a data object, defined here or not.
    Sym, "@s"
);
entity!(
    /// An aggregate type of a module.
    Agg, ":a"
);
entity!(
    /// A function with a body, of a module.
    FuncId, "func"
);
entity!(
    /// A data object of a module, defined here or declared `extern`.
    DataId, "data"
);
entity!(
    /// Another name of a definition.
    AliasId, "alias"
);
entity!(
    /// The type that a front end gives to loads and stores.
    AccessType, ":t"
);
entity!(
    /// The type of a variable, for debuggers.
    DebugType, ":d"
);
entity!(
    /// A file of the front end's source, which a module names.
    SourceFile, "!f"
);

//! The body of a function: its parameters, and the tables of its registers, stack objects and blocks. The lines are
//! read in [`statements`], instructions in [`instruction`], the end of the body
//! in [`finish`].
//!
//! A register has one type, given by its first assignment. A use before the assignment in the text (phis of loops,
//! blocks in another order) is recorded with the type it needs and checked at the end of the body.

mod atomics;
mod calls;
mod control;
mod conversions;
mod expressions;
mod finish;
mod habits;
mod instruction;
mod location;
mod operand;
mod registers;
mod stack_lines;
mod statements;
mod suggestions;

use crate::ir::debug_loc::InlinedCall;
use crate::ir::function::NO_LOC;
use crate::ir::operand::MAX_INDEX;
use crate::ir::{
    AbiParam, Block, CallArg, CallInfo, CallResult, EntityRef, Function, Inst, InstData, NameRef, Obj, Operand,
    PackedOption, Param, Place, Reg, Signature, StackData, Sym, Type,
};
use crate::parser::cursor::{Cursor, Parsed, Reported, UnknownName, span};
use crate::parser::items::{Body, Symbols};
use crate::parser::name_index::NameIndex;
use crate::text::diagnostic::Diagnostic;
use crate::text::scanner::{Token, TokenKind};
use crate::text::source::Span;
use location::Location;
use rustc_hash::FxHashMap;

/// The facts about a register.
#[derive(Copy, Clone)]
struct RegState {
    /// Offset of the first assignment; [`NO_LOC`] before it.
    assigned: u32,
    /// Offset of the first mention.
    mention: u32,
    /// A statement that assigns it is in error: nothing more is reported about it.
    broken: bool,
}

/// The facts about a block.
#[derive(Copy, Clone)]
struct BlockState {
    /// Offset of the label, [`NO_LOC`] while it was only mentioned.
    defined: u32,
    /// Offset of the first mention.
    mention: u32,
    /// The phi whose entries are read, plus 1, and the position of the block's mention. Finds a block named twice.
    phi: (u32, u32),
    /// For the written block of guards: the last of the blocks that follow it; else the block itself.
    pieces: u32,
}

/// The type that a use of a register asks for.
#[derive(Copy, Clone, PartialEq, Eq)]
enum Want {
    /// This one.
    Type(Type),
    /// Any integer type.
    Integer,
    /// Any type.
    Any,
}

impl Want {
    #[inline]
    fn takes(self, ty: Type) -> bool {
        match self {
            Want::Type(t) => t == ty,
            Want::Integer => ty.is_int(),
            Want::Any => true,
        }
    }
    /// Returns the type, if it is one.
    fn only_type(self) -> Option<Type> {
        match self {
            Want::Type(ty) => Some(ty),
            Want::Integer | Want::Any => None,
        }
    }
}

/// A use of a register that was not assigned above.
struct PendingUse {
    reg: Reg,
    want: Want,
    at: Token,
    /// Offset of the statement that contains it.
    statement: u32,
}

/// An assignment of a constant or a load without its type, in error.
struct Typeless {
    reg: Reg,
    /// The constant; empty, before the memory operand, of a load.
    literal: Span,
    /// The error's position in the list.
    error: usize,
}

/// Functions of at most this many instructions are built in memory that is reused. They are copied when complete: one
/// allocation for each part, with a little room, whereas growing would make several and leave half empty.
const COPIED_INSTS: usize = 4096;

/// Bytes of text for each register and for each block, usually at most. Tables of their names are made for as many.
const BYTES_OF_REG: usize = 40;
const BYTES_OF_BLOCK: usize = 128;

/// A function as far as it could be read, and its errors.
pub(super) struct ParsedBody {
    pub(super) f: Function,
    pub(super) errors: crate::parser::cursor::Errors,
    /// Nothing of it was left out.
    pub(super) complete: bool,
}

/// Tables that are reused from function to function.
#[derive(Default)]
pub(super) struct Scratch {
    function: Option<Function>,
    reg_index: NameIndex,
    obj_index: NameIndex,
    block_index: NameIndex,
    regs: Vec<RegState>,
    blocks: Vec<BlockState>,
    objs: Vec<u32>,
    pending: Vec<PendingUse>,
    /// Branches `br %c` whose condition was not assigned above.
    untyped: Vec<Inst>,
    /// Written blocks with guards.
    guarded: Vec<Block>,
    entries: Vec<(Block, Operand)>,
    cases: Vec<(Operand, Token)>,
    targets: Vec<Block>,
    call: Option<CallInfo>,
    /// The instructions that assign the registers made for arguments of the current call.
    made: Vec<InstData>,
    /// Calls that were inlined, by callee, place, and the call around them.
    inlined: FxHashMap<(Sym, Option<Place>, PackedOption<InlinedCall>), PackedOption<InlinedCall>>,
    /// Registers that were assigned without a type.
    typeless: Vec<Typeless>,
    /// Names that were reported as not declared; that is done once in a function.
    unknown: Vec<Box<[u8]>>,
    /// Names that were suggested.
    suggested: Vec<String>,
    /// Registers with an assignment in error, and the type that the suggestion for it gives them.
    meant: Vec<(Reg, Type)>,
}

/// Parses one body.
pub(super) struct BodyParser<'s, 't> {
    c: Cursor<'t>,
    symbols: &'s Symbols,
    sig: &'s Signature,
    f: Function,
    s: &'s mut Scratch,
    /// First byte of the body.
    start: usize,
    /// The block that instructions are appended to.
    block: Option<Block>,
    /// The written block it belongs to, and how many guards that has so far.
    written: (Option<Block>, u32),
    /// The terminator of the block, once it was read.
    terminator: Option<Token>,
    /// A label was in error: instructions are passed over until the next one.
    lost: bool,
    /// Offset of the statement that is parsed.
    statement: u32,
    /// The location of the instruction before, in this block.
    location: Location,
    /// A statement was left out, or a type is wrong.
    incomplete: bool,
}

impl<'s, 't> BodyParser<'s, 't> {
    /// Parses the body of a function.
    pub(super) fn parse(
        text: &'t [u8],
        body: &Body,
        symbols: &'s Symbols,
        scratch: &'s mut Scratch,
        error_limit: usize,
    ) -> ParsedBody {
        scratch.reset(body.end - body.start);
        let mut f = match scratch.function.take() {
            Some(mut f) => {
                f.reset(body.sym);
                f
            }
            None => Function::new(body.sym),
        };
        f.loc = body.at;
        f.place = body.place;
        f.section = body.section.clone();
        let sig = symbols.decls.signature(body.sym).expect("a body belongs to a function");
        let c = Cursor::new(&text[..body.end], body.start, error_limit);
        let mut p = BodyParser {
            c,
            symbols,
            sig,
            f,
            s: scratch,
            start: body.start,
            block: None,
            written: (None, 0),
            terminator: None,
            lost: false,
            statement: body.at,
            location: Location::default(),
            incomplete: body.wrong,
        };
        p.parameters(body);
        p.statements();
        p.finish(body);
        let (f, errors, complete) = (p.f, p.c.errors, !p.incomplete);
        let complete = complete && errors.list.is_empty();
        if f.num_insts() > COPIED_INSTS {
            return ParsedBody { f, errors, complete };
        }
        let copy = f.clone_with_room();
        scratch.function = Some(f);
        ParsedBody { f: copy, errors, complete }
    }

    fn parameters(&mut self, body: &Body) {
        let sig = self.sig;
        for (k, (written, abi)) in body.params.iter().zip(&sig.params).enumerate() {
            let unnamed;
            let (name, at) = match written.name {
                Some(t) => match self.c.name(t) {
                    Ok(name) => (name, t),
                    Err(_) => continue,
                },
                None => {
                    unnamed = format!("arg.{k}");
                    (unnamed.as_bytes().into(), Token { kind: TokenKind::Word, start: body.at, end: body.at })
                }
            };
            let param = match *abi {
                AbiParam::Scalar(ty, _) => self.reg_parameter(&name, at, ty).map(Param::Reg),
                AbiParam::Agg(agg) => {
                    self.incomplete |= self.symbols.broken_types.contains(agg);
                    let t = &self.symbols.decls.types[agg];
                    let data = StackData {
                        agg: agg.into(),
                        is_param: true,
                        debug_type: written.debug_type.into(),
                        ..StackData::new(NameRef::NONE, t.size, t.align.max(8))
                    };
                    self.stack_object(&name, at, data).map(Param::Agg)
                }
            };
            if let Ok(param) = param {
                self.f.params.push(param);
                if let (Param::Reg(r), Some(_)) = (param, written.promised) {
                    self.f.set_noalias(r, written.noalias);
                    self.f.set_param_promises(r, written.value);
                }
            }
        }
    }

    fn reg_parameter(&mut self, name: &[u8], at: Token, ty: Type) -> Parsed<Reg> {
        let reg = self.reg_of_name(name, at)?;
        let state = &mut self.s.regs[reg.index()];
        if state.assigned != NO_LOC {
            let first = state.assigned;
            let message = format!("two parameters of the name `{}`", String::from_utf8_lossy(name));
            let first = self.c.span_at(first);
            return Err(self.c.report(Diagnostic::new(span(at), message).note(first, "the first one")));
        }
        state.assigned = at.start;
        self.f.regs[reg].ty = ty;
        Ok(reg)
    }

    fn stack_object(&mut self, name: &[u8], at: Token, data: StackData) -> Parsed<Obj> {
        let next = self.f.stack.len();
        if next > MAX_INDEX {
            return Err(self.c.error(at, format!("more than {MAX_INDEX} stack objects")));
        }
        let f = &self.f;
        let is = |o: u32| f.names.get(f.stack[Obj::from_u32(o)].name) == name;
        let (id, new) = self.s.obj_index.find_or_insert(name, is);
        if !new {
            let first = self.s.objs[id as usize];
            let message = format!("stack object `${}` is defined twice", String::from_utf8_lossy(name));
            let twice = Diagnostic::new(span(at), message);
            let first = self.c.span_at(first);
            return Err(self.c.report(twice.note(first, "first defined here")));
        }
        self.s.objs.push(at.start);
        let name = self.f.names.add_distinct(name);
        Ok(self.f.stack.push(StackData { name, ..data }))
    }

    /// Returns the stack object of a token.
    #[inline]
    fn obj(&mut self, t: Token) -> Parsed<Obj> {
        let name = self.c.name(t)?;
        let f = &self.f;
        let is = |o: u32| f.names.get(f.stack[Obj::from_u32(o)].name) == &*name;
        if let Some(o) = self.s.obj_index.find(&name, is) {
            return Ok(Obj::from_u32(o));
        }
        Err(self.no_object(t, &name))
    }
    #[cold]
    fn no_object(&mut self, t: Token, name: &[u8]) -> Reported {
        let known = self.f.stack.values().map(|s| self.f.names.get(s.name));
        let message = self.c.undeclared(&format!("{} is not declared", self.c.describe(t)), b"$", name, known);
        if self.said_of(t) { Reported } else { self.c.error(t, message) }
    }

    /// Reports that the name at a token is not declared in the module. Each is reported once in a function.
    #[cold]
    fn not_declared(&mut self, t: Token, message: String, name: UnknownName) -> Reported {
        if self.said_of(t) {
            return Reported;
        }
        self.c.error(t, message);
        self.c.is_about(name);
        Reported
    }
    /// True if the name at a token was reported in this function. Notes it otherwise.
    fn said_of(&mut self, t: Token) -> bool {
        let text = self.c.text(t);
        if self.s.unknown.iter().any(|u| **u == *text) {
            return true;
        }
        // A list that is searched from its start stays short.
        if self.s.unknown.len() < 64 {
            self.s.unknown.push(text.into());
        }
        false
    }

    /// Takes the name of an aggregate type that is declared.
    fn agg(&mut self) -> Parsed<crate::ir::Agg> {
        let (t, name) = self.c.agg_name()?;
        let symbols = self.symbols;
        if let Some(agg) = symbols.agg(&name) {
            self.incomplete |= symbols.broken_types.contains(agg);
            return Ok(agg);
        }
        let message = format!("type `:{}` is not declared", String::from_utf8_lossy(&name));
        Err(self.not_declared(t, message, UnknownName::Agg((&*name).into())))
    }

    /// Parses the name of an access type.
    fn access_type(&mut self) -> Parsed<crate::ir::AccessType> {
        let (t, name) = self.c.type_name("an access type")?;
        if let Some(access_type) = self.symbols.access_type(&name) {
            return Ok(access_type);
        }
        let message = format!("access type `:{}` is not declared", String::from_utf8_lossy(&name));
        Err(self.not_declared(t, message, UnknownName::Access((&*name).into())))
    }

    /// Takes the name of a debug type.
    fn debug_type(&mut self) -> Parsed<crate::ir::DebugType> {
        let (t, name) = self.c.type_name("a debug type")?;
        if let Some(debug_type) = self.symbols.debug_type(&name) {
            return Ok(debug_type);
        }
        let message = format!("debug type `:{}` is not declared", String::from_utf8_lossy(&name));
        Err(self.not_declared(t, message, UnknownName::Debug((&*name).into())))
    }

    // ---- Blocks ----

    /// True if a label or a branch has named the block.
    fn knows_block(&self, name: &[u8]) -> bool {
        let is = |b: u32| self.f.names.get(self.f.block(Block::from_u32(b)).name) == name;
        self.s.block_index.find(name, is).is_some()
    }
    /// Returns the block of a name. A new one is made, and has no position until its label is read.
    fn block_of_name(&mut self, name: &[u8], at: u32) -> Parsed<Block> {
        let f = &self.f;
        let is = |b: u32| f.names.get(f.block(Block::from_u32(b)).name) == name;
        let (id, new) = self.s.block_index.find_or_insert(name, is);
        if new {
            let name = self.f.names.add_distinct(name);
            self.f.make_block(name);
            self.s.blocks.push(BlockState { defined: NO_LOC, mention: at, phi: (0, 0), pieces: id });
        }
        Ok(Block::from_u32(id))
    }

    /// Makes the block that continues after a guard of the current one: `B.g1`, `B.g2`, ...
    fn block_after_guard(&mut self, at: Token) -> Parsed<Block> {
        let (Some(written), count) = self.written else { unreachable!("a guard is in a block") };
        let mut name = self.f.names.get(self.f.block(written).name).to_vec();
        name.extend_from_slice(format!(".g{}", count + 1).as_bytes());
        let block = self.block_of_name(&name, at.start)?;
        let state = &mut self.s.blocks[block.index()];
        if state.defined != NO_LOC {
            let (first, name) = (state.defined, String::from_utf8_lossy(&name).into_owned());
            let message = format!("the block after this guard is `{name}`, and a label of that name is written");
            let first = self.c.span_at(first);
            return Err(self.c.report(Diagnostic::new(span(at), message).note(first, "the label")));
        }
        state.defined = at.start;
        if count == 0 {
            self.s.guarded.push(written);
        }
        self.s.blocks[written.index()].pieces = block.as_u32();
        self.written.1 = count + 1;
        self.f.append_block(block);
        Ok(block)
    }
}

impl Scratch {
    /// Empties all tables for a body of `bytes` bytes.
    fn reset(&mut self, bytes: usize) {
        self.inlined.clear();
        self.reg_index.reset(bytes / BYTES_OF_REG);
        self.obj_index.reset(0);
        self.block_index.reset(bytes / BYTES_OF_BLOCK);
        self.regs.clear();
        self.blocks.clear();
        self.objs.clear();
        self.pending.clear();
        self.untyped.clear();
        self.guarded.clear();
        self.unknown.clear();
        self.suggested.clear();
        self.meant.clear();
        self.typeless.clear();
        self.made.clear();
    }
    /// Returns an empty call record that keeps its memory.
    fn take_call(&mut self) -> CallInfo {
        let empty = || CallInfo { result: CallResult::None, args: Vec::<CallArg>::new(), fixed: 0, variadic: false };
        self.call.take().unwrap_or_else(empty)
    }
}

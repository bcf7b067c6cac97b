//! A function: its registers, stack objects, blocks and instructions. The operands of instructions are read and
//! rewritten in [`operands`]; all changes to a function are in [`edit`]; [`readable`] checks that instructions can be
//! read; [`value_promises`] has the promises about the values of parameters and results, [`noalias_sets`] the sets of
//! accesses that do not overlap, [`branch_weights`] how often each target of a branch is expected.

mod branch_weights;
mod edit;
mod noalias_sets;
mod operands;
mod readable;
mod value_promises;

use crate::ir::debug_loc::{DebugLoc, Origin, Origins, Place, Scope, ScopeData};
pub use crate::ir::debug_loc::{NO_LOC, SourceLoc};
use crate::ir::entity::{EntitySet, PackedOption, PrimaryMap, SecondaryMap, clone_with_room};
use crate::ir::inst::{InstData, TailMark};
use crate::ir::layout::Layout;
use crate::ir::name_table::{NameRef, NameTable};
use crate::ir::opcode::Opcode;
use crate::ir::operand::Mem;
use crate::ir::types::Type;
use crate::ir::{AccessType, Agg, Block, DebugType, Inst, Obj, Reg, Sym};
use hashbrown::HashTable;
pub use noalias_sets::{MAX_NOALIAS_SETS, NoaliasList, NoaliasSet, NoaliasSets};
use smallvec::SmallVec;
use std::num::NonZeroU32;
pub use value_promises::ValuePromises;

/// `section "name" "flags"`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Section {
    /// Name.
    pub name: Box<[u8]>,
    /// Flags as GNU as reads them.
    pub flags: Option<Box<[u8]>>,
}

/// A virtual register.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct RegData {
    /// Its type, the same everywhere.
    pub ty: Type,
    /// Its name.
    pub name: NameRef,
}

/// A stack object.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct StackData {
    /// Its name.
    pub name: NameRef,
    /// Size in bytes.
    pub size: u64,
    /// Alignment in bytes, a power of two; at least 8 unless written otherwise.
    pub align: u64,
    /// `align N` as written.
    pub explicit_align: Option<u64>,
    /// The type it was declared with, if any.
    pub agg: PackedOption<Agg>,
    /// True if it is an aggregate parameter and so has no `stack` line.
    pub is_param: bool,
    /// The type of the variable that it is, for debuggers.
    pub debug_type: PackedOption<DebugType>,
    /// The scope of the variable that it is, for debuggers. None is the whole function.
    pub scope: PackedOption<Scope>,
}

impl StackData {
    /// Returns an object without an aggregate type and a variable, whose alignment is not written; no parameter.
    pub fn new(name: NameRef, size: u64, align: u64) -> StackData {
        StackData {
            name,
            size,
            align,
            explicit_align: None,
            agg: PackedOption::NONE,
            is_param: false,
            debug_type: PackedOption::NONE,
            scope: PackedOption::NONE,
        }
    }
}

/// A block. Its instructions are in the [`Layout`].
#[derive(Clone, Debug)]
pub struct BlockData {
    /// Its label.
    pub name: NameRef,
    /// The targets of its terminator in operand order, repeated if the terminator repeats them.
    pub succs: SmallVec<[Block; 2]>,
}

/// A parameter; its type is in the signature of the function's symbol.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Param {
    /// A scalar: the call is the first assignment of the register.
    Reg(Reg),
    /// An aggregate: a stack object of the callee.
    Agg(Obj),
}

/// A use of a register as an operand, for [`Function::rewrite_uses`].
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Use {
    /// The register.
    pub reg: Reg,
    /// True if a constant of the register's type may replace it.
    pub may_be_const: bool,
    /// For a phi, the predecessor at whose end it is read.
    pub phi_pred: Option<Block>,
}

/// The notes about an instruction that few have.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
struct InstNotes {
    access_type: PackedOption<AccessType>,
    noalias: PackedOption<NoaliasList>,
    /// 1 more than the index of promises in the function's list.
    value: Option<NonZeroU32>,
    /// 1 more than the index of a terminator's weights in the function's list.
    weights: Option<NonZeroU32>,
}

/// A function with a body. Signature, linkage and attributes are with its symbol in the module's declarations.
#[derive(Clone)]
pub struct Function {
    /// Its symbol.
    pub sym: Sym,
    /// Parameters in order.
    pub params: Vec<Param>,
    /// `section`, if written.
    pub section: Option<Section>,
    /// The parameters that are `noalias`.
    noalias: EntitySet<Reg>,
    /// The promises about the values of parameters.
    param_promises: Vec<(Reg, ValuePromises)>,
    /// Registers.
    pub regs: PrimaryMap<Reg, RegData>,
    /// Stack objects, aggregate parameters among them, in the order of their lines. Objects that a pass removed keep
    /// their ids: [`Function::stack_objects`] skips them.
    pub stack: PrimaryMap<Obj, StackData>,
    /// Names of registers, stack objects and blocks.
    pub names: NameTable,
    /// Offset of the header in the text.
    pub loc: SourceLoc,
    /// The place of the function in the front end's source.
    pub place: Option<Place>,
    /// The scopes of variables. Several may be equal.
    pub scopes: PrimaryMap<Scope, ScopeData>,
    removed_objs: EntitySet<Obj>,
    blocks: PrimaryMap<Block, BlockData>,
    insts: PrimaryMap<Inst, InstData>,
    locs: SecondaryMap<Inst, DebugLoc>,
    /// Empty if no instruction has an access type, sets, promises about its value or weights.
    inst_notes: SecondaryMap<Inst, InstNotes>,
    /// The promises that [`InstNotes`] name.
    value_promises: Vec<ValuePromises>,
    /// The lists of sets that [`InstNotes`] name.
    noalias_sets: NoaliasSets,
    /// The weights that [`InstNotes`] name, after their number.
    weights: Vec<u32>,
    /// Origins of which more is known than an offset in the text.
    pub origins: Origins,
    layout: Layout,
    /// Third operands, call records, phi entries, case values.
    lists: Vec<u32>,
    mems: Vec<Mem>,
    consts: Vec<i64>,
    const_index: HashTable<u32>,
    /// Constants of type i128 that do not fit 64 bits.
    wide_consts: Vec<i128>,
    wide_index: HashTable<u32>,
    /// True if the function was ever given an instruction of type i128, or a call with a result of this type.
    had_wide: bool,
    inst_stamp: u64,
    cfg_stamp: u64,
}

/// Words of a call's record before its arguments.
const CALL_HEADER: usize = 4;

impl Function {
    /// Returns a function without blocks.
    pub fn new(sym: Sym) -> Function {
        Function {
            sym,
            params: Vec::new(),
            noalias: EntitySet::new(),
            param_promises: Vec::new(),
            section: None,
            regs: PrimaryMap::new(),
            stack: PrimaryMap::new(),
            names: NameTable::default(),
            loc: NO_LOC,
            scopes: PrimaryMap::new(),
            removed_objs: EntitySet::new(),
            blocks: PrimaryMap::new(),
            insts: PrimaryMap::new(),
            locs: SecondaryMap::with_default(DebugLoc::NONE),
            inst_notes: SecondaryMap::new(),
            value_promises: Vec::new(),
            noalias_sets: NoaliasSets::default(),
            weights: Vec::new(),
            origins: Origins::default(),
            place: None,
            layout: Layout::default(),
            lists: Vec::new(),
            mems: Vec::new(),
            consts: Vec::new(),
            const_index: HashTable::new(),
            wide_consts: Vec::new(),
            wide_index: HashTable::new(),
            had_wide: false,
            inst_stamp: 0,
            cfg_stamp: 0,
        }
    }

    /// Makes this a function without blocks again, as [`Function::new`] does, but keeps the memory.
    pub fn reset(&mut self, sym: Sym) {
        self.sym = sym;
        self.params.clear();
        self.noalias.clear();
        self.param_promises.clear();
        self.section = None;
        self.regs.clear();
        self.stack.clear();
        self.names.clear();
        self.loc = NO_LOC;
        self.scopes.clear();
        self.removed_objs.clear();
        self.blocks.clear();
        self.insts.clear();
        self.locs.reset(0);
        self.inst_notes.reset(0);
        self.value_promises.clear();
        self.noalias_sets.clear();
        self.weights.clear();
        self.origins.clear();
        self.place = None;
        self.layout.clear();
        self.lists.clear();
        self.mems.clear();
        self.consts.clear();
        // A copy of a table keeps its room, so the empty one has none.
        self.const_index = HashTable::new();
        self.wide_consts.clear();
        self.wide_index.clear();
        self.had_wide = false;
        self.inst_stamp = 0;
        self.cfg_stamp = 0;
    }

    /// Returns a copy with room in the tables that passes add to, see [`clone_with_room`].
    pub(crate) fn clone_with_room(&self) -> Function {
        Function {
            sym: self.sym,
            params: self.params.clone(),
            noalias: self.noalias.clone(),
            param_promises: self.param_promises.clone(),
            section: self.section.clone(),
            regs: self.regs.clone_with_room(),
            stack: self.stack.clone(),
            names: self.names.clone(),
            loc: self.loc,
            scopes: self.scopes.clone(),
            removed_objs: self.removed_objs.clone(),
            blocks: self.blocks.clone(),
            insts: self.insts.clone_with_room(),
            locs: self.locs.clone_with_room(),
            inst_notes: self.inst_notes.clone(),
            value_promises: self.value_promises.clone(),
            noalias_sets: self.noalias_sets.clone(),
            weights: self.weights.clone(),
            origins: self.origins.clone(),
            place: self.place,
            layout: self.layout.clone_with_room(),
            lists: clone_with_room(&self.lists),
            mems: self.mems.clone(),
            consts: self.consts.clone(),
            const_index: self.const_index.clone(),
            wide_consts: self.wide_consts.clone(),
            wide_index: self.wide_index.clone(),
            had_wide: self.had_wide,
            inst_stamp: self.inst_stamp,
            cfg_stamp: self.cfg_stamp,
        }
    }

    /// Returns the order of blocks and instructions.
    #[inline]
    pub fn layout(&self) -> &Layout {
        &self.layout
    }
    /// Returns the first block. Panics in a function without blocks, which the verifier rejects.
    #[inline]
    pub fn entry(&self) -> Block {
        self.layout.entry().expect("a function has an entry block")
    }
    /// Returns the number of blocks ever made: an upper bound of block indices.
    #[inline]
    pub fn num_blocks(&self) -> usize {
        self.blocks.len()
    }
    /// Returns the number of instructions ever made: an upper bound of instruction indices.
    #[inline]
    pub fn num_insts(&self) -> usize {
        self.insts.len()
    }
    /// True if a call has a mark, whether in a block or not.
    pub fn has_marked_calls(&self) -> bool {
        self.insts.values().any(|d| d.op == Opcode::Call && d.tail_mark() != TailMark::None)
    }
    /// True for a call that is marked `musttail`.
    #[inline]
    pub fn is_jump(&self, i: Inst) -> bool {
        let d = self.inst(i);
        d.op == Opcode::Call && d.tail_mark() == TailMark::MustTail
    }
    /// True if a block has a call that is marked `musttail`.
    pub fn has_jumps(&self) -> bool {
        self.layout().blocks().any(|b| self.layout().prev_inst(self.terminator(b)).is_some_and(|i| self.is_jump(i)))
    }
    /// False if no instruction reads or gives an i128. True for some functions that had one and have none now. This
    /// reads the types of the registers alone.
    pub fn may_have_wide(&self) -> bool {
        // Not by `any`: a loop without an exit takes several registers at a time.
        self.had_wide || self.regs.values().fold(false, |found, r| found | (r.ty == Type::I128))
    }
    /// Returns the number of registers ever made: an upper bound of register indices.
    #[inline]
    pub fn num_regs(&self) -> usize {
        self.regs.len()
    }
    /// Returns an instruction.
    #[inline]
    pub fn inst(&self, i: Inst) -> &InstData {
        &self.insts[i]
    }
    /// Returns the position in the text from which an instruction comes.
    #[inline]
    pub fn loc_of(&self, i: Inst) -> SourceLoc {
        self.origins.offset(self.locs[i])
    }
    /// Returns the origin of an instruction, for its replacement: see [`Function::origins`].
    #[inline]
    pub fn debug_loc(&self, i: Inst) -> DebugLoc {
        self.locs[i]
    }
    /// True if an instruction has, or had, an access type, sets, promises about its value, or weights of its targets.
    pub(crate) fn has_inst_notes(&self) -> bool {
        !self.inst_notes.is_empty()
    }
    /// Returns the access type of a load or store, if it has one.
    #[inline]
    pub fn access_type(&self, i: Inst) -> Option<AccessType> {
        self.inst_notes.get(i).access_type.expand()
    }
    /// Returns the access type of a load or store, and the index of its list of sets.
    #[inline]
    pub fn notes_of_access(&self, i: Inst) -> (PackedOption<AccessType>, PackedOption<NoaliasList>) {
        let notes = self.inst_notes.get(i);
        (notes.access_type, notes.noalias)
    }
    /// True if there are promises about the result of an instruction.
    #[inline]
    pub fn has_value_promises(&self, i: Inst) -> bool {
        self.inst_notes.get(i).value.is_some()
    }
    /// Returns the promises about the result of a load or a call.
    #[inline]
    pub fn value_promises(&self, i: Inst) -> ValuePromises {
        self.inst_notes.get(i).value.map_or(ValuePromises::NONE, |at| self.value_promises[at.get() as usize - 1])
    }
    /// Returns the promises about the value that a parameter has when the function is called.
    #[inline]
    pub fn param_promises(&self, param: Reg) -> ValuePromises {
        let found = self.param_promises.iter().find(|(r, _)| *r == param);
        found.map_or(ValuePromises::NONE, |(_, promises)| *promises)
    }
    /// Returns the parameters whose values have promises. Passes may have left others here that were parameters.
    pub fn promised_params(&self) -> impl Iterator<Item = (Reg, ValuePromises)> + '_ {
        self.param_promises.iter().copied()
    }
    /// True if an instruction has, or had, promises about its value.
    #[inline]
    pub fn may_have_value_promises(&self) -> bool {
        !self.value_promises.is_empty()
    }
    /// Adds promises about the value of a parameter, in place of others.
    pub fn set_param_promises(&mut self, param: Reg, promises: ValuePromises) {
        self.param_promises.retain(|(r, _)| *r != param);
        if !promises.is_empty() {
            self.param_promises.push((param, promises));
        }
    }
    /// True if a register is a parameter that is `noalias`: memory that is written while the function runs, and that
    /// addresses made from this parameter access, is accessed by no others.
    #[inline]
    pub fn is_noalias(&self, r: Reg) -> bool {
        self.noalias.contains(r)
    }
    /// Promises that a parameter is `noalias`, or no longer.
    pub fn set_noalias(&mut self, param: Reg, promised: bool) {
        if promised {
            self.noalias.insert(param);
        } else {
            self.noalias.remove(param);
        }
    }
    /// Returns the parameters that are `noalias`. Passes may have left others here that were parameters.
    pub fn noalias(&self) -> impl Iterator<Item = Reg> + '_ {
        self.noalias.iter()
    }
    /// Returns the origin of an instruction in full.
    pub fn origin(&self, i: Inst) -> Origin {
        self.origins.get(self.locs[i])
    }
    /// Returns a block.
    #[inline]
    pub fn block(&self, b: Block) -> &BlockData {
        &self.blocks[b]
    }
    /// Returns the targets of the block's terminator, repeated if it repeats them.
    #[inline]
    pub fn succs(&self, b: Block) -> &[Block] {
        &self.blocks[b].succs
    }
    /// Returns the terminator of a block. Panics if the block has none, which the verifier rejects.
    #[inline]
    pub fn terminator(&self, b: Block) -> Inst {
        self.layout.last_inst(b).expect("a block ends in a terminator")
    }
    /// Returns the phis of a block.
    #[inline]
    pub fn phis(&self, b: Block) -> impl Iterator<Item = Inst> + '_ {
        self.layout.insts(b).take_while(|i| self.insts[*i].op == Opcode::Phi)
    }
    /// Returns the type of a register.
    #[inline]
    pub fn type_of(&self, r: Reg) -> Type {
        self.regs[r].ty
    }
    /// Returns the registers of the parameters that are scalars.
    pub fn param_regs(&self) -> impl Iterator<Item = Reg> + '_ {
        self.params.iter().filter_map(|p| if let Param::Reg(r) = *p { Some(r) } else { None })
    }
    /// Returns the stack objects that were not removed, in the order of their lines.
    pub fn stack_objects(&self) -> impl DoubleEndedIterator<Item = (Obj, &StackData)> {
        self.stack.iter().filter(|(o, _)| !self.removed_objs.contains(*o))
    }
    /// Counts changes of instructions or blocks; equal counts mean an unchanged function.
    #[inline]
    pub fn inst_stamp(&self) -> u64 {
        self.inst_stamp
    }
    /// Counts changes of blocks and edges.
    #[inline]
    pub fn cfg_stamp(&self) -> u64 {
        self.cfg_stamp
    }
}

impl std::fmt::Debug for Function {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        writeln!(f, "function {:?}", self.sym)?;
        for b in self.layout.blocks() {
            writeln!(f, "{b:?} -> {:?}:", self.succs(b))?;
            for i in self.layout.insts(b) {
                writeln!(f, "  {i:?} = {:?}", self.insts[i])?;
            }
        }
        Ok(())
    }
}

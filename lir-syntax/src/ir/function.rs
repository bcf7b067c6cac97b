//! A function: its registers, stack objects, blocks and instructions, and every way to read and change them.

use super::entity::{EntitySet, PackedOption, PrimaryMap, SecondaryMap};
use super::inst::{CallArg, CallInfo, CallResult, InstData};
use super::layout::Layout;
use super::module::{Ext, Section};
use super::names::{NameRef, NameTable};
use super::opcode::{Format, Opcode, ResultRule};
use super::operand::{Base, Mem, Operand, OperandKind};
use super::types::Type;
use super::{Agg, Block, EntityRef, Inst, Obj, Reg, Sym};
use hashbrown::HashTable;
use smallvec::SmallVec;

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
    /// The type it was declared with, where it was.
    pub agg: PackedOption<Agg>,
    /// Whether it is an aggregate parameter and so has no `stack` line.
    pub is_param: bool,
}

/// A block. Its instructions are in the [`Layout`].
#[derive(Clone, Debug)]
pub struct BlockData {
    /// Its label.
    pub name: NameRef,
    /// The targets of its terminator in operand order, repeated where the terminator repeats them.
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

/// Offset of the text that an instruction was made from, in bytes from the start of the source; [`NO_LOC`] if none.
pub type SourceLoc = u32;
/// No place in the source.
pub const NO_LOC: SourceLoc = u32::MAX;

/// Where a register stands as an operand, for [`Function::rewrite_uses`].
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Use {
    /// The register.
    pub reg: Reg,
    /// Whether a constant of the register's type may stand in its place.
    pub may_be_const: bool,
    /// Of a phi: the predecessor at whose end it is read.
    pub phi_pred: Option<Block>,
}

/// A function with a body. Signature, linkage and attributes are with its symbol in the module's declarations.
#[derive(Clone)]
pub struct Function {
    /// Its symbol.
    pub sym: Sym,
    /// Parameters in order.
    pub params: Vec<Param>,
    /// `section`, where written.
    pub section: Option<Section>,
    /// Registers.
    pub regs: PrimaryMap<Reg, RegData>,
    /// Stack objects, aggregate parameters among them, in the order of their lines. Those that a pass removed keep
    /// their ids: what walks the objects goes by [`Function::stack_objects`].
    pub stack: PrimaryMap<Obj, StackData>,
    /// Names of registers, stack objects and blocks.
    pub names: NameTable,
    /// Offset of the header in the source.
    pub loc: SourceLoc,
    removed_objs: EntitySet<Obj>,
    blocks: PrimaryMap<Block, BlockData>,
    insts: PrimaryMap<Inst, InstData>,
    locs: SecondaryMap<Inst, SourceLoc>,
    layout: Layout,
    /// Third operands, call records, phi entries, case values.
    lists: Vec<u32>,
    mems: Vec<Mem>,
    consts: Vec<i64>,
    const_index: HashTable<u32>,
    inst_stamp: u64,
    cfg_stamp: u64,
}

const CALL_HEADER: usize = 4;

impl Function {
    /// A function without blocks.
    pub fn new(sym: Sym) -> Function {
        Function {
            sym,
            params: Vec::new(),
            section: None,
            regs: PrimaryMap::new(),
            stack: PrimaryMap::new(),
            names: NameTable::default(),
            loc: NO_LOC,
            removed_objs: EntitySet::new(),
            blocks: PrimaryMap::new(),
            insts: PrimaryMap::new(),
            locs: SecondaryMap::with_default(NO_LOC),
            layout: Layout::default(),
            lists: Vec::new(),
            mems: Vec::new(),
            consts: Vec::new(),
            const_index: HashTable::new(),
            inst_stamp: 0,
            cfg_stamp: 0,
        }
    }

    /// Makes this a function without blocks again, as [`Function::new`] does, but keeps the memory.
    pub fn reset(&mut self, sym: Sym) {
        self.sym = sym;
        self.params.clear();
        self.section = None;
        self.regs.clear();
        self.stack.clear();
        self.names.clear();
        self.loc = NO_LOC;
        self.removed_objs.clear();
        self.blocks.clear();
        self.insts.clear();
        self.locs.reset(0);
        self.layout.clear();
        self.lists.clear();
        self.mems.clear();
        self.consts.clear();
        // A table is copied with its room, so an empty one has none.
        self.const_index = HashTable::new();
        self.inst_stamp = 0;
        self.cfg_stamp = 0;
    }

    // ---- Reading: shape ----

    /// The order of blocks and instructions.
    #[inline]
    pub fn layout(&self) -> &Layout {
        &self.layout
    }
    /// The first block. Panics in a function without blocks, which the verifier rejects.
    #[inline]
    pub fn entry(&self) -> Block {
        self.layout.entry().expect("a function has an entry block")
    }
    /// The number of blocks ever made: an upper bound of block indices.
    #[inline]
    pub fn num_blocks(&self) -> usize {
        self.blocks.len()
    }
    /// The number of instructions ever made: an upper bound of instruction indices.
    #[inline]
    pub fn num_insts(&self) -> usize {
        self.insts.len()
    }
    /// The number of registers ever made: an upper bound of register indices.
    #[inline]
    pub fn num_regs(&self) -> usize {
        self.regs.len()
    }
    /// What an instruction is.
    #[inline]
    pub fn inst(&self, i: Inst) -> &InstData {
        &self.insts[i]
    }
    /// Where in the source an instruction comes from.
    #[inline]
    pub fn loc_of(&self, i: Inst) -> SourceLoc {
        self.locs[i]
    }
    /// What a block is.
    #[inline]
    pub fn block(&self, b: Block) -> &BlockData {
        &self.blocks[b]
    }
    /// The targets of the block's terminator, repeated where it repeats them.
    #[inline]
    pub fn succs(&self, b: Block) -> &[Block] {
        &self.blocks[b].succs
    }
    /// The terminator of a block. Panics where the block has none, which the verifier rejects.
    #[inline]
    pub fn terminator(&self, b: Block) -> Inst {
        self.layout.last_inst(b).expect("a block ends in a terminator")
    }
    /// The phis of a block.
    pub fn phis(&self, b: Block) -> impl Iterator<Item = Inst> + '_ {
        self.layout.insts(b).take_while(|i| self.insts[*i].op == Opcode::Phi)
    }
    /// The type of a register.
    #[inline]
    pub fn type_of(&self, r: Reg) -> Type {
        self.regs[r].ty
    }
    /// The stack objects that were not removed, in the order of their lines.
    pub fn stack_objects(&self) -> impl DoubleEndedIterator<Item = (Obj, &StackData)> {
        self.stack.iter().filter(|(o, _)| !self.removed_objs.contains(*o))
    }
    /// Counts changes of instructions or blocks; equal counts mean an unchanged function.
    pub fn inst_stamp(&self) -> u64 {
        self.inst_stamp
    }
    /// Counts changes of blocks and edges.
    pub fn cfg_stamp(&self) -> u64 {
        self.cfg_stamp
    }

    // ---- Reading: operands ----

    /// The register that an instruction assigns.
    #[inline]
    pub fn def(&self, i: Inst) -> Option<Reg> {
        let d = &self.insts[i];
        if matches!(d.op.info().result, ResultRule::None) { None } else { d.dst.as_reg() }
    }
    /// The payload of a constant operand (see [`Type::constant_payload`]); none for other operands.
    #[inline]
    pub fn constant(&self, o: Operand) -> Option<i64> {
        match o.kind() {
            OperandKind::Small(n) => Some(n as i64),
            OperandKind::Pool(k) => Some(self.consts[k as usize]),
            OperandKind::Reg(_) | OperandKind::Sym(_) | OperandKind::Obj(_) | OperandKind::None => None,
        }
    }
    /// The memory operand of an instruction of format Address, Load, Store, MemOnly or AggReturn.
    #[inline]
    pub fn mem(&self, i: Inst) -> Mem {
        let d = &self.insts[i];
        if d.flags & InstData::INDEXED != 0 {
            self.mems[d.a.to_bits() as usize]
        } else {
            Mem::base_disp(Base::from_operand(d.a), d.b.to_bits() as i32)
        }
    }
    /// The first memory operand (the destination) of an instruction of format MemCopy, MemFill, MemPair, AggMemPair.
    pub fn mem_dst(&self, i: Inst) -> Mem {
        self.mems[self.insts[i].a.to_bits() as usize]
    }
    /// The second memory operand (the source) of an instruction of format MemCopy, MemPair, AggMemPair.
    pub fn mem_src(&self, i: Inst) -> Mem {
        self.mems[self.insts[i].b.to_bits() as usize]
    }
    /// The second and third operand of an instruction of format Ternary or Select.
    #[inline]
    pub fn operands_bc(&self, i: Inst) -> (Operand, Operand) {
        let at = self.insts[i].b.to_bits() as usize;
        (Operand::from_bits(self.lists[at]), Operand::from_bits(self.lists[at + 1]))
    }
    /// The entries of a phi.
    pub fn phi_entries(&self, i: Inst) -> impl ExactSizeIterator<Item = (Block, Operand)> + '_ {
        debug_assert_eq!(self.insts[i].op, Opcode::Phi);
        let at = self.insts[i].b.to_bits() as usize;
        let n = self.lists[at] as usize;
        self.lists[at + 1..at + 1 + 2 * n].chunks_exact(2).map(|e| (Block::from_u32(e[0]), Operand::from_bits(e[1])))
    }
    /// The case values of a switch, in the order of the successors after the first.
    pub fn switch_cases(&self, i: Inst) -> impl ExactSizeIterator<Item = Operand> + '_ {
        debug_assert_eq!(self.insts[i].op, Opcode::Switch);
        let at = self.insts[i].b.to_bits() as usize;
        let n = self.lists[at] as usize;
        self.lists[at + 1..at + 1 + n].iter().map(|&c| Operand::from_bits(c))
    }
    /// What a call gives back.
    pub fn call_result(&self, i: Inst) -> CallResult {
        let at = self.insts[i].b.to_bits() as usize;
        let (kind, mem) = (self.lists[at + 2], self.lists[at + 3]);
        match kind & 3 {
            0 => CallResult::None,
            1 => CallResult::Scalar(Type::from_u8((kind >> 8) as u8), ext_from(kind >> 4 & 3)),
            _ => CallResult::Agg(Agg::new((kind >> 2) as usize), self.mems[mem as usize]),
        }
    }
    /// The arguments of a call.
    pub fn call_args(&self, i: Inst) -> impl ExactSizeIterator<Item = CallArg> + '_ {
        debug_assert_eq!(self.insts[i].op, Opcode::Call);
        let at = self.insts[i].b.to_bits() as usize;
        let n = (self.lists[at] >> 1) as usize;
        self.lists[at + CALL_HEADER..at + CALL_HEADER + 2 * n].chunks_exact(2).map(|e| {
            if e[0] & 4 != 0 {
                CallArg::Agg(Agg::new((e[0] >> 3) as usize), self.mems[e[1] as usize])
            } else {
                CallArg::Reg(Reg::from_u32(e[1]), ext_from(e[0]))
            }
        })
    }
    /// How many arguments of a call are fixed, and whether its callee is variadic.
    pub fn call_fixed(&self, i: Inst) -> (usize, bool) {
        let at = self.insts[i].b.to_bits() as usize;
        (self.lists[at + 1] as usize, self.lists[at] & 1 != 0)
    }
    /// A whole call, for passes that make a changed one.
    pub fn call_info(&self, i: Inst) -> CallInfo {
        let (fixed, variadic) = self.call_fixed(i);
        CallInfo { result: self.call_result(i), args: self.call_args(i).collect(), fixed: fixed as u32, variadic }
    }

    /// Calls `f` with every memory operand of an instruction, in operand order.
    #[inline]
    pub fn for_each_mem(&self, i: Inst, mut f: impl FnMut(Mem)) {
        match self.insts[i].op.format() {
            Format::Address | Format::Load | Format::Store | Format::MemOnly | Format::AggReturn => f(self.mem(i)),
            Format::MemFill => f(self.mem_dst(i)),
            Format::MemCopy | Format::MemPair | Format::AggMemPair => {
                f(self.mem_dst(i));
                f(self.mem_src(i));
            }
            Format::Call => {
                if let CallResult::Agg(_, m) = self.call_result(i) {
                    f(m);
                }
                for a in self.call_args(i) {
                    if let CallArg::Agg(_, m) = a {
                        f(m);
                    }
                }
            }
            Format::Const
            | Format::Unary
            | Format::Binary
            | Format::Ternary
            | Format::Select
            | Format::Compare
            | Format::Convert
            | Format::Alloca
            | Format::Nullary
            | Format::Consume
            | Format::Phi
            | Format::Jump
            | Format::Branch
            | Format::Switch
            | Format::Return
            | Format::Stop => {}
        }
    }
    /// Calls `f` with every register that an instruction reads, phi entries included, in operand order.
    #[inline]
    pub fn for_each_use(&self, i: Inst, mut f: impl FnMut(Reg)) {
        let d = &self.insts[i];
        let mut op = |o: Operand| {
            if let Some(r) = o.as_reg() {
                f(r);
            }
        };
        match d.op.format() {
            Format::Const | Format::Nullary | Format::Jump | Format::Stop => {}
            Format::Unary | Format::Convert | Format::Alloca | Format::Consume | Format::Switch | Format::Return => {
                op(d.a)
            }
            Format::Binary | Format::Compare | Format::Branch => {
                op(d.a);
                op(d.b);
            }
            Format::Ternary | Format::Select => {
                op(d.a);
                let (b, c) = self.operands_bc(i);
                op(b);
                op(c);
            }
            Format::Address | Format::Load | Format::MemOnly | Format::AggReturn => {
                if d.flags & InstData::INDEXED == 0 {
                    op(d.a);
                } else {
                    self.mem(i).regs().for_each(f);
                }
            }
            Format::Store => {
                if d.flags & InstData::INDEXED == 0 {
                    op(d.a);
                    op(d.dst);
                } else {
                    self.mem(i).regs().chain(d.dst.as_reg()).for_each(f);
                }
            }
            Format::MemCopy => self.mem_dst(i).regs().chain(self.mem_src(i).regs()).chain(d.dst.as_reg()).for_each(f),
            Format::MemFill => self.mem_dst(i).regs().chain(d.b.as_reg()).chain(d.dst.as_reg()).for_each(f),
            Format::MemPair | Format::AggMemPair => self.mem_dst(i).regs().chain(self.mem_src(i).regs()).for_each(f),
            Format::Call => {
                op(d.a);
                if let CallResult::Agg(_, m) = self.call_result(i) {
                    m.regs().for_each(&mut f);
                }
                for a in self.call_args(i) {
                    match a {
                        CallArg::Reg(r, _) => f(r),
                        CallArg::Agg(_, m) => m.regs().for_each(&mut f),
                    }
                }
            }
            Format::Phi => self.phi_entries(i).for_each(|(_, o)| op(o)),
        }
    }

    /// Replaces the registers that an instruction reads: `f` returns what stands in their place, a register, or a
    /// constant where [`Use::may_be_const`] allows one.
    pub fn rewrite_uses(&mut self, i: Inst, mut f: impl FnMut(Use) -> Operand) {
        self.inst_stamp += 1;
        let d = self.insts[i];
        let mut reg = |o: Operand, may_be_const: bool| match o.as_reg() {
            Some(reg) => f(Use { reg, may_be_const, phi_pred: None }),
            None => o,
        };
        match d.op.format() {
            Format::Const | Format::Nullary | Format::Jump | Format::Stop => {}
            Format::Unary | Format::Convert | Format::Consume | Format::Switch => self.insts[i].a = reg(d.a, false),
            Format::Alloca | Format::Return => self.insts[i].a = reg(d.a, true),
            Format::Binary | Format::Compare | Format::Branch => {
                self.insts[i].a = reg(d.a, false);
                self.insts[i].b = reg(d.b, true);
            }
            Format::Ternary | Format::Select => {
                let at = d.b.to_bits() as usize;
                self.insts[i].a = reg(d.a, false);
                for k in at..at + 2 {
                    self.lists[k] = reg(Operand::from_bits(self.lists[k]), false).to_bits();
                }
            }
            Format::Address | Format::Load | Format::MemOnly | Format::AggReturn | Format::Store => {
                if d.flags & InstData::INDEXED == 0 {
                    self.insts[i].a = reg(d.a, false);
                } else {
                    let k = d.a.to_bits() as usize;
                    self.mems[k] = rewrite_mem(self.mems[k], &mut reg);
                }
                if d.op.format() == Format::Store {
                    self.insts[i].dst = reg(d.dst, true);
                }
            }
            Format::MemCopy | Format::MemFill | Format::MemPair | Format::AggMemPair => {
                let k = d.a.to_bits() as usize;
                self.mems[k] = rewrite_mem(self.mems[k], &mut reg);
                if d.op.format() == Format::MemFill {
                    self.insts[i].b = reg(d.b, true);
                } else {
                    let k = d.b.to_bits() as usize;
                    self.mems[k] = rewrite_mem(self.mems[k], &mut reg);
                }
                if matches!(d.op.format(), Format::MemCopy | Format::MemFill) {
                    self.insts[i].dst = reg(d.dst, true);
                }
            }
            Format::Call => {
                self.insts[i].a = reg(d.a, false);
                let at = d.b.to_bits() as usize;
                if self.lists[at + 2] & 3 == 2 {
                    let k = self.lists[at + 3] as usize;
                    self.mems[k] = rewrite_mem(self.mems[k], &mut reg);
                }
                for k in 0..(self.lists[at] >> 1) as usize {
                    let e = at + CALL_HEADER + 2 * k;
                    if self.lists[e] & 4 != 0 {
                        let k = self.lists[e + 1] as usize;
                        self.mems[k] = rewrite_mem(self.mems[k], &mut reg);
                    } else {
                        self.lists[e + 1] = reg(Operand::reg(Reg::from_u32(self.lists[e + 1])), false).to_bits();
                    }
                }
            }
            Format::Phi => {
                let at = d.b.to_bits() as usize;
                for k in 0..self.lists[at] as usize {
                    let e = at + 1 + 2 * k;
                    if let Some(r) = Operand::from_bits(self.lists[e + 1]).as_reg() {
                        let pred = Block::from_u32(self.lists[e]);
                        self.lists[e + 1] = f(Use { reg: r, may_be_const: true, phi_pred: Some(pred) }).to_bits();
                    }
                }
            }
        }
    }

    // ---- Making operands ----

    /// The operand for a constant payload (see [`Type::constant_payload`]). Equal payloads give equal operands.
    pub fn make_const(&mut self, payload: i64) -> Operand {
        if let Some(o) = Operand::small(payload) {
            return o;
        }
        let hash = |v: i64| (v as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ (v as u64 >> 32);
        let consts = &mut self.consts;
        let entry =
            self.const_index.entry(hash(payload), |k| consts[*k as usize] == payload, |k| hash(consts[*k as usize]));
        let index = match entry {
            hashbrown::hash_table::Entry::Occupied(e) => *e.get(),
            hashbrown::hash_table::Entry::Vacant(e) => {
                let index = consts.len() as u32;
                consts.push(payload);
                e.insert(index);
                index
            }
        };
        Operand::pool(index as usize)
    }
    /// The operand for a constant of type `ty` with these bits.
    pub fn make_typed_const(&mut self, ty: Type, bits: u64) -> Operand {
        self.make_const(ty.constant_payload(bits))
    }
    /// Puts a memory operand into an instruction of format Address, Load, Store, MemOnly or AggReturn.
    #[inline]
    pub fn set_mem(&mut self, data: &mut InstData, mem: Mem) {
        if mem.index.is_none() {
            data.a = mem.base.to_operand();
            data.b = Operand::from_bits(mem.disp as u32);
            data.flags &= !InstData::INDEXED;
        } else {
            data.a = self.make_mem(mem);
            data.flags |= InstData::INDEXED;
        }
    }
    /// A memory operand in the pool, for the formats that keep theirs there.
    pub fn make_mem(&mut self, mem: Mem) -> Operand {
        self.mems.push(mem);
        Operand::from_bits(self.mems.len() as u32 - 1)
    }
    /// Second and third operand in the pool, for field `b` of the formats Ternary and Select.
    pub fn make_bc(&mut self, b: Operand, c: Operand) -> Operand {
        self.lists.extend([b.to_bits(), c.to_bits()]);
        Operand::from_bits(self.lists.len() as u32 - 2)
    }
    /// Phi entries in the pool, for field `b`.
    pub fn make_phi(&mut self, entries: &[(Block, Operand)]) -> Operand {
        let at = self.lists.len() as u32;
        self.lists.push(entries.len() as u32);
        self.lists.extend(entries.iter().flat_map(|(b, o)| [b.as_u32(), o.to_bits()]));
        Operand::from_bits(at)
    }
    /// Case values in the pool, for field `b` of a switch.
    pub fn make_cases(&mut self, cases: &[Operand]) -> Operand {
        let at = self.lists.len() as u32;
        self.lists.push(cases.len() as u32);
        self.lists.extend(cases.iter().map(|c| c.to_bits()));
        Operand::from_bits(at)
    }
    /// A call's record in the pool, for field `b` of a call.
    pub fn make_call(&mut self, info: &CallInfo) -> Operand {
        let (kind, mem) = match info.result {
            CallResult::None => (0, 0),
            CallResult::Scalar(t, e) => (1 | (e as u32) << 4 | (t as u32) << 8, 0),
            CallResult::Agg(a, m) => (2 | a.as_u32() << 2, self.make_mem(m).to_bits()),
        };
        // Memory operands go to their own pool, so the record is contiguous.
        let at = self.lists.len() as u32;
        self.lists.extend([(info.args.len() as u32) << 1 | info.variadic as u32, info.fixed, kind, mem]);
        for a in &info.args {
            let entry = match *a {
                CallArg::Reg(r, e) => [e as u32, r.as_u32()],
                CallArg::Agg(a, m) => [4 | a.as_u32() << 3, self.make_mem(m).to_bits()],
            };
            self.lists.extend(entry);
        }
        Operand::from_bits(at)
    }

    // ---- Changing: registers, blocks, instructions ----

    /// A new register whose name is derived from `name`.
    pub fn new_reg(&mut self, ty: Type, name: NameRef) -> Reg {
        self.regs.push(RegData { ty, name: name.derived() })
    }
    /// A new register of the same type as `r`, named after it.
    pub fn new_reg_like(&mut self, r: Reg) -> Reg {
        let RegData { ty, name } = self.regs[r];
        self.new_reg(ty, name)
    }
    /// Takes a stack object out of the function. No instruction names it any more, and it is not a parameter. What is
    /// left of it takes no memory.
    pub fn remove_stack_object(&mut self, o: Obj) {
        debug_assert!(!self.stack[o].is_param, "an aggregate parameter belongs to the signature");
        self.removed_objs.insert(o);
        (self.stack[o].size, self.stack[o].align) = (0, 1);
    }
    /// A new block that stands nowhere yet.
    pub fn make_block(&mut self, name: NameRef) -> Block {
        self.blocks.push(BlockData { name, succs: SmallVec::new() })
    }
    /// A new block at the end.
    pub fn append_new_block(&mut self, name: NameRef) -> Block {
        let b = self.make_block(name);
        self.append_block(b);
        b
    }
    /// Puts a block at the end.
    pub fn append_block(&mut self, b: Block) {
        self.cfg_stamp += 1;
        self.layout.append_block(b);
    }
    /// Puts a block after another.
    pub fn insert_block_after(&mut self, b: Block, after: Block) {
        self.cfg_stamp += 1;
        self.layout.insert_block_after(b, after);
    }
    /// Takes a block out of the order, and its edges with it. Phis elsewhere are not touched.
    pub fn remove_block(&mut self, b: Block) {
        self.cfg_stamp += 1;
        self.inst_stamp += 1;
        self.blocks[b].succs.clear();
        self.layout.remove_block(b);
    }
    /// Sets the targets of a block. They must fit its terminator.
    pub fn set_succs(&mut self, b: Block, succs: &[Block]) {
        self.cfg_stamp += 1;
        self.blocks[b].succs.clear();
        self.blocks[b].succs.extend_from_slice(succs);
    }
    /// Makes every edge from `b` to `old` go to `new`. Phis are not touched.
    pub fn redirect_edge(&mut self, b: Block, old: Block, new: Block) {
        self.cfg_stamp += 1;
        self.blocks[b].succs.iter_mut().filter(|s| **s == old).for_each(|s| *s = new);
    }
    /// An instruction that stands nowhere yet.
    #[inline]
    pub fn make_inst(&mut self, data: InstData, loc: SourceLoc) -> Inst {
        let i = self.insts.push(data);
        self.locs[i] = loc;
        i
    }
    /// A new instruction at the end of a block.
    #[inline]
    pub fn append_inst(&mut self, b: Block, data: InstData, loc: SourceLoc) -> Inst {
        let i = self.make_inst(data, loc);
        self.inst_stamp += 1;
        self.layout.append_inst(i, b);
        i
    }
    /// A new instruction before another, at the other's place in the source.
    pub fn insert_before(&mut self, before: Inst, data: InstData) -> Inst {
        let i = self.make_inst(data, self.locs[before]);
        self.inst_stamp += 1;
        self.layout.insert_inst_before(i, before);
        i
    }
    /// A new instruction at the top of a block: before its first instruction.
    pub fn prepend_inst(&mut self, b: Block, data: InstData) -> Inst {
        match self.layout.first_inst(b) {
            Some(first) => self.insert_before(first, data),
            None => self.append_inst(b, data, NO_LOC),
        }
    }
    /// Takes an instruction out of its block. A terminator's edges stay until [`Function::set_succs`].
    pub fn remove_inst(&mut self, i: Inst) {
        self.inst_stamp += 1;
        self.layout.remove_inst(i);
    }
    /// Puts an instruction that stands somewhere before another.
    pub fn move_before(&mut self, i: Inst, before: Inst) {
        self.inst_stamp += 1;
        self.layout.remove_inst(i);
        self.layout.insert_inst_before(i, before);
    }
    /// Makes an instruction another one in place; its id, place and source stay.
    #[inline]
    pub fn replace_inst(&mut self, i: Inst, data: InstData) {
        self.inst_stamp += 1;
        self.insts[i] = data;
    }
    /// Moves the instructions of `b` from `i` to the end into `to`, with the edges. Phis elsewhere are not touched.
    pub fn split_block_at(&mut self, b: Block, i: Inst, to: Block) {
        self.cfg_stamp += 1;
        self.inst_stamp += 1;
        self.layout.split_tail(b, i, to);
        self.blocks[to].succs = std::mem::take(&mut self.blocks[b].succs);
    }
    /// Moves all instructions of `from` to the end of `to`, whose terminator is gone, with the edges of `from`.
    pub fn append_all_insts(&mut self, to: Block, from: Block) {
        self.cfg_stamp += 1;
        self.inst_stamp += 1;
        if let Some(first) = self.layout.first_inst(from) {
            self.layout.split_tail(from, first, to);
        }
        self.blocks[to].succs = std::mem::take(&mut self.blocks[from].succs);
    }
    /// Sets the entries of a phi.
    pub fn set_phi_entries(&mut self, i: Inst, entries: &[(Block, Operand)]) {
        self.inst_stamp += 1;
        let at = self.insts[i].b.to_bits() as usize;
        if entries.len() <= self.lists[at] as usize {
            self.lists[at] = entries.len() as u32;
            for (k, (b, o)) in entries.iter().enumerate() {
                self.lists[at + 1 + 2 * k] = b.as_u32();
                self.lists[at + 2 + 2 * k] = o.to_bits();
            }
        } else {
            self.insts[i].b = self.make_phi(entries);
        }
    }
    /// Takes the entry of a predecessor out of all phis of a block.
    pub fn remove_phi_pred(&mut self, b: Block, pred: Block) {
        self.inst_stamp += 1;
        let mut at = self.layout.first_inst(b);
        while let Some(i) = at.filter(|i| self.insts[*i].op == Opcode::Phi) {
            let list = self.insts[i].b.to_bits() as usize;
            let n = self.lists[list] as usize;
            if let Some(k) = (0..n).find(|k| self.lists[list + 1 + 2 * k] == pred.as_u32()) {
                self.lists.copy_within(list + 3 + 2 * k..list + 1 + 2 * n, list + 1 + 2 * k);
                self.lists[list] = n as u32 - 1;
            }
            at = self.layout.next_inst(i);
        }
    }
    /// Takes the entries of those predecessors out of all phis of a block for which `keep` says no.
    pub fn retain_phi_preds(&mut self, b: Block, mut keep: impl FnMut(Block) -> bool) {
        self.inst_stamp += 1;
        let mut at = self.layout.first_inst(b);
        while let Some(i) = at.filter(|i| self.insts[*i].op == Opcode::Phi) {
            let list = self.insts[i].b.to_bits() as usize;
            let mut kept = 0;
            for k in 0..self.lists[list] as usize {
                if keep(Block::from_u32(self.lists[list + 1 + 2 * k])) {
                    self.lists.copy_within(list + 1 + 2 * k..list + 3 + 2 * k, list + 1 + 2 * kept);
                    kept += 1;
                }
            }
            self.lists[list] = kept as u32;
            at = self.layout.next_inst(i);
        }
    }
    /// Renames the predecessors in all phis of a block.
    pub fn map_phi_preds(&mut self, b: Block, mut map: impl FnMut(Block) -> Block) {
        self.inst_stamp += 1;
        let mut at = self.layout.first_inst(b);
        while let Some(i) = at.filter(|i| self.insts[*i].op == Opcode::Phi) {
            let list = self.insts[i].b.to_bits() as usize;
            for k in 0..self.lists[list] as usize {
                let pred = &mut self.lists[list + 1 + 2 * k];
                *pred = map(Block::from_u32(*pred)).as_u32();
            }
            at = self.layout.next_inst(i);
        }
    }
    /// Renames a predecessor in all phis of a block.
    pub fn rename_phi_pred(&mut self, b: Block, old: Block, new: Block) {
        self.inst_stamp += 1;
        let mut at = self.layout.first_inst(b);
        while let Some(i) = at.filter(|i| self.insts[*i].op == Opcode::Phi) {
            let list = self.insts[i].b.to_bits() as usize;
            for k in 0..self.lists[list] as usize {
                if self.lists[list + 1 + 2 * k] == old.as_u32() {
                    self.lists[list + 1 + 2 * k] = new.as_u32();
                }
            }
            at = self.layout.next_inst(i);
        }
    }
}

#[inline]
fn ext_from(bits: u32) -> Ext {
    match bits {
        0 => Ext::None,
        1 => Ext::Sext,
        _ => Ext::Zext,
    }
}

fn rewrite_mem(m: Mem, reg: &mut impl FnMut(Operand, bool) -> Operand) -> Mem {
    let base = match m.base {
        Base::Reg(r) => Base::from_operand(reg(Operand::reg(r), false)),
        b => b,
    };
    let index = m.index.map(|r| reg(Operand::reg(r), false).as_reg().expect("an index is a register"));
    Mem { base, index, ..m }
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

//! A machine function: blocks, instructions, virtual registers, and their pools.

use super::operand::{MReg, VReg};
use crate::mir::env::MachineEnv;
use crate::mir::form::{Form, Size};
use crate::mir::instruction::MInst;
use crate::mir::offset::FrameOffset;
use crate::mir::op::{Fixed, Props};
use crate::mir::operand::MBase;
use crate::mir::registers::{PReg, PRegSet};
use crate::mir::shape::Shape;
use lir_opt::regions::OrderedCfg;
use lir_syntax::abi::RegClass;
use lir_syntax::ir::{Block, Inst, PackedOption, Sym};
use smallvec::SmallVec;

/// A block of a machine function: a dense index in layout order.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct MBlock(pub u32);

impl MBlock {
    /// Returns the index.
    #[inline]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A block.
#[derive(Clone, Debug, Default)]
pub struct MBlockData {
    /// Its instructions are `insts[start..end]` of the function.
    pub start: u32,
    /// See `start`.
    pub end: u32,
    /// Targets, which differ: none, one (`Jmp`), two (`Jcc`: taken, not taken), or two and more (`JmpReg`: the targets
    /// of its table, in order of first occurrence).
    pub succs: SmallVec<[MBlock; 2]>,
    /// Predecessors, distinct, in layout order. A block with several has no predecessor with several successors:
    /// critical edges are split.
    pub preds: SmallVec<[MBlock; 2]>,
    /// Its phis are `phis[..]` of the function in this range.
    pub phis: std::ops::Range<u32>,
    /// The LIR block that it was made from. None for a block on a critical edge.
    pub label: PackedOption<Block>,
    /// Number of loops around it.
    pub loop_depth: u32,
    /// Number of times it runs, estimated. The entry runs 64 times. At least 1.
    pub frequency: u32,
    /// True if it is unlikely to run: it ends in a trap, as a block does after a call to a `noreturn` function, or all
    /// paths from it lead to such blocks.
    pub cold: bool,
}

/// A phi: all phis of a block are assigned at once when control enters it.
#[derive(Copy, Clone, Debug)]
pub struct MPhi {
    /// The register that is assigned.
    pub dst: VReg,
    /// Start of its operands in `phi_args` of the function. There is one for each predecessor of the block, in their
    /// order.
    pub args: u32,
}

/// An operand of a phi, read at the end of the predecessor.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum PhiArg {
    /// A register.
    Reg(VReg),
    /// A constant, index into `remats` of the function.
    Const(u32),
}

impl PhiArg {
    /// Returns the register, if it is one.
    pub(crate) fn as_reg(self) -> Option<VReg> {
        if let PhiArg::Reg(v) = self { Some(v) } else { None }
    }
}

/// A virtual register.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct VRegData {
    /// Its class.
    pub class: RegClass,
    /// Index into `remats` plus one, if its only definition can be repeated anywhere. Otherwise 0.
    remat: u32,
}

impl VRegData {
    /// True if its definition can be repeated.
    #[inline]
    pub(crate) fn is_repeatable(&self) -> bool {
        self.remat != 0
    }
}

/// An instruction that can be repeated anywhere instead of keeping its result. It reads no virtual register, no memory
/// that is written, and leaves the flags alone. Field `d` is filled in where it is repeated.
pub type Remat = MInst;

/// The fixed operands of a call, return, entry, string instruction or operation with two results.
#[derive(Clone, Debug, Default)]
pub struct FixedList {
    /// The values that are read, and their registers. Registers are distinct.
    pub uses: SmallVec<[(MReg, PReg); 6]>,
    /// The values that are assigned, and their registers.
    pub defs: SmallVec<[(MReg, PReg); 2]>,
    /// The registers that change. They include the registers of `uses` and `defs`, except for `Ret` and `TailCall`,
    /// which end the function.
    pub clobbers: PRegSet,
    /// The callee of a call, where the instruction's form has no operand for it.
    pub target: Option<CallTarget>,
    /// The number of SSE registers of a call to a variadic function. It is put into al; rax is then in `clobbers`, and
    /// no use is fixed to it.
    pub al: Option<u8>,
}

/// The target of a direct call.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum CallTarget {
    /// A symbol of the module.
    Sym(Sym),
    /// A function of the run-time library (libm, libc) that lowering introduced.
    Runtime(&'static str),
}

/// A stack object in the frame.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct FrameObj {
    /// Bytes.
    pub size: u64,
    /// A power of two.
    pub align: u64,
}

/// A function in machine IR.
#[derive(Clone, Debug)]
pub struct MFunction {
    /// The machine.
    pub env: &'static MachineEnv,
    /// All instructions, block after block.
    pub insts: Vec<MInst>,
    /// For each instruction the LIR instruction that it was made from; none for instructions of the frame.
    pub origins: Vec<PackedOption<Inst>>,
    /// Blocks in layout order; the first is the entry.
    pub blocks: Vec<MBlockData>,
    /// Virtual registers.
    pub vregs: Vec<VRegData>,
    /// The number of the first register that is a part of another, as are all registers after it. There may be none.
    pub first_part: u32,
    /// For each of these parts the register that it is a part of: the same value, in a part of the function where it is
    /// to have a location of its own.
    pub whole_of: Vec<VReg>,
    /// Phis of all blocks.
    pub phis: Vec<MPhi>,
    /// Operands of all phis.
    pub phi_args: Vec<PhiArg>,
    /// Repeatable definitions.
    pub remats: Vec<Remat>,
    /// Fixed operands of calls and similar instructions.
    pub records: Vec<FixedList>,
    /// Frame objects.
    pub frame: Vec<FrameObj>,
    /// Constants of 4, 8 or 16 bytes, each aligned to its size. Instructions read them from memory.
    pub consts: Vec<SmallVec<[u8; 16]>>,
    /// Jump tables: the targets are `table_targets[..]` in this range. Each belongs to one `JmpReg`.
    pub tables: Vec<std::ops::Range<u32>>,
    /// Targets of all tables, successors of the blocks that jump there.
    pub table_targets: Vec<MBlock>,
    /// Bytes of outgoing stack arguments: the most that any call needs, a multiple of 16 and of `outgoing_align`.
    pub outgoing: FrameOffset,
    /// Alignment of outgoing stack arguments. 0 if there are none.
    pub outgoing_align: u64,
    /// True if the frame needs rbp: dynamic stack memory (rsp moves), or objects or outgoing arguments aligned to more
    /// than 16. rbp is not allocated then.
    pub frame_pointer: bool,
    /// True if the frame also needs rbx: rsp moves *and* something is aligned to more than 16. Incoming arguments are
    /// then found through rbp, everything else through rbx. rbx is not allocated then.
    pub base_pointer: bool,
    /// True if there is a register save area (the function is variadic and calls `va_start`).
    pub reg_save: bool,
    /// True if it calls a `returns_twice` function. No spill slot may be shared or hold two values.
    pub returns_twice: bool,
}

impl OrderedCfg for MFunction {
    fn num_blocks(&self) -> usize {
        self.blocks.len()
    }
    fn preds(&self, b: u32) -> impl Iterator<Item = u32> {
        self.blocks[b as usize].preds.iter().map(|p| p.0)
    }
    fn has_loops(&self) -> bool {
        self.blocks.iter().any(|b| b.loop_depth > 0)
    }
    fn loop_depth(&self, b: u32) -> u32 {
        self.blocks[b as usize].loop_depth
    }
}

impl MFunction {
    /// Returns an empty function of a machine.
    pub fn new(env: &'static MachineEnv) -> MFunction {
        MFunction {
            env,
            insts: Vec::new(),
            origins: Vec::new(),
            blocks: Vec::new(),
            vregs: Vec::new(),
            first_part: 0,
            whole_of: Vec::new(),
            phis: Vec::new(),
            phi_args: Vec::new(),
            remats: Vec::new(),
            records: Vec::new(),
            frame: Vec::new(),
            consts: Vec::new(),
            tables: Vec::new(),
            table_targets: Vec::new(),
            outgoing: FrameOffset::default(),
            outgoing_align: 0,
            frame_pointer: false,
            base_pointer: false,
            reg_save: false,
            returns_twice: false,
        }
    }
    /// Empties it, and keeps the memory.
    pub fn clear(&mut self) {
        self.insts.clear();
        self.origins.clear();
        self.blocks.clear();
        self.vregs.clear();
        self.first_part = 0;
        self.whole_of.clear();
        self.phis.clear();
        self.phi_args.clear();
        self.remats.clear();
        self.records.clear();
        self.frame.clear();
        self.consts.clear();
        self.tables.clear();
        self.table_targets.clear();
        self.outgoing = FrameOffset::default();
        self.outgoing_align = 0;
        self.frame_pointer = false;
        self.base_pointer = false;
        self.reg_save = false;
        self.returns_twice = false;
    }
    /// Makes a new virtual register.
    #[inline]
    pub fn new_vreg(&mut self, class: RegClass) -> VReg {
        self.vregs.push(VRegData { class, remat: 0 });
        VReg(self.vregs.len() as u32 - 1)
    }
    /// Sets how the only definition of `v` can be repeated.
    pub fn set_remat(&mut self, v: VReg, how: Remat) {
        self.remats.push(how);
        self.vregs[v.index()].remat = self.remats.len() as u32;
    }
    /// Returns the repeatable definition of `v`, if it has one.
    #[inline]
    pub fn remat(&self, v: VReg) -> Option<&Remat> {
        let k = self.vregs[v.index()].remat;
        if k == 0 { None } else { Some(&self.remats[k as usize - 1]) }
    }
    /// Returns the index in `remats` of the repeatable definition of `v`, if any.
    #[inline]
    pub(crate) fn remat_index(&self, v: VReg) -> Option<u32> {
        self.vregs[v.index()].remat.checked_sub(1)
    }
    /// True if a register is a part of another.
    #[inline]
    pub fn is_part_of(&self, part: VReg, whole: VReg) -> bool {
        !self.whole_of.is_empty()
            && part.0.checked_sub(self.first_part).is_some_and(|k| self.whole_of.get(k as usize) == Some(&whole))
    }
    /// Returns the registers that no value may be in.
    #[inline]
    pub fn reserved(&self) -> PRegSet {
        let mut set = PRegSet::all().minus(self.env.allocatable);
        if self.frame_pointer {
            set = set.with(self.env.frame_pointer);
        }
        if self.base_pointer {
            set = set.with(self.env.base_pointer);
        }
        set
    }
    /// Returns the properties of an instruction's op.
    #[inline]
    pub fn props(&self, i: &MInst) -> Props {
        self.env.ops[i.op.0 as usize].props
    }
    /// Returns the requirements of the fields of an instruction.
    #[inline]
    pub fn shape(&self, i: &MInst) -> Shape {
        self.env.shapes.of(i.op, i.form)
    }
    /// Returns the registers that the row of an instruction's op fixes.
    #[inline]
    pub fn fixed(&self, i: &MInst) -> &'static Fixed {
        self.env.ops[i.op.0 as usize].fixed
    }
    /// True if an instruction keeps fixed operands in a record of the pool.
    #[inline]
    pub fn has_record(&self, i: &MInst) -> bool {
        self.props(i).has(Props::RECORD)
    }
    /// True if all 16 bytes of the destination are significant, and a spill slot has fewer.
    #[inline]
    pub(crate) fn exceeds_slot(&self, i: &MInst) -> bool {
        i.size == Size::S128 && self.props(i).has(Props::WIDE) && self.env.slot_size(RegClass::Float) != Size::S128
    }
    /// True if an instruction copies as much of a register or spill slot as a spill slot of its class has.
    #[inline]
    pub(crate) fn is_whole_copy(&self, i: &MInst) -> bool {
        i.form == Form::DA && self.props(i).has(Props::COPY) && i.size == self.env.slot_size(self.class_of_d(i))
    }
    /// Returns the class of the destination of an instruction.
    #[inline]
    pub(crate) fn class_of_d(&self, i: &MInst) -> RegClass {
        if self.props(i).has(Props::FLOAT_D) { RegClass::Float } else { RegClass::Int }
    }
    /// True if there must be a frame, wherever the registers of an instruction are: if it calls, since the stack
    /// pointer must be aligned, or if it uses the stack pointer or an address relative to it. (The caller's frame is
    /// addressed without a frame.)
    pub(crate) fn needs_frame(&self, i: &MInst) -> bool {
        let is_phys = |r: MReg| r.as_phys().is_some();
        let in_frame = |base: MBase| match base {
            MBase::Frame(_) | MBase::Outgoing | MBase::RegSave => true,
            MBase::Reg(r) => is_phys(r) || is_phys(i.x),
            _ => false,
        };
        let props = self.props(i);
        props.has(Props::CALL)
            || props.has(Props::MOVES_STACK)
            || i.form.has_mem() && in_frame(i.base())
            || i.form.defs_d() && is_phys(i.d)
            || i.form.uses_a() && is_phys(i.a)
            || i.form.uses_b() && is_phys(MReg::from_bits(i.b))
    }
    /// Returns the class of a virtual register.
    #[inline]
    pub fn class(&self, v: VReg) -> RegClass {
        self.vregs[v.index()].class
    }
    /// Returns the size of the spill slot of a virtual register.
    #[inline]
    pub(crate) fn slot_size(&self, v: VReg) -> Size {
        self.env.slot_size(self.class(v))
    }
    /// Returns the instructions of a block.
    #[inline]
    pub(crate) fn block_insts(&self, b: MBlock) -> &[MInst] {
        let data = &self.blocks[b.index()];
        &self.insts[data.start as usize..data.end as usize]
    }
    /// Returns the blocks in order.
    pub(crate) fn block_ids(&self) -> impl DoubleEndedIterator<Item = MBlock> + use<> {
        (0..self.blocks.len() as u32).map(MBlock)
    }
    /// Returns the phis of a block.
    #[inline]
    pub(crate) fn block_phis(&self, b: MBlock) -> &[MPhi] {
        let r = &self.blocks[b.index()].phis;
        &self.phis[r.start as usize..r.end as usize]
    }
    /// Returns the targets of a jump table.
    pub fn table(&self, n: usize) -> &[MBlock] {
        let r = &self.tables[n];
        &self.table_targets[r.start as usize..r.end as usize]
    }
    /// Returns the number of a block among the predecessors of one of its successors.
    #[inline]
    pub(crate) fn pred_number(&self, b: MBlock, s: MBlock) -> usize {
        self.blocks[s.index()].preds.binary_search(&b).expect("a successor knows its predecessors")
    }
    /// Returns the index of the first of the jumps at the end of a block, or its end if there are none.
    #[inline]
    pub(crate) fn first_jump(&self, b: MBlock) -> u32 {
        let jumps = self.block_insts(b).iter().rev().take_while(|i| self.props(i).has(Props::TERMINATOR));
        self.blocks[b.index()].end - jumps.count() as u32
    }
    /// True if moves to the results of a block's phis have to be at its top: its predecessor has other successors.
    #[inline]
    pub(crate) fn moves_phis_at_top(&self, b: MBlock) -> bool {
        matches!(self.blocks[b.index()].preds[..], [p] if self.blocks[p.index()].succs.len() > 1)
    }
    /// Returns the operand of a phi for predecessor number `k` of its block.
    #[inline]
    pub(crate) fn phi_arg(&self, p: &MPhi, k: usize) -> PhiArg {
        self.phi_args[p.args as usize + k]
    }
    /// Inserts instructions without origins, sorted by the index of the instruction that they precede.
    pub(crate) fn insert(&mut self, added: &[(u32, MInst)]) {
        let total = self.insts.len() + added.len();
        let insts = std::mem::replace(&mut self.insts, Vec::with_capacity(total));
        let origins = std::mem::replace(&mut self.origins, Vec::with_capacity(total));
        let mut added = added.iter().peekable();
        for b in &mut self.blocks {
            let range = b.start as usize..b.end as usize;
            b.start = self.insts.len() as u32;
            let mut from = range.start;
            while let Some((at, inst)) = added.next_if(|(at, _)| (*at as usize) < range.end) {
                let at = *at as usize;
                self.insts.extend_from_slice(&insts[from..at]);
                self.origins.extend_from_slice(&origins[from..at]);
                self.insts.push(*inst);
                self.origins.push(PackedOption::NONE);
                from = at;
            }
            self.insts.extend_from_slice(&insts[from..range.end]);
            self.origins.extend_from_slice(&origins[from..range.end]);
            b.end = self.insts.len() as u32;
        }
    }
    /// Returns the fixed operands of an instruction that keeps some in the pool.
    #[inline]
    pub(crate) fn record(&self, i: &MInst) -> Option<&FixedList> {
        self.has_record(i).then(|| &self.records[i.record_index()])
    }
    /// Returns the operands that an instruction reads in registers of its record.
    #[inline]
    pub(crate) fn fixed_uses(&self, i: &MInst) -> &[(MReg, PReg)] {
        self.record(i).map_or(&[], |r| &r.uses)
    }
    /// Returns the results that an instruction writes to registers of its record.
    #[inline]
    pub(crate) fn fixed_defs(&self, i: &MInst) -> &[(MReg, PReg)] {
        self.record(i).map_or(&[], |r| &r.defs)
    }
    /// Calls `each` with the registers that an instruction reads, in its fields and its record.
    #[inline]
    pub(crate) fn for_each_read(&self, i: &MInst, mut each: impl FnMut(VReg)) {
        i.for_each_use(&mut each);
        self.fixed_uses(i).iter().filter_map(|(r, _)| r.as_virt()).for_each(each);
    }
    /// Returns the registers that an instruction writes, in its fields and its record.
    #[inline]
    pub(crate) fn written(&self, i: &MInst) -> impl Iterator<Item = VReg> + '_ {
        i.def().into_iter().chain(self.fixed_defs(i).iter().filter_map(|(r, _)| r.as_virt()))
    }
    /// Returns the registers that the phis of a block read at the end of its predecessor of this number.
    pub(crate) fn phi_reads(&self, b: MBlock, pred: usize) -> impl Iterator<Item = VReg> + '_ {
        self.block_phis(b).iter().filter_map(move |phi| self.phi_arg(phi, pred).as_reg())
    }
    /// Returns the registers that an instruction takes in addition to its destination: no other value survives there.
    #[inline]
    pub fn clobbers(&self, i: &MInst) -> PRegSet {
        self.record(i).map_or(self.fixed(i).clobbers, |r| r.clobbers)
    }
    /// Returns the registers that an instruction changes in addition to its destination: those that it takes, except
    /// operands that it only reads.
    #[inline]
    pub fn overwrites(&self, i: &MInst) -> PRegSet {
        let fixed = self.fixed(i);
        self.record(i).map_or(fixed.clobbers.minus(fixed.kept), |r| r.clobbers)
    }
}

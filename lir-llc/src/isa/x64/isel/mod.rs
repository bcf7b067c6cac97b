//! Instruction selection: LIR to machine IR.
//!
//! # Algorithm
//!
//! 1. Count definitions and uses of every register, and number the stretches in which loads may move ([`values`]). Find
//!    the stack objects that can be in registers, because they are passed in registers
//!    ([`aggregates`](calls::aggregates)).
//! 2. Lay out machine blocks: the reachable blocks in order ([`order`](blocks::order)), and a block for every critical
//!    edge: after the source of the edge, or after the loop ([`graph`](blocks::graph)).
//! 3. Walk blocks and instructions from the last to the first. An instruction without a use or an effect is skipped;
//!    one that its user folds (a load as a memory operand, an address as part of one, a comparison by its branch)
//!    is marked and skipped as well. Others go to the arm of their family: [`integers`], [`floats`], [`comparisons`],
//!    [`memory`], [`calls`]. An arm appends to `seq` in program order.
//! 4. Reverse the output, and drop comparisons whose flags exist already ([`reuse_flags`](comparisons::reuse_flags)).
//!
//! # Why it is sound
//!
//! Folding a definition into its use is sound if nothing it reads can change in between. For registers: all of them
//! have a single assignment. For memory: no write, call or trap is in between, as the numbers of step 1 show.
//!
//! # Source
//!
//! Demand-driven selection in one backward walk is Cranelift's design (C. Fallin, "A New Backend for Cranelift", 2021)
//! and was nanojit's before. Here there is no pattern language: arms ask for the definitions that they can fold.

mod address;
mod atomics;
mod blocks;
mod calls;
mod comparisons;
mod constants;
pub(crate) mod events;
mod floats;
mod integers;
mod memory;
mod options;
mod tables;
mod values;

pub(crate) use address::ObjMemory;

use crate::effort::Effort;
use crate::isa::x64::env::{ENV, VECTOR_ENV};
use crate::isa::x64::{Cpu, op};
use crate::mir::{Form, FrameOffset, MBlock, MFunction, MInst, MPhi, MReg, PhiArg, Size, VReg};
pub use address::REACH;
use blocks::frequency::Frequencies;
use blocks::order::LoopOrder;
use calls::aggregates::RegisterObjects;
use lir_opt::analysis::LoopForest;
use lir_opt::pass::fuel::Fuel;
use lir_opt::pass::remarks::Remarks;
use lir_syntax::abi::{ArgAssigner, ArgLocation, assign_params, class_of};
use lir_syntax::ir::{
    Block, Cfg, Decls, DominatorTree, Effects, EntityRef, Format, Function, Inst, InstData, Opcode, Operand,
    PackedOption, Reg, Signature, Type, expanded,
};
use lir_syntax::text::diagnostic::Diagnostic;
pub use options::{RelocModel, SelectOptions};
use smallvec::SmallVec;
use values::RegFacts;

/// Name of the run-time function that finds thread data in-process: it takes the address of an object's initial image
/// and gives the calling thread's copy.
pub const THREAD_DATA: &str = "lir_thread_data";

impl IselScratch {
    /// For each virtual register of the function that was selected last the register that it was made from, if any.
    pub(crate) fn names(&self, vregs: usize) -> Vec<PackedOption<Reg>> {
        let mut names = vec![PackedOption::NONE; vregs];
        for (r, facts) in self.facts.iter().enumerate() {
            if let Some(v) = facts.vreg.as_virt()
                && names[v.index()].is_none()
            {
                names[v.index()] = Reg::new(r).into();
            }
        }
        names
    }
}

/// The facts about the blocks of the function.
#[derive(Default)]
struct Graph {
    cfg: Cfg,
    dominators: DominatorTree,
    loops: LoopForest,
}

/// Scratch memory, kept from function to function.
#[derive(Default)]
pub struct IselScratch {
    /// None while the graph is in use.
    graph: Option<Box<Graph>>,
    facts: Vec<RegFacts>,
    /// For each instruction the number of its stretch, within which loads may move.
    stretches: Vec<u32>,
    seq: Vec<MInst>,
    main_block: Vec<MBlock>,
    obj_locations: Vec<Option<ObjLocation>>,
    register_objects: RegisterObjects,
    reachable: Vec<Block>,
    loop_order: LoopOrder,
    /// The successors of the reachable blocks, and the end of each block's. No block has one of them twice.
    succs: Vec<Block>,
    succ_ends: Vec<u32>,
    /// For each block the last reachable block found to lead to it, numbered from 1.
    seen: Vec<u32>,
    frequencies: Frequencies,
    /// For each successor the block on the edge to it, if that is critical.
    edge_block: Vec<Option<MBlock>>,
    /// For each block the number of its reachable predecessors.
    pred_counts: Vec<u32>,
    /// The operand of the current phi for each predecessor. Other entries are left over from earlier phis.
    phi_operands: Vec<Operand>,
    /// Instructions that turned out not to be needed.
    removed: Vec<u32>,
}

/// The location of a stack object.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
enum ObjLocation {
    /// In the frame.
    Frame(u32),
    /// Among the incoming stack arguments, at this offset.
    Incoming(FrameOffset),
    /// In registers, as this candidate of [`RegisterObjects`].
    Registers(u32),
}

/// State of the selection of one function.
struct Isel<'a> {
    decls: &'a Decls,
    f: &'a Function,
    sig: &'a Signature,
    model: RelocModel,
    cpu: Cpu,
    block_calls: bool,
    mf: &'a mut MFunction,
    s: &'a mut IselScratch,
    /// Receives the reasons.
    remarks: &'a mut Remarks,
    /// The instructions that may still be folded into their readers.
    fuel: &'a mut Fuel,
    /// The current instruction.
    at: Option<Inst>,
    /// The locations of the fixed parameters, and the registers and words after them.
    params: Vec<ArgLocation>,
    after_params: ArgAssigner,
    /// The hidden pointer to a result in memory.
    sret: Option<VReg>,
    /// Number of the current block among the reachable ones.
    number: usize,
    /// True if calls that are marked `tail` may become jumps.
    tail_calls: bool,
    /// The call that was selected as a jump together with the current return.
    tail: PackedOption<Inst>,
    /// True if stack arguments are overwritten by the arguments of a call that became a jump.
    writes_incoming: bool,
    /// Bytes of stack arguments of the calls that stay calls.
    outgoing: FrameOffset,
    /// The first thing that cannot be selected.
    refused: Option<Diagnostic>,
    /// True if calls that became jumps had stack arguments.
    jumps_with_stack: bool,
    /// Pairs of an instruction and a later one whose work was left to it.
    pairs: SmallVec<[(Inst, Inst); 4]>,
    /// True if no address in the frame escapes, once that was computed.
    leaves_nothing: Option<bool>,
    /// The stretch of the current instruction.
    stretch: u32,
    /// The machine block that it is in.
    block: MBlock,
    /// True if there is dynamic stack memory.
    moves_rsp: bool,
    /// True if aggregates are passed.
    passes_aggregates: bool,
    /// A parameter, an argument or a result is a vector.
    passes_vectors: bool,
    /// True if any object is in registers.
    has_register_objects: bool,
}

/// Selects a function that was prepared. `out` is overwritten. `remarks` receives the reasons, if remarks are wanted.
/// Each instruction that is folded into its reader takes `fuel`.
///
/// # Errors
/// The function or one of its calls has more stack arguments than code can address.
pub fn select(
    decls: &Decls,
    f: &Function,
    options: SelectOptions,
    (s, remarks, fuel): (&mut IselScratch, &mut Remarks, &mut Fuel),
    out: &mut MFunction,
) -> Result<(), Diagnostic> {
    let SelectOptions { model, cpu, effort, tail_calls, block_calls } = options;
    let quick = effort == Effort::Fast;
    let sig = decls.signature(f.sym).expect("a function's symbol is a function");
    let mut graph = s.graph.take().unwrap_or_default();
    let Graph { cfg, dominators, loops } = &mut *graph;
    cfg.recompute(f);
    let has_loops = !quick && !cfg.is_acyclic(f);
    if !has_loops {
        loops.reset_without_loops(f);
    } else {
        dominators.recompute(f, cfg);
        loops.recompute(f, cfg, dominators);
    }
    let (params, after_params) = assign_params(decls, sig);
    out.clear();
    let mut isel = Isel {
        decls,
        f,
        sig,
        model,
        cpu,
        block_calls,
        mf: out,
        s,
        remarks,
        fuel,
        at: None,
        params,
        after_params,
        sret: None,
        number: 0,
        tail_calls,
        tail: PackedOption::NONE,
        writes_incoming: false,
        outgoing: FrameOffset::default(),
        refused: None,
        jumps_with_stack: false,
        pairs: SmallVec::new(),
        leaves_nothing: None,
        stretch: 0,
        block: MBlock(0),
        moves_rsp: false,
        passes_aggregates: false,
        passes_vectors: false,
        has_register_objects: false,
    };
    let selected = isel.run(&graph, has_loops, quick);
    s.graph = Some(graph);
    selected
}

impl Isel<'_> {
    /// Selects the function, once the control flow is known.
    fn run(&mut self, Graph { cfg, loops, .. }: &Graph, has_loops: bool, quick: bool) -> Result<(), Diagnostic> {
        let f = self.f;
        self.s.reachable.clear();
        self.s.reachable.extend(f.layout().blocks().filter(|b| cfg.is_reachable(*b)));
        if has_loops {
            self.s.loop_order.arrange(f.num_blocks(), loops, &mut self.s.reachable);
        }
        self.gather_facts();
        self.check_arguments()?;
        self.find_object_locations();
        self.mf.env = if self.passes_vectors { &VECTOR_ENV } else { &ENV };
        if !quick && self.passes_aggregates {
            self.find_register_objects(cfg);
        }
        self.find_successors();
        let mut frequencies = std::mem::take(&mut self.s.frequencies);
        if quick {
            frequencies.guess(f, self.s);
        } else {
            frequencies.recompute(f, cfg, loops, self.s);
        }
        self.s.frequencies = frequencies;
        self.lay_out_blocks(loops);
        self.select_blocks();
        self.forget_outgoing();
        if !quick {
            comparisons::reuse_flags::reuse_flags(self.mf, &mut self.s.removed);
        }
        Ok(())
    }

    /// Step 3 and 4.
    fn select_blocks(&mut self) {
        let order = std::mem::take(&mut self.s.reachable);
        let mut k = order.len();
        for main in (0..self.mf.blocks.len() as u32).rev() {
            let Some(b) = self.mf.blocks[main as usize].label.expand() else {
                self.begin_block(main);
                self.push(MInst::new(op::Jmp, Form::None, Size::S64), PackedOption::NONE);
                self.finish_block(main);
                continue;
            };
            k -= 1;
            self.number = k;
            self.block = MBlock(main);
            self.begin_block(main);
            let mut at = self.f.layout().last_inst(b);
            while let Some(i) = at {
                if self.f.inst(i).op == Opcode::Phi {
                    break;
                }
                self.visit(b, i);
                at = self.f.layout().prev_inst(i);
            }
            if k == 0 {
                self.params();
                self.flush(PackedOption::NONE);
            }
            self.phis(b, main);
            self.finish_block(main);
        }
        self.s.reachable = order;
        let total = self.mf.insts.len() as u32;
        self.mf.insts.reverse();
        self.mf.origins.reverse();
        for b in &mut self.mf.blocks {
            (b.start, b.end) = (total - b.end, total - b.start);
        }
    }
    fn begin_block(&mut self, b: u32) {
        self.mf.blocks[b as usize].start = self.mf.insts.len() as u32;
    }
    fn finish_block(&mut self, b: u32) {
        self.mf.blocks[b as usize].end = self.mf.insts.len() as u32;
    }
    fn push(&mut self, m: MInst, origin: PackedOption<Inst>) {
        self.mf.insts.push(m);
        self.mf.origins.push(origin);
    }
    /// Moves the instructions of an arm to the (reversed) output.
    fn flush(&mut self, origin: PackedOption<Inst>) {
        let (insts, origins) = (&mut self.mf.insts, &mut self.mf.origins);
        for m in self.s.seq.iter().rev() {
            insts.push(*m);
            origins.push(origin);
        }
        self.s.seq.clear();
    }

    /// Selects one instruction, unless it is not needed.
    fn visit(&mut self, b: Block, i: Inst) {
        if self.tail == i.into() {
            return;
        }
        let d = *self.f.inst(i);
        let def = self.f.def(i);
        if let Some(r) = def {
            let facts = &self.s.facts[r.index()];
            if facts.is_folded(i) {
                return;
            }
            let removable = d.op.effects().is_pure() || d.op == Opcode::Load && !d.is_volatile();
            if facts.uses == 0 && removable {
                self.forget_uses(i);
                return;
            }
            // A constant is made where it is used.
            if d.op == Opcode::Const && self.def_of(r).is_some() {
                return;
            }
            self.note_selected(r);
        }
        self.stretch = self.s.stretches[i.index()];
        self.at = Some(i);
        let before = self.tail;
        self.select_inst(b, i, &d);
        // A return and the call before it as one jump has the line of the call.
        let origin = if self.tail == before { i.into() } else { self.tail };
        self.flush(origin);
    }

    fn select_inst(&mut self, b: Block, i: Inst, d: &InstData) {
        use Opcode::*;
        match d.op {
            Const => self.constant(d),
            Copy => self.copy(d),
            Mul | Smulh | Umulh if d.ty == Type::I64 && self.in_pair(i, d) => {}
            Sdiv | Udiv | Srem | Urem if self.in_pair(i, d) => {}
            Add | Sub | Mul | And | Or | Xor => self.binary(d),
            Shl | Lshr | Ashr | Rotl | Rotr => self.shift(d),
            Sdiv | Udiv | Srem | Urem => self.division(d),
            Smulh | Umulh => self.high_product(d),
            Neg | Not | Bswap => self.unary(d),
            Clz | Ctz => self.count_zeros(d),
            Fadd | Fsub | Fmul | Fdiv => self.float_binary(d),
            Fcopysign => self.copysign(d),
            Fneg | Fabs => self.float_sign(d),
            Fsqrt => self.sqrt(d),
            Fmin | Fmax => self.float_extreme(d),
            Fceil | Ffloor | Ftrunc | Fnearest => self.round(d),
            Popcnt => self.count_ones(d),
            Fma => self.fma(i, d),
            Icmp | Fcmp | SaddO | UaddO | SsubO | UsubO | SmulO => self.comparison_value(d),
            Select if d.ty.is_float() => self.select_float(i, d),
            Select => self.select_value(i, d),
            Sext | Zext | Trunc => self.int_convert(d),
            Sitofp | Uitofp | Fptosi | Fpext | Fptrunc | Bitcast => self.float_convert(d),
            Lea => self.lea(i, d),
            Load => self.load(i, d),
            Store => self.store(i, d),
            Alloca => self.alloca(d),
            StackSave => self.stack_save(d),
            StackRestore => self.stack_restore(d),
            Memcpy => self.memcpy(i, d),
            Memmove => self.memmove(i, d),
            Memset => self.memset(i, d),
            AtomicLoad => self.atomic_load(i, d),
            AtomicStore => self.atomic_store(i, d),
            AtomicRmw => self.atomic_rmw(i, d),
            Cmpxchg => self.cmpxchg(i, d),
            Fence => self.fence(d),
            VaStart => self.va_start(i),
            Call => self.call(i, d),
            Jmp => self.seq(MInst::new(op::Jmp, Form::None, Size::S64)),
            Br => self.branch(b, d),
            Switch => self.table_jump(b, d),
            Ret => self.ret(i, d),
            RetAgg => self.ret_agg(i, d),
            Unreachable => self.seq(MInst::new(op::Ud2, Form::None, Size::S64)),
            Phi => unreachable!("phis are not selected one by one"),
            expanded!() => unreachable!("`prepare` has expanded {:?}", d.op),
        }
    }

    /// Selects the phis of a block that are used. Their operands are in the order of the machine block's predecessors.
    fn phis(&mut self, b: Block, main: u32) {
        let start = self.mf.phis.len() as u32;
        let mut shared = Vec::new();
        let mut operands = std::mem::take(&mut self.s.phi_operands);
        let mut at = self.f.layout().first_inst(b);
        while let Some(i) = at.filter(|i| self.f.inst(*i).op == Opcode::Phi) {
            at = self.f.layout().next_inst(i);
            let d = *self.f.inst(i);
            let r = d.result().expect("a phi has a destination");
            if self.s.facts[r.index()].uses == 0 {
                self.forget_uses(i);
                continue;
            }
            let args = self.mf.phi_args.len() as u32;
            operands.resize(self.f.num_blocks(), Operand::NONE);
            self.f.phi_entries(i).for_each(|(p, o)| operands[p.index()] = o);
            for k in 0..self.mf.blocks[main as usize].preds.len() {
                let arg = self.phi_arg(d.ty, operands[self.pred_label(main, k).index()]);
                self.mf.phi_args.push(arg);
            }
            let dst = self.vreg(r);
            if !self.is_single(r) {
                shared.push((dst.0, self.mf.phis.len()));
            }
            self.mf.phis.push(MPhi { dst, args });
        }
        self.s.phi_operands = operands;
        self.drop_overwritten_phis(shared);
        self.mf.blocks[main as usize].phis = start..self.mf.phis.len() as u32;
    }
    /// Removes phis whose register a later phi assigns. `shared` are such registers, with the numbers of their phis.
    fn drop_overwritten_phis(&mut self, mut shared: Vec<(u32, usize)>) {
        shared.sort_unstable();
        let mut gone: Vec<usize> = shared.windows(2).filter(|w| w[0].0 == w[1].0).map(|w| w[0].1).collect();
        gone.sort_unstable();
        let first = gone.first().copied().unwrap_or(self.mf.phis.len());
        let after = self.mf.phis.split_off(first);
        let kept = (first..).zip(after).filter(|(k, _)| gone.binary_search(k).is_err());
        self.mf.phis.extend(kept.map(|(_, phi)| phi));
    }
    /// Returns the block that predecessor number `k` was made from. Where that is on an edge, it is the block that the
    /// edge leaves.
    fn pred_label(&self, main: u32, k: usize) -> Block {
        let blocks = &self.mf.blocks;
        let pred = &blocks[blocks[main as usize].preds[k].index()];
        let from = pred.label.expand().or_else(|| blocks[pred.preds[0].index()].label.expand());
        from.expect("one end of an edge is a block of the function")
    }
    fn phi_arg(&mut self, ty: Type, o: Operand) -> PhiArg {
        match (self.const_of(o), o.as_reg()) {
            (Some(payload), _) => {
                let how = self.constant_inst(ty, payload);
                self.mf.remats.push(how);
                PhiArg::Const(self.mf.remats.len() as u32 - 1)
            }
            (None, Some(r)) => {
                let r = self.look_through_copies(r);
                PhiArg::Reg(self.vreg(r))
            }
            (None, None) => unreachable!("a phi entry is a register or a constant"),
        }
    }

    /// Appends to the code of the current instruction.
    #[inline]
    fn seq(&mut self, m: MInst) {
        self.s.seq.push(m);
    }
    /// Returns the machine register of a register.
    #[inline]
    fn vreg(&mut self, r: Reg) -> VReg {
        let known = self.s.facts[r.index()].vreg;
        if known != MReg::NONE {
            return known.as_virt().expect("only virtual registers are recorded");
        }
        let v = self.mf.new_vreg(class_of(self.f.type_of(r)));
        self.s.facts[r.index()].vreg = v.into();
        v
    }
    /// Returns the machine register of an instruction's destination.
    #[inline]
    fn dst(&mut self, d: &InstData) -> VReg {
        self.vreg(d.result().expect("the instruction has a destination"))
    }
    /// Returns a new machine register for an intermediate value of type `ty`.
    #[inline]
    fn temp(&mut self, ty: Type) -> VReg {
        self.mf.new_vreg(class_of(ty))
    }
}

/// True if an instruction ends the stretch in which loads may move down: it writes memory, may trap otherwise than by a
/// load, or does something unknown.
fn ends_stretch(d: &InstData) -> bool {
    let e = d.op.effects();
    if e.is_pure() {
        return false;
    }
    match d.op.format() {
        Format::Load => d.is_volatile() || e.has(Effects::OTHER),
        _ => e.has(Effects::WRITES) || e.has(Effects::TRAPS) || e.has(Effects::OTHER),
    }
}

/// Returns the size of a type's values in memory.
#[inline]
fn size_of(ty: Type) -> Size {
    match ty.as_word().bits() {
        8 => Size::S8,
        16 => Size::S16,
        32 => Size::S32,
        _ => Size::S64,
    }
}

/// Returns the size that arithmetic on a type is done in: i8 and i16 in 32 bits, with unspecified upper bits.
#[inline]
fn alu_size(ty: Type) -> Size {
    size_of(ty).max(Size::S32)
}

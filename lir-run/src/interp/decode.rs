//! Translates a function to the form in which it is executed.
//!
//! 1. Stack objects get offsets in the frame's memory, parameters and results their ABI locations.
//! 2. The entries of all phis are sorted by edge.
//! 3. Blocks are translated in layout order; `jmp` carries the moves of its edge before it.
//! 4. Targets are filled in; an edge with moves out of a `br` or `switch` gets a piece of code of its own.
//!
//! The moves of an edge are parallel: a source that an earlier move of the edge overwrites is saved in a scratch slot
//! first.

mod promises;
mod wide;

use super::accesses::NotedAccesses;
use super::accesses::derivation::Derivation;
use super::addresses::{Addresses, Target};
use super::code::{
    ArgCode, CallCode, Callee, Code, FuncCode, MemBase, MemRef, NO_SLOT, Op, POOL, ParamCode, ResultCode, ReturnCode,
    Slot, SwitchTable, Variadic,
};
use lir_syntax::abi::va_list::{float_offset, int_offset};
use lir_syntax::abi::{ArgAssigner, result_registers};
use lir_syntax::ir::{
    AbiParam, Attrs, Base, Block, CallArg, CallResult, Decls, EntityRef, EntitySet, FuncId, Function, Inst, InstData,
    InstView, Mem, Module, Obj, Opcode, Operand, OperandKind, Param, SymKind, Type,
};
use rustc_hash::FxHashMap;

/// A move of a phi on an edge.
#[derive(Copy, Clone)]
struct EdgeMove {
    pred: Block,
    succ: Block,
    dst: Slot,
    src: Slot,
}

/// A target to fill in: of an operation's field, of a switch's default, or of a switch's case.
#[derive(Copy, Clone)]
enum Patch {
    Dst(u32),
    B(u32),
    Imm(u32),
    Default(u32),
    Case(u32, u32),
}

struct Decoder<'p> {
    addresses: &'p Addresses,
    gap: u64,
    decls: &'p Decls,
    f: &'p Function,
    code: FuncCode,
    /// By block: its first operation.
    starts: Vec<u32>,
    /// Sorted by predecessor, then successor.
    moves: Vec<EdgeMove>,
    patches: Vec<(Patch, Block, Block)>,
    /// By stack object: offset in the frame's memory.
    offsets: Vec<u64>,
    const_index: FxHashMap<u64, Slot>,
    /// By register: the edge (a running number) on which it was last written, while its moves are ordered.
    written: Vec<u32>,
    edge: u32,
    /// The slot for a condition that the branch after it tests, in a function with i128.
    condition: Slot,
    /// The instruction that is being translated.
    origin: Inst,
    /// Of the `noalias` parameters; none if the function's accesses are not noted.
    derivations: Option<Vec<Derivation>>,
    /// True if accesses that are in sets are noted.
    notes_sets: bool,
}

/// Translates a verified function. Its stack objects are at least `gap` bytes apart. `notes` are the accesses that are
/// noted for promises about them.
pub(super) fn decode(module: &Module, addresses: &Addresses, gap: u64, notes: NotedAccesses, id: FuncId) -> FuncCode {
    let f = &module.funcs[id];
    let code = FuncCode {
        ops: Vec::with_capacity(f.num_insts()),
        origin: Vec::with_capacity(f.num_insts()),
        // The first slot of a frame identifies it, where accesses are noted.
        slots: f.num_regs().max(usize::from(notes.of_calls || notes.in_sets)),
        frame_align: 16,
        ..FuncCode::default()
    };
    let mut d = Decoder {
        addresses,
        gap,
        decls: &module.decls,
        f,
        code,
        starts: vec![0; f.num_blocks()],
        moves: Vec::new(),
        patches: Vec::new(),
        offsets: Vec::new(),
        const_index: FxHashMap::default(),
        written: Vec::new(),
        edge: 0,
        condition: NO_SLOT,
        // Checks at the entry belong to the first instruction.
        origin: f.layout().first_inst(f.entry()).expect("a block has a terminator"),
        derivations: notes.of_calls.then(Vec::new),
        notes_sets: notes.in_sets,
    };
    d.high_halves();
    d.lay_out_frame();
    d.signature();
    d.collect_moves();
    d.promises_at_entry();
    for b in f.layout().blocks() {
        d.starts[b.index()] = d.code.ops.len() as u32;
        for i in f.layout().insts(b) {
            d.origin = i;
            d.instruction(b, i);
            d.result_promises(i);
        }
    }
    d.fill_in_targets();
    d.code
}

impl<'p> Decoder<'p> {
    // ---- 1. Frame and signature ----

    fn lay_out_frame(&mut self) {
        let (mut at, f) = (0u64, self.f);
        for o in f.stack.values() {
            let start = at.next_multiple_of(o.align.max(1));
            self.offsets.push(start);
            at = start + o.size + self.gap;
            self.code.frame_align = self.code.frame_align.max(o.align);
        }
        self.code.frame_size = at;
        // Loads and stores that name their object check it themselves; all others look it up by address.
        let mut looked_up = EntitySet::<Obj>::new();
        for i in f.layout().all_insts() {
            if !matches!(f.inst(i).op, Opcode::Load | Opcode::Store) {
                f.for_each_mem(i, |m| {
                    if let Base::Obj(o) = m.base {
                        looked_up.insert(o);
                    }
                });
            }
        }
        self.code.offsets.clone_from(&self.offsets);
        self.code.objects = looked_up.iter().map(|o| (self.offsets[o.index()], f.stack[o].size)).collect();
    }

    /// True if the function is declared `noreturn`.
    fn never_returns(&self) -> bool {
        self.decls.signature(self.f.sym).is_some_and(|sig| sig.attrs.has(Attrs::NORETURN))
    }
    fn signature(&mut self) {
        let sig = self.decls.signature(self.f.sym).expect("a function's symbol has a signature");
        self.code.result = match sig.result {
            None => ReturnCode::None,
            Some(AbiParam::Scalar(Type::I128, _)) => ReturnCode::Wide,
            Some(AbiParam::Scalar(ty, ext)) => ReturnCode::Scalar(ty, ext),
            Some(AbiParam::Agg(a)) => {
                ReturnCode::Agg { size: self.decls.types[a].size, regs: result_registers(self.decls, a) }
            }
        };
        let mut assigner = ArgAssigner::for_result(self.decls, sig.result);
        for (param, abi) in self.f.params.iter().zip(&sig.params) {
            let place = assigner.assign(self.decls, *abi);
            self.code.params.push(match (*param, *abi) {
                (Param::Reg(r), AbiParam::Scalar(Type::I128, _)) => {
                    ParamCode::Wide { slots: self.code.halves(r), place }
                }
                (Param::Reg(r), AbiParam::Scalar(ty, _)) => ParamCode::Scalar { slot: r.as_u32(), ty, place },
                (Param::Agg(o), AbiParam::Agg(a)) => {
                    let (offset, size) = (self.offsets[o.index()], self.decls.types[a].size);
                    ParamCode::Agg { offset, size, place }
                }
                (Param::Reg(_), AbiParam::Agg(_)) | (Param::Agg(_), AbiParam::Scalar(..)) => {
                    panic!("parameters agree with the signature")
                }
            });
        }
        self.code.variadic = sig.variadic.then(|| Variadic {
            gp_offset: int_offset(assigner.ints() as u32),
            fp_offset: float_offset(assigner.floats() as u32),
            stack: assigner.stack_bytes(),
        });
    }

    // ---- 2. Phis ----

    fn collect_moves(&mut self) {
        let f = self.f;
        for b in f.layout().blocks() {
            for i in f.phis(b) {
                let dst = f.def(i).expect("a phi has a destination").as_u32();
                for (pred, o) in f.phi_entries(i) {
                    if f.inst(i).ty == Type::I128 {
                        self.collect_wide_move((pred, b), dst, o);
                        continue;
                    }
                    let src = self.operand(o, f.inst(i).ty);
                    if src != dst {
                        self.moves.push(EdgeMove { pred, succ: b, dst, src });
                    }
                }
            }
        }
        self.moves.sort_by_key(|m| (m.pred, m.succ));
    }

    fn edge_moves(&self, pred: Block, succ: Block) -> std::ops::Range<usize> {
        let start = self.moves.partition_point(|m| (m.pred, m.succ) < (pred, succ));
        let count = self.moves[start..].iter().take_while(|m| (m.pred, m.succ) == (pred, succ)).count();
        start..start + count
    }

    fn emit_moves(&mut self, range: std::ops::Range<usize>) {
        self.edge += 1;
        let mut scratch = self.written.len() as Slot;
        for k in range.clone() {
            let EdgeMove { dst, src, .. } = self.moves[k];
            if src & POOL == 0 && self.written[src as usize] == self.edge {
                self.emit(Code::Move, scratch, src, 0, 0);
                self.moves[k].src = scratch;
                scratch += 1;
            }
            self.written[dst as usize] = self.edge;
        }
        self.code.slots = self.code.slots.max(scratch as usize);
        for k in range {
            let EdgeMove { dst, src, .. } = self.moves[k];
            self.emit(Code::Move, dst, src, 0, 0);
        }
    }

    // ---- Operands ----

    fn bits(&self, o: Operand, ty: Type) -> Option<u64> {
        self.f.constant_bits(o, ty.as_word())
    }
    fn constant(&mut self, bits: u64) -> Slot {
        let consts = &mut self.code.consts;
        *self.const_index.entry(bits).or_insert_with(|| {
            consts.push(bits);
            POOL | (consts.len() as u32 - 1)
        })
    }
    /// Returns a register's slot, or a constant in the pool.
    fn operand(&mut self, o: Operand, ty: Type) -> Slot {
        match (o.as_reg(), self.bits(o, ty)) {
            (Some(r), _) => r.as_u32(),
            (None, Some(bits)) => self.constant(bits),
            (None, None) => NO_SLOT,
        }
    }
    fn mem(&mut self, m: Mem) -> u32 {
        let mut offset = m.disp as i64 as u64;
        let mut slot = NO_SLOT;
        let base = match m.base {
            Base::None => MemBase::Any,
            Base::Reg(r) => {
                slot = r.as_u32();
                MemBase::Any
            }
            Base::Obj(o) => MemBase::Frame { offset: self.offsets[o.index()], size: self.f.stack[o].size },
            Base::Sym(s) => match self.addresses.of(s) {
                (start, Target::Data { size, constant }) => MemBase::Data { start, size, constant },
                (offset, Target::Thread { size, constant }) => MemBase::Thread { offset, size, constant },
                (_, Target::ThreadOutside(k)) => MemBase::ThreadOutside(k),
                (address, Target::Outside) => {
                    offset = offset.wrapping_add(address);
                    MemBase::Any
                }
            },
        };
        let index = m.index.map_or(NO_SLOT, |r| r.as_u32());
        let shift = m.scale.trailing_zeros() as u8;
        self.code.mems.push(MemRef { base, slot, index, shift, offset });
        self.code.mems.len() as u32 - 1
    }

    // ---- 3. Instructions ----

    fn emit_op(&mut self, op: Op) -> u32 {
        self.code.ops.push(op);
        self.code.origin.push(self.origin);
        self.code.ops.len() as u32 - 1
    }
    fn emit(&mut self, code: Code, dst: u32, a: Slot, b: Slot, imm: u64) -> u32 {
        self.emit_op(Op { code, op: Opcode::Copy, ty: Type::I64, aux: 0, dst, a, b, imm })
    }

    fn instruction(&mut self, b: Block, i: Inst) {
        let d = *self.f.inst(i);
        let dst = self.f.def(i).map_or(NO_SLOT, |r| r.as_u32());
        self.checks(i);
        if self.is_wide(i) {
            return self.wide(b, i);
        }
        match self.f.view(i) {
            InstView::Phi => {}
            InstView::Const(a) => {
                let bits = self.bits(a, d.ty).expect("`const` has a constant");
                self.emit(Code::Const, dst, 0, 0, bits);
            }
            InstView::Unary(a) if d.op == Opcode::Copy => {
                let a = self.operand(a, d.ty);
                self.emit(Code::Move, dst, a, 0, 0);
            }
            InstView::Unary(a) | InstView::Convert { value: a, .. } => {
                let a = self.operand(a, d.ty);
                self.value(d, dst, [a; 3]);
            }
            InstView::Binary(a, b) => self.binary(d, dst, a, b),
            InstView::Compare(c) => self.binary(d, dst, c.a, c.b),
            InstView::Assume(c) => self.assume(d, c),
            InstView::Ternary(a, b, c) | InstView::Select { condition: a, then: b, otherwise: c } => {
                let [b, c, a] = [b, c, a].map(|o| self.operand(o, d.ty));
                self.value(d, dst, [a, b, c]);
            }
            InstView::Address(m) => {
                self.at_memory(Code::Lea, dst, m);
            }
            InstView::Load(m) if d.op == Opcode::VaArg => {
                let at = self.at_memory(Code::VaArg, dst, m);
                self.code.ops[at as usize].ty = d.ty;
            }
            InstView::Load(m) => self.access(m, d.ty, dst, [Code::LoadFrame, Code::LoadReg, Code::LoadMem], 0),
            InstView::Store { mem, value } => {
                let value = self.operand(value, d.ty);
                self.access(mem, d.ty, 0, [Code::StoreFrame, Code::StoreReg, Code::StoreMem], value);
            }
            InstView::AtomicLoad(mem) => self.atomic(d, dst, mem, [NO_SLOT; 2]),
            InstView::AtomicStore { mem, value } | InstView::AtomicUpdate { mem, value } => {
                let value = self.operand(value, d.ty);
                self.atomic(d, dst, mem, [value, NO_SLOT]);
            }
            InstView::AtomicExchange { mem, expected, new } => {
                let values = [expected, new].map(|o| self.operand(o, d.ty));
                self.atomic(d, dst, mem, values);
            }
            InstView::Fence => {
                self.emit(Code::Fence, 0, 0, 0, 0);
            }
            InstView::Alloca { size, .. } => {
                let a = self.operand(size, Type::I64);
                let at = self.emit(Code::Alloca, dst, a, 0, 0);
                self.code.ops[at as usize].aux = d.aux();
            }
            InstView::Nullary => {
                self.emit(Code::StackSave, dst, 0, 0, 0);
            }
            InstView::Consume(a) => {
                let a = self.operand(a, Type::I64);
                self.emit(Code::StackRestore, 0, a, 0, 0);
            }
            InstView::MemCopy { to, from, length } => {
                let size = self.operand(length, Type::I64);
                let code = if d.op == Opcode::Memmove { Code::Memmove } else { Code::Memcpy };
                self.mem_pair(code, size, to, from, 0);
            }
            InstView::MemPair { to, from } => self.mem_pair(Code::VaCopy, 0, to, from, 0),
            InstView::AggMemPair { agg, to, from } => {
                self.mem_pair(Code::VaArgAgg, 0, to, from, agg.index() as u64);
            }
            InstView::MemFill { to, byte, length } => {
                let to = self.mem(to);
                let (byte, size) = (self.operand(byte, Type::I8), self.operand(length, Type::I64));
                self.emit(Code::Memset, size, to, byte, 0);
            }
            InstView::MemOnly(m) => {
                self.at_memory(if d.op == Opcode::VaStart { Code::VaStart } else { Code::VaEnd }, 0, m);
            }
            InstView::Call { callee } => self.call(i, callee, dst),
            InstView::Jump => {
                let to = self.f.succs(b)[0];
                self.emit_moves(self.edge_moves(b, to));
                // The moves are made here, so the target is the block itself.
                self.emit(Code::Jump, to.as_u32(), 0, 0, 0);
            }
            InstView::Branch(_) => self.branch(b, d),
            InstView::Switch(_) => self.switch(b, i, d),
            // A function that is declared to never return traps if it does.
            InstView::Return(_) | InstView::AggReturn { .. } if self.never_returns() => {
                self.emit(Code::Unreachable, 0, 0, 0, 0);
            }
            InstView::Return(value) => {
                let a = value.map_or(NO_SLOT, |a| self.operand(a, d.ty));
                self.emit(Code::Ret, 0, a, 0, 0);
            }
            InstView::AggReturn { mem, .. } => {
                self.at_memory(Code::RetAgg, 0, mem);
            }
            InstView::Stop => {
                self.emit(Code::Unreachable, 0, 0, 0, 0);
            }
        }
    }

    /// Emits an operation that takes an address and nothing else.
    fn at_memory(&mut self, code: Code, dst: u32, m: Mem) -> u32 {
        let m = self.mem(m);
        self.emit(code, dst, 0, 0, m as u64)
    }

    fn value(&mut self, d: InstData, dst: u32, [a, b, c]: [Slot; 3]) {
        self.emit_op(Op { code: Code::Value, op: d.op, ty: d.ty, aux: d.aux(), dst, a, b, imm: c as u64 });
    }

    fn binary(&mut self, d: InstData, dst: u32, a: Operand, b: Operand) {
        let a = self.operand(a, d.ty);
        let is_add = d.op == Opcode::Add;
        let (code, b, imm) = match self.bits(b, d.ty) {
            Some(bits) => (if is_add { Code::AddImm } else { Code::ValueImm }, a, bits),
            None => (if is_add { Code::Add } else { Code::Value }, self.operand(b, d.ty), a as u64),
        };
        self.emit_op(Op { code, op: d.op, ty: d.ty, aux: d.aux(), dst, a, b, imm });
    }

    /// Emits a load or store, by the shape of its address: inside a stack object, `[register + offset]`, any other.
    fn access(&mut self, m: Mem, ty: Type, dst: u32, codes: [Code; 3], value: Slot) {
        let len = ty.bytes() as i64;
        let (code, a, imm) = match m.base {
            Base::Obj(o) if m.index.is_none() && m.disp >= 0 && m.disp as i64 + len <= self.f.stack[o].size as i64 => {
                (codes[0], 0, self.offsets[o.index()] + m.disp as u64)
            }
            Base::Reg(r) if m.index.is_none() => (codes[1], r.as_u32(), m.disp as i64 as u64),
            Base::Obj(_) | Base::Reg(_) | Base::Sym(_) | Base::None => (codes[2], 0, self.mem(m) as u64),
        };
        let aux = ty.bytes() as u8;
        self.emit_op(Op { code, op: Opcode::Load, ty, aux, dst, a, b: value, imm });
    }

    /// Emits an atomic access with its operands.
    fn atomic(&mut self, d: InstData, dst: u32, mem: Mem, [a, b]: [Slot; 2]) {
        let imm = self.mem(mem) as u64;
        self.emit_op(Op { code: Code::Atomic, op: d.op, ty: d.ty, aux: d.aux(), dst, a, b, imm });
    }

    /// Emits an operation with a destination and a source in memory.
    fn mem_pair(&mut self, code: Code, dst: u32, to: Mem, from: Mem, imm: u64) {
        let (to, from) = (self.mem(to), self.mem(from));
        self.emit(code, dst, to, from, imm);
    }

    fn call(&mut self, i: Inst, callee: Operand, dst: u32) {
        let (result, abi) = match self.f.call_result(i) {
            CallResult::None => (ResultCode::None, None),
            CallResult::Scalar(Type::I128, ext) => {
                (ResultCode::Wide(self.result_halves(i)), Some(AbiParam::Scalar(Type::I128, ext)))
            }
            CallResult::Scalar(ty, ext) => (ResultCode::Scalar(ty, dst), Some(AbiParam::Scalar(ty, ext))),
            CallResult::Agg(a, m) => {
                let (size, regs) = (self.decls.types[a].size, result_registers(self.decls, a));
                (ResultCode::Agg { mem: self.mem(m), size, regs }, Some(AbiParam::Agg(a)))
            }
        };
        let mut assigner = ArgAssigner::for_result(self.decls, abi);
        let args: Vec<CallArg> = self.f.call_args(i).collect();
        let args = args.into_iter().map(|a| self.argument(a, &mut assigner)).collect();
        let (callee, attrs, setjmp) = self.callee(callee);
        self.code.calls.push(CallCode {
            callee,
            args,
            result,
            stack_bytes: assigner.stack_bytes(),
            stack_align: assigner.stack_align().max(16),
            vector_count: assigner.floats(),
            noreturn: attrs.has(Attrs::NORETURN),
            returns_twice: attrs.has(Attrs::RETURNS_TWICE) || setjmp,
            jumps: self.f.is_jump(i),
        });
        self.emit(Code::Call, 0, 0, 0, self.code.calls.len() as u64 - 1);
    }

    fn argument(&mut self, arg: CallArg, assigner: &mut ArgAssigner) -> ArgCode {
        match arg {
            CallArg::Reg(r, ext) => {
                let ty = self.f.type_of(r);
                let place = assigner.assign(self.decls, AbiParam::Scalar(ty, ext));
                match ty {
                    Type::I128 => ArgCode::Wide { slots: self.code.halves(r), place },
                    _ => ArgCode::Scalar { slot: r.as_u32(), ty, ext, place },
                }
            }
            CallArg::Agg(a, m) => {
                let (mem, size) = (self.mem(m), self.decls.types[a].size);
                ArgCode::Agg { mem, size, place: assigner.assign(self.decls, AbiParam::Agg(a)) }
            }
        }
    }

    /// Returns the callee of a call with its attributes. The flag is true if it is a C function that returns twice.
    fn callee(&self, o: Operand) -> (Callee, Attrs, bool) {
        const TWICE: [&[u8]; 5] = [b"setjmp", b"_setjmp", b"sigsetjmp", b"__sigsetjmp", b"vfork"];
        match o.kind() {
            OperandKind::Sym(s) => {
                let sym = &self.decls.syms[s];
                let SymKind::Func { sig, body } = &sym.kind else { panic!("the callee is a function") };
                let callee = match body {
                    Some(id) if !sig.variadic => Callee::Direct(*id),
                    Some(_) | None => Callee::Address(self.addresses.of(s).0),
                };
                (callee, sig.attrs, body.is_none() && TWICE.contains(&&*sym.name))
            }
            OperandKind::Reg(r) => (Callee::Indirect(r.as_u32()), Attrs::NONE, false),
            OperandKind::Small(_)
            | OperandKind::Pool(_)
            | OperandKind::WidePool(_)
            | OperandKind::Obj(_)
            | OperandKind::None => {
                panic!("a callee is a symbol or a register")
            }
        }
    }

    fn branch(&mut self, b: Block, d: InstData) {
        let succs = self.f.succs(b);
        let a = self.operand(d.first(), d.ty);
        let mut op = Op { code: Code::Branch, op: d.op, ty: d.ty, aux: d.aux(), dst: 0, a, b: 0, imm: 0 };
        let constant = self.bits(d.second(), d.ty);
        match constant {
            Some(bits) => (op.code, op.imm) = (Code::BranchImm, bits),
            None => op.b = self.operand(d.second(), d.ty),
        }
        let at = self.emit_op(op);
        let otherwise = if constant.is_some() { Patch::B(at) } else { Patch::Imm(at) };
        self.patches.extend([(Patch::Dst(at), b, succs[0]), (otherwise, b, succs[1])]);
    }

    fn switch(&mut self, b: Block, i: Inst, d: InstData) {
        let succs = self.f.succs(b);
        let keys = self.f.switch_cases(i).map(|o| self.bits(o, d.ty).expect("a case is a constant"));
        let mut cases: Vec<(u64, Block)> = keys.zip(succs[1..].iter().copied()).collect();
        cases.sort_by_key(|c| c.0);
        let table = self.code.switches.len() as u32;
        self.patches.push((Patch::Default(table), b, succs[0]));
        self.patches.extend(cases.iter().enumerate().map(|(k, c)| (Patch::Case(table, k as u32), b, c.1)));
        let targets = vec![0; cases.len()];
        let keys = cases.into_iter().map(|c| c.0).collect();
        self.code.switches.push(SwitchTable { keys, targets, default: 0 });
        let a = self.operand(d.first(), d.ty);
        self.emit(Code::Switch, 0, a, 0, table as u64);
    }

    // ---- 4. Targets ----

    fn fill_in_targets(&mut self) {
        for op in self.code.ops.iter_mut().filter(|op| op.code == Code::Jump) {
            op.dst = self.starts[op.dst as usize];
        }
        let mut stubs = FxHashMap::default();
        for (patch, pred, succ) in std::mem::take(&mut self.patches) {
            let moves = self.edge_moves(pred, succ);
            let target = if moves.is_empty() {
                self.starts[succ.index()]
            } else {
                *stubs.entry((pred, succ)).or_insert_with(|| {
                    let start = self.code.ops.len() as u32;
                    self.origin = self.f.terminator(pred);
                    self.emit_moves(moves);
                    self.emit(Code::Jump, self.starts[succ.index()], 0, 0, 0);
                    start
                })
            };
            match patch {
                Patch::Dst(at) => self.code.ops[at as usize].dst = target,
                Patch::B(at) => self.code.ops[at as usize].b = target,
                Patch::Imm(at) => self.code.ops[at as usize].imm = target as u64,
                Patch::Default(table) => self.code.switches[table as usize].default = target,
                Patch::Case(table, k) => self.code.switches[table as usize].targets[k as usize] = target,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `instruction` chooses the code for these by their formats: another opcode of such a format needs an arm there.
    #[test]
    fn every_opcode_has_code() {
        use Opcode::*;
        let has_code = |op: &&Opcode| {
            matches!(op, Alloca | Load | Memcpy | Memmove | Memset | StackRestore | StackSave | Store | Unreachable)
                || matches!(op, VaArg | VaArgAgg | VaCopy | VaEnd | VaStart)
        };
        let formats: Vec<_> = Opcode::ALL.iter().filter(has_code).map(|op| op.format()).collect();
        for op in Opcode::ALL.iter().filter(|op| formats.contains(&op.format())) {
            assert!(has_code(&op), "{op:?}");
        }
    }
}

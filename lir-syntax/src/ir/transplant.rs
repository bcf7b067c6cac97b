//! Copies of instructions of one function for another: the entities that they name are renamed.

use super::{
    Base, Block, CallArg, CallInfo, CallResult, EntityRef, Format, Function, Inst, InstData, Mem, MemoryOperands,
    NameRef, Obj, Operand, OperandKind, PackedOption, Reg, SecondaryMap,
};

/// Maps the entities of an old function to entities of a new one. Clearing it takes time only for the noted ones.
pub struct Renaming<K: EntityRef> {
    new: SecondaryMap<K, PackedOption<K>>,
    noted: Vec<K>,
}

impl<K: EntityRef> Default for Renaming<K> {
    fn default() -> Renaming<K> {
        Renaming { new: SecondaryMap::new(), noted: Vec::new() }
    }
}

impl<K: EntityRef> Renaming<K> {
    fn clear(&mut self) {
        for k in self.noted.drain(..) {
            self.new[k] = PackedOption::NONE;
        }
    }
    /// Notes the new entity for an old one.
    pub fn note(&mut self, old: K, new: K) {
        self.new[old] = new.into();
        self.noted.push(old);
    }
    /// Returns the new entity for an old one, if one was noted.
    pub fn get(&self, old: K) -> Option<K> {
        self.new[old].expand()
    }
}

/// The renaming of one copy of a function's body.
#[derive(Default)]
pub struct Transplant {
    /// The registers: one that was not noted is made when it first occurs.
    pub regs: Renaming<Reg>,
    /// Blocks, all noted before.
    pub blocks: Renaming<Block>,
    /// Stack objects, all noted before.
    pub objs: Renaming<Obj>,
    /// Phi entries and case values while they are copied.
    entries: Vec<(Block, Operand)>,
    cases: Vec<Operand>,
}

impl Transplant {
    /// Forgets the last copy.
    pub fn clear(&mut self) {
        self.regs.clear();
        self.blocks.clear();
        self.objs.clear();
    }
    /// Copies the name of an entity of `from` as the base of names in `to`.
    pub fn name(to: &mut Function, from: &Function, name: NameRef) -> NameRef {
        if from.names.get(name).is_empty() { NameRef::NONE } else { to.names.add_copied(&from.names, name) }
    }
    /// Returns the register for one of `from`, made when it first occurs.
    pub fn reg(&mut self, to: &mut Function, from: &Function, r: Reg) -> Reg {
        if let Some(new) = self.regs.get(r) {
            return new;
        }
        let name = Transplant::name(to, from, from.regs[r].name);
        let new = to.new_reg_of_copy(from.type_of(r), name);
        self.regs.note(r, new);
        new
    }
    /// Returns the block for one of `from`, which was noted before.
    pub fn block(&self, b: Block) -> Block {
        self.blocks.get(b).expect("the blocks were made before what is in them")
    }
    fn obj(&self, o: Obj) -> Obj {
        self.objs.get(o).expect("the stack objects were made before the instructions")
    }
    /// Returns the operand for one of `from`.
    pub fn operand(&mut self, to: &mut Function, from: &Function, o: Operand) -> Operand {
        match o.kind() {
            // A field that the format does not use may name anything, in a function that a program made.
            OperandKind::Reg(r) if r.index() >= from.num_regs() => Operand::NONE,
            OperandKind::Reg(r) => Operand::reg(self.reg(to, from, r)),
            OperandKind::Small(_) | OperandKind::Pool(_) => {
                to.make_const(from.constant(o).expect("the operand is a constant"))
            }
            OperandKind::WidePool(_) => to.make_wide_const(from.wide_constant(o).expect("the operand is a constant")),
            OperandKind::Obj(o) => Operand::obj(self.obj(o)),
            OperandKind::Sym(_) | OperandKind::None => o,
        }
    }
    /// Returns the memory operand for one of `from`.
    pub fn mem(&mut self, to: &mut Function, from: &Function, m: Mem) -> Mem {
        let base = match m.base {
            Base::Reg(r) => Base::Reg(self.reg(to, from, r)),
            Base::Obj(o) => Base::Obj(self.obj(o)),
            Base::Sym(_) | Base::None => m.base,
        };
        Mem { base, index: m.index.map(|r| self.reg(to, from, r)), ..m }
    }
    /// Returns the instruction `i` of `from` for `to`. The targets of a terminator belong to its block.
    pub fn inst(&mut self, to: &mut Function, from: &Function, i: Inst) -> InstData {
        let d = *from.inst(i);
        let mut new = d;
        // In these two formats the field is the aggregate type.
        if !matches!(d.op.format(), Format::AggMemPair | Format::AggReturn) {
            new.dst = self.operand(to, from, d.dst);
        }
        match d.op.format().memory() {
            MemoryOperands::None => self.in_lists(to, from, i, &mut new),
            MemoryOperands::InLine => {
                let mem = self.mem(to, from, from.mem(i));
                to.set_mem(&mut new, mem);
            }
            MemoryOperands::Pooled => {
                let mem = self.mem(to, from, from.mem_dst(i));
                new.a = to.make_mem(mem);
                new.b = if d.op.format() == Format::AtomicExchange {
                    self.bc(to, from, i)
                } else {
                    self.operand(to, from, d.second())
                };
            }
            MemoryOperands::TwoPooled => {
                let (dst, src) = (self.mem(to, from, from.mem_dst(i)), self.mem(to, from, from.mem_src(i)));
                (new.a, new.b) = (to.make_mem(dst), to.make_mem(src));
            }
            MemoryOperands::OfCall => {
                new.a = self.operand(to, from, d.first());
                let info = self.call(to, from, i);
                new.b = to.make_call(&info);
            }
        }
        new
    }
    /// The operands of an instruction without memory operands.
    fn in_lists(&mut self, to: &mut Function, from: &Function, i: Inst, new: &mut InstData) {
        let d = from.inst(i);
        new.a = self.operand(to, from, d.a);
        match d.op.format() {
            Format::Ternary | Format::Select => new.b = self.bc(to, from, i),
            Format::Phi => {
                let mut entries = std::mem::take(&mut self.entries);
                entries.clear();
                entries.extend(from.phi_entries(i).map(|(b, o)| (self.block(b), self.operand(to, from, o))));
                new.b = to.make_phi(&entries);
                self.entries = entries;
            }
            Format::Switch => {
                let mut cases = std::mem::take(&mut self.cases);
                cases.clear();
                cases.extend(from.switch_cases(i).map(|c| self.operand(to, from, c)));
                new.b = to.make_cases(&cases);
                self.cases = cases;
            }
            _ => new.b = self.operand(to, from, d.second()),
        }
    }
    /// The second and third operand, in the pool.
    fn bc(&mut self, to: &mut Function, from: &Function, i: Inst) -> Operand {
        let (b, c) = from.operands_bc(i);
        let (b, c) = (self.operand(to, from, b), self.operand(to, from, c));
        to.make_bc(b, c)
    }
    fn call(&mut self, to: &mut Function, from: &Function, i: Inst) -> CallInfo {
        let mut info = from.call_info(i);
        if let CallResult::Agg(_, m) = &mut info.result {
            *m = self.mem(to, from, *m);
        }
        for arg in &mut info.args {
            match arg {
                CallArg::Reg(r, _) => *r = self.reg(to, from, *r),
                CallArg::Agg(_, m) => *m = self.mem(to, from, *m),
            }
        }
        info
    }
}

//! Machine functions made by hand, with every virtual register in a location that the test chooses.

use lir_llc::isa::x64::emit::{CodeBuffer, EmitError, EmitOptions, EmitScratch, FunctionCode, emit};
use lir_llc::isa::x64::{Cond, ENV, op};
use lir_llc::mir::{
    FixedList, Form, MBlock, MBlockData, MFunction, MInst, MOp, MReg, PReg, PRegSet, RegClass, Size, VReg,
};
use lir_llc::regalloc::{Allocation, Edit, Loc};

/// A function under construction.
pub struct Build {
    pub f: MFunction,
    pub a: Allocation,
    vreg_locs: Vec<Loc>,
}

impl Build {
    /// A function whose first block is open.
    pub fn new() -> Build {
        let mut b = Build { f: MFunction::new(&ENV), a: Allocation::default(), vreg_locs: Vec::new() };
        b.block();
        b
    }
    /// Closes the open block and opens the next one.
    pub fn block(&mut self) -> MBlock {
        let at = self.f.insts.len() as u32;
        self.f.blocks.push(MBlockData { start: at, end: at, ..MBlockData::default() });
        MBlock(self.f.blocks.len() as u32 - 1)
    }
    /// A virtual register that is in a hardware register.
    pub fn reg(&mut self, r: PReg) -> VReg {
        self.at(Loc::reg(r), r.class())
    }
    /// A virtual register that is in a spill slot.
    pub fn slot(&mut self, n: u32, class: RegClass) -> VReg {
        self.a.num_slots = self.a.num_slots.max(n + 1);
        self.at(Loc::slot(n), class)
    }
    fn at(&mut self, loc: Loc, class: RegClass) -> VReg {
        self.vreg_locs.push(loc);
        self.f.new_vreg(class)
    }
    /// Appends an instruction.
    pub fn push(&mut self, i: MInst) {
        let loc_of = |field: MReg, used: bool| match field.as_virt() {
            Some(v) if used => self.vreg_locs[v.index()],
            _ => Loc::NONE,
        };
        let b = MReg::from_bits(i.b);
        let locs = [
            loc_of(i.d, i.form.defs_d() && !self.f.has_record(&i)),
            loc_of(i.a, i.form.uses_a()),
            loc_of(b, i.form.uses_b() || i.form.has_mem()),
            loc_of(i.x, i.form.uses_x() || i.form.has_mem()),
        ];
        if let Some(r) = locs[0].as_reg() {
            self.a.used = self.a.used.with(r);
        }
        self.f.insts.push(i);
        self.f.origins.push(Default::default());
        self.a.locs.push(locs);
        self.f.blocks.last_mut().expect("a block is open").end += 1;
    }
    /// An instruction with fixed operands.
    pub fn record(&mut self, op: MOp, form: Form, list: FixedList) -> MInst {
        self.f.records.push(list);
        MInst::new(op, form, Size::S64).record(self.f.records.len() as u32 - 1)
    }
    /// Appends a return.
    pub fn ret(&mut self) {
        let i = self.record(op::Ret, Form::None, FixedList::default());
        self.push(i);
    }
    /// Appends a jump.
    pub fn jmp(&mut self, to: u32) {
        self.push(MInst::new(op::Jmp, Form::None, Size::S64));
        self.f.blocks.last_mut().expect("a block is open").succs.push(MBlock(to));
    }
    /// Appends a conditional jump.
    pub fn jcc(&mut self, c: Cond, taken: u32, other: u32) {
        self.push(MInst::new(op::Jcc, Form::None, Size::S64).cond(c));
        self.f.blocks.last_mut().expect("a block is open").succs.extend([MBlock(taken), MBlock(other)]);
    }
    /// An edit before the next instruction.
    pub fn edit(&mut self, e: Edit) {
        self.a.edits.push((2 * self.f.insts.len() as u32, e));
    }
    /// Notes that registers are written.
    pub fn uses(&mut self, regs: &[PReg]) {
        self.a.used = self.a.used.or(PRegSet::of(regs));
    }
    /// The emitted code.
    pub fn emit_to(&self, out: &mut CodeBuffer, opts: &EmitOptions) -> Result<FunctionCode, EmitError> {
        emit(&self.f, &self.a, &mut EmitScratch::default(), opts, out)
    }
    /// The emitted code as text.
    pub fn listing(&self) -> String {
        let mut out = CodeBuffer::default();
        self.emit_to(&mut out, &EmitOptions::default()).expect("emitted");
        super::listing::text(&out)
    }
}

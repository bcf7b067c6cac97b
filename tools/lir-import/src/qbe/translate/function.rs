//! Translates a function: the state, the order of the steps, and the insertion of instructions.

use super::super::ast::{AbiType, FuncDef, Label, Temp, Val};
use super::super::class::Class;
use super::temporaries::{self, Temporaries};
use super::{Context, definite, sym_of};
use lir_syntax::ir::{
    Block, CallArg, Cfg, EntityRef, Function, Inst, InstData, Mem, NameRef, Opcode, Operand, Origin, PackedOption,
    Param, Place, PrimaryMap, Reg, RegData, SecondaryMap, Type,
};
use lir_syntax::text::diagnostic::Diagnostic;
use lir_syntax::text::source::Span;

pub(super) type Translated<T> = Result<T, Diagnostic>;

/// The translation of one function.
pub(super) struct Translator<'a> {
    pub context: &'a Context<'a>,
    pub def: &'a FuncDef,
    pub func: Function,
    pub temps: Temporaries,
    /// Blocks are numbered in the order of the text.
    pub blocks: SecondaryMap<Label, Block>,
    /// The block that is being filled.
    pub block: Block,
    /// New instructions are inserted before this one, or at the end of the block if there is none.
    pub before: Option<Inst>,
    /// The position of the instruction that is being translated.
    pub span: Span,
    /// The phis made so far: each with its position in the text, its temporary, and its entries' index.
    pub phis: Vec<(Inst, Span, Temp, usize)>,
    /// The arguments of the call that is being translated, in a list whose memory is used again.
    pub args: Vec<CallArg>,
}

/// Translates a function.
pub(super) fn translate(context: &Context<'_>, def: &FuncDef) -> Result<Function, Vec<Diagnostic>> {
    let mut errors = Vec::new();
    let mut func = Function::new(sym_of(def.name));
    func.section = def.linkage.section.clone();
    func.loc = def.span.start;
    func.place = def.places.iter().find_map(|(_, place)| *place).map(|place| Place { column: 0, ..place });
    let temps = temporaries::analyse(context, def, &mut func, &mut errors);
    if !errors.is_empty() {
        return Err(errors);
    }
    let mut blocks = SecondaryMap::with_default(Block::new(0));
    for block in &def.blocks {
        let name = func.names.add(def.labels.get(block.label));
        blocks[block.label] = func.append_new_block(name);
    }
    let mut translator = Translator {
        context,
        def,
        block: func.entry(),
        func,
        temps,
        blocks,
        before: None,
        span: def.span,
        phis: Vec::new(),
        args: Vec::new(),
    };
    translator.params();
    translator.body(&mut errors);
    if errors.is_empty() {
        let cfg = Cfg::new(&translator.func);
        translator.phi_entries(&cfg, &mut errors);
        definite::complete(&mut translator.func, &cfg);
    }
    if errors.is_empty() { Ok(translator.func) } else { Err(errors) }
}

impl Translator<'_> {
    /// Makes the parameters, and at the top of the entry the instructions that their temporaries need.
    fn params(&mut self) {
        let def = self.def;
        for (k, &(ty, temp)) in def.params.iter().enumerate() {
            let param = match (ty, self.temps.param_objects[k]) {
                (_, Some(obj)) => {
                    self.address_of_object(temp, Mem::obj(obj, 0));
                    Param::Agg(obj)
                }
                (AbiType::Sub(narrow, signed), None) => {
                    let wide = self.reg_of(temp);
                    let name = self.func.regs[wide].name;
                    let reg = self.func.new_reg(narrow, name);
                    self.extend(reg, wide, signed);
                    Param::Reg(reg)
                }
                (AbiType::Base(_) | AbiType::Agg(_) | AbiType::Env, None) => self.scalar_param(ty.class(), temp),
            };
            self.func.params.push(param);
        }
    }

    /// Returns a parameter of a base type. Its temporary may be a word although the argument is a long.
    fn scalar_param(&mut self, class: Class, temp: Temp) -> Param {
        let reg = self.reg_of(temp);
        if self.func.type_of(reg) == class.ty() {
            return Param::Reg(reg);
        }
        let wide = self.func.new_reg(class.ty(), self.func.regs[reg].name);
        self.convert(Opcode::Trunc, wide, reg);
        Param::Reg(wide)
    }

    /// Translates the blocks in order. After an error in an instruction, the next one is translated.
    fn body(&mut self, errors: &mut Vec<Diagnostic>) {
        let def = self.def;
        for (b, block) in def.blocks.iter().enumerate() {
            self.block = Block::new(b);
            for k in block.insts.0..block.insts.1 {
                self.span = def.insts[k as usize].span;
                errors.extend(self.instruction(k).err());
            }
            self.span = block.jump_span;
            errors.extend(self.jump(block.jump).err());
        }
    }

    // ---- Registers ----

    /// Returns the register of a temporary.
    pub(super) fn reg_of(&mut self, temp: Temp) -> Reg {
        if let Some(reg) = self.temps.info[temp].reg.expand() {
            return reg;
        }
        let info = &self.temps.info[temp];
        let ty = if info.is_truth { Type::I8 } else { info.class.map_or(Type::I64, Class::ty) };
        let name = self.func.names.add(self.def.temps.get(temp));
        let reg = self.func.regs.push(RegData { ty, name });
        self.temps.info[temp].reg = reg.into();
        reg
    }
    /// Returns the class of a temporary; an error if it is never assigned.
    pub(super) fn class_of(&self, temp: Temp) -> Translated<Class> {
        let class = self.temps.info[temp].class;
        class.ok_or_else(|| self.error(format!("`%{}` is never assigned", self.def.temps.show(temp))))
    }
    /// Makes a new register that belongs to no temporary.
    pub(super) fn new_reg(&mut self, ty: Type) -> Reg {
        self.func.new_reg(ty, NameRef::NONE)
    }
    /// Makes a new register named after a temporary.
    pub(super) fn new_reg_for(&mut self, temp: Temp, ty: Type) -> Reg {
        let name = match self.temps.info[temp].reg.expand() {
            Some(reg) => self.func.regs[reg].name,
            None => self.func.names.add(self.def.temps.get(temp)),
        };
        self.func.new_reg(ty, name)
    }
    /// Returns an error at the instruction that is being translated.
    pub(super) fn error(&self, message: impl Into<String>) -> Diagnostic {
        Diagnostic::new(self.span, message)
    }

    // ---- Instructions ----

    /// Inserts an instruction at the current program point.
    pub(super) fn emit(&mut self, data: InstData) -> Inst {
        match self.before {
            Some(before) => self.func.insert_before(before, data),
            None => {
                let offset = self.span.start;
                let places = &self.def.places;
                let place = places.partition_point(|(at, _)| *at < offset).checked_sub(1).and_then(|k| places[k].1);
                let loc = self.func.origins.add(Origin { offset, place, inlined: PackedOption::NONE });
                self.func.append_inst(self.block, data, loc)
            }
        }
    }
    /// `dst = op ty a, b`, of which `a` and `b` may be none.
    pub(super) fn emit_op(&mut self, op: Opcode, ty: Type, dst: Reg, a: Operand, b: Operand) {
        self.emit(InstData::binary(op, ty, a, b).with_result(dst));
    }
    /// `dst = const bits`.
    pub(super) fn emit_const(&mut self, dst: Reg, bits: u64) {
        let ty = self.func.type_of(dst);
        let value = self.func.make_typed_const(ty, bits);
        self.emit_op(Opcode::Const, ty, dst, value, Operand::NONE);
    }
    /// `dst = op T from to U`, with the types of the registers.
    pub(super) fn convert(&mut self, op: Opcode, from: Reg, dst: Reg) {
        let (ty, to) = (self.func.type_of(from), self.func.type_of(dst));
        let data = InstData::convert(op, ty, to, from).with_result(dst);
        self.emit(data);
    }
    /// `dst = sext from` or `zext`.
    pub(super) fn extend(&mut self, from: Reg, dst: Reg, signed: bool) {
        self.convert(if signed { Opcode::Sext } else { Opcode::Zext }, from, dst);
    }
    /// Emits an instruction, which is given a memory operand.
    pub(super) fn emit_accessing(&mut self, mut data: InstData, mem: Mem) {
        self.func.set_mem(&mut data, mem);
        self.emit(data);
    }
    /// `dst = load T [mem]`.
    pub(super) fn emit_load(&mut self, ty: Type, dst: Reg, mem: Mem) {
        let load = self.func.load(ty, mem);
        self.emit(load.with_result(dst));
    }
    /// `dst = lea [mem]`.
    pub(super) fn emit_lea(&mut self, dst: Reg, mem: Mem) {
        let lea = self.func.lea(mem);
        self.emit(lea.with_result(dst));
    }
    /// Assigns a stack object's address to a temporary that has no location or needs it.
    pub(super) fn address_of_object(&mut self, temp: Temp, mem: Mem) {
        let info = &self.temps.info[temp];
        if info.location.is_none() || info.needs_address() {
            let Ok(()) = self.assign((temp, Class::L), |t, reg| {
                t.emit_lea(reg, mem);
                Ok::<(), std::convert::Infallible>(())
            });
        }
    }
    /// Assigns to a temporary the value that `emit` puts into the register that it is given. That is the temporary's
    /// own, unless the temporary is a word and this assignment is of a long.
    pub(super) fn assign<E>(
        &mut self,
        (temp, class): (Temp, Class),
        emit: impl FnOnce(&mut Self, Reg) -> Result<(), E>,
    ) -> Result<(), E> {
        let own = self.reg_of(temp);
        if class != Class::L || self.func.type_of(own) == Type::I64 {
            return emit(self, own);
        }
        let wide = self.new_reg_for(temp, Type::I64);
        emit(self, wide)?;
        self.convert(Opcode::Trunc, wide, own);
        Ok(())
    }

    // ---- Phis ----

    /// Checks and fills in the entries of all phis. Instructions for an operand are inserted before the predecessor's
    /// terminator.
    fn phi_entries(&mut self, cfg: &Cfg, errors: &mut Vec<Diagnostic>) {
        let def = self.def;
        let mut entries = Vec::new();
        // By block: the last phi that has an entry for it.
        let mut seen: PrimaryMap<Block, usize> = PrimaryMap::new();
        self.func.layout().blocks().for_each(|_| {
            seen.push(usize::MAX);
        });
        for (n, (phi, span, temp, list)) in std::mem::take(&mut self.phis).into_iter().enumerate() {
            self.span = span;
            let block = self.func.layout().block_of(phi).expect("the phi was put into a block");
            entries.clear();
            let mut fits = def.phis[list].len() == cfg.preds(block).len();
            for &(label, value) in &def.phis[list] {
                let pred = self.blocks[label];
                fits &= std::mem::replace(&mut seen[pred], n) != n && cfg.preds(block).binary_search(&pred).is_ok();
                if fits {
                    match self.phi_operand(pred, temp, value) {
                        Ok(operand) => entries.push((pred, operand)),
                        Err(e) => errors.push(e),
                    }
                }
            }
            if !fits {
                errors.push(self.error("the entries of the phi are not those of the block's predecessors"));
            }
            self.func.set_phi_entries(phi, &entries);
        }
        self.before = None;
    }

    fn phi_operand(&mut self, pred: Block, temp: Temp, value: Val) -> Translated<Operand> {
        let class = self.class_of(temp)?;
        self.block = pred;
        self.before = Some(self.func.terminator(pred));
        self.operand(value, class)
    }
}

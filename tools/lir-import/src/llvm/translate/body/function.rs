//! Translates a function: its state, the order of the steps, and the insertion of instructions.

use super::source_names::SourceNames;
use super::uses::{self, Uses};
use super::widening::Widening;
use crate::llvm::ast::{self, Body, Local, LocalName, Op, Operand as Value, Program};
use crate::llvm::attributes::ParamWords;
use crate::llvm::translate::Metadata;
use crate::llvm::translate::abi::{Leaf, Passed};
use crate::llvm::translate::noalias_scopes::NoaliasScopes;
use crate::llvm::translate::scalar;
use crate::llvm::translate::symbols::{Symbols, returns_address};
use lir_syntax::ir::debug_loc::Origin;
use lir_syntax::ir::{
    AbiParam, AccessType, Agg, Base, Block, Cfg, DebugType, Decls, EntityRef, Function, Inst, InstData, Mem, NameRef,
    Obj, Opcode, Operand, PackedOption, Param, Place, Reg, RegData, ScopeData, SecondaryMap, StackData, Type,
};
use lir_syntax::text::diagnostic::Diagnostic;
use lir_syntax::text::source::Span;
use std::collections::HashMap;

/// The end of the translation of an instruction.
pub(super) enum Stop {
    /// The instruction is refused.
    Refused(Box<Diagnostic>),
    /// The definition of an operand was refused, which has been reported already.
    Reported,
}

pub(super) type Translated<T> = Result<T, Stop>;

/// The most members of all aggregates that the instructions of a function compute: each member takes memory during the
/// translation.
const MAX_FUNCTION_SCALARS: usize = 1 << 24;

/// The form in which the value of a local is kept.
#[derive(Copy, Clone, Default)]
pub(super) enum State {
    /// The local has not been translated.
    #[default]
    Unknown,
    /// Its instruction was refused.
    Refused,
    /// Scalars, which are registers and constants: a range of [`Translator::scalars`].
    Scalars(u32, u32),
    /// An address: a memory operand for accesses and, if there are other uses, a register.
    Address(Mem, PackedOption<Reg>),
    /// A comparison that is translated with its `br`: the index of its instruction.
    Comparison(u32),
}

/// The value that `llvm.expect` expects.
#[derive(Copy, Clone, Debug)]
pub(super) struct Expectation {
    pub value: u128,
    /// The probability of this value.
    pub probability: f64,
}

/// The translation of one function.
pub(super) struct Translator<'a> {
    pub program: &'a Program,
    pub symbols: &'a Symbols<'a>,
    metadata: &'a Metadata,
    pub decls: &'a Decls,
    pub def: &'a ast::Function,
    pub body: &'a Body,
    pub func: Function,
    pub states: SecondaryMap<Local, State>,
    pub uses: SecondaryMap<Local, Uses>,
    pub widening: Widening,
    /// The scalars of all values.
    pub scalars: Vec<Operand>,
    pub blocks: SecondaryMap<Local, PackedOption<Block>>,
    /// By block: the last block of its translation.
    ends: SecondaryMap<Local, PackedOption<Block>>,
    /// The block that is being filled.
    pub block: Block,
    /// New instructions are inserted before this one, or at the end of the block if it is none.
    pub before: Option<Inst>,
    /// The position of the instruction that is being translated.
    pub span: Span,
    /// The position of the instruction in the source. If it has none: the position of the previous instruction, or of
    /// the function.
    place: Option<Place>,
    /// The access type of the instruction that is being translated.
    access_type: Option<AccessType>,
    pub noalias_scopes: NoaliasScopes,
    /// The phis made so far: the phis of the scalars of each, and its index in the body.
    phis: Vec<(Vec<Inst>, u32)>,
    /// The address of the result, which a function with `sret` returns.
    pub result_address: Option<Reg>,
    /// The stack object through which a result of two scalars is returned.
    pub result_object: Option<Obj>,
    /// The names that variables of the source give to locals.
    source_names: SourceNames<'a>,
    /// The results of `llvm.expect`.
    pub expected: HashMap<Local, Expectation>,
    /// The result of a `musttail` call that was just translated, together with the return that must follow it.
    pub jumped: Option<Option<Local>>,
}

/// Translates a function. Returns none after adding errors.
pub(in crate::llvm::translate) fn translate(
    program: &Program,
    symbols: &Symbols<'_>,
    metadata: &Metadata,
    decls: &Decls,
    def: &ast::Function,
    body: &Body,
    errors: &mut Vec<Diagnostic>,
) -> Option<Function> {
    let mut func = Function::new(symbols.function(def.name)?);
    func.section = def.symbol.section.as_ref().map(|name| lir_syntax::ir::Section { name: name.clone(), flags: None });
    func.loc = def.span.start;
    func.place = metadata.places.get(def.debug);
    func.reserve(body.insts.len());
    let uses = uses::count(program, body);
    let source_names = SourceNames::new((program, &metadata.source_scopes), def, body);
    let mut translator = Translator {
        program,
        symbols,
        metadata,
        decls,
        def,
        body,
        func,
        states: SecondaryMap::with_len(State::Unknown, body.locals.len()),
        widening: Widening::of(program, body, &uses),
        uses,
        scalars: Vec::with_capacity(body.locals.len()),
        blocks: SecondaryMap::with_len(PackedOption::NONE, body.locals.len()),
        ends: SecondaryMap::with_len(PackedOption::NONE, body.locals.len()),
        block: Block::new(0),
        before: None,
        span: def.span,
        place: metadata.places.get(def.debug),
        access_type: None,
        noalias_scopes: NoaliasScopes::default(),
        phis: Vec::new(),
        result_address: None,
        result_object: None,
        source_names,
        expected: HashMap::new(),
        jumped: None,
    };
    let before = errors.len();
    let order = translator.make_blocks(errors);
    if let Err(Stop::Refused(e)) = translator.params() {
        errors.push(*e);
    }
    for index in order {
        translator.fill_block(index, errors);
    }
    if errors.len() == before {
        translator.phi_entries(errors);
        translator.noalias_scopes.finish(program, decls, &mut translator.func);
    }
    (errors.len() == before).then_some(translator.func)
}

impl<'a> Translator<'a> {
    /// Makes the reachable blocks, in the order of the text. Returns their indices in reverse postorder.
    fn make_blocks(&mut self, errors: &mut Vec<Diagnostic>) -> Vec<usize> {
        let body = self.body;
        let mut index_of: SecondaryMap<Local, u32> = SecondaryMap::with_len(u32::MAX, body.locals.len());
        for (n, block) in body.blocks.iter().enumerate() {
            index_of[block.label] = n as u32;
        }
        let ends: Vec<&ast::Inst> = (0..body.blocks.len()).map(|block| self.last_inst(block)).collect();
        let order = self.reverse_postorder(&ends, &index_of, errors);
        let mut reached = vec![false; body.blocks.len()];
        order.iter().for_each(|n| reached[*n] = true);
        for (block, _) in body.blocks.iter().zip(reached).filter(|(_, reached)| *reached) {
            let name = self.block_name(block.label);
            self.blocks[block.label] = self.func.append_new_block(name).into();
        }
        order
    }

    /// Returns the indices of the reachable blocks in reverse postorder. `ends` has the last instruction of each block.
    fn reverse_postorder(
        &self,
        ends: &[&ast::Inst],
        index_of: &SecondaryMap<Local, u32>,
        errors: &mut Vec<Diagnostic>,
    ) -> Vec<usize> {
        let body = self.body;
        let mut seen = vec![false; body.blocks.len()];
        seen[0] = true;
        let mut order = Vec::with_capacity(body.blocks.len());
        // Each block with the position of the next operand to examine as a target.
        let mut stack = vec![(0usize, 0usize)];
        while let Some((block, next)) = stack.last_mut() {
            let inst = ends[*block];
            let operands = &self.program.operands[inst.operands.range()];
            let operands = match operands.split_last() {
                // Handlers are unreachable.
                Some((_, others)) if inst.op == Op::Invoke && self.symbols.options.exceptions_abort => others,
                _ => operands,
            };
            let Some(operand) = operands.get(*next) else {
                order.push(*block);
                stack.pop();
                continue;
            };
            *next += 1;
            let ast::Value::Local(target) = operand.value else { continue };
            if operand.ty != crate::llvm::types::Ty::label() {
                continue;
            }
            match *index_of.get(target) {
                u32::MAX => errors.push(Diagnostic::new(inst.span, "the target is not a block")),
                0 => errors.push(Diagnostic::new(inst.span, "the first block of a function cannot be a target")),
                n if !seen[n as usize] => {
                    seen[n as usize] = true;
                    stack.push((n as usize, 0));
                }
                _ => {}
            }
        }
        order.reverse();
        order
    }

    /// Makes the parameters, and at the beginning of the entry block the instructions that compute their values.
    fn params(&mut self) -> Translated<()> {
        let def = self.def;
        self.block = self.func.entry();
        let mut before: Vec<AbiParam> = Vec::with_capacity(def.params.len());
        for param in &def.params {
            let Some(local) = param.local.expand() else { continue };
            if let Some(agg) = self.symbols.aggregates.wide_in_memory(self.program, param.ty, &before) {
                before.push(AbiParam::Agg(agg));
                let mem = self.param_in_memory(local, agg);
                let values = self.load_values(mem, param.ty, false)?;
                self.set(local, &values);
                continue;
            }
            let is_private = self.symbols.private.contains(def.name);
            let passed = self.symbols.aggregates.param(self.program, param.ty, &param.attributes, is_private);
            let passed = self.refusing(passed)?;
            before.extend(passed.params(&param.attributes));
            match passed {
                Passed::Memory(agg) => {
                    let mem = self.param_in_memory(local, agg);
                    self.set_address(local, mem);
                }
                Passed::Vector(agg) => {
                    let mem = self.param_in_memory(local, agg);
                    let values = self.load_values(mem, param.ty, false)?;
                    self.set(local, &values);
                }
                Passed::Leaves(leaves) => {
                    let zero_extended = param.attributes.words.has(ParamWords::ZEROEXT);
                    let regs: Vec<Reg> = leaves.iter().map(|leaf| self.named_reg(local, leaf.ty())).collect();
                    self.func.params.extend(regs.iter().map(|reg| Param::Reg(*reg)));
                    if let ([pointer], true) = (&*regs, param.attributes.words.has(ParamWords::NOALIAS)) {
                        self.func.set_noalias(*pointer, true);
                    }
                    if let ([reg], [Leaf::Scalar(scalar)]) = (&*regs, &*leaves) {
                        let promises = self.promises_of_attributes(&param.attributes, *scalar);
                        self.func.set_param_promises(*reg, promises);
                    }
                    let mut values = Vec::new();
                    for (reg, leaf) in regs.into_iter().zip(leaves) {
                        match leaf {
                            Leaf::Scalar(scalar) if zero_extended || !scalar.is_narrow() => values.push(reg.into()),
                            Leaf::Scalar(scalar) => values.push(self.masked(reg, scalar).into()),
                            Leaf::HalfVector(scalars) => values.extend(self.unpack_half(reg, &scalars)),
                        }
                    }
                    self.set(local, &values);
                    if returns_address(self.program, def) && param.attributes.words.has(ParamWords::SRET) {
                        self.result_address = values[0].as_reg();
                    }
                }
            }
        }
        Ok(())
    }

    /// Makes a parameter in memory.
    fn param_in_memory(&mut self, local: Local, agg: Agg) -> Mem {
        let ty = &self.decls.types[agg];
        let (size, align) = (ty.size, ty.align.max(8));
        let (name, (debug_type, _)) = (self.name_of(local), self.variable_of(local));
        let (agg, scope, explicit_align) = (agg.into(), PackedOption::NONE, None);
        let object = StackData { name, size, align, explicit_align, agg, is_param: true, debug_type, scope };
        let obj = self.func.stack.push(object);
        self.func.params.push(Param::Agg(obj));
        Mem::obj(obj, 0)
    }

    /// Translates a block. After an error in an instruction, the translation continues with the next one.
    fn fill_block(&mut self, index: usize, errors: &mut Vec<Diagnostic>) {
        let block = &self.body.blocks[index];
        self.block = self.blocks[block.label].expand().expect("the block is reached");
        self.place = self.func.place;
        for k in block.insts.0..block.insts.1 {
            let inst = &self.body.insts[k as usize];
            let is_end = self.is_trap(inst);
            self.span = inst.span;
            self.place = self.metadata.places.get(inst.debug).or(self.place);
            self.access_type = self.metadata.access_tags.get(inst.access_type);
            self.begin_noalias_scopes(inst);
            if self.scalars.len() > MAX_FUNCTION_SCALARS + self.body.insts.len() {
                let message = format!("aggregates of a function have more than {MAX_FUNCTION_SCALARS} members in all");
                errors.push(Diagnostic::new(inst.span, message));
                self.scalars.clear();
                self.states = SecondaryMap::with_len(State::Refused, self.body.locals.len());
            }
            if let Err(stop) = self.instruction(k, inst) {
                if let Stop::Refused(e) = stop {
                    errors.push(*e);
                }
                if let Some(result) = inst.result.expand() {
                    self.states[result] = State::Refused;
                }
            }
            if is_end {
                break;
            }
        }
        self.ends[block.label] = self.block.into();
    }

    /// True for a call that ends the program: the rest of its block is not translated.
    fn is_trap(&self, inst: &ast::Inst) -> bool {
        inst.op == Op::Call
            && !self.symbols.traps.is_empty()
            && matches!(self.body.calls[inst.extra as usize].callee.value,
                ast::Value::Global(callee) if self.symbols.traps.contains(&callee))
    }

    /// Returns the last instruction of a block that is executed: the terminator, or the first call that ends the
    /// program.
    fn last_inst(&self, block: usize) -> &'a ast::Inst {
        let body = self.body;
        let (start, end) = body.blocks[block].insts;
        let insts = &body.insts[start as usize..end as usize];
        let trap = if self.symbols.traps.is_empty() { None } else { insts.iter().find(|inst| self.is_trap(inst)) };
        trap.unwrap_or(&insts[insts.len() - 1])
    }

    fn instruction(&mut self, k: u32, inst: &ast::Inst) -> Translated<()> {
        if inst.op == Op::Phi {
            return self.phi(k, inst);
        }
        let operands = &self.program.operands[inst.operands.range()];
        match inst.result.expand() {
            Some(result) if self.widening.hides(result) => return Ok(()),
            Some(result) if self.widening.widens(result) => return self.widened(inst, operands),
            _ => {}
        }
        if self.is_fused(inst) {
            let result = inst.result.expand().expect("a comparison has a result");
            self.states[result] = State::Comparison(k);
            return Ok(());
        }
        self.translate(inst, operands)
    }

    /// True for a comparison that only the `br` of its block uses.
    fn is_fused(&self, inst: &ast::Inst) -> bool {
        let (Op::Icmp | Op::Fcmp, Some(result)) = (inst.op, inst.result.expand()) else { return false };
        let uses = self.uses[result];
        if uses.values + uses.addresses != 0 || uses.branches != 1 || !self.is_scalar(inst.ty) {
            return false;
        }
        if inst.op == Op::Fcmp && matches!(inst.detail, 0 | 15) {
            return false;
        }
        // The branch is the last instruction of the current block.
        let block = self.body.blocks.partition_point(|b| b.insts.0 <= self.index_of(inst)) - 1;
        let last = &self.body.insts[self.body.blocks[block].insts.1 as usize - 1];
        let condition = self.program.operands[last.operands.range()].first();
        last.op == Op::Br && condition.is_some_and(|c| c.value == ast::Value::Local(result))
    }
    fn index_of(&self, inst: &ast::Inst) -> u32 {
        let base = self.body.insts.as_ptr() as usize;
        ((inst as *const ast::Inst as usize - base) / size_of::<ast::Inst>()) as u32
    }

    // ---- Registers and names ----

    /// Returns the name of a local.
    pub(super) fn name_of(&mut self, local: Local) -> NameRef {
        if let Some(name) = self.source_names.of(local) {
            return self.func.names.add(name);
        }
        match self.body.locals[local] {
            LocalName::Number(n) => self.func.names.add(n.to_string().as_bytes()),
            LocalName::Name(name) => {
                let name = self.body.names.get(name);
                match self.source_names.has(name) {
                    true => self.func.names.add(&[name, b".value"].concat()),
                    false => self.func.names.add(name),
                }
            }
        }
    }
    /// Returns the label of a block. LIR's labels do not begin with digits.
    fn block_name(&mut self, local: Local) -> NameRef {
        match self.body.locals[local] {
            LocalName::Number(n) => self.func.names.add(format!("b{n}").as_bytes()),
            LocalName::Name(name) => self.func.names.add(self.body.names.get(name)),
        }
    }
    /// Returns a new register named after a local.
    pub(super) fn named_reg(&mut self, local: Local, ty: Type) -> Reg {
        let name = self.name_of(local);
        self.func.regs.push(RegData { ty, name })
    }
    /// Returns a new register without a name.
    pub(super) fn new_reg(&mut self, ty: Type) -> Reg {
        self.func.new_reg(ty, NameRef::NONE)
    }
    /// Returns a new stack object.
    pub(super) fn new_object(&mut self, local: Option<Local>, size: u64, align: u64) -> Obj {
        let name = local.map_or(NameRef::NONE, |local| self.name_of(local));
        let align = align.max(8);
        let explicit_align = (align != 8).then_some(align);
        let (debug_type, scope) = local.map_or(Default::default(), |local| self.variable_of(local));
        let (agg, is_param) = (PackedOption::NONE, false);
        let scope = scope.map(|scope| self.func.scopes.push(scope)).into();
        self.func.stack.push(StackData { name, size, align, explicit_align, agg, is_param, debug_type, scope })
    }
    /// Returns the type and the scope of the variable that a stack object is.
    fn variable_of(&self, object: Local) -> (PackedOption<DebugType>, Option<ScopeData>) {
        let Some((node, scope)) = self.source_names.of_object(object) else { return Default::default() };
        (self.metadata.source_types.get(node).into(), scope)
    }

    // ---- Errors ----

    /// Returns an error at the current instruction.
    pub(super) fn refuse<T>(&self, message: impl Into<String>) -> Translated<T> {
        Err(Stop::Refused(Box::new(Diagnostic::new(self.span, message))))
    }
    /// Turns a failure of another part into an error at the current instruction.
    pub(super) fn refusing<T>(&self, result: Result<T, String>) -> Translated<T> {
        result.or_else(|reason| self.refuse(reason))
    }

    // ---- Instructions ----

    /// Inserts an instruction at the current program point.
    pub(super) fn emit(&mut self, data: InstData) -> Inst {
        let made = match self.before {
            Some(before) => self.func.insert_before(before, data),
            None => {
                let origin = Origin { place: self.place, ..Origin::of_text(self.span.start) };
                let loc = self.func.origins.add(origin);
                self.func.append_inst(self.block, data, loc)
            }
        };
        if self.access_type.is_some() && matches!(data.op, Opcode::Load | Opcode::Store) {
            self.func.set_access_type(made, self.access_type);
        }
        self.noalias_scopes.note(&self.func, made);
        made
    }
    /// Inserts an instruction that defines a new register, and returns the register.
    pub(super) fn define(&mut self, ty: Type, data: InstData) -> Reg {
        let reg = self.new_reg(ty);
        self.emit(data.with_result(reg));
        reg
    }
    /// Returns a constant of a type.
    pub(super) fn constant(&mut self, ty: Type, bits: u64) -> Operand {
        self.func.make_typed_const(ty, bits)
    }
    /// Inserts `op T a, b`, and returns its result.
    pub(super) fn binary(&mut self, op: Opcode, ty: Type, a: impl Into<Operand>, b: impl Into<Operand>) -> Reg {
        let a = a.into();
        let a = self.in_register(ty, a);
        self.define(ty, InstData::binary(op, ty, a, b))
    }
    /// Inserts `op T a, bits`, and returns its result.
    pub(super) fn binary_const(&mut self, op: Opcode, ty: Type, a: impl Into<Operand>, bits: u64) -> Reg {
        let b = self.constant(ty, bits);
        self.binary(op, ty, a, b)
    }
    /// Inserts `op T a`, and returns its result.
    pub(super) fn unary(&mut self, op: Opcode, ty: Type, a: impl Into<Operand>) -> Reg {
        let a = a.into();
        let a = self.in_register(ty, a);
        self.define(ty, InstData::unary(op, ty, a))
    }
    /// Inserts `op T a to U`, and returns its result; returns the operand itself if the types are equal.
    pub(super) fn convert(&mut self, op: Opcode, from: Type, a: impl Into<Operand>, to: Type) -> Operand {
        let a = a.into();
        if from == to {
            return a;
        }
        let a = self.in_register(from, a);
        self.define(to, InstData::convert(op, from, to, a)).into()
    }
    /// Returns a register with the value of an operand.
    pub(super) fn in_register(&mut self, ty: Type, operand: Operand) -> Reg {
        match operand.as_reg() {
            Some(reg) => reg,
            None => self.define(ty, InstData::unary(Opcode::Const, ty, operand)),
        }
    }
    /// Returns the address of memory in a register.
    pub(super) fn lea(&mut self, mem: Mem) -> Reg {
        if let Mem { base: Base::Reg(reg), index: None, disp: 0, .. } = mem {
            return reg;
        }
        let lea = self.func.lea(mem);
        self.define(Type::I64, lea)
    }

    // ---- Phis ----

    /// Makes a phi for each scalar. The entries are filled in when all blocks exist.
    fn phi(&mut self, k: u32, inst: &ast::Inst) -> Translated<()> {
        let result = inst.result.expand().expect("a phi has a result");
        let last = self.func.layout().last_inst(self.block);
        if last.is_some_and(|i| self.func.inst(i).op != Opcode::Phi) {
            return self.refuse("a phi follows another instruction of its block");
        }
        let scalars = self.refusing(scalar::all(&self.program.types, inst.ty))?;
        let (mut phis, mut values) = (Vec::new(), Vec::new());
        for (scalar, _) in scalars {
            let reg = self.named_reg(result, scalar.ty);
            let list = self.func.make_phi(&[]);
            phis.push(self.emit(InstData::new(Opcode::Phi, scalar.ty).with_list(list).with_result(reg)));
            values.push(reg.into());
        }
        self.set(result, &values);
        self.phis.push((phis, k));
        Ok(())
    }

    /// Fills in the entries of all phis, one for each predecessor.
    fn phi_entries(&mut self, errors: &mut Vec<Diagnostic>) {
        let cfg = Cfg::new(&self.func);
        for (phis, k) in std::mem::take(&mut self.phis) {
            let inst = &self.body.insts[k as usize];
            self.span = inst.span;
            if let Err(Stop::Refused(e)) = self.fill_phi(&phis, inst, &cfg) {
                errors.push(*e);
            }
        }
        self.before = None;
    }

    fn fill_phi(&mut self, phis: &[Inst], inst: &ast::Inst, cfg: &Cfg) -> Translated<()> {
        let operands = &self.program.operands[inst.operands.range()];
        let Some(first) = phis.first() else { return Ok(()) };
        let block = self.func.layout().block_of(*first).expect("the phi was put into a block");
        let mut preds = cfg.preds(block).to_vec();
        preds.sort_unstable();
        let mut entries: Vec<Vec<(Block, Operand)>> = vec![Vec::with_capacity(preds.len()); phis.len()];
        let mut given = vec![false; preds.len()];
        for pair in operands.chunks_exact(2) {
            let ast::Value::Local(label) = pair[1].value else { continue };
            // An unreachable block, or a repeated entry.
            let Some(pred) = self.ends[label].expand() else { continue };
            let Ok(position) = preds.binary_search(&pred) else {
                // The translation of the block ended at a call of `llvm.trap`.
                if self.func.inst(self.func.terminator(pred)).op == Opcode::Unreachable {
                    continue;
                }
                return self.refuse("the phi has an entry for a block that is not a predecessor");
            };
            if std::mem::replace(&mut given[position], true) {
                continue;
            }
            self.block = pred;
            self.before = Some(self.func.terminator(pred));
            let values = self.values(&Value { ty: inst.ty, value: pair[0].value })?;
            for (entries, value) in entries.iter_mut().zip(values) {
                entries.push((pred, value));
            }
        }
        if given.contains(&false) {
            return self.refuse("the phi has no entry for a predecessor of its block");
        }
        for (phi, entries) in phis.iter().zip(&entries) {
            self.func.set_phi_entries(*phi, entries);
        }
        Ok(())
    }
}

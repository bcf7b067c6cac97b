//! The translation of each temporary of a function.
//!
//! Read in the order of the text, the instructions give every temporary
//!
//! 1. a class: the class of its assignments; a word if some are words and some are longs, as in QBE;
//! 2. perhaps a *location*: a temporary that is assigned once, by an allocation of constant size in the first block, an
//!    aggregate parameter or result, or a copy (such as the result of `memcpy`) or the sum of a located temporary and a
//!    constant, is an offset in a stack object and needs a register only if the address itself is wanted;
//! 3. for a temporary that is assigned once, by a comparison, and read by `jnz` only: the type i8; and if there is one
//!    `jnz`, in the block of the comparison, and no operand is assigned between the two, no register at all: the
//!    comparison is *fused* with its jump.

use super::super::ast::{AbiType, Call, FuncDef, Inst, Jump, Temp, Val};
use super::super::class::Class;
use super::super::operation::Operation;
use super::Context;
use super::library::Builtin;
use lir_syntax::ir::module::MAX_OBJECT_SIZE;
use lir_syntax::ir::{Agg, EntityRef, Function, NameRef, Obj, Opcode, PackedOption, PrimaryMap, Reg, StackData};
use lir_syntax::text::diagnostic::Diagnostic;

/// A stack object with an offset in it.
#[derive(Copy, Clone, Debug)]
pub(super) struct StackLocation {
    pub obj: Obj,
    pub disp: i32,
}

/// The facts about a temporary.
#[derive(Copy, Clone, Default)]
pub(super) struct TempInfo {
    /// None if it is never assigned.
    pub class: Option<Class>,
    /// The number of assignments, parameters included.
    pub defs: u32,
    /// The last instruction that assigns it, by its index in the function; none: a parameter.
    pub def: Option<u32>,
    /// Uses as the address of an access.
    pub address_uses: u32,
    /// Uses as the condition of a `jnz`.
    pub jnz_uses: u32,
    /// All other uses.
    pub value_uses: u32,
    pub location: Option<StackLocation>,
    /// It is an i8 that holds 0 or 1.
    pub is_truth: bool,
    /// Its comparison is part of a `br`.
    pub is_fused: bool,
    /// Its register, once it has one.
    pub reg: PackedOption<Reg>,
}

impl TempInfo {
    /// True if anything reads it.
    pub(super) fn is_used(&self) -> bool {
        self.address_uses != 0 || self.needs_address()
    }
    /// True if the address of the location is wanted in a register.
    pub(super) fn needs_address(&self) -> bool {
        self.value_uses + self.jnz_uses != 0
    }
}

/// The temporaries of a function, and the stack objects made for them.
pub(super) struct Temporaries {
    pub info: PrimaryMap<Temp, TempInfo>,
    /// The stack objects of aggregate parameters, by parameter.
    pub param_objects: Vec<Option<Obj>>,
    /// The stack objects of allocations and aggregate results, by index of the instruction, ascending.
    pub inst_objects: Vec<(u32, Obj)>,
}

impl Temporaries {
    /// Returns the stack object of an instruction.
    pub(super) fn object_of(&self, inst: u32) -> Option<Obj> {
        self.inst_objects.binary_search_by_key(&inst, |o| o.0).ok().map(|k| self.inst_objects[k].1)
    }
}

/// Reads the function and makes its stack objects.
pub(super) fn analyse(
    context: &Context<'_>,
    def: &FuncDef,
    func: &mut Function,
    errors: &mut Vec<Diagnostic>,
) -> Temporaries {
    let mut info = PrimaryMap::new();
    info.reserve(def.temps.len());
    def.temps.keys().for_each(|_| {
        info.push(TempInfo::default());
    });
    let temps = Temporaries { info, param_objects: Vec::new(), inst_objects: Vec::new() };
    let mut analysis = Analysis { context, def, func, temps, named: Vec::new(), errors };
    analysis.named.resize(def.temps.len(), false);
    analysis.assignments();
    analysis.locations_and_uses();
    analysis.comparisons();
    analysis.temps
}

struct Analysis<'a> {
    context: &'a Context<'a>,
    def: &'a FuncDef,
    func: &'a mut Function,
    temps: Temporaries,
    /// For each temporary, true if a stack object has exactly its name.
    named: Vec<bool>,
    errors: &'a mut Vec<Diagnostic>,
}

impl Analysis<'_> {
    /// Step 1.
    fn assignments(&mut self) {
        for &(ty, temp) in &self.def.params {
            let info = &mut self.temps.info[temp];
            info.class = Some(ty.class());
            info.defs = 1;
        }
        for (k, inst) in self.def.insts.iter().enumerate() {
            let Some((temp, class)) = inst.dst else { continue };
            let info = &mut self.temps.info[temp];
            info.defs += 1;
            info.def = Some(k as u32);
            info.class = Some(match (info.class, class) {
                (None, class) => class,
                (Some(a), b) if a == b => a,
                (Some(Class::W | Class::L), Class::W | Class::L) => Class::W,
                (Some(a), b) => {
                    let name = self.def.temps.show(temp);
                    let message =
                        format!("`%{name}` is assigned as `{}` here and as `{}` before", b.letter(), a.letter());
                    self.errors.push(Diagnostic::new(inst.span, message));
                    a
                }
            });
        }
    }

    // ---- Step 2 ----

    fn locations_and_uses(&mut self) {
        for &(ty, temp) in &self.def.params {
            let object = match ty {
                AbiType::Agg(name) => self.context.aggs[name].expand().map(|agg| self.aggregate(temp, agg, true)),
                AbiType::Base(_) | AbiType::Sub(..) | AbiType::Env => None,
            };
            self.temps.param_objects.push(object);
            if let Some(obj) = object {
                self.locate(temp, StackLocation { obj, disp: 0 });
            }
        }
        for (b, block) in self.def.blocks.iter().enumerate() {
            for k in block.insts.0..block.insts.1 {
                let inst = &self.def.insts[k as usize];
                match inst.op {
                    Operation::Alloc(log2) => self.allocation(k, inst, log2, b == 0),
                    Operation::Call => self.call(k, inst),
                    _ => self.other(inst),
                }
            }
            match block.jump {
                Jump::Jnz(Val::Temp(t), then, other) if then != other => self.temps.info[t].jnz_uses += 1,
                Jump::Ret(Some(value)) => {
                    self.count(value, matches!(self.def.result, Some(AbiType::Agg(_))));
                }
                Jump::Jmp(_) | Jump::Jnz(..) | Jump::Ret(None) | Jump::Hlt => {}
            }
        }
    }

    fn count(&mut self, value: Val, as_address: bool) {
        if let Val::Temp(t) = value {
            let info = &mut self.temps.info[t];
            *(if as_address { &mut info.address_uses } else { &mut info.value_uses }) += 1;
        }
    }

    /// Gives a temporary a location. It gets none unless this is its only assignment and its class the class of
    /// addresses.
    fn locate(&mut self, temp: Temp, location: StackLocation) -> bool {
        let info = &mut self.temps.info[temp];
        let only = info.defs == 1 && info.class == Some(Class::L);
        if only {
            info.location = Some(location);
        }
        only
    }

    fn allocation(&mut self, k: u32, inst: &Inst, log2: u8, in_first_block: bool) {
        let size = match inst.args[0] {
            Val::Const(size) if in_first_block => size,
            value => return self.count(value, false),
        };
        if size > MAX_OBJECT_SIZE {
            let message = format!("the allocation has {} bytes, not 0 to {MAX_OBJECT_SIZE}", size as i64);
            return self.errors.push(Diagnostic::new(inst.span, message));
        }
        let Some((temp, _)) = inst.dst else { return };
        let align = 1 << log2;
        let object = StackData {
            explicit_align: (align != 8).then_some(align),
            ..StackData::new(self.object_name(temp), size, align)
        };
        let obj = self.func.stack.push(object);
        self.temps.inst_objects.push((k, obj));
        self.locate(temp, StackLocation { obj, disp: 0 });
    }

    fn call(&mut self, k: u32, inst: &Inst) {
        self.count(inst.args[0], false);
        let call = &self.def.calls[inst.extra as usize];
        if let Some(builtin) = Builtin::of(self.context, inst, call) {
            return self.builtin(builtin, inst, call);
        }
        for &(ty, value, _) in &call.args {
            self.count(value, matches!(ty, AbiType::Agg(_)));
        }
        if let (Some(AbiType::Agg(name)), Some((temp, _))) = (call.result, inst.dst) {
            let Some(agg) = self.context.aggs[name].expand() else { return };
            let obj = self.aggregate(temp, agg, false);
            self.temps.inst_objects.push((k, obj));
            self.locate(temp, StackLocation { obj, disp: 0 });
        }
    }

    /// The result is a copy of the first argument.
    fn builtin(&mut self, builtin: Builtin, inst: &Inst, call: &Call) {
        for (&(_, value, _), as_address) in call.args.iter().zip(builtin.addresses()) {
            self.count(value, as_address);
        }
        let (Some((result, Class::L)), Val::Temp(address)) = (inst.dst, call.args[0].1) else { return };
        if let Some(location) = self.temps.info[address].location
            && !self.locate(result, location)
        {
            self.count(Val::Temp(address), false);
        }
    }

    fn other(&mut self, inst: &Inst) {
        if inst.op == Operation::Phi {
            for &(_, value) in &self.def.phis[inst.extra as usize] {
                self.count(value, false);
            }
            return;
        }
        if let (Some(location), Some((temp, Class::L))) = (self.location_of_result(inst), inst.dst)
            && self.locate(temp, location)
        {
            return;
        }
        let addresses = match inst.op {
            Operation::Load(..) | Operation::LoadClass | Operation::VaStart | Operation::VaArg => [true, false],
            Operation::Store(_) => [false, true],
            Operation::Blit => [true, true],
            _ => [false, false],
        };
        for (value, as_address) in inst.args.into_iter().zip(addresses) {
            self.count(value, as_address);
        }
    }

    /// Returns the location of a copy of a temporary that has one. The copy may have a constant added or subtracted.
    fn location_of_result(&self, inst: &Inst) -> Option<StackLocation> {
        let (temp, offset) = match (inst.op, inst.args) {
            (Operation::Copy, [Val::Temp(t), _]) => (t, 0),
            (Operation::Arith(Opcode::Add, _), [Val::Temp(t), Val::Const(c)] | [Val::Const(c), Val::Temp(t)]) => {
                (t, c as i64)
            }
            (Operation::Arith(Opcode::Sub, _), [Val::Temp(t), Val::Const(c)]) => (t, (c as i64).checked_neg()?),
            _ => return None,
        };
        let StackLocation { obj, disp } = self.temps.info[temp].location?;
        Some(StackLocation { obj, disp: (disp as i64).checked_add(offset)?.try_into().ok()? })
    }

    /// Makes a stack object of an aggregate type, named after a temporary.
    fn aggregate(&mut self, temp: Temp, agg: Agg, is_param: bool) -> Obj {
        let ty = &self.context.decls.types[agg];
        let (size, align) = (ty.size, ty.align.max(8));
        let name = self.object_name(temp);
        self.func.stack.push(StackData { agg: agg.into(), is_param, ..StackData::new(name, size, align) })
    }

    fn object_name(&mut self, temp: Temp) -> NameRef {
        let name = self.func.names.add(self.def.temps.get(temp));
        if std::mem::replace(&mut self.named[temp.index()], true) { name.derived() } else { name }
    }

    // ---- Step 3 ----

    fn comparisons(&mut self) {
        // By temporary: the last instruction so far that assigns it.
        let mut last_def: Vec<Option<u32>> = vec![None; self.def.temps.len()];
        for block in &self.def.blocks {
            for k in block.insts.0..block.insts.1 {
                if let Some((temp, _)) = self.def.insts[k as usize].dst {
                    last_def[temp.index()] = Some(k);
                }
            }
            let Jump::Jnz(Val::Temp(temp), then, other) = block.jump else { continue };
            let info = &mut self.temps.info[temp];
            let Some(k) = info.def.filter(|_| info.defs == 1 && info.value_uses + info.address_uses == 0) else {
                continue;
            };
            let inst = &self.def.insts[k as usize];
            if then == other || !matches!(inst.op, Operation::IntCompare(..) | Operation::FloatCompare(..)) {
                continue;
            }
            info.is_truth = true;
            let changed = |value: &Val| matches!(value, Val::Temp(t) if last_def[t.index()] > Some(k));
            let same_block = (block.insts.0..block.insts.1).contains(&k);
            info.is_fused = info.jnz_uses == 1 && same_block && !inst.args.iter().any(changed);
        }
    }
}

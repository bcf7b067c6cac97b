//! Stack objects to registers (`mem2reg`).
//!
//! Replaces a stack object that is used like a variable by registers and phis.
//!
//! # Example
//!
//! ```text
//!   stack $n: 4 align 4
//! entry:                                       entry:
//!   store i32 [$n], 0
//!   br %c, set, join                             br %c, set, join
//! set:                                         set:
//!   %p = lea [$n]                        =>
//!   store i32 [%p], %x
//!   jmp join                                     jmp join
//! join:                                        join:
//!                                                %n.1 = phi i32 [0, entry], [%x, set]
//!   %y = load i32 [$n]
//!   ret %y                                       ret %n.1
//! ```
//!
//! # Algorithm
//!
//! 1. Find the registers that hold a constant address in a stack object ([`crate::analysis::stack_addresses`]):
//!    results of `lea [$a + c]`, and of `lea [%p + c]`, `add %p, c` and `copy %p` where `%p` is one.
//! 2. Look at every use of an object or such a register. An object whose uses are all ordinary loads and stores of one
//!    type at one offset, or step 1, is a variable. One without uses is removed as well.
//! 3. Run [`ssa_construction`](crate::edit::ssa_construction). A store gives the variable its operand and is removed. A
//!    load is removed too, its register replaced by the value; if the value is a constant the load becomes `const`,
//!    which `constfold` propagates. Addresses of variables are removed.
//! 4. Operands of phis that were loaded get the values, and the objects leave the function.
//!
//! # Why it is sound
//!
//! The address of a variable is used for its loads and stores alone, so nothing else reaches it (no generic access and
//! no call touches an object that has not escaped), and each load reads the value of the last store, all of its bytes.
//! The initial value is 0: a load of bytes never written yields some bytes. Not variables: objects accessed by
//! `volatile`, outside their bounds, or with an index; aggregate parameters, which the caller has written; and all
//! objects of a function that calls one which `returns_twice`, since memory keeps stores between the first return and
//! the second, and registers do not.
//!
//! # Cost and limits
//!
//! As the engine, and three linear walks. An object accessed at several offsets or in several types stays: `sroa`
//! splits it into several, and ends with the steps above ([`promote`]).
//!
//! # Source
//!
//! See the engine; for objects as its variables LLVM's pass of the same name.

use crate::analysis::Preserved;
use crate::analysis::SsaView;
use crate::analysis::effects::calls_returns_twice;
use crate::analysis::stack_addresses::StackAddresses;
use crate::edit::reads::replace_reads;
use crate::edit::ssa_construction::{Access, Client, SsaConstruction, Values, Var, Variable};
use crate::pass::remarks::Remarks;
use crate::pass::remarks::{Typed, events};
use crate::pass::{Pass, PassContext, PassInfo, SsaPass};
use lir_syntax::ir::{
    Base, Cfg, Effects, EntityRef, Format, Function, Inst, InstData, Obj, Operand, PackedOption, Reg, SecondaryMap,
    Type, lies_within,
};

/// The row of the registry.
pub(crate) static INFO: PassInfo = PassInfo {
    name: "mem2reg",
    summary: "promote stack objects that are used like variables to registers and phis",
    options: &[],
    build: |_| Pass::Ssa(Box::new(Mem2Reg)),
};

struct Mem2Reg;

impl SsaPass for Mem2Reg {
    fn run(&self, f: &mut Function, _: &SsaView, cx: &mut PassContext<'_>) -> Preserved {
        if f.stack_objects().all(|(_, o)| o.is_param) || calls_returns_twice(cx.decls, f) {
            return Preserved::All;
        }
        let mut addresses = cx.scratch.take::<StackAddresses>();
        addresses.find(f, cx.analyses.cfg(f));
        let changed = promote(f, cx, &mut addresses, true);
        cx.scratch.give_back(addresses);
        Preserved::cfg_if(changed)
    }
}

/// Steps 2 to 4, in a function that calls none that returns twice. `addresses` are the function's, left as they are.
/// `says_why`: whether remarks say why objects stay. Returns whether anything changed.
pub(super) fn promote(
    f: &mut Function,
    cx: &mut PassContext<'_>,
    addresses: &mut StackAddresses,
    says_why: bool,
) -> bool {
    let mut scratch = cx.scratch.take::<PromotionScratch>();
    let mut engine = cx.scratch.take::<SsaConstruction>();
    std::mem::swap(&mut scratch.addresses, addresses);
    engine.clear();
    scratch.check_uses(f, |i, why| {
        if says_why {
            cx.remarks.missed(f, i, why);
        }
    });
    let promoted = scratch.choose(f, &mut engine);
    if !promoted.is_empty() {
        let (cfg, dom) = cx.analyses.dominators(f);
        let remarks = &mut *cx.remarks;
        let phis = engine.run(f, cfg, dom, &mut Promotion { scratch: &mut scratch, cfg, remarks });
        scratch.replace_in_phis(f);
        cx.stats.add("phis placed", phis as u64);
    }
    for &o in &promoted {
        f.remove_stack_object(o);
    }
    cx.stats.add("stack objects removed", promoted.len() as u64);
    std::mem::swap(&mut scratch.addresses, addresses);
    cx.scratch.give_back(engine);
    cx.scratch.give_back(scratch);
    !promoted.is_empty()
}

/// The findings of step 2 about an object.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
enum Use {
    /// No use of it was seen, except to make addresses.
    None,
    /// All loads and stores that were seen have this type and offset.
    Slot(Type, i32),
    /// Anything else.
    Other,
}

#[derive(Default)]
struct PromotionScratch {
    /// The addresses of step 1.
    addresses: StackAddresses,
    uses: Vec<Use>,
    /// The variable of each object that is one.
    var_of: SecondaryMap<Obj, PackedOption<Var>>,
    /// The register that replaces the result of a removed load, itself one that stays. Otherwise none.
    replaced: SecondaryMap<Reg, PackedOption<Reg>>,
}

impl PromotionScratch {
    /// Step 2. Reports, for the first use of each object that keeps it from being a variable, the reason.
    fn check_uses(&mut self, f: &Function, mut say: impl FnMut(Inst, Event)) {
        self.uses.clear();
        self.uses.extend(f.stack.values().map(|o| if o.is_param { Use::Other } else { Use::None }));
        for i in f.layout().all_insts() {
            let access = self.ordinary_access(f, i);
            let PromotionScratch { addresses, uses, .. } = self;
            let mut keep = |uses: &mut [Use], o: Obj, why: fn(Obj) -> Event| {
                if std::mem::replace(&mut uses[o.index()], Use::Other) != Use::Other {
                    say(i, why(o));
                }
            };
            if let Some((o, ty, disp)) = access {
                let d = f.inst(i);
                let stored = if d.op.format() == Format::Store { d.stored().as_reg() } else { None };
                if let Some((stored, _)) = stored.and_then(|r| addresses.get(r)) {
                    keep(uses, stored, Event::AddressStored);
                }
                match uses[o.index()] {
                    Use::None if lies_within(disp.into(), ty.bytes().into(), f.stack[o].size) => {
                        uses[o.index()] = Use::Slot(ty, disp);
                    }
                    Use::Slot(t, d) if (t, d) == (ty, disp) => {}
                    Use::None => keep(uses, o, Event::AccessedOutside),
                    Use::Slot(..) | Use::Other => keep(uses, o, Event::AccessedOtherwise),
                }
            } else if !addresses.is_made_by(f, i) {
                f.for_each_mem(i, |m| {
                    if let Base::Obj(o) = m.base {
                        keep(uses, o, Event::EscapesHere);
                    }
                });
                f.for_each_use(i, |r| addresses.get(r).iter().for_each(|(o, _)| keep(uses, *o, Event::EscapesHere)));
            }
        }
    }
    /// Returns the object, type and offset of a non-volatile load or store at a fixed location.
    #[inline]
    fn ordinary_access(&self, f: &Function, i: Inst) -> Option<(Obj, Type, i32)> {
        let d = f.inst(i);
        let is_access = matches!(d.op.format(), Format::Load | Format::Store);
        if !is_access || d.op.effects().has(Effects::OTHER) || d.is_volatile() {
            return None;
        }
        let (o, disp) = self.addresses.locate(f.mem(i))?;
        Some((o, d.ty, disp))
    }
    /// The end of step 2: makes the variables, and returns the objects that will be removed.
    fn choose(&mut self, f: &Function, engine: &mut SsaConstruction) -> Vec<Obj> {
        self.var_of.reset(f.stack.len());
        self.replaced.reset(f.num_regs());
        let mut promoted = Vec::new();
        let initial = Operand::small(0).expect("0 is a small constant");
        let mut variable = |ty, name| PackedOption::from(engine.add_variable(Variable { ty, name, initial }));
        for (o, data) in f.stack_objects() {
            match self.uses[o.index()] {
                Use::Other => continue,
                // Addresses of it may still be made: as a variable that is never accessed it loses them.
                Use::None => self.var_of[o] = variable(Type::I8, data.name),
                Use::Slot(ty, _) => self.var_of[o] = variable(ty, data.name),
            }
            promoted.push(o);
        }
        promoted
    }
    /// Returns the variable that a load or store accesses, where it does.
    #[inline]
    fn access(&self, f: &Function, i: Inst) -> Option<Var> {
        let (o, ..) = self.ordinary_access(f, i)?;
        self.var_of[o].expand()
    }
    /// True if an instruction only makes the address of a variable.
    fn is_address_of_variable(&self, f: &Function, i: Inst) -> bool {
        let address = f.def(i).and_then(|r| self.addresses.get(r));
        address.is_some_and(|(o, _)| self.var_of[o].is_some())
    }
    fn resolve(&self, o: Operand) -> Operand {
        o.as_reg().and_then(|r| self.replaced[r].expand()).map_or(o, Operand::reg)
    }
    /// Step 4.
    fn replace_in_phis(&self, f: &mut Function) {
        let phis: Vec<Inst> = f.layout().blocks().flat_map(|b| f.phis(b)).collect();
        for i in phis {
            self.replace_uses(f, i);
        }
    }
    fn replace_uses(&self, f: &mut Function, i: Inst) {
        replace_reads(f, i, |r| self.replaced[r].expand().map(Operand::reg));
    }
}

/// Step 3.
struct Promotion<'a> {
    scratch: &'a mut PromotionScratch,
    cfg: &'a Cfg,
    remarks: &'a mut Remarks,
}

impl Client for Promotion<'_> {
    fn accesses(&self, f: &Function, i: Inst, mut note: impl FnMut(Access)) {
        if let Some(v) = self.scratch.access(f, i) {
            let is_store = f.inst(i).op.format() == Format::Store;
            note(if is_store { Access::Write(v) } else { Access::Read(v) });
        }
    }
    fn rewrite(&mut self, f: &mut Function, i: Inst, values: &mut Values) {
        let d = *f.inst(i);
        match self.scratch.access(f, i) {
            Some(v) if d.op.format() == Format::Store => {
                let value = self.scratch.resolve(d.stored());
                self.tell(f, i, value);
                values.set(v, value);
                f.remove_inst(i);
            }
            Some(v) => {
                let value = values.get(v);
                self.tell(f, i, value);
                self.rewrite_load(f, i, value);
            }
            None if self.scratch.is_address_of_variable(f, i) => f.remove_inst(i),
            None if d.op.format() != Format::Phi => self.scratch.replace_uses(f, i),
            None => {}
        }
    }
}

impl Promotion<'_> {
    /// Reports the value of the object for a removed access.
    fn tell(&mut self, f: &Function, i: Inst, value: Operand) {
        if !self.remarks.on() {
            return;
        }
        let Some((o, ty, _)) = self.scratch.ordinary_access(f, i) else { return };
        self.remarks.done(f, i, Event::Promoted(o, (ty, value)));
    }
    fn rewrite_load(&mut self, f: &mut Function, i: Inst, value: Operand) {
        let d = *f.inst(i);
        let here = f.layout().block_of(i).expect("the walk visits instructions that stand in a block");
        match (value.as_reg(), d.result()) {
            // An unreachable block may read the register of this load before the walk reaches the load.
            (Some(by), Some(r)) if self.cfg.is_reachable(here) => {
                self.scratch.replaced[r] = by.into();
                f.remove_inst(i);
            }
            _ => f.replace_inst(i, InstData::move_of(d.ty, value).with_result(d.result())),
        }
    }
}

events! {
    enum Event {
        Promoted(object: Obj, value: Typed): "promoted", "{object} becomes registers; here it holds {value}";
        EscapesHere(o: Obj): "stays",
            "{o} stays in memory: here its address is used for more than loads and stores of one type";
        AddressStored(o: Obj): "stays", "{o} stays in memory: here its address is stored";
        AccessedOtherwise(o: Obj): "stays",
            "{o} stays in memory: here it is accessed as another type or at another offset";
        AccessedOutside(o: Obj): "stays", "{o} stays in memory: here it is accessed outside of its bytes";
    }
}

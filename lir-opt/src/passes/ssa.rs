//! SSA construction for registers (`ssa`).
//!
//! Gives every register exactly one assignment: each further assignment gets a register of its own, and phis choose
//! where several meet. The inverse is [`phi_coalesce`](super::phi_coalesce).
//!
//! # Example
//!
//! ```text
//! entry:                                       entry:
//!   %s = const i32 0                             %s = const i32 0
//!   jmp loop                                     jmp loop
//! loop:                                        loop:
//!                                                %s.1 = phi i32 [%s, entry], [%s.2, loop]
//!                                                %n.1 = phi i32 [%n, entry], [%n.2, loop]
//!   %s = add i32 %s, %n                  =>      %s.2 = add i32 %s.1, %n.1
//!   %n = sub i32 %n, 1                           %n.2 = sub i32 %n.1, 1
//!   br ne i32 %n, 0, loop, done                  br ne i32 %n.2, 0, loop, done
//! done:                                        done:
//!   ret %s                                       ret %s.2
//! ```
//!
//! # Algorithm
//!
//! 1. Count assignments, the call for parameters among them. The registers with more than one are the variables. If
//!    several phis of a block assign one variable, the last one decides and the others are removed.
//! 2. Each operand of a phi that is a variable is a read at the end of its predecessor.
//! 3. Run [`ssa_construction`](crate::edit::ssa_construction). The first assignment in the text keeps the register,
//!    each other one gets a new register named after it.
//! 4. Put the values found at the ends of blocks into the phis.
//!
//! # Why it is sound
//!
//! A read gets the assignment that reaches it, by the argument of the engine. If the verifier accepts the program, some
//! assignment precedes every read, so that the initial value that the engine needs is used only for parameters, whose
//! register it is. Phis of the input are ordinary assignments at the top of their block, and all new phis of the block
//! are read at once with them, so that swaps and lost copies cannot arise: no copy is made.
//!
//! # Cost and limits
//!
//! As the engine; registers with one assignment cost one count. Phis are pruned: every phi is read. Blocks that cannot
//! be reached stay and are renamed too, each on its own: a read there that no assignment of its own block precedes
//! keeps the register, whatever it holds elsewhere.
//!
//! # Source
//!
//! See the engine.

use crate::analysis::{Analyses, Preserved};
use crate::edit::reads::reads_any;
use crate::edit::ssa_construction::{Access, Client, SsaConstruction, Values, Var, Variable};
use crate::pass::fuel::Fuel;
use crate::pass::growth::Growth;
use crate::pass::remarks::Remarks;
use crate::pass::remarks::events;
use crate::pass::stats::Stats;
use crate::pass::{FunctionPass, Pass, PassContext, PassInfo, Scratch};
use lir_syntax::ir::{
    Block, Decls, EntityRef, EntitySet, Format, Function, Inst, Operand, PackedOption, Reg, SecondaryMap,
};
use rustc_hash::FxHashMap;

/// The row of the registry.
pub(crate) static INFO: PassInfo = PassInfo {
    name: "ssa",
    summary: "give every register exactly one assignment, with phis where assignments meet",
    options: &[],
    build: |_| Pass::Function(Box::new(Ssa)),
};

struct Ssa;

impl FunctionPass for Ssa {
    fn run(&self, f: &mut Function, cx: &mut PassContext<'_>) -> Preserved {
        Preserved::cfg_if(make_ssa(f, cx).is_some())
    }
}

/// Brings a function back into SSA form in which a pass copied code, assignments included. The phis count as growth.
pub(crate) fn tell_copies_apart(f: &mut Function, cx: &mut PassContext<'_>) {
    let placed = make_ssa(f, cx).unwrap_or(0);
    cx.growth.charge(placed);
}

/// Brings a function into SSA form. Returns the number of phis that were placed, if anything changed.
pub(super) fn make_ssa(f: &mut Function, cx: &mut PassContext<'_>) -> Option<usize> {
    let mut registers = cx.scratch.take::<Registers>();
    let mut engine = cx.scratch.take::<SsaConstruction>();
    engine.clear();
    registers.listened_to = cx.remarks.on();
    registers.find_variables(f, &mut engine);
    let mut placed = None;
    let overwritten = if engine.has_variables() { registers.remove_overwritten_phis(f) } else { 0 };
    if overwritten > 0 {
        cx.stats.add("overwritten phis removed", overwritten);
        engine.clear();
        registers.find_variables(f, &mut engine);
        placed = Some(0);
    }
    if engine.has_variables() {
        let phis = registers.collect_phis(f, &mut engine);
        let (cfg, dom) = cx.analyses.dominators(f);
        let phis_placed = engine.run(f, cfg, dom, &mut *registers);
        registers.fill_phis(f, &phis, engine.edge_values());
        registers.tell(f, &engine, cx.remarks);
        cx.stats.add("phis placed", phis_placed as u64);
        cx.stats.add("registers made", registers.made);
        placed = Some(phis_placed);
    }
    cx.scratch.give_back(engine);
    cx.scratch.give_back(registers);
    placed
}

/// Brings one function into SSA form, outside of any pipeline: for code generation, where a register must be a value.
pub fn into_ssa(decls: &Decls, f: &mut Function) {
    let (mut analyses, mut scratch) = (Analyses::default(), Scratch::default());
    let (stats, remarks) = (&mut Stats::default(), &mut Remarks::default());
    let (analyses, scratch, growth) = (&mut analyses, &mut scratch, &mut Growth::of(f));
    let fuel = &mut Fuel::default();
    make_ssa(f, &mut PassContext { decls, analyses, stats, scratch, remarks, growth, fuel });
}

/// The first assignment of a register, in the part of a function looked at so far.
#[derive(Copy, Clone, Default, PartialEq)]
enum FirstAssignment {
    #[default]
    None,
    /// The call of the function: it is a parameter.
    Call,
    Inst(Inst),
}

/// The registers as variables.
#[derive(Default)]
struct Registers {
    /// The variable of each register with several assignments.
    var_of: SecondaryMap<Reg, PackedOption<Var>>,
    /// The register of each variable.
    variables: Vec<Reg>,
    /// The assignments that keep their register: the first one of each variable, none for parameters.
    first: EntitySet<Inst>,
    /// The first assignment of each register so far.
    first_of: SecondaryMap<Reg, FirstAssignment>,
    /// The assignments that got registers of their own, and their registers before. Kept only if remarks are on.
    renamed: Vec<(Inst, Reg)>,
    listened_to: bool,
    /// Number of registers that were made for assignments.
    made: u64,
}

impl Registers {
    /// Step 1.
    fn find_variables(&mut self, f: &Function, engine: &mut SsaConstruction) {
        self.first.clear();
        self.var_of.reset(f.num_regs());
        self.first_of.reset(f.num_regs());
        self.made = 0;
        self.renamed.clear();
        self.variables.clear();
        f.param_regs().for_each(|r| self.first_of[r] = FirstAssignment::Call);
        for i in f.layout().all_insts() {
            let Some(r) = f.def(i) else { continue };
            let first = self.first_of[r];
            if first == FirstAssignment::None {
                self.first_of[r] = FirstAssignment::Inst(i);
            } else if self.var_of[r].is_none() {
                let variable = Variable { ty: f.type_of(r), name: f.regs[r].name, initial: Operand::reg(r) };
                self.var_of[r] = engine.add_variable(variable).into();
                self.variables.push(r);
                if let FirstAssignment::Inst(first) = first {
                    self.first.insert(first);
                }
            }
        }
    }
    /// Removes each phi whose variable a later phi of its block assigns: the value of such a phi is never read. Returns
    /// their number.
    fn remove_overwritten_phis(&self, f: &mut Function) -> u64 {
        let mut overwritten = Vec::new();
        let mut assigned_in: SecondaryMap<Reg, PackedOption<Block>> = SecondaryMap::default();
        assigned_in.reset(f.num_regs());
        let mut phis = Vec::new();
        for b in f.layout().blocks() {
            phis.clear();
            phis.extend(f.phis(b));
            for &i in phis.iter().rev() {
                let Some(r) = f.def(i).filter(|r| self.var_of[*r].is_some()) else { continue };
                if assigned_in[r] == b.into() {
                    overwritten.push(i);
                }
                assigned_in[r] = b.into();
            }
        }
        overwritten.iter().for_each(|i| f.remove_inst(*i));
        overwritten.len() as u64
    }
    /// Step 2. Returns the phis that read variables.
    fn collect_phis(&self, f: &Function, engine: &mut SsaConstruction) -> Vec<Inst> {
        let mut phis = Vec::new();
        for i in f.layout().blocks().flat_map(|b| f.phis(b)) {
            let mut reads_variable = false;
            for (pred, operand) in f.phi_entries(i) {
                if let Some(v) = operand.as_reg().and_then(|r| self.var_of[r].expand()) {
                    engine.add_edge_read(pred, v);
                    reads_variable = true;
                }
            }
            if reads_variable {
                phis.push(i);
            }
        }
        phis
    }
    /// Reports the new register of each assignment, and the registers that each phi joins.
    fn tell(&self, f: &Function, engine: &SsaConstruction, remarks: &mut Remarks) {
        if !remarks.on() {
            return;
        }
        let joined: FxHashMap<Reg, Reg> = engine.phis().map(|(v, r)| (r, self.variables[v.index()])).collect();
        for i in f.layout().blocks().flat_map(|b| f.phis(b)) {
            if let Some((r, variable)) = f.def(i).and_then(|r| Some((r, *joined.get(&r)?))) {
                remarks.done_of(f, i, (r, None), Event::JoinsAssignments(variable));
            }
        }
        for &(i, variable) in &self.renamed {
            let own = f.def(i).expect("it was renamed");
            remarks.done_of(f, i, (variable, Some(own)), Event::OneAssignment(variable, own));
        }
    }
    /// Step 4. The values are in the order in which step 2 found the reads.
    fn fill_phis(&self, f: &mut Function, phis: &[Inst], values: &[Operand]) {
        let mut values = values.iter();
        for &i in phis {
            f.rewrite_uses(i, |u| match self.var_of[u.reg].expand() {
                Some(_) => *values.next().expect("each read has a value"),
                None => Operand::reg(u.reg),
            });
        }
    }
}

/// Step 3.
impl Client for Registers {
    fn accesses(&self, f: &Function, i: Inst, mut note: impl FnMut(Access)) {
        if f.inst(i).op.format() != Format::Phi {
            f.for_each_use(i, |r| {
                if let Some(v) = self.var_of[r].expand() {
                    note(Access::Read(v));
                }
            });
        }
        if let Some(v) = f.def(i).and_then(|r| self.var_of[r].expand()) {
            note(Access::Write(v));
        }
    }
    fn rewrite(&mut self, f: &mut Function, i: Inst, values: &mut Values) {
        if f.inst(i).op.format() != Format::Phi && reads_any(f, i, |r| self.var_of[r].is_some()) {
            f.rewrite_uses(i, |u| self.var_of[u.reg].expand().map_or(Operand::reg(u.reg), |v| values.get(v)));
        }
        let Some(r) = f.def(i) else { return };
        let Some(v) = self.var_of[r].expand() else { return };
        let mut value = r;
        if !self.first.contains(i) {
            value = f.new_reg_like(r);
            self.made += 1;
            if self.listened_to {
                self.renamed.push((i, r));
            }
            f.replace_inst(i, f.inst(i).with_result(value));
        }
        values.set(v, Operand::reg(value));
    }
}

events! {
    enum Event {
        JoinsAssignments(variable: Reg): "joined", "chooses between the assignments of {variable} that reach it";
        OneAssignment(r: Reg, own: Reg): "split",
            "is one of several assignments of {r}, and has its own register now: {own}";
    }
}

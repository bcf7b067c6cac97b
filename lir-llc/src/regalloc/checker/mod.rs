//! The symbolic checker: proves an [`Allocation`] right for its function, independent of the allocator.
//!
//! Runs the function abstractly. For each register and spill slot, the state has the virtual registers (and repeatable
//! definitions) whose current value it holds. Edits copy the contents of a location, instructions replace them (if one
//! copies a whole register, all locations of the operand hold the result). A value of 16 bytes is in both of its slots.
//! The state at the start of a block is the meet of the states on all edges into it. At the fixed point, each operand
//! must be in the location that the allocation names, and the rules in [`regalloc`](super) must allow the location;
//! this module reads the rules from the instruction table itself.
//!
//! Source: the checker of regalloc2 (Fallin 2021), which calls this translation validation by abstract
//! interpretation; meet is intersection.
//!
//! At edges, values that are not live are forgotten, so that the states stay as small as the live sets (except if calls
//! return twice).
//!
//! Limits: a copy by an instruction makes a second location of the old value only if that has 8 bytes. Cost: a few
//! passes over the instructions, and for each block the number of locations in use.

pub(in crate::regalloc) mod live;
pub(crate) mod states;

use super::{Allocation, Edit, Loc};
use crate::mir::{MBlock, MFunction, MInst, MReg, PhiArg};
use crate::regalloc::operands::computes_in_slot;

use crate::mir::{Form, PReg, PRegSet, Props, RegClass};
use smallvec::SmallVec;
use std::fmt;

/// An error in an allocation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Complaint {
    /// The instruction, or the instruction at or after which an edit is.
    pub inst: u32,
    /// The operand: a field (`d`, `a`, `b`, `x`), `fixed`, `edit`, `slot`.
    pub operand: &'static str,
    /// The message.
    pub text: String,
}

impl fmt::Display for Complaint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "instruction {}, operand {}: {}", self.inst, self.operand, self.text)
    }
}

/// Checks an allocation; empty when it is right.
pub fn check(f: &MFunction, a: &Allocation) -> Vec<Complaint> {
    let mut c = Checker::new(f, a);
    if a.locs.len() != f.insts.len() {
        c.complain(0, "slot", format!("{} locations for {} instructions", a.locs.len(), f.insts.len()));
        return c.complaints;
    }
    if f.blocks.is_empty() {
        return c.complaints;
    }
    c.fixed_point();
    c.speaking = true;
    c.order_of_edits();
    for b in f.block_ids() {
        if c.entry[b.index()].is_some() {
            c.load(b);
            c.block(b);
        }
    }
    c.complaints
}

/// A value: a virtual register or, with larger numbers, a repeatable definition.
type Value = u32;
type Few = SmallVec<[u32; 4]>;

struct Checker<'a> {
    f: &'a MFunction,
    a: &'a Allocation,
    /// For each location the values that it holds, and for each value its locations.
    holds: Vec<Few>,
    locations: Vec<Few>,
    /// For each block the sorted pairs (location, value) at its start. None when it is not reached.
    entry: Vec<Option<Vec<(u32, Value)>>>,
    /// Locations that hold something, or held something since the block was entered.
    touched: Vec<u32>,
    /// For each block the registers that are live into it, ascending.
    live_in: Vec<Vec<u32>>,
    /// For each repeatable definition the registers that it defines.
    remat_of: Vec<Few>,
    /// Registers that hold 16 bytes, which edits do not copy.
    wide: Vec<bool>,
    /// In a function with a call that returns twice, the values that each slot may hold.
    owners: Vec<Option<Few>>,
    /// The values whose locations have changed since the last request, if changes are noted.
    changed: Option<Vec<Value>>,
    /// True if complaints are recorded: not before the fixed point is reached.
    speaking: bool,
    complaints: Vec<Complaint>,
}

impl<'a> Checker<'a> {
    fn new(f: &'a MFunction, a: &'a Allocation) -> Checker<'a> {
        let slots = a.num_slots as usize;
        let mut remat_of = vec![Few::new(); f.remats.len()];
        for (v, _) in f.vregs.iter().enumerate() {
            if let Some(k) = f.remat_index(crate::mir::VReg(v as u32)) {
                remat_of[k as usize].push(v as u32);
            }
        }
        let mut wide = vec![false; f.vregs.len()];
        for inst in f.insts.iter().filter(|i| f.exceeds_slot(i)) {
            if let Some(v) = inst.def() {
                wide[v.index()] = true;
            }
        }
        Checker {
            f,
            a,
            holds: vec![Few::new(); 32 + slots],
            locations: vec![Few::new(); f.vregs.len() + f.remats.len()],
            entry: vec![None; f.blocks.len()],
            touched: Vec::new(),
            live_in: live::live_in(f),
            remat_of,
            wide,
            owners: vec![None; slots],
            changed: None,
            speaking: false,
            complaints: Vec::new(),
        }
    }
    fn complain(&mut self, inst: u32, operand: &'static str, text: String) {
        if self.complaints.len() < 100 {
            self.complaints.push(Complaint { inst, operand, text });
        }
    }
    fn expect(&mut self, holds: bool, inst: u32, operand: &'static str, text: impl FnOnce() -> String) {
        if !holds && self.speaking {
            self.complain(inst, operand, text());
        }
    }

    // The state.

    fn note(&mut self, v: Value) {
        if let Some(changed) = &mut self.changed {
            changed.push(v);
        }
    }
    fn clear(&mut self, location: usize) {
        for v in std::mem::take(&mut self.holds[location]) {
            self.note(v);
            self.locations[v as usize].retain(|p| *p as usize != location);
        }
    }
    fn put(&mut self, location: usize, values: &[Value]) {
        self.clear(location);
        for v in values {
            self.add(location, *v);
        }
    }
    fn add(&mut self, location: usize, v: Value) {
        if !self.holds[location].contains(&v) {
            if self.holds[location].is_empty() {
                self.touched.push(location as u32);
            }
            self.note(v);
            self.holds[location].push(v);
            self.locations[v as usize].push(location as u32);
        }
    }
    /// The old value of a register is lost.
    fn kill(&mut self, v: Value) {
        self.note(v);
        for p in std::mem::take(&mut self.locations[v as usize]) {
            self.holds[p as usize].retain(|w| *w != v);
        }
    }
    fn value_of_remat(&self, k: u32) -> Value {
        self.f.vregs.len() as u32 + k
    }
    fn load(&mut self, b: MBlock) {
        for location in std::mem::take(&mut self.touched) {
            self.clear(location as usize);
        }
        let pairs = self.entry[b.index()].take().unwrap_or_default();
        for (location, v) in &pairs {
            self.add(*location as usize, *v);
        }
        self.entry[b.index()] = Some(pairs);
    }
    /// Lists the locations of the values that are live into a block.
    fn dump(&mut self, s: MBlock) -> Vec<(u32, Value)> {
        self.touched.sort_unstable();
        self.touched.dedup();
        let mut pairs = Vec::new();
        for location in &self.touched {
            pairs.extend(self.holds[*location as usize].iter().map(|v| (*location, *v)));
        }
        // If slots have owners, values that are not read any more count too: they may be stored once more.
        if !self.f.returns_twice {
            let live = &self.live_in[s.index()];
            pairs.retain(|(_, v)| live.binary_search(v).is_ok());
        }
        pairs.sort_unstable();
        pairs
    }

    // Dataflow.

    fn fixed_point(&mut self) {
        let mut queued = vec![false; self.f.blocks.len()];
        let mut worklist = std::collections::VecDeque::from([MBlock(0)]);
        self.entry[0] = Some(Vec::new());
        while let Some(b) = worklist.pop_front() {
            queued[b.index()] = false;
            self.load(b);
            self.block(b);
            for s in self.f.blocks[b.index()].succs.clone() {
                if self.flow(b, s) && !std::mem::replace(&mut queued[s.index()], true) {
                    worklist.push_back(s);
                }
            }
        }
    }
    /// Joins the current state into the entry of a successor, and returns whether the entry changed.
    fn flow(&mut self, b: MBlock, s: MBlock) -> bool {
        let arrived = self.across_edge(b, s);
        match &mut self.entry[s.index()] {
            None => {
                self.entry[s.index()] = Some(arrived);
                true
            }
            Some(old) => {
                let before = old.len();
                old.retain(|pair| arrived.binary_search(pair).is_ok());
                old.len() != before
            }
        }
    }
    /// Returns the current state after the phis of a successor: the locations of an operand also hold the result.
    fn across_edge(&mut self, b: MBlock, s: MBlock) -> Vec<(u32, Value)> {
        let mut pairs = self.dump(s);
        let phis = self.f.block_phis(s);
        if phis.is_empty() {
            return pairs;
        }
        let k = self.f.blocks[s.index()].preds.binary_search(&b).unwrap_or(0);
        for phi in phis {
            let from = match self.f.phi_arg(phi, k) {
                PhiArg::Reg(v) => v.0,
                PhiArg::Const(k) => self.value_of_remat(k),
            };
            pairs.extend(self.locations[from as usize].iter().map(|p| (*p, phi.dst.0)));
        }
        pairs.sort_unstable();
        pairs.dedup();
        pairs
    }

    // Edits.

    fn order_of_edits(&mut self) {
        for pair in self.a.edits.windows(2) {
            if pair[0].0 > pair[1].0 {
                self.complain(pair[1].0 / 2, "edit", "edits are not in the order of their points".to_string());
            }
        }
    }
    /// Returns the edits of a point.
    fn edits_at(&self, point: u32) -> std::ops::Range<usize> {
        let edits = &self.a.edits;
        let from = edits.partition_point(|(p, _)| *p < point);
        from..from + edits[from..].iter().take_while(|(p, _)| *p == point).count()
    }
    fn edits(&mut self, b: MBlock, point: u32) {
        for k in self.edits_at(point) {
            self.edit_at(b, k);
        }
    }
    fn edit_at(&mut self, b: MBlock, k: usize) {
        let (point, edit) = self.a.edits[k];
        let (block, i) = (&self.f.blocks[b.index()], point / 2);
        let jumped = |k: u32| self.f.props(&self.f.insts[k as usize]).has(Props::TERMINATOR);
        let unreached = if point % 2 == 1 { jumped(i) } else { i > block.start && jumped(i - 1) };
        self.expect(!unreached, i, "edit", || format!("{edit:?} comes after a jump"));
        self.edit(b, i, point == 2 * block.start, edit);
    }
    fn edit(&mut self, b: MBlock, i: u32, at_top: bool, edit: Edit) {
        match edit {
            Edit::Move { from, to, class } => {
                for loc in [from, to] {
                    let parts = self.parts(loc, class);
                    let exists = parts.end <= self.holds.len();
                    let is_aligned = parts.start.is_multiple_of(parts.len());
                    let fits = exists && is_aligned && loc.as_reg().is_none_or(|r| r.class() == class);
                    self.expect(fits, i, "edit", || format!("{edit:?}: {loc:?} is not a location of this class"));
                    if !exists {
                        return;
                    }
                }
                self.written(i, "edit", to);
                let values = self.narrow(self.parts(from, class));
                for part in self.parts(to, class) {
                    self.put(part, &values);
                    self.owned(b, i, part, &values);
                }
            }
            Edit::Exchange(a, b) => {
                let general = a.class() == RegClass::Int && b.class() == RegClass::Int;
                self.expect(general, i, "edit", || format!("{edit:?}: only general registers are exchanged"));
                self.written(i, "edit", Loc::reg(a));
                self.written(i, "edit", Loc::reg(b));
                let (in_a, in_b) = (self.holds[a.index()].clone(), self.holds[b.index()].clone());
                self.put(a.index(), &in_b);
                self.put(b.index(), &in_a);
            }
            Edit::Remat(k, r) => {
                let fits = self.f.remats.get(k as usize).is_some_and(|how| self.f.class_of_d(how) == r.class());
                self.expect(fits, i, "edit", || format!("{edit:?}: there is no such definition of this class"));
                if !fits {
                    return;
                }
                self.written(i, "edit", Loc::reg(r));
                let mut values = self.remat_of[k as usize].clone();
                values.push(self.value_of_remat(k));
                if at_top {
                    // The edge into the block may end here: a phi of it has this value too.
                    let alike: Few = self.phis_of(b, k);
                    values.extend(alike);
                }
                self.put(r.index(), &values);
            }
        }
    }
    /// Returns the phis of a block with one predecessor whose operand is repeatable definition `k`.
    fn phis_of(&self, b: MBlock, k: u32) -> Few {
        if self.f.blocks[b.index()].preds.len() != 1 {
            return Few::new();
        }
        let same = |arg| match arg {
            PhiArg::Reg(v) => self.f.remat_index(v) == Some(k),
            PhiArg::Const(c) => c == k,
        };
        self.f.block_phis(b).iter().filter(|p| same(self.f.phi_arg(p, 0))).map(|p| p.dst.0).collect()
    }
    /// Checks that a register may be written, and is listed as written.
    fn written(&mut self, i: u32, operand: &'static str, loc: Loc) {
        if let Some(r) = loc.as_reg() {
            let reserved = self.f.reserved().contains(r);
            self.expect(!reserved, i, operand, || format!("{} is not to be written", self.f.env.name(r)));
            let used = self.a.used;
            self.expect(used.contains(r), i, operand, || {
                format!("{} is written but not in `used`", self.f.env.name(r))
            });
        }
    }
    /// Checks that a slot belongs to one value if a call returns twice.
    fn owned(&mut self, b: MBlock, i: u32, to: usize, values: &[Value]) {
        let slot = to.checked_sub(Loc::FIRST_SLOT as usize).filter(|_| self.f.returns_twice && self.speaking);
        let Some(slot) = slot else { return };
        let mut values = Few::from_slice(values);
        // Before a jump the value may be the result of a phi in the next block.
        if let [s] = self.f.blocks[b.index()].succs[..] {
            let k = self.f.blocks[s.index()].preds.binary_search(&b).unwrap_or(0);
            for phi in self.f.block_phis(s) {
                let arg = match self.f.phi_arg(phi, k) {
                    PhiArg::Reg(v) => v.0,
                    PhiArg::Const(c) => self.value_of_remat(c),
                };
                if values.contains(&arg) {
                    values.push(phi.dst.0);
                }
            }
        }
        let shared = match &mut self.owners[slot] {
            // The first write; it may save a register that holds nothing.
            none @ None => {
                *none = Some(values);
                false
            }
            Some(owners) => {
                owners.retain(|v| values.contains(v));
                owners.is_empty()
            }
        };
        self.expect(!shared, i, "slot", || format!("slot {slot} holds two values"));
    }

    // Instructions.

    fn block(&mut self, b: MBlock) {
        let data = &self.f.blocks[b.index()];
        for i in data.start..data.end {
            self.edits(b, 2 * i);
            self.inst(i, &self.f.insts[i as usize]);
            self.edits(b, 2 * i + 1);
        }
    }
    fn inst(&mut self, i: u32, inst: &MInst) {
        let clobbers = self.f.clobbers(inst);
        self.reads(i, inst);
        for (r, p) in self.f.fixed_uses(inst) {
            self.holds_use(i, "fixed", *r, Loc::reg(*p));
        }
        for r in self.f.overwrites(inst).iter() {
            self.clear(r.index());
        }
        let calls = self.f.props(inst).has(Props::CALL);
        let lost = if calls { clobbers.minus(self.f.env.callee_saved) } else { clobbers };
        let listed = lost.minus(self.a.used).is_empty();
        self.expect(listed, i, "fixed", || "a clobbered register is not in `used`".to_string());
        self.writes(i, inst, clobbers);
        let defs = self.f.fixed_defs(inst);
        for (r, _) in defs {
            if let Some(v) = r.as_virt() {
                self.kill(v.0);
            }
        }
        for (r, p) in defs {
            if let Some(v) = r.as_virt() {
                self.add(p.index(), v.0);
            }
        }
    }
    fn writes(&mut self, i: u32, inst: &MInst, clobbers: PRegSet) {
        let loc = self.a.locs[i as usize][0];
        let Some(v) = inst.def() else {
            return self
                .expect(loc == Loc::NONE, i, "d", || format!("{loc:?} is given for a field that is not an operand"));
        };
        let fixed = self.f.fixed(inst).d;
        match (loc.as_reg(), fixed) {
            (Some(r), Some(p)) => self.expect(r == p, i, "d", || {
                format!("is in {}, has to be in {}", self.f.env.name(r), self.f.env.name(p))
            }),
            (Some(r), None) => {
                let class = self.f.class(v);
                self.expect(r.class() == class, i, "d", || {
                    format!("{v:?} is of class {class:?}, {} is not", self.f.env.name(r))
                });
                self.expect(!clobbers.contains(r), i, "d", || format!("{} is clobbered", self.f.env.name(r)));
            }
            (None, None)
                if loc.as_slot().is_some() && loc == self.a.locs[i as usize][1] && computes_in_slot(self.f, inst) => {}
            (None, _) => self.expect(false, i, "d", || format!("{v:?} is assigned in {loc:?}, not in a register")),
        }
        self.written(i, "d", loc);
        let from = self.parts(self.a.locs[i as usize][1], self.f.class(v));
        let copied = inst.a.as_virt().filter(|_| self.f.is_whole_copy(inst) && from.end <= self.holds.len());
        let holders = copied.map_or(Few::new(), |a| self.locations[a.index()].clone());
        self.kill(v.0);
        if loc.index() >= self.holds.len() {
            return;
        }
        let mut values = Few::from_slice(&[v.0]);
        if copied.is_some() {
            // The locations of the operand also hold the result.
            holders.iter().for_each(|location| self.add(*location as usize, v.0));
            values.extend(self.narrow(from));
        }
        self.put(loc.index(), &values);
    }
    /// Returns the parts of a location for values of a class: the register, or slots of 8 bytes.
    fn parts(&self, loc: Loc, class: RegClass) -> std::ops::Range<usize> {
        let count = if loc.as_slot().is_some() { self.f.env.slot_size(class).bytes() as usize / 8 } else { 1 };
        loc.index()..loc.index() + count
    }
    /// Returns the contents of a location, with these parts, as a copy of the size of a slot copies them.
    fn narrow(&self, parts: std::ops::Range<usize>) -> Few {
        let is_wide = |v: &Value| self.wide.get(*v as usize).is_some_and(|w| *w);
        let is_whole = |v: &Value| parts.clone().skip(1).all(|part| self.holds[part].contains(v));
        self.holds[parts.start].iter().copied().filter(|v| !is_wide(v) && is_whole(v)).collect()
    }
    /// Checks the fields that are read.
    fn reads(&mut self, i: u32, inst: &MInst) {
        let (form, props, fixed) = (inst.form, self.f.props(inst), self.f.fixed(inst));
        let (locs, b) = (self.a.locs[i as usize], MReg::from_bits(inst.b));
        let field = |read: bool, r: MReg| if read { r } else { MReg::NONE };
        let a = field(form.uses_a(), inst.a);
        let b = field(form.uses_b() || form.has_mem(), b);
        let x = field(form.uses_x() || form.has_mem(), inst.x);
        let slot_b = props.has(Props::SLOT_SOURCE) && matches!(form, Form::AB | Form::DTB | Form::DAB);
        let slot_a = props.has(Props::SLOT_SOURCE) && form == Form::DA
            || props.has(Props::SLOT_FIRST) && matches!(form, Form::AB | Form::AI);
        let in_place = locs[0] != Loc::NONE && locs[0] == locs[1];
        self.field(i, "a", a, locs[1], fixed.a, slot_a || in_place && computes_in_slot(self.f, inst));
        self.field(i, "b", b, locs[2], if form.uses_b() { fixed.b } else { None }, slot_b);
        self.field(i, "x", x, locs[3], None, false);
        let slots = locs[1..].iter().filter(|l| l.as_slot().is_some()).count();
        self.expect(slots <= 1, i, "slot", || format!("{slots} operands are in memory"));
        if form.is_tied() && !in_place {
            let b_may = form.uses_b() && props.has(Props::COMMUTATIVE);
            for (name, loc) in [("b", locs[2]), ("x", locs[3])] {
                let clash = loc != Loc::NONE && loc == locs[0] && !(name == "b" && b_may);
                self.expect(!clash, i, name, || {
                    format!("shares {} with the destination, which is written first", self.f.env.named(loc))
                });
            }
        }
    }
    fn field(&mut self, i: u32, name: &'static str, r: MReg, loc: Loc, fixed: Option<PReg>, slot: bool) {
        let Some(v) = r.as_virt() else {
            return self
                .expect(loc == Loc::NONE, i, name, || format!("{loc:?} is given for a field that is not an operand"));
        };
        if let Some(p) = fixed {
            self.expect(loc == Loc::reg(p), i, name, || {
                format!("is in {}, has to be in {}", self.f.env.named(loc), self.f.env.name(p))
            });
        } else if let Some(p) = loc.as_reg() {
            let class = self.f.class(v);
            self.expect(p.class() == class, i, name, || {
                format!("{v:?} is of class {class:?}, {} is not", self.f.env.name(p))
            });
            let taken = self.taken_early(i);
            self.expect(!taken.contains(p), i, name, || {
                format!("{} is taken by a fixed operand or clobbered", self.f.env.name(p))
            });
        } else {
            self.expect(slot, i, name, || format!("{v:?} is in {} where a register is needed", self.f.env.named(loc)));
        }
        self.holds_use(i, name, r, loc);
    }
    /// Registers that hold fixed operands, or are overwritten, while ordinary operands are read.
    fn taken_early(&self, i: u32) -> PRegSet {
        let inst = &self.f.insts[i as usize];
        let fixed = self.f.fixed(inst).clobbers;
        let Some(record) = self.f.record(inst) else { return fixed };
        let al = if record.al.is_some() { fixed.with(self.f.env.variadic_count) } else { fixed };
        record.uses.iter().fold(al, |set, (_, p)| set.with(*p))
    }
    fn holds_use(&mut self, i: u32, name: &'static str, r: MReg, loc: Loc) {
        if let Some(v) = r.as_virt() {
            let holds = |part: usize| self.holds.get(part).is_some_and(|values| values.contains(&v.0));
            let there = self.parts(loc, self.f.class(v)).all(holds);
            let locations = &self.locations[v.index()];
            let text = (!there && self.speaking).then(|| format!("{v:?} is read from {loc:?} but is in {locations:?}"));
            self.expect(there, i, name, || text.unwrap_or_default());
        }
    }
}

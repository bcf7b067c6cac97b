//! Executes a function twice at once, with virtual registers and as allocated, and compares the values that
//! instructions read.
//!
//! A second check of allocations: unlike the checker it walks single paths, with values in hardware registers and
//! slots, and behaves like the processor: tied operands are copied, clobbered registers lose their values, fixed
//! operands are read from the hardware's registers. A difference on some path is a change of behaviour; no difference
//! on these paths proves nothing.

use super::Rng;
use crate::mir::{MBlock, MFunction, MInst, MReg, PReg, PRegSet, PhiArg, Props, RegClass, Size, VReg};
use crate::regalloc::{Allocation, Edit, Loc};

/// Paths that are walked.
const PATHS: usize = 16;
/// Instructions on a path.
const STEPS: usize = 600;

/// Returns a difference on one of some paths, if there is one.
pub(super) fn difference(f: &MFunction, a: &Allocation, rng: &mut Rng) -> Option<String> {
    (0..PATHS).find_map(|_| Run::new(f, a).walk(rng).err())
}

struct Run<'a> {
    f: &'a MFunction,
    a: &'a Allocation,
    /// The value of each virtual register.
    values: Vec<u64>,
    /// The value in each register and slot of 8 bytes. The second slot of 16 bytes has the complement.
    locations: Vec<u64>,
    /// Values that never were before.
    fresh: u64,
    written: PRegSet,
    next_edit: usize,
}

type Same = Result<(), String>;

impl<'a> Run<'a> {
    fn new(f: &'a MFunction, a: &'a Allocation) -> Run<'a> {
        let locations = (0..32 + u64::from(a.num_slots)).map(|n| 1 << 60 | n).collect();
        let values = vec![0; f.vregs.len()];
        Run { f, a, values, locations, fresh: 1, written: PRegSet::EMPTY, next_edit: 0 }
    }
    fn fresh(&mut self) -> u64 {
        self.fresh += 1;
        self.fresh << 8
    }
    /// Returns the value of a repeatable definition, the same for equal definitions.
    fn repeated(&self, k: u32) -> u64 {
        let alike = |how: &MInst| *how == self.f.remats[k as usize];
        2 << 60 | self.f.remats.iter().position(alike).unwrap_or(0) as u64
    }
    fn walk(&mut self, rng: &mut Rng) -> Same {
        let (mut b, mut steps) = (MBlock(0), 0);
        loop {
            let data = &self.f.blocks[b.index()];
            self.next_edit = self.a.edits.partition_point(|(p, _)| *p < 2 * data.start);
            for i in data.start..data.end {
                self.edits(2 * i)?;
                self.inst(i)?;
                self.edits(2 * i + 1)?;
                steps += 1;
            }
            let Some(s) = data.succs.get(rng.below(data.succs.len().max(1))).filter(|_| steps < STEPS) else {
                let lost = self.written.and(self.f.env.callee_saved).minus(self.a.used);
                return if lost.is_empty() { Ok(()) } else { Err(format!("{lost:?} of the caller are lost")) };
            };
            self.enter(b, *s);
            b = *s;
        }
    }
    /// Executes the phis of a block, all at once.
    fn enter(&mut self, b: MBlock, s: MBlock) {
        let k = self.f.blocks[s.index()].preds.binary_search(&b).expect("a predecessor");
        let phis = self.f.block_phis(s);
        let values: Vec<u64> = phis
            .iter()
            .map(|phi| match self.f.phi_arg(phi, k) {
                PhiArg::Reg(v) => self.values[v.index()],
                PhiArg::Const(k) => self.repeated(k),
            })
            .collect();
        for (phi, value) in phis.iter().zip(values) {
            self.values[phi.dst.index()] = value;
        }
    }
    fn edits(&mut self, point: u32) -> Same {
        while let Some((_, edit)) = self.a.edits.get(self.next_edit).filter(|(p, _)| *p == point) {
            self.next_edit += 1;
            match *edit {
                Edit::Move { from, to, class } => {
                    let fits = |l: Loc| l.as_reg().is_none_or(|r| r.class() == class);
                    if !fits(from) || !fits(to) {
                        return Err(format!("{edit:?}: no such instruction"));
                    }
                    let value = self.read(from, class)?;
                    self.write(to, class, value)?;
                }
                Edit::Exchange(a, b) => {
                    if a.class() != RegClass::Int || b.class() != RegClass::Int {
                        return Err(format!("{edit:?}: no such instruction"));
                    }
                    let (x, y) = (self.read(Loc::reg(a), a.class())?, self.read(Loc::reg(b), b.class())?);
                    self.write(Loc::reg(a), a.class(), y)?;
                    self.write(Loc::reg(b), b.class(), x)?;
                }
                Edit::Remat(k, r) => {
                    let float = self.f.props(&self.f.remats[k as usize]).has(Props::FLOAT_D);
                    if float != (r.class() == RegClass::Float) {
                        return Err(format!("{edit:?}: no such instruction"));
                    }
                    let value = self.repeated(k);
                    self.write(Loc::reg(r), r.class(), value)?;
                }
            }
        }
        Ok(())
    }
    /// The second slot of a value of 16 bytes.
    fn second(&self, loc: Loc, class: RegClass) -> Option<usize> {
        loc.as_slot().filter(|_| self.f.env.slot_size(class) == Size::S128).map(|_| loc.index() + 1)
    }
    fn read(&self, loc: Loc, class: RegClass) -> Result<u64, String> {
        let at = |k: usize| self.locations.get(k).copied().ok_or_else(|| format!("{loc:?} is no location"));
        let first = at(loc.index())?;
        // Halves of two values are a value that never was.
        self.second(loc, class).map_or(Ok(first), |k| Ok(if at(k)? == !first { first } else { 3 << 60 | first }))
    }
    fn write(&mut self, loc: Loc, class: RegClass, value: u64) -> Same {
        if let Some(r) = loc.as_reg() {
            if self.f.reserved().contains(r) {
                return Err(format!("{r:?} is overwritten"));
            }
            self.written = self.written.with(r);
        }
        for (k, part) in [(Some(loc.index()), value), (self.second(loc, class), !value)] {
            let Some(k) = k else { continue };
            *self.locations.get_mut(k).ok_or_else(|| format!("{loc:?} is no location"))? = part;
        }
        Ok(())
    }
    fn compare(&self, i: u32, v: VReg, loc: Loc) -> Same {
        let (want, got) = (self.values[v.index()], self.read(loc, self.f.class(v))?);
        if want == got { Ok(()) } else { Err(format!("instruction {i} reads {v:?} in {loc:?}: {got:x}, not {want:x}")) }
    }
    fn lose(&mut self, regs: PRegSet) {
        for r in regs.iter() {
            self.locations[r.index()] = self.fresh();
        }
    }
    fn inst(&mut self, i: u32) -> Same {
        let inst = &self.f.insts[i as usize];
        let (fixed, props, locs) = (self.f.fixed(inst), self.f.props(inst), self.a.locs[i as usize]);
        let record = self.f.has_record(inst).then(|| &self.f.records[inst.record_index()]);
        for (r, p) in record.iter().flat_map(|r| &r.uses) {
            if let Some(v) = r.as_virt() {
                self.compare(i, v, Loc::reg(*p))?;
            }
        }
        if record.is_some_and(|r| r.al.is_some()) {
            self.lose(PRegSet::of(&[self.f.env.variadic_count]));
        }
        self.fields(i, inst)?;
        let clobbers = self.f.clobbers(inst);
        self.lose(self.f.overwrites(inst));
        self.written =
            self.written.or(if props.has(Props::CALL) { clobbers.minus(self.f.env.callee_saved) } else { clobbers });
        if let Some(v) = inst.def() {
            let copied = inst.a.as_virt().filter(|_| self.f.is_whole_copy(inst));
            let value = match (self.f.remat_index(v), copied) {
                (Some(k), _) => self.repeated(k),
                (None, Some(a)) => self.values[a.index()],
                (None, None) => self.fresh(),
            };
            let (d, class) = (locs[0], self.f.class(v));
            if fixed.d.is_some_and(|p| d != Loc::reg(p)) || d.as_reg().is_none_or(|r| r.class() != class) {
                return Err(format!("instruction {i} cannot write {d:?}"));
            }
            self.values[v.index()] = value;
            self.write(d, class, value)?;
        }
        for (r, p) in record.iter().flat_map(|r| &r.defs) {
            if let Some(v) = r.as_virt() {
                let value = self.fresh();
                self.values[v.index()] = value;
                self.locations[p.index()] = value;
            }
        }
        Ok(())
    }
    /// The operands in fields, in the order of the hardware: fixed ones first, then `a`, which is copied to the
    /// destination if it is tied to it, then the others.
    fn fields(&mut self, i: u32, inst: &MInst) -> Same {
        let (form, props, fixed) = (inst.form, self.f.props(inst), self.f.fixed(inst));
        let locs = self.a.locs[i as usize];
        let b = MReg::from_bits(inst.b).as_virt();
        let a = inst.a.as_virt().filter(|_| form.uses_a());
        let b = b.filter(|_| form.uses_b() || form.has_mem());
        let x = inst.x.as_virt().filter(|_| form.has_mem());
        let fixed_b = fixed.b.filter(|_| form.uses_b());
        let fields = [(a, locs[1], fixed.a), (b, locs[2], fixed_b), (x, locs[3], None)];
        for (v, loc, p) in fields {
            let misplaced = |v: VReg| loc.as_reg().is_some_and(|r| r.class() != self.f.class(v));
            if v.is_some_and(misplaced) || p.is_some_and(|p| v.is_some() && loc != Loc::reg(p)) {
                return Err(format!("instruction {i} cannot read {loc:?}"));
            }
            if let (Some(v), Some(_)) = (v, p) {
                self.compare(i, v, loc)?;
            }
        }
        if !self.is_encodable(inst, locs) {
            return Err(format!("instruction {i} cannot have operands {locs:?}"));
        }
        if !self.f.has_record(inst) {
            let written = fixed.clobbers.minus(fields.iter().filter_map(|f| f.2).fold(PRegSet::EMPTY, PRegSet::with));
            self.lose(written);
        }
        if let (Some(v), None) = (a, fixed.a) {
            self.compare(i, v, locs[1])?;
        }
        let exchanged = form.uses_b() && props.has(Props::COMMUTATIVE) && locs[0] == locs[2];
        if form.is_tied() && locs[0] != locs[1] && !exchanged {
            let class = self.f.class_of_d(inst);
            let value = self.read(locs[1], class)?;
            self.write(locs[0], class, value)?;
        }
        for (v, loc, p) in fields[1..].iter().copied() {
            if let (Some(v), None) = (v, p) {
                self.compare(i, v, loc)?;
            }
        }
        Ok(())
    }
    /// True if the fields in memory may be there.
    fn is_encodable(&self, inst: &MInst, locs: [Loc; 4]) -> bool {
        use crate::mir::Form;
        let props = self.f.props(inst);
        let slots: Vec<usize> = (0..4).filter(|k| locs[*k].as_slot().is_some()).collect();
        match slots[..] {
            [] => true,
            [1] => {
                props.has(Props::SLOT_SOURCE) && inst.form == Form::DA
                    || props.has(Props::SLOT_FIRST) && matches!(inst.form, Form::AB | Form::AI)
            }
            [2] => props.has(Props::SLOT_SOURCE) && matches!(inst.form, Form::AB | Form::DTB | Form::DAB),
            _ => false,
        }
    }
}

/// Another register of the same class that is not reserved.
pub(super) fn other_register(f: &MFunction, r: PReg, rng: &mut Rng) -> PReg {
    let among = PRegSet::class(r.class()).minus(f.reserved()).minus(PRegSet::of(&[r]));
    among.iter().nth(rng.below(among.len() as usize)).unwrap_or(r)
}

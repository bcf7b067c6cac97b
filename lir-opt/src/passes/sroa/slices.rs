//! Steps 1 and 2 of [`sroa`](super): finds the bytes of objects that each instruction accesses.

use super::MAX_COPY_BYTES;
use crate::analysis::effects::is_returns_twice_call;
use crate::analysis::stack_addresses::StackAddresses;
use crate::pass::remarks::Remarks;
use crate::passes::sroa::events::Event;
use lir_syntax::ir::{
    Base, CallArg, CallResult, Cfg, Decls, Effects, EntityRef, Format, Function, Inst, Mem, Obj, Opcode, Reg, Type,
};

/// The access of an instruction to bytes of an object.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    /// An ordinary load.
    Load,
    /// An ordinary store.
    Store,
    /// A volatile access, or one end of a large copy: the bytes stay in memory.
    Pin,
    /// The end of a small copy that is written.
    CopyTo,
    /// The end of a small copy that is read.
    CopyFrom,
    /// A fill of constant size.
    Fill,
    /// An aggregate is taken from here: an argument, or a returned value.
    AggRead,
    /// An aggregate is put here: the result of a call.
    AggWrite,
}

/// Bytes `start..end` of an object, and the instruction that accesses them. They lie inside the object.
#[derive(Copy, Clone, Debug)]
pub(super) struct Slice {
    pub(super) obj: Obj,
    pub(super) start: u32,
    pub(super) end: u32,
    pub(super) kind: Kind,
    pub(super) inst: Inst,
}

/// The facts about an object.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
enum Use {
    /// No slices.
    None,
    /// Loads and stores of one type at one offset: a variable as it is.
    Variable(Type, u32),
    /// Slices that differ.
    Several,
    /// Its address is used for more, or some access of it has no fixed location.
    Whole,
}

/// All slices of a function.
#[derive(Default)]
pub(super) struct Slices {
    /// The addresses of step 1.
    pub(super) addresses: StackAddresses,
    /// In the order of the instructions; the slices of one instruction are adjacent. The slices of objects found to be
    /// whole are removed by [`Slices::collect`].
    pub(super) slices: Vec<Slice>,
    /// Copies and fills of no bytes.
    pub(super) empty: Vec<Inst>,
    /// By object.
    uses: Vec<Use>,
}

impl Slices {
    /// Steps 1 and 2. Returns false if there is a call that returns twice, so that all objects stay.
    pub(super) fn collect(&mut self, decls: &Decls, f: &Function, cfg: &Cfg, remarks: &mut Remarks) -> bool {
        self.addresses.find(f, cfg);
        self.slices.clear();
        self.empty.clear();
        self.uses.clear();
        // Offsets of slices are 32 bits wide.
        let first = |size: u64| if i32::try_from(size).is_ok() { Use::None } else { Use::Whole };
        self.uses.extend(f.stack.values().map(|o| first(o.size)));
        for i in f.layout().all_insts() {
            if is_returns_twice_call(decls, f, i) {
                return false;
            }
            self.visit(decls, f, i, remarks);
        }
        if self.uses.contains(&Use::Whole) {
            let uses = &self.uses;
            self.slices.retain(|s| uses[s.obj.index()] != Use::Whole);
        }
        true
    }
    /// True if an object can be split and is not a variable as it is.
    pub(super) fn is_candidate(&self, o: Obj) -> bool {
        self.uses[o.index()] == Use::Several
    }
    /// True if there is an object of that kind.
    pub(super) fn has_candidates(&self) -> bool {
        self.uses.contains(&Use::Several)
    }
    /// Returns the object and offset that a memory operand names, where the object can be split.
    pub(super) fn location(&self, m: Mem) -> Option<(Obj, u32)> {
        let (o, at) = self.addresses.locate(m)?;
        if self.is_candidate(o) { Some((o, u32::try_from(at).ok()?)) } else { None }
    }

    fn visit(&mut self, decls: &Decls, f: &Function, i: Inst, remarks: &mut Remarks) {
        let d = *f.inst(i);
        match d.op.format() {
            Format::Load | Format::Store if !d.op.effects().has(Effects::OTHER) => {
                let is_store = d.op.format() == Format::Store;
                let kind = if d.is_volatile() {
                    Kind::Pin
                } else if is_store {
                    Kind::Store
                } else {
                    Kind::Load
                };
                self.add(f, i, f.mem(i), d.ty.bytes() as u64, kind, remarks);
                if is_store {
                    self.keep_reg(f, i, d.stored().as_reg(), remarks);
                }
            }
            Format::MemCopy => match self.size(f, i) {
                Some(0) => self.empty.push(i),
                Some(n) => {
                    // Parts are copied one after the other, which only ranges that do not overlap allow.
                    let small = n <= MAX_COPY_BYTES && !(d.op == Opcode::Memmove && self.is_within_object(f, i));
                    let (to, from) = if small { (Kind::CopyTo, Kind::CopyFrom) } else { (Kind::Pin, Kind::Pin) };
                    self.add(f, i, f.mem_dst(i), n, to, remarks);
                    self.add(f, i, f.mem_src(i), n, from, remarks);
                }
                None => self.keep_all(f, i, remarks),
            },
            Format::MemFill => match self.size(f, i) {
                Some(0) => self.empty.push(i),
                Some(n) => self.add(f, i, f.mem_dst(i), n, Kind::Fill, remarks),
                None => self.keep_all(f, i, remarks),
            },
            Format::Call => self.visit_call(decls, f, i, remarks),
            Format::AggReturn => {
                let n = decls.types[d.agg()].size;
                self.add(f, i, f.mem(i), n, Kind::AggRead, remarks);
            }
            _ if self.addresses.is_made_by(f, i) => {}
            _ => self.keep_all(f, i, remarks),
        }
    }
    fn visit_call(&mut self, decls: &Decls, f: &Function, i: Inst, remarks: &mut Remarks) {
        self.keep_reg(f, i, f.inst(i).first().as_reg(), remarks);
        if let CallResult::Agg(agg, m) = f.call_result(i) {
            self.add(f, i, m, decls.types[agg].size, Kind::AggWrite, remarks);
        }
        for argument in f.call_args(i) {
            match argument {
                CallArg::Reg(r, _) => self.keep_reg(f, i, Some(r), remarks),
                CallArg::Agg(agg, m) => self.add(f, i, m, decls.types[agg].size, Kind::AggRead, remarks),
            }
        }
    }
    /// True if a copy reads the object that it writes.
    fn is_within_object(&self, f: &Function, i: Inst) -> bool {
        let [to, from] = [f.mem_dst(i), f.mem_src(i)].map(|m| self.addresses.locate(m).map(|(o, _)| o));
        to.is_some() && to == from
    }
    /// Returns the size of a copy or fill. None unless it is constant and displacements can be added up to there.
    fn size(&self, f: &Function, i: Inst) -> Option<u64> {
        let n = f.constant(f.inst(i).length())? as u64;
        let mut near = true;
        f.for_each_mem(i, |m| near &= u64::from(m.disp.max(0) as u32).saturating_add(n) <= i32::MAX as u64);
        near.then_some(n)
    }
    /// Notes an access of `n` bytes.
    fn add(&mut self, f: &Function, i: Inst, m: Mem, n: u64, kind: Kind, remarks: &mut Remarks) {
        let location = self.addresses.locate(m);
        let Some((obj, at)) = location.filter(|(o, at)| *at >= 0 && *at as u64 + n <= f.stack[*o].size) else {
            return self.keep_mem(f, i, m, remarks);
        };
        if n == 0 {
            return;
        }
        let (start, ty) = (at as u32, f.inst(i).ty);
        let is_scalar = matches!(kind, Kind::Load | Kind::Store);
        let known = &mut self.uses[obj.index()];
        *known = match *known {
            Use::None if is_scalar => Use::Variable(ty, start),
            Use::Variable(t, s) if is_scalar && (t, s) == (ty, start) => Use::Variable(t, s),
            Use::None | Use::Variable(..) | Use::Several => Use::Several,
            Use::Whole => return,
        };
        self.slices.push(Slice { obj, start, end: start + n as u32, kind, inst: i });
    }
    /// Every object that an instruction names stays.
    fn keep_all(&mut self, f: &Function, i: Inst, remarks: &mut Remarks) {
        f.for_each_mem(i, |m| {
            if let Base::Obj(o) = m.base {
                self.keep(f, i, o, remarks);
            }
        });
        f.for_each_use(i, |r| self.keep_reg(f, i, Some(r), remarks));
    }
    fn keep_mem(&mut self, f: &Function, i: Inst, m: Mem, remarks: &mut Remarks) {
        if let Base::Obj(o) = m.base {
            self.keep(f, i, o, remarks);
        }
        m.regs().for_each(|r| self.keep_reg(f, i, Some(r), remarks));
    }
    fn keep_reg(&mut self, f: &Function, i: Inst, r: Option<Reg>, remarks: &mut Remarks) {
        if let Some((o, _)) = r.and_then(|r| self.addresses.get(r)) {
            self.keep(f, i, o, remarks);
        }
    }
    fn keep(&mut self, f: &Function, i: Inst, o: Obj, remarks: &mut Remarks) {
        if std::mem::replace(&mut self.uses[o.index()], Use::Whole) != Use::Whole {
            remarks.missed(f, i, Event::AddressUsed(o));
        }
    }
}

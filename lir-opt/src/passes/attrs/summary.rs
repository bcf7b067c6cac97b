//! The effects of a function's own instructions: step 1 of `attrs`.

use super::{Facts, attrs_of};
use crate::analysis::assignments::Assignments;
use crate::analysis::bounds::lies_in_data;
use crate::analysis::effects::{is_trapping_arithmetic, may_trap};
use crate::analysis::loops::counted::CountedLoops;
use lir_syntax::ir::{
    Agg, Attrs, Base, Block, CallArg, CallResult, Cfg, Decls, DominatorTree, Effects, EntitySet, Format, Function,
    Inst, Mem, Opcode, OperandKind, Reg, Sym, lies_within,
};

/// Bytes of a frame other than stack objects: return address, saved registers, some spill slots.
const FRAME_OVERHEAD: u64 = 128;
/// A constant alloca above this may pass the end of the stack.
const MAX_ALLOCA: i64 = 4096;

/// The findings about one function.
pub(super) struct Summary {
    pub(super) facts: Facts,
    /// Bytes of stack for one activation.
    pub(super) frame: u64,
}

/// Scratch memory, kept from function to function.
#[derive(Default)]
pub(super) struct Summarizer {
    /// Registers with one assignment that hold addresses of the function's own objects.
    own: EntitySet<Reg>,
    assignments: Assignments,
    /// True if there are addresses of own objects. Only then the two maps above hold.
    has_objects: bool,
    cfg: Cfg,
    dominators: DominatorTree,
    loops: CountedLoops,
}

/// The kind of an access to memory.
#[derive(Copy, Clone, PartialEq, Eq)]
enum Access {
    Read,
    Write,
}

impl Summarizer {
    /// Computes the facts that the instructions of a function add to the `known` ones. The facts of callees are left
    /// out. Where all facts are known, not all instructions are looked at.
    pub(super) fn summarize(&mut self, decls: &Decls, f: &Function, known: Facts) -> Summary {
        let objects = f.stack_objects().fold(0u64, |n, (_, o)| n.saturating_add(o.size));
        let mut found = Summary { facts: known, frame: objects.saturating_add(FRAME_OVERHEAD) };
        self.begin(f);
        let attrs = attrs_of(decls, f.sym);
        if attrs.has(Attrs::RETURNS_TWICE) {
            found.facts = Facts::ALL;
        }
        for i in f.layout().all_insts() {
            if found.facts == Facts::ALL {
                return found;
            }
            self.visit(decls, f, i, &mut found);
        }
        if !found.facts.has(Facts::STOPS) && (attrs.has(Attrs::NORETURN) || self.first_endless(f).is_some()) {
            found.facts = found.facts.or(Facts::STOPS);
        }
        found
    }
    /// Finds the first header of a possibly endless loop, or entry of an irreducible cycle.
    pub(super) fn first_endless(&mut self, f: &Function) -> Option<Block> {
        self.cfg.recompute(f);
        if self.cfg.is_acyclic(f) {
            return None;
        }
        self.dominators.recompute(f, &self.cfg);
        // `willreturn` allows calls with arguments that the program would not pass.
        self.loops.recompute(f, &self.cfg, &self.dominators, false);
        self.loops.first_endless(&self.cfg)
    }
    /// Before the instructions of a function are visited.
    pub(super) fn begin(&mut self, f: &Function) {
        self.own.clear();
        self.has_objects = f.stack_objects().next().is_some();
        if self.has_objects {
            self.assignments.count(f);
        }
    }
    /// Adds the facts of one instruction. The instructions before it were visited.
    pub(super) fn visit(&mut self, decls: &Decls, f: &Function, i: Inst, found: &mut Summary) {
        let d = f.inst(i);
        let effects = d.op.effects();
        if self.has_objects && effects.is_pure() {
            self.note_address(f, i);
        }
        if effects.is_pure() || effects.has(Effects::PLACED) {
            return;
        }
        let facts = match d.op.format() {
            Format::Call => self.call(decls, f, i),
            Format::Alloca => self.alloca(f, i, found),
            Format::Nullary | Format::Consume => Facts::NONE,
            Format::Stop => Facts::STOPS,
            Format::AggReturn => self.access(decls, f, f.mem(i), Access::Read, Some(decls.types[d.agg()].size)),
            _ if effects.has(Effects::TERMINATOR) => Facts::NONE,
            // Lists of variable arguments.
            _ if effects.has(Effects::OTHER) => Facts::ALL,
            Format::Load if d.is_volatile() => Facts::READS.or(Facts::WRITES).or(self.load(decls, f, i)),
            Format::Load => self.load(decls, f, i),
            Format::Store => {
                let own = self.access(decls, f, f.mem(i), Access::Write, Some(d.ty.bytes() as u64));
                if d.is_volatile() { own.or(Facts::READS).or(Facts::WRITES) } else { own }
            }
            Format::MemFill => {
                let size = f.constant(d.length()).map(|n| n as u64);
                self.access(decls, f, f.mem_dst(i), Access::Write, size)
            }
            Format::MemCopy => {
                let size = f.constant(d.length()).map(|n| n as u64);
                let write = self.access(decls, f, f.mem_dst(i), Access::Write, size);
                write.or(self.access(decls, f, f.mem_src(i), Access::Read, size))
            }
            _ if is_trapping_arithmetic(effects) && !may_trap(f, i) => Facts::NONE,
            _ if is_trapping_arithmetic(effects) => Facts::STOPS,
            _ => Facts::ALL,
        };
        found.facts = found.facts.or(facts);
    }
    fn load(&self, decls: &Decls, f: &Function, i: Inst) -> Facts {
        self.access(decls, f, f.mem(i), Access::Read, Some(f.inst(i).ty.bytes() as u64))
    }
    /// Adds the effects of a call other than the effects of the callee: it moves aggregates.
    fn call(&self, decls: &Decls, f: &Function, i: Inst) -> Facts {
        let size = |a: Agg| Some(decls.types[a].size);
        let mut facts = Facts::NONE;
        if let CallResult::Agg(a, m) = f.call_result(i) {
            facts = facts.or(self.access(decls, f, m, Access::Write, size(a)));
        }
        for arg in f.call_args(i) {
            if let CallArg::Agg(a, m) = arg {
                facts = facts.or(self.access(decls, f, m, Access::Read, size(a)));
            }
        }
        facts
    }
    fn alloca(&mut self, f: &Function, i: Inst, found: &mut Summary) -> Facts {
        let d = f.inst(i);
        let size = f.constant(d.first()).filter(|n| (0..=MAX_ALLOCA).contains(n) && 1 << d.aux() <= MAX_ALLOCA);
        match size {
            // In a loop it takes stack again and again.
            Some(n) if f.layout().block_of(i) == f.layout().entry() => {
                found.frame = found.frame.saturating_add((n + (1 << d.aux())) as u64);
                Facts::NONE
            }
            _ => Facts::STOPS,
        }
    }
    /// Adds the effect of an access of this many bytes. None means that the number is not known.
    fn access(&self, decls: &Decls, f: &Function, m: Mem, access: Access, size: Option<u64>) -> Facts {
        let visible = match access {
            Access::Read => Facts::READS,
            Access::Write => Facts::WRITES,
        };
        let len = size.filter(|_| m.index.is_none());
        match m.base {
            Base::Obj(o) if len.is_some_and(|len| lies_within(m.disp.into(), len, f.stack[o].size)) => Facts::NONE,
            Base::Obj(_) => Facts::STOPS,
            Base::Reg(r) if self.has_objects && self.own.contains(r) => Facts::STOPS,
            Base::Reg(_) | Base::None => visible.or(Facts::STOPS),
            Base::Sym(s) => {
                let inside = len.is_some_and(|len| lies_in_data(decls, s, m.disp.into(), len));
                symbol_access(decls, s, access, inside).unwrap_or(visible.or(Facts::STOPS))
            }
        }
    }
    /// Notes a register that holds an address of an object of the function itself.
    fn note_address(&mut self, f: &Function, i: Inst) {
        let d = f.inst(i);
        let is_own = |o: OperandKind| matches!(o, OperandKind::Reg(r) if self.own.contains(r));
        let from_own = match d.op {
            Opcode::Lea => match f.mem(i).base {
                Base::Obj(_) => true,
                Base::Reg(r) => self.own.contains(r),
                Base::Sym(_) | Base::None => false,
            },
            Opcode::Copy => is_own(d.first().kind()),
            // A value that is not a constant may be an address, and the difference of two addresses is none.
            Opcode::Sub => d.second().is_const() && is_own(d.first().kind()),
            Opcode::Add => is_own(d.first().kind()) || is_own(d.second().kind()),
            _ => false,
        };
        if let Some(r) = f.def(i).filter(|r| from_own && self.assignments.is_single(*r)) {
            self.own.insert(r);
        }
    }
}

/// Returns the effect of an access to a data object. It may be known to lie `inside` of it. None if nothing is known.
fn symbol_access(decls: &Decls, s: Sym, access: Access, inside: bool) -> Option<Facts> {
    let data = decls.data_of(s)?;
    let traps = if inside { Facts::NONE } else { Facts::STOPS };
    match access {
        Access::Read if data.constant => Some(traps),
        Access::Read => Some(traps.or(Facts::READS)),
        Access::Write if data.constant => None,
        Access::Write => Some(traps.or(Facts::WRITES)),
    }
}

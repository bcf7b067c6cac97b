//! Finds registers that hold the address of a fixed location in a stack object. For `mem2reg`, `sroa` and `const-data`.
//!
//! ```text
//!   %p = lea [$a + 8]      $a + 8
//!   %q = add i64 %p, 4     $a + 12
//!   %r = copy i64 %q       $a + 12
//!   %s = lea [%p + %i*4]   nothing: the location is not fixed
//! ```
//!
//! Phis and selects are not followed, even if all operands are the same.

use lir_syntax::ir::{Base, Cfg, Format, Function, Inst, Mem, Obj, Opcode, Reg, SecondaryMap};

/// A location: an object and an offset in bytes, which may lie outside of it.
pub(crate) type ObjectOffset = (Obj, i32);

/// The locations that registers of a function in SSA form hold the addresses of.
#[derive(Default)]
pub(crate) struct StackAddresses {
    locations: SecondaryMap<Reg, Option<ObjectOffset>>,
}

impl StackAddresses {
    /// Visits every instruction once. Reachable blocks are visited in an order in which addresses are computed before
    /// they are used; in unreachable ones an address that is used earlier is not followed.
    pub(crate) fn find(&mut self, f: &Function, cfg: &Cfg) {
        self.locations.reset(f.num_regs());
        let unreachable = f.layout().blocks().filter(|b| !cfg.is_reachable(*b));
        for i in cfg.rpo().iter().copied().chain(unreachable).flat_map(|b| f.layout().insts(b)) {
            if let Some(location) = self.made_by(f, i)
                && let Some(r) = f.def(i)
            {
                self.locations[r] = Some(location);
            }
        }
    }
    #[inline]
    fn made_by(&self, f: &Function, i: Inst) -> Option<ObjectOffset> {
        let d = f.inst(i);
        if d.op.format() == Format::Address {
            return self.locate(f.mem(i));
        }
        let more = if d.op == Opcode::Copy {
            0
        } else if d.op == Opcode::Add {
            i32::try_from(f.constant(d.second())?).ok()?
        } else {
            return None;
        };
        let (o, at) = self.get(d.first().as_reg()?)?;
        Some((o, at.checked_add(more)?))
    }
    /// Returns the location whose address a register holds.
    #[inline]
    pub(crate) fn get(&self, r: Reg) -> Option<ObjectOffset> {
        *self.locations.get(r)
    }
    /// Returns the location that a memory operand names.
    #[inline]
    pub(crate) fn locate(&self, m: Mem) -> Option<ObjectOffset> {
        match m.base {
            _ if m.index.is_some() => None,
            Base::Obj(o) => Some((o, m.disp)),
            Base::Reg(r) => {
                let (o, at) = self.get(r)?;
                Some((o, at.checked_add(m.disp)?))
            }
            Base::Sym(_) | Base::None => None,
        }
    }
    /// True if an instruction does nothing but make an address that is followed.
    #[inline]
    pub(crate) fn is_made_by(&self, f: &Function, i: Inst) -> bool {
        f.def(i).is_some_and(|r| self.get(r).is_some())
    }
}

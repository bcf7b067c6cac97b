//! Which stack objects escape: step 2 of the oracle.
//!
//! An object escapes where its address is used as anything but the address of loads, stores, `memcpy`, `memset`,
//! variable argument operations, and aggregate arguments and results. Making another address of the same object, which
//! step 1 follows, is no such use: what that address is used for counts in its place.

use super::addresses::Addresses;
use super::location::Root;
use crate::analysis::effects::callee_attrs;
use lir_syntax::ir::{Attrs, Base, CallArg, Decls, EntitySet, Format, Function, Inst, Mem, Obj, Operand, Reg};

/// Adds the objects of a function that escape to `escaped`. In a function that calls one which `returns_twice` all do:
/// what follows its second return sees what calls after the first one left.
pub(super) fn find_escapes(decls: &Decls, f: &Function, addresses: &Addresses, escaped: &mut EntitySet<Obj>) {
    if f.stack_objects().next().is_none() {
        return;
    }
    let mut search = Search { f, addresses, escaped, returns_twice: false };
    for i in f.layout().blocks().flat_map(|b| f.layout().insts(b)) {
        search.look_at(decls, i);
    }
    if search.returns_twice {
        f.stack_objects().for_each(|(o, _)| {
            escaped.insert(o);
        });
    }
}

struct Search<'a> {
    f: &'a Function,
    addresses: &'a Addresses,
    escaped: &'a mut EntitySet<Obj>,
    returns_twice: bool,
}

impl Search<'_> {
    fn look_at(&mut self, decls: &Decls, i: Inst) {
        let (f, d) = (self.f, self.f.inst(i));
        match d.op.format() {
            Format::Const | Format::Nullary | Format::Jump | Format::Stop => {}
            Format::Load | Format::MemOnly | Format::AggReturn => self.access(f.mem(i)),
            Format::Store => {
                self.access(f.mem(i));
                self.operand(d.dst);
            }
            Format::Address => {
                let m = f.mem(i);
                self.access(m);
                match m.base {
                    Base::Obj(o) if self.root_of_result(i) != Some(o) => {
                        self.escaped.insert(o);
                    }
                    Base::Reg(r) => self.derive(i, r),
                    Base::None | Base::Sym(_) | Base::Obj(_) => {}
                }
            }
            // What derives no address has no root: all its operands are uses.
            Format::Unary | Format::Binary | Format::Phi => f.for_each_use(i, |r| self.derive(i, r)),
            Format::Select => {
                self.operand(d.a);
                let (b, c) = f.operands_bc(i);
                b.as_reg().into_iter().chain(c.as_reg()).for_each(|r| self.derive(i, r));
            }
            Format::Ternary
            | Format::Compare
            | Format::Convert
            | Format::Alloca
            | Format::Consume
            | Format::Branch
            | Format::Switch
            | Format::Return => f.for_each_use(i, |r| self.register(r)),
            Format::MemCopy | Format::MemFill | Format::MemPair | Format::AggMemPair => {
                f.for_each_mem(i, |m| self.access(m));
                if d.op.format() == Format::MemFill {
                    self.operand(d.b);
                }
                if matches!(d.op.format(), Format::MemCopy | Format::MemFill) {
                    self.operand(d.dst);
                }
            }
            Format::Call => {
                self.operand(d.a);
                f.for_each_mem(i, |m| self.access(m));
                for arg in f.call_args(i) {
                    match arg {
                        CallArg::Reg(r, _) => self.register(r),
                        CallArg::Agg(..) => {}
                    }
                }
                self.returns_twice |= callee_attrs(decls, f, i).has(Attrs::RETURNS_TWICE);
            }
        }
    }
    /// A memory operand: its base is used as an address, its index is not.
    #[inline]
    fn access(&mut self, m: Mem) {
        if let Some(r) = m.index {
            self.register(r);
        }
    }
    /// A register that an instruction uses to make an address, or for something else.
    fn derive(&mut self, i: Inst, r: Reg) {
        if let Root::Object(o) = self.addresses.of_reg(r).root
            && self.root_of_result(i) != Some(o)
        {
            self.escaped.insert(o);
        }
    }
    fn root_of_result(&self, i: Inst) -> Option<Obj> {
        match self.addresses.of_reg(self.f.def(i)?).root {
            Root::Object(o) => Some(o),
            Root::Symbol(_) | Root::Alloca(_) | Root::Register(_) | Root::Absolute | Root::Unknown => None,
        }
    }
    /// A use as anything but an address.
    #[inline]
    fn register(&mut self, r: Reg) {
        if let Root::Object(o) = self.addresses.of_reg(r).root {
            self.escaped.insert(o);
        }
    }
    #[inline]
    fn operand(&mut self, o: Operand) {
        if let Some(r) = o.as_reg() {
            self.register(r);
        }
    }
}

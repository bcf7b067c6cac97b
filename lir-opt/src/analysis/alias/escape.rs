//! Finds the stack objects, allocas, heap blocks and `noalias` parameters that escape: step 2 of the oracle.
//!
//! One of them escapes if its address is used as anything but the address of loads, stores, block operations, variable
//! argument operations, and aggregate arguments and results. Computing another address of the same object, which step 1
//! follows, is not such a use: the uses of that address count in its place. Comparing a heap block or a
//! `noalias` parameter with 0 is not such a use either, nor is passing a heap block to `free`, after which it is not
//! accessed.

use super::addresses::Addresses;
use super::location::Root;
use crate::analysis::effects::callee_attrs;
use lir_syntax::ir::{Attrs, Base, CallArg, Comparison, Decls, EntitySet, Function, Inst, InstView, Mem, Obj, Operand};
use lir_syntax::ir::{OperandKind, Reg};
use lir_syntax::libc;

/// The stack memory of a function that escapes.
#[derive(Default)]
pub(super) struct Escaped {
    objects: EntitySet<Obj>,
    /// The registers that allocas assign.
    allocas: EntitySet<Reg>,
    /// The registers that allocations of C assign, and the `noalias` parameters.
    registers: EntitySet<Reg>,
    /// True if there is a `stack_restore`.
    restores: bool,
}

impl Escaped {
    /// Finds the objects that escape. In a function that calls one which `returns_twice` all escape: the code after its
    /// second return sees the effects of calls after the first one.
    pub fn find(&mut self, decls: &Decls, f: &Function, addresses: &Addresses) {
        self.objects.clear();
        self.allocas.clear();
        self.registers.clear();
        self.restores = false;
        let none_in_registers = addresses.allocas().is_empty() && addresses.restricted().is_empty();
        if f.stack_objects().next().is_none() && none_in_registers {
            return;
        }
        let mut search = Search { f, addresses, escaped: self, returns_twice: false };
        for i in f.layout().all_insts() {
            search.look_at(decls, i);
        }
        if search.returns_twice {
            self.objects.extend(f.stack_objects().map(|(o, _)| o));
            self.allocas.extend(addresses.allocas().iter().copied());
            self.registers.extend(addresses.restricted().iter().copied());
        }
    }
    /// Copies the results of another analysis.
    pub(crate) fn copy_from(&mut self, other: &Escaped) {
        self.objects.clear();
        self.objects.extend(other.objects.iter());
        self.allocas.clear();
        self.allocas.extend(other.allocas.iter());
        self.registers.clear();
        self.registers.extend(other.registers.iter());
        self.restores = other.restores;
    }
    /// True if a stack object is among it.
    #[inline]
    pub(crate) fn has_object(&self, o: Obj) -> bool {
        self.objects.contains(o)
    }
    /// True if the memory of the alloca that assigns a register escapes.
    #[inline]
    pub(crate) fn has_alloca(&self, r: Reg) -> bool {
        self.allocas.contains(r)
    }
    /// True if the block is among it that the allocation returned which assigns a register, or an address that was made
    /// from this `noalias` parameter.
    #[inline]
    pub(crate) fn has_register(&self, r: Reg) -> bool {
        self.registers.contains(r)
    }
    /// True if allocas may end before the function does: then others may get their memory, and nothing that accesses it
    /// is moved over the end.
    #[inline]
    pub(crate) fn allocas_may_end(&self) -> bool {
        self.restores
    }
    fn add(&mut self, root: Root) {
        match root {
            Root::Object(o) => {
                self.objects.insert(o);
            }
            Root::Alloca(r) => {
                self.allocas.insert(r);
            }
            Root::Heap(r) | Root::NoAlias(r) => {
                self.registers.insert(r);
            }
            Root::Symbol(_) | Root::Register(_) | Root::Absolute | Root::Unknown => {}
        }
    }
}

struct Search<'a> {
    f: &'a Function,
    addresses: &'a Addresses,
    escaped: &'a mut Escaped,
    returns_twice: bool,
}

impl Search<'_> {
    #[inline]
    fn look_at(&mut self, decls: &Decls, i: Inst) {
        let f = self.f;
        match f.view(i) {
            InstView::Const(_) | InstView::Nullary | InstView::Jump | InstView::Stop => {}
            InstView::Load(mem) | InstView::MemOnly(mem) | InstView::AggReturn { mem, .. } => self.access(mem),
            InstView::Store { mem, value } => {
                self.access(mem);
                self.operand(value);
            }
            InstView::Address(mem) => {
                self.access(mem);
                match mem.base {
                    Base::Obj(o) => self.make_address(i, Root::Object(o)),
                    Base::Reg(r) => self.derive(i, r),
                    Base::None | Base::Sym(_) => {}
                }
            }
            // Instructions that derive no address have no root: all their operands are uses.
            InstView::Unary(_) | InstView::Binary(..) | InstView::Phi => f.for_each_use(i, |r| self.derive(i, r)),
            InstView::Select { condition, then, otherwise } => {
                self.operand(condition);
                then.as_reg().into_iter().chain(otherwise.as_reg()).for_each(|r| self.derive(i, r));
            }
            InstView::MemCopy { to, from, length } => {
                self.access(to);
                self.access(from);
                self.operand(length);
            }
            InstView::MemFill { to, byte, length } => {
                self.access(to);
                self.operand(byte);
                self.operand(length);
            }
            InstView::MemPair { to, from } | InstView::AggMemPair { to, from, .. } => {
                self.access(to);
                self.access(from);
            }
            InstView::Call { callee } => {
                self.operand(callee);
                f.for_each_mem(i, |m| self.access(m));
                let is_freed = frees(decls, callee);
                for arg in f.call_args(i) {
                    match arg {
                        CallArg::Reg(r, _) if is_freed && self.is_heap(r) => {}
                        CallArg::Reg(r, _) => self.register(r),
                        CallArg::Agg(..) => {}
                    }
                }
                self.returns_twice |= callee_attrs(decls, f, i).has(Attrs::RETURNS_TWICE);
            }
            InstView::Compare(c) | InstView::Branch(c) if is_with_zero(f, c) => {
                if let Some(r) = c.first_reg().filter(|r| !self.may_be_tested(*r)) {
                    self.register(r);
                }
            }
            view => {
                self.escaped.restores |= matches!(view, InstView::Consume(_));
                f.for_each_use(i, |r| self.register(r));
            }
        }
    }
    fn is_heap(&self, r: Reg) -> bool {
        matches!(self.addresses.of_reg(r).root, Root::Heap(_))
    }
    /// True if the address in a register does not escape if the register is compared with 0.
    fn may_be_tested(&self, r: Reg) -> bool {
        matches!(self.addresses.of_reg(r).root, Root::Heap(_) | Root::NoAlias(_))
    }
    /// A memory operand: its base is used as an address, its index is not.
    #[inline]
    fn access(&mut self, m: Mem) {
        if let Some(r) = m.index {
            self.register(r);
        }
    }
    /// A register that an instruction uses to make an address, or for something else.
    #[inline]
    fn derive(&mut self, i: Inst, r: Reg) {
        self.make_address(i, self.addresses.of_reg(r).root);
    }
    /// An instruction that uses an address in this root: to make another one, or for something else.
    #[inline]
    fn make_address(&mut self, i: Inst, root: Root) {
        if root.may_stay() && self.f.def(i).is_none_or(|to| self.addresses.of_reg(to).root != root) {
            self.escaped.add(root);
        }
    }
    /// A use as anything but an address.
    #[inline]
    fn register(&mut self, r: Reg) {
        let root = self.addresses.of_reg(r).root;
        if root.may_stay() {
            self.escaped.add(root);
        }
    }
    #[inline]
    fn operand(&mut self, o: Operand) {
        if let Some(r) = o.as_reg() {
            self.register(r);
        }
    }
}

/// True if a callee is C's `free`.
fn frees(decls: &Decls, callee: Operand) -> bool {
    let OperandKind::Sym(s) = callee.kind() else { return false };
    libc::declared(decls, s).is_some_and(|row| row.frees())
}

/// True if something is compared with 0.
fn is_with_zero(f: &Function, Comparison { b, .. }: Comparison) -> bool {
    f.constant(b) == Some(0)
}

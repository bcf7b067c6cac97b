//! The addresses that registers hold: step 1 of the oracle.
//!
//! Each register with one assignment is a sum of a root, an index and an offset, computed at the assignment from the
//! sums of the operands. As a statement about numbers a sum is always right. That it also keeps the object of its root
//! is guaranteed by the language for `lea copy phi select add sub and or`, but not for a sum of two addresses, so there
//! the register is a root of its own.
//!
//! A phi with a back edge is guessed to keep the object of its other operands. If a guess is wrong, everything is
//! computed again, without the wrong guesses; the third time nothing is guessed.

use super::location::{Address, Root};
use crate::analysis::assignments::Assignments;
use crate::analysis::effects::callee_attrs;
use lir_syntax::ir::{
    Attrs, Base, Block, Cfg, Decls, EntitySet, Format, Function, Inst, InstData, Mem, Opcode, Operand, OperandKind,
    PackedOption, Reg, SecondaryMap, Type,
};
use lir_syntax::libc;

/// Number of times all is computed with guesses.
const GUESSES: u32 = 2;

/// The addresses that registers hold.
pub(super) struct Addresses {
    /// A register whose root is unknown is a root of its own.
    of_reg: SecondaryMap<Reg, Address>,
    /// Registers with several assignments, whose values are unknown.
    several: EntitySet<Reg>,
    params: EntitySet<Reg>,
    /// The roots that are allocas.
    allocas: Vec<Reg>,
    /// The roots that are new objects which calls return, or `noalias` parameters.
    restricted: Vec<Reg>,
    /// The instructions whose results were promised to be `dereferenceable`.
    promised: SecondaryMap<Reg, PackedOption<Inst>>,
    /// Phis that were guessed, and phis that may not be.
    guessed: Vec<Inst>,
    wrong: EntitySet<Inst>,
}

impl Default for Addresses {
    fn default() -> Addresses {
        Addresses {
            of_reg: SecondaryMap::with_default(Address::of(Root::Unknown)),
            several: EntitySet::new(),
            params: EntitySet::new(),
            allocas: Vec::new(),
            restricted: Vec::new(),
            promised: SecondaryMap::default(),
            guessed: Vec::new(),
            wrong: EntitySet::new(),
        }
    }
}

impl Addresses {
    /// Finds the addresses. `assignments` is none for a function in SSA form.
    pub fn find(&mut self, decls: &Decls, f: &Function, cfg: &Cfg, assignments: Option<&Assignments>) {
        self.several.clear();
        self.params.clear();
        if let Some(counted) = assignments {
            f.regs.keys().filter(|r| !counted.is_single(*r)).for_each(|r| {
                self.several.insert(r);
            });
        }
        self.params.extend(f.param_regs());
        self.list_promised(f);
        self.wrong.clear();
        for attempt in 0..=GUESSES {
            self.find_once(decls, f, cfg, attempt < GUESSES);
            if self.all_guesses_hold(f) {
                break;
            }
        }
    }
    /// Reachable blocks are visited in an order in which operands are known before they are used. In unreachable blocks
    /// an operand that is not known yet is its own root.
    fn find_once(&mut self, decls: &Decls, f: &Function, cfg: &Cfg, may_guess: bool) {
        self.of_reg.reset(f.num_regs());
        self.guessed.clear();
        self.allocas.clear();
        self.restricted.clear();
        for r in f.noalias().filter(|r| self.params.contains(*r) && !self.several.contains(*r)) {
            self.of_reg[r] = Address::of(Root::NoAlias(r));
            self.restricted.push(r);
        }
        let unreachable = f.layout().blocks().filter(|b| !cfg.is_reachable(*b));
        for b in cfg.rpo().iter().copied().chain(unreachable) {
            for i in f.layout().insts(b) {
                let d = f.inst(i);
                if d.ty != Type::I64 {
                    continue;
                }
                let address = match d.op {
                    Opcode::Phi => self.of_phi(f, cfg, (b, i), may_guess),
                    Opcode::Call => of_allocation(decls, f, i),
                    _ => self.of_result(f, i, d),
                };
                if let Some(address) = address
                    && let Some(r) = f.def(i)
                    && !self.several.contains(r)
                {
                    self.of_reg[r] = address;
                    if address.root == Root::Alloca(r) {
                        self.allocas.push(r);
                    } else if address.root == Root::Heap(r) {
                        self.restricted.push(r);
                    }
                }
            }
        }
    }
    /// Copies the addresses of the registers of the function.
    pub(crate) fn copy_from(&mut self, f: &Function, other: &Addresses) {
        self.of_reg.reset(f.num_regs());
        f.regs.keys().for_each(|r| self.of_reg[r] = other.of_reg[r]);
        self.several.clear();
        self.several.extend(other.several.iter());
        self.params.clear();
        self.params.extend(other.params.iter());
        self.allocas.clone_from(&other.allocas);
        self.restricted.clone_from(&other.restricted);
        self.promised.reset(0);
        f.regs.keys().filter(|r| other.promised.get(*r).is_some()).for_each(|r| self.promised[r] = other.promised[r]);
    }
    /// Computes the address of one instruction again, unless it is a phi.
    #[inline]
    pub fn update(&mut self, f: &Function, i: Inst) {
        let d = f.inst(i);
        if d.ty != Type::I64 || matches!(d.op, Opcode::Phi | Opcode::Call) {
            return;
        }
        if let Some(r) = f.def(i)
            && !self.several.contains(r)
        {
            self.of_reg[r] = self.of_result(f, i, d).unwrap_or(Address::of(Root::Unknown));
        }
    }
    /// True if a register has one assignment.
    #[inline]
    pub fn is_single(&self, r: Reg) -> bool {
        !self.several.contains(r)
    }
    /// Returns the number of bytes that may be read at the address in a register, wherever it is assigned, as promised.
    pub(super) fn dereferenceable(&self, f: &Function, r: Reg) -> u64 {
        if self.params.contains(r) && self.is_single(r) {
            return f.param_promises(r).dereferenceable;
        }
        // The instruction may have lost its promise.
        let def = self.promised.get(r).expand();
        def.map_or(0, |i| f.value_promises(i).dereferenceable)
    }
    /// Finds the instructions whose results are promised to be `dereferenceable`.
    fn list_promised(&mut self, f: &Function) {
        self.promised.reset(0);
        if !f.may_have_value_promises() {
            return;
        }
        for i in f.layout().all_insts().filter(|i| f.value_promises(*i).dereferenceable != 0) {
            if let Some(r) = f.def(i).filter(|r| !self.several.contains(*r)) {
                self.promised[r] = i.into();
            }
        }
    }
    /// True if a register is a parameter. No address of this call's stack memory was passed to it.
    pub fn is_param(&self, r: Reg) -> bool {
        self.params.contains(r)
    }
    /// Returns the registers that allocas assign, if these are roots.
    pub fn allocas(&self) -> &[Reg] {
        &self.allocas
    }
    /// Returns the registers that hold new objects which calls returned, and the `noalias` parameters.
    pub(super) fn restricted(&self) -> &[Reg] {
        &self.restricted
    }
    /// Returns the address that a register holds.
    #[inline]
    pub(crate) fn of_reg(&self, r: Reg) -> Address {
        let address = self.of_reg[r];
        if address.root != Root::Unknown {
            address
        } else if self.is_single(r) {
            Address::of(Root::Register(r))
        } else {
            Address::of(Root::Unknown)
        }
    }
    /// Returns the address of a memory operand.
    #[inline]
    pub(crate) fn of_mem(&self, m: Mem) -> Address {
        let base = match m.base {
            Base::None => Address::of(Root::Absolute),
            Base::Reg(r) => self.of_reg(r),
            Base::Sym(s) => Address::of(Root::Symbol(s)),
            Base::Obj(o) => Address::of(Root::Object(o)),
        };
        let base = base.plus(i64::from(m.disp));
        m.index.map_or(base, |r| self.add_index(base, r, m.scale))
    }
    /// Returns the sum of an address and a multiple of a register. The register holds no address of an object, or else
    /// is not taken for one.
    fn add_index(&self, base: Address, index: Reg, scale: u8) -> Address {
        let a = self.of_reg(index);
        if !base.known || !a.known {
            return Address::somewhere_in(base.root);
        }
        let offset = a.offset.wrapping_mul(i64::from(scale));
        if a.root == Root::Absolute && a.index.is_none() {
            return base.plus(offset);
        }
        match a.root {
            _ if base.index.is_some() => Address::somewhere_in(base.root),
            Root::Register(r) if a.index.is_none() => Address { index: r.into(), scale, ..base }.plus(offset),
            Root::Register(_)
            | Root::Absolute
            | Root::Object(_)
            | Root::Symbol(_)
            | Root::Alloca(_)
            | Root::Heap(_)
            | Root::NoAlias(_)
            | Root::Unknown => Address { index: index.into(), scale, ..base },
        }
    }
    /// Returns the address that an instruction other than a phi computes. None if its result is its own root.
    fn of_result(&self, f: &Function, i: Inst, d: &InstData) -> Option<Address> {
        let address = match d.op.format() {
            Format::Address => Some(self.of_mem(f.mem(i))),
            Format::Alloca => f.def(i).map(|r| Address::of(Root::Alloca(r))),
            Format::Const => f.constant(d.first()).map(|n| Address::of(Root::Absolute).plus(n)),
            Format::Unary if d.op == Opcode::Copy => d.first().as_reg().map(|r| self.of_reg(r)),
            Format::Binary => self.of_binary(f, d),
            Format::Select => {
                let (b, c) = f.operands_bc(i);
                meet(self.of_operand(b)?, self.of_operand(c)?)
            }
            _ => None,
        };
        // An unknown offset from an address in a register may be anywhere: then the result itself is the better root.
        address.filter(|a| a.known || a.root.is_object())
    }
    fn of_operand(&self, o: Operand) -> Option<Address> {
        o.as_reg().map(|r| self.of_reg(r))
    }
    /// Keeps the object of an address if the language does: in sums with a number, in differences with a constant, and
    /// under masks that clear or set low bits. Any other subtrahend may be an address, or a number that was one: then
    /// the difference is a number, though folding may make it look like an address minus a number.
    fn of_binary(&self, f: &Function, d: &InstData) -> Option<Address> {
        let a = self.of_operand(d.first())?;
        let constant = f.constant(d.second());
        let b = self.of_operand(d.second());
        let (in_object, other_in_object) = (a.root.is_object(), b.is_some_and(|b| b.root.is_object()));
        if in_object && other_in_object {
            return None;
        }
        match (d.op, constant) {
            (Opcode::Add, Some(n)) => Some(a.plus(n)),
            (Opcode::Add, None) if other_in_object => Some(self.add_index(b?, d.first().as_reg()?, 1)),
            (Opcode::Add, None) => Some(self.add_index(a, d.second().as_reg()?, 1)),
            (Opcode::Sub, Some(n)) => Some(a.plus(n.wrapping_neg())),
            (Opcode::And, Some(mask)) => (in_object && mask < 0).then(|| Address::somewhere_in(a.root)),
            (Opcode::Or, Some(bits)) => (in_object && bits >= 0).then(|| Address::somewhere_in(a.root)),
            _ => None,
        }
    }
    /// Returns the address of a phi whose known operands have one object.
    fn of_phi(&mut self, f: &Function, cfg: &Cfg, (block, i): (Block, Inst), may_guess: bool) -> Option<Address> {
        if self.wrong.contains(i) {
            return None;
        }
        let here = cfg.rpo_index(block)?;
        let mut all: Option<Address> = None;
        let mut guess = false;
        for (pred, o) in f.phi_entries(i) {
            if cfg.rpo_index(pred).is_none_or(|at| at >= here) {
                guess = true;
                continue;
            }
            let a = self.of_operand(o)?;
            all = Some(all.map_or(Some(a), |all| meet(all, a))?);
        }
        let all = all.filter(|a| a.root.is_object())?;
        if !guess {
            return Some(all);
        }
        self.guessed.push(i);
        may_guess.then(|| Address::somewhere_in(all.root))
    }
    /// True if the guessed phis have the guessed object. The other phis are not guessed again.
    fn all_guesses_hold(&mut self, f: &Function) -> bool {
        let mut hold = true;
        for &i in &self.guessed {
            let Some(r) = f.def(i) else { continue };
            let guess = self.of_reg[r].root;
            let holds = |(_, o): (Block, Operand)| self.of_operand(o).is_some_and(|a| a.root == guess);
            if guess != Root::Unknown && !f.phi_entries(i).all(holds) {
                self.wrong.insert(i);
                hold = false;
            }
        }
        hold
    }
}

/// Returns the address that a call of a function returns which is `noalias`, or allocates in C.
fn of_allocation(decls: &Decls, f: &Function, call: Inst) -> Option<Address> {
    let OperandKind::Sym(s) = f.inst(call).first().kind() else { return None };
    let r = f.def(call)?;
    let is_new =
        callee_attrs(decls, f, call).has(Attrs::NOALIAS) || libc::declared(decls, s).is_some_and(|row| row.allocates());
    is_new.then(|| Address::of(Root::Heap(r)))
}

/// Returns the address of one of two values, where both have the same root.
fn meet(a: Address, b: Address) -> Option<Address> {
    if a == b { Some(a) } else { (a.root == b.root && a.root.is_object()).then(|| Address::somewhere_in(a.root)) }
}

//! The instructions of a block that are not bytes yet, and the memory of variables.

use crate::isa::x64::ENV;
use crate::isa::x64::asm::Label;
use crate::isa::x64::asm::variables::home::Home;
use crate::isa::x64::encode::Operands;
use crate::mir::{Form, MOp, PReg, PRegSet, RegClass, Size};
use crate::regalloc::one_pass::engine::{Appended, Code, Var};
use crate::regalloc::spill_slots::SpillSlots;
use crate::regalloc::{Edit, Loc};

/// An instruction that is not bytes yet.
#[derive(Copy, Clone, Debug)]
pub(in crate::isa::x64::asm::variables) enum Step {
    /// A row of the table. Its memory operand is relative to the label, where there is one.
    Row(MOp, Form, Size, Operands, Option<Label>),
    /// A move between registers and slots.
    Edit(Edit),
    /// A constant.
    Constant(PReg, i64),
    /// `cqo`, or `cdq` of 32 bits.
    SignExtend(Size),
    /// A load from memory of the user's.
    Load(Home, PReg, Size),
    /// A store there.
    Store(Home, PReg, Size),
    /// A `push` of eight bytes.
    Push(Pushed),
}

/// The operand of a `push`.
#[derive(Copy, Clone, Debug)]
pub(in crate::isa::x64::asm::variables) enum Pushed {
    Register(PReg),
    Slot(u32),
    /// The memory of a variable that is the user's.
    Home(Home),
}

/// A variable.
#[derive(Copy, Clone, Debug)]
pub(super) struct Variable {
    pub(super) class: RegClass,
    pub(super) size: Size,
    pub(super) home: Home,
    pub(super) slot: Option<u32>,
    pub(super) is_alive: bool,
}

/// The instructions of a block, and the memory of variables.
#[derive(Debug, Default)]
pub(super) struct Steps {
    pub(super) list: Vec<Option<Step>>,
    pub(super) variables: Vec<Variable>,
    pub(super) slots: SpillSlots,
    /// The registers that are written.
    pub(super) used: PRegSet,
}

impl Steps {
    pub(super) fn slot_of(&mut self, v: Var) -> u32 {
        let variable = &mut self.variables[v as usize];
        *variable.slot.get_or_insert_with(|| self.slots.take(ENV.slot_size(variable.class)))
    }
    /// Returns the memory of a variable that has no slot, and the size there.
    pub(super) fn memory_of_user(&self, v: Var) -> Option<(Home, Size)> {
        let Variable { home, size, .. } = self.variables[v as usize];
        (!matches!(home, Home::Slot)).then_some((home, size))
    }
    pub(super) fn push(&mut self, step: Step) -> Appended {
        self.list.push(Some(step));
        self.list.len() as u32 - 1
    }
}

impl Code for Steps {
    fn load(&mut self, v: Var, to: PReg) -> Appended {
        self.used = self.used.with(to);
        if let Some((home, size)) = self.memory_of_user(v) {
            return self.push(Step::Load(home, to, size));
        }
        let from = Loc::slot(self.slot_of(v));
        self.push(Step::Edit(Edit::Move { from, to: Loc::reg(to), class: to.class() }))
    }
    fn store(&mut self, from: PReg, v: Var) -> Appended {
        if let Some((home, size)) = self.memory_of_user(v) {
            return self.push(Step::Store(home, from, size));
        }
        let to = Loc::slot(self.slot_of(v));
        self.push(Step::Edit(Edit::Move { from: Loc::reg(from), to, class: from.class() }))
    }
    fn copy(&mut self, from: PReg, to: PReg) -> Appended {
        self.used = self.used.with(to);
        self.push(Step::Edit(Edit::Move { from: Loc::reg(from), to: Loc::reg(to), class: from.class() }))
    }
    fn erase(&mut self, what: Appended) {
        self.list[what as usize] = None;
    }
    fn is_pinned(&self, _: Var) -> bool {
        false
    }
}

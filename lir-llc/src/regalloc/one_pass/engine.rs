//! The engine: tracks the variables in registers while code is appended, and the code that can be taken back.
//!
//! The code to come is not known. A variable is put into a register on request. If none is free, the least recently
//! used variable is stored and leaves its register. Useless instructions are erased from the list afterwards: each
//! register records the load, the copy or the spill that may turn out useless. The memory is one [`Record`] for each
//! register, whatever the length of the code.

pub(crate) use super::state::{NO_VAR, State, Var};
use super::switches::{Switch, Switches};
use crate::mir::{PReg, PRegSet};

/// An appended instruction, by a number of the owner's choice.
pub(crate) type Appended = u32;

/// The code to which instructions are appended.
pub(crate) trait Code {
    /// Appends a load of a variable from its memory.
    fn load(&mut self, v: Var, to: PReg) -> Appended;
    /// Appends a store of a register into the memory of a variable.
    fn store(&mut self, from: PReg, v: Var) -> Appended;
    /// Appends a copy of a register.
    fn copy(&mut self, from: PReg, to: PReg) -> Appended;
    /// Erases an appended instruction.
    fn erase(&mut self, what: Appended);
    /// True if a variable must stay in its register.
    fn is_pinned(&self, v: Var) -> bool;
}

/// The facts about a register.
#[derive(Copy, Clone, Debug)]
struct Record {
    /// The time of its last use; see [`Engine::clock`].
    used: u32,
    /// True if the variable's memory does not have the value of the register.
    modified: bool,
    /// The load that filled it, as long as it has not been read.
    load: Option<Appended>,
    /// The copy that filled it, as long as it has not been read.
    copy: Option<Appended>,
    /// The variable that left the register for the current one, with its spill, and whether that variable was modified.
    left: Option<(Var, Option<Appended>, bool)>,
    /// The variable that was in it last.
    last: Var,
}

impl Record {
    const EMPTY: Record = Record { used: 0, modified: false, load: None, copy: None, left: None, last: NO_VAR };
    /// Makes the instructions that filled the register permanent.
    fn settle(&mut self) {
        (self.load, self.copy, self.left) = (None, None, None);
    }
}

/// The state of the allocation.
#[derive(Clone, Debug)]
pub(crate) struct Engine {
    switches: Switches,
    /// The variable in each register; apart from the records, since it is searched all the time.
    vars: [Var; 32],
    records: [Record; 32],
    /// The registers that variables may be in.
    allocatable: PRegSet,
    free: PRegSet,
    /// The registers whose variables have been in them since the state was last resumed.
    homes: PRegSet,
    /// Counts requests.
    clock: u32,
}

impl Engine {
    /// Returns an engine with nothing in its registers.
    pub(crate) fn new(allocatable: PRegSet, switches: Switches) -> Engine {
        let homes = PRegSet::EMPTY;
        Engine {
            switches,
            vars: [NO_VAR; 32],
            records: [Record::EMPTY; 32],
            allocatable,
            free: allocatable,
            homes,
            clock: 0,
        }
    }
    /// Returns the register that a variable is in.
    #[inline]
    pub(crate) fn find(&self, v: Var) -> Option<PReg> {
        self.vars.iter().position(|held| *held == v).map(|r| PReg::new(r as u8))
    }
    /// Returns the registers that hold nothing.
    pub(crate) fn free_registers(&self) -> PRegSet {
        self.free
    }
    pub(crate) fn held(&self) -> PRegSet {
        self.allocatable.minus(self.free)
    }
    /// Returns the variable in a register that holds one.
    pub(crate) fn var_in(&self, r: PReg) -> Var {
        self.vars[r.index()]
    }
    /// True if the memory of the variable in a register does not have its value.
    pub(crate) fn is_modified(&self, r: PReg) -> bool {
        self.records[r.index()].modified || !self.switches.has(Switch::Unmodified)
    }

    /// Notes that a register is read.
    #[inline]
    pub(crate) fn read(&mut self, r: PReg) {
        self.clock += 1;
        let record = &mut self.records[r.index()];
        record.used = self.clock;
        record.settle();
    }
    /// Notes that a register is overwritten. A load that was not read was useless.
    pub(crate) fn write(&mut self, r: PReg, code: &mut impl Code) {
        self.clock += 1;
        let record = &mut self.records[r.index()];
        if let Some(load) = record.load
            && self.switches.has(Switch::LoadElim)
        {
            code.erase(load);
        }
        record.used = self.clock;
        record.settle();
        record.modified = true;
    }
    /// Notes that the variable's memory has the value of its register.
    pub(crate) fn is_stored(&mut self, r: PReg) {
        self.records[r.index()].modified = false;
    }

    /// Puts a variable into a register, one of `among`, and loads it. It must be in none.
    pub(crate) fn allocate(&mut self, v: Var, among: PRegSet, code: &mut impl Code) -> PReg {
        let r = self.take(v, among, code);
        self.records[r.index()].load = Some(code.load(v, r));
        self.records[r.index()].modified = false;
        r
    }
    /// Makes the spill of a variable permanent, since its memory is read, or it gets a new value.
    pub(crate) fn keep_spill(&mut self, v: Var) {
        for record in &mut self.records {
            if matches!(record.left, Some((left, ..)) if left == v) {
                record.left = None;
            }
        }
    }
    /// Takes a register for a variable, which is not loaded: the register that it had last, else a free one, else the
    /// one whose variable was used least recently.
    pub(crate) fn take(&mut self, v: Var, among: PRegSet, code: &mut impl Code) -> PReg {
        self.keep_spill(v);
        let among = among.and(self.allocatable);
        let free = among.and(self.free);
        if free.is_empty() {
            return self.evict(v, among, code);
        }
        let had = |r: &PReg| self.records[r.index()].last == v;
        let former = if self.switches.has(Switch::Former) { free.iter().find(had) } else { None };
        let r = former.or_else(|| free.iter().next()).expect("a register is free");
        self.hold(v, r);
        r
    }
    /// Puts a variable into a free register, with a value that its memory does not have.
    pub(crate) fn hold(&mut self, v: Var, r: PReg) {
        debug_assert!(self.free.contains(r), "{r:?} is not free");
        self.clock += 1;
        self.free = self.free.minus(PRegSet::of(&[r]));
        self.vars[r.index()] = v;
        let record = &mut self.records[r.index()];
        record.settle();
        (record.used, record.modified, record.last) = (self.clock, true, v);
    }
    fn evict(&mut self, v: Var, among: PRegSet, code: &mut impl Code) -> PReg {
        let movable = among.minus(self.free).iter().filter(|r| !code.is_pinned(self.vars[r.index()]));
        let oldest = movable.min_by_key(|r| self.records[r.index()].used);
        let r = oldest.expect("an instruction does not use all registers");
        let left = self.vars[r.index()];
        let modified = self.records[r.index()].modified;
        let spill = self.write_back(r, code);
        self.drop_from(r);
        self.hold(v, r);
        if self.switches.has(Switch::SpillElim) {
            self.records[r.index()].left = Some((left, spill, modified));
        }
        r
    }
    /// Stores a register whose variable's memory is older. Then a load or a copy into it was useful.
    fn write_back(&mut self, r: PReg, code: &mut impl Code) -> Option<Appended> {
        if !self.is_modified(r) {
            return None;
        }
        self.records[r.index()].settle();
        Some(code.store(r, self.vars[r.index()]))
    }
    fn drop_from(&mut self, r: PReg) {
        self.vars[r.index()] = NO_VAR;
        self.homes = self.homes.minus(PRegSet::of(&[r]));
        self.free = self.free.or(PRegSet::of(&[r]).and(self.allocatable));
    }

    /// Stores the variable in a register, if need be, and frees the register. This spill cannot be taken back.
    pub(crate) fn spill(&mut self, r: PReg, code: &mut impl Code) {
        self.write_back(r, code);
        self.records[r.index()].settle();
        self.drop_from(r);
    }
    /// Frees a variable whose value is no longer needed. A useless load, copy or spill for its register is taken back.
    pub(crate) fn free(&mut self, v: Var, code: &mut impl Code) {
        let left = |r: &PReg| matches!(self.records[r.index()].left, Some((left, ..)) if left == v);
        if let Some(r) = self.allocatable.iter().find(left)
            && let Some((_, spill, _)) = self.records[r.index()].left.take()
            && let Some(spill) = spill
        {
            code.erase(spill);
        }
        let Some(r) = self.find(v) else { return };
        let record = &mut self.records[r.index()];
        if let Some(copy) = record.copy.take() {
            code.erase(copy);
        } else if let Some(load) = record.load.take().filter(|_| self.switches.has(Switch::LoadElim)) {
            code.erase(load);
        } else {
            record.left = None;
        }
        (record.load, record.copy) = (None, None);
        let left = record.left.take();
        self.drop_from(r);
        if let Some((left, spill, modified)) = left {
            self.give_back(left, r, spill, modified, code);
        }
    }
    /// Removes a variable whose memory has its value from its register. A useless load, copy or spill for that is taken
    /// back.
    pub(crate) fn leave(&mut self, v: Var, code: &mut impl Code) {
        self.keep_spill(v);
        self.free(v, code);
    }
    /// Gives a variable the register back that it was needlessly spilled from.
    fn give_back(&mut self, v: Var, r: PReg, spill: Option<Appended>, modified: bool, code: &mut impl Code) {
        if let Some(spill) = spill {
            code.erase(spill);
        }
        self.hold(v, r);
        self.records[r.index()].modified = modified;
    }
    /// Assigns a copy of `a` to `d`, which is in no register: `d` takes the register, and `a` is copied to another one
    /// of `among`. If `a` is freed before it is used, that copy is taken back.
    pub(crate) fn propagate(&mut self, a: Var, d: Var, among: PRegSet, code: &mut impl Code) -> PReg {
        let r = self.find(a).expect("the operand is in a register");
        let modified = self.records[r.index()].modified;
        let others = among.minus(PRegSet::of(&[r]));
        self.homes = self.homes.minus(PRegSet::of(&[r]));
        // `d` replaces `a` while a register is taken for `a`. The copy reads the register, so the instruction that
        // filled it stays.
        self.vars[r.index()] = d;
        self.records[r.index()].settle();
        let to = self.take(a, others, code);
        let copy = code.copy(r, to);
        let record = &mut self.records[to.index()];
        (record.copy, record.modified) = (Some(copy), modified);
        let record = &mut self.records[r.index()];
        (record.modified, record.last) = (true, d);
        r
    }

    /// Frees the register of a variable that gets a new value elsewhere, without a store.
    pub(crate) fn forget(&mut self, v: Var) {
        self.keep_spill(v);
        if let Some(r) = self.find(v) {
            self.records[r.index()].settle();
            self.drop_from(r);
        }
    }
    /// Stores the variable in a register, if need be, and keeps it there.
    pub(crate) fn sync(&mut self, r: PReg, code: &mut impl Code) {
        self.write_back(r, code);
        self.records[r.index()].modified = false;
    }
    /// Returns a register that holds nothing, after a spill if need be.
    pub(crate) fn scratch(&mut self, among: PRegSet, code: &mut impl Code) -> PReg {
        let r = self.take(NO_VAR - 1, among, code);
        self.records[r.index()].settle();
        self.drop_from(r);
        r
    }
    /// True if the variable in a register has been there since the state was last resumed.
    pub(crate) fn is_home(&self, r: PReg) -> bool {
        self.homes.contains(r)
    }
    /// Copies a variable from its register to a free one, where it stays.
    pub(crate) fn relocate(&mut self, from: PReg, to: PReg, code: &mut impl Code) {
        let (v, modified) = (self.vars[from.index()], self.records[from.index()].modified);
        self.records[from.index()].settle();
        code.copy(from, to);
        self.drop_from(from);
        self.hold(v, to);
        self.records[to.index()].modified = modified;
    }
    /// Notes that registers are overwritten by other code.
    pub(crate) fn clobber(&mut self, regs: PRegSet) {
        for r in regs.iter() {
            self.records[r.index()].settle();
            if self.vars[r.index()] != NO_VAR {
                self.drop_from(r);
            }
        }
    }

    // Ends of basic blocks.

    /// Copies the state. Nothing before this point can be taken back any more.
    pub(crate) fn capture(&mut self) -> State {
        self.records.iter_mut().for_each(Record::settle);
        let modified = self.held().iter().filter(|r| self.is_modified(*r));
        State { vars: self.vars, modified: modified.fold(PRegSet::EMPTY, PRegSet::with) }
    }
    /// Makes a captured state the current one.
    pub(crate) fn resume(&mut self, state: &State) {
        self.free = self.allocatable;
        self.vars = [NO_VAR; 32];
        for (r, v) in state.held() {
            self.hold(v, r);
            self.records[r.index()].modified = state.modified.contains(r);
        }
        self.homes = self.held();
        self.records.iter_mut().for_each(Record::settle);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const R0: PReg = PReg::new(0);
    const R1: PReg = PReg::new(1);
    const R2: PReg = PReg::new(2);
    const R3: PReg = PReg::new(3);
    // The variables of the tests.
    const A: Var = 0;
    const B: Var = 1;
    const C: Var = 2;
    const D: Var = 3;

    /// The code as text; without erased instructions.
    #[derive(Default)]
    struct Text(Vec<Option<String>>);

    impl Text {
        fn append(&mut self, text: String) -> Appended {
            self.0.push(Some(text));
            self.0.len() as u32 - 1
        }
        fn lines(&self) -> Vec<&str> {
            self.0.iter().flatten().map(String::as_str).collect()
        }
    }

    fn name(v: Var) -> char {
        char::from(b'a' + v as u8)
    }

    impl Code for Text {
        fn load(&mut self, v: Var, to: PReg) -> Appended {
            self.append(format!("{to:?} = [{}]", name(v)))
        }
        fn store(&mut self, from: PReg, v: Var) -> Appended {
            self.append(format!("[{}] = {from:?}", name(v)))
        }
        fn copy(&mut self, from: PReg, to: PReg) -> Appended {
            self.append(format!("{to:?} = {from:?}"))
        }
        fn erase(&mut self, what: Appended) {
            self.0[what as usize] = None;
        }
        fn is_pinned(&self, _: Var) -> bool {
            false
        }
    }

    fn engine(regs: &[PReg]) -> (Engine, Text, PRegSet) {
        let all = PRegSet::of(regs);
        (Engine::new(all, Switches::ON), Text::default(), all)
    }
    fn reads(e: &mut Engine, v: Var, all: PRegSet, code: &mut Text) -> PReg {
        let r = e.find(v).unwrap_or_else(|| e.allocate(v, all, code));
        e.read(r);
        r
    }
    fn writes(e: &mut Engine, v: Var, all: PRegSet, code: &mut Text) -> PReg {
        let r = e.find(v).unwrap_or_else(|| e.allocate(v, all, code));
        e.write(r, code);
        r
    }

    #[test]
    fn the_first_use_loads_and_later_ones_find_the_register() {
        let (mut e, mut code, all) = engine(&[R0, R1]);
        let first = reads(&mut e, A, all, &mut code);
        assert_eq!((first, reads(&mut e, A, all, &mut code), e.find(B)), (R0, R0, None));
        assert_eq!(reads(&mut e, B, all, &mut code), R1);
        assert_eq!(code.lines(), ["r0 = [a]", "r1 = [b]"]);
    }

    #[test]
    fn the_least_recently_used_is_spilled() {
        let (mut e, mut code, all) = engine(&[R0, R1]);
        writes(&mut e, A, all, &mut code);
        writes(&mut e, B, all, &mut code);
        reads(&mut e, A, all, &mut code);
        assert_eq!(reads(&mut e, C, all, &mut code), R1);
        assert_eq!(code.lines(), ["[b] = r1", "r1 = [c]"]);
    }

    #[test]
    fn freed_registers_are_taken_before_any_is_spilled() {
        let (mut e, mut code, all) = engine(&[R0, R1]);
        writes(&mut e, A, all, &mut code);
        writes(&mut e, B, all, &mut code);
        e.free(A, &mut code);
        assert_eq!((e.find(A), reads(&mut e, C, all, &mut code)), (None, R0));
        assert_eq!(code.lines(), ["r0 = [c]"]);
    }

    #[test]
    fn loads_of_values_overwritten_or_freed_unread_are_erased() {
        let (mut e, mut code, all) = engine(&[R0, R1]);
        e.allocate(A, all, &mut code);
        e.write(R0, &mut code);
        e.allocate(B, all, &mut code);
        e.free(B, &mut code);
        assert_eq!(code.lines(), [""; 0]);
        // A load that is read stays.
        reads(&mut e, C, all, &mut code);
        e.write(R1, &mut code);
        assert_eq!(code.lines(), ["r1 = [c]"]);
        let mut without = Engine::new(all, "load-elim=off".parse().unwrap());
        without.allocate(D, all, &mut code);
        without.write(R0, &mut code);
        assert_eq!(code.lines(), ["r1 = [c]", "r0 = [d]"]);
    }

    /// `b = a; c += b; free a`: one load and one copy are erased.
    #[test]
    fn the_example_of_the_document() {
        let (mut e, mut code, all) = engine(&[R0, R3, R1]);
        reads(&mut e, A, all, &mut code);
        let b = e.allocate(B, all, &mut code);
        e.write(b, &mut code);
        e.forget(B);
        assert_eq!(e.propagate(A, B, all, &mut code), R0);
        let b = reads(&mut e, B, all, &mut code);
        reads(&mut e, C, all, &mut code);
        assert_eq!(b, R0);
        let copied = code.lines().len();
        e.free(A, &mut code);
        assert_eq!(
            code.lines(),
            ["r0 = [a]", "r1 = [c]"].map(|l| l.replace("r1", &e.find(C).map(|r| format!("{r:?}")).unwrap()))
        );
        assert_eq!((copied, code.0.len()), (3, 4));
    }

    #[test]
    fn a_copy_that_is_used_stays() {
        let (mut e, mut code, all) = engine(&[R0, R3]);
        reads(&mut e, A, all, &mut code);
        e.propagate(A, B, all, &mut code);
        reads(&mut e, A, all, &mut code);
        e.free(A, &mut code);
        assert_eq!(code.lines(), ["r0 = [a]", "r3 = r0"]);
    }

    /// `w` leaves its register for a copy that is not used, and gets it back with its contents.
    #[test]
    fn a_spill_in_vain_is_taken_back_without_a_load() {
        let (mut e, mut code, all) = engine(&[R0, R3]);
        writes(&mut e, C, PRegSet::of(&[R3]), &mut code);
        reads(&mut e, A, PRegSet::of(&[R0]), &mut code);
        e.propagate(A, B, all, &mut code);
        assert_eq!(code.lines(), ["r0 = [a]", "[c] = r3", "r3 = r0"]);
        e.free(A, &mut code);
        assert_eq!(reads(&mut e, C, all, &mut code), R3);
        assert_eq!(code.lines(), ["r0 = [a]"]);
        // The value is still not in memory.
        e.spill(R3, &mut code);
        assert_eq!(code.lines(), ["r0 = [a]", "[c] = r3"]);
        // With the optimisation off the spill stays, and `c` is loaded again.
        let (_, mut code, all) = engine(&[R0, R3]);
        let mut e = Engine::new(all, "spill-elim=off".parse().unwrap());
        writes(&mut e, C, PRegSet::of(&[R3]), &mut code);
        reads(&mut e, A, PRegSet::of(&[R0]), &mut code);
        e.propagate(A, B, all, &mut code);
        e.free(A, &mut code);
        reads(&mut e, C, all, &mut code);
        assert_eq!(code.lines(), ["r0 = [a]", "[c] = r3", "r3 = [c]"]);
    }

    #[test]
    fn a_spill_stays_where_the_register_was_used_or_it_was_asked_for() {
        let (mut e, mut code, all) = engine(&[R0]);
        writes(&mut e, A, all, &mut code);
        reads(&mut e, B, all, &mut code);
        e.free(B, &mut code);
        reads(&mut e, A, all, &mut code);
        assert_eq!(code.lines(), ["[a] = r0", "r0 = [b]", "r0 = [a]"]);
        let (mut e, mut code, all) = engine(&[R0]);
        writes(&mut e, A, all, &mut code);
        e.spill(R0, &mut code);
        reads(&mut e, A, all, &mut code);
        assert_eq!(code.lines(), ["[a] = r0", "r0 = [a]"]);
    }

    /// A variable that was needlessly spilled has been assigned since, so its old register does not hold its value.
    #[test]
    fn a_register_is_not_given_back_with_an_old_value() {
        let (mut e, mut code, all) = engine(&[R0, R3, R1]);
        writes(&mut e, C, PRegSet::of(&[R3]), &mut code);
        reads(&mut e, A, PRegSet::of(&[R0]), &mut code);
        e.propagate(A, B, PRegSet::of(&[R0, R3]), &mut code);
        let r = e.take(C, all, &mut code);
        e.write(r, &mut code);
        e.free(A, &mut code);
        assert_eq!((r, e.find(C)), (R1, Some(R1)));
        assert_eq!(code.lines(), ["r0 = [a]", "[c] = r3"]);
    }

    #[test]
    fn unmodified_values_are_not_written_back() {
        let (mut e, mut code, all) = engine(&[R0, R3]);
        reads(&mut e, A, all, &mut code);
        // The flag moves with the variable to its copy.
        e.propagate(A, B, all, &mut code);
        reads(&mut e, A, all, &mut code);
        e.spill(R3, &mut code);
        e.spill(R0, &mut code);
        assert_eq!(code.lines(), ["r0 = [a]", "r3 = r0", "[b] = r0"]);
    }

    #[test]
    fn a_capture_ends_what_can_be_taken_back() {
        let (mut e, mut code, all) = engine(&[R0, R3]);
        e.allocate(A, all, &mut code);
        let state = e.capture();
        e.write(R0, &mut code);
        assert_eq!((code.lines(), state.find(A)), (vec!["r0 = [a]"], Some(R0)));
        e.resume(&State::EMPTY);
        assert_eq!((e.find(A), e.free_registers()), (None, all));
        e.resume(&state);
        assert_eq!(e.find(A), Some(R0));
    }

    #[test]
    fn a_variable_prefers_the_register_that_it_had_last() {
        let (mut e, mut code, all) = engine(&[R0, R1, R2]);
        reads(&mut e, A, all, &mut code);
        reads(&mut e, B, all, &mut code);
        e.spill(R0, &mut code);
        e.spill(R1, &mut code);
        assert_eq!(reads(&mut e, B, all, &mut code), R1);
        assert_eq!(reads(&mut e, A, all, &mut code), R0);
        // With the optimisation off the first free one is taken.
        let mut without = Engine::new(all, "former=off".parse().unwrap());
        for v in [A, B] {
            reads(&mut without, v, all, &mut code);
        }
        [R0, R1].into_iter().for_each(|r| without.spill(r, &mut code));
        assert_eq!(reads(&mut without, B, all, &mut code), R0);
    }

    /// The engine keeps one record for each register, and nothing on the heap, whatever the length of the code.
    #[test]
    fn the_memory_is_that_of_the_registers() {
        const { assert!(size_of::<Engine>() <= 32 * (size_of::<Record>() + size_of::<Var>()) + 64) };
        assert!(!std::mem::needs_drop::<Engine>());
        let (mut e, _, all) = engine(&[R0, R1]);
        for k in 0..100_000 {
            let r = e.find(k).unwrap_or_else(|| e.allocate(k, all, &mut Nothing));
            e.write(r, &mut Nothing);
        }
        assert_eq!(e.held(), all);
    }

    /// Code without any output.
    struct Nothing;

    impl Code for Nothing {
        fn load(&mut self, _: Var, _: PReg) -> Appended {
            0
        }
        fn store(&mut self, _: PReg, _: Var) -> Appended {
            0
        }
        fn copy(&mut self, _: PReg, _: PReg) -> Appended {
            0
        }
        fn erase(&mut self, _: Appended) {}
        fn is_pinned(&self, _: Var) -> bool {
            false
        }
    }
}

//! Data that nothing writes (`const-data`).
//!
//! Makes `local data` constant that no instruction writes, and whose address does not get to where it might be
//! written.
//!
//! # Example
//!
//! ```text
//! local data @shape = { i32 5, 3 }             local const data @shape = { i32 5, 3 }
//! local data @count = { i32 0 }                local data @count = { i32 0 }
//! local func @width(%p: i64) -> i32 {          local func @width(%p: i64) -> i32 {
//! entry:                                       entry:
//!   %w = load i32 [%p + 4]                       %w = load i32 [%p + 4]
//!   ret %w                                =>     ret %w
//! }                                            }
//! func @f() -> i32 {                           func @f() -> i32 {
//! entry:                                       entry:
//!   %p = lea [@shape]                            %p = lea [@shape]
//!   %w = call i32 @width(%p)                     %w = call i32 @width(%p)
//!   store i32 [@count], 1                        store i32 [@count], 1
//!   ret %w                                       ret %w
//! }                                            }
//! ```
//!
//! Other passes compute the loads: `gvn`, `sccp` and `loop-unroll` the ones at known offsets; and no store is between
//! two loads any more.
//!
//! # Algorithm
//!
//! 1. Candidates are the data objects with contents that are `local`, no entry points, not `thread`, not in a section
//!    of their own choice, and not `const` already; and whose address no data object holds, except one of that kind, or
//!    such a `const` one, whose own address no data holds: a table of texts.
//! 2. Functions are visited callees first ([`flow`]). A register is *lost* where its value may be written through or
//!    kept: it is an operand of anything but a load, a comparison, a call that is followed, or an instruction that
//!    makes an address from it (`lea copy phi select add sub and or`). A register from which one of these makes a lost
//!    register is lost, too. A candidate is lost where its name is an operand in the same ways. Where a store to the
//!    stack lost one, the function is visited again, and the values in stack objects are followed from stores to loads
//!    of the same bytes ([`address_holders`]): a stored value is lost only if a loaded one is, or the object's own
//!    address. Values loaded from data that holds addresses are followed in the same way.
//! 3. A call of a function defined here loses the arguments whose parameters that function loses. Functions that call
//!    each other are visited again while one loses more parameters; the last of [`MAX_VISITS`] follows none of the
//!    calls between them. The arguments that functions of C only read are known. A call that is `readonly` or
//!    `readnone`, whatever it calls, loses no other argument either, but makes its result from them.
//! 4. Candidates that some function names and none loses become `const`.
//!
//! # Why it is sound
//!
//! An access is one through the object's name, or through an address that was made from it: through registers, which
//! step 2 follows, through calls, which step 3 follows, or through memory: an address of a candidate is in none but in
//! stack objects whose own addresses are nowhere but in loads and stores of that function, and in data whose own
//! address is nowhere but in loads; an instruction that puts it elsewhere loses it. A function's second visit comes
//! before its first one is used. An access through the address of another object stays inside of that one, and `local`
//! symbols are not known to others. A comparison tells whether two addresses are equal, but not more: if the program
//! then accesses the object through the other address, that is a mistake in the program. A number that was computed
//! from an address some other way could be taken for it, so that computing it counts as keeping the address. A volatile
//! load expects other writers: it loses the object.
//!
//! A function that calls itself keeps nothing that its body does not keep if the calls inside do not: the visits begin
//! with the assumption that nothing is lost and end where it is confirmed.
//!
//! # Cost and limits
//!
//! Linear: one walk over a function's instructions, or two, and each register is lost once; at most [`MAX_VISITS`]
//! visits of functions that call each other. Stack objects that are passed to calls are not followed, nor at indices.
//! Addresses that are returned are not followed, nor tables of tables; neither are the members of an object apart.
//! Large objects of zeros stay: as constants they would have to be in the file.
//!
//! # Source
//!
//! LLVM's `globalopt` (`llvm/lib/Transforms/IPO/GlobalOpt.cpp`, `llvm/lib/Transforms/Utils/GlobalStatus.cpp`), which
//! does not follow calls.

mod address_holders;
mod events;
mod flow;

use self::flow::AddressFlow;
use crate::analysis::Preserved;
use crate::analysis::call_graph::CallGraph;
use crate::pass::remarks::Common;
use crate::pass::{ModuleContext, ModulePass, Pass, PassInfo};
use crate::passes::const_data::events::Event;
use lir_syntax::ir::{
    Base, DataItem, DataObject, Decls, Effects, EntitySet, FuncId, Function, Inst, Module, SecondaryMap, Sym,
};

/// The row of the registry.
pub(crate) static INFO: PassInfo = PassInfo {
    name: "const-data",
    summary: "make local data constant if nothing writes it",
    options: &[],
    build: |_| Pass::Module(Box::new(ConstData)),
};

/// Bytes of an object of zeros that may become part of the file.
const MAX_ZEROS: u64 = 4096;
/// Number of visits of a function that calls itself, by others perhaps. The last one takes nothing for granted.
const MAX_VISITS: u32 = 4;

struct ConstData;

impl ModulePass for ConstData {
    fn run(&self, module: &mut Module, cx: &mut ModuleContext<'_>) -> Preserved {
        let objects = Objects::of(module, cx);
        if !objects.has_candidates(&module.decls) && !cx.remarks.on() {
            return Preserved::All;
        }
        let graph = CallGraph::new(module);
        let mut flow = AddressFlow::new(module, &graph, objects);
        flow.visit();
        let objects = flow.objects;
        // The bodies are unchanged, but the printed text is not.
        Preserved::cfg_if(objects.apply(module, cx))
    }
}

/// The facts about a symbol.
#[derive(Copy, Clone)]
enum Fate {
    /// It is not local data that may be written.
    Other,
    Candidate,
    /// It does not become constant, for this reason.
    Stays(Event),
    /// This instruction of the function may write it or give its address away.
    Lost(FuncId, Inst),
}

/// The module's data objects.
struct Objects {
    fates: SecondaryMap<Sym, Fate>,
    /// The first instruction that names a candidate, as functions are visited.
    named: SecondaryMap<Sym, Option<(FuncId, Inst)>>,
    /// Candidates that were lost in the function that is visited.
    lost: Vec<Sym>,
    /// Objects that lost the values they hold, and the ones that did so in this function.
    spread: EntitySet<Sym>,
    spread_now: Vec<Sym>,
    /// The candidates whose addresses an object holds: a range of `held`. Empty for one of which others may know more.
    held_by: SecondaryMap<Sym, (u32, u32)>,
    held: Vec<Sym>,
}

impl Objects {
    /// Step 1.
    fn of(module: &Module, cx: &ModuleContext<'_>) -> Objects {
        let decls = &module.decls;
        let len = decls.syms.len();
        let mut objects = Objects {
            fates: SecondaryMap::with_len(Fate::Other, len),
            named: SecondaryMap::with_len(None, len),
            lost: Vec::new(),
            spread: EntitySet::new(),
            spread_now: Vec::new(),
            held_by: SecondaryMap::with_len((0, 0), len),
            held: Vec::new(),
        };
        for d in decls.data.values() {
            if !d.constant && !d.is_extern && !d.thread && !cx.is_visible(decls, d.sym) {
                objects.fates[d.sym] = first_reason(d).map_or(Fate::Candidate, Fate::Stays);
            }
        }
        objects.find_held(decls, cx);
        objects
    }
    /// Finds the addresses that data holds. An object whose own address no data holds may hold addresses of candidates:
    /// the values loaded from it are followed.
    fn find_held(&mut self, decls: &Decls, cx: &ModuleContext<'_>) {
        let addresses = |d: &DataObject| {
            let of = |item: &DataItem| if let DataItem::Addr(s, _) = item { Some(*s) } else { None };
            d.items.iter().filter_map(of).collect::<Vec<Sym>>()
        };
        let mut is_held = EntitySet::new();
        decls.data.values().flat_map(addresses).for_each(|s| _ = is_held.insert(s));
        for d in decls.data.values() {
            let is_own = !d.is_extern && !d.thread && d.section.is_none() && !cx.is_visible(decls, d.sym);
            let is_followed = is_own && !is_held.contains(d.sym) && (d.constant || self.is_candidate(d.sym));
            let first = self.held.len() as u32;
            for s in addresses(d) {
                if is_followed && self.is_candidate(s) {
                    self.held.push(s);
                } else {
                    self.lose(s, Fate::Stays(Common::ReferredTo(d.sym, s).into()));
                }
            }
            self.held_by[d.sym] = (first, self.held.len() as u32);
        }
    }
    /// Returns the indices of the candidates whose addresses an object holds.
    #[inline]
    fn held_by(&self, s: Sym) -> std::ops::Range<usize> {
        let (first, end) = self.held_by[s];
        first as usize..end as usize
    }
    fn is_candidate(&self, s: Sym) -> bool {
        matches!(self.fates[s], Fate::Candidate)
    }
    fn has_candidates(&self, decls: &Decls) -> bool {
        decls.data.values().any(|d| self.is_candidate(d.sym))
    }
    fn lose(&mut self, s: Sym, fate: Fate) {
        if self.is_candidate(s) {
            self.fates[s] = fate;
            self.lost.push(s);
        }
    }
    /// Loses the values of an object. Returns whether it holds any candidates.
    #[inline]
    fn lose_held_by(&mut self, s: Sym, fate: Fate) -> bool {
        let held = self.held_by(s);
        if held.is_empty() {
            return false;
        }
        if self.spread.insert(s) {
            self.spread_now.push(s);
            held.for_each(|k| self.lose(self.held[k], fate));
        }
        true
    }
    /// Begins with another function.
    fn keep_lost(&mut self) {
        self.lost.clear();
        self.spread_now.clear();
    }
    /// Makes the objects that were lost in this function candidates again.
    fn restore_lost(&mut self) {
        while let Some(s) = self.spread_now.pop() {
            self.spread.remove(s);
        }
        while let Some(s) = self.lost.pop() {
            self.fates[s] = Fate::Candidate;
        }
    }
    fn note_mention(&mut self, s: Sym, id: FuncId, i: Inst) {
        let held = self.held_by(s);
        if (!matches!(self.fates[s], Fate::Other) || !held.is_empty()) && self.named[s].is_none() {
            self.named[s] = Some((id, i));
            for k in held {
                self.named[self.held[k]].get_or_insert((id, i));
            }
        }
    }
    /// Step 4. Returns whether there is any.
    fn apply(&self, module: &mut Module, cx: &mut ModuleContext<'_>) -> bool {
        let Module { decls, funcs, .. } = module;
        let mut changed = false;
        for id in decls.data.keys() {
            let d = &mut decls.data[id];
            let s = d.sym;
            let Some((id, i)) = self.named[s] else { continue };
            match self.fates[s] {
                Fate::Other => {}
                Fate::Candidate => {
                    d.constant = true;
                    changed = true;
                    cx.stats.add("data objects made constant", 1);
                    cx.remarks.done(&funcs[id], i, Event::NothingWrites(s));
                }
                Fate::Stays(why) => cx.remarks.missed(&funcs[id], i, why),
                Fate::Lost(id, i) => {
                    let f = &funcs[id];
                    let event = if may_write(f, i, s) { Event::IsWrittenHere(s) } else { Event::AddressIsKept(s) };
                    cx.remarks.missed(f, i, event);
                }
            }
        }
        changed
    }
}

/// Returns the reason an object stays as it is, whatever its uses are.
fn first_reason(d: &DataObject) -> Option<Event> {
    let is_zero = |item: &DataItem| matches!(item, DataItem::Zero(_));
    if d.section.is_some() {
        Some(Common::HasASection(d.sym).into())
    } else if d.size() > MAX_ZEROS && d.items.iter().all(is_zero) {
        Some(Event::ManyZeros(d.sym))
    } else {
        None
    }
}

/// True if an instruction writes to memory that it names.
fn may_write(f: &Function, i: Inst, s: Sym) -> bool {
    let mut names = false;
    f.for_each_mem(i, |m| names |= m.base == Base::Sym(s));
    names && f.inst(i).op.effects().has(Effects::WRITES)
}

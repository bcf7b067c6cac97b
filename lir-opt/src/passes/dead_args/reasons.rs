//! The reasons parameters stay: their readers, or the unknown calls of a function.

use super::usage::{Usage, Value};
use crate::analysis::call_graph::CallGraph;
use crate::pass::ModuleContext;
use crate::pass::remarks::{By, Remarks};
use crate::passes::dead_args::events::Event;
use lir_syntax::ir::{EntitySet, FuncId, Function, Inst, Module, PackedOption, Param, Reg, SecondaryMap};

/// Remarks on unused parameters of functions that take no part.
pub(super) fn say_who_takes_no_part(
    module: &Module,
    graph: &CallGraph,
    candidates: &EntitySet<FuncId>,
    cx: &mut ModuleContext<'_>,
) {
    for (id, f) in module.funcs.iter().filter(|(id, _)| !candidates.contains(*id)) {
        let why = if cx.is_visible(&module.decls, f.sym) {
            Event::CalledFromOutside
        } else if graph.is_address_taken(f.sym) {
            Event::AddressTaken
        } else if graph.call_sites(id) == 0 {
            Event::NothingCalls
        } else {
            Event::VariableArguments
        };
        let readers = readers(f);
        let first = f.terminator(f.entry());
        for r in registers(f).filter(|r| readers[*r].is_none()) {
            cx.remarks.missed(f, first, why(r));
        }
    }
}

/// Remarks on the parameters of a function that are read and are no constant. The function takes part.
pub(super) fn say_what_is_needed(f: &Function, id: FuncId, usage: &Usage, remarks: &mut Remarks) {
    let readers = readers(f);
    let first = f.terminator(f.entry());
    for (k, p) in f.params.iter().enumerate() {
        let Param::Reg(r) = *p else { continue };
        let (true, Value::Several) = usage.verdict(id, k) else { continue };
        remarks.missed(f, first, Event::IsNeeded(r, readers[r].expand().map(By)));
    }
}

fn registers(f: &Function) -> impl Iterator<Item = Reg> + '_ {
    f.params.iter().filter_map(|p| if let Param::Reg(r) = *p { Some(r) } else { None })
}

/// The first instruction that reads each register.
fn readers(f: &Function) -> SecondaryMap<Reg, PackedOption<Inst>> {
    let mut readers: SecondaryMap<Reg, PackedOption<Inst>> = SecondaryMap::with_len(PackedOption::NONE, f.num_regs());
    for i in f.layout().all_insts() {
        f.for_each_use(i, |r| readers[r] = readers[r].expand().or(Some(i)).into());
    }
    readers
}

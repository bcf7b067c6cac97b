//! Reports why a function has a frame, why it saves registers, and why blocks are where they are.
//!
//! It reads the decisions of emission, and is called only if remarks are wanted. Linear in the function.

use super::EmitScratch;
use super::buffer::LINE;
use super::events::Event;
use crate::mir::allocation::Step;
use crate::mir::{MBlock, MFunction, MachineEnv, PReg, Props};
use crate::regalloc::Allocation;
use crate::regalloc::contents::{self, Contents, Held};
use lir_opt::pass::remarks::{At, Remarks};
use lir_syntax::ir::{Function, Inst, Obj, PackedOption, Reg};

/// Explains the code that was emitted last, from `machine`, which was selected from `f`. `names` has the LIR registers
/// of virtual registers, `objects` the stack objects in memory.
pub(crate) fn report(
    f: &Function,
    (machine, a, scratch): (&MFunction, &Allocation, &EmitScratch),
    names: &[PackedOption<Reg>],
    objects: impl Iterator<Item = Obj>,
    remarks: &mut Remarks,
) {
    let contents = contents::of_function(machine, a, names);
    let env = machine.env;
    let mut e = Explainer { f, machine, contents, env, remarks };
    if scratch.frame.depth() > 0 {
        e.frame(a, objects);
    }
    for r in scratch.frame.saved() {
        e.saved(r);
    }
    for b in machine.block_ids().filter(|b| scratch.wrap.is_made_in(*b)) {
        e.about_block(b, Event::LateFrame);
    }
    for b in &scratch.aligned {
        e.about_block(*b, Event::Aligned(LINE));
    }
    e.blocks(scratch);
}

struct Explainer<'a> {
    f: &'a Function,
    machine: &'a MFunction,
    contents: Contents,
    env: &'static MachineEnv,
    remarks: &'a mut Remarks,
}

impl Explainer<'_> {
    /// Reports the first need of each kind for a frame.
    fn frame(&mut self, a: &Allocation, mut objects: impl Iterator<Item = Obj>) {
        let first = self.f.layout().first_inst(self.f.entry()).expect("a block ends in a terminator");
        let call = self.machine.insts.iter().position(|i| self.machine.props(i).has(Props::CALL));
        if let Some(call) = call.and_then(|k| self.machine.origins[k].expand()) {
            self.remarks.note_here(self.f, call, Event::FrameForCall(call));
        }
        if a.num_slots > 0 {
            self.remarks.note_here(self.f, first, Event::FrameForSlots(a.num_slots));
        }
        if let Some(o) = objects.next() {
            self.remarks.note_here(self.f, first, Event::FrameForObject(o));
        }
        if self.machine.frame_pointer {
            self.remarks.note_here(self.f, first, Event::FrameAsked);
        }
    }
    /// Reports for which value a register is saved: one that is in it across a call, or else the first.
    fn saved(&mut self, p: PReg) {
        let value_in = |list: &[(PReg, Held)]| {
            list.iter().find_map(|(q, v)| if let (true, Held::Value(r)) = (*q == p, v) { Some(*r) } else { None })
        };
        let mut room: Option<(Reg, u32)> = None;
        for i in 0..self.machine.insts.len() as u32 {
            let here = self.contents.at(Step::Inst(i));
            let Some(r) = value_in(&here.before) else { continue };
            let is_call = self.machine.props(&self.machine.insts[i as usize]).has(Props::CALL);
            let call =
                self.machine.origins[i as usize].expand().filter(|_| is_call && value_in(&here.after) == Some(r));
            if let Some(call) = call {
                return self.about_value(r, Event::SavedAcross(self.env.name(p), call));
            }
            room.get_or_insert((r, i));
        }
        if let Some((r, i)) = room {
            let at = self.machine.origins[i as usize].expand().unwrap_or(self.anchor(r));
            self.about_value(r, Event::SavedForRoom(self.env.name(p), At(at)));
        }
    }
    /// Reports the reason for each block that is not in the function's order.
    fn blocks(&mut self, scratch: &EmitScratch) {
        let order: Vec<MBlock> = (0..scratch.blocks.count()).map(|k| scratch.blocks.emitted(k).0).collect();
        let mut sorted = order.clone();
        sorted.sort_unstable_by_key(|b| b.0);
        for pair in order.windows(2) {
            let [before, b] = [pair[0], pair[1]];
            let next = sorted.get(sorted.partition_point(|x| x.0 <= before.0));
            if next == Some(&b) {
                continue;
            }
            let data = &self.machine.blocks[b.index()];
            let label = self.machine.blocks[before.index()].label.expand();
            let event = match label {
                _ if data.cold => Event::ColdLast,
                Some(label) if data.preds.contains(&before) => Event::Follows(label),
                Some(label) => Event::After(label),
                None => continue,
            };
            self.about_block(b, event);
        }
    }
    fn about_block(&mut self, b: MBlock, event: Event<'_>) {
        if let Some(label) = self.machine.blocks[b.index()].label.expand() {
            self.remarks.note_here(self.f, self.f.terminator(label), event);
        }
    }
    fn about_value(&mut self, r: Reg, event: Event<'_>) {
        self.remarks.missed_of(self.f, self.anchor(r), r, event);
    }
    /// Returns the instruction that a remark about a register is at: its first assignment, or the function's first one.
    fn anchor(&self, r: Reg) -> Inst {
        let mut all = self.f.layout().all_insts();
        let first = || self.f.layout().first_inst(self.f.entry()).expect("a block ends in a terminator");
        all.find(|i| self.f.def(*i) == Some(r)).unwrap_or_else(first)
    }
}

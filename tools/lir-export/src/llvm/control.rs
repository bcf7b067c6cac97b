//! Terminators.

use super::function::{FunctionWriter, Trap};
use super::types::{constant, type_name};
use lir_syntax::ir::{Block, Inst, InstView, Operand};

impl FunctionWriter<'_, '_> {
    /// Translates the last instruction of a block.
    pub(super) fn terminator(&mut self, b: Block, i: Inst) {
        let succs = self.f.succs(b);
        match self.f.view(i) {
            InstView::Jump => {
                let to = self.label(succs[0]).to_string();
                self.line(format_args!("br label %{to}"));
            }
            InstView::Branch(c) => {
                let holds = self.comparison(c);
                let (then, otherwise) = (self.label(succs[0]).to_string(), self.label(succs[1]).to_string());
                let weights = self.weights(i);
                self.line(format_args!("br i1 {holds}, label %{then}, label %{otherwise}{weights}"));
            }
            InstView::Switch(value) => self.switch(b, i, value),
            InstView::Return(_) | InstView::AggReturn { .. } if self.never_returns() => {
                let trap = self.trap_label(Trap::Unreachable);
                self.line(format_args!("br label %{trap}"));
            }
            InstView::Return(value) => self.return_scalar(value),
            InstView::AggReturn { agg, mem } => self.return_aggregate(agg, mem),
            InstView::Stop => {
                let trap = self.trap_label(Trap::Unreachable);
                self.line(format_args!("br label %{trap}"));
            }
            other => unreachable!("{other:?} is not a terminator"),
        }
    }
    fn switch(&mut self, b: Block, i: Inst, value: Operand) {
        let ty = self.f.inst(i).ty;
        let (t, succs, v) = (type_name(ty), self.f.succs(b), self.value(value, ty));
        let case = |(k, to): (Operand, &Block)| {
            let k = constant(ty, self.f.constant(k).unwrap_or_default());
            format!("\n    {t} {k}, label %{}", self.label(*to))
        };
        let cases: String = self.f.switch_cases(i).zip(&succs[1..]).map(case).collect();
        let default = self.label(succs[0]).to_string();
        let end = if cases.is_empty() { "" } else { "\n  " };
        let weights = self.weights(i);
        self.line(format_args!("switch {t} {v}, label %{default} [{cases}{end}]{weights}"));
    }
    /// Returns the weights of a terminator's targets, with a comma before them; nothing if there are none.
    fn weights(&mut self, i: Inst) -> String {
        let Some(weights) = self.f.branch_weights(i) else { return String::new() };
        let weights: String = weights.iter().map(|w| format!(", i32 {w}")).collect();
        let node = self.shared.node(format!("!{{!\"branch_weights\"{weights}}}"));
        format!(", !prof !{node}")
    }
}

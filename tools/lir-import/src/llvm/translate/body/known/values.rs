//! Turns attributes and metadata about the values of parameters, loads and calls into promises.
//!
//! LLVM's `range`, `nonnull` and `align` make a poison value where they do not hold. With `noundef` that is undefined
//! behaviour at this place, which is the meaning of a promise in LIR. So they are kept with `noundef`, and else
//! dropped: LLVM's passes drop `noundef` where they execute an instruction earlier than the source does.
//! `dereferenceable` needs no `noundef`.

use super::super::super::super::ast::{self, Fact, MetadataItem, MetadataNode, Node, ParamFacts};
use super::super::super::super::attributes::{ParamAttributes, ParamWords};
use super::super::super::abi::{Leaf, Returned};
use super::super::super::scalar::Scalar;
use super::super::function::{Translated, Translator};
use lir_syntax::ir::module::MAX_OBJECT_SIZE;
use lir_syntax::ir::{Inst, InstData, InstView, Type, ValuePromises};

/// The number of instructions before an `assume` among which the comparison is.
const MAX_DISTANCE: usize = 8;

impl Translator<'_> {
    /// Returns the promises about a parameter or a result that is a scalar.
    pub(in crate::llvm::translate::body) fn promises_of_attributes(
        &self,
        attributes: &ParamAttributes,
        scalar: Scalar,
    ) -> ValuePromises {
        let facts = match attributes.facts {
            0 => ParamFacts::default(),
            number => self.program.param_facts[number as usize - 1],
        };
        let mut promises = ValuePromises { dereferenceable: facts.dereferenceable, ..ValuePromises::NONE };
        if attributes.words.has(ParamWords::NOUNDEF) {
            promises.range = facts.range.map(|(first, end)| inclusive(first, end));
            if attributes.words.has(ParamWords::NONNULL) {
                promises = promises.or(ValuePromises::nonnull());
            }
            promises.align_log2 = log2(attributes.align.into());
        }
        possible(promises, scalar)
    }

    /// Adds the promises about the result of a call, if it is one scalar.
    pub(in crate::llvm::translate::body) fn promise_result(
        &mut self,
        made: Inst,
        inst: &ast::Inst,
        call: &ast::Call,
        returned: &Returned,
    ) {
        let Returned::One(Leaf::Scalar(scalar)) = returned else { return };
        let promises = self.promises_of_metadata(inst, *scalar);
        let promises = promises.or(self.promises_of_attributes(&call.result_attributes, *scalar));
        if self.func.def(made).is_some() && !promises.is_empty() {
            self.func.set_value_promises(made, promises);
        }
    }

    /// Returns the promises about the result of a load or a call that its metadata make.
    pub(in crate::llvm::translate::body) fn promises_of_metadata(
        &self,
        inst: &ast::Inst,
        scalar: Scalar,
    ) -> ValuePromises {
        let facts = self.facts_of(inst);
        let is_defined = facts.iter().any(|(fact, _)| *fact == Fact::NoUndef);
        let mut promises = ValuePromises::NONE;
        for (fact, node) in facts {
            match fact {
                Fact::Dereferenceable => promises.dereferenceable = self.number(*node).unwrap_or(0),
                _ if !is_defined => {}
                Fact::NoUndef | Fact::Profile | Fact::AliasScope | Fact::NoAlias => {}
                Fact::NonNull => promises = promises.or(ValuePromises::nonnull()),
                Fact::Align => promises.align_log2 = log2(self.number(*node).unwrap_or(1)),
                Fact::Range => {
                    if let Some(range) = self.range(*node) {
                        promises.range = Some(range);
                    }
                }
            }
        }
        possible(promises, scalar)
    }

    /// Translates `llvm.assume` of a comparison of integers that was just computed. Other conditions are dropped.
    pub(in crate::llvm::translate::body) fn assume(&mut self, condition: &ast::Operand) -> Translated<()> {
        let Some(condition) = self.value(condition)?.as_reg() else { return Ok(()) };
        let layout = self.func.layout();
        let before = std::iter::successors(layout.last_inst(self.block), |i| layout.prev_inst(*i));
        let compared = before.take(MAX_DISTANCE).find(|i| self.func.def(*i) == Some(condition));
        if let Some(InstView::Compare(c)) = compared.map(|i| self.func.view(i))
            && c.ty.is_int()
            && c.ty.has_word()
        {
            self.emit(InstData::assume(c));
        }
        Ok(())
    }

    /// Returns the facts that metadata state about an instruction.
    pub(in crate::llvm::translate::body) fn facts_of(&self, inst: &ast::Inst) -> &[(Fact, Node)] {
        let (end, count) = (inst.facts.0 as usize, inst.facts.1 as usize);
        &self.body.facts[end - count..end]
    }
    pub(in crate::llvm::translate::body) fn items(&self, node: Node) -> &[MetadataItem] {
        match self.program.metadata.get(node as usize) {
            Some(MetadataNode::Tuple(items)) => items,
            _ => &[],
        }
    }
    /// Returns the number of `!{i64 8}`.
    fn number(&self, node: Node) -> Option<u64> {
        match self.items(node) {
            [MetadataItem::Number(n)] => Some(*n),
            _ => None,
        }
    }
    /// Returns the range around the ranges of a node, which are in signed order: of one, it may begin above its end.
    fn range(&self, node: Node) -> Option<(i64, i64)> {
        let ends: Vec<i64> = self
            .items(node)
            .iter()
            .map_while(|item| if let MetadataItem::Number(n) = item { Some(*n as i64) } else { None })
            .collect();
        match *ends {
            [first, end] => Some(inclusive(first.into(), end.into())),
            [first, .., end] if ends.len() == self.items(node).len() && ends.is_sorted() => {
                Some(inclusive(first.into(), end.into()))
            }
            _ => None,
        }
    }
}

/// Returns the range of the values before an end.
fn inclusive(first: i128, end: i128) -> (i64, i64) {
    (first as i64, (end as i64).wrapping_sub(1))
}

/// Returns the exponent of an alignment; 0 if the alignment is not a power of two.
fn log2(align: u64) -> u8 {
    if align.is_power_of_two() { align.trailing_zeros() as u8 } else { 0 }
}

/// Returns the promises without the ones that the scalar's type does not allow.
fn possible(promises: ValuePromises, scalar: Scalar) -> ValuePromises {
    let is_word = !scalar.is_narrow() && scalar.ty.is_int() && scalar.ty.has_word();
    if promises.is_empty() || !is_word {
        return ValuePromises::NONE;
    }
    let payload = |k: i64| scalar.ty.constant_payload(k as u64);
    let range = promises.range.map(|(first, last)| (payload(first), payload(last)));
    let one = ValuePromises { range, ..ValuePromises::NONE };
    let mut kept = if one.complaint(scalar.ty).is_none() { one } else { ValuePromises::NONE };
    if scalar.ty == Type::I64 {
        kept.align_log2 = promises.align_log2.min(MAX_OBJECT_SIZE.ilog2() as u8);
        kept.dereferenceable = promises.dereferenceable.min(MAX_OBJECT_SIZE);
    }
    kept
}

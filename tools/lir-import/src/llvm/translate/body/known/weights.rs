//! Turns `!prof` and `llvm.expect` into weights of branches.
//!
//! Front ends write `__builtin_expect(x, 1)` as a call of `llvm.expect` whose result a branch or a switch tests, itself
//! or by a comparison with a constant. LLVM's passes replace it by `!prof !{!"branch_weights", i32 2000, i32 1}`, which
//! has a weight for each target, a switch's default first.

use super::super::super::super::ast::{self, Constant, Fact, Local, MetadataItem, Op, Operand, Value};
use super::super::super::super::parser::INT_PREDICATES;
use super::super::super::super::types::Kind;
use super::super::function::{Expectation, State, Translator};

/// The part of the expected case, unless the source says it: LLVM's weights are 2000 to 1.
const EXPECTED: f64 = 2000.0 / 2001.0;
/// The sum of the weights of two targets that are made from a probability.
const SCALE: f64 = 2001.0;

impl Translator<'_> {
    /// Notes the expectation of `llvm.expect` about its first operand, which is its result. One that is no constant is
    /// ignored.
    pub(in crate::llvm::translate::body) fn expect(&mut self, result: Local, operands: &[Operand]) {
        let Some(value) = operands.get(1).and_then(|o| self.integer(o)) else { return };
        let probability = match operands.get(2).map(|o| o.value) {
            Some(Value::Const(k)) => match self.program.constants[k] {
                Constant::Float(bits) if !f64::from_bits(bits).is_nan() => f64::from_bits(bits).clamp(0.0, 1.0),
                _ => return,
            },
            Some(_) => return,
            None => EXPECTED,
        };
        self.expected.insert(result, Expectation { value, probability });
    }

    /// Gives the branch or switch that was just translated its weights, if any are known.
    pub(in crate::llvm::translate::body) fn weigh(&mut self, inst: &ast::Inst, operands: &[Operand]) {
        let targets = self.func.succs(self.block).len();
        let weights = match self.profile(inst) {
            Some(weights) => Some(weights),
            None if self.expected.is_empty() => return,
            None => self.weights_by_expectation(inst, operands, targets),
        };
        if let Some(weights) = weights.filter(|w| w.len() == targets && w.iter().any(|w| *w != 0))
            && let Some(terminator) = self.func.layout().last_inst(self.block)
        {
            self.func.set_branch_weights(terminator, &weights);
        }
    }
    /// Returns the weights of `!prof`: numbers after `"branch_weights"` and, from LLVM 20 on, perhaps `"expected"`.
    fn profile(&self, inst: &ast::Inst) -> Option<Vec<u32>> {
        let (_, node) = self.facts_of(inst).iter().find(|(fact, _)| *fact == Fact::Profile)?;
        let (kind, mut rest) = self.items(*node).split_first()?;
        if !matches!(kind, MetadataItem::Name(name) if **name == *b"branch_weights") {
            return None;
        }
        if let [MetadataItem::Name(_), after @ ..] = rest {
            rest = after;
        }
        let number = |item: &MetadataItem| if let MetadataItem::Number(n) = item { Some(*n) } else { None };
        let weights: Vec<u64> = rest.iter().map(number).collect::<Option<_>>()?;
        // LLVM reads a negative number as a large one of 32 bits.
        let weight = |n: &u64| if (*n as i64) < 0 { u64::from(*n as u32) } else { *n };
        let weights: Vec<u64> = weights.iter().map(weight).collect();
        let shift = weights.iter().max().map_or(0, |w| (64 - w.leading_zeros()).saturating_sub(32));
        Some(weights.iter().map(|w| (w >> shift) as u32).collect())
    }
    fn weights_by_expectation(&self, inst: &ast::Inst, operands: &[Operand], targets: usize) -> Option<Vec<u32>> {
        let Value::Local(tested) = operands[0].value else { return None };
        if inst.op == Op::Switch {
            let expected = self.expected.get(&tested)?;
            let case = operands[2..].chunks_exact(2).position(|case| self.integer(&case[0]) == Some(expected.value));
            let other = SCALE * (1.0 - expected.probability) / (targets.max(2) - 1) as f64;
            let mut weights = vec![other.round().max(1.0) as u32; targets];
            *weights.get_mut(case.map_or(0, |k| k + 1))? = (SCALE * expected.probability).round() as u32;
            return Some(weights);
        }
        let holds = self.truth(tested)?;
        Some([holds, 1.0 - holds].map(|p| (SCALE * p).round() as u32).into())
    }
    /// Returns the probability that the tested value is not 0.
    fn truth(&self, tested: Local) -> Option<f64> {
        if let Some(expected) = self.expected.get(&tested) {
            return Some(if expected.value != 0 { expected.probability } else { 1.0 - expected.probability });
        }
        let State::Comparison(k) = self.states[tested] else { return None };
        let compared = &self.body.insts[k as usize];
        let [a, b] = &self.program.operands[compared.operands.range()] else { return None };
        let Value::Local(value) = a.value else { return None };
        let (expected, constant) = (self.expected.get(&value)?, self.integer(b)?);
        let predicate = INT_PREDICATES.get(usize::from(compared.detail)).filter(|_| compared.op == Op::Icmp)?;
        let is_equal = match *predicate {
            b"eq" => true,
            b"ne" => false,
            _ => return None,
        };
        let p =
            if (expected.value == constant) == is_equal { expected.probability } else { 1.0 - expected.probability };
        // Another value than the expected one may well be different from the constant, too.
        (expected.value == constant || expected.probability > 0.5).then_some(p)
    }
    /// Returns a constant integer of at most 128 bits, without the bits beyond its type.
    fn integer(&self, operand: &Operand) -> Option<u128> {
        let value = match operand.value {
            Value::Int(k) => i128::from(k) as u128,
            Value::Zero => 0,
            Value::Const(k) => match self.program.constants[k] {
                Constant::Int(value, _) => value,
                _ => return None,
            },
            _ => return None,
        };
        match self.program.types.kind(operand.ty) {
            Kind::Int(bits @ 1..=127) => Some(value & ((1 << bits) - 1)),
            _ => Some(value),
        }
    }
}

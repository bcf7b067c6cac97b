//! Minima and maxima of floats, as hardware has them.
//!
//! ```text
//!   br olt f64 %a, %b, less, join        =>     minsd a, b
//! less:
//!   jmp join
//! join:
//!   %r = phi f64 [%a, less], [%b, head]
//! ```
//!
//! `minsd a, b` is `a < b ? a : b`, `maxsd` likewise with `>`: the second operand where they are equal, zeros of both
//! signs among them, or not ordered. With the operands in either order that makes four of the predicates. The other
//! four pick the other one of equal operands, which only shows in zeros: they do with a constant that is neither zero
//! nor a NaN.
//!
//! Source: Intel SDM volume 2, `MINSD`, `MAXSD`.

use lir_syntax::ir::{Comparison, FloatCC, Function, Operand, Type};
use lir_syntax::semantics::float::is_ordinary;

/// True if the choice between two values by a condition is their minimum or maximum.
pub(super) fn is_extreme(f: &Function, condition: &Comparison, ty: Type, choice: [Operand; 2]) -> bool {
    use FloatCC::*;
    let same = |x: Operand, y: Operand| x == y || f.constant(x).is_some() && f.constant(x) == f.constant(y);
    let is_ordinary_float = |k| is_ordinary(ty.as_word(), k as u64);
    let [x, y] = choice;
    let Comparison { ty: compared, predicate, a, b } = *condition;
    if compared != ty || !(same(a, x) && same(b, y) || same(a, y) && same(b, x)) {
        return false;
    }
    match predicate.as_float() {
        Some(Olt | Ule | Ogt | Uge) => true,
        Some(Ole | Ult | Oge | Ugt) => choice.iter().any(|o| f.constant(*o).is_some_and(is_ordinary_float)),
        Some(Oeq | One | Ord | Ueq | Une | Uno) | None => false,
    }
}

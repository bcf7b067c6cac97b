//! Algebraic simplification (`simplify`).
//!
//! Rewrites instructions by rules, one line of algebra each; `lir-opt --list-rules` prints them.
//!
//! # Example
//!
//! ```text
//!   %a = shl i32 %x, 7
//!   %b = lshr i32 %x, 25
//!   %c = or i32 %a, %b              =>      %c = rotl i32 %x, 7
//!   %d = udiv i32 %y, 8             =>      %d = lshr i32 %y, 3
//!   %e = sub i32 %d, %z
//!   br eq i32 %e, 0, done, more     =>      br eq i32 %d, %z, done, more
//! ```
//!
//! # Algorithm
//!
//! 1. One walk over all instructions finds the kind of the assignment of each register (a small number, its class), and
//!    its number of readers.
//! 2. The reachable blocks are walked in reverse postorder, so that operands come first. Constants are moved to the
//!    second operand and into the instruction, operations on constants are folded.
//! 3. The rules that may match are found by the opcode and the classes of the operands: sets of bits from a table, one
//!    for each operand, intersected ([`rules::index`]). They are tried in the order in which they are written; first
//!    the shape, then types, constants, and at last conditions about known bits and limits of values
//!    ([`crate::analysis::known_bits`]). A rule pays if it makes no more instructions below the root than its left side
//!    leaves unused; rules marked `=>+` always do (option `expand`), and are applied when the others are done.
//! 4. The operations of the right side are inserted before the root, and visited themselves.
//! 5. The root becomes the operation at the root of the right side and keeps its register; or a constant; or it is
//!    removed, and a value replaces its register in later instructions. Unused operations are removed at once, so that
//!    counts of readers are right. A branch is matched as the comparison that it contains.
//! 6. If no rule applies, a chain of one operation is tried in other orders ([`chains`]), an operation on a selection
//!    on each arm ([`select_arms`]), and values next to `x == C` are computed with `C` for `x` ([`equalities`]).
//! 7. A value composed of bytes of one value, by any tree of shifts, masks and `or`s, becomes a byte swap, a rotation,
//!    a shift or a mask ([`byte_order`]): there are too many such trees for rules.
//! 8. When a value has lost all readers but one, a rule may pay at a reader that was already visited: instructions near
//!    it are visited again, in at most [`rewrite::MAX_ITERATIONS`] iterations.
//!
//! # Why it is sound
//!
//! Every rule is an equation between the results of both sides, including traps, for all values of its variables for
//! which its conditions hold, except the conditions on profitability (`when`): `tests` evaluates both sides for all
//! values at 8 bits, or at the least types that a rule can have, and at other widths for boundary and random ones. A
//! variable is an operand of an instruction that dominates the root, so it may be read there. For floats, only
//! equations that hold bit by bit are used, including -0.0, except for NaN results of arithmetic, whose bits are
//! unspecified. The tries of step 6 end at such a variable or a constant only by rules, and by the laws of
//! associativity and distributivity.
//!
//! # Why it ends
//!
//! A rule makes the function smaller in the lexicographic order of: (a) the sum of the weights of its instructions,
//! division above multiplication above the rest; (b) the sum over instructions of the size of the tree of operations
//! below each, phis and loads being leaves; (c) the distance from the canonical order of operands, predicates and
//! constants. `tests` runs the pass again on its output, where it must change nothing; a limit on the steps is a
//! safeguard.
//!
//! # Cost and limits
//!
//! Linear: an instruction costs a lookup, and a constant number of attempts if the lookup finds some; step 6 takes 1 %
//! of the time of `-O1` and of `-O2` on SQLite. Rules and equalities see through three operations at most, bytes are
//! followed through any number. Nothing is moved across blocks, so a rule that pays may lengthen live ranges. Facts
//! from dominating branches are not used.
//!
//! # Source
//!
//! The form of the rules is from Go's generic.rules and Cranelift's ISLE, the table of sets by opcode and operand one
//! level of the bottom-up tree automata of C. M. Hoffmann and M. J. O'Donnell, "Pattern Matching in Trees", JACM 29(1),
//! 1982. Algebra: H. S. Warren, "Hacker's Delight", 2nd ed. 2013; divisions: [`rules::magic`].
//!
//! # Coverage
//!
//! For the operations of the language, the rules of these compilers are here; `testdata/opt/simplify` has a case for
//! each:
//!
//! - QBE (`fold.c`, `copy.c`): folded constants, identities, extensions of extensions.
//! - LLVM's InstSimplify (`instsimplify.lir`, `limits.lir`, `compared_with_parts.lir`, `chosen_bits.lir`,
//!   `float_signs.lir`, `arms.lir`, `other_orders.lir`). Not: rules that need no-wrap, exact or fast-math flags,
//!   undefined values, pointers or vectors, none of which the language has; rules that replace a division that may
//!   trap; rules that are wrong for a signalling NaN; results found by replacing one register by another equal one.
//! - Cranelift's `opts/*.isle` (`cranelift.lir`). Not: rules that lead to as many instructions as before, such as
//!   `rotl(rotl(x, y), z)` to an addition of the amounts; conditional moves and vectors. The high half of a product of
//!   extended values is `umulh` or `smulh` at i32 alone, where no extension is the value of another reader: below, the
//!   back end would make the extensions again, in a loop, too.
//! - Go's `generic.rules` and `divisible.rules` (`go.lir`). Not: rules about memory, strings, interfaces and calls,
//!   which belong to other passes.
//!
//! Remainders and quotients by a variable are compared as if they could not trap, but are kept if they could. `x - x /
//! y * y` is not changed: `urem` by a constant is expanded to it.

pub(crate) mod alternatives;
mod byte_order;
mod bytes;
mod chains;
mod equalities;
mod events;
mod hypothetical;
mod matcher;
pub(crate) mod one_by_one;
mod register_facts;
mod rewrite;
mod rewrite_state;
mod rules;
mod select_arms;
#[cfg(test)]
mod tests;

use crate::analysis::{Preserved, SsaView};
use crate::edit::edges::drop_stale_phi_entries;
use crate::pass::{OptionInfo, OptionKind, Pass, PassContext, PassInfo, SsaPass};
use lir_syntax::ir::Function;
use register_facts::RegisterFacts;
use rewrite::Rewriter;
use rewrite_state::RewriteState;
#[cfg(feature = "cli")]
pub(crate) use rules::list_rules;

/// The row of the registry.
pub(crate) static INFO: PassInfo = PassInfo {
    name: "simplify",
    summary: "rewrite operations by algebraic rules",
    options: &[OptionInfo {
        name: "expand",
        kind: OptionKind::Flag { default: true },
        summary: "apply rules that add instructions, such as division by a constant as multiplication",
    }],
    build: |options| Pass::Ssa(Box::new(Simplify { expand: options.flag("expand") })),
};

struct Simplify {
    /// True if rules marked `=>+` are applied.
    expand: bool,
}

/// The memory kept from function to function.
#[derive(Default)]
struct SimplificationScratch {
    facts: RegisterFacts,
    state: RewriteState,
}

impl SsaPass for Simplify {
    fn run(&self, f: &mut Function, _: &SsaView, cx: &mut PassContext<'_>) -> Preserved {
        let mut scratch = cx.scratch.take::<SimplificationScratch>();
        scratch.facts.reset(f);
        scratch.state.clear();
        let cfg = cx.analyses.cfg(f);
        let rpo = cfg.rpo();
        let mut rewriter = Rewriter {
            f,
            facts: &mut scratch.facts,
            decls: cx.decls,
            remarks: &mut *cx.remarks,
            state: &mut scratch.state,
            expands: false,
            building: None,
            changed: false,
            fuel: *cx.fuel,
            computed: 0,
        };
        rewriter.walk_until_stable(rpo, self.expand);
        rewriter.replace_the_rest(cfg);
        let Rewriter { changed, computed, fuel, .. } = rewriter;
        *cx.fuel = fuel;
        let cuts = scratch.state.apply_decisions(f);
        if cuts {
            drop_stale_phi_entries(f, cx.analyses.cfg(f), &mut scratch.state.cut);
        }
        cx.stats.add("operations computed", computed);
        scratch.count(cx);
        cx.scratch.give_back(scratch);
        if cuts { Preserved::None } else { Preserved::cfg_if(changed) }
    }
}

impl SimplificationScratch {
    /// Counts the changes, rule by rule.
    fn count(&mut self, cx: &mut PassContext<'_>) {
        for rule in self.facts.applied.drain(..) {
            cx.stats.add(rule, 1);
        }
    }
}

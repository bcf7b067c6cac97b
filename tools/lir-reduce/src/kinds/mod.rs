//! The kinds of reduction, in the order in which they are tried: the coarse ones first.

mod blocks;
mod constants;
mod cut;
mod instructions;
mod kind;
mod module_items;
mod names;
mod operands;
mod parameters;
mod qualifiers;
mod widths;
mod wrappers;

pub use kind::Kind;

use crate::document::Document;
use kind::Ask;

const fn kind(name: &'static str, summary: &'static str, run: fn(&mut Document, &mut Ask<'_>)) -> Kind {
    Kind { name, summary, repeated: false, last: false, run }
}

/// All kinds.
pub static KINDS: &[Kind] = &[
    kind("lines", "drop a directive comment", module_items::lines),
    kind("functions", "drop a function; calls give 0", module_items::functions),
    kind("bodies", "return 0 at once", module_items::bodies),
    kind("data", "drop a data object; loads give 0", module_items::data),
    kind("externs", "drop a declaration", module_items::externs),
    kind("returns", "end a block with a return of 0", blocks::returns),
    kind("branches-first", "always take the first target of a branch", blocks::first_target),
    kind("branches-last", "always take the last target of a branch", blocks::last_target),
    kind("switch-cases", "drop a case of a switch", blocks::switch_cases),
    kind("unreachable-blocks", "drop a block that nothing leads to", blocks::unreachable),
    kind("instructions", "drop an instruction; where it is used, give 0", instructions::drop_or_zero),
    kind("merge", "join a block with the one that always follows", blocks::merge),
    kind("empty-blocks", "drop a block that only jumps", blocks::empty),
    kind("operands-zero", "0 in place of a register", operands::zero),
    kind("dead-code", "drop all results of a function that nothing uses", instructions::dead_code),
    kind("first-operand", "the first operand of its type in place of a result", instructions::first_operand),
    kind("second-operand", "the second operand of its type in place of a result", instructions::second_operand),
    kind("instructions-one", "1 in place of a result that is used", instructions::result_one),
    kind("copies", "the source in place of a copy", instructions::forward_copies),
    kind("constants-known", "the constant in place of a register that holds one", operands::known_constants),
    kind("operands-one", "1 in place of a register", operands::one),
    kind("operands-first", "the first register of its type in place of another", operands::first_register),
    kind("widths", "i32 in place of i16, i64 in place of i32, everywhere", widths::widen),
    kind("stack-objects", "drop a stack object and its accesses", instructions::stack_objects),
    kind("memory-index", "drop the index of an address", operands::drop_index),
    kind("memory-offset", "0 as the offset of an address", operands::zero_offset),
    kind("parameters", "drop a parameter that is not read", parameters::drop_parameters),
    kind(
        "constant-parameters",
        "a parameter in place of a constant in a register",
        parameters::constants_to_parameters,
    ),
    kind("callees", "the body of a callee in place of its only caller's", wrappers::callees),
    kind("return-register", "return what a block assigned last, in place of going on", parameters::return_register),
    kind("results", "drop the result of a function; calls give 0", parameters::drop_results),
    kind("constants-zero", "0 in place of a constant", constants::zero),
    kind("constants-one", "1 in place of a constant", constants::one),
    kind("constants-minus-one", "-1 in place of a constant", constants::minus_one),
    Kind { repeated: true, ..kind("constants-half", "half of a constant", constants::half) },
    kind("data-zero", "zeros in place of contents", module_items::zero_data),
    kind("data-items", "drop a piece of a data object", module_items::data_items),
    Kind { repeated: true, ..kind("data-half", "half as many zeros", module_items::halve_zeros) },
    kind("qualifiers", "drop an attribute, an alignment, a section and the like", qualifiers::drop),
    kind("types", "drop an aggregate type", module_items::types),
    kind("line-arguments-zero", "0 as the argument of a run line", module_items::line_arguments_zero),
    kind("line-arguments-one", "1 as the argument of a run line", module_items::line_arguments_one),
    Kind { last: true, ..kind("line-results", "leave out what a run line expects", module_items::line_results) },
    Kind { last: true, ..kind("names", "a short name", names::shorten) },
];

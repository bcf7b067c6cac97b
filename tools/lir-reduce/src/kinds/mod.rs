//! The kinds of reduction, in the order in which they are tried: the coarse ones first.

mod blocks;
mod constants;
mod cut;
mod instructions;
mod kind;
mod module_items;
mod operands;
mod parameters;
mod qualifiers;
mod short_names;
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
    kind("functions", "drop a function; its calls give 0", module_items::functions),
    kind("bodies", "return 0 at once", module_items::bodies),
    kind("data", "drop a data object; its loads give 0", module_items::data),
    kind("externs", "drop a declaration", module_items::externs),
    kind("returns", "end a block with a return of 0", blocks::returns),
    kind("branches-first", "always take the first target of a branch", blocks::first_target),
    kind("branches-last", "always take the last target of a branch", blocks::last_target),
    kind("switch-cases", "drop a case of a switch", blocks::switch_cases),
    kind("unreachable-blocks", "drop an unreachable block", blocks::unreachable),
    kind("instructions", "drop an instruction; its uses read 0", instructions::drop_or_zero),
    kind("merge", "merge a block with its only successor", blocks::merge),
    kind("empty-blocks", "drop a block that only jumps", blocks::empty),
    kind("operands-zero", "replace a register by 0", operands::zero),
    kind("dead-code", "drop all unused results of a function", instructions::dead_code),
    kind("first-operand", "replace a result by the first operand of its type", instructions::first_operand),
    kind("second-operand", "replace a result by the second operand of its type", instructions::second_operand),
    kind("instructions-one", "replace a used result by 1", instructions::result_one),
    kind("copies", "replace a copy by its source", instructions::forward_copies),
    kind("constants-known", "replace a register that holds a constant by the constant", operands::known_constants),
    kind("operands-one", "replace a register by 1", operands::one),
    kind("operands-first", "replace a register by the first one of its type", operands::first_register),
    kind("widths", "replace i16 by i32, or i32 by i64, everywhere", widths::widen),
    kind("stack-objects", "drop a stack object and its accesses", instructions::stack_objects),
    kind("memory-index", "drop the index of an address", operands::drop_index),
    kind("memory-offset", "replace the offset of an address by 0", operands::zero_offset),
    kind("parameters", "drop an unused parameter", parameters::drop_parameters),
    kind("constant-parameters", "replace a constant in a register by a parameter", parameters::constants_to_parameters),
    kind("callees", "replace the body of a callee's only caller by the callee's", wrappers::callees),
    kind("return-register", "return the last value that a block assigns", parameters::return_register),
    kind("results", "drop the result of a function; its calls give 0", parameters::drop_results),
    kind("constants-zero", "replace a constant by 0", constants::zero),
    kind("constants-one", "replace a constant by 1", constants::one),
    kind("constants-minus-one", "replace a constant by -1", constants::minus_one),
    Kind { repeated: true, ..kind("constants-half", "replace a constant by half of it", constants::half) },
    kind("data-zero", "replace contents by zeros", module_items::zero_data),
    kind("data-items", "drop a piece of a data object", module_items::data_items),
    Kind { repeated: true, ..kind("data-half", "halve the number of zeros", module_items::halve_zeros) },
    kind("qualifiers", "drop an attribute, an alignment, a section and the like", qualifiers::drop),
    kind("types", "drop an aggregate type", module_items::types),
    kind("line-arguments-zero", "replace an argument of a run line by 0", module_items::line_arguments_zero),
    kind("line-arguments-one", "replace an argument of a run line by 1", module_items::line_arguments_one),
    Kind { last: true, ..kind("line-results", "drop the expected result of a run line", module_items::line_results) },
    Kind { last: true, ..kind("names", "shorten a name", short_names::shorten) },
];

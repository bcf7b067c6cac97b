//! All integration tests of `lir-opt`: one program, since linking takes longer than most of them.

mod after_o2;
mod bisect;
mod cases;
mod contract;
mod deep;
mod dot;
mod dse;
mod growth;
mod gvn;
mod internal_errors;
mod ipo_scale;
mod lir_opt_tool;
mod location_walk;
mod locations;
mod loop_idiom;
mod loop_shapes;
mod memory_scale;
mod parts;
mod permutation;
mod phi_coalesce;
mod random_functions;
mod random_passes;
mod scale;
#[path = "../benches/shapes/mod.rs"]
#[expect(dead_code, reason = "the command line of the benches")]
mod shapes;
mod sroa_scale;
mod ssa_passes;
mod ssa_scale;
mod syntax_tree;
mod tool;
mod watchers;
mod writers;

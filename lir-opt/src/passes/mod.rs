//! The passes, a file each, by the house template: the effect with an example, the algorithm in numbered steps, why it
//! is sound, cost and limits, source; then the registry row, the pass, the scratch memory of one run, the steps in
//! order. Here each has two lines: its module, and its row of the list.

pub mod attrs;
pub mod const_data;
pub mod constfold;
pub mod copy_prop;
pub mod dce;
pub mod dead_args;
pub mod dse;
pub mod expand_wide;
pub mod global_dce;
pub mod if_convert;
pub mod indvars;
pub mod inline;
pub mod jump_threading;
pub mod libcalls;
pub mod licm;
pub mod load_merge;
pub mod load_phi;
pub mod loop_addresses;
pub mod loop_idiom;
pub mod loop_rotate;
pub mod loop_simplify;
pub mod loop_unroll;
pub mod loop_unroll_runtime;
pub mod loop_version;
pub mod mem2reg;
pub mod mem_fold;
pub(crate) mod phi_coalesce;
pub mod phi_simplify;
pub mod planted;
pub mod reassociate;
pub(crate) mod rse;
pub mod sccp;
pub mod simplify;
pub mod simplify_cfg;
pub mod sink;
pub mod sroa;
pub mod ssa;
pub mod store_merge;
pub mod tail_calls;
pub mod tail_rec;
pub mod value_numbering;
pub mod vrp;
pub mod writers;

use crate::pass::PassInfo;

/// Every pass, in the order in which `--list-passes` shows them: by name.
pub static PASSES: &[&PassInfo] = &[
    &value_numbering::aegraph::INFO,
    &attrs::INFO,
    &value_numbering::redundancy::AVAIL,
    &const_data::INFO,
    &constfold::INFO,
    &copy_prop::INFO,
    &dce::INFO,
    &dead_args::INFO,
    &dse::INFO,
    &expand_wide::INFO,
    &global_dce::INFO,
    &value_numbering::gvn::INFO,
    &value_numbering::congruence::PARTITION,
    &value_numbering::congruence::UNIFIED,
    &if_convert::INFO,
    &indvars::INFO,
    &inline::INFO,
    &jump_threading::INFO,
    &libcalls::INFO,
    &licm::INFO,
    &load_merge::INFO,
    &load_phi::INFO,
    &loop_addresses::INFO,
    &loop_idiom::INFO,
    &loop_rotate::INFO,
    &loop_simplify::INFO,
    &loop_unroll::INFO,
    &loop_unroll_runtime::INFO,
    &loop_version::INFO,
    &value_numbering::lvn::INFO,
    &mem_fold::INFO,
    &mem2reg::INFO,
    &phi_coalesce::INFO,
    &phi_simplify::INFO,
    &value_numbering::redundancy::PRE,
    &reassociate::INFO,
    &writers::rebuild::INFO,
    &rse::INFO,
    &sccp::INFO,
    &simplify::INFO,
    &simplify_cfg::INFO,
    &sink::INFO,
    &sroa::INFO,
    &ssa::INFO,
    &store_merge::INFO,
    &tail_calls::INFO,
    &tail_rec::INFO,
    &vrp::INFO,
];

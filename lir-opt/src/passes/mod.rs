//! The passes, a file each, by the house template: what it does with an example, the algorithm in numbered steps, why
//! it is sound, cost and limits, source; then the registry row, the pass, the scratch memory of one run, the steps in
//! order.

pub mod attrs;
pub mod const_data;
pub mod constfold;
pub mod copy_prop;
pub mod dce;
pub mod dead_args;
pub mod dse;
pub mod global_dce;
pub mod if_convert;
pub mod indvars;
pub mod inline;
pub mod jump_threading;
pub mod libcalls;
pub mod licm;
pub mod load_merge;
pub mod load_phi;
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

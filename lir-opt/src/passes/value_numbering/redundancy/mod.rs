//! Redundant computations, found by dataflow: the parts that `avail` and `pre` share.
//!
//! A class of congruent registers is one value, which is computed anew in each iteration of the loops that its *home*
//! is in: see [`classes`]. A computation is redundant where the value was computed before on all paths from there:
//!
//! * where another one dominates it, or
//! * where [`flow`] finds it available, or makes it so by insertions on edges.
//!
//! A redundant computation is removed, and its readers read the value that is current, with phis where several
//! computations meet: see [`rewrite`](super::rewrite).

mod avail;
mod classes;
mod events;
mod flow;
mod loads;
mod pre;
mod search;

pub(crate) use avail::INFO as AVAIL;
pub(crate) use pre::INFO as PRE;

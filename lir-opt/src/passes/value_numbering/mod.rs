//! Value numbering: equal computations get equal numbers, and all but one of them are removed.
//!
//! * [`key`]: the computation of an instruction, as a key over the numbers of its operands; [`calls`]: the same of a
//!   call.
//! * [`key_words`]: keys in words; [`explain`] and [`events`]: the remarks of `lvn` and `gvn`.
//! * [`written`]: the writes of an instruction, for their versions of memory.
//! * [`stamped_table`]: a hash table that is emptied in no time.
//! * [`lvn`]: block by block.
//! * [`gvn`]: over the dominator tree.
//! * [`congruence`]: in one table for the function, by a pessimist and by an optimist.
//! * [`aegraph`]: with the forms that rules add, of which the best are placed.
//! * [`redundancy`]: by dataflow, also where several computations are needed for one.
//! * [`rewrite`]: the changes of `congruence` and `redundancy`.

pub(crate) mod aegraph;
mod calls;
pub(crate) mod congruence;
mod events;
mod explain;
pub mod gvn;
pub(crate) mod key;
pub(crate) mod key_words;
pub mod lvn;
pub(crate) mod redundancy;
mod rewrite;
pub(crate) mod stamped_table;
mod written;

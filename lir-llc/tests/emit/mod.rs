//! Emission: hand-made machine functions, read back by capstone, and linked and run.

mod build;
mod frames;
mod jumps;
mod link;
mod listing;
mod operands;

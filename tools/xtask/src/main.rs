//! `cargo xtask`: what is done to the tree as a whole.

fn main() {}

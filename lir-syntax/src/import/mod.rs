//! Front doors: other intermediate languages, read into a [`Module`](crate::ir::Module).

pub mod cli;
pub mod qbe;

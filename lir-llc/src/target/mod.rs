//! Target machines. There is one: [`x64`].

pub mod x64;

//! Containers for the code and data of a module.

pub mod elf;
pub mod section_flags;

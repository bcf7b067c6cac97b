//! Containers for the code and data of a module.

pub mod eh_frame;
pub mod elf;
pub mod placement;
pub mod section_flags;

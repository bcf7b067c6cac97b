//! Memory kept from function to function, tables that are cheap to empty, and classes of live ranges.

pub(crate) mod groups;
pub(crate) mod kept_tables;
pub mod range_classes;

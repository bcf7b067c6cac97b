//! Memory kept from function to function, tables that are cheap to empty, live ranges, and classes of them.

pub(crate) mod groups;
pub(crate) mod kept_tables;
pub mod live_words;
pub mod range_classes;

//! Memory kept from function to function, and tables that are cheap to empty.

pub(crate) mod groups;
pub(crate) mod kept_tables;

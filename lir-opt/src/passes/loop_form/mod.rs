//! Passes that give loops the form that others work on: the test at the bottom, preheaders, counters that do not wrap.

pub mod rotate;
pub mod simplify;
pub mod version;

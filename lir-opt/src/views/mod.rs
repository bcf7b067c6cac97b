//! A module as something to look at: graphs, and its text with facts as comments.

pub mod dot;
pub mod print_analysis;

//! All integration tests of `xtask` except the commands of the documents.

mod house;
mod ids;
mod markdown;
mod tables;
mod tidy;

//! The watchers of steps, a file each.

pub mod bisect;
pub mod clock;
pub mod diff;
pub mod fuel;
pub mod implied_changes;
pub mod print;
pub(crate) mod unchanged;
pub mod verify;

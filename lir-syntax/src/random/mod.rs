//! Random modules for differential testing, and the random numbers that they are made from.

mod rng;

pub use rng::Rng;

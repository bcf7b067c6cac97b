//! Checks the promises about the accesses of a call: `noalias` of parameters ([`claims`]), `readnone` and `readonly` of
//! functions ([`limits`]), sets of scopes of `noalias` ([`sets`]). Operations that note accesses are only in functions
//! during whose calls there may be such a promise.

mod claims;
pub(super) mod derivation;
mod limits;
mod sets;

pub(super) use claims::{ClaimCode, Claims, Noted, Writes};
pub(super) use limits::{LimitCode, Limits, limited};
pub(super) use sets::{ActiveSets, SetsCode};

/// The accesses that are noted where a function is translated.
#[derive(Copy, Clone, Debug)]
pub(super) struct NotedAccesses {
    /// All, for the promises about the accesses of calls that are active then.
    pub(super) of_calls: bool,
    /// The accesses that are in sets.
    pub(super) in_sets: bool,
}

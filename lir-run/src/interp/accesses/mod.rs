//! Checks the promises about the accesses of a call: `noalias` of parameters ([`claims`]), `readnone` and `readonly` of
//! functions ([`limits`]). Operations that note accesses are only in functions during whose calls there may be such a
//! promise.

mod claims;
pub(super) mod derivation;
mod limits;

pub(super) use claims::{ClaimCode, Claims, Noted, Writes};
pub(super) use limits::{LimitCode, Limits, limited};

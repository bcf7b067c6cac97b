//! The types of the front end's language, as far as a module knows them: of accesses ([`access_type`]), for the
//! optimizer, and of variables ([`debug_type`]), for debuggers.

pub mod access_type;
pub mod debug_type;

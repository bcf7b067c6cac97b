//! Checks the promise of `noalias` parameters: the claims of the active calls.
//!
//! A call of a function with such a parameter claims, for each of them, the memory that is accessed at addresses made
//! from it. Every access during the call is noted for each byte: whether its address is made from the parameter
//! ([`derivation`](super::derivation)), and whether it writes. The promise is broken by a byte that is written, and
//! accessed both ways.
//!
//! If it is not known how an address was made, the access counts as neither, unless the check is strict
//! ([`Options::doubtful_aliases`](super::super::Options::doubtful_aliases)): then it counts as both. Functions of C
//! access memory unseen; in a strict check no claim survives a call of one. Freed memory is no longer claimed.

use super::super::stop::Stop;
use super::derivation::Made;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// Limit on the bytes of one access that are noted, the first ones.
const MAX_NOTED: u64 = 1 << 16;

/// Limit on the claims at a time: each access is noted for each of them. The innermost ones count; in a strict check
/// one more is an error.
const MAX_CLAIMS: usize = 8;

/// A parameter that is `noalias`, in code.
#[derive(Debug)]
pub(in crate::interp) struct ClaimCode {
    /// The names of the parameter and its function, for messages.
    pub(in crate::interp) name: Arc<str>,
    /// True if addresses made from it may be used by other functions.
    pub(in crate::interp) escapes: bool,
}

/// The kind of an access.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
#[repr(u8)]
pub(in crate::interp) enum Writes {
    No,
    /// As the exchange if two values are equal does.
    Perhaps,
    Yes,
}

impl Writes {
    /// Returns the kind of a number.
    pub(in crate::interp) fn from_u8(n: u8) -> Writes {
        [Writes::No, Writes::Perhaps, Writes::Yes][usize::from(n)]
    }
}

/// An access.
#[derive(Copy, Clone, Debug)]
pub(in crate::interp) struct Noted<'a> {
    pub(in crate::interp) address: u64,
    pub(in crate::interp) size: u64,
    pub(in crate::interp) writes: Writes,
    /// The first slot of the frame, which identifies it.
    pub(in crate::interp) frame: usize,
    /// The origin of the address, for each claim of this frame's function.
    pub(in crate::interp) made: &'a [Made],
}

/// The accesses to eight bytes at a multiple of 8, a bit for each byte.
#[derive(Copy, Clone, Default, Debug)]
struct WordUse {
    from: u8,
    elsewhere: u8,
    written: u8,
}

/// The claim for one parameter of one call.
#[derive(Debug)]
pub(in crate::interp) struct Claim {
    name: Arc<str>,
    /// The frame of the call; none if a callee took its place by `musttail`.
    frame: Option<usize>,
    /// The frame with which the claim ends.
    ends: usize,
    /// The number of the parameter among the `noalias` ones of its function.
    number: usize,
    escapes: bool,
    words: FxHashMap<u64, WordUse>,
}

impl Claim {
    fn note(&mut self, access: Noted<'_>, is_strict: bool) -> Result<(), Stop> {
        let made = match access.made.get(self.number) {
            Some(made) if self.frame == Some(access.frame) => *made,
            _ if self.escapes => Made::Perhaps,
            _ => Made::Elsewhere,
        };
        let from = made == Made::From || made == Made::Perhaps && is_strict;
        let elsewhere = made == Made::Elsewhere || made == Made::Perhaps && is_strict;
        let size = access.size.min(MAX_NOTED);
        let mut done = 0;
        while done < size {
            let at = access.address.wrapping_add(done);
            let count = (8 - at % 8).min(size - done);
            let bytes = (((1u32 << count) - 1) << (at % 8)) as u8;
            let only_if = |holds: bool| if holds { bytes } else { 0 };
            let word = self.words.entry(at / 8).or_default();
            word.from |= only_if(from);
            word.elsewhere |= only_if(elsewhere);
            word.written |= only_if(access.writes == Writes::Yes || access.writes == Writes::Perhaps && is_strict);
            if word.from & word.elsewhere & word.written != 0 {
                return Err(self.broken(made));
            }
            done += count;
        }
        Ok(())
    }
    /// Returns the error for an access at an address of this origin.
    #[cold]
    fn broken(&self, made: Made) -> Stop {
        let how = match made {
            Made::From => "is made from the parameter, but the address of an earlier access is not",
            Made::Elsewhere => "is not made from the parameter, but the address of an earlier access is",
            Made::Perhaps => "may be made from the parameter, or not",
        };
        let name = &self.name;
        Stop::error(format!(
            "the promise `noalias` of {name} is broken by an access to written bytes: its address {how}"
        ))
    }
}

/// The claims of the active calls of a thread, the outermost first.
#[derive(Default, Debug)]
pub(in crate::interp) struct Claims {
    claims: Vec<Claim>,
    is_strict: bool,
}

impl Claims {
    /// Returns no claims, for a strict check or another one.
    pub(in crate::interp) fn new(is_strict: bool) -> Claims {
        Claims { claims: Vec::new(), is_strict }
    }
    /// True if no call claims anything.
    #[inline]
    pub(in crate::interp) fn is_empty(&self) -> bool {
        self.claims.is_empty()
    }
    /// Adds the claims of a call that begins.
    ///
    /// # Errors
    /// The check is strict, and there are too many claims.
    pub(in crate::interp) fn begin(&mut self, frame: usize, params: &[ClaimCode]) -> Result<(), Stop> {
        let claim = |(number, p): (usize, &ClaimCode)| Claim {
            name: Arc::clone(&p.name),
            frame: Some(frame),
            ends: frame,
            number,
            escapes: p.escapes,
            words: FxHashMap::default(),
        };
        self.claims.extend(params.iter().enumerate().map(claim));
        let too_many = self.claims.len().saturating_sub(MAX_CLAIMS);
        if too_many > 0 && self.is_strict {
            return Err(self.claims[0].broken(Made::Perhaps));
        }
        self.claims.drain(..too_many);
        Ok(())
    }
    /// Drops the claims of a call that ends.
    pub(in crate::interp) fn end(&mut self, frame: usize) {
        self.claims.retain(|c| c.ends != frame);
    }
    /// Takes the claims of a call away whose place a callee takes, for [`Claims::give`].
    pub(in crate::interp) fn take(&mut self, frame: usize) -> Vec<Claim> {
        self.claims.extract_if(.., |c| c.ends == frame).collect()
    }
    /// Gives claims that were taken away to the frame of the callee.
    pub(in crate::interp) fn give(&mut self, taken: Vec<Claim>, frame: usize) {
        self.claims.extend(taken.into_iter().map(|c| Claim { frame: None, ends: frame, ..c }));
    }
    /// Forgets the accesses so far: memory was freed, and may be used again for something else.
    pub(in crate::interp) fn forget(&mut self) {
        if !self.is_strict {
            self.claims.iter_mut().for_each(|c| c.words.clear());
        }
    }
    /// Notes an access.
    ///
    /// # Errors
    /// It breaks the promise of a claim.
    pub(in crate::interp) fn note(&mut self, access: Noted<'_>) -> Result<(), Stop> {
        let is_strict = self.is_strict;
        self.claims.iter_mut().try_for_each(|claim| claim.note(access, is_strict))
    }
    /// Notes a call of C.
    ///
    /// # Errors
    /// The check is strict, and there is a claim.
    pub(in crate::interp) fn note_c(&self) -> Result<(), Stop> {
        match self.claims.first() {
            Some(claim) if self.is_strict => Err(claim.broken(Made::Perhaps)),
            _ => Ok(()),
        }
    }
}

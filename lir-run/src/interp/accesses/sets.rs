//! Checks the sets of scopes of `noalias`: the accesses of the active calls that are in sets.
//!
//! A call whose function has such accesses notes each of them for each byte and each scope: the set, and whether it
//! writes. The promise is broken by a byte that an access of one set writes, and an access of another set of the scope
//! accesses, in either order. The notes of a call end with it, also by `musttail`. They are forgotten where memory may
//! be freed, and used again for something else: by `free`, by `stack_restore`, and by a function of C.

use super::super::stop::Stop;
use super::claims::Writes;
use lir_syntax::ir::{NoaliasSet, Type};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// An access that is in sets, in code.
#[derive(Debug)]
pub(in crate::interp) struct SetsCode {
    pub(in crate::interp) sets: Box<[NoaliasSet]>,
    pub(in crate::interp) ty: Type,
    pub(in crate::interp) writes: Writes,
    /// The instruction, for messages.
    pub(in crate::interp) text: Arc<str>,
}

/// The accesses to a byte so far, for one scope.
#[derive(Clone, Debug)]
struct ByteUse {
    /// The set of the first access, and its number in the function's code.
    first: (u32, usize),
    /// An access of another set. Then none writes.
    other: Option<(u32, usize)>,
    is_written: bool,
}

impl ByteUse {
    /// Adds an access of a set. Returns an earlier one that it must not overlap.
    fn add(&mut self, set: u32, number: usize, writes: bool) -> Option<usize> {
        let earlier = Some(self.first).filter(|first| first.0 != set).or(self.other.filter(|other| other.0 != set));
        match earlier {
            Some((_, earlier)) if writes || self.is_written => return Some(earlier),
            Some(_) if self.first.0 != set => self.other = self.other.or(Some((set, number))),
            Some(_) => {}
            None => self.is_written |= writes,
        }
        None
    }
}

/// The accesses of one call.
#[derive(Debug)]
struct Active {
    /// The first slot of its frame.
    frame: usize,
    /// By scope and address.
    bytes: FxHashMap<(u32, u64), ByteUse>,
}

/// The accesses of the active calls of a thread, the outermost first.
#[derive(Default, Debug)]
pub(in crate::interp) struct ActiveSets(Vec<Active>);

impl ActiveSets {
    /// True if no call noted an access.
    #[inline]
    pub(in crate::interp) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
    /// Drops the accesses of a call that ends.
    pub(in crate::interp) fn end(&mut self, frame: usize) {
        while self.0.last().is_some_and(|active| active.frame >= frame) {
            self.0.pop();
        }
    }
    /// Forgets the accesses so far: memory was freed, and may be used again for something else.
    pub(in crate::interp) fn forget(&mut self) {
        self.0.iter_mut().for_each(|active| active.bytes.clear());
    }
    /// Notes access `number` of `accesses`, in a frame.
    ///
    /// # Errors
    /// It accesses bytes of an earlier access in another set.
    pub(in crate::interp) fn note(
        &mut self,
        frame: usize,
        accesses: &[SetsCode],
        number: usize,
        address: u64,
    ) -> Result<(), Stop> {
        if self.0.last().is_none_or(|active| active.frame != frame) {
            self.0.push(Active { frame, bytes: FxHashMap::default() });
        }
        let bytes = self.0.last_mut().map(|active| &mut active.bytes);
        let (access, bytes) = (&accesses[number], bytes.expect("this call was added"));
        let writes = access.writes == Writes::Yes;
        for NoaliasSet { scope, set } in &*access.sets {
            for k in 0..u64::from(access.ty.bytes()) {
                let new = ByteUse { first: (*set, number), other: None, is_written: writes };
                let byte = bytes.entry((*scope, address.wrapping_add(k))).or_insert(new);
                if let Some(earlier) = byte.add(*set, number, writes) {
                    return Err(broken(*scope, &accesses[earlier], access));
                }
            }
        }
        Ok(())
    }
}

#[cold]
fn broken(scope: u32, earlier: &SetsCode, access: &SetsCode) -> Stop {
    let (now, before) = (&access.text, &earlier.text);
    Stop::error(format!(
        "the promise `noalias` of scope {scope} is broken by `{now}`: it accesses a byte of `{before}`, and one of \
         them writes it"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns whether the last of these accesses breaks the promise; each is the set, the address and whether it
    /// writes.
    fn breaks(accesses: &[(u32, u64, bool)]) -> bool {
        let code = |&(set, _, writes): &(u32, u64, bool)| SetsCode {
            sets: [NoaliasSet { scope: 3, set }].into(),
            ty: Type::I16,
            writes: if writes { Writes::Yes } else { Writes::No },
            text: "".into(),
        };
        let codes: Vec<SetsCode> = accesses.iter().map(code).collect();
        let mut active = ActiveSets::default();
        let note = |(k, a): (usize, &(u32, u64, bool))| active.note(7, &codes, k, a.1).is_err();
        let results: Vec<bool> = accesses.iter().enumerate().map(note).collect();
        let Some((last, earlier)) = results.split_last() else { return false };
        assert!(!earlier.contains(&true));
        *last
    }

    #[test]
    fn a_written_byte_belongs_to_one_set() {
        assert!(!breaks(&[(0, 8, true), (0, 8, false), (1, 10, true), (1, 6, true)]));
        assert!(breaks(&[(0, 8, true), (1, 9, false)]));
        assert!(breaks(&[(0, 8, false), (1, 7, true)]));
        assert!(!breaks(&[(0, 8, false), (1, 8, false), (2, 8, false), (0, 8, false)]));
        assert!(breaks(&[(0, 8, false), (1, 8, false), (0, 8, true)]));
        assert!(breaks(&[(0, 8, false), (1, 8, false), (1, 8, true)]));
        assert!(breaks(&[(0, 8, false), (0, 8, true), (0, 8, false), (4, 9, false)]));
    }
}

//! The origin of instructions: a position in the text of the module, and a place in the front end's own source.
//!
//! An instruction has one word, a [`DebugLoc`]. If the front end gives no place, it is the offset in the text, and
//! costs no more than that. Otherwise it is an index into a list of the function, [`Origins`], whose entries have the
//! offset, the place in the source, and, for instructions that `inline` has copied, the call that was inlined. Passes
//! move, copy and merge words, and need not know which kind they have.
//!
//! # Source
//!
//! LLVM's `DILocation` with its `inlinedAt`; the list of a function in place of unique nodes of a module is ours, since
//! functions are changed in parallel.

use super::entity::{EntityRef, PackedOption, entity};
use super::{Obj, SourceFile, Sym};

/// Offset in the text of a module, in bytes; [`NO_LOC`] if none.
pub type SourceLoc = u32;
/// No position in the text.
pub const NO_LOC: SourceLoc = u32::MAX;

/// A file of the front end's source.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FileData {
    /// The name that locations call it by, without `!`.
    pub name: Box<[u8]>,
    /// Its path.
    pub path: Box<[u8]>,
    /// Offset of its declaration in the text.
    pub loc: SourceLoc,
}

/// A place in the front end's source.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Place {
    /// The file.
    pub file: SourceFile,
    /// The line, from 1.
    pub line: u32,
    /// The column, from 1; 0 if unknown.
    pub column: u32,
}

entity!(
    /// The scope of a variable: see [`ScopeData`].
    Scope, "scope"
);

/// The stretch of a file of the front end's source in which a variable is visible.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub struct ScopeData {
    /// The first place.
    pub begin: Place,
    /// The line of the last place.
    pub end_line: u32,
    /// The column of the last place, from 1; 0 if it is the whole line.
    pub end_column: u32,
}

impl ScopeData {
    /// Returns the last place; its column is the greatest one if it is the whole line.
    pub fn end(&self) -> Place {
        let column = if self.end_column == 0 { u32::MAX } else { self.end_column };
        Place { file: self.begin.file, line: self.end_line, column }
    }
    /// True if a place is in this stretch. An unknown column precedes all columns of the line.
    pub fn contains(&self, place: Place) -> bool {
        (self.begin..=self.end()).contains(&place)
    }
}

/// The origin of an instruction, in a word: an offset in the text of the module, or an entry of the function's
/// [`Origins`], or nothing.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct DebugLoc(u32);

/// Entries have this bit.
const ENTRY: u32 = 1 << 31;

impl DebugLoc {
    /// No origin.
    pub const NONE: DebugLoc = DebugLoc(NO_LOC);

    /// Returns an offset in the text, which is less than 2^31.
    #[inline]
    pub fn offset(at: SourceLoc) -> DebugLoc {
        debug_assert!(at < ENTRY || at == NO_LOC);
        DebugLoc(at)
    }
    #[inline]
    fn entry(self) -> Option<usize> {
        (self.0 & ENTRY != 0 && self != DebugLoc::NONE).then_some((self.0 & !ENTRY) as usize)
    }
}

entity!(
    /// A call that was replaced by the body of its callee.
    InlinedCall, "inlined"
);

/// The callee and the origin of an [`InlinedCall`].
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct InlinedCallData {
    /// The function whose body it was.
    pub callee: Sym,
    /// The origin of the call.
    pub call: DebugLoc,
    /// The number of calls around it that were inlined, too: less than [`MAX_INLINED`].
    depth: u32,
}

/// The most inlined calls around an instruction. A deeper instruction counts as the call that leads to it: else a chain
/// of functions, each inlined in the next, would have a list of calls for each of them.
pub const MAX_INLINED: usize = 64;

/// An origin, in full.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Origin {
    /// The offset in the text; [`NO_LOC`] if none.
    pub offset: SourceLoc,
    /// The place in the source, if the front end gives one.
    pub place: Option<Place>,
    /// The innermost call that the instruction was inlined for.
    pub inlined: PackedOption<InlinedCall>,
}

impl Origin {
    /// Returns the origin of which only the offset in the text is known.
    pub fn of_text(offset: SourceLoc) -> Origin {
        Origin { offset, place: None, inlined: PackedOption::NONE }
    }
}

/// The origins of a function's instructions of which more is known than an offset in the text.
#[derive(Clone, Default, Debug)]
pub struct Origins {
    all: Vec<Origin>,
    calls: Vec<InlinedCallData>,
    /// Stack objects that came with the body of another function, ascending, and the function that declares each.
    owners: Vec<(Obj, Sym)>,
}

impl Origins {
    /// True if nothing is known but offsets.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }
    /// Returns all origins.
    pub(crate) fn all(&self) -> &[Origin] {
        &self.all
    }
    /// Returns all inlined calls.
    pub fn calls(&self) -> &[InlinedCallData] {
        &self.calls
    }
    /// Returns the inlined functions in those origins of these instructions that have a place in the front end's
    /// source. Text names only these.
    pub fn named_callees(&self, locs: impl Iterator<Item = DebugLoc>) -> Vec<Sym> {
        if self.calls.is_empty() {
            return Vec::new();
        }
        let mut is_named = vec![false; self.calls.len()];
        for origin in locs.map(|loc| self.get(loc)).filter(|o| o.place.is_some()) {
            let mut next = origin.inlined.expand();
            while let Some(call) = next.filter(|call| !std::mem::replace(&mut is_named[call.index()], true)) {
                next = self.get(self.call(call).call).inlined.expand();
            }
        }
        self.calls.iter().zip(is_named).filter(|(_, named)| *named).map(|(call, _)| call.callee).collect()
    }
    /// Forgets all.
    pub fn clear(&mut self) {
        self.all.clear();
        self.calls.clear();
        self.owners.clear();
    }
    /// Notes the function that declares a stack object which came with a body that was inlined. It is the last object.
    pub fn note_owner(&mut self, object: Obj, owner: Sym) {
        debug_assert!(self.owners.last().is_none_or(|(last, _)| last.as_u32() < object.as_u32()));
        self.owners.push((object, owner));
    }
    /// Returns the function that declares a stack object, if that is another one.
    pub fn owner(&self, object: Obj) -> Option<Sym> {
        let at = self.owners.binary_search_by_key(&object.as_u32(), |(o, _)| o.as_u32());
        at.ok().map(|at| self.owners[at].1)
    }
    /// Returns the word for an origin. Equal ones that follow each other share an entry.
    pub fn add(&mut self, origin: Origin) -> DebugLoc {
        if origin.place.is_none() && origin.inlined.is_none() && (origin.offset < ENTRY || origin.offset == NO_LOC) {
            return DebugLoc(origin.offset);
        }
        if self.all.last() != Some(&origin) {
            // The last word is none.
            if self.all.len() + 1 >= ENTRY as usize {
                return DebugLoc::NONE;
            }
            self.all.push(origin);
        }
        DebugLoc((self.all.len() as u32 - 1) | ENTRY)
    }
    /// Returns the origin for a word.
    #[inline]
    pub fn get(&self, loc: DebugLoc) -> Origin {
        match loc.entry() {
            Some(k) => self.all.get(k).copied().unwrap_or(Origin::of_text(NO_LOC)),
            None => Origin::of_text(loc.0),
        }
    }
    /// Returns the offset in the text of the module; [`NO_LOC`] if none.
    #[inline]
    pub fn offset(&self, loc: DebugLoc) -> SourceLoc {
        match loc.entry() {
            Some(k) => self.all.get(k).map_or(NO_LOC, |o| o.offset),
            None => loc.0,
        }
    }
    /// True if two origins are the same to everything that reports positions: without a place in the source that is the
    /// offset in the text, wherever it was inlined.
    pub fn are_alike(&self, a: DebugLoc, b: DebugLoc) -> bool {
        self.word(a) == self.word(b)
    }
    /// Returns a word for tables, which is the same for origins that are alike.
    pub fn word(&self, loc: DebugLoc) -> u32 {
        match loc.entry() {
            Some(k) if self.all[k].place.is_none() => self.all[k].offset,
            _ => loc.0,
        }
    }
    /// Notes a call that the callee's body replaces.
    pub(crate) fn add_call(&mut self, callee: Sym, call: DebugLoc) -> InlinedCall {
        let depth = self.depth(call) as u32;
        debug_assert!((depth as usize) < MAX_INLINED);
        self.calls.push(InlinedCallData { callee, call, depth });
        InlinedCall::new(self.calls.len() - 1)
    }
    /// Returns the number of inlined calls around an instruction of this origin.
    fn depth(&self, loc: DebugLoc) -> usize {
        self.get(loc).inlined.expand().map_or(0, |call| self.call(call).depth as usize + 1)
    }
    /// Returns the data of an inlined call.
    pub fn call(&self, call: InlinedCall) -> InlinedCallData {
        self.calls[call.index()]
    }
    /// Returns the inlined calls around an instruction of this origin, from the innermost on.
    pub fn calls_of(&self, loc: DebugLoc) -> impl Iterator<Item = InlinedCallData> + '_ {
        let mut next = self.get(loc).inlined.expand();
        let calls = std::iter::from_fn(move || {
            let data = *self.calls.get(next?.index())?;
            next = self.get(data.call).inlined.expand();
            Some(data)
        });
        // Each refers to an earlier call, unless a program made the origins up.
        calls.take(MAX_INLINED)
    }
}

/// The origins of a callee's instructions, for the copy of its body in a caller.
#[derive(Default, Debug)]
pub struct InlinedOrigins {
    /// The call that is replaced, in the caller.
    call: Around,
    /// For each call that was inlined in the callee before: its call in the caller.
    inner: Vec<Option<Around>>,
}

/// The call around a copied instruction.
#[derive(Copy, Clone, Debug)]
enum Around {
    /// This one, if one is remembered.
    Call(PackedOption<InlinedCall>),
    /// There would be too many: the instruction counts as this call.
    TooDeep(DebugLoc),
}

impl Default for Around {
    fn default() -> Around {
        Around::Call(PackedOption::NONE)
    }
}

impl InlinedOrigins {
    /// Begins with a copy of a callee without remembering the call.
    pub fn begin_anonymously(&mut self, of_callee: &Origins) {
        self.call = Around::default();
        self.inner.clear();
        self.inner.resize(of_callee.calls.len(), None);
    }
    /// Begins with a copy of `callee`, whose origins these are, in place of a call.
    pub fn begin(&mut self, caller: &mut Origins, callee: Sym, of_callee: &Origins, call: DebugLoc) {
        self.begin_anonymously(of_callee);
        self.call = Around::new(caller, callee, call);
    }
    /// Returns the word in the caller for one of the callee.
    pub fn copy(&mut self, caller: &mut Origins, of_callee: &Origins, loc: DebugLoc) -> DebugLoc {
        let origin = of_callee.get(loc);
        let around = match origin.inlined.expand() {
            None => self.call,
            Some(inner) => self.around(caller, of_callee, inner),
        };
        around.place(caller, origin)
    }
    /// Returns the call in the caller for one that was replaced in the callee.
    fn around(&mut self, caller: &mut Origins, of_callee: &Origins, inner: InlinedCall) -> Around {
        // From the innermost that is not known yet to the one around it, and back.
        let mut open = Vec::new();
        let mut next = Some(inner);
        let mut around = loop {
            let Some(call) = next else { break self.call };
            if let Some(known) = self.inner[call.index()] {
                break known;
            }
            open.push(call);
            next = of_callee.get(of_callee.call(call).call).inlined.expand();
        };
        for call in open.into_iter().rev() {
            let InlinedCallData { callee, call: at, .. } = of_callee.call(call);
            if let Around::Call(_) = around {
                let at = around.place(caller, of_callee.get(at));
                around = Around::new(caller, callee, at);
            }
            self.inner[call.index()] = Some(around);
        }
        around
    }
}

impl Around {
    /// Returns the inlined body of a callee, for a call of this origin.
    fn new(caller: &mut Origins, callee: Sym, call: DebugLoc) -> Around {
        if caller.depth(call) < MAX_INLINED {
            Around::Call(caller.add_call(callee, call).into())
        } else {
            Around::TooDeep(call)
        }
    }
    /// Returns the origin in the caller of an instruction that has `origin` in the callee.
    fn place(self, caller: &mut Origins, origin: Origin) -> DebugLoc {
        match self {
            Around::Call(inlined) => caller.add(Origin { inlined, ..origin }),
            Around::TooDeep(call) => call,
        }
    }
}

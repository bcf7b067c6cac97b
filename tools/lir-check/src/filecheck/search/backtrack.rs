//! Matching with references to groups, by trying every path through the automaton of an expression.
//!
//! A text that a group matched must occur again: no finite automaton can do that. The paths are tried in the engine's
//! order of preference with a stack of paths that are still to be tried (K. Thompson's automaton, walked as in R. Cox,
//! Regular Expression Matching: the Virtual Machine Approach, 2009), and the longest match is kept, the first among
//! equals. A path that reaches the same choice twice without having read anything is given up: it is in a cycle. The
//! time may be exponential, so the number of steps is limited.

use super::Found;
use regex_automata::nfa::thompson::{NFA, State};
use regex_automata::util::primitives::StateID;
use std::ops::Range;

/// Limit on the steps for one beginning of a match.
const MAX_STEPS: usize = 2_000_000;
/// The offset that means none.
const NOWHERE: usize = usize::MAX;

/// An expression's automaton, with its references.
#[derive(Debug)]
pub(super) struct Backtracker {
    nfa: NFA,
    /// By group: the group that it refers to, if it represents a reference.
    refers_to: Vec<Option<usize>>,
}

/// An entry of the stack: a path to try, or a change to undo after all paths above it.
enum Task {
    Try(StateID, usize),
    Slot(usize, usize),
    Visited(usize, usize),
}

impl Backtracker {
    /// The groups are pairs: the group that represents a reference, the group that it refers to.
    pub(super) fn new(nfa: NFA, groups: &[(usize, usize)]) -> Backtracker {
        let mut refers_to = vec![None; nfa.group_info().all_group_len()];
        for (reference, group) in groups {
            refers_to[*reference] = Some(*group);
        }
        Backtracker { nfa, refers_to }
    }

    /// Returns the longest match that begins at an offset.
    ///
    /// # Errors
    /// It takes too many steps.
    pub(super) fn longest(&self, text: &[u8], start: usize) -> Result<Option<Found>, String> {
        let mut path = CurrentPath {
            text,
            slots: vec![NOWHERE; 2 * self.refers_to.len()],
            visited: vec![NOWHERE; self.nfa.states().len()],
            stack: vec![Task::Try(self.nfa.start_anchored(), start)],
        };
        let mut best: Option<(usize, Vec<usize>)> = None;
        let mut steps = 0;
        while let Some(task) = path.stack.pop() {
            match task {
                Task::Slot(slot, old) => path.slots[slot] = old,
                Task::Visited(state, old) => path.visited[state] = old,
                Task::Try(state, at) => {
                    let end = self.follow(&mut path, state, at, &mut steps)?;
                    if let Some(end) = end.filter(|end| best.as_ref().is_none_or(|(b, _)| end > b)) {
                        best = Some((end, path.slots.clone()));
                    }
                }
            }
        }
        Ok(best.map(|(end, slots)| Found { range: start..end, groups: groups(&slots) }))
    }

    /// Follows a path until it ends. Returns the end of the match, if it ends in one. Other paths are left on the
    /// stack.
    fn follow(
        &self,
        path: &mut CurrentPath<'_>,
        mut state: StateID,
        mut at: usize,
        steps: &mut usize,
    ) -> Result<Option<usize>, String> {
        loop {
            *steps += 1;
            if *steps > MAX_STEPS {
                return Err("matching the variables that are defined on the same line takes too long".into());
            }
            match self.nfa.state(state) {
                State::Match { .. } => return Ok(Some(at)),
                State::Fail => return Ok(None),
                State::ByteRange { trans } if trans.matches(path.text, at) => (state, at) = (trans.next, at + 1),
                State::Sparse(set) => match set.matches(path.text, at) {
                    Some(next) => (state, at) = (next, at + 1),
                    None => return Ok(None),
                },
                State::Dense(set) => match set.matches(path.text, at) {
                    Some(next) => (state, at) = (next, at + 1),
                    None => return Ok(None),
                },
                State::ByteRange { .. } => return Ok(None),
                State::Look { look, next } => {
                    if !self.nfa.look_matcher().matches(*look, path.text, at) {
                        return Ok(None);
                    }
                    state = *next;
                }
                State::Union { alternates } => match path.choose(state, at, alternates) {
                    Some(next) => state = next,
                    None => return Ok(None),
                },
                State::BinaryUnion { alt1, alt2 } => match path.choose(state, at, &[*alt1, *alt2]) {
                    Some(next) => state = next,
                    None => return Ok(None),
                },
                State::Capture { next, group_index, slot, .. } => {
                    let group = group_index.as_usize();
                    if let Some(referred) = self.refers_to[group].filter(|_| slot.as_usize() % 2 == 1) {
                        match path.repeated(referred, at) {
                            Some(end) => at = end,
                            None => return Ok(None),
                        }
                    }
                    path.set(slot.as_usize(), at);
                    state = *next;
                }
            }
        }
    }
}

/// The path through the automaton that is followed, and those left to be tried.
struct CurrentPath<'t> {
    text: &'t [u8],
    /// The bounds of groups, two for each.
    slots: Vec<usize>,
    /// The offset at which each choice was made last on this path.
    visited: Vec<usize>,
    stack: Vec<Task>,
}

impl CurrentPath<'_> {
    /// The first alternative, the others being left to be tried later. None if this path is in a cycle.
    fn choose(&mut self, state: StateID, at: usize, alternates: &[StateID]) -> Option<StateID> {
        let visited = &mut self.visited[state.as_usize()];
        if *visited == at {
            return None;
        }
        self.stack.push(Task::Visited(state.as_usize(), *visited));
        *visited = at;
        let (first, others) = alternates.split_first()?;
        self.stack.extend(others.iter().rev().map(|other| Task::Try(*other, at)));
        Some(*first)
    }
    fn set(&mut self, slot: usize, at: usize) {
        self.stack.push(Task::Slot(slot, self.slots[slot]));
        self.slots[slot] = at;
    }
    /// Returns the end of the text of a group that occurs again at an offset.
    fn repeated(&self, group: usize, at: usize) -> Option<usize> {
        let (start, end) = (self.slots[2 * group], self.slots[2 * group + 1]);
        if start == NOWHERE || end == NOWHERE {
            return None;
        }
        let value = &self.text[start..end];
        self.text[at..].starts_with(value).then_some(at + value.len())
    }
}

fn groups(slots: &[usize]) -> Vec<Range<usize>> {
    let range = |pair: &[usize]| if pair[1] == NOWHERE { 0..0 } else { pair[0]..pair[1] };
    slots.chunks_exact(2).skip(1).map(range).collect()
}

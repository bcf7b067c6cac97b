//! The kinds of reduction, and the choice of their targets.

use crate::document::Document;

/// A kind of reduction.
pub struct Kind {
    /// Its name, in kebab case.
    pub name: &'static str,
    /// Its effect on a target, in one line.
    pub summary: &'static str,
    /// True if it is tried again as long as it succeeds.
    pub repeated: bool,
    /// True if it is tried once, after all others.
    pub last: bool,
    /// Visits the targets in an order that does not depend on the answers.
    pub(super) run: fn(&mut Document, &mut Ask<'_>),
}

/// Decides for each target whether to remove it, and counts the targets.
pub(super) struct Ask<'a> {
    gone: &'a [bool],
    asked: usize,
}

impl Ask<'_> {
    /// Returns true if the next target is to be removed.
    pub(super) fn drops(&mut self) -> bool {
        self.asked += 1;
        self.gone.get(self.asked - 1).copied().unwrap_or(false)
    }
}

impl Kind {
    /// Returns the number of targets in a document.
    pub fn targets(&self, document: &Document) -> usize {
        let mut ask = Ask { gone: &[], asked: 0 };
        (self.run)(&mut document.clone(), &mut ask);
        ask.asked
    }
    /// Reduces the targets that are marked.
    pub fn apply(&self, document: &mut Document, gone: &[bool]) {
        (self.run)(document, &mut Ask { gone, asked: 0 });
    }
}

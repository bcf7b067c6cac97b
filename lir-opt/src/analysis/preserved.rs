//! Describes, as data, the results of analyses that remain valid after the changes of a pass.

/// The parts of a function that a pass left unchanged. A pass that claims more than is true is caught in debug builds.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Preserved {
    /// Nothing is known to be as before.
    None,
    /// Blocks and edges are as before; instructions changed.
    Cfg,
    /// Nothing changed at all.
    All,
}

impl Preserved {
    /// [`Preserved::Cfg`] where something changed, else [`Preserved::All`].
    pub(crate) fn cfg_if(changed: bool) -> Preserved {
        if changed { Preserved::Cfg } else { Preserved::All }
    }
    /// [`Preserved::None`] where something changed, else [`Preserved::All`].
    pub(crate) fn none_if(changed: bool) -> Preserved {
        if changed { Preserved::None } else { Preserved::All }
    }
    /// True if anything changed.
    pub fn changed(self) -> bool {
        self != Preserved::All
    }
    /// Returns the parts that two passes, one after the other, left unchanged.
    pub fn and(self, other: Preserved) -> Preserved {
        self.min(other)
    }
}

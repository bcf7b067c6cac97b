//! What a pass left as it was, as data: which results of analyses are carried over its changes.

/// What a pass left as it was. A pass that claims more than is true is caught in debug builds.
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
    pub fn cfg_if(changed: bool) -> Preserved {
        if changed { Preserved::Cfg } else { Preserved::All }
    }
    /// [`Preserved::None`] where something changed, else [`Preserved::All`].
    pub fn none_if(changed: bool) -> Preserved {
        if changed { Preserved::None } else { Preserved::All }
    }
    /// Whether anything changed.
    pub fn changed(self) -> bool {
        self != Preserved::All
    }
    /// What is left as it was by both, one after the other.
    pub fn and(self, other: Preserved) -> Preserved {
        self.min(other)
    }
}

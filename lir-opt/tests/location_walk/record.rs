//! The record of a run: the lines whose changes its remarks report.

use lir_opt::pass::remarks::{Remark, RemarkKind};
use std::collections::{HashMap, HashSet};

/// The lines that the remarks of a run are about.
#[derive(Default)]
pub struct Record {
    events: HashMap<u32, HashSet<&'static str>>,
}

impl Record {
    /// The record that remarks are.
    pub fn of(remarks: &[Remark]) -> Record {
        let mut record = Record::default();
        for r in remarks.iter().filter(|r| r.kind == RemarkKind::Done) {
            record.events.entry(r.loc).or_default().insert(r.event);
        }
        record
    }
    /// True if something was done to the instruction of this offset.
    pub fn speaks_of(&self, offset: u32) -> bool {
        self.events.contains_key(&offset)
    }
    /// True if a body replaced this call.
    pub fn says_inlined(&self, offset: u32) -> bool {
        self.events.get(&offset).is_some_and(|events| events.contains("inlined"))
    }
    /// True if a loop with this instruction became a block operation.
    pub fn says_loop(&self, offset: u32) -> bool {
        self.events.get(&offset).is_some_and(|events| events.contains("filled") || events.contains("copied"))
    }
}

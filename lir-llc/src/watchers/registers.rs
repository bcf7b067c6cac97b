//! Records the contents of registers at every instruction, for a listing.

use super::machine_after;
use crate::regalloc::contents::{self, Contents};
use lir_opt::pipeline::watch::{Done, Seen, Step, Watch, own};

/// The contents of the registers of each function.
#[derive(Debug, Default)]
pub struct Registers {
    contents: Vec<Contents>,
}

impl Registers {
    pub(crate) fn take(&mut self) -> Vec<Contents> {
        std::mem::take(&mut self.contents)
    }
}

impl Watch for Registers {
    fn after(&mut self, step: &Step<'_>, _: &mut Done<'_>) -> Seen {
        if let Some((_, _, m)) = machine_after(step, "emit") {
            self.contents.push(contents::of_function(&m.machine, &m.allocation, &m.names()));
        }
        Ok(())
    }
    fn fork(&self) -> Box<dyn Watch> {
        Box::new(Registers::default())
    }
    fn join(&mut self, part: Box<dyn Watch>) {
        self.contents.extend(own::<Registers>(part).contents);
    }
    fn sees_idle_steps(&self) -> bool {
        false
    }
}

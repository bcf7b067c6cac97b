//! `lir-run --compare-regalloc`: the code that allocators add to a program, by the number of times that it runs.
//!
//! The program runs once, and counts how often each machine block runs ([`counted_run`](super::counted_run)). The
//! counts do not depend on the allocator of that code. The code that each of the other allocators would have added is
//! then counted from its allocation; see [`compare`](lir_llc::compare).

use super::Options;
use super::counted_run::{self, CountedRun, Report};
use lir_cli::{Console, Failure};
use lir_llc::compare::{Frequencies, compare, settings, table};

/// Runs the comparison of the command line. Returns the exit status.
pub(super) fn run(options: &Options, console: &mut Console) -> Result<u8, Failure> {
    counted_run::run(options, console, Report { of_lowered: true, make: measured_table })
}

/// Counts the code that each allocator would have added.
fn measured_table(mut run: CountedRun, counts: &[u64]) -> Result<String, Failure> {
    let frequencies = Frequencies::Measured(counts);
    let rows = compare(&mut run.module, &run.options, &settings(), frequencies)
        .map_err(|errors| run.session.failure(&errors))?;
    Ok(table(&rows, frequencies))
}

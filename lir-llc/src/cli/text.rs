//! The options of the outputs that are text: machine IR, listings.

use super::flat::is_stdout;
use super::{Emit, Options};
use crate::output::listing::Moment;
use crate::regalloc::print_analysis::PrintedAnalysis;
use crate::stages::Until;
use clap::{Args, ValueEnum};
use lir_cli::Failure;
use lir_cli::heading::PRINT;

/// Options of text outputs.
#[derive(Args)]
pub(super) struct TextArgs {
    /// Print the machine IR after this stage [default: allocate]
    #[arg(long, value_enum, value_name = "STAGE", help_heading = PRINT)]
    pub(super) stop_after: Option<StopAfter>,
    #[arg(long, help = PrintedAnalysis::option_help(), long_help = PrintedAnalysis::option_long_help())]
    #[arg(value_name = "ANALYSES", value_delimiter = ',', value_parser = PrintedAnalysis::find)]
    #[arg(conflicts_with_all = ["stop_after", "disasm"], help_heading = PRINT)]
    pub(super) print_analysis: Vec<PrintedAnalysis>,
    /// Print a listing: addresses, bytes, instructions and their LIR
    ///
    /// LIR instructions that may trap are marked. It is printed on standard output. The result is written only if -o
    /// names a file.
    #[arg(long, help_heading = PRINT)]
    pub(super) disasm: bool,
    /// Show the contents of registers before or after each instruction of a listing
    ///
    /// Values have their LIR names; names like `t7` are temporaries of instruction selection. Notes show where the
    /// allocator spills, restores or rematerialises (`remat`) a value.
    #[arg(long, value_enum, value_name = "WHEN", num_args = 0..=1, require_equals = true, default_missing_value = "before")]
    #[arg(requires = "disasm", help_heading = PRINT)]
    pub(super) show_regs: Option<ShowRegs>,
}

#[derive(Copy, Clone, PartialEq, Eq, ValueEnum)]
pub(super) enum ShowRegs {
    /// Before the instruction
    Before,
    /// After it
    After,
}

#[derive(Copy, Clone, ValueEnum)]
pub(super) enum StopAfter {
    /// Instruction selection and the passes on virtual registers
    #[value(alias = "isel")]
    Select,
    /// Register allocation, with hardware registers
    #[value(alias = "regalloc")]
    Allocate,
}

impl TextArgs {
    /// True if an option asks for machine IR.
    pub(super) fn is_of_machine_ir(&self) -> bool {
        self.stop_after.is_some() || !self.print_analysis.is_empty()
    }
    /// Returns the registers that a listing shows.
    pub(super) fn shown(&self) -> Option<Moment> {
        self.show_regs.map(|when| match when {
            ShowRegs::Before => Moment::Before,
            ShowRegs::After => Moment::After,
        })
    }
}

impl Options {
    /// Checks that the options for text fit the rest.
    pub(super) fn check_text(&self, emit: Emit) -> Result<(), Failure> {
        let fail = |text: &str| Err(Failure::usage(text));
        if self.text.is_of_machine_ir() && emit != Emit::Mir {
            let option = if self.text.stop_after.is_some() { "--stop-after" } else { "--print-analysis" };
            return fail(&format!("{option} is for machine IR: --emit=mir"));
        }
        if !self.text.disasm {
            return Ok(());
        }
        match (&self.output, emit) {
            (None, _) if self.emit.is_some() => fail("--disasm takes standard output: give the result a file with -o"),
            (Some(output), _) if is_stdout(output) => {
                fail("the listing and the result cannot both go to standard output")
            }
            (_, Emit::Bin) => fail("--disasm lists what a linker gets, not a flat image: make an object or assembly"),
            (_, Emit::Mir) => fail("--disasm lists code, and --emit=mir makes none"),
            (_, Emit::Obj | Emit::Asm) => Ok(()),
        }
    }

    /// Returns the last stage that an output needs.
    pub(super) fn until(&self, emit: Emit) -> Until {
        if emit == Emit::Mir && !self.text.print_analysis.is_empty() {
            return Until::Selected;
        }
        match (emit, self.text.stop_after) {
            (Emit::Mir, Some(StopAfter::Select)) => Until::Selected,
            (Emit::Mir, Some(StopAfter::Allocate) | None) => Until::Allocated,
            _ => Until::Emitted,
        }
    }
}

//! The options for remarks, `--remarks` and `--explain`, of `lir-opt` and `lir-llc`.

use crate::pass::remarks::{Listen, ListenTo, Remark};
use crate::views::remarks::{as_json_lines, in_words};
use lir_cli::heading::{FILES, PRINT};
use lir_cli::{Console, Failure, not_both_to_one, not_over_input};
use lir_syntax::ir::{FuncId, Function, Module, NameRef, Param};
use lir_syntax::printer::{FunctionPrinter, name_after_sigil, printed};
use lir_syntax::text::quoted::name_of_argument;
use lir_syntax::text::source::Source;
use lir_syntax::text::suggest::nearest_hint;
use std::path::{Path, PathBuf};

/// Options for remarks.
#[derive(clap::Args)]
pub struct RemarkArgs {
    /// Write remarks to a file: what each step did or refused to do, and why, as JSON, one object per line
    #[arg(long, value_name = "FILE", help_heading = FILES)]
    remarks: Option<PathBuf>,
    /// Print the remarks about a value: what each step did with it or refused to do, and why
    ///
    /// The text is printed on standard error. It names the promises that a pass relied on: without them, the pass does
    /// not do the same.
    #[arg(long, value_name = "%NAME", conflicts_with = "remarks", help_heading = PRINT)]
    explain: Option<String>,
}

/// The remarks that are wanted.
pub struct Wanted {
    /// What to listen to.
    pub listen: Listen,
    /// True unless a value is to be explained that no register has the name of.
    is_known: bool,
}

/// Remarks to be written after all other output.
#[must_use]
pub struct Told<'a> {
    file: Option<(&'a Path, String)>,
    text: Option<String>,
}

impl RemarkArgs {
    /// Checks that the file of remarks is no other file of the run.
    ///
    /// # Errors
    /// It is.
    pub fn check(&self, result: &str, output: Option<&Path>, input: Option<&Path>) -> Result<(), Failure> {
        let Some(remarks) = &self.remarks else { return Ok(()) };
        // One after the other on standard output, neither is lost.
        if let Some(output) = output
            && output != Path::new("-")
        {
            not_both_to_one(&format!("{result} and the remarks"), output, remarks)?;
        }
        not_over_input("the remarks", remarks, input)
    }
    /// Finds what to listen to.
    ///
    /// # Errors
    /// There is no register of the name.
    pub fn wanted(&self, module: &Module, function: Option<FuncId>) -> Result<Wanted, Failure> {
        if let Some(name) = &self.explain {
            return find_registers(module, function, name);
        }
        let listen = if self.remarks.is_some() { Listen::All } else { Listen::Off };
        Ok(Wanted { listen, is_known: true })
    }
    /// Formats remarks as the options say. `module` is the module after the steps; `silence` is the sentence for no
    /// remarks.
    ///
    /// # Errors
    /// There is no register of the name after the steps either.
    pub fn tell(
        &self,
        wanted: &Wanted,
        remarks: &[Remark],
        module: &Module,
        silence: &str,
        source: &Source,
    ) -> Result<Told<'_>, Failure> {
        if let Some(name) = &self.explain
            && !wanted.is_known
            && remarks.is_empty()
            && !prints_register(module, name)
        {
            return Err(Failure::input(format_args!(
                "there is no register {name}, neither before the passes nor after"
            )));
        }
        Ok(Told {
            file: self.remarks.as_deref().map(|file| (file, as_json_lines(remarks, source))),
            text: self.explain.as_ref().map(|name| match remarks {
                [] => format!("{silence} about {name}\n"),
                _ => in_words(remarks, source),
            }),
        })
    }
}

impl Told<'_> {
    /// Writes it.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn write(self, console: &mut Console) -> Result<(), Failure> {
        if let Some((file, lines)) = self.file {
            console.write_output(Some(file), lines.as_bytes())?;
        }
        if let Some(text) = self.text {
            console.say(text);
        }
        Ok(())
    }
}

/// True if the printed module has a register of a name.
fn prints_register(module: &Module, name: &str) -> bool {
    let wanted = name_of_argument('%', name);
    module.funcs.values().any(|f| {
        let printer = FunctionPrinter::new(&module.decls, f);
        let is_wanted = |r| name_of_argument('%', &printed(|out| printer.reg(r, out))) == wanted;
        f.layout().all_insts().filter_map(|i| f.def(i)).any(is_wanted)
    })
}

/// Finds what to listen to for the registers of a name: some function, or the one that is named, has one, or passes may
/// make one (`%x.1`).
fn find_registers(module: &Module, function: Option<FuncId>, name: &str) -> Result<Wanted, Failure> {
    let bare = &name_of_argument('%', name)[..];
    let digits = bare.iter().rev().take_while(|c| c.is_ascii_digit()).count();
    let is_derived = digits > 0 && bare[..bare.len() - digits].ends_with(b".");
    let chosen = || module.funcs.iter().filter(move |(id, _)| function.is_none_or(|f| f == *id)).map(|(_, f)| f);
    let names = || chosen().flat_map(|f| f.regs.values().map(|r| f.names.get(r.name)));
    let is_known = names().any(|n| n == bare);
    if !is_known && !is_derived {
        let hint = nearest_hint("%", bare, names());
        return Err(Failure::input(format_args!("there is no register %{}{hint}", name_after_sigil(bare))));
    }
    let variable_in = chosen().filter(|f| is_variable(f, bare)).map(|f| f.sym).collect();
    let listen = Listen::Value(ListenTo { name: name_after_sigil(bare), variable_in });
    Ok(Wanted { listen, is_known })
}

/// True if the register of a name has several assignments. For a parameter the call of the function counts as one.
fn is_variable(f: &Function, name: &[u8]) -> bool {
    let is_it = |n: NameRef| f.names.get(n) == name;
    let Some(r) = f.regs.keys().find(|r| is_it(f.regs[*r].name)) else { return false };
    let as_parameter = f.params.iter().filter(|p| matches!(p, Param::Reg(p) if *p == r)).count();
    as_parameter + f.layout().all_insts().filter(|i| f.def(*i) == Some(r)).count() > 1
}

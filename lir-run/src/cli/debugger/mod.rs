//! `--break` and `--step`: a debugger in the terminal, for programs in the interpreter.
//!
//! It prints on standard error, as `--trace` does, so that standard output is the program's alone, and reads commands
//! from standard input, byte by byte: a program that reads finds what follows the commands that were read so far. Where
//! the input is no terminal, commands are printed behind the prompt, so that a transcript is complete.

mod breaks;
mod commands;
mod show;

pub(super) use breaks::{Spot, spot};

use super::at_end;
use crate::interp::{Debugger, Suspended};
use crate::symbols::{end_at_once, flush_c_output};
use breaks::{Break, name_of};
use commands::{Command, HELP, Input};
use lir_cli::say;
use lir_syntax::ir::{InstView, Module};
use lir_syntax::text::source::Source;
use show::{Texts, memory, registers};
use std::sync::Arc;

/// The end of a command that executes, if no break comes before.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
enum Until {
    /// A break.
    Break,
    /// The next instruction.
    Instruction,
    /// An instruction at this depth of calls or a smaller one.
    Depth(usize),
    /// The return of the function at this depth.
    Return(usize),
}

/// The debugger between two instructions.
struct Terminal {
    texts: Texts,
    input: Input,
    breaks: Vec<Break>,
    /// The number of the last break that was made.
    made: usize,
    until: Until,
    /// True if each function that is called from outside is stopped in.
    steps_in: bool,
    last: Option<Command>,
}

/// A debugger that stops at these places, and in each function that is called if it `steps_in`.
///
/// # Errors
/// A place is not there.
pub(super) fn debugger(
    module: &Module,
    places: &[Spot],
    steps_in: bool,
    source: &Arc<Source>,
) -> Result<Debugger, String> {
    let (texts, input) = (Texts::new(source), Input::new());
    let mut terminal =
        Terminal { texts, input, breaks: Vec::new(), made: 0, until: Until::Break, steps_in, last: None };
    for place in places {
        terminal.add_break(module, place.clone())?;
    }
    Ok(Box::new(move |run| terminal.asked(run)))
}

impl Terminal {
    /// Makes a break; what it says of itself.
    fn add_break(&mut self, module: &Module, place: Spot) -> Result<String, String> {
        let new = Break::find(module, &self.texts.lines, place, self.made + 1)?;
        self.made += 1;
        let text = new.describe();
        self.breaks.push(new);
        Ok(text)
    }
    /// Stops where a break is, or where the last command ends.
    fn asked(&mut self, run: &mut Suspended<'_>) {
        let mut text = String::new();
        for hit in self.breaks.iter_mut().filter(|b| b.is_hit(run)) {
            hit.hits += 1;
            text += &format!("break {}, hit {}: ", hit.number, hit.hits);
        }
        let depth = run.depth();
        let is_end = match self.until {
            Until::Break => false,
            Until::Instruction => true,
            Until::Depth(most) => depth <= most,
            Until::Return(of) => depth < of,
        };
        if text.is_empty() && !is_end && !(self.steps_in && run.begins()) {
            if self.until == Until::Return(depth) {
                say_result(run);
            }
            return;
        }
        flush_c_output();
        say(text + &self.texts.stop(run));
        self.until = loop {
            if let Some(until) = self.command(run) {
                break until;
            }
        };
    }
    /// Reads a command and does it. If it executes something, its end.
    fn command(&mut self, run: &mut Suspended<'_>) -> Option<Until> {
        say("(lir) ");
        let Some(line) = self.input.line() else {
            say("\n");
            quit();
        };
        if self.input.is_silent {
            say(format_args!("{line}\n"));
        }
        let command = match line.trim().is_empty() {
            true => Ok(self.last.clone()?),
            false => Command::read(&line),
        };
        let done = command.and_then(|command| {
            self.last = Some(command.clone());
            self.perform(command, run)
        });
        done.unwrap_or_else(|message| {
            say(message + "\n");
            None
        })
    }
    fn perform(&mut self, command: Command, run: &mut Suspended<'_>) -> Result<Option<Until>, String> {
        let text = match command {
            Command::Step => return Ok(Some(Until::Instruction)),
            Command::Next => return Ok(Some(Until::Depth(run.depth()))),
            Command::Finish => {
                // The return itself may be what comes next.
                say_result(run);
                return Ok(Some(Until::Return(run.depth())));
            }
            Command::Continue => return Ok(Some(Until::Break)),
            Command::Quit => quit(),
            Command::Print(name) => registers(run, name.as_deref())?,
            Command::Examine(place, bytes) => memory(run, &place, bytes)?,
            Command::Backtrace(most) => self.texts.backtrace(run, most.unwrap_or(usize::MAX)),
            Command::List => self.texts.list(run),
            Command::Break(Some(place)) => self.add_break(run.module(), place)? + "\n",
            Command::Break(None) if self.breaks.is_empty() => "there is no break\n".into(),
            Command::Break(None) => self.breaks.iter().map(|b| b.describe() + "\n").collect(),
            Command::Delete(number) => {
                let k = self.breaks.iter().position(|b| b.number == number);
                self.breaks.remove(k.ok_or_else(|| format!("there is no break {number}; `b` prints them"))?);
                String::new()
            }
            Command::Help => HELP.into(),
        };
        say(text);
        Ok(None)
    }
}

/// Prints what is about to be returned, if a `ret` comes next.
fn say_result(run: &mut Suspended<'_>) {
    let (func, inst) = run.at(run.depth());
    let name = name_of(run.module(), func);
    match (run.module().funcs[func].view(inst), run.result()) {
        (InstView::Return(_) | InstView::AggReturn { .. }, Some(value)) => {
            say(format_args!("{name} returns {value}\n"))
        }
        (InstView::Return(None), None) => say(format_args!("{name} returns\n")),
        _ => {}
    }
}

/// Ends the process, as gdb does: the program is gone, and nothing is wrong.
fn quit() -> ! {
    flush_c_output();
    at_end::print();
    end_at_once(0)
}

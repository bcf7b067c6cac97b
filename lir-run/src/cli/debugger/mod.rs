//! `--break` and `--step`: a debugger in the terminal, for programs in the interpreter.
//!
//! It prints on standard error, as `--trace` does, so that standard output is the program's alone, and reads commands
//! from standard input, byte by byte: a program that reads finds what follows the commands that were read so far. If
//! the input is not a terminal, commands are printed after the prompt, so that a transcript is complete.
//!
//! While it waits for a command, no thread executes LIR code. It takes no lock that another thread may hold while
//! waiting for this one: standard output is flushed only if no thread has it locked.
//!
//! Commands are for the thread that stopped; others continue, and stop at breaks. If a command ends with the return
//! from that thread's outermost function, the next instruction of any thread stops.

mod breaks;
mod commands;
mod show;

pub(super) use breaks::{Spot, spot};

use super::at_end;
use crate::interp::{Debugger, Suspended};
use crate::symbols::{end_at_once, flush_standard_output};
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
    /// The thread that the last command is for; none if any may stop.
    thread: Option<u32>,
    /// True if there is more than one thread.
    several: bool,
    /// True if it stops in each function that is called from outside.
    steps_in: bool,
    last: Option<Command>,
}

/// Makes a debugger that stops at these places, and, if it `steps_in`, in each function that is called from outside.
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
    let (breaks, until) = (Vec::new(), Until::Break);
    let mut terminal =
        Terminal { texts, input, breaks, made: 0, until, thread: None, several: false, steps_in, last: None };
    for place in places {
        terminal.add_break(module, place.clone())?;
    }
    Ok(Box::new(move |run| terminal.asked(run)))
}

impl Terminal {
    /// Makes a break, and returns its description.
    fn add_break(&mut self, module: &Module, place: Spot) -> Result<String, String> {
        let new = Break::find(module, &self.texts.lines, place, self.made + 1)?;
        self.made += 1;
        let text = new.describe();
        self.breaks.push(new);
        Ok(text)
    }
    /// Stops if there is a break here, or if the last command ends here.
    fn asked(&mut self, run: &mut Suspended<'_>) {
        self.several |= run.thread() > 1;
        let mut text = String::new();
        for hit in self.breaks.iter_mut().filter(|b| b.is_hit(run)) {
            hit.hits += 1;
            text += &format!("break {}, hit {}: ", hit.number, hit.hits);
        }
        let depth = run.depth();
        let is_its = self.thread.is_none_or(|thread| thread == run.thread());
        let is_end = match self.until {
            Until::Break => false,
            Until::Instruction => is_its,
            Until::Depth(most) => is_its && depth <= most,
            Until::Return(of) => is_its && depth < of,
        };
        if text.is_empty() && !is_end && !(self.steps_in && run.begins()) {
            if is_its && self.until == Until::Return(depth) {
                self.go_on(Until::Return(depth), run);
            }
            return;
        }
        flush_standard_output();
        say(text + &self.texts.stop(run, self.several));
        loop {
            if let Some(until) = self.command(run) {
                return self.go_on(until, run);
            }
        }
    }
    /// Notes the end of a command. If the command waits for the return from this function, its result is printed, and
    /// the command ends at the next instruction: where C had called the function, that is at any depth.
    fn go_on(&mut self, until: Until, run: &mut Suspended<'_>) {
        let depth = run.depth();
        let returns = is_return(run);
        self.until = match until {
            Until::Return(_) if returns => {
                say_result(run);
                Until::Instruction
            }
            Until::Depth(_) if returns => Until::Instruction,
            other => other,
        };
        self.thread = Some(run.thread()).filter(|_| !(returns && depth == 0));
    }
    /// Executes a command that it reads. Returns the command's end if it executes instructions.
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
            Command::Finish => return Ok(Some(Until::Return(run.depth()))),
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

/// True if the function returns next.
fn is_return(run: &Suspended<'_>) -> bool {
    let (func, inst) = run.at(run.depth());
    matches!(run.module().funcs[func].view(inst), InstView::Return(_) | InstView::AggReturn { .. })
}

/// Prints the value that is about to be returned.
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

/// Ends the process, as gdb does: the program has ended, and nothing is wrong.
fn quit() -> ! {
    at_end::print();
    end_at_once(0)
}

//! The commands of the debugger, which are read from standard input.

use super::breaks::{Spot, spot};
use lir_syntax::text::suggest::nearest_hint;
use std::fs::File;
use std::io::{IsTerminal, Read};
use std::os::fd::AsFd;

/// The commands, as `help` lists them.
pub(super) const HELP: &str = "\
s, step            execute one instruction; a call goes into the function, or what C calls back
n, next            execute one instruction; a call is executed whole
f, finish          execute until this function returns, and print its result
c, continue        execute up to the next break
p, print [%x]      print a register of this function, or all that have a value
x PLACE [BYTES]    print memory: at an address, at the one in %x, of $slot or of @data
bt, backtrace [N]  print the functions that were called, or the innermost N
l, list            print the instructions around this one
b, break [PLACE]   stop at @f, @f:LINE or @f:FILE:LINE too, or print the breaks
d, delete N        delete break N
h, help            print this list
q, quit            end; the end of the input does too
An empty line is the last command again.
";

/// A command.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Command {
    Step,
    Next,
    Finish,
    Continue,
    /// A register, or all.
    Print(Option<String>),
    /// The place, and the number of bytes.
    Examine(String, Option<u64>),
    /// The number of frames at most.
    Backtrace(Option<usize>),
    List,
    /// A new break, or a list of the existing ones.
    Break(Option<Spot>),
    Delete(usize),
    Help,
    Quit,
}

/// The long names.
const NAMES: [&str; 12] =
    ["step", "next", "finish", "continue", "print", "x", "backtrace", "list", "break", "delete", "help", "quit"];

impl Command {
    /// Reads a command.
    ///
    /// # Errors
    /// There is no such command, or it takes something else.
    pub(super) fn read(line: &str) -> Result<Command, String> {
        let line = line.trim();
        let (name, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = Some(rest.trim()).filter(|rest| !rest.is_empty());
        let alone = |command: Command| match rest {
            None => Ok(command),
            Some(rest) => Err(format!("`{name}` takes nothing, but there is `{rest}`")),
        };
        match name {
            "s" | "step" => alone(Command::Step),
            "n" | "next" => alone(Command::Next),
            "f" | "finish" => alone(Command::Finish),
            "c" | "continue" => alone(Command::Continue),
            "p" | "print" => Ok(Command::Print(rest.map(String::from))),
            "x" => Command::examine(rest.ok_or("`x` takes an address, %x, $slot or @data, and a number of bytes")?),
            "bt" | "backtrace" => Ok(Command::Backtrace(rest.map(read_number).transpose()?)),
            "l" | "list" => alone(Command::List),
            "b" | "break" => Ok(Command::Break(rest.map(spot).transpose()?)),
            "d" | "delete" => {
                Ok(Command::Delete(read_number(rest.ok_or("`d` takes the number of a break; `b` prints them")?)?))
            }
            "h" | "help" => alone(Command::Help),
            "q" | "quit" => alone(Command::Quit),
            _ => {
                let hint = nearest_hint("", name.as_bytes(), NAMES.iter().map(|n| n.as_bytes()));
                Err(format!("there is no command `{name}`{hint}; `h` lists them"))
            }
        }
    }
    fn examine(rest: &str) -> Result<Command, String> {
        // A name in quotes may have spaces.
        match rest.rsplit_once(char::is_whitespace).filter(|(_, bytes)| !bytes.ends_with('"')) {
            Some((place, bytes)) => Ok(Command::Examine(place.trim().into(), Some(read_number(bytes)?))),
            None => Ok(Command::Examine(rest.into(), None)),
        }
    }
}

/// Reads a number that is not negative.
fn read_number<N: std::str::FromStr>(text: &str) -> Result<N, String> {
    text.parse().map_err(|_| format!("`{text}` is not a number, or it is too large"))
}

/// Lines of standard input. Nothing is read beyond the end of a line, since the program may read the rest.
pub(super) struct Input {
    /// None if the process has no standard input.
    file: Option<File>,
    /// True if the input is not echoed, so that commands must be printed.
    pub(super) is_silent: bool,
}

impl Input {
    /// Returns the standard input of the process.
    pub(super) fn new() -> Input {
        let stdin = std::io::stdin();
        let is_silent = !stdin.is_terminal();
        Input { file: stdin.as_fd().try_clone_to_owned().ok().map(File::from), is_silent }
    }
    /// Reads a line; none at the end of the input.
    pub(super) fn line(&mut self) -> Option<String> {
        let file = self.file.as_mut()?;
        let (mut line, mut byte) = (Vec::new(), [0]);
        loop {
            match file.read(&mut byte) {
                Ok(1..) if byte == *b"\n" => break,
                Ok(1..) => line.push(byte[0]),
                Err(e) if e.kind() == std::io::ErrorKind::Interrupted => {}
                Ok(0) | Err(_) if line.is_empty() => return None,
                Ok(0) | Err(_) => break,
            }
        }
        Some(String::from_utf8_lossy(&line).into_owned())
    }
}

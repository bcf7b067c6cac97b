//! Command lines as a shell reads them, and command lines with other options.

use clap::parser::ValueSource;
use clap::{Arg, ArgMatches, Command};
use std::ffi::{OsStr, OsString};
use std::path::Path;

/// Returns the name of a tool, given its arguments: the last component of the first, without an ending. It is `lir` if
/// there are none.
pub fn name_of_tool(arguments: &[OsString]) -> String {
    let path = arguments.first().map_or(Path::new("lir"), Path::new);
    path.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}

/// Returns a command line of a tool anew, without its inputs and the options `left_out`, and with the words `added`
/// after the tool's name: a command to be followed by an input. Options are called by their ids. None if `arguments`,
/// the first of them the tool's name, are not valid.
pub fn command_with(mut options: Command, arguments: &[OsString], left_out: &[&str], added: &[&str]) -> Option<String> {
    let matches = options.try_get_matches_from_mut(arguments).ok()?;
    let mut words = vec![name_of_tool(arguments)];
    words.extend(added.iter().map(|word| word.to_string()));
    let is_kept = |arg: &&Arg| !arg.is_positional() && !left_out.contains(&arg.get_id().as_str());
    words.extend(options.get_arguments().filter(is_kept).flat_map(|arg| words_of(arg, &matches)));
    Some(in_shell(&words))
}

/// The words that give an option its values, as often as the command line gave it.
fn words_of(arg: &Arg, matches: &ArgMatches) -> Vec<String> {
    let id = arg.get_id().as_str();
    if matches.value_source(id) != Some(ValueSource::CommandLine) {
        return Vec::new();
    }
    let (name, separator) = match (arg.get_long(), arg.get_short()) {
        (Some(long), _) => (format!("--{long}"), "="),
        (None, short) => (short.map_or(String::new(), |short| format!("-{short}")), ""),
    };
    if !arg.get_action().takes_values() {
        return vec![name];
    }
    let occurrences = matches.get_raw_occurrences(id).into_iter().flatten();
    let texts = occurrences.map(|values| values.map(OsStr::to_string_lossy).collect::<Vec<_>>().join(","));
    texts.map(|text| format!("{name}{separator}{text}")).collect()
}

/// The words of a command as a shell reads them.
pub fn in_shell(words: &[String]) -> String {
    words.iter().map(|word| quoted(word)).collect::<Vec<_>>().join(" ")
}

/// A word as a shell reads it.
fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_=+,./:@%".contains(c);
    if !word.is_empty() && word.chars().all(plain) { word.into() } else { format!("'{}'", word.replace('\'', "'\\''")) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::ArgAction;

    #[test]
    fn options_are_left_out_however_they_are_written() {
        let options = || {
            Command::new("tool")
                .arg(Arg::new("input"))
                .arg(Arg::new("args").last(true).num_args(0..))
                .arg(Arg::new("level").short('O'))
                .arg(Arg::new("output").short('o').long("output"))
                .arg(Arg::new("debug").short('g').action(ArgAction::SetTrue))
                .arg(Arg::new("library").short('l').action(ArgAction::Append))
                .arg(Arg::new("names").long("names").value_delimiter(','))
                .arg(Arg::new("log").long("log").num_args(0..=1).require_equals(true).default_missing_value("text"))
        };
        let command = |line: &str| {
            let arguments: Vec<OsString> = line.split(' ').map(OsString::from).collect();
            command_with(options(), &arguments, &["level", "output"], &["-O0"])
        };
        let kept = Some("tool -O0 -g -lm -l/a/b.so --names=a,b --log=text".to_string());
        assert_eq!(command("/bin/tool -gO2 -l m --output out in -l/a/b.so --names=a,b --log"), kept);
        assert_eq!(command("tool --names a,b --log -lm -oout -g -O 2 -l /a/b.so in -- -O x"), kept);
        assert_eq!(command("tool --names='a' -o in -- 5"), Some(r"tool -O0 '--names='\''a'\'''".into()));
        assert_eq!(command("tool --unknown"), None);
    }
}

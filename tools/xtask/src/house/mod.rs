//! Measures of the house: the rules for the layout of the sources, as far as a script can check them.
//!
//! | measure | rule |
//! |---|---|
//! | circles | sibling modules do not use one another in a circle ([`circles`]) |
//! | long files | no file of more than [`MAX_FILE`] lines |
//! | long functions | no function of more than [`MAX_FUNCTION`] lines, except matches with short arms |
//! | full folders | no folder with more than [`MAX_FOLDER`] files |
//! | unused public items | each is named outside of its crate, or by one that is ([`public_items`]) |
//! | lists of formats | at most [`MAX_FORMAT_LISTS`] files name most formats of instructions |
//! | raw fields | fields of instructions are read as operands only in the crate's `ir/` |
//! | machines | `lir-llc` names the machine only in the machine's folder ([`MACHINE_FREE`]) |
//! | options | `CompileOptions` has at most [`MAX_OPTIONS`] fields: the compilation, and nothing about output to show |
//! | words | at most one comment line in [`WORDS_IN`] has a word that is a figure of speech ([`words`]) |
//! | lines | the lines of the `src` folder of each crate, without tests |

mod circles;
mod public_items;
mod sources;
pub(crate) mod words;

use sources::{Source, read_sources};
use std::collections::BTreeMap;
use std::path::Path;
use std::process::ExitCode;

const MAX_FILE: usize = 600;
const MAX_FUNCTION: usize = 60;
const MAX_FOLDER: usize = 15;
const MAX_FORMAT_LISTS: usize = 8;
const MAX_OPTIONS: usize = 10;
const WORDS_IN: usize = 50;
/// A file that names this many formats lists them.
const MANY_FORMATS: usize = 14;

/// The folders whose code knows a machine only by its `MachineEnv`.
const MACHINE_FREE: [&str; 9] = [
    "lir-llc/src/mir/",
    "lir-llc/src/mir_passes/",
    "lir-llc/src/regalloc/",
    "lir-llc/src/watchers/",
    "lir-syntax/",
    "lir-opt/",
    "lir-run/",
    "lir/",
    "tools/lir-",
];

/// The result of one measure.
struct Finding {
    measure: &'static str,
    /// The text after the measure's name: a number, or a number and its limit.
    value: String,
    broken: bool,
    /// The files, lines or items that were found, a line each.
    found: Vec<String>,
}

/// Measures everything, prints the findings, and fails if a rule is broken.
pub fn report(root: &Path) -> ExitCode {
    let sources = read_sources(root);
    let findings = [
        listed("circles of modules", circles::find(&sources)),
        listed("files that are too long", long_files(&sources)),
        listed("functions that are too long", long_functions(&sources)),
        listed("folders that are too full", full_folders(&sources)),
        listed("public items without uses outside", public_items::unused(root, &sources)),
        format_lists(&sources),
        listed("raw fields read as operands", raw_fields(&sources)),
        listed("lines that name the machine", machine_names(&sources)),
        options(&sources),
        figures_of_speech(&sources),
        lines(&sources),
    ];
    for f in &findings {
        println!("{:<40} {}{}", f.measure, f.value, if f.broken { "  <- broken" } else { "" });
        for line in &f.found {
            println!("    {line}");
        }
    }
    if findings.iter().any(|f| f.broken) { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}

/// Returns a measure that should find nothing.
fn listed(measure: &'static str, found: Vec<String>) -> Finding {
    Finding { measure, value: found.len().to_string(), broken: !found.is_empty(), found }
}

fn long_files(sources: &[Source]) -> Vec<String> {
    let all = sources.iter().map(|s| (s.text.lines().count(), s));
    all.filter(|(lines, _)| *lines > MAX_FILE).map(|(lines, s)| format!("{}: {lines} lines", s.path)).collect()
}

fn long_functions(sources: &[Source]) -> Vec<String> {
    let of = |s: &Source| {
        let long = s.functions().into_iter().filter(|f| f.lines > MAX_FUNCTION && !f.is_flat_match);
        long.map(|f| format!("{}:{}: {} has {} lines", s.path, f.line, f.name, f.lines)).collect::<Vec<_>>()
    };
    sources.iter().flat_map(of).collect()
}

fn full_folders(sources: &[Source]) -> Vec<String> {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for s in sources {
        *counts.entry(s.path.rsplit_once('/').map_or("", |(folder, _)| folder)).or_default() += 1;
    }
    counts.into_iter().filter(|(_, n)| *n > MAX_FOLDER).map(|(folder, n)| format!("{folder}: {n} files")).collect()
}

/// Returns the files that list most formats of instructions.
fn format_lists(sources: &[Source]) -> Finding {
    let names = |s: &Source| {
        let mut names: Vec<&str> = s.code().split("Format::").skip(1).map(first_word).collect();
        names.sort_unstable();
        names.dedup();
        names.len()
    };
    let found: Vec<String> = sources.iter().filter(|s| names(s) >= MANY_FORMATS).map(|s| s.path.clone()).collect();
    Finding {
        measure: "files that list the formats",
        value: format!("{} of {MAX_FORMAT_LISTS}", found.len()),
        broken: found.len() > MAX_FORMAT_LISTS,
        found,
    }
}

fn first_word(text: &str) -> &str {
    &text[..text.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(text.len())]
}

/// Reads of an instruction's fields as registers or constants. The module that knows their formats is left out.
fn raw_fields(sources: &[Source]) -> Vec<String> {
    let is_raw = |line: &str| {
        ["a", "b", "dst"].iter().any(|field| {
            line.contains(&format!(".{field}.as_reg()"))
                || line.split(".constant(").skip(1).any(|rest| {
                    rest.split_once(')').is_some_and(|(argument, _)| argument.ends_with(&format!(".{field}")))
                })
        })
    };
    let outside = sources.iter().filter(|s| !s.path.starts_with("lir-syntax/src/ir/"));
    let of = |s: &Source| {
        let lines = s.code().lines().enumerate().filter(|(_, l)| is_raw(l));
        lines.map(|(n, l)| format!("{}:{}: {}", s.path, n + 1, l.trim())).collect::<Vec<_>>()
    };
    outside.flat_map(of).collect()
}

/// Lines that name an instruction set where code knows a machine by `MachineEnv`.
fn machine_names(sources: &[Source]) -> Vec<String> {
    let free = sources.iter().filter(|s| MACHINE_FREE.iter().any(|folder| s.path.starts_with(folder)));
    let of = |s: &Source| {
        let lines = s.code().lines().enumerate().filter(|(_, l)| l.contains("::x64"));
        lines.map(|(n, l)| format!("{}:{}: {}", s.path, n + 1, l.trim())).collect::<Vec<_>>()
    };
    free.flat_map(of).collect()
}

/// Returns the fields of the code generator's options.
fn options(sources: &[Source]) -> Finding {
    let fields = sources.iter().flat_map(|s| &s.syntax.items).find_map(|item| match item {
        syn::Item::Struct(s) if s.ident == "CompileOptions" => Some(s.fields.len()),
        _ => None,
    });
    let count = fields.unwrap_or(usize::MAX);
    Finding {
        measure: "fields of CompileOptions",
        value: format!("{count} of {MAX_OPTIONS}"),
        broken: count > MAX_OPTIONS,
        found: Vec::new(),
    }
}

fn figures_of_speech(sources: &[Source]) -> Finding {
    let comments: Vec<&str> = sources.iter().flat_map(|s| words::comments(&s.text)).map(|(_, text)| text).collect();
    let found = comments.iter().filter(|text| words::figure_in(text).is_some()).count();
    Finding {
        measure: "comment lines with figures of speech",
        value: format!("{found} of {}", comments.len()),
        broken: found * WORDS_IN > comments.len(),
        found: Vec::new(),
    }
}

/// Returns the lines of each crate. They are figures, not a rule.
fn lines(sources: &[Source]) -> Finding {
    let mut by_crate: BTreeMap<&str, usize> = BTreeMap::new();
    for s in sources {
        let krate = s.path.split_once("/src/").expect("sources are in src").0;
        *by_crate.entry(krate).or_default() += s.code().lines().count();
    }
    Finding {
        measure: "lines without tests",
        value: by_crate.values().sum::<usize>().to_string(),
        broken: false,
        found: by_crate.into_iter().map(|(krate, lines)| format!("{krate}: {lines}")).collect(),
    }
}

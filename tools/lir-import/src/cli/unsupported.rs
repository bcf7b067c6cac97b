//! `--list-unsupported`: counts the reasons for refusals of files.

use lir_cli::{Console, Failure, import_by};
use lir_syntax::importer::{ImportOptions, Importer};
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

/// How often a reason occurs.
#[derive(Default)]
struct Occurrences {
    places: usize,
    files: BTreeSet<usize>,
}

/// Reads files, and writes a table: the number of translated files, and for each reason the numbers of its positions
/// and files, the most frequent reason first.
///
/// # Errors
/// A file cannot be read.
pub(super) fn list(
    importer: &'static dyn Importer,
    files: &[PathBuf],
    options: ImportOptions,
    console: &mut Console,
) -> Result<(), Failure> {
    let mut reasons: BTreeMap<String, Occurrences> = BTreeMap::new();
    let mut translated = 0;
    let inputs: Vec<Option<&PathBuf>> = if files.is_empty() { vec![None] } else { files.iter().map(Some).collect() };
    for (n, file) in inputs.iter().enumerate() {
        let (_, text) = console.read_bytes(file.map(|path| path.as_path()))?;
        import_by(importer);
        let errors = match importer.import(&text, options) {
            Ok(_) => {
                translated += 1;
                continue;
            }
            Err(errors) => errors,
        };
        for error in errors {
            let occurrences = reasons.entry(kind_of(&error.message)).or_default();
            occurrences.places += 1;
            occurrences.files.insert(n);
        }
    }
    let mut rows: Vec<(String, Occurrences)> = reasons.into_iter().collect();
    // The sort is stable: equal counts keep the order of the reasons.
    rows.sort_by_key(|(_, occurrences)| std::cmp::Reverse(occurrences.places));
    let mut table = format!("{translated} of {} files are translated\n", inputs.len());
    if !rows.is_empty() {
        table.push_str("places  files  reason\n");
    }
    for (reason, occurrences) in rows {
        table.push_str(&format!("{:6}  {:5}  {reason}\n", occurrences.places, occurrences.files.len()));
    }
    console.write_output(None, table.as_bytes())
}

/// Returns a message without names of the program: `@main` and `%x` become `@..` and `%..`.
fn kind_of(message: &str) -> String {
    let mut kind = String::new();
    for (n, part) in message.split('`').enumerate() {
        let is_name = n % 2 == 1 && part.starts_with(['@', '%']);
        if n > 0 {
            kind.push('`');
        }
        match is_name {
            true => kind.push_str(&format!("{}..", &part[..1])),
            false => kind.push_str(part),
        }
    }
    kind
}

#[cfg(test)]
mod tests {
    use super::kind_of;

    #[test]
    fn names_of_programs_are_left_out() {
        assert_eq!(kind_of("`@f` is defined twice"), "`@..` is defined twice");
        assert_eq!(kind_of("the type `fp128` is not supported"), "the type `fp128` is not supported");
    }
}

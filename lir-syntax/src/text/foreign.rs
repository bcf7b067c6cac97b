//! Inputs that are no LIR, told by their first bytes or lines: other tools' text and binaries that users try.
//!
//! A text is looked at only where it is no LIR: some first lines could be either.

use crate::text::diagnostic::Diagnostic;
use crate::text::source::{Source, Span};

/// The likely language of an input, with advice.
struct Foreign {
    /// With its article.
    what: &'static str,
    advice: Advice,
}

enum Advice {
    /// `lir-import` reads it.
    Import,
    /// Nothing does.
    NothingReadsIt,
    /// It is what LIR is made into.
    Compiled,
}

/// By their first bytes.
const BINARIES: [(&[u8], Foreign); 4] = [
    (b"\x7fELF", Foreign { what: "an ELF file", advice: Advice::Compiled }),
    (b"!<arch>\n", Foreign { what: "an archive of objects", advice: Advice::Compiled }),
    (b"BC\xc0\xde", Foreign { what: "LLVM bitcode", advice: Advice::NothingReadsIt }),
    (b"\0asm", Foreign { what: "a WebAssembly module", advice: Advice::NothingReadsIt }),
];
/// By how a line begins.
const TEXTS: [(&str, Foreign); 20] = [
    ("function ", QBE),
    ("export", QBE),
    ("data $", QBE),
    ("section \"", QBE),
    ("thread data $", QBE),
    ("define ", LLVM),
    ("declare ", LLVM),
    ("target triple", LLVM),
    ("target datalayout", LLVM),
    ("source_filename", LLVM),
    ("attributes #", LLVM),
    ("; ModuleID", LLVM),
    ("(module", WAT),
    ("#include", C),
    ("int main", C),
    ("static int ", C),
    ("\t.text", ASSEMBLY),
    ("\t.file", ASSEMBLY),
    (".intel_syntax", ASSEMBLY),
    ("fn main", Foreign { what: "Rust", advice: Advice::NothingReadsIt }),
];
const QBE: Foreign = Foreign { what: "QBE's IL", advice: Advice::Import };
const LLVM: Foreign = Foreign { what: "LLVM's IR", advice: Advice::NothingReadsIt };
const WAT: Foreign = Foreign { what: "the text of a WebAssembly module", advice: Advice::NothingReadsIt };
const C: Foreign = Foreign { what: "C", advice: Advice::NothingReadsIt };
const ASSEMBLY: Foreign = Foreign { what: "assembly", advice: Advice::Compiled };
/// The beginnings of lines of LIR that no other language has.
const OURS: [&str; 4] = ["func @", "extern func", "data @", "local "];

/// Returns the message for bytes that are another tool's, if they are.
pub fn of_bytes(name: &str, bytes: &[u8]) -> Option<Diagnostic> {
    let (_, foreign) = BINARIES.iter().find(|(magic, _)| bytes.starts_with(magic))?;
    Some(foreign.diagnostic(name, Span::new(0, 0)))
}

/// Returns the message for a text that is another language's, if it is.
pub fn of_text(source: &Source) -> Option<Diagnostic> {
    let mut found = None;
    let mut at = 0;
    for line in source.text.split_inclusive('\n') {
        if OURS.iter().any(|ours| line.starts_with(ours)) {
            return None;
        }
        if found.is_none() {
            let row = TEXTS.iter().find(|(beginning, _)| line.starts_with(beginning));
            found = row.map(|(_, foreign)| (foreign, Span::new(at, at + line.trim_end().len())));
        }
        at += line.len();
    }
    let (foreign, span) = found?;
    Some(foreign.diagnostic(&source.name, span))
}

impl Foreign {
    fn diagnostic(&self, name: &str, span: Span) -> Diagnostic {
        let file = if name.starts_with('<') { "FILE" } else { name };
        let help = match self.advice {
            Advice::Import => format!("make LIR of it: `lir-import qbe {file} -o {}`", with_ending(file)),
            Advice::NothingReadsIt => "LIR's tools read LIR, which LANGUAGE.md describes, and import QBE's IL".into(),
            Advice::Compiled => "this is what `lir-llc` makes; it reads LIR, which LANGUAGE.md describes".into(),
        };
        Diagnostic::new(span, format!("this is no LIR, but looks like {}", self.what)).help(help, Vec::new())
    }
}

/// A name of a file with the ending of LIR in place of its own.
fn with_ending(name: &str) -> String {
    let path = std::path::Path::new(name);
    // A text that has our ending already is not to be written over.
    let is_ours = path.extension().is_some_and(|e| e == "lir");
    path.with_extension(if is_ours { "qbe.lir" } else { "lir" }).display().to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> Option<String> {
        let source = Source { name: "a.ssa".into(), text: text.into() };
        let found = of_text(&source)?;
        Some(format!("{}; {}", found.message, found.helps[0].message))
    }

    #[test]
    fn texts_of_others() {
        let qbe = of("# made by cproc\nexport\nfunction w $main() {\n@start\n\tret 0\n}\n").expect("it is known");
        assert_eq!(qbe, "this is no LIR, but looks like QBE's IL; make LIR of it: `lir-import qbe a.ssa -o a.lir`");
        for (text, what) in [
            ("; ModuleID = 'x'\n", "LLVM's IR"),
            ("\ndefine i32 @f() {\n", "LLVM's IR"),
            ("(module\n", "the text of a WebAssembly module"),
            ("#include <stdio.h>\n", "C;"),
            ("\t.text\n", "assembly"),
        ] {
            assert!(of(text).is_some_and(|m| m.contains(&format!("looks like {what}"))), "{text}");
        }
        // With a line of LIR in it, it is LIR with a mistake.
        for text in ["", "x\n", "define @f\nfunc @g() {\n", "function f() {\nextern func @x()\n"] {
            assert_eq!(of(text), None, "{text}");
        }
    }

    #[test]
    fn binaries_of_others() {
        let of = |bytes| of_bytes("x", bytes).map(|d| d.message);
        assert!(of(b"\x7fELF\x02").is_some_and(|m| m.ends_with("an ELF file")));
        assert!(of(b"BC\xc0\xde").is_some_and(|m| m.ends_with("LLVM bitcode")));
        assert_eq!(of(b"func @f() {"), None);
    }
}

//! Recognises inputs that are not LIR by their first bytes or lines: texts and binaries of other tools that users may
//! try.
//!
//! A text is examined only if it is not valid LIR, since some first lines could be either.

use crate::text::diagnostic::Diagnostic;
use crate::text::source::{Source, Span};

/// The likely language of an input, with advice.
struct Foreign {
    /// The name, with its article.
    what: &'static str,
    advice: Advice,
}

enum Advice {
    /// `lir-import` reads it.
    Import(&'static str),
    /// No tool here reads it.
    NothingReadsIt,
    /// `llvm-dis` converts it to text, which `lir-import` reads.
    Bitcode,
    /// It is an output of compiling LIR.
    Compiled,
}

/// Binaries, by their first bytes.
const BINARIES: [(&[u8], Foreign); 5] = [
    (b"\x7fELF", Foreign { what: "an ELF file", advice: Advice::Compiled }),
    (b"!<arch>\n", Foreign { what: "an archive of objects", advice: Advice::Compiled }),
    (b"BC\xc0\xde", Foreign { what: "LLVM bitcode", advice: Advice::Bitcode }),
    (b"\xde\xc0\x17\x0b", Foreign { what: "LLVM bitcode", advice: Advice::Bitcode }),
    (b"\0asm", Foreign { what: "a WebAssembly module", advice: Advice::NothingReadsIt }),
];
/// Texts, by the beginning of a line.
const TEXTS: [(&str, Foreign); 26] = [
    ("function %", CRANELIFT),
    ("function u0:", CRANELIFT),
    ("function $", QBE),
    ("export function ", QBE),
    ("export data $", QBE),
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
    ("module {", MLIR),
    ("module @", MLIR),
    ("func.func ", MLIR),
    ("#include", C),
    ("int main", C),
    ("static int ", C),
    ("\t.text", ASSEMBLY),
    ("\t.file", ASSEMBLY),
    (".intel_syntax", ASSEMBLY),
    ("fn main()", Foreign { what: "Rust", advice: Advice::NothingReadsIt }),
];
const QBE: Foreign = Foreign { what: "QBE's IL", advice: Advice::Import("qbe") };
const LLVM: Foreign = Foreign { what: "LLVM's IR", advice: Advice::Import("llvm") };
const CRANELIFT: Foreign = Foreign { what: "Cranelift's IR", advice: Advice::NothingReadsIt };
const WAT: Foreign = Foreign { what: "the text of a WebAssembly module", advice: Advice::NothingReadsIt };
const MLIR: Foreign = Foreign { what: "MLIR", advice: Advice::NothingReadsIt };
const C: Foreign = Foreign { what: "C", advice: Advice::NothingReadsIt };
const ASSEMBLY: Foreign = Foreign { what: "assembly", advice: Advice::Compiled };
/// The beginnings of lines of LIR that no other language has.
const OURS: [&str; 4] = ["func @", "extern func", "data @", "local "];

/// Returns the message for bytes of another tool's format, or for a text in another encoding; none for other bytes. The
/// message has no position, since the bytes cannot be shown.
pub fn of_bytes(name: &str, bytes: &[u8]) -> Option<Diagnostic> {
    if let Some(encoding) = encoding(bytes) {
        return Some(encoded(name, encoding));
    }
    let (_, foreign) = BINARIES.iter().find(|(magic, _)| bytes.starts_with(magic))?;
    Some(foreign.diagnostic(name, None))
}

/// Returns the encoding of a text that is not UTF-8, as `iconv` names it: by the mark at its beginning, or by the zeros
/// of its first two characters, which are ASCII in every text.
fn encoding(bytes: &[u8]) -> Option<&'static str> {
    // UTF-32 comes first, since its mark begins with the mark of UTF-16.
    const MARKS: [(&[u8], &str); 4] =
        [(b"\xff\xfe\0\0", "UTF-32"), (b"\0\0\xfe\xff", "UTF-32"), (b"\xff\xfe", "UTF-16"), (b"\xfe\xff", "UTF-16")];
    if let Some((_, name)) = MARKS.iter().find(|(mark, _)| bytes.starts_with(mark)) {
        return Some(name);
    }
    let is_zero: Vec<bool> = bytes.iter().take(8).map(|b| *b == 0).collect();
    match is_zero[..] {
        [false, true, true, true, false, true, true, true] => Some("UTF-32LE"),
        [true, true, true, false, true, true, true, false] => Some("UTF-32BE"),
        [false, true, false, true, ..] => Some("UTF-16LE"),
        [true, false, true, false, ..] => Some("UTF-16BE"),
        _ => None,
    }
}

/// Returns the message for a text in another encoding.
fn encoded(name: &str, encoding: &str) -> Diagnostic {
    let file = shown(name);
    let message = format!("the text is {}, and not UTF-8", encoding.trim_end_matches(['L', 'B', 'E']));
    let help = format!("write it in UTF-8: `iconv -f {encoding} -t UTF-8 {file}`");
    Diagnostic::new(None, message).help(help, Vec::new())
}

/// Returns the message for a text in another language; none for other texts.
pub fn of_text(source: &Source) -> Option<Diagnostic> {
    let (foreign, span) = found_in(&source.text)?;
    Some(foreign.diagnostic(&source.name, span))
}

/// True if a text looks like the language with this name in `lir-import`, and not like LIR.
pub fn is_written_in(text: &str, language: &str) -> bool {
    found_in(text).is_some_and(|(foreign, _)| matches!(foreign.advice, Advice::Import(name) if name == language))
}

/// Returns the language of the first line that identifies one, and the line, unless some line is LIR.
fn found_in(text: &str) -> Option<(&'static Foreign, Span)> {
    let mut found = None;
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        if OURS.iter().any(|ours| line.starts_with(ours)) {
            return None;
        }
        if found.is_none() {
            let row = TEXTS.iter().find(|(beginning, _)| line.starts_with(beginning));
            let foreign = row.map(|(_, foreign)| foreign).or_else(|| by_whole_line(line.trim_end()));
            found = foreign.map(|foreign| (foreign, Span::new(at, at + line.trim_end().len())));
        }
        at += line.len();
    }
    found
}

/// Returns the language that a whole line identifies.
fn by_whole_line(line: &str) -> Option<&'static Foreign> {
    let (first, rest) = line.split_once(' ').unwrap_or((line, ""));
    match first {
        "export" if rest.is_empty() => Some(&QBE),
        // `function w $f(..)`.
        "function" if rest.split_once(' ').is_some_and(|(_, name)| name.starts_with('$')) => Some(&QBE),
        // `type :t = { w, l 2 }`: members with the letters of QBE's types.
        "type" if rest.starts_with(':') => {
            let (_, members) = rest.strip_suffix('}')?.split_once('{')?;
            let is_qbe = |m: &str| matches!(m.split_whitespace().next(), Some("b" | "h" | "w" | "l" | "s" | "d"));
            members.split(',').all(is_qbe).then_some(&QBE)
        }
        _ if first.starts_with('@') => {
            let value = rest.strip_prefix("= ")?;
            let is_llvm = |w| matches!(w, "global" | "constant" | "alias");
            value.split(' ').any(is_llvm).then_some(&LLVM)
        }
        _ if first.starts_with('%') => rest.starts_with("= type ").then_some(&LLVM),
        _ => None,
    }
}

/// Returns the message for an input of `lir-import` that is not in the given `language`, but recognisably in another
/// one.
pub fn of_import(language: &str, name: &str, bytes: &[u8]) -> Option<Diagnostic> {
    if let Some(encoding) = encoding(bytes) {
        return Some(encoded(name, encoding));
    }
    if let Some((_, foreign)) = BINARIES.iter().find(|(magic, _)| bytes.starts_with(magic)) {
        return Some(foreign.not_imported(name, None));
    }
    let source = Source { name: name.into(), text: String::from_utf8(bytes.to_vec()).ok()? };
    let mut at = 0;
    for line in source.text.split_inclusive('\n') {
        let span = Span::new(at, at + line.trim_end().len());
        if OURS.iter().any(|ours| line.starts_with(ours)) {
            let help = "it needs no import: the tools read it as it is";
            return Some(Diagnostic::new(span, "this is LIR already").help(help, Vec::new()));
        }
        let row = TEXTS.iter().find(|(beginning, _)| line.starts_with(beginning)).map(|(_, foreign)| foreign);
        if let Some(foreign) = row.or_else(|| by_whole_line(line.trim_end())) {
            let as_told = matches!(foreign.advice, Advice::Import(found) if found == language);
            return (!as_told).then(|| foreign.not_imported(name, span));
        }
        at += line.len();
    }
    None
}

/// The suggestion for bitcode.
const DISASSEMBLE: &str = "convert it to text: `llvm-dis FILE.bc -o FILE.ll`";

/// Returns the name of a file, or a word for it.
fn shown(name: &str) -> &str {
    if name.starts_with('<') { "FILE" } else { name }
}

impl Foreign {
    fn not_imported(&self, name: &str, span: impl Into<Option<Span>>) -> Diagnostic {
        let help = match self.advice {
            Advice::Import(language) => format!("name the language: `lir-import {language} {}`", shown(name)),
            Advice::Bitcode => DISASSEMBLE.into(),
            _ => "`lir-import` reads QBE's IL and LLVM's IR".into(),
        };
        Diagnostic::new(span, format!("this looks like {}", self.what)).help(help, Vec::new())
    }
    fn diagnostic(&self, name: &str, span: impl Into<Option<Span>>) -> Diagnostic {
        let file = shown(name);
        let help = match self.advice {
            Advice::Import(language) => {
                format!("convert it to LIR: `lir-import {language} {file} -o {}`", with_ending(file, language))
            }
            Advice::NothingReadsIt => {
                "LIR's tools read LIR, which LANGUAGE.md describes, and import QBE's IL and LLVM's IR".into()
            }
            Advice::Bitcode => DISASSEMBLE.into(),
            Advice::Compiled => "this is an output of `lir-llc`, which reads LIR, which LANGUAGE.md describes".into(),
        };
        Diagnostic::new(span, format!("this is not LIR; it looks like {}", self.what)).help(help, Vec::new())
    }
}

/// Returns the name of a file with the extension of LIR in place of its own.
fn with_ending(name: &str, language: &str) -> String {
    let path = std::path::Path::new(name);
    // A file that has the extension already must not be overwritten.
    let is_ours = path.extension().is_some_and(|e| e == "lir");
    path.with_extension(if is_ours { format!("{language}.lir") } else { "lir".into() }).display().to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> Option<String> {
        let source = Source { name: "a.ssa".into(), text: text.into() };
        let found = of_text(&source)?;
        Some(format!("{}; {}", found.message, found.suggestions[0].message))
    }

    #[test]
    fn texts_of_others() {
        let qbe = of("# made by cproc\nexport\nfunction w $main() {\n@start\n\tret 0\n}\n").expect("it is known");
        assert_eq!(qbe, "this is not LIR; it looks like QBE's IL; convert it to LIR: `lir-import qbe a.ssa -o a.lir`");
        for (text, what) in [
            ("; ModuleID = 'x'\n", "LLVM's IR"),
            ("\ndefine i32 @f() {\n", "LLVM's IR"),
            ("(module\n", "the text of a WebAssembly module"),
            ("#include <stdio.h>\n", "C;"),
            ("\t.text\n", "assembly"),
            ("@x = global i32 1\n", "LLVM's IR"),
            ("@x = internal constant [2 x i8] c\"a\"\n", "LLVM's IR"),
            ("%t = type { i32 }\n", "LLVM's IR"),
            ("type :t = { w, l 2 }\n", "QBE's IL"),
            ("function $f() {\n", "QBE's IL"),
            ("function u0:0(i32) -> i32 {\n", "Cranelift's IR"),
        ] {
            assert!(of(text).is_some_and(|m| m.contains(&format!("looks like {what}"))), "{text}");
        }
        // With a line of LIR in it, it is LIR with a mistake.
        for text in [
            "",
            "x\n",
            "define @f\nfunc @g() {\n",
            "function f() {\nextern func @x()\n",
            "function f(a: i32) : i32 {\n",
            "export func f() {\n",
        ] {
            assert_eq!(of(text), None, "{text}");
        }
    }

    #[test]
    fn binaries_of_others() {
        let of = |bytes| of_bytes("x", bytes).map(|d| d.message);
        assert!(of(b"\x7fELF\x02").is_some_and(|m| m.ends_with("an ELF file")));
        assert!(of(b"BC\xc0\xde").is_some_and(|m| m.ends_with("LLVM bitcode")));
        assert!(of(b"\xde\xc0\x17\x0b\0").is_some_and(|m| m.ends_with("LLVM bitcode")));
        assert_eq!(of(b"func @f() {"), None);
        let of = |bytes: Vec<u8>| of_bytes("x.lir", &bytes).map(|d| d.message + ", " + &d.suggestions[0].message);
        let text = "func @f()";
        let utf16 = |mark: &str, little: bool| {
            let units = mark.chars().chain(text.chars()).map(|c| c as u16);
            units.flat_map(|c| if little { c.to_le_bytes() } else { c.to_be_bytes() }).collect::<Vec<u8>>()
        };
        let utf32 = |mark: &str, little: bool| {
            let units = mark.chars().chain(text.chars()).map(|c| c as u32);
            units.flat_map(|c| if little { c.to_le_bytes() } else { c.to_be_bytes() }).collect::<Vec<u8>>()
        };
        for little in [false, true] {
            let end = if little { "LE" } else { "BE" };
            for (width, marked, plain) in
                [(16, utf16("\u{feff}", little), utf16("", little)), (32, utf32("\u{feff}", little), utf32("", little))]
            {
                let said = |name: &str| {
                    let help = format!("write it in UTF-8: `iconv -f {name} -t UTF-8 x.lir`");
                    Some(format!("the text is UTF-{width}, and not UTF-8, {help}"))
                };
                assert_eq!(of(marked), said(&format!("UTF-{width}")));
                assert_eq!(of(plain), said(&format!("UTF-{width}{end}")));
            }
        }
    }
}

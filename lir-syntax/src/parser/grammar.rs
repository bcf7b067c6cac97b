//! The grammar of record, `lir.pest`, as a program.
//!
//! [`parse`](super::parse) does not run it: pest spends some 250 instructions a byte on tokens alone, the scanner and
//! parser here some 80 with everything they build (measured on functions of about 20 short instructions). It is what
//! they are compared with in tests, and what the manual shows.

use crate::text::scanner::{Token, TokenKind};
use pest::Parser;
use pest::iterators::Pair;

/// The parser that pest makes of the grammar. Its rules have no documentation of their own.
mod generated {
    #[derive(pest_derive::Parser)]
    #[grammar = "lir.pest"]
    pub(super) struct Grammar;
}
use generated::{Grammar, Rule};

/// Checks that a text has the shape of a module by the rule `module`. Names, types, operands and opcodes are not looked
/// at.
///
/// # Errors
/// The byte at which no rule can go on.
pub fn check_shape(text: &str) -> Result<(), usize> {
    Grammar::parse(Rule::module, text).map(|_| ()).map_err(|e| match e.location {
        pest::error::InputLocation::Pos(at) | pest::error::InputLocation::Span((at, _)) => at,
    })
}

/// The tokens of a text by the rule `tokens`, without the end.
#[cfg_attr(not(test), expect(dead_code, reason = "the reference that the scanner is tested against"))]
pub(crate) fn tokens(text: &str) -> Vec<Token> {
    let pairs = Grammar::parse(Rule::tokens, text).expect("every text has tokens");
    let inner = pairs.flat_map(|p| p.into_inner()).filter(|p| p.as_rule() != Rule::EOI);
    inner.map(|p| Token { kind: kind(&p), start: p.as_span().start() as u32, end: p.as_span().end() as u32 }).collect()
}

fn kind(pair: &Pair<'_, Rule>) -> TokenKind {
    match pair.as_rule() {
        Rule::newline => TokenKind::Newline,
        Rule::word => TokenKind::Word,
        Rule::number => TokenKind::Number,
        Rule::string => TokenKind::Str,
        Rule::character => TokenKind::Char,
        Rule::reg => TokenKind::Reg,
        Rule::sym => TokenKind::Sym,
        Rule::obj => TokenKind::Obj,
        Rule::file => TokenKind::File,
        Rule::arrow => TokenKind::Arrow,
        Rule::mark => match pair.as_str() {
            "=" => TokenKind::Equals,
            "," => TokenKind::Comma,
            ":" => TokenKind::Colon,
            "(" => TokenKind::LParen,
            ")" => TokenKind::RParen,
            "[" => TokenKind::LBracket,
            "]" => TokenKind::RBracket,
            "{" => TokenKind::LBrace,
            "}" => TokenKind::RBrace,
            "+" => TokenKind::Plus,
            "-" => TokenKind::Minus,
            _ => TokenKind::Star,
        },
        _ => TokenKind::Unknown,
    }
}

#[cfg(test)]
mod tests {
    use super::super::{ParseOptions, parse_with_errors};
    use super::*;
    use crate::text::scanner::Scanner;
    use crate::text::source::Source;
    use lir_random::Rng;

    fn scanned(text: &str) -> Vec<Token> {
        let start = if text.starts_with('\u{feff}') { 3 } else { 0 };
        let mut scanner = Scanner::new(text.as_bytes(), start);
        std::iter::from_fn(|| Some(scanner.token()).filter(|t| t.kind != TokenKind::Eof)).collect()
    }

    /// Texts that show every construct, canonical and not.
    fn texts() -> Vec<String> {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../testdata/syntax");
        let mut names: Vec<_> = ["", "/errors", "/accepted"]
            .iter()
            .flat_map(|sub| std::fs::read_dir(format!("{folder}{sub}")).into_iter().flatten())
            .map(|e| e.unwrap().path())
            .filter(|p| p.extension().is_some_and(|e| e == "lir"))
            .collect();
        names.sort();
        assert!(names.len() > 20, "the texts are in {folder}");
        names.iter().map(|p| String::from_utf8_lossy(&std::fs::read(p).unwrap()).into_owned()).collect()
    }

    /// A text with a few random changes: characters and pieces of other lines put in, taken out, doubled.
    fn mutate(text: &str, rng: &mut Rng) -> String {
        let mut next = |n: usize| rng.below(n.max(1));
        let mut bytes = text.as_bytes().to_vec();
        for _ in 0..=next(2) {
            let at = next(bytes.len());
            match if bytes.is_empty() { 5 } else { next(6) } {
                0 => drop(bytes.remove(at)),
                1 => {
                    let to = (at + next(12)).min(bytes.len());
                    bytes.drain(at..to);
                }
                2 => {
                    let to = (at + next(20)).min(bytes.len());
                    let piece = bytes[at..to].to_vec();
                    let at = next(bytes.len());
                    bytes.splice(at..at, piece);
                }
                _ => {
                    const PIECES: [&str; 29] = [
                        "%",
                        "@f",
                        "$",
                        ":",
                        "\"",
                        "'",
                        "[",
                        "]",
                        "(",
                        ")",
                        "{",
                        "}",
                        ",",
                        "=",
                        "-",
                        "+",
                        "\n",
                        "\r\n",
                        "\r",
                        " ; c\rret",
                        " ; c",
                        " i32 ",
                        "0x1p-3",
                        " nan(0x1) ",
                        " tail ",
                        "@s, ",
                        "$o, -1",
                        "é",
                        "\\",
                    ];
                    let piece = PIECES[next(PIECES.len())].bytes();
                    bytes.splice(at..at, piece);
                }
            }
        }
        String::from_utf8_lossy(&bytes).into_owned()
    }

    fn compare(text: &str) {
        assert_eq!(scanned(text), tokens(text), "tokens of:\n{text}");
        let source = Source { name: "t".into(), text: text.into() };
        let (_, _, errors) = parse_with_errors(&source, &ParseOptions { threads: 1, error_limit: 100 });
        match check_shape(text) {
            Ok(()) => {
                let said = crate::text::diagnostic::render(&source, &errors.list);
                assert_eq!(errors.syntax, 0, "the grammar accepts this text, the parser says\n{said}");
            }
            Err(at) => assert!(!errors.list.is_empty(), "the grammar stops at {:?}", &text[at..]),
        }
    }

    #[test]
    fn scanner_and_parser_agree_with_the_grammar() {
        for text in texts() {
            compare(&text);
            compare(&text.replace('\n', "\r\n"));
            compare(&format!("\u{feff}{text}"));
        }
    }

    #[test]
    fn scanner_and_parser_agree_with_the_grammar_on_mutated_text() {
        let mut rng = Rng::new(1);
        // Function by function, so that a change has little text around it.
        let pieces: Vec<String> =
            texts().iter().flat_map(|t| t.split_inclusive("\n}\n").map(str::to_string).collect::<Vec<_>>()).collect();
        for k in 0..4000 {
            let piece = &pieces[k % pieces.len()];
            if !piece.is_empty() && piece.len() < 4000 {
                compare(&mutate(piece, &mut rng));
            }
        }
    }
}

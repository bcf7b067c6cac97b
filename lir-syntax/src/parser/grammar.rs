//! Compares the scanner and the parser with the grammar of record, which is the crate `lir-grammar`.

use super::{ParseOptions, PartialModule, parse_partially};
use crate::text::scanner::{Scanner, Token, TokenKind};
use crate::text::source::Source;
use lir_random::Rng;
use lir_testing::files::{files_in, testdata};

/// Returns the tokens of a text by the grammar, without the end.
fn tokens(text: &str) -> Vec<Token> {
    let token = |(rule, start, end): (lir_grammar::RuleName, usize, usize)| Token {
        kind: kind(&rule.to_string(), &text[start..end]),
        start: start as u32,
        end: end as u32,
    };
    lir_grammar::tokens_of(text).map(token).collect()
}

fn kind(rule: &str, token: &str) -> TokenKind {
    match rule {
        "line_end" => TokenKind::Newline,
        "word" => TokenKind::Word,
        "number" => TokenKind::Number,
        "string" => TokenKind::Str,
        "character" => TokenKind::Char,
        "reg" => TokenKind::Reg,
        "sym" => TokenKind::Sym,
        "obj" => TokenKind::Obj,
        "file" => TokenKind::File,
        "arrow" => TokenKind::Arrow,
        "mark" => match token {
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

fn scanned(text: &str) -> Vec<Token> {
    let start = if text.starts_with('\u{feff}') { 3 } else { 0 };
    let mut scanner = Scanner::new(text.as_bytes(), start);
    std::iter::from_fn(|| Some(scanner.token()).filter(|t| t.kind != TokenKind::Eof)).collect()
}

/// Texts that show every construct, canonical and not.
fn texts() -> Vec<String> {
    let names: Vec<_> =
        ["", "errors", "accepted"].iter().flat_map(|sub| files_in(&testdata("syntax").join(sub), &["lir"])).collect();
    assert!(names.len() > 20);
    names.iter().map(|p| String::from_utf8_lossy(&std::fs::read(p).unwrap()).into_owned()).collect()
}

/// Returns a text with a few random changes: characters and pieces of other lines put in, taken out, doubled.
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
                const PIECES: [&str; 30] = [
                    "%", "@f", "$", ":", "\"", "'", "[", "]", "(", ")", "{", "}", ",", "=", "-", "+", "\n", "\r\n",
                    "\r", " ; c\rret", " ; c", " i32 ", "0x1p-3", " nan(0x1) ", " tail ", " musttail ", "@s, ",
                    "$o, -1", "é", "\\",
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
    let parsed = parse_partially(&source, &ParseOptions { threads: 1, error_limit: 100 });
    let PartialModule { errors, syntax_errors, .. } = parsed;
    match lir_grammar::nodes_of(text) {
        Ok(_) => {
            let said = crate::text::diagnostic::render(&source, &errors);
            assert_eq!(syntax_errors, 0, "the grammar accepts this text, the parser says\n{said}");
        }
        Err(refusal) => assert!(!errors.is_empty(), "the grammar stops at {:?}", &text[refusal.at..]),
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

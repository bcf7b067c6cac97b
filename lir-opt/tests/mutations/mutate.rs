//! Wrong texts out of right ones: changes of bytes, of tokens and of lines.

use lir_random::Rng;

/// Pieces of text that mean something to the parser, or used to mean trouble.
const PIECES: &[&[u8]] = &[
    b"%",
    b"@",
    b"$",
    b":",
    b"\"",
    b"'",
    b"[",
    b"]",
    b"(",
    b")",
    b"{",
    b"}",
    b",",
    b"=",
    b"-",
    b"->",
    b"+",
    b"*",
    b";",
    b"\n",
    b"\r\n",
    b"\r",
    b"\t",
    b" ",
    b"\0",
    b"\\",
    b"\\x",
    b"\"\\",
    b"\xff",
    b"\xc3\xa9",
    b"\xef\xbb\xbf",
    b"\xe2\x80\xae",
    b"i8",
    b"i32",
    b"i64",
    b"f32",
    b"f64",
    b"i128",
    b"0",
    b"1",
    b"-1",
    b"255",
    b"0x7fffffff",
    b"2147483648",
    b"4294967296",
    b"9223372036854775808",
    b"18446744073709551616",
    b"1e999",
    b"0x1p-1074",
    b"nan",
    b"-nan(0x1)",
    b"inf",
    b"nan(",
    b"zero 1073741824",
    b"align 3",
    b"align 1073741824",
    b"x 1073741824",
    b"entry",
    b"ret",
    b"jmp entry",
    b"br",
    b"phi",
    b"switch",
    b"guard",
    b"call",
    b"unreachable",
    b"func @f() {",
    b"}\n",
    b"{\n",
    b"data @d = { i8 1 }\n",
    b"type :t = { i8 }\n",
    b"extern func @g(...)\n",
    b"stack $s: 8\n",
    b"...",
    b"sext",
    b"to",
    b"volatile",
    b"arg.0",
    b"section \".x\"",
    b"%a",
    b"@f",
    b"$s",
    b":t",
    b"readnone",
];

/// Makes one change to a text, or a few; `others` are texts that pieces are taken from.
pub fn mutate(rng: &mut Rng, text: &[u8], others: &[Vec<u8>]) -> Vec<u8> {
    let mut out = text.to_vec();
    let changes = if rng.chance(60) { 1 } else { rng.range(2, 5) };
    for _ in 0..changes {
        match rng.below(10) {
            0..3 => bytes(rng, &mut out),
            3..7 => tokens(rng, &mut out),
            _ => {
                let other = one_of(rng, others);
                lines(rng, &mut out, other);
            }
        }
    }
    out
}

/// One of several texts.
pub fn one_of<'t>(rng: &mut Rng, texts: &'t [Vec<u8>]) -> &'t [u8] {
    &texts[rng.below(texts.len())]
}

/// A range of at most `most` bytes.
fn piece(rng: &mut Rng, text: &[u8], most: usize) -> std::ops::Range<usize> {
    let from = rng.below(text.len() + 1);
    from..(from + rng.below(most + 1)).min(text.len())
}

fn bytes(rng: &mut Rng, text: &mut Vec<u8>) {
    match rng.below(5) {
        0 => drop(text.drain(piece(rng, text, 12))),
        1 => {
            let copied = text[piece(rng, text, 30)].to_vec();
            let at = rng.below(text.len() + 1);
            text.splice(at..at, copied);
        }
        2 if !text.is_empty() => {
            let at = rng.below(text.len());
            text[at] ^= 1 << rng.below(8);
        }
        3 => text.truncate(rng.below(text.len() + 1)),
        _ => {
            let at = rng.below(text.len() + 1);
            text.splice(at..at, rng.pick(PIECES).iter().copied());
        }
    }
}

/// The ranges of words with their sigils, numbers, and single marks.
fn token_ranges(text: &[u8]) -> Vec<std::ops::Range<usize>> {
    let is_word = |c: u8| c.is_ascii_alphanumeric() || matches!(c, b'_' | b'.' | b'%' | b'@' | b'$');
    let mut found = Vec::new();
    let mut at = 0;
    while at < text.len() {
        let mut end = at + 1;
        if is_word(text[at]) {
            while end < text.len() && is_word(text[end]) {
                end += 1;
            }
        }
        if !text[at].is_ascii_whitespace() {
            found.push(at..end);
        }
        at = end;
    }
    found
}

/// Tokens are taken out, doubled, exchanged, and replaced by others of the text or of [`PIECES`].
fn tokens(rng: &mut Rng, text: &mut Vec<u8>) {
    let ranges = token_ranges(text);
    if ranges.len() < 2 {
        return bytes(rng, text);
    }
    let (a, b) = (ranges[rng.below(ranges.len())].clone(), ranges[rng.below(ranges.len())].clone());
    let other = text[b.clone()].to_vec();
    match rng.below(5) {
        0 => drop(text.drain(a)),
        1 => drop(text.splice(a.end..a.end, [b" ", &other[..]].concat())),
        2 if a.end <= b.start => {
            let first = text[a.clone()].to_vec();
            text.splice(b, first);
            text.splice(a, other);
        }
        3 => drop(text.splice(a, rng.pick(PIECES).iter().copied())),
        _ => drop(text.splice(a, other)),
    }
}

/// Lines are removed, doubled, exchanged, moved, and inserted from another text.
fn lines(rng: &mut Rng, text: &mut Vec<u8>, other: &[u8]) {
    let mut lines: Vec<Vec<u8>> = text.split_inclusive(|c| *c == b'\n').map(<[u8]>::to_vec).collect();
    if lines.is_empty() {
        return bytes(rng, text);
    }
    let (a, b) = (rng.below(lines.len()), rng.below(lines.len()));
    match rng.below(6) {
        0 => drop(lines.remove(a)),
        1 => lines.insert(b, lines[a].clone()),
        2 => lines.swap(a, b),
        3 => {
            let moved = lines.remove(a);
            lines.insert(b.min(lines.len()), moved);
        }
        4 => drop(lines.drain(a.min(b)..a.max(b).min(a.min(b) + 6))),
        _ => {
            let others: Vec<&[u8]> = other.split_inclusive(|c| *c == b'\n').collect();
            let from = rng.below(others.len() + 1);
            let to = (from + rng.below(8)).min(others.len());
            lines.splice(a..a, others[from..to].iter().map(|l| l.to_vec()));
        }
    }
    *text = lines.concat();
}

//! Words, characters, distances and formats.

use std::borrow::Cow;
use std::collections::HashMap;

const POEM: &str = "Über allen Gipfeln ist Ruh, in allen Wipfeln spürest du kaum einen Hauch; \
    die Vögelein schweigen im Walde. Warte nur, balde ruhest du auch. 日本 🦀";

fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().enumerate() {
        let mut corner = std::mem::replace(&mut row[0], i + 1);
        for (j, y) in b.iter().enumerate() {
            let change = corner + usize::from(x != *y);
            corner = row[j + 1];
            row[j + 1] = change.min(row[j] + 1).min(corner + 1);
        }
    }
    row[b.len()]
}

fn plain(word: &str) -> Cow<'_, str> {
    if word.is_ascii() {
        Cow::Borrowed(word)
    } else {
        Cow::Owned(word.chars().flat_map(|c| if c.is_ascii() { vec![c] } else { c.escape_unicode().collect() }).collect())
    }
}

pub fn text() -> String {
    let words: Vec<String> = POEM
        .split(|c: char| !c.is_alphanumeric())
        .filter(|w| !w.is_empty())
        .map(str::to_lowercase)
        .collect();
    let mut counts: HashMap<&str, usize> = HashMap::new();
    for word in &words {
        *counts.entry(word).or_default() += 1;
    }
    let mut common: Vec<(&str, usize)> = counts.into_iter().collect();
    common.sort_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(b.0)));
    let longest = words.iter().max_by_key(|w| w.chars().count()).unwrap();
    let acrostic: String = words.iter().filter_map(|w| w.chars().next()).rev().collect();
    let escaped: Vec<Cow<'_, str>> = words.iter().map(|w| plain(w)).filter(|w| matches!(w, Cow::Owned(_))).collect();
    let rotated: String = POEM
        .bytes()
        .take(30)
        .map(|b| match b {
            b'a'..=b'z' => ((b - b'a' + 13) % 26 + b'a') as char,
            b'A'..=b'Z' => ((b - b'A' + 13) % 26 + b'A') as char,
            other => char::from(other),
        })
        .collect();
    format!(
        "{:?} {longest} {acrostic} {escaped:?} {rotated:?} {} [{:>8}|{:^9}|{:+}|{:08.3}|{:#b}|{:?}] {:?} {:?}",
        &common[..3],
        distance("Wipfeln spürest", "Gipfel spürt"),
        "ab",
        "mid",
        7,
        -3.14159,
        10,
        'ß',
        POEM.find("Ruh").zip(POEM.rfind('u')),
        String::from_utf8_lossy(&[72, 105, 0xff, 33]),
    )
}

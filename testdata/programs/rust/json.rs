//! A reader and a printer of JSON.

use crate::At;
use std::collections::BTreeMap;
use std::fmt::{self, Display};

#[derive(Debug, Clone, PartialEq)]
enum Json {
    Null,
    Bool(bool),
    Number(f64),
    Text(String),
    List(Vec<Json>),
    Map(BTreeMap<String, Json>),
}

type Result<T> = std::result::Result<T, At<&'static str>>;

struct Reader<'a> {
    text: &'a [u8],
    at: usize,
}

impl Reader<'_> {
    fn fail<T>(&self, reason: &'static str) -> Result<T> {
        Err(At(self.at, reason))
    }

    fn peek(&mut self) -> Option<u8> {
        while self.text.get(self.at).is_some_and(u8::is_ascii_whitespace) {
            self.at += 1;
        }
        self.text.get(self.at).copied()
    }

    fn eat(&mut self, byte: u8) -> bool {
        let found = self.peek() == Some(byte);
        self.at += usize::from(found);
        found
    }

    fn word(&mut self, word: &str, value: Json) -> Result<Json> {
        if self.text[self.at..].starts_with(word.as_bytes()) {
            self.at += word.len();
            return Ok(value);
        }
        self.fail("unknown word")
    }

    fn list<T>(&mut self, end: u8, mut item: impl FnMut(&mut Self) -> Result<T>) -> Result<Vec<T>> {
        let mut items = Vec::new();
        self.at += 1;
        if self.eat(end) {
            return Ok(items);
        }
        loop {
            items.push(item(self)?);
            if self.eat(end) {
                return Ok(items);
            }
            if !self.eat(b',') {
                return self.fail("missing comma");
            }
        }
    }

    fn string(&mut self) -> Result<String> {
        if !self.eat(b'"') {
            return self.fail("missing string");
        }
        let start = self.at;
        let Some(length) = self.text[start..].iter().position(|&b| b == b'"') else {
            return self.fail("open string");
        };
        self.at += length + 1;
        Ok(String::from_utf8_lossy(&self.text[start..start + length]).into_owned())
    }

    fn value(&mut self) -> Result<Json> {
        Ok(match self.peek() {
            Some(b'n') => self.word("null", Json::Null)?,
            Some(b't') => self.word("true", Json::Bool(true))?,
            Some(b'f') => self.word("false", Json::Bool(false))?,
            Some(b'"') => Json::Text(self.string()?),
            Some(b'[') => Json::List(self.list(b']', Self::value)?),
            Some(b'{') => {
                let pairs = self.list(b'}', |r| {
                    let key = r.string()?;
                    if r.eat(b':') { Ok((key, r.value()?)) } else { r.fail("missing colon") }
                })?;
                Json::Map(pairs.into_iter().collect())
            }
            Some(b'-' | b'0'..=b'9') => {
                let rest = &self.text[self.at..];
                let length = rest.iter().position(|b| !b"+-.eE0123456789".contains(b)).unwrap_or(rest.len());
                let digits = std::str::from_utf8(&rest[..length]).expect("ASCII");
                self.at += length;
                Json::Number(digits.parse().or_else(|_| self.fail("bad number"))?)
            }
            _ => return self.fail("no value"),
        })
    }
}

impl Display for Json {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Json::Null => f.write_str("null"),
            Json::Bool(b) => b.fmt(f),
            Json::Number(n) => n.fmt(f),
            Json::Text(t) => write!(f, "{t:?}"),
            Json::List(items) => f.debug_list().entries(items.iter().map(|i| i.to_string())).finish(),
            Json::Map(map) => f.debug_map().entries(map.iter().map(|(k, v)| (k, v.to_string()))).finish(),
        }
    }
}

pub fn json() -> String {
    let text = r#" {"name": "LIR", "sizes": [1, -2.5e3, 0.125, []], "ok": true, "none": null, "in": {"deep": [{"x": 1e-9}]}} "#;
    let value = Reader { text: text.as_bytes(), at: 0 }.value();
    let errors = ["[1, 2", "{\"a\" 1}", "nul", "-", "[1 2]", "\"abc"];
    let errors = errors.map(|e| Reader { text: e.as_bytes(), at: 0 }.value().unwrap_err().to_string());
    match value {
        Ok(value) => format!("{value} {} {}", errors.join(", "), value.clone() == value),
        Err(error) => error.to_string(),
    }
}

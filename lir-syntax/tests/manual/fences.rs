//! The fenced blocks of a Markdown text: the lines between a line that begins with three backticks and the next one.

/// A fenced block.
#[derive(Clone, Debug)]
pub struct Fence {
    /// The words after the opening backticks, cut at commas: ```` ```lir,error ```` has `lir` and `error`.
    pub marks: Vec<String>,
    /// The number of the opening line, from 1.
    pub line: usize,
    /// The lines between, each with its end.
    pub text: String,
}

impl Fence {
    /// Whether this word is after the opening backticks.
    pub fn is(&self, mark: &str) -> bool {
        self.marks.iter().any(|m| m == mark)
    }
}

/// All fenced blocks in order. Panics if one is not closed.
pub fn fences(markdown: &str) -> Vec<Fence> {
    let mut found: Vec<Fence> = Vec::new();
    let mut open = false;
    for (k, line) in markdown.split_inclusive('\n').enumerate() {
        match line.strip_prefix("```") {
            Some(_) if open => open = false,
            Some(info) => {
                let marks = info.trim().split(',').map(str::to_string).collect();
                found.push(Fence { marks, line: k + 1, text: String::new() });
                open = true;
            }
            None if open => found.last_mut().expect("a block is open").text.push_str(line),
            None => {}
        }
    }
    assert!(!open, "the last block is not closed");
    found
}

//! The grammar of record, `lir.pest`, as a program.
//!
//! The parser of `lir-syntax` does not run it: pest spends about 250 instructions per byte on tokens alone; the scanner
//! and the parser there spend about 80, with everything they build (measured on functions of about 20 short
//! instructions). They are compared with it in tests, `lir-opt --syntax-tree` shows its trees, and it is a start for
//! other tools.
//!
//! ```text
//! func @f() {                      module
//! entry:             nodes_of        item
//!   ret             ---------->        func
//! }                                      sym, attrs, body, ...
//! ```
//!
//! A tree is walked by an explicit list of open nodes, and no rule of the grammar is recursive: no text overflows the
//! stack.

#![forbid(unsafe_code)]

extern crate alloc;

use pest::Parser;
use pest::error::{ErrorVariant, InputLocation};
use pest::iterators::Pairs;

/// The parser that pest makes from the grammar. Its rules have no documentation of their own.
mod generated {
    #[derive(pest_derive::Parser)]
    #[grammar = "lir.pest"]
    pub(super) struct Grammar;
}
use generated::{Grammar, Rule};

/// A rule of the grammar that matched a part of the text.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Node {
    /// The number of nodes around it.
    pub depth: usize,
    /// The name of the rule.
    pub rule: RuleName,
    /// The first byte of the part.
    pub start: usize,
    /// The byte after its last one.
    pub end: usize,
    /// True if no rule matched inside of it.
    pub is_leaf: bool,
}

/// A rule of the grammar.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct RuleName(Rule);

impl core::fmt::Display for RuleName {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "{:?}", self.0)
    }
}

/// The error of the grammar for a text that does not have the shape of a module.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Refusal {
    /// The byte at which no rule can continue, after the blanks there.
    pub at: usize,
    /// The rules that were tried there, in the order of the grammar.
    pub expected: Vec<RuleName>,
}

/// Returns the nodes of a text by the rule `module`, each before those inside of it. Names, types, operands and opcodes
/// are not checked. Line ends and the end of the text are not nodes.
///
/// # Errors
/// The text does not have the shape of a module.
pub fn nodes_of(text: &str) -> Result<Nodes<'_>, Refusal> {
    let pairs = Grammar::parse(Rule::module, text).map_err(|e| refusal(text, &e))?;
    Ok(Nodes { open: vec![pairs] })
}

fn refusal(text: &str, e: &pest::error::Error<Rule>) -> Refusal {
    let (InputLocation::Pos(at) | InputLocation::Span((at, _))) = e.location;
    let at = at + text[at..].bytes().take_while(|c| matches!(c, b' ' | b'\t')).count();
    let mut expected = match &e.variant {
        ErrorVariant::ParsingError { positives, .. } => positives.clone(),
        ErrorVariant::CustomError { .. } => Vec::new(),
    };
    expected.sort_unstable();
    expected.dedup();
    Refusal { at, expected: expected.into_iter().map(RuleName).collect() }
}

/// The nodes of a text in their order.
#[derive(Clone, Debug)]
pub struct Nodes<'t> {
    /// The rest of each open node.
    open: Vec<Pairs<'t, Rule>>,
}

impl Iterator for Nodes<'_> {
    type Item = Node;
    fn next(&mut self) -> Option<Node> {
        loop {
            let Some(pair) = self.open.last_mut()?.next() else {
                self.open.pop();
                continue;
            };
            if pair.as_rule() == Rule::EOI {
                continue;
            }
            let (rule, span, depth) = (pair.as_rule(), pair.as_span(), self.open.len() - 1);
            let inside = pair.into_inner();
            let is_leaf = inside.peek().is_none();
            if !is_leaf {
                self.open.push(inside);
            }
            return Some(Node { depth, rule: RuleName(rule), start: span.start(), end: span.end(), is_leaf });
        }
    }
}

/// Returns the tokens of a text by the rule `tokens`, each with its first byte and the byte after its last one. Every
/// text has them: any other character is a token of the rule `unknown`.
pub fn tokens_of(text: &str) -> impl Iterator<Item = (RuleName, usize, usize)> + '_ {
    let pairs = Grammar::parse(Rule::tokens, text).expect("every text has tokens");
    let inner = pairs.flat_map(|p| p.into_inner()).filter(|p| p.as_rule() != Rule::EOI);
    inner.map(|p| (RuleName(p.as_rule()), p.as_span().start(), p.as_span().end()))
}

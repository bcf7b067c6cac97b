//! Prints how the grammar of record parses a text: a line for each rule that matched a part of it.
//!
//! ```text
//! func @f() {       module 1:1-5:1
//! entry:              item 1:1-4:2
//!   ret                 func 1:1-4:2
//! }                       sym 1:6-1:8 @f
//!                         attrs 1:10-1:10
//!                         body 3:1-4:1
//!                         ...
//! ```
//!
//! A line has the rule, the lines and columns at which the part begins and ends (the end is the position after it;
//! columns are in bytes), and the part itself if no rule matched inside of it. The grammar does not check names, types,
//! operands and opcodes: a text that is wrong only in these has a tree.
//!
//! Texts are read by the parser of `lir-syntax`, which is written by hand, so the tree is meaningful only if the two
//! agree. If one rejects a text that the other accepts, one of them is wrong, and this is reported instead of the tree.
//! A text that both reject has the errors of the parser, which are more precise.
//!
//! # Cost
//!
//! Linear in the text, without recursion: some 1.4 KiB of memory for each instruction, most of it used by pest.

use lir_grammar::{Node, Nodes, Refusal};
use lir_syntax::limits::MAX_TEXT;
use lir_syntax::parser::PartialModule;
use lir_syntax::text::diagnostic::Diagnostic;
use lir_syntax::text::source::{LineCounter, Source, Span};
use std::io::Write;

/// Returns the tree of a source as text. `parsed` is the result of the parser.
///
/// # Errors
/// The errors of the parser, if the grammar rejects the text, too; else that the two disagree.
pub(crate) fn print_syntax_tree(source: &Source, parsed: &PartialModule) -> Result<Vec<u8>, Vec<Diagnostic>> {
    if source.text.len() > MAX_TEXT {
        return Err(parsed.errors.clone());
    }
    let nodes = agreed(lir_grammar::nodes_of(&source.text), &parsed.errors, parsed.syntax_errors)?;
    let (mut lines, mut out) = (LineCounter::new(source), Vec::new());
    for node in nodes {
        print_node(source, &mut lines, node, &mut out);
    }
    Ok(out)
}

/// Returns the grammar's answer where the parser's agrees with it. `syntax_errors` of its errors are about the shape of
/// the text.
fn agreed<'t>(
    grammar: Result<Nodes<'t>, Refusal>,
    errors: &[Diagnostic],
    syntax_errors: usize,
) -> Result<Nodes<'t>, Vec<Diagnostic>> {
    let told = match grammar {
        Ok(nodes) if syntax_errors == 0 => return Ok(nodes),
        Ok(_) => with_note(errors, None, "the grammar of record accepts the text, the parser does not: one is wrong"),
        Err(_) if syntax_errors > 0 => errors.to_vec(),
        // The parser knows the opcodes, and reports the form that the opcode requires.
        Err(refusal) if !errors.is_empty() => with_note(errors, Some(refusal.at), &stop(&refusal)),
        Err(refusal) => {
            let message = "the parser accepts the text, the grammar of record does not: one is wrong";
            let at = Span::at(refusal.at as u32);
            vec![Diagnostic::new(at, message).note(None, stop(&refusal))]
        }
    };
    Err(told)
}

/// Returns the errors with a note after the last one.
fn with_note(errors: &[Diagnostic], at: Option<usize>, message: &str) -> Vec<Diagnostic> {
    let mut errors = errors.to_vec();
    let last = errors.pop().expect("there is an error");
    errors.push(last.note(at.map(|at| Span::at(at as u32)), message));
    errors
}

/// Returns the rules with which the grammar could continue.
fn stop(refusal: &Refusal) -> String {
    let rules: Vec<String> = refusal.expected.iter().map(|r| format!("`{r}`")).collect();
    match &rules[..] {
        [] => "the grammar cannot go on here".to_string(),
        rules => format!("the grammar cannot go on here but with {}", rules.join(" or ")),
    }
}

fn print_node(source: &Source, lines: &mut LineCounter, node: Node, out: &mut Vec<u8>) {
    let Node { depth, rule, start, end, is_leaf } = node;
    let (line, column) = lines.line_column(start as u32);
    let (last_line, last_column) = lines.line_column(end as u32);
    let indent = 2 * depth;
    // Writing to a vector cannot fail.
    let _ = write!(out, "{:indent$}{rule} {line}:{column}-{last_line}:{last_column}", "");
    if is_leaf && start < end {
        let _ = write!(out, " {}", &source.text[start..end]);
    }
    out.push(b'\n');
}

#[cfg(test)]
mod tests {
    use super::*;
    use lir_grammar::nodes_of;
    use lir_syntax::parser::{ParseOptions, parse_partially};
    use lir_syntax::text::diagnostic::render;

    const RIGHT: &str = "func @f() {\nentry:\n  ret\n}\n";
    /// It lacks the label.
    const WRONG: &str = "func @f() {\n  ret\n}\n";

    fn source(text: &str) -> Source {
        Source { name: "t".into(), text: text.into() }
    }

    /// Returns the report on a text that the parser reads as `parsed`, and the grammar as another one.
    fn said(text: &str, parsed: &str, grammar: &str) -> String {
        let parsed = parse_partially(&source(parsed), &ParseOptions::default());
        match agreed(nodes_of(grammar), &parsed.errors, parsed.syntax_errors) {
            Ok(nodes) => format!("{} nodes", nodes.count()),
            Err(errors) => render(&source(text), &errors),
        }
    }

    #[test]
    fn the_two_agree() {
        assert_eq!(said(RIGHT, RIGHT, RIGHT), "11 nodes");
        // A name that is not declared is not a matter of the grammar.
        let text = "func @f() {\nentry:\n  call @g()\n  ret\n}\n";
        assert!(said(text, text, text).ends_with(" nodes"));
        assert!(!said(WRONG, WRONG, WRONG).contains("grammar"));
        assert_eq!(said(WRONG, WRONG, WRONG).matches("error: ").count(), 1);
    }

    #[test]
    fn the_grammar_alone_refuses() {
        let expected = "\
t:2:3: error: the parser accepts the text, the grammar of record does not: one is wrong
    ret
    ^^^
t: note: the grammar cannot go on here but with `body`
";
        assert_eq!(said(WRONG, RIGHT, WRONG), expected);
    }

    #[test]
    fn the_parser_alone_refuses() {
        let expected = "\
t:2:3: error: an instruction before the first label
    ret
    ^^^
t: note: the grammar of record accepts the text, the parser does not: one is wrong
";
        let said = said(WRONG, WRONG, RIGHT);
        assert!(said.starts_with(expected), "{said}");
    }

    #[test]
    fn if_the_parser_knows_the_opcode_the_grammar_reports_the_position() {
        let text = "func @f(%x: i32) {\nentry:\n  %y = neg i32 %x, ,\n  ret\n}\n";
        let refused = said(text, text, text);
        assert!(
            refused.ends_with(
                "\
t:3:20: note: the grammar cannot go on here but with `label` or `value`
    %y = neg i32 %x, ,
                     ^
"
            ),
            "{refused}"
        );
    }
}

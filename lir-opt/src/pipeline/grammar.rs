//! The parser of pipelines, compared with the grammar `pipeline.pest`.

use super::{Pipeline, PipelineError};
use lir_random::Rng;
use pest::Parser as _;

#[derive(pest_derive::Parser)]
#[grammar = "pipeline/pipeline.pest"]
struct Grammar;

/// The pieces of random texts. Names and options are right, so that only the form can be wrong.
const PIECES: [&str; 16] = [
    "dce",
    "gvn{fold}",
    "gvn {fold=on,mem = ssa}",
    "{}",
    "{max=3}",
    "fixpoint",
    "fixpoint(",
    "if-changed",
    "if-changed(",
    "(",
    ")",
    ",",
    ",",
    ",",
    " ",
    "=",
];

#[test]
fn parser_and_grammar_accept_the_same_texts() {
    let mut rng = Rng::new(21);
    let mut counts = [0; 2];
    for _ in 0..8_000 {
        let length = rng.below(9);
        let text: String = (0..length).map(|_| rng.pick(&PIECES)).collect();
        let accepted = match Pipeline::parse(&text) {
            Ok(_) => true,
            Err(PipelineError::Syntax { .. }) => false,
            // The form of the rest is not checked.
            Err(_) => continue,
        };
        assert_eq!(Grammar::parse(Rule::pipeline, &text).is_ok(), accepted, "{text}");
        counts[usize::from(accepted)] += 1;
    }
    assert!(counts.iter().all(|n| *n > 300), "{counts:?}");
}

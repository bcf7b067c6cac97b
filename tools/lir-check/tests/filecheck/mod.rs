//! The golden-test matcher: the cases of `testdata/check`, the verdicts of LLVM's FileCheck on them and on random ones,
//! and the messages about errors.
//!
//! `verdicts/*.txt` has cases: a line `==== NAME: VERDICT`, perhaps a line `options: ..`, the check file, a line `----`
//! and the input. The verdict is `accept`, `reject`, or `stricter: REASON` if FileCheck accepts and we do not.
//! `messages/*.txt` has cases whose verdict is `message`, with a further `----` and the output; `cargo xtask bless`
//! writes these: look at the difference before you commit it.

mod case;
mod oracle;
mod random;

use case::{Case, Verdict, cases_in};
use lir_testing::expectations::is_blessing;
use lir_testing::files::{files_in, testdata};
use oracle::Oracle;

fn verdict_cases() -> Vec<Case> {
    files_in(&testdata("check/verdicts"), &["txt"]).iter().flat_map(|f| cases_in(f)).collect()
}

#[test]
fn every_case_has_its_verdict() {
    let scratch = tempfile::tempdir().expect("a folder");
    let mut wrong = String::new();
    for case in verdict_cases() {
        let (accepted, said) = case.run(scratch.path());
        if accepted != (case.verdict == Verdict::Accept) {
            wrong += &format!(
                "{}: {:?}, but it was {}:\n{said}\n",
                case.name,
                case.verdict,
                if accepted { "accepted" } else { "rejected" }
            );
        }
        if !accepted && !said.contains("error: ") {
            wrong += &format!("{}: no error is said:\n{said}\n", case.name);
        }
    }
    assert!(wrong.is_empty(), "\n{wrong}");
}

#[test]
fn filecheck_agrees() {
    let Some(oracle) = Oracle::find() else { return };
    let scratch = tempfile::tempdir().expect("a folder");
    let (mut wrong, mut agreed) = (String::new(), 0);
    for case in verdict_cases() {
        let accepted = oracle.accepts(&case, scratch.path());
        let expected = match &case.verdict {
            Verdict::Accept => true,
            Verdict::Reject => false,
            Verdict::Stricter(reason) => {
                assert!(!reason.is_empty(), "{}: a reason is missing", case.name);
                continue;
            }
            Verdict::Message => unreachable!("not in this folder"),
        };
        agreed += 1;
        if accepted != expected {
            wrong += &format!("{}: {:?} is expected, but FileCheck thinks otherwise\n", case.name, case.verdict);
        }
    }
    assert!(wrong.is_empty(), "\n{wrong}");
    assert!(agreed >= 60, "only {agreed} cases are compared with FileCheck");
}

#[test]
fn filecheck_accepts_texts_refused_for_strictness() {
    let Some(oracle) = Oracle::find() else { return };
    let scratch = tempfile::tempdir().expect("a folder");
    let stricter = verdict_cases().into_iter().filter(|c| matches!(c.verdict, Verdict::Stricter(_)));
    let wrong: Vec<String> = stricter.filter(|c| !oracle.accepts(c, scratch.path())).map(|c| c.name).collect();
    assert!(wrong.is_empty(), "these are plain rejects: {wrong:?}");
}

#[test]
fn messages_are_as_expected() {
    let scratch = tempfile::tempdir().expect("a folder");
    let mut wrong = String::new();
    for file in files_in(&testdata("check/messages"), &["txt"]) {
        let cases = cases_in(&file);
        let outputs: Vec<String> = cases.iter().map(|c| c.run(scratch.path()).1).collect();
        if is_blessing() {
            let text: String = cases.iter().zip(&outputs).map(|(c, said)| c.with_message(said)).collect();
            std::fs::write(&file, text).expect("the file can be written");
            continue;
        }
        for (case, said) in cases.iter().zip(&outputs) {
            if case.message.as_ref() != Some(said) {
                wrong += &format!("{}: this was said:\n{said}\n", case.name);
            }
        }
    }
    assert!(wrong.is_empty(), "\n{wrong}");
}

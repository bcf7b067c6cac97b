//! Comments that are reported as near-misses, and comments that are not.

use crate::text::directive::directives;
use crate::text::source::Source;

/// Returns the error messages for a text, each with the text after its first suggestion.
fn told(text: &str) -> Vec<(String, Option<String>)> {
    let prefixes = ["CHECK".to_string(), "O2".to_string(), "SSA".to_string()];
    let source = Source { name: "t".into(), text: text.into() };
    let errors = directives(&source, &prefixes).into_iter().filter_map(Result::err);
    errors.map(|e| (e.message, e.suggestions.first().map(|h| h.apply(text)))).collect()
}

#[test]
fn near_directives_are_errors_with_a_directive_as_suggestion() {
    let cases = [
        ("; CHECK-NEXT x", Some("; CHECK-NEXT: x")),
        ("; CHECK-NOT x", Some("; CHECK-NOT: x")),
        ("; CHECK-NOT; x", Some("; CHECK-NOT: x")),
        ("; CHECK-NEXT= x", Some("; CHECK-NEXT: x")),
        ("; CHECK-EMPTY", Some("; CHECK-EMPTY:")),
        ("; CHECK-COUNT-2 x", Some("; CHECK-COUNT-2: x")),
        ("; CHECK NEXT x", Some("; CHECK-NEXT: x")),
        ("; CHECK NOT: x", Some("; CHECK-NOT: x")),
        ("; CHECK - NOT: x", Some("; CHECK-NOT: x")),
        ("; CHECK- NOT : x", Some("; CHECK-NOT: x")),
        ("; CHECK -COUNT - 2: x", Some("; CHECK-COUNT-2: x")),
        ("; CHECK\u{2013}NOT: x", None),
        ("; CHECK-NOT\u{ff1a} x", Some("; CHECK-NOT: x")),
        ("; CHECK : x", Some("; CHECK: x")),
        ("; CHECK ret 1", Some("; CHECK: ret 1")),
        ("; SSA %x = add", Some("; SSA: %x = add")),
        ("; O2-NOT add", Some("; O2-NOT: add")),
        ("; check-next add", Some("; CHECK-NEXT: add")),
        ("; - CHECK: x", Some("; CHECK: x")),
        ("; * run: @f()", Some("; run: @f()")),
        ("; // RUN: lir-opt %s", Some("; RUN: lir-opt %s")),
        ("; run @f(1) = 2", Some("; run: @f(1) = 2")),
        ("; Run @f(1) == 2", Some("; run: @f(1) == 2")),
        ("; RUN not lir-opt %s", Some("; RUN: not lir-opt %s")),
        ("; RUN FileCheck %s", Some("; RUN: FileCheck %s")),
        ("; check: x", None),
        ("; Check-Next: x", None),
        ("; check-nxt: x", None),
        ("; Error: x", None),
        ("; CHECK-NOT:: x", None),
        ("; RUN lir-opt -p gvn", Some("; RUN: lir-opt -p gvn")),
        ("; RUN lir-opt in.lir", Some("; RUN: lir-opt in.lir")),
        ("; RUN; lir-opt in.lir", Some("; RUN: lir-opt in.lir")),
        ("; RUN= lir-opt in.lir", Some("; RUN: lir-opt in.lir")),
        ("; RUN tool %s | other", Some("; RUN: tool %s | other")),
        ("; run; lir-opt in.lir", Some("; RUN: lir-opt in.lir")),
        ("; error; unknown block", Some("; error: unknown block")),
        ("; CHECK{LITERAL} x", Some("; CHECK{LITERAL}: x")),
        ("; CHECK{LITERAL}", Some("; CHECK{LITERAL}:")),
        ("; CHECK-NOT{LITERAL} [[x", Some("; CHECK-NOT{LITERAL}: [[x")),
        ("; CHECK-NOT{LITERAL} : x", Some("; CHECK-NOT{LITERAL}: x")),
        ("; CHECK-NOT {LITERAL}: x", Some("; CHECK-NOT{LITERAL}: x")),
        ("; CHECK{literal} x", Some("; CHECK{LITERAL}: x")),
        ("; CHECK{LITERAL x", Some("; CHECK{LITERAL}: x")),
        ("; CHECK-NOT=x", Some("; CHECK-NOT: x")),
        ("; CHECK-NOT= x", Some("; CHECK-NOT: x")),
        ("; CHECK-NOT, x", Some("; CHECK-NOT: x")),
        ("; CHECK-NOT,x", Some("; CHECK-NOT: x")),
        ("; CHECK-NOT) x", Some("; CHECK-NOT: x")),
        ("; CHECK-NOT\" x", Some("; CHECK-NOT: x")),
        ("; CHECK-NOT%x", Some("; CHECK-NOT: %x")),
        ("; CHECK-NOT[[X]]", Some("; CHECK-NOT: [[X]]")),
        ("; CHECK=x", Some("; CHECK: x")),
        ("; CHECK, ret", Some("; CHECK: ret")),
        ("; check ret", Some("; CHECK: ret")),
        ("; Check ret 1", Some("; CHECK: ret 1")),
        ("; check add i32 %x, 1", Some("; CHECK: add i32 %x, 1")),
        ("; check %y = add", Some("; CHECK: %y = add")),
        ("; check mov eax, ecx", Some("; CHECK: mov eax, ecx")),
        ("; SSA ret 1", Some("; SSA: ret 1")),
        ("; O2 ret", Some("; O2: ret")),
        ("; # CHECK-NOT ret", Some("; # CHECK-NOT: ret")),
        ("; - CHECK{LITERAL} ret", Some("; - CHECK{LITERAL}: ret")),
        ("; (CHECK-NOT : x)", Some("; (CHECK-NOT: x)")),
        ("; [ CHECK: x]", Some("; CHECK: x]")),
        ("; \"CHECK: x\"", Some("; CHECK: x")),
        ("; 'CHECK-NOT: x'", Some("; CHECK-NOT: x")),
        ("; \"CHECK: x", Some("; CHECK: x")),
        ("; \"CHECK: f(\"x\")\"", Some("; CHECK: f(\"x\")")),
        ("; \"CHECK-NEXT\": x", Some("; CHECK-NEXT: x")),
        ("; \"RUN: lir-opt %s\"", Some("; RUN: lir-opt %s")),
        ("; \"run: @f() == 1\"", Some("; run: @f() == 1")),
        ("; a note ; CHECK: x", Some("; CHECK: x")),
        ("ret ; a note ;; CHECK-NOT: x", Some("ret ; CHECK-NOT: x")),
        ("; NOTE CHECK: x", Some("; CHECK: x")),
        ("; LATER: CHECK-NOT: x", Some("; CHECK-NOT: x")),
        ("; LATER(ann): run: @f() == 1", Some("; run: @f() == 1")),
        ("; WIP - CHECK-NEXT x", Some("; WIP - CHECK-NEXT: x")),
        ("; CHECK-NXT nothing", Some("; CHECK-NEXT: nothing")),
        ("; CHECK-EMTPY", Some("; CHECK-EMPTY:")),
        ("; CHECK-NEXT-NOT x", None),
        ("; run - @f() == 5", Some("; run: @f() == 5")),
        ("; RUN - lir-opt %s", Some("; RUN: lir-opt %s")),
        ("; error@+1: x", Some("; error: x")),
        ("; error@-1: x", None),
        ("ret 1 ; error@+1: x", None),
        ("; WIP: CHECK-NXT: x", None),
        ("; CHECK_NEXT_NOT x", None),
        ("; CHECK-COUNT x", None),
        ("; CHECK - ret", Some("; CHECK: ret")),
        ("; expected-error {{x}}", None),
        ("; expected-error@+1 {{x}}", None),
        ("ret %x # CHECK: x", None),
        ("ret %x // CHECK: x", None),
    ];
    for (text, mended) in cases {
        let told_here = told(text);
        assert_eq!(told_here.len(), 1, "{text}: {told_here:?}");
        assert_eq!(told_here[0].1.as_deref(), mended, "{text}: {}", told_here[0].0);
        if let Some(mended) = mended {
            // A text with two mistakes takes two suggestions: the second removes the signs before the name.
            let again = told(mended).pop();
            let mended = again.map_or(mended.to_string(), |(_, again)| again.expect("it is advised"));
            let source = Source { name: "t".into(), text: mended.clone() };
            let prefixes = ["CHECK".to_string(), "O2".to_string(), "SSA".to_string()];
            assert!(directives(&source, &prefixes)[0].is_ok(), "{mended}");
        }
    }
}

#[test]
fn prose_about_directives_is_a_comment() {
    let prose = [
        "; CHECK lines are written by a command",
        "; CHECK-NEXT is strict",
        "; CHECK-NEXT counts from the match above it.",
        "; The lines below use\n; CHECK-NEXT so that nothing is between them",
        "; what `CHECK-NOT: x` does",
        "; `CHECK-NOT: x` is strict",
        "; check that the loop is left",
        "; check not: a note",
        "; Checks: none",
        "; errors: none here",
        "; runs: 3\n; Runs: often",
        "; rum: x\n; ruin: x",
        "; Run: time is short",
        "; cheap: no call",
        "; sum: of both\n; num: of them",
        "; SSA form first",
        "; O1 and O2 agree",
        "; a: the first case",
        "; run lir-opt on it",
        "; error in the second line",
        "; -- error: none",
        "; CHECK\n; CHECKED\n; CHECK-ALL\n;\n; run\n",
        "; RUN lines are of one tool",
        "; RUN lir-opt and look at it.",
        "; run; nothing else",
        "; error, if the block is unknown",
        "; CHECK.lir and check.txt",
        "; CHECK-NOT's use",
        "; CHECK-NEXT/CHECK-SAME are strict.",
        "; check load order",
        "; check calls of @f",
        "; check add of constants",
        "; Check ret for the value that is returned",
        "; \"CHECK: x\" is a check line",
        "; 'CHECK: x' and 'CHECK-NOT: x'",
        "; `CHECK: x`",
        "; `CHECK-NOT`: no match up to the next one",
        "; what is written `a ; CHECK: x` is one comment",
        "; see RUN: it is above",
        "data @d = { \"# CHECK: x\" }",
        "; - run lir-opt on it",
        "; @check ret",
        "; LATER: check the result",
        "; LATER: CHECK lines are missing",
        "; NOTE: run: often",
        "; CHECK-ALL of them",
        "; expected-error lines are clang's",
        "; expected-error 2 of them are",
        "; error@ the end",
        "; error@5 is prose",
        "; NOTE RUN: it is above",
        "; COM: CHECK: x",
    ];
    for text in prose {
        assert_eq!(told(text), [], "{text}");
    }
}

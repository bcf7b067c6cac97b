//! Random check files and inputs: a small alphabet, and lines that are taken from the input and changed a little, so
//! that a good part of them is accepted.

use super::case::Case;
use super::oracle::Oracle;
use lir_random::Rng;

/// The number of cases that are compared.
const CASES: u64 = 400;

/// A random case, a function of its seed.
fn random_case(seed: u64) -> Case {
    let mut rng = Rng::new(seed);
    let words = ["a", "b", "ab", "ba", "%x", "%y", "=", "add", "1", "2", "10", "ff", "  ", "(", "]"];
    let lines: Vec<String> = (0..1 + rng.below(8)).map(|_| line(&mut rng, &words)).collect();
    let mut input = lines.join("\n");
    if rng.below(8) > 0 {
        input.push('\n');
    }
    let mut checks = String::new();
    for _ in 0..1 + rng.below(6) {
        // Mostly in order, so that they have a chance.
        let line = lines[rng.below(lines.len())].trim().to_string();
        let kinds =
            ["", "", "", "", "-NEXT", "-NEXT", "-SAME", "-NOT", "-DAG", "-DAG", "-DAG", "-LABEL", "-EMPTY", "-COUNT-2"];
        let kind = rng.pick(&kinds);
        let pattern = if kind == "-EMPTY" { String::new() } else { pattern(&mut rng, &line, kind == "-LABEL") };
        checks += &format!("; CHECK{kind}: {pattern}\n");
    }
    let all =
        ["--match-full-lines", "--strict-whitespace", "--enable-var-scope", "--implicit-check-not=ab", "--ignore-case"];
    let options = all.iter().filter(|_| rng.below(12) == 0).map(|o| o.to_string()).collect();
    Case::new(format!("seed {seed}"), checks, input, options)
}

fn line(rng: &mut Rng, words: &[&str]) -> String {
    if rng.below(6) == 0 {
        return String::new();
    }
    (0..1 + rng.below(5)).map(|_| rng.pick(words)).collect::<Vec<_>>().join(if rng.below(2) == 0 { " " } else { "" })
}

/// A pattern that is made from a part of a line.
fn pattern(rng: &mut Rng, line: &str, label: bool) -> String {
    let chars: Vec<char> = line.chars().collect();
    let start = rng.below(chars.len() + 1);
    let end = start + rng.below(chars.len() - start + 1);
    let (mut text, mut at) = (String::new(), start);
    while at < end {
        let piece = chars[at..(at + 1 + rng.below(3)).min(end)].iter().collect::<String>();
        at += piece.chars().count();
        let expressions = [
            "{{.*}}", "{{.+}}", "{{[a-z]+}}", "{{a|ab}}", "{{(a|b)*}}", "{{[^ ]*}}", "{{^}}", "{{$}}", "{{b?}}",
            "{{[[:space:]]*}}",
        ];
        let variables = [
            "[[X:%.]]", "[[X]]", "[[Y:.+]]", "[[Y]]", "[[X:[a-z]+]]", "[[$G:.]]", "[[$G]]", "[[#N:]]", "[[#N]]",
            "[[#N+1]]", "[[#%x,H:]]", "[[#H-1]]", "[[#]]", "[[#@LINE]]", "[[#M:N+1]]", "[[#M]]", "[[X:a|ab]]",
            "[[Y:.*]]",
        ];
        match rng.below(12) {
            0 | 1 => text += rng.pick(&expressions),
            2 | 3 if !label => text += rng.pick(&variables),
            4 => {}
            _ => text += &piece,
        }
    }
    if text.trim().is_empty() { "a".into() } else { text }
}

#[test]
fn random_cases_agree_with_filecheck() {
    let Some(oracle) = Oracle::find() else { return };
    let scratch = tempfile::tempdir().expect("a folder");
    let first = std::env::var("LIR_FIRST_SEED").ok().and_then(|s| s.parse().ok()).unwrap_or(0);
    let cases = std::env::var("LIR_CASES").ok().and_then(|s| s.parse().ok()).unwrap_or(CASES);
    let (mut wrong, mut accepted) = (Vec::new(), 0);
    for seed in first..first + cases {
        let case = random_case(seed);
        let (ours, said) = case.run(scratch.path());
        let theirs = oracle.accepts(&case, scratch.path());
        accepted += u64::from(ours);
        // A case that is refused for strictness is reported before the input is examined.
        let strict = ["defined nowhere", "all check lines are -NOT", "has its value after it only"];
        if ours != theirs && (ours || !strict.iter().any(|s| said.contains(s))) {
            wrong.push(format!(
                "{}: ours {ours}, theirs {theirs}: {:?}\n{}----\n{}\n{said}",
                case.name, case.options, case.check_file, case.input
            ));
        }
    }
    eprintln!("{accepted} of {cases} accepted");
    assert!(wrong.is_empty(), "{} differ:\n{}", wrong.len(), wrong[..wrong.len().min(10)].join("\n"));
    assert!(accepted > cases / 10, "only {accepted} of {cases} cases are accepted: they test little");
}

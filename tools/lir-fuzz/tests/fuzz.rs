//! Random modules in every check of `lir-fuzz`, which looks at more of them: `lir-fuzz --count 100000`.

use lir_fuzz::{Campaign, CheckGroup, Event, Origin, campaign};
use lir_run::host::child::limits::Limits;
use std::process::ExitCode;
use std::time::Duration;

/// Modules that a test looks at, and with what.
const TRIALS: [(&str, &[CheckGroup], u64); 2] = [
    ("interpreter_and_native_code_agree", &[CheckGroup::Native, CheckGroup::Stress], 300),
    (
        "text_passes_and_objects_agree",
        &[CheckGroup::Roundtrip, CheckGroup::Passes, CheckGroup::Orders, CheckGroup::Bytes],
        100,
    ),
];
/// Child processes at a time.
const CHILDREN: usize = 2;
/// For each module; an endless loop is a failure.
const TIME: Duration = Duration::from_secs(60);

fn main() -> ExitCode {
    // On this thread alone: it forks.
    let arguments = libtest_mimic::Arguments { test_threads: Some(1), ..libtest_mimic::Arguments::from_args() };
    let trials = TRIALS.map(|(name, groups, count)| {
        libtest_mimic::Trial::test(name, move || {
            let checks: Vec<_> = groups.iter().flat_map(|g| g.checks()).collect();
            let limits = Limits { time: TIME, ..Limits::default() };
            let campaign = Campaign {
                origin: Origin::Generator,
                first: 0,
                count,
                time: None,
                checks: &checks,
                limits,
                jobs: CHILDREN,
                coverage: false,
            };
            let mut found = Vec::new();
            let summary = campaign::run(&campaign, &mut |event| {
                if let Event::Found(f) = event {
                    found.push(format!("seed {}: {}: {}", f.seed, f.key(), f.problem.message));
                }
            })?;
            assert_eq!(summary.modules, count);
            if found.is_empty() { Ok(()) } else { Err(found.join("\n").into()) }
        })
    });
    libtest_mimic::run(&arguments, trials.into()).exit_code()
}

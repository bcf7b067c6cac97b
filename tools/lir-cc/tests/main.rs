//! Drives `lir-cc` as a build does. Without a clang in PATH the tests say that they are skipped.

use std::path::Path;
use std::process::{Command, Output};

const PROGRAM: &str = r#"
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include "scale.h"

struct fields { unsigned a : 3; signed b : 13; unsigned long long c : 40; signed char d : 5; };
union bits { double number; unsigned long long word; };

static double mean(int count, ...) {
    va_list list;
    va_start(list, count);
    double sum = 0;
    for (int i = 0; i < count; i++) sum += va_arg(list, double);
    va_end(list);
    return sum / count;
}

static int classify(int c) {
    switch (c) {
    case 'a': case 'e': case 'i': return 1;
    case '0' ... '9': return 2;
    default: return c > 127 ? 3 : 0;
    }
}

static unsigned long long wide(unsigned long long x, unsigned long long y) {
    return (unsigned long long)(((unsigned __int128)x * y) >> 64) / 3;
}

int main(int argc, char **argv) {
    struct fields f = { 5, -1000, 0xabcdef1234ull, -3 };
    f.b += argc;
    union bits b = { 2.5 };
    char text[64];
    snprintf(text, sizeof text, "%s-%d", "x", classify('7'));
    printf("%u %d %llx %d\n", f.a, f.b, (unsigned long long)f.c, f.d);
    printf("%llx %s %zu %.3f\n", b.word, text, strlen(text), mean(3, 1.0, 2.0, 4.5) * SCALE);
    printf("%llu %d%d%d\n", wide(~0ull, 10), classify('e'), classify('z'), classify(200));
    return f.a;
}
"#;
const EXPECTED: &str = "5 -999 abcdef1234 -3\n4004000000000000 x-2 3 5.000\n3 103\n";

/// A folder with the program, and a function that runs `lir-cc` in it.
struct Build {
    folder: tempfile::TempDir,
}

impl Build {
    /// None, after a message, if there is no clang.
    fn new() -> Option<Build> {
        let found = (15..=22).map(|n| format!("clang-{n}")).chain(["clang".to_string()]);
        let has_clang = found.into_iter().any(|name| Command::new(name).arg("--version").output().is_ok());
        if !has_clang {
            eprintln!("skipped: there is no clang");
            return None;
        }
        let folder = tempfile::tempdir().expect("a folder can be made");
        std::fs::write(folder.path().join("prog.c"), PROGRAM).expect("the folder can be written");
        std::fs::write(folder.path().join("scale.h"), "#define SCALE 2\n").expect("the folder can be written");
        Some(Build { folder })
    }
    fn path(&self, name: &str) -> std::path::PathBuf {
        self.folder.path().join(name)
    }
    fn run(&self, program: &Path, arguments: &[&str]) -> Output {
        Command::new(program).args(arguments).current_dir(self.folder.path()).output().expect("the program starts")
    }
    fn cc(&self, arguments: &[&str]) -> Output {
        self.run(Path::new(env!("CARGO_BIN_EXE_lir-cc")), arguments)
    }
    /// Runs `lir-cc`, which must succeed.
    fn build(&self, arguments: &[&str]) {
        let output = self.cc(arguments);
        assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    }
    fn check(&self, program: &str) {
        let output = self.run(&self.path(program), &[]);
        assert_eq!(String::from_utf8_lossy(&output.stdout), EXPECTED, "{program}");
        assert_eq!(output.status.code(), Some(5), "{program}");
    }
}

#[test]
fn programs_are_compiled_and_linked() {
    let Some(build) = Build::new() else { return };
    for level in ["-O0", "-O1", "-O2"] {
        build.build(&[level, "prog.c", "-o", "whole"]);
        build.check("whole");
        build.build(&[level, "--llvm-passes", "-c", "prog.c"]);
        build.build(&["prog.o", "-o", "linked"]);
        build.check("linked");
    }
    build.build(&["-O2", "-S", "prog.c", "-o", "prog.s"]);
    build.build(&["prog.s", "-o", "assembled"]);
    build.check("assembled");
}

#[test]
fn dependencies_files_of_arguments_and_questions_are_as_in_cc() {
    let Some(build) = Build::new() else { return };
    std::fs::write(build.path("arguments"), "-O2 -MD '-c'\nprog.c").expect("the folder can be written");
    build.build(&["@arguments"]);
    let dependencies = std::fs::read_to_string(build.path("prog.d")).expect("they were written");
    assert!(dependencies.starts_with("prog.o: prog.c") && dependencies.contains("scale.h"), "{dependencies}");
    let preprocessed = build.cc(&["-E", "prog.c"]);
    assert!(String::from_utf8_lossy(&preprocessed.stdout).contains("4.5) * 2"), "the source is preprocessed");
    assert!(String::from_utf8_lossy(&build.cc(&["--version"]).stdout).contains("clang"));
}

#[test]
fn what_is_refused_is_an_error_or_compiled_by_clang() {
    let Some(build) = Build::new() else { return };
    let source = "int main(void) { long double x = 2; return (int)(x * 21) == 42 ? 0 : 1; }\n";
    std::fs::write(build.path("long.c"), source).expect("the folder can be written");
    let refused = build.cc(&["-c", "long.c"]);
    let message = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert_eq!(refused.status.code(), Some(1), "{message}");
    assert!(message.contains("long.c is not compiled") && message.contains("`x86_fp80` is not supported"), "{message}");
    let output = build.cc(&["--fallback=clang", "long.c", "-o", "long"]);
    let message = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success() && message.contains("clang compiled 1 of 1 files"), "{message}");
    assert!(build.run(&build.path("long"), &[]).status.success());
}

const THROWS: &str = "void thrower(int x) { if (x) throw 5; }\n";
const CATCHES: &str = r#"
#include <cstdio>
void thrower(int);
namespace {
struct Guard { ~Guard() { std::fprintf(stderr, "destructor\n"); } };
}
int main(int argc, char **) {
    try {
        Guard guard;
        thrower(0);
        std::fprintf(stderr, "fine\n");
        thrower(argc);
    } catch (int) {
        std::fprintf(stderr, "caught\n");
    }
    return 0;
}
"#;

/// The callee is another compiler's, so that it throws; the caller has no handler that the runtime can find.
#[test]
fn exceptions_end_the_program() {
    let Some(build) = Build::new() else { return };
    std::fs::write(build.path("throws.cpp"), THROWS).expect("the folder can be written");
    std::fs::write(build.path("catches.cpp"), CATCHES).expect("the folder can be written");
    let compilers = (15..=22).map(|n| format!("clang++-{n}")).chain(["g++".to_string(), "clang++".to_string()]);
    let compile =
        |name: String| Command::new(name).args(["-c", "throws.cpp"]).current_dir(build.folder.path()).status();
    if !compilers.into_iter().any(|name| compile(name).is_ok_and(|status| status.success())) {
        eprintln!("skipped: there is no compiler of C++");
        return;
    }
    let refused = build.cc(&["-c", "catches.cpp"]);
    let message = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert_eq!(refused.status.code(), Some(1), "{message}");
    assert!(message.contains("`--unwind=abort` ends the program where one arrives"), "{message}");
    for level in ["-O0", "-O2"] {
        build.build(&[level, "--unwind=abort", "catches.cpp", "throws.o", "-lstdc++", "-o", "catches"]);
        let output = build.run(&build.path("catches"), &[]);
        let message = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), None, "{message}");
        assert!(message.starts_with("fine\nterminate called after throwing an instance of 'int'"), "{message}");
    }
}

//! Runs `lir-cc` as a build does. Without a clang in PATH the tests report that they are skipped.

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
    /// Returns none after a message if there is no clang.
    fn new() -> Option<Build> {
        let found = (15..=22).map(|n| format!("clang-{n}")).chain(["clang".to_string()]);
        let has_clang = found.into_iter().any(|name| Command::new(name).arg("--version").output().is_ok());
        if !has_clang {
            eprintln!("skipped: there is no clang");
            return None;
        }
        let folder = tempfile::tempdir().expect("a folder can be made");
        let build = Build { folder };
        build.write("prog.c", PROGRAM);
        build.write("scale.h", "#define SCALE 2\n");
        Some(build)
    }
    fn write(&self, name: &str, text: &str) {
        std::fs::write(self.path(name), text).expect("the folder can be written");
    }
    /// Runs the clang that `lir-cc` runs, which must succeed.
    fn clang(&self, arguments: &[&str]) {
        let names = ["clang".to_string()].into_iter().chain((15..=22).map(|n| format!("clang-{n}")));
        let mut outputs =
            names.filter_map(|n| Command::new(n).args(arguments).current_dir(self.folder.path()).output().ok());
        let output = outputs.next().expect("a clang was found");
        assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
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
fn dependencies_files_of_arguments_and_questions_work_as_in_cc() {
    let Some(build) = Build::new() else { return };
    build.write("arguments", "-O2 -MD '-c'\nprog.c");
    build.build(&["@arguments"]);
    let dependencies = std::fs::read_to_string(build.path("prog.d")).expect("they were written");
    assert!(dependencies.starts_with("prog.o: prog.c") && dependencies.contains("scale.h"), "{dependencies}");
    let preprocessed = build.cc(&["-E", "prog.c"]);
    assert!(String::from_utf8_lossy(&preprocessed.stdout).contains("4.5) * 2"), "the source is preprocessed");
    assert!(String::from_utf8_lossy(&build.cc(&["--version"]).stdout).contains("clang"));
}

#[test]
fn refused_files_are_errors_or_compiled_by_clang() {
    let Some(build) = Build::new() else { return };
    let source = "int main(void) { long double x = 2; return (int)(x * 21) == 42 ? 0 : 1; }\n";
    build.write("long.c", source);
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

/// Another compiler compiles the callee, so that it throws; the runtime finds no handler in the caller.
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
    assert!(message.contains("`--unwind=abort` lets them end the program"), "{message}");
    for level in ["-O0", "-O2"] {
        build.build(&[level, "--unwind=abort", "catches.cpp", "throws.o", "-lstdc++", "-o", "catches"]);
        let output = build.run(&build.path("catches"), &[]);
        let message = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), None, "{message}");
        assert!(message.starts_with("fine\nterminate called after throwing an instance of 'int'"), "{message}");
    }
}

const ASSEMBLY: &str = ".globl g\n.text\ng: mov $3, %eax\nret\n.section .note.GNU-stack,\"\",@progbits\n";

#[test]
fn clang_compiles_assembly_among_sources() {
    let Some(build) = Build::new() else { return };
    build.write("g.S", ASSEMBLY);
    build.write("main.c", "int g(void); int main(void) { return g(); }\n");
    build.build(&["-c", "main.c", "g.S"]);
    build.build(&["main.o", "g.o", "-o", "linked"]);
    build.build(&["-MMD", "main.c", "-xassembler-with-cpp", "g.S", "-xnone", "-o", "whole"]);
    for program in ["linked", "whole"] {
        assert_eq!(build.run(&build.path(program), &[]).status.code(), Some(3), "{program}");
    }
    let both = build.cc(&["-c", "main.c", "g.S", "-o", "one.o"]);
    assert_eq!(both.status.code(), Some(2), "two outputs have the same name");
}

#[test]
fn dependencies_are_named_after_the_output() {
    let Some(build) = Build::new() else { return };
    build.write("other.c", "#include \"scale.h\"\nint other = SCALE;\n");
    let written = |arguments: &[&str], file: &str| {
        build.build(arguments);
        let text = std::fs::read_to_string(build.path(file)).unwrap_or_else(|e| panic!("{arguments:?}: {e}"));
        std::fs::remove_file(build.path(file)).expect("the file was written");
        text
    };
    for (arguments, file, target) in [
        (&["-MMD", "prog.c", "other.c", "-o", "prog"][..], "prog.d", "prog: other.c"),
        (&["-c", "-MMD", "prog.c", "other.c"], "other.d", "other.o: other.c"),
        (&["-c", "-MD", "-MFa.d", "other.c", "-o", "b.o"], "a.d", "b.o: other.c"),
        (&["-c", "-MD", "-MTx", "other.c"], "other.d", "x: other.c"),
        (&["-c", "-Wp,-MMD,k.d", "other.c"], "k.d", "other.o: other.c"),
        (&["--compile", "--write-user-dependencies", "other.c"], "other.d", "other.o: other.c"),
    ] {
        let text = written(arguments, file);
        assert!(text.starts_with(target) && text.contains("scale.h"), "{arguments:?}: {text}");
    }
}

#[test]
fn options_of_other_steps_are_accepted() {
    let Some(build) = Build::new() else { return };
    build.build(&["-Werror", "-O2", "--ld-path=/usr/bin/ld", "prog.c", "-o", "whole"]);
    build.check("whole");
    build.build(&["-xc", "prog.c", "-MJ", "commands.json", "-o", "joined"]);
    build.check("joined");
    assert!(build.path("commands.json").is_file());
}

#[test]
fn unsupported_options_are_errors_or_left_to_clang() {
    let Some(build) = Build::new() else { return };
    for option in ["-fsanitize=address", "--coverage", "-flto", "-mno-red-zone", "-finstrument-functions", "-pg"] {
        let refused = build.cc(&[option, "-c", "prog.c"]);
        let message = String::from_utf8_lossy(&refused.stderr).into_owned();
        assert!(refused.status.code() == Some(1) && message.contains("is not supported"), "{option}: {message}");
        let output = build.cc(&["--fallback=clang", option, "-c", "prog.c"]);
        let message = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success() && message.contains("clang compiles all files"), "{option}: {message}");
    }
    build.build(&["-fstack-protector-strong", "-D_FORTIFY_SOURCE=2", "-O2", "prog.c", "-o", "hardened"]);
    build.check("hardened");
    build.build(&["-S", "-emit-llvm", "prog.c", "-o", "prog.ll"]);
    assert!(std::fs::read_to_string(build.path("prog.ll")).is_ok_and(|text| text.contains("define")));
    build.build(&["-x", "c-header", "scale.h", "-o", "scale.h.gch"]);
}

#[test]
fn a_failure_leaves_no_output() {
    let Some(build) = Build::new() else { return };
    build.write("bad.c", "int f(void) { return x; }\n");
    build.write("bad.o", "old");
    assert!(!build.cc(&["-c", "bad.c"]).status.success());
    assert!(!build.path("bad.o").exists());
    assert!(!build.cc(&["-c", "bad.c", "-o", "/dev/null"]).status.success());
    assert!(Path::new("/dev/null").exists());
}

#[test]
fn always_inlined_bodies_are_local_copies() {
    let Some(build) = Build::new() else { return };
    let source = "extern inline __attribute__((gnu_inline, always_inline)) int f(int x) { return x + 1; }\n\
                  int main(void) { return f(2) - 3 + (__builtin_fmax(1, 2) != 2); }\n";
    build.write("copy.c", source);
    for level in ["-O0", "-O2"] {
        build.build(&[level, "copy.c", "-o", "copy"]);
        assert_eq!(build.run(&build.path("copy"), &[]).status.code(), Some(0), "{level}");
    }
}

/// The functions of each pair of files call each other, with clang compiling one of the files.
#[test]
fn arguments_agree_with_clang() {
    let Some(build) = Build::new() else { return };
    build.write("callee.c", CALLEE);
    build.write("caller.c", CALLER);
    for level in ["-O0", "-O2"] {
        for (ours, theirs) in [("callee", "caller"), ("caller", "callee")] {
            build.build(&[level, "-c", &format!("{ours}.c"), "-o", "ours.o"]);
            build.clang(&["-O1", "-c", &format!("{theirs}.c"), "-o", "theirs.o"]);
            build.build(&["ours.o", "theirs.o", "-o", "both"]);
            let output = build.run(&build.path("both"), &[]);
            assert_eq!(String::from_utf8_lossy(&output.stdout), "1007 12 -5 -3 -7\n", "{level} {ours}");
        }
    }
}

const CALLEE: &str = r#"
long f(int a, int b, int c, int d, int e, int g, int h, __int128 x) { return (long)x + h; }
long k(int a, int b, int c, int d, int e, __int128 x) { return (long)x + (long)(x >> 64); }
int n(_BitInt(24) x) { return x; }
int m(_BitInt(5) x) { return x; }
_BitInt(24) r(int x) { return x; }
"#;
const CALLER: &str = r#"
#include <stdio.h>
long f(int a, int b, int c, int d, int e, int g, int h, __int128 x);
long k(int a, int b, int c, int d, int e, __int128 x);
int n(_BitInt(24) x);
int m(_BitInt(5) x);
_BitInt(24) r(int x);
int main(void) {
    volatile int five = -5, three = -3, seven = -7;
    printf("%ld %ld %d %d %d\n", f(1, 2, 3, 4, 5, 6, 7, 1000), k(1, 2, 3, 4, 5, ((__int128)5 << 64) + 7),
           n(five), m(three), (int)r(seven));
}
"#;

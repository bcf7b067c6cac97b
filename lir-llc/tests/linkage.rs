//! Modules with weak, hidden and aliased symbols, linked with C and with each other.

use lir_testing::process::output_of;
use std::path::Path;
use std::process::Command;

const ONE: &str = "
weak data @option = { i32 1 }
extern weak func @hook(i32) -> i32
extern func @run(i32) -> i32
alias @run = @start
extern data @second
alias @second = @numbers + 4
local data @numbers = { i32 20, 21 }

weak func @scale(%x: i32) -> i32 {
entry:
  ret %x
}

linkonce func @shared(%x: i32) -> i32 {
entry:
  %y = add i32 %x, 100
  ret %y
}

local func @start(%x: i32) -> i32 {
entry:
  %s = call i32 @scale(%x)
  %t = call i32 @shared(%s)
  %o = load i32 [@option]
  %u = add i32 %t, %o
  %p = lea [@hook]
  br eq i64 %p, 0, without, with
with:
  %v = call i32 @hook(%u)
  ret %v
without:
  ret %u
}
";

const OTHER: &str = "
linkonce func @shared(%x: i32) -> i32 {
entry:
  %y = add i32 %x, 100
  ret %y
}

hidden func @through_other(%x: i32) -> i32 {
entry:
  %y = call i32 @shared(%x)
  ret %y
}
";

const MAIN: &str = "
#include <stdio.h>
int run(int), through_other(int);
extern int second, option;
#ifdef REPLACED
int scale(int x) { return 3 * x; }
int option = 7;
int hook(int x) { return -x; }
#endif
int main(void) { printf(\"%d %d %d %d\\n\", run(5), second, option, through_other(1)); return 0; }
";

fn object(folder: &Path, name: &str, text: &str, options: &[&str]) {
    let file = folder.join(format!("{name}.lir"));
    std::fs::write(&file, text).expect("written");
    let mut compile = Command::new(env!("CARGO_BIN_EXE_lir-llc"));
    output_of(compile.args(options).arg(&file).arg("-o").arg(folder.join(format!("{name}.o"))));
}

#[test]
fn the_linker_chooses_among_definitions() {
    for level in ["-O0", "-O2"] {
        for (model, link) in [("static", "-no-pie"), ("pie", "-pie"), ("pic", "-pie"), ("pic", "-shared")] {
            let folder = tempfile::tempdir().expect("a folder");
            let dir = folder.path();
            for (name, text) in [("one", ONE), ("other", OTHER)] {
                object(dir, name, text, &[level, &format!("--reloc={model}")]);
            }
            std::fs::write(dir.join("main.c"), MAIN).expect("written");
            for (define, expected) in [("-DPLAIN", "106 21 1 101\n"), ("-DREPLACED", "-122 21 7 101\n")] {
                let mut cc = Command::new("cc");
                cc.current_dir(dir).args(["-Wl,--fatal-warnings", define, "one.o", "other.o", "main.c"]);
                if link == "-shared" {
                    // The whole program is in a shared object, except for a `main` that calls the object's `main`.
                    let part = ["-shared", "-fPIC", "-Dmain=entry", "-o", "libpart.so"];
                    output_of(cc.args(part));
                    std::fs::write(dir.join("start.c"), "int entry(void); int main(void) { return entry(); }").unwrap();
                    let start = ["start.c", "-L.", "-lpart", "-Wl,-rpath,$ORIGIN", "-o", "program"];
                    output_of(Command::new("cc").current_dir(dir).args(start));
                } else {
                    output_of(cc.args([link, "-o", "program"]));
                }
                assert_eq!(
                    output_of(&mut Command::new(dir.join("program"))),
                    expected,
                    "{level} {model} {link} {define}"
                );
            }
        }
    }
}

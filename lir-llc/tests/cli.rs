//! The options of `lir-llc` that choose a text, by its command line: the outputs, their files, and options that do not
//! fit.

use lir_testing::process::{Ran, run_in_process};
use std::ffi::OsString;
use std::path::Path;

const TEXT: &str = "func @main() -> i32 {\nentry:\n  %x = const i32 3\n  %y = mul i32 %x, 7\n  ret %y\n}\n";

/// Status, standard output, standard error.
fn run(folder: &Path, arguments: &[&str]) -> (i32, String, String) {
    run_on(TEXT, folder, arguments)
}

fn run_on(text: &str, folder: &Path, arguments: &[&str]) -> (i32, String, String) {
    let in_folder = |a: &&str| match a.strip_prefix("FOLDER/") {
        Some(name) => folder.join(name).into_os_string(),
        None => OsString::from(a),
    };
    let arguments = [OsString::from("lir-llc")].into_iter().chain(arguments.iter().map(in_folder));
    let Ran { status, out, err } = run_in_process(lir_llc::cli::run, arguments, text);
    (status, String::from_utf8_lossy(&out).into_owned(), err)
}

/// The file that a run makes, which must print nothing.
fn made(arguments: &[&str]) -> Vec<u8> {
    let folder = tempfile::tempdir().expect("a folder");
    let all = [arguments, &["-o", "FOLDER/out"]].concat();
    assert_eq!(run(folder.path(), &all), (0, String::new(), String::new()), "{arguments:?}");
    std::fs::read(folder.path().join("out")).expect("the file was made")
}

#[test]
fn the_extension_selects_the_output() {
    let folder = tempfile::tempdir().expect("a folder");
    for (file, emit) in [("x.o", "obj"), ("x.s", "asm"), ("x.mir", "mir"), ("x.bin", "bin")] {
        let arguments = ["-o", &format!("FOLDER/{file}")];
        assert_eq!(run(folder.path(), &arguments), (0, String::new(), String::new()), "{file}");
        let by_ending = std::fs::read(folder.path().join(file)).expect("the file was made");
        assert_eq!(by_ending, made(&[&format!("--emit={emit}")]), "{file}");
        // The option wins over the ending.
        let arguments = ["--emit=obj", "-o", &format!("FOLDER/{file}")];
        assert_eq!(run(folder.path(), &arguments).0, 0);
        assert_eq!(std::fs::read(folder.path().join(file)).expect("the file was made"), made(&["--emit=obj"]));
    }
    for file in ["x.obj", "x.exe", "x"] {
        let (status, out, err) = run(folder.path(), &["-o", &format!("FOLDER/{file}")]);
        assert!((status, out.as_str()) == (2, "") && err.contains("does not say what to make"), "{file}: {err}");
        assert!(!folder.path().join(file).exists());
    }
    assert!(made(&["--emit=obj"]).starts_with(b"\x7fELF"));
    assert!(made(&["--emit=asm"]).starts_with(b"\t.intel_syntax noprefix\n"));
    assert!(made(&["--emit=mir"]).starts_with(b"func @main {\n"));
}

#[test]
fn machine_ir_is_that_of_the_stage() {
    let isel = String::from_utf8(made(&["--emit=mir", "--stop-after=isel"])).expect("text");
    assert!(isel.contains("%0 = imul.4 %1, 7") && isel.contains("; line 4\n"), "{isel}");
    let regalloc = String::from_utf8(made(&["--emit=mir", "--stop-after=regalloc"])).expect("text");
    assert!(regalloc.contains("rax = imul.4 ") && !regalloc.contains('%'), "{regalloc}");
    assert_eq!(regalloc.as_bytes(), made(&["--emit=mir"]));
    // If nothing else determines the output, the stage does.
    let folder = tempfile::tempdir().expect("a folder");
    assert_eq!(run(folder.path(), &["--stop-after=isel"]), (0, isel, String::new()));
}

#[test]
fn a_listing_is_printed_and_the_result_written_where_a_file_is_named() {
    let folder = tempfile::tempdir().expect("a folder");
    let (status, listing, errors) = run(folder.path(), &["--disasm"]);
    assert_eq!((status, errors.as_str()), (0, ""));
    assert!(listing.contains("  ; line 4: %y = mul i32 %x, 7\n"), "{listing}");
    assert!(listing.contains("c3                       ret\n"), "{listing}");
    assert_eq!(std::fs::read_dir(folder.path()).expect("a folder").count(), 0, "no file without -o");
    for (file, emit) in [("x.o", "--emit=obj"), ("x.s", "--emit=asm")] {
        let both = run(folder.path(), &["--disasm", "-o", &format!("FOLDER/{file}")]);
        assert_eq!(both, (0, listing.clone(), String::new()));
        assert_eq!(std::fs::read(folder.path().join(file)).expect("the file was made"), made(&[emit]));
    }
}

#[test]
fn contradictory_options_are_errors_of_the_command_line() {
    let folder = tempfile::tempdir().expect("a folder");
    for (arguments, message) in [
        (&["--stop-after=isel", "-o", "FOLDER/x.o"][..], "--stop-after is for machine IR: --emit=mir"),
        (&["--stop-after=regalloc", "--emit=bin"], "--stop-after is for machine IR: --emit=mir"),
        (&["--stop-after=emit", "--emit=mir"], "invalid value 'emit' for '--stop-after <STAGE>'"),
        (&["--emit=exe"], "invalid value 'exe' for '--emit <EMIT>'"),
        (&["--disasm", "--emit=obj"], "--disasm takes standard output: give the result a file with -o"),
        (&["--disasm", "-o", "-"], "the listing and the result cannot both go to standard output"),
        (&["--disasm", "--emit=bin", "-o", "FOLDER/x"], "--disasm lists what a linker gets, not a flat image"),
        (&["--disasm", "-o", "FOLDER/x.mir"], "--disasm lists code, and --emit=mir makes none"),
        (&["--emit=asm", "--base=0"], "--base is for flat images: --emit=bin"),
        (&["--stats=xml", "--emit=asm"], "invalid value 'xml' for '--stats[=<FORMAT>]'"),
    ] {
        let (status, stdout, stderr) = run(folder.path(), arguments);
        assert_eq!((status, stdout.as_str()), (2, ""), "{arguments:?}: {stderr}");
        assert!(stderr.starts_with("error: ") && stderr.contains(message), "{arguments:?}: {stderr}");
    }
    assert_eq!(std::fs::read_dir(folder.path()).expect("a folder").count(), 0, "nothing is written");
}

#[test]
fn all_features_that_the_help_names_can_be_left_out() {
    let folder = tempfile::tempdir().expect("a folder");
    let (status, help, _) = run(folder.path(), &["--help"]);
    assert_eq!(status, 0);
    let words = help.split_whitespace().collect::<Vec<_>>().join(" ");
    let (_, names) = words.split_once("Leave out features: ").expect("the option is there");
    let (names, _) = names.split_once(" Several are").expect("the names are the first sentence");
    for name in names.split(", ").chain([&*names.replace(", ", ",")]) {
        let option = format!("--regalloc-without={name}");
        let (status, _, errors) = run(folder.path(), &[&option, "--emit=asm"]);
        assert_eq!((status, errors.as_str()), (0, ""), "{option}");
    }
}

#[test]
fn times_and_counters_of_the_stages() {
    let folder = tempfile::tempdir().expect("a folder");
    let (status, _, times) = run(folder.path(), &["--time-passes", "-o", "FOLDER/x.o"]);
    assert_eq!(status, 0);
    let words: Vec<&str> = times.lines().filter_map(|l| l.split(" ms ").last()?.split_whitespace().nth(2)).collect();
    let sums = ["parse", "verify", "passes", "selection", "allocation", "encoding", "output", "total"];
    assert_eq!(words[..sums.len()], sums, "{times}");
    let stages: Vec<&str> = times.lines().skip(sums.len()).filter_map(|l| l.split_whitespace().nth(2)).collect();
    let expected = ["lower", "select", "hoist", "split", "allocate", "wrap", "layout", "peepholes", "emit"];
    assert_eq!(stages.into_iter().filter(|name| *name != "check").collect::<Vec<_>>(), expected, "{times}");
    let (_, _, text) = run(folder.path(), &["--stats", "-o", "FOLDER/x.o"]);
    for line in ["1 selection: functions", "3 selection: machine instructions", " encoding: bytes of code"] {
        assert!(text.contains(line), "{text}");
    }
    let (_, _, json) = run(folder.path(), &["-O2", "--stats=json", "-o", "FOLDER/x.o"]);
    assert!(json.starts_with("{\n  \"") && json.contains("  \"encoding\": {\"bytes of code\": "), "{json}");
    assert!(json.contains("\"constfold\": {"), "passes count too: {json}");
}

#[test]
fn counters_do_not_depend_on_the_number_of_threads() {
    let mut text = String::new();
    for k in 0..200 {
        text += &format!(
            "func @f{k}(%a: i64, %b: f64) -> f64 {{\nentry:\n  %x = call f64 @f0(%a, %b)\n  %y = fadd f64 %x, {k}.5\n  \
             %z = fmul f64 %y, %b\n  ret %z\n}}\n"
        );
    }
    let folder = tempfile::tempdir().expect("a folder");
    let all = |threads: &str, what: &[&str]| run_on(&text, folder.path(), &[&["-j", threads], what].concat());
    for what in [&["--emit=asm", "--stats"][..], &["--emit=mir"], &["--disasm"]] {
        let one = all("1", what);
        assert_eq!(one.0, 0);
        assert!(one == all("2", what), "{what:?}");
    }
}

#[test]
fn the_level_of_processor_allows_instructions() {
    let text = "func @f(%a: i64, %b: i64, %x: f64) -> f64 {\nentry:\n  %c = shl i64 %a, %b\n  %d = clz i64 %c\n  \
                %e = popcnt i64 %d\n  %f = sitofp i64 %e to f64\n  %g = ffloor f64 %x\n  %h = fma f64 %f, %g, %x\n  \
                ret %h\n}\n";
    let folder = tempfile::tempdir().expect("a folder");
    let listing = |level: &str| {
        let (status, listing, errors) = run_on(text, folder.path(), &["--disasm", &format!("--cpu={level}")]);
        assert_eq!((status, errors.as_str()), (0, ""));
        listing
    };
    let has = |level: &str| {
        let listing = listing(level);
        ["shlx ", "lzcnt ", "popcnt ", "roundsd ", "vfmadd2"].map(|name| listing.contains(name))
    };
    assert_eq!(has("v1"), [false; 5]);
    assert_eq!(has("v2"), [false, false, true, true, false]);
    assert_eq!(has("v3"), [true; 5]);
    let native = format!("v{}", lir_llc::isa::x64::Cpu::native() as u8 + 1);
    assert_eq!(listing("native"), listing(&native));
    assert_eq!(run_on(text, folder.path(), &["--disasm"]).1, listing("v1"));
    let (status, _, errors) = run_on(text, folder.path(), &["--disasm", "--cpu=v4"]);
    assert!(status == 2 && errors.contains("there is no level `v4` among v1, v2, v3, native"), "{errors}");
}

#[test]
fn good_code_has_the_test_of_a_loop_at_its_bottom() {
    let text = "func @f(%n: i64) -> i64 {\nentry:\n  jmp head\nhead:\n  %i = phi i64 [0, entry], [%next, body]\n  \
                br slt i64 %i, %n, body, done\nbody:\n  %next = add i64 %i, 3\n  jmp head\ndone:\n  ret %i\n}\n";
    let folder = tempfile::tempdir().expect("a folder");
    let jumps = |effort: &str| {
        let (status, listing, errors) = run_on(text, folder.path(), &["--disasm", &format!("--codegen={effort}")]);
        assert_eq!((status, errors.as_str()), (0, ""));
        let code = listing.lines().filter(|line| !line.contains("; line"));
        let names = code.flat_map(str::split_whitespace).filter(|w| matches!(*w, "jmp" | "jl" | "jge"));
        names.map(str::to_string).collect::<Vec<_>>()
    };
    assert_eq!(jumps("good"), ["jmp", "jl"]);
    assert_eq!(jumps("fast"), ["jge", "jmp"]);
    assert_eq!(run_on(text, folder.path(), &["--disasm", "--codegen=best"]).0, 2);
}

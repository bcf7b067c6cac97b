//! `--emit=bin`, `--entry`, `--base` and `--emit-map` through the command line. That images run is tested in `lir-run`.

use lir_testing::process::{Ran, run_in_process};
use std::path::Path;

/// Runs `lir-llc` on a text: its status, standard output and standard error. `IN` in the arguments is the file of the
/// text, other names are in its folder.
fn lir_llc(folder: &Path, text: &str, args: &[&str]) -> (i32, Vec<u8>, String) {
    let input = folder.join("in.lir");
    std::fs::write(&input, text).unwrap();
    let in_folder = |a: &str| match a.split_once("FOLDER/") {
        Some((option, name)) => format!("{option}{}", folder.join(name).display()),
        None => a.to_string(),
    };
    let all = ["lir-llc", "FOLDER/in.lir"].iter().chain(args).map(|a| in_folder(a));
    let Ran { status, out, err } = run_in_process(lir_llc::cli::run, all, "");
    (status, out, err.replace(&format!("{}/", folder.display()), ""))
}

fn folder() -> tempfile::TempDir {
    tempfile::tempdir().unwrap()
}

/// Returns the message of a command that fails with a status, and writes nothing.
fn refusal(text: &str, args: &[&str], status: i32) -> String {
    let folder = folder();
    let (got, out, err) = lir_llc(folder.path(), text, args);
    assert_eq!((got, out.as_slice()), (status, &b""[..]), "{err}");
    let files: Vec<_> = std::fs::read_dir(folder.path()).unwrap().map(|f| f.unwrap().file_name()).collect();
    assert_eq!(files, ["in.lir"], "nothing else is left");
    err
}

/// The bytes on standard output of a command that succeeds.
fn bytes(text: &str, args: &[&str]) -> Vec<u8> {
    let (status, out, err) = lir_llc(folder().path(), text, args);
    assert_eq!((status, err.as_str()), (0, ""));
    out
}

const SMALL: &str = "func @first() -> i32 {
entry:
  ret 1
}
func @main() -> i32 {
entry:
  %r = call i32 @first()
  ret %r
}
";

const DATA: &str = "data @table = { i64 @f, @g + 8, @f }
const data @more = { i8 1, i64 @more }
func @f() {
entry:
  ret
}
func @g() {
entry:
  ret
}
";

#[test]
fn the_kind_of_output_follows_from_its_name() {
    let folder = folder();
    for (args, elf) in [
        (&["-o", "FOLDER/x.bin"][..], false),
        (&["-o", "FOLDER/x.img", "--emit=bin"], false),
        (&["-o", "FOLDER/x", "--base=0"], false),
        (&["-o", "FOLDER/x.o"], true),
        (&["-o", "FOLDER/x.o", "--emit=bin"], false),
        (&["-o", "FOLDER/x.bin", "--emit=obj"], true),
        (&[], false),
        (&["-o", "-"], false),
        (&["--emit=obj", "-o", "-"], true),
    ] {
        let (status, out, err) = lir_llc(folder.path(), SMALL, args);
        assert_eq!((status, err.as_str()), (0, ""), "{args:?}");
        let made = match args {
            ["-o", name, ..] if *name != "-" => {
                assert!(out.is_empty());
                std::fs::read(folder.path().join(name.strip_prefix("FOLDER/").unwrap())).unwrap()
            }
            _ => out,
        };
        assert_eq!(made.starts_with(b"\x7fELF"), elf, "{args:?}");
        assert!(!made.is_empty());
    }
}

#[test]
fn the_entry_is_at_0() {
    // `mov eax, 1; ret`
    let first = [0xb8, 1, 0, 0, 0, 0xc3];
    assert!(!bytes(SMALL, &[]).starts_with(&first), "it is @main");
    for entry in ["--entry=@first", "--entry=first"] {
        assert!(bytes(SMALL, &[entry]).starts_with(&first), "{entry}");
    }
    assert!(bytes(&SMALL.replace("@main", "@other"), &[]).starts_with(&first), "it is the first");
    assert_eq!(
        refusal(SMALL, &["--entry=@frist", "-o", "FOLDER/x.bin"], 1),
        "error: there is no function @frist; did you mean `@first`?\n"
    );
    assert_eq!(refusal(SMALL, &["--entry=@nothing"], 1), "error: there is no function @nothing\n");
    assert_eq!(
        refusal(&format!("extern func @puts(i64) -> i32\n{SMALL}"), &["--entry=@puts"], 1),
        "error: @puts cannot be the entry: it is not a function with a body\n"
    );
    let no_function = refusal("data @x = { i8 1 }\n", &["-o", "FOLDER/x.bin"], 1);
    assert_eq!(no_function, "error: the module defines no function: a flat image begins with one\n");
}

#[test]
fn the_map_says_where_everything_is() {
    let text = format!(
        "const data @text = {{ \"hello\\00\" }}\nconst data @big align 128 = {{ i64 1 }}\ndata @n = {{ i32 7 }}\n\
         data @wide align 8192 = {{ i8 1 }}\ndata @\"a \\\"name\\\"\" = {{ zero 24 }}\nlocal data @hidden = {{ i64 0 }}\n{SMALL}"
    );
    let folder = folder();
    let (status, out, err) = lir_llc(folder.path(), &text, &["-O1", "--emit-map=FOLDER/map"]);
    assert_eq!((status, err.as_str()), (0, ""));
    insta::assert_snapshot!(std::fs::read_to_string(folder.path().join("map")).unwrap());
    assert_eq!(out.len(), 0x2028);
    assert_eq!((&out[0x16..0x1c], out[0x80], out[0x1000], out[0x2000]), (&b"hello\0"[..], 1, 7, 1));
    assert!(out[0x2001..].iter().all(|b| *b == 0));
    let on_stdout = lir_llc(folder.path(), &text, &["-O1", "--emit-map=-", "-o", "FOLDER/x.bin"]).1;
    assert_eq!(on_stdout, std::fs::read(folder.path().join("map")).unwrap());
}

#[test]
fn addresses_in_data_need_a_base() {
    let errors = refusal(DATA, &["-o", "FOLDER/x.bin"], 1);
    insta::assert_snapshot!(errors);
    let based = bytes(DATA, &["--base=0x10000"]);
    assert_eq!(based, bytes(DATA, &["--base", "65536"]));
    let word = |at: usize| u64::from_le_bytes(based[at..at + 8].try_into().unwrap());
    assert_eq!([word(0x1000), word(0x1008), word(0x1010)], [0x10000, 0x10018, 0x10000]);
    assert_eq!(word(0x19), 0x10018, "const data is among the code");
    for wrong in ["--base=", "--base=x", "--base=-1", "--base=0x", "--base=0x+1", "--base=0x10000000000000000"] {
        let said = refusal(DATA, &[wrong], 2);
        assert!(said.contains("expected a number below 2^64, decimal or 0x.."), "{said}");
    }
}

#[test]
fn a_base_keeps_alignments_and_is_not_near_the_last_address() {
    let float = "func @main(%x: f64) -> f64 {\nentry:\n  %y = fneg f64 %x\n  ret %y\n}\n";
    let of_constants = refusal(float, &["--base=9"], 1);
    assert!(
        of_constants.contains("error: the image cannot be at 0x9: its constants are aligned to 16\n"),
        "{of_constants}"
    );
    assert!(of_constants.contains("help: 0x10 is a multiple of 16"), "{of_constants}");
    let wide = format!("const data @wide align 4096 = {{ i8 1 }}\n{DATA}");
    let of_data = refusal(&wide, &["--base=0x10010"], 1);
    assert!(
        of_data.starts_with("in.lir:1:12: error: the image cannot be at 0x10010: @wide is aligned to 4096\n"),
        "{of_data}"
    );
    assert!(of_data.contains("help: 0x10000 is a multiple of 4096"), "{of_data}");
    let len = bytes(SMALL, &["--base=0"]).len() as u64;
    let beyond = refusal(SMALL, &[&format!("--base={}", u64::MAX - len + 2)], 1);
    assert!(beyond.contains(&format!("error: the image of {len} bytes at 0xf")), "{beyond}");
    assert!(beyond.contains("reaches beyond the last address"), "{beyond}");
    // If nothing needs an alignment, every address is allowed, up to the last one with enough room.
    for base in [0, 9, u64::MAX - len + 1] {
        assert_eq!(bytes(SMALL, &[&format!("--base={base}")]).len() as u64, len);
    }
}

#[test]
fn all_that_an_image_cannot_have_is_reported_with_its_position() {
    let text = "extern func @puts(i64) -> i32
extern data @stdout
extern thread data @errno_here
thread data @mine = { i32 1 }
data @handler = { i64 @puts, @puts + 1, @main }
func @main(%x: f64) -> f64 {
entry:
  %s = lea [@stdout]
  %r = call i32 @puts(%s)
  %q = call i32 @puts(%s)
  %e = load i32 [@errno_here]
  %m = load i32 [@mine]
  %em = add i32 %e, %m
  store i32 [%s], %em
  %f = fma f64 %x, %x, %x
  ret %f
}
";
    for level in ["-O0", "-O2"] {
        let errors = refusal(text, &[level, "-o", "FOLDER/x.bin", "--emit-map=FOLDER/map"], 1);
        insta::assert_snapshot!("everything", errors);
    }
    let errors = refusal(text, &["--error-limit=2", "--base=0"], 1);
    assert_eq!(errors.matches(": error: ").count(), 2, "{errors}");
}

#[test]
fn unused_declarations_do_not_matter() {
    bytes(&format!("extern func @puts(i64) -> i32\nextern data @stdout\n{SMALL}"), &[]);
}

#[test]
fn giant_images_are_refused() {
    let giant = "data @a = { zero 200000000 }\ndata @b = { zero 200000000 }\ndata @c = { zero 1073741824 }\n";
    let said = refusal(&format!("{giant}{SMALL}"), &[], 1);
    assert!(
        said.starts_with("in.lir:2:6: error: with @b the flat image exceeds the supported 268435456 bytes\n"),
        "{said}"
    );
    let many = "data @a = { zero 1073741824 }\n".to_string()
        + &(0..2000).map(|k| format!("data @a{k} = {{ zero 1073741824 }}\n")).collect::<String>();
    assert_eq!(refusal(&format!("{many}{SMALL}"), &[], 1).matches("error").count(), 1);
}

#[test]
fn options_that_contradict_each_other_are_command_line_errors() {
    for (args, said) in [
        (&["--emit=obj", "--entry=@main"][..], "--entry is for flat images: --emit=bin"),
        (&["--emit=obj", "--base=0"], "--base is for flat images: --emit=bin"),
        (&["-o", "FOLDER/x.o", "--emit-map=FOLDER/map"], "--emit-map is for flat images: --emit=bin"),
        (&["--emit-map=-"], "the image and its map cannot both go to standard output"),
        (&["-o", "FOLDER/x.bin", "--emit-map=FOLDER/x.bin"], "the image and its map cannot both go to `x.bin`"),
        (&["--reloc=static"], "a flat image is position independent and refers to nothing outside"),
        (&["--reloc=pic"], "a flat image is position independent and refers to nothing outside"),
        (&["--emit=elf"], "invalid value 'elf' for '--emit <EMIT>'"),
    ] {
        let err = refusal(SMALL, args, 2);
        assert!(err.starts_with(&format!("error: {said}")), "{err}");
    }
}

#[test]
fn outputs_appear_whole_or_not_at_all() {
    let folder = folder();
    let path = folder.path().join("x.bin");
    std::fs::write(&path, "old").unwrap();
    assert_eq!(lir_llc(folder.path(), DATA, &["-o", "FOLDER/x.bin"]).0, 1);
    assert_eq!(std::fs::read(&path).unwrap(), b"old");
    assert_eq!(lir_llc(folder.path(), SMALL, &["-o", "FOLDER/x.bin"]).0, 0);
    assert_eq!(std::fs::read(&path).unwrap(), bytes(SMALL, &[]));
    let said = refusal(SMALL, &["-o", "FOLDER/no/x.bin"], 1);
    assert_eq!(said, "no/x.bin: error: no such file or directory\n");
    let said = refusal(SMALL, &["-o", "FOLDER/x.bin", "--emit-map=FOLDER/no/map"], 1);
    assert_eq!(said, "no/map: error: no such file or directory\n");
}

#[test]
fn threads_change_nothing() {
    let text: String =
        (0..300).map(|k| SMALL.replace("@main", &format!("@m{k}")).replace("@first", &format!("@f{k}"))).collect();
    assert_eq!(bytes(&text, &["-j1"]), bytes(&text, &["-j4"]));
}

//! Flat images, made through the command line, copied into memory by their map, and called.

use lir_run::host::native_call::NativeCall;
use lir_run::host::region::{Access, PAGE, Region};
use lir_testing::process::{Ran, run_in_process};
use std::path::Path;

/// The entry is not the first function of the text. `%what` chooses the feature that is tried.
const PROGRAM: &str = "
type :pair = { i64, f64 }
func @double(%x: i64) -> i64 {
entry:
  %y = mul i64 %x, 2
  ret %y
}
local func @triple(%x: i64) -> i64 {
entry:
  %y = mul i64 %x, 3
  ret %y
}
const data @primes align 64 = { i64 2, 3, 5, 7, 11 }
const data @text = { \"flat\\00\" }
data @counter = { i64 100 }
data @aligned align 256 = { i8 7 }
data @zeros align 32 = { zero 10000 }
FUNCTIONS
func @main(%what: i64, %x: i64) -> i64 {
  stack $p: :pair
entry:
  switch i64 %what, unknown [0: call, 1: constant, 2: count, 3: zero, 4: pointer, 5: float, 6: recurse, 7: align]
call:
  %a = call i64 @double(%x)
  %b = call i64 @triple(%x)
  %r0 = add i64 %a, %b
  ret %r0
constant:
  %t = lea [@primes]
  %p = load i64 [%t + %x*8]
  %c = load i8 [@text + 2]
  %cw = zext i8 %c to i64
  %r1 = add i64 %p, %cw
  ret %r1
count:
  %n = load i64 [@counter]
  %n2 = add i64 %n, %x
  store i64 [@counter], %n2
  ret %n2
zero:
  %z = lea [@zeros]
  %zi = load i64 [%z + %x*8]
  %zj = add i64 %zi, 5
  store i64 [%z + %x*8], %zj
  ret %zj
pointer:
  POINTER
  ret %r4
float:
  %f = sitofp i64 %x to f64
  %g = fmul f64 %f, 2.5
  %r5 = fptosi f64 %g to i64
  ret %r5
recurse:
  %last = icmp sle i64 %x, 0
  br %last, done, more
more:
  %xm = sub i64 %x, 1
  %six = const i64 6
  %below = call i64 @main(%six, %xm)
  %r6 = add i64 %below, %x
  ret %r6
done:
  ret 0
align:
  %al = lea [@aligned]
  %pr = lea [@primes]
  %both = or i64 %al, %pr
  %r7 = and i64 %both, 63
  ret %r7
unknown:
  ret -1
}
";

fn program(with_pointers: bool) -> String {
    let (functions, pointer) = if with_pointers {
        (
            "data @functions = { i64 @double, @triple, @primes + 8 }\nconst data @fixed = { i64 @double }",
            "%fs = lea [@functions]\n  %fp = load i64 [%fs + %x*8]\n  %r4 = call i64 %fp(i64 %what)",
        )
    } else {
        ("", "%fp = lea [@triple]\n  %r4 = call i64 %fp(i64 %x)")
    };
    PROGRAM.replace("FUNCTIONS", functions).replace("POINTER", pointer)
}

/// Runs `lir-llc`; its status and standard error.
fn lir_llc(args: &[&str]) -> (i32, String) {
    let Ran { status, err, .. } = run_in_process(lir_llc::cli::run, [&["lir-llc"], args].concat(), "");
    (status, err)
}

/// An image in memory: code can be executed and not written, data written and not executed.
struct Loaded {
    region: Region,
}

impl Loaded {
    /// Makes and loads the image of a text. With `based` the image is made for its address.
    fn new(text: &str, options: &[&str], based: bool) -> Loaded {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name).display().to_string();
        std::fs::write(path("in.lir"), text).unwrap();
        // More room than any of the images needs.
        let mut region = Region::new(64 * PAGE).unwrap();
        let (input, image, map) = (path("in.lir"), path("image.bin"), format!("--emit-map={}", path("map")));
        let base = format!("--base={:#x}", region.base());
        let mut args = vec![input.as_str(), "-o", &image, &map];
        args.extend_from_slice(options);
        args.extend(based.then_some(base.as_str()));
        assert_eq!(lir_llc(&args), (0, String::new()));
        let bytes = std::fs::read(&image).unwrap();
        region.write(0, &bytes);
        let written = Self::written_from(Path::new(&path("map")), bytes.len());
        region.protect(0..written, Access::Execute).unwrap();
        Loaded { region }
    }

    /// Returns the beginning of the part of the image that may be written, by its map.
    fn written_from(map: &Path, len: usize) -> usize {
        let map = std::fs::read_to_string(map).unwrap();
        let number = |text: &str| usize::from_str_radix(text.strip_prefix("0x").unwrap(), 16).unwrap();
        let mut end = 0;
        let mut written = None;
        for line in map.lines() {
            let [offset, size, kind, name] = *line.splitn(4, ' ').collect::<Vec<_>>() else { panic!("{line}") };
            let (offset, size) = (number(offset), number(size));
            assert!(offset + size <= len, "{line}");
            if kind == "part" {
                assert!(offset >= end, "{map}");
                end = offset + size;
                if matches!(name, "data" | "zero") {
                    written.get_or_insert(offset);
                }
            }
        }
        assert_eq!(end, len, "{map}");
        written.unwrap_or(len.next_multiple_of(PAGE))
    }

    fn call(&self, what: i64, x: i64) -> i64 {
        let mut call = NativeCall::new(self.region.base(), &[], 16);
        call.gpr[..2].copy_from_slice(&[what as u64, x as u64]);
        // SAFETY: the image begins with `@main`, which takes two integers, and touches its own data alone.
        unsafe { call.invoke() };
        call.rax as i64
    }
}

/// Checks the features that are the same with and without a base.
fn check(image: &Loaded) {
    assert_eq!(image.call(0, 7), 35);
    assert_eq!(image.call(1, 3), 7 + i64::from(b'a'));
    assert_eq!([image.call(2, 1), image.call(2, 5)], [101, 106]);
    assert_eq!([image.call(3, 0), image.call(3, 1249), image.call(3, 0)], [5, 5, 10]);
    assert_eq!(image.call(5, 3), 7);
    assert_eq!(image.call(6, 100), 5050);
    assert_eq!(image.call(7, 0), 0);
    assert_eq!(image.call(99, 0), -1);
}

#[test]
fn an_image_runs_where_it_is_copied() {
    for level in ["-O0", "-O1", "-O2"] {
        let image = Loaded::new(&program(false), &[level], false);
        check(&image);
        assert_eq!(image.call(4, 5), 15);
    }
}

#[test]
fn an_image_with_a_base_holds_addresses() {
    for level in ["-O0", "-O2"] {
        let image = Loaded::new(&program(true), &[level], true);
        check(&image);
        assert_eq!([image.call(4, 0), image.call(4, 1)], [8, 12]);
    }
}

#[test]
fn another_entry_can_be_chosen() {
    let image = Loaded::new(&program(false), &["--entry=@triple"], false);
    assert_eq!(image.call(14, 0), 42);
    let first =
        Loaded::new("func @a(%x: i64) -> i64 {\nentry:\n  ret 5\n}\nfunc @b() {\nentry:\n  ret\n}\n", &[], false);
    assert_eq!(first.call(0, 0), 5);
}

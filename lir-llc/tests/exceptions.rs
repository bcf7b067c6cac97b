//! Objects between C++: exceptions pass through frames of LIR, `backtrace` sees them, and so does the system's unwinder
//! from every single instruction in them. See `testdata/unwind`.

use lir_testing::process::{Ran, run_in_process};
use std::ffi::OsString;
use std::path::Path;
use std::process::Command;

const DATA: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../testdata/unwind");

/// Runs the C++ compiler; false if there is none.
fn cpp(folder: &Path, args: &[&str]) -> bool {
    let Ok(out) = Command::new("c++").current_dir(folder).args(["-mno-red-zone", "-O2"]).args(args).output() else {
        return false;
    };
    assert!(out.status.success(), "c++ {args:?}: {}", String::from_utf8_lossy(&out.stderr));
    true
}

#[test]
fn exceptions_and_walks_pass_through_compiled_code() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    if !cpp(folder, &["-fPIC", "-DMAIN", "-c", &format!("{DATA}/host.cpp"), "-o", "host.o"]) {
        eprintln!("skipped: there is no C++ compiler `c++`");
        return;
    }
    for level in ["-O0", "-O2"] {
        for (reloc, link) in [("pie", "-pie"), ("static", "-no-pie"), ("pic", "-shared")] {
            let object = folder.join("frames.o");
            let args = ["lir-llc", &format!("{DATA}/frames.lir"), level, "--reloc", reloc, "-o"].map(OsString::from);
            let args = args.into_iter().chain([object.into_os_string()]);
            let Ran { status, err, .. } = run_in_process(lir_llc::cli::run, args, "");
            assert_eq!(status, 0, "{err}");
            if reloc == "pic" {
                cpp(folder, &[link, "frames.o", "-o", "libframes.so"]);
                cpp(folder, &["host.o", "-rdynamic", "-L.", "-lframes", "-Wl,-rpath,.", "-o", "main"]);
            } else {
                cpp(folder, &[link, "-Wl,--fatal-warnings", "host.o", "frames.o", "-o", "main"]);
            }
            let ran = Command::new(folder.join("main")).current_dir(folder).output().expect("the program runs");
            let said = String::from_utf8_lossy(&ran.stderr);
            assert!(ran.status.success() && ran.stdout == b"0\n", "{level} {reloc}: {:?} {said}", ran.status);
        }
    }
}

//! Clang's options that are needed to divide a command line: options that take the next word, options of the link, and
//! alternative spellings.
//!
//! Source: `clang --help`, `clang --help-hidden`, and clang's table of options (`Options.td`).

/// Options whose value is the next word.
const WITH_VALUE: &[&str] = &[
    "--assert",
    "--define-macro",
    "--dyld-prefix",
    "--entry",
    "--for-assembler",
    "--for-linker",
    "--force-link",
    "--imacros",
    "--include",
    "--include-directory",
    "--include-directory-after",
    "--include-prefix",
    "--include-with-prefix",
    "--include-with-prefix-after",
    "--include-with-prefix-before",
    "--language",
    "--library-directory",
    "--no-system-header-prefix",
    "--output",
    "--param",
    "--prefix",
    "--resource",
    "--rtlib",
    "--serialize-diagnostics",
    "--specs",
    "--std",
    "--stdlib",
    "--sysroot",
    "--system-header-prefix",
    "--target",
    "--undefine-macro",
    "-A",
    "-B",
    "-D",
    "-F",
    "-G",
    "-I",
    "-L",
    "-MF",
    "-MJ",
    "-MQ",
    "-MT",
    "-T",
    "-Tbss",
    "-Tdata",
    "-Ttext",
    "-U",
    "-Xanalyzer",
    "-Xassembler",
    "-Xclang",
    "-Xcuda-fatbinary",
    "-Xcuda-ptxas",
    "-Xlinker",
    "-Xopenmp-target",
    "-Xpreprocessor",
    "-arch",
    "-aux-info",
    "-b",
    "-ccc-gcc-name",
    "-ccc-install-dir",
    "-cxx-isystem",
    "-darwin-target-variant",
    "-dsym-dir",
    "-dumpbase",
    "-dumpbase-ext",
    "-dumpdir",
    "-e",
    "-fmodules-user-build-path",
    "-framework",
    "-gcc-toolchain",
    "-gen-cdb-fragment-path",
    "-h",
    "-iapinotes-modules",
    "-idirafter",
    "-iframework",
    "-iframeworkwithsysroot",
    "-imacros",
    "-imultilib",
    "-include",
    "-include-pch",
    "-iprefix",
    "-iquote",
    "-isysroot",
    "-isystem",
    "-isystem-after",
    "-ivfsoverlay",
    "-iwithprefix",
    "-iwithprefixbefore",
    "-iwithsysroot",
    "-l",
    "-main-file-name",
    "-meabi",
    "-mllvm",
    "-mmlir",
    "-module-dependency-dir",
    "-mthread-model",
    "-o",
    "-resource-dir",
    "-rpath",
    "-serialize-diagnostics",
    "-soname",
    "-specs",
    "-stdlib++-isystem",
    "-target",
    "-u",
    "-vfsoverlay",
    "-working-directory",
    "-wrapper",
    "-x",
    "-z",
];

/// True if the word after an option belongs to it.
pub(crate) fn takes_value(option: &str) -> bool {
    WITH_VALUE.binary_search(&option).is_ok() || option.starts_with("-Xarch_") || option.starts_with("-Xopenmp-target=")
}

/// True if only the link uses an option.
pub(crate) fn is_for_link(option: &str) -> bool {
    let words = [
        "--entry", "--for-linker", "--force-link", "--library-directory", "--rtlib", "--static", "--shared", "-T",
        "-Tbss", "-Tdata", "-Ttext", "-Xlinker", "-e", "-h", "-no-pie", "-nodefaultlibs", "-nolibc", "-nopie",
        "-nostartfiles", "-nostdlib", "-pie", "-r", "-rdynamic", "-s", "-shared", "-shared-libgcc", "-static",
        "-static-libgcc", "-static-libstdc++", "-static-pie", "-u", "-z",
    ];
    let beginnings = [
        "--ld-path=", "--rtlib=", "--unwindlib=", "-L", "-Wl,", "-fuse-ld=", "-l", "-rpath", "-rtlib=", "-soname",
        "-unwindlib=",
    ];
    words.contains(&option) || beginnings.iter().any(|beginning| option.starts_with(beginning))
}

/// Returns the short spelling of an option.
pub(crate) fn short(option: &str) -> &str {
    match option {
        "--assemble" => "-S",
        "--compile" => "-c",
        "--debug" => "-g",
        "--dependencies" => "-M",
        "--language" => "-x",
        "--optimize" => "-O",
        "--output" => "-o",
        "--preprocess" => "-E",
        "--user-dependencies" => "-MM",
        "--write-dependencies" => "-MD",
        "--write-user-dependencies" => "-MMD",
        other => other,
    }
}

/// True if clang does everything for a command line with this option: it preprocesses, checks, answers a question, or
/// writes a file that is neither assembly nor an object.
pub(crate) fn is_for_clang(option: &str) -> bool {
    let words = [
        "--analyze",
        "--extract-api",
        "--help-hidden",
        "--precompile",
        "--version",
        "-###",
        "-E",
        "-M",
        "-MM",
        "-cc1",
        "-cc1as",
        "-dumpmachine",
        "-dumpspecs",
        "-dumpversion",
        "-emit-ast",
        "-emit-interface-stubs",
        "-emit-llvm",
        "-extract-api",
        "-fsyntax-only",
        "-module-file-info",
        "-rewrite-objc",
        "-verify-pch",
    ];
    words.contains(&option)
        || ["-print-", "--print-", "--autocomplete="].iter().any(|beginning| option.starts_with(beginning))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_with_a_value_are_sorted() {
        assert!(WITH_VALUE.is_sorted());
        assert!(takes_value("-MJ") && takes_value("-Xarch_x86_64") && !takes_value("-MJfile"));
    }
}

//! Options of LLVM's and gcc's tools that users write out of habit, with their names in our tools.

/// The passes of LLVM's old `opt` that have their names here, too.
const PASSES: [&str; 10] = ["dce", "dse", "gvn", "indvars", "inline", "licm", "mem2reg", "reassociate", "sccp", "sroa"];

/// The beginnings of LLVM's options that would be read as `-o` and a file name.
const READ_AS_OUTPUT: [&str; 12] = [
    "-objc-", "-object-", "-only-", "-opaque-pointers", "-openmp-", "-opt-", "-optimize-", "-optsize-", "-orderfile-",
    "-outline-", "-outliner-", "-overwrite-",
];

/// The levels of processors that `lir-llc` knows.
const LEVELS: [&str; 3] = ["v1", "v2", "v3"];

/// The allocators of LLVM's `llc`.
const LLVM_ALLOCATORS: [&str; 4] = ["basic", "default", "greedy", "pbqp"];

/// True if an option of LLVM's would be read as `-o` and a file name.
pub(super) fn is_read_as_output(argument: &str) -> bool {
    READ_AS_OUTPUT.iter().any(|beginning| argument.starts_with(beginning))
}

/// Returns the level of a pipeline of LLVM's, as an option.
fn level(passes: &str) -> Option<String> {
    let level = passes.strip_prefix("default<O")?.strip_suffix('>')?;
    Some(format!("-O{}", if matches!(level, "0" | "1") { level } else { "2" }))
}

/// Translates an argument that our tools do not know, in words for a `help:` line. None if there is no translation.
pub(super) fn advice(tool: &str, argument: &str) -> Option<String> {
    let option = argument.strip_prefix('-')?;
    let option = option.strip_prefix('-').unwrap_or(option);
    let (name, value) = option.split_once('=').map_or((option, None), |(name, value)| (name, Some(value)));
    let (is_opt, is_llc) = (tool == "lir-opt", tool == "lir-llc");
    let written = |ours: String| Some(format!("write `{ours}`"));
    match (name, value) {
        // For other pipelines lir-opt itself has the translation.
        ("passes", Some(passes)) if is_opt => written(level(passes)?),
        ("opt-bisect-limit", Some(_)) if is_opt && !argument.starts_with("--") => written(format!("--{option}")),
        ("opaque-pointers", _) => Some("leave it out: an address is an `i64`".into()),
        ("frame-pointer", Some("all" | "non-leaf")) if is_llc && !argument.starts_with("--") => {
            written("--frame-pointer".into())
        }
        ("verify", None) if is_opt || is_llc => Some("leave it out: inputs are always verified".into()),
        ("debug-pass-manager", None) | ("debug-pass", Some(_)) if is_opt => written("--print-pipeline".into()),
        ("entry-function", Some(function)) if tool == "lir-run" => written(format!("--call '@{function}()'")),
        ("force-interpreter", None) if tool == "lir-run" => written("--interp".into()),
        ("jit" | "jit-kind", _) if tool == "lir-run" => Some("leave it out: the program runs natively".into()),
        ("filetype", Some("obj" | "asm")) if is_opt => {
            Some("leave it out: `lir-llc` makes objects and assembly".into())
        }
        ("filetype", Some("obj" | "asm")) if is_llc => written(format!("--emit={}", value.unwrap_or_default())),
        ("S", None) if is_opt => Some("leave it out: `lir-opt` always writes text".into()),
        ("stop-after" | "stop-before", Some(_)) if is_llc && !argument.starts_with("--") => {
            written("--emit=mir --stop-after=isel".into())
        }
        ("x86-asm-syntax" | "masm", Some("intel")) if is_llc => {
            Some("leave it out: `--emit=asm` is in Intel syntax".into())
        }
        ("x86-asm-syntax" | "masm", Some("att")) if is_llc => {
            Some("use `objdump -d` on an object: `--emit=asm` is in Intel syntax alone".into())
        }
        ("S", None) if is_llc => written("--emit=asm".into()),
        ("c", None) if is_llc => written("--emit=obj".into()),
        ("O" | "O3" | "O4" | "Os" | "Oz" | "Ofast", None) => written("-O2".into()),
        ("march" | "mtriple" | "target" | "triple" | "m64", _) => {
            Some("leave it out: the code is for x86-64 and Linux".into())
        }
        ("mcpu", Some(cpu)) if is_llc => {
            let level = Some(cpu.strip_prefix("x86-64-").unwrap_or(cpu)).filter(|level| LEVELS.contains(level));
            written(format!("--cpu={}", level.unwrap_or("native")))
        }
        ("relocation-model", Some(model)) if is_llc => written(format!("--reloc={model}")),
        ("fPIC" | "fpic", None) if is_llc => written("--reloc=pic".into()),
        ("print-after-all", None) if is_opt => written("--print-after=all".into()),
        ("print-after" | "print-changed" | "time-passes" | "stats" | "verify-each", _)
            if is_opt && !argument.starts_with("--") =>
        {
            written(format!("--{option}"))
        }
        ("p" | "passes" | "print-after" | "print-changed" | "print-after-all", _) if is_llc || tool == "lir-run" => {
            Some(format!("use `lir-opt`, whose output this tool reads: `lir-opt -p gvn FILE | {tool} -`"))
        }
        ("disable-output", None) => written("-o /dev/null".into()),
        ("print-pipeline-passes", None) if is_opt => written("--print-pipeline".into()),
        ("regalloc", Some(allocator)) if is_llc && !argument.starts_with("--") => {
            let ours = if LLVM_ALLOCATORS.contains(&allocator) { "linear-scan" } else { allocator };
            written(format!("--regalloc={ours}"))
        }
        ("vv", None) if tool == "filecheck" => written("-v".into()),
        ("color" | "dump-input-context" | "dump-input-filter", _) if tool == "filecheck" => {
            Some("leave it out: the whole input is printed, without colours".into())
        }
        ("comment-prefixes" | "allow-deprecated-dag-overlap", _) if tool == "filecheck" => Some("leave it out".into()),
        // The passes of the old `opt`.
        (pass, None) if is_opt && PASSES.contains(&pass) => written(format!("-p {pass}")),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::{advice, is_read_as_output};

    #[test]
    fn options_of_others() {
        let opt = |argument| advice("lir-opt", argument).unwrap_or_default();
        let llc = |argument| advice("lir-llc", argument).unwrap_or_default();
        assert_eq!(opt("-passes=default<O3>"), "write `-O2`");
        assert_eq!(advice("lir-run", "-entry-function=f").as_deref(), Some("write `--call '@f()'`"));
        assert_eq!(opt("-opt-bisect-limit=3"), "write `--opt-bisect-limit=3`");
        assert_eq!(llc("-frame-pointer=all"), "write `--frame-pointer`");
        assert_eq!(advice("lir-run", "-force-interpreter").as_deref(), Some("write `--interp`"));
        assert_eq!(opt("-mem2reg"), "write `-p mem2reg`");
        assert_eq!(opt("-S"), "leave it out: `lir-opt` always writes text");
        assert_eq!(llc("-filetype=obj"), "write `--emit=obj`");
        assert_eq!(llc("--filetype=asm"), "write `--emit=asm`");
        assert_eq!(llc("-O3"), "write `-O2`");
        assert_eq!(llc("-regalloc=greedy"), "write `--regalloc=linear-scan`");
        assert_eq!(llc("-regalloc=fast"), "write `--regalloc=fast`");
        assert_eq!([llc("-mcpu=skylake"), llc("-mcpu=x86-64-v3")], ["write `--cpu=native`", "write `--cpu=v3`"]);
        assert_eq!(opt("-filetype=obj"), "leave it out: `lir-llc` makes objects and assembly");
        assert_eq!(llc("-relocation-model=pic"), "write `--reloc=pic`");
        assert_eq!(advice("lir-run", "-S"), None);
        for target in ["-march=arm64", "--target=x86_64-linux-gnu", "-target", "--mtriple=x86_64"] {
            assert!(llc(target).contains("x86-64 and Linux"), "{target}");
        }
        assert_eq!(advice("filecheck", "--vv").as_deref(), Some("write `-v`"));
        assert!(llc("-p").contains("`lir-opt -p gvn FILE | lir-llc -`"));
        assert!(advice("lir-run", "-passes=gvn").is_some_and(|advice| advice.contains("lir-run -")));
        for unknown in ["x.lir", "-", "--nothing", "--filetype=null", "-j16", "-pgvn"] {
            assert_eq!((llc(unknown), opt(unknown)), (String::new(), String::new()), "{unknown}");
        }
    }

    #[test]
    fn names_of_files_are_no_options() {
        assert!(is_read_as_output("-opt-bisect-limit=3") && is_read_as_output("-opaque-pointers"));
        for output in ["-o", "-oout.lir", "-ooptimised.lir", "-o-", "-oopt-x.o", "-oobject.o"] {
            assert!(!is_read_as_output(output), "{output}");
        }
    }
}

//! Options of LLVM's and gcc's tools that users write out of habit: what ours call them.

/// What an argument that our tools do not know is called here, in words for a `help:` line; none where nobody knows.
pub(super) fn advice(tool: &str, argument: &str) -> Option<String> {
    let option = argument.strip_prefix('-')?;
    let option = option.strip_prefix('-').unwrap_or(option);
    let (name, value) = option.split_once('=').map_or((option, None), |(name, value)| (name, Some(value)));
    let is_opt = tool == "lir-opt";
    let written = |ours: String| Some(format!("write `{ours}`"));
    match (name, value) {
        ("passes", Some(passes)) if argument.starts_with("-p") => written(format!("-p {passes}")),
        ("filetype", Some("obj" | "asm")) => written(format!("--emit={}", value.unwrap_or_default())),
        ("S", None) if is_opt => Some("leave it out: what `lir-opt` writes is text".into()),
        ("S", None) => written("--emit=asm".into()),
        ("c", None) => written("--emit=obj".into()),
        ("O" | "O3" | "O4" | "Os" | "Oz" | "Ofast", None) => written("-O2".into()),
        ("march" | "mtriple" | "m64", _) => Some("leave it out: the code is for x86-64 and Linux".into()),
        ("mcpu" | "mattr", Some(cpu)) => written(format!("--cpu={cpu}` or `--cpu=native")),
        ("relocation-model", Some(model)) => written(format!("--reloc={model}")),
        ("fPIC" | "fpic", None) => written("--reloc=pic".into()),
        ("print-after-all", None) => written("--print-after=all".into()),
        ("print-after" | "print-changed" | "time-passes" | "stats" | "verify-each" | "debug-pass-manager", _)
            if !argument.starts_with("--") =>
        {
            written(format!("--{option}"))
        }
        ("disable-output", None) => written("-o /dev/null".into()),
        ("print-pipeline-passes", None) => written("--print-pipeline".into()),
        ("regalloc", Some(allocator)) if !argument.starts_with("--") => written(format!("--regalloc={allocator}")),
        // The passes of the old `opt`.
        (pass, None) if is_opt && pass.len() > 2 && !argument.starts_with("--") => written(format!("-p {pass}")),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::advice;

    #[test]
    fn options_of_others() {
        let opt = |argument| advice("lir-opt", argument).unwrap_or_default();
        let llc = |argument| advice("lir-llc", argument).unwrap_or_default();
        assert_eq!(opt("-passes=mem2reg,gvn"), "write `-p mem2reg,gvn`");
        assert_eq!(opt("-mem2reg"), "write `-p mem2reg`");
        assert_eq!(opt("-S"), "leave it out: what `lir-opt` writes is text");
        assert_eq!(llc("-filetype=obj"), "write `--emit=obj`");
        assert_eq!(llc("--filetype=asm"), "write `--emit=asm`");
        assert_eq!(llc("-O3"), "write `-O2`");
        assert_eq!(llc("-relocation-model=pic"), "write `--reloc=pic`");
        for unknown in ["x.lir", "-", "--nothing", "--filetype=null"] {
            assert_eq!((llc(unknown), opt(unknown)), (String::new(), String::new()), "{unknown}");
        }
    }
}

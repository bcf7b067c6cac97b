//! Options that LIR does not follow although a program may rely on their effect.
//!
//! Options that only make code faster, smaller or harder to attack are ignored: `docs/llvm.md` lists them.

use std::collections::BTreeSet;

/// The values of `-fsanitize=` that clang's front end implements. All others are passes of LLVM.
const CHECKS: &[&str] = &[
    "alignment",
    "array-bounds",
    "bool",
    "builtin",
    "enum",
    "float-cast-overflow",
    "float-divide-by-zero",
    "implicit-bitfield-conversion",
    "implicit-conversion",
    "implicit-integer-arithmetic-value-change",
    "implicit-integer-sign-change",
    "implicit-integer-truncation",
    "implicit-signed-integer-truncation",
    "implicit-unsigned-integer-truncation",
    "integer",
    "integer-divide-by-zero",
    "leak",
    "nonnull-attribute",
    "null",
    "nullability",
    "nullability-arg",
    "nullability-assign",
    "nullability-return",
    "object-size",
    "pointer-overflow",
    "return",
    "returns-nonnull-attribute",
    "shift",
    "shift-base",
    "shift-exponent",
    "signed-integer-overflow",
    "undefined",
    "unreachable",
    "unsigned-integer-overflow",
    "unsigned-shift-base",
    "vla-bound",
];

/// Options or their beginnings, and the reasons why LIR does not follow them.
const REFUSED: &[(&str, &str)] = &[
    ("--coverage", COUNTERS),
    ("-femulated-tls", "thread-local variables use the linker's TLS"),
    ("-fcs-profile-generate", COUNTERS),
    ("-finstrument-functions", "functions do not report that they begin and end"),
    ("-flto", "LIR writes machine code, not LLVM's IR"),
    ("-fpatchable-function-entry", "functions leave no room for patches"),
    ("-fprofile-arcs", COUNTERS),
    ("-fprofile-generate", COUNTERS),
    ("-fprofile-instr-generate", COUNTERS),
    ("-fsanitize-coverage", COUNTERS),
    ("-fsplit-stack", "functions do not grow the stack"),
    ("-ftest-coverage", COUNTERS),
    ("-fthinlto-index", "LIR writes machine code, not LLVM's IR"),
    ("-fxray-instrument", "functions leave no room for patches"),
    ("-fzero-call-used-regs", "functions do not clear registers"),
    ("-m16", WIDTH),
    ("-m32", WIDTH),
    ("-mcmodel=kernel", MODEL),
    ("-mcmodel=large", MODEL),
    ("-mcmodel=medium", MODEL),
    ("-mfentry", "functions do not report that they begin and end"),
    ("-mfunction-return", BRANCHES),
    ("-mgeneral-regs-only", VECTORS),
    ("-mharden-sls", BRANCHES),
    ("-mindirect-branch", BRANCHES),
    ("-mlvi-", BRANCHES),
    ("-mno-red-zone", "functions keep values below the stack pointer"),
    ("-mno-sse", VECTORS),
    ("-mno-sse2", VECTORS),
    ("-mretpoline", BRANCHES),
    ("-mspeculative-load-hardening", BRANCHES),
    ("-msoft-float", VECTORS),
    ("-mstackrealign", "functions expect an aligned stack"),
    ("-mx32", WIDTH),
    ("-p", "functions do not report that they begin and end"),
    ("-pg", "functions do not report that they begin and end"),
];

const COUNTERS: &str = "code does not count how often it is executed";
const WIDTH: &str = "LIR's target is x86-64";
const MODEL: &str = "addresses of code and data are in the low 2 GiB, or relative to rip";
const BRANCHES: &str = "branches and loads are not hardened";
const VECTORS: &str = "functions use the xmm registers";

/// The options of a command line that LIR does not follow.
#[derive(Debug, Default)]
pub struct Unsupported {
    /// The message about the first one.
    refused: Option<String>,
    /// The values of `-fsanitize=` in effect.
    sanitizers: BTreeSet<String>,
}

impl Unsupported {
    /// Notes an option.
    pub fn note(&mut self, option: &str) {
        if let Some(list) = option.strip_prefix("-fsanitize=") {
            self.sanitizers.extend(list.split(',').filter(|s| !CHECKS.contains(s)).map(String::from));
        } else if let Some(list) = option.strip_prefix("-fno-sanitize=") {
            let off: Vec<&str> = list.split(',').collect();
            self.sanitizers.retain(|s| !off.contains(&s.as_str()) && !off.contains(&"all"));
        } else if let Some((_, reason)) = REFUSED.iter().find(|(beginning, _)| is_spelled(option, beginning)) {
            self.refused.get_or_insert_with(|| format!("`{option}` is not supported: {reason}"));
        }
    }
    /// Returns a message if LIR does not follow some option.
    pub fn reason(&self) -> Option<String> {
        let sanitizer = self.sanitizers.first();
        let sanitizer = sanitizer.map(|s| format!("`-fsanitize={s}` is not supported: it is a pass of LLVM"));
        self.refused.clone().or(sanitizer)
    }
}

/// True if an option is a word of the table, perhaps with a value. A word that ends in `-` begins several options.
fn is_spelled(option: &str, word: &str) -> bool {
    option.strip_prefix(word).is_some_and(|rest| rest.is_empty() || rest.starts_with(['=', '-']) || word.ends_with('-'))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reason(options: &[&str]) -> Option<String> {
        let mut all = Unsupported::default();
        options.iter().for_each(|option| all.note(option));
        all.reason()
    }

    #[test]
    fn the_last_word_about_a_sanitizer_counts() {
        assert!(reason(&["-fsanitize=undefined,address"]).is_some_and(|r| r.contains("`-fsanitize=address`")));
        assert_eq!(reason(&["-fsanitize=address", "-fno-sanitize=address", "-fsanitize=undefined"]), None);
        assert_eq!(reason(&["-fsanitize=thread", "-fno-sanitize=all"]), None);
    }

    #[test]
    fn words_are_whole() {
        assert_eq!(
            reason(&["-pthread", "-pedantic", "-pipe", "-fprofile-use=x", "-mcmodel=small", "-mno-sse4.1"]),
            None
        );
        for option in ["-p", "-pg", "-flto=thin", "-mno-sse2", "--coverage", "-mlvi-cfi", "-finstrument-functions"] {
            assert!(reason(&[option]).is_some(), "{option}");
        }
        // The last option about it is the default.
        assert_eq!(reason(&["-fno-lto", "-mred-zone"]), None);
    }
}

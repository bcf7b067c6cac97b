//! The functions of the C library that are known, for declarations with `libc`.
//!
//! One row per function: its name, its signature in C, the attributes that follow from ISO C, and its effect, if a pass
//! can use that. Allocation functions, and functions of `string.h` that write, are only `willreturn`; functions of
//! `stdio.h` have no attributes.
//!
//! Source: ISO/IEC 9899:2024, 7.5 (`errno`), 7.12 (`math.h`), 7.23 (`stdio.h`), 7.24 (`stdlib.h`), 7.26 (`string.h`).

use crate::ir::{AbiParam, Attrs, Decls, Ext, Opcode, Signature, Sym, Type};

/// The effect of a C function, as far as passes use it.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Meaning {
    /// Nothing but its attributes.
    Attributes,
    /// It is an operation of the language.
    Operation(Opcode),
    /// The absolute value of an integer.
    Abs,
    /// It returns memory that was not in use.
    Allocation,
    /// It frees the result of an allocation.
    Free,
    /// A function of `string.h`.
    Text(Text),
    /// A function of `stdio.h` that writes.
    Output(Output),
}

/// A function of `string.h`.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
#[expect(missing_docs, reason = "they are named as in C")]
pub enum Text {
    Memchr,
    Memcmp,
    Memcpy,
    Memmove,
    Memset,
    Stpcpy,
    Strcat,
    Strchr,
    Strcmp,
    Strcpy,
    Strcspn,
    Strlen,
    Strncmp,
    Strncpy,
    Strpbrk,
    Strrchr,
    Strspn,
    Strstr,
}

/// A function of `stdio.h` that writes.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
#[expect(missing_docs, reason = "they are named as in C")]
pub enum Output {
    Fprintf,
    Fputc,
    Fputs,
    Fwrite,
    Printf,
    Putchar,
    Puts,
    Snprintf,
    Sprintf,
}

/// A function of the C library.
#[derive(Debug)]
pub struct LibcFunction {
    /// Its name.
    pub name: &'static str,
    /// The type of the result, then the types of the parameters: `w` i32, `l` i64, `s` f32, `d` f64, `v` nothing, `.`
    /// variable arguments.
    signature: &'static str,
    /// Its attributes, by ISO C.
    pub attrs: Attrs,
    /// Its effect.
    pub meaning: Meaning,
}

const NONE: Attrs = Attrs::NONE;
const RETURNS: Attrs = Attrs::WILLRETURN;
const LOOKS: Attrs = Attrs::READONLY.or(Attrs::WILLRETURN);
const PURE: Attrs = Attrs::READNONE.or(Attrs::WILLRETURN);
const LEAVES: Attrs = Attrs::NORETURN;

const fn row(name: &'static str, signature: &'static str, attrs: Attrs, meaning: Meaning) -> LibcFunction {
    LibcFunction { name, signature, attrs, meaning }
}
const fn other(name: &'static str, signature: &'static str, attrs: Attrs) -> LibcFunction {
    row(name, signature, attrs, Meaning::Attributes)
}
const fn operation(name: &'static str, signature: &'static str, op: Opcode) -> LibcFunction {
    row(name, signature, PURE, Meaning::Operation(op))
}
const fn text(name: &'static str, signature: &'static str, attrs: Attrs, text: Text) -> LibcFunction {
    row(name, signature, attrs, Meaning::Text(text))
}
const fn output(name: &'static str, signature: &'static str, output: Output) -> LibcFunction {
    row(name, signature, NONE, Meaning::Output(output))
}

/// All functions, by name. Those that begin with `__` are glibc's, called by macros of C; `_exit`, `pthread_exit`,
/// `siglongjmp`, `stpcpy` and `strnlen` are POSIX's. `fmin` and `fmax` take a NaN for no number, unlike the operations;
/// no operation rounds as `round` does.
static FUNCTIONS: &[LibcFunction] = &[
    other("_Exit", "vw", LEAVES),
    other("__assert_fail", "vllwl", LEAVES),
    other("__ctype_b_loc", "l", PURE),
    other("__ctype_tolower_loc", "l", PURE),
    other("__ctype_toupper_loc", "l", PURE),
    other("__errno_location", "l", PURE),
    other("_exit", "vw", LEAVES),
    other("_longjmp", "vlw", LEAVES),
    other("abort", "v", LEAVES),
    row("abs", "ww", PURE, Meaning::Abs),
    other("acos", "dd", PURE),
    other("acosf", "ss", PURE),
    other("acosh", "dd", PURE),
    row("aligned_alloc", "lll", RETURNS, Meaning::Allocation),
    other("asin", "dd", PURE),
    other("asinf", "ss", PURE),
    other("asinh", "dd", PURE),
    other("atan", "dd", PURE),
    other("atan2", "ddd", PURE),
    other("atan2f", "sss", PURE),
    other("atanf", "ss", PURE),
    other("atanh", "dd", PURE),
    row("calloc", "lll", RETURNS, Meaning::Allocation),
    other("cbrt", "dd", PURE),
    operation("ceil", "dd", Opcode::Fceil),
    operation("ceilf", "ss", Opcode::Fceil),
    operation("copysign", "ddd", Opcode::Fcopysign),
    operation("copysignf", "sss", Opcode::Fcopysign),
    other("cos", "dd", PURE),
    other("cosf", "ss", PURE),
    other("cosh", "dd", PURE),
    other("erf", "dd", PURE),
    other("erfc", "dd", PURE),
    other("exit", "vw", LEAVES),
    other("exp", "dd", PURE),
    other("exp2", "dd", PURE),
    other("exp2f", "ss", PURE),
    other("expf", "ss", PURE),
    other("expm1", "dd", PURE),
    operation("fabs", "dd", Opcode::Fabs),
    operation("fabsf", "ss", Opcode::Fabs),
    other("fdim", "ddd", PURE),
    operation("floor", "dd", Opcode::Ffloor),
    operation("floorf", "ss", Opcode::Ffloor),
    operation("fma", "dddd", Opcode::Fma),
    operation("fmaf", "ssss", Opcode::Fma),
    other("fmax", "ddd", PURE),
    other("fmaxf", "sss", PURE),
    other("fmin", "ddd", PURE),
    other("fminf", "sss", PURE),
    other("fmod", "ddd", PURE),
    other("fmodf", "sss", PURE),
    output("fprintf", "wll.", Output::Fprintf),
    output("fputc", "wwl", Output::Fputc),
    output("fputs", "wll", Output::Fputs),
    row("free", "vl", RETURNS, Meaning::Free),
    output("fwrite", "lllll", Output::Fwrite),
    other("hypot", "ddd", PURE),
    other("hypotf", "sss", PURE),
    other("isalnum", "ww", LOOKS),
    other("isalpha", "ww", LOOKS),
    other("iscntrl", "ww", LOOKS),
    other("isdigit", "ww", LOOKS),
    other("isgraph", "ww", LOOKS),
    other("islower", "ww", LOOKS),
    other("isprint", "ww", LOOKS),
    other("ispunct", "ww", LOOKS),
    other("isspace", "ww", LOOKS),
    other("isupper", "ww", LOOKS),
    other("isxdigit", "ww", LOOKS),
    row("labs", "ll", PURE, Meaning::Abs),
    other("ldexp", "ddw", PURE),
    other("ldexpf", "ssw", PURE),
    row("llabs", "ll", PURE, Meaning::Abs),
    other("log", "dd", PURE),
    other("log10", "dd", PURE),
    other("log10f", "ss", PURE),
    other("log1p", "dd", PURE),
    other("log2", "dd", PURE),
    other("log2f", "ss", PURE),
    other("logf", "ss", PURE),
    other("longjmp", "vlw", LEAVES),
    row("malloc", "ll", RETURNS, Meaning::Allocation),
    text("memchr", "llwl", LOOKS, Text::Memchr),
    text("memcmp", "wlll", LOOKS, Text::Memcmp),
    text("memcpy", "llll", RETURNS, Text::Memcpy),
    text("memmove", "llll", RETURNS, Text::Memmove),
    text("memset", "llwl", RETURNS, Text::Memset),
    operation("nearbyint", "dd", Opcode::Fnearest),
    operation("nearbyintf", "ss", Opcode::Fnearest),
    other("pow", "ddd", PURE),
    other("powf", "sss", PURE),
    output("printf", "wl.", Output::Printf),
    other("pthread_exit", "vl", LEAVES),
    output("putchar", "ww", Output::Putchar),
    output("puts", "wl", Output::Puts),
    other("quick_exit", "vw", LEAVES),
    row("realloc", "lll", RETURNS, Meaning::Attributes),
    other("remainder", "ddd", PURE),
    operation("rint", "dd", Opcode::Fnearest),
    operation("rintf", "ss", Opcode::Fnearest),
    other("round", "dd", PURE),
    operation("roundeven", "dd", Opcode::Fnearest),
    operation("roundevenf", "ss", Opcode::Fnearest),
    other("roundf", "ss", PURE),
    other("siglongjmp", "vlw", LEAVES),
    other("sin", "dd", PURE),
    other("sinf", "ss", PURE),
    other("sinh", "dd", PURE),
    output("snprintf", "wlll.", Output::Snprintf),
    output("sprintf", "wll.", Output::Sprintf),
    operation("sqrt", "dd", Opcode::Fsqrt),
    operation("sqrtf", "ss", Opcode::Fsqrt),
    text("stpcpy", "lll", RETURNS, Text::Stpcpy),
    text("strcat", "lll", RETURNS, Text::Strcat),
    text("strchr", "llw", LOOKS, Text::Strchr),
    text("strcmp", "wll", LOOKS, Text::Strcmp),
    text("strcpy", "lll", RETURNS, Text::Strcpy),
    text("strcspn", "lll", LOOKS, Text::Strcspn),
    text("strlen", "ll", LOOKS, Text::Strlen),
    other("strncat", "llll", RETURNS),
    text("strncmp", "wlll", LOOKS, Text::Strncmp),
    text("strncpy", "llll", RETURNS, Text::Strncpy),
    other("strnlen", "lll", LOOKS),
    text("strpbrk", "lll", LOOKS, Text::Strpbrk),
    text("strrchr", "llw", LOOKS, Text::Strrchr),
    text("strspn", "lll", LOOKS, Text::Strspn),
    text("strstr", "lll", LOOKS, Text::Strstr),
    other("tan", "dd", PURE),
    other("tanf", "ss", PURE),
    other("tanh", "dd", PURE),
    other("tolower", "ww", LOOKS),
    other("toupper", "ww", LOOKS),
    operation("trunc", "dd", Opcode::Ftrunc),
    operation("truncf", "ss", Opcode::Ftrunc),
];

/// Returns the function of a name, if the signature is C's. The result may be left out.
pub fn find(name: &[u8], signature: &Signature) -> Option<&'static LibcFunction> {
    let at = FUNCTIONS.binary_search_by(|f| f.name.as_bytes().cmp(name)).ok()?;
    Some(&FUNCTIONS[at]).filter(|f| f.agrees(signature))
}

/// Returns the function that a declaration with `libc` means.
#[inline]
pub fn declared(decls: &Decls, sym: Sym) -> Option<&'static LibcFunction> {
    let signature = decls.signature(sym).filter(|s| s.attrs.has(Attrs::LIBC))?;
    find(&decls.syms[sym].name, signature)
}

/// Returns the row of a name.
pub fn named(name: &str) -> Option<&'static LibcFunction> {
    FUNCTIONS.binary_search_by(|f| f.name.cmp(name)).ok().map(|at| &FUNCTIONS[at])
}

impl LibcFunction {
    /// True if a call only reads the memory that the parameter of this number points to: it writes nothing there, does
    /// not keep the address, and does not return it.
    pub fn only_reads(&self, parameter: usize) -> bool {
        match self.meaning {
            Meaning::Text(text) => match text {
                Text::Memcmp | Text::Strcmp | Text::Strcspn | Text::Strlen | Text::Strncmp | Text::Strspn => true,
                Text::Memcpy | Text::Memmove | Text::Stpcpy | Text::Strcat | Text::Strcpy | Text::Strncpy => {
                    parameter == 1
                }
                Text::Strpbrk | Text::Strstr => parameter == 1,
                Text::Memchr | Text::Memset | Text::Strchr | Text::Strrchr => false,
            },
            Meaning::Output(output) => match output {
                Output::Fputs | Output::Fwrite | Output::Printf | Output::Puts => parameter == 0,
                Output::Fprintf | Output::Sprintf => parameter == 1,
                Output::Snprintf => parameter == 2,
                Output::Fputc | Output::Putchar => false,
            },
            _ => false,
        }
    }
    fn agrees(&self, signature: &Signature) -> bool {
        let ours = self.signature();
        ours.params == signature.params
            && ours.variadic == signature.variadic
            && (signature.result.is_none() || ours.result == signature.result)
    }
    /// Returns its signature, with its attributes and `libc`.
    pub fn signature(&self) -> Signature {
        let letters = self.signature.as_bytes();
        let (variadic, letters) = match letters {
            [others @ .., b'.'] => (true, others),
            all => (false, all),
        };
        let types = letters.iter().map(|letter| match letter {
            b'w' => Some(Type::I32),
            b'l' => Some(Type::I64),
            b's' => Some(Type::F32),
            b'd' => Some(Type::F64),
            _ => None,
        });
        let mut types = types.map(|ty| ty.map(|ty| AbiParam::Scalar(ty, Ext::None)));
        let result = types.next().flatten();
        Signature { params: types.flatten().collect(), variadic, result, attrs: self.attrs.or(Attrs::LIBC) }
    }
    /// Returns attributes with C's added, except contradictory ones.
    pub fn add_to(&self, given: Attrs) -> Attrs {
        let mut added = self.attrs;
        if given.has(Attrs::READNONE) {
            added = added.without(Attrs::READONLY);
        }
        if given.has(Attrs::NORETURN) {
            added = added.without(Attrs::WILLRETURN);
        }
        if given.has(Attrs::WILLRETURN) {
            added = added.without(Attrs::NORETURN);
        }
        let all = given.or(added);
        if all.has(Attrs::READNONE) { all.without(Attrs::READONLY) } else { all }
    }
    /// True if it frees the result of an allocation: memory that it is passed is not accessed any more.
    pub fn frees(&self) -> bool {
        self.meaning == Meaning::Free
    }
    /// True if it returns memory that was not in use before.
    pub fn allocates(&self) -> bool {
        self.meaning == Meaning::Allocation
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_sorted_and_well_formed() {
        assert!(FUNCTIONS.is_sorted_by(|a, b| a.name < b.name));
        for f in FUNCTIONS {
            let (first, rest) = f.signature.split_at(1);
            assert!("vwlsd".contains(first), "{}", f.name);
            assert!(rest.trim_end_matches('.').chars().all(|c| "wlsd".contains(c)), "{}", f.name);
            assert!(find(f.name.as_bytes(), &f.signature()).is_some(), "{}", f.name);
        }
    }

    #[test]
    fn other_signatures_are_other_functions() {
        let mut signature = named("strlen").unwrap().signature();
        signature.result = None;
        assert!(find(b"strlen", &signature).is_some());
        signature.params.clear();
        assert!(find(b"strlen", &signature).is_none());
        assert!(find(b"strlem", &named("strlen").unwrap().signature()).is_none());
    }

    #[test]
    fn attributes_do_not_contradict_those_that_are_given() {
        let strlen = named("strlen").unwrap();
        assert_eq!(strlen.add_to(Attrs::READNONE), Attrs::READNONE.or(Attrs::WILLRETURN));
        assert_eq!(strlen.add_to(Attrs::NORETURN), Attrs::NORETURN.or(Attrs::READONLY));
        assert_eq!(named("abs").unwrap().add_to(Attrs::READONLY), PURE);
        assert_eq!(named("abort").unwrap().add_to(Attrs::WILLRETURN), Attrs::WILLRETURN);
    }
}

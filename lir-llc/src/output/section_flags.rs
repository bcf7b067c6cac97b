//! Reads names and flag strings of sections as GNU as reads them.
//!
//! Source: the manual of GNU as (binutils 2.42), section 7.106, `.section name` for ELF targets.

use object::elf::{
    SHF_ALLOC, SHF_EXCLUDE, SHF_EXECINSTR, SHF_GNU_RETAIN, SHF_TLS, SHF_WRITE, SHT_FINI_ARRAY, SHT_INIT_ARRAY,
    SHT_NOBITS, SHT_NOTE, SHT_PREINIT_ARRAY, SHT_PROGBITS,
};

/// Returns the flags (`sh_flags`) of a flag string, or the letter that is not supported: `M` and `S` (with an entry
/// size), `G` and `?` (groups) and `o` (link order) need arguments that LIR cannot give.
pub fn parse(flags: &[u8]) -> Result<u64, char> {
    let mut bits = 0;
    for &c in flags {
        bits |= match c {
            b'a' => SHF_ALLOC.0,
            b'w' => SHF_WRITE.0,
            b'x' => SHF_EXECINSTR.0,
            b'T' => SHF_TLS.0,
            b'e' => SHF_EXCLUDE.0,
            b'R' => SHF_GNU_RETAIN.0,
            other => return Err(other as char),
        };
    }
    Ok(bits)
}

/// Returns the type (`sh_type`) of a section with this name. `zero` is true if its contents are zeros.
pub(super) fn section_type(name: &[u8], zero: bool) -> u32 {
    let named = |prefix: &[u8]| name.strip_prefix(prefix).is_some_and(|rest| rest.is_empty() || rest[0] == b'.');
    let kind = if named(b".init_array") {
        SHT_INIT_ARRAY
    } else if named(b".fini_array") {
        SHT_FINI_ARRAY
    } else if named(b".preinit_array") {
        SHT_PREINIT_ARRAY
    } else if name.starts_with(b".note") {
        SHT_NOTE
    } else if zero && (named(b".bss") || named(b".tbss")) {
        SHT_NOBITS
    } else {
        SHT_PROGBITS
    };
    kind.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_are_flags() {
        assert_eq!(parse(b"awx"), Ok(7));
        assert_eq!(parse(b""), Ok(0));
        assert_eq!(parse(b"aM"), Err('M'));
    }

    #[test]
    fn some_names_have_a_type() {
        assert_eq!(section_type(b".init_array.100", false), SHT_INIT_ARRAY.0);
        assert_eq!(section_type(b".init_arrays", false), SHT_PROGBITS.0);
        assert_eq!(section_type(b".bss.x", true), SHT_NOBITS.0);
        assert_eq!(section_type(b".bss.x", false), SHT_PROGBITS.0);
    }
}

//! Chooses the section of a function or a data object. The choice depends on its kind or on the section that it names.

use super::section_flags;
use crate::output::is_zero;
use lir_syntax::ir::{DataItem, DataObject, Section};
use object::SectionKind;
use object::elf::{
    SHF_ALLOC, SHF_EXECINSTR, SHF_TLS, SHF_WRITE, SHT_FINI_ARRAY, SHT_INIT_ARRAY, SHT_NOBITS, SHT_PREINIT_ARRAY,
    SHT_PROGBITS,
};

/// A section.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Placement<'a> {
    /// Its name.
    pub name: &'a [u8],
    /// `sh_type`.
    pub sh_type: u32,
    /// `sh_flags`.
    pub sh_flags: u64,
    /// Its kind, in the words of the object writer.
    pub kind: SectionKind,
}

const ALLOC: u64 = SHF_ALLOC.0;
const WRITE: u64 = SHF_WRITE.0;
const EXEC: u64 = SHF_EXECINSTR.0;
const TLS: u64 = SHF_TLS.0;

impl Placement<'static> {
    const fn new(name: &'static [u8], sh_type: u32, sh_flags: u64, kind: SectionKind) -> Placement<'static> {
        Placement { name, sh_type, sh_flags, kind }
    }
    /// Code.
    pub const TEXT: Placement<'static> = Self::new(b".text", SHT_PROGBITS.0, ALLOC | EXEC, SectionKind::Text);
    /// Constants without addresses.
    pub const RODATA: Placement<'static> = Self::new(b".rodata", SHT_PROGBITS.0, ALLOC, SectionKind::ReadOnlyData);
    /// Constants with addresses.
    pub const DATA_REL_RO: Placement<'static> =
        Self::new(b".data.rel.ro", SHT_PROGBITS.0, ALLOC | WRITE, SectionKind::ReadOnlyDataWithRel);
    /// Data.
    pub const DATA: Placement<'static> = Self::new(b".data", SHT_PROGBITS.0, ALLOC | WRITE, SectionKind::Data);
    /// Data of zeros.
    pub const BSS: Placement<'static> = Self::new(b".bss", SHT_NOBITS.0, ALLOC | WRITE, SectionKind::UninitializedData);
    /// Thread data.
    pub const TDATA: Placement<'static> = Self::new(b".tdata", SHT_PROGBITS.0, ALLOC | WRITE | TLS, SectionKind::Tls);
    /// Thread data of zeros.
    pub const TBSS: Placement<'static> =
        Self::new(b".tbss", SHT_NOBITS.0, ALLOC | WRITE | TLS, SectionKind::UninitializedTls);
    /// Call frame information.
    pub const EH_FRAME: Placement<'static> = Self::new(b".eh_frame", SHT_PROGBITS.0, ALLOC, SectionKind::ReadOnlyData);
    /// States that the stack need not be executable.
    pub const NOTE_GNU_STACK: Placement<'static> = Self::new(b".note.GNU-stack", SHT_PROGBITS.0, 0, SectionKind::Other);
}

impl<'a> Placement<'a> {
    /// Returns the section of a function that names `section`.
    ///
    /// # Errors
    /// The letter of a flag that LIR cannot express.
    pub fn of_function(section: Option<&'a Section>) -> Result<Placement<'a>, char> {
        section.map_or(Ok(Placement::TEXT), |s| named(s, ALLOC | EXEC, false))
    }

    /// Returns the section of a data object that is defined.
    ///
    /// # Errors
    /// The letter of a flag that LIR cannot express.
    pub(crate) fn of_data(data: &'a DataObject) -> Result<Placement<'a>, char> {
        let zero = data.items.iter().all(is_zero);
        let has_address = data.items.iter().any(|i| matches!(i, DataItem::Addr(..)));
        if let Some(s) = &data.section {
            let implied = match (data.thread, data.constant && !has_address) {
                (true, _) => ALLOC | WRITE | TLS,
                (false, true) => ALLOC,
                (false, false) => ALLOC | WRITE,
            };
            return named(s, implied, zero);
        }
        Ok(match (data.thread, data.constant, zero) {
            (true, _, true) => Placement::TBSS,
            (true, _, false) => Placement::TDATA,
            (false, true, _) if has_address => Placement::DATA_REL_RO,
            (false, true, _) => Placement::RODATA,
            (false, false, true) => Placement::BSS,
            (false, false, false) => Placement::DATA,
        })
    }

    /// True if the section takes no room in the file.
    pub(crate) fn is_nobits(&self) -> bool {
        self.sh_type == SHT_NOBITS.0
    }
    /// True if the section is in memory when the program runs.
    pub(crate) fn is_loaded(&self) -> bool {
        self.sh_flags & ALLOC != 0
    }
}

/// Returns the section that is named. `implied` are the flags if it states none; `zero` is true if its contents are
/// zeros.
fn named(s: &Section, implied: u64, zero: bool) -> Result<Placement<'_>, char> {
    let sh_type = section_flags::section_type(&s.name, zero);
    let array = [SHT_INIT_ARRAY.0, SHT_FINI_ARRAY.0, SHT_PREINIT_ARRAY.0].contains(&sh_type);
    let sh_flags = match &s.flags {
        Some(flags) => section_flags::parse(flags)? | implied & TLS,
        None if array => ALLOC | WRITE,
        None => implied,
    };
    let kind = match (sh_flags & EXEC != 0, sh_flags & TLS != 0, sh_type == SHT_NOBITS.0) {
        (true, _, _) => SectionKind::Text,
        (_, true, true) => SectionKind::UninitializedTls,
        (_, true, false) => SectionKind::Tls,
        (_, _, true) => SectionKind::UninitializedData,
        (_, _, false) => SectionKind::Data,
    };
    Ok(Placement { name: &s.name, sh_type, sh_flags, kind })
}

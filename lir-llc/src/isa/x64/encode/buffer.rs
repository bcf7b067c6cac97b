//! The growing code of a function, and the parts that instructions consist of.

use super::journal::{Entry, Hardware};
use super::{Addr, Base, NO_INDEX, fits_i8};

/// Machine code that grows at its end.
#[derive(Clone, Default, Debug)]
pub struct Code {
    bytes: Vec<u8>,
    len: usize,
    /// True if operations on SSE registers have a VEX prefix.
    avx: bool,
    /// The entries, if they are requested.
    journal: Option<Vec<Entry>>,
}

/// No instruction is longer (the limit is 15).
const ROOM: usize = 16;

impl Code {
    /// Returns the number of bytes.
    #[inline]
    pub fn len(&self) -> usize {
        self.len
    }
    /// True if there are none.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }
    /// Returns the bytes.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes[..self.len]
    }
    /// Returns the offset of the next byte. It saturates, since the code that joins the parts refuses more than 31 bits
    /// count.
    #[inline]
    pub(crate) fn offset(&self) -> u32 {
        u32::try_from(self.len).unwrap_or(u32::MAX)
    }
    /// Returns the bytes, to be patched.
    pub fn bytes_mut(&mut self) -> &mut [u8] {
        &mut self.bytes[..self.len]
    }
    /// Forgets the bytes but keeps the memory.
    pub fn clear(&mut self) {
        self.len = 0;
        if let Some(journal) = &mut self.journal {
            journal.clear();
        }
    }
    /// Takes back the bytes written from this offset on.
    pub fn truncate(&mut self, len: usize) {
        self.len = len;
        if let Some(journal) = &mut self.journal {
            let kept = journal.partition_point(|e| (e.at as usize) < len);
            journal.truncate(kept);
        }
    }
    /// Writes operations on SSE registers with a VEX prefix from now on, or without.
    pub fn use_avx(&mut self, on: bool) {
        self.avx = on;
    }
    /// True if they are written so.
    #[inline]
    pub(crate) fn has_avx(&self) -> bool {
        self.avx
    }
    /// Begins or ends the journal; one that is kept continues.
    pub(crate) fn keep_journal(&mut self, on: bool) {
        match (on, &self.journal) {
            (true, None) => self.journal = Some(Vec::new()),
            (false, Some(_)) => self.journal = None,
            (true, Some(_)) | (false, None) => {}
        }
    }
    /// Returns the entries, ascending by offset. Empty if they are not kept.
    pub fn journal(&self) -> &[Entry] {
        self.journal.as_deref().unwrap_or_default()
    }
    /// Notes the instruction that is written next.
    #[inline]
    pub(super) fn note(&mut self, what: impl FnOnce() -> Hardware) {
        if let Some(journal) = &mut self.journal {
            let at = u32::try_from(self.len).unwrap_or(u32::MAX);
            note_entry(journal, Entry { at, what: what() });
        }
    }
    /// Appends a part of other code, with its part of the journal.
    pub(crate) fn extend_from(&mut self, other: &Code, part: std::ops::Range<usize>) {
        let (at, start) = (self.len as u32, part.start as u32);
        if let (Some(journal), Some(entries)) = (&mut self.journal, &other.journal) {
            let index = |offset: usize| entries.partition_point(|e| (e.at as usize) < offset);
            let moved = entries[index(part.start)..index(part.end)].iter();
            journal.extend(moved.map(|e| Entry { at: e.at - start + at, ..*e }));
        }
        self.extend(&other.bytes()[part]);
    }
    /// Appends bytes.
    pub fn extend(&mut self, bytes: &[u8]) {
        let end = self.len + bytes.len();
        if self.bytes.len() < end + ROOM {
            self.grow(end + ROOM);
        }
        self.bytes[self.len..end].copy_from_slice(bytes);
        self.len = end;
    }

    #[cold]
    fn grow(&mut self, needed: usize) {
        self.bytes.resize(needed.next_multiple_of(4096).max(self.bytes.len() * 2), 0);
    }

    /// Writes an instruction: `f` appends its parts to a window of 16 bytes, which costs one check for all of them.
    /// Returns the result of `f`.
    #[inline]
    pub(super) fn instruction<T>(&mut self, f: impl FnOnce(&mut Window<'_>) -> T) -> T {
        if self.bytes.len() < self.len + ROOM {
            self.grow(self.len + ROOM);
        }
        let (_, rest) = self.bytes.split_at_mut(self.len);
        let (bytes, _) = rest.split_first_chunk_mut::<ROOM>().expect("there is room");
        let mut window = Window { bytes, len: 0 };
        let result = f(&mut window);
        self.len += window.len;
        result
    }
}

#[cold]
fn note_entry(journal: &mut Vec<Entry>, entry: Entry) {
    journal.push(entry);
}

/// The bytes of one instruction.
pub(super) struct Window<'c> {
    bytes: &'c mut [u8; ROOM],
    len: usize,
}

impl Window<'_> {
    /// Writes the prefixes before REX that are not 0.
    #[inline]
    pub(super) fn prefixes(&mut self, mandatory: u8, size: u8) {
        if size != 0 {
            self.byte(size);
        }
        if mandatory != 0 {
            self.byte(mandatory);
        }
    }
    /// Writes the REX prefix, where a bit of it is set or an 8-bit register needs it.
    #[inline]
    pub(super) fn rex(&mut self, bits: u8, byte_register: bool) {
        if bits != 0 || byte_register {
            self.byte(0x40 | bits);
        }
    }
    /// Writes the opcode with its escape bytes.
    #[inline]
    pub(super) fn opcode(&mut self, map: u8, opcode: u8) {
        if map != 0 {
            self.byte(0x0f);
            match map {
                2 => self.byte(0x38),
                3 => self.byte(0x3a),
                4 => self.byte(0xae),
                _ => {}
            }
        }
        self.byte(opcode);
    }
    /// Writes one byte.
    #[inline]
    pub(super) fn byte(&mut self, byte: u8) {
        self.bytes[self.len % ROOM] = byte;
        self.len += 1;
    }
    /// Four bytes.
    #[inline]
    pub(super) fn dword(&mut self, value: i32) {
        if let Some(field) = self.bytes.get_mut(self.len..self.len + 4) {
            field.copy_from_slice(&value.to_le_bytes());
        }
        self.len += 4;
    }
    /// Writes an immediate of 0, 1, 2 or 4 bytes.
    #[inline]
    pub(super) fn immediate(&mut self, bytes: u8, value: i32) {
        match bytes {
            0 => {}
            1 => self.byte(value as u8),
            4 => self.dword(value),
            _ => {
                self.byte(value as u8);
                self.byte((value >> 8) as u8);
            }
        }
    }
    /// ModRM, SIB and displacement of a memory operand. Returns the offset in the instruction of a displacement of 4
    /// bytes, or 0.
    #[inline]
    pub(super) fn address(&mut self, reg: u8, m: &Addr) -> usize {
        let reg = (reg & 7) << 3;
        let sib = |index: u8, base: u8| m.scale << 6 | (index & 7) << 3 | base & 7;
        let base = match m.base {
            Base::Reg(base) => base,
            Base::Rip => {
                debug_assert!(m.index == NO_INDEX);
                self.byte(reg | 5);
                return self.displacement(m.disp);
            }
            Base::None => {
                self.byte(reg | 4);
                self.byte(sib(m.index, 5));
                return self.displacement(m.disp);
            }
        };
        let mode = if m.wide || !fits_i8(m.disp) {
            0x80
        } else if m.disp != 0 || base & 7 == 5 {
            0x40
        } else {
            0
        };
        if m.index == NO_INDEX && base & 7 != 4 {
            self.byte(mode | reg | base & 7);
        } else {
            self.byte(mode | reg | 4);
            self.byte(sib(m.index, base));
        }
        match mode {
            0 => 0,
            0x40 => {
                self.byte(m.disp as u8);
                0
            }
            _ => self.displacement(m.disp),
        }
    }
    #[inline]
    fn displacement(&mut self, disp: i32) -> usize {
        let at = self.len;
        self.dword(disp);
        at
    }
}

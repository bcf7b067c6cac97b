//! The end of assembling: jumps get their sizes, labels and constants their offsets.

use super::{AsmError, Assembler, Label};
use crate::isa::x64::eh_frame::{EhFrame, eh_frame};
use crate::isa::x64::emit::relax::Recorded;
use crate::isa::x64::emit::{CfiRow, CodeBuffer, FunctionCode, MAX_CODE};
use crate::isa::x64::encode::Code;

/// The form of a reference to a symbol.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum RelocationKind {
    /// 4 bytes of a call or jump: the address of the symbol, or of code that jumps there, minus the address of the end
    /// of the field.
    Call,
    /// 8 bytes: the address of the symbol.
    Address,
}

/// A field to be filled in by the linker.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Relocation {
    /// Offset of the field in the bytes.
    pub offset: u32,
    /// Its form.
    pub kind: RelocationKind,
    /// The name of the symbol.
    pub symbol: Box<str>,
}

/// Assembled code, followed by its constants. It may be placed at any multiple of its alignment.
#[derive(Debug)]
pub struct Assembled {
    buffer: CodeBuffer,
    functions: Vec<FunctionCode>,
    align: u32,
    /// The assembler that it comes from.
    id: u32,
    /// The offsets of labels; none for labels that are not bound.
    labels: Vec<Option<u32>>,
    relocations: Vec<Relocation>,
}

impl Assembled {
    /// Returns the code, followed by the constants.
    pub fn bytes(&self) -> &[u8] {
        self.buffer.bytes()
    }
    /// Returns the alignment of the bytes: a power of two.
    pub fn align(&self) -> u32 {
        self.align
    }
    /// Returns the references to symbols, ascending by offset.
    pub fn relocations(&self) -> &[Relocation] {
        &self.relocations
    }
    /// Returns the offset of a label in the bytes. None if it is not bound, or belongs to another assembler.
    pub fn offset(&self, label: Label) -> Option<u32> {
        self.labels.get(label.number as usize).copied().flatten().filter(|_| label.owner == self.id)
    }
    /// Returns the unwind tables, and the offsets of the functions that they are about, in order.
    pub fn unwind_tables(&self) -> (EhFrame, Vec<u32>) {
        let tables = eh_frame(&self.buffer, self.functions.iter());
        (tables, self.functions.iter().map(|f| f.start).collect())
    }
}

impl Assembler {
    /// Puts the code together.
    ///
    /// # Errors
    /// The first thing that was wrong: see [`AsmError`]; a label that is used and not bound; 2 GiB of code.
    #[track_caller]
    pub fn finish(mut self) -> Result<Assembled, AsmError> {
        let unbound = self.labels.iter().filter(|l| !l.is_bound).find_map(|l| l.used);
        if let (None, Some(at)) = (&self.error, unbound) {
            self.error = Some(AsmError { at, message: "the label is never bound".to_string() });
        }
        if self.relax.most(self.code.len()) + self.constants.constants().len() * 16 > MAX_CODE {
            self.fail(&format!("more than {MAX_CODE} bytes of machine code"));
        }
        match self.error.take() {
            Some(error) => Err(error),
            None => self.put_together(),
        }
    }

    fn put_together(mut self) -> Result<Assembled, AsmError> {
        let align = self.relax.solve();
        let mut code = Code::default();
        self.relax.copy(&self.code, &mut code);
        let end = code.offset();
        let constants_at = self.append_constants(&mut code);
        let mut labels: Vec<u32> = (0..self.labels.len() as u32).map(|l| self.relax.address(l) as u32).collect();
        for (label, offset) in self.constant_labels.iter().zip(constants_at) {
            labels[label.number as usize] = offset;
        }
        self.fill_in(&labels, &mut code)?;
        let mut mover = self.relax.mover(0);
        let relocations = self.calls.iter().map(|call| {
            let symbol = self.symbols[call.symbol.number as usize].clone();
            Relocation { offset: mover.of(call.at), kind: call.kind, symbol }
        });
        let relocations = relocations.collect();
        let starts: Vec<u32> =
            [0].into_iter().chain(self.functions.iter().map(|f| labels[f.number as usize])).collect();
        let ends = starts[1..].iter().copied().chain([end]);
        let one = |(&start, end): (&u32, u32)| FunctionCode { start, len: end - start, ..FunctionCode::default() };
        let functions = starts.iter().zip(ends).map(one).collect();
        let rows = self.cfi.iter().zip(self.relax.shifts_of(Recorded::Cfi));
        let cfi = rows.map(|(row, up)| CfiRow { offset: row.offset + up, ..*row }).collect();
        let labels = labels.iter().zip(&self.labels).map(|(offset, l)| l.is_bound.then_some(*offset)).collect();
        let buffer = CodeBuffer { code, cfi, ..CodeBuffer::default() };
        Ok(Assembled { buffer, functions, align, id: self.id, labels, relocations })
    }
    /// Fills the distances of labels in.
    fn fill_in(&self, labels: &[u32], code: &mut Code) -> Result<(), AsmError> {
        let mut mover = self.relax.mover(0);
        for fixup in &self.fixups {
            let at = mover.of(fixup.at);
            let from = at + fixup.to_end as u32;
            let field = &mut code.bytes_mut()[at as usize..at as usize + 4];
            let addend = i32::from_le_bytes([field[0], field[1], field[2], field[3]]);
            // Code is smaller than 2 GiB.
            let distance = labels[fixup.label.number as usize] as i32 - from as i32;
            let Some(distance) = distance.checked_add(addend) else {
                return Err(AsmError { at: fixup.caller, message: "a displacement has 32 bits".to_string() });
            };
            field.copy_from_slice(&distance.to_le_bytes());
        }
        Ok(())
    }

    /// Appends the constants. Returns their offsets by number.
    fn append_constants(&self, code: &mut Code) -> Vec<u32> {
        if self.constants.is_empty() {
            return Vec::new();
        }
        let (offsets, bytes) = self.constants.lay_out();
        const FILLER: [u8; 16] = [0xcc; 16];
        code.extend(&FILLER[..code.len().next_multiple_of(16) - code.len()]);
        let at = code.offset();
        code.extend(&bytes);
        offsets.iter().map(|offset| at + offset).collect()
    }
}

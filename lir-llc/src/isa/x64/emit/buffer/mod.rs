//! The output of emission: code, relocations, constants.

mod cfi;
mod tables;
mod traps;

pub use cfi::{CfiOp, CfiRow};
pub use tables::JumpTables;
pub use traps::{Divisor, TrapCause, TrapSite};

use crate::isa::x64::emit::MAX_CODE;
use crate::isa::x64::encode::{Code, Entry};
use crate::mir::CallTarget;
use crate::mir::allocation::Step;
use lir_syntax::ir::{Block, Inst, PackedOption, Sym};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// The form of a reference from the code to its target.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum RelocKind {
    /// 4 bytes: target + addend - field.
    Pc32,
    /// 4 bytes: the same, of a function or of its entry in the procedure linkage table.
    Plt32,
    /// 4 bytes: entry of the global offset table + addend - field.
    GotPcRel {
        /// The instruction may be rewritten to do without the table. It is a `mov` or `call` with this displacement
        /// alone.
        relaxable: bool,
        /// The instruction has a REX prefix.
        rex: bool,
    },
    /// 4 bytes: offset of a thread-local symbol from the thread pointer + addend.
    TpOff32,
    /// 4 bytes: entry of the global offset table that holds that offset + addend - field.
    GotTpOff,
    /// 4 bytes: the pair of entries that `__tls_get_addr` reads + addend - field.
    TlsGd,
    /// 8 bytes: target + addend.
    Abs64,
}

/// The target of a reference.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum RelocTarget {
    /// A symbol of the module.
    Sym(Sym),
    /// A function of the run-time library, by name.
    Runtime(&'static str),
    /// A constant of the buffer's pool.
    Const(u32),
    /// A jump table of the buffer.
    Table(u32),
}

impl From<CallTarget> for RelocTarget {
    fn from(target: CallTarget) -> RelocTarget {
        match target {
            CallTarget::Sym(s) => RelocTarget::Sym(s),
            CallTarget::Runtime(name) => RelocTarget::Runtime(name),
        }
    }
}

/// A field to be filled in by a linker.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Reloc {
    /// Offset of the field in the code of the buffer.
    pub offset: u32,
    /// The form.
    pub kind: RelocKind,
    /// The target.
    pub target: RelocTarget,
    /// See the kinds. For those relative to the field: includes the distance to the end of the instruction.
    pub addend: i64,
}

/// The start of the code of an instruction, with the moves before it.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Position {
    /// Offset in the code of the buffer.
    pub offset: u32,
    /// Index into the instructions of the machine function.
    pub inst: u32,
    /// The LIR instruction it was made from.
    pub origin: PackedOption<Inst>,
}

/// The start of a block.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct BlockStart {
    /// Offset in the code of the buffer.
    pub offset: u32,
    /// Its number in the machine function.
    pub number: u32,
    /// The LIR block it was made from; none on a critical edge.
    pub label: PackedOption<Block>,
}

/// Constants of 4, 8 and 16 bytes, each once.
#[derive(Clone, Debug, Default)]
pub struct ConstPool {
    constants: Vec<SmallVec<[u8; 16]>>,
    ids: FxHashMap<SmallVec<[u8; 16]>, u32>,
}

impl ConstPool {
    /// Returns the number of the constant with these bytes. Numbers are given in the order of first use.
    pub fn intern(&mut self, bytes: &[u8]) -> u32 {
        debug_assert!(matches!(bytes.len(), 4 | 8 | 16));
        if let Some(id) = self.ids.get(bytes) {
            return *id;
        }
        let id = self.constants.len() as u32;
        self.constants.push(bytes.into());
        self.ids.insert(bytes.into(), id);
        id
    }
    /// Returns all constants by number.
    pub fn constants(&self) -> &[SmallVec<[u8; 16]>] {
        &self.constants
    }
    /// True if there are none.
    pub fn is_empty(&self) -> bool {
        self.constants.is_empty()
    }
    /// Lays the constants out, the large ones first: their offsets by number, and the bytes, which begin at a multiple
    /// of 16.
    pub fn lay_out(&self) -> (Vec<u32>, Vec<u8>) {
        let mut offsets = vec![0; self.constants.len()];
        let mut bytes = Vec::new();
        for size in [16, 8, 4] {
            for (id, c) in self.constants.iter().enumerate().filter(|(_, c)| c.len() == size) {
                offsets[id] = bytes.len() as u32;
                bytes.extend_from_slice(c);
            }
        }
        (offsets, bytes)
    }
}

/// The start of the code of a step.
#[derive(Copy, Clone, Debug)]
pub(crate) struct StepStart {
    /// Offset in the code.
    pub(crate) offset: u32,
    pub(crate) step: Step,
}

/// The code of some functions, one after another.
///
/// The code of a module is the buffers of its parts appended in order ([`CodeBuffer::append`]); the result does not
/// depend on how the functions were divided.
#[derive(Clone, Debug, Default)]
pub struct CodeBuffer {
    /// The bytes; functions begin at multiples of their alignment.
    pub code: Code,
    /// Ascending by offset.
    pub relocs: Vec<Reloc>,
    /// The starts of instructions, ascending, if the options ask for them.
    pub positions: Vec<Position>,
    /// The starts of instructions and edits, ascending, if the options ask for them.
    pub(crate) steps: Vec<StepStart>,
    /// The starts of blocks, ascending, if the options ask for the journal.
    pub blocks: Vec<BlockStart>,
    /// Instructions that trap by a fault other than of memory, ascending. Only if the options ask for positions.
    pub traps: Vec<TrapSite>,
    /// The rules by which callers are found from every instruction, ascending by offset. See [`CodeBuffer::cfi_of`].
    pub cfi: Vec<CfiRow>,
    /// Constants that the code refers to.
    pub consts: ConstPool,
    /// Tables that it jumps through.
    pub tables: JumpTables,
}

/// Alignment of functions, in bytes.
pub(super) const FUNCTION_ALIGN: u32 = 16;
/// Bytes of a line of the caches of instructions and of decoded instructions.
pub(super) const LINE: u32 = 64;

/// The bytes between functions: `int3`.
const FILLER: [u8; LINE as usize] = [0xcc; LINE as usize];

impl CodeBuffer {
    /// Returns the code so far.
    pub fn bytes(&self) -> &[u8] {
        self.code.bytes()
    }
    /// Returns the entries of a list that belong to a function's code. The list ascends by `offset`.
    fn part<'a, T>(list: &'a [T], f: &FunctionCode, offset: impl Fn(&T) -> u32) -> &'a [T] {
        let first = list.partition_point(|x| offset(x) < f.start);
        let count = list[first..].partition_point(|x| offset(x) < f.start + f.len);
        &list[first..first + count]
    }
    /// Returns the journal of a function.
    pub(crate) fn journal_of(&self, f: &FunctionCode) -> &[Entry] {
        Self::part(self.code.journal(), f, |e| e.at)
    }
    /// Returns the relocations of a function.
    pub fn relocs_of(&self, f: &FunctionCode) -> &[Reloc] {
        Self::part(&self.relocs, f, |r| r.offset)
    }
    /// Returns the positions of a function.
    pub(crate) fn positions_of(&self, f: &FunctionCode) -> &[Position] {
        Self::part(&self.positions, f, |p| p.offset)
    }
    /// Returns the steps of a function.
    pub(crate) fn steps_of(&self, f: &FunctionCode) -> &[StepStart] {
        Self::part(&self.steps, f, |s| s.offset)
    }
    /// Returns the blocks of a function.
    pub fn blocks_of(&self, f: &FunctionCode) -> &[BlockStart] {
        Self::part(&self.blocks, f, |b| b.offset)
    }
    /// Returns the changes of the call frame information in the code of a function. Before the first of them the CFA is
    /// rsp + 8, and no register is saved.
    pub fn cfi_of(&self, f: &FunctionCode) -> &[CfiRow] {
        Self::part(&self.cfi, f, |row| row.offset)
    }
    /// Pads the code to this alignment of a function.
    pub(super) fn align(&mut self, align: u32) {
        let gap = self.code.len().next_multiple_of(align as usize) - self.code.len();
        self.code.extend(&FILLER[..gap]);
    }
    /// Appends another buffer, which consists of these functions, and returns their new positions, as if they had been
    /// emitted here.
    ///
    /// # Errors
    /// The index of the first function that does not fit below [`MAX_CODE`]. Then nothing is appended.
    pub fn append(&mut self, other: &CodeBuffer, mut functions: Vec<FunctionCode>) -> Result<Vec<FunctionCode>, usize> {
        let mut end = self.code.len();
        let fits = |f: &FunctionCode| {
            end = end.next_multiple_of(f.align as usize) + f.len as usize;
            end <= MAX_CODE
        };
        if let Some(too_far) = functions.iter().map(fits).position(|fits| !fits) {
            return Err(too_far);
        }
        let consts: Vec<u32> = other.consts.constants.iter().map(|c| self.consts.intern(c)).collect();
        for f in &mut functions {
            self.align(f.align);
            let start = self.code.offset();
            // Functions before this one only push it further.
            self.append_function(other, f, start - f.start, &consts);
            f.start = start;
        }
        Ok(functions)
    }
    /// Appends a function of another buffer. It is moved up by `up` bytes; its constants have the numbers `consts`
    /// here.
    fn append_function(&mut self, other: &CodeBuffer, f: &FunctionCode, up: u32, consts: &[u32]) {
        let tables = other.tables_of(f);
        let (first, moved) = (tables.start, self.tables.len() as u32);
        self.tables.append(&other.tables, tables, up);
        self.code.extend_from(&other.code, f.start as usize..(f.start + f.len) as usize);
        self.relocs.extend(other.relocs_of(f).iter().map(|r| {
            let target = match r.target {
                RelocTarget::Const(c) => RelocTarget::Const(consts[c as usize]),
                RelocTarget::Table(n) => RelocTarget::Table(n - first + moved),
                other @ (RelocTarget::Sym(_) | RelocTarget::Runtime(_)) => other,
            };
            Reloc { offset: r.offset + up, target, ..*r }
        }));
        self.positions.extend(other.positions_of(f).iter().map(|p| Position { offset: p.offset + up, ..*p }));
        self.steps.extend(other.steps_of(f).iter().map(|s| StepStart { offset: s.offset + up, ..*s }));
        self.blocks.extend(other.blocks_of(f).iter().map(|b| BlockStart { offset: b.offset + up, ..*b }));
        let traps = Self::part(&other.traps, f, |t| t.offset);
        self.traps.extend(traps.iter().map(|t| TrapSite { offset: t.offset + up, ..*t }));
        self.cfi.extend(other.cfi_of(f).iter().map(|row| CfiRow { offset: row.offset + up, ..*row }));
    }
    /// Forgets everything but keeps the memory.
    pub fn clear(&mut self) {
        self.code.clear();
        self.relocs.clear();
        self.positions.clear();
        self.steps.clear();
        self.blocks.clear();
        self.traps.clear();
        self.cfi.clear();
        self.consts.constants.clear();
        self.consts.ids.clear();
        self.tables.clear();
    }
}

/// The code of a function.
#[derive(Clone, Debug, Default)]
pub struct FunctionCode {
    /// Offset in the buffer.
    pub start: u32,
    /// Bytes.
    pub len: u32,
    /// Its alignment in bytes, a power of two, by which its loops have their offsets.
    pub align: u32,
    /// Its frame.
    pub frame: FrameInfo,
}

/// The facts about a frame for readers of the code. The rows of [`CodeBuffer::cfi`] say where registers are saved.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub struct FrameInfo {
    /// Bytes between the return address and rsp after the prologue (without the alignment of rsp).
    pub size: u64,
    /// Length of the prologue.
    pub prologue_len: u32,
    /// True if the prologue is not at the entry. Then there are paths through the function without a frame.
    pub late: bool,
}

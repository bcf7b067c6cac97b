//! Addresses, loads, stores, copies of bytes, and dynamic stack memory.

use super::function::FunctionWriter;
use super::signature::piece_type;
use super::types::type_name;
use lir_syntax::abi::{Piece, RegClass};
use lir_syntax::ir::{Base, Inst, InstData, Mem, Opcode, Operand, Type};

/// The parameters of `llvm.memcpy` and `llvm.memmove`.
const COPY: &str = "ptr, ptr, i64, i1 immarg";

impl FunctionWriter<'_, '_> {
    /// Returns the pointer of a memory operand.
    ///
    /// An operand with a symbol or a stack object is based on that object. Any other operand is a number until it is
    /// complete: then it may reach all objects whose addresses were taken, as in LIR, where the base may be the number
    /// and the index the address.
    pub(super) fn pointer(&mut self, m: Mem) -> String {
        match self.named_base(m) {
            Some(base) if !is_far(m) => {
                let base = base.to_string();
                match self.offset(m) {
                    Some(offset) => self.step(format_args!("getelementptr i8, ptr {base}, i64 {offset}")),
                    None => base,
                }
            }
            _ => {
                let number = self.number(m);
                if m.index.is_none() && m.base == Base::None {
                    return format!("inttoptr (i64 {number} to ptr)");
                }
                self.step(format_args!("inttoptr i64 {number} to ptr"))
            }
        }
    }
    fn named_base(&self, m: Mem) -> Option<&str> {
        match m.base {
            Base::Obj(o) => Some(self.obj(o)),
            Base::Sym(s) => Some(self.shared.symbols.name(s)),
            Base::None | Base::Reg(_) => None,
        }
    }
    /// Returns the sum of index and displacement; none if there is neither.
    fn offset(&mut self, m: Mem) -> Option<String> {
        let Some(index) = m.index else { return (m.disp != 0).then(|| m.disp.to_string()) };
        let mut sum = self.reg(index).to_string();
        if m.scale > 1 {
            sum = self.step(format_args!("shl i64 {sum}, {}", m.scale.trailing_zeros()));
        }
        if m.disp != 0 {
            sum = self.step(format_args!("add i64 {sum}, {}", m.disp));
        }
        Some(sum)
    }
    /// Returns the address of a memory operand as an `i64`.
    fn number(&mut self, m: Mem) -> String {
        let base = match m.base {
            Base::None => None,
            Base::Reg(r) => {
                let number = self.reg(r).to_string();
                Some(if is_far(m) { self.hidden(&number) } else { number })
            }
            Base::Obj(_) | Base::Sym(_) => {
                let pointer = self.named_base(m).unwrap_or_default().to_string();
                let number = self.step(format_args!("ptrtoint ptr {pointer} to i64"));
                Some(if is_far(m) { self.hidden(&number) } else { number })
            }
        };
        match (base, self.offset(m)) {
            (Some(base), Some(offset)) => self.step(format_args!("add i64 {base}, {offset}")),
            (Some(only), None) | (None, Some(only)) => only,
            (None, None) => "0".into(),
        }
    }
    /// Returns the same number, hidden from LLVM's optimizer as a result of assembly without instructions.
    fn hidden(&mut self, number: &str) -> String {
        self.step(format_args!("call i64 asm \"\", \"=r,0\"(i64 {number})"))
    }
    pub(super) fn lea(&mut self, i: Inst, m: Mem) {
        match self.named_base(m) {
            Some(base) if m.index.is_none() && m.disp == 0 => {
                let base = base.to_string();
                self.assign(i, format_args!("ptrtoint ptr {base} to i64"));
            }
            _ => {
                let number = self.number(m);
                self.assign(i, format_args!("bitcast i64 {number} to i64"));
            }
        }
    }

    /// Translates a load. Memory that was never written gives `undef` in LLVM, which `freeze` turns into a value.
    pub(super) fn load(&mut self, i: Inst, m: Mem) {
        let d = *self.f.inst(i);
        let (t, pointer) = (type_name(d.ty), self.pointer(m));
        let volatile = if d.is_volatile() { "volatile " } else { "" };
        if self.is_constant_data(m) {
            self.assign(i, format_args!("load {volatile}{t}, ptr {pointer}, align 1"));
            return;
        }
        let loaded = self.step(format_args!("load {volatile}{t}, ptr {pointer}, align 1"));
        self.assign(i, format_args!("freeze {t} {loaded}"));
    }
    /// True if all bytes of the object are written: it is constant data of this module.
    fn is_constant_data(&self, m: Mem) -> bool {
        let Base::Sym(s) = m.base else { return false };
        self.shared.decls.data_of(s).is_some_and(|d| d.constant && !d.is_extern)
    }
    pub(super) fn store(&mut self, d: &InstData, m: Mem, value: Operand) {
        let (t, pointer, value) = (type_name(d.ty), self.pointer(m), self.value(value, d.ty));
        let volatile = if d.is_volatile() { "volatile " } else { "" };
        self.line(format_args!("store {volatile}{t} {value}, ptr {pointer}, align 1"));
    }

    pub(super) fn copy_bytes(&mut self, op: Opcode, to: Mem, from: Mem, length: Operand) {
        let (to, from) = (self.pointer(to), self.pointer(from));
        let length = self.value(length, Type::I64);
        self.copy_memory(op == Opcode::Memmove, &to, &from, &length);
    }
    /// Writes a copy of bytes from one pointer to another.
    pub(super) fn copy_memory(&mut self, overlaps: bool, to: &str, from: &str, length: &str) {
        let name = if overlaps { "llvm.memmove.p0.p0.i64" } else { "llvm.memcpy.p0.p0.i64" };
        let f = self.shared.declare(name, "void", COPY, "");
        self.line(format_args!("call void {f}(ptr {to}, ptr {from}, i64 {length}, i1 false)"));
    }
    pub(super) fn fill(&mut self, to: Mem, byte: Operand, length: Operand) {
        let to = self.pointer(to);
        let (byte, length) = (self.value(byte, Type::I8), self.value(length, Type::I64));
        let f = self.shared.declare("llvm.memset.p0.i64", "void", "ptr, i8, i64, i1 immarg", "");
        self.line(format_args!("call void {f}(ptr {to}, i8 {byte}, i64 {length}, i1 false)"));
    }

    pub(super) fn dynamic_memory(&mut self, i: Inst, size: Operand, alignment: u64) {
        let size = self.value(size, Type::I64);
        let alignment = alignment.max(self.alignment_of_arguments());
        let memory = self.step(format_args!("alloca i8, i64 {size}, align {alignment}"));
        self.assign(i, format_args!("ptrtoint ptr {memory} to i64"));
    }
    /// Saves the stack pointer. The intrinsics have their names of LLVM before version 18, which later versions still
    /// accept.
    pub(super) fn save_stack(&mut self, i: Inst) {
        let f = self.shared.declare("llvm.stacksave", "ptr", "", "");
        let saved = self.step(format_args!("call ptr {f}()"));
        self.assign(i, format_args!("ptrtoint ptr {saved} to i64"));
    }
    pub(super) fn restore_stack(&mut self, saved: Operand) {
        let saved = self.value(saved, Type::I64);
        let pointer = self.step(format_args!("inttoptr i64 {saved} to ptr"));
        let f = self.shared.declare("llvm.stackrestore", "void", "ptr", "");
        self.line(format_args!("call void {f}(ptr {pointer})"));
    }

    /// Returns the pointer this many bytes after another.
    pub(super) fn field(&mut self, pointer: &str, offset: u64) -> String {
        match offset {
            0 => pointer.to_string(),
            _ => self.step(format_args!("getelementptr i8, ptr {pointer}, i64 {offset}")),
        }
    }
    /// Reads the piece of an aggregate.
    pub(super) fn load_piece(&mut self, p: &Piece, aggregate: &str) -> String {
        let from = self.field(aggregate, p.offset.into());
        if is_partial(p) {
            let bits = 8 * p.bytes;
            let low = self.step(format_args!("load i{bits}, ptr {from}, align 1"));
            let wide = self.step(format_args!("zext i{bits} {low} to i64"));
            return self.step(format_args!("bitcast i64 {wide} to double"));
        }
        self.step(format_args!("load {}, ptr {from}, align 1", piece_type(p)))
    }
    /// Writes the piece of an aggregate.
    pub(super) fn store_piece(&mut self, p: &Piece, aggregate: &str, value: &str) {
        let to = self.field(aggregate, p.offset.into());
        if is_partial(p) {
            let bits = 8 * p.bytes;
            let wide = self.step(format_args!("bitcast double {value} to i64"));
            let low = self.step(format_args!("trunc i64 {wide} to i{bits}"));
            self.line(format_args!("store i{bits} {low}, ptr {to}, align 1"));
            return;
        }
        self.line(format_args!("store {} {value}, ptr {to}, align 1", piece_type(p)));
    }
}

/// True if an address is so far from its base that LLVM's instruction selection may combine both into an operand that
/// cannot be encoded. The base may be a symbol's address in a register. LLVM accepts every negative displacement, and
/// without optimization every positive one (`isOffsetSuitableForCodeModel` and `X86FastISel` in version 19).
fn is_far(m: Mem) -> bool {
    matches!(m.base, Base::Sym(_) | Base::Reg(_)) && m.disp.unsigned_abs() >= 1 << 24
}

/// True if the number of bytes in a float register is not the size of a float type.
fn is_partial(p: &Piece) -> bool {
    p.class == RegClass::Float && !p.is_vector() && !matches!(p.bytes, 4 | 8)
}

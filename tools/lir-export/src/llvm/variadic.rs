//! Variable arguments. LLVM's intrinsics begin, copy and end a list; the next argument is found by the fields of the
//! list in the System V convention, since LLVM's instruction `va_arg` does not support aggregates.

use super::function::FunctionWriter;
use super::types::type_name;
use lir_syntax::abi::va_list::{
    FLOAT_END, FLOAT_STRIDE, FP_OFFSET, GP_OFFSET, INT_END, INT_STRIDE, OVERFLOW_AREA, SAVE_AREA,
};
use lir_syntax::abi::{AggClass, Eightbytes, Piece, RegClass, class_of, classify};
use lir_syntax::ir::{Agg, Inst, Mem, Opcode};

/// An argument to find: its registers, its size and its alignment on the stack.
struct Wanted {
    pieces: Eightbytes<Piece>,
    size: u64,
    align: u64,
}

impl FunctionWriter<'_, '_> {
    /// Translates `va_start` and `va_end`. The intrinsics have their names of LLVM before version 19, which later
    /// versions still accept.
    pub(super) fn list_of_one(&mut self, op: Opcode, list: Mem) {
        let name = if op == Opcode::VaStart { "llvm.va_start" } else { "llvm.va_end" };
        let list = self.pointer(list);
        let f = self.shared.declare(name, "void", "ptr", "");
        self.line(format_args!("call void {f}(ptr {list})"));
    }
    pub(super) fn copy_list(&mut self, to: Mem, from: Mem) {
        let (to, from) = (self.pointer(to), self.pointer(from));
        let f = self.shared.declare("llvm.va_copy", "void", "ptr, ptr", "");
        self.line(format_args!("call void {f}(ptr {to}, ptr {from})"));
    }

    /// Translates `va_arg` of a scalar.
    pub(super) fn next_argument(&mut self, i: Inst, list: Mem) {
        let ty = self.f.inst(i).ty;
        let list = self.pointer(list);
        let piece = Piece { offset: 0, bytes: ty.bytes(), class: class_of(ty) };
        let wanted = Wanted { pieces: std::iter::once(piece).collect(), size: ty.bytes().into(), align: 8 };
        let memory = self.memory(wanted.size, 8);
        self.find(&list, &wanted, &memory);
        let t = type_name(ty);
        let loaded = self.step(format_args!("load {t}, ptr {memory}, align 1"));
        self.assign(i, format_args!("freeze {t} {loaded}"));
    }
    /// Translates `va_arg` of an aggregate.
    pub(super) fn next_aggregate(&mut self, a: Agg, to: Mem, list: Mem) {
        let ty = &self.shared.decls.types[a];
        let (size, align) = (ty.size, ty.align);
        let pieces = match classify(self.shared.decls, a) {
            AggClass::Empty => return,
            AggClass::Memory => Eightbytes::default(),
            AggClass::Regs(pieces) => pieces,
        };
        let list = self.pointer(list);
        let memory = self.memory(size, align);
        self.find(&list, &Wanted { pieces, size, align }, &memory);
        let to = self.pointer(to);
        self.copy_memory(false, &to, &memory, &size.to_string());
    }

    /// Copies the next argument to memory of this function, and advances the list.
    fn find(&mut self, list: &str, wanted: &Wanted, to: &str) {
        let count = |class| wanted.pieces.iter().filter(|p| p.class == class).count() as u32;
        let (ints, floats) = (count(RegClass::Int), count(RegClass::Float));
        if wanted.pieces.is_empty() {
            self.on_stack(list, wanted, to);
            return;
        }
        let (in_registers, on_stack, done) = (self.new_label(), self.new_label(), self.new_label());
        let (int_at, ints_fit) = self.offset_in_area(list, GP_OFFSET, INT_END - ints * INT_STRIDE);
        let (float_at, floats_fit) = self.offset_in_area(list, FP_OFFSET, FLOAT_END - floats * FLOAT_STRIDE);
        let fit = match (ints, floats) {
            (0, _) => floats_fit,
            (_, 0) => ints_fit,
            _ => self.step(format_args!("and i1 {ints_fit}, {floats_fit}")),
        };
        self.line(format_args!("br i1 {fit}, label %{in_registers}, label %{on_stack}"));
        self.begin(&in_registers);
        self.take_from_save_area(list, wanted, to, &int_at, &float_at);
        self.line(format_args!("br label %{done}"));
        self.begin(&on_stack);
        self.on_stack(list, wanted, to);
        self.line(format_args!("br label %{done}"));
        self.begin(&done);
    }
    /// Reads an offset in the save area, and tests whether it is at most `last`.
    fn offset_in_area(&mut self, list: &str, field: u32, last: u32) -> (String, String) {
        let field = self.field(list, field.into());
        let at = self.step(format_args!("load i32, ptr {field}, align 1"));
        let fits = self.step(format_args!("icmp ule i32 {at}, {last}"));
        (at, fits)
    }
    /// Copies the pieces from the saved registers.
    fn take_from_save_area(&mut self, list: &str, wanted: &Wanted, to: &str, int_at: &str, float_at: &str) {
        let field = self.field(list, SAVE_AREA.into());
        let area = self.step(format_args!("load ptr, ptr {field}, align 1"));
        let (mut int_at, mut float_at) = (int_at.to_string(), float_at.to_string());
        for p in wanted.pieces.iter() {
            let (at, stride) = match p.class {
                RegClass::Int => (&mut int_at, INT_STRIDE),
                RegClass::Float => (&mut float_at, FLOAT_STRIDE),
            };
            let offset = self.step(format_args!("zext i32 {at} to i64"));
            let from = self.step(format_args!("getelementptr i8, ptr {area}, i64 {offset}"));
            let value = self.load_piece(&Piece { offset: 0, ..*p }, &from);
            self.store_piece(p, to, &value);
            *at = self.step(format_args!("add i32 {at}, {stride}"));
        }
        for (at, offset) in [(int_at, GP_OFFSET), (float_at, FP_OFFSET)] {
            let field = self.field(list, offset.into());
            self.line(format_args!("store i32 {at}, ptr {field}, align 1"));
        }
    }
    /// Copies the argument from the stack.
    fn on_stack(&mut self, list: &str, wanted: &Wanted, to: &str) {
        let field = self.field(list, OVERFLOW_AREA.into());
        let mut from = self.step(format_args!("load ptr, ptr {field}, align 1"));
        if wanted.align > 8 {
            let number = self.step(format_args!("ptrtoint ptr {from} to i64"));
            let up = self.step(format_args!("add i64 {number}, {}", wanted.align - 1));
            let aligned = self.step(format_args!("and i64 {up}, -{}", wanted.align));
            from = self.step(format_args!("inttoptr i64 {aligned} to ptr"));
        }
        self.copy_memory(false, to, &from, &wanted.size.to_string());
        let next = self.step(format_args!("getelementptr i8, ptr {from}, i64 {}", wanted.size.next_multiple_of(8)));
        self.line(format_args!("store ptr {next}, ptr {field}, align 1"));
    }
}

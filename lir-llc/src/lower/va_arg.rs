//! Lowers `va_arg` and `va_copy` to loads, stores and selects on the fields of the argument list.
//!
//! The code is branch-free: a select between the two locations that an argument may have.
//! [`va_list`](lir_syntax::abi::va_list) describes the fields.
//!
//! Source: System V ABI, AMD64 supplement, section 3.5.7.

use lir_syntax::abi::va_list::{
    FLOAT_END, FLOAT_STRIDE, FP_OFFSET, GP_OFFSET, INT_END, INT_STRIDE, OVERFLOW_AREA, SAVE_AREA,
};
use lir_syntax::abi::{AggClass, Piece, RegClass, class_of, classify};
use lir_syntax::ir::builder::FunctionBuilder;
use lir_syntax::ir::{Base, Decls, Function, Inst, IntCC, Mem, Reg, Type, VA_LIST_SIZE};

/// `va_arg T [m]`.
pub(super) fn scalar(e: &mut FunctionBuilder<'_>, ty: Type, mem: Mem) -> Reg {
    let list = e.lea(mem);
    let piece = Piece { offset: 0, bytes: ty.bytes(), class: class_of(ty) };
    let location = advance(e, list, &[piece], 8, 8);
    e.load(ty, Mem::reg(location.pieces[0]))
}

/// `va_arg :agg [r], [m]`.
pub(super) fn aggregate(decls: &Decls, f: &mut Function, i: Inst) {
    let (agg, dst, mem) = (f.inst(i).agg(), f.mem_dst(i), f.mem_src(i));
    let (size, align) = (decls.types[agg].size, decls.types[agg].align);
    let e = &mut FunctionBuilder::before(f, i);
    match classify(decls, agg) {
        AggClass::Empty => {}
        AggClass::Memory => {
            let list = e.lea(mem);
            let from = advance(e, list, &[], size, align).overflow;
            e.memcpy(dst, Mem::reg(from), size as i64);
        }
        AggClass::Regs(pieces) => {
            let list = e.lea(mem);
            let to = e.lea(dst);
            let location = advance(e, list, &pieces, size, align);
            for (p, &from) in pieces.iter().zip(&location.pieces) {
                copy_piece(e, to, from, p);
            }
        }
    }
    f.remove_inst(i);
}

/// `va_copy [d], [s]`.
pub(super) fn copy(f: &mut Function, i: Inst) {
    let (dst, src) = (f.mem_dst(i), f.mem_src(i));
    let n = f.make_typed_const(Type::I64, VA_LIST_SIZE);
    let copy = f.memcpy(dst, src, n);
    f.replace_inst(i, copy);
}

/// The location of the pieces of an argument.
struct ArgLocation {
    /// The address of each piece.
    pieces: Vec<Reg>,
    /// The address in the overflow area.
    overflow: Reg,
}

/// Finds an argument of these pieces (none: always on the stack) and moves the list past it.
fn advance(e: &mut FunctionBuilder<'_>, list: Reg, pieces: &[Piece], size: u64, align: u64) -> ArgLocation {
    let field = |offset: u32| Mem { disp: offset as i32, ..Mem::reg(list) };
    let count = |class| pieces.iter().filter(|p| p.class == class).count() as i64;
    let (ints, floats) = (count(RegClass::Int), count(RegClass::Float));
    let next = e.load(Type::I64, field(OVERFLOW_AREA));
    let overflow = if align > 8 {
        let up = e.add(next, align as i64 - 1);
        e.and(up, -(align as i64))
    } else {
        next
    };
    let past = e.add(overflow, size.next_multiple_of(8) as i64);
    if pieces.is_empty() {
        e.store(Type::I64, field(OVERFLOW_AREA), past);
        return ArgLocation { pieces: Vec::new(), overflow };
    }
    let save = e.load(Type::I64, field(SAVE_AREA));
    let mut fits = None;
    let mut cursor = |e: &mut FunctionBuilder<'_>, n: i64, offset: u32, end: u32, stride: u32| {
        let old = e.load(Type::I32, field(offset));
        if n > 0 {
            let fit = e.compare(IntCC::Ule, old, i64::from(end) - n * i64::from(stride));
            fits = Some(match fits {
                None => fit,
                Some(other) => e.and(other, fit),
            });
        }
        old
    };
    let gp = cursor(e, ints, GP_OFFSET, INT_END, INT_STRIDE);
    let fp = cursor(e, floats, FP_OFFSET, FLOAT_END, FLOAT_STRIDE);
    let fits = fits.expect("there is a piece");
    for (old, n, offset, stride) in [(gp, ints, GP_OFFSET, INT_STRIDE), (fp, floats, FP_OFFSET, FLOAT_STRIDE)] {
        if n > 0 {
            let new = e.add(old, n * i64::from(stride));
            let new = e.select(fits, new, old);
            e.store(Type::I32, field(offset), new);
        }
    }
    // An argument in registers leaves the overflow area as it is, aligned or not.
    let new_overflow = e.select(fits, next, past);
    e.store(Type::I64, field(OVERFLOW_AREA), new_overflow);
    let (mut int_at, mut float_at) = (0, 0);
    let address = |p: &Piece| {
        let (old, at, stride) = match p.class {
            RegClass::Int => (gp, &mut int_at, INT_STRIDE),
            RegClass::Float => (fp, &mut float_at, FLOAT_STRIDE),
        };
        let base = e.zext(old, Type::I64);
        let saved = e.lea(Mem { base: Base::Reg(save), index: Some(base), scale: 1, disp: *at });
        *at += stride as i32;
        let stacked = e.lea(Mem { disp: p.offset as i32, ..Mem::reg(overflow) });
        e.select(fits, saved, stacked)
    };
    ArgLocation { pieces: pieces.iter().map(address).collect(), overflow }
}

/// Copies the bytes of a piece, and no others, in powers of two.
fn copy_piece(e: &mut FunctionBuilder<'_>, to: Reg, from: Reg, p: &Piece) {
    let mut done = 0;
    while done < p.bytes {
        let ty = match p.bytes - done {
            8.. => Type::I64,
            4..8 => Type::I32,
            2..4 => Type::I16,
            _ => Type::I8,
        };
        let v = e.load(ty, Mem { disp: done as i32, ..Mem::reg(from) });
        e.store(ty, Mem { disp: (p.offset + done) as i32, ..Mem::reg(to) }, v);
        done += ty.bytes();
    }
}

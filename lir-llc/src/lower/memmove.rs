//! Expands `memmove` where the C library's may not be called: ranges that overlap are copied byte by byte, in the
//! direction that reads each byte before it is written.
//!
//! ```text
//!   memmove [%to], [%from], %n   =>     %above = sub i64 %to, %from
//!                                       %below = sub i64 %from, %to
//!                                       %distance = umin i64 %above, %below
//!                                       br uge i64 %distance, %n, apart, near
//!                                     apart:
//!                                       memcpy [%to], [%from], %n
//!                                       jmp rest
//!                                     near:
//!                                       br ult i64 %above, %n, down, up
//!                                     down: ..      a loop from the last byte to the first
//!                                     up: ..        a loop from the first byte to the last
//!                                     rest:
//! ```
//!
//! Without a sign, `%above` is less than `%n` where the destination begins inside of the source, and `%below` where it
//! is the other way round. Equal addresses take the path `down`, no bytes the path `apart`: both loops copy at least
//! one. A `memmove` of few bytes stays: selection copies it through registers.

use super::split_around;
use lir_syntax::ir::builder::FunctionBuilder;
use lir_syntax::ir::{Block, Function, Inst, IntCC, Mem, Opcode, Reg, Type};

/// Limit on the bytes of a `memmove` that selection holds in registers as a whole, since the destination may overlap
/// the source.
const MAX_MOVED_BYTES: i64 = 64;

/// Returns the length of a `memmove` that is done through registers. None if it is longer or unknown.
pub(crate) fn moved_in_registers(f: &Function, i: Inst) -> Option<u32> {
    let n = f.constant(f.inst(i).length()).filter(|n| (0..=MAX_MOVED_BYTES).contains(n))?;
    Some(n as u32)
}

/// Expands a `memmove`. The instructions after it move into a block of their own.
pub(super) fn expand(f: &mut Function, i: Inst) {
    let (to, from, length, loc) = (f.mem_dst(i), f.mem_src(i), f.inst(i).length(), f.debug_loc(i));
    let (b, [apart, near, down, up, rest]) = split_around(f, i);
    f.remove_inst(i);
    let e = &mut FunctionBuilder::new(f);
    e.loc = loc;
    e.switch_to(b);
    let (to, from) = (e.lea(to), e.lea(from));
    let n = length.as_reg().unwrap_or_else(|| e.constant(Type::I64, length));
    let (above, below) = (e.sub(to, from), e.sub(from, to));
    let distance = e.binary(Opcode::Umin, Type::I64, above, below);
    e.branch(IntCC::Uge, distance, n, apart, near);
    e.switch_to(apart);
    e.memcpy(Mem::reg(to), Mem::reg(from), n);
    e.jmp(rest);
    e.switch_to(near);
    e.branch(IntCC::Ult, above, n, down, up);
    copy_down(e, (near, down, rest), (to, from), n);
    copy_up(e, (near, up, rest), (to, from), n);
}

/// Makes a loop that copies `n` bytes, at least one, from the last to the first.
fn copy_down(e: &mut FunctionBuilder<'_>, (before, here, rest): (Block, Block, Block), (to, from): (Reg, Reg), n: Reg) {
    e.switch_to(here);
    let next = e.reg(Type::I64);
    let left = e.phi(Type::I64, &[(before, n.into()), (here, next.into())]);
    e.assign(next).binary(Opcode::Sub, Type::I64, left, 1);
    copy_byte(e, (to, from), next);
    e.branch(IntCC::Ne, next, 0, here, rest);
}

/// Makes a loop that copies `n` bytes, at least one, from the first to the last.
fn copy_up(e: &mut FunctionBuilder<'_>, (before, here, rest): (Block, Block, Block), (to, from): (Reg, Reg), n: Reg) {
    e.switch_to(here);
    let next = e.reg(Type::I64);
    let done = e.phi(Type::I64, &[(before, 0.into()), (here, next.into())]);
    copy_byte(e, (to, from), done);
    e.assign(next).binary(Opcode::Add, Type::I64, done, 1);
    e.branch(IntCC::Ult, next, n, here, rest);
}

fn copy_byte(e: &mut FunctionBuilder<'_>, (to, from): (Reg, Reg), at: Reg) {
    let byte = e.load(Type::I8, Mem::reg(from).indexed(at, 1));
    e.store(Type::I8, Mem::reg(to).indexed(at, 1), byte);
}

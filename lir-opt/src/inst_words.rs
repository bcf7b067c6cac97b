//! An instruction as words, for comparing and hashing whole instructions whatever they do.
//!
//! [`ValueKey`](crate::value_key::ValueKey) is for what computes a value. Here every instruction takes part but phis, since
//! the question is another one: do two of them, each executed at its own place, do the same?

use lir_syntax::ir::{CallArg, CallResult, Format, Function, Inst, InstData, Mem, Operand, Reg};

/// Appends what an instruction does: opcode, type, predicate and flags, and all operands, registers as `number` gives
/// them. Destination and targets are not among them. Two instructions do the same where the words are the same.
/// Panics for a phi.
pub(crate) fn push_words(f: &Function, i: Inst, mut number: impl FnMut(Reg) -> u32, out: &mut Vec<u32>) {
    let d = f.inst(i);
    out.push(u32::from_le_bytes([d.op as u8, d.ty as u8, d.aux, d.flags & InstData::VOLATILE]));
    let mut operand = |o: Operand, out: &mut Vec<u32>| match o.as_reg() {
        Some(r) => out.extend([0, number(r)]),
        None => out.extend([1, o.to_bits()]),
    };
    let mut mem = |m: Mem, out: &mut Vec<u32>| {
        operand(m.base.to_operand(), out);
        operand(m.index.map_or(Operand::NONE, Operand::reg), out);
        out.extend([u32::from(m.scale), m.disp as u32]);
    };
    match d.op.format() {
        Format::Nullary | Format::Jump | Format::Stop => {}
        Format::Const | Format::Unary | Format::Convert | Format::Alloca | Format::Consume | Format::Return => {
            operand(d.a, out)
        }
        Format::Binary | Format::Compare | Format::Branch => {
            operand(d.a, out);
            operand(d.b, out);
        }
        Format::Ternary | Format::Select => {
            let (b, c) = f.operands_bc(i);
            [d.a, b, c].into_iter().for_each(|o| operand(o, out));
        }
        Format::Address | Format::Load | Format::MemOnly => mem(f.mem(i), out),
        Format::Store => {
            mem(f.mem(i), out);
            operand(d.dst, out);
        }
        Format::AggReturn => {
            mem(f.mem(i), out);
            out.push(d.dst.to_bits());
        }
        Format::MemCopy => {
            mem(f.mem_dst(i), out);
            mem(f.mem_src(i), out);
            operand(d.dst, out);
        }
        Format::MemFill => {
            mem(f.mem_dst(i), out);
            operand(d.b, out);
            operand(d.dst, out);
        }
        Format::MemPair => {
            mem(f.mem_dst(i), out);
            mem(f.mem_src(i), out);
        }
        Format::AggMemPair => {
            mem(f.mem_dst(i), out);
            mem(f.mem_src(i), out);
            out.push(d.dst.to_bits());
        }
        Format::Switch => {
            operand(d.a, out);
            out.push(f.switch_cases(i).len() as u32);
            out.extend(f.switch_cases(i).map(Operand::to_bits));
        }
        Format::Call => {
            operand(d.a, out);
            push_call(f, i, number, out);
        }
        Format::Phi => unreachable!("phis have no words"),
    }
}

/// The record of a call.
fn push_call(f: &Function, i: Inst, mut number: impl FnMut(Reg) -> u32, out: &mut Vec<u32>) {
    let mut mem = |m: Mem, out: &mut Vec<u32>| {
        let mut operand = |o: Operand| match o.as_reg() {
            Some(r) => [0, number(r)],
            None => [1, o.to_bits()],
        };
        out.extend(operand(m.base.to_operand()));
        out.extend(operand(m.index.map_or(Operand::NONE, Operand::reg)));
        out.extend([u32::from(m.scale), m.disp as u32]);
    };
    match f.call_result(i) {
        CallResult::None => out.push(0),
        CallResult::Scalar(ty, ext) => out.extend([1, ty as u32, ext as u32]),
        CallResult::Agg(agg, m) => {
            out.extend([2, agg.as_u32()]);
            mem(m, out);
        }
    }
    let (fixed, variadic) = f.call_fixed(i);
    out.extend([fixed as u32, u32::from(variadic), f.call_args(i).len() as u32]);
    for arg in f.call_args(i) {
        match arg {
            CallArg::Reg(r, ext) => {
                out.extend([0, ext as u32]);
                mem(Mem::reg(r), out);
            }
            CallArg::Agg(agg, m) => {
                out.extend([1, agg.as_u32()]);
                mem(m, out);
            }
        }
    }
}

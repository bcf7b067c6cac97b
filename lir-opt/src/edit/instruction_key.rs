//! An instruction as words, for comparing and hashing whole instructions whatever they do.
//!
//! [`ValueKey`](crate::passes::value_numbering::key::ValueKey) is for what computes a value. Here every instruction
//! takes part but phis, since the question is another one: do two of them, each executed at its own place, do the
//! same?

use lir_syntax::ir::{CallArg, CallResult, Format, Function, Inst, InstData, Mem, Operand, Reg};

/// Appends what an instruction does: opcode, type, predicate and flags, and all operands, registers as `number` gives
/// them. Destination and targets are not among them. Two instructions do the same where the words are the same.
/// Panics for a phi.
pub(crate) fn push_words(f: &Function, i: Inst, number: impl FnMut(Reg) -> u32, out: &mut Vec<u32>) {
    let d = f.inst(i);
    out.push(u32::from_le_bytes([d.op as u8, d.ty as u8, d.aux, d.flags & InstData::VOLATILE]));
    let mut words = Words { number, out };
    match d.op.format() {
        Format::Nullary | Format::Jump | Format::Stop => {}
        Format::Const | Format::Unary | Format::Convert | Format::Alloca | Format::Consume | Format::Return => {
            words.operand(d.first())
        }
        Format::Binary | Format::Compare | Format::Branch => {
            [d.first(), d.second()].into_iter().for_each(|o| words.operand(o))
        }
        Format::Ternary | Format::Select => {
            let (b, c) = f.operands_bc(i);
            [d.first(), b, c].into_iter().for_each(|o| words.operand(o));
        }
        Format::Address | Format::Load | Format::MemOnly => words.mem(f.mem(i)),
        Format::Store => {
            words.mem(f.mem(i));
            words.operand(d.dst);
        }
        Format::AggReturn => {
            words.mem(f.mem(i));
            words.out.push(d.dst.to_bits());
        }
        Format::MemCopy => {
            words.mem(f.mem_dst(i));
            words.mem(f.mem_src(i));
            words.operand(d.dst);
        }
        Format::MemFill => {
            words.mem(f.mem_dst(i));
            words.operand(d.second());
            words.operand(d.dst);
        }
        Format::MemPair => {
            words.mem(f.mem_dst(i));
            words.mem(f.mem_src(i));
        }
        Format::AggMemPair => {
            words.mem(f.mem_dst(i));
            words.mem(f.mem_src(i));
            words.out.push(d.dst.to_bits());
        }
        Format::Switch => {
            words.operand(d.first());
            words.out.push(f.switch_cases(i).len() as u32);
            words.out.extend(f.switch_cases(i).map(Operand::to_bits));
        }
        Format::Call => {
            words.operand(d.first());
            words.call(f, i);
        }
        Format::Phi => unreachable!("phis have no words"),
    }
}

/// The words, and how registers are numbered in them.
struct Words<'o, N> {
    number: N,
    out: &'o mut Vec<u32>,
}

impl<N: FnMut(Reg) -> u32> Words<'_, N> {
    fn operand(&mut self, o: Operand) {
        let words = match o.as_reg() {
            Some(r) => [0, (self.number)(r)],
            None => [1, o.to_bits()],
        };
        self.out.extend(words);
    }
    fn mem(&mut self, m: Mem) {
        self.operand(m.base.to_operand());
        self.operand(m.index.map_or(Operand::NONE, Operand::reg));
        self.out.extend([u32::from(m.scale), m.disp as u32]);
    }
    /// The record of a call.
    fn call(&mut self, f: &Function, i: Inst) {
        match f.call_result(i) {
            CallResult::None => self.out.push(0),
            CallResult::Scalar(ty, ext) => self.out.extend([1, ty as u32, ext as u32]),
            CallResult::Agg(agg, m) => {
                self.out.extend([2, agg.as_u32()]);
                self.mem(m);
            }
        }
        let (fixed, variadic) = f.call_fixed(i);
        self.out.extend([fixed as u32, u32::from(variadic), f.call_args(i).len() as u32]);
        for arg in f.call_args(i) {
            match arg {
                CallArg::Reg(r, ext) => {
                    self.out.extend([0, ext as u32]);
                    self.mem(Mem::reg(r));
                }
                CallArg::Agg(agg, m) => {
                    self.out.extend([1, agg.as_u32()]);
                    self.mem(m);
                }
            }
        }
    }
}

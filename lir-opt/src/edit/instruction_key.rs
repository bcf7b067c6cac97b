//! Instructions as words, for comparing and hashing instructions of all kinds.
//!
//! [`ValueKey`](crate::passes::value_numbering::key::ValueKey) is for instructions that compute a value. Here all
//! instructions except phis have keys, since the question is another one: do two of them, each executed at its own
//! program point, do the same?

use lir_syntax::ir::{CallArg, CallResult, Function, Inst, InstView, Mem, Operand, Reg};

/// Appends the words of an instruction: opcode, type, predicate and flags, and all operands, registers as numbered by
/// `number`. Destination and targets are not included. Two instructions do the same if their words are equal. Panics
/// for a phi.
pub(crate) fn push_words(f: &Function, i: Inst, number: impl FnMut(Reg) -> u32, out: &mut Vec<u32>) {
    let d = f.inst(i);
    out.push(u32::from_le_bytes([d.op as u8, d.ty as u8, d.aux(), d.is_volatile().into()]));
    let mut words = Words { number, out };
    match f.view(i) {
        InstView::Nullary | InstView::Jump | InstView::Stop | InstView::Fence => {}
        InstView::Const(a) | InstView::Unary(a) | InstView::Consume(a) => words.operand(a),
        InstView::Convert { value, .. } => words.operand(value),
        InstView::Alloca { size, .. } => words.operand(size),
        InstView::Return(value) => words.operand(value.unwrap_or_default()),
        InstView::Binary(a, b) => [a, b].into_iter().for_each(|o| words.operand(o)),
        InstView::Compare(c) | InstView::Branch(c) | InstView::Assume(c) => {
            [c.a, c.b].into_iter().for_each(|o| words.operand(o))
        }
        InstView::Ternary(a, b, c) | InstView::Select { condition: a, then: b, otherwise: c } => {
            [a, b, c].into_iter().for_each(|o| words.operand(o));
        }
        InstView::Address(mem) | InstView::Load(mem) | InstView::AtomicLoad(mem) | InstView::MemOnly(mem) => {
            words.mem(mem);
        }
        InstView::AtomicExchange { mem, expected, new } => {
            words.mem(mem);
            words.operand(expected);
            words.operand(new);
        }
        InstView::Store { mem, value }
        | InstView::AtomicStore { mem, value }
        | InstView::AtomicUpdate { mem, value } => {
            words.mem(mem);
            words.operand(value);
        }
        InstView::AggReturn { agg, mem } => {
            words.mem(mem);
            words.out.push(agg.as_u32());
        }
        InstView::MemCopy { to, from, length } => {
            words.mem(to);
            words.mem(from);
            words.operand(length);
        }
        InstView::MemFill { to, byte, length } => {
            words.mem(to);
            words.operand(byte);
            words.operand(length);
        }
        InstView::MemPair { to, from } => {
            words.mem(to);
            words.mem(from);
        }
        InstView::AggMemPair { agg, to, from } => {
            words.mem(to);
            words.mem(from);
            words.out.push(agg.as_u32());
        }
        InstView::Switch(value) => {
            words.operand(value);
            words.out.push(f.switch_cases(i).len() as u32);
            words.out.extend(f.switch_cases(i).map(Operand::to_bits));
        }
        InstView::Call { callee } => {
            words.operand(callee);
            words.call(f, i);
        }
        InstView::Phi => unreachable!("phis have no words"),
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

//! Calls as values (step 6).

use super::GlobalNumberer;
use crate::analysis::effects::callee_attrs;
use crate::passes::value_numbering::key::{NO_OPERAND, ValueKey};
use lir_syntax::ir::{Attrs, Block, CallArg, CallResult, Function, Inst, Operand, Type};

impl GlobalNumberer<'_> {
    /// Step 6 for a call.
    pub(super) fn number_call(&mut self, f: &mut Function, b: Block, i: Inst) {
        let key = self.call_key(f, b, i);
        if key.is_none() {
            self.pass_write(f, b, i);
        }
        match (key, f.def(i)) {
            (Some(key), Some(r)) => self.settle(f, b, i, r, key),
            (Some(key), None) => {
                // A result that nobody wants is no reason to keep it for others.
                if self.scratch.available.find(&key, b, self.around.dom).is_some() {
                    f.remove_inst(i);
                    self.found.replaced += 1;
                }
            }
            (None, Some(r)) => {
                self.scratch.set_new_number(r);
                self.explain(|s| s.say_excluded(f, i));
            }
            (None, None) => {}
        }
    }
    /// The key of a call whose result depends on arguments and memory read alone. Aggregates are memory that is read
    /// and written here.
    pub(super) fn call_key(&mut self, f: &Function, b: Block, i: Inst) -> Option<ValueKey> {
        let attrs = callee_attrs(self.around.decls, f, i);
        if attrs.has(Attrs::RETURNS_TWICE) {
            return None;
        }
        let version = if attrs.has(Attrs::READNONE) {
            NO_OPERAND
        } else if attrs.has(Attrs::READONLY) {
            self.version_for_callee(f, i)?
        } else {
            return None;
        };
        let CallResult::Scalar(ty, _) = f.call_result(i) else { return None };
        if f.call_args(i).any(|a| matches!(a, CallArg::Agg(..))) {
            return None;
        }
        let list = self.argument_list(f, b, i);
        let d = f.inst(i);
        Some(ValueKey { head: head(d.op as u8, ty, false), operands: [d.first().to_bits(), list, version] })
    }
    /// The number of a list of arguments. It is numbered from the front, an argument at a time.
    fn argument_list(&mut self, f: &Function, b: Block, i: Inst) -> u32 {
        let mut list = NO_OPERAND;
        for arg in f.call_args(i) {
            let CallArg::Reg(r, _) = arg else { unreachable!("all are scalars") };
            let head = head(f.inst(i).op as u8, f.type_of(r), true);
            list = self.number_of_key(b, ValueKey { head, operands: [list, self.scratch.numbers[r], NO_OPERAND] });
        }
        list
    }
    /// The number of a key that stands for no instruction.
    pub(super) fn number_of_key(&mut self, b: Block, key: ValueKey) -> u32 {
        let number = self.scratch.new_number();
        let known = self.scratch.available.find_or_insert(key, Operand::from_bits(number), b, self.around.dom);
        known.map_or(number, Operand::to_bits)
    }
}

fn head(op: u8, ty: Type, list: bool) -> u32 {
    u32::from_le_bytes([op, ty as u8, u8::from(list), 0])
}

//! Variable arguments from the inside.

use crate::body::Body;
use lir_syntax::ir::{AbiParam, Base, Mem, Opcode, VA_LIST_SIZE};

impl Body<'_> {
    /// Reads all of them, now and then once more from the beginning. Keeps a copy of the list to read the last ones
    /// once more.
    pub(crate) fn read_variable_arguments(&mut self) {
        let list = match self.around.list_data {
            Some(data) => Mem::sym(data, self.rng.pick(&[0, 0, 1, 4])),
            None => self.list_object(),
        };
        self.b.mem_only(Opcode::VaStart, list);
        let n = self.this.variable.len();
        let copy_at = self.rng.below(n + 1);
        for k in 0..n {
            if k == copy_at {
                let copy = self.list_object();
                self.b.va_copy(copy, list);
                self.list_copy = Some((copy, k));
            }
            self.variable_argument(k, list);
        }
        self.b.mem_only(Opcode::VaEnd, list);
        if self.rng.chance(25) {
            self.b.mem_only(Opcode::VaStart, list);
            for k in 0..self.rng.below(n + 1) {
                self.variable_argument(k, list);
            }
            self.b.mem_only(Opcode::VaEnd, list);
        }
    }
    /// Reads the arguments that are left in the copy.
    pub(crate) fn read_variable_arguments_again(&mut self) {
        if let Some((copy, from)) = self.list_copy.take() {
            for k in from..self.this.variable.len() {
                self.variable_argument(k, copy);
            }
            self.b.mem_only(Opcode::VaEnd, copy);
        }
    }
    /// Room for a list in a stack object, now and then not aligned.
    fn list_object(&mut self) -> Mem {
        let name = format!("o{}", self.objects);
        self.objects += 1;
        let at = self.rng.pick(&[0, 0, 0, 1, 4, 8]);
        Mem::obj(self.b.stack_object(&name, VA_LIST_SIZE + at as u64, None), at)
    }
    fn variable_argument(&mut self, k: usize, list: Mem) {
        let list = if self.rng.chance(30) { Mem::reg(self.b.lea(list)) } else { list };
        match self.this.variable[k] {
            AbiParam::Scalar(ty, _) => {
                let r = self.b.va_arg(ty, list);
                self.keep(ty, r);
            }
            AbiParam::Agg(agg) => {
                let size = self.around.decls.types[agg].size as u32;
                let o = self.raw_object(size.max(1));
                self.b.va_arg_agg(agg, Mem::obj(o, 0), list);
                self.received(agg, Base::Obj(o), false);
            }
        }
    }
}

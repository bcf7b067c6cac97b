//! A whole function: its beginning, its statements, and its end.

use crate::body::Body;
use crate::surroundings::{ODD, ParamKind, Purity};
use lir_syntax::ir::builder::Value;
use lir_syntax::ir::{AbiParam, Base, Block, EntityRef, IntCC, Mem, Opcode, Param, Reg, Type};

impl Body<'_> {
    /// Makes a called function: statements and a result. Returns a bound of the steps of a call.
    pub(crate) fn make(mut self) -> u64 {
        self.start();
        self.statements(self.around.config.statements);
        self.read_variable_arguments_again();
        self.unexecuted();
        self.return_result();
        self.rename_some();
        self.steps
    }

    /// Makes `@test`: statements, a call of each function, and a checksum of all data.
    pub(crate) fn make_test(mut self) -> u64 {
        self.start();
        let half = self.around.config.statements / 2;
        self.statements(half);
        for k in 0..self.around.callees.len() {
            self.call_of(k);
        }
        self.statements(half);
        self.unexecuted();
        let mut hash = self.hash_of_values(6);
        for k in 0..self.around.data.len() {
            hash = self.checksum(k, hash);
        }
        self.b.ret(hash);
        self.steps
    }

    /// Takes the parameters over, and makes variables and memory.
    fn start(&mut self) {
        let entry = self.b.block("entry");
        self.b.switch_to(entry);
        for k in 0..self.this.kinds.len() {
            match (self.this.kinds[k], self.b.func.params[k]) {
                (ParamKind::Pointer, Param::Reg(r)) => self.pointer_parameter(r),
                (ParamKind::Value(AbiParam::Scalar(ty, _)), Param::Reg(r)) => {
                    if ty.is_int() || self.around.config.floats {
                        self.keep(ty, r);
                    }
                }
                (ParamKind::Value(AbiParam::Agg(agg)), Param::Agg(o)) => self.received(agg, Base::Obj(o), false),
                (ParamKind::Partial(agg, written), Param::Agg(o)) => self.received_partly(agg, o, written),
                (kind, param) => unreachable!("{param:?} is not a parameter of {kind:?}"),
            }
        }
        if self.around.config.reassignment && self.rng.chance(50) {
            self.start_variables();
        }
        if self.this.purity != Purity::ReadNone {
            self.start_memory();
        }
        if self.this.sig.variadic {
            self.read_variable_arguments();
        }
    }

    /// Makes a loop that mixes the contents of a data object, eight bytes at a time.
    fn checksum(&mut self, k: usize, hash: Reg) -> Reg {
        let data = self.around.data[k];
        let before = self.b.current().expect("a block is current between statements");
        let [head, exit] = ["sum", "summed"].map(|name| self.b.fresh_block(name));
        let (next, next_hash) = (self.b.reg(Type::I64), self.b.reg(Type::I64));
        self.b.jmp(head);
        self.b.switch_to(head);
        let i = self.b.phi(Type::I64, &[(before, 0.into()), (head, next.into())]);
        let h = self.b.phi(Type::I64, &[(before, hash.into()), (head, next_hash.into())]);
        let word = self.b.load(Type::I64, Mem::sym(data.sym, 0).indexed(i, 8));
        let mixed = self.mix(h, Type::I64, word);
        self.b.assign(next_hash).copy(mixed);
        self.b.assign(next).binary(Opcode::Add, Type::I64, i, 1);
        let words = Value::Int(data.size as i64 / 8);
        self.b.branch(IntCC::Ult, next, words, head, exit);
        self.b.switch_to(exit);
        self.steps += 8 * data.size as u64 / 8;
        next_hash
    }

    /// Gives some registers and blocks odd names.
    pub(crate) fn rename_some(&mut self) {
        if !self.rng.chance(8) {
            return;
        }
        for k in 0..self.b.func.num_regs() {
            if self.rng.chance(10) {
                let name = format!("{}{k}", self.rng.pick(&ODD));
                self.b.name_reg(Reg::new(k), &name);
            }
        }
        let blocks: Vec<Block> = self.b.func.layout().blocks().collect();
        for (k, b) in blocks.into_iter().enumerate() {
            if self.rng.chance(10) {
                let name = format!("{}{k}", self.rng.pick(&ODD));
                let name = self.b.func.names.add(name.as_bytes());
                self.b.func.set_block_name(b, name);
            }
        }
    }
}

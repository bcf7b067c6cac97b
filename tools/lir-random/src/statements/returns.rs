//! Returns, mostly of a hash of the values that a function computed.

use crate::body::Body;
use lir_syntax::ir::{AbiParam, Opcode, Reg, Type};

impl Body<'_> {
    /// Makes a hash of the last `n` values of each type.
    pub(crate) fn hash_of_values(&mut self, n: usize) -> Reg {
        let mut hash = self.b.constant(Type::I64, 1);
        for ty in Type::ALL {
            let from = self.live[ty as usize].len().saturating_sub(n);
            for k in from..self.live[ty as usize].len() {
                let r = self.live[ty as usize][k];
                hash = self.mix(hash, ty, r);
            }
        }
        hash
    }

    /// `ret`, by the signature.
    pub(crate) fn return_result(&mut self) {
        if self.rng.chance(15) && self.tail_call() {
            return;
        }
        match self.this.sig.result {
            None => self.b.ret_void(),
            Some(AbiParam::Agg(agg)) if self.this.result_written.is_some() => {
                let written = self.this.result_written.expect("it was just looked at");
                self.return_partly(agg, written);
            }
            Some(AbiParam::Agg(agg)) => {
                let size = self.around.decls.types[agg].size as u32;
                let mem = self.aggregate_source(size);
                self.b.ret_agg(agg, mem);
            }
            Some(AbiParam::Scalar(ty, _)) if self.rng.chance(15) => {
                let v = self.value(ty);
                let v = self.clean_value(ty, v);
                self.b.ret_value(ty, v);
            }
            Some(AbiParam::Scalar(ty, _)) => {
                let hash = self.hash_of_values(3);
                let r = match ty {
                    Type::I64 => hash,
                    Type::I8 | Type::I16 | Type::I32 => self.b.convert(Opcode::Trunc, Type::I64, hash, ty),
                    Type::I128 => self.any(ty),
                    Type::F32 | Type::F64 => self.b.convert(Opcode::Sitofp, Type::I64, hash, ty),
                };
                self.b.ret(r);
            }
        }
    }
}

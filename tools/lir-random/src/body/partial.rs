//! Aggregates of which some bytes are written, as they are passed, forwarded and returned.
//!
//! Unwritten memory holds some bytes, which no result may depend on. So an aggregate parameter or result states which
//! of its bytes its maker has written ([`Written`]); only these are ever read, and the others are carried along.

use super::{Body, Region};
use crate::surroundings::Written;
use lir_syntax::ir::{Agg, CallArg, Mem, Obj, Type};

/// A stack object that holds an aggregate, with its written bytes.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Partial {
    object: Obj,
    agg: Agg,
    written: Written,
}

impl Body<'_> {
    /// Takes over from a call an aggregate of which some bytes were written. The written bytes that calls do not carry
    /// get contents.
    pub(crate) fn received_partly(&mut self, agg: Agg, object: Obj, written: Written) {
        for (at, n) in self.padding(agg) {
            let (from, to) = (at.max(written.from), (at + n).min(written.to));
            if from < to {
                self.b.memset(Mem::obj(object, from as i32), 0x5A, i64::from(to - from));
            }
        }
        self.note_partly_written(agg, object, written);
    }
    fn note_partly_written(&mut self, agg: Agg, object: Obj, written: Written) {
        self.partials.push(Partial { object, agg, written });
        if written.from < written.to {
            self.regions.push(Region::written_part(object, written));
        }
    }
    /// Notes an aggregate all of whose bytes are written.
    pub(super) fn note_written(&mut self, agg: Agg, object: Obj) {
        let to = self.around.decls.types[agg].size as u32;
        self.partials.push(Partial { object, agg, written: Written { from: 0, to } });
    }
    /// Returns an object with an aggregate, of which these bytes are written: one that is there, or a new one.
    fn partly_written(&mut self, agg: Agg, written: Written) -> Obj {
        let fit: Vec<Obj> =
            self.partials.iter().filter(|p| p.agg == agg && p.written.covers(written)).map(|p| p.object).collect();
        if !fit.is_empty() && self.rng.chance(60) {
            return self.rng.pick(&fit);
        }
        let size = self.around.decls.types[agg].size as u32;
        let object = self.raw_object(size.max(1));
        self.write_bytes(object, written);
        self.note_partly_written(agg, object, written);
        object
    }
    /// Writes these bytes and no others: by stores of pieces, or by a `memset`.
    pub(crate) fn write_bytes(&mut self, object: Obj, written: Written) {
        let mut at = written.from;
        if self.rng.chance(30) {
            let byte = self.value(Type::I8);
            return self.b.memset(Mem::obj(object, at as i32), byte, i64::from(written.to - at));
        }
        while at < written.to {
            let ty = self.scalar_type();
            if at + ty.bytes() > written.to {
                let byte = self.value(Type::I8);
                self.b.store(Type::I8, Mem::obj(object, at as i32), byte);
                at += 1;
                continue;
            }
            let v = self.value(ty);
            let v = self.clean_value(ty, v);
            self.b.store(ty, Mem::obj(object, at as i32), v);
            at += ty.bytes();
        }
    }

    /// Makes an argument for a parameter of which these bytes are read.
    pub(crate) fn partial_argument(&mut self, agg: Agg, written: Written) -> CallArg {
        let object = self.partly_written(agg, written);
        CallArg::Agg(agg, Mem::obj(object, 0))
    }
    /// Returns an aggregate of which these bytes are written.
    pub(crate) fn return_partly(&mut self, agg: Agg, written: Written) {
        let object = self.partly_written(agg, written);
        self.b.ret_agg(agg, Mem::obj(object, 0));
    }
}

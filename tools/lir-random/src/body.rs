//! The body of a function: a sequence of random statements, then a hash of what they computed.

use super::Rng;
use super::expressions::Expression;
use super::idioms::Place;
use super::memory::Region;
use super::partial::Partial;
use super::plan::{Callee, ParamKind, Purity, Surroundings};
use super::values::Operations;
use lir_syntax::ir::builder::{FunctionBuilder, Value};
use lir_syntax::ir::{AbiParam, Base, IntCC, Mem, Opcode, Param, Reg, Type};

/// Loops have fewer trips.
pub(super) const MAX_TRIPS: u64 = 8;
/// Statements nest this deep.
const MAX_DEPTH: usize = 4;

/// A function in the making.
pub(super) struct Body<'a> {
    pub(super) around: &'a Surroundings<'a>,
    pub(super) this: &'a Callee,
    pub(super) rng: &'a mut Rng,
    pub(super) b: FunctionBuilder<'a>,
    pub(super) operations: Operations,
    /// By type, the registers that hold values here on every path.
    pub(super) live: [Vec<Reg>; 6],
    /// The pure operations made, as far as they stand on every path to here.
    pub(super) made: Vec<Expression>,
    /// Registers of `live` that may be assigned anywhere, with their types.
    pub(super) variables: Vec<(Type, Reg)>,
    /// Initialised memory that may be accessed here on every path.
    pub(super) regions: Vec<Region>,
    /// What was accessed on every path to here.
    pub(super) places: Vec<Place>,
    /// Objects with aggregates of which some bytes were written on every path to here.
    pub(super) partials: Vec<Partial>,
    /// Names of stack objects are `o0`, `o1`, ...
    pub(super) objects: usize,
    /// A copy of the list of variable arguments, and the next of them in it.
    pub(super) list_copy: Option<(Mem, usize)>,
    depth: usize,
    /// The product of the trip counts around the current place, and a bound of what a call executes so far.
    pub(super) trips: u64,
    pub(super) steps: u64,
    limit: u64,
}

/// How much of `live`, `made`, `regions`, `places` and `partials` there was.
pub(super) struct Mark {
    live: [usize; 6],
    made: usize,
    regions: usize,
    places: usize,
    partials: usize,
}

impl<'a> Body<'a> {
    pub(super) fn new(
        around: &'a Surroundings<'a>,
        this: &'a Callee,
        rng: &'a mut Rng,
        b: FunctionBuilder<'a>,
        limit: u64,
    ) -> Body<'a> {
        let operations = Operations::new(around.config.floats);
        let mut body = Body {
            around,
            this,
            rng,
            b,
            operations,
            live: Default::default(),
            made: Vec::new(),
            variables: Vec::new(),
            regions: Vec::new(),
            places: Vec::new(),
            partials: Vec::new(),
            objects: 0,
            list_copy: None,
            depth: 0,
            trips: 1,
            steps: 0,
            limit,
        };
        body.start();
        body
    }

    /// A called function: statements and a result. The bound of the steps of a call.
    pub(super) fn make(mut self) -> u64 {
        self.statements(self.around.config.statements);
        self.read_variable_arguments_again();
        self.unexecuted();
        self.return_result();
        self.rename_some();
        self.steps
    }

    /// `@test`: statements, a call of each function, and a checksum of all data.
    pub(super) fn make_test(mut self) -> u64 {
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
        self.b.ret(Type::I64, hash);
        self.steps
    }

    // ---- The start: parameters, variables, memory ----

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

    /// Registers that are assigned again and again: some new ones and some parameters.
    fn start_variables(&mut self) {
        for _ in 0..self.rng.range(2, 6) {
            let ty = self.scalar_type();
            let v = self.any(ty);
            let r = self.b.copy(ty, v);
            self.keep(ty, r);
            self.variables.push((ty, r));
        }
        for k in 0..self.this.kinds.len() {
            let (ParamKind::Value(_), Param::Reg(r)) = (self.this.kinds[k], self.b.func.params[k]) else { continue };
            let ty = self.b.func.type_of(r);
            if self.live[ty as usize].contains(&r) && self.rng.chance(30) {
                self.variables.push((ty, r));
            }
        }
    }

    // ---- Statements ----

    pub(super) fn mark(&self) -> Mark {
        Mark {
            live: std::array::from_fn(|t| self.live[t].len()),
            made: self.made.len(),
            regions: self.regions.len(),
            places: self.places.len(),
            partials: self.partials.len(),
        }
    }
    /// Forgets what was made since the mark: it does not hold on every path from here on.
    pub(super) fn release(&mut self, mark: &Mark) {
        for (live, n) in self.live.iter_mut().zip(mark.live) {
            live.truncate(n);
        }
        self.made.truncate(mark.made);
        self.regions.truncate(mark.regions);
        self.places.truncate(mark.places);
        self.partials.truncate(mark.partials);
    }

    /// Statements inside another one.
    pub(super) fn inner_statements(&mut self) {
        let n = self.rng.range(1, 4);
        self.depth += 1;
        self.statements(n);
        self.depth -= 1;
    }

    pub(super) fn statements(&mut self, n: usize) {
        for _ in 0..n {
            let before = self.b.func.num_insts();
            self.statement();
            self.steps += (self.b.func.num_insts() - before) as u64 * self.trips;
        }
    }

    /// Whether this many more steps at the current place stay below the limit.
    pub(super) fn affordable(&self, steps: u64) -> bool {
        self.steps + steps.saturating_mul(self.trips) < self.limit
    }

    pub(super) fn may_trap(&self) -> bool {
        self.around.config.traps && self.this.purity == Purity::Any
    }
    pub(super) fn writes(&self) -> bool {
        self.around.config.memory && self.this.purity == Purity::Any
    }

    fn statement(&mut self) {
        if !self.affordable(1000) {
            return self.expression();
        }
        let nested = self.depth < MAX_DEPTH && self.affordable(100 * MAX_TRIPS);
        let memory = self.around.config.memory && self.this.purity != Purity::ReadNone;
        match self.rng.below(122) {
            0..17 => (0..3).for_each(|_| if self.rng.chance(30) { self.variant() } else { self.expression() }),
            17..20 => self.related(),
            20..22 if nested => self.equality_chain(),
            22..25 if nested => self.small_diamond(),
            25..28 => self.division(),
            28..30 if nested => self.decided(),
            30..35 => self.reassign(),
            35..37 => self.pressure(),
            37..47 if memory => self.load(),
            47..57 if self.writes() => self.store(),
            57..60 if self.writes() => self.block_operation(),
            60..63 if memory => self.address(),
            63..65 if self.writes() => self.overlaps(),
            65..67 if self.writes() && self.around.config.allocas => self.alloca(),
            67..73 => self.call(),
            73..79 if nested => self.if_else(),
            79..82 if nested => self.switch(),
            82..88 if nested => self.counted_loop(),
            88..90 if nested && memory => self.walk(),
            90..92 if nested => self.self_loop(),
            92..94 if nested && self.around.config.irreducible => self.irreducible_loop(),
            94..95 if self.may_trap() => self.rare_end(),
            95..96 if self.may_trap() => self.access_that_may_trap(),
            96..98 if nested => self.narrow_loop(),
            98..103 => self.lea_of_values(),
            103..105 if memory => self.address_difference(),
            105..109 if nested => self.long_loop(),
            109..112 if nested && self.around.config.irreducible => self.free_flow(),
            112..115 if self.around.config.floats => self.payload(),
            115..118 if self.writes() => self.partly_used_object(),
            118..120 if memory => self.outside(),
            _ => self.expression(),
        }
    }

    // ---- The end ----

    /// A hash of the last `n` values of each type.
    pub(super) fn hash_of_values(&mut self, n: usize) -> Reg {
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
    pub(super) fn return_result(&mut self) {
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
                self.b.ret(ty, v);
            }
            Some(AbiParam::Scalar(ty, _)) => {
                let hash = self.hash_of_values(3);
                let r = match ty {
                    Type::I64 => hash,
                    Type::I8 | Type::I16 | Type::I32 => self.b.convert(Opcode::Trunc, Type::I64, hash, ty),
                    Type::F32 | Type::F64 => self.b.convert(Opcode::Sitofp, Type::I64, hash, ty),
                };
                self.b.ret(ty, r);
            }
        }
    }

    /// A loop that mixes the contents of a data object, eight bytes at a time.
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
        self.b.assign(next_hash).copy(Type::I64, mixed);
        self.b.assign(next).binary(Opcode::Add, Type::I64, i, 1);
        let words = Value::Int(data.size as i64 / 8);
        self.b.br_icmp(IntCC::Ult, Type::I64, next, words, head, exit);
        self.b.switch_to(exit);
        self.steps += 8 * data.size as u64 / 8;
        next_hash
    }
}

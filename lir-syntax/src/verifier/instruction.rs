//! Every instruction by its row of the opcode table: V11 to V18, V23, V24. Calls are in [`super::call`].

use super::{Checker, Rule};
use crate::ir::VA_LIST_SIZE;
use crate::ir::module::MAX_OBJECT_SIZE;
use crate::ir::{
    AbiParam, Agg, Base, EntityRef, Format, InstData, Mem, Opcode, Operand, Order, Predicate, Promises, Reg,
    ResultRule, Sym, SymKind, Type, TypeRule, lies_within,
};

/// The size of a data object that was not computed yet.
pub(super) const SIZE_UNKNOWN: u64 = u64::MAX - 1;
/// The size of memory that may be accessed at any offset, as far as known.
const UNBOUNDED: u64 = u64::MAX;
impl Checker<'_> {
    /// Checks the current instruction. Returns true if it is sound enough to look at its registers.
    #[inline]
    pub(super) fn instruction(&mut self) -> bool {
        let before = self.sink.found.len();
        let d = *self.f.inst(self.at);
        self.annotation(&d);
        self.operands(&d);
        self.destination(&d);
        self.sink.found.len() == before && !self.sink.is_full()
    }

    /// V11.
    #[inline]
    fn annotation(&mut self, d: &InstData) {
        let info = d.op.info();
        let converts = info.format == Format::Convert;
        let allowed = if converts {
            (d.aux() as usize) < Type::ALL.len() && info.types.allows_conversion(d.ty, d.to_type())
        } else {
            match info.types {
                // A `ret` has the type of the function's result, and a call its own result's.
                TypeRule::None => d.ty == Type::I64 || matches!(info.format, Format::Return | Format::Call),
                types => types.allows(d.ty),
            }
        };
        if !allowed {
            let (name, ty) = (d.op.mnemonic(), d.ty);
            if converts && (d.aux() as usize) < Type::ALL.len() {
                let to = d.to_type();
                self.report(Rule::Annotation, format_args!("`{name}` does not convert {ty} to {to}"));
            } else {
                self.report(Rule::Annotation, format_args!("`{name}` has no form for {ty}"));
            }
        }
        if d.is_volatile() && !matches!(d.op, Opcode::Load | Opcode::Store) {
            self.report(Rule::Annotation, format_args!("only loads and stores are volatile"));
        }
        if !d.promises().is_empty() {
            self.promises(d);
        }
    }

    /// V11, of promises: few instructions have any.
    #[cold]
    fn promises(&mut self, d: &InstData) {
        let name = d.op.mnemonic();
        if !Promises::of_opcode(d.op).has(d.promises()) {
            self.report(Rule::Annotation, format_args!("`{name}` has promises that it cannot have"));
        } else if d.ty == Type::I128 {
            self.report(Rule::Annotation, format_args!("an i128 has no promises; `{name}` does without"));
        }
    }

    /// V11, of the orders of atomic operations.
    fn orders(&mut self, d: &InstData) {
        let name = d.op.mnemonic();
        if let Some(order) = d.order().filter(|o| !Order::allowed(d.op).contains(o)) {
            self.report(Rule::Annotation, format_args!("`{name}` has no order `{}`", order.name()));
        }
        if d.op.format() == Format::AtomicExchange
            && let Some(failure) = d.failure_order().filter(|o| !Order::OF_LOADS.contains(o))
        {
            let failure = failure.name();
            self.report(Rule::Annotation, format_args!("a failed `{name}` has no order `{failure}`"));
        }
    }

    /// V11, of the predicates of comparisons.
    #[inline]
    fn predicate(&mut self, d: &InstData) {
        let predicate = d.predicate();
        if !predicate.compares(d.ty) {
            self.wrong_predicate(d, predicate);
        }
    }

    #[cold]
    #[inline(never)]
    fn wrong_predicate(&mut self, d: &InstData, predicate: Predicate) {
        let (name, ty) = (d.op.mnemonic(), d.ty);
        let of = if predicate.as_float().is_some() { "floats" } else { "integers" };
        let message = format_args!("`{name}` compares {ty}, but `{predicate}` is a predicate of {of}");
        self.report(Rule::Annotation, message);
    }

    /// V12.
    #[inline]
    fn destination(&mut self, d: &InstData) {
        let want = match d.op.info().result {
            ResultRule::None => return,
            ResultRule::Same => d.ty,
            ResultRule::Truth => Type::I8,
            ResultRule::Address => Type::I64,
            ResultRule::Converted if (d.aux() as usize) < Type::ALL.len() => d.to_type(),
            ResultRule::Converted | ResultRule::Call => return,
        };
        self.assigns(d.result(), want);
    }

    /// The destination `dst` is a register of type `want`.
    #[inline]
    pub(super) fn assigns(&mut self, dst: Option<Reg>, want: Type) {
        match dst.and_then(|r| self.f.regs.get(r)) {
            Some(data) if data.ty == want => {}
            found => {
                let name = self.mnemonic();
                match (found, dst) {
                    (Some(data), Some(r)) => {
                        let (ty, r) = (data.ty, self.reg(r));
                        self.report(Rule::Destination, format_args!("`{name}` gives {want}, but {r} is {ty}"));
                    }
                    _ => self
                        .report(Rule::Destination, format_args!("the result of `{name}` is assigned to no register")),
                }
            }
        }
    }

    /// V11 for the parts that few formats have, V13 to V18, V23, V24.
    #[inline(always)]
    fn operands(&mut self, d: &InstData) {
        let format = d.op.format();
        match format {
            Format::Const => self.constant(d.first(), d.ty),
            Format::Unary | Format::Convert | Format::Switch => {
                self.register(d.first(), d.ty);
                if format == Format::Switch {
                    self.cases(d.ty);
                }
            }
            Format::Binary | Format::Compare | Format::Branch | Format::Assume => {
                if format != Format::Binary {
                    self.predicate(d);
                }
                self.register(d.first(), d.ty);
                self.value(d.second(), d.ty);
            }
            Format::Ternary | Format::Select => {
                let (b, c) = self.f.operands_bc(self.at);
                if format == Format::Select {
                    self.condition(d.first());
                } else {
                    self.register(d.first(), d.ty);
                }
                self.register(b, d.ty);
                self.register(c, d.ty);
            }
            Format::Alloca => {
                self.value(d.first(), Type::I64);
                self.alloca(d);
            }
            Format::Nullary | Format::Jump | Format::Stop => {}
            Format::Consume => self.register(d.first(), Type::I64),
            Format::Call => self.call(d),
            Format::Phi => {
                for (_, o) in self.f.phi_entries(self.at) {
                    self.value(o, d.ty);
                }
            }
            Format::Return => self.return_value(d),
            Format::AggReturn => self.return_agg(d),
            Format::MemCopy | Format::MemFill => self.block_operation(d),
            Format::Address | Format::Load | Format::Store => self.access(d),
            Format::Fence
            | Format::AtomicLoad
            | Format::AtomicStore
            | Format::AtomicUpdate
            | Format::AtomicExchange => self.atomic(d, format),
            Format::MemOnly | Format::MemPair | Format::AggMemPair => self.list_of_arguments(d),
        }
    }

    /// V11, V13 to V17 for an atomic operation.
    #[inline(never)]
    fn atomic(&mut self, d: &InstData, format: Format) {
        self.orders(d);
        match format {
            Format::AtomicUpdate => {
                self.mem(&self.f.mem_dst(self.at), d.ty.bytes() as u64);
                self.value(d.second(), d.ty);
            }
            Format::AtomicExchange => {
                let (expected, new) = self.f.operands_bc(self.at);
                self.mem(&self.f.mem_dst(self.at), d.ty.bytes() as u64);
                self.register(expected, d.ty);
                self.register(new, d.ty);
            }
            Format::AtomicLoad | Format::AtomicStore => self.access(d),
            _ => {}
        }
    }

    /// V15 to V17 for an address or an access.
    #[inline]
    fn access(&mut self, d: &InstData) {
        // Of the instructions of this form, only `va_arg` does not access as many bytes as its type has.
        self.memory(match d.op {
            Opcode::Lea => 0,
            Opcode::VaArg => VA_LIST_SIZE,
            _ => d.ty.bytes() as u64,
        });
        if matches!(d.op.format(), Format::Store | Format::AtomicStore) {
            self.value(d.stored(), d.ty);
        }
    }

    /// V16 to V18 for a `va_list`.
    #[inline(never)]
    fn list_of_arguments(&mut self, d: &InstData) {
        match d.op.format() {
            Format::MemOnly => self.memory(VA_LIST_SIZE),
            Format::AggMemPair => {
                let size = self.agg_size(d.agg());
                self.mem(&self.f.mem_dst(self.at), size);
                self.mem(&self.f.mem_src(self.at), VA_LIST_SIZE);
            }
            _ => {
                self.mem(&self.f.mem_dst(self.at), VA_LIST_SIZE);
                self.mem(&self.f.mem_src(self.at), VA_LIST_SIZE);
            }
        }
        if d.op == Opcode::VaStart && !self.sig.variadic {
            self.report(Rule::VariableArgument, format_args!("`va_start` in a function that is not variadic"));
        }
    }

    // ---- Operands ----

    /// V13, V14: a register of this type.
    #[inline]
    pub(super) fn register(&mut self, o: Operand, want: Type) {
        match o.as_reg().and_then(|r| self.f.regs.get(r)) {
            Some(data) if data.ty == want => {}
            _ => self.wrong_register(o, want),
        }
    }
    #[cold]
    #[inline(never)]
    fn wrong_register(&mut self, o: Operand, want: Type) {
        let name = self.mnemonic();
        match o.as_reg().and_then(|r| Some((r, self.f.regs.get(r)?.ty))) {
            Some((r, ty)) => {
                let r = self.reg(r);
                self.report_about(
                    Rule::OperandType,
                    Some(&r),
                    format_args!("`{name}` wants {want} here, but {r} is {ty}"),
                );
            }
            None => self.report(Rule::OperandKind, format_args!("`{name}` wants a register of type {want} here")),
        }
    }
    /// V13 to V15: a register or constant of this type.
    #[inline]
    fn value(&mut self, o: Operand, want: Type) {
        if o.is_const() { self.constant(o, want) } else { self.register(o, want) }
    }
    /// V13, V15: a constant of this type.
    #[inline]
    fn constant(&mut self, o: Operand, want: Type) {
        match self.f.constant(o) {
            Some(payload) if want.constant_payload(payload as u64) == payload => {}
            Some(payload) => self.report(Rule::Constant, format_args!("{payload} does not fit {want}")),
            None if want == Type::I128 && self.f.wide_constant(o).is_some() => {}
            None => {
                let name = self.mnemonic();
                self.report(Rule::OperandKind, format_args!("`{name}` wants a constant here"));
            }
        }
    }
    /// V13, V14: a register of an integer type.
    fn condition(&mut self, o: Operand) {
        match o.as_reg().and_then(|r| self.f.regs.get(r)) {
            Some(data) if data.ty.is_int() => {}
            _ => {
                let name = self.mnemonic();
                self.report(Rule::OperandType, format_args!("the condition of `{name}` is an integer register"));
            }
        }
    }

    // ---- Memory ----

    /// V16, V17 for the memory operand of an instruction that has one.
    #[inline]
    fn memory(&mut self, size: u64) {
        let d = self.f.inst(self.at);
        if !d.is_indexed() && d.first().is_const() {
            self.report(Rule::Memory, format_args!("a constant is not the base of an address"));
            return;
        }
        let mem = self.f.mem(self.at);
        self.mem(&mem, size);
    }

    /// V16, and V17 for an access of `size` bytes (0: none).
    #[inline]
    pub(super) fn mem(&mut self, mem: &Mem, size: u64) {
        let object_size = match mem.base {
            Base::None => UNBOUNDED,
            Base::Reg(r) => {
                self.address_register(r);
                UNBOUNDED
            }
            Base::Obj(o) => match self.f.stack.get(o) {
                Some(data) => data.size,
                None => return self.report(Rule::Memory, format_args!("{o:?} is not a stack object")),
            },
            Base::Sym(s) if s.index() >= self.decls.syms.len() => {
                return self.report(Rule::Memory, format_args!("{s:?} is no symbol"));
            }
            Base::Sym(s) => self.data_size(s),
        };
        if let Some(r) = mem.index {
            self.address_register(r);
            if !matches!(mem.scale, 1 | 2 | 4 | 8) {
                let scale = mem.scale;
                self.report(Rule::Memory, format_args!("the scale {scale} is not 1, 2, 4 or 8"));
            }
        } else {
            if mem.scale != 1 {
                self.report(Rule::Memory, format_args!("there is a scale without an index"));
            }
            if size != 0 && object_size != UNBOUNDED {
                self.bounds(mem, size, object_size);
            }
        }
    }
    #[inline]
    fn address_register(&mut self, r: Reg) {
        if self.f.regs.get(r).is_none_or(|data| data.ty != Type::I64) {
            self.wrong_address_register(r);
        }
    }
    #[cold]
    #[inline(never)]
    fn wrong_address_register(&mut self, r: Reg) {
        match self.f.regs.get(r) {
            Some(data) => {
                let (name, ty) = (self.reg(r), data.ty);
                self.report_about(
                    Rule::Memory,
                    Some(&name),
                    format_args!("an address is made of i64, but {name} is {ty}"),
                );
            }
            None => self.report(Rule::Memory, format_args!("{r:?} is not a register")),
        }
    }

    /// V17.
    #[inline]
    fn bounds(&mut self, mem: &Mem, size: u64, object_size: u64) {
        if !lies_within(mem.disp.into(), size, object_size) {
            self.out_of_bounds(mem, size, object_size);
        }
    }
    #[cold]
    #[inline(never)]
    fn out_of_bounds(&mut self, mem: &Mem, size: u64, object_size: u64) {
        let object = match mem.base {
            Base::Obj(o) => self.object(o),
            Base::Sym(s) => self.symbol(s),
            Base::None | Base::Reg(_) => return,
        };
        let (disp, s) = (mem.disp, |n: u64| if n == 1 { "" } else { "s" });
        let (many, more) = (s(size), s(object_size));
        self.report_about(
            Rule::Bounds,
            Some(&object),
            format_args!(
                "an access of {size} byte{many} at offset {disp} leaves {object}, which has {object_size} byte{more}"
            ),
        );
    }
    /// Returns the size of a symbol's data, if it is defined here.
    #[inline]
    fn data_size(&mut self, s: Sym) -> u64 {
        let SymKind::Data(id) = self.decls.syms[s].kind else { return UNBOUNDED };
        let Some(data) = self.decls.data.get(id) else { return UNBOUNDED };
        match *self.scratch.data_sizes.get(id) {
            SIZE_UNKNOWN => {
                let size = if data.is_extern { UNBOUNDED } else { data.size() };
                self.scratch.data_sizes[id] = size;
                size
            }
            size => size,
        }
    }
    /// Returns the size of an aggregate type, which exists by V2.
    pub(super) fn agg_size(&mut self, agg: Agg) -> u64 {
        match self.decls.types.get(agg) {
            Some(ty) => ty.size,
            None => {
                self.report(Rule::Tables, format_args!("{agg:?} is no type"));
                0
            }
        }
    }

    /// `memcpy`, `memmove` and `memset`.
    fn block_operation(&mut self, d: &InstData) {
        self.value(d.length(), Type::I64);
        let size = self.f.constant(d.length()).map_or(0, |n| n as u64);
        self.mem(&self.f.mem_dst(self.at), size);
        if d.op.format() == Format::MemFill {
            self.value(d.second(), Type::I8);
        } else {
            self.mem(&self.f.mem_src(self.at), size);
        }
    }

    /// V18 for an alloca.
    fn alloca(&mut self, d: &InstData) {
        if d.aux() >= 64 || 1 << d.aux() > MAX_OBJECT_SIZE {
            self.report(Rule::StackObject, format_args!("an alignment is a power of two, at most 2^30"));
        }
    }

    // ---- Terminators ----

    /// V23 for `ret` and `ret %a`.
    fn return_value(&mut self, d: &InstData) {
        match self.sig.result {
            None if d.first().is_none() => {}
            None => self.wrong_return(format_args!("the function has no result to return")),
            Some(AbiParam::Scalar(ty, _)) if d.first().is_none() => {
                self.wrong_return(format_args!("the function returns {ty}, but there is no value here"));
            }
            Some(AbiParam::Scalar(ty, _)) if d.ty != ty => {
                let have = d.ty;
                self.wrong_return(format_args!("the function returns {ty}, not {have}"));
            }
            Some(AbiParam::Scalar(ty, _)) => self.value(d.first(), ty),
            Some(AbiParam::Agg(agg)) => {
                let name = self.describe(Some(AbiParam::Agg(agg)));
                let ret = format!("`ret {} [..]`", name.trim_matches('`'));
                self.wrong_return(format_args!("the function returns {name}: {ret}"));
            }
        }
    }
    /// V23 for `ret :agg [m]`.
    fn return_agg(&mut self, d: &InstData) {
        let size = self.agg_size(d.agg());
        self.memory(size);
        if self.sig.result != Some(AbiParam::Agg(d.agg())) {
            let (want, have) = (self.describe(self.sig.result), self.describe(Some(AbiParam::Agg(d.agg()))));
            self.wrong_return(format_args!("the function returns {want}, not {have}"));
        }
    }
    #[cold]
    fn wrong_return(&mut self, message: std::fmt::Arguments<'_>) {
        let (at, name) = (self.decls.syms[self.f.sym].loc, self.symbol(self.f.sym));
        self.report_with(Rule::Return, message, at, format_args!("{name} is declared here"));
    }

    /// V15 and V24 for the cases of a switch.
    fn cases(&mut self, ty: Type) {
        let mut cases = std::mem::take(&mut self.scratch.cases);
        cases.clear();
        for c in self.f.switch_cases(self.at) {
            self.constant(c, ty);
            cases.extend(self.f.constant(c));
        }
        if !cases.is_sorted_by(|a, b| a < b) {
            cases.sort_unstable();
            for pair in cases.windows(2).filter(|p| p[0] == p[1]) {
                let value = pair[0];
                self.report(Rule::Cases, format_args!("there are two cases for {value}"));
            }
        }
        self.scratch.cases = cases;
    }
}

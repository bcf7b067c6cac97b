//! A module in the making: types, data, signatures, and the calls that are allowed.

mod jumps;
mod passed_lists;
mod recursion;

use crate::body::Body;
use crate::constants::{constant_bits, types};
use crate::surroundings::{
    Callee, Data, ENTRY, FunctionTable, MovedAddress, Outside, POINTEE_SIZE, ParamKind, PointerTable, Purity, Shape,
    Surroundings, Written, any_name,
};
use crate::{Config, Rng};
use lir_syntax::ir::builder::FunctionBuilder;
use lir_syntax::ir::{
    AbiParam, Agg, AggBody, Attrs, DataItem, Ext, Linkage, MemberType, Module, Opcode, Section, Signature, Sym,
    SymKind, Type, VA_LIST_SIZE, Visibility,
};

/// A module in the making.
pub(crate) struct Generator<'c> {
    pub(crate) config: &'c Config,
    pub(crate) rng: Rng,
    pub(crate) module: Module,
    pub(crate) data: Vec<Data>,
    pub(crate) pointers: Option<PointerTable>,
    pub(crate) table: Option<FunctionTable>,
    never_returns: Option<Sym>,
    identities: [Option<Sym>; 2],
    moved: Option<MovedAddress>,
    outside: Outside,
    /// In the order in which bodies are made: each calls only those before it.
    pub(crate) callees: Vec<Callee>,
}

impl<'c> Generator<'c> {
    /// Returns a module without anything.
    pub(crate) fn new(seed: u64, config: &'c Config) -> Generator<'c> {
        let (rng, module) = (Rng::new(seed), Module::default());
        let (data, callees) = (Vec::new(), Vec::new());
        let (identities, outside) = ([None; 2], Outside::default());
        Generator {
            config,
            rng,
            module,
            data,
            pointers: None,
            table: None,
            never_returns: None,
            identities,
            moved: None,
            outside,
            callees,
        }
    }

    /// Makes everything in the module.
    pub(crate) fn build(mut self) -> Module {
        if self.config.memory {
            if self.config.aggregates {
                self.types();
            }
            self.data();
        }
        if self.config.traps {
            self.never_returns();
        }
        if self.config.floats {
            self.identities();
        }
        if self.config.memory && self.rng.chance(40) {
            self.moved = Some(MovedAddress::make(&mut self.module, &mut self.rng));
        }
        self.outside = Outside::declare(&mut self.rng, &mut self.module, self.config);
        self.signatures();
        for k in 0..self.callees.len() {
            // A function that calls itself has its body already.
            if self.callees[k].steps == 0 {
                self.body(k);
            }
        }
        if self.config.memory && self.config.variadic && self.rng.chance(12) {
            self.passed_list();
        }
        if self.rng.chance(12) {
            self.jumps();
        }
        self.module
    }

    // ---- Types ----

    fn types(&mut self) {
        use Type::{F32, F64, I8, I16, I32, I64};
        let scalar = |t: Type, n: u64| (MemberType::Scalar(t), n);
        // One of each way an aggregate is passed: two registers of either class or both, one, part of one, none,
        // memory by size, by alignment, by a misaligned member, and unknown insides; and a vector.
        let shapes: [(&[(MemberType, u64)], bool); 14] = [
            (&[scalar(I64, 1), scalar(F64, 1)], false),
            (&[scalar(F64, 1), scalar(I32, 1)], false),
            (&[scalar(F32, 3)], false),
            (&[scalar(F32, 1), scalar(I32, 1)], false),
            (&[scalar(F64, 2)], false),
            (&[scalar(I64, 2)], false),
            (&[scalar(I8, 3)], false),
            (&[scalar(I8, 1), scalar(I16, 1), scalar(I8, 1), scalar(I64, 1)], false),
            (&[scalar(I32, 3)], false),
            (&[scalar(I16, 3)], false),
            (&[scalar(I64, 3)], false),
            (&[scalar(I8, 1), scalar(I64, 1)], true),
            (&[scalar(I8, 1), scalar(F32, 1), scalar(I8, 2)], false),
            (&[scalar(I32, 0)], false),
        ];
        let count = self.rng.range(2, 5);
        for n in 0..count {
            let kind = self.rng.below(20);
            let (members, packed) = shapes[self.rng.below(shapes.len())];
            let members = members.to_vec();
            let body = match kind {
                0 | 1 => AggBody::Union(members),
                2 => match self.rng.range(1, 40) {
                    25.. => AggBody::Vector,
                    size => AggBody::Opaque(size as u64),
                },
                3 | 4 if n > 0 => {
                    let inner = MemberType::Agg(Agg::from_u32(n as u32 - 1));
                    AggBody::Struct { packed: false, members: vec![scalar(I8, 1), (inner, 1)] }
                }
                _ => AggBody::Struct { packed, members },
            };
            let align = if matches!(body, AggBody::Opaque(_)) { 8 } else { self.rng.pick(&[0, 0, 0, 0, 0, 16, 32]) };
            let added = self.module.add_type(&format!("t{n}"), (align > 0).then_some(align), body);
            debug_assert!(added.is_some(), "the types of the generator are small");
        }
    }

    /// Returns an aggregate type, if the module has any.
    fn agg(&mut self) -> Option<Agg> {
        let n = self.module.decls.types.len();
        (n > 0).then(|| Agg::from_u32(self.rng.below(n) as u32))
    }

    // ---- Data ----

    fn data(&mut self) {
        let count = self.rng.range(2, 4);
        for n in 0..count {
            let (items, size) = self.items();
            let name = any_name(&mut self.rng, &format!("d{n}"));
            let sym = self.module.define_data(&name, items);
            let is_const = n == 1;
            let is_thread = n == 2 && self.config.thread_data;
            let align = self.rng.pick(&[None, None, Some(1), Some(16), Some(64)]);
            let SymKind::Data(id) = self.module.decls.syms[sym].kind else { unreachable!("a data symbol") };
            self.scope(sym, 40);
            let object = &mut self.module.decls.data[id];
            (object.constant, object.thread, object.explicit_align) = (is_const, is_thread, align);
            if !is_thread && self.rng.chance(10) {
                let flags: &[u8] = if is_const { b"a" } else { b"aw" };
                object.section = Some(Section { name: (*b".odd.data").into(), flags: Some(flags.into()) });
            }
            // Data that is never written is as constant as data marked so, and passes find that out.
            let unwritten = n > 0 && self.rng.chance(30);
            let writable = !(is_const || unwritten);
            self.data.push(Data { sym, size, writable });
        }
        self.pointer_data();
    }

    /// Contents whose size is a multiple of 8 and at least [`POINTEE_SIZE`].
    fn items(&mut self) -> (Vec<DataItem>, u32) {
        let (mut items, mut size) = (Vec::new(), 0u64);
        let target = self.rng.range(POINTEE_SIZE as usize, 160) as u64;
        while size < target {
            let item = match self.rng.below(6) {
                0 => DataItem::Zero(self.rng.range(1, 20) as u64),
                1 => DataItem::Str((0..self.rng.range(1, 9)).map(|_| self.rng.bits() as u8).collect()),
                _ => {
                    let ty = self.rng.pick(types(self.config.floats));
                    DataItem::Scalar(ty, ty.constant_payload(constant_bits(&mut self.rng, ty)))
                }
            };
            size += item.size();
            items.push(item);
        }
        let padding = size.next_multiple_of(8) - size;
        if padding > 0 {
            items.push(DataItem::Zero(padding));
        }
        (items, (size + padding) as u32)
    }

    fn pointer_data(&mut self) {
        let any = self.rng.chance(50);
        let suits = |d: &Data| (any || d.writable) && !self.is_thread(d.sym);
        let to: Vec<Data> = self.data.iter().copied().filter(suits).collect();
        let members: Vec<Data> = (0..4).map(|_| self.rng.pick(&to)).collect();
        let at = |d: &Data| (d.sym, self.rng.below((d.size - POINTEE_SIZE) as usize + 1) as i64);
        let items = members.iter().map(at).map(|(sym, at)| DataItem::Addr(sym, at)).collect();
        let writable = members.iter().all(|d| d.writable);
        let sym = self.module.define_data("pointers", items);
        if let SymKind::Data(id) = self.module.decls.syms[sym].kind {
            self.module.decls.data[id].constant = self.rng.chance(50);
        }
        self.scope(sym, 60);
        self.pointers = Some(PointerTable { sym, count: 4, writable });
    }

    /// Chooses linkage and visibility of a definition; it is `local` with a probability of `local` per cent.
    fn scope(&mut self, sym: Sym, local: usize) {
        let of_others = [Linkage::Global, Linkage::Global, Linkage::Weak, Linkage::LinkOnce];
        let linkage = if self.rng.chance(local) { Linkage::Local } else { self.rng.pick(&of_others) };
        let data = &mut self.module.decls.syms[sym];
        data.linkage = linkage;
        data.visibility = if linkage == Linkage::Local { Visibility::Default } else { self.rng.pick(&Visibility::ALL) };
    }

    fn is_thread(&self, sym: Sym) -> bool {
        self.module.decls.data_of(sym).is_some_and(|d| d.thread)
    }

    fn const_data(&mut self, name: &str, items: Vec<DataItem>) -> Sym {
        let sym = self.module.define_data(name, items);
        if let SymKind::Data(id) = self.module.decls.syms[sym].kind {
            self.module.decls.data[id].constant = true;
        }
        sym
    }

    /// Makes a function that ends in a trap.
    fn never_returns(&mut self) {
        let params = vec![AbiParam::Scalar(Type::I32, Ext::None)];
        let attrs = if self.rng.chance(50) { Attrs::NORETURN } else { Attrs::NORETURN.or(Attrs::COLD) };
        let id = self.module.define_func("trap", Signature { params, variadic: false, result: None, attrs });
        let mut b = FunctionBuilder::new(&mut self.module.funcs[id]);
        let entry = b.block("entry");
        b.switch_to(entry);
        let c = b.param(0);
        if self.rng.chance(50) {
            b.binary(Opcode::Sdiv, Type::I32, c, 0);
        }
        b.unreachable();
        let sym = self.module.funcs[id].sym;
        self.scope(sym, 50);
        self.never_returns = Some(sym);
    }

    /// Functions that return their argument, inlined or not.
    fn identities(&mut self) {
        for (k, (ty, name)) in [(Type::F32, "same32"), (Type::F64, "same64")].into_iter().enumerate() {
            let param = AbiParam::Scalar(ty, Ext::None);
            let attrs = self.rng.pick(&[Attrs::NONE, Attrs::NOINLINE, Attrs::READNONE.or(Attrs::WILLRETURN)]);
            let signature = Signature { params: vec![param], variadic: false, result: Some(param), attrs };
            let id = self.module.define_func(name, signature);
            let mut b = FunctionBuilder::new(&mut self.module.funcs[id]);
            let entry = b.block("entry");
            b.switch_to(entry);
            let x = b.param(0);
            b.ret(x);
            let sym = self.module.funcs[id].sym;
            self.scope(sym, 50);
            self.identities[k] = Some(sym);
        }
    }

    // ---- Signatures ----

    /// All functions, without bodies. Their order in the text is not the one in which they call one another.
    fn signatures(&mut self) {
        let n = self.config.functions;
        let group = if self.config.memory && self.config.indirect_calls && n >= 2 { 2 } else { 0 };
        let mut shapes: Vec<Shape> = Vec::new();
        for k in 0..n {
            let shape = if k > 0 && k < group { shapes[0].clone() } else { self.signature(k < group) };
            shapes.push(shape);
        }
        let mut order: Vec<usize> = (0..n).collect();
        for k in (1..n).rev() {
            order.swap(k, self.rng.below(k + 1));
        }
        let mut made: Vec<Option<Callee>> = vec![None; n];
        for k in order {
            made[k] = Some(self.declare_some(k, shapes[k].clone()));
        }
        self.callees = made.into_iter().flatten().collect();
        if self.config.recursion && self.rng.chance(50) {
            let callee = self.recursive();
            // The table names the first ones.
            self.callees.insert(group, callee);
        }
        if group > 0 {
            let members: Vec<usize> = (0..group).collect();
            let items = members.iter().map(|k| DataItem::Addr(self.callees[*k].sym, 0)).collect();
            self.table = Some(FunctionTable { sym: self.const_data("functions", items), members });
        }
        let i64 = AbiParam::Scalar(Type::I64, Ext::None);
        let params = vec![i64, i64, AbiParam::Scalar(Type::F64, Ext::None)];
        let kinds = params.iter().map(|p| ParamKind::Value(*p)).collect();
        let sig = Signature { params, variadic: false, result: Some(i64), attrs: Attrs::NONE };
        let test =
            self.declare("test", Shape { sig, kinds, variable: Vec::new(), purity: Purity::Any, result_written: None });
        self.module.decls.syms[test.sym].linkage = Linkage::Global;
        self.callees.push(test);
    }

    /// Declares a function of a generated shape. Some are to be called from outside, too: [`ENTRY`] begins their names.
    fn declare_some(&mut self, k: usize, shape: Shape) -> Callee {
        let only_values = shape.kinds.iter().all(|kind| matches!(kind, ParamKind::Value(_)));
        let is_entry = only_values && !shape.sig.variadic && shape.result_written.is_none() && self.rng.chance(50);
        let name = if is_entry { format!("{ENTRY}{k}") } else { any_name(&mut self.rng, &format!("f{k}")) };
        let callee = self.declare(&name, shape);
        if is_entry {
            self.module.decls.syms[callee.sym].linkage = Linkage::Global;
        } else if self.rng.chance(8) {
            let section = Section { name: (*b".text.odd").into(), flags: Some((*b"ax").into()) };
            self.module.funcs[callee.id].section = Some(section);
        }
        callee
    }

    /// Declares a function of a shape.
    pub(crate) fn declare(&mut self, name: &str, shape: Shape) -> Callee {
        let Shape { sig, kinds, variable, purity, result_written } = shape;
        let id = self.module.define_func(name, sig.clone());
        let sym = self.module.funcs[id].sym;
        self.scope(sym, 60);
        Callee { id, sym, sig, kinds, variable, purity, result_written, steps: 0 }
    }

    /// Returns a signature with the facts that a caller must know. One for the table of functions has no attributes
    /// that others lack.
    fn signature(&mut self, for_table: bool) -> Shape {
        let purity = match self.rng.below(10) {
            0 | 1 if !for_table => Purity::ReadNone,
            2 if !for_table => Purity::ReadOnly,
            _ => Purity::Any,
        };
        let most = self.rng.pick(&[3, 6, 14, 22]);
        let mut kinds: Vec<ParamKind> = (0..self.rng.below(most + 1)).map(|_| self.param(purity)).collect();
        let memory = self.config.memory;
        let variadic = memory && self.config.variadic && purity == Purity::Any && !for_table && self.rng.chance(25);
        if !variadic && self.rng.chance(8) {
            kinds.insert(0, ParamKind::Value(AbiParam::Scalar(Type::I64, Ext::Env)));
        }
        let variable = if variadic { (0..self.rng.below(9)).map(|_| self.variable()).collect() } else { Vec::new() };
        let result = match self.rng.below(12) {
            0 => None,
            1..=3 if purity == Purity::Any => self.agg().map(AbiParam::Agg).or(Some(self.scalar())),
            _ => Some(self.scalar()),
        };
        let params = kinds.iter().map(|k| match *k {
            ParamKind::Value(p) => p,
            ParamKind::Partial(agg, _) => AbiParam::Agg(agg),
            ParamKind::Pointer => AbiParam::Scalar(Type::I64, Ext::None),
        });
        let attrs = self.attributes(purity);
        let sig = Signature { params: params.collect(), variadic, result, attrs };
        let result_written = match result {
            Some(AbiParam::Agg(agg)) if self.rng.chance(35) => Some(self.written(agg)),
            _ => None,
        };
        Shape { sig, kinds, variable, purity, result_written }
    }

    fn attributes(&mut self, purity: Purity) -> Attrs {
        let memory = match purity {
            Purity::ReadNone => Attrs::READNONE.or(Attrs::WILLRETURN),
            Purity::ReadOnly => Attrs::READONLY.or(Attrs::WILLRETURN),
            Purity::Any => Attrs::NONE,
        };
        let hint = self.rng.pick(&[Attrs::NONE, Attrs::RETURNS, Attrs::INLINE, Attrs::NOINLINE, Attrs::COLD]);
        memory.or(hint)
    }

    fn param(&mut self, purity: Purity) -> ParamKind {
        match self.rng.below(10) {
            0 if self.config.memory && purity == Purity::Any => ParamKind::Pointer,
            1 if purity == Purity::Any && self.rng.chance(60) => match self.agg() {
                Some(agg) => ParamKind::Partial(agg, self.written(agg)),
                None => ParamKind::Value(self.scalar()),
            },
            1 | 2 if purity == Purity::Any => {
                let agg = self.agg().map(AbiParam::Agg);
                ParamKind::Value(agg.unwrap_or_else(|| self.scalar()))
            }
            _ => ParamKind::Value(self.scalar()),
        }
    }

    /// Some bytes of an aggregate.
    fn written(&mut self, agg: Agg) -> Written {
        let size = self.module.decls.types[agg].size as u32;
        Written::of_size(&mut self.rng, size)
    }

    fn scalar(&mut self) -> AbiParam {
        let ty = if self.rng.chance(8) { Type::I128 } else { self.rng.pick(types(self.config.floats)) };
        let ext = match ty {
            Type::I8 | Type::I16 => self.rng.pick(&[Ext::None, Ext::Sext, Ext::Zext]),
            Type::I32 | Type::I64 | Type::I128 | Type::F32 | Type::F64 => Ext::None,
        };
        AbiParam::Scalar(ty, ext)
    }

    fn variable(&mut self) -> AbiParam {
        let scalar = |t| AbiParam::Scalar(t, Ext::None);
        match self.rng.below(8) {
            0 => self.agg().map_or(scalar(Type::I64), AbiParam::Agg),
            1..=3 if self.config.floats => scalar(Type::F64),
            4 => scalar(Type::I64),
            _ => scalar(Type::I32),
        }
    }

    // ---- Bodies ----

    /// Data with room for the list of variable arguments of one function, at any alignment.
    fn list_data(&mut self, k: usize) -> Sym {
        let sym = self.module.define_data(&format!("list{k}"), vec![DataItem::Zero(VA_LIST_SIZE + 8)]);
        if let SymKind::Data(id) = self.module.decls.syms[sym].kind {
            self.module.decls.data[id].explicit_align = self.rng.pick(&[None, Some(1), Some(4), Some(16)]);
        }
        sym
    }

    fn body(&mut self, k: usize) {
        let callee = self.callees[k].clone();
        let is_test = k + 1 == self.callees.len();
        // A function that is called may take a part of the steps of the test.
        let limit = if is_test { self.config.max_steps } else { self.config.max_steps / 20 };
        let list_data = (callee.sig.variadic && self.rng.chance(30)).then(|| self.list_data(k));
        let mut func = std::mem::replace(&mut self.module.funcs[callee.id], lir_syntax::ir::Function::new(callee.sym));
        let around = Surroundings {
            config: self.config,
            decls: &self.module.decls,
            data: &self.data,
            pointers: self.pointers,
            table: self.table.as_ref(),
            never_returns: self.never_returns,
            identities: self.identities,
            moved: self.moved,
            outside: &self.outside,
            list_data,
            callees: &self.callees[..k],
        };
        let body = Body::new(&around, &callee, &mut self.rng, FunctionBuilder::new(&mut func), limit);
        self.callees[k].steps = if is_test { body.make_test() } else { body.make() };
        self.module.funcs[callee.id] = func;
    }
}

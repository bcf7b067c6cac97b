//! Modules as programs build them by hand, with the mistakes that the public interface of the IR allows.
//!
//! [`misbuild`] changes a module at random: names that others have or that no text can have, operands, predicates and
//! lists of other instructions or of other functions, targets and phi entries, tables that disagree. Most results break
//! rules of the verifier; each of them is printed and verified without a panic, and one that the verifier accepts is a
//! module like any other.

use crate::Rng;
use lir_syntax::ir::builder::FunctionBuilder;
use lir_syntax::ir::{
    AbiParam, Agg, Attrs, Base, Block, CallArg, CallInfo, CallResult, DataId, DataItem, DebugForm, DebugLoc,
    DebugMember, DebugType, Encoding, EntityRef, Ext, FileData, FloatCC, Format, FuncId, Function, Inst, IntCC, Item,
    Linkage, Mem, MemberType, Module, NameRef, NoaliasSet, Obj, Opcode, Operand, Origin, PackedOption, Param, Place,
    Predicate, Reg, RegData, Scope, ScopeData, Section, SourceFile, Sym, Type, ValuePromises, Visibility,
};
use lir_syntax::ir::{AggBody, SymKind};

/// Names that front ends come up with, and some that they should not.
const NAMES: [&[u8]; 20] = [
    b"", b"\0", b"a\0b", b"a_b", b"\"", b"\n", b"x", b"x.1", b"x.2", b"t", b"t.1", b"0", b"none", b"\xff\xfe", b" ",
    b";", b"%x", b"entry", b"ret", b"a\\b",
];

/// Usually an existing id; else one that another function or module may have.
fn id<K: EntityRef>(rng: &mut Rng, count: usize) -> K {
    if count > 0 && rng.chance(85) {
        return K::new(rng.below(count));
    }
    K::new(rng.pick(&[count, count + 1, count + 7, 1 << 20, (1 << 29) - 2]))
}

/// The state of the changes: the module, and the numbers.
struct Builder<'m> {
    module: &'m mut Module,
    rng: &'m mut Rng,
}

/// Makes this many changes to a module.
pub fn misbuild(module: &mut Module, rng: &mut Rng, changes: usize) {
    for _ in 0..changes {
        let mut b = Builder { module, rng };
        match b.rng.below(10) {
            0 | 1 => b.names(),
            2 => b.tables(),
            3 => b.data_and_types(),
            4 => b.debug_types(),
            _ => b.function(),
        }
    }
}

impl Builder<'_> {
    fn name(&mut self) -> &'static [u8] {
        self.rng.pick(&NAMES)
    }
    fn func(&mut self) -> Option<FuncId> {
        let count = self.module.funcs.len();
        (count > 0).then(|| FuncId::new(self.rng.below(count)))
    }

    /// Names: of registers, blocks and objects, of symbols, types and files.
    fn names(&mut self) {
        let name = self.name();
        let Some(id) = self.func() else { return };
        let f = &mut self.module.funcs[id];
        let (regs, blocks, objs) = (f.regs.len(), f.num_blocks(), f.stack.len());
        let (at, other) = (self.rng.bits() as usize, self.rng.bits() as usize);
        match self.rng.below(9) {
            0 if regs > 0 => f.regs[Reg::new(at % regs)].name = f.names.add(name),
            1 if regs > 0 => f.regs[Reg::new(at % regs)].name = f.regs[Reg::new(other % regs)].name,
            2 if blocks > 0 => {
                let name = f.names.add(name);
                f.set_block_name(Block::new(at % blocks), name);
            }
            3 if blocks > 0 => {
                let name = f.block(Block::new(other % blocks)).name;
                f.set_block_name(Block::new(at % blocks), name);
            }
            4 if objs > 0 => f.stack[Obj::new(at % objs)].name = f.names.add(name),
            5 if objs > 0 && regs > 0 => f.stack[Obj::new(at % objs)].name = f.regs[Reg::new(other % regs)].name,
            6 => {
                let data = FileData { name: name.into(), path: name.into(), loc: u32::MAX };
                let file = self.module.decls.files.push(data);
                let at = self.rng.below(self.module.items.len() + 1);
                self.module.items.insert(at, Item::File(file));
            }
            7 => {
                let syms = &mut self.module.decls.syms;
                let sym = Sym::new(at % syms.len());
                syms[sym].name = name.into();
            }
            _ if !self.module.decls.types.is_empty() => {
                let types = &mut self.module.decls.types;
                let agg = Agg::new(at % types.len());
                types[agg].name = name.into();
            }
            _ => {}
        }
    }

    /// Debug types, and the ones of stack objects and parameters.
    fn debug_types(&mut self) {
        let name = |b: &mut Self| b.name().into();
        let known = self.module.decls.debug_types.all().len();
        let of: DebugType = id(self.rng, known);
        let form = match self.rng.below(7) {
            0 => {
                let encoding = self.rng.pick(&Encoding::ALL);
                DebugForm::Base { encoding, size: self.rng.below(18) as u64, name: name(self) }
            }
            1 => DebugForm::Pointer(self.rng.chance(50).then_some(of)),
            2 => DebugForm::Array { count: self.rng.bits(), of },
            3 => DebugForm::Alias { name: name(self), of: self.rng.chance(50).then_some(of) },
            4 => DebugForm::Enum { of, name: name(self), values: vec![(name(self), self.rng.bits() as i64)] },
            is_union => {
                let bits = self.rng.chance(30).then_some(self.rng.bits());
                let member = DebugMember { offset: self.rng.bits(), bits, ty: of, name: name(self) };
                DebugForm::Aggregate {
                    is_union: is_union == 5,
                    size: self.rng.bits(),
                    name: name(self),
                    members: vec![member],
                }
            }
        };
        if known > 0 && self.rng.chance(30) {
            let t = DebugType::new(self.rng.below(known));
            self.module.decls.debug_types.set_form(t, form);
        } else {
            let name = String::from_utf8_lossy(self.name()).into_owned();
            self.module.define_debug_type(&name, form);
        }
        if let Some(f) = self.func().map(|f| &mut self.module.funcs[f]).filter(|f| !f.stack.is_empty()) {
            let object = Obj::new(self.rng.below(f.stack.len()));
            f.stack[object].debug_type = of.into();
        }
    }

    /// The scope of a stack object.
    fn scope(&mut self, func: FuncId) {
        let file = id(self.rng, self.module.decls.files.len());
        let [line, column, end_line, end_column] = [(); 4].map(|()| self.rng.below(4) as u32);
        let f = &mut self.module.funcs[func];
        f.scopes.push(ScopeData { begin: Place { file, line, column }, end_line, end_column });
        if !f.stack.is_empty() {
            let object = Obj::new(self.rng.below(f.stack.len()));
            f.stack[object].scope = id::<Scope>(self.rng, f.scopes.len()).into();
        }
    }

    /// The list of items, symbols and signatures.
    fn tables(&mut self) {
        let (items, syms) = (self.module.items.len(), self.module.decls.syms.len());
        let decls = &mut self.module.decls;
        let sym = Sym::new(self.rng.below(syms));
        match self.rng.below(9) {
            0 => {
                let item = self.module.items[self.rng.below(items)];
                self.module.items.push(item);
            }
            1 => _ = self.module.items.remove(self.rng.below(items)),
            2 => self.module.items.swap(self.rng.below(items), 0),
            3 => {
                let item = match self.rng.below(5) {
                    0 => Item::Type(id(self.rng, decls.types.len())),
                    1 => Item::Data(id(self.rng, decls.data.len())),
                    2 => Item::ExternFunc(id(self.rng, syms)),
                    3 => Item::File(id(self.rng, decls.files.len())),
                    _ => Item::Func(id(self.rng, self.module.funcs.len())),
                };
                self.module.items.push(item);
            }
            4 => {
                decls.syms[sym].linkage = self.rng.pick(&Linkage::ALL);
                decls.syms[sym].visibility = self.rng.pick(&Visibility::ALL);
            }
            5 => {
                let kind = match self.rng.chance(50) {
                    true => SymKind::Data(id(self.rng, decls.data.len())),
                    false => {
                        SymKind::Func { sig: Default::default(), body: Some(id(self.rng, self.module.funcs.len())) }
                    }
                };
                decls.syms[sym].kind = kind;
            }
            _ => {
                let types = decls.types.len();
                let SymKind::Func { sig, body } = &mut decls.syms[sym].kind else { return };
                let ty = self.rng.pick(&Type::ALL);
                let ext = self.rng.pick(&[Ext::None, Ext::Sext, Ext::Zext, Ext::Env]);
                let agg = AbiParam::Agg(id(self.rng, types));
                match self.rng.below(6) {
                    0 => sig.result = Some(AbiParam::Scalar(ty, ext)),
                    1 => sig.result = self.rng.chance(50).then_some(agg),
                    2 => sig.params.push(AbiParam::Scalar(ty, ext)),
                    3 => sig.variadic ^= true,
                    4 => sig.attrs = sig.attrs.or(self.rng.pick(Attrs::ALL).0),
                    _ => *body = self.rng.chance(50).then(|| id(self.rng, self.module.funcs.len())),
                }
            }
        }
    }

    /// Data objects and aggregate types.
    fn data_and_types(&mut self) {
        let decls = &mut self.module.decls;
        let align = self.rng.pick(&[0, 1, 3, 16, 1 << 30, 1 << 31]);
        let section = Some(Section { name: self.rng.pick(&NAMES).into(), flags: None });
        if self.rng.chance(50) && !decls.data.is_empty() {
            let data = DataId::new(self.rng.below(decls.data.len()));
            let item = match self.rng.below(4) {
                0 => DataItem::Scalar(self.rng.pick(&Type::ALL), self.rng.bits() as i64 >> self.rng.below(64)),
                1 => DataItem::Addr(id(self.rng, decls.syms.len()), i64::MIN >> self.rng.below(64)),
                2 => DataItem::Str(self.rng.pick(&NAMES).into()),
                _ => DataItem::Zero(self.rng.bits() >> self.rng.below(64)),
            };
            let syms = decls.syms.len();
            let data = &mut decls.data[data];
            match self.rng.below(7) {
                0 => data.sym = id(self.rng, syms),
                1 => data.is_extern ^= true,
                2 => data.thread ^= true,
                3 => data.section = section,
                4 => data.explicit_align = Some(align),
                5 => data.items.clear(),
                _ => data.items.push(item),
            }
        } else if !decls.types.is_empty() {
            let (agg, member) = (Agg::new(self.rng.below(decls.types.len())), id(self.rng, decls.types.len()));
            let ty = &mut decls.types[agg];
            match self.rng.below(6) {
                0 => ty.explicit_align = Some(align),
                1 => ty.align = align,
                2 => ty.size = self.rng.bits() >> self.rng.below(64),
                3 => ty.body = AggBody::Union(vec![(MemberType::Agg(member), self.rng.below(3) as u64)]),
                4 => ty.body = AggBody::Vector,
                _ => ty.body = AggBody::Struct { packed: self.rng.chance(50), members: Vec::new() },
            }
        }
    }

    fn function(&mut self) {
        let Some(func) = self.func() else { return };
        match self.rng.below(9) {
            0 => self.header(func),
            1 => self.edges(func),
            2 => self.append(func),
            3 => self.location(func),
            4 => self.scope(func),
            _ => self.instruction(func),
        }
    }

    /// Parameters, stack objects, the symbol of a function.
    fn header(&mut self, id_of_func: FuncId) {
        let decls = &self.module.decls;
        let (syms, types) = (decls.syms.len(), decls.types.len());
        let f = &mut self.module.funcs[id_of_func];
        let (regs, objs) = (f.regs.len(), f.stack.len());
        let param = match self.rng.chance(50) {
            true => Param::Reg(id(self.rng, regs)),
            false => Param::Agg(id(self.rng, objs)),
        };
        let params = f.params.len();
        match self.rng.below(8) {
            0 => f.params.push(param),
            1 if params > 0 => f.params[self.rng.below(params)] = param,
            2 => f.sym = id(self.rng, syms),
            3 => {
                f.section =
                    Some(Section { name: self.rng.pick(&NAMES).into(), flags: Some(self.rng.pick(&NAMES).into()) })
            }
            4 if regs > 0 && self.rng.chance(50) => f.set_noalias(id(self.rng, regs), true),
            4 if regs > 0 => f.set_param_promises(id(self.rng, regs), value_promises(self.rng)),
            5 => _ = f.regs.push(RegData { ty: self.rng.pick(&Type::ALL), name: NameRef::NONE }),
            _ if objs > 0 => {
                let agg: PackedOption<Agg> = self.rng.chance(50).then(|| id(self.rng, types)).into();
                let data = &mut f.stack[Obj::new(self.rng.below(objs))];
                match self.rng.below(5) {
                    0 => data.size = self.rng.bits() >> self.rng.below(64),
                    1 => data.align = self.rng.pick(&[0, 1, 8, 16, 24, 1 << 40]),
                    2 => data.explicit_align = Some(self.rng.pick(&[0, 1, 8, 16, 24, 1 << 40])),
                    3 => data.agg = agg,
                    _ => data.is_param ^= true,
                }
            }
            _ => {}
        }
    }

    /// Blocks, targets, and the positions of instructions.
    fn edges(&mut self, func: FuncId) {
        let f = &mut self.module.funcs[func];
        let blocks: Vec<Block> = f.layout().blocks().collect();
        let Some(&b) = blocks.get(self.rng.below(blocks.len().max(1))) else { return };
        let insts: Vec<Inst> = f.layout().insts(b).collect();
        let i = insts.get(self.rng.below(insts.len().max(1))).copied();
        let targets: Vec<Block> = (0..self.rng.below(4)).map(|_| id(self.rng, f.num_blocks())).collect();
        match (self.rng.below(6), i) {
            (0, _) => f.set_succs(b, &targets),
            (1, _) => _ = f.append_new_block(NameRef::NONE),
            (2, Some(i)) => f.remove_inst(i),
            (3, _) => f.remove_block(b),
            (4, Some(i)) if f.inst(i).op == Opcode::Phi && f.is_readable(i) => {
                let entries: Vec<_> = targets.iter().map(|t| (*t, operand(self.rng, f))).collect();
                f.set_phi_entries(i, &entries);
            }
            (5, Some(i)) if f.is_readable(i) => {
                let copy = f.copy_inst_data(i);
                f.insert_before(i, copy);
            }
            _ => {}
        }
    }

    /// Instructions that the builder appends to a block, before its terminator or after it.
    fn append(&mut self, func: FuncId) {
        let f = &mut self.module.funcs[func];
        let (regs, blocks): (usize, Vec<Block>) = (f.regs.len(), f.layout().blocks().collect());
        if regs == 0 || blocks.is_empty() {
            return;
        }
        let at = self.rng.pick(&blocks);
        let (x, y) = (Reg::new(self.rng.below(regs)), Reg::new(self.rng.below(regs)));
        let predicate = predicate(self.rng);
        let before = f.layout().last_inst(at).filter(|_| self.rng.chance(70));
        let mut b = match before {
            Some(before) => FunctionBuilder::before(f, before),
            None => FunctionBuilder::new(f),
        };
        if before.is_none() {
            b.switch_to(at);
        }
        // The builder refuses operations whose operands are elsewhere, by a panic that names them.
        let is_in_line =
            |op: &&Opcode| matches!(op.format(), Format::Unary | Format::Binary | Format::Compare | Format::Convert);
        let in_line: Vec<Opcode> = Opcode::ALL.iter().filter(is_in_line).copied().collect();
        match self.rng.below(8) {
            0 | 1 => _ = b.compare(predicate, x, y),
            2 => b.branch(predicate, x, y, self.rng.pick(&blocks), self.rng.pick(&blocks)),
            3 => _ = b.binary(self.rng.pick(&in_line), self.rng.pick(&Type::ALL), x, y),
            4 => _ = b.select(x, y, y),
            5 => _ = b.load(self.rng.pick(&Type::ALL), Mem::reg(x).indexed(y, self.rng.below(9) as u8)),
            6 => b.ret(x),
            _ => _ = b.add(x, self.rng.bits() as i64 >> self.rng.below(64)),
        }
    }

    /// Locations, also of another function and of no file.
    fn location(&mut self, func: FuncId) {
        let Some(other) = self.func() else { return };
        let files = self.module.decls.files.len();
        let place = Place { file: id::<SourceFile>(self.rng, files), line: self.rng.below(3) as u32, column: 0 };
        let origin = Origin { offset: u32::MAX, place: Some(place), inlined: PackedOption::NONE };
        let loc = match self.rng.chance(80) {
            true => self.module.funcs[other].origins.add(origin),
            false => DebugLoc::NONE,
        };
        let f = &mut self.module.funcs[func];
        if self.rng.chance(20) {
            f.place = Some(place);
        } else if f.num_insts() > 0 {
            f.set_loc(Inst::new(self.rng.below(f.num_insts())), loc);
        }
    }

    /// A part of an instruction.
    fn instruction(&mut self, func: FuncId) {
        let (types, syms) = (self.module.decls.types.len(), self.module.decls.syms.len());
        let f = &mut self.module.funcs[func];
        let insts: Vec<Inst> = f.layout().all_insts().collect();
        if insts.is_empty() {
            return;
        }
        let i = self.rng.pick(&insts);
        let (mut d, rng) = (*f.inst(i), &mut *self.rng);
        let any = operand(rng, f);
        match rng.below(22) {
            0 => d.op = rng.pick(Opcode::ALL),
            1 => d.ty = rng.pick(&Type::ALL),
            2 => d = d.with_op(rng.pick(Opcode::ALL)),
            3 => d = d.with_result(id::<Reg>(rng, f.regs.len())),
            4 => d = d.with_first(any),
            5 => d = d.with_second(any),
            6 => d = d.with_list(Operand::from_bits(rng.bits() as u32 >> rng.below(32))),
            7 => d = d.with_stored(any),
            8 => d = d.with_predicate(predicate(rng)),
            9 => d = d.with_target_type(rng.pick(&Type::ALL)),
            10 => d = d.with_agg(id(rng, types)),
            11 => d = d.with_alignment(1 << rng.below(64)),
            12 => d = d.with_volatile(rng.chance(50)),
            13 => d = d.with_result(None),
            14 => {
                let base = match rng.below(4) {
                    0 => Base::None,
                    1 => Base::Reg(id(rng, f.regs.len())),
                    2 => Base::Sym(id(rng, syms)),
                    _ => Base::Obj(id(rng, f.stack.len())),
                };
                let mem = Mem::base_disp(base, rng.bits() as i32 >> rng.below(32));
                f.set_mem(&mut d, mem);
            }
            15 => {
                let info = call(rng, f, types);
                d = d.with_list(f.make_call(&info));
            }
            16 => {
                let other = Inst::new(rng.below(f.num_insts()));
                if f.is_readable(other) {
                    d = f.copy_inst_data(other);
                }
            }
            17 => return f.set_access_type(i, Some(id(rng, 0))),
            18 => return f.set_value_promises(i, value_promises(rng)),
            19 => return set_weights(rng, f, i),
            20 => return set_noalias_sets(rng, f, i),
            _ => return rewrite_all_uses(f, i, any),
        }
        f.replace_inst(i, d);
    }
}

/// Gives a branch or a switch weights, as many as its block has successors.
fn set_weights(rng: &mut Rng, f: &mut Function, i: Inst) {
    if !matches!(f.inst(i).op.format(), Format::Branch | Format::Switch) {
        return;
    }
    let targets = f.layout().block_of(i).map_or(0, |b| f.succs(b).len());
    let weights: Vec<u32> = (0..targets).map(|_| 1 + (rng.bits() as u32 >> 1 >> rng.below(31))).collect();
    f.set_branch_weights(i, &weights);
}

/// Puts an instruction into sets, some of them of one scope.
fn set_noalias_sets(rng: &mut Rng, f: &mut Function, i: Inst) {
    let sets: Vec<NoaliasSet> = (0..1 + rng.below(10))
        .map(|_| NoaliasSet { scope: rng.bits() as u32 >> rng.below(32), set: rng.bits() as u32 >> rng.below(32) })
        .collect();
    f.set_noalias_sets(i, &sets);
}

/// Returns promises about a value of any type.
fn value_promises(rng: &mut Rng) -> ValuePromises {
    let number = |rng: &mut Rng| rng.bits() as i64 >> rng.below(64);
    ValuePromises {
        range: if rng.chance(50) { Some((number(rng), number(rng))) } else { None },
        align_log2: if rng.chance(30) { rng.below(256) as u8 } else { 0 },
        dereferenceable: if rng.chance(30) { number(rng) as u64 } else { 0 },
    }
}

/// Puts an operand in place of all registers that an instruction reads.
fn rewrite_all_uses(f: &mut Function, i: Inst, to: Operand) {
    if f.is_readable(i) {
        f.rewrite_uses(i, |u| if to.is_reg() || u.may_be_const && to.is_const() { to } else { u.reg.into() });
    }
}

fn predicate(rng: &mut Rng) -> Predicate {
    match rng.chance(50) {
        true => rng.pick(IntCC::ALL).into(),
        false => rng.pick(FloatCC::ALL).into(),
    }
}

fn operand(rng: &mut Rng, f: &Function) -> Operand {
    match rng.below(8) {
        0 => Operand::NONE,
        1 => Operand::small(rng.bits() as i64 >> 40).unwrap_or_default(),
        2 => Operand::sym(id(rng, 3)),
        3 => Operand::obj(id(rng, f.stack.len())),
        // Constants of the pool, of this function or of another one.
        4 => Operand::from_bits(2 << 30 | rng.bits() as u32 >> 2 >> rng.below(30)),
        _ => Operand::reg(id(rng, f.regs.len())),
    }
}

fn call(rng: &mut Rng, f: &Function, types: usize) -> CallInfo {
    let (ty, ext) = (rng.pick(&Type::ALL), rng.pick(&[Ext::None, Ext::None, Ext::Sext, Ext::Env]));
    let mem = Mem::reg(id(rng, f.regs.len()));
    let result = match rng.below(3) {
        0 => CallResult::None,
        1 => CallResult::Scalar(ty, ext),
        _ => CallResult::Agg(id(rng, types), mem),
    };
    let arg = |rng: &mut Rng| match rng.chance(80) {
        true => CallArg::Reg(id(rng, f.regs.len()), ext),
        false => CallArg::Agg(id(rng, types), mem),
    };
    let args: Vec<CallArg> = (0..rng.below(4)).map(|_| arg(rng)).collect();
    CallInfo { result, fixed: rng.below(5) as u32, variadic: rng.chance(30), args }
}

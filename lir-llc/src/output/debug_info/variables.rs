//! Writes the entries of variables: named registers with the list of their locations, and stack objects.
//!
//! A stack object of 1, 2, 4 or 8 bytes that was declared by its size alone has the type of the first access to all of
//! it. The parameters of the function come first, in their order; the rest follows in the order of registers.
//!
//! A stack object in which a parameter without a name is stored is that parameter: in its register up to the store, and
//! in memory from then on.

use super::begin_of;
use super::scopes::ScopeEntries;
use super::tree::Tree;
use crate::isa::x64::emit::FramePlace;
use crate::isa::x64::registers::dwarf;
use crate::variables::{EmittedLocation, ObjectVariable, Variable, Variables};
use gimli::Register;
use gimli::constants::{self, DwTag};
use gimli::write::{AttributeValue, Expression, Location, LocationList, UnitEntryId};
use lir_syntax::ir::{
    Base, EntityRef, EntitySet, FuncId, Function, InstView, Mem, Obj, Param, Reg, SecondaryMap, Type,
};
use rustc_hash::FxHashMap;
use std::ops::Range;

impl Tree<'_, '_> {
    /// Adds the variables of a function to the entries of their scopes.
    pub(super) fn variables(
        &mut self,
        scopes: &ScopeEntries,
        (id, f): (FuncId, &Function),
        (variables, size): (&Variables, u32),
    ) {
        let function = scopes.function();
        let accessed = accessed_types(f, variables);
        let params = parameters(f, variables);
        let (mut registers, mut objects) = (EntitySet::<Reg>::new(), EntitySet::<Obj>::new());
        for param in params {
            let tag = constants::DW_TAG_formal_parameter;
            match param {
                Parameter::Register(v) => {
                    registers.insert(v.reg);
                    self.register(function, tag, (id, f), v);
                }
                Parameter::Object(v, before) => {
                    objects.insert(v.obj);
                    let entry = self.object(function, tag, f, v, accessed[v.obj]);
                    if let (Some(before), Some(place)) = (before, v.place) {
                        self.locations(entry, id, &before.ranges, Some((size, place)));
                    }
                }
            }
        }
        let tag = constants::DW_TAG_variable;
        for v in &variables.registers {
            if let Some(parent) = scopes.of(v.inlined, None)
                && !registers.contains(v.reg)
                && v.stored_in.is_none()
            {
                self.register(parent, tag, (id, f), v);
            }
        }
        for v in variables.objects.iter().filter(|v| !objects.contains(v.obj)) {
            let scope = f.stack[v.obj].scope.expand().map(|scope| &f.scopes[scope]);
            for parent in v.bodies().filter_map(|body| scopes.of(body, scope)) {
                self.object(parent, tag, f, v, accessed[v.obj]);
            }
        }
    }
    fn object(
        &mut self,
        parent: UnitEntryId,
        tag: DwTag,
        f: &Function,
        v: &ObjectVariable,
        accessed: Option<Type>,
    ) -> UnitEntryId {
        let data = &f.stack[v.obj];
        let entry = self.add(parent, tag);
        self.text(entry, constants::DW_AT_name, &v.name);
        let ty = match (data.agg.expand(), accessed) {
            _ if data.debug_type.is_some() => self.debug_type(data.debug_type.expand().expect("it is some")),
            (Some(agg), _) => self.aggregate(agg.index()),
            (None, Some(ty)) => self.scalar(ty),
            (None, None) => self.bytes(data.size),
        };
        self.set(entry, constants::DW_AT_type, AttributeValue::UnitRef(ty));
        if let Some(place) = v.place {
            self.set(entry, constants::DW_AT_location, AttributeValue::Exprloc(of_memory(place)));
        }
        entry
    }
    fn register(&mut self, parent: UnitEntryId, tag: DwTag, (id, f): (FuncId, &Function), v: &Variable) {
        let entry = self.add(parent, tag);
        self.text(entry, constants::DW_AT_name, f.names.get(f.regs[v.reg].name));
        let ty = self.scalar(f.type_of(v.reg));
        self.set(entry, constants::DW_AT_type, AttributeValue::UnitRef(ty));
        if v.ranges.is_empty() {
            if let Some(constant) = v.constant {
                let bytes = constant.to_le_bytes()[..f.type_of(v.reg).bytes() as usize].to_vec();
                self.set(entry, constants::DW_AT_const_value, AttributeValue::Block(bytes));
            }
            return;
        }
        self.locations(entry, id, &v.ranges, None);
    }
    /// Gives an entry the locations of ranges of code, and a place in memory from there to the end of the code.
    fn locations(
        &mut self,
        entry: UnitEntryId,
        id: FuncId,
        ranges: &[(Range<u32>, EmittedLocation)],
        then: Option<(u32, FramePlace)>,
    ) {
        let base = Location::BaseAddress { address: begin_of(id, 0) };
        let end = ranges.last().map_or(0, |(range, _)| range.end);
        let then =
            then.filter(|(size, _)| end < *size).map(|(size, place)| (end..size, EmittedLocation::Memory(place)));
        let ranges = ranges.iter().cloned().chain(then).map(|(range, location)| Location::OffsetPair {
            begin: range.start.into(),
            end: range.end.into(),
            data: of_location(location),
        });
        let list = LocationList([base].into_iter().chain(ranges).collect());
        let list = self.dwarf.unit.locations.add(list);
        self.set(entry, constants::DW_AT_location, AttributeValue::LocationListRef(list));
    }
}

/// The variable of a parameter.
enum Parameter<'v> {
    Register(&'v Variable),
    /// With the register that has its value before the object.
    Object(&'v ObjectVariable, Option<&'v Variable>),
}

/// Returns the variables of the parameters, in the order of parameters.
fn parameters<'v>(f: &Function, variables: &'v Variables) -> Vec<Parameter<'v>> {
    let own: FxHashMap<Obj, &ObjectVariable> =
        variables.objects.iter().filter(|v| v.inlined.is_empty()).map(|v| (v.obj, v)).collect();
    let registers: FxHashMap<Reg, &Variable> =
        variables.registers.iter().filter(|v| v.inlined.is_none()).map(|v| (v.reg, v)).collect();
    let variable = |param: &Param| match *param {
        Param::Reg(r) => match registers.get(&r) {
            Some(v) => match v.stored_in.expand() {
                Some(o) => own.get(&o).map(|object| Parameter::Object(object, Some(v))),
                None => Some(Parameter::Register(v)),
            },
            None => None,
        },
        Param::Agg(o) => own.get(&o).map(|v| Parameter::Object(v, None)),
    };
    f.params.iter().filter_map(variable).collect()
}

/// By stack object the type of the first access to the whole of it, by its name or a register that is its address.
fn accessed_types(f: &Function, variables: &Variables) -> SecondaryMap<Obj, Option<Type>> {
    let mut types: SecondaryMap<Obj, Option<Type>> = SecondaryMap::new();
    let is_plain = |o: Obj| f.stack[o].agg.is_none() && matches!(f.stack[o].size, 1 | 2 | 4 | 8);
    if !variables.objects.iter().any(|v| is_plain(v.obj)) {
        return types;
    }
    let addresses = addresses(f);
    for i in f.layout().all_insts() {
        if let InstView::Load(mem) | InstView::Store { mem, .. } = f.view(i)
            && let Mem { base, index: None, disp: 0, .. } = mem
            && let Some(o) = match base {
                Base::Obj(o) => Some(o),
                Base::Reg(r) => addresses[r],
                Base::None | Base::Sym(_) => None,
            }
            && u64::from(f.inst(i).ty.bytes()) == f.stack[o].size
        {
            types[o].get_or_insert(f.inst(i).ty);
        }
    }
    types
}

/// By register the stack object whose address is its only value.
fn addresses(f: &Function) -> SecondaryMap<Reg, Option<Obj>> {
    let mut addresses = SecondaryMap::new();
    let mut assigned: EntitySet<Reg> = EntitySet::new();
    for (i, r) in f.layout().all_insts().filter_map(|i| Some((i, f.def(i)?))) {
        addresses[r] = match f.view(i) {
            InstView::Address(Mem { base: Base::Obj(o), index: None, disp: 0, .. }) if !assigned.contains(r) => Some(o),
            _ => None,
        };
        assigned.insert(r);
    }
    addresses
}

fn of_location(location: EmittedLocation) -> Expression {
    match location {
        EmittedLocation::Register(r) => {
            let mut e = Expression::new();
            e.op_reg(Register(dwarf(r).into()));
            e
        }
        EmittedLocation::Memory(place) => of_memory(place),
    }
}

fn of_memory(place: FramePlace) -> Expression {
    let mut e = Expression::new();
    match place {
        // The frame base is the CFA.
        FramePlace::FromCfa(offset) => e.op_fbreg(offset.into()),
        FramePlace::FromRegister(r, offset) => e.op_breg(Register(dwarf(r).into()), offset.into()),
    }
    e
}

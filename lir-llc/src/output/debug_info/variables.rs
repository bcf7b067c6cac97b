//! Writes the entries of variables: named registers with the list of their locations, and stack objects.
//!
//! A stack object of 1, 2, 4 or 8 bytes that was declared by its size alone has the type of the first access to all of
//! it. The parameters of the function come first; the rest follows in the order of registers.

use super::begin_of;
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

impl Tree<'_, '_> {
    /// Adds the variables of a function to its entry, or to the entries of the calls that were inlined in it.
    pub(super) fn variables(
        &mut self,
        (function, inlined): (UnitEntryId, &[Option<UnitEntryId>]),
        (id, f): (FuncId, &Function),
        variables: &Variables,
    ) {
        let param_of = |v: &Variable| f.params.contains(&Param::Reg(v.reg));
        let fixed = f.params.len();
        for (k, v) in variables.registers.iter().enumerate() {
            // Parameters have the first registers.
            let tag =
                if k < fixed && param_of(v) { constants::DW_TAG_formal_parameter } else { constants::DW_TAG_variable };
            let parent = v.inlined.expand().map_or(Some(function), |call| inlined[call.index()]);
            if let Some(parent) = parent {
                self.register(parent, tag, (id, f), v);
            }
        }
        let accessed = accessed_types(f, variables);
        for v in &variables.objects {
            match &v.inlined[..] {
                [] => self.object(function, f, v, accessed[v.obj]),
                calls => {
                    for parent in calls.iter().filter_map(|call| inlined[call.index()]) {
                        self.object(parent, f, v, accessed[v.obj]);
                    }
                }
            }
        }
    }
    fn object(&mut self, parent: UnitEntryId, f: &Function, v: &ObjectVariable, accessed: Option<Type>) {
        let data = &f.stack[v.obj];
        let tag = if data.is_param { constants::DW_TAG_formal_parameter } else { constants::DW_TAG_variable };
        let entry = self.add(parent, tag);
        self.text(entry, constants::DW_AT_name, &v.name);
        let ty = match (data.agg.expand(), accessed) {
            (Some(agg), _) => self.aggregate(agg.index()),
            (None, Some(ty)) => self.scalar(ty),
            (None, None) => self.bytes(data.size),
        };
        self.set(entry, constants::DW_AT_type, AttributeValue::UnitRef(ty));
        if let Some(place) = v.place {
            self.set(entry, constants::DW_AT_location, AttributeValue::Exprloc(of_memory(place)));
        }
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
        let base = Location::BaseAddress { address: begin_of(id, 0) };
        let ranges = v.ranges.iter().map(|(range, location)| Location::OffsetPair {
            begin: range.start.into(),
            end: range.end.into(),
            data: of_location(*location),
        });
        let list = LocationList([base].into_iter().chain(ranges).collect());
        let list = self.dwarf.unit.locations.add(list);
        self.set(entry, constants::DW_AT_location, AttributeValue::LocationListRef(list));
    }
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

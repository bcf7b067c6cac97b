//! Declares types, data and functions in a module.

use crate::ir::function::NO_LOC;
use crate::ir::module::{AggBody, AggType, DataItem, DataObject, Item, Module, Signature, SymData, SymKind};
use crate::ir::{
    AbiParam, AccessType, AccessTypeData, Agg, DebugForm, DebugType, DebugTypeData, EntityRef, FuncId, Function,
    NameRef, Param, StackData, Sym,
};

/// Declarations. Names must be new in the module, which the verifier checks. Items are in the order of the calls.
impl Module {
    /// Adds an aggregate type; none if it is larger than [`MAX_OBJECT_SIZE`](crate::ir::module::MAX_OBJECT_SIZE), or
    /// its alignment is not a power of two up to that.
    pub fn add_type(&mut self, name: &str, align: Option<u64>, body: AggBody) -> Option<Agg> {
        let ty = AggType::new(name.as_bytes(), align, body, &self.decls.types)?;
        let agg = self.decls.types.push(ty);
        self.items.push(Item::Type(agg));
        Some(agg)
    }
    /// Defines a data object, visible outside the module and writable. It is aligned for its largest scalar. Set its
    /// other properties in `decls`.
    pub fn define_data(&mut self, name: &str, items: Vec<DataItem>) -> Sym {
        self.add_data(name, false, items)
    }
    /// Declares a data object that is defined elsewhere.
    pub fn declare_data(&mut self, name: &str) -> Sym {
        self.add_data(name, true, Vec::new())
    }
    fn add_data(&mut self, name: &str, is_extern: bool, items: Vec<DataItem>) -> Sym {
        let data = self.decls.data.next_key();
        let sym = self.add_symbol(name, SymKind::Data(data));
        let plain =
            DataObject { sym, is_extern, thread: false, constant: false, section: None, explicit_align: None, items };
        self.decls.data.push(plain);
        self.items.push(Item::Data(data));
        sym
    }
    /// Declares an access type, inside another one or none.
    pub fn define_access_type(&mut self, name: &str, parent: Option<AccessType>) -> AccessType {
        let data = AccessTypeData { name: name.as_bytes().into(), parent, loc: NO_LOC };
        let access_type = self.decls.access_types.push(data);
        self.items.push(Item::AccessType(access_type));
        access_type
    }
    /// Adds a debug type, whose name is new among the debug types. A type that contains pointers to itself gets its
    /// form afterwards, by [`set_form`](crate::ir::DebugTypes).
    pub fn define_debug_type(&mut self, name: &str, form: DebugForm) -> DebugType {
        let data = DebugTypeData { name: name.as_bytes().into(), form, loc: NO_LOC };
        let debug_type = self.decls.debug_types.push(data);
        self.items.push(Item::DebugType(debug_type));
        debug_type
    }
    /// Declares a function that is defined elsewhere.
    pub fn declare_func(&mut self, name: &str, sig: Signature) -> Sym {
        let sym = self.add_symbol(name, SymKind::Func { sig, body: None });
        self.items.push(Item::ExternFunc(sym));
        sym
    }
    /// Adds a function that is visible outside the module. It has unnamed parameters and no blocks yet: a
    /// [`FunctionBuilder`](super::FunctionBuilder) over `funcs[id]` writes its body. Its symbol is `funcs[id].sym`.
    pub fn define_func(&mut self, name: &str, sig: Signature) -> FuncId {
        let id = self.funcs.next_key();
        let mut func = Function::new(Sym::new(self.decls.syms.len()));
        for p in &sig.params {
            let param = match *p {
                AbiParam::Scalar(ty, _) => Param::Reg(func.new_reg(ty, NameRef::NONE)),
                AbiParam::Agg(agg) => {
                    let t = &self.decls.types[agg];
                    let data = StackData {
                        agg: agg.into(),
                        is_param: true,
                        ..StackData::new(NameRef::NONE, t.size, t.align.max(8))
                    };
                    Param::Agg(func.stack.push(data))
                }
            };
            func.params.push(param);
        }
        self.add_symbol(name, SymKind::Func { sig, body: Some(id) });
        self.items.push(Item::Func(id));
        self.funcs.push(func)
    }
    fn add_symbol(&mut self, name: &str, kind: SymKind) -> Sym {
        self.decls.syms.push(SymData::global(name.as_bytes(), kind))
    }
}

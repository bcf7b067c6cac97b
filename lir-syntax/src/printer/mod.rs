//! Prints the canonical text of a module: the one text that every tool writes and that parses to the same module.
//!
//! Everything is appended to a byte vector; nothing is allocated per instruction. Names are kept from the text;
//! names that are *derived* (`%x.1`) are chosen here, see [`printed_names`].
//!
//! A module that the verifier rejects is printed, too, so that it can be inspected: an entity that does not exist is
//! its id in angle brackets, which no text has (`<%r7>`).

mod debug_type;
mod instruction;
mod literal;
mod location;
mod printed_names;

pub use literal::{print_constant, print_quoted, print_wide};
pub(crate) use printed_names::is_bare_name;
pub use printed_names::name_after_sigil;

use crate::ir::module::VECTOR_BYTES;
use crate::ir::{
    AbiParam, AccessType, Agg, AggBody, AliasId, Attrs, Block, DataId, DataItem, Decls, EntityRef, EntitySet, Ext,
    Function, Inst, Item, MemberType, Module, Obj, Param, Reg, Section, Signature, Sym, Type, ValuePromises,
};
use literal::{print_decimal, print_unsigned};
use printed_names::{ChosenNames, NamePosition, print_name};
use std::fmt::{Debug, Display, Formatter, Result};
use std::io::Write;

/// Appends the text of a module: its items in their order, an empty line around every function and between items of
/// different kinds.
pub fn print_module(module: &Module, out: &mut Vec<u8>) {
    print_module_by(module, out, |func, out| print_function(&module.decls, func, out));
}

impl Display for Module {
    /// Writes the text of [`print_module`].
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        f.write_str(&printed(|out| print_module(self, out)))
    }
}

/// Returns the text that a printer appends.
pub fn printed(print: impl FnOnce(&mut Vec<u8>)) -> String {
    let mut out = Vec::new();
    print(&mut out);
    String::from_utf8_lossy(&out).into_owned()
}

/// Does as [`print_module`], with functions printed by the caller: by [`print_function`] or
/// [`print_commented_function`].
pub fn print_module_by(module: &Module, out: &mut Vec<u8>, mut print_function: impl FnMut(&Function, &mut Vec<u8>)) {
    let mut before: Option<Item> = None;
    for item in items_to_print(module) {
        if let Some(before) = before
            && (std::mem::discriminant(&before) != std::mem::discriminant(&item) || matches!(item, Item::Func(_)))
        {
            out.push(b'\n');
        }
        before = Some(item);
        match item {
            Item::Func(f) if module.funcs.get(f).is_some() => print_function(&module.funcs[f], out),
            Item::Func(_)
            | Item::Type(_)
            | Item::Data(_)
            | Item::ExternFunc(_)
            | Item::File(_)
            | Item::Alias(_)
            | Item::AccessType(_)
            | Item::DebugType(_) => print_item(module, item, out),
        }
    }
}

/// Returns the items in the order in which they are printed: their own, except that files come first if the body of a
/// function above one names it. Inlining makes such bodies, and so do programs.
fn items_to_print(module: &Module) -> impl Iterator<Item = Item> + '_ {
    let files_first = names_file_above(module);
    let is_file = |item: &&Item| matches!(item, Item::File(_));
    let files = module.items.iter().filter(move |item| files_first && is_file(item));
    files.chain(module.items.iter().filter(move |item| !(files_first && is_file(item)))).copied()
}

/// True if a function names a file that is declared below it.
fn names_file_above(module: &Module) -> bool {
    let is_func = |item: &Item| matches!(item, Item::Func(_));
    let is_file = |item: &Item| matches!(item, Item::File(_));
    let (func, file) = (module.items.iter().position(is_func), module.items.iter().rposition(is_file));
    if func.zip(file).is_none_or(|(func, file)| file < func) {
        return false;
    }
    let mut declared = EntitySet::new();
    module.items.iter().any(|item| match *item {
        Item::File(file) => {
            declared.insert(file);
            false
        }
        Item::Func(id) => module.funcs.get(id).is_some_and(|f| {
            let places = f.place.into_iter().chain(f.origins.all().iter().filter_map(|o| o.place));
            let mut places = places.chain(f.scopes.values().map(|scope| scope.begin));
            places.any(|place| !declared.contains(place.file))
        }),
        Item::Type(_) | Item::Data(_) | Item::ExternFunc(_) => false,
        Item::Alias(_) | Item::AccessType(_) | Item::DebugType(_) => false,
    })
}

/// Appends the text of an item, with a line end.
pub fn print_item(module: &Module, item: Item, out: &mut Vec<u8>) {
    match item {
        Item::Type(t) => print_type_item(&module.decls, t, out),
        Item::Data(d) => print_data(&module.decls, d, out),
        Item::File(f) => location::print_file_item(&module.decls, f, out),
        Item::ExternFunc(s) => print_extern_func(&module.decls, s, out),
        Item::Alias(a) => print_alias(&module.decls, a, out),
        Item::AccessType(t) => print_access_item(&module.decls, t, out),
        Item::DebugType(t) => debug_type::print_debug_item(&module.decls, t, out),
        Item::Func(f) => match module.funcs.get(f) {
            Some(func) => print_function(&module.decls, func, out),
            None => print_missing_line(f, out),
        },
    }
}

/// Comments on the parts of a function, for its text. Each comment is a piece of text without `;` and line end, which
/// `say` puts into a line of its own. Its first word must not be a directive.
pub trait Comments {
    /// Below the header.
    fn of_function(&self, printer: &FunctionPrinter<'_>, say: &mut dyn FnMut(&[u8]));
    /// Below the label of a block.
    fn of_block(&self, printer: &FunctionPrinter<'_>, b: Block, say: &mut dyn FnMut(&[u8]));
    /// Above an instruction.
    fn of_inst(&self, printer: &FunctionPrinter<'_>, i: Inst, say: &mut dyn FnMut(&[u8]));
}

/// No comments.
struct NoComments;

impl Comments for NoComments {
    fn of_function(&self, _: &FunctionPrinter<'_>, _: &mut dyn FnMut(&[u8])) {}
    fn of_block(&self, _: &FunctionPrinter<'_>, _: Block, _: &mut dyn FnMut(&[u8])) {}
    fn of_inst(&self, _: &FunctionPrinter<'_>, _: Inst, _: &mut dyn FnMut(&[u8])) {}
}

/// Appends the text of a function, from the header to the closing brace's line.
pub fn print_function(decls: &Decls, func: &Function, out: &mut Vec<u8>) {
    print_body(decls, func, &NoComments, out);
}

/// The same, with comments: text that reads as the same function.
pub fn print_commented_function(decls: &Decls, func: &Function, comments: &dyn Comments, out: &mut Vec<u8>) {
    print_body(decls, func, comments, out);
}

fn print_body<C: Comments + ?Sized>(decls: &Decls, func: &Function, comments: &C, out: &mut Vec<u8>) {
    fn comment(out: &mut Vec<u8>) -> impl FnMut(&[u8]) {
        |text| {
            out.extend_from_slice(b"  ; ");
            out.extend_from_slice(text);
            out.push(b'\n');
        }
    }
    let printer = FunctionPrinter::new(decls, func);
    printer.header(out);
    comments.of_function(&printer, &mut comment(out));
    printer.stack_lines(out);
    let has_locations = !func.origins.is_empty();
    for b in func.layout().blocks() {
        printer.block(b, out);
        out.extend_from_slice(b":\n");
        comments.of_block(&printer, b, &mut comment(out));
        let mut last = location::LastLocation::default();
        for i in func.layout().insts(b) {
            comments.of_inst(&printer, i, &mut comment(out));
            out.extend_from_slice(b"  ");
            printer.inst(i, out);
            if has_locations {
                printer.location(i, &mut last, out);
            }
            out.push(b'\n');
        }
    }
    out.extend_from_slice(b"}\n");
}

/// Prints parts of one function: instructions, registers, labels. Holds the derived names that were chosen for it.
pub struct FunctionPrinter<'a> {
    decls: &'a Decls,
    func: &'a Function,
    names: ChosenNames,
}

impl<'a> FunctionPrinter<'a> {
    /// Chooses the derived names of the function.
    pub fn new(decls: &'a Decls, func: &'a Function) -> FunctionPrinter<'a> {
        FunctionPrinter { decls, func, names: ChosenNames::new(func) }
    }

    /// Appends a register: `%x`.
    pub fn reg(&self, r: Reg, out: &mut Vec<u8>) {
        let Some(data) = self.func.regs.get(r) else { return print_missing(r, out) };
        out.push(b'%');
        self.names.print(&self.func.names, data.name, self.names.regs[r], NamePosition::Sigil, out);
    }
    /// Appends a stack object: `$x`.
    pub fn obj(&self, o: Obj, out: &mut Vec<u8>) {
        let Some(data) = self.func.stack.get(o) else { return print_missing(o, out) };
        out.push(b'$');
        self.names.print(&self.func.names, data.name, self.names.objs[o], NamePosition::Sigil, out);
    }
    /// Appends the label of a block, without a colon.
    pub fn block(&self, b: Block, out: &mut Vec<u8>) {
        if b.index() >= self.func.num_blocks() {
            return print_missing(b, out);
        }
        let name = self.func.block(b).name;
        self.names.print(&self.func.names, name, self.names.blocks[b], NamePosition::Label, out);
    }
    /// Appends a symbol: `@f`.
    pub fn sym(&self, s: Sym, out: &mut Vec<u8>) {
        print_sym(self.decls, s, out);
    }

    fn header(&self, out: &mut Vec<u8>) {
        let no_signature = Signature::default();
        let sig = self.decls.signature(self.func.sym).unwrap_or(&no_signature);
        print_scope(self.decls, self.func.sym, out);
        out.extend_from_slice(b"func ");
        self.sym(self.func.sym, out);
        out.push(b'(');
        for (k, (param, abi)) in self.func.params.iter().zip(&sig.params).enumerate() {
            separate(k, out);
            match *param {
                Param::Reg(r) => self.reg(r, out),
                Param::Agg(o) => self.obj(o, out),
            }
            out.extend_from_slice(b": ");
            print_abi(self.decls, *abi, out);
            match *param {
                Param::Reg(r) => {
                    if self.func.is_noalias(r) {
                        out.extend_from_slice(b" noalias");
                    }
                    let ty = self.func.regs.get(r).map_or(Type::I64, |data| data.ty);
                    print_promises(self.func.param_promises(r), ty, out);
                }
                Param::Agg(o) => self.debug_type_of(o, out),
            }
        }
        if sig.variadic {
            separate(sig.params.len(), out);
            out.extend_from_slice(b"...");
        }
        print_signature_end(self.decls, sig, out);
        print_section(self.func.section.as_ref(), out);
        if self.func.place.is_some() {
            out.push(b' ');
            location::print_place(self.decls, self.func.place, out);
        }
        out.extend_from_slice(b" {\n");
    }

    fn stack_lines(&self, out: &mut Vec<u8>) {
        for (o, s) in self.func.stack_objects().filter(|(_, s)| !s.is_param) {
            out.extend_from_slice(b"  stack ");
            self.obj(o, out);
            out.extend_from_slice(b": ");
            match s.agg.expand() {
                Some(agg) => print_agg(self.decls, agg, out),
                None => print_unsigned(s.size, out),
            }
            print_align(s.explicit_align, out);
            self.debug_type_of(o, out);
            if let Some(scope) = s.scope.expand() {
                out.extend_from_slice(b" in ");
                match self.func.scopes.get(scope) {
                    Some(scope) => location::print_scope(self.decls, scope, out),
                    None => print_missing(scope, out),
                }
            }
            out.push(b'\n');
        }
    }
    fn debug_type_of(&self, o: Obj, out: &mut Vec<u8>) {
        if let Some(t) = self.func.stack.get(o).and_then(|data| data.debug_type.expand()) {
            out.extend_from_slice(b" is ");
            debug_type::print_debug_type(self.decls, t, out);
        }
    }
}

fn separate(index: usize, out: &mut Vec<u8>) {
    if index > 0 {
        out.extend_from_slice(b", ");
    }
}

/// Appends the text for an entity that does not exist.
#[cold]
fn print_missing(id: impl Debug, out: &mut Vec<u8>) {
    write!(out, "<{id:?}>").expect("a vector takes all bytes");
}
#[cold]
fn print_missing_line(id: impl Debug, out: &mut Vec<u8>) {
    print_missing(id, out);
    out.push(b'\n');
}

/// Appends a symbol: `@f`.
pub fn print_sym(decls: &Decls, s: Sym, out: &mut Vec<u8>) {
    let Some(data) = decls.syms.get(s) else { return print_missing(s, out) };
    out.push(b'@');
    print_name(&data.name, 0, NamePosition::Sigil, out);
}

/// Appends an aggregate type: `:pair`.
pub fn print_agg(decls: &Decls, agg: Agg, out: &mut Vec<u8>) {
    let Some(data) = decls.types.get(agg) else { return print_missing(agg, out) };
    out.push(b':');
    print_name(&data.name, 0, NamePosition::Sigil, out);
}

/// `:NAME` of an access type.
fn print_access_type(decls: &Decls, t: AccessType, out: &mut Vec<u8>) {
    let Some(data) = decls.access_types.get(t) else { return print_missing(t, out) };
    out.push(b':');
    print_name(&data.name, 0, NamePosition::Sigil, out);
}

/// The promises about a value of a type, each after a blank.
fn print_promises(promises: ValuePromises, ty: Type, out: &mut Vec<u8>) {
    if !promises.is_empty() {
        write!(out, "{}", promises.text(ty)).expect("a vector takes all bytes");
    }
}

fn print_type(t: Type, out: &mut Vec<u8>) {
    out.extend_from_slice(t.name().as_bytes());
}

fn print_ext(e: Ext, out: &mut Vec<u8>) {
    if e != Ext::None {
        out.push(b' ');
        out.extend_from_slice(e.name().as_bytes());
    }
}

/// Appends the type of a parameter or result: `i8 sext`, `:pair`.
pub fn print_abi(decls: &Decls, p: AbiParam, out: &mut Vec<u8>) {
    match p {
        AbiParam::Scalar(t, e) => {
            print_type(t, out);
            print_ext(e, out);
        }
        AbiParam::Agg(a) => print_agg(decls, a, out),
    }
}

/// Prints the closing bracket of the parameters, result and attributes.
fn print_signature_end(decls: &Decls, sig: &Signature, out: &mut Vec<u8>) {
    out.push(b')');
    if let Some(result) = sig.result {
        out.extend_from_slice(b" -> ");
        print_abi(decls, result, out);
    }
    for (attr, word) in Attrs::ALL {
        if sig.attrs.has(*attr) {
            out.push(b' ');
            out.extend_from_slice(word.as_bytes());
        }
    }
}

fn print_section(section: Option<&Section>, out: &mut Vec<u8>) {
    if let Some(section) = section {
        out.extend_from_slice(b" section ");
        print_quoted(&section.name, out);
        if let Some(flags) = &section.flags {
            out.push(b' ');
            print_quoted(flags, out);
        }
    }
}

fn print_align(align: Option<u64>, out: &mut Vec<u8>) {
    if let Some(align) = align {
        out.extend_from_slice(b" align ");
        print_unsigned(align, out);
    }
}

/// Appends the words for the linkage and visibility of a symbol, each with a blank.
fn print_scope(decls: &Decls, s: Sym, out: &mut Vec<u8>) {
    let Some(sym) = decls.syms.get(s) else { return };
    for word in [sym.linkage.name(), sym.visibility.name()].into_iter().filter(|w| !w.is_empty()) {
        out.extend_from_slice(word.as_bytes());
        out.push(b' ');
    }
}

fn print_extern_func(decls: &Decls, s: Sym, out: &mut Vec<u8>) {
    let Some(sig) = decls.signature(s) else { return print_missing_line(s, out) };
    out.extend_from_slice(b"extern ");
    if decls.body(s).is_none() {
        print_scope(decls, s, out);
    }
    out.extend_from_slice(b"func ");
    print_sym(decls, s, out);
    out.push(b'(');
    for (k, p) in sig.params.iter().enumerate() {
        separate(k, out);
        print_abi(decls, *p, out);
    }
    if sig.variadic {
        separate(sig.params.len(), out);
        out.extend_from_slice(b"...");
    }
    print_signature_end(decls, sig, out);
    out.push(b'\n');
}

fn print_type_item(decls: &Decls, agg: Agg, out: &mut Vec<u8>) {
    let Some(t) = decls.types.get(agg) else { return print_missing_line(agg, out) };
    out.extend_from_slice(b"type ");
    print_agg(decls, agg, out);
    out.extend_from_slice(b" =");
    print_align(t.explicit_align, out);
    match &t.body {
        AggBody::Struct { packed, members } => {
            out.extend_from_slice(if *packed { b" packed {" } else { b" {" });
            print_members(decls, members, out);
        }
        AggBody::Union(members) => {
            out.extend_from_slice(b" union {");
            print_members(decls, members, out);
        }
        AggBody::Opaque(size) => {
            out.extend_from_slice(b" opaque ");
            print_unsigned(*size, out);
        }
        AggBody::Vector => {
            out.extend_from_slice(b" vector ");
            print_unsigned(VECTOR_BYTES, out);
        }
    }
    out.push(b'\n');
}

fn print_members(decls: &Decls, members: &[(MemberType, u64)], out: &mut Vec<u8>) {
    for (k, &(member, count)) in members.iter().enumerate() {
        out.extend_from_slice(if k == 0 { b" " } else { b", " });
        match member {
            MemberType::Scalar(t) => print_type(t, out),
            MemberType::Agg(a) => print_agg(decls, a, out),
        }
        if count != 1 {
            out.extend_from_slice(b" x ");
            print_unsigned(count, out);
        }
    }
    if members.is_empty() {
        // The grammar has no empty list; an array of no elements has the same layout.
        out.extend_from_slice(b" i8 x 0");
    }
    out.extend_from_slice(b" }");
}

fn print_data(decls: &Decls, d: DataId, out: &mut Vec<u8>) {
    let Some(data) = decls.data.get(d) else { return print_missing_line(d, out) };
    if data.is_extern {
        out.extend_from_slice(b"extern ");
    }
    // A declaration in addition to the definition has no scope.
    if decls.data_of(data.sym).is_none_or(|meant| meant.is_extern == data.is_extern) {
        print_scope(decls, data.sym, out);
    }
    for (_, word) in [(data.thread, "thread "), (data.constant, "const ")].into_iter().filter(|(set, _)| *set) {
        out.extend_from_slice(word.as_bytes());
    }
    out.extend_from_slice(b"data ");
    print_sym(decls, data.sym, out);
    print_section(data.section.as_ref(), out);
    print_align(data.explicit_align, out);
    if !data.is_extern {
        print_items(decls, &data.items, out);
    }
    out.push(b'\n');
}

/// `@sym + 8`.
fn print_address(decls: &Decls, s: Sym, offset: i64, out: &mut Vec<u8>) {
    print_sym(decls, s, out);
    if offset != 0 {
        out.extend_from_slice(if offset < 0 { b" - " } else { b" + " });
        print_decimal(offset.unsigned_abs(), out);
    }
}

fn print_alias(decls: &Decls, id: AliasId, out: &mut Vec<u8>) {
    let Some(alias) = decls.aliases.get(id) else { return print_missing_line(id, out) };
    out.extend_from_slice(b"alias ");
    print_sym(decls, alias.sym, out);
    out.extend_from_slice(b" = ");
    print_address(decls, alias.target, alias.offset, out);
    out.push(b'\n');
}

fn print_access_item(decls: &Decls, t: AccessType, out: &mut Vec<u8>) {
    let Some(data) = decls.access_types.get(t) else { return print_missing_line(t, out) };
    out.extend_from_slice(b"access ");
    print_access_type(decls, t, out);
    if let Some(parent) = data.parent {
        out.extend_from_slice(b" in ");
        print_access_type(decls, parent, out);
    }
    out.push(b'\n');
}

/// ` = { items }`. A type is written if it differs from the one that holds.
fn print_items(decls: &Decls, items: &[DataItem], out: &mut Vec<u8>) {
    out.extend_from_slice(b" = {");
    let mut held: Option<Type> = None;
    let mut hold = |t: Type, out: &mut Vec<u8>| {
        if held != Some(t) {
            print_type(t, out);
            out.push(b' ');
            held = Some(t);
        }
    };
    for (k, item) in items.iter().enumerate() {
        out.extend_from_slice(if k == 0 { b" " } else { b", " });
        match item {
            DataItem::Scalar(t, payload) => {
                hold(*t, out);
                print_constant(*t, *payload, out);
            }
            DataItem::Wide(halves) => {
                hold(Type::I128, out);
                print_wide(DataItem::of_halves(*halves), out);
            }
            DataItem::Addr(s, offset) => {
                hold(Type::I64, out);
                print_address(decls, *s, *offset, out);
            }
            DataItem::Str(bytes) => print_quoted(bytes, out),
            DataItem::Zero(n) => {
                out.extend_from_slice(b"zero ");
                print_unsigned(*n, out);
            }
        }
    }
    if items.is_empty() {
        // The grammar has no empty list.
        out.extend_from_slice(b" zero 0");
    }
    out.extend_from_slice(b" }");
}

//! Calls of the C library (`libcalls`).
//!
//! Removes calls of functions that are declared `libc` where their effect is known, or calls a simpler one.
//!
//! # Example
//!
//! ```text
//! const data @name = { "lir\00" }                   const data @name = { "lir\00" }
//! extern func @sqrt(f64) -> f64 libc                extern func @sqrt(f64) -> f64 libc
//! extern func @strcpy(i64, i64) -> i64 libc         extern func @strcpy(i64, i64) -> i64 libc
//!   %r = call f64 @sqrt(%x)                           %r = fsqrt f64 %x
//!   %n = lea [@name]                                  %n = lea [@name]
//!   %d = call i64 @strcpy(%to, %n)             =>     memcpy [%to], [%n], 4
//!                                                     %d = copy i64 %to
//! ```
//!
//! # Algorithm
//!
//! 1. In each function the calls are collected of declarations that [`libc`] knows. Where there are any, one walk finds
//!    the registers with one assignment, and how their results are used ([`argument_facts`]).
//! 2. By the meaning of the callee, a call becomes
//!    * an operation: `sqrt`, `fabs`, `floor`, `abs` and others, `memcpy`, `memmove`, `memset`;
//!    * a result that is computed now: functions of `string.h` on constant text ([`text`]);
//!    * loads and a comparison: `memcmp` of up to 16 bytes of which only equality matters, comparisons with `""`;
//!    * `memcpy` of a known length: `strcpy`, `strcat` and `sprintf` of constant text;
//!    * a call of a simpler function that writes the same, if the result is unused: `puts`, `putchar`, `fputs`, `fputc`
//!      for `printf` and `fprintf` ([`output`]). Where it is not declared it is declared.
//! 3. An allocation whose result is unused, or only passed to `free`, is removed together with the `free`.
//!
//! # Why it is sound
//!
//! `libc` promises that the function behaves by ISO C and that the program follows the rules of C: addresses are of
//! objects, texts end, `errno` is not read after mathematics. Where C leaves a choice, in the numbers that comparisons
//! give, the difference of the first two bytes that differ is taken, as the usual libraries do on this machine. C lets
//! the 16 bytes of a `memcmp` be read that it would compare, even after the first that differ. `printf` and `puts`
//! write the same bytes to the same stream. An allocation is not a visible effect.
//!
//! # Cost and limits
//!
//! Linear in the functions that have such calls, and in constant texts of at most [`MAX_TEXT`](argument_facts) bytes
//! for each call. Formats with more than `%s` and `%c` stay, and so do calls that need a loop or a branch. `isdigit`
//! and similar functions are tables of the library.
//!
//! # Source
//!
//! LLVM's `SimplifyLibCalls` (`llvm/lib/Transforms/Utils/SimplifyLibCalls.cpp`), for which calls are worth it.

mod argument_facts;
mod events;
mod output;
mod text;

use crate::analysis::Preserved;
use crate::edit::reads::replace_all_reads;
use crate::pass::{ModuleContext, ModulePass, Pass, PassInfo};
use crate::passes::libcalls::events::Event;
use argument_facts::{Facts, Uses};
use lir_syntax::ir::builder::FunctionBuilder;
use lir_syntax::ir::{
    AbiParam, Attrs, CallArg, CallInfo, CallResult, DataItem, DataObject, Decls, Ext, Format, Function, Inst, InstData,
    Item, Linkage, Module, Opcode, Operand, OperandKind, Reg, SecondaryMap, Sym, SymData, SymKind, Type,
};
use lir_syntax::libc::{self, LibcFunction, Meaning};
use std::collections::{HashMap, HashSet};

/// The row of the registry.
pub(crate) static INFO: PassInfo = PassInfo {
    name: "libcalls",
    summary: "simplify or remove calls of C library functions",
    options: &[],
    build: |_| Pass::Module(Box::new(LibCalls)),
};

struct LibCalls;

impl ModulePass for LibCalls {
    fn run(&self, module: &mut Module, cx: &mut ModuleContext<'_>) -> Preserved {
        let Module { decls, funcs, items, .. } = module;
        let mut known = SecondaryMap::with_len(None, decls.syms.len());
        let mut any = false;
        for s in decls.syms.keys() {
            known[s] = meant(decls, s);
            any |= known[s].is_some();
        }
        if !any {
            return Preserved::All;
        }
        let mut changed = false;
        let mut declarations = Declarations {
            decls,
            added: Vec::new(),
            cached: Vec::new(),
            lines: HashMap::new(),
            last_line: 0,
            names: HashSet::new(),
        };
        let mut facts = cx.scratch.take::<Facts>();
        for item in &*items {
            let Item::Func(id) = *item else { continue };
            let f = &mut funcs[id];
            let calls = collect(f, &known);
            if !calls.is_empty() {
                facts.recompute(f, &calls, &known);
                changed |= rewrite(f, &calls, &mut facts, &mut declarations, cx);
            }
        }
        cx.scratch.give_back(facts);
        items.extend(declarations.added);
        Preserved::cfg_if(changed)
    }
}

/// Returns the C function that a declaration means. None if its attributes state that it never returns, or returns
/// twice.
fn meant(decls: &Decls, s: Sym) -> Option<&'static LibcFunction> {
    let row = libc::declared(decls, s).filter(|row| row.meaning != Meaning::Attributes)?;
    let attrs = decls.signature(s)?.attrs;
    (!attrs.has(Attrs::NORETURN) && !attrs.has(Attrs::RETURNS_TWICE)).then_some(row)
}

/// A call of a function that is known.
struct LibCall {
    inst: Inst,
    callee: Sym,
    known: &'static LibcFunction,
    args: Vec<Reg>,
    result: Option<Reg>,
}

type KnownFunctions = SecondaryMap<Sym, Option<&'static LibcFunction>>;

/// Returns the C function that a call names.
fn callee_of(f: &Function, i: Inst, known: &KnownFunctions) -> Option<(Sym, &'static LibcFunction)> {
    if f.inst(i).op.format() != Format::Call {
        return None;
    }
    match f.inst(i).first().kind() {
        OperandKind::Sym(s) => Some((s, known[s]?)),
        _ => None,
    }
}

/// Step 1.
fn collect(f: &Function, known: &KnownFunctions) -> Vec<LibCall> {
    let mut calls = Vec::new();
    for i in f.layout().all_insts() {
        let Some((callee, known)) = callee_of(f, i, known).filter(|(_, row)| row.meaning != Meaning::Free) else {
            continue;
        };
        let args = f.call_args(i).filter_map(|arg| match arg {
            CallArg::Reg(r, _) => Some(r),
            CallArg::Agg(..) => None,
        });
        let args: Vec<Reg> = args.collect();
        if args.len() == f.call_args(i).len() {
            calls.push(LibCall { inst: i, callee, known, args, result: f.def(i) });
        }
    }
    calls
}

/// The outcome for a call: the change, or the reason that there is none.
type Outcome = Result<Event<'static>, Option<Event<'static>>>;

/// Steps 2 and 3.
fn rewrite(
    f: &mut Function,
    calls: &[LibCall],
    facts: &mut Facts,
    declarations: &mut Declarations<'_>,
    cx: &mut ModuleContext<'_>,
) -> bool {
    let mut changed = false;
    let mut stand_ins = Vec::new();
    for call in calls {
        let before = f.layout().prev_inst(call.inst);
        let mut rewriter = Rewriter { f, facts, declarations, call, stand_ins: &mut stand_ins };
        let outcome = rewriter.rewrite();
        match outcome {
            Ok(event) => {
                cx.remarks.done(f, call.inst, event);
                cx.stats.add(counter(event), 1);
                if let Some(r) = call.result {
                    let last = f.layout().prev_inst(call.inst).filter(|i| Some(*i) != before && f.def(*i) == Some(r));
                    facts.redefine(r, last);
                }
                f.remove_inst(call.inst);
                changed = true;
            }
            Err(None) => {}
            Err(Some(event)) => cx.remarks.missed(f, call.inst, event),
        }
    }
    if !stand_ins.is_empty() {
        stand_ins.sort_unstable();
        let replacement =
            |r: Reg| stand_ins.binary_search_by_key(&r, |s| s.0).ok().map(|k| Operand::reg(stand_ins[k].1));
        replace_all_reads(f, replacement);
    }
    changed
}

fn counter(event: Event<'_>) -> &'static str {
    match event {
        Event::Simpler(..) => "calls of simpler functions",
        Event::UnusedMemory(_) => "allocations removed",
        _ => "calls removed",
    }
}

/// Rewrites one call. New instructions are inserted before it.
struct Rewriter<'a, 'd> {
    f: &'a mut Function,
    facts: &'a Facts,
    declarations: &'a mut Declarations<'d>,
    call: &'a LibCall,
    /// Results that are only compared with 0, and registers that are 0 where they are.
    stand_ins: &'a mut Vec<(Reg, Reg)>,
}

impl Rewriter<'_, '_> {
    fn rewrite(&mut self) -> Outcome {
        match self.call.known.meaning {
            Meaning::Attributes | Meaning::Free => Err(None),
            Meaning::Operation(op) => self.operation(op),
            Meaning::Abs => self.abs(),
            Meaning::Allocation => self.allocation(),
            Meaning::Text(text) => self.text(text),
            Meaning::Output(output) => self.output(output),
        }
    }
    /// Returns the remark on a call that is not needed any more.
    fn done(&self) -> Outcome {
        Ok(Event::Done(self.call.callee))
    }
    /// Returns the remark on a call about whose arguments too little is known.
    fn stays(&self) -> Outcome {
        Err(Some(Event::Stays(self.call.callee)))
    }
    /// Returns a builder of the replacement of the call.
    fn build(&mut self) -> FunctionBuilder<'_> {
        FunctionBuilder::before(self.f, self.call.inst)
    }
    /// Returns the text that a register is known to point to, without its NUL.
    fn text_of(&self, r: Reg) -> Option<Vec<u8>> {
        self.facts.text(self.declarations.decls, self.f, r)
    }
    /// Returns the result, if it is only compared with 0 for equality.
    fn truth_value(&self) -> Option<Reg> {
        self.call.result.filter(|r| self.facts.uses(*r) == Uses::EQUALITY && self.facts.is_single(*r))
    }
    /// Returns a register to be read in place of the result: 0 where that is.
    fn stand_in(&mut self, r: Reg) -> Reg {
        let other = self.f.new_reg_like(r);
        self.stand_ins.push((r, other));
        other
    }
    fn is_used(&self) -> bool {
        self.call.result.is_some_and(|r| self.facts.uses(r) != Uses::NONE)
    }
    /// Gives the result this value.
    fn give(&mut self, value: i64) {
        if let Some(r) = self.call.result {
            let ty = self.f.type_of(r);
            self.build().assign(r).constant(ty, value);
        }
    }
    /// Gives the result the value of a register and a constant.
    fn give_sum(&mut self, a: Reg, plus: i64) {
        if let Some(r) = self.call.result {
            let ty = self.f.type_of(r);
            let mut b = self.build();
            if plus == 0 {
                b.assign(r).unary(Opcode::Copy, ty, a);
            } else {
                b.assign(r).binary(Opcode::Add, ty, a, plus);
            }
        }
    }
    fn operation(&mut self, op: Opcode) -> Outcome {
        let Some(r) = self.call.result else { return self.done() };
        let ty = self.f.type_of(r);
        let args = &self.call.args;
        let mut b = self.build();
        b.assign(r);
        match args[..] {
            [x] => b.unary(op, ty, x),
            [x, y] => b.binary(op, ty, x, y),
            [x, y, z] => b.ternary(op, ty, x, y, z),
            _ => unreachable!("an operation has one to three operands"),
        };
        self.done()
    }
    /// The greater one of a number and its negative; the least number is both.
    fn abs(&mut self) -> Outcome {
        if let Some(r) = self.call.result {
            let (x, ty) = (self.call.args[0], self.f.type_of(r));
            let mut b = self.build();
            let negative = b.unary(Opcode::Neg, ty, x);
            b.assign(r).binary(Opcode::Smax, ty, x, negative);
        }
        self.done()
    }
    /// Step 3.
    fn allocation(&mut self) -> Outcome {
        let frees: Vec<Inst> = match self.call.result {
            Some(r) if self.facts.uses(r) == Uses::FREES && self.facts.is_single(r) => self.facts.frees(r).collect(),
            Some(r) if self.facts.uses(r) != Uses::NONE => return Err(Some(Event::MemoryUsed(self.call.callee))),
            _ => Vec::new(),
        };
        frees.into_iter().for_each(|i| self.f.remove_inst(i));
        Ok(Event::UnusedMemory(self.call.callee))
    }
    /// Returns the declaration of another function of C, which has a result. An error if this module means something
    /// else by its name.
    fn other(&mut self, name: &'static str) -> Result<Sym, Event<'static>> {
        let callee = self.declarations.function(name).ok_or(Event::Undeclared(name))?;
        let has_result = self.declarations.decls.signature(callee).is_some_and(|s| s.result.is_some());
        if has_result { Ok(callee) } else { Err(Event::Undeclared(name)) }
    }
    /// Writes a call of another function of C. Its result is the result of the call, if that is read and of its type: a
    /// register that is not read would get another value under its name.
    fn call_other(&mut self, callee: Sym, args: &[Reg]) -> Outcome {
        let args: Vec<CallArg> = args.iter().map(|r| CallArg::Reg(*r, Ext::None)).collect();
        let result = self.declarations.decls.signature(callee).and_then(|s| s.result);
        let Some(AbiParam::Scalar(ty, ext)) = result else { unreachable!("its signature is C's") };
        let fixed = args.len() as u32;
        let info = CallInfo { result: CallResult::Scalar(ty, ext), args, fixed, variadic: false };
        let record = self.f.make_call(&info);
        let data = InstData::unary(Opcode::Call, Type::I64, Operand::sym(callee)).with_list(record);
        let result = self.call.result.filter(|r| self.is_used() && self.f.type_of(*r) == ty);
        self.f.insert_before(self.call.inst, data.with_result(result));
        Ok(Event::Simpler(self.call.callee, callee))
    }
}

/// The module's symbols, to which functions and texts are added.
struct Declarations<'a> {
    decls: &'a mut Decls,
    added: Vec<Item>,
    /// The functions that were sought.
    cached: Vec<(&'static str, Option<Sym>)>,
    /// The copies of texts without their last character, by original and offset.
    lines: HashMap<(Sym, i64), Sym>,
    /// The number of the last copy's name.
    last_line: u32,
    /// The names of the module's symbols when the first copy was made.
    names: HashSet<Vec<u8>>,
}

impl Declarations<'_> {
    /// Returns the declaration of a C function, a new one if need be. None if the name means something else.
    fn function(&mut self, name: &'static str) -> Option<Sym> {
        if let Some((_, found)) = self.cached.iter().find(|(n, _)| *n == name) {
            return *found;
        }
        let found = match self.find(name.as_bytes()) {
            Some(s) => libc::declared(self.decls, s).map(|_| s),
            None => libc::named(name).map(|row| {
                let kind = SymKind::Func { sig: row.signature(), body: None };
                let s = self.decls.syms.push(SymData::global(name.as_bytes(), kind));
                self.added.push(Item::ExternFunc(s));
                s
            }),
        };
        self.cached.push((name, found));
        found
    }
    fn find(&self, name: &[u8]) -> Option<Sym> {
        self.decls.syms.iter().find(|(_, s)| &*s.name == name).map(|(s, _)| s)
    }
    /// Returns constant data with this text and a NUL. It is a copy of the text at an offset of other data.
    fn line(&mut self, of: Sym, offset: i64, text: &[u8]) -> Sym {
        if let Some(copy) = self.lines.get(&(of, offset)) {
            return *copy;
        }
        if self.names.is_empty() {
            self.names.extend(self.decls.syms.values().map(|s| s.name.to_vec()));
        }
        let original = self.decls.syms[of].name.clone();
        let name = loop {
            self.last_line += 1;
            let name = [&*original, b".line", self.last_line.to_string().as_bytes()].concat();
            if self.names.insert(name.clone()) {
                break name;
            }
        };
        let id = self.decls.data.next_key();
        let kind = SymKind::Data(id);
        let sym = self.decls.syms.push(SymData::new(&name, kind, Linkage::Local));
        let items = vec![DataItem::Str([text, b"\0"].concat().into())];
        self.decls.data.push(DataObject {
            sym,
            is_extern: false,
            thread: false,
            constant: true,
            section: None,
            explicit_align: None,
            items,
        });
        self.added.push(Item::Data(id));
        self.lines.insert((of, offset), sym);
        sym
    }
}

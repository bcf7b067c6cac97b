//! Objects made of hand-made functions, linked by the system's compiler and run.

use super::build::Build;
use lir_llc::isa::x64::emit::{CodeBuffer, EmitOptions, FunctionCode, MAX_CODE};
use lir_llc::isa::x64::registers::{RAX, RBX, RCX, RDI, RDX, RSI, xmm};
use lir_llc::isa::x64::{Cond, op};
use lir_llc::mir::{CallTarget, FixedList, Form, FrameObj, MBase, MInst, MOp, MReg, PReg, RegClass, Size};
use lir_llc::output::elf::{ObjectError, ObjectFunction, ObjectModule, write};
use lir_llc::regalloc::{Edit, Loc};
use lir_syntax::ir::{DataId, DataItem, DataObject, Decls, Linkage, Section, Signature, Sym, SymData, SymKind, Type};
use std::process::Command;

const NO: MReg = MReg::NONE;

/// A module under construction.
#[derive(Default)]
struct Program {
    decls: Decls,
    code: CodeBuffer,
    functions: Vec<(Sym, Option<Section>, FunctionCode)>,
    data: Vec<DataId>,
}

impl Program {
    fn symbol(&mut self, name: &str, kind: SymKind, local: bool) -> Sym {
        let linkage = if local { Linkage::Local } else { Linkage::Global };
        self.decls.syms.push(SymData::new(name.as_bytes(), kind, linkage))
    }
    fn function_symbol(&mut self, name: &str, local: bool) -> Sym {
        self.symbol(name, SymKind::Func { sig: Signature::default(), body: None }, local)
    }
    fn define(&mut self, sym: Sym, b: &Build) {
        let code = b.emit_to(&mut self.code, &EmitOptions::default()).expect("emitted");
        self.functions.push((sym, None, code));
    }
    /// Adds data; `set` changes further properties.
    fn data(&mut self, name: &str, items: Vec<DataItem>, set: impl FnOnce(&mut DataObject)) -> Sym {
        let id = self.decls.data.next_key();
        let sym = self.symbol(name, SymKind::Data(id), false);
        let mut data = DataObject {
            sym,
            is_extern: false,
            thread: false,
            constant: false,
            section: None,
            explicit_align: None,
            items,
        };
        set(&mut data);
        if !data.is_extern {
            self.data.push(id);
        }
        self.decls.data.push(data);
        sym
    }
    fn object(&self) -> Result<Vec<u8>, ObjectError> {
        let functions: Vec<_> = self
            .functions
            .iter()
            .map(|(sym, section, code)| ObjectFunction { sym: *sym, section: section.as_ref(), code })
            .collect();
        write(&ObjectModule { decls: &self.decls, code: &self.code, functions: &functions, data: &self.data })
    }
}

/// Links an object with a C program and runs it; returns its output.
fn run(object: &[u8], main: &str, flags: &[&str]) -> String {
    let folder = tempfile::tempdir().expect("a folder for files");
    let dir = folder.path();
    std::fs::write(dir.join("part.o"), object).expect("part.o");
    std::fs::write(dir.join("main.c"), main).expect("main.c");
    let built = Command::new("cc")
        .current_dir(dir)
        .args(["-O1", "-Wall", "-Werror", "-Wl,--fatal-warnings", "main.c", "part.o", "-o", "main"])
        .args(flags)
        .output()
        .expect("cc runs");
    assert!(built.status.success(), "{flags:?}: {}", String::from_utf8_lossy(&built.stderr));
    let ran = Command::new(dir.join("main")).output().expect("main runs");
    assert!(ran.status.success(), "{flags:?}: {:?}", ran.status);
    String::from_utf8(ran.stdout).expect("text")
}

/// `d = [M]` or `lea d, [M]`.
fn from_memory(b: &mut Build, op: MOp, d: PReg, base: MBase, disp: i32) {
    let d = b.reg(d);
    b.push(MInst::new(op, Form::DM, Size::S64).d(d).mem(base, NO, 1, disp));
}

fn call(b: &mut Build, target: CallTarget, al: Option<u8>) {
    let i = b.record(op::Call, Form::None, FixedList { target: Some(target), al, ..FixedList::default() });
    b.push(i);
}

/// Data of every kind, and a function for each kind of access to it.
fn program() -> Program {
    let mut p = Program::default();
    let greet = p.function_symbol("greet", false);
    let puts = p.function_symbol("printf", false);
    let local = p.function_symbol("local_sum", true);
    let text = p.data("text", vec![DataItem::Str(b"%s %.2f\n\0"[..].into())], |d| d.constant = true);
    let word = p.data("word", vec![DataItem::Str(b"hello\0"[..].into())], |d| d.constant = true);
    let table = vec![DataItem::Scalar(Type::I32, 7), DataItem::Scalar(Type::I32, -1), DataItem::Addr(word, 1)];
    p.data("table", table, |d| d.constant = true);
    p.data("handlers", vec![DataItem::Addr(greet, 0)], |_| ());
    p.data("zeros", vec![DataItem::Zero(1 << 20)], |d| d.explicit_align = Some(64));
    let counter = p.data("counter", vec![DataItem::Scalar(Type::I64, 40)], |d| d.thread = true);
    p.data("tls_zeros", vec![DataItem::Zero(16)], |d| d.thread = true);
    let external = p.data("external", vec![], |d| d.is_extern = true);
    p.data("constructor", vec![DataItem::Addr(greet, 0)], |d| {
        d.section = Some(Section { name: b".init_array"[..].into(), flags: None });
    });

    // Prints with a constant from the pool, as a variadic call.
    let mut b = Build::new();
    from_memory(&mut b, op::Lea, RDI, MBase::Sym(text), 0);
    from_memory(&mut b, op::Lea, RSI, MBase::Sym(word), 0);
    b.f.consts.push((&2.5f64.to_le_bytes()[..]).into());
    let x = b.reg(xmm(0));
    b.push(MInst::new(op::MovF, Form::DM, Size::S64).d(x).mem(MBase::Const(0), NO, 1, 0));
    call(&mut b, CallTarget::Sym(puts), Some(1));
    b.ret();
    p.define(greet, &b);

    // external + thread-local + 2: through the global offset table, by initial exec, and with the pointer.
    let mut b = Build::new();
    from_memory(&mut b, op::LoadGot, RAX, MBase::Got(external), 0);
    let (rax, rcx) = (b.reg(RAX), b.reg(RCX));
    b.push(MInst::new(op::Mov, Form::DM, Size::S64).d(rax).mem(MBase::Reg(rax.into()), NO, 1, 0));
    b.push(MInst::new(op::ThreadPointer, Form::D, Size::S64).d(rcx));
    b.push(MInst::new(op::Add, Form::DTM, Size::S64).d(rcx).a(rcx).mem(MBase::GotTpoff(counter), NO, 1, 0));
    b.push(MInst::new(op::Add, Form::DTM, Size::S64).d(rax).a(rax).mem(MBase::Reg(rcx.into()), NO, 1, 0));
    b.push(MInst::new(op::Add, Form::DTI, Size::S64).d(rax).a(rax).imm(2));
    b.ret();
    let sum = p.function_symbol("sum", false);
    p.define(sum, &b);
    p.define(local, &frame_user());
    let f = p.function_symbol("call_local", false);
    let mut b = Build::new();
    call(&mut b, CallTarget::Sym(local), None);
    b.ret();
    p.define(f, &b);
    let f = p.function_symbol("loop_sum", false);
    p.define(f, &loop_sum());
    let f = p.function_symbol("rem", false);
    p.define(f, &remainder());
    let f = p.function_symbol("grow", false);
    p.define(f, &grow());
    p
}

/// Moves its two arguments through slots and a large frame, keeps rbx, adds them.
fn frame_user() -> Build {
    let mut b = Build::new();
    b.f.frame.push(FrameObj { size: 100_000, align: 16 });
    let (x, y, rbx) = (b.reg(RDI), b.reg(RSI), b.reg(RBX));
    let (s, t) = (b.slot(0, RegClass::Int), b.slot(1, RegClass::Int));
    b.push(MInst::new(op::Mov, Form::DA, Size::S64).d(s).a(x));
    b.edit(Edit::Move { from: Loc::slot(0), to: Loc::slot(1), class: RegClass::Int });
    b.push(MInst::new(op::Mov, Form::DA, Size::S64).d(rbx).a(t));
    b.push(MInst::new(op::Mov, Form::MA, Size::S64).a(y).mem(MBase::Frame(0), NO, 1, 0));
    let rax = b.reg(RAX);
    b.push(MInst::new(op::Add, Form::DTM, Size::S64).d(rax).a(rbx).mem(MBase::Frame(0), NO, 1, 0));
    b.ret();
    b
}

/// The sum of the numbers up to the argument.
fn loop_sum() -> Build {
    let mut b = Build::new();
    let (n, rax) = (b.reg(RDI), b.reg(RAX));
    b.push(MInst::new(op::Zero, Form::D, Size::S32).d(rax));
    b.jmp(1);
    b.block();
    b.f.blocks[1].loop_depth = 1;
    b.push(MInst::new(op::Add, Form::DTB, Size::S64).d(rax).a(rax).b(n));
    b.push(MInst::new(op::Sub, Form::DTI, Size::S64).d(n).a(n).imm(1));
    b.jcc(Cond::NE, 1, 2);
    b.block();
    b.ret();
    b
}

/// The signed remainder.
fn remainder() -> Build {
    let mut b = Build::new();
    let (rax, rdx, y) = (b.reg(RAX), b.reg(RDX), b.reg(RSI));
    b.edit(Edit::Move { from: Loc::reg(RDI), to: Loc::reg(RAX), class: RegClass::Int });
    b.push(MInst::new(op::IdivRem, Form::DAB, Size::S64).d(rdx).a(rax).b(y));
    b.edit(Edit::Move { from: Loc::reg(RDX), to: Loc::reg(RAX), class: RegClass::Int });
    b.ret();
    b
}

/// Takes as many bytes of stack as asked, with an over-aligned object and an incoming stack argument: the sum of the
/// remainder of the object's address modulo 256, and of the seventh argument.
fn grow() -> Build {
    let mut b = Build::new();
    b.f.frame_pointer = true;
    b.f.base_pointer = true;
    b.f.frame.push(FrameObj { size: 8, align: 256 });
    let (n, rax) = (b.reg(RDI), b.reg(RAX));
    b.push(MInst::new(op::StackAlloc, Form::B, Size::S64).b(n));
    from_memory(&mut b, op::Lea, RAX, MBase::Frame(0), 0);
    b.push(MInst::new(op::And, Form::DTI, Size::S64).d(rax).a(rax).imm(255));
    b.push(MInst::new(op::Add, Form::DTM, Size::S64).d(rax).a(rax).mem(MBase::Incoming, NO, 1, 0));
    b.ret();
    b
}

const MAIN: &str = r#"
#include <assert.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
int64_t external = 100;
extern __thread int64_t counter, tls_zeros[2];
extern const struct { int32_t a, b; const char *c; } table;
extern void (*handlers[1])(void);
extern char zeros[1 << 20];
int64_t sum(void), call_local(int64_t, int64_t), loop_sum(int64_t), rem(int64_t, int64_t);
int64_t grow(int64_t, int, int, int, int, int, int64_t);
void *__tls_get_addr(void *);
int main(void) {
  setvbuf(stdout, NULL, _IONBF, 0);
  handlers[0]();
  assert(table.a == 7 && table.b == -1 && strcmp(table.c, "ello") == 0);
  assert(zeros[0] == 0 && zeros[(1 << 20) - 1] == 0 && (uintptr_t)zeros % 64 == 0);
  assert(sum() == 142 && tls_zeros[1] == 0);
  counter = 50;
  assert(sum() == 152);
  assert(call_local(30, 12) == 42);
  assert(loop_sum(1000) == 500500);
  assert(rem(17, 5) == 2 && rem(-17, 5) == -2 && rem(INT64_MIN, -1) == 0);
  assert(grow(1 << 20, 0, 0, 0, 0, 0, 77) == 77 && grow(0, 0, 0, 0, 0, 0, 5) == 5);
  puts("done");
}
"#;

#[test]
fn an_object_is_linked_and_run_position_independent_or_not() {
    let object = program().object().expect("an object");
    for flags in [&["-pie", "-fPIE"][..], &["-no-pie", "-fno-pie"], &["-static"]] {
        assert_eq!(run(&object, MAIN, flags), "hello 2.50\nhello 2.50\ndone\n");
    }
}

#[test]
fn an_object_depends_on_its_module_alone() {
    assert_eq!(program().object(), program().object());
}

#[test]
fn functions_go_into_the_sections_they_name() {
    let mut p = program();
    let section = |name: &[u8], flags: &[u8]| Some(Section { name: name.into(), flags: Some(flags.into()) });
    p.functions[1].1 = section(b".text.hot", b"ax");
    let object = p.object().expect("an object");
    assert_eq!(run(&object, MAIN, &["-pie", "-ffunction-sections"]), "hello 2.50\nhello 2.50\ndone\n");
    p.functions[1].1 = section(b".text.hot", b"axM");
    assert_eq!(p.object(), Err(ObjectError::SectionFlag { sym: p.functions[1].0, flag: 'M' }));
}

#[test]
fn buffers_are_put_together() {
    let options = EmitOptions { align_loops: true, ..EmitOptions::default() };
    // The second and the fourth begin at multiples of 64, so that the bytes between functions depend on the functions
    // before.
    let functions = || [remainder(), loop_sum(), frame_user(), loop_sum(), remainder()];
    let (mut parts, mut of_parts) = (CodeBuffer::default(), Vec::new());
    for pair in functions().chunks(2) {
        let mut part = CodeBuffer::default();
        let codes = pair.iter().map(|b| b.emit_to(&mut part, &options).expect("emitted")).collect();
        of_parts.extend(parts.append(&part, codes).expect("it is small"));
    }
    let mut together = CodeBuffer::default();
    let codes = functions().map(|b| b.emit_to(&mut together, &options).expect("emitted"));
    assert_eq!(parts.bytes(), together.bytes());
    let extents = |codes: &[FunctionCode]| codes.iter().map(|f| (f.start, f.len, f.align)).collect::<Vec<_>>();
    assert_eq!(extents(&of_parts), extents(&codes));
    assert!(codes.iter().all(|f| f.start % f.align == 0), "{codes:?}");
    assert_eq!(codes.iter().map(|f| f.align).collect::<Vec<_>>(), [16, 64, 16, 64, 16]);
}

#[test]
fn a_buffer_is_appended_twice() {
    let whole = program();
    let codes = || whole.functions.iter().map(|(.., code)| code.clone()).collect::<Vec<_>>();
    let mut twice = CodeBuffer::default();
    let first = twice.append(&whole.code, codes()).expect("it is small");
    let second = twice.append(&whole.code, codes()).expect("it is small");
    assert_eq!(first[0].start, 0);
    assert_eq!(second[0].start % 16, 0);
    assert_eq!(twice.consts.constants().len(), whole.code.consts.constants().len());
    let half = whole.code.relocs.len();
    assert_eq!(twice.relocs[half].offset, whole.code.relocs[0].offset + second[0].start);
}

#[test]
fn parts_that_together_exceed_the_limit_are_refused_before_they_are_put_together() {
    let mut all = CodeBuffer::default();
    let function = |len| FunctionCode { len, align: 16, ..FunctionCode::default() };
    let half = u32::try_from(MAX_CODE / 2).expect("the limit has 31 bits");
    // Two parts of other threads, each below the limit. Nothing is copied, so they need no bytes.
    let too_far = all.append(&CodeBuffer::default(), vec![function(half), function(half - 16), function(32)]);
    assert_eq!(too_far.map(|f| f.len()), Err(2));
    assert_eq!(all.bytes().len(), 0);
}

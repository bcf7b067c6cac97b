//! The assembler as an embedder calls it.

#[allow(dead_code, reason = "an example with a command line")]
#[path = "../examples/brainfuck.rs"]
mod brainfuck;
#[path = "../examples/variables.rs"]
mod variables_example;

use lir::asm::*;
use std::sync::Mutex;

static OUTPUT: Mutex<Vec<u8>> = Mutex::new(Vec::new());

extern "C" fn put(byte: u8) {
    OUTPUT.lock().unwrap().push(byte);
}

extern "C" fn get() -> u8 {
    b'?'
}

#[test]
fn the_examples_of_the_article_run() {
    variables_example::main().unwrap();
}

#[test]
fn a_brainfuck_program_runs() {
    const HELLO: &[u8] = b"++++++++[>++++[>++>+++>+++>+<<<<-]>+>+>->>+[<]<-]>>.>---.+++++++..+++.>>.<-.<.+++.------.\
                           --------.>>+.>++. ,.";
    brainfuck::run(HELLO, put as *const () as u64, get as *const () as u64).unwrap();
    assert_eq!(String::from_utf8_lossy(&OUTPUT.lock().unwrap()), "Hello World!\n?");
    assert!(brainfuck::compile(b"[", 0, 0).is_err() && brainfuck::compile(b"]", 0, 0).is_err());
}

/// Links code whose only function takes a number and returns one.
fn function(a: Assembler, entry: Label) -> (LinkedCode, extern "C" fn(i64) -> i64) {
    let code = a.link().unwrap();
    // SAFETY: the tests append such functions, and keep the code as long as they call it.
    let f = unsafe { code.function(entry) };
    (code, f)
}

/// `1 + 2 + .. + n` by a loop, with as many bytes of no-operations in it.
fn sum(padding: usize) -> (Assembler, Label) {
    let mut a = Assembler::new();
    let entry = a.function();
    let (test, done) = (a.label(), a.label());
    a.xor(EAX, EAX);
    a.jmp(test);
    let top = a.here();
    a.add(RAX, RDI);
    a.nop(padding);
    a.sub(RDI, 1);
    a.bind(test);
    a.test(RDI, RDI);
    a.jle(done);
    a.jmp(top);
    a.bind(done);
    a.ret();
    (a, entry)
}

#[test]
fn jumps_are_as_long_as_they_have_to_be() {
    let mut lengths = Vec::new();
    for padding in [0, 100, 116, 117, 118, 119, 120, 200, 40_000] {
        let (a, entry) = sum(padding);
        let (code, f) = function(a, entry);
        assert_eq!(f(100), 5050, "{padding}");
        drop(code);
        lengths.push(sum(padding).0.finish().unwrap().bytes().len() - padding);
    }
    assert_eq!((lengths[0], lengths[8]), (19, 25));
    assert!(lengths.is_sorted());
}

#[test]
fn labels_lead_to_code_to_data_and_to_constants() {
    let mut a = Assembler::new();
    let (table, double) = (a.label(), a.label());
    let (half, quarter) = (a.constant(&0.5f64.to_le_bytes()), a.constant(&0.25f64.to_le_bytes()));
    let entry = a.function();
    a.lea(RAX, mem(table));
    a.movzx(EAX, mem(RAX).index(RDI, 1).byte());
    a.add(RAX, mem(table).disp(8));
    a.call(double);
    a.cvtsi2sd(XMM0, RAX);
    a.mulsd(XMM0, mem(half));
    a.addsd(XMM0, mem(quarter));
    a.cvttsd2si(RAX, XMM0);
    a.ret();
    let second = a.function();
    a.bind(double);
    a.add(RAX, RAX);
    a.ret();
    a.align(64);
    a.bind(table);
    a.bytes(&[3, 1, 4, 1, 5, 9, 2, 6]);
    a.bytes(&1000u64.to_le_bytes());
    assert_eq!(a.constant(&0.5f64.to_le_bytes()), half);
    let code = a.finish().unwrap();
    assert_eq!((code.offset(table).map(|at| at % 64), code.align()), (Some(0), 64));
    assert_eq!((code.offset(second).map(|at| at % 16), code.offset(half).map(|at| at % 8)), (Some(0), Some(0)));
    let code = code.link().unwrap();
    // SAFETY: this is the function's type, and the code lives until the end.
    let f: extern "C" fn(i64) -> i64 = unsafe { code.function(entry) };
    assert_eq!((0..8i64).map(|k| f(k)).collect::<Vec<_>>(), [1003, 1001, 1004, 1001, 1005, 1009, 1002, 1006]);
}

#[test]
fn comparisons_of_floats_branch_by_two_jumps() {
    for (cond, wanted) in [(Cond::OrdEq, [1, 0, 0]), (Cond::UnordNe, [0, 1, 1])] {
        let mut a = Assembler::new();
        let entry = a.function();
        let yes = a.label();
        a.ucomisd(XMM0, XMM1);
        a.jcc(cond, yes);
        a.mov(EAX, 0);
        a.ret();
        a.bind(yes);
        a.mov(EAX, 1);
        a.ret();
        let code = a.link().unwrap();
        // SAFETY: this is the function's type, and the code lives until the end.
        let f: extern "C" fn(f64, f64) -> i32 = unsafe { code.function(entry) };
        assert_eq!([f(1.5, 1.5), f(1.5, 2.5), f(f64::NAN, f64::NAN)], wanted);
    }
}

#[test]
fn symbols_are_found_in_the_process_or_where_one_says() {
    let mut a = Assembler::new();
    let entry = a.function();
    let (labs, known) = (a.symbol("labs"), a.symbol("known"));
    a.prologue(&[RBX], 0);
    a.call(labs);
    a.mov(RBX, known);
    a.add(RAX, mem(RBX));
    a.epilogue();
    assert_eq!(a.symbol("labs"), labs);
    let code = a.finish().unwrap();
    let kinds: Vec<_> = code.relocations().iter().map(|r| (r.kind, &*r.symbol)).collect();
    assert_eq!(kinds, [(RelocationKind::Call, "labs"), (RelocationKind::Address, "known")]);
    static KNOWN: i64 = 30;
    let host = |name: &str| match name {
        "labs" => Some(libc_labs()),
        _ => Some(&raw const KNOWN as u64),
    };
    let code = code.link_with(host).unwrap();
    // SAFETY: this is the function's type, and the code lives until the end.
    let f: extern "C" fn(i64) -> i64 = unsafe { code.function(entry) };
    assert_eq!((f(-12), f(12)), (42, 42));
    // A tail call, found by the loader.
    let mut a = Assembler::new();
    let entry = a.function();
    let labs = a.symbol("labs");
    a.jmp(labs);
    let (_code, f) = function(a, entry);
    assert_eq!(f(-5), 5);
    let mut a = Assembler::new();
    let nowhere = a.symbol("no_such_function_anywhere");
    a.call(nowhere);
    assert_eq!(a.link().unwrap_err().to_string(), "the symbol `no_such_function_anywhere` is not found");
}

extern "C" fn labs(n: i64) -> i64 {
    n.abs()
}

fn libc_labs() -> u64 {
    labs as *const () as u64
}

/// Returns the message of the error, which has a line of this file.
fn error(f: impl FnOnce(&mut Assembler)) -> String {
    let mut a = Assembler::new();
    f(&mut a);
    let error = a.finish().unwrap_err();
    assert!(error.at.file().ends_with("assembler.rs") && error.at.line() > 100, "{error}");
    error.message
}

#[test]
fn mistakes_that_types_allow_are_errors_with_their_line() {
    let unbound = |a: &mut Assembler| {
        let l = a.label();
        a.jne(l);
    };
    let twice = |a: &mut Assembler| {
        let l = a.here();
        a.bind(l);
    };
    let of_another = |a: &mut Assembler| {
        let l = Assembler::new().label();
        a.jmp(l);
    };
    assert_eq!(error(unbound), "the label is never bound");
    assert_eq!(error(twice), "the label is bound already");
    assert_eq!(error(of_another), "the label is of another assembler");
    assert_eq!(error(|a| a.mov(RAX, mem(RDI).index(RSI, 3))), "a scale is 1, 2, 4 or 8");
    assert_eq!(error(|a| a.mov(RAX, mem(RDI).index(RSP, 1))), "rsp is not an index");
    assert_eq!(error(|a| a.push(mem(RDI).index(RSI, 1).index(RSI, 1))), "an address has one index");
    assert_eq!(error(|a| a.lea(RAX, mem(RDI).disp(i32::MAX).disp(1))), "a displacement has 32 bits");
    assert_eq!(error(|a| a.add(AL, 256)), "the immediate 256 does not fit 8 bits");
    assert_eq!(error(|a| a.cmp(mem(RDI).word(), -32769)), "the immediate -32769 does not fit 16 bits");
    assert_eq!(error(|a| a.shl(RAX, BL)), "the count of a shift is a constant or in cl");
    assert_eq!(error(|a| a.align(48)), "an alignment is a power of two, at most 128");
    assert_eq!(error(|a| _ = a.constant(&[1, 2, 3])), "a constant has 4, 8 or 16 bytes");
    assert_eq!(error(|a| a.epilogue()), "an epilogue belongs to a prologue before it in the function");
    // The first error counts, and operands that fit are right.
    let mut a = Assembler::new();
    a.add(AL, 255);
    a.add(AL, -128);
    a.add(AX, 0xffff);
    a.shl(EAX, CL);
    assert!(a.error().is_none());
    a.rol(EAX, 300);
    let line = line!() - 1;
    a.align(3);
    assert_eq!(
        a.link().unwrap_err().to_string(),
        format!("{}:{line}:7: the immediate 300 does not fit 8 bits", file!())
    );
}

/// A panic unwinds the frames of assembled code, and finds their saved registers.
#[test]
fn unwinders_find_their_way_through_frames() {
    extern "C-unwind" fn fails(n: i64) {
        if n == 3 {
            std::panic::resume_unwind(Box::new(n));
        }
    }
    let mut a = Assembler::new();
    // Two functions, so that the second has unwind tables of its own.
    let leaf = a.function();
    a.mov(RAX, RDI);
    a.ret();
    let entry = a.function();
    let again = a.label();
    a.prologue(&[RBX, R12, R15], 40);
    a.mov(RBX, -1);
    a.mov(R12, -1);
    a.mov(R15, RDI);
    a.bind(again);
    a.mov(RDI, R15);
    a.call(leaf);
    let local = mem(RBP).disp(a.locals_end() - 8);
    a.mov(local, RAX);
    a.mov(RDI, local);
    a.mov(RAX, fails as *const () as u64);
    a.call(RAX);
    a.sub(R15, 1);
    a.jne(again);
    a.mov(EAX, 7);
    a.epilogue();
    let code = a.link().unwrap();
    // SAFETY: this is the function's type, and the code lives until the end.
    let f: extern "C-unwind" fn(i64) -> i64 = unsafe { code.function(entry) };
    assert_eq!(f(2), 7);
    for (k, n) in [10, 4, 3].into_iter().enumerate() {
        // Kept in registers across the call, if the compiler likes.
        let (mut kept, from) = (k as i64 * 1000, std::hint::black_box(n));
        let caught = std::panic::catch_unwind(|| f(from)).unwrap_err();
        kept += *caught.downcast::<i64>().unwrap();
        assert_eq!(kept, k as i64 * 1000 + 3);
    }
}

/// The same through the frame of a function of variables, some of which are in registers that it has to save.
#[test]
fn unwinders_find_their_way_through_functions_of_variables() {
    use lir::asm::variables::{Callee, Function, Int};
    extern "C-unwind" fn fails(n: i64) -> i64 {
        if n == 100 { std::panic::resume_unwind(Box::new(n)) } else { n }
    }
    let f = Function::begin(Assembler::new());
    let n = f.int_argument(0);
    let all: Vec<Int<'_>> = (0..20).map(|k| &n + k).collect();
    let total = f.int(0);
    for v in &all {
        total.set(&total + f.call(Callee::Address(fails as *const () as u64), &[v]));
    }
    f.ret(&total);
    let (a, entry) = f.end();
    let code = a.link().unwrap();
    // SAFETY: this is the function's type, and the code lives until the end.
    let f: extern "C-unwind" fn(i64) -> i64 = unsafe { code.function(entry) };
    assert_eq!(f(1000), 20 * 1000 + 190);
    assert_eq!(*std::panic::catch_unwind(|| f(90)).unwrap_err().downcast::<i64>().unwrap(), 100);
}

/// Appends for registers of any size.
fn square<R: Gp16>(a: &mut Assembler, r: R)
where
    (R, R): mnemonics::takes::imul,
{
    a.imul(r, r);
}

/// The size of a register.
fn bytes<R: Gp>(_: R) -> u32 {
    R::SIZE.bytes()
}

#[test]
fn helpers_are_generic_over_the_sizes_of_registers() {
    let mut a = Assembler::new();
    let entry = a.function();
    square(&mut a, EDI);
    a.movsxd(RAX, EDI);
    square(&mut a, RAX);
    a.ret();
    let (_code, f) = function(a, entry);
    assert_eq!((f(-3), f(1 << 16)), (81, 0));
    assert_eq!((bytes(AL), bytes(AX), bytes(EAX), bytes(RAX)), (1, 2, 4, 8));
}

#[test]
fn floats_come_as_arguments_from_memory_and_from_calls() {
    use lir::asm::variables::{Callee, Function};
    extern "C" fn half(x: f64) -> f64 {
        x / 2.0
    }
    // The length of p[0 .. n], halved if it is more than a limit.
    let f = Function::begin(Assembler::new());
    let (p, n, limit) = (f.int_argument(0), f.int_argument(1), f.float_argument(0));
    let sum = f.float(0.0);
    f.while_(
        || n.gt(0),
        || {
            let x = p.load_float(0);
            sum.set(&x * &x + &sum);
            p.set(&p + 8);
            n.set(&n - 1);
        },
    );
    let length = sum.sqrt();
    f.if_(length.gt(&limit), || length.set(f.call_float(Callee::Address(half as *const () as u64), &[&length])));
    f.ret(&length);
    let (a, entry) = f.end();
    let code = a.link().unwrap();
    // SAFETY: this is the function's type, and the code lives until the end.
    let f: extern "C" fn(*const f64, i64, f64) -> f64 = unsafe { code.function(entry) };
    let numbers = [3.0, 4.0, 12.0];
    assert_eq!(
        [f(numbers.as_ptr(), 2, 10.0), f(numbers.as_ptr(), 3, 10.0), f(numbers.as_ptr(), 0, -1.0)],
        [5.0, 6.5, 0.0]
    );
}

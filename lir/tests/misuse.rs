//! Mistakes of embedders: each is an error with the line of the caller, and nothing panics.

use lir::asm::variables::{Callee, Function, Int, Width};
use lir::asm::*;

/// The message of a function that is wrong, whose error is in this file.
fn message(f: &Function) -> String {
    let error = f.end().0.finish().expect_err("it is wrong");
    assert!(error.at.file().ends_with("misuse.rs"), "{error}");
    error.message
}

fn function() -> Function {
    Function::begin(Assembler::new())
}

/// Links a function of a number, and calls it.
fn call(f: &Function, n: i64) -> i64 {
    let (a, entry) = f.end();
    let code = a.link().unwrap();
    // SAFETY: the tests write functions of this type, and `code` lives until it has returned.
    let f: extern "C" fn(i64) -> i64 = unsafe { code.function(entry) };
    f(n)
}

extern "C" fn same(n: i64) -> i64 {
    n
}

const SAME: fn() -> Callee = || Callee::Address(same as *const () as u64);

#[test]
fn labels_and_symbols_belong_to_their_assembler() {
    let mut other = Assembler::new();
    let (label, symbol) = (other.here(), other.symbol("labs"));
    let error = |f: &dyn Fn(&mut Assembler)| {
        let mut a = Assembler::new();
        // It has the same numbers as the others.
        let (_, _) = (a.here(), a.symbol("labs"));
        f(&mut a);
        a.finish().unwrap_err().message
    };
    assert_eq!(error(&|a| a.jmp(label)), "the label is of another assembler");
    assert_eq!(error(&|a| a.lea(RAX, mem(label))), "the label is of another assembler");
    assert_eq!(error(&|a| a.call(symbol)), "the symbol is of another assembler");
    assert_eq!(error(&|a| a.mov(RAX, symbol)), "the symbol is of another assembler");
    let mut a = Assembler::new();
    let (bound, never) = (a.here(), a.label());
    let code = a.finish().unwrap();
    assert_eq!([code.offset(bound), code.offset(never), code.offset(label)], [Some(0), None, None]);
}

#[test]
fn distances_and_targets_are_checked() {
    let mut a = Assembler::new();
    let ahead = a.label();
    a.lea(RAX, mem(ahead).disp(i32::MAX));
    a.nop(100);
    a.bind(ahead);
    assert_eq!(a.finish().unwrap_err().message, "a displacement has 32 bits");
    let mut a = Assembler::new();
    let constant = a.constant(&[0; 8]);
    a.jne(constant);
    assert_eq!(a.finish().unwrap_err().message, "a jump leads to code");
}

#[test]
fn many_jumps_are_not_too_much_code() {
    let mut a = Assembler::new();
    let top = a.here();
    for _ in 0..10_000_000 {
        a.jne(top);
    }
    assert!(a.finish().unwrap().bytes().len() < 60_000_000);
}

/// The first function ends where the second begins, and no byte follows the jump of the third.
#[test]
fn functions_side_by_side_have_their_own_unwind_tables() {
    extern "C-unwind" fn fails() {
        std::panic::resume_unwind(Box::new(5));
    }
    let mut a = Assembler::new();
    a.function();
    a.prologue(&[RBX], 0);
    a.epilogue();
    let second = a.function();
    a.prologue(&[R12], 0);
    a.mov(RAX, fails as *const () as u64);
    a.call(RAX);
    a.epilogue();
    let code = a.finish().unwrap();
    assert_eq!(code.offset(second), Some(16));
    let code = code.link().unwrap();
    // SAFETY: this is the function's type, and the code lives until the end.
    let f: extern "C-unwind" fn() = unsafe { code.function(second) };
    assert_eq!(*std::panic::catch_unwind(|| f()).unwrap_err().downcast::<i32>().unwrap(), 5);
    let mut a = Assembler::new();
    let far = a.label();
    a.jmp(far);
    let aligned = a.function();
    a.bind(far);
    a.ret();
    assert_eq!(a.finish().unwrap().offset(aligned), Some(16));
}

#[test]
fn nothing_is_executed_after_a_return() {
    let f = function();
    let x = f.int_argument(0);
    f.ret(&x);
    let _dead = f.int(7);
    assert_eq!(call(&f, 42), 42);
}

#[test]
fn arguments_are_there_at_the_begin_alone() {
    const LATE: &str = "arguments are requested once, before anything else";
    let f = function();
    f.call(SAME(), &[]);
    let _late = f.int_argument(0);
    assert_eq!(message(&f), LATE);
    let f = function();
    let l = f.begin_loop();
    let _late = f.int_argument(0);
    f.end_loop(l);
    assert_eq!(message(&f), LATE);
}

/// Registers are lent to instructions as long as these are appended.
#[test]
fn appended_instructions_find_variables_wherever_they_were() {
    let f = function();
    let x = f.int_argument(0);
    let t = x.clone();
    let others: Vec<Int<'_>> = (0..40).map(|k| f.int(k)).collect();
    f.append([&t], [&x], |a, [t], [x]| a.add(t, x));
    let sum = others.iter().fold(f.int(0), |sum, v| sum + v);
    f.ret(t + sum);
    assert_eq!(call(&f, 21), 42 + 780);
    // The stack is theirs, too.
    let f = function();
    let x = f.int_argument(0);
    let others: Vec<Int<'_>> = (0..40).map(|k| &x + k).collect();
    f.append([&x], [], |a, [x], []| {
        a.push(x);
        a.mov(x, 0);
        a.pop(x);
    });
    f.ret(others.iter().fold(f.int(0), |sum, v| sum + v) + &x);
    assert_eq!(call(&f, 1), 40 + 780 + 1);
}

#[test]
fn only_instructions_are_appended() {
    const ALONE: &str = "the assembler is for the instructions alone that are appended";
    let f = function();
    let x = f.int_argument(0);
    f.append([&x], [], |_, [_], []| drop(&x + 1));
    assert_eq!(message(&f), ALONE);
    let f = function();
    f.append([], [], |a, [], []| drop(std::mem::take(a)));
    assert_eq!(message(&f), ALONE);
    let f = function();
    let x = f.int_argument(0);
    // A variable may end there.
    f.append([], [], move |a, [], []| {
        drop(x);
        a.nop(1);
    });
    assert!(f.end().0.finish().is_ok());
    assert_eq!(message(&f), "the function has ended");
}

#[test]
fn constructs_nest_and_conditions_are_used_at_once() {
    let f = function();
    let a = f.int_argument(0);
    let (one, two) = (f.begin_loop(), f.begin_loop());
    f.end_loop(one);
    f.end_loop(two);
    assert_eq!(message(&f), "another `if` or loop has to end first");
    drop(a);
    let (f, g) = (function(), function());
    let (l, _own) = (f.begin_loop(), g.begin_loop());
    g.end_loop(l);
    assert_eq!(message(&g), "another `if` or loop has to end first");
    let f = function();
    let a = f.int_argument(0);
    let i = f.begin_if(a.gt(0));
    drop(i);
    assert_eq!(message(&f), "an `if` or a loop begins here that does not end");
    let f = function();
    let a = f.int_argument(0);
    let positive = a.gt(0);
    drop(&a + 1);
    f.if_(positive, || {});
    assert_eq!(message(&f), "a condition is used at once: other instructions came between");
    let (f, g) = (function(), function());
    let (a, b) = (f.int_argument(0), g.int_argument(0));
    let sum = &a + &b;
    g.if_(sum.gt(0), || {});
    assert_eq!(message(&f), "a variable belongs to another function");
    assert_eq!(message(&g), "a condition belongs to another function");
}

/// A condition on a variable that is dropped before it is used.
#[test]
fn conditions_outlive_their_operands() {
    let f = function();
    let p = f.int_argument(0);
    let count = f.int(0);
    f.while_(
        || p.load(Width::U8, 0).ne(0),
        || {
            p.set(&p + 1);
            count.set(1 + &count);
        },
    );
    f.ret(&count);
    assert_eq!(call(&f, c"four".as_ptr() as i64), 4);
}

#[test]
fn twenty_thousand_symbols_are_not_compared_one_by_one() {
    let mut a = Assembler::new();
    for k in 0..20_000 {
        let symbol = a.symbol(&format!("f{k}"));
        a.mov(RAX, symbol);
    }
    let start = std::time::Instant::now();
    assert!(a.link_with(|_| Some(1)).is_ok());
    assert!(start.elapsed().as_secs() < 20);
}

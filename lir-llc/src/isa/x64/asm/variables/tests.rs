//! Tests of the code that is made from variables.

use super::{Function, Int, MemoryLocation, Switches, Width};
use crate::isa::x64::asm::{Assembler, RBX, Reg64};
use iced_x86::{Decoder, DecoderOptions, Formatter, IntelFormatter};

/// The instructions of a function, except for its return and the instructions that keep the frame pointer.
fn body(f: &Function) -> Vec<String> {
    let (a, _) = f.end();
    let all = text(a);
    let ends = |line: &str| matches!(line, "push rbp" | "mov rbp,rsp" | "mov rsp,rbp" | "pop rbp" | "ret");
    all.into_iter().filter(|line| !ends(line)).collect()
}

fn text(a: Assembler) -> Vec<String> {
    let code = a.finish().unwrap();
    let mut formatter = IntelFormatter::new();
    formatter.options_mut().set_branch_leading_zeros(false);
    formatter.options_mut().set_show_branch_size(false);
    let decoder = Decoder::with_ip(64, code.bytes(), 0, DecoderOptions::NONE);
    let line = |i| {
        let mut line = String::new();
        formatter.format(&i, &mut line);
        line
    };
    decoder.into_iter().map(line).collect()
}

/// The register of a variable.
fn register(f: &Function, v: &Int<'_>) -> Reg64 {
    f.append([], [v], |_, [], [r]| r)
}

fn function() -> Function {
    Function::begin(Assembler::new())
}

/// `t = a; t += b`: the copy of `a` is made because `a` is used later.
#[test]
fn an_operator_is_a_copy_and_an_instruction() {
    let f = function();
    let (a, b) = (f.int_argument(0), f.int_argument(1));
    let t = &a + &b;
    f.ret(&t + &a);
    assert_eq!(body(&f), ["mov rax,rdi", "add rdi,rsi", "mov rcx,rdi", "add rdi,rax", "mov rax,rdi"]);
}

/// The copies of operands that are dropped are erased: only the computations are left.
#[test]
fn copies_of_operands_that_are_dropped_are_erased() {
    let f = function();
    let (x, y) = (f.int_argument(0), f.int_argument(1));
    f.ret(x * 3 + y - 1);
    assert_eq!(body(&f), ["imul rax,rdi,3", "add rax,rsi", "sub rax,1"]);
}

#[test]
fn the_dot_product_of_the_article() {
    let f = function();
    let [x1, y1, z1, x2, y2, z2] = std::array::from_fn(|k| f.int_argument(k));
    f.ret(x1 * x2 + y1 * y2 + z1 * z2);
    assert_eq!(body(&f), ["imul rdi,rcx", "imul rsi,r8", "add rdi,rsi", "imul rdx,r9", "add rdi,rdx", "mov rax,rdi"]);
}

/// Arguments are variables, the frame has room for values that do not stay in registers, and the slot of a dropped
/// local is reused for the next one.
#[test]
fn arguments_and_locals_share_the_frame() {
    let locals = |rounds: usize, drops: bool| {
        let f = function();
        let p = f.int_argument(0);
        let mut kept: Vec<Int<'_>> = Vec::new();
        for round in 0..rounds {
            let all: Vec<Int<'_>> = (0..40).map(|k| p.load(Width::I64, 8 * (k + round as i32))).collect();
            for v in &all {
                p.store(Width::I64, 0, v);
            }
            if !drops {
                kept.extend(all);
            }
        }
        f.ret(&p);
        let lines = text(f.end().0);
        let frame = lines.iter().find_map(|l| l.strip_prefix("sub rsp,")).expect("a frame").trim_end_matches('h');
        i64::from_str_radix(frame, 16).unwrap()
    };
    let one = locals(1, true);
    assert!((200..400).contains(&one), "{one}");
    assert_eq!(locals(5, true), one);
    assert!(locals(5, false) > 3 * one);
}

/// Callee-saved registers are taken last, and are saved.
#[test]
fn saved_registers_are_taken_last() {
    let f = function();
    let a = f.int_argument(0);
    let all: Vec<Int<'_>> = (1..9).map(|k| &a + k).collect();
    assert!(all.iter().all(|v| register(&f, v) != RBX));
    let one_more = &a + 9;
    assert_eq!(register(&f, &a), RBX);
    f.ret(&one_more + &a);
    let code = body(&f);
    assert!(code.contains(&"mov [rbp-8],rbx".to_string()) && code.contains(&"mov rbx,[rbp-8]".to_string()), "{code:?}");
}

/// An operand is read from memory where no register is free.
#[test]
fn operands_are_read_from_memory_where_registers_are_scarce() {
    let f = function();
    let a = f.int_argument(0);
    let all: Vec<Int<'_>> = (0..20).map(|k| f.int(k)).collect();
    a.set(&all[19] + &all[0]);
    f.ret(&a);
    assert!(body(&f).iter().any(|line| line.starts_with("add ") && line.contains("[rbp-")));
}

/// A loop begins with the registers of its entry; at its end, only variables that have changed registers are moved
/// back.
#[test]
fn a_loop_that_keeps_its_registers_moves_nothing() {
    let f = function();
    let n = f.int_argument(0);
    let sum = f.int(0);
    f.while_(
        || n.gt(0),
        || {
            sum.set(&sum + &n);
            n.set(&n - 1);
        },
    );
    f.ret(&sum);
    assert_eq!(body(&f), ["mov eax,0", "cmp rdi,0", "jle 18h", "add rax,rdi", "sub rdi,1", "jmp 9"]);
}

/// `+=` is one instruction, of the size of its left side.
#[test]
fn assignments_are_done_in_place() {
    let f = function();
    let (mut a, b) = (f.int_argument(0), f.int_argument(1));
    a += 5;
    a += &b;
    f.ret(&a);
    assert_eq!(body(&f), ["add rdi,5", "add rdi,rsi", "mov rax,rdi"]);
    let f = function();
    let mut a = f.int32_argument(1);
    a *= 3;
    a <<= 33;
    f.ret(&a);
    assert_eq!(body(&f), ["imul eax,esi,3", "shl eax,1"]);
}

/// A variable at an address is loaded once, and stored at the end of the block if it was changed.
#[test]
fn variables_at_addresses_are_loaded_and_stored_there() {
    let f = function();
    let p = f.int_argument(0);
    let mut x = f.int_at(MemoryLocation::of(&p).disp(8));
    let read = f.int_at(MemoryLocation::of(&p).disp(16));
    x += 1;
    x += &read;
    f.spill(&x);
    f.ret_void();
    let all = body(&f);
    let stores = all.iter().filter(|line| line.starts_with("mov [r") && !line.contains("rbp")).count();
    let loads = all.iter().filter(|line| line.contains(",[r") && line.contains('+') && !line.contains("rbp")).count();
    assert_eq!((stores, loads), (1, 2), "{all:?}");
}

/// The switches of the user apply: without `copy-prop`, copies are not erased.
#[test]
fn switches_are_the_users() {
    let lines = |switches: &str| {
        let f = Function::begin_with(Assembler::new(), switches.parse::<Switches>().unwrap());
        let (a, b) = (f.int_argument(0), f.int_argument(1));
        f.ret(a * b + 1);
        body(&f)
    };
    assert_eq!(lines(""), ["imul rdi,rsi", "add rdi,1", "mov rax,rdi"]);
    assert_eq!(lines("copy-prop=off"), ["mov rax,rdi", "imul rax,rsi", "mov rcx,rax", "add rcx,1", "mov rax,rcx"]);
}

#[test]
fn impossible_values_are_errors() {
    let message = |f: &Function| f.end().0.finish().unwrap_err().message;
    let f = function();
    let a = f.int_argument(1);
    drop(&a + 1);
    let _late = f.int_argument(0);
    assert_eq!(message(&f), "arguments are requested once, before anything else");
    let f = function();
    let mut a = Some(f.int_argument(0));
    let l = f.begin_loop();
    a.take();
    f.end_loop(l);
    assert_eq!(message(&f), "a variable is dropped in this loop that was there before it");
    let (f, g) = (function(), function());
    let (a, b) = (f.int_argument(0), g.int_argument(0));
    let sum = &a + &b;
    g.if_(sum.gt(0), || {});
    assert_eq!(message(&f), "a variable belongs to another function");
    assert_eq!(message(&g), "a condition belongs to another function");
    let f = function();
    let a = f.int_argument(0);
    let (outer, inner) = (f.begin_if(a.gt(0)), f.begin_if(a.gt(1)));
    f.end_if(outer);
    f.end_if(inner);
    assert_eq!(message(&f), "another `if` or loop has to end first");
    let (f, g) = (function(), function());
    g.restore(&f.capture());
    assert_eq!(message(&g), "a captured state belongs to another function");
    let f = function();
    drop(f.begin_loop());
    assert_eq!(message(&f), "an `if` or a loop begins here that does not end");
}

//! Checks properties that only machine code shows: memory operands of LIR as memory operands of x86-64, and the machine
//! level below LIR.

use capstone::prelude::*;
use lir_llc::compile::compile;
use lir_llc::isa::x64::Cpu;
use lir_llc::isa::x64::isel::{IselScratch, RelocModel, SelectOptions, select};
use lir_llc::lower::prepare;
use lir_llc::mir::{MFunction, printer};
use lir_llc::options::{CompileOptions, Effort};
use lir_llc::regalloc::{ALLOCATORS, AllocOptions, Allocation, LINEAR_SCAN, Scratch};
use lir_opt::pass::fuel::Fuel;
use lir_opt::pass::remarks::Remarks;
use lir_syntax::ir::Module;

/// The instructions of a module, as capstone reads them.
fn code(text: &str) -> Vec<String> {
    let options = CompileOptions {
        model: RelocModel::Pie,
        allocator: Some(LINEAR_SCAN),
        allocation: AllocOptions { verify: true, ..AllocOptions::default() },
        ..CompileOptions::default()
    };
    let compiled = compile(&mut text.parse().unwrap(), &options).expect("it compiles");
    let reader = Capstone::new().x86().mode(arch::x86::ArchMode::Mode64).build().expect("capstone");
    let mut lines = Vec::new();
    for f in &compiled.functions {
        let bytes = &compiled.code.bytes()[f.start as usize..(f.start + f.len) as usize];
        for i in reader.disasm_all(bytes, 0).expect("capstone").iter() {
            lines.push(format!("{} {}", i.mnemonic().unwrap_or("?"), i.op_str().unwrap_or("")));
        }
    }
    lines
}

/// Checks that some instruction has this operand.
fn has(code: &[String], operand: &str) {
    assert!(code.iter().any(|l| l.contains(operand)), "{operand}\n{}", code.join("\n"));
}

#[test]
fn memory_references_without_base_or_index_compile() {
    let forms = [
        ("%b + %i*4 + 8", "[rdi + rsi*4 + 8]"),
        ("%b + %i*8 - 128", "[rdi + rsi*8 - 0x80]"),
        ("%b + %i", "[rdi + rsi]"),
        ("%b + 16", "[rdi + 0x10]"),
        ("%b", "[rdi]"),
        ("%i*4 + 16", "[rsi*4 + 0x10]"),
        ("%i*8", "[rsi*8]"),
        ("4096", "[0x1000]"),
    ];
    for (written, expected) in forms {
        let body =
            format!("  %v = load i32 [{written}]\n  %w = add i32 %v, 1\n  store i32 [{written}], %w\n  ret %w\n");
        let code = code(&format!("func @f(%b: i64, %i: i64) -> i32 {{\nentry:\n{body}}}\n"));
        has(&code, expected);
        assert_eq!(code.iter().filter(|l| l.contains(expected)).count(), 2, "{expected}\n{}", code.join("\n"));
    }
}

#[test]
fn symbols_are_relative_to_rip() {
    let text = "data @d = { i32 1, 2 }\nextern data @e\nfunc @f(%i: i64) -> i32 {\nentry:\n  %a = load i32 [@d + 4]\n  \
                %b = load i32 [@d + %i*4]\n  %p = lea [@f]\n  %c = trunc i64 %p to i32\n  %s = add i32 %a, %b\n  \
                %t = add i32 %s, %c\n  store i32 [@d], %t\n  ret %t\n}\n";
    let code = code(text);
    has(&code, "dword ptr [rip");
    has(&code, "lea r");
    let accesses = |l: &&String| l.contains("ptr [") && !l.contains("rip");
    for line in code.iter().filter(accesses) {
        assert!(line.contains("*4]"), "only an indexed access needs the address in a register: {line}");
    }
}

#[test]
fn stack_objects_are_relative_to_the_stack_pointer() {
    let text = "func @f(%i: i64) -> i32 {\n  stack $a: 16\n  stack $b: 64\nentry:\n  store i32 [$a + 4], 7\n  \
                store i32 [$b + %i*4 + 8], 9\n  %v = load i32 [$a + 4]\n  ret %v\n}\n";
    let code = code(text);
    for line in code.iter().filter(|l| l.contains('[')) {
        assert!(line.contains("[rsp"), "{line}");
    }
    has(&code, "[rsp + rdi*4 - ");
}

#[test]
fn the_machine_level_prints_with_virtual_and_with_hardware_registers() {
    let text = "extern func @g(i32) -> i32\nfunc @f(%x: i32, %y: i32) -> i32 {\nentry:\n  %a = call i32 @g(%x)\n  \
                %b = add i32 %a, %y\n  ret %b\n}\n";
    let mut module: Module = text.parse().unwrap();
    let mut machine = MFunction::new(&lir_llc::isa::x64::ENV);
    let f = &mut module.funcs.as_mut_slice()[0];
    prepare(&module.decls, f, (Cpu::V1.has(), Effort::Good), true);
    let options = SelectOptions {
        model: RelocModel::Pie,
        cpu: Cpu::V1,
        effort: Effort::Good,
        tail_calls: false,
        block_calls: true,
    };
    select(
        &module.decls,
        f,
        options,
        (&mut IselScratch::default(), &mut Remarks::default(), &mut Fuel::default()),
        &mut machine,
    )
    .expect("it is selected");
    let print = |allocation: Option<&Allocation>| {
        let mut out = String::new();
        printer::print(&module.decls, &machine, allocation, &mut out);
        out
    };
    // Virtual registers as selection makes them, bound to hardware registers by the calling convention alone.
    let selected = print(None);
    let add = |text: &str| text.lines().find(|l| l.contains("add")).expect("the sum").trim().to_string();
    assert!(add(&selected).starts_with('%') && selected.contains("@rdi") && selected.contains("@g"), "{selected}");
    for allocator in ALLOCATORS {
        let mut allocation = Allocation::default();
        allocator.allocate(&machine, &AllocOptions::default(), &mut Scratch::default(), &mut allocation);
        let allocated = print(Some(&allocation));
        assert!(!add(&allocated).contains('%'), "{}\n{allocated}", allocator.name());
        assert_ne!(allocated, selected);
    }
}

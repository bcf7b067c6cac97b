//! Tests that panics and wrong allocations are reported with their place.

use super::*;
use crate::isa::x64::registers::RBX;
use crate::mir::MFunction;
use crate::regalloc::Loc;
use crate::regalloc::{self, AllocOptions, Allocation, Allocator, Scratch};
use lir_syntax::internal_error::InternalError;
use lir_syntax::parser::{ParseOptions, parse};
use lir_syntax::text::source::Source;

/// Gives every value that linear scan puts into a register the same one.
struct Careless;

impl Allocator for Careless {
    fn name(&self) -> &'static str {
        "careless"
    }
    fn summary(&self) -> &'static str {
        "for this test"
    }
    fn allocate(&self, f: &MFunction, options: &AllocOptions, scratch: &mut Scratch, out: &mut Allocation) {
        regalloc::LINEAR_SCAN.allocate(f, options, scratch, out);
        for loc in out.locs.iter_mut().flatten().filter(|loc| loc.as_reg().is_some()) {
            *loc = Loc::reg(RBX);
        }
    }
}

/// Writes half an allocation and panics for functions of many instructions. Other functions must not be affected.
struct Panicking;

impl Allocator for Panicking {
    fn name(&self) -> &'static str {
        "panicking"
    }
    fn summary(&self) -> &'static str {
        "for this test"
    }
    fn allocate(&self, f: &MFunction, options: &AllocOptions, scratch: &mut Scratch, out: &mut Allocation) {
        const HALF: u32 = 12345;
        assert_ne!(out.num_slots, HALF, "the scratch memory is that of a panic");
        if f.insts.len() > 20 {
            out.num_slots = HALF;
            panic!("many instructions");
        }
        regalloc::LINEAR_SCAN.allocate(f, options, scratch, out);
    }
}

#[test]
fn a_panic_names_its_position_and_leaves_no_state() {
    let small = |k: usize| format!("func @f{k}(%a: i32) -> i32 {{\nentry:\n  %b = add i32 %a, {k}\n  ret %b\n}}\n");
    let sums: String = (0..40).map(|k| format!("  %a = mul i32 %a, %a\n  %b{k} = xor i32 %a, {k}\n")).collect();
    let large = format!("func @large(%a: i32) -> i32 {{\nentry:\n{sums}  ret %b39\n}}\n");
    let module = |text: String| text.parse().expect("it parses");
    let good = |threads| {
        let options = CompileOptions { allocator: Some(&Panicking), threads, ..CompileOptions::default() };
        let code = compile(&mut module((0..200).map(small).collect()), &options).expect("it compiles").code;
        code.bytes().to_vec()
    };
    let expected = good(1);
    for threads in [1, 4] {
        let text: String = (0..100).map(small).chain([large.clone()]).chain((100..200).map(small)).collect();
        let options = CompileOptions { allocator: Some(&Panicking), threads, ..CompileOptions::default() };
        let mut bad = module(text);
        let work = std::panic::AssertUnwindSafe(|| compile(&mut bad, &options));
        let error = InternalError::of_payload(std::panic::catch_unwind(work).map(drop).expect_err("it panics"));
        assert_eq!(error.to_string(), "internal error in allocate on @large");
        assert_eq!(error.message, "many instructions");
        assert_eq!(good(threads), expected);
    }
}

#[test]
fn a_wrong_allocation_is_an_error_at_the_function() {
    let text = "func @f(%a: i32, %b: i32) -> i32 {\nentry:\n  %c = sub i32 %a, %b\n  ret %c\n}\n";
    let source = Source { name: "f.lir".into(), text: text.into() };
    let mut module = parse(&source, &ParseOptions::default()).expect("it parses");
    let options = CompileOptions {
        allocator: Some(&Careless),
        allocation: AllocOptions { verify: true, ..AllocOptions::default() },
        ..CompileOptions::default()
    };
    let errors = compile(&mut module, &options).expect_err("it is checked");
    assert!(errors[0].message.starts_with("internal error: the allocation is wrong: careless: instruction "));
    assert_eq!(errors[0].position(&source).map(|at| at.start), Some(0));
}

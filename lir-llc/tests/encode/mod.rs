//! Tests the encoder against two independent disassemblers.
//!
//! The cases are a product without gaps: the rows of the instruction table x their forms x sizes x conditions, without
//! AVX and with it, x every tuple of the 16 registers that the form reads (up to 4096) x the immediates around the
//! bounds of their encodings x, where there is a memory operand, every address: 17 bases x 61 indexes with their scales
//! x 10 displacements, and the addresses relative to rip. iced-x86 and capstone must read the operands and the length
//! of the case; iced's encoder tries whether any other encoding of the same instruction is shorter.
//!
//! iced reads the product in every run. Capstone and the search for shorter encodings, which take several times as
//! long, take a sample: everything without a memory operand, and of each shape that has one as many cases as there are
//! addresses. With `LIR_THOROUGH=1` in the environment they take the product, too, as CI has them do: some four
//! minutes of one processor.

mod calls;
mod capstone_text;
mod cases;
mod expected;
mod shortest;
mod special;

use cases::{Batch, Case, Extent, Shape};
use expected::Operand;
use iced_x86::{ConstantOffsets, Decoder, DecoderOptions, EncodingKind, Instruction, Mnemonic, OpKind, Register};
use lir_llc::isa::x64::encode::{Addr, Base, NO_INDEX, Operands};
use lir_syntax::ir::Word;
use std::collections::BTreeSet;
use std::sync::atomic::{AtomicU64, Ordering};

/// How many cases the product has.
const PRODUCT: u64 = 227_098_130;

#[test]
fn no_factor_of_the_product_is_missing() {
    assert_eq!(cases::ADDRESSES.len(), 17 * (1 + 15 * 4) * 10 + 9);
    let different: BTreeSet<String> = cases::ADDRESSES.iter().map(|a| format!("{a:?}")).collect();
    assert_eq!(different.len(), cases::ADDRESSES.len());
    let shapes = cases::shapes();
    for shape in &shapes {
        let tuple = |number: u64| {
            let (operands, _) = shape.case(number * shape.addresses());
            (operands.regs, operands.imm)
        };
        let tuples: BTreeSet<_> = (0..shape.tuples()).map(tuple).collect();
        assert_eq!(tuples.len() as u64, shape.tuples(), "{shape:?}");
        let addresses: BTreeSet<_> = (0..shape.addresses()).map(|n| shape.case(n).1).collect();
        assert_eq!(addresses.len() as u64, shape.addresses(), "{shape:?}");
        assert!(shape.taken(Extent::Sample) >= shape.addresses(), "{shape:?}");
    }
    let product: u64 = shapes.iter().map(Shape::cases).sum();
    assert_eq!(product, PRODUCT, "a row that is new adds cases, and then this is their number; else a factor was lost");
}

/// Has cases checked, and sees that none is left out.
fn check_all<C: FnMut(&Batch)>(extent: Extent, checker: impl Fn(&Shape) -> C + Sync) {
    let count = cases::check_all(extent, checker);
    assert_eq!(count, cases::shapes().iter().map(|s| s.taken(extent)).sum::<u64>());
    assert!(extent == Extent::Sample || count == PRODUCT, "only {count} cases");
}

#[test]
fn iced_decodes_every_case_as_intended() {
    check_all(Extent::asked(), |shape| {
        let mnemonic = expected::iced_mnemonic(shape);
        move |batch| {
            let mut decoder = Decoder::new(64, batch.code.bytes(), DecoderOptions::NONE);
            let mut got = Instruction::default();
            for case in &batch.cases {
                decoder.decode_out(&mut got);
                let constants = decoder.get_constant_offsets(&got);
                if let Err(what) = compare(batch.shape, mnemonic, case, &got, &constants) {
                    panic!("{what}: {}\nread as {got:?}", batch.show(case));
                }
            }
        }
    });
}

#[test]
fn capstone_decodes_every_case_as_intended() {
    check_all(Extent::asked(), |shape| {
        let reader = capstone_text::Reader::new(shape);
        move |batch| reader.compare(batch)
    });
}

/// The bytes that the two disassemblers read are the ones that the methods of the assembler append.
#[test]
fn each_method_appends_the_encoders_bytes_in_every_case() {
    let (compared, all) = (AtomicU64::new(0), AtomicU64::new(0));
    check_all(Extent::asked(), |shape| {
        let call = shape.call;
        let (compared, all) = (&compared, &all);
        move |batch| {
            let mut a = calls::assembler(batch.shape.avx);
            let mut wanted = Vec::new();
            all.fetch_add(batch.cases.len() as u64, Ordering::Relaxed);
            for case in batch.cases.iter().filter(|case| expected::immediate_fits(batch.shape, case.operands.imm)) {
                if calls::append(&mut a, call, &case.operands, batch.shape.form.has_mem()).is_some() {
                    wanted.extend_from_slice(batch.bytes(case));
                    compared.fetch_add(1, Ordering::Relaxed);
                }
            }
            let got = a.finish().unwrap_or_else(|e| panic!("{e}: {:?}", batch.shape));
            assert!(got.bytes() == wanted, "{:?}", batch.shape);
        }
    });
    // One address in ten is to be relocated, and three immediates in ten do not fit one byte.
    let (compared, all) = (compared.into_inner(), all.into_inner());
    assert!(compared * 10 > all * 8, "{compared} of {all}");
}

fn check(ok: bool, what: &'static str) -> Result<(), &'static str> {
    if ok { Ok(()) } else { Err(what) }
}

/// Compares a case with the instruction that was read.
fn compare(
    shape: &Shape,
    mnemonic: Mnemonic,
    case: &Case,
    got: &Instruction,
    constants: &ConstantOffsets,
) -> Result<(), &'static str> {
    check(!got.is_invalid(), "invalid")?;
    check(got.len() == case.len(), "length")?;
    check(got.mnemonic() == mnemonic, "mnemonic")?;
    check(got.has_lock_prefix() == expected::is_locked(shape), "lock")?;
    check(!shape.avx || got.code().encoding() == EncodingKind::VEX, "no VEX prefix")?;
    let four = constants.displacement_size() == 4;
    check(case.displacement == if four { constants.displacement_offset() } else { 0 }, "position of the displacement")?;
    check(four || !case.operands.mem.wide || !shape.form.has_mem(), "a displacement of 4 bytes")?;
    compare_operands(shape, &case.operands, got)
}

/// Compares the intended operands with the operands that were read.
fn compare_operands(shape: &Shape, operands: &Operands, got: &Instruction) -> Result<(), &'static str> {
    let Some(want) = &shape.operands else {
        return check(*got == expected::implied(shape.op).0, "implied operands");
    };
    check(got.op_count() as usize == want.len(), "number of operands")?;
    let is_register = |k: u32, register: Register| got.op_kind(k) == OpKind::Register && got.op_register(k) == register;
    for (k, operand) in (0..).zip(want) {
        match *operand {
            Operand::Reg(field, bytes) => {
                check(is_register(k, expected::iced_register(operands.regs[field], bytes)), "register")?;
            }
            Operand::Cl => check(is_register(k, Register::CL), "not cl")?,
            Operand::Imm(bytes) => {
                let mask = Word::of_bytes(bytes).mask();
                check(got.immediate(k) & mask == operands.imm as i64 as u64 & mask, "immediate")?;
            }
            Operand::Predicate(n) => check(got.immediate(k) == n as u64, "predicate")?,
            Operand::Mem(bytes) => {
                check(got.op_kind(k) == OpKind::Memory, "no memory operand")?;
                check(bytes == 0 || expected::memory_bytes(got.memory_size()) == bytes, "size of memory")?;
                compare_address(&operands.mem, got)?;
            }
        }
    }
    Ok(())
}

/// Compares the memory operand.
fn compare_address(m: &Addr, got: &Instruction) -> Result<(), &'static str> {
    let base = match m.base {
        Base::None => Register::None,
        Base::Reg(r) => expected::iced_register(r, 8),
        Base::Rip => Register::RIP,
    };
    check(got.memory_base() == base, "base")?;
    let index = if m.index == NO_INDEX { Register::None } else { expected::iced_register(m.index, 8) };
    check(got.memory_index() == index, "index")?;
    check(m.index == NO_INDEX || got.memory_index_scale() == 1 << m.scale, "scale")?;
    let from = if m.base == Base::Rip { got.next_ip() } else { 0 };
    let disp = got.memory_displacement64().wrapping_sub(from);
    check(disp == m.disp as i64 as u64, "displacement")
}

//! The encoder against two disassemblers that other people wrote.
//!
//! Every row of the instruction table is encoded in each form that has an encoding, at each size, with every pair of
//! registers, with addresses of every shape, with immediates around the boundaries of their encodings. iced-x86 and
//! capstone read all of it and must find the operands and the length that were meant; iced's encoder tries whether any
//! other encoding of the same instruction is shorter. What has another encoding for processors with AVX is encoded in
//! both.
//!
//! What is covered: rows x forms x sizes x conditions in full; with each of them every pair of the 16 registers and
//! every immediate, where there is no memory operand; with one, every address (17 bases, 16 indexes, 4 scales, 9
//! displacements, and rip) with changing registers and immediates, and every immediate with every register and with one
//! address in 37. Every register meets every address in one row of each kind of encoding: ModRM and SIB are written by
//! one function that knows nothing of the row.

mod capstone_text;
mod cases;
mod expected;
mod shortest;
mod special;

use cases::Case;
use iced_x86::{Decoder, DecoderOptions, EncodingKind, Instruction, OpKind};
use lir_llc::x64::encode::{Base, Code, NO_INDEX};

/// The bytes of a case.
fn encode(code: &mut Code, case: &Case) {
    code.clear();
    code.use_avx(case.avx);
    code.put(case.op, case.form, case.size, case.cond, &case.operands);
}

#[test]
fn c153_iced_reads_what_was_meant_in_every_case() {
    let names = expected::mnemonics();
    let mut code = Code::default();
    let mut count = 0u64;
    cases::for_each(|case| {
        encode(&mut code, case);
        let mut decoder = Decoder::with_ip(64, code.bytes(), 0, DecoderOptions::NONE);
        let mut got = Instruction::default();
        decoder.decode_out(&mut got);
        let show = |what: &str| format!("{what}: {case:?}\nbytes {:02x?}\nread as {got:?}", code.bytes());
        assert!(!got.is_invalid(), "{}", show("invalid"));
        assert_eq!(got.len(), code.len(), "{}", show("length"));
        assert_eq!(Some(&got.mnemonic()), names.get(&expected::mnemonic(case)), "{}", show("mnemonic"));
        let vex = got.code().encoding() == EncodingKind::VEX;
        assert!(vex || !case.avx, "{}", show("no VEX prefix"));
        if let Err(what) = compare(case, &got) {
            panic!("{}", show(&what));
        }
        count += 1;
    });
    assert!(count > 3_000_000, "only {count} cases");
}

/// Compares the operands of a case with those that were read.
fn compare(case: &Case, got: &Instruction) -> Result<(), String> {
    let want = expected::operands(case);
    let Some(want) = want else { return Ok(()) };
    let check = |ok: bool, what: &str| if ok { Ok(()) } else { Err(what.to_string()) };
    check(got.op_count() == want.len() as u32, "number of operands")?;
    for (k, operand) in want.iter().enumerate() {
        let k = k as u32;
        match *operand {
            expected::Operand::Reg(r, bytes) => {
                check(got.op_kind(k) == OpKind::Register, "a register")?;
                check(got.op_register(k) == expected::iced_register(r, bytes), "which register")?;
            }
            expected::Operand::Imm(n, bytes) => {
                let mask = u64::MAX >> (64 - 8 * bytes);
                check(got.immediate(k) & mask == n as i64 as u64 & mask, "immediate")?;
            }
            expected::Operand::Mem(bytes) => {
                check(got.op_kind(k) == OpKind::Memory, "memory")?;
                check(bytes == 0 || expected::memory_bytes(got.memory_size()) == bytes, "size of memory")?;
                compare_address(case, got)?;
            }
        }
    }
    Ok(())
}

/// Compares the memory operand.
fn compare_address(case: &Case, got: &Instruction) -> Result<(), String> {
    use iced_x86::Register;
    let m = &case.operands.mem;
    let check = |ok: bool, what: &str| if ok { Ok(()) } else { Err(what.to_string()) };
    let base = match m.base {
        Base::None => Register::None,
        Base::Reg(r) => expected::iced_register(lir_llc::x64::PReg::new(r), 8),
        Base::Rip => Register::RIP,
    };
    check(got.memory_base() == base, "base")?;
    let index =
        if m.index == NO_INDEX { Register::None } else { expected::iced_register(lir_llc::x64::PReg::new(m.index), 8) };
    check(got.memory_index() == index, "index")?;
    check(m.index == NO_INDEX || got.memory_index_scale() == 1 << m.scale, "scale")?;
    let from = if m.base == Base::Rip { got.len() as u64 } else { 0 };
    let disp = got.memory_displacement64().wrapping_sub(from);
    check(disp == m.disp as i64 as u64, "displacement")
}

#[test]
fn c153_capstone_reads_what_was_meant_in_every_case() {
    let reader = capstone_text::Reader::new();
    let mut code = Code::default();
    let mut count = 0u32;
    cases::for_each(|case| {
        encode(&mut code, case);
        reader.compare(case, code.bytes());
        count += 1;
    });
    assert!(count > 3_000_000, "only {count} cases");
}

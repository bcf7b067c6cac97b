//! Instructions outside the table.

use iced_x86::{Code as Iced, Decoder, DecoderOptions, Formatter, Instruction, IntelFormatter, Mnemonic, Register};
use lir_llc::asm::{Assembler, EAX, Label, R8D, R9, R12, R13, R15, RAX, RBX, RSP, Reg64, mem};
use lir_llc::isa::x64::encode::{Addr, Base, Code, NO_INDEX, Operands};
use lir_llc::isa::x64::registers::name;
use lir_llc::isa::x64::{Cond, op};
use lir_llc::mir::{Form, Size};

/// The instructions in some code, as text.
fn text(code: &Code) -> String {
    let mut formatter = IntelFormatter::new();
    formatter.options_mut().set_space_after_operand_separator(true);
    let mut out = String::new();
    for i in Decoder::with_ip(64, code.bytes(), 0, DecoderOptions::NONE).iter() {
        assert!(!i.is_invalid(), "{:02x?}", code.bytes());
        if !out.is_empty() {
            out.push_str("; ");
        }
        formatter.format(&i, &mut out);
    }
    out
}

fn with(f: impl FnOnce(&mut Code)) -> Code {
    let mut code = Code::default();
    f(&mut code);
    code
}

#[test]
fn constants_take_the_shortest_move() {
    for d in 0..16u8 {
        for (imm, len) in [
            (0, 5),
            (1, 5),
            (0x7fff_ffff, 5),
            (0x8000_0000, 5),
            (0xffff_ffff, 5),
            (0x1_0000_0000, 10),
            (-1, 7),
            (i32::MIN as i64, 7),
            (i32::MIN as i64 - 1, 10),
            (i64::MAX, 10),
            (i64::MIN, 10),
        ] {
            let code = with(|c| c.mov_imm(d, imm));
            let extra = (len == 5 && d >= 8) as usize;
            assert_eq!(code.len(), len + extra, "{imm:#x} into {d}");
            let mut i = Instruction::default();
            Decoder::with_ip(64, code.bytes(), 0, DecoderOptions::NONE).decode_out(&mut i);
            assert_eq!(i.mnemonic(), Mnemonic::Mov);
            assert_eq!(i.immediate(1) as i64, if len == 5 { imm as u32 as i64 } else { imm });
            let first = if len == 5 { Register::EAX } else { Register::RAX };
            assert_eq!(i.op0_register() as u32, first as u32 + d as u32);
        }
    }
}

#[test]
fn the_pieces_of_frames_and_moves() {
    let slot = Addr::base(4, 16);
    assert_eq!(text(&with(|c| c.push(3))), "push rbx");
    assert_eq!(text(&with(|c| c.push(12))), "push r12");
    assert_eq!(text(&with(|c| c.pop(15))), "pop r15");
    assert_eq!(text(&with(|c| c.push_mem(&slot))), "push qword ptr [rsp+10h]");
    assert_eq!(text(&with(|c| c.pop_mem(&Addr::base(13, 0)))), "pop qword ptr [r13]");
    assert_eq!(text(&with(|c| c.exchange(0, 9))), "xchg r9, rax");
    assert_eq!(text(&with(|c| c.exchange(3, 10))), "xchg r10, rbx");
    assert_eq!(text(&with(|c| c.thread_pointer(9))), "mov r9, fs:[0]");
    assert_eq!(text(&with(Code::ret)), "ret");
}

#[test]
fn jumps_count_from_their_end() {
    let target = |code: &Code| {
        let mut i = Instruction::default();
        Decoder::with_ip(64, code.bytes(), 0, DecoderOptions::NONE).decode_out(&mut i);
        (i.mnemonic(), i.len(), i.near_branch_target())
    };
    assert_eq!(target(&with(|c| c.jump_short(-2))), (Mnemonic::Jmp, 2, 0));
    assert_eq!(target(&with(|c| c.jump_near(0x1000 - 5))), (Mnemonic::Jmp, 5, 0x1000));
    assert_eq!(target(&with(|c| c.branch_short(Cond::NE, 126))), (Mnemonic::Jne, 2, 0x80));
    assert_eq!(target(&with(|c| c.branch_near(Cond::L, 0x80 - 6))), (Mnemonic::Jl, 6, 0x80));
    assert_eq!(with(|c| assert_eq!(c.call(), 1)).bytes(), [0xe8, 0, 0, 0, 0]);
}

#[test]
fn padding_is_made_of_no_operations() {
    for n in 0..40 {
        let code = with(|c| c.nops(n));
        assert_eq!(code.len(), n);
        let all =
            Decoder::with_ip(64, code.bytes(), 0, DecoderOptions::NONE).iter().all(|i| i.mnemonic() == Mnemonic::Nop);
        assert!(all, "{n}");
    }
}

#[test]
fn a_displacement_to_be_relocated_takes_four_bytes_and_is_found() {
    for (mem, size) in [
        (Addr::rip(), 4),
        (Addr { wide: true, ..Addr::base(0, 0) }, 4),
        (Addr { base: Base::None, index: 3, scale: 3, disp: 0, wide: true }, 4),
    ] {
        let mut code = Code::default();
        code.nops(3);
        let o = Operands { regs: [1, 0, 0], imm: 1000, mem };
        let at = code.put(op::Add, Form::MI, Size::S16, Cond::O, &o) as usize;
        code.bytes_mut()[at..at + size].copy_from_slice(&0x1234_5678u32.to_le_bytes());
        let mut i = Instruction::default();
        Decoder::with_ip(64, &code.bytes()[3..], 0, DecoderOptions::NONE).decode_out(&mut i);
        assert_eq!(
            i.memory_displacement64() as u32 - if i.is_ip_rel_memory_operand() { i.len() as u32 } else { 0 },
            0x1234_5678
        );
        assert_eq!(i.code(), Iced::Add_rm16_imm16);
    }
}

#[test]
fn short_forms_are_used() {
    let length = |op, form, size, regs, imm| {
        let o = Operands { regs, imm, mem: Addr::base(0, 0) };
        let mut code = Code::default();
        code.put(op, form, size, Cond::O, &o);
        code.len()
    };
    assert_eq!(length(op::Add, Form::DTI, Size::S32, [1, 1, 0], 127), 3);
    assert_eq!(length(op::Add, Form::DTI, Size::S32, [1, 1, 0], 128), 6);
    assert_eq!(length(op::Add, Form::DTI, Size::S32, [0, 0, 0], 128), 5);
    assert_eq!(length(op::Cmp, Form::AI, Size::S8, [0, 0, 0], 5), 2);
    assert_eq!(length(op::Test, Form::AI, Size::S32, [0, 0, 0], 5), 5);
    assert_eq!(length(op::Shl, Form::DTI, Size::S32, [1, 1, 0], 1), 2);
    assert_eq!(length(op::Imul, Form::DAI, Size::S32, [1, 2, 0], -128), 3);
}

#[test]
fn addresses_take_their_shortest_form() {
    let none = Addr { base: Base::None, index: 1, scale: 0, disp: 0, wide: false };
    assert_eq!(none.shortest(), Addr::base(1, 0));
    assert_eq!(Addr { scale: 1, ..none }.shortest(), Addr { base: Base::Reg(1), ..none });
    assert_eq!(Addr { scale: 2, ..none }.shortest(), Addr { scale: 2, ..none });
    let rbp = Addr { base: Base::Reg(5), index: 1, scale: 0, disp: 0, wide: false };
    assert_eq!(rbp.shortest(), Addr { base: Base::Reg(1), index: 5, ..rbp });
    assert_eq!(Addr { scale: 1, ..rbp }.shortest(), Addr { scale: 1, ..rbp });
    assert_eq!(Addr { index: NO_INDEX, ..rbp }.shortest(), Addr { index: NO_INDEX, ..rbp });
}

/// Each method of the assembler that no row of the table has, and the instruction that iced reads.
#[test]
fn methods_outside_of_the_table_append_their_instructions() {
    let text_of = |f: &dyn Fn(&mut Assembler)| {
        let mut a = Assembler::new();
        f(&mut a);
        let assembled = a.finish().unwrap();
        let mut code = Code::default();
        code.extend(assembled.bytes());
        text(&code)
    };
    assert_eq!(text_of(&|a| a.cbw()), "cbw");
    assert_eq!(text_of(&|a| a.cwd()), "cwd");
    assert_eq!(text_of(&|a| a.cdq()), "cdq");
    assert_eq!(text_of(&|a| a.cqo()), "cqo");
    assert_eq!(text_of(&|a| a.thread_pointer(R9)), "mov r9, fs:[0]");
    assert_eq!(text_of(&|a| a.push(mem(RSP).index(R12, 2).disp(8))), "push qword ptr [rsp+r12*2+8]");
    assert_eq!(text_of(&|a| a.pop(mem(R13))), "pop qword ptr [r13]");
    assert_eq!(text_of(&|a| a.mov(EAX, -1)), "mov eax, 0FFFFFFFFh");
    assert_eq!(text_of(&|a| a.mov(R8D, 0xdead_beef_u32)), "mov r8d, 0DEADBEEFh");
    assert_eq!(text_of(&|a| a.mov(RAX, -1)), "mov rax, 0FFFFFFFFFFFFFFFFh");
    assert_eq!(text_of(&|a| a.mov(R15, u64::MAX - 1)), "mov r15, 0FFFFFFFFFFFFFFFEh");
    assert_eq!(text_of(&|a| a.mov(RBX, 1i64 << 40)), "mov rbx, 10000000000h");
    for r in Reg64::ALL {
        let name = name(lir_llc::mir::PReg::new(r.number()), 8);
        assert_eq!(text_of(&|a| a.push(r)), format!("push {name}"));
        assert_eq!(text_of(&|a| a.pop(r)), format!("pop {name}"));
        if r != RAX {
            assert_eq!(text_of(&|a| a.xchg(RAX, r)), format!("xchg {name}, rax"));
        }
    }
}

#[test]
fn branches_of_the_assembler_have_their_conditions() {
    type Branch = fn(&mut Assembler, Label);
    let all: [(Branch, Mnemonic); 16] = [
        (Assembler::jo, Mnemonic::Jo),
        (Assembler::jno, Mnemonic::Jno),
        (Assembler::jb, Mnemonic::Jb),
        (Assembler::jae, Mnemonic::Jae),
        (Assembler::je, Mnemonic::Je),
        (Assembler::jne, Mnemonic::Jne),
        (Assembler::jbe, Mnemonic::Jbe),
        (Assembler::ja, Mnemonic::Ja),
        (Assembler::js, Mnemonic::Js),
        (Assembler::jns, Mnemonic::Jns),
        (Assembler::jp, Mnemonic::Jp),
        (Assembler::jnp, Mnemonic::Jnp),
        (Assembler::jl, Mnemonic::Jl),
        (Assembler::jge, Mnemonic::Jge),
        (Assembler::jle, Mnemonic::Jle),
        (Assembler::jg, Mnemonic::Jg),
    ];
    for (branch, mnemonic) in all {
        for distance in [0, 100, 1000] {
            let mut a = Assembler::new();
            let ahead = a.label();
            branch(&mut a, ahead);
            a.nop(distance);
            a.bind(ahead);
            let code = a.finish().unwrap();
            let mut i = Instruction::default();
            Decoder::with_ip(64, code.bytes(), 0, DecoderOptions::NONE).decode_out(&mut i);
            assert_eq!((i.mnemonic(), i.len()), (mnemonic, if distance > 127 { 6 } else { 2 }));
            assert_eq!(i.near_branch_target(), (i.len() + distance) as u64);
        }
    }
}

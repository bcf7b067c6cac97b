//! Appending ten million instructions: nanoseconds per instruction, best of several, compared with dynasm-rs.
//!
//! `cargo bench -p lir --bench assembler`
//!
//! Both append the same loop of ten instructions again and again, on registers that are chosen at run time, and finish:
//! labels are resolved. dynasm-rs has jumps of five or six bytes; ours have two if their targets are near.

use dynasmrt::{DynasmApi, DynasmLabelApi, VecAssembler, dynasm, x64::X64Relocation};
use lir::asm::{Assembler, Reg64, XMM0, XMM1, mem};
use std::time::{Duration, Instant};

/// Instructions of a loop.
const BODY: usize = 10;
const LOOPS: usize = 1_000_000;

/// Registers of the k-th loop: none of them rsp.
fn registers(k: usize) -> [u8; 3] {
    let one = |n: usize| [0, 1, 2, 3, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15][n % 14];
    [one(k), one(k + 3), one(k + 5)]
}

fn ours() -> usize {
    let mut a = Assembler::new();
    for k in 0..LOOPS {
        let [x, y, z] = registers(k).map(|n| Reg64::ALL[n as usize]);
        let top = a.here();
        a.mov(x, mem(y).index(z, 8).disp(16));
        a.add(x, z);
        a.imul(x, y);
        a.lea(z, mem(z).disp(1));
        a.movsd(XMM0, mem(y).disp(k as i32 & 0xff8));
        a.mulsd(XMM1, XMM0);
        a.mov(mem(y).disp(8), x);
        a.sub(y, 1000);
        a.cmp(y, z);
        a.jne(top);
    }
    a.finish().expect("the code is right").bytes().len()
}

#[expect(clippy::useless_conversion, reason = "what the macro writes")]
fn dynasms() -> usize {
    let mut a: VecAssembler<X64Relocation> = VecAssembler::new(0);
    for k in 0..LOOPS {
        let [x, y, z] = registers(k);
        let top = a.new_dynamic_label();
        dynasm!(a
            ; .arch x64
            ; =>top
            ; mov Rq(x), [Rq(y) + 8 * Rq(z) + 16]
            ; add Rq(x), Rq(z)
            ; imul Rq(x), Rq(y)
            ; lea Rq(z), [Rq(z) + 1]
            ; movsd xmm0, [Rq(y) + (k as i32 & 0xff8)]
            ; mulsd xmm1, xmm0
            ; mov [Rq(y) + 8], Rq(x)
            ; sub Rq(y), 1000
            ; cmp Rq(y), Rq(z)
            ; jne =>top
        );
    }
    a.finalize().expect("the code is right").len()
}

fn main() {
    println!("{:10} {:>12} {:>12}", "", "ns each", "bytes");
    for (name, assemble) in [("lir::asm", ours as fn() -> usize), ("dynasm-rs", dynasms)] {
        let (mut best, mut bytes) = (Duration::MAX, 0);
        for _ in 0..5 {
            let start = Instant::now();
            bytes = assemble();
            best = best.min(start.elapsed());
        }
        println!("{name:10} {:12.1} {bytes:12}", best.as_nanos() as f64 / (BODY * LOOPS) as f64);
    }
}

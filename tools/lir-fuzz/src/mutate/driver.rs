//! Functions that call the functions of an excerpt as a program would: with addresses of memory, and with small
//! numbers.
//!
//! A driver returns the result of the function, mixed with the contents of the memory whose addresses were passed.

use lir_random::Rng;
use lir_syntax::ir::{AbiParam, EntityRef, FuncId, Module, Type};
use lir_syntax::printer::{print_abi, print_agg, print_sym};
use std::io::Write;

/// The prefix of the names of drivers. `testdata` has no such functions.
pub(super) const DRIVER: &str = "drive ";
/// Drivers of a function.
const DRIVERS: u64 = 2;
/// Bytes of memory around an address that a driver passes. The address is in the middle.
const MEMORY: u64 = 256;
/// The values that memory is filled with: also a small number of every width.
const FILL: [u64; 3] = [0, 0, 1];

/// Appends the drivers of a function.
pub(super) fn print_drivers(module: &Module, func: FuncId, out: &mut Vec<u8>) {
    let mut rng = Rng::new(module.funcs[func].num_insts() as u64);
    for k in 0..DRIVERS {
        print_driver(module, func, k, &mut rng, out);
    }
}

fn print_driver(module: &Module, func: FuncId, k: u64, rng: &mut Rng, out: &mut Vec<u8>) {
    let decls = &module.decls;
    let sym = module.funcs[func].sym;
    let sig = decls.signature(sym).expect("a function has a signature");
    let _ = writeln!(out, "func @\"{DRIVER}{} {k}\"() -> i64 {{\n  stack $m: {}", sym.index(), 2 * MEMORY);
    for (n, param) in sig.params.iter().enumerate() {
        if let AbiParam::Agg(agg) = *param {
            let _ = write!(out, "  stack $a{n}: ");
            print_agg(decls, agg, out);
            out.push(b'\n');
        }
    }
    if let Some(AbiParam::Agg(agg)) = sig.result {
        out.extend_from_slice(b"  stack $r: ");
        print_agg(decls, agg, out);
        out.push(b'\n');
    }
    let _ = writeln!(out, "entry:\n  memset [$m], {}, {}", rng.pick(&FILL), 2 * MEMORY);
    for (n, param) in sig.params.iter().enumerate() {
        match *param {
            AbiParam::Agg(agg) => {
                let _ = writeln!(out, "  memset [$a{n}], {}, {}", rng.pick(&FILL), decls.types[agg].size);
            }
            AbiParam::Scalar(Type::I64, _) if rng.chance(70) => {
                let _ = writeln!(out, "  %a{n} = lea [$m + {}]", MEMORY + 8 * (n as u64 % 4) * rng.below(4) as u64);
            }
            AbiParam::Scalar(ty, _) if ty.is_float() => {
                let _ = writeln!(out, "  %a{n} = const {} {}.5", ty.name(), rng.below(9));
            }
            AbiParam::Scalar(ty, _) => {
                let _ = writeln!(out, "  %a{n} = const {} {}", ty.name(), rng.below(20) as i64 - 3);
            }
        }
    }
    print_call(module, func, out);
    let _ = writeln!(
        out,
        "  %i = const i64 0\n  jmp loop\nloop:\n  %w = load i64 [$m + %i]\n  %h = mul i64 %h, 31\n  %h = xor i64 %h, %w\n  \
         %i = add i64 %i, 8\n  br ult i64 %i, {}, loop, done\ndone:\n  ret %h\n}}",
        if k == 0 { 2 * MEMORY } else { 8 }
    );
}

/// Prints the call, and `%h` made from its result.
fn print_call(module: &Module, func: FuncId, out: &mut Vec<u8>) {
    let decls = &module.decls;
    let sym = module.funcs[func].sym;
    let sig = decls.signature(sym).expect("a function has a signature");
    out.extend_from_slice(if matches!(sig.result, Some(AbiParam::Scalar(..))) { b"  %r = call " } else { b"  call " });
    match sig.result {
        None => {}
        Some(result @ AbiParam::Scalar(..)) => {
            print_abi(decls, result, out);
            out.push(b' ');
        }
        Some(AbiParam::Agg(agg)) => {
            print_agg(decls, agg, out);
            out.extend_from_slice(b" [$r], ");
        }
    }
    print_sym(decls, sym, out);
    out.push(b'(');
    for (n, param) in sig.params.iter().enumerate() {
        out.extend_from_slice(if n > 0 { b", " } else { b"" });
        let _ = match *param {
            AbiParam::Scalar(..) => write!(out, "%a{n}"),
            AbiParam::Agg(agg) => {
                print_agg(decls, agg, out);
                write!(out, " [$a{n}]")
            }
        };
    }
    if sig.variadic {
        out.extend_from_slice(if sig.params.is_empty() { b"..." } else { b", ..." });
    }
    out.extend_from_slice(b")\n");
    let _ = match sig.result {
        Some(AbiParam::Scalar(Type::I64, _)) => writeln!(out, "  %h = copy i64 %r"),
        Some(AbiParam::Scalar(Type::F64, _)) => writeln!(out, "  %h = bitcast f64 %r to i64"),
        Some(AbiParam::Scalar(Type::F32, _)) => {
            writeln!(out, "  %b = bitcast f32 %r to i32\n  %h = zext i32 %b to i64")
        }
        Some(AbiParam::Scalar(Type::I128, _)) => writeln!(out, "  %h = trunc i128 %r to i64"),
        Some(AbiParam::Scalar(ty, _)) => writeln!(out, "  %h = zext {} %r to i64", ty.name()),
        Some(AbiParam::Agg(_)) | None => writeln!(out, "  %h = const i64 0"),
    };
}

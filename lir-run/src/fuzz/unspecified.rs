//! Makes the things visible that the language leaves open: bytes of memory that nobody wrote, the sign and payload of
//! NaNs that arithmetic gives.
//!
//! Where a module ends otherwise after [`perturbed`] did its work, its result is not specified, and two right
//! implementations may give different ones. Generated modules are made not to; a reduction may make them so.

use lir_syntax::ir::{
    Base, FloatCC, Format, Function, Inst, InstData, Mem, Module, Opcode, Operand, Reg, ResultRule, Type,
};

/// What unwritten bytes become.
const BYTE: i64 = 0x5a;

/// The module with stack objects and allocas filled when they come to life, and with NaN results of arithmetic replaced
/// by a NaN of another sign and payload. It is not in SSA form.
pub fn perturbed(module: &Module) -> Module {
    let mut module = module.clone();
    for f in module.funcs.as_mut_slice() {
        let all: Vec<Inst> = f.layout().all_insts().collect();
        let first = f.layout().first_inst(f.entry()).expect("a block ends in a terminator");
        let objects: Vec<_> = f.stack_objects().filter(|(_, s)| !s.is_param).map(|(o, s)| (o, s.size)).collect();
        for (o, size) in objects {
            let size = f.make_const(size as i64);
            let fill = fill(f, Mem::obj(o, 0), size);
            f.insert_before(first, fill);
        }
        for i in all {
            after(f, i);
        }
    }
    module
}

fn fill(f: &mut Function, at: Mem, size: Operand) -> InstData {
    let (a, b) = (f.make_mem(at), f.make_const(BYTE));
    InstData { a, b, dst: size, ..InstData::new(Opcode::Memset, Type::I64) }
}

/// Puts what follows an instruction behind it.
fn after(f: &mut Function, i: Inst) {
    let data = *f.inst(i);
    let (Some(dst), Some(next)) = (f.def(i), f.layout().next_inst(i)) else { return };
    if data.op.format() == Format::Alloca {
        // The size may be in the register that the address is written to: then it is lost.
        if data.first() != Operand::reg(dst) {
            let fill = fill(f, Mem::base_disp(Base::Reg(dst), 0), data.first());
            f.insert_before(next, fill);
        }
    } else if makes_nans(data.op) && f.type_of(dst).is_float() {
        other_nan(f, dst, next);
    }
}

/// Whether an operation may give a NaN of its own making: arithmetic and conversions on floats, but not what keeps all
/// bits.
fn makes_nans(op: Opcode) -> bool {
    let keeps_bits = matches!(op, Opcode::Copy | Opcode::Fneg | Opcode::Fabs | Opcode::Fcopysign | Opcode::Bitcast);
    let computes = match op.info().result {
        ResultRule::Same | ResultRule::Converted => op.effects().is_pure(),
        ResultRule::None | ResultRule::Truth | ResultRule::Address | ResultRule::Call => false,
    };
    let by_format = matches!(op.format(), Format::Unary | Format::Binary | Format::Ternary | Format::Convert);
    computes && by_format && !keeps_bits
}

/// `%dst = select (fcmp uno %dst, %dst), NaN, %dst` before an instruction.
fn other_nan(f: &mut Function, dst: Reg, next: Inst) {
    let ty = f.type_of(dst);
    let bits = match ty {
        Type::F32 => 0x7fd5_5555,
        Type::F64 => 0x7ffd_5555_5555_5555,
        Type::I8 | Type::I16 | Type::I32 | Type::I64 => return,
    };
    let name = f.regs[dst].name;
    let (is_nan, nan) = (f.new_reg(Type::I8, name), f.new_reg(ty, name));
    let (value, constant) = (Operand::reg(dst), f.make_typed_const(ty, bits));
    let aux = FloatCC::Uno as u8;
    let test = InstData { dst: Operand::reg(is_nan), a: value, b: value, aux, ..InstData::new(Opcode::Fcmp, ty) };
    f.insert_before(next, test);
    f.insert_before(next, InstData::move_to(Operand::reg(nan), ty, constant));
    let b = f.make_bc(Operand::reg(nan), value);
    f.insert_before(next, InstData { dst: value, a: Operand::reg(is_nan), b, ..InstData::new(Opcode::Select, ty) });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fuzz::{Kind, Subject};
    use crate::run_line::LineReader;
    use crate::symbols::HostSymbols;
    use lir_syntax::parser::{ParseOptions, parse};
    use lir_syntax::source::Source;
    use lir_syntax::verifier::verify_module;

    fn verdict(body: &str) -> Result<(), Kind> {
        let text = format!("; run: @f(0.0)\nfunc @f(%x: f64) -> i64 {{\n  stack $s: 8\nentry:\n{body}}}\n");
        let source = Source { name: "t".into(), text };
        let module = parse(&source, &ParseOptions::default()).unwrap();
        assert_eq!(verify_module(&perturbed(&module), 3), []);
        let calls: Vec<_> = LineReader::new(&module).run_lines(&source).into_iter().map(|l| l.unwrap().call).collect();
        let host = HostSymbols::new(&[]).unwrap();
        Subject::new(std::sync::Arc::new(module), &calls, &host).is_specified().map_err(|p| p.kind)
    }

    #[test]
    fn what_is_unspecified_is_seen() {
        for body in [
            "  %r = load i64 [$s]\n  ret %r\n",
            "  %r = lea [$s]\n  ret %r\n",
            "  %q = fdiv %x, %x\n  %r = bitcast f64 %q to i64\n  ret %r\n",
            "  %a = alloca 16, 8\n  %r = load i64 [%a + 8]\n  ret %r\n",
        ] {
            assert_eq!(verdict(body), Err(Kind::Unspecified), "{body}");
        }
    }

    #[test]
    fn what_is_specified_is_left_alone() {
        for body in [
            "  store i64 [$s], 3\n  %r = load i64 [$s]\n  ret %r\n",
            "  %q = fdiv %x, %x\n  %c = fcmp uno f64 %q, %q\n  %r = zext i8 %c to i64\n  ret %r\n",
            "  %q = fneg %x\n  %r = bitcast f64 %q to i64\n  ret %r\n",
            "  %r = lea [$s + 8]\n  %b = lea [$s]\n  %r = sub %r, %b\n  ret %r\n",
        ] {
            assert_eq!(verdict(body), Ok(()), "{body}");
        }
    }
}

//! Makes unspecified behaviour visible.
//!
//! Unspecified are the bytes of uninitialised memory, addresses of data, functions and frames, and the sign and payload
//! of NaN results of arithmetic.
//!
//! If a module ends differently after [`perturbed`], its result is unspecified, and two correct implementations may
//! give different results. Generated modules have specified results; a reduction may change that.

use lir_syntax::ir::builder::FunctionBuilder;
use lir_syntax::ir::{
    Base, CallArg, Comparison, DataId, DataItem, EntityRef, Ext, FloatCC, Format, FuncId, Function, Inst, InstData,
    Item, Mem, Module, NameRef, Obj, Opcode, Operand, PackedOption, PrimaryMap, Reg, ResultRule, SecondaryMap,
    Signature, StackData, SymKind, Type,
};

/// The unspecified properties of a module's surroundings.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) struct Surroundings {
    /// The value of unwritten bytes.
    fill: u8,
    /// The shift of data, in bytes.
    data_shift: u64,
    /// The shift of the interpreter's outermost frame, in bytes.
    frame_shift: u64,
    /// The shift of stack objects in their frame, in bytes, by the number of the function modulo the length.
    object_shifts: [u64; 4],
    /// The NaN of arithmetic, as an f32 and as an f64.
    nan: (u32, u64),
    /// The address of the interpreter's memory: see [`Options::address`](lir_run::interp::Options::address).
    pub address: u64,
    /// The bytes between stack objects: see [`Options::gap`](lir_run::interp::Options::gap).
    pub gap: u64,
}

/// The number of surroundings in which a mutant is executed before it counts.
pub(crate) const FEW: usize = 8;
/// The number of surroundings in which a program is executed before a mismatch counts. A result that depends on a few
/// addresses only may be the same in a few surroundings.
pub(crate) const MANY: usize = 48;

/// Different surroundings. In every eight, stack objects of the outermost frame are at each multiple of 8 once, modulo
/// 64 (the bits that a shift amount uses), and the higher bits up to a page vary, too. Of three fill values, one is
/// below any address compared with it, and one above. Of three NaNs, one shares only the quiet bit with another.
pub(crate) fn surroundings<const N: usize>() -> [Surroundings; N] {
    const FILLS: [u8; 3] = [0x5a, 0xa5, 0x33];
    const NANS: [(u32, u64); 3] = [
        (0x7fd5_5555, 0x7ffd_5555_5555_5555),
        (0xffea_aaaa, 0xfffa_aaaa_aaaa_aaaa),
        (0xffcc_cccc, 0xfffc_cccc_cccc_cccc),
    ];
    // Shifts of frames add up in calls. For any number of these rows, together with the shift of the outermost frame,
    // each bit of the sums varies; with one row, all residues occur.
    const RESIDUES: [[u64; 8]; 4] =
        [[0, 1, 2, 3, 4, 5, 6, 7], [5, 0, 7, 1, 4, 6, 2, 3], [5, 2, 4, 3, 7, 1, 6, 0], [3, 4, 0, 1, 2, 6, 5, 7]];
    std::array::from_fn(|k| {
        let n = k as u64;
        Surroundings {
            fill: FILLS[k % 3],
            data_shift: 41 + 1363 * n,
            frame_shift: 64 + 16 * n,
            object_shifts: RESIDUES.map(|of_function| 4096 * (1 + n % 3) + 64 * 9 * n + 8 * of_function[k % 8]),
            nan: NANS[k % 3],
            // The upper bits of addresses differ, too. Functions are at three times this address.
            address: (n % 16 + 1) * 0x0235_79bd_3000 + n / 16 * 0x0003_579b_5000,
            // Large in the first surroundings, where an access between objects is an error.
            gap: if n == 0 { 15 * 64 } else { 64 * (1 + n) },
        }
    })
}

/// Arguments that fill the registers of the convention, and some more.
const INT_REGS: usize = 6;
const FLOAT_REGS: usize = 8;
const MORE_ON_STACK: usize = 4;

/// Returns the module in other surroundings. Its stack objects and allocas are filled when they are created, data and
/// functions have other addresses and another order, and NaN results of arithmetic have another sign and payload. It is
/// not in SSA form. Symbols keep their ids.
pub(crate) fn perturbed(module: &Module, around: &Surroundings) -> Module {
    let mut module = module.clone();
    move_symbols(&mut module, around);
    for (k, f) in module.funcs.as_mut_slice().iter_mut().enumerate() {
        move_objects(f, around.object_shifts[k % 4]);
        let all: Vec<Inst> = f.layout().all_insts().collect();
        let first = f.layout().first_inst(f.entry()).expect("a block ends in a terminator");
        let objects: Vec<_> = f.stack_objects().filter(|(_, s)| !s.is_param).map(|(o, s)| (o, s.size)).collect();
        for (o, size) in objects {
            let size = f.make_const(size as i64);
            let fill = fill(f, Mem::obj(o, 0), size, around.fill);
            f.insert_before(first, fill);
        }
        for i in all {
            if f.inst(i).op == Opcode::Call && f.call_fixed(i).1 {
                more_arguments(f, i, around.fill);
            }
            after(f, i, around);
        }
    }
    module
}

/// Lays data and functions out from last to first, after a padding object, and with padding after each: objects do not
/// inherit the larger alignment of others. One more padding object per thread moves the stack, which follows them.
fn move_symbols(module: &mut Module, around: &Surroundings) {
    let apart = 1 + around.data_shift % 8;
    let mut fillers: Vec<(String, u64, bool)> = Vec::new();
    for (k, d) in module.decls.data.values().enumerate() {
        fillers.push((format!("moved data {k}"), d.align() * apart, d.thread));
    }
    let originals = fillers.len();
    fillers.push(("moved data".to_string(), around.data_shift, false));
    fillers.push(("moved frames".to_string(), around.frame_shift, true));
    for (name, size, thread) in fillers {
        let sym = module.define_data(&name, vec![DataItem::Zero(size)]);
        if let SymKind::Data(d) = module.decls.syms[sym].kind {
            module.decls.data[d].thread = thread;
        }
    }
    // Enough functions to move every function.
    for k in 0..2 - module.funcs.len() % 2 {
        let func = module.define_func(&format!("moved code {k}"), Signature::default());
        let mut b = FunctionBuilder::new(&mut module.funcs[func]);
        let entry = b.block("entry");
        b.switch_to(entry);
        b.ret_void();
    }
    let (funcs, data) = (module.funcs.len(), module.decls.data.len());
    let func = |f: FuncId| FuncId::new(funcs - 1 - f.index());
    module.funcs = in_order(&module.funcs, (0..funcs).rev());
    let pairs = (0..originals).rev().flat_map(|d| [originals + d, d]);
    let order: Vec<usize> = (2 * originals..data).chain(pairs).collect();
    let mut place = vec![0; data];
    order.iter().enumerate().for_each(|(new, old)| place[*old] = new);
    let datum = |d: DataId| DataId::new(place[d.index()]);
    module.decls.data = in_order(&module.decls.data, order.iter().copied());
    for sym in module.decls.syms.as_mut_slice() {
        match &mut sym.kind {
            SymKind::Func { body: Some(f), .. } => *f = func(*f),
            SymKind::Func { body: None, .. } => {}
            SymKind::Data(d) => *d = datum(*d),
        }
    }
    for item in &mut module.items {
        match item {
            Item::Func(f) => *f = func(*f),
            Item::Data(d) => *d = datum(*d),
            Item::Type(_) | Item::ExternFunc(_) | Item::File(_) | Item::Alias(_) => {}
            Item::AccessType(_) | Item::DebugType(_) => {}
        }
    }
}

/// Lays the stack objects of a function out from last to first, after a padding object. The padding also moves the
/// memory above the objects: allocas, and the values of `stack_save`.
fn move_objects(f: &mut Function, shift: u64) {
    let old: Vec<(Obj, StackData)> = f.stack_objects().filter(|(_, s)| !s.is_param).map(|(o, s)| (o, *s)).collect();
    let above = |i: Inst| matches!(f.inst(i).op, Opcode::Alloca | Opcode::StackSave);
    if old.is_empty() && !f.layout().all_insts().any(above) {
        return;
    }
    f.stack.push(StackData::new(NameRef::NONE, shift, 8));
    let mut new = SecondaryMap::new();
    for (o, data) in old.iter().rev() {
        new[*o] = PackedOption::from(f.stack.push(StackData { name: NameRef::NONE, ..*data }));
        f.remove_stack_object(*o);
    }
    let all: Vec<Inst> = f.layout().all_insts().collect();
    for i in all {
        let mut mems = Vec::new();
        f.for_each_mem(i, |m| mems.push(m));
        for m in &mut mems {
            if let Base::Obj(o) = m.base {
                m.base = Base::Obj(new[o].expand().unwrap_or(o));
            }
        }
        if !mems.is_empty() {
            f.set_mems(i, &mems);
        }
    }
}

/// Returns the entities with these numbers, in this order.
fn in_order<K: EntityRef, V: Clone>(map: &PrimaryMap<K, V>, order: impl Iterator<Item = usize>) -> PrimaryMap<K, V> {
    let mut all = PrimaryMap::new();
    for k in order {
        all.push(map[K::new(k)].clone());
    }
    all
}

fn fill(f: &mut Function, at: Mem, size: Operand, byte: u8) -> InstData {
    let byte = f.make_typed_const(Type::I8, u64::from(byte));
    f.memset(at, byte, size)
}

/// Gives a variadic call more arguments, in registers of both classes and on the stack. The upper bits of 32-bit
/// arguments are set, too: a callee that reads more arguments than were passed sees them. All values differ, since
/// otherwise their difference would be known.
fn more_arguments(f: &mut Function, i: Inst, fill_byte: u8) {
    let fill = u64::from_le_bytes([fill_byte; 8]);
    let mut info = f.call_info(i);
    let fixed = info.fixed as usize;
    for k in fixed..info.args.len() {
        if let CallArg::Reg(r, _) = info.args[k]
            && f.type_of(r) == Type::I32
        {
            let (wide, upper) = (f.new_reg(Type::I64, NameRef::NONE), f.make_typed_const(Type::I64, fill << 32));
            f.insert_before(i, InstData::convert(Opcode::Zext, Type::I32, Type::I64, r).with_result(wide));
            f.insert_before(i, InstData::binary(Opcode::Or, Type::I64, wide, upper).with_result(wide));
            info.args[k] = CallArg::Reg(wide, Ext::None);
        }
    }
    let mut bits = fill;
    for (ty, count) in [(Type::I64, INT_REGS), (Type::F64, FLOAT_REGS), (Type::I64, MORE_ON_STACK)] {
        for _ in 0..count {
            bits = bits.wrapping_add(0x0703_0b0d_1113_1705);
            let (reg, value) = (f.new_reg(ty, NameRef::NONE), f.make_typed_const(ty, bits));
            f.insert_before(i, InstData::move_of(ty, value).with_result(reg));
            info.args.push(CallArg::Reg(reg, Ext::None));
        }
    }
    let b = f.make_call(&info);
    let data = f.inst(i).with_second(b);
    f.replace_inst(i, data);
}

/// Inserts instructions after an instruction.
fn after(f: &mut Function, i: Inst, around: &Surroundings) {
    let data = *f.inst(i);
    let (Some(dst), Some(next)) = (f.def(i), f.layout().next_inst(i)) else { return };
    if data.op.format() == Format::Alloca {
        // The size may be in the register that the address is written to: then it is lost.
        if data.first() != Operand::reg(dst) {
            let fill = fill(f, Mem::base_disp(Base::Reg(dst), 0), data.first(), around.fill);
            f.insert_before(next, fill);
        }
    } else if makes_nans(data.op) && f.type_of(dst).is_float() {
        other_nan(f, dst, next, around.nan);
    }
}

/// True if an operation may create a NaN: arithmetic and conversions on floats, but not operations that preserve all
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
fn other_nan(f: &mut Function, dst: Reg, next: Inst, (f32_bits, f64_bits): (u32, u64)) {
    let ty = f.type_of(dst);
    let bits = match ty {
        Type::F32 => u64::from(f32_bits),
        Type::F64 => f64_bits,
        Type::I8 | Type::I16 | Type::I32 | Type::I64 | Type::I128 => return,
    };
    let name = f.regs[dst].name;
    let (is_nan, nan) = (f.new_reg(Type::I8, name), f.new_reg(ty, name));
    let (value, constant) = (Operand::reg(dst), f.make_typed_const(ty, bits));
    let test = Comparison { ty, predicate: FloatCC::Uno.into(), a: value, b: value };
    f.insert_before(next, InstData::compare(test).with_result(is_nan));
    f.insert_before(next, InstData::move_of(ty, constant).with_result(nan));
    let arms = f.make_bc(nan.into(), value);
    f.insert_before(next, InstData::unary(Opcode::Select, ty, is_nan).with_list(arms).with_result(dst));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::finding::Kind;
    use crate::test_case::TestCase;
    use lir_run::interp::{Interp, Options, Outcome};
    use lir_run::run_lines::LineReader;
    use lir_run::symbols::HostSymbols;
    use lir_run::value::Value;
    use lir_syntax::parser::{ParseOptions, parse};
    use lir_syntax::text::source::Source;
    use lir_syntax::verifier::verify_module;

    fn verdict(body: &str) -> Result<(), Kind> {
        let text = format!("; run: @f(0.0)\nfunc @f(%x: f64) -> i64 {{\n  stack $s: 8\nentry:\n{body}}}\n");
        let source = Source { name: "t".into(), text };
        let module = parse(&source, &ParseOptions::default()).unwrap();
        for around in &surroundings::<FEW>() {
            assert_eq!(verify_module(&perturbed(&module, around), 3), []);
        }
        let calls: Vec<_> = LineReader::new(&module).run_lines(&source).into_iter().map(|l| l.unwrap().call).collect();
        let host = HostSymbols::new(&[]).unwrap();
        TestCase::new(std::sync::Arc::new(module), &calls, &host).is_specified().map_err(|p| p.kind)
    }

    #[test]
    fn unspecified_results_are_detected() {
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
    fn stack_objects_lie_at_all_residues() {
        for (size, step) in [(8, 8), (24, 8), (512, 8), (8, 16)] {
            let object = format!("stack $s: {size} align {step}");
            let body = "entry:\n  %p = lea [$s]\n  %r = and i64 %p, 63\n  ret %r\n";
            let text = format!("func @f() -> i64 {{\n  {object}\n{body}}}\n");
            let module = text.parse().unwrap();
            let host = HostSymbols::new(&[]).unwrap();
            let residue = |module: Module| {
                let f = module.decls.body_named(b"f").unwrap();
                Interp::new(module, &host, Options::default()).unwrap().call(f, &[])
            };
            let all: Vec<Outcome> = surroundings::<FEW>().iter().map(|s| residue(perturbed(&module, s))).collect();
            for wanted in (0..64).step_by(step) {
                assert!(all.contains(&Outcome::Return(Some(Value::new(Type::I64, wanted)))), "{object}: {all:?}");
            }
        }
    }

    /// True if the call `@f()` gives the same result in all surroundings.
    fn is_specified(text: String) -> bool {
        let source = Source { name: "t".into(), text: text + "; run: @f()\n" };
        let module = parse(&source, &ParseOptions::default()).unwrap();
        let lines = LineReader::new(&module).run_lines(&source);
        let calls: Vec<_> = lines.into_iter().map(|l| l.unwrap().call).collect();
        let host = HostSymbols::new(&[]).unwrap();
        TestCase::new(std::sync::Arc::new(module), &calls, &host).is_specified().is_ok()
    }

    /// Address bits of data above its alignment vary, whatever the alignment of neighbouring data.
    #[test]
    fn data_lies_at_all_multiples_of_its_alignment() {
        let data = "const data @d = { i32 30, 40 }\ndata @e align 8 = { zero 8 }\n";
        for (address, is_known) in [("or i64 %a, 4", false), ("add i64 %a, 4", true)] {
            let body = format!("  %a = lea [@d]\n  %b = {address}\n  %c = load i32 [%b]\n  ret %c\n");
            let text = format!("{data}func @f() -> i32 {{\nentry:\n{body}}}\n");
            assert_eq!(is_specified(text), is_known, "{address}");
        }
    }

    /// So do the address bits of stack objects in a callee.
    #[test]
    fn objects_of_callees_lie_at_all_multiples_of_their_alignment() {
        for bit in [8, 16, 32] {
            let body = format!("  %c = lea [$s]\n  %d = and i64 %c, {bit}\n  ret %d\n");
            let f = format!("func @g() -> i64 {{\n  stack $s: 32\nentry:\n{body}}}\n");
            let call = "func @f() -> i64 {\n  stack $s: 512\nentry:\n  %b = call i64 @g()\n  ret %b\n}\n";
            assert!(!is_specified(f + call), "{bit}");
        }
    }

    /// So do the addresses above the objects, even without objects.
    #[test]
    fn allocas_lie_at_all_multiples_of_their_alignment() {
        for top in ["alloca 16, 8", "stack_save"] {
            for bit in [8, 16, 32] {
                let body = format!("  %a = {top}\n  %r = and i64 %a, {bit}\n  ret %r\n");
                let f = format!("func @f() -> i64 {{\nentry:\n{body}}}\n");
                assert!(!is_specified(f), "{top}: {bit}");
                let g = format!("func @g() -> i64 {{\nentry:\n{body}}}\n");
                let call = "func @f() -> i64 {\n  stack $s: 512\nentry:\n  %b = call i64 @g()\n  ret %b\n}\n";
                assert!(!is_specified(g + call), "{top} of a callee: {bit}");
            }
        }
    }

    /// Missing variable arguments differ, too.
    #[test]
    fn missing_arguments_differ() {
        let args = "  va_start [$s]\n  %a = va_arg i64 [$s]\n  %b = va_arg i64 [$s]\n  %r = sub i64 %a, %b\n  ret %r\n";
        let asks = format!("func @g(...) -> i64 {{\n  stack $s: 24\nentry:\n{args}}}\n");
        for (call, is_known) in [("call i64 @g()", false), ("call i64 @g(..., i64 %x, i64 %x)", true)] {
            let calls = format!("func @f() -> i64 {{\nentry:\n  %x = const i64 3\n  %r = {call}\n  ret %r\n}}\n");
            assert_eq!(is_specified(asks.clone() + &calls), is_known, "{call}");
        }
    }

    /// A result that only a few addresses change is the same in the first surroundings.
    #[test]
    fn dependence_on_few_addresses_is_detected() {
        let hash = "  %p = lea [$s]\n  %m = mul i64 %p, -7046029254386353131\n  %h = lshr i64 %m, 58\n";
        let text = format!("func @f(%x: f64) -> i64 {{\n  stack $s: 8\nentry:\n{hash}  ret %h\n}}\n");
        let module = text.parse().unwrap();
        let host = HostSymbols::new(&[]).unwrap();
        let hashes = surroundings::<MANY>().map(|around| {
            let options = Options { address: around.address, gap: around.gap, ..Options::default() };
            let module = perturbed(&module, &around);
            let f = module.decls.body_named(b"f").unwrap();
            match Interp::new(module, &host, options).unwrap().call(f, &[Value::new(Type::F64, 0)]) {
                Outcome::Return(Some(value)) => value.as_scalar().expect("it is a number").word(),
                other => panic!("{other:?}"),
            }
        });
        let (first, others) = hashes.split_at(FEW);
        let rare = others.iter().find(|h| !first.contains(h)).expect("there are 64 hashes");
        let told = format!("{hash}  %c = icmp eq i64 %h, {rare}\n  %r = zext i8 %c to i64\n  ret %r\n");
        assert_eq!(verdict(&told), Err(Kind::Unspecified));
    }

    #[test]
    fn specified_results_are_unchanged() {
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

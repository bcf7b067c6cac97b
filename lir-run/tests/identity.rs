//! A printed name means one value through all passes of a run: the files of `testdata/opt` and `testdata/run`, and the
//! kernels, at -O2.
//!
//! After each pass the module is printed, and executed with every value noted that a name is assigned. A name may be
//! assigned fewer values than before, if code was removed or moved to where it is executed less often, or more; but if
//! it loses values and gets others, it means something else now. Values that may be addresses are not compared: passes
//! move objects. Names that lasted are compared across the passes in which they were not executed, too.
//!
//! A pipeline that stops after k passes has the same effect as the whole one until then, so the states in between are
//! seen.

use crate::own_process;
use lir_opt::{Level, Pipeline, RunOptions, optimize};
use lir_random::extent::few_or_all;
use lir_run::host::capture::capture_stdout;
use lir_run::interp::{Interp, Options, Outcome};
use lir_run::run_lines::{LineReader, TypedCall};
use lir_run::symbols::HostSymbols;
use lir_run::value::Value;
use lir_syntax::ir::{
    CallArg, CallInfo, CallResult, Ext, Format, Function, Inst, InstData, Module, NameRef, Opcode, Operand, Param, Reg,
    Sym, Type,
};
use lir_syntax::printer::{FunctionPrinter, print_sym};
use lir_syntax::text::source::Source;
use lir_testing::files::{files_below, module_of, programs, testdata};
use lir_testing::trials::{self, Failed, Trial};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// The code that is added to each module: a set of pairs of a number for a name and a value, by hashing and open
/// addressing, and a list of them in the order in which they were added.
const RECORDER: &str = r#"
local data @"identity set" = { zero 4194304 }
local data @"identity list" = { zero 2097152 }
local data @"identity count" = { i64 0 }
func @"identity note"(%key: i64, %bits: i64) noinline {
entry:
  %n = load i64 [@"identity count"]
  %k = mul i64 %key, -7046029254386353131
  %b = mul i64 %bits, -4417276706812531889
  %h = xor i64 %k, %b
  %h = lshr i64 %h, 46
  jmp probe
probe:
  %at = shl i64 %h, 4
  %old_key = load i64 [@"identity set" + %at]
  br eq i64 %old_key, 0, free, used
used:
  %old_bits = load i64 [@"identity set" + %at + 8]
  %same_key = icmp eq i64 %old_key, %key
  %same_bits = icmp eq i64 %old_bits, %bits
  %same = and i8 %same_key, %same_bits
  br %same, done, next
next:
  %h = add i64 %h, 1
  %h = and i64 %h, 262143
  jmp probe
free:
  br ult i64 %n, 131072, add, done
add:
  store i64 [@"identity set" + %at], %key
  store i64 [@"identity set" + %at + 8], %bits
  %to = shl i64 %n, 4
  store i64 [@"identity list" + %to], %key
  store i64 [@"identity list" + %to + 8], %bits
  %n = add i64 %n, 1
  store i64 [@"identity count"], %n
  jmp done
done:
  ret
}
func @"identity word"(%k: i64) -> i64 {
entry:
  %w = load i64 [@"identity list" + %k*8]
  ret %w
}
func @"identity words"() -> i64 {
entry:
  %n = load i64 [@"identity count"]
  %n = shl i64 %n, 1
  ret %n
}
"#;
/// The pairs that the recorder has room for.
const MOST_PAIRS: usize = 131_072;
/// A name of a file for a part of an address.
const HALF_OF_AN_ADDRESS: &str = "%a in @part";
/// Kernels that execute too much for this test, with any argument.
const TOO_LONG: [&str; 5] = ["life.ssa", "sieve.ssa", "base64.ssa", "dijkstra.ssa", "words.ssa"];
/// Operations of a call.
const FUEL: u64 = 20_000_000;

/// A program is called after each pass: one in twenty is enough, unless the run is thorough.
fn stride() -> usize {
    few_or_all(20, 1)
}

/// Checks the files of a folder, one by one: the capture of the programs' output needs a single thread.
fn check_folder(folder: &str) {
    let files = files_below(&testdata(folder), &["lir"]).into_iter().step_by(stride()).filter_map(|path| {
        let name = path.strip_prefix(testdata("")).expect("a file of testdata").display().to_string();
        (!name.ends_with(".out.lir")).then(|| Trial::test(name, move || check_file(&path)))
    });
    trials::run_in_order(files.collect());
}

#[test]
fn names_last_in_cases_of_passes() {
    if !own_process::passes(names_last_in_cases_of_passes) {
        check_folder("opt");
    }
}

#[test]
fn names_last_in_programs_with_run_lines() {
    if !own_process::passes(names_last_in_programs_with_run_lines) {
        check_folder("run");
    }
}

#[test]
fn names_last_in_kernels() {
    if own_process::passes(names_last_in_kernels) {
        return;
    }
    let is_short = |path: &PathBuf| !TOO_LONG.iter().any(|name| path.ends_with(name));
    let kernels = programs().into_iter().filter(is_short).step_by(stride()).map(|path| {
        let name = path.file_name().expect("a file has a name").display().to_string();
        Trial::test(name, move || check_kernel(&path))
    });
    trials::run_in_order(kernels.collect());
}

fn check_file(path: &Path) -> Result<(), Failed> {
    let text = std::fs::read_to_string(path)?;
    if text.contains("; interp: off") || !text.contains("; run:") {
        return Ok(());
    }
    let module: Module = text.parse()?;
    let source = Source { name: path.display().to_string(), text };
    let lines = LineReader::new(&module).run_lines(&source);
    let calls: Vec<TypedCall> = lines.into_iter().filter_map(|line| Some(line.ok()?.call)).collect();
    // One by one: if one takes too long, the others count.
    let ends = |call: &TypedCall| record(&module, std::slice::from_ref(call)).is_ok_and(|values| values.is_some());
    let calls: Vec<TypedCall> = calls.into_iter().filter(ends).collect();
    check(&module, &calls)
}

/// Checks a kernel, with less work than for the small argument of its file.
fn check_kernel(path: &Path) -> Result<(), Failed> {
    let argument: u64 = std::fs::read_to_string(path.with_extension("arg"))?.trim().parse()?;
    let argument = match path.file_stem().and_then(|name| name.to_str()) {
        Some("fannkuch") => 5,
        _ if argument > 8 => argument.div_ceil(8),
        _ => argument,
    };
    let mut text = module_of(path)?.to_string();
    text += &format!("local data @\"identity argument\" = {{ \"{}\\00\" }}\n", argument);
    text += "local data @\"identity arguments\" = { @\"identity argument\", @\"identity argument\", i64 0 }\n";
    text += "func @\"identity main\"() -> i32 {\nentry:\n  %argc = const i32 2\n";
    text += "  %argv = lea [@\"identity arguments\"]\n  %r = call i32 @main(%argc, %argv)\n  ret %r\n}\n";
    let module: Module = text.parse()?;
    let main = module.decls.body_named(b"identity main").ok_or("it was added")?;
    check(&module, &[TypedCall { sym: module.funcs[main].sym, args: Vec::new() }])
}

/// Runs -O2 pass by pass, and reports a name that means something else after a pass.
fn check(module: &Module, calls: &[TypedCall]) -> Result<(), Failed> {
    let steps: Vec<String> = split(&Pipeline::of_level(Level::O2).to_string());
    let entry_points = calls.iter().map(|c| c.sym).collect();
    let options = RunOptions { entry_points, ..RunOptions::default() };
    let Some(mut known) = record(module, calls)? else { return Err("the calls take too long".into()) };
    let mut before = module.to_string();
    for k in 1..=steps.len() {
        let pipeline = Pipeline::parse(&steps[..k].join(",")).map_err(|e| e.to_string())?;
        let mut module = module.clone();
        optimize(&mut module, &pipeline, &options).map_err(|_| "a pass fails")?;
        let after = module.to_string();
        if after == before {
            continue;
        }
        let values = record(&module, calls)?.ok_or("the calls take too long after a pass")?;
        // Code that is no longer executed may be executed again, early: it has no values until then.
        for (name, old) in &mut known {
            if !values.contains_key(name) && has_register(&after, name) {
                old.clear();
            }
        }
        for (name, values) in values {
            if let Some(old) = known.get(&name).filter(|_| name != HALF_OF_AN_ADDRESS)
                && !values.is_subset(old)
                && !values.is_superset(old)
            {
                let (lost, new) = (old.difference(&values).next(), values.difference(old).next());
                let message = format!("{name} is for something else after {} (run {k})", steps[k - 1]);
                return Err(format!("{message}: {lost:?} is lost, {new:?} is new\n{before}\n{after}").into());
            }
            known.insert(name, values);
        }
        before = after;
    }
    Ok(())
}

/// True if a register, named as `%x in @f`, is in a module's text.
fn has_register(module: &str, name: &str) -> bool {
    let Some((register, function)) = name.split_once(" in ") else { return false };
    let Some(begin) = module.find(&format!("func {function}(")) else { return false };
    let body = module[begin..].split("\n}").next().unwrap_or_default();
    let in_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '_');
    body.match_indices(register).any(|(at, _)| !body[at + register.len()..].starts_with(in_name))
}

/// The passes of a pipeline, groups taken apart.
fn split(pipeline: &str) -> Vec<String> {
    let pipeline = pipeline.replace("if-changed(", "").replace(')', "");
    assert!(!pipeline.contains('('), "the level has groups of another kind: {pipeline}");
    let (mut steps, mut depth) = (vec![String::new()], 0);
    for c in pipeline.chars() {
        match c {
            ',' if depth == 0 => steps.push(String::new()),
            _ => {
                depth += i32::from(c == '{') - i32::from(c == '}');
                steps.last_mut().expect("there is one").push(c);
            }
        }
    }
    steps
}

/// Returns the values that names are assigned while the calls are executed, without possible addresses; none if calls
/// take too long.
fn record(module: &Module, calls: &[TypedCall]) -> Result<Option<BTreeMap<String, BTreeSet<u64>>>, Failed> {
    let mut noted: Module = (module.to_string() + RECORDER).parse()?;
    let own = |m: &Module, name: &str| m.decls.body_named(name.as_bytes()).expect("the recorder has it");
    let note = noted.funcs[own(&noted, "identity note")].sym;
    let mut names = Vec::new();
    for f in noted.funcs.as_mut_slice() {
        let mut function = Vec::new();
        print_sym(&noted.decls, f.sym, &mut function);
        let function = String::from_utf8(function)?;
        if !function.starts_with("@\"identity ") {
            let printed = FunctionPrinter::new(&noted.decls, f);
            let named = f.regs.keys().map(|r| {
                let mut name = Vec::new();
                printed.reg(r, &mut name);
                format!("{} in {function}", String::from_utf8_lossy(&name))
            });
            let first = names.len() as i64 + 1;
            names.extend(named);
            watch(f, note, first);
        }
    }
    let host = HostSymbols::new(&[])?;
    let ids: Vec<_> = calls.iter().map(|c| name_of(module, c.sym)).collect();
    let by_name = |name: &[u8]| noted.decls.body_named(name).ok_or("a function that is called is gone");
    let ids = ids.iter().map(|name| by_name(name)).collect::<Result<Vec<_>, _>>()?;
    let (words, word) = (own(&noted, "identity words"), own(&noted, "identity word"));
    let options = Options { fuel: Some(FUEL), stack_size: 1 << 26, ..Options::default() };
    let mut interp = Interp::new(noted, &host, options).map_err(|e| e[0].message.clone())?;
    let run = || calls.iter().zip(ids).all(|(call, id)| !matches!(interp.call(id, &call.args), Outcome::OutOfFuel(_)));
    if !capture_stdout(run)?.0 {
        return Ok(None);
    }
    let mut ask = |f, args: &[Value]| match interp.call(f, args) {
        Outcome::Return(Some(Value::Scalar(value))) => Ok(value.word()),
        other => Err(format!("the recorder gives {other:?}")),
    };
    let count = ask(words, &[])? / 2;
    let mut values: BTreeMap<String, BTreeSet<u64>> = BTreeMap::new();
    let mut addresses = BTreeSet::new();
    for k in 0..count {
        let [key, bits] = [0, 1].map(|n| ask(word, &[Value::new(Type::I64, 2 * k + n)]));
        let (name, bits) = (&names[key? as usize - 1], bits?);
        values.entry(name.clone()).or_default().insert(bits);
        if may_be_address(bits) {
            addresses.insert(name.clone());
        }
    }
    values.retain(|name, _| !addresses.contains(name) && (count as usize) < MOST_PAIRS);
    Ok(Some(values))
}

fn name_of(module: &Module, sym: Sym) -> Vec<u8> {
    module.decls.syms[sym].name.to_vec()
}

/// True if a value is in the range where the kernel places memory.
fn may_be_address(bits: u64) -> bool {
    (0x5500_0000_0000..1 << 47).contains(&bits)
}

/// Notes each assignment, also of parameters by the call, with the number of its register from `first` on.
fn watch(f: &mut Function, note: Sym, first: i64) {
    let all: Vec<Inst> = f.layout().all_insts().collect();
    let begin = all[0];
    let params: Vec<Reg> =
        f.params.iter().filter_map(|p| if let Param::Reg(r) = p { Some(*r) } else { None }).collect();
    for r in params {
        note_before(f, begin, note, (first + r.as_u32() as i64, r));
    }
    for i in all {
        let (Some(r), Some(mut next)) = (f.def(i), f.layout().next_inst(i)) else { continue };
        while f.inst(next).op.format() == Format::Phi {
            next = f.layout().next_inst(next).expect("a block ends in a terminator");
        }
        note_before(f, next, note, (first + r.as_u32() as i64, r));
    }
}

fn note_before(f: &mut Function, next: Inst, note: Sym, (number, r): (i64, Reg)) {
    let ty = f.type_of(r);
    let mut value = r;
    let mut convert = |f: &mut Function, op: Opcode, from: Type, to: Type| {
        let wide = f.new_reg(to, NameRef::NONE);
        let data = InstData::convert(op, from, to, value).with_result(wide);
        f.insert_before(next, data);
        value = wide;
    };
    match ty {
        Type::I64 => {}
        Type::F64 => convert(f, Opcode::Bitcast, ty, Type::I64),
        Type::F32 => {
            convert(f, Opcode::Bitcast, ty, Type::I32);
            convert(f, Opcode::Zext, Type::I32, Type::I64);
        }
        Type::I8 | Type::I16 | Type::I32 => convert(f, Opcode::Zext, ty, Type::I64),
        Type::I128 => convert(f, Opcode::Trunc, ty, Type::I64),
    }
    let key = f.new_reg(Type::I64, NameRef::NONE);
    let number = f.make_const(number);
    f.insert_before(next, InstData::move_of(Type::I64, number).with_result(key));
    let args = vec![CallArg::Reg(key, Ext::None), CallArg::Reg(value, Ext::None)];
    let b = f.make_call(&CallInfo { result: CallResult::None, args, fixed: 2, variadic: false });
    f.insert_before(next, InstData::unary(Opcode::Call, Type::I64, Operand::sym(note)).with_list(b));
}

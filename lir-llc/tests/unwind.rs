//! Call frame information agrees with the code, at every instruction: a small abstract interpreter follows the machine
//! code (read by iced-x86) and computes the distances of rsp, rbp and r11 from the caller's frame and the places of the
//! caller's registers; `.eh_frame` (read by gimli) must agree.

use gimli::{BaseAddresses, CfaRule, CieOrFde, EhFrame, LittleEndian, RegisterRule, UnwindContext, UnwindSection};
use iced_x86::{
    Code, Decoder, DecoderOptions, FlowControl, Instruction, InstructionInfoFactory, Mnemonic, OpAccess, OpKind,
    Register,
};
use lir_llc::code::CompiledModule;
use lir_llc::code::{TERMINATOR, eh_frame};
use lir_llc::compile::compile;
use lir_llc::isa::x64::emit::{Reloc, RelocTarget};
use lir_llc::options::CompileOptions;
use lir_llc::options::RelocModel;
use lir_llc::regalloc::ALLOCATORS;
use lir_opt::{Level, Pipeline, RunOptions, optimize};
use lir_random::{Config, generate};
use lir_syntax::ir::Module;
use lir_testing::files::{files_in, module_of, testdata};
use std::collections::BTreeMap;

/// The known facts about a value.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
enum Value {
    /// The CFA plus this.
    Cfa(i64),
    /// The caller's value of the register with this number.
    Entry(usize),
    /// The address of the jump table with this number, or the target of one of its entries.
    Table(u32),
    Unknown,
}

/// The known values of registers and of the stack before an instruction.
#[derive(Clone, PartialEq, Debug)]
struct KnownValues {
    /// The registers, by the number that encodings use.
    regs: [Value; 16],
    /// Pushed values, by offset from the CFA.
    stack: BTreeMap<i64, Value>,
}

const RSP: usize = 4;
const RBP: usize = 5;
/// Encodings' numbers by DWARF's.
const BY_DWARF: [usize; 16] = [0, 2, 1, 3, 6, 7, 5, 4, 8, 9, 10, 11, 12, 13, 14, 15];
const CALLEE_SAVED: [usize; 6] = [3, RBP, 12, 13, 14, 15];
const CALLER_SAVED: [usize; 9] = [0, 1, 2, 6, 7, 8, 9, 10, 11];

impl KnownValues {
    fn at_entry() -> KnownValues {
        let mut regs = std::array::from_fn(Value::Entry);
        regs[RSP] = Value::Cfa(-8);
        KnownValues { regs, stack: BTreeMap::new() }
    }
    /// Keeps the facts that both have; returns whether any was lost.
    fn join(&mut self, other: &KnownValues) -> bool {
        let before = self.clone();
        for (mine, its) in self.regs.iter_mut().zip(other.regs) {
            if *mine != its {
                *mine = Value::Unknown;
            }
        }
        self.stack.retain(|at, v| other.stack.get(at) == Some(v));
        *self != before
    }
    fn plus(&self, r: usize, by: i64) -> Value {
        match self.regs[r] {
            Value::Cfa(k) => Value::Cfa(k + by),
            Value::Entry(_) | Value::Table(_) if by == 0 => self.regs[r],
            Value::Entry(_) | Value::Table(_) | Value::Unknown => Value::Unknown,
        }
    }
    /// Executes an instruction; `table` is the jump table that its displacement is relocated to.
    fn step(&mut self, i: &Instruction, table: Option<u32>, factory: &mut InstructionInfoFactory) {
        let wide = i.op_count() > 0 && i.op0_kind() == OpKind::Register && i.op0_register().is_gpr64();
        let d = if wide { number(i.op0_register()) } else { 0 };
        match i.mnemonic() {
            Mnemonic::Push => {
                self.regs[RSP] = self.plus(RSP, -8);
                if let (Value::Cfa(at), true) = (self.regs[RSP], wide) {
                    self.stack.insert(at, self.regs[d]);
                }
            }
            Mnemonic::Pop => {
                self.regs[d] = match self.regs[RSP] {
                    Value::Cfa(at) => self.stack.get(&at).copied().unwrap_or(Value::Unknown),
                    _ => Value::Unknown,
                };
                self.regs[RSP] = self.plus(RSP, 8);
            }
            Mnemonic::Mov if wide && i.op1_kind() == OpKind::Register => {
                self.regs[d] = self.plus(number(i.op1_register()), 0)
            }
            Mnemonic::Lea if table.is_some() => self.regs[d] = table.map_or(Value::Unknown, Value::Table),
            Mnemonic::Add if wide && i.op1_kind() == OpKind::Register => {
                self.regs[d] = match self.regs[number(i.op1_register())] {
                    Value::Table(n) => Value::Table(n),
                    _ => Value::Unknown,
                }
            }
            Mnemonic::Add if wide && is_immediate(i) => self.regs[d] = self.plus(d, i.immediate(1) as i64),
            Mnemonic::Sub if wide && is_immediate(i) => self.regs[d] = self.plus(d, -(i.immediate(1) as i64)),
            Mnemonic::Lea if wide && i.memory_index() == Register::None && i.memory_base().is_gpr64() => {
                self.regs[d] = self.plus(number(i.memory_base()), i.memory_displacement64() as i64);
            }
            Mnemonic::Call => CALLER_SAVED.iter().for_each(|r| self.regs[*r] = Value::Unknown),
            _ => {
                for used in factory.info(i).used_registers() {
                    let writes = !matches!(used.access(), OpAccess::Read | OpAccess::CondRead | OpAccess::NoMemAccess);
                    if writes && used.register().is_gpr() {
                        self.regs[number(used.register().full_register())] = Value::Unknown;
                    }
                }
            }
        }
    }
}

fn is_immediate(i: &Instruction) -> bool {
    matches!(i.op1_kind(), OpKind::Immediate8to64 | OpKind::Immediate32to64)
}

fn number(r: Register) -> usize {
    r.full_register().number()
}

/// Returns the known values before every reachable instruction of a function. The code begins at 0. `jumps` are the
/// targets of jumps through tables, by the numbers of the tables. Jumps with a relocation leave the function; `relocs`
/// has the offset of each relocation, and the table that it refers to.
fn follow(
    code: &[u8],
    jumps: &BTreeMap<u32, Vec<u64>>,
    relocs: &BTreeMap<u64, Option<u32>>,
) -> BTreeMap<u64, KnownValues> {
    let mut known = BTreeMap::from([(0, KnownValues::at_entry())]);
    let mut work = vec![0];
    let mut factory = InstructionInfoFactory::new();
    while let Some(at) = work.pop() {
        let mut decoder = Decoder::with_ip(64, &code[at as usize..], at, DecoderOptions::NONE);
        let i = decoder.decode();
        assert_ne!(i.code(), Code::INVALID, "at {at:x}");
        let mut state = known[&at].clone();
        let table = relocs.range(at..i.next_ip()).find_map(|(_, table)| *table);
        let jumps_by =
            if i.op_count() == 1 && i.op0_kind() == OpKind::Register { i.op0_register() } else { Register::RSP };
        let jumps_to = match state.regs[number(jumps_by)] {
            Value::Table(n) => jumps[&n].clone(),
            // The target was in memory meanwhile.
            _ => jumps.values().flatten().copied().collect(),
        };
        state.step(&i, table, &mut factory);
        let next = match i.flow_control() {
            FlowControl::Next | FlowControl::Call | FlowControl::IndirectCall => vec![i.next_ip()],
            FlowControl::ConditionalBranch => vec![i.next_ip(), i.near_branch_target()],
            FlowControl::UnconditionalBranch if relocs.contains_key(&(at + 1)) => {
                let left = CALLEE_SAVED.iter().all(|r| state.regs[*r] == Value::Entry(*r));
                assert!(left && state.regs[RSP] == Value::Cfa(-8), "a tail call at {at:x}: {state:?}");
                vec![]
            }
            FlowControl::UnconditionalBranch => vec![i.near_branch_target()],
            FlowControl::IndirectBranch => jumps_to,
            FlowControl::Return | FlowControl::Exception | FlowControl::Interrupt => vec![],
            other => panic!("{other:?} at {at:x}"),
        };
        for to in next.into_iter().filter(|to| *to < code.len() as u64) {
            let lost = match known.get_mut(&to) {
                Some(there) => there.join(&state),
                None => known.insert(to, state.clone()).is_none(),
            };
            if lost {
                work.push(to);
            }
        }
    }
    known
}

/// Counts of the checks, so that a test can tell that it checked something.
#[derive(Default)]
struct Seen {
    instructions: usize,
    by_rsp: usize,
    by_rbp: usize,
    by_r11: usize,
    saved: usize,
    returns: usize,
    /// Functions that make their frame after the entry.
    late: usize,
}

/// Compares the tables of a module with its code.
fn check(compiled: &CompiledModule, what: &str, seen: &mut Seen) {
    let tables = eh_frame(&compiled.code, compiled.functions.iter());
    assert_eq!(tables.code_fields.len(), compiled.functions.len());
    let mut bytes = tables.bytes;
    // The code is at this address, the section at 0.
    const BASE: u64 = 1 << 30;
    for (&field, f) in tables.code_fields.iter().zip(&compiled.functions) {
        let distance = (BASE as u32 + f.start).wrapping_sub(field);
        bytes[field as usize..field as usize + 4].copy_from_slice(&distance.to_le_bytes());
    }
    bytes.extend_from_slice(&TERMINATOR);
    let section = EhFrame::new(&bytes, LittleEndian);
    let bases = BaseAddresses::default().set_eh_frame(0);
    let mut context = UnwindContext::new();
    let mut entries = section.entries(&bases);
    let mut functions = compiled.functions.iter();
    while let Some(entry) = entries.next().unwrap_or_else(|e| panic!("{what}: {e}")) {
        let CieOrFde::Fde(partial) = entry else { continue };
        let fde = partial.parse(|s, bases, o| s.cie_from_offset(bases, o)).expect("an entry");
        let f = functions.next().expect("as many entries as functions");
        assert_eq!((fde.initial_address(), fde.len()), (BASE + f.start as u64, f.len as u64), "{what}");
        seen.late += usize::from(f.frame.late);
        let code = &compiled.code.bytes()[f.start as usize..(f.start + f.len) as usize];
        let targets = |n: u32| compiled.code.tables.targets(n).iter().map(|to| u64::from(to - f.start)).collect();
        let jumps = compiled.code.tables_of(f).map(|n| (n, targets(n))).collect();
        let table = |r: &Reloc| if let RelocTarget::Table(n) = r.target { Some(n) } else { None };
        let relocs = compiled.code.relocs_of(f).iter().map(|r| (u64::from(r.offset - f.start), table(r))).collect();
        for (at, state) in follow(code, &jumps, &relocs) {
            let address = fde.initial_address() + at;
            let row = fde.unwind_info_for_address(&section, &bases, &mut context, address).expect("a row");
            let shown = || format!("{what}: {at:x} in the function at {:x}: {row:?}, {state:?}", f.start);
            let CfaRule::RegisterAndOffset { register, offset } = *row.cfa() else { panic!("{}", shown()) };
            let by = BY_DWARF[register.0 as usize];
            assert_eq!(state.regs[by], Value::Cfa(-offset), "{}", shown());
            assert_eq!(row.register(gimli::X86_64::RA), Some(RegisterRule::Offset(-8)), "{}", shown());
            for r in CALLEE_SAVED {
                let dwarf = BY_DWARF.iter().position(|n| *n == r).expect("a register") as u16;
                let found = match row.register(gimli::Register(dwarf)) {
                    Some(RegisterRule::Offset(offset)) => {
                        seen.saved += 1;
                        state.stack.get(&offset).copied()
                    }
                    None | Some(RegisterRule::Undefined | RegisterRule::SameValue) => Some(state.regs[r]),
                    Some(_) => None,
                };
                assert_eq!(found, Some(Value::Entry(r)), "register {r}, {}", shown());
            }
            seen.instructions += 1;
            seen.returns += usize::from(code[at as usize] == 0xc3);
            match by {
                RSP => seen.by_rsp += 1,
                RBP => seen.by_rbp += 1,
                _ => seen.by_r11 += 1,
            }
        }
    }
    assert!(functions.next().is_none(), "{what}: a function without an entry");
}

/// Compiles at two levels, under every allocator, and compares.
fn check_module(module: &Module, what: &str, seen: &mut Seen) {
    for level in [Level::O0, Level::O2] {
        for &allocator in ALLOCATORS {
            let mut m = module.clone();
            optimize(&mut m, &Pipeline::of_level(level), &RunOptions::default()).expect("optimised");
            let model = RelocModel::Pie;
            let options = CompileOptions { model, allocator: Some(allocator), ..CompileOptions::default() };
            let compiled = compile(&mut m, &options).expect("compiled");
            check(&compiled, &format!("{what} {level:?} {}", allocator.name()), seen);
        }
    }
}

/// Functions with frames of many kinds: `size` bytes of objects, aligned; with a call, with a dynamic allocation, with
/// values that live across calls, and two exits.
fn frames() -> String {
    let mut text = String::from("extern func @use(i64)\n");
    for size in [0u64, 8, 120, 128, 136, 4000, 4088, 4096, 4104, 8192, 12_300, 20_472, 20_480, 65_536, 1 << 20] {
        for align in [8, 16, 64, 4096] {
            for dynamic in [false, true] {
                let grow = if dynamic { "  %d = alloca %n, 32\n  call @use(%d)\n" } else { "" };
                text += &format!(
                    "func @f{size}_{align}_{dynamic}(%n: i64, %m: i64) -> i64 {{
  stack $o: {size} align {align}
entry:
  %p = lea [$o]
  call @use(%p)
{grow}  br %m, one, two
one:
  %r = add i64 %n, %m
  call @use(%n)
  ret %r
two:
  call @use(%n)
  %s = xor i64 %n, 5
  ret %s
}}\n"
                );
            }
        }
    }
    text
}

#[test]
fn frames_of_every_kind_are_described_at_every_instruction() {
    let mut seen = Seen::default();
    check_module(&frames().parse().unwrap(), "frames", &mut seen);
    let Seen { instructions, by_rsp, by_rbp, by_r11, saved, returns, .. } = seen;
    assert!(by_rsp > 1000 && by_rbp > 1000 && by_r11 > 20 && saved > 1000 && returns > 200);
    assert_eq!(instructions, by_rsp + by_rbp + by_r11);
}

/// Functions with paths that need no frame, before, between and after the blocks that do; with frames of some sizes,
/// more or fewer values that live across a call, and arguments on the stack.
fn late_frames() -> String {
    let mut text = String::from("extern func @use(i64, i64) -> i64\n");
    for size in [0u64, 8, 128, 4096, 20_480] {
        for values in 0..8 {
            let list = |each: &dyn Fn(u64) -> String| (0..values).map(each).collect::<String>();
            let made = list(&|k| format!("  %v{k} = mul i64 %n, {}\n", k + 3));
            let used = list(&|k| format!("  %s{} = add i64 %s{k}, %v{k}\n", k + 1));
            let (object, address) = match size {
                0 => (String::new(), "  %p = add i64 %m, 1".to_string()),
                _ => (format!("  stack $o: {size}\n"), "  %p = lea [$o]".to_string()),
            };
            let head = format!(
                "(%n: i64, %m: i64, %a: i64, %b: i64, %c: i64, %d: i64, %e: i64) -> i64 {{
{object}entry:
{made}  br eq i64 %m, 0, slow, fast
"
            );
            let body = format!("{address}\n  %r = call i64 @use(%p, %e)\n  %s0 = call i64 @use(%r, %a)\n{used}");
            // The rare block first or last, one that continues to code that both share, blocks around another, two
            // frames, and a loop.
            text += &format!("func @first{size}_{values}{head}slow:\n{body}  ret %s{values}\nfast:\n  ret %e\n}}\n");
            text += &format!("func @last{size}_{values}{head}fast:\n  ret %e\nslow:\n{body}  ret %s{values}\n}}\n");
            text += &format!(
                "func @joined{size}_{values}{head}slow:
{body}  jmp join
fast:
  %f = mul i64 %n, %n
  br eq i64 %f, 17, more, join
join:
  %x = phi i64 [%f, fast], [%s{values}, slow]
  %y = add i64 %x, %e
  %z = mul i64 %y, %m
  ret %z
more:
  ret %d
}}
"
            );
            text += &format!(
                "func @between{size}_{values}{head}slow:
{body}  br eq i64 %s{values}, 5, deep, out
fast:
  ret %e
out:
  ret %a
deep:
  %t = call i64 @use(%n, %p)
  %u = add i64 %t, %s{values}
  ret %u
}}
"
            );
            text += &format!(
                "func @twice{size}_{values}{head}slow:
{body}  jmp fast
fast:
  %x = phi i64 [%n, entry], [%s{values}, slow]
  br eq i64 %n, 0, again, out
again:
  %t = call i64 @use(%x, %c)
  %u = call i64 @use(%t, %m)
  jmp out
out:
  %y = phi i64 [%x, fast], [%u, again]
  %z = mul i64 %y, %e
  ret %z
}}
"
            );
            text += &format!(
                "func @loop{size}_{values}{head}slow:
  %i = phi i64 [%n, entry], [%j, slow]
{body}  %j = sub i64 %i, 1
  br sgt i64 %j, 0, slow, out
out:
  %y = add i64 %s{values}, %e
  ret %y
fast:
  ret %d
}}
"
            );
        }
    }
    text
}

#[test]
fn frames_that_are_made_late_are_described_at_every_instruction() {
    let mut seen = Seen::default();
    check_module(&late_frames().parse().unwrap(), "late frames", &mut seen);
    assert!(seen.late > 150 && seen.saved > 1000 && seen.by_r11 > 20, "{} of {}", seen.late, seen.returns);
}

#[test]
fn the_code_of_test_programs_is_described_at_every_instruction() {
    let mut seen = Seen::default();
    for path in files_in(&testdata("run"), &["lir"]) {
        check_module(&module_of(&path).unwrap(), &path.display().to_string(), &mut seen);
    }
    assert!(seen.instructions > 1000 && seen.returns > 100);
}

#[test]
fn the_code_of_random_programs_is_described_at_every_instruction() {
    let mut seen = Seen::default();
    for seed in 0..40 {
        check_module(&generate(seed, &Config::default()), &format!("seed {seed}"), &mut seen);
    }
    // Frames of several pages are probed, by r11.
    let Seen { instructions, by_rbp, by_r11, late, .. } = seen;
    assert!(instructions > 10_000 && by_rbp > 1000 && by_r11 > 0 && late > 10, "{by_rbp} {by_r11} {late}");
}

//! Aggregates by value between C and LIR: structs that share out registers and memory in every combination,
//! as parameters, arguments and results, in registers and in memory.

use lir_testing::process::output_of;
use std::path::Path;
use std::process::Command;

/// The members of each struct.
const SHAPES: [&str; 24] = [
    "i64 i64",
    "i64 i32",
    "i32 i64",
    "i32",
    "i32 i32",
    "i32 i32 i32",
    "i8 i8 i8",
    "i8 i16",
    "i8 i8 i8 i8 i8",
    "i16 i16 i16 i16",
    "i16 i16 i16 i16 i16 i16 i16",
    "i64 i8 i8",
    "i8 i64",
    "f64",
    "f64 f64",
    "f32",
    "f32 f32",
    "f32 f32 f32",
    "i64 f64",
    "f64 i8",
    "i32 f32",
    "f32 i32 f64",
    "f32 f32 i16",
    "i64 i64 i64",
];

/// The options of `lir-llc` that the LIR module is compiled with.
const MODES: [&[&str]; 7] = [
    &["-O0"],
    &["-O2"],
    &["-O0", "--codegen=fast"],
    &["-O0", "--regs=4"],
    &["-O2", "--regs=4"],
    &["-O0", "--regalloc-stress=spill"],
    &["-O2", "--regalloc-stress=5"],
];

/// Type, C type and offset of a member.
struct Member {
    ty: &'static str,
    c: &'static str,
    at: usize,
}

/// The members by the rules of C.
fn members(shape: &'static str) -> Vec<Member> {
    let mut end = 0usize;
    let member = |ty| {
        let (c, size) = match ty {
            "i8" => ("int8_t", 1),
            "i16" => ("int16_t", 2),
            "i32" => ("int32_t", 4),
            "i64" => ("int64_t", 8),
            "f32" => ("float", 4),
            _ => ("double", 8),
        };
        let at = end.next_multiple_of(size);
        end = at + size;
        Member { ty, c, at }
    };
    shape.split(' ').map(member).collect()
}

fn lines<'a>(all: &'a [Member], line: impl Fn(usize, &'a Member) -> String) -> String {
    all.iter().enumerate().map(|(j, m)| line(j, m) + "\n").collect()
}

/// `c_step` adds `n` to every member; `check` calls the LIR side.
fn c_side(k: usize, all: &[Member]) -> String {
    let fields = lines(all, |j, m| format!("  {} m{j};", m.c));
    let steps = lines(all, |j, _| format!("  s.m{j} += n;"));
    let values = |by: usize| lines(all, |j, _| format!("{},", by * (j + 1)));
    let expect = |call: &str, value: &dyn Fn(usize) -> usize| {
        let tests = lines(all, |j, _| format!("  if (r.m{j} != {}) return 1;", value(j)));
        format!("  r = {call};\n{tests}")
    };
    let (a, b) = (|j: usize| 3 * (j + 1), |j: usize| 5 * (j + 1));
    let step = expect(&format!("l_step{k}(a, 5)"), &|j| a(j) + 5);
    let left = expect(&format!("l_mix{k}(a, b, 2)"), &|j| if j % 2 == 0 { a(j) } else { b(j) + 2 });
    let right = expect(&format!("l_mix{k}(a, b, 0)"), &|j| if j % 2 == 0 { b(j) } else { a(j) });
    let again = expect(&format!("l_again{k}(b, 2)"), &|j| b(j) + 4 + usize::from(j == 0));
    format!(
        "typedef struct {{\n{fields}}} s{k};
s{k} l_step{k}(s{k}, int64_t), l_mix{k}(s{k}, s{k}, int64_t), l_again{k}(s{k}, int64_t);
s{k} c_step{k}(s{k} s, int64_t n) {{\n{steps}  return s;\n}}
static int check{k}(void) {{
  s{k} a = {{ {} }}, b = {{ {} }}, r;\n{step}{left}{right}{again}  return 0;\n}}\n",
        values(3),
        values(5),
    )
}

/// `l_step` is `c_step`; `l_mix` takes every second member of one struct, and the others of another, through C if `n`
/// is not 0; `l_again` calls C twice, and adds 1 to a member in between.
fn lir_side(k: usize, all: &[Member]) -> String {
    let types: Vec<&str> = all.iter().map(|m| m.ty).collect();
    let add = |j: usize, m: &Member, n: &str, to: &str| {
        let ty = m.ty;
        let (op, convert) = match ty {
            "i64" => ("add", format!("copy i64 {n}")),
            "f32" | "f64" => ("fadd", format!("sitofp i64 {n} to {ty}")),
            _ => ("add", format!("trunc i64 {n} to {ty}")),
        };
        let at = m.at;
        format!(
            "  %n{j} = {convert}\n  %a{j} = load {ty} [$p + {at}]\n  %b{j} = {op} {ty} %a{j}, %n{j}
  store {ty} [${to} + {at}], %b{j}"
        )
    };
    let take = |from: &str, j: usize, m: &Member| {
        let (ty, at) = (m.ty, m.at);
        format!("  %{from}{j} = load {ty} [${from} + {at}]\n  store {ty} [$r + {at}], %{from}{j}")
    };
    let even = |from: &str| lines(all, |j, m| if j % 2 == 0 { take(from, j, m) } else { String::new() });
    let odd = |from: &str| lines(all, |j, m| if j % 2 == 0 { String::new() } else { take(from, j, m) });
    format!(
        "type :s{k} = {{ {members} }}
extern func @c_step{k}(:s{k}, i64) -> :s{k}
func @l_step{k}($p: :s{k}, %n: i64) -> :s{k} {{
  stack $r: :s{k}
entry:\n{steps}  ret :s{k} [$r]\n}}
func @l_mix{k}($p: :s{k}, $q: :s{k}, %n: i64) -> :s{k} {{
  stack $r: :s{k}\n  stack $c: :s{k}
entry:
  br %n, left, right
left:
  call :s{k} [$c], @c_step{k}(:s{k} [$q], %n)\n{even_p}{odd_c}  jmp done
right:\n{odd_p}{even_q}  jmp done
done:
  ret :s{k} [$r]\n}}
func @l_again{k}($p: :s{k}, %n: i64) -> :s{k} {{
entry:
  call :s{k} [$p], @c_step{k}(:s{k} [$p], %n)
  %one = const i64 1\n{first}
  call :s{k} [$p], @c_step{k}(:s{k} [$p], %n)
  ret :s{k} [$p]\n}}\n",
        members = types.join(", "),
        steps = lines(all, |j, m| add(j, m, "%n", "r")),
        first = add(0, &all[0], "%one", "p"),
        even_p = even("p"),
        odd_c = odd("c"),
        odd_p = odd("p"),
        even_q = even("q"),
    )
}

#[test]
fn structs_go_between_c_and_lir() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path();
    let (mut c, mut lir) = (String::from("#include <stdint.h>\n"), String::new());
    for (k, shape) in SHAPES.into_iter().enumerate() {
        let all = members(shape);
        c += &c_side(k, &all);
        lir += &lir_side(k, &all);
    }
    // The number of the first shape that is wrong, counted from 1.
    let checks: String = (0..SHAPES.len()).map(|k| format!("  if (check{k}()) return {};\n", k + 1)).collect();
    c += &format!("int main(void) {{\n{checks}  return 0;\n}}\n");
    std::fs::write(path.join("c.c"), c).expect("c.c");
    std::fs::write(path.join("lir.lir"), lir).expect("lir.lir");
    checks_hold(path, &MODES);
}

/// Compiles `c.c` and, in each mode, `lir.lir` of a folder, links both, and runs the program. Its status is the number
/// of the first wrong check, counted from 1.
pub fn checks_hold(path: &Path, modes: &[&[&str]]) {
    output_of(Command::new("cc").current_dir(path).args(["-O1", "-c", "c.c"]));
    for mode in modes {
        let lir_llc = env!("CARGO_BIN_EXE_lir-llc");
        output_of(Command::new(lir_llc).current_dir(path).args(*mode).args(["lir.lir", "-o", "lir.o"]));
        output_of(Command::new("cc").current_dir(path).args(["c.o", "lir.o", "-o", "main"]));
        let status = Command::new(path.join("main")).status().expect("it runs");
        assert!(status.success(), "{mode:?}: {status:?}, the first wrong check counted from 1");
    }
}

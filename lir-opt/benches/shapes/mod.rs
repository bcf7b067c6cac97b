//! Modules of shapes that have made compilers quadratic, of any size: for the benches of the passes and of the code
//! generator, and for tests of growth.

use lir_syntax::ir::Module;
use std::fmt::Write;

pub mod variables;

/// Instructions of the smaller size, about.
pub const SIZE: usize = 10_000;

/// A text in the making, with the random choices of its shape. Registers are numbered: `%v7`.
pub struct Text {
    out: String,
    random: u64,
    /// The registers that may be read here, oldest first.
    live: Vec<usize>,
    next: usize,
}

impl Text {
    fn new() -> Text {
        Text { out: String::new(), random: 1, live: Vec::new(), next: 0 }
    }
    fn below(&mut self, n: usize) -> usize {
        self.random = self.random.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.random >> 33) as usize % n
    }
    fn line(&mut self, line: std::fmt::Arguments<'_>) {
        // Writing to a string cannot fail.
        let _ = writeln!(self.out, "{line}");
    }
    fn begin(&mut self, name: &str) {
        self.live = vec![0];
        self.next = 1;
        self.line(format_args!("func @{name}(%v0: i64, %p: i64) -> i64 {{\nentry:"));
    }
    fn end(&mut self) {
        let v = self.recent();
        self.line(format_args!("  ret %v{v}\n}}"));
    }
    /// A new register, which may be read from here on.
    fn define(&mut self) -> usize {
        self.live.push(self.next);
        self.next += 1;
        self.next - 1
    }
    /// One of the last registers.
    fn recent(&mut self) -> usize {
        let n = self.live.len();
        let k = self.below(n.min(16));
        self.live[n - 1 - k]
    }
    /// An operation on recent values; of four one is a load or a store.
    fn work(&mut self) {
        let (a, b, offset) = (self.recent(), self.recent(), 8 * self.below(64));
        match self.below(12) {
            0 | 1 => {
                let d = self.define();
                self.line(format_args!("  %v{d} = load i64 [%p + {offset}]"));
            }
            2 => self.line(format_args!("  store i64 [%p + {offset}], %v{a}")),
            k => {
                let op = ["add", "sub", "mul", "xor", "and", "or", "shl", "add", "sub"][k - 3];
                let constant = self.below(3) == 0;
                let d = self.define();
                match constant {
                    true => self.line(format_args!("  %v{d} = {op} i64 %v{a}, {}", offset + 1)),
                    false => self.line(format_args!("  %v{d} = {op} i64 %v{a}, %v{b}")),
                }
            }
        }
    }
    /// Appends some work in an arm, and returns its value for a phi.
    fn arm(&mut self, label: &str, k: usize, join: &str) -> usize {
        let mark = self.live.len();
        self.line(format_args!("{label}{k}:"));
        (0..4).for_each(|_| self.work());
        let v = self.recent();
        self.line(format_args!("  jmp {join}"));
        self.live.truncate(mark);
        v
    }
}

/// One block: values are used soon after they are made.
fn straight(t: &mut Text, n: usize) {
    t.begin("f");
    (0..n).for_each(|_| t.work());
    t.end();
}

/// `if`s with two arms and a phi, one after another.
fn diamonds(t: &mut Text, n: usize) {
    t.begin("f");
    for k in 0..n / 12 {
        let x = t.recent();
        t.line(format_args!("  br slt i64 %v{x}, {k}, a{k}, b{k}"));
        let join = format!("j{k}");
        let (a, b) = (t.arm("a", k, &join), t.arm("b", k, &join));
        let d = t.define();
        t.line(format_args!("j{k}:\n  %v{d} = phi i64 [%v{a}, a{k}], [%v{b}, b{k}]"));
    }
    t.end();
}

/// Loops with some work, one after another, and values that live through all of them.
fn loops(t: &mut Text, n: usize) {
    t.begin("f");
    (0..20).for_each(|_| t.work());
    let mut before = "entry".to_string();
    for k in 0..n / 14 {
        let start = t.recent();
        let (i, sum) = (t.define(), t.define());
        t.line(format_args!("  jmp l{k}\nl{k}:"));
        t.line(format_args!("  %v{i} = phi i64 [0, {before}], [%i{k}, l{k}]"));
        t.line(format_args!("  %v{sum} = phi i64 [%v{start}, {before}], [%s{k}, l{k}]"));
        (0..8).for_each(|_| t.work());
        let v = t.recent();
        t.line(format_args!("  %s{k} = add i64 %v{sum}, %v{v}\n  %i{k} = add i64 %v{i}, 1"));
        t.line(format_args!("  br slt i64 %i{k}, %v0, l{k}, e{k}\ne{k}:"));
        before = format!("e{k}");
    }
    t.end();
}

/// Loops in one another, forty deep, and again.
fn nest(t: &mut Text, n: usize) {
    const DEPTH: usize = 40;
    t.begin("f");
    let mut before = "entry".to_string();
    for k in 0..(n / (9 * DEPTH)).max(1) {
        for d in 0..DEPTH {
            t.line(format_args!(
                "  jmp h{k}x{d}\nh{k}x{d}:\n  %i{k}x{d} = phi i64 [0, {before}], [%n{k}x{d}, t{k}x{d}]"
            ));
            (0..4).for_each(|_| t.work());
            before = format!("h{k}x{d}");
        }
        for d in (0..DEPTH).rev() {
            t.line(format_args!("  jmp t{k}x{d}\nt{k}x{d}:\n  %n{k}x{d} = add i64 %i{k}x{d}, 1"));
            t.line(format_args!("  br slt i64 %n{k}x{d}, %v0, h{k}x{d}, e{k}x{d}\ne{k}x{d}:"));
        }
        before = format!("e{k}x0");
    }
    t.end();
}

/// A chain of tests that all leave for one block: a phi with very many entries.
fn wide(t: &mut Text, n: usize) {
    t.begin("f");
    let mut entries = String::new();
    for k in 0..n / 3 {
        t.line(format_args!("  %x{k} = xor i64 %v0, {k}\n  br eq i64 %x{k}, 77, join, t{k}\nt{k}:"));
        let from = if k == 0 { "entry".to_string() } else { format!("t{}", k - 1) };
        let _ = write!(entries, "[%x{k}, {from}], ");
    }
    let _ = write!(entries, "[1, t{}]", n / 3 - 1);
    let d = t.define();
    t.line(format_args!("  jmp join\njoin:\n  %v{d} = phi i64 {entries}"));
    t.end();
}

/// A switch of very many cases, each with some work.
fn switch(t: &mut Text, n: usize) {
    t.begin("f");
    let cases: Vec<String> = (0..n / 6).map(|k| format!("{k}: c{k}")).collect();
    t.line(format_args!("  switch i64 %v0, join [{}]", cases.join(", ")));
    let gives: Vec<usize> = (0..n / 6).map(|k| t.arm("c", k, "join")).collect();
    let entries: Vec<String> = gives.iter().enumerate().map(|(k, v)| format!("[%v{v}, c{k}]")).collect();
    let d = t.define();
    t.line(format_args!("join:\n  %v{d} = phi i64 [0, entry], {}", entries.join(", ")));
    t.end();
}

/// Many values live at once.
fn longlive(t: &mut Text, n: usize) {
    t.begin("f");
    for k in 0..n / 2 {
        t.line(format_args!("  %a{k} = mul i64 %v0, {}", k + 3));
    }
    for k in 0..n / 2 {
        let sum = t.live[t.live.len() - 1];
        let d = t.define();
        t.line(format_args!("  %v{d} = add i64 %v{sum}, %a{k}"));
    }
    t.end();
}

/// Calls, with values that live across all of them.
fn calls(t: &mut Text, n: usize) {
    t.begin("f");
    (0..12).for_each(|_| t.work());
    let kept = t.live.clone();
    for k in 0..n / 3 {
        let (a, b) = (t.recent(), kept[k % kept.len()]);
        let (c, d) = (t.define(), t.define());
        t.line(format_args!("  %v{c} = call i64 @f(%v{a}, %p)\n  %v{d} = sub i64 %v{c}, %v{b}"));
    }
    t.end();
}

/// Small functions with a loop each.
fn functions(t: &mut Text, n: usize) {
    for k in 0..n / 20 {
        t.begin(&format!("f{k}"));
        (0..5).for_each(|_| t.work());
        let s = t.recent();
        t.line(format_args!(
            "  jmp loop\nloop:\n  %i = phi i64 [0, entry], [%j, loop]\n  %s = phi i64 [%v{s}, entry], [%u, loop]"
        ));
        (0..7).for_each(|_| t.work());
        let v = t.recent();
        t.line(format_args!("  %u = add i64 %s, %v{v}\n  %j = add i64 %i, 1\n  br slt i64 %j, %v0, loop, done\ndone:"));
        t.end();
    }
}

/// Reads one value after the other till one is 0, each after a test of the values so far; all are used at the end. Each
/// exit skips all later tests; each value is then the one that was read, or 0.
fn error_steps(t: &mut Text, n: usize) {
    t.begin("f");
    let steps = n / 7;
    t.line(format_args!("  jmp s0\ns0:\n  %e0 = const i64 0\n  %p0 = copy i64 %p"));
    for k in 0..steps {
        let next = k + 1;
        t.line(format_args!("  br eq i64 %e{k}, 0, r{k}, s{next}\nr{k}:\n  %r{k} = load i64 [%p{k}]"));
        t.line(format_args!("  %q{k} = add i64 %p{k}, 8\n  br eq i64 %r{k}, 0, x{k}, s{next}\nx{k}:\n  jmp s{next}"));
        t.line(format_args!("s{next}:\n  %e{next} = phi i64 [%e{k}, s{k}], [0, r{k}], [1, x{k}]"));
        t.line(format_args!("  %p{next} = phi i64 [%p{k}, s{k}], [%q{k}, r{k}], [%q{k}, x{k}]"));
        t.line(format_args!("  %u{k} = phi i64 [0, s{k}], [%r{k}, r{k}], [%r{k}, x{k}]"));
    }
    sum_up(t, steps, &format!("%e{steps}"));
}

/// Tests that each imply the next one. Each sets a variable, and all are used at the end.
fn implied(t: &mut Text, n: usize) {
    t.begin("f");
    let tests = n / 6;
    t.line(format_args!("  jmp d0\nd0:"));
    for k in 0..tests {
        let next = k + 1;
        t.line(format_args!("  br slt i64 %v0, {k}, a{k}, b{k}\na{k}:\n  jmp d{next}\nb{k}:\n  jmp d{next}"));
        t.line(format_args!("d{next}:\n  %u{k} = phi i64 [{k}, a{k}], [7, b{k}]"));
    }
    sum_up(t, tests, "%v0");
}

/// Makes a value of `%u0`, `%u1`, ..
fn sum_up(t: &mut Text, n: usize, start: &str) {
    let mut sum = start.to_string();
    for k in 0..n {
        let (product, d) = (t.define(), t.define());
        t.line(format_args!("  %v{product} = mul i64 {sum}, 31\n  %v{d} = add i64 %v{product}, %u{k}"));
        sum = format!("%v{d}");
    }
    t.line(format_args!("  ret {sum}\n}}"));
}

/// A generator of a text of about this many instructions.
pub type Shape = fn(&mut Text, usize);

/// By name.
pub const SHAPES: [(&str, Shape); 11] = [
    ("straight", straight),
    ("diamonds", diamonds),
    ("loops", loops),
    ("nest", nest),
    ("wide", wide),
    ("switch", switch),
    ("longlive", longlive),
    ("calls", calls),
    ("functions", functions),
    ("error_steps", error_steps),
    ("implied", implied),
];

/// The module of a shape with about this many instructions.
pub fn module(shape: Shape, n: usize) -> Module {
    let mut text = Text::new();
    shape(&mut text, n);
    let module: Module = text.out.parse().expect("the text is right");
    module
}

/// The instructions of a module.
pub fn num_insts(module: &Module) -> usize {
    let of_function =
        |f: &lir_syntax::ir::Function| f.layout().blocks().map(|b| f.layout().insts(b).count()).sum::<usize>();
    module.funcs.values().map(of_function).sum()
}

/// The shapes named on the command line, including shapes that are not in SSA form; all if none is named.
pub fn wanted() -> Vec<(&'static str, Shape)> {
    let names: Vec<String> = std::env::args().skip(1).filter(|a| !a.starts_with('-')).collect();
    let all = SHAPES.into_iter().chain(variables::VARIABLES);
    all.filter(|(n, _)| names.is_empty() || names.iter().any(|w| w == n)).collect()
}

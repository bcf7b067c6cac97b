//! Functions of variables against the same computation in Rust: random ones, under pressure for registers.

use lir::asm::variables::{Callee, Condition, Float, Function, Int, Loop, MemoryLocation, Switches, Width};
use lir::asm::{Assembler, Link};

/// Numbers that look random.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 16
    }
    fn below(&mut self, n: usize) -> usize {
        (self.next() % n as u64) as usize
    }
}

#[derive(Copy, Clone, Debug)]
enum Right {
    Var(usize),
    Constant(i64),
}

#[derive(Copy, Clone, Debug)]
enum Op {
    Add,
    Sub,
    Mul,
    And,
    Or,
    Xor,
    Div,
    Rem,
    Shl,
    Sar,
    Shr,
}

#[derive(Copy, Clone, Debug)]
enum Test {
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
    Below,
    /// A comparison of the floats with the numbers of both sides.
    Float(u8),
}

#[derive(Clone, Debug)]
enum Stmt {
    Op(usize, Op, usize, Right),
    /// `d = (a + b) * c - 7`, through temporary variables.
    Sum(usize, usize, usize, usize),
    Copy(usize, usize),
    Constant(usize, i64),
    Not(usize, usize),
    Float(usize, Op, usize, usize),
    FloatOf(usize, usize),
    IntOf(usize, usize),
    Call(usize, usize, usize, usize),
    Load(usize, Width, usize),
    Store(usize, Width, usize),
    Raw(usize, usize),
    If(Test, usize, Right, Vec<Stmt>, Option<Vec<Stmt>>),
    /// A loop with this many iterations.
    Loop(i64, Vec<Stmt>),
    ExitUnless(Test, usize, Right),
    Break,
    Ret(usize),
}

const INTS: usize = 20;
const FLOATS: usize = 18;
/// Bytes of memory other than those that variables are stored to at the end.
const BYTES: usize = 64;
/// The memory of live variables.
const HOMES: usize = BYTES + 8 * (INTS + FLOATS);
const WIDTHS: [Width; 7] = [Width::U8, Width::I8, Width::U16, Width::I16, Width::U32, Width::I32, Width::I64];
const CONSTANTS: [i64; 9] = [0, 1, -1, 7, 100, -128, 0x7fff_ffff, 0x1234_5678_9abc_def0, i64::MIN];

extern "C" fn mix(a: i64, x: f64, b: i64) -> i64 {
    a.wrapping_mul(31).wrapping_add(b) ^ x.to_bits() as i64
}

fn right(r: &mut Random, ints: usize) -> Right {
    if r.below(3) == 0 { Right::Constant(CONSTANTS[r.below(9)]) } else { Right::Var(r.below(ints)) }
}

fn test(r: &mut Random) -> Test {
    [Test::Eq, Test::Ne, Test::Lt, Test::Le, Test::Gt, Test::Ge, Test::Below, Test::Float(r.below(6) as u8)][r.below(8)]
}

fn block(r: &mut Random, depth: usize, in_loop: bool) -> Vec<Stmt> {
    let n = 1 + r.below(12);
    let mut all: Vec<Stmt> = (0..n).map(|_| statement(r, depth, in_loop)).collect();
    match r.below(12) {
        0 if in_loop => all.push(Stmt::Break),
        1 if depth > 0 => all.push(Stmt::Ret(r.below(INTS))),
        _ => {}
    }
    all
}

fn statement(r: &mut Random, depth: usize, in_loop: bool) -> Stmt {
    let v = |r: &mut Random| r.below(INTS);
    let x = |r: &mut Random| r.below(FLOATS);
    match r.below(if depth < 3 { 18 } else { 14 }) {
        0..4 => {
            use Op::*;
            let op = [Add, Sub, Mul, And, Or, Xor, Div, Rem, Shl, Sar, Shr][r.below(11)];
            Stmt::Op(v(r), op, v(r), right(r, INTS))
        }
        4 => Stmt::Sum(v(r), v(r), v(r), v(r)),
        5 => Stmt::Copy(v(r), v(r)),
        6 => Stmt::Constant(v(r), CONSTANTS[r.below(9)]),
        7 => Stmt::Float(x(r), [Op::Add, Op::Sub, Op::Mul, Op::Div][r.below(4)], x(r), x(r)),
        8 => Stmt::FloatOf(x(r), v(r)),
        9 => Stmt::IntOf(v(r), x(r)),
        10 => Stmt::Call(v(r), v(r), x(r), v(r)),
        11 => Stmt::Load(v(r), WIDTHS[r.below(7)], r.below(BYTES - 8)),
        12 => Stmt::Store(v(r), WIDTHS[r.below(7)], r.below(BYTES - 8)),
        13 if in_loop => Stmt::ExitUnless(test(r), v(r), right(r, INTS)),
        13 => [Stmt::Not(v(r), v(r)), Stmt::Raw(v(r), v(r))][r.below(2)].clone(),
        14 | 15 => {
            let (t, a, b) = (test(r), v(r), right(r, INTS));
            let then = block(r, depth + 1, in_loop);
            let otherwise = (r.below(2) == 0).then(|| block(r, depth + 1, in_loop));
            Stmt::If(t, a, b, then, otherwise)
        }
        _ => Stmt::Loop(r.below(5) as i64, block(r, depth + 1, true)),
    }
}

// In Rust.

struct Machine {
    ints: [i64; INTS],
    floats: [f64; FLOATS],
    bytes: [u8; BYTES],
}

/// The end of a block.
#[derive(PartialEq)]
enum Flow {
    On,
    Exit,
    Ret(i64),
}

fn apply(op: Op, a: i64, b: i64) -> i64 {
    match op {
        Op::Add => a.wrapping_add(b),
        Op::Sub => a.wrapping_sub(b),
        Op::Mul => a.wrapping_mul(b),
        Op::And => a & b,
        Op::Or => a | b,
        Op::Xor => a ^ b,
        Op::Div => a / ((b & 15) + 1),
        Op::Rem => a % ((b & 15) + 1),
        Op::Shl => a.wrapping_shl(b as u32),
        Op::Sar => a.wrapping_shr(b as u32),
        Op::Shr => (a as u64).wrapping_shr(5) as i64,
    }
}

impl Machine {
    fn right(&self, r: Right) -> i64 {
        match r {
            Right::Var(v) => self.ints[v],
            Right::Constant(k) => k,
        }
    }
    fn holds(&self, test: Test, a: usize, b: Right) -> bool {
        let (x, y) = (self.ints[a], self.right(b));
        match test {
            Test::Eq => x == y,
            Test::Ne => x != y,
            Test::Lt => x < y,
            Test::Le => x <= y,
            Test::Gt => x > y,
            Test::Ge => x >= y,
            Test::Below => (x as u64) < y as u64,
            Test::Float(n) => {
                let (x, y) = (self.floats[a % FLOATS], self.floats[other_float(b)]);
                [x == y, x != y, x < y, x <= y, x > y, x >= y][n as usize]
            }
        }
    }
    fn run(&mut self, block: &[Stmt]) -> Flow {
        for s in block {
            match *s {
                Stmt::Op(d, op, a, b) => self.ints[d] = apply(op, self.ints[a], self.right(b)),
                Stmt::Sum(d, a, b, c) => {
                    let sum = self.ints[a].wrapping_add(self.ints[b]);
                    self.ints[d] = sum.wrapping_mul(self.ints[c]).wrapping_sub(7);
                }
                Stmt::Copy(d, a) => self.ints[d] = self.ints[a],
                Stmt::Constant(d, k) => self.ints[d] = k,
                Stmt::Not(d, a) => self.ints[d] = (!self.ints[a]).wrapping_neg(),
                Stmt::Float(d, op, a, b) => {
                    let (x, y) = (self.floats[a], self.floats[b]);
                    self.floats[d] = match op {
                        Op::Add => x + y,
                        Op::Sub => x - y,
                        Op::Mul => x * y,
                        _ => x / y,
                    };
                }
                Stmt::FloatOf(d, a) => self.floats[d] = self.ints[a] as f64,
                Stmt::IntOf(d, a) => {
                    let x = self.floats[a];
                    let fits = (-9_223_372_036_854_775_808.0..9_223_372_036_854_775_808.0).contains(&x);
                    self.ints[d] = if fits { x as i64 } else { i64::MIN };
                }
                Stmt::Call(d, a, x, b) => self.ints[d] = mix(self.ints[a], self.floats[x], self.ints[b]),
                Stmt::Load(d, width, at) => {
                    let n = i64::from_le_bytes(self.bytes[at..at + 8].try_into().unwrap());
                    self.ints[d] = match width {
                        Width::U8 => n as u8 as i64,
                        Width::I8 => n as i8 as i64,
                        Width::U16 => n as u16 as i64,
                        Width::I16 => n as i16 as i64,
                        Width::U32 => n as u32 as i64,
                        Width::I32 => n as i32 as i64,
                        Width::I64 => n,
                    };
                }
                Stmt::Store(a, width, at) => {
                    let bytes = [1, 1, 2, 2, 4, 4, 8][WIDTHS.iter().position(|w| *w == width).unwrap()];
                    self.bytes[at..at + bytes].copy_from_slice(&self.ints[a].to_le_bytes()[..bytes]);
                }
                Stmt::Raw(d, a) => self.ints[d] = self.ints[d].wrapping_add(self.ints[a]),
                Stmt::If(test, a, b, ref then, ref otherwise) => {
                    let taken = if self.holds(test, a, b) { Some(then) } else { otherwise.as_ref() };
                    match taken.map_or(Flow::On, |block| self.run(block)) {
                        Flow::On => {}
                        other => return other,
                    }
                }
                Stmt::Loop(n, ref body) => {
                    for _ in 0..n {
                        match self.run(body) {
                            Flow::On => {}
                            Flow::Exit => break,
                            ret => return ret,
                        }
                    }
                }
                Stmt::ExitUnless(test, a, b) if !self.holds(test, a, b) => return Flow::Exit,
                Stmt::ExitUnless(..) => {}
                Stmt::Break => return Flow::Exit,
                Stmt::Ret(v) => return Flow::Ret(self.ints[v]),
            }
        }
        Flow::On
    }
}

fn other_float(b: Right) -> usize {
    match b {
        Right::Var(v) => v % FLOATS,
        Right::Constant(k) => k as u8 as usize % FLOATS,
    }
}

// With variables.

struct Emitter<'f> {
    f: &'f Function,
    ints: Vec<Int<'f>>,
    floats: Vec<Float<'f>>,
    memory: Int<'f>,
}

impl<'f> Emitter<'f> {
    fn condition(&self, test: Test, a: usize, b: Right) -> Condition {
        let x = &self.ints[a];
        macro_rules! compare {
            ($method:ident) => {
                match b {
                    Right::Var(v) => x.$method(&self.ints[v]),
                    Right::Constant(k) => x.$method(k),
                }
            };
        }
        match test {
            Test::Eq => compare!(eq),
            Test::Ne => compare!(ne),
            Test::Lt => compare!(lt),
            Test::Le => compare!(le),
            Test::Gt => compare!(gt),
            Test::Ge => compare!(ge),
            Test::Below => compare!(below),
            Test::Float(n) => {
                let (x, y) = (&self.floats[a % FLOATS], &self.floats[other_float(b)]);
                match n {
                    0 => x.eq(y),
                    1 => x.ne(y),
                    2 => x.lt(y),
                    3 => x.le(y),
                    4 => x.gt(y),
                    _ => x.ge(y),
                }
            }
        }
    }
    fn op(&self, op: Op, a: usize, b: Right) -> Int<'f> {
        let a = &self.ints[a];
        let positive = || match b {
            Right::Var(v) => (&self.ints[v] & 15) + 1,
            Right::Constant(k) => self.f.int((k & 15) + 1),
        };
        macro_rules! operator {
            ($op:tt) => {
                match b {
                    Right::Var(v) => a $op &self.ints[v],
                    Right::Constant(k) => a $op k,
                }
            };
        }
        match op {
            Op::Add => operator!(+),
            Op::Sub => operator!(-),
            Op::Mul => operator!(*),
            Op::And => operator!(&),
            Op::Or => operator!(|),
            Op::Xor => operator!(^),
            Op::Shl => operator!(<<),
            Op::Sar => operator!(>>),
            Op::Shr => a.shr_unsigned(5),
            Op::Div => a / positive(),
            Op::Rem => a % positive(),
        }
    }
    fn emit(&self, block: &[Stmt], mut open: Option<&mut Loop>) {
        let ints = &self.ints;
        for s in block {
            match *s {
                Stmt::Op(d, op, a, b) => ints[d].set(self.op(op, a, b)),
                Stmt::Sum(d, a, b, c) => ints[d].set((&ints[a] + &ints[b]) * &ints[c] - 7),
                Stmt::Copy(d, a) => ints[d].set(&ints[a]),
                Stmt::Constant(d, k) => ints[d].set(k),
                Stmt::Not(d, a) => ints[d].set(-!&ints[a]),
                Stmt::Float(d, op, a, b) => {
                    let (x, y) = (&self.floats[a], &self.floats[b]);
                    self.floats[d].set(match op {
                        Op::Add => x + y,
                        Op::Sub => x - y,
                        Op::Mul => x * y,
                        _ => x / y,
                    });
                }
                Stmt::FloatOf(d, a) => self.floats[d].set(ints[a].to_float()),
                Stmt::IntOf(d, a) => ints[d].set(self.floats[a].to_int()),
                Stmt::Call(d, a, x, b) => {
                    let callee = Callee::Address(mix as *const () as u64);
                    ints[d].set(self.f.call(callee, &[&ints[a], &self.floats[x], &ints[b]]));
                }
                Stmt::Load(d, width, at) => ints[d].set(self.memory.load(width, at as i32)),
                Stmt::Store(a, width, at) => self.memory.store(width, at as i32, &ints[a]),
                Stmt::Raw(d, a) => {
                    let sum = ints[d].clone();
                    self.f.append([&sum], [&ints[a]], |a, [sum], [x]| a.add(sum, x));
                    ints[d].set(sum);
                }
                Stmt::If(test, a, b, ref then, ref otherwise) => {
                    let mut i = self.f.begin_if(self.condition(test, a, b));
                    self.emit(then, open.as_deref_mut());
                    if let Some(otherwise) = otherwise {
                        self.f.begin_else(&mut i);
                        self.emit(otherwise, open.as_deref_mut());
                    }
                    self.f.end_if(i);
                }
                Stmt::Loop(n, ref body) => {
                    let count = self.f.int(n);
                    let mut l = self.f.begin_loop();
                    self.f.exit_unless(&mut l, count.gt(0));
                    count.set(&count - 1);
                    self.emit(body, Some(&mut l));
                    self.f.end_loop(l);
                }
                Stmt::ExitUnless(test, a, b) => {
                    let l = open.as_deref_mut().expect("in a loop");
                    self.f.exit_unless(l, self.condition(test, a, b));
                }
                Stmt::Break => self.f.break_loop(open.as_deref_mut().expect("in a loop")),
                Stmt::Ret(v) => self.f.ret(&ints[v]),
            }
        }
    }
}

/// The numbers that variables begin with.
fn start(k: usize) -> i64 {
    (k as i64).wrapping_mul(0x0123_4567_89ab_cdef) >> (k % 60)
}

#[test]
fn random_functions_compute_the_same_as_rust() {
    for seed in 1..6000u64 {
        let mut r = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let program = block(&mut r, 0, false);
        // Every other one with any switches, every third one with some variables in memory of its own.
        let bits = if seed % 2 == 0 { Switches::ON.bits() } else { r.below(Switches::COUNT) };
        let f = Function::begin_with(Assembler::new(), Switches::from_bits(bits));
        let memory = f.int_argument(0);
        let int = |k: usize| {
            if seed % 3 != 0 || k % 4 != 1 {
                return f.int(start(k));
            }
            let v = f.int_at(MemoryLocation::of(&memory).disp((HOMES + 8 * k) as i32));
            v.set(start(k));
            v
        };
        let ints = (0..INTS).map(int).collect();
        let floats = (0..FLOATS).map(|k| f.float(k as f64 - 0.5)).collect();
        let e = Emitter { f: &f, ints, floats, memory };
        e.emit(&program, None);
        for (k, v) in e.ints.iter().enumerate() {
            e.memory.store(Width::I64, (BYTES + 8 * k) as i32, v);
        }
        for (k, x) in e.floats.iter().enumerate() {
            e.memory.store_float((BYTES + 8 * (INTS + k)) as i32, x);
        }
        f.ret(&e.ints[0]);
        let (assembler, entry) = f.end();
        drop(e);
        let code = assembler.link().unwrap_or_else(|e| panic!("seed {seed}: {e}"));
        // SAFETY: it is such a function, and `code` lives until it has returned.
        let native: extern "C" fn(*mut u8) -> i64 = unsafe { code.function(entry) };
        let mut bytes = vec![0x5a; HOMES + 8 * INTS];
        let got = native(bytes.as_mut_ptr());

        let mut machine = Machine {
            ints: std::array::from_fn(start),
            floats: std::array::from_fn(|k| k as f64 - 0.5),
            bytes: [0x5a; BYTES],
        };
        let flow = machine.run(&program);
        let wanted = if let Flow::Ret(n) = flow { n } else { machine.ints[0] };
        assert_eq!(got, wanted, "seed {seed}: {program:#?}");
        assert_eq!(bytes[..BYTES], machine.bytes, "seed {seed}");
        if flow == Flow::On {
            let word = |k: usize| i64::from_le_bytes(bytes[BYTES + 8 * k..][..8].try_into().unwrap());
            for k in 0..INTS {
                assert_eq!(word(k), machine.ints[k], "seed {seed}, variable {k}: {program:#?}");
            }
            for k in 0..FLOATS {
                let (x, y) = (f64::from_bits(word(INTS + k) as u64), machine.floats[k]);
                assert!(x == y || x.is_nan() && y.is_nan(), "seed {seed}, float {k}: {x} and {y}");
            }
        }
    }
}

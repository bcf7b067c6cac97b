//! A stack machine, queens, shortest paths and matrices.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::ops::{Add, Index, Mul};

#[derive(Debug, Clone, Copy)]
enum Op {
    Push(i64),
    Add,
    Mul,
    Less,
    Load(u8),
    Store(u8),
    JumpIf { target: u16, on: bool },
}

#[derive(Debug)]
enum Fault {
    Underflow { at: usize },
    Overflow,
    Steps(u32),
}

fn run(code: &[Op], limit: u32) -> Result<[i64; 4], Fault> {
    let (mut stack, mut locals, mut at) = (Vec::<i64>::with_capacity(8), [0i64; 4], 0);
    for _ in 0..limit {
        let Some(&op) = code.get(at) else { return Ok(locals) };
        at += 1;
        let mut pop = || stack.pop().ok_or(Fault::Underflow { at });
        let result = match op {
            Op::Push(x) => x,
            Op::Add => pop()?.checked_add(pop()?).ok_or(Fault::Overflow)?,
            Op::Mul => pop()?.checked_mul(pop()?).ok_or(Fault::Overflow)?,
            Op::Less => i64::from(pop()? > pop()?),
            Op::Load(i) => locals[usize::from(i)],
            Op::Store(i) => {
                locals[usize::from(i)] = pop()?;
                continue;
            }
            Op::JumpIf { target, on } => {
                if (pop()? != 0) == on {
                    at = usize::from(target);
                }
                continue;
            }
        };
        stack.push(result);
    }
    Err(Fault::Steps(limit))
}

#[derive(Clone, Copy, PartialEq, Debug)]
struct Matrix<T, const N: usize>([[T; N]; N]);

impl<T: Copy + Default + Add<Output = T> + Mul<Output = T>, const N: usize> Mul for Matrix<T, N> {
    type Output = Self;
    fn mul(self, other: Self) -> Self {
        Matrix(std::array::from_fn(|i| {
            std::array::from_fn(|j| (0..N).fold(T::default(), |sum, k| sum + self[(i, k)] * other[(k, j)]))
        }))
    }
}

impl<T, const N: usize> Index<(usize, usize)> for Matrix<T, N> {
    type Output = T;
    fn index(&self, (i, j): (usize, usize)) -> &T {
        &self.0[i][j]
    }
}

fn queens(n: u32, columns: u32, left: u32, right: u32) -> u32 {
    let full = (1 << n) - 1;
    let mut free = full & !(columns | left | right);
    let mut count = u32::from(columns == full);
    while free != 0 {
        let bit = free & free.wrapping_neg();
        free ^= bit;
        count += queens(n, columns | bit, (left | bit) << 1, (right | bit) >> 1);
    }
    count
}

fn paths(n: usize) -> Option<(u32, usize)> {
    let edges = |v: usize| [(v * 7 + 1) % n, (v * v + 3) % n, (v + 11) % n].into_iter().zip([5u32, 9, 2]);
    let mut best = vec![u32::MAX; n];
    let mut queue = BinaryHeap::from([(Reverse(0), 0)]);
    while let Some((Reverse(cost), v)) = queue.pop() {
        if cost >= best[v] {
            continue;
        }
        best[v] = cost;
        queue.extend(edges(v).map(|(to, step)| (Reverse(cost + step), to)));
    }
    best.iter().zip(0..).map(|(&c, v)| (c, v)).filter(|&(c, _)| c < u32::MAX).max()
}

pub fn machine() -> String {
    let add = [Op::Load(1), Op::Load(0), Op::Add, Op::Store(1)];
    let step = [Op::Push(1), Op::Load(0), Op::Add, Op::Store(0)];
    let test = [Op::Push(1000), Op::Load(0), Op::Less, Op::JumpIf { target: 0, on: false }];
    let code = [add, step, test].concat();
    let grow = [Op::Push(3), Op::Load(2), Op::Add, Op::Store(2), Op::Load(2), Op::Load(2), Op::Mul, Op::Store(2), Op::Push(1)];
    let grow: Vec<Op> = grow.into_iter().chain([Op::JumpIf { target: 0, on: true }]).collect();
    let mut matrix = Matrix([[1u64, 1, 0], [1, 0, 1], [0, 1, 1]]);
    for _ in 0..4 {
        matrix = matrix * matrix;
    }
    let floats = Matrix([[0.5f32, 0.25], [1.5, -0.125]]);
    format!(
        "{:?} {:?} {:?} {:?} {matrix:?} {:?} {} {:?}",
        run(&code, 100_000),
        run(&[Op::Add], 9),
        run(&code, 99),
        run(&grow, 500),
        floats * floats * floats,
        queens(8, 0, 0, 0),
        paths(500)
    )
}

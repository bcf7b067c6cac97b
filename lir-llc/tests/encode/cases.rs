//! Chooses the instructions that are tried: the product of everything that an encoding depends on.
//!
//! A [`Shape`] is a row of the table in one of its forms, at one size, under one condition, with AVX or without. Its
//! cases are all tuples of the registers that it reads x its immediates x all addresses, numbered with the addresses
//! running fastest. [`Extent`] selects the numbers that are taken.

use super::calls::{self, Call, Method};
use super::expected::{self, Operand};
use lir_llc::isa::x64::Cond;
use lir_llc::isa::x64::encode::recipe::recipe;
use lir_llc::isa::x64::encode::{Addr, Base, Code, NO_INDEX, Operands};
use lir_llc::isa::x64::notation::{Imm, Recipe};
use lir_llc::mir::{Form, MOp, Size};
use lir_random::extent::few_or_all;
use std::panic::resume_unwind;
use std::sync::LazyLock;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::{fmt, thread};

/// The number of cases that are taken.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Extent {
    /// All.
    Product,
    /// All without a memory operand; of a shape with one as many as there are addresses, evenly spread: each address
    /// comes up, each tuple of registers and each immediate, but not all of them together.
    Sample,
}

impl Extent {
    /// The extent that the environment asks for.
    pub fn asked() -> Extent {
        few_or_all(Extent::Sample, Extent::Product)
    }
}

/// An instruction without its operands.
pub struct Shape {
    pub op: MOp,
    pub form: Form,
    pub size: Size,
    pub cond: Cond,
    /// Whether it is for processors with AVX.
    pub avx: bool,
    /// The assembler's method.
    pub call: Call,
    /// How it is encoded.
    pub recipe: &'static Recipe,
    /// The operands in Intel's order; none if they are implied.
    pub operands: Option<Vec<Operand>>,
    /// The register fields that it reads.
    fields: Vec<usize>,
    imms: &'static [i32],
}

impl Shape {
    fn new((op, form, size, cond, call): Method, avx: bool) -> Shape {
        let recipe = recipe(op, form, avx);
        let (operands, fields, imms) = (None, vec![], imms(recipe));
        let mut shape = Shape { op, form, size, cond, avx, call, recipe, operands, fields, imms };
        shape.operands = expected::operands(&shape);
        let registers = shape.operands.iter().flatten().filter_map(Operand::field);
        shape.fields = registers.collect();
        shape.fields.sort();
        shape.fields.dedup();
        shape
    }
    /// The number of addresses that it meets; one where it has none.
    pub fn addresses(&self) -> u64 {
        if self.form.has_mem() { ADDRESSES.len() as u64 } else { 1 }
    }
    /// The immediates that it meets; one where it has none.
    pub fn imms(&self) -> &'static [i32] {
        self.imms
    }
    /// The number of tuples of registers and an immediate.
    pub fn tuples(&self) -> u64 {
        16u64.pow(self.fields.len() as u32) * self.imms.len() as u64
    }
    /// The number of cases.
    pub fn cases(&self) -> u64 {
        self.tuples() * self.addresses()
    }
    /// The distance of the cases that are taken. A sample of a shape with memory operands has one case for each
    /// address: the number of addresses and the distance have no common factor.
    fn step(&self, extent: Extent) -> u64 {
        let addresses = self.addresses();
        if extent == Extent::Product || addresses == 1 {
            return 1;
        }
        (1..=self.tuples()).rev().find(|step| coprime(*step, addresses)).unwrap_or(1)
    }
    /// The number of cases that are taken.
    pub fn taken(&self, extent: Extent) -> u64 {
        self.cases().div_ceil(self.step(extent))
    }
    /// The operands of a case, and the number of its address.
    pub fn case(&self, number: u64) -> (Operands, usize) {
        let (rest, address) = (number / self.addresses(), (number % self.addresses()) as usize);
        let (mut rest, imm) = (rest / self.imms.len() as u64, (rest % self.imms.len() as u64) as usize);
        // The values of the other fields make no difference.
        let mut regs = [13; 3];
        for &field in &self.fields {
            regs[field] = (rest % 16) as u8;
            rest /= 16;
        }
        (Operands { regs, imm: self.imms[imm], mem: ADDRESSES[address] }, address)
    }
    /// Calls `check` with the cases that are taken, in batches. Returns their number.
    fn walk(&self, extent: Extent, mut check: impl FnMut(&Batch)) -> u64 {
        let mut batch = Batch { shape: self, cases: Vec::with_capacity(BATCH), code: Code::default() };
        batch.code.use_avx(self.avx);
        let (total, step) = (self.cases(), self.step(extent));
        let (mut number, mut count) = (0, 0);
        while number < total {
            batch.cases.clear();
            batch.code.clear();
            while number < total && batch.cases.len() < BATCH {
                batch.push(number);
                number += step;
            }
            count += batch.cases.len() as u64;
            check(&batch);
        }
        count
    }
}

impl fmt::Debug for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Shape { op, form, size, cond, avx, .. } = self;
        write!(f, "{op:?} {form:?} {size:?} {cond:?}{}", if *avx { " with AVX" } else { "" })
    }
}

/// An encoded instruction.
pub struct Case {
    pub operands: Operands,
    /// The number of the memory operand in [`ADDRESSES`].
    pub address: usize,
    /// Where its bytes are in the batch.
    start: usize,
    end: usize,
    /// The encoder's report on a displacement of four bytes: its offset in the instruction, or 0.
    pub displacement: usize,
}

impl Case {
    /// The length of the instruction.
    pub fn len(&self) -> usize {
        self.end - self.start
    }
}

/// The number of cases that are encoded before they are looked at.
const BATCH: usize = 1024;

/// Some cases of a shape, one after the other.
pub struct Batch<'s> {
    pub shape: &'s Shape,
    pub cases: Vec<Case>,
    pub code: Code,
}

impl Batch<'_> {
    fn push(&mut self, number: u64) {
        let Shape { op, form, size, cond, .. } = *self.shape;
        let (operands, address) = self.shape.case(number);
        let start = self.code.len();
        let displacement = self.code.put(op, form, size, cond, &operands) as usize - start;
        self.cases.push(Case { operands, address, start, end: self.code.len(), displacement });
    }
    /// A case and its bytes, for messages.
    pub fn show(&self, case: &Case) -> String {
        format!("{:?} {:?}\nbytes {:02x?}", self.shape, case.operands, self.bytes(case))
    }
    /// The bytes of a case.
    pub fn bytes(&self, case: &Case) -> &[u8] {
        &self.code.bytes()[case.start..case.end]
    }
}

/// Checks all cases that are taken, several shapes at a time: `checker` makes the function that is called with the
/// batches of one shape. Returns the number of cases.
pub fn check_all<C: FnMut(&Batch)>(extent: Extent, checker: impl Fn(&Shape) -> C + Sync) -> u64 {
    let (shapes, next) = (shapes(), AtomicUsize::new(0));
    let work = || {
        let mut count = 0;
        while let Some(shape) = shapes.get(next.fetch_add(1, Ordering::Relaxed)) {
            count += shape.walk(extent, checker(shape));
        }
        count
    };
    let threads = thread::available_parallelism().map_or(1, usize::from);
    thread::scope(|s| {
        let threads: Vec<_> = (0..threads).map(|_| s.spawn(work)).collect();
        threads.into_iter().map(|t| t.join().unwrap_or_else(|panic| resume_unwind(panic))).sum()
    })
}

/// Every row in every form that has an encoding, at each size and condition, without AVX and with it.
pub fn shapes() -> Vec<Shape> {
    // Shapes that AVX does not change occur once.
    let differs = |(op, form, ..): Method| recipe(op, form, true) != recipe(op, form, false);
    let both = |m| [false, true].into_iter().filter(move |avx| !avx || differs(m)).map(move |avx| Shape::new(m, avx));
    calls::all().into_iter().flat_map(both).collect()
}

/// The immediates of an encoding: both sides of the bounds of its range.
fn imms(r: &Recipe) -> &'static [i32] {
    /// Counts up to the size and beyond, 1 being the count that needs no byte.
    const COUNTS: [i32; 64] = {
        let mut all = [0; 64];
        let mut n = 0;
        while n < all.len() {
            all[n] = n as i32;
            n += 1;
        }
        all
    };
    match r.imm {
        Imm::None | Imm::Fixed => &[0],
        Imm::Byte => &[0, 1, 2, 3, 4, 7, 8, 11, 15, 16, 31, 32, 63, 127, 128, 255],
        Imm::Shift => &COUNTS,
        Imm::Short | Imm::Full => {
            &[0, 1, 2, 127, 128, 255, 256, -1, -2, -127, -128, -129, 32767, 32768, -32768, 65535, i32::MAX, i32::MIN]
        }
    }
}

/// Both sides of the bounds of one byte, and the displacement that takes none.
const DISPS: [i32; 9] = [0, 1, 127, 128, -1, -128, -129, i32::MAX, i32::MIN];

/// Every address: each base and none with each index and none, scale and displacement (and one to be relocated), and
/// the addresses relative to rip.
pub static ADDRESSES: LazyLock<Vec<Addr>> = LazyLock::new(|| {
    let bases = (0..16).map(Base::Reg).chain([Base::None]);
    let mut all = Vec::new();
    for base in bases {
        for index in 0..16 {
            for scale in 0..if index == NO_INDEX { 1 } else { 4 } {
                all.extend(DISPS.map(|disp| Addr { base, index, scale, disp, wide: false }));
                all.push(Addr { base, index, scale, disp: 0, wide: true });
            }
        }
    }
    all.extend(DISPS.map(|disp| Addr { disp, ..Addr::rip() }));
    all
});

fn coprime(mut a: u64, mut b: u64) -> bool {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a == 1
}

//! Which instructions are tried.

use lir_llc::x64::encode::recipe::{Imm, ModRm, Recipe, SizeRule, recipe};
use lir_llc::x64::encode::{Addr, Base, NO_INDEX, Operands};
use lir_llc::x64::insts::Props;
use lir_llc::x64::{Cond, Form, Op, Size};

/// An instruction to be encoded.
#[derive(Copy, Clone, Debug)]
pub struct Case {
    pub op: Op,
    pub form: Form,
    pub size: Size,
    pub cond: Cond,
    /// Whether it is for processors with AVX.
    pub avx: bool,
    pub operands: Operands,
}

impl Case {
    /// Whether it is an AVX instruction: on SSE registers, with AVX or in a form of three operands that only AVX has.
    pub fn is_avx(&self) -> bool {
        let props = self.op.props();
        self.avx || props.has(Props::FLOAT_D) && matches!(self.form, Form::DAB | Form::DAM)
    }
    /// How it is encoded.
    pub fn recipe(&self) -> &'static Recipe {
        recipe(self.op, self.form, self.avx)
    }
}

const DISPS: [i32; 9] = [0, 1, 127, 128, -1, -128, -129, i32::MAX, i32::MIN];
const IMMS: [i32; 18] =
    [0, 1, 2, 127, 128, 255, 256, -1, -2, -127, -128, -129, 32767, 32768, -32768, 65535, i32::MAX, i32::MIN];

/// The sizes at which a recipe means something.
fn sizes(r: &Recipe, op: Op, form: Form) -> &'static [Size] {
    use Size::*;
    match r.size {
        SizeRule::Byte => &[S8, S16, S32, S64],
        SizeRule::Word => &[S16, S32, S64],
        SizeRule::DwordQuad | SizeRule::ScalarResult | SizeRule::ScalarQuad | SizeRule::Packed | SizeRule::Round => {
            &[S32, S64]
        }
        SizeRule::Scalar if op == Op::MovF && form != Form::DA => &[S32, S64, S128],
        SizeRule::Scalar => &[S32, S64],
        SizeRule::Fixed => &[S32],
        SizeRule::Quad => &[S64],
    }
}

fn imms(r: &Recipe) -> Vec<i32> {
    match r.imm {
        Imm::None | Imm::Fixed => vec![0],
        Imm::Byte => (0..16).collect(),
        Imm::Shift => (0..64).collect(),
        Imm::Short | Imm::Full => IMMS.to_vec(),
    }
}

/// Every address: each base with each index, scale and displacement, those without a base, and relative to rip.
fn addresses() -> Vec<Addr> {
    let bases = (0..16).map(Base::Reg).chain([Base::None]);
    let mut all = Vec::new();
    for base in bases {
        for index in 0..16 {
            for scale in 0..if index == NO_INDEX { 1 } else { 4 } {
                all.extend(DISPS.map(|disp| Addr { base, index, scale, disp, wide: false }));
            }
        }
    }
    all.extend([0, 5, -5].map(|disp| Addr { disp, ..Addr::rip() }));
    all
}

/// Calls `f` with every case.
pub fn for_each(mut f: impl FnMut(&Case)) {
    let addresses = addresses();
    let mut turn = 0;
    for &op in Op::ALL {
        for (form, _) in Form::ALL {
            for avx in [false, true] {
                let r = recipe(op, form, avx);
                // What AVX changes nothing about came up before.
                if !r.exists() || avx && r == recipe(op, form, false) {
                    continue;
                }
                for &size in sizes(r, op, form) {
                    let conds = if r.takes_cond() { 16 } else { 1 };
                    for cond in (0..conds).map(Cond::from_u8) {
                        let operands = Operands { regs: [0; 3], imm: 0, mem: Addr::base(0, 0) };
                        let case = Case { op, form, size, cond, avx, operands };
                        if form.has_mem() {
                            memory_cases(case, r, &addresses, &mut turn, &mut f);
                        } else {
                            register_cases(case, r, &mut f);
                        }
                    }
                }
            }
        }
    }
}

/// Every pair of registers with every immediate.
fn register_cases(mut case: Case, r: &Recipe, f: &mut impl FnMut(&Case)) {
    for imm in imms(r) {
        for (x, y) in (0..16).flat_map(|x| (0..16).map(move |y| (x, y))) {
            case.operands.regs = match case.form {
                Form::AB => [0, x, y],
                _ if matches!(r.modrm, ModRm::RegVexRm | ModRm::RegRmVex) => [x, (5 * x + 3 * y) % 16, y],
                Form::DTB | Form::DAB | Form::B => [x, 3, y],
                _ => [x, y, 3],
            };
            case.operands.imm = imm;
            f(&case);
        }
    }
}

/// Every address, and every immediate with every register and with some addresses.
fn memory_cases(mut case: Case, r: &Recipe, addresses: &[Addr], turn: &mut usize, f: &mut impl FnMut(&Case)) {
    let imms = imms(r);
    // With one row of each kind of encoding every register meets every address.
    let all = matches!((case.op, case.form), (Op::Mov, Form::DM) | (Op::Lea, _) | (Op::AddF, Form::DAM));
    let mut each = |turn: usize, k: usize, reg: usize, imm: i32| {
        let reg = (reg % 16) as u8;
        // Forms with one register read either; three operands are different ones.
        let a = if r.is_vex() { (reg + 5) % 16 } else { reg };
        case.operands = Operands { regs: [reg, a, 3], imm, mem: addresses[(k + turn) % addresses.len()] };
        f(&case);
    };
    *turn += 1;
    for k in 0..addresses.len() {
        for reg in 0..if all { 16 } else { 1 } {
            each(0, k, k + *turn + reg, imms[(k + *turn) % imms.len()]);
        }
    }
    for (n, &imm) in imms.iter().enumerate().skip_while(|_| imms.len() == 1) {
        for k in (0..addresses.len()).step_by(37) {
            each(n + *turn, k, k + n, imm);
        }
        for reg in 0..16 {
            each(n + *turn, 0, reg, imm);
        }
    }
}

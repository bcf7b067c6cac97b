//! The profile of a function on which `inline` decides: step 1.

use crate::analysis::effects::callee_attrs;
use lir_syntax::ir::{Attrs, Decls, EntitySet, Format, Function, Inst, Opcode, Param, Reg};

/// The findings of one walk over a function.
#[derive(Copy, Clone, Default, Debug)]
pub(super) struct Profile {
    /// About how many machine instructions it is.
    pub(super) size: u32,
    /// Instructions that return.
    pub(super) returns: u32,
    /// Bytes of its stack objects.
    pub(super) frame: u64,
    pub(super) is_ssa: bool,
    pub(super) has_alloca: bool,
    /// It reads its variable arguments.
    pub(super) reads_variable_arguments: bool,
    /// It calls a `returns_twice` function.
    pub(super) calls_returns_twice: bool,
    /// A call in it is marked `musttail`.
    pub(super) has_jumps: bool,
    /// The parameters that a test compares, of the first 64: bit k.
    pub(super) tested_params: u64,
}

/// Scratch memory, kept from function to function.
#[derive(Default)]
pub(super) struct Profiler {
    assigned: EntitySet<Reg>,
}

impl Profiler {
    /// Walks over a function.
    pub(super) fn profile(&mut self, decls: &Decls, f: &Function) -> Profile {
        let frame = f.stack_objects().fold(0u64, |n, (_, o)| n.saturating_add(o.size));
        let mut p = Profile { frame, is_ssa: true, ..Profile::default() };
        self.assigned.clear();
        self.assigned.extend(f.param_regs());
        for i in f.layout().all_insts() {
            self.visit(decls, f, i, &mut p);
        }
        // Jumps and moves are needed where several returns are joined.
        p.size = p.size.saturating_add(2 * p.returns.saturating_sub(1));
        p
    }
    fn visit(&mut self, decls: &Decls, f: &Function, i: Inst, p: &mut Profile) {
        let d = f.inst(i);
        p.size = p.size.saturating_add(size_of(f, i));
        if let Some(r) = f.def(i) {
            p.is_ssa &= self.assigned.insert(r);
        }
        match d.op.format() {
            Format::Return | Format::AggReturn => p.returns += 1,
            Format::Alloca => p.has_alloca = true,
            Format::MemOnly if d.op == Opcode::VaStart => p.reads_variable_arguments = true,
            Format::Call => {
                p.calls_returns_twice |= callee_attrs(decls, f, i).has(Attrs::RETURNS_TWICE);
                p.has_jumps |= f.is_jump(i);
            }
            Format::Compare | Format::Branch | Format::Switch | Format::Select => {
                if let Some(k) = d.first().as_reg().and_then(|r| param_index(f, r)) {
                    p.tested_params |= 1 << k;
                }
            }
            _ => {}
        }
    }
}

/// Returns the number of a parameter among the first 64. Their registers are the first ones of most functions.
fn param_index(f: &Function, r: Reg) -> Option<usize> {
    f.params.iter().take(64).position(|p| *p == Param::Reg(r))
}

/// About how many machine instructions an instruction is.
fn size_of(f: &Function, i: Inst) -> u32 {
    match f.inst(i).op {
        Opcode::Const | Opcode::Jmp | Opcode::Ret => 0,
        Opcode::Select | Opcode::AtomicRmw => 2,
        Opcode::Cmpxchg => 3,
        Opcode::Memcpy | Opcode::Memmove | Opcode::Memset | Opcode::RetAgg | Opcode::VaStart | Opcode::VaEnd => 3,
        Opcode::VaCopy | Opcode::VaArgAgg | Opcode::Alloca => 6,
        Opcode::Call => 3 + f.call_args(i).len() as u32,
        Opcode::Switch => 4 + f.switch_cases(i).len() as u32 / 2,
        _ => 1,
    }
}

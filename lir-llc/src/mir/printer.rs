//! Machine functions as text. They have virtual registers or, given an allocation, hardware registers and the moves
//! between instructions. Given the LIR function they have its labels and the lines of its source, too.

use super::allocation::{Allocation, Edit, Loc};
use super::function::{CallTarget, FixedList, MBlock, MFunction, PhiArg};
use super::operand::{MBase, MReg};
use crate::mir::instruction::MInst;
use crate::mir::{Form, Props, RegClass};
use lir_syntax::ir::function::NO_LOC;
use lir_syntax::ir::{Decls, Function, Sym};
use lir_syntax::printer::{FunctionPrinter, print_sym, printed};
use lir_syntax::text::source::LineTable;
use std::fmt::Write;

/// Comments on the parts of a function, each on a line of its own, which `say` writes.
pub(crate) trait MachineComments {
    /// After the head of a block.
    fn of_block(&self, b: MBlock, say: &mut dyn FnMut(&str));
    /// Before the instruction of this number.
    fn of_inst(&self, k: u32, say: &mut dyn FnMut(&str));
}

/// Appends a function to `out`: a line for each instruction.
pub fn print(decls: &Decls, f: &MFunction, allocation: Option<&Allocation>, out: &mut String) {
    Printer { decls, f, allocation, source: None, comments: None }.blocks(out);
}

/// Appends a function with a header and its labels. Given the lines of the source, the line of an instruction follows
/// it.
pub(crate) fn print_function(
    decls: &Decls,
    (f, allocation): (&MFunction, Option<&Allocation>),
    (func, lines): (&Function, Option<&LineTable>),
    comments: Option<&dyn MachineComments>,
    out: &mut String,
) {
    let source = Some(Source { func, lines, labels: FunctionPrinter::new(decls, func) });
    let printer = Printer { decls, f, allocation, source, comments };
    printer.header(func.sym, out);
    printer.blocks(out);
    out.push_str("}\n");
}

/// The source of the machine function.
struct Source<'a> {
    func: &'a Function,
    lines: Option<&'a LineTable>,
    labels: FunctionPrinter<'a>,
}

/// The column of the source line.
const LINE_COLUMN: usize = 56;

struct Printer<'a> {
    decls: &'a Decls,
    f: &'a MFunction,
    allocation: Option<&'a Allocation>,
    source: Option<Source<'a>>,
    comments: Option<&'a dyn MachineComments>,
}

/// Writing to a string cannot fail.
macro_rules! put {
    ($out:expr, $($arg:tt)*) => {{
        let _ = write!($out, $($arg)*);
    }};
}

impl Printer<'_> {
    /// Prints all blocks, with the edits at their points.
    fn blocks(&self, out: &mut String) {
        let (p, f) = (self, self.f);
        let mut edits = self.allocation.map_or(&[][..], |a| &a.edits[..]);
        for b in f.block_ids() {
            p.block_head(b, out);
            let data = &f.blocks[b.index()];
            for k in data.start..data.end {
                p.edits(&mut edits, 2 * k, out);
                if let Some(comments) = p.comments {
                    comments.of_inst(k, &mut |text| put!(out, "  ; {text}\n"));
                }
                let start = out.len();
                out.push_str("  ");
                p.inst(k as usize, out);
                p.line(k as usize, start, out);
                out.push('\n');
                p.edits(&mut edits, 2 * k + 1, out);
            }
        }
    }

    /// Writes the function's name, its frame and its constants.
    fn header(&self, sym: Sym, out: &mut String) {
        put!(out, "func {} {{\n", self.name(sym));
        for (k, o) in self.f.frame.iter().enumerate() {
            put!(out, "  frame{k}: {} align {}\n", o.size, o.align);
        }
        if let Some(a) = self.allocation.filter(|a| a.num_slots > 0) {
            put!(out, "  slots: {}\n", a.num_slots);
        }
        for (k, c) in self.f.consts.iter().enumerate() {
            let bytes: String = c.iter().rev().map(|b| format!("{b:02x}")).collect();
            put!(out, "  const{k}: 0x{bytes}\n");
        }
        for k in 0..self.f.tables.len() {
            let targets: Vec<String> = self.f.table(k).iter().map(|b| format!("b{}", b.0)).collect();
            put!(out, "  table{k}: {}\n", targets.join(", "));
        }
    }

    /// Writes the line of the source of instruction `k`, whose text began at `start`.
    fn line(&self, k: usize, start: usize, out: &mut String) {
        let Some(source) = &self.source else { return };
        let Some(lines) = source.lines else { return };
        let Some(inst) = self.f.origins.get(k).and_then(|o| o.expand()) else { return };
        let loc = source.func.loc_of(inst);
        if loc != NO_LOC {
            let width = out[start..].chars().count();
            put!(out, "{:pad$} ; line {}", "", lines.line(loc), pad = LINE_COLUMN.saturating_sub(width));
        }
    }

    fn block_head(&self, b: MBlock, out: &mut String) {
        let data = &self.f.blocks[b.index()];
        put!(out, "b{}:", b.0);
        let mut separator = " ; ";
        if let (Some(source), Some(label)) = (&self.source, data.label.expand()) {
            put!(out, " ; {}", printed(|out| source.labels.block(label, out)));
            separator = ", ";
        }
        if data.loop_depth > 0 {
            put!(out, "{separator}loop depth {}", data.loop_depth);
        }
        out.push('\n');
        if let Some(comments) = self.comments {
            comments.of_block(b, &mut |text| put!(out, "  ; {text}\n"));
        }
        // After allocation the moves on the edges replace the phis.
        let phis = if self.allocation.is_none() { self.f.block_phis(b) } else { &[] };
        for phi in phis {
            put!(out, "  {:?} = phi", phi.dst);
            for (k, pred) in data.preds.iter().enumerate() {
                let comma = if k == 0 { " " } else { ", " };
                match self.f.phi_arg(phi, k) {
                    PhiArg::Reg(v) => put!(out, "{comma}[{v:?}, b{}]", pred.0),
                    PhiArg::Const(c) => {
                        let how = &self.f.remats[c as usize];
                        put!(out, "{comma}[{} {}, b{}]", self.f.env.ops[how.op.0 as usize].name, how.imm, pred.0);
                    }
                }
            }
            out.push('\n');
        }
    }

    fn edits(&self, edits: &mut &[(u32, Edit)], point: u32, out: &mut String) {
        let env = self.f.env;
        while let Some(((at, edit), rest)) = edits.split_first()
            && *at <= point
        {
            match edit {
                Edit::Move { from, to, class } => {
                    let what = match (from.as_slot(), to.as_slot()) {
                        (None, Some(_)) => "spill",
                        (Some(_), None) => "reload",
                        (None, None) | (Some(_), Some(_)) => "move",
                    };
                    let class = if *class == RegClass::Int { "" } else { ".f" };
                    put!(out, "    {what}{class} {}, {}\n", env.named(*to), env.named(*from));
                }
                Edit::Exchange(a, b) => put!(out, "    exchange {}, {}\n", env.name(*a), env.name(*b)),
                Edit::Remat(k, to) => {
                    out.push_str("    remat ");
                    let locs = [Loc::reg(*to), Loc::NONE, Loc::NONE, Loc::NONE];
                    self.operation(&self.f.remats[*k as usize], Some(&locs), out);
                    out.push('\n');
                }
            }
            *edits = rest;
        }
    }

    fn inst(&self, k: usize, out: &mut String) {
        let m = &self.f.insts[k];
        self.operation(m, self.allocation.map(|a| &a.locs[k]), out);
        if let Some(record) = self.f.record(m) {
            self.record(record, out);
        }
        match *self.f.blocks_succs_of(k) {
            [] => {}
            [x, ref rest @ ..] => {
                put!(out, " b{}", x.0);
                rest.iter().for_each(|y| put!(out, ", b{}", y.0));
            }
        }
    }

    /// Writes an instruction by its form, fields from the allocation if there is one.
    fn operation(&self, m: &MInst, locs: Option<&[Loc; 4]>, out: &mut String) {
        let env = self.f.env;
        let field = |n: usize, r: MReg, out: &mut String| match locs.map(|l| l[n]).filter(|l| *l != Loc::NONE) {
            Some(l) => put!(out, "{}", env.named(l)),
            None => put!(out, "{}", env.named(r)),
        };
        if m.form.defs_d() {
            field(0, m.d, out);
            out.push_str(" = ");
        }
        // The name of the row: mnemonics are shared (`idiv` gives quotient and remainder).
        put!(out, "{}", env.ops[m.op.0 as usize].name.to_lowercase());
        if self.f.props(m).has(Props::CONDITION) {
            out.push_str(env.condition_names[m.condition().0 as usize]);
        }
        put!(out, ".{}", m.size.bytes());
        let mut separator = " ";
        let mut next = |out: &mut String| out.push_str(std::mem::replace(&mut separator, ", "));
        if m.form.uses_a() && m.form != Form::MA {
            next(out);
            field(1, m.a, out);
        }
        if m.form.uses_b() {
            next(out);
            field(2, MReg::from_bits(m.b), out);
        }
        if m.form.uses_x() && m.form != Form::DAMX {
            next(out);
            field(3, m.x, out);
        }
        if m.form.has_mem() {
            next(out);
            self.memory(m, locs, out);
        }
        match m.form {
            Form::DAMX => {
                next(out);
                field(3, m.x, out);
            }
            Form::MA => {
                next(out);
                field(1, m.a, out);
            }
            Form::MI | Form::DMI => {
                next(out);
                put!(out, "{}", m.get_mem_imm());
            }
            Form::DI | Form::DAI | Form::DTI | Form::AI => {
                next(out);
                put!(out, "{}", m.imm);
            }
            Form::DI64 => {
                next(out);
                put!(out, "{}", m.imm64());
            }
            _ => {}
        }
    }

    fn memory(&self, m: &MInst, locs: Option<&[Loc; 4]>, out: &mut String) {
        let env = self.f.env;
        out.push('[');
        let mut plus = "";
        match m.base() {
            MBase::Reg(r) if r.is_none() => {}
            MBase::Reg(r) => {
                match locs.map(|l| l[2]).filter(|l| *l != Loc::NONE) {
                    Some(l) => put!(out, "{}", env.named(l)),
                    None => put!(out, "{}", env.named(r)),
                }
                plus = " + ";
            }
            base => {
                match base {
                    MBase::Frame(n) => put!(out, "frame{n}"),
                    MBase::Sym(s) => put!(out, "{}", self.name(s)),
                    MBase::Got(s) => put!(out, "got {}", self.name(s)),
                    MBase::Tpoff(s) => put!(out, "tpoff {}", self.name(s)),
                    MBase::GotTpoff(s) => put!(out, "gottpoff {}", self.name(s)),
                    MBase::Const(n) => put!(out, "const{n}"),
                    MBase::Incoming => out.push_str("incoming"),
                    MBase::Outgoing => out.push_str("outgoing"),
                    MBase::RegSave => out.push_str("regsave"),
                    MBase::Table(n) => put!(out, "table{n}"),
                    MBase::Reg(_) => unreachable!("matched above"),
                }
                plus = " + ";
            }
        }
        if !m.x.is_none() && !m.form.uses_x() {
            match locs.map(|l| l[3]).filter(|l| *l != Loc::NONE) {
                Some(l) => put!(out, "{plus}{}*{}", env.named(l), m.scale()),
                None => put!(out, "{plus}{}*{}", env.named(m.x), m.scale()),
            }
            plus = " + ";
        }
        if m.imm != 0 || plus.is_empty() {
            put!(out, "{plus}{}", m.imm);
        }
        out.push(']');
    }

    fn record(&self, r: &FixedList, out: &mut String) {
        match r.target {
            Some(CallTarget::Sym(s)) => put!(out, " {}", self.name(s)),
            Some(CallTarget::Runtime(name)) => put!(out, " {name}"),
            None => {}
        }
        for (what, list) in [("uses", &r.uses[..]), ("defs", &r.defs[..])] {
            if !list.is_empty() {
                put!(out, " {what}");
                for (v, p) in list {
                    match self.allocation {
                        None => put!(out, " {v:?}@{}", self.f.env.name(*p)),
                        Some(_) => put!(out, " {}", self.f.env.name(*p)),
                    }
                }
            }
        }
    }

    fn name(&self, s: Sym) -> String {
        printed(|out| print_sym(self.decls, s, out))
    }
}

impl MFunction {
    /// Returns the successors to print after instruction `k`: the successors of its block, if it is the block's last
    /// instruction.
    fn blocks_succs_of(&self, k: usize) -> &[MBlock] {
        let b = self.blocks.partition_point(|b| b.start as usize <= k).saturating_sub(1);
        let data = &self.blocks[b];
        if data.end as usize == k + 1 { &data.succs } else { &[] }
    }
}

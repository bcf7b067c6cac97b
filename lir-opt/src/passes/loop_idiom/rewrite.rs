//! Steps 4 and 5: inserts the block operation, and the values that are read after the loop.

use super::body::Idiom;
use super::pieces::Stored;
use crate::analysis::linear::Linear;
use crate::edit::blocks::jump_block;
use crate::edit::new_preds::NewPreds;
use crate::edit::reads::replace_reads_by_block;
use lir_syntax::ir::builder::FunctionBuilder;
use lir_syntax::ir::{
    Block, Comparison, Format, Function, Inst, InstData, IntCC, Mem, NameRef, Opcode, Operand, PackedOption, Promises,
    Reg, SecondaryMap, Type,
};

/// A register that a loop assigns, with the operand that holds its last value after the loop.
struct LastValue {
    /// The header of the loop.
    of_loop: Block,
    register: Reg,
    value: Operand,
}

/// A block operation that was written.
struct Written {
    /// The block that leads from it to the exit of the loop.
    from: Block,
    /// Registers of the loop that are read after it, with their last values.
    lasts: Vec<(Reg, Operand)>,
}

/// Writes the block operations of loops: for any number of iterations that is constant, or for `least` and more.
pub(super) fn rewrite_all(f: &mut Function, idioms: &[Idiom], least: u64) {
    let written: Vec<Written> = idioms.iter().map(|idiom| rewrite(f, idiom, least)).collect();
    add_exit_entries(f, idioms, &written);
    let mut last_values = Vec::new();
    for (idiom, Written { from, lasts }) in idioms.iter().zip(written) {
        for (register, value) in lasts.into_iter().filter(|(r, _)| idiom.read_directly.contains(r)) {
            let is_known = idiom.trips.known.is_some();
            let value = if is_known { value } else { exit_phi(f, idiom, register, (from, value)) };
            last_values.push(LastValue { of_loop: idiom.shape.header, register, value });
        }
    }
    if !last_values.is_empty() {
        read_last_values(f, idioms, &last_values);
    }
}

fn rewrite(f: &mut Function, idiom: &Idiom, least: u64) -> Written {
    let (preheader, header) = (idiom.shape.preheader, idiom.shape.header);
    let jump = f.terminator(preheader);
    let (at, n) = match idiom.trips.known {
        Some(n) => (jump, f.make_const(n as i64)),
        None => {
            let n = idiom.trips.compute(f, jump);
            (branch_on_number(f, idiom, n, least), n.into())
        }
    };
    let mut writer = Writer { at, first_values: Vec::new(), n, skipped: 0 };
    writer.write(f, idiom);
    let from = f.layout().block_of(at).expect("the jump was just found or made");
    let lasts: Vec<(Reg, Operand)> = idiom.read_after.iter().map(|r| (*r, writer.last_value(f, idiom, *r))).collect();
    if idiom.trips.known.is_some() {
        f.redirect_edge(preheader, header, idiom.exit);
        f.remove_phi_pred(header, preheader);
    }
    Written { from, lasts }
}

/// Has the preheader branch to a block for the block operation, or to the loop. Returns the jump at the end of that
/// block.
fn branch_on_number(f: &mut Function, idiom: &Idiom, n: Reg, least: u64) -> Inst {
    let (preheader, header) = (idiom.shape.preheader, idiom.shape.header);
    let jump = f.terminator(preheader);
    let loc = f.debug_loc(jump);
    let ty = idiom.trips.ty;
    let [least, window] = [least, idiom.trips.window()].map(|n| f.make_const(n as i64));
    let above = binary(f, jump, Opcode::Sub, ty, n, least);
    let in_window = Comparison { ty, predicate: IntCC::Ult.into(), a: above.into(), b: window };
    f.replace_inst(jump, InstData::branch(in_window));
    let short = jump_block(f, header, preheader, header, loc);
    let long = jump_block(f, header, idiom.shape.latch, idiom.exit, loc);
    f.set_succs(preheader, &[long, short]);
    f.map_phi_preds(header, |p| if p == preheader { short } else { p });
    f.terminator(long)
}

/// Gives the phis of the exits entries for the new edges.
fn add_exit_entries(f: &mut Function, idioms: &[Idiom], written: &[Written]) {
    let mut written_of: SecondaryMap<Block, u32> = SecondaryMap::new();
    let mut exits = NewPreds::default();
    for (k, (idiom, w)) in idioms.iter().zip(written).enumerate() {
        written_of[w.from] = k as u32;
        exits.add(idiom.exit, w.from, idiom.shape.latch);
    }
    exits.finish_with(f, |from, of_loop| {
        let lasts = &written[written_of[from] as usize].lasts;
        lasts.iter().find(|(r, _)| of_loop == Operand::reg(*r)).map_or(of_loop, |(_, last)| *last)
    });
}

/// Makes a phi in the exit. Only the loop and the block operation lead there.
fn exit_phi(f: &mut Function, idiom: &Idiom, register: Reg, (from, value): (Block, Operand)) -> Operand {
    let ty = f.type_of(register);
    let phi = f.new_reg_like(register);
    let entries = f.make_phi(&[(idiom.shape.latch, register.into()), (from, value)]);
    f.prepend_inst(idiom.exit, InstData::new(Opcode::Phi, ty).with_list(entries).with_result(phi));
    phi.into()
}

/// The value of a register of a loop in the first iteration.
struct FirstValue {
    of: Reg,
    /// The register that holds it.
    value: Reg,
    /// The instruction that was written to compute it, if one was.
    copy: Option<Inst>,
}

/// Inserts instructions before an instruction.
struct Writer {
    at: Inst,
    /// Registers of the loop.
    first_values: Vec<FirstValue>,
    /// The number of iterations, of the type of the counter if it is a register.
    n: Operand,
    /// The number of bytes copied before the block operation: the bytes of the first iteration, or none.
    skipped: i64,
}

impl Writer {
    fn write(&mut self, f: &mut Function, idiom: &Idiom) {
        self.compute_first_values(f, idiom);
        if idiom.element.stored.copied().is_some_and(|copied| copied.both_may_fault) {
            self.copy_first(f, idiom);
            self.skipped = idiom.element.size;
        }
        let length = self.length(f, idiom);
        let to = self.lowest_address(f, idiom, idiom.element.lowest_written(f), length);
        let data = match (idiom.element.stored, idiom.element.lowest_read(f)) {
            (Stored::Byte(byte), _) => f.memset(to, byte, length),
            (Stored::Copied(copied), from) => {
                let from = self.lowest_address(f, idiom, from.expect("it copies"), length);
                if copied.may_overlap { f.memmove(to, from, length) } else { f.memcpy(to, from, length) }
            }
        };
        f.insert_before_at(self.at, data, f.debug_loc(idiom.blamed));
    }
    /// Copies the reads and writes of the first iteration.
    fn copy_first(&mut self, f: &mut Function, idiom: &Idiom) {
        let insts = idiom.blocks.iter().flat_map(|b| f.layout().insts(*b));
        let accesses: Vec<Inst> = insts.filter(|i| idiom.element.has(*i)).collect();
        for i in accesses {
            self.copy_inst(f, i);
        }
    }
    /// Copies an instruction of the loop, to be executed as in the first iteration.
    fn copy_inst(&mut self, f: &mut Function, i: Inst) {
        let data = f.copy_inst_data(i).with_promises(Promises::NONE);
        let copy = f.insert_before_at(self.at, data, f.debug_loc(i));
        self.read_first_values(f, copy);
        if let Some(r) = f.def(i) {
            let first = f.new_reg_like(r);
            f.replace_inst(copy, f.inst(copy).with_result(first));
            self.first_values.push(FirstValue { of: r, value: first, copy: Some(copy) });
        }
    }
    /// Returns the bytes of the block operation.
    fn length(&self, f: &mut Function, idiom: &Idiom) -> Operand {
        let (size, skipped) = (idiom.element.size, self.skipped);
        if let Some(n) = f.constant(self.n) {
            return f.make_const(n.wrapping_mul(size).wrapping_sub(skipped));
        }
        let n = self.n_as(f, Type::I64);
        let all = self.scaled(f, Type::I64, n, size);
        if skipped == 0 {
            return all;
        }
        let (all, skipped) = (all.as_reg().expect("the number is not constant"), f.make_const(-skipped));
        binary(f, self.at, Opcode::Add, Type::I64, all, skipped).into()
    }
    /// Copies the instructions that the addresses and the last values need.
    fn compute_first_values(&mut self, f: &mut Function, idiom: &Idiom) {
        let mut needed: Vec<Reg> = idiom.read_after.clone();
        let insts = || idiom.blocks.iter().rev().flat_map(|b| f.layout().insts_rev(*b));
        let addresses = [Some(idiom.element.lowest_written(f)), idiom.element.lowest_read(f)];
        addresses.into_iter().flatten().for_each(|m| needed.extend(m.regs()));
        if idiom.element.stored.copied().is_some_and(|copied| copied.both_may_fault) {
            insts().filter(|i| idiom.element.has(*i)).for_each(|i| f.for_each_mem(i, |m| needed.extend(m.regs())));
        }
        needed.retain(|r| idiom.forms.has(*r));
        let mut copied: Vec<Inst> = Vec::new();
        for i in insts() {
            if f.def(i).is_some_and(|r| needed.contains(&r)) {
                copied.push(i);
                if f.inst(i).op != Opcode::Phi {
                    f.for_each_use(i, |r| needed.push(r));
                }
            }
        }
        for &i in copied.iter().rev() {
            if f.inst(i).op.format() != Format::Phi {
                self.copy_inst(f, i);
            } else if let Some(r) = f.def(i) {
                let start = f.phi_entries(i).find(|(p, _)| *p != idiom.shape.latch).expect("it has two entries").1;
                let first = in_register(f, self.at, f.type_of(r), start);
                self.first_values.push(FirstValue { of: r, value: first, copy: None });
            }
        }
    }
    fn read_first_values(&self, f: &mut Function, i: Inst) {
        let first = |r: Reg| self.first_values.iter().find(|v| v.of == r).map_or(r, |v| v.value);
        f.rewrite_uses(i, |u| first(u.reg).into());
    }
    /// Returns the lowest byte that the block operation accesses, if the first iteration accesses `first`.
    fn lowest_address(&self, f: &mut Function, idiom: &Idiom, first: Mem, length: Operand) -> Mem {
        let address = f.new_reg(Type::I64, NameRef::NONE);
        let data = f.lea(first);
        let lea = f.insert_before(self.at, data.with_result(address));
        self.read_first_values(f, lea);
        if !idiom.element.down {
            return Mem { disp: self.skipped as i32, ..Mem::reg(address) };
        }
        // The end of the first remaining iteration.
        let end = match idiom.element.size - self.skipped {
            0 => address,
            size => {
                let size = f.make_const(size);
                binary(f, self.at, Opcode::Add, Type::I64, address, size)
            }
        };
        Mem::reg(binary(f, self.at, Opcode::Sub, Type::I64, end, length))
    }
    /// Returns the value of a register in the last iteration.
    fn last_value(&self, f: &mut Function, idiom: &Idiom, r: Reg) -> Operand {
        if let Some((_, bound)) = idiom.trips.at_the_end.filter(|(at_the_end, _)| *at_the_end == r) {
            return in_register(f, self.at, f.type_of(r), bound).into();
        }
        let first = self.first_values.iter().find(|v| v.of == r).expect("it was computed before");
        let stride = idiom.forms.stride(r).expect("it was looked at before");
        if stride == 0 {
            return first.value.into();
        }
        let ty = f.type_of(r);
        let Some(n) = f.constant(self.n) else {
            let n = self.n_as(f, ty);
            let minus_one = f.make_const(-1);
            let steps = binary(f, self.at, Opcode::Add, ty, n, minus_one);
            let growth = self.scaled(f, ty, steps, stride);
            return binary(f, self.at, Opcode::Add, ty, first.value, growth).into();
        };
        // One sum, so that a loop around sees the counter that the last value is.
        let (from, more) = first.copy.and_then(|i| sum(f, i)).unwrap_or((first.value, 0));
        let growth = f.make_typed_const(ty, (n - 1).wrapping_mul(stride).wrapping_add(more) as u64);
        binary(f, self.at, Opcode::Add, ty, from, growth).into()
    }
    /// Returns the number of iterations, in the low bits of a type.
    fn n_as(&self, f: &mut Function, ty: Type) -> Reg {
        let n = self.n.as_reg().expect("the number is not constant");
        let of = f.type_of(n);
        let op = match ty.bits().cmp(&of.bits()) {
            std::cmp::Ordering::Equal => return n,
            std::cmp::Ordering::Greater => Opcode::Zext,
            std::cmp::Ordering::Less => Opcode::Trunc,
        };
        let r = f.new_reg(ty, NameRef::NONE);
        f.insert_before(self.at, InstData::convert(op, of, ty, n).with_result(r));
        r
    }
    fn scaled(&self, f: &mut Function, ty: Type, n: Reg, by: i64) -> Operand {
        match by {
            1 => n.into(),
            _ if by > 0 && by.count_ones() == 1 => {
                let shift = f.make_const(i64::from(by.trailing_zeros()));
                binary(f, self.at, Opcode::Shl, ty, n, shift).into()
            }
            _ => {
                let by = f.make_typed_const(ty, by as u64);
                binary(f, self.at, Opcode::Mul, ty, n, by).into()
            }
        }
    }
}

/// Inserts a binary operation before an instruction.
fn binary(f: &mut Function, at: Inst, op: Opcode, ty: Type, a: Reg, b: Operand) -> Reg {
    FunctionBuilder::before(f, at).binary(op, ty, a, b)
}

/// Returns the register that holds an operand, a new one for a constant.
fn in_register(f: &mut Function, at: Inst, ty: Type, o: Operand) -> Reg {
    o.as_reg().unwrap_or_else(|| FunctionBuilder::before(f, at).constant(ty, o))
}

/// Returns the register and the constant that an instruction adds.
fn sum(f: &Function, i: Inst) -> Option<(Reg, i64)> {
    let sum = Linear::of(f, i, |o| f.constant(o)).filter(|_| f.inst(i).op == Opcode::Add)?;
    Some((sum.as_register_and_constant()?, sum.plus))
}

/// Makes readers after the loops read the last values of their registers.
fn read_last_values(f: &mut Function, idioms: &[Idiom], last_values: &[LastValue]) {
    let mut numbers: SecondaryMap<Reg, u32> = SecondaryMap::new();
    numbers.reset(f.num_regs());
    for (k, l) in last_values.iter().enumerate() {
        numbers[l.register] = k as u32 + 1;
    }
    let mut header_of: SecondaryMap<Block, PackedOption<Block>> = SecondaryMap::new();
    header_of.reset(f.num_blocks());
    for idiom in idioms {
        idiom.blocks.iter().for_each(|b| header_of[*b] = idiom.shape.header.into());
    }
    // A last value may be the last value of a loop before.
    let last = |r: Reg, at: Block| {
        let mut o = Operand::reg(r);
        while let Some(k) = o.as_reg().and_then(|r| numbers[r].checked_sub(1)) {
            let l = &last_values[k as usize];
            if header_of[at] == l.of_loop.into() {
                break;
            }
            o = l.value;
        }
        o
    };
    replace_reads_by_block(f, |r| numbers[r] != 0, last);
}

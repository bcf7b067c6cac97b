//! Tables of address differences, which clang writes for a `switch` that selects a constant.
//!
//! ```text
//! @t = constant [2 x i32] [i32 trunc (i64 sub (i64 ptrtoint (ptr @a to i64),
//!                                             i64 ptrtoint (ptr @t to i64)) to i32), ..]
//! %p = call ptr @llvm.load.relative.i64(ptr @t, i64 %offset)
//! ```
//!
//! LIR's data cannot express differences. So a local table whose every element is a difference from the start of the
//! table, and whose only uses are calls of `llvm.load.relative`, becomes a table of addresses: `load i64 [@t +
//! %offset*2]`.

use super::super::ast::{Constant, Global, Linkage, List, Op, Operand, Program, Value};
use super::super::types::Kind;
use std::collections::{HashMap, HashSet};

/// The bytes of a difference.
pub(super) const DIFFERENCE: u64 = 4;
/// The bytes of an address.
pub(super) const ADDRESS: u64 = 8;

/// The tables that become tables of addresses.
#[derive(Default)]
pub(super) struct RelativeTables {
    tables: HashSet<Global>,
}

impl RelativeTables {
    /// Finds the tables of a program.
    pub(super) fn of(program: &Program) -> RelativeTables {
        let loaded = loads(program);
        // By table: the number of uses that a table of addresses allows. Each element mentions the table once.
        let mut allowed: HashMap<Global, usize> = HashMap::new();
        for variable in program.variables.iter().filter(|v| v.symbol.linkage == Linkage::Local) {
            if let (Some(value), Some(loads)) = (variable.value, loaded.get(&variable.name))
                && let Some(elements) = differences(program, variable.name, value)
            {
                allowed.insert(variable.name, elements.len() + loads);
            }
        }
        let mut uses = allowed.clone();
        let values = program.operands.iter().map(|o| o.value);
        let values = values.chain(program.variables.iter().filter_map(|v| v.value));
        for value in values.chain(program.aliases.iter().map(|a| a.target.value)).filter(|_| !allowed.is_empty()) {
            if let Value::Global(global) = value
                && let Some(left) = uses.get_mut(&global)
            {
                *left = left.wrapping_sub(1);
            }
        }
        RelativeTables { tables: uses.into_iter().filter(|(_, left)| *left == 0).map(|(table, _)| table).collect() }
    }

    /// True if a variable is a table of addresses in LIR.
    pub(super) fn contains(&self, global: Global) -> bool {
        self.tables.contains(&global)
    }
}

/// Returns the minuends of the differences in a table. None if the variable is not such a table.
pub(super) fn differences(program: &Program, table: Global, value: Value) -> Option<Vec<Operand>> {
    let Value::Const(c) = value else { return None };
    let Constant::List(list) = program.constants[c] else { return None };
    let elements = &program.operands[list.range()];
    elements.iter().map(|element| minuend(program, table, element)).collect()
}

/// Returns `a` of `trunc (i64 sub (i64 ptrtoint (ptr a to i64), i64 ptrtoint (ptr @table to i64)) to i32)`.
fn minuend(program: &Program, table: Global, element: &Operand) -> Option<Operand> {
    if *program.types.kind(element.ty) != Kind::Int(32) {
        return None;
    }
    let [difference] = operands(program, Op::Trunc, element)? else { return None };
    let [to, from] = operands(program, Op::Sub, difference)? else { return None };
    let [base] = operands(program, Op::PtrToInt, from)? else { return None };
    let [address] = operands(program, Op::PtrToInt, to)? else { return None };
    (base.value == Value::Global(table)).then_some(*address)
}

/// Returns the operands of a constant expression, if it has the wanted operation.
fn operands<'a>(program: &'a Program, wanted: Op, operand: &Operand) -> Option<&'a [Operand]> {
    let Value::Const(c) = operand.value else { return None };
    match program.constants[c] {
        Constant::Expr { op, operands, .. } if op == wanted => Some(&program.operands[List::range(operands)]),
        _ => None,
    }
}

/// True for the name of the intrinsic that reads a table.
fn is_load(name: &[u8]) -> bool {
    name.starts_with(b"llvm.load.relative.")
}

/// Returns the tables that `llvm.load.relative` reads, each with the number of its calls.
fn loads(program: &Program) -> HashMap<Global, usize> {
    let readers: HashSet<Global> = program.globals.keys().filter(|g| is_load(program.globals.get(*g))).collect();
    let mut tables = HashMap::new();
    if readers.is_empty() {
        return tables;
    }
    for body in program.functions.iter().filter_map(|def| def.body.as_deref()) {
        for inst in body.insts.iter().filter(|inst| inst.op == Op::Call) {
            let Value::Global(callee) = body.calls[inst.extra as usize].callee.value else { continue };
            if let Some(Operand { value: Value::Global(table), .. }) = program.operands[inst.operands.range()].first()
                && readers.contains(&callee)
            {
                *tables.entry(*table).or_insert(0) += 1;
            }
        }
    }
    tables
}

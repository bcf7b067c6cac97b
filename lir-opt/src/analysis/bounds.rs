//! Checks that constant byte ranges are inside their object, as the verifier requires (V17) for accesses at a constant
//! offset of a stack object or a data object defined here.
//!
//! Code that is never executed may compute any address and any length, and an access outside is a fault only when it is
//! executed. So a pass that finds the value of a base or a length must not always insert it: it remains in its
//! register.

use lir_syntax::ir::function::Use;
use lir_syntax::ir::{
    Base, CallArg, CallResult, Decls, Format, Function, Inst, Mem, Opcode, Operand, Sym, VA_LIST_SIZE, lies_within,
};

/// Offsets from a symbol are smaller, either way: code and data lie within 2^31 bytes of each other, with their
/// offsets.
pub(crate) const MAX_SYMBOL_OFFSET: u32 = 1 << 24;
/// Limit on the items of a data object that are examined for a bound.
const MAX_ITEMS: usize = 64;

/// [`Function::rewrite_uses`] for passes that write constants: the length of a block operation stays a register
/// where the constant would leave the bounds of an object. The register that was read is assigned still. Returns
/// whether a length stayed so.
pub(crate) fn rewrite_uses(f: &mut Function, decls: &Decls, i: Inst, to: impl FnMut(Use) -> Operand) -> bool {
    let before = *f.inst(i);
    f.rewrite_uses(i, to);
    let has_length = matches!(before.op.format(), Format::MemCopy | Format::MemFill);
    if !has_length || before.length().is_const() || f.inst(i).length().is_reg() {
        return false;
    }
    let (mut k, mut inside) = (0, true);
    f.for_each_mem(i, |m| {
        inside &= stays_inside(f, decls, i, k, &m);
        k += 1;
    });
    if !inside {
        let data = f.inst(i).with_length(before.length());
        f.replace_inst(i, data);
    }
    !inside
}

/// True if memory operand `k` of an instruction may be `m`: constant bytes are in their object.
pub(crate) fn stays_inside(f: &Function, decls: &Decls, i: Inst, k: usize, m: &Mem) -> bool {
    let size = access_size(f, decls, i, k);
    if m.index.is_some() || size == 0 {
        return true;
    }
    match m.base {
        Base::Reg(_) | Base::None => true,
        Base::Obj(o) => lies_within(m.disp.into(), size, f.stack[o].size),
        Base::Sym(s) => lies_in_data(decls, s, m.disp.into(), size),
    }
}

/// True if `len` bytes from `offset` are in a symbol's data object, defined here. False beyond the first [`MAX_ITEMS`]
/// items, so that many queries about a long table do not cost its length each.
pub(crate) fn lies_in_data(decls: &Decls, s: Sym, offset: i64, len: u64) -> bool {
    let Some(data) = decls.known_data(s) else { return false };
    let mut size = 0u64;
    lies_within(offset, len, size)
        || data.items.iter().take(MAX_ITEMS).any(|item| {
            size = size.saturating_add(item.size());
            lies_within(offset, len, size)
        })
}

/// Returns the number of bytes that an instruction accesses at memory operand `k`. 0 if it is unknown, and for
/// `lea`.
fn access_size(f: &Function, decls: &Decls, i: Inst, k: usize) -> u64 {
    let d = f.inst(i);
    let agg_size = |agg| decls.types[agg].size;
    match d.op.format() {
        Format::Load if d.op != Opcode::Load => VA_LIST_SIZE,
        Format::Load | Format::Store => u64::from(d.ty.bytes()),
        format if format.is_atomic() => u64::from(d.ty.bytes()),
        Format::MemCopy | Format::MemFill => f.constant(d.length()).map_or(0, |n| n as u64),
        Format::MemOnly | Format::MemPair => VA_LIST_SIZE,
        Format::AggMemPair if k == 1 => VA_LIST_SIZE,
        Format::AggMemPair | Format::AggReturn => agg_size(d.agg()),
        Format::Call => {
            let result = if let CallResult::Agg(agg, _) = f.call_result(i) { Some(agg) } else { None };
            let args = f.call_args(i).filter_map(|a| if let CallArg::Agg(agg, _) = a { Some(agg) } else { None });
            result.into_iter().chain(args).nth(k).map_or(0, agg_size)
        }
        _ => 0,
    }
}

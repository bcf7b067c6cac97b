//! The values of loads from constant data.

use lir_syntax::ir::{Base, DataItem, Decls, Format, Function, Inst, Mem, Opcode, Operand, Reg, Sym, Type};

/// The contents of constant data at an offset.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) enum KnownData {
    /// These bits, zero-extended.
    Bits(u64),
    /// The address of a symbol plus an offset.
    Address(Sym, i64),
}

/// Limit on the items of a data object that are examined: its first ones. A load far inside of a long table is not
/// followed, since many of them would cost the table's length each.
const MAX_ITEMS: usize = 256;

/// Returns the value of a load of a `ty` from `[sym + offset]`. None unless the symbol is `const data` that is defined
/// here, and all the bytes are inside of it. Bytes of an address are known only where the load reads all of it as an
/// i64.
pub(crate) fn known_load(decls: &Decls, sym: Sym, offset: i64, ty: Type) -> Option<KnownData> {
    let data = decls.known_data(sym).filter(|d| d.constant && !d.thread)?;
    let (first, end) = (u64::try_from(offset).ok()?, u64::try_from(offset).ok()? + u64::from(ty.bytes()));
    let mut bytes = [0; 8];
    let mut start = 0u64;
    for item in data.items.iter().take(MAX_ITEMS) {
        let next = start.checked_add(item.size())?;
        if next > first {
            let (from, to) = (start.max(first), next.min(end));
            let out = &mut bytes[(from - first) as usize..(to - first) as usize];
            let skip = (from - start) as usize;
            match item {
                DataItem::Scalar(t, payload) => {
                    let item = t.as_word().truncate(*payload as u64).to_le_bytes();
                    out.copy_from_slice(&item[skip..skip + out.len()]);
                }
                DataItem::Wide(halves) => out.copy_from_slice(&wide_bytes(*halves)[skip..skip + out.len()]),
                DataItem::Str(text) => out.copy_from_slice(&text[skip..skip + out.len()]),
                DataItem::Zero(_) => {}
                DataItem::Addr(s, plus) => {
                    let whole = start == first && ty == Type::I64;
                    return whole.then_some(KnownData::Address(*s, *plus));
                }
            }
        }
        if next >= end {
            return Some(KnownData::Bits(u64::from_le_bytes(bytes)));
        }
        start = next;
    }
    None
}

/// Returns the bytes of `const data` from an offset on: to its end, to an address in it, or `max` of them. None as of
/// [`known_load`].
pub(crate) fn known_bytes(decls: &Decls, sym: Sym, offset: i64, max: usize) -> Option<Vec<u8>> {
    let data = decls.known_data(sym).filter(|d| d.constant && !d.thread)?;
    let mut skip = u64::try_from(offset).ok()?;
    let mut bytes = Vec::new();
    for item in data.items.iter().take(MAX_ITEMS) {
        let size = item.size();
        if skip >= size {
            skip -= size;
            continue;
        }
        let (from, room) = (skip as usize, max - bytes.len());
        skip = 0;
        match item {
            DataItem::Scalar(t, payload) => {
                let item = t.as_word().truncate(*payload as u64).to_le_bytes();
                bytes.extend(item[from..size as usize].iter().take(room));
            }
            DataItem::Wide(halves) => bytes.extend(wide_bytes(*halves)[from..].iter().take(room)),
            DataItem::Str(text) => bytes.extend(text[from..].iter().take(room)),
            DataItem::Zero(n) => bytes.resize(bytes.len() + (*n as usize - from).min(room), 0),
            DataItem::Addr(..) => break,
        }
        if bytes.len() == max {
            break;
        }
    }
    (!bytes.is_empty()).then_some(bytes)
}

fn wide_bytes(halves: [u64; 2]) -> [u8; 16] {
    DataItem::of_halves(halves).to_le_bytes()
}

/// Sums that are followed from an address to the symbol that it was made from.
const MAX_SUMS: usize = 8;

/// Returns the symbol that a memory operand is at a constant offset from, and that offset. `index` knows the values of
/// indices, and `def` the one assignment of a register.
pub(crate) fn address_of(
    f: &Function,
    mem: &Mem,
    index: impl FnOnce(Reg) -> Option<i64>,
    def: impl Fn(Reg) -> Option<Inst>,
) -> Option<(Sym, i64)> {
    let mut base = mem.base;
    let mut offset = i64::from(mem.disp);
    if matches!(base, Base::Obj(_) | Base::None) {
        return None;
    }
    if let Some(r) = mem.index {
        offset = offset.checked_add(index(r)?.checked_mul(mem.scale.into())?)?;
    }
    for _ in 0..=MAX_SUMS {
        let r = match base {
            Base::Sym(s) => return Some((s, offset)),
            Base::Reg(r) => r,
            Base::Obj(_) | Base::None => return None,
        };
        let i = def(r)?;
        let d = f.inst(i);
        if d.op.format() == Format::Address {
            let mem = Some(f.mem(i)).filter(|m| m.index.is_none())?;
            base = mem.base;
            offset = offset.checked_add(mem.disp.into())?;
        } else if d.op == Opcode::Copy {
            base = Base::Reg(d.first().as_reg()?);
        } else if d.op == Opcode::Add && d.ty == Type::I64 {
            base = Base::Reg(d.first().as_reg()?);
            offset = offset.checked_add(constant(f, d.second(), &def)?)?;
        } else {
            return None;
        }
    }
    None
}

/// Returns the constant that an operand is, or that the register holds.
fn constant(f: &Function, o: Operand, def: impl Fn(Reg) -> Option<Inst>) -> Option<i64> {
    let Some(r) = o.as_reg() else { return f.constant(o) };
    let d = f.inst(def(r)?);
    (d.op.format() == Format::Const).then(|| f.constant(d.first())).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;
    use lir_syntax::ir::Module;

    #[test]
    fn little_endian_across_items() {
        let text = "const data @t = { i8 1, i16 -2, \"ab\", zero 3, i64 @t + 8, f32 1.0 }\ndata @v = { i32 1 }\n";
        let module: Module = text.parse().unwrap();
        let decls = &module.decls;
        let sym = |name: &[u8]| decls.syms.iter().find(|(_, s)| &*s.name == name).unwrap().0;
        let (t, v) = (sym(b"t"), sym(b"v"));
        let load = |offset, ty| known_load(decls, t, offset, ty);
        assert_eq!(load(0, Type::I8), Some(KnownData::Bits(1)));
        assert_eq!(load(0, Type::I32), Some(KnownData::Bits(0x61FF_FE01)));
        assert_eq!(load(4, Type::I32), Some(KnownData::Bits(0x62)));
        assert_eq!(load(0, Type::I64), Some(KnownData::Bits(0x0000_0062_61FF_FE01)));
        assert_eq!(load(8, Type::I64), Some(KnownData::Address(t, 8)));
        assert_eq!(load(16, Type::F32), Some(KnownData::Bits(0x3F80_0000)));
        // A part of an address, past the end, before the beginning, data that is not constant.
        for (offset, ty) in [(8, Type::I32), (12, Type::I64), (17, Type::F32), (20, Type::I8), (-1, Type::I8)] {
            assert_eq!(load(offset, ty), None, "{offset}");
        }
        assert_eq!(known_load(decls, v, 0, Type::I32), None);
    }
}

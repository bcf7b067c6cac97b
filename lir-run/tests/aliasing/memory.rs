//! Addresses, accesses of memory, and allocations.

use super::{Looped, letters, patterns};
use lir_syntax::ir::{Opcode, Type};

/// Eight words to read, and room to write.
pub(super) const DATA: &str = "\
data @cells = { i64 0x3ff8000040200000, 0x400c000040600000, -3, 0x4012000040a00000, 5, 6, 7, 8 }
data @room = { zero 64 }
";
const WORDS: [u64; 3] = [0x3ff8_0000_4020_0000, 0x400c_0000_4060_0000, -3i64 as u64];
pub(super) const LETTERS: [&str; 5] = ["%x", "%y", "%z", "%w", "%u"];

/// Lines that put the address of a symbol into a register, or of one of its words into two, and the memory operand. The
/// index is 2, or half of the address.
pub(super) fn address(symbol: &str, base: &str, index: &str) -> (String, String) {
    let lines = format!("  %at = lea [@{symbol}]\n");
    if base == index {
        (lines + &format!("  {base} = lshr i64 %at, 1\n"), format!("[{base} + {base}]"))
    } else {
        let set = format!("  {base} = copy i64 %at\n  {index} = const i64 2\n");
        (lines + &set, format!("[{base} + {index}*8]"))
    }
}

/// A result may be the base or the index: all of them are `i64`.
pub(super) fn load() -> Vec<Looped> {
    load_by("load", &Type::OF_WORDS)
}

/// The same for an operation with these words.
pub(super) fn load_by(words: &str, types: &[Type]) -> Vec<Looped> {
    let mut all = Vec::new();
    for &ty in types {
        for p in patterns(3).into_iter().filter(|p| ty == Type::I64 || p[0] != p[1] && p[0] != p[2]) {
            let [to, base, index] = [p[0], p[1], p[2]].map(|class| LETTERS[class]);
            let (set, mem) = address("cells", base, index);
            let word = if base == index { WORDS[0] } else { WORDS[2] };
            all.push(Looped {
                name: format!("{ty}_{}", letters(&p)),
                parameters: Vec::new(),
                body: format!("{set}  {to} = {words} {ty} {mem}\n"),
                result: (ty, to),
                runs: vec![(Vec::new(), ty.as_word().truncate(word))],
            });
        }
    }
    all
}

/// The base, the index and the value, which is read again and compared.
pub(super) fn store() -> Vec<Looped> {
    store_by("store", &Type::OF_WORDS)
}

/// The same for an operation with these words.
pub(super) fn store_by(words: &str, types: &[Type]) -> Vec<Looped> {
    let mut all = Vec::new();
    for &ty in types {
        let compare = if ty.is_int() { "icmp eq" } else { "fcmp oeq" };
        for p in patterns(3).into_iter().filter(|p| ty == Type::I64 || p[2] != p[0] && p[2] != p[1]) {
            let [base, index, value] = [p[0], p[1], p[2]].map(|class| LETTERS[class]);
            let (set, mem) = address("room", base, index);
            let is_own = p[2] != p[0] && p[2] != p[1];
            let give = if is_own { format!("  {value} = copy {ty} %v\n") } else { String::new() };
            all.push(Looped {
                name: format!("{ty}_{}", letters(&p)),
                parameters: if is_own { vec![("%v", ty)] } else { Vec::new() },
                body: format!(
                    "{set}{give}  %word = lea {mem}\n  %kept = copy {ty} {value}\n  {words} {ty} {mem}, {value}\n  \
                     %back = load {ty} [%word]\n  %same = {compare} {ty} %back, %kept\n  \
                     %after = {compare} {ty} {value}, %kept\n  %both = and i8 %same, %after\n"
                ),
                result: (Type::I8, "%both"),
                runs: vec![(if is_own { vec![super::values::bits(ty, 3)] } else { Vec::new() }, 1)],
            });
        }
    }
    all
}

pub(super) fn lea() -> Vec<Looped> {
    let mut all = Vec::new();
    for (scale, disp) in [(1, 0), (1, -5), (2, 0), (4, 7), (8, -24), (8, 0)] {
        for p in patterns(3) {
            let [to, base, index] = [p[0], p[1], p[2]].map(|class| LETTERS[class]);
            // The result is assigned anew in each iteration, from the function's parameter.
            let given = |class: usize| if class == p[0] { "%a" } else { LETTERS[class] };
            let again = if p[1..].contains(&p[0]) { "  %x = copy i64 %a\n" } else { "" };
            let mut classes = vec![p[1], p[2]];
            classes.sort_unstable();
            classes.dedup();
            let value = |class: usize| [1000_u64, 30, 7][class];
            let plus = if disp < 0 { format!("- {}", -disp) } else { format!("+ {disp}") };
            let sum = value(p[1]).wrapping_add(value(p[2]) * scale).wrapping_add_signed(disp);
            all.push(Looped {
                name: format!("times_{scale}_{}_{}", if disp < 0 { "minus" } else { "plus" }, letters(&p))
                    + &disp.unsigned_abs().to_string(),
                parameters: classes.iter().map(|class| (given(*class), Type::I64)).collect(),
                body: format!("{again}  {to} = lea [{base} + {index}*{scale} {plus}]\n"),
                result: (Type::I64, to),
                runs: vec![(classes.iter().map(|class| value(*class)).collect(), sum)],
            });
        }
    }
    all
}

/// Source and destination are two, or one if ranges may overlap. The contents of the registers after the copy count,
/// too.
pub(super) fn copy(op: Opcode) -> Vec<Looped> {
    let word = op.mnemonic();
    let mut all = Vec::new();
    for p in patterns(2).into_iter().filter(|p| op == Opcode::Memmove || p[0] != p[1]) {
        let [to, from] = [p[0], p[1]].map(|class| LETTERS[class]);
        for size in ["24", "40", "%size"] {
            let source = if to == from { "" } else { "  %y = lea [@cells]\n" };
            let target = if to == from { "cells" } else { "room" };
            let name = if size == "%size" { "register" } else { size };
            all.push(Looped {
                name: format!("of_{name}_{}", letters(&p)),
                parameters: vec![("%size", Type::I64)],
                body: format!(
                    "  %x = lea [@{target}]\n{source}  {word} [{to}], [{from}], {size}\n  %third = load i64 [{to} + 16]\n  \
                     %source = lea [@cells]\n  %moved = sub i64 {from}, %source\n  %rest = sub i64 %size, 24\n  \
                     %sum = add i64 %third, %moved\n  %sum = add i64 %sum, %rest\n"
                ),
                result: (Type::I64, "%sum"),
                runs: vec![(vec![24], WORDS[2])],
            });
        }
    }
    // The size is the index of both addresses.
    all.push(Looped {
        name: "of_index_xyzy".into(),
        parameters: vec![("%y", Type::I64)],
        body: format!(
            "  %x = lea [@room]\n  %z = lea [@cells]\n  {word} [%x + %y - 8], [%z + %y - 16], %y\n  \
             %r = load i64 [@room + 24]\n  %r = add i64 %r, %y\n"
        ),
        result: (Type::I64, "%r"),
        runs: vec![(vec![24], WORDS[2].wrapping_add(24))],
    });
    all
}

/// The byte has a type of its own. The size may be the index of the address.
pub(super) fn fill() -> Vec<Looped> {
    let at_end = Looped {
        name: "of_index_xyzy".into(),
        parameters: vec![("%z", Type::I8), ("%y", Type::I64)],
        body: "  %x = lea [@room]\n  memset [%x + %y - 8], %z, %y\n  %r = load i64 [@room + 40]\n  \
               %r = add i64 %r, %y\n"
            .into(),
        result: (Type::I64, "%r"),
        runs: vec![(vec![5, 32], 0x0505_0505_0505_0525)],
    };
    let function = |size: &str| Looped {
        name: format!("of_{}_xyz", size.trim_start_matches('%')),
        parameters: vec![("%y", Type::I8), ("%size", Type::I64)],
        body: format!(
            "  %x = lea [@room]\n  memset [%x], %y, {size}\n  %third = load i64 [%x + 16]\n  \
             %rest = sub i64 %size, 24\n  %byte = sext i8 %y to i64\n  %sum = add i64 %third, %byte\n  \
             %sum = add i64 %sum, %rest\n"
        ),
        result: (Type::I64, "%sum"),
        runs: vec![(vec![5, 24], 0x0505_0505_0505_050a), (vec![0xff, 24], -2i64 as u64)],
    };
    ["24", "64", "%size"].into_iter().map(function).chain([at_end]).collect()
}

pub(super) fn alloca() -> Vec<Looped> {
    let function = |p: Vec<usize>| {
        let (to, size) = (LETTERS[p[0]], LETTERS[p[1]]);
        Looped {
            name: letters(&p),
            parameters: vec![("%a", Type::I64)],
            body: format!(
                "  {size} = copy i64 %a\n  {to} = alloca {size}, 16\n  memset [{to}], 7, %a\n  \
                 %last = load i8 [{to} + %a - 1]\n"
            ),
            result: (Type::I8, "%last"),
            runs: vec![(vec![100], 7)],
        }
    };
    patterns(2).into_iter().map(function).collect()
}

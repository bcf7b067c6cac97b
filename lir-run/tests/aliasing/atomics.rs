//! Atomic accesses.

use super::memory::{LETTERS, address, load_by, store_by};
use super::{Looped, letters, patterns};
use lir_syntax::ir::Type;

/// The data of other accesses, aligned.
pub(super) const DATA: &str = "\
data @cells = { i64 0x3ff8000040200000, 0x400c000040600000, -3, 0x4012000040a00000, 5, 6, 7, 8 }
data @room align 8 = { zero 64 }
";

const INTEGERS: [Type; 4] = [Type::I8, Type::I16, Type::I32, Type::I64];

pub(super) fn load() -> Vec<Looped> {
    load_by("atomic_load acquire", &INTEGERS)
}

pub(super) fn store() -> Vec<Looped> {
    store_by("atomic_store seq_cst", &INTEGERS)
}

/// The result, the base, the index and the value. The old value is 5; the new value is computed a second time.
pub(super) fn update() -> Vec<Looped> {
    let mut all = Vec::new();
    for (op, ty) in ["xchg", "add", "sub", "and", "umax"].into_iter().flat_map(|op| INTEGERS.map(|ty| (op, ty))) {
        let fits = |p: &Vec<usize>| ty == Type::I64 || [p[0], p[3]].iter().all(|k| *k != p[1] && *k != p[2]);
        for p in patterns(4).into_iter().filter(fits) {
            let [to, base, index, value] = [p[0], p[1], p[2], p[3]].map(|class| LETTERS[class]);
            let (set, mem) = address("room", base, index);
            let is_own = p[3] != p[1] && p[3] != p[2];
            let give = if is_own { format!("  {value} = copy {ty} %v\n") } else { String::new() };
            let want = if op == "xchg" { format!("copy {ty} %kept") } else { format!("{op} {ty} %five, %kept") };
            let prepare =
                format!("{set}{give}  %word = lea {mem}\n  %kept = copy {ty} {value}\n  %five = const {ty} 5\n");
            let update = format!("  store {ty} [%word], %five\n  {to} = atomicrmw {op} acq_rel {ty} {mem}, {value}\n");
            all.push(Looped {
                name: format!("{op}_{ty}_{}", letters(&p)),
                parameters: if is_own { vec![("%v", ty)] } else { Vec::new() },
                body: format!("{prepare}{update}  %want = {want}\n{}", compared(ty, to, "%five", "%want")),
                result: (Type::I8, "%r"),
                runs: vec![(if is_own { vec![100] } else { Vec::new() }, 1)],
            });
        }
    }
    all
}

/// The result, the base, the index, the expected value, which is in memory, and the new one.
pub(super) fn exchange() -> Vec<Looped> {
    let mut all = Vec::new();
    for ty in [Type::I8, Type::I32, Type::I64] {
        let is_address = |p: &[usize], k: usize| p[k] == p[1] || p[k] == p[2];
        let fits = |p: &Vec<usize>| ty == Type::I64 || [0, 3, 4].iter().all(|k| !is_address(p, *k));
        for p in patterns(5).into_iter().filter(fits) {
            let [to, base, index, expected, new] = [p[0], p[1], p[2], p[3], p[4]].map(|class| LETTERS[class]);
            let (set, mem) = address("room", base, index);
            let (mut parameters, mut arguments, mut give) = (Vec::new(), Vec::new(), String::new());
            for (k, register, name, argument) in [(3, expected, "%e", 100), (4, new, "%v", 7)] {
                if !is_address(&p, k) && (k == 3 || p[4] != p[3]) {
                    parameters.push((name, ty));
                    arguments.push(argument);
                    give += &format!("  {register} = copy {ty} {name}\n");
                }
            }
            let kept = format!("  %before = copy {ty} {expected}\n  %after = copy {ty} {new}\n");
            let exchange = format!("  {to} = cmpxchg acq_rel acquire {ty} {mem}, {expected}, {new}\n");
            let prepare = format!("{set}{give}  %word = lea {mem}\n{kept}  store {ty} [%word], %before\n");
            all.push(Looped {
                name: format!("{ty}_{}", letters(&p)),
                parameters,
                body: prepare + &exchange + &compared(ty, to, "%before", "%after"),
                result: (Type::I8, "%r"),
                runs: vec![(arguments, 1)],
            });
        }
    }
    all
}

/// Lines that compare a result and the word in memory with other registers.
fn compared(ty: Type, to: &str, before: &str, after: &str) -> String {
    format!(
        "  %first = icmp eq {ty} {to}, {before}\n  %there = load {ty} [%word]\n  \
         %then = icmp eq {ty} %there, {after}\n  %r = and i8 %first, %then\n"
    )
}

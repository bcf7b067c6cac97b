//! What is known of the operand of a switch: the instruction that makes it may leave few values.

use lir_syntax::ir::{Format, Function, Inst, Opcode, Param, Reg, SecondaryMap, Type};

/// Bounds of a value, as a signed number: both can be reached.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) struct Bounds {
    pub(super) low: i64,
    pub(super) high: i64,
}

impl Bounds {
    /// All values of a type.
    fn of_type(ty: Type) -> Bounds {
        Bounds { low: i64::MIN >> (64 - ty.bits()), high: i64::MAX >> (64 - ty.bits()) }
    }
    /// Whether the value may be this.
    pub(super) fn contains(self, value: i64) -> bool {
        (self.low..=self.high).contains(&value)
    }
    /// How many values there are.
    pub(super) fn count(self) -> i128 {
        super::span(self.low, self.high)
    }
}

/// For each register with a single assignment the instruction that does it.
pub(super) struct SingleDefs(SecondaryMap<Reg, Defs>);

#[derive(Copy, Clone, Default)]
enum Defs {
    #[default]
    None,
    One(Inst),
    /// Several, or a parameter.
    Other,
}

/// How many instructions are looked through.
const DEPTH: u32 = 4;

impl SingleDefs {
    /// Those of a function.
    pub(super) fn of(f: &Function) -> SingleDefs {
        let mut defs: SecondaryMap<Reg, Defs> = SecondaryMap::new();
        for p in &f.params {
            if let Param::Reg(r) = p {
                defs[*r] = Defs::Other;
            }
        }
        for b in f.layout().blocks() {
            for i in f.layout().insts(b) {
                if let Some(r) = f.def(i) {
                    defs[r] = if matches!(defs[r], Defs::None) { Defs::One(i) } else { Defs::Other };
                }
            }
        }
        SingleDefs(defs)
    }
    /// Bounds of a register's value.
    pub(super) fn bounds(&self, f: &Function, r: Reg) -> Bounds {
        self.look(f, r, DEPTH)
    }
    fn look(&self, f: &Function, r: Reg, depth: u32) -> Bounds {
        let ty = f.type_of(r);
        let all = Bounds::of_type(ty);
        let (Defs::One(i), true) = (self.0[r], depth > 0) else { return all };
        let d = f.inst(i);
        let positive = |high: i64| if high >= 0 { Bounds { low: 0, high } } else { all };
        let inner = || d.a.as_reg().map(|a| self.look(f, a, depth - 1));
        let constant = || f.constant(d.b);
        match d.op {
            Opcode::And => constant().map_or(all, |mask| {
                let narrower = inner().filter(|b| b.low >= 0 && b.high < mask);
                narrower.unwrap_or(positive(mask))
            }),
            Opcode::Urem => constant().filter(|k| *k > 0).map_or(all, |k| positive(k - 1)),
            Opcode::Lshr => {
                let count = constant().filter(|k| (1..i64::from(ty.bits())).contains(k));
                count.map_or(all, |k| positive((u64::MAX >> (64 - ty.bits()) >> k) as i64))
            }
            Opcode::Zext => match inner().filter(|b| b.low >= 0) {
                Some(bounds) => bounds,
                None => positive((u64::MAX >> (64 - d.ty.bits())) as i64),
            },
            Opcode::Copy => inner().unwrap_or(all),
            op if op.format() == Format::Compare => positive(1),
            _ => all,
        }
    }
}

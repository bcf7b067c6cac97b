//! The levels of processors, which determine the available instructions.
//!
//! The steps are the micro-architecture levels of the System V ABI, AMD64 supplement 1.0, section 3.1.1. Of the
//! instructions that a level adds, selection uses:
//!
//! * v2: `popcnt`, `roundss`, `roundsd`;
//! * v3: `lzcnt`, `tzcnt`, `shlx`, `shrx`, `sarx`, `rorx`, `andn`, `blsr`, `blsmsk`, `blsi`, the scalar `vfmadd213`,
//!   `vfmadd231` and their variants with other signs, and float arithmetic with three operands (`vaddsd` and so on).
//!   All other operations on SSE registers are encoded with a VEX prefix, too. All AVX instructions are of 128 bits:
//!   the upper halves of the registers stay clear, and mixing them with SSE instructions of other code costs nothing.
//!
//! The rows of the instruction table have the level that they need ([`Props::V2`](crate::mir::Props::V2),
//! [`Props::V3`](crate::mir::Props::V3)).

use crate::lower::ProcessorHas;
use lir_syntax::text::suggest::nearest_hint;
use std::fmt;

/// A level; each contains those before it.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum Cpu {
    /// Every x86-64 processor.
    #[default]
    V1,
    /// SSE4.2, `popcnt`: since 2009 or so.
    V2,
    /// AVX2, BMI, FMA: since 2013 or so.
    V3,
}

/// The names of the levels on command lines, and of [`Cpu::native`].
pub const NAMES: [&str; 4] = ["v1", "v2", "v3", "native"];

impl Cpu {
    /// All levels, ascending.
    pub const ALL: [Cpu; 3] = [Cpu::V1, Cpu::V2, Cpu::V3];

    /// Returns the level of a name. `native` is the highest level of the current processor.
    ///
    /// # Errors
    /// There is no such level; the text has the nearest names.
    pub fn parse(name: &str) -> Result<Cpu, String> {
        match name {
            "v1" => Ok(Cpu::V1),
            "v2" => Ok(Cpu::V2),
            "v3" => Ok(Cpu::V3),
            "native" => Ok(Cpu::native()),
            _ => {
                let hint = nearest_hint("", name.as_bytes(), NAMES.iter().map(|n| n.as_bytes()));
                Err(format!("there is no level `{name}` among {}{hint}", NAMES.join(", ")))
            }
        }
    }
    /// Returns the operations that lowering leaves to selection on this level.
    pub fn has(self) -> ProcessorHas {
        ProcessorHas { popcnt: self >= Cpu::V2, round: self >= Cpu::V2 }
    }
    /// Returns the highest level of the current processor. The lowest one on machines other than x86-64.
    pub fn native() -> Cpu {
        #[cfg(target_arch = "x86_64")]
        {
            use std::arch::is_x86_feature_detected as has;
            let v2 = has!("popcnt") && has!("sse3") && has!("ssse3") && has!("sse4.1") && has!("sse4.2");
            let v3 = has!("avx2") && has!("bmi1") && has!("bmi2") && has!("fma") && has!("lzcnt") && has!("f16c");
            match (v2, v3 && has!("movbe")) {
                (true, true) => Cpu::V3,
                (true, false) => Cpu::V2,
                (false, _) => Cpu::V1,
            }
        }
        #[cfg(not(target_arch = "x86_64"))]
        Cpu::V1
    }
}

impl fmt::Display for Cpu {
    /// Writes the name of the level.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(NAMES[*self as usize])
    }
}

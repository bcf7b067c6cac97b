//! The optimisations of `one-pass`, each of which can be switched off.

use lir_syntax::named;
use std::fmt;
use std::str::FromStr;

named! {
    /// An optimisation.
    pub enum Switch {
        Free "free"
            "A value gives up its register after its last use, which a walk before the allocation has found. Functions \
            with values of 16 bytes or with calls that return twice always do this."
        LoadElim "load-elim"
            "A load of a value that is overwritten or freed before it is read is taken back. So a result may have the \
            register of an operand that ends."
        CopyProp "copy-prop"
            "A copy takes the register of its operand, which is copied to another only if it is used again; so does a \
            result that is computed in place."
        SpillElim "spill-elim" "A spill is taken back if the value that took the register was not used."
        Unmodified "unmodified" "A register that was only read is not written back to memory."
        Restore "restore" "At joins only registers that differ are stored, loaded and copied."
        Former "former" "A value that is loaded again takes the register that it had last."
        Memory "memory" "Operands that are only read may stay in memory."
        Hybrid "hybrid" "Operands stay in memory only if fewer than [`Switches::to_spare`] registers are free."
        Loops "loops" "Values that an innermost loop reads are loaded before it."
    }
}

/// The optimisations that are on, and the number of spare registers for loading operands.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Switches(u16);

impl Switches {
    /// The most registers to spare.
    const MOST_TO_SPARE: u16 = 4;
    /// The position of the bits of [`Switches::to_spare`], less one.
    const SPARE_SHIFT: usize = Switch::ALL.len();
    /// Number of sets.
    pub const COUNT: usize = (Switches::MOST_TO_SPARE as usize) << Switches::SPARE_SHIFT;
    /// All of them, with one register to spare.
    pub const ON: Switches = Switches((1 << Switches::SPARE_SHIFT) - 1);

    /// Returns the set of optimisations whose bits, by index in [`Switch::ALL`], are set. The bits above are the
    /// registers to spare.
    pub const fn from_bits(bits: usize) -> Switches {
        let hybrid = bits >> Switch::Hybrid as usize & 1 != 0;
        let kept = if hybrid { Switches::COUNT } else { 1 << Switches::SPARE_SHIFT };
        Switches((bits % kept) as u16)
    }
    /// See [`Switches::from_bits`].
    pub const fn bits(self) -> usize {
        self.0 as usize
    }
    /// Returns the number of registers that must be free for an operand to be loaded, if [`Switch::Hybrid`] is on.
    #[inline]
    pub(crate) fn to_spare(self) -> u32 {
        u32::from(self.0 >> Switches::SPARE_SHIFT) + 1
    }
    /// True if an optimisation is on.
    #[inline]
    pub fn has(self, switch: Switch) -> bool {
        self.0 >> switch as u16 & 1 != 0
    }
}

impl fmt::Display for Switches {
    /// Writes the switches that differ from the default, as after the allocator's name: `{load-elim=off,hybrid=2}`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let spare = |s| if s == Switch::Hybrid { self.to_spare() } else { 1 };
        let unusual = |s: Switch| match (self.has(s), spare(s)) {
            (false, _) => Some(format!("{}=off", s.name())),
            (true, 1) => None,
            (true, n) => Some(format!("{}={n}", s.name())),
        };
        let all: Vec<String> = Switch::ALL.into_iter().filter_map(unusual).collect();
        if all.is_empty() { Ok(()) } else { write!(f, "{{{}}}", all.join(",")) }
    }
}

impl FromStr for Switches {
    type Err = String;
    /// Reads `load-elim=off,former=on,hybrid=2`.
    fn from_str(text: &str) -> Result<Switches, String> {
        let names = || Switch::ALL.map(Switch::name).join(", ");
        let (mut set, mut given) = (Switches::ON, 0);
        for word in text.split(',').map(str::trim).filter(|w| !w.is_empty()) {
            let (name, value) = word.split_once('=').unwrap_or((word, ""));
            let Some(switch) = Switch::ALL.into_iter().find(|s| s.name() == name.trim()) else {
                return Err(format!("`{name}` is none of the switches: {}", names()));
            };
            let bit = 1 << switch as usize;
            if given & bit != 0 {
                return Err(format!("`{}` is given twice; leave out one", name.trim()));
            }
            given |= bit;
            let spare = value.trim().parse().ok().filter(|n| (1..=Switches::MOST_TO_SPARE.into()).contains(n));
            let bits = match (value.trim(), spare) {
                ("on", _) => set.bits() | bit,
                ("off", _) => set.bits() & !bit,
                (_, Some(n)) if switch == Switch::Hybrid => {
                    let n: usize = n;
                    (set.bits() % (1 << Switches::SPARE_SHIFT)) | bit | ((n - 1) << Switches::SPARE_SHIFT)
                }
                _ if switch == Switch::Hybrid => {
                    let most = Switches::MOST_TO_SPARE;
                    return Err(format!(
                        "`{word}`: write `{name}=on`, `{name}=off`, or the registers to spare, 1 to {most}"
                    ));
                }
                _ => return Err(format!("`{word}`: write `{name}=on` or `{name}=off`")),
            };
            set = Switches::from_bits(bits);
        }
        Ok(set)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_switch_is_given_once() {
        assert_eq!("former=off".parse::<Switches>(), "former = off,".parse());
        assert_eq!(
            "former=off,former=on".parse::<Switches>(),
            Err("`former` is given twice; leave out one".to_string())
        );
    }

    #[test]
    fn switches_are_read_as_written() {
        for bits in 0..Switches::COUNT {
            let set = Switches::from_bits(bits);
            let text = set.to_string();
            let inner = text.trim_start_matches('{').trim_end_matches('}');
            assert_eq!(inner.parse::<Switches>(), Ok(set), "{text}");
        }
        let three: Switches = "former=off,hybrid=3".parse().expect("it is one");
        assert_eq!((three.to_string().as_str(), three.to_spare()), ("{former=off,hybrid=3}", 3));
        for text in ["hybrid=0", "hybrid=5", "hybrid=", "former=2", "speed=on", "hybrid"] {
            text.parse::<Switches>().expect_err(text);
        }
    }
}

//! The optimisations of `one-pass`, each of which can be switched off.

use std::fmt;
use std::str::FromStr;

/// An optimisation.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Switch {
    /// A value gives up its register behind its last use, which a walk before the allocation has found. Functions with
    /// values of 16 bytes and those with calls that return twice have that always.
    Free,
    /// A load of what is overwritten or freed before it is read is taken back. So a result may have the register of an
    /// operand that ends.
    LoadElim,
    /// A copy takes the register of its operand, which is copied to another only if it is used again; so does what is
    /// computed in place.
    CopyProp,
    /// A spill is taken back if what took the register was not used.
    SpillElim,
    /// A register that was only read is not written back to memory.
    Unmodified,
    /// Where control joins only registers that differ are stored, loaded and copied.
    Restore,
    /// A value that is loaded again takes the register that it had last.
    Former,
    /// Operands that are only read may stay in memory.
    Memory,
    /// Operands stay in memory only where no register is free.
    Hybrid,
}

impl Switch {
    /// All with their names.
    pub const ALL: [(Switch, &'static str); 9] = [
        (Switch::Free, "free"),
        (Switch::LoadElim, "load-elim"),
        (Switch::CopyProp, "copy-prop"),
        (Switch::SpillElim, "spill-elim"),
        (Switch::Unmodified, "unmodified"),
        (Switch::Restore, "restore"),
        (Switch::Former, "former"),
        (Switch::Memory, "memory"),
        (Switch::Hybrid, "hybrid"),
    ];
}

/// The optimisations that are on.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Switches(u16);

impl Switches {
    /// Number of sets.
    pub const COUNT: usize = 1 << Switch::ALL.len();
    /// All of them.
    pub const ON: Switches = Switches(Switches::COUNT as u16 - 1);

    /// The set of those whose bits, by index in [`Switch::ALL`], are set.
    pub const fn from_bits(bits: usize) -> Switches {
        Switches(bits as u16 & Switches::ON.0)
    }
    /// See [`Switches::from_bits`].
    pub const fn bits(self) -> usize {
        self.0 as usize
    }
    /// True if an optimisation is on.
    #[inline]
    pub fn has(self, switch: Switch) -> bool {
        self.0 >> switch as u16 & 1 != 0
    }
}

impl fmt::Display for Switches {
    /// Those that are off, as they are written behind the allocator's name: `{load-elim=off,former=off}`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let off: Vec<String> =
            Switch::ALL.iter().filter(|(s, _)| !self.has(*s)).map(|(_, name)| format!("{name}=off")).collect();
        if off.is_empty() { Ok(()) } else { write!(f, "{{{}}}", off.join(",")) }
    }
}

impl FromStr for Switches {
    type Err = String;
    /// Reads `load-elim=off,former=on`.
    fn from_str(text: &str) -> Result<Switches, String> {
        let names = || Switch::ALL.map(|(_, name)| name).join(", ");
        let (mut set, mut given) = (Switches::ON, 0);
        for word in text.split(',').map(str::trim).filter(|w| !w.is_empty()) {
            let (name, value) = word.split_once('=').unwrap_or((word, ""));
            let Some((switch, _)) = Switch::ALL.iter().find(|(_, n)| *n == name.trim()) else {
                return Err(format!("`{name}` is none of the switches: {}", names()));
            };
            let bit = 1 << *switch as u16;
            if given & bit != 0 {
                return Err(format!("`{}` is given twice; leave out one", name.trim()));
            }
            given |= bit;
            set.0 = match value.trim() {
                "on" => set.0 | bit,
                "off" => set.0 & !bit,
                _ => return Err(format!("`{word}`: write `{name}=on` or `{name}=off`")),
            };
        }
        Ok(set)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_switch_is_given_once() {
        assert_eq!("former=off".parse::<Switches>().map(Switches::bits), "former = off,".parse().map(Switches::bits));
        assert_eq!(
            "former=off,former=on".parse::<Switches>().map(Switches::bits),
            Err("`former` is given twice; leave out one".to_string())
        );
    }
}

//! Options of allocators for tests: fewer registers, features left out, random bad choices.
//!
//! Every allocator obeys these options, so that tests and the fuzzer can drive any of them into the corners that real
//! programs seldom reach: values in memory everywhere, pieces of a few instructions, moves in any order. Without these
//! options they cost nothing: no die is thrown.
//!
//! As text they are words, `regs=4 stress=17 without=webs,hints`, in this order.

use crate::mir::{MFunction, PReg, PRegSet};
use lir_syntax::named;
use std::fmt;
use std::str::FromStr;

/// Options of the allocator. The default: all registers, every feature, nothing at random.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub struct AllocOptions {
    /// Number of registers of each class, in addition to registers that instructions fix. None for all.
    pub regs: Option<RegCount>,
    /// The random bad choices.
    pub stress: Option<Stress>,
    /// The features that are left out.
    pub without: Features,
    /// True to check every allocation, as debug builds always do.
    pub verify: bool,
}

/// A number of registers with which every function can be allocated: from [`RegCount::MIN`] on.
///
/// `d = op a, [b + x]` needs four if `a` stays live and `d` must not overwrite the address. No other instruction needs
/// more in addition to its fixed registers; see [`AllocOptions::allocatable`].
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct RegCount(u8);

impl RegCount {
    /// The smallest number.
    pub const MIN: u8 = 4;
    /// The largest: all of them.
    pub const MAX: u8 = 16;
    /// This number, if it is between the smallest and the largest.
    pub fn new(n: u8) -> Option<RegCount> {
        (RegCount::MIN..=RegCount::MAX).contains(&n).then_some(RegCount(n))
    }
}

impl FromStr for RegCount {
    type Err = String;
    fn from_str(text: &str) -> Result<RegCount, String> {
        let (min, max) = (RegCount::MIN, RegCount::MAX);
        text.parse().ok().and_then(RegCount::new).ok_or_else(|| {
            format!("a number from {min} to {max} is expected: with fewer than {min} registers not every instruction has room")
        })
    }
}

/// The choices that are made badly on purpose.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Stress {
    /// Every value is in memory unless an instruction needs it in a register.
    Spill,
    /// Decisions are thrown by a die with this seed: values are spilled and intervals are cut for no reason, free
    /// registers are taken in any order, moves that happen at once are ordered at random.
    Seed(u64),
}

impl FromStr for Stress {
    type Err = String;
    fn from_str(text: &str) -> Result<Stress, String> {
        match text {
            "spill" => Ok(Stress::Spill),
            number => {
                number.parse().map(Stress::Seed).map_err(|_| "`spill` or the number of a seed is expected".into())
            }
        }
    }
}

impl fmt::Display for Stress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Stress::Spill => f.write_str("spill"),
            Stress::Seed(seed) => write!(f, "{seed}"),
        }
    }
}

named! {
    /// A feature of an allocator that can be left out. Leaving it out shows its worth.
    pub enum Feature {
        Webs "webs" "Registers that phis and copies connect share a location."
        Hints "hints" "A register is chosen by the sources and the uses of a value."
        Remat "remat" "Constants and addresses are rematerialised instead of being stored and loaded."
        Placement "placement" "Live ranges are cut in seldom executed code."
        Slots "slots" "Values that are not live at once share a spill slot."
    }
}

/// A set of features.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub struct Features(u8);

impl Features {
    /// Returns the features whose bits, by index in [`Feature::ALL`], are set.
    pub fn from_bits(bits: u64) -> Features {
        Features(bits as u8 & ((1 << Feature::ALL.len()) - 1))
    }
    /// Returns the set with one more feature.
    #[must_use]
    pub fn with(self, feature: Feature) -> Features {
        Features(self.0 | 1 << feature as u8)
    }
    /// Returns the union of two sets.
    #[must_use]
    pub fn or(self, other: Features) -> Features {
        Features(self.0 | other.0)
    }
    /// True if a feature is in the set.
    #[inline]
    pub fn contains(self, feature: Feature) -> bool {
        self.0 >> feature as u8 & 1 != 0
    }
}

impl FromStr for Features {
    type Err = String;
    /// Reads names with commas.
    fn from_str(text: &str) -> Result<Features, String> {
        text.split(',').try_fold(Features::default(), |set, name| {
            let found = Feature::ALL.into_iter().find(|f| f.name() == name);
            let names = || Feature::ALL.map(Feature::name).join(", ");
            found.map(|feature| set.with(feature)).ok_or_else(|| format!("there are {}", names()))
        })
    }
}

impl fmt::Display for Features {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = Feature::ALL.into_iter().filter(|f| self.contains(*f)).map(Feature::name);
        f.write_str(&names.collect::<Vec<_>>().join(","))
    }
}

impl fmt::Display for AllocOptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let words = [
            self.regs.map(|n| format!("regs={}", n.0)),
            self.stress.map(|s| format!("stress={s}")),
            (self.without != Features::default()).then(|| format!("without={}", self.without)),
        ];
        f.write_str(&words.into_iter().flatten().collect::<Vec<_>>().join(" "))
    }
}

impl FromStr for AllocOptions {
    type Err = String;
    /// Reads the output of [`Display`](fmt::Display).
    fn from_str(text: &str) -> Result<AllocOptions, String> {
        let mut options = AllocOptions::default();
        for word in text.split(' ').filter(|w| !w.is_empty()) {
            match word.split_once('=') {
                Some(("regs", n)) => options.regs = Some(n.parse()?),
                Some(("stress", s)) => options.stress = Some(s.parse()?),
                Some(("without", names)) => options.without = names.parse()?,
                _ => return Err(format!("`{word}` is none of regs=N, stress=SEED, without=NAMES")),
            }
        }
        Ok(options)
    }
}

impl AllocOptions {
    /// Returns the registers that values may be in unless an instruction fixes them.
    pub(crate) fn allocatable(&self, f: &MFunction) -> PRegSet {
        let all = PRegSet::all().minus(f.reserved());
        let Some(RegCount(n)) = self.regs else { return all };
        let few = f.env.kept.iter().flat_map(|kept| kept.iter().filter(|r| all.contains(**r)).take(n.into()));
        few.fold(PRegSet::EMPTY, |set, r| set.with(*r))
    }
    /// True if a feature is not left out.
    #[inline]
    pub fn has(&self, feature: Feature) -> bool {
        !self.without.contains(feature)
    }
    /// Returns the random choices under stress. They do not depend on other functions.
    pub fn dice(&self, f: &MFunction) -> Option<Dice> {
        self.stress.map(|stress| {
            let seed = if let Stress::Seed(seed) = stress { seed } else { 0 };
            let shape = (f.insts.len() as u64) << 32 | (f.vregs.len() + f.blocks.len()) as u64;
            Dice { always_spill: stress == Stress::Spill, state: seed.wrapping_mul(0xd134_2543_de82_ef95) ^ shape }
        })
    }
}

/// Decides at random.
///
/// The generator of Steele, Lea and Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014.
#[derive(Copy, Clone, Debug)]
pub struct Dice {
    always_spill: bool,
    state: u64,
}

/// One of this many values is spilled for no reason.
const SPILLED: u64 = 4;
/// One of this many intervals is cut for no reason.
const CUT: u64 = 4;

impl Dice {
    fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.state ^ self.state >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }
    /// Returns a number below `n`.
    pub fn below(&mut self, n: usize) -> usize {
        (self.next() % n.max(1) as u64) as usize
    }
    /// True if this value is spilled for no reason.
    pub(crate) fn spills(&mut self) -> bool {
        self.always_spill || self.next().is_multiple_of(SPILLED)
    }
    /// Picks one of `n` positions for splitting a live range for no reason, if any. It is always the first if
    /// everything is spilled.
    pub fn cuts(&mut self, n: usize) -> Option<usize> {
        match n {
            0 => None,
            _ if self.always_spill => Some(0),
            _ => self.next().is_multiple_of(CUT).then(|| self.below(n)),
        }
    }
    /// True to depart from the best choice: half of the time, but never if everything is spilled.
    pub(crate) fn departs(&mut self) -> bool {
        !self.always_spill && self.next().is_multiple_of(2)
    }
    /// Returns one of these registers.
    pub fn register(&mut self, among: PRegSet) -> Option<PReg> {
        let k = self.below(among.len() as usize);
        among.iter().nth(k)
    }
    /// Puts a list into any order.
    pub fn shuffle<T>(&mut self, list: &mut [T]) {
        if self.always_spill {
            return;
        }
        for n in (2..=list.len()).rev() {
            let k = self.below(n);
            list.swap(n - 1, k);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_read_as_written() {
        for text in ["", "regs=4", "stress=spill", "regs=7 stress=17 without=webs,hints", "without=remat,slots"] {
            assert_eq!(text.parse::<AllocOptions>().map(|o| o.to_string()).as_deref(), Ok(text));
        }
        for text in ["regs=3", "regs=17", "stress=x", "without=luck", "regs", "4"] {
            text.parse::<AllocOptions>().expect_err(text);
        }
    }
}

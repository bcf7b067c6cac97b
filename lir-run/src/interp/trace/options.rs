//! The limits of traces, by name.

/// Declares the limits once: their fields, defaults and names.
macro_rules! limits {
    ($($(#[doc = $doc:literal])* $name:ident $text:literal $default:expr;)*) => {
        /// The limits on traces. A limit that Tamarin Tracing has states its name in document S2.
        #[derive(Copy, Clone, PartialEq, Eq, Debug)]
        pub struct Limits {
            $($(#[doc = $doc])* pub $name: u32,)*
        }
        impl Default for Limits {
            fn default() -> Limits {
                Limits { $($name: $default,)* }
            }
        }
        impl Limits {
            /// The names by which limits are set.
            pub const NAMES: &[&str] = &[$($text,)*];

            /// Returns the greatest value of a limit. Counters and numbers have that width, and the list of traces has
            /// room for them from the start.
            pub fn most(name: &str) -> u32 {
                match name {
                    "traces" => 1 << 16,
                    "exits" => 1 << 22,
                    "reach" => 1 << 20,
                    "hot-loop" => (1 << 24) - 1,
                    "copies" | "tries" | "chain" => 255,
                    _ => u32::MAX,
                }
            }
            /// Returns the name of a limit that is greater than it may be.
            pub(super) fn too_great(&self) -> Option<&'static str> {
                let all = [$(($text, self.$name),)*];
                all.into_iter().find(|(name, limit)| *limit > Limits::most(name)).map(|found| found.0)
            }
            /// Returns the limit with a name.
            pub fn named(&mut self, name: &str) -> Option<&mut u32> {
                match name {
                    $($text => Some(&mut self.$name),)*
                    _ => None,
                }
            }
        }
    };
}

limits! {
    /// Times that the header of a loop is reached before it is recorded.
    hot_loop "hot-loop" 50;
    /// Times that an exit is taken before the code after it is recorded.
    hot_exit "hot-exit" 10;
    /// Recordings from the header of a loop that are dropped because they leave the loop.
    tries "tries" 3;
    /// Jumps backward in a trace, other than to its beginning (MAX_XJUMPS). None leads to an operation of the trace, or
    /// out of the loop that the trace is to be of.
    cross_jumps "cross-jumps" 1;
    /// Guards in a trace, before an operation that may add some (MAX_BLKS).
    guards "guards" 10_000;
    /// Stores at the exits of a trace, if state is written there.
    stores "stores" 30_000;
    /// Operations in a trace.
    length "length" 20_000;
    /// Copies, in different traces, of the code that follows a point where paths meet (MAX_COPIES).
    copies "copies" 2;
    /// Returns from the frame on which a trace is entered, and from its callers (MAX_EXITS).
    returns "returns" 2;
    /// Traces after the first one that begins at an operation, each for another path.
    chain "chain" 16;
    /// Nested calls in a trace.
    depth "depth" 16;
    /// Traces.
    traces "traces" 4096;
    /// Exits of all traces.
    exits "exits" 1 << 17;
    /// Bytes of code of all traces, before another one is recorded.
    code "code" 64 << 20;
    /// Slots that an exit passes in registers to a trace that it is linked to. 0: all are stored.
    registers "registers" 11;
    /// Slots that a trace reaches, from the first of the frame on which it is entered.
    reach "reach" 1 << 14;
}

/// The options of traces.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct TraceOptions {
    /// The limits.
    pub limits: Limits,
    /// State is written where a trace is left, not where it is assigned.
    pub sink: bool,
    /// Guards fail by chance, by numbers from this seed.
    pub stress: Option<u64>,
    /// Lifetimes are split before a trace is assembled.
    pub split: bool,
    /// Reports have the text of each trace after each filter, and its code.
    pub print: bool,
}

impl TraceOptions {
    /// Slots that an exit may pass.
    pub(super) fn passed(&self) -> usize {
        if self.sink { self.limits.registers as usize } else { 0 }
    }
}

impl Default for TraceOptions {
    fn default() -> TraceOptions {
        TraceOptions { limits: Limits::default(), sink: true, stress: None, split: false, print: false }
    }
}

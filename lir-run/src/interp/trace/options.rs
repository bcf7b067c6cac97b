//! The limits of traces, by name.

/// Declares the limits once: their fields, defaults and names.
macro_rules! limits {
    ($($(#[doc = $doc:literal])* $name:ident $text:literal $default:expr;)*) => {
        /// The limits on traces. Those that Tamarin Tracing has say what document S2 calls them.
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

            /// The greatest limit of a name: counters and numbers are so wide, and the list of traces has room for them
            /// from the start.
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
            /// A limit that is greater than it may be, by name.
            pub(super) fn too_great(&self) -> Option<&'static str> {
                let all = [$(($text, self.$name),)*];
                all.into_iter().find(|(name, limit)| *limit > Limits::most(name)).map(|found| found.0)
            }
            /// The limit of a name.
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
    /// Times that an exit is taken before what follows is recorded.
    hot_exit "hot-exit" 10;
    /// Recordings from the header of a loop that are dropped because they leave the loop.
    tries "tries" 3;
    /// Jumps backward in a trace, other than to its beginning (MAX_XJUMPS). None leads to where the trace has been, or
    /// out of the loop that it is to be the trace of.
    cross_jumps "cross-jumps" 1;
    /// Guards in a trace, before an operation that may add some (MAX_BLKS).
    guards "guards" 10_000;
    /// Stores at the exits of a trace, where state is written there.
    stores "stores" 30_000;
    /// Operations in a trace.
    length "length" 20_000;
    /// Copies, in different traces, of what follows a point where paths meet (MAX_COPIES).
    copies "copies" 2;
    /// Returns from the frame on which a trace is entered, and from its callers (MAX_EXITS).
    returns "returns" 2;
    /// Traces behind the first one that begins at an operation, each for another way on.
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
    /// Guards fail by chance, as numbers from this seed say.
    pub stress: Option<u64>,
    /// Lifetimes are split before a trace is assembled.
    pub split: bool,
    /// Reports have the text of each trace behind each filter, and its code.
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

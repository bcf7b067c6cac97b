//! The limits of traces, by name.

/// The limits on traces. Those that Tamarin Tracing has are called what document S2 calls them.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Limits {
    /// Times that the header of a loop is reached before it is recorded.
    pub hot_loop: u32,
    /// Times that an exit is taken before what follows is recorded.
    pub hot_exit: u32,
    /// Jumps backward in a trace, other than to its beginning (MAX_XJUMPS).
    pub cross_jumps: u32,
    /// Guards in a trace (MAX_BLKS).
    pub guards: u32,
    /// Operations in a trace.
    pub length: u32,
    /// Copies, in different traces, of what follows a point where paths meet (MAX_COPIES).
    pub copies: u32,
    /// Nested calls in a trace.
    pub depth: u32,
    /// Traces.
    pub traces: u32,
    /// Exits of all traces.
    pub exits: u32,
    /// Bytes of code of all traces.
    pub code: u32,
    /// Slots that a trace reaches, from the first of the frame on which it is entered.
    pub reach: u32,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            hot_loop: 50,
            hot_exit: 10,
            cross_jumps: 0,
            guards: 10_000,
            length: 20_000,
            copies: 2,
            depth: 16,
            traces: 4096,
            exits: 1 << 17,
            code: 64 << 20,
            reach: 1 << 14,
        }
    }
}

/// The options of traces.
#[derive(Copy, Clone, PartialEq, Eq, Default, Debug)]
pub struct TraceOptions {
    /// The limits.
    pub limits: Limits,
}

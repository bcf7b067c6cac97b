//! Trace form: a function whose blocks form one path, with exits on its side.
//!
//! The path begins at the entry. A block of it continues to the next one, or is a guard: it continues, or leaves to an
//! *exit*, which is a block that ends the function. If both targets end the function, the first is the path. The last
//! block leaves, or jumps back to a block of the path, the header of a loop. `lir-run --trace-jit` records this form.
//!
//! The layout of an exit is public: its number is the constant that it returns, and the caller of the trace finds the
//! values that it writes through parameters.

use lir_syntax::ir::function::NO_LOC;
use lir_syntax::ir::{Block, Decls, EntitySet, Format, Function, Operand, SecondaryMap};
use lir_syntax::printer::{FunctionPrinter, printed};
use lir_syntax::text::diagnostic::Diagnostic;
use lir_syntax::text::source::Span;

/// A function in trace form.
#[derive(Debug)]
pub struct TraceForm {
    /// The blocks of the path, in order.
    pub path: Vec<Block>,
    /// The block of the path that the last one jumps back to.
    pub header: Option<Block>,
    /// The exits, in the order in which the path may be left. The last block of a path that is not a loop is one, too.
    pub exits: Vec<TraceExit>,
}

/// An exit of a trace. A block that several blocks of the path leave to is as many exits.
#[derive(Copy, Clone, Debug)]
pub struct TraceExit {
    /// The position in the path of the block that leaves to the exit.
    pub from: usize,
    /// The block.
    pub block: Block,
    /// The constant that it returns.
    pub number: Option<Operand>,
}

/// The reason a function is not a trace.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum NoTrace {
    /// A block continues to two others.
    Forks(Block, [Block; 2]),
    /// A block is neither on the path nor an exit.
    Aside(Block),
    /// The first block is on the path, and the second leaves to it as well.
    Both(Block, Block),
    /// Two exits return one number.
    SameNumber([Block; 2]),
}

impl TraceForm {
    /// Returns the trace that a function is, if it is one.
    ///
    /// # Errors
    /// The function breaks the form: the first block that does, with the reason.
    pub fn of(f: &Function) -> Result<TraceForm, NoTrace> {
        let mut form = TraceForm { path: vec![f.entry()], header: None, exits: Vec::new() };
        let mut seen = EntitySet::new();
        // For each exit, one more than the position of the last path block that leaves to it. Several cases of a
        // switch may lead to one exit, which is listed once.
        let mut left_from: SecondaryMap<Block, usize> = SecondaryMap::new();
        loop {
            let at = form.path.len() - 1;
            let b = form.path[at];
            seen.insert(b);
            // If all targets end the function, the path continues to the first.
            let goes_on = |s: &Block| !f.succs(*s).is_empty();
            let mut next = f.succs(b).first().copied().filter(|_| !f.succs(b).iter().any(goes_on));
            for &s in f.succs(b) {
                match next {
                    Some(first) if first == s => {}
                    _ if !goes_on(&s) => {
                        if std::mem::replace(&mut left_from[s], at + 1) <= at {
                            form.add_exit(f, at, s);
                        }
                    }
                    None => next = Some(s),
                    Some(other) if other != s => return Err(NoTrace::Forks(b, [other, s])),
                    Some(_) => {}
                }
            }
            match next {
                Some(s) if seen.contains(s) => form.header = Some(s),
                Some(s) => {
                    form.path.push(s);
                    continue;
                }
                None if f.succs(b).is_empty() => form.add_exit(f, at, b),
                None => {}
            }
            break;
        }
        // The last block of the path is its own exit.
        if let Some(e) = form.exits.iter().find(|e| e.block != form.path[e.from] && seen.contains(e.block)) {
            return Err(NoTrace::Both(e.block, form.path[e.from]));
        }
        seen.extend(form.exits.iter().map(|e| e.block));
        if let Some(aside) = f.layout().blocks().find(|b| !seen.contains(*b)) {
            return Err(NoTrace::Aside(aside));
        }
        form.check_numbers().map(|()| form)
    }
    fn add_exit(&mut self, f: &Function, from: usize, block: Block) {
        let returned = f.inst(f.terminator(block));
        let number = (returned.op.format() == Format::Return).then(|| returned.first()).filter(|o| o.is_const());
        self.exits.push(TraceExit { from, block, number });
    }
    fn check_numbers(&self) -> Result<(), NoTrace> {
        let mut numbers: Vec<(u32, Block)> =
            self.exits.iter().filter_map(|e| Some((e.number?.to_bits(), e.block))).collect();
        numbers.sort_unstable();
        numbers.dedup();
        match numbers.windows(2).find(|pair| pair[0].0 == pair[1].0) {
            Some(pair) => Err(NoTrace::SameNumber([pair[0].1, pair[1].1])),
            None => Ok(()),
        }
    }
}

impl NoTrace {
    /// Returns the block, and a sentence about it.
    pub(crate) fn in_words(self, decls: &Decls, f: &Function) -> (Block, String) {
        let name = |b: Block| format!("block `{}`", printed(|out| FunctionPrinter::new(decls, f).block(b, out)));
        match self {
            NoTrace::Forks(b, [x, y]) => {
                let (b_name, x, y) = (name(b), name(x), name(y));
                (b, format!("{b_name} continues at {x} and at {y}, neither of which ends the function"))
            }
            NoTrace::Aside(b) => (b, format!("{} is neither on the path from the entry nor left to from it", name(b))),
            NoTrace::Both(b, from) => (b, format!("{} is on the path, and {} leaves to it", name(b), name(from))),
            NoTrace::SameNumber([x, y]) => (y, format!("{} returns the number that {} returns", name(y), name(x))),
        }
    }
}

/// Returns the error of running `pass` on a function that is not a trace.
pub(crate) fn needs_trace(why: NoTrace, decls: &Decls, f: &Function, pass: &str) -> Diagnostic {
    let (block, what) = why.in_words(decls, f);
    let loc = f.loc_of(f.terminator(block));
    let span = (loc != NO_LOC).then(|| Span::at(loc));
    Diagnostic::new(span, format!("pass `{pass}` needs a trace, but {what}"))
        .note(None, "a trace is one path of blocks, each of which may also leave to a block that ends the function")
}

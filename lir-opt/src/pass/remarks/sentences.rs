//! The events that remarks tell of, and their sentences: lower case, no period.
//!
//! A row: the event with its culprits, its name in the file of remarks, and the sentence, in which `{x}` is the culprit
//! of that name in words.

use super::message::{At, AtLoc, By, Bytes, Message, Said, Who};
use crate::integers::range::Range as Interval;
use lir_syntax::ir::{Block, Inst, Obj, Opcode, Operand, Param, Reg, Sym, Type};

/// Makes the enum, with [`Event::name`] and [`Event::write`], of the rows.
macro_rules! events {
    ($($variant:ident $(($($arg:ident: $ty:ty),+))?: $name:literal, $sentence:literal;)*) => {
        /// The event of a remark.
        #[derive(Copy, Clone)]
        pub(crate) enum Event<'a> {
            $($variant $(($($ty),+))?,)*
        }

        impl Event<'_> {
            /// In kebab case, as in the file of remarks.
            pub(super) fn name(&self) -> &'static str {
                match self {
                    $(Event::$variant { .. } => $name,)*
                }
            }
        }

        impl Said for Event<'_> {
            fn write(&self, m: &mut Message<'_>) {
                match self {
                    $(Event::$variant $(($($arg),+))? => m.fill($sentence, &[$($((stringify!($arg), $arg)),+)?]),)*
                }
            }
        }
    };
}

/// A register, or a constant of the type.
type Typed = (Type, Operand);

/// Parts of a sentence with a form of their own.
type Words<'a> = &'a dyn Said;

events! {
    // implied changes
    BecameOther(was: &'a str, is: &'a str): "changed", "was `{was}`, is `{is}`";
    IsNow(is: &'a str): "changed", "is `{is}` now";
    Unused(was: &'a str): "unused", "was `{was}`, and nothing reads it any more";
    NotNeeded(was: &'a str): "gone", "was `{was}`, and is not needed any more";
    WentWithItsBlock(was: &'a str): "gone", "was `{was}`, in a block that is no more";
    Made(is: &'a str): "made", "is `{is}`";
    ObjectIsGone(object: Obj): "changed", "{object} is gone, for nothing uses it";
    OrderChanged: "changed", "registers, blocks or instructions stand in another order";
    // rebuild
    MergedWith(by: Reg): "merged", "{by} has the value";
    StandsForSource(source: Reg): "copied", "its source {source} has the value";
    ReadsVariable(r: Reg): "variable", "{r} may be assigned again, so nothing is known of what reads it";
    StoredAgain: "dead-store", "is overwritten in its block before anybody looks";
    // aegraph
    BestForm(forms: usize): "best-form", "is the cheapest of {forms} forms of its value";
    PlacedIn(block: Block, was: Block): "placed", "stands in {block}, out of {was}";
    StaysForTrap: "may-trap", "stays where it is, for it may trap";
    // attrs
    Attribute(symbol: Sym, word: &'a str): "attribute", "{symbol} is {word}";
    ReturnsTwice(symbol: Sym): "returns-twice", "{symbol} returns twice, which has all effects";
    NotReadnone(symbol: Sym, by: Option<By>): "reads",
        "{symbol} is not readnone: it reads memory of others, or may{by}";
    NotReadonly(symbol: Sym, by: Option<By>): "writes",
        "{symbol} is not readonly: it writes memory of others, or may{by}";
    MayTrapOrStop(symbol: Sym, by: Inst): "may-not-return", "{symbol} is not willreturn: this may trap or stop: {by}";
    MayBeEndless(symbol: Sym, b: Block, at: At): "may-not-return",
        "{symbol} is not willreturn: loop {b}{at} may be endless";
    MuchStack(symbol: Sym): "may-not-return", "{symbol} is not willreturn: it takes much stack";
    MayCallItself(symbol: Sym): "may-not-return", "{symbol} is not willreturn: it may call itself again and again";
    // const-data
    NothingWrites(symbol: Sym): "made-constant", "{symbol} is constant: nothing writes it";
    IsWrittenHere(symbol: Sym): "written", "{symbol} is written here";
    AddressIsKept(symbol: Sym): "address-kept",
        "the address of {symbol} gets to where it may be kept, or written through";
    ManyZeros(symbol: Sym): "many-zeros", "{symbol} is all zeros, which take no space in the file as they are";
    // constfold
    OperandKnown: "operand-known", "a constant stands in place of a register";
    Decided(target: Block): "decided", "always goes to {target}";
    Computed(constant: Typed): "computed", "is always {constant}";
    Selected(value: Typed): "selected", "the condition is known: a copy of {value}";
    Swapped: "swapped", "the constant stands second now";
    WouldTrap: "would-trap", "its operands are constants, for which it traps";
    AssignedElsewhere(at: Option<At>): "assigned-again",
        "is not known where it is read: it is assigned elsewhere, too{at}";
    // copy-prop
    LookedThrough(source: Reg): "looked-through", "is a copy of {source}, which is read in its place";
    HoldsInItsBlock(r: Reg, at: Option<At>): "assigned-again",
        "holds in its block at most: {r} is assigned elsewhere{at}";
    // dce
    ResultNotUsed: "removed", "its result is not used";
    UnusedVolatile: "has-an-effect", "its result is not used, but it is volatile";
    UnusedCallWrites: "has-an-effect", "its result is not used, but what it calls may write memory";
    UnusedCallMayStop: "has-an-effect", "its result is not used, but what it calls may not come back";
    UnusedMayTrap: "has-an-effect", "its result is not used, but it may trap";
    UnusedHasEffect: "has-an-effect", "its result is not used, but it has an effect";
    // dead-args
    ResultUnused: "result-removed", "no call uses the result";
    IsConstant(parameter: Param, k: i64): "parameter-removed", "{parameter} is {k} in every call";
    IsUnused(parameter: Param): "parameter-removed", "{parameter} is not used";
    IsNeeded(value: Reg, by: Option<By>): "is-needed", "{value} is not one constant in every call, and is used{by}";
    CalledFromOutside(r: Reg): "calls-not-known", "{r} is not used, but the function may be called from outside";
    AddressTaken(r: Reg): "calls-not-known", "{r} is not used, but the address of the function is taken";
    NothingCalls(r: Reg): "calls-not-known", "{r} is not used, but nothing calls the function";
    VariableArguments(r: Reg): "calls-not-known", "{r} is not used, but the function has variable arguments";
    CallGivesNothing: "call-rewritten", "as the callee wants it now: no result";
    CallPassesFewer(n: usize): "call-rewritten", "as the callee wants it now: {n} of the arguments fewer";
    CallPassesFewerGivesNothing(n: usize): "call-rewritten",
        "as the callee wants it now: no result, {n} arguments fewer";
    // dse
    Overwritten(at: At): "dead-store", "is overwritten before anybody looks{at}";
    VolatileStore: "store-stays", "is volatile";
    IsApart: "is-apart", "the ranges are known not to overlap: memcpy";
    WritesNothing: "redundant-store", "writes no bytes, or those that it reads";
    MayBeRead(by: Inst): "store-stays", "may be read: {by}";
    SeenAtTheEnd(by: Inst): "store-stays", "may be seen when the program ends: {by}";
    SeenByTheCaller(by: Inst): "store-stays", "may be seen by the caller: {by}";
    SeenInALoop(by: Inst): "store-stays", "may be seen in a loop, which may be endless: {by}";
    SeenOnAPath(by: Inst): "store-stays", "may be read or seen on a path from here: {by}";
    SeenIfNoReturn(by: Inst): "store-stays", "is seen if a call does not return: {by}";
    SeenIfTrap(by: Inst): "store-stays", "is seen if this traps: {by}";
    NothingOverwrites: "store-stays", "nothing was found that overwrites it";
    Unread(object: Words<'a>): "dead-store", "{object} does not escape, and nothing reads this any more";
    WasLoaded(at: At): "redundant-store", "was loaded from there{at}";
    WasStored(at: At): "redundant-store", "was stored from there{at}";
    // global-dce
    NothingRefersTo(symbol: Sym): "removed", "{symbol}: nothing refers to it";
    HasASection(symbol: Sym): "has-a-section", "{symbol} is in a section of its own, where others may find it";
    ReferredTo(by: Sym, symbol: Sym): "referred-to", "{by} holds the address of {symbol}";
    NeverRead(symbol: Sym): "dead-store", "{symbol} is written and never read";
    ReferredToBy(by: Sym, symbol: Sym, at: AtLoc): "referred-to", "{by} refers to {symbol}{at}";
    // if-convert
    LoopWouldWait: "loop-would-wait", "an iteration would wait for what the last one loaded and compared";
    Converted: "converted", "both sides are computed, and one is chosen";
    BothBring(value: Typed): "merged", "both sides bring {value}";
    Chosen(x: Typed, y: Typed, at: At): "chosen", "the choice between {x} and {y} by the branch{at} is computed now";
    ChosenForTwo(x: Typed, y: Typed, at: At): "chosen",
        "{x} or {y} is chosen by the branch{at}: for two entries, computed now";
    BothSidesCost(cost: u64): "costs-too-much", "both sides together cost {cost}";
    SidesCostUpTo(by: Inst): "costs-too-much", "the sides cost too much, from here on: {by}";
    SideMustNotRun(by: Inst): "must-not-be-executed", "a side must not be executed in vain: {by}";
    ManySidesMeet: "many-entries", "many paths lead to where the sides meet";
    ChoosesFloats(by: Inst): "chooses-floats", "floats are not chosen without a branch: {by}";
    // indvars
    LoopValuesAreRead: "loop-stays", "the loop has no effect, but its values are read outside";
    LoopDeleted(block: Block): "loop-deleted", "loop {block} has no effect and ends";
    CountsAs(value: Reg): "merged", "counts as {value} does";
    TooManyProducts: "too-many-products", "other products of the loop have become sums, and each takes a register";
    Reduced(value: Reg): "reduced", "is a sum now that grows in each iteration, as {value} does";
    Widened(value: Reg): "widened", "the loop counts in 64 bits, for {value} does not overflow";
    IsWide(value: Reg): "is-wide", "the loop counts in 64 bits now: no extension of {value}";
    ComparedWide(value: Reg): "compared-wide", "compares {value} in 64 bits";
    MayOverflow: "may-overflow", "no test that the loop is left by shows that the increment does not overflow";
    NotWorthIt: "not-worth-it", "one extension would go and a truncation come: other instructions read the variable";
    ExitsDiffer: "loop-stays", "the loop has no effect, but its exits lead to several blocks, or with different values";
    MayNotEnd: "loop-stays", "the loop has no effect, but may be endless";
    // inline
    Inlined(symbol: Sym, size: u32): "inlined", "{symbol} of size {size}";
    NotInlined(symbol: Sym, why: Words<'a>): "not-inlined", "{symbol}: {why}";
    IsNoinline: "not-inlined", "it is noinline";
    LeadsBack: "not-inlined", "it leads back to the caller";
    ReadsVariableArguments: "not-inlined", "it reads variable arguments";
    CallsReturnsTwice: "not-inlined", "a returns_twice function is called";
    NotInSsaForm: "not-inlined", "it is not in SSA form and the caller is";
    CalleeTooLarge(size: u32, limit: u32): "not-inlined", "its size is {size}, the limit here {limit}";
    CallerTooLarge: "not-inlined", "the caller would grow too much";
    FrameTooLarge: "not-inlined", "the caller's frame would grow too much";
    RecursiveFrameTooLarge: "not-inlined", "the caller's frame, perhaps there many times at once, would grow too much";
    ModuleTooLarge: "not-inlined", "the module would grow too much";
    // all passes that copy
    GrewTooMuch: "growth-limit", "the function has grown by all that copies may add to it";
    // jump-threading
    Threaded(from: Block, to: Block): "threaded", "control that comes from {from} goes to {to}";
    HasOneWayIn: "begins-a-loop", "the block begins a loop, which keeps its one entry";
    EntryOfACycle: "irreducible", "the block is one of several entries of a cycle";
    HasWhatStays(by: Inst): "must-not-be-copied", "the block has what may not be copied: {by}";
    CopyTooLong(max: usize): "too-long", "it takes more than {max} instructions";
    ComputedThere(by: Inst): "computed-there", "what is tested is computed in the block: {by}";
    NowhereKnown: "not-known", "on no path to the block is it known where it goes";
    SplitsValues(phis: usize): "costs-phis", "a copy costs more than a branch: {phis} values that are read later would need phis";
    ThreadingLimit(block: Block): "limit", "it is known for control that comes from {block}, but limits were reached";
    // licm
    MayTrap: "may-trap", "it may trap, which is to happen when it is reached and not before";
    TooManyRegisters: "too-many-registers", "the loop needs the registers for other values that were moved out of it";
    NoPreheader(header: Block): "no-preheader", "no block leads to loop {header} alone and is executed before it";
    NotCertain: "not-certain", "what it calls may trap, and is not certain to be the first effect in the loop";
    MayFault: "may-fault", "it may fault, and is not certain to be the first effect when the loop is entered";
    Moved(header: Block): "moved", "is the same in each iteration of loop {header}";
    CalleeMayStop: "may-not-return", "the callee is not `willreturn`, and may keep the rest from being executed";
    PassesAggregates: "reads-memory", "it may return twice, or an argument or the result is an aggregate in memory";
    CalleeReads: "reads-memory", "calls that read memory stay, whatever the loop writes";
    LoopMayWrite(at: At): "clobbered", "the loop may write to the same memory{at}";
    MuchToCompare: "clobbered", "the loop has too many stores and calls to compare with";
    // load-phi
    StoredBefore(block: Block): "stored-before", "is what was stored or loaded on each path to {block}";
    NotStoredOnAll(block: Block): "not-stored", "where control comes from {block} no store or load of the same is known, or it is too far to look for";
    AddressMadeBelow(block: Block): "made-below", "its address is made of what is not known yet at the top of {block}";
    // libcalls
    LibcDone(symbol: Sym): "call-removed", "what {symbol} does is done without a call";
    LibcSimpler(symbol: Sym, by: Sym): "call-replaced", "{by} does here what {symbol} does";
    LibcUnusedMemory(symbol: Sym): "allocation-removed", "the memory that {symbol} gives is not used";
    LibcStays(symbol: Sym): "call-stays", "too little is known of what {symbol} is passed";
    LibcResultUsed(symbol: Sym): "call-stays", "the result of {symbol} is used, and what does the same gives another";
    LibcOrderAsked(symbol: Sym): "call-stays", "the result of {symbol} is not only compared with 0 for equality";
    LibcManyBytes(symbol: Sym): "call-stays", "{symbol} compares many bytes";
    LibcMemoryUsed(symbol: Sym): "call-stays", "the memory that {symbol} gives is used";
    LibcUndeclared(name: &'a str): "not-declared", "`{name}` means something else in this module";
    // loop-idiom
    Filled(header: Block): "filled", "memset does what loop {header} did";
    FilledFrom(header: Block, least: u64): "filled", "memset does what loop {header} does, from {least} iterations on";
    Copied(header: Block): "copied", "memcpy does what loop {header} did";
    CopiedFrom(header: Block, least: u64): "copied", "memcpy does what loop {header} does, from {least} iterations on";
    MovedBytes(header: Block): "copied", "memmove does what loop {header} did";
    MovedBytesFrom(header: Block, least: u64): "copied", "memmove does what loop {header} does, from {least} iterations on";
    CountNotKnown: "count-not-known", "the number of iterations is not known before the loop";
    LoopsShareExit(max: usize): "many-edges", "more than {max} edges lead to where the loop ends";
    KeptForShortRuns: "kept-for-short-runs", "the loop is executed for few iterations only";
    FewIterations(n: u64): "few-iterations", "the loop has {n} iterations";
    LoopDoesMore(by: Inst): "does-more", "the loop has another effect: {by}";
    LoopDoesMuch(max: usize): "too-long", "the loop has more than {max} instructions";
    NotSideBySide(by: Inst): "not-side-by-side", "two iterations in a row do not access bytes side by side: {by}";
    BytesDiffer: "bytes-differ", "what is stored is no constant of equal bytes, and nothing that the loop loads";
    MayReadWritten(by: Inst): "may-overlap", "it may read what another iteration wrote: {by}";
    ReadBehind(value: Reg): "is-read", "{value} is read behind the loop, and is not computed without it";
    // load-merge
    LoadsMerged(loads: usize): "loads-merged", "{loads} loads of adjacent bytes become one";
    ChangedBetween: "changed-between", "memory may change between the loads of its bytes, or they are in several blocks";
    // loop-rotate
    TooManySteps: "too-many-steps", "SSA form would cost too much to make again";
    Rotated(header: Block): "rotated", "the test of loop {header} is at its bottom";
    NoTestAtTheTop: "no-test-at-the-top", "the loop is not left by a branch of its header, or by one at its bottom too";
    MustNotBeCopied(at: At): "must-not-be-copied", "the header has an instruction that may stand only once{at}";
    TooLong(max: usize): "too-long", "the header has more than {max} instructions";
    // loop-simplify
    EdgesSplit(block: Block): "edges-split", "new blocks in front of {block}";
    Irreducible(block: Block): "irreducible", "the cycle through {block} is no loop: it has several entries";
    // loop-unroll
    Unrolled(header: Block, iterations: usize): "unrolled", "the {iterations} iterations of loop {header} stand behind each other";
    LoopInside: "loop-inside", "the loop has another one inside, or a cycle of several entries";
    NotCounted: "not-counted", "what is known before the loop does not say when it is left";
    TooManyIterations(max: usize): "too-many-iterations", "the loop has more than {max} iterations";
    TooLargeUnrolled(max: u32): "too-large", "its iterations have more than {max} instructions together";
    // loop-unroll-runtime
    UnrolledByGroups(header: Block, factor: usize): "unrolled", "{factor} iterations of loop {header} stand behind each other, with one test";
    NotCountedUp: "not-counted", "no counter that goes towards a bound says at the end when the loop is left";
    FewerThanTwoGroups: "few-iterations", "it is known to have fewer iterations than two groups";
    UnrolledAlready: "unrolled-already", "it is a group of iterations, or does the rest of one";
    ExitIsShared: "exit-is-shared", "what is read behind it would have to be chosen in a block to which others lead, too";
    HasOtherExits: "has-other-exits", "it has a loop inside, or is left in the middle";
    NotUnrolledByGroups(max: usize): "not-unrolled", "it has calls or dynamic stack memory, or more than {max} instructions in three iterations";
    // loop-version
    Versioned(header: Block): "versioned", "loop {header} has a copy for the case that its counter, or a sum with it, wraps";
    NotCopied(max: usize): "not-copied",
        "the counter or a sum with it may wrap; the loop has more than {max} instructions, or one that may do anything";
    // mem2reg
    Promoted(object: Obj, value: Typed): "promoted", "{object} becomes registers; here it holds {value}";
    EscapesHere(o: Obj): "stays",
        "{o} stays in memory: here its address is used for more than loads and stores of one type";
    AddressStored(o: Obj): "stays", "{o} stays in memory: here its address is stored";
    AccessedOtherwise(o: Obj): "stays", "{o} stays in memory: here it is accessed as another type or at another offset";
    // mem-fold
    Folded: "folded", "the address is computed in the operand";
    SymbolBesideIndex(at: Inst): "beside-an-index", "a symbol's address beside an index takes a register anyway: {at}";
    FarSymbol: "far-symbol", "the symbol is not defined here, or differs from thread to thread";
    FarFromSymbol(at: Inst): "displacement", "the displacement from a symbol would be too large: {at}";
    OutsideOfData(at: Inst): "outside", "the access would be outside of constant data: {at}";
    DoesNotFit(at: Inst): "does-not-fit", "with what stands there, scale or displacement do not fit: {at}";
    NoAddressElsewhere(by: Option<By>): "read-elsewhere", "it is also read where no address can stand{by}";
    BaseElsewhere(at: Inst): "base-elsewhere", "it is the base of another address, which has no scale: {at}";
    IsAnIndex(at: Inst): "is-an-index", "it is an index itself, in the place of one register: {at}";
    BesideAnIndex(at: Inst): "beside-an-index", "it stands beside an index: {at}";
    TwoForAnotherBlock(at: Inst): "another-block", "two registers would be live to another block, not one: {at}";
    NoSuchScale: "scale", "it is multiplied by something else than 2, 4 or 8";
    WideDisplacement: "displacement", "the displacement does not fit 32 bits";
    Difference: "difference", "a register is subtracted";
    // phi-coalesce
    ComesIn(own: Reg): "out-of-ssa", "its value comes in {own}, which the predecessors assign";
    BringsPhi(phi: Reg): "out-of-ssa", "brings {phi} its value";
    IsOneWith(other: Reg): "joined", "is {other} now: the two are never needed at once, unless as one value";
    HoldsToo(other: Reg): "joined", "holds {other}, too";
    RegisterOfItsOwn: "returns-twice", "a returns_twice function is called, so each value keeps its register";
    OperandIsCopied(a: Typed, x: Typed, y: Typed): "copied", "its operand {a} is copied: {x} and {y} are needed at once";
    ResultIsCopied(x: Typed, y: Typed): "copied", "is copied from its operands' register: {x} and {y} are needed at once";
    CopyNeeded(x: Typed, y: Typed): "copied", "stays, for {x} and {y} are needed at once";
    // phi-simplify
    HasValue(value: Typed): "merged", "always has the value {value}";
    SeveralValues(x: Typed, y: Typed): "several-values", "chooses between {x} and {y}";
    // reassociate
    TwoObjects: "two-objects", "its grouping says to whose object it belongs";
    OperandReadElsewhere(r: Reg, at: At, n: u32): "read-elsewhere", "its operand {r}{at} is read {n} times, and stays";
    OperandInAnotherLoop(r: Reg, at: At): "another-loop",
        "its operand {r}{at} is computed elsewhere among loops, and stays";
    OperandOfAnotherWidth(r: Reg, inner: Inst): "another-width", "its operand {r} is of another width than {inner}";
    Floats(inner: Inst): "floats", "floats are rounded in the order in which they stand, after {inner}";
    InOrder: "in-order", "its operands stand in the order of ranks";
    NoGain(new: usize, old: usize, n: u32): "no-gain", "a chain of {new} would stand for {old} that are {n} deep";
    PartOf(op: Opcode, r: Option<Reg>, at: At): "taken-in", "is a part of the {op} that gives {r}{at}, written anew";
    InOrderOfRanks(old: usize, op: Opcode, new: usize): "rewritten",
        "{old} {op} instructions cost {new} in order of ranks";
    InvariantFirst(old: usize, op: Opcode, new: usize, n: u32): "rewritten",
        "{old} {op} instructions cost {new} in order of ranks, and {n} of them do not change in the loop";
    // simplify
    BytesInOrder(value: Reg): "rewritten", "as the bytes of {value} in their new order";
    BytesReadElsewhere(r: Reg): "not-fewer", "its bytes are those of {r} swapped, but they are read elsewhere, too";
    OtherOrder(value: Typed): "other-order", "is {value}, computed in another order";
    DecidedBeside(value: Typed): "decided-beside", "a comparison beside it leaves one value only: {value}";
    NotExpanded: "not-expanded", "a rule would make more instructions, and the option expand is off";
    OperandComputed(value: Typed, value2: Typed): "operand-known", "the constant {value} stands in place of {value2}";
    ByRule(rule: &'a str): "rewritten", "by the rule {rule}";
    NotFewer(rule: &'a str): "not-fewer", "the rule {rule} would leave no fewer instructions";
    NotFewerFor(rule: &'a str, r: Reg): "not-fewer", "the rule {rule} would leave no fewer: {r} is read elsewhere, too";
    IsItself(value: Typed): "same-of-all", "is {value} itself";
    Whatever(value: Typed, source: Typed): "same-of-all", "is {value}, whatever {source} is";
    // simplify-cfg
    SameBeginning: "hoisted", "the other arm begins with the same";
    SameEnd(block: Block): "sunk", "the other block before {block} ends with the same";
    CalleeIsNoreturn: "cut", "what follows is never reached: the callee is noreturn";
    ReturnIsTrap: "cut", "this function is noreturn, so that to return is to trap";
    JumpedOver(block: Block): "jumped-over", "the block only jumps, so what led to it leads to {block} now";
    Redirected(to: Block, past: Block): "redirected", "leads to {to} in place of {past}, which only jumps there";
    DecidedBefore(target: Block): "decided", "a branch before it says that it goes to {target}";
    JumpGoes(block: Block): "joined", "the jump goes, for nothing else leads to {block}";
    OneEntry(source: Typed): "one-entry", "the phi has one entry, and becomes a move of {source}";
    Unreachable: "unreachable", "nothing leads to the block";
    Simplified: "simplified", "cases and labels that make no difference go";
    Range(block: Block): "range", "tests the same integer as {block}, which is merged";
    NotJoined(p: Block, q: Block): "not-joined", "the block begins where paths meet: {p} and {q} lead to it";
    ManyEntries(b: Block, n: usize): "many-entries", "without the block the phis of {b} get {n} entries more";
    BeginsALoop(at: At, header: Block): "begins-a-loop", "the block has a phi{at}, and {header} begins a loop";
    Switch(n: usize): "switch", "{n} tests of one integer become a switch";
    SameBlock(kept: Block): "merged", "the block does the same as {kept}";
    LimitReached: "not-jumped-over", "a limit was reached";
    Rival(p: Block, to: Block): "not-jumped-over", "{p} leads to {to} by itself, with other values for its phis";
    LeadsThereItself(target: Block): "not-jumped-over", "a predecessor leads to {target} by itself, or there are many";
    PhiReadElsewhere(by: Inst): "not-jumped-over", "a phi of the block is read elsewhere: {by}";
    NoSwitch(n: usize): "no-switch",
        "{n} blocks test one integer: there would be many cases, or phis tell the paths apart";
    TooFewTests(n: usize, eq: usize, least: usize): "too-few-tests",
        "{n} blocks test one integer, {eq} times for equality; a switch takes {least}";
    // sink
    Sunk(b: Block): "sunk", "its result is needed in {b} alone, and below it";
    NotSunk(b: Block): "not-sunk", "several values would be live to {b}";
    IntoALoop(b: Block): "into-a-loop", "its result is needed in {b} alone, but that is in a loop";
    MemoryMayDiffer(b: Block): "reads-memory", "its result is needed in {b} alone, but memory may be another there";
    TrapsStay(b: Block): "may-trap", "its result is needed in {b} alone, but traps stay where they are";
    // sroa
    AddressUsed(o: Obj): "stays",
        "{o} stays in memory: here its address is used for more than accesses at fixed offsets";
    CopyExpanded(ty: Type): "expanded", "the copy becomes a load and a store of {ty}";
    FillExpanded(ty: Type): "expanded", "the fill becomes a store of {ty}";
    PartSplit(bytes: Bytes, ty: Type): "split", "{bytes} become a register of type {ty}";
    PartStays(bytes: Bytes, why: Words<'a>): "part-stays", "{bytes} stay in memory: {why}";
    Pinned: "part-stays", "a volatile access or a large copy touches them";
    NoSuchRegister: "part-stays", "accesses overlap there, and no register is as large";
    PieceOf(n: u32): "part-stays", "an access is of {n} of these bytes, as many as no register has";
    NotPaying(saved: u32, paid: u32): "part-stays",
        "a register would save {saved} loads and stores, and cost {paid} around calls and returns";
    // ssa
    JoinsAssignments(variable: Reg): "joined", "chooses between the assignments of {variable} that come here";
    OneAssignment(r: Reg, own: Reg): "split",
        "is one of several assignments of {r}, and has its own register now: {own}";
    // store-merge
    StoresMerged(stores: usize): "stores-merged", "{stores} stores to adjacent bytes become one";
    StoresOverlap: "stores-overlap", "stores that follow one another overlap";
    // tail-calls
    MayBeJump: "marked", "may become a jump: only the return of its result follows";
    ReturnsHere(was: Block): "returned", "returns itself, in place of a jump to {was}";
    NoReturnFollows: "stays-a-call", "stays a call, and loses its mark: no return follows";
    FrameIsKept: "stays-a-call",
        "stays a call: the address of a stack object may be known elsewhere, or memory on the stack is dynamic";
    JumpsMayLeadBack: "stays-a-call",
        "stays a call: jumps alone might lead back here, and a recursion without an end overflows the stack";
    ReturnWouldTrap: "stays-a-call", "stays a call: to return is a trap, for a function is noreturn";
    AggregateOnStack: "stays-a-call", "stays a call: an aggregate argument is on the stack";
    NoRoomForArguments: "stays-a-call", "stays a call: its arguments need more of the stack than the caller's own";
    EnvironmentInTheWay: "stays-a-call", "stays a call: the environment is in the register that the callee would be in";
    CalleeIsVariadic: "stays-a-call", "stays a call: the callee is variadic";
    OtherResult: "stays-a-call", "stays a call: its result is not passed on as it comes back";
    // tail-rec
    AccumulatingIsOff: "not-a-loop", "an operation follows, and accumulating is off";
    Looped: "looped", "is a jump to the beginning";
    VariadicFunction: "not-a-loop", "the function has variable arguments";
    AggregateParameters: "not-a-loop", "the function has aggregate parameters or results";
    NeverReturns: "not-a-loop", "the function never returns";
    DynamicStack: "not-a-loop", "the function has dynamic stack memory";
    ObjectKnownElsewhere: "not-a-loop", "the address of a stack object may be known elsewhere";
    CallsWhatReturnsTwice: "not-a-loop", "a returns_twice function is called";
    AlwaysCallsAgain: "not-a-loop", "every path leads to the next call";
    ResultUsed: "not-a-loop", "its result is used";
    AnotherAccumulated: "not-a-loop", "another operation is accumulated";
    SomethingFollows: "not-a-loop", "something follows it";
    NotReturned: "not-a-loop", "its result is not what is returned";
    // lvn
    NewInBlock(n: u32, key: Words<'a>): "numbered", "number {n}, key {key}, is new in this block";
    LoadAfterWrite(n: u32, key: Words<'a>, by: Inst, other: Words<'a>): "numbered",
        "number {n}, key {key}; the {by} may have written there, and no equal load stands after it{other}";
    FirstLoad(n: u32, key: Words<'a>, other: Words<'a>): "numbered",
        "number {n}, key {key}; no equal load stands before it in this block{other}";
    StoredAs(offset: u32, ty: Type): "numbered", "; what was stored at {offset} is an {ty}";
    HeldAlready(n: u32, why: Words<'a>): "removed", "number {n}{why}: the register holds this value already";
    ReplacedBy(n: u32, why: Words<'a>, value: Reg): "merged", "number {n}{why}: replaced by {value}";
    BecomesCopy(n: u32, why: Words<'a>, r: Reg): "made-copy",
        "number {n}{why}: a copy of {r}: one of them is assigned again";
    BecomesTramp(n: u32, why: Words<'a>, r: Reg): "made-tramp",
        "number {n}{why}: a tramp, whose readers read {r}";
    ConstantStored(n: u32, why: Words<'a>, value: Typed): "made-constant", "number {n}{why}: replaced by {value}";
    OfKey(key: Words<'a>): "merged", ", key {key}";
    SameOperand: "merged", ", that of its operand";
    LeftThere(who: Who): "merged", ", which {who} left there";
    Nothing: "merged", "";
    NotHeld(n: u32): "not-held", "number {n}: the registers that held this value were assigned anew";
    NumberOfPhi(n: u32): "not-numbered", "number {n}: a phi always has a number of its own here";
    NumberOfVolatile(n: u32): "not-numbered", "number {n}: a volatile load never takes part";
    NumberWithoutMemory(n: u32): "not-numbered", "number {n}: loads are not numbered with the option `memory=off`";
    NumberOfEffect(n: u32): "not-numbered", "number {n}: it has effects";
    NumberOfReturnsTwice(n: u32): "not-numbered", "number {n}: a call that may return twice never takes part";
    NumberOfAggregate(n: u32): "not-numbered", "number {n}: a call that gets an aggregate reads memory";
    NumberWithPureCalls(n: u32): "not-numbered", "number {n}: `readnone` calls are numbered with `pure-calls` only";
    NumberOfReader(n: u32): "not-numbered", "number {n}: a call may read memory, for the callee is not `readnone`";
    NumberOfImpure(n: u32): "not-numbered", "number {n}: a call may have effects";
    KeyOfFirst(key: Words<'a>, who: Who): "merged", ", key {key}, which {who} has, too";
    // vrp
    Known(value: Typed): "known", "the ranges of its operands make it {value}";
    Subtracted(value: Typed): "subtracted", "{value} is below twice the divisor";
    Unsigned(value: Typed): "unsigned", "{value} is never negative";
    MayWrap(sum: Inst): "may-wrap", "its operand may wrap around: {sum}";
    MayBeNegative(value: Typed): "may-be-negative", "{value} may be negative";
    GoesToFirst: "known", "it always goes to the first block";
    GoesToSecond: "known", "it always goes to the second block";
    TruncationLosesNothing: "widened", "the truncation before it loses nothing";
    SumDoesNotWrap: "widened", "the sum before it does not wrap";
    BothOfOne(x: Typed, a: Interval): "not-decided", "both outcomes are possible where {x} is from {a}";
    BothOfTwo(x: Typed, a: Interval, y: Typed, b: Interval): "not-decided",
        "both outcomes are possible where {x} is from {a} and {y} is from {b}";
    // rse
    DeadOnTheTrace: "dead-store", "is stored again or dropped before the trace may be left";
    ReadAtAnExit(exit: Block): "store-stays", "may be read behind the exit {exit}";
    ReadInTheLoop: "store-stays", "may be read when the loop goes on";
    ReadOnTheTrace(by: Inst): "store-stays", "is read on the trace: {by}";
    StackEscapes(by: Inst): "store-stays", "is in a stack whose address is used otherwise: {by}";
    // sccp
    Varies(known: Words<'a>, varying: Words<'a>): "varies", "what it tests is {known}, but {varying}";
    // gvn
    ClonesTooLarge(copied: usize, most: usize): "tagged-table", "clones of tables would copy {copied} entries, and may copy {most}: one tagged table is used";
    StoreLeft(key: Words<'a>, who: Who, value: Typed): "forwarded", "{key}: {who} left {value} there: replaced by it";
    HasTheKey(key: Words<'a>, who: Who, value: Typed): "merged", "{key}, which {who} has, too: replaced by {value}";
    KeyIsKnown(key: Words<'a>, value: Typed): "merged", "{key}: replaced by {value}";
    AnotherWidth(key: Words<'a>, who: Who, ty: Type): "another-width",
        "{key}; {who} accesses the location as another type, {ty}";
    StoreCovers(key: Words<'a>, who: Who, ty: Type): "another-width",
        "{key}; {who} covers the location with another type, {ty}";
    StoreCoversPart(key: Words<'a>, who: Who, ty: Type): "another-width",
        "{key}; {who} covers a part of it with another type, {ty}";
    ConstantElsewhere(key: Words<'a>, who: Who, block: Block): "constant",
        "{key}; {who} in block {block} is the same, but a constant is numbered in its own block only";
    Clobbered(key: Words<'a>, who: Who, why: Words<'a>): "clobbered", "{key}; {who} has the same location, but {why}";
    ClobberedCall(key: Words<'a>, who: Who, why: Words<'a>): "clobbered", "{key}; {who} is the same call, but {why}";
    WrittenBetween(by: Inst): "clobbered", "the {by} may write to it in between";
    PathsMeet(block: Block): "clobbered", "memory SSA does not see past the paths that meet at block {block}";
    TooMuchBetween: "clobbered", "there is too much in between that might write to it to look at all";
    NotToldApart: "clobbered", "what is written in between is not told apart from it";
    ToldApartBySsa: "clobbered", "what is written in between is not told apart from it (with mem=ssa it is)";
    ForgottenByBlock: "clobbered", "with mem=block memory is forgotten at the top of each block";
    NotDominating(key: Words<'a>, who: Who, b: Block, here: Block): "not-dominating",
        "{key}; {who} in block {b} is equal, but {b} does not dominate {here}";
    NotDominatingTrap(key: Words<'a>, who: Who, b: Block, here: Block): "not-dominating",
        "{key}; {who} in block {b} is equal, but may trap, and {b} does not dominate {here}";
    Numbered(key: Words<'a>): "numbered", "{key}; nothing before it is equal";
    PhiNumber(n: Words<'a>): "phi",
        "number {n} of its own: operands of phis may come along back edges (see phi-simplify)";
    ImpureCall(n: Words<'a>): "impure", "number {n} of its own: a call whose callee is not known to leave memory alone";
    CallReadsMemory(n: Words<'a>): "impure", "number {n} of its own: memory is not numbered with mem=off";
    CallOfAggregates(n: Words<'a>): "impure", "number {n} of its own: the callee returns twice, or has aggregates";
    VolatileLoad(n: Words<'a>): "impure", "number {n} of its own: it is volatile";
    LoadWithoutMemory(n: Words<'a>): "impure", "number {n} of its own: loads are not numbered with mem=off";
    HasEffects(n: Words<'a>, op: Opcode): "impure", "number {n} of its own: {op} has effects";
    // gvn-partition, gvn-unified
    Congruent(n: Words<'a>, by: Reg): "merged", "number {n}: replaced by {by}";
    CongruentToConstant(value: Typed): "made-constant", "all that it chooses from is {value}";
    CongruentElsewhere(n: Words<'a>, other: Reg, b: Block): "not-dominating",
        "number {n}, as {other} has, but {b} does not dominate this block";
    // avail, pre
    ComputedOnAllPaths(n: Words<'a>): "merged", "number {n}: computed on all paths to here";
    ComputedOnEdges(n: Words<'a>): "inserted", "number {n}: computed on some paths to here, and inserted on the others";
    LoadedOnAllPaths: "merged", "loaded or stored on all paths to here";
    LoadedOnEdges: "inserted", "loaded or stored on some paths to here; a load is inserted on the others";
    NotOnAllPaths(n: Words<'a>): "partial", "number {n}: computed on some paths to here, not on all";
    NotWorthInserting(n: Words<'a>): "partial",
        "number {n}: computed on some paths to here, and inserting it on the others takes more of them, or operands";
    TooManyPaths(n: Words<'a>): "gave-up", "number {n}: there are too many paths to here";
    CopyStays(value: Typed): "copy", "a copy has the number of its operand, {value}";
    CopyGoes(value: Typed): "copy", "a copy has the number of its operand: replaced by {value}";
    BlockWrote(op: Opcode): "block", "what the {op} wrote there is known: replaced by it";
    EqualOperands(value: Typed): "equal-operands", "its operands have one number: it is {value}";
    KnownByBranch(value: Typed): "known", "a branch that dominates it decides it: {value}";
    EqualByBranch: "operands", "a branch proves what its operands are: replaced by what is equal";
    ConstantData: "constant-data", "reads constant data, whose contents replace it";
    LowPart(ty: Type, v: Typed): "converted", "memory holds an {ty} there, of which it is the low part: from {v}";
    OtherClass(ty: Type, v: Typed): "converted",
        "memory holds an {ty} there, whose bits are those of the other class: from {v}";
}

impl Said for &Event<'_> {
    fn write(&self, m: &mut Message<'_>) {
        (**self).write(m);
    }
}

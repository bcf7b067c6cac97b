//! Loops in place of tail recursion (`tail-rec`).
//!
//! A function that ends by calling itself begins anew instead. If the result of the call passes one more sum, product
//! or bit operation, an accumulator takes this over.
//!
//! # Example
//!
//! ```text
//! func @fact(%n: i32) -> i32 {                   func @fact(%n: i32) -> i32 {
//! entry:                                         entry:
//!   br eq i32 %n, 0, done, more                    jmp entry.1
//! more:                                          entry.1:
//!   %m = sub i32 %n, 1                             %n.1 = phi i32 [%n, entry], [%m, more]
//!   %f = call i32 @fact(%m)                        %t.1 = phi i32 [1, entry], [%t.2, more]
//!   %r = mul i32 %n, %f                            br eq i32 %n.1, 0, done, more
//!   ret %r                                  =>   more:
//! done:                                            %m = sub i32 %n.1, 1
//!   ret 1                                          %t.2 = mul i32 %t.1, %n.1
//! }                                                jmp entry.1
//!                                                done:
//!                                                  %one = const i32 1
//!                                                  %t.3 = mul i32 %one, %t.1
//!                                                  ret %t.3
//!                                                }
//! ```
//!
//! # Algorithm
//!
//! 1. Find the calls of the function by itself that nothing follows but the return of their result, perhaps after one
//!    operation of [`identity`]'s table with a value that exists already. The return may be a block of its own that has
//!    nothing but phis before it.
//! 2. The instructions of the entry move to a new block, the head. Each parameter for which a call brings another value
//!    becomes a phi of the head.
//! 3. Where operations were found, all of one kind, another phi accumulates: it begins with the identity, each
//!    iteration applies the operation to it and the value, and each return that is left does so with the result.
//! 4. The calls are replaced by jumps to the head.
//!
//! # Why it is sound
//!
//! Nothing observable happens between the call and the return, so that a new activation may take the place of the old
//! one. Stack objects of both are one then: none may have its address in a register (which may be anywhere), and bytes
//! that the new activation did not write are some bytes. Dynamic stack memory and variable arguments belong to one
//! activation, as does the activation that `returns_twice` returns to: functions with these are left alone, and so are
//! functions with aggregate parameters or results. Sets of scopes of `noalias` speak of one activation, so the accesses
//! lose them where one takes the place of several. The operations of step 3 are associative and commutative at every
//! width, since they wrap around.
//!
//! The stack size of a call is not promised (LANGUAGE.md, "Traps"): a recursion that has a path to an end and never
//! reaches it overflows the stack before this pass, and runs for ever after it. But a recursion that no path through
//! the function ends is promised to overflow the stack: such a function is left alone ([`can_end`]). A block that ends
//! in `unreachable` counts as an end, too.
//!
//! # Cost and limits
//!
//! Linear; functions that do not call themselves are scanned once. Mutual recursion is not seen (`inline` may make it
//! visible), nor are operations on floats.
//!
//! # Source
//!
//! G. L. Steele, "Debunking the 'Expensive Procedure Call' Myth", ACM 1977; accumulators from J. Darlington and R. M.
//! Burstall, "A System which Automatically Improves Programs", Acta Informatica 6, 1976; LLVM's `tailcallelim`.

use crate::analysis::Preserved;
use crate::analysis::SsaView;
use crate::analysis::call_graph::Callee;
use crate::analysis::effects::is_returns_twice_call;
use crate::edit::edges::drop_stale_phi_entries;
use crate::edit::reads::replace_all_reads;
use crate::pass::remarks::events;

use crate::pass::{OptionInfo, OptionKind, Pass, PassContext, PassInfo, SsaPass};
use lir_syntax::ir::{
    AbiParam, Attrs, Base, Block, CallArg, Cfg, DebugLoc, Decls, EntitySet, Format, Function, Inst, InstData, NameRef,
    Opcode, Operand, Param, Reg, SecondaryMap, Type,
};

/// The row of the registry.
pub(crate) static INFO: PassInfo = PassInfo {
    name: "tail-rec",
    summary: "turn tail recursion into loops",
    options: &[OptionInfo {
        name: "accumulate",
        kind: OptionKind::Flag { default: true },
        summary: "also if an operation on the result follows the call",
    }],
    build: |o| Pass::Ssa(Box::new(TailRec { accumulate: o.flag("accumulate") })),
};

struct TailRec {
    /// True if step 3 is done: a recursion that is more than a jump then needs no stack.
    accumulate: bool,
}

impl SsaPass for TailRec {
    fn run(&self, f: &mut Function, ssa: &SsaView, cx: &mut PassContext<'_>) -> Preserved {
        let calls = own_calls(f);
        if calls.is_empty() {
            return Preserved::All;
        }
        let endless = || (!can_end(f, &calls)).then_some(Event::AlwaysCallsAgain);
        if let Some(why) = obstacle(cx.decls, f).or_else(endless) {
            for &call in &calls {
                cx.remarks.missed(f, call, why);
            }
            return Preserved::All;
        }
        let exits = Exits::of(f, ssa);
        let mut sites: Vec<Site> = Vec::new();
        let mut kind = None;
        for &call in &calls {
            match site(f, &exits, call, kind) {
                Ok(found) if found.operation.is_some() && !self.accumulate => {
                    cx.remarks.missed(f, call, Event::AccumulatingIsOff);
                }
                Ok(found) if found.operation.is_some() && f.has_jumps() => {
                    cx.remarks.missed(f, call, Event::ReturnsOfJumps);
                }
                Ok(found) => {
                    kind = kind.or(found.operation.map(|o| o.op));
                    cx.remarks.done(f, call, Event::Looped);
                    sites.push(found);
                }
                Err(why) => cx.remarks.missed(f, call, why),
            }
        }
        cx.stats.add("calls replaced by jumps", sites.len() as u64);
        if sites.is_empty() {
            return Preserved::All;
        }
        make_loop(f, &sites, kind);
        f.drop_noalias_sets();
        Preserved::None
    }
}

/// A call of the function by itself that may be a jump.
#[derive(Copy, Clone)]
struct Site {
    block: Block,
    call: Inst,
    operation: Option<Operation>,
    /// The block of the return, where it is another one.
    exit: Option<Block>,
}

/// The operation on the result of a call before it is returned.
#[derive(Copy, Clone)]
struct Operation {
    inst: Inst,
    op: Opcode,
}

/// Returns the neutral value of an operation that may be accumulated: it is associative and commutative.
fn identity(op: Opcode) -> Option<i64> {
    match op {
        Opcode::Add | Opcode::Or | Opcode::Xor => Some(0),
        Opcode::Mul => Some(1),
        Opcode::And => Some(-1),
        _ => None,
    }
}

fn own_calls(f: &Function) -> Vec<Inst> {
    let all = f.layout().all_insts();
    all.filter(|i| Callee::of(f, *i) == Some(Callee::Symbol(f.sym))).collect()
}

/// Returns the reason no call of a function may be a jump.
fn obstacle(decls: &Decls, f: &Function) -> Option<Event> {
    let sig = decls.signature(f.sym)?;
    if sig.variadic {
        return Some(Event::VariadicFunction);
    }
    if sig.params.iter().chain(&sig.result).any(|p| matches!(p, AbiParam::Agg(_))) {
        return Some(Event::AggregateParameters);
    }
    if sig.attrs.has(Attrs::NORETURN) {
        return Some(Event::NeverReturns);
    }
    for i in f.layout().all_insts() {
        match f.inst(i).op.format() {
            Format::Alloca => return Some(Event::DynamicStack),
            Format::Address if matches!(f.mem(i).base, Base::Obj(_)) => {
                return Some(Event::ObjectKnownElsewhere);
            }
            Format::Call if is_returns_twice_call(decls, f, i) => return Some(Event::CallsWhatReturnsTwice),
            _ => {}
        }
    }
    None
}

/// True if some path from the entry to an end has none of these calls.
fn can_end(f: &Function, calls: &[Inst]) -> bool {
    let mut seen: EntitySet<Block> = calls.iter().filter_map(|c| f.layout().block_of(*c)).collect();
    let mut work = Vec::new();
    if seen.insert(f.entry()) {
        work.push(f.entry());
    }
    while let Some(b) = work.pop() {
        if f.succs(b).is_empty() {
            return true;
        }
        work.extend(f.succs(b).iter().filter(|s| seen.insert(**s)));
    }
    false
}

/// Step 1: the call as a site, where operations so far were of this kind; or why not.
fn site(f: &Function, exits: &Exits, call: Inst, kind: Option<Opcode>) -> Result<Site, Event> {
    let block = f.layout().block_of(call).expect("the call is in a block");
    let next = |i| f.layout().next_inst(i).expect("a block ends in a terminator");
    let mut last = next(call);
    let mut value = f.def(call);
    let mut operation = None;
    let d = f.inst(last);
    if let Some(result) = value.filter(|_| d.op.format() == Format::Binary && identity(d.op).is_some()) {
        if (d.first() == Operand::reg(result)) == (d.second() == Operand::reg(result)) {
            return Err(Event::ResultUsed);
        }
        if kind.is_some_and(|k| k != d.op) {
            return Err(Event::AnotherAccumulated);
        }
        operation = Some(Operation { inst: last, op: d.op });
        value = f.def(last);
        last = next(last);
    }
    let (returned, exit) = match f.inst(last).op.format() {
        Format::Return => (f.inst(last).first(), None),
        Format::Jump => {
            let exit = f.succs(block)[0];
            (exits.returned_from(exit, block).ok_or(Event::SomethingFollows)?, Some(exit))
        }
        _ => return Err(Event::SomethingFollows),
    };
    // A function without a result returns none, whatever the call's register.
    if returned.is_none() || returned.as_reg().is_some_and(|r| Some(r) == value) {
        Ok(Site { block, call, operation, exit })
    } else {
        Err(Event::NotReturned)
    }
}

/// The blocks that have nothing but phis before their return, and their return values.
struct Exits {
    /// By block: the value, if it is not one of the block's phis.
    value: SecondaryMap<Block, Option<Operand>>,
    /// By predecessor: the value, where it is one.
    from: SecondaryMap<Block, Option<Operand>>,
}

impl Exits {
    /// Walks over blocks, and the entries of the phis that are returned.
    fn of(f: &Function, ssa: &SsaView) -> Exits {
        let mut exits = Exits { value: SecondaryMap::new(), from: SecondaryMap::new() };
        for b in f.layout().blocks() {
            let ret = f.terminator(b);
            let follows_phis = f.layout().prev_inst(ret).is_none_or(|i| f.inst(i).op == Opcode::Phi);
            if f.inst(ret).op.format() != Format::Return || !follows_phis {
                continue;
            }
            let value = f.inst(ret).first();
            let def = value.as_reg().and_then(|r| ssa.def(r)).filter(|i| f.layout().block_of(*i) == Some(b));
            match def {
                Some(phi) => f.phi_entries(phi).for_each(|(p, o)| exits.from[p] = Some(o)),
                None => exits.value[b] = Some(value),
            }
        }
        exits
    }
    /// Returns the value that is returned from `pred`, which has no other successor. None if `b` does something else.
    fn returned_from(&self, b: Block, pred: Block) -> Option<Operand> {
        self.value[b].or(self.from[pred])
    }
}

/// Steps 2 to 4.
fn make_loop(f: &mut Function, sites: &[Site], kind: Option<Opcode>) {
    let entry = f.entry();
    let head = make_head(f, entry);
    let block_of = |b: Block| if b == entry { head } else { b };
    let brought: Vec<Vec<Reg>> = sites.iter().map(|s| arguments(f, s.call)).collect();
    let mut changing: Vec<(usize, Reg, Reg)> = Vec::new();
    for k in 0..f.params.len() {
        let Param::Reg(p) = f.params[k] else { continue };
        if brought.iter().any(|args| args[k] != p) {
            changing.push((k, p, f.new_reg_like(p)));
        }
    }
    rename(f, &changing);
    let brought: Vec<Vec<Reg>> = sites.iter().map(|s| arguments(f, s.call)).collect();
    let mut phis: Vec<(Reg, Vec<(Block, Operand)>)> = Vec::new();
    for &(k, p, q) in &changing {
        let mut entries = vec![(entry, Operand::reg(p))];
        entries.extend(sites.iter().zip(&brought).map(|(s, args)| (block_of(s.block), Operand::reg(args[k]))));
        phis.push((q, entries));
    }
    if let Some(op) = kind {
        phis.push(accumulate(f, sites, op, entry, block_of));
    }
    let first = f.layout().first_inst(head).expect("the head has what the entry had");
    for (q, entries) in phis {
        let phi = InstData::new(Opcode::Phi, f.type_of(q)).with_list(f.make_phi(&entries)).with_result(q);
        f.insert_before(first, phi);
    }
    jump(f, sites, head, block_of);
}

/// Moves the instructions of the entry to a new block, to which it jumps.
fn make_head(f: &mut Function, entry: Block) -> Block {
    let head = f.make_block(f.block(entry).name.derived());
    f.insert_block_after(head, entry);
    f.append_all_insts(head, entry);
    // It has no counterpart in the source.
    f.append_inst(entry, InstData::new(Opcode::Jmp, Type::I64), DebugLoc::NONE);
    f.set_succs(entry, &[head]);
    let mut succs = f.succs(head).to_vec();
    succs.sort_unstable();
    succs.dedup();
    for s in succs {
        f.map_phi_preds(s, |p| if p == entry { head } else { p });
    }
    head
}

fn arguments(f: &Function, call: Inst) -> Vec<Reg> {
    let register = |a| match a {
        CallArg::Reg(r, _) => r,
        CallArg::Agg(..) => unreachable!("functions with aggregates are left alone"),
    };
    f.call_args(call).map(register).collect()
}

/// Makes every read of a parameter one of its phi.
fn rename(f: &mut Function, changing: &[(usize, Reg, Reg)]) {
    if changing.is_empty() {
        return;
    }
    let mut new = SecondaryMap::<Reg, Operand>::new();
    for &(_, p, q) in changing {
        new[p] = Operand::reg(q);
    }
    replace_all_reads(f, |r| Some(new[r]).filter(|o| !o.is_none()));
}

/// Step 3: the accumulator, with its phi's entries.
fn accumulate(
    f: &mut Function,
    sites: &[Site],
    op: Opcode,
    entry: Block,
    block_of: impl Fn(Block) -> Block,
) -> (Reg, Vec<(Block, Operand)>) {
    let with = sites.iter().find_map(|s| s.operation).expect("an operation was found");
    let ty = f.inst(with.inst).ty;
    let acc = f.new_reg(ty, NameRef::NONE);
    let ends: EntitySet<Block> = sites.iter().filter(|s| s.exit.is_none()).map(|s| block_of(s.block)).collect();
    let blocks: Vec<Block> = f.layout().blocks().collect();
    for b in blocks {
        let ret = f.terminator(b);
        if f.inst(ret).op.format() == Format::Return && !ends.contains(b) {
            return_accumulated(f, ret, op, acc);
        }
    }
    let identity = f.make_const(identity(op).expect("the operation is in the table"));
    let mut entries = vec![(entry, identity)];
    for s in sites {
        let mut value = Operand::reg(acc);
        if let Some(o) = s.operation {
            let result = f.def(s.call).expect("the call has a result");
            let d = *f.inst(o.inst);
            let other = if d.first() == Operand::reg(result) { d.second() } else { d.first() };
            let next = f.new_reg(ty, NameRef::NONE);
            let data = InstData::binary(op, ty, acc, other).with_result(next);
            f.insert_before(o.inst, data);
            value = Operand::reg(next);
        }
        entries.push((block_of(s.block), value));
    }
    (acc, entries)
}

/// Makes `ret v` return `v op acc`.
fn return_accumulated(f: &mut Function, ret: Inst, op: Opcode, acc: Reg) {
    let (value, ty) = (f.inst(ret).first(), f.type_of(acc));
    let result = f.new_reg(ty, NameRef::NONE);
    let data = InstData::binary(op, ty, acc, value).with_result(result);
    f.insert_before(ret, data);
    let data = f.inst(ret).with_first(result);
    f.replace_inst(ret, data);
}

/// Step 4.
fn jump(f: &mut Function, sites: &[Site], head: Block, block_of: impl Fn(Block) -> Block) {
    let mut exits = Vec::new();
    for s in sites {
        let b = block_of(s.block);
        let last = f.terminator(b);
        f.insert_before(last, InstData::new(Opcode::Jmp, Type::I64));
        f.remove_inst(last);
        if let Some(o) = s.operation {
            f.remove_inst(o.inst);
        }
        f.remove_inst(s.call);
        f.set_succs(b, &[head]);
        exits.extend(s.exit);
    }
    drop_stale_phi_entries(f, &Cfg::new(f), &mut exits);
}

events! {
    enum Event {
        AccumulatingIsOff: "not-a-loop", "an operation follows, and accumulating is off";
        ReturnsOfJumps: "not-a-loop", "an operation follows, and other returns follow `musttail` calls";
        Looped: "looped", "is a jump to the beginning";
        VariadicFunction: "not-a-loop", "the function has variable arguments";
        AggregateParameters: "not-a-loop", "the function has aggregate parameters or results";
        NeverReturns: "not-a-loop", "the function never returns";
        DynamicStack: "not-a-loop", "the function has dynamic stack memory";
        ObjectKnownElsewhere: "not-a-loop", "the address of a stack object may have escaped";
        CallsWhatReturnsTwice: "not-a-loop", "a returns_twice function is called";
        AlwaysCallsAgain: "not-a-loop", "every path leads to the next call";
        ResultUsed: "not-a-loop", "its result is used";
        AnotherAccumulated: "not-a-loop", "another operation is accumulated";
        SomethingFollows: "not-a-loop", "something follows it";
        NotReturned: "not-a-loop", "its result is not the returned value";
    }
}

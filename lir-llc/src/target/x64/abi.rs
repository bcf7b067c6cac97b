//! The System V calling convention: where arguments and results are.
//!
//! Source: System V Application Binary Interface, AMD64 Architecture Processor Supplement, section 3.2.3 (parameter
//! passing). Departures: an environment is in rax, as QBE passes it; a type of size 0 takes nothing (as GNU C does);
//! and an aggregate with an opaque or misaligned member is in memory.

use super::registers::{INT_ARGS, NUM_FLOAT_ARGS, PReg, RAX, RDX, RegClass, xmm};
use lir_syntax::ir::{AbiParam, Agg, AggBody, Decls, EntitySet, Ext, MemberType, Signature, Type};
use smallvec::SmallVec;

/// An eightbyte (or less, at the end) of an aggregate that travels in a register.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Piece {
    /// Offset in the aggregate, in bytes: 0 or 8.
    pub offset: u32,
    /// Bytes of the aggregate in it: 1 to 8.
    pub bytes: u32,
    /// Which register file.
    pub class: RegClass,
}

/// How an aggregate is passed and returned.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum AggClass {
    /// Not at all: size 0.
    Empty,
    /// In registers, where enough are left: one for each piece. An eightbyte that is all padding has none.
    Regs(SmallVec<[Piece; 2]>),
    /// In memory.
    Memory,
}

/// Classifies an aggregate.
pub fn classify(decls: &Decls, agg: Agg) -> AggClass {
    let ty = &decls.types[agg];
    if ty.size == 0 {
        return AggClass::Empty;
    }
    if ty.size > 16 || has_opaque(decls, agg) {
        return AggClass::Memory;
    }
    let mut classes: [Option<RegClass>; 2] = [None; 2];
    let mut misaligned = false;
    decls.for_each_scalar(agg, |offset, t| {
        misaligned |= offset % t.bytes() as u64 != 0;
        let class = &mut classes[(offset / 8).min(1) as usize];
        let this = class_of(t);
        *class = Some(if *class == Some(RegClass::Int) { RegClass::Int } else { this });
    });
    if misaligned {
        return AggClass::Memory;
    }
    let piece = |(k, class): (usize, Option<RegClass>)| {
        let offset = 8 * k as u32;
        class.map(|class| Piece { offset, bytes: (ty.size as u32 - offset).min(8), class })
    };
    AggClass::Regs(classes.into_iter().enumerate().filter_map(piece).collect())
}

/// Whether a type has a part of unknown structure. Each type is looked at once.
fn has_opaque(decls: &Decls, agg: Agg) -> bool {
    let mut seen = EntitySet::new();
    let mut work = vec![agg];
    while let Some(a) = work.pop() {
        if !seen.insert(a) {
            continue;
        }
        let members = match &decls.types[a].body {
            AggBody::Opaque(_) => return true,
            AggBody::Struct { members, .. } | AggBody::Union(members) => members,
        };
        work.extend(members.iter().filter_map(|(m, count)| match m {
            MemberType::Agg(inner) if *count > 0 => Some(*inner),
            MemberType::Agg(_) | MemberType::Scalar(_) => None,
        }));
    }
    false
}

/// The register file of a scalar.
#[inline]
pub fn class_of(t: Type) -> RegClass {
    if t.is_float() { RegClass::Float } else { RegClass::Int }
}

/// Where an argument is at the call.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ArgPlace {
    /// A scalar in a register.
    Reg(PReg),
    /// A scalar on the stack, at this offset from the first stack argument; it takes 8 bytes.
    Stack(u32),
    /// An aggregate in registers.
    AggRegs(SmallVec<[(Piece, PReg); 2]>),
    /// An aggregate on the stack, at this offset.
    AggStack(u32),
    /// An aggregate of size 0: nowhere.
    Nowhere,
}

/// Hands out places to arguments in order.
#[derive(Clone, Default, Debug)]
pub struct ArgAssigner {
    ints: u8,
    floats: u8,
    stack: u32,
    stack_align: u64,
}

impl ArgAssigner {
    /// An assigner for a function with this result: one in memory takes the first integer register.
    pub fn for_result(decls: &Decls, result: Option<AbiParam>) -> ArgAssigner {
        let hidden = result_in_memory(decls, result);
        ArgAssigner { ints: hidden as u8, ..ArgAssigner::default() }
    }
    /// The place of the next argument.
    pub fn assign(&mut self, decls: &Decls, p: AbiParam) -> ArgPlace {
        match p {
            AbiParam::Scalar(_, Ext::Env) => ArgPlace::Reg(RAX),
            AbiParam::Scalar(t, _) => match self.next_reg(class_of(t)) {
                Some(r) => ArgPlace::Reg(r),
                None => ArgPlace::Stack(self.take_stack(8, 8)),
            },
            AbiParam::Agg(a) => {
                let ty = &decls.types[a];
                match classify(decls, a) {
                    AggClass::Empty => ArgPlace::Nowhere,
                    AggClass::Memory => ArgPlace::AggStack(self.take_stack(ty.size, ty.align)),
                    AggClass::Regs(pieces) => {
                        let before = self.clone();
                        let regs: Option<SmallVec<_>> =
                            pieces.iter().map(|p| self.next_reg(p.class).map(|r| (*p, r))).collect();
                        regs.map_or_else(
                            || {
                                *self = before;
                                ArgPlace::AggStack(self.take_stack(ty.size, ty.align))
                            },
                            ArgPlace::AggRegs,
                        )
                    }
                }
            }
        }
    }
    fn next_reg(&mut self, class: RegClass) -> Option<PReg> {
        let n = match class {
            RegClass::Int => &mut self.ints,
            RegClass::Float => &mut self.floats,
        };
        let k = *n;
        let r = match class {
            RegClass::Int => INT_ARGS.get(k as usize).copied(),
            RegClass::Float => (k < NUM_FLOAT_ARGS).then(|| xmm(k)),
        };
        *n += r.is_some() as u8;
        r
    }
    fn take_stack(&mut self, size: u64, align: u64) -> u32 {
        // Sizes are bounded by `MAX_OBJECT_SIZE`; the sum is checked where the frame is laid out.
        let at = (self.stack as u64).next_multiple_of(align.max(8));
        self.stack_align = self.stack_align.max(align);
        self.stack = u32::try_from((at + size).next_multiple_of(8)).unwrap_or(!15);
        at as u32
    }
    /// Integer registers handed out.
    pub fn ints(&self) -> u8 {
        self.ints
    }
    /// SSE registers handed out.
    pub fn floats(&self) -> u8 {
        self.floats
    }
    /// Bytes of stack handed out.
    pub fn stack_bytes(&self) -> u32 {
        self.stack
    }
    /// What the stack arguments must be aligned to; 0 where there are none.
    pub fn stack_align(&self) -> u64 {
        self.stack_align
    }
}

/// Whether a result is written through a hidden pointer, which is then the first integer argument and returned in rax.
pub fn result_in_memory(decls: &Decls, result: Option<AbiParam>) -> bool {
    matches!(result, Some(AbiParam::Agg(a)) if classify(decls, a) == AggClass::Memory)
}

/// The registers that the pieces of a result come back in.
pub fn result_regs(pieces: &[Piece]) -> SmallVec<[(Piece, PReg); 2]> {
    let (mut ints, mut floats) = ([RAX, RDX].into_iter(), [xmm(0), xmm(1)].into_iter());
    let next = |p: &Piece| match p.class {
        RegClass::Int => (*p, ints.next().expect("at most two pieces")),
        RegClass::Float => (*p, floats.next().expect("at most two pieces")),
    };
    pieces.iter().map(next).collect()
}

/// Places of all fixed parameters of a signature, and the state after them.
pub fn assign_params(decls: &Decls, sig: &Signature) -> (Vec<ArgPlace>, ArgAssigner) {
    let mut assigner = ArgAssigner::for_result(decls, sig.result);
    let places = sig.params.iter().map(|p| assigner.assign(decls, *p)).collect();
    (places, assigner)
}

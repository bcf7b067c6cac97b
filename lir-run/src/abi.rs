//! Which register or stack word holds which argument, by the System V ABI.
//!
//! [`classify`] gives the class of each eightbyte of an aggregate (section 3.2.3 of the psABI, for the types that LIR
//! has), [`Assigner`] gives places to arguments one after another. The interpreter passes arguments to C and takes
//! them from C by it.

use lir_syntax::ir::{Agg, AggBody, Decls, EntitySet, Ext, MemberType, Type};

/// The register class of an eightbyte.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Class {
    /// A general-purpose register.
    Int,
    /// The low eight bytes of a vector register.
    Sse,
}

impl Class {
    /// The class of a scalar.
    pub fn of(ty: Type) -> Class {
        if ty.is_float() { Class::Sse } else { Class::Int }
    }
}

/// How an aggregate is passed and returned.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum AggClass {
    /// In memory: by copy on the stack, as a result through a hidden pointer.
    Memory,
    /// In registers: the class of each eightbyte that has a scalar in it. None at all for a type of size 0.
    Regs([Option<Class>; 2]),
}

/// The class of an aggregate type.
pub fn classify(decls: &Decls, agg: Agg) -> AggClass {
    let size = decls.types[agg].size;
    if size > 16 || has_opaque(decls, agg) {
        return AggClass::Memory;
    }
    let mut regs = [None; 2];
    let mut misaligned = false;
    decls.for_each_scalar(agg, |offset, ty| {
        if offset % ty.bytes() as u64 != 0 {
            misaligned = true;
        } else {
            let class = &mut regs[offset as usize / 8];
            *class = if *class == Some(Class::Int) { *class } else { Some(Class::of(ty)) };
        }
    });
    if misaligned { AggClass::Memory } else { AggClass::Regs(regs) }
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
        work.extend(members.iter().filter(|(_, count)| *count > 0).filter_map(|(m, _)| match m {
            MemberType::Scalar(_) => None,
            MemberType::Agg(a) => Some(*a),
        }));
    }
    false
}

/// Where a scalar or an eightbyte of an argument is.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Place {
    /// In this general-purpose argument register.
    Gpr(u8),
    /// In this vector argument register.
    Xmm(u8),
    /// On the stack, this many bytes above the first stack argument.
    Stack(u64),
}

/// Where an aggregate argument is.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum AggPlace {
    /// Its eightbytes are in these registers; those without one have no scalar.
    Regs([Option<Place>; 2]),
    /// All of it is on the stack, this many bytes above the first stack argument.
    Stack(u64),
}

/// Gives places to arguments, in order.
#[derive(Clone, Debug)]
pub struct Assigner {
    /// General-purpose argument registers given away, at most 6.
    pub gprs: usize,
    /// Vector argument registers given away, at most 8.
    pub xmms: usize,
    /// Bytes of stack given away.
    pub stack: u64,
    /// The alignment that the first stack argument needs, at least 16.
    pub stack_align: u64,
}

impl Assigner {
    /// No argument yet; `hidden_pointer` if the result is in memory, which takes the first register.
    pub fn new(hidden_pointer: bool) -> Assigner {
        Assigner { gprs: hidden_pointer as usize, xmms: 0, stack: 0, stack_align: 16 }
    }

    fn register(&mut self, class: Class) -> Option<Place> {
        let (used, limit) = match class {
            Class::Int => (&mut self.gprs, 6),
            Class::Sse => (&mut self.xmms, 8),
        };
        (*used < limit).then(|| {
            *used += 1;
            let k = *used as u8 - 1;
            if class == Class::Int { Place::Gpr(k) } else { Place::Xmm(k) }
        })
    }
    fn on_stack(&mut self, size: u64, align: u64) -> u64 {
        let align = align.max(8);
        self.stack_align = self.stack_align.max(align);
        let at = self.stack.next_multiple_of(align);
        self.stack = at + size.next_multiple_of(8);
        at
    }
    /// The place of a scalar.
    pub fn scalar(&mut self, ty: Type) -> Place {
        self.register(Class::of(ty)).unwrap_or_else(|| Place::Stack(self.on_stack(8, 8)))
    }
    /// The place of an aggregate of this class, size and alignment in bytes.
    pub fn aggregate(&mut self, class: AggClass, size: u64, align: u64) -> AggPlace {
        let classes = match class {
            AggClass::Memory => return AggPlace::Stack(self.on_stack(size, align)),
            AggClass::Regs(classes) => classes,
        };
        let (gprs, xmms) = (self.gprs, self.xmms);
        let mut places = [None; 2];
        for (place, class) in places.iter_mut().zip(classes) {
            if let Some(class) = class {
                *place = self.register(class);
                if place.is_none() {
                    // All of it goes to the stack, and the registers stay free for later arguments.
                    (self.gprs, self.xmms) = (gprs, xmms);
                    return AggPlace::Stack(self.on_stack(size, align));
                }
            }
        }
        AggPlace::Regs(places)
    }
}

/// The register or stack word for a scalar argument: extended to 32 bits as the signature says.
pub fn extend_argument(ty: Type, ext: Ext, bits: u64) -> u64 {
    match ext {
        Ext::Sext if ty.is_int() && ty.bits() < 32 => ty.sign_extend(bits) as u32 as u64,
        Ext::None | Ext::Sext | Ext::Zext => bits,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lir_syntax::ir::Module;

    fn scalars(m: &mut Module, name: &str, types: &[Type]) -> Agg {
        let members = types.iter().map(|t| (MemberType::Scalar(*t), 1)).collect();
        m.add_type(name, None, AggBody::Struct { packed: false, members }).unwrap()
    }

    #[test]
    fn cases_123_to_126_eightbytes() {
        use Type::{F32, F64, I8, I32, I64};
        let (int, sse) = (Some(Class::Int), Some(Class::Sse));
        let mut m = Module::default();
        let mut class = |types: &[Type]| {
            let a = scalars(&mut m, "t", types);
            classify(&m.decls, a)
        };
        assert_eq!(class(&[I64, F64]), AggClass::Regs([int, sse]));
        assert_eq!(class(&[F64, I64]), AggClass::Regs([sse, int]));
        assert_eq!(class(&[F32, F32]), AggClass::Regs([sse, None]));
        assert_eq!(class(&[F32, I32]), AggClass::Regs([int, None]));
        assert_eq!(class(&[F32, F32, F32]), AggClass::Regs([sse, sse]));
        assert_eq!(class(&[I64, I64, I8]), AggClass::Memory);
        assert_eq!(class(&[]), AggClass::Regs([None, None]));
        let packed = vec![(MemberType::Scalar(I8), 1), (MemberType::Scalar(I32), 1)];
        let packed = m.add_type("p", None, AggBody::Struct { packed: true, members: packed }).unwrap();
        assert_eq!(classify(&m.decls, packed), AggClass::Memory);
        let both = vec![(MemberType::Scalar(I64), 1), (MemberType::Scalar(F64), 1)];
        let both = m.add_type("u", None, AggBody::Union(both)).unwrap();
        assert_eq!(classify(&m.decls, both), AggClass::Regs([int, None]));
        let opaque = m.add_type("o", None, AggBody::Opaque(4)).unwrap();
        let inside = vec![(MemberType::Agg(opaque), 1)];
        let inside = m.add_type("i", None, AggBody::Struct { packed: false, members: inside }).unwrap();
        assert_eq!(classify(&m.decls, inside), AggClass::Memory);
    }

    #[test]
    fn case_124_an_aggregate_is_not_split() {
        let mut a = Assigner::new(false);
        for k in 0..5 {
            assert_eq!(a.scalar(Type::I64), Place::Gpr(k));
        }
        let two = AggClass::Regs([Some(Class::Int), Some(Class::Int)]);
        assert_eq!(a.aggregate(two, 16, 8), AggPlace::Stack(0));
        assert_eq!(a.scalar(Type::I8), Place::Gpr(5));
        assert_eq!(a.scalar(Type::I8), Place::Stack(16));
        assert_eq!(a.aggregate(AggClass::Memory, 40, 32), AggPlace::Stack(32));
        assert_eq!((a.stack, a.stack_align), (72, 32));
        assert_eq!(a.aggregate(AggClass::Regs([None, None]), 0, 1), AggPlace::Regs([None, None]));
    }
}

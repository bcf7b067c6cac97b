//! The names of QBE's instructions, the classes they take and give, and their translations.
//!
//! One row for each name; [`Operation::results`] and [`Operation::arity`] hold the manual's type strings for results
//! and operands; the translation of each operation determines the classes of its operands.

use super::class::Class;
use lir_syntax::ir::{FloatCC, IntCC, Opcode, Type};

/// An instruction of QBE, as the translation sees it.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum Operation {
    /// Operands and result of one class: the opcode for integers, and the one for floats if there is one.
    Arith(Opcode, Option<Opcode>),
    Neg,
    /// The amount is a word.
    Shift(Opcode),
    IntCompare(IntCC, Class),
    FloatCompare(FloatCC, Class),
    /// A load of this type, extended to the result's class, signed or not.
    Load(Type, bool),
    /// `load`: of the result's class.
    LoadClass,
    Store(Type),
    /// An allocation with this log2 of the alignment.
    Alloc(u8),
    /// The low bits of a word, extended, signed or not.
    Extend(Type, bool),
    /// A conversion between floats, or from float to integer: the operand has this class.
    FromFloat(Opcode, Class),
    /// A conversion to a float: the operand has this class.
    ToFloat(Opcode, Class),
    Cast,
    Copy,
    Blit,
    VaStart,
    VaArg,
    Call,
    Phi,
}

/// Returns the operation of a word; none for jumps, `dbgloc` and everything else.
pub(super) fn lookup(word: &[u8]) -> Option<Operation> {
    use Operation as O;
    let signed = |name: &[u8]| name == b"s";
    Some(match word {
        b"add" => O::Arith(Opcode::Add, Some(Opcode::Fadd)),
        b"sub" => O::Arith(Opcode::Sub, Some(Opcode::Fsub)),
        b"mul" => O::Arith(Opcode::Mul, Some(Opcode::Fmul)),
        b"div" => O::Arith(Opcode::Sdiv, Some(Opcode::Fdiv)),
        b"udiv" => O::Arith(Opcode::Udiv, None),
        b"rem" => O::Arith(Opcode::Srem, None),
        b"urem" => O::Arith(Opcode::Urem, None),
        b"and" => O::Arith(Opcode::And, None),
        b"or" => O::Arith(Opcode::Or, None),
        b"xor" => O::Arith(Opcode::Xor, None),
        b"neg" => O::Neg,
        b"shl" => O::Shift(Opcode::Shl),
        b"shr" => O::Shift(Opcode::Lshr),
        b"sar" => O::Shift(Opcode::Ashr),
        b"load" => O::LoadClass,
        b"loadd" => O::Load(Type::F64, true),
        b"loads" => O::Load(Type::F32, true),
        b"loadl" => O::Load(Type::I64, true),
        b"loadw" | b"loadsw" => O::Load(Type::I32, true),
        b"loaduw" => O::Load(Type::I32, false),
        b"loadsh" | b"loaduh" => O::Load(Type::I16, signed(&word[4..5])),
        b"loadsb" | b"loadub" => O::Load(Type::I8, signed(&word[4..5])),
        b"stored" => O::Store(Type::F64),
        b"stores" => O::Store(Type::F32),
        b"storel" => O::Store(Type::I64),
        b"storew" => O::Store(Type::I32),
        b"storeh" => O::Store(Type::I16),
        b"storeb" => O::Store(Type::I8),
        b"alloc4" => O::Alloc(2),
        b"alloc8" => O::Alloc(3),
        b"alloc16" => O::Alloc(4),
        b"extsb" | b"extub" => O::Extend(Type::I8, signed(&word[3..4])),
        b"extsh" | b"extuh" => O::Extend(Type::I16, signed(&word[3..4])),
        b"extsw" | b"extuw" => O::Extend(Type::I32, signed(&word[3..4])),
        b"exts" => O::FromFloat(Opcode::Fpext, Class::S),
        b"truncd" => O::FromFloat(Opcode::Fptrunc, Class::D),
        b"stosi" => O::FromFloat(Opcode::Fptosi, Class::S),
        b"stoui" => O::FromFloat(Opcode::Fptoui, Class::S),
        b"dtosi" => O::FromFloat(Opcode::Fptosi, Class::D),
        b"dtoui" => O::FromFloat(Opcode::Fptoui, Class::D),
        b"swtof" => O::ToFloat(Opcode::Sitofp, Class::W),
        b"uwtof" => O::ToFloat(Opcode::Uitofp, Class::W),
        b"sltof" => O::ToFloat(Opcode::Sitofp, Class::L),
        b"ultof" => O::ToFloat(Opcode::Uitofp, Class::L),
        b"cast" => O::Cast,
        b"copy" => O::Copy,
        b"blit" => O::Blit,
        b"vastart" => O::VaStart,
        b"vaarg" => O::VaArg,
        b"call" => O::Call,
        b"phi" => O::Phi,
        [b'c', predicate @ .., suffix] => comparison(predicate, *suffix)?,
        _ => return None,
    })
}

/// Returns the comparison whose name is `c`, the predicate, and the letter of the class.
fn comparison(predicate: &[u8], suffix: u8) -> Option<Operation> {
    if let b'w' | b'l' = suffix {
        let class = if suffix == b'w' { Class::W } else { Class::L };
        return Some(Operation::IntCompare(IntCC::from_name(predicate)?, class));
    }
    let class = match suffix {
        b's' => Class::S,
        b'd' => Class::D,
        _ => return None,
    };
    let cc = match predicate {
        b"eq" => FloatCC::Oeq,
        b"ne" => FloatCC::Une,
        b"lt" => FloatCC::Olt,
        b"le" => FloatCC::Ole,
        b"gt" => FloatCC::Ogt,
        b"ge" => FloatCC::Oge,
        b"o" => FloatCC::Ord,
        b"uo" => FloatCC::Uno,
        _ => return None,
    };
    Some(Operation::FloatCompare(cc, class))
}

const ALL: &[Class] = &[Class::W, Class::L, Class::S, Class::D];
const INTS: &[Class] = &[Class::W, Class::L];
const FLOATS: &[Class] = &[Class::S, Class::D];

impl Operation {
    /// Returns the classes that the result may have; none if there is no result. A call states its own.
    pub(super) fn results(self) -> &'static [Class] {
        match self {
            Operation::Arith(_, Some(_)) | Operation::Neg | Operation::LoadClass => ALL,
            Operation::Cast | Operation::Copy | Operation::VaArg | Operation::Phi | Operation::Call => ALL,
            Operation::Arith(_, None) | Operation::Shift(_) => INTS,
            Operation::IntCompare(..) | Operation::FloatCompare(..) => INTS,
            Operation::Load(Type::F64, _) | Operation::FromFloat(Opcode::Fpext, _) => &[Class::D],
            Operation::Load(Type::F32, _) | Operation::FromFloat(Opcode::Fptrunc, _) => &[Class::S],
            Operation::Load(Type::I64, _) | Operation::Alloc(_) | Operation::Extend(Type::I32, _) => &[Class::L],
            Operation::Load(Type::I8 | Type::I16 | Type::I32, _) | Operation::Extend(..) => INTS,
            Operation::FromFloat(..) => INTS,
            Operation::ToFloat(..) => FLOATS,
            Operation::Store(_) | Operation::Blit | Operation::VaStart => &[],
            Operation::Load(Type::I128, _) => unreachable!("QBE loads at most 64 bits"),
        }
    }

    /// Returns the number of operands; calls and phis have their own lists.
    pub(super) fn arity(self) -> usize {
        match self {
            Operation::Arith(..) | Operation::Shift(_) | Operation::IntCompare(..) | Operation::FloatCompare(..) => 2,
            Operation::Store(_) | Operation::Blit => 2,
            Operation::Neg | Operation::Load(..) | Operation::LoadClass | Operation::Alloc(_) => 1,
            Operation::Extend(..) | Operation::FromFloat(..) | Operation::ToFloat(..) => 1,
            Operation::Cast | Operation::Copy | Operation::VaStart | Operation::VaArg => 1,
            Operation::Call | Operation::Phi => 0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_comparisons_are_made_of_three_parts() {
        assert_eq!(lookup(b"csltw"), Some(Operation::IntCompare(IntCC::Slt, Class::W)));
        assert_eq!(lookup(b"cnel"), Some(Operation::IntCompare(IntCC::Ne, Class::L)));
        assert_eq!(lookup(b"cned"), Some(Operation::FloatCompare(FloatCC::Une, Class::D)));
        assert_eq!(lookup(b"cos"), Some(Operation::FloatCompare(FloatCC::Ord, Class::S)));
        assert_eq!(lookup(b"cuod"), Some(Operation::FloatCompare(FloatCC::Uno, Class::D)));
        assert_eq!(lookup(b"csltd"), None);
        assert_eq!(lookup(b"cltw"), None);
        assert_eq!(lookup(b"c"), None);
    }

    #[test]
    fn the_letter_before_the_width_is_the_sign() {
        assert_eq!(lookup(b"loadsb"), Some(Operation::Load(Type::I8, true)));
        assert_eq!(lookup(b"loaduh"), Some(Operation::Load(Type::I16, false)));
        assert_eq!(lookup(b"extub"), Some(Operation::Extend(Type::I8, false)));
        assert_eq!(lookup(b"extsw"), Some(Operation::Extend(Type::I32, true)));
    }
}

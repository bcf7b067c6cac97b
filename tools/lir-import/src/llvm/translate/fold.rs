//! Constants: their values as numbers and as addresses of symbols.

use super::super::ast::{Constant, List, Op, Operand, Program, Value};
use super::super::parser::INT_PREDICATES;
use super::super::types::{Kind, Ty};
use super::Symbols;
use lir_syntax::ir::Sym;

/// The value of a scalar constant.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum Folded {
    /// The bits of an integer or a floating-point number.
    Bits(u128),
    /// A symbol and an offset in bytes.
    Address(Sym, i64),
}

/// Returns the value of a scalar constant of a type. The limit on the nesting of constants bounds the recursion.
///
/// # Errors
/// The constant is not supported; the string is the reason.
pub(super) fn fold(program: &Program, symbols: &Symbols<'_>, ty: Ty, value: Value) -> Result<Folded, String> {
    Folder { program, symbols }.value(ty, value)
}

/// Folds constants of a program.
struct Folder<'a> {
    program: &'a Program,
    symbols: &'a Symbols<'a>,
}

impl Folder<'_> {
    fn value(&self, ty: Ty, value: Value) -> Result<Folded, String> {
        Ok(match value {
            Value::Int(n) => Folded::Bits(self.cut(ty, n as i128 as u128)),
            Value::Zero | Value::Undef | Value::Poison => Folded::Bits(0),
            Value::Global(global) => {
                let (sym, offset) = self.symbols.address(global)?;
                Folded::Address(sym, offset)
            }
            Value::Const(c) => match &self.program.constants[c] {
                Constant::Int(n, _) => Folded::Bits(self.cut(ty, *n)),
                Constant::Float(bits) => Folded::Bits(*bits as u128),
                Constant::Expr { op: Op::Icmp, operands, detail, .. } => return self.comparison(*operands, *detail),
                Constant::Expr { op: Op::Select, operands, .. } => return self.choice(*operands),
                Constant::Expr { op, ty: of, operands, .. } => return self.expression(ty, *op, *of, *operands),
                Constant::HugeInt(..) => return Err("integers of more than 128 bits are not supported".into()),
                Constant::OtherFloat(_) => return Err("the floating-point type is not supported".into()),
                Constant::BlockAddress { function, block } => {
                    Folded::Bits(self.symbols.block_numbers.number(*function, block).unwrap_or(0) as u128)
                }
                Constant::Assembly { .. } => return Err("inline assembly is not supported".into()),
                Constant::Bytes(_) | Constant::List(_) | Constant::Splat(_) => {
                    return Err("expected a scalar".into());
                }
            },
            Value::Local(_) | Value::Metadata(_) => return Err("expected a constant".into()),
        })
    }

    /// Returns the width of an integer type in bits.
    fn bits_of(&self, ty: Ty) -> u32 {
        match self.program.types.kind(ty) {
            Kind::Int(bits) => (*bits).min(128),
            _ => 64,
        }
    }
    fn cut(&self, ty: Ty, n: u128) -> u128 {
        n & (u128::MAX >> (128 - self.bits_of(ty)))
    }
    fn signed(&self, ty: Ty, n: u128) -> i128 {
        let unused = 128 - self.bits_of(ty);
        (n << unused) as i128 >> unused
    }

    fn expression(&self, ty: Ty, op: Op, of: Ty, list: List) -> Result<Folded, String> {
        let operands = &self.program.operands[list.range()];
        let first = operands.first().ok_or("the expression has no operand")?;
        if op == Op::GetElementPtr {
            return self.get_element_ptr(of, operands);
        }
        let a = self.value(first.ty, first.value)?;
        let Some(second) = operands.get(1) else { return self.conversion(ty, op, first, a) };
        let b = self.value(second.ty, second.value)?;
        let unsupported = || Err(format!("the constant expression `{}` is not supported here", name(op)));
        Ok(match (op, a, b) {
            (Op::Add, Folded::Address(sym, at), Folded::Bits(n))
            | (Op::Add, Folded::Bits(n), Folded::Address(sym, at)) => Folded::Address(sym, at.wrapping_add(n as i64)),
            (Op::Sub, Folded::Address(sym, at), Folded::Bits(n)) => Folded::Address(sym, at.wrapping_sub(n as i64)),
            (Op::Sub, Folded::Address(a, at), Folded::Address(b, other)) if a == b => {
                Folded::Bits(self.cut(first.ty, at.wrapping_sub(other) as u128))
            }
            (_, Folded::Bits(a), Folded::Bits(b)) => {
                let amount = (b as u32).min(127);
                let n = match op {
                    Op::Add => a.wrapping_add(b),
                    Op::Sub => a.wrapping_sub(b),
                    Op::Mul => a.wrapping_mul(b),
                    Op::And => a & b,
                    Op::Or => a | b,
                    Op::Xor => a ^ b,
                    Op::Shl => a << amount,
                    Op::Lshr => a >> amount,
                    Op::Ashr => (self.signed(first.ty, a) >> amount) as u128,
                    _ => return unsupported(),
                };
                Folded::Bits(self.cut(first.ty, n))
            }
            _ => return unsupported(),
        })
    }

    /// Folds an `icmp` of two numbers, or of two addresses in one object.
    fn comparison(&self, list: List, predicate: u8) -> Result<Folded, String> {
        let [a, b] = &self.program.operands[list.range()] else { return Err("the expression has two operands".into()) };
        let (x, y) = match (self.value(a.ty, a.value)?, self.value(b.ty, b.value)?) {
            (Folded::Bits(x), Folded::Bits(y)) => (x, y),
            // Addresses in one object are in the order of the offsets, which may be negative.
            (Folded::Address(x, at), Folded::Address(y, other)) if x == y => {
                let biased = |offset: i64| (i128::from(offset) + (1 << 64)) as u128;
                (biased(at), biased(other))
            }
            _ => {
                return Err("a comparison of addresses of different objects, or with a number, is not supported".into());
            }
        };
        let (signed, other) = (self.signed(a.ty, x), self.signed(a.ty, y));
        let holds = match INT_PREDICATES[usize::from(predicate)] {
            b"eq" => x == y,
            b"ne" => x != y,
            b"ugt" => x > y,
            b"uge" => x >= y,
            b"ult" => x < y,
            b"ule" => x <= y,
            b"sgt" => signed > other,
            b"sge" => signed >= other,
            b"slt" => signed < other,
            b"sle" => signed <= other,
            _ => unreachable!("the parser knows ten predicates"),
        };
        Ok(Folded::Bits(holds.into()))
    }

    fn choice(&self, list: List) -> Result<Folded, String> {
        let [condition, a, b] = &self.program.operands[list.range()] else {
            return Err("the expression has three operands".into());
        };
        match self.value(condition.ty, condition.value)? {
            Folded::Bits(0) => self.value(b.ty, b.value),
            Folded::Bits(_) => self.value(a.ty, a.value),
            Folded::Address(..) => Err("an address as a condition is not supported".into()),
        }
    }

    fn conversion(&self, to: Ty, op: Op, from: &Operand, a: Folded) -> Result<Folded, String> {
        Ok(match (op, a) {
            (Op::PtrToInt | Op::PtrToAddr | Op::IntToPtr, Folded::Address(..)) if self.bits_of(to) >= 64 => a,
            (Op::Bitcast, _) => a,
            (Op::PtrToInt | Op::PtrToAddr | Op::IntToPtr | Op::Trunc | Op::Zext, Folded::Bits(n)) => {
                Folded::Bits(self.cut(to, n))
            }
            (Op::Sext, Folded::Bits(n)) => Folded::Bits(self.cut(to, self.signed(from.ty, n) as u128)),
            _ => return Err(format!("the constant expression `{}` is not supported here", name(op))),
        })
    }

    fn get_element_ptr(&self, source: Ty, operands: &[Operand]) -> Result<Folded, String> {
        let base = self.value(operands[0].ty, operands[0].value)?;
        let mut offset = 0i64;
        let mut ty = source;
        for (k, index) in operands[1..].iter().enumerate() {
            let Folded::Bits(n) = self.value(index.ty, index.value)? else {
                return Err("an address as an index is not supported".into());
            };
            let n = self.signed(index.ty, n) as i64;
            let (next, bytes) = step(self.program, ty, k == 0, n)?;
            offset = offset.wrapping_add(bytes);
            ty = next;
        }
        Ok(match base {
            Folded::Bits(n) => Folded::Bits((n as i64).wrapping_add(offset) as u64 as u128),
            Folded::Address(sym, at) => Folded::Address(sym, at.wrapping_add(offset)),
        })
    }
}

/// Returns the type that a constant index of a `getelementptr` selects, and the bytes that it adds. The first index
/// counts whole values of the type.
pub(super) fn step(program: &Program, ty: Ty, is_first: bool, index: i64) -> Result<(Ty, i64), String> {
    let types = &program.types;
    if is_first {
        return Ok((ty, index.wrapping_mul(types.layout(ty).size as i64)));
    }
    match types.kind(ty) {
        Kind::Array { elem, .. } | Kind::Vector { elem, .. } => {
            let stride = types.stride(ty).ok_or("the elements of the vector have no addresses")?;
            Ok((*elem, index.wrapping_mul(stride as i64)))
        }
        Kind::Struct { .. } => match types.member(ty, index as u64) {
            Some((member, offset)) => Ok((member, offset as i64)),
            None => Err(format!("the struct has no member {index}")),
        },
        _ => Err("the type has no members".into()),
    }
}

/// Returns the word of an operation in a constant.
fn name(op: Op) -> String {
    format!("{op:?}").to_lowercase()
}

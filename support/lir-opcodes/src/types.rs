//! Scalar types, and how scalars are passed.

use crate::Word;
use std::fmt;

/// Bytes of a C `va_list`, on which `va_start` and the like operate. Only the code generator knows its fields.
pub const VA_LIST_SIZE: u64 = 24;

/// A scalar type. An address is an `i64`.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
#[repr(u8)]
pub enum Type {
    /// 8-bit integer.
    I8,
    /// 16-bit integer.
    I16,
    /// 32-bit integer.
    I32,
    /// 64-bit integer or address.
    I64,
    /// IEEE 754 binary32.
    F32,
    /// IEEE 754 binary64.
    F64,
    /// 128-bit integer. No [`Word`] holds it: `expand-wide` of `lir-opt` makes two i64 of it, ahead of all passes.
    I128,
}

impl Type {
    /// All types, in declaration order.
    pub const ALL: [Type; 7] = [Type::I8, Type::I16, Type::I32, Type::I64, Type::F32, Type::F64, Type::I128];
    /// The types whose values a [`Word`] holds, in declaration order: all that passes and code generation see.
    pub const OF_WORDS: [Type; 6] = [Type::I8, Type::I16, Type::I32, Type::I64, Type::F32, Type::F64];

    /// Returns the type with this discriminant. Panics if there is none.
    #[inline]
    pub fn from_u8(n: u8) -> Type {
        Self::ALL[n as usize]
    }
    /// Width in bits: 8, 16, 32, 64 or 128.
    #[inline]
    pub const fn bits(self) -> u32 {
        match self {
            Type::I8 => 8,
            Type::I16 => 16,
            Type::I32 | Type::F32 => 32,
            Type::I64 | Type::F64 => 64,
            Type::I128 => 128,
        }
    }
    /// Size in bytes, which is also the natural alignment.
    #[inline]
    pub const fn bytes(self) -> u32 {
        self.bits() / 8
    }
    /// True if this is `f32` or `f64`.
    #[inline]
    pub const fn is_float(self) -> bool {
        match self {
            Type::I8 | Type::I16 | Type::I32 | Type::I64 | Type::I128 => false,
            Type::F32 | Type::F64 => true,
        }
    }
    /// True if this is one of the five integer types.
    #[inline]
    pub const fn is_int(self) -> bool {
        !self.is_float()
    }
    /// True if a [`Word`] holds a value of this type: of all types but i128.
    #[inline]
    pub const fn has_word(self) -> bool {
        !matches!(self, Type::I128)
    }
    /// Returns the word that holds a value of this type.
    ///
    /// # Panics
    /// The type is i128. Only code that sees modules as they were written meets it: parser, printer, verifier,
    /// interpreter, and tools that change texts. Passes and code generation see i64 in its place.
    #[inline]
    pub const fn as_word(self) -> Word {
        match self {
            Type::I8 | Type::I16 | Type::I32 | Type::I64 | Type::F32 | Type::F64 => Word::new(self.bits()),
            Type::I128 => panic!("no word holds an i128: `expand-wide` comes first"),
        }
    }
    /// Returns the integer type of the same size.
    #[inline]
    pub const fn bits_type(self) -> Type {
        match self {
            Type::F32 => Type::I32,
            Type::F64 => Type::I64,
            Type::I8 | Type::I16 | Type::I32 | Type::I64 | Type::I128 => self,
        }
    }
    /// Returns the payload that a constant operand of this type carries for these bits: integers sign-extended from
    /// their width, floats their bits zero-extended. One value has one payload, so operands compare by value. The bits
    /// of an i128 are sign-extended to it.
    #[inline]
    pub const fn constant_payload(self, bits: u64) -> i64 {
        if !self.has_word() {
            return bits as i64;
        }
        let w = self.as_word();
        if self.is_float() { w.truncate(bits) as i64 } else { w.sign_extend(bits) }
    }
    /// Returns the name in LIR text.
    #[inline]
    pub const fn name(self) -> &'static str {
        match self {
            Type::I8 => "i8",
            Type::I16 => "i16",
            Type::I32 => "i32",
            Type::I64 => "i64",
            Type::F32 => "f32",
            Type::F64 => "f64",
            Type::I128 => "i128",
        }
    }
    /// Returns the type of a name in LIR text, x86 size words included.
    #[inline]
    pub fn from_name(name: &[u8]) -> Option<Type> {
        Some(match name {
            b"i8" | b"byte" => Type::I8,
            b"i16" | b"word" => Type::I16,
            b"i32" | b"dword" => Type::I32,
            b"i64" | b"qword" => Type::I64,
            b"f32" => Type::F32,
            b"f64" => Type::F64,
            b"i128" => Type::I128,
            _ => return None,
        })
    }
}

impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The passing of a scalar beyond its type. A value narrower than 32 bits is extended by its producer, or an argument
/// is not an ordinary one.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Hash, Default)]
pub enum Ext {
    /// Not: the upper bits are unspecified.
    #[default]
    None,
    /// By its sign.
    Sext,
    /// By zeros.
    Zext,
    /// The environment of a function: an i64 that is not counted among the arguments, but travels in rax. It precedes
    /// all others. A variadic function has none, since its rax has another meaning.
    Env,
}

impl Ext {
    /// Returns the word in LIR text; empty where nothing is written.
    #[inline]
    pub const fn name(self) -> &'static str {
        match self {
            Ext::None => "",
            Ext::Sext => "sext",
            Ext::Zext => "zext",
            Ext::Env => "env",
        }
    }
    /// Returns the qualifier that a word means.
    #[inline]
    pub fn from_name(word: &[u8]) -> Option<Ext> {
        [Ext::Sext, Ext::Zext, Ext::Env].into_iter().find(|e| e.name().as_bytes() == word)
    }
}

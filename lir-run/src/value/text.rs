//! Aggregates as text: `{1, 2.5, [3, 4], {5}, "ab\00"}`.
//!
//! A structure is written as its members in braces, an array as its elements in square brackets, a union or an opaque
//! type as all of its bytes in a string. [`parse`](super::parse) reads more.

use super::scalar_in;
use super::shape::{Shape, ShapeEvent};
use lir_syntax::printer::{print_quoted, printed};
use std::fmt::{self, Write};

/// Writes an aggregate without its type.
pub(super) fn write(shape: &Shape, bytes: &[u8], f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let mut first = true;
    for event in shape.events() {
        if !matches!(event, ShapeEvent::Close | ShapeEvent::CloseArray) && !std::mem::replace(&mut first, false) {
            f.write_str(", ")?;
        }
        match event {
            ShapeEvent::Open(_) | ShapeEvent::OpenArray { .. } => {
                first = true;
                f.write_char(if matches!(event, ShapeEvent::Open(_)) { '{' } else { '[' })?;
            }
            ShapeEvent::Close | ShapeEvent::CloseArray => {
                first = false;
                f.write_char(if event == ShapeEvent::Close { '}' } else { ']' })?;
            }
            ShapeEvent::Scalar(ty, offset) => scalar_in(bytes, ty, offset).write_literal(f)?,
            ShapeEvent::Bytes { offset, len, .. } => {
                f.write_str(&printed(|out| print_quoted(&bytes[offset as usize..][..len as usize], out)))?;
            }
        }
    }
    Ok(())
}

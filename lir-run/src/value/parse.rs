//! Reads aggregates in the form that [`text`](super::text) writes.
//!
//! An array of i8 may be a string, too, and the name of the type may precede any structure or string: `:t {1, 2}`.

use super::shape::{Element, Shape, ShapeEvent, ShapeEvents, Within};
use super::{Scalar, Value, write_type};
use lir_syntax::ir::Type;
use lir_syntax::text::quoted::parse_string;
use std::fmt::Write as _;
use std::sync::Arc;

/// A scalar of an aggregate that may be any NaN: its type and offset.
pub(crate) type AnyNan = (Type, u64);

/// An error at an offset of the text that is read.
pub(crate) type TextError = (usize, String);

/// Reads an aggregate, all of the text. Returns which of its floats are the bare `nan`, too.
///
/// # Errors
/// The error, with its position in the text.
pub(crate) fn parse_aggregate(shape: &Arc<Shape>, text: &str) -> Result<(Value, Vec<AnyNan>), TextError> {
    let mut reader = Reader { shape, text, at: 0, bytes: Vec::new(), nans: Vec::new() };
    // A text that is not an aggregate at all is an error before memory for one is allocated.
    reader.check_begin()?;
    reader.bytes = vec![0; shape.size() as usize];
    reader.aggregate()?;
    let at = reader.blanks();
    if at < text.len() {
        return Err((at, format!("`{}` is not expected after the aggregate", &text[at..])));
    }
    Ok((Value::aggregate(Arc::clone(shape), reader.bytes), reader.nans))
}

struct Reader<'t> {
    shape: &'t Shape,
    text: &'t str,
    at: usize,
    bytes: Vec<u8>,
    nans: Vec<AnyNan>,
}

impl<'t> Reader<'t> {
    fn rest(&self) -> &'t str {
        &self.text[self.at..]
    }
    /// Skips blanks. Returns the offset after them.
    fn blanks(&mut self) -> usize {
        self.at = self.text.len() - self.rest().trim_start().len();
        self.at
    }
    fn accept(&mut self, c: char) -> bool {
        self.blanks();
        let found = self.rest().starts_with(c);
        self.at += usize::from(found);
        found
    }
    fn check_begin(&mut self) -> Result<(), TextError> {
        let at = self.blanks();
        if self.rest().starts_with(['{', '"', ':']) {
            return Ok(());
        }
        Err((at, format!("`{}` is not a value of {}", self.rest(), self.like(0))))
    }
    /// Returns the name of a type, with an example of its values.
    fn like(&self, ty: u32) -> String {
        const SHORT: u64 = 64;
        let mut text = self.name(ty);
        if ty == 0 && self.shape.size() <= SHORT {
            let zeros = Value::aggregate(Arc::new(self.shape.clone()), vec![0; self.shape.size() as usize]);
            // Writing to a string cannot fail.
            let _ = write!(text, ", which is written like {}", zeros.literal());
        } else {
            text += ", which is written `{.., ..}`";
        }
        text
    }
    fn name(&self, ty: u32) -> String {
        let mut text = "`".to_string();
        // Writing to a string cannot fail.
        let _ = write_type(self.shape.name_of(ty), &mut text);
        text + "`"
    }

    fn aggregate(&mut self) -> Result<(), TextError> {
        let mut events = self.shape.events();
        let mut first = true;
        loop {
            let within = events.within();
            let Some(event) = events.next() else { return Ok(()) };
            if matches!(event, ShapeEvent::Close | ShapeEvent::CloseArray) {
                self.close(event)?;
                first = false;
                continue;
            }
            let separated = std::mem::replace(&mut first, false) || self.accept(',');
            self.blanks();
            if !separated || self.rest().starts_with(['}', ']']) || self.rest().is_empty() {
                return Err(self.too_few(within));
            }
            match event {
                ShapeEvent::Open(ty) => {
                    self.type_name(ty)?;
                    if !self.accept('{') {
                        return Err((self.at, format!("`{{` and the members of {} are expected", self.name(ty))));
                    }
                    first = true;
                }
                ShapeEvent::OpenArray { element, offset, count } => {
                    first = self.array(&mut events, element, offset, count)?
                }
                ShapeEvent::Scalar(ty, offset) => self.scalar(ty, offset)?,
                ShapeEvent::Bytes { ty, offset, len } => {
                    self.type_name(ty)?;
                    self.string(offset, len, &self.name(ty))?;
                }
                ShapeEvent::Close | ShapeEvent::CloseArray => unreachable!("it was read above"),
            }
        }
    }

    /// Reads the beginning of an array, or all of a string of i8. Returns whether an element is next.
    fn array(
        &mut self,
        events: &mut ShapeEvents<'_>,
        element: Element,
        offset: u64,
        count: u64,
    ) -> Result<bool, TextError> {
        if element == Element::Scalar(Type::I8) && self.rest().starts_with('"') {
            events.leave();
            self.string(offset, count, "the array")?;
            return Ok(false);
        }
        if !self.accept('[') {
            return Err((self.at, format!("`[` and {count} elements of an array are expected")));
        }
        Ok(true)
    }
    /// Reads the end of a structure or an array.
    fn close(&mut self, event: ShapeEvent) -> Result<(), TextError> {
        let (end, what) = match event {
            ShapeEvent::Close => ('}', "structure has no more members"),
            _ => (']', "array has no more elements"),
        };
        if self.accept(end) { Ok(()) } else { Err((self.at, format!("`{end}` is expected: the {what}"))) }
    }
    fn too_few(&self, within: Option<Within>) -> TextError {
        if !self.rest().starts_with(['}', ']']) && !self.rest().is_empty() {
            return (self.at, "`,` is expected between values".into());
        }
        let (of, all, given) = match within {
            Some(Within::Structure { ty, given }) => (self.name(ty), self.shape.members_of(ty) as u64, given as u64),
            Some(Within::Array { given, count }) => ("the array".into(), count, given),
            None => return (self.at, format!("a value of {} is expected", self.name(0))),
        };
        let what = if matches!(within, Some(Within::Array { .. })) { "elements" } else { "members" };
        (self.at, format!("{of} has {all} {what}, {given} given"))
    }
    /// Reads the name of a type, if there is one.
    fn type_name(&mut self, ty: u32) -> Result<(), TextError> {
        let start = self.blanks();
        let Some(rest) = self.rest().strip_prefix(':') else { return Ok(()) };
        let end = match rest.strip_prefix('"') {
            Some(quoted) => quoted.find('"').map_or(rest.len(), |n| n + 2),
            None => rest.find(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '_' | '.'))).unwrap_or(rest.len()),
        };
        let (found, name) = (&self.rest()[..1 + end], self.name(ty));
        if name.strip_prefix('`').and_then(|n| n.strip_suffix('`')) != Some(found) {
            return Err((start, format!("a value of {name} is expected, not of `{found}`")));
        }
        self.at += 1 + end;
        self.blanks();
        Ok(())
    }
    fn scalar(&mut self, ty: Type, offset: u64) -> Result<(), TextError> {
        let (start, rest) = (self.at, self.rest());
        let others = [('{', "a structure"), (':', "a structure"), ('[', "an array"), ('"', "a string")];
        if let Some((_, what)) = others.iter().find(|(begin, _)| rest.starts_with(*begin)) {
            return Err((start, format!("a constant of type {ty} is expected, not {what}")));
        }
        let mut quoted = false;
        let stops = |c: char| {
            quoted ^= c == '\'';
            !quoted && matches!(c, ',' | '}' | ']' | '{' | '[')
        };
        let end = rest.find(stops).unwrap_or(rest.len());
        let literal = rest[..end].trim();
        let scalar = Scalar::parse(ty, literal).map_err(|message| (start, message))?;
        if ty.is_float() && literal == "nan" {
            self.nans.push((ty, offset));
        }
        self.at += end;
        self.put(scalar, offset);
        Ok(())
    }
    fn put(&mut self, scalar: Scalar, offset: u64) {
        let len = scalar.ty.bytes() as usize;
        self.bytes[offset as usize..][..len].copy_from_slice(&scalar.bits.to_le_bytes()[..len]);
    }
    /// Reads a string for the bytes of `of`.
    fn string(&mut self, offset: u64, len: u64, of: &str) -> Result<(), TextError> {
        let (start, rest) = (self.blanks(), self.rest());
        if !rest.starts_with('"') {
            return Err((start, format!("the {len} bytes of {of} are expected as a string, like \"a\\00\"")));
        }
        let mut escaped = false;
        let end = rest[1..].find(|c: char| {
            let ends = c == '"' && !escaped;
            escaped = c == '\\' && !escaped;
            ends
        });
        let end = end.ok_or_else(|| (start, "the string has no end".to_string()))? + 2;
        let bytes = parse_string(&rest[..end]).map_err(|(at, message)| (start + at, message))?;
        if bytes.len() as u64 != len {
            return Err((start, format!("{of} has {len} bytes, the string {}", bytes.len())));
        }
        self.bytes[offset as usize..][..bytes.len()].copy_from_slice(&bytes);
        self.at += end;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lir_syntax::ir::Module;

    const TYPES: &str = "
type :pair = { i32, f64 }
type :line = { :pair x 2, i8 }
type :tight = packed { i8, i64 }
type :either = union { i32, f32, i8 x 5 }
type :blob = align 16 opaque 3
type :nothing = { i8 x 0 }
type :\"odd name\" = { i8 x 3, :either, :nothing, :blob, f32 x 2, :nothing x 1000000000 }
";

    fn shape(name: &str) -> Arc<Shape> {
        let module: Module = TYPES.parse().unwrap();
        let agg = module.decls.types.iter().find(|(_, t)| &*t.name == name.as_bytes()).unwrap().0;
        Arc::new(Shape::of(&module.decls, agg))
    }

    #[test]
    fn aggregates_print_as_they_are_read() {
        for (ty, text) in [
            ("pair", ":pair {-1, 2.5}"),
            ("line", ":line {[{1, 2.0}, {3, nan}], 4}"),
            ("tight", ":tight {1, 72057594037927936}"),
            ("either", ":either \"ab\\00\\\"\\n\\01\\02\\03\""),
            ("blob", ":blob \"0123456789abcdef\""),
            ("nothing", ":nothing {}"),
            ("odd name", ":\"odd name\" {[1, 2, 3], \"12345678\", {}, \"0123456789abcdef\", [1.5, -0.0], []}"),
        ] {
            let shape = shape(ty);
            let (value, _) = parse_aggregate(&shape, text).unwrap();
            assert_eq!(value.to_string(), text);
            let (again, _) = parse_aggregate(&shape, &value.literal().to_string()).unwrap();
            assert_eq!(value, again);
        }
        let (value, nans) = parse_aggregate(&shape("line"), " {[:pair{1,nan} , {0x2, -nan}], 'a' }").unwrap();
        assert_eq!(value.to_string(), ":line {[{1, nan}, {2, -nan}], 97}");
        assert_eq!(nans, [(Type::F64, 8)]);
        let string = "{\"a}\\00\", \"12345678\", {}, \"0123456789abcdef\", [0, 0], []}";
        let (value, _) = parse_aggregate(&shape("odd name"), string).unwrap();
        assert!(value.to_string().contains("{[97, 125, 0], "), "{value}");
    }

    #[test]
    fn padding_is_no_part_of_a_value() {
        let shape = shape("line");
        let (zero, ones) = (vec![0; 40], vec![0xff; 40]);
        let (zero, ones) = (Value::aggregate(Arc::clone(&shape), zero), Value::aggregate(shape, ones));
        assert_ne!(zero, ones);
        let Value::Aggregate(ones) = ones else { panic!("an aggregate") };
        let members = [0..4, 8..16, 16..20, 24..32, 32..33];
        for (k, byte) in ones.bytes().iter().enumerate() {
            assert_eq!(*byte == 0xff, members.iter().any(|m| m.contains(&k)), "byte {k}");
        }
    }

    #[test]
    fn mistakes_are_located() {
        for (ty, text, at, message) in [
            ("pair", "1", 0, "`1` is not a value of `:pair`, which is written like {0, 0.0}"),
            ("pair", "", 0, "written like {0, 0.0}"),
            ("pair", "{1}", 2, "`:pair` has 2 members, 1 given"),
            ("pair", "{}", 1, "`:pair` has 2 members, 0 given"),
            ("pair", "{1, 2, 3}", 5, "`}` is expected: the structure has no more members"),
            ("pair", "{1, 2} 3", 7, "`3` is not expected after"),
            ("pair", "{1.5, 2}", 1, "float literal"),
            ("pair", "{1, 2", 5, "`}` is expected"),
            ("pair", ":line {1, 2}", 0, "a value of `:pair` is expected, not of `:line`"),
            ("pair", "\"ab\"", 0, "`{` and the members of `:pair` are expected"),
            ("line", "{{1, 2}, 3}", 1, "`[` and 2 elements of an array"),
            ("line", "{[{1, 2}], 3}", 8, "the array has 2 elements, 1 given"),
            ("pair", "{1 2}", 1, "not a constant"),
            ("pair", "{{1}, 2}", 1, "a constant of type i32 is expected, not a structure"),
            ("pair", "{[1], 2}", 1, "a constant of type i32 is expected, not an array"),
            ("pair", "{\"a\", 2}", 1, "a constant of type i32 is expected, not a string"),
            ("pair", "{, 2}", 1, "a constant of type i32 is expected"),
            ("line", "{[{1, 2} {1, 2}], 3}", 9, "`,` is expected between values"),
            ("line", "{[{1, 2}, {1, 2}, {1, 2}], 3}", 16, "`]` is expected"),
            ("either", "{1}", 0, "the 8 bytes of `:either` are expected as a string"),
            ("either", "\"abc\"", 0, "`:either` has 8 bytes, the string 3"),
            ("either", "\"abc", 0, "no end"),
        ] {
            let (offset, found) = parse_aggregate(&shape(ty), text).unwrap_err();
            assert!(offset == at && found.contains(message), "{text}: {offset}: {found}");
        }
    }
}

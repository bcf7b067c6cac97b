//! Debug types: the types of the front end's variables, for debuggers. They change no code.
//!
//! A type has the form that DWARF gives it: a base type, a pointer, an array, a structure or union with members at
//! offsets, an enumeration, another name of a type. A type may be declared below its uses, as the list that points to
//! itself needs it.

use crate::ir::DebugType;
use crate::ir::entity::{EntityRef, PrimaryMap};
use crate::ir::function::SourceLoc;
use lir_opcodes::named;

/// A debug type of a module.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DebugTypeData {
    /// The name without the colon; any bytes but NUL.
    pub name: Box<[u8]>,
    /// The type.
    pub form: DebugForm,
    /// Offset of the item in the source.
    pub loc: SourceLoc,
}

/// The form of a debug type. Names are as debuggers show them; none is empty.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum DebugForm {
    /// A number of so many bytes.
    Base {
        /// How its bits are read.
        encoding: Encoding,
        /// 1 to 16 bytes.
        size: u64,
        /// Its name, such as `unsigned char`.
        name: Box<[u8]>,
    },
    /// The address of a value of a type, or of one that is not known.
    Pointer(Option<DebugType>),
    /// So many values of a type in a row.
    Array {
        /// The number.
        count: u64,
        /// The type of each.
        of: DebugType,
    },
    /// A structure, or a union.
    Aggregate {
        /// True for a union.
        is_union: bool,
        /// Its size in bytes.
        size: u64,
        /// Its name; empty if it has none.
        name: Box<[u8]>,
        /// Its members in order.
        members: Vec<DebugMember>,
    },
    /// Another name of a type, or of one that is not known.
    Alias {
        /// The name.
        name: Box<[u8]>,
        /// The type.
        of: Option<DebugType>,
    },
    /// An enumeration.
    Enum {
        /// The type of its values.
        of: DebugType,
        /// Its name; empty if it has none.
        name: Box<[u8]>,
        /// Names of values.
        values: Vec<(Box<[u8]>, i64)>,
    },
}

/// A member of a structure or union.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DebugMember {
    /// Its offset in bytes; of a bit-field in bits.
    pub offset: u64,
    /// The bits of a bit-field.
    pub bits: Option<u64>,
    /// Its type.
    pub ty: DebugType,
    /// Its name; empty for an anonymous structure or union.
    pub name: Box<[u8]>,
}

named! {
    /// How the bits of a base type are read. The name is the word in LIR text.
    pub enum Encoding {
        Signed "signed" "A signed integer."
        Unsigned "unsigned" "An unsigned integer."
        Float "float" "A float."
        Boolean "boolean" "0 or 1."
        Char "char" "A character, which is a signed integer."
        Uchar "uchar" "A character, which is an unsigned integer."
    }
}

impl DebugForm {
    /// Calls `f` with each type that is named by this one.
    pub(crate) fn for_each_type(&self, mut f: impl FnMut(DebugType)) {
        match self {
            DebugForm::Base { .. } => {}
            DebugForm::Pointer(of) | DebugForm::Alias { of, .. } => of.iter().copied().for_each(f),
            DebugForm::Array { of, .. } | DebugForm::Enum { of, .. } => f(*of),
            DebugForm::Aggregate { members, .. } => members.iter().for_each(|m| f(m.ty)),
        }
    }
}

/// The debug types of a module.
#[derive(Clone, Default, Debug)]
pub struct DebugTypes {
    list: PrimaryMap<DebugType, DebugTypeData>,
}

impl DebugTypes {
    /// Adds a debug type. The caller also adds it to the list of items.
    pub fn push(&mut self, data: DebugTypeData) -> DebugType {
        self.list.push(data)
    }
    /// Returns the debug type with an id, if it exists.
    #[inline]
    pub fn get(&self, id: DebugType) -> Option<&DebugTypeData> {
        self.list.get(id)
    }
    /// Returns all debug types, in the order in which they were added.
    pub fn all(&self) -> impl ExactSizeIterator<Item = (DebugType, &DebugTypeData)> {
        self.list.iter()
    }
    /// Gives a debug type another form.
    pub fn set_form(&mut self, id: DebugType, form: DebugForm) {
        self.list[id].form = form;
    }
    /// Returns the types with which a debugger would not come to an end: those that contain themselves other than
    /// through a pointer, and those that contain such types. All types that the forms name exist.
    pub fn endless(&self) -> impl Iterator<Item = DebugType> {
        // A type is finite if all its parts are.
        let mut parts_left = vec![0usize; self.list.len()];
        let mut users = vec![Vec::new(); self.list.len()];
        for (t, data) in self.all().filter(|(_, data)| !matches!(data.form, DebugForm::Pointer(_))) {
            data.form.for_each_type(|part| {
                parts_left[t.index()] += 1;
                users[part.index()].push(t);
            });
        }
        let mut finite: Vec<DebugType> = self.list.keys().filter(|t| parts_left[t.index()] == 0).collect();
        while let Some(part) = finite.pop() {
            for &user in &users[part.index()] {
                parts_left[user.index()] -= 1;
                if parts_left[user.index()] == 0 {
                    finite.push(user);
                }
            }
        }
        self.list.keys().filter(move |t| parts_left[t.index()] != 0)
    }
}

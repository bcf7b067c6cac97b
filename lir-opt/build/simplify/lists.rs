//! Lists of what rules are made of, as the build script has them, which writes the tables that they stand in later.

use std::ops::Deref;

/// A list that is never changed.
#[derive(Debug)]
pub struct List<T: 'static>(&'static [T]);

/// A value that stands elsewhere and is never changed.
#[derive(Debug)]
pub struct Ref<T: 'static>(&'static T);

/// The text of a rule.
#[derive(Copy, Clone)]
pub struct Text(&'static str);

impl<T> List<T> {
    /// A list of these items. Its memory is never given back: the script ends soon.
    pub fn made(items: Vec<T>) -> List<T> {
        List(Vec::leak(items))
    }
}

impl<T> Ref<T> {
    /// As [`List::made`].
    pub fn made(item: T) -> Ref<T> {
        Ref(Box::leak(Box::new(item)))
    }
}

impl Text {
    /// This text.
    pub fn made(text: &'static str) -> Text {
        Text(text)
    }
    /// The text itself.
    pub fn get(self) -> &'static str {
        self.0
    }
}

impl<T> Deref for List<T> {
    type Target = [T];
    fn deref(&self) -> &[T] {
        self.0
    }
}

impl<T> Deref for Ref<T> {
    type Target = T;
    fn deref(&self) -> &T {
        self.0
    }
}

impl<T> Copy for List<T> {}
impl<T> Clone for List<T> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<T> Copy for Ref<T> {}
impl<T> Clone for Ref<T> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<T: PartialEq> PartialEq for List<T> {
    fn eq(&self, other: &Self) -> bool {
        self.0 == other.0
    }
}
impl<T: PartialEq> PartialEq for Ref<T> {
    fn eq(&self, other: &Self) -> bool {
        self.0 == other.0
    }
}

//! Lists of rules in the build script, before it writes the tables that hold them. Their memory is never given back:
//! the script ends soon.

/// A list that is never changed.
pub(crate) type List<T> = &'static [T];

/// A value that is stored elsewhere and never changed.
pub(crate) type Ref<T> = &'static T;

/// The text of a rule.
pub(crate) type Text = &'static str;

/// A list of these items.
pub(crate) fn list<T>(items: Vec<T>) -> List<T> {
    Vec::leak(items)
}

/// A reference to a new item.
pub(crate) fn reference<T>(item: T) -> Ref<T> {
    Box::leak(Box::new(item))
}

/// The text of a rule as rules keep it.
pub(crate) fn text(text: &'static str) -> Text {
    text
}

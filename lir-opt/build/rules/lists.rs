//! Lists of rules as the build script holds them before it writes them to tables. Their memory is never freed, since
//! the script ends soon.

/// A list that is never changed.
pub(crate) type List<T> = &'static [T];

/// A value that is stored elsewhere and never changed.
pub(crate) type Ref<T> = &'static T;

/// The text of a rule.
pub(crate) type Text = &'static str;

/// Makes a list of these items.
pub(crate) fn list<T>(items: Vec<T>) -> List<T> {
    Vec::leak(items)
}

/// Makes a reference to a new item.
pub(crate) fn reference<T>(item: T) -> Ref<T> {
    Box::leak(Box::new(item))
}

/// Returns a text in the form in which rules keep it.
pub(crate) fn text(text: &'static str) -> Text {
    text
}

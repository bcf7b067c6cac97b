//! The files of rules.

/// The rules by family, in the order in which they are tried.
pub(crate) static FAMILIES: &[(&str, &str)] = &[
    ("identities", include_str!("identities.rules")),
    ("constants", include_str!("constants.rules")),
    ("bits", include_str!("bits.rules")),
    ("shifts", include_str!("shifts.rules")),
    ("extend", include_str!("extend.rules")),
    ("compare", include_str!("compare.rules")),
    ("select", include_str!("select.rules")),
    ("overflow", include_str!("overflow.rules")),
    ("float", include_str!("float.rules")),
    ("division", include_str!("division.rules")),
];

/// Returns the rules with their families, in order. Blank lines and comments, from `#` on, are skipped.
#[cfg(any(test, feature = "cli"))]
pub(crate) fn all_lines() -> impl Iterator<Item = (&'static str, &'static str)> {
    FAMILIES.iter().flat_map(|(family, text)| {
        let lines = text.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
        lines.map(|line| (*family, line))
    })
}

//! The files of rules.

/// The rules by family, in the order in which they are tried.
pub(super) const FAMILIES: &[(&str, &str)] = &[
    ("identities", include_str!("rules/identities.rules")),
    ("constants", include_str!("rules/constants.rules")),
    ("bits", include_str!("rules/bits.rules")),
    ("shifts", include_str!("rules/shifts.rules")),
    ("extend", include_str!("rules/extend.rules")),
    ("compare", include_str!("rules/compare.rules")),
    ("select", include_str!("rules/select.rules")),
    ("overflow", include_str!("rules/overflow.rules")),
    ("float", include_str!("rules/float.rules")),
    ("division", include_str!("rules/division.rules")),
];

/// The rules with their families, in order. Blank lines and comments, from `#` on, are skipped.
pub(super) fn all_lines() -> impl Iterator<Item = (&'static str, &'static str)> {
    FAMILIES.iter().flat_map(|(family, text)| {
        let lines = text.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
        lines.map(|line| (*family, line))
    })
}

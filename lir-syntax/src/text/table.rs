//! Tables for people: columns of numbers after names.

/// Returns a table with its title over the names of the rows, numbers flush right.
pub fn aligned(title: &str, head: &[String], rows: &[(String, Vec<String>)]) -> String {
    let first = rows.iter().map(|r| r.0.len()).chain([title.len()]).max().unwrap_or(0);
    let width = |k: usize| rows.iter().map(|r| r.1[k].len()).chain([head[k].len()]).max().unwrap_or(0);
    let widths: Vec<usize> = (0..head.len()).map(width).collect();
    let line = |name: &str, cells: &[String]| {
        let cells = cells.iter().zip(&widths).map(|(cell, width)| format!("  {cell:>width$}"));
        format!("{name:first$}{}\n", cells.collect::<String>())
    };
    let body: String = rows.iter().map(|(name, cells)| line(name, cells)).collect();
    line(title, head) + &body
}

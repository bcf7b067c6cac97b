//! The coverage tables as text.
//!
//! Each table has a figure of every row and type, then the reasons why cells are never reached, with how many each
//! excludes, then the holes.

use super::cells::Cell;
use super::exclusions::Excludable;
use super::{Coverage, Table};
use lir_syntax::ir::Type;
use std::fmt::Write;

/// Cells of a table by row and type: reached, and how many can be.
type Figures = Vec<(&'static str, [(usize, usize); 6])>;

impl Coverage {
    /// Returns the number of cells that can be reached and were not.
    pub fn holes(&self) -> usize {
        self.operations.holes() + self.memory.holes() + self.comparisons.holes() + self.conversions.holes()
    }
    /// Returns the report, some lines for each table.
    pub fn report(&self) -> String {
        let mut text = String::new();
        text += &self.operations.report();
        text += &self.memory.report();
        text += &self.comparisons.report();
        text += &self.conversions.report();
        text
    }
}

impl<C: Excludable> Table<C> {
    fn holes(&self) -> usize {
        (0..C::count()).filter(|n| !self.is_reached(*n) && C::with_number(*n).excluded().is_none()).count()
    }

    fn report(&self) -> String {
        let mut excluded = vec![0; C::RULES.len()];
        let mut figures = Figures::new();
        let mut holes: Vec<(String, Vec<&'static str>)> = Vec::new();
        let mut odd = Vec::new();
        for n in 0..C::count() {
            let (cell, reached) = (C::with_number(n), self.is_reached(n));
            match cell.excluded() {
                None => count(&mut figures, &cell, reached),
                Some(_) if reached => odd.push(cell),
                Some(rule) => excluded[rule] += 1,
            }
            if !reached && cell.excluded().is_none() {
                let (line, word) = cell.rest();
                let line = format!("{} {} {line}", cell.row(), cell.ty());
                match holes.last_mut() {
                    Some((last, words)) if *last == line => words.push(word),
                    _ => holes.push((line, vec![word])),
                }
            }
        }
        let mut text = format!("{}\n", C::TITLE);
        write_figures(&figures, &mut text);
        let total = |k: fn(&(usize, usize)) -> usize| figures.iter().flat_map(|f| &f.1).map(k).sum::<usize>();
        let (reached, all) = (total(|f| f.0), total(|f| f.1));
        text += &format!("  {reached} of {all} cells reached; {} cannot be:\n", excluded.iter().sum::<usize>());
        for (rule, n) in C::RULES.iter().zip(&excluded) {
            text += &format!("    {n:6} {}\n", rule.reason);
        }
        text += &format!("  {} holes\n", all - reached);
        for (line, words) in &holes {
            text += &format!("    {line}: {}\n", words.join(", "));
        }
        for cell in &odd {
            let (line, word) = cell.rest();
            text += &format!("    reached against reason: {} {} {line}: {word}\n", cell.row(), cell.ty());
        }
        text
    }
}

fn count<C: Cell>(figures: &mut Figures, cell: &C, reached: bool) {
    let known = figures.iter().rposition(|f| f.0 == cell.row());
    let k = known.unwrap_or_else(|| {
        figures.push((cell.row(), [(0, 0); 6]));
        figures.len() - 1
    });
    let entry = &mut figures[k].1[cell.ty() as usize];
    entry.0 += usize::from(reached);
    entry.1 += 1;
}

fn write_figures(figures: &Figures, text: &mut String) {
    *text += "                ";
    for ty in Type::OF_WORDS {
        // Writing to a string cannot fail.
        let _ = write!(text, "{:>10}", ty.name());
    }
    text.push('\n');
    for (row, of_types) in figures {
        let mut line = format!("  {row:14}");
        for (reached, all) in of_types {
            let figure = if *all == 0 { String::new() } else { format!("{reached}/{all}") };
            let _ = write!(line, "{figure:>10}");
        }
        *text += line.trim_end();
        text.push('\n');
    }
}

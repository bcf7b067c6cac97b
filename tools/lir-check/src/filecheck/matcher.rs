//! Compares an input with check lines.
//!
//! 1. The input is cut at the first matches of the `CHECK-LABEL` lines, in their order: each region ends with a label.
//! 2. In each region, positive lines match one after the other, each from where the one before ended. `-DAG` and `-NOT`
//!    lines wait for the next other one: then groups of `-DAG` lines are matched, each line from the group's beginning
//!    and around the matches of the others; then the line itself; then the `-NOT` lines are searched for in the text
//!    between the matches around them.
//! 3. The first complaint ends a region, and the next one is compared all the same.
//!
//! A region is a text of its own: `^` and `$` match at its ends, and where the search begins.

use super::complaint::{Complaint, Match, Position};
use super::nearest::nearest;
use super::pattern::{Body, Pattern, Unusable, Values};
use super::text::Canonical;
use super::{Check, CheckFile, Comparison};
use lir_syntax::text::directive::CheckKind;
use lir_syntax::text::source::{Source, Span};
use std::ops::Range;

/// Compares; see [`CheckFile::check`].
pub(super) fn run(file: &CheckFile, input: &Source) -> Comparison {
    let canonical = Canonical::new(&input.text, 0, file.options.strict_whitespace);
    if canonical.text.is_empty() && !file.options.allow_empty {
        let complaint = Complaint::new(Position::Input(Span::at(0)), "the input is empty: nothing was printed");
        return Comparison { matches: Vec::new(), complaints: Err(vec![complaint]) };
    }
    let end = Check {
        kind: None,
        prefix: String::new(),
        name: String::new(),
        pattern: Pattern { body: Body::End, example: String::new(), ignore_case: false },
        span: None,
        line: 0,
    };
    let groups = groups(file, &end);
    let mut matcher =
        Matcher { input: &canonical, values: file.values.clone(), matches: Vec::new(), complaints: Vec::new() };
    matcher.regions(&groups, file.options.variable_scope);
    let complaints = if matcher.complaints.is_empty() { Ok(()) } else { Err(matcher.complaints) };
    Comparison { matches: matcher.matches, complaints }
}

/// A line that matches at one position. The `-DAG` and `-NOT` lines before it belong to it.
struct Group<'f> {
    before: Vec<&'f Check>,
    check: &'f Check,
}

fn groups<'f>(file: &'f CheckFile, end: &'f Check) -> Vec<Group<'f>> {
    let implicit = || file.implicit.iter().collect::<Vec<_>>();
    let (mut groups, mut before) = (Vec::new(), implicit());
    for check in &file.checks {
        match check.kind {
            Some(CheckKind::Dag | CheckKind::Not) => before.push(check),
            _ => groups.push(Group { before: std::mem::replace(&mut before, implicit()), check }),
        }
    }
    if !before.is_empty() {
        groups.push(Group { before, check: end });
    }
    groups
}

/// The comparison went wrong and complained.
struct Complained;

struct Matcher<'i> {
    input: &'i Canonical,
    values: Values,
    matches: Vec<Match>,
    complaints: Vec<Complaint>,
}

impl Matcher<'_> {
    fn regions(&mut self, groups: &[Group<'_>], variable_scope: bool) {
        let (mut start, mut next) = (0, 0);
        while next < groups.len() {
            let is_label = |g: &Group<'_>| g.check.kind == Some(CheckKind::Label);
            let label = groups[next..].iter().position(is_label).map(|n| next + n);
            let (last, end) = match label {
                None => (groups.len(), self.input.text.len()),
                Some(label) => {
                    let check = groups[label].check;
                    let Ok(Some(found)) = self.search(check, start..self.input.text.len()) else {
                        let complaint = self.not_found(check, start..self.input.text.len());
                        self.complaints.push(complaint);
                        return;
                    };
                    (label + 1, found.end)
                }
            };
            if next > 0 && variable_scope {
                self.values.clear_local();
            }
            // One complaint is enough for a region: later ones would be wrong for the same reason.
            let _ = self.region(&groups[next..last], start..end);
            (start, next) = (end, last);
        }
    }

    fn region(&mut self, groups: &[Group<'_>], mut region: Range<usize>) -> Result<(), Complained> {
        for group in groups {
            let (after_dags, nots) = self.dags(&group.before, region.clone())?;
            let found = self.count(group.check, after_dags..region.end)?;
            let skipped = after_dags..found.start;
            self.distance(group.check, skipped.clone(), &found)?;
            self.nots(&nots, skipped)?;
            region.start = found.end;
        }
        Ok(())
    }

    /// Matches the line as often as it requires. Returns the range from the beginning of the first match to the end of
    /// the last.
    fn count(&mut self, check: &Check, region: Range<usize>) -> Result<Range<usize>, Complained> {
        let count = match check.kind {
            Some(CheckKind::Count(n)) => n,
            _ => 1,
        };
        let (mut start, mut at) = (None, region.start);
        for n in 0..count {
            let found = match self.search(check, at..region.end) {
                Ok(Some(found)) => found,
                Ok(None) => {
                    let mut complaint = self.not_found(check, at..region.end);
                    if count > 1 {
                        complaint.error.1 += &format!(" ({n} of {count} matches found)");
                    }
                    self.complaints.push(complaint);
                    return Err(Complained);
                }
                Err(unusable) => return Err(self.unusable(check, unusable)),
            };
            self.matched(check, &found);
            start = start.or(Some(found.start));
            at = found.end;
        }
        Ok(start.unwrap_or(at)..at)
    }

    /// `-NEXT`, `-EMPTY` and `-SAME`: the number of line ends between the matches.
    fn distance(&mut self, check: &Check, skipped: Range<usize>, found: &Range<usize>) -> Result<(), Complained> {
        let wanted = match check.kind {
            Some(CheckKind::Next | CheckKind::Empty) => 1,
            Some(CheckKind::Same) => 0,
            Some(CheckKind::Plain | CheckKind::Not | CheckKind::Dag | CheckKind::Label | CheckKind::Count(_))
            | None => {
                return Ok(());
            }
        };
        let (ends, second_line) = line_ends(&self.input.text[skipped.clone()]);
        if ends == wanted {
            return Ok(());
        }
        let line = if wanted == 1 { "next" } else { "same" };
        let where_ = match ends {
            0 => "on the same line".to_string(),
            1 => "on the next line".to_string(),
            n => format!("{n} lines further on"),
        };
        let error =
            (Position::Check(check.span), format!("{}: the match is not on the {line} line but {where_}", check.name));
        let mut complaint = Complaint { error, notes: Vec::new() }
            .note(self.position(found.clone()), "it is here")
            .note(self.position(skipped.start..skipped.start), "the match before ended here");
        if let Some(at) = second_line.filter(|_| wanted == 1) {
            let at = skipped.start + at;
            let line = at..at + self.input.text[at..].iter().position(|c| *c == b'\n').unwrap_or(0);
            complaint = complaint.note(self.position(line), "the next line is this");
        }
        self.complaints.push(complaint);
        Err(Complained)
    }

    /// Matches the `-DAG` lines. Returns the end of their last group, and the `-NOT` lines after it.
    fn dags<'c>(&mut self, before: &[&'c Check], region: Range<usize>) -> Result<(usize, Vec<&'c Check>), Complained> {
        let (mut start, mut nots) = (region.start, Vec::new());
        // The matches of the group that is being read, by position, without overlaps.
        let mut taken: Vec<Range<usize>> = Vec::new();
        for (n, check) in before.iter().enumerate() {
            if check.kind == Some(CheckKind::Not) {
                nots.push(*check);
                continue;
            }
            let (slot, found) = self.dag(check, start..region.end, &taken)?;
            taken.insert(slot, found);
            let group_ends = before.get(n + 1).is_none_or(|next| next.kind == Some(CheckKind::Not));
            if let (true, Some(first), Some(last)) = (group_ends, taken.first(), taken.last()) {
                let (first, last) = (first.start, last.end);
                self.nots(&nots, start..first)?;
                nots.clear();
                start = last;
                taken.clear();
            }
        }
        Ok((start, nots))
    }

    /// Finds the first match of a `-DAG` line that overlaps none of those taken.
    fn dag(
        &mut self,
        check: &Check,
        region: Range<usize>,
        taken: &[Range<usize>],
    ) -> Result<(usize, Range<usize>), Complained> {
        let (mut at, mut slot) = (region.start, 0);
        loop {
            let found = match self.search(check, at..region.end) {
                Ok(Some(found)) => found,
                Ok(None) => {
                    let complaint = self.not_found(check, at..region.end);
                    self.complaints.push(complaint);
                    return Err(Complained);
                }
                Err(unusable) => return Err(self.unusable(check, unusable)),
            };
            while taken.get(slot).is_some_and(|t| found.start >= t.end) {
                slot += 1;
            }
            match taken.get(slot) {
                Some(t) if t.start < found.end => {
                    at = t.end;
                    slot += 1;
                }
                _ => {
                    self.matched(check, &found);
                    return Ok((slot, found));
                }
            }
        }
    }

    /// None of the `-NOT` lines matches in a region.
    fn nots(&mut self, nots: &[&Check], region: Range<usize>) -> Result<(), Complained> {
        let before = self.complaints.len();
        for check in nots {
            match self.search(check, region.clone()) {
                Ok(None) => {}
                Ok(Some(found)) => {
                    let what = match check.span {
                        Some(_) => format!("{}: there is a match", check.name),
                        None => format!("{}={}: there is a match", check.name, check.pattern.example),
                    };
                    let complaint =
                        Complaint::new(Position::Check(check.span), what).note(self.position(found), "it is here");
                    self.complaints.push(complaint);
                }
                Err(unusable) => {
                    self.unusable(check, unusable);
                }
            }
        }
        if self.complaints.len() == before { Ok(()) } else { Err(Complained) }
    }

    /// Returns the first match of a line in a region of the input.
    fn search(&mut self, check: &Check, region: Range<usize>) -> Result<Option<Range<usize>>, Vec<Unusable>> {
        let found = check.pattern.search(&self.input.text[region.clone()], check.line, &mut self.values)?;
        // The line end that an empty line follows is not part of the match.
        let skip = usize::from(check.kind == Some(CheckKind::Empty));
        Ok(found.map(|f| region.start + f.start + skip..region.start + f.end))
    }

    /// Keeps a match for `-v`.
    fn matched(&mut self, check: &Check, found: &Range<usize>) {
        let (Some(span), Position::Input(input)) = (check.span, self.position(found.clone())) else { return };
        self.matches.push(Match { check: span, input });
    }

    fn position(&self, range: Range<usize>) -> Position {
        Position::Input(Span::new(self.input.to_source(range.start), self.input.to_source(range.end)))
    }

    fn unusable(&mut self, check: &Check, unusable: Vec<Unusable>) -> Complained {
        for u in unusable {
            let message = format!("{}: {}", check.name, u.message);
            self.complaints.push(Complaint::new(Position::Check(u.span.or(check.span)), message));
        }
        Complained
    }

    /// Nothing in a region matches: the complaint with the start of the search, the values of variables, and the text
    /// that may have been meant.
    fn not_found(&self, check: &Check, region: Range<usize>) -> Complaint {
        let message = if check.kind == Some(CheckKind::Empty) { "there is no empty line" } else { "there is no match" };
        let mut complaint = Complaint::new(Position::Check(check.span), format!("{}: {message}", check.name));
        for (span, value) in check.pattern.substitutions(check.line, &self.values) {
            complaint = complaint.note(Position::Check(Some(span)), value);
        }
        let text = &self.input.text[region.clone()];
        // A search that begins at a line's end begins, for a reader, with the next line.
        let blanks = text.iter().take_while(|c| c.is_ascii_whitespace()).count();
        let from = region.start + if blanks == text.len() { 0 } else { blanks };
        let line = self.input.text[from..].iter().position(|c| *c == b'\n').map_or(self.input.text.len(), |n| from + n);
        complaint = complaint.note(self.position(from..line.min(region.end).max(from)), "the search began here");
        if region.end < self.input.text.len() {
            let end = region.end;
            complaint = complaint.note(self.position(end..end), "and ended here, at the next label");
        }
        match nearest(text, &check.pattern.example) {
            Some(part) if region.start + part.start != from => {
                let part = region.start + part.start..region.start + part.end;
                complaint.note(self.position(part), "this may be the intended text")
            }
            _ => complaint,
        }
    }
}

/// Returns the number of line ends in a text, and where its second line begins. `\r\n` and `\n\r` count once.
fn line_ends(text: &[u8]) -> (usize, Option<usize>) {
    let (mut ends, mut second, mut at) = (0, None, 0);
    while let Some(n) = memchr::memchr2(b'\n', b'\r', &text[at..]) {
        at += n + 1;
        if matches!((text[at - 1], text.get(at)), (b'\n', Some(b'\r')) | (b'\r', Some(b'\n'))) {
            at += 1;
        }
        ends += 1;
        second = second.or(Some(at));
    }
    (ends, second)
}

//! The sources as they are measured: text, syntax, position in the tree of modules.

use std::path::{Path, PathBuf};
use syn::spanned::Spanned;
use syn::visit::{self, Visit};

/// A file below the `src` folder of a crate, except for tests.
pub struct Source {
    /// From the root of the project, with `/`.
    pub path: String,
    pub text: String,
    pub syntax: syn::File,
    /// The crate's name as in paths, then its modules.
    pub module: Vec<String>,
    /// The line on which the unit tests begin, from 0. The line after the last if there are none.
    tests_from: usize,
}

/// A function with a body.
pub struct Function {
    pub name: String,
    pub line: usize,
    pub lines: usize,
    /// It does little but match, with arms of at most eight lines.
    pub is_flat_match: bool,
}

impl Source {
    /// Returns the text without the unit tests at its end.
    pub fn code(&self) -> &str {
        let mut ends = self.text.match_indices('\n').map(|(at, _)| at + 1);
        match self.tests_from.checked_sub(1) {
            Some(last) => &self.text[..ends.nth(last).unwrap_or(self.text.len())],
            None => "",
        }
    }
    pub fn functions(&self) -> Vec<Function> {
        let mut found = Functions { found: Vec::new() };
        found.visit_file(&self.syntax);
        found.found
    }
}

struct Functions {
    found: Vec<Function>,
}

impl Functions {
    fn add(&mut self, name: &syn::Ident, block: &syn::Block) {
        let (first, last) = (block.span().start().line, block.span().end().line);
        let lines = (last - first + 1).saturating_sub(2);
        self.found.push(Function { name: name.to_string(), line: first, lines, is_flat_match: is_flat_match(block) });
    }
}

impl<'a> Visit<'a> for Functions {
    fn visit_item_fn(&mut self, f: &'a syn::ItemFn) {
        self.add(&f.sig.ident, &f.block);
        visit::visit_item_fn(self, f);
    }
    fn visit_impl_item_fn(&mut self, f: &'a syn::ImplItemFn) {
        self.add(&f.sig.ident, &f.block);
        visit::visit_impl_item_fn(self, f);
    }
    fn visit_item_mod(&mut self, m: &'a syn::ItemMod) {
        if m.ident != "tests" {
            visit::visit_item_mod(self, m);
        }
    }
}

fn is_flat_match(block: &syn::Block) -> bool {
    let lines = |s: proc_macro2::Span| s.end().line - s.start().line + 1;
    let matched = block.stmts.iter().find_map(|s| match s {
        syn::Stmt::Expr(syn::Expr::Match(m), _) => Some(m),
        _ => None,
    });
    matched.is_some_and(|m| lines(m.span()) + 12 >= lines(block.span()) && m.arms.iter().all(|a| lines(a.span()) <= 8))
}

/// Returns the crates: the folder, from the root.
pub fn crates(root: &Path) -> Vec<String> {
    let mut found = Vec::new();
    for folder in ["", "support/", "tools/"] {
        for entry in std::fs::read_dir(root.join(folder)).expect("a readable folder") {
            let name = entry.expect("a readable folder").file_name().to_string_lossy().into_owned();
            if root.join(folder).join(&name).join("Cargo.toml").exists() {
                found.push(format!("{folder}{name}"));
            }
        }
    }
    found.sort();
    found
}

/// Returns all files of Rust below a folder.
pub(super) fn rust_files(folder: &Path) -> Vec<PathBuf> {
    let (mut found, mut work) = (Vec::new(), vec![folder.to_path_buf()]);
    while let Some(at) = work.pop() {
        let Ok(entries) = std::fs::read_dir(&at) else { continue };
        for path in entries.map(|e| e.expect("a readable folder").path()) {
            if path.is_dir() {
                work.push(path);
            } else if path.extension().is_some_and(|e| e == "rs") {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

/// Reads the sources of all crates, in the order of their paths.
pub(super) fn read_sources(root: &Path) -> Vec<Source> {
    let mut sources = Vec::new();
    for krate in crates(root) {
        let src = root.join(&krate).join("src");
        for file in rust_files(&src) {
            let below: Vec<String> =
                file.strip_prefix(&src).expect("below").iter().map(|p| p.to_string_lossy().into_owned()).collect();
            if below.iter().any(|p| p == "tests" || p == "tests.rs") {
                continue;
            }
            let text = std::fs::read_to_string(&file).expect("source is UTF-8");
            let syntax = syn::parse_file(&text).unwrap_or_else(|e| panic!("{}: {e}", file.display()));
            let path = format!("{krate}/src/{}", below.join("/"));
            sources.push(Source {
                tests_from: tests_from(&syntax, &text),
                module: module(&krate, below),
                path,
                text,
                syntax,
            });
        }
    }
    sources
}

fn tests_from(syntax: &syn::File, text: &str) -> usize {
    let tests = syntax.items.iter().find_map(|item| match item {
        syn::Item::Mod(m) if m.ident == "tests" && m.content.is_some() => Some(m.span().start().line - 1),
        _ => None,
    });
    tests.unwrap_or(text.lines().count())
}

fn module(krate: &str, below: Vec<String>) -> Vec<String> {
    let name = krate.rsplit('/').next().expect("a name").replace('-', "_");
    let mut module = vec![name];
    module.extend(below.into_iter().map(|p| p.trim_end_matches(".rs").to_string()));
    let last = module.last().expect("the crate's name").as_str();
    if matches!(last, "mod" | "lib") {
        module.pop();
    }
    module
}

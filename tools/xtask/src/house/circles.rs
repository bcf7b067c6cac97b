//! Circles of modules.
//!
//! A module uses another if it names it, or one of its re-exports, in a path. An arrow is then drawn between the two
//! folders or files of their nearest common module that they belong to. Uses between a folder's own file and the files
//! in it are not arrows: they are one module in several files.

use super::sources::Source;
use std::collections::{BTreeMap, BTreeSet};
use syn::visit::{self, Visit};

type Module = Vec<String>;
/// For each module, the arrows between its children, with a file that draws each.
type Arrows = BTreeMap<Module, BTreeMap<(String, String), String>>;

/// Returns the circles, a line each.
pub fn find(sources: &[Source]) -> Vec<String> {
    let modules: BTreeSet<Module> = sources.iter().map(|s| s.module.clone()).collect();
    let exports: BTreeMap<Module, BTreeMap<String, Module>> =
        sources.iter().map(|s| (s.module.clone(), re_exports(s))).collect();
    let mut arrows = Arrows::new();
    for s in sources {
        let mut paths = Paths { module: &s.module, found: Vec::new(), depth: 0 };
        paths.visit_file(&s.syntax);
        for path in paths.found {
            if let Some(target) = resolve(path, &modules, &exports) {
                draw(&s.module, &target, &s.path, &mut arrows);
            }
        }
    }
    arrows.into_iter().flat_map(|(module, arrows)| circles_in(&module, &arrows)).collect()
}

/// The paths of a file that begin in its crate, absolute.
struct Paths<'s> {
    module: &'s Module,
    found: Vec<Module>,
    /// Number of inline modules around.
    depth: usize,
}

impl Paths<'_> {
    fn add(&mut self, segments: &[String]) {
        let mut at = self.module.clone();
        let mut rest = segments;
        match segments[0].as_str() {
            "crate" => at.truncate(1),
            "self" if self.depth == 0 => {}
            "super" if self.depth == 0 => {
                while rest.first().is_some_and(|s| s == "super") {
                    at.pop();
                    rest = &rest[1..];
                }
                at.extend(rest.iter().cloned());
                self.found.push(at);
                return;
            }
            _ => return,
        }
        rest = &rest[1..];
        at.extend(rest.iter().cloned());
        self.found.push(at);
    }
    fn add_tree(&mut self, before: &mut Vec<String>, tree: &syn::UseTree) {
        match tree {
            syn::UseTree::Path(p) => {
                before.push(p.ident.to_string());
                self.add_tree(before, &p.tree);
                before.pop();
            }
            syn::UseTree::Group(g) => g.items.iter().for_each(|t| self.add_tree(before, t)),
            syn::UseTree::Name(n) => self.add_leaf(before, &n.ident),
            syn::UseTree::Rename(r) => self.add_leaf(before, &r.ident),
            syn::UseTree::Glob(_) => self.add(&before.clone()),
        }
    }
    fn add_leaf(&mut self, before: &[String], leaf: &syn::Ident) {
        let mut all = before.to_vec();
        if leaf != "self" {
            all.push(leaf.to_string());
        }
        self.add(&all);
    }
}

impl<'a> Visit<'a> for Paths<'_> {
    fn visit_item_use(&mut self, u: &'a syn::ItemUse) {
        self.add_tree(&mut Vec::new(), &u.tree);
    }
    fn visit_path(&mut self, p: &'a syn::Path) {
        let segments: Vec<String> = p.segments.iter().map(|s| s.ident.to_string()).collect();
        self.add(&segments);
        visit::visit_path(self, p);
    }
    fn visit_item_mod(&mut self, m: &'a syn::ItemMod) {
        if m.ident != "tests" && m.content.is_some() {
            self.depth += 1;
            visit::visit_item_mod(self, m);
            self.depth -= 1;
        }
    }
}

/// Returns the names that a file re-exports from modules below it, and where they come from.
fn re_exports(s: &Source) -> BTreeMap<String, Module> {
    let mut found = BTreeMap::new();
    for item in &s.syntax.items {
        if let syn::Item::Use(u) = item
            && !matches!(u.vis, syn::Visibility::Inherited)
        {
            collect(&s.module, &mut Vec::new(), &u.tree, &mut found);
        }
    }
    found
}

fn collect(module: &Module, before: &mut Vec<String>, tree: &syn::UseTree, found: &mut BTreeMap<String, Module>) {
    match tree {
        syn::UseTree::Path(p) => {
            before.push(p.ident.to_string());
            collect(module, before, &p.tree, found);
            before.pop();
        }
        syn::UseTree::Group(g) => g.items.iter().for_each(|t| collect(module, before, t, found)),
        syn::UseTree::Name(n) => {
            let mut from =
                if before.first().is_some_and(|s| s == "crate") { module[..1].to_vec() } else { module.clone() };
            from.extend(before.iter().filter(|s| *s != "crate" && *s != "self").cloned());
            from.push(n.ident.to_string());
            found.insert(n.ident.to_string(), from);
        }
        syn::UseTree::Rename(_) | syn::UseTree::Glob(_) => {}
    }
}

/// Returns the module that a path leads into, through re-exports.
fn resolve(
    mut path: Module,
    modules: &BTreeSet<Module>,
    exports: &BTreeMap<Module, BTreeMap<String, Module>>,
) -> Option<Module> {
    for _ in 0..4 {
        let len = (1..=path.len()).rev().find(|n| modules.contains(&path[..*n]))?;
        let next = path.get(len).and_then(|name| exports.get(&path[..len]).and_then(|e| e.get(name)));
        match next {
            Some(from) if *from != path => path = from.clone(),
            _ => return Some(path[..len].to_vec()),
        }
    }
    None
}

fn draw(from: &Module, to: &Module, path: &str, arrows: &mut Arrows) {
    let common = from.iter().zip(to).take_while(|(a, b)| a == b).count();
    if let (Some(a), Some(b)) = (from.get(common), to.get(common)) {
        let between = arrows.entry(from[..common].to_vec()).or_default();
        between.entry((a.clone(), b.clone())).or_insert_with(|| path.to_string());
    }
}

/// Members of a circle reach one another; each circle is reported once, with its arrows.
fn circles_in(module: &Module, arrows: &BTreeMap<(String, String), String>) -> Vec<String> {
    let names: BTreeSet<&String> = arrows.keys().flat_map(|(a, b)| [a, b]).collect();
    let reach: BTreeMap<&String, BTreeSet<&String>> = names.iter().map(|n| (*n, reachable(n, arrows))).collect();
    let mut told = BTreeSet::new();
    let mut lines = Vec::new();
    for n in names {
        let circle: BTreeSet<&String> = reach[n].iter().copied().filter(|m| reach[*m].contains(n)).collect();
        if circle.len() > 1 && told.insert(circle.clone()) {
            let drawn = arrows.iter().filter(|((a, b), _)| circle.contains(a) && circle.contains(b));
            let drawn: Vec<String> = drawn.map(|((a, b), path)| format!("{a} -> {b} ({path})")).collect();
            lines.push(format!("{}: {}", module.join("::"), drawn.join(", ")));
        }
    }
    lines
}

fn reachable<'a>(from: &String, arrows: &'a BTreeMap<(String, String), String>) -> BTreeSet<&'a String> {
    let (mut found, mut work) = (BTreeSet::new(), vec![from]);
    while let Some(at) = work.pop() {
        for (_, b) in arrows.keys().filter(|(a, _)| a == at) {
            if found.insert(b) {
                work.push(b);
            }
        }
    }
    found
}

//! Public items that are not used outside of their crate.
//!
//! An item is used if its name is in another crate, in a test, a benchmark, an example or a document, or in the
//! signature of a public item that is used. Only names are compared: an item that shares its name with another is taken
//! for used.

use super::sources::{Source, crates, rust_files};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use syn::visit::{self, Visit};

/// A public item: its position, its name, and the words of its signature.
struct PublicItem {
    position: String,
    name: String,
    signature: BTreeSet<String>,
}

/// Returns the unused ones, a line each.
pub fn unused(root: &Path, sources: &[Source]) -> Vec<String> {
    let mut lines = Vec::new();
    let words = words_of_crates(root, sources);
    let documents = documents(root);
    for (krate, own) in by_crate(sources) {
        // The items of a tool's library are for its binary and its tests; the rule is for the libraries.
        let mut used: BTreeSet<&str> = documents.iter().map(String::as_str).collect();
        for (_, words) in words.iter().filter(|(k, _)| *k != krate) {
            used.extend(words.iter().map(String::as_str));
        }
        let items: Vec<PublicItem> = own.iter().flat_map(|s| public_items(s)).collect();
        let mut is_used: Vec<bool> = items.iter().map(|i| used.contains(i.name.as_str())).collect();
        loop {
            let named: BTreeSet<&str> = items
                .iter()
                .zip(&is_used)
                .filter(|(_, used)| **used)
                .flat_map(|(i, _)| i.signature.iter().map(String::as_str))
                .collect();
            let mut more = false;
            for (i, used) in items.iter().zip(&mut is_used) {
                if !*used && named.contains(i.name.as_str()) {
                    (*used, more) = (true, true);
                }
            }
            if !more {
                break;
            }
        }
        lines.extend(
            items.iter().zip(is_used).filter(|(_, used)| !used).map(|(i, _)| format!("{}: {}", i.position, i.name)),
        );
    }
    lines
}

fn by_crate(sources: &[Source]) -> BTreeMap<String, Vec<&Source>> {
    let mut all: BTreeMap<String, Vec<&Source>> = BTreeMap::new();
    for s in sources {
        let (krate, _) = s.path.split_once("/src/").expect("it is below src");
        all.entry(krate.to_string()).or_default().push(s);
    }
    all
}

/// Returns the words of each crate's sources. The words of its tests, benchmarks, examples and binary are apart from
/// them.
fn words_of_crates(root: &Path, sources: &[Source]) -> Vec<(String, BTreeSet<String>)> {
    let mut all = Vec::new();
    for krate in crates(root) {
        let folder = root.join(&krate);
        let mut outside = BTreeSet::new();
        let main = folder.join("src/main.rs");
        let beside = ["tests", "benches", "examples", "build"].iter().flat_map(|f| rust_files(&folder.join(f)));
        for file in beside.chain(main.exists().then_some(main)) {
            add_words(&std::fs::read_to_string(file).expect("source is UTF-8"), &mut outside);
        }
        let mut inside = BTreeSet::new();
        let own = format!("{krate}/src/");
        for s in sources.iter().filter(|s| s.path.starts_with(&own)) {
            add_words(&s.text, &mut inside);
        }
        all.push((krate.clone(), inside));
        all.push((format!("{krate} outside"), outside));
    }
    all
}

fn documents(root: &Path) -> BTreeSet<String> {
    let mut words = BTreeSet::new();
    for document in ["README.md", "ARCHITECTURE.md", "docs/tutorial.md"] {
        add_words(&std::fs::read_to_string(root.join(document)).unwrap_or_default(), &mut words);
    }
    words
}

fn add_words(text: &str, words: &mut BTreeSet<String>) {
    let all = text.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|w| !w.is_empty());
    words.extend(all.map(str::to_string));
}

fn public_items(s: &Source) -> Vec<PublicItem> {
    let mut items = Items { path: &s.path, found: Vec::new() };
    items.visit_file(&s.syntax);
    items.found
}

struct Items<'s> {
    path: &'s str,
    found: Vec<PublicItem>,
}

impl Items<'_> {
    fn add(&mut self, vis: &syn::Visibility, name: &syn::Ident, signature: &impl quote::ToTokens) {
        if matches!(vis, syn::Visibility::Public(_)) {
            let mut words = BTreeSet::new();
            add_words(&signature.to_token_stream().to_string(), &mut words);
            words.remove(&name.to_string());
            let position = format!("{}:{}", self.path, name.span().start().line);
            self.found.push(PublicItem { position, name: name.to_string(), signature: words });
        }
    }
}

impl<'a> Visit<'a> for Items<'_> {
    fn visit_item_fn(&mut self, i: &'a syn::ItemFn) {
        self.add(&i.vis, &i.sig.ident, &i.sig);
    }
    fn visit_impl_item_fn(&mut self, i: &'a syn::ImplItemFn) {
        self.add(&i.vis, &i.sig.ident, &i.sig);
    }
    fn visit_item_struct(&mut self, i: &'a syn::ItemStruct) {
        self.add(&i.vis, &i.ident, &i.fields);
    }
    fn visit_item_enum(&mut self, i: &'a syn::ItemEnum) {
        self.add(
            &i.vis,
            &i.ident,
            &i.variants.iter().collect::<Vec<_>>().iter().fold(proc_macro2::TokenStream::new(), |mut all, v| {
                quote::ToTokens::to_tokens(v, &mut all);
                all
            }),
        );
    }
    fn visit_item_trait(&mut self, i: &'a syn::ItemTrait) {
        self.add(&i.vis, &i.ident, i);
    }
    fn visit_item_const(&mut self, i: &'a syn::ItemConst) {
        self.add(&i.vis, &i.ident, &i.ty);
    }
    fn visit_item_static(&mut self, i: &'a syn::ItemStatic) {
        self.add(&i.vis, &i.ident, &i.ty);
    }
    fn visit_item_type(&mut self, i: &'a syn::ItemType) {
        self.add(&i.vis, &i.ident, &i.ty);
    }
    fn visit_item_mod(&mut self, i: &'a syn::ItemMod) {
        if i.ident != "tests" {
            visit::visit_item_mod(self, i);
        }
    }
}

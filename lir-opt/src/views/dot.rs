//! Graphs of a module as Graphviz text: control flow, dominators, calls.
//!
//! Control flow has a box for each function and in it a node for each block, with its instructions; edges say when they
//! are taken. A dominator tree has an edge from each block to those that it dominates immediately; blocks that cannot
//! be reached stand apart. Calls have a node for each function, dashed where it is defined elsewhere, and one for all
//! that is called through registers; edges say how many call instructions they stand for, where there are several.

use crate::analysis::call_graph::{CallGraph, Callee, Calls};
use lir_syntax::ir::{Block, Cfg, Decls, DominatorTree, Format, FuncId, Function, Inst, Module, Sym};
use lir_syntax::printer::{FunctionPrinter, print_constant, print_sym};
use std::collections::HashMap;
use std::hash::Hash;
use std::io::Write;

/// The kinds of graphs.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Graph {
    /// Blocks and the edges between them.
    ControlFlow,
    /// Dominator trees.
    Dominators,
    /// The functions, and the calls between them.
    Calls,
}

/// Appends the graph of all functions, or of one: of its blocks, or of the calls that it makes.
pub(crate) fn print_dot(module: &Module, graph: Graph, function: Option<FuncId>, out: &mut Vec<u8>) {
    let funcs = match function {
        Some(id) => std::slice::from_ref(&module.funcs[id]),
        None => module.funcs.as_slice(),
    };
    let name = match graph {
        Graph::ControlFlow => "cfg",
        Graph::Dominators => "dom",
        Graph::Calls => "calls",
    };
    line(out, format_args!("digraph {name} {{"));
    line(out, format_args!("  node [shape=box, fontname=monospace];"));
    match graph {
        Graph::ControlFlow => clusters(&module.decls, funcs, out, print_control_flow),
        Graph::Dominators => clusters(&module.decls, funcs, out, print_dominators),
        Graph::Calls => print_calls(module, function, out),
    }
    line(out, format_args!("}}"));
}

fn line(out: &mut Vec<u8>, text: std::fmt::Arguments<'_>) {
    // Writing to a vector cannot fail.
    let _ = writeln!(out, "{text}");
}

/// Text inside quotes: Graphviz knows escapes by backslashes and entities as in HTML.
fn escaped(text: &[u8]) -> String {
    let mut out = String::new();
    for c in String::from_utf8_lossy(text).chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            '&' => out.push_str("&amp;"),
            _ => out.push(c),
        }
    }
    out
}

fn symbol(decls: &Decls, s: Sym) -> String {
    let mut out = Vec::new();
    print_sym(decls, s, &mut out);
    escaped(&out)
}

/// One function of several: names its nodes.
struct Cluster<'a> {
    f: &'a Function,
    printer: FunctionPrinter<'a>,
    /// Position among the functions that are drawn.
    position: usize,
    /// Positions of the blocks.
    blocks: HashMap<Block, usize>,
}

impl Cluster<'_> {
    fn node(&self, b: Block) -> String {
        format!("f{}b{}", self.position, self.blocks[&b])
    }
    /// Appends a node with these lines and attributes.
    fn print_node(&self, b: Block, lines: &[Vec<u8>], attributes: &str, out: &mut Vec<u8>) {
        // Of several lines, each ends in the escape for a line that is set to the left.
        let label: String = match lines {
            [one] => escaped(one),
            _ => lines.iter().map(|l| escaped(l) + "\\l").collect(),
        };
        line(out, format_args!("    {} [label=\"{label}\"{attributes}];", self.node(b)));
    }
}

/// Prints each function in a box of its own.
fn clusters(decls: &Decls, funcs: &[Function], out: &mut Vec<u8>, body: fn(&Cluster<'_>, &mut Vec<u8>)) {
    for (position, f) in funcs.iter().enumerate() {
        line(out, format_args!("  subgraph cluster_{position} {{"));
        line(out, format_args!("    label=\"{}\";", symbol(decls, f.sym)));
        let blocks = f.layout().blocks().enumerate().map(|(k, b)| (b, k)).collect();
        body(&Cluster { f, printer: FunctionPrinter::new(decls, f), position, blocks }, out);
        line(out, format_args!("  }}"));
    }
}

fn print_control_flow(c: &Cluster<'_>, out: &mut Vec<u8>) {
    for b in c.f.layout().blocks() {
        let mut lines = vec![Vec::new()];
        c.printer.block(b, &mut lines[0]);
        lines[0].push(b':');
        for i in c.f.layout().insts(b) {
            let mut text = b"  ".to_vec();
            c.printer.inst(i, &mut text);
            lines.push(text);
        }
        c.print_node(b, &lines, "", out);
    }
    for b in c.f.layout().blocks() {
        let edges = c.f.succs(b).iter().copied().zip(edge_labels(c.f, c.f.terminator(b)));
        for (target, labels) in grouped(edges) {
            let labels = labels.join(", ");
            let label = if labels.is_empty() { String::new() } else { format!(" [label=\"{labels}\"]") };
            line(out, format_args!("    {} -> {}{label};", c.node(b), c.node(target)));
        }
    }
}

/// Returns the labels of a terminator's edges, in their order. Empty if it has but one.
fn edge_labels(f: &Function, terminator: Inst) -> Vec<String> {
    let d = f.inst(terminator);
    if d.op.format() == Format::Branch {
        return vec!["T".to_string(), "F".to_string()];
    }
    if d.op.format() != Format::Switch {
        return vec![String::new()];
    }
    let case = |o| {
        let mut text = Vec::new();
        print_constant(d.ty, f.constant(o).expect("a case is a constant"), &mut text);
        escaped(&text)
    };
    std::iter::once("default".to_string()).chain(f.switch_cases(terminator).map(case)).collect()
}

/// The items of each key, keys in the order of their first occurrence.
fn grouped<K: Copy + Eq + Hash, T>(pairs: impl Iterator<Item = (K, T)>) -> Vec<(K, Vec<T>)> {
    let mut groups: Vec<(K, Vec<T>)> = Vec::new();
    let mut indices = HashMap::new();
    for (key, item) in pairs {
        let index = *indices.entry(key).or_insert(groups.len());
        if index == groups.len() {
            groups.push((key, Vec::new()));
        }
        groups[index].1.push(item);
    }
    groups
}

fn print_dominators(c: &Cluster<'_>, out: &mut Vec<u8>) {
    let tree = DominatorTree::new(c.f, &Cfg::new(c.f));
    for b in c.f.layout().blocks() {
        let mut label = Vec::new();
        c.printer.block(b, &mut label);
        let unreachable = tree.subtree(b).is_empty();
        c.print_node(b, &[label], if unreachable { ", style=dashed" } else { "" }, out);
    }
    for &b in tree.preorder() {
        if let Some(parent) = tree.idom(b) {
            line(out, format_args!("    {} -> {};", c.node(parent), c.node(b)));
        }
    }
}

fn print_calls(module: &Module, function: Option<FuncId>, out: &mut Vec<u8>) {
    let decls = &module.decls;
    let graph = CallGraph::new(module);
    let drawn_funcs: Vec<FuncId> = function.map_or_else(|| module.funcs.keys().collect(), |id| vec![id]);
    let own = drawn_funcs.iter().map(|id| Callee::Symbol(module.funcs[*id].sym));
    let called = drawn_funcs.iter().flat_map(|id| graph.calls(*id)).map(|c| c.callee);
    let mut nodes: HashMap<Callee, usize> = HashMap::new();
    for node in own.chain(called) {
        let next = nodes.len();
        if *nodes.entry(node).or_insert(next) != next {
            continue;
        }
        let (label, attributes) = match node {
            Callee::Symbol(s) if decls.is_defined(s) => (symbol(decls, s), ""),
            Callee::Symbol(s) => (symbol(decls, s), ", style=dashed"),
            Callee::Register => ("indirect".to_string(), ", shape=diamond, style=dashed"),
        };
        line(out, format_args!("  n{next} [label=\"{label}\"{attributes}];"));
    }
    for &id in &drawn_funcs {
        let from = nodes[&Callee::Symbol(module.funcs[id].sym)];
        for Calls { callee, sites } in graph.calls(id) {
            let label = if *sites == 1 { String::new() } else { format!(" [label=\"{sites} calls\"]") };
            line(out, format_args!("  n{from} -> n{}{label};", nodes[callee]));
        }
    }
}

//! Graphs of a module as Graphviz text: control flow, dominators, calls.
//!
//! Control flow has a box for each function and in it a node for each block, with its instructions; edges are labelled
//! with their conditions. A dominator tree has an edge from each block to the blocks that it dominates immediately;
//! unreachable blocks are isolated. Calls have a node for each function, dashed if it is defined elsewhere, and one for
//! all callees in registers; an edge for several call instructions is labelled with their number.
//!
//! Each kind is built as a graph of petgraph, whose nodes and edges have their attributes. petgraph writes it: a line
//! for each node and each edge, by numbers. The boxes follow, with the numbers of the nodes in them.

use crate::analysis::call_graph::{CallGraph, Callee, Calls};
use lir_syntax::ir::{Cfg, Decls, DominatorTree, Format, FuncId, Function, Inst, Module, Sym};
use lir_syntax::printer::{FunctionPrinter, print_constant, print_sym};
use petgraph::dot::{Config, Dot};
use petgraph::graph::{DiGraph, NodeIndex};
use std::collections::HashMap;
use std::hash::Hash;
use std::io::Write;
use std::ops::Range;

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
    let (name, drawing) = match graph {
        Graph::ControlFlow => ("cfg", boxes(&module.decls, funcs, draw_control_flow)),
        Graph::Dominators => ("dom", boxes(&module.decls, funcs, draw_dominators)),
        Graph::Calls => ("calls", draw_calls(module, function)),
    };
    drawing.print(name, out);
}

/// A graph that is ready to be written.
#[derive(Default)]
struct Drawing {
    /// Weights are attributes, separated by commas.
    graph: DiGraph<String, String>,
    /// Titles, and the nodes inside.
    boxes: Vec<(String, Range<usize>)>,
}

impl Drawing {
    fn print(&self, name: &str, out: &mut Vec<u8>) {
        let config = [Config::GraphContentOnly, Config::NodeNoLabel, Config::EdgeNoLabel];
        let dot = Dot::with_attr_getters(&self.graph, &config, &|_, e| e.weight().clone(), &|_, (_, n)| n.clone());
        // Writing to a vector cannot fail.
        let _ = write!(out, "digraph {name} {{\n    node [shape=box, fontname=monospace]\n{dot}");
        for (k, (title, nodes)) in self.boxes.iter().enumerate() {
            let _ = write!(out, "    subgraph cluster_{k} {{\n        label=\"{title}\"\n");
            nodes.clone().for_each(|n| drop(writeln!(out, "        {n}")));
            out.extend(b"    }\n");
        }
        out.extend(b"}\n");
    }
}

/// Returns the attribute for a label. Empty for an empty one.
fn labelled(label: &str) -> String {
    if label.is_empty() { String::new() } else { format!("label=\"{label}\"") }
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

/// Draws each function in a box of its own.
fn boxes(decls: &Decls, funcs: &[Function], draw: fn(&Decls, &Function, &mut DiGraph<String, String>)) -> Drawing {
    let mut drawing = Drawing::default();
    for f in funcs {
        let first = drawing.graph.node_count();
        draw(decls, f, &mut drawing.graph);
        drawing.boxes.push((symbol(decls, f.sym), first..drawing.graph.node_count()));
    }
    drawing
}

fn draw_control_flow(decls: &Decls, f: &Function, graph: &mut DiGraph<String, String>) {
    let printer = FunctionPrinter::new(decls, f);
    let mut nodes = HashMap::new();
    for b in f.layout().blocks() {
        let mut text = Vec::new();
        printer.block(b, &mut text);
        // Each line ends in the escape for a line that is set to the left.
        let mut label = escaped(&text) + ":\\l";
        for i in f.layout().insts(b) {
            text.clear();
            printer.inst(i, &mut text);
            label += &format!("  {}\\l", escaped(&text));
        }
        nodes.insert(b, graph.add_node(labelled(&label)));
    }
    for b in f.layout().blocks() {
        let edges = f.succs(b).iter().copied().zip(edge_labels(f, f.terminator(b)));
        for (target, labels) in grouped(edges) {
            graph.add_edge(nodes[&b], nodes[&target], labelled(&labels.join(", ")));
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

/// Returns the items of each key, keys in the order of their first occurrence.
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

fn draw_dominators(decls: &Decls, f: &Function, graph: &mut DiGraph<String, String>) {
    let printer = FunctionPrinter::new(decls, f);
    let tree = DominatorTree::new(f, &Cfg::new(f));
    let mut nodes = HashMap::new();
    for b in f.layout().blocks() {
        let mut name = Vec::new();
        printer.block(b, &mut name);
        let is_unreachable = tree.subtree(b).is_empty();
        let attributes = labelled(&escaped(&name)) + if is_unreachable { ", style=dashed" } else { "" };
        nodes.insert(b, graph.add_node(attributes));
    }
    for &b in tree.preorder() {
        if let Some(parent) = tree.idom(b) {
            graph.add_edge(nodes[&parent], nodes[&b], String::new());
        }
    }
}

fn draw_calls(module: &Module, function: Option<FuncId>) -> Drawing {
    let decls = &module.decls;
    let calls = CallGraph::new(module);
    let drawn: Vec<FuncId> = function.map_or_else(|| module.funcs.keys().collect(), |id| vec![id]);
    let own = drawn.iter().map(|id| Callee::Symbol(module.funcs[*id].sym));
    let called = drawn.iter().flat_map(|id| calls.calls(*id)).map(|c| c.callee);
    let mut drawing = Drawing::default();
    let mut nodes: HashMap<Callee, NodeIndex> = HashMap::new();
    for callee in own.chain(called) {
        nodes.entry(callee).or_insert_with(|| drawing.graph.add_node(attributes_of(decls, callee)));
    }
    for &id in &drawn {
        let from = nodes[&Callee::Symbol(module.funcs[id].sym)];
        for Calls { callee, sites } in calls.calls(id) {
            let label = if *sites == 1 { String::new() } else { format!("{sites} calls") };
            drawing.graph.add_edge(from, nodes[callee], labelled(&label));
        }
    }
    drawing
}

fn attributes_of(decls: &Decls, callee: Callee) -> String {
    match callee {
        Callee::Symbol(s) if decls.is_defined(s) => labelled(&symbol(decls, s)),
        Callee::Symbol(s) => labelled(&symbol(decls, s)) + ", style=dashed",
        Callee::Register => labelled("indirect") + ", shape=diamond, style=dashed",
    }
}

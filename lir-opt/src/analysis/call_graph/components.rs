//! Strongly connected components of a directed graph, in reverse topological order.
//!
//! # Algorithm
//!
//! Kosaraju's, of petgraph, on the reversed graph.
//!
//! 1. A depth-first search from each node in turn, along the edges in their order; nodes are listed as it leaves them.
//! 2. From the last of the list to its first, each node that is not taken takes all untaken nodes that lead to it: a
//!    component.
//! 3. Nodes that lead to a component were taken before it, so the reverse of the order of discovery has callees first.
//!    Components are then in the order in which the first search left the last of their nodes.
//!
//! # Cost
//!
//! Linear in nodes and edges, in time and memory; no recursion (a chain of 1,000,000 nodes is a usual call graph of
//! generated code, at which `petgraph::algo::tarjan_scc` overflows the stack). Some 1,400 instructions for a node,
//! three times what Tarjan's algorithm took here without a graph and a list for each component: 4 million for a program
//! of 2,600 functions, whose compilation takes some thousand times as many.
//!
//! # Source
//!
//! M. Sharir, "A strong-connectivity algorithm and its applications in data flow analysis", Computers & Mathematics
//! with Applications 7(1), 1981; the first to print what S. R. Kosaraju had found in 1978.

use lir_syntax::ir::EntityRef;
use petgraph::algo::kosaraju_scc;
use petgraph::graph::{DiGraph, NodeIndex};
use petgraph::visit::Reversed;

/// The components of a graph.
#[derive(Clone, Debug)]
pub struct Components<N> {
    /// Component number k is `nodes[starts[k]..starts[k + 1]]`, nodes ascending.
    nodes: Vec<N>,
    starts: Vec<u32>,
    /// The number of the component of each node, by index.
    of: Vec<u32>,
}

impl<N: EntityRef> Components<N> {
    /// Returns the components of the graph with the nodes 0 to `len` - 1. Edges lead from n to `succs(n)`, which may
    /// repeat. Which nodes are visited first follows from their numbers and the order of the edges.
    pub fn new<'g>(len: usize, succs: impl Fn(N) -> &'g [N]) -> Components<N>
    where
        N: 'g,
    {
        let mut graph: DiGraph<(), ()> = DiGraph::with_capacity(len, len);
        for _ in 0..len {
            graph.add_node(());
        }
        for n in (0..len).map(N::new) {
            for s in succs(n) {
                graph.add_edge(NodeIndex::new(n.index()), NodeIndex::new(s.index()), ());
            }
        }
        let mut found = Components { nodes: Vec::with_capacity(len), starts: vec![0], of: vec![0; len] };
        for component in kosaraju_scc(Reversed(&graph)).into_iter().rev() {
            found.add(component);
        }
        found
    }
    fn add(&mut self, component: Vec<NodeIndex>) {
        let (number, first) = (self.starts.len() as u32 - 1, self.nodes.len());
        for n in component {
            self.of[n.index()] = number;
            self.nodes.push(N::new(n.index()));
        }
        self.nodes[first..].sort_unstable();
        self.starts.push(self.nodes.len() as u32);
    }
    /// Returns the number of components.
    pub fn len(&self) -> usize {
        self.starts.len() - 1
    }
    /// True if the graph has no nodes.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }
    /// Returns the components, each after all that edges lead to from it; their nodes ascend.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &[N]> + '_ {
        self.starts.windows(2).map(|w| &self.nodes[w[0] as usize..w[1] as usize])
    }
    /// Returns the number of the component of a node: less than the numbers of the components that lead to it.
    pub fn of(&self, n: N) -> usize {
        self.of[n.index()] as usize
    }
    /// Returns the nodes, each after those that edges lead to from it, cycles apart.
    pub fn nodes(&self) -> &[N] {
        &self.nodes
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lir_syntax::ir::FuncId;

    fn components(len: usize, edges: &[(u32, u32)]) -> Vec<Vec<u32>> {
        let mut rows = vec![Vec::new(); len];
        edges.iter().for_each(|(a, b)| rows[*a as usize].push(FuncId::from_u32(*b)));
        let found = Components::new(len, |n: FuncId| &rows[n.index()]);
        found.iter().map(|c| c.iter().map(|n| n.as_u32()).collect()).collect()
    }

    #[test]
    fn callees_come_first() {
        assert_eq!(components(0, &[]), Vec::<Vec<u32>>::new());
        assert_eq!(components(3, &[(0, 1), (1, 2)]), [[2], [1], [0]]);
        assert_eq!(components(3, &[(2, 1), (1, 0)]), [[0], [1], [2]]);
        assert_eq!(components(2, &[(0, 0), (0, 1), (0, 1)]), [[1], [0]]);
    }

    #[test]
    fn cycles_are_one() {
        let edges = [(0, 1), (1, 2), (2, 0), (2, 3), (3, 4), (4, 3), (5, 0), (5, 4)];
        assert_eq!(components(6, &edges), [vec![3, 4], vec![0, 1, 2], vec![5]]);
        // A cross edge to a component that was found belongs to neither's cycle.
        assert_eq!(components(4, &[(0, 1), (0, 2), (2, 1), (1, 3), (2, 0)]), [vec![3], vec![1], vec![0, 2]]);
    }

    /// By the definition, on all graphs of four nodes.
    #[test]
    fn components_are_mutually_reachable() {
        const N: u32 = 4;
        for bits in 0..1u32 << (N * N) {
            let edges: Vec<(u32, u32)> = (0..N * N).filter(|k| bits >> k & 1 != 0).map(|k| (k / N, k % N)).collect();
            let mut reaches: Vec<bool> = (0..N * N).map(|k| bits >> k & 1 != 0 || k / N == k % N).collect();
            for via in 0..N {
                for k in 0..N * N {
                    let (from, to) = (k / N, k % N);
                    reaches[k as usize] |= reaches[(from * N + via) as usize] && reaches[(via * N + to) as usize];
                }
            }
            let reaches = |a: u32, b: u32| reaches[(a * N + b) as usize];
            let found = components(N as usize, &edges);
            let position = |n: u32| found.iter().position(|c| c.contains(&n)).expect("each node is in one");
            assert_eq!(found.concat().len(), N as usize);
            for (a, b) in (0..N * N).map(|k| (k / N, k % N)) {
                assert_eq!(position(a) == position(b), reaches(a, b) && reaches(b, a), "{a} and {b} of {edges:?}");
                assert!(!reaches(a, b) || position(a) >= position(b), "{a} and {b} of {edges:?}");
            }
        }
    }

    #[test]
    fn a_chain_and_a_circle_of_a_million() {
        let n = 1_000_000;
        let succs: Vec<FuncId> = (1..=n).map(|k| FuncId::new(k % n)).collect();
        let chain = Components::new(n, |f: FuncId| if f.index() + 1 < n { &succs[f.index()..][..1] } else { &[] });
        assert_eq!((chain.len(), chain.nodes()[0], chain.of(FuncId::new(0))), (n, FuncId::new(n - 1), n - 1));
        let circle = Components::new(n, |f: FuncId| &succs[f.index()..][..1]);
        assert_eq!((circle.len(), circle.nodes().len(), circle.is_empty()), (1, n, false));
    }
}

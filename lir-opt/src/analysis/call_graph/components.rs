//! Strongly connected components of a directed graph, what they lead to first.
//!
//! # Algorithm
//!
//! Tarjan's, with the recursion as a list of the nodes on the path, each with the number of its next edge.
//!
//! 1. Nodes are numbered as the search comes to them, and put on a stack.
//! 2. `low` of a node is the least number on the stack that its subtree reaches by an edge.
//! 3. A node whose `low` is its own number when the search leaves it takes itself and all above it from the stack: a
//!    component. Everything that leads out of it was found before, so the order is the reverse of a topological one.
//!
//! # Cost
//!
//! Linear in nodes and edges; no recursion (a chain of 1,000,000 nodes is a usual call graph of generated code).
//! `petgraph::algo::tarjan_scc` recurses and overflows the stack at 100,000 nodes, and its `kosaraju_scc` wants a graph
//! of its own.
//!
//! # Source
//!
//! R. Tarjan, "Depth-First Search and Linear Graph Algorithms", SIAM Journal on Computing 1(2), 1972, section 4.

use lir_syntax::ir::EntityRef;

/// The components of a graph.
#[derive(Clone, Debug)]
pub struct Components<N> {
    /// Component number k is `nodes[starts[k]..starts[k + 1]]`, nodes ascending.
    nodes: Vec<N>,
    starts: Vec<u32>,
    /// The number of the component of each node, by index.
    of: Vec<u32>,
}

/// No number yet.
const UNSEEN: u32 = u32::MAX;

impl<N: EntityRef> Components<N> {
    /// The components of the graph with the nodes 0 to `len` - 1. Edges lead from n to `succs(n)`, which may repeat.
    /// Which nodes are visited first follows from their numbers and the order of the edges.
    pub fn new<'g>(len: usize, succs: impl Fn(N) -> &'g [N]) -> Components<N>
    where
        N: 'g,
    {
        let mut found = Components { nodes: Vec::with_capacity(len), starts: vec![0], of: vec![UNSEEN; len] };
        let mut search = Search { number: vec![UNSEEN; len], low: vec![0; len], next: 0, stack: Vec::new() };
        let mut path: Vec<(N, usize)> = Vec::new();
        for root in (0..len).map(N::new) {
            if search.number[root.index()] != UNSEEN {
                continue;
            }
            search.enter(root);
            path.push((root, 0));
            while let Some((n, edge)) = path.last_mut() {
                let n = *n;
                if let Some(&s) = succs(n).get(*edge) {
                    *edge += 1;
                    if search.number[s.index()] == UNSEEN {
                        search.enter(s);
                        path.push((s, 0));
                    } else if found.of[s.index()] == UNSEEN {
                        search.lower(n, search.number[s.index()]);
                    }
                    continue;
                }
                path.pop();
                if search.low[n.index()] == search.number[n.index()] {
                    found.take(n, &mut search.stack);
                } else if let Some(&(above, _)) = path.last() {
                    search.lower(above, search.low[n.index()]);
                }
            }
        }
        found
    }
    /// Step 3: the nodes of the stack from `root` up.
    fn take(&mut self, root: N, stack: &mut Vec<N>) {
        let (component, first) = (self.starts.len() as u32 - 1, self.nodes.len());
        loop {
            let n = stack.pop().expect("a node is on the stack until its component is found");
            self.of[n.index()] = component;
            self.nodes.push(n);
            if n == root {
                break;
            }
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
    /// The components, each after all that edges lead to from it; their nodes ascend.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &[N]> + '_ {
        self.starts.windows(2).map(|w| &self.nodes[w[0] as usize..w[1] as usize])
    }
    /// The number of the component of a node: less than those of the components that lead to it.
    pub fn of(&self, n: N) -> usize {
        self.of[n.index()] as usize
    }
    /// The nodes, each after those that edges lead to from it, cycles apart.
    pub fn nodes(&self) -> &[N] {
        &self.nodes
    }
}

struct Search<N> {
    number: Vec<u32>,
    low: Vec<u32>,
    next: u32,
    /// The nodes whose component is not known, in the order of their numbers.
    stack: Vec<N>,
}

impl<N: EntityRef> Search<N> {
    /// Step 1.
    fn enter(&mut self, n: N) {
        (self.number[n.index()], self.low[n.index()]) = (self.next, self.next);
        self.next += 1;
        self.stack.push(n);
    }
    /// Step 2.
    fn lower(&mut self, n: N, number: u32) {
        let low = &mut self.low[n.index()];
        *low = number.min(*low);
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

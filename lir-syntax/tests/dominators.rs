//! The control-flow graph and the dominator tree against petgraph and against the definition, on random graphs:
//! irreducible ones, with unreachable blocks, duplicate edges and self-loops; and on long ones.

use crate::graphs::random_edges;
use lir_random::Rng;
use lir_syntax::ir::*;
use petgraph::algo::dominators::simple_fast;
use petgraph::visit::{GraphBase, GraphRef, IntoNeighbors, VisitMap, Visitable};

/// A function whose block `k` leads to `edges[k]`.
fn function(edges: &[Vec<usize>]) -> Function {
    let mut f = Function::new(Sym::from_u32(0));
    let blocks: Vec<Block> = edges.iter().map(|_| f.append_new_block(NameRef::NONE)).collect();
    for (k, to) in edges.iter().enumerate() {
        let to: Vec<Block> = to.iter().map(|s| blocks[*s]).collect();
        f.set_succs(blocks[k], &to);
    }
    f
}

/// A function as a petgraph graph.
#[derive(Copy, Clone)]
struct Graph<'f>(&'f Function);

impl GraphBase for Graph<'_> {
    type EdgeId = ();
    type NodeId = Block;
}

impl GraphRef for Graph<'_> {}

struct Visited(EntitySet<Block>);

impl VisitMap<Block> for Visited {
    fn visit(&mut self, b: Block) -> bool {
        self.0.insert(b)
    }
    fn is_visited(&self, b: &Block) -> bool {
        self.0.contains(*b)
    }
    fn unvisit(&mut self, b: Block) -> bool {
        self.0.remove(b)
    }
}

impl Visitable for Graph<'_> {
    type Map = Visited;
    fn visit_map(&self) -> Visited {
        Visited(EntitySet::new())
    }
    fn reset_map(&self, map: &mut Visited) {
        map.0.clear();
    }
}

impl<'f> IntoNeighbors for Graph<'f> {
    type Neighbors = std::iter::Copied<std::slice::Iter<'f, Block>>;
    fn neighbors(self, b: Block) -> Self::Neighbors {
        self.0.succs(b).iter().copied()
    }
}

/// Blocks that the entry reaches without passing `avoid`.
fn reachable_without(f: &Function, avoid: Option<Block>) -> EntitySet<Block> {
    let mut seen = EntitySet::new();
    let mut work = vec![f.entry()];
    while let Some(b) = work.pop() {
        if Some(b) != avoid && seen.insert(b) {
            work.extend_from_slice(f.succs(b));
        }
    }
    seen
}

fn check_against_petgraph(f: &Function) {
    let cfg = Cfg::new(f);
    let ours = DominatorTree::new(f, &cfg);
    let theirs = simple_fast(Graph(f), f.entry());
    for b in f.layout().blocks() {
        assert_eq!(ours.idom(b), theirs.immediate_dominator(b), "{b:?} of {f:?}");
    }
    assert_eq!(ours.preorder().len(), cfg.rpo().len());
    for (k, &b) in ours.preorder().iter().enumerate() {
        let subtree = ours.subtree(b);
        assert_eq!(subtree.start, k);
        assert!(ours.idom(b).is_none_or(|d| ours.subtree(d).start < k && ours.subtree(d).end >= subtree.end));
        for &p in cfg.preds(b).iter().filter(|p| cfg.rpo_index(**p).is_some_and(|at| Some(at) < cfg.rpo_index(b))) {
            assert!(ours.subtree(p).start < k, "{p:?} before {b:?}: its edge does not retreat");
        }
    }
}

fn check_cfg(f: &Function) {
    let cfg = Cfg::new(f);
    let reachable = reachable_without(f, None);
    for b in f.layout().blocks() {
        assert_eq!(cfg.is_reachable(b), reachable.contains(b));
        let preds: Vec<Block> = f.layout().blocks().filter(|p| f.succs(*p).contains(&b)).collect();
        assert_eq!(cfg.preds(b), preds, "distinct, in layout order");
        if let Some(k) = cfg.rpo_index(b) {
            assert_eq!(cfg.rpo()[k], b);
            // Every block except the entry has a predecessor before it: the one on the depth-first path.
            let before = |p: &Block| cfg.rpo_index(*p).is_some_and(|n| n < k);
            assert!(b == f.entry() || preds.iter().any(before));
        }
    }
    assert_eq!(cfg.rpo().len(), reachable.iter().count());
}

#[test]
fn tables_of_another_function_do_not_show() {
    let (mut cfg, mut tree) = (Cfg::default(), DominatorTree::default());
    assert!(cfg.rpo().is_empty() && tree.preorder().is_empty());
    for seed in 0..300 {
        let mut rng = Rng::new(seed);
        let blocks = rng.range(2, 24);
        let f = function(&random_edges(&mut rng, blocks, 4));
        cfg.recompute(&f);
        tree.recompute(&f, &cfg);
        let fresh = Cfg::new(&f);
        assert_eq!(cfg.rpo(), fresh.rpo());
        assert_eq!(tree.preorder(), DominatorTree::new(&f, &fresh).preorder());
        for b in f.layout().blocks() {
            assert_eq!((cfg.preds(b), cfg.rpo_index(b)), (fresh.preds(b), fresh.rpo_index(b)));
        }
        let cyclic = f.layout().blocks().any(|b| cfg.is_reachable(b) && reaches_itself(&f, b));
        assert_eq!(cfg.is_acyclic(&f), !cyclic);
    }
}

fn reaches_itself(f: &Function, b: Block) -> bool {
    let mut seen = EntitySet::new();
    let mut work = f.succs(b).to_vec();
    while let Some(s) = work.pop() {
        if seen.insert(s) {
            work.extend_from_slice(f.succs(s));
        }
    }
    seen.contains(b)
}

fn check_cycles(f: &Function) {
    let cfg = Cfg::new(f);
    let cycles = cfg.blocks_in_cycles(f);
    for b in f.layout().blocks() {
        assert_eq!(cycles.contains(b), cfg.is_reachable(b) && reaches_itself(f, b), "{b:?} of {f:?}");
    }
}

#[test]
fn small_random_graphs_against_the_definition_and_petgraph() {
    for seed in 0..3000 {
        let mut rng = Rng::new(seed);
        let (blocks, near) = (rng.range(2, 24), rng.range(2, 8));
        let f = function(&random_edges(&mut rng, blocks, near));
        check_cfg(&f);
        check_cycles(&f);
        check_against_petgraph(&f);
        let tree = DominatorTree::new(&f, &Cfg::new(&f));
        let reachable = reachable_without(&f, None);
        for a in f.layout().blocks() {
            let others = reachable_without(&f, Some(a));
            for b in f.layout().blocks() {
                let dominates = reachable.contains(b) && !others.contains(b) && reachable.contains(a);
                assert_eq!(tree.dominates(a, b), dominates, "seed {seed}: {a:?} and {b:?}");
            }
        }
    }
}

#[test]
fn larger_random_graphs_against_petgraph() {
    for seed in 0..60 {
        let mut rng = Rng::new(seed);
        let (blocks, near) = (rng.range(500, 3000), rng.range(3, 60));
        let f = function(&random_edges(&mut rng, blocks, near));
        check_against_petgraph(&f);
    }
}

#[test]
fn corner_171_chains_and_joins_of_a_million_blocks() {
    const N: usize = 1_000_000;
    let chain: Vec<Vec<usize>> = (0..N).map(|k| if k + 1 < N { vec![k + 1] } else { vec![] }).collect();
    // Every block of the chain also leads to the last one.
    let wide: Vec<Vec<usize>> = (0..N).map(|k| if k + 1 < N { vec![k + 1, N - 1] } else { vec![] }).collect();
    // Every block also leads back to the first one after the entry.
    let back: Vec<Vec<usize>> = (0..N).map(|k| if k + 1 < N { vec![k + 1, 1] } else { vec![1] }).collect();
    for (edges, last_idom) in [(chain, N - 2), (wide, 0), (back, N - 2)] {
        let f = function(&edges);
        let cfg = Cfg::new(&f);
        let in_cycles = if f.succs(Block::new(N - 1)).is_empty() { 0 } else { N - 1 };
        assert_eq!(cfg.blocks_in_cycles(&f).iter().count(), in_cycles);
        let tree = DominatorTree::new(&f, &cfg);
        let block = |k: usize| Block::new(k);
        assert_eq!(tree.idom(block(N - 1)), Some(block(last_idom)));
        assert_eq!(tree.idom(block(N / 2)), Some(block(N / 2 - 1)));
        assert!(tree.dominates(block(0), block(N - 1)) && tree.dominates(block(3), block(N - 2)));
    }
}

/// The graph that takes Cooper, Harvey and Kennedy's iteration quadratic time: two long chains that meet at each step.
#[test]
fn a_ladder_of_joins_is_fast() {
    const N: usize = 100_000;
    let edges: Vec<Vec<usize>> = (0..2 * N + 1)
        .map(|k| match k {
            0 => vec![1, N + 1],
            k if k < N => vec![k + 1, 2 * N + 1 - k],
            k if k > N && k < 2 * N => vec![k + 1, 2 * N + 1 - k],
            _ => vec![],
        })
        .collect();
    let f = function(&edges);
    let tree = DominatorTree::new(&f, &Cfg::new(&f));
    assert!((1..=2 * N).all(|k| tree.idom(Block::new(k)) == Some(Block::new(0))));
}

#[test]
fn one_block_and_no_block() {
    let f = function(&[vec![]]);
    check_cfg(&f);
    check_against_petgraph(&f);
    let empty = Function::new(Sym::from_u32(0));
    let cfg = Cfg::new(&empty);
    assert!(cfg.rpo().is_empty() && DominatorTree::new(&empty, &cfg).preorder().is_empty());
}

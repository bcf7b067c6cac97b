//! Random control flow for tests.

use lir_random::Rng;

/// Edges from every block, none to the entry, block 0.
pub fn random_edges(rng: &mut Rng, blocks: usize, near: usize) -> Vec<Vec<usize>> {
    let edge = |rng: &mut Rng, from: usize| {
        let to = match rng.below(10) {
            0 => from,
            1 | 2 => rng.range(1, blocks - 1),
            _ => (from + rng.range(1, near)).saturating_sub(near / 3),
        };
        to.clamp(1, blocks - 1)
    };
    (0..blocks)
        .map(|from| {
            let n = rng.pick(&[0, 1, 1, 2, 2, 2, 2, 5]);
            let mut to: Vec<usize> = (0..n).map(|_| edge(rng, from)).collect();
            if n > 1 && rng.chance(10) {
                to[1] = to[0];
            }
            to
        })
        .collect()
}

//! Delta debugging over numbered targets.
//!
//! # Algorithm
//!
//! Chunks of neighbouring targets, first all of them, then halves and so on down to single ones, are tried from the
//! last to the first: if the rest without the chunk is still interesting, the chunk is removed permanently. That is
//! ddmin without its tests of single chunks on their own, which rarely succeed on programs. Later targets tend to
//! depend on earlier ones, so this order removes users before definitions.
//!
//! Several candidates are tried at once, in the expectation that none is interesting. The first interesting one is
//! accepted, and the later ones are tried again on top of it. So the result is the same as with one candidate at a
//! time.
//!
//! # Cost
//!
//! About `2 n` tests if nothing can be removed, `2 k log n` if all targets but `k` can be removed.
//!
//! # Sources
//!
//! A. Zeller, R. Hildebrandt, "Simplifying and Isolating Failure-Inducing Input", IEEE TSE 28(2), 2002, section 3; R.
//! Hodován, A. Kiss, "Practical Improvements to the Minimizing Delta Debugging Algorithm", ICSOFT-EA 2016, section 3.

/// The answer of a test of several candidates.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) enum Answer {
    /// This candidate is the first interesting one.
    Interesting(usize),
    /// No candidate is interesting.
    Nothing,
    /// The reduction was cancelled.
    Stop,
}

/// Finds a set of the `n` targets that can be removed together. `test` is given up to `at_once` candidates, each with a
/// flag for every target: true if it is removed. The result is the last candidate for which it answered
/// [`Answer::Interesting`].
pub(crate) fn minimise(n: usize, at_once: usize, mut test: impl FnMut(&[Vec<bool>]) -> Answer) -> Vec<bool> {
    let mut gone = vec![false; n];
    let mut size = n;
    while size > 0 {
        let left: Vec<usize> = (0..n).filter(|k| !gone[*k]).collect();
        let chunks: Vec<&[usize]> = left.rchunks(size).collect();
        let mut at = 0;
        while at < chunks.len() {
            let tried = &chunks[at..chunks.len().min(at + at_once.max(1))];
            let mut candidates: Vec<Vec<bool>> = tried.iter().map(|c| without(&gone, c)).collect();
            match test(&candidates) {
                Answer::Interesting(k) => {
                    gone = candidates.swap_remove(k);
                    at += k + 1;
                }
                Answer::Nothing => at += tried.len(),
                Answer::Stop => return gone,
            }
        }
        let still = gone.iter().filter(|g| !**g).count();
        size = if size == 1 { 0 } else { size.div_ceil(2).min(still) };
    }
    gone
}

fn without(gone: &[bool], chunk: &[usize]) -> Vec<bool> {
    let mut more = gone.to_vec();
    chunk.iter().for_each(|k| more[*k] = true);
    more
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Keeps the wanted targets; returns the result and the number of candidates that counted.
    fn run(n: usize, wanted: &[usize], at_once: usize) -> (Vec<usize>, usize) {
        let mut tests = 0;
        let gone = minimise(n, at_once, |candidates| {
            let found = candidates.iter().position(|gone| wanted.iter().all(|w| !gone[*w]));
            tests += found.map_or(candidates.len(), |k| k + 1);
            found.map_or(Answer::Nothing, Answer::Interesting)
        });
        ((0..n).filter(|k| !gone[*k]).collect(), tests)
    }

    #[test]
    fn wanted_targets_stay() {
        for wanted in [&[][..], &[0], &[9_999], &[17, 18, 5_000], &[3, 2_000, 4_000, 9_000]] {
            let (left, tests) = run(10_000, wanted, 1);
            assert_eq!(left, wanted);
            assert!(tests <= 1 + 2 * wanted.len() * 15, "{tests} tests for {wanted:?}");
        }
        assert_eq!(run(0, &[], 1), (vec![], 0));
        let all: Vec<usize> = (0..64).collect();
        let (left, tests) = run(64, &all, 1);
        assert_eq!((left, tests), (all, 127));
    }

    #[test]
    fn the_result_is_the_same_at_any_width() {
        for wanted in [&[5, 6, 77][..], &[0, 99], &[50]] {
            let one = run(100, wanted, 1);
            for width in [2, 3, 8, 200] {
                assert_eq!(run(100, wanted, width), one, "{width} at once");
            }
        }
    }

    #[test]
    fn it_stops_when_told() {
        let mut tests = 0;
        let gone = minimise(8, 1, |_| {
            tests += 1;
            if tests == 3 {
                Answer::Stop
            } else if tests == 2 {
                Answer::Interesting(0)
            } else {
                Answer::Nothing
            }
        });
        assert_eq!(gone.iter().filter(|g| **g).count(), 4);
    }
}

//! Bytes that copies carry to one another, as classes of two union-finds.
//!
//! A node is a byte of an object. One union-find has the nodes as they are: nodes that a copy makes equal share the
//! facts about their accesses. The other has the joint between a node and the one before it: that two bytes belong to
//! one part holds at both ends of a copy.

/// The facts about the bytes of a class.
#[derive(Copy, Clone, Default, Debug)]
pub(super) struct Joined {
    /// Some load or store touches it, or it was put into a word.
    accessed: bool,
    /// Some access is of a float.
    pub(super) float: bool,
    /// Some access is of less than the part.
    pub(super) in_pieces: bool,
    /// The loads and stores that begin here.
    pub(super) scalars: u32,
    /// The copies between parts that begin here.
    pub(super) copied: u32,
    /// The copies of a part that begins here from and to other memory.
    pub(super) moved: u32,
    /// Number of times that a part that begins here is passed to a call or returned.
    pub(super) passed: u32,
}

impl Joined {
    /// Returns the accesses of memory that a register saves, and the accesses that it costs. It saves each load and
    /// store, both of each copy between parts, and costs one where an aggregate is passed, which needs the bytes in
    /// memory. In a copy from or to other memory it saves one; but costs one where bytes are loaded and stored in less
    /// than 4, since a wide move does this for many at once.
    pub(super) fn balance(&self, bytes: u32) -> (u32, u32) {
        let (saved, paid) = (self.scalars + 2 * self.copied, self.passed);
        if bytes < 4 && self.scalars > 0 { (saved, paid + self.moved) } else { (saved + self.moved, paid) }
    }
}

/// The two union-finds.
#[derive(Default)]
pub(super) struct Classes {
    bytes: Vec<u32>,
    joints: Vec<u32>,
    known: Vec<Joined>,
    /// True for each root of a joint whose bytes belong together.
    is_joined: Vec<bool>,
}

impl Classes {
    /// `n` nodes that know nothing of each other.
    pub(super) fn reset(&mut self, n: usize) {
        for parents in [&mut self.bytes, &mut self.joints] {
            parents.clear();
            parents.extend(0..n as u32);
        }
        self.known.clear();
        self.known.resize(n, Joined::default());
        self.is_joined.clear();
        self.is_joined.resize(n, false);
    }
    /// A load or store of `n` bytes from this node on. Accesses come before copies.
    pub(super) fn access(&mut self, node: u32, n: u32, is_float: bool) {
        self.fill(node, n);
        self.known[node as usize].float |= is_float;
    }
    /// Puts `n` bytes from this node on into one part.
    pub(super) fn fill(&mut self, node: u32, n: u32) {
        for k in node..node + n {
            self.of_mut(k).accessed = true;
            if k > node {
                let joint = root(&mut self.joints, k);
                self.is_joined[joint as usize] = true;
            }
        }
    }
    /// A copy of `n` bytes from nodes to other nodes.
    pub(super) fn copy(&mut self, to: u32, from: u32, n: u32) {
        for k in 0..n {
            let (kept, gone) = unite(&mut self.bytes, to + k, from + k);
            if kept != gone {
                let other = self.known[gone as usize];
                let known = &mut self.known[kept as usize];
                known.accessed |= other.accessed;
                known.float |= other.float;
            }
            if k > 0 {
                let (kept, gone) = unite(&mut self.joints, to + k, from + k);
                self.is_joined[kept as usize] |= self.is_joined[gone as usize];
            }
        }
    }
    /// True if a load or store touches a byte, here or where it is copied.
    pub(super) fn is_accessed(&mut self, node: u32) -> bool {
        self.of_mut(node).accessed
    }
    /// True if a byte belongs to the same part as the one before it.
    pub(super) fn is_joined(&mut self, node: u32) -> bool {
        self.is_joined[root(&mut self.joints, node) as usize]
    }
    /// Returns the facts about a byte.
    pub(super) fn of_mut(&mut self, node: u32) -> &mut Joined {
        let r = root(&mut self.bytes, node);
        &mut self.known[r as usize]
    }
}

/// Returns the root of a node, with path halving.
fn root(parents: &mut [u32], mut n: u32) -> u32 {
    loop {
        let up = parents[n as usize];
        if up == n {
            return n;
        }
        let above = parents[up as usize];
        parents[n as usize] = above;
        n = above;
    }
}

/// Makes the classes of two nodes one: its root, and the one that no longer is.
fn unite(parents: &mut [u32], a: u32, b: u32) -> (u32, u32) {
    let (a, b) = (root(parents, a), root(parents, b));
    let (kept, gone) = (a.min(b), a.max(b));
    parents[gone as usize] = kept;
    (kept, gone)
}

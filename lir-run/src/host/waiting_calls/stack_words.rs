//! Reads words of a stack from a signal handler, upwards. The kernel reads them, since it knows the end of the stack.

#![expect(unsafe_code, reason = "asks the kernel for memory that may not be there")]

use super::super::region::{PAGE, STACK_GUARD};

/// A window on the stack, moved upwards.
pub(in crate::host) struct StackWords {
    words: [u64; 64],
    /// The address of the first word, and how many there are.
    start: u64,
    count: u64,
}

impl StackWords {
    pub(in crate::host) fn new() -> StackWords {
        StackWords { words: [0; 64], start: 0, count: 0 }
    }
    /// Returns the first address from `sp` on at which there is memory: `sp`, or the address of a page. Code whose
    /// stack ended when it was about to use a new frame has its stack pointer in the guard below the stack.
    fn first_readable(&mut self, sp: u64) -> Option<u64> {
        let pages = (1..=(STACK_GUARD / PAGE) as u64).map(|k| (sp & !(PAGE as u64 - 1)).wrapping_add(PAGE as u64 * k));
        std::iter::once(sp).chain(pages).find(|at| self.word(*at).is_some())
    }
    /// Returns the first word from `sp` on that is `wanted`, among at most `most` words.
    pub(in crate::host) fn find(&mut self, sp: u64, most: u64, wanted: impl Fn(u64) -> bool) -> Option<u64> {
        let at = self.position(sp, most, wanted)?;
        self.word(at)
    }
    /// Returns the address of that word.
    pub(in crate::host) fn position(&mut self, sp: u64, most: u64, wanted: impl Fn(u64) -> bool) -> Option<u64> {
        let sp = self.first_readable(sp)?;
        let mut words = (0..most).map_while(|k| Some((sp.wrapping_add(8 * k), self.word(sp.wrapping_add(8 * k))?)));
        words.find(|(_, word)| wanted(*word)).map(|(at, _)| at)
    }
    /// Returns the word at an address; none if there is no memory.
    pub(in crate::host) fn word(&mut self, address: u64) -> Option<u64> {
        if address.wrapping_sub(self.start) >= 8 * self.count {
            self.fill(address);
        }
        (self.count > 0).then(|| self.words[((address - self.start) / 8) as usize])
    }
    fn fill(&mut self, address: u64) {
        let local = libc::iovec { iov_base: self.words.as_mut_ptr().cast(), iov_len: size_of_val(&self.words) };
        let mut remote = libc::iovec { iov_base: address as *mut libc::c_void, iov_len: 0 };
        // Not beyond the page, where there may be nothing; but a word may straddle its end.
        remote.iov_len = local.iov_len.min(4096 - address as usize % 4096).max(8);
        // SAFETY: the words are ours; the kernel checks the other range.
        let read = unsafe { libc::process_vm_readv(libc::getpid(), &local, 1, &remote, 1, 0) };
        (self.start, self.count) = (address, read.max(0) as u64 / 8);
    }
}

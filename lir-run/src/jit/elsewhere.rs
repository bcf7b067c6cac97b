//! Traps on threads that C started inside the program.
//!
//! There is no run on such a thread to come back from, and no way to end the one on the first thread, so a trap ends the
//! process, as it does in a compiled program; but with the message and the status of a trap, in place of a raw signal.
//! What the handler needs is in a list that it reads without locks: the images of the modules that can run. An entry is
//! never freed, only used again; who takes an image off the list waits until no handler is reading.
//!
//! * The message is written with `write`, first, from memory on the stack. C's standard output is flushed after that as
//!   far as can be ([`end_at_once`]); other streams are not.
//! * The thread has no alternate stack, unless C gave it one: when its stack is exhausted there is nothing that a
//!   handler could run on, so the kernel ends the process with SIGSEGV.
//! * A fault in C is the program's where a return address into compiled code is near the top of the stack.

use super::Image;
use crate::symbols::end_at_once;
use lir_syntax::semantics::Trap;
use std::fmt::{self, Write};
use std::ptr::null_mut;
use std::sync::atomic::{AtomicPtr, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

/// An entry of the list.
struct Entry {
    /// Null where the entry is free.
    image: AtomicPtr<Image>,
    next: *const Entry,
}

/// The newest entry.
static ENTRIES: AtomicPtr<Entry> = AtomicPtr::new(null_mut());
/// Held by who changes the list.
static CHANGE: Mutex<()> = Mutex::new(());
/// Handlers that are reading the list.
static READERS: AtomicUsize = AtomicUsize::new(0);
/// The thread that ends the process.
static ENDING: AtomicU64 = AtomicU64::new(0);

/// The status of a process that a trap ended.
const TRAPPED: u8 = 134;

/// An image on the list, until this is dropped.
#[derive(Debug)]
pub(super) struct Listed {
    image: Arc<Image>,
}

/// The entries, newest first.
fn entries() -> impl Iterator<Item = &'static Entry> {
    // SAFETY: entries are leaked boxes, complete before they are on the list.
    let at = |p: *const Entry| unsafe { p.as_ref() };
    std::iter::successors(at(ENTRIES.load(Ordering::Acquire)), move |e| at(e.next))
}

impl Listed {
    /// Puts an image on the list.
    pub(super) fn new(image: &Arc<Image>) -> Listed {
        let _change = CHANGE.lock().unwrap_or_else(|e| e.into_inner());
        let address = Arc::as_ptr(image).cast_mut();
        match entries().find(|e| e.image.load(Ordering::Relaxed).is_null()) {
            Some(free) => free.image.store(address, Ordering::SeqCst),
            None => {
                let next = ENTRIES.load(Ordering::Relaxed);
                let entry = Box::leak(Box::new(Entry { image: AtomicPtr::new(address), next }));
                ENTRIES.store(entry, Ordering::SeqCst);
            }
        }
        Listed { image: Arc::clone(image) }
    }
}

impl Drop for Listed {
    fn drop(&mut self) {
        let _change = CHANGE.lock().unwrap_or_else(|e| e.into_inner());
        let address = Arc::as_ptr(&self.image).cast_mut();
        if let Some(entry) = entries().find(|e| e.image.load(Ordering::Relaxed) == address) {
            entry.image.store(null_mut(), Ordering::SeqCst);
        }
        // A handler that found something ends the process, so this may well wait for that.
        while READERS.load(Ordering::SeqCst) != 0 {
            std::thread::yield_now();
        }
    }
}

/// Called by the signal handler on a thread without a guarded run: where compiled code was interrupted, or C that it
/// had called, writes what happened and ends the process; else returns. `trap` says what the signal means in compiled
/// code (true) and elsewhere. Takes no memory and no lock.
pub(super) fn end_if_compiled(pc: u64, sp: u64, trap: impl Fn(bool) -> Option<Trap>) {
    // SAFETY: this has no precondition.
    let me = unsafe { libc::pthread_self() };
    match ENDING.load(Ordering::SeqCst) {
        0 => {}
        // The end itself faulted: the stream was in a bad state.
        ending if ending == me => exit_now(),
        _ => wait_for_the_end(),
    }
    READERS.fetch_add(1, Ordering::SeqCst);
    let find = |inside: &dyn Fn(&Image) -> bool| {
        entries().find_map(|e| {
            // SAFETY: an image on the list lives until it is taken off and no handler reads.
            let image = unsafe { e.image.load(Ordering::SeqCst).as_ref() };
            image.filter(|image| inside(image))
        })
    };
    let here = find(&|image| image.linked.code_offset(pc).is_some());
    let image = here.or_else(|| find(&|image| image.caller(sp, StackReader::default().reading()).is_some()));
    let (Some(image), Some(trap)) = (image, trap(here.is_some())) else {
        READERS.fetch_sub(1, Ordering::SeqCst);
        return;
    };
    if ENDING.compare_exchange(0, me, Ordering::SeqCst, Ordering::SeqCst).is_err() {
        wait_for_the_end();
    }
    let at = image.locate(pc, sp, StackReader::default().reading());
    let mut message = Message { bytes: [0; 1024], len: 0 };
    // A message that is too long is cut.
    let _ = write!(message, "trap: {trap} in ")
        .and_then(|()| at.write(&image.module, image.source.get().map(|s| &**s), &mut message));
    message.send();
    end_at_once(TRAPPED);
}

fn exit_now() -> ! {
    // SAFETY: this has no precondition.
    unsafe { libc::_exit(TRAPPED as libc::c_int) }
}

fn wait_for_the_end() -> ! {
    loop {
        // SAFETY: this has no precondition.
        unsafe { libc::pause() };
    }
}

/// Reads words of the stack, upwards, through the kernel, which knows where the stack ends.
struct StackReader {
    words: [u64; 64],
    /// The address of the first word, and how many there are.
    start: u64,
    count: u64,
}

impl Default for StackReader {
    fn default() -> StackReader {
        StackReader { words: [0; 64], start: 0, count: 0 }
    }
}

impl StackReader {
    fn reading(mut self) -> impl FnMut(u64) -> Option<u64> {
        move |address| {
            if address.wrapping_sub(self.start) >= 8 * self.count {
                self.fill(address);
            }
            (self.count > 0).then(|| self.words[((address - self.start) / 8) as usize])
        }
    }
    fn fill(&mut self, address: u64) {
        let local = libc::iovec { iov_base: self.words.as_mut_ptr().cast(), iov_len: size_of_val(&self.words) };
        let mut remote = libc::iovec { iov_base: address as *mut libc::c_void, iov_len: 0 };
        // Not beyond the page, where there may be nothing.
        remote.iov_len = local.iov_len.min(4096 - address as usize % 4096);
        // SAFETY: the words are ours; the kernel checks the other range.
        let read = unsafe { libc::process_vm_readv(libc::getpid(), &local, 1, &remote, 1, 0) };
        (self.start, self.count) = (address, read.max(0) as u64 / 8);
    }
}

/// Text on the stack.
struct Message {
    bytes: [u8; 1024],
    len: usize,
}

impl Write for Message {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        // One byte is left for the end of the line.
        let room = &mut self.bytes[self.len..1023];
        let n = room.len().min(text.len());
        room[..n].copy_from_slice(&text.as_bytes()[..n]);
        self.len += n;
        if n == text.len() { Ok(()) } else { Err(fmt::Error) }
    }
}

impl Message {
    /// Writes the text and the end of the line to standard error.
    fn send(&mut self) {
        self.bytes[self.len] = b'\n';
        let text = &self.bytes[..=self.len];
        // SAFETY: the text is initialised. There is nobody to tell where this fails.
        unsafe { libc::write(libc::STDERR_FILENO, text.as_ptr().cast(), text.len()) };
    }
}

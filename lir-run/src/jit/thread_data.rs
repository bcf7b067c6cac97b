//! Thread data in-process: every thread gets its copy of an object when it first uses it.
//!
//! Compiled code calls [`address`] with the address of the object's initial image (see `lir-llc`'s in-process
//! relocation model). Images are registered when a module is linked and forgotten when it is dropped.
//!
//! The stack may end in [`address`], and the run with it: a trap there returns to the host without running destructors.
//! So [`address`] touches the stack that it will need while nothing is borrowed and no lock is held.
//!
//! A thread frees its copies in the last iteration of the destructors that C runs at its end, so that the program's
//! destructors still find them. The first thread keeps them: functions that were registered with `atexit` use them.

use crate::symbols::HostSymbols;
use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::hint::black_box;
use std::mem::MaybeUninit;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, OnceLock};

/// The source of an object's copies.
#[derive(Clone, Debug)]
pub(super) enum Image {
    /// An image of this size is at the address.
    Here {
        /// Bytes.
        size: usize,
        /// A power of two.
        align: usize,
    },
    /// The object is outside, where every thread has its copy already: the address is only a placeholder.
    Outside {
        /// Its name.
        name: Box<[u8]>,
        /// The symbols of the process.
        host: HostSymbols,
    },
}

/// Images with their numbers. A number is never used again; an address may be.
static IMAGES: Mutex<Option<HashMap<usize, (u64, Image)>>> = Mutex::new(None);

/// Number of times images were forgotten. A thread that has not seen the last time checks its copies first.
static FORGOTTEN: AtomicU64 = AtomicU64::new(0);

fn images() -> MutexGuard<'static, Option<HashMap<usize, (u64, Image)>>> {
    IMAGES.lock().unwrap_or_else(|e| e.into_inner())
}

/// This thread's copy of an object.
struct Copied {
    /// With room to align in; empty for an object outside.
    _memory: Box<[u8]>,
    address: usize,
    /// The number of the image.
    number: u64,
}

/// All copies of a thread, by image.
#[derive(Default)]
struct Copies {
    by_image: HashMap<usize, Copied>,
    /// The value of [`FORGOTTEN`] when they were last checked.
    seen: u64,
    /// Number of iterations over destructors.
    iterations: u8,
}

/// Iterations of destructors that C promises, `PTHREAD_DESTRUCTOR_ITERATIONS` of glibc and POSIX.
const ITERATIONS: u8 = 4;

thread_local! {
    /// From a box, or null before the first use. Without a destructor, so that it can be used to the end.
    static COPIES: Cell<*mut RefCell<Copies>> = const { Cell::new(std::ptr::null_mut()) };
}

/// Uses the calling thread's copies.
fn with_copies<R>(use_them: impl FnOnce(&mut Copies) -> R) -> R {
    if COPIES.get().is_null() {
        COPIES.set(Box::into_raw(Box::default()));
        free_at_end_of_thread();
    }
    // SAFETY: the pointer comes from a box, which `end_round` frees on this thread, setting the pointer to null.
    use_them(&mut unsafe { &*COPIES.get() }.borrow_mut())
}

/// Makes C call [`end_round`] when the calling thread ends.
fn free_at_end_of_thread() {
    static KEY: OnceLock<Option<libc::pthread_key_t>> = OnceLock::new();
    let key = KEY.get_or_init(|| {
        let mut key = 0;
        // SAFETY: the key is written to a local; the destructor stays.
        (unsafe { libc::pthread_key_create(&mut key, Some(end_round)) } == 0).then_some(key)
    });
    if let Some(key) = key {
        // If there is no memory for it, the copies are not freed.
        // SAFETY: the key was made above.
        unsafe { libc::pthread_setspecific(*key, COPIES.get().cast()) };
    }
}

/// An iteration of destructors at the end of the thread.
extern "C" fn end_round(_: *mut libc::c_void) {
    let last = with_copies(|copies| {
        copies.iterations += 1;
        copies.iterations >= ITERATIONS
    });
    if last {
        // SAFETY: the pointer comes from a box, and nothing else has it any more.
        drop(unsafe { Box::from_raw(COPIES.replace(std::ptr::null_mut())) });
    } else {
        free_at_end_of_thread();
    }
}

/// Registers an image. It must stay readable until [`forget`].
pub(super) fn register(address: u64, image: Image) {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    images().get_or_insert_default().insert(address as usize, (NEXT.fetch_add(1, Ordering::Relaxed), image));
}

/// Forgets an image. Threads free their copies when they next need a copy of any image, or end.
pub(super) fn forget(address: u64) {
    images().get_or_insert_default().remove(&(address as usize));
    FORGOTTEN.fetch_add(1, Ordering::Release);
    if !COPIES.get().is_null() {
        with_copies(Copies::look_through);
    }
}

/// The bytes of stack that finding a copy takes at most.
const STACK_TO_FIND: usize = 2 << 10;
/// The bytes of stack that making a copy takes at most: it allocates, and asks the loader for a symbol.
const STACK_TO_MAKE: usize = 32 << 10;

/// Overflows the stack if it has less than `N` bytes left.
#[inline(never)]
fn touch_stack<const N: usize>() {
    // The first byte has the lowest address. The compiler touches the pages of a larger frame in their order.
    let mut room = [const { MaybeUninit::<u8>::uninit() }; N];
    room[0].write(0);
    black_box(&room);
}

/// Returns the address of the calling thread's copy of the object with this image. Called by compiled code.
pub(super) extern "C" fn address(image: usize) -> usize {
    touch_stack::<STACK_TO_FIND>();
    if !COPIES.get().is_null()
        && let Some(found) = with_copies(|copies| copies.find(image))
    {
        return found;
    }
    touch_stack::<STACK_TO_MAKE>();
    with_copies(|copies| {
        if copies.seen != FORGOTTEN.load(Ordering::Acquire) {
            copies.look_through();
        }
        copies.by_image.entry(image).or_insert_with(|| copy_of(image)).address
    })
}

impl Copies {
    /// Returns the address of a copy that is up to date.
    fn find(&self, image: usize) -> Option<usize> {
        let is_current = self.seen == FORGOTTEN.load(Ordering::Acquire);
        self.by_image.get(&image).filter(|_| is_current).map(|copied| copied.address)
    }
    /// Frees the copies of forgotten images. Other images may be at their addresses now.
    fn look_through(&mut self) {
        self.seen = FORGOTTEN.load(Ordering::Acquire);
        let images = images();
        let number = |at: &usize| images.as_ref().and_then(|images| images.get(at)).map(|(number, _)| *number);
        self.by_image.retain(|at, copied| number(at) == Some(copied.number));
    }
}

fn copy_of(at: usize) -> Copied {
    let images = images();
    let (number, image) = images.as_ref().and_then(|i| i.get(&at)).expect("compiled code names registered images");
    let (size, align) = match image {
        Image::Here { size, align } => (*size, *align),
        // The linker found it, and libraries stay loaded.
        Image::Outside { name, host } => {
            let address = host.lookup(name).unwrap_or(0) as usize;
            return Copied { _memory: Box::default(), address, number: *number };
        }
    };
    let mut memory: Box<[u8]> = vec![0; size + align].into();
    let address = (memory.as_ptr() as usize).next_multiple_of(align);
    let offset = address - memory.as_ptr() as usize;
    // SAFETY: a registered image is `size` readable bytes until it is forgotten.
    let bytes = unsafe { std::slice::from_raw_parts(at as *const u8, size) };
    memory[offset..offset + size].copy_from_slice(bytes);
    Copied { _memory: memory, address, number: *number }
}

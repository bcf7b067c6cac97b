//! Thread data in-process: every thread gets its copy of an object when it first asks for it.
//!
//! Compiled code calls [`address`] with the address of the object's initial image (see `lir-llc`'s in-process
//! relocation model). What images there are is registered when a module is linked and forgotten when it is dropped.

use crate::symbols::HostSymbols;
use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard};

/// What the copies of an object are made from.
#[derive(Clone, Debug)]
pub enum Image {
    /// The image is at the address: so many bytes.
    Here {
        /// Bytes.
        size: usize,
        /// A power of two.
        align: usize,
    },
    /// The object is outside, where every thread has its copy already: the address only stands for it.
    Outside {
        /// Its name.
        name: Box<[u8]>,
        /// Where it is looked up.
        host: HostSymbols,
    },
}

/// Images with their numbers. A number is never used again, an address may be.
static IMAGES: Mutex<Option<HashMap<usize, (u64, Image)>>> = Mutex::new(None);

/// How often images were forgotten. A thread that has not seen the last time looks through its copies first.
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
    /// The value of [`FORGOTTEN`] when they were looked through.
    seen: u64,
}

thread_local! {
    static COPIES: RefCell<Copies> = RefCell::default();
}

/// Makes an image known. It must stay readable until [`forget`].
pub fn register(address: u64, image: Image) {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    images().get_or_insert_default().insert(address as usize, (NEXT.fetch_add(1, Ordering::Relaxed), image));
}

/// Forgets an image. Threads free their copies when they next ask for one of any image, or end.
pub fn forget(address: u64) {
    images().get_or_insert_default().remove(&(address as usize));
    FORGOTTEN.fetch_add(1, Ordering::Release);
    // While a thread ends there may be no copies any more.
    let _ = COPIES.try_with(|c| c.borrow_mut().look_through());
}

/// The address of the calling thread's copy of the object with this image; called by compiled code.
pub extern "C" fn address(image: usize) -> usize {
    let of = |copies: &mut Copies| {
        if copies.seen != FORGOTTEN.load(Ordering::Acquire) {
            copies.look_through();
        }
        copies.by_image.entry(image).or_insert_with(|| copy_of(image)).address
    };
    match COPIES.try_with(|c| of(&mut c.borrow_mut())) {
        Ok(address) => address,
        // A destructor that C runs at the end of the thread: one more copy, which nobody frees.
        Err(_) => {
            let copied = copy_of(image);
            std::mem::forget(copied._memory);
            copied.address
        }
    }
}

impl Copies {
    /// Frees the copies of images that are forgotten, whatever may be at their addresses now.
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

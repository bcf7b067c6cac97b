//! Thread data in-process: every thread gets its copy of an object when it first asks for it.
//!
//! Compiled code calls [`address`] with the address of the object's initial image (see `lir-llc`'s in-process
//! relocation model). What images there are is registered when a module is linked and forgotten when it is dropped.

use crate::symbols::HostSymbols;
use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::Mutex;

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

static IMAGES: Mutex<Option<HashMap<usize, Image>>> = Mutex::new(None);

/// This thread's copy of an object.
struct Copied {
    /// With room to align in; empty for an object outside.
    _memory: Box<[u8]>,
    address: usize,
}

thread_local! {
    static COPIES: RefCell<HashMap<usize, Copied>> = RefCell::default();
}

/// Makes an image known. It must stay readable until [`forget`].
pub fn register(address: u64, image: Image) {
    let mut images = IMAGES.lock().unwrap_or_else(|e| e.into_inner());
    images.get_or_insert_default().insert(address as usize, image);
}

/// Forgets an image, and this thread's copy.
pub fn forget(address: u64) {
    let mut images = IMAGES.lock().unwrap_or_else(|e| e.into_inner());
    images.get_or_insert_default().remove(&(address as usize));
    COPIES.with_borrow_mut(|c| c.remove(&(address as usize)));
}

/// The address of the calling thread's copy of the object with this image; called by compiled code.
pub extern "C" fn address(image: usize) -> usize {
    COPIES.with_borrow_mut(|copies| copies.entry(image).or_insert_with(|| copy_of(image)).address)
}

fn copy_of(at: usize) -> Copied {
    let images = IMAGES.lock().unwrap_or_else(|e| e.into_inner());
    let image = images.as_ref().and_then(|i| i.get(&at)).expect("compiled code names registered images");
    let (size, align) = match image {
        Image::Here { size, align } => (*size, *align),
        // The linker found it, and libraries stay loaded.
        Image::Outside { name, host } => {
            return Copied { _memory: Box::default(), address: host.lookup(name).unwrap_or(0) as usize };
        }
    };
    let mut memory: Box<[u8]> = vec![0; size + align].into();
    let address = (memory.as_ptr() as usize).next_multiple_of(align);
    let offset = address - memory.as_ptr() as usize;
    // SAFETY: a registered image is `size` readable bytes until it is forgotten.
    let bytes = unsafe { std::slice::from_raw_parts(at as *const u8, size) };
    memory[offset..offset + size].copy_from_slice(bytes);
    Copied { _memory: memory, address }
}

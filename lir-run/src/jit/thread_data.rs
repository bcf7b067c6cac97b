//! Thread data in-process: every thread gets its copy of an object when it first asks for it.
//!
//! Compiled code calls [`address`] with the address of the object's initial image (see `lir-llc`'s in-process
//! relocation model). What images there are is registered when a module is linked and forgotten when it is dropped.

use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::Mutex;

/// An image: its size and alignment in bytes.
#[derive(Copy, Clone, Debug)]
pub struct Image {
    /// Bytes.
    pub size: usize,
    /// A power of two.
    pub align: usize,
}

static IMAGES: Mutex<Option<HashMap<usize, Image>>> = Mutex::new(None);

/// This thread's copy of an object: memory with room to align in.
struct Copied {
    memory: Box<[u8]>,
    align: usize,
}

impl Copied {
    fn address(&self) -> usize {
        (self.memory.as_ptr() as usize).next_multiple_of(self.align)
    }
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
    COPIES.with_borrow_mut(|copies| copies.entry(image).or_insert_with(|| copy_of(image)).address())
}

fn copy_of(at: usize) -> Copied {
    let images = IMAGES.lock().unwrap_or_else(|e| e.into_inner());
    let image = images.as_ref().and_then(|i| i.get(&at)).copied().expect("compiled code names registered images");
    let mut copied = Copied { memory: vec![0; image.size + image.align].into(), align: image.align };
    let offset = copied.address() - copied.memory.as_ptr() as usize;
    // SAFETY: a registered image is `size` readable bytes until it is forgotten.
    let bytes = unsafe { std::slice::from_raw_parts(at as *const u8, image.size) };
    copied.memory[offset..offset + image.size].copy_from_slice(bytes);
    copied
}

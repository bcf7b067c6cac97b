//! Describes code in memory to debuggers, by gdb's interface for JIT compilers.
//!
//! gdb stops in a function that it finds by its name, [`__jit_debug_register_code`], and reads a list of objects from
//! another symbol. An object describes the code: names, lines, and unwinding. It is the same as `lir-llc -g` writes,
//! except that its code has an address.
//!
//! # Source
//!
//! "JIT Compilation Interface" in "Debugging with GDB".

#![expect(unsafe_code, reason = "shares a list with a debugger")]

use super::link::Linked;
use lir_llc::code::CompiledModule;
use lir_llc::output::debug_info::DebugSource;
use lir_llc::output::elf;
use lir_syntax::ir::Module;
use std::ptr::null_mut;
use std::sync::{Mutex, PoisonError};

/// `struct jit_code_entry` of gdb's manual.
#[repr(C)]
struct CodeEntry {
    next: *mut CodeEntry,
    previous: *mut CodeEntry,
    object: *const u8,
    size: u64,
}

/// `struct jit_descriptor` of gdb's manual.
#[repr(C)]
struct JitDescriptor {
    version: u32,
    action: u32,
    relevant: *mut CodeEntry,
    first: *mut CodeEntry,
}

/// An entry was added.
const REGISTER: u32 = 1;
/// An entry is about to be removed.
const UNREGISTER: u32 = 2;

/// The list, for gdb. [`LOCK`] is held while it is changed.
#[unsafe(no_mangle)]
static mut __jit_debug_descriptor: JitDescriptor =
    JitDescriptor { version: 1, action: 0, relevant: null_mut(), first: null_mut() };

static LOCK: Mutex<()> = Mutex::new(());

/// The function in which gdb stops when the list has changed.
#[unsafe(no_mangle)]
#[inline(never)]
extern "C" fn __jit_debug_register_code() {
    // Calls of a function without effect would be left out.
    std::hint::black_box(());
}

/// An object that gdb knows, until this is dropped.
#[derive(Debug)]
pub(crate) struct Registered {
    entry: *mut CodeEntry,
    /// The entry points to it.
    _object: Box<[u8]>,
}

// SAFETY: the entry is changed only under the lock.
unsafe impl Send for Registered {}
// SAFETY: as above; a shared reference gives access to nothing.
unsafe impl Sync for Registered {}

impl Registered {
    /// Shows the code of a module to gdb.
    ///
    /// # Errors
    /// The reason there is no object.
    pub(super) fn new(
        module: &Module,
        compiled: &CompiledModule,
        linked: &Linked,
        debug: &DebugSource<'_>,
    ) -> Result<Registered, String> {
        let address = linked.code_addresses().start;
        let object = elf::write_image(module, compiled, debug, address).map_err(|e| e.to_string())?;
        let object = object.into_boxed_slice();
        let entry =
            CodeEntry { next: null_mut(), previous: null_mut(), object: object.as_ptr(), size: object.len() as u64 };
        let entry = Box::into_raw(Box::new(entry));
        let _held = LOCK.lock().unwrap_or_else(PoisonError::into_inner);
        // SAFETY: the holder of the lock is alone with the list, except for gdb, which reads it while this thread is
        // stopped.
        unsafe {
            let list = &raw mut __jit_debug_descriptor;
            (*entry).next = (*list).first;
            if let Some(first) = (*list).first.as_mut() {
                first.previous = entry;
            }
            ((*list).first, (*list).relevant, (*list).action) = (entry, entry, REGISTER);
        }
        __jit_debug_register_code();
        Ok(Registered { entry, _object: object })
    }
}

impl Drop for Registered {
    fn drop(&mut self) {
        let _held = LOCK.lock().unwrap_or_else(PoisonError::into_inner);
        // SAFETY: as above. The entry was made from a box and is in the list, whose entries exist as long as they are
        // in it. Nothing refers to it after the last call.
        unsafe {
            let list = &raw mut __jit_debug_descriptor;
            let CodeEntry { next, previous, .. } = *self.entry;
            match previous.as_mut() {
                Some(previous) => previous.next = next,
                None => (*list).first = next,
            }
            if let Some(next) = next.as_mut() {
                next.previous = previous;
            }
            ((*list).relevant, (*list).action) = (self.entry, UNREGISTER);
            __jit_debug_register_code();
            (*list).relevant = null_mut();
            drop(Box::from_raw(self.entry));
        }
    }
}

//! The memory of data objects: one region for all threads, and a copy of its layout for each.

use super::super::Options;
use super::super::addresses::{Addresses, Target};
use super::ranges::Range;
use super::raw::Region;
use crate::symbols::HostSymbols;
use lir_syntax::ir::{DataObject, Module, Sym};
use std::io;
use std::sync::Arc;

/// Bytes before the first and after the last object of a region: addresses without another owner, and no memory.
pub(super) const AROUND: u64 = 4 << 20;

/// Bytes of a data object outside that a strict run assumes as its own: as many as a number or an address has.
const EXTERN_SIZE: u64 = 16;

/// The data objects of a module.
#[derive(Debug)]
pub(in crate::interp) struct DataObjects {
    /// Data that is not thread data.
    pub(in crate::interp) region: Region,
    /// The objects in the region.
    pub(in crate::interp) objects: Arc<[Range]>,
    /// By index of `objects`: true if it is never written.
    pub(in crate::interp) constant: Vec<bool>,
    /// Thread data: offsets from the start of a thread's copies.
    pub(in crate::interp) thread_objects: Vec<Range>,
    /// By index of `thread_objects`.
    thread_constant: Vec<bool>,
    /// Bytes of all copies of a thread.
    pub(in crate::interp) thread_size: u64,
    /// The alignment of their address, a power of two.
    pub(in crate::interp) thread_align: u64,
    /// Names of thread data outside, which has another address in every thread.
    pub(in crate::interp) thread_externs: Vec<Box<[u8]>>,
    /// Addresses of data outside, whose sizes are unknown.
    externs: Vec<u64>,
    /// The symbols of the process.
    pub(in crate::interp) host: HostSymbols,
}

impl DataObjects {
    /// Lays out the data of a module and sets the addresses of symbols. The memory is zero.
    pub(in crate::interp) fn lay_out(
        module: &Module,
        host: &HostSymbols,
        options: &Options,
        addresses: &mut Addresses,
    ) -> io::Result<Arc<DataObjects>> {
        let defined = |thread| module.decls.data.values().filter(move |d| !d.is_extern && d.thread == thread);
        let room =
            defined(false).map(|d| d.size() + d.align() + gap(d.size()).max(options.gap)).sum::<u64>() + 2 * AROUND;
        let region = Region::near(options.address, room)?;
        let (mut objects, mut constant) = (Vec::new(), Vec::new());
        let mut at = region.base() + AROUND;
        for d in defined(false) {
            let (start, size) = (at.next_multiple_of(d.align().max(1)), d.size());
            addresses.set(d.sym, start, Target::Data { size, constant: d.constant });
            objects.push(Range { start, end: start + size });
            constant.push(d.constant);
            at = start + size + gap(size).max(options.gap);
        }
        let (mut thread_objects, mut thread_constant) = (Vec::new(), Vec::new());
        let (mut at, mut thread_align) = (0u64, 16);
        for d in defined(true) {
            let (start, size) = (at.next_multiple_of(d.align().max(1)), d.size());
            addresses.set(d.sym, start, Target::Thread { size, constant: d.constant });
            thread_objects.push(Range { start, end: start + size });
            thread_constant.push(d.constant);
            thread_align = thread_align.max(d.align());
            at = start + size + gap(size).max(options.gap);
        }
        Ok(Arc::new(DataObjects {
            region,
            objects: objects.into(),
            constant,
            thread_objects,
            thread_constant,
            thread_size: at,
            thread_align,
            thread_externs: thread_externs(module, addresses),
            externs: outside(module, false).filter_map(|d| host.lookup(&module.decls.syms[d.sym].name)).collect(),
            host: host.clone(),
        }))
    }
    /// True if bytes may lie in a data object outside, which is assumed to be small.
    pub(super) fn may_be_outside(&self, address: u64, len: u64, thread_externs: &[u64]) -> bool {
        let mut all = self.externs.iter().chain(thread_externs);
        all.any(|start| Range { start: *start, end: start.saturating_add(EXTERN_SIZE) }.contains(address, len))
    }
    /// True if object `k` of a thread's stack is a copy of read-only thread data.
    #[inline]
    pub(in crate::interp) fn is_constant_thread_data(&self, k: usize) -> bool {
        self.thread_constant.get(k).is_some_and(|c| *c)
    }
}

/// Bytes between an object of this size and the next. An index that is off by up to the object's size, or by little,
/// hits no other object.
fn gap(size: u64) -> u64 {
    size.clamp(256, 64 << 10)
}

/// Returns the external data: thread data, or the rest.
fn outside(module: &Module, thread: bool) -> impl Iterator<Item = &DataObject> {
    module.decls.data.values().filter(move |d| d.is_extern && d.thread == thread)
}

/// Numbers the external thread data.
fn thread_externs(module: &Module, addresses: &mut Addresses) -> Vec<Box<[u8]>> {
    let name = |s: Sym| module.decls.syms[s].name.to_vec().into_boxed_slice();
    let mut names = Vec::new();
    for d in outside(module, true) {
        addresses.set(d.sym, 0, Target::ThreadOutside(names.len() as u32));
        names.push(name(d.sym));
    }
    names
}

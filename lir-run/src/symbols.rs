//! Finds external symbols in the process, in libc, in libm and in further shared libraries.

#![expect(unsafe_code, reason = "talks to the loader and to C's streams")]

use lir_syntax::ir::function::NO_LOC;
use lir_syntax::ir::{Decls, Sym, SymKind};
use lir_syntax::text::diagnostic::Diagnostic;
use lir_syntax::text::source::Span;
use std::ffi::{CStr, CString};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};

/// Time limit for flushing the streams if a thread may hold a lock.
const FLUSH_SECONDS: u32 = 1;

/// The folders in which the loader looks for libraries.
const LIBRARY_FOLDERS: [&str; 5] =
    ["/lib/x86_64-linux-gnu", "/usr/lib/x86_64-linux-gnu", "/lib64", "/usr/lib64", "/usr/local/lib"];

/// Returns the address of a function.
type Address = fn() -> u64;

/// Functions that glibc links into every program, so that the loader does not find them.
const LINKED: [(&[u8], Address); 2] = [
    (b"atexit", || libc::atexit as *const () as u64),
    (b"pthread_atfork", || libc::pthread_atfork as *const () as u64),
];

/// The libraries in which external symbols are looked up. Libraries stay loaded until the process ends: their code and
/// data may be referred to from anywhere.
#[derive(Clone, Debug)]
pub struct HostSymbols {
    /// The process, and the other libraries that are searched before libm is loaded.
    libraries: Vec<Library>,
    /// Symbols that the host defines, which precede all others.
    given: Vec<(Vec<u8>, u64)>,
}

#[derive(Copy, Clone, Debug)]
struct Library(*mut libc::c_void);

// SAFETY: a handle of the loader belongs to the process, and the loader locks if it must.
unsafe impl Send for Library {}
// SAFETY: as above.
unsafe impl Sync for Library {}

impl HostSymbols {
    /// Returns the symbols of the process with libc and libm, and of these shared libraries: a path if the name has a
    /// slash, else a name as for `cc -l`.
    ///
    /// # Errors
    /// The loader's message for the first library that cannot be loaded.
    pub fn new(libraries: &[&str]) -> Result<HostSymbols, String> {
        let mut found = vec![Library(libc::RTLD_DEFAULT)];
        // libm's symbols precede the libraries'.
        if !libraries.is_empty() {
            found.extend(libm());
        }
        for name in libraries {
            found.push(if name.contains('/') { load(name)? } else { load_by_name(name)? });
        }
        Ok(HostSymbols { libraries: found, given: Vec::new() })
    }

    /// Defines a symbol for programs, which precedes one that is found elsewhere: a function of the host's, say.
    ///
    /// # Safety
    /// As long as a program may use it, the address has an object of the type that programs declare. A function must be
    /// prepared never to return if the program traps inside of it.
    pub unsafe fn define(&mut self, name: &[u8], address: u64) {
        self.given.push((name.to_vec(), address));
    }

    /// Returns the address of a symbol.
    pub fn lookup(&self, name: &[u8]) -> Option<u64> {
        if let Some((_, address)) = self.given.iter().rev().find(|(given, _)| given == name) {
            return Some(*address);
        }
        let text = CString::new(name).ok()?;
        // SAFETY: the handles come from `dlopen` or are RTLD_DEFAULT, the name ends in NUL.
        let find = |library: &Library| unsafe { libc::dlsym(library.0, text.as_ptr()) } as u64;
        let linked = || LINKED.iter().find(|(linked, _)| *linked == name).map(|(_, address)| address());
        let found = self.libraries.iter().map(find).find(|address| *address != 0);
        found.or_else(linked).or_else(|| libm().as_ref().map(find).filter(|address| *address != 0))
    }
}

/// Returns the error for an external symbol that is not found, at its declaration.
pub(crate) fn not_found(decls: &Decls, s: Sym) -> Diagnostic {
    let data = &decls.syms[s];
    let kind = if matches!(data.kind, SymKind::Data(_)) { "data" } else { "function" };
    let span = (data.loc != NO_LOC).then(|| Span::at(data.loc));
    Diagnostic::new(span, format!("external {kind} `@{}` is not found", String::from_utf8_lossy(&data.name)))
}

/// Loads a library by its name as for `cc -l`. Libraries that are installed only to run programs have a version after
/// their name, and the name without it may be a script for the linker.
fn load_by_name(name: &str) -> Result<Library, String> {
    let file = format!("lib{name}.so");
    load(&file).or_else(|message| {
        let versions = format!("{file}.");
        let installed = |folder: &&str| {
            let names = std::fs::read_dir(folder).into_iter().flatten();
            let names = names.filter_map(|e| e.ok()?.file_name().into_string().ok());
            names.filter(|n| n.starts_with(&versions)).max()
        };
        let found = LIBRARY_FOLDERS.iter().filter_map(installed).find_map(|file| load(&file).ok());
        found.ok_or(message)
    })
}

/// C's mathematics: Rust programs need not be linked with it. Loaded when a symbol is first searched in it, since most
/// programs need none of it, and loading takes a tenth of the time of a small one; if it is part of libc there is
/// nothing to load.
fn libm() -> Option<Library> {
    static LIBRARY: OnceLock<Option<Library>> = OnceLock::new();
    *LIBRARY.get_or_init(|| load("libm.so.6").ok())
}

fn load(file: &str) -> Result<Library, String> {
    let name = CString::new(file).map_err(|_| format!("the name of library `{file}` has a NUL"))?;
    // SAFETY: the name ends in NUL. The library's initialisers run, as the user asked.
    let handle = unsafe { libc::dlopen(name.as_ptr(), libc::RTLD_NOW | libc::RTLD_GLOBAL) };
    if !handle.is_null() {
        return Ok(Library(handle));
    }
    // SAFETY: `dlerror` returns null or a string that lives until the next call of this family on this thread.
    let message = unsafe {
        let text = libc::dlerror();
        if text.is_null() { "unknown error".into() } else { CStr::from_ptr(text).to_string_lossy().into_owned() }
    };
    Err(format!("cannot load library `{file}`: {message}"))
}

/// True if the contents of C's standard output, when it was last flushed here, ended inside of a line.
static INSIDE_LINE: AtomicBool = AtomicBool::new(false);

/// Writes out the contents of C's streams. Called however the program ends.
pub(crate) fn flush_c_output() {
    note_end_of_line();
    // SAFETY: a null stream means all output streams.
    unsafe { libc::fflush(std::ptr::null_mut()) };
}

/// Returns the end of the line that C's standard output is in, or nothing, as [`flush_c_output`] noted. If a program
/// flushed the text itself, or wrote it with `write`, that is not noticed.
#[cfg(feature = "cli")]
pub(crate) fn end_of_c_line() -> &'static str {
    if INSIDE_LINE.swap(false, Ordering::Relaxed) { "\n" } else { "" }
}

/// Notes whether the text in C's standard output ends inside of a line, unless another thread uses it.
#[cfg(target_env = "gnu")]
fn note_end_of_line() {
    /// The beginning of glibc's `FILE`, which programs have had inlined since glibc 2.1.
    #[repr(C)]
    struct Stream {
        flags: libc::c_int,
        reading: [*const u8; 3],
        write_base: *const u8,
        write_ptr: *const u8,
    }
    // SAFETY: the stream is C's and lives as long as the process, with these fields. It is read while locked; the bytes
    // between the two addresses were written.
    unsafe {
        if ftrylockfile(stdout) != 0 {
            return;
        }
        let Stream { write_base, write_ptr, .. } = *stdout.cast::<Stream>();
        if write_ptr > write_base {
            INSIDE_LINE.store(*write_ptr.sub(1) != b'\n', Ordering::Relaxed);
        }
        funlockfile(stdout);
    }
}

/// Other libraries do not show the contents of their streams.
#[cfg(not(target_env = "gnu"))]
fn note_end_of_line() {}

/// Writes out C's standard output if that needs no waiting: no other thread has it locked, and it is a file, not a
/// stream that functions of the program write.
#[cfg(feature = "cli")]
pub(crate) fn flush_standard_output() {
    if lock_and_flush() {
        // SAFETY: the stream is C's and lives as long as the process; it is locked by this thread.
        unsafe { funlockfile(stdout) };
    }
}

/// Locks C's standard output, unless another thread has it, and writes it out if it is a file; true if it is locked.
fn lock_and_flush() -> bool {
    // SAFETY: the stream is C's and lives as long as the process. It is used while locked.
    unsafe {
        let is_locked = ftrylockfile(stdout) == 0;
        if is_locked && libc::fileno(stdout) >= 0 {
            fflush_unlocked(stdout);
        }
        is_locked
    }
}

unsafe extern "C" {
    static stdout: *mut libc::FILE;
    fn ftrylockfile(stream: *mut libc::FILE) -> libc::c_int;
    fn funlockfile(stream: *mut libc::FILE);
    fn fflush_unlocked(stream: *mut libc::FILE) -> libc::c_int;
}

/// Writes out C's streams, as far as possible, and ends the process at once. For threads that may not wait for others,
/// and for signal handlers: if the interrupted code was using a stream itself, its contents may be written twice, in
/// part, or not at all.
///
/// Standard output is first, if no other thread is using it and it is a file; then all streams, for [`FLUSH_SECONDS`]
/// at most: a thread that waits for ever may hold a lock, and a stream may be written by a function of the program,
/// which cannot run.
pub(crate) fn end_at_once(status: u8) -> ! {
    static STATUS: AtomicU8 = AtomicU8::new(0);
    extern "C" fn on_alarm(_: libc::c_int) {
        // SAFETY: ends the process.
        unsafe { libc::_exit(STATUS.load(Ordering::Relaxed).into()) }
    }
    STATUS.store(status, Ordering::Relaxed);
    // The lock is not released, since no code of this process runs after `_exit`.
    lock_and_flush();
    // SAFETY: the handler of the alarm ends the process and touches nothing else.
    unsafe {
        let mut alarm = std::mem::MaybeUninit::uninit();
        libc::sigemptyset(alarm.as_mut_ptr());
        libc::sigaddset(alarm.as_mut_ptr(), libc::SIGALRM);
        libc::signal(libc::SIGALRM, on_alarm as *const () as libc::sighandler_t);
        libc::pthread_sigmask(libc::SIG_UNBLOCK, alarm.as_ptr(), std::ptr::null_mut());
        libc::alarm(FLUSH_SECONDS);
        libc::fflush(std::ptr::null_mut());
        libc::_exit(status.into())
    }
}

/// Makes C's `abort` write out standard output, and end the process with a trap's status: 134. By itself it drops the
/// output. For tools; a library leaves signals to its host.
#[cfg(feature = "cli")]
pub(crate) fn flush_on_abort() {
    extern "C" fn on_abort(_: libc::c_int) {
        end_at_once(134)
    }
    // SAFETY: the handler ends the process and touches nothing of the interrupted code but the stream; see
    // `end_at_once`.
    unsafe { libc::signal(libc::SIGABRT, on_abort as *const () as libc::sighandler_t) };
}

/// A function that is called once.
#[cfg(feature = "cli")]
type ExitAction = Box<dyn FnOnce() + Send>;

/// Calls a function when the program leaves by C's `exit` or `_exit`, in the first process only: on a thread of its
/// own, since the leaving thread may have little of its stack left. A later call replaces the function. For tools.
#[cfg(feature = "cli")]
pub(crate) fn on_exit(work: ExitAction) {
    *EXIT_WORK.lock().unwrap_or_else(|e| e.into_inner()) = Some((std::process::id(), work));
    extern "C" fn at_exit() {
        do_exit_work();
    }
    // SAFETY: the function lives as long as the process, and no panic leaves it.
    unsafe { libc::atexit(at_exit) };
}

/// The function for [`on_exit`], with the process that calls it.
#[cfg(feature = "cli")]
static EXIT_WORK: std::sync::Mutex<Option<(u32, ExitAction)>> = std::sync::Mutex::new(None);

#[cfg(feature = "cli")]
fn do_exit_work() {
    let work = EXIT_WORK.lock().unwrap_or_else(|e| e.into_inner()).take();
    if let Some((process, work)) = work
        && process == std::process::id()
    {
        // The thread has reported its failure.
        let _ = std::thread::spawn(work).join();
    }
}

/// Makes programs that leave by `_exit` write out C's streams, as all others do. A process that the program forked does
/// not: it has a copy of the first one's contents. For tools.
#[cfg(feature = "cli")]
pub(crate) fn flush_on_exit_at_once(host: &mut HostSymbols) {
    use std::sync::atomic::AtomicI32;
    static FIRST_PROCESS: AtomicI32 = AtomicI32::new(0);
    extern "C" fn exit_at_once(status: libc::c_int) -> ! {
        // SAFETY: these have no precondition.
        unsafe {
            if FIRST_PROCESS.load(Ordering::Relaxed) == libc::getpid() {
                do_exit_work();
                end_at_once(status as u8);
            }
            libc::_exit(status)
        }
    }
    // SAFETY: the function ends the process, like the functions that it replaces.
    unsafe {
        FIRST_PROCESS.store(libc::getpid(), Ordering::Relaxed);
        for name in ["_exit", "_Exit"] {
            host.define(name.as_bytes(), exit_at_once as *const () as u64);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_libc_and_libm_and_names_missing_symbols() {
        let symbols = HostSymbols::new(&[]).unwrap();
        for name in ["malloc", "printf", "stdout", "cos", "fma", "atexit"] {
            assert!(symbols.lookup(name.as_bytes()).is_some(), "{name}");
        }
        assert_eq!(symbols.lookup(b"no_such_symbol_anywhere"), None);
        assert_eq!(symbols.lookup(b"with\0nul"), None);
        assert!(HostSymbols::new(&["no_such_library"]).unwrap_err().contains("libno_such_library.so"));
    }
}

//! Exceptions of C++ and panics of Rust that no frame inside of a guarded call catches: they end the call as a trap.
//!
//! [`NativeCall`](super::native_call::NativeCall) makes the frame that is next to the called code, and that frame has
//! the [`personality`] here:
//!
//! 1. The unwinder searches for a handler, and reaches the frame if there is none inside. All frames are still there:
//!    [`note`] walks through them for the position in compiled code and the waiting calls.
//! 2. The frame takes the exception, so that the unwinder runs the destructors of the frames inside, and then resumes
//!    at [`landing`], which returns from the call.
//! 3. [`dispose`] frees the exception, or returns the payload of a panic.
//!
//! Unwinding that C forces (`pthread_exit`, cancellation) ends at the same frame, since the frames of Rust around it
//! are not to be unwound: C then leaves the thread by itself.
//!
//! Source: "Itanium C++ ABI: Exception Handling", level I; libgcc, `unwind.inc`.

#![expect(unsafe_code, reason = "is called by the unwinder, and frees what C++ allocated")]

use super::code::{Caught, CompiledCode, Site};
use super::guard::CURRENT;
use super::waiting_calls::WaitingCalls;
use lir_syntax::semantics::Trap;
use std::any::Any;
use std::arch::naked_asm;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// An exception in the unwinder's representation. Its first word is the class.
pub(super) type Exception = u64;
/// A state of the unwinder: a frame.
type Context = *mut libc::c_void;

/// The class of panics of Rust, whose library writes it as bytes.
const RUST_CLASS: u64 = u64::from_ne_bytes(*b"MOZ\0RUST");
/// The middle of the class of C++ exceptions, which is a number: it follows `GNUC` or `CLNG`.
const CPP_CLASS: u64 = u64::from_be_bytes(*b"\0\0\0\0C++\0") >> 8;

/// The offset of the exception in the record of a call, [`NativeCall`](super::native_call::NativeCall).
pub(super) const THROWN: usize = 272;

// Answers of a personality, and of the function that a walk calls.
const NO_REASON: libc::c_int = 0;
const END_OF_STACK: libc::c_int = 5;
const HANDLER_FOUND: libc::c_int = 6;
const INSTALL_CONTEXT: libc::c_int = 7;
const CONTINUE_UNWIND: libc::c_int = 8;
// Bits of the question to a personality.
const SEARCH_PHASE: libc::c_int = 1;
const HANDLER_FRAME: libc::c_int = 4;
const FORCE_UNWIND: libc::c_int = 8;
// Registers as DWARF numbers them.
const RAX: libc::c_int = 0;
const RBP: libc::c_int = 6;

type Visit = extern "C" fn(Context, *mut libc::c_void) -> libc::c_int;

unsafe extern "C" {
    fn _Unwind_GetCFA(context: Context) -> u64;
    fn _Unwind_GetGR(context: Context, register: libc::c_int) -> u64;
    fn _Unwind_GetIP(context: Context) -> u64;
    fn _Unwind_SetGR(context: Context, register: libc::c_int, value: u64);
    fn _Unwind_SetIP(context: Context, address: u64);
    fn _Unwind_Backtrace(visit: Visit, data: *mut libc::c_void) -> libc::c_int;
    fn _Unwind_DeleteException(exception: *mut Exception);
}

unsafe extern "C-unwind" {
    fn _Unwind_RaiseException(exception: *mut Exception) -> libc::c_int;
}

/// Answers the unwinder that is at the frame of a call.
///
/// # Safety
/// Called by the unwinder, in the frame of `trampoline`.
pub(super) unsafe extern "C" fn personality(
    _version: libc::c_int,
    actions: libc::c_int,
    _class: u64,
    exception: *mut Exception,
    context: Context,
) -> libc::c_int {
    // SAFETY: the context belongs to the frame, whose rbp has the word before the return address. Forced unwinding
    // leaves the frame for good, so only the unwinder uses the return address; it ends at a zero.
    unsafe {
        if actions & FORCE_UNWIND != 0 {
            let return_address = _Unwind_GetGR(context, RBP) + 8;
            (return_address as *mut u64).write_volatile(0);
            return CONTINUE_UNWIND;
        }
        if actions & SEARCH_PHASE != 0 {
            return if note(_Unwind_GetCFA(context)) { HANDLER_FOUND } else { CONTINUE_UNWIND };
        }
        if actions & HANDLER_FRAME == 0 {
            return CONTINUE_UNWIND;
        }
        _Unwind_SetGR(context, RAX, exception as u64);
        _Unwind_SetIP(context, landing as *const () as u64);
        INSTALL_CONTEXT
    }
}

/// Returns from the call whose frame took the exception in rax. The registers are those after the call.
#[unsafe(naked)]
unsafe extern "C" fn landing() {
    naked_asm!(
        "mov [rbx + {thrown}], rax",
        "lea rsp, [rbp - 8]",
        "pop rbx",
        "pop rbp",
        "ret",
        thrown = const THROWN,
    )
}

/// A walk from the place where an exception was thrown to the frame that takes it.
struct Walk<'c> {
    code: &'c dyn CompiledCode,
    /// The CFA of that frame.
    end: u64,
    /// The innermost return address into compiled code.
    site: Option<Site>,
    callers: WaitingCalls,
    /// True if the frame before was of C.
    is_of_c: bool,
}

/// Notes in the guard of this thread that an exception ends the call whose frame has this CFA. False without a guard.
fn note(end: u64) -> bool {
    // SAFETY: the guard belongs to a `run` of this thread that is below; nothing else uses it now.
    let Some(guard) = (unsafe { CURRENT.get().as_mut() }) else { return false };
    let caught = |site, left| Some(Caught { trap: Trap::Exception, site, outside: true, left });
    // SAFETY: the code lives longer than the run.
    let Some(code) = (unsafe { guard.code.as_ref() }) else {
        // The interpreter knows its position at the call of C.
        guard.caught = caught(Site::At(0), false);
        return true;
    };
    let mut walk = Walk { code: &**code, end, site: None, callers: WaitingCalls::none(), is_of_c: true };
    // SAFETY: the function gets the argument that it expects, and the walk ends at a frame that exists.
    unsafe { _Unwind_Backtrace(visit, (&raw mut walk).cast()) };
    guard.caught = caught(walk.site.unwrap_or(Site::Entry(guard.entry)), walk.site.is_none());
    guard.callers = walk.callers;
    true
}

/// Looks at a frame of a walk.
extern "C" fn visit(context: Context, walk: *mut libc::c_void) -> libc::c_int {
    // SAFETY: `note` gave the walk, and the unwinder the context.
    let (walk, ip, cfa) = unsafe { (&mut *walk.cast::<Walk<'_>>(), _Unwind_GetIP(context), _Unwind_GetCFA(context)) };
    if cfa == walk.end {
        return END_OF_STACK;
    }
    let is_compiled = walk.code.is_return_address(ip);
    if is_compiled {
        match walk.site {
            None => walk.site = Some(Site::Before(ip)),
            Some(_) => walk.callers.push(ip, walk.is_of_c),
        }
    }
    walk.is_of_c = !is_compiled;
    NO_REASON
}

/// Frees an exception that ended a call, or returns the payload of a panic.
///
/// # Safety
/// The exception is one that [`landing`] kept, and nothing else has it.
pub(super) unsafe fn dispose(exception: *mut Exception) -> Option<Box<dyn Any + Send>> {
    // SAFETY: promised by the caller. A panic that is raised again is caught at once; one that was made by another copy
    // of Rust's library ends the process there, as anywhere in Rust. A handler of C++ takes the unwinder's exception.
    unsafe {
        match exception.read() {
            RUST_CLASS => catch_unwind(AssertUnwindSafe(|| _ = _Unwind_RaiseException(exception))).err(),
            class => {
                let handler = if class >> 8 & 0xff_ffff == CPP_CLASS { CppHandler::find() } else { None };
                match handler {
                    Some(CppHandler { begin, end }) => {
                        begin(exception.cast());
                        end();
                    }
                    None => _Unwind_DeleteException(exception),
                }
                None
            }
        }
    }
}

/// `__cxa_begin_catch`: takes the exception.
type BeginCatch = unsafe extern "C" fn(*mut libc::c_void) -> *mut libc::c_void;
/// `__cxa_end_catch`: frees it.
type EndCatch = unsafe extern "C" fn();

/// The functions of C++'s library that begin and end a handler. They count the exceptions that are not yet caught, and
/// free the exception.
struct CppHandler {
    begin: BeginCatch,
    end: EndCatch,
}

impl CppHandler {
    /// Finds the functions, if the process has them.
    fn find() -> Option<CppHandler> {
        let [begin, end] = [c"__cxa_begin_catch", c"__cxa_end_catch"].map(|name| {
            // SAFETY: the name ends in NUL.
            unsafe { libc::dlsym(libc::RTLD_DEFAULT, name.as_ptr()) }
        });
        if begin.is_null() || end.is_null() {
            return None;
        }
        // SAFETY: the types are as in the C++ ABI.
        Some(unsafe {
            CppHandler {
                begin: std::mem::transmute::<*mut libc::c_void, BeginCatch>(begin),
                end: std::mem::transmute::<*mut libc::c_void, EndCatch>(end),
            }
        })
    }
}

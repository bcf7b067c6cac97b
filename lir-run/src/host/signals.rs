//! Installs handlers for the signals by which the hardware reports traps, next to the handlers of the host.
//!
//! They are installed with the first module that can run and removed with the last. A signal that is not a trap of
//! compiled code is passed to the previously installed handler, which is called as the kernel would have called it.
//!
//! A host may install handlers of its own afterwards, and well-behaved handlers pass unknown signals on to ours. In
//! that case ours cannot be removed: they stay as links of a chain. If handlers are then installed again, on top of a
//! chain that already has one of ours, each must know its own predecessor. So there are several handlers for a signal
//! ([`LAYERS`]), and a handler that stayed in a chain is not used again.
//!
//! An interpreted program may install handlers, too: [`ProgramSignal`] is a signal that they receive.

#![expect(unsafe_code, reason = "installs handlers of signals, and hands on to others")]

use super::code::Fault;
use super::explain::SI_KERNEL;
use super::guarded_call::catch;
use super::{guard, other_threads, stacks};
use std::cell::UnsafeCell;
use std::io;
use std::mem::MaybeUninit;
use std::ptr::null_mut;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard};

const SIGNALS: [libc::c_int; 5] = [libc::SIGSEGV, libc::SIGBUS, libc::SIGFPE, libc::SIGILL, libc::SIGTRAP];
/// Number of times that a handler can stay in a chain. After that no more are installed, and the host must call one
/// that is in the chain.
const LAYERS: usize = 4;

type Action = extern "C" fn(libc::c_int, *mut libc::siginfo_t, *mut libc::c_void);
const HANDLERS: [Action; LAYERS] = [on_signal::<0>, on_signal::<1>, on_signal::<2>, on_signal::<3>];

/// The previously installed handler, to which a handler of ours passes signals on.
struct Previous {
    action: UnsafeCell<MaybeUninit<libc::sigaction>>,
    /// True if it was to be called only once (`SA_RESETHAND`), and has been called.
    spent: AtomicBool,
}

// SAFETY: the action is written under the mutex before the handler that reads it is installed, and not while it is.
unsafe impl Sync for Previous {}

static PREVIOUS: [[Previous; SIGNALS.len()]; LAYERS] = [const {
    [const { Previous { action: UnsafeCell::new(MaybeUninit::uninit()), spent: AtomicBool::new(false) } };
        SIGNALS.len()]
}; LAYERS];

#[derive(Default)]
struct InstalledHandlers {
    /// Number of tokens ([`Handlers`]).
    users: usize,
    /// By signal, the number of handlers that stayed in a chain.
    left: [usize; SIGNALS.len()],
    /// By signal, the layer of the handler that is installed.
    installed: [Option<usize>; SIGNALS.len()],
}

static INSTALLED: Mutex<InstalledHandlers> =
    Mutex::new(InstalledHandlers { users: 0, left: [0; SIGNALS.len()], installed: [None; SIGNALS.len()] });

fn installed() -> MutexGuard<'static, InstalledHandlers> {
    INSTALLED.lock().unwrap_or_else(|e| e.into_inner())
}

/// A token: the handlers are installed as long as one exists.
#[derive(Debug)]
pub(crate) struct Handlers(());

impl Handlers {
    /// Makes sure that the handlers are installed.
    ///
    /// # Errors
    /// The system refuses.
    pub(crate) fn install() -> io::Result<Handlers> {
        let mut installed = installed();
        if installed.users == 0 {
            for k in 0..SIGNALS.len() {
                installed.install(k)?;
            }
        }
        installed.users += 1;
        Ok(Handlers(()))
    }
}

impl Drop for Handlers {
    fn drop(&mut self) {
        let mut installed = installed();
        installed.users -= 1;
        if installed.users == 0 {
            (0..SIGNALS.len()).for_each(|k| installed.remove(k));
            if !guard::is_active() {
                stacks::free_stacks();
            }
        }
    }
}

impl InstalledHandlers {
    fn install(&mut self, k: usize) -> io::Result<()> {
        let present = exchange(SIGNALS[k], None)?;
        let known = HANDLERS.iter().position(|h| present.sa_sigaction == *h as usize);
        // If a host has removed its handler from the chain, ours is on top of the chain already.
        if known.is_some() || self.left[k] == LAYERS {
            self.installed[k] = known;
            return Ok(());
        }
        let layer = self.left[k];
        let previous = &PREVIOUS[layer][k];
        // SAFETY: this handler is not installed, and the mutex is held.
        unsafe { (*previous.action.get()).write(present) };
        previous.spent.store(false, Ordering::Relaxed);
        // SAFETY: all zero is an action with an empty mask.
        let mut action: libc::sigaction = unsafe { std::mem::zeroed() };
        action.sa_sigaction = HANDLERS[layer] as usize;
        action.sa_flags = libc::SA_SIGINFO | libc::SA_ONSTACK | libc::SA_NODEFER;
        exchange(SIGNALS[k], Some(&action))?;
        self.installed[k] = Some(layer);
        Ok(())
    }
    fn remove(&mut self, k: usize) {
        let Some(layer) = self.installed[k].take() else { return };
        let Ok(present) = exchange(SIGNALS[k], None) else { return };
        if present.sa_sigaction != HANDLERS[layer] as usize {
            self.left[k] = self.left[k].max(layer + 1);
            return;
        }
        // SAFETY: the handler was installed, so its predecessor is known; the mutex is held.
        let previous = unsafe { (*PREVIOUS[layer][k].action.get()).assume_init_ref() };
        // Nothing can be done if this fails: our handler stays, and passes all signals on.
        let _ = exchange(SIGNALS[k], Some(previous));
    }
}

/// Returns the action of a signal, and sets a new action if one is given.
fn exchange(signal: libc::c_int, action: Option<&libc::sigaction>) -> io::Result<libc::sigaction> {
    let mut old = MaybeUninit::uninit();
    let new = action.map_or(std::ptr::null(), std::ptr::from_ref);
    // SAFETY: `new` is null or a complete action; there is memory for the old one.
    unsafe {
        match libc::sigaction(signal, new, old.as_mut_ptr()) {
            0 => Ok(old.assume_init()),
            _ => Err(io::Error::last_os_error()),
        }
    }
}

/// The handler of a layer. Nothing in it allocates, locks or panics.
extern "C" fn on_signal<const LAYER: usize>(
    signal: libc::c_int,
    info: *mut libc::siginfo_t,
    context: *mut libc::c_void,
) {
    // SAFETY: the kernel, or a handler that passes signals on, gives valid pointers to a handler with SA_SIGINFO, and
    // the third one is a `ucontext_t`. errno is the thread's own.
    unsafe {
        let errno = *libc::__errno_location();
        let registers = &raw mut (*context.cast::<libc::ucontext_t>()).uc_mcontext.gregs;
        let fault = Fault { signal, code: (*info).si_code, address: (*info).si_addr() as u64, registers };
        // A code above 0 means that the kernel made the signal; otherwise a process sent it.
        if fault.code <= 0 {
            forward::<LAYER>(signal, info, context);
            // Handlers that do not know a signal, such as Rust's own, set the default action and rely on the fault to
            // occur again. A signal that a process sent does not occur again, so it is raised here.
            if exchange(signal, None).is_ok_and(|present| present.sa_sigaction == libc::SIG_DFL) {
                libc::raise(signal);
            }
        } else if guard::is_active() {
            if !catch(&fault) {
                forward::<LAYER>(signal, info, context);
            }
        } else {
            other_threads::end_if_of_tool(&fault);
            forward::<LAYER>(signal, info, context);
        }
        *libc::__errno_location() = errno;
    }
}

/// A signal that is received by a handler of the program, which replaced ours.
pub(crate) struct ProgramSignal {
    pub(crate) number: libc::c_int,
    /// The system's information about the signal, if the handler has SA_SIGINFO.
    info: Option<*mut libc::siginfo_t>,
    registers: *mut [i64; 23],
}

impl ProgramSignal {
    /// Describes the signal that a handler received. None if there is no such signal.
    ///
    /// # Safety
    /// `info` and `context` are the arguments that the system gave to the handler, which is being executed.
    pub(crate) unsafe fn new(
        number: libc::c_int,
        info: *mut libc::siginfo_t,
        context: *mut libc::c_void,
    ) -> Option<ProgramSignal> {
        let flags = exchange(number, None).ok()?.sa_flags;
        // SAFETY: the context is a `ucontext_t`.
        let registers = unsafe { &raw mut (*context.cast::<libc::ucontext_t>()).uc_mcontext.gregs };
        Some(ProgramSignal { number, info: (flags & libc::SA_SIGINFO != 0).then_some(info), registers })
    }
    /// Returns a register of the interrupted code, by its number in `ucontext_t`.
    pub(crate) fn register(&self, number: libc::c_int) -> i64 {
        // SAFETY: the handler is being executed, and only it has access to the registers.
        unsafe { (*self.registers)[number as usize] }
    }
    /// True if the interrupted instruction caused the signal; false if a process sent it.
    pub(crate) fn is_fault(&self) -> bool {
        if !SIGNALS.contains(&self.number) {
            return false;
        }
        match self.info {
            // SAFETY: as above.
            Some(info) => unsafe { (*info).si_code > 0 },
            // Without the information, only the number of the last processor exception is known.
            None => exceptions_of(self.number).contains(&self.register(libc::REG_TRAPNO)),
        }
    }
    /// Sends the signal to another thread of this process, by its number. Returns false if there is no such thread.
    pub(crate) fn send_to(&self, thread: u64) -> bool {
        // SAFETY: the system checks the arguments; its information about the signal is still valid.
        let status = unsafe {
            match self.info {
                Some(info) => {
                    libc::syscall(libc::SYS_rt_tgsigqueueinfo, libc::getpid(), thread as libc::pid_t, self.number, info)
                }
                None => libc::syscall(libc::SYS_tgkill, libc::getpid(), thread as libc::pid_t, self.number),
            }
        };
        status == 0
    }
    /// Catches a fault of guarded code as our own handlers would have. For another fault, sets the default action,
    /// which is taken when the fault occurs again.
    pub(crate) fn catch(&self) {
        // SAFETY: as above.
        let code = self.info.map_or(SI_KERNEL, |info| unsafe { (*info).si_code });
        let address = self.register(libc::REG_CR2) as u64;
        let fault = Fault { signal: self.number, code, address, registers: self.registers };
        if !guard::is_active() || !catch(&fault) {
            set_default(self.number);
        }
    }
}

/// Returns the numbers of the processor exceptions that Linux reports by this signal.
fn exceptions_of(signal: libc::c_int) -> &'static [i64] {
    match signal {
        libc::SIGSEGV => &[4, 5, 10, 13, 14],
        libc::SIGBUS => &[11, 12, 14, 17],
        libc::SIGFPE => &[0, 16, 19],
        libc::SIGILL => &[6],
        libc::SIGTRAP => &[1, 3],
        _ => &[],
    }
}

/// Passes a signal on to the previously installed handler.
///
/// # Safety
/// The arguments are a signal handler's.
unsafe fn forward<const LAYER: usize>(signal: libc::c_int, info: *mut libc::siginfo_t, context: *mut libc::c_void) {
    let Some(k) = SIGNALS.iter().position(|s| *s == signal) else { return };
    let previous = &PREVIOUS[LAYER][k];
    // SAFETY: this handler was installed after its predecessor was stored. The predecessor is called as its flags
    // demand, while the signals in its mask are blocked. The default action is set so that it is taken when a fault
    // occurs again.
    unsafe {
        let action = (*previous.action.get()).assume_init_ref();
        let sent = (*info).si_code <= 0;
        let once = action.sa_flags & libc::SA_RESETHAND != 0;
        let spent = once && previous.spent.swap(true, Ordering::Relaxed);
        match action.sa_sigaction {
            libc::SIG_IGN if sent => {}
            _ if spent => set_default(signal),
            libc::SIG_DFL | libc::SIG_IGN => set_default(signal),
            handler => {
                let _blocked = Blocked::by(signal, action);
                if action.sa_flags & libc::SA_SIGINFO != 0 {
                    std::mem::transmute::<usize, Action>(handler)(signal, info, context);
                } else {
                    std::mem::transmute::<usize, extern "C" fn(libc::c_int)>(handler)(signal);
                }
            }
        }
    }
}

/// Blocks, as long as it lives, the signals that an action wants blocked while its handler runs.
pub(crate) struct Blocked {
    before: libc::sigset_t,
}

impl Blocked {
    /// Blocks signals for a handler of this signal that is not called by the system itself.
    pub(crate) fn while_handling(signal: libc::c_int) -> io::Result<Blocked> {
        exchange(signal, None).map(|action| Blocked::by(signal, &action))
    }
    fn by(signal: libc::c_int, action: &libc::sigaction) -> Blocked {
        let mut blocked = action.sa_mask;
        let mut before = MaybeUninit::uninit();
        // SAFETY: the sets are complete, and there is memory for the former one, which the call fills.
        unsafe {
            if action.sa_flags & libc::SA_NODEFER == 0 {
                libc::sigaddset(&mut blocked, signal);
            }
            libc::pthread_sigmask(libc::SIG_BLOCK, &blocked, before.as_mut_ptr());
            Blocked { before: before.assume_init() }
        }
    }
}

impl Drop for Blocked {
    fn drop(&mut self) {
        // SAFETY: the set was filled by the system.
        unsafe { libc::pthread_sigmask(libc::SIG_SETMASK, &self.before, null_mut()) };
    }
}

/// Sets the default action of a signal. The action is taken when the instruction faults again; an `int3` does not, so
/// its signal is raised.
fn set_default(signal: libc::c_int) {
    // SAFETY: all zero is the default action with an empty mask.
    let default = unsafe { std::mem::zeroed::<libc::sigaction>() };
    // A failure cannot be reported.
    let _ = exchange(signal, Some(&default));
    if signal == libc::SIGTRAP {
        // SAFETY: this has no precondition.
        unsafe { libc::raise(signal) };
    }
}

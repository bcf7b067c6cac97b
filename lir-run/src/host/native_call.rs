//! Calls between Rust and System V code with signatures known at run time.
//!
//! [`NativeCall`] is an outgoing call: it loads argument registers and stack words, calls an address, and keeps the
//! results. The interpreter calls C with it and the JIT calls compiled functions. [`Thunks`] are for incoming calls:
//! small pieces of machine code, one for each LIR function of the interpreter, that give the function an address which
//! C can call. Each saves the argument registers and passes them to one Rust function with the number of the thunk.
//!
//! [`lir_syntax::abi`] assigns values to registers; here are only registers and words. No exception passes through
//! these frames: an exception that reaches an outgoing call ends it ([`exceptions`](super::exceptions)), and thunks
//! have no call frame information.
//!
//! Source: H. J. Lu et al., "System V Application Binary Interface, AMD64 Architecture Processor Supplement", 3.2.

#![expect(unsafe_code, reason = "calls code by its address, and is called by it")]

use super::exceptions::{THROWN, personality};
use crate::host::region::{Access, Region};
use std::arch::naked_asm;
use std::io;

/// An outgoing call: arguments before, results after.
#[repr(C)]
#[derive(Clone, Debug)]
pub struct NativeCall<'a> {
    /// rdi, rsi, rdx, rcx, r8, r9.
    pub gpr: [u64; 6],
    /// xmm0 to xmm7.
    pub xmm: [u128; 8],
    /// The value of rax. An environment, or an upper bound of the vector registers used, which variadic callees read.
    pub rax_before: u64,
    /// The code to call.
    pub target: u64,
    stack: *const u64,
    stack_words: u64,
    stack_align: u64,
    /// After the call: rax.
    pub rax: u64,
    /// After the call: rdx.
    pub rdx: u64,
    /// After the call: xmm0 and xmm1.
    pub xmm_results: [u128; 2],
    /// After the call: the exception that ended it, or 0. If there is one, the other fields are unchanged.
    pub(super) thrown: u64,
    words: std::marker::PhantomData<&'a [u64]>,
}

/// The most bytes of stack arguments that a call may have.
pub const MAX_STACK_ARGS: u64 = 1 << 20;

impl<'a> NativeCall<'a> {
    /// Returns a call of the code at `target` with these words on the stack. The first is at an address that is a
    /// multiple of `stack_align` bytes (a power of two, at least 16); registers are zero.
    ///
    /// # Panics
    /// The words are more than [`MAX_STACK_ARGS`] bytes.
    pub fn new(target: u64, stack: &'a [u64], stack_align: u64) -> NativeCall<'a> {
        assert!(stack.len() as u64 * 8 <= MAX_STACK_ARGS, "too many stack arguments for a call");
        NativeCall {
            gpr: [0; 6],
            xmm: [0; 8],
            rax_before: 0,
            target,
            stack: stack.as_ptr(),
            stack_words: stack.len() as u64,
            stack_align: stack_align.max(16),
            rax: 0,
            rdx: 0,
            xmm_results: [0; 2],
            thrown: 0,
            words: std::marker::PhantomData,
        }
    }

    /// Makes the call.
    ///
    /// # Safety
    /// `target` must be code of the System V ABI that takes these arguments, and its accesses to the memory that they
    /// point to must not break assumptions of the Rust code around.
    pub unsafe fn invoke(&mut self) {
        // SAFETY: `trampoline` reads and writes the fields of the struct at these offsets (checked by the assertions
        // below) and the stack words, which the lifetime keeps alive; the rest is promised by the caller.
        unsafe { trampoline(self) }
    }
}

const _: () = {
    use std::mem::offset_of;
    assert!(offset_of!(NativeCall, gpr) == 0);
    assert!(offset_of!(NativeCall, xmm) == 48);
    assert!(offset_of!(NativeCall, rax_before) == 176);
    assert!(offset_of!(NativeCall, target) == 184);
    assert!(offset_of!(NativeCall, stack) == 192);
    assert!(offset_of!(NativeCall, stack_words) == 200);
    assert!(offset_of!(NativeCall, stack_align) == 208);
    assert!(offset_of!(NativeCall, rax) == 216);
    assert!(offset_of!(NativeCall, rdx) == 224);
    assert!(offset_of!(NativeCall, xmm_results) == 240);
    assert!(offset_of!(NativeCall, thrown) == THROWN);
};

/// Loads registers and stack from the struct in rdi, calls, and stores the results. Exceptions must not unwind beyond
/// this frame.
#[unsafe(naked)]
unsafe extern "C" fn trampoline(call: *mut NativeCall<'_>) {
    naked_asm!(
        ".cfi_startproc",
        ".cfi_personality 0x1b, {personality}",
        "push rbp",
        ".cfi_def_cfa_offset 16",
        ".cfi_offset rbp, -16",
        "mov rbp, rsp",
        ".cfi_def_cfa_register rbp",
        "push rbx",
        ".cfi_offset rbx, -24",
        "push rbx", // a second time for alignment
        "mov rbx, rdi",
        // rsp -= 8 * words, down to a multiple of the alignment.
        "mov rcx, [rbx + 200]",
        "lea rax, [rcx*8]",
        "sub rsp, rax",
        "mov rax, [rbx + 208]",
        "neg rax",
        "and rsp, rax",
        "mov rsi, [rbx + 192]",
        "mov rdi, rsp",
        "rep movsq",
        "movups xmm0, [rbx + 48]",
        "movups xmm1, [rbx + 64]",
        "movups xmm2, [rbx + 80]",
        "movups xmm3, [rbx + 96]",
        "movups xmm4, [rbx + 112]",
        "movups xmm5, [rbx + 128]",
        "movups xmm6, [rbx + 144]",
        "movups xmm7, [rbx + 160]",
        "mov rdi, [rbx]",
        "mov rsi, [rbx + 8]",
        "mov rdx, [rbx + 16]",
        "mov rcx, [rbx + 24]",
        "mov r8, [rbx + 32]",
        "mov r9, [rbx + 40]",
        "mov rax, [rbx + 176]",
        "call [rbx + 184]",
        "mov [rbx + 216], rax",
        "mov [rbx + 224], rdx",
        "movups [rbx + 240], xmm0",
        "movups [rbx + 256], xmm1",
        "lea rsp, [rbp - 8]",
        "pop rbx",
        ".cfi_restore rbx",
        "pop rbp",
        ".cfi_restore rbp",
        ".cfi_def_cfa rsp, 8",
        "ret",
        ".cfi_endproc",
        personality = sym personality,
    )
}

/// An incoming call, as a thunk saved it: the handler reads the arguments and writes the results.
#[repr(C)]
#[derive(Debug)]
pub struct IncomingCall {
    /// rdi, rsi, rdx, rcx, r8, r9.
    pub gpr: [u64; 6],
    /// xmm0 to xmm7.
    pub xmm: [u128; 8],
    /// The number of the thunk that was called.
    pub thunk: u32,
    /// The tag of its table.
    pub tag: u32,
    /// The address of the first stack argument.
    pub stack: u64,
    /// The caller's rax: the environment of a function that has one.
    pub rax_before: u64,
    /// To return: rax. 0 at first, as the other results.
    pub rax: u64,
    /// To return: rdx.
    pub rdx: u64,
    /// To return: xmm0 and xmm1.
    pub xmm_results: [u128; 2],
}

const _: () = {
    use std::mem::offset_of;
    assert!(offset_of!(IncomingCall, xmm) == 48);
    assert!(offset_of!(IncomingCall, thunk) == 176);
    assert!(offset_of!(IncomingCall, tag) == 180);
    assert!(offset_of!(IncomingCall, stack) == 184);
    assert!(offset_of!(IncomingCall, rax_before) == 192);
    assert!(offset_of!(IncomingCall, rax) == 200);
    assert!(offset_of!(IncomingCall, rdx) == 208);
    assert!(offset_of!(IncomingCall, xmm_results) == 224);
    assert!(size_of::<IncomingCall>() == 256);
};

/// The function that a thunk calls.
pub type Handler = extern "C" fn(&mut IncomingCall);

/// Handles an incoming call through a thunk. Its number and tag are in r11, the handler is in r10. The code saves the
/// arguments, calls the handler, and returns its results.
#[unsafe(naked)]
unsafe extern "C" fn thunk_entry() {
    naked_asm!(
        "push rbp",
        "mov rbp, rsp",
        "sub rsp, 256",
        "mov [rsp], rdi",
        "mov [rsp + 8], rsi",
        "mov [rsp + 16], rdx",
        "mov [rsp + 24], rcx",
        "mov [rsp + 32], r8",
        "mov [rsp + 40], r9",
        "movaps [rsp + 48], xmm0",
        "movaps [rsp + 64], xmm1",
        "movaps [rsp + 80], xmm2",
        "movaps [rsp + 96], xmm3",
        "movaps [rsp + 112], xmm4",
        "movaps [rsp + 128], xmm5",
        "movaps [rsp + 144], xmm6",
        "movaps [rsp + 160], xmm7",
        "mov [rsp + 176], r11",
        "mov [rsp + 192], rax",
        "lea rax, [rbp + 16]",
        "mov [rsp + 184], rax",
        "xor eax, eax",
        "mov [rsp + 200], rax",
        "mov [rsp + 208], rax",
        "mov [rsp + 224], rax",
        "mov [rsp + 232], rax",
        "mov [rsp + 240], rax",
        "mov [rsp + 248], rax",
        "mov rdi, rsp",
        "call r10",
        "mov rax, [rsp + 200]",
        "mov rdx, [rsp + 208]",
        "movaps xmm0, [rsp + 224]",
        "movaps xmm1, [rsp + 240]",
        "leave",
        "ret",
    )
}

/// Executable memory with one thunk for each of a number of functions.
#[derive(Debug)]
pub struct Thunks {
    code: Option<Region>,
    count: usize,
}

/// Bytes from one thunk to the next.
const THUNK_SIZE: usize = 32;
/// The end of a thunk's last instruction.
const JUMP_END: usize = 26;

impl Thunks {
    /// Makes `count` thunks that call `handler` with their number and this tag. The handler finds their owner by the
    /// tag. The memory is never writable and executable at once; it is at this address of a page if that is free, or
    /// anywhere.
    ///
    /// # Errors
    /// The system cannot provide such memory.
    pub fn new(count: usize, tag: u32, handler: Handler, address: u64) -> io::Result<Thunks> {
        if count == 0 {
            return Ok(Thunks { code: None, count });
        }
        // All jump to the address that follows the last one: rax, which has an environment, is the caller's.
        let entry = count * THUNK_SIZE;
        let mut code = Region::near(address, entry + size_of::<u64>())?;
        code.write(entry, &(thunk_entry as *const () as u64).to_le_bytes());
        for k in 0..count {
            let to_entry = (entry - (k * THUNK_SIZE + JUMP_END)) as u32;
            let mut thunk = [0; THUNK_SIZE];
            thunk[..2].copy_from_slice(&[0x49, 0xbb]); // mov r11, k | tag << 32
            thunk[2..10].copy_from_slice(&(k as u64 | (tag as u64) << 32).to_le_bytes());
            thunk[10..12].copy_from_slice(&[0x49, 0xba]); // mov r10, handler
            thunk[12..20].copy_from_slice(&(handler as usize as u64).to_le_bytes());
            thunk[20..22].copy_from_slice(&[0xff, 0x25]); // jmp [rip + to_entry]
            thunk[22..JUMP_END].copy_from_slice(&to_entry.to_le_bytes());
            code.write(k * THUNK_SIZE, &thunk);
        }
        code.protect(0..code.len(), Access::Execute)?;
        Ok(Thunks { code: Some(code), count })
    }
    /// Returns the address of a thunk, by number.
    pub fn address(&self, k: usize) -> u64 {
        assert!(k < self.count, "no such thunk");
        let code = self.code.as_ref().expect("there are thunks");
        code.base() + (k * THUNK_SIZE) as u64
    }
    /// Returns the number of the thunk at an address.
    pub fn find(&self, address: u64) -> Option<usize> {
        let offset = address.checked_sub(self.code.as_ref()?.base())? as usize;
        (offset.is_multiple_of(THUNK_SIZE) && offset / THUNK_SIZE < self.count).then_some(offset / THUNK_SIZE)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    extern "C" fn sum(a: i64, x: f64, b: i64, c: i64, d: i64, e: i64, f: i64, on_stack: i64, y: f64) -> f64 {
        (a + 2 * b + 3 * c + 4 * d + 5 * e + 6 * f + 7 * on_stack) as f64 + x + y
    }

    #[test]
    fn arguments_reach_registers_and_stack() {
        let mut call = NativeCall::new(sum as *const () as u64, &[7], 16);
        call.gpr = [1, 2, 3, 4, 5, 6];
        call.xmm[..2].copy_from_slice(&[0.5f64, 0.25].map(|x| x.to_bits().into()));
        // SAFETY: `sum` takes these arguments.
        unsafe { call.invoke() };
        assert_eq!(f64::from_bits(call.xmm_results[0] as u64), 140.75);
    }

    extern "C" fn echo(call: &mut IncomingCall) {
        // SAFETY: the test below passes one stack argument.
        let on_stack = unsafe { *(call.stack as *const u64) };
        call.rax = call.gpr[5] + on_stack;
        call.rdx = (call.thunk + call.tag) as u64 + call.rax_before;
        call.xmm_results = [call.xmm[7], call.xmm[0]];
    }

    #[test]
    fn a_thunk_hands_over_registers_and_stack() {
        let thunks = Thunks::new(3, 40, echo, 0).unwrap();
        let mut call = NativeCall::new(thunks.address(2), &[30], 64);
        call.gpr = [0, 0, 0, 0, 0, 12];
        call.xmm = [1, 2, 3, 4, 5, 6, 7, 8 << 100];
        call.rax_before = 100;
        // SAFETY: the thunk's handler reads the arguments that are passed here.
        unsafe { call.invoke() };
        assert_eq!((call.rax, call.rdx, call.xmm_results), (42, 142, [8 << 100, 1]));
        assert_eq!(thunks.find(thunks.address(1)), Some(1));
        assert_eq!(thunks.find(thunks.address(1) + 1), None);
        assert_eq!(thunks.find(0), None);
    }

    /// A handler that does not execute the call.
    extern "C" fn refuse(_: &mut IncomingCall) {}

    #[test]
    fn a_call_that_is_not_executed_returns_zero() {
        let thunks = Thunks::new(1, 0, refuse, 0).unwrap();
        let mut call = NativeCall::new(thunks.address(0), &[], 16);
        (call.rax, call.rdx, call.xmm, call.rax_before) = (1, 2, [3; 8], 4);
        // SAFETY: the thunk's handler reads nothing.
        unsafe { call.invoke() };
        assert_eq!((call.rax, call.rdx, call.xmm_results), (0, 0, [0, 0]));
    }
}

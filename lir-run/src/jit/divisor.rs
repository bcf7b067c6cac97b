//! What a division that faulted divided by: the hardware has one fault for a divisor of 0 and for a quotient that does
//! not fit.
//!
//! Source: Intel SDM volume 2, chapter 2 (instruction format, ModR/M and SIB) and `DIV`, `IDIV`.

/// General registers by the numbers that encodings use, as indices into the saved registers.
const GREGS: [libc::c_int; 16] = [
    libc::REG_RAX,
    libc::REG_RCX,
    libc::REG_RDX,
    libc::REG_RBX,
    libc::REG_RSP,
    libc::REG_RBP,
    libc::REG_RSI,
    libc::REG_RDI,
    libc::REG_R8,
    libc::REG_R9,
    libc::REG_R10,
    libc::REG_R11,
    libc::REG_R12,
    libc::REG_R13,
    libc::REG_R14,
    libc::REG_R15,
];

/// Whether the `div` or `idiv` at `pc` has a divisor of 0. True for anything else that is there.
///
/// # Safety
/// `pc` must be the address of an instruction that just faulted, `registers` the registers at that moment.
pub(super) unsafe fn divisor_is_zero(pc: *const u8, registers: &[i64]) -> bool {
    // SAFETY: an instruction has at most 15 bytes, of which only those that belong to it are read.
    let byte = |k: usize| unsafe { *pc.add(k) };
    let (mut at, mut width, mut rex) = (0, 4, 0);
    if byte(at) == 0x66 {
        width = 2;
        at += 1;
    }
    if byte(at) & 0xf0 == 0x40 {
        rex = byte(at);
        at += 1;
    }
    match byte(at) {
        0xf6 => width = 1,
        0xf7 if rex & 8 != 0 => width = 8,
        0xf7 => {}
        _ => return true,
    }
    let modrm = byte(at + 1);
    let reg = |n: u8| registers[GREGS[n as usize] as usize] as u64;
    let rm = modrm & 7 | (rex & 1) << 3;
    let value = if modrm >> 6 == 3 {
        // spl to dil need a REX prefix; without one the numbers 4 to 7 are the second bytes.
        if width == 1 && rex == 0 && rm >= 4 { reg(rm - 4) >> 8 } else { reg(rm) }
    } else {
        // SAFETY: as for the function: the processor read the divisor at this address.
        unsafe { load(memory_operand(pc.add(at + 1), rex, reg, pc.add(at)), width) }
    };
    value & (u64::MAX >> (64 - 8 * width)) == 0
}

/// The address of the memory operand whose ModR/M byte is at `modrm`, of a one-byte opcode at `opcode` without an
/// immediate.
///
/// # Safety
/// The bytes of the instruction can be read.
unsafe fn memory_operand(modrm: *const u8, rex: u8, reg: impl Fn(u8) -> u64, opcode: *const u8) -> u64 {
    // SAFETY: only bytes of the instruction are read.
    let byte = |k: usize| unsafe { *modrm.add(k) };
    let disp32 = |k: usize| i32::from_le_bytes([byte(k), byte(k + 1), byte(k + 2), byte(k + 3)]) as i64;
    let (mode, rm) = (byte(0) >> 6, byte(0) & 7);
    let mut at = 1;
    let mut address = 0u64;
    let mut disp_only = false;
    if rm == 4 {
        let sib = byte(1);
        at = 2;
        let index = sib >> 3 & 7 | (rex & 2) << 2;
        if index != 4 {
            address = reg(index) << (sib >> 6);
        }
        let base = sib & 7 | (rex & 1) << 3;
        if sib & 7 == 5 && mode == 0 {
            disp_only = true;
        } else {
            address = address.wrapping_add(reg(base));
        }
    } else if rm == 5 && mode == 0 {
        // Relative to the next instruction: after the opcode, ModR/M and four bytes.
        return (opcode as u64 + 6).wrapping_add_signed(disp32(1));
    } else {
        address = reg(rm | (rex & 1) << 3);
    }
    match mode {
        1 => address.wrapping_add_signed(byte(at) as i8 as i64),
        2 => address.wrapping_add_signed(disp32(at)),
        _ if disp_only => address.wrapping_add_signed(disp32(at)),
        _ => address,
    }
}

/// # Safety
/// `width` bytes at the address can be read.
unsafe fn load(address: u64, width: usize) -> u64 {
    let mut bytes = [0; 8];
    // SAFETY: promised by the caller.
    unsafe { std::ptr::copy_nonoverlapping(address as *const u8, bytes.as_mut_ptr(), width) };
    u64::from_le_bytes(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Registers in which rcx is 0, r9 is 256, rdi the address of `cell`, others 1.
    fn registers(cell: &u64) -> [i64; 23] {
        let mut r = [1; 23];
        r[libc::REG_RCX as usize] = 0;
        r[libc::REG_R9 as usize] = 256;
        r[libc::REG_RDI as usize] = cell as *const u64 as i64;
        r
    }

    #[test]
    fn decodes_the_divisor() {
        let zero = 0u64;
        let one = 1u64 << 40;
        let is_zero = |code: &[u8], cell: &u64| {
            let mut padded = [0u8; 16];
            padded[..code.len()].copy_from_slice(code);
            // SAFETY: the bytes are an instruction whose memory operand, if any, is `cell`.
            unsafe { divisor_is_zero(padded.as_ptr(), &registers(cell)) }
        };
        assert!(is_zero(&[0xf7, 0xf9], &zero), "idiv ecx");
        assert!(!is_zero(&[0xf7, 0xfb], &zero), "idiv ebx");
        assert!(!is_zero(&[0x49, 0xf7, 0xf9], &zero), "idiv r9");
        assert!(is_zero(&[0x41, 0xf6, 0xf9], &zero), "idiv r9b: the low byte of 256");
        assert!(is_zero(&[0x48, 0xf7, 0x3f], &zero), "idiv qword [rdi]");
        assert!(!is_zero(&[0x48, 0xf7, 0x3f], &one), "idiv qword [rdi]");
        assert!(is_zero(&[0xf7, 0x3f], &one), "idiv dword [rdi]: the low half");
        assert!(!is_zero(&[0x48, 0xf7, 0x7c, 0x0f, 0x00], &one), "idiv qword [rdi + rcx + 0]");
        assert!(!is_zero(&[0x48, 0xf7, 0xbc, 0xcf, 0, 0, 0, 0], &one), "idiv qword [rdi + rcx*8 + 0]");
    }
}

//! Stubs: jumps through a table of addresses, for calls of functions farther away than 2 GiB.

use crate::host::region::Region;

/// A jump through an entry of the table: `jmp [rip + disp32]`.
const STUB: [u8; LEN] = [0xff, 0x25, 0, 0, 0, 0, 0xcc, 0xcc];
/// Bytes of a stub.
pub(super) const LEN: usize = 8;
/// Bytes of a stub's instruction.
const JUMP: usize = 6;

/// Writes `count` stubs, one after another, at an offset of a region, for the entries of the table at another offset.
pub(super) fn write(region: &mut Region, stubs: usize, table: usize, count: usize) {
    for k in 0..count {
        let at = stubs + k * LEN;
        let mut stub = STUB;
        // A region is smaller than 2 GiB.
        let distance = (table + 8 * k) as i32 - (at + JUMP) as i32;
        stub[2..JUMP].copy_from_slice(&distance.to_le_bytes());
        region.write(at, &stub);
    }
}

//! The C `va_list`, and the register save area that it points to.
//!
//! ```text
//! struct va_list {
//!     u32   gp_offset;           0  where the next integer register is in the save area
//!     u32   fp_offset;           4  where the next SSE register is
//!     void *overflow_arg_area;   8  the next argument on the stack
//!     void *reg_save_area;      16
//! };
//! ```
//!
//! The save area holds the six integer argument registers, then the eight SSE ones. An offset at the end of its part
//! means that no register is left.
//!
//! Source: System V ABI, AMD64 supplement, section 3.5.7, figures 3.33 to 3.36.

use super::arguments::{FLOAT_ARGUMENTS, INT_ARGUMENTS};

/// Offset of the field `gp_offset`, 4 bytes.
pub const GP_OFFSET: u32 = 0;
/// Offset of the field `fp_offset`, 4 bytes.
pub const FP_OFFSET: u32 = 4;
/// Offset of the field `overflow_arg_area`, 8 bytes.
pub const OVERFLOW_AREA: u32 = 8;
/// Offset of the field `reg_save_area`, 8 bytes.
pub const SAVE_AREA: u32 = 16;

/// Bytes of the save area from an integer register to the next.
pub const INT_STRIDE: u32 = 8;
/// Bytes of the save area from an SSE register to the next.
pub const FLOAT_STRIDE: u32 = 16;

/// Returns the offset in the save area of integer argument register `n`, from 0.
pub const fn int_offset(n: u32) -> u32 {
    INT_STRIDE * n
}
/// Returns the offset in the save area of SSE argument register `n`, from 0.
pub const fn float_offset(n: u32) -> u32 {
    INT_END + FLOAT_STRIDE * n
}

/// The end of the integer registers in the save area: 48. The SSE ones begin there.
pub const INT_END: u32 = int_offset(INT_ARGUMENTS as u32);
/// The end of the SSE registers, which is the size of the save area: 176.
pub const FLOAT_END: u32 = float_offset(FLOAT_ARGUMENTS as u32);

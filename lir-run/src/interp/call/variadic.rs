//! The register save area of a function with variable arguments.

use super::{AbiArgs, StackArgs};
use crate::interp::code::Variadic;
use crate::interp::stop::Stop;
use crate::interp::thread::Thread;
use crate::interp::va;
use lir_syntax::abi::va_list::{FLOAT_END, float_offset, int_offset};

impl Thread {
    /// Makes the top frame's register save area. If C has made no overflow area, makes that, too.
    pub(super) fn save_registers(&mut self, args: &AbiArgs, start: Variadic) -> Result<(), Stop> {
        let mut bytes = [0; FLOAT_END as usize];
        for (k, bits) in args.gpr.iter().enumerate() {
            bytes[int_offset(k as u32) as usize..][..8].copy_from_slice(&bits.to_le_bytes());
        }
        for (k, bits) in args.xmm.iter().enumerate() {
            bytes[float_offset(k as u32) as usize..][..16].copy_from_slice(&bits.to_le_bytes());
        }
        let save = self.reserve_object(&bytes, 16)?;
        let overflow = match &args.stack {
            StackArgs::Host(at) => *at,
            StackArgs::Words(words) => {
                let bytes: Vec<u8> = words.iter().flat_map(|w| w.to_le_bytes()).collect();
                // The largest alignment that an argument may have had relative to the first.
                self.reserve_object(&bytes, 4096)?
            }
        };
        self.variable.push(va::Area { save, overflow: overflow + start.stack, start });
        let floor = self.memory.mark().top;
        let frame = self.frames.last_mut().expect("the callee has a frame");
        (frame.variadic, frame.floor) = (true, floor);
        Ok(())
    }
}

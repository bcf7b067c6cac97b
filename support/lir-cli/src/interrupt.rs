//! Interrupts (Ctrl-C, `kill`) as a flag: for tools that have something to keep when they are stopped.

use super::Failure;
use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag::register;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// The exit status after an interrupt, as shells have it.
pub const INTERRUPTED: u8 = 130;

/// Returns a flag that is raised when the process is interrupted or told to end. The process then does neither by
/// itself.
///
/// # Errors
/// The system does not take the handlers.
pub fn stop_on_interrupt() -> Result<Arc<AtomicBool>, Failure> {
    let stop = Arc::new(AtomicBool::new(false));
    for signal in [SIGINT, SIGTERM] {
        register(signal, Arc::clone(&stop)).map_err(Failure::input)?;
    }
    Ok(stop)
}

//! Several pieces of work in children at a time.

use super::{Child, Ended, start};
use std::collections::VecDeque;
use std::io;
use std::os::fd::AsRawFd;
use std::time::{Duration, Instant};

/// The limit of work that has limits of its own.
pub const NO_LIMIT: Duration = Duration::from_secs(1 << 30);

/// Does pieces of work, each in a child of its own ([`start`]). At most `jobs` run at a time. Returns how they ended,
/// in the order of the work. A child that takes longer than `limit` is killed.
///
/// # Errors
/// The system cannot create a process, a file or a pipe. Children that run are killed.
pub fn run_all<W: FnOnce() -> Vec<u8>>(
    work: impl IntoIterator<Item = W>,
    jobs: usize,
    limit: Duration,
) -> io::Result<Vec<Ended>> {
    let mut all = Vec::new();
    run_each(work, jobs, limit, |ended| {
        all.push(ended);
        Ok::<(), io::Error>(())
    })?;
    Ok(all)
}

/// Does the same, but passes each end to `on_end` once those before it are known.
///
/// # Errors
/// The errors of [`run_all`] and of `on_end`.
pub fn run_each<W: FnOnce() -> Vec<u8>, E: From<io::Error>>(
    work: impl IntoIterator<Item = W>,
    jobs: usize,
    limit: Duration,
    mut on_end: impl FnMut(Ended) -> Result<(), E>,
) -> Result<(), E> {
    // The ends that `on_end` has not seen yet, from number `told` on; none if the work is not done.
    let (mut ended, mut told): (VecDeque<Option<Ended>>, usize) = (VecDeque::new(), 0);
    let mut running: Vec<(usize, Child)> = Vec::new();
    let mut work = work.into_iter();
    loop {
        while running.len() < jobs.max(1)
            && let Some(next) = work.next()
        {
            running.push((told + ended.len(), start(next)?));
            ended.push_back(None);
        }
        if running.is_empty() {
            return Ok(());
        }
        wait_for_any(&running, limit)?;
        let now = Instant::now();
        let is_over = |child: &Child| child.has_news() || now >= child.deadline(limit);
        // The children that still run keep their order, so that the oldest one is found first.
        let (over, on): (Vec<_>, Vec<_>) = running.into_iter().partition(|(_, child)| is_over(child));
        running = on;
        for (k, child) in over {
            ended[k - told] = Some(child.wait(limit)?);
        }
        while let Some(first) = ended.front_mut().and_then(Option::take) {
            ended.pop_front();
            told += 1;
            on_end(first)?;
        }
    }
}

/// Waits until a child has answered or ended, or its time is over.
fn wait_for_any(running: &[(usize, Child)], limit: Duration) -> io::Result<()> {
    let deadline = running.iter().map(|(_, child)| child.deadline(limit)).min().expect("children run");
    // Rounded up, so that the last wait does not become a busy one.
    let left = deadline.saturating_duration_since(Instant::now()).as_nanos().div_ceil(1_000_000);
    let poll = |(_, child): &(usize, Child)| libc::pollfd { fd: child.as_raw_fd(), events: libc::POLLIN, revents: 0 };
    let mut fds: Vec<libc::pollfd> = running.iter().map(poll).collect();
    // SAFETY: the length is the number of valid structures.
    let ready = unsafe { libc::poll(fds.as_mut_ptr(), fds.len() as u64, i32::try_from(left).unwrap_or(i32::MAX)) };
    if ready < 0 && io::Error::last_os_error().kind() != io::ErrorKind::Interrupted {
        return Err(io::Error::last_os_error());
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ends_are_in_the_order_of_the_work() {
        let work = (0..20u8).map(|k| {
            move || {
                std::thread::sleep(Duration::from_millis((20 - u64::from(k)) % 7 * 5));
                match k {
                    // SAFETY: this ends the child.
                    3 => unsafe { libc::_exit(9) },
                    5 => loop {
                        std::thread::sleep(Duration::from_secs(1));
                    },
                    _ => vec![k],
                }
            }
        });
        let ended = run_all(work, 4, Duration::from_secs(3)).unwrap();
        for (k, ended) in ended.into_iter().enumerate() {
            let expected = match k {
                3 => Ended::Exited(9),
                5 => Ended::TimedOut,
                k => Ended::Answered(vec![k as u8]),
            };
            assert_eq!(ended, expected, "{k}");
        }
    }
}

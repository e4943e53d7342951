//! Limits the memory that all threads together use for one purpose, such as decompressed files.

use std::sync::{Condvar, Mutex, PoisonError};
use std::thread::{self, ThreadId};

/// A limited number of bytes of memory that all threads share.
pub struct Budget {
    limit: u64,
    /// For each reservation, the thread and the number of bytes.
    used: Mutex<Vec<(ThreadId, u64)>>,
    freed: Condvar,
}

/// The memory for the content of files that are processed at the same time: 1 GiB.
pub static FILES: Budget = Budget::new(1 << 30);

/// The memory for decompressed content of files: 1 GiB.
pub static DECOMPRESSED: Budget = Budget::new(1 << 30);

/// The memory for the content of Godot's compressed files: 1 GiB. Such content can itself be a file
/// whose decompressed content takes memory from [`DECOMPRESSED`].
pub static UNPACKED: Budget = Budget::new(1 << 30);

/// The thread whose output is being printed.
static FIRST: Mutex<Option<ThreadId>> = Mutex::new(None);

/// Permits a thread to exceed all budgets, in place of the thread that was permitted before. The
/// output of all other threads waits for the output of this thread, so this thread must not wait
/// for memory that they use.
pub fn permit_excess(thread: ThreadId) {
    *FIRST.lock().unwrap_or_else(PoisonError::into_inner) = Some(thread);
    [&FILES, &DECOMPRESSED, &UNPACKED].into_iter().for_each(Budget::wake);
}

impl Budget {
    const fn new(limit: u64) -> Self {
        Self { limit, used: Mutex::new(Vec::new()), freed: Condvar::new() }
    }

    /// Wakes the threads that wait for bytes. The lock makes sure that no thread is between its
    /// test and its wait, where it would miss the notification.
    fn wake(&self) {
        let _used = self.used.lock().unwrap_or_else(PoisonError::into_inner);
        self.freed.notify_all();
    }

    /// Reserves bytes. Waits until they are available, until no other thread uses any bytes of the
    /// budget, or until the thread [may exceed the budget](permit_excess). Two threads that have
    /// reserved bytes must not both reserve more of the same budget, since each could wait for the
    /// other.
    pub fn reserve(&'static self, bytes: u64) -> Reserved {
        let thread = thread::current().id();
        let exceeds = |used: &mut Vec<(ThreadId, u64)>| {
            let all = used.iter().fold(bytes, |sum, (_, bytes)| sum.saturating_add(*bytes));
            all > self.limit
                && used.iter().any(|(other, _)| *other != thread)
                && *FIRST.lock().unwrap_or_else(PoisonError::into_inner) != Some(thread)
        };
        let used = self.used.lock().unwrap_or_else(PoisonError::into_inner);
        let mut used = self.freed.wait_while(used, exceeds).unwrap_or_else(PoisonError::into_inner);
        used.push((thread, bytes));
        Reserved { budget: self, thread, bytes }
    }
}

/// Reserved bytes of a budget. They become available again when this value is dropped.
pub struct Reserved {
    budget: &'static Budget,
    thread: ThreadId,
    bytes: u64,
}

impl Reserved {
    /// Keeps at most `bytes` of the reserved bytes. The others become available again.
    pub fn shrink(&mut self, bytes: u64) {
        let bytes = bytes.min(self.bytes);
        let mut used = self.budget.used.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(own) = used.iter_mut().find(|own| **own == (self.thread, self.bytes)) {
            own.1 = bytes;
            self.bytes = bytes;
        }
        self.budget.freed.notify_all();
    }
}

impl Drop for Reserved {
    fn drop(&mut self) {
        let mut used = self.budget.used.lock().unwrap_or_else(PoisonError::into_inner);
        let own = used.iter().position(|own| *own == (self.thread, self.bytes));
        own.map(|own| used.swap_remove(own));
        self.budget.freed.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc::{RecvTimeoutError, channel};
    use std::time::Duration;

    static SMALL: Budget = Budget::new(100);

    fn used() -> u64 {
        SMALL.used.lock().unwrap().iter().map(|(_, bytes)| bytes).sum()
    }

    /// Checks that a thread waits if and only if all threads together would exceed the limit.
    #[test]
    fn all_threads_together_stay_below_the_limit() {
        let (started, others) = channel();
        let start = |bytes: u64| {
            let started = started.clone();
            thread::spawn(move || {
                let reserved = SMALL.reserve(bytes);
                started.send(bytes).unwrap();
                drop(reserved);
            })
        };
        let own = SMALL.reserve(60);
        start(40).join().unwrap();
        assert_eq!(others.recv(), Ok(40));
        let waiting = start(41);
        assert_eq!(others.recv_timeout(Duration::from_millis(50)), Err(RecvTimeoutError::Timeout));
        assert_eq!(used(), 60);
        drop(own);
        waiting.join().unwrap();
        assert_eq!(others.recv(), Ok(41));
        // A single thread never waits.
        let both = [60, 101].map(|bytes| SMALL.reserve(bytes));
        assert_eq!(used(), 161);
        drop(both);
        assert_eq!(used(), 0);
        let mut shrunk = SMALL.reserve(90);
        shrunk.shrink(20);
        assert_eq!(used(), 20);
        shrunk.shrink(50);
        assert_eq!(used(), 20);
        start(80).join().unwrap();
        drop(shrunk);
        assert_eq!(used(), 0);
    }

    /// A thread that waits for memory goes on when its output is the next to be printed.
    #[test]
    fn the_first_thread_does_not_wait() {
        let own = FILES.reserve(1 << 30);
        let (started, others) = channel();
        let first = thread::spawn(move || {
            started.send(thread::current().id()).unwrap();
            drop(FILES.reserve(1 << 30));
        });
        permit_excess(others.recv().unwrap());
        first.join().unwrap();
        drop(own);
    }
}

//! Signals that end the program, such as SIGINT for Ctrl-C.

use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::{flag, low_level};
use std::io;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

/// Delays signals as long as a value of this type exists. If a signal arrives during this time, it
/// ends the program when the last value is dropped.
pub struct Delayed(&'static State);

struct State {
    /// Number of values of [`Delayed`].
    values: Mutex<usize>,
    /// `true` if signals end the program immediately.
    is_immediate: Arc<AtomicBool>,
    /// The last signal that was delayed, or 0.
    signal: Arc<AtomicUsize>,
}

impl Delayed {
    pub fn start() -> io::Result<Self> {
        static STATE: OnceLock<State> = OnceLock::new();
        let state = match STATE.get() {
            Some(state) => state,
            None => {
                let state = State::new()?;
                STATE.get_or_init(|| state)
            }
        };
        let mut values = state.values();
        *values = values.saturating_add(1);
        state.is_immediate.store(false, Ordering::SeqCst);
        Ok(Self(state))
    }

    /// Returns an error if a signal has arrived.
    pub fn check(&self) -> io::Result<()> {
        match self.0.signal.load(Ordering::SeqCst) {
            0 => Ok(()),
            _ => Err(io::Error::other("interrupted")),
        }
    }
}

impl Drop for Delayed {
    fn drop(&mut self) {
        let mut values = self.0.values();
        *values = values.saturating_sub(1);
        if *values > 0 {
            return;
        }
        self.0.is_immediate.store(true, Ordering::SeqCst);
        if let Ok(signal @ 1..) = i32::try_from(self.0.signal.load(Ordering::SeqCst)) {
            let _ = low_level::emulate_default_handler(signal);
        }
    }
}

impl State {
    fn new() -> io::Result<Self> {
        let state = Self {
            values: Mutex::default(),
            is_immediate: Arc::new(AtomicBool::new(true)),
            signal: Arc::default(),
        };
        for signal in [SIGHUP, SIGINT, SIGTERM] {
            if !is_ignored(signal) {
                flag::register_conditional_default(signal, Arc::clone(&state.is_immediate))?;
                let number = usize::try_from(signal).map_err(io::Error::other)?;
                flag::register_usize(signal, Arc::clone(&state.signal), number)?;
            }
        }
        Ok(state)
    }

    fn values(&self) -> MutexGuard<'_, usize> {
        self.values.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Returns `true` if the program was started with this signal ignored, as `nohup` does for
/// `SIGHUP`. Always returns `false` on systems without `/proc`.
fn is_ignored(signal: i32) -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let ignored = ignored.and_then(|bits| u64::from_str_radix(bits.trim(), 16).ok());
    let bit = signal.checked_sub(1).and_then(|bit| 1_u64.checked_shl(bit.try_into().ok()?));
    ignored.zip(bit).is_some_and(|(ignored, bit)| ignored & bit != 0)
}

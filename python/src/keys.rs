//! A cache of the strings that dictionaries have as keys. Messages of a game repeat the same keys,
//! and a cached string also keeps its hash.

use pyo3::prelude::*;
use pyo3::types::PyString;
use std::sync::Mutex;

/// Number of slots, a power of two.
const SLOTS: usize = 1024;

/// Length of the longest text that is cached, in bytes.
const LONGEST: usize = 32;

/// The cache between calls. A call takes it, and puts it back at its end. If another thread has
/// taken it, the call starts with an empty one.
static SHARED: Mutex<Option<Keys>> = Mutex::new(None);

/// A cache with one slot for each hash.
pub(crate) struct Keys(Box<[Option<Slot>]>);

struct Slot {
    len: u8,
    text: [u8; LONGEST],
    object: Py<PyString>,
}

impl Keys {
    /// Takes the cache of the last call.
    pub(crate) fn take() -> Self {
        let shared = SHARED.lock().ok().and_then(|mut shared| shared.take());
        shared.unwrap_or_else(|| Self((0..SLOTS).map(|_| None).collect()))
    }

    /// Keeps the cache for the next call.
    pub(crate) fn put_back(self) {
        if let Ok(mut shared) = SHARED.lock() {
            *shared = Some(self);
        }
    }

    /// Returns the string with these bytes, which `make` creates if it is not in the cache.
    #[inline]
    pub(crate) fn get<'py>(
        &mut self,
        py: Python<'py>,
        text: &[u8],
        make: impl FnOnce() -> PyResult<Bound<'py, PyString>>,
    ) -> PyResult<Bound<'py, PyString>> {
        if text.len() > LONGEST {
            return make();
        }
        let Some(slot) = self.0.get_mut(hash(text) as usize & (SLOTS - 1)) else { return make() };
        if let Some(slot) = slot
            && slot.len as usize == text.len()
            && slot.text.get(..text.len()) == Some(text)
        {
            return Ok(slot.object.bind(py).clone());
        }
        let object = make()?;
        let mut copy = [0; LONGEST];
        copy.iter_mut().zip(text).for_each(|(to, from)| *to = *from);
        *slot = Some(Slot { len: text.len() as u8, text: copy, object: object.clone().unbind() });
        Ok(object)
    }
}

/// Returns a hash of the length and of all bytes.
fn hash(text: &[u8]) -> u64 {
    const FACTOR: u64 = 0x9E37_79B9_7F4A_7C15;
    let mix = |hash: u64, word: u64| (hash ^ word).wrapping_mul(FACTOR).rotate_left(23);
    let mut hash = text.len() as u64;
    let (words, rest) = text.as_chunks::<8>();
    for word in words {
        hash = mix(hash, u64::from_le_bytes(*word));
    }
    let mut last = 0;
    for byte in rest {
        last = last << 8 | u64::from(*byte);
    }
    mix(hash, last) >> 20
}

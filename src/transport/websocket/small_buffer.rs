//! A buffer for parts of frames.

use super::frame::Header;

/// A buffer for as many bytes as the payload of a control frame may have.
#[derive(Clone, Copy, Debug)]
pub(super) struct SmallBuffer {
    bytes: [u8; Header::MAX_CONTROL],
    len: u8,
}

impl Default for SmallBuffer {
    fn default() -> Self {
        Self { bytes: [0; Header::MAX_CONTROL], len: 0 }
    }
}

impl SmallBuffer {
    #[inline(always)]
    pub(super) fn is_empty(&self) -> bool {
        self.len == 0
    }

    pub(super) fn clear(&mut self) {
        self.len = 0;
    }

    pub(super) fn bytes(&self) -> &[u8] {
        self.bytes.get(..usize::from(self.len)).unwrap_or_default()
    }

    pub(super) fn bytes_mut(&mut self) -> &mut [u8] {
        self.bytes.get_mut(..usize::from(self.len)).unwrap_or_default()
    }

    /// Appends bytes, which must fit. Returns their number.
    #[allow(clippy::disallowed_methods, reason = "source and target have the same length")]
    pub(super) fn append(&mut self, bytes: &[u8]) -> usize {
        let free = self.bytes.get_mut(usize::from(self.len)..).unwrap_or_default();
        if let Some(target) = free.get_mut(..bytes.len()) {
            target.copy_from_slice(bytes);
            self.len = self.len.saturating_add(bytes.len() as u8);
        }
        bytes.len()
    }
}

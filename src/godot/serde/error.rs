use crate::buffer;
use crate::godot::ErrorKind;

/// The reason why a packet does not match a Rust type, or why a Rust value cannot be written.
///
/// It has the size of a pointer, because its contents are boxed.
///
/// ```
/// use gamewire::godot::{self, ErrorKind};
///
/// let packet = godot::to_vec(&[("hp", 100), ("mana", 300)])?;
/// let error = godot::from_bytes::<Vec<(String, u8)>>(&packet).unwrap_err();
/// assert_eq!(error.path(), "1/1");
/// assert_eq!(error.offset(), 56);
/// assert_eq!(
///     error.to_string(),
///     "1/1: invalid value: integer `300`, expected u8 at offset 56 (0x38)"
/// );
///
/// let error = godot::from_bytes::<i64>(&packet[..7]).unwrap_err();
/// assert_eq!(error.kind(), Some(&ErrorKind::UnexpectedEnd { missing: 1 }));
/// # Ok::<(), godot::serde::Error>(())
/// ```
pub type Error = buffer::typed::Error<ErrorKind>;

impl Error {
    /// Creates an error at a position of the window.
    #[cold]
    #[inline(never)]
    pub(super) fn new(kind: ErrorKind, pos: usize) -> Self {
        Self::at(kind, pos as u64)
    }
}

//! How many elements are put in that nothing in a file pays for.

use gamewire::rems::ErrorKind;

/// How many elements that a text leaves out at the end of an array or list are put in, and how
/// many in all of a file: a few bytes may declare any number.
const PUT_IN: u32 = 1 << 16;
const PUT_IN_ALL: u32 = 1 << 20;

/// Room for such elements.
pub struct Room {
    left: u32,
}

impl Default for Room {
    fn default() -> Self {
        Self { left: PUT_IN_ALL }
    }
}

impl Room {
    /// Takes room for so many at once.
    ///
    /// # Errors
    /// If there is none, or they are too many.
    pub fn take(&mut self, count: u32) -> Result<(), ErrorKind> {
        let limit = if count > PUT_IN { PUT_IN } else { PUT_IN_ALL };
        let left = self.left.checked_sub(count).filter(|_| count <= PUT_IN);
        self.left = left.ok_or(ErrorKind::NotWritten { count, limit })?;
        Ok(())
    }
}

//! Changes a packet in place. A new value must have the same size as the old one, so no other byte
//! moves.
//!
//! ```
//! use gamewire::godot::patch::Patch;
//! use gamewire::godot::{Dialect, Vector2, Writer};
//!
//! let mut bytes = Vec::new();
//! let mut writer = Writer::new(&mut bytes, Dialect::Godot4);
//! let mut player = writer.dictionary(3)?;
//! player.entry("name", "Ada")?;
//! player.entry("position", Vector2 { x: 1.0_f32, y: 2.5 })?;
//! player.entry("ids", &[1_i32, 2, 3][..])?;
//! player.finish()?;
//!
//! let mut packet = Patch::new(&mut bytes, Dialect::Godot4)?;
//! packet.set("position", Vector2 { x: 4.0, y: 0.0 })?;
//! packet.set("position/x", 5)?;
//! packet.set("ids/2", 7)?;
//! packet.set("name", "Bob")?;
//! assert!(packet.set("name", "Barbara").is_err()); // needs four more bytes
//!
//! let player = packet.value();
//! assert_eq!(player.at("position").unwrap().as_vector2(), Some(Vector2 { x: 5.0, y: 0.0 }));
//! assert_eq!(player.at("ids/2").unwrap().as_i64(), Some(7));
//! assert!(player.at("name").unwrap().as_str().unwrap() == "Bob");
//! # Ok::<(), gamewire::godot::Error>(())
//! ```

mod leaf_walk;
mod number;
mod overwrite;
mod target;

use crate::buffer::SliceSink;
use crate::godot::write::to_variant::ToVariant;
use crate::godot::{Dialect, Encoded, Error, ErrorKind, Kind, Reader, Result, Role, VariantRef};
use leaf_walk::LeafWalk;
use target::PatchTarget;

/// An encoded value that can be changed in place. [`new`](Self::new) checks its structure, and
/// every change preserves it.
///
/// The type and size of the old value decide which [new values](Self::set) can replace it:
///
/// * An int is stored in the width of the old int, if it fits. A float is stored in the width of
///   the old float. If this width is 32 bits, `f32` must represent the new float exactly, unless
///   it is a NaN.
/// * Components of vectors and similar types, and elements of packed arrays, are rounded to the
///   nearest number of the old width. The engine that wrote the packet also stores them in that
///   width.
/// * An int can replace a float if an `f64` represents the int exactly. It is stored like a float
///   of the same value. A float cannot replace an int.
/// * Text, byte arrays and other packed arrays must have the same size as the old value, including
///   padding: text of 1 to 4 bytes can replace text of 3 bytes. The engine of the dialect must
///   accept the text.
/// * A container cannot be replaced, but its items can.
///
/// Unused header bits do not change.
#[derive(Debug)]
pub struct Patch<'b> {
    bytes: &'b mut [u8],
    dialect: Dialect,
    /// Offset of the bytes in the packet.
    offset: u64,
    /// `true` if the packet ends with these bytes. In this case, the padding may be missing.
    is_last: bool,
}

impl<'b> Patch<'b> {
    /// Checks that `bytes` is one value, and returns a `Patch` that can change it.
    ///
    /// # Errors
    /// Returns an error if the bytes do not begin with a valid value, or if bytes follow this
    /// value.
    pub fn new(bytes: &'b mut [u8], dialect: Dialect) -> Result<Self> {
        let mut reader = Reader::new(bytes, dialect);
        reader.skip()?;
        reader.finish()?;
        Ok(Self { bytes, dialect, offset: 0, is_last: true })
    }

    /// Returns the current value with its bytes.
    pub fn encoded(&self) -> Encoded<'_> {
        Encoded::trusted(self.bytes, self.dialect)
    }

    /// Returns the current value.
    pub fn value(&self) -> VariantRef<'_> {
        self.encoded().decode()
    }

    /// Returns the offset of the value from the start of the packet.
    pub fn offset(&self) -> u64 {
        self.offset
    }

    /// Overwrites the value at `path`; see [`path`](super::path). An empty path selects the value
    /// itself.
    ///
    /// # Errors
    /// Returns an error if there is no value at `path` ([`Encoded::find`] gives the reason), or if
    /// the old value is a container. Also returns an error if the new value has a different type or
    /// size, if it is a number that does not fit in the old width, or if it is text that the engine
    /// does not accept. After an error, the bytes are unchanged.
    pub fn set(&mut self, path: &str, value: impl ToVariant) -> Result<()> {
        let target = self.target(path)?;
        let set = match value.view() {
            Some(view) => target.set(&view, self.bytes),
            None => self.set_without_view(&target, &value),
        };
        set.map_err(|kind| Error::new(kind, self.offset.saturating_add(target.offset() as u64)))
    }

    fn target(&self, path: &str) -> Result<PatchTarget> {
        let whole = self.encoded();
        let at =
            |bytes: &[u8]| bytes.as_ptr().addr().wrapping_sub(whole.as_bytes().as_ptr().addr());
        let found = match whole.find(path) {
            Ok(found) => found,
            Err(not_found) => {
                let offset = at(not_found.within_bytes()) as u64;
                let offset = self.offset.saturating_add(offset);
                return Err(Error::new(ErrorKind::NoSuchPath, offset));
            }
        };
        let offset = at(found.bytes());
        let is_last = self.is_last && offset.wrapping_add(found.bytes().len()) == self.bytes.len();
        Ok(PatchTarget::new(&found, offset, self.dialect, is_last))
    }

    /// Overwrites the target with a value whose type does not provide a view ([`VariantRef`]) but
    /// can be written.
    fn set_without_view(
        &mut self,
        target: &PatchTarget,
        value: &impl ToVariant,
    ) -> core::result::Result<(), ErrorKind> {
        // Numbers and vectors are short, so they are encoded into a buffer and read back as a view.
        let mut memory = [0; target::LONGEST_FIXED];
        let mut short = SliceSink::new(&mut memory);
        if crate::godot::Writer::new(&mut short, self.dialect).put_ref(value).is_ok()
            && let Ok(view) = Reader::new(short.written(), self.dialect).read()
        {
            return target.set(&view, self.bytes);
        }
        target.write(value, self.bytes)
    }

    /// Calls `each` with every leaf and its role in its container, in the order of the packet. The
    /// `Patch` that `each` receives contains only the leaf. In it, the empty path selects the leaf
    /// itself, and an index as the path selects an element of a packed array.
    ///
    /// ```
    /// use gamewire::godot::patch::Patch;
    /// use gamewire::godot::{Dialect, Error, Role};
    ///
    /// // {"a": "secret"}
    /// let mut bytes = *b"\x1b\0\0\0\x01\0\0\0\x04\0\0\0\x01\0\0\0a\0\0\0\
    ///     \x04\0\0\0\x06\0\0\0secret\0\0";
    /// let mut packet = Patch::new(&mut bytes, Dialect::Godot4)?;
    /// packet.for_each(|role, value| {
    ///     if role != Role::Key {
    ///         value.fill(b'x');
    ///     }
    ///     Ok::<_, Error>(())
    /// })?;
    /// assert!(packet.value().at("a").unwrap().as_str().unwrap() == "xxxxxx");
    /// # Ok::<(), Error>(())
    /// ```
    ///
    /// # Errors
    /// Returns the first error of `each` and stops there.
    pub fn for_each<E>(
        &mut self,
        mut each: impl FnMut(Role, &mut Patch<'_>) -> core::result::Result<(), E>,
    ) -> core::result::Result<(), E> {
        let len = self.bytes.len();
        let mut walk = LeafWalk::new(self.dialect);
        while let Some((role, range)) = walk.next(self.bytes) {
            let is_last = self.is_last && range.end == len;
            let offset = self.offset.saturating_add(range.start as u64);
            let bytes = self.bytes.get_mut(range).unwrap_or_default();
            each(role, &mut Patch { bytes, dialect: self.dialect, offset, is_last })?;
        }
        Ok(())
    }

    /// Overwrites all text, including keys, and all byte arrays with `letter`, so that only their
    /// lengths remain. Names of properties and classes do not change.
    ///
    /// If `letter` is NUL or not ASCII, this function uses `?` instead, because not all engines
    /// would accept the text.
    pub fn fill(&mut self, letter: u8) {
        let letter = if matches!(letter, 1..=0x7F) { letter } else { b'?' };
        let filled: core::result::Result<(), core::convert::Infallible> =
            self.for_each(|_, leaf| {
                target::fill(leaf.bytes, leaf.dialect, letter);
                Ok(())
            });
        let Ok(()) = filled;
    }

    /// Returns the type of the value.
    pub fn kind(&self) -> Kind {
        self.encoded().kind()
    }
}

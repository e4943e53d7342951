//! Changing a packet where it lies: values are overwritten by others that take as many
//! bytes, and nothing moves.
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
//! assert!(packet.set("name", "Barbara").is_err()); // it takes four bytes more
//!
//! let player = packet.value();
//! assert_eq!(player.at("position").unwrap().as_vector2(), Some(Vector2 { x: 5.0, y: 0.0 }));
//! assert_eq!(player.at("ids/2").unwrap().as_i64(), Some(7));
//! assert!(player.at("name").unwrap().as_str().unwrap() == "Bob");
//! # Ok::<(), gamewire::godot::Error>(())
//! ```

mod number;
mod overwrite;
mod place;
mod steps;

use crate::buffer::SliceSink;
use crate::godot::write::to_variant::ToVariant;
use crate::godot::{Dialect, Encoded, Error, ErrorKind, Kind, Reader, Result, Role, VariantRef};
use place::Place;
use steps::Steps;

/// One value in memory, to be changed without moving anything. Its structure was checked
/// when this was made, and what is set keeps it.
///
/// What is [set](Self::set) must be of the type that is there and take as many bytes:
///
/// * An int takes the width that is there, if it fits. So does a float, if 32 bits hold it
///   exactly where there are 32. (An `f32` always fits.)
/// * The reals of vectors and the like, and elements of packed arrays, are rounded to the
///   nearest of the width that is there, as the engine that wrote them holds them.
/// * Where there is a float, an int is taken that it holds exactly; no float is taken for
///   an int.
/// * Text, byte arrays and other packed arrays take as many bytes with their pads: where
///   there are 3 bytes of text, 1 to 4 fit. Text must be what the dialect's engine accepts.
/// * A container is changed by its items, of which there remain as many.
///
/// Header bits without meaning stay as they are.
#[derive(Debug)]
pub struct Patch<'b> {
    bytes: &'b mut [u8],
    dialect: Dialect,
    /// Offset of the bytes in the packet.
    offset: u64,
    /// Whether the packet ends with them, where a pad may be missing.
    is_last: bool,
}

impl<'b> Patch<'b> {
    /// One value that takes all of `bytes`.
    ///
    /// # Errors
    /// Returns an error if the bytes are not one value, or if bytes follow it.
    pub fn new(bytes: &'b mut [u8], dialect: Dialect) -> Result<Self> {
        let mut reader = Reader::new(bytes, dialect);
        reader.skip()?;
        reader.finish()?;
        Ok(Self { bytes, dialect, offset: 0, is_last: true })
    }

    /// The bytes of the value as it is now.
    pub fn encoded(&self) -> Encoded<'_> {
        Encoded::trusted(self.bytes, self.dialect)
    }

    /// The value as it is now.
    pub fn value(&self) -> VariantRef<'_> {
        self.encoded().decode()
    }

    /// Returns the offset of the value from the start of the packet.
    pub fn offset(&self) -> u64 {
        self.offset
    }

    /// Overwrites the value at `path`, see [`path`](super::path); an empty path is the value
    /// itself.
    ///
    /// # Errors
    /// Where there is no such value ([`Encoded::find`] says more about that), or where what
    /// is there is of another type or size. Nothing is changed then.
    pub fn set(&mut self, path: &str, value: impl ToVariant) -> Result<()> {
        let place = self.place(path)?;
        let set = match value.view() {
            Some(view) => place.set(&view, self.bytes),
            None => self.set_seen(&place, &value),
        };
        set.map_err(|kind| Error::new(kind, self.offset.saturating_add(place.offset() as u64)))
    }

    fn place(&self, path: &str) -> Result<Place> {
        let whole = self.encoded();
        let at =
            |bytes: &[u8]| bytes.as_ptr().addr().wrapping_sub(whole.as_bytes().as_ptr().addr());
        let found = match whole.find(path) {
            Ok(found) => found,
            Err(missing) => {
                let offset = at(missing.within_bytes()) as u64;
                let offset = self.offset.saturating_add(offset);
                return Err(Error::new(ErrorKind::NoSuchPath, offset));
            }
        };
        let offset = at(found.bytes());
        let is_last = self.is_last && offset.wrapping_add(found.bytes().len()) == self.bytes.len();
        Ok(Place::new(&found, offset, self.dialect, is_last))
    }

    /// Sets a value that has no view and can only be written.
    fn set_seen(
        &mut self,
        place: &Place,
        value: &impl ToVariant,
    ) -> core::result::Result<(), ErrorKind> {
        // Numbers and vectors are short, and looked at for what they are.
        let mut memory = [0; place::LONGEST_FIXED];
        let mut short = SliceSink::new(&mut memory);
        if crate::godot::Writer::new(&mut short, self.dialect).put_ref(value).is_ok()
            && let Ok(view) = Reader::new(short.written(), self.dialect).read()
        {
            return place.set(&view, self.bytes);
        }
        place.write(value, self.bytes)
    }

    /// Calls `each` with every value that is no container, in the order of the packet, and
    /// with what it is to its container. It can be changed there by an empty path, an
    /// element of a packed array by its index.
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
        let mut steps = Steps::new(self.dialect);
        while let Some((role, range)) = steps.next(self.bytes) {
            let is_last = self.is_last && range.end == len;
            let offset = self.offset.saturating_add(range.start as u64);
            let bytes = self.bytes.get_mut(range).unwrap_or_default();
            each(role, &mut Patch { bytes, dialect: self.dialect, offset, is_last })?;
        }
        Ok(())
    }

    /// Overwrites all text and all byte arrays in it with `letter`, so that they tell nothing
    /// but their lengths. Keys are text, too; names of properties and classes stay.
    ///
    /// `letter` is an ASCII character other than NUL, or a `?` is taken, since in other bytes
    /// there is no text that all engines accept.
    pub fn fill(&mut self, letter: u8) {
        let letter = if matches!(letter, 1..=0x7F) { letter } else { b'?' };
        let filled: core::result::Result<(), core::convert::Infallible> =
            self.for_each(|_, leaf| {
                place::fill(leaf.bytes, leaf.dialect, letter);
                Ok(())
            });
        let Ok(()) = filled;
    }

    /// The type.
    pub fn kind(&self) -> Kind {
        self.encoded().kind()
    }
}

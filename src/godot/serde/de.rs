use super::path::path_at;
use super::value::{Room, Value};
use super::{Error, Result};
use crate::godot::dialect::{Job, Spec};
use crate::godot::{Dialect, Level, Limits, Reader};
use core::marker::PhantomData;
use serde::de::{Deserialize, DeserializeSeed};

/// How many containers a type may open inside each other, unless it is
/// [told otherwise](Deserializer::limits).
const DEPTH: u32 = 128;

/// Reads a value from a packet of Godot 4.
#[inline]
pub fn from_bytes<'de, T: Deserialize<'de>>(packet: &'de [u8]) -> Result<T> {
    from_bytes_in(packet, Dialect::Godot4)
}

/// Reads a value from a packet.
#[inline]
pub fn from_bytes_in<'de, T: Deserialize<'de>>(packet: &'de [u8], dialect: Dialect) -> Result<T> {
    let mut deserializer = Deserializer::new(packet, dialect);
    let value = deserializer.read();
    if value.is_ok() {
        deserializer.finish()?;
    }
    value
}

/// A cursor over a packet, which gives one value after the other.
#[derive(Debug)]
pub struct Deserializer<'de> {
    bytes: &'de [u8],
    pos: usize,
    origin: u64,
    dialect: Dialect,
    limits: Limits,
}

impl<'de> Deserializer<'de> {
    /// At the start of `bytes`.
    #[inline]
    pub fn new(bytes: &'de [u8], dialect: Dialect) -> Self {
        let limits = Limits { depth: DEPTH, objects: true, level: Level::Structure };
        Self { bytes, pos: 0, origin: 0, dialect, limits }
    }

    /// Reads with other limits.
    #[must_use]
    pub fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// Reads the next value.
    ///
    /// # Errors
    /// Where the bytes are no value, or none that `T` takes. The deserializer then stays
    /// where it was.
    #[inline]
    pub fn read<T: Deserialize<'de>>(&mut self) -> Result<T> {
        self.read_seed(PhantomData)
    }

    /// The same for what needs more than a type.
    ///
    /// # Errors
    /// As [`read`](Self::read).
    #[inline]
    pub fn read_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<T::Value> {
        let room = Room::new(self.limits.depth, self.limits.objects);
        let mut end = 0;
        let value = self.dialect.run(Read { window: self.window(), end: &mut end, room, seed });
        if let Err(error) = value {
            return Err(self.fail(error));
        }
        self.pos = self.pos.saturating_add(end);
        value
    }

    /// That nothing follows the values that were read.
    ///
    /// # Errors
    /// `TrailingBytes`.
    pub fn finish(&self) -> Result<()> {
        let mut reader = Reader::new(self.window(), self.dialect).origin(self.offset());
        let _ = &mut reader;
        Ok(reader.finish()?)
    }

    fn offset(&self) -> u64 {
        self.origin.saturating_add(self.pos as u64)
    }

    /// What the next value may take, see [`Reader`].
    fn window(&self) -> &'de [u8] {
        let rest = self.bytes.get(self.pos..).unwrap_or_default();
        rest.get(..i32::MAX as usize).unwrap_or(rest)
    }

    #[cold]
    #[inline(never)]
    fn fail(&self, error: Error) -> Error {
        let window = self.window();
        error.placed(self.offset(), |offset| path_at(window, self.dialect, offset))
    }
}

/// Reads a value from the start of a window.
struct Read<'de, 'p, T> {
    window: &'de [u8],
    end: &'p mut usize,
    room: Room,
    seed: T,
}

impl<'de, T: DeserializeSeed<'de>> Job for Read<'de, '_, T> {
    type Output = Result<T::Value>;

    #[inline]
    fn run<D: Spec>(self) -> Self::Output {
        self.seed.deserialize(Value::<D>::new(self.window, self.end, self.room))
    }
}

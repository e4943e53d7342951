use super::recursion_budget::RecursionBudget;
use super::value::Value;
use super::{Error, Result};
use crate::godot::query::path::Path;
use crate::godot::read::walk::TYPE_DEPTH;
use crate::godot::table::dialect::{Godot4, Job, Spec};
use crate::godot::{Dialect, Level, Limits, Reader};
use alloc::string::ToString;
use core::marker::PhantomData;
use serde::de::{Deserialize, DeserializeSeed, Visitor};

/// Deserializes a value from an entire Godot 4 packet.
///
/// Text and bytes are borrowed from the packet if `T` borrows them. Memory is allocated only where
/// `T` contains types that allocate, such as `String`. See [the module](crate::godot::serde) for
/// the mapping between types and values.
///
/// ```
/// use gamewire::godot::{self, Vector2};
/// use serde::{Deserialize, Serialize};
///
/// #[derive(Deserialize, Serialize, PartialEq, Debug)]
/// struct Input<'a> {
///     player: &'a str,
///     direction: Vector2<f32>,
///     jump: bool,
/// }
///
/// let input = Input { player: "Ada", direction: Vector2 { x: 1.0, y: 0.0 }, jump: true };
/// let packet = godot::to_vec(&input)?; // var_to_bytes({"player": "Ada", …})
/// assert_eq!(godot::from_bytes::<Input<'_>>(&packet)?, input);
/// # Ok::<(), godot::serde::Error>(())
/// ```
///
/// # Errors
/// Returns an error if the bytes are not a valid packet, do not match `T`, or continue after the
/// value. The error contains an offset and a path.
#[inline]
pub fn from_bytes<'de, T: Deserialize<'de>>(packet: &'de [u8]) -> Result<T> {
    let mut deserializer = Deserializer::new(packet, Dialect::Godot4);
    let mut value = deserializer.read_as::<Godot4, T>();
    deserializer.all(&mut value);
    value
}

/// Deserializes a value from an entire packet of the given dialect.
///
/// # Errors
/// Returns the errors of [`from_bytes`].
#[inline]
pub fn from_bytes_in<'de, T: Deserialize<'de>>(packet: &'de [u8], dialect: Dialect) -> Result<T> {
    let mut deserializer = Deserializer::new(packet, dialect);
    let mut value = deserializer.read();
    deserializer.all(&mut value);
    value
}

/// A cursor over a packet that deserializes one value after another.
///
/// ```
/// use gamewire::godot::serde::Deserializer;
/// use gamewire::godot::{Dialect, Limits};
///
/// // Two values in a row: 5 and "x".
/// let bytes = b"\x02\0\0\0\x05\0\0\0\x04\0\0\0\x01\0\0\0x\0\0\0";
/// let limits = Limits { depth: 8, ..Limits::ENGINE };
/// let mut deserializer = Deserializer::new(bytes, Dialect::Godot4).limits(limits);
/// assert_eq!(deserializer.read::<u8>()?, 5);
/// assert_eq!(deserializer.read::<&str>()?, "x");
/// deserializer.finish()?;
/// # Ok::<(), gamewire::godot::serde::Error>(())
/// ```
#[derive(Debug)]
pub struct Deserializer<'de> {
    bytes: &'de [u8],
    pos: usize,
    origin: u64,
    dialect: Dialect,
    limits: Limits,
}

impl<'de> Deserializer<'de> {
    /// Creates a deserializer at the start of `bytes`.
    #[inline]
    pub fn new(bytes: &'de [u8], dialect: Dialect) -> Self {
        let limits = Limits { depth: TYPE_DEPTH, objects: true, level: Level::Structure };
        Self { bytes, pos: 0, origin: 0, dialect, limits }
    }

    /// Sets the limits. Deserializing nested types is recursive, so the depth limit is 128 unless
    /// it is set here. The highest possible limit is 1024 levels, as in the engine. This many
    /// levels can overflow a thread's stack if the stack is small. Skipped values and values kept
    /// as bytes ([`Encoded`](crate::godot::Encoded)) are not read recursively and may be as deep as
    /// engines allow. A [`level`](Limits::level) above `Level::Structure` costs an additional pass
    /// over each value.
    #[must_use]
    pub fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// Adds `origin` to the offsets in errors. Use this method if the bytes are a part of a larger
    /// input.
    #[must_use]
    pub fn origin(mut self, origin: u64) -> Self {
        self.origin = origin;
        self
    }

    /// Returns the offset of the next value in bytes, plus the [`origin`](Self::origin).
    pub fn offset(&self) -> u64 {
        self.origin.saturating_add(self.pos as u64)
    }

    /// Returns `true` if no bytes are left.
    pub fn is_empty(&self) -> bool {
        self.rest().is_empty()
    }

    /// Returns the unread bytes.
    pub fn rest(&self) -> &'de [u8] {
        self.bytes.get(self.pos..).unwrap_or_default()
    }

    /// Reads the next value.
    ///
    /// # Errors
    /// Returns an error if the next bytes are not a valid value, do not match `T`, or exceed the
    /// limits. The position then does not change.
    #[inline]
    pub fn read<T: Deserialize<'de>>(&mut self) -> Result<T> {
        let dialect = self.dialect;
        dialect.run(Read { from: self, what: PhantomData })
    }

    /// Reads the next value with a seed.
    ///
    /// # Errors
    /// Returns the errors of [`read`](Self::read).
    #[inline]
    pub fn read_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<T::Value> {
        let dialect = self.dialect;
        dialect.run(ReadSeed { from: self, seed })
    }

    /// Checks that all bytes were read.
    ///
    /// # Errors
    /// Returns [`ErrorKind::TrailingBytes`](crate::godot::ErrorKind::TrailingBytes) if bytes are
    /// left.
    pub fn finish(&self) -> Result<()> {
        let reader = Reader::new(self.rest(), self.dialect).origin(self.offset());
        Ok(reader.finish()?)
    }

    /// Replaces a value with an error if bytes follow it.
    #[inline]
    fn all<T>(&self, value: &mut Result<T>) {
        if value.is_ok()
            && let Err(error) = self.finish()
        {
            *value = Err(error);
        }
    }

    #[inline]
    fn read_as<D: Spec, T: Deserialize<'de>>(&mut self) -> Result<T> {
        self.check()?;
        // First assume that all structs have their fields in order. On any failure, read again and
        // accept fields in any order.
        let mut in_order = true;
        loop {
            let (mut pos, budget) = (0, self.budget(in_order));
            let value = T::deserialize(Value::<D>::new(self.window(), &mut pos, budget));
            if value.is_ok() || !in_order {
                return self.done(value, pos);
            }
            in_order = false;
        }
    }

    #[inline]
    fn read_seed_as<D: Spec, T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<T::Value> {
        self.check()?;
        let (mut pos, budget) = (0, self.budget(false));
        let value = seed.deserialize(Value::<D>::new(self.window(), &mut pos, budget));
        self.done(value, pos)
    }

    #[inline]
    fn budget(&self, in_order: bool) -> RecursionBudget {
        RecursionBudget::new(self.limits.depth, self.limits.objects, in_order)
    }

    #[inline]
    fn done<T>(&mut self, mut value: Result<T>, pos: usize) -> Result<T> {
        if value.is_ok() {
            self.pos = self.pos.saturating_add(pos);
        } else {
            value = self.fail(value);
        }
        value
    }

    #[inline]
    fn check(&self) -> Result<()> {
        if self.limits.level == Level::Structure { Ok(()) } else { self.walk() }
    }

    #[cold]
    #[inline(never)]
    fn walk(&self) -> Result<()> {
        let mut reader = Reader::new(self.window(), self.dialect).limits(self.limits);
        self.fail(reader.skip().map_err(Error::from))
    }

    /// Returns the bytes that the next value can occupy: less than 2 GiB, as in [`Reader`].
    fn window(&self) -> &'de [u8] {
        let rest = self.rest();
        rest.get(..i32::MAX as usize).unwrap_or(rest)
    }

    #[cold]
    #[inline(never)]
    fn fail<T>(&self, value: Result<T>) -> Result<T> {
        let window = self.window();
        let place = |error: Error| {
            let path = Path::new(window, self.dialect, error.offset()).to_string();
            error.with_path(path).shifted(self.offset())
        };
        value.map_err(place)
    }
}

/// A job that deserializes a `T` with code specialised for the dialect.
struct Read<'de, 'r, T> {
    from: &'r mut Deserializer<'de>,
    what: PhantomData<T>,
}

impl<'de, T: Deserialize<'de>> Job for Read<'de, '_, T> {
    type Output = Result<T>;

    #[inline]
    fn run<D: Spec>(self) -> Self::Output {
        self.from.read_as::<D, T>()
    }
}

/// A job that deserializes with a seed. The first attempt consumes the seed, so a second attempt is
/// not possible.
struct ReadSeed<'de, 'r, T> {
    from: &'r mut Deserializer<'de>,
    seed: T,
}

impl<'de, T: DeserializeSeed<'de>> Job for ReadSeed<'de, '_, T> {
    type Output = Result<T::Value>;

    #[inline]
    fn run<D: Spec>(self) -> Self::Output {
        self.from.read_seed_as::<D, T>(self.seed)
    }
}

/// Implements each method by calling the same method on the deserializer of the next value.
macro_rules! forward {
    ($($method:ident($($arg:ident: $T:ty),*))*) => {$(
        fn $method<V: Visitor<'de>>(self, $($arg: $T,)* visitor: V) -> Result<V::Value> {
            struct Seed<V>($($T,)* V);

            impl<'de, V: Visitor<'de>> DeserializeSeed<'de> for Seed<V> {
                type Value = V::Value;

                #[inline]
                fn deserialize<D: serde::Deserializer<'de>>(
                    self,
                    from: D,
                ) -> core::result::Result<V::Value, D::Error> {
                    let Self($($arg,)* visitor) = self;
                    from.$method($($arg,)* visitor)
                }
            }

            self.read_seed(Seed($($arg,)* visitor))
        }
    )*};
}

/// Deserializes the next value.
impl<'de> serde::Deserializer<'de> for &mut Deserializer<'de> {
    type Error = Error;

    forward! {
        deserialize_any() deserialize_bool()
        deserialize_i8() deserialize_i16() deserialize_i32() deserialize_i64()
        deserialize_i128()
        deserialize_u8() deserialize_u16() deserialize_u32() deserialize_u64()
        deserialize_u128()
        deserialize_f32() deserialize_f64() deserialize_char() deserialize_str()
        deserialize_string() deserialize_bytes() deserialize_byte_buf() deserialize_option()
        deserialize_unit() deserialize_seq() deserialize_map() deserialize_identifier()
        deserialize_ignored_any()
        deserialize_unit_struct(name: &'static str)
        deserialize_newtype_struct(name: &'static str)
        deserialize_tuple(len: usize)
        deserialize_tuple_struct(name: &'static str, len: usize)
        deserialize_struct(name: &'static str, fields: &'static [&'static str])
        deserialize_enum(name: &'static str, variants: &'static [&'static str])
    }

    fn is_human_readable(&self) -> bool {
        false
    }
}

//! The payload of a PackedStringArray. It begins with a `u32` count. For each string, a length, the
//! bytes and a pad follow.

use super::components::{Elements, SubValues};
#[cfg(feature = "alloc")]
use super::parts::{BuildResult, PartSource};
use super::parts::{Part, PartResult};
use super::text::{self, StrRef, Texts};
use crate::buffer::{Cursor, Sink};
#[cfg(feature = "alloc")]
use crate::godot::Error;
use crate::godot::table::dialect::Rules;
use crate::godot::table::layouts::U32;
use crate::godot::table::payload::{Header, Payload};
use crate::godot::write::encoder::Encoder;
use crate::godot::{Dialect, Kind, Result};
use core::fmt;
use core::iter::FusedIterator;

/// A PackedStringArray: a count and that many strings.
///
/// Every engine (1.0 to 4.6.3) writes a NUL after each string and counts it in the length. The
/// iterator removes it.
///
/// ```
/// use gamewire::godot::{Dialect, Reader, VariantRef};
///
/// // PackedStringArray ["a", "bcd"], from Godot 4.6.3
/// let packet = b"\x22\0\0\0\x02\0\0\0\x02\0\0\0a\0\0\0\x04\0\0\0bcd\0";
/// let VariantRef::PackedStringArray(texts) = Reader::new(packet, Dialect::Godot4).read()? else {
///     unreachable!()
/// };
/// assert_eq!(texts.len(), 2);
/// assert!(texts.iter().nth(1).unwrap() == "bcd");
/// # Ok::<(), gamewire::godot::Error>(())
/// ```
#[derive(Clone, Copy)]
pub struct PackedStringArrayRef<'a> {
    /// The strings, each with its length and pad. They were checked when the view was made.
    texts: &'a [u8],
    len: u32,
    dialect: Dialect,
}

impl<'a> PackedStringArrayRef<'a> {
    /// Returns the number of strings.
    pub fn len(&self) -> usize {
        self.len as usize
    }

    /// Returns `true` if there are no strings.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Iterates over the strings. A step takes a few nanoseconds, whatever the length of the
    /// string.
    pub fn iter(&self) -> PackedStrings<'a> {
        PackedStrings(Texts::new(Cursor::new(self.texts), self.len, self.dialect.rules()))
    }
}

impl<'a> IntoIterator for PackedStringArrayRef<'a> {
    type Item = StrRef<'a>;
    type IntoIter = PackedStrings<'a>;

    fn into_iter(self) -> PackedStrings<'a> {
        self.iter()
    }
}

impl fmt::Debug for PackedStringArrayRef<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

/// Iterator over the strings of a [`PackedStringArrayRef`].
#[derive(Clone, Debug)]
pub struct PackedStrings<'a>(Texts<'a>);

impl<'a> PackedStrings<'a> {
    /// Returns the next string, and its bytes including the length and the pad.
    pub(crate) fn next_encoded(&mut self) -> Option<(StrRef<'a>, &'a [u8])> {
        let (text, bytes) = self.0.next_encoded()?;
        Some((without_nul(text), bytes))
    }
}

fn without_nul(text: StrRef<'_>) -> StrRef<'_> {
    let text = text.as_bytes();
    StrRef::new(text.strip_suffix(&[0]).unwrap_or(text))
}

impl<'a> Iterator for PackedStrings<'a> {
    type Item = StrRef<'a>;

    #[inline]
    fn next(&mut self) -> Option<StrRef<'a>> {
        self.0.next().map(without_nul)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.0.size_hint()
    }
}

impl ExactSizeIterator for PackedStrings<'_> {}
impl FusedIterator for PackedStrings<'_> {}

impl<'a> Payload<'a> for PackedStringArrayRef<'a> {
    /// Reads a negative count as an empty array (4.6.3 and 3.6.2).
    #[inline(always)]
    fn read(at: &mut Cursor<'a>, _: Header, rules: &'static Rules) -> Result<Self> {
        let count = at.read::<U32>()?.get();
        let len = if i32::try_from(count).is_ok() { count } else { 0 };
        let start = *at;
        for _ in 0..len {
            text::read(at, rules)?;
        }
        Ok(Self { texts: at.since(&start), len, dialect: rules.dialect })
    }

    fn encode<S: Sink>(&self, kind: Kind, out: &mut Encoder<'_, S>) -> Result<()> {
        out.strings(kind, self.iter().map(|text| text.as_bytes()))
    }

    fn parts<E>(&self, to: &mut impl FnMut(Part<'a>) -> PartResult<E>) -> PartResult<E> {
        self.iter().try_for_each(|text| to(Part::Text(text)))
    }

    #[cfg(feature = "alloc")]
    fn build<'t, S: Sink, E: From<Error>>(
        kind: Kind,
        from: &mut PartSource<'_, 't, E>,
        out: &mut Encoder<'_, S>,
    ) -> BuildResult<E> {
        let texts = from.all(|from| from.text())?;
        Ok(out.strings(kind, texts.iter().map(|text| &**text))?)
    }

    fn sub_values(&self) -> SubValues<'a> {
        SubValues::Elements(Elements::texts(self.iter()))
    }

    fn texts(&self, each: &mut impl FnMut(StrRef<'a>) -> Result<()>) -> Result<()> {
        self.iter().try_for_each(each)
    }
}

//! Names of a package.

use super::cursor::FileCursor;
use super::error::Result;
use super::layout::Layout;
use super::link::Link;
use super::str_ref::StrRef;
use super::value::Value;
use super::versions::ue4;
use crate::buffer::{Full, Sink};
use core::fmt;

/// A name: an index into the names of the package, and a number.
///
/// The number 0 means that the name has no suffix. A number k > 0 stands for the suffix `_`
/// followed by k − 1. Two names are equal if both parts are equal. This assumes that a package
/// lists no name twice, which is true of all packages that engines write.
/// [`Package::name`](crate::unreal::Package::name) returns the text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Name {
    /// Index into the names of the package.
    pub index: i32,
    /// 0 if there is no suffix; otherwise the number after the underscore, plus one.
    pub number: i32,
}

impl<'a> Value<'a> for Name {
    const LEAST: u64 = 8;

    #[inline]
    fn size(_: &Layout) -> Option<u64> {
        Some(Self::LEAST)
    }

    #[inline(always)]
    fn read(from: &mut FileCursor<'a>, layout: &Layout) -> Result<Self> {
        let [index, number] = from.row(layout)?;
        Ok(Self { index, number })
    }

    #[inline]
    fn write<S: Sink>(&self, to: &mut S, layout: &Layout) -> Result<(), Full> {
        self.index.write(to, layout)?;
        self.number.write(to, layout)
    }

    fn links(&self, _: &Layout, to: &mut dyn FnMut(Link)) {
        to(Link::Name(*self));
    }
}

/// The text of a name. `Display` prints it with its number.
///
/// Comparison ignores ASCII case, as in the engine.
#[derive(Clone, Copy, Debug, Default)]
pub struct NameText<'a> {
    text: StrRef<'a>,
    number: i32,
}

impl<'a> NameText<'a> {
    pub(crate) const fn new(text: StrRef<'a>, number: i32) -> Self {
        Self { text, number }
    }

    /// Returns the text without the number.
    pub const fn text(&self) -> StrRef<'a> {
        self.text
    }

    /// Returns the number as stored: 0, or the printed number plus one.
    pub const fn number(&self) -> i32 {
        self.number
    }

    /// Returns the complete name, if it has no number and is stored as ASCII in 8-bit units.
    pub fn as_str(&self) -> Option<&'a str> {
        self.text.as_str().filter(|_| self.number == 0)
    }
}

impl PartialEq<str> for NameText<'_> {
    fn eq(&self, other: &str) -> bool {
        match self.text.narrow_bytes() {
            // In UTF-8, each character takes at least as many bytes as in Latin-1, and more if it is
            // not ASCII.
            Some(bytes) if self.number == 0 && bytes.len() > other.len() => false,
            Some(bytes) if self.number == 0 && other.is_ascii() => {
                bytes.eq_ignore_ascii_case(other.as_bytes())
            }
            _ => {
                let mut rest = Rest(other.chars());
                fmt::write(&mut rest, format_args!("{self}")).is_ok() && rest.0.next().is_none()
            }
        }
    }
}

/// The part of the expected text that has not been printed yet. Writing text with which this part
/// does not begin is an error.
struct Rest<'s>(core::str::Chars<'s>);

impl fmt::Write for Rest<'_> {
    fn write_str(&mut self, s: &str) -> fmt::Result {
        let mut same = s.chars().all(|a| self.0.next().is_some_and(|b| a.eq_ignore_ascii_case(&b)));
        same |= s.is_empty();
        if same { Ok(()) } else { Err(fmt::Error) }
    }
}

impl fmt::Display for NameText<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.number, self.as_str()) {
            (0, Some(text)) => f.pad(text),
            (0, None) => self.text.fmt(f),
            (number, _) => write!(f, "{}_{}", self.text, i64::from(number).wrapping_sub(1)),
        }
    }
}

/// An entry of the name table: the text of a name and, from 4:504 on, two hashes of it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct NameEntry<'a> {
    /// The text.
    pub text: StrRef<'a>,
    /// The stored hashes: one that ignores case, and one of the exact text. Engines do not check
    /// them.
    pub hashes: Option<[u16; 2]>,
}

impl<'a> NameEntry<'a> {
    /// Creates an entry with computed hashes.
    pub fn new(text: StrRef<'a>) -> Self {
        Self { text, hashes: Some(Self::hashes_of(&text)) }
    }

    /// Computes the hashes that engines store with a name. Below 4:517, engines may store different
    /// hashes for UTF-16 text. No sample file is available to check this.
    ///
    /// ```
    /// use gamewire::unreal::{NameEntry, Package};
    ///
    /// # if !std::path::Path::new("corpus").exists() { return Ok(()) } // not published
    /// let file = &std::fs::read("corpus/unreal/ue4.27-TestActorBP.uasset")?;
    /// let name = Package::open(file)?.names().next().unwrap()?;
    /// assert_eq!(name.hashes, Some(NameEntry::hashes_of(&name.text)));
    /// assert!(name.has_right_hashes());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn hashes_of(text: &StrRef<'_>) -> [u16; 2] {
        super::name_hash::hashes(text)
    }

    /// Returns `true` if the stored hashes match the text, or if no hashes are stored.
    pub fn has_right_hashes(&self) -> bool {
        self.hashes.is_none_or(|hashes| hashes == Self::hashes_of(&self.text))
    }
}

impl<'a> Value<'a> for NameEntry<'a> {
    const LEAST: u64 = 4;

    #[inline(always)]
    fn read(from: &mut FileCursor<'a>, layout: &Layout) -> Result<Self> {
        let text = from.read(layout)?;
        if !layout.has_ue4(ue4::NAME_HASHES_SERIALIZED) {
            return Ok(Self { text, hashes: None });
        }
        Ok(Self { text, hashes: Some(from.row(layout)?) })
    }

    fn write<S: Sink>(&self, to: &mut S, layout: &Layout) -> Result<(), Full> {
        self.text.write(to, layout)?;
        if !layout.has_ue4(ue4::NAME_HASHES_SERIALIZED) {
            return Ok(());
        }
        let hashes = self.hashes.unwrap_or_else(|| Self::hashes_of(&self.text));
        hashes.iter().try_for_each(|hash| hash.write(to, layout))
    }
}

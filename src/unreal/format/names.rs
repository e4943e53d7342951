//! Names and the numbers that stand for them and for objects.

use super::cursor::FileCursor;
use super::error::Result;
use super::layout::Layout;
use super::link::Link;
use super::str_ref::StrRef;
use super::value::Value;
use super::versions::ue4;
use crate::buffer::{Full, Sink};
use core::fmt;

/// A name: which of the package's, and the number after it.
///
/// A number of 0 is none; k > 0 stands for the suffix `_` and k − 1. Two are the same name
/// if both parts are (a package may list a name twice, which engines do not).
/// [`Package::name`](super::Package::name) has the text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Name {
    /// Index among the package's names.
    pub index: i32,
    /// 0, or one more than the number after the underscore.
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

/// The text of a name: `Display` prints it with its number.
///
/// Comparing goes by ASCII letters of either case, as the engine does it.
#[derive(Clone, Copy, Debug, Default)]
pub struct NameText<'a> {
    text: StrRef<'a>,
    number: i32,
}

impl<'a> NameText<'a> {
    pub(crate) const fn new(text: StrRef<'a>, number: i32) -> Self {
        Self { text, number }
    }

    /// Without the number.
    pub const fn text(&self) -> StrRef<'a> {
        self.text
    }

    /// As it stands in the file: 0, or one more than what is printed.
    pub const fn number(&self) -> i32 {
        self.number
    }

    /// The whole of it, where that is ASCII without a number.
    pub fn as_str(&self) -> Option<&'a str> {
        self.text.as_str().filter(|_| self.number == 0)
    }
}

impl PartialEq<str> for NameText<'_> {
    fn eq(&self, other: &str) -> bool {
        match self.as_str() {
            Some(text) => text.eq_ignore_ascii_case(other),
            None => {
                let mut rest = Rest(other.chars());
                fmt::write(&mut rest, format_args!("{self}")).is_ok() && rest.0.next().is_none()
            }
        }
    }
}

/// What of a text is still to come; writing something else fails.
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

/// One of a package's names, with the hashes that stand behind it from version 504 on.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct NameEntry<'a> {
    /// The text.
    pub text: StrRef<'a>,
    /// Hash of the letters whatever their case, and of the text as it is, as stored. Engines
    /// do not look at them when they load.
    pub hashes: Option<[u16; 2]>,
}

impl<'a> NameEntry<'a> {
    /// A name with its hashes.
    pub fn new(text: StrRef<'a>) -> Self {
        Self { text, hashes: Some(Self::hashes_of(&text)) }
    }

    /// The hashes that engines store behind a name. (Below 4:517 those of text in 16-bit units
    /// may have been others; there is no such file to look at.)
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

    /// Whether the hashes are those of the text, where there are any.
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

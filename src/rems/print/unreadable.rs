//! Output that engines write but cannot read back.

use crate::rems::{Kind, Type};

/// Reason why an engine could not read back the output.
///
/// All reasons were observed in the engines themselves. Each check applies to the version of the
/// engine that the [`Dialect`](super::Dialect) or `Era` names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
#[non_exhaustive]
pub enum Unreadable {
    /// In a text file, a class name that is the name of a kind, contains a colon, or ends with
    /// brackets. Readers misinterpret a key that contains such a class name.
    #[error("a key with this class name would be read as something else")]
    ClassName,
    /// In a text file, a property with a blank name. The engine writes its value without a key.
    #[error("the engine writes no key for a blank name")]
    BlankName,
    /// In a text file, a first property with the key `i:*ptr`. Readers take it for the number of
    /// the object.
    #[error("the first property of an object without a number would be read as its number")]
    LooksLikeNumber,
    /// In a text file from 2021, a single integer vector with a name that looks like a type. The
    /// engine swaps the vector's type and name, and a reader that undoes the swap would take the
    /// name for a type.
    #[error("the name of this vector would be read as a type")]
    SwappedName,
    /// A type that the engine does not have.
    #[error("the engine of that time has no type {0:?}")]
    NoSuchKind(Kind),
    /// A type that the engine writes, but does not read.
    #[error("the engine of that time does not read the type {}", Type::Kind(*kind, *dim))]
    WriteOnly {
        /// The kind.
        kind: Kind,
        /// Number of array dimensions of the value.
        dim: u8,
    },
    /// A list of lists of objects or, in a binary stream, a list of one class. Some engines write
    /// such lists, but do not read them.
    #[error("the engine of that time does not read this type of list")]
    List,
    /// Text: `NaN` or `Infinity`. Engines write them without quotes, but read them only with
    /// quotes, or not at all.
    #[error("no engine reads NaN and Infinity in text")]
    NotFinite,
    /// Text: `null` for a string or an array.
    #[error("no engine reads null for a string or array")]
    Null,
    /// Text of 2026: a character that must be escaped.
    #[error("the engine does not read escaped characters")]
    EscapedLetter,
    /// An unpaired surrogate, which text cannot represent.
    #[error("an unpaired surrogate becomes a question mark")]
    HalfPair,
    /// Bytes that are not UTF-8.
    #[error("the text is not UTF-8")]
    NotUtf8,
    /// A pointer to a number that no object has. Engines treat the property as absent, and an
    /// element of a list as null.
    #[error("no object has the number of this pointer")]
    Dangling,
    /// Binary: a file without objects.
    #[error("the engine does not read streams without objects")]
    NoObjects,
}

impl Unreadable {
    /// Returns `true` if every reader would read a different value from the output, so the original
    /// value is lost. If an item has several problems, the [`Warning`] reports one for which this
    /// method returns `true`, if there is one.
    pub const fn is_lost(self) -> bool {
        matches!(self, Self::ClassName | Self::LooksLikeNumber | Self::SwappedName | Self::HalfPair)
    }
}

/// Warning about output that the engine could not read back.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Warning {
    /// Reason why the engine cannot read the output back.
    pub reason: Unreadable,
    /// Offset in the output.
    pub offset: u64,
}

impl Warning {
    /// Records a warning, unless one is already recorded. A warning about a lost value replaces a
    /// warning about any other problem.
    pub(crate) fn add(kept: &mut Option<Self>, reason: Unreadable, offset: u64) {
        let less = kept.is_none_or(|kept| reason.is_lost() && !kept.reason.is_lost());
        if less {
            *kept = Some(Self { reason, offset });
        }
    }
}

impl core::fmt::Display for Warning {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        core::fmt::Display::fmt(&self.reason, f)
    }
}

/// Result of printing a component. The component is printed even if the result is an error; the
/// error means that the engine cannot read the output back.
pub type Verdict = core::result::Result<(), Unreadable>;

//! Output that engines write but cannot read back.

use crate::rems::Kind;

/// Reason why an engine could not read back the output.
///
/// All of these were observed in the engines themselves. The facts are those of the engine that the
/// [`Dialect`](super::Dialect) or `Era` stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
#[non_exhaustive]
pub enum Unreadable {
    /// Text: a class with the name of a kind, with a colon, or with brackets at the end. A key with
    /// it means something else.
    #[error("a key with this class name would be read as something else")]
    ClassName,
    /// Text: a property with a blank name. The engine writes its value without a key.
    #[error("the engine writes no key for a blank name")]
    BlankName,
    /// Text: `i:*ptr` as the first property, which is read as the number of the object.
    #[error("the first property of an object without a number would be read as its number")]
    LooksLikeNumber,
    /// Text of 2021: a single integer vector, which is written with type and name swapped, and
    /// whose name would then be read as a type even by readers that know of the swap.
    #[error("the name of this vector would be read as a type")]
    SwappedName,
    /// A type that the engine does not have.
    #[error("the engine of that time has no type {0:?}")]
    NoSuchKind(Kind),
    /// A type that the engine writes, but does not read.
    #[error("the engine of that time does not read {kind:?} inside {dim} arrays")]
    WriteOnly {
        /// The kind.
        kind: Kind,
        /// Number of arrays around it.
        dim: u8,
    },
    /// Lists of lists of objects, or in binary lists of one class: these engines write them, but do
    /// not read them.
    #[error("the engine of that time does not read this type of list")]
    List,
    /// Text: `NaN` or `Infinity`. Engines write them without quotes, and can at best read them with
    /// quotes.
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
    /// Binary: a file without objects.
    #[error("the engine does not read streams without objects")]
    NoObjects,
}

impl Unreadable {
    /// `true` if the output has another meaning even to other readers, so that the value is lost.
    /// A [`Warning`] prefers such a problem to others of the same item.
    pub const fn is_lost(self) -> bool {
        matches!(self, Self::ClassName | Self::LooksLikeNumber | Self::SwappedName | Self::HalfPair)
    }
}

/// Warning about output that the engine could not read back.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Warning {
    /// Reason why the engine cannot read it.
    pub reason: Unreadable,
    /// Offset in the output.
    pub offset: u64,
}

impl Warning {
    /// Records the first warning, or the first one with a loss.
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

/// Result of printing a component. Something is printed in any case; with an error, an engine
/// cannot read it.
pub type Verdict = core::result::Result<(), Unreadable>;

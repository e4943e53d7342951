//! Texts to be translated.

use crate::buffer::{Full, Sink};
use crate::unreal::format::{ErrorKind, FileCursor, Layout, List, Result, StrRef, Value, records};

records! { <'a> (this, layout)
    /// Text to be translated.
    struct GatherableText<'a> {
        /// Of its key.
        namespace: StrRef<'a>;
        /// The text itself.
        source: StrRef<'a>;
        /// What is said of it.
        source_metadata: List<'a, TextMetadata<'a>>;
        /// Where it is used.
        sites: List<'a, TextSite<'a>>;
    }

    /// Where a text is used.
    struct TextSite<'a> {
        /// Key of the text.
        key: StrRef<'a>;
        /// Which property of what.
        site: StrRef<'a>;
        /// Whether only the editor shows it.
        editor_only: bool;
        /// Whether it may stay as it is.
        optional: bool;
        /// What is said of the place.
        info_metadata: List<'a, TextMetadata<'a>>;
        /// What makes the key one of its own.
        key_metadata: List<'a, TextMetadata<'a>>;
    }

    /// A remark about a text.
    struct TextMetadata<'a> {
        /// Its name.
        key: StrRef<'a>;
        /// What it says.
        value: TextMetadataValue<'a>;
    }
}

/// What a remark about a text says.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum TextMetadataValue<'a> {
    /// Nothing.
    #[default]
    None,
    /// Yes or no.
    Bool(bool),
    /// Text.
    Text(StrRef<'a>),
    /// Several.
    Array(List<'a, TextMetadataValue<'a>>),
    /// Several, with names.
    Object(List<'a, TextMetadata<'a>>),
}

impl<'a> Value<'a> for TextMetadataValue<'a> {
    const LEAST: u64 = 4;

    fn read(from: &mut FileCursor<'a>, layout: &Layout) -> Result<Self> {
        let start = *from;
        Ok(match from.read::<i32>(layout)? {
            0 => Self::None,
            1 => Self::Bool(from.read(layout)?),
            2 => Self::Text(from.read(layout)?),
            3 => Self::Array(from.nested(layout)?),
            4 => Self::Object(from.nested(layout)?),
            other => {
                let (what, value) = ("type of a text's metadata", other.into());
                return Err(start.error(ErrorKind::Unknown { what, value }));
            }
        })
    }

    fn write<S: Sink>(&self, to: &mut S, layout: &Layout) -> Result<(), Full> {
        let kind = |to: &mut S, kind: i32| kind.write(to, layout);
        match self {
            Self::None => kind(to, 0),
            Self::Bool(value) => kind(to, 1).and_then(|()| value.write(to, layout)),
            Self::Text(text) => kind(to, 2).and_then(|()| text.write(to, layout)),
            Self::Array(values) => kind(to, 3).and_then(|()| values.write(to, layout)),
            Self::Object(pairs) => kind(to, 4).and_then(|()| pairs.write(to, layout)),
        }
    }
}

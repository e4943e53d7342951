//! Gatherable texts.

use crate::buffer::{Full, Sink};
use crate::unreal::format::{ErrorKind, FileCursor, Layout, List, Result, StrRef, Value, records};

records! { <'a> (this, layout)
    /// A translatable text.
    struct GatherableText<'a> {
        /// Namespace of the key.
        namespace: StrRef<'a>;
        /// The text in the source language.
        source: StrRef<'a>;
        /// Metadata of the text.
        source_metadata: List<'a, TextMetadata<'a>>;
        /// Places that use the text.
        sites: List<'a, TextSite<'a>>;
    }

    /// A place that uses a text.
    struct TextSite<'a> {
        /// Key of the text.
        key: StrRef<'a>;
        /// Description of the property.
        site: StrRef<'a>;
        /// `true` if only the editor shows the text.
        editor_only: bool;
        /// `true` if the translation is optional.
        optional: bool;
        /// Metadata of the place.
        info_metadata: List<'a, TextMetadata<'a>>;
        /// Metadata that distinguishes the key from equal keys.
        key_metadata: List<'a, TextMetadata<'a>>;
    }

    /// A metadata entry of a text.
    struct TextMetadata<'a> {
        /// Name of the entry.
        key: StrRef<'a>;
        /// Value of the entry.
        value: TextMetadataValue<'a>;
    }
}

/// The value of a metadata entry.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum TextMetadataValue<'a> {
    /// No value.
    #[default]
    None,
    /// A bool.
    Bool(bool),
    /// A string.
    Text(StrRef<'a>),
    /// An array.
    Array(List<'a, TextMetadataValue<'a>>),
    /// An object.
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

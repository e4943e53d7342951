use crate::unreal::format::Guid;
use crate::unreal::format::Layout;
use crate::unreal::format::List;
use crate::unreal::format::PackageIndex;
use crate::unreal::format::StrRef;
use crate::unreal::format::Utf8StrRef;
use crate::unreal::format::Value;
use crate::unreal::format::{FieldVisitor, Record};
use crate::unreal::format::{Name, NameEntry, NameText};
use core::fmt;
use serde::ser::{Serialize, SerializeMap, Serializer};

/// The context for serializing a value: the names of the file, and its layout, which determines the
/// fields of a record.
#[derive(Clone, Copy, Debug)]
pub struct SerializeContext<'c, 'a> {
    pub layout: &'c Layout,
    /// `None` in a save, where names are strings, and in the document of a package that cannot be
    /// opened.
    pub names: Option<&'c dyn NameLookup<'a>>,
}

/// Resolves names to their text.
pub trait NameLookup<'a>: fmt::Debug {
    /// Returns the text of a name, or `None` if the file does not have the name.
    fn name_text(&self, name: Name) -> Option<NameText<'a>>;
}

/// A value that `serde` can serialize in the context of its file.
pub trait SerializeIn<'a>: Copy {
    /// Serializes the value.
    #[doc(hidden)]
    fn serialize_in<S: Serializer>(
        &self,
        context: SerializeContext<'_, 'a>,
        to: S,
    ) -> Result<S::Ok, S::Error>;

    /// Serializes the value as a field. Most values produce one entry, but a value can produce none
    /// or several.
    #[doc(hidden)]
    fn serialize_field<M: SerializeMap>(
        &self,
        name: &'static str,
        context: SerializeContext<'_, 'a>,
        map: &mut M,
    ) -> Result<(), M::Error> {
        map.serialize_entry(name, &InContext(*self, context))
    }
}

/// A value together with the context in which it is serialized.
#[derive(Clone, Copy, Debug)]
pub struct InContext<'c, 'a, T>(pub T, pub SerializeContext<'c, 'a>);

impl<'a, T: SerializeIn<'a>> Serialize for InContext<'_, 'a, T> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        self.0.serialize_in(self.1, to)
    }
}

/// An iterator that is serialized as the sequence of its items.
#[derive(Clone, Copy, Debug)]
pub struct Seq<I>(pub I);

impl<I: Iterator<Item: Serialize> + Clone> Serialize for Seq<I> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_seq(self.0.clone())
    }
}

/// Bytes that are serialized in file order, as two hexadecimal digits each.
#[derive(Clone, Copy, Debug)]
pub struct Hex<'b>(pub &'b [u8]);

impl fmt::Display for Hex<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl Serialize for Hex<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(self)
    }
}

/// A value that is serialized as its `Display` output.
#[derive(Clone, Copy, Debug)]
pub struct AsDisplay<T>(pub T);

impl<T: fmt::Display> Serialize for AsDisplay<T> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(&self.0)
    }
}

/// A floating-point number. NaN and infinities are serialized as strings, since JSON does not have
/// them.
#[derive(Clone, Copy, Debug)]
pub struct FiniteOrText<T>(pub T);

/// Serializes the fields of a record as a map.
pub fn serialize_record<'a, R: Record<'a>, S: Serializer>(
    record: &R,
    context: SerializeContext<'_, 'a>,
    to: S,
) -> Result<S::Ok, S::Error> {
    let mut map = to.serialize_map(None)?;
    record.each(context.layout, &mut FieldEntries { map: &mut map, context })?;
    map.end()
}

/// A visitor that serializes each field of a record as an entry of a map.
pub struct FieldEntries<'m, 'c, 'a, M> {
    pub map: &'m mut M,
    pub context: SerializeContext<'c, 'a>,
}

impl<'a, M: SerializeMap> FieldVisitor<'a> for FieldEntries<'_, '_, 'a, M> {
    type Error = M::Error;

    fn field<T: Value<'a>>(&mut self, name: &'static str, value: &T) -> Result<(), M::Error> {
        value.serialize_field(name, self.context, self.map)
    }
}

macro_rules! as_they_are {
    ($($T:ident)*) => {$(
        impl<'a> SerializeIn<'a> for $T {
            fn serialize_in<S: Serializer>(&self, _: SerializeContext<'_, 'a>, to: S) -> Result<S::Ok, S::Error> {
                self.serialize(to)
            }
        }
    )*};
}
as_they_are! { bool i8 i16 i32 i64 u8 u16 u32 u64 }

macro_rules! reals {
    ($($T:ident)*) => {$(
        impl Serialize for FiniteOrText<$T> {
            fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
                match self.0.is_finite() {
                    true => self.0.serialize(to),
                    false => to.collect_str(&self.0),
                }
            }
        }

        impl<'a> SerializeIn<'a> for $T {
            fn serialize_in<S: Serializer>(&self, _: SerializeContext<'_, 'a>, to: S) -> Result<S::Ok, S::Error> {
                FiniteOrText(*self).serialize(to)
            }
        }
    )*};
}
reals! { f32 f64 }

macro_rules! as_text {
    ($($T:ty)*) => {$(
        /// Serializes the text that `Display` prints.
        impl Serialize for $T {
            fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
                match self.as_str() {
                    Some(text) => to.serialize_str(text),
                    None => to.collect_str(self),
                }
            }
        }

        impl<'a> SerializeIn<'a> for $T {
            fn serialize_in<S: Serializer>(&self, _: SerializeContext<'_, 'a>, to: S) -> Result<S::Ok, S::Error> {
                self.serialize(to)
            }
        }
    )*};
}
as_text! { StrRef<'_> NameText<'_> Utf8StrRef<'_> }

impl<'a, const N: usize> SerializeIn<'a> for [u8; N] {
    fn serialize_in<S: Serializer>(
        &self,
        _: SerializeContext<'_, 'a>,
        to: S,
    ) -> Result<S::Ok, S::Error> {
        Hex(self).serialize(to)
    }
}

impl<'a> SerializeIn<'a> for Guid {
    fn serialize_in<S: Serializer>(
        &self,
        _: SerializeContext<'_, 'a>,
        to: S,
    ) -> Result<S::Ok, S::Error> {
        to.collect_str(self)
    }
}

impl<'a> SerializeIn<'a> for PackageIndex {
    fn serialize_in<S: Serializer>(
        &self,
        _: SerializeContext<'_, 'a>,
        to: S,
    ) -> Result<S::Ok, S::Error> {
        self.0.serialize(to)
    }
}

/// Serializes the text of the name. An invalid name is serialized as a string that contains its
/// index, and the document lists the table that refers to the name among its errors.
impl<'a> SerializeIn<'a> for Name {
    fn serialize_in<S: Serializer>(
        &self,
        context: SerializeContext<'_, 'a>,
        to: S,
    ) -> Result<S::Ok, S::Error> {
        match context.names.and_then(|names| names.name_text(*self)) {
            Some(text) => text.serialize_in(context, to),
            None => to.collect_str(&format_args!("<no name {}>", self.index)),
        }
    }
}

impl<'a> SerializeIn<'a> for NameEntry<'a> {
    fn serialize_in<S: Serializer>(
        &self,
        context: SerializeContext<'_, 'a>,
        to: S,
    ) -> Result<S::Ok, S::Error> {
        self.text.serialize_in(context, to)
    }
}

/// Elements are serialized in the layout of the list, which includes the version of the enclosing
/// table.
impl<'a, T: Value<'a>> SerializeIn<'a> for List<'a, T> {
    fn serialize_in<S: Serializer>(
        &self,
        context: SerializeContext<'_, 'a>,
        to: S,
    ) -> Result<S::Ok, S::Error> {
        let context = SerializeContext { layout: self.layout(), ..context };
        to.collect_seq(self.iter().flatten().map(|value| InContext(value, context)))
    }
}

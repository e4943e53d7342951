use crate::unreal::names::{Name, NameEntry, NameText, PackageIndex};
use crate::unreal::record::{Fields, Record};
use crate::unreal::wire::Value;
use crate::unreal::{Guid, Layout, List, Package, Text, Utf8Text};
use core::fmt;
use serde::ser::{Serialize, SerializeMap, Serializer};

/// What a value has to be seen in to be understood: names and lists are of the package, and
/// the fields of a record depend on the layout.
#[derive(Clone, Copy, Debug)]
pub struct Context<'c, 'a> {
    pub layout: &'c Layout,
    /// `None` for what is in no package (a save: names are text there).
    pub package: Option<&'c Package<'a>>,
}

/// How a value looks in a document.
pub trait Show<'a>: Copy {
    /// The value itself.
    #[doc(hidden)]
    fn show<S: Serializer>(&self, within: Context<'_, 'a>, to: S) -> Result<S::Ok, S::Error>;

    /// The value as a field: an entry, unless it is none or several.
    #[doc(hidden)]
    fn entry<M: SerializeMap>(
        &self,
        name: &'static str,
        within: Context<'_, 'a>,
        map: &mut M,
    ) -> Result<(), M::Error> {
        map.serialize_entry(name, &Shown(*self, within))
    }
}

/// A value for `serde`.
#[derive(Clone, Copy, Debug)]
pub struct Shown<'c, 'a, T>(pub T, pub Context<'c, 'a>);

impl<'a, T: Show<'a>> Serialize for Shown<'_, 'a, T> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        self.0.show(self.1, to)
    }
}

/// What an iterator gives, as a sequence.
#[derive(Clone, Copy, Debug)]
pub struct Seq<I>(pub I);

impl<I: Iterator<Item: Serialize> + Clone> Serialize for Seq<I> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_seq(self.0.clone())
    }
}

/// Bytes in the order of the file, two digits each.
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

/// What it prints.
#[derive(Clone, Copy, Debug)]
pub struct AsText<T>(pub T);

impl<T: fmt::Display> Serialize for AsText<T> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(&self.0)
    }
}

/// A number; what is none or infinite is text, since JSON does not have it.
#[derive(Clone, Copy, Debug)]
pub struct Real<T>(pub T);

/// The fields of a record, as a map.
pub fn record<'a, R: Record<'a>, S: Serializer>(
    record: &R,
    within: Context<'_, 'a>,
    to: S,
) -> Result<S::Ok, S::Error> {
    let mut map = to.serialize_map(None)?;
    record.each(within.layout, &mut Entries { map: &mut map, within })?;
    map.end()
}

/// An entry for each field.
pub struct Entries<'m, 'c, 'a, M> {
    pub map: &'m mut M,
    pub within: Context<'c, 'a>,
}

impl<'a, M: SerializeMap> Fields<'a> for Entries<'_, '_, 'a, M> {
    type Error = M::Error;

    fn field<T: Value<'a>>(&mut self, name: &'static str, value: &T) -> Result<(), M::Error> {
        value.entry(name, self.within, self.map)
    }
}

macro_rules! as_they_are {
    ($($T:ident)*) => {$(
        impl<'a> Show<'a> for $T {
            fn show<S: Serializer>(&self, _: Context<'_, 'a>, to: S) -> Result<S::Ok, S::Error> {
                self.serialize(to)
            }
        }
    )*};
}
as_they_are! { bool i8 i16 i32 i64 u8 u16 u32 u64 }

macro_rules! reals {
    ($($T:ident)*) => {$(
        impl Serialize for Real<$T> {
            fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
                match self.0.is_finite() {
                    true => self.0.serialize(to),
                    false => to.collect_str(&self.0),
                }
            }
        }

        impl<'a> Show<'a> for $T {
            fn show<S: Serializer>(&self, _: Context<'_, 'a>, to: S) -> Result<S::Ok, S::Error> {
                Real(*self).serialize(to)
            }
        }
    )*};
}
reals! { f32 f64 }

macro_rules! as_text {
    ($($T:ty)*) => {$(
        impl<'a> Show<'a> for $T {
            fn show<S: Serializer>(&self, _: Context<'_, 'a>, to: S) -> Result<S::Ok, S::Error> {
                match self.as_str() {
                    Some(text) => to.serialize_str(text),
                    None => to.collect_str(self),
                }
            }
        }
    )*};
}
as_text! { Text<'a> NameText<'a> Utf8Text<'a> }

impl<'a, const N: usize> Show<'a> for [u8; N] {
    fn show<S: Serializer>(&self, _: Context<'_, 'a>, to: S) -> Result<S::Ok, S::Error> {
        Hex(self).serialize(to)
    }
}

impl<'a> Show<'a> for Guid {
    fn show<S: Serializer>(&self, _: Context<'_, 'a>, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(self)
    }
}

impl<'a> Show<'a> for PackageIndex {
    fn show<S: Serializer>(&self, _: Context<'_, 'a>, to: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(to)
    }
}

/// One that the package does not have looks as no name does; the table it is in is among the
/// errors of the document.
impl<'a> Show<'a> for Name {
    fn show<S: Serializer>(&self, within: Context<'_, 'a>, to: S) -> Result<S::Ok, S::Error> {
        match within.package.and_then(|package| package.name(*self)) {
            Some(text) => text.show(within, to),
            None => to.collect_str(&format_args!("<no name {}>", self.index)),
        }
    }
}

impl<'a> Show<'a> for NameEntry<'a> {
    fn show<S: Serializer>(&self, within: Context<'_, 'a>, to: S) -> Result<S::Ok, S::Error> {
        self.text.show(within, to)
    }
}

/// Elements are in the layout of the list, which may be that of a table.
impl<'a, T: Value<'a>> Show<'a> for List<'a, T> {
    fn show<S: Serializer>(&self, within: Context<'_, 'a>, to: S) -> Result<S::Ok, S::Error> {
        let within = Context { layout: self.layout(), ..within };
        to.collect_seq(self.iter().flatten().map(|value| Shown(value, within)))
    }
}

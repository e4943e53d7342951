use core::fmt;
use core::marker::PhantomData;
use core::str::from_utf8;
use serde::de::value::MapAccessDeserializer;
use serde::de::{self, Deserialize, Deserializer, MapAccess, Visitor};

/// An object, the number of an object elsewhere, or null.
///
/// The engine that wrote the file chose the form. An engine writes each object only once; for all
/// other references to the object, it writes only the object's number.
/// [`Pointers`](super::super::Pointers) resolves numbers.
///
/// ```
/// use gamewire::rems::serde::Link;
/// use gamewire::rems::{TextReader, from_items};
/// use serde::Deserialize;
///
/// #[derive(Deserialize)]
/// struct Outer {
///     children: Vec<Link<Inner>>,
/// }
/// #[derive(Deserialize, PartialEq, Debug)]
/// struct Inner {
///     x: i32,
/// }
///
/// let text = br#"[{"class":"Outer","*[]:children":[4,{"class":"Inner","i:*ptr":2,"i:x":5},2,null]}]"#;
/// let [outer] = from_items::<[Outer; 1]>(&mut TextReader::new(text))?;
/// let [first, second, third, fourth] = outer.children.try_into().unwrap_or_default();
/// assert_eq!(first, Link::Object(Inner { x: 5 }));
/// assert_eq!(second, Link::Number(2));
/// assert_eq!((third, fourth), (Link::Null, Link::Null)); // the last is not written
/// # Ok::<(), gamewire::rems::serde::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Link<T> {
    /// Null, or the number 0.
    #[default]
    Null,
    /// The number of an object.
    Number(u64),
    /// The object itself.
    Object(T),
}

impl<T> Link<T> {
    /// Returns the object, if the file contains it at this point.
    pub fn object(&self) -> Option<&T> {
        match self {
            Self::Object(object) => Some(object),
            _ => None,
        }
    }

    /// Returns the number of the object, if the file contains only the number at this point.
    pub fn number(&self) -> Option<u64> {
        match self {
            Self::Number(number) => Some(*number),
            _ => None,
        }
    }
}

/// Name of the newtype for serde. The deserializer recognises it by its address, which no other
/// string has.
static NAME: [u8; 4] = *b"Link";

fn name() -> &'static str {
    from_utf8(&NAME).unwrap_or_default()
}

pub(super) fn is_link(name: &str) -> bool {
    core::ptr::eq(name.as_ptr(), NAME.as_ptr())
}

/// If serde has buffered the value (as it does for untagged and internally tagged enums), `T`
/// cannot be an enum whose variants are classes.
impl<'de, T: Deserialize<'de>> Deserialize<'de> for Link<T> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_newtype_struct(name(), Linked(PhantomData))
    }
}

struct Linked<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de>> Visitor<'de> for Linked<T> {
    type Value = Link<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object, the number of one, or null")
    }

    /// Deserializers of other crates call this method, for example serde's own for buffered values.
    fn visit_newtype_struct<D: Deserializer<'de>>(self, from: D) -> Result<Link<T>, D::Error> {
        from.deserialize_any(self)
    }

    fn visit_none<E: de::Error>(self) -> Result<Link<T>, E> {
        Ok(Link::Null)
    }

    fn visit_unit<E: de::Error>(self) -> Result<Link<T>, E> {
        Ok(Link::Null)
    }

    fn visit_some<D: Deserializer<'de>>(self, from: D) -> Result<Link<T>, D::Error> {
        T::deserialize(from).map(Link::Object)
    }

    fn visit_u64<E: de::Error>(self, number: u64) -> Result<Link<T>, E> {
        match number {
            0 => Ok(Link::Null),
            number => Ok(Link::Number(number)),
        }
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Link<T>, A::Error> {
        T::deserialize(MapAccessDeserializer::new(map)).map(Link::Object)
    }
}

//! Selects one value of a document without building the document. A serializer skips all values
//! that are not on the path, and stops after the selected value.
//!
//! The serializer knows two conventions of the documents. In a list of objects with a name or a
//! key, such as `{"name", "value"}` for properties or `{"key", "value"}` for map entries, a segment
//! selects the value by that name or key. An object with `entries` is searched like its entries.
//!
//! Values are passed as trait objects (`erased_serde`), because the values of a document have about
//! 270 types, and a generic function would be compiled for each type.

use crate::ui::path::{Segment, quote_if_needed, short};
use erased_serde::Serialize as Value;
use serde::ser::{
    Error, Impossible, Serialize, SerializeMap, SerializeSeq, SerializeTuple, Serializer,
};
use std::fmt::{self, Display};
use std::io;

/// A receiver of the value that a path selects.
pub trait Print {
    fn print(&mut self, value: &dyn Value) -> io::Result<()>;
}

/// The reason why the serializer stopped.
#[derive(Debug)]
pub enum Stop {
    /// The value was printed.
    Done,
    Output(io::Error),
    /// The path does not exist. Contains the number of segments after the segment that was not
    /// found.
    Missing(usize, Missing),
    /// The entry of a list does not have the requested name or key. Contains the entry's own name
    /// or key, or `None` if it has neither.
    Another(Option<(What, String)>),
}

/// The reason why a segment was not found, and the names or the number of elements that exist
/// there.
#[derive(Debug)]
pub enum Missing {
    Names(What, Vec<String>),
    /// A list with this number of elements.
    Elements(usize),
    Nothing,
    /// A property whose value could not be decoded.
    Bytes,
    /// Several objects have this name. Contains their paths.
    Several(Vec<String>),
}

/// Maximum number of names that are collected for a message.
pub const MAX_NAMES: usize = 100_000;

/// The type of the names among which a segment was searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum What {
    Word,
    Property,
    Key,
    Export,
    Import,
}

/// Follows `path` from `value`, and prints the value at the end of the path.
pub fn select(value: &dyn Value, path: &[Segment<'_>], to: &mut dyn Print) -> Stop {
    let Some((segment, rest)) = path.split_first() else {
        return to.print(value).map_or_else(Stop::Output, |()| Stop::Done);
    };
    let index = segment.index();
    let mut step = Step { segment, rest, index, in_list: false, to };
    let stop = step.go(value);
    // A negative index counts from the end. The first attempt has determined the length, so retry
    // with an absolute index.
    match (index, stop) {
        (Some(index @ ..0), Stop::Missing(left, Missing::Elements(count)))
            if left == rest.len() =>
        {
            match i64::try_from(count).unwrap_or(i64::MAX).saturating_add(index) {
                ..0 => Stop::Missing(left, Missing::Elements(count)),
                index => Step { index: Some(index), ..step }.go(value),
            }
        }
        (_, stop) => stop,
    }
}

/// A serializer that searches for one segment of the path.
struct Step<'s, 'p, 'o> {
    segment: &'s Segment<'p>,
    rest: &'s [Segment<'p>],
    index: Option<i64>,
    /// `true` if the value is an entry of a list that is searched by name or key.
    in_list: bool,
    to: &'o mut dyn Print,
}

impl Step<'_, '_, '_> {
    fn go(&mut self, value: &dyn Value) -> Stop {
        match erased_serde::serialize(value, self.again()) {
            Err(stop) => stop,
            Ok(()) => self.missing(Missing::Nothing),
        }
    }

    fn again(&mut self) -> Step<'_, '_, '_> {
        Step { to: &mut *self.to, ..*self }
    }

    /// Searches one entry of a list for the name or key.
    fn entry(&mut self, value: &dyn Value) -> Stop {
        Step { in_list: true, ..self.again() }.go(value)
    }

    fn on(&mut self, value: &dyn Value) -> Stop {
        select(value, self.rest, self.to)
    }

    fn missing(&self, missing: Missing) -> Stop {
        match self.in_list {
            true => Stop::Another(None),
            false => Stop::Missing(self.rest.len(), missing),
        }
    }
}

/// The state of the search in a list.
struct List<'s, 'p, 'o> {
    step: Step<'s, 'p, 'o>,
    /// Number of elements that have been visited.
    count: usize,
    names: Vec<String>,
    what: What,
}

impl List<'_, '_, '_> {
    fn element(&mut self, value: &dyn Value) -> Result<(), Stop> {
        match self.step.index {
            Some(index) if u64::try_from(index) == Ok(self.count as u64) => {
                return Err(self.step.on(value));
            }
            Some(_) => {}
            None => match self.step.entry(value) {
                Stop::Another(Some((what, name))) => {
                    self.what = what;
                    if self.names.len() < MAX_NAMES {
                        self.names.push(name);
                    }
                }
                Stop::Another(None) => {}
                stop => return Err(stop),
            },
        }
        self.count = self.count.saturating_add(1);
        Ok(())
    }

    fn finish(self) -> Result<(), Stop> {
        Err(self.step.missing(match self.names.is_empty() {
            true => Missing::Elements(self.count),
            false => Missing::Names(self.what, self.names),
        }))
    }
}

impl SerializeSeq for List<'_, '_, '_> {
    type Ok = ();
    type Error = Stop;

    fn serialize_element<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Stop> {
        self.element(&value)
    }

    fn end(self) -> Result<(), Stop> {
        self.finish()
    }
}

impl SerializeTuple for List<'_, '_, '_> {
    type Ok = ();
    type Error = Stop;

    fn serialize_element<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Stop> {
        self.element(&value)
    }

    fn end(self) -> Result<(), Stop> {
        self.finish()
    }
}

/// The state of the search in an object.
struct Map<'s, 'p, 'o> {
    step: Step<'s, 'p, 'o>,
    key: String,
    /// Keys that have been visited, for the error message if no key matches.
    names: Vec<String>,
    what: What,
    /// The name or key of this list entry. `None` until it has been visited.
    name: Option<(What, String)>,
    array_index: Option<String>,
}

impl Map<'_, '_, '_> {
    fn value(&mut self, key: &str, value: &dyn Value) -> Result<(), Stop> {
        match self.step.in_list {
            true => self.of_entry(key, value),
            false => self.member(key, value),
        }
    }

    fn member(&mut self, key: &str, value: &dyn Value) -> Result<(), Stop> {
        if self.step.segment.is(key) {
            return Err(self.step.on(value));
        }
        if key == "entries" {
            let mut keys = Step { index: None, ..self.step.again() };
            match keys.go(value) {
                Stop::Missing(left, Missing::Names(what, names)) if left == keys.rest.len() => {
                    (self.what, self.names) = (what, names);
                    return Ok(());
                }
                Stop::Missing(left, _) if left == keys.rest.len() => {}
                stop => return Err(stop),
            }
        }
        self.names.push(key.into());
        Ok(())
    }

    fn of_entry(&mut self, key: &str, value: &dyn Value) -> Result<(), Stop> {
        let segment = self.step.segment;
        match (key, &self.name) {
            ("name", None) => {
                let name = text_of(value);
                let is_it = name.eq_ignore_ascii_case(&segment.text);
                self.name = Some((What::Property, name));
                if is_it { Ok(()) } else { Err(self.another()) }
            }
            ("key", None) => {
                let name = text_of(value);
                let is_it =
                    name.eq_ignore_ascii_case(&segment.text) && segment.array_index.is_none();
                self.name = Some((What::Key, name));
                if is_it { Ok(()) } else { Err(self.another()) }
            }
            ("array_index", Some(_)) => {
                let index = text_of(value);
                let is_it = index == segment.array_index.unwrap_or(0).to_string();
                self.array_index = Some(index);
                if is_it { Ok(()) } else { Err(self.another()) }
            }
            ("value", Some(_)) => Err(self.step.on(value)),
            ("raw", Some(_)) if self.step.rest.is_empty() => Err(self.step.on(value)),
            ("raw", Some(_)) => {
                Err(Stop::Missing(self.step.rest.len().saturating_sub(1), Missing::Bytes))
            }
            _ => Ok(()),
        }
    }

    /// Returns the reason to stop at an entry with a different name or key.
    fn another(&self) -> Stop {
        let index = self.array_index.as_ref().filter(|index| *index != "0");
        let index = index.map(|index| format!("[#{index}]")).unwrap_or_default();
        let name = self.name.as_ref();
        Stop::Another(
            name.map(|(what, name)| (*what, format!("{}{index}", quote_if_needed(&short(name))))),
        )
    }
}

impl SerializeMap for Map<'_, '_, '_> {
    type Ok = ();
    type Error = Stop;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<(), Stop> {
        self.key = text_of(&key);
        Ok(())
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Stop> {
        let key = std::mem::take(&mut self.key);
        self.value(&key, &value)
    }

    fn end(self) -> Result<(), Stop> {
        Err(match self.step.in_list {
            true => self.another(),
            false => self.step.missing(Missing::Names(self.what, self.names)),
        })
    }
}

/// Returns the content of a string, or the JSON of any other value.
fn text_of(value: &dyn Value) -> String {
    match serde_json::to_value(value) {
        Ok(serde_json::Value::String(text)) => text,
        Ok(other) => other.to_string(),
        Err(_) => String::new(),
    }
}

/// Defines serializer methods for values without children.
macro_rules! leaves {
    ($($Ok:ty { $($method:ident($($T:ty),*))* })*) => {$($(
        fn $method(self, $(_: $T),*) -> Result<$Ok, Stop> {
            Err(self.missing(Missing::Nothing))
        }
    )*)*};
}

type No = Impossible<(), Stop>;

impl<'s, 'p, 'o> Serializer for Step<'s, 'p, 'o> {
    type Ok = ();
    type Error = Stop;
    type SerializeSeq = List<'s, 'p, 'o>;
    type SerializeTuple = List<'s, 'p, 'o>;
    type SerializeTupleStruct = No;
    type SerializeTupleVariant = No;
    type SerializeMap = Map<'s, 'p, 'o>;
    type SerializeStruct = No;
    type SerializeStructVariant = No;

    leaves! {
        () {
            serialize_bool(bool)
            serialize_i8(i8)
            serialize_i16(i16)
            serialize_i32(i32)
            serialize_i64(i64)
            serialize_u8(u8)
            serialize_u16(u16)
            serialize_u32(u32)
            serialize_u64(u64)
            serialize_f32(f32)
            serialize_f64(f64)
            serialize_char(char)
            serialize_str(&str)
            serialize_bytes(&[u8])
            serialize_none()
            serialize_unit()
            serialize_unit_struct(&'static str)
            serialize_unit_variant(&'static str, u32, &'static str)
        }
        // The library serializes records as maps.
        No {
            serialize_tuple_struct(&'static str, usize)
            serialize_tuple_variant(&'static str, u32, &'static str, usize)
            serialize_struct(&'static str, usize)
            serialize_struct_variant(&'static str, u32, &'static str, usize)
        }
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<(), Stop> {
        value.serialize(self)
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        value: &T,
    ) -> Result<(), Stop> {
        value.serialize(self)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: &T,
    ) -> Result<(), Stop> {
        Err(self.missing(Missing::Nothing))
    }

    fn serialize_seq(self, _: Option<usize>) -> Result<Self::SerializeSeq, Stop> {
        match self.in_list {
            true => Err(Stop::Another(None)),
            false => Ok(List { step: self, count: 0, names: Vec::new(), what: What::Property }),
        }
    }

    fn serialize_tuple(self, len: usize) -> Result<Self::SerializeTuple, Stop> {
        self.serialize_seq(Some(len))
    }

    fn serialize_map(self, _: Option<usize>) -> Result<Self::SerializeMap, Stop> {
        let (key, names, what) = (String::new(), Vec::new(), What::Word);
        Ok(Map { step: self, key, names, what, name: None, array_index: None })
    }
}

impl Error for Stop {
    fn custom<T: Display>(message: T) -> Self {
        Self::Output(io::Error::other(message.to_string()))
    }
}

impl std::error::Error for Stop {}

impl Display for Stop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self, f)
    }
}

//! Plain JSON: names and values, without types.

use super::budget::FillBudget;
use super::value;
use super::writer::{JsonWriter, Layout, string};
use crate::rems::property_key::{CLASS, NUMBER};
use crate::rems::{
    Component, Components, Error, Item, ItemSource, List, Object, Property, StrRef, Value,
    property_key,
};
use alloc::borrow::Cow;
use alloc::collections::BTreeSet;
use alloc::vec::Vec;
use core::fmt::{self, Display, Write};

/// Information that plain JSON cannot represent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Loss {
    /// Text that is not UTF-8.
    NotUtf8,
    /// NaN or an infinity.
    NotFinite,
    /// Two properties of one object with the same name.
    DuplicateName,
}

impl Display for Loss {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NotUtf8 => "bytes that are not UTF-8 become U+FFFD",
            Self::NotFinite => "NaN and infinities become text, since JSON has no such numbers",
            Self::DuplicateName => {
                "an object has two properties of this name: most JSON readers keep only the last"
            }
        })
    }
}

/// Error of [`print_plain`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlainError {
    /// The file is malformed, or declares more omitted elements than the output may contain
    /// ([`ErrorKind::NotWritten`](crate::rems::ErrorKind::NotWritten)).
    Source(Error),
    /// The output returned an error.
    Output,
}

impl Display for PlainError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Source(error) => error.fmt(f),
            Self::Output => f.write_str("the output failed"),
        }
    }
}

impl core::error::Error for PlainError {}

impl From<Error> for PlainError {
    fn from(error: Error) -> Self {
        Self::Source(error)
    }
}

impl From<fmt::Error> for PlainError {
    fn from(_: fmt::Error) -> Self {
        Self::Output
    }
}

type Result<T = (), E = PlainError> = core::result::Result<T, E>;

/// Writes the objects of a file as indented plain JSON.
///
/// Calls `on_loss` for each piece of information that plain JSON cannot represent. The second
/// argument is the offset of that information in the file. The loss of types is not reported.
///
/// ```
/// use gamewire::rems::TextReader;
/// use gamewire::rems::json::print_plain;
///
/// let text = br#"[{"class":"Sphere","i:*ptr":1,"v3:at":[0.5]}]"#;
/// let mut json = String::new();
/// print_plain(&mut TextReader::new(text), &mut json, &mut |loss, _| panic!("{loss}"))?;
/// let expected = r#"[
///   {
///     "class": "Sphere",
///     "*ptr": 1,
///     "at": [0.5,0.5,0.5]
///   }
/// ]"#;
/// assert_eq!(json, expected);
/// # Ok::<(), gamewire::rems::json::PlainError>(())
/// ```
///
/// # Errors
/// If the file or one of its values is malformed, if it declares too many omitted elements, or if
/// the output fails. The output up to the error is not a complete JSON document.
pub fn print_plain(
    items: &mut dyn ItemSource<'_>,
    out: &mut dyn Write,
    on_loss: &mut dyn FnMut(Loss, u64),
) -> Result {
    let json = JsonWriter::new(out, Layout::Pretty);
    let mut printer = PlainPrinter { json, open: Vec::new(), budget: FillBudget::new(), on_loss };
    printer.json.begin_array()?;
    printer.open.push(Open::List(OpenList { list: None, count: 0, offset: 0 }));
    loop {
        let offset = items.offset();
        match items.next()? {
            Some(item) => printer.item(&item, offset)?,
            None => return Ok(printer.json.end_array()?),
        }
    }
}

struct PlainPrinter<'w, 'a> {
    json: JsonWriter<'w>,
    open: Vec<Open<'a>>,
    budget: FillBudget,
    on_loss: &'w mut dyn FnMut(Loss, u64),
}

enum Open<'a> {
    /// An object, with the keys that have been printed so far.
    Object(BTreeSet<Cow<'a, [u8]>>),
    List(OpenList<'a>),
}

struct OpenList<'a> {
    /// `None` for the list of all objects.
    list: Option<List<'a>>,
    /// Number of elements printed.
    count: u32,
    offset: u64,
}

impl<'a> PlainPrinter<'_, 'a> {
    fn item(&mut self, item: &Item<'a>, offset: u64) -> Result {
        match item {
            Item::Property(property) => return self.property(property),
            Item::End => return self.end(),
            _ => {}
        }
        if let Some(Open::List(list)) = self.open.last_mut() {
            let is_first = list.count == 0;
            list.count = list.count.saturating_add(1);
            self.json.begin_element(is_first)?;
        }
        match item {
            Item::Object(object) => self.object(object),
            Item::List(list) => {
                self.open.push(Open::List(OpenList { list: Some(*list), count: 0, offset }));
                Ok(self.json.begin_array()?)
            }
            Item::Value(value) => self.value(value),
            Item::Pointer(number @ 1..) => Ok(write!(self.json.out(), "{{\"*ptr\":{number}}}")?),
            _ => Ok(self.json.raw("null")?),
        }
    }

    fn object(&mut self, object: &Object<'a>) -> Result {
        self.json.begin_object()?;
        self.json.key(CLASS, true)?;
        self.text(object.class, object.offset)?;
        if let Some(number @ 1..) = object.pointer {
            self.json.key(NUMBER, false)?;
            value::integer(self.json.out(), number)?;
        }
        // The set of keys needs no limit: it contains at most one key per property in the file.
        self.open.push(Open::Object(BTreeSet::new()));
        Ok(())
    }

    fn property(&mut self, property: &Property<'a>) -> Result {
        let key = property_key(property.name);
        if let Some(Open::Object(keys)) = self.open.last_mut()
            && !keys.insert(key.to_bytes())
        {
            (self.on_loss)(Loss::DuplicateName, property.offset);
        }
        let key = self.lossy(key, property.offset);
        Ok(self.json.key(&key, false)?)
    }

    fn end(&mut self) -> Result {
        match self.open.pop() {
            Some(Open::Object(_)) => self.json.end_object()?,
            Some(Open::List(OpenList { list: Some(list), count, offset })) => {
                let omitted = list.len.saturating_sub(count);
                self.take(omitted, offset)?;
                for index in 0..omitted {
                    self.json.begin_element(count == 0 && index == 0)?;
                    self.json.raw(value::omitted(list.ty))?;
                }
                self.json.end_array()?;
            }
            _ => {}
        }
        Ok(())
    }

    fn value(&mut self, value: &Value<'a>) -> Result {
        if value.dim() > 0 {
            return self.array(value);
        }
        let components = Components::of(value)?;
        if let Some(Component::Text(text)) = components.single() {
            return self.text(*text, value.offset());
        }
        if !components.as_slice().iter().all(Component::is_finite) {
            (self.on_loss)(Loss::NotFinite, value.offset());
        }
        Ok(value::components(self.json.out(), &components)?)
    }

    fn array(&mut self, value: &Value<'a>) -> Result {
        let array = value.array()?;
        let mut is_written = true;
        self.json.raw("[")?;
        for (index, element) in (0_u32..).zip(array.iter()) {
            let element = element?;
            if is_written && element.is_omitted() {
                self.take(array.len().saturating_sub(index), value.offset())?;
                is_written = false;
            }
            if index > 0 {
                self.json.raw(",")?;
            }
            self.value(&element)?;
        }
        Ok(self.json.raw("]")?)
    }

    fn text(&mut self, text: StrRef<'_>, offset: u64) -> Result {
        let text = self.lossy(text, offset);
        Ok(string(self.json.out(), &text)?)
    }

    fn lossy<'s>(&mut self, text: StrRef<'s>, offset: u64) -> Cow<'s, str> {
        if core::str::from_utf8(&text.to_bytes()).is_err() {
            (self.on_loss)(Loss::NotUtf8, offset);
        }
        text.to_string_lossy()
    }

    fn take(&mut self, count: u32, offset: u64) -> Result {
        self.budget.take(count).map_err(|kind| PlainError::Source(Error::new(kind, offset)))
    }
}

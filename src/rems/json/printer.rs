//! Prints the typed JSON document.

use super::budget::FillBudget;
use super::value;
use super::writer::{JsonWriter, Layout, string};
use crate::rems::{
    Array, Component, Components, Era, Error, FileFormat, Item, ItemSource, List, Object, Property,
    Type, Value,
};
use alloc::string::ToString;
use alloc::vec::Vec;
use core::fmt::{self, Write};

/// Maximum number of errors in single values that the printer keeps.
const KEPT_ERRORS: usize = 10;

/// Information about a file. A document contains it before the objects.
#[derive(Clone, Copy, Debug)]
pub struct Header {
    /// Format of the file.
    pub format: FileFormat,
    /// Era of a binary stream; ignored for text.
    pub era: Era,
}

/// Errors in single values: the first ten errors, and the number of further errors.
#[derive(Clone, Debug, Default)]
pub struct Malformed {
    errors: Vec<Error>,
    more: u64,
}

impl Malformed {
    fn add(&mut self, error: Error) {
        match self.errors.len() {
            ..KEPT_ERRORS => self.errors.push(error),
            _ => self.more = self.more.saturating_add(1),
        }
    }

    /// Returns `true` if all values were well-formed.
    pub fn is_empty(&self) -> bool {
        self.errors.is_empty()
    }

    /// Returns the first errors, at most ten.
    pub fn errors(&self) -> &[Error] {
        &self.errors
    }

    /// Returns the number of errors after the first ten.
    pub fn more(&self) -> u64 {
        self.more
    }
}

/// A printer that writes the typed JSON document item by item.
///
/// ```
/// use gamewire::rems::json::{Header, Layout, Printer};
/// use gamewire::rems::{Era, FileFormat, TextReader};
///
/// let mut reader = TextReader::new(br#"[{"class":"T","i:*ptr":1,"i:x":5}]"#);
/// let mut json = String::new();
/// let header = Header { format: FileFormat::Text, era: Era::default() };
/// Printer::new(&mut json, Layout::Compact).document(header, Ok(&mut reader))?;
/// assert_eq!(
///     json,
///     r#"{"kind":"rems","form":"text","objects":[{"class":"T","pointer":1,"offset":1,"#.to_owned()
///         + r#""properties":[{"type":"i","name":"x","value":5}]}]}"#
/// );
/// # Ok::<(), core::fmt::Error>(())
/// ```
#[derive(Debug)]
pub struct Printer<'w> {
    json: JsonWriter<'w>,
    open: Vec<Open>,
    budget: FillBudget,
    malformed: Malformed,
}

/// An unfinished part of the document.
#[derive(Debug)]
enum Open {
    /// The list of all objects.
    Roots { is_first: bool },
    /// An object. The array of its properties is open, too.
    Object { is_first: bool },
    /// A property. Its value is the next item.
    Property,
    /// A list that declares `left` more elements.
    List { left: u32, omitted: &'static str, is_first: bool },
}

impl<'w> Printer<'w> {
    /// Creates a printer. Writes nothing yet.
    pub fn new(out: &'w mut dyn Write, layout: Layout) -> Self {
        Self {
            json: JsonWriter::new(out, layout),
            open: Vec::new(),
            budget: FillBudget::new(),
            malformed: Malformed::default(),
        }
    }

    /// Returns the errors found in single values.
    pub fn into_malformed(self) -> Malformed {
        self.malformed
    }

    /// Prints a whole document. If `items` is an error, prints a document without objects. Returns
    /// the error that ended reading, if any; the document contains it as well.
    ///
    /// # Errors
    /// If the output fails.
    pub fn document(
        &mut self,
        header: Header,
        items: Result<&mut dyn ItemSource<'_>, Error>,
    ) -> Result<Option<Error>, fmt::Error> {
        self.json.begin_object()?;
        self.string_member("kind", "rems", true)?;
        self.string_member("form", header.format.name(), false)?;
        if header.format != FileFormat::Text {
            self.string_member("era", header.era.name(), false)?;
        }
        self.json.key("objects", false)?;
        self.json.begin_array()?;
        self.open.push(Open::Roots { is_first: true });
        let error = match items {
            Ok(items) => self.items(items)?,
            Err(error) => Some(error),
        };
        self.finish()?;
        if let Some(error) = error {
            self.error_member(&error)?;
        }
        self.json.end_object()?;
        Ok(error)
    }

    fn items(&mut self, items: &mut dyn ItemSource<'_>) -> Result<Option<Error>, fmt::Error> {
        loop {
            match items.next() {
                Ok(Some(item)) => self.item(&item)?,
                Ok(None) => return Ok(None),
                Err(error) => return Ok(Some(error)),
            }
        }
    }

    /// Prints the next item.
    ///
    /// # Errors
    /// If the output fails.
    pub fn item(&mut self, item: &Item<'_>) -> fmt::Result {
        match item {
            Item::Object(object) => self.object(object),
            Item::Property(property) => self.property(property),
            Item::Value(value) => self.value(value),
            Item::Pointer(number) => self.scalar(|out| pointer(out, *number)),
            Item::Null => self.scalar(|out| out.write_str("null")),
            Item::List(list) => self.list(list),
            Item::End => {
                self.fill()?;
                self.close()
            }
        }
    }

    /// Prints a single component.
    ///
    /// # Errors
    /// If the output fails.
    pub fn component(&mut self, component: &Component<'_>) -> fmt::Result {
        self.scalar(|out| value::component(out, component))
    }

    /// Prints an array of components, such as a column of a matrix.
    ///
    /// # Errors
    /// If the output fails.
    pub fn components(&mut self, components: &[Component<'_>]) -> fmt::Result {
        self.scalar(|out| value::array(out, components))
    }

    /// Prints an element that a list declares but omits. The type of the list determines whether
    /// this is null, an empty string or an empty list.
    ///
    /// # Errors
    /// If the output fails.
    pub fn omitted_element(&mut self, list: Type<'_>) -> fmt::Result {
        self.scalar(|out| out.write_str(value::omitted(list)))
    }

    /// Closes all open objects, lists and properties. [`document`](Self::document) calls this
    /// method itself.
    ///
    /// # Errors
    /// If the output fails.
    pub fn finish(&mut self) -> fmt::Result {
        if let Some(Open::Property) = self.open.last() {
            self.close_property()?;
        }
        while let Some(open) = self.open.last() {
            match open {
                Open::Roots { .. } => {
                    self.open.pop();
                    return self.json.end_array();
                }
                _ => self.close()?,
            }
        }
        Ok(())
    }

    fn object(&mut self, object: &Object<'_>) -> fmt::Result {
        self.begin_value()?;
        self.json.begin_object()?;
        self.json.key("class", true)?;
        value::text(self.json.out(), object.class)?;
        if let Some(pointer) = object.pointer {
            self.json.key("pointer", false)?;
            value::integer(self.json.out(), pointer)?;
        }
        self.json.key("offset", false)?;
        value::integer(self.json.out(), object.offset)?;
        self.json.key("properties", false)?;
        self.json.begin_array()?;
        self.open.push(Open::Object { is_first: true });
        Ok(())
    }

    fn property(&mut self, property: &Property<'_>) -> fmt::Result {
        self.begin_value()?;
        self.json.begin_object()?;
        self.json.key("type", true)?;
        value::type_name(self.json.out(), property.ty)?;
        self.json.key("name", false)?;
        value::text(self.json.out(), property.name)?;
        self.open.push(Open::Property);
        Ok(())
    }

    fn list(&mut self, list: &List<'_>) -> fmt::Result {
        self.begin_value()?;
        self.json.begin_array()?;
        let omitted = value::omitted(list.ty);
        self.open.push(Open::List { left: list.len, omitted, is_first: true });
        Ok(())
    }

    /// Prints a value, or an array up to its first malformed element. If the value is malformed and
    /// belongs to a property, adds an `error` member to the property.
    fn value(&mut self, value: &Value<'_>) -> fmt::Result {
        let is_property = matches!(self.open.last(), Some(Open::Property));
        let read = match (value.dim(), Components::of(value)) {
            (0, Ok(components)) => {
                return self.scalar(|out| value::components(out, &components));
            }
            (0, Err(error)) if is_property => Err(error),
            (0, Err(error)) => {
                self.begin_value()?;
                self.json.raw("null")?;
                Err(error)
            }
            _ => {
                self.begin_value()?;
                self.array(value)?
            }
        };
        if let Err(error) = read {
            self.malformed.add(error);
            if is_property {
                self.error_member(&error)?;
            }
        }
        self.close_property()
    }

    /// Prints the elements of an array on one line, up to the first malformed element.
    fn array(&mut self, value: &Value<'_>) -> Result<Result<(), Error>, fmt::Error> {
        self.json.raw("[")?;
        let read = match value.array() {
            Ok(array) => self.elements(&array)?,
            Err(error) => Err(error),
        };
        self.json.raw("]")?;
        Ok(read)
    }

    fn elements(&mut self, array: &Array<'_>) -> Result<Result<(), Error>, fmt::Error> {
        let mut is_written = true;
        for (index, element) in (0_u32..).zip(array.iter()) {
            if index > 0 {
                self.json.raw(",")?;
            }
            let read = match element {
                Ok(element) if is_written && element.is_omitted() => {
                    let more = array.len().saturating_sub(index);
                    if self.budget.take(more).is_err() {
                        more_elements(self.json.out(), more)?;
                        break;
                    }
                    is_written = false;
                    self.element(&element)?
                }
                Ok(element) => self.element(&element)?,
                Err(error) => {
                    self.json.raw("null")?;
                    Err(error)
                }
            };
            if read.is_err() {
                return Ok(read);
            }
        }
        Ok(Ok(()))
    }

    fn element(&mut self, element: &Value<'_>) -> Result<Result<(), Error>, fmt::Error> {
        if element.dim() > 0 {
            return self.array(element);
        }
        match Components::of(element) {
            Ok(components) => Ok(Ok(value::components(self.json.out(), &components)?)),
            Err(error) => {
                self.json.raw("null")?;
                Ok(Err(error))
            }
        }
    }

    /// Prints the elements that the innermost list omits at its end.
    fn fill(&mut self) -> fmt::Result {
        let Some(Open::List { left: count @ 1.., omitted, .. }) = self.open.last() else {
            return Ok(());
        };
        let (count, omitted) = (*count, *omitted);
        if self.budget.take(count).is_err() {
            self.begin_value()?;
            return more_elements(self.json.out(), count);
        }
        for _ in 0..count {
            self.begin_value()?;
            self.json.raw(omitted)?;
        }
        Ok(())
    }

    /// Prints a value that is complete after this call.
    fn scalar(&mut self, write: impl FnOnce(&mut dyn Write) -> fmt::Result) -> fmt::Result {
        self.begin_value()?;
        write(self.json.out())?;
        self.close_property()
    }

    /// Writes the separator or key before a value or property.
    fn begin_value(&mut self) -> fmt::Result {
        let is_first = match self.open.last_mut() {
            None => return Ok(()),
            Some(Open::Property) => return self.json.key("value", false),
            Some(Open::Roots { is_first } | Open::Object { is_first }) => is_first,
            Some(Open::List { left, is_first, .. }) => {
                *left = left.saturating_sub(1);
                is_first
            }
        };
        let is_first = core::mem::replace(is_first, false);
        self.json.begin_element(is_first)
    }

    /// Closes the innermost open element if it is a property. Must be called after a complete
    /// value.
    fn close_property(&mut self) -> fmt::Result {
        if let Some(Open::Property) = self.open.last() {
            self.open.pop();
            self.json.end_object()?;
        }
        Ok(())
    }

    /// Closes the innermost object or list. If it is the value of a property, closes the property
    /// as well.
    fn close(&mut self) -> fmt::Result {
        let open = self.open.pop();
        self.json.end_array()?;
        if let Some(Open::Object { .. }) = open {
            self.json.end_object()?;
        }
        self.close_property()
    }

    fn string_member(&mut self, key: &str, value: &str, is_first: bool) -> fmt::Result {
        self.json.key(key, is_first)?;
        string(self.json.out(), value)
    }

    fn error_member(&mut self, error: &Error) -> fmt::Result {
        self.json.key("error", false)?;
        let out = self.json.out();
        out.write_str("{\"offset\":")?;
        value::integer(out, error.offset())?;
        out.write_str(",\"message\":")?;
        string(out, &error.kind().to_string())?;
        out.write_str("}")
    }
}

fn pointer(out: &mut dyn Write, number: u64) -> fmt::Result {
    write!(out, "{{\"pointer\":{number}}}")
}

fn more_elements(out: &mut dyn Write, count: u32) -> fmt::Result {
    write!(out, "{{\"more\":{count}}}")
}

//! The interface of the writers.

use super::error::{Result, WriteError, WriteErrorKind};
use super::put::Put;
#[cfg(feature = "alloc")]
use crate::rems::Era;
use crate::rems::print::{Dialect, Warning};
use crate::rems::{Item, Part, StrRef, Type, Value};

/// The format that a writer produces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum OutputFormat {
    /// Text, as written by this engine.
    Text(Dialect),
    /// A binary stream, as written by an engine of this era.
    #[cfg(feature = "alloc")]
    Binary(Era),
}

#[cfg(feature = "alloc")]
impl OutputFormat {
    /// Returns the era of the engine that writes this format.
    pub const fn era(self) -> Era {
        match self {
            Self::Text(Dialect::Engine2021) => Era::October2021,
            Self::Text(Dialect::Engine2026) => Era::October2024,
            Self::Binary(era) => era,
        }
    }
}

/// A sink for the items of a file: a [`TextWriter`](crate::rems::TextWriter) or a `BinaryWriter`.
///
/// A writer collects items in a small buffer, and passes them to its sink when the buffer is full, at
/// each [`end`](Self::end), and when the file is finished.
///
/// Items must come in the order in which readers return them; see [`Item`]. An item out of order is
/// an error. An item that the engine could not read back is an error, too, unless the caller has
/// called [`force`](Self::force). Each method that writes an item also returns an error if the sink
/// is full. After an error the output does not contain any part of the item, and the caller may
/// write another item. In two cases, the caller cannot write another item, and all later calls fail
/// with [`HalfWritten`](crate::rems::WriteErrorKind::HalfWritten). First, a sink that cannot rewind
/// (`BufSink`) may have received a part of the item. Second, the item may have defined a string or
/// attribute of a binary stream before the error occurred.
///
/// ```
/// use gamewire::rems::{Dialect, ItemSink, StrRef, TextWriter, Type};
///
/// let mut writer = TextWriter::new(Vec::new(), Dialect::Engine2026);
/// writer.object("Outer", Some(1))?;
/// writer.property(Type::Class("K".into(), 1), "kids")?; // a list of one class …
/// writer.list(3)?; // … with three elements
/// writer.object("K", Some(2))?;
/// writer.put("v", 5)?; // a property and its value at once
/// writer.end()?;
/// writer.pointer(1)?;
/// writer.null()?;
/// writer.end()?;
/// writer.end()?;
/// let text = writer.finish()?;
/// let expected = r#"[{"class":"Outer","i:*ptr":1,"K[]:kids":[3,{"i:*ptr":2,"i:v":5},1,null]}]"#;
/// assert_eq!(text, expected.as_bytes());
/// # Ok::<(), gamewire::rems::WriteError>(())
/// ```
pub trait ItemSink {
    /// Returns the format that this sink writes.
    fn format(&self) -> OutputFormat;

    /// Returns the offset of the next byte in the output.
    fn offset(&self) -> u64;

    /// Sets whether items that the engine could not read back are written. With `true`, they are
    /// written, and the sink records a [`Warning`]. By default, such an item is an error.
    fn force(&mut self, force: bool);

    /// Returns and clears the warning that was recorded since the last call. If there were several,
    /// returns the first one about a value that [is lost](crate::rems::Unreadable::is_lost). If no
    /// value is lost, returns the first of all warnings.
    fn take_warning(&mut self) -> Option<Warning>;

    /// Starts an object. The caller must write its properties next, then [`end`](Self::end). The
    /// number is optional in a text file. In a binary stream, it is required, except in lists of
    /// one class, where the writer ignores it.
    ///
    /// # Errors
    /// If no object, or no object of this class, is allowed at this point, if objects and lists are
    /// nested too deeply, if the number is above 2³¹ − 1, or if the class is not UTF-8 and
    /// [`force`](Self::force) is off. A binary writer also returns an error if a required number is
    /// missing.
    fn object<'s>(&mut self, class: impl Into<StrRef<'s>>, number: Option<u32>) -> Result;

    /// Starts a property. The caller must write its value next.
    ///
    /// # Errors
    /// If no object is open, if the previous property has no value yet, if the engine could not
    /// read the property back, or if a binary stream of the era has no id for the type.
    fn property<'s>(&mut self, ty: Type<'_>, name: impl Into<StrRef<'s>>) -> Result;

    /// Writes a value that a reader returned.
    ///
    /// # Errors
    /// If the value is not of the type of the property or list, if it is malformed, or if the
    /// engine could not read it back. A binary writer also returns an error if the bytes that it
    /// writes in place of omitted elements exceed `BinaryWriter::fill_limit`.
    fn value(&mut self, value: &Value<'_>) -> Result;

    /// Writes a string or the path of a file, as the value of a property or as an element of a
    /// list.
    ///
    /// # Errors
    /// If the property or list has a different type, or if the text is not UTF-8 and
    /// [`force`](Self::force) is off.
    fn text<'s>(&mut self, text: impl Into<StrRef<'s>>) -> Result;

    /// Writes a value that is not an array. `parts` contains its components: one for a number, or
    /// those of a vector or matrix, column by column.
    ///
    /// # Errors
    /// If the type or the number of the components is not that of the property or list, or if the
    /// engine could not read one of them back.
    fn parts<T: Part>(&mut self, parts: &[T]) -> Result;

    /// Writes an array, given by the components of all elements.
    ///
    /// # Errors
    /// See [`parts`](Self::parts).
    fn array<T: Part>(&mut self, parts: &[T]) -> Result;

    /// Writes an array of arrays.
    ///
    /// # Errors
    /// See [`parts`](Self::parts).
    fn rows<T: Part>(&mut self, rows: &[&[T]]) -> Result;

    /// Writes a reference to an object: the number of the object.
    ///
    /// # Errors
    /// If no object is allowed at this point, or if the number is above 2³¹ − 1. A binary writer
    /// also returns an error for an element of a list of one class.
    fn pointer(&mut self, number: u32) -> Result;

    /// Writes null in place of an object, a string or a list. In place of a null path, the writer
    /// for text of 2026 writes an empty string. In place of a null list inside a list, the binary
    /// writer writes an empty list.
    ///
    /// # Errors
    /// If null is not allowed at this point, or if the engine could not read it back.
    fn null(&mut self) -> Result;

    /// Starts a list of objects, of strings or paths, or of such lists. The caller must write up to
    /// `len` elements next, then [`end`](Self::end). A text file omits missing elements, and
    /// engines read them as null or empty. A binary stream contains them as null or empty, except
    /// in lists of one class, which must be complete.
    ///
    /// # Errors
    /// If no list is allowed at this point, if objects and lists are nested too deeply, or if `len`
    /// is above 2³¹ − 1. A binary writer also returns an error for a list of lists of objects if
    /// the era has no such lists.
    fn list(&mut self, len: u32) -> Result;

    /// Ends the innermost object or list.
    ///
    /// # Errors
    /// If no object or list is open, or if a property has no value yet. A binary writer also
    /// returns an error if a list of one class is incomplete, or if the bytes that it writes in
    /// place of omitted elements exceed `BinaryWriter::fill_limit`.
    fn end(&mut self) -> Result;

    /// Writes an item that a reader returned.
    ///
    /// # Errors
    /// See the method for the item.
    fn item(&mut self, item: Item<'_>) -> Result {
        forward_item(&item, self)
    }

    /// Writes a property and its value.
    ///
    /// # Errors
    /// See [`property`](Self::property) and the method for the value.
    fn put<'s, P: Put>(&mut self, name: impl Into<StrRef<'s>>, value: P) -> Result
    where
        Self: Sized,
    {
        self.property(value.ty(), name)?;
        value.put_to(self)
    }

    /// Returns `true` if the engine, by default, omits a property that has this value.
    fn omits<P: Put>(&self, value: &P) -> bool {
        value.is_default(self.format())
    }

    /// Writes a property with [`put`](Self::put), unless the engine would [omit it](Self::omits).
    ///
    /// # Errors
    /// See [`put`](Self::put).
    fn put_or_omit<'s, P: Put>(&mut self, name: impl Into<StrRef<'s>>, value: P) -> Result
    where
        Self: Sized,
    {
        if self.omits(&value) { Ok(()) } else { self.put(name, value) }
    }
}

/// Calls the method of `to` that writes the item. Takes a reference because items are large.
#[inline(always)]
pub(crate) fn forward_item(item: &Item<'_>, to: &mut (impl ItemSink + ?Sized)) -> Result {
    match item {
        Item::Object(object) => {
            let number = object.pointer.map(|number| narrow(number, to)).transpose()?;
            to.object(object.class, number)
        }
        Item::Property(property) => to.property(property.ty, property.name),
        Item::Value(value) => to.value(value),
        Item::Pointer(number) => to.pointer(narrow(*number, to)?),
        Item::Null => to.null(),
        Item::List(list) => to.list(list.len),
        Item::End => to.end(),
    }
}

/// Converts the number of an object to 32 bits. Only files from May 2020 have larger numbers.
#[inline]
fn narrow(number: u64, to: &(impl ItemSink + ?Sized)) -> Result<u32> {
    u32::try_from(number)
        .map_err(|_| WriteError::new(WriteErrorKind::BadNumber(number), to.offset()))
}

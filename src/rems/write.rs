//! Writers: of texts and of binary streams, by the same calls.

#[cfg(feature = "alloc")]
mod binary;
mod error;
#[cfg(feature = "alloc")]
mod numbering;
mod output;
mod part;
mod print;
mod put;
mod readback;
mod scanned_str;
mod state;
mod text;

#[cfg(feature = "alloc")]
pub use binary::BinaryWriter;
pub use error::{WriteError, WriteErrorKind};
#[cfg(feature = "alloc")]
pub use numbering::{Numbering, Placement};
pub use part::Emit;
pub use put::{KindValue, Put, Utf16Unit};
pub use readback::{Unreadable, Warning};
pub use text::{Dialect, TextWriter};

#[cfg(feature = "alloc")]
use super::Era;
use super::{Item, Part, StrRef, Type, Value};

type Result<T = (), E = WriteError> = core::result::Result<T, E>;

/// What a writer writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum OutputFormat {
    /// A text, as of that engine.
    Text(Dialect),
    /// A binary stream, as of that time.
    #[cfg(feature = "alloc")]
    Binary(Era),
}

#[cfg(feature = "alloc")]
impl OutputFormat {
    /// Era of the engine that writes this format.
    pub const fn era(self) -> Era {
        match self {
            Self::Text(Dialect::Engine2021) => Era::October2021,
            Self::Text(Dialect::Engine2026) => Era::October2024,
            Self::Binary(era) => era,
        }
    }
}

/// What takes the items of a file: a [`TextWriter`], or a `BinaryWriter`.
///
/// Items come in the order in which readers give them: see [`Item`]. What cannot stand where it
/// comes is an error, and so is what the engine could not read back, unless it is
/// [forced](Self::force). After an error nothing was written, and another item may take the
/// place, with two exceptions, after which there is only [`WriteErrorKind::HalfWritten`]: if the
/// sink cannot take back (`BufSink`), or a binary stream has numbered something already. Items are:
///
/// ```
/// use gamewire::rems::{Dialect, ItemSink, StrRef, TextWriter, Type};
///
/// let mut writer = TextWriter::new(Vec::new(), Dialect::Engine2026);
/// writer.object("Outer", Some(1))?;
/// writer.property(Type::Class("K".into(), 1), "kids")?; // a list of one class …
/// writer.list(3)?; // … and how many
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
    /// What is written.
    fn format(&self) -> OutputFormat;

    /// Where the next byte comes.
    fn offset(&self) -> u64;

    /// Whether to write what the engine could not read back, with a [`Warning`]. At first that
    /// is an error.
    fn force(&mut self, force: bool);

    /// What was written by force since this was last asked; of several the first, or the first
    /// that [is lost](Unreadable::is_lost).
    fn take_warning(&mut self) -> Option<Warning>;

    /// An object begins. Its properties follow, and [`end`](Self::end). Text may do without a
    /// number; in binary, only in lists of one class, which then is what is written.
    ///
    /// # Errors
    /// Where no object can be, or one of another class.
    fn object<'s>(&mut self, class: impl Into<StrRef<'s>>, number: Option<u32>) -> Result;

    /// A property, the value of which comes next.
    ///
    /// # Errors
    /// Outside of objects, and where it could not be read back.
    fn property<'s>(&mut self, ty: Type<'_>, name: impl Into<StrRef<'s>>) -> Result;

    /// A value of a file that was read.
    ///
    /// # Errors
    /// If it is not of the property's type, or not a value of its own.
    fn value(&mut self, value: &Value<'_>) -> Result;

    /// A string or the path of a file: as a property's value, or in a list of such.
    ///
    /// # Errors
    /// Where there is to be something else.
    fn text<'s>(&mut self, text: impl Into<StrRef<'s>>) -> Result;

    /// A value of so many parts: one, or those of a vector or matrix, column by column.
    ///
    /// # Errors
    /// If that is not what the property's type is made of.
    fn parts<T: Part>(&mut self, parts: &[T]) -> Result;

    /// An array, the parts of all elements in a row.
    ///
    /// # Errors
    /// As [`parts`](Self::parts).
    fn array<T: Part>(&mut self, parts: &[T]) -> Result;

    /// An array of arrays.
    ///
    /// # Errors
    /// As [`parts`](Self::parts).
    fn rows<T: Part>(&mut self, rows: &[&[T]]) -> Result;

    /// The number of an object in place of it.
    ///
    /// # Errors
    /// Where no object can be.
    fn pointer(&mut self, number: u32) -> Result;

    /// No object, no string, or no list.
    ///
    /// # Errors
    /// Where none can be.
    fn null(&mut self) -> Result;

    /// A list begins: of objects, of texts, or of lists of these. As many elements follow, and
    /// [`end`](Self::end). There may be fewer: in a text they are just not there, and for engines
    /// null or empty; in binary this is written, but for lists of one class, which cannot have it.
    ///
    /// # Errors
    /// Where no list can be.
    fn list(&mut self, len: u32) -> Result;

    /// The innermost object or list ends.
    ///
    /// # Errors
    /// If there is none, or its property has no value. Binary: if elements are missing in a list
    /// of one class, or more than there is a limit for.
    fn end(&mut self) -> Result;

    /// What a reader has given.
    ///
    /// # Errors
    /// As for what it is.
    fn item(&mut self, item: Item<'_>) -> Result {
        forward_item(&item, self)
    }

    /// A property and its value.
    ///
    /// # Errors
    /// As [`property`](Self::property) and the value.
    fn put<'s, P: Put>(&mut self, name: impl Into<StrRef<'s>>, value: P) -> Result
    where
        Self: Sized,
    {
        self.property(value.ty(), name)?;
        value.put_to(self)
    }

    /// Whether the engine leaves out a property with that value, if it is not told otherwise.
    fn omits<P: Put>(&self, value: &P) -> bool {
        value.is_default(self.format())
    }

    /// The same as [`put`](Self::put), unless the engine would [leave it out](Self::omits).
    ///
    /// # Errors
    /// As [`put`](Self::put).
    fn put_or_omit<'s, P: Put>(&mut self, name: impl Into<StrRef<'s>>, value: P) -> Result
    where
        Self: Sized,
    {
        if self.omits(&value) { Ok(()) } else { self.put(name, value) }
    }
}

/// Items are large, and so lent rather than moved.
#[inline(always)]
pub(super) fn forward_item(item: &Item<'_>, to: &mut (impl ItemSink + ?Sized)) -> Result {
    match item {
        Item::Object(object) => to.object(object.class, object.pointer),
        Item::Property(property) => to.property(property.ty, property.name),
        Item::Value(value) => to.value(value),
        Item::Pointer(number) => to.pointer(*number),
        Item::Null => to.null(),
        Item::List(list) => to.list(list.len),
        Item::End => to.end(),
    }
}

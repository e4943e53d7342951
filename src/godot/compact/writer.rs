use crate::buffer::Sink;
use crate::godot::read::compact_form::{BOOL, TRUE, WIDTH, int_head};
use crate::godot::write::to_variant::{CompactForm, ToVariant};
use crate::godot::write::writer::{Items, Writer};
use crate::godot::{Dialect, Result, Target, TypeRef};

/// A writer that appends compact values to a sink. Like the engine, it writes each value in its
/// shortest form.
///
/// Only a Godot 4 `Target` has short forms. For any other target each value is written in
/// full, as in Godot 3's RPC arguments.
///
/// ```
/// use gamewire::godot::Dialect;
/// use gamewire::godot::compact::CompactWriter;
///
/// let mut arguments = Vec::new();
/// let mut writer = CompactWriter::new(&mut arguments, Dialect::Godot4);
/// writer.put(true)?;
/// writer.put(-2)?;
/// writer.put("x")?;
/// let mut list = writer.array(1)?;
/// list.put(-2)?; // in a container, values are encoded in full
/// list.finish()?;
/// assert_eq!(arguments.len(), 1 + 2 + 12 + 16);
/// # Ok::<(), gamewire::godot::Error>(())
/// ```
#[derive(Debug)]
pub struct CompactWriter<S>(Writer<S>);

impl<S: Sink> CompactWriter<S> {
    /// Creates a writer that appends to `sink`.
    pub fn new(sink: S, target: impl Into<Target>) -> Self {
        Self(Writer::new(sink, target))
    }

    /// Returns the target of the writer.
    pub fn target(&self) -> Target {
        self.0.target()
    }

    /// Returns a reference to the sink.
    pub fn sink(&self) -> &S {
        self.0.sink()
    }

    /// Ends the writer and returns the sink.
    pub fn into_sink(self) -> S {
        self.0.into_sink()
    }

    /// Appends one value. An [`Encoded`](crate::godot::Encoded) that is
    /// [compact](crate::godot::Encoded::is_compact) is copied. Any other bool or int is written in
    /// its shortest form, with one exception: an int in a [`Wide`](crate::godot::Wide) keeps 64
    /// bits.
    ///
    /// # Errors
    /// Returns the errors of [`Writer::put`]. Nothing is written in that case.
    pub fn put<V: ToVariant>(&mut self, value: V) -> Result<()> {
        self.put_ref(&value)
    }

    pub(crate) fn put_ref<V: ToVariant>(&mut self, value: &V) -> Result<()> {
        if self.target().dialect() != Dialect::Godot4 {
            return self.0.put_ref(value);
        }
        match value.compact() {
            CompactForm::Bool(value) => self.0.put_bytes(&[BOOL | if value { TRUE } else { 0 }]),
            CompactForm::Int(value) => self.int(int_head(value), value),
            CompactForm::WideInt(value) => self.int(int_head(i64::MAX), value),
            CompactForm::Compact(bytes) => self.0.put_bytes(bytes),
            CompactForm::ByteArray(_) | CompactForm::None => self.0.put_ref(value),
        }
    }

    fn int(&mut self, head: u8, value: i64) -> Result<()> {
        let [a, b, c, d, e, f, g, h] = value.to_le_bytes();
        let bytes = [head, a, b, c, d, e, f, g, h];
        let len = 1_usize.wrapping_shl(u32::from(head).wrapping_shr(WIDTH)).wrapping_add(1);
        self.0.put_bytes(bytes.get(..len).unwrap_or_default())
    }

    /// Appends raw bytes between values.
    pub(crate) fn put_bytes(&mut self, bytes: &[u8]) -> Result<()> {
        self.0.put_bytes(bytes)
    }

    /// Returns the sink, to read its position and to rewind it.
    pub(crate) fn sink_mut(&mut self) -> &mut S {
        self.0.sink_mut()
    }

    /// Opens an array of `len` elements, as [`Writer::array`] does.
    ///
    /// # Errors
    /// Returns the errors of [`Writer::array`].
    pub fn array(&mut self, len: usize) -> Result<Items<'_, S>> {
        self.0.array(len)
    }

    /// Opens a typed array of `len` elements, as [`Writer::typed_array`] does.
    ///
    /// # Errors
    /// Returns the errors of [`Writer::typed_array`].
    pub fn typed_array(&mut self, len: usize, element: TypeRef<'_>) -> Result<Items<'_, S>> {
        self.0.typed_array(len, element)
    }

    /// Opens a dictionary of `len` pairs, as [`Writer::dictionary`] does.
    ///
    /// # Errors
    /// Returns the errors of [`Writer::dictionary`].
    pub fn dictionary(&mut self, len: usize) -> Result<Items<'_, S>> {
        self.0.dictionary(len)
    }

    /// Opens a typed dictionary of `len` pairs, as [`Writer::typed_dictionary`] does.
    ///
    /// # Errors
    /// Returns the errors of [`Writer::typed_dictionary`].
    pub fn typed_dictionary(
        &mut self,
        len: usize,
        key: TypeRef<'_>,
        value: TypeRef<'_>,
    ) -> Result<Items<'_, S>> {
        self.0.typed_dictionary(len, key, value)
    }
}

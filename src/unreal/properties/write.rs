//! Writing lists of properties: tags are copied, or given other values, whose sizes are
//! entered once they are known.

use super::context::{Context, NameRef};
use super::kind::Kind;
use super::tag::{OVERRIDDEN, Tag, TagHead, tag_flags};
use super::value::PropertyValue;
use crate::base::{Full, PatchSink, Sink};
use crate::unreal::layout::Layout;
use crate::unreal::wire::{ByteOrder, Value, put};
use crate::unreal::{Error, ErrorKind, Result};

/// Writes a list of properties into a sink.
///
/// ```
/// use gamewire::unreal::{PropertyValue, PropertyWriter, Save};
///
/// let file = include_bytes!("../../../corpus/unreal/gvas-ue4.27-Slot1.sav");
/// let save = Save::open(file)?;
/// let mut changed = Vec::new();
/// let mut list = PropertyWriter::new(&mut changed, &save.properties());
/// for tag in save.properties() {
///     let tag = tag?;
///     match tag.name() == *"u8_test" {
///         true => list.value(&tag.head(), &PropertyValue::UInt(200))?,
///         false => list.copy(&tag)?,
///     }
/// }
/// list.finish()?;
/// # Ok::<(), gamewire::unreal::Error>(())
/// ```
#[derive(Debug)]
pub struct PropertyWriter<'s, 'p, S> {
    sink: &'s mut S,
    context: &'p Context<'p>,
    /// The name that ends the list.
    none: NameRef<'p>,
    /// Of the property whose value this list is.
    slot: Option<Slot>,
}

/// A size to be entered: where, and from where on is counted.
#[derive(Clone, Copy, Debug)]
struct Slot {
    size: usize,
    value: usize,
}

impl<'s, 'p, S: PatchSink> PropertyWriter<'s, 'p, S> {
    /// A list of the same file as another one, which ends as that does.
    pub fn new(sink: &'s mut S, like: &super::Properties<'p>) -> Self {
        let none = like.ending().unwrap_or_else(|| like.context.none());
        Self { sink, context: like.context, none, slot: None }
    }

    /// A property as it is.
    ///
    /// # Errors
    /// If the sink is full.
    pub fn copy(&mut self, tag: &Tag<'p>) -> Result<()> {
        self.bytes(&tag.head(), tag.bytes())
    }

    /// A property with another value, as bytes.
    ///
    /// # Errors
    /// If the sink is full.
    pub fn bytes(&mut self, head: &TagHead<'p>, value: &[u8]) -> Result<()> {
        let slot = self.head(head)?;
        put(self.sink, value).map_err(|full| self.full(full))?;
        self.close(slot)
    }

    /// A property with another value: not a container or a text for people, whose bytes have
    /// to be given, nor a struct ([`PropertyWriter::nested`]).
    ///
    /// # Errors
    /// If the value is not of the property's kind or does not fit into it, or the sink is full.
    pub fn value(&mut self, head: &TagHead<'p>, value: &PropertyValue<'_>) -> Result<()> {
        let start = self.sink.position();
        if let (Kind::Bool, PropertyValue::Bool(truth)) = (head.of.kind(), value) {
            let mut head = TagHead { truth: *truth, ..*head };
            let bit = if *truth { tag_flags::TRUE } else { 0 };
            head.flags = head.flags.map(|flags| flags & !tag_flags::TRUE | bit);
            let slot = self.head(&head)?;
            return self.close(slot);
        }
        let slot = self.head(head)?;
        let written = encode(value, head, self.sink, &self.context.layout);
        match written {
            Ok(true) => self.close(slot),
            Ok(false) => {
                self.sink.rewind(start);
                Err(Error::new(ErrorKind::DoesNotFit, start as u64))
            }
            Err(full) => Err(self.full(full)),
        }
    }

    /// A struct of tagged properties, which are written into the list this gives.
    ///
    /// # Errors
    /// If the sink is full.
    pub fn nested(&mut self, head: &TagHead<'p>) -> Result<PropertyWriter<'_, 'p, S>> {
        let slot = Some(self.head(head)?);
        let Self { context, none, .. } = *self;
        Ok(PropertyWriter { sink: self.sink, context, none, slot })
    }

    /// The end of the list.
    ///
    /// # Errors
    /// If the sink is full.
    pub fn finish(mut self) -> Result<()> {
        let (none, layout) = (self.none, &self.context.layout);
        none.write(self.sink, layout).map_err(|full| self.full(full))?;
        match self.slot {
            Some(slot) => self.close(slot),
            None => Ok(()),
        }
    }

    /// Writes a tag, whose size is to be entered.
    fn head(&mut self, head: &TagHead<'p>) -> Result<Slot> {
        let size = head.write(self.sink, &self.context.layout).map_err(|full| self.full(full))?;
        Ok(Slot { size, value: self.sink.position() })
    }

    /// Enters the size of what was written since.
    fn close(&mut self, slot: Slot) -> Result<()> {
        let end = self.sink.position();
        let size = i32::try_from(end.saturating_sub(slot.value))
            .map_err(|_| Error::new(ErrorKind::DoesNotFit, slot.value as u64))?;
        let bytes = match self.context.layout.order {
            ByteOrder::Little => size.to_le_bytes(),
            ByteOrder::Big => size.to_be_bytes(),
        };
        self.sink.patch(slot.size, bytes);
        Ok(())
    }

    #[cold]
    fn full(&self, Full { missing }: Full) -> Error {
        Error::new(ErrorKind::SinkFull { missing }, self.sink.position() as u64)
    }
}

/// Writes a value as one of the property's kind; `false` if it is none, or does not fit.
fn encode<S: Sink>(
    value: &PropertyValue<'_>,
    head: &TagHead<'_>,
    to: &mut S,
    layout: &Layout,
) -> Result<bool, Full> {
    macro_rules! narrow {
        ($value:expr => $T:ident) => {
            match $T::try_from(*$value) {
                Ok(value) => value.write(to, layout)?,
                Err(_) => return Ok(false),
            }
        };
    }
    match (head.of.kind(), value) {
        (Kind::Int8, PropertyValue::Int(value)) => narrow!(value => i8),
        (Kind::Int16, PropertyValue::Int(value)) => narrow!(value => i16),
        (Kind::Int, PropertyValue::Int(value)) => narrow!(value => i32),
        (Kind::Int64, PropertyValue::Int(value)) => value.write(to, layout)?,
        (Kind::Byte, PropertyValue::UInt(value)) => narrow!(value => u8),
        (Kind::UInt16, PropertyValue::UInt(value)) => narrow!(value => u16),
        (Kind::UInt32, PropertyValue::UInt(value)) => narrow!(value => u32),
        (Kind::UInt64, PropertyValue::UInt(value)) => value.write(to, layout)?,
        (Kind::Float, PropertyValue::Float(value)) => value.write(to, layout)?,
        (Kind::Double, PropertyValue::Double(value)) => value.write(to, layout)?,
        (Kind::Byte | Kind::Enum | Kind::Name, PropertyValue::Name(name)) => {
            name.write(to, layout)?;
        }
        (Kind::Str | Kind::AssetObject | Kind::AssetClass, PropertyValue::Text(text)) => {
            text.write(to, layout)?;
        }
        (Kind::AnsiStr | Kind::Utf8Str | Kind::VerseString, PropertyValue::Utf8(text)) => {
            text.write(to, layout)?;
        }
        (
            Kind::Object | Kind::Class | Kind::WeakObject | Kind::Interface,
            PropertyValue::Object(object),
        ) => object.write(to, layout)?,
        (Kind::LazyObject, PropertyValue::Guid(guid)) => guid.write(to, layout)?,
        (
            Kind::AssetObject | Kind::AssetClass | Kind::SoftObject | Kind::SoftClass,
            PropertyValue::Soft(soft),
        ) => match soft.index {
            Some(index) => index.write(to, layout)?,
            None => {
                soft.package.write(to, layout)?;
                if let Some(asset) = soft.asset {
                    asset.write(to, layout)?;
                }
                soft.sub_path.write(to, layout)?;
            }
        },
        (Kind::Delegate, PropertyValue::Delegate(delegate)) => {
            delegate.object.write(to, layout)?;
            delegate.function.write(to, layout)?;
        }
        (Kind::Struct, PropertyValue::Native(_, fields)) => put(to, fields.bytes())?,
        (_, PropertyValue::Opaque(bytes, _)) => put(to, bytes)?,
        _ => return Ok(false),
    }
    Ok(true)
}

impl TagHead<'_> {
    /// Writes the tag; the size, of which the place is returned, is to be entered later.
    fn write<S: Sink>(&self, to: &mut S, layout: &Layout) -> Result<usize, Full> {
        self.name.write(to, layout)?;
        self.of.write_word(to, layout)?;
        let size = to.position();
        self.size.write(to, layout)?;
        match self.flags {
            Some(flags) => self.write_flagged(flags, to, layout)?,
            None => self.write_by_kind(to, layout)?,
        }
        Ok(size)
    }

    fn write_flagged<S: Sink>(&self, flags: u8, to: &mut S, layout: &Layout) -> Result<(), Full> {
        flags.write(to, layout)?;
        if flags & tag_flags::ARRAY_INDEX != 0 {
            self.array_index.write(to, layout)?;
        }
        if flags & tag_flags::GUID != 0 {
            self.guid.unwrap_or_default().write(to, layout)?;
        }
        self.write_extensions(to, layout)
    }

    fn write_by_kind<S: Sink>(&self, to: &mut S, layout: &Layout) -> Result<(), Full> {
        self.array_index.write(to, layout)?;
        if self.of.kind() == Kind::Bool {
            match (self.truth_byte != 0) == self.truth {
                true => self.truth_byte.write(to, layout)?,
                false => u8::from(self.truth).write(to, layout)?,
            }
        }
        self.of.write_parameters(to, layout)?;
        if let Some(guid) = self.struct_guid {
            guid.write(to, layout)?;
        }
        if layout.ue4(503) {
            u8::from(self.guid.is_some()).write(to, layout)?;
        }
        if let Some(guid) = self.guid {
            guid.write(to, layout)?;
        }
        self.write_extensions(to, layout)
    }

    fn write_extensions<S: Sink>(&self, to: &mut S, layout: &Layout) -> Result<(), Full> {
        let Some(extensions) = self.extensions else { return Ok(()) };
        extensions.write(to, layout)?;
        match self.overridden {
            Some(overridden) if extensions & OVERRIDDEN != 0 => {
                overridden.operation.write(to, layout)?;
                overridden.experimental.write(to, layout)
            }
            _ => Ok(()),
        }
    }
}

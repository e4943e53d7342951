//! Writes containers, element by element.

use super::encode;
use super::tag_source::{ValueShape, WriteTag};
use super::writer::{Output, PropertyWriter, SizeSlot};
use crate::buffer::{Full, PatchSink};
use crate::unreal::format::{Error, ErrorKind, Layout, Result, put};
use crate::unreal::properties::read::{NativeValue, PropertyValue};
use crate::unreal::properties::types::{NativeForm, ObjectRef, PropertyKind};

/// A writer for the elements of a container; see [`PropertyWriter::container`].
///
/// In a map, keys and values alternate. An optional has one element or none.
///
/// ```
/// use gamewire::unreal::{
///     PropertyKind, PropertyValue, PropertyWriter, Save, TagBuf, StrBuf, PropertyTypeBuf,
/// };
///
/// # if !std::path::Path::new("corpus").exists() { return Ok(()) } // not published
/// let file = &std::fs::read("corpus/unreal/gvas-ue4.27-Slot1.sav")?;
/// let save = Save::open(file)?;
/// let mut bytes = Vec::new();
/// let mut list = PropertyWriter::new(&mut bytes, &save.properties());
///
/// let counts = PropertyTypeBuf::map(PropertyTypeBuf::of(PropertyKind::Str), PropertyTypeBuf::of(PropertyKind::Int));
/// let counts = TagBuf::in_save("Counts", &counts);
/// let mut entries = list.container(&counts)?;
/// for (key, value) in [("apples", 3), ("pears", 5)] {
///     entries.value(&PropertyValue::Str(StrBuf::new(key).as_text()))?;
///     entries.value(&PropertyValue::Int(value))?;
/// }
/// entries.finish()?;
///
/// // Each element is a list of its own.
/// let items = TagBuf::in_save("Items", &PropertyTypeBuf::array(PropertyTypeBuf::structure("Item", "/Script/Game")));
/// let weight = TagBuf::in_save("Weight", &PropertyTypeBuf::of(PropertyKind::Float));
/// let mut elements = list.container(&items)?;
/// for kilograms in [0.5, 80.0] {
///     let mut item = elements.nested()?;
///     item.value(&weight, &PropertyValue::Float(kilograms))?;
///     item.finish()?;
/// }
/// elements.finish()?;
/// list.finish()?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct ContainerWriter<'w, 'p, S> {
    out: Output<'w, 'p, S>,
    /// Shape of elements or keys, and shape of values.
    shapes: [ValueShape<'w>; 2],
    /// Names that a hint gives to the structs in keys or elements, and in values.
    hints: [Option<&'p str>; 2],
    /// `true` if keys and values alternate.
    pairs: bool,
    /// The flag for native serialization in the tag.
    native: Option<bool>,
    /// Maximum number of elements.
    most: u32,
    /// Position of the count, and its current value.
    count_at: usize,
    count: u32,
    /// `true` while removed elements can be written.
    removing: bool,
    /// Size fields of the property, and of the inner tag.
    slots: [Option<SizeSlot>; 2],
}

impl<'w, 'p, S: PatchSink> ContainerWriter<'w, 'p, S> {
    /// Begins the elements after the tag of a container. If the property is not a container,
    /// removes the tag, which begins at `start`, and returns an error.
    pub(crate) fn new(
        mut out: Output<'w, 'p, S>,
        head: &'w impl WriteTag,
        slot: Option<SizeSlot>,
        start: usize,
    ) -> Result<Self> {
        let layout = out.layout();
        let (of, most) = (head.shape(), i32::MAX.unsigned_abs());
        let is = |kind| Some(ValueShape::new(kind, None));
        let (first, most) = match of.kind {
            PropertyKind::Array | PropertyKind::Set | PropertyKind::Map => (head.inside(0), most),
            PropertyKind::Optional => (head.inside(0), 1),
            PropertyKind::MulticastDelegate
            | PropertyKind::MulticastInlineDelegate
            | PropertyKind::MulticastSparseDelegate => (is(PropertyKind::Delegate), most),
            PropertyKind::Struct => match of.native(layout).map(|native| native.form) {
                Some(NativeForm::Names) => (is(PropertyKind::Name), most),
                _ => (None, 0),
            },
            _ => (None, 0),
        };
        let pairs = of.kind == PropertyKind::Map;
        let second = if pairs { head.inside(1) } else { first };
        let (Some(first), Some(second)) = (first, second) else {
            return Err(out.refuse(start));
        };
        let count_at = out.later()?;
        let has_tag = of.kind == PropertyKind::Array && layout.arrays_have_inner_tags();
        let inner = match has_tag && first.kind == PropertyKind::Struct {
            true => Some(out.inner_head(head).inspect_err(|_| out.sink.rewind(start))?),
            false => None,
        };
        let removing = matches!(of.kind, PropertyKind::Set | PropertyKind::Map);
        let (shapes, slots) = ([first, second], [slot, inner]);
        let native = head.native_flag(out.layout());
        let hint = out.context.written_hint_of(head.name_ref());
        let hints = hint.map_or([None; 2], |hint| match pairs {
            true => [hint.key, hint.value],
            false => [hint.value; 2],
        });
        Ok(Self { out, shapes, hints, pairs, native, most, count_at, count: 0, removing, slots })
    }

    /// Writes a removed element or key: one that the container of the object's template contains
    /// but this container does not. Removed elements precede all others.
    ///
    /// # Errors
    /// If the container is neither a set nor a map, if an element other than a removed one has
    /// already been written, if the value does not have the expected type or is too large for it,
    /// or if the sink is full.
    pub fn removed(&mut self, value: &PropertyValue<'_>) -> Result<()> {
        if !self.removing {
            return Err(self.does_not_fit());
        }
        self.put(value, 0)?;
        self.count = self.count.saturating_add(1);
        Ok(())
    }

    /// Writes an element, a key or a value. To write a struct that was not read from a file, use
    /// [`nested`](Self::nested) or [`native`](Self::native).
    ///
    /// # Errors
    /// If the value does not have the expected type or is too large for it, if there are too many
    /// elements, or if the sink is full.
    pub fn value(&mut self, value: &PropertyValue<'_>) -> Result<()> {
        self.begin()?;
        if self.count >= self.most {
            return Err(self.does_not_fit());
        }
        self.put(value, self.side())?;
        self.count = self.count.wrapping_add(1);
        Ok(())
    }

    /// Writes a key or element (side 0), or a value of a map (side 1). If the tag does not name the
    /// struct, uses the name from a hint.
    fn put(&mut self, value: &PropertyValue<'_>, side: usize) -> Result<()> {
        let [first, second] = self.shapes;
        let shape = if side == 0 { first } else { second };
        let hint = self.hints.get(side).copied().flatten();
        if let (Some(name), PropertyKind::Struct, None) = (hint, shape.kind, shape.name) {
            let hinted = ValueShape::new(shape.kind, Some(name));
            let written = self.out.fits(|to, layout| encode::value(value, hinted, to, layout));
            // The width of a number is known only from the name of the struct, so there is no other
            // way to write it.
            if written.is_ok() || matches!(value, PropertyValue::Int(_) | PropertyValue::UInt(_)) {
                return written;
            }
        }
        self.out.fits(|to, layout| encode::value(value, shape, to, layout))
    }

    /// Returns 1 if the next item is the value of a map entry, and 0 otherwise.
    fn side(&self) -> usize {
        usize::from(self.pairs && self.count.wrapping_rem(2) != 0)
    }

    /// Writes an element, a key or a value that is given as bytes.
    ///
    /// # Errors
    /// If there are too many elements, or the sink is full.
    pub fn bytes(&mut self, bytes: &[u8]) -> Result<()> {
        self.one(|_, to, _| put(to, bytes).map(|()| true))
    }

    /// Writes a struct with native serialization from the values of its fields.
    ///
    /// # Errors
    /// If the struct is unknown or has different fields, if there are too many elements, or if the
    /// sink is full.
    pub fn native(&mut self, fields: &[NativeValue<'_>]) -> Result<()> {
        let flag = self.native;
        self.one(|shape, to, layout| encode::native(shape, flag, fields, to, layout))
    }

    /// Begins a struct of tagged properties, and returns a writer for them.
    ///
    /// # Errors
    /// If the element, key or value is not a struct of tagged properties, if there are too many
    /// elements, or if the sink is full.
    pub fn nested(&mut self) -> Result<PropertyWriter<'_, 'p, S>> {
        let flag = self.native;
        let name = self.next_shape().name;
        self.one(|shape, _, layout| Ok(shape.is_tagged(flag, layout)))?;
        Ok(PropertyWriter::within(self.out.again(), [None; 2], name))
    }

    /// Begins a struct of a dynamic type, and returns a writer for its properties.
    ///
    /// # Errors
    /// If the elements have a different type, if there are too many of them, if `of` has the wrong
    /// form for the file (a path for a package, an index for a save), or if the sink is full.
    pub fn instanced(&mut self, of: ObjectRef<'_>) -> Result<PropertyWriter<'_, 'p, S>> {
        self.one(|shape, to, layout| {
            Ok(shape.is_instanced(layout) && of.write_matching(to, layout)?)
        })?;
        let slot = Some(self.out.size()?);
        Ok(PropertyWriter::within(self.out.again(), [slot, None], None))
    }

    /// Ends the container.
    ///
    /// # Errors
    /// If a key has no value, if the container is longer than 2 GiB, or if the sink is full.
    pub fn finish(mut self) -> Result<()> {
        self.begin()?;
        let count = match self.pairs {
            true if self.count.wrapping_rem(2) != 0 => return Err(self.does_not_fit()),
            true => self.count.wrapping_shr(1),
            false => self.count,
        };
        self.out.enter(self.count_at, count.cast_signed());
        self.slots.into_iter().flatten().try_for_each(|slot| self.out.close(slot))
    }

    fn one(
        &mut self,
        write: impl FnOnce(ValueShape<'_>, &mut S, &Layout) -> Result<bool, Full>,
    ) -> Result<()> {
        self.begin()?;
        if self.count >= self.most {
            return Err(self.does_not_fit());
        }
        let shape = self.next_shape();
        self.out.fits(|to, layout| write(shape, to, layout))?;
        self.count = self.count.wrapping_add(1);
        Ok(())
    }

    /// Returns the shape of the next item after the removed ones: an element, a key or a value of a
    /// map.
    fn next_shape(&self) -> ValueShape<'w> {
        let [first, second] = self.shapes;
        let is_value = self.pairs && !self.removing && self.count.wrapping_rem(2) != 0;
        if is_value { second } else { first }
    }

    /// Ends the removed elements if they have not been ended yet: writes their number, and a
    /// placeholder for the number of the other elements.
    fn begin(&mut self) -> Result<()> {
        if core::mem::take(&mut self.removing) {
            self.out.enter(self.count_at, self.count.cast_signed());
            self.count_at = self.out.later()?;
            self.count = 0;
        }
        Ok(())
    }

    fn does_not_fit(&self) -> Error {
        Error::new(ErrorKind::DoesNotFit, self.out.sink.position() as u64)
    }
}

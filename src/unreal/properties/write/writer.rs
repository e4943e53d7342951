//! A writer for lists of properties. A tag can be copied, copied with changes, or new. Sizes are
//! filled in once they are known.

use super::container::ContainerWriter;
use super::encode;
use super::slot_list::SlotList;
use super::tag_source::WriteTag;
use crate::buffer::{Full, PatchSink};
use crate::unreal::format::{ByteOrder, Error, ErrorKind, Layout, Result, Value, put};
use crate::unreal::properties::read::{NativeValue, Properties, PropertyValue, Slot, Tag};
use crate::unreal::properties::types::{
    NameCode, NameRef, ObjectRef, PropertyContext, PropertyKind,
};

/// A writer for a list of properties. It writes into a sink.
///
/// In a list without tags, properties must be written in the order of their slots. Their tags must
/// have been read, or come from [`Properties::declared`]. Writing such properties requires the
/// feature `alloc`; without it, they are refused. If the written list has the same slots as the
/// list that was read, its header is the same. Otherwise, the header is the one that engines write.
///
/// The tag of a property is one that was read ([`Tag`], [`TagHead`](crate::unreal::TagHead)) or a
/// new one (`TagBuf`).
///
/// ```
/// use gamewire::unreal::{PropertyValue, PropertyWriter, Save};
///
/// # if !std::path::Path::new("corpus").exists() { return Ok(()) } // not published
/// let file = &std::fs::read("corpus/unreal/gvas-ue4.27-Slot1.sav")?;
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
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct PropertyWriter<'s, 'p, S> {
    out: Output<'s, 'p, S>,
    /// Size fields of the enclosing property, and of a struct in it.
    slots: [Option<SizeSlot>; 2],
    /// The slots of a list without tags.
    unversioned: Option<SlotList<'p>>,
}

/// The sink, and the context of the file.
#[derive(Debug)]
pub(crate) struct Output<'s, 'p, S> {
    pub sink: &'s mut S,
    pub context: &'p PropertyContext<'p>,
    /// The name that ends lists.
    none: NameRef<'p>,
}

/// A size field to patch: its position, and the start of the counted bytes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SizeSlot {
    size: usize,
    value: usize,
}

impl<'p, S: PatchSink> Output<'_, 'p, S> {
    pub fn again(&mut self) -> Output<'_, 'p, S> {
        Output { sink: self.sink, context: self.context, none: self.none }
    }

    pub const fn layout(&self) -> &'p Layout {
        &self.context.layout
    }

    /// Calls `write`. If `write` returns `None`, removes its output and returns an error.
    pub fn all<T>(
        &mut self,
        write: impl FnOnce(&mut S, &Layout) -> Result<Option<T>, Full>,
    ) -> Result<T> {
        let start = self.sink.position();
        match write(self.sink, &self.context.layout) {
            Ok(Some(written)) => Ok(written),
            Ok(None) => Err(self.refuse(start)),
            Err(Full { missing }) => {
                let at = self.sink.position() as u64;
                Err(Error::new(ErrorKind::SinkFull { missing }, at))
            }
        }
    }

    /// Calls `write`. If `write` returns `false`, removes its output and returns an error.
    pub fn fits(
        &mut self,
        write: impl FnOnce(&mut S, &Layout) -> Result<bool, Full>,
    ) -> Result<()> {
        self.all(|to, layout| Ok(write(to, layout)?.then_some(())))
    }

    /// Removes everything that was written since the position `start`, and returns an error at that
    /// position.
    pub fn refuse(&mut self, start: usize) -> Error {
        self.sink.rewind(start);
        Error::new(ErrorKind::DoesNotFit, start as u64)
    }

    /// Sets the size field of `slot` to the number of bytes that were written since its start.
    pub fn close(&mut self, slot: SizeSlot) -> Result<()> {
        let end = self.sink.position();
        let size = i32::try_from(end.saturating_sub(slot.value))
            .map_err(|_| Error::new(ErrorKind::DoesNotFit, slot.value as u64))?;
        self.enter(slot.size, size);
        Ok(())
    }

    /// Replaces the number at the position `at` of the output.
    pub fn enter(&mut self, at: usize, number: i32) {
        let bytes = match self.context.layout.order {
            ByteOrder::Little => number.to_le_bytes(),
            ByteOrder::Big => number.to_be_bytes(),
        };
        self.sink.patch(at, bytes);
    }

    /// Writes a placeholder for a number, and returns its position.
    pub fn later(&mut self) -> Result<usize> {
        let at = self.sink.position();
        self.all(|to, layout| 0i32.write(to, layout).map(Some))?;
        Ok(at)
    }
}

impl<S: PatchSink> Output<'_, '_, S> {
    /// Writes a tag. Its size field is patched later.
    fn head(&mut self, head: &impl WriteTag, bool_value: Option<bool>) -> Result<SizeSlot> {
        // A property with the name `None` would end the list.
        let is_end = self.context.prepared().code(head.name_ref()) == NameCode::NONE;
        let fits = !is_end && head.is_readable();
        let size =
            self.all(|to, layout| Ok(Some(head.write(bool_value, to, layout)?).filter(|_| fits)))?;
        Ok(SizeSlot { size, value: self.sink.position() })
    }

    /// Writes the inner tag of an array of structs.
    pub fn inner_head(&mut self, head: &impl WriteTag) -> Result<SizeSlot> {
        let size = self.all(|to, layout| head.write_inner(to, layout))?;
        Ok(SizeSlot { size, value: self.sink.position() })
    }

    /// Writes a placeholder for the size of the following bytes.
    pub fn size(&mut self) -> Result<SizeSlot> {
        let size = self.later()?;
        Ok(SizeSlot { size, value: self.sink.position() })
    }
}

impl<'s, 'p, S: PatchSink> PropertyWriter<'s, 'p, S> {
    /// Begins a list for the file from which `like` was read. The list ends with the same name as
    /// `like`.
    pub fn new(sink: &'s mut S, like: &Properties<'p>) -> Self {
        let none = like.ending().unwrap_or_else(|| like.context.none());
        let start = sink.position();
        let mut list = Self::within(Output { sink, context: like.context, none }, [None; 2], None);
        if like.slot_header().is_some() {
            let total = like.structure().map_or(u32::MAX, |of| of.all_slots());
            list.unversioned = Some(SlotList::new(start, total, Some(*like)));
        }
        list
    }

    /// Begins a list in the context of a file. Returns `None` if the file does not have the name
    /// `None`, which ends lists.
    pub(crate) fn in_context(sink: &'s mut S, context: &'p PropertyContext<'p>) -> Option<Self> {
        let none = context.none();
        let is_none = context.text(none).is_some_and(|text| text == *"None");
        is_none.then(|| Self::within(Output { sink, context, none }, [None; 2], None))
    }

    /// Begins a list within a value. `of` is the name of its struct.
    pub(crate) fn within(
        out: Output<'s, 'p, S>,
        slots: [Option<SizeSlot>; 2],
        of: Option<&str>,
    ) -> Self {
        let unversioned = out.layout().unversioned_properties.then(|| {
            let structure = out.context.mappings.and_then(|mappings| mappings.find_struct(of?));
            let total = structure.map_or(u32::MAX, |of| of.all_slots());
            SlotList::new(out.sink.position(), total, None)
        });
        Self { out, slots, unversioned }
    }

    /// Begins a property: writes its tag, or adds its slot to a list without tags.
    fn begin(
        &mut self,
        head: &impl WriteTag,
        bool_value: Option<bool>,
        is_zero: bool,
    ) -> Result<Option<SizeSlot>> {
        let Some(list) = &mut self.unversioned else {
            return self.out.head(head, bool_value).map(Some);
        };
        let start = self.out.sink.position();
        match head.slot() {
            Some(slot) if list.push(Slot { is_zero, ..slot }) => Ok(None),
            _ => Err(self.out.refuse(start)),
        }
    }

    /// Undoes the start of a property. `start` is the position at which the property begins.
    fn undo(&mut self, start: usize) {
        self.out.sink.rewind(start);
        if let Some(list) = &mut self.unversioned {
            list.pop();
        }
    }

    fn close(&mut self, slot: Option<SizeSlot>) -> Result<()> {
        slot.map_or(Ok(()), |slot| self.out.close(slot))
    }

    /// Copies a property.
    ///
    /// # Errors
    /// See [`bytes`](Self::bytes).
    pub fn copy(&mut self, tag: &Tag<'_>) -> Result<()> {
        self.bytes(&tag.head(), tag.bytes())
    }

    /// Writes a property with a value that is given as bytes.
    ///
    /// # Errors
    /// If the sink is full, if the name of the property means `None` in this file, if the type
    /// exceeds the limits of readers, or if the value is longer than 2 GiB.
    pub fn bytes(&mut self, head: &impl WriteTag, value: &[u8]) -> Result<()> {
        let is_zero = value.is_empty() && head.slot().is_some_and(|slot| slot.is_zero);
        let slot = self.begin(head, None, is_zero)?;
        self.out.all(|to, _| put(to, value).map(Some))?;
        self.close(slot)
    }

    /// Writes a property with a value. To write a container, use [`container`](Self::container). To
    /// write a struct that was not read from a file, use [`nested`](Self::nested) or
    /// [`native`](Self::native).
    ///
    /// # Errors
    /// If the value does not have the type of the property or is too large for it, if a name or
    /// reference in it has the wrong form for the file (a string for a package, an index for a
    /// save), or if [`bytes`](Self::bytes) would fail.
    pub fn value(&mut self, head: &impl WriteTag, value: &PropertyValue<'_>) -> Result<()> {
        let shape = head.shape();
        if self.unversioned.is_some() {
            return self.one(head, |to, layout| encode::slot_value(value, shape, to, layout));
        }
        if let (PropertyKind::Bool, PropertyValue::Bool(bool_value)) = (shape.kind, value) {
            let slot = self.out.head(head, Some(*bool_value))?;
            return self.out.close(slot);
        }
        self.one(head, |to, layout| encode::value(value, shape, to, layout))
    }

    /// Writes a struct with native serialization from the values of its fields. Numbers are
    /// converted to the precision of the file.
    ///
    /// ```
    /// use gamewire::unreal::{PropertyWriter, Save, TagBuf, PropertyTypeBuf};
    /// use gamewire::unreal::properties::NativeValue;
    ///
    /// # if !std::path::Path::new("corpus").exists() { return Ok(()) } // not published
    /// let file = &std::fs::read("corpus/unreal/gvas-ue4.27-Slot1.sav")?;
    /// let save = Save::open(file)?;
    /// let mut bytes = Vec::new();
    /// let mut list = PropertyWriter::new(&mut bytes, &save.properties());
    /// let place = TagBuf::in_save("ValuePosition", &PropertyTypeBuf::structure("Vector", "/Script/CoreUObject"));
    /// list.native(&place, &[1.0, 2.5, -3.0].map(NativeValue::Double))?;
    /// list.finish()?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If the struct is unknown or has different fields, if the tag excludes native serialization,
    /// or if [`bytes`](Self::bytes) would fail.
    pub fn native(&mut self, head: &impl WriteTag, fields: &[NativeValue<'_>]) -> Result<()> {
        let shape = head.shape();
        let flag = head.native_flag(self.out.layout());
        self.one(head, |to, layout| {
            Ok(flag != Some(false) && encode::native(shape, flag, fields, to, layout)?)
        })
    }

    /// Writes a field path: its names from the property to the outermost owner that has a name,
    /// and, if the version stores it, the object that owns the outermost name.
    ///
    /// # Errors
    /// If the property is not a field path, if an owner is missing or not supported by the version,
    /// if a name or the owner has the wrong form for the file (a string for a package, an index for
    /// a save), or if [`bytes`](Self::bytes) would fail.
    pub fn field_path(
        &mut self,
        head: &impl WriteTag,
        path: &[NameRef<'_>],
        owner: Option<ObjectRef<'_>>,
    ) -> Result<()> {
        let is_path = head.shape().kind == PropertyKind::FieldPath;
        self.one(head, |to, layout| {
            let all = path.iter();
            let names = encode::many(all, to, layout, |name, to| name.write_matching(to, layout))?;
            Ok(is_path && names && encode::owner(owner, to, layout)?)
        })
    }

    /// Writes a property with a value that `write` encodes.
    fn one(
        &mut self,
        head: &impl WriteTag,
        write: impl FnOnce(&mut S, &Layout) -> Result<bool, Full>,
    ) -> Result<()> {
        let start = self.out.sink.position();
        let slot = self.begin(head, None, false)?;
        if let Err(error) = self.out.fits(write) {
            self.undo(start);
            return Err(error);
        }
        self.close(slot)
    }

    /// Begins a struct of tagged properties, and returns a writer for them.
    ///
    /// # Errors
    /// If the property is not a struct or has native serialization, if the name of the property
    /// means `None` in this file, if the type exceeds the limits of readers, or if the sink is
    /// full.
    pub fn nested(&mut self, head: &impl WriteTag) -> Result<PropertyWriter<'_, 'p, S>> {
        let (layout, start) = (self.out.layout(), self.out.sink.position());
        let flag = head.native_flag(layout);
        let slot = self.begin(head, None, false)?;
        let shape = head.shape();
        if flag == Some(true) || !shape.is_tagged(flag, layout) {
            self.undo(start);
            return Err(self.out.refuse(start));
        }
        Ok(PropertyWriter::within(self.out.again(), [slot, None], shape.name))
    }

    /// Begins a struct of a dynamic type (`FInstancedStruct`), and returns a writer for its
    /// properties. To write an empty struct, use [`value`](Self::value).
    ///
    /// # Errors
    /// If the property has a different type, if `of` has the wrong form for the file (a path for a
    /// package, an index for a save), if the name of the property means `None` in this file, if the
    /// type exceeds the limits of readers, or if the sink is full.
    pub fn instanced(
        &mut self,
        head: &impl WriteTag,
        of: ObjectRef<'_>,
    ) -> Result<PropertyWriter<'_, 'p, S>> {
        let start = self.out.sink.position();
        let slot = self.begin(head, None, false)?;
        let of = self.out.fits(|to, layout| {
            Ok(head.shape().is_instanced(layout) && of.write_matching(to, layout)?)
        });
        if let Err(error) = of {
            self.undo(start);
            return Err(error);
        }
        let inner = Some(self.out.size()?);
        Ok(PropertyWriter::within(self.out.again(), [slot, inner], None))
    }

    /// Begins an array, a set, a map, an optional, a multicast delegate or a list of gameplay tags.
    ///
    /// # Errors
    /// If the property has none of these types, if its name means `None` in this file, if the type
    /// exceeds the limits of readers, or if the sink is full. In files from 4:500 to 5:1011, an
    /// array of structs is also an error if `head` does not include the inner tag; a
    /// [`TagHead`](crate::unreal::TagHead) never does.
    pub fn container<'w>(
        &'w mut self,
        head: &'w impl WriteTag,
    ) -> Result<ContainerWriter<'w, 'p, S>> {
        let start = self.out.sink.position();
        let slot = self.begin(head, None, false)?;
        let Self { out, unversioned, .. } = self;
        ContainerWriter::new(out.again(), head, slot, start).inspect_err(|_| {
            if let Some(list) = unversioned {
                list.pop();
            }
        })
    }

    /// Ends the list.
    ///
    /// # Errors
    /// If the sink is full, or if the struct that contains the list is longer than 2 GiB.
    pub fn finish(mut self) -> Result<()> {
        let none = self.out.none;
        match &self.unversioned {
            None => self.out.all(|to, layout| none.write(to, layout).map(Some))?,
            Some(list) => self.out.all(|to, layout| list.finish(to, layout).map(Some))?,
        }
        self.slots.into_iter().flatten().try_for_each(|slot| self.out.close(slot))
    }
}

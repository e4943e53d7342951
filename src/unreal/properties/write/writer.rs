//! Writing lists of properties: tags are copied, given other values, or new; sizes are entered
//! once they are known.

use super::container::ContainerWriter;
use super::encode;
use super::tag_source::WriteTag;
use crate::buffer::{Full, PatchSink};
use crate::unreal::format::{ByteOrder, Error, ErrorKind, Layout, Result, Value, put};
use crate::unreal::properties::read::{Properties, PropertyValue, Tag};
use crate::unreal::properties::types::{
    NameCode, NameRef, NativeValue, ObjectRef, PropertyContext, PropertyKind,
};

/// Writes a list of properties into a sink.
///
/// What stands before a value is a tag that was read ([`Tag`], [`TagHead`](super::TagHead)) or a new one
/// (`TagBuf`).
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
    out: Output<'s, 'p, S>,
    /// Of the property whose value this list is, and of a struct in it that has a size.
    slots: [Option<SizeSlot>; 2],
}

/// Where it is written, and in which form.
#[derive(Debug)]
pub(crate) struct Output<'s, 'p, S> {
    pub sink: &'s mut S,
    pub context: &'p PropertyContext<'p>,
    /// The name that ends a list.
    none: NameRef<'p>,
}

/// A size to be entered: where, and from where on is counted.
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

    /// What a function writes; all of it is taken back where it says that it does not fit.
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

    /// The same of a function that says whether it fits.
    pub fn fits(
        &mut self,
        write: impl FnOnce(&mut S, &Layout) -> Result<bool, Full>,
    ) -> Result<()> {
        self.all(|to, layout| Ok(write(to, layout)?.then_some(())))
    }

    /// Takes back what was written since, since it does not fit.
    pub fn refuse(&mut self, start: usize) -> Error {
        self.sink.rewind(start);
        Error::new(ErrorKind::DoesNotFit, start as u64)
    }

    /// Enters the size of what was written since.
    pub fn close(&mut self, slot: SizeSlot) -> Result<()> {
        let end = self.sink.position();
        let size = i32::try_from(end.saturating_sub(slot.value))
            .map_err(|_| Error::new(ErrorKind::DoesNotFit, slot.value as u64))?;
        self.enter(slot.size, size);
        Ok(())
    }

    /// Enters a number.
    pub fn enter(&mut self, at: usize, number: i32) {
        let bytes = match self.context.layout.order {
            ByteOrder::Little => number.to_le_bytes(),
            ByteOrder::Big => number.to_be_bytes(),
        };
        self.sink.patch(at, bytes);
    }

    /// A number that is to be entered later.
    pub fn later(&mut self) -> Result<usize> {
        let at = self.sink.position();
        self.all(|to, layout| 0i32.write(to, layout).map(Some))?;
        Ok(at)
    }
}

impl<S: PatchSink> Output<'_, '_, S> {
    /// Writes a tag, whose size is to be entered.
    fn head(&mut self, head: &impl WriteTag, bool_value: Option<bool>) -> Result<SizeSlot> {
        // What is called `None` would be the end of the list.
        let is_end = self.context.prepared().code(head.name_ref()) == NameCode::NONE;
        let fits = !is_end && head.is_readable();
        let size =
            self.all(|to, layout| Ok(Some(head.write(bool_value, to, layout)?).filter(|_| fits)))?;
        Ok(SizeSlot { size, value: self.sink.position() })
    }

    /// The tag of all structs of an array.
    pub fn inner_head(&mut self, head: &impl WriteTag) -> Result<SizeSlot> {
        let size = self.all(|to, layout| head.write_inner(to, layout))?;
        Ok(SizeSlot { size, value: self.sink.position() })
    }

    /// The size of what follows, which is to be entered.
    pub fn size(&mut self) -> Result<SizeSlot> {
        let size = self.later()?;
        Ok(SizeSlot { size, value: self.sink.position() })
    }
}

impl<'s, 'p, S: PatchSink> PropertyWriter<'s, 'p, S> {
    /// A list of the same file as another one, which ends as that does.
    pub fn new(sink: &'s mut S, like: &Properties<'p>) -> Self {
        let none = like.ending().unwrap_or_else(|| like.context.none());
        Self::within(Output { sink, context: like.context, none }, [None; 2])
    }

    /// A list in the context of a file. `None` if the file has no name `None` to end it with.
    pub(crate) fn in_context(sink: &'s mut S, context: &'p PropertyContext<'p>) -> Option<Self> {
        let none = context.none();
        let is_none = context.text(none).is_some_and(|text| text == *"None");
        is_none.then(|| Self::within(Output { sink, context, none }, [None; 2]))
    }

    pub(crate) const fn within(out: Output<'s, 'p, S>, slots: [Option<SizeSlot>; 2]) -> Self {
        Self { out, slots }
    }

    /// A property as it is.
    ///
    /// # Errors
    /// If the sink is full.
    pub fn copy(&mut self, tag: &Tag<'_>) -> Result<()> {
        self.bytes(&tag.head(), tag.bytes())
    }

    /// A property with another value, as bytes.
    ///
    /// # Errors
    /// If the sink is full.
    pub fn bytes(&mut self, head: &impl WriteTag, value: &[u8]) -> Result<()> {
        let slot = self.out.head(head, None)?;
        self.out.all(|to, _| put(to, value).map(Some))?;
        self.out.close(slot)
    }

    /// A property with a value that is one: not a [container](Self::container) nor a struct
    /// of [properties](Self::nested) or of [fields](Self::native) that were not read.
    ///
    /// # Errors
    /// If the value is not of the property's kind or does not fit into it, or has names or
    /// references in a form that the file does not have, or the sink is full.
    pub fn value(&mut self, head: &impl WriteTag, value: &PropertyValue<'_>) -> Result<()> {
        let shape = head.shape();
        if let (PropertyKind::Bool, PropertyValue::Bool(bool_value)) = (shape.kind, value) {
            let slot = self.out.head(head, Some(*bool_value))?;
            return self.out.close(slot);
        }
        self.one(head, |to, layout| encode::value(value, shape, to, layout))
    }

    /// A struct without tags, of the values of its fields one after the other; reals are in the
    /// width of the file.
    ///
    /// ```
    /// use gamewire::unreal::{PropertyWriter, Save, TagBuf, PropertyTypeBuf};
    /// use gamewire::unreal::properties::NativeValue;
    ///
    /// let file = include_bytes!("../../../corpus/unreal/gvas-ue4.27-Slot1.sav");
    /// let save = Save::open(file)?;
    /// let mut bytes = Vec::new();
    /// let mut list = PropertyWriter::new(&mut bytes, &save.properties());
    /// let place = TagBuf::in_save("ValuePosition", &PropertyTypeBuf::structure("Vector", "/Script/CoreUObject"));
    /// list.native(&place, &[1.0, 2.5, -3.0].map(NativeValue::Double))?;
    /// list.finish()?;
    /// # Ok::<(), gamewire::unreal::Error>(())
    /// ```
    ///
    /// # Errors
    /// If the struct is none that is known, or has other fields, or the sink is full.
    pub fn native(&mut self, head: &impl WriteTag, fields: &[NativeValue<'_>]) -> Result<()> {
        let shape = head.shape();
        let says_so = head.native_flag(self.out.layout()) != Some(false);
        self.one(head, |to, layout| Ok(says_so && encode::native(shape, fields, to, layout)?))
    }

    /// A path to a property: names from it outwards, and what the outermost belongs to, where
    /// the version has that.
    ///
    /// # Errors
    /// If the property is none such, the version has an owner and there is none or the other
    /// way round, or the sink is full.
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

    /// A property whose value a function writes, if it fits.
    fn one(
        &mut self,
        head: &impl WriteTag,
        write: impl FnOnce(&mut S, &Layout) -> Result<bool, Full>,
    ) -> Result<()> {
        let start = self.out.sink.position();
        let slot = self.out.head(head, None)?;
        self.out.fits(write).inspect_err(|_| self.out.sink.rewind(start))?;
        self.out.close(slot)
    }

    /// A struct of tagged properties, which are written into the list this gives.
    ///
    /// # Errors
    /// If the property is no struct, or one without tags; or if the sink is full.
    pub fn nested(&mut self, head: &impl WriteTag) -> Result<PropertyWriter<'_, 'p, S>> {
        let (layout, start) = (self.out.layout(), self.out.sink.position());
        let flag = head.native_flag(layout);
        let slot = self.out.head(head, None)?;
        if flag == Some(true) || !head.shape().is_tagged(flag, layout) {
            return Err(self.out.refuse(start));
        }
        Ok(PropertyWriter::within(self.out.again(), [Some(slot), None]))
    }

    /// A struct of any type (`FInstancedStruct`), whose properties are written into the list
    /// this gives. (Without any struct it is a [value](Self::value).)
    ///
    /// # Errors
    /// If the property is none, or the reference in a form that the file does not have, or the
    /// sink is full.
    pub fn instanced(
        &mut self,
        head: &impl WriteTag,
        of: ObjectRef<'_>,
    ) -> Result<PropertyWriter<'_, 'p, S>> {
        let start = self.out.sink.position();
        let slot = Some(self.out.head(head, None)?);
        let of = self.out.fits(|to, layout| {
            Ok(head.shape().is_instanced(layout) && of.write_matching(to, layout)?)
        });
        of.inspect_err(|_| self.out.sink.rewind(start))?;
        let inner = Some(self.out.size()?);
        Ok(PropertyWriter::within(self.out.again(), [slot, inner]))
    }

    /// An array, a set, a map or an optional; delegates, and gameplay tags: element by element.
    ///
    /// # Errors
    /// If the property is none of these; if it is an array of structs with a tag of their own
    /// (from 4:500 to 5:1011), and that is not known (of a [`TagHead`](super::TagHead) without its [`Tag`]); or if the
    /// sink is full.
    pub fn container<'w>(
        &'w mut self,
        head: &'w impl WriteTag,
    ) -> Result<ContainerWriter<'w, 'p, S>> {
        let start = self.out.sink.position();
        let slot = self.out.head(head, None)?;
        ContainerWriter::new(self.out.again(), head, slot, start)
    }

    /// The end of the list.
    ///
    /// # Errors
    /// If the sink is full.
    pub fn finish(mut self) -> Result<()> {
        let none = self.out.none;
        self.out.all(|to, layout| none.write(to, layout).map(Some))?;
        self.slots.into_iter().flatten().try_for_each(|slot| self.out.close(slot))
    }
}

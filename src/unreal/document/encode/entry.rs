//! Writes lists of properties.

use super::node::{Fault, Node};
use super::slots::{SlotValues, SlotsVisitor};
use super::type_text;
use super::value::{Struct, Target, ValueSeed};
use super::writer::{DocumentWriter, guid};
use crate::unreal::format::{AsDisplay, FileCursor, Guid, ue5};
use crate::unreal::mappings::MappedStruct;
use crate::unreal::properties::{
    FormOfStructs, HintScope, KnownName, Overridden, PropertyContext, PropertyKind,
    PropertyTypeBuf, PropertyValue, StructHint, Tag, TagBuf, TagHead, WriteTag, tag_flags,
};
use alloc::borrow::Cow;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;
use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};

/// A seed for `serde` that writes a list of properties while it is parsed.
pub struct ListSeed<'e, 'c> {
    pub to: &'e mut DocumentWriter<'c>,
    /// The number of further levels of nesting that are allowed.
    pub depth: u8,
    /// Maximum offset of the end of this list in the original package; 0 if the original package
    /// does not contain the list.
    pub limit: u64,
    /// `true` to write the name that ends the list.
    pub ends: bool,
    /// The class or struct in the mappings that has the properties; needed only for a list without
    /// tags.
    pub of: Option<MappedStruct<'c>>,
}

impl<'de> DeserializeSeed<'de> for ListSeed<'_, '_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<(), D::Error> {
        from.deserialize_seq(self)
    }
}

impl<'de> Visitor<'de> for ListSeed<'_, '_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list of properties")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut from: A) -> Result<(), A::Error> {
        let Self { to, depth, limit, ends, of } = self;
        if to.layout.unversioned_properties {
            let mut list = SlotValues::new(of, to).map_err(Fault::of)?;
            SlotsVisitor { to: &mut *to, list: &mut list, depth }.visit_seq(from)?;
            return list.finish(to).map_err(Fault::of);
        }
        while from.next_element_seed(EntrySeed { to: &mut *to, depth, limit })?.is_some() {}
        match ends {
            true => to.end_of_list().map_err(Fault::of),
            false => Ok(()),
        }
    }
}

/// A seed for `serde` that writes a property while it is parsed.
pub struct EntrySeed<'e, 'c> {
    pub to: &'e mut DocumentWriter<'c>,
    pub depth: u8,
    pub limit: u64,
}

impl<'de> DeserializeSeed<'de> for EntrySeed<'_, '_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<(), D::Error> {
        from.deserialize_map(self)
    }
}

/// The fields of a tag.
#[derive(Debug, Default)]
pub struct TagFields {
    name: Option<String>,
    /// The text of the type.
    of: Option<String>,
    array_index: i32,
    flags: Option<u8>,
    struct_guid: Option<Guid>,
    guid: Option<Guid>,
    overridden: Option<Overridden>,
}

/// The members of a property that precede its value.
#[derive(Default)]
pub struct Entry<'c> {
    tag: TagFields,
    inner_tag: Option<TagFields>,
    /// The bytes of the tag and, in `stored`, of the value. The document of a save contains them if
    /// a writer would choose different bytes. For a package, they come from the original file.
    stored_tag: Option<Cow<'c, [u8]>>,
    stored: Option<Cow<'c, [u8]>>,
    /// Offset of the tag in the original file.
    at: Option<u64>,
    /// The tag in the original package, if the document states the same fields.
    original: Option<Tag<'c>>,
    structs: [Option<String>; 2],
    /// The struct names that the member `inferred` states: first for the keys, then for the values
    /// or elements.
    inferred: [Option<String>; 2],
    raw: Option<Vec<u8>>,
}

impl<'de> Visitor<'de> for EntrySeed<'_, '_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a property with `name`, `type` and `value`")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut from: A) -> Result<(), A::Error> {
        let mut entry = Entry::default();
        let mut is_written = false;
        while let Some(key) = from.next_key::<String>()? {
            match &*key {
                "value" if !is_written => {
                    entry.find_original(self.to, self.limit);
                    entry.value(&mut from, self.to, self.depth)?;
                    is_written = true;
                }
                // `at` identifies the tag in the original package. The size is computed again. The
                // other two members only explain the value.
                "at" => entry.at = from.next_value::<Node>()?.whole().ok(),
                "size" | "reason" => {
                    from.next_value::<IgnoredAny>()?;
                }
                key if is_written => {
                    return Err(A::Error::custom(format_args!("`{key}` must precede `value`")));
                }
                key => {
                    let value: Node = from.next_value()?;
                    entry.set(key, &value).map_err(Fault::of)?;
                }
            }
        }
        match (is_written, &entry.raw) {
            (true, None) => Ok(()),
            (false, Some(_)) => {
                entry.find_original(self.to, self.limit);
                entry.write_raw(self.to).map_err(Fault::of)
            }
            (false, None) => Err(A::Error::custom("`value` is missing")),
            (true, Some(_)) => {
                Err(A::Error::custom("a property cannot have both `value` and `raw`"))
            }
        }
    }
}

impl TagFields {
    fn set(&mut self, key: &str, value: &Node) -> Result<(), Fault> {
        match key {
            "name" => self.name = Some(value.text()?.into()),
            "type" => self.of = Some(value.text()?.into()),
            "array_index" => self.array_index = value.whole()?,
            "flags" => self.flags = Some(value.whole()?),
            "struct_guid" => self.struct_guid = Some(guid(value.text()?)?),
            "guid" => self.guid = Some(guid(value.text()?)?),
            "override" => {
                self.overridden = Some(Overridden {
                    operation: value.member("operation")?.whole()?,
                    experimental: value.member("experimental")?.bool()?,
                });
            }
            "at" | "size" => {}
            other => return Err(format!("unexpected key `{other}` of a property").into()),
        }
        Ok(())
    }

    fn of(value: &Node) -> Result<Self, Fault> {
        let mut fields = Self::default();
        match value {
            Node::Map(members) => {
                members.iter().try_for_each(|(key, value)| fields.set(key, value))?;
                Ok(fields)
            }
            other => Err(other.unlike("an object")),
        }
    }

    fn type_of(&self) -> Result<PropertyTypeBuf, Fault> {
        type_text::parse(self.of.as_deref().ok_or("`type` must be stated before `value`")?)
    }

    /// Writes the tag, and returns the position of its size.
    pub fn write(
        &self,
        bool_value: Option<bool>,
        to: &mut DocumentWriter<'_>,
    ) -> Result<usize, Fault> {
        let name = self.name.as_deref().ok_or("`name` must be stated before `value`")?;
        if name.is_empty() || name.eq_ignore_ascii_case("None") {
            return Err(format!("the name `{name}` would end the list of properties").into());
        }
        let tag = self.tag(name, to)?;
        if !tag.is_readable() {
            return Err("a type is nested too deeply".into());
        }
        Ok(tag.write(bool_value, &mut to.out, &to.layout)?)
    }

    fn tag(&self, name: &str, to: &mut DocumentWriter<'_>) -> Result<TagBuf, Fault> {
        let of = self.type_of()?;
        let mut tag = to.tag(name, &of)?;
        tag.array_index = self.array_index;
        tag.guid = self.guid;
        tag.struct_guid = self.struct_guid.unwrap_or_default();
        tag.overridden = self.overridden;
        if let Some(flags) = self.flags {
            tag.native = flags & tag_flags::NATIVE != 0;
            // For a bool, `TRUE` is the value, which is written separately.
            let is_bool = KnownName::named(of.name()).kind() == PropertyKind::Bool;
            tag.flags = if is_bool { flags & !tag_flags::TRUE } else { flags };
        }
        Ok(tag)
    }

    /// Returns `true` if the tag that was read has these fields.
    fn is(&self, read: &TagHead<'_>, to: &DocumentWriter<'_>) -> bool {
        let is_tree = to.layout.has_ue5(ue5::PROPERTY_TAG_COMPLETE_TYPE_NAME);
        let flags = |flags: Option<u8>| flags.map(|flags| flags & !tag_flags::TRUE);
        let of = self.of.as_deref().unwrap_or_default();
        let mut read_of = AsDisplay(read.of).0.to_string();
        // The tag of an array does not name the struct of its elements, but the document can name
        // it.
        if !is_tree && read.of.kind() == PropertyKind::Array && of.starts_with(&*read_of) {
            read_of = of.into();
        } else if let Some(open) = read_of.strip_suffix(')')
            && !is_tree
            && read.of.kind() == PropertyKind::Array
            && of.starts_with(open)
        {
            read_of = of.into();
        }
        Some(to.text_of(read.name_ref())) == self.name
            && read_of == of
            && read.array_index == self.array_index
            && flags(read.flags) == flags(self.flags)
            && read.struct_guid == self.struct_guid
            && read.guid == self.guid
            && read.overridden == self.overridden
    }
}

impl<'c> Entry<'c> {
    pub fn name(&self) -> Option<&str> {
        self.tag.name.as_deref()
    }

    pub const fn array_index(&self) -> i32 {
        self.tag.array_index
    }

    /// Returns the type as the document states it.
    pub fn type_text(&self) -> Option<&str> {
        self.tag.of.as_deref()
    }

    pub fn raw_bytes(&self) -> Option<&[u8]> {
        self.raw.as_deref()
    }

    pub fn set(&mut self, key: &str, value: &Node) -> Result<(), Fault> {
        let [of_key, of_value] = &mut self.structs;
        match key {
            "inner_tag" => self.inner_tag = Some(TagFields::of(value)?),
            "stored_tag" => self.stored_tag = Some(value.hex()?.into()),
            "stored" => self.stored = Some(value.hex()?.into()),
            "raw" => self.raw = Some(value.hex()?),
            "struct_of_keys" => *of_key = Some(value.text()?.into()),
            "struct_of_values" => *of_value = Some(value.text()?.into()),
            "inferred" => self.inferred = inferred(value.text()?)?,
            key => self.tag.set(key, value)?,
        }
        Ok(())
    }

    /// Finds the tag in the original package. The bytes of the tag and its value are then used like
    /// `stored_tag` and `stored` in the document of a save.
    fn find_original(&mut self, to: &mut DocumentWriter<'c>, limit: u64) {
        let (Some(at), Some(tags)) = (self.at, &mut to.original) else { return };
        let Some(tag) = tags.take(at, limit) else { return };
        if self.tag.is(&tag.head(), to) {
            self.stored_tag = Some(tag.head_bytes().into());
            self.stored = Some(tag.bytes().into());
            self.original = Some(tag);
        }
    }

    /// Returns the offset at which the value ends in the original package, or 0 if the value is not
    /// in the original package.
    fn limit(&self) -> u64 {
        self.original.map_or(0, |tag| tag.end())
    }

    /// Returns the stored tag, if the document states the same fields.
    fn stored_head<'h, 'd: 'h>(&'h self, to: &DocumentWriter<'d>) -> Option<TagHead<'h>> {
        let mut at = FileCursor::new(self.stored_tag.as_deref()?, 0);
        let head = TagHead::read(&mut at, to.context).ok()??;
        self.tag.is(&head, to).then_some(head)
    }

    /// Writes the tag, and returns the position of its size.
    fn write_tag(
        &self,
        bool_value: Option<bool>,
        to: &mut DocumentWriter<'_>,
    ) -> Result<usize, Fault> {
        match self.stored_head(to) {
            Some(head) => Ok(head.write(bool_value, &mut to.out, &to.context.layout)?),
            None => self.tag.write(bool_value, to),
        }
    }

    fn write_raw(&self, to: &mut DocumentWriter<'_>) -> Result<(), Fault> {
        let size_at = self.write_tag(None, to)?;
        let value = to.out.len();
        to.out.extend_from_slice(self.raw.as_deref().unwrap_or_default());
        to.close(size_at, value)
    }

    /// Returns the type, and the flag for native serialization.
    fn type_and_flag(
        &self,
        to: &mut DocumentWriter<'_>,
    ) -> Result<(PropertyTypeBuf, Option<bool>), Fault> {
        let of = self.tag.type_of();
        if let Some(head) = self.stored_head(to) {
            return Ok((of.unwrap_or_else(|_| head.of.into()), head.native()));
        }
        let of = of?;
        let has_flag = to.layout.has_ue5(ue5::PROPERTY_TAG_COMPLETE_TYPE_NAME);
        let native = match self.tag.flags {
            Some(flags) => Some(flags & tag_flags::NATIVE != 0),
            None => Some(TagBuf::in_save("", &of).native),
        };
        Ok((of, native.filter(|_| has_flag)))
    }

    /// Writes the property with its value, which is the next value of `from`.
    fn value<'de, A: MapAccess<'de>>(
        &self,
        from: &mut A,
        to: &mut DocumentWriter<'c>,
        depth: u8,
    ) -> Result<(), A::Error> {
        let (of, native) = self.type_and_flag(to).map_err(Fault::of)?;
        let [of_keys, of_values] = self.forms(to).map_err(Fault::of)?;
        let [key, value] = self.struct_names();
        let structs =
            [Struct { name: key, form: of_keys }, Struct { name: value, form: of_values }];
        let target = Target::new(&of, native, structs, depth).within(self.limit());
        let start = to.out.len();
        if target.kind == PropertyKind::Bool {
            let value = Some(from.next_value::<bool>()?);
            return self.write_tag(value, to).map(drop).map_err(Fault::of);
        }
        let size_at = self.write_tag(None, to).map_err(Fault::of)?;
        let value = to.out.len();
        let of_elements = self.tag_of_elements(&target, &of, to);
        let inner_tag = self.inner_tag.as_ref().or(of_elements.as_ref());
        let aligned = self.original.map(|tag| (value, tag.bytes()));
        let outer = core::mem::replace(&mut to.aligned, aligned);
        from.next_value_seed(ValueSeed { to: &mut *to, of: target, inner_tag })?;
        to.aligned = outer;
        if let Some(tags) = &mut to.original {
            tags.skip_to(self.limit());
        }
        to.close(size_at, value).map_err(Fault::of)?;
        self.settle_value(start, value, size_at, to).map_err(Fault::of)
    }

    /// Returns the names of the structs that the tag does not name: first the struct of the keys,
    /// then the struct of the values or elements.
    pub fn struct_names(&self) -> [Option<&str>; 2] {
        let known = self.tag.name.as_deref().and_then(StructHint::known);
        let [known_key, known_value] = known.map_or([None; 2], |known| [known.key, known.value]);
        let [key, value] = self.structs.each_ref().map(Option::as_deref);
        let [inferred_key, inferred_value] = self.inferred.each_ref().map(Option::as_deref);
        [key.or(inferred_key).or(known_key), value.or(inferred_value).or(known_value)]
    }

    /// Returns the forms of the structs in the original value, which the document does not state.
    /// Without an original value, returns the usual forms.
    fn forms(&self, to: &mut DocumentWriter<'_>) -> Result<[FormOfStructs; 2], Fault> {
        if let Some(tag) = self.original {
            return Ok(tag.value().form_of_structs(&tag.head().of));
        }
        let usual = [FormOfStructs::Usual; 2];
        let Some(stored) = &self.stored else { return Ok(usual) };
        let start = to.out.len();
        let size_at = self.write_tag(None, to)?;
        let value = to.out.len();
        to.out.extend_from_slice(stored);
        to.close(size_at, value)?;
        let file = to.out.get(start..).unwrap_or_default().to_vec();
        to.out.truncate(start);
        let forms =
            self.with_value(&file, to.context, |tag, value| value.form_of_structs(&tag.head().of));
        Ok(forms.unwrap_or(usual))
    }

    /// Reads a tag from `file`, and calls `then` with the tag and its value. Returns `None` if the
    /// tag cannot be read.
    fn with_value<T>(
        &self,
        file: &[u8],
        context: &PropertyContext<'_>,
        then: impl FnOnce(&Tag<'_>, &PropertyValue<'_>) -> T,
    ) -> Option<T> {
        let [key, value] = self.structs.each_ref().map(Option::as_deref);
        let property = self.tag.name.as_deref().unwrap_or_default();
        let hint = [StructHint { property, key, value }];
        let stated;
        let context = match (key, value) {
            (None, None) => context,
            _ => {
                stated = PropertyContext { hints: &hint, ..context.clone() };
                &stated
            }
        };
        let mut from = FileCursor::new(file, 0);
        let tag = Tag::read(&mut from, context, super::value::DEPTH, HintScope::NONE).ok()??;
        Some(then(&tag, &tag.value()))
    }

    /// Returns the inner tag to write if the document has none for an array of structs. Returns
    /// `None` if the version has no inner tags, or if the type does not name the struct.
    fn tag_of_elements(
        &self,
        target: &Target<'_>,
        of: &PropertyTypeBuf,
        to: &DocumentWriter<'_>,
    ) -> Option<TagFields> {
        let has = target.kind == PropertyKind::Array && to.layout.arrays_have_inner_tags();
        let inner = of.parameters().first()?;
        (has && inner.name() == PropertyKind::Struct.name() && !inner.parameters().is_empty()).then(
            || TagFields {
                name: self.tag.name.clone(),
                of: Some(inner.to_string()),
                ..TagFields::default()
            },
        )
    }

    /// Replaces the bytes of the value that was just written with the stored bytes, unless the
    /// stored bytes stand for a different value. `start`, `value` and `size_at` are the positions
    /// of the tag, of the value, and of the size in the tag.
    fn settle_value(
        &self,
        start: usize,
        value: usize,
        size_at: usize,
        to: &mut DocumentWriter<'_>,
    ) -> Result<(), Fault> {
        let Some(stored) = &self.stored else { return Ok(()) };
        let written = to.out.get(value..).unwrap_or_default().to_vec();
        to.out.truncate(value);
        to.out.extend_from_slice(stored);
        to.close(size_at, value)?;
        let file = to.out.get(start..).unwrap_or_default().to_vec();
        let is_changed = self.with_value(&file, to.context, |tag, value| {
            let mut normal = Vec::new();
            Ok::<_, Fault>(tag.write_normal(value, &mut normal)? && normal != written)
        });
        if let Some(false) = is_changed.transpose()? {
            return Ok(()); // the value is unchanged, or the document cannot change it
        }
        to.out.truncate(value);
        to.out.extend_from_slice(&written);
        to.close(size_at, value)
    }
}

/// Returns the names of the structs in an inferred type: first the struct of the keys, then the
/// struct of the values or elements.
fn inferred(of: &str) -> Result<[Option<String>; 2], Fault> {
    let of = type_text::parse(of)?;
    let name = |index: usize| {
        let of = of.parameters().get(index)?;
        let is_struct = of.name() == PropertyKind::Struct.name();
        let name = of.parameters().first().filter(|_| is_struct)?;
        Some(String::from(name.name()))
    };
    Ok(match KnownName::named(of.name()).kind() {
        PropertyKind::Map => [name(0), name(1)],
        _ => [None, name(0)],
    })
}

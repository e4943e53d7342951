//! Writes the values of properties while the document is parsed, so that no container is kept in
//! memory.

use super::bytes_text;
use super::entry;
use super::node::{Fault, Node, NodeVisitor, WideText};
use super::writer::DocumentWriter;
use crate::unreal::format::ue4;
use crate::unreal::properties::{
    FormOfStructs, KnownName, MAX_DEPTH, NativeForm, PropertyKind, PropertyTypeBuf, ValueShape,
};
use alloc::string::String;
use core::fmt;
use serde::de::value::{MapAccessDeserializer, SeqAccessDeserializer};
use serde::de::{Deserialize, DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};

/// What is known about the type of a value.
#[derive(Clone, Copy, Debug)]
pub struct Target<'t> {
    pub kind: PropertyKind,
    /// Name of the struct, if it is known.
    pub name: Option<&'t str>,
    of: Option<&'t PropertyTypeBuf>,
    /// The flag for native serialization in the tag.
    native: Option<bool>,
    /// What the tag does not state about the structs: first the struct of the keys, then the struct
    /// of the values or elements.
    structs: [Struct<'t>; 2],
    /// Form of the value itself, if it is a struct.
    form: FormOfStructs,
    /// `true` for an element of a container.
    pub in_container: bool,
    /// The number of further levels of nesting that are allowed.
    depth: u8,
    /// Offset at which the value ends in the original package; 0 if it is not in the original
    /// package.
    pub limit: u64,
}

/// What a tag does not state about a struct.
#[derive(Clone, Copy, Debug)]
pub struct Struct<'t> {
    /// The name, if the tag does not state it.
    pub name: Option<&'t str>,
    /// The form of the original value.
    pub form: FormOfStructs,
}

impl<'t> Target<'t> {
    pub fn new(
        of: &'t PropertyTypeBuf,
        native: Option<bool>,
        structs: [Struct<'t>; 2],
        depth: u8,
    ) -> Self {
        let kind = KnownName::named(of.name()).kind();
        let name = of.parameters().first().map(PropertyTypeBuf::name);
        let name = name.filter(|_| kind == PropertyKind::Struct);
        let [_, Struct { form, .. }] = structs;
        let (in_container, limit) = (false, 0);
        Self { kind, name, of: Some(of), native, structs, form, in_container, depth, limit }
    }

    /// Sets the offset at which the value ends in the original package.
    pub const fn within(self, limit: u64) -> Self {
        Self { limit, ..self }
    }

    /// Returns the type of the elements or keys (index 0), or of the values of a map (index 1).
    fn inside(self, index: usize, is_key: bool) -> Result<Self, Fault> {
        let of = self.of.and_then(|of| of.parameters().get(index));
        let of = of.ok_or("the type does not state the types of the elements")?;
        let inner = Self::new(of, self.native, self.structs, self.deeper()?);
        let [key, value] = self.structs;
        let Struct { name, form } = if is_key { key } else { value };
        let name = inner.name.or(name);
        Ok(Self { name, form, in_container: true, limit: self.limit, ..inner })
    }

    /// Returns the nesting depth that is left for the contents of the value.
    pub fn deeper(self) -> Result<u8, Fault> {
        self.depth.checked_sub(1).ok_or_else(|| "values are nested too deeply".into())
    }

    /// Returns the target for the elements of an array in a struct with native serialization.
    pub fn in_array(self) -> Result<Self, Fault> {
        Ok(Self { in_container: true, depth: self.deeper()?, ..self })
    }

    /// Returns the native forms of a struct, whatever the version. The second form comes first if
    /// the original value has it.
    pub fn forms(&self) -> impl Iterator<Item = NativeForm> + use<> {
        let known = ValueShape::new(self.kind, self.name).known();
        let other = known.and_then(|known| known.other);
        let all = match self.form {
            FormOfStructs::Second => [other, known],
            _ => [known, other],
        };
        all.into_iter().flatten().map(|native| native.form)
    }

    /// Returns the native serialization of a struct, or `None` if it is a list of tagged
    /// properties.
    fn form(&self, to: &DocumentWriter<'_>) -> Option<NativeForm> {
        let shape = ValueShape::new(self.kind, self.name);
        let native = shape.native(&to.layout).filter(|_| self.native != Some(false));
        native.filter(|_| self.form != FormOfStructs::List).map(|native| native.form)
    }
}

/// A seed for `serde` that writes a value while it is parsed.
pub struct ValueSeed<'e, 'c, 't> {
    pub to: &'e mut DocumentWriter<'c>,
    pub of: Target<'t>,
    /// The inner tag of an array of structs.
    pub inner_tag: Option<&'t entry::TagFields>,
}

impl<'de> DeserializeSeed<'de> for ValueSeed<'_, '_, '_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<(), D::Error> {
        let has_paths = self.to.layout.has_ue4(ue4::ADDED_SOFT_OBJECT_PATH);
        match self.of.kind {
            PropertyKind::Struct
            | PropertyKind::Array
            | PropertyKind::Set
            | PropertyKind::Map
            | PropertyKind::Optional => from.deserialize_any(self),
            PropertyKind::Str => self.text(from),
            PropertyKind::AssetObject | PropertyKind::AssetClass
                if !has_paths || self.to.layout.unversioned_properties =>
            {
                self.text(from)
            }
            kind => {
                let value = Node::deserialize(from)?;
                self.to.leaf(kind, &value).map_err(Fault::of)
            }
        }
    }
}

impl<'c, 't> ValueSeed<'_, 'c, 't> {
    fn text<'de, D: Deserializer<'de>>(self, from: D) -> Result<(), D::Error> {
        let text = WideText::deserialize(from)?;
        self.to.text(&text).map_err(Fault::of)
    }

    fn child<'s>(&'s mut self, index: usize, is_key: bool) -> Result<ValueSeed<'s, 'c, 't>, Fault> {
        let of = self.of.inside(index, is_key)?;
        Ok(ValueSeed { to: &mut *self.to, of, inner_tag: None })
    }

    fn structure<E: Error>(self, value: &Node) -> Result<(), E> {
        let value = self.to.structure(self.of, value);
        value.map_err(Fault::of)
    }

    /// Writes a scalar in the place of a container. Only some structs with native serialization can
    /// be scalars.
    fn scalar<E: Error>(self, value: &Node) -> Result<(), E> {
        match self.of.kind {
            PropertyKind::Struct => self.structure(value),
            _ => Err(value.unlike("a container").of()),
        }
    }

    fn array<'de, A: SeqAccess<'de>>(mut self, mut from: A) -> Result<(), A::Error> {
        let count_at = self.to.later().map_err(Fault::of)?;
        let mut size_at = None;
        let mut count = 0usize;
        if let Some(inner) = self.inner_tag {
            let size = inner.write(None, self.to).map_err(Fault::of)?;
            size_at = Some((size, self.to.out.len()));
        }
        loop {
            let seed = self.child(0, false).map_err(Fault::of)?;
            if from.next_element_seed(seed)?.is_none() {
                break;
            }
            count = count.saturating_add(1);
        }
        self.to.enter(count_at, count).map_err(Fault::of)?;
        size_at.map_or(Ok(()), |(at, start)| self.to.close(at, start)).map_err(Fault::of)
    }

    /// Writes an array of bytes that the document contains as an object with `hex` or `base64`.
    fn bytes<'de, A: MapAccess<'de>>(self, mut from: A) -> Result<(), A::Error> {
        let kind = self.of.inside(0, false).map_err(Fault::of)?.kind;
        let (Some((form, text)), PropertyKind::Byte | PropertyKind::Int8) =
            (from.next_entry::<String, String>()?, kind)
        else {
            return Err(A::Error::custom("expected a list of elements"));
        };
        let bytes = bytes_text::parse(&form, &text).map_err(Fault::of)?;
        let count_at = self.to.later().map_err(Fault::of)?;
        self.to.out.extend_from_slice(&bytes);
        self.to.enter(count_at, bytes.len()).map_err(Fault::of)
    }

    /// Writes a set or a map. In the file, the removed elements precede the others; in the
    /// document, the order does not matter.
    fn set_or_map<'de, A: MapAccess<'de>>(mut self, mut from: A) -> Result<(), A::Error> {
        let is_map = self.of.kind == PropertyKind::Map;
        let others = if is_map { "entries" } else { "values" };
        let start = self.to.out.len();
        let (mut removed, mut values) = (None, None);
        while let Some(key) = from.next_key::<String>()? {
            let begin = self.to.out.len();
            match &*key {
                "removed" if removed.is_none() => {
                    let seed = self.child(0, is_map).map_err(Fault::of)?;
                    from.next_value_seed(Counted(seed))?;
                    removed = Some(begin);
                }
                key if key == others && values.is_none() => {
                    match is_map {
                        true => from.next_value_seed(EntriesSeed(&mut self))?,
                        false => {
                            let seed = self.child(0, false).map_err(Fault::of)?;
                            from.next_value_seed(Counted(seed))?;
                        }
                    }
                    values = Some(begin);
                }
                other => return Err(unknown_key(other)),
            }
        }
        let values = values.ok_or_else(|| A::Error::custom("`entries` or `values` is missing"))?;
        match removed {
            None => {
                self.to.later().map_err(Fault::of)?;
                let len = self.to.out.len().saturating_sub(4).saturating_sub(values);
                self.to.move_to_end(start, len);
            }
            Some(removed) if removed > values => {
                self.to.move_to_end(start, removed.saturating_sub(values));
            }
            Some(_) => {}
        }
        Ok(())
    }

    fn optional<'de, A: MapAccess<'de>>(mut self, mut from: A) -> Result<(), A::Error> {
        let start = self.to.out.len();
        self.to.put(0u32).map_err(Fault::of)?;
        let (mut is_set, mut has_value) = (None, false);
        while let Some(key) = from.next_key::<String>()? {
            match &*key {
                "set" => is_set = Some(from.next_value::<bool>()?),
                "value" if !has_value => {
                    let mut seed = self.child(0, false).map_err(Fault::of)?;
                    seed.of.native = None;
                    from.next_value_seed(seed)?;
                    has_value = true;
                }
                other => return Err(unknown_key(other)),
            }
        }
        match is_set.unwrap_or(has_value) == has_value {
            true => self.to.enter(start, has_value.into()).map_err(Fault::of),
            false => Err(A::Error::custom("`set` must be `true` exactly if there is a `value`")),
        }
    }

    /// Writes a struct whose type is stored with its value.
    fn instanced<'de, A: MapAccess<'de>>(self, mut from: A) -> Result<(), A::Error> {
        let (mut size_at, mut structure) = (None, None);
        let mut has_value = false;
        while let Some(key) = from.next_key::<String>()? {
            match &*key {
                "struct" if size_at.is_none() => {
                    let of: Node = from.next_value()?;
                    self.to.object(&of).map_err(Fault::of)?;
                    structure = self.to.imported_struct(&of);
                    size_at = Some(self.to.later().map_err(Fault::of)?);
                }
                "size" => {
                    from.next_value::<serde::de::IgnoredAny>()?;
                }
                "value" if !has_value && size_at.is_some() => {
                    let depth = self.of.deeper().map_err(Fault::of)?;
                    let limit = self.of.limit;
                    from.next_value_seed(entry::ListSeed {
                        to: &mut *self.to,
                        depth,
                        limit,
                        ends: true,
                        of: structure,
                    })?;
                    has_value = true;
                }
                "value" => return Err(A::Error::custom("`struct` must precede `value`")),
                other => return Err(unknown_key(other)),
            }
        }
        let size_at = size_at.ok_or_else(|| A::Error::custom("`struct` is missing"))?;
        self.to.close(size_at, size_at.saturating_add(4)).map_err(Fault::of)
    }
}

fn unknown_key<E: Error>(key: &str) -> E {
    E::custom(format_args!("unexpected key `{key}`"))
}

impl<'de> Visitor<'de> for ValueSeed<'_, '_, '_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a container or a struct")
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<(), E> {
        self.scalar(&Node::Bool(value))
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<(), E> {
        self.scalar(&Node::Int(value))
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<(), E> {
        self.scalar(&Node::UInt(value))
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<(), E> {
        self.scalar(&Node::Float(value))
    }

    fn visit_str<E: Error>(self, value: &str) -> Result<(), E> {
        self.scalar(&Node::Text(value.into()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, from: A) -> Result<(), A::Error> {
        match self.of.kind {
            PropertyKind::Array => self.array(from),
            PropertyKind::Struct if self.of.form(self.to) == Some(NativeForm::Names) => {
                let value = NodeVisitor.visit_seq(from)?;
                self.structure(&value)
            }
            PropertyKind::Struct => {
                let depth = self.of.deeper().map_err(Fault::of)?;
                let Target { limit, name, .. } = self.of;
                let of = self.to.mapped_struct(name);
                let list = entry::ListSeed { to: self.to, depth, limit, ends: true, of };
                list.deserialize(SeqAccessDeserializer::new(from))
            }
            _ => Err(A::Error::custom("expected an object, found a list")),
        }
    }

    fn visit_map<A: MapAccess<'de>>(self, from: A) -> Result<(), A::Error> {
        match self.of.kind {
            PropertyKind::Array => self.bytes(from),
            PropertyKind::Set | PropertyKind::Map => self.set_or_map(from),
            PropertyKind::Optional => self.optional(from),
            _ if self.of.form(self.to) == Some(NativeForm::Instanced) => self.instanced(from),
            _ => {
                let value = Node::deserialize(MapAccessDeserializer::new(from))?;
                self.structure(&value)
            }
        }
    }
}

/// A seed for `serde` that writes a list of values, and their number before them.
struct Counted<'e, 'c, 't>(ValueSeed<'e, 'c, 't>);

impl<'de> DeserializeSeed<'de> for Counted<'_, '_, '_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<(), D::Error> {
        from.deserialize_seq(self)
    }
}

impl<'de> Visitor<'de> for Counted<'_, '_, '_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list of values")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut from: A) -> Result<(), A::Error> {
        let Self(ValueSeed { to, of, .. }) = self;
        let count_at = to.later().map_err(Fault::of)?;
        let mut count = 0usize;
        while from.next_element_seed(ValueSeed { to: &mut *to, of, inner_tag: None })?.is_some() {
            count = count.saturating_add(1);
        }
        to.enter(count_at, count).map_err(Fault::of)
    }
}

/// A seed for `serde` that writes the entries of a map, and their number before them.
struct EntriesSeed<'m, 'e, 'c, 't>(&'m mut ValueSeed<'e, 'c, 't>);

impl<'de> DeserializeSeed<'de> for EntriesSeed<'_, '_, '_, '_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<(), D::Error> {
        from.deserialize_seq(self)
    }
}

impl<'de> Visitor<'de> for EntriesSeed<'_, '_, '_, '_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list of map entries")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut from: A) -> Result<(), A::Error> {
        let count_at = self.0.to.later().map_err(Fault::of)?;
        let mut count = 0usize;
        while from.next_element_seed(EntrySeed(&mut *self.0))?.is_some() {
            count = count.saturating_add(1);
        }
        self.0.to.enter(count_at, count).map_err(Fault::of)
    }
}

/// A seed for `serde` that writes an entry of a map, which has the members `key` and `value`.
struct EntrySeed<'m, 'e, 'c, 't>(&'m mut ValueSeed<'e, 'c, 't>);

impl<'de> DeserializeSeed<'de> for EntrySeed<'_, '_, '_, '_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<(), D::Error> {
        from.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for EntrySeed<'_, '_, '_, '_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object with `key` and `value`")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut from: A) -> Result<(), A::Error> {
        for (index, expected) in ["key", "value"].into_iter().enumerate() {
            match from.next_key::<String>()? {
                Some(key) if key == expected => {
                    let seed = self.0.child(index, index == 0).map_err(Fault::of)?;
                    from.next_value_seed(seed)?;
                }
                _ => return Err(A::Error::custom("an entry must have `key`, then `value`")),
            }
        }
        match from.next_key::<String>()? {
            Some(key) => Err(unknown_key(&key)),
            None => Ok(()),
        }
    }
}

/// The maximum nesting depth of the values in a file.
pub const DEPTH: u8 = MAX_DEPTH;

//! Serializes properties as documents.

use crate::unreal::document::bytes_text::BytesObject;
use crate::unreal::format::{AsDisplay, FiniteOrText, Hex};
use crate::unreal::properties::{
    Argument, ArgumentName, DateText, Format, FormattedText, History, NestedText, NumberOptions,
    NumberText,
};
use crate::unreal::properties::{BytesForm, JoinedPath, StructHint};
use crate::unreal::properties::{
    Delegate, FieldPath, Instanced, Overridden, Properties, PropertyValue, SoftReference, Tag,
    TagHead,
};
use crate::unreal::properties::{
    InferredType, NameRef, NativeFields, NativeValue, ObjectRef, PropertyKind, PropertyType,
};
use serde::ser::{Serialize, SerializeMap, SerializeSeq, Serializer};

/// An iterator and a function, serialized as the sequence of the function's results for the items.
struct Each<I, F>(I, F);

impl<I: Iterator + Clone, T: Serialize, F: Fn(I::Item) -> T> Serialize for Each<I, F> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let mut seq = to.serialize_seq(None)?;
        for item in self.0.clone() {
            seq.serialize_element(&(self.1)(item))?;
        }
        seq.end()
    }
}

/// Serializes the properties as a sequence, up to the first one that cannot be read. The caller
/// reports the error.
impl Serialize for Properties<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_seq((*self).filter_map(Result::ok))
    }
}

impl TagHead<'_> {
    fn fields<M: SerializeMap>(&self, map: &mut M) -> Result<(), M::Error> {
        map.serialize_entry("at", &self.offset)?;
        map.serialize_entry("name", &self.name())?;
        map.serialize_entry("type", &AsDisplay(self.of))?;
        map.serialize_entry("size", &self.size)?;
        map.serialize_entry("array_index", &self.array_index)?;
        if let Some(slot) = self.slot {
            map.serialize_entry("slot", &slot.index)?;
            if slot.is_zero {
                map.serialize_entry("zero", &true)?;
            }
        }
        if let Some(flags) = self.flags {
            map.serialize_entry("flags", &flags)?;
        }
        if let Some(guid) = self.struct_guid {
            map.serialize_entry("struct_guid", &AsDisplay(guid))?;
        }
        if let Some(guid) = self.guid {
            map.serialize_entry("guid", &AsDisplay(guid))?;
        }
        match self.overridden {
            Some(overridden) => map.serialize_entry("override", &overridden),
            None => Ok(()),
        }
    }
}

impl Serialize for TagHead<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let mut map = to.serialize_map(None)?;
        self.fields(&mut map)?;
        map.end()
    }
}

impl Serialize for Tag<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let mut map = to.serialize_map(None)?;
        let head = self.head();
        head.fields(&mut map)?;
        // Only the documents of saves contain such bytes. The document of a package can contain the
        // whole package.
        let keeps = self.context.layout.names_as_text;
        if keeps && !self.head_is_normal(&head) {
            map.serialize_entry("stored_tag", &Hex(self.head_bytes()))?;
        }
        if let Some(inner) = self.inner_tag_of(&head.of) {
            map.serialize_entry("inner_tag", &inner)?;
        }
        match self.value() {
            PropertyValue::Opaque(bytes, reason) => {
                map.serialize_entry("raw", &Hex(bytes))?;
                map.serialize_entry("reason", &AsDisplay(reason))?;
            }
            value => {
                if keeps && !self.value_is_normal(&head.of, &value) {
                    map.serialize_entry("stored", &Hex(self.bytes()))?;
                }
                struct_names(head.of, &value, &mut map)?;
                map.serialize_entry("value", &In(head.of, value))?;
            }
        }
        map.end()
    }
}

/// Serializes the names of the structs in a container, if its tag does not state them.
fn struct_names<'p, M: SerializeMap>(
    of: PropertyType<'p>,
    value: &PropertyValue<'p>,
    map: &mut M,
) -> Result<(), M::Error> {
    if let Some(inferred) = InferredType::of_value(of, value) {
        map.serialize_entry("inferred", &AsDisplay(inferred))?;
    }
    let elements = match value {
        PropertyValue::Array(all) | PropertyValue::Optional(all) => *all,
        PropertyValue::Set(set) => set.values(),
        PropertyValue::Map(entries) => entries.removed(),
        _ => return Ok(()),
    };
    let is_unnamed =
        |of: PropertyType<'_>| of.kind() == PropertyKind::Struct && of.name().is_none();
    match elements.decode().hint {
        // The reader of documents knows the built-in hints, so only those of the caller are stated.
        Some(hint)
            if !hint.is_known()
                && [of.inner(), of.value()].into_iter().flatten().any(is_unnamed) =>
        {
            hint.fields(map)
        }
        _ => Ok(()),
    }
}

impl StructHint<'_> {
    /// Serializes the names of the structs that the tag does not name.
    fn fields<M: SerializeMap>(&self, map: &mut M) -> Result<(), M::Error> {
        if let Some(key) = self.key {
            map.serialize_entry("struct_of_keys", key)?;
        }
        match self.value {
            Some(value) => map.serialize_entry("struct_of_values", value),
            None => Ok(()),
        }
    }
}

impl Serialize for Overridden {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let mut map = to.serialize_map(Some(2))?;
        map.serialize_entry("operation", &self.operation)?;
        map.serialize_entry("experimental", &self.experimental)?;
        map.end()
    }
}

/// A value, and the type of its property. The context of the type resolves names in the value.
struct In<'p, T>(PropertyType<'p>, T);

impl Serialize for In<'_, NameRef<'_>> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        self.0.context.text(self.1).unwrap_or_default().serialize(to)
    }
}

impl Serialize for ObjectRef<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Index(index) => to.serialize_i32(index.0),
            Self::Path(path) => path.serialize(to),
        }
    }
}

impl Serialize for In<'_, PropertyValue<'_>> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let Self(of, value) = *self;
        match value {
            PropertyValue::Bool(value) => to.serialize_bool(value),
            PropertyValue::Int(value) => to.serialize_i64(value),
            PropertyValue::UInt(value) => to.serialize_u64(value),
            PropertyValue::Float(value) => FiniteOrText(value).serialize(to),
            PropertyValue::Double(value) => FiniteOrText(value).serialize(to),
            PropertyValue::Name(name) => In(of, name).serialize(to),
            PropertyValue::Enum(value) if value.entry().is_none() => to.serialize_i64(value.value),
            PropertyValue::Enum(value) => to.collect_str(&value),
            PropertyValue::Str(text) => text.serialize(to),
            PropertyValue::Utf8Str(text) => text.serialize(to),
            PropertyValue::Object(object) => object.serialize(to),
            PropertyValue::Guid(guid) => AsDisplay(guid).serialize(to),
            PropertyValue::Soft(soft) => In(of, soft).serialize(to),
            PropertyValue::Delegate(delegate) => In(of, delegate).serialize(to),
            PropertyValue::Delegates(all) => Each(all, |one| In(of, one)).serialize(to),
            PropertyValue::FieldPath(path) => In(of, path).serialize(to),
            PropertyValue::Optional(mut value) => {
                let mut map = to.serialize_map(None)?;
                map.serialize_entry("set", &(value.len() > 0))?;
                if let Some(value) = value.next() {
                    map.serialize_entry("value", &In(of, value))?;
                }
                map.end()
            }
            PropertyValue::Array(elements) => match (elements.as_byte_array(), of.context.bytes) {
                // A byte is serialized faster than a `PropertyValue`.
                (Some(bytes), BytesForm::List) if elements.of().kind() == PropertyKind::Byte => {
                    to.collect_seq(bytes.iter().map(|byte| u64::from(*byte)))
                }
                (None, _) | (_, BytesForm::List) => {
                    Each(elements, |value| In(of, value)).serialize(to)
                }
                (Some(bytes), form) => BytesObject(bytes, form).serialize(to),
            },
            PropertyValue::Set(set) => {
                let mut map = to.serialize_map(Some(2))?;
                map.serialize_entry("removed", &Each(set.removed(), |value| In(of, value)))?;
                map.serialize_entry("values", &Each(set.values(), |value| In(of, value)))?;
                map.end()
            }
            PropertyValue::Map(entries) => {
                let mut map = to.serialize_map(Some(2))?;
                map.serialize_entry("removed", &Each(entries.removed(), |key| In(of, key)))?;
                map.serialize_entry("entries", &Each(entries.entries(), |entry| In(of, entry)))?;
                map.end()
            }
            PropertyValue::Struct(properties) => properties.serialize(to),
            PropertyValue::Native(_, fields) => fields.serialize(to),
            PropertyValue::Names(names) => Each(names, |name| In(of, name)).serialize(to),
            PropertyValue::Instanced(instanced) => instanced.serialize(to),
            PropertyValue::Formatted(text) => In(of, text).serialize(to),
            PropertyValue::Opaque(bytes, _) => Hex(bytes).serialize(to),
        }
    }
}

/// Serializes an entry of a map as its key and its value.
impl<'p> Serialize for In<'p, (PropertyValue<'p>, PropertyValue<'p>)> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let Self(of, (key, value)) = *self;
        let mut map = to.serialize_map(Some(2))?;
        map.serialize_entry("key", &In(of, key))?;
        map.serialize_entry("value", &In(of, value))?;
        map.end()
    }
}

impl Serialize for NativeFields<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let fields = *self;
        to.collect_map(fields.map(|(name, value)| (name, Field(fields, value))))
    }
}

/// The fields of a struct with native serialization, and the value of one of them. The fields look
/// up the text of a name in the value.
struct Field<'p>(NativeFields<'p>, NativeValue<'p>);

impl Serialize for Field<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let Self(fields, value) = *self;
        match value {
            NativeValue::Float(value) => FiniteOrText(value).serialize(to),
            NativeValue::Double(value) => FiniteOrText(value).serialize(to),
            NativeValue::Int(value) => to.serialize_i64(value),
            NativeValue::UInt(value) => to.serialize_u64(value),
            NativeValue::Bool(value) => to.serialize_bool(value),
            NativeValue::Guid(guid) => AsDisplay(guid).serialize(to),
            NativeValue::Group(fields) => fields.serialize(to),
            NativeValue::Str(text) => text.serialize(to),
            NativeValue::Name(name) => fields.name(name).serialize(to),
            NativeValue::Object(object) => object.serialize(to),
            NativeValue::Soft(soft) => In(fields.unknown_type(), soft).serialize(to),
            NativeValue::Bytes(bytes) => Hex(bytes).serialize(to),
            NativeValue::Array(all) => Each(all, |value| Field(fields, value)).serialize(to),
            NativeValue::Struct(list) => list.serialize(to),
        }
    }
}

impl Serialize for Instanced<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let is_null = matches!(self.of, ObjectRef::Index(index) if index.is_null());
        let mut map = to.serialize_map(None)?;
        map.serialize_entry("struct", &self.of)?;
        map.serialize_entry("size", &self.size)?;
        if !is_null && self.size > 0 {
            map.serialize_entry("value", &self.properties)?;
        }
        map.end()
    }
}

impl Serialize for In<'_, SoftReference<'_>> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let Self(of, soft) = self;
        let text = |name| of.context.text(name).unwrap_or_default();
        let mut map = to.serialize_map(None)?;
        let path = JoinedPath(text(soft.package), soft.asset.map(text));
        map.serialize_entry("path", &AsDisplay(path))?;
        map.serialize_entry("sub_path", &AsDisplay(soft.sub_path))?;
        if let Some(index) = soft.index {
            map.serialize_entry("index", &index)?;
        }
        map.end()
    }
}

impl Serialize for In<'_, Delegate<'_>> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let mut map = to.serialize_map(Some(2))?;
        map.serialize_entry("object", &self.1.object)?;
        map.serialize_entry("function", &In(self.0, self.1.function))?;
        map.end()
    }
}

impl Serialize for In<'_, FieldPath<'_>> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let Self(of, path) = *self;
        let mut map = to.serialize_map(None)?;
        map.serialize_entry("path", &Each(path.path, |name| In(of, name)))?;
        if let Some(owner) = path.owner {
            map.serialize_entry("owner", &owner)?;
        }
        map.end()
    }
}

impl Serialize for In<'_, NestedText<'_>> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        match self.1.read() {
            Ok(text) => In(self.0, text).serialize(to),
            Err(error) => Err(serde::ser::Error::custom(error)),
        }
    }
}

impl Serialize for In<'_, FormattedText<'_>> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let Self(of, text) = *self;
        let mut map = to.serialize_map(None)?;
        map.serialize_entry("flags", &text.flags)?;
        map.serialize_entry("history", text.history.name())?;
        text.history.fields(of, &mut map)?;
        map.end()
    }
}

impl History<'_> {
    const fn name(&self) -> &'static str {
        match self {
            Self::Legacy { .. } => "legacy",
            Self::None { .. } => "none",
            Self::Base { .. } => "base",
            Self::NamedFormat(_) => "named_format",
            Self::OrderedFormat(_) => "ordered_format",
            Self::ArgumentFormat(_) => "argument_format",
            Self::Number(_) => "number",
            Self::Percent(_) => "percent",
            Self::Currency(_) => "currency",
            Self::Date(_) => "date",
            Self::Time(_) => "time",
            Self::DateTime(_) => "date_time",
            Self::Transform { .. } => "transform",
            Self::StringTable { .. } => "string_table",
            Self::Generator { .. } => "generator",
        }
    }

    fn fields<M: SerializeMap>(&self, of: PropertyType<'_>, map: &mut M) -> Result<(), M::Error> {
        match *self {
            Self::Legacy { source, namespace, key } => {
                map.serialize_entry("source", &AsDisplay(source))?;
                if let Some(namespace) = namespace {
                    map.serialize_entry("namespace", &AsDisplay(namespace))?;
                }
                map.serialize_entry("key", &AsDisplay(key))
            }
            Self::None { culture_invariant: Some(text) } => {
                map.serialize_entry("culture_invariant", &AsDisplay(text))
            }
            Self::None { culture_invariant: None } => Ok(()),
            Self::Base { namespace, key, source, dev_notes } => {
                map.serialize_entry("namespace", &AsDisplay(namespace))?;
                map.serialize_entry("key", &AsDisplay(key))?;
                map.serialize_entry("source", &AsDisplay(source))?;
                match dev_notes {
                    Some(notes) => map.serialize_entry("dev_notes", &AsDisplay(notes)),
                    None => Ok(()),
                }
            }
            Self::NamedFormat(format)
            | Self::OrderedFormat(format)
            | Self::ArgumentFormat(format) => {
                map.serialize_entry("format", &In(of, format.format))?;
                map.serialize_entry("arguments", &Arguments(of, format))
            }
            Self::Number(text) | Self::Percent(text) | Self::Currency(text) => text.fields(of, map),
            Self::Date(text) | Self::Time(text) | Self::DateTime(text) => text.fields(map),
            Self::Transform { source, transform } => {
                map.serialize_entry("format", &In(of, source))?;
                map.serialize_entry("transform", &transform)
            }
            Self::StringTable { table, key } => {
                map.serialize_entry("table", &In(of, table))?;
                map.serialize_entry("key", &AsDisplay(key))
            }
            Self::Generator { name } => map.serialize_entry("generator", &In(of, name)),
        }
    }
}

impl NumberText<'_> {
    fn fields<M: SerializeMap>(&self, of: PropertyType<'_>, map: &mut M) -> Result<(), M::Error> {
        if let Some(currency) = self.currency {
            map.serialize_entry("currency", &AsDisplay(currency))?;
        }
        map.serialize_entry("argument", &In(of, (None, self.argument)))?;
        if let Some(options) = &self.options {
            map.serialize_entry("options", options)?;
        }
        map.serialize_entry("culture", &AsDisplay(self.culture))
    }
}

impl Serialize for NumberOptions {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let mut map = to.serialize_map(None)?;
        if let Some(always_sign) = self.always_sign {
            map.serialize_entry("always_sign", &always_sign)?;
        }
        map.serialize_entry("grouping", &self.grouping)?;
        map.serialize_entry("rounding", &self.rounding)?;
        map.serialize_entry("minimum_integral_digits", &self.minimum_integral_digits)?;
        map.serialize_entry("maximum_integral_digits", &self.maximum_integral_digits)?;
        map.serialize_entry("minimum_fractional_digits", &self.minimum_fractional_digits)?;
        map.serialize_entry("maximum_fractional_digits", &self.maximum_fractional_digits)?;
        map.end()
    }
}

impl DateText<'_> {
    fn fields<M: SerializeMap>(&self, map: &mut M) -> Result<(), M::Error> {
        map.serialize_entry("ticks", &self.ticks)?;
        if let Some(style) = self.date_style {
            map.serialize_entry("date_style", &style)?;
        }
        if let Some(style) = self.time_style {
            map.serialize_entry("time_style", &style)?;
        }
        if let Some(pattern) = self.pattern {
            map.serialize_entry("pattern", &AsDisplay(pattern))?;
        }
        if let Some(zone) = self.time_zone {
            map.serialize_entry("time_zone", &AsDisplay(zone))?;
        }
        map.serialize_entry("culture", &AsDisplay(self.culture))
    }
}

struct Arguments<'p>(PropertyType<'p>, Format<'p>);

impl Serialize for Arguments<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_seq(self.1.arguments().filter_map(Result::ok).map(|each| In(self.0, each)))
    }
}

impl Serialize for In<'_, (Option<ArgumentName<'_>>, Argument<'_>)> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let Self(of, (name, argument)) = *self;
        let mut map = to.serialize_map(None)?;
        match name {
            Some(ArgumentName::Text(name)) => map.serialize_entry("name", &AsDisplay(name))?,
            Some(ArgumentName::Formatted(name)) => map.serialize_entry("name", &In(of, name))?,
            None => {}
        }
        macro_rules! typed {
            ($kind:literal $value:expr) => {{
                map.serialize_entry("type", $kind)?;
                map.serialize_entry("value", $value)?;
            }};
        }
        match argument {
            Argument::Int(value) => typed!("int" & value),
            Argument::UInt(value) => typed!("uint" & value),
            Argument::Float(value) => typed!("float" & FiniteOrText(value)),
            Argument::Double(value) => typed!("double" & FiniteOrText(value)),
            Argument::Text(text) => typed!("text" & In(of, text)),
            Argument::Gender(value) => typed!("gender" & value),
        }
        map.end()
    }
}

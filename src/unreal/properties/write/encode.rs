//! Encodes values. The functions return `false` if the value does not have the expected type or is
//! too large for it.

#[cfg(feature = "serde")]
use super::normal;
use super::tag_source::ValueShape;
use crate::buffer::{Full, Sink};
use crate::unreal::format::{Layout, Value, put};
use crate::unreal::format::{ue4, ue5};
use crate::unreal::properties::read::{
    Delegate, NativeFields, NativeValue, Properties, PropertyValue, SoftReference,
};
use crate::unreal::properties::types::{
    NativeField, NativeForm, NativePart, NativeStruct, ObjectRef, PropertyKind, Switch,
};
use crate::unreal::tables::SubPath;

/// Writes a value. Bools are written only in containers; otherwise they are part of the tag.
pub(crate) fn value<S: Sink>(
    value: &PropertyValue<'_>,
    shape: ValueShape<'_>,
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
    match (shape.kind, value) {
        (PropertyKind::Bool, PropertyValue::Bool(value)) => u8::from(*value).write(to, layout)?,
        (PropertyKind::Int8, PropertyValue::Int(value)) => narrow!(value => i8),
        (PropertyKind::Int16, PropertyValue::Int(value)) => narrow!(value => i16),
        (PropertyKind::Int, PropertyValue::Int(value)) => narrow!(value => i32),
        (PropertyKind::Int64, PropertyValue::Int(value)) => value.write(to, layout)?,
        (PropertyKind::Byte, PropertyValue::UInt(value)) => narrow!(value => u8),
        (PropertyKind::UInt16, PropertyValue::UInt(value)) => narrow!(value => u16),
        (PropertyKind::UInt32, PropertyValue::UInt(value)) => narrow!(value => u32),
        (PropertyKind::UInt64, PropertyValue::UInt(value)) => value.write(to, layout)?,
        (PropertyKind::Float, PropertyValue::Float(value)) => value.write(to, layout)?,
        (PropertyKind::Double, PropertyValue::Double(value)) => value.write(to, layout)?,
        (
            PropertyKind::Byte | PropertyKind::Enum | PropertyKind::Name,
            PropertyValue::Name(value),
        ) => {
            return value.write_matching(to, layout);
        }
        (PropertyKind::Str, PropertyValue::Str(text)) => text.write(to, layout)?,
        (PropertyKind::AssetObject | PropertyKind::AssetClass, PropertyValue::Str(text))
            if !layout.has_ue4(ue4::ADDED_SOFT_OBJECT_PATH) || layout.unversioned_properties =>
        {
            text.write(to, layout)?;
        }
        (
            PropertyKind::AnsiStr | PropertyKind::Utf8Str | PropertyKind::VerseString,
            PropertyValue::Utf8Str(text),
        ) => {
            text.write(to, layout)?;
        }
        (
            PropertyKind::Object
            | PropertyKind::Class
            | PropertyKind::WeakObject
            | PropertyKind::Interface,
            PropertyValue::Object(value),
        ) => return value.write_matching(to, layout),
        (PropertyKind::LazyObject, PropertyValue::Guid(guid)) => guid.write(to, layout)?,
        (PropertyKind::AssetObject | PropertyKind::AssetClass, PropertyValue::Soft(value))
            if layout.has_ue4(ue4::ADDED_SOFT_OBJECT_PATH) =>
        {
            return soft(value, to, layout);
        }
        (PropertyKind::SoftObject | PropertyKind::SoftClass, PropertyValue::Soft(value)) => {
            return soft(value, to, layout);
        }
        (PropertyKind::Delegate, PropertyValue::Delegate(value)) => {
            return delegate(value, to, layout);
        }
        (
            PropertyKind::MulticastDelegate
            | PropertyKind::MulticastInlineDelegate
            | PropertyKind::MulticastSparseDelegate,
            PropertyValue::Delegates(all),
        ) => return many(*all, to, layout, |value, to| delegate(&value, to, layout)),
        (PropertyKind::FieldPath, PropertyValue::FieldPath(path)) => {
            if !many(path.path, to, layout, |value, to| value.write_matching(to, layout))? {
                return Ok(false);
            }
            return owner(path.owner, to, layout);
        }
        (PropertyKind::Struct, PropertyValue::Native(native, fields)) => {
            return native_value(shape, native, fields, to, layout);
        }
        (PropertyKind::Struct, value) => return structure(value, shape, to, layout),
        (PropertyKind::Text, PropertyValue::Formatted(text)) => return text.write(to, layout),
        (_, PropertyValue::Opaque(bytes, _)) => put(to, bytes)?,
        _ => return Ok(false),
    }
    Ok(true)
}

/// Writes the value at a slot. Unlike in containers, bytes and enums at a slot are always numbers.
pub(crate) fn slot_value<S: Sink>(
    value: &PropertyValue<'_>,
    shape: ValueShape<'_>,
    to: &mut S,
    layout: &Layout,
) -> Result<bool, Full> {
    match (shape.kind, value) {
        (PropertyKind::Enum, PropertyValue::Enum(of)) => {
            number(of.value, shape.underlying, to, layout)
        }
        (PropertyKind::Enum, PropertyValue::Int(value)) => {
            number(*value, shape.underlying, to, layout)
        }
        (PropertyKind::Enum | PropertyKind::Byte, PropertyValue::Name(_)) => Ok(false),
        _ => self::value(value, shape, to, layout),
    }
}

/// Writes the number of an enum. Returns `false` if the type is too small for it.
fn number<S: Sink>(
    value: i64,
    of: PropertyKind,
    to: &mut S,
    layout: &Layout,
) -> Result<bool, Full> {
    let unsigned = match of {
        PropertyKind::UInt64 => Some(value.cast_unsigned()),
        _ => u64::try_from(value).ok(),
    };
    let value = match of {
        PropertyKind::Int8 | PropertyKind::Int16 | PropertyKind::Int | PropertyKind::Int64 => {
            PropertyValue::Int(value)
        }
        _ => match unsigned {
            Some(value) => PropertyValue::UInt(value),
            None => return Ok(false),
        },
    };
    self::value(&value, ValueShape::new(of, None), to, layout)
}

fn soft<S: Sink>(value: &SoftReference<'_>, to: &mut S, layout: &Layout) -> Result<bool, Full> {
    #[cfg(feature = "serde")]
    if layout.normalizes && layout.names_as_text && value.index.is_none() {
        return normal::soft_path(value, to, layout);
    }
    let listed = layout.soft_references_are_indices();
    if let (true, Some(index)) = (listed, value.index) {
        index.write(to, layout)?;
        return Ok(true);
    }
    let mut fits = !listed
        && value.asset.is_some() == layout.has_ue5(ue5::FSOFTOBJECTPATH_REMOVE_ASSET_PATH_FNAMES);
    fits &= value.package.write_matching(to, layout)?;
    if let Some(asset) = &value.asset {
        fits &= asset.write_matching(to, layout)?;
    }
    value.sub_path.write(to, layout)?;
    let utf8 = layout.sub_paths_are_utf8();
    Ok(fits && utf8 == matches!(value.sub_path, SubPath::Utf8(_)))
}

/// Writes a list of properties that was read from a file.
fn properties<S: Sink>(list: &Properties<'_>, to: &mut S, layout: &Layout) -> Result<bool, Full> {
    #[cfg(feature = "serde")]
    if layout.normalizes {
        return normal::properties(*list, to, layout);
    }
    list.write_in(to, layout)
}

pub(crate) fn delegate<S: Sink>(
    value: &Delegate<'_>,
    to: &mut S,
    layout: &Layout,
) -> Result<bool, Full> {
    Ok(value.object.write_matching(to, layout)? & value.function.write_matching(to, layout)?)
}

/// Writes the owner of a field path.
pub(crate) fn owner<S: Sink>(
    value: Option<ObjectRef<'_>>,
    to: &mut S,
    layout: &Layout,
) -> Result<bool, Full> {
    match (layout.field_paths_have_owners(), value) {
        (true, Some(value)) => value.write_matching(to, layout),
        (has, value) => Ok(has == value.is_some()),
    }
}

/// Writes a count and the items.
pub(crate) fn many<S: Sink, T>(
    all: impl ExactSizeIterator<Item = T>,
    to: &mut S,
    layout: &Layout,
    mut each: impl FnMut(T, &mut S) -> Result<bool, Full>,
) -> Result<bool, Full> {
    let Ok(count) = i32::try_from(all.len()) else { return Ok(false) };
    count.write(to, layout)?;
    for value in all {
        if !each(value, to)? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Writes a struct with native serialization that is not a sequence of fields, or an opaque struct.
fn structure<S: Sink>(
    value: &PropertyValue<'_>,
    shape: ValueShape<'_>,
    to: &mut S,
    layout: &Layout,
) -> Result<bool, Full> {
    // The struct may have been read in a form other than its version implies.
    let form = shape.known().map(|native| native.form);
    match (form, value) {
        (_, PropertyValue::Opaque(bytes, _)) => put(to, bytes)?,
        (_, PropertyValue::Struct(list)) => return properties(list, to, layout),
        (Some(NativeForm::Scalar(NativePart::Guid)), PropertyValue::Guid(guid)) => {
            guid.write(to, layout)?;
        }
        // The tag does not name the struct. The reader knew it from a hint, or inferred it.
        (None, PropertyValue::Guid(guid)) if shape.name.is_none() => guid.write(to, layout)?,
        (None, PropertyValue::Int(ticks)) if shape.name.is_none() => ticks.write(to, layout)?,
        (Some(NativeForm::Scalar(part)), PropertyValue::Int(value)) => {
            return part.write(Some(NativeValue::Int(*value)), to, layout);
        }
        (Some(NativeForm::Scalar(part)), PropertyValue::UInt(value)) => {
            return part.write(Some(NativeValue::UInt(*value)), to, layout);
        }
        (Some(NativeForm::SoftPath), PropertyValue::Str(text))
            if !layout.has_ue4(ue4::ADDED_SOFT_OBJECT_PATH) =>
        {
            text.write(to, layout)?;
        }
        (Some(NativeForm::SoftPath), PropertyValue::Soft(value))
            if layout.has_ue4(ue4::ADDED_SOFT_OBJECT_PATH) =>
        {
            return soft(value, to, layout);
        }
        (Some(NativeForm::Names), PropertyValue::Names(names)) => {
            return many(*names, to, layout, |value, to| value.write_matching(to, layout));
        }
        (Some(NativeForm::Instanced), PropertyValue::Instanced(none)) if none.size == 0 => {
            let fits = none.of.write_matching(to, layout)?;
            0i32.write(to, layout)?;
            return Ok(fits);
        }
        _ => return Ok(false),
    }
    Ok(true)
}

/// Writes the fields of a struct that was read, converted to `layout`.
fn native_value<S: Sink>(
    shape: ValueShape<'_>,
    native: &NativeStruct,
    fields: &NativeFields<'_>,
    to: &mut S,
    layout: &Layout,
) -> Result<bool, Full> {
    let is_it = shape.name.is_none_or(|_| shape.known() == Some(native));
    match native.form {
        // A partly consumed iterator is not the complete struct.
        _ if !(is_it && fields.is_whole()) => Ok(false),
        _ if fields.decode.context.layout == *layout => put(to, fields.bytes()).map(|()| true),
        NativeForm::Fields(wanted) => {
            let mut values = fields.map(|(_, value)| value);
            let mut values = Values::new(&mut values);
            Ok(write_fields(wanted, &mut values, to, layout)? && values.is_empty())
        }
        _ => Ok(false),
    }
}

/// Writes a struct with native serialization from the values of its fields. `flag` is the tag's
/// flag for native serialization.
pub(crate) fn native<S: Sink>(
    shape: ValueShape<'_>,
    flag: Option<bool>,
    values: &[NativeValue<'_>],
    to: &mut S,
    layout: &Layout,
) -> Result<bool, Full> {
    let mut values = values.iter().copied();
    let mut values = Values::new(&mut values);
    let native = match flag {
        Some(true) => shape.known(),
        _ => shape.native(layout),
    };
    let written = match native.map(|native| native.form) {
        Some(NativeForm::Fields(fields)) => write_fields(fields, &mut values, to, layout)?,
        Some(NativeForm::Scalar(part)) => part.write(values.next(), to, layout)?,
        _ => false,
    };
    Ok(written && values.is_empty())
}

/// The values of fields, with one value of look-ahead.
struct Values<'i, 'v> {
    ahead: Option<NativeValue<'v>>,
    rest: &'i mut dyn Iterator<Item = NativeValue<'v>>,
}

impl<'i, 'v> Values<'i, 'v> {
    fn new(rest: &'i mut dyn Iterator<Item = NativeValue<'v>>) -> Self {
        Self { ahead: rest.next(), rest }
    }

    fn next(&mut self) -> Option<NativeValue<'v>> {
        core::mem::replace(&mut self.ahead, self.rest.next())
    }

    const fn is_empty(&self) -> bool {
        self.ahead.is_none()
    }
}

/// Writes a sequence of fields. The fields of a group can be given as a group or one by one, and
/// the elements of an array as an array, or as their number and then one by one. The recursion is
/// as deep as groups and arrays are nested in the table of structs.
fn write_fields<S: Sink>(
    fields: &[NativeField],
    values: &mut Values<'_, '_>,
    to: &mut S,
    layout: &Layout,
) -> Result<bool, Full> {
    let (mut word, mut switch, mut is_first) = (0u32, Switch::default(), true);
    let mut rest = fields;
    while let Some((field, after)) = rest.split_first() {
        rest = after;
        switch.more = !values.is_empty();
        let was_first = core::mem::take(&mut is_first);
        if !field.when.holds(layout, switch) {
            continue;
        }
        if was_first {
            switch.first = values.ahead.map_or(0, |value| value.as_switch());
        }
        let written = match field.part {
            NativePart::Channel(shift) => {
                let Some(value) = values.next().and_then(byte) else { return Ok(false) };
                word |= u32::from(value).wrapping_shl(shift);
                // The last channel writes the word.
                if !matches!(rest.first(), Some(NativeField { part: NativePart::Channel(_), .. })) {
                    word.write(to, layout)?;
                    word = 0;
                }
                true
            }
            part => write_part(part, values, to, layout)?,
        };
        if !written {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Writes a field, which can take several of `values`.
fn write_part<S: Sink>(
    part: NativePart,
    values: &mut Values<'_, '_>,
    to: &mut S,
    layout: &Layout,
) -> Result<bool, Full> {
    match (part, values.ahead) {
        (NativePart::Group(fields), Some(NativeValue::Group(given))) => {
            values.next();
            let mut given = given.map(|(_, value)| value);
            let mut given = Values::new(&mut given);
            Ok(write_fields(fields, &mut given, to, layout)? && given.is_empty())
        }
        (NativePart::Group(fields), _) => write_fields(fields, values, to, layout),
        (NativePart::Array(part), _) => write_elements(*part, values, to, layout),
        (NativePart::Bulk(part), _) => {
            let size = part.size(layout).unwrap_or_default();
            u32::try_from(size).unwrap_or_default().write(to, layout)?;
            write_elements(*part, values, to, layout)
        }
        (part, _) => part.write(values.next(), to, layout),
    }
}

/// Writes an array: the number of its elements, then the elements.
fn write_elements<S: Sink>(
    part: NativePart,
    values: &mut Values<'_, '_>,
    to: &mut S,
    layout: &Layout,
) -> Result<bool, Full> {
    let first = values.next();
    if let Some(NativeValue::Array(given)) = first {
        let mut given = given;
        let Ok(count) = i32::try_from(given.len()) else { return Ok(false) };
        count.write(to, layout)?;
        let mut given = Values::new(&mut given);
        while !given.is_empty() {
            if !write_part(part, &mut given, to, layout)? {
                return Ok(false);
            }
        }
        return Ok(true);
    }
    let Some(count) = first.and_then(whole::<i32>).filter(|count| *count >= 0) else {
        return Ok(false);
    };
    count.write(to, layout)?;
    for _ in 0..count {
        if !write_part(part, values, to, layout)? {
            return Ok(false);
        }
    }
    Ok(true)
}

fn byte(value: NativeValue<'_>) -> Option<u8> {
    match value {
        NativeValue::UInt(value) => u8::try_from(value).ok(),
        NativeValue::Int(value) => u8::try_from(value).ok(),
        NativeValue::Bool(value) => Some(value.into()),
        _ => None,
    }
}

/// Returns a floating-point number as `f64`. The caller rounds it for a field of single precision.
fn real(value: NativeValue<'_>) -> Option<f64> {
    match value {
        NativeValue::Float(value) => Some(value.into()),
        NativeValue::Double(value) => Some(value),
        _ => None,
    }
}

fn whole<T: TryFrom<i64> + TryFrom<u64>>(value: NativeValue<'_>) -> Option<T> {
    match value {
        NativeValue::Int(value) => value.try_into().ok(),
        NativeValue::UInt(value) => value.try_into().ok(),
        _ => None,
    }
}

impl NativePart {
    /// Writes the value of a field that is a single value.
    pub(crate) fn write<S: Sink>(
        self,
        value: Option<NativeValue<'_>>,
        to: &mut S,
        layout: &Layout,
    ) -> Result<bool, Full> {
        let Some(value) = value else { return Ok(false) };
        macro_rules! put {
            ($value:expr) => {
                match $value {
                    Some(value) => value.write(to, layout)?,
                    None => return Ok(false),
                }
            };
        }
        match (self, value) {
            // An `f32` is not converted to `f64`, since that would change the bits of a NaN.
            (Self::Float, NativeValue::Float(value)) => value.write(to, layout)?,
            (Self::Real, NativeValue::Float(value))
                if !layout.has_ue5(ue5::LARGE_WORLD_COORDINATES) =>
            {
                value.write(to, layout)?;
            }
            (Self::Double, value) => put!(real(value)),
            (Self::Real, value) if layout.has_ue5(ue5::LARGE_WORLD_COORDINATES) => {
                put!(real(value))
            }
            (Self::Real | Self::Float, value) => put!(real(value).map(|value| value as f32)),
            (Self::Int, value) => put!(whole::<i32>(value)),
            (Self::UInt, value) => put!(whole::<u32>(value)),
            (Self::Int64, value) => put!(whole::<i64>(value)),
            (Self::UInt64, value) => put!(whole::<u64>(value)),
            (Self::Byte, value) => put!(byte(value)),
            (Self::Short, value) => put!(whole::<i64>(value).and_then(|n| u16::try_from(n).ok())),
            (Self::Bool, NativeValue::Bool(value)) => value.write(to, layout)?,
            (Self::Bool, NativeValue::Int(0 | 1) | NativeValue::UInt(0 | 1)) => {
                put!(whole::<u32>(value))
            }
            (Self::Guid, NativeValue::Guid(guid)) => guid.write(to, layout)?,
            (Self::Text, NativeValue::Str(text)) => text.write(to, layout)?,
            (Self::Name, NativeValue::Name(name)) => return name.write_matching(to, layout),
            (Self::Object, NativeValue::Object(of)) => return of.write_matching(to, layout),
            (Self::Soft, NativeValue::Soft(value)) => return soft(&value, to, layout),
            (Self::Padding(size), NativeValue::Bytes(bytes)) => {
                if bytes.len() != usize::from(size) {
                    return Ok(false);
                }
                put(to, bytes)?;
            }
            (Self::Bytes, NativeValue::Bytes(bytes)) => {
                let Ok(count) = i32::try_from(bytes.len()) else { return Ok(false) };
                count.write(to, layout)?;
                put(to, bytes)?;
            }
            (Self::Properties(_) | Self::OfPath, NativeValue::Struct(list)) => {
                return properties(&list, to, layout);
            }
            (Self::Properties(_) | Self::OfPath, NativeValue::Bytes(list)) => put(to, list)?,
            _ => return Ok(false),
        }
        Ok(true)
    }
}

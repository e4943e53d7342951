//! Checks whether a value or tag has the bytes that are written for it from a document. A document
//! contains values in readable form. If writing a value from this form would change its bytes, the
//! document also contains the original bytes.

use super::encode;
use super::tag_source::ValueShape;
use crate::buffer::{Count, Full, Sink};
use crate::unreal::format::{Layout, NameText, StrBuf, StrRef, Value, put};
use crate::unreal::properties::read::{
    Elements, Instanced, JoinedPath, NativeFields, NativeValue, OVERRIDDEN, Properties,
    PropertyValue, Reading, SoftReference, Tag, TagHead,
};
use crate::unreal::properties::types::{NameRef, NativeForm, PropertyKind, PropertyType};
use alloc::string::ToString;

impl<'p> Tag<'p> {
    /// Returns `true` if the tag has the bytes that a writer would choose for its fields, and no
    /// name in its type is empty or contains a parenthesis or a comma.
    pub(crate) fn head_is_normal(&self, head: &TagHead<'p>) -> bool {
        let layout = self.context.layout.normalizing();
        let mut same = Same::new(self.head_bytes());
        let written = head.normalized().write_as_it_is(&mut same, &layout);
        written.is_ok() && same.is_end() && !head.of.has_odd_names()
    }

    /// Returns `true` if the value has the bytes that a writer would choose for it. Does not check
    /// the properties in a struct.
    pub(crate) fn value_is_normal(&self, of: &PropertyType<'p>, value: &PropertyValue<'p>) -> bool {
        match value {
            PropertyValue::Bool(_)
            | PropertyValue::Int(_)
            | PropertyValue::UInt(_)
            | PropertyValue::Guid(_)
            | PropertyValue::Opaque(..) => return true,
            PropertyValue::Array(elements) if elements.are_plain_numbers() => return true,
            PropertyValue::Float(value) if !value.is_nan() => return true,
            PropertyValue::Double(value) if !value.is_nan() => return true,
            PropertyValue::Str(text) if text.is_normal() => return true,
            PropertyValue::Name(NameRef::Text(text)) if text.is_normal() && !text.is_empty() => {
                return true;
            }
            _ if value.form_of_structs(of) != [FormOfStructs::Usual; 2] => return false,
            PropertyValue::Native(_, fields) if fields.are_plain_numbers() => return true,
            _ => {}
        }
        let mut same = Same::new(self.bytes());
        matches!(self.write_normal(value, &mut same), Ok(true)) && same.is_end()
    }

    /// Writes the value with the bytes that a writer would choose for it. Returns `false` if the
    /// value cannot be written.
    pub(crate) fn write_normal<S: Sink>(
        &self,
        value: &PropertyValue<'p>,
        to: &mut S,
    ) -> Result<bool, Full> {
        let layout = &self.context.layout.normalizing();
        if let PropertyValue::Array(elements) = value
            && let Some(inner) = self.inner_tag()
        {
            let mut size = Count(0);
            // A document cannot express an inner tag with such names.
            if inner.of.has_odd_names() || !all(*elements, &mut size, layout)? {
                return Ok(false);
            }
            let size = u32::try_from(size.0).unwrap_or(u32::MAX);
            count(elements.len(), to, layout)?;
            TagHead { size, ..inner }.normalized().write_as_it_is(to, layout)?;
            return all(*elements, to, layout);
        }
        one(value, ValueShape::of(&self.head().of), to, layout)
    }
}

/// The form in which the structs of a value are stored. Documents do not state it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FormOfStructs {
    /// The first native form if the document has an object or a single value, and properties if it
    /// has a list.
    Usual,
    /// The second native form.
    Second,
    /// Properties where a list of names is usual.
    List,
}

impl<'p> PropertyValue<'p> {
    /// Returns the forms of the structs in a value of this type: one form for keys, and one for all
    /// other structs.
    pub(crate) fn form_of_structs(&self, of: &PropertyType<'p>) -> [FormOfStructs; 2] {
        let elements = |all: Elements<'p>| {
            let decode = all.decode();
            decode.readings.map(|reading| match reading {
                Reading::SECOND => FormOfStructs::Second,
                Reading::OTHER => FormOfStructs::List,
                _ => FormOfStructs::Usual,
            })
        };
        let one = |form| [FormOfStructs::Usual, form];
        match self {
            PropertyValue::Array(all) | PropertyValue::Optional(all) => elements(*all),
            PropertyValue::Set(set) => elements(set.values()),
            PropertyValue::Map(map) => elements(map.removed()),
            PropertyValue::Native(native, _) => match ValueShape::of(of).known() {
                Some(known) if known.form != native.form => one(FormOfStructs::Second),
                _ => one(FormOfStructs::Usual),
            },
            PropertyValue::Struct(_) => {
                let known = ValueShape::of(of).known();
                let is_names = known.is_some_and(|known| known.form == NativeForm::Names);
                one(if is_names { FormOfStructs::List } else { FormOfStructs::Usual })
            }
            _ => one(FormOfStructs::Usual),
        }
    }
}

impl TagHead<'_> {
    /// Returns the tag with the bytes that a writer would choose for a bool and for extensions.
    fn normalized(&self) -> Self {
        let extensions = self.overridden.map_or(0, |_| OVERRIDDEN);
        Self {
            bool_byte: self.bool_value.into(),
            extensions: self.extensions.map(|_| extensions),
            ..*self
        }
    }
}

fn one<S: Sink>(
    value: &PropertyValue<'_>,
    shape: ValueShape<'_>,
    to: &mut S,
    layout: &Layout,
) -> Result<bool, Full> {
    match value {
        PropertyValue::Array(elements) => {
            count(elements.len(), to, layout)?;
            all(*elements, to, layout)
        }
        PropertyValue::Optional(elements) => {
            (elements.len() > 0).write(to, layout)?;
            all(*elements, to, layout)
        }
        PropertyValue::Set(set) => {
            count(set.removed().len(), to, layout)?;
            let removed = all(set.removed(), to, layout)?;
            count(set.values().len(), to, layout)?;
            Ok(removed && all(set.values(), to, layout)?)
        }
        PropertyValue::Map(map) => {
            count(map.removed().len(), to, layout)?;
            let mut written = all(map.removed(), to, layout)?;
            let entries = map.entries();
            count(entries.len(), to, layout)?;
            let names = entries.struct_names();
            let [key, of] = [(entries.key(), names[0]), (entries.value(), names[1])]
                .map(|(of, name)| ValueShape::of(&of).or_named(name));
            for entry in entries {
                written &= one(&entry.0, key, to, layout)? && one(&entry.1, of, to, layout)?;
            }
            Ok(written)
        }
        PropertyValue::Instanced(Instanced { of, size: 1.., properties: list }) => {
            let fits = of.write_matching(to, layout)?;
            let mut size = Count(0);
            properties(*list, &mut size, layout)?;
            count(size.0, to, layout)?;
            Ok(fits && properties(*list, to, layout)?)
        }
        value => encode::value(value, shape, to, layout),
    }
}

/// Writes a soft reference as it is written from a document: joins the names of the package and the
/// asset with a dot, and splits the result at its first dot.
pub(super) fn soft_path<S: Sink>(
    soft: &SoftReference<'_>,
    to: &mut S,
    layout: &Layout,
) -> Result<bool, Full> {
    let text = |name| match name {
        NameRef::Text(text) if !text.is_empty() => NameText::new(text, 0),
        _ => NameText::new(StrRef::NONE, 0),
    };
    let path = JoinedPath(text(soft.package), soft.asset.map(text)).to_string();
    let parts = match soft.asset {
        Some(_) => path.split_once('.').map_or([&*path, ""].map(Some), |(a, b)| [Some(a), Some(b)]),
        None => [Some(&*path), None],
    };
    for name in parts.into_iter().flatten() {
        let name = StrBuf::new(if name.is_empty() { "None" } else { name });
        name.as_text().write(to, layout)?;
    }
    soft.sub_path.write(to, layout)?;
    Ok(true)
}

fn all<S: Sink>(elements: Elements<'_>, to: &mut S, layout: &Layout) -> Result<bool, Full> {
    let of = elements.of();
    let shape = ValueShape::of(&of).or_named(elements.decode().struct_name());
    for value in elements {
        if !one(&value, shape, to, layout)? {
            return Ok(false);
        }
    }
    Ok(true)
}

fn count<S: Sink>(len: usize, to: &mut S, layout: &Layout) -> Result<(), Full> {
    i32::try_from(len).unwrap_or(i32::MAX).write(to, layout)
}

/// Copies the properties, and writes the name that ends the list. In a package, this is the name
/// that ended the list before.
pub(super) fn properties<S: Sink>(
    list: Properties<'_>,
    to: &mut S,
    layout: &Layout,
) -> Result<bool, Full> {
    let (Some(bytes), Some(end)) = (list.bytes_of_tags(), list.ending()) else { return Ok(false) };
    put(to, bytes)?;
    match layout.names_as_text {
        true => NameRef::Text(StrRef::NONE).write(to, layout)?,
        false => end.write(to, layout)?,
    }
    Ok(true)
}

impl<'p> Properties<'p> {
    /// Returns the bytes of the name that ends the list, if a writer would choose different ones.
    pub(crate) fn unusual_end(&self) -> Option<&'p [u8]> {
        let (start, end) = (self.end_of_tags()?, self.end().ok()?);
        let mut same = Same::new(start.until(&end).rest());
        let written = NameRef::Text(StrRef::NONE).write(&mut same, &self.context.layout);
        (written.is_err() || !same.is_end()).then_some(start.until(&end).rest())
    }
}

impl NativeFields<'_> {
    /// Returns `true` if each field is a number, and none is a NaN.
    fn are_plain_numbers(&self) -> bool {
        { *self }.all(|(_, value)| match value {
            NativeValue::Float(value) => !value.is_nan(),
            NativeValue::Double(value) => !value.is_nan(),
            NativeValue::Int(_) | NativeValue::UInt(_) | NativeValue::Bool(_) => true,
            _ => false,
        })
    }
}

impl Elements<'_> {
    /// Returns `true` if the elements are integers, whose bytes are always those that a writer
    /// would choose.
    fn are_plain_numbers(&self) -> bool {
        use PropertyKind::{Byte, Int, Int8, Int16, Int64, UInt16, UInt32, UInt64};
        let kind = self.of().kind();
        matches!(kind, Byte | Int8 | Int16 | Int | Int64 | UInt16 | UInt32 | UInt64)
            && !matches!({ *self }.next(), Some(PropertyValue::Name(_)))
    }
}

/// A sink that compares what is written with the expected bytes.
pub(crate) struct Same<'b> {
    rest: &'b [u8],
    count: usize,
    is_same: bool,
}

impl<'b> Same<'b> {
    pub(crate) const fn new(expected: &'b [u8]) -> Self {
        Self { rest: expected, count: 0, is_same: true }
    }

    pub(crate) const fn is_end(&self) -> bool {
        self.is_same && self.rest.is_empty()
    }
}

impl Sink for Same<'_> {
    const REWINDS: bool = false;

    #[inline]
    fn reserve(&mut self, n: usize) -> Result<(), Full> {
        match self.is_same && n <= self.rest.len() {
            true => Ok(()),
            false => Err(Full { missing: 1 }),
        }
    }

    #[inline]
    fn put(&mut self, bytes: &[u8]) {
        match self.rest.strip_prefix(bytes) {
            Some(rest) => self.rest = rest,
            None => self.is_same = false,
        }
        self.count = self.count.saturating_add(bytes.len());
    }

    fn position(&self) -> usize {
        self.count
    }

    fn rewind(&mut self, _: usize) {}
}

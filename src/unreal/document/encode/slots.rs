//! Writes lists of properties without tags. The mappings state the slots and the types of the
//! properties; the document states the values.

use super::entry::Entry;
use super::node::{Fault, Node};
use super::value::{Target, ValueSeed};
use super::writer::DocumentWriter;
use crate::unreal::mappings::{MappedProperty, MappedStruct};
use crate::unreal::properties::{
    FormOfStructs, PropertyKind, PropertyType, PropertyTypeBuf, PropertyValue, Slot, SlotList,
    ValueShape, slot_value,
};
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;
use core::ops::Range;
use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};

/// The values of a list that is being written.
pub struct SlotValues<'c> {
    of: MappedStruct<'c>,
    /// Position of the list in the output.
    start: usize,
    /// The slots in the order of the document, each with the range of its value in the output.
    all: Vec<(Slot, Range<usize>)>,
}

impl<'c> SlotValues<'c> {
    /// Begins a list of this class or struct. Fails if `of` is `None`, since the slots of the
    /// properties are not known then.
    pub fn new(of: Option<MappedStruct<'c>>, to: &DocumentWriter<'c>) -> Result<Self, Fault> {
        let of = of.ok_or("the mappings do not have the class or struct of the properties")?;
        Ok(Self { of, start: to.out.len(), all: Vec::new() })
    }

    /// Writes a value that is given as bytes.
    pub fn copy(&mut self, slot: Slot, value: &[u8], to: &mut DocumentWriter<'_>) {
        let start = to.out.len();
        to.out.extend_from_slice(value);
        self.all.push((slot, start..to.out.len()));
    }

    /// Ends the list: sorts the values by their slots, and writes the header before them.
    pub fn finish(mut self, to: &mut DocumentWriter<'_>) -> Result<(), Fault> {
        if !self.all.is_sorted_by_key(|(slot, _)| slot.index) {
            self.all.sort_by_key(|(slot, _)| slot.index);
            let values: Vec<u8> = self
                .all
                .iter()
                .flat_map(|(_, range)| to.out.get(range.clone()).unwrap_or_default())
                .copied()
                .collect();
            to.out.truncate(self.start);
            to.out.extend_from_slice(&values);
        }
        let mut list = SlotList::new(self.start, self.of.all_slots(), None);
        for (slot, _) in self.all {
            if !list.push(slot) {
                let name = self.of.property_at(slot.index).map(|(property, _)| property.name());
                let name = name.map_or_else(String::new, |name| name.to_string());
                return Err(format!("the property `{name}` has two values").into());
            }
        }
        Ok(list.finish(&mut to.out, &to.layout)?)
    }
}

/// A visitor that writes the properties of a list without tags while they are parsed.
pub struct SlotsVisitor<'e, 'c> {
    pub to: &'e mut DocumentWriter<'c>,
    pub list: &'e mut SlotValues<'c>,
    pub depth: u8,
}

impl<'de> Visitor<'de> for SlotsVisitor<'_, '_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list of properties")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut from: A) -> Result<(), A::Error> {
        let Self { to, list, depth } = self;
        let mut next =
            || from.next_element_seed(SlotSeed { to: &mut *to, list: &mut *list, depth });
        while next()?.is_some() {}
        Ok(())
    }
}

/// A seed for `serde` that writes a property without a tag while it is parsed.
struct SlotSeed<'e, 'c> {
    to: &'e mut DocumentWriter<'c>,
    list: &'e mut SlotValues<'c>,
    depth: u8,
}

impl<'de> DeserializeSeed<'de> for SlotSeed<'_, '_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<(), D::Error> {
        from.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for SlotSeed<'_, '_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a property with `name`, `type` and `value`")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut from: A) -> Result<(), A::Error> {
        let Self { to, list, depth } = self;
        let mut entry = Entry::default();
        let (mut is_zero, mut slot, mut value) = (false, None, None);
        while let Some(key) = from.next_key::<String>()? {
            match &*key {
                "value" => value = Some(from.next_value::<Node>()?),
                // The offset and the size are computed again, and packages do not store the reason.
                "at" | "size" | "reason" => {
                    from.next_value::<IgnoredAny>()?;
                }
                "zero" => is_zero = from.next_value()?,
                "slot" => slot = Some(from.next_value()?),
                key => {
                    let value: Node = from.next_value()?;
                    entry.set(key, &value).map_err(Fault::of)?;
                }
            }
        }
        let (index, of) = find(&entry, slot, list.of).map_err(Fault::of)?;
        let start = to.out.len();
        let is_zero = match (&value, entry.raw_bytes()) {
            (Some(value), None) => {
                let property = SlotValue { of, entry: &entry, depth };
                property.write(value, is_zero, to).map_err(Fault::of)?
            }
            (None, Some(raw)) => {
                to.out.extend_from_slice(raw);
                false
            }
            (None, None) => return Err(A::Error::custom("`value` is missing")),
            (Some(_), Some(_)) => {
                return Err(A::Error::custom("a property cannot have both `value` and `raw`"));
            }
        };
        list.all.push((Slot { index, is_zero }, start..to.out.len()));
        Ok(())
    }
}

/// Returns the slot of a property, and the property. A class and its super class can have
/// properties with the same name; the member `slot` then states which one is meant.
fn find<'c>(
    entry: &Entry<'_>,
    slot: Option<u32>,
    of: MappedStruct<'c>,
) -> Result<(u32, MappedProperty<'c>), Fault> {
    let name = entry.name().ok_or("`name` must be stated before `value`")?;
    let array_index = u32::try_from(entry.array_index()).unwrap_or(u32::MAX);
    let is_it = |property: &MappedProperty<'_>| {
        property.name().bytes().eq_ignore_ascii_case(name.as_bytes())
    };
    if let Some(slot) = slot
        && let Some((property, index)) = of.property_at(slot)
        && index == array_index
        && is_it(&property)
    {
        return Ok((slot, property));
    }
    match of.find_property(name) {
        Some((property, first)) if array_index < property.elements() => {
            Ok((first.saturating_add(array_index), property))
        }
        Some((property, _)) => Err(format!(
            "`{name}` has {} elements, so it has no element {array_index}",
            property.elements()
        )
        .into()),
        None => Err(format!("`{}` has no property `{name}` in the mappings", of.name()).into()),
    }
}

/// A value that is about to be written.
struct SlotValue<'v, 'c> {
    of: MappedProperty<'c>,
    entry: &'v Entry<'c>,
    depth: u8,
}

impl<'c> SlotValue<'_, 'c> {
    /// Writes the value, unless it is marked as zero and is zero. Returns `true` if nothing was
    /// written.
    fn write(
        &self,
        value: &Node,
        is_zero: bool,
        to: &mut DocumentWriter<'c>,
    ) -> Result<bool, Fault> {
        let of = PropertyType::mapped(to.context, self.of.of());
        if let Some(stated) = self.entry.type_text()
            && stated != of.to_string()
        {
            let name = self.of.name();
            let fault = format!("the type of `{name}` is `{of}` in the mappings, not `{stated}`");
            return Err(fault.into());
        }
        if is_zero && is_zero_of(&of, value) {
            return Ok(true);
        }
        match of.kind() {
            PropertyKind::Enum => number_of_enum(&of, value, to)?,
            _ => {
                let of = PropertyTypeBuf::from(of);
                self.seed(&of, to).deserialize(value)?;
            }
        }
        Ok(false)
    }

    fn seed<'e, 't>(
        &'t self,
        of: &'t PropertyTypeBuf,
        to: &'e mut DocumentWriter<'c>,
    ) -> ValueSeed<'e, 'c, 't> {
        let [key, value] = self.entry.struct_names();
        let structs =
            [key, value].map(|name| super::value::Struct { name, form: FormOfStructs::Usual });
        ValueSeed { to, of: Target::new(of, None, structs, self.depth), inner_tag: None }
    }
}

/// Writes the value of an enum at a slot, where it is stored as a number. The document states the
/// name of the entry, or the number.
fn number_of_enum(
    of: &PropertyType<'_>,
    value: &Node,
    to: &mut DocumentWriter<'_>,
) -> Result<(), Fault> {
    let number = match value {
        Node::Text(name) => entry_of(of, name)
            .ok_or_else(|| format!("the enum has no entry `{name}` in the mappings"))?,
        value => value.whole()?,
    };
    let shape = ValueShape::of(of);
    match slot_value(&PropertyValue::Int(number), shape, &mut to.out, &to.layout)? {
        true => Ok(()),
        false => Err(format!("{number} is too large for the enum").into()),
    }
}

/// Returns the number of the entry with this name.
fn entry_of(of: &PropertyType<'_>, name: &str) -> Option<i64> {
    of.enumeration()?.value_of(name)
}

/// Returns `true` if a value of this type is zero or empty.
fn is_zero_of(of: &PropertyType<'_>, value: &Node) -> bool {
    match value {
        Node::Text(name) if of.kind() == PropertyKind::Enum => entry_of(of, name) == Some(0),
        value => is_empty(value),
    }
}

/// Returns `true` if a value in a document is zero or empty: every number in it is 0, every bool is
/// `false`, and every text is empty, consists of zeros, or is `None`. Documents have `None` for the
/// name that stands for no name, and for the history of an empty `FText`. The recursion is as deep
/// as the document, whose depth the parser limits.
fn is_empty(value: &Node) -> bool {
    match value {
        Node::Null | Node::Bool(false) | Node::Int(0) | Node::UInt(0) => true,
        Node::Float(value) => *value == 0.0 && value.is_sign_positive(),
        Node::Text(text) => {
            text.eq_ignore_ascii_case("None") || text.bytes().all(|byte| byte == b'0')
        }
        Node::List(all) => all.iter().all(is_empty),
        Node::Map(members) => members.iter().all(|(_, value)| is_empty(value)),
        _ => false,
    }
}

//! Writes structs with native serialization. A table describes the format of each of them.

use super::entry::ListSeed;
use super::node::{Fault, Node};
use super::value::Target;
use super::writer::{DocumentWriter, guid};
use crate::unreal::properties::{
    NativeField, NativeForm, NativePart, NativeValue, Switch, name_in_path,
};
use alloc::format;
use alloc::vec::Vec;
use serde::de::DeserializeSeed;

impl DocumentWriter<'_> {
    /// Writes a struct that is not a list of tagged properties.
    pub fn structure(&mut self, of: Target<'_>, value: &Node) -> Result<(), Fault> {
        let start = self.out.len();
        let mut first = None;
        for form in of.forms() {
            match self.form(form, of, value) {
                Ok(()) => return Ok(()),
                Err(fault) => first = first.or(Some(fault)),
            }
            self.out.truncate(start);
        }
        match (value, of.name) {
            _ if let Some(fault) = first => Err(fault),
            // If the name of the struct is unknown, a string can only be a GUID.
            (Node::Text(digits), None) => self.put(guid(digits)?),
            (_, Some(name)) => {
                Err(format!("the struct {name} cannot be written from this value").into())
            }
            (_, None) => Err("unknown type of a struct: `struct_of_keys` or \
                              `struct_of_values` must name it"
                .into()),
        }
    }

    fn form(&mut self, form: NativeForm, of: Target<'_>, value: &Node) -> Result<(), Fault> {
        match form {
            NativeForm::Fields(fields) => self.fields(fields, of, value),
            NativeForm::Scalar(part) => self.part(part, of, value),
            NativeForm::SoftPath => self.asset(value),
            NativeForm::Names => self.many(value, |to, name| to.name(name.text()?)),
            NativeForm::Instanced => Err(value.unlike("an object with `struct`")),
        }
    }

    /// Writes those fields of a struct or group whose conditions hold. The recursion is as deep as
    /// groups and arrays are nested in the table of structs; lists of properties have a depth
    /// limit.
    fn fields(
        &mut self,
        fields: &[NativeField],
        of: Target<'_>,
        structure: &Node,
    ) -> Result<(), Fault> {
        let Node::Map(members) = structure else { return Err(structure.unlike("an object")) };
        let mut written = Vec::new();
        let (mut word, mut switch) = (0u32, Switch::default());
        let mut rest = fields;
        while let Some((field, after)) = rest.split_first() {
            let is_first = rest.len() == fields.len();
            rest = after;
            switch.more = match of.in_container {
                true => self.layout.editor_data,
                false => structure.get(field.name).is_some(),
            };
            if !field.when.holds(&self.layout, switch) {
                continue;
            }
            let value = structure.member(field.name)?;
            written.push(field.name);
            if is_first {
                switch.first = switch_of(field.part, value);
            }
            match field.part {
                NativePart::Channel(shift) => {
                    word |= u32::from(value.whole::<u8>()?).wrapping_shl(shift);
                    // The word is written with its last channel.
                    if !matches!(
                        rest.first(),
                        Some(NativeField { part: NativePart::Channel(_), .. })
                    ) {
                        self.put(core::mem::take(&mut word))?;
                    }
                }
                // The first field is the path of the struct.
                NativePart::OfPath => {
                    let path = fields.first().and_then(|field| structure.get(field.name));
                    let path = path.map_or(Ok(""), Node::text)?;
                    self.properties(name_in_path(path), of, value)?;
                }
                part => self.part(part, of, value)?,
            }
        }
        match members.iter().find(|(name, _)| !written.contains(&&**name)) {
            Some((name, _)) => Err(format!("the struct has no field `{name}`").into()),
            None => Ok(()),
        }
    }

    /// Writes the value of a field.
    fn part(&mut self, part: NativePart, of: Target<'_>, value: &Node) -> Result<(), Fault> {
        match part {
            NativePart::Group(fields) => self.fields(fields, of, value),
            NativePart::Text => self.string(value),
            NativePart::Name => self.name(value.text()?),
            NativePart::Object => self.object(value),
            NativePart::Soft => self.soft(value),
            NativePart::Padding(size) => {
                let bytes = value.hex()?;
                if bytes.len() != usize::from(size) {
                    return Err(format!("expected {size} bytes, found {}", bytes.len()).into());
                }
                self.out.extend_from_slice(&bytes);
                Ok(())
            }
            NativePart::Bytes => {
                let bytes = value.hex()?;
                let count_at = self.later()?;
                self.out.extend_from_slice(&bytes);
                self.enter(count_at, bytes.len())
            }
            NativePart::Array(part) => self.elements(*part, of, value),
            NativePart::Bulk(part) => {
                let size = part.size(&self.layout).unwrap_or_default();
                self.put(u32::try_from(size).unwrap_or_default())?;
                self.elements(*part, of, value)
            }
            NativePart::Properties(name) => self.properties(name, of, value),
            NativePart::OfPath => self.properties("", of, value),
            part => {
                let value = Some(number(part, value)?);
                let written = part.write(value, &mut self.out, &self.layout)?;
                written.then_some(()).ok_or_else(|| "a field of a struct has the wrong type".into())
            }
        }
    }

    /// Writes a list of properties. `name` is the name of the struct that has them; it is needed
    /// only for a list without tags.
    fn properties(&mut self, name: &str, of: Target<'_>, value: &Node) -> Result<(), Fault> {
        let structure = self.mapped_struct(Some(name));
        let (depth, limit) = (of.deeper()?, of.limit);
        ListSeed { to: self, depth, limit, ends: true, of: structure }.deserialize(value)
    }

    fn elements(&mut self, part: NativePart, of: Target<'_>, value: &Node) -> Result<(), Fault> {
        let of = of.in_array()?;
        self.many(value, |to, value| to.part(part, of, value))
    }
}

/// Returns the number that can decide which of the later fields are present.
fn switch_of(part: NativePart, value: &Node) -> i64 {
    match (part, value) {
        (NativePart::Name | NativePart::Soft, _) => 0,
        (_, Node::Int(value)) => *value,
        (_, Node::UInt(value)) => value.cast_signed(),
        (_, Node::Bool(value)) => (*value).into(),
        (NativePart::Text | NativePart::Object, Node::Text(text)) => i64::from(!text.is_empty()),
        _ => 0,
    }
}

/// Returns the value of a field that is a number, a bool or a GUID.
fn number<'v>(part: NativePart, value: &Node) -> Result<NativeValue<'v>, Fault> {
    Ok(match part {
        NativePart::Real | NativePart::Float | NativePart::Double => {
            NativeValue::Double(value.real()?)
        }
        NativePart::Guid => NativeValue::Guid(guid(value.text()?)?),
        _ => match *value {
            Node::Int(value) => NativeValue::Int(value),
            Node::UInt(value) => NativeValue::UInt(value),
            Node::Bool(value) => NativeValue::Bool(value),
            ref other => return Err(other.unlike("an integer")),
        },
    })
}

//! The rows of properties and of their values.

use super::node::{Child, Content, Context, Label, Node};
use crate::file::place::{Row, Shape};
use crate::file::text::{LABEL, LONG, SHORT, counted, limited};
use gamewire::unreal::properties::{FormattedText, History, OpaqueReason};
use gamewire::unreal::{PropertyKind, PropertyValue, Tag};

/// Maximum size of a container that is read completely to show its row, in bytes.
const CHECKED: usize = 16 << 10;

impl<'p> Context<'p> {
    pub fn row(&self, child: &Child<'p>) -> Row {
        let mut row = self.content(&child.node);
        row.label = self.label(child);
        if let Label::Key(key) = &child.label {
            row.can_edit_key = self.can_edit(key);
        }
        row
    }

    fn label(&self, child: &Child<'p>) -> String {
        match &child.label {
            Label::Index => child.index.to_string(),
            Label::Word(word) => (*word).into(),
            Label::Name(name) => {
                let name = limited(name, LABEL);
                let index = match child.node.value {
                    Content::Tag(tag) => tag.head().array_index,
                    _ => 0,
                };
                if index == 0 { name } else { format!("{name}[{index}]") }
            }
            Label::Key(key) => self.one_line(key),
        }
    }

    /// Returns a row without a label.
    pub fn content(&self, node: &Node<'p>) -> Row {
        match node.value {
            Content::Tag(tag) => self.tag(&tag, node.at),
            Content::Value(value) => self.value(&value, node.at),
            Content::Fields(fields) => Row {
                text: format!("{} fields", fields.count()),
                can_open: true,
                shape: Shape::Object,
                ..Row::default()
            },
            Content::Parts(parts) => list(parts.len(), Shape::List),
            Content::Bytes(bytes) => {
                Row { kind: "bytes".into(), text: bytes_text(bytes), ..Row::default() }
            }
            Content::Shown(value) => {
                Row { can_edit: false, can_open: false, ..self.value(&value, node.at) }
            }
            Content::Section(section) => self.section(section),
        }
    }

    fn tag(&self, tag: &Tag<'p>, at: usize) -> Row {
        let is_container =
            matches!(tag.kind(), PropertyKind::Array | PropertyKind::Set | PropertyKind::Map);
        let mut row = if is_container && tag.bytes().len() > CHECKED && tag.slot().is_none() {
            // The container is only read when it is opened.
            let count = self.stored.word(at).unwrap_or(0);
            let shape = if tag.kind() == PropertyKind::Map { Shape::Object } else { Shape::List };
            match (tag.kind(), count) {
                (PropertyKind::Array, _) => list(count.max(0) as usize, shape),
                // The number of removed values is first.
                (_, 0) => list(self.stored.word(at + 4).unwrap_or(0).max(0) as usize, shape),
                _ => Row { can_open: true, shape, ..Row::default() },
            }
        } else {
            self.value(&tag.value(), at)
        };
        let is_zero = tag.slot().is_some_and(|slot| slot.is_zero);
        let is_other_bool = tag.kind() == PropertyKind::Bool && tag.slot().is_some();
        let has_bytes = !is_zero && (!is_other_bool || !tag.bytes().is_empty());
        row.can_edit = row.can_edit && has_bytes;
        if !row.is_malformed() {
            row.kind = limited(tag.head().of, SHORT).replace("Property", "");
        }
        row
    }

    pub fn value(&self, value: &PropertyValue<'p>, at: usize) -> Row {
        let (count, shape) = match value {
            PropertyValue::Array(all) | PropertyValue::Optional(all) => (all.len(), Shape::List),
            PropertyValue::Set(set) => (set.removed().len() + set.values().len(), Shape::List),
            PropertyValue::Map(map) => (map.removed().len() + map.entries().len(), Shape::Object),
            PropertyValue::Delegates(all) => (all.len(), Shape::List),
            PropertyValue::Names(all) => (all.len(), Shape::List),
            _ => (usize::MAX, Shape::Object),
        };
        if count != usize::MAX {
            return Row { kind: kind(value).into(), ..list(count, shape) };
        }
        let has_inside = match *value {
            PropertyValue::Struct(mut list) => list.next().is_some(),
            PropertyValue::Instanced(mut of) => of.properties.next().is_some(),
            PropertyValue::Native(_, fields) => fields.count() > 0,
            _ => !self.pieces(value, at).is_empty(),
        };
        let shape = match value {
            _ if has_inside => Shape::Object,
            PropertyValue::Bool(_) | PropertyValue::Int(_) | PropertyValue::UInt(_) => Shape::Plain,
            PropertyValue::Float(value) if value.is_finite() => Shape::Plain,
            PropertyValue::Double(value) if value.is_finite() => Shape::Plain,
            _ => Shape::Text,
        };
        Row {
            kind: kind(value).into(),
            text: self.one_line(value),
            can_open: has_inside,
            can_edit: self.can_edit(value),
            shape,
            ..Row::default()
        }
    }

    fn one_line(&self, value: &PropertyValue<'p>) -> String {
        limited(self.text(value), SHORT).replace('\n', " ")
    }

    /// Returns `true` if the value can be edited as text.
    pub fn can_edit(&self, value: &PropertyValue<'p>) -> bool {
        match value {
            PropertyValue::Formatted(text) => source(text).is_some(),
            PropertyValue::Bool(_)
            | PropertyValue::Int(_)
            | PropertyValue::UInt(_)
            | PropertyValue::Float(_)
            | PropertyValue::Double(_)
            | PropertyValue::Name(_)
            | PropertyValue::Str(_)
            | PropertyValue::Utf8Str(_)
            | PropertyValue::Object(_)
            | PropertyValue::Enum(_)
            | PropertyValue::Guid(_) => true,
            _ => false,
        }
    }

    /// Returns the text of a value, as it can be edited.
    pub fn text(&self, value: &PropertyValue<'p>) -> String {
        match *value {
            PropertyValue::Bool(value) => value.to_string(),
            PropertyValue::Int(value) => value.to_string(),
            PropertyValue::UInt(value) => value.to_string(),
            PropertyValue::Float(value) => value.to_string(),
            PropertyValue::Double(value) => value.to_string(),
            PropertyValue::Name(name) => self.name(name),
            PropertyValue::Str(text) => limited(text, LONG),
            PropertyValue::Utf8Str(text) => limited(text, LONG),
            PropertyValue::Object(object) => self.object(object).unwrap_or_else(|| "None".into()),
            PropertyValue::Enum(of) => of.to_string(),
            PropertyValue::Guid(guid) => guid.to_string(),
            PropertyValue::Soft(soft) => {
                let mut text = self.name(soft.package);
                if let Some(asset) = soft.asset {
                    text = format!("{text}.{}", self.name(asset));
                }
                text
            }
            PropertyValue::Delegate(one) => {
                let object = self.object(one.object).unwrap_or_else(|| "None".into());
                format!("{object}.{}", self.name(one.function))
            }
            PropertyValue::FieldPath(path) => {
                let names: Vec<_> = path.path.map(|name| self.name(name)).collect();
                names.join(".")
            }
            PropertyValue::Formatted(text) => match source(&text) {
                Some(text) => limited(text, LONG),
                None => self.history(&text),
            },
            PropertyValue::Native(of, mut fields) => {
                let mut all = Vec::new();
                let small = fields.all(|(_, value)| {
                    use gamewire::unreal::properties::NativeValue;
                    all.push(match value {
                        NativeValue::Float(value) => value.to_string(),
                        NativeValue::Double(value) => value.to_string(),
                        NativeValue::Int(value) => value.to_string(),
                        NativeValue::UInt(value) => value.to_string(),
                        _ => return false,
                    });
                    all.len() <= 4
                });
                if small { format!("{}({})", of.name, all.join(", ")) } else { of.name.into() }
            }
            PropertyValue::Instanced(of) => self.object(of.of).unwrap_or_else(|| "None".into()),
            PropertyValue::Opaque(bytes, reason) => format!("{reason}: {}", bytes_text(bytes)),
            _ => String::new(),
        }
    }

    fn history(&self, text: &FormattedText<'p>) -> String {
        match text.history {
            History::StringTable { table, key } => format!("{}: {key}", self.name(table)),
            History::None { .. } => String::new(),
            History::Generator { name } => self.name(name),
            _ => "a text with arguments".into(),
        }
    }
}

/// Returns the source string of a text, if it has one.
pub fn source<'p>(text: &FormattedText<'p>) -> Option<gamewire::unreal::StrRef<'p>> {
    match text.history {
        History::Legacy { source, .. } | History::Base { source, .. } => Some(source),
        History::None { culture_invariant } => culture_invariant,
        _ => None,
    }
}

fn list(count: usize, shape: Shape) -> Row {
    Row { count: Some(count as u64), can_open: count > 0, shape, ..Row::default() }
}

pub fn bytes_text(bytes: &[u8]) -> String {
    let mut text = counted(bytes.len() as u64, "byte", "bytes");
    for (index, byte) in bytes.iter().take(16).enumerate() {
        text.push_str(if index == 0 { ": " } else { " " });
        text.push_str(&format!("{byte:02x}"));
    }
    text
}

fn kind(value: &PropertyValue<'_>) -> &'static str {
    match value {
        PropertyValue::Bool(_) => "Bool",
        PropertyValue::Int(_) => "Int",
        PropertyValue::UInt(_) => "UInt",
        PropertyValue::Float(_) => "Float",
        PropertyValue::Double(_) => "Double",
        PropertyValue::Name(_) => "Name",
        PropertyValue::Str(_) | PropertyValue::Utf8Str(_) => "Str",
        PropertyValue::Object(_) => "Object",
        PropertyValue::Enum(_) => "Enum",
        PropertyValue::Guid(_) => "Guid",
        PropertyValue::Soft(_) => "SoftObject",
        PropertyValue::Delegate(_) => "Delegate",
        PropertyValue::Delegates(_) => "MulticastDelegate",
        PropertyValue::FieldPath(_) => "FieldPath",
        PropertyValue::Optional(_) => "Optional",
        PropertyValue::Array(_) => "Array",
        PropertyValue::Set(_) => "Set",
        PropertyValue::Map(_) => "Map",
        PropertyValue::Struct(_) | PropertyValue::Native(..) => "Struct",
        PropertyValue::Names(_) => "Names",
        PropertyValue::Instanced(_) => "InstancedStruct",
        PropertyValue::Formatted(_) => "Text",
        PropertyValue::Opaque(_, OpaqueReason::Malformed(_) | OpaqueReason::LeftOver(_)) => {
            "malformed"
        }
        _ => "unknown",
    }
}

//! Converts properties and their values.

use super::super::oracle::{Fields, Node};
use super::records::{guid, name, sub_path, text, utf8};
use super::texts;
use gamewire::unreal::properties::{
    Delegate, Elements, Map, NativeFields, NativeValue, OpaqueReason, Set, SoftReference,
};
use gamewire::unreal::{
    NameRef, ObjectProperties, ObjectRef, Properties, PropertyValue, Tag, TagHead,
};

pub fn name_ref(of: NameRef<'_>) -> Node {
    match of {
        NameRef::Index(of) => name(of),
        NameRef::Text(of) => text(of),
    }
}

fn object_ref(of: ObjectRef<'_>) -> Node {
    match of {
        ObjectRef::Index(index) => Node::number(index.0),
        ObjectRef::Path(path) => text(path),
    }
}

pub fn object(object: &ObjectProperties<'_>, is_class: bool) -> Node {
    let mut fields = Fields::default();
    let before = Some(object.before).filter(|before| !before.is_empty());
    fields.put_some("before", before.map(|before| Node::Bytes(before.to_vec())));
    fields.put_some("control", object.control.map(Node::number));
    fields.put_some("operation", object.operation.map(Node::number));
    let properties = list(object.iter());
    if is_class {
        assert_eq!(object.iter().count(), 0, "a class has no properties");
    } else {
        fields.put("properties", properties);
    }
    let tail = object.tail().map_or(Node::word("bad"), |tail| {
        let mut fields = Fields::default();
        fields.put("offset", Node::number(tail.offset));
        fields.put_some("guid", tail.guid.map(guid));
        fields.put("native", Node::Bytes(tail.native.to_vec()));
        fields.done()
    });
    fields.put("tail", tail);
    fields.done()
}

/// Converts the tags of a list, up to its end or the first malformed tag.
pub fn list(properties: Properties<'_>) -> Node {
    let (mut tags, mut whole) = (Vec::new(), true);
    for of in properties {
        match of {
            Ok(of) => tags.push(tag(&of)),
            Err(_) => whole = false,
        }
    }
    let mut fields = Fields::default();
    fields.put("tags", Node::List(tags));
    fields.put("whole", Node::Truth(whole));
    fields.done()
}

fn tag(tag: &Tag<'_>) -> Node {
    let mut fields = head(&tag.head());
    fields.put_some("inner_tag", tag.inner_tag().map(|inner| head(&inner).done()));
    fields.put("value", value(tag.value()));
    fields.done()
}

fn head(head: &TagHead<'_>) -> Fields {
    let mut fields = Fields::default();
    fields.put("offset", Node::number(head.offset));
    fields.put("name", name_ref(head.name_ref()));
    fields.put("type", Node::word(head.of));
    fields.put("size", Node::number(head.size));
    fields.put("array_index", Node::number(head.array_index));
    fields.put_some("flags", head.flags.map(Node::number));
    fields.put_some("struct_guid", head.struct_guid.map(guid));
    fields.put_some("guid", head.guid.map(guid));
    if let Some(overridden) = head.overridden {
        fields.put("operation", Node::number(overridden.operation));
        fields.put("experimental", Node::Truth(overridden.experimental));
    }
    fields
}

fn value(value: PropertyValue<'_>) -> Node {
    match value {
        PropertyValue::Bool(truth) => Node::Truth(truth),
        PropertyValue::Int(number) => Node::number(number),
        PropertyValue::UInt(number) => Node::number(number),
        PropertyValue::Float(number) => Node::Single(number.to_bits()),
        PropertyValue::Double(number) => Node::Double(number.to_bits()),
        PropertyValue::Name(name) => name_ref(name),
        PropertyValue::Str(of) => text(of),
        PropertyValue::Utf8Str(of) => utf8(of),
        PropertyValue::Object(object) => object_ref(object),
        PropertyValue::Guid(of) => guid(of),
        PropertyValue::Soft(reference) => soft(reference),
        PropertyValue::Delegate(of) => delegate(of),
        PropertyValue::Delegates(all) => {
            Node::form("delegates", Node::List(all.map(delegate).collect()))
        }
        PropertyValue::FieldPath(path) => {
            let mut fields = Fields::default();
            fields.put("path", Node::List(path.path.map(name_ref).collect()));
            fields.put_some("owner", path.owner.map(object_ref));
            fields.done()
        }
        PropertyValue::Optional(all) => Node::form("optional", elements(all)),
        PropertyValue::Array(all) => Node::form("array", elements(all)),
        PropertyValue::Set(of) => set(of),
        PropertyValue::Map(of) => map(of),
        PropertyValue::Struct(properties) => Node::form("struct", list(properties)),
        PropertyValue::Native(of, fields) => {
            let mut all = vec![Node::word(of.name.to_ascii_lowercase())];
            native(fields, &mut all);
            Node::List(all)
        }
        PropertyValue::Names(names) => {
            Node::form("names", Node::List(names.map(name_ref).collect()))
        }
        PropertyValue::Instanced(of) => {
            let mut fields = Fields::default();
            fields.put("of", object_ref(of.of));
            fields.put("size", Node::number(of.size));
            if of.size > 0 {
                fields.put("properties", list(of.properties));
            }
            Node::form("instanced", fields.done())
        }
        PropertyValue::Formatted(of) => texts::formatted(&of),
        PropertyValue::Opaque(bytes, why) => opaque(bytes, why),
        other => panic!("a value of a new kind: {other:?}"),
    }
}

fn opaque(bytes: &[u8], reason: OpaqueReason) -> Node {
    let reason = match reason {
        OpaqueReason::Malformed(_) => Node::Reason(None),
        other => Node::Reason(Some(format!("{other:?}"))),
    };
    let mut fields = Fields::default();
    fields.put("bytes", Node::Bytes(bytes.to_vec()));
    fields.put("reason", reason);
    Node::form("opaque", fields.done())
}

fn elements(elements: Elements<'_>) -> Node {
    Node::List(elements.map(value).collect())
}

fn set(set: Set<'_>) -> Node {
    let mut fields = Fields::default();
    fields.put("removed", elements(set.removed()));
    fields.put("values", elements(set.values()));
    Node::form("set", fields.done())
}

fn map(map: Map<'_>) -> Node {
    let mut fields = Fields::default();
    fields.put("removed", elements(map.removed()));
    let entries = map.entries().map(|(key, of)| Node::List(vec![value(key), value(of)]));
    fields.put("entries", Node::List(entries.collect()));
    Node::form("map", fields.done())
}

fn delegate(of: Delegate<'_>) -> Node {
    let mut fields = Fields::default();
    fields.put("object", object_ref(of.object));
    fields.put("function", name_ref(of.function));
    fields.done()
}

fn soft(of: SoftReference<'_>) -> Node {
    let mut fields = Fields::default();
    fields.put("package", name_ref(of.package));
    fields.put_some("asset", of.asset.map(name_ref));
    fields.put("sub_path", sub_path(of.sub_path));
    fields.put_some("index", of.index.map(Node::number));
    fields.done()
}

/// Adds the fields of a struct, and of the structs inside it, to one list.
fn native(fields: NativeFields<'_>, to: &mut Vec<Node>) {
    fields.for_each(|(_, field)| native_field(field, to));
}

fn native_field(field: NativeValue<'_>, to: &mut Vec<Node>) {
    match field {
        NativeValue::Float(number) => to.push(Node::Single(number.to_bits())),
        NativeValue::Double(number) => to.push(Node::Double(number.to_bits())),
        NativeValue::Int(number) => to.push(Node::number(number)),
        NativeValue::UInt(number) => to.push(Node::number(number)),
        NativeValue::Bool(truth) => to.push(Node::Truth(truth)),
        NativeValue::Guid(of) => to.push(guid(of)),
        NativeValue::Group(fields) => native(fields, to),
        NativeValue::Str(of) => to.push(text(of)),
        NativeValue::Name(of) => to.push(name_ref(of)),
        NativeValue::Object(of) => to.push(object_ref(of)),
        NativeValue::Soft(of) => to.push(soft(of)),
        NativeValue::Bytes(bytes) => to.push(Node::Bytes(bytes.to_vec())),
        NativeValue::Array(elements) => {
            let mut all = Vec::new();
            elements.for_each(|element| native_field(element, &mut all));
            to.push(Node::List(all));
        }
        NativeValue::Struct(properties) => to.push(Node::form("struct", list(properties))),
        other => panic!("a field of a new kind: {other:?}"),
    }
}

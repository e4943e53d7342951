//! Converts the parts that many records share.

use super::super::oracle::{Fields, Node};
use gamewire::unreal::tables::{EngineVersion, SubPath};
use gamewire::unreal::{Guid, List, Name, NameEntry, PackageIndex, StrRef, Utf8StrRef, Value};

pub fn text(text: StrRef<'_>) -> Node {
    Node::Text(text.is_wide(), text.units().collect())
}

pub fn utf8(text: Utf8StrRef<'_>) -> Node {
    Node::Utf8(text.bytes().to_vec())
}

pub fn sub_path(path: SubPath<'_>) -> Node {
    match path {
        SubPath::Text(path) => text(path),
        SubPath::Utf8(path) => utf8(path),
    }
}

pub fn guid(guid: Guid) -> Node {
    Node::Guid(guid.0)
}

pub fn name(name: Name) -> Node {
    Node::Name(name.index, name.number)
}

pub fn index(index: PackageIndex) -> Node {
    Node::number(index.0)
}

/// Converts the elements of a list. The list was read before, so no element is malformed.
pub fn list<'a, T: Value<'a>>(list: &List<'a, T>, one: impl Fn(T) -> Node) -> Node {
    Node::List(list.iter().map(|value| one(value.expect("it was read"))).collect())
}

pub fn engine(engine: &EngineVersion<'_>) -> Node {
    let mut fields = Fields::default();
    fields.put("major", Node::number(engine.major));
    fields.put("minor", Node::number(engine.minor));
    fields.put("patch", Node::number(engine.patch));
    fields.put("changelist", Node::number(engine.changelist));
    fields.put("branch", text(engine.branch));
    fields.done()
}

pub fn name_entry(entry: NameEntry<'_>) -> Node {
    let mut fields = Fields::default();
    fields.put("text", text(entry.text));
    if let Some([hash, hash_of_case]) = entry.hashes {
        fields.put("hash", Node::number(hash));
        fields.put("hash_of_case", Node::number(hash_of_case));
    }
    fields.done()
}

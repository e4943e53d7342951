//! Writes an edited document.

use super::tree::{Node, Tree};
use super::value::{self, bytes_of, len_of};
use crate::error::{kind_name, raise};
use gamewire::rems::{
    BinaryWriter, Dialect, Era, Error, Item, ItemSink, Property, StrRef, TextReader, TextWriter,
    Type, Value, WriteError,
};
use pyo3::prelude::*;
use serde_json::{Map, Value as Json};

/// The reason why a save cannot be written.
pub(super) enum Failure {
    /// The original cannot be read.
    Source(Error),
    /// The format cannot express a value.
    Write(WriteError),
    /// The document is malformed. Contains a message.
    Document(String),
    /// A failure, and the segments of the path to its value, the innermost first.
    At(Box<Failure>, Vec<String>),
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Self::Source(error)
    }
}

impl From<WriteError> for Failure {
    fn from(error: WriteError) -> Self {
        Self::Write(error)
    }
}

impl Failure {
    fn within(self, segment: impl ToString) -> Self {
        match self {
            Self::At(failure, mut path) => {
                path.push(segment.to_string());
                Self::At(failure, path)
            }
            failure => Self::At(Box::new(failure), vec![segment.to_string()]),
        }
    }

    pub(super) fn raise(self, py: Python<'_>) -> PyErr {
        let (failure, path) = match self {
            Self::At(failure, mut path) => {
                path.reverse();
                (*failure, path.join("/"))
            }
            failure => (failure, String::new()),
        };
        match failure {
            Self::Source(error) => super::failed(py, &error),
            Self::Write(error) => {
                let kind = kind_name(error.kind());
                raise(py, &error.kind().to_string(), kind, None, Some(path))
            }
            Self::Document(message) => raise(py, &message, "BadDocument".into(), None, Some(path)),
            Self::At(failure, _) => failure.raise(py),
        }
    }
}

/// The form in which a save is written.
#[derive(Clone, Copy)]
pub(super) enum Form {
    Text(Dialect),
    Binary(Era),
}

pub(super) struct Written {
    pub bytes: Vec<u8>,
    /// `false` if the bytes are the original text with some values replaced.
    pub is_whole: bool,
}

/// Writes the save that `edited` describes. `original` is the document of `tree`.
pub(super) fn write(
    tree: &Tree<'_>,
    original: &Json,
    edited: &Json,
    form: Form,
    content: &[u8],
) -> Result<Written, Failure> {
    let (Some(old), Some(new)) = (objects(original), objects(edited)) else {
        return Err(Failure::Document("`objects` must be a list".into()));
    };
    let all = || tree.0.iter().map(Some).chain(std::iter::repeat(None));
    if let Form::Text(dialect) = form {
        let mut edits = Edits { dialect, changes: Vec::new() };
        let is_same = old.len() == new.len()
            && tree
                .0
                .iter()
                .zip(old)
                .zip(new)
                .all(|((node, old), new)| edits.collect(node, old, new));
        if is_same {
            return Ok(Written { bytes: edits.apply(content), is_whole: false });
        }
        let mut writer = TextWriter::new(Vec::new(), dialect);
        each(all(), old, new, &mut writer)?;
        return Ok(Written { bytes: writer.finish()?, is_whole: true });
    }
    let Form::Binary(era) = form else { return Err(Failure::Document("no form".into())) };
    let mut writer = BinaryWriter::new(Vec::new(), era);
    each(all(), old, new, &mut writer)?;
    Ok(Written { bytes: writer.finish()?, is_whole: true })
}

fn objects(document: &Json) -> Option<&[Json]> {
    document.get("objects")?.as_array().map(Vec::as_slice)
}

/// Writes the objects of a save.
fn each<'n, 'a: 'n>(
    nodes: impl Iterator<Item = Option<&'n Node<'a>>>,
    old: &[Json],
    new: &[Json],
    to: &mut impl ItemSink,
) -> Result<(), Failure> {
    to.force(true);
    let old = old.iter().map(Some).chain(std::iter::repeat(None));
    for (index, ((node, old), new)) in nodes.zip(old).zip(new).enumerate() {
        let written = write_node(node.zip(old), new, Type::Mixed(0), to);
        written.map_err(|failure| failure.within(index).within("objects"))?;
    }
    Ok(())
}

/// Writes a root object, the value of a property, or an element of a list. `original` is the node
/// that was in its place, and the document of this node.
fn write_node<'n, 'a: 'n>(
    original: Option<(&'n Node<'a>, &Json)>,
    new: &Json,
    ty: Type<'_>,
    to: &mut impl ItemSink,
) -> Result<(), Failure> {
    if let Some((node, old)) = original
        && old == new
    {
        return Ok(node.forward(to)?);
    }
    match (ty, new) {
        (Type::Kind(kind, dim), new) => value::write(kind, dim, new, to),
        (_, Json::Null) => Ok(to.null()?),
        (ty, Json::Array(items)) if ty.dim() > 0 => list(original, items, ty, to),
        (_, Json::Object(members)) => match members.get("class") {
            Some(class) => object(original, class, members, to),
            None => pointer(members, to),
        },
        _ => Err(Failure::Document("expected an object, a list or null".into())),
    }
}

fn pointer(members: &Map<String, Json>, to: &mut impl ItemSink) -> Result<(), Failure> {
    let number = members.get("pointer").and_then(Json::as_u64);
    let number = number.and_then(|number| u32::try_from(number).ok());
    let number = number.ok_or_else(|| {
        Failure::Document("expected an object with `class`, or `pointer` with a number".into())
    })?;
    Ok(to.pointer(number)?)
}

fn list<'n, 'a: 'n>(
    original: Option<(&'n Node<'a>, &Json)>,
    items: &[Json],
    ty: Type<'_>,
    to: &mut impl ItemSink,
) -> Result<(), Failure> {
    let nodes = match original {
        Some((Node::List(_, nodes), Json::Array(old))) => Some((nodes, old)),
        _ => None,
    };
    to.list(len_of(items)?)?;
    for (index, item) in items.iter().enumerate() {
        let old = nodes.and_then(|(nodes, old)| Some((nodes.get(index), old.get(index)?)));
        match old {
            // The original omits this element and all following ones, and none of them was changed.
            Some((None, old))
                if items.get(index..) == nodes.and_then(|(_, old)| old.get(index..)) =>
            {
                let _ = old;
                break;
            }
            _ => {}
        }
        let old = old.and_then(|(node, old)| Some((node?, old)));
        write_node(old, item, ty.element(), to).map_err(|failure| failure.within(index))?;
    }
    Ok(to.end()?)
}

fn object<'n, 'a: 'n>(
    original: Option<(&'n Node<'a>, &Json)>,
    class: &Json,
    members: &Map<String, Json>,
    to: &mut impl ItemSink,
) -> Result<(), Failure> {
    let class = bytes_of(class).ok_or_else(|| bad("`class` must be a string"))?;
    let number = match members.get("pointer") {
        None | Some(Json::Null) => None,
        Some(number) => {
            let number = number.as_u64().and_then(|number| u32::try_from(number).ok());
            Some(number.ok_or_else(|| bad("`pointer` must be a number"))?)
        }
    };
    to.object(StrRef::new(&class), number)?;
    let (nodes, old) = match original {
        Some((Node::Object(_, nodes), old)) => (&nodes[..], properties(old)),
        _ => (&[][..], None),
    };
    let new = members.get("properties").and_then(Json::as_array);
    let new = new.ok_or_else(|| bad("`properties` must be a list"))?;
    let mut is_used = vec![false; nodes.len()];
    for (index, property) in new.iter().enumerate() {
        let at = |failure: Failure| failure.within(index).within("properties");
        let same =
            |other: &Json| ["type", "name"].iter().all(|key| other.get(key) == property.get(key));
        let old = old.unwrap_or_default();
        let found = (index..old.len()).chain(0..index.min(old.len())).find(|index| {
            !is_used.get(*index).copied().unwrap_or(true) && old.get(*index).is_some_and(same)
        });
        if let Some(is_used) = found.and_then(|found| is_used.get_mut(found)) {
            *is_used = true;
        }
        let original = found.and_then(|found| Some((nodes.get(found)?, old.get(found)?)));
        write_property(original, property, to).map_err(at)?;
    }
    Ok(to.end()?)
}

fn bad(message: &str) -> Failure {
    Failure::Document(message.into())
}

fn properties(object: &Json) -> Option<&[Json]> {
    object.get("properties")?.as_array().map(Vec::as_slice)
}

fn write_property<'n, 'a: 'n>(
    original: Option<(&'n (Property<'a>, Node<'a>), &Json)>,
    new: &Json,
    to: &mut impl ItemSink,
) -> Result<(), Failure> {
    let member = |key: &str| new.get(key).and_then(bytes_of);
    let (Some(ty), Some(name)) = (member("type"), member("name")) else {
        return Err(bad("a property needs a `type`, a `name` and a `value`"));
    };
    let ty = match original {
        Some(((property, _), _)) => property.ty,
        None => Type::named(StrRef::new(&ty)),
    };
    if let Some(((property, node), old)) = original
        && old == new
    {
        to.item(Item::Property(*property))?;
        return Ok(node.forward(to)?);
    }
    to.property(ty, StrRef::new(&name))?;
    let value = new.get("value").ok_or_else(|| bad("a property needs a `value`"))?;
    let original = original.and_then(|((_, node), old)| Some((node, old.get("value")?)));
    write_node(original, value, ty, to).map_err(|failure| failure.within("value"))
}

/// The changed values of a text: for each, the range of the old bytes, and the new bytes.
struct Edits {
    dialect: Dialect,
    changes: Vec<(usize, usize, Vec<u8>)>,
}

impl Edits {
    /// Collects the changed values of a node. Returns `false` if anything else was changed.
    fn collect(&mut self, node: &Node<'_>, old: &Json, new: &Json) -> bool {
        if old == new {
            return true;
        }
        match (node, old, new) {
            (Node::Value(value), ..) => self.replace(value, new),
            (Node::List(_, nodes), Json::Array(old), Json::Array(new)) => {
                let count = nodes.len();
                old.len() == new.len()
                    && old.get(count..) == new.get(count..)
                    && nodes
                        .iter()
                        .zip(old)
                        .zip(new)
                        .all(|((n, old), new)| self.collect(n, old, new))
            }
            (Node::Object(_, nodes), Json::Object(old), Json::Object(new)) => {
                let is_same = |key: &str| old.get(key) == new.get(key);
                let all = |of: &Map<String, Json>| {
                    of.get("properties").and_then(Json::as_array).cloned().unwrap_or_default()
                };
                let (old, new) = match is_same("class") && is_same("pointer") {
                    true => (all(old), all(new)),
                    false => return false,
                };
                let is_same = |(old, new): (&Json, &Json)| {
                    ["type", "name"].iter().all(|key| old.get(key) == new.get(key))
                };
                old.len() == new.len()
                    && nodes.len() == new.len()
                    && old.iter().zip(&new).all(is_same)
                    && nodes.iter().zip(old.iter().zip(&new)).all(|((_, node), (old, new))| match (
                        old.get("value"),
                        new.get("value"),
                    ) {
                        (Some(old), Some(new)) => self.collect(node, old, new),
                        _ => old == new,
                    })
            }
            _ => false,
        }
    }

    /// Collects the new text of a value, in the form that the engine of the file writes. Returns
    /// `false` if the value cannot be replaced in the text.
    fn replace(&mut self, value: &Value<'_>, new: &Json) -> bool {
        if new.is_null() {
            return false;
        }
        let fragment = || -> Result<Vec<u8>, Failure> {
            let mut writer = TextWriter::new(Vec::new(), self.dialect);
            writer.force(true);
            writer.object("T", Some(1))?;
            writer.property(Type::Kind(value.kind(), value.dim()), "x")?;
            value::write(value.kind(), value.dim(), new, &mut writer)?;
            writer.end()?;
            Ok(writer.finish()?)
        };
        let Ok(fragment) = fragment() else { return false };
        let mut reader = TextReader::new(&fragment);
        let written = loop {
            match reader.next() {
                Ok(Some(Item::Value(written))) => break written,
                Ok(Some(_)) => {}
                _ => return false,
            }
        };
        let start = value.offset() as usize;
        let end = start + value.raw().len();
        self.changes.push((start, end, written.raw().to_vec()));
        true
    }

    /// Returns the text with the changes. They are in the order of the file.
    fn apply(self, text: &[u8]) -> Vec<u8> {
        let (mut changed, mut at) = (Vec::with_capacity(text.len()), 0);
        for (start, end, new) in self.changes {
            changed.extend_from_slice(text.get(at..start).unwrap_or_default());
            changed.extend_from_slice(&new);
            at = end;
        }
        changed.extend_from_slice(text.get(at..).unwrap_or_default());
        changed
    }
}

//! The values of properties as nodes of the tree, with the places of their children.

use super::section::Section;
use super::stored::Stored;
use crate::file::place::{Fault, Role};
use gamewire::unreal::properties::{
    ContainerEncoding, Elements, History, Map, NativeElements, NativeFields, NativeValue, Set,
};
use gamewire::unreal::tables::SubPath;
use gamewire::unreal::{
    Error, NameRef, NameText, ObjectRef, Package, Properties, PropertyValue, Save, StrRef, Tag,
    ZenPackage,
};
use std::ops::Range;

/// The file that the values are from.
#[derive(Clone, Copy)]
pub enum File<'p> {
    /// Names and references are strings.
    Save(&'p Save<'p>),
    Package(&'p Package<'p>),
    Zen(&'p ZenPackage<'p>),
}

/// What the values of a file have in common.
#[derive(Clone, Copy)]
pub struct Context<'p> {
    pub file: File<'p>,
    pub stored: Stored<'p>,
}

/// A value, and the offset of its bytes.
#[derive(Clone, Copy)]
pub struct Node<'p> {
    pub at: usize,
    pub value: Content<'p>,
}

#[derive(Clone, Copy)]
pub enum Content<'p> {
    /// A property, whose value is not read yet.
    Tag(Tag<'p>),
    Value(PropertyValue<'p>),
    Fields(NativeFields<'p>),
    Parts(NativeElements<'p>),
    Bytes(&'p [u8]),
    /// A value that is shown, but cannot be edited or opened.
    Shown(PropertyValue<'p>),
    Section(Section<'p>),
}

/// The label of a child.
#[derive(Clone, Copy)]
pub enum Label<'p> {
    /// Its index.
    Index,
    Word(&'static str),
    Name(NameText<'p>),
    /// The key of an entry.
    Key(PropertyValue<'p>),
}

/// A child of a node.
pub struct Child<'p> {
    pub role: Role,
    pub index: u64,
    /// The bytes of its tag or key.
    pub key: Range<usize>,
    pub bytes: Range<usize>,
    pub label: Label<'p>,
    pub node: Node<'p>,
}

/// A function that is called with children, until it returns `false`.
pub type Each<'e, 'p> = dyn FnMut(Child<'p>) -> bool + 'e;

pub fn fault(error: Error) -> Fault {
    Fault { text: error.kind().to_string(), offset: error.offset() as usize }
}

impl<'p> Context<'p> {
    pub fn name(&self, name: NameRef<'p>) -> String {
        let text = match (self.file, name) {
            (File::Package(package), NameRef::Index(name)) => package.name(name),
            (File::Zen(package), NameRef::Index(name)) => package.name(name),
            (_, NameRef::Text(text)) => return text.to_string(),
            (File::Save(_), NameRef::Index(_)) => None,
        };
        text.map(|text| text.to_string()).unwrap_or_default()
    }

    /// Returns the path of an object, or `None` for the null reference of a package.
    pub fn object(&self, object: ObjectRef<'p>) -> Option<String> {
        match (self.file, object) {
            (_, ObjectRef::Path(path)) => Some(path.to_string()),
            (_, ObjectRef::Index(index)) if index.is_null() => None,
            (File::Package(package), ObjectRef::Index(index)) => {
                Some(package.path_of(index).to_string())
            }
            (File::Zen(package), ObjectRef::Index(index)) => {
                let name = package.object_at(index).and_then(|index| package.object_name(index));
                Some(name.map_or_else(|| format!("object {}", index.0), |name| name.to_string()))
            }
            (File::Save(_), ObjectRef::Index(index)) => Some(index.0.to_string()),
        }
    }

    /// Returns the value of a property; `form` is the encoding of its contents.
    pub fn inside(&self, node: Node<'p>, form: u32) -> Node<'p> {
        match node.value {
            Content::Tag(tag) => {
                let value = tag.unchecked_container(ContainerEncoding::from_bits(form));
                Node { value: Content::Value(value), ..node }
            }
            _ => node,
        }
    }

    /// Calls `each` with the children of a value. `from` is the index and the offset of the first
    /// of them.
    pub fn children(
        &self,
        node: &Node<'p>,
        from: (u64, usize),
        each: &mut Each<'_, 'p>,
    ) -> Result<(), Fault> {
        match node.value {
            Content::Value(PropertyValue::Struct(list)) => tags(list, from, 0, each).map(drop),
            Content::Value(PropertyValue::Instanced(of)) => {
                tags(of.properties, from, 0, each).map(drop)
            }
            Content::Value(PropertyValue::Array(all) | PropertyValue::Optional(all)) => {
                elements(all, from, 0, Label::Index, each)
            }
            Content::Value(PropertyValue::Set(set)) => values_of_set(&set, from, each),
            Content::Value(PropertyValue::Map(map)) => entries(&map, from, each),
            Content::Value(PropertyValue::Native(_, all)) | Content::Fields(all) => {
                fields(all, self.stored.is_big, from, each);
                Ok(())
            }
            Content::Parts(all) => {
                parts(all, from, each);
                Ok(())
            }
            Content::Value(value) => {
                let all = self.pieces(&value, node.at);
                let first = usize::try_from(from.0).unwrap_or(usize::MAX);
                for (index, (label, bytes, value)) in all.into_iter().enumerate().skip(first) {
                    let label = label.map_or(Label::Index, Label::Word);
                    if !each(element(index as u64, bytes, label, Content::Value(value))) {
                        break;
                    }
                }
                Ok(())
            }
            Content::Section(section) => self.in_section(section, from, each),
            Content::Tag(_) | Content::Bytes(_) | Content::Shown(_) => Ok(()),
        }
    }

    /// Returns the pieces of a value that is neither a container nor a struct, but has several
    /// texts, names or references.
    pub fn pieces(&self, value: &PropertyValue<'p>, at: usize) -> Vec<Piece<'p>> {
        let mut list = Pieces { stored: self.stored, at, all: Vec::new() };
        match *value {
            PropertyValue::Formatted(text) => list.text(text.history),
            PropertyValue::Soft(soft) if soft.index.is_none() => {
                list.name(Some("package"), soft.package);
                soft.asset.into_iter().for_each(|asset| list.name(Some("asset"), asset));
                match soft.sub_path {
                    SubPath::Text(text) => list.string(Some("sub_path"), text),
                    SubPath::Utf8(text) => {
                        let end = list.at + 4 + text.bytes().len();
                        list.push(Some("sub_path"), end, PropertyValue::Utf8Str(text));
                    }
                }
            }
            PropertyValue::Delegate(one) => {
                list.object(Some("object"), one.object);
                list.name(Some("function"), one.function);
            }
            PropertyValue::Delegates(mut all) => loop {
                let at = all.offset() as usize;
                let Some(one) = all.next() else { break };
                list.at = at;
                list.push(None, all.offset() as usize, PropertyValue::Delegate(one));
            },
            PropertyValue::Names(names) => {
                list.at = names.offset() as usize;
                names.for_each(|name| list.name(None, name));
            }
            PropertyValue::FieldPath(path) => {
                list.at = path.path.offset() as usize;
                path.path.for_each(|name| list.name(None, name));
                path.owner.into_iter().for_each(|owner| list.object(Some("owner"), owner));
            }
            _ => {}
        }
        list.all
    }
}

/// The label, the range and the value of a piece.
pub type Piece<'p> = (Option<&'static str>, Range<usize>, PropertyValue<'p>);

/// Pieces that follow one another from an offset on.
struct Pieces<'p> {
    stored: Stored<'p>,
    at: usize,
    all: Vec<Piece<'p>>,
}

impl<'p> Pieces<'p> {
    fn push(&mut self, label: Option<&'static str>, end: usize, value: PropertyValue<'p>) {
        self.all.push((label, self.at..end, value));
        self.at = end;
    }

    fn string(&mut self, label: Option<&'static str>, text: StrRef<'p>) {
        let end = self.stored.end_of_string(self.at).unwrap_or(self.at);
        self.push(label, end, PropertyValue::Str(text));
    }

    fn name(&mut self, label: Option<&'static str>, name: NameRef<'p>) {
        let end = match name {
            NameRef::Index(_) => self.at + 8,
            NameRef::Text(_) => self.stored.end_of_string(self.at).unwrap_or(self.at),
        };
        self.push(label, end, PropertyValue::Name(name));
    }

    fn object(&mut self, label: Option<&'static str>, object: ObjectRef<'p>) {
        let end = match object {
            ObjectRef::Index(_) => self.at + 4,
            ObjectRef::Path(_) => self.stored.end_of_string(self.at).unwrap_or(self.at),
        };
        self.push(label, end, PropertyValue::Object(object));
    }

    /// Adds the strings of a text. Before them are the flags and the kind of the history.
    fn text(&mut self, history: History<'p>) {
        match history {
            History::Legacy { source, namespace, key } => {
                self.string(Some("source"), source);
                namespace.into_iter().for_each(|text| self.string(Some("namespace"), text));
                self.string(Some("key"), key);
            }
            History::Base { namespace, key, source, dev_notes } => {
                self.at += 5;
                self.string(Some("namespace"), namespace);
                self.string(Some("key"), key);
                self.string(Some("source"), source);
                dev_notes.into_iter().for_each(|text| self.string(Some("dev_notes"), text));
            }
            History::None { culture_invariant: Some(text) } => {
                self.at += 9;
                self.string(Some("culture_invariant"), text);
            }
            History::StringTable { table, key } => {
                self.at += 5;
                self.name(Some("table"), table);
                self.string(Some("key"), key);
            }
            _ => {}
        }
    }
}

pub fn element<'p>(
    index: u64,
    bytes: Range<usize>,
    label: Label<'p>,
    value: Content<'p>,
) -> Child<'p> {
    let node = Node { at: bytes.start, value };
    Child { role: Role::Element, index, key: 0..0, bytes, label, node }
}

/// Skips `count` items.
pub fn skip<T>(items: &mut dyn Iterator<Item = T>, count: u64) {
    for _ in 0..count {
        if items.next().is_none() {
            return;
        }
    }
}

/// Calls `each` with properties, whose indices begin with `first`. Returns the index and the offset
/// of the end of the list if it was reached.
pub fn tags<'p>(
    mut list: Properties<'p>,
    (mut index, pos): (u64, usize),
    first: u64,
    each: &mut Each<'_, 'p>,
) -> Result<Option<(u64, usize)>, Fault> {
    match list.resume(pos as u64) {
        Some(rest) => list = rest,
        // Properties without tags are found by reading all properties before them.
        None => skip(&mut list, index.saturating_sub(first)),
    }
    loop {
        let at = list.offset() as usize;
        match list.next() {
            Some(Ok(tag)) => {
                let start = tag.value_offset() as usize;
                let mut bytes = start..start + tag.bytes().len();
                let key = if tag.slot().is_some() { 0..0 } else { at..start };
                if bytes.is_empty() && tag.slot().is_none() {
                    bytes = tag.bool_offset().map_or(bytes, |at| at as usize..at as usize + 1);
                }
                let (label, value) = (Label::Name(tag.name()), Content::Tag(tag));
                let node = Node { at: start, value };
                if !each(Child { role: Role::Property, index, key, bytes, label, node }) {
                    return Ok(None);
                }
                index += 1;
            }
            Some(Err(error)) => return Err(fault(error)),
            None => return Ok(Some((index, at))),
        }
    }
}

fn elements<'p>(
    all: Elements<'p>,
    (mut index, pos): (u64, usize),
    first: u64,
    label: Label<'p>,
    each: &mut Each<'_, 'p>,
) -> Result<(), Fault> {
    let left = (all.len() as u64).saturating_sub(index - first);
    let mut rest = all.resume(pos as u64, left as u32);
    while rest.len() > 0 {
        let at = rest.offset() as usize;
        let Some(value) = rest.next() else { return Err(broken(at)) };
        let bytes = at..rest.offset() as usize;
        if !each(element(index, bytes, label, Content::Value(value))) {
            break;
        }
        index += 1;
    }
    Ok(())
}

fn broken(offset: usize) -> Fault {
    Fault { text: "this value is malformed".into(), offset }
}

fn values_of_set<'p>(
    set: &Set<'p>,
    (index, pos): (u64, usize),
    each: &mut Each<'_, 'p>,
) -> Result<(), Fault> {
    let removed = set.removed().len() as u64;
    let mut more = true;
    if index < removed {
        elements(set.removed(), (index, pos), 0, Label::Word("removed"), &mut |child| {
            more = each(child);
            more
        })?;
    }
    if !more {
        return Ok(());
    }
    let from = (index.max(removed), pos.max(set.values().offset() as usize));
    elements(set.values(), from, removed, Label::Index, each)
}

fn entries<'p>(
    map: &Map<'p>,
    (index, pos): (u64, usize),
    each: &mut Each<'_, 'p>,
) -> Result<(), Fault> {
    let removed = map.removed().len() as u64;
    let mut more = true;
    if index < removed {
        elements(map.removed(), (index, pos), 0, Label::Word("removed"), &mut |child| {
            more = each(child);
            more
        })?;
    }
    if !more {
        return Ok(());
    }
    let mut index = index.max(removed);
    let left = (map.entries().len() as u64).saturating_sub(index - removed);
    let pos = (pos as u64).max(map.entries().offset());
    let mut rest = map.entries().resume(pos, left as u32);
    while rest.len() > 0 {
        let at = rest.offset() as usize;
        let Some((label, middle)) = rest.peek_key() else { return Err(broken(at)) };
        let Some((_, value)) = rest.next() else { return Err(broken(at)) };
        let (middle, end) = (middle as usize, rest.offset() as usize);
        let node = Node { at: middle, value: Content::Value(value) };
        let (key, label) = (at..middle, Label::Key(label));
        let child = Child { role: Role::Pair, index, key, bytes: middle..end, label, node };
        if !each(child) {
            break;
        }
        index += 1;
    }
    Ok(())
}

fn fields<'p>(
    mut all: NativeFields<'p>,
    is_big: bool,
    (first, _): (u64, usize),
    each: &mut Each<'_, 'p>,
) {
    let mut index = 0;
    let end = all.offset() as usize + all.bytes().len();
    let count = all.count();
    loop {
        let at = all.offset() as usize;
        let Some((name, value)) = all.next() else { break };
        let mut bytes = at..all.offset() as usize;
        // A colour is one number, in which each channel is a byte.
        let is_color = count == 4 && end - at == 4 && (bytes.is_empty() || index == 3);
        if let (true, Some(channel)) = (is_color, "bgra".find(name)) {
            let channel = at + if is_big { 3 - channel } else { channel };
            bytes = channel..channel + 1;
        }
        if index >= first && !each(element(index, bytes, Label::Word(name), native(value))) {
            break;
        }
        index += 1;
    }
}

fn parts<'p>(mut all: NativeElements<'p>, (first, _): (u64, usize), each: &mut Each<'_, 'p>) {
    let mut index = 0;
    loop {
        let at = all.offset() as usize;
        let Some(value) = all.next() else { break };
        let bytes = at..all.offset() as usize;
        if index >= first && !each(element(index, bytes, Label::Index, native(value))) {
            break;
        }
        index += 1;
    }
}

/// Returns the value of a field. Most kinds of fields are also kinds of properties.
fn native(value: NativeValue<'_>) -> Content<'_> {
    Content::Value(match value {
        NativeValue::Float(value) => PropertyValue::Float(value),
        NativeValue::Double(value) => PropertyValue::Double(value),
        NativeValue::Int(value) => PropertyValue::Int(value),
        NativeValue::UInt(value) => PropertyValue::UInt(value),
        NativeValue::Bool(value) => PropertyValue::Bool(value),
        NativeValue::Guid(value) => PropertyValue::Guid(value),
        NativeValue::Str(value) => PropertyValue::Str(value),
        NativeValue::Name(value) => PropertyValue::Name(value),
        NativeValue::Object(value) => PropertyValue::Object(value),
        NativeValue::Soft(value) => PropertyValue::Soft(value),
        NativeValue::Struct(value) => PropertyValue::Struct(value),
        NativeValue::Group(fields) => return Content::Fields(fields),
        NativeValue::Array(elements) => return Content::Parts(elements),
        NativeValue::Bytes(bytes) => return Content::Bytes(bytes),
        _ => return Content::Bytes(&[]),
    })
}

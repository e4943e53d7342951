//! Reads property tags in both forms, and lists of tags.

use super::bytes::{Bad, Cursor, Out};
use super::context::{Context, Name};
use super::node::{Fields, Node};
use super::values::{self, Inside, Way};

/// Maximum number of nodes of a type, and their maximum depth.
const NODES: usize = 256;
const DEPTH: usize = 16;

/// A type of a property: its name, and its parameters.
#[derive(Clone)]
pub struct Type {
    /// The name, or `None` if the package does not have it.
    pub word: Option<Name>,
    pub of: Vec<Type>,
}

impl Type {
    pub fn is(&self, word: &str) -> bool {
        self.word.as_ref().is_some_and(|name| name.is(word))
    }

    pub fn print_word(&self) -> String {
        self.word.as_ref().map(Name::print).unwrap_or_default()
    }

    pub fn print(&self) -> String {
        let of: Vec<_> = self.of.iter().map(Self::print).collect();
        let word = self.print_word();
        match of.is_empty() {
            true => word,
            false => format!("{word}({})", of.join(",")),
        }
    }
}

/// A property without its value.
pub struct Tag {
    pub offset: usize,
    pub name: Name,
    pub of: Type,
    pub size: usize,
    pub truth: bool,
    /// The flags of the tag, from 5:1012 on.
    pub flags: Option<u8>,
    /// The other fields. The oracle does not need them itself, but tests compare them.
    fields: Fields,
}

impl Tag {
    /// Returns all fields of the tag.
    pub fn head(self) -> Fields {
        let mut fields = Fields::default();
        fields.put("offset", Node::Number(self.offset as i128));
        fields.put("name", self.name.node);
        fields.put("type", Node::Word(self.of.print()));
        fields.put("size", Node::Number(self.size as i128));
        let Node::Record(rest) = self.fields.done() else { unreachable!() };
        rest.into_iter().for_each(|(name, node)| fields.put(name, node));
        fields
    }
}

/// Reads the next tag. Returns `None` at the end of the list.
pub fn tag(context: &Context<'_>, from: &mut Cursor<'_>) -> Out<Option<Tag>> {
    let offset = from.at;
    let name = context.name(from)?;
    if name.is_none() {
        return Ok(None);
    }
    if context.versions.ue5 >= 1012 {
        complete(context, from, name, offset).map(Some)
    } else {
        classic(context, from, name, offset).map(Some)
    }
}

/// Reads a tag after its name, in the form of files below 5:1012.
fn classic(context: &Context<'_>, from: &mut Cursor<'_>, name: Name, offset: usize) -> Out<Tag> {
    let versions = context.versions;
    let mut of = Type { word: Some(context.name(from)?), of: Vec::new() };
    let size = usize::try_from(from.i32()?).map_err(|_| Bad)?;
    let mut fields = Fields::default();
    fields.put("array_index", from.number()?);
    let word = |from: &mut Cursor<'_>| Ok(Type { word: context.parameter(from)?, of: Vec::new() });
    let mut truth = false;
    // A struct or an enum whose name is unknown has no parameter.
    let named = |name: &Type| name.word.is_some();
    if of.is("StructProperty") {
        of.of.extend(Some(word(from)?).filter(named));
        if versions.ue4 >= 441 {
            fields.put("struct_guid", from.id()?);
        }
    } else if of.is("BoolProperty") {
        truth = from.u8()? != 0;
    } else if of.is("EnumProperty") {
        of.of.extend(Some(word(from)?).filter(named));
    } else if of.is("ByteProperty") {
        let member = |name: &Type| name.word.as_ref().is_some_and(|name| !name.is_none());
        of.of.extend(Some(word(from)?).filter(member));
    } else if of.is("ArrayProperty") && versions.ue4 >= 282
        || of.is("SetProperty") && versions.ue4 >= 509
        || of.is("OptionalProperty")
    {
        of.of.push(word(from)?);
    } else if of.is("MapProperty") && versions.ue4 >= 509 {
        of.of.push(word(from)?);
        of.of.push(word(from)?);
    }
    if versions.ue4 >= 503 && flag(from)? {
        fields.put("guid", from.id()?);
    }
    if versions.ue5 >= 1011 {
        extensions(from, &mut fields)?;
    }
    Ok(Tag { offset, name, of, size, truth, flags: None, fields })
}

/// Reads a tag after its name, in the form of files from 5:1012 on.
fn complete(context: &Context<'_>, from: &mut Cursor<'_>, name: Name, offset: usize) -> Out<Tag> {
    let of = complete_type(context, from, &mut 0, 0)?;
    let size = usize::try_from(from.i32()?).map_err(|_| Bad)?;
    let flags = from.u8()?;
    let mut fields = Fields::default();
    let index = if flags & 1 != 0 { from.i32()? } else { 0 };
    fields.put("array_index", Node::number(index));
    fields.put("flags", Node::number(flags));
    if flags & 2 != 0 {
        fields.put("guid", from.id()?);
    }
    if flags & 4 != 0 {
        extensions(from, &mut fields)?;
    }
    let truth = flags & 0x10 != 0;
    Ok(Tag { offset, name, of, size, truth, flags: Some(flags), fields })
}

fn complete_type(
    context: &Context<'_>,
    from: &mut Cursor<'_>,
    nodes: &mut usize,
    depth: usize,
) -> Out<Type> {
    *nodes += 1;
    if *nodes > NODES || depth >= DEPTH {
        return Err(Bad);
    }
    let word = match depth {
        0 => Some(context.name(from)?),
        _ => context.parameter(from)?,
    };
    let count = usize::try_from(from.i32()?).map_err(|_| Bad)?;
    let mut of = Vec::new();
    for _ in 0..count {
        of.push(complete_type(context, from, nodes, depth + 1)?);
    }
    Ok(Type { word, of })
}

fn extensions(from: &mut Cursor<'_>, fields: &mut Fields) -> Out<()> {
    if from.u8()? & 2 != 0 {
        fields.put("operation", Node::number(from.u8()?));
        fields.put("experimental", from.truth()?);
    }
    Ok(())
}

/// Reads a bool of one byte, which is 0 or 1.
fn flag(from: &mut Cursor<'_>) -> Out<bool> {
    match from.u8()? {
        0 => Ok(false),
        1 => Ok(true),
        _ => Err(Bad),
    }
}

/// A list of properties; `whole` is `true` if it is complete.
pub struct List {
    pub tags: Vec<Node>,
    pub whole: bool,
    /// `true` if the types of all tags end in `Property`.
    pub likely: bool,
}

impl List {
    pub fn node(self) -> Node {
        let mut fields = Fields::default();
        fields.put("tags", Node::List(self.tags));
        fields.put("whole", Node::Truth(self.whole));
        fields.done()
    }
}

/// Reads properties up to the name `None` or malformed bytes. If the list is complete, `from` is
/// left at the end of this name.
pub fn list(context: &Context<'_>, from: &mut Cursor<'_>, room: u32) -> List {
    let mut list = List { tags: Vec::new(), whole: false, likely: true };
    loop {
        let tag = match tag(context, from) {
            Ok(Some(tag)) => tag,
            Ok(None) => break,
            Err(Bad) => return list,
        };
        let Ok(bytes) = from.bytes(tag.size) else { return list };
        let payload = Cursor { at: from.at - bytes.len(), end: from.at, ..*from };
        list.likely &= tag.of.print_word().ends_with("Property");
        list.tags.push(property(context, tag, payload, room));
    }
    list.whole = true;
    list
}

fn property(context: &Context<'_>, mut tag: Tag, payload: Cursor<'_>, room: u32) -> Node {
    let ((common, hint), flags) = (context.hint(&tag.name), tag.flags);
    let ways = [Way::Usual; 2];
    let (element, bytes_are_names, key) = (false, false, false);
    let inside = Inside { context, room, hint, common, ways, key, flags, element, bytes_are_names };
    let (inner, value) = values::payload(&inside, &tag, payload);
    if let (Some(inner), [of]) = (&inner, &mut tag.of.of[..])
        && inner.of.is("StructProperty")
    {
        // The inner tag names the struct. The word `StructProperty` keeps the letter case that it
        // has in the outer tag.
        of.of = inner.of.of.clone();
    }
    let mut fields = tag.head();
    fields.put_some("inner_tag", inner.map(|inner| inner.head().done()));
    fields.put("value", value);
    fields.done()
}

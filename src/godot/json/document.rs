use super::args::Args;
use super::error::{Error, ErrorKind, Result};
use super::tape::{Node, NodeKind, Nodes, Tape};
use super::{element_type, is_script_path, member, named_parts, prefix};
use crate::buffer::Sink;
use crate::godot::read::walk::ENGINE_DEPTH;
use crate::godot::table::dialect::Width;
use crate::godot::types::object::{ENCODED_OBJECT_AS_ID, OBJECT_ID};
use crate::godot::write::encoder::{Encoder, Pieces};
use crate::godot::{self, Container, Kind, ObjectRef, Reader, StrRef, TypeRef, VariantRef, Writer};
use alloc::borrow::Cow;
use alloc::vec::Vec;

/// Parsed text in the [notation](super). It can be written as a packet.
///
/// Accepts all output of [`Printer`](super::Printer), exact or not. Also accepts the engine's own
/// output, which is not always valid JSON: `1e99999`, `\v`, raw control characters, `null` for NaN,
/// and any depth. Unknown members are ignored, as in the engine.
///
/// ```
/// use gamewire::godot::json::Document;
/// use gamewire::godot::{Dialect, Writer};
///
/// let text = r#"{"type":"Dictionary","args":["s:at",{"type":"Vector2","args":[1,2.5]}]}"#;
/// let document = Document::parse(text)?;
/// let mut packet = Vec::new();
/// document.write(&mut Writer::new(&mut packet, Dialect::Godot4))?;
/// assert_eq!(packet.len(), 32);
/// # Ok::<(), gamewire::godot::json::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Document<'t>(Tape<'t>);

impl<'t> Document<'t> {
    /// Parses one value, with optional white space around it. Memory and time are proportional to
    /// the length of the text, and nested values use no stack.
    ///
    /// # Errors
    /// Returns an error if the text is not JSON, or is 4 GiB or longer. Numbers and escapes are
    /// checked later, by [`write`](Self::write), which also checks the meaning of the text. Numbers
    /// and escapes in unknown members are never checked.
    pub fn parse(text: &'t str) -> Result<Self> {
        Tape::parse(text).map(Self)
    }

    /// Writes the packet completely, or nothing if an error occurs.
    ///
    /// The type names of every dialect are accepted, so text that was printed from one dialect can
    /// be written in a different one. For example, `Quat` in Godot 3 and `Quaternion` in Godot 4
    /// are names of the same type.
    ///
    /// # Errors
    /// Returns an error if the text is not in the notation, the writer's target cannot represent
    /// the value, containers nest too deeply, or the sink is full.
    pub fn write<S: Sink>(&self, writer: &mut Writer<S>) -> Result<()> {
        writer.put_pieces(self)
    }
}

/// The remaining items of a container that is being written.
struct Items<'d> {
    nodes: Nodes<'d>,
    /// `true` if names of properties and values alternate.
    has_names: bool,
}

impl Pieces for Document<'_> {
    type Error = Error;

    fn write<S: Sink>(&self, out: &mut Encoder<'_, S>) -> Result<()> {
        let depth = out.depth as usize;
        let mut open = Vec::new();
        let mut items = Items { nodes: self.0.root(), has_names: false };
        loop {
            let Some(node) = items.nodes.next() else {
                match open.pop() {
                    Some(outer) => items = outer,
                    None => return Ok(()),
                }
                continue;
            };
            if items.has_names && items.nodes.len() % 2 == 1 {
                self.property(node, out).map_err(|error| locate(node, error))?;
                continue;
            }
            if let Some(inner) = self.value(node, out).map_err(|error| locate(node, error))? {
                // An empty container may be one level deeper than a container with items.
                if open.len() >= depth && inner.nodes.len() > 0 {
                    let limit = ENGINE_DEPTH;
                    let kind = ErrorKind::Unwritable(godot::ErrorKind::TooDeep { limit });
                    return Err(node.fail(kind));
                }
                open.push(core::mem::replace(&mut items, inner));
            }
        }
    }
}

/// Replaces the offset of a write error with the offset of the value in the text.
fn locate(node: Node, error: Error) -> Error {
    match *error.kind() {
        kind @ ErrorKind::Unwritable(_) => node.fail(kind),
        _ => error,
    }
}

impl Document<'_> {
    /// Writes a leaf, or the bytes of a container that precede its items. Returns the items of a
    /// container.
    fn value<S: Sink>(&self, node: Node, out: &mut Encoder<'_, S>) -> Result<Option<Items<'_>>> {
        match node.kind() {
            NodeKind::Null => VariantRef::Nil.encode(out)?,
            NodeKind::True => VariantRef::Bool(true).encode(out)?,
            NodeKind::False => VariantRef::Bool(false).encode(out)?,
            NodeKind::Number => return Err(node.fail(ErrorKind::BareNumber)),
            NodeKind::Text | NodeKind::Escaped => self.string(node, out)?,
            NodeKind::List => return self.array(node, node, out).map(Some),
            NodeKind::Object => return self.object(node, out),
        }
        Ok(None)
    }

    fn string<S: Sink>(&self, node: Node, out: &mut Encoder<'_, S>) -> Result<()> {
        let text = self.0.text(node)?;
        let kind = Kind::ALL
            .iter()
            .copied()
            .find(|kind| prefix(*kind).is_some_and(|prefix| text.starts_with(prefix)));
        match kind {
            Some(kind) => self.leaf(kind, node, [node].into_iter(), out),
            None => Err(node.fail(ErrorKind::NoPrefix)),
        }
    }

    /// Writes a leaf from the nodes of its parts.
    fn leaf<S: Sink>(
        &self,
        kind: Kind,
        value: Node,
        nodes: impl Iterator<Item = Node> + Clone,
        out: &mut Encoder<'_, S>,
    ) -> Result<()> {
        let wide = self.is_true(value, member::WIDE);
        let mut args = Args {
            tape: &self.0,
            value,
            left: nodes.clone().count(),
            nodes,
            prefix: prefix(kind).unwrap_or_default(),
            double: wide || out.rules().reals == Width::Double,
        };
        let outer = out.wide;
        out.wide |= wide;
        let built = VariantRef::build(kind, &mut args, out);
        out.wide = outer;
        built?;
        args.finish()
    }

    fn is_true(&self, object: Node, name: &str) -> bool {
        object.kind() == NodeKind::Object
            && self.0.member(object, name).is_some_and(|value| value.kind() == NodeKind::True)
    }

    fn object<S: Sink>(&self, node: Node, out: &mut Encoder<'_, S>) -> Result<Option<Items<'_>>> {
        let member = |name| self.0.member(node, name);
        let Some(name) = member(member::TYPE) else {
            return Err(node.fail(ErrorKind::MissingMember(member::TYPE)));
        };
        let class = self.0.text(name)?;
        if let Some(wire) = member(member::WIRE) {
            let kind = if class == ENCODED_OBJECT_AS_ID {
                Some(Kind::Object)
            } else {
                Kind::named(class.as_bytes())
            };
            return self.wire(wire, kind, out).map(|()| None);
        }
        if let Some(props) = member(member::PROPS) {
            if class == ENCODED_OBJECT_AS_ID && member(member::HEAD).is_none() {
                return self.object_id(props, out).map(|()| None);
            }
            return self.full_object(node, &class, props, out).map(Some);
        }
        // Also accepts an object whose id is in `args`.
        if class == ENCODED_OBJECT_AS_ID
            && let Some(id) = member(member::ARGS)
        {
            let id = self.0.items(id).next().ok_or_else(|| id.fail(ErrorKind::PartCount(1)))?;
            return self.id(id, out).map(|()| None);
        }
        let Some(kind) = Kind::named(class.as_bytes()) else {
            return Err(name.fail(ErrorKind::UnknownType));
        };
        if let Some(names) = named_parts(kind) {
            let parts = names.iter().filter_map(|name| self.0.member(node, name));
            // The JSON object may lack all members that hold parts, but not only some of them.
            let missing = names.iter().find(|name| self.0.member(node, name).is_none());
            return match missing {
                Some(missing) if parts.clone().next().is_some() => {
                    Err(node.fail(ErrorKind::MissingMember(missing)))
                }
                _ => self.leaf(kind, node, parts, out).map(|()| None),
            };
        }
        if kind == Kind::Object {
            out.object(&ObjectRef::Null)?;
            return Ok(None);
        }
        let args = match member(member::ARGS) {
            Some(args) if args.kind() == NodeKind::List => args,
            Some(args) => return args.expected("a list"),
            None => return Err(node.fail(ErrorKind::MissingMember(member::ARGS))),
        };
        match kind {
            Kind::Array => self.array(node, args, out).map(Some),
            Kind::Dictionary => self.dictionary(node, args, out).map(Some),
            _ => self.leaf(kind, node, self.0.items(args), out).map(|()| None),
        }
    }

    /// Writes the bytes of an array that precede its items. `node` is the object around `list`, or
    /// `list` itself.
    fn array<S: Sink>(
        &self,
        node: Node,
        list: Node,
        out: &mut Encoder<'_, S>,
    ) -> Result<Items<'_>> {
        let nodes = self.0.items(list);
        let mut name = Cow::Borrowed("");
        let element = self.type_of(node, member::ELEM_TYPE, &mut name)?;
        let shared = self.is_true(node, member::SHARED);
        let len = out.count(nodes.len())?;
        self.head(node, &Container::Array { len, element, shared }, out)?;
        Ok(Items { nodes, has_names: false })
    }

    fn dictionary<S: Sink>(
        &self,
        node: Node,
        list: Node,
        out: &mut Encoder<'_, S>,
    ) -> Result<Items<'_>> {
        let nodes = self.0.items(list);
        let (mut key, mut value) = (Cow::Borrowed(""), Cow::Borrowed(""));
        let container = Container::Dictionary {
            len: self.pairs(list, out)?,
            key: self.type_of(node, member::KEY_TYPE, &mut key)?,
            value: self.type_of(node, member::VALUE_TYPE, &mut value)?,
            shared: self.is_true(node, member::SHARED),
        };
        self.head(node, &container, out)?;
        Ok(Items { nodes, has_names: false })
    }

    fn full_object<S: Sink>(
        &self,
        node: Node,
        class: &str,
        props: Node,
        out: &mut Encoder<'_, S>,
    ) -> Result<Items<'_>> {
        let len = self.pairs(props, out)?;
        self.head(node, &Container::Object { class: class.into(), len }, out)?;
        Ok(Items { nodes: self.0.items(props), has_names: true })
    }

    fn pairs<S: Sink>(&self, list: Node, out: &Encoder<'_, S>) -> Result<u32> {
        if list.kind() != NodeKind::List {
            return list.expected("a list");
        }
        match self.0.items(list).len() {
            items if items % 2 == 0 => Ok(out.count(items / 2)?),
            _ => Err(list.fail(ErrorKind::NoPartner)),
        }
    }

    /// Returns the declared type of a container's elements, keys or values. Stores the name of the
    /// type in `name`, from which the result borrows.
    fn type_of<'n>(
        &self,
        node: Node,
        member: &str,
        name: &'n mut Cow<'_, str>,
    ) -> Result<TypeRef<'n>> {
        let declared = match node.kind() {
            NodeKind::Object => self.0.member(node, member),
            _ => None,
        };
        let Some(declared) = declared else { return Ok(TypeRef::Untyped) };
        *name = Cow::Owned(self.0.text(declared)?.into_owned());
        let name = name.as_bytes();
        Ok(match element_type(name) {
            Some(kind) => TypeRef::Builtin(kind),
            None if is_script_path(name) => TypeRef::Script(StrRef::new(name)),
            None => TypeRef::Class(StrRef::new(name)),
        })
    }

    /// Writes the bytes of a container that precede its items. They are taken from the member
    /// `head` if the JSON object has one. Otherwise, they are encoded as an engine would write
    /// them.
    fn head<S: Sink>(
        &self,
        node: Node,
        container: &Container<'_>,
        out: &mut Encoder<'_, S>,
    ) -> Result<()> {
        let bytes = match node.kind() {
            NodeKind::Object => self.0.member(node, member::HEAD),
            _ => None,
        };
        let Some(bytes) = bytes else { return Ok(out.head(container)?) };
        let head = self.hex(bytes)?;
        match Container::parse(&head, out.target.dialect()) {
            Some(parsed)
                if parsed.kind() == container.kind() && parsed.len() == container.len() =>
            {
                Ok(out.raw_head(&parsed, &head)?)
            }
            _ => Err(bytes.fail(ErrorKind::BadWire)),
        }
    }

    /// Writes a leaf from the bytes in its `wire` member. Returns an error if the target reads
    /// these bytes as a different type than `kind`. This can happen if they were printed from a
    /// different dialect.
    fn wire<S: Sink>(
        &self,
        node: Node,
        kind: Option<Kind>,
        out: &mut Encoder<'_, S>,
    ) -> Result<()> {
        let bytes = self.hex(node)?;
        let bad = || node.fail(ErrorKind::BadWire);
        let mut reader = Reader::new(&bytes, out.target.dialect());
        let leaf = reader.read_encoded().map_err(|_| bad())?;
        let is_container = matches!(
            leaf.decode(),
            VariantRef::Array(_)
                | VariantRef::Dictionary(_)
                | VariantRef::Object(ObjectRef::Full(_))
        );
        if is_container || !reader.is_empty() || kind != Some(leaf.kind()) {
            return Err(bad());
        }
        Ok(out.copy(leaf)?)
    }

    /// Writes an object as its id. In the text, the id is a property of an `EncodedObjectAsID`.
    fn object_id<S: Sink>(&self, props: Node, out: &mut Encoder<'_, S>) -> Result<()> {
        self.pairs(props, out)?;
        let mut items = self.0.items(props);
        while let (Some(name), Some(value)) = (items.next(), items.next()) {
            if self.0.text(name).is_ok_and(|name| name == OBJECT_ID) {
                return self.id(value, out);
            }
        }
        Err(props.fail(ErrorKind::MissingMember(OBJECT_ID)))
    }

    /// Writes an object as its id. In the text, the id is a signed integer, as in the engine.
    fn id<S: Sink>(&self, node: Node, out: &mut Encoder<'_, S>) -> Result<()> {
        let text = self.0.text(node)?;
        let id = text.strip_prefix("i:").and_then(|id| id.parse::<i64>().ok());
        let id = id.ok_or_else(|| node.fail(ErrorKind::Expected("\"i:\" and an id")))?;
        Ok(out.object(&ObjectRef::Id(id.cast_unsigned()))?)
    }

    /// Writes the name of a property, which is a string or an object with a `wire` member.
    fn property<S: Sink>(&self, node: Node, out: &mut Encoder<'_, S>) -> Result<()> {
        if node.kind() != NodeKind::Object {
            return Ok(out.property(self.0.text(node)?.as_bytes())?);
        }
        match self.0.member(node, member::WIRE) {
            Some(wire) => Ok(out.property(&self.hex(wire)?)?),
            None => Err(node.fail(ErrorKind::MissingMember(member::WIRE))),
        }
    }

    fn hex(&self, node: Node) -> Result<Vec<u8>> {
        let text = self.0.text(node)?;
        let (pairs, rest) = text.as_bytes().as_chunks::<2>();
        let digit = |digit: u8| char::from(digit).to_digit(16);
        let byte = |[high, low]: &[u8; 2]| {
            let byte = digit(*high)? << 4 | digit(*low)?;
            u8::try_from(byte).ok()
        };
        let bytes: Option<Vec<u8>> = pairs.iter().map(byte).collect();
        bytes.filter(|_| rest.is_empty()).ok_or_else(|| node.fail(ErrorKind::BadHex))
    }
}

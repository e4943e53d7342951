//! Prints a record as a line of text.

use super::json::Seconds;
use super::json_text::Json;
use super::summary::{One, Values};
use crate::ui::style::{DIM, ERROR, Styled, TYPE, WARNING};
use crate::ui::text::{Count, Escaped, Quoted, clipped};
use gamewire::godot::multiplayer::godot4::{NetId, Packet, Scene};
use gamewire::godot::multiplayer::{ObjectReading, Run, godot3};
use gamewire::godot::{Dialect, Reader};
use gamewire::traffic::methods::MethodNames;
use gamewire::traffic::{Content, Node, Record, RecordKind};
use std::fmt::{self, Display, Write as _};
use std::io::{self, Write};

/// Width of the column of times.
const TIME: usize = 17;
/// Maximum number of raw bytes that are printed on a line.
const MAX_BYTES: usize = 32;
/// Maximum number of values in unknown bytes that are printed on a line.
const MAX_FOUND: usize = 4;
/// Maximum length of JSON on a line, in bytes.
const MAX_TEXT: usize = 256;
/// Maximum length in bytes of a path or of the name of a method. A packet can announce a path that
/// is as long as the packet. Thousands of short packets can then refer to it.
const MAX_NAME: usize = 256;
/// Maximum length of the part of a line after the kind, in bytes. A packet can contain the states
/// of thousands of nodes.
const MAX_DESCRIPTION: usize = 4096;

/// A printer of lines with aligned columns.
#[derive(Debug, Default)]
pub struct Lines {
    /// Width of the widest address that has been printed.
    address: usize,
    source: String,
    destination: String,
}

impl Lines {
    /// Prints the record on one line.
    pub fn print(
        &mut self,
        record: &Record<'_>,
        names: &MethodNames,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        let Self { source, destination, .. } = self;
        source.clear();
        destination.clear();
        // Writing to a string cannot fail.
        let _ = write!(source, "{}", record.source);
        let _ = write!(destination, "{}", record.destination);
        let description = clipped(Description { record, names }, MAX_DESCRIPTION);
        self.address = self.address.max(self.source.len()).max(self.destination.len());
        let Self { address, source, destination } = self;
        match record.time {
            Some(time) => write!(out, "{}", Styled(DIM, Seconds(time)))?,
            None => write!(out, "{:TIME$}", "-")?,
        }
        write!(out, "  {source:>address$} → {destination:<address$}  ")?;
        let channel = record.channel.map(|channel| format!("/{channel}")).unwrap_or_default();
        let transport = format!("{}{channel}", record.transport);
        write!(out, "{transport:<9}  ")?;
        match record.delivery.filter(|_| !record.is_control()) {
            Some(delivery) => write!(out, "{delivery:<11}  ")?,
            None => write!(out, "{:<11}  ", "")?,
        }
        let kind = record.kind();
        let style = if kind == RecordKind::Malformed { ERROR } else { TYPE };
        if description.is_empty() {
            return writeln!(out, "{}", Styled(style, kind));
        }
        writeln!(out, "{}  {description}", Styled(style, format_args!("{kind:<13}")))
    }
}

/// The part of a line after the kind.
pub struct Description<'a> {
    pub record: &'a Record<'a>,
    pub names: &'a MethodNames,
}

impl Display for Description<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let record = self.record;
        if let Some(peer) = record.relay {
            write!(f, "{}  ", Styled(DIM, Relayed { peer, sender: record.peer }))?;
        }
        self.member(f)?;
        self.content(f)
    }
}

impl Description<'_> {
    /// Writes what follows the node and the method.
    pub fn content(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let record = self.record;
        if let Some(bytes) = record.raw_bytes() {
            return raw(f, bytes);
        }
        if let Some(peer) = record.announced_peer() {
            return write!(f, "peer {peer}");
        }
        if let Some(bytes) = record.value() {
            One(bytes, record.dialect()).fmt(f)?;
            return unread(f, after_value(bytes, record.dialect()));
        }
        match record.content {
            Content::Text(text) => write_text(f, text),
            Content::Bytes { offset } => self.bytes(f, offset),
            Content::Encrypted(encryption) => {
                write!(f, "{encryption}, {}", Count(record.bytes.len() as u64, "byte"))
            }
            Content::Stun => Count(record.bytes.len() as u64, "byte").fmt(f),
            Content::Malformed { reason, offset } => write!(f, "{reason}, at offset {offset}"),
            Content::Godot4(packet) => self.godot4(f, packet),
            Content::Godot3(packet) => self.godot3(f, packet),
            _ => Ok(()),
        }
    }

    /// Writes `path.method(arguments)`, or the parts of it that the record has.
    fn member(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(node) = self.record.node {
            write_node(f, node)?;
        }
        if let Some(member) = self.record.member(self.names) {
            write!(f, ".{}", Clipped(member.as_bytes()))?;
        }
        self.arguments(f)
    }

    /// Writes the arguments of a call in parentheses.
    pub fn arguments(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(values) = self.record.arguments() else { return Ok(()) };
        write!(f, "({})", Values(values))?;
        doubts(f, values)
    }

    /// Writes bytes of a game's own protocol, and the values in them.
    fn bytes(&self, f: &mut fmt::Formatter<'_>, offset: Option<u64>) -> fmt::Result {
        if let Some(offset) = offset {
            write!(f, "at {offset}: ")?;
        }
        raw(f, self.record.bytes)?;
        for found in self.record.values_inside().take(MAX_FOUND) {
            let offset = offset.unwrap_or(0).saturating_add(found.offset);
            write!(f, "  at {offset}: {}", One(found.value.as_bytes(), found.dialect()))?;
        }
        Ok(())
    }

    fn godot4(&self, f: &mut fmt::Formatter<'_>, packet: &Packet<'_>) -> fmt::Result {
        match packet {
            Packet::SimplifyPath(packet) => write!(f, " is node {}", packet.id),
            Packet::ConfirmPath(confirm) if !confirm.checksum_ok => {
                f.write_str(", checksum of methods differs")
            }
            Packet::Spawn(spawn) => {
                write!(f, "  {} is net id {}", Escaped(spawn.name.as_bytes()), spawn.net_id)?;
                for id in spawn.synchronizers {
                    write!(f, ", synchronizer {id}")?;
                }
                match spawn.scene {
                    Scene::Index(index) => write!(f, ", scene {index}"),
                    Scene::Custom(argument) => {
                        write!(f, ", custom data {}", Values(argument))?;
                        doubts(f, argument)
                    }
                }
            }
            Packet::Despawn { net_id } => write!(f, "net id {net_id}"),
            Packet::Sync(_) | Packet::Delta(_) => self.states(f),
            _ => Ok(()),
        }
    }

    fn godot3(&self, f: &mut fmt::Formatter<'_>, packet: &godot3::Packet<'_>) -> fmt::Result {
        match packet {
            godot3::Packet::SimplifyPath { id, .. } => write!(f, " is node {id}"),
            godot3::Packet::Set(set) => write!(f, " = {}", Values(set.value)),
            _ => Ok(()),
        }
    }

    fn states(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, state) in self.record.node_states().enumerate() {
            f.write_str(if index == 0 { "" } else { "; " })?;
            let node = NodeName { record: self.record, id: state.node };
            write!(f, "{node}: {}", Values(state.values))?;
            doubts(f, state.values)?;
        }
        Ok(())
    }
}

/// Writes the reasons why the values may be wrong. One reason is that their objects can also be
/// read in a different way. The other is that some bytes belong to no value.
fn doubts(f: &mut fmt::Formatter<'_>, values: Run<'_>) -> fmt::Result {
    if values.objects() == ObjectReading::Either {
        write!(f, "  {}", Styled(WARNING, "(or full objects instead of null)"))?;
    }
    unread(f, values.unread())
}

/// Writes bytes that belong to no value.
fn unread(f: &mut fmt::Formatter<'_>, bytes: &[u8]) -> fmt::Result {
    if bytes.is_empty() {
        return Ok(());
    }
    write!(f, "  {} ", Styled(WARNING, "unread:"))?;
    raw(f, bytes)
}

/// Returns the bytes after a value.
pub fn after_value(bytes: &[u8], dialect: Dialect) -> &[u8] {
    let mut reader = Reader::new(bytes, dialect);
    let end = reader.skip().map_or(bytes.len() as u64, |()| reader.offset());
    bytes.get(usize::try_from(end).unwrap_or(usize::MAX)..).unwrap_or_default()
}

/// Writes a text message: JSON without white space, other text in quotes.
fn write_text(f: &mut fmt::Formatter<'_>, text: &str) -> fmt::Result {
    match Json::new(text) {
        Some(json) => Escaped(clipped(json, MAX_TEXT).as_bytes()).fmt(f),
        None => Quoted { bytes: text.as_bytes(), full: false }.fmt(f),
    }
}

/// Writes the path of a node, or its number if the path is unknown.
fn write_node(f: &mut fmt::Formatter<'_>, node: Node<'_>) -> fmt::Result {
    match (node.path, node.id) {
        (Some(path), _) => Clipped(path.as_bytes()).fmt(f),
        (None, Some(id)) => write!(f, "node {id}"),
        (None, None) => Ok(()),
    }
}

/// A path or the name of a method, truncated after [`MAX_NAME`] bytes.
struct Clipped<'a>(&'a [u8]);

impl Display for Clipped<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&clipped(Escaped(self.0), MAX_NAME))
    }
}

fn raw(f: &mut fmt::Formatter<'_>, bytes: &[u8]) -> fmt::Result {
    Count(bytes.len() as u64, "byte").fmt(f)?;
    if bytes.is_empty() {
        return Ok(());
    }
    let hex: String = bytes.iter().take(MAX_BYTES).map(|byte| format!("{byte:02x}")).collect();
    let more = if bytes.len() > MAX_BYTES { "…" } else { "" };
    write!(f, "  {}", Styled(DIM, format_args!("{hex}{more}")))
}

/// The node of a [`NodeState`](gamewire::traffic::NodeState), printed as its path if that is known.
pub struct NodeName<'a> {
    pub record: &'a Record<'a>,
    pub id: NetId,
}

impl Display for NodeName<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.id {
            NetId::Synchronizer(id) => write!(f, "net id {id}"),
            NetId::Cached(id) => {
                let path = self.record.path(id);
                write_node(f, Node { id: Some(id), path, checksum: None })
            }
        }
    }
}

/// The peer that is stated in a packet that the server relays. On the way from a client to the
/// server, it is the receiver; on the way from the server to a client, it is the original sender.
pub struct Relayed {
    pub peer: i32,
    /// The peer that sent the packet on this hop, if known. The server is peer 1.
    pub sender: Option<i32>,
}

impl Display for Relayed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.sender, self.peer) {
            (None, peer) => write!(f, "relayed {peer}"),
            (Some(1), peer) => write!(f, "by {peer}"),
            (_, 0) => f.write_str("for all"),
            (_, peer) if peer < 0 => write!(f, "for all but {}", peer.unsigned_abs()),
            (_, peer) => write!(f, "for {peer}"),
        }
    }
}

//! Prints a record as a line of text.

use super::flow::{Cache, Flow};
use super::json_text::Json;
use super::seconds::Seconds;
use super::summary::{One, Values};
use crate::ui::style::{self, DIM, ERROR, PLAIN, Styled, TYPE, WARNING};
use crate::ui::text::{Count, Escaped, Quoted, append_clipped, clipped};
use anstyle::Style;
use data_encoding::HEXLOWER;
use gamewire::godot::multiplayer::godot4::{NetId, Packet, Scene};
use gamewire::godot::multiplayer::{ObjectReading, Run, godot3};
use gamewire::godot::{Dialect, Reader};
use gamewire::traffic::methods::MethodNames;
use gamewire::traffic::{Content, Node, Record, RecordKind};
use std::fmt::{self, Display, Write as _};
use std::io::{self, Write};

/// Width of the column of times.
const TIME: usize = 17;
/// Width of the column of kinds.
const KIND: usize = 13;
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
#[derive(Debug)]
pub struct Lines {
    /// Width of the widest address that has been printed.
    address: usize,
    /// Texts of the columns between time and kind.
    flows: Cache,
    /// The current line.
    line: String,
    colours: bool,
}

impl Default for Lines {
    fn default() -> Self {
        let colours = style::has_colours(&io::stdout());
        Self { address: 0, flows: Cache::default(), line: String::new(), colours }
    }
}

impl Lines {
    /// Prints the record on one line.
    pub fn print(
        &mut self,
        record: &Record<'_>,
        names: &MethodNames,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        self.line.clear();
        self.time(record.time);
        self.flow(Flow::of(record));
        self.kind_and_description(record, names);
        self.line.push('\n');
        out.write_all(self.line.as_bytes())
    }

    fn time(&mut self, time: Option<i64>) {
        let style = self.style(DIM);
        // Writing to a string cannot fail.
        let _ = match time {
            Some(time) if style == PLAIN => Seconds(time).write(&mut self.line),
            Some(time) => write!(self.line, "{}", Styled(style, Seconds(time))),
            None => write!(self.line, "{:TIME$}", "-"),
        };
    }

    /// Writes the columns for addresses, transport and delivery.
    fn flow(&mut self, flow: Flow) {
        if let Some(known) = self.flows.get(&flow) {
            return self.line.push_str(known);
        }
        let source = flow.source.to_string();
        let destination = flow.destination.to_string();
        let width = self.address.max(source.len()).max(destination.len());
        if width > self.address {
            self.address = width;
            self.flows.clear();
        }
        let channel = flow.channel.map(|channel| format!("/{channel}")).unwrap_or_default();
        let transport = format!("{}{channel}", flow.transport);
        let delivery = flow.delivery.map(|delivery| delivery.to_string()).unwrap_or_default();
        let text =
            format!("  {source:>width$} → {destination:<width$}  {transport:<9}  {delivery:<11}  ");
        self.line.push_str(&text);
        self.flows.insert(flow, text);
    }

    /// Writes the kind and the description. If there is no description, the kind is not padded.
    fn kind_and_description(&mut self, record: &Record<'_>, names: &MethodNames) {
        let kind = record.kind();
        let style = self.style(if kind == RecordKind::Malformed { ERROR } else { TYPE });
        let start = self.line.len();
        match style == PLAIN {
            true => pad(&mut self.line, kind.name(), KIND),
            false => {
                let _ = write!(self.line, "{}", Styled(style, format_args!("{kind:<KIND$}")));
            }
        }
        self.line.push_str("  ");
        let end = self.line.len();
        append_clipped(&mut self.line, Description { record, names }, MAX_DESCRIPTION);
        if self.line.len() == end {
            self.line.truncate(start);
            let _ = write!(self.line, "{}", Styled(style, kind));
        }
    }

    fn style(&self, style: Style) -> Style {
        if self.colours { style } else { PLAIN }
    }
}

/// Appends a text, and spaces up to a width.
fn pad(to: &mut String, text: &str, width: usize) {
    to.push_str(text);
    to.extend((text.len()..width).map(|_| ' '));
}

/// The part of a line after the kind.
struct Description<'a> {
    record: &'a Record<'a>,
    names: &'a MethodNames,
}

impl Display for Description<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let record = self.record;
        if let Some(peer) = record.relay {
            write!(f, "{}  ", Styled(DIM, Relayed { peer, sender: record.peer }))?;
        }
        self.member(f)?;
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
}

impl Description<'_> {
    /// Writes `path.method(arguments)`, or the parts of it that the record has.
    fn member(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(node) = self.record.node {
            write_node(f, node)?;
        }
        if let Some(member) = self.record.member(self.names) {
            f.write_str(".")?;
            Clipped(member.as_bytes()).fmt(f)?;
        }
        let Some(values) = self.record.arguments() else { return Ok(()) };
        f.write_str("(")?;
        Values(values).fmt(f)?;
        f.write_str(")")?;
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
            if index > 0 {
                f.write_str("; ")?;
            }
            NodeName { record: self.record, id: state.node }.fmt(f)?;
            f.write_str(": ")?;
            Values(state.values).fmt(f)?;
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
        // An escape of one byte has at most 6 characters, as in `\u{7f}`.
        if self.0.len() <= MAX_NAME / 6 {
            return Escaped(self.0).fmt(f);
        }
        f.write_str(&clipped(Escaped(self.0), MAX_NAME))
    }
}

fn raw(f: &mut fmt::Formatter<'_>, bytes: &[u8]) -> fmt::Result {
    Count(bytes.len() as u64, "byte").fmt(f)?;
    if bytes.is_empty() {
        return Ok(());
    }
    let (shown, more) = match bytes.get(..MAX_BYTES) {
        Some(start) if start.len() < bytes.len() => (start, "…"),
        _ => (bytes, ""),
    };
    let hex = HEXLOWER.encode(shown);
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
struct Relayed {
    peer: i32,
    /// The peer that sent the packet on this hop, if known. The server is peer 1.
    sender: Option<i32>,
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

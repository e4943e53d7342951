//! Prints a record as a line of text.

use super::flow::{Cache, Flow};
use super::json_text::Json;
use super::seconds::Seconds;
use super::summary::{One, Values};
use crate::ui::style::{self, DIM, ERROR, PLAIN, Styled, TYPE, WARNING};
use crate::ui::text::{Count, Escaped, Quoted, append_clipped, clip, clipped};
use anstyle::Style;
use data_encoding::HEXLOWER;
use gamewire::godot::multiplayer::godot4::{NetId, Packet, Scene};
use gamewire::godot::multiplayer::{ObjectReading, Run, godot3};
use gamewire::traffic::methods::MethodNames;
use gamewire::traffic::{Content, Node, Record, RecordKind};
use std::fmt::{self, Display, Write as _};
use std::io::{self, Write};

/// Width of the column of times.
const TIME: usize = 17;
/// Width of the column of kinds.
const KIND: usize = SPACES.len();
const SPACES: &str = "             ";
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
            true => {
                self.line.push_str(kind.name());
                self.line.push_str(SPACES.get(kind.name().len()..).unwrap_or_default());
            }
            false => {
                let _ = write!(self.line, "{}", Styled(style, format_args!("{kind:<KIND$}")));
            }
        }
        self.line.push_str("  ");
        let end = self.line.len();
        Description { record, names }.write(&mut self.line);
        if self.line.len() == end {
            self.line.truncate(start);
            let _ = write!(self.line, "{}", Styled(style, kind));
        }
    }

    fn style(&self, style: Style) -> Style {
        if self.colours { style } else { PLAIN }
    }
}

/// The part of a line after the kind.
pub struct Description<'a> {
    pub record: &'a Record<'a>,
    pub names: &'a MethodNames,
}

impl Description<'_> {
    /// Appends the description to a text. Stops at [`MAX_DESCRIPTION`] bytes.
    fn write(&self, to: &mut String) {
        let start = to.len();
        self.parts(to);
        clip(to, start, MAX_DESCRIPTION);
    }

    fn parts(&self, to: &mut String) {
        let record = self.record;
        if let Some(peer) = record.relay {
            append(to, Styled(DIM, Relayed { peer, sender: record.peer }));
            to.push_str("  ");
        }
        self.member(to);
        self.content(to);
    }

    /// Writes the part after the node, the method and the arguments.
    pub fn content(&self, to: &mut String) {
        let record = self.record;
        if let Some(bytes) = record.raw_bytes() {
            return raw(to, bytes);
        }
        if let Some(peer) = record.announced_peer() {
            to.push_str("peer ");
            return number(to, peer);
        }
        if let Some(bytes) = record.value() {
            One(bytes, record.dialect()).write(to);
            return unread(to, record.after_value());
        }
        match record.content {
            Content::Text(text) => write_text(to, text),
            Content::Bytes { offset } => self.bytes(to, offset),
            Content::Encrypted(encryption) => {
                let size = Count(record.bytes.len() as u64, "byte");
                append(to, format_args!("{encryption}, {size}"));
            }
            Content::Stun => append(to, Count(record.bytes.len() as u64, "byte")),
            Content::Malformed { reason, offset } => {
                append(to, format_args!("{reason}, at offset {offset}"));
            }
            Content::Godot4(packet) => self.godot4(to, packet),
            Content::Godot3(packet) => self.godot3(to, packet),
            _ => {}
        }
    }

    /// Writes `path.method(arguments)`, or the parts of it that the record has.
    fn member(&self, to: &mut String) {
        if let Some(node) = self.record.node {
            write_node(to, node);
        }
        if let Some(member) = self.record.member(self.names) {
            to.push('.');
            write_name(to, member.as_bytes());
        }
        self.arguments(to);
    }

    /// Writes the arguments of a call in parentheses.
    pub fn arguments(&self, to: &mut String) {
        let Some(values) = self.record.arguments() else { return };
        to.push('(');
        Values(values).write(to);
        to.push(')');
        doubts(to, values);
    }

    /// Writes bytes of a game's own protocol, and the values in them.
    fn bytes(&self, to: &mut String, offset: Option<u64>) {
        if let Some(offset) = offset {
            append(to, format_args!("at {offset}: "));
        }
        raw(to, self.record.bytes);
        for found in self.record.values_inside().take(MAX_FOUND) {
            let offset = offset.unwrap_or(0).saturating_add(found.offset);
            append(to, format_args!("  at {offset}: "));
            One(found.value.as_bytes(), found.dialect()).write(to);
        }
    }

    fn godot4(&self, to: &mut String, packet: &Packet<'_>) {
        match packet {
            Packet::SimplifyPath(packet) => {
                to.push_str(" is node ");
                number(to, packet.id);
            }
            Packet::ConfirmPath(confirm) if !confirm.checksum_ok => {
                to.push_str(", checksum of methods differs");
            }
            Packet::Spawn(spawn) => {
                to.push_str("  ");
                append_clipped(to, Escaped(spawn.name.as_bytes()), MAX_DESCRIPTION);
                append(to, format_args!(" is net id {}", spawn.net_id));
                // Each id takes at least one byte, so the description never contains more ids.
                for id in spawn.synchronizers.iter().take(MAX_DESCRIPTION) {
                    append(to, format_args!(", synchronizer {id}"));
                }
                match spawn.scene {
                    Scene::Index(index) => append(to, format_args!(", scene {index}")),
                    Scene::Custom(argument) => {
                        to.push_str(", custom data ");
                        Values(argument).write(to);
                        doubts(to, argument);
                    }
                }
            }
            Packet::Despawn { net_id } => append(to, format_args!("net id {net_id}")),
            Packet::Sync(_) | Packet::Delta(_) => self.states(to),
            _ => {}
        }
    }

    fn godot3(&self, to: &mut String, packet: &godot3::Packet<'_>) {
        match packet {
            godot3::Packet::SimplifyPath { id, .. } => append(to, format_args!(" is node {id}")),
            godot3::Packet::Set(set) => {
                to.push_str(" = ");
                Values(set.value).write(to);
            }
            _ => {}
        }
    }

    fn states(&self, to: &mut String) {
        let end = to.len().saturating_add(MAX_DESCRIPTION);
        for (index, state) in self.record.node_states().enumerate() {
            if index > 0 {
                to.push_str("; ");
            }
            NodeName { record: self.record, id: state.node }.write(to);
            to.push_str(": ");
            Values(state.values).write(to);
            doubts(to, state.values);
            if to.len() > end {
                break;
            }
        }
    }
}

/// Appends a value. Appending to a string cannot fail.
fn append(to: &mut String, value: impl Display) {
    let _ = write!(to, "{value}");
}

fn number(to: &mut String, number: impl itoa::Integer) {
    to.push_str(itoa::Buffer::new().format(number));
}

/// Writes the reasons why the values may be wrong. One reason is that their objects can also be
/// read in a different way. The other is that some bytes belong to no value.
fn doubts(to: &mut String, values: Run<'_>) {
    if values.objects() == ObjectReading::Either {
        to.push_str("  ");
        append(to, Styled(WARNING, "(or full objects instead of null)"));
    }
    unread(to, values.unread());
}

/// Writes bytes that belong to no value.
fn unread(to: &mut String, bytes: &[u8]) {
    if !bytes.is_empty() {
        append(to, format_args!("  {} ", Styled(WARNING, "unread:")));
        raw(to, bytes);
    }
}

/// Writes a text message: JSON without white space, other text in quotes.
fn write_text(to: &mut String, text: &str) {
    match Json::new(text) {
        Some(json) => append(to, Escaped(clipped(json, MAX_TEXT).as_bytes())),
        None => append(to, Quoted { bytes: text.as_bytes(), full: false }),
    }
}

/// Writes the path of a node, or its number if the path is unknown.
fn write_node(to: &mut String, node: Node<'_>) {
    match (node.path, node.id) {
        (Some(path), _) => write_name(to, path.as_bytes()),
        (None, Some(id)) => {
            to.push_str("node ");
            number(to, id);
        }
        (None, None) => {}
    }
}

/// Writes a path or the name of a method, truncated after [`MAX_NAME`] bytes.
fn write_name(to: &mut String, name: &[u8]) {
    // An escape of one byte has at most 6 characters, as in `\u{7f}`.
    if name.len() > MAX_NAME / 6 {
        return append_clipped(to, Escaped(name), MAX_NAME);
    }
    let _ = Escaped(name).write(to);
}

fn raw(to: &mut String, bytes: &[u8]) {
    append(to, Count(bytes.len() as u64, "byte"));
    if bytes.is_empty() {
        return;
    }
    let (shown, more) = match bytes.get(..MAX_BYTES) {
        Some(start) if start.len() < bytes.len() => (start, "…"),
        _ => (bytes, ""),
    };
    let hex = HEXLOWER.encode(shown);
    append(to, format_args!("  {}", Styled(DIM, format_args!("{hex}{more}"))));
}

/// The node of a [`NodeState`](gamewire::traffic::NodeState), printed as its path if that is known.
pub struct NodeName<'a> {
    pub record: &'a Record<'a>,
    pub id: NetId,
}

impl NodeName<'_> {
    fn write(&self, to: &mut String) {
        match self.id {
            NetId::Synchronizer(id) => append(to, format_args!("net id {id}")),
            NetId::Cached(id) => {
                let path = self.record.path(id);
                write_node(to, Node { id: Some(id), path, checksum: None });
            }
        }
    }
}

impl Display for NodeName<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut name = String::new();
        self.write(&mut name);
        f.write_str(&name)
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

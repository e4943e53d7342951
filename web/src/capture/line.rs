//! The text of a packet on a line, with the same names as `gamewire packets` prints.

use super::text::{Escaped, Hex, append, clip};
use super::values::{append_all, append_one};
use crate::json_text;
use gamewire::godot::multiplayer::godot4::{NetId, Packet, Scene};
use gamewire::godot::multiplayer::{ObjectReading, Run, godot3};
use gamewire::traffic::methods::MethodNames;
use gamewire::traffic::{Content, Node, Record};
use std::fmt::Display;
use std::net::SocketAddr;

/// Number of bytes of a packet that are shown in hexadecimal.
const MAX_BYTES: usize = 32;
/// Number of values that are shown if the bytes have no known format.
const MAX_FOUND: usize = 4;
/// Number of bytes after which a name or text is cut off.
const MAX_NAME: usize = 256;
/// Number of bytes after which a line is cut off.
const MAX_LINE: usize = 600;
/// Number of addresses whose texts are kept.
const MAX_ADDRESSES: usize = 64;

/// Writes lines. Keeps the texts of addresses and the buffer of the line, to use them again.
#[derive(Default)]
pub struct Line {
    pub names: MethodNames,
    text: String,
    addresses: Vec<(SocketAddr, String)>,
}

impl Line {
    /// Returns an address as text.
    pub fn address(&mut self, address: &SocketAddr) -> &str {
        let known = self.addresses.iter().position(|(known, _)| known == address);
        let index = known.unwrap_or_else(|| {
            if self.addresses.len() >= MAX_ADDRESSES {
                self.addresses.clear();
            }
            self.addresses.push((*address, address.to_string()));
            self.addresses.len() - 1
        });
        &self.addresses[index].1
    }

    /// Returns the part of the line after the kind.
    pub fn description(&mut self, record: &Record<'_>) -> &str {
        self.text.clear();
        describe(&mut self.text, record, &self.names);
        clip(&mut self.text, 0, MAX_LINE);
        &self.text
    }

    /// Returns the path of the node and the name of the method or property, with ASCII letters in
    /// lower case: `main.chat`.
    pub fn member(&mut self, record: &Record<'_>) -> &str {
        self.text.clear();
        member(&mut self.text, record, &self.names);
        self.text.make_ascii_lowercase();
        &self.text
    }

    /// Returns the whole line without the time, with ASCII letters in lower case.
    pub fn whole(&mut self, record: &Record<'_>) -> &str {
        let mut text = std::mem::take(&mut self.text);
        text.clear();
        text.push_str(self.address(&record.source));
        text.push_str(" → ");
        text.push_str(self.address(&record.destination));
        text.push(' ');
        text.push_str(record.kind().name());
        text.push(' ');
        let start = text.len();
        describe(&mut text, record, &self.names);
        clip(&mut text, start, MAX_LINE);
        self.text = text;
        self.text.make_ascii_lowercase();
        &self.text
    }
}

fn put(to: &mut String, value: &dyn Display) {
    append(to, value, MAX_LINE);
}

fn describe(to: &mut String, record: &Record<'_>, names: &MethodNames) {
    if let Some(peer) = record.relay {
        relayed(to, peer, record.peer);
        to.push_str("  ");
    }
    member(to, record, names);
    if let Some(values) = record.arguments() {
        to.push('(');
        append_all(to, values);
        to.push(')');
        doubts(to, values);
    }
    content(to, record);
}

/// Writes the peer in the header of a relayed packet: the receiver if a client sends the packet, or
/// the original sender if the server sends it.
fn relayed(to: &mut String, peer: i32, sender: Option<i32>) {
    match (sender, peer) {
        (None, peer) => put(to, &format_args!("relayed {peer}")),
        (Some(1), peer) => put(to, &format_args!("by {peer}")),
        (_, 0) => to.push_str("for all"),
        (_, peer) if peer < 0 => put(to, &format_args!("for all but {}", peer.unsigned_abs())),
        (_, peer) => put(to, &format_args!("for {peer}")),
    }
}

fn member(to: &mut String, record: &Record<'_>, names: &MethodNames) {
    if let Some(node) = record.node {
        write_node(to, node);
    }
    if let Some(member) = record.member(names) {
        to.push('.');
        append(to, &Escaped(member.as_bytes()), MAX_NAME);
    }
}

fn write_node(to: &mut String, node: Node<'_>) {
    match (node.path, node.id) {
        (Some(path), _) => {
            append(to, &Escaped(path.as_bytes()), MAX_NAME);
        }
        (None, Some(id)) => put(to, &format_args!("node {id}")),
        (None, None) => {}
    }
}

fn content(to: &mut String, record: &Record<'_>) {
    if let Some(bytes) = record.raw_bytes() {
        return raw(to, bytes);
    }
    if let Some(peer) = record.announced_peer() {
        return put(to, &format_args!("peer {peer}"));
    }
    if let Some(bytes) = record.value() {
        append_one(to, bytes, record.dialect());
        return unread(to, record.after_value());
    }
    match record.content {
        Content::Text(text) => match json_text::compact(text) {
            Some(json) => put(to, &Escaped(json.as_bytes())),
            None => {
                to.push('"');
                append(to, &Escaped(text.as_bytes()), MAX_NAME);
                to.push('"');
            }
        },
        Content::Bytes { offset } => found(to, record, offset),
        Content::Encrypted(encryption) => {
            put(to, &encryption);
            to.push_str(", ");
            count(to, record.bytes.len());
        }
        Content::Stun => count(to, record.bytes.len()),
        Content::Malformed { reason, offset } => {
            put(to, &reason);
            put(to, &format_args!(", at offset {offset}"));
        }
        Content::Godot4(packet) => godot4(to, record, packet),
        Content::Godot3(godot3::Packet::SimplifyPath { id, .. }) => {
            put(to, &format_args!(" is node {id}"));
        }
        Content::Godot3(godot3::Packet::Set(set)) => {
            to.push_str(" = ");
            append_all(to, set.value);
        }
        _ => {}
    }
}

fn godot4(to: &mut String, record: &Record<'_>, packet: &Packet<'_>) {
    match packet {
        Packet::SimplifyPath(packet) => put(to, &format_args!(" is node {}", packet.id)),
        Packet::ConfirmPath(confirm) if !confirm.checksum_ok => {
            to.push_str(", checksum of methods differs");
        }
        Packet::Spawn(spawn) => {
            to.push_str("  ");
            append(to, &Escaped(spawn.name.as_bytes()), MAX_NAME);
            put(to, &format_args!(" is net id {}", spawn.net_id));
            for id in spawn.synchronizers.iter().take(MAX_LINE) {
                put(to, &format_args!(", synchronizer {}", id.get()));
            }
            match spawn.scene {
                Scene::Index(index) => put(to, &format_args!(", scene {index}")),
                Scene::Custom(argument) => {
                    to.push_str(", custom data ");
                    append_all(to, argument);
                    doubts(to, argument);
                }
            }
        }
        Packet::Despawn { net_id } => put(to, &format_args!("net id {net_id}")),
        Packet::Sync(_) | Packet::Delta(_) => states(to, record),
        _ => {}
    }
}

/// Writes the nodes of a SYNC or DELTA packet with their values.
fn states(to: &mut String, record: &Record<'_>) {
    for (index, state) in record.node_states().enumerate() {
        if index > 0 {
            to.push_str("; ");
        }
        match state.node {
            NetId::Synchronizer(id) => put(to, &format_args!("net id {id}")),
            NetId::Cached(id) => {
                write_node(to, Node { id: Some(id), path: record.path(id), checksum: None });
            }
        }
        to.push_str(": ");
        append_all(to, state.values);
        doubts(to, state.values);
        if to.len() > MAX_LINE {
            break;
        }
    }
}

/// Writes bytes of a game's own protocol, and the values that were found in them.
fn found(to: &mut String, record: &Record<'_>, offset: Option<u64>) {
    if let Some(offset) = offset {
        put(to, &format_args!("at {offset}: "));
    }
    raw(to, record.bytes);
    for found in record.values_inside().take(MAX_FOUND) {
        put(to, &format_args!("  at {}: ", offset.unwrap_or(0) + found.offset));
        append_one(to, found.value.as_bytes(), found.dialect());
    }
}

/// Writes why the values may be wrong: objects that can be read in two ways, and bytes that belong to
/// no value.
fn doubts(to: &mut String, values: Run<'_>) {
    if values.objects() == ObjectReading::Either {
        to.push_str("  (or full objects instead of null)");
    }
    unread(to, values.unread());
}

fn unread(to: &mut String, bytes: &[u8]) {
    if !bytes.is_empty() {
        to.push_str("  unread: ");
        raw(to, bytes);
    }
}

fn raw(to: &mut String, bytes: &[u8]) {
    count(to, bytes.len());
    if !bytes.is_empty() {
        let shown = bytes.get(..MAX_BYTES).unwrap_or(bytes);
        put(to, &format_args!("  {}", Hex(shown)));
        to.push_str(if shown.len() < bytes.len() { "…" } else { "" });
    }
}

fn count(to: &mut String, bytes: usize) {
    put(to, &format_args!("{bytes} byte{}", if bytes == 1 { "" } else { "s" }));
}

//! Describes packets of which only the bytes are known, because they have no record. Examples are
//! packets that are dropped or still incomplete.

use super::nodes::Nodes;
use super::text::truncated;
use crate::godot::multiplayer::godot4::{self, System};
use crate::godot::multiplayer::transport::EnetPrefix;
use crate::godot::multiplayer::{NodeRef, godot3};
use crate::traffic::methods::MethodNames;
use crate::traffic::record::Engine;
use crate::traffic::record_kind;
use std::format;
use std::string::{String, ToString};

/// Describes a packet by the call that it contains, or by its kind if it contains no call.
/// `payload` is the packet or its first fragment.
pub(super) fn label(
    payload: &[u8],
    engine: Option<Engine>,
    nodes: &Nodes,
    names: &MethodNames,
) -> Option<String> {
    let text = match engine? {
        Engine::Godot4 => of_godot4(payload, nodes, names),
        Engine::Godot3 => {
            let (_, packet) = EnetPrefix::split(payload).ok()?;
            of_godot3(packet, nodes)
        }
    };
    text.map(|text| truncated(text.as_bytes()))
}

fn of_godot4(payload: &[u8], nodes: &Nodes, names: &MethodNames) -> Option<String> {
    let mut packet = godot4::Packet::parse(payload).ok()?;
    let mut relay = None;
    if let godot4::Packet::System(System::Relay(relayed)) = packet {
        relay = Some(relayed.peer());
        packet = relayed.packet().ok()?;
    }
    let kind = record_kind::godot4(&packet);
    let (path, checksum) = match packet {
        godot4::Packet::Call(call) => match call.node {
            NodeRef::Path(path) => (Some(truncated(path.as_bytes())), None),
            NodeRef::Cached(id) => nodes.by_id(relay, id),
        },
        godot4::Packet::SimplifyPath(simplify) => (Some(truncated(simplify.path.as_bytes())), None),
        godot4::Packet::Spawn(spawn) => (Some(truncated(spawn.name.as_bytes())), None),
        _ => (None, None),
    };
    let godot4::Packet::Call(call) = packet else {
        return Some(path.map_or_else(|| kind.to_string(), |path| format!("{kind} {path}")));
    };
    let method = names.name(None, checksum.as_ref(), call.method);
    let method = method.map_or_else(|| call.method.to_string(), truncated_text);
    Some(format!("{}.{method}", path.as_deref().unwrap_or("?")))
}

fn of_godot3(packet: &[u8], nodes: &Nodes) -> Option<String> {
    let packet = godot3::Packet::parse(packet).ok()?;
    let (node, member) = match packet {
        godot3::Packet::Call(call) => (call.node, call.method),
        godot3::Packet::Set(set) => (set.node, set.property),
        _ => return Some(record_kind::godot3(&packet).to_string()),
    };
    let path = match node {
        NodeRef::Path(path) => Some(truncated(path.as_bytes())),
        NodeRef::Cached(id) => nodes.by_id(None, id).0,
    };
    let member = truncated(member.as_bytes());
    Some(format!("{}.{member}", path.as_deref().unwrap_or("?")))
}

fn truncated_text(text: &str) -> String {
    truncated(text.as_bytes())
}

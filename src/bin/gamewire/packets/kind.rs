//! What a packet is called, and what there is to tell of it.

use crate::methods::Methods;
use gamewire::godot::StrRef;
use gamewire::godot::multiplayer::godot4::System;
use gamewire::godot::multiplayer::{Run, godot3, godot4};
use gamewire::net::conversation::{Content, Delivery, Record};
use std::borrow::Cow;

/// The name of the record's kind.
pub fn name(record: &Record<'_>) -> Cow<'static, str> {
    Cow::Borrowed(match record.content {
        Content::Godot4(packet) => match packet {
            godot4::Packet::Call(_) => "rpc",
            godot4::Packet::SimplifyPath(_) => "simplify_path",
            godot4::Packet::ConfirmPath(_) => "confirm_path",
            godot4::Packet::Raw(_) => "raw",
            godot4::Packet::Spawn(_) => "spawn",
            godot4::Packet::Despawn { .. } => "despawn",
            godot4::Packet::Sync(_) => "sync",
            godot4::Packet::Delta(_) => "delta",
            godot4::Packet::System(System::Auth(_)) => "auth",
            godot4::Packet::System(System::AddPeer(_)) => "add_peer",
            godot4::Packet::System(System::DelPeer(_)) => "del_peer",
            godot4::Packet::System(System::Relay(_)) => "relay",
        },
        Content::Godot3(packet) => match packet {
            godot3::Packet::Call(_) => "rpc",
            godot3::Packet::Set(_) => "set",
            godot3::Packet::SimplifyPath { .. } => "simplify_path",
            godot3::Packet::ConfirmPath { .. } => "confirm_path",
            godot3::Packet::Raw(_) => "raw",
        },
        Content::AddPeer(_) => "add_peer",
        Content::DelPeer(_) => "del_peer",
        Content::Value(_) => "var",
        Content::Debugger(_) => "debugger",
        Content::Malformed { .. } => "malformed",
        Content::Control(control) => return Cow::Owned(control.to_string()),
        _ => "unknown",
    })
}

/// Values that are listed: a call's arguments, a node's state.
pub fn arguments<'a>(record: &Record<'a>) -> Option<Run<'a>> {
    match record.content {
        Content::Godot4(godot4::Packet::Call(call)) => Some(call.arguments),
        Content::Godot3(godot3::Packet::Call(call)) => Some(call.arguments),
        _ => None,
    }
}

/// Bytes that mean something to a script only.
pub fn bytes<'a>(record: &Record<'a>) -> Option<&'a [u8]> {
    match record.content {
        Content::Godot4(godot4::Packet::Raw(bytes)) => Some(bytes),
        Content::Godot3(godot3::Packet::Raw(bytes)) => Some(bytes),
        Content::Godot4(godot4::Packet::System(System::Auth(bytes))) => Some(bytes),
        _ => None,
    }
}

/// The method that is called: its name, or its number behind a `#`.
pub fn method<'a>(record: &Record<'a>, methods: &'a Methods) -> Option<Cow<'a, str>> {
    match record.content {
        Content::Godot4(godot4::Packet::Call(call)) => {
            let node = record.node;
            let path = node.and_then(|node| node.path).map(|path| path.to_string_lossy());
            let checksum = node.and_then(|node| node.checksum);
            let checksum = checksum.and_then(|checksum| str::from_utf8(checksum).ok());
            let name = methods.name(path.as_deref().unwrap_or_default(), checksum, call.method.0);
            Some(match name {
                Some(name) => Cow::Borrowed(name),
                None => Cow::Owned(format!("#{}", call.method.0)),
            })
        }
        Content::Godot3(godot3::Packet::Call(call)) => Some(call.method.to_string_lossy()),
        Content::Godot3(godot3::Packet::Set(set)) => Some(set.property.to_string_lossy()),
        _ => None,
    }
}

/// The path of the node, from the multiplayer root.
pub fn path<'a>(record: &Record<'a>) -> Option<StrRef<'a>> {
    record.node?.path
}

/// How it was delivered.
pub fn delivery(delivery: Delivery) -> &'static str {
    match delivery {
        Delivery::Reliable => "reliable",
        Delivery::Unreliable => "unreliable",
        Delivery::Unsequenced => "unsequenced",
    }
}

//! Describes a record in a comment of a capture (`--write`).
//!
//! ```text
//! rpc Main/Player.hit("sword", 3.0) by 2
//! KIND PATH.METHOD(ARGUMENTS) CONTENT by PEER
//! ```
//!
//! `integrations/wireshark/gamewire.lua` splits a comment into these parts. A path or method is in
//! quotes, as a string of JSON, if it could be confused with another part.

use super::line::{Description, Relayed};
use crate::ui::text::{append_clipped, clip};
use anstream::adapter::strip_str;
use gamewire::godot::json::Text;
use gamewire::traffic::Record;
use gamewire::traffic::methods::MethodNames;
use std::fmt::{self, Display};

/// Maximum length in bytes of a comment without the kind and the peers.
const MAX: usize = 4096;

/// Returns the comment on a record.
pub fn comment(record: &Record<'_>, names: &MethodNames) -> String {
    let mut content = String::new();
    write_content(&mut content, record, names);
    clip(&mut content, 0, MAX);
    let content = strip_str(&content).to_string();
    let mut comment = record.kind().to_string();
    if !content.is_empty() {
        comment.push(' ');
        comment.push_str(content.trim_start());
    }
    let relayed = |peer| match (peer, record.peer) {
        (peer, None) => format!(", relayed {peer}"),
        (peer, sender) => format!(", relayed {}", Relayed { peer, sender }),
    };
    comment.extend(record.relay.map(relayed));
    let sender = record.peer.filter(|_| record.announced_peer().is_none());
    comment.extend(sender.map(|peer| format!(" by {peer}")));
    comment
}

/// Writes the part of a comment between the kind and the peer. Each part of it is bounded.
fn write_content(to: &mut String, record: &Record<'_>, names: &MethodNames) {
    match record.node.map(|node| (node.path, node.id)) {
        Some((Some(path), _)) => append_clipped(to, Name(&path.to_string_lossy()), MAX),
        Some((None, Some(id))) => to.push_str(&format!("node {id}")),
        _ => {}
    }
    if let Some(method) = record.member(names) {
        to.push('.');
        append_clipped(to, Name(&method), MAX);
    }
    let description = Description { record, names };
    description.arguments(to);
    description.content(to);
}

/// A path or the name of a method.
struct Name<'a>(&'a str);

impl Display for Name<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(name) = *self;
        let is_plain = |c: char| c.is_alphanumeric() || matches!(c, '_' | '/' | '@' | '-' | '#');
        match !name.is_empty() && name.chars().all(is_plain) {
            true => f.write_str(name),
            false => write!(f, "{}", Text(name)),
        }
    }
}

//! The filter that selects the packets of the list.

use super::line::Line;
use gamewire::godot::multiplayer::godot4::NetId;
use gamewire::traffic::{Record, RecordKind};

/// The conditions of a list. A packet must satisfy all of them.
#[derive(Clone, Default)]
pub struct Filter {
    /// `true` to show control packets and encrypted packets, too.
    pub all: bool,
    /// A bit for each kind to show, or 0 for any kind. Packets of these kinds are shown even if they
    /// are control packets.
    pub only: u32,
    /// Text in the line of the packet. ASCII letters are in lower case.
    pub text: String,
    /// Text in an address, or the id of a peer.
    pub peer: String,
    /// Text in the path of a node or in the name of a method. ASCII letters are in lower case.
    pub member: String,
    /// `true` to show only malformed and lost packets.
    pub errors: bool,
    /// First and last time, in nanoseconds since 1970.
    pub times: Option<(i64, i64)>,
}

const ERRORS: u32 = 1 << RecordKind::Malformed as u32 | 1 << RecordKind::Lost as u32;

impl Filter {
    /// Returns a bit for each kind that can be accepted.
    pub fn kinds(&self) -> u32 {
        let only = if self.only == 0 { u32::MAX } else { self.only };
        if self.errors { only & ERRORS } else { only }
    }

    /// Returns `true` if the filter has conditions besides `all`.
    pub fn has_conditions(&self) -> bool {
        let texts = [&self.text, &self.peer, &self.member];
        let has_text = texts.iter().any(|text| !text.is_empty());
        has_text || self.only != 0 || self.errors || self.times.is_some()
    }

    /// Returns `true` if the list shows the record. `line` is overwritten.
    pub fn accepts(&self, record: &Record<'_>, line: &mut Line) -> bool {
        let is_hidden = record.is_control() || record.is_encrypted();
        if is_hidden && !self.all && self.only == 0 && !self.errors {
            return false;
        }
        if self.kinds() & 1 << record.kind() as u32 == 0 {
            return false;
        }
        let is_in = |(from, to)| record.time.is_some_and(|time| (from..=to).contains(&time));
        self.times.is_none_or(is_in)
            && (self.peer.is_empty() || self.has_peer(record, line))
            && (self.member.is_empty() || self.has_member(record, line))
            && (self.text.is_empty() || line.whole(record).contains(&self.text))
    }

    fn has_peer(&self, record: &Record<'_>, line: &mut Line) -> bool {
        if let Ok(id) = self.peer.parse::<i32>() {
            let ids = [record.peer, record.relay, record.announced_peer()];
            return ids.contains(&Some(id));
        }
        let addresses = [record.source, record.destination];
        addresses.iter().any(|address| line.address(address).contains(&self.peer))
    }

    fn has_member(&self, record: &Record<'_>, line: &mut Line) -> bool {
        line.member(record).contains(&self.member)
            || record.node_states().any(|state| match state.node {
                NetId::Cached(id) => record.path(id).is_some_and(|path| {
                    path.to_string_lossy().to_ascii_lowercase().contains(&self.member)
                }),
                NetId::Synchronizer(_) => false,
            })
    }
}

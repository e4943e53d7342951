//! The comments and packets that are added to a copy of a capture.

use super::interface::PacketRecord;
use core::iter;
use std::string::String;
use std::vec::Vec;

/// Maximum size in bytes of the comments on one packet. [`Reader`](super::Reader) and other readers
/// refuse a block that is much larger.
const MAX_COMMENTS: usize = 1 << 19;
/// Maximum size in bytes of the packets that are added after one packet.
const MAX_PACKETS: usize = 64 << 20;

/// Comments on a packet of a capture, and packets that follow it.
#[derive(Debug, Default)]
pub struct Additions {
    comments: String,
    /// Offset of the end of each comment in `comments`.
    ends: Vec<usize>,
    packets: Vec<AddedPacket>,
    data: Vec<u8>,
    dropped: u64,
}

/// A packet whose data are in [`Additions::data`].
#[derive(Clone, Copy, Debug)]
struct AddedPacket {
    time: u64,
    original_len: u32,
    /// Offset of the end of the data.
    end: usize,
}

impl Additions {
    /// Adds a comment. Drops it if the comments on the packet would exceed 512 KiB.
    pub fn comment(&mut self, text: &str) {
        if self.comments.len().saturating_add(text.len()) > MAX_COMMENTS {
            self.dropped = self.dropped.saturating_add(1);
            return;
        }
        self.comments.push_str(text);
        self.ends.push(self.comments.len());
    }

    /// Adds a packet with the link type [`LinkType::UPPER_PDU`](super::LinkType::UPPER_PDU), such as
    /// an [`ExportedPdu`](super::ExportedPdu). `time` is in nanoseconds since 1970; a time that is
    /// unknown or before 1970 becomes 0. `original_len` is the length in bytes before truncation.
    /// Drops the packet if the packets that follow one packet would exceed 64 MiB.
    pub fn packet(&mut self, time: Option<i64>, data: &[u8], original_len: u32) {
        if self.data.len().saturating_add(data.len()) > MAX_PACKETS {
            self.dropped = self.dropped.saturating_add(1);
            return;
        }
        self.data.extend_from_slice(data);
        let time = time.and_then(|time| u64::try_from(time).ok()).unwrap_or(0);
        self.packets.push(AddedPacket { time, original_len, end: self.data.len() });
    }

    /// Returns the number of comments and packets that were dropped.
    pub const fn dropped(&self) -> u64 {
        self.dropped
    }

    pub(super) fn comments(&self) -> impl Iterator<Item = &str> {
        let starts = iter::once(0).chain(self.ends.iter().copied());
        let text = |(start, end): (usize, &usize)| self.comments.get(start..*end);
        starts.zip(&self.ends).filter_map(text)
    }

    pub(super) fn packet_count(&self) -> u64 {
        self.packets.len() as u64
    }

    pub(super) fn has_comments(&self) -> bool {
        !self.ends.is_empty()
    }

    pub(super) fn packets(&self) -> impl Iterator<Item = PacketRecord<'_>> {
        let starts = iter::once(0).chain(self.packets.iter().map(|packet| packet.end));
        starts.zip(&self.packets).map(|(start, packet)| {
            let AddedPacket { time, original_len, end } = *packet;
            PacketRecord { time, data: self.data.get(start..end).unwrap_or_default(), original_len }
        })
    }

    pub(super) fn append(&mut self, other: &mut Self) {
        other.comments().for_each(|comment| self.comment(comment));
        for PacketRecord { time, data, original_len } in other.packets() {
            self.packet(Some(time.cast_signed()), data, original_len);
        }
        self.dropped = self.dropped.saturating_add(other.dropped);
        other.dropped = 0;
        other.clear();
    }

    /// Removes the comments and packets, but keeps the number of those that were dropped.
    pub(super) fn clear(&mut self) {
        self.comments.clear();
        self.ends.clear();
        self.packets.clear();
        self.data.clear();
    }

    pub(super) fn drop_comments(&mut self) {
        self.dropped = self.dropped.saturating_add(self.ends.len() as u64);
        self.comments.clear();
        self.ends.clear();
    }

    pub(super) fn drop_packets(&mut self) {
        self.dropped = self.dropped.saturating_add(self.packet_count());
        self.packets.clear();
        self.data.clear();
    }
}
